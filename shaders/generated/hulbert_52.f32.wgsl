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
const NORM_BOUND_VALUE: real = 0.0f;

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
}

fn prepare(instance: u32) -> Prepared {
    var p: Prepared;
    p.c0 = shared_values[0];
    p.c1 = shared_values[1];
    p.c2 = shared_values[2];
    p.c3 = shared_values[3];
    p.c4 = shared_values[5];
    p.c5 = shared_values[6];
    p.c6 = shared_values[7];
    p.c7 = shared_values[8];
    p.c8 = shared_values[9];
    return p;
}

// A full step takes 150 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.half_wy * s.half_wz;
    let t1 = s.half_wx * s.half_wz;
    let t2 = p.c4 * t0 + s.wx;
    let t3 = p.c5 * t1 + s.wy;
    let t4 = s.half_q2 * p.c2;
    let t5 = s.half_q1 * p.c2;
    let t6 = p.c7 * t4;
    let t7 = p.c7 * t5;
    let t8 = s.half_q3 * t7;
    let t9 = s.half_q3 * t6;
    let t10 = t8 - s.half_q0 * t6;
    let t11 = s.half_q0 * t7 + t9;
    let t12 = t2 - p.c6 * t11;
    let t13 = p.c6 * t10 + t3;
    let t14 = s.half_wx * p.c3;
    let t15 = s.half_wy * p.c3;
    let t16 = s.half_wz * p.c3;
    let t17 = t14 * t14 + p.c1;
    let t18 = t15 * t15 + t17;
    let t19 = t16 * t16 + t18;
    let t20 = p.c7 / t19;
    let t21 = s.q0 - s.q1 * t14;
    let t22 = t21 - s.q2 * t15;
    let t23 = t22 - s.q3 * t16;
    let t24 = s.q0 * t14 + s.q1;
    let t25 = s.q2 * t16 + t24;
    let t26 = t25 - s.q3 * t15;
    let t27 = s.q0 * t15 + s.q2;
    let t28 = s.q3 * t14 + t27;
    let t29 = t28 - s.q1 * t16;
    let t30 = s.q0 * t16 + s.q3;
    let t31 = s.q1 * t15 + t30;
    let t32 = t31 - s.q2 * t14;
    let t33 = t20 * t23 - s.q0;
    let t34 = t20 * t26 - s.q1;
    let t35 = t20 * t29 - s.q2;
    let t36 = t20 * t32 - s.q3;
    let t37 = t33 * t33;
    let t38 = t34 * t34 + t37;
    let t39 = t35 * t35 + t38;
    let t40 = t36 * t36 + t39;
    let t41 = p.c8 - p.c0 * t40;
    let t42 = t33 * t41;
    let t43 = t34 * t41;
    let t44 = t35 * t41;
    let t45 = t36 * t41;
    let t46 = s.wz * t13;
    let t47 = s.wz * t12;
    let t48 = p.c4 * t46 + s.half_wx;
    let t49 = p.c5 * t47 + s.half_wy;
    let t50 = p.c2 * t44;
    let t51 = p.c2 * t43;
    let t52 = p.c7 * t50;
    let t53 = p.c7 * t51;
    let t54 = t45 * t53;
    let t55 = t45 * t52;
    let t56 = t54 - t42 * t52;
    let t57 = t42 * t53 + t55;
    let t58 = t48 - p.c6 * t57;
    let t59 = p.c6 * t56 + t49;
    let t60 = p.c3 * t12;
    let t61 = p.c3 * t13;
    let t62 = s.wz * p.c3;
    let t63 = t60 * t60 + p.c1;
    let t64 = t61 * t61 + t63;
    let t65 = t62 * t62 + t64;
    let t66 = p.c7 / t65;
    let t67 = s.half_q0 - s.half_q1 * t60;
    let t68 = t67 - s.half_q2 * t61;
    let t69 = t68 - s.half_q3 * t62;
    let t70 = s.half_q0 * t60 + s.half_q1;
    let t71 = s.half_q2 * t62 + t70;
    let t72 = t71 - s.half_q3 * t61;
    let t73 = s.half_q0 * t61 + s.half_q2;
    let t74 = s.half_q3 * t60 + t73;
    let t75 = t74 - s.half_q1 * t62;
    let t76 = s.half_q0 * t62 + s.half_q3;
    let t77 = s.half_q1 * t61 + t76;
    let t78 = t77 - s.half_q2 * t60;
    let t79 = t66 * t69 - s.half_q0;
    let t80 = t66 * t72 - s.half_q1;
    let t81 = t66 * t75 - s.half_q2;
    let t82 = t66 * t78 - s.half_q3;
    let t83 = t79 * t79;
    let t84 = t80 * t80 + t83;
    let t85 = t81 * t81 + t84;
    let t86 = t82 * t82 + t85;
    let t87 = p.c8 - p.c0 * t86;
    let t88 = t79 * t87;
    let t89 = t80 * t87;
    let t90 = t81 * t87;
    let t91 = t82 * t87;
    var next: State;
    next.q0 = t42;
    next.q1 = t43;
    next.q2 = t44;
    next.q3 = t45;
    next.wx = t12;
    next.wy = t13;
    next.wz = s.wz;
    next.half_q0 = t88;
    next.half_q1 = t89;
    next.half_q2 = t90;
    next.half_q3 = t91;
    next.half_wx = t58;
    next.half_wy = t59;
    next.half_wz = s.half_wz;
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
    next.sum_q0 = 0.0f;
    next.sum_q1 = 0.0f;
    next.sum_q2 = 0.0f;
    next.sum_q3 = 0.0f;
    next.sum_wx = 0.0f;
    next.sum_wy = 0.0f;
    next.sum_wz = 0.0f;
    return next;
}

