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
    wx: real,
    amplitude_0: real,
    amplitude_1: real,
    amplitude_rate_0: real,
    amplitude_rate_1: real,
    half_wx: real,
    half_amplitude_0: real,
    half_amplitude_1: real,
    half_amplitude_rate_0: real,
    half_amplitude_rate_1: real,
}

fn load_state(instance: u32) -> State {
    var s: State;
    s.q0 = state[0u * run.stride + instance];
    s.q1 = state[1u * run.stride + instance];
    s.wx = state[2u * run.stride + instance];
    s.amplitude_0 = state[3u * run.stride + instance];
    s.amplitude_1 = state[4u * run.stride + instance];
    s.amplitude_rate_0 = state[5u * run.stride + instance];
    s.amplitude_rate_1 = state[6u * run.stride + instance];
    s.half_wx = state[7u * run.stride + instance];
    s.half_amplitude_0 = state[8u * run.stride + instance];
    s.half_amplitude_1 = state[9u * run.stride + instance];
    s.half_amplitude_rate_0 = state[10u * run.stride + instance];
    s.half_amplitude_rate_1 = state[11u * run.stride + instance];
    return s;
}

fn store_state(instance: u32, s: State) {
    state[0u * run.stride + instance] = s.q0;
    state[1u * run.stride + instance] = s.q1;
    state[2u * run.stride + instance] = s.wx;
    state[3u * run.stride + instance] = s.amplitude_0;
    state[4u * run.stride + instance] = s.amplitude_1;
    state[5u * run.stride + instance] = s.amplitude_rate_0;
    state[6u * run.stride + instance] = s.amplitude_rate_1;
    state[7u * run.stride + instance] = s.half_wx;
    state[8u * run.stride + instance] = s.half_amplitude_0;
    state[9u * run.stride + instance] = s.half_amplitude_1;
    state[10u * run.stride + instance] = s.half_amplitude_rate_0;
    state[11u * run.stride + instance] = s.half_amplitude_rate_1;
}

fn flushed(s: State) -> State {
    var next: State;
    next.q0 = flushed_real(s.q0);
    next.q1 = flushed_real(s.q1);
    next.wx = flushed_real(s.wx);
    next.amplitude_0 = flushed_real(s.amplitude_0);
    next.amplitude_1 = flushed_real(s.amplitude_1);
    next.amplitude_rate_0 = flushed_real(s.amplitude_rate_0);
    next.amplitude_rate_1 = flushed_real(s.amplitude_rate_1);
    next.half_wx = flushed_real(s.half_wx);
    next.half_amplitude_0 = flushed_real(s.half_amplitude_0);
    next.half_amplitude_1 = flushed_real(s.half_amplitude_1);
    next.half_amplitude_rate_0 = flushed_real(s.half_amplitude_rate_0);
    next.half_amplitude_rate_1 = flushed_real(s.half_amplitude_rate_1);
    return next;
}

fn is_finite_state(s: State) -> bool {
    return is_finite_real(s.q0)
        && is_finite_real(s.q1)
        && is_finite_real(s.wx)
        && is_finite_real(s.amplitude_0)
        && is_finite_real(s.amplitude_1)
        && is_finite_real(s.amplitude_rate_0)
        && is_finite_real(s.amplitude_rate_1);
}

const WORKGROUP = 64u;
const HAS_NORM_BOUND = false;
const NORM_BOUND_VALUE: real = 0.0lf;

fn norm_error(s: State) -> real {
    var largest = real(0.0);
    largest = max(largest, abs(sqrt(real(0.0) * real(0.0) + (real(0.0) * real(0.0) + (s.q1 * s.q1 + s.q0 * s.q0))) - real(1.0)));
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
    c9: real,
    c10: real,
    c11: real,
    c12: real,
}

