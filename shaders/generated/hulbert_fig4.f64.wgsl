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
    s.half_q0 = state[7u * run.stride + instance];
    s.half_q1 = state[8u * run.stride + instance];
    s.half_q2 = state[9u * run.stride + instance];
    s.half_q3 = state[10u * run.stride + instance];
    s.half_wx = state[11u * run.stride + instance];
    s.half_wy = state[12u * run.stride + instance];
    s.half_wz = state[13u * run.stride + instance];
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
    state[7u * run.stride + instance] = s.half_q0;
    state[8u * run.stride + instance] = s.half_q1;
    state[9u * run.stride + instance] = s.half_q2;
    state[10u * run.stride + instance] = s.half_q3;
    state[11u * run.stride + instance] = s.half_wx;
    state[12u * run.stride + instance] = s.half_wy;
    state[13u * run.stride + instance] = s.half_wz;
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
}

fn prepare(instance: u32) -> Prepared {
    let t0 = shared_values[3] * shared_values[46];
    let t1 = shared_values[4] * shared_values[47];
    let t2 = shared_values[3] * shared_values[48];
    let t3 = shared_values[4] * shared_values[49];
    let t4 = t0 * shared_values[11];
    let t5 = t2 * shared_values[11];
    var p: Prepared;
    p.c0 = shared_values[0];
    p.c1 = shared_values[1];
    p.c2 = shared_values[2];
    p.c3 = shared_values[5];
    p.c4 = shared_values[8];
    p.c5 = shared_values[9];
    p.c6 = shared_values[10];
    p.c7 = shared_values[11];
    p.c8 = shared_values[12];
    p.c9 = shared_values[13];
    p.c10 = shared_values[14];
    p.c11 = t4;
    p.c12 = t1;
    p.c13 = t5;
    p.c14 = t3;
    return p;
}

