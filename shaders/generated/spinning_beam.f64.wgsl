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
    wx: real,
    amplitude_0: real,
    amplitude_1: real,
    amplitude_rate_0: real,
    amplitude_rate_1: real,
    half_wx: real,
    half_amplitude_0: real,
    half_amplitude_1: real,
    half_amplitude_rate_0: real,
    half_amplitude_rate_1: real,
}

fn load_state(instance: u32) -> State {
    var s: State;
    s.q0 = state[0u * run.stride + instance];
    s.q1 = state[1u * run.stride + instance];
    s.wx = state[2u * run.stride + instance];
    s.amplitude_0 = state[3u * run.stride + instance];
    s.amplitude_1 = state[4u * run.stride + instance];
    s.amplitude_rate_0 = state[5u * run.stride + instance];
    s.amplitude_rate_1 = state[6u * run.stride + instance];
    s.half_wx = state[7u * run.stride + instance];
    s.half_amplitude_0 = state[8u * run.stride + instance];
    s.half_amplitude_1 = state[9u * run.stride + instance];
    s.half_amplitude_rate_0 = state[10u * run.stride + instance];
    s.half_amplitude_rate_1 = state[11u * run.stride + instance];
    return s;
}

fn store_state(instance: u32, s: State) {
    state[0u * run.stride + instance] = s.q0;
    state[1u * run.stride + instance] = s.q1;
    state[2u * run.stride + instance] = s.wx;
    state[3u * run.stride + instance] = s.amplitude_0;
    state[4u * run.stride + instance] = s.amplitude_1;
    state[5u * run.stride + instance] = s.amplitude_rate_0;
    state[6u * run.stride + instance] = s.amplitude_rate_1;
    state[7u * run.stride + instance] = s.half_wx;
    state[8u * run.stride + instance] = s.half_amplitude_0;
    state[9u * run.stride + instance] = s.half_amplitude_1;
    state[10u * run.stride + instance] = s.half_amplitude_rate_0;
    state[11u * run.stride + instance] = s.half_amplitude_rate_1;
}

fn flushed(s: State) -> State {
    var next: State;
    next.q0 = flushed_real(s.q0);
    next.q1 = flushed_real(s.q1);
    next.wx = flushed_real(s.wx);
    next.amplitude_0 = flushed_real(s.amplitude_0);
    next.amplitude_1 = flushed_real(s.amplitude_1);
    next.amplitude_rate_0 = flushed_real(s.amplitude_rate_0);
    next.amplitude_rate_1 = flushed_real(s.amplitude_rate_1);
    next.half_wx = flushed_real(s.half_wx);
    next.half_amplitude_0 = flushed_real(s.half_amplitude_0);
    next.half_amplitude_1 = flushed_real(s.half_amplitude_1);
    next.half_amplitude_rate_0 = flushed_real(s.half_amplitude_rate_0);
    next.half_amplitude_rate_1 = flushed_real(s.half_amplitude_rate_1);
    return next;
}

fn is_finite_state(s: State) -> bool {
    return is_finite_real(s.q0)
        && is_finite_real(s.q1)
        && is_finite_real(s.wx)
        && is_finite_real(s.amplitude_0)
        && is_finite_real(s.amplitude_1)
        && is_finite_real(s.amplitude_rate_0)
        && is_finite_real(s.amplitude_rate_1);
}

const WORKGROUP = 64u;
const HAS_NORM_BOUND = false;
const NORM_BOUND_VALUE: real = 0.0lf;

fn norm_error(s: State) -> real {
    var largest = real(0.0);
    largest = max(largest, abs(sqrt(real(0.0) * real(0.0) + (real(0.0) * real(0.0) + (s.q1 * s.q1 + s.q0 * s.q0))) - real(1.0)));
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
    p.c12 = shared_values[12];
    return p;
}

