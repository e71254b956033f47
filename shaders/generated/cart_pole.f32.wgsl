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
const NORM_BOUND_VALUE: real = 0.0f;

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
    p.c30 = shared_values[49];
    p.c31 = shared_values[50];
    p.c32 = shared_values[51];
    p.c33 = t0;
    return p;
}

// A full step takes 868 operations, a multiply-add counted as two.
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
    let t16 = select(t14, t15, t14 < 0.0f);
    let t17 = select(t9, t10, t9 < 0.0f);
    let t18 = select(t16, t17, t17 < t16);
    let t19 = select(t17, t16, t17 < t16);
    let t20 = t19 * p.c13;
    let t21 = t18 - t19;
    let t22 = select(t18, t21, t20 < t18);
    let t23 = t18 + t19;
    let t24 = select(t19, t23, t20 < t18);
    let t25 = p.c1 + t24;
    let t26 = select(t25, t24, 0.0f < t24);
    let t27 = t22 / t26;
    let t28 = t27 * t27;
    let t29 = t27 * t28;
    let t30 = t28 * p.c14 + p.c15;
    let t31 = t28 * t30 + p.c16;
    let t32 = t28 * t31 + p.c17;
    let t33 = t28 * t32 + p.c18;
    let t34 = t29 * t33 + t27;
    let t35 = t34 + p.c19;
    let t36 = select(t34, t35, t20 < t18);
    let t37 = p.c20 - t36;
    let t38 = select(t36, t37, t16 < t17);
    let t39 = p.c21 - t38;
    let t40 = select(t38, t39, t14 < 0.0f);
    let t41 = -(t40);
    let t42 = select(t40, t41, t9 < 0.0f);
    let t43 = s.angle_1 - t42;
    let t44 = t43 * p.c23;
    let t45 = p.c8 + t44;
    let t46 = floor(t45);
    let t47 = p.c22 * t46 + t42;
    let t48 = s.b0_rx * p.c3;
    let t49 = s.b0_vx * p.c4;
    let t50 = t48 + t49;
    let t51 = p.c5 * t47;
    let t52 = t50 + t51;
    let t53 = s.b1_wy * p.c6;
    let t54 = t52 + t53;
    let t55 = -(t54);
    let t56 = select(t55, p.c24, t55 < p.c24);
    let t57 = select(t56, p.c7, p.c7 < t56);
    let t58 = t11 * p.c25;
    let t59 = t11 * t58;
    let t60 = p.c33 + t59;
    let t61 = p.c1 + t60;
    let t62 = t12 * t58;
    let t63 = t12 * p.c25;
    let t64 = t12 * t63;
    let t65 = p.c33 + t64;
    let t66 = p.c1 + t65;
    let t67 = t6 + t57;
    let t68 = t61 * p.c26;
    let t69 = t66 * p.c26;
    let t70 = select(t61, t68, t61 < t68);
    let t71 = p.c1 / t70;
    let t72 = t62 * t71;
    let t73 = t65 - t62 * t72;
    let t74 = select(t73, t69, t73 < t69);
    let t75 = p.c1 / t74;
    let t76 = s.b1_q2 * t5 + p.c2;
    let t77 = t76 - s.b1_wy * t2;
    let t78 = t67 * t72 + t77;
    let t79 = t75 * t78;
    let t80 = t67 * t71;
    let t81 = t72 * t79 + t80;
    let t82 = t11 * t81;
    let t83 = t12 * t79 - t82;
    let t84 = t57 - t81;
    let t85 = p.c0 * t84;
    let t86 = p.c25 * t83;
    let t87 = p.c33 * t81;
    let t88 = p.c2 - p.c33 * t79;
    let t89 = p.c0 * t86;
    let t90 = p.c0 * t87;
    let t91 = p.c0 * t88;
    let t92 = s.b0_vx * p.c0;
    let t93 = s.b0_vz * p.c0;
    let t94 = s.b1_q2 * s.b1_wy;
    let t95 = s.b1_q0 * s.b1_wy;
    let t96 = p.c27 * t94;
    let t97 = p.c27 * t95;
    let t98 = s.b1_vx * p.c0;
    let t99 = s.b1_vz * p.c0;
    let t100 = p.c8 * t92 + s.b0_rx;
    let t101 = p.c8 * t85 + s.b0_vx;
    let t102 = s.b1_q0 - p.c8 * t96;
    let t103 = p.c8 * t97 + s.b1_q2;
    let t104 = p.c8 * t89 + s.b1_wy;
    let t105 = p.c8 * t90 + s.b1_vx;
    let t106 = p.c8 * t91 + s.b1_vz;
    let t107 = s.b0_q0 * s.b0_q0;
    let t108 = t102 * t102;
    let t109 = t103 * t103 + t108;
    let t110 = p.c29 + t109;
    let t111 = t109 * t110 + p.c28;
    let t112 = p.c28 * t109 + p.c29;
    let t113 = t109 * t112 + p.c1;
    let t114 = t111 / t113;
    let t115 = t102 * t114;
    let t116 = t103 * t114;
    let t117 = p.c10 * t104;
    let t118 = t104 * t117;
    let t119 = t116 * t118;
    let t120 = p.c12 * t119;
    let t121 = t115 * t120;
    let t122 = p.c12 * t116;
    let t123 = t116 * t122 + p.c9;
    let t124 = t115 * t122;
    let t125 = -(t124);
    let t126 = p.c10 * t123;
    let t127 = p.c10 * t124;
    let t128 = t116 * t122;
    let t129 = p.c1 - t128;
    let t130 = -(t129);
    let t131 = select(t129, t130, t129 < 0.0f);
    let t132 = select(t124, t125, t124 < 0.0f);
    let t133 = select(t131, t132, t132 < t131);
    let t134 = select(t132, t131, t132 < t131);
    let t135 = p.c13 * t134;
    let t136 = t133 - t134;
    let t137 = select(t133, t136, t135 < t133);
    let t138 = t133 + t134;
    let t139 = select(t134, t138, t135 < t133);
    let t140 = p.c1 + t139;
    let t141 = select(t140, t139, 0.0f < t139);
    let t142 = t137 / t141;
    let t143 = t142 * t142;
    let t144 = t142 * t143;
    let t145 = p.c14 * t143 + p.c15;
    let t146 = t143 * t145 + p.c16;
    let t147 = t143 * t146 + p.c17;
    let t148 = t143 * t147 + p.c18;
    let t149 = t144 * t148 + t142;
    let t150 = p.c19 + t149;
    let t151 = select(t149, t150, t135 < t133);
    let t152 = p.c20 - t151;
    let t153 = select(t151, t152, t131 < t132);
    let t154 = p.c21 - t153;
    let t155 = select(t153, t154, t129 < 0.0f);
    let t156 = -(t155);
    let t157 = select(t155, t156, t124 < 0.0f);
    let t158 = s.angle_1 - t157;
    let t159 = p.c23 * t158;
    let t160 = p.c8 + t159;
    let t161 = floor(t160);
    let t162 = p.c22 * t161 + t157;
    let t163 = p.c3 * t100;
    let t164 = p.c4 * t101;
    let t165 = t163 + t164;
    let t166 = p.c5 * t162;
    let t167 = t165 + t166;
    let t168 = p.c6 * t104;
    let t169 = t167 + t168;
    let t170 = -(t169);
    let t171 = select(t170, p.c24, t170 < p.c24);
    let t172 = select(t171, p.c7, p.c7 < t171);
    let t173 = p.c25 * t126;
    let t174 = t126 * t173;
    let t175 = p.c33 + t174;
    let t176 = p.c1 + t175;
    let t177 = t127 * t173;
    let t178 = p.c25 * t127;
    let t179 = t127 * t178;
    let t180 = p.c33 + t179;
    let t181 = p.c1 + t180;
    let t182 = t121 + t172;
    let t183 = p.c26 * t176;
    let t184 = p.c26 * t181;
    let t185 = select(t176, t183, t176 < t183);
    let t186 = p.c1 / t185;
    let t187 = t177 * t186;
    let t188 = t180 - t177 * t187;
    let t189 = select(t188, t184, t188 < t184);
    let t190 = p.c1 / t189;
    let t191 = t116 * t120 + p.c2;
    let t192 = t191 - t104 * t117;
    let t193 = t182 * t187 + t192;
    let t194 = t190 * t193;
    let t195 = t182 * t186;
    let t196 = t187 * t194 + t195;
    let t197 = t126 * t196;
    let t198 = t127 * t194 - t197;
    let t199 = t172 - t196;
    let t200 = p.c0 * t199;
    let t201 = p.c25 * t198;
    let t202 = p.c33 * t196;
    let t203 = p.c2 - p.c33 * t194;
    let t204 = p.c0 * t201;
    let t205 = p.c0 * t202;
    let t206 = p.c0 * t203;
    let t207 = p.c0 * t101;
    let t208 = t103 * t104;
    let t209 = t102 * t104;
    let t210 = p.c27 * t208;
    let t211 = p.c27 * t209;
    let t212 = p.c0 * t105;
    let t213 = p.c0 * t106;
    let t214 = p.c8 * t207 + s.b0_rx;
    let t215 = p.c8 * t200 + s.b0_vx;
    let t216 = s.b1_q0 - p.c8 * t210;
    let t217 = p.c8 * t211 + s.b1_q2;
    let t218 = p.c8 * t204 + s.b1_wy;
    let t219 = p.c8 * t205 + s.b1_vx;
    let t220 = p.c8 * t206 + s.b1_vz;
    let t221 = t216 * t216;
    let t222 = t217 * t217 + t221;
    let t223 = p.c29 + t222;
    let t224 = t222 * t223 + p.c28;
    let t225 = p.c28 * t222 + p.c29;
    let t226 = t222 * t225 + p.c1;
    let t227 = t224 / t226;
    let t228 = t216 * t227;
    let t229 = t217 * t227;
    let t230 = p.c10 * t218;
    let t231 = t218 * t230;
    let t232 = t229 * t231;
    let t233 = p.c12 * t232;
    let t234 = t228 * t233;
    let t235 = p.c12 * t229;
    let t236 = t229 * t235 + p.c9;
    let t237 = t228 * t235;
    let t238 = -(t237);
    let t239 = p.c10 * t236;
    let t240 = p.c10 * t237;
    let t241 = t229 * t235;
    let t242 = p.c1 - t241;
    let t243 = -(t242);
    let t244 = select(t242, t243, t242 < 0.0f);
    let t245 = select(t237, t238, t237 < 0.0f);
    let t246 = select(t244, t245, t245 < t244);
    let t247 = select(t245, t244, t245 < t244);
    let t248 = p.c13 * t247;
    let t249 = t246 - t247;
    let t250 = select(t246, t249, t248 < t246);
    let t251 = t246 + t247;
    let t252 = select(t247, t251, t248 < t246);
    let t253 = p.c1 + t252;
    let t254 = select(t253, t252, 0.0f < t252);
    let t255 = t250 / t254;
    let t256 = t255 * t255;
    let t257 = t255 * t256;
    let t258 = p.c14 * t256 + p.c15;
    let t259 = t256 * t258 + p.c16;
    let t260 = t256 * t259 + p.c17;
    let t261 = t256 * t260 + p.c18;
    let t262 = t257 * t261 + t255;
    let t263 = p.c19 + t262;
    let t264 = select(t262, t263, t248 < t246);
    let t265 = p.c20 - t264;
    let t266 = select(t264, t265, t244 < t245);
    let t267 = p.c21 - t266;
    let t268 = select(t266, t267, t242 < 0.0f);
    let t269 = -(t268);
    let t270 = select(t268, t269, t237 < 0.0f);
    let t271 = s.angle_1 - t270;
    let t272 = p.c23 * t271;
    let t273 = p.c8 + t272;
    let t274 = floor(t273);
    let t275 = p.c22 * t274 + t270;
    let t276 = p.c3 * t214;
    let t277 = p.c4 * t215;
    let t278 = t276 + t277;
    let t279 = p.c5 * t275;
    let t280 = t278 + t279;
    let t281 = p.c6 * t218;
    let t282 = t280 + t281;
    let t283 = -(t282);
    let t284 = select(t283, p.c24, t283 < p.c24);
    let t285 = select(t284, p.c7, p.c7 < t284);
    let t286 = p.c25 * t239;
    let t287 = t239 * t286;
    let t288 = p.c33 + t287;
    let t289 = p.c1 + t288;
    let t290 = t240 * t286;
    let t291 = p.c25 * t240;
    let t292 = t240 * t291;
    let t293 = p.c33 + t292;
    let t294 = p.c1 + t293;
    let t295 = t234 + t285;
    let t296 = p.c26 * t289;
    let t297 = p.c26 * t294;
    let t298 = select(t289, t296, t289 < t296);
    let t299 = p.c1 / t298;
    let t300 = t290 * t299;
    let t301 = t293 - t290 * t300;
    let t302 = select(t301, t297, t301 < t297);
    let t303 = p.c1 / t302;
    let t304 = t229 * t233 + p.c2;
    let t305 = t304 - t218 * t230;
    let t306 = t295 * t300 + t305;
    let t307 = t303 * t306;
    let t308 = t295 * t299;
    let t309 = t300 * t307 + t308;
    let t310 = t239 * t309;
    let t311 = t240 * t307 - t310;
    let t312 = t285 - t309;
    let t313 = p.c0 * t312;
    let t314 = p.c25 * t311;
    let t315 = p.c33 * t309;
    let t316 = p.c2 - p.c33 * t307;
    let t317 = p.c0 * t314;
    let t318 = p.c0 * t315;
    let t319 = p.c0 * t316;
    let t320 = p.c0 * t215;
    let t321 = t217 * t218;
    let t322 = t216 * t218;
    let t323 = p.c27 * t321;
    let t324 = p.c27 * t322;
    let t325 = p.c0 * t219;
    let t326 = p.c0 * t220;
    let t327 = p.c12 * t207 + t92;
    let t328 = p.c12 * t93 + t93;
    let t329 = p.c12 * t200 + t85;
    let t330 = p.c12 * t210 + t96;
    let t331 = p.c12 * t211 + t97;
    let t332 = p.c12 * t204 + t89;
    let t333 = p.c12 * t212 + t98;
    let t334 = p.c12 * t213 + t99;
    let t335 = p.c12 * t205 + t90;
    let t336 = p.c12 * t206 + t91;
    let t337 = p.c12 * t320 + t327;
    let t338 = p.c12 * t93 + t328;
    let t339 = p.c12 * t313 + t329;
    let t340 = p.c12 * t323 + t330;
    let t341 = p.c12 * t324 + t331;
    let t342 = p.c12 * t317 + t332;
    let t343 = p.c12 * t325 + t333;
    let t344 = p.c12 * t326 + t334;
    let t345 = p.c12 * t318 + t335;
    let t346 = p.c12 * t319 + t336;
    let t347 = s.b0_rx + t320;
    let t348 = s.b0_vx + t313;
    let t349 = s.b1_q0 - t323;
    let t350 = s.b1_q2 + t324;
    let t351 = s.b1_wy + t317;
    let t352 = s.b1_vx + t318;
    let t353 = s.b1_vz + t319;
    let t354 = t349 * t349;
    let t355 = t350 * t350 + t354;
    let t356 = p.c29 + t355;
    let t357 = t355 * t356 + p.c28;
    let t358 = p.c28 * t355 + p.c29;
    let t359 = t355 * t358 + p.c1;
    let t360 = t357 / t359;
    let t361 = t349 * t360;
    let t362 = t350 * t360;
    let t363 = p.c10 * t351;
    let t364 = t351 * t363;
    let t365 = t362 * t364;
    let t366 = p.c12 * t365;
    let t367 = t361 * t366;
    let t368 = p.c12 * t362;
    let t369 = t362 * t368 + p.c9;
    let t370 = t361 * t368;
    let t371 = -(t370);
    let t372 = p.c10 * t369;
    let t373 = p.c10 * t370;
    let t374 = t362 * t368;
    let t375 = p.c1 - t374;
    let t376 = -(t375);
    let t377 = select(t375, t376, t375 < 0.0f);
    let t378 = select(t370, t371, t370 < 0.0f);
    let t379 = select(t377, t378, t378 < t377);
    let t380 = select(t378, t377, t378 < t377);
    let t381 = p.c13 * t380;
    let t382 = t379 - t380;
    let t383 = select(t379, t382, t381 < t379);
    let t384 = t379 + t380;
    let t385 = select(t380, t384, t381 < t379);
    let t386 = p.c1 + t385;
    let t387 = select(t386, t385, 0.0f < t385);
    let t388 = t383 / t387;
    let t389 = t388 * t388;
    let t390 = t388 * t389;
    let t391 = p.c14 * t389 + p.c15;
    let t392 = t389 * t391 + p.c16;
    let t393 = t389 * t392 + p.c17;
    let t394 = t389 * t393 + p.c18;
    let t395 = t390 * t394 + t388;
    let t396 = p.c19 + t395;
    let t397 = select(t395, t396, t381 < t379);
    let t398 = p.c20 - t397;
    let t399 = select(t397, t398, t377 < t378);
    let t400 = p.c21 - t399;
    let t401 = select(t399, t400, t375 < 0.0f);
    let t402 = -(t401);
    let t403 = select(t401, t402, t370 < 0.0f);
    let t404 = s.angle_1 - t403;
    let t405 = p.c23 * t404;
    let t406 = p.c8 + t405;
    let t407 = floor(t406);
    let t408 = p.c22 * t407 + t403;
    let t409 = p.c3 * t347;
    let t410 = p.c4 * t348;
    let t411 = t409 + t410;
    let t412 = p.c5 * t408;
    let t413 = t411 + t412;
    let t414 = p.c6 * t351;
    let t415 = t413 + t414;
    let t416 = -(t415);
    let t417 = select(t416, p.c24, t416 < p.c24);
    let t418 = select(t417, p.c7, p.c7 < t417);
    let t419 = p.c25 * t372;
    let t420 = t372 * t419;
    let t421 = p.c33 + t420;
    let t422 = p.c1 + t421;
    let t423 = t373 * t419;
    let t424 = p.c25 * t373;
    let t425 = t373 * t424;
    let t426 = p.c33 + t425;
    let t427 = p.c1 + t426;
    let t428 = t367 + t418;
    let t429 = p.c26 * t422;
    let t430 = p.c26 * t427;
    let t431 = select(t422, t429, t422 < t429);
    let t432 = p.c1 / t431;
    let t433 = t423 * t432;
    let t434 = t426 - t423 * t433;
    let t435 = select(t434, t430, t434 < t430);
    let t436 = p.c1 / t435;
    let t437 = t362 * t366 + p.c2;
    let t438 = t437 - t351 * t363;
    let t439 = t428 * t433 + t438;
    let t440 = t436 * t439;
    let t441 = t428 * t432;
    let t442 = t433 * t440 + t441;
    let t443 = t372 * t442;
    let t444 = t373 * t440 - t443;
    let t445 = t418 - t442;
    let t446 = p.c0 * t445 + t339;
    let t447 = p.c25 * t444;
    let t448 = p.c33 * t442;
    let t449 = p.c2 - p.c33 * t440;
    let t450 = p.c0 * t447 + t342;
    let t451 = p.c0 * t448 + t345;
    let t452 = p.c0 * t449 + t346;
    let t453 = p.c0 * t348 + t337;
    let t454 = s.b0_vz * p.c0 + t338;
    let t455 = t350 * t351;
    let t456 = t349 * t351;
    let t457 = p.c27 * t455 + t340;
    let t458 = p.c27 * t456 + t341;
    let t459 = p.c0 * t352 + t343;
    let t460 = p.c0 * t353 + t344;
    let t461 = p.c11 * t453 + s.b0_rx;
    let t462 = p.c11 * t454 + s.b0_rz;
    let t463 = p.c11 * t446 + s.b0_vx;
    let t464 = s.b1_q0 - p.c11 * t457;
    let t465 = p.c11 * t458 + s.b1_q2;
    let t466 = p.c11 * t450 + s.b1_wy;
    let t467 = p.c11 * t459 + s.b1_rx;
    let t468 = p.c11 * t460 + s.b1_rz;
    let t469 = p.c11 * t451 + s.b1_vx;
    let t470 = p.c11 * t452 + s.b1_vz;
    let t471 = sqrt(t107);
    let t472 = p.c1 / t471;
    let t473 = s.b0_q0 * t472;
    let t474 = t464 * t464;
    let t475 = t465 * t465 + t474;
    let t476 = sqrt(t475);
    let t477 = p.c1 / t476;
    let t478 = t464 * t477;
    let t479 = t465 * t477;
    let t480 = p.c12 * t479;
    let t481 = t479 * t480;
    let t482 = t478 * t480;
    let t483 = -(t482);
    let t484 = p.c1 - t481;
    let t485 = -(t484);
    let t486 = select(t484, t485, t484 < 0.0f);
    let t487 = select(t482, t483, t482 < 0.0f);
    let t488 = select(t486, t487, t487 < t486);
    let t489 = select(t487, t486, t487 < t486);
    let t490 = p.c13 * t489;
    let t491 = t488 - t489;
    let t492 = select(t488, t491, t490 < t488);
    let t493 = t488 + t489;
    let t494 = select(t489, t493, t490 < t488);
    let t495 = p.c1 + t494;
    let t496 = select(t495, t494, 0.0f < t494);
    let t497 = t492 / t496;
    let t498 = t497 * t497;
    let t499 = t497 * t498;
    let t500 = p.c14 * t498 + p.c15;
    let t501 = t498 * t500 + p.c16;
    let t502 = t498 * t501 + p.c17;
    let t503 = t498 * t502 + p.c18;
    let t504 = t499 * t503 + t497;
    let t505 = p.c19 + t504;
    let t506 = select(t504, t505, t490 < t488);
    let t507 = p.c20 - t506;
    let t508 = select(t506, t507, t486 < t487);
    let t509 = p.c21 - t508;
    let t510 = select(t508, t509, t484 < 0.0f);
    let t511 = -(t510);
    let t512 = select(t510, t511, t482 < 0.0f);
    let t513 = s.angle_1 - t512;
    let t514 = p.c23 * t513;
    let t515 = p.c8 + t514;
    let t516 = floor(t515);
    let t517 = p.c22 * t516 + t512;
    let t518 = p.c3 * t461;
    let t519 = p.c4 * t463;
    let t520 = t518 + t519;
    let t521 = p.c5 * t517;
    let t522 = t520 + t521;
    let t523 = p.c6 * t466;
    let t524 = t522 + t523;
    let t525 = -(t524);
    let t526 = -(t517);
    let t527 = select(t517, t526, t517 < 0.0f);
    let t528 = p.c30 - t527;
    let t529 = t528 - s.outcome_0_2;
    let t530 = t529 / p.c0;
    let t531 = s.outcome_0_2 - s.outcome_0_3;
    let t532 = select(p.c1, s.outcome_0_5, 0.0f < s.outcome_0_5);
    let t533 = t531 / t532;
    let t534 = t530 - t533;
    let t535 = s.outcome_0_5 + p.c0;
    let t536 = t534 / t535;
    let t537 = select(0.0f, t536, 0.0f < s.outcome_0_5);
    let t538 = s.outcome_0_3 - s.outcome_0_4;
    let t539 = select(p.c1, s.outcome_0_6, 0.0f < s.outcome_0_6);
    let t540 = t538 / t539;
    let t541 = t533 - t540;
    let t542 = s.outcome_0_6 + t532;
    let t543 = t541 / t542;
    let t544 = t537 - t543;
    let t545 = s.outcome_0_6 + t535;
    let t546 = t544 / t545;
    let t547 = select(0.0f, t546, 0.0f < s.outcome_0_6);
    let t548 = s.outcome_0_2 - t528;
    let t549 = t548 * t548;
    let t550 = select(p.c1, t548, 0.0f < t549);
    let t551 = s.outcome_0_2 / t550;
    let t552 = p.c0 * t551;
    let t553 = select(p.c0, t552, t552 < p.c0);
    let t554 = select(0.0f, t553, 0.0f < t553);
    let t555 = s.outcome_0_5 + t554;
    let t556 = t547 * t555 + t537;
    let t557 = t554 - p.c0;
    let t558 = t556 * t557 + t530;
    let t559 = t554 * t558 + s.outcome_0_2;
    let t560 = p.c12 * t554;
    let t561 = t560 - p.c0;
    let t562 = t554 * t557;
    let t563 = t555 * t561 + t562;
    let t564 = t537 * t561 + t530;
    let t565 = t547 * t563 + t564;
    let t566 = t565 * t565;
    let t567 = select(p.c1, t565, 0.0f < t566);
    let t568 = t559 / t567;
    let t569 = t554 - t568;
    let t570 = select(p.c0, t569, t569 < p.c0);
    let t571 = select(0.0f, t570, 0.0f < t570);
    let t572 = s.outcome_0_5 + t571;
    let t573 = t547 * t572 + t537;
    let t574 = t571 - p.c0;
    let t575 = t573 * t574 + t530;
    let t576 = t571 * t575 + s.outcome_0_2;
    let t577 = p.c12 * t571;
    let t578 = t577 - p.c0;
    let t579 = t571 * t574;
    let t580 = t572 * t578 + t579;
    let t581 = t537 * t578 + t530;
    let t582 = t547 * t580 + t581;
    let t583 = t582 * t582;
    let t584 = select(p.c1, t582, 0.0f < t583);
    let t585 = t576 / t584;
    let t586 = t571 - t585;
    let t587 = select(p.c0, t586, t586 < p.c0);
    let t588 = select(0.0f, t587, 0.0f < t587);
    let t589 = t0 + t588;
    let t590 = select(t589, s.outcome_0_0, 0.0f < s.outcome_0_2);
    let t591 = select(p.c9, t590, 0.0f < t528);
    let t592 = -(t461);
    let t593 = select(t461, t592, t461 < 0.0f);
    let t594 = t593 - s.outcome_1_2;
    let t595 = t594 / p.c0;
    let t596 = s.outcome_1_2 - s.outcome_1_3;
    let t597 = select(p.c1, s.outcome_1_5, 0.0f < s.outcome_1_5);
    let t598 = t596 / t597;
    let t599 = t595 - t598;
    let t600 = s.outcome_1_5 + p.c0;
    let t601 = t599 / t600;
    let t602 = select(0.0f, t601, 0.0f < s.outcome_1_5);
    let t603 = s.outcome_1_3 - s.outcome_1_4;
    let t604 = select(p.c1, s.outcome_1_6, 0.0f < s.outcome_1_6);
    let t605 = t603 / t604;
    let t606 = t598 - t605;
    let t607 = s.outcome_1_6 + t597;
    let t608 = t606 / t607;
    let t609 = t602 - t608;
    let t610 = s.outcome_1_6 + t600;
    let t611 = t609 / t610;
    let t612 = select(0.0f, t611, 0.0f < s.outcome_1_6);
    let t613 = p.c0 + t0;
    let t614 = select(0.0f, p.c1, s.outcome_1_0 < t593);
    let t615 = select(s.outcome_1_0, t593, 0.0f < t614);
    let t616 = select(s.outcome_1_1, t613, 0.0f < t614);
    let t617 = select(0.0f, p.c1, 0.0f < s.outcome_1_5);
    let t618 = select(0.0f, p.c1, t602 < 0.0f);
    let t619 = select(p.c1, 0.0f, s.outcome_1_2 < s.outcome_1_3);
    let t620 = select(p.c1, 0.0f, s.outcome_1_2 < t593);
    let t621 = t619 * t620;
    let t622 = t617 * t621;
    let t623 = t618 * t622;
    let t624 = t602 * t602;
    let t625 = select(p.c1, t602, 0.0f < t624);
    let t626 = select(p.c1, t625, 0.0f < t623);
    let t627 = t595 / t626;
    let t628 = p.c0 - t627;
    let t629 = p.c8 * t628;
    let t630 = -(s.outcome_1_5);
    let t631 = select(p.c0, t629, t629 < p.c0);
    let t632 = select(t630, t631, t630 < t631);
    let t633 = p.c12 * t632;
    let t634 = t633 - p.c0;
    let t635 = s.outcome_1_5 + t632;
    let t636 = t632 - p.c0;
    let t637 = t632 * t636;
    let t638 = t634 * t635 + t637;
    let t639 = t602 * t634 + t595;
    let t640 = t612 * t638 + t639;
    let t641 = p.c12 * t635;
    let t642 = t632 * p.c31 - p.c32;
    let t643 = t641 + t642;
    let t644 = p.c12 * t602;
    let t645 = t612 * t643 + t644;
    let t646 = t645 * t645;
    let t647 = select(p.c1, t645, 0.0f < t646);
    let t648 = select(p.c1, t647, 0.0f < t623);
    let t649 = t640 / t648;
    let t650 = t632 - t649;
    let t651 = select(p.c0, t650, t650 < p.c0);
    let t652 = select(t630, t651, t630 < t651);
    let t653 = s.outcome_1_5 + t652;
    let t654 = t612 * t653 + t602;
    let t655 = t652 - p.c0;
    let t656 = t654 * t655 + t595;
    let t657 = t652 * t656 + s.outcome_1_2;
    let t658 = t0 + t652;
    let t659 = select(0.0f, p.c1, t615 < t657);
    let t660 = t623 * t659;
    let t661 = select(t615, t657, 0.0f < t660);
    let t662 = select(t616, t658, 0.0f < t660);
    let t663 = select(t525, t524, t525 < 0.0f);
    let t664 = t663 - p.c7;
    let t665 = t664 - s.outcome_2_2;
    let t666 = t665 / p.c0;
    let t667 = s.outcome_2_2 - s.outcome_2_3;
    let t668 = select(p.c1, s.outcome_2_5, 0.0f < s.outcome_2_5);
    let t669 = t667 / t668;
    let t670 = t666 - t669;
    let t671 = s.outcome_2_5 + p.c0;
    let t672 = t670 / t671;
    let t673 = select(0.0f, t672, 0.0f < s.outcome_2_5);
    let t674 = s.outcome_2_3 - s.outcome_2_4;
    let t675 = select(p.c1, s.outcome_2_6, 0.0f < s.outcome_2_6);
    let t676 = t674 / t675;
    let t677 = t669 - t676;
    let t678 = s.outcome_2_6 + t668;
    let t679 = t677 / t678;
    let t680 = t673 - t679;
    let t681 = s.outcome_2_6 + t671;
    let t682 = t680 / t681;
    let t683 = select(0.0f, t682, 0.0f < s.outcome_2_6);
    let t684 = s.outcome_2_2 - t664;
    let t685 = t684 * t684;
    let t686 = select(p.c1, t684, 0.0f < t685);
    let t687 = s.outcome_2_2 / t686;
    let t688 = p.c0 * t687;
    let t689 = select(p.c0, t688, t688 < p.c0);
    let t690 = select(0.0f, t689, 0.0f < t689);
    let t691 = s.outcome_2_5 + t690;
    let t692 = t683 * t691 + t673;
    let t693 = t690 - p.c0;
    let t694 = t692 * t693 + t666;
    let t695 = t690 * t694 + s.outcome_2_2;
    let t696 = p.c12 * t690;
    let t697 = t696 - p.c0;
    let t698 = t690 * t693;
    let t699 = t691 * t697 + t698;
    let t700 = t673 * t697 + t666;
    let t701 = t683 * t699 + t700;
    let t702 = t701 * t701;
    let t703 = select(p.c1, t701, 0.0f < t702);
    let t704 = t695 / t703;
    let t705 = t690 - t704;
    let t706 = select(p.c0, t705, t705 < p.c0);
    let t707 = select(0.0f, t706, 0.0f < t706);
    let t708 = s.outcome_2_5 + t707;
    let t709 = t683 * t708 + t673;
    let t710 = t707 - p.c0;
    let t711 = t709 * t710 + t666;
    let t712 = t707 * t711 + s.outcome_2_2;
    let t713 = p.c12 * t707;
    let t714 = t713 - p.c0;
    let t715 = t707 * t710;
    let t716 = t708 * t714 + t715;
    let t717 = t673 * t714 + t666;
    let t718 = t683 * t716 + t717;
    let t719 = t718 * t718;
    let t720 = select(p.c1, t718, 0.0f < t719);
    let t721 = t712 / t720;
    let t722 = t707 - t721;
    let t723 = select(p.c0, t722, t722 < p.c0);
    let t724 = select(0.0f, t723, 0.0f < t723);
    let t725 = p.c0 - t724;
    let t726 = select(t725, p.c0, 0.0f < s.outcome_2_2);
    let t727 = select(0.0f, t724, 0.0f < s.outcome_2_2);
    let t728 = select(t727, t726, 0.0f < t664);
    let t729 = s.outcome_2_0 + t728;
    var next: State;
    next.b0_q0 = t473;
    next.b0_rx = t461;
    next.b0_rz = t462;
    next.b0_vx = t463;
    next.b0_vz = s.b0_vz;
    next.b1_q0 = t478;
    next.b1_q2 = t479;
    next.b1_wy = t466;
    next.b1_rx = t467;
    next.b1_rz = t468;
    next.b1_vx = t469;
    next.b1_vz = t470;
    next.clock = t1;
    next.angle_1 = t517;
    next.outcome_0_0 = t591;
    next.outcome_0_1 = 0.0f;
    next.outcome_0_2 = t528;
    next.outcome_0_3 = s.outcome_0_2;
    next.outcome_0_4 = s.outcome_0_3;
    next.outcome_0_5 = p.c0;
    next.outcome_0_6 = s.outcome_0_5;
    next.outcome_1_0 = t661;
    next.outcome_1_1 = t662;
    next.outcome_1_2 = t593;
    next.outcome_1_3 = s.outcome_1_2;
    next.outcome_1_4 = s.outcome_1_3;
    next.outcome_1_5 = p.c0;
    next.outcome_1_6 = s.outcome_1_5;
    next.outcome_2_0 = t729;
    next.outcome_2_1 = 0.0f;
    next.outcome_2_2 = t664;
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

