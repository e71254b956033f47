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

fn norm_error(s: State) -> real {
    var largest = real(0.0);
    largest = max(largest, abs(sqrt(s.q3 * s.q3 + (s.q2 * s.q2 + (s.q1 * s.q1 + s.q0 * s.q0))) - real(1.0)));
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
}

fn prepare(instance: u32) -> Prepared {
    let t0 = parameters[6u * run.stride + instance] * shared_values[8];
    let t1 = parameters[7u * run.stride + instance] * shared_values[8];
    let t2 = parameters[8u * run.stride + instance] * shared_values[8];
    let t3 = t2 * parameters[4u * run.stride + instance];
    let t4 = t3 - t1 * parameters[5u * run.stride + instance];
    let t5 = t0 * parameters[5u * run.stride + instance];
    let t6 = t5 - t2 * parameters[3u * run.stride + instance];
    let t7 = t1 * parameters[3u * run.stride + instance];
    let t8 = t7 - t0 * parameters[4u * run.stride + instance];
    let t9 = t0 * shared_values[3];
    let t10 = t1 * shared_values[3];
    let t11 = t2 * shared_values[3];
    let t12 = parameters[6u * run.stride + instance] * shared_values[9];
    let t13 = parameters[7u * run.stride + instance] * shared_values[9];
    let t14 = parameters[8u * run.stride + instance] * shared_values[9];
    let t15 = parameters[4u * run.stride + instance] * t14;
    let t16 = t15 - parameters[5u * run.stride + instance] * t13;
    let t17 = parameters[5u * run.stride + instance] * t12;
    let t18 = t17 - parameters[3u * run.stride + instance] * t14;
    let t19 = parameters[3u * run.stride + instance] * t13;
    let t20 = t19 - parameters[4u * run.stride + instance] * t12;
    let t21 = shared_values[3] * t12;
    let t22 = shared_values[3] * t13;
    let t23 = shared_values[3] * t14;
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
    p.c2 = shared_values[5];
    p.c3 = shared_values[6];
    p.c4 = t26;
    p.c5 = t29;
    p.c6 = t32;
    p.c7 = t36;
    p.c8 = t37;
    p.c9 = t38;
    p.c10 = t40;
    p.c11 = t41;
    p.c12 = t39;
    p.c13 = t42;
    p.c14 = t43;
    p.c15 = t44;
    p.c16 = t46;
    p.c17 = t47;
    p.c18 = t45;
    return p;
}

