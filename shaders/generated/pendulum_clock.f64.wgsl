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
    q2: real,
    wy: real,
    rx: real,
    rz: real,
    vx: real,
    vz: real,
    clock: real,
    angle_0: real,
    outcome_0_0: real,
    outcome_0_1: real,
    outcome_0_2: real,
    outcome_0_3: real,
    outcome_0_4: real,
    outcome_0_5: real,
    outcome_0_6: real,
    half_q0: real,
    half_q2: real,
    half_wy: real,
    half_rx: real,
    half_rz: real,
    half_vx: real,
    half_vz: real,
    multiplier_0: real,
    multiplier_2: real,
}

fn load_state(instance: u32) -> State {
    var s: State;
    s.q0 = state[0u * run.stride + instance];
    s.q2 = state[1u * run.stride + instance];
    s.wy = state[2u * run.stride + instance];
    s.rx = state[3u * run.stride + instance];
    s.rz = state[4u * run.stride + instance];
    s.vx = state[5u * run.stride + instance];
    s.vz = state[6u * run.stride + instance];
    s.clock = state[7u * run.stride + instance];
    s.angle_0 = state[8u * run.stride + instance];
    s.outcome_0_0 = state[9u * run.stride + instance];
    s.outcome_0_1 = state[10u * run.stride + instance];
    s.outcome_0_2 = state[11u * run.stride + instance];
    s.outcome_0_3 = state[12u * run.stride + instance];
    s.outcome_0_4 = state[13u * run.stride + instance];
    s.outcome_0_5 = state[14u * run.stride + instance];
    s.outcome_0_6 = state[15u * run.stride + instance];
    s.half_q0 = state[16u * run.stride + instance];
    s.half_q2 = state[17u * run.stride + instance];
    s.half_wy = state[18u * run.stride + instance];
    s.half_rx = state[19u * run.stride + instance];
    s.half_rz = state[20u * run.stride + instance];
    s.half_vx = state[21u * run.stride + instance];
    s.half_vz = state[22u * run.stride + instance];
    s.multiplier_0 = state[23u * run.stride + instance];
    s.multiplier_2 = state[24u * run.stride + instance];
    return s;
}

fn store_state(instance: u32, s: State) {
    state[0u * run.stride + instance] = s.q0;
    state[1u * run.stride + instance] = s.q2;
    state[2u * run.stride + instance] = s.wy;
    state[3u * run.stride + instance] = s.rx;
    state[4u * run.stride + instance] = s.rz;
    state[5u * run.stride + instance] = s.vx;
    state[6u * run.stride + instance] = s.vz;
    state[7u * run.stride + instance] = s.clock;
    state[8u * run.stride + instance] = s.angle_0;
    state[9u * run.stride + instance] = s.outcome_0_0;
    state[10u * run.stride + instance] = s.outcome_0_1;
    state[11u * run.stride + instance] = s.outcome_0_2;
    state[12u * run.stride + instance] = s.outcome_0_3;
    state[13u * run.stride + instance] = s.outcome_0_4;
    state[14u * run.stride + instance] = s.outcome_0_5;
    state[15u * run.stride + instance] = s.outcome_0_6;
    state[16u * run.stride + instance] = s.half_q0;
    state[17u * run.stride + instance] = s.half_q2;
    state[18u * run.stride + instance] = s.half_wy;
    state[19u * run.stride + instance] = s.half_rx;
    state[20u * run.stride + instance] = s.half_rz;
    state[21u * run.stride + instance] = s.half_vx;
    state[22u * run.stride + instance] = s.half_vz;
    state[23u * run.stride + instance] = s.multiplier_0;
    state[24u * run.stride + instance] = s.multiplier_2;
}

fn flushed(s: State) -> State {
    var next: State;
    next.q0 = flushed_real(s.q0);
    next.q2 = flushed_real(s.q2);
    next.wy = flushed_real(s.wy);
    next.rx = flushed_real(s.rx);
    next.rz = flushed_real(s.rz);
    next.vx = flushed_real(s.vx);
    next.vz = flushed_real(s.vz);
    next.clock = flushed_real(s.clock);
    next.angle_0 = flushed_real(s.angle_0);
    next.outcome_0_0 = flushed_real(s.outcome_0_0);
    next.outcome_0_1 = flushed_real(s.outcome_0_1);
    next.outcome_0_2 = flushed_real(s.outcome_0_2);
    next.outcome_0_3 = flushed_real(s.outcome_0_3);
    next.outcome_0_4 = flushed_real(s.outcome_0_4);
    next.outcome_0_5 = flushed_real(s.outcome_0_5);
    next.outcome_0_6 = flushed_real(s.outcome_0_6);
    next.half_q0 = flushed_real(s.half_q0);
    next.half_q2 = flushed_real(s.half_q2);
    next.half_wy = flushed_real(s.half_wy);
    next.half_rx = flushed_real(s.half_rx);
    next.half_rz = flushed_real(s.half_rz);
    next.half_vx = flushed_real(s.half_vx);
    next.half_vz = flushed_real(s.half_vz);
    next.multiplier_0 = flushed_real(s.multiplier_0);
    next.multiplier_2 = flushed_real(s.multiplier_2);
    return next;
}

