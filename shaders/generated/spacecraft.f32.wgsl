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

// What the method carries, at the start. (740 operations.)
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
    let t43 = shared_values[6] * t33;
    let t44 = shared_values[6] * t36;
    let t45 = shared_values[6] * t39;
    let t46 = shared_values[6] * t42;
    let t47 = shared_values[2] * t25;
    let t48 = shared_values[2] * t27;
    let t49 = shared_values[2] * t29;
    let t50 = shared_values[2] / parameters[0u * run.stride + instance];
    let t51 = shared_values[2] / parameters[1u * run.stride + instance];
    let t52 = shared_values[2] / parameters[2u * run.stride + instance];
    let t53 = s.wy * s.wz;
    let t54 = s.wx * s.wz;
    let t55 = s.wx * s.wy;
    let t56 = t47 * t53;
    let t57 = t48 * t54;
    let t58 = t49 * t55;
    let t59 = t4 * t50;
    let t60 = t6 * t51;
    let t61 = t8 * t52;
    let t62 = t56 + t59;
    let t63 = t57 + t60;
    let t64 = t58 + t61;
    let t65 = t9 * shared_values[2];
    let t66 = t10 * shared_values[2];
    let t67 = t11 * shared_values[2];
    let t68 = s.q3 * t66;
    let t69 = s.q2 * t67 - t68;
    let t70 = s.q1 * t67;
    let t71 = s.q3 * t65 - t70;
    let t72 = s.q2 * t65;
    let t73 = s.q1 * t66 - t72;
    let t74 = shared_values[3] * t69;
    let t75 = shared_values[3] * t71;
    let t76 = shared_values[3] * t73;
    let t77 = s.q2 * t76;
    let t78 = t77 - s.q3 * t75;
    let t79 = s.q3 * t74;
    let t80 = t79 - s.q1 * t76;
    let t81 = s.q1 * t75;
    let t82 = t81 - s.q2 * t74;
    let t83 = s.q0 * t74 + t78;
    let t84 = s.q0 * t75 + t80;
    let t85 = s.q0 * t76 + t82;
    let t86 = t65 + t83;
    let t87 = t66 + t84;
    let t88 = t67 + t85;
    let t89 = shared_values[4] * t43 + s.q0;
    let t90 = shared_values[4] * t44 + s.q1;
    let t91 = shared_values[4] * t45 + s.q2;
    let t92 = shared_values[4] * t46 + s.q3;
    let t93 = shared_values[4] * t62 + s.wx;
    let t94 = shared_values[4] * t63 + s.wy;
    let t95 = shared_values[4] * t64 + s.wz;
    let t96 = t90 * t93;
    let t97 = t91 * t94 + t96;
    let t98 = t92 * t95 + t97;
    let t99 = -(t98);
    let t100 = t89 * t93;
    let t101 = t91 * t95 + t100;
    let t102 = t101 - t92 * t94;
    let t103 = t89 * t94;
    let t104 = t92 * t93 + t103;
    let t105 = t104 - t90 * t95;
    let t106 = t89 * t95;
    let t107 = t90 * t94 + t106;
    let t108 = t107 - t91 * t93;
    let t109 = shared_values[6] * t99;
    let t110 = shared_values[6] * t102;
    let t111 = shared_values[6] * t105;
    let t112 = shared_values[6] * t108;
    let t113 = t94 * t95;
    let t114 = t93 * t95;
    let t115 = t93 * t94;
    let t116 = t47 * t113;
    let t117 = t48 * t114;
    let t118 = t49 * t115;
    let t119 = t59 + t116;
    let t120 = t60 + t117;
    let t121 = t61 + t118;
    let t122 = t66 * t92;
    let t123 = t67 * t91 - t122;
    let t124 = t67 * t90;
    let t125 = t65 * t92 - t124;
    let t126 = t65 * t91;
    let t127 = t66 * t90 - t126;
    let t128 = shared_values[3] * t123;
    let t129 = shared_values[3] * t125;
    let t130 = shared_values[3] * t127;
    let t131 = t91 * t130;
    let t132 = t131 - t92 * t129;
    let t133 = t92 * t128;
    let t134 = t133 - t90 * t130;
    let t135 = t90 * t129;
    let t136 = t135 - t91 * t128;
    let t137 = t89 * t128 + t132;
    let t138 = t89 * t129 + t134;
    let t139 = t89 * t130 + t136;
    let t140 = t65 + t137;
    let t141 = t66 + t138;
    let t142 = t67 + t139;
    let t143 = shared_values[4] * t109 + s.q0;
    let t144 = shared_values[4] * t110 + s.q1;
    let t145 = shared_values[4] * t111 + s.q2;
    let t146 = shared_values[4] * t112 + s.q3;
    let t147 = shared_values[4] * t119 + s.wx;
    let t148 = shared_values[4] * t120 + s.wy;
    let t149 = shared_values[4] * t121 + s.wz;
    let t150 = t144 * t147;
    let t151 = t145 * t148 + t150;
    let t152 = t146 * t149 + t151;
    let t153 = -(t152);
    let t154 = t143 * t147;
    let t155 = t145 * t149 + t154;
    let t156 = t155 - t146 * t148;
    let t157 = t143 * t148;
    let t158 = t146 * t147 + t157;
    let t159 = t158 - t144 * t149;
    let t160 = t143 * t149;
    let t161 = t144 * t148 + t160;
    let t162 = t161 - t145 * t147;
    let t163 = shared_values[6] * t153;
    let t164 = shared_values[6] * t156;
    let t165 = shared_values[6] * t159;
    let t166 = shared_values[6] * t162;
    let t167 = t148 * t149;
    let t168 = t147 * t149;
    let t169 = t147 * t148;
    let t170 = t47 * t167;
    let t171 = t48 * t168;
    let t172 = t49 * t169;
    let t173 = t59 + t170;
    let t174 = t60 + t171;
    let t175 = t61 + t172;
    let t176 = t66 * t146;
    let t177 = t67 * t145 - t176;
    let t178 = t67 * t144;
    let t179 = t65 * t146 - t178;
    let t180 = t65 * t145;
    let t181 = t66 * t144 - t180;
    let t182 = shared_values[3] * t177;
    let t183 = shared_values[3] * t179;
    let t184 = shared_values[3] * t181;
    let t185 = t145 * t184;
    let t186 = t185 - t146 * t183;
    let t187 = t146 * t182;
    let t188 = t187 - t144 * t184;
    let t189 = t144 * t183;
    let t190 = t189 - t145 * t182;
    let t191 = t143 * t182 + t186;
    let t192 = t143 * t183 + t188;
    let t193 = t143 * t184 + t190;
    let t194 = t65 + t191;
    let t195 = t66 + t192;
    let t196 = t67 + t193;
    let t197 = shared_values[3] * t109 + t43;
    let t198 = shared_values[3] * t110 + t44;
    let t199 = shared_values[3] * t111 + t45;
    let t200 = shared_values[3] * t112 + t46;
    let t201 = shared_values[3] * t119 + t62;
    let t202 = shared_values[3] * t120 + t63;
    let t203 = shared_values[3] * t121 + t64;
    let t204 = shared_values[3] * t140 + t86;
    let t205 = shared_values[3] * t141 + t87;
    let t206 = shared_values[3] * t142 + t88;
    let t207 = shared_values[3] * t163 + t197;
    let t208 = shared_values[3] * t164 + t198;
    let t209 = shared_values[3] * t165 + t199;
    let t210 = shared_values[3] * t166 + t200;
    let t211 = shared_values[3] * t173 + t201;
    let t212 = shared_values[3] * t174 + t202;
    let t213 = shared_values[3] * t175 + t203;
    let t214 = shared_values[3] * t194 + t204;
    let t215 = shared_values[3] * t195 + t205;
    let t216 = shared_values[3] * t196 + t206;
    let t217 = s.q0 + t163;
    let t218 = s.q1 + t164;
    let t219 = s.q2 + t165;
    let t220 = s.q3 + t166;
    let t221 = s.wx + t173;
    let t222 = s.wy + t174;
    let t223 = s.wz + t175;
    let t224 = t218 * t221;
    let t225 = t219 * t222 + t224;
    let t226 = t220 * t223 + t225;
    let t227 = t217 * t221;
    let t228 = t219 * t223 + t227;
    let t229 = t228 - t220 * t222;
    let t230 = t217 * t222;
    let t231 = t220 * t221 + t230;
    let t232 = t231 - t218 * t223;
    let t233 = t217 * t223;
    let t234 = t218 * t222 + t233;
    let t235 = t234 - t219 * t221;
    let t236 = t207 - shared_values[6] * t226;
    let t237 = shared_values[6] * t229 + t208;
    let t238 = shared_values[6] * t232 + t209;
    let t239 = shared_values[6] * t235 + t210;
    let t240 = t222 * t223;
    let t241 = t221 * t223;
    let t242 = t221 * t222;
    let t243 = t47 * t240 + t211;
    let t244 = t48 * t241 + t212;
    let t245 = t49 * t242 + t213;
    let t246 = t59 + t243;
    let t247 = t60 + t244;
    let t248 = t61 + t245;
    let t249 = t66 * t220;
    let t250 = t67 * t219 - t249;
    let t251 = t67 * t218;
    let t252 = t65 * t220 - t251;
    let t253 = t65 * t219;
    let t254 = t66 * t218 - t253;
    let t255 = shared_values[3] * t250;
    let t256 = shared_values[3] * t252;
    let t257 = shared_values[3] * t254;
    let t258 = t219 * t257 + t214;
    let t259 = t258 - t220 * t256;
    let t260 = t220 * t255 + t215;
    let t261 = t260 - t218 * t257;
    let t262 = t218 * t256 + t216;
    let t263 = t262 - t219 * t255;
    let t264 = t217 * t255 + t259;
    let t265 = t217 * t256 + t261;
    let t266 = t217 * t257 + t263;
    let t267 = t65 + t264;
    let t268 = t66 + t265;
    let t269 = t67 + t266;
    let t270 = shared_values[5] * t236 + s.q0;
    let t271 = shared_values[5] * t237 + s.q1;
    let t272 = shared_values[5] * t238 + s.q2;
    let t273 = shared_values[5] * t239 + s.q3;
    let t274 = shared_values[5] * t246 + s.wx;
    let t275 = shared_values[5] * t247 + s.wy;
    let t276 = shared_values[5] * t248 + s.wz;
    let t277 = shared_values[5] * t267 + s.vx;
    let t278 = shared_values[5] * t268 + s.vy;
    let t279 = shared_values[5] * t269 + s.vz;
    let t280 = t270 * t270;
    let t281 = t271 * t271 + t280;
    let t282 = t272 * t272 + t281;
    let t283 = t273 * t273 + t282;
    let t284 = sqrt(t283);
    let t285 = 1.0f / t284;
    let t286 = t270 * t285;
    let t287 = t271 * t285;
    let t288 = t272 * t285;
    let t289 = t273 * t285;
    let t290 = t274 * t287;
    let t291 = t275 * t288 + t290;
    let t292 = t276 * t289 + t291;
    let t293 = -(t292);
    let t294 = t274 * t286;
    let t295 = t276 * t288 + t294;
    let t296 = t295 - t275 * t289;
    let t297 = t275 * t286;
    let t298 = t274 * t289 + t297;
    let t299 = t298 - t276 * t287;
    let t300 = t276 * t286;
    let t301 = t275 * t287 + t300;
    let t302 = t301 - t274 * t288;
    let t303 = shared_values[6] * t293;
    let t304 = shared_values[6] * t296;
    let t305 = shared_values[6] * t299;
    let t306 = shared_values[6] * t302;
    let t307 = t275 * t276;
    let t308 = t274 * t276;
    let t309 = t274 * t275;
    let t310 = t47 * t307;
    let t311 = t48 * t308;
    let t312 = t49 * t309;
    let t313 = t16 * t50;
    let t314 = t18 * t51;
    let t315 = t20 * t52;
    let t316 = t310 + t313;
    let t317 = t311 + t314;
    let t318 = t312 + t315;
    let t319 = t21 * shared_values[2];
    let t320 = t22 * shared_values[2];
    let t321 = t23 * shared_values[2];
    let t322 = t289 * t320;
    let t323 = t288 * t321 - t322;
    let t324 = t287 * t321;
    let t325 = t289 * t319 - t324;
    let t326 = t288 * t319;
    let t327 = t287 * t320 - t326;
    let t328 = shared_values[3] * t323;
    let t329 = shared_values[3] * t325;
    let t330 = shared_values[3] * t327;
    let t331 = t288 * t330;
    let t332 = t331 - t289 * t329;
    let t333 = t289 * t328;
    let t334 = t333 - t287 * t330;
    let t335 = t287 * t329;
    let t336 = t335 - t288 * t328;
    let t337 = t286 * t328 + t332;
    let t338 = t286 * t329 + t334;
    let t339 = t286 * t330 + t336;
    let t340 = t319 + t337;
    let t341 = t320 + t338;
    let t342 = t321 + t339;
    let t343 = shared_values[4] * t303 + t286;
    let t344 = shared_values[4] * t304 + t287;
    let t345 = shared_values[4] * t305 + t288;
    let t346 = shared_values[4] * t306 + t289;
    let t347 = shared_values[4] * t316 + t274;
    let t348 = shared_values[4] * t317 + t275;
    let t349 = shared_values[4] * t318 + t276;
    let t350 = t344 * t347;
    let t351 = t345 * t348 + t350;
    let t352 = t346 * t349 + t351;
    let t353 = -(t352);
    let t354 = t343 * t347;
    let t355 = t345 * t349 + t354;
    let t356 = t355 - t346 * t348;
    let t357 = t343 * t348;
    let t358 = t346 * t347 + t357;
    let t359 = t358 - t344 * t349;
    let t360 = t343 * t349;
    let t361 = t344 * t348 + t360;
    let t362 = t361 - t345 * t347;
    let t363 = shared_values[6] * t353;
    let t364 = shared_values[6] * t356;
    let t365 = shared_values[6] * t359;
    let t366 = shared_values[6] * t362;
    let t367 = t348 * t349;
    let t368 = t347 * t349;
    let t369 = t347 * t348;
    let t370 = t47 * t367;
    let t371 = t48 * t368;
    let t372 = t49 * t369;
    let t373 = t313 + t370;
    let t374 = t314 + t371;
    let t375 = t315 + t372;
    let t376 = t320 * t346;
    let t377 = t321 * t345 - t376;
    let t378 = t321 * t344;
    let t379 = t319 * t346 - t378;
    let t380 = t319 * t345;
    let t381 = t320 * t344 - t380;
    let t382 = shared_values[3] * t377;
    let t383 = shared_values[3] * t379;
    let t384 = shared_values[3] * t381;
    let t385 = t345 * t384;
    let t386 = t385 - t346 * t383;
    let t387 = t346 * t382;
    let t388 = t387 - t344 * t384;
    let t389 = t344 * t383;
    let t390 = t389 - t345 * t382;
    let t391 = t343 * t382 + t386;
    let t392 = t343 * t383 + t388;
    let t393 = t343 * t384 + t390;
    let t394 = t319 + t391;
    let t395 = t320 + t392;
    let t396 = t321 + t393;
    let t397 = shared_values[4] * t363 + t286;
    let t398 = shared_values[4] * t364 + t287;
    let t399 = shared_values[4] * t365 + t288;
    let t400 = shared_values[4] * t366 + t289;
    let t401 = shared_values[4] * t373 + t274;
    let t402 = shared_values[4] * t374 + t275;
    let t403 = shared_values[4] * t375 + t276;
    let t404 = t398 * t401;
    let t405 = t399 * t402 + t404;
    let t406 = t400 * t403 + t405;
    let t407 = -(t406);
    let t408 = t397 * t401;
    let t409 = t399 * t403 + t408;
    let t410 = t409 - t400 * t402;
    let t411 = t397 * t402;
    let t412 = t400 * t401 + t411;
    let t413 = t412 - t398 * t403;
    let t414 = t397 * t403;
    let t415 = t398 * t402 + t414;
    let t416 = t415 - t399 * t401;
    let t417 = shared_values[6] * t407;
    let t418 = shared_values[6] * t410;
    let t419 = shared_values[6] * t413;
    let t420 = shared_values[6] * t416;
    let t421 = t402 * t403;
    let t422 = t401 * t403;
    let t423 = t401 * t402;
    let t424 = t47 * t421;
    let t425 = t48 * t422;
    let t426 = t49 * t423;
    let t427 = t313 + t424;
    let t428 = t314 + t425;
    let t429 = t315 + t426;
    let t430 = t320 * t400;
    let t431 = t321 * t399 - t430;
    let t432 = t321 * t398;
    let t433 = t319 * t400 - t432;
    let t434 = t319 * t399;
    let t435 = t320 * t398 - t434;
    let t436 = shared_values[3] * t431;
    let t437 = shared_values[3] * t433;
    let t438 = shared_values[3] * t435;
    let t439 = t399 * t438;
    let t440 = t439 - t400 * t437;
    let t441 = t400 * t436;
    let t442 = t441 - t398 * t438;
    let t443 = t398 * t437;
    let t444 = t443 - t399 * t436;
    let t445 = t397 * t436 + t440;
    let t446 = t397 * t437 + t442;
    let t447 = t397 * t438 + t444;
    let t448 = t319 + t445;
    let t449 = t320 + t446;
    let t450 = t321 + t447;
    let t451 = shared_values[3] * t363 + t303;
    let t452 = shared_values[3] * t364 + t304;
    let t453 = shared_values[3] * t365 + t305;
    let t454 = shared_values[3] * t366 + t306;
    let t455 = shared_values[3] * t373 + t316;
    let t456 = shared_values[3] * t374 + t317;
    let t457 = shared_values[3] * t375 + t318;
    let t458 = shared_values[3] * t394 + t340;
    let t459 = shared_values[3] * t395 + t341;
    let t460 = shared_values[3] * t396 + t342;
    let t461 = shared_values[3] * t417 + t451;
    let t462 = shared_values[3] * t418 + t452;
    let t463 = shared_values[3] * t419 + t453;
    let t464 = shared_values[3] * t420 + t454;
    let t465 = shared_values[3] * t427 + t455;
    let t466 = shared_values[3] * t428 + t456;
    let t467 = shared_values[3] * t429 + t457;
    let t468 = shared_values[3] * t448 + t458;
    let t469 = shared_values[3] * t449 + t459;
    let t470 = shared_values[3] * t450 + t460;
    let t471 = t286 + t417;
    let t472 = t287 + t418;
    let t473 = t288 + t419;
    let t474 = t289 + t420;
    let t475 = t274 + t427;
    let t476 = t275 + t428;
    let t477 = t276 + t429;
    let t478 = t472 * t475;
    let t479 = t473 * t476 + t478;
    let t480 = t474 * t477 + t479;
    let t481 = t471 * t475;
    let t482 = t473 * t477 + t481;
    let t483 = t482 - t474 * t476;
    let t484 = t471 * t476;
    let t485 = t474 * t475 + t484;
    let t486 = t485 - t472 * t477;
    let t487 = t471 * t477;
    let t488 = t472 * t476 + t487;
    let t489 = t488 - t473 * t475;
    let t490 = t461 - shared_values[6] * t480;
    let t491 = shared_values[6] * t483 + t462;
    let t492 = shared_values[6] * t486 + t463;
    let t493 = shared_values[6] * t489 + t464;
    let t494 = t476 * t477;
    let t495 = t475 * t477;
    let t496 = t475 * t476;
    let t497 = t47 * t494 + t465;
    let t498 = t48 * t495 + t466;
    let t499 = t49 * t496 + t467;
    let t500 = t313 + t497;
    let t501 = t314 + t498;
    let t502 = t315 + t499;
    let t503 = t320 * t474;
    let t504 = t321 * t473 - t503;
    let t505 = t321 * t472;
    let t506 = t319 * t474 - t505;
    let t507 = t319 * t473;
    let t508 = t320 * t472 - t507;
    let t509 = shared_values[3] * t504;
    let t510 = shared_values[3] * t506;
    let t511 = shared_values[3] * t508;
    let t512 = t473 * t511 + t468;
    let t513 = t512 - t474 * t510;
    let t514 = t474 * t509 + t469;
    let t515 = t514 - t472 * t511;
    let t516 = t472 * t510 + t470;
    let t517 = t516 - t473 * t509;
    let t518 = t471 * t509 + t513;
    let t519 = t471 * t510 + t515;
    let t520 = t471 * t511 + t517;
    let t521 = t319 + t518;
    let t522 = t320 + t519;
    let t523 = t321 + t520;
    let t524 = shared_values[5] * t490 + t286;
    let t525 = shared_values[5] * t491 + t287;
    let t526 = shared_values[5] * t492 + t288;
    let t527 = shared_values[5] * t493 + t289;
    let t528 = shared_values[5] * t500 + t274;
    let t529 = shared_values[5] * t501 + t275;
    let t530 = shared_values[5] * t502 + t276;
    let t531 = shared_values[5] * t521 + t277;
    let t532 = shared_values[5] * t522 + t278;
    let t533 = shared_values[5] * t523 + t279;
    let t534 = t524 * t524;
    let t535 = t525 * t525 + t534;
    let t536 = t526 * t526 + t535;
    let t537 = t527 * t527 + t536;
    let t538 = sqrt(t537);
    let t539 = 1.0f / t538;
    let t540 = t524 * t539;
    let t541 = t525 * t539;
    let t542 = t526 * t539;
    let t543 = t527 * t539;
    var next = s;
    next.half_q0 = t540;
    next.half_q1 = t541;
    next.half_q2 = t542;
    next.half_q3 = t543;
    next.half_wx = t528;
    next.half_wy = t529;
    next.half_wz = t530;
    next.half_vx = t531;
    next.half_vy = t532;
    next.half_vz = t533;
    return next;
}

