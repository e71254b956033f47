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

// State of the method: what a later step or an output reads.
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

// One full step: 73 operations, a multiply-add counted as two.
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

// What the method carries, at the start. (120 operations.)
fn begin(instance: u32, s: State) -> State {
    let t0 = s.wy * s.wz;
    let t1 = s.wx * s.wz;
    let t2 = s.wx * s.wy;
    let t3 = shared_values[9] * t0;
    let t4 = shared_values[10] * t1;
    let t5 = shared_values[11] * t2;
    let t6 = shared_values[0] * t3 + s.wx;
    let t7 = shared_values[0] * t4 + s.wy;
    let t8 = shared_values[0] * t5 + s.wz;
    let t9 = t7 * t8;
    let t10 = t6 * t8;
    let t11 = t6 * t7;
    let t12 = shared_values[9] * t9;
    let t13 = shared_values[10] * t10;
    let t14 = shared_values[11] * t11;
    let t15 = shared_values[0] * t12 + s.wx;
    let t16 = shared_values[0] * t13 + s.wy;
    let t17 = shared_values[0] * t14 + s.wz;
    let t18 = t16 * t17;
    let t19 = t15 * t17;
    let t20 = t15 * t16;
    let t21 = shared_values[9] * t18;
    let t22 = shared_values[10] * t19;
    let t23 = shared_values[11] * t20;
    let t24 = shared_values[6] * t12 + t3;
    let t25 = shared_values[6] * t13 + t4;
    let t26 = shared_values[6] * t14 + t5;
    let t27 = shared_values[6] * t21 + t24;
    let t28 = shared_values[6] * t22 + t25;
    let t29 = shared_values[6] * t23 + t26;
    let t30 = s.wx + t21;
    let t31 = s.wy + t22;
    let t32 = s.wz + t23;
    let t33 = t31 * t32;
    let t34 = t30 * t32;
    let t35 = t30 * t31;
    let t36 = shared_values[9] * t33 + t27;
    let t37 = shared_values[10] * t34 + t28;
    let t38 = shared_values[11] * t35 + t29;
    let t39 = shared_values[8] * t36 + s.wx;
    let t40 = shared_values[8] * t37 + s.wy;
    let t41 = shared_values[8] * t38 + s.wz;
    let t42 = t40 * t41;
    let t43 = t39 * t41;
    let t44 = t39 * t40;
    let t45 = shared_values[9] * t42;
    let t46 = shared_values[10] * t43;
    let t47 = shared_values[11] * t44;
    let t48 = shared_values[0] * t45 + t39;
    let t49 = shared_values[0] * t46 + t40;
    let t50 = shared_values[0] * t47 + t41;
    let t51 = t49 * t50;
    let t52 = t48 * t50;
    let t53 = t48 * t49;
    let t54 = shared_values[9] * t51;
    let t55 = shared_values[10] * t52;
    let t56 = shared_values[11] * t53;
    let t57 = shared_values[0] * t54 + t39;
    let t58 = shared_values[0] * t55 + t40;
    let t59 = shared_values[0] * t56 + t41;
    let t60 = t58 * t59;
    let t61 = t57 * t59;
    let t62 = t57 * t58;
    let t63 = shared_values[9] * t60;
    let t64 = shared_values[10] * t61;
    let t65 = shared_values[11] * t62;
    let t66 = shared_values[6] * t54 + t45;
    let t67 = shared_values[6] * t55 + t46;
    let t68 = shared_values[6] * t56 + t47;
    let t69 = shared_values[6] * t63 + t66;
    let t70 = shared_values[6] * t64 + t67;
    let t71 = shared_values[6] * t65 + t68;
    let t72 = t39 + t63;
    let t73 = t40 + t64;
    let t74 = t41 + t65;
    let t75 = t73 * t74;
    let t76 = t72 * t74;
    let t77 = t72 * t73;
    let t78 = shared_values[9] * t75 + t69;
    let t79 = shared_values[10] * t76 + t70;
    let t80 = shared_values[11] * t77 + t71;
    let t81 = shared_values[8] * t78 + t39;
    let t82 = shared_values[8] * t79 + t40;
    let t83 = shared_values[8] * t80 + t41;
    var next = s;
    next.half_wx = t81;
    next.half_wy = t82;
    next.half_wz = t83;
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