// One full step: 206 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.half_wy * s.half_wz;
    let t1 = s.half_wx * s.half_wz;
    let t2 = s.half_wx * s.half_wy;
    let t3 = p.c4 * t0 + s.wx;
    let t4 = p.c5 * t1 + s.wy;
    let t5 = p.c6 * t2 + s.wz;
    let t6 = t3 + p.c7;
    let t7 = t4 + p.c8;
    let t8 = t5 + p.c9;
    let t9 = s.half_q3 * p.c10;
    let t10 = s.half_q2 * p.c11 - t9;
    let t11 = s.half_q1 * p.c11;
    let t12 = s.half_q3 * p.c12 - t11;
    let t13 = s.half_q2 * p.c12;
    let t14 = s.half_q1 * p.c10 - t13;
    let t15 = p.c3 * t10;
    let t16 = p.c3 * t12;
    let t17 = p.c3 * t14;
    let t18 = s.half_q2 * t17 + s.vx;
    let t19 = t18 - s.half_q3 * t16;
    let t20 = s.half_q3 * t15 + s.vy;
    let t21 = t20 - s.half_q1 * t17;
    let t22 = s.half_q1 * t16 + s.vz;
    let t23 = t22 - s.half_q2 * t15;
    let t24 = s.half_q0 * t15 + t19;
    let t25 = s.half_q0 * t16 + t21;
    let t26 = s.half_q0 * t17 + t23;
    let t27 = p.c12 + t24;
    let t28 = p.c10 + t25;
    let t29 = p.c11 + t26;
    let t30 = s.half_wx * p.c2;
    let t31 = s.half_wy * p.c2;
    let t32 = s.half_wz * p.c2;
    let t33 = t30 * t30 + p.c1;
    let t34 = t31 * t31 + t33;
    let t35 = t32 * t32 + t34;
    let t36 = p.c3 / t35;
    let t37 = s.q0 - s.q1 * t30;
    let t38 = t37 - s.q2 * t31;
    let t39 = t38 - s.q3 * t32;
    let t40 = s.q0 * t30 + s.q1;
    let t41 = s.q2 * t32 + t40;
    let t42 = t41 - s.q3 * t31;
    let t43 = s.q0 * t31 + s.q2;
    let t44 = s.q3 * t30 + t43;
    let t45 = t44 - s.q1 * t32;
    let t46 = s.q0 * t32 + s.q3;
    let t47 = s.q1 * t31 + t46;
    let t48 = t47 - s.q2 * t30;
    let t49 = t36 * t39 - s.q0;
    let t50 = t36 * t42 - s.q1;
    let t51 = t36 * t45 - s.q2;
    let t52 = t36 * t48 - s.q3;
    let t53 = t49 * t49;
    let t54 = t50 * t50 + t53;
    let t55 = t51 * t51 + t54;
    let t56 = t52 * t52 + t55;
    let t57 = sqrt(t56);
    let t58 = p.c1 / t57;
    let t59 = t49 * t58;
    let t60 = t50 * t58;
    let t61 = t51 * t58;
    let t62 = t52 * t58;
    let t63 = s.half_vx * p.c0 + s.rx;
    let t64 = s.half_vy * p.c0 + s.ry;
    let t65 = s.half_vz * p.c0 + s.rz;
    let t66 = t7 * t8;
    let t67 = t6 * t8;
    let t68 = t6 * t7;
    let t69 = p.c4 * t66 + s.half_wx;
    let t70 = p.c5 * t67 + s.half_wy;
    let t71 = p.c6 * t68 + s.half_wz;
    let t72 = t69 + p.c13;
    let t73 = t70 + p.c14;
    let t74 = t71 + p.c15;
    let t75 = t62 * p.c16;
    let t76 = t61 * p.c17 - t75;
    let t77 = t60 * p.c17;
    let t78 = t62 * p.c18 - t77;
    let t79 = t61 * p.c18;
    let t80 = t60 * p.c16 - t79;
    let t81 = p.c3 * t76;
    let t82 = p.c3 * t78;
    let t83 = p.c3 * t80;
    let t84 = t61 * t83 + s.half_vx;
    let t85 = t84 - t62 * t82;
    let t86 = t62 * t81 + s.half_vy;
    let t87 = t86 - t60 * t83;
    let t88 = t60 * t82 + s.half_vz;
    let t89 = t88 - t61 * t81;
    let t90 = t59 * t81 + t85;
    let t91 = t59 * t82 + t87;
    let t92 = t59 * t83 + t89;
    let t93 = p.c18 + t90;
    let t94 = p.c16 + t91;
    let t95 = p.c17 + t92;
    let t96 = p.c2 * t6;
    let t97 = p.c2 * t7;
    let t98 = p.c2 * t8;
    let t99 = t96 * t96 + p.c1;
    let t100 = t97 * t97 + t99;
    let t101 = t98 * t98 + t100;
    let t102 = p.c3 / t101;
    let t103 = s.half_q0 - s.half_q1 * t96;
    let t104 = t103 - s.half_q2 * t97;
    let t105 = t104 - s.half_q3 * t98;
    let t106 = s.half_q0 * t96 + s.half_q1;
    let t107 = s.half_q2 * t98 + t106;
    let t108 = t107 - s.half_q3 * t97;
    let t109 = s.half_q0 * t97 + s.half_q2;
    let t110 = s.half_q3 * t96 + t109;
    let t111 = t110 - s.half_q1 * t98;
    let t112 = s.half_q0 * t98 + s.half_q3;
    let t113 = s.half_q1 * t97 + t112;
    let t114 = t113 - s.half_q2 * t96;
    let t115 = t102 * t105 - s.half_q0;
    let t116 = t102 * t108 - s.half_q1;
    let t117 = t102 * t111 - s.half_q2;
    let t118 = t102 * t114 - s.half_q3;
    let t119 = t115 * t115;
    let t120 = t116 * t116 + t119;
    let t121 = t117 * t117 + t120;
    let t122 = t118 * t118 + t121;
    let t123 = sqrt(t122);
    let t124 = p.c1 / t123;
    let t125 = t115 * t124;
    let t126 = t116 * t124;
    let t127 = t117 * t124;
    let t128 = t118 * t124;
    var next: State;
    next.q0 = t59;
    next.q1 = t60;
    next.q2 = t61;
    next.q3 = t62;
    next.wx = t6;
    next.wy = t7;
    next.wz = t8;
    next.rx = t63;
    next.ry = t64;
    next.rz = t65;
    next.vx = t27;
    next.vy = t28;
    next.vz = t29;
    next.half_q0 = t125;
    next.half_q1 = t126;
    next.half_q2 = t127;
    next.half_q3 = t128;
    next.half_wx = t72;
    next.half_wy = t73;
    next.half_wz = t74;
    next.half_vx = t93;
    next.half_vy = t94;
    next.half_vz = t95;
    return next;
}

