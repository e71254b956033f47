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
}

fn prepare(instance: u32) -> Prepared {
    let t0 = shared_values[4] * shared_values[50];
    let t1 = shared_values[5] * shared_values[51];
    let t2 = shared_values[4] * shared_values[56];
    let t3 = shared_values[5] * shared_values[57];
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
    p.c24 = shared_values[29];
    p.c25 = shared_values[30];
    p.c26 = shared_values[31];
    p.c27 = shared_values[32];
    p.c28 = shared_values[33];
    p.c29 = shared_values[34];
    p.c30 = shared_values[35];
    p.c31 = shared_values[36];
    p.c32 = shared_values[37];
    p.c33 = shared_values[38];
    p.c34 = t0;
    p.c35 = t1;
    p.c36 = t2;
    p.c37 = t3;
    return p;
}

// A full step takes 328 operations, a multiply-add counted as two.
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
    let t16 = p.c12 - t8 * t15;
    let t17 = p.c13 - t8 * t16;
    let t18 = p.c14 - t8 * t17;
    let t19 = p.c15 - t8 * t18;
    let t20 = p.c16 - t8 * t19;
    let t21 = p.c1 - t8 * t20;
    let t22 = p.c2 - t8 * t21;
    let t23 = p.c18 - t8 * p.c17;
    let t24 = p.c19 - t8 * t23;
    let t25 = p.c20 - t8 * t24;
    let t26 = p.c21 - t8 * t25;
    let t27 = p.c22 - t8 * t26;
    let t28 = p.c23 - t8 * t27;
    let t29 = p.c24 - t8 * t28;
    let t30 = p.c25 - t8 * t29;
    let t31 = p.c26 - t8 * t30;
    let t32 = p.c27 - t8 * t31;
    let t33 = p.c28 - t8 * t32;
    let t34 = p.c29 - t8 * t33;
    let t35 = p.c30 - t8 * t34;
    let t36 = p.c2 - t8 * t35;
    let t37 = t3 * t36;
    let t38 = t4 * t36;
    let t39 = t5 * t36;
    let t40 = s.q0 * t22;
    let t41 = s.q1 * t22;
    let t42 = s.q2 * t22;
    let t43 = s.q3 * t22;
    let t44 = t40 - s.q1 * t37;
    let t45 = t44 - s.q2 * t38;
    let t46 = t45 - s.q3 * t39;
    let t47 = s.q0 * t37 + t41;
    let t48 = s.q2 * t39 + t47;
    let t49 = t48 - s.q3 * t38;
    let t50 = s.q0 * t38 + t42;
    let t51 = s.q3 * t37 + t50;
    let t52 = t51 - s.q1 * t39;
    let t53 = s.q0 * t39 + t43;
    let t54 = s.q1 * t38 + t53;
    let t55 = t54 - s.q2 * t37;
    let t56 = t46 * t46;
    let t57 = t49 * t49 + t56;
    let t58 = t52 * t52 + t57;
    let t59 = t55 * t55 + t58;
    let t60 = p.c3 - p.c1 * t59;
    let t61 = t46 * t60;
    let t62 = t49 * t60;
    let t63 = t52 * t60;
    let t64 = t55 * t60;
    let t65 = s.half_q3 * p.c34;
    let t66 = s.half_q2 * p.c34;
    let t67 = p.c31 * t65;
    let t68 = p.c31 * t66;
    let t69 = s.half_q2 * t68;
    let t70 = s.half_q3 * t67 + t69;
    let t71 = s.half_q1 * t68;
    let t72 = s.half_q1 * t67;
    let t73 = s.half_q0 * t67 + t71;
    let t74 = t72 - s.half_q0 * t68;
    let t75 = p.c34 - t70;
    let t76 = p.c35 + t73;
    let t77 = p.c0 * t75 + s.momentum_x;
    let t78 = p.c0 * t76 + s.momentum_y;
    let t79 = p.c0 * t74 + s.momentum_z;
    let t80 = t64 * t78;
    let t81 = t63 * t79 - t80;
    let t82 = t62 * t79;
    let t83 = t64 * t77 - t82;
    let t84 = t63 * t77;
    let t85 = t62 * t78 - t84;
    let t86 = p.c31 * t81;
    let t87 = p.c31 * t83;
    let t88 = p.c31 * t85;
    let t89 = t63 * t88 + t77;
    let t90 = t89 - t64 * t87;
    let t91 = t64 * t86 + t78;
    let t92 = t91 - t62 * t88;
    let t93 = t62 * t87 + t79;
    let t94 = t93 - t63 * t86;
    let t95 = t90 - t61 * t86;
    let t96 = t92 - t61 * t87;
    let t97 = t94 - t61 * t88;
    let t98 = t95 * p.c32;
    let t99 = t96 * p.c33;
    let t100 = p.c0 * t98;
    let t101 = p.c0 * t99;
    let t102 = p.c0 * t97;
    let t103 = p.c1 * t100;
    let t104 = p.c1 * t101;
    let t105 = p.c1 * t102;
    let t106 = t103 * t103;
    let t107 = t104 * t104 + t106;
    let t108 = t105 * t105 + t107;
    let t109 = p.c5 - p.c4 * t108;
    let t110 = p.c6 - t108 * t109;
    let t111 = p.c7 - t108 * t110;
    let t112 = p.c8 - t108 * t111;
    let t113 = p.c9 - t108 * t112;
    let t114 = p.c10 - t108 * t113;
    let t115 = p.c11 - t108 * t114;
    let t116 = p.c12 - t108 * t115;
    let t117 = p.c13 - t108 * t116;
    let t118 = p.c14 - t108 * t117;
    let t119 = p.c15 - t108 * t118;
    let t120 = p.c16 - t108 * t119;
    let t121 = p.c1 - t108 * t120;
    let t122 = p.c2 - t108 * t121;
    let t123 = p.c18 - p.c17 * t108;
    let t124 = p.c19 - t108 * t123;
    let t125 = p.c20 - t108 * t124;
    let t126 = p.c21 - t108 * t125;
    let t127 = p.c22 - t108 * t126;
    let t128 = p.c23 - t108 * t127;
    let t129 = p.c24 - t108 * t128;
    let t130 = p.c25 - t108 * t129;
    let t131 = p.c26 - t108 * t130;
    let t132 = p.c27 - t108 * t131;
    let t133 = p.c28 - t108 * t132;
    let t134 = p.c29 - t108 * t133;
    let t135 = p.c30 - t108 * t134;
    let t136 = p.c2 - t108 * t135;
    let t137 = t103 * t136;
    let t138 = t104 * t136;
    let t139 = t105 * t136;
    let t140 = s.half_q0 * t122;
    let t141 = s.half_q1 * t122;
    let t142 = s.half_q2 * t122;
    let t143 = s.half_q3 * t122;
    let t144 = t140 - s.half_q1 * t137;
    let t145 = t144 - s.half_q2 * t138;
    let t146 = t145 - s.half_q3 * t139;
    let t147 = s.half_q0 * t137 + t141;
    let t148 = s.half_q2 * t139 + t147;
    let t149 = t148 - s.half_q3 * t138;
    let t150 = s.half_q0 * t138 + t142;
    let t151 = s.half_q3 * t137 + t150;
    let t152 = t151 - s.half_q1 * t139;
    let t153 = s.half_q0 * t139 + t143;
    let t154 = s.half_q1 * t138 + t153;
    let t155 = t154 - s.half_q2 * t137;
    let t156 = t146 * t146;
    let t157 = t149 * t149 + t156;
    let t158 = t152 * t152 + t157;
    let t159 = t155 * t155 + t158;
    let t160 = p.c3 - p.c1 * t159;
    let t161 = t146 * t160;
    let t162 = t149 * t160;
    let t163 = t152 * t160;
    let t164 = t155 * t160;
    let t165 = p.c36 * t64;
    let t166 = p.c36 * t63;
    let t167 = p.c31 * t165;
    let t168 = p.c31 * t166;
    let t169 = t63 * t168;
    let t170 = t64 * t167 + t169;
    let t171 = t62 * t168;
    let t172 = t62 * t167;
    let t173 = t61 * t167 + t171;
    let t174 = t172 - t61 * t168;
    let t175 = p.c36 - t170;
    let t176 = p.c37 + t173;
    let t177 = p.c0 * t175 + s.half_momentum_x;
    let t178 = p.c0 * t176 + s.half_momentum_y;
    let t179 = p.c0 * t174 + s.half_momentum_z;
    let t180 = t164 * t178;
    let t181 = t163 * t179 - t180;
    let t182 = t162 * t179;
    let t183 = t164 * t177 - t182;
    let t184 = t163 * t177;
    let t185 = t162 * t178 - t184;
    let t186 = p.c31 * t181;
    let t187 = p.c31 * t183;
    let t188 = p.c31 * t185;
    let t189 = t163 * t188 + t177;
    let t190 = t189 - t164 * t187;
    let t191 = t164 * t186 + t178;
    let t192 = t191 - t162 * t188;
    let t193 = t162 * t187 + t179;
    let t194 = t193 - t163 * t186;
    let t195 = t190 - t161 * t186;
    let t196 = t192 - t161 * t187;
    let t197 = t194 - t161 * t188;
    let t198 = p.c32 * t195;
    let t199 = p.c33 * t196;
    var next: State;
    next.q0 = t61;
    next.q1 = t62;
    next.q2 = t63;
    next.q3 = t64;
    next.wx = t98;
    next.wy = t99;
    next.wz = t97;
    next.momentum_x = t77;
    next.momentum_y = t78;
    next.momentum_z = t79;
    next.half_momentum_x = t177;
    next.half_momentum_y = t178;
    next.half_momentum_z = t179;
    next.half_q0 = t161;
    next.half_q1 = t162;
    next.half_q2 = t163;
    next.half_q3 = t164;
    next.half_wx = t198;
    next.half_wy = t199;
    next.half_wz = t197;
    return next;
}

