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
    angle_0: real,
    half_q0: real,
    half_q3: real,
    half_wz: real,
}

fn load_state(instance: u32) -> State {
    var s: State;
    s.q0 = state[0u * run.stride + instance];
    s.q3 = state[1u * run.stride + instance];
    s.wz = state[2u * run.stride + instance];
    s.angle_0 = state[3u * run.stride + instance];
    s.half_q0 = state[4u * run.stride + instance];
    s.half_q3 = state[5u * run.stride + instance];
    s.half_wz = state[6u * run.stride + instance];
    return s;
}

fn store_state(instance: u32, s: State) {
    state[0u * run.stride + instance] = s.q0;
    state[1u * run.stride + instance] = s.q3;
    state[2u * run.stride + instance] = s.wz;
    state[3u * run.stride + instance] = s.angle_0;
    state[4u * run.stride + instance] = s.half_q0;
    state[5u * run.stride + instance] = s.half_q3;
    state[6u * run.stride + instance] = s.half_wz;
}

fn flushed(s: State) -> State {
    var next: State;
    next.q0 = flushed_real(s.q0);
    next.q3 = flushed_real(s.q3);
    next.wz = flushed_real(s.wz);
    next.angle_0 = flushed_real(s.angle_0);
    next.half_q0 = flushed_real(s.half_q0);
    next.half_q3 = flushed_real(s.half_q3);
    next.half_wz = flushed_real(s.half_wz);
    return next;
}

fn is_finite_state(s: State) -> bool {
    return is_finite_real(s.q0)
        && is_finite_real(s.q3)
        && is_finite_real(s.wz)
        && is_finite_real(s.angle_0);
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
    c12: real,
    c13: real,
    c14: real,
    c15: real,
    c16: real,
    c17: real,
}

fn prepare(instance: u32) -> Prepared {
    let t0 = parameters[2u * run.stride + instance] * shared_values[2];
    var p: Prepared;
    p.c0 = shared_values[0];
    p.c1 = shared_values[1];
    p.c2 = shared_values[3];
    p.c3 = shared_values[4];
    p.c4 = shared_values[5];
    p.c5 = shared_values[6];
    p.c6 = shared_values[7];
    p.c7 = shared_values[8];
    p.c8 = shared_values[9];
    p.c9 = shared_values[10];
    p.c10 = shared_values[11];
    p.c11 = shared_values[12];
    p.c12 = shared_values[13];
    p.c13 = shared_values[14];
    p.c14 = shared_values[15];
    p.c15 = parameters[3u * run.stride + instance];
    p.c16 = parameters[2u * run.stride + instance];
    p.c17 = t0;
    return p;
}

