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
    momentum_x: real,
    momentum_y: real,
    momentum_z: real,
    acceleration_x: real,
    acceleration_y: real,
    acceleration_z: real,
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
    s.momentum_x = state[7u * run.stride + instance];
    s.momentum_y = state[8u * run.stride + instance];
    s.momentum_z = state[9u * run.stride + instance];
    s.acceleration_x = state[10u * run.stride + instance];
    s.acceleration_y = state[11u * run.stride + instance];
    s.acceleration_z = state[12u * run.stride + instance];
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
    state[7u * run.stride + instance] = s.momentum_x;
    state[8u * run.stride + instance] = s.momentum_y;
    state[9u * run.stride + instance] = s.momentum_z;
    state[10u * run.stride + instance] = s.acceleration_x;
    state[11u * run.stride + instance] = s.acceleration_y;
    state[12u * run.stride + instance] = s.acceleration_z;
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
    next.momentum_x = flushed_real(s.momentum_x);
    next.momentum_y = flushed_real(s.momentum_y);
    next.momentum_z = flushed_real(s.momentum_z);
    next.acceleration_x = flushed_real(s.acceleration_x);
    next.acceleration_y = flushed_real(s.acceleration_y);
    next.acceleration_z = flushed_real(s.acceleration_z);
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
    c21: real,
    c22: real,
    c23: real,
    c24: real,
    c25: real,
    c26: real,
    c27: real,
    c28: real,
    c29: real,
}

fn prepare(instance: u32) -> Prepared {
    let t0 = shared_values[4] * shared_values[35];
    let t1 = shared_values[5] * shared_values[36];
    let t2 = shared_values[4] * shared_values[37];
    let t3 = shared_values[5] * shared_values[38];
    var p: Prepared;
    p.c0 = shared_values[0];
    p.c1 = shared_values[1];
    p.c2 = shared_values[2];
    p.c3 = shared_values[3];
    p.c4 = shared_values[8];
    p.c5 = shared_values[9];
    p.c6 = shared_values[10];
    p.c7 = shared_values[11];
    p.c8 = shared_values[12];
    p.c9 = shared_values[13];
    p.c10 = shared_values[14];
    p.c11 = shared_values[15];
    p.c12 = shared_values[16];
    p.c13 = shared_values[17];
    p.c14 = shared_values[18];
    p.c15 = shared_values[19];
    p.c16 = shared_values[20];
    p.c17 = shared_values[21];
    p.c18 = shared_values[22];
    p.c19 = shared_values[23];
    p.c20 = shared_values[24];
    p.c21 = shared_values[25];
    p.c22 = shared_values[26];
    p.c23 = shared_values[27];
    p.c24 = shared_values[28];
    p.c25 = shared_values[29];
    p.c26 = t0;
    p.c27 = t1;
    p.c28 = t2;
    p.c29 = t3;
    return p;
}

// A full step takes 180 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.acceleration_x * p.c2 + s.wx;
    let t1 = s.acceleration_y * p.c2 + s.wy;
    let t2 = s.acceleration_z * p.c2 + s.wz;
    let t3 = p.c0 * t0;
    let t4 = p.c0 * t1;
    let t5 = p.c0 * t2;
    let t6 = p.c1 * t3;
    let t7 = p.c1 * t4;
    let t8 = p.c1 * t5;
    let t9 = t6 * t6;
    let t10 = t7 * t7 + t9;
    let t11 = t8 * t8 + t10;
    let t12 = p.c5 - p.c4 * t11;
    let t13 = p.c6 - t11 * t12;
    let t14 = p.c7 - t11 * t13;
    let t15 = p.c8 - t11 * t14;
    let t16 = p.c9 - t11 * t15;
    let t17 = p.c10 - t11 * t16;
    let t18 = p.c11 - t11 * t17;
    let t19 = p.c1 - t11 * t18;
    let t20 = p.c3 - t11 * t19;
    let t21 = p.c13 - p.c12 * t11;
    let t22 = p.c14 - t11 * t21;
    let t23 = p.c15 - t11 * t22;
    let t24 = p.c16 - t11 * t23;
    let t25 = p.c17 - t11 * t24;
    let t26 = p.c18 - t11 * t25;
    let t27 = p.c19 - t11 * t26;
    let t28 = p.c20 - t11 * t27;
    let t29 = p.c3 - t11 * t28;
    let t30 = t6 * t29;
    let t31 = t7 * t29;
    let t32 = t8 * t29;
    let t33 = s.q0 * t20;
    let t34 = s.q1 * t20;
    let t35 = s.q2 * t20;
    let t36 = s.q3 * t20;
    let t37 = t33 - s.q1 * t30;
    let t38 = t37 - s.q2 * t31;
    let t39 = t38 - s.q3 * t32;
    let t40 = s.q0 * t30 + t34;
    let t41 = s.q2 * t32 + t40;
    let t42 = t41 - s.q3 * t31;
    let t43 = s.q0 * t31 + t35;
    let t44 = s.q3 * t30 + t43;
    let t45 = t44 - s.q1 * t32;
    let t46 = s.q0 * t32 + t36;
    let t47 = s.q1 * t31 + t46;
    let t48 = t47 - s.q2 * t30;
    let t49 = t39 * t39;
    let t50 = t42 * t42 + t49;
    let t51 = t45 * t45 + t50;
    let t52 = t48 * t48 + t51;
    let t53 = p.c21 - p.c1 * t52;
    let t54 = t39 * t53;
    let t55 = t42 * t53;
    let t56 = t45 * t53;
    let t57 = t48 * t53;
    let t58 = s.q3 * p.c26;
    let t59 = s.q2 * p.c26;
    let t60 = p.c22 * t58;
    let t61 = p.c22 * t59;
    let t62 = s.q2 * t61;
    let t63 = s.q3 * t60 + t62;
    let t64 = s.q1 * t61;
    let t65 = s.q1 * t60;
    let t66 = s.q0 * t60 + t64;
    let t67 = t65 - s.q0 * t61;
    let t68 = p.c26 - t63;
    let t69 = p.c27 + t66;
    let t70 = p.c2 * t68 + s.momentum_x;
    let t71 = p.c2 * t69 + s.momentum_y;
    let t72 = p.c2 * t67 + s.momentum_z;
    let t73 = p.c28 * t57;
    let t74 = p.c28 * t56;
    let t75 = p.c22 * t73;
    let t76 = p.c22 * t74;
    let t77 = t56 * t76;
    let t78 = t57 * t75 + t77;
    let t79 = t55 * t76;
    let t80 = t55 * t75;
    let t81 = t54 * t75 + t79;
    let t82 = t80 - t54 * t76;
    let t83 = p.c28 - t78;
    let t84 = p.c29 + t81;
    let t85 = p.c2 * t83 + t70;
    let t86 = p.c2 * t84 + t71;
    let t87 = p.c2 * t82 + t72;
    let t88 = t57 * t86;
    let t89 = t56 * t87 - t88;
    let t90 = t55 * t87;
    let t91 = t57 * t85 - t90;
    let t92 = t56 * t85;
    let t93 = t55 * t86 - t92;
    let t94 = p.c22 * t89;
    let t95 = p.c22 * t91;
    let t96 = p.c22 * t93;
    let t97 = t56 * t96 + t85;
    let t98 = t97 - t57 * t95;
    let t99 = t57 * t94 + t86;
    let t100 = t99 - t55 * t96;
    let t101 = t55 * t95 + t87;
    let t102 = t101 - t56 * t94;
    let t103 = t98 - t54 * t94;
    let t104 = t100 - t54 * t95;
    let t105 = t102 - t54 * t96;
    let t106 = t103 * p.c23;
    let t107 = t104 * p.c24;
    let t108 = t106 - s.wx;
    let t109 = t107 - s.wy;
    let t110 = t105 - s.wz;
    let t111 = p.c25 * t108 - s.acceleration_x;
    let t112 = p.c25 * t109 - s.acceleration_y;
    let t113 = p.c25 * t110 - s.acceleration_z;
    var next: State;
    next.q0 = t54;
    next.q1 = t55;
    next.q2 = t56;
    next.q3 = t57;
    next.wx = t106;
    next.wy = t107;
    next.wz = t105;
    next.momentum_x = t85;
    next.momentum_y = t86;
    next.momentum_z = t87;
    next.acceleration_x = t111;
    next.acceleration_y = t112;
    next.acceleration_z = t113;
    return next;
}

