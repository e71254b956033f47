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

// A full step takes 938 operations, a multiply-add counted as two.
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
    let t79 = t69 * t78;
    let t80 = t72 - t69 * t79;
    let t81 = select(t80, t76, t80 < t76);
    let t82 = p.c1 / t81;
    let t83 = s.b1_q2 * t5 + p.c2;
    let t84 = t83 - s.b1_wy * t2;
    let t85 = t74 * t79 + t84;
    let t86 = t82 * t85;
    let t87 = t74 * t78;
    let t88 = t79 * t86 + t87;
    let t89 = t11 * t88;
    let t90 = t12 * t86 - t89;
    let t91 = t64 - t88;
    let t92 = p.c0 * t91;
    let t93 = p.c32 * t90;
    let t94 = p.c40 * t88;
    let t95 = p.c2 - p.c40 * t86;
    let t96 = p.c0 * t93;
    let t97 = p.c0 * t94;
    let t98 = p.c0 * t95;
    let t99 = s.b0_vx * p.c0;
    let t100 = s.b0_vz * p.c0;
    let t101 = s.b1_q2 * s.b1_wy;
    let t102 = s.b1_q0 * s.b1_wy;
    let t103 = p.c34 * t101;
    let t104 = p.c34 * t102;
    let t105 = s.b1_vx * p.c0;
    let t106 = s.b1_vz * p.c0;
    let t107 = p.c8 * t99 + s.b0_rx;
    let t108 = p.c8 * t92 + s.b0_vx;
    let t109 = s.b1_q0 - p.c8 * t103;
    let t110 = p.c8 * t104 + s.b1_q2;
    let t111 = p.c8 * t96 + s.b1_wy;
    let t112 = p.c8 * t97 + s.b1_vx;
    let t113 = p.c8 * t98 + s.b1_vz;
    let t114 = s.b0_q0 * s.b0_q0;
    let t115 = t109 * t109;
    let t116 = t110 * t110 + t115;
    let t117 = p.c36 + t116;
    let t118 = t116 * t117 + p.c35;
    let t119 = p.c35 * t116 + p.c36;
    let t120 = t116 * t119 + p.c1;
    let t121 = t118 / t120;
    let t122 = t109 * t121;
    let t123 = t110 * t121;
    let t124 = p.c10 * t111;
    let t125 = t111 * t124;
    let t126 = t123 * t125;
    let t127 = p.c12 * t126;
    let t128 = t122 * t127;
    let t129 = p.c12 * t123;
    let t130 = t123 * t129 + p.c9;
    let t131 = t122 * t129;
    let t132 = -(t131);
    let t133 = p.c10 * t130;
    let t134 = p.c10 * t131;
    let t135 = t123 * t129;
    let t136 = p.c1 - t135;
    let t137 = -(t136);
    let t138 = select(t136, t137, t136 < 0.0lf);
    let t139 = select(t131, t132, t131 < 0.0lf);
    let t140 = select(t138, t139, t139 < t138);
    let t141 = select(t139, t138, t139 < t138);
    let t142 = p.c13 * t141;
    let t143 = t140 - t141;
    let t144 = select(t140, t143, t142 < t140);
    let t145 = t140 + t141;
    let t146 = select(t141, t145, t142 < t140);
    let t147 = p.c1 + t146;
    let t148 = select(t147, t146, 0.0lf < t146);
    let t149 = t144 / t148;
    let t150 = t149 * t149;
    let t151 = t149 * t150;
    let t152 = p.c14 * t150 + p.c15;
    let t153 = t150 * t152 + p.c16;
    let t154 = t150 * t153 + p.c17;
    let t155 = t150 * t154 + p.c18;
    let t156 = t150 * t155 + p.c19;
    let t157 = t150 * t156 + p.c20;
    let t158 = t150 * t157 + p.c21;
    let t159 = t150 * t158 + p.c22;
    let t160 = t150 * t159 + p.c23;
    let t161 = t150 * t160 + p.c24;
    let t162 = t150 * t161 + p.c25;
    let t163 = t151 * t162 + t149;
    let t164 = p.c26 + t163;
    let t165 = select(t163, t164, t142 < t140);
    let t166 = p.c27 - t165;
    let t167 = select(t165, t166, t138 < t139);
    let t168 = p.c28 - t167;
    let t169 = select(t167, t168, t136 < 0.0lf);
    let t170 = -(t169);
    let t171 = select(t169, t170, t131 < 0.0lf);
    let t172 = s.angle_1 - t171;
    let t173 = p.c30 * t172;
    let t174 = p.c8 + t173;
    let t175 = floor(t174);
    let t176 = p.c29 * t175 + t171;
    let t177 = p.c3 * t107;
    let t178 = p.c4 * t108;
    let t179 = t177 + t178;
    let t180 = p.c5 * t176;
    let t181 = t179 + t180;
    let t182 = p.c6 * t111;
    let t183 = t181 + t182;
    let t184 = -(t183);
    let t185 = select(t184, p.c31, t184 < p.c31);
    let t186 = select(t185, p.c7, p.c7 < t185);
    let t187 = p.c32 * t133;
    let t188 = t133 * t187;
    let t189 = p.c40 + t188;
    let t190 = p.c1 + t189;
    let t191 = t134 * t187;
    let t192 = p.c32 * t134;
    let t193 = t134 * t192;
    let t194 = p.c40 + t193;
    let t195 = p.c1 + t194;
    let t196 = t128 + t186;
    let t197 = p.c33 * t190;
    let t198 = p.c33 * t195;
    let t199 = select(t190, t197, t190 < t197);
    let t200 = p.c1 / t199;
    let t201 = t191 * t200;
    let t202 = t194 - t191 * t201;
    let t203 = select(t202, t198, t202 < t198);
    let t204 = p.c1 / t203;
    let t205 = t123 * t127 + p.c2;
    let t206 = t205 - t111 * t124;
    let t207 = t196 * t201 + t206;
    let t208 = t204 * t207;
    let t209 = t196 * t200;
    let t210 = t201 * t208 + t209;
    let t211 = t133 * t210;
    let t212 = t134 * t208 - t211;
    let t213 = t186 - t210;
    let t214 = p.c0 * t213;
    let t215 = p.c32 * t212;
    let t216 = p.c40 * t210;
    let t217 = p.c2 - p.c40 * t208;
    let t218 = p.c0 * t215;
    let t219 = p.c0 * t216;
    let t220 = p.c0 * t217;
    let t221 = p.c0 * t108;
    let t222 = t110 * t111;
    let t223 = t109 * t111;
    let t224 = p.c34 * t222;
    let t225 = p.c34 * t223;
    let t226 = p.c0 * t112;
    let t227 = p.c0 * t113;
    let t228 = p.c8 * t221 + s.b0_rx;
    let t229 = p.c8 * t214 + s.b0_vx;
    let t230 = s.b1_q0 - p.c8 * t224;
    let t231 = p.c8 * t225 + s.b1_q2;
    let t232 = p.c8 * t218 + s.b1_wy;
    let t233 = p.c8 * t219 + s.b1_vx;
    let t234 = p.c8 * t220 + s.b1_vz;
    let t235 = t230 * t230;
    let t236 = t231 * t231 + t235;
    let t237 = p.c36 + t236;
    let t238 = t236 * t237 + p.c35;
    let t239 = p.c35 * t236 + p.c36;
    let t240 = t236 * t239 + p.c1;
    let t241 = t238 / t240;
    let t242 = t230 * t241;
    let t243 = t231 * t241;
    let t244 = p.c10 * t232;
    let t245 = t232 * t244;
    let t246 = t243 * t245;
    let t247 = p.c12 * t246;
    let t248 = t242 * t247;
    let t249 = p.c12 * t243;
    let t250 = t243 * t249 + p.c9;
    let t251 = t242 * t249;
    let t252 = -(t251);
    let t253 = p.c10 * t250;
    let t254 = p.c10 * t251;
    let t255 = t243 * t249;
    let t256 = p.c1 - t255;
    let t257 = -(t256);
    let t258 = select(t256, t257, t256 < 0.0lf);
    let t259 = select(t251, t252, t251 < 0.0lf);
    let t260 = select(t258, t259, t259 < t258);
    let t261 = select(t259, t258, t259 < t258);
    let t262 = p.c13 * t261;
    let t263 = t260 - t261;
    let t264 = select(t260, t263, t262 < t260);
    let t265 = t260 + t261;
    let t266 = select(t261, t265, t262 < t260);
    let t267 = p.c1 + t266;
    let t268 = select(t267, t266, 0.0lf < t266);
    let t269 = t264 / t268;
    let t270 = t269 * t269;
    let t271 = t269 * t270;
    let t272 = p.c14 * t270 + p.c15;
    let t273 = t270 * t272 + p.c16;
    let t274 = t270 * t273 + p.c17;
    let t275 = t270 * t274 + p.c18;
    let t276 = t270 * t275 + p.c19;
    let t277 = t270 * t276 + p.c20;
    let t278 = t270 * t277 + p.c21;
    let t279 = t270 * t278 + p.c22;
    let t280 = t270 * t279 + p.c23;
    let t281 = t270 * t280 + p.c24;
    let t282 = t270 * t281 + p.c25;
    let t283 = t271 * t282 + t269;
    let t284 = p.c26 + t283;
    let t285 = select(t283, t284, t262 < t260);
    let t286 = p.c27 - t285;
    let t287 = select(t285, t286, t258 < t259);
    let t288 = p.c28 - t287;
    let t289 = select(t287, t288, t256 < 0.0lf);
    let t290 = -(t289);
    let t291 = select(t289, t290, t251 < 0.0lf);
    let t292 = s.angle_1 - t291;
    let t293 = p.c30 * t292;
    let t294 = p.c8 + t293;
    let t295 = floor(t294);
    let t296 = p.c29 * t295 + t291;
    let t297 = p.c3 * t228;
    let t298 = p.c4 * t229;
    let t299 = t297 + t298;
    let t300 = p.c5 * t296;
    let t301 = t299 + t300;
    let t302 = p.c6 * t232;
    let t303 = t301 + t302;
    let t304 = -(t303);
    let t305 = select(t304, p.c31, t304 < p.c31);
    let t306 = select(t305, p.c7, p.c7 < t305);
    let t307 = p.c32 * t253;
    let t308 = t253 * t307;
    let t309 = p.c40 + t308;
    let t310 = p.c1 + t309;
    let t311 = t254 * t307;
    let t312 = p.c32 * t254;
    let t313 = t254 * t312;
    let t314 = p.c40 + t313;
    let t315 = p.c1 + t314;
    let t316 = t248 + t306;
    let t317 = p.c33 * t310;
    let t318 = p.c33 * t315;
    let t319 = select(t310, t317, t310 < t317);
    let t320 = p.c1 / t319;
    let t321 = t311 * t320;
    let t322 = t314 - t311 * t321;
    let t323 = select(t322, t318, t322 < t318);
    let t324 = p.c1 / t323;
    let t325 = t243 * t247 + p.c2;
    let t326 = t325 - t232 * t244;
    let t327 = t316 * t321 + t326;
    let t328 = t324 * t327;
    let t329 = t316 * t320;
    let t330 = t321 * t328 + t329;
    let t331 = t253 * t330;
    let t332 = t254 * t328 - t331;
    let t333 = t306 - t330;
    let t334 = p.c0 * t333;
    let t335 = p.c32 * t332;
    let t336 = p.c40 * t330;
    let t337 = p.c2 - p.c40 * t328;
    let t338 = p.c0 * t335;
    let t339 = p.c0 * t336;
    let t340 = p.c0 * t337;
    let t341 = p.c0 * t229;
    let t342 = t231 * t232;
    let t343 = t230 * t232;
    let t344 = p.c34 * t342;
    let t345 = p.c34 * t343;
    let t346 = p.c0 * t233;
    let t347 = p.c0 * t234;
    let t348 = p.c12 * t221 + t99;
    let t349 = p.c12 * t100 + t100;
    let t350 = p.c12 * t214 + t92;
    let t351 = p.c12 * t224 + t103;
    let t352 = p.c12 * t225 + t104;
    let t353 = p.c12 * t218 + t96;
    let t354 = p.c12 * t226 + t105;
    let t355 = p.c12 * t227 + t106;
    let t356 = p.c12 * t219 + t97;
    let t357 = p.c12 * t220 + t98;
    let t358 = p.c12 * t341 + t348;
    let t359 = p.c12 * t100 + t349;
    let t360 = p.c12 * t334 + t350;
    let t361 = p.c12 * t344 + t351;
    let t362 = p.c12 * t345 + t352;
    let t363 = p.c12 * t338 + t353;
    let t364 = p.c12 * t346 + t354;
    let t365 = p.c12 * t347 + t355;
    let t366 = p.c12 * t339 + t356;
    let t367 = p.c12 * t340 + t357;
    let t368 = s.b0_rx + t341;
    let t369 = s.b0_vx + t334;
    let t370 = s.b1_q0 - t344;
    let t371 = s.b1_q2 + t345;
    let t372 = s.b1_wy + t338;
    let t373 = s.b1_vx + t339;
    let t374 = s.b1_vz + t340;
    let t375 = t370 * t370;
    let t376 = t371 * t371 + t375;
    let t377 = p.c36 + t376;
    let t378 = t376 * t377 + p.c35;
    let t379 = p.c35 * t376 + p.c36;
    let t380 = t376 * t379 + p.c1;
    let t381 = t378 / t380;
    let t382 = t370 * t381;
    let t383 = t371 * t381;
    let t384 = p.c10 * t372;
    let t385 = t372 * t384;
    let t386 = t383 * t385;
    let t387 = p.c12 * t386;
    let t388 = t382 * t387;
    let t389 = p.c12 * t383;
    let t390 = t383 * t389 + p.c9;
    let t391 = t382 * t389;
    let t392 = -(t391);
    let t393 = p.c10 * t390;
    let t394 = p.c10 * t391;
    let t395 = t383 * t389;
    let t396 = p.c1 - t395;
    let t397 = -(t396);
    let t398 = select(t396, t397, t396 < 0.0lf);
    let t399 = select(t391, t392, t391 < 0.0lf);
    let t400 = select(t398, t399, t399 < t398);
    let t401 = select(t399, t398, t399 < t398);
    let t402 = p.c13 * t401;
    let t403 = t400 - t401;
    let t404 = select(t400, t403, t402 < t400);
    let t405 = t400 + t401;
    let t406 = select(t401, t405, t402 < t400);
    let t407 = p.c1 + t406;
    let t408 = select(t407, t406, 0.0lf < t406);
    let t409 = t404 / t408;
    let t410 = t409 * t409;
    let t411 = t409 * t410;
    let t412 = p.c14 * t410 + p.c15;
    let t413 = t410 * t412 + p.c16;
    let t414 = t410 * t413 + p.c17;
    let t415 = t410 * t414 + p.c18;
    let t416 = t410 * t415 + p.c19;
    let t417 = t410 * t416 + p.c20;
    let t418 = t410 * t417 + p.c21;
    let t419 = t410 * t418 + p.c22;
    let t420 = t410 * t419 + p.c23;
    let t421 = t410 * t420 + p.c24;
    let t422 = t410 * t421 + p.c25;
    let t423 = t411 * t422 + t409;
    let t424 = p.c26 + t423;
    let t425 = select(t423, t424, t402 < t400);
    let t426 = p.c27 - t425;
    let t427 = select(t425, t426, t398 < t399);
    let t428 = p.c28 - t427;
    let t429 = select(t427, t428, t396 < 0.0lf);
    let t430 = -(t429);
    let t431 = select(t429, t430, t391 < 0.0lf);
    let t432 = s.angle_1 - t431;
    let t433 = p.c30 * t432;
    let t434 = p.c8 + t433;
    let t435 = floor(t434);
    let t436 = p.c29 * t435 + t431;
    let t437 = p.c3 * t368;
    let t438 = p.c4 * t369;
    let t439 = t437 + t438;
    let t440 = p.c5 * t436;
    let t441 = t439 + t440;
    let t442 = p.c6 * t372;
    let t443 = t441 + t442;
    let t444 = -(t443);
    let t445 = select(t444, p.c31, t444 < p.c31);
    let t446 = select(t445, p.c7, p.c7 < t445);
    let t447 = p.c32 * t393;
    let t448 = t393 * t447;
    let t449 = p.c40 + t448;
    let t450 = p.c1 + t449;
    let t451 = t394 * t447;
    let t452 = p.c32 * t394;
    let t453 = t394 * t452;
    let t454 = p.c40 + t453;
    let t455 = p.c1 + t454;
    let t456 = t388 + t446;
    let t457 = p.c33 * t450;
    let t458 = p.c33 * t455;
    let t459 = select(t450, t457, t450 < t457);
    let t460 = p.c1 / t459;
    let t461 = t451 * t460;
    let t462 = t454 - t451 * t461;
    let t463 = select(t462, t458, t462 < t458);
    let t464 = p.c1 / t463;
    let t465 = t383 * t387 + p.c2;
    let t466 = t465 - t372 * t384;
    let t467 = t456 * t461 + t466;
    let t468 = t464 * t467;
    let t469 = t456 * t460;
    let t470 = t461 * t468 + t469;
    let t471 = t393 * t470;
    let t472 = t394 * t468 - t471;
    let t473 = t446 - t470;
    let t474 = p.c0 * t473 + t360;
    let t475 = p.c32 * t472;
    let t476 = p.c40 * t470;
    let t477 = p.c2 - p.c40 * t468;
    let t478 = p.c0 * t475 + t363;
    let t479 = p.c0 * t476 + t366;
    let t480 = p.c0 * t477 + t367;
    let t481 = p.c0 * t369 + t358;
    let t482 = s.b0_vz * p.c0 + t359;
    let t483 = t371 * t372;
    let t484 = t370 * t372;
    let t485 = p.c34 * t483 + t361;
    let t486 = p.c34 * t484 + t362;
    let t487 = p.c0 * t373 + t364;
    let t488 = p.c0 * t374 + t365;
    let t489 = p.c11 * t481 + s.b0_rx;
    let t490 = p.c11 * t482 + s.b0_rz;
    let t491 = p.c11 * t474 + s.b0_vx;
    let t492 = s.b1_q0 - p.c11 * t485;
    let t493 = p.c11 * t486 + s.b1_q2;
    let t494 = p.c11 * t478 + s.b1_wy;
    let t495 = p.c11 * t487 + s.b1_rx;
    let t496 = p.c11 * t488 + s.b1_rz;
    let t497 = p.c11 * t479 + s.b1_vx;
    let t498 = p.c11 * t480 + s.b1_vz;
    let t499 = sqrt(t114);
    let t500 = p.c1 / t499;
    let t501 = s.b0_q0 * t500;
    let t502 = t492 * t492;
    let t503 = t493 * t493 + t502;
    let t504 = sqrt(t503);
    let t505 = p.c1 / t504;
    let t506 = t492 * t505;
    let t507 = t493 * t505;
    let t508 = p.c12 * t507;
    let t509 = t507 * t508;
    let t510 = t506 * t508;
    let t511 = -(t510);
    let t512 = p.c1 - t509;
    let t513 = -(t512);
    let t514 = select(t512, t513, t512 < 0.0lf);
    let t515 = select(t510, t511, t510 < 0.0lf);
    let t516 = select(t514, t515, t515 < t514);
    let t517 = select(t515, t514, t515 < t514);
    let t518 = p.c13 * t517;
    let t519 = t516 - t517;
    let t520 = select(t516, t519, t518 < t516);
    let t521 = t516 + t517;
    let t522 = select(t517, t521, t518 < t516);
    let t523 = p.c1 + t522;
    let t524 = select(t523, t522, 0.0lf < t522);
    let t525 = t520 / t524;
    let t526 = t525 * t525;
    let t527 = t525 * t526;
    let t528 = p.c14 * t526 + p.c15;
    let t529 = t526 * t528 + p.c16;
    let t530 = t526 * t529 + p.c17;
    let t531 = t526 * t530 + p.c18;
    let t532 = t526 * t531 + p.c19;
    let t533 = t526 * t532 + p.c20;
    let t534 = t526 * t533 + p.c21;
    let t535 = t526 * t534 + p.c22;
    let t536 = t526 * t535 + p.c23;
    let t537 = t526 * t536 + p.c24;
    let t538 = t526 * t537 + p.c25;
    let t539 = t527 * t538 + t525;
    let t540 = p.c26 + t539;
    let t541 = select(t539, t540, t518 < t516);
    let t542 = p.c27 - t541;
    let t543 = select(t541, t542, t514 < t515);
    let t544 = p.c28 - t543;
    let t545 = select(t543, t544, t512 < 0.0lf);
    let t546 = -(t545);
    let t547 = select(t545, t546, t510 < 0.0lf);
    let t548 = s.angle_1 - t547;
    let t549 = p.c30 * t548;
    let t550 = p.c8 + t549;
    let t551 = floor(t550);
    let t552 = p.c29 * t551 + t547;
    let t553 = p.c3 * t489;
    let t554 = p.c4 * t491;
    let t555 = t553 + t554;
    let t556 = p.c5 * t552;
    let t557 = t555 + t556;
    let t558 = p.c6 * t494;
    let t559 = t557 + t558;
    let t560 = -(t559);
    let t561 = -(t552);
    let t562 = select(t552, t561, t552 < 0.0lf);
    let t563 = p.c37 - t562;
    let t564 = t563 - s.outcome_0_2;
    let t565 = t564 / p.c0;
    let t566 = s.outcome_0_2 - s.outcome_0_3;
    let t567 = select(p.c1, s.outcome_0_5, 0.0lf < s.outcome_0_5);
    let t568 = t566 / t567;
    let t569 = t565 - t568;
    let t570 = s.outcome_0_5 + p.c0;
    let t571 = t569 / t570;
    let t572 = select(0.0lf, t571, 0.0lf < s.outcome_0_5);
    let t573 = s.outcome_0_3 - s.outcome_0_4;
    let t574 = select(p.c1, s.outcome_0_6, 0.0lf < s.outcome_0_6);
    let t575 = t573 / t574;
    let t576 = t568 - t575;
    let t577 = s.outcome_0_6 + t567;
    let t578 = t576 / t577;
    let t579 = t572 - t578;
    let t580 = s.outcome_0_6 + t570;
    let t581 = t579 / t580;
    let t582 = select(0.0lf, t581, 0.0lf < s.outcome_0_6);
    let t583 = s.outcome_0_2 - t563;
    let t584 = t583 * t583;
    let t585 = select(p.c1, t583, 0.0lf < t584);
    let t586 = s.outcome_0_2 / t585;
    let t587 = p.c0 * t586;
    let t588 = select(p.c0, t587, t587 < p.c0);
    let t589 = select(0.0lf, t588, 0.0lf < t588);
    let t590 = s.outcome_0_5 + t589;
    let t591 = t582 * t590 + t572;
    let t592 = t589 - p.c0;
    let t593 = t591 * t592 + t565;
    let t594 = t589 * t593 + s.outcome_0_2;
    let t595 = p.c12 * t589;
    let t596 = t595 - p.c0;
    let t597 = t589 * t592;
    let t598 = t590 * t596 + t597;
    let t599 = t572 * t596 + t565;
    let t600 = t582 * t598 + t599;
    let t601 = t600 * t600;
    let t602 = select(p.c1, t600, 0.0lf < t601);
    let t603 = t594 / t602;
    let t604 = t589 - t603;
    let t605 = select(p.c0, t604, t604 < p.c0);
    let t606 = select(0.0lf, t605, 0.0lf < t605);
    let t607 = s.outcome_0_5 + t606;
    let t608 = t582 * t607 + t572;
    let t609 = t606 - p.c0;
    let t610 = t608 * t609 + t565;
    let t611 = t606 * t610 + s.outcome_0_2;
    let t612 = p.c12 * t606;
    let t613 = t612 - p.c0;
    let t614 = t606 * t609;
    let t615 = t607 * t613 + t614;
    let t616 = t572 * t613 + t565;
    let t617 = t582 * t615 + t616;
    let t618 = t617 * t617;
    let t619 = select(p.c1, t617, 0.0lf < t618);
    let t620 = t611 / t619;
    let t621 = t606 - t620;
    let t622 = select(p.c0, t621, t621 < p.c0);
    let t623 = select(0.0lf, t622, 0.0lf < t622);
    let t624 = t0 + t623;
    let t625 = select(t624, s.outcome_0_0, 0.0lf < s.outcome_0_2);
    let t626 = select(p.c9, t625, 0.0lf < t563);
    let t627 = -(t489);
    let t628 = select(t489, t627, t489 < 0.0lf);
    let t629 = t628 - s.outcome_1_2;
    let t630 = t629 / p.c0;
    let t631 = s.outcome_1_2 - s.outcome_1_3;
    let t632 = select(p.c1, s.outcome_1_5, 0.0lf < s.outcome_1_5);
    let t633 = t631 / t632;
    let t634 = t630 - t633;
    let t635 = s.outcome_1_5 + p.c0;
    let t636 = t634 / t635;
    let t637 = select(0.0lf, t636, 0.0lf < s.outcome_1_5);
    let t638 = s.outcome_1_3 - s.outcome_1_4;
    let t639 = select(p.c1, s.outcome_1_6, 0.0lf < s.outcome_1_6);
    let t640 = t638 / t639;
    let t641 = t633 - t640;
    let t642 = s.outcome_1_6 + t632;
    let t643 = t641 / t642;
    let t644 = t637 - t643;
    let t645 = s.outcome_1_6 + t635;
    let t646 = t644 / t645;
    let t647 = select(0.0lf, t646, 0.0lf < s.outcome_1_6);
    let t648 = p.c0 + t0;
    let t649 = select(0.0lf, p.c1, s.outcome_1_0 < t628);
    let t650 = select(s.outcome_1_0, t628, 0.0lf < t649);
    let t651 = select(s.outcome_1_1, t648, 0.0lf < t649);
    let t652 = select(0.0lf, p.c1, 0.0lf < s.outcome_1_5);
    let t653 = select(0.0lf, p.c1, t637 < 0.0lf);
    let t654 = select(p.c1, 0.0lf, s.outcome_1_2 < s.outcome_1_3);
    let t655 = select(p.c1, 0.0lf, s.outcome_1_2 < t628);
    let t656 = t654 * t655;
    let t657 = t652 * t656;
    let t658 = t653 * t657;
    let t659 = t637 * t637;
    let t660 = select(p.c1, t637, 0.0lf < t659);
    let t661 = select(p.c1, t660, 0.0lf < t658);
    let t662 = t630 / t661;
    let t663 = p.c0 - t662;
    let t664 = p.c8 * t663;
    let t665 = -(s.outcome_1_5);
    let t666 = select(p.c0, t664, t664 < p.c0);
    let t667 = select(t665, t666, t665 < t666);
    let t668 = p.c12 * t667;
    let t669 = t668 - p.c0;
    let t670 = s.outcome_1_5 + t667;
    let t671 = t667 - p.c0;
    let t672 = t667 * t671;
    let t673 = t669 * t670 + t672;
    let t674 = t637 * t669 + t630;
    let t675 = t647 * t673 + t674;
    let t676 = p.c12 * t670;
    let t677 = t667 * p.c38 - p.c39;
    let t678 = t676 + t677;
    let t679 = p.c12 * t637;
    let t680 = t647 * t678 + t679;
    let t681 = t680 * t680;
    let t682 = select(p.c1, t680, 0.0lf < t681);
    let t683 = select(p.c1, t682, 0.0lf < t658);
    let t684 = t675 / t683;
    let t685 = t667 - t684;
    let t686 = select(p.c0, t685, t685 < p.c0);
    let t687 = select(t665, t686, t665 < t686);
    let t688 = s.outcome_1_5 + t687;
    let t689 = t647 * t688 + t637;
    let t690 = t687 - p.c0;
    let t691 = t689 * t690 + t630;
    let t692 = t687 * t691 + s.outcome_1_2;
    let t693 = t0 + t687;
    let t694 = select(0.0lf, p.c1, t650 < t692);
    let t695 = t658 * t694;
    let t696 = select(t650, t692, 0.0lf < t695);
    let t697 = select(t651, t693, 0.0lf < t695);
    let t698 = select(t560, t559, t560 < 0.0lf);
    let t699 = t698 - p.c7;
    let t700 = t699 - s.outcome_2_2;
    let t701 = t700 / p.c0;
    let t702 = s.outcome_2_2 - s.outcome_2_3;
    let t703 = select(p.c1, s.outcome_2_5, 0.0lf < s.outcome_2_5);
    let t704 = t702 / t703;
    let t705 = t701 - t704;
    let t706 = s.outcome_2_5 + p.c0;
    let t707 = t705 / t706;
    let t708 = select(0.0lf, t707, 0.0lf < s.outcome_2_5);
    let t709 = s.outcome_2_3 - s.outcome_2_4;
    let t710 = select(p.c1, s.outcome_2_6, 0.0lf < s.outcome_2_6);
    let t711 = t709 / t710;
    let t712 = t704 - t711;
    let t713 = s.outcome_2_6 + t703;
    let t714 = t712 / t713;
    let t715 = t708 - t714;
    let t716 = s.outcome_2_6 + t706;
    let t717 = t715 / t716;
    let t718 = select(0.0lf, t717, 0.0lf < s.outcome_2_6);
    let t719 = s.outcome_2_2 - t699;
    let t720 = t719 * t719;
    let t721 = select(p.c1, t719, 0.0lf < t720);
    let t722 = s.outcome_2_2 / t721;
    let t723 = p.c0 * t722;
    let t724 = select(p.c0, t723, t723 < p.c0);
    let t725 = select(0.0lf, t724, 0.0lf < t724);
    let t726 = s.outcome_2_5 + t725;
    let t727 = t718 * t726 + t708;
    let t728 = t725 - p.c0;
    let t729 = t727 * t728 + t701;
    let t730 = t725 * t729 + s.outcome_2_2;
    let t731 = p.c12 * t725;
    let t732 = t731 - p.c0;
    let t733 = t725 * t728;
    let t734 = t726 * t732 + t733;
    let t735 = t708 * t732 + t701;
    let t736 = t718 * t734 + t735;
    let t737 = t736 * t736;
    let t738 = select(p.c1, t736, 0.0lf < t737);
    let t739 = t730 / t738;
    let t740 = t725 - t739;
    let t741 = select(p.c0, t740, t740 < p.c0);
    let t742 = select(0.0lf, t741, 0.0lf < t741);
    let t743 = s.outcome_2_5 + t742;
    let t744 = t718 * t743 + t708;
    let t745 = t742 - p.c0;
    let t746 = t744 * t745 + t701;
    let t747 = t742 * t746 + s.outcome_2_2;
    let t748 = p.c12 * t742;
    let t749 = t748 - p.c0;
    let t750 = t742 * t745;
    let t751 = t743 * t749 + t750;
    let t752 = t708 * t749 + t701;
    let t753 = t718 * t751 + t752;
    let t754 = t753 * t753;
    let t755 = select(p.c1, t753, 0.0lf < t754);
    let t756 = t747 / t755;
    let t757 = t742 - t756;
    let t758 = select(p.c0, t757, t757 < p.c0);
    let t759 = select(0.0lf, t758, 0.0lf < t758);
    let t760 = p.c0 - t759;
    let t761 = select(t760, p.c0, 0.0lf < s.outcome_2_2);
    let t762 = select(0.0lf, t759, 0.0lf < s.outcome_2_2);
    let t763 = select(t762, t761, 0.0lf < t699);
    let t764 = s.outcome_2_0 + t763;
    var next: State;
    next.b0_q0 = t501;
    next.b0_rx = t489;
    next.b0_rz = t490;
    next.b0_vx = t491;
    next.b0_vz = s.b0_vz;
    next.b1_q0 = t506;
    next.b1_q2 = t507;
    next.b1_wy = t494;
    next.b1_rx = t495;
    next.b1_rz = t496;
    next.b1_vx = t497;
    next.b1_vz = t498;
    next.clock = t1;
    next.angle_1 = t552;
    next.outcome_0_0 = t626;
    next.outcome_0_1 = 0.0lf;
    next.outcome_0_2 = t563;
    next.outcome_0_3 = s.outcome_0_2;
    next.outcome_0_4 = s.outcome_0_3;
    next.outcome_0_5 = p.c0;
    next.outcome_0_6 = s.outcome_0_5;
    next.outcome_1_0 = t696;
    next.outcome_1_1 = t697;
    next.outcome_1_2 = t628;
    next.outcome_1_3 = s.outcome_1_2;
    next.outcome_1_4 = s.outcome_1_3;
    next.outcome_1_5 = p.c0;
    next.outcome_1_6 = s.outcome_1_5;
    next.outcome_2_0 = t764;
    next.outcome_2_1 = 0.0lf;
    next.outcome_2_2 = t699;
    next.outcome_2_3 = s.outcome_2_2;
    next.outcome_2_4 = s.outcome_2_3;
    next.outcome_2_5 = p.c0;
    next.outcome_2_6 = s.outcome_2_5;
    return next;
}

// The method begins to carry these values (0 operations).
fn begin(instance: u32, s: State) -> State {
    var next = s;
    return next;
}

// The method carries these values after it was resynchronised (442 operations).
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

// A value is judged by how large it may be; 0: however large.
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