// The method begins to carry these values (350 operations).
fn begin(instance: u32, s: State) -> State {
    let t0 = shared_values[4] * shared_values[52];
    let t1 = shared_values[5] * shared_values[53];
    let t2 = s.wx * shared_values[7];
    let t3 = s.wy * shared_values[8];
    let t4 = s.q3 * t3;
    let t5 = s.q2 * s.wz - t4;
    let t6 = s.q1 * s.wz;
    let t7 = s.q3 * t2 - t6;
    let t8 = s.q2 * t2;
    let t9 = s.q1 * t3 - t8;
    let t10 = shared_values[36] * t5;
    let t11 = shared_values[36] * t7;
    let t12 = shared_values[36] * t9;
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
    let t28 = shared_values[40] * t25 + s.wx;
    let t29 = shared_values[41] * t26 + s.wy;
    let t30 = shared_values[42] * t27 + s.wz;
    let t31 = t0 * shared_values[43];
    let t32 = t28 + t31;
    let t33 = s.q3 * t1;
    let t34 = s.q1 * t1;
    let t35 = shared_values[36] * t33;
    let t36 = shared_values[36] * t34;
    let t37 = s.q2 * t36;
    let t38 = t1 - s.q3 * t35;
    let t39 = t38 - s.q1 * t36;
    let t40 = s.q2 * t35;
    let t41 = s.q0 * t35 + t37;
    let t42 = t40 - s.q0 * t36;
    let t43 = shared_values[43] * t41 + t32;
    let t44 = shared_values[44] * t39 + t29;
    let t45 = shared_values[39] * t42 + t30;
    let t46 = t25 * shared_values[46] + s.wx;
    let t47 = t26 * shared_values[47] + s.wy;
    let t48 = t27 * shared_values[48] + s.wz;
    let t49 = t0 * shared_values[44];
    let t50 = t46 + t49;
    let t51 = shared_values[44] * t41 + t50;
    let t52 = t39 * shared_values[49] + t47;
    let t53 = t42 * shared_values[45] + t48;
    let t54 = shared_values[39] * t51;
    let t55 = shared_values[39] * t52;
    let t56 = shared_values[39] * t53;
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
    let t70 = shared_values[17] - t62 * t69;
    let t71 = shared_values[18] - t62 * t70;
    let t72 = shared_values[19] - t62 * t71;
    let t73 = shared_values[20] - t62 * t72;
    let t74 = shared_values[21] - t62 * t73;
    let t75 = shared_values[1] - t62 * t74;
    let t76 = shared_values[3] - t62 * t75;
    let t77 = shared_values[23] - shared_values[22] * t62;
    let t78 = shared_values[24] - t62 * t77;
    let t79 = shared_values[25] - t62 * t78;
    let t80 = shared_values[26] - t62 * t79;
    let t81 = shared_values[27] - t62 * t80;
    let t82 = shared_values[28] - t62 * t81;
    let t83 = shared_values[29] - t62 * t82;
    let t84 = shared_values[30] - t62 * t83;
    let t85 = shared_values[31] - t62 * t84;
    let t86 = shared_values[32] - t62 * t85;
    let t87 = shared_values[33] - t62 * t86;
    let t88 = shared_values[34] - t62 * t87;
    let t89 = shared_values[35] - t62 * t88;
    let t90 = shared_values[3] - t62 * t89;
    let t91 = t57 * t90;
    let t92 = t58 * t90;
    let t93 = t59 * t90;
    let t94 = s.q0 * t76;
    let t95 = s.q1 * t76;
    let t96 = s.q2 * t76;
    let t97 = s.q3 * t76;
    let t98 = t94 - s.q1 * t91;
    let t99 = t98 - s.q2 * t92;
    let t100 = t99 - s.q3 * t93;
    let t101 = s.q0 * t91 + t95;
    let t102 = s.q2 * t93 + t101;
    let t103 = t102 - s.q3 * t92;
    let t104 = s.q0 * t92 + t96;
    let t105 = s.q3 * t91 + t104;
    let t106 = t105 - s.q1 * t93;
    let t107 = s.q0 * t93 + t97;
    let t108 = s.q1 * t92 + t107;
    let t109 = t108 - s.q2 * t91;
    let t110 = t100 * t100;
    let t111 = t103 * t103 + t110;
    let t112 = t106 * t106 + t111;
    let t113 = t109 * t109 + t112;
    let t114 = shared_values[6] - shared_values[1] * t113;
    let t115 = t100 * t114;
    let t116 = t103 * t114;
    let t117 = t106 * t114;
    let t118 = t109 * t114;
    let t119 = t0 * t118;
    let t120 = t0 * t117;
    let t121 = shared_values[36] * t119;
    let t122 = shared_values[36] * t120;
    let t123 = t117 * t122;
    let t124 = t118 * t121 + t123;
    let t125 = t116 * t122;
    let t126 = t116 * t121;
    let t127 = t115 * t121 + t125;
    let t128 = t126 - t115 * t122;
    let t129 = t0 - t124;
    let t130 = t1 + t127;
    let t131 = shared_values[2] * t129 + t22;
    let t132 = shared_values[2] * t130 + t23;
    let t133 = shared_values[2] * t128 + t24;
    let t134 = shared_values[2] * t43;
    let t135 = shared_values[2] * t44;
    let t136 = shared_values[2] * t45;
    let t137 = shared_values[1] * t134;
    let t138 = shared_values[1] * t135;
    let t139 = shared_values[1] * t136;
    let t140 = t137 * t137;
    let t141 = t138 * t138 + t140;
    let t142 = t139 * t139 + t141;
    let t143 = shared_values[10] - shared_values[9] * t142;
    let t144 = shared_values[11] - t142 * t143;
    let t145 = shared_values[12] - t142 * t144;
    let t146 = shared_values[13] - t142 * t145;
    let t147 = shared_values[14] - t142 * t146;
    let t148 = shared_values[15] - t142 * t147;
    let t149 = shared_values[16] - t142 * t148;
    let t150 = shared_values[17] - t142 * t149;
    let t151 = shared_values[18] - t142 * t150;
    let t152 = shared_values[19] - t142 * t151;
    let t153 = shared_values[20] - t142 * t152;
    let t154 = shared_values[21] - t142 * t153;
    let t155 = shared_values[1] - t142 * t154;
    let t156 = shared_values[3] - t142 * t155;
    let t157 = shared_values[23] - shared_values[22] * t142;
    let t158 = shared_values[24] - t142 * t157;
    let t159 = shared_values[25] - t142 * t158;
    let t160 = shared_values[26] - t142 * t159;
    let t161 = shared_values[27] - t142 * t160;
    let t162 = shared_values[28] - t142 * t161;
    let t163 = shared_values[29] - t142 * t162;
    let t164 = shared_values[30] - t142 * t163;
    let t165 = shared_values[31] - t142 * t164;
    let t166 = shared_values[32] - t142 * t165;
    let t167 = shared_values[33] - t142 * t166;
    let t168 = shared_values[34] - t142 * t167;
    let t169 = shared_values[35] - t142 * t168;
    let t170 = shared_values[3] - t142 * t169;
    let t171 = t137 * t170;
    let t172 = t138 * t170;
    let t173 = t139 * t170;
    let t174 = s.q0 * t156;
    let t175 = s.q1 * t156;
    let t176 = s.q2 * t156;
    let t177 = s.q3 * t156;
    let t178 = t174 - s.q1 * t171;
    let t179 = t178 - s.q2 * t172;
    let t180 = t179 - s.q3 * t173;
    let t181 = s.q0 * t171 + t175;
    let t182 = s.q2 * t173 + t181;
    let t183 = t182 - s.q3 * t172;
    let t184 = s.q0 * t172 + t176;
    let t185 = s.q3 * t171 + t184;
    let t186 = t185 - s.q1 * t173;
    let t187 = s.q0 * t173 + t177;
    let t188 = s.q1 * t172 + t187;
    let t189 = t188 - s.q2 * t171;
    let t190 = t180 * t180;
    let t191 = t183 * t183 + t190;
    let t192 = t186 * t186 + t191;
    let t193 = t189 * t189 + t192;
    let t194 = shared_values[6] - shared_values[1] * t193;
    let t195 = t180 * t194;
    let t196 = t183 * t194;
    let t197 = t186 * t194;
    let t198 = t189 * t194;
    let t199 = t132 * t198;
    let t200 = t133 * t197 - t199;
    let t201 = t133 * t196;
    let t202 = t131 * t198 - t201;
    let t203 = t131 * t197;
    let t204 = t132 * t196 - t203;
    let t205 = shared_values[36] * t200;
    let t206 = shared_values[36] * t202;
    let t207 = shared_values[36] * t204;
    let t208 = t197 * t207 + t131;
    let t209 = t208 - t198 * t206;
    let t210 = t198 * t205 + t132;
    let t211 = t210 - t196 * t207;
    let t212 = t196 * t206 + t133;
    let t213 = t212 - t197 * t205;
    let t214 = t209 - t195 * t205;
    let t215 = t211 - t195 * t206;
    let t216 = t213 - t195 * t207;
    let t217 = shared_values[37] * t214;
    let t218 = shared_values[38] * t215;
    var next = s;
    next.momentum_x = t22;
    next.momentum_y = t23;
    next.momentum_z = t24;
    next.half_momentum_x = t131;
    next.half_momentum_y = t132;
    next.half_momentum_z = t133;
    next.half_q0 = t195;
    next.half_q1 = t196;
    next.half_q2 = t197;
    next.half_q3 = t198;
    next.half_wx = t217;
    next.half_wy = t218;
    next.half_wz = t216;
    return next;
}

