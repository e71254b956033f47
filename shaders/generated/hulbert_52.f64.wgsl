// Double precision (needs the adapter feature SHADER_F64).
alias real = f64;

// NaN compares false. Beyond this energies, which are products of two such numbers, would not be finite.
fn is_finite_real(x: real) -> bool {
    return abs(x) <= 1e140lf;
}

const TINY: real = 1.727233711018889e-77lf;
const FLUSH = 100u;

// Shared by all kernels. `real`, TINY and FLUSH stand before it.

// Zero in the place of what has decayed: before every step whose number is a multiple of FLUSH, all numbers of the state go
// through this function. NaN stays NaN.
fn flushed_real(x: real) -> real {
    return select(x, real(0.0), abs(x) < TINY);
}

// The next multiple of the period after step k, at most `end`, which is not before k; with the period 0 it is `end`.
// Differences are compared, because the multiple itself may be beyond 2^32.
fn next_multiple(k: u32, period: u32, end: u32) -> u32 {
    if period == 0u {
        return end;
    }
    return k + min(end - k, period - k % period);
}

// State of the method: what a later step or an output reads.
struct State {
    q0: real,
    q1: real,
    q2: real,
    q3: real,
    wx: real,
    wy: real,
    wz: real,
    half_q0: real,
    half_q1: real,
    half_q2: real,
    half_q3: real,
    half_wx: real,
    half_wy: real,
    half_wz: real,
}

fn load_state(instance: u32) -> State {
    var s: State;
    s.q0 = state[0u * run.stride + instance];
    s.q1 = state[1u * run.stride + instance];
    s.q2 = state[2u * run.stride + instance];
    s.q3 = state[3u * run.stride + instance];
    s.wx = state[4u * run.stride + instance];
    s.wy = state[5u * run.stride + instance];
    s.wz = state[6u * run.stride + instance];
    s.half_q0 = state[7u * run.stride + instance];
    s.half_q1 = state[8u * run.stride + instance];
    s.half_q2 = state[9u * run.stride + instance];
    s.half_q3 = state[10u * run.stride + instance];
    s.half_wx = state[11u * run.stride + instance];
    s.half_wy = state[12u * run.stride + instance];
    s.half_wz = state[13u * run.stride + instance];
    return s;
}

fn store_state(instance: u32, s: State) {
    state[0u * run.stride + instance] = s.q0;
    state[1u * run.stride + instance] = s.q1;
    state[2u * run.stride + instance] = s.q2;
    state[3u * run.stride + instance] = s.q3;
    state[4u * run.stride + instance] = s.wx;
    state[5u * run.stride + instance] = s.wy;
    state[6u * run.stride + instance] = s.wz;
    state[7u * run.stride + instance] = s.half_q0;
    state[8u * run.stride + instance] = s.half_q1;
    state[9u * run.stride + instance] = s.half_q2;
    state[10u * run.stride + instance] = s.half_q3;
    state[11u * run.stride + instance] = s.half_wx;
    state[12u * run.stride + instance] = s.half_wy;
    state[13u * run.stride + instance] = s.half_wz;
}

fn flushed(s: State) -> State {
    var next: State;
    next.q0 = flushed_real(s.q0);
    next.q1 = flushed_real(s.q1);
    next.q2 = flushed_real(s.q2);
    next.q3 = flushed_real(s.q3);
    next.wx = flushed_real(s.wx);
    next.wy = flushed_real(s.wy);
    next.wz = flushed_real(s.wz);
    next.half_q0 = flushed_real(s.half_q0);
    next.half_q1 = flushed_real(s.half_q1);
    next.half_q2 = flushed_real(s.half_q2);
    next.half_q3 = flushed_real(s.half_q3);
    next.half_wx = flushed_real(s.half_wx);
    next.half_wy = flushed_real(s.half_wy);
    next.half_wz = flushed_real(s.half_wz);
    return next;
}

fn is_finite_state(s: State) -> bool {
    return is_finite_real(s.q0)
        && is_finite_real(s.q1)
        && is_finite_real(s.q2)
        && is_finite_real(s.q3)
        && is_finite_real(s.wx)
        && is_finite_real(s.wy)
        && is_finite_real(s.wz);
}

const WORKGROUP = 64u;
const HAS_NORM_BOUND = false;
const NORM_BOUND_VALUE: real = 0.0lf;