// What the method carries, at the start. (844 operations.)
fn begin(instance: u32, s: State) -> State {
    let t0 = parameters[6u * run.stride + instance] * shared_values[10];
    let t1 = parameters[7u * run.stride + instance] * shared_values[10];
    let t2 = parameters[8u * run.stride + instance] * shared_values[10];
    let t3 = parameters[4u * run.stride + instance] * t2;
    let t4 = t3 - parameters[5u * run.stride + instance] * t1;
    let t5 = parameters[5u * run.stride + instance] * t0;
    let t6 = t5 - parameters[3u * run.stride + instance] * t2;
    let t7 = parameters[3u * run.stride + instance] * t1;
    let t8 = t7 - parameters[4u * run.stride + instance] * t0;
    let t9 = shared_values[3] * t0;
    let t10 = shared_values[3] * t1;
    let t11 = shared_values[3] * t2;
    let t12 = parameters[6u * run.stride + instance] * shared_values[13];
    let t13 = parameters[7u * run.stride + instance] * shared_values[13];
    let t14 = parameters[8u * run.stride + instance] * shared_values[13];
    let t15 = parameters[4u * run.stride + instance] * t14;
    let t16 = t15 - parameters[5u * run.stride + instance] * t13;
    let t17 = parameters[5u * run.stride + instance] * t12;
    let t18 = t17 - parameters[3u * run.stride + instance] * t14;
    let t19 = parameters[3u * run.stride + instance] * t13;
    let t20 = t19 - parameters[4u * run.stride + instance] * t12;
    let t21 = shared_values[3] * t12;
    let t22 = shared_values[3] * t13;
    let t23 = shared_values[3] * t14;
    let t24 = parameters[1u * run.stride + instance] - parameters[2u * run.stride + instance];
    let t25 = t24 / parameters[0u * run.stride + instance];
    let t26 = parameters[2u * run.stride + instance] - parameters[0u * run.stride + instance];
    let t27 = t26 / parameters[1u * run.stride + instance];
    let t28 = parameters[0u * run.stride + instance] - parameters[1u * run.stride + instance];
    let t29 = t28 / parameters[2u * run.stride + instance];
    let t30 = s.q0 * s.q0;
    let t31 = s.q1 * s.q1 + t30;
    let t32 = s.q2 * s.q2 + t31;
    let t33 = s.q3 * s.q3 + t32;
    let t34 = sqrt(t33);
    let t35 = shared_values[2] / t34;
    let t36 = s.q0 * t35;
    let t37 = s.q1 * t35;
    let t38 = s.q2 * t35;
    let t39 = s.q3 * t35;
    let t40 = shared_values[5] * t25;
    let t41 = shared_values[5] * t27;
    let t42 = shared_values[5] * t29;
    let t43 = s.wy * s.wz;
    let t44 = s.wx * s.wz;
    let t45 = s.wx * s.wy;
    let t46 = t40 * t43;
    let t47 = t41 * t44;
    let t48 = t42 * t45;
    let t49 = shared_values[5] / parameters[0u * run.stride + instance];
    let t50 = shared_values[5] / parameters[1u * run.stride + instance];
    let t51 = shared_values[5] / parameters[2u * run.stride + instance];
    let t52 = t4 * t49;
    let t53 = t6 * t50;
    let t54 = t8 * t51;
    let t55 = t46 + t52;
    let t56 = t47 + t53;
    let t57 = t48 + t54;
    let t58 = t9 * shared_values[5];
    let t59 = t10 * shared_values[5];
    let t60 = t11 * shared_values[5];
    let t61 = t39 * t59;
    let t62 = t38 * t60 - t61;
    let t63 = t37 * t60;
    let t64 = t39 * t58 - t63;
    let t65 = t38 * t58;
    let t66 = t37 * t59 - t65;
    let t67 = shared_values[6] * t62;
    let t68 = shared_values[6] * t64;
    let t69 = shared_values[6] * t66;
    let t70 = t38 * t69;
    let t71 = t70 - t39 * t68;
    let t72 = t39 * t67;
    let t73 = t72 - t37 * t69;
    let t74 = t37 * t68;
    let t75 = t74 - t38 * t67;
    let t76 = t36 * t67 + t71;
    let t77 = t36 * t68 + t73;
    let t78 = t36 * t69 + t75;
    let t79 = t58 + t76;
    let t80 = t59 + t77;
    let t81 = t60 + t78;
    let t82 = s.q1 * s.wx;
    let t83 = s.q2 * s.wy + t82;
    let t84 = s.q3 * s.wz + t83;
    let t85 = -(t84);
    let t86 = s.q0 * s.wx;
    let t87 = s.q2 * s.wz + t86;
    let t88 = t87 - s.q3 * s.wy;
    let t89 = s.q0 * s.wy;
    let t90 = s.q3 * s.wx + t89;
    let t91 = t90 - s.q1 * s.wz;
    let t92 = s.q0 * s.wz;
    let t93 = s.q1 * s.wy + t92;
    let t94 = t93 - s.q2 * s.wx;
    let t95 = shared_values[4] * t85;
    let t96 = shared_values[4] * t88;
    let t97 = shared_values[4] * t91;
    let t98 = shared_values[4] * t94;
    let t99 = shared_values[1] * t95 + s.q0;
    let t100 = shared_values[1] * t96 + s.q1;
    let t101 = shared_values[1] * t97 + s.q2;
    let t102 = shared_values[1] * t98 + s.q3;
    let t103 = shared_values[1] * t55 + s.wx;
    let t104 = shared_values[1] * t56 + s.wy;
    let t105 = shared_values[1] * t57 + s.wz;
    let t106 = t99 * t99;
    let t107 = t100 * t100 + t106;
    let t108 = t101 * t101 + t107;
    let t109 = t102 * t102 + t108;
    let t110 = sqrt(t109);
    let t111 = shared_values[2] / t110;
    let t112 = t99 * t111;
    let t113 = t100 * t111;
    let t114 = t101 * t111;
    let t115 = t102 * t111;
    let t116 = t104 * t105;
    let t117 = t103 * t105;
    let t118 = t103 * t104;
    let t119 = t40 * t116;
    let t120 = t41 * t117;
    let t121 = t42 * t118;
    let t122 = t52 + t119;
    let t123 = t53 + t120;
    let t124 = t54 + t121;
    let t125 = t59 * t115;
    let t126 = t60 * t114 - t125;
    let t127 = t60 * t113;
    let t128 = t58 * t115 - t127;
    let t129 = t58 * t114;
    let t130 = t59 * t113 - t129;
    let t131 = shared_values[6] * t126;
    let t132 = shared_values[6] * t128;
    let t133 = shared_values[6] * t130;
    let t134 = t114 * t133;
    let t135 = t134 - t115 * t132;
    let t136 = t115 * t131;
    let t137 = t136 - t113 * t133;
    let t138 = t113 * t132;
    let t139 = t138 - t114 * t131;
    let t140 = t112 * t131 + t135;
    let t141 = t112 * t132 + t137;
    let t142 = t112 * t133 + t139;
    let t143 = t58 + t140;
    let t144 = t59 + t141;
    let t145 = t60 + t142;
    let t146 = t100 * t103;
    let t147 = t101 * t104 + t146;
    let t148 = t102 * t105 + t147;
    let t149 = -(t148);
    let t150 = t99 * t103;
    let t151 = t101 * t105 + t150;
    let t152 = t151 - t102 * t104;
    let t153 = t99 * t104;
    let t154 = t102 * t103 + t153;
    let t155 = t154 - t100 * t105;
    let t156 = t99 * t105;
    let t157 = t100 * t104 + t156;
    let t158 = t157 - t101 * t103;
    let t159 = shared_values[4] * t149;
    let t160 = shared_values[4] * t152;
    let t161 = shared_values[4] * t155;
    let t162 = shared_values[4] * t158;
    let t163 = shared_values[1] * t159 + s.q0;
    let t164 = shared_values[1] * t160 + s.q1;
    let t165 = shared_values[1] * t161 + s.q2;
    let t166 = shared_values[1] * t162 + s.q3;
    let t167 = shared_values[1] * t122 + s.wx;
    let t168 = shared_values[1] * t123 + s.wy;
    let t169 = shared_values[1] * t124 + s.wz;
    let t170 = t163 * t163;
    let t171 = t164 * t164 + t170;
    let t172 = t165 * t165 + t171;
    let t173 = t166 * t166 + t172;
    let t174 = sqrt(t173);
    let t175 = shared_values[2] / t174;
    let t176 = t163 * t175;
    let t177 = t164 * t175;
    let t178 = t165 * t175;
    let t179 = t166 * t175;
    let t180 = t168 * t169;
    let t181 = t167 * t169;
    let t182 = t167 * t168;
    let t183 = t40 * t180;
    let t184 = t41 * t181;
    let t185 = t42 * t182;
    let t186 = t52 + t183;
    let t187 = t53 + t184;
    let t188 = t54 + t185;
    let t189 = t59 * t179;
    let t190 = t60 * t178 - t189;
    let t191 = t60 * t177;
    let t192 = t58 * t179 - t191;
    let t193 = t58 * t178;
    let t194 = t59 * t177 - t193;
    let t195 = shared_values[6] * t190;
    let t196 = shared_values[6] * t192;
    let t197 = shared_values[6] * t194;
    let t198 = t178 * t197;
    let t199 = t198 - t179 * t196;
    let t200 = t179 * t195;
    let t201 = t200 - t177 * t197;
    let t202 = t177 * t196;
    let t203 = t202 - t178 * t195;
    let t204 = t176 * t195 + t199;
    let t205 = t176 * t196 + t201;
    let t206 = t176 * t197 + t203;
    let t207 = t58 + t204;
    let t208 = t59 + t205;
    let t209 = t60 + t206;
    let t210 = t164 * t167;
    let t211 = t165 * t168 + t210;
    let t212 = t166 * t169 + t211;
    let t213 = -(t212);
    let t214 = t163 * t167;
    let t215 = t165 * t169 + t214;
    let t216 = t215 - t166 * t168;
    let t217 = t163 * t168;
    let t218 = t166 * t167 + t217;
    let t219 = t218 - t164 * t169;
    let t220 = t163 * t169;
    let t221 = t164 * t168 + t220;
    let t222 = t221 - t165 * t167;
    let t223 = shared_values[4] * t213;
    let t224 = shared_values[4] * t216;
    let t225 = shared_values[4] * t219;
    let t226 = shared_values[4] * t222;
    let t227 = shared_values[6] * t159 + t95;
    let t228 = shared_values[6] * t160 + t96;
    let t229 = shared_values[6] * t161 + t97;
    let t230 = shared_values[6] * t162 + t98;
    let t231 = shared_values[6] * t122 + t55;
    let t232 = shared_values[6] * t123 + t56;
    let t233 = shared_values[6] * t124 + t57;
    let t234 = shared_values[6] * t143 + t79;
    let t235 = shared_values[6] * t144 + t80;
    let t236 = shared_values[6] * t145 + t81;
    let t237 = shared_values[6] * t223 + t227;
    let t238 = shared_values[6] * t224 + t228;
    let t239 = shared_values[6] * t225 + t229;
    let t240 = shared_values[6] * t226 + t230;
    let t241 = shared_values[6] * t186 + t231;
    let t242 = shared_values[6] * t187 + t232;
    let t243 = shared_values[6] * t188 + t233;
    let t244 = shared_values[6] * t207 + t234;
    let t245 = shared_values[6] * t208 + t235;
    let t246 = shared_values[6] * t209 + t236;
    let t247 = s.q0 + t223;
    let t248 = s.q1 + t224;
    let t249 = s.q2 + t225;
    let t250 = s.q3 + t226;
    let t251 = s.wx + t186;
    let t252 = s.wy + t187;
    let t253 = s.wz + t188;
    let t254 = t247 * t247;
    let t255 = t248 * t248 + t254;
    let t256 = t249 * t249 + t255;
    let t257 = t250 * t250 + t256;
    let t258 = sqrt(t257);
    let t259 = shared_values[2] / t258;
    let t260 = t247 * t259;
    let t261 = t248 * t259;
    let t262 = t249 * t259;
    let t263 = t250 * t259;
    let t264 = t252 * t253;
    let t265 = t251 * t253;
    let t266 = t251 * t252;
    let t267 = t40 * t264 + t241;
    let t268 = t41 * t265 + t242;
    let t269 = t42 * t266 + t243;
    let t270 = t52 + t267;
    let t271 = t53 + t268;
    let t272 = t54 + t269;
    let t273 = t59 * t263;
    let t274 = t60 * t262 - t273;
    let t275 = t60 * t261;
    let t276 = t58 * t263 - t275;
    let t277 = t58 * t262;
    let t278 = t59 * t261 - t277;
    let t279 = shared_values[6] * t274;
    let t280 = shared_values[6] * t276;
    let t281 = shared_values[6] * t278;
    let t282 = t262 * t281 + t244;
    let t283 = t282 - t263 * t280;
    let t284 = t263 * t279 + t245;
    let t285 = t284 - t261 * t281;
    let t286 = t261 * t280 + t246;
    let t287 = t286 - t262 * t279;
    let t288 = t260 * t279 + t283;
    let t289 = t260 * t280 + t285;
    let t290 = t260 * t281 + t287;
    let t291 = t58 + t288;
    let t292 = t59 + t289;
    let t293 = t60 + t290;
    let t294 = t248 * t251;
    let t295 = t249 * t252 + t294;
    let t296 = t250 * t253 + t295;
    let t297 = t247 * t251;
    let t298 = t249 * t253 + t297;
    let t299 = t298 - t250 * t252;
    let t300 = t247 * t252;
    let t301 = t250 * t251 + t300;
    let t302 = t301 - t248 * t253;
    let t303 = t247 * t253;
    let t304 = t248 * t252 + t303;
    let t305 = t304 - t249 * t251;
    let t306 = t237 - shared_values[4] * t296;
    let t307 = shared_values[4] * t299 + t238;
    let t308 = shared_values[4] * t302 + t239;
    let t309 = shared_values[4] * t305 + t240;
    let t310 = shared_values[7] * t306 + s.q0;
    let t311 = shared_values[7] * t307 + s.q1;
    let t312 = shared_values[7] * t308 + s.q2;
    let t313 = shared_values[7] * t309 + s.q3;
    let t314 = shared_values[7] * t270 + s.wx;
    let t315 = shared_values[7] * t271 + s.wy;
    let t316 = shared_values[7] * t272 + s.wz;
    let t317 = shared_values[7] * t291 + s.vx;
    let t318 = shared_values[7] * t292 + s.vy;
    let t319 = shared_values[7] * t293 + s.vz;
    let t320 = t310 * t310;
    let t321 = t311 * t311 + t320;
    let t322 = t312 * t312 + t321;
    let t323 = t313 * t313 + t322;
    let t324 = sqrt(t323);
    let t325 = shared_values[2] / t324;
    let t326 = t310 * t325;
    let t327 = t311 * t325;
    let t328 = t312 * t325;
    let t329 = t313 * t325;
    let t330 = t326 * t326;
    let t331 = t327 * t327 + t330;
    let t332 = t328 * t328 + t331;
    let t333 = t329 * t329 + t332;
    let t334 = sqrt(t333);
    let t335 = shared_values[2] / t334;
    let t336 = t326 * t335;
    let t337 = t327 * t335;
    let t338 = t328 * t335;
    let t339 = t329 * t335;
    let t340 = t315 * t316;
    let t341 = t314 * t316;
    let t342 = t314 * t315;
    let t343 = t40 * t340;
    let t344 = t41 * t341;
    let t345 = t42 * t342;
    let t346 = t16 * t49;
    let t347 = t18 * t50;
    let t348 = t20 * t51;
    let t349 = t343 + t346;
    let t350 = t344 + t347;
    let t351 = t345 + t348;
    let t352 = shared_values[5] * t21;
    let t353 = shared_values[5] * t22;
    let t354 = shared_values[5] * t23;
    let t355 = t339 * t353;
    let t356 = t338 * t354 - t355;
    let t357 = t337 * t354;
    let t358 = t339 * t352 - t357;
    let t359 = t338 * t352;
    let t360 = t337 * t353 - t359;
    let t361 = shared_values[6] * t356;
    let t362 = shared_values[6] * t358;
    let t363 = shared_values[6] * t360;
    let t364 = t338 * t363;
    let t365 = t364 - t339 * t362;
    let t366 = t339 * t361;
    let t367 = t366 - t337 * t363;
    let t368 = t337 * t362;
    let t369 = t368 - t338 * t361;
    let t370 = t336 * t361 + t365;
    let t371 = t336 * t362 + t367;
    let t372 = t336 * t363 + t369;
    let t373 = t352 + t370;
    let t374 = t353 + t371;
    let t375 = t354 + t372;
    let t376 = t314 * t327;
    let t377 = t315 * t328 + t376;
    let t378 = t316 * t329 + t377;
    let t379 = -(t378);
    let t380 = t314 * t326;
    let t381 = t316 * t328 + t380;
    let t382 = t381 - t315 * t329;
    let t383 = t315 * t326;
    let t384 = t314 * t329 + t383;
    let t385 = t384 - t316 * t327;
    let t386 = t316 * t326;
    let t387 = t315 * t327 + t386;
    let t388 = t387 - t314 * t328;
    let t389 = shared_values[4] * t379;
    let t390 = shared_values[4] * t382;
    let t391 = shared_values[4] * t385;
    let t392 = shared_values[4] * t388;
    let t393 = shared_values[1] * t389 + t326;
    let t394 = shared_values[1] * t390 + t327;
    let t395 = shared_values[1] * t391 + t328;
    let t396 = shared_values[1] * t392 + t329;
    let t397 = shared_values[1] * t349 + t314;
    let t398 = shared_values[1] * t350 + t315;
    let t399 = shared_values[1] * t351 + t316;
    let t400 = t393 * t393;
    let t401 = t394 * t394 + t400;
    let t402 = t395 * t395 + t401;
    let t403 = t396 * t396 + t402;
    let t404 = sqrt(t403);
    let t405 = shared_values[2] / t404;
    let t406 = t393 * t405;
    let t407 = t394 * t405;
    let t408 = t395 * t405;
    let t409 = t396 * t405;
    let t410 = t398 * t399;
    let t411 = t397 * t399;
    let t412 = t397 * t398;
    let t413 = t40 * t410;
    let t414 = t41 * t411;
    let t415 = t42 * t412;
    let t416 = t346 + t413;
    let t417 = t347 + t414;
    let t418 = t348 + t415;
    let t419 = t353 * t409;
    let t420 = t354 * t408 - t419;
    let t421 = t354 * t407;
    let t422 = t352 * t409 - t421;
    let t423 = t352 * t408;
    let t424 = t353 * t407 - t423;
    let t425 = shared_values[6] * t420;
    let t426 = shared_values[6] * t422;
    let t427 = shared_values[6] * t424;
    let t428 = t408 * t427;
    let t429 = t428 - t409 * t426;
    let t430 = t409 * t425;
    let t431 = t430 - t407 * t427;
    let t432 = t407 * t426;
    let t433 = t432 - t408 * t425;
    let t434 = t406 * t425 + t429;
    let t435 = t406 * t426 + t431;
    let t436 = t406 * t427 + t433;
    let t437 = t352 + t434;
    let t438 = t353 + t435;
    let t439 = t354 + t436;
    let t440 = t394 * t397;
    let t441 = t395 * t398 + t440;
    let t442 = t396 * t399 + t441;
    let t443 = -(t442);
    let t444 = t393 * t397;
    let t445 = t395 * t399 + t444;
    let t446 = t445 - t396 * t398;
    let t447 = t393 * t398;
    let t448 = t396 * t397 + t447;
    let t449 = t448 - t394 * t399;
    let t450 = t393 * t399;
    let t451 = t394 * t398 + t450;
    let t452 = t451 - t395 * t397;
    let t453 = shared_values[4] * t443;
    let t454 = shared_values[4] * t446;
    let t455 = shared_values[4] * t449;
    let t456 = shared_values[4] * t452;
    let t457 = shared_values[1] * t453 + t326;
    let t458 = shared_values[1] * t454 + t327;
    let t459 = shared_values[1] * t455 + t328;
    let t460 = shared_values[1] * t456 + t329;
    let t461 = shared_values[1] * t416 + t314;
    let t462 = shared_values[1] * t417 + t315;
    let t463 = shared_values[1] * t418 + t316;
    let t464 = t457 * t457;
    let t465 = t458 * t458 + t464;
    let t466 = t459 * t459 + t465;
    let t467 = t460 * t460 + t466;
    let t468 = sqrt(t467);
    let t469 = shared_values[2] / t468;
    let t470 = t457 * t469;
    let t471 = t458 * t469;
    let t472 = t459 * t469;
    let t473 = t460 * t469;
    let t474 = t462 * t463;
    let t475 = t461 * t463;
    let t476 = t461 * t462;
    let t477 = t40 * t474;
    let t478 = t41 * t475;
    let t479 = t42 * t476;
    let t480 = t346 + t477;
    let t481 = t347 + t478;
    let t482 = t348 + t479;
    let t483 = t353 * t473;
    let t484 = t354 * t472 - t483;
    let t485 = t354 * t471;
    let t486 = t352 * t473 - t485;
    let t487 = t352 * t472;
    let t488 = t353 * t471 - t487;
    let t489 = shared_values[6] * t484;
    let t490 = shared_values[6] * t486;
    let t491 = shared_values[6] * t488;
    let t492 = t472 * t491;
    let t493 = t492 - t473 * t490;
    let t494 = t473 * t489;
    let t495 = t494 - t471 * t491;
    let t496 = t471 * t490;
    let t497 = t496 - t472 * t489;
    let t498 = t470 * t489 + t493;
    let t499 = t470 * t490 + t495;
    let t500 = t470 * t491 + t497;
    let t501 = t352 + t498;
    let t502 = t353 + t499;
    let t503 = t354 + t500;
    let t504 = t458 * t461;
    let t505 = t459 * t462 + t504;
    let t506 = t460 * t463 + t505;
    let t507 = -(t506);
    let t508 = t457 * t461;
    let t509 = t459 * t463 + t508;
    let t510 = t509 - t460 * t462;
    let t511 = t457 * t462;
    let t512 = t460 * t461 + t511;
    let t513 = t512 - t458 * t463;
    let t514 = t457 * t463;
    let t515 = t458 * t462 + t514;
    let t516 = t515 - t459 * t461;
    let t517 = shared_values[4] * t507;
    let t518 = shared_values[4] * t510;
    let t519 = shared_values[4] * t513;
    let t520 = shared_values[4] * t516;
    let t521 = shared_values[6] * t453 + t389;
    let t522 = shared_values[6] * t454 + t390;
    let t523 = shared_values[6] * t455 + t391;
    let t524 = shared_values[6] * t456 + t392;
    let t525 = shared_values[6] * t416 + t349;
    let t526 = shared_values[6] * t417 + t350;
    let t527 = shared_values[6] * t418 + t351;
    let t528 = shared_values[6] * t437 + t373;
    let t529 = shared_values[6] * t438 + t374;
    let t530 = shared_values[6] * t439 + t375;
    let t531 = shared_values[6] * t517 + t521;
    let t532 = shared_values[6] * t518 + t522;
    let t533 = shared_values[6] * t519 + t523;
    let t534 = shared_values[6] * t520 + t524;
    let t535 = shared_values[6] * t480 + t525;
    let t536 = shared_values[6] * t481 + t526;
    let t537 = shared_values[6] * t482 + t527;
    let t538 = shared_values[6] * t501 + t528;
    let t539 = shared_values[6] * t502 + t529;
    let t540 = shared_values[6] * t503 + t530;
    let t541 = t326 + t517;
    let t542 = t327 + t518;
    let t543 = t328 + t519;
    let t544 = t329 + t520;
    let t545 = t314 + t480;
    let t546 = t315 + t481;
    let t547 = t316 + t482;
    let t548 = t541 * t541;
    let t549 = t542 * t542 + t548;
    let t550 = t543 * t543 + t549;
    let t551 = t544 * t544 + t550;
    let t552 = sqrt(t551);
    let t553 = shared_values[2] / t552;
    let t554 = t541 * t553;
    let t555 = t542 * t553;
    let t556 = t543 * t553;
    let t557 = t544 * t553;
    let t558 = t546 * t547;
    let t559 = t545 * t547;
    let t560 = t545 * t546;
    let t561 = t40 * t558 + t535;
    let t562 = t41 * t559 + t536;
    let t563 = t42 * t560 + t537;
    let t564 = t346 + t561;
    let t565 = t347 + t562;
    let t566 = t348 + t563;
    let t567 = t353 * t557;
    let t568 = t354 * t556 - t567;
    let t569 = t354 * t555;
    let t570 = t352 * t557 - t569;
    let t571 = t352 * t556;
    let t572 = t353 * t555 - t571;
    let t573 = shared_values[6] * t568;
    let t574 = shared_values[6] * t570;
    let t575 = shared_values[6] * t572;
    let t576 = t556 * t575 + t538;
    let t577 = t576 - t557 * t574;
    let t578 = t557 * t573 + t539;
    let t579 = t578 - t555 * t575;
    let t580 = t555 * t574 + t540;
    let t581 = t580 - t556 * t573;
    let t582 = t554 * t573 + t577;
    let t583 = t554 * t574 + t579;
    let t584 = t554 * t575 + t581;
    let t585 = t352 + t582;
    let t586 = t353 + t583;
    let t587 = t354 + t584;
    let t588 = t542 * t545;
    let t589 = t543 * t546 + t588;
    let t590 = t544 * t547 + t589;
    let t591 = t541 * t545;
    let t592 = t543 * t547 + t591;
    let t593 = t592 - t544 * t546;
    let t594 = t541 * t546;
    let t595 = t544 * t545 + t594;
    let t596 = t595 - t542 * t547;
    let t597 = t541 * t547;
    let t598 = t542 * t546 + t597;
    let t599 = t598 - t543 * t545;
    let t600 = t531 - shared_values[4] * t590;
    let t601 = shared_values[4] * t593 + t532;
    let t602 = shared_values[4] * t596 + t533;
    let t603 = shared_values[4] * t599 + t534;
    let t604 = shared_values[7] * t600 + t326;
    let t605 = shared_values[7] * t601 + t327;
    let t606 = shared_values[7] * t602 + t328;
    let t607 = shared_values[7] * t603 + t329;
    let t608 = shared_values[7] * t564 + t314;
    let t609 = shared_values[7] * t565 + t315;
    let t610 = shared_values[7] * t566 + t316;
    let t611 = shared_values[7] * t585 + t317;
    let t612 = shared_values[7] * t586 + t318;
    let t613 = shared_values[7] * t587 + t319;
    let t614 = t604 * t604;
    let t615 = t605 * t605 + t614;
    let t616 = t606 * t606 + t615;
    let t617 = t607 * t607 + t616;
    let t618 = sqrt(t617);
    let t619 = shared_values[2] / t618;
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

// What the method carries after it was resynchronised: as at the start, but for what follows.
fn resynchronised(instance: u32, s: State) -> State {
    var next = begin(instance, s);
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
// `is_finite_state`, `norm_error`, `energy_change`, and the constants of the verdict bounds.
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
        if norm_error(s) > NORM_BOUND_VALUE {
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
