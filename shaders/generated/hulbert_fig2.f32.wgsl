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
}

fn prepare(instance: u32) -> Prepared {
    let t0 = shared_values[4] * shared_values[29];
    let t1 = shared_values[5] * shared_values[30];
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
    p.c25 = t0;
    p.c26 = t1;
    return p;
}

// A full step takes 361 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.wx * p.c2;
    let t1 = s.wy * p.c2;
    let t2 = s.wz * p.c2;
    let t3 = p.c1 * t0;
    let t4 = p.c1 * t1;
    let t5 = p.c1 * t2;
    let t6 = t3 * t3;
    let t7 = t4 * t4 + t6;
    let t8 = t5 * t5 + t7;
    let t9 = p.c5 - t8 * p.c4;
    let t10 = p.c6 - t8 * t9;
    let t11 = p.c7 - t8 * t10;
    let t12 = p.c8 - t8 * t11;
    let t13 = p.c9 - t8 * t12;
    let t14 = p.c10 - t8 * t13;
    let t15 = p.c11 - t8 * t14;
    let t16 = p.c1 - t8 * t15;
    let t17 = p.c3 - t8 * t16;
    let t18 = p.c13 - t8 * p.c12;
    let t19 = p.c14 - t8 * t18;
    let t20 = p.c15 - t8 * t19;
    let t21 = p.c16 - t8 * t20;
    let t22 = p.c17 - t8 * t21;
    let t23 = p.c18 - t8 * t22;
    let t24 = p.c19 - t8 * t23;
    let t25 = p.c20 - t8 * t24;
    let t26 = p.c3 - t8 * t25;
    let t27 = t3 * t26;
    let t28 = t4 * t26;
    let t29 = t5 * t26;
    let t30 = s.q0 * t17;
    let t31 = s.q1 * t17;
    let t32 = s.q2 * t17;
    let t33 = s.q3 * t17;
    let t34 = t30 - s.q1 * t27;
    let t35 = t34 - s.q2 * t28;
    let t36 = t35 - s.q3 * t29;
    let t37 = s.q0 * t27 + t31;
    let t38 = s.q2 * t29 + t37;
    let t39 = t38 - s.q3 * t28;
    let t40 = s.q0 * t28 + t32;
    let t41 = s.q3 * t27 + t40;
    let t42 = t41 - s.q1 * t29;
    let t43 = s.q0 * t29 + t33;
    let t44 = s.q1 * t28 + t43;
    let t45 = t44 - s.q2 * t27;
    let t46 = t36 * t36;
    let t47 = t39 * t39 + t46;
    let t48 = t42 * t42 + t47;
    let t49 = t45 * t45 + t48;
    let t50 = p.c21 - p.c1 * t49;
    let t51 = t36 * t50;
    let t52 = t39 * t50;
    let t53 = t42 * t50;
    let t54 = t45 * t50;
    let t55 = s.wx * p.c0;
    let t56 = s.wy * p.c0;
    let t57 = s.wz * p.c0;
    let t58 = p.c1 * t55;
    let t59 = p.c1 * t56;
    let t60 = p.c1 * t57;
    let t61 = t58 * t58;
    let t62 = t59 * t59 + t61;
    let t63 = t60 * t60 + t62;
    let t64 = p.c5 - p.c4 * t63;
    let t65 = p.c6 - t63 * t64;
    let t66 = p.c7 - t63 * t65;
    let t67 = p.c8 - t63 * t66;
    let t68 = p.c9 - t63 * t67;
    let t69 = p.c10 - t63 * t68;
    let t70 = p.c11 - t63 * t69;
    let t71 = p.c1 - t63 * t70;
    let t72 = p.c3 - t63 * t71;
    let t73 = p.c13 - p.c12 * t63;
    let t74 = p.c14 - t63 * t73;
    let t75 = p.c15 - t63 * t74;
    let t76 = p.c16 - t63 * t75;
    let t77 = p.c17 - t63 * t76;
    let t78 = p.c18 - t63 * t77;
    let t79 = p.c19 - t63 * t78;
    let t80 = p.c20 - t63 * t79;
    let t81 = p.c3 - t63 * t80;
    let t82 = t58 * t81;
    let t83 = t59 * t81;
    let t84 = t60 * t81;
    let t85 = s.q0 * t72;
    let t86 = s.q1 * t72;
    let t87 = s.q2 * t72;
    let t88 = s.q3 * t72;
    let t89 = t85 - s.q1 * t82;
    let t90 = t89 - s.q2 * t83;
    let t91 = t90 - s.q3 * t84;
    let t92 = s.q0 * t82 + t86;
    let t93 = s.q2 * t84 + t92;
    let t94 = t93 - s.q3 * t83;
    let t95 = s.q0 * t83 + t87;
    let t96 = s.q3 * t82 + t95;
    let t97 = t96 - s.q1 * t84;
    let t98 = s.q0 * t84 + t88;
    let t99 = s.q1 * t83 + t98;
    let t100 = t99 - s.q2 * t82;
    let t101 = t91 * t91;
    let t102 = t94 * t94 + t101;
    let t103 = t97 * t97 + t102;
    let t104 = t100 * t100 + t103;
    let t105 = p.c21 - p.c1 * t104;
    let t106 = t91 * t105;
    let t107 = t94 * t105;
    let t108 = t97 * t105;
    let t109 = t100 * t105;
    let t110 = p.c25 * t54;
    let t111 = p.c25 * t53;
    let t112 = p.c22 * t110;
    let t113 = p.c22 * t111;
    let t114 = t53 * t113;
    let t115 = t54 * t112 + t114;
    let t116 = t52 * t113;
    let t117 = t52 * t112;
    let t118 = t51 * t112 + t116;
    let t119 = t117 - t51 * t113;
    let t120 = p.c25 - t115;
    let t121 = p.c26 + t118;
    let t122 = p.c0 * t120 + s.momentum_x;
    let t123 = p.c0 * t121 + s.momentum_y;
    let t124 = p.c0 * t119 + s.momentum_z;
    let t125 = t109 * t123;
    let t126 = t108 * t124 - t125;
    let t127 = t107 * t124;
    let t128 = t109 * t122 - t127;
    let t129 = t108 * t122;
    let t130 = t107 * t123 - t129;
    let t131 = p.c22 * t126;
    let t132 = p.c22 * t128;
    let t133 = p.c22 * t130;
    let t134 = t108 * t133 + t122;
    let t135 = t134 - t109 * t132;
    let t136 = t109 * t131 + t123;
    let t137 = t136 - t107 * t133;
    let t138 = t107 * t132 + t124;
    let t139 = t138 - t108 * t131;
    let t140 = t135 - t106 * t131;
    let t141 = t137 - t106 * t132;
    let t142 = t139 - t106 * t133;
    let t143 = t140 * p.c23;
    let t144 = t141 * p.c24;
    let t145 = s.wx + t143;
    let t146 = s.wy + t144;
    let t147 = s.wz + t142;
    let t148 = p.c2 * t145;
    let t149 = p.c2 * t146;
    let t150 = p.c2 * t147;
    let t151 = p.c1 * t148;
    let t152 = p.c1 * t149;
    let t153 = p.c1 * t150;
    let t154 = t151 * t151;
    let t155 = t152 * t152 + t154;
    let t156 = t153 * t153 + t155;
    let t157 = p.c5 - p.c4 * t156;
    let t158 = p.c6 - t156 * t157;
    let t159 = p.c7 - t156 * t158;
    let t160 = p.c8 - t156 * t159;
    let t161 = p.c9 - t156 * t160;
    let t162 = p.c10 - t156 * t161;
    let t163 = p.c11 - t156 * t162;
    let t164 = p.c1 - t156 * t163;
    let t165 = p.c3 - t156 * t164;
    let t166 = p.c13 - p.c12 * t156;
    let t167 = p.c14 - t156 * t166;
    let t168 = p.c15 - t156 * t167;
    let t169 = p.c16 - t156 * t168;
    let t170 = p.c17 - t156 * t169;
    let t171 = p.c18 - t156 * t170;
    let t172 = p.c19 - t156 * t171;
    let t173 = p.c20 - t156 * t172;
    let t174 = p.c3 - t156 * t173;
    let t175 = t151 * t174;
    let t176 = t152 * t174;
    let t177 = t153 * t174;
    let t178 = s.q0 * t165;
    let t179 = s.q1 * t165;
    let t180 = s.q2 * t165;
    let t181 = s.q3 * t165;
    let t182 = t178 - s.q1 * t175;
    let t183 = t182 - s.q2 * t176;
    let t184 = t183 - s.q3 * t177;
    let t185 = s.q0 * t175 + t179;
    let t186 = s.q2 * t177 + t185;
    let t187 = t186 - s.q3 * t176;
    let t188 = s.q0 * t176 + t180;
    let t189 = s.q3 * t175 + t188;
    let t190 = t189 - s.q1 * t177;
    let t191 = s.q0 * t177 + t181;
    let t192 = s.q1 * t176 + t191;
    let t193 = t192 - s.q2 * t175;
    let t194 = t184 * t184;
    let t195 = t187 * t187 + t194;
    let t196 = t190 * t190 + t195;
    let t197 = t193 * t193 + t196;
    let t198 = p.c21 - p.c1 * t197;
    let t199 = t184 * t198;
    let t200 = t187 * t198;
    let t201 = t190 * t198;
    let t202 = t193 * t198;
    let t203 = t123 * t202;
    let t204 = t124 * t201 - t203;
    let t205 = t124 * t200;
    let t206 = t122 * t202 - t205;
    let t207 = t122 * t201;
    let t208 = t123 * t200 - t207;
    let t209 = p.c22 * t204;
    let t210 = p.c22 * t206;
    let t211 = p.c22 * t208;
    let t212 = t201 * t211 + t122;
    let t213 = t212 - t202 * t210;
    let t214 = t202 * t209 + t123;
    let t215 = t214 - t200 * t211;
    let t216 = t200 * t210 + t124;
    let t217 = t216 - t201 * t209;
    let t218 = t213 - t199 * t209;
    let t219 = t215 - t199 * t210;
    let t220 = t217 - t199 * t211;
    let t221 = p.c23 * t218;
    let t222 = p.c24 * t219;
    var next: State;
    next.q0 = t199;
    next.q1 = t200;
    next.q2 = t201;
    next.q3 = t202;
    next.wx = t221;
    next.wy = t222;
    next.wz = t220;
    next.momentum_x = t122;
    next.momentum_y = t123;
    next.momentum_z = t124;
    return next;
}