fn norm_error(s: State) -> real {
    var largest = real(0.0);
    largest = max(largest, abs(sqrt(s.q3 * s.q3 + (s.q2 * s.q2 + (s.q1 * s.q1 + s.q0 * s.q0))) - real(1.0)));
    return largest;
}

// What stays the same over a stretch of steps: everything that does not depend on the state.
struct Prepared {
    c0: real,
    c1: real,
    c2: real,
    c3: real,
    c4: real,
    c5: real,
    c6: real,
    c7: real,
    c8: real,
}

fn prepare(instance: u32) -> Prepared {
    var p: Prepared;
    p.c0 = shared_values[0];
    p.c1 = shared_values[1];
    p.c2 = shared_values[2];
    p.c3 = shared_values[4];
    p.c4 = shared_values[6];
    p.c5 = shared_values[7];
    p.c6 = shared_values[8];
    p.c7 = shared_values[9];
    p.c8 = shared_values[10];
    return p;
}

// One full step: 150 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.half_wy * s.half_wz;
    let t1 = s.half_wx * s.half_wz;
    let t2 = p.c4 * t0 + s.wx;
    let t3 = p.c5 * t1 + s.wy;
    let t4 = s.half_q2 * p.c2;
    let t5 = s.half_q1 * p.c2;
    let t6 = p.c7 * t4;
    let t7 = p.c7 * t5;
    let t8 = s.half_q3 * t7;
    let t9 = s.half_q3 * t6;
    let t10 = t8 - s.half_q0 * t6;
    let t11 = s.half_q0 * t7 + t9;
    let t12 = t2 - p.c6 * t11;
    let t13 = p.c6 * t10 + t3;
    let t14 = s.half_wx * p.c3;
    let t15 = s.half_wy * p.c3;
    let t16 = s.half_wz * p.c3;
    let t17 = t14 * t14 + p.c1;
    let t18 = t15 * t15 + t17;
    let t19 = t16 * t16 + t18;
    let t20 = p.c7 / t19;
    let t21 = s.q0 - s.q1 * t14;
    let t22 = t21 - s.q2 * t15;
    let t23 = t22 - s.q3 * t16;
    let t24 = s.q0 * t14 + s.q1;
    let t25 = s.q2 * t16 + t24;
    let t26 = t25 - s.q3 * t15;
    let t27 = s.q0 * t15 + s.q2;
    let t28 = s.q3 * t14 + t27;
    let t29 = t28 - s.q1 * t16;
    let t30 = s.q0 * t16 + s.q3;
    let t31 = s.q1 * t15 + t30;
    let t32 = t31 - s.q2 * t14;
    let t33 = t20 * t23 - s.q0;
    let t34 = t20 * t26 - s.q1;
    let t35 = t20 * t29 - s.q2;
    let t36 = t20 * t32 - s.q3;
    let t37 = t33 * t33;
    let t38 = t34 * t34 + t37;
    let t39 = t35 * t35 + t38;
    let t40 = t36 * t36 + t39;
    let t41 = p.c8 - p.c0 * t40;
    let t42 = t33 * t41;
    let t43 = t34 * t41;
    let t44 = t35 * t41;
    let t45 = t36 * t41;
    let t46 = s.wz * t13;
    let t47 = s.wz * t12;
    let t48 = p.c4 * t46 + s.half_wx;
    let t49 = p.c5 * t47 + s.half_wy;
    let t50 = p.c2 * t44;
    let t51 = p.c2 * t43;
    let t52 = p.c7 * t50;
    let t53 = p.c7 * t51;
    let t54 = t45 * t53;
    let t55 = t45 * t52;
    let t56 = t54 - t42 * t52;
    let t57 = t42 * t53 + t55;
    let t58 = t48 - p.c6 * t57;
    let t59 = p.c6 * t56 + t49;
    let t60 = p.c3 * t12;
    let t61 = p.c3 * t13;
    let t62 = s.wz * p.c3;
    let t63 = t60 * t60 + p.c1;
    let t64 = t61 * t61 + t63;
    let t65 = t62 * t62 + t64;
    let t66 = p.c7 / t65;
    let t67 = s.half_q0 - s.half_q1 * t60;
    let t68 = t67 - s.half_q2 * t61;
    let t69 = t68 - s.half_q3 * t62;
    let t70 = s.half_q0 * t60 + s.half_q1;
    let t71 = s.half_q2 * t62 + t70;
    let t72 = t71 - s.half_q3 * t61;
    let t73 = s.half_q0 * t61 + s.half_q2;
    let t74 = s.half_q3 * t60 + t73;
    let t75 = t74 - s.half_q1 * t62;
    let t76 = s.half_q0 * t62 + s.half_q3;
    let t77 = s.half_q1 * t61 + t76;
    let t78 = t77 - s.half_q2 * t60;
    let t79 = t66 * t69 - s.half_q0;
    let t80 = t66 * t72 - s.half_q1;
    let t81 = t66 * t75 - s.half_q2;
    let t82 = t66 * t78 - s.half_q3;
    let t83 = t79 * t79;
    let t84 = t80 * t80 + t83;
    let t85 = t81 * t81 + t84;
    let t86 = t82 * t82 + t85;
    let t87 = p.c8 - p.c0 * t86;
    let t88 = t79 * t87;
    let t89 = t80 * t87;
    let t90 = t81 * t87;
    let t91 = t82 * t87;
    var next: State;
    next.q0 = t42;
    next.q1 = t43;
    next.q2 = t44;
    next.q3 = t45;
    next.wx = t12;
    next.wy = t13;
    next.wz = s.wz;
    next.half_q0 = t88;
    next.half_q1 = t89;
    next.half_q2 = t90;
    next.half_q3 = t91;
    next.half_wx = t58;
    next.half_wy = t59;
    next.half_wz = s.half_wz;
    return next;
}