fn is_finite_state(s: State) -> bool {
    return is_finite_real(s.q0)
        && is_finite_real(s.q2)
        && is_finite_real(s.wy)
        && is_finite_real(s.rx)
        && is_finite_real(s.rz)
        && is_finite_real(s.vx)
        && is_finite_real(s.vz)
        && is_finite_real(s.clock)
        && is_finite_real(s.angle_0)
        && is_finite_real(s.outcome_0_0)
        && is_finite_real(s.outcome_0_1)
        && is_finite_real(s.outcome_0_2)
        && is_finite_real(s.outcome_0_3)
        && is_finite_real(s.outcome_0_4)
        && is_finite_real(s.outcome_0_5)
        && is_finite_real(s.outcome_0_6);
}

const WORKGROUP = 64u;
const HAS_NORM_BOUND = false;
const NORM_BOUND_VALUE: real = 0.0lf;

fn norm_error(s: State) -> real {
    var largest = real(0.0);
    largest = max(largest, abs(sqrt(real(0.0) * real(0.0) + (s.q2 * s.q2 + (real(0.0) * real(0.0) + s.q0 * s.q0))) - real(1.0)));
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
    c25: real,
    c26: real,
    c27: real,
    c28: real,
    c29: real,
    c30: real,
    c31: real,
    c32: real,
    c33: real,
    c34: real,
    c35: real,
    c36: real,
    c37: real,
    c38: real,
    c39: real,
    c40: real,
    c41: real,
    c42: real,
}

fn prepare(instance: u32) -> Prepared {
    let t0 = shared_values[3] / parameters[0u * run.stride + instance];
    let t1 = shared_values[3] / parameters[1u * run.stride + instance];
    let t2 = parameters[7u * run.stride + instance] * shared_values[8];
    let t3 = sqrt(t2);
    let t4 = shared_values[2] * t3;
    let t5 = t1 * t2;
    let t6 = shared_values[3] + t5;
    let t7 = shared_values[3] / t6;
    let t8 = t1 * t3;
    let t9 = t7 * t8;
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
    p.c25 = shared_values[25];
    p.c26 = shared_values[26];
    p.c27 = shared_values[27];
    p.c28 = shared_values[28];
    p.c29 = shared_values[29];
    p.c30 = shared_values[30];
    p.c31 = shared_values[31];
    p.c32 = shared_values[32];
    p.c33 = parameters[4u * run.stride + instance];
    p.c34 = t0;
    p.c35 = t1;
    p.c36 = t3;
    p.c37 = t4;
    p.c38 = t9;
    p.c39 = t8;
    p.c40 = t7;
    p.c41 = parameters[5u * run.stride + instance];
    p.c42 = parameters[6u * run.stride + instance];
    return p;
}

