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
    q2: real,
    wy: real,
    rx: real,
    rz: real,
    vx: real,
    vz: real,
    clock: real,
    angle_0: real,
    outcome_0_0: real,
    outcome_0_1: real,
    outcome_0_2: real,
    outcome_0_3: real,
    outcome_0_4: real,
    outcome_0_5: real,
    outcome_0_6: real,
    half_q0: real,
    half_q2: real,
    half_wy: real,
    half_rx: real,
    half_rz: real,
    half_vx: real,
    half_vz: real,
    multiplier_0: real,
    multiplier_2: real,
}

fn load_state(instance: u32) -> State {
    var s: State;
    s.q0 = state[0u * run.stride + instance];
    s.q2 = state[1u * run.stride + instance];
    s.wy = state[2u * run.stride + instance];
    s.rx = state[3u * run.stride + instance];
    s.rz = state[4u * run.stride + instance];
    s.vx = state[5u * run.stride + instance];
    s.vz = state[6u * run.stride + instance];
    s.clock = state[7u * run.stride + instance];
    s.angle_0 = state[8u * run.stride + instance];
    s.outcome_0_0 = state[9u * run.stride + instance];
    s.outcome_0_1 = state[10u * run.stride + instance];
    s.outcome_0_2 = state[11u * run.stride + instance];
    s.outcome_0_3 = state[12u * run.stride + instance];
    s.outcome_0_4 = state[13u * run.stride + instance];
    s.outcome_0_5 = state[14u * run.stride + instance];
    s.outcome_0_6 = state[15u * run.stride + instance];
    s.half_q0 = state[16u * run.stride + instance];
    s.half_q2 = state[17u * run.stride + instance];
    s.half_wy = state[18u * run.stride + instance];
    s.half_rx = state[19u * run.stride + instance];
    s.half_rz = state[20u * run.stride + instance];
    s.half_vx = state[21u * run.stride + instance];
    s.half_vz = state[22u * run.stride + instance];
    s.multiplier_0 = state[23u * run.stride + instance];
    s.multiplier_2 = state[24u * run.stride + instance];
    return s;
}

fn store_state(instance: u32, s: State) {
    state[0u * run.stride + instance] = s.q0;
    state[1u * run.stride + instance] = s.q2;
    state[2u * run.stride + instance] = s.wy;
    state[3u * run.stride + instance] = s.rx;
    state[4u * run.stride + instance] = s.rz;
    state[5u * run.stride + instance] = s.vx;
    state[6u * run.stride + instance] = s.vz;
    state[7u * run.stride + instance] = s.clock;
    state[8u * run.stride + instance] = s.angle_0;
    state[9u * run.stride + instance] = s.outcome_0_0;
    state[10u * run.stride + instance] = s.outcome_0_1;
    state[11u * run.stride + instance] = s.outcome_0_2;
    state[12u * run.stride + instance] = s.outcome_0_3;
    state[13u * run.stride + instance] = s.outcome_0_4;
    state[14u * run.stride + instance] = s.outcome_0_5;
    state[15u * run.stride + instance] = s.outcome_0_6;
    state[16u * run.stride + instance] = s.half_q0;
    state[17u * run.stride + instance] = s.half_q2;
    state[18u * run.stride + instance] = s.half_wy;
    state[19u * run.stride + instance] = s.half_rx;
    state[20u * run.stride + instance] = s.half_rz;
    state[21u * run.stride + instance] = s.half_vx;
    state[22u * run.stride + instance] = s.half_vz;
    state[23u * run.stride + instance] = s.multiplier_0;
    state[24u * run.stride + instance] = s.multiplier_2;
}

fn flushed(s: State) -> State {
    var next: State;
    next.q0 = flushed_real(s.q0);
    next.q2 = flushed_real(s.q2);
    next.wy = flushed_real(s.wy);
    next.rx = flushed_real(s.rx);
    next.rz = flushed_real(s.rz);
    next.vx = flushed_real(s.vx);
    next.vz = flushed_real(s.vz);
    next.clock = flushed_real(s.clock);
    next.angle_0 = flushed_real(s.angle_0);
    next.outcome_0_0 = flushed_real(s.outcome_0_0);
    next.outcome_0_1 = flushed_real(s.outcome_0_1);
    next.outcome_0_2 = flushed_real(s.outcome_0_2);
    next.outcome_0_3 = flushed_real(s.outcome_0_3);
    next.outcome_0_4 = flushed_real(s.outcome_0_4);
    next.outcome_0_5 = flushed_real(s.outcome_0_5);
    next.outcome_0_6 = flushed_real(s.outcome_0_6);
    next.half_q0 = flushed_real(s.half_q0);
    next.half_q2 = flushed_real(s.half_q2);
    next.half_wy = flushed_real(s.half_wy);
    next.half_rx = flushed_real(s.half_rx);
    next.half_rz = flushed_real(s.half_rz);
    next.half_vx = flushed_real(s.half_vx);
    next.half_vz = flushed_real(s.half_vz);
    next.multiplier_0 = flushed_real(s.multiplier_0);
    next.multiplier_2 = flushed_real(s.multiplier_2);
    return next;
}

fn is_finite_state(s: State) -> bool {
    return is_finite_real(s.q0)
        && is_finite_real(s.q2)
        && is_finite_real(s.wy)
        && is_finite_real(s.rx)
        && is_finite_real(s.rz)
        && is_finite_real(s.vx)
        && is_finite_real(s.vz)
        && is_finite_real(s.clock)
        && is_finite_real(s.angle_0)
        && is_finite_real(s.outcome_0_0)
        && is_finite_real(s.outcome_0_1)
        && is_finite_real(s.outcome_0_2)
        && is_finite_real(s.outcome_0_3)
        && is_finite_real(s.outcome_0_4)
        && is_finite_real(s.outcome_0_5)
        && is_finite_real(s.outcome_0_6);
}

const WORKGROUP = 64u;
const HAS_NORM_BOUND = false;
const NORM_BOUND_VALUE: real = 0.0f;

fn norm_error(s: State) -> real {
    var largest = real(0.0);
    largest = max(largest, abs(sqrt(real(0.0) * real(0.0) + (s.q2 * s.q2 + (real(0.0) * real(0.0) + s.q0 * s.q0))) - real(1.0)));
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
}