// What the method carries, at the start. (610 operations.)
fn begin(instance: u32, s: State) -> State {
    let t0 = s.q0 * s.q0;
    let t1 = s.q1 * s.q1 + t0;
    let t2 = s.q2 * s.q2 + t1;
    let t3 = s.q3 * s.q3 + t2;
    let t4 = sqrt(t3);
    let t5 = shared_values[1] / t4;
    let t6 = s.q0 * t5;
    let t7 = s.q1 * t5;
    let t8 = s.q2 * t5;
    let t9 = s.q3 * t5;
    let t10 = s.wy * s.wz;
    let t11 = s.wx * s.wz;
    let t12 = shared_values[8] * t10;
    let t13 = shared_values[12] * t11;
    let t14 = shared_values[2] * t8;
    let t15 = shared_values[2] * t7;
    let t16 = shared_values[9] * t14;
    let t17 = shared_values[9] * t15;
    let t18 = t9 * t17;
    let t19 = t9 * t16;
    let t20 = t18 - t6 * t16;
    let t21 = t6 * t17 + t19;
    let t22 = t12 - shared_values[13] * t21;
    let t23 = shared_values[13] * t20 + t13;
    let t24 = s.q1 * s.wx;
    let t25 = s.q2 * s.wy + t24;
    let t26 = s.q3 * s.wz + t25;
    let t27 = s.q0 * s.wx;
    let t28 = s.q2 * s.wz + t27;
    let t29 = t28 - s.q3 * s.wy;
    let t30 = s.q0 * s.wy;
    let t31 = s.q3 * s.wx + t30;
    let t32 = t31 - s.q1 * s.wz;
    let t33 = s.q0 * s.wz;
    let t34 = s.q1 * s.wy + t33;
    let t35 = t34 - s.q2 * s.wx;
    let t36 = shared_values[3] * t26;
    let t37 = shared_values[3] * t29;
    let t38 = shared_values[3] * t32;
    let t39 = shared_values[3] * t35;
    let t40 = s.q0 - shared_values[0] * t36;
    let t41 = shared_values[0] * t37 + s.q1;
    let t42 = shared_values[0] * t38 + s.q2;
    let t43 = shared_values[0] * t39 + s.q3;
    let t44 = shared_values[0] * t22 + s.wx;
    let t45 = shared_values[0] * t23 + s.wy;
    let t46 = t40 * t40;
    let t47 = t41 * t41 + t46;
    let t48 = t42 * t42 + t47;
    let t49 = t43 * t43 + t48;
    let t50 = sqrt(t49);
    let t51 = shared_values[1] / t50;
    let t52 = t40 * t51;
    let t53 = t41 * t51;
    let t54 = t42 * t51;
    let t55 = t43 * t51;
    let t56 = s.wz * t45;
    let t57 = s.wz * t44;
    let t58 = shared_values[8] * t56;
    let t59 = shared_values[12] * t57;
    let t60 = shared_values[2] * t54;
    let t61 = shared_values[2] * t53;
    let t62 = shared_values[9] * t60;
    let t63 = shared_values[9] * t61;
    let t64 = t55 * t63;
    let t65 = t55 * t62;
    let t66 = t64 - t52 * t62;
    let t67 = t52 * t63 + t65;
    let t68 = t58 - shared_values[13] * t67;
    let t69 = shared_values[13] * t66 + t59;
    let t70 = t41 * t44;
    let t71 = t42 * t45 + t70;
    let t72 = s.wz * t43 + t71;
    let t73 = t40 * t44;
    let t74 = s.wz * t42 + t73;
    let t75 = t74 - t43 * t45;
    let t76 = t40 * t45;
    let t77 = t43 * t44 + t76;
    let t78 = t77 - s.wz * t41;
    let t79 = s.wz * t40;
    let t80 = t41 * t45 + t79;
    let t81 = t80 - t42 * t44;
    let t82 = shared_values[3] * t72;
    let t83 = shared_values[3] * t75;
    let t84 = shared_values[3] * t78;
    let t85 = shared_values[3] * t81;
    let t86 = s.q0 - shared_values[0] * t82;
    let t87 = shared_values[0] * t83 + s.q1;
    let t88 = shared_values[0] * t84 + s.q2;
    let t89 = shared_values[0] * t85 + s.q3;
    let t90 = shared_values[0] * t68 + s.wx;
    let t91 = shared_values[0] * t69 + s.wy;
    let t92 = t86 * t86;
    let t93 = t87 * t87 + t92;
    let t94 = t88 * t88 + t93;
    let t95 = t89 * t89 + t94;
    let t96 = sqrt(t95);
    let t97 = shared_values[1] / t96;
    let t98 = t86 * t97;
    let t99 = t87 * t97;
    let t100 = t88 * t97;
    let t101 = t89 * t97;
    let t102 = s.wz * t91;
    let t103 = s.wz * t90;
    let t104 = shared_values[8] * t102;
    let t105 = shared_values[12] * t103;
    let t106 = shared_values[2] * t100;
    let t107 = shared_values[2] * t99;
    let t108 = shared_values[9] * t106;
    let t109 = shared_values[9] * t107;
    let t110 = t101 * t109;
    let t111 = t101 * t108;
    let t112 = t110 - t98 * t108;
    let t113 = t98 * t109 + t111;
    let t114 = t104 - shared_values[13] * t113;
    let t115 = shared_values[13] * t112 + t105;
    let t116 = t87 * t90;
    let t117 = t88 * t91 + t116;
    let t118 = s.wz * t89 + t117;
    let t119 = t86 * t90;
    let t120 = s.wz * t88 + t119;
    let t121 = t120 - t89 * t91;
    let t122 = t86 * t91;
    let t123 = t89 * t90 + t122;
    let t124 = t123 - s.wz * t87;
    let t125 = s.wz * t86;
    let t126 = t87 * t91 + t125;
    let t127 = t126 - t88 * t90;
    let t128 = shared_values[3] * t118;
    let t129 = shared_values[3] * t121;
    let t130 = shared_values[3] * t124;
    let t131 = shared_values[3] * t127;
    let t132 = shared_values[9] * t82 + t36;
    let t133 = shared_values[9] * t83 + t37;
    let t134 = shared_values[9] * t84 + t38;
    let t135 = shared_values[9] * t85 + t39;
    let t136 = shared_values[9] * t68 + t22;
    let t137 = shared_values[9] * t69 + t23;
    let t138 = shared_values[9] * t128 + t132;
    let t139 = shared_values[9] * t129 + t133;
    let t140 = shared_values[9] * t130 + t134;
    let t141 = shared_values[9] * t131 + t135;
    let t142 = shared_values[9] * t114 + t136;
    let t143 = shared_values[9] * t115 + t137;
    let t144 = s.q0 - t128;
    let t145 = s.q1 + t129;
    let t146 = s.q2 + t130;
    let t147 = s.q3 + t131;
    let t148 = s.wx + t114;
    let t149 = s.wy + t115;
    let t150 = t144 * t144;
    let t151 = t145 * t145 + t150;
    let t152 = t146 * t146 + t151;
    let t153 = t147 * t147 + t152;
    let t154 = sqrt(t153);
    let t155 = shared_values[1] / t154;
    let t156 = t144 * t155;
    let t157 = t145 * t155;
    let t158 = t146 * t155;
    let t159 = t147 * t155;
    let t160 = s.wz * t149;
    let t161 = s.wz * t148;
    let t162 = shared_values[8] * t160 + t142;
    let t163 = shared_values[12] * t161 + t143;
    let t164 = shared_values[2] * t158;
    let t165 = shared_values[2] * t157;
    let t166 = shared_values[9] * t164;
    let t167 = shared_values[9] * t165;
    let t168 = t159 * t167;
    let t169 = t159 * t166;
    let t170 = t168 - t156 * t166;
    let t171 = t156 * t167 + t169;
    let t172 = t162 - shared_values[13] * t171;
    let t173 = shared_values[13] * t170 + t163;
    let t174 = t145 * t148;
    let t175 = t146 * t149 + t174;
    let t176 = s.wz * t147 + t175;
    let t177 = t144 * t148;
    let t178 = s.wz * t146 + t177;
    let t179 = t178 - t147 * t149;
    let t180 = t144 * t149;
    let t181 = t147 * t148 + t180;
    let t182 = t181 - s.wz * t145;
    let t183 = s.wz * t144;
    let t184 = t145 * t149 + t183;
    let t185 = t184 - t146 * t148;
    let t186 = shared_values[3] * t176 + t138;
    let t187 = shared_values[3] * t179 + t139;
    let t188 = shared_values[3] * t182 + t140;
    let t189 = shared_values[3] * t185 + t141;
    let t190 = s.q0 - shared_values[11] * t186;
    let t191 = shared_values[11] * t187 + s.q1;
    let t192 = shared_values[11] * t188 + s.q2;
    let t193 = shared_values[11] * t189 + s.q3;
    let t194 = shared_values[11] * t172 + s.wx;
    let t195 = shared_values[11] * t173 + s.wy;
    let t196 = t190 * t190;
    let t197 = t191 * t191 + t196;
    let t198 = t192 * t192 + t197;
    let t199 = t193 * t193 + t198;
    let t200 = sqrt(t199);
    let t201 = shared_values[1] / t200;
    let t202 = t190 * t201;
    let t203 = t191 * t201;
    let t204 = t192 * t201;
    let t205 = t193 * t201;
    let t206 = t202 * t202;
    let t207 = t203 * t203 + t206;
    let t208 = t204 * t204 + t207;
    let t209 = t205 * t205 + t208;
    let t210 = sqrt(t209);
    let t211 = shared_values[1] / t210;
    let t212 = t202 * t211;
    let t213 = t203 * t211;
    let t214 = t204 * t211;
    let t215 = t205 * t211;
    let t216 = s.wz * t195;
    let t217 = s.wz * t194;
    let t218 = shared_values[8] * t216;
    let t219 = shared_values[12] * t217;
    let t220 = shared_values[2] * t214;
    let t221 = shared_values[2] * t213;
    let t222 = shared_values[9] * t220;
    let t223 = shared_values[9] * t221;
    let t224 = t215 * t223;
    let t225 = t215 * t222;
    let t226 = t224 - t212 * t222;
    let t227 = t212 * t223 + t225;
    let t228 = t218 - shared_values[13] * t227;
    let t229 = shared_values[13] * t226 + t219;
    let t230 = t194 * t203;
    let t231 = t195 * t204 + t230;
    let t232 = s.wz * t205 + t231;
    let t233 = t194 * t202;
    let t234 = s.wz * t204 + t233;
    let t235 = t234 - t195 * t205;
    let t236 = t195 * t202;
    let t237 = t194 * t205 + t236;
    let t238 = t237 - s.wz * t203;
    let t239 = s.wz * t202;
    let t240 = t195 * t203 + t239;
    let t241 = t240 - t194 * t204;
    let t242 = shared_values[3] * t232;
    let t243 = shared_values[3] * t235;
    let t244 = shared_values[3] * t238;
    let t245 = shared_values[3] * t241;
    let t246 = t202 - shared_values[0] * t242;
    let t247 = shared_values[0] * t243 + t203;
    let t248 = shared_values[0] * t244 + t204;
    let t249 = shared_values[0] * t245 + t205;
    let t250 = shared_values[0] * t228 + t194;
    let t251 = shared_values[0] * t229 + t195;
    let t252 = t246 * t246;
    let t253 = t247 * t247 + t252;
    let t254 = t248 * t248 + t253;
    let t255 = t249 * t249 + t254;
    let t256 = sqrt(t255);
    let t257 = shared_values[1] / t256;
    let t258 = t246 * t257;
    let t259 = t247 * t257;
    let t260 = t248 * t257;
    let t261 = t249 * t257;
    let t262 = s.wz * t251;
    let t263 = s.wz * t250;
    let t264 = shared_values[8] * t262;
    let t265 = shared_values[12] * t263;
    let t266 = shared_values[2] * t260;
    let t267 = shared_values[2] * t259;
    let t268 = shared_values[9] * t266;
    let t269 = shared_values[9] * t267;
    let t270 = t261 * t269;
    let t271 = t261 * t268;
    let t272 = t270 - t258 * t268;
    let t273 = t258 * t269 + t271;
    let t274 = t264 - shared_values[13] * t273;
    let t275 = shared_values[13] * t272 + t265;
    let t276 = t247 * t250;
    let t277 = t248 * t251 + t276;
    let t278 = s.wz * t249 + t277;
    let t279 = t246 * t250;
    let t280 = s.wz * t248 + t279;
    let t281 = t280 - t249 * t251;
    let t282 = t246 * t251;
    let t283 = t249 * t250 + t282;
    let t284 = t283 - s.wz * t247;
    let t285 = s.wz * t246;
    let t286 = t247 * t251 + t285;
    let t287 = t286 - t248 * t250;
    let t288 = shared_values[3] * t278;
    let t289 = shared_values[3] * t281;
    let t290 = shared_values[3] * t284;
    let t291 = shared_values[3] * t287;
    let t292 = t202 - shared_values[0] * t288;
    let t293 = shared_values[0] * t289 + t203;
    let t294 = shared_values[0] * t290 + t204;
    let t295 = shared_values[0] * t291 + t205;
    let t296 = shared_values[0] * t274 + t194;
    let t297 = shared_values[0] * t275 + t195;
    let t298 = t292 * t292;
    let t299 = t293 * t293 + t298;
    let t300 = t294 * t294 + t299;
    let t301 = t295 * t295 + t300;
    let t302 = sqrt(t301);
    let t303 = shared_values[1] / t302;
    let t304 = t292 * t303;
    let t305 = t293 * t303;
    let t306 = t294 * t303;
    let t307 = t295 * t303;
    let t308 = s.wz * t297;
    let t309 = s.wz * t296;
    let t310 = shared_values[8] * t308;
    let t311 = shared_values[12] * t309;
    let t312 = shared_values[2] * t306;
    let t313 = shared_values[2] * t305;
    let t314 = shared_values[9] * t312;
    let t315 = shared_values[9] * t313;
    let t316 = t307 * t315;
    let t317 = t307 * t314;
    let t318 = t316 - t304 * t314;
    let t319 = t304 * t315 + t317;
    let t320 = t310 - shared_values[13] * t319;
    let t321 = shared_values[13] * t318 + t311;
    let t322 = t293 * t296;
    let t323 = t294 * t297 + t322;
    let t324 = s.wz * t295 + t323;
    let t325 = t292 * t296;
    let t326 = s.wz * t294 + t325;
    let t327 = t326 - t295 * t297;
    let t328 = t292 * t297;
    let t329 = t295 * t296 + t328;
    let t330 = t329 - s.wz * t293;
    let t331 = s.wz * t292;
    let t332 = t293 * t297 + t331;
    let t333 = t332 - t294 * t296;
    let t334 = shared_values[3] * t324;
    let t335 = shared_values[3] * t327;
    let t336 = shared_values[3] * t330;
    let t337 = shared_values[3] * t333;
    let t338 = shared_values[9] * t288 + t242;
    let t339 = shared_values[9] * t289 + t243;
    let t340 = shared_values[9] * t290 + t244;
    let t341 = shared_values[9] * t291 + t245;
    let t342 = shared_values[9] * t274 + t228;
    let t343 = shared_values[9] * t275 + t229;
    let t344 = shared_values[9] * t334 + t338;
    let t345 = shared_values[9] * t335 + t339;
    let t346 = shared_values[9] * t336 + t340;
    let t347 = shared_values[9] * t337 + t341;
    let t348 = shared_values[9] * t320 + t342;
    let t349 = shared_values[9] * t321 + t343;
    let t350 = t202 - t334;
    let t351 = t203 + t335;
    let t352 = t204 + t336;
    let t353 = t205 + t337;
    let t354 = t194 + t320;
    let t355 = t195 + t321;
    let t356 = t350 * t350;
    let t357 = t351 * t351 + t356;
    let t358 = t352 * t352 + t357;
    let t359 = t353 * t353 + t358;
    let t360 = sqrt(t359);
    let t361 = shared_values[1] / t360;
    let t362 = t350 * t361;
    let t363 = t351 * t361;
    let t364 = t352 * t361;
    let t365 = t353 * t361;
    let t366 = s.wz * t355;
    let t367 = s.wz * t354;
    let t368 = shared_values[8] * t366 + t348;
    let t369 = shared_values[12] * t367 + t349;
    let t370 = shared_values[2] * t364;
    let t371 = shared_values[2] * t363;
    let t372 = shared_values[9] * t370;
    let t373 = shared_values[9] * t371;
    let t374 = t365 * t373;
    let t375 = t365 * t372;
    let t376 = t374 - t362 * t372;
    let t377 = t362 * t373 + t375;
    let t378 = t368 - shared_values[13] * t377;
    let t379 = shared_values[13] * t376 + t369;
    let t380 = t351 * t354;
    let t381 = t352 * t355 + t380;
    let t382 = s.wz * t353 + t381;
    let t383 = t350 * t354;
    let t384 = s.wz * t352 + t383;
    let t385 = t384 - t353 * t355;
    let t386 = t350 * t355;
    let t387 = t353 * t354 + t386;
    let t388 = t387 - s.wz * t351;
    let t389 = s.wz * t350;
    let t390 = t351 * t355 + t389;
    let t391 = t390 - t352 * t354;
    let t392 = shared_values[3] * t382 + t344;
    let t393 = shared_values[3] * t385 + t345;
    let t394 = shared_values[3] * t388 + t346;
    let t395 = shared_values[3] * t391 + t347;
    let t396 = t202 - shared_values[11] * t392;
    let t397 = shared_values[11] * t393 + t203;
    let t398 = shared_values[11] * t394 + t204;
    let t399 = shared_values[11] * t395 + t205;
    let t400 = shared_values[11] * t378 + t194;
    let t401 = shared_values[11] * t379 + t195;
    let t402 = t396 * t396;
    let t403 = t397 * t397 + t402;
    let t404 = t398 * t398 + t403;
    let t405 = t399 * t399 + t404;
    let t406 = sqrt(t405);
    let t407 = shared_values[1] / t406;
    let t408 = t396 * t407;
    let t409 = t397 * t407;
    let t410 = t398 * t407;
    let t411 = t399 * t407;
    var next = s;
    next.half_q0 = t408;
    next.half_q1 = t409;
    next.half_q2 = t410;
    next.half_q3 = t411;
    next.half_wx = t400;
    next.half_wy = t401;
    next.half_wz = s.wz;
    return next;
}