// A full step takes 393 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.clock + p.c3;
    let t1 = s.clock * p.c0;
    let t2 = s.half_q2 * p.c33;
    let t3 = p.c9 * t2;
    let t4 = s.half_q2 * t3;
    let t5 = s.half_q0 * t3;
    let t6 = p.c33 - t4;
    let t7 = s.half_rx + t5;
    let t8 = s.half_rz + t6;
    let t9 = s.half_wy * p.c33;
    let t10 = s.half_wy * t9;
    let t11 = s.half_q2 * t10;
    let t12 = p.c9 * t11;
    let t13 = s.half_q0 * t12;
    let t14 = s.half_q2 * p.c9;
    let t15 = s.half_q2 * t14 + p.c4;
    let t16 = s.half_q0 * t14;
    let t17 = p.c33 * t15;
    let t18 = p.c33 * t16;
    let t19 = s.q2 * p.c9;
    let t20 = s.q2 * t19 + p.c4;
    let t21 = s.q0 * t19;
    let t22 = p.c33 * t20;
    let t23 = p.c33 * t21;
    let t24 = t17 * p.c34;
    let t25 = t17 * t24;
    let t26 = p.c35 + t25;
    let t27 = t18 * t24;
    let t28 = t18 * p.c34;
    let t29 = t18 * t28;
    let t30 = p.c35 + t29;
    let t31 = p.c10 - s.half_q2 * t12;
    let t32 = s.half_wy * t9 + t31;
    let t33 = s.vx * p.c36;
    let t34 = p.c11 * t33;
    let t35 = s.vz * p.c36;
    let t36 = p.c11 * t35 + p.c37;
    let t37 = t34 * p.c38 + t13;
    let t38 = t26 - p.c39 * p.c38;
    let t39 = t36 * p.c38 + t32;
    let t40 = t30 - p.c39 * p.c38;
    let t41 = s.wy * t22;
    let t42 = t41 - s.vx;
    let t43 = s.wy * t23;
    let t44 = t43 - s.vz;
    let t45 = t38 * p.c12 + p.c5;
    let t46 = p.c8 * t38 + t45;
    let t47 = t40 * p.c12 + p.c5;
    let t48 = p.c8 * t27;
    let t49 = p.c8 * t40 + t47;
    let t50 = p.c6 * t42 + t37;
    let t51 = t50 - p.c7 * t7;
    let t52 = s.multiplier_0 * t45;
    let t53 = p.c8 * t51 + t52;
    let t54 = p.c6 * t44 + t39;
    let t55 = t54 - p.c7 * t8;
    let t56 = s.multiplier_2 * t47;
    let t57 = p.c8 * t55 + t56;
    let t58 = p.c3 / t46;
    let t59 = t48 * t58;
    let t60 = t49 - t48 * t59;
    let t61 = p.c3 / t60;
    let t62 = t57 - t53 * t59;
    let t63 = t61 * t62;
    let t64 = t53 * t58;
    let t65 = t64 - t59 * t63;
    let t66 = t17 * t65;
    let t67 = t18 * t63 + t66;
    let t68 = p.c39 * t65 + t34;
    let t69 = p.c39 * t63 + t36;
    let t70 = p.c40 * t68;
    let t71 = p.c40 * t69;
    let t72 = t65 - p.c36 * t70;
    let t73 = t63 - p.c36 * t71;
    let t74 = p.c34 * t67;
    let t75 = p.c35 * t72;
    let t76 = p.c35 * t73 + p.c2;
    let t77 = s.wy - p.c0 * t74;
    let t78 = p.c0 * t75 + s.vx;
    let t79 = p.c0 * t76 + s.vz;
    let t80 = s.half_wy * p.c13;
    let t81 = t80 * t80 + p.c3;
    let t82 = p.c9 / t81;
    let t83 = s.q0 - s.q2 * t80;
    let t84 = s.q0 * t80 + s.q2;
    let t85 = t82 * t83 - s.q0;
    let t86 = t82 * t84 - s.q2;
    let t87 = t85 * t85;
    let t88 = t86 * t86 + t87;
    let t89 = p.c14 - p.c1 * t88;
    let t90 = t85 * t89;
    let t91 = t86 * t89;
    let t92 = s.half_vx * p.c0 + s.rx;
    let t93 = s.half_vz * p.c0 + s.rz;
    let t94 = p.c33 * t91;
    let t95 = p.c9 * t94;
    let t96 = t91 * t95;
    let t97 = t90 * t95;
    let t98 = p.c33 - t96;
    let t99 = t92 + t97;
    let t100 = t93 + t98;
    let t101 = p.c33 * t77;
    let t102 = t77 * t101;
    let t103 = t91 * t102;
    let t104 = p.c9 * t103;
    let t105 = t90 * t104;
    let t106 = p.c9 * t91;
    let t107 = t91 * t106 + p.c4;
    let t108 = t90 * t106;
    let t109 = p.c33 * t107;
    let t110 = p.c33 * t108;
    let t111 = p.c34 * t109;
    let t112 = t109 * t111;
    let t113 = p.c35 + t112;
    let t114 = t110 * t111;
    let t115 = p.c34 * t110;
    let t116 = t110 * t115;
    let t117 = p.c35 + t116;
    let t118 = p.c10 - t91 * t104;
    let t119 = t77 * t101 + t118;
    let t120 = s.half_vx * p.c36;
    let t121 = p.c11 * t120;
    let t122 = s.half_vz * p.c36;
    let t123 = p.c11 * t122 + p.c37;
    let t124 = p.c38 * t121 + t105;
    let t125 = t113 - p.c39 * p.c38;
    let t126 = p.c38 * t123 + t119;
    let t127 = t117 - p.c39 * p.c38;
    let t128 = s.half_wy * t17;
    let t129 = t128 - s.half_vx;
    let t130 = s.half_wy * t18;
    let t131 = t130 - s.half_vz;
    let t132 = p.c12 * t125 + p.c5;
    let t133 = p.c8 * t125 + t132;
    let t134 = p.c12 * t127 + p.c5;
    let t135 = p.c8 * t114;
    let t136 = p.c8 * t127 + t134;
    let t137 = p.c6 * t129 + t124;
    let t138 = t137 - p.c7 * t99;
    let t139 = t65 * t132;
    let t140 = p.c8 * t138 + t139;
    let t141 = p.c6 * t131 + t126;
    let t142 = t141 - p.c7 * t100;
    let t143 = t63 * t134;
    let t144 = p.c8 * t142 + t143;
    let t145 = p.c3 / t133;
    let t146 = t135 * t145;
    let t147 = t136 - t135 * t146;
    let t148 = p.c3 / t147;
    let t149 = t144 - t140 * t146;
    let t150 = t148 * t149;
    let t151 = t140 * t145;
    let t152 = t151 - t146 * t150;
    let t153 = t109 * t152;
    let t154 = t110 * t150 + t153;
    let t155 = p.c39 * t152 + t121;
    let t156 = p.c39 * t150 + t123;
    let t157 = p.c40 * t155;
    let t158 = p.c40 * t156;
    let t159 = t152 - p.c36 * t157;
    let t160 = t150 - p.c36 * t158;
    let t161 = p.c34 * t154;
    let t162 = p.c35 * t159;
    let t163 = p.c35 * t160 + p.c2;
    let t164 = s.half_wy - p.c0 * t161;
    let t165 = p.c0 * t162 + s.half_vx;
    let t166 = p.c0 * t163 + s.half_vz;
    let t167 = t77 * p.c13;
    let t168 = t167 * t167 + p.c3;
    let t169 = p.c9 / t168;
    let t170 = s.half_q0 - s.half_q2 * t167;
    let t171 = s.half_q0 * t167 + s.half_q2;
    let t172 = t169 * t170 - s.half_q0;
    let t173 = t169 * t171 - s.half_q2;
    let t174 = t172 * t172;
    let t175 = t173 * t173 + t174;
    let t176 = p.c14 - p.c1 * t175;
    let t177 = t172 * t176;
    let t178 = t173 * t176;
    let t179 = p.c0 * t78 + s.half_rx;
    let t180 = p.c0 * t79 + s.half_rz;
    let t181 = p.c41 * t91;
    let t182 = p.c9 * t181;
    let t183 = t91 * t182;
    let t184 = t90 * t182;
    let t185 = -(t184);
    let t186 = p.c41 - t183;
    let t187 = -(t186);
    let t188 = select(t186, t187, t186 < 0.0lf);
    let t189 = select(t184, t185, t184 < 0.0lf);
    let t190 = select(t188, t189, t189 < t188);
    let t191 = select(t189, t188, t189 < t188);
    let t192 = p.c15 * t191;
    let t193 = t190 - t191;
    let t194 = select(t190, t193, t192 < t190);
    let t195 = t190 + t191;
    let t196 = select(t191, t195, t192 < t190);
    let t197 = p.c3 + t196;
    let t198 = select(t197, t196, 0.0lf < t196);
    let t199 = t194 / t198;
    let t200 = t199 * t199;
    let t201 = t199 * t200;
    let t202 = p.c16 * t200 + p.c17;
    let t203 = t200 * t202 + p.c18;
    let t204 = t200 * t203 + p.c19;
    let t205 = t200 * t204 + p.c20;
    let t206 = t200 * t205 + p.c21;
    let t207 = t200 * t206 + p.c22;
    let t208 = t200 * t207 + p.c23;
    let t209 = t200 * t208 + p.c24;
    let t210 = t200 * t209 + p.c25;
    let t211 = t200 * t210 + p.c26;
    let t212 = t200 * t211 + p.c27;
    let t213 = t201 * t212 + t199;
    let t214 = p.c28 + t213;
    let t215 = select(t213, t214, t192 < t190);
    let t216 = p.c29 - t215;
    let t217 = select(t215, t216, t188 < t189);
    let t218 = p.c30 - t217;
    let t219 = select(t217, t218, t186 < 0.0lf);
    let t220 = -(t219);
    let t221 = select(t219, t220, t184 < 0.0lf);
    let t222 = s.angle_0 - t221;
    let t223 = p.c32 * t222;
    let t224 = p.c1 + t223;
    let t225 = floor(t224);
    let t226 = p.c31 * t225 + t221;
    let t227 = p.c42 * t77;
    let t228 = t227 - s.outcome_0_2;
    let t229 = t228 / p.c0;
    let t230 = s.outcome_0_2 - s.outcome_0_3;
    let t231 = select(p.c3, s.outcome_0_5, 0.0lf < s.outcome_0_5);
    let t232 = t230 / t231;
    let t233 = t229 - t232;
    let t234 = s.outcome_0_5 + p.c0;
    let t235 = t233 / t234;
    let t236 = select(0.0lf, t235, 0.0lf < s.outcome_0_5);
    let t237 = s.outcome_0_3 - s.outcome_0_4;
    let t238 = select(p.c3, s.outcome_0_6, 0.0lf < s.outcome_0_6);
    let t239 = t237 / t238;
    let t240 = t232 - t239;
    let t241 = s.outcome_0_6 + t231;
    let t242 = t240 / t241;
    let t243 = t236 - t242;
    let t244 = s.outcome_0_6 + t234;
    let t245 = t243 / t244;
    let t246 = select(0.0lf, t245, 0.0lf < s.outcome_0_6);
    let t247 = s.outcome_0_2 - t227;
    let t248 = t247 * t247;
    let t249 = select(p.c3, t247, 0.0lf < t248);
    let t250 = s.outcome_0_2 / t249;
    let t251 = p.c0 * t250;
    let t252 = select(p.c0, t251, t251 < p.c0);
    let t253 = select(0.0lf, t252, 0.0lf < t252);
    let t254 = s.outcome_0_5 + t253;
    let t255 = t246 * t254 + t236;
    let t256 = t253 - p.c0;
    let t257 = t255 * t256 + t229;
    let t258 = t253 * t257 + s.outcome_0_2;
    let t259 = p.c9 * t253;
    let t260 = t259 - p.c0;
    let t261 = t253 * t256;
    let t262 = t254 * t260 + t261;
    let t263 = t236 * t260 + t229;
    let t264 = t246 * t262 + t263;
    let t265 = t264 * t264;
    let t266 = select(p.c3, t264, 0.0lf < t265);
    let t267 = t258 / t266;
    let t268 = t253 - t267;
    let t269 = select(p.c0, t268, t268 < p.c0);
    let t270 = select(0.0lf, t269, 0.0lf < t269);
    let t271 = s.outcome_0_5 + t270;
    let t272 = t246 * t271 + t236;
    let t273 = t270 - p.c0;
    let t274 = t272 * t273 + t229;
    let t275 = t270 * t274 + s.outcome_0_2;
    let t276 = p.c9 * t270;
    let t277 = t276 - p.c0;
    let t278 = t270 * t273;
    let t279 = t271 * t277 + t278;
    let t280 = t236 * t277 + t229;
    let t281 = t246 * t279 + t280;
    let t282 = t281 * t281;
    let t283 = select(p.c3, t281, 0.0lf < t282);
    let t284 = t275 / t283;
    let t285 = t270 - t284;
    let t286 = select(p.c0, t285, t285 < p.c0);
    let t287 = select(0.0lf, t286, 0.0lf < t286);
    let t288 = t1 + t287;
    let t289 = select(0.0lf, p.c3, s.outcome_0_0 < 0.0lf);
    let t290 = select(s.outcome_0_0, t288, 0.0lf < t227);
    let t291 = select(s.outcome_0_0, t290, 0.0lf < t289);
    var next: State;
    next.q0 = t90;
    next.q2 = t91;
    next.wy = t77;
    next.rx = t92;
    next.rz = t93;
    next.vx = t78;
    next.vz = t79;
    next.clock = t0;
    next.angle_0 = t226;
    next.outcome_0_0 = t291;
    next.outcome_0_1 = 0.0lf;
    next.outcome_0_2 = t227;
    next.outcome_0_3 = s.outcome_0_2;
    next.outcome_0_4 = s.outcome_0_3;
    next.outcome_0_5 = p.c0;
    next.outcome_0_6 = s.outcome_0_5;
    next.half_q0 = t177;
    next.half_q2 = t178;
    next.half_wy = t164;
    next.half_rx = t179;
    next.half_rz = t180;
    next.half_vx = t165;
    next.half_vz = t166;
    next.multiplier_0 = t152;
    next.multiplier_2 = t150;
    return next;
}

