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
    amplitude_0: real,
    amplitude_1: real,
    amplitude_2: real,
    amplitude_rate_0: real,
    amplitude_rate_1: real,
    amplitude_rate_2: real,
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
    s.amplitude_0 = state[1u * run.stride + instance];
    s.amplitude_1 = state[2u * run.stride + instance];
    s.amplitude_2 = state[3u * run.stride + instance];
    s.amplitude_rate_0 = state[4u * run.stride + instance];
    s.amplitude_rate_1 = state[5u * run.stride + instance];
    s.amplitude_rate_2 = state[6u * run.stride + instance];
    s.half_amplitude_0 = state[7u * run.stride + instance];
    s.half_amplitude_1 = state[8u * run.stride + instance];
    s.half_amplitude_2 = state[9u * run.stride + instance];
    s.half_amplitude_rate_0 = state[10u * run.stride + instance];
    s.half_amplitude_rate_1 = state[11u * run.stride + instance];
    s.half_amplitude_rate_2 = state[12u * run.stride + instance];
    return s;
}

fn store_state(instance: u32, s: State) {
    state[0u * run.stride + instance] = s.q0;
    state[1u * run.stride + instance] = s.amplitude_0;
    state[2u * run.stride + instance] = s.amplitude_1;
    state[3u * run.stride + instance] = s.amplitude_2;
    state[4u * run.stride + instance] = s.amplitude_rate_0;
    state[5u * run.stride + instance] = s.amplitude_rate_1;
    state[6u * run.stride + instance] = s.amplitude_rate_2;
    state[7u * run.stride + instance] = s.half_amplitude_0;
    state[8u * run.stride + instance] = s.half_amplitude_1;
    state[9u * run.stride + instance] = s.half_amplitude_2;
    state[10u * run.stride + instance] = s.half_amplitude_rate_0;
    state[11u * run.stride + instance] = s.half_amplitude_rate_1;
    state[12u * run.stride + instance] = s.half_amplitude_rate_2;
}

fn flushed(s: State) -> State {
    var next: State;
    next.q0 = flushed_real(s.q0);
    next.amplitude_0 = flushed_real(s.amplitude_0);
    next.amplitude_1 = flushed_real(s.amplitude_1);
    next.amplitude_2 = flushed_real(s.amplitude_2);
    next.amplitude_rate_0 = flushed_real(s.amplitude_rate_0);
    next.amplitude_rate_1 = flushed_real(s.amplitude_rate_1);
    next.amplitude_rate_2 = flushed_real(s.amplitude_rate_2);
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
        && is_finite_real(s.amplitude_0)
        && is_finite_real(s.amplitude_1)
        && is_finite_real(s.amplitude_2)
        && is_finite_real(s.amplitude_rate_0)
        && is_finite_real(s.amplitude_rate_1)
        && is_finite_real(s.amplitude_rate_2);
}

const WORKGROUP = 64u;
const HAS_NORM_BOUND = false;
const NORM_BOUND_VALUE: real = 0.0lf;

fn norm_error(s: State) -> real {
    var largest = real(0.0);
    largest = max(largest, abs(sqrt(real(0.0) * real(0.0) + (real(0.0) * real(0.0) + (real(0.0) * real(0.0) + s.q0 * s.q0))) - real(1.0)));
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
}

fn prepare(instance: u32) -> Prepared {
    let t0 = sqrt(parameters[0u * run.stride + instance]);
    let t1 = parameters[0u * run.stride + instance] * shared_values[4];
    let t2 = parameters[0u * run.stride + instance] * shared_values[5];
    let t3 = parameters[0u * run.stride + instance] * shared_values[6];
    let t4 = parameters[1u * run.stride + instance] * t0;
    let t5 = t4 * shared_values[8];
    let t6 = t4 * shared_values[9];
    let t7 = t4 * shared_values[10] + shared_values[2];
    let t8 = t4 * shared_values[11] + shared_values[2];
    let t9 = shared_values[2] / t7;
    let t10 = shared_values[2] / t8;
    var p: Prepared;
    p.c0 = shared_values[0];
    p.c1 = shared_values[1];
    p.c2 = shared_values[7];
    p.c3 = shared_values[12];
    p.c4 = t1;
    p.c5 = t5;
    p.c6 = t2;
    p.c7 = t3;
    p.c8 = t6;
    p.c9 = t10;
    p.c10 = t9;
    return p;
}

