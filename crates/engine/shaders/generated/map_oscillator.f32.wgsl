// Single precision.
alias real = f32;

// By bits: drivers fold comparisons of x with itself, and products with zero.
fn is_finite_real(x: real) -> bool {
    return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u;
}

const TINY: real = 1.2621775e-29f;
const FLUSH = 100u;

// Shared by all kernels. `real`, TINY and FLUSH stand before it.

// Zero in the place of what has decayed: before every step whose number is a multiple of FLUSH, all
// numbers of the state go through this function. NaN stays NaN.
fn flushed_real(x: real) -> real {
    return select(x, real(0.0), abs(x) < TINY);
}

// The next multiple of the period after step k, at most `end`, which is not before k; with the
// period 0 it is `end`. Differences are compared, because the multiple itself may be beyond 2^32.
fn next_multiple(k: u32, period: u32, end: u32) -> u32 {
    if period == 0u {
        return end;
    }
    return k + min(end - k, period - k % period);
}

// A later step or an output reads the state of the method.
struct State {
    q0: real,
    rx: real,
    vx: real,
    half_rx: real,
    half_vx: real,
}

fn load_state(instance: u32) -> State {
    var s: State;
    s.q0 = state[0u * run.stride + instance];
    s.rx = state[1u * run.stride + instance];
    s.vx = state[2u * run.stride + instance];
    s.half_rx = state[3u * run.stride + instance];
    s.half_vx = state[4u * run.stride + instance];
    return s;
}

fn store_state(instance: u32, s: State) {
    state[0u * run.stride + instance] = s.q0;
    state[1u * run.stride + instance] = s.rx;
    state[2u * run.stride + instance] = s.vx;
    state[3u * run.stride + instance] = s.half_rx;
    state[4u * run.stride + instance] = s.half_vx;
}

fn flushed(s: State) -> State {
    var next: State;
    next.q0 = flushed_real(s.q0);
    next.rx = flushed_real(s.rx);
    next.vx = flushed_real(s.vx);
    next.half_rx = flushed_real(s.half_rx);
    next.half_vx = flushed_real(s.half_vx);
    return next;
}

fn is_finite_state(s: State) -> bool {
    return is_finite_real(s.q0)
        & is_finite_real(s.rx)
        & is_finite_real(s.vx);
}

const WORKGROUP = 64u;
const HAS_NORM_BOUND = false;
const NORM_BOUND_VALUE: real = 0.0f;

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
}

fn prepare(instance: u32) -> Prepared {
    var p: Prepared;
    p.c0 = shared_values[0];
    p.c1 = shared_values[1];
    p.c2 = shared_values[3];
    p.c3 = shared_values[4];
    p.c4 = parameters[3u * run.stride + instance];
    p.c5 = parameters[2u * run.stride + instance];
    return p;
}

// A full step takes 28 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.half_rx * s.half_rx;
    let t1 = sqrt(t0);
    let t2 = p.c1 / t1;
    let t3 = s.half_rx * t2;
    let t4 = t1 - p.c1;
    let t5 = p.c4 * t4;
    let t6 = t3 * t5;
    let t7 = s.vx - p.c5 * t6;
    let t8 = s.q0 * p.c2 - s.q0;
    let t9 = t8 * t8;
    let t10 = p.c3 - p.c0 * t9;
    let t11 = t8 * t10;
    let t12 = s.half_vx * p.c5 + s.rx;
    let t13 = t12 * t12;
    let t14 = sqrt(t13);
    let t15 = p.c1 / t14;
    let t16 = t12 * t15;
    let t17 = t14 - p.c1;
    let t18 = p.c4 * t17;
    let t19 = t16 * t18;
    let t20 = s.half_vx - p.c5 * t19;
    let t21 = p.c5 * t7 + s.half_rx;
    var next: State;
    next.q0 = t11;
    next.rx = t12;
    next.vx = t7;
    next.half_rx = t21;
    next.half_vx = t20;
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
    base_rx: real,
    base_vx: real,
    at_rx: real,
    at_vx: real,
    sum_rx: real,
    sum_vx: real,
}

// A lead begins at the motions.
fn lead_opened(instance: u32, s: State) -> Lead {
    var next: Lead;
    next.base_rx = s.rx;
    next.base_vx = s.vx;
    next.at_rx = s.rx;
    next.at_vx = s.vx;
    next.sum_rx = 0.0f;
    next.sum_vx = 0.0f;
    return next;
}

