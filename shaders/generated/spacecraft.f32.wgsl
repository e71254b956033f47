// Single precision.
alias real = f32;

// By bits: drivers fold comparisons of x with itself, and products with zero.
fn is_finite_real(x: real) -> bool {
    return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u;
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
    rx: real,
    ry: real,
    rz: real,
    vx: real,
    vy: real,
    vz: real,
    half_q0: real,
    half_q1: real,
    half_q2: real,
    half_q3: real,
    half_wx: real,
    half_wy: real,
    half_wz: real,
    half_vx: real,
    half_vy: real,
    half_vz: real,
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
    s.rx = state[7u * run.stride + instance];
    s.ry = state[8u * run.stride + instance];
    s.rz = state[9u * run.stride + instance];
    s.vx = state[10u * run.stride + instance];
    s.vy = state[11u * run.stride + instance];
    s.vz = state[12u * run.stride + instance];
    s.half_q0 = state[13u * run.stride + instance];
    s.half_q1 = state[14u * run.stride + instance];
    s.half_q2 = state[15u * run.stride + instance];
    s.half_q3 = state[16u * run.stride + instance];
    s.half_wx = state[17u * run.stride + instance];
    s.half_wy = state[18u * run.stride + instance];
    s.half_wz = state[19u * run.stride + instance];
    s.half_vx = state[20u * run.stride + instance];
    s.half_vy = state[21u * run.stride + instance];
    s.half_vz = state[22u * run.stride + instance];
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
    state[7u * run.stride + instance] = s.rx;
    state[8u * run.stride + instance] = s.ry;
    state[9u * run.stride + instance] = s.rz;
    state[10u * run.stride + instance] = s.vx;
    state[11u * run.stride + instance] = s.vy;
    state[12u * run.stride + instance] = s.vz;
    state[13u * run.stride + instance] = s.half_q0;
    state[14u * run.stride + instance] = s.half_q1;
    state[15u * run.stride + instance] = s.half_q2;
    state[16u * run.stride + instance] = s.half_q3;
    state[17u * run.stride + instance] = s.half_wx;
    state[18u * run.stride + instance] = s.half_wy;
    state[19u * run.stride + instance] = s.half_wz;
    state[20u * run.stride + instance] = s.half_vx;
    state[21u * run.stride + instance] = s.half_vy;
    state[22u * run.stride + instance] = s.half_vz;
}

fn is_finite_state(s: State) -> bool {
    return is_finite_real(s.q0)
        && is_finite_real(s.q1)
        && is_finite_real(s.q2)
        && is_finite_real(s.q3)
        && is_finite_real(s.wx)
        && is_finite_real(s.wy)
        && is_finite_real(s.wz)
        && is_finite_real(s.rx)
        && is_finite_real(s.ry)
        && is_finite_real(s.rz)
        && is_finite_real(s.vx)
        && is_finite_real(s.vy)
        && is_finite_real(s.vz);
}

const WORKGROUP = 64u;
const HAS_NORM_BOUND = true;
const HAS_ENERGY_BOUND = false;
const NORM_BOUND_VALUE: real = 1e-6f;

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
}

fn prepare(instance: u32) -> Prepared {
    let t0 = parameters[6u * run.stride + instance] * shared_values[7];
    let t1 = parameters[7u * run.stride + instance] * shared_values[7];
    let t2 = parameters[8u * run.stride + instance] * shared_values[7];
    let t3 = t2 * parameters[4u * run.stride + instance];
    let t4 = t3 - t1 * parameters[5u * run.stride + instance];
    let t5 = t0 * parameters[5u * run.stride + instance];
    let t6 = t5 - t2 * parameters[3u * run.stride + instance];
    let t7 = t1 * parameters[3u * run.stride + instance];
    let t8 = t7 - t0 * parameters[4u * run.stride + instance];
    let t9 = t0 * shared_values[1];
    let t10 = t1 * shared_values[1];
    let t11 = t2 * shared_values[1];
    let t12 = parameters[6u * run.stride + instance] * shared_values[8];
    let t13 = parameters[7u * run.stride + instance] * shared_values[8];
    let t14 = parameters[8u * run.stride + instance] * shared_values[8];
    let t15 = parameters[4u * run.stride + instance] * t14;
    let t16 = t15 - parameters[5u * run.stride + instance] * t13;
    let t17 = parameters[5u * run.stride + instance] * t12;
    let t18 = t17 - parameters[3u * run.stride + instance] * t14;
    let t19 = parameters[3u * run.stride + instance] * t13;
    let t20 = t19 - parameters[4u * run.stride + instance] * t12;
    let t21 = shared_values[1] * t12;
    let t22 = shared_values[1] * t13;
    let t23 = shared_values[1] * t14;
    let t24 = parameters[1u * run.stride + instance] - parameters[2u * run.stride + instance];
    let t25 = t24 / parameters[0u * run.stride + instance];
    let t26 = shared_values[0] * t25;
    let t27 = parameters[2u * run.stride + instance] - parameters[0u * run.stride + instance];
    let t28 = t27 / parameters[1u * run.stride + instance];
    let t29 = shared_values[0] * t28;
    let t30 = parameters[0u * run.stride + instance] - parameters[1u * run.stride + instance];
    let t31 = t30 / parameters[2u * run.stride + instance];
    let t32 = shared_values[0] * t31;
    let t33 = shared_values[0] / parameters[0u * run.stride + instance];
    let t34 = shared_values[0] / parameters[1u * run.stride + instance];
    let t35 = shared_values[0] / parameters[2u * run.stride + instance];
    let t36 = t4 * t33;
    let t37 = t6 * t34;
    let t38 = t8 * t35;
    let t39 = shared_values[0] * t9;
    let t40 = shared_values[0] * t10;
    let t41 = shared_values[0] * t11;
    let t42 = t16 * t33;
    let t43 = t18 * t34;
    let t44 = t20 * t35;
    let t45 = shared_values[0] * t21;
    let t46 = shared_values[0] * t22;
    let t47 = shared_values[0] * t23;
    var p: Prepared;
    p.c0 = shared_values[0];
    p.c1 = shared_values[2];
    p.c2 = shared_values[3];
    p.c3 = t26;
    p.c4 = t29;
    p.c5 = t32;
    p.c6 = t36;
    p.c7 = t37;
    p.c8 = t38;
    p.c9 = t40;
    p.c10 = t41;
    p.c11 = t39;
    p.c12 = t42;
    p.c13 = t43;
    p.c14 = t44;
    p.c15 = t46;
    p.c16 = t47;
    p.c17 = t45;
    return p;
}