// What the method carries after it was resynchronised: as at the start, but for what follows.
fn resynchronised(instance: u32, s: State) -> State {
    var next = begin(instance, s);
    return next;
}

// A value, and how large it may be; 0: however large.
struct Judged {
    value: real,
    allowed: real,
}

fn energy_change(instance: u32, s: State) -> Judged {
    let t0 = s.wx * shared_values[5];
    let t1 = s.wy * shared_values[5];
    let t2 = s.wx * t0;
    let t3 = s.wy * t1 + t2;
    let t4 = s.wz * s.wz + t3;
    let t5 = shared_values[0] * t4;
    let t6 = t5 - parameters[0u * run.stride + instance];
    let t7 = s.q2 * shared_values[9];
    let t8 = s.q1 * shared_values[9];
    let t9 = shared_values[1] - s.q2 * t7;
    let t10 = t9 - s.q1 * t8;
    let t11 = shared_values[2] * t10;
    let t12 = t6 - t11;
    let t13 = parameters[1u * run.stride + instance] * shared_values[14];
    return Judged(t12, t13);
}

fn is_passed(judged: Judged) -> bool {
    return judged.allowed > real(0.0) && abs(judged.value) > judged.allowed;
}

// The verdict of the first bound that is passed, else FINISHED.
fn passed(instance: u32, s: State) -> u32 {
    if is_passed(energy_change(instance, s)) {
        return 2u; // energy_bound
    }
    return FINISHED;
}

