// Double precision (needs the adapter feature SHADER_F64).
alias real = f64;

// NaN compares false. Written as two comparisons of different values, which no driver was seen to fold.
fn is_finite_real(x: real) -> bool {
    return abs(x) <= 1.7976931348623157e308lf;
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
const NORM_BOUND_VALUE: real = 1e-6lf;

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
    p.c0 = t26;
    p.c1 = t29;
    p.c2 = t32;
    p.c3 = t36;
    p.c4 = t37;
    p.c5 = t38;
    p.c6 = shared_values[2];
    p.c7 = shared_values[3];
    p.c8 = shared_values[0];
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

// One full step of both chains: 206 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.half_wy * s.half_wz;
    let t1 = s.half_wx * s.half_wz;
    let t2 = s.half_wx * s.half_wy;
    let t3 = p.c0 * t0 + s.wx;
    let t4 = p.c1 * t1 + s.wy;
    let t5 = p.c2 * t2 + s.wz;
    let t6 = p.c3 + t3;
    let t7 = p.c4 + t4;
    let t8 = p.c5 + t5;
    let t9 = s.half_wx * p.c6;
    let t10 = s.half_wy * p.c6;
    let t11 = s.half_wz * p.c6;
    let t12 = t9 * t9 + 1.0lf;
    let t13 = t10 * t10 + t12;
    let t14 = t11 * t11 + t13;
    let t15 = p.c7 / t14;
    let t16 = s.q0 - s.q1 * t9;
    let t17 = t16 - s.q2 * t10;
    let t18 = t17 - s.q3 * t11;
    let t19 = s.q0 * t9 + s.q1;
    let t20 = s.q2 * t11 + t19;
    let t21 = t20 - s.q3 * t10;
    let t22 = s.q0 * t10 + s.q2;
    let t23 = s.q3 * t9 + t22;
    let t24 = t23 - s.q1 * t11;
    let t25 = s.q0 * t11 + s.q3;
    let t26 = s.q1 * t10 + t25;
    let t27 = t26 - s.q2 * t9;
    let t28 = t15 * t18 - s.q0;
    let t29 = t15 * t21 - s.q1;
    let t30 = t15 * t24 - s.q2;
    let t31 = t15 * t27 - s.q3;
    let t32 = t28 * t28;
    let t33 = t29 * t29 + t32;
    let t34 = t30 * t30 + t33;
    let t35 = t31 * t31 + t34;
    let t36 = sqrt(t35);
    let t37 = 1.0lf / t36;
    let t38 = t28 * t37;
    let t39 = t29 * t37;
    let t40 = t30 * t37;
    let t41 = t31 * t37;
    let t42 = s.half_vx * p.c8 + s.rx;
    let t43 = s.half_vy * p.c8 + s.ry;
    let t44 = s.half_vz * p.c8 + s.rz;
    let t45 = s.half_q3 * p.c9;
    let t46 = s.half_q2 * p.c10 - t45;
    let t47 = s.half_q1 * p.c10;
    let t48 = s.half_q3 * p.c11 - t47;
    let t49 = s.half_q2 * p.c11;
    let t50 = s.half_q1 * p.c9 - t49;
    let t51 = p.c7 * t46;
    let t52 = p.c7 * t48;
    let t53 = p.c7 * t50;
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
    let t66 = t7 * t8;
    let t67 = t6 * t8;
    let t68 = t6 * t7;
    let t69 = p.c0 * t66 + s.half_wx;
    let t70 = p.c1 * t67 + s.half_wy;
    let t71 = p.c2 * t68 + s.half_wz;
    let t72 = p.c12 + t69;
    let t73 = p.c13 + t70;
    let t74 = p.c14 + t71;
    let t75 = p.c6 * t6;
    let t76 = p.c6 * t7;
    let t77 = p.c6 * t8;
    let t78 = t75 * t75 + 1.0lf;
    let t79 = t76 * t76 + t78;
    let t80 = t77 * t77 + t79;
    let t81 = p.c7 / t80;
    let t82 = s.half_q0 - s.half_q1 * t75;
    let t83 = t82 - s.half_q2 * t76;
    let t84 = t83 - s.half_q3 * t77;
    let t85 = s.half_q0 * t75 + s.half_q1;
    let t86 = s.half_q2 * t77 + t85;
    let t87 = t86 - s.half_q3 * t76;
    let t88 = s.half_q0 * t76 + s.half_q2;
    let t89 = s.half_q3 * t75 + t88;
    let t90 = t89 - s.half_q1 * t77;
    let t91 = s.half_q0 * t77 + s.half_q3;
    let t92 = s.half_q1 * t76 + t91;
    let t93 = t92 - s.half_q2 * t75;
    let t94 = t81 * t84 - s.half_q0;
    let t95 = t81 * t87 - s.half_q1;
    let t96 = t81 * t90 - s.half_q2;
    let t97 = t81 * t93 - s.half_q3;
    let t98 = t94 * t94;
    let t99 = t95 * t95 + t98;
    let t100 = t96 * t96 + t99;
    let t101 = t97 * t97 + t100;
    let t102 = sqrt(t101);
    let t103 = 1.0lf / t102;
    let t104 = t94 * t103;
    let t105 = t95 * t103;
    let t106 = t96 * t103;
    let t107 = t97 * t103;
    let t108 = p.c15 * t41;
    let t109 = p.c16 * t40 - t108;
    let t110 = p.c16 * t39;
    let t111 = p.c17 * t41 - t110;
    let t112 = p.c17 * t40;
    let t113 = p.c15 * t39 - t112;
    let t114 = p.c7 * t109;
    let t115 = p.c7 * t111;
    let t116 = p.c7 * t113;
    let t117 = t40 * t116 + s.half_vx;
    let t118 = t117 - t41 * t115;
    let t119 = t41 * t114 + s.half_vy;
    let t120 = t119 - t39 * t116;
    let t121 = t39 * t115 + s.half_vz;
    let t122 = t121 - t40 * t114;
    let t123 = t38 * t114 + t118;
    let t124 = t38 * t115 + t120;
    let t125 = t38 * t116 + t122;
    let t126 = p.c17 + t123;
    let t127 = p.c15 + t124;
    let t128 = p.c16 + t125;
    var next: State;
    next.q0 = t38;
    next.q1 = t39;
    next.q2 = t40;
    next.q3 = t41;
    next.wx = t6;
    next.wy = t7;
    next.wz = t8;
    next.rx = t42;
    next.ry = t43;
    next.rz = t44;
    next.vx = t63;
    next.vy = t64;
    next.vz = t65;
    next.half_q0 = t104;
    next.half_q1 = t105;
    next.half_q2 = t106;
    next.half_q3 = t107;
    next.half_wx = t72;
    next.half_wy = t73;
    next.half_wz = t74;
    next.half_vx = t126;
    next.half_vy = t127;
    next.half_vz = t128;
    return next;
}