// One full step: 206 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.half_wx * p.c1;
    let t1 = s.half_wy * p.c1;
    let t2 = s.half_wz * p.c1;
    let t3 = t0 * t0 + 1.0f;
    let t4 = t1 * t1 + t3;
    let t5 = t2 * t2 + t4;
    let t6 = p.c2 / t5;
    let t7 = s.q0 - s.q1 * t0;
    let t8 = t7 - s.q2 * t1;
    let t9 = t8 - s.q3 * t2;
    let t10 = s.q0 * t0 + s.q1;
    let t11 = s.q2 * t2 + t10;
    let t12 = t11 - s.q3 * t1;
    let t13 = s.q0 * t1 + s.q2;
    let t14 = s.q3 * t0 + t13;
    let t15 = t14 - s.q1 * t2;
    let t16 = s.q0 * t2 + s.q3;
    let t17 = s.q1 * t1 + t16;
    let t18 = t17 - s.q2 * t0;
    let t19 = t6 * t9 - s.q0;
    let t20 = t6 * t12 - s.q1;
    let t21 = t6 * t15 - s.q2;
    let t22 = t6 * t18 - s.q3;
    let t23 = t19 * t19;
    let t24 = t20 * t20 + t23;
    let t25 = t21 * t21 + t24;
    let t26 = t22 * t22 + t25;
    let t27 = sqrt(t26);
    let t28 = 1.0f / t27;
    let t29 = t19 * t28;
    let t30 = t20 * t28;
    let t31 = t21 * t28;
    let t32 = t22 * t28;
    let t33 = s.half_wy * s.half_wz;
    let t34 = s.half_wx * s.half_wz;
    let t35 = s.half_wx * s.half_wy;
    let t36 = p.c3 * t33 + s.wx;
    let t37 = p.c4 * t34 + s.wy;
    let t38 = p.c5 * t35 + s.wz;
    let t39 = t36 + p.c6;
    let t40 = t37 + p.c7;
    let t41 = t38 + p.c8;
    let t42 = s.half_vx * p.c0 + s.rx;
    let t43 = s.half_vy * p.c0 + s.ry;
    let t44 = s.half_vz * p.c0 + s.rz;
    let t45 = s.half_q3 * p.c9;
    let t46 = s.half_q2 * p.c10 - t45;
    let t47 = s.half_q1 * p.c10;
    let t48 = s.half_q3 * p.c11 - t47;
    let t49 = s.half_q2 * p.c11;
    let t50 = s.half_q1 * p.c9 - t49;
    let t51 = p.c2 * t46;
    let t52 = p.c2 * t48;
    let t53 = p.c2 * t50;
    let t54 = s.half_q2 * t53 + s.vx;
    let t55 = t54 - s.half_q3 * t52;
    let t56 = s.half_q3 * t51 + s.vy;
    let t57 = t56 - s.half_q1 * t53;
    let t58 = s.half_q1 * t52 + s.vz;
    let t59 = t58 - s.half_q2 * t51;
    let t60 = s.half_q0 * t51 + t55;
    let t61 = s.half_q0 * t52 + t57;
    let t62 = s.half_q0 * t53 + t59;
    let t63 = p.c11 + t60;
    let t64 = p.c9 + t61;
    let t65 = p.c10 + t62;
    let t66 = p.c1 * t39;
    let t67 = p.c1 * t40;
    let t68 = p.c1 * t41;
    let t69 = t66 * t66 + 1.0f;
    let t70 = t67 * t67 + t69;
    let t71 = t68 * t68 + t70;
    let t72 = p.c2 / t71;
    let t73 = s.half_q0 - s.half_q1 * t66;
    let t74 = t73 - s.half_q2 * t67;
    let t75 = t74 - s.half_q3 * t68;
    let t76 = s.half_q0 * t66 + s.half_q1;
    let t77 = s.half_q2 * t68 + t76;
    let t78 = t77 - s.half_q3 * t67;
    let t79 = s.half_q0 * t67 + s.half_q2;
    let t80 = s.half_q3 * t66 + t79;
    let t81 = t80 - s.half_q1 * t68;
    let t82 = s.half_q0 * t68 + s.half_q3;
    let t83 = s.half_q1 * t67 + t82;
    let t84 = t83 - s.half_q2 * t66;
    let t85 = t72 * t75 - s.half_q0;
    let t86 = t72 * t78 - s.half_q1;
    let t87 = t72 * t81 - s.half_q2;
    let t88 = t72 * t84 - s.half_q3;
    let t89 = t85 * t85;
    let t90 = t86 * t86 + t89;
    let t91 = t87 * t87 + t90;
    let t92 = t88 * t88 + t91;
    let t93 = sqrt(t92);
    let t94 = 1.0f / t93;
    let t95 = t85 * t94;
    let t96 = t86 * t94;
    let t97 = t87 * t94;
    let t98 = t88 * t94;
    let t99 = t40 * t41;
    let t100 = t39 * t41;
    let t101 = t39 * t40;
    let t102 = p.c3 * t99 + s.half_wx;
    let t103 = p.c4 * t100 + s.half_wy;
    let t104 = p.c5 * t101 + s.half_wz;
    let t105 = t102 + p.c12;
    let t106 = t103 + p.c13;
    let t107 = t104 + p.c14;
    let t108 = t32 * p.c15;
    let t109 = t31 * p.c16 - t108;
    let t110 = t30 * p.c16;
    let t111 = t32 * p.c17 - t110;
    let t112 = t31 * p.c17;
    let t113 = t30 * p.c15 - t112;
    let t114 = p.c2 * t109;
    let t115 = p.c2 * t111;
    let t116 = p.c2 * t113;
    let t117 = t31 * t116 + s.half_vx;
    let t118 = t117 - t32 * t115;
    let t119 = t32 * t114 + s.half_vy;
    let t120 = t119 - t30 * t116;
    let t121 = t30 * t115 + s.half_vz;
    let t122 = t121 - t31 * t114;
    let t123 = t29 * t114 + t118;
    let t124 = t29 * t115 + t120;
    let t125 = t29 * t116 + t122;
    let t126 = p.c17 + t123;
    let t127 = p.c15 + t124;
    let t128 = p.c16 + t125;
    var next: State;
    next.q0 = t29;
    next.q1 = t30;
    next.q2 = t31;
    next.q3 = t32;
    next.wx = t39;
    next.wy = t40;
    next.wz = t41;
    next.rx = t42;
    next.ry = t43;
    next.rz = t44;
    next.vx = t63;
    next.vy = t64;
    next.vz = t65;
    next.half_q0 = t95;
    next.half_q1 = t96;
    next.half_q2 = t97;
    next.half_q3 = t98;
    next.half_wx = t105;
    next.half_wy = t106;
    next.half_wz = t107;
    next.half_vx = t126;
    next.half_vy = t127;
    next.half_vz = t128;
    return next;
}

