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
    q1: real,
    q2: real,
    q3: real,
    wx: real,
    wy: real,
    wz: real,
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
    s.half_wx = state[7u * run.stride + instance];
    s.half_wy = state[8u * run.stride + instance];
    s.half_wz = state[9u * run.stride + instance];
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
    state[7u * run.stride + instance] = s.half_wx;
    state[8u * run.stride + instance] = s.half_wy;
    state[9u * run.stride + instance] = s.half_wz;
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
    next.half_wx = flushed_real(s.half_wx);
    next.half_wy = flushed_real(s.half_wy);
    next.half_wz = flushed_real(s.half_wz);
    return next;
}

fn is_finite_state(s: State) -> bool {
    return is_finite_real(s.q0)
        & is_finite_real(s.q1)
        & is_finite_real(s.q2)
        & is_finite_real(s.q3)
        & is_finite_real(s.wx)
        & is_finite_real(s.wy)
        & is_finite_real(s.wz);
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
    return p;
}

// A full step takes 73 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.half_wy * s.half_wz;
    let t1 = s.half_wx * s.half_wz;
    let t2 = s.half_wx * s.half_wy;
    let t3 = p.c3 * t0 + s.wx;
    let t4 = p.c4 * t1 + s.wy;
    let t5 = p.c5 * t2 + s.wz;
    let t6 = s.half_wx * p.c2;
    let t7 = s.half_wy * p.c2;
    let t8 = s.half_wz * p.c2;
    let t9 = t6 * t6 + p.c1;
    let t10 = t7 * t7 + t9;
    let t11 = t8 * t8 + t10;
    let t12 = p.c6 / t11;
    let t13 = s.q0 - s.q1 * t6;
    let t14 = t13 - s.q2 * t7;
    let t15 = t14 - s.q3 * t8;
    let t16 = s.q0 * t6 + s.q1;
    let t17 = s.q2 * t8 + t16;
    let t18 = t17 - s.q3 * t7;
    let t19 = s.q0 * t7 + s.q2;
    let t20 = s.q3 * t6 + t19;
    let t21 = t20 - s.q1 * t8;
    let t22 = s.q0 * t8 + s.q3;
    let t23 = s.q1 * t7 + t22;
    let t24 = t23 - s.q2 * t6;
    let t25 = t12 * t15 - s.q0;
    let t26 = t12 * t18 - s.q1;
    let t27 = t12 * t21 - s.q2;
    let t28 = t12 * t24 - s.q3;
    let t29 = t25 * t25;
    let t30 = t26 * t26 + t29;
    let t31 = t27 * t27 + t30;
    let t32 = t28 * t28 + t31;
    let t33 = p.c7 - p.c0 * t32;
    let t34 = t25 * t33;
    let t35 = t26 * t33;
    let t36 = t27 * t33;
    let t37 = t28 * t33;
    let t38 = t4 * t5;
    let t39 = t3 * t5;
    let t40 = t3 * t4;
    let t41 = p.c3 * t38 + s.half_wx;
    let t42 = p.c4 * t39 + s.half_wy;
    let t43 = p.c5 * t40 + s.half_wz;
    var next: State;
    next.q0 = t34;
    next.q1 = t35;
    next.q2 = t36;
    next.q3 = t37;
    next.wx = t3;
    next.wy = t4;
    next.wz = t5;
    next.half_wx = t41;
    next.half_wy = t42;
    next.half_wz = t43;
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
    base_wx: real,
    base_wy: real,
    base_wz: real,
    at_wx: real,
    at_wy: real,
    at_wz: real,
    sum_wx: real,
    sum_wy: real,
    sum_wz: real,
}

// A lead begins at the motions.
fn lead_opened(instance: u32, s: State) -> Lead {
    var next: Lead;
    next.base_wx = s.wx;
    next.base_wy = s.wy;
    next.base_wz = s.wz;
    next.at_wx = s.wx;
    next.at_wy = s.wy;
    next.at_wz = s.wz;
    next.sum_wx = 0.0f;
    next.sum_wy = 0.0f;
    next.sum_wz = 0.0f;
    return next;
}

// A stage takes 18 operations.
fn lead_stage(instance: u32, s: State, c: Lead, number: u32) -> Lead {
    let t0 = c.at_wy * c.at_wz;
    let t1 = c.at_wx * c.at_wz;
    let t2 = c.at_wx * c.at_wy;
    let t3 = shared_values[8] * t0;
    let t4 = shared_values[9] * t1;
    let t5 = shared_values[10] * t2;
    let t6 = shared_values[12u + 3u * number] * t3 + c.base_wx;
    let t7 = shared_values[12u + 3u * number] * t4 + c.base_wy;
    let t8 = shared_values[12u + 3u * number] * t5 + c.base_wz;
    let t9 = shared_values[13u + 3u * number] * t3 + c.sum_wx;
    let t10 = shared_values[13u + 3u * number] * t4 + c.sum_wy;
    let t11 = shared_values[13u + 3u * number] * t5 + c.sum_wz;
    var next = c;
    next.at_wx = t6;
    next.at_wy = t7;
    next.at_wz = t8;
    next.sum_wx = t9;
    next.sum_wy = t10;
    next.sum_wz = t11;
    return next;
}

// A Runge-Kutta step ends, and another one may begin there.
fn lead_settled(instance: u32, s: State, c: Lead) -> Lead {
    let t0 = c.sum_wx * shared_values[11] + c.base_wx;
    let t1 = c.sum_wy * shared_values[11] + c.base_wy;
    let t2 = c.sum_wz * shared_values[11] + c.base_wz;
    var next = c;
    next.base_wx = t0;
    next.base_wy = t1;
    next.base_wz = t2;
    next.at_wx = t0;
    next.at_wy = t1;
    next.at_wz = t2;
    next.sum_wx = 0.0f;
    next.sum_wy = 0.0f;
    next.sum_wz = 0.0f;
    return next;
}

// The chain is where the last step ended.
fn lead_closed(instance: u32, s: State, c: Lead) -> State {
    var next = s;
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
