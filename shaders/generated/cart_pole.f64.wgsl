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
    b0_q0: real,
    b0_rx: real,
    b0_rz: real,
    b0_vx: real,
    b0_vz: real,
    b1_q0: real,
    b1_q2: real,
    b1_wy: real,
    b1_rx: real,
    b1_rz: real,
    b1_vx: real,
    b1_vz: real,
    clock: real,
    angle_1: real,
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
    outcome_2_0: real,
    outcome_2_1: real,
    outcome_2_2: real,
    outcome_2_3: real,
    outcome_2_4: real,
    outcome_2_5: real,
    outcome_2_6: real,
}

fn load_state(instance: u32) -> State {
    var s: State;
    s.b0_q0 = state[0u * run.stride + instance];
    s.b0_rx = state[1u * run.stride + instance];
    s.b0_rz = state[2u * run.stride + instance];
    s.b0_vx = state[3u * run.stride + instance];
    s.b0_vz = state[4u * run.stride + instance];
    s.b1_q0 = state[5u * run.stride + instance];
    s.b1_q2 = state[6u * run.stride + instance];
    s.b1_wy = state[7u * run.stride + instance];
    s.b1_rx = state[8u * run.stride + instance];
    s.b1_rz = state[9u * run.stride + instance];
    s.b1_vx = state[10u * run.stride + instance];
    s.b1_vz = state[11u * run.stride + instance];
    s.clock = state[12u * run.stride + instance];
    s.angle_1 = state[13u * run.stride + instance];
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
    s.outcome_2_0 = state[28u * run.stride + instance];
    s.outcome_2_1 = state[29u * run.stride + instance];
    s.outcome_2_2 = state[30u * run.stride + instance];
    s.outcome_2_3 = state[31u * run.stride + instance];
    s.outcome_2_4 = state[32u * run.stride + instance];
    s.outcome_2_5 = state[33u * run.stride + instance];
    s.outcome_2_6 = state[34u * run.stride + instance];
    return s;
}

fn store_state(instance: u32, s: State) {
    state[0u * run.stride + instance] = s.b0_q0;
    state[1u * run.stride + instance] = s.b0_rx;
    state[2u * run.stride + instance] = s.b0_rz;
    state[3u * run.stride + instance] = s.b0_vx;
    state[4u * run.stride + instance] = s.b0_vz;
    state[5u * run.stride + instance] = s.b1_q0;
    state[6u * run.stride + instance] = s.b1_q2;
    state[7u * run.stride + instance] = s.b1_wy;
    state[8u * run.stride + instance] = s.b1_rx;
    state[9u * run.stride + instance] = s.b1_rz;
    state[10u * run.stride + instance] = s.b1_vx;
    state[11u * run.stride + instance] = s.b1_vz;
    state[12u * run.stride + instance] = s.clock;
    state[13u * run.stride + instance] = s.angle_1;
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
    state[28u * run.stride + instance] = s.outcome_2_0;
    state[29u * run.stride + instance] = s.outcome_2_1;
    state[30u * run.stride + instance] = s.outcome_2_2;
    state[31u * run.stride + instance] = s.outcome_2_3;
    state[32u * run.stride + instance] = s.outcome_2_4;
    state[33u * run.stride + instance] = s.outcome_2_5;
    state[34u * run.stride + instance] = s.outcome_2_6;
}

fn flushed(s: State) -> State {
    var next: State;
    next.b0_q0 = flushed_real(s.b0_q0);
    next.b0_rx = flushed_real(s.b0_rx);
    next.b0_rz = flushed_real(s.b0_rz);
    next.b0_vx = flushed_real(s.b0_vx);
    next.b0_vz = flushed_real(s.b0_vz);
    next.b1_q0 = flushed_real(s.b1_q0);
    next.b1_q2 = flushed_real(s.b1_q2);
    next.b1_wy = flushed_real(s.b1_wy);
    next.b1_rx = flushed_real(s.b1_rx);
    next.b1_rz = flushed_real(s.b1_rz);
    next.b1_vx = flushed_real(s.b1_vx);
    next.b1_vz = flushed_real(s.b1_vz);
    next.clock = flushed_real(s.clock);
    next.angle_1 = flushed_real(s.angle_1);
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
    next.outcome_2_0 = flushed_real(s.outcome_2_0);
    next.outcome_2_1 = flushed_real(s.outcome_2_1);
    next.outcome_2_2 = flushed_real(s.outcome_2_2);
    next.outcome_2_3 = flushed_real(s.outcome_2_3);
    next.outcome_2_4 = flushed_real(s.outcome_2_4);
    next.outcome_2_5 = flushed_real(s.outcome_2_5);
    next.outcome_2_6 = flushed_real(s.outcome_2_6);
    return next;
}

fn is_finite_state(s: State) -> bool {
    return is_finite_real(s.b0_q0)
        && is_finite_real(s.b0_rx)
        && is_finite_real(s.b0_rz)
        && is_finite_real(s.b0_vx)
        && is_finite_real(s.b0_vz)
        && is_finite_real(s.b1_q0)
        && is_finite_real(s.b1_q2)
        && is_finite_real(s.b1_wy)
        && is_finite_real(s.b1_rx)
        && is_finite_real(s.b1_rz)
        && is_finite_real(s.b1_vx)
        && is_finite_real(s.b1_vz)
        && is_finite_real(s.clock)
        && is_finite_real(s.angle_1)
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
        && is_finite_real(s.outcome_1_6)
        && is_finite_real(s.outcome_2_0)
        && is_finite_real(s.outcome_2_1)
        && is_finite_real(s.outcome_2_2)
        && is_finite_real(s.outcome_2_3)
        && is_finite_real(s.outcome_2_4)
        && is_finite_real(s.outcome_2_5)
        && is_finite_real(s.outcome_2_6);
}

const WORKGROUP = 64u;
const HAS_NORM_BOUND = false;
const NORM_BOUND_VALUE: real = 0.0lf;

fn norm_error(s: State) -> real {
    var largest = real(0.0);
    largest = max(largest, abs(sqrt(real(0.0) * real(0.0) + (real(0.0) * real(0.0) + (real(0.0) * real(0.0) + s.b0_q0 * s.b0_q0))) - real(1.0)));
    largest = max(largest, abs(sqrt(real(0.0) * real(0.0) + (s.b1_q2 * s.b1_q2 + (real(0.0) * real(0.0) + s.b1_q0 * s.b1_q0))) - real(1.0)));
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
}

fn prepare(instance: u32) -> Prepared {
    let t0 = shared_values[1] / parameters[0u * run.stride + instance];
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
    p.c33 = shared_values[33];
    p.c34 = shared_values[34];
    p.c35 = shared_values[35];
    p.c36 = shared_values[36];
    p.c37 = shared_values[66];
    p.c38 = shared_values[67];
    p.c39 = shared_values[68];
    p.c40 = t0;
    return p;
}