fn prepare(instance: u32) -> Prepared {
    var p: Prepared;
    p.c0 = shared_values[0];
    p.c1 = shared_values[1];
    p.c2 = shared_values[2];
    p.c3 = shared_values[3];
    p.c4 = shared_values[4];
    p.c5 = shared_values[5];
    p.c6 = shared_values[6];
    p.c7 = shared_values[7];
    p.c8 = shared_values[8];
    p.c9 = shared_values[9];
    p.c10 = shared_values[10];
    p.c11 = shared_values[11];
    p.c12 = shared_values[12];
    return p;
}

// One full step: 133 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.half_amplitude_0 * p.c5;
    let t1 = s.half_amplitude_1 * p.c8;
    let t2 = s.half_amplitude_0 * t0 + p.c4;
    let t3 = s.half_amplitude_1 * p.c6;
    let t4 = s.half_amplitude_1 * t3 + t2;
    let t5 = s.half_amplitude_0 * p.c9;
    let t6 = s.half_amplitude_1 * p.c10;
    let t7 = s.half_amplitude_rate_1 * p.c8;
    let t8 = s.half_wx * t7;
    let t9 = p.c11 * t8 + t5;
    let t10 = s.half_amplitude_rate_0 * p.c7;
    let t11 = s.half_wx * t10;
    let t12 = p.c11 * t11 + t6;
    let t13 = s.half_wx * p.c5;
    let t14 = s.half_wx * t13;
    let t15 = s.half_amplitude_0 * t14 - t9;
    let t16 = s.half_wx * p.c6;
    let t17 = s.half_wx * t16;
    let t18 = s.half_amplitude_1 * t17 - t12;
    let t19 = s.half_amplitude_rate_0 * p.c11;
    let t20 = s.half_wx * t0;
    let t21 = t19 * t20;
    let t22 = s.half_amplitude_rate_1 * p.c11;
    let t23 = s.half_wx * t3;
    let t24 = t22 * t23 + t21;
    let t25 = s.half_amplitude_0 * p.c7;
    let t26 = t4 - t1 * t1;
    let t27 = t26 - t25 * t25;
    let t28 = t1 * t15 + t24;
    let t29 = t18 * t25 + t28;
    let t30 = p.c2 / t27;
    let t31 = t29 * t30;
    let t32 = t1 * t31 + t15;
    let t33 = t25 * t31 + t18;
    let t34 = s.wx - p.c0 * t31;
    let t35 = p.c0 * t32 + s.amplitude_rate_0;
    let t36 = p.c0 * t33 + s.amplitude_rate_1;
    let t37 = s.half_wx * p.c3;
    let t38 = t37 * t37 + p.c2;
    let t39 = p.c11 / t38;
    let t40 = s.q0 - s.q1 * t37;
    let t41 = s.q0 * t37 + s.q1;
    let t42 = t39 * t40 - s.q0;
    let t43 = t39 * t41 - s.q1;
    let t44 = t42 * t42;
    let t45 = t43 * t43 + t44;
    let t46 = p.c12 - p.c1 * t45;
    let t47 = t42 * t46;
    let t48 = t43 * t46;
    let t49 = s.half_amplitude_rate_0 * p.c0 + s.amplitude_0;
    let t50 = s.half_amplitude_rate_1 * p.c0 + s.amplitude_1;
    let t51 = p.c5 * t49;
    let t52 = p.c8 * t50;
    let t53 = t49 * t51 + p.c4;
    let t54 = p.c6 * t50;
    let t55 = t50 * t54 + t53;
    let t56 = p.c9 * t49;
    let t57 = p.c10 * t50;
    let t58 = p.c8 * t36;
    let t59 = t34 * t58;
    let t60 = p.c11 * t59 + t56;
    let t61 = p.c7 * t35;
    let t62 = t34 * t61;
    let t63 = p.c11 * t62 + t57;
    let t64 = p.c5 * t34;
    let t65 = t34 * t64;
    let t66 = t49 * t65 - t60;
    let t67 = p.c6 * t34;
    let t68 = t34 * t67;
    let t69 = t50 * t68 - t63;
    let t70 = p.c11 * t35;
    let t71 = t34 * t51;
    let t72 = t70 * t71;
    let t73 = p.c11 * t36;
    let t74 = t34 * t54;
    let t75 = t73 * t74 + t72;
    let t76 = p.c7 * t49;
    let t77 = t55 - t52 * t52;
    let t78 = t77 - t76 * t76;
    let t79 = t52 * t66 + t75;
    let t80 = t69 * t76 + t79;
    let t81 = p.c2 / t78;
    let t82 = t80 * t81;
    let t83 = t52 * t82 + t66;
    let t84 = t76 * t82 + t69;
    let t85 = s.half_wx - p.c0 * t82;
    let t86 = p.c0 * t83 + s.half_amplitude_rate_0;
    let t87 = p.c0 * t84 + s.half_amplitude_rate_1;
    let t88 = p.c0 * t35 + s.half_amplitude_0;
    let t89 = p.c0 * t36 + s.half_amplitude_1;
    var next: State;
    next.q0 = t47;
    next.q1 = t48;
    next.wx = t34;
    next.amplitude_0 = t49;
    next.amplitude_1 = t50;
    next.amplitude_rate_0 = t35;
    next.amplitude_rate_1 = t36;
    next.half_wx = t85;
    next.half_amplitude_0 = t88;
    next.half_amplitude_1 = t89;
    next.half_amplitude_rate_0 = t86;
    next.half_amplitude_rate_1 = t87;
    return next;
}