// The method begins to carry these values (32 operations).
fn begin(instance: u32, s: State) -> State {
    let t0 = s.wx * shared_values[6];
    let t1 = s.wy * shared_values[7];
    let t2 = s.q3 * t1;
    let t3 = s.q2 * s.wz - t2;
    let t4 = s.q1 * s.wz;
    let t5 = s.q3 * t0 - t4;
    let t6 = s.q2 * t0;
    let t7 = s.q1 * t1 - t6;
    let t8 = shared_values[26] * t3;
    let t9 = shared_values[26] * t5;
    let t10 = shared_values[26] * t7;
    let t11 = s.q2 * t10;
    let t12 = t11 - s.q3 * t9;
    let t13 = s.q3 * t8;
    let t14 = t13 - s.q1 * t10;
    let t15 = s.q1 * t9;
    let t16 = t15 - s.q2 * t8;
    let t17 = s.q0 * t8 + t12;
    let t18 = s.q0 * t9 + t14;
    let t19 = s.q0 * t10 + t16;
    let t20 = t0 + t17;
    let t21 = t1 + t18;
    let t22 = s.wz + t19;
    var next = s;
    next.momentum_x = t20;
    next.momentum_y = t21;
    next.momentum_z = t22;
    return next;
}

// The method carries these values after it was resynchronised (0 operations).
fn resynchronised(instance: u32, s: State) -> State {
    var next = s;
    next.momentum_x = s.momentum_x;
    next.momentum_y = s.momentum_y;
    next.momentum_z = s.momentum_z;
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