// The ensemble kernel: one invocation takes one instance from step `run.first` to step `run.end`, its state in
// registers, and stores it back. Before this text stands shaders/prelude.wgsl, then what is specific to a mechanism and a
// method, which is generated: `real`, `State`, `Prepared`, `prepare`, `step`, `begin`, `resynchronised`, `load_state`, `store_state`,
// `flushed`, `is_finite_state`, `norm_error`, `passed`, and the constants of the verdict bounds.
//
// State and parameters are planes (structure of arrays, instance fastest): `plane * run.stride + instance`.

struct Run {
    // Steps first .. end are taken.
    first: u32,
    end: u32,
    // Instances, and the distance between planes.
    count: u32,
    stride: u32,
    // Steps between resynchronisations; 0: never.
    resynchronise: u32,
    // Steps between checks of the verdict bounds.
    check: u32,
}

@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read_write> state: array<real>;
@group(0) @binding(2) var<storage, read> parameters: array<real>;
// What all instances share: constants of the mechanism and the method, then the factors of the timed loads.
@group(0) @binding(3) var<storage, read> shared_values: array<real>;
// Verdict and step at which it was passed.
@group(0) @binding(4) var<storage, read_write> ends: array<vec2<u32>>;

// Verdicts, as in src/base/verdict.rs.
const FINISHED = 0u;
const NON_FINITE = 1u;
const NORM_BOUND = 3u;

