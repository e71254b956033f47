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
    q3: real,
    wz: real,
    rx: real,
    ry: real,
    vx: real,
    vy: real,
    amplitude_0: real,
    amplitude_1: real,
    amplitude_2: real,
    amplitude_rate_0: real,
    amplitude_rate_1: real,
    amplitude_rate_2: real,
    clock: real,
    half_q0: real,
    half_q3: real,
    half_wz: real,
    half_vx: real,
    half_vy: real,
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
    s.q3 = state[1u * run.stride + instance];
    s.wz = state[2u * run.stride + instance];
    s.rx = state[3u * run.stride + instance];
    s.ry = state[4u * run.stride + instance];
    s.vx = state[5u * run.stride + instance];
    s.vy = state[6u * run.stride + instance];
    s.amplitude_0 = state[7u * run.stride + instance];
    s.amplitude_1 = state[8u * run.stride + instance];
    s.amplitude_2 = state[9u * run.stride + instance];
    s.amplitude_rate_0 = state[10u * run.stride + instance];
    s.amplitude_rate_1 = state[11u * run.stride + instance];
    s.amplitude_rate_2 = state[12u * run.stride + instance];
    s.clock = state[13u * run.stride + instance];
    s.half_q0 = state[14u * run.stride + instance];
    s.half_q3 = state[15u * run.stride + instance];
    s.half_wz = state[16u * run.stride + instance];
    s.half_vx = state[17u * run.stride + instance];
    s.half_vy = state[18u * run.stride + instance];
    s.half_amplitude_0 = state[19u * run.stride + instance];
    s.half_amplitude_1 = state[20u * run.stride + instance];
    s.half_amplitude_2 = state[21u * run.stride + instance];
    s.half_amplitude_rate_0 = state[22u * run.stride + instance];
    s.half_amplitude_rate_1 = state[23u * run.stride + instance];
    s.half_amplitude_rate_2 = state[24u * run.stride + instance];
    return s;
}

fn store_state(instance: u32, s: State) {
    state[0u * run.stride + instance] = s.q0;
    state[1u * run.stride + instance] = s.q3;
    state[2u * run.stride + instance] = s.wz;
    state[3u * run.stride + instance] = s.rx;
    state[4u * run.stride + instance] = s.ry;
    state[5u * run.stride + instance] = s.vx;
    state[6u * run.stride + instance] = s.vy;
    state[7u * run.stride + instance] = s.amplitude_0;
    state[8u * run.stride + instance] = s.amplitude_1;
    state[9u * run.stride + instance] = s.amplitude_2;
    state[10u * run.stride + instance] = s.amplitude_rate_0;
    state[11u * run.stride + instance] = s.amplitude_rate_1;
    state[12u * run.stride + instance] = s.amplitude_rate_2;
    state[13u * run.stride + instance] = s.clock;
    state[14u * run.stride + instance] = s.half_q0;
    state[15u * run.stride + instance] = s.half_q3;
    state[16u * run.stride + instance] = s.half_wz;
    state[17u * run.stride + instance] = s.half_vx;
    state[18u * run.stride + instance] = s.half_vy;
    state[19u * run.stride + instance] = s.half_amplitude_0;
    state[20u * run.stride + instance] = s.half_amplitude_1;
    state[21u * run.stride + instance] = s.half_amplitude_2;
    state[22u * run.stride + instance] = s.half_amplitude_rate_0;
    state[23u * run.stride + instance] = s.half_amplitude_rate_1;
    state[24u * run.stride + instance] = s.half_amplitude_rate_2;
}

fn flushed(s: State) -> State {
    var next: State;
    next.q0 = flushed_real(s.q0);
    next.q3 = flushed_real(s.q3);
    next.wz = flushed_real(s.wz);
    next.rx = flushed_real(s.rx);
    next.ry = flushed_real(s.ry);
    next.vx = flushed_real(s.vx);
    next.vy = flushed_real(s.vy);
    next.amplitude_0 = flushed_real(s.amplitude_0);
    next.amplitude_1 = flushed_real(s.amplitude_1);
    next.amplitude_2 = flushed_real(s.amplitude_2);
    next.amplitude_rate_0 = flushed_real(s.amplitude_rate_0);
    next.amplitude_rate_1 = flushed_real(s.amplitude_rate_1);
    next.amplitude_rate_2 = flushed_real(s.amplitude_rate_2);
    next.clock = flushed_real(s.clock);
    next.half_q0 = flushed_real(s.half_q0);
    next.half_q3 = flushed_real(s.half_q3);
    next.half_wz = flushed_real(s.half_wz);
    next.half_vx = flushed_real(s.half_vx);
    next.half_vy = flushed_real(s.half_vy);
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
        && is_finite_real(s.q3)
        && is_finite_real(s.wz)
        && is_finite_real(s.rx)
        && is_finite_real(s.ry)
        && is_finite_real(s.vx)
        && is_finite_real(s.vy)
        && is_finite_real(s.amplitude_0)
        && is_finite_real(s.amplitude_1)
        && is_finite_real(s.amplitude_2)
        && is_finite_real(s.amplitude_rate_0)
        && is_finite_real(s.amplitude_rate_1)
        && is_finite_real(s.amplitude_rate_2)
        && is_finite_real(s.clock);
}

const WORKGROUP = 64u;
const HAS_NORM_BOUND = false;
const NORM_BOUND_VALUE: real = 0.0f;

fn norm_error(s: State) -> real {
    var largest = real(0.0);
    largest = max(largest, abs(sqrt(s.q3 * s.q3 + (real(0.0) * real(0.0) + (real(0.0) * real(0.0) + s.q0 * s.q0))) - real(1.0)));
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
}

fn prepare(instance: u32) -> Prepared {
    let t0 = parameters[3u * run.stride + instance] * shared_values[8];
    let t1 = parameters[3u * run.stride + instance] * shared_values[9];
    let t2 = parameters[3u * run.stride + instance] * shared_values[10];
    let t3 = parameters[2u * run.stride + instance] * shared_values[5];
    var p: Prepared;
    p.c0 = shared_values[0];
    p.c1 = shared_values[2];
    p.c2 = shared_values[3];
    p.c3 = shared_values[4];
    p.c4 = shared_values[5];
    p.c5 = shared_values[6];
    p.c6 = shared_values[7];
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
    p.c26 = shared_values[31];
    p.c27 = parameters[2u * run.stride + instance];
    p.c28 = t0;
    p.c29 = t1;
    p.c30 = t2;
    p.c31 = t3;
    return p;
}