// A stage takes 85 operations.
fn lead_stage(instance: u32, s: State, c: Lead, number: u32) -> Lead {
    let t0 = c.at_q0 * c.at_q0;
    let t1 = c.at_q1 * c.at_q1 + t0;
    let t2 = c.at_q2 * c.at_q2 + t1;
    let t3 = c.at_q3 * c.at_q3 + t2;
    let t4 = t3 + shared_values[10];
    let t5 = t3 * t4 + shared_values[4];
    let t6 = shared_values[4] * t3 + shared_values[10];
    let t7 = t3 * t6 + shared_values[1];
    let t8 = t5 / t7;
    let t9 = c.at_q0 * t8;
    let t10 = c.at_q1 * t8;
    let t11 = c.at_q2 * t8;
    let t12 = c.at_q3 * t8;
    let t13 = c.at_wy * c.at_wz;
    let t14 = c.at_wx * c.at_wz;
    let t15 = shared_values[7] * t13;
    let t16 = shared_values[11] * t14;
    let t17 = shared_values[2] * t11;
    let t18 = shared_values[2] * t10;
    let t19 = shared_values[8] * t17;
    let t20 = shared_values[8] * t18;
    let t21 = t12 * t20;
    let t22 = t12 * t19;
    let t23 = t21 - t9 * t19;
    let t24 = t9 * t20 + t22;
    let t25 = t15 - shared_values[12] * t24;
    let t26 = shared_values[12] * t23 + t16;
    let t27 = c.at_q1 * c.at_wx;
    let t28 = c.at_q2 * c.at_wy + t27;
    let t29 = c.at_q3 * c.at_wz + t28;
    let t30 = c.at_q0 * c.at_wx;
    let t31 = c.at_q2 * c.at_wz + t30;
    let t32 = t31 - c.at_q3 * c.at_wy;
    let t33 = c.at_q0 * c.at_wy;
    let t34 = c.at_q3 * c.at_wx + t33;
    let t35 = t34 - c.at_q1 * c.at_wz;
    let t36 = c.at_q0 * c.at_wz;
    let t37 = c.at_q1 * c.at_wy + t36;
    let t38 = t37 - c.at_q2 * c.at_wx;
    let t39 = shared_values[13] * t29;
    let t40 = shared_values[13] * t32;
    let t41 = shared_values[13] * t35;
    let t42 = shared_values[13] * t38;
    let t43 = c.base_q0 - shared_values[16u + 3u * number] * t39;
    let t44 = shared_values[16u + 3u * number] * t40 + c.base_q1;
    let t45 = shared_values[16u + 3u * number] * t41 + c.base_q2;
    let t46 = shared_values[16u + 3u * number] * t42 + c.base_q3;
    let t47 = shared_values[16u + 3u * number] * t25 + c.base_wx;
    let t48 = shared_values[16u + 3u * number] * t26 + c.base_wy;
    let t49 = c.sum_q0 - shared_values[17u + 3u * number] * t39;
    let t50 = shared_values[17u + 3u * number] * t40 + c.sum_q1;
    let t51 = shared_values[17u + 3u * number] * t41 + c.sum_q2;
    let t52 = shared_values[17u + 3u * number] * t42 + c.sum_q3;
    let t53 = shared_values[17u + 3u * number] * t25 + c.sum_wx;
    let t54 = shared_values[17u + 3u * number] * t26 + c.sum_wy;
    var next = c;
    next.at_q0 = t43;
    next.at_q1 = t44;
    next.at_q2 = t45;
    next.at_q3 = t46;
    next.at_wx = t47;
    next.at_wy = t48;
    next.at_wz = c.base_wz;
    next.sum_q0 = t49;
    next.sum_q1 = t50;
    next.sum_q2 = t51;
    next.sum_q3 = t52;
    next.sum_wx = t53;
    next.sum_wy = t54;
    next.sum_wz = c.sum_wz;
    return next;
}

