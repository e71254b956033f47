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

fn flushed(s: State) -> State {
    var next: State;
    next.q0 = flushed_real(s.q0);
    next.q1 = flushed_real(s.q1);
    next.q2 = flushed_real(s.q2);
    next.q3 = flushed_real(s.q3);
    next.wx = flushed_real(s.wx);
    next.wy = flushed_real(s.wy);
    next.wz = flushed_real(s.wz);
    next.rx = flushed_real(s.rx);
    next.ry = flushed_real(s.ry);
    next.rz = flushed_real(s.rz);
    next.vx = flushed_real(s.vx);
    next.vy = flushed_real(s.vy);
    next.vz = flushed_real(s.vz);
    next.half_q0 = flushed_real(s.half_q0);
    next.half_q1 = flushed_real(s.half_q1);
    next.half_q2 = flushed_real(s.half_q2);
    next.half_q3 = flushed_real(s.half_q3);
    next.half_wx = flushed_real(s.half_wx);
    next.half_wy = flushed_real(s.half_wy);
    next.half_wz = flushed_real(s.half_wz);
    next.half_vx = flushed_real(s.half_vx);
    next.half_vy = flushed_real(s.half_vy);
    next.half_vz = flushed_real(s.half_vz);
    return next;
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
const NORM_BOUND_VALUE: real = 1e-6lf;

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
    c19: real,
    c20: real,
}

fn prepare(instance: u32) -> Prepared {
    let t0 = parameters[6u * run.stride + instance] * shared_values[9];
    let t1 = parameters[7u * run.stride + instance] * shared_values[9];
    let t2 = parameters[8u * run.stride + instance] * shared_values[9];
    let t3 = t2 * parameters[4u * run.stride + instance];
    let t4 = t3 - t1 * parameters[5u * run.stride + instance];
    let t5 = t0 * parameters[5u * run.stride + instance];
    let t6 = t5 - t2 * parameters[3u * run.stride + instance];
    let t7 = t1 * parameters[3u * run.stride + instance];
    let t8 = t7 - t0 * parameters[4u * run.stride + instance];
    let t9 = t0 * shared_values[3];
    let t10 = t1 * shared_values[3];
    let t11 = t2 * shared_values[3];
    let t12 = parameters[6u * run.stride + instance] * shared_values[10];
    let t13 = parameters[7u * run.stride + instance] * shared_values[10];
    let t14 = parameters[8u * run.stride + instance] * shared_values[10];
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
    p.c1 = shared_values[1];
    p.c2 = shared_values[2];
    p.c3 = shared_values[5];
    p.c4 = shared_values[6];
    p.c5 = shared_values[7];
    p.c6 = t26;
    p.c7 = t29;
    p.c8 = t32;
    p.c9 = t36;
    p.c10 = t37;
    p.c11 = t38;
    p.c12 = t40;
    p.c13 = t41;
    p.c14 = t39;
    p.c15 = t42;
    p.c16 = t43;
    p.c17 = t44;
    p.c18 = t46;
    p.c19 = t47;
    p.c20 = t45;
    return p;
}

