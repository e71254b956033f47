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
    amplitude_0: real,
    amplitude_1: real,
    amplitude_2: real,
    amplitude_rate_0: real,
    amplitude_rate_1: real,
    amplitude_rate_2: real,
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
    return next;
}

fn is_finite_state(s: State) -> bool {
    return is_finite_real(s.q0)
        & is_finite_real(s.amplitude_0)
        & is_finite_real(s.amplitude_1)
        & is_finite_real(s.amplitude_2)
        & is_finite_real(s.amplitude_rate_0)
        & is_finite_real(s.amplitude_rate_1)
        & is_finite_real(s.amplitude_rate_2);
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
}

fn prepare(instance: u32) -> Prepared {
    let t0 = sqrt(parameters[0u * run.stride + instance]);
    let t1 = parameters[0u * run.stride + instance] * shared_values[2];
    let t2 = parameters[0u * run.stride + instance] * shared_values[3];
    let t3 = parameters[0u * run.stride + instance] * shared_values[4];
    let t4 = parameters[1u * run.stride + instance] * t0;
    let t5 = t4 * shared_values[5];
    let t6 = t4 * shared_values[6];
    var p: Prepared;
    p.c0 = shared_values[0];
    p.c1 = shared_values[1];
    p.c2 = shared_values[7];
    p.c3 = shared_values[8];
    p.c4 = shared_values[9];
    p.c5 = shared_values[10];
    p.c6 = shared_values[11];
    p.c7 = shared_values[12];
    p.c8 = shared_values[13];
    p.c9 = shared_values[14];
    p.c10 = shared_values[15];
    p.c11 = shared_values[16];
    p.c12 = shared_values[17];
    p.c13 = shared_values[18];
    p.c14 = shared_values[19];
    p.c15 = shared_values[20];
    p.c16 = shared_values[21];
    p.c17 = shared_values[22];
    p.c18 = shared_values[23];
    p.c19 = shared_values[24];
    p.c20 = shared_values[25];
    p.c21 = shared_values[26];
    p.c22 = t1;
    p.c23 = t5;
    p.c24 = t2;
    p.c25 = t3;
    p.c26 = t6;
    return p;
}