// A full step takes 133 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.half_amplitude_0 * p.c5;
    let t1 = s.half_amplitude_1 * p.c8;
    let t2 = s.half_amplitude_0 * t0 + p.c4;
    let t3 = s.half_amplitude_1 * p.c6;
    let t4 = s.half_amplitude_1 * t3 + t2;
    let t5 = s.half_amplitude_0 * p.c9;
    let t6 = s.half_amplitude_1 * p.c10;
    let t7 = s.half_amplitude_rate_1 * p.c8;
    let t8 = s.half_wx * t7;
    let t9 = p.c11 * t8 + t5;
    let t10 = s.half_amplitude_rate_0 * p.c7;
    let t11 = s.half_wx * t10;
    let t12 = p.c11 * t11 + t6;
    let t13 = s.half_wx * p.c5;
    let t14 = s.half_wx * t13;
    let t15 = s.half_amplitude_0 * t14 - t9;
    let t16 = s.half_wx * p.c6;
    let t17 = s.half_wx * t16;
    let t18 = s.half_amplitude_1 * t17 - t12;
    let t19 = s.half_amplitude_rate_0 * p.c11;
    let t20 = s.half_wx * t0;
    let t21 = t19 * t20;
    let t22 = s.half_amplitude_rate_1 * p.c11;
    let t23 = s.half_wx * t3;
    let t24 = t22 * t23 + t21;
    let t25 = s.half_amplitude_0 * p.c7;
    let t26 = t4 - t1 * t1;
    let t27 = t26 - t25 * t25;
    let t28 = t1 * t15 + t24;
    let t29 = t18 * t25 + t28;
    let t30 = p.c2 / t27;
    let t31 = t29 * t30;
    let t32 = t1 * t31 + t15;
    let t33 = t25 * t31 + t18;
    let t34 = s.wx - p.c0 * t31;
    let t35 = p.c0 * t32 + s.amplitude_rate_0;
    let t36 = p.c0 * t33 + s.amplitude_rate_1;
    let t37 = s.half_wx * p.c3;
    let t38 = t37 * t37 + p.c2;
    let t39 = p.c11 / t38;
    let t40 = s.q0 - s.q1 * t37;
    let t41 = s.q0 * t37 + s.q1;
    let t42 = t39 * t40 - s.q0;
    let t43 = t39 * t41 - s.q1;
    let t44 = t42 * t42;
    let t45 = t43 * t43 + t44;
    let t46 = p.c12 - p.c1 * t45;
    let t47 = t42 * t46;
    let t48 = t43 * t46;
    let t49 = s.half_amplitude_rate_0 * p.c0 + s.amplitude_0;
    let t50 = s.half_amplitude_rate_1 * p.c0 + s.amplitude_1;
    let t51 = p.c5 * t49;
    let t52 = p.c8 * t50;
    let t53 = t49 * t51 + p.c4;
    let t54 = p.c6 * t50;
    let t55 = t50 * t54 + t53;
    let t56 = p.c9 * t49;
    let t57 = p.c10 * t50;
    let t58 = p.c8 * t36;
    let t59 = t34 * t58;
    let t60 = p.c11 * t59 + t56;
    let t61 = p.c7 * t35;
    let t62 = t34 * t61;
    let t63 = p.c11 * t62 + t57;
    let t64 = p.c5 * t34;
    let t65 = t34 * t64;
    let t66 = t49 * t65 - t60;
    let t67 = p.c6 * t34;
    let t68 = t34 * t67;
    let t69 = t50 * t68 - t63;
    let t70 = p.c11 * t35;
    let t71 = t34 * t51;
    let t72 = t70 * t71;
    let t73 = p.c11 * t36;
    let t74 = t34 * t54;
    let t75 = t73 * t74 + t72;
    let t76 = p.c7 * t49;
    let t77 = t55 - t52 * t52;
    let t78 = t77 - t76 * t76;
    let t79 = t52 * t66 + t75;
    let t80 = t69 * t76 + t79;
    let t81 = p.c2 / t78;
    let t82 = t80 * t81;
    let t83 = t52 * t82 + t66;
    let t84 = t76 * t82 + t69;
    let t85 = s.half_wx - p.c0 * t82;
    let t86 = p.c0 * t83 + s.half_amplitude_rate_0;
    let t87 = p.c0 * t84 + s.half_amplitude_rate_1;
    let t88 = p.c0 * t35 + s.half_amplitude_0;
    let t89 = p.c0 * t36 + s.half_amplitude_1;
    var next: State;
    next.q0 = t47;
    next.q1 = t48;
    next.wx = t34;
    next.amplitude_0 = t49;
    next.amplitude_1 = t50;
    next.amplitude_rate_0 = t35;
    next.amplitude_rate_1 = t36;
    next.half_wx = t85;
    next.half_amplitude_0 = t88;
    next.half_amplitude_1 = t89;
    next.half_amplitude_rate_0 = t86;
    next.half_amplitude_rate_1 = t87;
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
    base_amplitude_0: real,
    base_amplitude_1: real,
    base_amplitude_rate_0: real,
    base_amplitude_rate_1: real,
    at_wx: real,
    at_amplitude_0: real,
    at_amplitude_1: real,
    at_amplitude_rate_0: real,
    at_amplitude_rate_1: real,
    sum_wx: real,
    sum_amplitude_0: real,
    sum_amplitude_1: real,
    sum_amplitude_rate_0: real,
    sum_amplitude_rate_1: real,
}

