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
    let t0 = parameters[6u * run.stride + instance] * shared_values[11];
    let t1 = parameters[7u * run.stride + instance] * shared_values[11];
    let t2 = parameters[8u * run.stride + instance] * shared_values[11];
    let t3 = t2 * parameters[4u * run.stride + instance];
    let t4 = t3 - t1 * parameters[5u * run.stride + instance];
    let t5 = t0 * parameters[5u * run.stride + instance];
    let t6 = t5 - t2 * parameters[3u * run.stride + instance];
    let t7 = t1 * parameters[3u * run.stride + instance];
    let t8 = t7 - t0 * parameters[4u * run.stride + instance];
    let t9 = t0 * shared_values[3];
    let t10 = t1 * shared_values[3];
    let t11 = t2 * shared_values[3];
    let t12 = parameters[6u * run.stride + instance] * shared_values[12];
    let t13 = parameters[7u * run.stride + instance] * shared_values[12];
    let t14 = parameters[8u * run.stride + instance] * shared_values[12];
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

// What the method carries, at the start. (854 operations.)
fn begin(instance: u32, s: State) -> State {
    let t0 = parameters[6u * run.stride + instance] * shared_values[13];
    let t1 = parameters[7u * run.stride + instance] * shared_values[13];
    let t2 = parameters[8u * run.stride + instance] * shared_values[13];
    let t3 = parameters[4u * run.stride + instance] * t2;
    let t4 = t3 - parameters[5u * run.stride + instance] * t1;
    let t5 = parameters[5u * run.stride + instance] * t0;
    let t6 = t5 - parameters[3u * run.stride + instance] * t2;
    let t7 = parameters[3u * run.stride + instance] * t1;
    let t8 = t7 - parameters[4u * run.stride + instance] * t0;
    let t9 = shared_values[3] * t0;
    let t10 = shared_values[3] * t1;
    let t11 = shared_values[3] * t2;
    let t12 = parameters[6u * run.stride + instance] * shared_values[16];
    let t13 = parameters[7u * run.stride + instance] * shared_values[16];
    let t14 = parameters[8u * run.stride + instance] * shared_values[16];
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
    let t30 = shared_values[5] * t25;
    let t31 = shared_values[5] * t27;
    let t32 = shared_values[5] * t29;
    let t33 = s.wy * s.wz;
    let t34 = s.wx * s.wz;
    let t35 = s.wx * s.wy;
    let t36 = t30 * t33;
    let t37 = t31 * t34;
    let t38 = t32 * t35;
    let t39 = shared_values[5] / parameters[0u * run.stride + instance];
    let t40 = shared_values[5] / parameters[1u * run.stride + instance];
    let t41 = shared_values[5] / parameters[2u * run.stride + instance];
    let t42 = t4 * t39;
    let t43 = t6 * t40;
    let t44 = t8 * t41;
    let t45 = t36 + t42;
    let t46 = t37 + t43;
    let t47 = t38 + t44;
    let t48 = t9 * shared_values[5];
    let t49 = t10 * shared_values[5];
    let t50 = t11 * shared_values[5];
    let t51 = s.q3 * t49;
    let t52 = s.q2 * t50 - t51;
    let t53 = s.q1 * t50;
    let t54 = s.q3 * t48 - t53;
    let t55 = s.q2 * t48;
    let t56 = s.q1 * t49 - t55;
    let t57 = shared_values[6] * t52;
    let t58 = shared_values[6] * t54;
    let t59 = shared_values[6] * t56;
    let t60 = s.q2 * t59;
    let t61 = t60 - s.q3 * t58;
    let t62 = s.q3 * t57;
    let t63 = t62 - s.q1 * t59;
    let t64 = s.q1 * t58;
    let t65 = t64 - s.q2 * t57;
    let t66 = s.q0 * t57 + t61;
    let t67 = s.q0 * t58 + t63;
    let t68 = s.q0 * t59 + t65;
    let t69 = t48 + t66;
    let t70 = t49 + t67;
    let t71 = t50 + t68;
    let t72 = s.q1 * s.wx;
    let t73 = s.q2 * s.wy + t72;
    let t74 = s.q3 * s.wz + t73;
    let t75 = s.q0 * s.wx;
    let t76 = s.q2 * s.wz + t75;
    let t77 = t76 - s.q3 * s.wy;
    let t78 = s.q0 * s.wy;
    let t79 = s.q3 * s.wx + t78;
    let t80 = t79 - s.q1 * s.wz;
    let t81 = s.q0 * s.wz;
    let t82 = s.q1 * s.wy + t81;
    let t83 = t82 - s.q2 * s.wx;
    let t84 = shared_values[4] * t74;
    let t85 = shared_values[4] * t77;
    let t86 = shared_values[4] * t80;
    let t87 = shared_values[4] * t83;
    let t88 = s.q0 - shared_values[1] * t84;
    let t89 = shared_values[1] * t85 + s.q1;
    let t90 = shared_values[1] * t86 + s.q2;
    let t91 = shared_values[1] * t87 + s.q3;
    let t92 = shared_values[1] * t45 + s.wx;
    let t93 = shared_values[1] * t46 + s.wy;
    let t94 = shared_values[1] * t47 + s.wz;
    let t95 = t88 * t88;
    let t96 = t89 * t89 + t95;
    let t97 = t90 * t90 + t96;
    let t98 = t91 * t91 + t97;
    let t99 = t98 + shared_values[10];
    let t100 = t98 * t99 + shared_values[9];
    let t101 = t98 * shared_values[9] + shared_values[10];
    let t102 = t98 * t101 + shared_values[2];
    let t103 = t100 / t102;
    let t104 = t88 * t103;
    let t105 = t89 * t103;
    let t106 = t90 * t103;
    let t107 = t91 * t103;
    let t108 = t93 * t94;
    let t109 = t92 * t94;
    let t110 = t92 * t93;
    let t111 = t30 * t108;
    let t112 = t31 * t109;
    let t113 = t32 * t110;
    let t114 = t42 + t111;
    let t115 = t43 + t112;
    let t116 = t44 + t113;
    let t117 = t49 * t107;
    let t118 = t50 * t106 - t117;
    let t119 = t50 * t105;
    let t120 = t48 * t107 - t119;
    let t121 = t48 * t106;
    let t122 = t49 * t105 - t121;
    let t123 = shared_values[6] * t118;
    let t124 = shared_values[6] * t120;
    let t125 = shared_values[6] * t122;
    let t126 = t106 * t125;
    let t127 = t126 - t107 * t124;
    let t128 = t107 * t123;
    let t129 = t128 - t105 * t125;
    let t130 = t105 * t124;
    let t131 = t130 - t106 * t123;
    let t132 = t104 * t123 + t127;
    let t133 = t104 * t124 + t129;
    let t134 = t104 * t125 + t131;
    let t135 = t48 + t132;
    let t136 = t49 + t133;
    let t137 = t50 + t134;
    let t138 = t89 * t92;
    let t139 = t90 * t93 + t138;
    let t140 = t91 * t94 + t139;
    let t141 = t88 * t92;
    let t142 = t90 * t94 + t141;
    let t143 = t142 - t91 * t93;
    let t144 = t88 * t93;
    let t145 = t91 * t92 + t144;
    let t146 = t145 - t89 * t94;
    let t147 = t88 * t94;
    let t148 = t89 * t93 + t147;
    let t149 = t148 - t90 * t92;
    let t150 = shared_values[4] * t140;
    let t151 = shared_values[4] * t143;
    let t152 = shared_values[4] * t146;
    let t153 = shared_values[4] * t149;
    let t154 = s.q0 - shared_values[1] * t150;
    let t155 = shared_values[1] * t151 + s.q1;
    let t156 = shared_values[1] * t152 + s.q2;
    let t157 = shared_values[1] * t153 + s.q3;
    let t158 = shared_values[1] * t114 + s.wx;
    let t159 = shared_values[1] * t115 + s.wy;
    let t160 = shared_values[1] * t116 + s.wz;
    let t161 = t154 * t154;
    let t162 = t155 * t155 + t161;
    let t163 = t156 * t156 + t162;
    let t164 = t157 * t157 + t163;
    let t165 = shared_values[10] + t164;
    let t166 = t164 * t165 + shared_values[9];
    let t167 = shared_values[9] * t164 + shared_values[10];
    let t168 = t164 * t167 + shared_values[2];
    let t169 = t166 / t168;
    let t170 = t154 * t169;
    let t171 = t155 * t169;
    let t172 = t156 * t169;
    let t173 = t157 * t169;
    let t174 = t159 * t160;
    let t175 = t158 * t160;
    let t176 = t158 * t159;
    let t177 = t30 * t174;
    let t178 = t31 * t175;
    let t179 = t32 * t176;
    let t180 = t42 + t177;
    let t181 = t43 + t178;
    let t182 = t44 + t179;
    let t183 = t49 * t173;
    let t184 = t50 * t172 - t183;
    let t185 = t50 * t171;
    let t186 = t48 * t173 - t185;
    let t187 = t48 * t172;
    let t188 = t49 * t171 - t187;
    let t189 = shared_values[6] * t184;
    let t190 = shared_values[6] * t186;
    let t191 = shared_values[6] * t188;
    let t192 = t172 * t191;
    let t193 = t192 - t173 * t190;
    let t194 = t173 * t189;
    let t195 = t194 - t171 * t191;
    let t196 = t171 * t190;
    let t197 = t196 - t172 * t189;
    let t198 = t170 * t189 + t193;
    let t199 = t170 * t190 + t195;
    let t200 = t170 * t191 + t197;
    let t201 = t48 + t198;
    let t202 = t49 + t199;
    let t203 = t50 + t200;
    let t204 = t155 * t158;
    let t205 = t156 * t159 + t204;
    let t206 = t157 * t160 + t205;
    let t207 = t154 * t158;
    let t208 = t156 * t160 + t207;
    let t209 = t208 - t157 * t159;
    let t210 = t154 * t159;
    let t211 = t157 * t158 + t210;
    let t212 = t211 - t155 * t160;
    let t213 = t154 * t160;
    let t214 = t155 * t159 + t213;
    let t215 = t214 - t156 * t158;
    let t216 = shared_values[4] * t206;
    let t217 = shared_values[4] * t209;
    let t218 = shared_values[4] * t212;
    let t219 = shared_values[4] * t215;
    let t220 = shared_values[6] * t150 + t84;
    let t221 = shared_values[6] * t151 + t85;
    let t222 = shared_values[6] * t152 + t86;
    let t223 = shared_values[6] * t153 + t87;
    let t224 = shared_values[6] * t114 + t45;
    let t225 = shared_values[6] * t115 + t46;
    let t226 = shared_values[6] * t116 + t47;
    let t227 = shared_values[6] * t135 + t69;
    let t228 = shared_values[6] * t136 + t70;
    let t229 = shared_values[6] * t137 + t71;
    let t230 = shared_values[6] * t216 + t220;
    let t231 = shared_values[6] * t217 + t221;
    let t232 = shared_values[6] * t218 + t222;
    let t233 = shared_values[6] * t219 + t223;
    let t234 = shared_values[6] * t180 + t224;
    let t235 = shared_values[6] * t181 + t225;
    let t236 = shared_values[6] * t182 + t226;
    let t237 = shared_values[6] * t201 + t227;
    let t238 = shared_values[6] * t202 + t228;
    let t239 = shared_values[6] * t203 + t229;
    let t240 = s.q0 - t216;
    let t241 = s.q1 + t217;
    let t242 = s.q2 + t218;
    let t243 = s.q3 + t219;
    let t244 = s.wx + t180;
    let t245 = s.wy + t181;
    let t246 = s.wz + t182;
    let t247 = t240 * t240;
    let t248 = t241 * t241 + t247;
    let t249 = t242 * t242 + t248;
    let t250 = t243 * t243 + t249;
    let t251 = shared_values[10] + t250;
    let t252 = t250 * t251 + shared_values[9];
    let t253 = shared_values[9] * t250 + shared_values[10];
    let t254 = t250 * t253 + shared_values[2];
    let t255 = t252 / t254;
    let t256 = t240 * t255;
    let t257 = t241 * t255;
    let t258 = t242 * t255;
    let t259 = t243 * t255;
    let t260 = t245 * t246;
    let t261 = t244 * t246;
    let t262 = t244 * t245;
    let t263 = t30 * t260 + t234;
    let t264 = t31 * t261 + t235;
    let t265 = t32 * t262 + t236;
    let t266 = t42 + t263;
    let t267 = t43 + t264;
    let t268 = t44 + t265;
    let t269 = t49 * t259;
    let t270 = t50 * t258 - t269;
    let t271 = t50 * t257;
    let t272 = t48 * t259 - t271;
    let t273 = t48 * t258;
    let t274 = t49 * t257 - t273;
    let t275 = shared_values[6] * t270;
    let t276 = shared_values[6] * t272;
    let t277 = shared_values[6] * t274;
    let t278 = t258 * t277 + t237;
    let t279 = t278 - t259 * t276;
    let t280 = t259 * t275 + t238;
    let t281 = t280 - t257 * t277;
    let t282 = t257 * t276 + t239;
    let t283 = t282 - t258 * t275;
    let t284 = t256 * t275 + t279;
    let t285 = t256 * t276 + t281;
    let t286 = t256 * t277 + t283;
    let t287 = t48 + t284;
    let t288 = t49 + t285;
    let t289 = t50 + t286;
    let t290 = t241 * t244;
    let t291 = t242 * t245 + t290;
    let t292 = t243 * t246 + t291;
    let t293 = t240 * t244;
    let t294 = t242 * t246 + t293;
    let t295 = t294 - t243 * t245;
    let t296 = t240 * t245;
    let t297 = t243 * t244 + t296;
    let t298 = t297 - t241 * t246;
    let t299 = t240 * t246;
    let t300 = t241 * t245 + t299;
    let t301 = t300 - t242 * t244;
    let t302 = shared_values[4] * t292 + t230;
    let t303 = shared_values[4] * t295 + t231;
    let t304 = shared_values[4] * t298 + t232;
    let t305 = shared_values[4] * t301 + t233;
    let t306 = s.q0 - shared_values[8] * t302;
    let t307 = shared_values[8] * t303 + s.q1;
    let t308 = shared_values[8] * t304 + s.q2;
    let t309 = shared_values[8] * t305 + s.q3;
    let t310 = shared_values[8] * t266 + s.wx;
    let t311 = shared_values[8] * t267 + s.wy;
    let t312 = shared_values[8] * t268 + s.wz;
    let t313 = shared_values[8] * t287 + s.vx;
    let t314 = shared_values[8] * t288 + s.vy;
    let t315 = shared_values[8] * t289 + s.vz;
    let t316 = t306 * t306;
    let t317 = t307 * t307 + t316;
    let t318 = t308 * t308 + t317;
    let t319 = t309 * t309 + t318;
    let t320 = sqrt(t319);
    let t321 = shared_values[2] / t320;
    let t322 = t306 * t321;
    let t323 = t307 * t321;
    let t324 = t308 * t321;
    let t325 = t309 * t321;
    let t326 = t311 * t312;
    let t327 = t310 * t312;
    let t328 = t310 * t311;
    let t329 = t30 * t326;
    let t330 = t31 * t327;
    let t331 = t32 * t328;
    let t332 = t16 * t39;
    let t333 = t18 * t40;
    let t334 = t20 * t41;
    let t335 = t329 + t332;
    let t336 = t330 + t333;
    let t337 = t331 + t334;
    let t338 = shared_values[5] * t21;
    let t339 = shared_values[5] * t22;
    let t340 = shared_values[5] * t23;
    let t341 = t325 * t339;
    let t342 = t324 * t340 - t341;
    let t343 = t323 * t340;
    let t344 = t325 * t338 - t343;
    let t345 = t324 * t338;
    let t346 = t323 * t339 - t345;
    let t347 = shared_values[6] * t342;
    let t348 = shared_values[6] * t344;
    let t349 = shared_values[6] * t346;
    let t350 = t324 * t349;
    let t351 = t350 - t325 * t348;
    let t352 = t325 * t347;
    let t353 = t352 - t323 * t349;
    let t354 = t323 * t348;
    let t355 = t354 - t324 * t347;
    let t356 = t322 * t347 + t351;
    let t357 = t322 * t348 + t353;
    let t358 = t322 * t349 + t355;
    let t359 = t338 + t356;
    let t360 = t339 + t357;
    let t361 = t340 + t358;
    let t362 = t310 * t323;
    let t363 = t311 * t324 + t362;
    let t364 = t312 * t325 + t363;
    let t365 = t310 * t322;
    let t366 = t312 * t324 + t365;
    let t367 = t366 - t311 * t325;
    let t368 = t311 * t322;
    let t369 = t310 * t325 + t368;
    let t370 = t369 - t312 * t323;
    let t371 = t312 * t322;
    let t372 = t311 * t323 + t371;
    let t373 = t372 - t310 * t324;
    let t374 = shared_values[4] * t364;
    let t375 = shared_values[4] * t367;
    let t376 = shared_values[4] * t370;
    let t377 = shared_values[4] * t373;
    let t378 = t322 - shared_values[1] * t374;
    let t379 = shared_values[1] * t375 + t323;
    let t380 = shared_values[1] * t376 + t324;
    let t381 = shared_values[1] * t377 + t325;
    let t382 = shared_values[1] * t335 + t310;
    let t383 = shared_values[1] * t336 + t311;
    let t384 = shared_values[1] * t337 + t312;
    let t385 = t378 * t378;
    let t386 = t379 * t379 + t385;
    let t387 = t380 * t380 + t386;
    let t388 = t381 * t381 + t387;
    let t389 = shared_values[10] + t388;
    let t390 = t388 * t389 + shared_values[9];
    let t391 = shared_values[9] * t388 + shared_values[10];
    let t392 = t388 * t391 + shared_values[2];
    let t393 = t390 / t392;
    let t394 = t378 * t393;
    let t395 = t379 * t393;
    let t396 = t380 * t393;
    let t397 = t381 * t393;
    let t398 = t383 * t384;
    let t399 = t382 * t384;
    let t400 = t382 * t383;
    let t401 = t30 * t398;
    let t402 = t31 * t399;
    let t403 = t32 * t400;
    let t404 = t332 + t401;
    let t405 = t333 + t402;
    let t406 = t334 + t403;
    let t407 = t339 * t397;
    let t408 = t340 * t396 - t407;
    let t409 = t340 * t395;
    let t410 = t338 * t397 - t409;
    let t411 = t338 * t396;
    let t412 = t339 * t395 - t411;
    let t413 = shared_values[6] * t408;
    let t414 = shared_values[6] * t410;
    let t415 = shared_values[6] * t412;
    let t416 = t396 * t415;
    let t417 = t416 - t397 * t414;
    let t418 = t397 * t413;
    let t419 = t418 - t395 * t415;
    let t420 = t395 * t414;
    let t421 = t420 - t396 * t413;
    let t422 = t394 * t413 + t417;
    let t423 = t394 * t414 + t419;
    let t424 = t394 * t415 + t421;
    let t425 = t338 + t422;
    let t426 = t339 + t423;
    let t427 = t340 + t424;
    let t428 = t379 * t382;
    let t429 = t380 * t383 + t428;
    let t430 = t381 * t384 + t429;
    let t431 = t378 * t382;
    let t432 = t380 * t384 + t431;
    let t433 = t432 - t381 * t383;
    let t434 = t378 * t383;
    let t435 = t381 * t382 + t434;
    let t436 = t435 - t379 * t384;
    let t437 = t378 * t384;
    let t438 = t379 * t383 + t437;
    let t439 = t438 - t380 * t382;
    let t440 = shared_values[4] * t430;
    let t441 = shared_values[4] * t433;
    let t442 = shared_values[4] * t436;
    let t443 = shared_values[4] * t439;
    let t444 = t322 - shared_values[1] * t440;
    let t445 = shared_values[1] * t441 + t323;
    let t446 = shared_values[1] * t442 + t324;
    let t447 = shared_values[1] * t443 + t325;
    let t448 = shared_values[1] * t404 + t310;
    let t449 = shared_values[1] * t405 + t311;
    let t450 = shared_values[1] * t406 + t312;
    let t451 = t444 * t444;
    let t452 = t445 * t445 + t451;
    let t453 = t446 * t446 + t452;
    let t454 = t447 * t447 + t453;
    let t455 = shared_values[10] + t454;
    let t456 = t454 * t455 + shared_values[9];
    let t457 = shared_values[9] * t454 + shared_values[10];
    let t458 = t454 * t457 + shared_values[2];
    let t459 = t456 / t458;
    let t460 = t444 * t459;
    let t461 = t445 * t459;
    let t462 = t446 * t459;
    let t463 = t447 * t459;
    let t464 = t449 * t450;
    let t465 = t448 * t450;
    let t466 = t448 * t449;
    let t467 = t30 * t464;
    let t468 = t31 * t465;
    let t469 = t32 * t466;
    let t470 = t332 + t467;
    let t471 = t333 + t468;
    let t472 = t334 + t469;
    let t473 = t339 * t463;
    let t474 = t340 * t462 - t473;
    let t475 = t340 * t461;
    let t476 = t338 * t463 - t475;
    let t477 = t338 * t462;
    let t478 = t339 * t461 - t477;
    let t479 = shared_values[6] * t474;
    let t480 = shared_values[6] * t476;
    let t481 = shared_values[6] * t478;
    let t482 = t462 * t481;
    let t483 = t482 - t463 * t480;
    let t484 = t463 * t479;
    let t485 = t484 - t461 * t481;
    let t486 = t461 * t480;
    let t487 = t486 - t462 * t479;
    let t488 = t460 * t479 + t483;
    let t489 = t460 * t480 + t485;
    let t490 = t460 * t481 + t487;
    let t491 = t338 + t488;
    let t492 = t339 + t489;
    let t493 = t340 + t490;
    let t494 = t445 * t448;
    let t495 = t446 * t449 + t494;
    let t496 = t447 * t450 + t495;
    let t497 = t444 * t448;
    let t498 = t446 * t450 + t497;
    let t499 = t498 - t447 * t449;
    let t500 = t444 * t449;
    let t501 = t447 * t448 + t500;
    let t502 = t501 - t445 * t450;
    let t503 = t444 * t450;
    let t504 = t445 * t449 + t503;
    let t505 = t504 - t446 * t448;
    let t506 = shared_values[4] * t496;
    let t507 = shared_values[4] * t499;
    let t508 = shared_values[4] * t502;
    let t509 = shared_values[4] * t505;
    let t510 = shared_values[6] * t440 + t374;
    let t511 = shared_values[6] * t441 + t375;
    let t512 = shared_values[6] * t442 + t376;
    let t513 = shared_values[6] * t443 + t377;
    let t514 = shared_values[6] * t404 + t335;
    let t515 = shared_values[6] * t405 + t336;
    let t516 = shared_values[6] * t406 + t337;
    let t517 = shared_values[6] * t425 + t359;
    let t518 = shared_values[6] * t426 + t360;
    let t519 = shared_values[6] * t427 + t361;
    let t520 = shared_values[6] * t506 + t510;
    let t521 = shared_values[6] * t507 + t511;
    let t522 = shared_values[6] * t508 + t512;
    let t523 = shared_values[6] * t509 + t513;
    let t524 = shared_values[6] * t470 + t514;
    let t525 = shared_values[6] * t471 + t515;
    let t526 = shared_values[6] * t472 + t516;
    let t527 = shared_values[6] * t491 + t517;
    let t528 = shared_values[6] * t492 + t518;
    let t529 = shared_values[6] * t493 + t519;
    let t530 = t322 - t506;
    let t531 = t323 + t507;
    let t532 = t324 + t508;
    let t533 = t325 + t509;
    let t534 = t310 + t470;
    let t535 = t311 + t471;
    let t536 = t312 + t472;
    let t537 = t530 * t530;
    let t538 = t531 * t531 + t537;
    let t539 = t532 * t532 + t538;
    let t540 = t533 * t533 + t539;
    let t541 = shared_values[10] + t540;
    let t542 = t540 * t541 + shared_values[9];
    let t543 = shared_values[9] * t540 + shared_values[10];
    let t544 = t540 * t543 + shared_values[2];
    let t545 = t542 / t544;
    let t546 = t530 * t545;
    let t547 = t531 * t545;
    let t548 = t532 * t545;
    let t549 = t533 * t545;
    let t550 = t535 * t536;
    let t551 = t534 * t536;
    let t552 = t534 * t535;
    let t553 = t30 * t550 + t524;
    let t554 = t31 * t551 + t525;
    let t555 = t32 * t552 + t526;
    let t556 = t332 + t553;
    let t557 = t333 + t554;
    let t558 = t334 + t555;
    let t559 = t339 * t549;
    let t560 = t340 * t548 - t559;
    let t561 = t340 * t547;
    let t562 = t338 * t549 - t561;
    let t563 = t338 * t548;
    let t564 = t339 * t547 - t563;
    let t565 = shared_values[6] * t560;
    let t566 = shared_values[6] * t562;
    let t567 = shared_values[6] * t564;
    let t568 = t548 * t567 + t527;
    let t569 = t568 - t549 * t566;
    let t570 = t549 * t565 + t528;
    let t571 = t570 - t547 * t567;
    let t572 = t547 * t566 + t529;
    let t573 = t572 - t548 * t565;
    let t574 = t546 * t565 + t569;
    let t575 = t546 * t566 + t571;
    let t576 = t546 * t567 + t573;
    let t577 = t338 + t574;
    let t578 = t339 + t575;
    let t579 = t340 + t576;
    let t580 = t531 * t534;
    let t581 = t532 * t535 + t580;
    let t582 = t533 * t536 + t581;
    let t583 = t530 * t534;
    let t584 = t532 * t536 + t583;
    let t585 = t584 - t533 * t535;
    let t586 = t530 * t535;
    let t587 = t533 * t534 + t586;
    let t588 = t587 - t531 * t536;
    let t589 = t530 * t536;
    let t590 = t531 * t535 + t589;
    let t591 = t590 - t532 * t534;
    let t592 = shared_values[4] * t582 + t520;
    let t593 = shared_values[4] * t585 + t521;
    let t594 = shared_values[4] * t588 + t522;
    let t595 = shared_values[4] * t591 + t523;
    let t596 = t322 - shared_values[8] * t592;
    let t597 = shared_values[8] * t593 + t323;
    let t598 = shared_values[8] * t594 + t324;
    let t599 = shared_values[8] * t595 + t325;
    let t600 = shared_values[8] * t556 + t310;
    let t601 = shared_values[8] * t557 + t311;
    let t602 = shared_values[8] * t558 + t312;
    let t603 = shared_values[8] * t577 + t313;
    let t604 = shared_values[8] * t578 + t314;
    let t605 = shared_values[8] * t579 + t315;
    let t606 = t596 * t596;
    let t607 = t597 * t597 + t606;
    let t608 = t598 * t598 + t607;
    let t609 = t599 * t599 + t608;
    let t610 = sqrt(t609);
    let t611 = shared_values[2] / t610;
    let t612 = t596 * t611;
    let t613 = t597 * t611;
    let t614 = t598 * t611;
    let t615 = t599 * t611;
    var next = s;
    next.half_q0 = t612;
    next.half_q1 = t613;
    next.half_q2 = t614;
    next.half_q3 = t615;
    next.half_wx = t600;
    next.half_wy = t601;
    next.half_wz = t602;
    next.half_vx = t603;
    next.half_vy = t604;
    next.half_vz = t605;
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
    // Instances start .. count are advanced; the distance between planes.
    count: u32,
    stride: u32,
    // Steps between resynchronisations; 0: never.
    resynchronise: u32,
    // Steps between checks of the verdict bounds.
    check: u32,
    start: u32,
    // Of the step that is taken, where own steps end inside it; else 1.
    pieces: u32,
    // Steps between instants at which the method begins anew, because laws may jump there; 0: never.
    begin: u32,
}

@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read_write> state: array<real>;
@group(0) @binding(2) var<storage, read> parameters: array<real>;
// What all instances share: constants of the mechanism and the method, then the factors of the timed loads, piece by piece.
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
    if k != 0u && run.resynchronise != 0u && k % run.resynchronise == 0u {
        start = resynchronised(instance, start);
    }
    if k == 0u || (run.begin != 0u && k % run.begin == 0u) {
        start = begin(instance, start);
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
