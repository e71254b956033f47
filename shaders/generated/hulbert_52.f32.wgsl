// Single precision.
alias real = f32;

// By bits: drivers fold comparisons of x with itself, and products with zero.
fn is_finite_real(x: real) -> bool {
    return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u;
}

const TINY: real = 1.2621775e-29f;
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
const NORM_BOUND_VALUE: real = 0.0f;

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

// What the method carries, at the start. (620 operations.)
fn begin(instance: u32, s: State) -> State {
    let t0 = s.wy * s.wz;
    let t1 = s.wx * s.wz;
    let t2 = shared_values[8] * t0;
    let t3 = shared_values[12] * t1;
    let t4 = s.q2 * shared_values[2];
    let t5 = s.q1 * shared_values[2];
    let t6 = shared_values[9] * t4;
    let t7 = shared_values[9] * t5;
    let t8 = s.q3 * t7;
    let t9 = s.q3 * t6;
    let t10 = t8 - s.q0 * t6;
    let t11 = s.q0 * t7 + t9;
    let t12 = t2 - shared_values[13] * t11;
    let t13 = shared_values[13] * t10 + t3;
    let t14 = s.q1 * s.wx;
    let t15 = s.q2 * s.wy + t14;
    let t16 = s.q3 * s.wz + t15;
    let t17 = s.q0 * s.wx;
    let t18 = s.q2 * s.wz + t17;
    let t19 = t18 - s.q3 * s.wy;
    let t20 = s.q0 * s.wy;
    let t21 = s.q3 * s.wx + t20;
    let t22 = t21 - s.q1 * s.wz;
    let t23 = s.q0 * s.wz;
    let t24 = s.q1 * s.wy + t23;
    let t25 = t24 - s.q2 * s.wx;
    let t26 = shared_values[3] * t16;
    let t27 = shared_values[3] * t19;
    let t28 = shared_values[3] * t22;
    let t29 = shared_values[3] * t25;
    let t30 = s.q0 - shared_values[0] * t26;
    let t31 = shared_values[0] * t27 + s.q1;
    let t32 = shared_values[0] * t28 + s.q2;
    let t33 = shared_values[0] * t29 + s.q3;
    let t34 = shared_values[0] * t12 + s.wx;
    let t35 = shared_values[0] * t13 + s.wy;
    let t36 = t30 * t30;
    let t37 = t31 * t31 + t36;
    let t38 = t32 * t32 + t37;
    let t39 = t33 * t33 + t38;
    let t40 = t39 + shared_values[14];
    let t41 = t39 * t40 + shared_values[5];
    let t42 = shared_values[5] * t39 + shared_values[14];
    let t43 = t39 * t42 + shared_values[1];
    let t44 = t41 / t43;
    let t45 = t30 * t44;
    let t46 = t31 * t44;
    let t47 = t32 * t44;
    let t48 = t33 * t44;
    let t49 = s.wz * t35;
    let t50 = s.wz * t34;
    let t51 = shared_values[8] * t49;
    let t52 = shared_values[12] * t50;
    let t53 = shared_values[2] * t47;
    let t54 = shared_values[2] * t46;
    let t55 = shared_values[9] * t53;
    let t56 = shared_values[9] * t54;
    let t57 = t48 * t56;
    let t58 = t48 * t55;
    let t59 = t57 - t45 * t55;
    let t60 = t45 * t56 + t58;
    let t61 = t51 - shared_values[13] * t60;
    let t62 = shared_values[13] * t59 + t52;
    let t63 = t31 * t34;
    let t64 = t32 * t35 + t63;
    let t65 = s.wz * t33 + t64;
    let t66 = t30 * t34;
    let t67 = s.wz * t32 + t66;
    let t68 = t67 - t33 * t35;
    let t69 = t30 * t35;
    let t70 = t33 * t34 + t69;
    let t71 = t70 - s.wz * t31;
    let t72 = s.wz * t30;
    let t73 = t31 * t35 + t72;
    let t74 = t73 - t32 * t34;
    let t75 = shared_values[3] * t65;
    let t76 = shared_values[3] * t68;
    let t77 = shared_values[3] * t71;
    let t78 = shared_values[3] * t74;
    let t79 = s.q0 - shared_values[0] * t75;
    let t80 = shared_values[0] * t76 + s.q1;
    let t81 = shared_values[0] * t77 + s.q2;
    let t82 = shared_values[0] * t78 + s.q3;
    let t83 = shared_values[0] * t61 + s.wx;
    let t84 = shared_values[0] * t62 + s.wy;
    let t85 = t79 * t79;
    let t86 = t80 * t80 + t85;
    let t87 = t81 * t81 + t86;
    let t88 = t82 * t82 + t87;
    let t89 = shared_values[14] + t88;
    let t90 = t88 * t89 + shared_values[5];
    let t91 = shared_values[5] * t88 + shared_values[14];
    let t92 = t88 * t91 + shared_values[1];
    let t93 = t90 / t92;
    let t94 = t79 * t93;
    let t95 = t80 * t93;
    let t96 = t81 * t93;
    let t97 = t82 * t93;
    let t98 = s.wz * t84;
    let t99 = s.wz * t83;
    let t100 = shared_values[8] * t98;
    let t101 = shared_values[12] * t99;
    let t102 = shared_values[2] * t96;
    let t103 = shared_values[2] * t95;
    let t104 = shared_values[9] * t102;
    let t105 = shared_values[9] * t103;
    let t106 = t97 * t105;
    let t107 = t97 * t104;
    let t108 = t106 - t94 * t104;
    let t109 = t94 * t105 + t107;
    let t110 = t100 - shared_values[13] * t109;
    let t111 = shared_values[13] * t108 + t101;
    let t112 = t80 * t83;
    let t113 = t81 * t84 + t112;
    let t114 = s.wz * t82 + t113;
    let t115 = t79 * t83;
    let t116 = s.wz * t81 + t115;
    let t117 = t116 - t82 * t84;
    let t118 = t79 * t84;
    let t119 = t82 * t83 + t118;
    let t120 = t119 - s.wz * t80;
    let t121 = s.wz * t79;
    let t122 = t80 * t84 + t121;
    let t123 = t122 - t81 * t83;
    let t124 = shared_values[3] * t114;
    let t125 = shared_values[3] * t117;
    let t126 = shared_values[3] * t120;
    let t127 = shared_values[3] * t123;
    let t128 = shared_values[9] * t75 + t26;
    let t129 = shared_values[9] * t76 + t27;
    let t130 = shared_values[9] * t77 + t28;
    let t131 = shared_values[9] * t78 + t29;
    let t132 = shared_values[9] * t61 + t12;
    let t133 = shared_values[9] * t62 + t13;
    let t134 = shared_values[9] * t124 + t128;
    let t135 = shared_values[9] * t125 + t129;
    let t136 = shared_values[9] * t126 + t130;
    let t137 = shared_values[9] * t127 + t131;
    let t138 = shared_values[9] * t110 + t132;
    let t139 = shared_values[9] * t111 + t133;
    let t140 = s.q0 - t124;
    let t141 = s.q1 + t125;
    let t142 = s.q2 + t126;
    let t143 = s.q3 + t127;
    let t144 = s.wx + t110;
    let t145 = s.wy + t111;
    let t146 = t140 * t140;
    let t147 = t141 * t141 + t146;
    let t148 = t142 * t142 + t147;
    let t149 = t143 * t143 + t148;
    let t150 = shared_values[14] + t149;
    let t151 = t149 * t150 + shared_values[5];
    let t152 = shared_values[5] * t149 + shared_values[14];
    let t153 = t149 * t152 + shared_values[1];
    let t154 = t151 / t153;
    let t155 = t140 * t154;
    let t156 = t141 * t154;
    let t157 = t142 * t154;
    let t158 = t143 * t154;
    let t159 = s.wz * t145;
    let t160 = s.wz * t144;
    let t161 = shared_values[8] * t159 + t138;
    let t162 = shared_values[12] * t160 + t139;
    let t163 = shared_values[2] * t157;
    let t164 = shared_values[2] * t156;
    let t165 = shared_values[9] * t163;
    let t166 = shared_values[9] * t164;
    let t167 = t158 * t166;
    let t168 = t158 * t165;
    let t169 = t167 - t155 * t165;
    let t170 = t155 * t166 + t168;
    let t171 = t161 - shared_values[13] * t170;
    let t172 = shared_values[13] * t169 + t162;
    let t173 = t141 * t144;
    let t174 = t142 * t145 + t173;
    let t175 = s.wz * t143 + t174;
    let t176 = t140 * t144;
    let t177 = s.wz * t142 + t176;
    let t178 = t177 - t143 * t145;
    let t179 = t140 * t145;
    let t180 = t143 * t144 + t179;
    let t181 = t180 - s.wz * t141;
    let t182 = s.wz * t140;
    let t183 = t141 * t145 + t182;
    let t184 = t183 - t142 * t144;
    let t185 = shared_values[3] * t175 + t134;
    let t186 = shared_values[3] * t178 + t135;
    let t187 = shared_values[3] * t181 + t136;
    let t188 = shared_values[3] * t184 + t137;
    let t189 = s.q0 - shared_values[11] * t185;
    let t190 = shared_values[11] * t186 + s.q1;
    let t191 = shared_values[11] * t187 + s.q2;
    let t192 = shared_values[11] * t188 + s.q3;
    let t193 = shared_values[11] * t171 + s.wx;
    let t194 = shared_values[11] * t172 + s.wy;
    let t195 = t189 * t189;
    let t196 = t190 * t190 + t195;
    let t197 = t191 * t191 + t196;
    let t198 = t192 * t192 + t197;
    let t199 = sqrt(t198);
    let t200 = shared_values[1] / t199;
    let t201 = t189 * t200;
    let t202 = t190 * t200;
    let t203 = t191 * t200;
    let t204 = t192 * t200;
    let t205 = s.wz * t194;
    let t206 = s.wz * t193;
    let t207 = shared_values[8] * t205;
    let t208 = shared_values[12] * t206;
    let t209 = shared_values[2] * t203;
    let t210 = shared_values[2] * t202;
    let t211 = shared_values[9] * t209;
    let t212 = shared_values[9] * t210;
    let t213 = t204 * t212;
    let t214 = t204 * t211;
    let t215 = t213 - t201 * t211;
    let t216 = t201 * t212 + t214;
    let t217 = t207 - shared_values[13] * t216;
    let t218 = shared_values[13] * t215 + t208;
    let t219 = t193 * t202;
    let t220 = t194 * t203 + t219;
    let t221 = s.wz * t204 + t220;
    let t222 = t193 * t201;
    let t223 = s.wz * t203 + t222;
    let t224 = t223 - t194 * t204;
    let t225 = t194 * t201;
    let t226 = t193 * t204 + t225;
    let t227 = t226 - s.wz * t202;
    let t228 = s.wz * t201;
    let t229 = t194 * t202 + t228;
    let t230 = t229 - t193 * t203;
    let t231 = shared_values[3] * t221;
    let t232 = shared_values[3] * t224;
    let t233 = shared_values[3] * t227;
    let t234 = shared_values[3] * t230;
    let t235 = t201 - shared_values[0] * t231;
    let t236 = shared_values[0] * t232 + t202;
    let t237 = shared_values[0] * t233 + t203;
    let t238 = shared_values[0] * t234 + t204;
    let t239 = shared_values[0] * t217 + t193;
    let t240 = shared_values[0] * t218 + t194;
    let t241 = t235 * t235;
    let t242 = t236 * t236 + t241;
    let t243 = t237 * t237 + t242;
    let t244 = t238 * t238 + t243;
    let t245 = shared_values[14] + t244;
    let t246 = t244 * t245 + shared_values[5];
    let t247 = shared_values[5] * t244 + shared_values[14];
    let t248 = t244 * t247 + shared_values[1];
    let t249 = t246 / t248;
    let t250 = t235 * t249;
    let t251 = t236 * t249;
    let t252 = t237 * t249;
    let t253 = t238 * t249;
    let t254 = s.wz * t240;
    let t255 = s.wz * t239;
    let t256 = shared_values[8] * t254;
    let t257 = shared_values[12] * t255;
    let t258 = shared_values[2] * t252;
    let t259 = shared_values[2] * t251;
    let t260 = shared_values[9] * t258;
    let t261 = shared_values[9] * t259;
    let t262 = t253 * t261;
    let t263 = t253 * t260;
    let t264 = t262 - t250 * t260;
    let t265 = t250 * t261 + t263;
    let t266 = t256 - shared_values[13] * t265;
    let t267 = shared_values[13] * t264 + t257;
    let t268 = t236 * t239;
    let t269 = t237 * t240 + t268;
    let t270 = s.wz * t238 + t269;
    let t271 = t235 * t239;
    let t272 = s.wz * t237 + t271;
    let t273 = t272 - t238 * t240;
    let t274 = t235 * t240;
    let t275 = t238 * t239 + t274;
    let t276 = t275 - s.wz * t236;
    let t277 = s.wz * t235;
    let t278 = t236 * t240 + t277;
    let t279 = t278 - t237 * t239;
    let t280 = shared_values[3] * t270;
    let t281 = shared_values[3] * t273;
    let t282 = shared_values[3] * t276;
    let t283 = shared_values[3] * t279;
    let t284 = t201 - shared_values[0] * t280;
    let t285 = shared_values[0] * t281 + t202;
    let t286 = shared_values[0] * t282 + t203;
    let t287 = shared_values[0] * t283 + t204;
    let t288 = shared_values[0] * t266 + t193;
    let t289 = shared_values[0] * t267 + t194;
    let t290 = t284 * t284;
    let t291 = t285 * t285 + t290;
    let t292 = t286 * t286 + t291;
    let t293 = t287 * t287 + t292;
    let t294 = shared_values[14] + t293;
    let t295 = t293 * t294 + shared_values[5];
    let t296 = shared_values[5] * t293 + shared_values[14];
    let t297 = t293 * t296 + shared_values[1];
    let t298 = t295 / t297;
    let t299 = t284 * t298;
    let t300 = t285 * t298;
    let t301 = t286 * t298;
    let t302 = t287 * t298;
    let t303 = s.wz * t289;
    let t304 = s.wz * t288;
    let t305 = shared_values[8] * t303;
    let t306 = shared_values[12] * t304;
    let t307 = shared_values[2] * t301;
    let t308 = shared_values[2] * t300;
    let t309 = shared_values[9] * t307;
    let t310 = shared_values[9] * t308;
    let t311 = t302 * t310;
    let t312 = t302 * t309;
    let t313 = t311 - t299 * t309;
    let t314 = t299 * t310 + t312;
    let t315 = t305 - shared_values[13] * t314;
    let t316 = shared_values[13] * t313 + t306;
    let t317 = t285 * t288;
    let t318 = t286 * t289 + t317;
    let t319 = s.wz * t287 + t318;
    let t320 = t284 * t288;
    let t321 = s.wz * t286 + t320;
    let t322 = t321 - t287 * t289;
    let t323 = t284 * t289;
    let t324 = t287 * t288 + t323;
    let t325 = t324 - s.wz * t285;
    let t326 = s.wz * t284;
    let t327 = t285 * t289 + t326;
    let t328 = t327 - t286 * t288;
    let t329 = shared_values[3] * t319;
    let t330 = shared_values[3] * t322;
    let t331 = shared_values[3] * t325;
    let t332 = shared_values[3] * t328;
    let t333 = shared_values[9] * t280 + t231;
    let t334 = shared_values[9] * t281 + t232;
    let t335 = shared_values[9] * t282 + t233;
    let t336 = shared_values[9] * t283 + t234;
    let t337 = shared_values[9] * t266 + t217;
    let t338 = shared_values[9] * t267 + t218;
    let t339 = shared_values[9] * t329 + t333;
    let t340 = shared_values[9] * t330 + t334;
    let t341 = shared_values[9] * t331 + t335;
    let t342 = shared_values[9] * t332 + t336;
    let t343 = shared_values[9] * t315 + t337;
    let t344 = shared_values[9] * t316 + t338;
    let t345 = t201 - t329;
    let t346 = t202 + t330;
    let t347 = t203 + t331;
    let t348 = t204 + t332;
    let t349 = t193 + t315;
    let t350 = t194 + t316;
    let t351 = t345 * t345;
    let t352 = t346 * t346 + t351;
    let t353 = t347 * t347 + t352;
    let t354 = t348 * t348 + t353;
    let t355 = shared_values[14] + t354;
    let t356 = t354 * t355 + shared_values[5];
    let t357 = shared_values[5] * t354 + shared_values[14];
    let t358 = t354 * t357 + shared_values[1];
    let t359 = t356 / t358;
    let t360 = t345 * t359;
    let t361 = t346 * t359;
    let t362 = t347 * t359;
    let t363 = t348 * t359;
    let t364 = s.wz * t350;
    let t365 = s.wz * t349;
    let t366 = shared_values[8] * t364 + t343;
    let t367 = shared_values[12] * t365 + t344;
    let t368 = shared_values[2] * t362;
    let t369 = shared_values[2] * t361;
    let t370 = shared_values[9] * t368;
    let t371 = shared_values[9] * t369;
    let t372 = t363 * t371;
    let t373 = t363 * t370;
    let t374 = t372 - t360 * t370;
    let t375 = t360 * t371 + t373;
    let t376 = t366 - shared_values[13] * t375;
    let t377 = shared_values[13] * t374 + t367;
    let t378 = t346 * t349;
    let t379 = t347 * t350 + t378;
    let t380 = s.wz * t348 + t379;
    let t381 = t345 * t349;
    let t382 = s.wz * t347 + t381;
    let t383 = t382 - t348 * t350;
    let t384 = t345 * t350;
    let t385 = t348 * t349 + t384;
    let t386 = t385 - s.wz * t346;
    let t387 = s.wz * t345;
    let t388 = t346 * t350 + t387;
    let t389 = t388 - t347 * t349;
    let t390 = shared_values[3] * t380 + t339;
    let t391 = shared_values[3] * t383 + t340;
    let t392 = shared_values[3] * t386 + t341;
    let t393 = shared_values[3] * t389 + t342;
    let t394 = t201 - shared_values[11] * t390;
    let t395 = shared_values[11] * t391 + t202;
    let t396 = shared_values[11] * t392 + t203;
    let t397 = shared_values[11] * t393 + t204;
    let t398 = shared_values[11] * t376 + t193;
    let t399 = shared_values[11] * t377 + t194;
    let t400 = t394 * t394;
    let t401 = t395 * t395 + t400;
    let t402 = t396 * t396 + t401;
    let t403 = t397 * t397 + t402;
    let t404 = sqrt(t403);
    let t405 = shared_values[1] / t404;
    let t406 = t394 * t405;
    let t407 = t395 * t405;
    let t408 = t396 * t405;
    let t409 = t397 * t405;
    var next = s;
    next.half_q0 = t406;
    next.half_q1 = t407;
    next.half_q2 = t408;
    next.half_q3 = t409;
    next.half_wx = t398;
    next.half_wy = t399;
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
    let t13 = parameters[1u * run.stride + instance] * shared_values[15];
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
    // Instances start .. count are advanced; the distance between planes.
    count: u32,
    stride: u32,
    // Steps between resynchronisations; 0: never.
    resynchronise: u32,
    // Steps between checks of the verdict bounds.
    check: u32,
    start: u32,
    // Of the step that is taken, where own steps end inside it; else 1.
    pieces: u32,
    // Steps between instants at which the method begins anew, because laws may jump there; 0: never.
    begin: u32,
}

@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read_write> state: array<real>;
@group(0) @binding(2) var<storage, read> parameters: array<real>;
// What all instances share: constants of the mechanism and the method, then the factors of the timed loads, piece by piece.
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
    if k != 0u && run.resynchronise != 0u && k % run.resynchronise == 0u {
        start = resynchronised(instance, start);
    }
    if k == 0u || (run.begin != 0u && k % run.begin == 0u) {
        start = begin(instance, start);
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
    let instance = run.start + id.y * (groups.x * WORKGROUP) + id.x;
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
            stop = next_multiple(k, run.begin, next_multiple(k, FLUSH, stop));
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
