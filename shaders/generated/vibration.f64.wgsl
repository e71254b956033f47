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

// State of the method: what a later step or an output reads.
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

// One full step: 54 operations, a multiply-add counted as two.
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

// What the method carries, at the start. (264 operations.)
fn begin(instance: u32, s: State) -> State {
    let t0 = sqrt(parameters[0u * run.stride + instance]);
    let t1 = parameters[0u * run.stride + instance] * shared_values[4];
    let t2 = parameters[0u * run.stride + instance] * shared_values[5];
    let t3 = parameters[0u * run.stride + instance] * shared_values[6];
    let t4 = parameters[1u * run.stride + instance] * t0;
    let t5 = t4 * shared_values[8];
    let t6 = t4 * shared_values[9];
    let t7 = s.amplitude_0 * t1;
    let t8 = s.amplitude_rate_0 * t5 + t7;
    let t9 = s.amplitude_1 * t2;
    let t10 = s.amplitude_rate_1 * t5 + t9;
    let t11 = s.amplitude_2 * t3;
    let t12 = s.amplitude_rate_2 * t6 + t11;
    let t13 = shared_values[3] * t8;
    let t14 = shared_values[3] * t10;
    let t15 = shared_values[3] * t12;
    let t16 = s.amplitude_rate_0 * shared_values[3];
    let t17 = s.amplitude_rate_1 * shared_values[3];
    let t18 = s.amplitude_rate_2 * shared_values[3];
    let t19 = shared_values[1] * t16 + s.amplitude_0;
    let t20 = shared_values[1] * t17 + s.amplitude_1;
    let t21 = shared_values[1] * t18 + s.amplitude_2;
    let t22 = s.amplitude_rate_0 - shared_values[1] * t13;
    let t23 = s.amplitude_rate_1 - shared_values[1] * t14;
    let t24 = s.amplitude_rate_2 - shared_values[1] * t15;
    let t25 = t1 * t19;
    let t26 = t5 * t22 + t25;
    let t27 = t2 * t20;
    let t28 = t5 * t23 + t27;
    let t29 = t3 * t21;
    let t30 = t6 * t24 + t29;
    let t31 = shared_values[3] * t26;
    let t32 = shared_values[3] * t28;
    let t33 = shared_values[3] * t30;
    let t34 = shared_values[3] * t22;
    let t35 = shared_values[3] * t23;
    let t36 = shared_values[3] * t24;
    let t37 = shared_values[1] * t34 + s.amplitude_0;
    let t38 = shared_values[1] * t35 + s.amplitude_1;
    let t39 = shared_values[1] * t36 + s.amplitude_2;
    let t40 = s.amplitude_rate_0 - shared_values[1] * t31;
    let t41 = s.amplitude_rate_1 - shared_values[1] * t32;
    let t42 = s.amplitude_rate_2 - shared_values[1] * t33;
    let t43 = t1 * t37;
    let t44 = t5 * t40 + t43;
    let t45 = t2 * t38;
    let t46 = t5 * t41 + t45;
    let t47 = t3 * t39;
    let t48 = t6 * t42 + t47;
    let t49 = shared_values[3] * t44;
    let t50 = shared_values[3] * t46;
    let t51 = shared_values[3] * t48;
    let t52 = shared_values[3] * t40;
    let t53 = shared_values[3] * t41;
    let t54 = shared_values[3] * t42;
    let t55 = shared_values[7] * t34 + t16;
    let t56 = shared_values[7] * t35 + t17;
    let t57 = shared_values[7] * t36 + t18;
    let t58 = shared_values[7] * t31 + t13;
    let t59 = shared_values[7] * t32 + t14;
    let t60 = shared_values[7] * t33 + t15;
    let t61 = shared_values[7] * t52 + t55;
    let t62 = shared_values[7] * t53 + t56;
    let t63 = shared_values[7] * t54 + t57;
    let t64 = shared_values[7] * t49 + t58;
    let t65 = shared_values[7] * t50 + t59;
    let t66 = shared_values[7] * t51 + t60;
    let t67 = s.amplitude_0 + t52;
    let t68 = s.amplitude_1 + t53;
    let t69 = s.amplitude_2 + t54;
    let t70 = s.amplitude_rate_0 - t49;
    let t71 = s.amplitude_rate_1 - t50;
    let t72 = s.amplitude_rate_2 - t51;
    let t73 = t1 * t67;
    let t74 = t5 * t70 + t73;
    let t75 = t2 * t68;
    let t76 = t5 * t71 + t75;
    let t77 = t3 * t69;
    let t78 = t6 * t72 + t77;
    let t79 = shared_values[3] * t74 + t64;
    let t80 = shared_values[3] * t76 + t65;
    let t81 = shared_values[3] * t78 + t66;
    let t82 = shared_values[3] * t70 + t61;
    let t83 = shared_values[3] * t71 + t62;
    let t84 = shared_values[3] * t72 + t63;
    let t85 = shared_values[13] * t82 + s.amplitude_0;
    let t86 = shared_values[13] * t83 + s.amplitude_1;
    let t87 = shared_values[13] * t84 + s.amplitude_2;
    let t88 = s.amplitude_rate_0 - shared_values[13] * t79;
    let t89 = s.amplitude_rate_1 - shared_values[13] * t80;
    let t90 = s.amplitude_rate_2 - shared_values[13] * t81;
    let t91 = t1 * t85;
    let t92 = t5 * t88 + t91;
    let t93 = t2 * t86;
    let t94 = t5 * t89 + t93;
    let t95 = t3 * t87;
    let t96 = t6 * t90 + t95;
    let t97 = shared_values[3] * t92;
    let t98 = shared_values[3] * t94;
    let t99 = shared_values[3] * t96;
    let t100 = shared_values[3] * t88;
    let t101 = shared_values[3] * t89;
    let t102 = shared_values[3] * t90;
    let t103 = shared_values[1] * t100 + t85;
    let t104 = shared_values[1] * t101 + t86;
    let t105 = shared_values[1] * t102 + t87;
    let t106 = t88 - shared_values[1] * t97;
    let t107 = t89 - shared_values[1] * t98;
    let t108 = t90 - shared_values[1] * t99;
    let t109 = t1 * t103;
    let t110 = t5 * t106 + t109;
    let t111 = t2 * t104;
    let t112 = t5 * t107 + t111;
    let t113 = t3 * t105;
    let t114 = t6 * t108 + t113;
    let t115 = shared_values[3] * t110;
    let t116 = shared_values[3] * t112;
    let t117 = shared_values[3] * t114;
    let t118 = shared_values[3] * t106;
    let t119 = shared_values[3] * t107;
    let t120 = shared_values[3] * t108;
    let t121 = shared_values[1] * t118 + t85;
    let t122 = shared_values[1] * t119 + t86;
    let t123 = shared_values[1] * t120 + t87;
    let t124 = t88 - shared_values[1] * t115;
    let t125 = t89 - shared_values[1] * t116;
    let t126 = t90 - shared_values[1] * t117;
    let t127 = t1 * t121;
    let t128 = t5 * t124 + t127;
    let t129 = t2 * t122;
    let t130 = t5 * t125 + t129;
    let t131 = t3 * t123;
    let t132 = t6 * t126 + t131;
    let t133 = shared_values[3] * t128;
    let t134 = shared_values[3] * t130;
    let t135 = shared_values[3] * t132;
    let t136 = shared_values[3] * t124;
    let t137 = shared_values[3] * t125;
    let t138 = shared_values[3] * t126;
    let t139 = shared_values[7] * t118 + t100;
    let t140 = shared_values[7] * t119 + t101;
    let t141 = shared_values[7] * t120 + t102;
    let t142 = shared_values[7] * t115 + t97;
    let t143 = shared_values[7] * t116 + t98;
    let t144 = shared_values[7] * t117 + t99;
    let t145 = shared_values[7] * t136 + t139;
    let t146 = shared_values[7] * t137 + t140;
    let t147 = shared_values[7] * t138 + t141;
    let t148 = shared_values[7] * t133 + t142;
    let t149 = shared_values[7] * t134 + t143;
    let t150 = shared_values[7] * t135 + t144;
    let t151 = t85 + t136;
    let t152 = t86 + t137;
    let t153 = t87 + t138;
    let t154 = t88 - t133;
    let t155 = t89 - t134;
    let t156 = t90 - t135;
    let t157 = t1 * t151;
    let t158 = t5 * t154 + t157;
    let t159 = t2 * t152;
    let t160 = t5 * t155 + t159;
    let t161 = t3 * t153;
    let t162 = t6 * t156 + t161;
    let t163 = shared_values[3] * t158 + t148;
    let t164 = shared_values[3] * t160 + t149;
    let t165 = shared_values[3] * t162 + t150;
    let t166 = shared_values[3] * t154 + t145;
    let t167 = shared_values[3] * t155 + t146;
    let t168 = shared_values[3] * t156 + t147;
    let t169 = shared_values[13] * t166 + t85;
    let t170 = shared_values[13] * t167 + t86;
    let t171 = shared_values[13] * t168 + t87;
    let t172 = t88 - shared_values[13] * t163;
    let t173 = t89 - shared_values[13] * t164;
    let t174 = t90 - shared_values[13] * t165;
    var next = s;
    next.half_amplitude_0 = t169;
    next.half_amplitude_1 = t170;
    next.half_amplitude_2 = t171;
    next.half_amplitude_rate_0 = t172;
    next.half_amplitude_rate_1 = t173;
    next.half_amplitude_rate_2 = t174;
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