// A full step takes 54 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.half_amplitude_0 * p.c4;
    let t1 = s.amplitude_rate_0 * p.c5 + t0;
    let t2 = s.half_amplitude_1 * p.c6;
    let t3 = s.amplitude_rate_1 * p.c5 + t2;
    let t4 = s.half_amplitude_2 * p.c7;
    let t5 = s.amplitude_rate_2 * p.c8 + t4;
    let t6 = t5 * p.c9;
    let t7 = t3 * p.c10;
    let t8 = t1 * p.c10;
    let t9 = s.amplitude_rate_0 - p.c0 * t8;
    let t10 = s.amplitude_rate_1 - p.c0 * t7;
    let t11 = s.amplitude_rate_2 - p.c0 * t6;
    let t12 = s.q0 * p.c2 - s.q0;
    let t13 = t12 * t12;
    let t14 = p.c3 - p.c1 * t13;
    let t15 = t12 * t14;
    let t16 = s.half_amplitude_rate_0 * p.c0 + s.amplitude_0;
    let t17 = s.half_amplitude_rate_1 * p.c0 + s.amplitude_1;
    let t18 = s.half_amplitude_rate_2 * p.c0 + s.amplitude_2;
    let t19 = p.c4 * t16;
    let t20 = s.half_amplitude_rate_0 * p.c5 + t19;
    let t21 = p.c6 * t17;
    let t22 = s.half_amplitude_rate_1 * p.c5 + t21;
    let t23 = p.c7 * t18;
    let t24 = s.half_amplitude_rate_2 * p.c8 + t23;
    let t25 = p.c9 * t24;
    let t26 = p.c10 * t22;
    let t27 = p.c10 * t20;
    let t28 = s.half_amplitude_rate_0 - p.c0 * t27;
    let t29 = s.half_amplitude_rate_1 - p.c0 * t26;
    let t30 = s.half_amplitude_rate_2 - p.c0 * t25;
    let t31 = p.c0 * t9 + s.half_amplitude_0;
    let t32 = p.c0 * t10 + s.half_amplitude_1;
    let t33 = p.c0 * t11 + s.half_amplitude_2;
    var next: State;
    next.q0 = t15;
    next.amplitude_0 = t16;
    next.amplitude_1 = t17;
    next.amplitude_2 = t18;
    next.amplitude_rate_0 = t9;
    next.amplitude_rate_1 = t10;
    next.amplitude_rate_2 = t11;
    next.half_amplitude_0 = t31;
    next.half_amplitude_1 = t32;
    next.half_amplitude_2 = t33;
    next.half_amplitude_rate_0 = t28;
    next.half_amplitude_rate_1 = t29;
    next.half_amplitude_rate_2 = t30;
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
    base_amplitude_0: real,
    base_amplitude_1: real,
    base_amplitude_2: real,
    base_amplitude_rate_0: real,
    base_amplitude_rate_1: real,
    base_amplitude_rate_2: real,
    at_amplitude_0: real,
    at_amplitude_1: real,
    at_amplitude_2: real,
    at_amplitude_rate_0: real,
    at_amplitude_rate_1: real,
    at_amplitude_rate_2: real,
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
    next.base_amplitude_0 = s.amplitude_0;
    next.base_amplitude_1 = s.amplitude_1;
    next.base_amplitude_2 = s.amplitude_2;
    next.base_amplitude_rate_0 = s.amplitude_rate_0;
    next.base_amplitude_rate_1 = s.amplitude_rate_1;
    next.base_amplitude_rate_2 = s.amplitude_rate_2;
    next.at_amplitude_0 = s.amplitude_0;
    next.at_amplitude_1 = s.amplitude_1;
    next.at_amplitude_2 = s.amplitude_2;
    next.at_amplitude_rate_0 = s.amplitude_rate_0;
    next.at_amplitude_rate_1 = s.amplitude_rate_1;
    next.at_amplitude_rate_2 = s.amplitude_rate_2;
    next.sum_amplitude_0 = 0.0lf;
    next.sum_amplitude_1 = 0.0lf;
    next.sum_amplitude_2 = 0.0lf;
    next.sum_amplitude_rate_0 = 0.0lf;
    next.sum_amplitude_rate_1 = 0.0lf;
    next.sum_amplitude_rate_2 = 0.0lf;
    return next;
}