// One full step: 206 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.half_wy * s.half_wz;
    let t1 = s.half_wx * s.half_wz;
    let t2 = s.half_wx * s.half_wy;
    let t3 = p.c6 * t0 + s.wx;
    let t4 = p.c7 * t1 + s.wy;
    let t5 = p.c8 * t2 + s.wz;
    let t6 = t3 + p.c9;
    let t7 = t4 + p.c10;
    let t8 = t5 + p.c11;
    let t9 = s.half_q3 * p.c12;
    let t10 = s.half_q2 * p.c13 - t9;
    let t11 = s.half_q1 * p.c13;
    let t12 = s.half_q3 * p.c14 - t11;
    let t13 = s.half_q2 * p.c14;
    let t14 = s.half_q1 * p.c12 - t13;
    let t15 = p.c4 * t10;
    let t16 = p.c4 * t12;
    let t17 = p.c4 * t14;
    let t18 = s.half_q2 * t17 + s.vx;
    let t19 = t18 - s.half_q3 * t16;
    let t20 = s.half_q3 * t15 + s.vy;
    let t21 = t20 - s.half_q1 * t17;
    let t22 = s.half_q1 * t16 + s.vz;
    let t23 = t22 - s.half_q2 * t15;
    let t24 = s.half_q0 * t15 + t19;
    let t25 = s.half_q0 * t16 + t21;
    let t26 = s.half_q0 * t17 + t23;
    let t27 = p.c14 + t24;
    let t28 = p.c12 + t25;
    let t29 = p.c13 + t26;
    let t30 = s.half_wx * p.c3;
    let t31 = s.half_wy * p.c3;
    let t32 = s.half_wz * p.c3;
    let t33 = t30 * t30 + p.c2;
    let t34 = t31 * t31 + t33;
    let t35 = t32 * t32 + t34;
    let t36 = p.c4 / t35;
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
    let t57 = p.c5 - p.c1 * t56;
    let t58 = t49 * t57;
    let t59 = t50 * t57;
    let t60 = t51 * t57;
    let t61 = t52 * t57;
    let t62 = s.half_vx * p.c0 + s.rx;
    let t63 = s.half_vy * p.c0 + s.ry;
    let t64 = s.half_vz * p.c0 + s.rz;
    let t65 = t7 * t8;
    let t66 = t6 * t8;
    let t67 = t6 * t7;
    let t68 = p.c6 * t65 + s.half_wx;
    let t69 = p.c7 * t66 + s.half_wy;
    let t70 = p.c8 * t67 + s.half_wz;
    let t71 = t68 + p.c15;
    let t72 = t69 + p.c16;
    let t73 = t70 + p.c17;
    let t74 = t61 * p.c18;
    let t75 = t60 * p.c19 - t74;
    let t76 = t59 * p.c19;
    let t77 = t61 * p.c20 - t76;
    let t78 = t60 * p.c20;
    let t79 = t59 * p.c18 - t78;
    let t80 = p.c4 * t75;
    let t81 = p.c4 * t77;
    let t82 = p.c4 * t79;
    let t83 = t60 * t82 + s.half_vx;
    let t84 = t83 - t61 * t81;
    let t85 = t61 * t80 + s.half_vy;
    let t86 = t85 - t59 * t82;
    let t87 = t59 * t81 + s.half_vz;
    let t88 = t87 - t60 * t80;
    let t89 = t58 * t80 + t84;
    let t90 = t58 * t81 + t86;
    let t91 = t58 * t82 + t88;
    let t92 = p.c20 + t89;
    let t93 = p.c18 + t90;
    let t94 = p.c19 + t91;
    let t95 = p.c3 * t6;
    let t96 = p.c3 * t7;
    let t97 = p.c3 * t8;
    let t98 = t95 * t95 + p.c2;
    let t99 = t96 * t96 + t98;
    let t100 = t97 * t97 + t99;
    let t101 = p.c4 / t100;
    let t102 = s.half_q0 - s.half_q1 * t95;
    let t103 = t102 - s.half_q2 * t96;
    let t104 = t103 - s.half_q3 * t97;
    let t105 = s.half_q0 * t95 + s.half_q1;
    let t106 = s.half_q2 * t97 + t105;
    let t107 = t106 - s.half_q3 * t96;
    let t108 = s.half_q0 * t96 + s.half_q2;
    let t109 = s.half_q3 * t95 + t108;
    let t110 = t109 - s.half_q1 * t97;
    let t111 = s.half_q0 * t97 + s.half_q3;
    let t112 = s.half_q1 * t96 + t111;
    let t113 = t112 - s.half_q2 * t95;
    let t114 = t101 * t104 - s.half_q0;
    let t115 = t101 * t107 - s.half_q1;
    let t116 = t101 * t110 - s.half_q2;
    let t117 = t101 * t113 - s.half_q3;
    let t118 = t114 * t114;
    let t119 = t115 * t115 + t118;
    let t120 = t116 * t116 + t119;
    let t121 = t117 * t117 + t120;
    let t122 = p.c5 - p.c1 * t121;
    let t123 = t114 * t122;
    let t124 = t115 * t122;
    let t125 = t116 * t122;
    let t126 = t117 * t122;
    var next: State;
    next.q0 = t58;
    next.q1 = t59;
    next.q2 = t60;
    next.q3 = t61;
    next.wx = t6;
    next.wy = t7;
    next.wz = t8;
    next.rx = t62;
    next.ry = t63;
    next.rz = t64;
    next.vx = t27;
    next.vy = t28;
    next.vz = t29;
    next.half_q0 = t123;
    next.half_q1 = t124;
    next.half_q2 = t125;
    next.half_q3 = t126;
    next.half_wx = t71;
    next.half_wy = t72;
    next.half_wz = t73;
    next.half_vx = t92;
    next.half_vy = t93;
    next.half_vz = t94;
    return next;
}