// What the method carries, at the start. (844 operations.)
fn begin(instance: u32, s: State) -> State {
    let t0 = parameters[6u * run.stride + instance] * shared_values[9];
    let t1 = parameters[7u * run.stride + instance] * shared_values[9];
    let t2 = parameters[8u * run.stride + instance] * shared_values[9];
    let t3 = parameters[4u * run.stride + instance] * t2;
    let t4 = t3 - parameters[5u * run.stride + instance] * t1;
    let t5 = parameters[5u * run.stride + instance] * t0;
    let t6 = t5 - parameters[3u * run.stride + instance] * t2;
    let t7 = parameters[3u * run.stride + instance] * t1;
    let t8 = t7 - parameters[4u * run.stride + instance] * t0;
    let t9 = shared_values[1] * t0;
    let t10 = shared_values[1] * t1;
    let t11 = shared_values[1] * t2;
    let t12 = parameters[6u * run.stride + instance] * shared_values[10];
    let t13 = parameters[7u * run.stride + instance] * shared_values[10];
    let t14 = parameters[8u * run.stride + instance] * shared_values[10];
    let t15 = parameters[4u * run.stride + instance] * t14;
    let t16 = t15 - parameters[5u * run.stride + instance] * t13;
    let t17 = parameters[5u * run.stride + instance] * t12;
    let t18 = t17 - parameters[3u * run.stride + instance] * t14;
    let t19 = parameters[3u * run.stride + instance] * t13;
    let t20 = t19 - parameters[4u * run.stride + instance] * t12;
    let t21 = shared_values[1] * t12;
    let t22 = shared_values[1] * t13;
    let t23 = shared_values[1] * t14;
    let t24 = parameters[1u * run.stride + instance] - parameters[2u * run.stride + instance];
    let t25 = t24 / parameters[0u * run.stride + instance];
    let t26 = parameters[2u * run.stride + instance] - parameters[0u * run.stride + instance];
    let t27 = t26 / parameters[1u * run.stride + instance];
    let t28 = parameters[0u * run.stride + instance] - parameters[1u * run.stride + instance];
    let t29 = t28 / parameters[2u * run.stride + instance];
    let t30 = s.q1 * s.wx;
    let t31 = s.q2 * s.wy + t30;
    let t32 = s.q3 * s.wz + t31;
    let t33 = -(t32);
    let t34 = s.q0 * s.wx;
    let t35 = s.q2 * s.wz + t34;
    let t36 = t35 - s.q3 * s.wy;
    let t37 = s.q0 * s.wy;
    let t38 = s.q3 * s.wx + t37;
    let t39 = t38 - s.q1 * s.wz;
    let t40 = s.q0 * s.wz;
    let t41 = s.q1 * s.wy + t40;
    let t42 = t41 - s.q2 * s.wx;
    let t43 = s.q0 * s.q0;
    let t44 = s.q1 * s.q1 + t43;
    let t45 = s.q2 * s.q2 + t44;
    let t46 = s.q3 * s.q3 + t45;
    let t47 = sqrt(t46);
    let t48 = 1.0f / t47;
    let t49 = s.q0 * t48;
    let t50 = s.q1 * t48;
    let t51 = s.q2 * t48;
    let t52 = s.q3 * t48;
    let t53 = shared_values[6] * t33;
    let t54 = shared_values[6] * t36;
    let t55 = shared_values[6] * t39;
    let t56 = shared_values[6] * t42;
    let t57 = shared_values[2] * t25;
    let t58 = shared_values[2] * t27;
    let t59 = shared_values[2] * t29;
    let t60 = shared_values[2] / parameters[0u * run.stride + instance];
    let t61 = shared_values[2] / parameters[1u * run.stride + instance];
    let t62 = shared_values[2] / parameters[2u * run.stride + instance];
    let t63 = s.wy * s.wz;
    let t64 = s.wx * s.wz;
    let t65 = s.wx * s.wy;
    let t66 = t57 * t63;
    let t67 = t58 * t64;
    let t68 = t59 * t65;
    let t69 = t4 * t60;
    let t70 = t6 * t61;
    let t71 = t8 * t62;
    let t72 = t66 + t69;
    let t73 = t67 + t70;
    let t74 = t68 + t71;
    let t75 = t9 * shared_values[2];
    let t76 = t10 * shared_values[2];
    let t77 = t11 * shared_values[2];
    let t78 = t52 * t76;
    let t79 = t51 * t77 - t78;
    let t80 = t50 * t77;
    let t81 = t52 * t75 - t80;
    let t82 = t51 * t75;
    let t83 = t50 * t76 - t82;
    let t84 = shared_values[3] * t79;
    let t85 = shared_values[3] * t81;
    let t86 = shared_values[3] * t83;
    let t87 = t51 * t86;
    let t88 = t87 - t52 * t85;
    let t89 = t52 * t84;
    let t90 = t89 - t50 * t86;
    let t91 = t50 * t85;
    let t92 = t91 - t51 * t84;
    let t93 = t49 * t84 + t88;
    let t94 = t49 * t85 + t90;
    let t95 = t49 * t86 + t92;
    let t96 = t75 + t93;
    let t97 = t76 + t94;
    let t98 = t77 + t95;
    let t99 = shared_values[4] * t53 + s.q0;
    let t100 = shared_values[4] * t54 + s.q1;
    let t101 = shared_values[4] * t55 + s.q2;
    let t102 = shared_values[4] * t56 + s.q3;
    let t103 = shared_values[4] * t72 + s.wx;
    let t104 = shared_values[4] * t73 + s.wy;
    let t105 = shared_values[4] * t74 + s.wz;
    let t106 = t100 * t103;
    let t107 = t101 * t104 + t106;
    let t108 = t102 * t105 + t107;
    let t109 = -(t108);
    let t110 = t99 * t103;
    let t111 = t101 * t105 + t110;
    let t112 = t111 - t102 * t104;
    let t113 = t99 * t104;
    let t114 = t102 * t103 + t113;
    let t115 = t114 - t100 * t105;
    let t116 = t99 * t105;
    let t117 = t100 * t104 + t116;
    let t118 = t117 - t101 * t103;
    let t119 = t99 * t99;
    let t120 = t100 * t100 + t119;
    let t121 = t101 * t101 + t120;
    let t122 = t102 * t102 + t121;
    let t123 = sqrt(t122);
    let t124 = 1.0f / t123;
    let t125 = t99 * t124;
    let t126 = t100 * t124;
    let t127 = t101 * t124;
    let t128 = t102 * t124;
    let t129 = shared_values[6] * t109;
    let t130 = shared_values[6] * t112;
    let t131 = shared_values[6] * t115;
    let t132 = shared_values[6] * t118;
    let t133 = t104 * t105;
    let t134 = t103 * t105;
    let t135 = t103 * t104;
    let t136 = t57 * t133;
    let t137 = t58 * t134;
    let t138 = t59 * t135;
    let t139 = t69 + t136;
    let t140 = t70 + t137;
    let t141 = t71 + t138;
    let t142 = t76 * t128;
    let t143 = t77 * t127 - t142;
    let t144 = t77 * t126;
    let t145 = t75 * t128 - t144;
    let t146 = t75 * t127;
    let t147 = t76 * t126 - t146;
    let t148 = shared_values[3] * t143;
    let t149 = shared_values[3] * t145;
    let t150 = shared_values[3] * t147;
    let t151 = t127 * t150;
    let t152 = t151 - t128 * t149;
    let t153 = t128 * t148;
    let t154 = t153 - t126 * t150;
    let t155 = t126 * t149;
    let t156 = t155 - t127 * t148;
    let t157 = t125 * t148 + t152;
    let t158 = t125 * t149 + t154;
    let t159 = t125 * t150 + t156;
    let t160 = t75 + t157;
    let t161 = t76 + t158;
    let t162 = t77 + t159;
    let t163 = shared_values[4] * t129 + s.q0;
    let t164 = shared_values[4] * t130 + s.q1;
    let t165 = shared_values[4] * t131 + s.q2;
    let t166 = shared_values[4] * t132 + s.q3;
    let t167 = shared_values[4] * t139 + s.wx;
    let t168 = shared_values[4] * t140 + s.wy;
    let t169 = shared_values[4] * t141 + s.wz;
    let t170 = t164 * t167;
    let t171 = t165 * t168 + t170;
    let t172 = t166 * t169 + t171;
    let t173 = -(t172);
    let t174 = t163 * t167;
    let t175 = t165 * t169 + t174;
    let t176 = t175 - t166 * t168;
    let t177 = t163 * t168;
    let t178 = t166 * t167 + t177;
    let t179 = t178 - t164 * t169;
    let t180 = t163 * t169;
    let t181 = t164 * t168 + t180;
    let t182 = t181 - t165 * t167;
    let t183 = t163 * t163;
    let t184 = t164 * t164 + t183;
    let t185 = t165 * t165 + t184;
    let t186 = t166 * t166 + t185;
    let t187 = sqrt(t186);
    let t188 = 1.0f / t187;
    let t189 = t163 * t188;
    let t190 = t164 * t188;
    let t191 = t165 * t188;
    let t192 = t166 * t188;
    let t193 = shared_values[6] * t173;
    let t194 = shared_values[6] * t176;
    let t195 = shared_values[6] * t179;
    let t196 = shared_values[6] * t182;
    let t197 = t168 * t169;
    let t198 = t167 * t169;
    let t199 = t167 * t168;
    let t200 = t57 * t197;
    let t201 = t58 * t198;
    let t202 = t59 * t199;
    let t203 = t69 + t200;
    let t204 = t70 + t201;
    let t205 = t71 + t202;
    let t206 = t76 * t192;
    let t207 = t77 * t191 - t206;
    let t208 = t77 * t190;
    let t209 = t75 * t192 - t208;
    let t210 = t75 * t191;
    let t211 = t76 * t190 - t210;
    let t212 = shared_values[3] * t207;
    let t213 = shared_values[3] * t209;
    let t214 = shared_values[3] * t211;
    let t215 = t191 * t214;
    let t216 = t215 - t192 * t213;
    let t217 = t192 * t212;
    let t218 = t217 - t190 * t214;
    let t219 = t190 * t213;
    let t220 = t219 - t191 * t212;
    let t221 = t189 * t212 + t216;
    let t222 = t189 * t213 + t218;
    let t223 = t189 * t214 + t220;
    let t224 = t75 + t221;
    let t225 = t76 + t222;
    let t226 = t77 + t223;
    let t227 = shared_values[3] * t129 + t53;
    let t228 = shared_values[3] * t130 + t54;
    let t229 = shared_values[3] * t131 + t55;
    let t230 = shared_values[3] * t132 + t56;
    let t231 = shared_values[3] * t139 + t72;
    let t232 = shared_values[3] * t140 + t73;
    let t233 = shared_values[3] * t141 + t74;
    let t234 = shared_values[3] * t160 + t96;
    let t235 = shared_values[3] * t161 + t97;
    let t236 = shared_values[3] * t162 + t98;
    let t237 = shared_values[3] * t193 + t227;
    let t238 = shared_values[3] * t194 + t228;
    let t239 = shared_values[3] * t195 + t229;
    let t240 = shared_values[3] * t196 + t230;
    let t241 = shared_values[3] * t203 + t231;
    let t242 = shared_values[3] * t204 + t232;
    let t243 = shared_values[3] * t205 + t233;
    let t244 = shared_values[3] * t224 + t234;
    let t245 = shared_values[3] * t225 + t235;
    let t246 = shared_values[3] * t226 + t236;
    let t247 = s.q0 + t193;
    let t248 = s.q1 + t194;
    let t249 = s.q2 + t195;
    let t250 = s.q3 + t196;
    let t251 = s.wx + t203;
    let t252 = s.wy + t204;
    let t253 = s.wz + t205;
    let t254 = t248 * t251;
    let t255 = t249 * t252 + t254;
    let t256 = t250 * t253 + t255;
    let t257 = t247 * t251;
    let t258 = t249 * t253 + t257;
    let t259 = t258 - t250 * t252;
    let t260 = t247 * t252;
    let t261 = t250 * t251 + t260;
    let t262 = t261 - t248 * t253;
    let t263 = t247 * t253;
    let t264 = t248 * t252 + t263;
    let t265 = t264 - t249 * t251;
    let t266 = t247 * t247;
    let t267 = t248 * t248 + t266;
    let t268 = t249 * t249 + t267;
    let t269 = t250 * t250 + t268;
    let t270 = sqrt(t269);
    let t271 = 1.0f / t270;
    let t272 = t247 * t271;
    let t273 = t248 * t271;
    let t274 = t249 * t271;
    let t275 = t250 * t271;
    let t276 = t237 - shared_values[6] * t256;
    let t277 = shared_values[6] * t259 + t238;
    let t278 = shared_values[6] * t262 + t239;
    let t279 = shared_values[6] * t265 + t240;
    let t280 = t252 * t253;
    let t281 = t251 * t253;
    let t282 = t251 * t252;
    let t283 = t57 * t280 + t241;
    let t284 = t58 * t281 + t242;
    let t285 = t59 * t282 + t243;
    let t286 = t69 + t283;
    let t287 = t70 + t284;
    let t288 = t71 + t285;
    let t289 = t76 * t275;
    let t290 = t77 * t274 - t289;
    let t291 = t77 * t273;
    let t292 = t75 * t275 - t291;
    let t293 = t75 * t274;
    let t294 = t76 * t273 - t293;
    let t295 = shared_values[3] * t290;
    let t296 = shared_values[3] * t292;
    let t297 = shared_values[3] * t294;
    let t298 = t274 * t297 + t244;
    let t299 = t298 - t275 * t296;
    let t300 = t275 * t295 + t245;
    let t301 = t300 - t273 * t297;
    let t302 = t273 * t296 + t246;
    let t303 = t302 - t274 * t295;
    let t304 = t272 * t295 + t299;
    let t305 = t272 * t296 + t301;
    let t306 = t272 * t297 + t303;
    let t307 = t75 + t304;
    let t308 = t76 + t305;
    let t309 = t77 + t306;
    let t310 = shared_values[5] * t276 + s.q0;
    let t311 = shared_values[5] * t277 + s.q1;
    let t312 = shared_values[5] * t278 + s.q2;
    let t313 = shared_values[5] * t279 + s.q3;
    let t314 = shared_values[5] * t286 + s.wx;
    let t315 = shared_values[5] * t287 + s.wy;
    let t316 = shared_values[5] * t288 + s.wz;
    let t317 = shared_values[5] * t307 + s.vx;
    let t318 = shared_values[5] * t308 + s.vy;
    let t319 = shared_values[5] * t309 + s.vz;
    let t320 = t310 * t310;
    let t321 = t311 * t311 + t320;
    let t322 = t312 * t312 + t321;
    let t323 = t313 * t313 + t322;
    let t324 = sqrt(t323);
    let t325 = 1.0f / t324;
    let t326 = t310 * t325;
    let t327 = t311 * t325;
    let t328 = t312 * t325;
    let t329 = t313 * t325;
    let t330 = t314 * t327;
    let t331 = t315 * t328 + t330;
    let t332 = t316 * t329 + t331;
    let t333 = -(t332);
    let t334 = t314 * t326;
    let t335 = t316 * t328 + t334;
    let t336 = t335 - t315 * t329;
    let t337 = t315 * t326;
    let t338 = t314 * t329 + t337;
    let t339 = t338 - t316 * t327;
    let t340 = t316 * t326;
    let t341 = t315 * t327 + t340;
    let t342 = t341 - t314 * t328;
    let t343 = t326 * t326;
    let t344 = t327 * t327 + t343;
    let t345 = t328 * t328 + t344;
    let t346 = t329 * t329 + t345;
    let t347 = sqrt(t346);
    let t348 = 1.0f / t347;
    let t349 = t326 * t348;
    let t350 = t327 * t348;
    let t351 = t328 * t348;
    let t352 = t329 * t348;
    let t353 = shared_values[6] * t333;
    let t354 = shared_values[6] * t336;
    let t355 = shared_values[6] * t339;
    let t356 = shared_values[6] * t342;
    let t357 = t315 * t316;
    let t358 = t314 * t316;
    let t359 = t314 * t315;
    let t360 = t57 * t357;
    let t361 = t58 * t358;
    let t362 = t59 * t359;
    let t363 = t16 * t60;
    let t364 = t18 * t61;
    let t365 = t20 * t62;
    let t366 = t360 + t363;
    let t367 = t361 + t364;
    let t368 = t362 + t365;
    let t369 = t21 * shared_values[2];
    let t370 = t22 * shared_values[2];
    let t371 = t23 * shared_values[2];
    let t372 = t352 * t370;
    let t373 = t351 * t371 - t372;
    let t374 = t350 * t371;
    let t375 = t352 * t369 - t374;
    let t376 = t351 * t369;
    let t377 = t350 * t370 - t376;
    let t378 = shared_values[3] * t373;
    let t379 = shared_values[3] * t375;
    let t380 = shared_values[3] * t377;
    let t381 = t351 * t380;
    let t382 = t381 - t352 * t379;
    let t383 = t352 * t378;
    let t384 = t383 - t350 * t380;
    let t385 = t350 * t379;
    let t386 = t385 - t351 * t378;
    let t387 = t349 * t378 + t382;
    let t388 = t349 * t379 + t384;
    let t389 = t349 * t380 + t386;
    let t390 = t369 + t387;
    let t391 = t370 + t388;
    let t392 = t371 + t389;
    let t393 = shared_values[4] * t353 + t326;
    let t394 = shared_values[4] * t354 + t327;
    let t395 = shared_values[4] * t355 + t328;
    let t396 = shared_values[4] * t356 + t329;
    let t397 = shared_values[4] * t366 + t314;
    let t398 = shared_values[4] * t367 + t315;
    let t399 = shared_values[4] * t368 + t316;
    let t400 = t394 * t397;
    let t401 = t395 * t398 + t400;
    let t402 = t396 * t399 + t401;
    let t403 = -(t402);
    let t404 = t393 * t397;
    let t405 = t395 * t399 + t404;
    let t406 = t405 - t396 * t398;
    let t407 = t393 * t398;
    let t408 = t396 * t397 + t407;
    let t409 = t408 - t394 * t399;
    let t410 = t393 * t399;
    let t411 = t394 * t398 + t410;
    let t412 = t411 - t395 * t397;
    let t413 = t393 * t393;
    let t414 = t394 * t394 + t413;
    let t415 = t395 * t395 + t414;
    let t416 = t396 * t396 + t415;
    let t417 = sqrt(t416);
    let t418 = 1.0f / t417;
    let t419 = t393 * t418;
    let t420 = t394 * t418;
    let t421 = t395 * t418;
    let t422 = t396 * t418;
    let t423 = shared_values[6] * t403;
    let t424 = shared_values[6] * t406;
    let t425 = shared_values[6] * t409;
    let t426 = shared_values[6] * t412;
    let t427 = t398 * t399;
    let t428 = t397 * t399;
    let t429 = t397 * t398;
    let t430 = t57 * t427;
    let t431 = t58 * t428;
    let t432 = t59 * t429;
    let t433 = t363 + t430;
    let t434 = t364 + t431;
    let t435 = t365 + t432;
    let t436 = t370 * t422;
    let t437 = t371 * t421 - t436;
    let t438 = t371 * t420;
    let t439 = t369 * t422 - t438;
    let t440 = t369 * t421;
    let t441 = t370 * t420 - t440;
    let t442 = shared_values[3] * t437;
    let t443 = shared_values[3] * t439;
    let t444 = shared_values[3] * t441;
    let t445 = t421 * t444;
    let t446 = t445 - t422 * t443;
    let t447 = t422 * t442;
    let t448 = t447 - t420 * t444;
    let t449 = t420 * t443;
    let t450 = t449 - t421 * t442;
    let t451 = t419 * t442 + t446;
    let t452 = t419 * t443 + t448;
    let t453 = t419 * t444 + t450;
    let t454 = t369 + t451;
    let t455 = t370 + t452;
    let t456 = t371 + t453;
    let t457 = shared_values[4] * t423 + t326;
    let t458 = shared_values[4] * t424 + t327;
    let t459 = shared_values[4] * t425 + t328;
    let t460 = shared_values[4] * t426 + t329;
    let t461 = shared_values[4] * t433 + t314;
    let t462 = shared_values[4] * t434 + t315;
    let t463 = shared_values[4] * t435 + t316;
    let t464 = t458 * t461;
    let t465 = t459 * t462 + t464;
    let t466 = t460 * t463 + t465;
    let t467 = -(t466);
    let t468 = t457 * t461;
    let t469 = t459 * t463 + t468;
    let t470 = t469 - t460 * t462;
    let t471 = t457 * t462;
    let t472 = t460 * t461 + t471;
    let t473 = t472 - t458 * t463;
    let t474 = t457 * t463;
    let t475 = t458 * t462 + t474;
    let t476 = t475 - t459 * t461;
    let t477 = t457 * t457;
    let t478 = t458 * t458 + t477;
    let t479 = t459 * t459 + t478;
    let t480 = t460 * t460 + t479;
    let t481 = sqrt(t480);
    let t482 = 1.0f / t481;
    let t483 = t457 * t482;
    let t484 = t458 * t482;
    let t485 = t459 * t482;
    let t486 = t460 * t482;
    let t487 = shared_values[6] * t467;
    let t488 = shared_values[6] * t470;
    let t489 = shared_values[6] * t473;
    let t490 = shared_values[6] * t476;
    let t491 = t462 * t463;
    let t492 = t461 * t463;
    let t493 = t461 * t462;
    let t494 = t57 * t491;
    let t495 = t58 * t492;
    let t496 = t59 * t493;
    let t497 = t363 + t494;
    let t498 = t364 + t495;
    let t499 = t365 + t496;
    let t500 = t370 * t486;
    let t501 = t371 * t485 - t500;
    let t502 = t371 * t484;
    let t503 = t369 * t486 - t502;
    let t504 = t369 * t485;
    let t505 = t370 * t484 - t504;
    let t506 = shared_values[3] * t501;
    let t507 = shared_values[3] * t503;
    let t508 = shared_values[3] * t505;
    let t509 = t485 * t508;
    let t510 = t509 - t486 * t507;
    let t511 = t486 * t506;
    let t512 = t511 - t484 * t508;
    let t513 = t484 * t507;
    let t514 = t513 - t485 * t506;
    let t515 = t483 * t506 + t510;
    let t516 = t483 * t507 + t512;
    let t517 = t483 * t508 + t514;
    let t518 = t369 + t515;
    let t519 = t370 + t516;
    let t520 = t371 + t517;
    let t521 = shared_values[3] * t423 + t353;
    let t522 = shared_values[3] * t424 + t354;
    let t523 = shared_values[3] * t425 + t355;
    let t524 = shared_values[3] * t426 + t356;
    let t525 = shared_values[3] * t433 + t366;
    let t526 = shared_values[3] * t434 + t367;
    let t527 = shared_values[3] * t435 + t368;
    let t528 = shared_values[3] * t454 + t390;
    let t529 = shared_values[3] * t455 + t391;
    let t530 = shared_values[3] * t456 + t392;
    let t531 = shared_values[3] * t487 + t521;
    let t532 = shared_values[3] * t488 + t522;
    let t533 = shared_values[3] * t489 + t523;
    let t534 = shared_values[3] * t490 + t524;
    let t535 = shared_values[3] * t497 + t525;
    let t536 = shared_values[3] * t498 + t526;
    let t537 = shared_values[3] * t499 + t527;
    let t538 = shared_values[3] * t518 + t528;
    let t539 = shared_values[3] * t519 + t529;
    let t540 = shared_values[3] * t520 + t530;
    let t541 = t326 + t487;
    let t542 = t327 + t488;
    let t543 = t328 + t489;
    let t544 = t329 + t490;
    let t545 = t314 + t497;
    let t546 = t315 + t498;
    let t547 = t316 + t499;
    let t548 = t542 * t545;
    let t549 = t543 * t546 + t548;
    let t550 = t544 * t547 + t549;
    let t551 = t541 * t545;
    let t552 = t543 * t547 + t551;
    let t553 = t552 - t544 * t546;
    let t554 = t541 * t546;
    let t555 = t544 * t545 + t554;
    let t556 = t555 - t542 * t547;
    let t557 = t541 * t547;
    let t558 = t542 * t546 + t557;
    let t559 = t558 - t543 * t545;
    let t560 = t541 * t541;
    let t561 = t542 * t542 + t560;
    let t562 = t543 * t543 + t561;
    let t563 = t544 * t544 + t562;
    let t564 = sqrt(t563);
    let t565 = 1.0f / t564;
    let t566 = t541 * t565;
    let t567 = t542 * t565;
    let t568 = t543 * t565;
    let t569 = t544 * t565;
    let t570 = t531 - shared_values[6] * t550;
    let t571 = shared_values[6] * t553 + t532;
    let t572 = shared_values[6] * t556 + t533;
    let t573 = shared_values[6] * t559 + t534;
    let t574 = t546 * t547;
    let t575 = t545 * t547;
    let t576 = t545 * t546;
    let t577 = t57 * t574 + t535;
    let t578 = t58 * t575 + t536;
    let t579 = t59 * t576 + t537;
    let t580 = t363 + t577;
    let t581 = t364 + t578;
    let t582 = t365 + t579;
    let t583 = t370 * t569;
    let t584 = t371 * t568 - t583;
    let t585 = t371 * t567;
    let t586 = t369 * t569 - t585;
    let t587 = t369 * t568;
    let t588 = t370 * t567 - t587;
    let t589 = shared_values[3] * t584;
    let t590 = shared_values[3] * t586;
    let t591 = shared_values[3] * t588;
    let t592 = t568 * t591 + t538;
    let t593 = t592 - t569 * t590;
    let t594 = t569 * t589 + t539;
    let t595 = t594 - t567 * t591;
    let t596 = t567 * t590 + t540;
    let t597 = t596 - t568 * t589;
    let t598 = t566 * t589 + t593;
    let t599 = t566 * t590 + t595;
    let t600 = t566 * t591 + t597;
    let t601 = t369 + t598;
    let t602 = t370 + t599;
    let t603 = t371 + t600;
    let t604 = shared_values[5] * t570 + t326;
    let t605 = shared_values[5] * t571 + t327;
    let t606 = shared_values[5] * t572 + t328;
    let t607 = shared_values[5] * t573 + t329;
    let t608 = shared_values[5] * t580 + t314;
    let t609 = shared_values[5] * t581 + t315;
    let t610 = shared_values[5] * t582 + t316;
    let t611 = shared_values[5] * t601 + t317;
    let t612 = shared_values[5] * t602 + t318;
    let t613 = shared_values[5] * t603 + t319;
    let t614 = t604 * t604;
    let t615 = t605 * t605 + t614;
    let t616 = t606 * t606 + t615;
    let t617 = t607 * t607 + t616;
    let t618 = sqrt(t617);
    let t619 = 1.0f / t618;
    let t620 = t604 * t619;
    let t621 = t605 * t619;
    let t622 = t606 * t619;
    let t623 = t607 * t619;
    var next = s;
    next.half_q0 = t620;
    next.half_q1 = t621;
    next.half_q2 = t622;
    next.half_q3 = t623;
    next.half_wx = t608;
    next.half_wy = t609;
    next.half_wz = t610;
    next.half_vx = t611;
    next.half_vy = t612;
    next.half_vz = t613;
    return next;
}