// A full step takes 170 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.half_wy * s.half_wz;
    let t1 = s.half_wx * s.half_wz;
    let t2 = s.half_wx * s.half_wy;
    let t3 = p.c4 * t0 + s.wx;
    let t4 = p.c5 * t1 + s.wy;
    let t5 = p.c6 * t2 + s.wz;
    let t6 = t3 + p.c11;
    let t7 = s.half_q3 * p.c12;
    let t8 = s.half_q1 * p.c12;
    let t9 = p.c9 * t7;
    let t10 = p.c9 * t8;
    let t11 = s.half_q2 * t10;
    let t12 = p.c12 - s.half_q3 * t9;
    let t13 = t12 - s.half_q1 * t10;
    let t14 = s.half_q2 * t9;
    let t15 = s.half_q0 * t9 + t11;
    let t16 = t14 - s.half_q0 * t10;
    let t17 = p.c7 * t15 + t6;
    let t18 = p.c8 * t13 + t4;
    let t19 = p.c0 * t16 + t5;
    let t20 = s.half_wx * p.c3;
    let t21 = s.half_wy * p.c3;
    let t22 = s.half_wz * p.c3;
    let t23 = t20 * t20 + p.c2;
    let t24 = t21 * t21 + t23;
    let t25 = t22 * t22 + t24;
    let t26 = p.c9 / t25;
    let t27 = s.q0 - s.q1 * t20;
    let t28 = t27 - s.q2 * t21;
    let t29 = t28 - s.q3 * t22;
    let t30 = s.q0 * t20 + s.q1;
    let t31 = s.q2 * t22 + t30;
    let t32 = t31 - s.q3 * t21;
    let t33 = s.q0 * t21 + s.q2;
    let t34 = s.q3 * t20 + t33;
    let t35 = t34 - s.q1 * t22;
    let t36 = s.q0 * t22 + s.q3;
    let t37 = s.q1 * t21 + t36;
    let t38 = t37 - s.q2 * t20;
    let t39 = t26 * t29 - s.q0;
    let t40 = t26 * t32 - s.q1;
    let t41 = t26 * t35 - s.q2;
    let t42 = t26 * t38 - s.q3;
    let t43 = t39 * t39;
    let t44 = t40 * t40 + t43;
    let t45 = t41 * t41 + t44;
    let t46 = t42 * t42 + t45;
    let t47 = p.c10 - p.c1 * t46;
    let t48 = t39 * t47;
    let t49 = t40 * t47;
    let t50 = t41 * t47;
    let t51 = t42 * t47;
    let t52 = t18 * t19;
    let t53 = t17 * t19;
    let t54 = t17 * t18;
    let t55 = p.c4 * t52 + s.half_wx;
    let t56 = p.c5 * t53 + s.half_wy;
    let t57 = p.c6 * t54 + s.half_wz;
    let t58 = t55 + p.c13;
    let t59 = p.c14 * t51;
    let t60 = p.c14 * t49;
    let t61 = p.c9 * t59;
    let t62 = p.c9 * t60;
    let t63 = t50 * t62;
    let t64 = p.c14 - t51 * t61;
    let t65 = t64 - t49 * t62;
    let t66 = t50 * t61;
    let t67 = t48 * t61 + t63;
    let t68 = t66 - t48 * t62;
    let t69 = p.c7 * t67 + t58;
    let t70 = p.c8 * t65 + t56;
    let t71 = p.c0 * t68 + t57;
    let t72 = p.c3 * t17;
    let t73 = p.c3 * t18;
    let t74 = p.c3 * t19;
    let t75 = t72 * t72 + p.c2;
    let t76 = t73 * t73 + t75;
    let t77 = t74 * t74 + t76;
    let t78 = p.c9 / t77;
    let t79 = s.half_q0 - s.half_q1 * t72;
    let t80 = t79 - s.half_q2 * t73;
    let t81 = t80 - s.half_q3 * t74;
    let t82 = s.half_q0 * t72 + s.half_q1;
    let t83 = s.half_q2 * t74 + t82;
    let t84 = t83 - s.half_q3 * t73;
    let t85 = s.half_q0 * t73 + s.half_q2;
    let t86 = s.half_q3 * t72 + t85;
    let t87 = t86 - s.half_q1 * t74;
    let t88 = s.half_q0 * t74 + s.half_q3;
    let t89 = s.half_q1 * t73 + t88;
    let t90 = t89 - s.half_q2 * t72;
    let t91 = t78 * t81 - s.half_q0;
    let t92 = t78 * t84 - s.half_q1;
    let t93 = t78 * t87 - s.half_q2;
    let t94 = t78 * t90 - s.half_q3;
    let t95 = t91 * t91;
    let t96 = t92 * t92 + t95;
    let t97 = t93 * t93 + t96;
    let t98 = t94 * t94 + t97;
    let t99 = p.c10 - p.c1 * t98;
    let t100 = t91 * t99;
    let t101 = t92 * t99;
    let t102 = t93 * t99;
    let t103 = t94 * t99;
    var next: State;
    next.q0 = t48;
    next.q1 = t49;
    next.q2 = t50;
    next.q3 = t51;
    next.wx = t17;
    next.wy = t18;
    next.wz = t19;
    next.half_q0 = t100;
    next.half_q1 = t101;
    next.half_q2 = t102;
    next.half_q3 = t103;
    next.half_wx = t69;
    next.half_wy = t70;
    next.half_wz = t71;
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
    return next;
}