// The method begins to carry these values (60 operations).
fn begin(instance: u32, s: State) -> State {
    let t0 = s.wy * parameters[4u * run.stride + instance];
    let t1 = s.wy * t0;
    let t2 = s.q2 * t1;
    let t3 = shared_values[9] * t2;
    let t4 = s.q0 * t3;
    let t5 = s.q2 * shared_values[9];
    let t6 = s.q2 * t5 + shared_values[4];
    let t7 = s.q0 * t5;
    let t8 = parameters[4u * run.stride + instance] * t6;
    let t9 = parameters[4u * run.stride + instance] * t7;
    let t10 = shared_values[3] / parameters[0u * run.stride + instance];
    let t11 = shared_values[3] / parameters[1u * run.stride + instance];
    let t12 = s.vx * parameters[7u * run.stride + instance];
    let t13 = s.vz * parameters[7u * run.stride + instance];
    let t14 = t11 * t12;
    let t15 = shared_values[2] - t11 * t13;
    let t16 = t8 * t10;
    let t17 = t8 * t16;
    let t18 = t11 + t17;
    let t19 = t9 * t16;
    let t20 = t9 * t10;
    let t21 = t9 * t20;
    let t22 = t11 + t21;
    let t23 = t4 + t14;
    let t24 = s.q2 * t3 + t15;
    let t25 = t24 - s.wy * t0;
    let t26 = t18 * shared_values[33] + shared_values[5];
    let t27 = t22 * shared_values[33] + shared_values[5];
    let t28 = shared_values[3] / t26;
    let t29 = t19 * t28;
    let t30 = t27 - t19 * t29;
    let t31 = shared_values[3] / t30;
    let t32 = t23 * t29 + t25;
    let t33 = t31 * t32;
    let t34 = t23 * t28;
    let t35 = t29 * t33 + t34;
    let t36 = t23 - t18 * t35;
    let t37 = t19 * t33 + t36;
    let t38 = t19 * t35 + t25;
    let t39 = t22 * t33 - t38;
    let t40 = t39 - t29 * t37;
    let t41 = t31 * t40;
    let t42 = t35 - t29 * t41;
    let t43 = t28 * t37 + t42;
    let t44 = t40 - t32;
    let t45 = t31 * t44;
    var next = s;
    next.multiplier_0 = t43;
    next.multiplier_2 = t45;
    return led(instance, next);
}

