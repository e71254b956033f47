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
    q3: real,
    wz: real,
    amplitude_0: real,
    amplitude_1: real,
    amplitude_2: real,
    amplitude_rate_0: real,
    amplitude_rate_1: real,
    amplitude_rate_2: real,
    half_wz: real,
    half_amplitude_0: real,
    half_amplitude_1: real,
    half_amplitude_2: real,
    half_amplitude_rate_0: real,
    half_amplitude_rate_1: real,
    half_amplitude_rate_2: real,
}

fn load_state(instance: u32) -> State {
    var s: State;
    s.q0 = state[0u * run.stride + instance];
    s.q3 = state[1u * run.stride + instance];
    s.wz = state[2u * run.stride + instance];
    s.amplitude_0 = state[3u * run.stride + instance];
    s.amplitude_1 = state[4u * run.stride + instance];
    s.amplitude_2 = state[5u * run.stride + instance];
    s.amplitude_rate_0 = state[6u * run.stride + instance];
    s.amplitude_rate_1 = state[7u * run.stride + instance];
    s.amplitude_rate_2 = state[8u * run.stride + instance];
    s.half_wz = state[9u * run.stride + instance];
    s.half_amplitude_0 = state[10u * run.stride + instance];
    s.half_amplitude_1 = state[11u * run.stride + instance];
    s.half_amplitude_2 = state[12u * run.stride + instance];
    s.half_amplitude_rate_0 = state[13u * run.stride + instance];
    s.half_amplitude_rate_1 = state[14u * run.stride + instance];
    s.half_amplitude_rate_2 = state[15u * run.stride + instance];
    return s;
}

fn store_state(instance: u32, s: State) {
    state[0u * run.stride + instance] = s.q0;
    state[1u * run.stride + instance] = s.q3;
    state[2u * run.stride + instance] = s.wz;
    state[3u * run.stride + instance] = s.amplitude_0;
    state[4u * run.stride + instance] = s.amplitude_1;
    state[5u * run.stride + instance] = s.amplitude_2;
    state[6u * run.stride + instance] = s.amplitude_rate_0;
    state[7u * run.stride + instance] = s.amplitude_rate_1;
    state[8u * run.stride + instance] = s.amplitude_rate_2;
    state[9u * run.stride + instance] = s.half_wz;
    state[10u * run.stride + instance] = s.half_amplitude_0;
    state[11u * run.stride + instance] = s.half_amplitude_1;
    state[12u * run.stride + instance] = s.half_amplitude_2;
    state[13u * run.stride + instance] = s.half_amplitude_rate_0;
    state[14u * run.stride + instance] = s.half_amplitude_rate_1;
    state[15u * run.stride + instance] = s.half_amplitude_rate_2;
}

fn flushed(s: State) -> State {
    var next: State;
    next.q0 = flushed_real(s.q0);
    next.q3 = flushed_real(s.q3);
    next.wz = flushed_real(s.wz);
    next.amplitude_0 = flushed_real(s.amplitude_0);
    next.amplitude_1 = flushed_real(s.amplitude_1);
    next.amplitude_2 = flushed_real(s.amplitude_2);
    next.amplitude_rate_0 = flushed_real(s.amplitude_rate_0);
    next.amplitude_rate_1 = flushed_real(s.amplitude_rate_1);
    next.amplitude_rate_2 = flushed_real(s.amplitude_rate_2);
    next.half_wz = flushed_real(s.half_wz);
    next.half_amplitude_0 = flushed_real(s.half_amplitude_0);
    next.half_amplitude_1 = flushed_real(s.half_amplitude_1);
    next.half_amplitude_2 = flushed_real(s.half_amplitude_2);
    next.half_amplitude_rate_0 = flushed_real(s.half_amplitude_rate_0);
    next.half_amplitude_rate_1 = flushed_real(s.half_amplitude_rate_1);
    next.half_amplitude_rate_2 = flushed_real(s.half_amplitude_rate_2);
    return next;
}

fn is_finite_state(s: State) -> bool {
    return is_finite_real(s.q0)
        && is_finite_real(s.q3)
        && is_finite_real(s.wz)
        && is_finite_real(s.amplitude_0)
        && is_finite_real(s.amplitude_1)
        && is_finite_real(s.amplitude_2)
        && is_finite_real(s.amplitude_rate_0)
        && is_finite_real(s.amplitude_rate_1)
        && is_finite_real(s.amplitude_rate_2);
}