// A stage takes 101 operations.
fn lead_stage(instance: u32, s: State, c: Lead, number: u32) -> Lead {
    let t0 = shared_values[3] * shared_values[50u + 2u * (number / 4u)];
    let t1 = shared_values[4] * shared_values[51u + 2u * (number / 4u)];
    let t2 = c.at_q0 * c.at_q0;
    let t3 = c.at_q1 * c.at_q1 + t2;
    let t4 = c.at_q2 * c.at_q2 + t3;
    let t5 = c.at_q3 * c.at_q3 + t4;
    let t6 = shared_values[7] + t5;
    let t7 = t5 * t6 + shared_values[6];
    let t8 = shared_values[6] * t5 + shared_values[7];
    let t9 = t5 * t8 + shared_values[2];
    let t10 = t7 / t9;
    let t11 = c.at_q0 * t10;
    let t12 = c.at_q1 * t10;
    let t13 = c.at_q2 * t10;
    let t14 = c.at_q3 * t10;
    let t15 = c.at_wy * c.at_wz;
    let t16 = c.at_wx * c.at_wz;
    let t17 = c.at_wx * c.at_wy;
    let t18 = shared_values[15] * t15;
    let t19 = shared_values[16] * t16;
    let t20 = shared_values[17] * t17;
    let t21 = t0 * shared_values[18];
    let t22 = t18 + t21;
    let t23 = t1 * t14;
    let t24 = t1 * t12;
    let t25 = shared_values[13] * t23;
    let t26 = shared_values[13] * t24;
    let t27 = t13 * t26;
    let t28 = t1 - t14 * t25;
    let t29 = t28 - t12 * t26;
    let t30 = t13 * t25;
    let t31 = t11 * t25 + t27;
    let t32 = t30 - t11 * t26;
    let t33 = shared_values[18] * t31 + t22;
    let t34 = shared_values[19] * t29 + t19;
    let t35 = shared_values[5] * t32 + t20;
    let t36 = c.at_q1 * c.at_wx;
    let t37 = c.at_q2 * c.at_wy + t36;
    let t38 = c.at_q3 * c.at_wz + t37;
    let t39 = c.at_q0 * c.at_wx;
    let t40 = c.at_q2 * c.at_wz + t39;
    let t41 = t40 - c.at_q3 * c.at_wy;
    let t42 = c.at_q0 * c.at_wy;
    let t43 = c.at_q3 * c.at_wx + t42;
    let t44 = t43 - c.at_q1 * c.at_wz;
    let t45 = c.at_q0 * c.at_wz;
    let t46 = c.at_q1 * c.at_wy + t45;
    let t47 = t46 - c.at_q2 * c.at_wx;
    let t48 = shared_values[20] * t38;
    let t49 = shared_values[20] * t41;
    let t50 = shared_values[20] * t44;
    let t51 = shared_values[20] * t47;
    let t52 = c.base_q0 - shared_values[22u + 3u * number] * t48;
    let t53 = shared_values[22u + 3u * number] * t49 + c.base_q1;
    let t54 = shared_values[22u + 3u * number] * t50 + c.base_q2;
    let t55 = shared_values[22u + 3u * number] * t51 + c.base_q3;
    let t56 = shared_values[22u + 3u * number] * t33 + c.base_wx;
    let t57 = shared_values[22u + 3u * number] * t34 + c.base_wy;
    let t58 = shared_values[22u + 3u * number] * t35 + c.base_wz;
    let t59 = c.sum_q0 - shared_values[23u + 3u * number] * t48;
    let t60 = shared_values[23u + 3u * number] * t49 + c.sum_q1;
    let t61 = shared_values[23u + 3u * number] * t50 + c.sum_q2;
    let t62 = shared_values[23u + 3u * number] * t51 + c.sum_q3;
    let t63 = shared_values[23u + 3u * number] * t33 + c.sum_wx;
    let t64 = shared_values[23u + 3u * number] * t34 + c.sum_wy;
    let t65 = shared_values[23u + 3u * number] * t35 + c.sum_wz;
    var next = c;
    next.at_q0 = t52;
    next.at_q1 = t53;
    next.at_q2 = t54;
    next.at_q3 = t55;
    next.at_wx = t56;
    next.at_wy = t57;
    next.at_wz = t58;
    next.sum_q0 = t59;
    next.sum_q1 = t60;
    next.sum_q2 = t61;
    next.sum_q3 = t62;
    next.sum_wx = t63;
    next.sum_wy = t64;
    next.sum_wz = t65;
    return next;
}

// A Runge-Kutta step ends, and another one may begin there.
fn lead_settled(instance: u32, s: State, c: Lead) -> Lead {
    let t0 = c.sum_q0 * shared_values[21] + c.base_q0;
    let t1 = c.sum_q1 * shared_values[21] + c.base_q1;
    let t2 = c.sum_q2 * shared_values[21] + c.base_q2;
    let t3 = c.sum_q3 * shared_values[21] + c.base_q3;
    let t4 = c.sum_wx * shared_values[21] + c.base_wx;
    let t5 = c.sum_wy * shared_values[21] + c.base_wy;
    let t6 = c.sum_wz * shared_values[21] + c.base_wz;
    let t7 = t0 * t0;
    let t8 = t1 * t1 + t7;
    let t9 = t2 * t2 + t8;
    let t10 = t3 * t3 + t9;
    let t11 = sqrt(t10);
    let t12 = shared_values[2] / t11;
    let t13 = t0 * t12;
    let t14 = t1 * t12;
    let t15 = t2 * t12;
    let t16 = t3 * t12;
    var next = c;
    next.base_q0 = t13;
    next.base_q1 = t14;
    next.base_q2 = t15;
    next.base_q3 = t16;
    next.base_wx = t4;
    next.base_wy = t5;
    next.base_wz = t6;
    next.at_q0 = t13;
    next.at_q1 = t14;
    next.at_q2 = t15;
    next.at_q3 = t16;
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