// What the method carries after it was resynchronised. (844 operations.)
fn resynchronised(instance: u32, s: State) -> State {
    let t0 = parameters[6u * run.stride + instance] * shared_values[9];
    let t1 = parameters[7u * run.stride + instance] * shared_values[9];
    let t2 = parameters[8u * run.stride + instance] * shared_values[9];
    let t3 = parameters[4u * run.stride + instance] * t2;
    let t4 = t3 - parameters[5u * run.stride + instance] * t1;
    let t5 = parameters[5u * run.stride + instance] * t0;
    let t6 = t5 - parameters[3u * run.stride + instance] * t2;
    let t7 = parameters[3u * run.stride + instance] * t1;
    let t8 = t7 - parameters[4u * run.stride + instance] * t0;
    let t9 = shared_values[1] * t0;
    let t10 = shared_values[1] * t1;
    let t11 = shared_values[1] * t2;
    let t12 = parameters[6u * run.stride + instance] * shared_values[10];
    let t13 = parameters[7u * run.stride + instance] * shared_values[10];
    let t14 = parameters[8u * run.stride + instance] * shared_values[10];
    let t15 = parameters[4u * run.stride + instance] * t14;
    let t16 = t15 - parameters[5u * run.stride + instance] * t13;
    let t17 = parameters[5u * run.stride + instance] * t12;
    let t18 = t17 - parameters[3u * run.stride + instance] * t14;
    let t19 = parameters[3u * run.stride + instance] * t13;
    let t20 = t19 - parameters[4u * run.stride + instance] * t12;
    let t21 = shared_values[1] * t12;
    let t22 = shared_values[1] * t13;
    let t23 = shared_values[1] * t14;
    let t24 = parameters[1u * run.stride + instance] - parameters[2u * run.stride + instance];
    let t25 = t24 / parameters[0u * run.stride + instance];
    let t26 = parameters[2u * run.stride + instance] - parameters[0u * run.stride + instance];
    let t27 = t26 / parameters[1u * run.stride + instance];
    let t28 = parameters[0u * run.stride + instance] - parameters[1u * run.stride + instance];
    let t29 = t28 / parameters[2u * run.stride + instance];
    let t30 = s.q1 * s.wx;
    let t31 = s.q2 * s.wy + t30;
    let t32 = s.q3 * s.wz + t31;
    let t33 = -(t32);
    let t34 = s.q0 * s.wx;
    let t35 = s.q2 * s.wz + t34;
    let t36 = t35 - s.q3 * s.wy;
    let t37 = s.q0 * s.wy;
    let t38 = s.q3 * s.wx + t37;
    let t39 = t38 - s.q1 * s.wz;
    let t40 = s.q0 * s.wz;
    let t41 = s.q1 * s.wy + t40;
    let t42 = t41 - s.q2 * s.wx;
    let t43 = s.q0 * s.q0;
    let t44 = s.q1 * s.q1 + t43;
    let t45 = s.q2 * s.q2 + t44;
    let t46 = s.q3 * s.q3 + t45;
    let t47 = sqrt(t46);
    let t48 = 1.0f / t47;
    let t49 = s.q0 * t48;
    let t50 = s.q1 * t48;
    let t51 = s.q2 * t48;
    let t52 = s.q3 * t48;
    let t53 = shared_values[6] * t33;
    let t54 = shared_values[6] * t36;
    let t55 = shared_values[6] * t39;
    let t56 = shared_values[6] * t42;
    let t57 = shared_values[2] * t25;
    let t58 = shared_values[2] * t27;
    let t59 = shared_values[2] * t29;
    let t60 = shared_values[2] / parameters[0u * run.stride + instance];
    let t61 = shared_values[2] / parameters[1u * run.stride + instance];
    let t62 = shared_values[2] / parameters[2u * run.stride + instance];
    let t63 = s.wy * s.wz;
    let t64 = s.wx * s.wz;
    let t65 = s.wx * s.wy;
    let t66 = t57 * t63;
    let t67 = t58 * t64;
    let t68 = t59 * t65;
    let t69 = t4 * t60;
    let t70 = t6 * t61;
    let t71 = t8 * t62;
    let t72 = t66 + t69;
    let t73 = t67 + t70;
    let t74 = t68 + t71;
    let t75 = t9 * shared_values[2];
    let t76 = t10 * shared_values[2];
    let t77 = t11 * shared_values[2];
    let t78 = t52 * t76;
    let t79 = t51 * t77 - t78;
    let t80 = t50 * t77;
    let t81 = t52 * t75 - t80;
    let t82 = t51 * t75;
    let t83 = t50 * t76 - t82;
    let t84 = shared_values[3] * t79;
    let t85 = shared_values[3] * t81;
    let t86 = shared_values[3] * t83;
    let t87 = t51 * t86;
    let t88 = t87 - t52 * t85;
    let t89 = t52 * t84;
    let t90 = t89 - t50 * t86;
    let t91 = t50 * t85;
    let t92 = t91 - t51 * t84;
    let t93 = t49 * t84 + t88;
    let t94 = t49 * t85 + t90;
    let t95 = t49 * t86 + t92;
    let t96 = t75 + t93;
    let t97 = t76 + t94;
    let t98 = t77 + t95;
    let t99 = shared_values[4] * t53 + s.q0;
    let t100 = shared_values[4] * t54 + s.q1;
    let t101 = shared_values[4] * t55 + s.q2;
    let t102 = shared_values[4] * t56 + s.q3;
    let t103 = shared_values[4] * t72 + s.wx;
    let t104 = shared_values[4] * t73 + s.wy;
    let t105 = shared_values[4] * t74 + s.wz;
    let t106 = t100 * t103;
    let t107 = t101 * t104 + t106;
    let t108 = t102 * t105 + t107;
    let t109 = -(t108);
    let t110 = t99 * t103;
    let t111 = t101 * t105 + t110;
    let t112 = t111 - t102 * t104;
    let t113 = t99 * t104;
    let t114 = t102 * t103 + t113;
    let t115 = t114 - t100 * t105;
    let t116 = t99 * t105;
    let t117 = t100 * t104 + t116;
    let t118 = t117 - t101 * t103;
    let t119 = t99 * t99;
    let t120 = t100 * t100 + t119;
    let t121 = t101 * t101 + t120;
    let t122 = t102 * t102 + t121;
    let t123 = sqrt(t122);
    let t124 = 1.0f / t123;
    let t125 = t99 * t124;
    let t126 = t100 * t124;
    let t127 = t101 * t124;
    let t128 = t102 * t124;
    let t129 = shared_values[6] * t109;
    let t130 = shared_values[6] * t112;
    let t131 = shared_values[6] * t115;
    let t132 = shared_values[6] * t118;
    let t133 = t104 * t105;
    let t134 = t103 * t105;
    let t135 = t103 * t104;
    let t136 = t57 * t133;
    let t137 = t58 * t134;
    let t138 = t59 * t135;
    let t139 = t69 + t136;
    let t140 = t70 + t137;
    let t141 = t71 + t138;
    let t142 = t76 * t128;
    let t143 = t77 * t127 - t142;
    let t144 = t77 * t126;
    let t145 = t75 * t128 - t144;
    let t146 = t75 * t127;
    let t147 = t76 * t126 - t146;
    let t148 = shared_values[3] * t143;
    let t149 = shared_values[3] * t145;
    let t150 = shared_values[3] * t147;
    let t151 = t127 * t150;
    let t152 = t151 - t128 * t149;
    let t153 = t128 * t148;
    let t154 = t153 - t126 * t150;
    let t155 = t126 * t149;
    let t156 = t155 - t127 * t148;
    let t157 = t125 * t148 + t152;
    let t158 = t125 * t149 + t154;
    let t159 = t125 * t150 + t156;
    let t160 = t75 + t157;
    let t161 = t76 + t158;
    let t162 = t77 + t159;
    let t163 = shared_values[4] * t129 + s.q0;
    let t164 = shared_values[4] * t130 + s.q1;
    let t165 = shared_values[4] * t131 + s.q2;
    let t166 = shared_values[4] * t132 + s.q3;
    let t167 = shared_values[4] * t139 + s.wx;
    let t168 = shared_values[4] * t140 + s.wy;
    let t169 = shared_values[4] * t141 + s.wz;
    let t170 = t164 * t167;
    let t171 = t165 * t168 + t170;
    let t172 = t166 * t169 + t171;
    let t173 = -(t172);
    let t174 = t163 * t167;
    let t175 = t165 * t169 + t174;
    let t176 = t175 - t166 * t168;
    let t177 = t163 * t168;
    let t178 = t166 * t167 + t177;
    let t179 = t178 - t164 * t169;
    let t180 = t163 * t169;
    let t181 = t164 * t168 + t180;
    let t182 = t181 - t165 * t167;
    let t183 = t163 * t163;
    let t184 = t164 * t164 + t183;
    let t185 = t165 * t165 + t184;
    let t186 = t166 * t166 + t185;
    let t187 = sqrt(t186);
    let t188 = 1.0f / t187;
    let t189 = t163 * t188;
    let t190 = t164 * t188;
    let t191 = t165 * t188;
    let t192 = t166 * t188;
    let t193 = shared_values[6] * t173;
    let t194 = shared_values[6] * t176;
    let t195 = shared_values[6] * t179;
    let t196 = shared_values[6] * t182;
    let t197 = t168 * t169;
    let t198 = t167 * t169;
    let t199 = t167 * t168;
    let t200 = t57 * t197;
    let t201 = t58 * t198;
    let t202 = t59 * t199;
    let t203 = t69 + t200;
    let t204 = t70 + t201;
    let t205 = t71 + t202;
    let t206 = t76 * t192;
    let t207 = t77 * t191 - t206;
    let t208 = t77 * t190;
    let t209 = t75 * t192 - t208;
    let t210 = t75 * t191;
    let t211 = t76 * t190 - t210;
    let t212 = shared_values[3] * t207;
    let t213 = shared_values[3] * t209;
    let t214 = shared_values[3] * t211;
    let t215 = t191 * t214;
    let t216 = t215 - t192 * t213;
    let t217 = t192 * t212;
    let t218 = t217 - t190 * t214;
    let t219 = t190 * t213;
    let t220 = t219 - t191 * t212;
    let t221 = t189 * t212 + t216;
    let t222 = t189 * t213 + t218;
    let t223 = t189 * t214 + t220;
    let t224 = t75 + t221;
    let t225 = t76 + t222;
    let t226 = t77 + t223;
    let t227 = shared_values[3] * t129 + t53;
    let t228 = shared_values[3] * t130 + t54;
    let t229 = shared_values[3] * t131 + t55;
    let t230 = shared_values[3] * t132 + t56;
    let t231 = shared_values[3] * t139 + t72;
    let t232 = shared_values[3] * t140 + t73;
    let t233 = shared_values[3] * t141 + t74;
    let t234 = shared_values[3] * t160 + t96;
    let t235 = shared_values[3] * t161 + t97;
    let t236 = shared_values[3] * t162 + t98;
    let t237 = shared_values[3] * t193 + t227;
    let t238 = shared_values[3] * t194 + t228;
    let t239 = shared_values[3] * t195 + t229;
    let t240 = shared_values[3] * t196 + t230;
    let t241 = shared_values[3] * t203 + t231;
    let t242 = shared_values[3] * t204 + t232;
    let t243 = shared_values[3] * t205 + t233;
    let t244 = shared_values[3] * t224 + t234;
    let t245 = shared_values[3] * t225 + t235;
    let t246 = shared_values[3] * t226 + t236;
    let t247 = s.q0 + t193;
    let t248 = s.q1 + t194;
    let t249 = s.q2 + t195;
    let t250 = s.q3 + t196;
    let t251 = s.wx + t203;
    let t252 = s.wy + t204;
    let t253 = s.wz + t205;
    let t254 = t248 * t251;
    let t255 = t249 * t252 + t254;
    let t256 = t250 * t253 + t255;
    let t257 = t247 * t251;
    let t258 = t249 * t253 + t257;
    let t259 = t258 - t250 * t252;
    let t260 = t247 * t252;
    let t261 = t250 * t251 + t260;
    let t262 = t261 - t248 * t253;
    let t263 = t247 * t253;
    let t264 = t248 * t252 + t263;
    let t265 = t264 - t249 * t251;
    let t266 = t247 * t247;
    let t267 = t248 * t248 + t266;
    let t268 = t249 * t249 + t267;
    let t269 = t250 * t250 + t268;
    let t270 = sqrt(t269);
    let t271 = 1.0f / t270;
    let t272 = t247 * t271;
    let t273 = t248 * t271;
    let t274 = t249 * t271;
    let t275 = t250 * t271;
    let t276 = t237 - shared_values[6] * t256;
    let t277 = shared_values[6] * t259 + t238;
    let t278 = shared_values[6] * t262 + t239;
    let t279 = shared_values[6] * t265 + t240;
    let t280 = t252 * t253;
    let t281 = t251 * t253;
    let t282 = t251 * t252;
    let t283 = t57 * t280 + t241;
    let t284 = t58 * t281 + t242;
    let t285 = t59 * t282 + t243;
    let t286 = t69 + t283;
    let t287 = t70 + t284;
    let t288 = t71 + t285;
    let t289 = t76 * t275;
    let t290 = t77 * t274 - t289;
    let t291 = t77 * t273;
    let t292 = t75 * t275 - t291;
    let t293 = t75 * t274;
    let t294 = t76 * t273 - t293;
    let t295 = shared_values[3] * t290;
    let t296 = shared_values[3] * t292;
    let t297 = shared_values[3] * t294;
    let t298 = t274 * t297 + t244;
    let t299 = t298 - t275 * t296;
    let t300 = t275 * t295 + t245;
    let t301 = t300 - t273 * t297;
    let t302 = t273 * t296 + t246;
    let t303 = t302 - t274 * t295;
    let t304 = t272 * t295 + t299;
    let t305 = t272 * t296 + t301;
    let t306 = t272 * t297 + t303;
    let t307 = t75 + t304;
    let t308 = t76 + t305;
    let t309 = t77 + t306;
    let t310 = shared_values[5] * t276 + s.q0;
    let t311 = shared_values[5] * t277 + s.q1;
    let t312 = shared_values[5] * t278 + s.q2;
    let t313 = shared_values[5] * t279 + s.q3;
    let t314 = shared_values[5] * t286 + s.wx;
    let t315 = shared_values[5] * t287 + s.wy;
    let t316 = shared_values[5] * t288 + s.wz;
    let t317 = shared_values[5] * t307 + s.vx;
    let t318 = shared_values[5] * t308 + s.vy;
    let t319 = shared_values[5] * t309 + s.vz;
    let t320 = t310 * t310;
    let t321 = t311 * t311 + t320;
    let t322 = t312 * t312 + t321;
    let t323 = t313 * t313 + t322;
    let t324 = sqrt(t323);
    let t325 = 1.0f / t324;
    let t326 = t310 * t325;
    let t327 = t311 * t325;
    let t328 = t312 * t325;
    let t329 = t313 * t325;
    let t330 = t314 * t327;
    let t331 = t315 * t328 + t330;
    let t332 = t316 * t329 + t331;
    let t333 = -(t332);
    let t334 = t314 * t326;
    let t335 = t316 * t328 + t334;
    let t336 = t335 - t315 * t329;
    let t337 = t315 * t326;
    let t338 = t314 * t329 + t337;
    let t339 = t338 - t316 * t327;
    let t340 = t316 * t326;
    let t341 = t315 * t327 + t340;
    let t342 = t341 - t314 * t328;
    let t343 = t326 * t326;
    let t344 = t327 * t327 + t343;
    let t345 = t328 * t328 + t344;
    let t346 = t329 * t329 + t345;
    let t347 = sqrt(t346);
    let t348 = 1.0f / t347;
    let t349 = t326 * t348;
    let t350 = t327 * t348;
    let t351 = t328 * t348;
    let t352 = t329 * t348;
    let t353 = shared_values[6] * t333;
    let t354 = shared_values[6] * t336;
    let t355 = shared_values[6] * t339;
    let t356 = shared_values[6] * t342;
    let t357 = t315 * t316;
    let t358 = t314 * t316;
    let t359 = t314 * t315;
    let t360 = t57 * t357;
    let t361 = t58 * t358;
    let t362 = t59 * t359;
    let t363 = t16 * t60;
    let t364 = t18 * t61;
    let t365 = t20 * t62;
    let t366 = t360 + t363;
    let t367 = t361 + t364;
    let t368 = t362 + t365;
    let t369 = t21 * shared_values[2];
    let t370 = t22 * shared_values[2];
    let t371 = t23 * shared_values[2];
    let t372 = t352 * t370;
    let t373 = t351 * t371 - t372;
    let t374 = t350 * t371;
    let t375 = t352 * t369 - t374;
    let t376 = t351 * t369;
    let t377 = t350 * t370 - t376;
    let t378 = shared_values[3] * t373;
    let t379 = shared_values[3] * t375;
    let t380 = shared_values[3] * t377;
    let t381 = t351 * t380;
    let t382 = t381 - t352 * t379;
    let t383 = t352 * t378;
    let t384 = t383 - t350 * t380;
    let t385 = t350 * t379;
    let t386 = t385 - t351 * t378;
    let t387 = t349 * t378 + t382;
    let t388 = t349 * t379 + t384;
    let t389 = t349 * t380 + t386;
    let t390 = t369 + t387;
    let t391 = t370 + t388;
    let t392 = t371 + t389;
    let t393 = shared_values[4] * t353 + t326;
    let t394 = shared_values[4] * t354 + t327;
    let t395 = shared_values[4] * t355 + t328;
    let t396 = shared_values[4] * t356 + t329;
    let t397 = shared_values[4] * t366 + t314;
    let t398 = shared_values[4] * t367 + t315;
    let t399 = shared_values[4] * t368 + t316;
    let t400 = t394 * t397;
    let t401 = t395 * t398 + t400;
    let t402 = t396 * t399 + t401;
    let t403 = -(t402);
    let t404 = t393 * t397;
    let t405 = t395 * t399 + t404;
    let t406 = t405 - t396 * t398;
    let t407 = t393 * t398;
    let t408 = t396 * t397 + t407;
    let t409 = t408 - t394 * t399;
    let t410 = t393 * t399;
    let t411 = t394 * t398 + t410;
    let t412 = t411 - t395 * t397;
    let t413 = t393 * t393;
    let t414 = t394 * t394 + t413;
    let t415 = t395 * t395 + t414;
    let t416 = t396 * t396 + t415;
    let t417 = sqrt(t416);
    let t418 = 1.0f / t417;
    let t419 = t393 * t418;
    let t420 = t394 * t418;
    let t421 = t395 * t418;
    let t422 = t396 * t418;
    let t423 = shared_values[6] * t403;
    let t424 = shared_values[6] * t406;
    let t425 = shared_values[6] * t409;
    let t426 = shared_values[6] * t412;
    let t427 = t398 * t399;
    let t428 = t397 * t399;
    let t429 = t397 * t398;
    let t430 = t57 * t427;
    let t431 = t58 * t428;
    let t432 = t59 * t429;
    let t433 = t363 + t430;
    let t434 = t364 + t431;
    let t435 = t365 + t432;
    let t436 = t370 * t422;
    let t437 = t371 * t421 - t436;
    let t438 = t371 * t420;
    let t439 = t369 * t422 - t438;
    let t440 = t369 * t421;
    let t441 = t370 * t420 - t440;
    let t442 = shared_values[3] * t437;
    let t443 = shared_values[3] * t439;
    let t444 = shared_values[3] * t441;
    let t445 = t421 * t444;
    let t446 = t445 - t422 * t443;
    let t447 = t422 * t442;
    let t448 = t447 - t420 * t444;
    let t449 = t420 * t443;
    let t450 = t449 - t421 * t442;
    let t451 = t419 * t442 + t446;
    let t452 = t419 * t443 + t448;
    let t453 = t419 * t444 + t450;
    let t454 = t369 + t451;
    let t455 = t370 + t452;
    let t456 = t371 + t453;
    let t457 = shared_values[4] * t423 + t326;
    let t458 = shared_values[4] * t424 + t327;
    let t459 = shared_values[4] * t425 + t328;
    let t460 = shared_values[4] * t426 + t329;
    let t461 = shared_values[4] * t433 + t314;
    let t462 = shared_values[4] * t434 + t315;
    let t463 = shared_values[4] * t435 + t316;
    let t464 = t458 * t461;
    let t465 = t459 * t462 + t464;
    let t466 = t460 * t463 + t465;
    let t467 = -(t466);
    let t468 = t457 * t461;
    let t469 = t459 * t463 + t468;
    let t470 = t469 - t460 * t462;
    let t471 = t457 * t462;
    let t472 = t460 * t461 + t471;
    let t473 = t472 - t458 * t463;
    let t474 = t457 * t463;
    let t475 = t458 * t462 + t474;
    let t476 = t475 - t459 * t461;
    let t477 = t457 * t457;
    let t478 = t458 * t458 + t477;
    let t479 = t459 * t459 + t478;
    let t480 = t460 * t460 + t479;
    let t481 = sqrt(t480);
    let t482 = 1.0f / t481;
    let t483 = t457 * t482;
    let t484 = t458 * t482;
    let t485 = t459 * t482;
    let t486 = t460 * t482;
    let t487 = shared_values[6] * t467;
    let t488 = shared_values[6] * t470;
    let t489 = shared_values[6] * t473;
    let t490 = shared_values[6] * t476;
    let t491 = t462 * t463;
    let t492 = t461 * t463;
    let t493 = t461 * t462;
    let t494 = t57 * t491;
    let t495 = t58 * t492;
    let t496 = t59 * t493;
    let t497 = t363 + t494;
    let t498 = t364 + t495;
    let t499 = t365 + t496;
    let t500 = t370 * t486;
    let t501 = t371 * t485 - t500;
    let t502 = t371 * t484;
    let t503 = t369 * t486 - t502;
    let t504 = t369 * t485;
    let t505 = t370 * t484 - t504;
    let t506 = shared_values[3] * t501;
    let t507 = shared_values[3] * t503;
    let t508 = shared_values[3] * t505;
    let t509 = t485 * t508;
    let t510 = t509 - t486 * t507;
    let t511 = t486 * t506;
    let t512 = t511 - t484 * t508;
    let t513 = t484 * t507;
    let t514 = t513 - t485 * t506;
    let t515 = t483 * t506 + t510;
    let t516 = t483 * t507 + t512;
    let t517 = t483 * t508 + t514;
    let t518 = t369 + t515;
    let t519 = t370 + t516;
    let t520 = t371 + t517;
    let t521 = shared_values[3] * t423 + t353;
    let t522 = shared_values[3] * t424 + t354;
    let t523 = shared_values[3] * t425 + t355;
    let t524 = shared_values[3] * t426 + t356;
    let t525 = shared_values[3] * t433 + t366;
    let t526 = shared_values[3] * t434 + t367;
    let t527 = shared_values[3] * t435 + t368;
    let t528 = shared_values[3] * t454 + t390;
    let t529 = shared_values[3] * t455 + t391;
    let t530 = shared_values[3] * t456 + t392;
    let t531 = shared_values[3] * t487 + t521;
    let t532 = shared_values[3] * t488 + t522;
    let t533 = shared_values[3] * t489 + t523;
    let t534 = shared_values[3] * t490 + t524;
    let t535 = shared_values[3] * t497 + t525;
    let t536 = shared_values[3] * t498 + t526;
    let t537 = shared_values[3] * t499 + t527;
    let t538 = shared_values[3] * t518 + t528;
    let t539 = shared_values[3] * t519 + t529;
    let t540 = shared_values[3] * t520 + t530;
    let t541 = t326 + t487;
    let t542 = t327 + t488;
    let t543 = t328 + t489;
    let t544 = t329 + t490;
    let t545 = t314 + t497;
    let t546 = t315 + t498;
    let t547 = t316 + t499;
    let t548 = t542 * t545;
    let t549 = t543 * t546 + t548;
    let t550 = t544 * t547 + t549;
    let t551 = t541 * t545;
    let t552 = t543 * t547 + t551;
    let t553 = t552 - t544 * t546;
    let t554 = t541 * t546;
    let t555 = t544 * t545 + t554;
    let t556 = t555 - t542 * t547;
    let t557 = t541 * t547;
    let t558 = t542 * t546 + t557;
    let t559 = t558 - t543 * t545;
    let t560 = t541 * t541;
    let t561 = t542 * t542 + t560;
    let t562 = t543 * t543 + t561;
    let t563 = t544 * t544 + t562;
    let t564 = sqrt(t563);
    let t565 = 1.0f / t564;
    let t566 = t541 * t565;
    let t567 = t542 * t565;
    let t568 = t543 * t565;
    let t569 = t544 * t565;
    let t570 = t531 - shared_values[6] * t550;
    let t571 = shared_values[6] * t553 + t532;
    let t572 = shared_values[6] * t556 + t533;
    let t573 = shared_values[6] * t559 + t534;
    let t574 = t546 * t547;
    let t575 = t545 * t547;
    let t576 = t545 * t546;
    let t577 = t57 * t574 + t535;
    let t578 = t58 * t575 + t536;
    let t579 = t59 * t576 + t537;
    let t580 = t363 + t577;
    let t581 = t364 + t578;
    let t582 = t365 + t579;
    let t583 = t370 * t569;
    let t584 = t371 * t568 - t583;
    let t585 = t371 * t567;
    let t586 = t369 * t569 - t585;
    let t587 = t369 * t568;
    let t588 = t370 * t567 - t587;
    let t589 = shared_values[3] * t584;
    let t590 = shared_values[3] * t586;
    let t591 = shared_values[3] * t588;
    let t592 = t568 * t591 + t538;
    let t593 = t592 - t569 * t590;
    let t594 = t569 * t589 + t539;
    let t595 = t594 - t567 * t591;
    let t596 = t567 * t590 + t540;
    let t597 = t596 - t568 * t589;
    let t598 = t566 * t589 + t593;
    let t599 = t566 * t590 + t595;
    let t600 = t566 * t591 + t597;
    let t601 = t369 + t598;
    let t602 = t370 + t599;
    let t603 = t371 + t600;
    let t604 = shared_values[5] * t570 + t326;
    let t605 = shared_values[5] * t571 + t327;
    let t606 = shared_values[5] * t572 + t328;
    let t607 = shared_values[5] * t573 + t329;
    let t608 = shared_values[5] * t580 + t314;
    let t609 = shared_values[5] * t581 + t315;
    let t610 = shared_values[5] * t582 + t316;
    let t611 = shared_values[5] * t601 + t317;
    let t612 = shared_values[5] * t602 + t318;
    let t613 = shared_values[5] * t603 + t319;
    let t614 = t604 * t604;
    let t615 = t605 * t605 + t614;
    let t616 = t606 * t606 + t615;
    let t617 = t607 * t607 + t616;
    let t618 = sqrt(t617);
    let t619 = 1.0f / t618;
    let t620 = t604 * t619;
    let t621 = t605 * t619;
    let t622 = t606 * t619;
    let t623 = t607 * t619;
    var next = s;
    next.half_q0 = t620;
    next.half_q1 = t621;
    next.half_q2 = t622;
    next.half_q3 = t623;
    next.half_wx = t608;
    next.half_wy = t609;
    next.half_wz = t610;
    next.half_vx = t611;
    next.half_vy = t612;
    next.half_vz = t613;
    return next;
}