// A lead begins at the motions.
fn lead_opened(instance: u32, s: State) -> Lead {
    var next: Lead;
    next.base_wx = s.wx;
    next.base_amplitude_0 = s.amplitude_0;
    next.base_amplitude_1 = s.amplitude_1;
    next.base_amplitude_rate_0 = s.amplitude_rate_0;
    next.base_amplitude_rate_1 = s.amplitude_rate_1;
    next.at_wx = s.wx;
    next.at_amplitude_0 = s.amplitude_0;
    next.at_amplitude_1 = s.amplitude_1;
    next.at_amplitude_rate_0 = s.amplitude_rate_0;
    next.at_amplitude_rate_1 = s.amplitude_rate_1;
    next.sum_wx = 0.0lf;
    next.sum_amplitude_0 = 0.0lf;
    next.sum_amplitude_1 = 0.0lf;
    next.sum_amplitude_rate_0 = 0.0lf;
    next.sum_amplitude_rate_1 = 0.0lf;
    return next;
}

// A stage takes 72 operations.
fn lead_stage(instance: u32, s: State, c: Lead, number: u32) -> Lead {
    let t0 = shared_values[5] * c.at_amplitude_0;
    let t1 = shared_values[8] * c.at_amplitude_1;
    let t2 = c.at_amplitude_0 * t0 + shared_values[4];
    let t3 = shared_values[6] * c.at_amplitude_1;
    let t4 = c.at_amplitude_1 * t3 + t2;
    let t5 = shared_values[9] * c.at_amplitude_0;
    let t6 = shared_values[10] * c.at_amplitude_1;
    let t7 = shared_values[8] * c.at_amplitude_rate_1;
    let t8 = c.at_wx * t7;
    let t9 = shared_values[11] * t8 + t5;
    let t10 = shared_values[7] * c.at_amplitude_rate_0;
    let t11 = c.at_wx * t10;
    let t12 = shared_values[11] * t11 + t6;
    let t13 = shared_values[5] * c.at_wx;
    let t14 = c.at_wx * t13;
    let t15 = c.at_amplitude_0 * t14 - t9;
    let t16 = shared_values[6] * c.at_wx;
    let t17 = c.at_wx * t16;
    let t18 = c.at_amplitude_1 * t17 - t12;
    let t19 = c.at_amplitude_rate_0 * shared_values[11];
    let t20 = c.at_wx * t0;
    let t21 = t19 * t20;
    let t22 = c.at_amplitude_rate_1 * shared_values[11];
    let t23 = c.at_wx * t3;
    let t24 = t22 * t23 + t21;
    let t25 = shared_values[7] * c.at_amplitude_0;
    let t26 = t4 - t1 * t1;
    let t27 = t26 - t25 * t25;
    let t28 = t1 * t15 + t24;
    let t29 = t18 * t25 + t28;
    let t30 = shared_values[2] / t27;
    let t31 = t29 * t30;
    let t32 = t1 * t31 + t15;
    let t33 = t25 * t31 + t18;
    let t34 = shared_values[3] * t31;
    let t35 = shared_values[3] * t32;
    let t36 = shared_values[3] * t33;
    let t37 = shared_values[3] * c.at_amplitude_rate_0;
    let t38 = shared_values[3] * c.at_amplitude_rate_1;
    let t39 = c.base_wx - shared_values[14u + 3u * number] * t34;
    let t40 = shared_values[14u + 3u * number] * t37 + c.base_amplitude_0;
    let t41 = shared_values[14u + 3u * number] * t38 + c.base_amplitude_1;
    let t42 = shared_values[14u + 3u * number] * t35 + c.base_amplitude_rate_0;
    let t43 = shared_values[14u + 3u * number] * t36 + c.base_amplitude_rate_1;
    let t44 = c.sum_wx - shared_values[15u + 3u * number] * t34;
    let t45 = shared_values[15u + 3u * number] * t37 + c.sum_amplitude_0;
    let t46 = shared_values[15u + 3u * number] * t38 + c.sum_amplitude_1;
    let t47 = shared_values[15u + 3u * number] * t35 + c.sum_amplitude_rate_0;
    let t48 = shared_values[15u + 3u * number] * t36 + c.sum_amplitude_rate_1;
    var next = c;
    next.at_wx = t39;
    next.at_amplitude_0 = t40;
    next.at_amplitude_1 = t41;
    next.at_amplitude_rate_0 = t42;
    next.at_amplitude_rate_1 = t43;
    next.sum_wx = t44;
    next.sum_amplitude_0 = t45;
    next.sum_amplitude_1 = t46;
    next.sum_amplitude_rate_0 = t47;
    next.sum_amplitude_rate_1 = t48;
    return next;
}