// A full step takes 720 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.clock + p.c0;
    let t1 = p.c27 * t0;
    let t2 = s.clock + p.c3;
    let t3 = p.c27 * t2;
    let t4 = s.half_amplitude_0 * p.c8;
    let t5 = s.half_amplitude_1 * p.c9 + t4;
    let t6 = s.half_amplitude_2 * p.c8 + t5;
    let t7 = s.half_amplitude_rate_0 * p.c8;
    let t8 = s.half_amplitude_rate_1 * p.c9 + t7;
    let t9 = s.half_amplitude_rate_2 * p.c8 + t8;
    let t10 = s.half_wz * t6;
    let t11 = s.half_wz * p.c7;
    let t12 = p.c10 * t9 + t11;
    let t13 = s.half_wz * t12;
    let t14 = s.half_wz * t10;
    let t15 = s.half_q3 * t14;
    let t16 = s.half_q3 * t13;
    let t17 = p.c10 * t15;
    let t18 = p.c10 * t16;
    let t19 = s.half_q3 * t18;
    let t20 = s.half_q3 * t17;
    let t21 = s.half_q0 * t17 + t19;
    let t22 = t20 - s.half_q0 * t18;
    let t23 = t21 - t13;
    let t24 = t22 - t14;
    let t25 = s.half_q3 * p.c10;
    let t26 = p.c3 - s.half_q3 * t25;
    let t27 = s.half_q0 * t25;
    let t28 = t6 * t26;
    let t29 = p.c7 * t27 + t28;
    let t30 = p.c8 * t27;
    let t31 = p.c9 * t27;
    let t32 = t1 * p.c1;
    let t33 = t32 * p.c14 + p.c0;
    let t34 = floor(t33);
    let t35 = t32 - p.c11 * t34;
    let t36 = t35 - p.c12 * t34;
    let t37 = t36 - p.c13 * t34;
    let t38 = t37 * t37;
    let t39 = t37 + t37;
    let t40 = p.c1 * t39;
    let t41 = t37 * t38;
    let t42 = p.c1 * t38;
    let t43 = t37 * t40 + t42;
    let t44 = t39 + t39;
    let t45 = p.c1 * t44;
    let t46 = p.c1 * t45;
    let t47 = t37 * p.c15 + t46;
    let t48 = t38 * p.c16 + p.c17;
    let t49 = t40 * p.c16;
    let t50 = t38 * t48 + p.c19;
    let t51 = t40 * t48;
    let t52 = t38 * t49 + t51;
    let t53 = p.c15 * t48;
    let t54 = t40 * t49 + t53;
    let t55 = t40 * t49 + t54;
    let t56 = t38 * p.c18 + t55;
    let t57 = t41 * t56;
    let t58 = t43 * t52 + t57;
    let t59 = t43 * t52 + t58;
    let t60 = t47 * t50 + t59;
    let t61 = t38 * p.c20 + p.c21;
    let t62 = t40 * p.c20;
    let t63 = t38 * t61 + p.c23;
    let t64 = t40 * t61;
    let t65 = t38 * t62 + t64;
    let t66 = p.c15 * t61;
    let t67 = t40 * t62 + t66;
    let t68 = t40 * t62 + t67;
    let t69 = t38 * p.c22 + t68;
    let t70 = p.c0 - t38 * t63;
    let t71 = t40 * t63;
    let t72 = t38 * t65 + t71;
    let t73 = p.c15 * t63;
    let t74 = t40 * t65 + t73;
    let t75 = t40 * t65 + t74;
    let t76 = t38 * t69 + t75;
    let t77 = p.c15 * t70;
    let t78 = t40 * t72 - t77;
    let t79 = t40 * t72 + t78;
    let t80 = t38 * t76 + t79;
    let t81 = p.c0 * t34;
    let t82 = floor(t81);
    let t83 = select(t60, t80, t82 < t81);
    let t84 = select(t80, t60, t82 < t81);
    let t85 = p.c4 * t34;
    let t86 = floor(t85);
    let t87 = t34 - t86 * p.c24;
    let t88 = -(t83);
    let t89 = select(t88, t83, t87 < p.c10);
    let t90 = p.c3 + t34;
    let t91 = p.c4 * t90;
    let t92 = floor(t91);
    let t93 = t90 - p.c24 * t92;
    let t94 = -(t84);
    let t95 = select(t94, t84, t93 < p.c10);
    let t96 = p.c2 * t95;
    let t97 = t23 - t96;
    let t98 = t6 * t27;
    let t99 = p.c7 * t26 - t98;
    let t100 = p.c8 * t26;
    let t101 = p.c9 * t26;
    let t102 = p.c2 * t89;
    let t103 = t24 - t102;
    let t104 = s.half_amplitude_0 + s.half_amplitude_1;
    let t105 = s.half_amplitude_2 + t104;
    let t106 = p.c8 * t105;
    let t107 = s.half_amplitude_rate_0 + s.half_amplitude_rate_1;
    let t108 = s.half_amplitude_rate_2 + t107;
    let t109 = p.c8 * t108;
    let t110 = s.half_wz * t106;
    let t111 = s.half_wz * p.c2;
    let t112 = p.c10 * t109 + t111;
    let t113 = s.half_wz * t112;
    let t114 = s.half_wz * t110;
    let t115 = s.half_q3 * t114;
    let t116 = s.half_q3 * t113;
    let t117 = p.c10 * t115;
    let t118 = p.c10 * t116;
    let t119 = s.half_q3 * t117;
    let t120 = t119 - s.half_q0 * t118;
    let t121 = t120 - t114;
    let t122 = t27 * t106;
    let t123 = p.c2 * t26 - t122;
    let t124 = s.half_amplitude_0 * s.half_amplitude_0 + p.c6;
    let t125 = s.half_amplitude_1 * s.half_amplitude_1 + t124;
    let t126 = s.half_amplitude_2 * s.half_amplitude_2 + t125;
    let t127 = s.half_wz * s.half_wz;
    let t128 = t127 - p.c28;
    let t129 = s.half_amplitude_0 * t128;
    let t130 = t127 - p.c29;
    let t131 = s.half_amplitude_1 * t130;
    let t132 = t127 - p.c30;
    let t133 = s.half_amplitude_2 * t132;
    let t134 = s.half_amplitude_rate_0 * p.c10;
    let t135 = s.half_wz * s.half_amplitude_0;
    let t136 = t134 * t135;
    let t137 = s.half_amplitude_rate_1 * p.c10;
    let t138 = s.half_wz * s.half_amplitude_1;
    let t139 = t137 * t138 + t136;
    let t140 = s.half_amplitude_rate_2 * p.c10;
    let t141 = s.half_wz * s.half_amplitude_2;
    let t142 = t140 * t141 + t139;
    let t143 = p.c3 / t126;
    let t144 = t142 * t143;
    let t145 = t29 * t143;
    let t146 = t29 * t145;
    let t147 = t30 * t30 + t146;
    let t148 = t31 * t31 + t147;
    let t149 = t30 * t30 + t148;
    let t150 = p.c25 + t149;
    let t151 = t99 * t145;
    let t152 = t30 * t100 + t151;
    let t153 = t31 * t101 + t152;
    let t154 = t30 * t100 + t153;
    let t155 = t99 * t143;
    let t156 = t99 * t155;
    let t157 = t100 * t100 + t156;
    let t158 = t101 * t101 + t157;
    let t159 = t100 * t100 + t158;
    let t160 = p.c25 + t159;
    let t161 = t123 * t145;
    let t162 = t30 * t100 + t161;
    let t163 = t31 * t100 + t162;
    let t164 = t30 * t100 + t163;
    let t165 = t123 * t155;
    let t166 = t100 * t100 + t165;
    let t167 = t100 * t101 + t166;
    let t168 = t100 * t100 + t167;
    let t169 = p.c25 + t168;
    let t170 = t123 * t143;
    let t171 = t123 * t170;
    let t172 = t100 * t100 + t171;
    let t173 = t100 * t100 + t172;
    let t174 = t100 * t100 + t173;
    let t175 = p.c25 + t174;
    let t176 = t29 * t144;
    let t177 = t176 - t30 * t129;
    let t178 = t177 - t31 * t131;
    let t179 = t178 - t30 * t133;
    let t180 = t97 + t179;
    let t181 = t99 * t144;
    let t182 = t100 * t129 - t181;
    let t183 = t101 * t131 + t182;
    let t184 = t100 * t133 + t183;
    let t185 = t103 + t184;
    let t186 = t123 * t144;
    let t187 = t100 * t129 - t186;
    let t188 = t100 * t131 + t187;
    let t189 = t100 * t133 + t188;
    let t190 = t121 + t189;
    let t191 = p.c5 * t150;
    let t192 = p.c5 * t160;
    let t193 = p.c5 * t175;
    let t194 = select(t150, t191, t150 < t191);
    let t195 = p.c3 / t194;
    let t196 = t154 * t195;
    let t197 = t160 - t154 * t196;
    let t198 = t164 * t195;
    let t199 = t169 - t154 * t198;
    let t200 = select(t197, t192, t197 < t192);
    let t201 = p.c3 / t200;
    let t202 = t175 - t164 * t198;
    let t203 = t199 * t201;
    let t204 = t202 - t199 * t203;
    let t205 = select(t204, t193, t204 < t193);
    let t206 = p.c3 / t205;
    let t207 = t180 * t196 + t185;
    let t208 = t180 * t198 + t190;
    let t209 = t208 - t203 * t207;
    let t210 = t206 * t209;
    let t211 = t201 * t207;
    let t212 = t211 - t203 * t210;
    let t213 = t180 * t195;
    let t214 = t196 * t212 + t213;
    let t215 = t198 * t210 + t214;
    let t216 = t29 * t215;
    let t217 = t30 * t215;
    let t218 = t31 * t215;
    let t219 = t216 - t99 * t212;
    let t220 = t217 - t100 * t212;
    let t221 = t218 - t101 * t212;
    let t222 = t219 - t123 * t210;
    let t223 = t210 + t212;
    let t224 = t220 - t100 * t210;
    let t225 = t221 - t100 * t210;
    let t226 = t222 - t142;
    let t227 = t143 * t226;
    let t228 = p.c25 * t215;
    let t229 = p.c25 * t223;
    let t230 = t129 + t224;
    let t231 = t131 + t225;
    let t232 = t133 + t224;
    let t233 = p.c27 * t227 + s.wz;
    let t234 = s.vx - p.c27 * t228;
    let t235 = s.vy - p.c27 * t229;
    let t236 = p.c27 * t230 + s.amplitude_rate_0;
    let t237 = p.c27 * t231 + s.amplitude_rate_1;
    let t238 = p.c27 * t232 + s.amplitude_rate_2;
    let t239 = s.half_wz * p.c31;
    let t240 = t239 * t239 + p.c3;
    let t241 = p.c10 / t240;
    let t242 = s.q0 - s.q3 * t239;
    let t243 = s.q0 * t239 + s.q3;
    let t244 = t241 * t242 - s.q0;
    let t245 = t241 * t243 - s.q3;
    let t246 = t244 * t244;
    let t247 = t245 * t245 + t246;
    let t248 = p.c26 - p.c0 * t247;
    let t249 = t244 * t248;
    let t250 = t245 * t248;
    let t251 = s.half_vx * p.c27 + s.rx;
    let t252 = s.half_vy * p.c27 + s.ry;
    let t253 = s.half_amplitude_rate_0 * p.c27 + s.amplitude_0;
    let t254 = s.half_amplitude_rate_1 * p.c27 + s.amplitude_1;
    let t255 = s.half_amplitude_rate_2 * p.c27 + s.amplitude_2;
    let t256 = p.c8 * t253;
    let t257 = p.c9 * t254 + t256;
    let t258 = p.c8 * t255 + t257;
    let t259 = p.c8 * t236;
    let t260 = p.c9 * t237 + t259;
    let t261 = p.c8 * t238 + t260;
    let t262 = t233 * t258;
    let t263 = p.c7 * t233;
    let t264 = p.c10 * t261 + t263;
    let t265 = t233 * t264;
    let t266 = t233 * t262;
    let t267 = t250 * t266;
    let t268 = t250 * t265;
    let t269 = p.c10 * t267;
    let t270 = p.c10 * t268;
    let t271 = t250 * t270;
    let t272 = t250 * t269;
    let t273 = t249 * t269 + t271;
    let t274 = t272 - t249 * t270;
    let t275 = t273 - t265;
    let t276 = t274 - t266;
    let t277 = p.c10 * t250;
    let t278 = p.c3 - t250 * t277;
    let t279 = t249 * t277;
    let t280 = t258 * t278;
    let t281 = p.c7 * t279 + t280;
    let t282 = p.c8 * t279;
    let t283 = p.c9 * t279;
    let t284 = p.c1 * t3;
    let t285 = p.c14 * t284 + p.c0;
    let t286 = floor(t285);
    let t287 = t284 - p.c11 * t286;
    let t288 = t287 - p.c12 * t286;
    let t289 = t288 - p.c13 * t286;
    let t290 = t289 * t289;
    let t291 = t289 + t289;
    let t292 = p.c1 * t291;
    let t293 = t289 * t290;
    let t294 = p.c1 * t290;
    let t295 = t289 * t292 + t294;
    let t296 = t291 + t291;
    let t297 = p.c1 * t296;
    let t298 = p.c1 * t297;
    let t299 = p.c15 * t289 + t298;
    let t300 = p.c16 * t290 + p.c17;
    let t301 = p.c16 * t292;
    let t302 = t290 * t300 + p.c19;
    let t303 = t292 * t300;
    let t304 = t290 * t301 + t303;
    let t305 = p.c15 * t300;
    let t306 = t292 * t301 + t305;
    let t307 = t292 * t301 + t306;
    let t308 = p.c18 * t290 + t307;
    let t309 = t293 * t308;
    let t310 = t295 * t304 + t309;
    let t311 = t295 * t304 + t310;
    let t312 = t299 * t302 + t311;
    let t313 = p.c20 * t290 + p.c21;
    let t314 = p.c20 * t292;
    let t315 = t290 * t313 + p.c23;
    let t316 = t292 * t313;
    let t317 = t290 * t314 + t316;
    let t318 = p.c15 * t313;
    let t319 = t292 * t314 + t318;
    let t320 = t292 * t314 + t319;
    let t321 = p.c22 * t290 + t320;
    let t322 = p.c0 - t290 * t315;
    let t323 = t292 * t315;
    let t324 = t290 * t317 + t323;
    let t325 = p.c15 * t315;
    let t326 = t292 * t317 + t325;
    let t327 = t292 * t317 + t326;
    let t328 = t290 * t321 + t327;
    let t329 = p.c15 * t322;
    let t330 = t292 * t324 - t329;
    let t331 = t292 * t324 + t330;
    let t332 = t290 * t328 + t331;
    let t333 = p.c0 * t286;
    let t334 = floor(t333);
    let t335 = select(t312, t332, t334 < t333);
    let t336 = select(t332, t312, t334 < t333);
    let t337 = p.c4 * t286;
    let t338 = floor(t337);
    let t339 = t286 - p.c24 * t338;
    let t340 = -(t335);
    let t341 = select(t340, t335, t339 < p.c10);
    let t342 = p.c3 + t286;
    let t343 = p.c4 * t342;
    let t344 = floor(t343);
    let t345 = t342 - p.c24 * t344;
    let t346 = -(t336);
    let t347 = select(t346, t336, t345 < p.c10);
    let t348 = p.c2 * t347;
    let t349 = t275 - t348;
    let t350 = t258 * t279;
    let t351 = p.c7 * t278 - t350;
    let t352 = p.c8 * t278;
    let t353 = p.c9 * t278;
    let t354 = p.c2 * t341;
    let t355 = t276 - t354;
    let t356 = t253 + t254;
    let t357 = t255 + t356;
    let t358 = p.c8 * t357;
    let t359 = t236 + t237;
    let t360 = t238 + t359;
    let t361 = p.c8 * t360;
    let t362 = t233 * t358;
    let t363 = p.c2 * t233;
    let t364 = p.c10 * t361 + t363;
    let t365 = t233 * t364;
    let t366 = t233 * t362;
    let t367 = t250 * t366;
    let t368 = t250 * t365;
    let t369 = p.c10 * t367;
    let t370 = p.c10 * t368;
    let t371 = t250 * t369;
    let t372 = t371 - t249 * t370;
    let t373 = t372 - t366;
    let t374 = t279 * t358;
    let t375 = p.c2 * t278 - t374;
    let t376 = t253 * t253 + p.c6;
    let t377 = t254 * t254 + t376;
    let t378 = t255 * t255 + t377;
    let t379 = t233 * t233;
    let t380 = t379 - p.c28;
    let t381 = t253 * t380;
    let t382 = t379 - p.c29;
    let t383 = t254 * t382;
    let t384 = t379 - p.c30;
    let t385 = t255 * t384;
    let t386 = p.c10 * t236;
    let t387 = t233 * t253;
    let t388 = t386 * t387;
    let t389 = p.c10 * t237;
    let t390 = t233 * t254;
    let t391 = t389 * t390 + t388;
    let t392 = p.c10 * t238;
    let t393 = t233 * t255;
    let t394 = t392 * t393 + t391;
    let t395 = p.c3 / t378;
    let t396 = t394 * t395;
    let t397 = t281 * t395;
    let t398 = t281 * t397;
    let t399 = t282 * t282 + t398;
    let t400 = t283 * t283 + t399;
    let t401 = t282 * t282 + t400;
    let t402 = p.c25 + t401;
    let t403 = t351 * t397;
    let t404 = t282 * t352 + t403;
    let t405 = t283 * t353 + t404;
    let t406 = t282 * t352 + t405;
    let t407 = t351 * t395;
    let t408 = t351 * t407;
    let t409 = t352 * t352 + t408;
    let t410 = t353 * t353 + t409;
    let t411 = t352 * t352 + t410;
    let t412 = p.c25 + t411;
    let t413 = t375 * t397;
    let t414 = t282 * t352 + t413;
    let t415 = t283 * t352 + t414;
    let t416 = t282 * t352 + t415;
    let t417 = t375 * t407;
    let t418 = t352 * t352 + t417;
    let t419 = t352 * t353 + t418;
    let t420 = t352 * t352 + t419;
    let t421 = p.c25 + t420;
    let t422 = t375 * t395;
    let t423 = t375 * t422;
    let t424 = t352 * t352 + t423;
    let t425 = t352 * t352 + t424;
    let t426 = t352 * t352 + t425;
    let t427 = p.c25 + t426;
    let t428 = t281 * t396;
    let t429 = t428 - t282 * t381;
    let t430 = t429 - t283 * t383;
    let t431 = t430 - t282 * t385;
    let t432 = t349 + t431;
    let t433 = t351 * t396;
    let t434 = t352 * t381 - t433;
    let t435 = t353 * t383 + t434;
    let t436 = t352 * t385 + t435;
    let t437 = t355 + t436;
    let t438 = t375 * t396;
    let t439 = t352 * t381 - t438;
    let t440 = t352 * t383 + t439;
    let t441 = t352 * t385 + t440;
    let t442 = t373 + t441;
    let t443 = p.c5 * t402;
    let t444 = p.c5 * t412;
    let t445 = p.c5 * t427;
    let t446 = select(t402, t443, t402 < t443);
    let t447 = p.c3 / t446;
    let t448 = t406 * t447;
    let t449 = t412 - t406 * t448;
    let t450 = t416 * t447;
    let t451 = t421 - t406 * t450;
    let t452 = select(t449, t444, t449 < t444);
    let t453 = p.c3 / t452;
    let t454 = t427 - t416 * t450;
    let t455 = t451 * t453;
    let t456 = t454 - t451 * t455;
    let t457 = select(t456, t445, t456 < t445);
    let t458 = p.c3 / t457;
    let t459 = t432 * t448 + t437;
    let t460 = t432 * t450 + t442;
    let t461 = t460 - t455 * t459;
    let t462 = t458 * t461;
    let t463 = t453 * t459;
    let t464 = t463 - t455 * t462;
    let t465 = t432 * t447;
    let t466 = t448 * t464 + t465;
    let t467 = t450 * t462 + t466;
    let t468 = t281 * t467;
    let t469 = t282 * t467;
    let t470 = t283 * t467;
    let t471 = t468 - t351 * t464;
    let t472 = t469 - t352 * t464;
    let t473 = t470 - t353 * t464;
    let t474 = t471 - t375 * t462;
    let t475 = t462 + t464;
    let t476 = t472 - t352 * t462;
    let t477 = t473 - t352 * t462;
    let t478 = t474 - t394;
    let t479 = t395 * t478;
    let t480 = p.c25 * t467;
    let t481 = p.c25 * t475;
    let t482 = t381 + t476;
    let t483 = t383 + t477;
    let t484 = t385 + t476;
    let t485 = p.c27 * t479 + s.half_wz;
    let t486 = s.half_vx - p.c27 * t480;
    let t487 = s.half_vy - p.c27 * t481;
    let t488 = p.c27 * t482 + s.half_amplitude_rate_0;
    let t489 = p.c27 * t483 + s.half_amplitude_rate_1;
    let t490 = p.c27 * t484 + s.half_amplitude_rate_2;
    let t491 = t233 * p.c31;
    let t492 = t491 * t491 + p.c3;
    let t493 = p.c10 / t492;
    let t494 = s.half_q0 - s.half_q3 * t491;
    let t495 = s.half_q0 * t491 + s.half_q3;
    let t496 = t493 * t494 - s.half_q0;
    let t497 = t493 * t495 - s.half_q3;
    let t498 = t496 * t496;
    let t499 = t497 * t497 + t498;
    let t500 = p.c26 - p.c0 * t499;
    let t501 = t496 * t500;
    let t502 = t497 * t500;
    let t503 = p.c27 * t236 + s.half_amplitude_0;
    let t504 = p.c27 * t237 + s.half_amplitude_1;
    let t505 = p.c27 * t238 + s.half_amplitude_2;
    var next: State;
    next.q0 = t249;
    next.q3 = t250;
    next.wz = t233;
    next.rx = t251;
    next.ry = t252;
    next.vx = t234;
    next.vy = t235;
    next.amplitude_0 = t253;
    next.amplitude_1 = t254;
    next.amplitude_2 = t255;
    next.amplitude_rate_0 = t236;
    next.amplitude_rate_1 = t237;
    next.amplitude_rate_2 = t238;
    next.clock = t2;
    next.half_q0 = t501;
    next.half_q3 = t502;
    next.half_wz = t485;
    next.half_vx = t486;
    next.half_vy = t487;
    next.half_amplitude_0 = t503;
    next.half_amplitude_1 = t504;
    next.half_amplitude_2 = t505;
    next.half_amplitude_rate_0 = t488;
    next.half_amplitude_rate_1 = t489;
    next.half_amplitude_rate_2 = t490;
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
    base_q0: real,
    base_q3: real,
    base_wz: real,
    base_vx: real,
    base_vy: real,
    base_amplitude_0: real,
    base_amplitude_1: real,
    base_amplitude_2: real,
    base_amplitude_rate_0: real,
    base_amplitude_rate_1: real,
    base_amplitude_rate_2: real,
    at_q0: real,
    at_q3: real,
    at_wz: real,
    at_amplitude_0: real,
    at_amplitude_1: real,
    at_amplitude_2: real,
    at_amplitude_rate_0: real,
    at_amplitude_rate_1: real,
    at_amplitude_rate_2: real,
    sum_q0: real,
    sum_q3: real,
    sum_wz: real,
    sum_vx: real,
    sum_vy: real,
    sum_amplitude_0: real,
    sum_amplitude_1: real,
    sum_amplitude_2: real,
    sum_amplitude_rate_0: real,
    sum_amplitude_rate_1: real,
    sum_amplitude_rate_2: real,
}

