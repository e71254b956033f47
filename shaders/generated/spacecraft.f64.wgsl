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
}

fn prepare(instance: u32) -> Prepared {
    let t0 = parameters[6u * run.stride + instance] * shared_values[35];
    let t1 = parameters[7u * run.stride + instance] * shared_values[35];
    let t2 = parameters[8u * run.stride + instance] * shared_values[35];
    let t3 = t2 * parameters[4u * run.stride + instance];
    let t4 = t3 - t1 * parameters[5u * run.stride + instance];
    let t5 = t0 * parameters[5u * run.stride + instance];
    let t6 = t5 - t2 * parameters[3u * run.stride + instance];
    let t7 = t1 * parameters[3u * run.stride + instance];
    let t8 = t7 - t0 * parameters[4u * run.stride + instance];
    let t9 = t0 * shared_values[3];
    let t10 = t1 * shared_values[3];
    let t11 = t2 * shared_values[3];
    let t12 = parameters[6u * run.stride + instance] * shared_values[36];
    let t13 = parameters[7u * run.stride + instance] * shared_values[36];
    let t14 = parameters[8u * run.stride + instance] * shared_values[36];
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
    p.c3 = shared_values[4];
    p.c4 = shared_values[5];
    p.c5 = shared_values[6];
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

// A full step takes 206 operations, a multiply-add counted as two.
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

// The method begins to carry these values (0 operations).
fn begin(instance: u32, s: State) -> State {
    var next = s;
    return led(instance, next);
}

// The method carries these values after it was resynchronised (0 operations).
fn resynchronised(instance: u32, s: State) -> State {
    var next = s;
    return led(instance, next);
}

// The second chain is led away from the motions by Runge-Kutta steps: one stands here.
struct Lead {
    base_q0: real,
    base_q1: real,
    base_q2: real,
    base_q3: real,
    base_wx: real,
    base_wy: real,
    base_wz: real,
    base_vx: real,
    base_vy: real,
    base_vz: real,
    at_q0: real,
    at_q1: real,
    at_q2: real,
    at_q3: real,
    at_wx: real,
    at_wy: real,
    at_wz: real,
    sum_q0: real,
    sum_q1: real,
    sum_q2: real,
    sum_q3: real,
    sum_wx: real,
    sum_wy: real,
    sum_wz: real,
    sum_vx: real,
    sum_vy: real,
    sum_vz: real,
}

// A lead begins at the motions.
fn lead_opened(instance: u32, s: State) -> Lead {
    var next: Lead;
    next.base_q0 = s.q0;
    next.base_q1 = s.q1;
    next.base_q2 = s.q2;
    next.base_q3 = s.q3;
    next.base_wx = s.wx;
    next.base_wy = s.wy;
    next.base_wz = s.wz;
    next.base_vx = s.vx;
    next.base_vy = s.vy;
    next.base_vz = s.vz;
    next.at_q0 = s.q0;
    next.at_q1 = s.q1;
    next.at_q2 = s.q2;
    next.at_q3 = s.q3;
    next.at_wx = s.wx;
    next.at_wy = s.wy;
    next.at_wz = s.wz;
    next.sum_q0 = 0.0lf;
    next.sum_q1 = 0.0lf;
    next.sum_q2 = 0.0lf;
    next.sum_q3 = 0.0lf;
    next.sum_wx = 0.0lf;
    next.sum_wy = 0.0lf;
    next.sum_wz = 0.0lf;
    next.sum_vx = 0.0lf;
    next.sum_vy = 0.0lf;
    next.sum_vz = 0.0lf;
    return next;
}

// A stage takes 137 operations.
fn lead_stage(instance: u32, s: State, c: Lead, number: u32) -> Lead {
    let t0 = parameters[1u * run.stride + instance] - parameters[2u * run.stride + instance];
    let t1 = t0 / parameters[0u * run.stride + instance];
    let t2 = parameters[2u * run.stride + instance] - parameters[0u * run.stride + instance];
    let t3 = t2 / parameters[1u * run.stride + instance];
    let t4 = parameters[0u * run.stride + instance] - parameters[1u * run.stride + instance];
    let t5 = t4 / parameters[2u * run.stride + instance];
    let t6 = parameters[6u * run.stride + instance] * shared_values[37u + 1u * (number / 4u)];
    let t7 = parameters[7u * run.stride + instance] * shared_values[37u + 1u * (number / 4u)];
    let t8 = parameters[8u * run.stride + instance] * shared_values[37u + 1u * (number / 4u)];
    let t9 = parameters[4u * run.stride + instance] * t8;
    let t10 = t9 - parameters[5u * run.stride + instance] * t7;
    let t11 = parameters[5u * run.stride + instance] * t6;
    let t12 = t11 - parameters[3u * run.stride + instance] * t8;
    let t13 = parameters[3u * run.stride + instance] * t7;
    let t14 = t13 - parameters[4u * run.stride + instance] * t6;
    let t15 = shared_values[3] * t6;
    let t16 = shared_values[3] * t7;
    let t17 = shared_values[3] * t8;
    let t18 = c.at_q0 * c.at_q0;
    let t19 = c.at_q1 * c.at_q1 + t18;
    let t20 = c.at_q2 * c.at_q2 + t19;
    let t21 = c.at_q3 * c.at_q3 + t20;
    let t22 = t21 + shared_values[8];
    let t23 = t21 * t22 + shared_values[7];
    let t24 = t21 * shared_values[7] + shared_values[8];
    let t25 = t21 * t24 + shared_values[2];
    let t26 = t23 / t25;
    let t27 = c.at_q0 * t26;
    let t28 = c.at_q1 * t26;
    let t29 = c.at_q2 * t26;
    let t30 = c.at_q3 * t26;
    let t31 = shared_values[4] * t1;
    let t32 = shared_values[4] * t3;
    let t33 = shared_values[4] * t5;
    let t34 = c.at_wy * c.at_wz;
    let t35 = c.at_wx * c.at_wz;
    let t36 = c.at_wx * c.at_wy;
    let t37 = t31 * t34;
    let t38 = t32 * t35;
    let t39 = t33 * t36;
    let t40 = shared_values[4] / parameters[0u * run.stride + instance];
    let t41 = shared_values[4] / parameters[1u * run.stride + instance];
    let t42 = shared_values[4] / parameters[2u * run.stride + instance];
    let t43 = t10 * t40;
    let t44 = t12 * t41;
    let t45 = t14 * t42;
    let t46 = t37 + t43;
    let t47 = t38 + t44;
    let t48 = t39 + t45;
    let t49 = shared_values[4] * t15;
    let t50 = shared_values[4] * t16;
    let t51 = shared_values[4] * t17;
    let t52 = t30 * t50;
    let t53 = t29 * t51 - t52;
    let t54 = t28 * t51;
    let t55 = t30 * t49 - t54;
    let t56 = t29 * t49;
    let t57 = t28 * t50 - t56;
    let t58 = shared_values[5] * t53;
    let t59 = shared_values[5] * t55;
    let t60 = shared_values[5] * t57;
    let t61 = t29 * t60;
    let t62 = t61 - t30 * t59;
    let t63 = t30 * t58;
    let t64 = t63 - t28 * t60;
    let t65 = t28 * t59;
    let t66 = t65 - t29 * t58;
    let t67 = t27 * t58 + t62;
    let t68 = t27 * t59 + t64;
    let t69 = t27 * t60 + t66;
    let t70 = t49 + t67;
    let t71 = t50 + t68;
    let t72 = t51 + t69;
    let t73 = c.at_q1 * c.at_wx;
    let t74 = c.at_q2 * c.at_wy + t73;
    let t75 = c.at_q3 * c.at_wz + t74;
    let t76 = c.at_q0 * c.at_wx;
    let t77 = c.at_q2 * c.at_wz + t76;
    let t78 = t77 - c.at_q3 * c.at_wy;
    let t79 = c.at_q0 * c.at_wy;
    let t80 = c.at_q3 * c.at_wx + t79;
    let t81 = t80 - c.at_q1 * c.at_wz;
    let t82 = c.at_q0 * c.at_wz;
    let t83 = c.at_q1 * c.at_wy + t82;
    let t84 = t83 - c.at_q2 * c.at_wx;
    let t85 = shared_values[9] * t75;
    let t86 = shared_values[9] * t78;
    let t87 = shared_values[9] * t81;
    let t88 = shared_values[9] * t84;
    let t89 = c.base_q0 - shared_values[11u + 3u * number] * t85;
    let t90 = shared_values[11u + 3u * number] * t86 + c.base_q1;
    let t91 = shared_values[11u + 3u * number] * t87 + c.base_q2;
    let t92 = shared_values[11u + 3u * number] * t88 + c.base_q3;
    let t93 = shared_values[11u + 3u * number] * t46 + c.base_wx;
    let t94 = shared_values[11u + 3u * number] * t47 + c.base_wy;
    let t95 = shared_values[11u + 3u * number] * t48 + c.base_wz;
    let t96 = c.sum_q0 - shared_values[12u + 3u * number] * t85;
    let t97 = shared_values[12u + 3u * number] * t86 + c.sum_q1;
    let t98 = shared_values[12u + 3u * number] * t87 + c.sum_q2;
    let t99 = shared_values[12u + 3u * number] * t88 + c.sum_q3;
    let t100 = shared_values[12u + 3u * number] * t46 + c.sum_wx;
    let t101 = shared_values[12u + 3u * number] * t47 + c.sum_wy;
    let t102 = shared_values[12u + 3u * number] * t48 + c.sum_wz;
    let t103 = shared_values[12u + 3u * number] * t70 + c.sum_vx;
    let t104 = shared_values[12u + 3u * number] * t71 + c.sum_vy;
    let t105 = shared_values[12u + 3u * number] * t72 + c.sum_vz;
    var next = c;
    next.at_q0 = t89;
    next.at_q1 = t90;
    next.at_q2 = t91;
    next.at_q3 = t92;
    next.at_wx = t93;
    next.at_wy = t94;
    next.at_wz = t95;
    next.sum_q0 = t96;
    next.sum_q1 = t97;
    next.sum_q2 = t98;
    next.sum_q3 = t99;
    next.sum_wx = t100;
    next.sum_wy = t101;
    next.sum_wz = t102;
    next.sum_vx = t103;
    next.sum_vy = t104;
    next.sum_vz = t105;
    return next;
}

// A Runge-Kutta step ends, and another one may begin there.
fn lead_settled(instance: u32, s: State, c: Lead) -> Lead {
    let t0 = c.sum_q0 * shared_values[10] + c.base_q0;
    let t1 = c.sum_q1 * shared_values[10] + c.base_q1;
    let t2 = c.sum_q2 * shared_values[10] + c.base_q2;
    let t3 = c.sum_q3 * shared_values[10] + c.base_q3;
    let t4 = c.sum_wx * shared_values[10] + c.base_wx;
    let t5 = c.sum_wy * shared_values[10] + c.base_wy;
    let t6 = c.sum_wz * shared_values[10] + c.base_wz;
    let t7 = c.sum_vx * shared_values[10] + c.base_vx;
    let t8 = c.sum_vy * shared_values[10] + c.base_vy;
    let t9 = c.sum_vz * shared_values[10] + c.base_vz;
    let t10 = t0 * t0;
    let t11 = t1 * t1 + t10;
    let t12 = t2 * t2 + t11;
    let t13 = t3 * t3 + t12;
    let t14 = sqrt(t13);
    let t15 = shared_values[2] / t14;
    let t16 = t0 * t15;
    let t17 = t1 * t15;
    let t18 = t2 * t15;
    let t19 = t3 * t15;
    var next = c;
    next.base_q0 = t16;
    next.base_q1 = t17;
    next.base_q2 = t18;
    next.base_q3 = t19;
    next.base_wx = t4;
    next.base_wy = t5;
    next.base_wz = t6;
    next.base_vx = t7;
    next.base_vy = t8;
    next.base_vz = t9;
    next.at_q0 = t16;
    next.at_q1 = t17;
    next.at_q2 = t18;
    next.at_q3 = t19;
    next.at_wx = t4;
    next.at_wy = t5;
    next.at_wz = t6;
    next.sum_q0 = 0.0lf;
    next.sum_q1 = 0.0lf;
    next.sum_q2 = 0.0lf;
    next.sum_q3 = 0.0lf;
    next.sum_wx = 0.0lf;
    next.sum_wy = 0.0lf;
    next.sum_wz = 0.0lf;
    next.sum_vx = 0.0lf;
    next.sum_vy = 0.0lf;
    next.sum_vz = 0.0lf;
    return next;
}

// The chain is where the last step ended.
fn lead_closed(instance: u32, s: State, c: Lead) -> State {
    var next = s;
    next.half_q0 = c.base_q0;
    next.half_q1 = c.base_q1;
    next.half_q2 = c.base_q2;
    next.half_q3 = c.base_q3;
    next.half_wx = c.base_wx;
    next.half_wy = c.base_wy;
    next.half_wz = c.base_wz;
    next.half_vx = c.base_vx;
    next.half_vy = c.base_vy;
    next.half_vz = c.base_vz;
    return next;
}

// 2 Runge-Kutta steps lead the chain away from the motions.
fn led(instance: u32, s: State) -> State {
    var c = lead_opened(instance, s);
    for (var number = 0u; number < 8u; number++) {
        c = lead_stage(instance, s, c, number);
        if number % 4u == 3u {
            c = lead_settled(instance, s, c);
        }
    }
    return lead_closed(instance, s, c);
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