// After it was resynchronised the method carries the same as at the start, but for these values.
fn resynchronised(instance: u32, s: State) -> State {
    let t0 = shared_values[4] * shared_values[52];
    let t1 = shared_values[5] * shared_values[53];
    let t2 = s.wy * s.wz;
    let t3 = s.wx * s.wz;
    let t4 = s.wx * s.wy;
    let t5 = shared_values[40] * t2 + s.wx;
    let t6 = shared_values[41] * t3 + s.wy;
    let t7 = shared_values[42] * t4 + s.wz;
    let t8 = t0 * shared_values[43];
    let t9 = t5 + t8;
    let t10 = s.q3 * t1;
    let t11 = s.q1 * t1;
    let t12 = shared_values[36] * t10;
    let t13 = shared_values[36] * t11;
    let t14 = s.q2 * t13;
    let t15 = t1 - s.q3 * t12;
    let t16 = t15 - s.q1 * t13;
    let t17 = s.q2 * t12;
    let t18 = s.q0 * t12 + t14;
    let t19 = t17 - s.q0 * t13;
    let t20 = shared_values[43] * t18 + t9;
    let t21 = shared_values[44] * t16 + t6;
    let t22 = shared_values[39] * t19 + t7;
    let t23 = t2 * shared_values[46] + s.wx;
    let t24 = t3 * shared_values[47] + s.wy;
    let t25 = t4 * shared_values[48] + s.wz;
    let t26 = t0 * shared_values[44];
    let t27 = t23 + t26;
    let t28 = shared_values[44] * t18 + t27;
    let t29 = t16 * shared_values[49] + t24;
    let t30 = t19 * shared_values[45] + t25;
    let t31 = shared_values[39] * t28;
    let t32 = shared_values[39] * t29;
    let t33 = shared_values[39] * t30;
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
    let t47 = shared_values[17] - t39 * t46;
    let t48 = shared_values[18] - t39 * t47;
    let t49 = shared_values[19] - t39 * t48;
    let t50 = shared_values[20] - t39 * t49;
    let t51 = shared_values[21] - t39 * t50;
    let t52 = shared_values[1] - t39 * t51;
    let t53 = shared_values[3] - t39 * t52;
    let t54 = shared_values[23] - shared_values[22] * t39;
    let t55 = shared_values[24] - t39 * t54;
    let t56 = shared_values[25] - t39 * t55;
    let t57 = shared_values[26] - t39 * t56;
    let t58 = shared_values[27] - t39 * t57;
    let t59 = shared_values[28] - t39 * t58;
    let t60 = shared_values[29] - t39 * t59;
    let t61 = shared_values[30] - t39 * t60;
    let t62 = shared_values[31] - t39 * t61;
    let t63 = shared_values[32] - t39 * t62;
    let t64 = shared_values[33] - t39 * t63;
    let t65 = shared_values[34] - t39 * t64;
    let t66 = shared_values[35] - t39 * t65;
    let t67 = shared_values[3] - t39 * t66;
    let t68 = t34 * t67;
    let t69 = t35 * t67;
    let t70 = t36 * t67;
    let t71 = s.q0 * t53;
    let t72 = s.q1 * t53;
    let t73 = s.q2 * t53;
    let t74 = s.q3 * t53;
    let t75 = t71 - s.q1 * t68;
    let t76 = t75 - s.q2 * t69;
    let t77 = t76 - s.q3 * t70;
    let t78 = s.q0 * t68 + t72;
    let t79 = s.q2 * t70 + t78;
    let t80 = t79 - s.q3 * t69;
    let t81 = s.q0 * t69 + t73;
    let t82 = s.q3 * t68 + t81;
    let t83 = t82 - s.q1 * t70;
    let t84 = s.q0 * t70 + t74;
    let t85 = s.q1 * t69 + t84;
    let t86 = t85 - s.q2 * t68;
    let t87 = t77 * t77;
    let t88 = t80 * t80 + t87;
    let t89 = t83 * t83 + t88;
    let t90 = t86 * t86 + t89;
    let t91 = shared_values[6] - shared_values[1] * t90;
    let t92 = t77 * t91;
    let t93 = t80 * t91;
    let t94 = t83 * t91;
    let t95 = t86 * t91;
    let t96 = t0 * t95;
    let t97 = t0 * t94;
    let t98 = shared_values[36] * t96;
    let t99 = shared_values[36] * t97;
    let t100 = t94 * t99;
    let t101 = t95 * t98 + t100;
    let t102 = t93 * t99;
    let t103 = t93 * t98;
    let t104 = t92 * t98 + t102;
    let t105 = t103 - t92 * t99;
    let t106 = t0 - t101;
    let t107 = t1 + t104;
    let t108 = shared_values[2] * t20;
    let t109 = shared_values[2] * t21;
    let t110 = shared_values[2] * t22;
    let t111 = shared_values[1] * t108;
    let t112 = shared_values[1] * t109;
    let t113 = shared_values[1] * t110;
    let t114 = t111 * t111;
    let t115 = t112 * t112 + t114;
    let t116 = t113 * t113 + t115;
    let t117 = shared_values[10] - shared_values[9] * t116;
    let t118 = shared_values[11] - t116 * t117;
    let t119 = shared_values[12] - t116 * t118;
    let t120 = shared_values[13] - t116 * t119;
    let t121 = shared_values[14] - t116 * t120;
    let t122 = shared_values[15] - t116 * t121;
    let t123 = shared_values[16] - t116 * t122;
    let t124 = shared_values[17] - t116 * t123;
    let t125 = shared_values[18] - t116 * t124;
    let t126 = shared_values[19] - t116 * t125;
    let t127 = shared_values[20] - t116 * t126;
    let t128 = shared_values[21] - t116 * t127;
    let t129 = shared_values[1] - t116 * t128;
    let t130 = shared_values[3] - t116 * t129;
    let t131 = shared_values[23] - shared_values[22] * t116;
    let t132 = shared_values[24] - t116 * t131;
    let t133 = shared_values[25] - t116 * t132;
    let t134 = shared_values[26] - t116 * t133;
    let t135 = shared_values[27] - t116 * t134;
    let t136 = shared_values[28] - t116 * t135;
    let t137 = shared_values[29] - t116 * t136;
    let t138 = shared_values[30] - t116 * t137;
    let t139 = shared_values[31] - t116 * t138;
    let t140 = shared_values[32] - t116 * t139;
    let t141 = shared_values[33] - t116 * t140;
    let t142 = shared_values[34] - t116 * t141;
    let t143 = shared_values[35] - t116 * t142;
    let t144 = shared_values[3] - t116 * t143;
    let t145 = t111 * t144;
    let t146 = t112 * t144;
    let t147 = t113 * t144;
    let t148 = s.q0 * t130;
    let t149 = s.q1 * t130;
    let t150 = s.q2 * t130;
    let t151 = s.q3 * t130;
    let t152 = t148 - s.q1 * t145;
    let t153 = t152 - s.q2 * t146;
    let t154 = t153 - s.q3 * t147;
    let t155 = s.q0 * t145 + t149;
    let t156 = s.q2 * t147 + t155;
    let t157 = t156 - s.q3 * t146;
    let t158 = s.q0 * t146 + t150;
    let t159 = s.q3 * t145 + t158;
    let t160 = t159 - s.q1 * t147;
    let t161 = s.q0 * t147 + t151;
    let t162 = s.q1 * t146 + t161;
    let t163 = t162 - s.q2 * t145;
    let t164 = t154 * t154;
    let t165 = t157 * t157 + t164;
    let t166 = t160 * t160 + t165;
    let t167 = t163 * t163 + t166;
    let t168 = shared_values[6] - shared_values[1] * t167;
    let t169 = t154 * t168;
    let t170 = t157 * t168;
    let t171 = t160 * t168;
    let t172 = t163 * t168;
    let t173 = shared_values[2] * t106 + s.momentum_x;
    let t174 = shared_values[2] * t107 + s.momentum_y;
    let t175 = shared_values[2] * t105 + s.momentum_z;
    let t176 = t172 * t174;
    let t177 = t171 * t175 - t176;
    let t178 = t170 * t175;
    let t179 = t172 * t173 - t178;
    let t180 = t171 * t173;
    let t181 = t170 * t174 - t180;
    let t182 = shared_values[36] * t177;
    let t183 = shared_values[36] * t179;
    let t184 = shared_values[36] * t181;
    let t185 = t171 * t184 + t173;
    let t186 = t185 - t172 * t183;
    let t187 = t172 * t182 + t174;
    let t188 = t187 - t170 * t184;
    let t189 = t170 * t183 + t175;
    let t190 = t189 - t171 * t182;
    let t191 = t186 - t169 * t182;
    let t192 = t188 - t169 * t183;
    let t193 = t190 - t169 * t184;
    let t194 = shared_values[37] * t191;
    let t195 = shared_values[38] * t192;
    var next = begin(instance, s);
    next.momentum_x = s.momentum_x;
    next.momentum_y = s.momentum_y;
    next.momentum_z = s.momentum_z;
    next.half_momentum_x = t173;
    next.half_momentum_y = t174;
    next.half_momentum_z = t175;
    next.half_wx = t194;
    next.half_wy = t195;
    next.half_wz = t193;
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