// A full step takes 126 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.half_q3 * p.c2;
    let t1 = s.half_q0 * t0;
    let t2 = -(t1);
    let t3 = s.half_q3 * t0;
    let t4 = p.c1 - t3;
    let t5 = -(t4);
    let t6 = select(t4, t5, t4 < 0.0f);
    let t7 = select(t1, t2, t1 < 0.0f);
    let t8 = select(t6, t7, t7 < t6);
    let t9 = select(t7, t6, t7 < t6);
    let t10 = t9 * p.c3;
    let t11 = t8 - t9;
    let t12 = select(t8, t11, t10 < t8);
    let t13 = t8 + t9;
    let t14 = select(t9, t13, t10 < t8);
    let t15 = p.c1 + t14;
    let t16 = select(t15, t14, 0.0f < t14);
    let t17 = t12 / t16;
    let t18 = t17 * t17;
    let t19 = t17 * t18;
    let t20 = t18 * p.c4 + p.c5;
    let t21 = t18 * t20 + p.c6;
    let t22 = t18 * t21 + p.c7;
    let t23 = t18 * t22 + p.c8;
    let t24 = t19 * t23 + t17;
    let t25 = t24 + p.c9;
    let t26 = select(t24, t25, t10 < t8);
    let t27 = p.c10 - t26;
    let t28 = select(t26, t27, t6 < t7);
    let t29 = p.c11 - t28;
    let t30 = select(t28, t29, t4 < 0.0f);
    let t31 = -(t30);
    let t32 = select(t30, t31, t1 < 0.0f);
    let t33 = s.angle_0 - t32;
    let t34 = t33 * p.c13;
    let t35 = p.c0 + t34;
    let t36 = floor(t35);
    let t37 = p.c12 * t36 + t32;
    let t38 = p.c15 * t37;
    let t39 = s.wz - p.c16 * t38;
    let t40 = s.half_wz * p.c17;
    let t41 = t40 * t40 + p.c1;
    let t42 = p.c2 / t41;
    let t43 = s.q0 - s.q3 * t40;
    let t44 = s.q0 * t40 + s.q3;
    let t45 = t42 * t43 - s.q0;
    let t46 = t42 * t44 - s.q3;
    let t47 = t45 * t45;
    let t48 = t46 * t46 + t47;
    let t49 = p.c14 - p.c0 * t48;
    let t50 = t45 * t49;
    let t51 = t46 * t49;
    let t52 = p.c2 * t51;
    let t53 = t50 * t52;
    let t54 = -(t53);
    let t55 = t51 * t52;
    let t56 = p.c1 - t55;
    let t57 = -(t56);
    let t58 = select(t56, t57, t56 < 0.0f);
    let t59 = select(t53, t54, t53 < 0.0f);
    let t60 = select(t58, t59, t59 < t58);
    let t61 = select(t59, t58, t59 < t58);
    let t62 = p.c3 * t61;
    let t63 = t60 - t61;
    let t64 = select(t60, t63, t62 < t60);
    let t65 = t60 + t61;
    let t66 = select(t61, t65, t62 < t60);
    let t67 = p.c1 + t66;
    let t68 = select(t67, t66, 0.0f < t66);
    let t69 = t64 / t68;
    let t70 = t69 * t69;
    let t71 = t69 * t70;
    let t72 = p.c4 * t70 + p.c5;
    let t73 = t70 * t72 + p.c6;
    let t74 = t70 * t73 + p.c7;
    let t75 = t70 * t74 + p.c8;
    let t76 = t71 * t75 + t69;
    let t77 = p.c9 + t76;
    let t78 = select(t76, t77, t62 < t60);
    let t79 = p.c10 - t78;
    let t80 = select(t78, t79, t58 < t59);
    let t81 = p.c11 - t80;
    let t82 = select(t80, t81, t56 < 0.0f);
    let t83 = -(t82);
    let t84 = select(t82, t83, t53 < 0.0f);
    let t85 = s.angle_0 - t84;
    let t86 = p.c13 * t85;
    let t87 = p.c0 + t86;
    let t88 = floor(t87);
    let t89 = p.c12 * t88 + t84;
    let t90 = p.c15 * t89;
    let t91 = s.half_wz - p.c16 * t90;
    let t92 = p.c17 * t39;
    let t93 = t92 * t92 + p.c1;
    let t94 = p.c2 / t93;
    let t95 = s.half_q0 - s.half_q3 * t92;
    let t96 = s.half_q0 * t92 + s.half_q3;
    let t97 = t94 * t95 - s.half_q0;
    let t98 = t94 * t96 - s.half_q3;
    let t99 = t97 * t97;
    let t100 = t98 * t98 + t99;
    let t101 = p.c14 - p.c0 * t100;
    let t102 = t97 * t101;
    let t103 = t98 * t101;
    var next: State;
    next.q0 = t50;
    next.q3 = t51;
    next.wz = t39;
    next.angle_0 = t89;
    next.half_q0 = t102;
    next.half_q3 = t103;
    next.half_wz = t91;
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
    base_q3: real,
    base_wz: real,
    at_q0: real,
    at_q3: real,
    at_wz: real,
    sum_q0: real,
    sum_q3: real,
    sum_wz: real,
}

// A lead begins at the motions.
fn lead_opened(instance: u32, s: State) -> Lead {
    var next: Lead;
    next.base_q0 = s.q0;
    next.base_q3 = s.q3;
    next.base_wz = s.wz;
    next.at_q0 = s.q0;
    next.at_q3 = s.q3;
    next.at_wz = s.wz;
    next.sum_q0 = 0.0f;
    next.sum_q3 = 0.0f;
    next.sum_wz = 0.0f;
    return next;
}

// A stage takes 72 operations.
fn lead_stage(instance: u32, s: State, c: Lead, number: u32) -> Lead {
    let t0 = parameters[2u * run.stride + instance] * shared_values[2];
    let t1 = c.at_q0 * c.at_q0;
    let t2 = c.at_q3 * c.at_q3 + t1;
    let t3 = t2 + shared_values[17];
    let t4 = t2 * t3 + shared_values[16];
    let t5 = t2 * shared_values[16] + shared_values[17];
    let t6 = t2 * t5 + shared_values[1];
    let t7 = t4 / t6;
    let t8 = c.at_q0 * t7;
    let t9 = c.at_q3 * t7;
    let t10 = shared_values[3] * t9;
    let t11 = t8 * t10;
    let t12 = -(t11);
    let t13 = t9 * t10;
    let t14 = shared_values[1] - t13;
    let t15 = -(t14);
    let t16 = select(t14, t15, t14 < 0.0f);
    let t17 = select(t11, t12, t11 < 0.0f);
    let t18 = select(t16, t17, t17 < t16);
    let t19 = select(t17, t16, t17 < t16);
    let t20 = shared_values[4] * t19;
    let t21 = t18 - t19;
    let t22 = select(t18, t21, t20 < t18);
    let t23 = t18 + t19;
    let t24 = select(t19, t23, t20 < t18);
    let t25 = shared_values[1] + t24;
    let t26 = select(t25, t24, 0.0f < t24);
    let t27 = t22 / t26;
    let t28 = t27 * t27;
    let t29 = t27 * t28;
    let t30 = shared_values[5] * t28 + shared_values[6];
    let t31 = t28 * t30 + shared_values[7];
    let t32 = t28 * t31 + shared_values[8];
    let t33 = t28 * t32 + shared_values[9];
    let t34 = t29 * t33 + t27;
    let t35 = shared_values[10] + t34;
    let t36 = select(t34, t35, t20 < t18);
    let t37 = shared_values[11] - t36;
    let t38 = select(t36, t37, t16 < t17);
    let t39 = shared_values[12] - t38;
    let t40 = select(t38, t39, t14 < 0.0f);
    let t41 = -(t40);
    let t42 = select(t40, t41, t11 < 0.0f);
    let t43 = s.angle_0 - t42;
    let t44 = shared_values[14] * t43;
    let t45 = shared_values[0] + t44;
    let t46 = floor(t45);
    let t47 = shared_values[13] * t46 + t42;
    let t48 = parameters[3u * run.stride + instance] * t47;
    let t49 = t0 * t48;
    let t50 = shared_values[0] * t0;
    let t51 = c.at_q3 * c.at_wz;
    let t52 = c.at_q0 * c.at_wz;
    let t53 = t50 * t51;
    let t54 = t50 * t52;
    let t55 = c.base_q0 - shared_values[20u + 3u * number] * t53;
    let t56 = shared_values[20u + 3u * number] * t54 + c.base_q3;
    let t57 = c.base_wz - shared_values[20u + 3u * number] * t49;
    let t58 = c.sum_q0 - shared_values[21u + 3u * number] * t53;
    let t59 = shared_values[21u + 3u * number] * t54 + c.sum_q3;
    let t60 = c.sum_wz - shared_values[21u + 3u * number] * t49;
    var next = c;
    next.at_q0 = t55;
    next.at_q3 = t56;
    next.at_wz = t57;
    next.sum_q0 = t58;
    next.sum_q3 = t59;
    next.sum_wz = t60;
    return next;
}

