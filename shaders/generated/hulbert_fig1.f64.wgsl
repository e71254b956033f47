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
    c30: real,
    c31: real,
    c32: real,
    c33: real,
    c34: real,
    c35: real,
    c36: real,
    c37: real,
    c38: real,
    c39: real,
}

fn prepare(instance: u32) -> Prepared {
    let t0 = shared_values[4] * shared_values[45];
    let t1 = shared_values[5] * shared_values[46];
    let t2 = shared_values[4] * shared_values[47];
    let t3 = shared_values[5] * shared_values[48];
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
    p.c26 = shared_values[30];
    p.c27 = shared_values[31];
    p.c28 = shared_values[32];
    p.c29 = shared_values[33];
    p.c30 = shared_values[34];
    p.c31 = shared_values[35];
    p.c32 = shared_values[36];
    p.c33 = shared_values[37];
    p.c34 = shared_values[38];
    p.c35 = shared_values[39];
    p.c36 = t0;
    p.c37 = t1;
    p.c38 = t2;
    p.c39 = t3;
    return p;
}

// A full step takes 200 operations, a multiply-add counted as two.
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
    let t19 = p.c12 - t11 * t18;
    let t20 = p.c13 - t11 * t19;
    let t21 = p.c14 - t11 * t20;
    let t22 = p.c15 - t11 * t21;
    let t23 = p.c16 - t11 * t22;
    let t24 = p.c1 - t11 * t23;
    let t25 = p.c3 - t11 * t24;
    let t26 = p.c18 - p.c17 * t11;
    let t27 = p.c19 - t11 * t26;
    let t28 = p.c20 - t11 * t27;
    let t29 = p.c21 - t11 * t28;
    let t30 = p.c22 - t11 * t29;
    let t31 = p.c23 - t11 * t30;
    let t32 = p.c24 - t11 * t31;
    let t33 = p.c25 - t11 * t32;
    let t34 = p.c26 - t11 * t33;
    let t35 = p.c27 - t11 * t34;
    let t36 = p.c28 - t11 * t35;
    let t37 = p.c29 - t11 * t36;
    let t38 = p.c30 - t11 * t37;
    let t39 = p.c3 - t11 * t38;
    let t40 = t6 * t39;
    let t41 = t7 * t39;
    let t42 = t8 * t39;
    let t43 = s.q0 * t25;
    let t44 = s.q1 * t25;
    let t45 = s.q2 * t25;
    let t46 = s.q3 * t25;
    let t47 = t43 - s.q1 * t40;
    let t48 = t47 - s.q2 * t41;
    let t49 = t48 - s.q3 * t42;
    let t50 = s.q0 * t40 + t44;
    let t51 = s.q2 * t42 + t50;
    let t52 = t51 - s.q3 * t41;
    let t53 = s.q0 * t41 + t45;
    let t54 = s.q3 * t40 + t53;
    let t55 = t54 - s.q1 * t42;
    let t56 = s.q0 * t42 + t46;
    let t57 = s.q1 * t41 + t56;
    let t58 = t57 - s.q2 * t40;
    let t59 = t49 * t49;
    let t60 = t52 * t52 + t59;
    let t61 = t55 * t55 + t60;
    let t62 = t58 * t58 + t61;
    let t63 = p.c31 - p.c1 * t62;
    let t64 = t49 * t63;
    let t65 = t52 * t63;
    let t66 = t55 * t63;
    let t67 = t58 * t63;
    let t68 = s.q3 * p.c36;
    let t69 = s.q2 * p.c36;
    let t70 = p.c32 * t68;
    let t71 = p.c32 * t69;
    let t72 = s.q2 * t71;
    let t73 = s.q3 * t70 + t72;
    let t74 = s.q1 * t71;
    let t75 = s.q1 * t70;
    let t76 = s.q0 * t70 + t74;
    let t77 = t75 - s.q0 * t71;
    let t78 = p.c36 - t73;
    let t79 = p.c37 + t76;
    let t80 = p.c2 * t78 + s.momentum_x;
    let t81 = p.c2 * t79 + s.momentum_y;
    let t82 = p.c2 * t77 + s.momentum_z;
    let t83 = p.c38 * t67;
    let t84 = p.c38 * t66;
    let t85 = p.c32 * t83;
    let t86 = p.c32 * t84;
    let t87 = t66 * t86;
    let t88 = t67 * t85 + t87;
    let t89 = t65 * t86;
    let t90 = t65 * t85;
    let t91 = t64 * t85 + t89;
    let t92 = t90 - t64 * t86;
    let t93 = p.c38 - t88;
    let t94 = p.c39 + t91;
    let t95 = p.c2 * t93 + t80;
    let t96 = p.c2 * t94 + t81;
    let t97 = p.c2 * t92 + t82;
    let t98 = t67 * t96;
    let t99 = t66 * t97 - t98;
    let t100 = t65 * t97;
    let t101 = t67 * t95 - t100;
    let t102 = t66 * t95;
    let t103 = t65 * t96 - t102;
    let t104 = p.c32 * t99;
    let t105 = p.c32 * t101;
    let t106 = p.c32 * t103;
    let t107 = t66 * t106 + t95;
    let t108 = t107 - t67 * t105;
    let t109 = t67 * t104 + t96;
    let t110 = t109 - t65 * t106;
    let t111 = t65 * t105 + t97;
    let t112 = t111 - t66 * t104;
    let t113 = t108 - t64 * t104;
    let t114 = t110 - t64 * t105;
    let t115 = t112 - t64 * t106;
    let t116 = t113 * p.c33;
    let t117 = t114 * p.c34;
    let t118 = t116 - s.wx;
    let t119 = t117 - s.wy;
    let t120 = t115 - s.wz;
    let t121 = p.c35 * t118 - s.acceleration_x;
    let t122 = p.c35 * t119 - s.acceleration_y;
    let t123 = p.c35 * t120 - s.acceleration_z;
    var next: State;
    next.q0 = t64;
    next.q1 = t65;
    next.q2 = t66;
    next.q3 = t67;
    next.wx = t116;
    next.wy = t117;
    next.wz = t115;
    next.momentum_x = t95;
    next.momentum_y = t96;
    next.momentum_z = t97;
    next.acceleration_x = t121;
    next.acceleration_y = t122;
    next.acceleration_z = t123;
    return next;
}

