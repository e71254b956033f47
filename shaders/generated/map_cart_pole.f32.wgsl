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
    angle_1: real,
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
    s.angle_1 = state[12u * run.stride + instance];
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
    state[12u * run.stride + instance] = s.angle_1;
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
    next.angle_1 = flushed_real(s.angle_1);
    return next;
}

fn is_finite_state(s: State) -> bool {
    return is_finite_real(s.b0_q0)
        && is_finite_real(s.b0_rx)
        && is_finite_real(s.b0_rz)
        && is_finite_real(s.b0_vx)
        && is_finite_real(s.b0_vz)
        && is_finite_real(s.b1_q0)
        && is_finite_real(s.b1_q2)
        && is_finite_real(s.b1_wy)
        && is_finite_real(s.b1_rx)
        && is_finite_real(s.b1_rz)
        && is_finite_real(s.b1_vx)
        && is_finite_real(s.b1_vz)
        && is_finite_real(s.angle_1);
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
    p.c29 = parameters[0u * run.stride + instance];
    return p;
}

// A full step takes 626 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.b1_wy * p.c10;
    let t1 = s.b1_wy * t0;
    let t2 = s.b1_q2 * t1;
    let t3 = p.c12 * t2;
    let t4 = s.b1_q0 * t3;
    let t5 = s.b1_q2 * p.c12;
    let t6 = s.b1_q2 * t5 + p.c9;
    let t7 = s.b1_q0 * t5;
    let t8 = -(t7);
    let t9 = p.c10 * t6;
    let t10 = p.c10 * t7;
    let t11 = s.b1_q2 * t5;
    let t12 = p.c1 - t11;
    let t13 = -(t12);
    let t14 = select(t12, t13, t12 < 0.0f);
    let t15 = select(t7, t8, t7 < 0.0f);
    let t16 = select(t14, t15, t15 < t14);
    let t17 = select(t15, t14, t15 < t14);
    let t18 = t17 * p.c13;
    let t19 = t16 - t17;
    let t20 = select(t16, t19, t18 < t16);
    let t21 = t16 + t17;
    let t22 = select(t17, t21, t18 < t16);
    let t23 = p.c1 + t22;
    let t24 = select(t23, t22, 0.0f < t22);
    let t25 = t20 / t24;
    let t26 = t25 * t25;
    let t27 = t25 * t26;
    let t28 = t26 * p.c14 + p.c15;
    let t29 = t26 * t28 + p.c16;
    let t30 = t26 * t29 + p.c17;
    let t31 = t26 * t30 + p.c18;
    let t32 = t27 * t31 + t25;
    let t33 = t32 + p.c19;
    let t34 = select(t32, t33, t18 < t16);
    let t35 = p.c20 - t34;
    let t36 = select(t34, t35, t14 < t15);
    let t37 = p.c21 - t36;
    let t38 = select(t36, t37, t12 < 0.0f);
    let t39 = -(t38);
    let t40 = select(t38, t39, t7 < 0.0f);
    let t41 = s.angle_1 - t40;
    let t42 = t41 * p.c23;
    let t43 = p.c7 + t42;
    let t44 = floor(t43);
    let t45 = p.c22 * t44 + t40;
    let t46 = s.b0_rx * p.c3;
    let t47 = s.b0_vx * p.c4;
    let t48 = t46 + t47;
    let t49 = p.c29 * t45;
    let t50 = t48 + t49;
    let t51 = s.b1_wy * p.c5;
    let t52 = t50 + t51;
    let t53 = -(t52);
    let t54 = select(t53, p.c24, t53 < p.c24);
    let t55 = select(t54, p.c6, p.c6 < t54);
    let t56 = t9 * p.c25;
    let t57 = t9 * t56;
    let t58 = p.c26 + t57;
    let t59 = p.c1 + t58;
    let t60 = t10 * t56;
    let t61 = t10 * p.c25;
    let t62 = t10 * t61;
    let t63 = p.c26 + t62;
    let t64 = p.c1 + t63;
    let t65 = t4 + t55;
    let t66 = t59 * p.c27;
    let t67 = t64 * p.c27;
    let t68 = select(t59, t66, t59 < t66);
    let t69 = p.c1 / t68;
    let t70 = t60 * t69;
    let t71 = t63 - t60 * t70;
    let t72 = select(t71, t67, t71 < t67);
    let t73 = p.c1 / t72;
    let t74 = s.b1_q2 * t3 + p.c2;
    let t75 = t74 - s.b1_wy * t0;
    let t76 = t65 * t70 + t75;
    let t77 = t73 * t76;
    let t78 = t65 * t69;
    let t79 = t70 * t77 + t78;
    let t80 = t9 * t79;
    let t81 = t10 * t77 - t80;
    let t82 = t55 - t79;
    let t83 = p.c0 * t82;
    let t84 = p.c25 * t81;
    let t85 = p.c26 * t79;
    let t86 = p.c2 - p.c26 * t77;
    let t87 = p.c0 * t84;
    let t88 = p.c0 * t85;
    let t89 = p.c0 * t86;
    let t90 = s.b0_vx * p.c0;
    let t91 = s.b0_vz * p.c0;
    let t92 = s.b1_q2 * s.b1_wy;
    let t93 = s.b1_q0 * s.b1_wy;
    let t94 = p.c8 * t92;
    let t95 = p.c8 * t93;
    let t96 = s.b1_vx * p.c0;
    let t97 = s.b1_vz * p.c0;
    let t98 = p.c7 * t90 + s.b0_rx;
    let t99 = p.c7 * t83 + s.b0_vx;
    let t100 = s.b1_q0 - p.c7 * t94;
    let t101 = p.c7 * t95 + s.b1_q2;
    let t102 = p.c7 * t87 + s.b1_wy;
    let t103 = p.c7 * t88 + s.b1_vx;
    let t104 = p.c7 * t89 + s.b1_vz;
    let t105 = s.b0_q0 * s.b0_q0;
    let t106 = t100 * t100;
    let t107 = t101 * t101 + t106;
    let t108 = p.c28 + t107;
    let t109 = t107 * t108 + p.c26;
    let t110 = p.c26 * t107 + p.c28;
    let t111 = t107 * t110 + p.c1;
    let t112 = t109 / t111;
    let t113 = t100 * t112;
    let t114 = t101 * t112;
    let t115 = p.c10 * t102;
    let t116 = t102 * t115;
    let t117 = t114 * t116;
    let t118 = p.c12 * t117;
    let t119 = t113 * t118;
    let t120 = p.c12 * t114;
    let t121 = t114 * t120 + p.c9;
    let t122 = t113 * t120;
    let t123 = -(t122);
    let t124 = p.c10 * t121;
    let t125 = p.c10 * t122;
    let t126 = t114 * t120;
    let t127 = p.c1 - t126;
    let t128 = -(t127);
    let t129 = select(t127, t128, t127 < 0.0f);
    let t130 = select(t122, t123, t122 < 0.0f);
    let t131 = select(t129, t130, t130 < t129);
    let t132 = select(t130, t129, t130 < t129);
    let t133 = p.c13 * t132;
    let t134 = t131 - t132;
    let t135 = select(t131, t134, t133 < t131);
    let t136 = t131 + t132;
    let t137 = select(t132, t136, t133 < t131);
    let t138 = p.c1 + t137;
    let t139 = select(t138, t137, 0.0f < t137);
    let t140 = t135 / t139;
    let t141 = t140 * t140;
    let t142 = t140 * t141;
    let t143 = p.c14 * t141 + p.c15;
    let t144 = t141 * t143 + p.c16;
    let t145 = t141 * t144 + p.c17;
    let t146 = t141 * t145 + p.c18;
    let t147 = t142 * t146 + t140;
    let t148 = p.c19 + t147;
    let t149 = select(t147, t148, t133 < t131);
    let t150 = p.c20 - t149;
    let t151 = select(t149, t150, t129 < t130);
    let t152 = p.c21 - t151;
    let t153 = select(t151, t152, t127 < 0.0f);
    let t154 = -(t153);
    let t155 = select(t153, t154, t122 < 0.0f);
    let t156 = s.angle_1 - t155;
    let t157 = p.c23 * t156;
    let t158 = p.c7 + t157;
    let t159 = floor(t158);
    let t160 = p.c22 * t159 + t155;
    let t161 = p.c3 * t98;
    let t162 = p.c4 * t99;
    let t163 = t161 + t162;
    let t164 = p.c29 * t160;
    let t165 = t163 + t164;
    let t166 = p.c5 * t102;
    let t167 = t165 + t166;
    let t168 = -(t167);
    let t169 = select(t168, p.c24, t168 < p.c24);
    let t170 = select(t169, p.c6, p.c6 < t169);
    let t171 = p.c25 * t124;
    let t172 = t124 * t171;
    let t173 = p.c26 + t172;
    let t174 = p.c1 + t173;
    let t175 = t125 * t171;
    let t176 = p.c25 * t125;
    let t177 = t125 * t176;
    let t178 = p.c26 + t177;
    let t179 = p.c1 + t178;
    let t180 = t119 + t170;
    let t181 = p.c27 * t174;
    let t182 = p.c27 * t179;
    let t183 = select(t174, t181, t174 < t181);
    let t184 = p.c1 / t183;
    let t185 = t175 * t184;
    let t186 = t178 - t175 * t185;
    let t187 = select(t186, t182, t186 < t182);
    let t188 = p.c1 / t187;
    let t189 = t114 * t118 + p.c2;
    let t190 = t189 - t102 * t115;
    let t191 = t180 * t185 + t190;
    let t192 = t188 * t191;
    let t193 = t180 * t184;
    let t194 = t185 * t192 + t193;
    let t195 = t124 * t194;
    let t196 = t125 * t192 - t195;
    let t197 = t170 - t194;
    let t198 = p.c0 * t197;
    let t199 = p.c25 * t196;
    let t200 = p.c26 * t194;
    let t201 = p.c2 - p.c26 * t192;
    let t202 = p.c0 * t199;
    let t203 = p.c0 * t200;
    let t204 = p.c0 * t201;
    let t205 = p.c0 * t99;
    let t206 = t101 * t102;
    let t207 = t100 * t102;
    let t208 = p.c8 * t206;
    let t209 = p.c8 * t207;
    let t210 = p.c0 * t103;
    let t211 = p.c0 * t104;
    let t212 = p.c7 * t205 + s.b0_rx;
    let t213 = p.c7 * t198 + s.b0_vx;
    let t214 = s.b1_q0 - p.c7 * t208;
    let t215 = p.c7 * t209 + s.b1_q2;
    let t216 = p.c7 * t202 + s.b1_wy;
    let t217 = p.c7 * t203 + s.b1_vx;
    let t218 = p.c7 * t204 + s.b1_vz;
    let t219 = t214 * t214;
    let t220 = t215 * t215 + t219;
    let t221 = p.c28 + t220;
    let t222 = t220 * t221 + p.c26;
    let t223 = p.c26 * t220 + p.c28;
    let t224 = t220 * t223 + p.c1;
    let t225 = t222 / t224;
    let t226 = t214 * t225;
    let t227 = t215 * t225;
    let t228 = p.c10 * t216;
    let t229 = t216 * t228;
    let t230 = t227 * t229;
    let t231 = p.c12 * t230;
    let t232 = t226 * t231;
    let t233 = p.c12 * t227;
    let t234 = t227 * t233 + p.c9;
    let t235 = t226 * t233;
    let t236 = -(t235);
    let t237 = p.c10 * t234;
    let t238 = p.c10 * t235;
    let t239 = t227 * t233;
    let t240 = p.c1 - t239;
    let t241 = -(t240);
    let t242 = select(t240, t241, t240 < 0.0f);
    let t243 = select(t235, t236, t235 < 0.0f);
    let t244 = select(t242, t243, t243 < t242);
    let t245 = select(t243, t242, t243 < t242);
    let t246 = p.c13 * t245;
    let t247 = t244 - t245;
    let t248 = select(t244, t247, t246 < t244);
    let t249 = t244 + t245;
    let t250 = select(t245, t249, t246 < t244);
    let t251 = p.c1 + t250;
    let t252 = select(t251, t250, 0.0f < t250);
    let t253 = t248 / t252;
    let t254 = t253 * t253;
    let t255 = t253 * t254;
    let t256 = p.c14 * t254 + p.c15;
    let t257 = t254 * t256 + p.c16;
    let t258 = t254 * t257 + p.c17;
    let t259 = t254 * t258 + p.c18;
    let t260 = t255 * t259 + t253;
    let t261 = p.c19 + t260;
    let t262 = select(t260, t261, t246 < t244);
    let t263 = p.c20 - t262;
    let t264 = select(t262, t263, t242 < t243);
    let t265 = p.c21 - t264;
    let t266 = select(t264, t265, t240 < 0.0f);
    let t267 = -(t266);
    let t268 = select(t266, t267, t235 < 0.0f);
    let t269 = s.angle_1 - t268;
    let t270 = p.c23 * t269;
    let t271 = p.c7 + t270;
    let t272 = floor(t271);
    let t273 = p.c22 * t272 + t268;
    let t274 = p.c3 * t212;
    let t275 = p.c4 * t213;
    let t276 = t274 + t275;
    let t277 = p.c29 * t273;
    let t278 = t276 + t277;
    let t279 = p.c5 * t216;
    let t280 = t278 + t279;
    let t281 = -(t280);
    let t282 = select(t281, p.c24, t281 < p.c24);
    let t283 = select(t282, p.c6, p.c6 < t282);
    let t284 = p.c25 * t237;
    let t285 = t237 * t284;
    let t286 = p.c26 + t285;
    let t287 = p.c1 + t286;
    let t288 = t238 * t284;
    let t289 = p.c25 * t238;
    let t290 = t238 * t289;
    let t291 = p.c26 + t290;
    let t292 = p.c1 + t291;
    let t293 = t232 + t283;
    let t294 = p.c27 * t287;
    let t295 = p.c27 * t292;
    let t296 = select(t287, t294, t287 < t294);
    let t297 = p.c1 / t296;
    let t298 = t288 * t297;
    let t299 = t291 - t288 * t298;
    let t300 = select(t299, t295, t299 < t295);
    let t301 = p.c1 / t300;
    let t302 = t227 * t231 + p.c2;
    let t303 = t302 - t216 * t228;
    let t304 = t293 * t298 + t303;
    let t305 = t301 * t304;
    let t306 = t293 * t297;
    let t307 = t298 * t305 + t306;
    let t308 = t237 * t307;
    let t309 = t238 * t305 - t308;
    let t310 = t283 - t307;
    let t311 = p.c0 * t310;
    let t312 = p.c25 * t309;
    let t313 = p.c26 * t307;
    let t314 = p.c2 - p.c26 * t305;
    let t315 = p.c0 * t312;
    let t316 = p.c0 * t313;
    let t317 = p.c0 * t314;
    let t318 = p.c0 * t213;
    let t319 = t215 * t216;
    let t320 = t214 * t216;
    let t321 = p.c8 * t319;
    let t322 = p.c8 * t320;
    let t323 = p.c0 * t217;
    let t324 = p.c0 * t218;
    let t325 = p.c12 * t205 + t90;
    let t326 = p.c12 * t91 + t91;
    let t327 = p.c12 * t198 + t83;
    let t328 = p.c12 * t208 + t94;
    let t329 = p.c12 * t209 + t95;
    let t330 = p.c12 * t202 + t87;
    let t331 = p.c12 * t210 + t96;
    let t332 = p.c12 * t211 + t97;
    let t333 = p.c12 * t203 + t88;
    let t334 = p.c12 * t204 + t89;
    let t335 = p.c12 * t318 + t325;
    let t336 = p.c12 * t91 + t326;
    let t337 = p.c12 * t311 + t327;
    let t338 = p.c12 * t321 + t328;
    let t339 = p.c12 * t322 + t329;
    let t340 = p.c12 * t315 + t330;
    let t341 = p.c12 * t323 + t331;
    let t342 = p.c12 * t324 + t332;
    let t343 = p.c12 * t316 + t333;
    let t344 = p.c12 * t317 + t334;
    let t345 = s.b0_rx + t318;
    let t346 = s.b0_vx + t311;
    let t347 = s.b1_q0 - t321;
    let t348 = s.b1_q2 + t322;
    let t349 = s.b1_wy + t315;
    let t350 = s.b1_vx + t316;
    let t351 = s.b1_vz + t317;
    let t352 = t347 * t347;
    let t353 = t348 * t348 + t352;
    let t354 = p.c28 + t353;
    let t355 = t353 * t354 + p.c26;
    let t356 = p.c26 * t353 + p.c28;
    let t357 = t353 * t356 + p.c1;
    let t358 = t355 / t357;
    let t359 = t347 * t358;
    let t360 = t348 * t358;
    let t361 = p.c10 * t349;
    let t362 = t349 * t361;
    let t363 = t360 * t362;
    let t364 = p.c12 * t363;
    let t365 = t359 * t364;
    let t366 = p.c12 * t360;
    let t367 = t360 * t366 + p.c9;
    let t368 = t359 * t366;
    let t369 = -(t368);
    let t370 = p.c10 * t367;
    let t371 = p.c10 * t368;
    let t372 = t360 * t366;
    let t373 = p.c1 - t372;
    let t374 = -(t373);
    let t375 = select(t373, t374, t373 < 0.0f);
    let t376 = select(t368, t369, t368 < 0.0f);
    let t377 = select(t375, t376, t376 < t375);
    let t378 = select(t376, t375, t376 < t375);
    let t379 = p.c13 * t378;
    let t380 = t377 - t378;
    let t381 = select(t377, t380, t379 < t377);
    let t382 = t377 + t378;
    let t383 = select(t378, t382, t379 < t377);
    let t384 = p.c1 + t383;
    let t385 = select(t384, t383, 0.0f < t383);
    let t386 = t381 / t385;
    let t387 = t386 * t386;
    let t388 = t386 * t387;
    let t389 = p.c14 * t387 + p.c15;
    let t390 = t387 * t389 + p.c16;
    let t391 = t387 * t390 + p.c17;
    let t392 = t387 * t391 + p.c18;
    let t393 = t388 * t392 + t386;
    let t394 = p.c19 + t393;
    let t395 = select(t393, t394, t379 < t377);
    let t396 = p.c20 - t395;
    let t397 = select(t395, t396, t375 < t376);
    let t398 = p.c21 - t397;
    let t399 = select(t397, t398, t373 < 0.0f);
    let t400 = -(t399);
    let t401 = select(t399, t400, t368 < 0.0f);
    let t402 = s.angle_1 - t401;
    let t403 = p.c23 * t402;
    let t404 = p.c7 + t403;
    let t405 = floor(t404);
    let t406 = p.c22 * t405 + t401;
    let t407 = p.c3 * t345;
    let t408 = p.c4 * t346;
    let t409 = t407 + t408;
    let t410 = p.c29 * t406;
    let t411 = t409 + t410;
    let t412 = p.c5 * t349;
    let t413 = t411 + t412;
    let t414 = -(t413);
    let t415 = select(t414, p.c24, t414 < p.c24);
    let t416 = select(t415, p.c6, p.c6 < t415);
    let t417 = p.c25 * t370;
    let t418 = t370 * t417;
    let t419 = p.c26 + t418;
    let t420 = p.c1 + t419;
    let t421 = t371 * t417;
    let t422 = p.c25 * t371;
    let t423 = t371 * t422;
    let t424 = p.c26 + t423;
    let t425 = p.c1 + t424;
    let t426 = t365 + t416;
    let t427 = p.c27 * t420;
    let t428 = p.c27 * t425;
    let t429 = select(t420, t427, t420 < t427);
    let t430 = p.c1 / t429;
    let t431 = t421 * t430;
    let t432 = t424 - t421 * t431;
    let t433 = select(t432, t428, t432 < t428);
    let t434 = p.c1 / t433;
    let t435 = t360 * t364 + p.c2;
    let t436 = t435 - t349 * t361;
    let t437 = t426 * t431 + t436;
    let t438 = t434 * t437;
    let t439 = t426 * t430;
    let t440 = t431 * t438 + t439;
    let t441 = t370 * t440;
    let t442 = t371 * t438 - t441;
    let t443 = t416 - t440;
    let t444 = p.c0 * t443 + t337;
    let t445 = p.c25 * t442;
    let t446 = p.c26 * t440;
    let t447 = p.c2 - p.c26 * t438;
    let t448 = p.c0 * t445 + t340;
    let t449 = p.c0 * t446 + t343;
    let t450 = p.c0 * t447 + t344;
    let t451 = p.c0 * t346 + t335;
    let t452 = s.b0_vz * p.c0 + t336;
    let t453 = t348 * t349;
    let t454 = t347 * t349;
    let t455 = p.c8 * t453 + t338;
    let t456 = p.c8 * t454 + t339;
    let t457 = p.c0 * t350 + t341;
    let t458 = p.c0 * t351 + t342;
    let t459 = p.c11 * t451 + s.b0_rx;
    let t460 = p.c11 * t452 + s.b0_rz;
    let t461 = p.c11 * t444 + s.b0_vx;
    let t462 = s.b1_q0 - p.c11 * t455;
    let t463 = p.c11 * t456 + s.b1_q2;
    let t464 = p.c11 * t448 + s.b1_wy;
    let t465 = p.c11 * t457 + s.b1_rx;
    let t466 = p.c11 * t458 + s.b1_rz;
    let t467 = p.c11 * t449 + s.b1_vx;
    let t468 = p.c11 * t450 + s.b1_vz;
    let t469 = sqrt(t105);
    let t470 = p.c1 / t469;
    let t471 = s.b0_q0 * t470;
    let t472 = t462 * t462;
    let t473 = t463 * t463 + t472;
    let t474 = sqrt(t473);
    let t475 = p.c1 / t474;
    let t476 = t462 * t475;
    let t477 = t463 * t475;
    let t478 = p.c12 * t477;
    let t479 = t477 * t478;
    let t480 = t476 * t478;
    let t481 = -(t480);
    let t482 = p.c1 - t479;
    let t483 = -(t482);
    let t484 = select(t482, t483, t482 < 0.0f);
    let t485 = select(t480, t481, t480 < 0.0f);
    let t486 = select(t484, t485, t485 < t484);
    let t487 = select(t485, t484, t485 < t484);
    let t488 = p.c13 * t487;
    let t489 = t486 - t487;
    let t490 = select(t486, t489, t488 < t486);
    let t491 = t486 + t487;
    let t492 = select(t487, t491, t488 < t486);
    let t493 = p.c1 + t492;
    let t494 = select(t493, t492, 0.0f < t492);
    let t495 = t490 / t494;
    let t496 = t495 * t495;
    let t497 = t495 * t496;
    let t498 = p.c14 * t496 + p.c15;
    let t499 = t496 * t498 + p.c16;
    let t500 = t496 * t499 + p.c17;
    let t501 = t496 * t500 + p.c18;
    let t502 = t497 * t501 + t495;
    let t503 = p.c19 + t502;
    let t504 = select(t502, t503, t488 < t486);
    let t505 = p.c20 - t504;
    let t506 = select(t504, t505, t484 < t485);
    let t507 = p.c21 - t506;
    let t508 = select(t506, t507, t482 < 0.0f);
    let t509 = -(t508);
    let t510 = select(t508, t509, t480 < 0.0f);
    let t511 = s.angle_1 - t510;
    let t512 = p.c23 * t511;
    let t513 = p.c7 + t512;
    let t514 = floor(t513);
    let t515 = p.c22 * t514 + t510;
    var next: State;
    next.b0_q0 = t471;
    next.b0_rx = t459;
    next.b0_rz = t460;
    next.b0_vx = t461;
    next.b0_vz = s.b0_vz;
    next.b1_q0 = t476;
    next.b1_q2 = t477;
    next.b1_wy = t464;
    next.b1_rx = t465;
    next.b1_rz = t466;
    next.b1_vx = t467;
    next.b1_vz = t468;
    next.angle_1 = t515;
    return next;
}