const WORKGROUP = 64u;
const HAS_NORM_BOUND = false;
const NORM_BOUND_VALUE: real = 0.0f;

fn norm_error(s: State) -> real {
    var largest = real(0.0);
    largest = max(largest, abs(sqrt(s.q3 * s.q3 + (real(0.0) * real(0.0) + (real(0.0) * real(0.0) + s.q0 * s.q0))) - real(1.0)));
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
}

fn prepare(instance: u32) -> Prepared {
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
    return p;
}

// A full step takes 185 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.half_amplitude_0 * p.c2;
    let t1 = s.half_amplitude_0 * t0 + p.c2;
    let t2 = s.half_amplitude_1 * p.c2;
    let t3 = s.half_amplitude_1 * t2 + t1;
    let t4 = s.half_amplitude_2 * p.c2 + p.c7;
    let t5 = s.half_amplitude_2 * t4 + t3;
    let t6 = s.half_amplitude_0 * p.c8;
    let t7 = s.half_amplitude_1 * p.c8;
    let t8 = s.half_amplitude_2 * p.c9;
    let t9 = s.half_wz * p.c7;
    let t10 = s.half_wz * t9;
    let t11 = p.c1 * t10 - t8;
    let t12 = s.half_amplitude_rate_1 * p.c6;
    let t13 = s.half_wz * t12;
    let t14 = p.c10 * t13 + t6;
    let t15 = s.half_amplitude_rate_0 * p.c2;
    let t16 = s.half_wz * t15;
    let t17 = p.c10 * t16 + t7;
    let t18 = s.half_amplitude_rate_2 * t9;
    let t19 = s.half_wz * p.c2;
    let t20 = s.half_wz * t19;
    let t21 = s.half_amplitude_0 * t20 - t14;
    let t22 = s.half_amplitude_1 * t20 - t17;
    let t23 = s.half_amplitude_2 * t20 + t11;
    let t24 = s.half_amplitude_rate_0 * p.c10;
    let t25 = s.half_wz * t0;
    let t26 = t24 * t25 + t18;
    let t27 = s.half_amplitude_rate_1 * p.c10;
    let t28 = s.half_wz * t2;
    let t29 = t27 * t28 + t26;
    let t30 = s.half_amplitude_2 * p.c2;
    let t31 = s.half_amplitude_rate_2 * p.c10;
    let t32 = s.half_wz * t30;
    let t33 = t31 * t32 + t29;
    let t34 = s.half_amplitude_1 * p.c6;
    let t35 = t0 * p.c11;
    let t36 = t34 * p.c11;
    let t37 = t5 - t34 * t36;
    let t38 = t37 - t0 * t35;
    let t39 = t23 * p.c11;
    let t40 = t22 * p.c11;
    let t41 = t21 * p.c11;
    let t42 = t34 * t41 + t33;
    let t43 = t0 * t40 + t42;
    let t44 = p.c3 / t38;
    let t45 = t43 * t44;
    let t46 = t34 * t45 + t21;
    let t47 = t0 * t45 + t22;
    let t48 = p.c11 * t47;
    let t49 = p.c11 * t46;
    let t50 = s.wz - p.c0 * t45;
    let t51 = p.c0 * t49 + s.amplitude_rate_0;
    let t52 = p.c0 * t48 + s.amplitude_rate_1;
    let t53 = p.c0 * t39 + s.amplitude_rate_2;
    let t54 = s.half_wz * p.c4;
    let t55 = t54 * t54 + p.c3;
    let t56 = p.c10 / t55;
    let t57 = s.q0 - s.q3 * t54;
    let t58 = s.q0 * t54 + s.q3;
    let t59 = t56 * t57 - s.q0;
    let t60 = t56 * t58 - s.q3;
    let t61 = t59 * t59;
    let t62 = t60 * t60 + t61;
    let t63 = p.c5 - p.c1 * t62;
    let t64 = t59 * t63;
    let t65 = t60 * t63;
    let t66 = s.half_amplitude_rate_0 * p.c0 + s.amplitude_0;
    let t67 = s.half_amplitude_rate_1 * p.c0 + s.amplitude_1;
    let t68 = s.half_amplitude_rate_2 * p.c0 + s.amplitude_2;
    let t69 = p.c2 * t66;
    let t70 = t66 * t69 + p.c2;
    let t71 = p.c2 * t67;
    let t72 = t67 * t71 + t70;
    let t73 = p.c2 * t68 + p.c7;
    let t74 = t68 * t73 + t72;
    let t75 = p.c8 * t66;
    let t76 = p.c8 * t67;
    let t77 = p.c9 * t68;
    let t78 = p.c7 * t50;
    let t79 = t50 * t78;
    let t80 = p.c1 * t79 - t77;
    let t81 = p.c6 * t52;
    let t82 = t50 * t81;
    let t83 = p.c10 * t82 + t75;
    let t84 = p.c2 * t51;
    let t85 = t50 * t84;
    let t86 = p.c10 * t85 + t76;
    let t87 = t53 * t78;
    let t88 = p.c2 * t50;
    let t89 = t50 * t88;
    let t90 = t66 * t89 - t83;
    let t91 = t67 * t89 - t86;
    let t92 = t68 * t89 + t80;
    let t93 = p.c10 * t51;
    let t94 = t50 * t69;
    let t95 = t93 * t94 + t87;
    let t96 = p.c10 * t52;
    let t97 = t50 * t71;
    let t98 = t96 * t97 + t95;
    let t99 = p.c2 * t68;
    let t100 = p.c10 * t53;
    let t101 = t50 * t99;
    let t102 = t100 * t101 + t98;
    let t103 = p.c6 * t67;
    let t104 = p.c11 * t69;
    let t105 = p.c11 * t103;
    let t106 = t74 - t103 * t105;
    let t107 = t106 - t69 * t104;
    let t108 = p.c11 * t92;
    let t109 = p.c11 * t91;
    let t110 = p.c11 * t90;
    let t111 = t103 * t110 + t102;
    let t112 = t69 * t109 + t111;
    let t113 = p.c3 / t107;
    let t114 = t112 * t113;
    let t115 = t103 * t114 + t90;
    let t116 = t69 * t114 + t91;
    let t117 = p.c11 * t116;
    let t118 = p.c11 * t115;
    let t119 = s.half_wz - p.c0 * t114;
    let t120 = p.c0 * t118 + s.half_amplitude_rate_0;
    let t121 = p.c0 * t117 + s.half_amplitude_rate_1;
    let t122 = p.c0 * t108 + s.half_amplitude_rate_2;
    let t123 = p.c0 * t51 + s.half_amplitude_0;
    let t124 = p.c0 * t52 + s.half_amplitude_1;
    let t125 = p.c0 * t53 + s.half_amplitude_2;
    var next: State;
    next.q0 = t64;
    next.q3 = t65;
    next.wz = t50;
    next.amplitude_0 = t66;
    next.amplitude_1 = t67;
    next.amplitude_2 = t68;
    next.amplitude_rate_0 = t51;
    next.amplitude_rate_1 = t52;
    next.amplitude_rate_2 = t53;
    next.half_wz = t119;
    next.half_amplitude_0 = t123;
    next.half_amplitude_1 = t124;
    next.half_amplitude_2 = t125;
    next.half_amplitude_rate_0 = t120;
    next.half_amplitude_rate_1 = t121;
    next.half_amplitude_rate_2 = t122;
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
    base_wz: real,
    base_amplitude_0: real,
    base_amplitude_1: real,
    base_amplitude_2: real,
    base_amplitude_rate_0: real,
    base_amplitude_rate_1: real,
    base_amplitude_rate_2: real,
    at_wz: real,
    at_amplitude_0: real,
    at_amplitude_1: real,
    at_amplitude_2: real,
    at_amplitude_rate_0: real,
    at_amplitude_rate_1: real,
    at_amplitude_rate_2: real,
    sum_wz: real,
    sum_amplitude_0: real,
    sum_amplitude_1: real,
    sum_amplitude_2: real,
    sum_amplitude_rate_0: real,
    sum_amplitude_rate_1: real,
    sum_amplitude_rate_2: real,
}

