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
    q0: real,
    q1: real,
    q2: real,
    q3: real,
    wx: real,
    wy: real,
    wz: real,
    momentum_x: real,
    momentum_y: real,
    momentum_z: real,
    half_momentum_x: real,
    half_momentum_y: real,
    half_momentum_z: real,
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
    s.momentum_x = state[7u * run.stride + instance];
    s.momentum_y = state[8u * run.stride + instance];
    s.momentum_z = state[9u * run.stride + instance];
    s.half_momentum_x = state[10u * run.stride + instance];
    s.half_momentum_y = state[11u * run.stride + instance];
    s.half_momentum_z = state[12u * run.stride + instance];
    s.half_q0 = state[13u * run.stride + instance];
    s.half_q1 = state[14u * run.stride + instance];
    s.half_q2 = state[15u * run.stride + instance];
    s.half_q3 = state[16u * run.stride + instance];
    s.half_wx = state[17u * run.stride + instance];
    s.half_wy = state[18u * run.stride + instance];
    s.half_wz = state[19u * run.stride + instance];
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
    state[7u * run.stride + instance] = s.momentum_x;
    state[8u * run.stride + instance] = s.momentum_y;
    state[9u * run.stride + instance] = s.momentum_z;
    state[10u * run.stride + instance] = s.half_momentum_x;
    state[11u * run.stride + instance] = s.half_momentum_y;
    state[12u * run.stride + instance] = s.half_momentum_z;
    state[13u * run.stride + instance] = s.half_q0;
    state[14u * run.stride + instance] = s.half_q1;
    state[15u * run.stride + instance] = s.half_q2;
    state[16u * run.stride + instance] = s.half_q3;
    state[17u * run.stride + instance] = s.half_wx;
    state[18u * run.stride + instance] = s.half_wy;
    state[19u * run.stride + instance] = s.half_wz;
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
    next.momentum_x = flushed_real(s.momentum_x);
    next.momentum_y = flushed_real(s.momentum_y);
    next.momentum_z = flushed_real(s.momentum_z);
    next.half_momentum_x = flushed_real(s.half_momentum_x);
    next.half_momentum_y = flushed_real(s.half_momentum_y);
    next.half_momentum_z = flushed_real(s.half_momentum_z);
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
}

fn prepare(instance: u32) -> Prepared {
    let t0 = shared_values[4] * shared_values[40];
    let t1 = shared_values[5] * shared_values[41];
    let t2 = shared_values[4] * shared_values[46];
    let t3 = shared_values[5] * shared_values[47];
    var p: Prepared;
    p.c0 = shared_values[0];
    p.c1 = shared_values[1];
    p.c2 = shared_values[3];
    p.c3 = shared_values[6];
    p.c4 = shared_values[9];
    p.c5 = shared_values[10];
    p.c6 = shared_values[11];
    p.c7 = shared_values[12];
    p.c8 = shared_values[13];
    p.c9 = shared_values[14];
    p.c10 = shared_values[15];
    p.c11 = shared_values[16];
    p.c12 = shared_values[17];
    p.c13 = shared_values[18];
    p.c14 = shared_values[19];
    p.c15 = shared_values[20];
    p.c16 = shared_values[21];
    p.c17 = shared_values[22];
    p.c18 = shared_values[23];
    p.c19 = shared_values[24];
    p.c20 = shared_values[25];
    p.c21 = shared_values[26];
    p.c22 = shared_values[27];
    p.c23 = shared_values[28];
    p.c24 = t0;
    p.c25 = t1;
    p.c26 = t2;
    p.c27 = t3;
    return p;
}