// A Runge-Kutta step ends, and another one may begin there.
fn lead_settled(instance: u32, s: State, c: Lead) -> Lead {
    let t0 = c.sum_q0 * shared_values[18] + c.base_q0;
    let t1 = c.sum_q3 * shared_values[18] + c.base_q3;
    let t2 = c.sum_wz * shared_values[18] + c.base_wz;
    let t3 = t0 * t0;
    let t4 = t1 * t1 + t3;
    let t5 = sqrt(t4);
    let t6 = shared_values[1] / t5;
    let t7 = t0 * t6;
    let t8 = t1 * t6;
    var next = c;
    next.base_q0 = t7;
    next.base_q3 = t8;
    next.base_wz = t2;
    next.at_q0 = t7;
    next.at_q3 = t8;
    next.at_wz = t2;
    next.sum_q0 = 0.0f;
    next.sum_q3 = 0.0f;
    next.sum_wz = 0.0f;
    return next;
}

// The chain is where the last step ended.
fn lead_closed(instance: u32, s: State, c: Lead) -> State {
    var next = s;
    next.half_q0 = c.base_q0;
    next.half_q3 = c.base_q3;
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
    let t0 = s.q3 * shared_values[3];
    let t1 = s.q0 * t0;
    let t2 = -(t1);
    let t3 = s.q3 * t0;
    let t4 = shared_values[1] - t3;
    let t5 = -(t4);
    let t6 = select(t4, t5, t4 < 0.0f);
    let t7 = select(t1, t2, t1 < 0.0f);
    let t8 = select(t6, t7, t7 < t6);
    let t9 = select(t7, t6, t7 < t6);
    let t10 = shared_values[4] * t9;
    let t11 = t8 - t9;
    let t12 = select(t8, t11, t10 < t8);
    let t13 = t8 + t9;
    let t14 = select(t9, t13, t10 < t8);
    let t15 = shared_values[1] + t14;
    let t16 = select(t15, t14, 0.0f < t14);
    let t17 = t12 / t16;
    let t18 = t17 * t17;
    let t19 = t17 * t18;
    let t20 = shared_values[5] * t18 + shared_values[6];
    let t21 = t18 * t20 + shared_values[7];
    let t22 = t18 * t21 + shared_values[8];
    let t23 = t18 * t22 + shared_values[9];
    let t24 = t19 * t23 + t17;
    let t25 = shared_values[10] + t24;
    let t26 = select(t24, t25, t10 < t8);
    let t27 = shared_values[11] - t26;
    let t28 = select(t26, t27, t6 < t7);
    let t29 = shared_values[12] - t28;
    let t30 = select(t28, t29, t4 < 0.0f);
    let t31 = -(t30);
    let t32 = select(t30, t31, t1 < 0.0f);
    let t33 = s.angle_0 - t32;
    let t34 = shared_values[14] * t33;
    let t35 = shared_values[0] + t34;
    let t36 = floor(t35);
    let t37 = shared_values[13] * t36 + t32;
    let t38 = s.wz * s.wz;
    let t39 = shared_values[0] * t38;
    let t40 = t39 - parameters[0u * run.stride + instance];
    let t41 = shared_values[0] * parameters[3u * run.stride + instance];
    let t42 = t37 * t37;
    let t43 = t41 * t42;
    let t44 = t40 + t43;
    let t45 = parameters[1u * run.stride + instance] * shared_values[19];
    return Judged(t44, t45);
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
