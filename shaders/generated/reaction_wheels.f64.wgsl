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

// A later step or an output reads the state of the method.
struct State {
    q0: real,
    q1: real,
    q2: real,
    q3: real,
    wx: real,
    wy: real,
    wz: real,
    amplitude_0: real,
    amplitude_1: real,
    amplitude_2: real,
    amplitude_rate_0: real,
    amplitude_rate_1: real,
    amplitude_rate_2: real,
    clock: real,
    outcome_0_0: real,
    outcome_0_1: real,
    outcome_0_2: real,
    outcome_0_3: real,
    outcome_0_4: real,
    outcome_0_5: real,
    outcome_0_6: real,
    outcome_1_0: real,
    outcome_1_1: real,
    outcome_1_2: real,
    outcome_1_3: real,
    outcome_1_4: real,
    outcome_1_5: real,
    outcome_1_6: real,
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
    s.amplitude_0 = state[7u * run.stride + instance];
    s.amplitude_1 = state[8u * run.stride + instance];
    s.amplitude_2 = state[9u * run.stride + instance];
    s.amplitude_rate_0 = state[10u * run.stride + instance];
    s.amplitude_rate_1 = state[11u * run.stride + instance];
    s.amplitude_rate_2 = state[12u * run.stride + instance];
    s.clock = state[13u * run.stride + instance];
    s.outcome_0_0 = state[14u * run.stride + instance];
    s.outcome_0_1 = state[15u * run.stride + instance];
    s.outcome_0_2 = state[16u * run.stride + instance];
    s.outcome_0_3 = state[17u * run.stride + instance];
    s.outcome_0_4 = state[18u * run.stride + instance];
    s.outcome_0_5 = state[19u * run.stride + instance];
    s.outcome_0_6 = state[20u * run.stride + instance];
    s.outcome_1_0 = state[21u * run.stride + instance];
    s.outcome_1_1 = state[22u * run.stride + instance];
    s.outcome_1_2 = state[23u * run.stride + instance];
    s.outcome_1_3 = state[24u * run.stride + instance];
    s.outcome_1_4 = state[25u * run.stride + instance];
    s.outcome_1_5 = state[26u * run.stride + instance];
    s.outcome_1_6 = state[27u * run.stride + instance];
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
    state[7u * run.stride + instance] = s.amplitude_0;
    state[8u * run.stride + instance] = s.amplitude_1;
    state[9u * run.stride + instance] = s.amplitude_2;
    state[10u * run.stride + instance] = s.amplitude_rate_0;
    state[11u * run.stride + instance] = s.amplitude_rate_1;
    state[12u * run.stride + instance] = s.amplitude_rate_2;
    state[13u * run.stride + instance] = s.clock;
    state[14u * run.stride + instance] = s.outcome_0_0;
    state[15u * run.stride + instance] = s.outcome_0_1;
    state[16u * run.stride + instance] = s.outcome_0_2;
    state[17u * run.stride + instance] = s.outcome_0_3;
    state[18u * run.stride + instance] = s.outcome_0_4;
    state[19u * run.stride + instance] = s.outcome_0_5;
    state[20u * run.stride + instance] = s.outcome_0_6;
    state[21u * run.stride + instance] = s.outcome_1_0;
    state[22u * run.stride + instance] = s.outcome_1_1;
    state[23u * run.stride + instance] = s.outcome_1_2;
    state[24u * run.stride + instance] = s.outcome_1_3;
    state[25u * run.stride + instance] = s.outcome_1_4;
    state[26u * run.stride + instance] = s.outcome_1_5;
    state[27u * run.stride + instance] = s.outcome_1_6;
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
    next.amplitude_0 = flushed_real(s.amplitude_0);
    next.amplitude_1 = flushed_real(s.amplitude_1);
    next.amplitude_2 = flushed_real(s.amplitude_2);
    next.amplitude_rate_0 = flushed_real(s.amplitude_rate_0);
    next.amplitude_rate_1 = flushed_real(s.amplitude_rate_1);
    next.amplitude_rate_2 = flushed_real(s.amplitude_rate_2);
    next.clock = flushed_real(s.clock);
    next.outcome_0_0 = flushed_real(s.outcome_0_0);
    next.outcome_0_1 = flushed_real(s.outcome_0_1);
    next.outcome_0_2 = flushed_real(s.outcome_0_2);
    next.outcome_0_3 = flushed_real(s.outcome_0_3);
    next.outcome_0_4 = flushed_real(s.outcome_0_4);
    next.outcome_0_5 = flushed_real(s.outcome_0_5);
    next.outcome_0_6 = flushed_real(s.outcome_0_6);
    next.outcome_1_0 = flushed_real(s.outcome_1_0);
    next.outcome_1_1 = flushed_real(s.outcome_1_1);
    next.outcome_1_2 = flushed_real(s.outcome_1_2);
    next.outcome_1_3 = flushed_real(s.outcome_1_3);
    next.outcome_1_4 = flushed_real(s.outcome_1_4);
    next.outcome_1_5 = flushed_real(s.outcome_1_5);
    next.outcome_1_6 = flushed_real(s.outcome_1_6);
    return next;
}

fn is_finite_state(s: State) -> bool {
    return is_finite_real(s.q0)
        && is_finite_real(s.q1)
        && is_finite_real(s.q2)
        && is_finite_real(s.q3)
        && is_finite_real(s.wx)
        && is_finite_real(s.wy)
        && is_finite_real(s.wz)
        && is_finite_real(s.amplitude_0)
        && is_finite_real(s.amplitude_1)
        && is_finite_real(s.amplitude_2)
        && is_finite_real(s.amplitude_rate_0)
        && is_finite_real(s.amplitude_rate_1)
        && is_finite_real(s.amplitude_rate_2)
        && is_finite_real(s.clock)
        && is_finite_real(s.outcome_0_0)
        && is_finite_real(s.outcome_0_1)
        && is_finite_real(s.outcome_0_2)
        && is_finite_real(s.outcome_0_3)
        && is_finite_real(s.outcome_0_4)
        && is_finite_real(s.outcome_0_5)
        && is_finite_real(s.outcome_0_6)
        && is_finite_real(s.outcome_1_0)
        && is_finite_real(s.outcome_1_1)
        && is_finite_real(s.outcome_1_2)
        && is_finite_real(s.outcome_1_3)
        && is_finite_real(s.outcome_1_4)
        && is_finite_real(s.outcome_1_5)
        && is_finite_real(s.outcome_1_6);
}

const WORKGROUP = 64u;
const HAS_NORM_BOUND = false;
const NORM_BOUND_VALUE: real = 0.0lf;