// Change of the energy since the start, and how much of it is allowed (J).
struct EnergyChange {
    value: real,
    allowed: real,
}

fn energy_change(instance: u32, s: State) -> EnergyChange {
    return EnergyChange(0.0f, 0.0f);
}

// The ensemble kernel: one invocation takes one instance from step `run.first` to step `run.end`, its state in
// registers, and stores it back. What is specific to a mechanism and a method stands before this text and is
// generated: `real`, `State`, `Prepared`, `prepare`, `step`, `begin`, `resynchronised`, `load_state`, `store_state`,
// `is_finite_state`, `energy_change`, and the constants of the verdict bounds.
//
// State and parameters are planes (structure of arrays, instance fastest): `plane * run.stride + instance`.

struct Run {
    // Steps first .. end are taken.
    first: u32,
    end: u32,
    // Instances, and the distance between planes.
    count: u32,
    stride: u32,
    // Steps between resynchronisations; 0: never.
    resynchronise: u32,
    // Steps between checks of the verdict bounds.
    check: u32,
}

@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read_write> state: array<real>;
@group(0) @binding(2) var<storage, read> parameters: array<real>;
// What all instances share: constants of the mechanism and the method, then the factors of the timed loads.
@group(0) @binding(3) var<storage, read> shared_values: array<real>;
// Verdict and step at which it was passed.
@group(0) @binding(4) var<storage, read_write> ends: array<vec2<u32>>;