// A Runge-Kutta step ends, and another one may begin there.
fn lead_settled(instance: u32, s: State, c: Lead) -> Lead {
    let t0 = c.sum_wx * shared_values[13] + c.base_wx;
    let t1 = c.sum_amplitude_0 * shared_values[13] + c.base_amplitude_0;
    let t2 = c.sum_amplitude_1 * shared_values[13] + c.base_amplitude_1;
    let t3 = c.sum_amplitude_rate_0 * shared_values[13] + c.base_amplitude_rate_0;
    let t4 = c.sum_amplitude_rate_1 * shared_values[13] + c.base_amplitude_rate_1;
    var next = c;
    next.base_wx = t0;
    next.base_amplitude_0 = t1;
    next.base_amplitude_1 = t2;
    next.base_amplitude_rate_0 = t3;
    next.base_amplitude_rate_1 = t4;
    next.at_wx = t0;
    next.at_amplitude_0 = t1;
    next.at_amplitude_1 = t2;
    next.at_amplitude_rate_0 = t3;
    next.at_amplitude_rate_1 = t4;
    next.sum_wx = 0.0lf;
    next.sum_amplitude_0 = 0.0lf;
    next.sum_amplitude_1 = 0.0lf;
    next.sum_amplitude_rate_0 = 0.0lf;
    next.sum_amplitude_rate_1 = 0.0lf;
    return next;
}

// The chain is where the last step ended.
fn lead_closed(instance: u32, s: State, c: Lead) -> State {
    var next = s;
    next.half_wx = c.base_wx;
    next.half_amplitude_0 = c.base_amplitude_0;
    next.half_amplitude_1 = c.base_amplitude_1;
    next.half_amplitude_rate_0 = c.base_amplitude_rate_0;
    next.half_amplitude_rate_1 = c.base_amplitude_rate_1;
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