// One full step: 972 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.clock * p.c0;
    let t1 = s.clock + p.c1;
    let t2 = s.b1_wy * p.c10;
    let t3 = s.b1_wy * t2;
    let t4 = s.b1_q2 * t3;
    let t5 = p.c12 * t4;
    let t6 = s.b1_q0 * t5;
    let t7 = s.b1_q2 * p.c12;
    let t8 = s.b1_q2 * t7 + p.c9;
    let t9 = s.b1_q0 * t7;
    let t10 = -(t9);
    let t11 = p.c10 * t8;
    let t12 = p.c10 * t9;
    let t13 = s.b1_q2 * t7;
    let t14 = p.c1 - t13;
    let t15 = -(t14);
    let t16 = select(t14, t15, t14 < 0.0lf);
    let t17 = select(t9, t10, t9 < 0.0lf);
    let t18 = select(t16, t17, t17 < t16);
    let t19 = select(t17, t16, t17 < t16);
    let t20 = t19 * p.c13;
    let t21 = t18 - t19;
    let t22 = select(t18, t21, t20 < t18);
    let t23 = t18 + t19;
    let t24 = select(t19, t23, t20 < t18);
    let t25 = p.c1 + t24;
    let t26 = select(t25, t24, 0.0lf < t24);
    let t27 = t22 / t26;
    let t28 = t27 * t27;
    let t29 = t27 * t28;
    let t30 = t28 * p.c14 + p.c15;
    let t31 = t28 * t30 + p.c16;
    let t32 = t28 * t31 + p.c17;
    let t33 = t28 * t32 + p.c18;
    let t34 = t28 * t33 + p.c19;
    let t35 = t28 * t34 + p.c20;
    let t36 = t28 * t35 + p.c21;
    let t37 = t28 * t36 + p.c22;
    let t38 = t28 * t37 + p.c23;
    let t39 = t28 * t38 + p.c24;
    let t40 = t28 * t39 + p.c25;
    let t41 = t29 * t40 + t27;
    let t42 = t41 + p.c26;
    let t43 = select(t41, t42, t20 < t18);
    let t44 = p.c27 - t43;
    let t45 = select(t43, t44, t16 < t17);
    let t46 = p.c28 - t45;
    let t47 = select(t45, t46, t14 < 0.0lf);
    let t48 = -(t47);
    let t49 = select(t47, t48, t9 < 0.0lf);
    let t50 = s.angle_1 - t49;
    let t51 = t50 * p.c30;
    let t52 = p.c8 + t51;
    let t53 = floor(t52);
    let t54 = p.c29 * t53 + t49;
    let t55 = s.b0_rx * p.c3;
    let t56 = s.b0_vx * p.c4;
    let t57 = t55 + t56;
    let t58 = p.c5 * t54;
    let t59 = t57 + t58;
    let t60 = s.b1_wy * p.c6;
    let t61 = t59 + t60;
    let t62 = -(t61);
    let t63 = select(t62, p.c31, t62 < p.c31);
    let t64 = select(t63, p.c7, p.c7 < t63);
    let t65 = t11 * p.c32;
    let t66 = t11 * t65;
    let t67 = p.c40 + t66;
    let t68 = p.c1 + t67;
    let t69 = t12 * t65;
    let t70 = t12 * p.c32;
    let t71 = t12 * t70;
    let t72 = p.c40 + t71;
    let t73 = p.c1 + t72;
    let t74 = t6 + t64;
    let t75 = t68 * p.c33;
    let t76 = t73 * p.c33;
    let t77 = select(t68, t75, t68 < t75);
    let t78 = p.c1 / t77;
    let t79 = t73 - p.c1;
    let t80 = t69 * t78;
    let t81 = t79 - t69 * t80;
    let t82 = select(t81, t76, t81 < t76);
    let t83 = p.c1 / t82;
    let t84 = s.b1_q2 * t5 + p.c2;
    let t85 = t84 - s.b1_wy * t2;
    let t86 = t74 * t80 + t85;
    let t87 = t83 * t86;
    let t88 = t74 * t78;
    let t89 = t80 * t87 + t88;
    let t90 = p.c2 + t87;
    let t91 = t11 * t89;
    let t92 = t87 - t90;
    let t93 = t12 * t87 - t91;
    let t94 = t64 - t89;
    let t95 = p.c2 + t92;
    let t96 = p.c0 * t94;
    let t97 = p.c0 * t95;
    let t98 = p.c32 * t93;
    let t99 = p.c40 * t89;
    let t100 = p.c2 - p.c40 * t87;
    let t101 = p.c0 * t98;
    let t102 = p.c0 * t99;
    let t103 = p.c0 * t100;
    let t104 = s.b0_vx * p.c0;
    let t105 = s.b0_vz * p.c0;
    let t106 = s.b1_q2 * s.b1_wy;
    let t107 = s.b1_q0 * s.b1_wy;
    let t108 = p.c34 * t106;
    let t109 = p.c34 * t107;
    let t110 = s.b1_vx * p.c0;
    let t111 = s.b1_vz * p.c0;
    let t112 = p.c8 * t104 + s.b0_rx;
    let t113 = p.c8 * t96 + s.b0_vx;
    let t114 = p.c8 * t97 + s.b0_vz;
    let t115 = s.b1_q0 - p.c8 * t108;
    let t116 = p.c8 * t109 + s.b1_q2;
    let t117 = p.c8 * t101 + s.b1_wy;
    let t118 = p.c8 * t102 + s.b1_vx;
    let t119 = p.c8 * t103 + s.b1_vz;
    let t120 = s.b0_q0 * s.b0_q0;
    let t121 = t115 * t115;
    let t122 = t116 * t116 + t121;
    let t123 = p.c36 + t122;
    let t124 = t122 * t123 + p.c35;
    let t125 = p.c35 * t122 + p.c36;
    let t126 = t122 * t125 + p.c1;
    let t127 = t124 / t126;
    let t128 = t115 * t127;
    let t129 = t116 * t127;
    let t130 = p.c10 * t117;
    let t131 = t117 * t130;
    let t132 = t129 * t131;
    let t133 = p.c12 * t132;
    let t134 = t128 * t133;
    let t135 = p.c12 * t129;
    let t136 = t129 * t135 + p.c9;
    let t137 = t128 * t135;
    let t138 = -(t137);
    let t139 = p.c10 * t136;
    let t140 = p.c10 * t137;
    let t141 = t129 * t135;
    let t142 = p.c1 - t141;
    let t143 = -(t142);
    let t144 = select(t142, t143, t142 < 0.0lf);
    let t145 = select(t137, t138, t137 < 0.0lf);
    let t146 = select(t144, t145, t145 < t144);
    let t147 = select(t145, t144, t145 < t144);
    let t148 = p.c13 * t147;
    let t149 = t146 - t147;
    let t150 = select(t146, t149, t148 < t146);
    let t151 = t146 + t147;
    let t152 = select(t147, t151, t148 < t146);
    let t153 = p.c1 + t152;
    let t154 = select(t153, t152, 0.0lf < t152);
    let t155 = t150 / t154;
    let t156 = t155 * t155;
    let t157 = t155 * t156;
    let t158 = p.c14 * t156 + p.c15;
    let t159 = t156 * t158 + p.c16;
    let t160 = t156 * t159 + p.c17;
    let t161 = t156 * t160 + p.c18;
    let t162 = t156 * t161 + p.c19;
    let t163 = t156 * t162 + p.c20;
    let t164 = t156 * t163 + p.c21;
    let t165 = t156 * t164 + p.c22;
    let t166 = t156 * t165 + p.c23;
    let t167 = t156 * t166 + p.c24;
    let t168 = t156 * t167 + p.c25;
    let t169 = t157 * t168 + t155;
    let t170 = p.c26 + t169;
    let t171 = select(t169, t170, t148 < t146);
    let t172 = p.c27 - t171;
    let t173 = select(t171, t172, t144 < t145);
    let t174 = p.c28 - t173;
    let t175 = select(t173, t174, t142 < 0.0lf);
    let t176 = -(t175);
    let t177 = select(t175, t176, t137 < 0.0lf);
    let t178 = s.angle_1 - t177;
    let t179 = p.c30 * t178;
    let t180 = p.c8 + t179;
    let t181 = floor(t180);
    let t182 = p.c29 * t181 + t177;
    let t183 = p.c3 * t112;
    let t184 = p.c4 * t113;
    let t185 = t183 + t184;
    let t186 = p.c5 * t182;
    let t187 = t185 + t186;
    let t188 = p.c6 * t117;
    let t189 = t187 + t188;
    let t190 = -(t189);
    let t191 = select(t190, p.c31, t190 < p.c31);
    let t192 = select(t191, p.c7, p.c7 < t191);
    let t193 = p.c32 * t139;
    let t194 = t139 * t193;
    let t195 = p.c40 + t194;
    let t196 = p.c1 + t195;
    let t197 = t140 * t193;
    let t198 = p.c32 * t140;
    let t199 = t140 * t198;
    let t200 = p.c40 + t199;
    let t201 = p.c1 + t200;
    let t202 = t134 + t192;
    let t203 = p.c33 * t196;
    let t204 = p.c33 * t201;
    let t205 = select(t196, t203, t196 < t203);
    let t206 = p.c1 / t205;
    let t207 = t201 - p.c1;
    let t208 = t197 * t206;
    let t209 = t207 - t197 * t208;
    let t210 = select(t209, t204, t209 < t204);
    let t211 = p.c1 / t210;
    let t212 = t129 * t133 + p.c2;
    let t213 = t212 - t117 * t130;
    let t214 = t202 * t208 + t213;
    let t215 = t211 * t214;
    let t216 = t202 * t206;
    let t217 = t208 * t215 + t216;
    let t218 = p.c2 + t215;
    let t219 = t139 * t217;
    let t220 = t215 - t218;
    let t221 = t140 * t215 - t219;
    let t222 = t192 - t217;
    let t223 = p.c2 + t220;
    let t224 = p.c0 * t222;
    let t225 = p.c0 * t223;
    let t226 = p.c32 * t221;
    let t227 = p.c40 * t217;
    let t228 = p.c2 - p.c40 * t215;
    let t229 = p.c0 * t226;
    let t230 = p.c0 * t227;
    let t231 = p.c0 * t228;
    let t232 = p.c0 * t113;
    let t233 = p.c0 * t114;
    let t234 = t116 * t117;
    let t235 = t115 * t117;
    let t236 = p.c34 * t234;
    let t237 = p.c34 * t235;
    let t238 = p.c0 * t118;
    let t239 = p.c0 * t119;
    let t240 = p.c8 * t232 + s.b0_rx;
    let t241 = p.c8 * t224 + s.b0_vx;
    let t242 = p.c8 * t225 + s.b0_vz;
    let t243 = s.b1_q0 - p.c8 * t236;
    let t244 = p.c8 * t237 + s.b1_q2;
    let t245 = p.c8 * t229 + s.b1_wy;
    let t246 = p.c8 * t230 + s.b1_vx;
    let t247 = p.c8 * t231 + s.b1_vz;
    let t248 = t243 * t243;
    let t249 = t244 * t244 + t248;
    let t250 = p.c36 + t249;
    let t251 = t249 * t250 + p.c35;
    let t252 = p.c35 * t249 + p.c36;
    let t253 = t249 * t252 + p.c1;
    let t254 = t251 / t253;
    let t255 = t243 * t254;
    let t256 = t244 * t254;
    let t257 = p.c10 * t245;
    let t258 = t245 * t257;
    let t259 = t256 * t258;
    let t260 = p.c12 * t259;
    let t261 = t255 * t260;
    let t262 = p.c12 * t256;
    let t263 = t256 * t262 + p.c9;
    let t264 = t255 * t262;
    let t265 = -(t264);
    let t266 = p.c10 * t263;
    let t267 = p.c10 * t264;
    let t268 = t256 * t262;
    let t269 = p.c1 - t268;
    let t270 = -(t269);
    let t271 = select(t269, t270, t269 < 0.0lf);
    let t272 = select(t264, t265, t264 < 0.0lf);
    let t273 = select(t271, t272, t272 < t271);
    let t274 = select(t272, t271, t272 < t271);
    let t275 = p.c13 * t274;
    let t276 = t273 - t274;
    let t277 = select(t273, t276, t275 < t273);
    let t278 = t273 + t274;
    let t279 = select(t274, t278, t275 < t273);
    let t280 = p.c1 + t279;
    let t281 = select(t280, t279, 0.0lf < t279);
    let t282 = t277 / t281;
    let t283 = t282 * t282;
    let t284 = t282 * t283;
    let t285 = p.c14 * t283 + p.c15;
    let t286 = t283 * t285 + p.c16;
    let t287 = t283 * t286 + p.c17;
    let t288 = t283 * t287 + p.c18;
    let t289 = t283 * t288 + p.c19;
    let t290 = t283 * t289 + p.c20;
    let t291 = t283 * t290 + p.c21;
    let t292 = t283 * t291 + p.c22;
    let t293 = t283 * t292 + p.c23;
    let t294 = t283 * t293 + p.c24;
    let t295 = t283 * t294 + p.c25;
    let t296 = t284 * t295 + t282;
    let t297 = p.c26 + t296;
    let t298 = select(t296, t297, t275 < t273);
    let t299 = p.c27 - t298;
    let t300 = select(t298, t299, t271 < t272);
    let t301 = p.c28 - t300;
    let t302 = select(t300, t301, t269 < 0.0lf);
    let t303 = -(t302);
    let t304 = select(t302, t303, t264 < 0.0lf);
    let t305 = s.angle_1 - t304;
    let t306 = p.c30 * t305;
    let t307 = p.c8 + t306;
    let t308 = floor(t307);
    let t309 = p.c29 * t308 + t304;
    let t310 = p.c3 * t240;
    let t311 = p.c4 * t241;
    let t312 = t310 + t311;
    let t313 = p.c5 * t309;
    let t314 = t312 + t313;
    let t315 = p.c6 * t245;
    let t316 = t314 + t315;
    let t317 = -(t316);
    let t318 = select(t317, p.c31, t317 < p.c31);
    let t319 = select(t318, p.c7, p.c7 < t318);
    let t320 = p.c32 * t266;
    let t321 = t266 * t320;
    let t322 = p.c40 + t321;
    let t323 = p.c1 + t322;
    let t324 = t267 * t320;
    let t325 = p.c32 * t267;
    let t326 = t267 * t325;
    let t327 = p.c40 + t326;
    let t328 = p.c1 + t327;
    let t329 = t261 + t319;
    let t330 = p.c33 * t323;
    let t331 = p.c33 * t328;
    let t332 = select(t323, t330, t323 < t330);
    let t333 = p.c1 / t332;
    let t334 = t328 - p.c1;
    let t335 = t324 * t333;
    let t336 = t334 - t324 * t335;
    let t337 = select(t336, t331, t336 < t331);
    let t338 = p.c1 / t337;
    let t339 = t256 * t260 + p.c2;
    let t340 = t339 - t245 * t257;
    let t341 = t329 * t335 + t340;
    let t342 = t338 * t341;
    let t343 = t329 * t333;
    let t344 = t335 * t342 + t343;
    let t345 = p.c2 + t342;
    let t346 = t266 * t344;
    let t347 = t342 - t345;
    let t348 = t267 * t342 - t346;
    let t349 = t319 - t344;
    let t350 = p.c2 + t347;
    let t351 = p.c0 * t349;
    let t352 = p.c0 * t350;
    let t353 = p.c32 * t348;
    let t354 = p.c40 * t344;
    let t355 = p.c2 - p.c40 * t342;
    let t356 = p.c0 * t353;
    let t357 = p.c0 * t354;
    let t358 = p.c0 * t355;
    let t359 = p.c0 * t241;
    let t360 = p.c0 * t242;
    let t361 = t244 * t245;
    let t362 = t243 * t245;
    let t363 = p.c34 * t361;
    let t364 = p.c34 * t362;
    let t365 = p.c0 * t246;
    let t366 = p.c0 * t247;
    let t367 = p.c12 * t232 + t104;
    let t368 = p.c12 * t233 + t105;
    let t369 = p.c12 * t224 + t96;
    let t370 = p.c12 * t225 + t97;
    let t371 = p.c12 * t236 + t108;
    let t372 = p.c12 * t237 + t109;
    let t373 = p.c12 * t229 + t101;
    let t374 = p.c12 * t238 + t110;
    let t375 = p.c12 * t239 + t111;
    let t376 = p.c12 * t230 + t102;
    let t377 = p.c12 * t231 + t103;
    let t378 = p.c12 * t359 + t367;
    let t379 = p.c12 * t360 + t368;
    let t380 = p.c12 * t351 + t369;
    let t381 = p.c12 * t352 + t370;
    let t382 = p.c12 * t363 + t371;
    let t383 = p.c12 * t364 + t372;
    let t384 = p.c12 * t356 + t373;
    let t385 = p.c12 * t365 + t374;
    let t386 = p.c12 * t366 + t375;
    let t387 = p.c12 * t357 + t376;
    let t388 = p.c12 * t358 + t377;
    let t389 = s.b0_rx + t359;
    let t390 = s.b0_vx + t351;
    let t391 = s.b0_vz + t352;
    let t392 = s.b1_q0 - t363;
    let t393 = s.b1_q2 + t364;
    let t394 = s.b1_wy + t356;
    let t395 = s.b1_vx + t357;
    let t396 = s.b1_vz + t358;
    let t397 = t392 * t392;
    let t398 = t393 * t393 + t397;
    let t399 = p.c36 + t398;
    let t400 = t398 * t399 + p.c35;
    let t401 = p.c35 * t398 + p.c36;
    let t402 = t398 * t401 + p.c1;
    let t403 = t400 / t402;
    let t404 = t392 * t403;
    let t405 = t393 * t403;
    let t406 = p.c10 * t394;
    let t407 = t394 * t406;
    let t408 = t405 * t407;
    let t409 = p.c12 * t408;
    let t410 = t404 * t409;
    let t411 = p.c12 * t405;
    let t412 = t405 * t411 + p.c9;
    let t413 = t404 * t411;
    let t414 = -(t413);
    let t415 = p.c10 * t412;
    let t416 = p.c10 * t413;
    let t417 = t405 * t411;
    let t418 = p.c1 - t417;
    let t419 = -(t418);
    let t420 = select(t418, t419, t418 < 0.0lf);
    let t421 = select(t413, t414, t413 < 0.0lf);
    let t422 = select(t420, t421, t421 < t420);
    let t423 = select(t421, t420, t421 < t420);
    let t424 = p.c13 * t423;
    let t425 = t422 - t423;
    let t426 = select(t422, t425, t424 < t422);
    let t427 = t422 + t423;
    let t428 = select(t423, t427, t424 < t422);
    let t429 = p.c1 + t428;
    let t430 = select(t429, t428, 0.0lf < t428);
    let t431 = t426 / t430;
    let t432 = t431 * t431;
    let t433 = t431 * t432;
    let t434 = p.c14 * t432 + p.c15;
    let t435 = t432 * t434 + p.c16;
    let t436 = t432 * t435 + p.c17;
    let t437 = t432 * t436 + p.c18;
    let t438 = t432 * t437 + p.c19;
    let t439 = t432 * t438 + p.c20;
    let t440 = t432 * t439 + p.c21;
    let t441 = t432 * t440 + p.c22;
    let t442 = t432 * t441 + p.c23;
    let t443 = t432 * t442 + p.c24;
    let t444 = t432 * t443 + p.c25;
    let t445 = t433 * t444 + t431;
    let t446 = p.c26 + t445;
    let t447 = select(t445, t446, t424 < t422);
    let t448 = p.c27 - t447;
    let t449 = select(t447, t448, t420 < t421);
    let t450 = p.c28 - t449;
    let t451 = select(t449, t450, t418 < 0.0lf);
    let t452 = -(t451);
    let t453 = select(t451, t452, t413 < 0.0lf);
    let t454 = s.angle_1 - t453;
    let t455 = p.c30 * t454;
    let t456 = p.c8 + t455;
    let t457 = floor(t456);
    let t458 = p.c29 * t457 + t453;
    let t459 = p.c3 * t389;
    let t460 = p.c4 * t390;
    let t461 = t459 + t460;
    let t462 = p.c5 * t458;
    let t463 = t461 + t462;
    let t464 = p.c6 * t394;
    let t465 = t463 + t464;
    let t466 = -(t465);
    let t467 = select(t466, p.c31, t466 < p.c31);
    let t468 = select(t467, p.c7, p.c7 < t467);
    let t469 = p.c32 * t415;
    let t470 = t415 * t469;
    let t471 = p.c40 + t470;
    let t472 = p.c1 + t471;
    let t473 = t416 * t469;
    let t474 = p.c32 * t416;
    let t475 = t416 * t474;
    let t476 = p.c40 + t475;
    let t477 = p.c1 + t476;
    let t478 = t410 + t468;
    let t479 = p.c33 * t472;
    let t480 = p.c33 * t477;
    let t481 = select(t472, t479, t472 < t479);
    let t482 = p.c1 / t481;
    let t483 = t477 - p.c1;
    let t484 = t473 * t482;
    let t485 = t483 - t473 * t484;
    let t486 = select(t485, t480, t485 < t480);
    let t487 = p.c1 / t486;
    let t488 = t405 * t409 + p.c2;
    let t489 = t488 - t394 * t406;
    let t490 = t478 * t484 + t489;
    let t491 = t487 * t490;
    let t492 = t478 * t482;
    let t493 = t484 * t491 + t492;
    let t494 = p.c2 + t491;
    let t495 = t415 * t493;
    let t496 = t491 - t494;
    let t497 = t416 * t491 - t495;
    let t498 = t468 - t493;
    let t499 = p.c2 + t496;
    let t500 = p.c0 * t498 + t380;
    let t501 = p.c0 * t499 + t381;
    let t502 = p.c32 * t497;
    let t503 = p.c40 * t493;
    let t504 = p.c2 - p.c40 * t491;
    let t505 = p.c0 * t502 + t384;
    let t506 = p.c0 * t503 + t387;
    let t507 = p.c0 * t504 + t388;
    let t508 = p.c0 * t390 + t378;
    let t509 = p.c0 * t391 + t379;
    let t510 = t393 * t394;
    let t511 = t392 * t394;
    let t512 = p.c34 * t510 + t382;
    let t513 = p.c34 * t511 + t383;
    let t514 = p.c0 * t395 + t385;
    let t515 = p.c0 * t396 + t386;
    let t516 = p.c11 * t508 + s.b0_rx;
    let t517 = p.c11 * t509 + s.b0_rz;
    let t518 = p.c11 * t500 + s.b0_vx;
    let t519 = p.c11 * t501 + s.b0_vz;
    let t520 = s.b1_q0 - p.c11 * t512;
    let t521 = p.c11 * t513 + s.b1_q2;
    let t522 = p.c11 * t505 + s.b1_wy;
    let t523 = p.c11 * t514 + s.b1_rx;
    let t524 = p.c11 * t515 + s.b1_rz;
    let t525 = p.c11 * t506 + s.b1_vx;
    let t526 = p.c11 * t507 + s.b1_vz;
    let t527 = sqrt(t120);
    let t528 = p.c1 / t527;
    let t529 = s.b0_q0 * t528;
    let t530 = t520 * t520;
    let t531 = t521 * t521 + t530;
    let t532 = sqrt(t531);
    let t533 = p.c1 / t532;
    let t534 = t520 * t533;
    let t535 = t521 * t533;
    let t536 = p.c12 * t535;
    let t537 = t535 * t536;
    let t538 = t534 * t536;
    let t539 = -(t538);
    let t540 = p.c1 - t537;
    let t541 = -(t540);
    let t542 = select(t540, t541, t540 < 0.0lf);
    let t543 = select(t538, t539, t538 < 0.0lf);
    let t544 = select(t542, t543, t543 < t542);
    let t545 = select(t543, t542, t543 < t542);
    let t546 = p.c13 * t545;
    let t547 = t544 - t545;
    let t548 = select(t544, t547, t546 < t544);
    let t549 = t544 + t545;
    let t550 = select(t545, t549, t546 < t544);
    let t551 = p.c1 + t550;
    let t552 = select(t551, t550, 0.0lf < t550);
    let t553 = t548 / t552;
    let t554 = t553 * t553;
    let t555 = t553 * t554;
    let t556 = p.c14 * t554 + p.c15;
    let t557 = t554 * t556 + p.c16;
    let t558 = t554 * t557 + p.c17;
    let t559 = t554 * t558 + p.c18;
    let t560 = t554 * t559 + p.c19;
    let t561 = t554 * t560 + p.c20;
    let t562 = t554 * t561 + p.c21;
    let t563 = t554 * t562 + p.c22;
    let t564 = t554 * t563 + p.c23;
    let t565 = t554 * t564 + p.c24;
    let t566 = t554 * t565 + p.c25;
    let t567 = t555 * t566 + t553;
    let t568 = p.c26 + t567;
    let t569 = select(t567, t568, t546 < t544);
    let t570 = p.c27 - t569;
    let t571 = select(t569, t570, t542 < t543);
    let t572 = p.c28 - t571;
    let t573 = select(t571, t572, t540 < 0.0lf);
    let t574 = -(t573);
    let t575 = select(t573, t574, t538 < 0.0lf);
    let t576 = s.angle_1 - t575;
    let t577 = p.c30 * t576;
    let t578 = p.c8 + t577;
    let t579 = floor(t578);
    let t580 = p.c29 * t579 + t575;
    let t581 = p.c3 * t516;
    let t582 = p.c4 * t518;
    let t583 = t581 + t582;
    let t584 = p.c5 * t580;
    let t585 = t583 + t584;
    let t586 = p.c6 * t522;
    let t587 = t585 + t586;
    let t588 = -(t587);
    let t589 = -(t580);
    let t590 = select(t580, t589, t580 < 0.0lf);
    let t591 = p.c37 - t590;
    let t592 = t591 - s.outcome_0_2;
    let t593 = t592 / p.c0;
    let t594 = s.outcome_0_2 - s.outcome_0_3;
    let t595 = select(p.c1, s.outcome_0_5, 0.0lf < s.outcome_0_5);
    let t596 = t594 / t595;
    let t597 = t593 - t596;
    let t598 = s.outcome_0_5 + p.c0;
    let t599 = t597 / t598;
    let t600 = select(0.0lf, t599, 0.0lf < s.outcome_0_5);
    let t601 = s.outcome_0_3 - s.outcome_0_4;
    let t602 = select(p.c1, s.outcome_0_6, 0.0lf < s.outcome_0_6);
    let t603 = t601 / t602;
    let t604 = t596 - t603;
    let t605 = s.outcome_0_6 + t595;
    let t606 = t604 / t605;
    let t607 = t600 - t606;
    let t608 = s.outcome_0_6 + t598;
    let t609 = t607 / t608;
    let t610 = select(0.0lf, t609, 0.0lf < s.outcome_0_6);
    let t611 = s.outcome_0_2 - t591;
    let t612 = t611 * t611;
    let t613 = select(p.c1, t611, 0.0lf < t612);
    let t614 = s.outcome_0_2 / t613;
    let t615 = p.c0 * t614;
    let t616 = select(p.c0, t615, t615 < p.c0);
    let t617 = select(0.0lf, t616, 0.0lf < t616);
    let t618 = s.outcome_0_5 + t617;
    let t619 = t610 * t618 + t600;
    let t620 = t617 - p.c0;
    let t621 = t619 * t620 + t593;
    let t622 = t617 * t621 + s.outcome_0_2;
    let t623 = p.c12 * t617;
    let t624 = t623 - p.c0;
    let t625 = t617 * t620;
    let t626 = t618 * t624 + t625;
    let t627 = t600 * t624 + t593;
    let t628 = t610 * t626 + t627;
    let t629 = t628 * t628;
    let t630 = select(p.c1, t628, 0.0lf < t629);
    let t631 = t622 / t630;
    let t632 = t617 - t631;
    let t633 = select(p.c0, t632, t632 < p.c0);
    let t634 = select(0.0lf, t633, 0.0lf < t633);
    let t635 = s.outcome_0_5 + t634;
    let t636 = t610 * t635 + t600;
    let t637 = t634 - p.c0;
    let t638 = t636 * t637 + t593;
    let t639 = t634 * t638 + s.outcome_0_2;
    let t640 = p.c12 * t634;
    let t641 = t640 - p.c0;
    let t642 = t634 * t637;
    let t643 = t635 * t641 + t642;
    let t644 = t600 * t641 + t593;
    let t645 = t610 * t643 + t644;
    let t646 = t645 * t645;
    let t647 = select(p.c1, t645, 0.0lf < t646);
    let t648 = t639 / t647;
    let t649 = t634 - t648;
    let t650 = select(p.c0, t649, t649 < p.c0);
    let t651 = select(0.0lf, t650, 0.0lf < t650);
    let t652 = t0 + t651;
    let t653 = select(t652, s.outcome_0_0, 0.0lf < s.outcome_0_2);
    let t654 = select(p.c9, t653, 0.0lf < t591);
    let t655 = -(t516);
    let t656 = select(t516, t655, t516 < 0.0lf);
    let t657 = t656 - s.outcome_1_2;
    let t658 = t657 / p.c0;
    let t659 = s.outcome_1_2 - s.outcome_1_3;
    let t660 = select(p.c1, s.outcome_1_5, 0.0lf < s.outcome_1_5);
    let t661 = t659 / t660;
    let t662 = t658 - t661;
    let t663 = s.outcome_1_5 + p.c0;
    let t664 = t662 / t663;
    let t665 = select(0.0lf, t664, 0.0lf < s.outcome_1_5);
    let t666 = s.outcome_1_3 - s.outcome_1_4;
    let t667 = select(p.c1, s.outcome_1_6, 0.0lf < s.outcome_1_6);
    let t668 = t666 / t667;
    let t669 = t661 - t668;
    let t670 = s.outcome_1_6 + t660;
    let t671 = t669 / t670;
    let t672 = t665 - t671;
    let t673 = s.outcome_1_6 + t663;
    let t674 = t672 / t673;
    let t675 = select(0.0lf, t674, 0.0lf < s.outcome_1_6);
    let t676 = p.c0 + t0;
    let t677 = select(0.0lf, p.c1, s.outcome_1_0 < t656);
    let t678 = select(s.outcome_1_0, t656, 0.0lf < t677);
    let t679 = select(s.outcome_1_1, t676, 0.0lf < t677);
    let t680 = select(0.0lf, p.c1, 0.0lf < s.outcome_1_5);
    let t681 = select(0.0lf, p.c1, t665 < 0.0lf);
    let t682 = select(p.c1, 0.0lf, s.outcome_1_2 < s.outcome_1_3);
    let t683 = select(p.c1, 0.0lf, s.outcome_1_2 < t656);
    let t684 = t682 * t683;
    let t685 = t680 * t684;
    let t686 = t681 * t685;
    let t687 = t665 * t665;
    let t688 = select(p.c1, t665, 0.0lf < t687);
    let t689 = select(p.c1, t688, 0.0lf < t686);
    let t690 = t658 / t689;
    let t691 = p.c0 - t690;
    let t692 = p.c8 * t691;
    let t693 = -(s.outcome_1_5);
    let t694 = select(p.c0, t692, t692 < p.c0);
    let t695 = select(t693, t694, t693 < t694);
    let t696 = p.c12 * t695;
    let t697 = t696 - p.c0;
    let t698 = s.outcome_1_5 + t695;
    let t699 = t695 - p.c0;
    let t700 = t695 * t699;
    let t701 = t697 * t698 + t700;
    let t702 = t665 * t697 + t658;
    let t703 = t675 * t701 + t702;
    let t704 = p.c12 * t698;
    let t705 = t695 * p.c38 - p.c39;
    let t706 = t704 + t705;
    let t707 = p.c12 * t665;
    let t708 = t675 * t706 + t707;
    let t709 = t708 * t708;
    let t710 = select(p.c1, t708, 0.0lf < t709);
    let t711 = select(p.c1, t710, 0.0lf < t686);
    let t712 = t703 / t711;
    let t713 = t695 - t712;
    let t714 = select(p.c0, t713, t713 < p.c0);
    let t715 = select(t693, t714, t693 < t714);
    let t716 = s.outcome_1_5 + t715;
    let t717 = t675 * t716 + t665;
    let t718 = t715 - p.c0;
    let t719 = t717 * t718 + t658;
    let t720 = t715 * t719 + s.outcome_1_2;
    let t721 = t0 + t715;
    let t722 = select(0.0lf, p.c1, t678 < t720);
    let t723 = t686 * t722;
    let t724 = select(t678, t720, 0.0lf < t723);
    let t725 = select(t679, t721, 0.0lf < t723);
    let t726 = select(t588, t587, t588 < 0.0lf);
    let t727 = t726 - p.c7;
    let t728 = t727 - s.outcome_2_2;
    let t729 = t728 / p.c0;
    let t730 = s.outcome_2_2 - s.outcome_2_3;
    let t731 = select(p.c1, s.outcome_2_5, 0.0lf < s.outcome_2_5);
    let t732 = t730 / t731;
    let t733 = t729 - t732;
    let t734 = s.outcome_2_5 + p.c0;
    let t735 = t733 / t734;
    let t736 = select(0.0lf, t735, 0.0lf < s.outcome_2_5);
    let t737 = s.outcome_2_3 - s.outcome_2_4;
    let t738 = select(p.c1, s.outcome_2_6, 0.0lf < s.outcome_2_6);
    let t739 = t737 / t738;
    let t740 = t732 - t739;
    let t741 = s.outcome_2_6 + t731;
    let t742 = t740 / t741;
    let t743 = t736 - t742;
    let t744 = s.outcome_2_6 + t734;
    let t745 = t743 / t744;
    let t746 = select(0.0lf, t745, 0.0lf < s.outcome_2_6);
    let t747 = s.outcome_2_2 - t727;
    let t748 = t747 * t747;
    let t749 = select(p.c1, t747, 0.0lf < t748);
    let t750 = s.outcome_2_2 / t749;
    let t751 = p.c0 * t750;
    let t752 = select(p.c0, t751, t751 < p.c0);
    let t753 = select(0.0lf, t752, 0.0lf < t752);
    let t754 = s.outcome_2_5 + t753;
    let t755 = t746 * t754 + t736;
    let t756 = t753 - p.c0;
    let t757 = t755 * t756 + t729;
    let t758 = t753 * t757 + s.outcome_2_2;
    let t759 = p.c12 * t753;
    let t760 = t759 - p.c0;
    let t761 = t753 * t756;
    let t762 = t754 * t760 + t761;
    let t763 = t736 * t760 + t729;
    let t764 = t746 * t762 + t763;
    let t765 = t764 * t764;
    let t766 = select(p.c1, t764, 0.0lf < t765);
    let t767 = t758 / t766;
    let t768 = t753 - t767;
    let t769 = select(p.c0, t768, t768 < p.c0);
    let t770 = select(0.0lf, t769, 0.0lf < t769);
    let t771 = s.outcome_2_5 + t770;
    let t772 = t746 * t771 + t736;
    let t773 = t770 - p.c0;
    let t774 = t772 * t773 + t729;
    let t775 = t770 * t774 + s.outcome_2_2;
    let t776 = p.c12 * t770;
    let t777 = t776 - p.c0;
    let t778 = t770 * t773;
    let t779 = t771 * t777 + t778;
    let t780 = t736 * t777 + t729;
    let t781 = t746 * t779 + t780;
    let t782 = t781 * t781;
    let t783 = select(p.c1, t781, 0.0lf < t782);
    let t784 = t775 / t783;
    let t785 = t770 - t784;
    let t786 = select(p.c0, t785, t785 < p.c0);
    let t787 = select(0.0lf, t786, 0.0lf < t786);
    let t788 = p.c0 - t787;
    let t789 = select(t788, p.c0, 0.0lf < s.outcome_2_2);
    let t790 = select(0.0lf, t787, 0.0lf < s.outcome_2_2);
    let t791 = select(t790, t789, 0.0lf < t727);
    let t792 = s.outcome_2_0 + t791;
    var next: State;
    next.b0_q0 = t529;
    next.b0_rx = t516;
    next.b0_rz = t517;
    next.b0_vx = t518;
    next.b0_vz = t519;
    next.b1_q0 = t534;
    next.b1_q2 = t535;
    next.b1_wy = t522;
    next.b1_rx = t523;
    next.b1_rz = t524;
    next.b1_vx = t525;
    next.b1_vz = t526;
    next.clock = t1;
    next.angle_1 = t580;
    next.outcome_0_0 = t654;
    next.outcome_0_1 = 0.0lf;
    next.outcome_0_2 = t591;
    next.outcome_0_3 = s.outcome_0_2;
    next.outcome_0_4 = s.outcome_0_3;
    next.outcome_0_5 = p.c0;
    next.outcome_0_6 = s.outcome_0_5;
    next.outcome_1_0 = t724;
    next.outcome_1_1 = t725;
    next.outcome_1_2 = t656;
    next.outcome_1_3 = s.outcome_1_2;
    next.outcome_1_4 = s.outcome_1_3;
    next.outcome_1_5 = p.c0;
    next.outcome_1_6 = s.outcome_1_5;
    next.outcome_2_0 = t792;
    next.outcome_2_1 = 0.0lf;
    next.outcome_2_2 = t727;
    next.outcome_2_3 = s.outcome_2_2;
    next.outcome_2_4 = s.outcome_2_3;
    next.outcome_2_5 = p.c0;
    next.outcome_2_6 = s.outcome_2_5;
    return next;
}