// The method begins to carry these values (58 operations).
fn begin(instance: u32, s: State) -> State {
    let t0 = shared_values[4] * shared_values[35];
    let t1 = shared_values[5] * shared_values[36];
    let t2 = s.wy * s.wz;
    let t3 = s.wx * s.wz;
    let t4 = s.wx * s.wy;
    let t5 = shared_values[30] * t2;
    let t6 = shared_values[31] * t3;
    let t7 = shared_values[32] * t4;
    let t8 = t0 * shared_values[27];
    let t9 = t5 + t8;
    let t10 = s.q3 * t1;
    let t11 = s.q1 * t1;
    let t12 = shared_values[26] * t10;
    let t13 = shared_values[26] * t11;
    let t14 = s.q2 * t13;
    let t15 = t1 - s.q3 * t12;
    let t16 = t15 - s.q1 * t13;
    let t17 = s.q2 * t12;
    let t18 = s.q0 * t12 + t14;
    let t19 = t17 - s.q0 * t13;
    let t20 = shared_values[27] * t18 + t9;
    let t21 = shared_values[28] * t16 + t6;
    let t22 = t7 + t19;
    let t23 = s.wx * shared_values[6];
    let t24 = s.wy * shared_values[7];
    let t25 = s.q3 * t24;
    let t26 = s.q2 * s.wz - t25;
    let t27 = s.q1 * s.wz;
    let t28 = s.q3 * t23 - t27;
    let t29 = s.q2 * t23;
    let t30 = s.q1 * t24 - t29;
    let t31 = shared_values[26] * t26;
    let t32 = shared_values[26] * t28;
    let t33 = shared_values[26] * t30;
    let t34 = s.q2 * t33;
    let t35 = t34 - s.q3 * t32;
    let t36 = s.q3 * t31;
    let t37 = t36 - s.q1 * t33;
    let t38 = s.q1 * t32;
    let t39 = t38 - s.q2 * t31;
    let t40 = s.q0 * t31 + t35;
    let t41 = s.q0 * t32 + t37;
    let t42 = s.q0 * t33 + t39;
    let t43 = t23 + t40;
    let t44 = t24 + t41;
    let t45 = s.wz + t42;
    var next = s;
    next.momentum_x = t43;
    next.momentum_y = t44;
    next.momentum_z = t45;
    next.acceleration_x = t20;
    next.acceleration_y = t21;
    next.acceleration_z = t22;
    return next;
}

// The method carries these values after it was resynchronised (0 operations).
fn resynchronised(instance: u32, s: State) -> State {
    var next = s;
    next.momentum_x = s.momentum_x;
    next.momentum_y = s.momentum_y;
    next.momentum_z = s.momentum_z;
    next.acceleration_x = s.acceleration_x;
    next.acceleration_y = s.acceleration_y;
    next.acceleration_z = s.acceleration_z;
    return next;
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
