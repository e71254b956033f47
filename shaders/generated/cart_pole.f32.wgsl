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

// One full step: 902 operations, a multiply-add counted as two.
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
    let t72 = t66 - p.c1;
    let t73 = t62 * t71;
    let t74 = t72 - t62 * t73;
    let t75 = select(t74, t69, t74 < t69);
    let t76 = p.c1 / t75;
    let t77 = s.b1_q2 * t5 + p.c2;
    let t78 = t77 - s.b1_wy * t2;
    let t79 = t67 * t73 + t78;
    let t80 = t76 * t79;
    let t81 = t67 * t71;
    let t82 = t73 * t80 + t81;
    let t83 = p.c2 + t80;
    let t84 = t11 * t82;
    let t85 = t80 - t83;
    let t86 = t12 * t80 - t84;
    let t87 = t57 - t82;
    let t88 = p.c2 + t85;
    let t89 = p.c0 * t87;
    let t90 = p.c0 * t88;
    let t91 = p.c25 * t86;
    let t92 = p.c33 * t82;
    let t93 = p.c2 - p.c33 * t80;
    let t94 = p.c0 * t91;
    let t95 = p.c0 * t92;
    let t96 = p.c0 * t93;
    let t97 = s.b0_vx * p.c0;
    let t98 = s.b0_vz * p.c0;
    let t99 = s.b1_q2 * s.b1_wy;
    let t100 = s.b1_q0 * s.b1_wy;
    let t101 = p.c27 * t99;
    let t102 = p.c27 * t100;
    let t103 = s.b1_vx * p.c0;
    let t104 = s.b1_vz * p.c0;
    let t105 = p.c8 * t97 + s.b0_rx;
    let t106 = p.c8 * t89 + s.b0_vx;
    let t107 = p.c8 * t90 + s.b0_vz;
    let t108 = s.b1_q0 - p.c8 * t101;
    let t109 = p.c8 * t102 + s.b1_q2;
    let t110 = p.c8 * t94 + s.b1_wy;
    let t111 = p.c8 * t95 + s.b1_vx;
    let t112 = p.c8 * t96 + s.b1_vz;
    let t113 = s.b0_q0 * s.b0_q0;
    let t114 = t108 * t108;
    let t115 = t109 * t109 + t114;
    let t116 = p.c29 + t115;
    let t117 = t115 * t116 + p.c28;
    let t118 = p.c28 * t115 + p.c29;
    let t119 = t115 * t118 + p.c1;
    let t120 = t117 / t119;
    let t121 = t108 * t120;
    let t122 = t109 * t120;
    let t123 = p.c10 * t110;
    let t124 = t110 * t123;
    let t125 = t122 * t124;
    let t126 = p.c12 * t125;
    let t127 = t121 * t126;
    let t128 = p.c12 * t122;
    let t129 = t122 * t128 + p.c9;
    let t130 = t121 * t128;
    let t131 = -(t130);
    let t132 = p.c10 * t129;
    let t133 = p.c10 * t130;
    let t134 = t122 * t128;
    let t135 = p.c1 - t134;
    let t136 = -(t135);
    let t137 = select(t135, t136, t135 < 0.0f);
    let t138 = select(t130, t131, t130 < 0.0f);
    let t139 = select(t137, t138, t138 < t137);
    let t140 = select(t138, t137, t138 < t137);
    let t141 = p.c13 * t140;
    let t142 = t139 - t140;
    let t143 = select(t139, t142, t141 < t139);
    let t144 = t139 + t140;
    let t145 = select(t140, t144, t141 < t139);
    let t146 = p.c1 + t145;
    let t147 = select(t146, t145, 0.0f < t145);
    let t148 = t143 / t147;
    let t149 = t148 * t148;
    let t150 = t148 * t149;
    let t151 = p.c14 * t149 + p.c15;
    let t152 = t149 * t151 + p.c16;
    let t153 = t149 * t152 + p.c17;
    let t154 = t149 * t153 + p.c18;
    let t155 = t150 * t154 + t148;
    let t156 = p.c19 + t155;
    let t157 = select(t155, t156, t141 < t139);
    let t158 = p.c20 - t157;
    let t159 = select(t157, t158, t137 < t138);
    let t160 = p.c21 - t159;
    let t161 = select(t159, t160, t135 < 0.0f);
    let t162 = -(t161);
    let t163 = select(t161, t162, t130 < 0.0f);
    let t164 = s.angle_1 - t163;
    let t165 = p.c23 * t164;
    let t166 = p.c8 + t165;
    let t167 = floor(t166);
    let t168 = p.c22 * t167 + t163;
    let t169 = p.c3 * t105;
    let t170 = p.c4 * t106;
    let t171 = t169 + t170;
    let t172 = p.c5 * t168;
    let t173 = t171 + t172;
    let t174 = p.c6 * t110;
    let t175 = t173 + t174;
    let t176 = -(t175);
    let t177 = select(t176, p.c24, t176 < p.c24);
    let t178 = select(t177, p.c7, p.c7 < t177);
    let t179 = p.c25 * t132;
    let t180 = t132 * t179;
    let t181 = p.c33 + t180;
    let t182 = p.c1 + t181;
    let t183 = t133 * t179;
    let t184 = p.c25 * t133;
    let t185 = t133 * t184;
    let t186 = p.c33 + t185;
    let t187 = p.c1 + t186;
    let t188 = t127 + t178;
    let t189 = p.c26 * t182;
    let t190 = p.c26 * t187;
    let t191 = select(t182, t189, t182 < t189);
    let t192 = p.c1 / t191;
    let t193 = t187 - p.c1;
    let t194 = t183 * t192;
    let t195 = t193 - t183 * t194;
    let t196 = select(t195, t190, t195 < t190);
    let t197 = p.c1 / t196;
    let t198 = t122 * t126 + p.c2;
    let t199 = t198 - t110 * t123;
    let t200 = t188 * t194 + t199;
    let t201 = t197 * t200;
    let t202 = t188 * t192;
    let t203 = t194 * t201 + t202;
    let t204 = p.c2 + t201;
    let t205 = t132 * t203;
    let t206 = t201 - t204;
    let t207 = t133 * t201 - t205;
    let t208 = t178 - t203;
    let t209 = p.c2 + t206;
    let t210 = p.c0 * t208;
    let t211 = p.c0 * t209;
    let t212 = p.c25 * t207;
    let t213 = p.c33 * t203;
    let t214 = p.c2 - p.c33 * t201;
    let t215 = p.c0 * t212;
    let t216 = p.c0 * t213;
    let t217 = p.c0 * t214;
    let t218 = p.c0 * t106;
    let t219 = p.c0 * t107;
    let t220 = t109 * t110;
    let t221 = t108 * t110;
    let t222 = p.c27 * t220;
    let t223 = p.c27 * t221;
    let t224 = p.c0 * t111;
    let t225 = p.c0 * t112;
    let t226 = p.c8 * t218 + s.b0_rx;
    let t227 = p.c8 * t210 + s.b0_vx;
    let t228 = p.c8 * t211 + s.b0_vz;
    let t229 = s.b1_q0 - p.c8 * t222;
    let t230 = p.c8 * t223 + s.b1_q2;
    let t231 = p.c8 * t215 + s.b1_wy;
    let t232 = p.c8 * t216 + s.b1_vx;
    let t233 = p.c8 * t217 + s.b1_vz;
    let t234 = t229 * t229;
    let t235 = t230 * t230 + t234;
    let t236 = p.c29 + t235;
    let t237 = t235 * t236 + p.c28;
    let t238 = p.c28 * t235 + p.c29;
    let t239 = t235 * t238 + p.c1;
    let t240 = t237 / t239;
    let t241 = t229 * t240;
    let t242 = t230 * t240;
    let t243 = p.c10 * t231;
    let t244 = t231 * t243;
    let t245 = t242 * t244;
    let t246 = p.c12 * t245;
    let t247 = t241 * t246;
    let t248 = p.c12 * t242;
    let t249 = t242 * t248 + p.c9;
    let t250 = t241 * t248;
    let t251 = -(t250);
    let t252 = p.c10 * t249;
    let t253 = p.c10 * t250;
    let t254 = t242 * t248;
    let t255 = p.c1 - t254;
    let t256 = -(t255);
    let t257 = select(t255, t256, t255 < 0.0f);
    let t258 = select(t250, t251, t250 < 0.0f);
    let t259 = select(t257, t258, t258 < t257);
    let t260 = select(t258, t257, t258 < t257);
    let t261 = p.c13 * t260;
    let t262 = t259 - t260;
    let t263 = select(t259, t262, t261 < t259);
    let t264 = t259 + t260;
    let t265 = select(t260, t264, t261 < t259);
    let t266 = p.c1 + t265;
    let t267 = select(t266, t265, 0.0f < t265);
    let t268 = t263 / t267;
    let t269 = t268 * t268;
    let t270 = t268 * t269;
    let t271 = p.c14 * t269 + p.c15;
    let t272 = t269 * t271 + p.c16;
    let t273 = t269 * t272 + p.c17;
    let t274 = t269 * t273 + p.c18;
    let t275 = t270 * t274 + t268;
    let t276 = p.c19 + t275;
    let t277 = select(t275, t276, t261 < t259);
    let t278 = p.c20 - t277;
    let t279 = select(t277, t278, t257 < t258);
    let t280 = p.c21 - t279;
    let t281 = select(t279, t280, t255 < 0.0f);
    let t282 = -(t281);
    let t283 = select(t281, t282, t250 < 0.0f);
    let t284 = s.angle_1 - t283;
    let t285 = p.c23 * t284;
    let t286 = p.c8 + t285;
    let t287 = floor(t286);
    let t288 = p.c22 * t287 + t283;
    let t289 = p.c3 * t226;
    let t290 = p.c4 * t227;
    let t291 = t289 + t290;
    let t292 = p.c5 * t288;
    let t293 = t291 + t292;
    let t294 = p.c6 * t231;
    let t295 = t293 + t294;
    let t296 = -(t295);
    let t297 = select(t296, p.c24, t296 < p.c24);
    let t298 = select(t297, p.c7, p.c7 < t297);
    let t299 = p.c25 * t252;
    let t300 = t252 * t299;
    let t301 = p.c33 + t300;
    let t302 = p.c1 + t301;
    let t303 = t253 * t299;
    let t304 = p.c25 * t253;
    let t305 = t253 * t304;
    let t306 = p.c33 + t305;
    let t307 = p.c1 + t306;
    let t308 = t247 + t298;
    let t309 = p.c26 * t302;
    let t310 = p.c26 * t307;
    let t311 = select(t302, t309, t302 < t309);
    let t312 = p.c1 / t311;
    let t313 = t307 - p.c1;
    let t314 = t303 * t312;
    let t315 = t313 - t303 * t314;
    let t316 = select(t315, t310, t315 < t310);
    let t317 = p.c1 / t316;
    let t318 = t242 * t246 + p.c2;
    let t319 = t318 - t231 * t243;
    let t320 = t308 * t314 + t319;
    let t321 = t317 * t320;
    let t322 = t308 * t312;
    let t323 = t314 * t321 + t322;
    let t324 = p.c2 + t321;
    let t325 = t252 * t323;
    let t326 = t321 - t324;
    let t327 = t253 * t321 - t325;
    let t328 = t298 - t323;
    let t329 = p.c2 + t326;
    let t330 = p.c0 * t328;
    let t331 = p.c0 * t329;
    let t332 = p.c25 * t327;
    let t333 = p.c33 * t323;
    let t334 = p.c2 - p.c33 * t321;
    let t335 = p.c0 * t332;
    let t336 = p.c0 * t333;
    let t337 = p.c0 * t334;
    let t338 = p.c0 * t227;
    let t339 = p.c0 * t228;
    let t340 = t230 * t231;
    let t341 = t229 * t231;
    let t342 = p.c27 * t340;
    let t343 = p.c27 * t341;
    let t344 = p.c0 * t232;
    let t345 = p.c0 * t233;
    let t346 = p.c12 * t218 + t97;
    let t347 = p.c12 * t219 + t98;
    let t348 = p.c12 * t210 + t89;
    let t349 = p.c12 * t211 + t90;
    let t350 = p.c12 * t222 + t101;
    let t351 = p.c12 * t223 + t102;
    let t352 = p.c12 * t215 + t94;
    let t353 = p.c12 * t224 + t103;
    let t354 = p.c12 * t225 + t104;
    let t355 = p.c12 * t216 + t95;
    let t356 = p.c12 * t217 + t96;
    let t357 = p.c12 * t338 + t346;
    let t358 = p.c12 * t339 + t347;
    let t359 = p.c12 * t330 + t348;
    let t360 = p.c12 * t331 + t349;
    let t361 = p.c12 * t342 + t350;
    let t362 = p.c12 * t343 + t351;
    let t363 = p.c12 * t335 + t352;
    let t364 = p.c12 * t344 + t353;
    let t365 = p.c12 * t345 + t354;
    let t366 = p.c12 * t336 + t355;
    let t367 = p.c12 * t337 + t356;
    let t368 = s.b0_rx + t338;
    let t369 = s.b0_vx + t330;
    let t370 = s.b0_vz + t331;
    let t371 = s.b1_q0 - t342;
    let t372 = s.b1_q2 + t343;
    let t373 = s.b1_wy + t335;
    let t374 = s.b1_vx + t336;
    let t375 = s.b1_vz + t337;
    let t376 = t371 * t371;
    let t377 = t372 * t372 + t376;
    let t378 = p.c29 + t377;
    let t379 = t377 * t378 + p.c28;
    let t380 = p.c28 * t377 + p.c29;
    let t381 = t377 * t380 + p.c1;
    let t382 = t379 / t381;
    let t383 = t371 * t382;
    let t384 = t372 * t382;
    let t385 = p.c10 * t373;
    let t386 = t373 * t385;
    let t387 = t384 * t386;
    let t388 = p.c12 * t387;
    let t389 = t383 * t388;
    let t390 = p.c12 * t384;
    let t391 = t384 * t390 + p.c9;
    let t392 = t383 * t390;
    let t393 = -(t392);
    let t394 = p.c10 * t391;
    let t395 = p.c10 * t392;
    let t396 = t384 * t390;
    let t397 = p.c1 - t396;
    let t398 = -(t397);
    let t399 = select(t397, t398, t397 < 0.0f);
    let t400 = select(t392, t393, t392 < 0.0f);
    let t401 = select(t399, t400, t400 < t399);
    let t402 = select(t400, t399, t400 < t399);
    let t403 = p.c13 * t402;
    let t404 = t401 - t402;
    let t405 = select(t401, t404, t403 < t401);
    let t406 = t401 + t402;
    let t407 = select(t402, t406, t403 < t401);
    let t408 = p.c1 + t407;
    let t409 = select(t408, t407, 0.0f < t407);
    let t410 = t405 / t409;
    let t411 = t410 * t410;
    let t412 = t410 * t411;
    let t413 = p.c14 * t411 + p.c15;
    let t414 = t411 * t413 + p.c16;
    let t415 = t411 * t414 + p.c17;
    let t416 = t411 * t415 + p.c18;
    let t417 = t412 * t416 + t410;
    let t418 = p.c19 + t417;
    let t419 = select(t417, t418, t403 < t401);
    let t420 = p.c20 - t419;
    let t421 = select(t419, t420, t399 < t400);
    let t422 = p.c21 - t421;
    let t423 = select(t421, t422, t397 < 0.0f);
    let t424 = -(t423);
    let t425 = select(t423, t424, t392 < 0.0f);
    let t426 = s.angle_1 - t425;
    let t427 = p.c23 * t426;
    let t428 = p.c8 + t427;
    let t429 = floor(t428);
    let t430 = p.c22 * t429 + t425;
    let t431 = p.c3 * t368;
    let t432 = p.c4 * t369;
    let t433 = t431 + t432;
    let t434 = p.c5 * t430;
    let t435 = t433 + t434;
    let t436 = p.c6 * t373;
    let t437 = t435 + t436;
    let t438 = -(t437);
    let t439 = select(t438, p.c24, t438 < p.c24);
    let t440 = select(t439, p.c7, p.c7 < t439);
    let t441 = p.c25 * t394;
    let t442 = t394 * t441;
    let t443 = p.c33 + t442;
    let t444 = p.c1 + t443;
    let t445 = t395 * t441;
    let t446 = p.c25 * t395;
    let t447 = t395 * t446;
    let t448 = p.c33 + t447;
    let t449 = p.c1 + t448;
    let t450 = t389 + t440;
    let t451 = p.c26 * t444;
    let t452 = p.c26 * t449;
    let t453 = select(t444, t451, t444 < t451);
    let t454 = p.c1 / t453;
    let t455 = t449 - p.c1;
    let t456 = t445 * t454;
    let t457 = t455 - t445 * t456;
    let t458 = select(t457, t452, t457 < t452);
    let t459 = p.c1 / t458;
    let t460 = t384 * t388 + p.c2;
    let t461 = t460 - t373 * t385;
    let t462 = t450 * t456 + t461;
    let t463 = t459 * t462;
    let t464 = t450 * t454;
    let t465 = t456 * t463 + t464;
    let t466 = p.c2 + t463;
    let t467 = t394 * t465;
    let t468 = t463 - t466;
    let t469 = t395 * t463 - t467;
    let t470 = t440 - t465;
    let t471 = p.c2 + t468;
    let t472 = p.c0 * t470 + t359;
    let t473 = p.c0 * t471 + t360;
    let t474 = p.c25 * t469;
    let t475 = p.c33 * t465;
    let t476 = p.c2 - p.c33 * t463;
    let t477 = p.c0 * t474 + t363;
    let t478 = p.c0 * t475 + t366;
    let t479 = p.c0 * t476 + t367;
    let t480 = p.c0 * t369 + t357;
    let t481 = p.c0 * t370 + t358;
    let t482 = t372 * t373;
    let t483 = t371 * t373;
    let t484 = p.c27 * t482 + t361;
    let t485 = p.c27 * t483 + t362;
    let t486 = p.c0 * t374 + t364;
    let t487 = p.c0 * t375 + t365;
    let t488 = p.c11 * t480 + s.b0_rx;
    let t489 = p.c11 * t481 + s.b0_rz;
    let t490 = p.c11 * t472 + s.b0_vx;
    let t491 = p.c11 * t473 + s.b0_vz;
    let t492 = s.b1_q0 - p.c11 * t484;
    let t493 = p.c11 * t485 + s.b1_q2;
    let t494 = p.c11 * t477 + s.b1_wy;
    let t495 = p.c11 * t486 + s.b1_rx;
    let t496 = p.c11 * t487 + s.b1_rz;
    let t497 = p.c11 * t478 + s.b1_vx;
    let t498 = p.c11 * t479 + s.b1_vz;
    let t499 = sqrt(t113);
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
    let t514 = select(t512, t513, t512 < 0.0f);
    let t515 = select(t510, t511, t510 < 0.0f);
    let t516 = select(t514, t515, t515 < t514);
    let t517 = select(t515, t514, t515 < t514);
    let t518 = p.c13 * t517;
    let t519 = t516 - t517;
    let t520 = select(t516, t519, t518 < t516);
    let t521 = t516 + t517;
    let t522 = select(t517, t521, t518 < t516);
    let t523 = p.c1 + t522;
    let t524 = select(t523, t522, 0.0f < t522);
    let t525 = t520 / t524;
    let t526 = t525 * t525;
    let t527 = t525 * t526;
    let t528 = p.c14 * t526 + p.c15;
    let t529 = t526 * t528 + p.c16;
    let t530 = t526 * t529 + p.c17;
    let t531 = t526 * t530 + p.c18;
    let t532 = t527 * t531 + t525;
    let t533 = p.c19 + t532;
    let t534 = select(t532, t533, t518 < t516);
    let t535 = p.c20 - t534;
    let t536 = select(t534, t535, t514 < t515);
    let t537 = p.c21 - t536;
    let t538 = select(t536, t537, t512 < 0.0f);
    let t539 = -(t538);
    let t540 = select(t538, t539, t510 < 0.0f);
    let t541 = s.angle_1 - t540;
    let t542 = p.c23 * t541;
    let t543 = p.c8 + t542;
    let t544 = floor(t543);
    let t545 = p.c22 * t544 + t540;
    let t546 = p.c3 * t488;
    let t547 = p.c4 * t490;
    let t548 = t546 + t547;
    let t549 = p.c5 * t545;
    let t550 = t548 + t549;
    let t551 = p.c6 * t494;
    let t552 = t550 + t551;
    let t553 = -(t552);
    let t554 = -(t545);
    let t555 = select(t545, t554, t545 < 0.0f);
    let t556 = p.c30 - t555;
    let t557 = t556 - s.outcome_0_2;
    let t558 = t557 / p.c0;
    let t559 = s.outcome_0_2 - s.outcome_0_3;
    let t560 = select(p.c1, s.outcome_0_5, 0.0f < s.outcome_0_5);
    let t561 = t559 / t560;
    let t562 = t558 - t561;
    let t563 = s.outcome_0_5 + p.c0;
    let t564 = t562 / t563;
    let t565 = select(0.0f, t564, 0.0f < s.outcome_0_5);
    let t566 = s.outcome_0_3 - s.outcome_0_4;
    let t567 = select(p.c1, s.outcome_0_6, 0.0f < s.outcome_0_6);
    let t568 = t566 / t567;
    let t569 = t561 - t568;
    let t570 = s.outcome_0_6 + t560;
    let t571 = t569 / t570;
    let t572 = t565 - t571;
    let t573 = s.outcome_0_6 + t563;
    let t574 = t572 / t573;
    let t575 = select(0.0f, t574, 0.0f < s.outcome_0_6);
    let t576 = s.outcome_0_2 - t556;
    let t577 = t576 * t576;
    let t578 = select(p.c1, t576, 0.0f < t577);
    let t579 = s.outcome_0_2 / t578;
    let t580 = p.c0 * t579;
    let t581 = select(p.c0, t580, t580 < p.c0);
    let t582 = select(0.0f, t581, 0.0f < t581);
    let t583 = s.outcome_0_5 + t582;
    let t584 = t575 * t583 + t565;
    let t585 = t582 - p.c0;
    let t586 = t584 * t585 + t558;
    let t587 = t582 * t586 + s.outcome_0_2;
    let t588 = p.c12 * t582;
    let t589 = t588 - p.c0;
    let t590 = t582 * t585;
    let t591 = t583 * t589 + t590;
    let t592 = t565 * t589 + t558;
    let t593 = t575 * t591 + t592;
    let t594 = t593 * t593;
    let t595 = select(p.c1, t593, 0.0f < t594);
    let t596 = t587 / t595;
    let t597 = t582 - t596;
    let t598 = select(p.c0, t597, t597 < p.c0);
    let t599 = select(0.0f, t598, 0.0f < t598);
    let t600 = s.outcome_0_5 + t599;
    let t601 = t575 * t600 + t565;
    let t602 = t599 - p.c0;
    let t603 = t601 * t602 + t558;
    let t604 = t599 * t603 + s.outcome_0_2;
    let t605 = p.c12 * t599;
    let t606 = t605 - p.c0;
    let t607 = t599 * t602;
    let t608 = t600 * t606 + t607;
    let t609 = t565 * t606 + t558;
    let t610 = t575 * t608 + t609;
    let t611 = t610 * t610;
    let t612 = select(p.c1, t610, 0.0f < t611);
    let t613 = t604 / t612;
    let t614 = t599 - t613;
    let t615 = select(p.c0, t614, t614 < p.c0);
    let t616 = select(0.0f, t615, 0.0f < t615);
    let t617 = t0 + t616;
    let t618 = select(t617, s.outcome_0_0, 0.0f < s.outcome_0_2);
    let t619 = select(p.c9, t618, 0.0f < t556);
    let t620 = -(t488);
    let t621 = select(t488, t620, t488 < 0.0f);
    let t622 = t621 - s.outcome_1_2;
    let t623 = t622 / p.c0;
    let t624 = s.outcome_1_2 - s.outcome_1_3;
    let t625 = select(p.c1, s.outcome_1_5, 0.0f < s.outcome_1_5);
    let t626 = t624 / t625;
    let t627 = t623 - t626;
    let t628 = s.outcome_1_5 + p.c0;
    let t629 = t627 / t628;
    let t630 = select(0.0f, t629, 0.0f < s.outcome_1_5);
    let t631 = s.outcome_1_3 - s.outcome_1_4;
    let t632 = select(p.c1, s.outcome_1_6, 0.0f < s.outcome_1_6);
    let t633 = t631 / t632;
    let t634 = t626 - t633;
    let t635 = s.outcome_1_6 + t625;
    let t636 = t634 / t635;
    let t637 = t630 - t636;
    let t638 = s.outcome_1_6 + t628;
    let t639 = t637 / t638;
    let t640 = select(0.0f, t639, 0.0f < s.outcome_1_6);
    let t641 = p.c0 + t0;
    let t642 = select(0.0f, p.c1, s.outcome_1_0 < t621);
    let t643 = select(s.outcome_1_0, t621, 0.0f < t642);
    let t644 = select(s.outcome_1_1, t641, 0.0f < t642);
    let t645 = select(0.0f, p.c1, 0.0f < s.outcome_1_5);
    let t646 = select(0.0f, p.c1, t630 < 0.0f);
    let t647 = select(p.c1, 0.0f, s.outcome_1_2 < s.outcome_1_3);
    let t648 = select(p.c1, 0.0f, s.outcome_1_2 < t621);
    let t649 = t647 * t648;
    let t650 = t645 * t649;
    let t651 = t646 * t650;
    let t652 = t630 * t630;
    let t653 = select(p.c1, t630, 0.0f < t652);
    let t654 = select(p.c1, t653, 0.0f < t651);
    let t655 = t623 / t654;
    let t656 = p.c0 - t655;
    let t657 = p.c8 * t656;
    let t658 = -(s.outcome_1_5);
    let t659 = select(p.c0, t657, t657 < p.c0);
    let t660 = select(t658, t659, t658 < t659);
    let t661 = p.c12 * t660;
    let t662 = t661 - p.c0;
    let t663 = s.outcome_1_5 + t660;
    let t664 = t660 - p.c0;
    let t665 = t660 * t664;
    let t666 = t662 * t663 + t665;
    let t667 = t630 * t662 + t623;
    let t668 = t640 * t666 + t667;
    let t669 = p.c12 * t663;
    let t670 = t660 * p.c31 - p.c32;
    let t671 = t669 + t670;
    let t672 = p.c12 * t630;
    let t673 = t640 * t671 + t672;
    let t674 = t673 * t673;
    let t675 = select(p.c1, t673, 0.0f < t674);
    let t676 = select(p.c1, t675, 0.0f < t651);
    let t677 = t668 / t676;
    let t678 = t660 - t677;
    let t679 = select(p.c0, t678, t678 < p.c0);
    let t680 = select(t658, t679, t658 < t679);
    let t681 = s.outcome_1_5 + t680;
    let t682 = t640 * t681 + t630;
    let t683 = t680 - p.c0;
    let t684 = t682 * t683 + t623;
    let t685 = t680 * t684 + s.outcome_1_2;
    let t686 = t0 + t680;
    let t687 = select(0.0f, p.c1, t643 < t685);
    let t688 = t651 * t687;
    let t689 = select(t643, t685, 0.0f < t688);
    let t690 = select(t644, t686, 0.0f < t688);
    let t691 = select(t553, t552, t553 < 0.0f);
    let t692 = t691 - p.c7;
    let t693 = t692 - s.outcome_2_2;
    let t694 = t693 / p.c0;
    let t695 = s.outcome_2_2 - s.outcome_2_3;
    let t696 = select(p.c1, s.outcome_2_5, 0.0f < s.outcome_2_5);
    let t697 = t695 / t696;
    let t698 = t694 - t697;
    let t699 = s.outcome_2_5 + p.c0;
    let t700 = t698 / t699;
    let t701 = select(0.0f, t700, 0.0f < s.outcome_2_5);
    let t702 = s.outcome_2_3 - s.outcome_2_4;
    let t703 = select(p.c1, s.outcome_2_6, 0.0f < s.outcome_2_6);
    let t704 = t702 / t703;
    let t705 = t697 - t704;
    let t706 = s.outcome_2_6 + t696;
    let t707 = t705 / t706;
    let t708 = t701 - t707;
    let t709 = s.outcome_2_6 + t699;
    let t710 = t708 / t709;
    let t711 = select(0.0f, t710, 0.0f < s.outcome_2_6);
    let t712 = s.outcome_2_2 - t692;
    let t713 = t712 * t712;
    let t714 = select(p.c1, t712, 0.0f < t713);
    let t715 = s.outcome_2_2 / t714;
    let t716 = p.c0 * t715;
    let t717 = select(p.c0, t716, t716 < p.c0);
    let t718 = select(0.0f, t717, 0.0f < t717);
    let t719 = s.outcome_2_5 + t718;
    let t720 = t711 * t719 + t701;
    let t721 = t718 - p.c0;
    let t722 = t720 * t721 + t694;
    let t723 = t718 * t722 + s.outcome_2_2;
    let t724 = p.c12 * t718;
    let t725 = t724 - p.c0;
    let t726 = t718 * t721;
    let t727 = t719 * t725 + t726;
    let t728 = t701 * t725 + t694;
    let t729 = t711 * t727 + t728;
    let t730 = t729 * t729;
    let t731 = select(p.c1, t729, 0.0f < t730);
    let t732 = t723 / t731;
    let t733 = t718 - t732;
    let t734 = select(p.c0, t733, t733 < p.c0);
    let t735 = select(0.0f, t734, 0.0f < t734);
    let t736 = s.outcome_2_5 + t735;
    let t737 = t711 * t736 + t701;
    let t738 = t735 - p.c0;
    let t739 = t737 * t738 + t694;
    let t740 = t735 * t739 + s.outcome_2_2;
    let t741 = p.c12 * t735;
    let t742 = t741 - p.c0;
    let t743 = t735 * t738;
    let t744 = t736 * t742 + t743;
    let t745 = t701 * t742 + t694;
    let t746 = t711 * t744 + t745;
    let t747 = t746 * t746;
    let t748 = select(p.c1, t746, 0.0f < t747);
    let t749 = t740 / t748;
    let t750 = t735 - t749;
    let t751 = select(p.c0, t750, t750 < p.c0);
    let t752 = select(0.0f, t751, 0.0f < t751);
    let t753 = p.c0 - t752;
    let t754 = select(t753, p.c0, 0.0f < s.outcome_2_2);
    let t755 = select(0.0f, t752, 0.0f < s.outcome_2_2);
    let t756 = select(t755, t754, 0.0f < t692);
    let t757 = s.outcome_2_0 + t756;
    var next: State;
    next.b0_q0 = t501;
    next.b0_rx = t488;
    next.b0_rz = t489;
    next.b0_vx = t490;
    next.b0_vz = t491;
    next.b1_q0 = t506;
    next.b1_q2 = t507;
    next.b1_wy = t494;
    next.b1_rx = t495;
    next.b1_rz = t496;
    next.b1_vx = t497;
    next.b1_vz = t498;
    next.clock = t1;
    next.angle_1 = t545;
    next.outcome_0_0 = t619;
    next.outcome_0_1 = 0.0f;
    next.outcome_0_2 = t556;
    next.outcome_0_3 = s.outcome_0_2;
    next.outcome_0_4 = s.outcome_0_3;
    next.outcome_0_5 = p.c0;
    next.outcome_0_6 = s.outcome_0_5;
    next.outcome_1_0 = t689;
    next.outcome_1_1 = t690;
    next.outcome_1_2 = t621;
    next.outcome_1_3 = s.outcome_1_2;
    next.outcome_1_4 = s.outcome_1_3;
    next.outcome_1_5 = p.c0;
    next.outcome_1_6 = s.outcome_1_5;
    next.outcome_2_0 = t757;
    next.outcome_2_1 = 0.0f;
    next.outcome_2_2 = t692;
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

// What the method carries after it was resynchronised. (382 operations.)
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
