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
    b0_q0: real,
    b0_rx: real,
    b0_rz: real,
    b0_vx: real,
    b0_vz: real,
    b1_q0: real,
    b1_q2: real,
    b1_wy: real,
    b1_rx: real,
    b1_rz: real,
    b1_vx: real,
    b1_vz: real,
    b0_amplitude_0: real,
    b0_amplitude_rate_0: real,
    angle_1: real,
    held_0: real,
    since_sample_0: real,
}

fn load_state(instance: u32) -> State {
    var s: State;
    s.b0_q0 = state[0u * run.stride + instance];
    s.b0_rx = state[1u * run.stride + instance];
    s.b0_rz = state[2u * run.stride + instance];
    s.b0_vx = state[3u * run.stride + instance];
    s.b0_vz = state[4u * run.stride + instance];
    s.b1_q0 = state[5u * run.stride + instance];
    s.b1_q2 = state[6u * run.stride + instance];
    s.b1_wy = state[7u * run.stride + instance];
    s.b1_rx = state[8u * run.stride + instance];
    s.b1_rz = state[9u * run.stride + instance];
    s.b1_vx = state[10u * run.stride + instance];
    s.b1_vz = state[11u * run.stride + instance];
    s.b0_amplitude_0 = state[12u * run.stride + instance];
    s.b0_amplitude_rate_0 = state[13u * run.stride + instance];
    s.angle_1 = state[14u * run.stride + instance];
    s.held_0 = state[15u * run.stride + instance];
    s.since_sample_0 = state[16u * run.stride + instance];
    return s;
}

fn store_state(instance: u32, s: State) {
    state[0u * run.stride + instance] = s.b0_q0;
    state[1u * run.stride + instance] = s.b0_rx;
    state[2u * run.stride + instance] = s.b0_rz;
    state[3u * run.stride + instance] = s.b0_vx;
    state[4u * run.stride + instance] = s.b0_vz;
    state[5u * run.stride + instance] = s.b1_q0;
    state[6u * run.stride + instance] = s.b1_q2;
    state[7u * run.stride + instance] = s.b1_wy;
    state[8u * run.stride + instance] = s.b1_rx;
    state[9u * run.stride + instance] = s.b1_rz;
    state[10u * run.stride + instance] = s.b1_vx;
    state[11u * run.stride + instance] = s.b1_vz;
    state[12u * run.stride + instance] = s.b0_amplitude_0;
    state[13u * run.stride + instance] = s.b0_amplitude_rate_0;
    state[14u * run.stride + instance] = s.angle_1;
    state[15u * run.stride + instance] = s.held_0;
    state[16u * run.stride + instance] = s.since_sample_0;
}

fn flushed(s: State) -> State {
    var next: State;
    next.b0_q0 = flushed_real(s.b0_q0);
    next.b0_rx = flushed_real(s.b0_rx);
    next.b0_rz = flushed_real(s.b0_rz);
    next.b0_vx = flushed_real(s.b0_vx);
    next.b0_vz = flushed_real(s.b0_vz);
    next.b1_q0 = flushed_real(s.b1_q0);
    next.b1_q2 = flushed_real(s.b1_q2);
    next.b1_wy = flushed_real(s.b1_wy);
    next.b1_rx = flushed_real(s.b1_rx);
    next.b1_rz = flushed_real(s.b1_rz);
    next.b1_vx = flushed_real(s.b1_vx);
    next.b1_vz = flushed_real(s.b1_vz);
    next.b0_amplitude_0 = flushed_real(s.b0_amplitude_0);
    next.b0_amplitude_rate_0 = flushed_real(s.b0_amplitude_rate_0);
    next.angle_1 = flushed_real(s.angle_1);
    next.held_0 = flushed_real(s.held_0);
    next.since_sample_0 = flushed_real(s.since_sample_0);
    return next;
}

fn is_finite_state(s: State) -> bool {
    return is_finite_real(s.b0_q0)
        & is_finite_real(s.b0_rx)
        & is_finite_real(s.b0_rz)
        & is_finite_real(s.b0_vx)
        & is_finite_real(s.b0_vz)
        & is_finite_real(s.b1_q0)
        & is_finite_real(s.b1_q2)
        & is_finite_real(s.b1_wy)
        & is_finite_real(s.b1_rx)
        & is_finite_real(s.b1_rz)
        & is_finite_real(s.b1_vx)
        & is_finite_real(s.b1_vz)
        & is_finite_real(s.b0_amplitude_0)
        & is_finite_real(s.b0_amplitude_rate_0)
        & is_finite_real(s.angle_1)
        & is_finite_real(s.held_0)
        & is_finite_real(s.since_sample_0);
}

const WORKGROUP = 64u;
const HAS_NORM_BOUND = false;
const NORM_BOUND_VALUE: real = 0.0f;