// The method carries these values after it was resynchronised (0 operations).
fn resynchronised(instance: u32, s: State) -> State {
    var next = s;
    next.multiplier_0 = s.multiplier_0;
    next.multiplier_2 = s.multiplier_2;
    return led(instance, next);
}

// The second chain is led away from the motions by Runge-Kutta steps: one stands here.
struct Lead {
    base_q0: real,
    base_q2: real,
    base_wy: real,
    base_rx: real,
    base_rz: real,
    base_vx: real,
    base_vz: real,
    at_q0: real,
    at_q2: real,
    at_wy: real,
    at_vx: real,
    at_vz: real,
    sum_q0: real,
    sum_q2: real,
    sum_wy: real,
    sum_rx: real,
    sum_rz: real,
    sum_vx: real,
    sum_vz: real,
}

// A lead begins at the motions.
fn lead_opened(instance: u32, s: State) -> Lead {
    var next: Lead;
    next.base_q0 = s.q0;
    next.base_q2 = s.q2;
    next.base_wy = s.wy;
    next.base_rx = s.rx;
    next.base_rz = s.rz;
    next.base_vx = s.vx;
    next.base_vz = s.vz;
    next.at_q0 = s.q0;
    next.at_q2 = s.q2;
    next.at_wy = s.wy;
    next.at_vx = s.vx;
    next.at_vz = s.vz;
    next.sum_q0 = 0.0lf;
    next.sum_q2 = 0.0lf;
    next.sum_wy = 0.0lf;
    next.sum_rx = 0.0lf;
    next.sum_rz = 0.0lf;
    next.sum_vx = 0.0lf;
    next.sum_vz = 0.0lf;
    return next;
}