fn prepare(instance: u32) -> Prepared {
    let t0 = shared_values[3] / parameters[0u * run.stride + instance];
    let t1 = shared_values[3] / parameters[1u * run.stride + instance];
    let t2 = parameters[7u * run.stride + instance] * shared_values[8];
    let t3 = sqrt(t2);
    let t4 = shared_values[2] * t3;
    let t5 = t1 * t2;
    let t6 = shared_values[3] + t5;
    let t7 = shared_values[3] / t6;
    let t8 = t1 * t3;
    let t9 = t7 * t8;
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
    p.c13 = shared_values[13];
    p.c14 = shared_values[14];
    p.c15 = shared_values[15];
    p.c16 = shared_values[16];
    p.c17 = shared_values[17];
    p.c18 = shared_values[18];
    p.c19 = shared_values[19];
    p.c20 = shared_values[20];
    p.c21 = shared_values[21];
    p.c22 = shared_values[22];
    p.c23 = shared_values[23];
    p.c24 = shared_values[24];
    p.c25 = shared_values[25];
    p.c26 = parameters[4u * run.stride + instance];
    p.c27 = t0;
    p.c28 = t1;
    p.c29 = t3;
    p.c30 = t4;
    p.c31 = t9;
    p.c32 = t8;
    p.c33 = t7;
    p.c34 = parameters[5u * run.stride + instance];
    p.c35 = parameters[6u * run.stride + instance];
    return p;
}