fn norm_error(s: State) -> real {
    var largest = real(0.0);
    largest = max(largest, abs(sqrt(real(0.0) * real(0.0) + (real(0.0) * real(0.0) + (real(0.0) * real(0.0) + s.b0_q0 * s.b0_q0))) - real(1.0)));
    largest = max(largest, abs(sqrt(real(0.0) * real(0.0) + (s.b1_q2 * s.b1_q2 + (real(0.0) * real(0.0) + s.b1_q0 * s.b1_q0))) - real(1.0)));
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
    p.c26 = shared_values[26];
    p.c27 = shared_values[27];
    p.c28 = shared_values[28];
    p.c29 = shared_values[29];
    p.c30 = shared_values[49];
    p.c31 = shared_values[50];
    p.c32 = parameters[0u * run.stride + instance];
    return p;
}

// A full step takes 478 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.b1_wy * p.c12;
    let t1 = s.b1_wy * t0;
    let t2 = s.b1_q2 * t1;
    let t3 = p.c14 * t2;
    let t4 = s.b1_q0 * t3;
    let t5 = s.b1_q2 * p.c14;
    let t6 = s.b1_q2 * t5 + p.c11;
    let t7 = s.b1_q0 * t5;
    let t8 = p.c12 * t6;
    let t9 = p.c12 * t7;
    let t10 = s.held_0 - s.b0_amplitude_rate_0;
    let t11 = t10 / p.c8;
    let t12 = t8 * p.c26;
    let t13 = t8 * t12;
    let t14 = p.c27 + t13;
    let t15 = p.c1 + t14;
    let t16 = t9 * t12;
    let t17 = t9 * p.c26;
    let t18 = t9 * t17;
    let t19 = p.c27 + t18;
    let t20 = p.c1 + t19;
    let t21 = s.b0_amplitude_rate_0 + t4;
    let t22 = t15 * p.c28;
    let t23 = t20 * p.c28;
    let t24 = select(t15, t22, t15 < t22);
    let t25 = p.c1 / t24;
    let t26 = t16 * t25;
    let t27 = t19 - t16 * t26;
    let t28 = select(t27, t23, t27 < t23);
    let t29 = p.c1 / t28;
    let t30 = s.b1_q2 * t3 + p.c2;
    let t31 = t30 - s.b1_wy * t0;
    let t32 = t21 * t26 + t31;
    let t33 = t29 * t32;
    let t34 = t21 * t25;
    let t35 = t26 * t33 + t34;
    let t36 = t8 * t35;
    let t37 = t9 * t33 - t36;
    let t38 = s.b0_amplitude_rate_0 - t35;
    let t39 = p.c0 * t38;
    let t40 = p.c0 * t11;
    let t41 = p.c26 * t37;
    let t42 = p.c27 * t35;
    let t43 = p.c2 - p.c27 * t33;
    let t44 = p.c0 * t41;
    let t45 = p.c0 * t42;
    let t46 = p.c0 * t43;
    let t47 = s.b0_vx * p.c0;
    let t48 = s.b0_vz * p.c0;
    let t49 = s.b0_amplitude_rate_0 * p.c0;
    let t50 = s.b1_q2 * s.b1_wy;
    let t51 = s.b1_q0 * s.b1_wy;
    let t52 = p.c10 * t50;
    let t53 = p.c10 * t51;
    let t54 = s.b1_vx * p.c0;
    let t55 = s.b1_vz * p.c0;
    let t56 = p.c9 * t39 + s.b0_vx;
    let t57 = p.c9 * t40 + s.b0_amplitude_rate_0;
    let t58 = s.b1_q0 - p.c9 * t52;
    let t59 = p.c9 * t53 + s.b1_q2;
    let t60 = p.c9 * t44 + s.b1_wy;
    let t61 = p.c9 * t45 + s.b1_vx;
    let t62 = p.c9 * t46 + s.b1_vz;
    let t63 = s.b0_q0 * s.b0_q0;
    let t64 = t58 * t58;
    let t65 = t59 * t59 + t64;
    let t66 = p.c29 + t65;
    let t67 = t65 * t66 + p.c27;
    let t68 = p.c27 * t65 + p.c29;
    let t69 = t65 * t68 + p.c1;
    let t70 = t67 / t69;
    let t71 = t58 * t70;
    let t72 = t59 * t70;
    let t73 = p.c12 * t60;
    let t74 = t60 * t73;
    let t75 = t72 * t74;
    let t76 = p.c14 * t75;
    let t77 = t71 * t76;
    let t78 = p.c14 * t72;
    let t79 = t72 * t78 + p.c11;
    let t80 = t71 * t78;
    let t81 = p.c12 * t79;
    let t82 = p.c12 * t80;
    let t83 = s.held_0 - t57;
    let t84 = t83 / p.c8;
    let t85 = p.c26 * t81;
    let t86 = t81 * t85;
    let t87 = p.c27 + t86;
    let t88 = p.c1 + t87;
    let t89 = t82 * t85;
    let t90 = p.c26 * t82;
    let t91 = t82 * t90;
    let t92 = p.c27 + t91;
    let t93 = p.c1 + t92;
    let t94 = t57 + t77;
    let t95 = p.c28 * t88;
    let t96 = p.c28 * t93;
    let t97 = select(t88, t95, t88 < t95);
    let t98 = p.c1 / t97;
    let t99 = t89 * t98;
    let t100 = t92 - t89 * t99;
    let t101 = select(t100, t96, t100 < t96);
    let t102 = p.c1 / t101;
    let t103 = t72 * t76 + p.c2;
    let t104 = t103 - t60 * t73;
    let t105 = t94 * t99 + t104;
    let t106 = t102 * t105;
    let t107 = t94 * t98;
    let t108 = t99 * t106 + t107;
    let t109 = t81 * t108;
    let t110 = t82 * t106 - t109;
    let t111 = t57 - t108;
    let t112 = p.c0 * t111;
    let t113 = p.c0 * t84;
    let t114 = p.c26 * t110;
    let t115 = p.c27 * t108;
    let t116 = p.c2 - p.c27 * t106;
    let t117 = p.c0 * t114;
    let t118 = p.c0 * t115;
    let t119 = p.c0 * t116;
    let t120 = p.c0 * t56;
    let t121 = p.c0 * t57;
    let t122 = t59 * t60;
    let t123 = t58 * t60;
    let t124 = p.c10 * t122;
    let t125 = p.c10 * t123;
    let t126 = p.c0 * t61;
    let t127 = p.c0 * t62;
    let t128 = p.c9 * t112 + s.b0_vx;
    let t129 = p.c9 * t113 + s.b0_amplitude_rate_0;
    let t130 = s.b1_q0 - p.c9 * t124;
    let t131 = p.c9 * t125 + s.b1_q2;
    let t132 = p.c9 * t117 + s.b1_wy;
    let t133 = p.c9 * t118 + s.b1_vx;
    let t134 = p.c9 * t119 + s.b1_vz;
    let t135 = t130 * t130;
    let t136 = t131 * t131 + t135;
    let t137 = p.c29 + t136;
    let t138 = t136 * t137 + p.c27;
    let t139 = p.c27 * t136 + p.c29;
    let t140 = t136 * t139 + p.c1;
    let t141 = t138 / t140;
    let t142 = t130 * t141;
    let t143 = t131 * t141;
    let t144 = p.c12 * t132;
    let t145 = t132 * t144;
    let t146 = t143 * t145;
    let t147 = p.c14 * t146;
    let t148 = t142 * t147;
    let t149 = p.c14 * t143;
    let t150 = t143 * t149 + p.c11;
    let t151 = t142 * t149;
    let t152 = p.c12 * t150;
    let t153 = p.c12 * t151;
    let t154 = s.held_0 - t129;
    let t155 = t154 / p.c8;
    let t156 = p.c26 * t152;
    let t157 = t152 * t156;
    let t158 = p.c27 + t157;
    let t159 = p.c1 + t158;
    let t160 = t153 * t156;
    let t161 = p.c26 * t153;
    let t162 = t153 * t161;
    let t163 = p.c27 + t162;
    let t164 = p.c1 + t163;
    let t165 = t129 + t148;
    let t166 = p.c28 * t159;
    let t167 = p.c28 * t164;
    let t168 = select(t159, t166, t159 < t166);
    let t169 = p.c1 / t168;
    let t170 = t160 * t169;
    let t171 = t163 - t160 * t170;
    let t172 = select(t171, t167, t171 < t167);
    let t173 = p.c1 / t172;
    let t174 = t143 * t147 + p.c2;
    let t175 = t174 - t132 * t144;
    let t176 = t165 * t170 + t175;
    let t177 = t173 * t176;
    let t178 = t165 * t169;
    let t179 = t170 * t177 + t178;
    let t180 = t152 * t179;
    let t181 = t153 * t177 - t180;
    let t182 = t129 - t179;
    let t183 = p.c0 * t182;
    let t184 = p.c0 * t155;
    let t185 = p.c26 * t181;
    let t186 = p.c27 * t179;
    let t187 = p.c2 - p.c27 * t177;
    let t188 = p.c0 * t185;
    let t189 = p.c0 * t186;
    let t190 = p.c0 * t187;
    let t191 = p.c0 * t128;
    let t192 = p.c0 * t129;
    let t193 = t131 * t132;
    let t194 = t130 * t132;
    let t195 = p.c10 * t193;
    let t196 = p.c10 * t194;
    let t197 = p.c0 * t133;
    let t198 = p.c0 * t134;
    let t199 = p.c14 * t120 + t47;
    let t200 = p.c14 * t48 + t48;
    let t201 = p.c14 * t112 + t39;
    let t202 = p.c14 * t121 + t49;
    let t203 = p.c14 * t113 + t40;
    let t204 = p.c14 * t124 + t52;
    let t205 = p.c14 * t125 + t53;
    let t206 = p.c14 * t117 + t44;
    let t207 = p.c14 * t126 + t54;
    let t208 = p.c14 * t127 + t55;
    let t209 = p.c14 * t118 + t45;
    let t210 = p.c14 * t119 + t46;
    let t211 = p.c14 * t191 + t199;
    let t212 = p.c14 * t48 + t200;
    let t213 = p.c14 * t183 + t201;
    let t214 = p.c14 * t192 + t202;
    let t215 = p.c14 * t184 + t203;
    let t216 = p.c14 * t195 + t204;
    let t217 = p.c14 * t196 + t205;
    let t218 = p.c14 * t188 + t206;
    let t219 = p.c14 * t197 + t207;
    let t220 = p.c14 * t198 + t208;
    let t221 = p.c14 * t189 + t209;
    let t222 = p.c14 * t190 + t210;
    let t223 = s.b0_vx + t183;
    let t224 = s.b0_amplitude_rate_0 + t184;
    let t225 = s.b1_q0 - t195;
    let t226 = s.b1_q2 + t196;
    let t227 = s.b1_wy + t188;
    let t228 = s.b1_vx + t189;
    let t229 = s.b1_vz + t190;
    let t230 = t225 * t225;
    let t231 = t226 * t226 + t230;
    let t232 = p.c29 + t231;
    let t233 = t231 * t232 + p.c27;
    let t234 = p.c27 * t231 + p.c29;
    let t235 = t231 * t234 + p.c1;
    let t236 = t233 / t235;
    let t237 = t225 * t236;
    let t238 = t226 * t236;
    let t239 = p.c12 * t227;
    let t240 = t227 * t239;
    let t241 = t238 * t240;
    let t242 = p.c14 * t241;
    let t243 = t237 * t242;
    let t244 = p.c14 * t238;
    let t245 = t238 * t244 + p.c11;
    let t246 = t237 * t244;
    let t247 = p.c12 * t245;
    let t248 = p.c12 * t246;
    let t249 = s.held_0 - t224;
    let t250 = t249 / p.c8;
    let t251 = p.c26 * t247;
    let t252 = t247 * t251;
    let t253 = p.c27 + t252;
    let t254 = p.c1 + t253;
    let t255 = t248 * t251;
    let t256 = p.c26 * t248;
    let t257 = t248 * t256;
    let t258 = p.c27 + t257;
    let t259 = p.c1 + t258;
    let t260 = t224 + t243;
    let t261 = p.c28 * t254;
    let t262 = p.c28 * t259;
    let t263 = select(t254, t261, t254 < t261);
    let t264 = p.c1 / t263;
    let t265 = t255 * t264;
    let t266 = t258 - t255 * t265;
    let t267 = select(t266, t262, t266 < t262);
    let t268 = p.c1 / t267;
    let t269 = t238 * t242 + p.c2;
    let t270 = t269 - t227 * t239;
    let t271 = t260 * t265 + t270;
    let t272 = t268 * t271;
    let t273 = t260 * t264;
    let t274 = t265 * t272 + t273;
    let t275 = t247 * t274;
    let t276 = t248 * t272 - t275;
    let t277 = t224 - t274;
    let t278 = p.c0 * t277 + t213;
    let t279 = p.c0 * t250 + t215;
    let t280 = p.c26 * t276;
    let t281 = p.c27 * t274;
    let t282 = p.c2 - p.c27 * t272;
    let t283 = p.c0 * t280 + t218;
    let t284 = p.c0 * t281 + t221;
    let t285 = p.c0 * t282 + t222;
    let t286 = p.c0 * t223 + t211;
    let t287 = s.b0_vz * p.c0 + t212;
    let t288 = p.c0 * t224 + t214;
    let t289 = t226 * t227;
    let t290 = t225 * t227;
    let t291 = p.c10 * t289 + t216;
    let t292 = p.c10 * t290 + t217;
    let t293 = p.c0 * t228 + t219;
    let t294 = p.c0 * t229 + t220;
    let t295 = p.c13 * t286 + s.b0_rx;
    let t296 = p.c13 * t287 + s.b0_rz;
    let t297 = p.c13 * t278 + s.b0_vx;
    let t298 = p.c13 * t288 + s.b0_amplitude_0;
    let t299 = p.c13 * t279 + s.b0_amplitude_rate_0;
    let t300 = s.b1_q0 - p.c13 * t291;
    let t301 = p.c13 * t292 + s.b1_q2;
    let t302 = p.c13 * t283 + s.b1_wy;
    let t303 = p.c13 * t293 + s.b1_rx;
    let t304 = p.c13 * t294 + s.b1_rz;
    let t305 = p.c13 * t284 + s.b1_vx;
    let t306 = p.c13 * t285 + s.b1_vz;
    let t307 = sqrt(t63);
    let t308 = p.c1 / t307;
    let t309 = s.b0_q0 * t308;
    let t310 = t300 * t300;
    let t311 = t301 * t301 + t310;
    let t312 = sqrt(t311);
    let t313 = p.c1 / t312;
    let t314 = t300 * t313;
    let t315 = t301 * t313;
    let t316 = s.since_sample_0 + p.c1;
    let t317 = select(p.c1, 0.0f, t316 < p.c30);
    let t318 = select(0.0f, t316, t316 < p.c30);
    let t319 = p.c14 * t315;
    let t320 = t315 * t319;
    let t321 = t314 * t319;
    let t322 = -(t321);
    let t323 = p.c1 - t320;
    let t324 = -(t323);
    let t325 = select(t323, t324, t323 < 0.0f);
    let t326 = select(t321, t322, t321 < 0.0f);
    let t327 = select(t325, t326, t326 < t325);
    let t328 = select(t326, t325, t326 < t325);
    let t329 = p.c15 * t328;
    let t330 = t327 - t328;
    let t331 = select(t327, t330, t329 < t327);
    let t332 = t327 + t328;
    let t333 = select(t328, t332, t329 < t327);
    let t334 = p.c1 + t333;
    let t335 = select(t334, t333, 0.0f < t333);
    let t336 = t331 / t335;
    let t337 = t336 * t336;
    let t338 = t336 * t337;
    let t339 = p.c16 * t337 + p.c17;
    let t340 = t337 * t339 + p.c18;
    let t341 = t337 * t340 + p.c19;
    let t342 = t337 * t341 + p.c20;
    let t343 = t338 * t342 + t336;
    let t344 = p.c21 + t343;
    let t345 = select(t343, t344, t329 < t327);
    let t346 = p.c22 - t345;
    let t347 = select(t345, t346, t325 < t326);
    let t348 = p.c23 - t347;
    let t349 = select(t347, t348, t323 < 0.0f);
    let t350 = -(t349);
    let t351 = select(t349, t350, t321 < 0.0f);
    let t352 = s.angle_1 - t351;
    let t353 = p.c25 * t352;
    let t354 = p.c9 + t353;
    let t355 = floor(t354);
    let t356 = p.c24 * t355 + t351;
    let t357 = p.c3 * t295;
    let t358 = p.c4 * t297;
    let t359 = t357 + t358;
    let t360 = p.c5 * t356;
    let t361 = p.c6 * t302;
    let t362 = t360 + t361;
    let t363 = p.c32 * t362;
    let t364 = t359 + t363;
    let t365 = -(t364);
    let t366 = select(t365, p.c31, t365 < p.c31);
    let t367 = select(t366, p.c7, p.c7 < t366);
    let t368 = select(s.held_0, t367, p.c9 < t317);
    var next: State;
    next.b0_q0 = t309;
    next.b0_rx = t295;
    next.b0_rz = t296;
    next.b0_vx = t297;
    next.b0_vz = s.b0_vz;
    next.b1_q0 = t314;
    next.b1_q2 = t315;
    next.b1_wy = t302;
    next.b1_rx = t303;
    next.b1_rz = t304;
    next.b1_vx = t305;
    next.b1_vz = t306;
    next.b0_amplitude_0 = t298;
    next.b0_amplitude_rate_0 = t299;
    next.angle_1 = t356;
    next.held_0 = t368;
    next.since_sample_0 = t318;
    return next;
}