// What the method carries, at the start. (536 operations.)
fn begin(instance: u32, s: State) -> State {
    let t0 = s.amplitude_0 * shared_values[5];
    let t1 = s.amplitude_1 * shared_values[8];
    let t2 = s.amplitude_0 * t0 + shared_values[4];
    let t3 = s.amplitude_1 * shared_values[6];
    let t4 = s.amplitude_1 * t3 + t2;
    let t5 = s.amplitude_0 * shared_values[9];
    let t6 = s.amplitude_1 * shared_values[10];
    let t7 = s.amplitude_rate_1 * shared_values[8];
    let t8 = s.wx * t7;
    let t9 = shared_values[11] * t8 + t5;
    let t10 = s.amplitude_rate_0 * shared_values[7];
    let t11 = s.wx * t10;
    let t12 = shared_values[11] * t11 + t6;
    let t13 = s.wx * shared_values[5];
    let t14 = s.wx * t13;
    let t15 = s.amplitude_0 * t14 - t9;
    let t16 = s.wx * shared_values[6];
    let t17 = s.wx * t16;
    let t18 = s.amplitude_1 * t17 - t12;
    let t19 = s.amplitude_rate_0 * shared_values[11];
    let t20 = s.wx * t0;
    let t21 = t19 * t20;
    let t22 = s.amplitude_rate_1 * shared_values[11];
    let t23 = s.wx * t3;
    let t24 = t22 * t23 + t21;
    let t25 = s.amplitude_0 * shared_values[7];
    let t26 = t4 - t1 * t1;
    let t27 = t26 - t25 * t25;
    let t28 = t1 * t15 + t24;
    let t29 = t18 * t25 + t28;
    let t30 = shared_values[2] / t27;
    let t31 = t29 * t30;
    let t32 = t1 * t31 + t15;
    let t33 = t25 * t31 + t18;
    let t34 = shared_values[3] * t31;
    let t35 = shared_values[3] * t32;
    let t36 = shared_values[3] * t33;
    let t37 = s.amplitude_rate_0 * shared_values[3];
    let t38 = s.amplitude_rate_1 * shared_values[3];
    let t39 = s.wx - shared_values[1] * t34;
    let t40 = shared_values[1] * t37 + s.amplitude_0;
    let t41 = shared_values[1] * t38 + s.amplitude_1;
    let t42 = shared_values[1] * t35 + s.amplitude_rate_0;
    let t43 = shared_values[1] * t36 + s.amplitude_rate_1;
    let t44 = shared_values[5] * t40;
    let t45 = shared_values[8] * t41;
    let t46 = t40 * t44 + shared_values[4];
    let t47 = shared_values[6] * t41;
    let t48 = t41 * t47 + t46;
    let t49 = shared_values[9] * t40;
    let t50 = shared_values[10] * t41;
    let t51 = shared_values[8] * t43;
    let t52 = t39 * t51;
    let t53 = shared_values[11] * t52 + t49;
    let t54 = shared_values[7] * t42;
    let t55 = t39 * t54;
    let t56 = shared_values[11] * t55 + t50;
    let t57 = shared_values[5] * t39;
    let t58 = t39 * t57;
    let t59 = t40 * t58 - t53;
    let t60 = shared_values[6] * t39;
    let t61 = t39 * t60;
    let t62 = t41 * t61 - t56;
    let t63 = shared_values[11] * t42;
    let t64 = t39 * t44;
    let t65 = t63 * t64;
    let t66 = shared_values[11] * t43;
    let t67 = t39 * t47;
    let t68 = t66 * t67 + t65;
    let t69 = shared_values[7] * t40;
    let t70 = t48 - t45 * t45;
    let t71 = t70 - t69 * t69;
    let t72 = t45 * t59 + t68;
    let t73 = t62 * t69 + t72;
    let t74 = shared_values[2] / t71;
    let t75 = t73 * t74;
    let t76 = t45 * t75 + t59;
    let t77 = t69 * t75 + t62;
    let t78 = shared_values[3] * t75;
    let t79 = shared_values[3] * t76;
    let t80 = shared_values[3] * t77;
    let t81 = shared_values[3] * t42;
    let t82 = shared_values[3] * t43;
    let t83 = s.wx - shared_values[1] * t78;
    let t84 = shared_values[1] * t81 + s.amplitude_0;
    let t85 = shared_values[1] * t82 + s.amplitude_1;
    let t86 = shared_values[1] * t79 + s.amplitude_rate_0;
    let t87 = shared_values[1] * t80 + s.amplitude_rate_1;
    let t88 = shared_values[5] * t84;
    let t89 = shared_values[8] * t85;
    let t90 = t84 * t88 + shared_values[4];
    let t91 = shared_values[6] * t85;
    let t92 = t85 * t91 + t90;
    let t93 = shared_values[9] * t84;
    let t94 = shared_values[10] * t85;
    let t95 = shared_values[8] * t87;
    let t96 = t83 * t95;
    let t97 = shared_values[11] * t96 + t93;
    let t98 = shared_values[7] * t86;
    let t99 = t83 * t98;
    let t100 = shared_values[11] * t99 + t94;
    let t101 = shared_values[5] * t83;
    let t102 = t83 * t101;
    let t103 = t84 * t102 - t97;
    let t104 = shared_values[6] * t83;
    let t105 = t83 * t104;
    let t106 = t85 * t105 - t100;
    let t107 = shared_values[11] * t86;
    let t108 = t83 * t88;
    let t109 = t107 * t108;
    let t110 = shared_values[11] * t87;
    let t111 = t83 * t91;
    let t112 = t110 * t111 + t109;
    let t113 = shared_values[7] * t84;
    let t114 = t92 - t89 * t89;
    let t115 = t114 - t113 * t113;
    let t116 = t89 * t103 + t112;
    let t117 = t106 * t113 + t116;
    let t118 = shared_values[2] / t115;
    let t119 = t117 * t118;
    let t120 = t89 * t119 + t103;
    let t121 = t113 * t119 + t106;
    let t122 = shared_values[3] * t119;
    let t123 = shared_values[3] * t120;
    let t124 = shared_values[3] * t121;
    let t125 = shared_values[3] * t86;
    let t126 = shared_values[3] * t87;
    let t127 = shared_values[11] * t78 + t34;
    let t128 = shared_values[11] * t81 + t37;
    let t129 = shared_values[11] * t82 + t38;
    let t130 = shared_values[11] * t79 + t35;
    let t131 = shared_values[11] * t80 + t36;
    let t132 = shared_values[11] * t122 + t127;
    let t133 = shared_values[11] * t125 + t128;
    let t134 = shared_values[11] * t126 + t129;
    let t135 = shared_values[11] * t123 + t130;
    let t136 = shared_values[11] * t124 + t131;
    let t137 = s.wx - t122;
    let t138 = s.amplitude_0 + t125;
    let t139 = s.amplitude_1 + t126;
    let t140 = s.amplitude_rate_0 + t123;
    let t141 = s.amplitude_rate_1 + t124;
    let t142 = shared_values[5] * t138;
    let t143 = shared_values[8] * t139;
    let t144 = t138 * t142 + shared_values[4];
    let t145 = shared_values[6] * t139;
    let t146 = t139 * t145 + t144;
    let t147 = shared_values[9] * t138;
    let t148 = shared_values[10] * t139;
    let t149 = shared_values[8] * t141;
    let t150 = t137 * t149;
    let t151 = shared_values[11] * t150 + t147;
    let t152 = shared_values[7] * t140;
    let t153 = t137 * t152;
    let t154 = shared_values[11] * t153 + t148;
    let t155 = shared_values[5] * t137;
    let t156 = t137 * t155;
    let t157 = t138 * t156 - t151;
    let t158 = shared_values[6] * t137;
    let t159 = t137 * t158;
    let t160 = t139 * t159 - t154;
    let t161 = shared_values[11] * t140;
    let t162 = t137 * t142;
    let t163 = t161 * t162;
    let t164 = shared_values[11] * t141;
    let t165 = t137 * t145;
    let t166 = t164 * t165 + t163;
    let t167 = shared_values[7] * t138;
    let t168 = t146 - t143 * t143;
    let t169 = t168 - t167 * t167;
    let t170 = t143 * t157 + t166;
    let t171 = t160 * t167 + t170;
    let t172 = shared_values[2] / t169;
    let t173 = t171 * t172;
    let t174 = t143 * t173 + t157;
    let t175 = t167 * t173 + t160;
    let t176 = shared_values[3] * t173 + t132;
    let t177 = shared_values[3] * t174 + t135;
    let t178 = shared_values[3] * t175 + t136;
    let t179 = shared_values[3] * t140 + t133;
    let t180 = shared_values[3] * t141 + t134;
    let t181 = s.wx - shared_values[13] * t176;
    let t182 = shared_values[13] * t179 + s.amplitude_0;
    let t183 = shared_values[13] * t180 + s.amplitude_1;
    let t184 = shared_values[13] * t177 + s.amplitude_rate_0;
    let t185 = shared_values[13] * t178 + s.amplitude_rate_1;
    let t186 = shared_values[5] * t182;
    let t187 = shared_values[8] * t183;
    let t188 = t182 * t186 + shared_values[4];
    let t189 = shared_values[6] * t183;
    let t190 = t183 * t189 + t188;
    let t191 = shared_values[9] * t182;
    let t192 = shared_values[10] * t183;
    let t193 = shared_values[8] * t185;
    let t194 = t181 * t193;
    let t195 = shared_values[11] * t194 + t191;
    let t196 = shared_values[7] * t184;
    let t197 = t181 * t196;
    let t198 = shared_values[11] * t197 + t192;
    let t199 = shared_values[5] * t181;
    let t200 = t181 * t199;
    let t201 = t182 * t200 - t195;
    let t202 = shared_values[6] * t181;
    let t203 = t181 * t202;
    let t204 = t183 * t203 - t198;
    let t205 = shared_values[11] * t184;
    let t206 = t181 * t186;
    let t207 = t205 * t206;
    let t208 = shared_values[11] * t185;
    let t209 = t181 * t189;
    let t210 = t208 * t209 + t207;
    let t211 = shared_values[7] * t182;
    let t212 = t190 - t187 * t187;
    let t213 = t212 - t211 * t211;
    let t214 = t187 * t201 + t210;
    let t215 = t204 * t211 + t214;
    let t216 = shared_values[2] / t213;
    let t217 = t215 * t216;
    let t218 = t187 * t217 + t201;
    let t219 = t211 * t217 + t204;
    let t220 = shared_values[3] * t217;
    let t221 = shared_values[3] * t218;
    let t222 = shared_values[3] * t219;
    let t223 = shared_values[3] * t184;
    let t224 = shared_values[3] * t185;
    let t225 = t181 - shared_values[1] * t220;
    let t226 = shared_values[1] * t223 + t182;
    let t227 = shared_values[1] * t224 + t183;
    let t228 = shared_values[1] * t221 + t184;
    let t229 = shared_values[1] * t222 + t185;
    let t230 = shared_values[5] * t226;
    let t231 = shared_values[8] * t227;
    let t232 = t226 * t230 + shared_values[4];
    let t233 = shared_values[6] * t227;
    let t234 = t227 * t233 + t232;
    let t235 = shared_values[9] * t226;
    let t236 = shared_values[10] * t227;
    let t237 = shared_values[8] * t229;
    let t238 = t225 * t237;
    let t239 = shared_values[11] * t238 + t235;
    let t240 = shared_values[7] * t228;
    let t241 = t225 * t240;
    let t242 = shared_values[11] * t241 + t236;
    let t243 = shared_values[5] * t225;
    let t244 = t225 * t243;
    let t245 = t226 * t244 - t239;
    let t246 = shared_values[6] * t225;
    let t247 = t225 * t246;
    let t248 = t227 * t247 - t242;
    let t249 = shared_values[11] * t228;
    let t250 = t225 * t230;
    let t251 = t249 * t250;
    let t252 = shared_values[11] * t229;
    let t253 = t225 * t233;
    let t254 = t252 * t253 + t251;
    let t255 = shared_values[7] * t226;
    let t256 = t234 - t231 * t231;
    let t257 = t256 - t255 * t255;
    let t258 = t231 * t245 + t254;
    let t259 = t248 * t255 + t258;
    let t260 = shared_values[2] / t257;
    let t261 = t259 * t260;
    let t262 = t231 * t261 + t245;
    let t263 = t255 * t261 + t248;
    let t264 = shared_values[3] * t261;
    let t265 = shared_values[3] * t262;
    let t266 = shared_values[3] * t263;
    let t267 = shared_values[3] * t228;
    let t268 = shared_values[3] * t229;
    let t269 = t181 - shared_values[1] * t264;
    let t270 = shared_values[1] * t267 + t182;
    let t271 = shared_values[1] * t268 + t183;
    let t272 = shared_values[1] * t265 + t184;
    let t273 = shared_values[1] * t266 + t185;
    let t274 = shared_values[5] * t270;
    let t275 = shared_values[8] * t271;
    let t276 = t270 * t274 + shared_values[4];
    let t277 = shared_values[6] * t271;
    let t278 = t271 * t277 + t276;
    let t279 = shared_values[9] * t270;
    let t280 = shared_values[10] * t271;
    let t281 = shared_values[8] * t273;
    let t282 = t269 * t281;
    let t283 = shared_values[11] * t282 + t279;
    let t284 = shared_values[7] * t272;
    let t285 = t269 * t284;
    let t286 = shared_values[11] * t285 + t280;
    let t287 = shared_values[5] * t269;
    let t288 = t269 * t287;
    let t289 = t270 * t288 - t283;
    let t290 = shared_values[6] * t269;
    let t291 = t269 * t290;
    let t292 = t271 * t291 - t286;
    let t293 = shared_values[11] * t272;
    let t294 = t269 * t274;
    let t295 = t293 * t294;
    let t296 = shared_values[11] * t273;
    let t297 = t269 * t277;
    let t298 = t296 * t297 + t295;
    let t299 = shared_values[7] * t270;
    let t300 = t278 - t275 * t275;
    let t301 = t300 - t299 * t299;
    let t302 = t275 * t289 + t298;
    let t303 = t292 * t299 + t302;
    let t304 = shared_values[2] / t301;
    let t305 = t303 * t304;
    let t306 = t275 * t305 + t289;
    let t307 = t299 * t305 + t292;
    let t308 = shared_values[3] * t305;
    let t309 = shared_values[3] * t306;
    let t310 = shared_values[3] * t307;
    let t311 = shared_values[3] * t272;
    let t312 = shared_values[3] * t273;
    let t313 = shared_values[11] * t264 + t220;
    let t314 = shared_values[11] * t267 + t223;
    let t315 = shared_values[11] * t268 + t224;
    let t316 = shared_values[11] * t265 + t221;
    let t317 = shared_values[11] * t266 + t222;
    let t318 = shared_values[11] * t308 + t313;
    let t319 = shared_values[11] * t311 + t314;
    let t320 = shared_values[11] * t312 + t315;
    let t321 = shared_values[11] * t309 + t316;
    let t322 = shared_values[11] * t310 + t317;
    let t323 = t181 - t308;
    let t324 = t182 + t311;
    let t325 = t183 + t312;
    let t326 = t184 + t309;
    let t327 = t185 + t310;
    let t328 = shared_values[5] * t324;
    let t329 = shared_values[8] * t325;
    let t330 = t324 * t328 + shared_values[4];
    let t331 = shared_values[6] * t325;
    let t332 = t325 * t331 + t330;
    let t333 = shared_values[9] * t324;
    let t334 = shared_values[10] * t325;
    let t335 = shared_values[8] * t327;
    let t336 = t323 * t335;
    let t337 = shared_values[11] * t336 + t333;
    let t338 = shared_values[7] * t326;
    let t339 = t323 * t338;
    let t340 = shared_values[11] * t339 + t334;
    let t341 = shared_values[5] * t323;
    let t342 = t323 * t341;
    let t343 = t324 * t342 - t337;
    let t344 = shared_values[6] * t323;
    let t345 = t323 * t344;
    let t346 = t325 * t345 - t340;
    let t347 = shared_values[11] * t326;
    let t348 = t323 * t328;
    let t349 = t347 * t348;
    let t350 = shared_values[11] * t327;
    let t351 = t323 * t331;
    let t352 = t350 * t351 + t349;
    let t353 = shared_values[7] * t324;
    let t354 = t332 - t329 * t329;
    let t355 = t354 - t353 * t353;
    let t356 = t329 * t343 + t352;
    let t357 = t346 * t353 + t356;
    let t358 = shared_values[2] / t355;
    let t359 = t357 * t358;
    let t360 = t329 * t359 + t343;
    let t361 = t353 * t359 + t346;
    let t362 = shared_values[3] * t359 + t318;
    let t363 = shared_values[3] * t360 + t321;
    let t364 = shared_values[3] * t361 + t322;
    let t365 = shared_values[3] * t326 + t319;
    let t366 = shared_values[3] * t327 + t320;
    let t367 = t181 - shared_values[13] * t362;
    let t368 = shared_values[13] * t365 + t182;
    let t369 = shared_values[13] * t366 + t183;
    let t370 = shared_values[13] * t363 + t184;
    let t371 = shared_values[13] * t364 + t185;
    var next = s;
    next.half_wx = t367;
    next.half_amplitude_0 = t368;
    next.half_amplitude_1 = t369;
    next.half_amplitude_rate_0 = t370;
    next.half_amplitude_rate_1 = t371;
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

fn is_passed(judged: Judged) -> bool {
    return judged.allowed > real(0.0) && abs(judged.value) > judged.allowed;
}

// The verdict of the first bound that is passed, else FINISHED.
fn passed(instance: u32, s: State) -> u32 {
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