// The method begins to carry these values (0 operations).
fn begin(instance: u32, s: State) -> State {
    var next = s;
    return next;
}

// The method carries these values after it was resynchronised (382 operations).
fn resynchronised(instance: u32, s: State) -> State {
    let t0 = s.b1_q2 * shared_values[10];
    let t1 = shared_values[12] * t0;
    let t2 = s.b1_q2 * t1;
    let t3 = s.b1_q0 * t1;
    let t4 = shared_values[10] - t2;
    let t5 = s.b1_rx + t3;
    let t6 = s.b1_rz + t4;
    let t7 = s.b0_rx - t5;
    let t8 = s.b0_rz - t6;
    let t9 = s.b1_q2 * shared_values[12];
    let t10 = s.b1_q2 * t9 + shared_values[9];
    let t11 = s.b1_q0 * t9;
    let t12 = shared_values[10] * t10;
    let t13 = shared_values[10] * t11;
    let t14 = t12 * shared_values[25];
    let t15 = t12 * t14;
    let t16 = shared_values[26] + t15;
    let t17 = shared_values[1] + t16;
    let t18 = t13 * t14;
    let t19 = t13 * shared_values[25];
    let t20 = t13 * t19;
    let t21 = shared_values[26] + t20;
    let t22 = shared_values[1] + t21;
    let t23 = s.b0_q0 * s.b0_q0;
    let t24 = t17 * shared_values[29];
    let t25 = t22 * shared_values[29];
    let t26 = shared_values[1] / t24;
    let t27 = t25 - shared_values[30];
    let t28 = t18 * t26;
    let t29 = t27 - t18 * t28;
    let t30 = shared_values[1] / t29;
    let t31 = t8 - s.b0_rz * shared_values[30];
    let t32 = t31 - t7 * t28;
    let t33 = t30 * t32;
    let t34 = t7 * t26;
    let t35 = t34 - t28 * t33;
    let t36 = s.b0_rz - t33;
    let t37 = t12 * t35;
    let t38 = t13 * t33 + t37;
    let t39 = shared_values[25] * t38;
    let t40 = shared_values[26] * t35;
    let t41 = shared_values[26] * t33;
    let t42 = shared_values[47] - shared_values[7] * t23;
    let t43 = s.b0_q0 * t42;
    let t44 = s.b0_rx - t35;
    let t45 = s.b0_rz - t30 * t32;
    let t46 = t45 - shared_values[30] * t36;
    let t47 = shared_values[7] * t39;
    let t48 = t47 * t47;
    let t49 = shared_values[32] - shared_values[31] * t48;
    let t50 = shared_values[33] - t48 * t49;
    let t51 = shared_values[34] - t48 * t50;
    let t52 = shared_values[35] - t48 * t51;
    let t53 = shared_values[36] - t48 * t52;
    let t54 = shared_values[37] - t48 * t53;
    let t55 = shared_values[38] - t48 * t54;
    let t56 = shared_values[7] - t48 * t55;
    let t57 = shared_values[1] - t48 * t56;
    let t58 = shared_values[40] - shared_values[39] * t48;
    let t59 = shared_values[41] - t48 * t58;
    let t60 = shared_values[42] - t48 * t59;
    let t61 = shared_values[43] - t48 * t60;
    let t62 = shared_values[44] - t48 * t61;
    let t63 = shared_values[45] - t48 * t62;
    let t64 = shared_values[46] - t48 * t63;
    let t65 = shared_values[11] - t48 * t64;
    let t66 = shared_values[1] - t48 * t65;
    let t67 = t47 * t66;
    let t68 = s.b1_q0 * t57;
    let t69 = s.b1_q2 * t57;
    let t70 = s.b1_q2 * t67 + t68;
    let t71 = t69 - s.b1_q0 * t67;
    let t72 = t70 * t70;
    let t73 = t71 * t71 + t72;
    let t74 = shared_values[47] - shared_values[7] * t73;
    let t75 = t70 * t74;
    let t76 = t71 * t74;
    let t77 = s.b1_rx + t40;
    let t78 = s.b1_rz + t41;
    let t79 = shared_values[10] * t76;
    let t80 = shared_values[12] * t79;
    let t81 = t76 * t80;
    let t82 = t75 * t80;
    let t83 = shared_values[10] - t81;
    let t84 = t77 + t82;
    let t85 = t78 + t83;
    let t86 = t44 - t84;
    let t87 = t46 - t85;
    let t88 = shared_values[12] * t76;
    let t89 = t76 * t88 + shared_values[9];
    let t90 = t75 * t88;
    let t91 = shared_values[10] * t89;
    let t92 = shared_values[10] * t90;
    let t93 = shared_values[25] * t91;
    let t94 = t91 * t93;
    let t95 = shared_values[26] + t94;
    let t96 = shared_values[1] + t95;
    let t97 = shared_values[29] * t96;
    let t98 = t92 * t93;
    let t99 = shared_values[25] * t92;
    let t100 = t92 * t99;
    let t101 = shared_values[26] + t100;
    let t102 = shared_values[1] + t101;
    let t103 = shared_values[29] * t102;
    let t104 = shared_values[1] / t97;
    let t105 = t103 - shared_values[30];
    let t106 = t98 * t104;
    let t107 = t105 - t98 * t106;
    let t108 = shared_values[1] / t107;
    let t109 = t87 - shared_values[30] * t46;
    let t110 = t109 - t86 * t106;
    let t111 = t108 * t110;
    let t112 = t86 * t104;
    let t113 = t112 - t106 * t111;
    let t114 = t46 - t111;
    let t115 = t91 * t113;
    let t116 = t92 * t111 + t115;
    let t117 = shared_values[25] * t116;
    let t118 = shared_values[26] * t113;
    let t119 = shared_values[26] * t111;
    let t120 = t43 * t43;
    let t121 = shared_values[47] - shared_values[7] * t120;
    let t122 = t43 * t121;
    let t123 = t44 - t113;
    let t124 = t46 - t108 * t110;
    let t125 = t124 - shared_values[30] * t114;
    let t126 = shared_values[7] * t117;
    let t127 = t126 * t126;
    let t128 = shared_values[32] - shared_values[31] * t127;
    let t129 = shared_values[33] - t127 * t128;
    let t130 = shared_values[34] - t127 * t129;
    let t131 = shared_values[35] - t127 * t130;
    let t132 = shared_values[36] - t127 * t131;
    let t133 = shared_values[37] - t127 * t132;
    let t134 = shared_values[38] - t127 * t133;
    let t135 = shared_values[7] - t127 * t134;
    let t136 = shared_values[1] - t127 * t135;
    let t137 = shared_values[40] - shared_values[39] * t127;
    let t138 = shared_values[41] - t127 * t137;
    let t139 = shared_values[42] - t127 * t138;
    let t140 = shared_values[43] - t127 * t139;
    let t141 = shared_values[44] - t127 * t140;
    let t142 = shared_values[45] - t127 * t141;
    let t143 = shared_values[46] - t127 * t142;
    let t144 = shared_values[11] - t127 * t143;
    let t145 = shared_values[1] - t127 * t144;
    let t146 = t126 * t145;
    let t147 = t75 * t136;
    let t148 = t76 * t136;
    let t149 = t76 * t146 + t147;
    let t150 = t148 - t75 * t146;
    let t151 = t149 * t149;
    let t152 = t150 * t150 + t151;
    let t153 = shared_values[47] - shared_values[7] * t152;
    let t154 = t149 * t153;
    let t155 = t150 * t153;
    let t156 = t77 + t118;
    let t157 = t78 + t119;
    let t158 = shared_values[10] * t155;
    let t159 = shared_values[12] * t158;
    let t160 = t155 * t159;
    let t161 = t154 * t159;
    let t162 = shared_values[10] - t160;
    let t163 = t156 + t161;
    let t164 = t157 + t162;
    let t165 = t123 - t163;
    let t166 = t125 - t164;
    let t167 = shared_values[12] * t155;
    let t168 = t155 * t167 + shared_values[9];
    let t169 = t154 * t167;
    let t170 = shared_values[10] * t168;
    let t171 = shared_values[10] * t169;
    let t172 = shared_values[25] * t170;
    let t173 = t170 * t172;
    let t174 = shared_values[26] + t173;
    let t175 = shared_values[1] + t174;
    let t176 = shared_values[29] * t175;
    let t177 = t171 * t172;
    let t178 = shared_values[25] * t171;
    let t179 = t171 * t178;
    let t180 = shared_values[26] + t179;
    let t181 = shared_values[1] + t180;
    let t182 = shared_values[29] * t181;
    let t183 = shared_values[1] / t176;
    let t184 = t182 - shared_values[30];
    let t185 = t177 * t183;
    let t186 = t184 - t177 * t185;
    let t187 = shared_values[1] / t186;
    let t188 = t166 - shared_values[30] * t125;
    let t189 = t188 - t165 * t185;
    let t190 = t187 * t189;
    let t191 = t165 * t183;
    let t192 = t191 - t185 * t190;
    let t193 = t125 - t190;
    let t194 = t170 * t192;
    let t195 = t171 * t190 + t194;
    let t196 = shared_values[25] * t195;
    let t197 = shared_values[26] * t192;
    let t198 = shared_values[26] * t190;
    let t199 = t122 * t122;
    let t200 = shared_values[47] - shared_values[7] * t199;
    let t201 = t122 * t200;
    let t202 = t123 - t192;
    let t203 = t125 - t187 * t189;
    let t204 = t203 - shared_values[30] * t193;
    let t205 = shared_values[7] * t196;
    let t206 = t205 * t205;
    let t207 = shared_values[32] - shared_values[31] * t206;
    let t208 = shared_values[33] - t206 * t207;
    let t209 = shared_values[34] - t206 * t208;
    let t210 = shared_values[35] - t206 * t209;
    let t211 = shared_values[36] - t206 * t210;
    let t212 = shared_values[37] - t206 * t211;
    let t213 = shared_values[38] - t206 * t212;
    let t214 = shared_values[7] - t206 * t213;
    let t215 = shared_values[1] - t206 * t214;
    let t216 = shared_values[40] - shared_values[39] * t206;
    let t217 = shared_values[41] - t206 * t216;
    let t218 = shared_values[42] - t206 * t217;
    let t219 = shared_values[43] - t206 * t218;
    let t220 = shared_values[44] - t206 * t219;
    let t221 = shared_values[45] - t206 * t220;
    let t222 = shared_values[46] - t206 * t221;
    let t223 = shared_values[11] - t206 * t222;
    let t224 = shared_values[1] - t206 * t223;
    let t225 = t205 * t224;
    let t226 = t154 * t215;
    let t227 = t155 * t215;
    let t228 = t155 * t225 + t226;
    let t229 = t227 - t154 * t225;
    let t230 = t228 * t228;
    let t231 = t229 * t229 + t230;
    let t232 = shared_values[47] - shared_values[7] * t231;
    let t233 = t228 * t232;
    let t234 = t229 * t232;
    let t235 = t156 + t197;
    let t236 = t157 + t198;
    let t237 = shared_values[12] * t234;
    let t238 = t234 * t237 + shared_values[9];
    let t239 = t233 * t237;
    let t240 = shared_values[10] * t238;
    let t241 = shared_values[10] * t239;
    let t242 = s.b1_wy * t240;
    let t243 = t242 - s.b1_vx;
    let t244 = s.b0_vx + t243;
    let t245 = s.b1_wy * t241;
    let t246 = t245 - s.b1_vz;
    let t247 = s.b0_vz + t246;
    let t248 = shared_values[25] * t240;
    let t249 = t240 * t248;
    let t250 = shared_values[26] + t249;
    let t251 = shared_values[1] + t250;
    let t252 = shared_values[29] * t251;
    let t253 = t241 * t248;
    let t254 = shared_values[25] * t241;
    let t255 = t241 * t254;
    let t256 = shared_values[26] + t255;
    let t257 = shared_values[1] + t256;
    let t258 = shared_values[29] * t257;
    let t259 = shared_values[1] / t252;
    let t260 = t258 - shared_values[30];
    let t261 = t253 * t259;
    let t262 = t260 - t253 * t261;
    let t263 = shared_values[1] / t262;
    let t264 = t247 - s.b0_vz * shared_values[30];
    let t265 = t264 - t244 * t261;
    let t266 = t263 * t265;
    let t267 = t244 * t259;
    let t268 = t267 - t261 * t266;
    let t269 = s.b0_vz - t266;
    let t270 = t240 * t268;
    let t271 = t241 * t266 + t270;
    let t272 = shared_values[25] * t271;
    let t273 = shared_values[26] * t268;
    let t274 = shared_values[26] * t266;
    let t275 = s.b0_vx - t268;
    let t276 = s.b0_vz - t263 * t265;
    let t277 = t276 - shared_values[30] * t269;
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
    let t0 = s.b1_q2 * shared_values[12];
    let t1 = s.b1_q0 * t0;
    let t2 = -(t1);
    let t3 = s.b1_q2 * t0;
    let t4 = shared_values[1] - t3;
    let t5 = -(t4);
    let t6 = select(t4, t5, t4 < 0.0f);
    let t7 = select(t1, t2, t1 < 0.0f);
    let t8 = select(t6, t7, t7 < t6);
    let t9 = select(t7, t6, t7 < t6);
    let t10 = t9 * shared_values[13];
    let t11 = t8 - t9;
    let t12 = select(t8, t11, t10 < t8);
    let t13 = t8 + t9;
    let t14 = select(t9, t13, t10 < t8);
    let t15 = shared_values[1] + t14;
    let t16 = select(t15, t14, 0.0f < t14);
    let t17 = t12 / t16;
    let t18 = t17 * t17;
    let t19 = t17 * t18;
    let t20 = t18 * shared_values[14] + shared_values[15];
    let t21 = t18 * t20 + shared_values[16];
    let t22 = t18 * t21 + shared_values[17];
    let t23 = t18 * t22 + shared_values[18];
    let t24 = t19 * t23 + t17;
    let t25 = t24 + shared_values[19];
    let t26 = select(t24, t25, t10 < t8);
    let t27 = shared_values[20] - t26;
    let t28 = select(t26, t27, t6 < t7);
    let t29 = shared_values[21] - t28;
    let t30 = select(t28, t29, t4 < 0.0f);
    let t31 = -(t30);
    let t32 = select(t30, t31, t1 < 0.0f);
    let t33 = s.angle_1 - t32;
    let t34 = t33 * shared_values[23];
    let t35 = shared_values[7] + t34;
    let t36 = floor(t35);
    let t37 = shared_values[22] * t36 + t32;
    let t38 = -(t37);
    let t39 = select(t37, t38, t37 < 0.0f);
    let t40 = select(0.0f, shared_values[1], shared_values[20] < t39);
    return Judged(t40, shared_values[7]);
}

fn is_passed(judged: Judged) -> bool {
    return judged.allowed > real(0.0) && abs(judged.value) > judged.allowed;
}

// The verdict of the first bound that is passed, else FINISHED.
fn passed(instance: u32, s: State) -> u32 {
    if is_passed(condition(instance, s)) {
        return 9u; // condition
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