// The state from which step k starts: what has decayed is zero, and what the method carries may begin anew.
fn restarted(instance: u32, k: u32, s: State) -> State {
    var start = s;
    if k % FLUSH == 0u {
        start = flushed(s);
    }
    if k == 0u {
        return begin(instance, start);
    }
    if run.resynchronise != 0u && k % run.resynchronise == 0u {
        return resynchronised(instance, start);
    }
    return start;
}

// How the instance would end if it ended in state `s`. The worst verdict wins.
fn judge(instance: u32, s: State) -> u32 {
    if !is_finite_state(s) {
        return NON_FINITE;
    }
    if HAS_NORM_BOUND {
        if norm_error(s) > NORM_BOUND_VALUE {
            return NORM_BOUND;
        }
    }
    return passed(instance, s);
}

@compute @workgroup_size(WORKGROUP)
fn advance(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let instance = id.y * (groups.x * WORKGROUP) + id.x;
    if instance >= run.count {
        return;
    }
    if ends[instance].x != FINISHED {
        return;
    }
    let p = prepare(instance);

    // First pass: from check to check. An instance that fails is taken through a second pass, which judges every
    // step after the last good check, to find the step; and through a third, to the step before it. The stored
    // state is the start of all three. So a sound instance pays nothing for the search.
    var last = run.end;
    var good = run.first;
    var careful = false;
    var verdict = FINISHED;
    var failed_at = run.end;
    var s = load_state(instance);
    loop {
        var k = run.first;
        s = load_state(instance);
        var bad = FINISHED;
        while k < last && bad == FINISHED {
            s = restarted(instance, k, s);
            var stop = min(next_multiple(k, run.resynchronise, last), next_multiple(k, run.check, last));
            stop = next_multiple(k, FLUSH, stop);
            if careful {
                stop = k + 1u;
            }
            for (; k < stop; k++) {
                s = step(p, s);
            }
            let at_check = k % run.check == 0u || k == run.end;
            if (verdict == FINISHED && at_check) || (careful && k > good) {
                bad = judge(instance, s);
                if bad == FINISHED && !careful {
                    good = k;
                }
            }
        }
        if careful {
            verdict = bad;
            failed_at = k;
            last = k - 1u;
            careful = false;
        } else if bad != FINISHED {
            verdict = bad;
            careful = true;
        } else {
            break;
        }
    }
    store_state(instance, s);
    ends[instance] = vec2<u32>(verdict, failed_at);
}