// A lead begins at the motions.
fn lead_opened(instance: u32, s: State) -> Lead {
    var next: Lead;
    next.base_wz = s.wz;
    next.base_amplitude_0 = s.amplitude_0;
    next.base_amplitude_1 = s.amplitude_1;
    next.base_amplitude_2 = s.amplitude_2;
    next.base_amplitude_rate_0 = s.amplitude_rate_0;
    next.base_amplitude_rate_1 = s.amplitude_rate_1;
    next.base_amplitude_rate_2 = s.amplitude_rate_2;
    next.at_wz = s.wz;
    next.at_amplitude_0 = s.amplitude_0;
    next.at_amplitude_1 = s.amplitude_1;
    next.at_amplitude_2 = s.amplitude_2;
    next.at_amplitude_rate_0 = s.amplitude_rate_0;
    next.at_amplitude_rate_1 = s.amplitude_rate_1;
    next.at_amplitude_rate_2 = s.amplitude_rate_2;
    next.sum_wz = 0.0f;
    next.sum_amplitude_0 = 0.0f;
    next.sum_amplitude_1 = 0.0f;
    next.sum_amplitude_2 = 0.0f;
    next.sum_amplitude_rate_0 = 0.0f;
    next.sum_amplitude_rate_1 = 0.0f;
    next.sum_amplitude_rate_2 = 0.0f;
    return next;
}