// A full step takes 288 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.half_wx * p.c0;
    let t1 = s.half_wy * p.c0;
    let t2 = s.half_wz * p.c0;
    let t3 = p.c1 * t0;
    let t4 = p.c1 * t1;
    let t5 = p.c1 * t2;
    let t6 = t3 * t3;
    let t7 = t4 * t4 + t6;
    let t8 = t5 * t5 + t7;
    let t9 = p.c5 - t8 * p.c4;
    let t10 = p.c6 - t8 * t9;
    let t11 = p.c7 - t8 * t10;
    let t12 = p.c8 - t8 * t11;
    let t13 = p.c9 - t8 * t12;
    let t14 = p.c10 - t8 * t13;
    let t15 = p.c11 - t8 * t14;
    let t16 = p.c1 - t8 * t15;
    let t17 = p.c2 - t8 * t16;
    let t18 = p.c13 - t8 * p.c12;
    let t19 = p.c14 - t8 * t18;
    let t20 = p.c15 - t8 * t19;
    let t21 = p.c16 - t8 * t20;
    let t22 = p.c17 - t8 * t21;
    let t23 = p.c18 - t8 * t22;
    let t24 = p.c19 - t8 * t23;
    let t25 = p.c20 - t8 * t24;
    let t26 = p.c2 - t8 * t25;
    let t27 = t3 * t26;
    let t28 = t4 * t26;
    let t29 = t5 * t26;
    let t30 = s.q0 * t17;
    let t31 = s.q1 * t17;
    let t32 = s.q2 * t17;
    let t33 = s.q3 * t17;
    let t34 = t30 - s.q1 * t27;
    let t35 = t34 - s.q2 * t28;
    let t36 = t35 - s.q3 * t29;
    let t37 = s.q0 * t27 + t31;
    let t38 = s.q2 * t29 + t37;
    let t39 = t38 - s.q3 * t28;
    let t40 = s.q0 * t28 + t32;
    let t41 = s.q3 * t27 + t40;
    let t42 = t41 - s.q1 * t29;
    let t43 = s.q0 * t29 + t33;
    let t44 = s.q1 * t28 + t43;
    let t45 = t44 - s.q2 * t27;
    let t46 = t36 * t36;
    let t47 = t39 * t39 + t46;
    let t48 = t42 * t42 + t47;
    let t49 = t45 * t45 + t48;
    let t50 = p.c3 - p.c1 * t49;
    let t51 = t36 * t50;
    let t52 = t39 * t50;
    let t53 = t42 * t50;
    let t54 = t45 * t50;
    let t55 = s.half_q3 * p.c24;
    let t56 = s.half_q2 * p.c24;
    let t57 = p.c21 * t55;
    let t58 = p.c21 * t56;
    let t59 = s.half_q2 * t58;
    let t60 = s.half_q3 * t57 + t59;
    let t61 = s.half_q1 * t58;
    let t62 = s.half_q1 * t57;
    let t63 = s.half_q0 * t57 + t61;
    let t64 = t62 - s.half_q0 * t58;
    let t65 = p.c24 - t60;
    let t66 = p.c25 + t63;
    let t67 = p.c0 * t65 + s.momentum_x;
    let t68 = p.c0 * t66 + s.momentum_y;
    let t69 = p.c0 * t64 + s.momentum_z;
    let t70 = t54 * t68;
    let t71 = t53 * t69 - t70;
    let t72 = t52 * t69;
    let t73 = t54 * t67 - t72;
    let t74 = t53 * t67;
    let t75 = t52 * t68 - t74;
    let t76 = p.c21 * t71;
    let t77 = p.c21 * t73;
    let t78 = p.c21 * t75;
    let t79 = t53 * t78 + t67;
    let t80 = t79 - t54 * t77;
    let t81 = t54 * t76 + t68;
    let t82 = t81 - t52 * t78;
    let t83 = t52 * t77 + t69;
    let t84 = t83 - t53 * t76;
    let t85 = t80 - t51 * t76;
    let t86 = t82 - t51 * t77;
    let t87 = t84 - t51 * t78;
    let t88 = t85 * p.c22;
    let t89 = t86 * p.c23;
    let t90 = p.c0 * t88;
    let t91 = p.c0 * t89;
    let t92 = p.c0 * t87;
    let t93 = p.c1 * t90;
    let t94 = p.c1 * t91;
    let t95 = p.c1 * t92;
    let t96 = t93 * t93;
    let t97 = t94 * t94 + t96;
    let t98 = t95 * t95 + t97;
    let t99 = p.c5 - p.c4 * t98;
    let t100 = p.c6 - t98 * t99;
    let t101 = p.c7 - t98 * t100;
    let t102 = p.c8 - t98 * t101;
    let t103 = p.c9 - t98 * t102;
    let t104 = p.c10 - t98 * t103;
    let t105 = p.c11 - t98 * t104;
    let t106 = p.c1 - t98 * t105;
    let t107 = p.c2 - t98 * t106;
    let t108 = p.c13 - p.c12 * t98;
    let t109 = p.c14 - t98 * t108;
    let t110 = p.c15 - t98 * t109;
    let t111 = p.c16 - t98 * t110;
    let t112 = p.c17 - t98 * t111;
    let t113 = p.c18 - t98 * t112;
    let t114 = p.c19 - t98 * t113;
    let t115 = p.c20 - t98 * t114;
    let t116 = p.c2 - t98 * t115;
    let t117 = t93 * t116;
    let t118 = t94 * t116;
    let t119 = t95 * t116;
    let t120 = s.half_q0 * t107;
    let t121 = s.half_q1 * t107;
    let t122 = s.half_q2 * t107;
    let t123 = s.half_q3 * t107;
    let t124 = t120 - s.half_q1 * t117;
    let t125 = t124 - s.half_q2 * t118;
    let t126 = t125 - s.half_q3 * t119;
    let t127 = s.half_q0 * t117 + t121;
    let t128 = s.half_q2 * t119 + t127;
    let t129 = t128 - s.half_q3 * t118;
    let t130 = s.half_q0 * t118 + t122;
    let t131 = s.half_q3 * t117 + t130;
    let t132 = t131 - s.half_q1 * t119;
    let t133 = s.half_q0 * t119 + t123;
    let t134 = s.half_q1 * t118 + t133;
    let t135 = t134 - s.half_q2 * t117;
    let t136 = t126 * t126;
    let t137 = t129 * t129 + t136;
    let t138 = t132 * t132 + t137;
    let t139 = t135 * t135 + t138;
    let t140 = p.c3 - p.c1 * t139;
    let t141 = t126 * t140;
    let t142 = t129 * t140;
    let t143 = t132 * t140;
    let t144 = t135 * t140;
    let t145 = p.c26 * t54;
    let t146 = p.c26 * t53;
    let t147 = p.c21 * t145;
    let t148 = p.c21 * t146;
    let t149 = t53 * t148;
    let t150 = t54 * t147 + t149;
    let t151 = t52 * t148;
    let t152 = t52 * t147;
    let t153 = t51 * t147 + t151;
    let t154 = t152 - t51 * t148;
    let t155 = p.c26 - t150;
    let t156 = p.c27 + t153;
    let t157 = p.c0 * t155 + s.half_momentum_x;
    let t158 = p.c0 * t156 + s.half_momentum_y;
    let t159 = p.c0 * t154 + s.half_momentum_z;
    let t160 = t144 * t158;
    let t161 = t143 * t159 - t160;
    let t162 = t142 * t159;
    let t163 = t144 * t157 - t162;
    let t164 = t143 * t157;
    let t165 = t142 * t158 - t164;
    let t166 = p.c21 * t161;
    let t167 = p.c21 * t163;
    let t168 = p.c21 * t165;
    let t169 = t143 * t168 + t157;
    let t170 = t169 - t144 * t167;
    let t171 = t144 * t166 + t158;
    let t172 = t171 - t142 * t168;
    let t173 = t142 * t167 + t159;
    let t174 = t173 - t143 * t166;
    let t175 = t170 - t141 * t166;
    let t176 = t172 - t141 * t167;
    let t177 = t174 - t141 * t168;
    let t178 = p.c22 * t175;
    let t179 = p.c23 * t176;
    var next: State;
    next.q0 = t51;
    next.q1 = t52;
    next.q2 = t53;
    next.q3 = t54;
    next.wx = t88;
    next.wy = t89;
    next.wz = t87;
    next.momentum_x = t67;
    next.momentum_y = t68;
    next.momentum_z = t69;
    next.half_momentum_x = t157;
    next.half_momentum_y = t158;
    next.half_momentum_z = t159;
    next.half_q0 = t141;
    next.half_q1 = t142;
    next.half_q2 = t143;
    next.half_q3 = t144;
    next.half_wx = t178;
    next.half_wy = t179;
    next.half_wz = t177;
    return next;
}