fn norm_error(s: State) -> real {
    var largest = real(0.0);
    largest = max(largest, abs(sqrt(s.q3 * s.q3 + (s.q2 * s.q2 + (s.q1 * s.q1 + s.q0 * s.q0))) - real(1.0)));
    return largest;
}

// Over a stretch of steps all stays the same that does not depend on the state.
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
    c13: real,
    c14: real,
    c15: real,
    c16: real,
    c17: real,
    c18: real,
    c19: real,
    c20: real,
    c21: real,
    c22: real,
    c23: real,
    c24: real,
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
    p.c13 = shared_values[13];
    p.c14 = shared_values[14];
    p.c15 = shared_values[15];
    p.c16 = shared_values[16];
    p.c17 = shared_values[17];
    p.c18 = shared_values[18];
    p.c19 = shared_values[19];
    p.c20 = shared_values[20];
    p.c21 = shared_values[21];
    p.c22 = shared_values[22];
    p.c23 = shared_values[23];
    p.c24 = shared_values[24];
    return p;
}

// A full step takes 1131 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.clock * p.c0;
    let t1 = s.clock + p.c3;
    let t2 = -(s.q1);
    let t3 = select(s.q1, t2, s.q0 < 0.0lf);
    let t4 = -(s.q2);
    let t5 = select(s.q2, t4, s.q0 < 0.0lf);
    let t6 = -(s.q3);
    let t7 = select(s.q3, t6, s.q0 < 0.0lf);
    let t8 = -(s.q0);
    let t9 = select(s.q0, t8, s.q0 < 0.0lf);
    let t10 = s.amplitude_rate_0 / p.c6;
    let t11 = t10 - s.wx;
    let t12 = s.amplitude_rate_0 * p.c6;
    let t13 = s.amplitude_rate_1 / p.c6;
    let t14 = t13 - s.wy;
    let t15 = s.amplitude_rate_1 * p.c6;
    let t16 = s.amplitude_rate_2 / p.c6;
    let t17 = t16 - s.wz;
    let t18 = s.amplitude_rate_2 * p.c6;
    let t19 = p.c1 * t3;
    let t20 = s.wx * p.c2;
    let t21 = t19 + t20;
    let t22 = select(p.c0, t21, t21 < p.c0);
    let t23 = select(p.c9, t22, p.c9 < t22);
    let t24 = select(t23, 0.0lf, t23 < 0.0lf);
    let t25 = p.c5 - t11;
    let t26 = t25 / p.c10;
    let t27 = select(p.c3, t26, t26 < p.c3);
    let t28 = select(0.0lf, t27, 0.0lf < t27);
    let t29 = t28 * p.c11 + p.c12;
    let t30 = t28 * t28;
    let t31 = t28 * t30;
    let t32 = t28 * t29 + p.c13;
    let t33 = t31 * t32;
    let t34 = t24 * t33;
    let t35 = select(t23, 0.0lf, 0.0lf < t23);
    let t36 = p.c5 + t11;
    let t37 = t36 / p.c10;
    let t38 = select(p.c3, t37, t37 < p.c3);
    let t39 = select(0.0lf, t38, 0.0lf < t38);
    let t40 = p.c11 * t39 + p.c12;
    let t41 = t39 * t39;
    let t42 = t39 * t41;
    let t43 = t39 * t40 + p.c13;
    let t44 = t42 * t43;
    let t45 = t35 * t44 + t34;
    let t46 = t45 - p.c4 * t11;
    let t47 = s.wz * t12;
    let t48 = t46 / p.c6;
    let t49 = p.c1 * t5;
    let t50 = s.wy * p.c2;
    let t51 = t49 + t50;
    let t52 = select(p.c0, t51, t51 < p.c0);
    let t53 = select(p.c9, t52, p.c9 < t52);
    let t54 = select(t53, 0.0lf, t53 < 0.0lf);
    let t55 = p.c5 - t14;
    let t56 = t55 / p.c10;
    let t57 = select(p.c3, t56, t56 < p.c3);
    let t58 = select(0.0lf, t57, 0.0lf < t57);
    let t59 = p.c11 * t58 + p.c12;
    let t60 = t58 * t58;
    let t61 = t58 * t60;
    let t62 = t58 * t59 + p.c13;
    let t63 = t61 * t62;
    let t64 = t54 * t63;
    let t65 = select(t53, 0.0lf, 0.0lf < t53);
    let t66 = p.c5 + t14;
    let t67 = t66 / p.c10;
    let t68 = select(p.c3, t67, t67 < p.c3);
    let t69 = select(0.0lf, t68, 0.0lf < t68);
    let t70 = p.c11 * t69 + p.c12;
    let t71 = t69 * t69;
    let t72 = t69 * t71;
    let t73 = t69 * t70 + p.c13;
    let t74 = t72 * t73;
    let t75 = t65 * t74 + t64;
    let t76 = t75 - p.c4 * t14;
    let t77 = s.wz * t15;
    let t78 = t47 + t76;
    let t79 = t77 - t46;
    let t80 = t76 / p.c6;
    let t81 = p.c1 * t7;
    let t82 = s.wz * p.c2;
    let t83 = t81 + t82;
    let t84 = select(p.c0, t83, t83 < p.c0);
    let t85 = select(p.c9, t84, p.c9 < t84);
    let t86 = select(t85, 0.0lf, t85 < 0.0lf);
    let t87 = p.c5 - t17;
    let t88 = t87 / p.c10;
    let t89 = select(p.c3, t88, t88 < p.c3);
    let t90 = select(0.0lf, t89, 0.0lf < t89);
    let t91 = p.c11 * t90 + p.c12;
    let t92 = t90 * t90;
    let t93 = t90 * t92;
    let t94 = t90 * t91 + p.c13;
    let t95 = t93 * t94;
    let t96 = t86 * t95;
    let t97 = select(t85, 0.0lf, 0.0lf < t85);
    let t98 = p.c5 + t17;
    let t99 = t98 / p.c10;
    let t100 = select(p.c3, t99, t99 < p.c3);
    let t101 = select(0.0lf, t100, 0.0lf < t100);
    let t102 = p.c11 * t101 + p.c12;
    let t103 = t101 * t101;
    let t104 = t101 * t103;
    let t105 = t101 * t102 + p.c13;
    let t106 = t104 * t105;
    let t107 = t97 * t106 + t96;
    let t108 = t107 - p.c4 * t17;
    let t109 = s.wy * t18;
    let t110 = s.wx * t18;
    let t111 = s.wy * t12 - t108;
    let t112 = t111 - s.wx * t15;
    let t113 = t79 - t109;
    let t114 = t110 - t78;
    let t115 = t108 / p.c6;
    let t116 = s.wy * s.wz;
    let t117 = s.wx * s.wz;
    let t118 = s.wx * s.wy;
    let t119 = p.c14 * t116;
    let t120 = p.c15 * t117;
    let t121 = p.c16 * t118;
    let t122 = t113 * p.c17 + t119;
    let t123 = t114 * p.c18 + t120;
    let t124 = t112 * p.c19 + t121;
    let t125 = p.c0 * t48;
    let t126 = p.c0 * t80;
    let t127 = p.c0 * t115;
    let t128 = s.q1 * s.wx;
    let t129 = s.q2 * s.wy + t128;
    let t130 = s.q3 * s.wz + t129;
    let t131 = s.q0 * s.wx;
    let t132 = s.q2 * s.wz + t131;
    let t133 = t132 - s.q3 * s.wy;
    let t134 = s.q0 * s.wy;
    let t135 = s.q3 * s.wx + t134;
    let t136 = t135 - s.q1 * s.wz;
    let t137 = s.q0 * s.wz;
    let t138 = s.q1 * s.wy + t137;
    let t139 = t138 - s.q2 * s.wx;
    let t140 = p.c20 * t130;
    let t141 = p.c20 * t133;
    let t142 = p.c20 * t136;
    let t143 = p.c20 * t139;
    let t144 = s.amplitude_rate_0 * p.c0;
    let t145 = s.amplitude_rate_1 * p.c0;
    let t146 = s.amplitude_rate_2 * p.c0;
    let t147 = s.q0 - p.c2 * t140;
    let t148 = p.c2 * t141 + s.q1;
    let t149 = p.c2 * t142 + s.q2;
    let t150 = p.c2 * t143 + s.q3;
    let t151 = p.c2 * t122 + s.wx;
    let t152 = p.c2 * t123 + s.wy;
    let t153 = p.c2 * t124 + s.wz;
    let t154 = p.c2 * t125 + s.amplitude_rate_0;
    let t155 = p.c2 * t126 + s.amplitude_rate_1;
    let t156 = p.c2 * t127 + s.amplitude_rate_2;
    let t157 = t147 * t147;
    let t158 = t148 * t148 + t157;
    let t159 = t149 * t149 + t158;
    let t160 = t150 * t150 + t159;
    let t161 = p.c13 + t160;
    let t162 = t160 * t161 + p.c21;
    let t163 = t160 * p.c21 + p.c13;
    let t164 = t160 * t163 + p.c3;
    let t165 = t162 / t164;
    let t166 = t147 * t165;
    let t167 = t148 * t165;
    let t168 = t149 * t165;
    let t169 = t150 * t165;
    let t170 = -(t167);
    let t171 = select(t167, t170, t166 < 0.0lf);
    let t172 = -(t168);
    let t173 = select(t168, t172, t166 < 0.0lf);
    let t174 = -(t169);
    let t175 = select(t169, t174, t166 < 0.0lf);
    let t176 = t154 / p.c6;
    let t177 = t176 - t151;
    let t178 = p.c6 * t154;
    let t179 = t155 / p.c6;
    let t180 = t179 - t152;
    let t181 = p.c6 * t155;
    let t182 = t156 / p.c6;
    let t183 = t182 - t153;
    let t184 = p.c6 * t156;
    let t185 = p.c1 * t171;
    let t186 = p.c2 * t151;
    let t187 = t185 + t186;
    let t188 = select(p.c0, t187, t187 < p.c0);
    let t189 = select(p.c9, t188, p.c9 < t188);
    let t190 = select(t189, 0.0lf, t189 < 0.0lf);
    let t191 = p.c5 - t177;
    let t192 = t191 / p.c10;
    let t193 = select(p.c3, t192, t192 < p.c3);
    let t194 = select(0.0lf, t193, 0.0lf < t193);
    let t195 = p.c11 * t194 + p.c12;
    let t196 = t194 * t194;
    let t197 = t194 * t196;
    let t198 = t194 * t195 + p.c13;
    let t199 = t197 * t198;
    let t200 = t190 * t199;
    let t201 = select(t189, 0.0lf, 0.0lf < t189);
    let t202 = p.c5 + t177;
    let t203 = t202 / p.c10;
    let t204 = select(p.c3, t203, t203 < p.c3);
    let t205 = select(0.0lf, t204, 0.0lf < t204);
    let t206 = p.c11 * t205 + p.c12;
    let t207 = t205 * t205;
    let t208 = t205 * t207;
    let t209 = t205 * t206 + p.c13;
    let t210 = t208 * t209;
    let t211 = t201 * t210 + t200;
    let t212 = t211 - p.c4 * t177;
    let t213 = t153 * t178;
    let t214 = t212 / p.c6;
    let t215 = p.c1 * t173;
    let t216 = p.c2 * t152;
    let t217 = t215 + t216;
    let t218 = select(p.c0, t217, t217 < p.c0);
    let t219 = select(p.c9, t218, p.c9 < t218);
    let t220 = select(t219, 0.0lf, t219 < 0.0lf);
    let t221 = p.c5 - t180;
    let t222 = t221 / p.c10;
    let t223 = select(p.c3, t222, t222 < p.c3);
    let t224 = select(0.0lf, t223, 0.0lf < t223);
    let t225 = p.c11 * t224 + p.c12;
    let t226 = t224 * t224;
    let t227 = t224 * t226;
    let t228 = t224 * t225 + p.c13;
    let t229 = t227 * t228;
    let t230 = t220 * t229;
    let t231 = select(t219, 0.0lf, 0.0lf < t219);
    let t232 = p.c5 + t180;
    let t233 = t232 / p.c10;
    let t234 = select(p.c3, t233, t233 < p.c3);
    let t235 = select(0.0lf, t234, 0.0lf < t234);
    let t236 = p.c11 * t235 + p.c12;
    let t237 = t235 * t235;
    let t238 = t235 * t237;
    let t239 = t235 * t236 + p.c13;
    let t240 = t238 * t239;
    let t241 = t231 * t240 + t230;
    let t242 = t241 - p.c4 * t180;
    let t243 = t153 * t181;
    let t244 = t213 + t242;
    let t245 = t243 - t212;
    let t246 = t242 / p.c6;
    let t247 = p.c1 * t175;
    let t248 = p.c2 * t153;
    let t249 = t247 + t248;
    let t250 = select(p.c0, t249, t249 < p.c0);
    let t251 = select(p.c9, t250, p.c9 < t250);
    let t252 = select(t251, 0.0lf, t251 < 0.0lf);
    let t253 = p.c5 - t183;
    let t254 = t253 / p.c10;
    let t255 = select(p.c3, t254, t254 < p.c3);
    let t256 = select(0.0lf, t255, 0.0lf < t255);
    let t257 = p.c11 * t256 + p.c12;
    let t258 = t256 * t256;
    let t259 = t256 * t258;
    let t260 = t256 * t257 + p.c13;
    let t261 = t259 * t260;
    let t262 = t252 * t261;
    let t263 = select(t251, 0.0lf, 0.0lf < t251);
    let t264 = p.c5 + t183;
    let t265 = t264 / p.c10;
    let t266 = select(p.c3, t265, t265 < p.c3);
    let t267 = select(0.0lf, t266, 0.0lf < t266);
    let t268 = p.c11 * t267 + p.c12;
    let t269 = t267 * t267;
    let t270 = t267 * t269;
    let t271 = t267 * t268 + p.c13;
    let t272 = t270 * t271;
    let t273 = t263 * t272 + t262;
    let t274 = t273 - p.c4 * t183;
    let t275 = t152 * t184;
    let t276 = t151 * t184;
    let t277 = t152 * t178 - t274;
    let t278 = t277 - t151 * t181;
    let t279 = t245 - t275;
    let t280 = t276 - t244;
    let t281 = t274 / p.c6;
    let t282 = t152 * t153;
    let t283 = t151 * t153;
    let t284 = t151 * t152;
    let t285 = p.c14 * t282;
    let t286 = p.c15 * t283;
    let t287 = p.c16 * t284;
    let t288 = p.c17 * t279 + t285;
    let t289 = p.c18 * t280 + t286;
    let t290 = p.c19 * t278 + t287;
    let t291 = p.c0 * t214;
    let t292 = p.c0 * t246;
    let t293 = p.c0 * t281;
    let t294 = t148 * t151;
    let t295 = t149 * t152 + t294;
    let t296 = t150 * t153 + t295;
    let t297 = t147 * t151;
    let t298 = t149 * t153 + t297;
    let t299 = t298 - t150 * t152;
    let t300 = t147 * t152;
    let t301 = t150 * t151 + t300;
    let t302 = t301 - t148 * t153;
    let t303 = t147 * t153;
    let t304 = t148 * t152 + t303;
    let t305 = t304 - t149 * t151;
    let t306 = p.c20 * t296;
    let t307 = p.c20 * t299;
    let t308 = p.c20 * t302;
    let t309 = p.c20 * t305;
    let t310 = p.c0 * t154;
    let t311 = p.c0 * t155;
    let t312 = p.c0 * t156;
    let t313 = s.q0 - p.c2 * t306;
    let t314 = p.c2 * t307 + s.q1;
    let t315 = p.c2 * t308 + s.q2;
    let t316 = p.c2 * t309 + s.q3;
    let t317 = p.c2 * t288 + s.wx;
    let t318 = p.c2 * t289 + s.wy;
    let t319 = p.c2 * t290 + s.wz;
    let t320 = p.c2 * t291 + s.amplitude_rate_0;
    let t321 = p.c2 * t292 + s.amplitude_rate_1;
    let t322 = p.c2 * t293 + s.amplitude_rate_2;
    let t323 = t313 * t313;
    let t324 = t314 * t314 + t323;
    let t325 = t315 * t315 + t324;
    let t326 = t316 * t316 + t325;
    let t327 = p.c13 + t326;
    let t328 = t326 * t327 + p.c21;
    let t329 = p.c21 * t326 + p.c13;
    let t330 = t326 * t329 + p.c3;
    let t331 = t328 / t330;
    let t332 = t313 * t331;
    let t333 = t314 * t331;
    let t334 = t315 * t331;
    let t335 = t316 * t331;
    let t336 = -(t333);
    let t337 = select(t333, t336, t332 < 0.0lf);
    let t338 = -(t334);
    let t339 = select(t334, t338, t332 < 0.0lf);
    let t340 = -(t335);
    let t341 = select(t335, t340, t332 < 0.0lf);
    let t342 = t320 / p.c6;
    let t343 = t342 - t317;
    let t344 = p.c6 * t320;
    let t345 = t321 / p.c6;
    let t346 = t345 - t318;
    let t347 = p.c6 * t321;
    let t348 = t322 / p.c6;
    let t349 = t348 - t319;
    let t350 = p.c6 * t322;
    let t351 = p.c1 * t337;
    let t352 = p.c2 * t317;
    let t353 = t351 + t352;
    let t354 = select(p.c0, t353, t353 < p.c0);
    let t355 = select(p.c9, t354, p.c9 < t354);
    let t356 = select(t355, 0.0lf, t355 < 0.0lf);
    let t357 = p.c5 - t343;
    let t358 = t357 / p.c10;
    let t359 = select(p.c3, t358, t358 < p.c3);
    let t360 = select(0.0lf, t359, 0.0lf < t359);
    let t361 = p.c11 * t360 + p.c12;
    let t362 = t360 * t360;
    let t363 = t360 * t362;
    let t364 = t360 * t361 + p.c13;
    let t365 = t363 * t364;
    let t366 = t356 * t365;
    let t367 = select(t355, 0.0lf, 0.0lf < t355);
    let t368 = p.c5 + t343;
    let t369 = t368 / p.c10;
    let t370 = select(p.c3, t369, t369 < p.c3);
    let t371 = select(0.0lf, t370, 0.0lf < t370);
    let t372 = p.c11 * t371 + p.c12;
    let t373 = t371 * t371;
    let t374 = t371 * t373;
    let t375 = t371 * t372 + p.c13;
    let t376 = t374 * t375;
    let t377 = t367 * t376 + t366;
    let t378 = t377 - p.c4 * t343;
    let t379 = t319 * t344;
    let t380 = t378 / p.c6;
    let t381 = p.c1 * t339;
    let t382 = p.c2 * t318;
    let t383 = t381 + t382;
    let t384 = select(p.c0, t383, t383 < p.c0);
    let t385 = select(p.c9, t384, p.c9 < t384);
    let t386 = select(t385, 0.0lf, t385 < 0.0lf);
    let t387 = p.c5 - t346;
    let t388 = t387 / p.c10;
    let t389 = select(p.c3, t388, t388 < p.c3);
    let t390 = select(0.0lf, t389, 0.0lf < t389);
    let t391 = p.c11 * t390 + p.c12;
    let t392 = t390 * t390;
    let t393 = t390 * t392;
    let t394 = t390 * t391 + p.c13;
    let t395 = t393 * t394;
    let t396 = t386 * t395;
    let t397 = select(t385, 0.0lf, 0.0lf < t385);
    let t398 = p.c5 + t346;
    let t399 = t398 / p.c10;
    let t400 = select(p.c3, t399, t399 < p.c3);
    let t401 = select(0.0lf, t400, 0.0lf < t400);
    let t402 = p.c11 * t401 + p.c12;
    let t403 = t401 * t401;
    let t404 = t401 * t403;
    let t405 = t401 * t402 + p.c13;
    let t406 = t404 * t405;
    let t407 = t397 * t406 + t396;
    let t408 = t407 - p.c4 * t346;
    let t409 = t319 * t347;
    let t410 = t379 + t408;
    let t411 = t409 - t378;
    let t412 = t408 / p.c6;
    let t413 = p.c1 * t341;
    let t414 = p.c2 * t319;
    let t415 = t413 + t414;
    let t416 = select(p.c0, t415, t415 < p.c0);
    let t417 = select(p.c9, t416, p.c9 < t416);
    let t418 = select(t417, 0.0lf, t417 < 0.0lf);
    let t419 = p.c5 - t349;
    let t420 = t419 / p.c10;
    let t421 = select(p.c3, t420, t420 < p.c3);
    let t422 = select(0.0lf, t421, 0.0lf < t421);
    let t423 = p.c11 * t422 + p.c12;
    let t424 = t422 * t422;
    let t425 = t422 * t424;
    let t426 = t422 * t423 + p.c13;
    let t427 = t425 * t426;
    let t428 = t418 * t427;
    let t429 = select(t417, 0.0lf, 0.0lf < t417);
    let t430 = p.c5 + t349;
    let t431 = t430 / p.c10;
    let t432 = select(p.c3, t431, t431 < p.c3);
    let t433 = select(0.0lf, t432, 0.0lf < t432);
    let t434 = p.c11 * t433 + p.c12;
    let t435 = t433 * t433;
    let t436 = t433 * t435;
    let t437 = t433 * t434 + p.c13;
    let t438 = t436 * t437;
    let t439 = t429 * t438 + t428;
    let t440 = t439 - p.c4 * t349;
    let t441 = t318 * t350;
    let t442 = t317 * t350;
    let t443 = t318 * t344 - t440;
    let t444 = t443 - t317 * t347;
    let t445 = t411 - t441;
    let t446 = t442 - t410;
    let t447 = t440 / p.c6;
    let t448 = t318 * t319;
    let t449 = t317 * t319;
    let t450 = t317 * t318;
    let t451 = p.c14 * t448;
    let t452 = p.c15 * t449;
    let t453 = p.c16 * t450;
    let t454 = p.c17 * t445 + t451;
    let t455 = p.c18 * t446 + t452;
    let t456 = p.c19 * t444 + t453;
    let t457 = p.c0 * t380;
    let t458 = p.c0 * t412;
    let t459 = p.c0 * t447;
    let t460 = t314 * t317;
    let t461 = t315 * t318 + t460;
    let t462 = t316 * t319 + t461;
    let t463 = t313 * t317;
    let t464 = t315 * t319 + t463;
    let t465 = t464 - t316 * t318;
    let t466 = t313 * t318;
    let t467 = t316 * t317 + t466;
    let t468 = t467 - t314 * t319;
    let t469 = t313 * t319;
    let t470 = t314 * t318 + t469;
    let t471 = t470 - t315 * t317;
    let t472 = p.c20 * t462;
    let t473 = p.c20 * t465;
    let t474 = p.c20 * t468;
    let t475 = p.c20 * t471;
    let t476 = p.c0 * t320;
    let t477 = p.c0 * t321;
    let t478 = p.c0 * t322;
    let t479 = p.c8 * t306 + t140;
    let t480 = p.c8 * t307 + t141;
    let t481 = p.c8 * t308 + t142;
    let t482 = p.c8 * t309 + t143;
    let t483 = p.c8 * t288 + t122;
    let t484 = p.c8 * t289 + t123;
    let t485 = p.c8 * t290 + t124;
    let t486 = p.c8 * t310 + t144;
    let t487 = p.c8 * t311 + t145;
    let t488 = p.c8 * t312 + t146;
    let t489 = p.c8 * t291 + t125;
    let t490 = p.c8 * t292 + t126;
    let t491 = p.c8 * t293 + t127;
    let t492 = p.c8 * t472 + t479;
    let t493 = p.c8 * t473 + t480;
    let t494 = p.c8 * t474 + t481;
    let t495 = p.c8 * t475 + t482;
    let t496 = p.c8 * t454 + t483;
    let t497 = p.c8 * t455 + t484;
    let t498 = p.c8 * t456 + t485;
    let t499 = p.c8 * t476 + t486;
    let t500 = p.c8 * t477 + t487;
    let t501 = p.c8 * t478 + t488;
    let t502 = p.c8 * t457 + t489;
    let t503 = p.c8 * t458 + t490;
    let t504 = p.c8 * t459 + t491;
    let t505 = s.q0 - t472;
    let t506 = s.q1 + t473;
    let t507 = s.q2 + t474;
    let t508 = s.q3 + t475;
    let t509 = s.wx + t454;
    let t510 = s.wy + t455;
    let t511 = s.wz + t456;
    let t512 = s.amplitude_rate_0 + t457;
    let t513 = s.amplitude_rate_1 + t458;
    let t514 = s.amplitude_rate_2 + t459;
    let t515 = t505 * t505;
    let t516 = t506 * t506 + t515;
    let t517 = t507 * t507 + t516;
    let t518 = t508 * t508 + t517;
    let t519 = p.c13 + t518;
    let t520 = t518 * t519 + p.c21;
    let t521 = p.c21 * t518 + p.c13;
    let t522 = t518 * t521 + p.c3;
    let t523 = t520 / t522;
    let t524 = t505 * t523;
    let t525 = t506 * t523;
    let t526 = t507 * t523;
    let t527 = t508 * t523;
    let t528 = -(t525);
    let t529 = select(t525, t528, t524 < 0.0lf);
    let t530 = -(t526);
    let t531 = select(t526, t530, t524 < 0.0lf);
    let t532 = -(t527);
    let t533 = select(t527, t532, t524 < 0.0lf);
    let t534 = t512 / p.c6;
    let t535 = t534 - t509;
    let t536 = p.c6 * t512;
    let t537 = t513 / p.c6;
    let t538 = t537 - t510;
    let t539 = p.c6 * t513;
    let t540 = t514 / p.c6;
    let t541 = t540 - t511;
    let t542 = p.c6 * t514;
    let t543 = p.c1 * t529;
    let t544 = p.c2 * t509;
    let t545 = t543 + t544;
    let t546 = select(p.c0, t545, t545 < p.c0);
    let t547 = select(p.c9, t546, p.c9 < t546);
    let t548 = select(t547, 0.0lf, t547 < 0.0lf);
    let t549 = p.c5 - t535;
    let t550 = t549 / p.c10;
    let t551 = select(p.c3, t550, t550 < p.c3);
    let t552 = select(0.0lf, t551, 0.0lf < t551);
    let t553 = p.c11 * t552 + p.c12;
    let t554 = t552 * t552;
    let t555 = t552 * t554;
    let t556 = t552 * t553 + p.c13;
    let t557 = t555 * t556;
    let t558 = t548 * t557;
    let t559 = select(t547, 0.0lf, 0.0lf < t547);
    let t560 = p.c5 + t535;
    let t561 = t560 / p.c10;
    let t562 = select(p.c3, t561, t561 < p.c3);
    let t563 = select(0.0lf, t562, 0.0lf < t562);
    let t564 = p.c11 * t563 + p.c12;
    let t565 = t563 * t563;
    let t566 = t563 * t565;
    let t567 = t563 * t564 + p.c13;
    let t568 = t566 * t567;
    let t569 = t559 * t568 + t558;
    let t570 = t569 - p.c4 * t535;
    let t571 = t511 * t536;
    let t572 = t570 / p.c6;
    let t573 = p.c1 * t531;
    let t574 = p.c2 * t510;
    let t575 = t573 + t574;
    let t576 = select(p.c0, t575, t575 < p.c0);
    let t577 = select(p.c9, t576, p.c9 < t576);
    let t578 = select(t577, 0.0lf, t577 < 0.0lf);
    let t579 = p.c5 - t538;
    let t580 = t579 / p.c10;
    let t581 = select(p.c3, t580, t580 < p.c3);
    let t582 = select(0.0lf, t581, 0.0lf < t581);
    let t583 = p.c11 * t582 + p.c12;
    let t584 = t582 * t582;
    let t585 = t582 * t584;
    let t586 = t582 * t583 + p.c13;
    let t587 = t585 * t586;
    let t588 = t578 * t587;
    let t589 = select(t577, 0.0lf, 0.0lf < t577);
    let t590 = p.c5 + t538;
    let t591 = t590 / p.c10;
    let t592 = select(p.c3, t591, t591 < p.c3);
    let t593 = select(0.0lf, t592, 0.0lf < t592);
    let t594 = p.c11 * t593 + p.c12;
    let t595 = t593 * t593;
    let t596 = t593 * t595;
    let t597 = t593 * t594 + p.c13;
    let t598 = t596 * t597;
    let t599 = t589 * t598 + t588;
    let t600 = t599 - p.c4 * t538;
    let t601 = t511 * t539;
    let t602 = t571 + t600;
    let t603 = t601 - t570;
    let t604 = t600 / p.c6;
    let t605 = p.c1 * t533;
    let t606 = p.c2 * t511;
    let t607 = t605 + t606;
    let t608 = select(p.c0, t607, t607 < p.c0);
    let t609 = select(p.c9, t608, p.c9 < t608);
    let t610 = select(t609, 0.0lf, t609 < 0.0lf);
    let t611 = p.c5 - t541;
    let t612 = t611 / p.c10;
    let t613 = select(p.c3, t612, t612 < p.c3);
    let t614 = select(0.0lf, t613, 0.0lf < t613);
    let t615 = p.c11 * t614 + p.c12;
    let t616 = t614 * t614;
    let t617 = t614 * t616;
    let t618 = t614 * t615 + p.c13;
    let t619 = t617 * t618;
    let t620 = t610 * t619;
    let t621 = select(t609, 0.0lf, 0.0lf < t609);
    let t622 = p.c5 + t541;
    let t623 = t622 / p.c10;
    let t624 = select(p.c3, t623, t623 < p.c3);
    let t625 = select(0.0lf, t624, 0.0lf < t624);
    let t626 = p.c11 * t625 + p.c12;
    let t627 = t625 * t625;
    let t628 = t625 * t627;
    let t629 = t625 * t626 + p.c13;
    let t630 = t628 * t629;
    let t631 = t621 * t630 + t620;
    let t632 = t631 - p.c4 * t541;
    let t633 = t510 * t542;
    let t634 = t509 * t542;
    let t635 = t510 * t536 - t632;
    let t636 = t635 - t509 * t539;
    let t637 = t603 - t633;
    let t638 = t634 - t602;
    let t639 = t632 / p.c6;
    let t640 = t510 * t511;
    let t641 = t509 * t511;
    let t642 = t509 * t510;
    let t643 = p.c14 * t640 + t496;
    let t644 = p.c15 * t641 + t497;
    let t645 = p.c16 * t642 + t498;
    let t646 = p.c17 * t637 + t643;
    let t647 = p.c18 * t638 + t644;
    let t648 = p.c19 * t636 + t645;
    let t649 = p.c0 * t572 + t502;
    let t650 = p.c0 * t604 + t503;
    let t651 = p.c0 * t639 + t504;
    let t652 = t506 * t509;
    let t653 = t507 * t510 + t652;
    let t654 = t508 * t511 + t653;
    let t655 = t505 * t509;
    let t656 = t507 * t511 + t655;
    let t657 = t656 - t508 * t510;
    let t658 = t505 * t510;
    let t659 = t508 * t509 + t658;
    let t660 = t659 - t506 * t511;
    let t661 = t505 * t511;
    let t662 = t506 * t510 + t661;
    let t663 = t662 - t507 * t509;
    let t664 = p.c20 * t654 + t492;
    let t665 = p.c20 * t657 + t493;
    let t666 = p.c20 * t660 + t494;
    let t667 = p.c20 * t663 + t495;
    let t668 = p.c0 * t512 + t499;
    let t669 = p.c0 * t513 + t500;
    let t670 = p.c0 * t514 + t501;
    let t671 = s.q0 - p.c7 * t664;
    let t672 = p.c7 * t665 + s.q1;
    let t673 = p.c7 * t666 + s.q2;
    let t674 = p.c7 * t667 + s.q3;
    let t675 = p.c7 * t646 + s.wx;
    let t676 = p.c7 * t647 + s.wy;
    let t677 = p.c7 * t648 + s.wz;
    let t678 = p.c7 * t668 + s.amplitude_0;
    let t679 = p.c7 * t669 + s.amplitude_1;
    let t680 = p.c7 * t670 + s.amplitude_2;
    let t681 = p.c7 * t649 + s.amplitude_rate_0;
    let t682 = p.c7 * t650 + s.amplitude_rate_1;
    let t683 = p.c7 * t651 + s.amplitude_rate_2;
    let t684 = t671 * t671;
    let t685 = t672 * t672 + t684;
    let t686 = t673 * t673 + t685;
    let t687 = t674 * t674 + t686;
    let t688 = sqrt(t687);
    let t689 = p.c3 / t688;
    let t690 = t671 * t689;
    let t691 = t672 * t689;
    let t692 = t673 * t689;
    let t693 = t674 * t689;
    let t694 = -(t690);
    let t695 = select(t690, t694, t690 < 0.0lf);
    let t696 = t681 / p.c6;
    let t697 = t696 - t675;
    let t698 = t682 / p.c6;
    let t699 = t698 - t676;
    let t700 = t683 / p.c6;
    let t701 = t700 - t677;
    let t702 = t695 - p.c22;
    let t703 = t702 - s.outcome_0_2;
    let t704 = t703 / p.c0;
    let t705 = s.outcome_0_2 - s.outcome_0_3;
    let t706 = select(p.c3, s.outcome_0_5, 0.0lf < s.outcome_0_5);
    let t707 = t705 / t706;
    let t708 = t704 - t707;
    let t709 = s.outcome_0_5 + p.c0;
    let t710 = t708 / t709;
    let t711 = select(0.0lf, t710, 0.0lf < s.outcome_0_5);
    let t712 = s.outcome_0_3 - s.outcome_0_4;
    let t713 = select(p.c3, s.outcome_0_6, 0.0lf < s.outcome_0_6);
    let t714 = t712 / t713;
    let t715 = t707 - t714;
    let t716 = s.outcome_0_6 + t706;
    let t717 = t715 / t716;
    let t718 = t711 - t717;
    let t719 = s.outcome_0_6 + t709;
    let t720 = t718 / t719;
    let t721 = select(0.0lf, t720, 0.0lf < s.outcome_0_6);
    let t722 = s.outcome_0_2 - t702;
    let t723 = t722 * t722;
    let t724 = select(p.c3, t722, 0.0lf < t723);
    let t725 = s.outcome_0_2 / t724;
    let t726 = p.c0 * t725;
    let t727 = select(p.c0, t726, t726 < p.c0);
    let t728 = select(0.0lf, t727, 0.0lf < t727);
    let t729 = s.outcome_0_5 + t728;
    let t730 = t721 * t729 + t711;
    let t731 = t728 - p.c0;
    let t732 = t730 * t731 + t704;
    let t733 = t728 * t732 + s.outcome_0_2;
    let t734 = p.c8 * t728;
    let t735 = t734 - p.c0;
    let t736 = t728 * t731;
    let t737 = t729 * t735 + t736;
    let t738 = t711 * t735 + t704;
    let t739 = t721 * t737 + t738;
    let t740 = t739 * t739;
    let t741 = select(p.c3, t739, 0.0lf < t740);
    let t742 = t733 / t741;
    let t743 = t728 - t742;
    let t744 = select(p.c0, t743, t743 < p.c0);
    let t745 = select(0.0lf, t744, 0.0lf < t744);
    let t746 = s.outcome_0_5 + t745;
    let t747 = t721 * t746 + t711;
    let t748 = t745 - p.c0;
    let t749 = t747 * t748 + t704;
    let t750 = t745 * t749 + s.outcome_0_2;
    let t751 = p.c8 * t745;
    let t752 = t751 - p.c0;
    let t753 = t745 * t748;
    let t754 = t746 * t752 + t753;
    let t755 = t711 * t752 + t704;
    let t756 = t721 * t754 + t755;
    let t757 = t756 * t756;
    let t758 = select(p.c3, t756, 0.0lf < t757);
    let t759 = t750 / t758;
    let t760 = t745 - t759;
    let t761 = select(p.c0, t760, t760 < p.c0);
    let t762 = select(0.0lf, t761, 0.0lf < t761);
    let t763 = t0 + t762;
    let t764 = select(t763, s.outcome_0_0, 0.0lf < s.outcome_0_2);
    let t765 = select(-1.0lf, t764, 0.0lf < t702);
    let t766 = s.q0 * t690;
    let t767 = s.q1 * t691;
    let t768 = t766 + t767;
    let t769 = s.q2 * t692;
    let t770 = t768 + t769;
    let t771 = s.q3 * t693;
    let t772 = t770 + t771;
    let t773 = select(t690, t694, t772 < 0.0lf);
    let t774 = -(t773);
    let t775 = select(t773, t774, s.q0 < 0.0lf);
    let t776 = -(t775);
    let t777 = t9 - t775;
    let t778 = select(p.c3, t777, 0.0lf < t776);
    let t779 = t9 / t778;
    let t780 = select(t779, p.c23, t779 < p.c23);
    let t781 = select(0.0lf, t780, 0.0lf < t776);
    let t782 = t775 - p.c22;
    let t783 = select(s.q0, t8, t772 < 0.0lf);
    let t784 = -(t783);
    let t785 = select(t783, t784, t690 < 0.0lf);
    let t786 = t785 - p.c22;
    let t787 = select(t781, p.c23, t781 < p.c23);
    let t788 = select(t787, p.c24, p.c24 < t787);
    let t789 = p.c0 * t788;
    let t790 = t782 - s.outcome_0_2;
    let t791 = t790 / p.c0;
    let t792 = t791 - t707;
    let t793 = t792 / t709;
    let t794 = select(0.0lf, t793, 0.0lf < s.outcome_0_5);
    let t795 = t794 - t717;
    let t796 = t795 / t719;
    let t797 = select(0.0lf, t796, 0.0lf < s.outcome_0_6);
    let t798 = s.outcome_0_5 + t789;
    let t799 = t797 * t798 + t794;
    let t800 = t789 - p.c0;
    let t801 = t799 * t800 + t791;
    let t802 = t789 * t801 + s.outcome_0_2;
    let t803 = t802 - s.outcome_0_2;
    let t804 = t803 / t789;
    let t805 = t804 - t707;
    let t806 = t805 / t798;
    let t807 = select(0.0lf, t806, 0.0lf < s.outcome_0_5);
    let t808 = t807 - t717;
    let t809 = s.outcome_0_6 + t798;
    let t810 = t808 / t809;
    let t811 = select(0.0lf, t810, 0.0lf < s.outcome_0_6);
    let t812 = s.outcome_0_2 - t802;
    let t813 = t812 * t812;
    let t814 = select(p.c3, t812, 0.0lf < t813);
    let t815 = s.outcome_0_2 / t814;
    let t816 = t789 * t815;
    let t817 = select(t789, t816, t816 < t789);
    let t818 = select(0.0lf, t817, 0.0lf < t817);
    let t819 = s.outcome_0_5 + t818;
    let t820 = t811 * t819 + t807;
    let t821 = t818 - t789;
    let t822 = t820 * t821 + t804;
    let t823 = t818 * t822 + s.outcome_0_2;
    let t824 = p.c8 * t818;
    let t825 = t824 - t789;
    let t826 = t818 * t821;
    let t827 = t819 * t825 + t826;
    let t828 = t807 * t825 + t804;
    let t829 = t811 * t827 + t828;
    let t830 = t829 * t829;
    let t831 = select(p.c3, t829, 0.0lf < t830);
    let t832 = t823 / t831;
    let t833 = t818 - t832;
    let t834 = select(t789, t833, t833 < t789);
    let t835 = select(0.0lf, t834, 0.0lf < t834);
    let t836 = s.outcome_0_5 + t835;
    let t837 = t811 * t836 + t807;
    let t838 = t835 - t789;
    let t839 = t837 * t838 + t804;
    let t840 = t835 * t839 + s.outcome_0_2;
    let t841 = p.c8 * t835;
    let t842 = t841 - t789;
    let t843 = t835 * t838;
    let t844 = t836 * t842 + t843;
    let t845 = t807 * t842 + t804;
    let t846 = t811 * t844 + t845;
    let t847 = t846 * t846;
    let t848 = select(p.c3, t846, 0.0lf < t847);
    let t849 = t840 / t848;
    let t850 = t835 - t849;
    let t851 = select(t789, t850, t850 < t789);
    let t852 = select(0.0lf, t851, 0.0lf < t851);
    let t853 = t0 + t852;
    let t854 = select(t853, s.outcome_0_0, 0.0lf < s.outcome_0_2);
    let t855 = select(-1.0lf, t854, 0.0lf < t802);
    let t856 = t702 - t786;
    let t857 = t788 * t856 + t786;
    let t858 = s.clock + t788;
    let t859 = p.c0 * t858;
    let t860 = select(t855, t859, t855 < 0.0lf);
    let t861 = select(-1.0lf, t860, 0.0lf < t857);
    let t862 = p.c0 - t789;
    let t863 = t702 - t857;
    let t864 = t863 / t862;
    let t865 = t857 - t702;
    let t866 = t865 * t865;
    let t867 = select(p.c3, t865, 0.0lf < t866);
    let t868 = t857 / t867;
    let t869 = t862 * t868;
    let t870 = select(t862, t869, t869 < t862);
    let t871 = select(0.0lf, t870, 0.0lf < t870);
    let t872 = t864 * t871 + t857;
    let t873 = t864 * t864;
    let t874 = select(p.c3, t864, 0.0lf < t873);
    let t875 = t872 / t874;
    let t876 = t871 - t875;
    let t877 = select(t862, t876, t876 < t862);
    let t878 = select(0.0lf, t877, 0.0lf < t877);
    let t879 = t864 * t878 + t857;
    let t880 = t879 / t874;
    let t881 = t878 - t880;
    let t882 = select(t862, t881, t881 < t862);
    let t883 = select(0.0lf, t882, 0.0lf < t882);
    let t884 = t859 + t883;
    let t885 = select(t884, t861, 0.0lf < t857);
    let t886 = select(-1.0lf, t885, 0.0lf < t702);
    let t887 = select(t765, t886, 0.0lf < t781);
    let t888 = select(s.outcome_0_2, t857, 0.0lf < t781);
    let t889 = select(s.outcome_0_3, s.outcome_0_2, 0.0lf < t781);
    let t890 = select(p.c0, t862, 0.0lf < t781);
    let t891 = select(s.outcome_0_5, 0.0lf, 0.0lf < t781);
    let t892 = -(t697);
    let t893 = select(t697, t892, t697 < 0.0lf);
    let t894 = -(t699);
    let t895 = select(t699, t894, t699 < 0.0lf);
    let t896 = select(t893, t895, t893 < t895);
    let t897 = -(t701);
    let t898 = select(t701, t897, t701 < 0.0lf);
    let t899 = select(t896, t898, t896 < t898);
    let t900 = p.c0 + t0;
    let t901 = select(0.0lf, p.c3, s.outcome_1_0 < t899);
    let t902 = select(s.outcome_1_0, t899, 0.0lf < t901);
    let t903 = select(s.outcome_1_1, t900, 0.0lf < t901);
    var next: State;
    next.q0 = t690;
    next.q1 = t691;
    next.q2 = t692;
    next.q3 = t693;
    next.wx = t675;
    next.wy = t676;
    next.wz = t677;
    next.amplitude_0 = t678;
    next.amplitude_1 = t679;
    next.amplitude_2 = t680;
    next.amplitude_rate_0 = t681;
    next.amplitude_rate_1 = t682;
    next.amplitude_rate_2 = t683;
    next.clock = t1;
    next.outcome_0_0 = t887;
    next.outcome_0_1 = 0.0lf;
    next.outcome_0_2 = t702;
    next.outcome_0_3 = t888;
    next.outcome_0_4 = t889;
    next.outcome_0_5 = t890;
    next.outcome_0_6 = t891;
    next.outcome_1_0 = t902;
    next.outcome_1_1 = t903;
    next.outcome_1_2 = t899;
    next.outcome_1_3 = s.outcome_1_2;
    next.outcome_1_4 = s.outcome_1_3;
    next.outcome_1_5 = p.c0;
    next.outcome_1_6 = s.outcome_1_5;
    return next;
}