// A stage takes 17 operations.
fn lead_stage(instance: u32, s: State, c: Lead, number: u32) -> Lead {
    let t0 = parameters[2u * run.stride + instance] * shared_values[2];
    let t1 = c.at_rx * c.at_rx;
    let t2 = sqrt(t1);
    let t3 = shared_values[1] / t2;
    let t4 = c.at_rx * t3;
    let t5 = t2 - shared_values[1];
    let t6 = parameters[3u * run.stride + instance] * t5;
    let t7 = t4 * t6;
    let t8 = t0 * t7;
    let t9 = t0 * c.at_vx;
    let t10 = shared_values[7u + 3u * number] * t9 + c.base_rx;
    let t11 = c.base_vx - shared_values[7u + 3u * number] * t8;
    let t12 = shared_values[8u + 3u * number] * t9 + c.sum_rx;
    let t13 = c.sum_vx - shared_values[8u + 3u * number] * t8;
    var next = c;
    next.at_rx = t10;
    next.at_vx = t11;
    next.sum_rx = t12;
    next.sum_vx = t13;
    return next;
}

// A Runge-Kutta step ends, and another one may begin there.
fn lead_settled(instance: u32, s: State, c: Lead) -> Lead {
    let t0 = c.sum_rx * shared_values[5] + c.base_rx;
    let t1 = c.sum_vx * shared_values[5] + c.base_vx;
    var next = c;
    next.base_rx = t0;
    next.base_vx = t1;
    next.at_rx = t0;
    next.at_vx = t1;
    next.sum_rx = 0.0f;
    next.sum_vx = 0.0f;
    return next;
}

// The chain is where the last step ended.
fn lead_closed(instance: u32, s: State, c: Lead) -> State {
    var next = s;
    next.half_rx = c.base_rx;
    next.half_vx = c.base_vx;
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
    let t0 = s.vx * s.vx;
    let t1 = shared_values[0] * t0;
    let t2 = t1 - parameters[0u * run.stride + instance];
    let t3 = s.rx * s.rx;
    let t4 = sqrt(t3);
    let t5 = t4 - shared_values[1];
    let t6 = shared_values[0] * parameters[3u * run.stride + instance];
    let t7 = t5 * t5;
    let t8 = t6 * t7;
    let t9 = t2 + t8;
    let t10 = parameters[1u * run.stride + instance] * shared_values[6];
    return Judged(t9, t10);
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

// In the ensemble kernel an invocation takes one instance from step `run.first` to step `run.end`,
// its state in registers, and stores it back. Before this text stands shaders/prelude.wgsl, then
// the text of a mechanism and a method, which is generated: `real`, `State`, `Prepared`, `prepare`,
// `step`, `begin`, `resynchronised`, `load_state`, `store_state`, `flushed`, `is_finite_state`,
// `norm_error`, `passed`, and the constants of the verdict bounds.
//
// State and parameters are planes (structure of arrays, instance fastest):
// `plane * run.stride + instance`.

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
// All instances share these: constants of the mechanism and the method, numbers of the stages of a
// lead, then the factors of the timed loads, piece by piece.
@group(0) @binding(3) var<storage, read> shared_values: array<real>;
// An instance has ended by this verdict, at this step.
@group(0) @binding(4) var<storage, read_write> ends: array<vec2<u32>>;

// Verdicts have the codes of crates/description/src/base/verdict.rs.
const FINISHED = 0u;
const NON_FINITE = 1u;
const NORM_BOUND = 3u;
// The first of those of the study's conditions, whose state is sound.
const CONDITION = 9u;

// Step k starts from this state: what has decayed is zero, and what the method carries may begin
// anew.
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

// The instance would end like this if it ended in state `s`. The first bound that is passed gives
// the verdict: numbers that are not finite, then the norm of quaternions, then the others in their
// order.
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

    // First pass: from check to check. An instance that fails is taken through a second pass, which
    // judges every step after the last good check, to find the step; and through a third, to the
    // step before it, or to it where a condition ends it. The stored state is the start of all
    // three. So a sound instance pays nothing for the search.
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
        // Remainders at every step would take longer than a short step.
        let check = select(run.check, 1u, careful);
        var due = next_multiple(k, check, last);
        while k < last && bad == FINISHED {
            s = restarted(instance, k, s);
            var stop = next_multiple(k, run.resynchronise, last);
            stop = next_multiple(k, run.begin, next_multiple(k, FLUSH, stop));
            while k < stop && bad == FINISHED {
                let piece = min(due, stop);
                for (; k < piece; k++) {
                    s = step(p, s);
                }
                if k == due {
                    due += min(check, last - due);
                    if (verdict == FINISHED || careful) && k > good {
                        bad = judge(instance, s);
                        if bad == FINISHED {
                            good = k;
                        }
                    }
                }
            }
        }
        if careful {
            verdict = bad;
            failed_at = k;
            last = select(k - 1u, k, bad >= CONDITION);
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