// A stage takes 39 operations.
fn lead_stage(instance: u32, s: State, c: Lead, number: u32) -> Lead {
    let t0 = sqrt(parameters[0u * run.stride + instance]);
    let t1 = parameters[0u * run.stride + instance] * shared_values[4];
    let t2 = parameters[0u * run.stride + instance] * shared_values[5];
    let t3 = parameters[0u * run.stride + instance] * shared_values[6];
    let t4 = parameters[1u * run.stride + instance] * t0;
    let t5 = t4 * shared_values[8];
    let t6 = t4 * shared_values[9];
    let t7 = t1 * c.at_amplitude_0;
    let t8 = c.at_amplitude_rate_0 * t5 + t7;
    let t9 = t2 * c.at_amplitude_1;
    let t10 = c.at_amplitude_rate_1 * t5 + t9;
    let t11 = t3 * c.at_amplitude_2;
    let t12 = c.at_amplitude_rate_2 * t6 + t11;
    let t13 = shared_values[3] * t8;
    let t14 = shared_values[3] * t10;
    let t15 = shared_values[3] * t12;
    let t16 = shared_values[3] * c.at_amplitude_rate_0;
    let t17 = shared_values[3] * c.at_amplitude_rate_1;
    let t18 = shared_values[3] * c.at_amplitude_rate_2;
    let t19 = shared_values[14u + 3u * number] * t16 + c.base_amplitude_0;
    let t20 = shared_values[14u + 3u * number] * t17 + c.base_amplitude_1;
    let t21 = shared_values[14u + 3u * number] * t18 + c.base_amplitude_2;
    let t22 = c.base_amplitude_rate_0 - shared_values[14u + 3u * number] * t13;
    let t23 = c.base_amplitude_rate_1 - shared_values[14u + 3u * number] * t14;
    let t24 = c.base_amplitude_rate_2 - shared_values[14u + 3u * number] * t15;
    let t25 = shared_values[15u + 3u * number] * t16 + c.sum_amplitude_0;
    let t26 = shared_values[15u + 3u * number] * t17 + c.sum_amplitude_1;
    let t27 = shared_values[15u + 3u * number] * t18 + c.sum_amplitude_2;
    let t28 = c.sum_amplitude_rate_0 - shared_values[15u + 3u * number] * t13;
    let t29 = c.sum_amplitude_rate_1 - shared_values[15u + 3u * number] * t14;
    let t30 = c.sum_amplitude_rate_2 - shared_values[15u + 3u * number] * t15;
    var next = c;
    next.at_amplitude_0 = t19;
    next.at_amplitude_1 = t20;
    next.at_amplitude_2 = t21;
    next.at_amplitude_rate_0 = t22;
    next.at_amplitude_rate_1 = t23;
    next.at_amplitude_rate_2 = t24;
    next.sum_amplitude_0 = t25;
    next.sum_amplitude_1 = t26;
    next.sum_amplitude_2 = t27;
    next.sum_amplitude_rate_0 = t28;
    next.sum_amplitude_rate_1 = t29;
    next.sum_amplitude_rate_2 = t30;
    return next;
}

// A Runge-Kutta step ends, and another one may begin there.
fn lead_settled(instance: u32, s: State, c: Lead) -> Lead {
    let t0 = c.sum_amplitude_0 * shared_values[13] + c.base_amplitude_0;
    let t1 = c.sum_amplitude_1 * shared_values[13] + c.base_amplitude_1;
    let t2 = c.sum_amplitude_2 * shared_values[13] + c.base_amplitude_2;
    let t3 = c.sum_amplitude_rate_0 * shared_values[13] + c.base_amplitude_rate_0;
    let t4 = c.sum_amplitude_rate_1 * shared_values[13] + c.base_amplitude_rate_1;
    let t5 = c.sum_amplitude_rate_2 * shared_values[13] + c.base_amplitude_rate_2;
    var next = c;
    next.base_amplitude_0 = t0;
    next.base_amplitude_1 = t1;
    next.base_amplitude_2 = t2;
    next.base_amplitude_rate_0 = t3;
    next.base_amplitude_rate_1 = t4;
    next.base_amplitude_rate_2 = t5;
    next.at_amplitude_0 = t0;
    next.at_amplitude_1 = t1;
    next.at_amplitude_2 = t2;
    next.at_amplitude_rate_0 = t3;
    next.at_amplitude_rate_1 = t4;
    next.at_amplitude_rate_2 = t5;
    next.sum_amplitude_0 = 0.0lf;
    next.sum_amplitude_1 = 0.0lf;
    next.sum_amplitude_2 = 0.0lf;
    next.sum_amplitude_rate_0 = 0.0lf;
    next.sum_amplitude_rate_1 = 0.0lf;
    next.sum_amplitude_rate_2 = 0.0lf;
    return next;
}

// The chain is where the last step ended.
fn lead_closed(instance: u32, s: State, c: Lead) -> State {
    var next = s;
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