// A stage takes 104 operations.
fn lead_stage(instance: u32, s: State, c: Lead, number: u32) -> Lead {
    let t0 = shared_values[2] * c.at_amplitude_0;
    let t1 = c.at_amplitude_0 * t0 + shared_values[2];
    let t2 = shared_values[2] * c.at_amplitude_1;
    let t3 = c.at_amplitude_1 * t2 + t1;
    let t4 = shared_values[2] * c.at_amplitude_2 + shared_values[7];
    let t5 = c.at_amplitude_2 * t4 + t3;
    let t6 = shared_values[8] * c.at_amplitude_0;
    let t7 = shared_values[8] * c.at_amplitude_1;
    let t8 = shared_values[9] * c.at_amplitude_2;
    let t9 = shared_values[7] * c.at_wz;
    let t10 = c.at_wz * t9;
    let t11 = shared_values[1] * t10 - t8;
    let t12 = shared_values[6] * c.at_amplitude_rate_1;
    let t13 = c.at_wz * t12;
    let t14 = shared_values[10] * t13 + t6;
    let t15 = shared_values[2] * c.at_amplitude_rate_0;
    let t16 = c.at_wz * t15;
    let t17 = shared_values[10] * t16 + t7;
    let t18 = c.at_amplitude_rate_2 * t9;
    let t19 = shared_values[2] * c.at_wz;
    let t20 = c.at_wz * t19;
    let t21 = c.at_amplitude_0 * t20 - t14;
    let t22 = c.at_amplitude_1 * t20 - t17;
    let t23 = c.at_amplitude_2 * t20 + t11;
    let t24 = c.at_amplitude_rate_0 * shared_values[10];
    let t25 = c.at_wz * t0;
    let t26 = t24 * t25 + t18;
    let t27 = c.at_amplitude_rate_1 * shared_values[10];
    let t28 = c.at_wz * t2;
    let t29 = t27 * t28 + t26;
    let t30 = shared_values[2] * c.at_amplitude_2;
    let t31 = c.at_amplitude_rate_2 * shared_values[10];
    let t32 = c.at_wz * t30;
    let t33 = t31 * t32 + t29;
    let t34 = shared_values[6] * c.at_amplitude_1;
    let t35 = shared_values[11] * t0;
    let t36 = shared_values[11] * t34;
    let t37 = t5 - t34 * t36;
    let t38 = t37 - t0 * t35;
    let t39 = shared_values[11] * t23;
    let t40 = shared_values[11] * t22;
    let t41 = shared_values[11] * t21;
    let t42 = t34 * t41 + t33;
    let t43 = t0 * t40 + t42;
    let t44 = shared_values[3] / t38;
    let t45 = t43 * t44;
    let t46 = t34 * t45 + t21;
    let t47 = t0 * t45 + t22;
    let t48 = shared_values[11] * t47;
    let t49 = shared_values[11] * t46;
    let t50 = shared_values[4] * t45;
    let t51 = shared_values[4] * t49;
    let t52 = shared_values[4] * t48;
    let t53 = shared_values[4] * t39;
    let t54 = shared_values[4] * c.at_amplitude_rate_0;
    let t55 = shared_values[4] * c.at_amplitude_rate_1;
    let t56 = shared_values[4] * c.at_amplitude_rate_2;
    let t57 = c.base_wz - shared_values[13u + 3u * number] * t50;
    let t58 = shared_values[13u + 3u * number] * t54 + c.base_amplitude_0;
    let t59 = shared_values[13u + 3u * number] * t55 + c.base_amplitude_1;
    let t60 = shared_values[13u + 3u * number] * t56 + c.base_amplitude_2;
    let t61 = shared_values[13u + 3u * number] * t51 + c.base_amplitude_rate_0;
    let t62 = shared_values[13u + 3u * number] * t52 + c.base_amplitude_rate_1;
    let t63 = shared_values[13u + 3u * number] * t53 + c.base_amplitude_rate_2;
    let t64 = c.sum_wz - shared_values[14u + 3u * number] * t50;
    let t65 = shared_values[14u + 3u * number] * t54 + c.sum_amplitude_0;
    let t66 = shared_values[14u + 3u * number] * t55 + c.sum_amplitude_1;
    let t67 = shared_values[14u + 3u * number] * t56 + c.sum_amplitude_2;
    let t68 = shared_values[14u + 3u * number] * t51 + c.sum_amplitude_rate_0;
    let t69 = shared_values[14u + 3u * number] * t52 + c.sum_amplitude_rate_1;
    let t70 = shared_values[14u + 3u * number] * t53 + c.sum_amplitude_rate_2;
    var next = c;
    next.at_wz = t57;
    next.at_amplitude_0 = t58;
    next.at_amplitude_1 = t59;
    next.at_amplitude_2 = t60;
    next.at_amplitude_rate_0 = t61;
    next.at_amplitude_rate_1 = t62;
    next.at_amplitude_rate_2 = t63;
    next.sum_wz = t64;
    next.sum_amplitude_0 = t65;
    next.sum_amplitude_1 = t66;
    next.sum_amplitude_2 = t67;
    next.sum_amplitude_rate_0 = t68;
    next.sum_amplitude_rate_1 = t69;
    next.sum_amplitude_rate_2 = t70;
    return next;
}