// A lead begins at the motions.
fn lead_opened(instance: u32, s: State) -> Lead {
    var next: Lead;
    next.base_q0 = s.q0;
    next.base_q3 = s.q3;
    next.base_wz = s.wz;
    next.base_vx = s.vx;
    next.base_vy = s.vy;
    next.base_amplitude_0 = s.amplitude_0;
    next.base_amplitude_1 = s.amplitude_1;
    next.base_amplitude_2 = s.amplitude_2;
    next.base_amplitude_rate_0 = s.amplitude_rate_0;
    next.base_amplitude_rate_1 = s.amplitude_rate_1;
    next.base_amplitude_rate_2 = s.amplitude_rate_2;
    next.at_q0 = s.q0;
    next.at_q3 = s.q3;
    next.at_wz = s.wz;
    next.at_amplitude_0 = s.amplitude_0;
    next.at_amplitude_1 = s.amplitude_1;
    next.at_amplitude_2 = s.amplitude_2;
    next.at_amplitude_rate_0 = s.amplitude_rate_0;
    next.at_amplitude_rate_1 = s.amplitude_rate_1;
    next.at_amplitude_rate_2 = s.amplitude_rate_2;
    next.sum_q0 = 0.0f;
    next.sum_q3 = 0.0f;
    next.sum_wz = 0.0f;
    next.sum_vx = 0.0f;
    next.sum_vy = 0.0f;
    next.sum_amplitude_0 = 0.0f;
    next.sum_amplitude_1 = 0.0f;
    next.sum_amplitude_2 = 0.0f;
    next.sum_amplitude_rate_0 = 0.0f;
    next.sum_amplitude_rate_1 = 0.0f;
    next.sum_amplitude_rate_2 = 0.0f;
    return next;
}