// What the method carries, at the start. (0 operations.)
fn begin(instance: u32, s: State) -> State {
    var next = s;
    return next;
}

// What the method carries after it was resynchronised. (442 operations.)
fn resynchronised(instance: u32, s: State) -> State {
    let t0 = s.b1_q2 * shared_values[10];
    let t1 = shared_values[12] * t0;
    let t2 = s.b1_q2 * t1;
    let t3 = s.b1_q0 * t1;
    let t4 = shared_values[10] - t2;
    let t5 = s.b1_rx + t3;
    let t6 = s.b1_rz + t4;
    let t7 = s.b0_rx - t5;
    let t8 = s.b0_rz - t6;
    let t9 = s.b1_q2 * shared_values[12];
    let t10 = s.b1_q2 * t9 + shared_values[9];
    let t11 = s.b1_q0 * t9;
    let t12 = shared_values[10] * t10;
    let t13 = shared_values[10] * t11;
    let t14 = shared_values[1] / parameters[0u * run.stride + instance];
    let t15 = t12 * shared_values[32];
    let t16 = t12 * t15;
    let t17 = t14 + t16;
    let t18 = shared_values[1] + t17;
    let t19 = t13 * t15;
    let t20 = t13 * shared_values[32];
    let t21 = t13 * t20;
    let t22 = t14 + t21;
    let t23 = shared_values[1] + t22;
    let t24 = s.b0_q0 * s.b0_q0;
    let t25 = t18 * shared_values[37];
    let t26 = t23 * shared_values[37];
    let t27 = shared_values[1] / t25;
    let t28 = t26 - shared_values[38];
    let t29 = t19 * t27;
    let t30 = t28 - t19 * t29;
    let t31 = shared_values[1] / t30;
    let t32 = t8 - s.b0_rz * shared_values[38];
    let t33 = t32 - t7 * t29;
    let t34 = t31 * t33;
    let t35 = t7 * t27;
    let t36 = t35 - t29 * t34;
    let t37 = s.b0_rz - t34;
    let t38 = t12 * t36;
    let t39 = t13 * t34 + t38;
    let t40 = shared_values[32] * t39;
    let t41 = t14 * t36;
    let t42 = t14 * t34;
    let t43 = shared_values[65] - shared_values[8] * t24;
    let t44 = s.b0_q0 * t43;
    let t45 = s.b0_rx - t36;
    let t46 = s.b0_rz - t31 * t33;
    let t47 = t46 - shared_values[38] * t37;
    let t48 = shared_values[8] * t40;
    let t49 = t48 * t48;
    let t50 = shared_values[40] - shared_values[39] * t49;
    let t51 = shared_values[41] - t49 * t50;
    let t52 = shared_values[42] - t49 * t51;
    let t53 = shared_values[43] - t49 * t52;
    let t54 = shared_values[44] - t49 * t53;
    let t55 = shared_values[45] - t49 * t54;
    let t56 = shared_values[46] - t49 * t55;
    let t57 = shared_values[47] - t49 * t56;
    let t58 = shared_values[48] - t49 * t57;
    let t59 = shared_values[49] - t49 * t58;
    let t60 = shared_values[50] - t49 * t59;
    let t61 = shared_values[51] - t49 * t60;
    let t62 = shared_values[8] - t49 * t61;
    let t63 = shared_values[1] - t49 * t62;
    let t64 = shared_values[53] - shared_values[52] * t49;
    let t65 = shared_values[54] - t49 * t64;
    let t66 = shared_values[55] - t49 * t65;
    let t67 = shared_values[56] - t49 * t66;
    let t68 = shared_values[57] - t49 * t67;
    let t69 = shared_values[58] - t49 * t68;
    let t70 = shared_values[59] - t49 * t69;
    let t71 = shared_values[60] - t49 * t70;
    let t72 = shared_values[61] - t49 * t71;
    let t73 = shared_values[62] - t49 * t72;
    let t74 = shared_values[63] - t49 * t73;
    let t75 = shared_values[64] - t49 * t74;
    let t76 = shared_values[11] - t49 * t75;
    let t77 = shared_values[1] - t49 * t76;
    let t78 = t48 * t77;
    let t79 = s.b1_q0 * t63;
    let t80 = s.b1_q2 * t63;
    let t81 = s.b1_q2 * t78 + t79;
    let t82 = t80 - s.b1_q0 * t78;
    let t83 = t81 * t81;
    let t84 = t82 * t82 + t83;
    let t85 = shared_values[65] - shared_values[8] * t84;
    let t86 = t81 * t85;
    let t87 = t82 * t85;
    let t88 = s.b1_rx + t41;
    let t89 = s.b1_rz + t42;
    let t90 = shared_values[10] * t87;
    let t91 = shared_values[12] * t90;
    let t92 = t87 * t91;
    let t93 = t86 * t91;
    let t94 = shared_values[10] - t92;
    let t95 = t88 + t93;
    let t96 = t89 + t94;
    let t97 = t45 - t95;
    let t98 = t47 - t96;
    let t99 = shared_values[12] * t87;
    let t100 = t87 * t99 + shared_values[9];
    let t101 = t86 * t99;
    let t102 = shared_values[10] * t100;
    let t103 = shared_values[10] * t101;
    let t104 = shared_values[32] * t102;
    let t105 = t102 * t104;
    let t106 = t14 + t105;
    let t107 = shared_values[1] + t106;
    let t108 = shared_values[37] * t107;
    let t109 = t103 * t104;
    let t110 = shared_values[32] * t103;
    let t111 = t103 * t110;
    let t112 = t14 + t111;
    let t113 = shared_values[1] + t112;
    let t114 = shared_values[37] * t113;
    let t115 = shared_values[1] / t108;
    let t116 = t114 - shared_values[38];
    let t117 = t109 * t115;
    let t118 = t116 - t109 * t117;
    let t119 = shared_values[1] / t118;
    let t120 = t98 - shared_values[38] * t47;
    let t121 = t120 - t97 * t117;
    let t122 = t119 * t121;
    let t123 = t97 * t115;
    let t124 = t123 - t117 * t122;
    let t125 = t47 - t122;
    let t126 = t102 * t124;
    let t127 = t103 * t122 + t126;
    let t128 = shared_values[32] * t127;
    let t129 = t14 * t124;
    let t130 = t14 * t122;
    let t131 = t44 * t44;
    let t132 = shared_values[65] - shared_values[8] * t131;
    let t133 = t44 * t132;
    let t134 = t45 - t124;
    let t135 = t47 - t119 * t121;
    let t136 = t135 - shared_values[38] * t125;
    let t137 = shared_values[8] * t128;
    let t138 = t137 * t137;
    let t139 = shared_values[40] - shared_values[39] * t138;
    let t140 = shared_values[41] - t138 * t139;
    let t141 = shared_values[42] - t138 * t140;
    let t142 = shared_values[43] - t138 * t141;
    let t143 = shared_values[44] - t138 * t142;
    let t144 = shared_values[45] - t138 * t143;
    let t145 = shared_values[46] - t138 * t144;
    let t146 = shared_values[47] - t138 * t145;
    let t147 = shared_values[48] - t138 * t146;
    let t148 = shared_values[49] - t138 * t147;
    let t149 = shared_values[50] - t138 * t148;
    let t150 = shared_values[51] - t138 * t149;
    let t151 = shared_values[8] - t138 * t150;
    let t152 = shared_values[1] - t138 * t151;
    let t153 = shared_values[53] - shared_values[52] * t138;
    let t154 = shared_values[54] - t138 * t153;
    let t155 = shared_values[55] - t138 * t154;
    let t156 = shared_values[56] - t138 * t155;
    let t157 = shared_values[57] - t138 * t156;
    let t158 = shared_values[58] - t138 * t157;
    let t159 = shared_values[59] - t138 * t158;
    let t160 = shared_values[60] - t138 * t159;
    let t161 = shared_values[61] - t138 * t160;
    let t162 = shared_values[62] - t138 * t161;
    let t163 = shared_values[63] - t138 * t162;
    let t164 = shared_values[64] - t138 * t163;
    let t165 = shared_values[11] - t138 * t164;
    let t166 = shared_values[1] - t138 * t165;
    let t167 = t137 * t166;
    let t168 = t86 * t152;
    let t169 = t87 * t152;
    let t170 = t87 * t167 + t168;
    let t171 = t169 - t86 * t167;
    let t172 = t170 * t170;
    let t173 = t171 * t171 + t172;
    let t174 = shared_values[65] - shared_values[8] * t173;
    let t175 = t170 * t174;
    let t176 = t171 * t174;
    let t177 = t88 + t129;
    let t178 = t89 + t130;
    let t179 = shared_values[10] * t176;
    let t180 = shared_values[12] * t179;
    let t181 = t176 * t180;
    let t182 = t175 * t180;
    let t183 = shared_values[10] - t181;
    let t184 = t177 + t182;
    let t185 = t178 + t183;
    let t186 = t134 - t184;
    let t187 = t136 - t185;
    let t188 = shared_values[12] * t176;
    let t189 = t176 * t188 + shared_values[9];
    let t190 = t175 * t188;
    let t191 = shared_values[10] * t189;
    let t192 = shared_values[10] * t190;
    let t193 = shared_values[32] * t191;
    let t194 = t191 * t193;
    let t195 = t14 + t194;
    let t196 = shared_values[1] + t195;
    let t197 = shared_values[37] * t196;
    let t198 = t192 * t193;
    let t199 = shared_values[32] * t192;
    let t200 = t192 * t199;
    let t201 = t14 + t200;
    let t202 = shared_values[1] + t201;
    let t203 = shared_values[37] * t202;
    let t204 = shared_values[1] / t197;
    let t205 = t203 - shared_values[38];
    let t206 = t198 * t204;
    let t207 = t205 - t198 * t206;
    let t208 = shared_values[1] / t207;
    let t209 = t187 - shared_values[38] * t136;
    let t210 = t209 - t186 * t206;
    let t211 = t208 * t210;
    let t212 = t186 * t204;
    let t213 = t212 - t206 * t211;
    let t214 = t136 - t211;
    let t215 = t191 * t213;
    let t216 = t192 * t211 + t215;
    let t217 = shared_values[32] * t216;
    let t218 = t14 * t213;
    let t219 = t14 * t211;
    let t220 = t133 * t133;
    let t221 = shared_values[65] - shared_values[8] * t220;
    let t222 = t133 * t221;
    let t223 = t134 - t213;
    let t224 = t136 - t208 * t210;
    let t225 = t224 - shared_values[38] * t214;
    let t226 = shared_values[8] * t217;
    let t227 = t226 * t226;
    let t228 = shared_values[40] - shared_values[39] * t227;
    let t229 = shared_values[41] - t227 * t228;
    let t230 = shared_values[42] - t227 * t229;
    let t231 = shared_values[43] - t227 * t230;
    let t232 = shared_values[44] - t227 * t231;
    let t233 = shared_values[45] - t227 * t232;
    let t234 = shared_values[46] - t227 * t233;
    let t235 = shared_values[47] - t227 * t234;
    let t236 = shared_values[48] - t227 * t235;
    let t237 = shared_values[49] - t227 * t236;
    let t238 = shared_values[50] - t227 * t237;
    let t239 = shared_values[51] - t227 * t238;
    let t240 = shared_values[8] - t227 * t239;
    let t241 = shared_values[1] - t227 * t240;
    let t242 = shared_values[53] - shared_values[52] * t227;
    let t243 = shared_values[54] - t227 * t242;
    let t244 = shared_values[55] - t227 * t243;
    let t245 = shared_values[56] - t227 * t244;
    let t246 = shared_values[57] - t227 * t245;
    let t247 = shared_values[58] - t227 * t246;
    let t248 = shared_values[59] - t227 * t247;
    let t249 = shared_values[60] - t227 * t248;
    let t250 = shared_values[61] - t227 * t249;
    let t251 = shared_values[62] - t227 * t250;
    let t252 = shared_values[63] - t227 * t251;
    let t253 = shared_values[64] - t227 * t252;
    let t254 = shared_values[11] - t227 * t253;
    let t255 = shared_values[1] - t227 * t254;
    let t256 = t226 * t255;
    let t257 = t175 * t241;
    let t258 = t176 * t241;
    let t259 = t176 * t256 + t257;
    let t260 = t258 - t175 * t256;
    let t261 = t259 * t259;
    let t262 = t260 * t260 + t261;
    let t263 = shared_values[65] - shared_values[8] * t262;
    let t264 = t259 * t263;
    let t265 = t260 * t263;
    let t266 = t177 + t218;
    let t267 = t178 + t219;
    let t268 = shared_values[12] * t265;
    let t269 = t265 * t268 + shared_values[9];
    let t270 = t264 * t268;
    let t271 = shared_values[10] * t269;
    let t272 = shared_values[10] * t270;
    let t273 = s.b1_wy * t271;
    let t274 = t273 - s.b1_vx;
    let t275 = s.b0_vx + t274;
    let t276 = s.b1_wy * t272;
    let t277 = t276 - s.b1_vz;
    let t278 = s.b0_vz + t277;
    let t279 = shared_values[32] * t271;
    let t280 = t271 * t279;
    let t281 = t14 + t280;
    let t282 = shared_values[1] + t281;
    let t283 = shared_values[37] * t282;
    let t284 = t272 * t279;
    let t285 = shared_values[32] * t272;
    let t286 = t272 * t285;
    let t287 = t14 + t286;
    let t288 = shared_values[1] + t287;
    let t289 = shared_values[37] * t288;
    let t290 = shared_values[1] / t283;
    let t291 = t289 - shared_values[38];
    let t292 = t284 * t290;
    let t293 = t291 - t284 * t292;
    let t294 = shared_values[1] / t293;
    let t295 = t278 - s.b0_vz * shared_values[38];
    let t296 = t295 - t275 * t292;
    let t297 = t294 * t296;
    let t298 = t275 * t290;
    let t299 = t298 - t292 * t297;
    let t300 = s.b0_vz - t297;
    let t301 = t271 * t299;
    let t302 = t272 * t297 + t301;
    let t303 = shared_values[32] * t302;
    let t304 = t14 * t299;
    let t305 = t14 * t297;
    let t306 = s.b0_vx - t299;
    let t307 = s.b0_vz - t294 * t296;
    let t308 = t307 - shared_values[38] * t300;
    let t309 = s.b1_wy - t303;
    let t310 = s.b1_vx + t304;
    let t311 = s.b1_vz + t305;
    var next = s;
    next.b0_q0 = t222;
    next.b0_rx = t223;
    next.b0_rz = t225;
    next.b0_vx = t306;
    next.b0_vz = t308;
    next.b1_q0 = t264;
    next.b1_q2 = t265;
    next.b1_wy = t309;
    next.b1_rx = t266;
    next.b1_rz = t267;
    next.b1_vx = t310;
    next.b1_vz = t311;
    return next;
}

// A value, and how large it may be; 0: however large.
struct Judged {
    value: real,
    allowed: real,
}

fn constraint_violation(instance: u32, s: State) -> Judged {
    let t0 = s.b1_q2 * shared_values[10];
    let t1 = shared_values[12] * t0;
    let t2 = s.b1_q2 * t1;
    let t3 = s.b1_q0 * t1;
    let t4 = shared_values[10] - t2;
    let t5 = s.b1_rx + t3;
    let t6 = s.b1_rz + t4;
    let t7 = s.b0_rx - t5;
    let t8 = s.b0_rz - t6;
    let t9 = s.b0_rz * s.b0_rz;
    let t10 = t7 * t7 + t9;
    let t11 = t8 * t8 + t10;
    let t12 = sqrt(t11);
    return Judged(t12, shared_values[0]);
}

fn is_passed(judged: Judged) -> bool {
    return judged.allowed > real(0.0) && abs(judged.value) > judged.allowed;
}

// The verdict of the first bound that is passed, else FINISHED.
fn passed(instance: u32, s: State) -> u32 {
    if is_passed(constraint_violation(instance, s)) {
        return 6u; // constraint_bound
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