// A Runge-Kutta step ends, and another one may begin there.
fn lead_settled(instance: u32, s: State, c: Lead) -> Lead {
    let t0 = c.sum_wz * shared_values[12] + c.base_wz;
    let t1 = c.sum_amplitude_0 * shared_values[12] + c.base_amplitude_0;
    let t2 = c.sum_amplitude_1 * shared_values[12] + c.base_amplitude_1;
    let t3 = c.sum_amplitude_2 * shared_values[12] + c.base_amplitude_2;
    let t4 = c.sum_amplitude_rate_0 * shared_values[12] + c.base_amplitude_rate_0;
    let t5 = c.sum_amplitude_rate_1 * shared_values[12] + c.base_amplitude_rate_1;
    let t6 = c.sum_amplitude_rate_2 * shared_values[12] + c.base_amplitude_rate_2;
    var next = c;
    next.base_wz = t0;
    next.base_amplitude_0 = t1;
    next.base_amplitude_1 = t2;
    next.base_amplitude_2 = t3;
    next.base_amplitude_rate_0 = t4;
    next.base_amplitude_rate_1 = t5;
    next.base_amplitude_rate_2 = t6;
    next.at_wz = t0;
    next.at_amplitude_0 = t1;
    next.at_amplitude_1 = t2;
    next.at_amplitude_2 = t3;
    next.at_amplitude_rate_0 = t4;
    next.at_amplitude_rate_1 = t5;
    next.at_amplitude_rate_2 = t6;
    next.sum_wz = 0.0f;
    next.sum_amplitude_0 = 0.0f;
    next.sum_amplitude_1 = 0.0f;
    next.sum_amplitude_2 = 0.0f;
    next.sum_amplitude_rate_0 = 0.0f;
    next.sum_amplitude_rate_1 = 0.0f;
    next.sum_amplitude_rate_2 = 0.0f;
    return next;
}

// The chain is where the last step ended.
fn lead_closed(instance: u32, s: State, c: Lead) -> State {
    var next = s;
    next.half_wz = c.base_wz;
    next.half_amplitude_0 = c.base_amplitude_0;
    next.half_amplitude_1 = c.base_amplitude_1;
    next.half_amplitude_2 = c.base_amplitude_2;
    next.half_amplitude_rate_0 = c.base_amplitude_rate_0;
    next.half_amplitude_rate_1 = c.base_amplitude_rate_1;
    next.half_amplitude_rate_2 = c.base_amplitude_rate_2;
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