// The half chain from the whole one: RK4 over half a step, in two substeps (794 operations).
fn restart(instance: u32, s: State) -> State {
    let t0 = parameters[1u * run.stride + instance] - parameters[2u * run.stride + instance];
    let t1 = t0 / parameters[0u * run.stride + instance];
    let t2 = parameters[2u * run.stride + instance] - parameters[0u * run.stride + instance];
    let t3 = t2 / parameters[1u * run.stride + instance];
    let t4 = parameters[0u * run.stride + instance] - parameters[1u * run.stride + instance];
    let t5 = t4 / parameters[2u * run.stride + instance];
    let t6 = parameters[6u * run.stride + instance] * shared_values[9];
    let t7 = parameters[7u * run.stride + instance] * shared_values[9];
    let t8 = parameters[8u * run.stride + instance] * shared_values[9];
    let t9 = parameters[4u * run.stride + instance] * t8;
    let t10 = t9 - parameters[5u * run.stride + instance] * t7;
    let t11 = parameters[5u * run.stride + instance] * t6;
    let t12 = t11 - parameters[3u * run.stride + instance] * t8;
    let t13 = parameters[3u * run.stride + instance] * t7;
    let t14 = t13 - parameters[4u * run.stride + instance] * t6;
    let t15 = shared_values[1] * t6;
    let t16 = shared_values[1] * t7;
    let t17 = shared_values[1] * t8;
    let t18 = parameters[6u * run.stride + instance] * shared_values[10];
    let t19 = parameters[7u * run.stride + instance] * shared_values[10];
    let t20 = parameters[8u * run.stride + instance] * shared_values[10];
    let t21 = parameters[4u * run.stride + instance] * t20;
    let t22 = t21 - parameters[5u * run.stride + instance] * t19;
    let t23 = parameters[5u * run.stride + instance] * t18;
    let t24 = t23 - parameters[3u * run.stride + instance] * t20;
    let t25 = parameters[3u * run.stride + instance] * t19;
    let t26 = t25 - parameters[4u * run.stride + instance] * t18;
    let t27 = shared_values[1] * t18;
    let t28 = shared_values[1] * t19;
    let t29 = shared_values[1] * t20;
    let t30 = shared_values[2] * t1;
    let t31 = shared_values[2] * t3;
    let t32 = shared_values[2] * t5;
    let t33 = shared_values[2] / parameters[0u * run.stride + instance];
    let t34 = shared_values[2] / parameters[1u * run.stride + instance];
    let t35 = shared_values[2] / parameters[2u * run.stride + instance];
    let t36 = t10 * t33;
    let t37 = t12 * t34;
    let t38 = t14 * t35;
    let t39 = shared_values[2] * t15;
    let t40 = shared_values[2] * t16;
    let t41 = shared_values[2] * t17;
    let t42 = t22 * t33;
    let t43 = t24 * t34;
    let t44 = t26 * t35;
    let t45 = shared_values[2] * t27;
    let t46 = shared_values[2] * t28;
    let t47 = shared_values[2] * t29;
    let t48 = s.q1 * s.wx;
    let t49 = s.q2 * s.wy + t48;
    let t50 = s.q3 * s.wz + t49;
    let t51 = -(t50);
    let t52 = s.q0 * s.wx;
    let t53 = s.q2 * s.wz + t52;
    let t54 = t53 - s.q3 * s.wy;
    let t55 = s.q0 * s.wy;
    let t56 = s.q3 * s.wx + t55;
    let t57 = t56 - s.q1 * s.wz;
    let t58 = s.q0 * s.wz;
    let t59 = s.q1 * s.wy + t58;
    let t60 = t59 - s.q2 * s.wx;
    let t61 = s.wy * s.wz;
    let t62 = s.wx * s.wz;
    let t63 = s.wx * s.wy;
    let t64 = t30 * t61;
    let t65 = t31 * t62;
    let t66 = t32 * t63;
    let t67 = t36 + t64;
    let t68 = t37 + t65;
    let t69 = t38 + t66;
    let t70 = s.q3 * t40;
    let t71 = s.q2 * t41 - t70;
    let t72 = s.q1 * t41;
    let t73 = s.q3 * t39 - t72;
    let t74 = s.q2 * t39;
    let t75 = s.q1 * t40 - t74;
    let t76 = shared_values[3] * t71;
    let t77 = shared_values[3] * t73;
    let t78 = shared_values[3] * t75;
    let t79 = s.q2 * t78;
    let t80 = t79 - s.q3 * t77;
    let t81 = s.q3 * t76;
    let t82 = t81 - s.q1 * t78;
    let t83 = s.q1 * t77;
    let t84 = t83 - s.q2 * t76;
    let t85 = s.q0 * t76 + t80;
    let t86 = s.q0 * t77 + t82;
    let t87 = s.q0 * t78 + t84;
    let t88 = t39 + t85;
    let t89 = t40 + t86;
    let t90 = t41 + t87;
    let t91 = shared_values[6] * t51;
    let t92 = shared_values[6] * t54;
    let t93 = shared_values[6] * t57;
    let t94 = shared_values[6] * t60;
    let t95 = shared_values[4] * t91 + s.q0;
    let t96 = shared_values[4] * t92 + s.q1;
    let t97 = shared_values[4] * t93 + s.q2;
    let t98 = shared_values[4] * t94 + s.q3;
    let t99 = shared_values[4] * t67 + s.wx;
    let t100 = shared_values[4] * t68 + s.wy;
    let t101 = shared_values[4] * t69 + s.wz;
    let t102 = t96 * t99;
    let t103 = t97 * t100 + t102;
    let t104 = t98 * t101 + t103;
    let t105 = -(t104);
    let t106 = t95 * t99;
    let t107 = t97 * t101 + t106;
    let t108 = t107 - t98 * t100;
    let t109 = t95 * t100;
    let t110 = t98 * t99 + t109;
    let t111 = t110 - t96 * t101;
    let t112 = t95 * t101;
    let t113 = t96 * t100 + t112;
    let t114 = t113 - t97 * t99;
    let t115 = t100 * t101;
    let t116 = t99 * t101;
    let t117 = t99 * t100;
    let t118 = t30 * t115;
    let t119 = t31 * t116;
    let t120 = t32 * t117;
    let t121 = t36 + t118;
    let t122 = t37 + t119;
    let t123 = t38 + t120;
    let t124 = t40 * t98;
    let t125 = t41 * t97 - t124;
    let t126 = t41 * t96;
    let t127 = t39 * t98 - t126;
    let t128 = t39 * t97;
    let t129 = t40 * t96 - t128;
    let t130 = shared_values[3] * t125;
    let t131 = shared_values[3] * t127;
    let t132 = shared_values[3] * t129;
    let t133 = t97 * t132;
    let t134 = t133 - t98 * t131;
    let t135 = t98 * t130;
    let t136 = t135 - t96 * t132;
    let t137 = t96 * t131;
    let t138 = t137 - t97 * t130;
    let t139 = t95 * t130 + t134;
    let t140 = t95 * t131 + t136;
    let t141 = t95 * t132 + t138;
    let t142 = t39 + t139;
    let t143 = t40 + t140;
    let t144 = t41 + t141;
    let t145 = shared_values[6] * t105;
    let t146 = shared_values[6] * t108;
    let t147 = shared_values[6] * t111;
    let t148 = shared_values[6] * t114;
    let t149 = shared_values[4] * t145 + s.q0;
    let t150 = shared_values[4] * t146 + s.q1;
    let t151 = shared_values[4] * t147 + s.q2;
    let t152 = shared_values[4] * t148 + s.q3;
    let t153 = shared_values[4] * t121 + s.wx;
    let t154 = shared_values[4] * t122 + s.wy;
    let t155 = shared_values[4] * t123 + s.wz;
    let t156 = t150 * t153;
    let t157 = t151 * t154 + t156;
    let t158 = t152 * t155 + t157;
    let t159 = -(t158);
    let t160 = t149 * t153;
    let t161 = t151 * t155 + t160;
    let t162 = t161 - t152 * t154;
    let t163 = t149 * t154;
    let t164 = t152 * t153 + t163;
    let t165 = t164 - t150 * t155;
    let t166 = t149 * t155;
    let t167 = t150 * t154 + t166;
    let t168 = t167 - t151 * t153;
    let t169 = t154 * t155;
    let t170 = t153 * t155;
    let t171 = t153 * t154;
    let t172 = t30 * t169;
    let t173 = t31 * t170;
    let t174 = t32 * t171;
    let t175 = t36 + t172;
    let t176 = t37 + t173;
    let t177 = t38 + t174;
    let t178 = t40 * t152;
    let t179 = t41 * t151 - t178;
    let t180 = t41 * t150;
    let t181 = t39 * t152 - t180;
    let t182 = t39 * t151;
    let t183 = t40 * t150 - t182;
    let t184 = shared_values[3] * t179;
    let t185 = shared_values[3] * t181;
    let t186 = shared_values[3] * t183;
    let t187 = t151 * t186;
    let t188 = t187 - t152 * t185;
    let t189 = t152 * t184;
    let t190 = t189 - t150 * t186;
    let t191 = t150 * t185;
    let t192 = t191 - t151 * t184;
    let t193 = t149 * t184 + t188;
    let t194 = t149 * t185 + t190;
    let t195 = t149 * t186 + t192;
    let t196 = t39 + t193;
    let t197 = t40 + t194;
    let t198 = t41 + t195;
    let t199 = shared_values[6] * t159;
    let t200 = shared_values[6] * t162;
    let t201 = shared_values[6] * t165;
    let t202 = shared_values[6] * t168;
    let t203 = shared_values[3] * t145 + t91;
    let t204 = shared_values[3] * t146 + t92;
    let t205 = shared_values[3] * t147 + t93;
    let t206 = shared_values[3] * t148 + t94;
    let t207 = shared_values[3] * t121 + t67;
    let t208 = shared_values[3] * t122 + t68;
    let t209 = shared_values[3] * t123 + t69;
    let t210 = shared_values[3] * t142 + t88;
    let t211 = shared_values[3] * t143 + t89;
    let t212 = shared_values[3] * t144 + t90;
    let t213 = shared_values[3] * t199 + t203;
    let t214 = shared_values[3] * t200 + t204;
    let t215 = shared_values[3] * t201 + t205;
    let t216 = shared_values[3] * t202 + t206;
    let t217 = shared_values[3] * t175 + t207;
    let t218 = shared_values[3] * t176 + t208;
    let t219 = shared_values[3] * t177 + t209;
    let t220 = shared_values[3] * t196 + t210;
    let t221 = shared_values[3] * t197 + t211;
    let t222 = shared_values[3] * t198 + t212;
    let t223 = s.q0 + t199;
    let t224 = s.q1 + t200;
    let t225 = s.q2 + t201;
    let t226 = s.q3 + t202;
    let t227 = s.wx + t175;
    let t228 = s.wy + t176;
    let t229 = s.wz + t177;
    let t230 = t224 * t227;
    let t231 = t225 * t228 + t230;
    let t232 = t226 * t229 + t231;
    let t233 = t223 * t227;
    let t234 = t225 * t229 + t233;
    let t235 = t234 - t226 * t228;
    let t236 = t223 * t228;
    let t237 = t226 * t227 + t236;
    let t238 = t237 - t224 * t229;
    let t239 = t223 * t229;
    let t240 = t224 * t228 + t239;
    let t241 = t240 - t225 * t227;
    let t242 = t228 * t229;
    let t243 = t227 * t229;
    let t244 = t227 * t228;
    let t245 = t30 * t242 + t217;
    let t246 = t31 * t243 + t218;
    let t247 = t32 * t244 + t219;
    let t248 = t36 + t245;
    let t249 = t37 + t246;
    let t250 = t38 + t247;
    let t251 = t40 * t226;
    let t252 = t41 * t225 - t251;
    let t253 = t41 * t224;
    let t254 = t39 * t226 - t253;
    let t255 = t39 * t225;
    let t256 = t40 * t224 - t255;
    let t257 = shared_values[3] * t252;
    let t258 = shared_values[3] * t254;
    let t259 = shared_values[3] * t256;
    let t260 = t225 * t259 + t220;
    let t261 = t260 - t226 * t258;
    let t262 = t226 * t257 + t221;
    let t263 = t262 - t224 * t259;
    let t264 = t224 * t258 + t222;
    let t265 = t264 - t225 * t257;
    let t266 = t223 * t257 + t261;
    let t267 = t223 * t258 + t263;
    let t268 = t223 * t259 + t265;
    let t269 = t39 + t266;
    let t270 = t40 + t267;
    let t271 = t41 + t268;
    let t272 = t213 - shared_values[6] * t232;
    let t273 = shared_values[6] * t235 + t214;
    let t274 = shared_values[6] * t238 + t215;
    let t275 = shared_values[6] * t241 + t216;
    let t276 = shared_values[5] * t272 + s.q0;
    let t277 = shared_values[5] * t273 + s.q1;
    let t278 = shared_values[5] * t274 + s.q2;
    let t279 = shared_values[5] * t275 + s.q3;
    let t280 = shared_values[5] * t248 + s.wx;
    let t281 = shared_values[5] * t249 + s.wy;
    let t282 = shared_values[5] * t250 + s.wz;
    let t283 = shared_values[5] * t269 + s.vx;
    let t284 = shared_values[5] * t270 + s.vy;
    let t285 = shared_values[5] * t271 + s.vz;
    let t286 = t276 * t276;
    let t287 = t277 * t277 + t286;
    let t288 = t278 * t278 + t287;
    let t289 = t279 * t279 + t288;
    let t290 = sqrt(t289);
    let t291 = 1.0lf / t290;
    let t292 = t276 * t291;
    let t293 = t277 * t291;
    let t294 = t278 * t291;
    let t295 = t279 * t291;
    let t296 = t280 * t293;
    let t297 = t281 * t294 + t296;
    let t298 = t282 * t295 + t297;
    let t299 = -(t298);
    let t300 = t280 * t292;
    let t301 = t282 * t294 + t300;
    let t302 = t301 - t281 * t295;
    let t303 = t281 * t292;
    let t304 = t280 * t295 + t303;
    let t305 = t304 - t282 * t293;
    let t306 = t282 * t292;
    let t307 = t281 * t293 + t306;
    let t308 = t307 - t280 * t294;
    let t309 = t281 * t282;
    let t310 = t280 * t282;
    let t311 = t280 * t281;
    let t312 = t30 * t309;
    let t313 = t31 * t310;
    let t314 = t32 * t311;
    let t315 = t42 + t312;
    let t316 = t43 + t313;
    let t317 = t44 + t314;
    let t318 = t46 * t295;
    let t319 = t47 * t294 - t318;
    let t320 = t47 * t293;
    let t321 = t45 * t295 - t320;
    let t322 = t45 * t294;
    let t323 = t46 * t293 - t322;
    let t324 = shared_values[3] * t319;
    let t325 = shared_values[3] * t321;
    let t326 = shared_values[3] * t323;
    let t327 = t294 * t326;
    let t328 = t327 - t295 * t325;
    let t329 = t295 * t324;
    let t330 = t329 - t293 * t326;
    let t331 = t293 * t325;
    let t332 = t331 - t294 * t324;
    let t333 = t292 * t324 + t328;
    let t334 = t292 * t325 + t330;
    let t335 = t292 * t326 + t332;
    let t336 = t45 + t333;
    let t337 = t46 + t334;
    let t338 = t47 + t335;
    let t339 = shared_values[6] * t299;
    let t340 = shared_values[6] * t302;
    let t341 = shared_values[6] * t305;
    let t342 = shared_values[6] * t308;
    let t343 = shared_values[4] * t339 + t292;
    let t344 = shared_values[4] * t340 + t293;
    let t345 = shared_values[4] * t341 + t294;
    let t346 = shared_values[4] * t342 + t295;
    let t347 = shared_values[4] * t315 + t280;
    let t348 = shared_values[4] * t316 + t281;
    let t349 = shared_values[4] * t317 + t282;
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
    let t363 = t348 * t349;
    let t364 = t347 * t349;
    let t365 = t347 * t348;
    let t366 = t30 * t363;
    let t367 = t31 * t364;
    let t368 = t32 * t365;
    let t369 = t42 + t366;
    let t370 = t43 + t367;
    let t371 = t44 + t368;
    let t372 = t46 * t346;
    let t373 = t47 * t345 - t372;
    let t374 = t47 * t344;
    let t375 = t45 * t346 - t374;
    let t376 = t45 * t345;
    let t377 = t46 * t344 - t376;
    let t378 = shared_values[3] * t373;
    let t379 = shared_values[3] * t375;
    let t380 = shared_values[3] * t377;
    let t381 = t345 * t380;
    let t382 = t381 - t346 * t379;
    let t383 = t346 * t378;
    let t384 = t383 - t344 * t380;
    let t385 = t344 * t379;
    let t386 = t385 - t345 * t378;
    let t387 = t343 * t378 + t382;
    let t388 = t343 * t379 + t384;
    let t389 = t343 * t380 + t386;
    let t390 = t45 + t387;
    let t391 = t46 + t388;
    let t392 = t47 + t389;
    let t393 = shared_values[6] * t353;
    let t394 = shared_values[6] * t356;
    let t395 = shared_values[6] * t359;
    let t396 = shared_values[6] * t362;
    let t397 = shared_values[4] * t393 + t292;
    let t398 = shared_values[4] * t394 + t293;
    let t399 = shared_values[4] * t395 + t294;
    let t400 = shared_values[4] * t396 + t295;
    let t401 = shared_values[4] * t369 + t280;
    let t402 = shared_values[4] * t370 + t281;
    let t403 = shared_values[4] * t371 + t282;
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
    let t417 = t402 * t403;
    let t418 = t401 * t403;
    let t419 = t401 * t402;
    let t420 = t30 * t417;
    let t421 = t31 * t418;
    let t422 = t32 * t419;
    let t423 = t42 + t420;
    let t424 = t43 + t421;
    let t425 = t44 + t422;
    let t426 = t46 * t400;
    let t427 = t47 * t399 - t426;
    let t428 = t47 * t398;
    let t429 = t45 * t400 - t428;
    let t430 = t45 * t399;
    let t431 = t46 * t398 - t430;
    let t432 = shared_values[3] * t427;
    let t433 = shared_values[3] * t429;
    let t434 = shared_values[3] * t431;
    let t435 = t399 * t434;
    let t436 = t435 - t400 * t433;
    let t437 = t400 * t432;
    let t438 = t437 - t398 * t434;
    let t439 = t398 * t433;
    let t440 = t439 - t399 * t432;
    let t441 = t397 * t432 + t436;
    let t442 = t397 * t433 + t438;
    let t443 = t397 * t434 + t440;
    let t444 = t45 + t441;
    let t445 = t46 + t442;
    let t446 = t47 + t443;
    let t447 = shared_values[6] * t407;
    let t448 = shared_values[6] * t410;
    let t449 = shared_values[6] * t413;
    let t450 = shared_values[6] * t416;
    let t451 = shared_values[3] * t393 + t339;
    let t452 = shared_values[3] * t394 + t340;
    let t453 = shared_values[3] * t395 + t341;
    let t454 = shared_values[3] * t396 + t342;
    let t455 = shared_values[3] * t369 + t315;
    let t456 = shared_values[3] * t370 + t316;
    let t457 = shared_values[3] * t371 + t317;
    let t458 = shared_values[3] * t390 + t336;
    let t459 = shared_values[3] * t391 + t337;
    let t460 = shared_values[3] * t392 + t338;
    let t461 = shared_values[3] * t447 + t451;
    let t462 = shared_values[3] * t448 + t452;
    let t463 = shared_values[3] * t449 + t453;
    let t464 = shared_values[3] * t450 + t454;
    let t465 = shared_values[3] * t423 + t455;
    let t466 = shared_values[3] * t424 + t456;
    let t467 = shared_values[3] * t425 + t457;
    let t468 = shared_values[3] * t444 + t458;
    let t469 = shared_values[3] * t445 + t459;
    let t470 = shared_values[3] * t446 + t460;
    let t471 = t292 + t447;
    let t472 = t293 + t448;
    let t473 = t294 + t449;
    let t474 = t295 + t450;
    let t475 = t280 + t423;
    let t476 = t281 + t424;
    let t477 = t282 + t425;
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
    let t490 = t476 * t477;
    let t491 = t475 * t477;
    let t492 = t475 * t476;
    let t493 = t30 * t490 + t465;
    let t494 = t31 * t491 + t466;
    let t495 = t32 * t492 + t467;
    let t496 = t42 + t493;
    let t497 = t43 + t494;
    let t498 = t44 + t495;
    let t499 = t46 * t474;
    let t500 = t47 * t473 - t499;
    let t501 = t47 * t472;
    let t502 = t45 * t474 - t501;
    let t503 = t45 * t473;
    let t504 = t46 * t472 - t503;
    let t505 = shared_values[3] * t500;
    let t506 = shared_values[3] * t502;
    let t507 = shared_values[3] * t504;
    let t508 = t473 * t507 + t468;
    let t509 = t508 - t474 * t506;
    let t510 = t474 * t505 + t469;
    let t511 = t510 - t472 * t507;
    let t512 = t472 * t506 + t470;
    let t513 = t512 - t473 * t505;
    let t514 = t471 * t505 + t509;
    let t515 = t471 * t506 + t511;
    let t516 = t471 * t507 + t513;
    let t517 = t45 + t514;
    let t518 = t46 + t515;
    let t519 = t47 + t516;
    let t520 = t461 - shared_values[6] * t480;
    let t521 = shared_values[6] * t483 + t462;
    let t522 = shared_values[6] * t486 + t463;
    let t523 = shared_values[6] * t489 + t464;
    let t524 = shared_values[5] * t520 + t292;
    let t525 = shared_values[5] * t521 + t293;
    let t526 = shared_values[5] * t522 + t294;
    let t527 = shared_values[5] * t523 + t295;
    let t528 = shared_values[5] * t496 + t280;
    let t529 = shared_values[5] * t497 + t281;
    let t530 = shared_values[5] * t498 + t282;
    let t531 = shared_values[5] * t517 + t283;
    let t532 = shared_values[5] * t518 + t284;
    let t533 = shared_values[5] * t519 + t285;
    let t534 = t524 * t524;
    let t535 = t525 * t525 + t534;
    let t536 = t526 * t526 + t535;
    let t537 = t527 * t527 + t536;
    let t538 = sqrt(t537);
    let t539 = 1.0lf / t538;
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
    return EnergyChange(0.0lf, 0.0lf);
}

// The ensemble kernel: one invocation takes one instance from step `run.first` to step `run.end`, its state in
// registers, and stores it back. What is specific to a mechanism and a method stands before this text and is
// generated: `real`, `State`, `Prepared`, `prepare`, `step`, `restart`, `load_state`, `store_state`,
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
    // Steps between restarts of the half chain; 0: at step 0 alone.
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

fn restarts(k: u32) -> bool {
    if run.resynchronise == 0u {
        return k == 0u;
    }
    return k % run.resynchronise == 0u;
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
            if restarts(k) {
                s = restart(instance, s);
            }
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