// The method begins to carry these values (310 operations).
fn begin(instance: u32, s: State) -> State {
    let t0 = shared_values[4] * shared_values[42];
    let t1 = shared_values[5] * shared_values[43];
    let t2 = s.wx * shared_values[7];
    let t3 = s.wy * shared_values[8];
    let t4 = s.q3 * t3;
    let t5 = s.q2 * s.wz - t4;
    let t6 = s.q1 * s.wz;
    let t7 = s.q3 * t2 - t6;
    let t8 = s.q2 * t2;
    let t9 = s.q1 * t3 - t8;
    let t10 = shared_values[26] * t5;
    let t11 = shared_values[26] * t7;
    let t12 = shared_values[26] * t9;
    let t13 = s.q2 * t12;
    let t14 = t13 - s.q3 * t11;
    let t15 = s.q3 * t10;
    let t16 = t15 - s.q1 * t12;
    let t17 = s.q1 * t11;
    let t18 = t17 - s.q2 * t10;
    let t19 = s.q0 * t10 + t14;
    let t20 = s.q0 * t11 + t16;
    let t21 = s.q0 * t12 + t18;
    let t22 = t2 + t19;
    let t23 = t3 + t20;
    let t24 = s.wz + t21;
    let t25 = s.wy * s.wz;
    let t26 = s.wx * s.wz;
    let t27 = s.wx * s.wy;
    let t28 = shared_values[30] * t25 + s.wx;
    let t29 = shared_values[31] * t26 + s.wy;
    let t30 = shared_values[32] * t27 + s.wz;
    let t31 = t0 * shared_values[33];
    let t32 = t28 + t31;
    let t33 = s.q3 * t1;
    let t34 = s.q1 * t1;
    let t35 = shared_values[26] * t33;
    let t36 = shared_values[26] * t34;
    let t37 = s.q2 * t36;
    let t38 = t1 - s.q3 * t35;
    let t39 = t38 - s.q1 * t36;
    let t40 = s.q2 * t35;
    let t41 = s.q0 * t35 + t37;
    let t42 = t40 - s.q0 * t36;
    let t43 = shared_values[33] * t41 + t32;
    let t44 = shared_values[34] * t39 + t29;
    let t45 = shared_values[29] * t42 + t30;
    let t46 = t25 * shared_values[36] + s.wx;
    let t47 = t26 * shared_values[37] + s.wy;
    let t48 = t27 * shared_values[38] + s.wz;
    let t49 = t0 * shared_values[34];
    let t50 = t46 + t49;
    let t51 = shared_values[34] * t41 + t50;
    let t52 = t39 * shared_values[39] + t47;
    let t53 = t42 * shared_values[35] + t48;
    let t54 = shared_values[29] * t51;
    let t55 = shared_values[29] * t52;
    let t56 = shared_values[29] * t53;
    let t57 = shared_values[1] * t54;
    let t58 = shared_values[1] * t55;
    let t59 = shared_values[1] * t56;
    let t60 = t57 * t57;
    let t61 = t58 * t58 + t60;
    let t62 = t59 * t59 + t61;
    let t63 = shared_values[10] - shared_values[9] * t62;
    let t64 = shared_values[11] - t62 * t63;
    let t65 = shared_values[12] - t62 * t64;
    let t66 = shared_values[13] - t62 * t65;
    let t67 = shared_values[14] - t62 * t66;
    let t68 = shared_values[15] - t62 * t67;
    let t69 = shared_values[16] - t62 * t68;
    let t70 = shared_values[1] - t62 * t69;
    let t71 = shared_values[3] - t62 * t70;
    let t72 = shared_values[18] - shared_values[17] * t62;
    let t73 = shared_values[19] - t62 * t72;
    let t74 = shared_values[20] - t62 * t73;
    let t75 = shared_values[21] - t62 * t74;
    let t76 = shared_values[22] - t62 * t75;
    let t77 = shared_values[23] - t62 * t76;
    let t78 = shared_values[24] - t62 * t77;
    let t79 = shared_values[25] - t62 * t78;
    let t80 = shared_values[3] - t62 * t79;
    let t81 = t57 * t80;
    let t82 = t58 * t80;
    let t83 = t59 * t80;
    let t84 = s.q0 * t71;
    let t85 = s.q1 * t71;
    let t86 = s.q2 * t71;
    let t87 = s.q3 * t71;
    let t88 = t84 - s.q1 * t81;
    let t89 = t88 - s.q2 * t82;
    let t90 = t89 - s.q3 * t83;
    let t91 = s.q0 * t81 + t85;
    let t92 = s.q2 * t83 + t91;
    let t93 = t92 - s.q3 * t82;
    let t94 = s.q0 * t82 + t86;
    let t95 = s.q3 * t81 + t94;
    let t96 = t95 - s.q1 * t83;
    let t97 = s.q0 * t83 + t87;
    let t98 = s.q1 * t82 + t97;
    let t99 = t98 - s.q2 * t81;
    let t100 = t90 * t90;
    let t101 = t93 * t93 + t100;
    let t102 = t96 * t96 + t101;
    let t103 = t99 * t99 + t102;
    let t104 = shared_values[6] - shared_values[1] * t103;
    let t105 = t90 * t104;
    let t106 = t93 * t104;
    let t107 = t96 * t104;
    let t108 = t99 * t104;
    let t109 = t0 * t108;
    let t110 = t0 * t107;
    let t111 = shared_values[26] * t109;
    let t112 = shared_values[26] * t110;
    let t113 = t107 * t112;
    let t114 = t108 * t111 + t113;
    let t115 = t106 * t112;
    let t116 = t106 * t111;
    let t117 = t105 * t111 + t115;
    let t118 = t116 - t105 * t112;
    let t119 = t0 - t114;
    let t120 = t1 + t117;
    let t121 = shared_values[2] * t119 + t22;
    let t122 = shared_values[2] * t120 + t23;
    let t123 = shared_values[2] * t118 + t24;
    let t124 = shared_values[2] * t43;
    let t125 = shared_values[2] * t44;
    let t126 = shared_values[2] * t45;
    let t127 = shared_values[1] * t124;
    let t128 = shared_values[1] * t125;
    let t129 = shared_values[1] * t126;
    let t130 = t127 * t127;
    let t131 = t128 * t128 + t130;
    let t132 = t129 * t129 + t131;
    let t133 = shared_values[10] - shared_values[9] * t132;
    let t134 = shared_values[11] - t132 * t133;
    let t135 = shared_values[12] - t132 * t134;
    let t136 = shared_values[13] - t132 * t135;
    let t137 = shared_values[14] - t132 * t136;
    let t138 = shared_values[15] - t132 * t137;
    let t139 = shared_values[16] - t132 * t138;
    let t140 = shared_values[1] - t132 * t139;
    let t141 = shared_values[3] - t132 * t140;
    let t142 = shared_values[18] - shared_values[17] * t132;
    let t143 = shared_values[19] - t132 * t142;
    let t144 = shared_values[20] - t132 * t143;
    let t145 = shared_values[21] - t132 * t144;
    let t146 = shared_values[22] - t132 * t145;
    let t147 = shared_values[23] - t132 * t146;
    let t148 = shared_values[24] - t132 * t147;
    let t149 = shared_values[25] - t132 * t148;
    let t150 = shared_values[3] - t132 * t149;
    let t151 = t127 * t150;
    let t152 = t128 * t150;
    let t153 = t129 * t150;
    let t154 = s.q0 * t141;
    let t155 = s.q1 * t141;
    let t156 = s.q2 * t141;
    let t157 = s.q3 * t141;
    let t158 = t154 - s.q1 * t151;
    let t159 = t158 - s.q2 * t152;
    let t160 = t159 - s.q3 * t153;
    let t161 = s.q0 * t151 + t155;
    let t162 = s.q2 * t153 + t161;
    let t163 = t162 - s.q3 * t152;
    let t164 = s.q0 * t152 + t156;
    let t165 = s.q3 * t151 + t164;
    let t166 = t165 - s.q1 * t153;
    let t167 = s.q0 * t153 + t157;
    let t168 = s.q1 * t152 + t167;
    let t169 = t168 - s.q2 * t151;
    let t170 = t160 * t160;
    let t171 = t163 * t163 + t170;
    let t172 = t166 * t166 + t171;
    let t173 = t169 * t169 + t172;
    let t174 = shared_values[6] - shared_values[1] * t173;
    let t175 = t160 * t174;
    let t176 = t163 * t174;
    let t177 = t166 * t174;
    let t178 = t169 * t174;
    let t179 = t122 * t178;
    let t180 = t123 * t177 - t179;
    let t181 = t123 * t176;
    let t182 = t121 * t178 - t181;
    let t183 = t121 * t177;
    let t184 = t122 * t176 - t183;
    let t185 = shared_values[26] * t180;
    let t186 = shared_values[26] * t182;
    let t187 = shared_values[26] * t184;
    let t188 = t177 * t187 + t121;
    let t189 = t188 - t178 * t186;
    let t190 = t178 * t185 + t122;
    let t191 = t190 - t176 * t187;
    let t192 = t176 * t186 + t123;
    let t193 = t192 - t177 * t185;
    let t194 = t189 - t175 * t185;
    let t195 = t191 - t175 * t186;
    let t196 = t193 - t175 * t187;
    let t197 = shared_values[27] * t194;
    let t198 = shared_values[28] * t195;
    var next = s;
    next.momentum_x = t22;
    next.momentum_y = t23;
    next.momentum_z = t24;
    next.half_momentum_x = t121;
    next.half_momentum_y = t122;
    next.half_momentum_z = t123;
    next.half_q0 = t175;
    next.half_q1 = t176;
    next.half_q2 = t177;
    next.half_q3 = t178;
    next.half_wx = t197;
    next.half_wy = t198;
    next.half_wz = t196;
    return next;
}