// A stage takes 114 operations.
fn lead_stage(instance: u32, s: State, c: Lead, number: u32) -> Lead {
    let t0 = shared_values[3] / parameters[0u * run.stride + instance];
    let t1 = shared_values[3] / parameters[1u * run.stride + instance];
    let t2 = c.at_q0 * c.at_q0;
    let t3 = c.at_q2 * c.at_q2 + t2;
    let t4 = t3 + shared_values[35];
    let t5 = t3 * t4 + shared_values[34];
    let t6 = t3 * shared_values[34] + shared_values[35];
    let t7 = t3 * t6 + shared_values[3];
    let t8 = t5 / t7;
    let t9 = c.at_q0 * t8;
    let t10 = c.at_q2 * t8;
    let t11 = parameters[4u * run.stride + instance] * c.at_wy;
    let t12 = c.at_wy * t11;
    let t13 = t10 * t12;
    let t14 = shared_values[9] * t13;
    let t15 = t9 * t14;
    let t16 = shared_values[9] * t10;
    let t17 = t10 * t16 + shared_values[4];
    let t18 = t9 * t16;
    let t19 = parameters[4u * run.stride + instance] * t17;
    let t20 = parameters[4u * run.stride + instance] * t18;
    let t21 = parameters[7u * run.stride + instance] * c.at_vx;
    let t22 = parameters[7u * run.stride + instance] * c.at_vz;
    let t23 = t1 * t21;
    let t24 = shared_values[2] - t1 * t22;
    let t25 = t0 * t19;
    let t26 = t19 * t25;
    let t27 = t1 + t26;
    let t28 = t20 * t25;
    let t29 = t0 * t20;
    let t30 = t20 * t29;
    let t31 = t1 + t30;
    let t32 = t15 + t23;
    let t33 = t10 * t14 + t24;
    let t34 = t33 - c.at_wy * t11;
    let t35 = shared_values[33] * t27 + shared_values[5];
    let t36 = shared_values[33] * t31 + shared_values[5];
    let t37 = shared_values[3] / t35;
    let t38 = t28 * t37;
    let t39 = t36 - t28 * t38;
    let t40 = shared_values[3] / t39;
    let t41 = t32 * t38 + t34;
    let t42 = t40 * t41;
    let t43 = t32 * t37;
    let t44 = t38 * t42 + t43;
    let t45 = t32 - t27 * t44;
    let t46 = t28 * t42 + t45;
    let t47 = t28 * t44 + t34;
    let t48 = t31 * t42 - t47;
    let t49 = t48 - t38 * t46;
    let t50 = t40 * t49;
    let t51 = t44 - t38 * t50;
    let t52 = t37 * t46 + t51;
    let t53 = t49 - t41;
    let t54 = t40 * t53;
    let t55 = t19 * t52;
    let t56 = t20 * t54 + t55;
    let t57 = t0 * t56;
    let t58 = t52 - t21;
    let t59 = t1 * t58;
    let t60 = t1 * t54 + t24;
    let t61 = shared_values[13] * t57;
    let t62 = shared_values[13] * t59;
    let t63 = shared_values[13] * t60;
    let t64 = c.at_q2 * c.at_wy;
    let t65 = c.at_q0 * c.at_wy;
    let t66 = shared_values[36] * t64;
    let t67 = shared_values[36] * t65;
    let t68 = c.at_vx * shared_values[13];
    let t69 = c.at_vz * shared_values[13];
    let t70 = c.base_q0 - shared_values[39u + 3u * number] * t66;
    let t71 = shared_values[39u + 3u * number] * t67 + c.base_q2;
    let t72 = c.base_wy - shared_values[39u + 3u * number] * t61;
    let t73 = shared_values[39u + 3u * number] * t62 + c.base_vx;
    let t74 = shared_values[39u + 3u * number] * t63 + c.base_vz;
    let t75 = c.sum_q0 - shared_values[40u + 3u * number] * t66;
    let t76 = shared_values[40u + 3u * number] * t67 + c.sum_q2;
    let t77 = c.sum_wy - shared_values[40u + 3u * number] * t61;
    let t78 = shared_values[40u + 3u * number] * t68 + c.sum_rx;
    let t79 = shared_values[40u + 3u * number] * t69 + c.sum_rz;
    let t80 = shared_values[40u + 3u * number] * t62 + c.sum_vx;
    let t81 = shared_values[40u + 3u * number] * t63 + c.sum_vz;
    var next = c;
    next.at_q0 = t70;
    next.at_q2 = t71;
    next.at_wy = t72;
    next.at_vx = t73;
    next.at_vz = t74;
    next.sum_q0 = t75;
    next.sum_q2 = t76;
    next.sum_wy = t77;
    next.sum_rx = t78;
    next.sum_rz = t79;
    next.sum_vx = t80;
    next.sum_vz = t81;
    return next;
}