// The method begins to carry these values (0 operations).
fn begin(instance: u32, s: State) -> State {
    var next = s;
    return next;
}

// The method carries these values after it was resynchronised (382 operations).
fn resynchronised(instance: u32, s: State) -> State {
    let t0 = s.b1_q2 * shared_values[12];
    let t1 = shared_values[14] * t0;
    let t2 = s.b1_q2 * t1;
    let t3 = s.b1_q0 * t1;
    let t4 = shared_values[12] - t2;
    let t5 = s.b1_rx + t3;
    let t6 = s.b1_rz + t4;
    let t7 = s.b0_rx - t5;
    let t8 = s.b0_rz - t6;
    let t9 = s.b1_q2 * shared_values[14];
    let t10 = s.b1_q2 * t9 + shared_values[11];
    let t11 = s.b1_q0 * t9;
    let t12 = shared_values[12] * t10;
    let t13 = shared_values[12] * t11;
    let t14 = t12 * shared_values[26];
    let t15 = t12 * t14;
    let t16 = shared_values[27] + t15;
    let t17 = shared_values[1] + t16;
    let t18 = t13 * t14;
    let t19 = t13 * shared_values[26];
    let t20 = t13 * t19;
    let t21 = shared_values[27] + t20;
    let t22 = shared_values[1] + t21;
    let t23 = s.b0_q0 * s.b0_q0;
    let t24 = t17 * shared_values[30];
    let t25 = t22 * shared_values[30];
    let t26 = shared_values[1] / t24;
    let t27 = t25 - shared_values[31];
    let t28 = t18 * t26;
    let t29 = t27 - t18 * t28;
    let t30 = shared_values[1] / t29;
    let t31 = t8 - s.b0_rz * shared_values[31];
    let t32 = t31 - t7 * t28;
    let t33 = t30 * t32;
    let t34 = t7 * t26;
    let t35 = t34 - t28 * t33;
    let t36 = s.b0_rz - t33;
    let t37 = t12 * t35;
    let t38 = t13 * t33 + t37;
    let t39 = shared_values[26] * t38;
    let t40 = shared_values[27] * t35;
    let t41 = shared_values[27] * t33;
    let t42 = shared_values[48] - shared_values[9] * t23;
    let t43 = s.b0_q0 * t42;
    let t44 = s.b0_rx - t35;
    let t45 = s.b0_rz - t30 * t32;
    let t46 = t45 - shared_values[31] * t36;
    let t47 = shared_values[9] * t39;
    let t48 = t47 * t47;
    let t49 = shared_values[33] - shared_values[32] * t48;
    let t50 = shared_values[34] - t48 * t49;
    let t51 = shared_values[35] - t48 * t50;
    let t52 = shared_values[36] - t48 * t51;
    let t53 = shared_values[37] - t48 * t52;
    let t54 = shared_values[38] - t48 * t53;
    let t55 = shared_values[39] - t48 * t54;
    let t56 = shared_values[9] - t48 * t55;
    let t57 = shared_values[1] - t48 * t56;
    let t58 = shared_values[41] - shared_values[40] * t48;
    let t59 = shared_values[42] - t48 * t58;
    let t60 = shared_values[43] - t48 * t59;
    let t61 = shared_values[44] - t48 * t60;
    let t62 = shared_values[45] - t48 * t61;
    let t63 = shared_values[46] - t48 * t62;
    let t64 = shared_values[47] - t48 * t63;
    let t65 = shared_values[13] - t48 * t64;
    let t66 = shared_values[1] - t48 * t65;
    let t67 = t47 * t66;
    let t68 = s.b1_q0 * t57;
    let t69 = s.b1_q2 * t57;
    let t70 = s.b1_q2 * t67 + t68;
    let t71 = t69 - s.b1_q0 * t67;
    let t72 = t70 * t70;
    let t73 = t71 * t71 + t72;
    let t74 = shared_values[48] - shared_values[9] * t73;
    let t75 = t70 * t74;
    let t76 = t71 * t74;
    let t77 = s.b1_rx + t40;
    let t78 = s.b1_rz + t41;
    let t79 = shared_values[12] * t76;
    let t80 = shared_values[14] * t79;
    let t81 = t76 * t80;
    let t82 = t75 * t80;
    let t83 = shared_values[12] - t81;
    let t84 = t77 + t82;
    let t85 = t78 + t83;
    let t86 = t44 - t84;
    let t87 = t46 - t85;
    let t88 = shared_values[14] * t76;
    let t89 = t76 * t88 + shared_values[11];
    let t90 = t75 * t88;
    let t91 = shared_values[12] * t89;
    let t92 = shared_values[12] * t90;
    let t93 = shared_values[26] * t91;
    let t94 = t91 * t93;
    let t95 = shared_values[27] + t94;
    let t96 = shared_values[1] + t95;
    let t97 = shared_values[30] * t96;
    let t98 = t92 * t93;
    let t99 = shared_values[26] * t92;
    let t100 = t92 * t99;
    let t101 = shared_values[27] + t100;
    let t102 = shared_values[1] + t101;
    let t103 = shared_values[30] * t102;
    let t104 = shared_values[1] / t97;
    let t105 = t103 - shared_values[31];
    let t106 = t98 * t104;
    let t107 = t105 - t98 * t106;
    let t108 = shared_values[1] / t107;
    let t109 = t87 - shared_values[31] * t46;
    let t110 = t109 - t86 * t106;
    let t111 = t108 * t110;
    let t112 = t86 * t104;
    let t113 = t112 - t106 * t111;
    let t114 = t46 - t111;
    let t115 = t91 * t113;
    let t116 = t92 * t111 + t115;
    let t117 = shared_values[26] * t116;
    let t118 = shared_values[27] * t113;
    let t119 = shared_values[27] * t111;
    let t120 = t43 * t43;
    let t121 = shared_values[48] - shared_values[9] * t120;
    let t122 = t43 * t121;
    let t123 = t44 - t113;
    let t124 = t46 - t108 * t110;
    let t125 = t124 - shared_values[31] * t114;
    let t126 = shared_values[9] * t117;
    let t127 = t126 * t126;
    let t128 = shared_values[33] - shared_values[32] * t127;
    let t129 = shared_values[34] - t127 * t128;
    let t130 = shared_values[35] - t127 * t129;
    let t131 = shared_values[36] - t127 * t130;
    let t132 = shared_values[37] - t127 * t131;
    let t133 = shared_values[38] - t127 * t132;
    let t134 = shared_values[39] - t127 * t133;
    let t135 = shared_values[9] - t127 * t134;
    let t136 = shared_values[1] - t127 * t135;
    let t137 = shared_values[41] - shared_values[40] * t127;
    let t138 = shared_values[42] - t127 * t137;
    let t139 = shared_values[43] - t127 * t138;
    let t140 = shared_values[44] - t127 * t139;
    let t141 = shared_values[45] - t127 * t140;
    let t142 = shared_values[46] - t127 * t141;
    let t143 = shared_values[47] - t127 * t142;
    let t144 = shared_values[13] - t127 * t143;
    let t145 = shared_values[1] - t127 * t144;
    let t146 = t126 * t145;
    let t147 = t75 * t136;
    let t148 = t76 * t136;
    let t149 = t76 * t146 + t147;
    let t150 = t148 - t75 * t146;
    let t151 = t149 * t149;
    let t152 = t150 * t150 + t151;
    let t153 = shared_values[48] - shared_values[9] * t152;
    let t154 = t149 * t153;
    let t155 = t150 * t153;
    let t156 = t77 + t118;
    let t157 = t78 + t119;
    let t158 = shared_values[12] * t155;
    let t159 = shared_values[14] * t158;
    let t160 = t155 * t159;
    let t161 = t154 * t159;
    let t162 = shared_values[12] - t160;
    let t163 = t156 + t161;
    let t164 = t157 + t162;
    let t165 = t123 - t163;
    let t166 = t125 - t164;
    let t167 = shared_values[14] * t155;
    let t168 = t155 * t167 + shared_values[11];
    let t169 = t154 * t167;
    let t170 = shared_values[12] * t168;
    let t171 = shared_values[12] * t169;
    let t172 = shared_values[26] * t170;
    let t173 = t170 * t172;
    let t174 = shared_values[27] + t173;
    let t175 = shared_values[1] + t174;
    let t176 = shared_values[30] * t175;
    let t177 = t171 * t172;
    let t178 = shared_values[26] * t171;
    let t179 = t171 * t178;
    let t180 = shared_values[27] + t179;
    let t181 = shared_values[1] + t180;
    let t182 = shared_values[30] * t181;
    let t183 = shared_values[1] / t176;
    let t184 = t182 - shared_values[31];
    let t185 = t177 * t183;
    let t186 = t184 - t177 * t185;
    let t187 = shared_values[1] / t186;
    let t188 = t166 - shared_values[31] * t125;
    let t189 = t188 - t165 * t185;
    let t190 = t187 * t189;
    let t191 = t165 * t183;
    let t192 = t191 - t185 * t190;
    let t193 = t125 - t190;
    let t194 = t170 * t192;
    let t195 = t171 * t190 + t194;
    let t196 = shared_values[26] * t195;
    let t197 = shared_values[27] * t192;
    let t198 = shared_values[27] * t190;
    let t199 = t122 * t122;
    let t200 = shared_values[48] - shared_values[9] * t199;
    let t201 = t122 * t200;
    let t202 = t123 - t192;
    let t203 = t125 - t187 * t189;
    let t204 = t203 - shared_values[31] * t193;
    let t205 = shared_values[9] * t196;
    let t206 = t205 * t205;
    let t207 = shared_values[33] - shared_values[32] * t206;
    let t208 = shared_values[34] - t206 * t207;
    let t209 = shared_values[35] - t206 * t208;
    let t210 = shared_values[36] - t206 * t209;
    let t211 = shared_values[37] - t206 * t210;
    let t212 = shared_values[38] - t206 * t211;
    let t213 = shared_values[39] - t206 * t212;
    let t214 = shared_values[9] - t206 * t213;
    let t215 = shared_values[1] - t206 * t214;
    let t216 = shared_values[41] - shared_values[40] * t206;
    let t217 = shared_values[42] - t206 * t216;
    let t218 = shared_values[43] - t206 * t217;
    let t219 = shared_values[44] - t206 * t218;
    let t220 = shared_values[45] - t206 * t219;
    let t221 = shared_values[46] - t206 * t220;
    let t222 = shared_values[47] - t206 * t221;
    let t223 = shared_values[13] - t206 * t222;
    let t224 = shared_values[1] - t206 * t223;
    let t225 = t205 * t224;
    let t226 = t154 * t215;
    let t227 = t155 * t215;
    let t228 = t155 * t225 + t226;
    let t229 = t227 - t154 * t225;
    let t230 = t228 * t228;
    let t231 = t229 * t229 + t230;
    let t232 = shared_values[48] - shared_values[9] * t231;
    let t233 = t228 * t232;
    let t234 = t229 * t232;
    let t235 = t156 + t197;
    let t236 = t157 + t198;
    let t237 = shared_values[14] * t234;
    let t238 = t234 * t237 + shared_values[11];
    let t239 = t233 * t237;
    let t240 = shared_values[12] * t238;
    let t241 = shared_values[12] * t239;
    let t242 = s.b1_wy * t240;
    let t243 = t242 - s.b1_vx;
    let t244 = s.b0_vx + t243;
    let t245 = s.b1_wy * t241;
    let t246 = t245 - s.b1_vz;
    let t247 = s.b0_vz + t246;
    let t248 = shared_values[26] * t240;
    let t249 = t240 * t248;
    let t250 = shared_values[27] + t249;
    let t251 = shared_values[1] + t250;
    let t252 = shared_values[30] * t251;
    let t253 = t241 * t248;
    let t254 = shared_values[26] * t241;
    let t255 = t241 * t254;
    let t256 = shared_values[27] + t255;
    let t257 = shared_values[1] + t256;
    let t258 = shared_values[30] * t257;
    let t259 = shared_values[1] / t252;
    let t260 = t258 - shared_values[31];
    let t261 = t253 * t259;
    let t262 = t260 - t253 * t261;
    let t263 = shared_values[1] / t262;
    let t264 = t247 - s.b0_vz * shared_values[31];
    let t265 = t264 - t244 * t261;
    let t266 = t263 * t265;
    let t267 = t244 * t259;
    let t268 = t267 - t261 * t266;
    let t269 = s.b0_vz - t266;
    let t270 = t240 * t268;
    let t271 = t241 * t266 + t270;
    let t272 = shared_values[26] * t271;
    let t273 = shared_values[27] * t268;
    let t274 = shared_values[27] * t266;
    let t275 = s.b0_vx - t268;
    let t276 = s.b0_vz - t263 * t265;
    let t277 = t276 - shared_values[31] * t269;
    let t278 = s.b1_wy - t272;
    let t279 = s.b1_vx + t273;
    let t280 = s.b1_vz + t274;
    var next = s;
    next.b0_q0 = t201;
    next.b0_rx = t202;
    next.b0_rz = t204;
    next.b0_vx = t275;
    next.b0_vz = t277;
    next.b1_q0 = t233;
    next.b1_q2 = t234;
    next.b1_wy = t278;
    next.b1_rx = t235;
    next.b1_rz = t236;
    next.b1_vx = t279;
    next.b1_vz = t280;
    return next;
}