// Verdicts, as in src/observe/verdict.rs.
const FINISHED = 0u;
const NON_FINITE = 1u;
const ENERGY_BOUND = 2u;
const NORM_BOUND = 3u;

// What the method carries, where step k gives it a new start.
fn restarted(instance: u32, k: u32, s: State) -> State {
    if k == 0u {
        return begin(instance, s);
    }
    if run.resynchronise != 0u && k % run.resynchronise == 0u {
        return resynchronised(instance, s);
    }
    return s;
}

fn next_multiple(k: u32, period: u32, end: u32) -> u32 {
    if period == 0u {
        return end;
    }
    return min(end, k - k % period + period);
}

// How the instance would end if it ended in state `s`. The worst verdict wins.
fn judge(instance: u32, s: State) -> u32 {
    if !is_finite_state(s) {
        return NON_FINITE;
    }
    if HAS_NORM_BOUND {
        let norm = sqrt(s.q3 * s.q3 + (s.q2 * s.q2 + (s.q1 * s.q1 + s.q0 * s.q0)));
        if abs(norm - real(1.0)) > NORM_BOUND_VALUE {
            return NORM_BOUND;
        }
    }
    if HAS_ENERGY_BOUND {
        let change = energy_change(instance, s);
        if change.allowed > real(0.0) && abs(change.value) > change.allowed {
            return ENERGY_BOUND;
        }
    }
    return FINISHED;
}

@compute @workgroup_size(WORKGROUP)
fn advance(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let instance = id.y * (groups.x * WORKGROUP) + id.x;
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
            if careful {
                stop = k + 1u;
            }
            for (; k < stop; k++) {
                s = step(p, s);
            }
            let at_check = k % run.check == 0u || k == run.end;
            if verdict == FINISHED && at_check || careful && k > good {
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