// A stage takes 387 operations.
fn lead_stage(instance: u32, s: State, c: Lead, number: u32) -> Lead {
    let t0 = parameters[3u * run.stride + instance] * shared_values[8];
    let t1 = parameters[3u * run.stride + instance] * shared_values[9];
    let t2 = parameters[3u * run.stride + instance] * shared_values[10];
    let t3 = parameters[2u * run.stride + instance] * shared_values[5];
    let t4 = s.clock + shared_values[37u + 3u * number];
    let t5 = parameters[2u * run.stride + instance] * t4;
    let t6 = c.at_q0 * c.at_q0;
    let t7 = c.at_q3 * c.at_q3 + t6;
    let t8 = t7 + shared_values[33];
    let t9 = t7 * t8 + shared_values[32];
    let t10 = t7 * shared_values[32] + shared_values[33];
    let t11 = t7 * t10 + shared_values[4];
    let t12 = t9 / t11;
    let t13 = c.at_q0 * t12;
    let t14 = c.at_q3 * t12;
    let t15 = shared_values[12] * c.at_amplitude_0;
    let t16 = shared_values[13] * c.at_amplitude_1 + t15;
    let t17 = shared_values[12] * c.at_amplitude_2 + t16;
    let t18 = shared_values[12] * c.at_amplitude_rate_0;
    let t19 = shared_values[13] * c.at_amplitude_rate_1 + t18;
    let t20 = shared_values[12] * c.at_amplitude_rate_2 + t19;
    let t21 = c.at_wz * t17;
    let t22 = shared_values[11] * c.at_wz;
    let t23 = shared_values[14] * t20 + t22;
    let t24 = c.at_wz * t23;
    let t25 = c.at_wz * t21;
    let t26 = t14 * t25;
    let t27 = t14 * t24;
    let t28 = shared_values[14] * t26;
    let t29 = shared_values[14] * t27;
    let t30 = t14 * t29;
    let t31 = t14 * t28;
    let t32 = t13 * t28 + t30;
    let t33 = t31 - t13 * t29;
    let t34 = t32 - t24;
    let t35 = t33 - t25;
    let t36 = shared_values[14] * t14;
    let t37 = shared_values[4] - t14 * t36;
    let t38 = t13 * t36;
    let t39 = t17 * t37;
    let t40 = shared_values[11] * t38 + t39;
    let t41 = shared_values[12] * t38;
    let t42 = shared_values[13] * t38;
    let t43 = shared_values[2] * t5;
    let t44 = shared_values[18] * t43 + shared_values[0];
    let t45 = floor(t44);
    let t46 = t43 - shared_values[15] * t45;
    let t47 = t46 - shared_values[16] * t45;
    let t48 = t47 - shared_values[17] * t45;
    let t49 = t48 * t48;
    let t50 = t48 + t48;
    let t51 = shared_values[2] * t50;
    let t52 = t48 * t49;
    let t53 = shared_values[2] * t49;
    let t54 = t48 * t51 + t53;
    let t55 = t50 + t50;
    let t56 = shared_values[2] * t55;
    let t57 = shared_values[2] * t56;
    let t58 = shared_values[19] * t48 + t57;
    let t59 = shared_values[20] * t49 + shared_values[21];
    let t60 = shared_values[20] * t51;
    let t61 = t49 * t59 + shared_values[23];
    let t62 = t51 * t59;
    let t63 = t49 * t60 + t62;
    let t64 = shared_values[19] * t59;
    let t65 = t51 * t60 + t64;
    let t66 = t51 * t60 + t65;
    let t67 = shared_values[22] * t49 + t66;
    let t68 = t52 * t67;
    let t69 = t54 * t63 + t68;
    let t70 = t54 * t63 + t69;
    let t71 = t58 * t61 + t70;
    let t72 = shared_values[24] * t49 + shared_values[25];
    let t73 = shared_values[24] * t51;
    let t74 = t49 * t72 + shared_values[27];
    let t75 = t51 * t72;
    let t76 = t49 * t73 + t75;
    let t77 = shared_values[19] * t72;
    let t78 = t51 * t73 + t77;
    let t79 = t51 * t73 + t78;
    let t80 = shared_values[26] * t49 + t79;
    let t81 = shared_values[0] - t49 * t74;
    let t82 = t51 * t74;
    let t83 = t49 * t76 + t82;
    let t84 = shared_values[19] * t74;
    let t85 = t51 * t76 + t84;
    let t86 = t51 * t76 + t85;
    let t87 = t49 * t80 + t86;
    let t88 = shared_values[19] * t81;
    let t89 = t51 * t83 - t88;
    let t90 = t51 * t83 + t89;
    let t91 = t49 * t87 + t90;
    let t92 = shared_values[0] * t45;
    let t93 = floor(t92);
    let t94 = select(t71, t91, t93 < t92);
    let t95 = select(t91, t71, t93 < t92);
    let t96 = shared_values[5] * t45;
    let t97 = floor(t96);
    let t98 = t45 - shared_values[28] * t97;
    let t99 = -(t94);
    let t100 = select(t99, t94, t98 < shared_values[14]);
    let t101 = shared_values[4] + t45;
    let t102 = shared_values[5] * t101;
    let t103 = floor(t102);
    let t104 = t101 - shared_values[28] * t103;
    let t105 = -(t95);
    let t106 = select(t105, t95, t104 < shared_values[14]);
    let t107 = shared_values[3] * t106;
    let t108 = t34 - t107;
    let t109 = t17 * t38;
    let t110 = shared_values[11] * t37 - t109;
    let t111 = shared_values[12] * t37;
    let t112 = shared_values[13] * t37;
    let t113 = shared_values[3] * t100;
    let t114 = t35 - t113;
    let t115 = c.at_amplitude_0 + c.at_amplitude_1;
    let t116 = c.at_amplitude_2 + t115;
    let t117 = shared_values[12] * t116;
    let t118 = c.at_amplitude_rate_0 + c.at_amplitude_rate_1;
    let t119 = c.at_amplitude_rate_2 + t118;
    let t120 = shared_values[12] * t119;
    let t121 = c.at_wz * t117;
    let t122 = shared_values[3] * c.at_wz;
    let t123 = shared_values[14] * t120 + t122;
    let t124 = c.at_wz * t123;
    let t125 = c.at_wz * t121;
    let t126 = t14 * t125;
    let t127 = t14 * t124;
    let t128 = shared_values[14] * t126;
    let t129 = shared_values[14] * t127;
    let t130 = t14 * t128;
    let t131 = t130 - t13 * t129;
    let t132 = t131 - t125;
    let t133 = t38 * t117;
    let t134 = shared_values[3] * t37 - t133;
    let t135 = c.at_amplitude_0 * c.at_amplitude_0 + shared_values[7];
    let t136 = c.at_amplitude_1 * c.at_amplitude_1 + t135;
    let t137 = c.at_amplitude_2 * c.at_amplitude_2 + t136;
    let t138 = c.at_wz * c.at_wz;
    let t139 = t138 - t0;
    let t140 = c.at_amplitude_0 * t139;
    let t141 = t138 - t1;
    let t142 = c.at_amplitude_1 * t141;
    let t143 = t138 - t2;
    let t144 = c.at_amplitude_2 * t143;
    let t145 = c.at_amplitude_rate_0 * shared_values[14];
    let t146 = c.at_wz * c.at_amplitude_0;
    let t147 = t145 * t146;
    let t148 = c.at_amplitude_rate_1 * shared_values[14];
    let t149 = c.at_wz * c.at_amplitude_1;
    let t150 = t148 * t149 + t147;
    let t151 = c.at_amplitude_rate_2 * shared_values[14];
    let t152 = c.at_wz * c.at_amplitude_2;
    let t153 = t151 * t152 + t150;
    let t154 = shared_values[4] / t137;
    let t155 = t153 * t154;
    let t156 = t40 * t154;
    let t157 = t40 * t156;
    let t158 = t41 * t41 + t157;
    let t159 = t42 * t42 + t158;
    let t160 = t41 * t41 + t159;
    let t161 = shared_values[29] + t160;
    let t162 = t110 * t156;
    let t163 = t41 * t111 + t162;
    let t164 = t42 * t112 + t163;
    let t165 = t41 * t111 + t164;
    let t166 = t110 * t154;
    let t167 = t110 * t166;
    let t168 = t111 * t111 + t167;
    let t169 = t112 * t112 + t168;
    let t170 = t111 * t111 + t169;
    let t171 = shared_values[29] + t170;
    let t172 = t134 * t156;
    let t173 = t41 * t111 + t172;
    let t174 = t42 * t111 + t173;
    let t175 = t41 * t111 + t174;
    let t176 = t134 * t166;
    let t177 = t111 * t111 + t176;
    let t178 = t111 * t112 + t177;
    let t179 = t111 * t111 + t178;
    let t180 = shared_values[29] + t179;
    let t181 = t134 * t154;
    let t182 = t134 * t181;
    let t183 = t111 * t111 + t182;
    let t184 = t111 * t111 + t183;
    let t185 = t111 * t111 + t184;
    let t186 = shared_values[29] + t185;
    let t187 = t40 * t155;
    let t188 = t187 - t41 * t140;
    let t189 = t188 - t42 * t142;
    let t190 = t189 - t41 * t144;
    let t191 = t108 + t190;
    let t192 = t110 * t155;
    let t193 = t111 * t140 - t192;
    let t194 = t112 * t142 + t193;
    let t195 = t111 * t144 + t194;
    let t196 = t114 + t195;
    let t197 = t134 * t155;
    let t198 = t111 * t140 - t197;
    let t199 = t111 * t142 + t198;
    let t200 = t111 * t144 + t199;
    let t201 = t132 + t200;
    let t202 = shared_values[6] * t161;
    let t203 = shared_values[6] * t171;
    let t204 = shared_values[6] * t186;
    let t205 = select(t161, t202, t161 < t202);
    let t206 = shared_values[4] / t205;
    let t207 = t165 * t206;
    let t208 = t171 - t165 * t207;
    let t209 = t175 * t206;
    let t210 = t180 - t165 * t209;
    let t211 = select(t208, t203, t208 < t203);
    let t212 = shared_values[4] / t211;
    let t213 = t186 - t175 * t209;
    let t214 = t210 * t212;
    let t215 = t213 - t210 * t214;
    let t216 = select(t215, t204, t215 < t204);
    let t217 = shared_values[4] / t216;
    let t218 = t191 * t207 + t196;
    let t219 = t191 * t209 + t201;
    let t220 = t219 - t214 * t218;
    let t221 = t217 * t220;
    let t222 = t212 * t218;
    let t223 = t222 - t214 * t221;
    let t224 = t191 * t206;
    let t225 = t207 * t223 + t224;
    let t226 = t209 * t221 + t225;
    let t227 = t40 * t226;
    let t228 = t41 * t226;
    let t229 = t42 * t226;
    let t230 = t227 - t110 * t223;
    let t231 = t228 - t111 * t223;
    let t232 = t229 - t112 * t223;
    let t233 = t230 - t134 * t221;
    let t234 = t221 + t223;
    let t235 = t231 - t111 * t221;
    let t236 = t232 - t111 * t221;
    let t237 = t233 - t153;
    let t238 = t154 * t237;
    let t239 = shared_values[29] * t226;
    let t240 = shared_values[29] * t234;
    let t241 = t140 + t235;
    let t242 = t142 + t236;
    let t243 = t144 + t235;
    let t244 = t3 * t238;
    let t245 = t3 * t239;
    let t246 = t3 * t240;
    let t247 = t3 * t241;
    let t248 = t3 * t242;
    let t249 = t3 * t243;
    let t250 = shared_values[0] * t3;
    let t251 = c.at_q3 * c.at_wz;
    let t252 = c.at_q0 * c.at_wz;
    let t253 = t250 * t251;
    let t254 = t250 * t252;
    let t255 = c.at_amplitude_rate_0 * t3;
    let t256 = c.at_amplitude_rate_1 * t3;
    let t257 = c.at_amplitude_rate_2 * t3;
    let t258 = c.base_q0 - shared_values[35u + 3u * number] * t253;
    let t259 = shared_values[35u + 3u * number] * t254 + c.base_q3;
    let t260 = shared_values[35u + 3u * number] * t244 + c.base_wz;
    let t261 = shared_values[35u + 3u * number] * t255 + c.base_amplitude_0;
    let t262 = shared_values[35u + 3u * number] * t256 + c.base_amplitude_1;
    let t263 = shared_values[35u + 3u * number] * t257 + c.base_amplitude_2;
    let t264 = shared_values[35u + 3u * number] * t247 + c.base_amplitude_rate_0;
    let t265 = shared_values[35u + 3u * number] * t248 + c.base_amplitude_rate_1;
    let t266 = shared_values[35u + 3u * number] * t249 + c.base_amplitude_rate_2;
    let t267 = c.sum_q0 - shared_values[36u + 3u * number] * t253;
    let t268 = shared_values[36u + 3u * number] * t254 + c.sum_q3;
    let t269 = shared_values[36u + 3u * number] * t244 + c.sum_wz;
    let t270 = c.sum_vx - shared_values[36u + 3u * number] * t245;
    let t271 = c.sum_vy - shared_values[36u + 3u * number] * t246;
    let t272 = shared_values[36u + 3u * number] * t255 + c.sum_amplitude_0;
    let t273 = shared_values[36u + 3u * number] * t256 + c.sum_amplitude_1;
    let t274 = shared_values[36u + 3u * number] * t257 + c.sum_amplitude_2;
    let t275 = shared_values[36u + 3u * number] * t247 + c.sum_amplitude_rate_0;
    let t276 = shared_values[36u + 3u * number] * t248 + c.sum_amplitude_rate_1;
    let t277 = shared_values[36u + 3u * number] * t249 + c.sum_amplitude_rate_2;
    var next = c;
    next.at_q0 = t258;
    next.at_q3 = t259;
    next.at_wz = t260;
    next.at_amplitude_0 = t261;
    next.at_amplitude_1 = t262;
    next.at_amplitude_2 = t263;
    next.at_amplitude_rate_0 = t264;
    next.at_amplitude_rate_1 = t265;
    next.at_amplitude_rate_2 = t266;
    next.sum_q0 = t267;
    next.sum_q3 = t268;
    next.sum_wz = t269;
    next.sum_vx = t270;
    next.sum_vy = t271;
    next.sum_amplitude_0 = t272;
    next.sum_amplitude_1 = t273;
    next.sum_amplitude_2 = t274;
    next.sum_amplitude_rate_0 = t275;
    next.sum_amplitude_rate_1 = t276;
    next.sum_amplitude_rate_2 = t277;
    return next;
}