// A Runge-Kutta step ends, and another one may begin there.
fn lead_settled(instance: u32, s: State, c: Lead) -> Lead {
    let t0 = c.sum_q0 * shared_values[37] + c.base_q0;
    let t1 = c.sum_q2 * shared_values[37] + c.base_q2;
    let t2 = c.sum_wy * shared_values[37] + c.base_wy;
    let t3 = c.sum_rx * shared_values[37] + c.base_rx;
    let t4 = c.sum_rz * shared_values[37] + c.base_rz;
    let t5 = c.sum_vx * shared_values[37] + c.base_vx;
    let t6 = c.sum_vz * shared_values[37] + c.base_vz;
    let t7 = t0 * t0;
    let t8 = t1 * t1 + t7;
    let t9 = sqrt(t8);
    let t10 = shared_values[3] / t9;
    let t11 = t0 * t10;
    let t12 = t1 * t10;
    var next = c;
    next.base_q0 = t11;
    next.base_q2 = t12;
    next.base_wy = t2;
    next.base_rx = t3;
    next.base_rz = t4;
    next.base_vx = t5;
    next.base_vz = t6;
    next.at_q0 = t11;
    next.at_q2 = t12;
    next.at_wy = t2;
    next.at_vx = t5;
    next.at_vz = t6;
    next.sum_q0 = 0.0lf;
    next.sum_q2 = 0.0lf;
    next.sum_wy = 0.0lf;
    next.sum_rx = 0.0lf;
    next.sum_rz = 0.0lf;
    next.sum_vx = 0.0lf;
    next.sum_vz = 0.0lf;
    return next;
}