// A value is judged by how large it may be; 0: however large.
struct Judged {
    value: real,
    allowed: real,
}

fn condition(instance: u32, s: State) -> Judged {
    let t0 = s.b1_q2 * shared_values[14];
    let t1 = s.b1_q0 * t0;
    let t2 = -(t1);
    let t3 = s.b1_q2 * t0;
    let t4 = shared_values[1] - t3;
    let t5 = -(t4);
    let t6 = select(t4, t5, t4 < 0.0f);
    let t7 = select(t1, t2, t1 < 0.0f);
    let t8 = select(t6, t7, t7 < t6);
    let t9 = select(t7, t6, t7 < t6);
    let t10 = t9 * shared_values[15];
    let t11 = t8 - t9;
    let t12 = select(t8, t11, t10 < t8);
    let t13 = t8 + t9;
    let t14 = select(t9, t13, t10 < t8);
    let t15 = shared_values[1] + t14;
    let t16 = select(t15, t14, 0.0f < t14);
    let t17 = t12 / t16;
    let t18 = t17 * t17;
    let t19 = t17 * t18;
    let t20 = t18 * shared_values[16] + shared_values[17];
    let t21 = t18 * t20 + shared_values[18];
    let t22 = t18 * t21 + shared_values[19];
    let t23 = t18 * t22 + shared_values[20];
    let t24 = t19 * t23 + t17;
    let t25 = t24 + shared_values[21];
    let t26 = select(t24, t25, t10 < t8);
    let t27 = shared_values[22] - t26;
    let t28 = select(t26, t27, t6 < t7);
    let t29 = shared_values[23] - t28;
    let t30 = select(t28, t29, t4 < 0.0f);
    let t31 = -(t30);
    let t32 = select(t30, t31, t1 < 0.0f);
    let t33 = s.angle_1 - t32;
    let t34 = t33 * shared_values[25];
    let t35 = shared_values[9] + t34;
    let t36 = floor(t35);
    let t37 = shared_values[24] * t36 + t32;
    let t38 = -(t37);
    let t39 = select(t37, t38, t37 < 0.0f);
    let t40 = select(0.0f, shared_values[1], shared_values[22] < t39);
    return Judged(t40, shared_values[9]);
}

fn condition_1(instance: u32, s: State) -> Judged {
    let t0 = -(s.b0_rx);
    let t1 = select(s.b0_rx, t0, s.b0_rx < 0.0f);
    let t2 = select(0.0f, shared_values[1], shared_values[14] < t1);
    return Judged(t2, shared_values[9]);
}

fn is_passed(judged: Judged) -> bool {
    return judged.allowed > real(0.0) && abs(judged.value) > judged.allowed;
}

// The verdict of the first bound that is passed, else FINISHED.
fn passed(instance: u32, s: State) -> u32 {
    if is_passed(condition(instance, s)) {
        return 9u; // condition
    }
    if is_passed(condition_1(instance, s)) {
        return 10u; // condition
    }
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