// The method begins to carry these values (0 operations).
fn begin(instance: u32, s: State) -> State {
    var next = s;
    return next;
}

// The method carries these values after it was resynchronised (0 operations).
fn resynchronised(instance: u32, s: State) -> State {
    var next = s;
    return next;
}

// A value is judged by how large it may be; 0: however large.
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

// In the ensemble kernel an invocation takes one instance from step `run.first` to step `run.end`, its state in registers, and stores
// it back. Before this text stands shaders/prelude.wgsl, then the text of a mechanism and a method, which is generated: `real`,
// `State`, `Prepared`, `prepare`, `step`, `begin`, `resynchronised`, `load_state`, `store_state`, `flushed`, `is_finite_state`,
// `norm_error`, `passed`, and the constants of the verdict bounds.
//
// State and parameters are planes (structure of arrays, instance fastest): `plane * run.stride + instance`.

struct Run {
    // Steps first .. end are taken.
    first: u32,
    end: u32,
    // Instances start .. count are advanced; planes lie `stride` apart.
    count: u32,
    stride: u32,
    // The method is resynchronised every so many steps; 0: never.
    resynchronise: u32,
    // The verdict bounds are checked every so many steps.
    check: u32,
    start: u32,
    // The step that is taken has so many pieces, where own steps end inside it; else 1.
    pieces: u32,
    // The method begins anew every so many steps, because laws may jump there; 0: never.
    begin: u32,
}

@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read_write> state: array<real>;
@group(0) @binding(2) var<storage, read> parameters: array<real>;
// All instances share these: constants of the mechanism and the method, numbers of the stages of a lead, then the factors of the
// timed loads, piece by piece.
@group(0) @binding(3) var<storage, read> shared_values: array<real>;
// An instance has ended by this verdict, at this step.
@group(0) @binding(4) var<storage, read_write> ends: array<vec2<u32>>;

// Verdicts have the codes of src/base/verdict.rs.
const FINISHED = 0u;
const NON_FINITE = 1u;
const NORM_BOUND = 3u;

// Step k starts from this state: what has decayed is zero, and what the method carries may begin anew.
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

// The instance would end like this if it ended in state `s`. The worst verdict wins.
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