// One full step: 379 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.clock + p.c3;
    let t1 = s.clock * p.c0;
    let t2 = s.half_q2 * p.c26;
    let t3 = p.c9 * t2;
    let t4 = s.half_q2 * t3;
    let t5 = s.half_q0 * t3;
    let t6 = p.c26 - t4;
    let t7 = s.half_rx + t5;
    let t8 = s.half_rz + t6;
    let t9 = s.half_wy * p.c26;
    let t10 = s.half_wy * t9;
    let t11 = s.half_q2 * t10;
    let t12 = p.c9 * t11;
    let t13 = s.half_q0 * t12;
    let t14 = s.half_q2 * p.c9;
    let t15 = s.half_q2 * t14 + p.c4;
    let t16 = s.half_q0 * t14;
    let t17 = p.c26 * t15;
    let t18 = p.c26 * t16;
    let t19 = s.q2 * p.c9;
    let t20 = s.q2 * t19 + p.c4;
    let t21 = s.q0 * t19;
    let t22 = p.c26 * t20;
    let t23 = p.c26 * t21;
    let t24 = t17 * p.c27;
    let t25 = t17 * t24;
    let t26 = p.c28 + t25;
    let t27 = t18 * t24;
    let t28 = t18 * p.c27;
    let t29 = t18 * t28;
    let t30 = p.c28 + t29;
    let t31 = p.c10 - s.half_q2 * t12;
    let t32 = s.half_wy * t9 + t31;
    let t33 = s.vx * p.c29;
    let t34 = p.c11 * t33;
    let t35 = s.vz * p.c29;
    let t36 = p.c11 * t35 + p.c30;
    let t37 = t34 * p.c31 + t13;
    let t38 = t26 - p.c32 * p.c31;
    let t39 = t36 * p.c31 + t32;
    let t40 = t30 - p.c32 * p.c31;
    let t41 = s.wy * t22;
    let t42 = t41 - s.vx;
    let t43 = s.wy * t23;
    let t44 = t43 - s.vz;
    let t45 = t38 * p.c12 + p.c5;
    let t46 = p.c8 * t38 + t45;
    let t47 = t40 * p.c12 + p.c5;
    let t48 = p.c8 * t27;
    let t49 = p.c8 * t40 + t47;
    let t50 = p.c6 * t42 + t37;
    let t51 = t50 - p.c7 * t7;
    let t52 = s.multiplier_0 * t45;
    let t53 = p.c8 * t51 + t52;
    let t54 = p.c6 * t44 + t39;
    let t55 = t54 - p.c7 * t8;
    let t56 = s.multiplier_2 * t47;
    let t57 = p.c8 * t55 + t56;
    let t58 = p.c3 / t46;
    let t59 = t48 * t58;
    let t60 = t49 - t48 * t59;
    let t61 = p.c3 / t60;
    let t62 = t57 - t53 * t59;
    let t63 = t61 * t62;
    let t64 = t53 * t58;
    let t65 = t64 - t59 * t63;
    let t66 = t17 * t65;
    let t67 = t18 * t63 + t66;
    let t68 = p.c32 * t65 + t34;
    let t69 = p.c32 * t63 + t36;
    let t70 = p.c33 * t68;
    let t71 = p.c33 * t69;
    let t72 = t65 - p.c29 * t70;
    let t73 = t63 - p.c29 * t71;
    let t74 = p.c27 * t67;
    let t75 = p.c28 * t72;
    let t76 = p.c28 * t73 + p.c2;
    let t77 = s.wy - p.c0 * t74;
    let t78 = p.c0 * t75 + s.vx;
    let t79 = p.c0 * t76 + s.vz;
    let t80 = s.half_wy * p.c13;
    let t81 = t80 * t80 + p.c3;
    let t82 = p.c9 / t81;
    let t83 = s.q0 - s.q2 * t80;
    let t84 = s.q0 * t80 + s.q2;
    let t85 = t82 * t83 - s.q0;
    let t86 = t82 * t84 - s.q2;
    let t87 = t85 * t85;
    let t88 = t86 * t86 + t87;
    let t89 = p.c14 - p.c1 * t88;
    let t90 = t85 * t89;
    let t91 = t86 * t89;
    let t92 = s.half_vx * p.c0 + s.rx;
    let t93 = s.half_vz * p.c0 + s.rz;
    let t94 = p.c26 * t91;
    let t95 = p.c9 * t94;
    let t96 = t91 * t95;
    let t97 = t90 * t95;
    let t98 = p.c26 - t96;
    let t99 = t92 + t97;
    let t100 = t93 + t98;
    let t101 = p.c26 * t77;
    let t102 = t77 * t101;
    let t103 = t91 * t102;
    let t104 = p.c9 * t103;
    let t105 = t90 * t104;
    let t106 = p.c9 * t91;
    let t107 = t91 * t106 + p.c4;
    let t108 = t90 * t106;
    let t109 = p.c26 * t107;
    let t110 = p.c26 * t108;
    let t111 = p.c27 * t109;
    let t112 = t109 * t111;
    let t113 = p.c28 + t112;
    let t114 = t110 * t111;
    let t115 = p.c27 * t110;
    let t116 = t110 * t115;
    let t117 = p.c28 + t116;
    let t118 = p.c10 - t91 * t104;
    let t119 = t77 * t101 + t118;
    let t120 = s.half_vx * p.c29;
    let t121 = p.c11 * t120;
    let t122 = s.half_vz * p.c29;
    let t123 = p.c11 * t122 + p.c30;
    let t124 = p.c31 * t121 + t105;
    let t125 = t113 - p.c32 * p.c31;
    let t126 = p.c31 * t123 + t119;
    let t127 = t117 - p.c32 * p.c31;
    let t128 = s.half_wy * t17;
    let t129 = t128 - s.half_vx;
    let t130 = s.half_wy * t18;
    let t131 = t130 - s.half_vz;
    let t132 = p.c12 * t125 + p.c5;
    let t133 = p.c8 * t125 + t132;
    let t134 = p.c12 * t127 + p.c5;
    let t135 = p.c8 * t114;
    let t136 = p.c8 * t127 + t134;
    let t137 = p.c6 * t129 + t124;
    let t138 = t137 - p.c7 * t99;
    let t139 = t65 * t132;
    let t140 = p.c8 * t138 + t139;
    let t141 = p.c6 * t131 + t126;
    let t142 = t141 - p.c7 * t100;
    let t143 = t63 * t134;
    let t144 = p.c8 * t142 + t143;
    let t145 = p.c3 / t133;
    let t146 = t135 * t145;
    let t147 = t136 - t135 * t146;
    let t148 = p.c3 / t147;
    let t149 = t144 - t140 * t146;
    let t150 = t148 * t149;
    let t151 = t140 * t145;
    let t152 = t151 - t146 * t150;
    let t153 = t109 * t152;
    let t154 = t110 * t150 + t153;
    let t155 = p.c32 * t152 + t121;
    let t156 = p.c32 * t150 + t123;
    let t157 = p.c33 * t155;
    let t158 = p.c33 * t156;
    let t159 = t152 - p.c29 * t157;
    let t160 = t150 - p.c29 * t158;
    let t161 = p.c27 * t154;
    let t162 = p.c28 * t159;
    let t163 = p.c28 * t160 + p.c2;
    let t164 = s.half_wy - p.c0 * t161;
    let t165 = p.c0 * t162 + s.half_vx;
    let t166 = p.c0 * t163 + s.half_vz;
    let t167 = t77 * p.c13;
    let t168 = t167 * t167 + p.c3;
    let t169 = p.c9 / t168;
    let t170 = s.half_q0 - s.half_q2 * t167;
    let t171 = s.half_q0 * t167 + s.half_q2;
    let t172 = t169 * t170 - s.half_q0;
    let t173 = t169 * t171 - s.half_q2;
    let t174 = t172 * t172;
    let t175 = t173 * t173 + t174;
    let t176 = p.c14 - p.c1 * t175;
    let t177 = t172 * t176;
    let t178 = t173 * t176;
    let t179 = p.c0 * t78 + s.half_rx;
    let t180 = p.c0 * t79 + s.half_rz;
    let t181 = p.c34 * t91;
    let t182 = p.c9 * t181;
    let t183 = t91 * t182;
    let t184 = t90 * t182;
    let t185 = -(t184);
    let t186 = p.c34 - t183;
    let t187 = -(t186);
    let t188 = select(t186, t187, t186 < 0.0f);
    let t189 = select(t184, t185, t184 < 0.0f);
    let t190 = select(t188, t189, t189 < t188);
    let t191 = select(t189, t188, t189 < t188);
    let t192 = p.c15 * t191;
    let t193 = t190 - t191;
    let t194 = select(t190, t193, t192 < t190);
    let t195 = t190 + t191;
    let t196 = select(t191, t195, t192 < t190);
    let t197 = p.c3 + t196;
    let t198 = select(t197, t196, 0.0f < t196);
    let t199 = t194 / t198;
    let t200 = t199 * t199;
    let t201 = t199 * t200;
    let t202 = p.c16 * t200 + p.c17;
    let t203 = t200 * t202 + p.c18;
    let t204 = t200 * t203 + p.c19;
    let t205 = t200 * t204 + p.c20;
    let t206 = t201 * t205 + t199;
    let t207 = p.c21 + t206;
    let t208 = select(t206, t207, t192 < t190);
    let t209 = p.c22 - t208;
    let t210 = select(t208, t209, t188 < t189);
    let t211 = p.c23 - t210;
    let t212 = select(t210, t211, t186 < 0.0f);
    let t213 = -(t212);
    let t214 = select(t212, t213, t184 < 0.0f);
    let t215 = s.angle_0 - t214;
    let t216 = p.c25 * t215;
    let t217 = p.c1 + t216;
    let t218 = floor(t217);
    let t219 = p.c24 * t218 + t214;
    let t220 = p.c35 * t77;
    let t221 = t220 - s.outcome_0_2;
    let t222 = t221 / p.c0;
    let t223 = s.outcome_0_2 - s.outcome_0_3;
    let t224 = select(p.c3, s.outcome_0_5, 0.0f < s.outcome_0_5);
    let t225 = t223 / t224;
    let t226 = t222 - t225;
    let t227 = s.outcome_0_5 + p.c0;
    let t228 = t226 / t227;
    let t229 = select(0.0f, t228, 0.0f < s.outcome_0_5);
    let t230 = s.outcome_0_3 - s.outcome_0_4;
    let t231 = select(p.c3, s.outcome_0_6, 0.0f < s.outcome_0_6);
    let t232 = t230 / t231;
    let t233 = t225 - t232;
    let t234 = s.outcome_0_6 + t224;
    let t235 = t233 / t234;
    let t236 = t229 - t235;
    let t237 = s.outcome_0_6 + t227;
    let t238 = t236 / t237;
    let t239 = select(0.0f, t238, 0.0f < s.outcome_0_6);
    let t240 = s.outcome_0_2 - t220;
    let t241 = t240 * t240;
    let t242 = select(p.c3, t240, 0.0f < t241);
    let t243 = s.outcome_0_2 / t242;
    let t244 = p.c0 * t243;
    let t245 = select(p.c0, t244, t244 < p.c0);
    let t246 = select(0.0f, t245, 0.0f < t245);
    let t247 = s.outcome_0_5 + t246;
    let t248 = t239 * t247 + t229;
    let t249 = t246 - p.c0;
    let t250 = t248 * t249 + t222;
    let t251 = t246 * t250 + s.outcome_0_2;
    let t252 = p.c9 * t246;
    let t253 = t252 - p.c0;
    let t254 = t246 * t249;
    let t255 = t247 * t253 + t254;
    let t256 = t229 * t253 + t222;
    let t257 = t239 * t255 + t256;
    let t258 = t257 * t257;
    let t259 = select(p.c3, t257, 0.0f < t258);
    let t260 = t251 / t259;
    let t261 = t246 - t260;
    let t262 = select(p.c0, t261, t261 < p.c0);
    let t263 = select(0.0f, t262, 0.0f < t262);
    let t264 = s.outcome_0_5 + t263;
    let t265 = t239 * t264 + t229;
    let t266 = t263 - p.c0;
    let t267 = t265 * t266 + t222;
    let t268 = t263 * t267 + s.outcome_0_2;
    let t269 = p.c9 * t263;
    let t270 = t269 - p.c0;
    let t271 = t263 * t266;
    let t272 = t264 * t270 + t271;
    let t273 = t229 * t270 + t222;
    let t274 = t239 * t272 + t273;
    let t275 = t274 * t274;
    let t276 = select(p.c3, t274, 0.0f < t275);
    let t277 = t268 / t276;
    let t278 = t263 - t277;
    let t279 = select(p.c0, t278, t278 < p.c0);
    let t280 = select(0.0f, t279, 0.0f < t279);
    let t281 = t1 + t280;
    let t282 = select(0.0f, p.c3, s.outcome_0_0 < 0.0f);
    let t283 = select(s.outcome_0_0, t281, 0.0f < t220);
    let t284 = select(s.outcome_0_0, t283, 0.0f < t282);
    var next: State;
    next.q0 = t90;
    next.q2 = t91;
    next.wy = t77;
    next.rx = t92;
    next.rz = t93;
    next.vx = t78;
    next.vz = t79;
    next.clock = t0;
    next.angle_0 = t219;
    next.outcome_0_0 = t284;
    next.outcome_0_1 = 0.0f;
    next.outcome_0_2 = t220;
    next.outcome_0_3 = s.outcome_0_2;
    next.outcome_0_4 = s.outcome_0_3;
    next.outcome_0_5 = p.c0;
    next.outcome_0_6 = s.outcome_0_5;
    next.half_q0 = t177;
    next.half_q2 = t178;
    next.half_wy = t164;
    next.half_rx = t179;
    next.half_rz = t180;
    next.half_vx = t165;
    next.half_vz = t166;
    next.multiplier_0 = t152;
    next.multiplier_2 = t150;
    return next;
}