// What the method carries after it was resynchronised. (740 operations.)
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
    let t43 = shared_values[6] * t33;
    let t44 = shared_values[6] * t36;
    let t45 = shared_values[6] * t39;
    let t46 = shared_values[6] * t42;
    let t47 = shared_values[2] * t25;
    let t48 = shared_values[2] * t27;
    let t49 = shared_values[2] * t29;
    let t50 = shared_values[2] / parameters[0u * run.stride + instance];
    let t51 = shared_values[2] / parameters[1u * run.stride + instance];
    let t52 = shared_values[2] / parameters[2u * run.stride + instance];
    let t53 = s.wy * s.wz;
    let t54 = s.wx * s.wz;
    let t55 = s.wx * s.wy;
    let t56 = t47 * t53;
    let t57 = t48 * t54;
    let t58 = t49 * t55;
    let t59 = t4 * t50;
    let t60 = t6 * t51;
    let t61 = t8 * t52;
    let t62 = t56 + t59;
    let t63 = t57 + t60;
    let t64 = t58 + t61;
    let t65 = t9 * shared_values[2];
    let t66 = t10 * shared_values[2];
    let t67 = t11 * shared_values[2];
    let t68 = s.q3 * t66;
    let t69 = s.q2 * t67 - t68;
    let t70 = s.q1 * t67;
    let t71 = s.q3 * t65 - t70;
    let t72 = s.q2 * t65;
    let t73 = s.q1 * t66 - t72;
    let t74 = shared_values[3] * t69;
    let t75 = shared_values[3] * t71;
    let t76 = shared_values[3] * t73;
    let t77 = s.q2 * t76;
    let t78 = t77 - s.q3 * t75;
    let t79 = s.q3 * t74;
    let t80 = t79 - s.q1 * t76;
    let t81 = s.q1 * t75;
    let t82 = t81 - s.q2 * t74;
    let t83 = s.q0 * t74 + t78;
    let t84 = s.q0 * t75 + t80;
    let t85 = s.q0 * t76 + t82;
    let t86 = t65 + t83;
    let t87 = t66 + t84;
    let t88 = t67 + t85;
    let t89 = shared_values[4] * t43 + s.q0;
    let t90 = shared_values[4] * t44 + s.q1;
    let t91 = shared_values[4] * t45 + s.q2;
    let t92 = shared_values[4] * t46 + s.q3;
    let t93 = shared_values[4] * t62 + s.wx;
    let t94 = shared_values[4] * t63 + s.wy;
    let t95 = shared_values[4] * t64 + s.wz;
    let t96 = t90 * t93;
    let t97 = t91 * t94 + t96;
    let t98 = t92 * t95 + t97;
    let t99 = -(t98);
    let t100 = t89 * t93;
    let t101 = t91 * t95 + t100;
    let t102 = t101 - t92 * t94;
    let t103 = t89 * t94;
    let t104 = t92 * t93 + t103;
    let t105 = t104 - t90 * t95;
    let t106 = t89 * t95;
    let t107 = t90 * t94 + t106;
    let t108 = t107 - t91 * t93;
    let t109 = shared_values[6] * t99;
    let t110 = shared_values[6] * t102;
    let t111 = shared_values[6] * t105;
    let t112 = shared_values[6] * t108;
    let t113 = t94 * t95;
    let t114 = t93 * t95;
    let t115 = t93 * t94;
    let t116 = t47 * t113;
    let t117 = t48 * t114;
    let t118 = t49 * t115;
    let t119 = t59 + t116;
    let t120 = t60 + t117;
    let t121 = t61 + t118;
    let t122 = t66 * t92;
    let t123 = t67 * t91 - t122;
    let t124 = t67 * t90;
    let t125 = t65 * t92 - t124;
    let t126 = t65 * t91;
    let t127 = t66 * t90 - t126;
    let t128 = shared_values[3] * t123;
    let t129 = shared_values[3] * t125;
    let t130 = shared_values[3] * t127;
    let t131 = t91 * t130;
    let t132 = t131 - t92 * t129;
    let t133 = t92 * t128;
    let t134 = t133 - t90 * t130;
    let t135 = t90 * t129;
    let t136 = t135 - t91 * t128;
    let t137 = t89 * t128 + t132;
    let t138 = t89 * t129 + t134;
    let t139 = t89 * t130 + t136;
    let t140 = t65 + t137;
    let t141 = t66 + t138;
    let t142 = t67 + t139;
    let t143 = shared_values[4] * t109 + s.q0;
    let t144 = shared_values[4] * t110 + s.q1;
    let t145 = shared_values[4] * t111 + s.q2;
    let t146 = shared_values[4] * t112 + s.q3;
    let t147 = shared_values[4] * t119 + s.wx;
    let t148 = shared_values[4] * t120 + s.wy;
    let t149 = shared_values[4] * t121 + s.wz;
    let t150 = t144 * t147;
    let t151 = t145 * t148 + t150;
    let t152 = t146 * t149 + t151;
    let t153 = -(t152);
    let t154 = t143 * t147;
    let t155 = t145 * t149 + t154;
    let t156 = t155 - t146 * t148;
    let t157 = t143 * t148;
    let t158 = t146 * t147 + t157;
    let t159 = t158 - t144 * t149;
    let t160 = t143 * t149;
    let t161 = t144 * t148 + t160;
    let t162 = t161 - t145 * t147;
    let t163 = shared_values[6] * t153;
    let t164 = shared_values[6] * t156;
    let t165 = shared_values[6] * t159;
    let t166 = shared_values[6] * t162;
    let t167 = t148 * t149;
    let t168 = t147 * t149;
    let t169 = t147 * t148;
    let t170 = t47 * t167;
    let t171 = t48 * t168;
    let t172 = t49 * t169;
    let t173 = t59 + t170;
    let t174 = t60 + t171;
    let t175 = t61 + t172;
    let t176 = t66 * t146;
    let t177 = t67 * t145 - t176;
    let t178 = t67 * t144;
    let t179 = t65 * t146 - t178;
    let t180 = t65 * t145;
    let t181 = t66 * t144 - t180;
    let t182 = shared_values[3] * t177;
    let t183 = shared_values[3] * t179;
    let t184 = shared_values[3] * t181;
    let t185 = t145 * t184;
    let t186 = t185 - t146 * t183;
    let t187 = t146 * t182;
    let t188 = t187 - t144 * t184;
    let t189 = t144 * t183;
    let t190 = t189 - t145 * t182;
    let t191 = t143 * t182 + t186;
    let t192 = t143 * t183 + t188;
    let t193 = t143 * t184 + t190;
    let t194 = t65 + t191;
    let t195 = t66 + t192;
    let t196 = t67 + t193;
    let t197 = shared_values[3] * t109 + t43;
    let t198 = shared_values[3] * t110 + t44;
    let t199 = shared_values[3] * t111 + t45;
    let t200 = shared_values[3] * t112 + t46;
    let t201 = shared_values[3] * t119 + t62;
    let t202 = shared_values[3] * t120 + t63;
    let t203 = shared_values[3] * t121 + t64;
    let t204 = shared_values[3] * t140 + t86;
    let t205 = shared_values[3] * t141 + t87;
    let t206 = shared_values[3] * t142 + t88;
    let t207 = shared_values[3] * t163 + t197;
    let t208 = shared_values[3] * t164 + t198;
    let t209 = shared_values[3] * t165 + t199;
    let t210 = shared_values[3] * t166 + t200;
    let t211 = shared_values[3] * t173 + t201;
    let t212 = shared_values[3] * t174 + t202;
    let t213 = shared_values[3] * t175 + t203;
    let t214 = shared_values[3] * t194 + t204;
    let t215 = shared_values[3] * t195 + t205;
    let t216 = shared_values[3] * t196 + t206;
    let t217 = s.q0 + t163;
    let t218 = s.q1 + t164;
    let t219 = s.q2 + t165;
    let t220 = s.q3 + t166;
    let t221 = s.wx + t173;
    let t222 = s.wy + t174;
    let t223 = s.wz + t175;
    let t224 = t218 * t221;
    let t225 = t219 * t222 + t224;
    let t226 = t220 * t223 + t225;
    let t227 = t217 * t221;
    let t228 = t219 * t223 + t227;
    let t229 = t228 - t220 * t222;
    let t230 = t217 * t222;
    let t231 = t220 * t221 + t230;
    let t232 = t231 - t218 * t223;
    let t233 = t217 * t223;
    let t234 = t218 * t222 + t233;
    let t235 = t234 - t219 * t221;
    let t236 = t207 - shared_values[6] * t226;
    let t237 = shared_values[6] * t229 + t208;
    let t238 = shared_values[6] * t232 + t209;
    let t239 = shared_values[6] * t235 + t210;
    let t240 = t222 * t223;
    let t241 = t221 * t223;
    let t242 = t221 * t222;
    let t243 = t47 * t240 + t211;
    let t244 = t48 * t241 + t212;
    let t245 = t49 * t242 + t213;
    let t246 = t59 + t243;
    let t247 = t60 + t244;
    let t248 = t61 + t245;
    let t249 = t66 * t220;
    let t250 = t67 * t219 - t249;
    let t251 = t67 * t218;
    let t252 = t65 * t220 - t251;
    let t253 = t65 * t219;
    let t254 = t66 * t218 - t253;
    let t255 = shared_values[3] * t250;
    let t256 = shared_values[3] * t252;
    let t257 = shared_values[3] * t254;
    let t258 = t219 * t257 + t214;
    let t259 = t258 - t220 * t256;
    let t260 = t220 * t255 + t215;
    let t261 = t260 - t218 * t257;
    let t262 = t218 * t256 + t216;
    let t263 = t262 - t219 * t255;
    let t264 = t217 * t255 + t259;
    let t265 = t217 * t256 + t261;
    let t266 = t217 * t257 + t263;
    let t267 = t65 + t264;
    let t268 = t66 + t265;
    let t269 = t67 + t266;
    let t270 = shared_values[5] * t236 + s.q0;
    let t271 = shared_values[5] * t237 + s.q1;
    let t272 = shared_values[5] * t238 + s.q2;
    let t273 = shared_values[5] * t239 + s.q3;
    let t274 = shared_values[5] * t246 + s.wx;
    let t275 = shared_values[5] * t247 + s.wy;
    let t276 = shared_values[5] * t248 + s.wz;
    let t277 = shared_values[5] * t267 + s.vx;
    let t278 = shared_values[5] * t268 + s.vy;
    let t279 = shared_values[5] * t269 + s.vz;
    let t280 = t270 * t270;
    let t281 = t271 * t271 + t280;
    let t282 = t272 * t272 + t281;
    let t283 = t273 * t273 + t282;
    let t284 = sqrt(t283);
    let t285 = 1.0f / t284;
    let t286 = t270 * t285;
    let t287 = t271 * t285;
    let t288 = t272 * t285;
    let t289 = t273 * t285;
    let t290 = t274 * t287;
    let t291 = t275 * t288 + t290;
    let t292 = t276 * t289 + t291;
    let t293 = -(t292);
    let t294 = t274 * t286;
    let t295 = t276 * t288 + t294;
    let t296 = t295 - t275 * t289;
    let t297 = t275 * t286;
    let t298 = t274 * t289 + t297;
    let t299 = t298 - t276 * t287;
    let t300 = t276 * t286;
    let t301 = t275 * t287 + t300;
    let t302 = t301 - t274 * t288;
    let t303 = shared_values[6] * t293;
    let t304 = shared_values[6] * t296;
    let t305 = shared_values[6] * t299;
    let t306 = shared_values[6] * t302;
    let t307 = t275 * t276;
    let t308 = t274 * t276;
    let t309 = t274 * t275;
    let t310 = t47 * t307;
    let t311 = t48 * t308;
    let t312 = t49 * t309;
    let t313 = t16 * t50;
    let t314 = t18 * t51;
    let t315 = t20 * t52;
    let t316 = t310 + t313;
    let t317 = t311 + t314;
    let t318 = t312 + t315;
    let t319 = t21 * shared_values[2];
    let t320 = t22 * shared_values[2];
    let t321 = t23 * shared_values[2];
    let t322 = t289 * t320;
    let t323 = t288 * t321 - t322;
    let t324 = t287 * t321;
    let t325 = t289 * t319 - t324;
    let t326 = t288 * t319;
    let t327 = t287 * t320 - t326;
    let t328 = shared_values[3] * t323;
    let t329 = shared_values[3] * t325;
    let t330 = shared_values[3] * t327;
    let t331 = t288 * t330;
    let t332 = t331 - t289 * t329;
    let t333 = t289 * t328;
    let t334 = t333 - t287 * t330;
    let t335 = t287 * t329;
    let t336 = t335 - t288 * t328;
    let t337 = t286 * t328 + t332;
    let t338 = t286 * t329 + t334;
    let t339 = t286 * t330 + t336;
    let t340 = t319 + t337;
    let t341 = t320 + t338;
    let t342 = t321 + t339;
    let t343 = shared_values[4] * t303 + t286;
    let t344 = shared_values[4] * t304 + t287;
    let t345 = shared_values[4] * t305 + t288;
    let t346 = shared_values[4] * t306 + t289;
    let t347 = shared_values[4] * t316 + t274;
    let t348 = shared_values[4] * t317 + t275;
    let t349 = shared_values[4] * t318 + t276;
    let t350 = t344 * t347;
    let t351 = t345 * t348 + t350;
    let t352 = t346 * t349 + t351;
    let t353 = -(t352);
    let t354 = t343 * t347;
    let t355 = t345 * t349 + t354;
    let t356 = t355 - t346 * t348;
    let t357 = t343 * t348;
    let t358 = t346 * t347 + t357;
    let t359 = t358 - t344 * t349;
    let t360 = t343 * t349;
    let t361 = t344 * t348 + t360;
    let t362 = t361 - t345 * t347;
    let t363 = shared_values[6] * t353;
    let t364 = shared_values[6] * t356;
    let t365 = shared_values[6] * t359;
    let t366 = shared_values[6] * t362;
    let t367 = t348 * t349;
    let t368 = t347 * t349;
    let t369 = t347 * t348;
    let t370 = t47 * t367;
    let t371 = t48 * t368;
    let t372 = t49 * t369;
    let t373 = t313 + t370;
    let t374 = t314 + t371;
    let t375 = t315 + t372;
    let t376 = t320 * t346;
    let t377 = t321 * t345 - t376;
    let t378 = t321 * t344;
    let t379 = t319 * t346 - t378;
    let t380 = t319 * t345;
    let t381 = t320 * t344 - t380;
    let t382 = shared_values[3] * t377;
    let t383 = shared_values[3] * t379;
    let t384 = shared_values[3] * t381;
    let t385 = t345 * t384;
    let t386 = t385 - t346 * t383;
    let t387 = t346 * t382;
    let t388 = t387 - t344 * t384;
    let t389 = t344 * t383;
    let t390 = t389 - t345 * t382;
    let t391 = t343 * t382 + t386;
    let t392 = t343 * t383 + t388;
    let t393 = t343 * t384 + t390;
    let t394 = t319 + t391;
    let t395 = t320 + t392;
    let t396 = t321 + t393;
    let t397 = shared_values[4] * t363 + t286;
    let t398 = shared_values[4] * t364 + t287;
    let t399 = shared_values[4] * t365 + t288;
    let t400 = shared_values[4] * t366 + t289;
    let t401 = shared_values[4] * t373 + t274;
    let t402 = shared_values[4] * t374 + t275;
    let t403 = shared_values[4] * t375 + t276;
    let t404 = t398 * t401;
    let t405 = t399 * t402 + t404;
    let t406 = t400 * t403 + t405;
    let t407 = -(t406);
    let t408 = t397 * t401;
    let t409 = t399 * t403 + t408;
    let t410 = t409 - t400 * t402;
    let t411 = t397 * t402;
    let t412 = t400 * t401 + t411;
    let t413 = t412 - t398 * t403;
    let t414 = t397 * t403;
    let t415 = t398 * t402 + t414;
    let t416 = t415 - t399 * t401;
    let t417 = shared_values[6] * t407;
    let t418 = shared_values[6] * t410;
    let t419 = shared_values[6] * t413;
    let t420 = shared_values[6] * t416;
    let t421 = t402 * t403;
    let t422 = t401 * t403;
    let t423 = t401 * t402;
    let t424 = t47 * t421;
    let t425 = t48 * t422;
    let t426 = t49 * t423;
    let t427 = t313 + t424;
    let t428 = t314 + t425;
    let t429 = t315 + t426;
    let t430 = t320 * t400;
    let t431 = t321 * t399 - t430;
    let t432 = t321 * t398;
    let t433 = t319 * t400 - t432;
    let t434 = t319 * t399;
    let t435 = t320 * t398 - t434;
    let t436 = shared_values[3] * t431;
    let t437 = shared_values[3] * t433;
    let t438 = shared_values[3] * t435;
    let t439 = t399 * t438;
    let t440 = t439 - t400 * t437;
    let t441 = t400 * t436;
    let t442 = t441 - t398 * t438;
    let t443 = t398 * t437;
    let t444 = t443 - t399 * t436;
    let t445 = t397 * t436 + t440;
    let t446 = t397 * t437 + t442;
    let t447 = t397 * t438 + t444;
    let t448 = t319 + t445;
    let t449 = t320 + t446;
    let t450 = t321 + t447;
    let t451 = shared_values[3] * t363 + t303;
    let t452 = shared_values[3] * t364 + t304;
    let t453 = shared_values[3] * t365 + t305;
    let t454 = shared_values[3] * t366 + t306;
    let t455 = shared_values[3] * t373 + t316;
    let t456 = shared_values[3] * t374 + t317;
    let t457 = shared_values[3] * t375 + t318;
    let t458 = shared_values[3] * t394 + t340;
    let t459 = shared_values[3] * t395 + t341;
    let t460 = shared_values[3] * t396 + t342;
    let t461 = shared_values[3] * t417 + t451;
    let t462 = shared_values[3] * t418 + t452;
    let t463 = shared_values[3] * t419 + t453;
    let t464 = shared_values[3] * t420 + t454;
    let t465 = shared_values[3] * t427 + t455;
    let t466 = shared_values[3] * t428 + t456;
    let t467 = shared_values[3] * t429 + t457;
    let t468 = shared_values[3] * t448 + t458;
    let t469 = shared_values[3] * t449 + t459;
    let t470 = shared_values[3] * t450 + t460;
    let t471 = t286 + t417;
    let t472 = t287 + t418;
    let t473 = t288 + t419;
    let t474 = t289 + t420;
    let t475 = t274 + t427;
    let t476 = t275 + t428;
    let t477 = t276 + t429;
    let t478 = t472 * t475;
    let t479 = t473 * t476 + t478;
    let t480 = t474 * t477 + t479;
    let t481 = t471 * t475;
    let t482 = t473 * t477 + t481;
    let t483 = t482 - t474 * t476;
    let t484 = t471 * t476;
    let t485 = t474 * t475 + t484;
    let t486 = t485 - t472 * t477;
    let t487 = t471 * t477;
    let t488 = t472 * t476 + t487;
    let t489 = t488 - t473 * t475;
    let t490 = t461 - shared_values[6] * t480;
    let t491 = shared_values[6] * t483 + t462;
    let t492 = shared_values[6] * t486 + t463;
    let t493 = shared_values[6] * t489 + t464;
    let t494 = t476 * t477;
    let t495 = t475 * t477;
    let t496 = t475 * t476;
    let t497 = t47 * t494 + t465;
    let t498 = t48 * t495 + t466;
    let t499 = t49 * t496 + t467;
    let t500 = t313 + t497;
    let t501 = t314 + t498;
    let t502 = t315 + t499;
    let t503 = t320 * t474;
    let t504 = t321 * t473 - t503;
    let t505 = t321 * t472;
    let t506 = t319 * t474 - t505;
    let t507 = t319 * t473;
    let t508 = t320 * t472 - t507;
    let t509 = shared_values[3] * t504;
    let t510 = shared_values[3] * t506;
    let t511 = shared_values[3] * t508;
    let t512 = t473 * t511 + t468;
    let t513 = t512 - t474 * t510;
    let t514 = t474 * t509 + t469;
    let t515 = t514 - t472 * t511;
    let t516 = t472 * t510 + t470;
    let t517 = t516 - t473 * t509;
    let t518 = t471 * t509 + t513;
    let t519 = t471 * t510 + t515;
    let t520 = t471 * t511 + t517;
    let t521 = t319 + t518;
    let t522 = t320 + t519;
    let t523 = t321 + t520;
    let t524 = shared_values[5] * t490 + t286;
    let t525 = shared_values[5] * t491 + t287;
    let t526 = shared_values[5] * t492 + t288;
    let t527 = shared_values[5] * t493 + t289;
    let t528 = shared_values[5] * t500 + t274;
    let t529 = shared_values[5] * t501 + t275;
    let t530 = shared_values[5] * t502 + t276;
    let t531 = shared_values[5] * t521 + t277;
    let t532 = shared_values[5] * t522 + t278;
    let t533 = shared_values[5] * t523 + t279;
    let t534 = t524 * t524;
    let t535 = t525 * t525 + t534;
    let t536 = t526 * t526 + t535;
    let t537 = t527 * t527 + t536;
    let t538 = sqrt(t537);
    let t539 = 1.0f / t538;
    let t540 = t524 * t539;
    let t541 = t525 * t539;
    let t542 = t526 * t539;
    let t543 = t527 * t539;
    var next = s;
    next.half_q0 = t540;
    next.half_q1 = t541;
    next.half_q2 = t542;
    next.half_q3 = t543;
    next.half_wx = t528;
    next.half_wy = t529;
    next.half_wz = t530;
    next.half_vx = t531;
    next.half_vy = t532;
    next.half_vz = t533;
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