// The method carries these values after it was resynchronised (382 operations).
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
    let t15 = t12 * shared_values[25];
    let t16 = t12 * t15;
    let t17 = t14 + t16;
    let t18 = shared_values[1] + t17;
    let t19 = t13 * t15;
    let t20 = t13 * shared_values[25];
    let t21 = t13 * t20;
    let t22 = t14 + t21;
    let t23 = shared_values[1] + t22;
    let t24 = s.b0_q0 * s.b0_q0;
    let t25 = t18 * shared_values[30];
    let t26 = t23 * shared_values[30];
    let t27 = shared_values[1] / t25;
    let t28 = t26 - shared_values[31];
    let t29 = t19 * t27;
    let t30 = t28 - t19 * t29;
    let t31 = shared_values[1] / t30;
    let t32 = t8 - s.b0_rz * shared_values[31];
    let t33 = t32 - t7 * t29;
    let t34 = t31 * t33;
    let t35 = t7 * t27;
    let t36 = t35 - t29 * t34;
    let t37 = s.b0_rz - t34;
    let t38 = t12 * t36;
    let t39 = t13 * t34 + t38;
    let t40 = shared_values[25] * t39;
    let t41 = t14 * t36;
    let t42 = t14 * t34;
    let t43 = shared_values[48] - shared_values[8] * t24;
    let t44 = s.b0_q0 * t43;
    let t45 = s.b0_rx - t36;
    let t46 = s.b0_rz - t31 * t33;
    let t47 = t46 - shared_values[31] * t37;
    let t48 = shared_values[8] * t40;
    let t49 = t48 * t48;
    let t50 = shared_values[33] - shared_values[32] * t49;
    let t51 = shared_values[34] - t49 * t50;
    let t52 = shared_values[35] - t49 * t51;
    let t53 = shared_values[36] - t49 * t52;
    let t54 = shared_values[37] - t49 * t53;
    let t55 = shared_values[38] - t49 * t54;
    let t56 = shared_values[39] - t49 * t55;
    let t57 = shared_values[8] - t49 * t56;
    let t58 = shared_values[1] - t49 * t57;
    let t59 = shared_values[41] - shared_values[40] * t49;
    let t60 = shared_values[42] - t49 * t59;
    let t61 = shared_values[43] - t49 * t60;
    let t62 = shared_values[44] - t49 * t61;
    let t63 = shared_values[45] - t49 * t62;
    let t64 = shared_values[46] - t49 * t63;
    let t65 = shared_values[47] - t49 * t64;
    let t66 = shared_values[11] - t49 * t65;
    let t67 = shared_values[1] - t49 * t66;
    let t68 = t48 * t67;
    let t69 = s.b1_q0 * t58;
    let t70 = s.b1_q2 * t58;
    let t71 = s.b1_q2 * t68 + t69;
    let t72 = t70 - s.b1_q0 * t68;
    let t73 = t71 * t71;
    let t74 = t72 * t72 + t73;
    let t75 = shared_values[48] - shared_values[8] * t74;
    let t76 = t71 * t75;
    let t77 = t72 * t75;
    let t78 = s.b1_rx + t41;
    let t79 = s.b1_rz + t42;
    let t80 = shared_values[10] * t77;
    let t81 = shared_values[12] * t80;
    let t82 = t77 * t81;
    let t83 = t76 * t81;
    let t84 = shared_values[10] - t82;
    let t85 = t78 + t83;
    let t86 = t79 + t84;
    let t87 = t45 - t85;
    let t88 = t47 - t86;
    let t89 = shared_values[12] * t77;
    let t90 = t77 * t89 + shared_values[9];
    let t91 = t76 * t89;
    let t92 = shared_values[10] * t90;
    let t93 = shared_values[10] * t91;
    let t94 = shared_values[25] * t92;
    let t95 = t92 * t94;
    let t96 = t14 + t95;
    let t97 = shared_values[1] + t96;
    let t98 = shared_values[30] * t97;
    let t99 = t93 * t94;
    let t100 = shared_values[25] * t93;
    let t101 = t93 * t100;
    let t102 = t14 + t101;
    let t103 = shared_values[1] + t102;
    let t104 = shared_values[30] * t103;
    let t105 = shared_values[1] / t98;
    let t106 = t104 - shared_values[31];
    let t107 = t99 * t105;
    let t108 = t106 - t99 * t107;
    let t109 = shared_values[1] / t108;
    let t110 = t88 - shared_values[31] * t47;
    let t111 = t110 - t87 * t107;
    let t112 = t109 * t111;
    let t113 = t87 * t105;
    let t114 = t113 - t107 * t112;
    let t115 = t47 - t112;
    let t116 = t92 * t114;
    let t117 = t93 * t112 + t116;
    let t118 = shared_values[25] * t117;
    let t119 = t14 * t114;
    let t120 = t14 * t112;
    let t121 = t44 * t44;
    let t122 = shared_values[48] - shared_values[8] * t121;
    let t123 = t44 * t122;
    let t124 = t45 - t114;
    let t125 = t47 - t109 * t111;
    let t126 = t125 - shared_values[31] * t115;
    let t127 = shared_values[8] * t118;
    let t128 = t127 * t127;
    let t129 = shared_values[33] - shared_values[32] * t128;
    let t130 = shared_values[34] - t128 * t129;
    let t131 = shared_values[35] - t128 * t130;
    let t132 = shared_values[36] - t128 * t131;
    let t133 = shared_values[37] - t128 * t132;
    let t134 = shared_values[38] - t128 * t133;
    let t135 = shared_values[39] - t128 * t134;
    let t136 = shared_values[8] - t128 * t135;
    let t137 = shared_values[1] - t128 * t136;
    let t138 = shared_values[41] - shared_values[40] * t128;
    let t139 = shared_values[42] - t128 * t138;
    let t140 = shared_values[43] - t128 * t139;
    let t141 = shared_values[44] - t128 * t140;
    let t142 = shared_values[45] - t128 * t141;
    let t143 = shared_values[46] - t128 * t142;
    let t144 = shared_values[47] - t128 * t143;
    let t145 = shared_values[11] - t128 * t144;
    let t146 = shared_values[1] - t128 * t145;
    let t147 = t127 * t146;
    let t148 = t76 * t137;
    let t149 = t77 * t137;
    let t150 = t77 * t147 + t148;
    let t151 = t149 - t76 * t147;
    let t152 = t150 * t150;
    let t153 = t151 * t151 + t152;
    let t154 = shared_values[48] - shared_values[8] * t153;
    let t155 = t150 * t154;
    let t156 = t151 * t154;
    let t157 = t78 + t119;
    let t158 = t79 + t120;
    let t159 = shared_values[10] * t156;
    let t160 = shared_values[12] * t159;
    let t161 = t156 * t160;
    let t162 = t155 * t160;
    let t163 = shared_values[10] - t161;
    let t164 = t157 + t162;
    let t165 = t158 + t163;
    let t166 = t124 - t164;
    let t167 = t126 - t165;
    let t168 = shared_values[12] * t156;
    let t169 = t156 * t168 + shared_values[9];
    let t170 = t155 * t168;
    let t171 = shared_values[10] * t169;
    let t172 = shared_values[10] * t170;
    let t173 = shared_values[25] * t171;
    let t174 = t171 * t173;
    let t175 = t14 + t174;
    let t176 = shared_values[1] + t175;
    let t177 = shared_values[30] * t176;
    let t178 = t172 * t173;
    let t179 = shared_values[25] * t172;
    let t180 = t172 * t179;
    let t181 = t14 + t180;
    let t182 = shared_values[1] + t181;
    let t183 = shared_values[30] * t182;
    let t184 = shared_values[1] / t177;
    let t185 = t183 - shared_values[31];
    let t186 = t178 * t184;
    let t187 = t185 - t178 * t186;
    let t188 = shared_values[1] / t187;
    let t189 = t167 - shared_values[31] * t126;
    let t190 = t189 - t166 * t186;
    let t191 = t188 * t190;
    let t192 = t166 * t184;
    let t193 = t192 - t186 * t191;
    let t194 = t126 - t191;
    let t195 = t171 * t193;
    let t196 = t172 * t191 + t195;
    let t197 = shared_values[25] * t196;
    let t198 = t14 * t193;
    let t199 = t14 * t191;
    let t200 = t123 * t123;
    let t201 = shared_values[48] - shared_values[8] * t200;
    let t202 = t123 * t201;
    let t203 = t124 - t193;
    let t204 = t126 - t188 * t190;
    let t205 = t204 - shared_values[31] * t194;
    let t206 = shared_values[8] * t197;
    let t207 = t206 * t206;
    let t208 = shared_values[33] - shared_values[32] * t207;
    let t209 = shared_values[34] - t207 * t208;
    let t210 = shared_values[35] - t207 * t209;
    let t211 = shared_values[36] - t207 * t210;
    let t212 = shared_values[37] - t207 * t211;
    let t213 = shared_values[38] - t207 * t212;
    let t214 = shared_values[39] - t207 * t213;
    let t215 = shared_values[8] - t207 * t214;
    let t216 = shared_values[1] - t207 * t215;
    let t217 = shared_values[41] - shared_values[40] * t207;
    let t218 = shared_values[42] - t207 * t217;
    let t219 = shared_values[43] - t207 * t218;
    let t220 = shared_values[44] - t207 * t219;
    let t221 = shared_values[45] - t207 * t220;
    let t222 = shared_values[46] - t207 * t221;
    let t223 = shared_values[47] - t207 * t222;
    let t224 = shared_values[11] - t207 * t223;
    let t225 = shared_values[1] - t207 * t224;
    let t226 = t206 * t225;
    let t227 = t155 * t216;
    let t228 = t156 * t216;
    let t229 = t156 * t226 + t227;
    let t230 = t228 - t155 * t226;
    let t231 = t229 * t229;
    let t232 = t230 * t230 + t231;
    let t233 = shared_values[48] - shared_values[8] * t232;
    let t234 = t229 * t233;
    let t235 = t230 * t233;
    let t236 = t157 + t198;
    let t237 = t158 + t199;
    let t238 = shared_values[12] * t235;
    let t239 = t235 * t238 + shared_values[9];
    let t240 = t234 * t238;
    let t241 = shared_values[10] * t239;
    let t242 = shared_values[10] * t240;
    let t243 = s.b1_wy * t241;
    let t244 = t243 - s.b1_vx;
    let t245 = s.b0_vx + t244;
    let t246 = s.b1_wy * t242;
    let t247 = t246 - s.b1_vz;
    let t248 = s.b0_vz + t247;
    let t249 = shared_values[25] * t241;
    let t250 = t241 * t249;
    let t251 = t14 + t250;
    let t252 = shared_values[1] + t251;
    let t253 = shared_values[30] * t252;
    let t254 = t242 * t249;
    let t255 = shared_values[25] * t242;
    let t256 = t242 * t255;
    let t257 = t14 + t256;
    let t258 = shared_values[1] + t257;
    let t259 = shared_values[30] * t258;
    let t260 = shared_values[1] / t253;
    let t261 = t259 - shared_values[31];
    let t262 = t254 * t260;
    let t263 = t261 - t254 * t262;
    let t264 = shared_values[1] / t263;
    let t265 = t248 - s.b0_vz * shared_values[31];
    let t266 = t265 - t245 * t262;
    let t267 = t264 * t266;
    let t268 = t245 * t260;
    let t269 = t268 - t262 * t267;
    let t270 = s.b0_vz - t267;
    let t271 = t241 * t269;
    let t272 = t242 * t267 + t271;
    let t273 = shared_values[25] * t272;
    let t274 = t14 * t269;
    let t275 = t14 * t267;
    let t276 = s.b0_vx - t269;
    let t277 = s.b0_vz - t264 * t266;
    let t278 = t277 - shared_values[31] * t270;
    let t279 = s.b1_wy - t273;
    let t280 = s.b1_vx + t274;
    let t281 = s.b1_vz + t275;
    var next = s;
    next.b0_q0 = t202;
    next.b0_rx = t203;
    next.b0_rz = t205;
    next.b0_vx = t276;
    next.b0_vz = t278;
    next.b1_q0 = t234;
    next.b1_q2 = t235;
    next.b1_wy = t279;
    next.b1_rx = t236;
    next.b1_rz = t237;
    next.b1_vx = t280;
    next.b1_vz = t281;
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