// The method begins to carry these values (58 operations).
fn begin(instance: u32, s: State) -> State {
    let t0 = shared_values[4] * shared_values[45];
    let t1 = shared_values[5] * shared_values[46];
    let t2 = s.wy * s.wz;
    let t3 = s.wx * s.wz;
    let t4 = s.wx * s.wy;
    let t5 = shared_values[40] * t2;
    let t6 = shared_values[41] * t3;
    let t7 = shared_values[42] * t4;
    let t8 = t0 * shared_values[37];
    let t9 = t5 + t8;
    let t10 = s.q3 * t1;
    let t11 = s.q1 * t1;
    let t12 = shared_values[36] * t10;
    let t13 = shared_values[36] * t11;
    let t14 = s.q2 * t13;
    let t15 = t1 - s.q3 * t12;
    let t16 = t15 - s.q1 * t13;
    let t17 = s.q2 * t12;
    let t18 = s.q0 * t12 + t14;
    let t19 = t17 - s.q0 * t13;
    let t20 = shared_values[37] * t18 + t9;
    let t21 = shared_values[38] * t16 + t6;
    let t22 = t7 + t19;
    let t23 = s.wx * shared_values[6];
    let t24 = s.wy * shared_values[7];
    let t25 = s.q3 * t24;
    let t26 = s.q2 * s.wz - t25;
    let t27 = s.q1 * s.wz;
    let t28 = s.q3 * t23 - t27;
    let t29 = s.q2 * t23;
    let t30 = s.q1 * t24 - t29;
    let t31 = shared_values[36] * t26;
    let t32 = shared_values[36] * t28;
    let t33 = shared_values[36] * t30;
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