// What the method carries, at the start. (844 operations.)
fn begin(instance: u32, s: State) -> State {
    let t0 = parameters[6u * run.stride + instance] * shared_values[11];
    let t1 = parameters[7u * run.stride + instance] * shared_values[11];
    let t2 = parameters[8u * run.stride + instance] * shared_values[11];
    let t3 = parameters[4u * run.stride + instance] * t2;
    let t4 = t3 - parameters[5u * run.stride + instance] * t1;
    let t5 = parameters[5u * run.stride + instance] * t0;
    let t6 = t5 - parameters[3u * run.stride + instance] * t2;
    let t7 = parameters[3u * run.stride + instance] * t1;
    let t8 = t7 - parameters[4u * run.stride + instance] * t0;
    let t9 = shared_values[3] * t0;
    let t10 = shared_values[3] * t1;
    let t11 = shared_values[3] * t2;
    let t12 = parameters[6u * run.stride + instance] * shared_values[14];
    let t13 = parameters[7u * run.stride + instance] * shared_values[14];
    let t14 = parameters[8u * run.stride + instance] * shared_values[14];
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
    let t85 = s.q0 * s.wx;
    let t86 = s.q2 * s.wz + t85;
    let t87 = t86 - s.q3 * s.wy;
    let t88 = s.q0 * s.wy;
    let t89 = s.q3 * s.wx + t88;
    let t90 = t89 - s.q1 * s.wz;
    let t91 = s.q0 * s.wz;
    let t92 = s.q1 * s.wy + t91;
    let t93 = t92 - s.q2 * s.wx;
    let t94 = shared_values[4] * t84;
    let t95 = shared_values[4] * t87;
    let t96 = shared_values[4] * t90;
    let t97 = shared_values[4] * t93;
    let t98 = s.q0 - shared_values[1] * t94;
    let t99 = shared_values[1] * t95 + s.q1;
    let t100 = shared_values[1] * t96 + s.q2;
    let t101 = shared_values[1] * t97 + s.q3;
    let t102 = shared_values[1] * t55 + s.wx;
    let t103 = shared_values[1] * t56 + s.wy;
    let t104 = shared_values[1] * t57 + s.wz;
    let t105 = t98 * t98;
    let t106 = t99 * t99 + t105;
    let t107 = t100 * t100 + t106;
    let t108 = t101 * t101 + t107;
    let t109 = sqrt(t108);
    let t110 = shared_values[2] / t109;
    let t111 = t98 * t110;
    let t112 = t99 * t110;
    let t113 = t100 * t110;
    let t114 = t101 * t110;
    let t115 = t103 * t104;
    let t116 = t102 * t104;
    let t117 = t102 * t103;
    let t118 = t40 * t115;
    let t119 = t41 * t116;
    let t120 = t42 * t117;
    let t121 = t52 + t118;
    let t122 = t53 + t119;
    let t123 = t54 + t120;
    let t124 = t59 * t114;
    let t125 = t60 * t113 - t124;
    let t126 = t60 * t112;
    let t127 = t58 * t114 - t126;
    let t128 = t58 * t113;
    let t129 = t59 * t112 - t128;
    let t130 = shared_values[6] * t125;
    let t131 = shared_values[6] * t127;
    let t132 = shared_values[6] * t129;
    let t133 = t113 * t132;
    let t134 = t133 - t114 * t131;
    let t135 = t114 * t130;
    let t136 = t135 - t112 * t132;
    let t137 = t112 * t131;
    let t138 = t137 - t113 * t130;
    let t139 = t111 * t130 + t134;
    let t140 = t111 * t131 + t136;
    let t141 = t111 * t132 + t138;
    let t142 = t58 + t139;
    let t143 = t59 + t140;
    let t144 = t60 + t141;
    let t145 = t99 * t102;
    let t146 = t100 * t103 + t145;
    let t147 = t101 * t104 + t146;
    let t148 = t98 * t102;
    let t149 = t100 * t104 + t148;
    let t150 = t149 - t101 * t103;
    let t151 = t98 * t103;
    let t152 = t101 * t102 + t151;
    let t153 = t152 - t99 * t104;
    let t154 = t98 * t104;
    let t155 = t99 * t103 + t154;
    let t156 = t155 - t100 * t102;
    let t157 = shared_values[4] * t147;
    let t158 = shared_values[4] * t150;
    let t159 = shared_values[4] * t153;
    let t160 = shared_values[4] * t156;
    let t161 = s.q0 - shared_values[1] * t157;
    let t162 = shared_values[1] * t158 + s.q1;
    let t163 = shared_values[1] * t159 + s.q2;
    let t164 = shared_values[1] * t160 + s.q3;
    let t165 = shared_values[1] * t121 + s.wx;
    let t166 = shared_values[1] * t122 + s.wy;
    let t167 = shared_values[1] * t123 + s.wz;
    let t168 = t161 * t161;
    let t169 = t162 * t162 + t168;
    let t170 = t163 * t163 + t169;
    let t171 = t164 * t164 + t170;
    let t172 = sqrt(t171);
    let t173 = shared_values[2] / t172;
    let t174 = t161 * t173;
    let t175 = t162 * t173;
    let t176 = t163 * t173;
    let t177 = t164 * t173;
    let t178 = t166 * t167;
    let t179 = t165 * t167;
    let t180 = t165 * t166;
    let t181 = t40 * t178;
    let t182 = t41 * t179;
    let t183 = t42 * t180;
    let t184 = t52 + t181;
    let t185 = t53 + t182;
    let t186 = t54 + t183;
    let t187 = t59 * t177;
    let t188 = t60 * t176 - t187;
    let t189 = t60 * t175;
    let t190 = t58 * t177 - t189;
    let t191 = t58 * t176;
    let t192 = t59 * t175 - t191;
    let t193 = shared_values[6] * t188;
    let t194 = shared_values[6] * t190;
    let t195 = shared_values[6] * t192;
    let t196 = t176 * t195;
    let t197 = t196 - t177 * t194;
    let t198 = t177 * t193;
    let t199 = t198 - t175 * t195;
    let t200 = t175 * t194;
    let t201 = t200 - t176 * t193;
    let t202 = t174 * t193 + t197;
    let t203 = t174 * t194 + t199;
    let t204 = t174 * t195 + t201;
    let t205 = t58 + t202;
    let t206 = t59 + t203;
    let t207 = t60 + t204;
    let t208 = t162 * t165;
    let t209 = t163 * t166 + t208;
    let t210 = t164 * t167 + t209;
    let t211 = t161 * t165;
    let t212 = t163 * t167 + t211;
    let t213 = t212 - t164 * t166;
    let t214 = t161 * t166;
    let t215 = t164 * t165 + t214;
    let t216 = t215 - t162 * t167;
    let t217 = t161 * t167;
    let t218 = t162 * t166 + t217;
    let t219 = t218 - t163 * t165;
    let t220 = shared_values[4] * t210;
    let t221 = shared_values[4] * t213;
    let t222 = shared_values[4] * t216;
    let t223 = shared_values[4] * t219;
    let t224 = shared_values[6] * t157 + t94;
    let t225 = shared_values[6] * t158 + t95;
    let t226 = shared_values[6] * t159 + t96;
    let t227 = shared_values[6] * t160 + t97;
    let t228 = shared_values[6] * t121 + t55;
    let t229 = shared_values[6] * t122 + t56;
    let t230 = shared_values[6] * t123 + t57;
    let t231 = shared_values[6] * t142 + t79;
    let t232 = shared_values[6] * t143 + t80;
    let t233 = shared_values[6] * t144 + t81;
    let t234 = shared_values[6] * t220 + t224;
    let t235 = shared_values[6] * t221 + t225;
    let t236 = shared_values[6] * t222 + t226;
    let t237 = shared_values[6] * t223 + t227;
    let t238 = shared_values[6] * t184 + t228;
    let t239 = shared_values[6] * t185 + t229;
    let t240 = shared_values[6] * t186 + t230;
    let t241 = shared_values[6] * t205 + t231;
    let t242 = shared_values[6] * t206 + t232;
    let t243 = shared_values[6] * t207 + t233;
    let t244 = s.q0 - t220;
    let t245 = s.q1 + t221;
    let t246 = s.q2 + t222;
    let t247 = s.q3 + t223;
    let t248 = s.wx + t184;
    let t249 = s.wy + t185;
    let t250 = s.wz + t186;
    let t251 = t244 * t244;
    let t252 = t245 * t245 + t251;
    let t253 = t246 * t246 + t252;
    let t254 = t247 * t247 + t253;
    let t255 = sqrt(t254);
    let t256 = shared_values[2] / t255;
    let t257 = t244 * t256;
    let t258 = t245 * t256;
    let t259 = t246 * t256;
    let t260 = t247 * t256;
    let t261 = t249 * t250;
    let t262 = t248 * t250;
    let t263 = t248 * t249;
    let t264 = t40 * t261 + t238;
    let t265 = t41 * t262 + t239;
    let t266 = t42 * t263 + t240;
    let t267 = t52 + t264;
    let t268 = t53 + t265;
    let t269 = t54 + t266;
    let t270 = t59 * t260;
    let t271 = t60 * t259 - t270;
    let t272 = t60 * t258;
    let t273 = t58 * t260 - t272;
    let t274 = t58 * t259;
    let t275 = t59 * t258 - t274;
    let t276 = shared_values[6] * t271;
    let t277 = shared_values[6] * t273;
    let t278 = shared_values[6] * t275;
    let t279 = t259 * t278 + t241;
    let t280 = t279 - t260 * t277;
    let t281 = t260 * t276 + t242;
    let t282 = t281 - t258 * t278;
    let t283 = t258 * t277 + t243;
    let t284 = t283 - t259 * t276;
    let t285 = t257 * t276 + t280;
    let t286 = t257 * t277 + t282;
    let t287 = t257 * t278 + t284;
    let t288 = t58 + t285;
    let t289 = t59 + t286;
    let t290 = t60 + t287;
    let t291 = t245 * t248;
    let t292 = t246 * t249 + t291;
    let t293 = t247 * t250 + t292;
    let t294 = t244 * t248;
    let t295 = t246 * t250 + t294;
    let t296 = t295 - t247 * t249;
    let t297 = t244 * t249;
    let t298 = t247 * t248 + t297;
    let t299 = t298 - t245 * t250;
    let t300 = t244 * t250;
    let t301 = t245 * t249 + t300;
    let t302 = t301 - t246 * t248;
    let t303 = shared_values[4] * t293 + t234;
    let t304 = shared_values[4] * t296 + t235;
    let t305 = shared_values[4] * t299 + t236;
    let t306 = shared_values[4] * t302 + t237;
    let t307 = s.q0 - shared_values[8] * t303;
    let t308 = shared_values[8] * t304 + s.q1;
    let t309 = shared_values[8] * t305 + s.q2;
    let t310 = shared_values[8] * t306 + s.q3;
    let t311 = shared_values[8] * t267 + s.wx;
    let t312 = shared_values[8] * t268 + s.wy;
    let t313 = shared_values[8] * t269 + s.wz;
    let t314 = shared_values[8] * t288 + s.vx;
    let t315 = shared_values[8] * t289 + s.vy;
    let t316 = shared_values[8] * t290 + s.vz;
    let t317 = t307 * t307;
    let t318 = t308 * t308 + t317;
    let t319 = t309 * t309 + t318;
    let t320 = t310 * t310 + t319;
    let t321 = sqrt(t320);
    let t322 = shared_values[2] / t321;
    let t323 = t307 * t322;
    let t324 = t308 * t322;
    let t325 = t309 * t322;
    let t326 = t310 * t322;
    let t327 = t323 * t323;
    let t328 = t324 * t324 + t327;
    let t329 = t325 * t325 + t328;
    let t330 = t326 * t326 + t329;
    let t331 = sqrt(t330);
    let t332 = shared_values[2] / t331;
    let t333 = t323 * t332;
    let t334 = t324 * t332;
    let t335 = t325 * t332;
    let t336 = t326 * t332;
    let t337 = t312 * t313;
    let t338 = t311 * t313;
    let t339 = t311 * t312;
    let t340 = t40 * t337;
    let t341 = t41 * t338;
    let t342 = t42 * t339;
    let t343 = t16 * t49;
    let t344 = t18 * t50;
    let t345 = t20 * t51;
    let t346 = t340 + t343;
    let t347 = t341 + t344;
    let t348 = t342 + t345;
    let t349 = shared_values[5] * t21;
    let t350 = shared_values[5] * t22;
    let t351 = shared_values[5] * t23;
    let t352 = t336 * t350;
    let t353 = t335 * t351 - t352;
    let t354 = t334 * t351;
    let t355 = t336 * t349 - t354;
    let t356 = t335 * t349;
    let t357 = t334 * t350 - t356;
    let t358 = shared_values[6] * t353;
    let t359 = shared_values[6] * t355;
    let t360 = shared_values[6] * t357;
    let t361 = t335 * t360;
    let t362 = t361 - t336 * t359;
    let t363 = t336 * t358;
    let t364 = t363 - t334 * t360;
    let t365 = t334 * t359;
    let t366 = t365 - t335 * t358;
    let t367 = t333 * t358 + t362;
    let t368 = t333 * t359 + t364;
    let t369 = t333 * t360 + t366;
    let t370 = t349 + t367;
    let t371 = t350 + t368;
    let t372 = t351 + t369;
    let t373 = t311 * t324;
    let t374 = t312 * t325 + t373;
    let t375 = t313 * t326 + t374;
    let t376 = t311 * t323;
    let t377 = t313 * t325 + t376;
    let t378 = t377 - t312 * t326;
    let t379 = t312 * t323;
    let t380 = t311 * t326 + t379;
    let t381 = t380 - t313 * t324;
    let t382 = t313 * t323;
    let t383 = t312 * t324 + t382;
    let t384 = t383 - t311 * t325;
    let t385 = shared_values[4] * t375;
    let t386 = shared_values[4] * t378;
    let t387 = shared_values[4] * t381;
    let t388 = shared_values[4] * t384;
    let t389 = t323 - shared_values[1] * t385;
    let t390 = shared_values[1] * t386 + t324;
    let t391 = shared_values[1] * t387 + t325;
    let t392 = shared_values[1] * t388 + t326;
    let t393 = shared_values[1] * t346 + t311;
    let t394 = shared_values[1] * t347 + t312;
    let t395 = shared_values[1] * t348 + t313;
    let t396 = t389 * t389;
    let t397 = t390 * t390 + t396;
    let t398 = t391 * t391 + t397;
    let t399 = t392 * t392 + t398;
    let t400 = sqrt(t399);
    let t401 = shared_values[2] / t400;
    let t402 = t389 * t401;
    let t403 = t390 * t401;
    let t404 = t391 * t401;
    let t405 = t392 * t401;
    let t406 = t394 * t395;
    let t407 = t393 * t395;
    let t408 = t393 * t394;
    let t409 = t40 * t406;
    let t410 = t41 * t407;
    let t411 = t42 * t408;
    let t412 = t343 + t409;
    let t413 = t344 + t410;
    let t414 = t345 + t411;
    let t415 = t350 * t405;
    let t416 = t351 * t404 - t415;
    let t417 = t351 * t403;
    let t418 = t349 * t405 - t417;
    let t419 = t349 * t404;
    let t420 = t350 * t403 - t419;
    let t421 = shared_values[6] * t416;
    let t422 = shared_values[6] * t418;
    let t423 = shared_values[6] * t420;
    let t424 = t404 * t423;
    let t425 = t424 - t405 * t422;
    let t426 = t405 * t421;
    let t427 = t426 - t403 * t423;
    let t428 = t403 * t422;
    let t429 = t428 - t404 * t421;
    let t430 = t402 * t421 + t425;
    let t431 = t402 * t422 + t427;
    let t432 = t402 * t423 + t429;
    let t433 = t349 + t430;
    let t434 = t350 + t431;
    let t435 = t351 + t432;
    let t436 = t390 * t393;
    let t437 = t391 * t394 + t436;
    let t438 = t392 * t395 + t437;
    let t439 = t389 * t393;
    let t440 = t391 * t395 + t439;
    let t441 = t440 - t392 * t394;
    let t442 = t389 * t394;
    let t443 = t392 * t393 + t442;
    let t444 = t443 - t390 * t395;
    let t445 = t389 * t395;
    let t446 = t390 * t394 + t445;
    let t447 = t446 - t391 * t393;
    let t448 = shared_values[4] * t438;
    let t449 = shared_values[4] * t441;
    let t450 = shared_values[4] * t444;
    let t451 = shared_values[4] * t447;
    let t452 = t323 - shared_values[1] * t448;
    let t453 = shared_values[1] * t449 + t324;
    let t454 = shared_values[1] * t450 + t325;
    let t455 = shared_values[1] * t451 + t326;
    let t456 = shared_values[1] * t412 + t311;
    let t457 = shared_values[1] * t413 + t312;
    let t458 = shared_values[1] * t414 + t313;
    let t459 = t452 * t452;
    let t460 = t453 * t453 + t459;
    let t461 = t454 * t454 + t460;
    let t462 = t455 * t455 + t461;
    let t463 = sqrt(t462);
    let t464 = shared_values[2] / t463;
    let t465 = t452 * t464;
    let t466 = t453 * t464;
    let t467 = t454 * t464;
    let t468 = t455 * t464;
    let t469 = t457 * t458;
    let t470 = t456 * t458;
    let t471 = t456 * t457;
    let t472 = t40 * t469;
    let t473 = t41 * t470;
    let t474 = t42 * t471;
    let t475 = t343 + t472;
    let t476 = t344 + t473;
    let t477 = t345 + t474;
    let t478 = t350 * t468;
    let t479 = t351 * t467 - t478;
    let t480 = t351 * t466;
    let t481 = t349 * t468 - t480;
    let t482 = t349 * t467;
    let t483 = t350 * t466 - t482;
    let t484 = shared_values[6] * t479;
    let t485 = shared_values[6] * t481;
    let t486 = shared_values[6] * t483;
    let t487 = t467 * t486;
    let t488 = t487 - t468 * t485;
    let t489 = t468 * t484;
    let t490 = t489 - t466 * t486;
    let t491 = t466 * t485;
    let t492 = t491 - t467 * t484;
    let t493 = t465 * t484 + t488;
    let t494 = t465 * t485 + t490;
    let t495 = t465 * t486 + t492;
    let t496 = t349 + t493;
    let t497 = t350 + t494;
    let t498 = t351 + t495;
    let t499 = t453 * t456;
    let t500 = t454 * t457 + t499;
    let t501 = t455 * t458 + t500;
    let t502 = t452 * t456;
    let t503 = t454 * t458 + t502;
    let t504 = t503 - t455 * t457;
    let t505 = t452 * t457;
    let t506 = t455 * t456 + t505;
    let t507 = t506 - t453 * t458;
    let t508 = t452 * t458;
    let t509 = t453 * t457 + t508;
    let t510 = t509 - t454 * t456;
    let t511 = shared_values[4] * t501;
    let t512 = shared_values[4] * t504;
    let t513 = shared_values[4] * t507;
    let t514 = shared_values[4] * t510;
    let t515 = shared_values[6] * t448 + t385;
    let t516 = shared_values[6] * t449 + t386;
    let t517 = shared_values[6] * t450 + t387;
    let t518 = shared_values[6] * t451 + t388;
    let t519 = shared_values[6] * t412 + t346;
    let t520 = shared_values[6] * t413 + t347;
    let t521 = shared_values[6] * t414 + t348;
    let t522 = shared_values[6] * t433 + t370;
    let t523 = shared_values[6] * t434 + t371;
    let t524 = shared_values[6] * t435 + t372;
    let t525 = shared_values[6] * t511 + t515;
    let t526 = shared_values[6] * t512 + t516;
    let t527 = shared_values[6] * t513 + t517;
    let t528 = shared_values[6] * t514 + t518;
    let t529 = shared_values[6] * t475 + t519;
    let t530 = shared_values[6] * t476 + t520;
    let t531 = shared_values[6] * t477 + t521;
    let t532 = shared_values[6] * t496 + t522;
    let t533 = shared_values[6] * t497 + t523;
    let t534 = shared_values[6] * t498 + t524;
    let t535 = t323 - t511;
    let t536 = t324 + t512;
    let t537 = t325 + t513;
    let t538 = t326 + t514;
    let t539 = t311 + t475;
    let t540 = t312 + t476;
    let t541 = t313 + t477;
    let t542 = t535 * t535;
    let t543 = t536 * t536 + t542;
    let t544 = t537 * t537 + t543;
    let t545 = t538 * t538 + t544;
    let t546 = sqrt(t545);
    let t547 = shared_values[2] / t546;
    let t548 = t535 * t547;
    let t549 = t536 * t547;
    let t550 = t537 * t547;
    let t551 = t538 * t547;
    let t552 = t540 * t541;
    let t553 = t539 * t541;
    let t554 = t539 * t540;
    let t555 = t40 * t552 + t529;
    let t556 = t41 * t553 + t530;
    let t557 = t42 * t554 + t531;
    let t558 = t343 + t555;
    let t559 = t344 + t556;
    let t560 = t345 + t557;
    let t561 = t350 * t551;
    let t562 = t351 * t550 - t561;
    let t563 = t351 * t549;
    let t564 = t349 * t551 - t563;
    let t565 = t349 * t550;
    let t566 = t350 * t549 - t565;
    let t567 = shared_values[6] * t562;
    let t568 = shared_values[6] * t564;
    let t569 = shared_values[6] * t566;
    let t570 = t550 * t569 + t532;
    let t571 = t570 - t551 * t568;
    let t572 = t551 * t567 + t533;
    let t573 = t572 - t549 * t569;
    let t574 = t549 * t568 + t534;
    let t575 = t574 - t550 * t567;
    let t576 = t548 * t567 + t571;
    let t577 = t548 * t568 + t573;
    let t578 = t548 * t569 + t575;
    let t579 = t349 + t576;
    let t580 = t350 + t577;
    let t581 = t351 + t578;
    let t582 = t536 * t539;
    let t583 = t537 * t540 + t582;
    let t584 = t538 * t541 + t583;
    let t585 = t535 * t539;
    let t586 = t537 * t541 + t585;
    let t587 = t586 - t538 * t540;
    let t588 = t535 * t540;
    let t589 = t538 * t539 + t588;
    let t590 = t589 - t536 * t541;
    let t591 = t535 * t541;
    let t592 = t536 * t540 + t591;
    let t593 = t592 - t537 * t539;
    let t594 = shared_values[4] * t584 + t525;
    let t595 = shared_values[4] * t587 + t526;
    let t596 = shared_values[4] * t590 + t527;
    let t597 = shared_values[4] * t593 + t528;
    let t598 = t323 - shared_values[8] * t594;
    let t599 = shared_values[8] * t595 + t324;
    let t600 = shared_values[8] * t596 + t325;
    let t601 = shared_values[8] * t597 + t326;
    let t602 = shared_values[8] * t558 + t311;
    let t603 = shared_values[8] * t559 + t312;
    let t604 = shared_values[8] * t560 + t313;
    let t605 = shared_values[8] * t579 + t314;
    let t606 = shared_values[8] * t580 + t315;
    let t607 = shared_values[8] * t581 + t316;
    let t608 = t598 * t598;
    let t609 = t599 * t599 + t608;
    let t610 = t600 * t600 + t609;
    let t611 = t601 * t601 + t610;
    let t612 = sqrt(t611);
    let t613 = shared_values[2] / t612;
    let t614 = t598 * t613;
    let t615 = t599 * t613;
    let t616 = t600 * t613;
    let t617 = t601 * t613;
    var next = s;
    next.half_q0 = t614;
    next.half_q1 = t615;
    next.half_q2 = t616;
    next.half_q3 = t617;
    next.half_wx = t602;
    next.half_wy = t603;
    next.half_wz = t604;
    next.half_vx = t605;
    next.half_vy = t606;
    next.half_vz = t607;
    return next;
}

// What the method carries after it was resynchronised: as at the start, but for what follows.
fn resynchronised(instance: u32, s: State) -> State {
    var next = begin(instance, s);
    return next;
}

// A value, and how large it may be; 0: however large.
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