// What the method carries, at the start. (856 operations.)
fn begin(instance: u32, s: State) -> State {
    let t0 = s.wy * parameters[4u * run.stride + instance];
    let t1 = s.wy * t0;
    let t2 = s.q2 * t1;
    let t3 = shared_values[9] * t2;
    let t4 = s.q0 * t3;
    let t5 = s.q2 * shared_values[9];
    let t6 = s.q2 * t5 + shared_values[4];
    let t7 = s.q0 * t5;
    let t8 = parameters[4u * run.stride + instance] * t6;
    let t9 = parameters[4u * run.stride + instance] * t7;
    let t10 = shared_values[3] / parameters[0u * run.stride + instance];
    let t11 = shared_values[3] / parameters[1u * run.stride + instance];
    let t12 = s.vx * parameters[7u * run.stride + instance];
    let t13 = s.vz * parameters[7u * run.stride + instance];
    let t14 = t11 * t12;
    let t15 = shared_values[2] - t11 * t13;
    let t16 = t8 * t10;
    let t17 = t8 * t16;
    let t18 = t11 + t17;
    let t19 = t9 * t16;
    let t20 = t9 * t10;
    let t21 = t9 * t20;
    let t22 = t11 + t21;
    let t23 = t4 + t14;
    let t24 = s.q2 * t3 + t15;
    let t25 = t24 - s.wy * t0;
    let t26 = t18 * shared_values[26] + shared_values[27];
    let t27 = t22 * shared_values[26] + shared_values[27];
    let t28 = shared_values[3] / t26;
    let t29 = t19 * t28;
    let t30 = t27 - t19 * t29;
    let t31 = shared_values[3] / t30;
    let t32 = t23 * t29 + t25;
    let t33 = t31 * t32;
    let t34 = t23 * t28;
    let t35 = t29 * t33 + t34;
    let t36 = t23 - t18 * t35;
    let t37 = t19 * t33 + t36;
    let t38 = t19 * t35 + t25;
    let t39 = t22 * t33 - t38;
    let t40 = t39 - t29 * t37;
    let t41 = t31 * t40;
    let t42 = t35 - t29 * t41;
    let t43 = t28 * t37 + t42;
    let t44 = t40 - t32;
    let t45 = t31 * t44;
    let t46 = t8 * t43;
    let t47 = t9 * t45 + t46;
    let t48 = t10 * t47;
    let t49 = t43 - t12;
    let t50 = t11 * t49;
    let t51 = t11 * t45 + t15;
    let t52 = shared_values[13] * t48;
    let t53 = shared_values[13] * t50;
    let t54 = shared_values[13] * t51;
    let t55 = s.q2 * s.wy;
    let t56 = s.q0 * s.wy;
    let t57 = shared_values[29] * t55;
    let t58 = shared_values[29] * t56;
    let t59 = s.vx * shared_values[13];
    let t60 = s.vz * shared_values[13];
    let t61 = s.q0 - shared_values[1] * t57;
    let t62 = shared_values[1] * t58 + s.q2;
    let t63 = s.wy - shared_values[1] * t52;
    let t64 = shared_values[1] * t53 + s.vx;
    let t65 = shared_values[1] * t54 + s.vz;
    let t66 = t61 * t61;
    let t67 = t62 * t62 + t66;
    let t68 = t67 + shared_values[31];
    let t69 = t67 * t68 + shared_values[30];
    let t70 = t67 * shared_values[30] + shared_values[31];
    let t71 = t67 * t70 + shared_values[3];
    let t72 = t69 / t71;
    let t73 = t61 * t72;
    let t74 = t62 * t72;
    let t75 = parameters[4u * run.stride + instance] * t63;
    let t76 = t63 * t75;
    let t77 = t74 * t76;
    let t78 = shared_values[9] * t77;
    let t79 = t73 * t78;
    let t80 = shared_values[9] * t74;
    let t81 = t74 * t80 + shared_values[4];
    let t82 = t73 * t80;
    let t83 = parameters[4u * run.stride + instance] * t81;
    let t84 = parameters[4u * run.stride + instance] * t82;
    let t85 = parameters[7u * run.stride + instance] * t64;
    let t86 = parameters[7u * run.stride + instance] * t65;
    let t87 = t11 * t85;
    let t88 = shared_values[2] - t11 * t86;
    let t89 = t10 * t83;
    let t90 = t83 * t89;
    let t91 = t11 + t90;
    let t92 = t84 * t89;
    let t93 = t10 * t84;
    let t94 = t84 * t93;
    let t95 = t11 + t94;
    let t96 = t79 + t87;
    let t97 = t74 * t78 + t88;
    let t98 = t97 - t63 * t75;
    let t99 = shared_values[26] * t91 + shared_values[27];
    let t100 = shared_values[26] * t95 + shared_values[27];
    let t101 = shared_values[3] / t99;
    let t102 = t92 * t101;
    let t103 = t100 - t92 * t102;
    let t104 = shared_values[3] / t103;
    let t105 = t96 * t102 + t98;
    let t106 = t104 * t105;
    let t107 = t96 * t101;
    let t108 = t102 * t106 + t107;
    let t109 = t96 - t91 * t108;
    let t110 = t92 * t106 + t109;
    let t111 = t92 * t108 + t98;
    let t112 = t95 * t106 - t111;
    let t113 = t112 - t102 * t110;
    let t114 = t104 * t113;
    let t115 = t108 - t102 * t114;
    let t116 = t101 * t110 + t115;
    let t117 = t113 - t105;
    let t118 = t104 * t117;
    let t119 = t83 * t116;
    let t120 = t84 * t118 + t119;
    let t121 = t10 * t120;
    let t122 = t116 - t85;
    let t123 = t11 * t122;
    let t124 = t11 * t118 + t88;
    let t125 = shared_values[13] * t121;
    let t126 = shared_values[13] * t123;
    let t127 = shared_values[13] * t124;
    let t128 = t62 * t63;
    let t129 = t61 * t63;
    let t130 = shared_values[29] * t128;
    let t131 = shared_values[29] * t129;
    let t132 = shared_values[13] * t64;
    let t133 = shared_values[13] * t65;
    let t134 = s.q0 - shared_values[1] * t130;
    let t135 = shared_values[1] * t131 + s.q2;
    let t136 = s.wy - shared_values[1] * t125;
    let t137 = shared_values[1] * t126 + s.vx;
    let t138 = shared_values[1] * t127 + s.vz;
    let t139 = t134 * t134;
    let t140 = t135 * t135 + t139;
    let t141 = shared_values[31] + t140;
    let t142 = t140 * t141 + shared_values[30];
    let t143 = shared_values[30] * t140 + shared_values[31];
    let t144 = t140 * t143 + shared_values[3];
    let t145 = t142 / t144;
    let t146 = t134 * t145;
    let t147 = t135 * t145;
    let t148 = parameters[4u * run.stride + instance] * t136;
    let t149 = t136 * t148;
    let t150 = t147 * t149;
    let t151 = shared_values[9] * t150;
    let t152 = t146 * t151;
    let t153 = shared_values[9] * t147;
    let t154 = t147 * t153 + shared_values[4];
    let t155 = t146 * t153;
    let t156 = parameters[4u * run.stride + instance] * t154;
    let t157 = parameters[4u * run.stride + instance] * t155;
    let t158 = parameters[7u * run.stride + instance] * t137;
    let t159 = parameters[7u * run.stride + instance] * t138;
    let t160 = t11 * t158;
    let t161 = shared_values[2] - t11 * t159;
    let t162 = t10 * t156;
    let t163 = t156 * t162;
    let t164 = t11 + t163;
    let t165 = t157 * t162;
    let t166 = t10 * t157;
    let t167 = t157 * t166;
    let t168 = t11 + t167;
    let t169 = t152 + t160;
    let t170 = t147 * t151 + t161;
    let t171 = t170 - t136 * t148;
    let t172 = shared_values[26] * t164 + shared_values[27];
    let t173 = shared_values[26] * t168 + shared_values[27];
    let t174 = shared_values[3] / t172;
    let t175 = t165 * t174;
    let t176 = t173 - t165 * t175;
    let t177 = shared_values[3] / t176;
    let t178 = t169 * t175 + t171;
    let t179 = t177 * t178;
    let t180 = t169 * t174;
    let t181 = t175 * t179 + t180;
    let t182 = t169 - t164 * t181;
    let t183 = t165 * t179 + t182;
    let t184 = t165 * t181 + t171;
    let t185 = t168 * t179 - t184;
    let t186 = t185 - t175 * t183;
    let t187 = t177 * t186;
    let t188 = t181 - t175 * t187;
    let t189 = t174 * t183 + t188;
    let t190 = t186 - t178;
    let t191 = t177 * t190;
    let t192 = t156 * t189;
    let t193 = t157 * t191 + t192;
    let t194 = t10 * t193;
    let t195 = t189 - t158;
    let t196 = t11 * t195;
    let t197 = t11 * t191 + t161;
    let t198 = shared_values[13] * t194;
    let t199 = shared_values[13] * t196;
    let t200 = shared_values[13] * t197;
    let t201 = t135 * t136;
    let t202 = t134 * t136;
    let t203 = shared_values[29] * t201;
    let t204 = shared_values[29] * t202;
    let t205 = shared_values[13] * t137;
    let t206 = shared_values[13] * t138;
    let t207 = shared_values[9] * t130 + t57;
    let t208 = shared_values[9] * t131 + t58;
    let t209 = shared_values[9] * t125 + t52;
    let t210 = shared_values[9] * t132 + t59;
    let t211 = shared_values[9] * t133 + t60;
    let t212 = shared_values[9] * t126 + t53;
    let t213 = shared_values[9] * t127 + t54;
    let t214 = shared_values[9] * t203 + t207;
    let t215 = shared_values[9] * t204 + t208;
    let t216 = shared_values[9] * t198 + t209;
    let t217 = shared_values[9] * t205 + t210;
    let t218 = shared_values[9] * t206 + t211;
    let t219 = shared_values[9] * t199 + t212;
    let t220 = shared_values[9] * t200 + t213;
    let t221 = s.q0 - t203;
    let t222 = s.q2 + t204;
    let t223 = s.wy - t198;
    let t224 = s.vx + t199;
    let t225 = s.vz + t200;
    let t226 = t221 * t221;
    let t227 = t222 * t222 + t226;
    let t228 = shared_values[31] + t227;
    let t229 = t227 * t228 + shared_values[30];
    let t230 = shared_values[30] * t227 + shared_values[31];
    let t231 = t227 * t230 + shared_values[3];
    let t232 = t229 / t231;
    let t233 = t221 * t232;
    let t234 = t222 * t232;
    let t235 = parameters[4u * run.stride + instance] * t223;
    let t236 = t223 * t235;
    let t237 = t234 * t236;
    let t238 = shared_values[9] * t237;
    let t239 = t233 * t238;
    let t240 = shared_values[9] * t234;
    let t241 = t234 * t240 + shared_values[4];
    let t242 = t233 * t240;
    let t243 = parameters[4u * run.stride + instance] * t241;
    let t244 = parameters[4u * run.stride + instance] * t242;
    let t245 = parameters[7u * run.stride + instance] * t224;
    let t246 = parameters[7u * run.stride + instance] * t225;
    let t247 = t11 * t245;
    let t248 = shared_values[2] - t11 * t246;
    let t249 = t10 * t243;
    let t250 = t243 * t249;
    let t251 = t11 + t250;
    let t252 = t244 * t249;
    let t253 = t10 * t244;
    let t254 = t244 * t253;
    let t255 = t11 + t254;
    let t256 = t239 + t247;
    let t257 = t234 * t238 + t248;
    let t258 = t257 - t223 * t235;
    let t259 = shared_values[26] * t251 + shared_values[27];
    let t260 = shared_values[26] * t255 + shared_values[27];
    let t261 = shared_values[3] / t259;
    let t262 = t252 * t261;
    let t263 = t260 - t252 * t262;
    let t264 = shared_values[3] / t263;
    let t265 = t256 * t262 + t258;
    let t266 = t264 * t265;
    let t267 = t256 * t261;
    let t268 = t262 * t266 + t267;
    let t269 = t256 - t251 * t268;
    let t270 = t252 * t266 + t269;
    let t271 = t252 * t268 + t258;
    let t272 = t255 * t266 - t271;
    let t273 = t272 - t262 * t270;
    let t274 = t264 * t273;
    let t275 = t268 - t262 * t274;
    let t276 = t261 * t270 + t275;
    let t277 = t273 - t265;
    let t278 = t264 * t277;
    let t279 = t243 * t276;
    let t280 = t244 * t278 + t279;
    let t281 = t10 * t280;
    let t282 = t276 - t245;
    let t283 = t11 * t282;
    let t284 = t11 * t278 + t248;
    let t285 = shared_values[13] * t281 + t216;
    let t286 = shared_values[13] * t283 + t219;
    let t287 = shared_values[13] * t284 + t220;
    let t288 = t222 * t223;
    let t289 = t221 * t223;
    let t290 = shared_values[29] * t288 + t214;
    let t291 = shared_values[29] * t289 + t215;
    let t292 = shared_values[13] * t224 + t217;
    let t293 = shared_values[13] * t225 + t218;
    let t294 = s.q0 - shared_values[28] * t290;
    let t295 = shared_values[28] * t291 + s.q2;
    let t296 = s.wy - shared_values[28] * t285;
    let t297 = shared_values[28] * t292 + s.rx;
    let t298 = shared_values[28] * t293 + s.rz;
    let t299 = shared_values[28] * t286 + s.vx;
    let t300 = shared_values[28] * t287 + s.vz;
    let t301 = t294 * t294;
    let t302 = t295 * t295 + t301;
    let t303 = sqrt(t302);
    let t304 = shared_values[3] / t303;
    let t305 = t294 * t304;
    let t306 = t295 * t304;
    let t307 = parameters[4u * run.stride + instance] * t296;
    let t308 = t296 * t307;
    let t309 = t306 * t308;
    let t310 = shared_values[9] * t309;
    let t311 = t305 * t310;
    let t312 = shared_values[9] * t306;
    let t313 = t306 * t312 + shared_values[4];
    let t314 = t305 * t312;
    let t315 = parameters[4u * run.stride + instance] * t313;
    let t316 = parameters[4u * run.stride + instance] * t314;
    let t317 = parameters[7u * run.stride + instance] * t299;
    let t318 = parameters[7u * run.stride + instance] * t300;
    let t319 = t11 * t317;
    let t320 = shared_values[2] - t11 * t318;
    let t321 = t10 * t315;
    let t322 = t315 * t321;
    let t323 = t11 + t322;
    let t324 = t316 * t321;
    let t325 = t10 * t316;
    let t326 = t316 * t325;
    let t327 = t11 + t326;
    let t328 = t311 + t319;
    let t329 = t306 * t310 + t320;
    let t330 = t329 - t296 * t307;
    let t331 = shared_values[26] * t323 + shared_values[27];
    let t332 = shared_values[26] * t327 + shared_values[27];
    let t333 = shared_values[3] / t331;
    let t334 = t324 * t333;
    let t335 = t332 - t324 * t334;
    let t336 = shared_values[3] / t335;
    let t337 = t328 * t334 + t330;
    let t338 = t336 * t337;
    let t339 = t328 * t333;
    let t340 = t334 * t338 + t339;
    let t341 = t328 - t323 * t340;
    let t342 = t324 * t338 + t341;
    let t343 = t324 * t340 + t330;
    let t344 = t327 * t338 - t343;
    let t345 = t344 - t334 * t342;
    let t346 = t336 * t345;
    let t347 = t340 - t334 * t346;
    let t348 = t333 * t342 + t347;
    let t349 = t345 - t337;
    let t350 = t336 * t349;
    let t351 = t315 * t348;
    let t352 = t316 * t350 + t351;
    let t353 = t10 * t352;
    let t354 = t348 - t317;
    let t355 = t11 * t354;
    let t356 = t11 * t350 + t320;
    let t357 = shared_values[13] * t353;
    let t358 = shared_values[13] * t355;
    let t359 = shared_values[13] * t356;
    let t360 = t296 * t306;
    let t361 = t296 * t305;
    let t362 = shared_values[29] * t360;
    let t363 = shared_values[29] * t361;
    let t364 = shared_values[13] * t299;
    let t365 = shared_values[13] * t300;
    let t366 = t305 - shared_values[1] * t362;
    let t367 = shared_values[1] * t363 + t306;
    let t368 = t296 - shared_values[1] * t357;
    let t369 = shared_values[1] * t358 + t299;
    let t370 = shared_values[1] * t359 + t300;
    let t371 = t366 * t366;
    let t372 = t367 * t367 + t371;
    let t373 = shared_values[31] + t372;
    let t374 = t372 * t373 + shared_values[30];
    let t375 = shared_values[30] * t372 + shared_values[31];
    let t376 = t372 * t375 + shared_values[3];
    let t377 = t374 / t376;
    let t378 = t366 * t377;
    let t379 = t367 * t377;
    let t380 = parameters[4u * run.stride + instance] * t368;
    let t381 = t368 * t380;
    let t382 = t379 * t381;
    let t383 = shared_values[9] * t382;
    let t384 = t378 * t383;
    let t385 = shared_values[9] * t379;
    let t386 = t379 * t385 + shared_values[4];
    let t387 = t378 * t385;
    let t388 = parameters[4u * run.stride + instance] * t386;
    let t389 = parameters[4u * run.stride + instance] * t387;
    let t390 = parameters[7u * run.stride + instance] * t369;
    let t391 = parameters[7u * run.stride + instance] * t370;
    let t392 = t11 * t390;
    let t393 = shared_values[2] - t11 * t391;
    let t394 = t10 * t388;
    let t395 = t388 * t394;
    let t396 = t11 + t395;
    let t397 = t389 * t394;
    let t398 = t10 * t389;
    let t399 = t389 * t398;
    let t400 = t11 + t399;
    let t401 = t384 + t392;
    let t402 = t379 * t383 + t393;
    let t403 = t402 - t368 * t380;
    let t404 = shared_values[26] * t396 + shared_values[27];
    let t405 = shared_values[26] * t400 + shared_values[27];
    let t406 = shared_values[3] / t404;
    let t407 = t397 * t406;
    let t408 = t405 - t397 * t407;
    let t409 = shared_values[3] / t408;
    let t410 = t401 * t407 + t403;
    let t411 = t409 * t410;
    let t412 = t401 * t406;
    let t413 = t407 * t411 + t412;
    let t414 = t401 - t396 * t413;
    let t415 = t397 * t411 + t414;
    let t416 = t397 * t413 + t403;
    let t417 = t400 * t411 - t416;
    let t418 = t417 - t407 * t415;
    let t419 = t409 * t418;
    let t420 = t413 - t407 * t419;
    let t421 = t406 * t415 + t420;
    let t422 = t418 - t410;
    let t423 = t409 * t422;
    let t424 = t388 * t421;
    let t425 = t389 * t423 + t424;
    let t426 = t10 * t425;
    let t427 = t421 - t390;
    let t428 = t11 * t427;
    let t429 = t11 * t423 + t393;
    let t430 = shared_values[13] * t426;
    let t431 = shared_values[13] * t428;
    let t432 = shared_values[13] * t429;
    let t433 = t367 * t368;
    let t434 = t366 * t368;
    let t435 = shared_values[29] * t433;
    let t436 = shared_values[29] * t434;
    let t437 = shared_values[13] * t369;
    let t438 = shared_values[13] * t370;
    let t439 = t305 - shared_values[1] * t435;
    let t440 = shared_values[1] * t436 + t306;
    let t441 = t296 - shared_values[1] * t430;
    let t442 = shared_values[1] * t431 + t299;
    let t443 = shared_values[1] * t432 + t300;
    let t444 = t439 * t439;
    let t445 = t440 * t440 + t444;
    let t446 = shared_values[31] + t445;
    let t447 = t445 * t446 + shared_values[30];
    let t448 = shared_values[30] * t445 + shared_values[31];
    let t449 = t445 * t448 + shared_values[3];
    let t450 = t447 / t449;
    let t451 = t439 * t450;
    let t452 = t440 * t450;
    let t453 = parameters[4u * run.stride + instance] * t441;
    let t454 = t441 * t453;
    let t455 = t452 * t454;
    let t456 = shared_values[9] * t455;
    let t457 = t451 * t456;
    let t458 = shared_values[9] * t452;
    let t459 = t452 * t458 + shared_values[4];
    let t460 = t451 * t458;
    let t461 = parameters[4u * run.stride + instance] * t459;
    let t462 = parameters[4u * run.stride + instance] * t460;
    let t463 = parameters[7u * run.stride + instance] * t442;
    let t464 = parameters[7u * run.stride + instance] * t443;
    let t465 = t11 * t463;
    let t466 = shared_values[2] - t11 * t464;
    let t467 = t10 * t461;
    let t468 = t461 * t467;
    let t469 = t11 + t468;
    let t470 = t462 * t467;
    let t471 = t10 * t462;
    let t472 = t462 * t471;
    let t473 = t11 + t472;
    let t474 = t457 + t465;
    let t475 = t452 * t456 + t466;
    let t476 = t475 - t441 * t453;
    let t477 = shared_values[26] * t469 + shared_values[27];
    let t478 = shared_values[26] * t473 + shared_values[27];
    let t479 = shared_values[3] / t477;
    let t480 = t470 * t479;
    let t481 = t478 - t470 * t480;
    let t482 = shared_values[3] / t481;
    let t483 = t474 * t480 + t476;
    let t484 = t482 * t483;
    let t485 = t474 * t479;
    let t486 = t480 * t484 + t485;
    let t487 = t474 - t469 * t486;
    let t488 = t470 * t484 + t487;
    let t489 = t470 * t486 + t476;
    let t490 = t473 * t484 - t489;
    let t491 = t490 - t480 * t488;
    let t492 = t482 * t491;
    let t493 = t486 - t480 * t492;
    let t494 = t479 * t488 + t493;
    let t495 = t491 - t483;
    let t496 = t482 * t495;
    let t497 = t461 * t494;
    let t498 = t462 * t496 + t497;
    let t499 = t10 * t498;
    let t500 = t494 - t463;
    let t501 = t11 * t500;
    let t502 = t11 * t496 + t466;
    let t503 = shared_values[13] * t499;
    let t504 = shared_values[13] * t501;
    let t505 = shared_values[13] * t502;
    let t506 = t440 * t441;
    let t507 = t439 * t441;
    let t508 = shared_values[29] * t506;
    let t509 = shared_values[29] * t507;
    let t510 = shared_values[13] * t442;
    let t511 = shared_values[13] * t443;
    let t512 = shared_values[9] * t435 + t362;
    let t513 = shared_values[9] * t436 + t363;
    let t514 = shared_values[9] * t430 + t357;
    let t515 = shared_values[9] * t437 + t364;
    let t516 = shared_values[9] * t438 + t365;
    let t517 = shared_values[9] * t431 + t358;
    let t518 = shared_values[9] * t432 + t359;
    let t519 = shared_values[9] * t508 + t512;
    let t520 = shared_values[9] * t509 + t513;
    let t521 = shared_values[9] * t503 + t514;
    let t522 = shared_values[9] * t510 + t515;
    let t523 = shared_values[9] * t511 + t516;
    let t524 = shared_values[9] * t504 + t517;
    let t525 = shared_values[9] * t505 + t518;
    let t526 = t305 - t508;
    let t527 = t306 + t509;
    let t528 = t296 - t503;
    let t529 = t299 + t504;
    let t530 = t300 + t505;
    let t531 = t526 * t526;
    let t532 = t527 * t527 + t531;
    let t533 = shared_values[31] + t532;
    let t534 = t532 * t533 + shared_values[30];
    let t535 = shared_values[30] * t532 + shared_values[31];
    let t536 = t532 * t535 + shared_values[3];
    let t537 = t534 / t536;
    let t538 = t526 * t537;
    let t539 = t527 * t537;
    let t540 = parameters[4u * run.stride + instance] * t528;
    let t541 = t528 * t540;
    let t542 = t539 * t541;
    let t543 = shared_values[9] * t542;
    let t544 = t538 * t543;
    let t545 = shared_values[9] * t539;
    let t546 = t539 * t545 + shared_values[4];
    let t547 = t538 * t545;
    let t548 = parameters[4u * run.stride + instance] * t546;
    let t549 = parameters[4u * run.stride + instance] * t547;
    let t550 = parameters[7u * run.stride + instance] * t529;
    let t551 = parameters[7u * run.stride + instance] * t530;
    let t552 = t11 * t550;
    let t553 = shared_values[2] - t11 * t551;
    let t554 = t10 * t548;
    let t555 = t548 * t554;
    let t556 = t11 + t555;
    let t557 = t549 * t554;
    let t558 = t10 * t549;
    let t559 = t549 * t558;
    let t560 = t11 + t559;
    let t561 = t544 + t552;
    let t562 = t539 * t543 + t553;
    let t563 = t562 - t528 * t540;
    let t564 = shared_values[26] * t556 + shared_values[27];
    let t565 = shared_values[26] * t560 + shared_values[27];
    let t566 = shared_values[3] / t564;
    let t567 = t557 * t566;
    let t568 = t565 - t557 * t567;
    let t569 = shared_values[3] / t568;
    let t570 = t561 * t567 + t563;
    let t571 = t569 * t570;
    let t572 = t561 * t566;
    let t573 = t567 * t571 + t572;
    let t574 = t561 - t556 * t573;
    let t575 = t557 * t571 + t574;
    let t576 = t557 * t573 + t563;
    let t577 = t560 * t571 - t576;
    let t578 = t577 - t567 * t575;
    let t579 = t569 * t578;
    let t580 = t573 - t567 * t579;
    let t581 = t566 * t575 + t580;
    let t582 = t578 - t570;
    let t583 = t569 * t582;
    let t584 = t548 * t581;
    let t585 = t549 * t583 + t584;
    let t586 = t10 * t585;
    let t587 = t581 - t550;
    let t588 = t11 * t587;
    let t589 = t11 * t583 + t553;
    let t590 = shared_values[13] * t586 + t521;
    let t591 = shared_values[13] * t588 + t524;
    let t592 = shared_values[13] * t589 + t525;
    let t593 = t527 * t528;
    let t594 = t526 * t528;
    let t595 = shared_values[29] * t593 + t519;
    let t596 = shared_values[29] * t594 + t520;
    let t597 = shared_values[13] * t529 + t522;
    let t598 = shared_values[13] * t530 + t523;
    let t599 = t305 - shared_values[28] * t595;
    let t600 = shared_values[28] * t596 + t306;
    let t601 = t296 - shared_values[28] * t590;
    let t602 = shared_values[28] * t597 + t297;
    let t603 = shared_values[28] * t598 + t298;
    let t604 = shared_values[28] * t591 + t299;
    let t605 = shared_values[28] * t592 + t300;
    let t606 = t599 * t599;
    let t607 = t600 * t600 + t606;
    let t608 = sqrt(t607);
    let t609 = shared_values[3] / t608;
    let t610 = t599 * t609;
    let t611 = t600 * t609;
    var next = s;
    next.half_q0 = t610;
    next.half_q2 = t611;
    next.half_wy = t601;
    next.half_rx = t602;
    next.half_rz = t603;
    next.half_vx = t604;
    next.half_vz = t605;
    next.multiplier_0 = t43;
    next.multiplier_2 = t45;
    return next;
}