// After it was resynchronised the method carries the same as at the start, but for these values.
fn resynchronised(instance: u32, s: State) -> State {
    let t0 = shared_values[4] * shared_values[42];
    let t1 = shared_values[5] * shared_values[43];
    let t2 = s.wy * s.wz;
    let t3 = s.wx * s.wz;
    let t4 = s.wx * s.wy;
    let t5 = shared_values[30] * t2 + s.wx;
    let t6 = shared_values[31] * t3 + s.wy;
    let t7 = shared_values[32] * t4 + s.wz;
    let t8 = t0 * shared_values[33];
    let t9 = t5 + t8;
    let t10 = s.q3 * t1;
    let t11 = s.q1 * t1;
    let t12 = shared_values[26] * t10;
    let t13 = shared_values[26] * t11;
    let t14 = s.q2 * t13;
    let t15 = t1 - s.q3 * t12;
    let t16 = t15 - s.q1 * t13;
    let t17 = s.q2 * t12;
    let t18 = s.q0 * t12 + t14;
    let t19 = t17 - s.q0 * t13;
    let t20 = shared_values[33] * t18 + t9;
    let t21 = shared_values[34] * t16 + t6;
    let t22 = shared_values[29] * t19 + t7;
    let t23 = t2 * shared_values[36] + s.wx;
    let t24 = t3 * shared_values[37] + s.wy;
    let t25 = t4 * shared_values[38] + s.wz;
    let t26 = t0 * shared_values[34];
    let t27 = t23 + t26;
    let t28 = shared_values[34] * t18 + t27;
    let t29 = t16 * shared_values[39] + t24;
    let t30 = t19 * shared_values[35] + t25;
    let t31 = shared_values[29] * t28;
    let t32 = shared_values[29] * t29;
    let t33 = shared_values[29] * t30;
    let t34 = shared_values[1] * t31;
    let t35 = shared_values[1] * t32;
    let t36 = shared_values[1] * t33;
    let t37 = t34 * t34;
    let t38 = t35 * t35 + t37;
    let t39 = t36 * t36 + t38;
    let t40 = shared_values[10] - shared_values[9] * t39;
    let t41 = shared_values[11] - t39 * t40;
    let t42 = shared_values[12] - t39 * t41;
    let t43 = shared_values[13] - t39 * t42;
    let t44 = shared_values[14] - t39 * t43;
    let t45 = shared_values[15] - t39 * t44;
    let t46 = shared_values[16] - t39 * t45;
    let t47 = shared_values[1] - t39 * t46;
    let t48 = shared_values[3] - t39 * t47;
    let t49 = shared_values[18] - shared_values[17] * t39;
    let t50 = shared_values[19] - t39 * t49;
    let t51 = shared_values[20] - t39 * t50;
    let t52 = shared_values[21] - t39 * t51;
    let t53 = shared_values[22] - t39 * t52;
    let t54 = shared_values[23] - t39 * t53;
    let t55 = shared_values[24] - t39 * t54;
    let t56 = shared_values[25] - t39 * t55;
    let t57 = shared_values[3] - t39 * t56;
    let t58 = t34 * t57;
    let t59 = t35 * t57;
    let t60 = t36 * t57;
    let t61 = s.q0 * t48;
    let t62 = s.q1 * t48;
    let t63 = s.q2 * t48;
    let t64 = s.q3 * t48;
    let t65 = t61 - s.q1 * t58;
    let t66 = t65 - s.q2 * t59;
    let t67 = t66 - s.q3 * t60;
    let t68 = s.q0 * t58 + t62;
    let t69 = s.q2 * t60 + t68;
    let t70 = t69 - s.q3 * t59;
    let t71 = s.q0 * t59 + t63;
    let t72 = s.q3 * t58 + t71;
    let t73 = t72 - s.q1 * t60;
    let t74 = s.q0 * t60 + t64;
    let t75 = s.q1 * t59 + t74;
    let t76 = t75 - s.q2 * t58;
    let t77 = t67 * t67;
    let t78 = t70 * t70 + t77;
    let t79 = t73 * t73 + t78;
    let t80 = t76 * t76 + t79;
    let t81 = shared_values[6] - shared_values[1] * t80;
    let t82 = t67 * t81;
    let t83 = t70 * t81;
    let t84 = t73 * t81;
    let t85 = t76 * t81;
    let t86 = t0 * t85;
    let t87 = t0 * t84;
    let t88 = shared_values[26] * t86;
    let t89 = shared_values[26] * t87;
    let t90 = t84 * t89;
    let t91 = t85 * t88 + t90;
    let t92 = t83 * t89;
    let t93 = t83 * t88;
    let t94 = t82 * t88 + t92;
    let t95 = t93 - t82 * t89;
    let t96 = t0 - t91;
    let t97 = t1 + t94;
    let t98 = shared_values[2] * t20;
    let t99 = shared_values[2] * t21;
    let t100 = shared_values[2] * t22;
    let t101 = shared_values[1] * t98;
    let t102 = shared_values[1] * t99;
    let t103 = shared_values[1] * t100;
    let t104 = t101 * t101;
    let t105 = t102 * t102 + t104;
    let t106 = t103 * t103 + t105;
    let t107 = shared_values[10] - shared_values[9] * t106;
    let t108 = shared_values[11] - t106 * t107;
    let t109 = shared_values[12] - t106 * t108;
    let t110 = shared_values[13] - t106 * t109;
    let t111 = shared_values[14] - t106 * t110;
    let t112 = shared_values[15] - t106 * t111;
    let t113 = shared_values[16] - t106 * t112;
    let t114 = shared_values[1] - t106 * t113;
    let t115 = shared_values[3] - t106 * t114;
    let t116 = shared_values[18] - shared_values[17] * t106;
    let t117 = shared_values[19] - t106 * t116;
    let t118 = shared_values[20] - t106 * t117;
    let t119 = shared_values[21] - t106 * t118;
    let t120 = shared_values[22] - t106 * t119;
    let t121 = shared_values[23] - t106 * t120;
    let t122 = shared_values[24] - t106 * t121;
    let t123 = shared_values[25] - t106 * t122;
    let t124 = shared_values[3] - t106 * t123;
    let t125 = t101 * t124;
    let t126 = t102 * t124;
    let t127 = t103 * t124;
    let t128 = s.q0 * t115;
    let t129 = s.q1 * t115;
    let t130 = s.q2 * t115;
    let t131 = s.q3 * t115;
    let t132 = t128 - s.q1 * t125;
    let t133 = t132 - s.q2 * t126;
    let t134 = t133 - s.q3 * t127;
    let t135 = s.q0 * t125 + t129;
    let t136 = s.q2 * t127 + t135;
    let t137 = t136 - s.q3 * t126;
    let t138 = s.q0 * t126 + t130;
    let t139 = s.q3 * t125 + t138;
    let t140 = t139 - s.q1 * t127;
    let t141 = s.q0 * t127 + t131;
    let t142 = s.q1 * t126 + t141;
    let t143 = t142 - s.q2 * t125;
    let t144 = t134 * t134;
    let t145 = t137 * t137 + t144;
    let t146 = t140 * t140 + t145;
    let t147 = t143 * t143 + t146;
    let t148 = shared_values[6] - shared_values[1] * t147;
    let t149 = t134 * t148;
    let t150 = t137 * t148;
    let t151 = t140 * t148;
    let t152 = t143 * t148;
    let t153 = shared_values[2] * t96 + s.momentum_x;
    let t154 = shared_values[2] * t97 + s.momentum_y;
    let t155 = shared_values[2] * t95 + s.momentum_z;
    let t156 = t152 * t154;
    let t157 = t151 * t155 - t156;
    let t158 = t150 * t155;
    let t159 = t152 * t153 - t158;
    let t160 = t151 * t153;
    let t161 = t150 * t154 - t160;
    let t162 = shared_values[26] * t157;
    let t163 = shared_values[26] * t159;
    let t164 = shared_values[26] * t161;
    let t165 = t151 * t164 + t153;
    let t166 = t165 - t152 * t163;
    let t167 = t152 * t162 + t154;
    let t168 = t167 - t150 * t164;
    let t169 = t150 * t163 + t155;
    let t170 = t169 - t151 * t162;
    let t171 = t166 - t149 * t162;
    let t172 = t168 - t149 * t163;
    let t173 = t170 - t149 * t164;
    let t174 = shared_values[27] * t171;
    let t175 = shared_values[28] * t172;
    var next = begin(instance, s);
    next.momentum_x = s.momentum_x;
    next.momentum_y = s.momentum_y;
    next.momentum_z = s.momentum_z;
    next.half_momentum_x = t153;
    next.half_momentum_y = t154;
    next.half_momentum_z = t155;
    next.half_wx = t174;
    next.half_wy = t175;
    next.half_wz = t173;
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