// A Runge-Kutta step ends, and another one may begin there.
fn lead_settled(instance: u32, s: State, c: Lead) -> Lead {
    let t0 = c.sum_q0 * shared_values[34] + c.base_q0;
    let t1 = c.sum_q3 * shared_values[34] + c.base_q3;
    let t2 = c.sum_wz * shared_values[34] + c.base_wz;
    let t3 = c.sum_vx * shared_values[34] + c.base_vx;
    let t4 = c.sum_vy * shared_values[34] + c.base_vy;
    let t5 = c.sum_amplitude_0 * shared_values[34] + c.base_amplitude_0;
    let t6 = c.sum_amplitude_1 * shared_values[34] + c.base_amplitude_1;
    let t7 = c.sum_amplitude_2 * shared_values[34] + c.base_amplitude_2;
    let t8 = c.sum_amplitude_rate_0 * shared_values[34] + c.base_amplitude_rate_0;
    let t9 = c.sum_amplitude_rate_1 * shared_values[34] + c.base_amplitude_rate_1;
    let t10 = c.sum_amplitude_rate_2 * shared_values[34] + c.base_amplitude_rate_2;
    let t11 = t0 * t0;
    let t12 = t1 * t1 + t11;
    let t13 = sqrt(t12);
    let t14 = shared_values[4] / t13;
    let t15 = t0 * t14;
    let t16 = t1 * t14;
    var next = c;
    next.base_q0 = t15;
    next.base_q3 = t16;
    next.base_wz = t2;
    next.base_vx = t3;
    next.base_vy = t4;
    next.base_amplitude_0 = t5;
    next.base_amplitude_1 = t6;
    next.base_amplitude_2 = t7;
    next.base_amplitude_rate_0 = t8;
    next.base_amplitude_rate_1 = t9;
    next.base_amplitude_rate_2 = t10;
    next.at_q0 = t15;
    next.at_q3 = t16;
    next.at_wz = t2;
    next.at_amplitude_0 = t5;
    next.at_amplitude_1 = t6;
    next.at_amplitude_2 = t7;
    next.at_amplitude_rate_0 = t8;
    next.at_amplitude_rate_1 = t9;
    next.at_amplitude_rate_2 = t10;
    next.sum_q0 = 0.0f;
    next.sum_q3 = 0.0f;
    next.sum_wz = 0.0f;
    next.sum_vx = 0.0f;
    next.sum_vy = 0.0f;
    next.sum_amplitude_0 = 0.0f;
    next.sum_amplitude_1 = 0.0f;
    next.sum_amplitude_2 = 0.0f;
    next.sum_amplitude_rate_0 = 0.0f;
    next.sum_amplitude_rate_1 = 0.0f;
    next.sum_amplitude_rate_2 = 0.0f;
    return next;
}