// A full step takes 346 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.amplitude_0 * p.c22;
    let t1 = s.amplitude_rate_0 * p.c23 + t0;
    let t2 = s.amplitude_1 * p.c24;
    let t3 = s.amplitude_rate_1 * p.c23 + t2;
    let t4 = s.amplitude_2 * p.c25;
    let t5 = s.amplitude_rate_2 * p.c26 + t4;
    let t6 = p.c0 * t1;
    let t7 = p.c0 * t3;
    let t8 = p.c0 * t5;
    let t9 = s.amplitude_rate_0 * p.c0;
    let t10 = s.amplitude_rate_1 * p.c0;
    let t11 = s.amplitude_rate_2 * p.c0;
    let t12 = p.c1 * t9 + s.amplitude_0;
    let t13 = p.c1 * t10 + s.amplitude_1;
    let t14 = p.c1 * t11 + s.amplitude_2;
    let t15 = s.amplitude_rate_0 - p.c1 * t6;
    let t16 = s.amplitude_rate_1 - p.c1 * t7;
    let t17 = s.amplitude_rate_2 - p.c1 * t8;
    let t18 = s.q0 * s.q0;
    let t19 = p.c22 * t12;
    let t20 = p.c23 * t15 + t19;
    let t21 = p.c24 * t13;
    let t22 = p.c23 * t16 + t21;
    let t23 = p.c25 * t14;
    let t24 = p.c26 * t17 + t23;
    let t25 = p.c0 * t20;
    let t26 = p.c0 * t22;
    let t27 = p.c0 * t24;
    let t28 = p.c0 * t15;
    let t29 = p.c0 * t16;
    let t30 = p.c0 * t17;
    let t31 = t9 * p.c2 + s.amplitude_0;
    let t32 = t10 * p.c2 + s.amplitude_1;
    let t33 = t11 * p.c2 + s.amplitude_2;
    let t34 = s.amplitude_rate_0 - t6 * p.c2;
    let t35 = s.amplitude_rate_1 - t7 * p.c2;
    let t36 = s.amplitude_rate_2 - t8 * p.c2;
    let t37 = t28 * p.c3 + t31;
    let t38 = t29 * p.c3 + t32;
    let t39 = t30 * p.c3 + t33;
    let t40 = t34 - t25 * p.c3;
    let t41 = t35 - t26 * p.c3;
    let t42 = t36 - t27 * p.c3;
    let t43 = p.c22 * t37;
    let t44 = p.c23 * t40 + t43;
    let t45 = p.c24 * t38;
    let t46 = p.c23 * t41 + t45;
    let t47 = p.c25 * t39;
    let t48 = p.c26 * t42 + t47;
    let t49 = p.c0 * t44;
    let t50 = p.c0 * t46;
    let t51 = p.c0 * t48;
    let t52 = p.c0 * t40;
    let t53 = p.c0 * t41;
    let t54 = p.c0 * t42;
    let t55 = t9 * p.c4 + s.amplitude_0;
    let t56 = t10 * p.c4 + s.amplitude_1;
    let t57 = t11 * p.c4 + s.amplitude_2;
    let t58 = s.amplitude_rate_0 - t6 * p.c4;
    let t59 = s.amplitude_rate_1 - t7 * p.c4;
    let t60 = s.amplitude_rate_2 - t8 * p.c4;
    let t61 = t28 * p.c5 + t55;
    let t62 = t29 * p.c5 + t56;
    let t63 = t30 * p.c5 + t57;
    let t64 = t58 - t25 * p.c5;
    let t65 = t59 - t26 * p.c5;
    let t66 = t60 - t27 * p.c5;
    let t67 = t52 * p.c6 + t61;
    let t68 = t53 * p.c6 + t62;
    let t69 = t54 * p.c6 + t63;
    let t70 = t64 - t49 * p.c6;
    let t71 = t65 - t50 * p.c6;
    let t72 = t66 - t51 * p.c6;
    let t73 = p.c22 * t67;
    let t74 = p.c23 * t70 + t73;
    let t75 = p.c24 * t68;
    let t76 = p.c23 * t71 + t75;
    let t77 = p.c25 * t69;
    let t78 = p.c26 * t72 + t77;
    let t79 = p.c0 * t74;
    let t80 = p.c0 * t76;
    let t81 = p.c0 * t78;
    let t82 = p.c0 * t70;
    let t83 = p.c0 * t71;
    let t84 = p.c0 * t72;
    let t85 = t9 * p.c7 + s.amplitude_0;
    let t86 = t10 * p.c7 + s.amplitude_1;
    let t87 = t11 * p.c7 + s.amplitude_2;
    let t88 = s.amplitude_rate_0 - t6 * p.c7;
    let t89 = s.amplitude_rate_1 - t7 * p.c7;
    let t90 = s.amplitude_rate_2 - t8 * p.c7;
    let t91 = t28 * p.c8 + t85;
    let t92 = t29 * p.c8 + t86;
    let t93 = t30 * p.c8 + t87;
    let t94 = t88 - t25 * p.c8;
    let t95 = t89 - t26 * p.c8;
    let t96 = t90 - t27 * p.c8;
    let t97 = t52 * p.c9 + t91;
    let t98 = t53 * p.c9 + t92;
    let t99 = t54 * p.c9 + t93;
    let t100 = t94 - t49 * p.c9;
    let t101 = t95 - t50 * p.c9;
    let t102 = t96 - t51 * p.c9;
    let t103 = t82 * p.c10 + t97;
    let t104 = t83 * p.c10 + t98;
    let t105 = t84 * p.c10 + t99;
    let t106 = t100 - t79 * p.c10;
    let t107 = t101 - t80 * p.c10;
    let t108 = t102 - t81 * p.c10;
    let t109 = p.c22 * t103;
    let t110 = p.c23 * t106 + t109;
    let t111 = p.c24 * t104;
    let t112 = p.c23 * t107 + t111;
    let t113 = p.c25 * t105;
    let t114 = p.c26 * t108 + t113;
    let t115 = p.c0 * t110;
    let t116 = p.c0 * t112;
    let t117 = p.c0 * t114;
    let t118 = p.c0 * t106;
    let t119 = p.c0 * t107;
    let t120 = p.c0 * t108;
    let t121 = t9 * p.c11 + s.amplitude_0;
    let t122 = t10 * p.c11 + s.amplitude_1;
    let t123 = t11 * p.c11 + s.amplitude_2;
    let t124 = s.amplitude_rate_0 - t6 * p.c11;
    let t125 = s.amplitude_rate_1 - t7 * p.c11;
    let t126 = s.amplitude_rate_2 - t8 * p.c11;
    let t127 = t28 * p.c12 + t121;
    let t128 = t29 * p.c12 + t122;
    let t129 = t30 * p.c12 + t123;
    let t130 = t124 - t25 * p.c12;
    let t131 = t125 - t26 * p.c12;
    let t132 = t126 - t27 * p.c12;
    let t133 = t52 * p.c13 + t127;
    let t134 = t53 * p.c13 + t128;
    let t135 = t54 * p.c13 + t129;
    let t136 = t130 - t49 * p.c13;
    let t137 = t131 - t50 * p.c13;
    let t138 = t132 - t51 * p.c13;
    let t139 = t82 * p.c14 + t133;
    let t140 = t83 * p.c14 + t134;
    let t141 = t84 * p.c14 + t135;
    let t142 = t136 - t79 * p.c14;
    let t143 = t137 - t80 * p.c14;
    let t144 = t138 - t81 * p.c14;
    let t145 = t118 * p.c15 + t139;
    let t146 = t119 * p.c15 + t140;
    let t147 = t120 * p.c15 + t141;
    let t148 = t142 - t115 * p.c15;
    let t149 = t143 - t116 * p.c15;
    let t150 = t144 - t117 * p.c15;
    let t151 = p.c22 * t145;
    let t152 = p.c23 * t148 + t151;
    let t153 = p.c24 * t146;
    let t154 = p.c23 * t149 + t153;
    let t155 = p.c25 * t147;
    let t156 = p.c26 * t150 + t155;
    let t157 = p.c0 * t152;
    let t158 = p.c0 * t154;
    let t159 = p.c0 * t156;
    let t160 = p.c0 * t148;
    let t161 = p.c0 * t149;
    let t162 = p.c0 * t150;
    let t163 = t9 * p.c16 + s.amplitude_0;
    let t164 = t10 * p.c16 + s.amplitude_1;
    let t165 = t11 * p.c16 + s.amplitude_2;
    let t166 = s.amplitude_rate_0 - t6 * p.c16;
    let t167 = s.amplitude_rate_1 - t7 * p.c16;
    let t168 = s.amplitude_rate_2 - t8 * p.c16;
    let t169 = t28 * p.c17 + t163;
    let t170 = t29 * p.c17 + t164;
    let t171 = t30 * p.c17 + t165;
    let t172 = t166 - t25 * p.c17;
    let t173 = t167 - t26 * p.c17;
    let t174 = t168 - t27 * p.c17;
    let t175 = t52 * p.c18 + t169;
    let t176 = t53 * p.c18 + t170;
    let t177 = t54 * p.c18 + t171;
    let t178 = t172 - t49 * p.c18;
    let t179 = t173 - t50 * p.c18;
    let t180 = t174 - t51 * p.c18;
    let t181 = t82 * p.c19 + t175;
    let t182 = t83 * p.c19 + t176;
    let t183 = t84 * p.c19 + t177;
    let t184 = t178 - t79 * p.c19;
    let t185 = t179 - t80 * p.c19;
    let t186 = t180 - t81 * p.c19;
    let t187 = t118 * p.c20 + t181;
    let t188 = t119 * p.c20 + t182;
    let t189 = t120 * p.c20 + t183;
    let t190 = t184 - t115 * p.c20;
    let t191 = t185 - t116 * p.c20;
    let t192 = t186 - t117 * p.c20;
    let t193 = t160 * p.c21 + t187;
    let t194 = t161 * p.c21 + t188;
    let t195 = t162 * p.c21 + t189;
    let t196 = t190 - t157 * p.c21;
    let t197 = t191 - t158 * p.c21;
    let t198 = t192 - t159 * p.c21;
    let t199 = sqrt(t18);
    let t200 = 1.0f / t199;
    let t201 = s.q0 * t200;
    var next: State;
    next.q0 = t201;
    next.amplitude_0 = t193;
    next.amplitude_1 = t194;
    next.amplitude_2 = t195;
    next.amplitude_rate_0 = t196;
    next.amplitude_rate_1 = t197;
    next.amplitude_rate_2 = t198;
    return next;
}

// The method begins to carry these values (0 operations).
fn begin(instance: u32, s: State) -> State {
    var next = s;
    return next;
}

// The method carries these values after it was resynchronised (0 operations).
fn resynchronised(instance: u32, s: State) -> State {
    var next = s;
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