// The chain is where the last step ended.
fn lead_closed(instance: u32, s: State, c: Lead) -> State {
    var next = s;
    next.half_q0 = c.base_q0;
    next.half_q2 = c.base_q2;
    next.half_wy = c.base_wy;
    next.half_rx = c.base_rx;
    next.half_rz = c.base_rz;
    next.half_vx = c.base_vx;
    next.half_vz = c.base_vz;
    return next;
}

// 2 Runge-Kutta steps lead the chain away from the motions.
fn led(instance: u32, s: State) -> State {
    var c = lead_opened(instance, s);
    for (var number = 0u; number < 8u; number++) {
        c = lead_stage(instance, s, c, number);
        if number % 4u == 3u {
            c = lead_settled(instance, s, c);
        }
    }
    return lead_closed(instance, s, c);
}

// A value is judged by how large it may be; 0: however large.
struct Judged {
    value: real,
    allowed: real,
}

fn energy_change(instance: u32, s: State) -> Judged {
    let t0 = s.vx * s.vx;
    let t1 = s.vz * s.vz + t0;
    let t2 = parameters[1u * run.stride + instance] * shared_values[10] + parameters[3u * run.stride + instance];
    let t3 = parameters[1u * run.stride + instance] * shared_values[2];
    let t4 = s.wy * parameters[0u * run.stride + instance];
    let t5 = s.wy * t4;
    let t6 = parameters[1u * run.stride + instance] * t1 + t5;
    let t7 = shared_values[1] * t6;
    let t8 = t2 + t7;
    let t9 = shared_values[38] * t8;
    let t10 = select(0.0lf, t9, 0.0lf < t2);
    let t11 = t7 - parameters[2u * run.stride + instance];
    let t12 = s.rz * t3;
    let t13 = t11 - t12;
    let t14 = select(0.0lf, t13, 0.0lf < t13);
    return Judged(t14, t10);
}

fn constraint_violation(instance: u32, s: State) -> Judged {
    let t0 = s.q2 * parameters[4u * run.stride + instance];
    let t1 = shared_values[9] * t0;
    let t2 = s.q2 * t1;
    let t3 = s.q0 * t1;
    let t4 = parameters[4u * run.stride + instance] - t2;
    let t5 = s.rx + t3;
    let t6 = s.rz + t4;
    let t7 = t5 * t5;
    let t8 = t6 * t6 + t7;
    let t9 = sqrt(t8);
    return Judged(t9, shared_values[0]);
}

fn is_passed(judged: Judged) -> bool {
    return judged.allowed > real(0.0) && abs(judged.value) > judged.allowed;
}

// The verdict of the first bound that is passed, else FINISHED.
fn passed(instance: u32, s: State) -> u32 {
    if is_passed(energy_change(instance, s)) {
        return 2u; // energy_bound
    }
    if is_passed(constraint_violation(instance, s)) {
        return 6u; // constraint_bound
    }
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