// The chain is where the last step ended.
fn lead_closed(instance: u32, s: State, c: Lead) -> State {
    var next = s;
    next.half_q0 = c.base_q0;
    next.half_q3 = c.base_q3;
    next.half_wz = c.base_wz;
    next.half_vx = c.base_vx;
    next.half_vy = c.base_vy;
    next.half_amplitude_0 = c.base_amplitude_0;
    next.half_amplitude_1 = c.base_amplitude_1;
    next.half_amplitude_2 = c.base_amplitude_2;
    next.half_amplitude_rate_0 = c.base_amplitude_rate_0;
    next.half_amplitude_rate_1 = c.base_amplitude_rate_1;
    next.half_amplitude_rate_2 = c.base_amplitude_rate_2;
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

fn energy_change(instance: u32, s: State) -> Judged {
    let t0 = parameters[3u * run.stride + instance] * shared_values[8];
    let t1 = parameters[3u * run.stride + instance] * shared_values[9];
    let t2 = parameters[3u * run.stride + instance] * shared_values[10];
    let t3 = s.vx * s.vx;
    let t4 = s.vy * s.vy + t3;
    let t5 = shared_values[1] * t4;
    let t6 = s.amplitude_0 * s.amplitude_0 + shared_values[7];
    let t7 = s.amplitude_1 * s.amplitude_1 + t6;
    let t8 = s.amplitude_2 * s.amplitude_2 + t7;
    let t9 = s.wz * t8;
    let t10 = s.wz * t9;
    let t11 = s.amplitude_rate_0 * s.amplitude_rate_0;
    let t12 = s.amplitude_rate_1 * s.amplitude_rate_1 + t11;
    let t13 = s.amplitude_rate_2 * s.amplitude_rate_2 + t12;
    let t14 = t10 + t13;
    let t15 = t5 + t14;
    let t16 = shared_values[0] * t15;
    let t17 = t16 - parameters[0u * run.stride + instance];
    let t18 = s.amplitude_0 * t0;
    let t19 = s.amplitude_0 * t18;
    let t20 = s.amplitude_1 * t1;
    let t21 = s.amplitude_1 * t20 + t19;
    let t22 = s.amplitude_2 * t2;
    let t23 = s.amplitude_2 * t22 + t21;
    let t24 = shared_values[0] * t23;
    let t25 = t17 + t24;
    let t26 = shared_values[30] * parameters[1u * run.stride + instance];
    return Judged(t25, t26);
}

fn is_passed(judged: Judged) -> bool {
    return judged.allowed > real(0.0) && abs(judged.value) > judged.allowed;
}

// The verdict of the first bound that is passed, else FINISHED.
fn passed(instance: u32, s: State) -> u32 {
    if is_passed(energy_change(instance, s)) {
        return 2u; // energy_bound
    }
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
