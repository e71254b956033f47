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
}

fn prepare(instance: u32) -> Prepared {
    let t0 = shared_values[4] * shared_values[39];
    let t1 = shared_values[5] * shared_values[40];
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
    p.c35 = t0;
    p.c36 = t1;
    return p;
}

// A full step takes 421 operations, a multiply-add counted as two.
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
    let t16 = p.c12 - t8 * t15;
    let t17 = p.c13 - t8 * t16;
    let t18 = p.c14 - t8 * t17;
    let t19 = p.c15 - t8 * t18;
    let t20 = p.c16 - t8 * t19;
    let t21 = p.c1 - t8 * t20;
    let t22 = p.c3 - t8 * t21;
    let t23 = p.c18 - t8 * p.c17;
    let t24 = p.c19 - t8 * t23;
    let t25 = p.c20 - t8 * t24;
    let t26 = p.c21 - t8 * t25;
    let t27 = p.c22 - t8 * t26;
    let t28 = p.c23 - t8 * t27;
    let t29 = p.c24 - t8 * t28;
    let t30 = p.c25 - t8 * t29;
    let t31 = p.c26 - t8 * t30;
    let t32 = p.c27 - t8 * t31;
    let t33 = p.c28 - t8 * t32;
    let t34 = p.c29 - t8 * t33;
    let t35 = p.c30 - t8 * t34;
    let t36 = p.c3 - t8 * t35;
    let t37 = t3 * t36;
    let t38 = t4 * t36;
    let t39 = t5 * t36;
    let t40 = s.q0 * t22;
    let t41 = s.q1 * t22;
    let t42 = s.q2 * t22;
    let t43 = s.q3 * t22;
    let t44 = t40 - s.q1 * t37;
    let t45 = t44 - s.q2 * t38;
    let t46 = t45 - s.q3 * t39;
    let t47 = s.q0 * t37 + t41;
    let t48 = s.q2 * t39 + t47;
    let t49 = t48 - s.q3 * t38;
    let t50 = s.q0 * t38 + t42;
    let t51 = s.q3 * t37 + t50;
    let t52 = t51 - s.q1 * t39;
    let t53 = s.q0 * t39 + t43;
    let t54 = s.q1 * t38 + t53;
    let t55 = t54 - s.q2 * t37;
    let t56 = t46 * t46;
    let t57 = t49 * t49 + t56;
    let t58 = t52 * t52 + t57;
    let t59 = t55 * t55 + t58;
    let t60 = p.c31 - p.c1 * t59;
    let t61 = t46 * t60;
    let t62 = t49 * t60;
    let t63 = t52 * t60;
    let t64 = t55 * t60;
    let t65 = s.wx * p.c0;
    let t66 = s.wy * p.c0;
    let t67 = s.wz * p.c0;
    let t68 = p.c1 * t65;
    let t69 = p.c1 * t66;
    let t70 = p.c1 * t67;
    let t71 = t68 * t68;
    let t72 = t69 * t69 + t71;
    let t73 = t70 * t70 + t72;
    let t74 = p.c5 - p.c4 * t73;
    let t75 = p.c6 - t73 * t74;
    let t76 = p.c7 - t73 * t75;
    let t77 = p.c8 - t73 * t76;
    let t78 = p.c9 - t73 * t77;
    let t79 = p.c10 - t73 * t78;
    let t80 = p.c11 - t73 * t79;
    let t81 = p.c12 - t73 * t80;
    let t82 = p.c13 - t73 * t81;
    let t83 = p.c14 - t73 * t82;
    let t84 = p.c15 - t73 * t83;
    let t85 = p.c16 - t73 * t84;
    let t86 = p.c1 - t73 * t85;
    let t87 = p.c3 - t73 * t86;
    let t88 = p.c18 - p.c17 * t73;
    let t89 = p.c19 - t73 * t88;
    let t90 = p.c20 - t73 * t89;
    let t91 = p.c21 - t73 * t90;
    let t92 = p.c22 - t73 * t91;
    let t93 = p.c23 - t73 * t92;
    let t94 = p.c24 - t73 * t93;
    let t95 = p.c25 - t73 * t94;
    let t96 = p.c26 - t73 * t95;
    let t97 = p.c27 - t73 * t96;
    let t98 = p.c28 - t73 * t97;
    let t99 = p.c29 - t73 * t98;
    let t100 = p.c30 - t73 * t99;
    let t101 = p.c3 - t73 * t100;
    let t102 = t68 * t101;
    let t103 = t69 * t101;
    let t104 = t70 * t101;
    let t105 = s.q0 * t87;
    let t106 = s.q1 * t87;
    let t107 = s.q2 * t87;
    let t108 = s.q3 * t87;
    let t109 = t105 - s.q1 * t102;
    let t110 = t109 - s.q2 * t103;
    let t111 = t110 - s.q3 * t104;
    let t112 = s.q0 * t102 + t106;
    let t113 = s.q2 * t104 + t112;
    let t114 = t113 - s.q3 * t103;
    let t115 = s.q0 * t103 + t107;
    let t116 = s.q3 * t102 + t115;
    let t117 = t116 - s.q1 * t104;
    let t118 = s.q0 * t104 + t108;
    let t119 = s.q1 * t103 + t118;
    let t120 = t119 - s.q2 * t102;
    let t121 = t111 * t111;
    let t122 = t114 * t114 + t121;
    let t123 = t117 * t117 + t122;
    let t124 = t120 * t120 + t123;
    let t125 = p.c31 - p.c1 * t124;
    let t126 = t111 * t125;
    let t127 = t114 * t125;
    let t128 = t117 * t125;
    let t129 = t120 * t125;
    let t130 = p.c35 * t64;
    let t131 = p.c35 * t63;
    let t132 = p.c32 * t130;
    let t133 = p.c32 * t131;
    let t134 = t63 * t133;
    let t135 = t64 * t132 + t134;
    let t136 = t62 * t133;
    let t137 = t62 * t132;
    let t138 = t61 * t132 + t136;
    let t139 = t137 - t61 * t133;
    let t140 = p.c35 - t135;
    let t141 = p.c36 + t138;
    let t142 = p.c0 * t140 + s.momentum_x;
    let t143 = p.c0 * t141 + s.momentum_y;
    let t144 = p.c0 * t139 + s.momentum_z;
    let t145 = t129 * t143;
    let t146 = t128 * t144 - t145;
    let t147 = t127 * t144;
    let t148 = t129 * t142 - t147;
    let t149 = t128 * t142;
    let t150 = t127 * t143 - t149;
    let t151 = p.c32 * t146;
    let t152 = p.c32 * t148;
    let t153 = p.c32 * t150;
    let t154 = t128 * t153 + t142;
    let t155 = t154 - t129 * t152;
    let t156 = t129 * t151 + t143;
    let t157 = t156 - t127 * t153;
    let t158 = t127 * t152 + t144;
    let t159 = t158 - t128 * t151;
    let t160 = t155 - t126 * t151;
    let t161 = t157 - t126 * t152;
    let t162 = t159 - t126 * t153;
    let t163 = t160 * p.c33;
    let t164 = t161 * p.c34;
    let t165 = s.wx + t163;
    let t166 = s.wy + t164;
    let t167 = s.wz + t162;
    let t168 = p.c2 * t165;
    let t169 = p.c2 * t166;
    let t170 = p.c2 * t167;
    let t171 = p.c1 * t168;
    let t172 = p.c1 * t169;
    let t173 = p.c1 * t170;
    let t174 = t171 * t171;
    let t175 = t172 * t172 + t174;
    let t176 = t173 * t173 + t175;
    let t177 = p.c5 - p.c4 * t176;
    let t178 = p.c6 - t176 * t177;
    let t179 = p.c7 - t176 * t178;
    let t180 = p.c8 - t176 * t179;
    let t181 = p.c9 - t176 * t180;
    let t182 = p.c10 - t176 * t181;
    let t183 = p.c11 - t176 * t182;
    let t184 = p.c12 - t176 * t183;
    let t185 = p.c13 - t176 * t184;
    let t186 = p.c14 - t176 * t185;
    let t187 = p.c15 - t176 * t186;
    let t188 = p.c16 - t176 * t187;
    let t189 = p.c1 - t176 * t188;
    let t190 = p.c3 - t176 * t189;
    let t191 = p.c18 - p.c17 * t176;
    let t192 = p.c19 - t176 * t191;
    let t193 = p.c20 - t176 * t192;
    let t194 = p.c21 - t176 * t193;
    let t195 = p.c22 - t176 * t194;
    let t196 = p.c23 - t176 * t195;
    let t197 = p.c24 - t176 * t196;
    let t198 = p.c25 - t176 * t197;
    let t199 = p.c26 - t176 * t198;
    let t200 = p.c27 - t176 * t199;
    let t201 = p.c28 - t176 * t200;
    let t202 = p.c29 - t176 * t201;
    let t203 = p.c30 - t176 * t202;
    let t204 = p.c3 - t176 * t203;
    let t205 = t171 * t204;
    let t206 = t172 * t204;
    let t207 = t173 * t204;
    let t208 = s.q0 * t190;
    let t209 = s.q1 * t190;
    let t210 = s.q2 * t190;
    let t211 = s.q3 * t190;
    let t212 = t208 - s.q1 * t205;
    let t213 = t212 - s.q2 * t206;
    let t214 = t213 - s.q3 * t207;
    let t215 = s.q0 * t205 + t209;
    let t216 = s.q2 * t207 + t215;
    let t217 = t216 - s.q3 * t206;
    let t218 = s.q0 * t206 + t210;
    let t219 = s.q3 * t205 + t218;
    let t220 = t219 - s.q1 * t207;
    let t221 = s.q0 * t207 + t211;
    let t222 = s.q1 * t206 + t221;
    let t223 = t222 - s.q2 * t205;
    let t224 = t214 * t214;
    let t225 = t217 * t217 + t224;
    let t226 = t220 * t220 + t225;
    let t227 = t223 * t223 + t226;
    let t228 = p.c31 - p.c1 * t227;
    let t229 = t214 * t228;
    let t230 = t217 * t228;
    let t231 = t220 * t228;
    let t232 = t223 * t228;
    let t233 = t143 * t232;
    let t234 = t144 * t231 - t233;
    let t235 = t144 * t230;
    let t236 = t142 * t232 - t235;
    let t237 = t142 * t231;
    let t238 = t143 * t230 - t237;
    let t239 = p.c32 * t234;
    let t240 = p.c32 * t236;
    let t241 = p.c32 * t238;
    let t242 = t231 * t241 + t142;
    let t243 = t242 - t232 * t240;
    let t244 = t232 * t239 + t143;
    let t245 = t244 - t230 * t241;
    let t246 = t230 * t240 + t144;
    let t247 = t246 - t231 * t239;
    let t248 = t243 - t229 * t239;
    let t249 = t245 - t229 * t240;
    let t250 = t247 - t229 * t241;
    let t251 = p.c33 * t248;
    let t252 = p.c34 * t249;
    var next: State;
    next.q0 = t229;
    next.q1 = t230;
    next.q2 = t231;
    next.q3 = t232;
    next.wx = t251;
    next.wy = t252;
    next.wz = t250;
    next.momentum_x = t142;
    next.momentum_y = t143;
    next.momentum_z = t144;
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
    let t8 = shared_values[36] * t3;
    let t9 = shared_values[36] * t5;
    let t10 = shared_values[36] * t7;
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