// A Runge-Kutta step ends, and another one may begin there.
fn lead_settled(instance: u32, s: State, c: Lead) -> Lead {
    let t0 = c.sum_q0 * shared_values[14] + c.base_q0;
    let t1 = c.sum_q1 * shared_values[14] + c.base_q1;
    let t2 = c.sum_q2 * shared_values[14] + c.base_q2;
    let t3 = c.sum_q3 * shared_values[14] + c.base_q3;
    let t4 = c.sum_wx * shared_values[14] + c.base_wx;
    let t5 = c.sum_wy * shared_values[14] + c.base_wy;
    let t6 = c.sum_wz * shared_values[14] + c.base_wz;
    let t7 = t0 * t0;
    let t8 = t1 * t1 + t7;
    let t9 = t2 * t2 + t8;
    let t10 = t3 * t3 + t9;
    let t11 = sqrt(t10);
    let t12 = shared_values[1] / t11;
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
    next.sum_q0 = 0.0f;
    next.sum_q1 = 0.0f;
    next.sum_q2 = 0.0f;
    next.sum_q3 = 0.0f;
    next.sum_wx = 0.0f;
    next.sum_wy = 0.0f;
    next.sum_wz = 0.0f;
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

fn energy_change(instance: u32, s: State) -> Judged {
    let t0 = s.wx * shared_values[4];
    let t1 = s.wy * shared_values[4];
    let t2 = s.wx * t0;
    let t3 = s.wy * t1 + t2;
    let t4 = s.wz * s.wz + t3;
    let t5 = shared_values[0] * t4;
    let t6 = t5 - parameters[0u * run.stride + instance];
    let t7 = s.q2 * shared_values[8];
    let t8 = s.q1 * shared_values[8];
    let t9 = shared_values[1] - s.q2 * t7;
    let t10 = t9 - s.q1 * t8;
    let t11 = shared_values[2] * t10;
    let t12 = t6 - t11;
    let t13 = parameters[1u * run.stride + instance] * shared_values[15];
    return Judged(t12, t13);
}

fn is_passed(judged: Judged) -> bool {
    return judged.allowed > real(0.0) && abs(judged.value) > judged.allowed;
}

// The verdict of the first bound that is passed, else FINISHED.
fn passed(instance: u32, s: State) -> u32 {
    if is_passed(energy_change(instance, s)) {
        return 2u; // energy_bound
    }
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