// What the method carries after it was resynchronised: as at the start, but for what follows.
fn resynchronised(instance: u32, s: State) -> State {
    var next = begin(instance, s);
    next.multiplier_0 = s.multiplier_0;
    next.multiplier_2 = s.multiplier_2;
    return next;
}

// A value, and how large it may be; 0: however large.
struct Judged {
    value: real,
    allowed: real,
}

fn energy_change(instance: u32, s: State) -> Judged {
    let t0 = s.vx * s.vx;
    let t1 = s.vz * s.vz + t0;
    let t2 = parameters[1u * run.stride + instance] * shared_values[10] + parameters[3u * run.stride + instance];
    let t3 = parameters[1u * run.stride + instance] * shared_values[2];
    let t4 = s.wy * parameters[0u * run.stride + instance];
    let t5 = s.wy * t4;
    let t6 = parameters[1u * run.stride + instance] * t1 + t5;
    let t7 = shared_values[1] * t6;
    let t8 = t2 + t7;
    let t9 = shared_values[32] * t8;
    let t10 = select(0.0f, t9, 0.0f < t2);
    let t11 = t7 - parameters[2u * run.stride + instance];
    let t12 = s.rz * t3;
    let t13 = t11 - t12;
    let t14 = select(0.0f, t13, 0.0f < t13);
    return Judged(t14, t10);
}

fn constraint_violation(instance: u32, s: State) -> Judged {
    let t0 = s.q2 * parameters[4u * run.stride + instance];
    let t1 = shared_values[9] * t0;
    let t2 = s.q2 * t1;
    let t3 = s.q0 * t1;
    let t4 = parameters[4u * run.stride + instance] - t2;
    let t5 = s.rx + t3;
    let t6 = s.rz + t4;
    let t7 = t5 * t5;
    let t8 = t6 * t6 + t7;
    let t9 = sqrt(t8);
    return Judged(t9, shared_values[0]);
}

fn is_passed(judged: Judged) -> bool {
    return judged.allowed > real(0.0) && abs(judged.value) > judged.allowed;
}

// The verdict of the first bound that is passed, else FINISHED.
fn passed(instance: u32, s: State) -> u32 {
    if is_passed(energy_change(instance, s)) {
        return 2u; // energy_bound
    }
    if is_passed(constraint_violation(instance, s)) {
        return 6u; // constraint_bound
    }
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
