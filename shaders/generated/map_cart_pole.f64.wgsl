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
const NORM_BOUND_VALUE: real = 0.0lf;

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
    c33: real,
    c34: real,
    c35: real,
    c36: real,
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
    p.c30 = shared_values[30];
    p.c31 = shared_values[31];
    p.c32 = shared_values[32];
    p.c33 = shared_values[33];
    p.c34 = shared_values[34];
    p.c35 = shared_values[35];
    p.c36 = parameters[0u * run.stride + instance];
    return p;
}

// A full step takes 696 operations, a multiply-add counted as two.
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
    let t14 = select(t12, t13, t12 < 0.0lf);
    let t15 = select(t7, t8, t7 < 0.0lf);
    let t16 = select(t14, t15, t15 < t14);
    let t17 = select(t15, t14, t15 < t14);
    let t18 = t17 * p.c13;
    let t19 = t16 - t17;
    let t20 = select(t16, t19, t18 < t16);
    let t21 = t16 + t17;
    let t22 = select(t17, t21, t18 < t16);
    let t23 = p.c1 + t22;
    let t24 = select(t23, t22, 0.0lf < t22);
    let t25 = t20 / t24;
    let t26 = t25 * t25;
    let t27 = t25 * t26;
    let t28 = t26 * p.c14 + p.c15;
    let t29 = t26 * t28 + p.c16;
    let t30 = t26 * t29 + p.c17;
    let t31 = t26 * t30 + p.c18;
    let t32 = t26 * t31 + p.c19;
    let t33 = t26 * t32 + p.c20;
    let t34 = t26 * t33 + p.c21;
    let t35 = t26 * t34 + p.c22;
    let t36 = t26 * t35 + p.c23;
    let t37 = t26 * t36 + p.c24;
    let t38 = t26 * t37 + p.c25;
    let t39 = t27 * t38 + t25;
    let t40 = t39 + p.c26;
    let t41 = select(t39, t40, t18 < t16);
    let t42 = p.c27 - t41;
    let t43 = select(t41, t42, t14 < t15);
    let t44 = p.c28 - t43;
    let t45 = select(t43, t44, t12 < 0.0lf);
    let t46 = -(t45);
    let t47 = select(t45, t46, t7 < 0.0lf);
    let t48 = s.angle_1 - t47;
    let t49 = t48 * p.c30;
    let t50 = p.c7 + t49;
    let t51 = floor(t50);
    let t52 = p.c29 * t51 + t47;
    let t53 = s.b0_rx * p.c3;
    let t54 = s.b0_vx * p.c4;
    let t55 = t53 + t54;
    let t56 = p.c36 * t52;
    let t57 = t55 + t56;
    let t58 = s.b1_wy * p.c5;
    let t59 = t57 + t58;
    let t60 = -(t59);
    let t61 = select(t60, p.c31, t60 < p.c31);
    let t62 = select(t61, p.c6, p.c6 < t61);
    let t63 = t9 * p.c32;
    let t64 = t9 * t63;
    let t65 = p.c33 + t64;
    let t66 = p.c1 + t65;
    let t67 = t10 * t63;
    let t68 = t10 * p.c32;
    let t69 = t10 * t68;
    let t70 = p.c33 + t69;
    let t71 = p.c1 + t70;
    let t72 = t4 + t62;
    let t73 = t66 * p.c34;
    let t74 = t71 * p.c34;
    let t75 = select(t66, t73, t66 < t73);
    let t76 = p.c1 / t75;
    let t77 = t67 * t76;
    let t78 = t70 - t67 * t77;
    let t79 = select(t78, t74, t78 < t74);
    let t80 = p.c1 / t79;
    let t81 = s.b1_q2 * t3 + p.c2;
    let t82 = t81 - s.b1_wy * t0;
    let t83 = t72 * t77 + t82;
    let t84 = t80 * t83;
    let t85 = t72 * t76;
    let t86 = t77 * t84 + t85;
    let t87 = t9 * t86;
    let t88 = t10 * t84 - t87;
    let t89 = t62 - t86;
    let t90 = p.c0 * t89;
    let t91 = p.c32 * t88;
    let t92 = p.c33 * t86;
    let t93 = p.c2 - p.c33 * t84;
    let t94 = p.c0 * t91;
    let t95 = p.c0 * t92;
    let t96 = p.c0 * t93;
    let t97 = s.b0_vx * p.c0;
    let t98 = s.b0_vz * p.c0;
    let t99 = s.b1_q2 * s.b1_wy;
    let t100 = s.b1_q0 * s.b1_wy;
    let t101 = p.c8 * t99;
    let t102 = p.c8 * t100;
    let t103 = s.b1_vx * p.c0;
    let t104 = s.b1_vz * p.c0;
    let t105 = p.c7 * t97 + s.b0_rx;
    let t106 = p.c7 * t90 + s.b0_vx;
    let t107 = s.b1_q0 - p.c7 * t101;
    let t108 = p.c7 * t102 + s.b1_q2;
    let t109 = p.c7 * t94 + s.b1_wy;
    let t110 = p.c7 * t95 + s.b1_vx;
    let t111 = p.c7 * t96 + s.b1_vz;
    let t112 = s.b0_q0 * s.b0_q0;
    let t113 = t107 * t107;
    let t114 = t108 * t108 + t113;
    let t115 = p.c35 + t114;
    let t116 = t114 * t115 + p.c33;
    let t117 = p.c33 * t114 + p.c35;
    let t118 = t114 * t117 + p.c1;
    let t119 = t116 / t118;
    let t120 = t107 * t119;
    let t121 = t108 * t119;
    let t122 = p.c10 * t109;
    let t123 = t109 * t122;
    let t124 = t121 * t123;
    let t125 = p.c12 * t124;
    let t126 = t120 * t125;
    let t127 = p.c12 * t121;
    let t128 = t121 * t127 + p.c9;
    let t129 = t120 * t127;
    let t130 = -(t129);
    let t131 = p.c10 * t128;
    let t132 = p.c10 * t129;
    let t133 = t121 * t127;
    let t134 = p.c1 - t133;
    let t135 = -(t134);
    let t136 = select(t134, t135, t134 < 0.0lf);
    let t137 = select(t129, t130, t129 < 0.0lf);
    let t138 = select(t136, t137, t137 < t136);
    let t139 = select(t137, t136, t137 < t136);
    let t140 = p.c13 * t139;
    let t141 = t138 - t139;
    let t142 = select(t138, t141, t140 < t138);
    let t143 = t138 + t139;
    let t144 = select(t139, t143, t140 < t138);
    let t145 = p.c1 + t144;
    let t146 = select(t145, t144, 0.0lf < t144);
    let t147 = t142 / t146;
    let t148 = t147 * t147;
    let t149 = t147 * t148;
    let t150 = p.c14 * t148 + p.c15;
    let t151 = t148 * t150 + p.c16;
    let t152 = t148 * t151 + p.c17;
    let t153 = t148 * t152 + p.c18;
    let t154 = t148 * t153 + p.c19;
    let t155 = t148 * t154 + p.c20;
    let t156 = t148 * t155 + p.c21;
    let t157 = t148 * t156 + p.c22;
    let t158 = t148 * t157 + p.c23;
    let t159 = t148 * t158 + p.c24;
    let t160 = t148 * t159 + p.c25;
    let t161 = t149 * t160 + t147;
    let t162 = p.c26 + t161;
    let t163 = select(t161, t162, t140 < t138);
    let t164 = p.c27 - t163;
    let t165 = select(t163, t164, t136 < t137);
    let t166 = p.c28 - t165;
    let t167 = select(t165, t166, t134 < 0.0lf);
    let t168 = -(t167);
    let t169 = select(t167, t168, t129 < 0.0lf);
    let t170 = s.angle_1 - t169;
    let t171 = p.c30 * t170;
    let t172 = p.c7 + t171;
    let t173 = floor(t172);
    let t174 = p.c29 * t173 + t169;
    let t175 = p.c3 * t105;
    let t176 = p.c4 * t106;
    let t177 = t175 + t176;
    let t178 = p.c36 * t174;
    let t179 = t177 + t178;
    let t180 = p.c5 * t109;
    let t181 = t179 + t180;
    let t182 = -(t181);
    let t183 = select(t182, p.c31, t182 < p.c31);
    let t184 = select(t183, p.c6, p.c6 < t183);
    let t185 = p.c32 * t131;
    let t186 = t131 * t185;
    let t187 = p.c33 + t186;
    let t188 = p.c1 + t187;
    let t189 = t132 * t185;
    let t190 = p.c32 * t132;
    let t191 = t132 * t190;
    let t192 = p.c33 + t191;
    let t193 = p.c1 + t192;
    let t194 = t126 + t184;
    let t195 = p.c34 * t188;
    let t196 = p.c34 * t193;
    let t197 = select(t188, t195, t188 < t195);
    let t198 = p.c1 / t197;
    let t199 = t189 * t198;
    let t200 = t192 - t189 * t199;
    let t201 = select(t200, t196, t200 < t196);
    let t202 = p.c1 / t201;
    let t203 = t121 * t125 + p.c2;
    let t204 = t203 - t109 * t122;
    let t205 = t194 * t199 + t204;
    let t206 = t202 * t205;
    let t207 = t194 * t198;
    let t208 = t199 * t206 + t207;
    let t209 = t131 * t208;
    let t210 = t132 * t206 - t209;
    let t211 = t184 - t208;
    let t212 = p.c0 * t211;
    let t213 = p.c32 * t210;
    let t214 = p.c33 * t208;
    let t215 = p.c2 - p.c33 * t206;
    let t216 = p.c0 * t213;
    let t217 = p.c0 * t214;
    let t218 = p.c0 * t215;
    let t219 = p.c0 * t106;
    let t220 = t108 * t109;
    let t221 = t107 * t109;
    let t222 = p.c8 * t220;
    let t223 = p.c8 * t221;
    let t224 = p.c0 * t110;
    let t225 = p.c0 * t111;
    let t226 = p.c7 * t219 + s.b0_rx;
    let t227 = p.c7 * t212 + s.b0_vx;
    let t228 = s.b1_q0 - p.c7 * t222;
    let t229 = p.c7 * t223 + s.b1_q2;
    let t230 = p.c7 * t216 + s.b1_wy;
    let t231 = p.c7 * t217 + s.b1_vx;
    let t232 = p.c7 * t218 + s.b1_vz;
    let t233 = t228 * t228;
    let t234 = t229 * t229 + t233;
    let t235 = p.c35 + t234;
    let t236 = t234 * t235 + p.c33;
    let t237 = p.c33 * t234 + p.c35;
    let t238 = t234 * t237 + p.c1;
    let t239 = t236 / t238;
    let t240 = t228 * t239;
    let t241 = t229 * t239;
    let t242 = p.c10 * t230;
    let t243 = t230 * t242;
    let t244 = t241 * t243;
    let t245 = p.c12 * t244;
    let t246 = t240 * t245;
    let t247 = p.c12 * t241;
    let t248 = t241 * t247 + p.c9;
    let t249 = t240 * t247;
    let t250 = -(t249);
    let t251 = p.c10 * t248;
    let t252 = p.c10 * t249;
    let t253 = t241 * t247;
    let t254 = p.c1 - t253;
    let t255 = -(t254);
    let t256 = select(t254, t255, t254 < 0.0lf);
    let t257 = select(t249, t250, t249 < 0.0lf);
    let t258 = select(t256, t257, t257 < t256);
    let t259 = select(t257, t256, t257 < t256);
    let t260 = p.c13 * t259;
    let t261 = t258 - t259;
    let t262 = select(t258, t261, t260 < t258);
    let t263 = t258 + t259;
    let t264 = select(t259, t263, t260 < t258);
    let t265 = p.c1 + t264;
    let t266 = select(t265, t264, 0.0lf < t264);
    let t267 = t262 / t266;
    let t268 = t267 * t267;
    let t269 = t267 * t268;
    let t270 = p.c14 * t268 + p.c15;
    let t271 = t268 * t270 + p.c16;
    let t272 = t268 * t271 + p.c17;
    let t273 = t268 * t272 + p.c18;
    let t274 = t268 * t273 + p.c19;
    let t275 = t268 * t274 + p.c20;
    let t276 = t268 * t275 + p.c21;
    let t277 = t268 * t276 + p.c22;
    let t278 = t268 * t277 + p.c23;
    let t279 = t268 * t278 + p.c24;
    let t280 = t268 * t279 + p.c25;
    let t281 = t269 * t280 + t267;
    let t282 = p.c26 + t281;
    let t283 = select(t281, t282, t260 < t258);
    let t284 = p.c27 - t283;
    let t285 = select(t283, t284, t256 < t257);
    let t286 = p.c28 - t285;
    let t287 = select(t285, t286, t254 < 0.0lf);
    let t288 = -(t287);
    let t289 = select(t287, t288, t249 < 0.0lf);
    let t290 = s.angle_1 - t289;
    let t291 = p.c30 * t290;
    let t292 = p.c7 + t291;
    let t293 = floor(t292);
    let t294 = p.c29 * t293 + t289;
    let t295 = p.c3 * t226;
    let t296 = p.c4 * t227;
    let t297 = t295 + t296;
    let t298 = p.c36 * t294;
    let t299 = t297 + t298;
    let t300 = p.c5 * t230;
    let t301 = t299 + t300;
    let t302 = -(t301);
    let t303 = select(t302, p.c31, t302 < p.c31);
    let t304 = select(t303, p.c6, p.c6 < t303);
    let t305 = p.c32 * t251;
    let t306 = t251 * t305;
    let t307 = p.c33 + t306;
    let t308 = p.c1 + t307;
    let t309 = t252 * t305;
    let t310 = p.c32 * t252;
    let t311 = t252 * t310;
    let t312 = p.c33 + t311;
    let t313 = p.c1 + t312;
    let t314 = t246 + t304;
    let t315 = p.c34 * t308;
    let t316 = p.c34 * t313;
    let t317 = select(t308, t315, t308 < t315);
    let t318 = p.c1 / t317;
    let t319 = t309 * t318;
    let t320 = t312 - t309 * t319;
    let t321 = select(t320, t316, t320 < t316);
    let t322 = p.c1 / t321;
    let t323 = t241 * t245 + p.c2;
    let t324 = t323 - t230 * t242;
    let t325 = t314 * t319 + t324;
    let t326 = t322 * t325;
    let t327 = t314 * t318;
    let t328 = t319 * t326 + t327;
    let t329 = t251 * t328;
    let t330 = t252 * t326 - t329;
    let t331 = t304 - t328;
    let t332 = p.c0 * t331;
    let t333 = p.c32 * t330;
    let t334 = p.c33 * t328;
    let t335 = p.c2 - p.c33 * t326;
    let t336 = p.c0 * t333;
    let t337 = p.c0 * t334;
    let t338 = p.c0 * t335;
    let t339 = p.c0 * t227;
    let t340 = t229 * t230;
    let t341 = t228 * t230;
    let t342 = p.c8 * t340;
    let t343 = p.c8 * t341;
    let t344 = p.c0 * t231;
    let t345 = p.c0 * t232;
    let t346 = p.c12 * t219 + t97;
    let t347 = p.c12 * t98 + t98;
    let t348 = p.c12 * t212 + t90;
    let t349 = p.c12 * t222 + t101;
    let t350 = p.c12 * t223 + t102;
    let t351 = p.c12 * t216 + t94;
    let t352 = p.c12 * t224 + t103;
    let t353 = p.c12 * t225 + t104;
    let t354 = p.c12 * t217 + t95;
    let t355 = p.c12 * t218 + t96;
    let t356 = p.c12 * t339 + t346;
    let t357 = p.c12 * t98 + t347;
    let t358 = p.c12 * t332 + t348;
    let t359 = p.c12 * t342 + t349;
    let t360 = p.c12 * t343 + t350;
    let t361 = p.c12 * t336 + t351;
    let t362 = p.c12 * t344 + t352;
    let t363 = p.c12 * t345 + t353;
    let t364 = p.c12 * t337 + t354;
    let t365 = p.c12 * t338 + t355;
    let t366 = s.b0_rx + t339;
    let t367 = s.b0_vx + t332;
    let t368 = s.b1_q0 - t342;
    let t369 = s.b1_q2 + t343;
    let t370 = s.b1_wy + t336;
    let t371 = s.b1_vx + t337;
    let t372 = s.b1_vz + t338;
    let t373 = t368 * t368;
    let t374 = t369 * t369 + t373;
    let t375 = p.c35 + t374;
    let t376 = t374 * t375 + p.c33;
    let t377 = p.c33 * t374 + p.c35;
    let t378 = t374 * t377 + p.c1;
    let t379 = t376 / t378;
    let t380 = t368 * t379;
    let t381 = t369 * t379;
    let t382 = p.c10 * t370;
    let t383 = t370 * t382;
    let t384 = t381 * t383;
    let t385 = p.c12 * t384;
    let t386 = t380 * t385;
    let t387 = p.c12 * t381;
    let t388 = t381 * t387 + p.c9;
    let t389 = t380 * t387;
    let t390 = -(t389);
    let t391 = p.c10 * t388;
    let t392 = p.c10 * t389;
    let t393 = t381 * t387;
    let t394 = p.c1 - t393;
    let t395 = -(t394);
    let t396 = select(t394, t395, t394 < 0.0lf);
    let t397 = select(t389, t390, t389 < 0.0lf);
    let t398 = select(t396, t397, t397 < t396);
    let t399 = select(t397, t396, t397 < t396);
    let t400 = p.c13 * t399;
    let t401 = t398 - t399;
    let t402 = select(t398, t401, t400 < t398);
    let t403 = t398 + t399;
    let t404 = select(t399, t403, t400 < t398);
    let t405 = p.c1 + t404;
    let t406 = select(t405, t404, 0.0lf < t404);
    let t407 = t402 / t406;
    let t408 = t407 * t407;
    let t409 = t407 * t408;
    let t410 = p.c14 * t408 + p.c15;
    let t411 = t408 * t410 + p.c16;
    let t412 = t408 * t411 + p.c17;
    let t413 = t408 * t412 + p.c18;
    let t414 = t408 * t413 + p.c19;
    let t415 = t408 * t414 + p.c20;
    let t416 = t408 * t415 + p.c21;
    let t417 = t408 * t416 + p.c22;
    let t418 = t408 * t417 + p.c23;
    let t419 = t408 * t418 + p.c24;
    let t420 = t408 * t419 + p.c25;
    let t421 = t409 * t420 + t407;
    let t422 = p.c26 + t421;
    let t423 = select(t421, t422, t400 < t398);
    let t424 = p.c27 - t423;
    let t425 = select(t423, t424, t396 < t397);
    let t426 = p.c28 - t425;
    let t427 = select(t425, t426, t394 < 0.0lf);
    let t428 = -(t427);
    let t429 = select(t427, t428, t389 < 0.0lf);
    let t430 = s.angle_1 - t429;
    let t431 = p.c30 * t430;
    let t432 = p.c7 + t431;
    let t433 = floor(t432);
    let t434 = p.c29 * t433 + t429;
    let t435 = p.c3 * t366;
    let t436 = p.c4 * t367;
    let t437 = t435 + t436;
    let t438 = p.c36 * t434;
    let t439 = t437 + t438;
    let t440 = p.c5 * t370;
    let t441 = t439 + t440;
    let t442 = -(t441);
    let t443 = select(t442, p.c31, t442 < p.c31);
    let t444 = select(t443, p.c6, p.c6 < t443);
    let t445 = p.c32 * t391;
    let t446 = t391 * t445;
    let t447 = p.c33 + t446;
    let t448 = p.c1 + t447;
    let t449 = t392 * t445;
    let t450 = p.c32 * t392;
    let t451 = t392 * t450;
    let t452 = p.c33 + t451;
    let t453 = p.c1 + t452;
    let t454 = t386 + t444;
    let t455 = p.c34 * t448;
    let t456 = p.c34 * t453;
    let t457 = select(t448, t455, t448 < t455);
    let t458 = p.c1 / t457;
    let t459 = t449 * t458;
    let t460 = t452 - t449 * t459;
    let t461 = select(t460, t456, t460 < t456);
    let t462 = p.c1 / t461;
    let t463 = t381 * t385 + p.c2;
    let t464 = t463 - t370 * t382;
    let t465 = t454 * t459 + t464;
    let t466 = t462 * t465;
    let t467 = t454 * t458;
    let t468 = t459 * t466 + t467;
    let t469 = t391 * t468;
    let t470 = t392 * t466 - t469;
    let t471 = t444 - t468;
    let t472 = p.c0 * t471 + t358;
    let t473 = p.c32 * t470;
    let t474 = p.c33 * t468;
    let t475 = p.c2 - p.c33 * t466;
    let t476 = p.c0 * t473 + t361;
    let t477 = p.c0 * t474 + t364;
    let t478 = p.c0 * t475 + t365;
    let t479 = p.c0 * t367 + t356;
    let t480 = s.b0_vz * p.c0 + t357;
    let t481 = t369 * t370;
    let t482 = t368 * t370;
    let t483 = p.c8 * t481 + t359;
    let t484 = p.c8 * t482 + t360;
    let t485 = p.c0 * t371 + t362;
    let t486 = p.c0 * t372 + t363;
    let t487 = p.c11 * t479 + s.b0_rx;
    let t488 = p.c11 * t480 + s.b0_rz;
    let t489 = p.c11 * t472 + s.b0_vx;
    let t490 = s.b1_q0 - p.c11 * t483;
    let t491 = p.c11 * t484 + s.b1_q2;
    let t492 = p.c11 * t476 + s.b1_wy;
    let t493 = p.c11 * t485 + s.b1_rx;
    let t494 = p.c11 * t486 + s.b1_rz;
    let t495 = p.c11 * t477 + s.b1_vx;
    let t496 = p.c11 * t478 + s.b1_vz;
    let t497 = sqrt(t112);
    let t498 = p.c1 / t497;
    let t499 = s.b0_q0 * t498;
    let t500 = t490 * t490;
    let t501 = t491 * t491 + t500;
    let t502 = sqrt(t501);
    let t503 = p.c1 / t502;
    let t504 = t490 * t503;
    let t505 = t491 * t503;
    let t506 = p.c12 * t505;
    let t507 = t505 * t506;
    let t508 = t504 * t506;
    let t509 = -(t508);
    let t510 = p.c1 - t507;
    let t511 = -(t510);
    let t512 = select(t510, t511, t510 < 0.0lf);
    let t513 = select(t508, t509, t508 < 0.0lf);
    let t514 = select(t512, t513, t513 < t512);
    let t515 = select(t513, t512, t513 < t512);
    let t516 = p.c13 * t515;
    let t517 = t514 - t515;
    let t518 = select(t514, t517, t516 < t514);
    let t519 = t514 + t515;
    let t520 = select(t515, t519, t516 < t514);
    let t521 = p.c1 + t520;
    let t522 = select(t521, t520, 0.0lf < t520);
    let t523 = t518 / t522;
    let t524 = t523 * t523;
    let t525 = t523 * t524;
    let t526 = p.c14 * t524 + p.c15;
    let t527 = t524 * t526 + p.c16;
    let t528 = t524 * t527 + p.c17;
    let t529 = t524 * t528 + p.c18;
    let t530 = t524 * t529 + p.c19;
    let t531 = t524 * t530 + p.c20;
    let t532 = t524 * t531 + p.c21;
    let t533 = t524 * t532 + p.c22;
    let t534 = t524 * t533 + p.c23;
    let t535 = t524 * t534 + p.c24;
    let t536 = t524 * t535 + p.c25;
    let t537 = t525 * t536 + t523;
    let t538 = p.c26 + t537;
    let t539 = select(t537, t538, t516 < t514);
    let t540 = p.c27 - t539;
    let t541 = select(t539, t540, t512 < t513);
    let t542 = p.c28 - t541;
    let t543 = select(t541, t542, t510 < 0.0lf);
    let t544 = -(t543);
    let t545 = select(t543, t544, t508 < 0.0lf);
    let t546 = s.angle_1 - t545;
    let t547 = p.c30 * t546;
    let t548 = p.c7 + t547;
    let t549 = floor(t548);
    let t550 = p.c29 * t549 + t545;
    var next: State;
    next.b0_q0 = t499;
    next.b0_rx = t487;
    next.b0_rz = t488;
    next.b0_vx = t489;
    next.b0_vz = s.b0_vz;
    next.b1_q0 = t504;
    next.b1_q2 = t505;
    next.b1_wy = t492;
    next.b1_rx = t493;
    next.b1_rz = t494;
    next.b1_vx = t495;
    next.b1_vz = t496;
    next.angle_1 = t550;
    return next;
}

// The method begins to carry these values (0 operations).
fn begin(instance: u32, s: State) -> State {
    var next = s;
    return next;
}

// The method carries these values after it was resynchronised (442 operations).
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
    let t14 = t12 * shared_values[32];
    let t15 = t12 * t14;
    let t16 = shared_values[33] + t15;
    let t17 = shared_values[1] + t16;
    let t18 = t13 * t14;
    let t19 = t13 * shared_values[32];
    let t20 = t13 * t19;
    let t21 = shared_values[33] + t20;
    let t22 = shared_values[1] + t21;
    let t23 = s.b0_q0 * s.b0_q0;
    let t24 = t17 * shared_values[36];
    let t25 = t22 * shared_values[36];
    let t26 = shared_values[1] / t24;
    let t27 = t25 - shared_values[37];
    let t28 = t18 * t26;
    let t29 = t27 - t18 * t28;
    let t30 = shared_values[1] / t29;
    let t31 = t8 - s.b0_rz * shared_values[37];
    let t32 = t31 - t7 * t28;
    let t33 = t30 * t32;
    let t34 = t7 * t26;
    let t35 = t34 - t28 * t33;
    let t36 = s.b0_rz - t33;
    let t37 = t12 * t35;
    let t38 = t13 * t33 + t37;
    let t39 = shared_values[32] * t38;
    let t40 = shared_values[33] * t35;
    let t41 = shared_values[33] * t33;
    let t42 = shared_values[64] - shared_values[7] * t23;
    let t43 = s.b0_q0 * t42;
    let t44 = s.b0_rx - t35;
    let t45 = s.b0_rz - t30 * t32;
    let t46 = t45 - shared_values[37] * t36;
    let t47 = shared_values[7] * t39;
    let t48 = t47 * t47;
    let t49 = shared_values[39] - shared_values[38] * t48;
    let t50 = shared_values[40] - t48 * t49;
    let t51 = shared_values[41] - t48 * t50;
    let t52 = shared_values[42] - t48 * t51;
    let t53 = shared_values[43] - t48 * t52;
    let t54 = shared_values[44] - t48 * t53;
    let t55 = shared_values[45] - t48 * t54;
    let t56 = shared_values[46] - t48 * t55;
    let t57 = shared_values[47] - t48 * t56;
    let t58 = shared_values[48] - t48 * t57;
    let t59 = shared_values[49] - t48 * t58;
    let t60 = shared_values[50] - t48 * t59;
    let t61 = shared_values[7] - t48 * t60;
    let t62 = shared_values[1] - t48 * t61;
    let t63 = shared_values[52] - shared_values[51] * t48;
    let t64 = shared_values[53] - t48 * t63;
    let t65 = shared_values[54] - t48 * t64;
    let t66 = shared_values[55] - t48 * t65;
    let t67 = shared_values[56] - t48 * t66;
    let t68 = shared_values[57] - t48 * t67;
    let t69 = shared_values[58] - t48 * t68;
    let t70 = shared_values[59] - t48 * t69;
    let t71 = shared_values[60] - t48 * t70;
    let t72 = shared_values[61] - t48 * t71;
    let t73 = shared_values[62] - t48 * t72;
    let t74 = shared_values[63] - t48 * t73;
    let t75 = shared_values[11] - t48 * t74;
    let t76 = shared_values[1] - t48 * t75;
    let t77 = t47 * t76;
    let t78 = s.b1_q0 * t62;
    let t79 = s.b1_q2 * t62;
    let t80 = s.b1_q2 * t77 + t78;
    let t81 = t79 - s.b1_q0 * t77;
    let t82 = t80 * t80;
    let t83 = t81 * t81 + t82;
    let t84 = shared_values[64] - shared_values[7] * t83;
    let t85 = t80 * t84;
    let t86 = t81 * t84;
    let t87 = s.b1_rx + t40;
    let t88 = s.b1_rz + t41;
    let t89 = shared_values[10] * t86;
    let t90 = shared_values[12] * t89;
    let t91 = t86 * t90;
    let t92 = t85 * t90;
    let t93 = shared_values[10] - t91;
    let t94 = t87 + t92;
    let t95 = t88 + t93;
    let t96 = t44 - t94;
    let t97 = t46 - t95;
    let t98 = shared_values[12] * t86;
    let t99 = t86 * t98 + shared_values[9];
    let t100 = t85 * t98;
    let t101 = shared_values[10] * t99;
    let t102 = shared_values[10] * t100;
    let t103 = shared_values[32] * t101;
    let t104 = t101 * t103;
    let t105 = shared_values[33] + t104;
    let t106 = shared_values[1] + t105;
    let t107 = shared_values[36] * t106;
    let t108 = t102 * t103;
    let t109 = shared_values[32] * t102;
    let t110 = t102 * t109;
    let t111 = shared_values[33] + t110;
    let t112 = shared_values[1] + t111;
    let t113 = shared_values[36] * t112;
    let t114 = shared_values[1] / t107;
    let t115 = t113 - shared_values[37];
    let t116 = t108 * t114;
    let t117 = t115 - t108 * t116;
    let t118 = shared_values[1] / t117;
    let t119 = t97 - shared_values[37] * t46;
    let t120 = t119 - t96 * t116;
    let t121 = t118 * t120;
    let t122 = t96 * t114;
    let t123 = t122 - t116 * t121;
    let t124 = t46 - t121;
    let t125 = t101 * t123;
    let t126 = t102 * t121 + t125;
    let t127 = shared_values[32] * t126;
    let t128 = shared_values[33] * t123;
    let t129 = shared_values[33] * t121;
    let t130 = t43 * t43;
    let t131 = shared_values[64] - shared_values[7] * t130;
    let t132 = t43 * t131;
    let t133 = t44 - t123;
    let t134 = t46 - t118 * t120;
    let t135 = t134 - shared_values[37] * t124;
    let t136 = shared_values[7] * t127;
    let t137 = t136 * t136;
    let t138 = shared_values[39] - shared_values[38] * t137;
    let t139 = shared_values[40] - t137 * t138;
    let t140 = shared_values[41] - t137 * t139;
    let t141 = shared_values[42] - t137 * t140;
    let t142 = shared_values[43] - t137 * t141;
    let t143 = shared_values[44] - t137 * t142;
    let t144 = shared_values[45] - t137 * t143;
    let t145 = shared_values[46] - t137 * t144;
    let t146 = shared_values[47] - t137 * t145;
    let t147 = shared_values[48] - t137 * t146;
    let t148 = shared_values[49] - t137 * t147;
    let t149 = shared_values[50] - t137 * t148;
    let t150 = shared_values[7] - t137 * t149;
    let t151 = shared_values[1] - t137 * t150;
    let t152 = shared_values[52] - shared_values[51] * t137;
    let t153 = shared_values[53] - t137 * t152;
    let t154 = shared_values[54] - t137 * t153;
    let t155 = shared_values[55] - t137 * t154;
    let t156 = shared_values[56] - t137 * t155;
    let t157 = shared_values[57] - t137 * t156;
    let t158 = shared_values[58] - t137 * t157;
    let t159 = shared_values[59] - t137 * t158;
    let t160 = shared_values[60] - t137 * t159;
    let t161 = shared_values[61] - t137 * t160;
    let t162 = shared_values[62] - t137 * t161;
    let t163 = shared_values[63] - t137 * t162;
    let t164 = shared_values[11] - t137 * t163;
    let t165 = shared_values[1] - t137 * t164;
    let t166 = t136 * t165;
    let t167 = t85 * t151;
    let t168 = t86 * t151;
    let t169 = t86 * t166 + t167;
    let t170 = t168 - t85 * t166;
    let t171 = t169 * t169;
    let t172 = t170 * t170 + t171;
    let t173 = shared_values[64] - shared_values[7] * t172;
    let t174 = t169 * t173;
    let t175 = t170 * t173;
    let t176 = t87 + t128;
    let t177 = t88 + t129;
    let t178 = shared_values[10] * t175;
    let t179 = shared_values[12] * t178;
    let t180 = t175 * t179;
    let t181 = t174 * t179;
    let t182 = shared_values[10] - t180;
    let t183 = t176 + t181;
    let t184 = t177 + t182;
    let t185 = t133 - t183;
    let t186 = t135 - t184;
    let t187 = shared_values[12] * t175;
    let t188 = t175 * t187 + shared_values[9];
    let t189 = t174 * t187;
    let t190 = shared_values[10] * t188;
    let t191 = shared_values[10] * t189;
    let t192 = shared_values[32] * t190;
    let t193 = t190 * t192;
    let t194 = shared_values[33] + t193;
    let t195 = shared_values[1] + t194;
    let t196 = shared_values[36] * t195;
    let t197 = t191 * t192;
    let t198 = shared_values[32] * t191;
    let t199 = t191 * t198;
    let t200 = shared_values[33] + t199;
    let t201 = shared_values[1] + t200;
    let t202 = shared_values[36] * t201;
    let t203 = shared_values[1] / t196;
    let t204 = t202 - shared_values[37];
    let t205 = t197 * t203;
    let t206 = t204 - t197 * t205;
    let t207 = shared_values[1] / t206;
    let t208 = t186 - shared_values[37] * t135;
    let t209 = t208 - t185 * t205;
    let t210 = t207 * t209;
    let t211 = t185 * t203;
    let t212 = t211 - t205 * t210;
    let t213 = t135 - t210;
    let t214 = t190 * t212;
    let t215 = t191 * t210 + t214;
    let t216 = shared_values[32] * t215;
    let t217 = shared_values[33] * t212;
    let t218 = shared_values[33] * t210;
    let t219 = t132 * t132;
    let t220 = shared_values[64] - shared_values[7] * t219;
    let t221 = t132 * t220;
    let t222 = t133 - t212;
    let t223 = t135 - t207 * t209;
    let t224 = t223 - shared_values[37] * t213;
    let t225 = shared_values[7] * t216;
    let t226 = t225 * t225;
    let t227 = shared_values[39] - shared_values[38] * t226;
    let t228 = shared_values[40] - t226 * t227;
    let t229 = shared_values[41] - t226 * t228;
    let t230 = shared_values[42] - t226 * t229;
    let t231 = shared_values[43] - t226 * t230;
    let t232 = shared_values[44] - t226 * t231;
    let t233 = shared_values[45] - t226 * t232;
    let t234 = shared_values[46] - t226 * t233;
    let t235 = shared_values[47] - t226 * t234;
    let t236 = shared_values[48] - t226 * t235;
    let t237 = shared_values[49] - t226 * t236;
    let t238 = shared_values[50] - t226 * t237;
    let t239 = shared_values[7] - t226 * t238;
    let t240 = shared_values[1] - t226 * t239;
    let t241 = shared_values[52] - shared_values[51] * t226;
    let t242 = shared_values[53] - t226 * t241;
    let t243 = shared_values[54] - t226 * t242;
    let t244 = shared_values[55] - t226 * t243;
    let t245 = shared_values[56] - t226 * t244;
    let t246 = shared_values[57] - t226 * t245;
    let t247 = shared_values[58] - t226 * t246;
    let t248 = shared_values[59] - t226 * t247;
    let t249 = shared_values[60] - t226 * t248;
    let t250 = shared_values[61] - t226 * t249;
    let t251 = shared_values[62] - t226 * t250;
    let t252 = shared_values[63] - t226 * t251;
    let t253 = shared_values[11] - t226 * t252;
    let t254 = shared_values[1] - t226 * t253;
    let t255 = t225 * t254;
    let t256 = t174 * t240;
    let t257 = t175 * t240;
    let t258 = t175 * t255 + t256;
    let t259 = t257 - t174 * t255;
    let t260 = t258 * t258;
    let t261 = t259 * t259 + t260;
    let t262 = shared_values[64] - shared_values[7] * t261;
    let t263 = t258 * t262;
    let t264 = t259 * t262;
    let t265 = t176 + t217;
    let t266 = t177 + t218;
    let t267 = shared_values[12] * t264;
    let t268 = t264 * t267 + shared_values[9];
    let t269 = t263 * t267;
    let t270 = shared_values[10] * t268;
    let t271 = shared_values[10] * t269;
    let t272 = s.b1_wy * t270;
    let t273 = t272 - s.b1_vx;
    let t274 = s.b0_vx + t273;
    let t275 = s.b1_wy * t271;
    let t276 = t275 - s.b1_vz;
    let t277 = s.b0_vz + t276;
    let t278 = shared_values[32] * t270;
    let t279 = t270 * t278;
    let t280 = shared_values[33] + t279;
    let t281 = shared_values[1] + t280;
    let t282 = shared_values[36] * t281;
    let t283 = t271 * t278;
    let t284 = shared_values[32] * t271;
    let t285 = t271 * t284;
    let t286 = shared_values[33] + t285;
    let t287 = shared_values[1] + t286;
    let t288 = shared_values[36] * t287;
    let t289 = shared_values[1] / t282;
    let t290 = t288 - shared_values[37];
    let t291 = t283 * t289;
    let t292 = t290 - t283 * t291;
    let t293 = shared_values[1] / t292;
    let t294 = t277 - s.b0_vz * shared_values[37];
    let t295 = t294 - t274 * t291;
    let t296 = t293 * t295;
    let t297 = t274 * t289;
    let t298 = t297 - t291 * t296;
    let t299 = s.b0_vz - t296;
    let t300 = t270 * t298;
    let t301 = t271 * t296 + t300;
    let t302 = shared_values[32] * t301;
    let t303 = shared_values[33] * t298;
    let t304 = shared_values[33] * t296;
    let t305 = s.b0_vx - t298;
    let t306 = s.b0_vz - t293 * t295;
    let t307 = t306 - shared_values[37] * t299;
    let t308 = s.b1_wy - t302;
    let t309 = s.b1_vx + t303;
    let t310 = s.b1_vz + t304;
    var next = s;
    next.b0_q0 = t221;
    next.b0_rx = t222;
    next.b0_rz = t224;
    next.b0_vx = t305;
    next.b0_vz = t307;
    next.b1_q0 = t263;
    next.b1_q2 = t264;
    next.b1_wy = t308;
    next.b1_rx = t265;
    next.b1_rz = t266;
    next.b1_vx = t309;
    next.b1_vz = t310;
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
    let t6 = select(t4, t5, t4 < 0.0lf);
    let t7 = select(t1, t2, t1 < 0.0lf);
    let t8 = select(t6, t7, t7 < t6);
    let t9 = select(t7, t6, t7 < t6);
    let t10 = t9 * shared_values[13];
    let t11 = t8 - t9;
    let t12 = select(t8, t11, t10 < t8);
    let t13 = t8 + t9;
    let t14 = select(t9, t13, t10 < t8);
    let t15 = shared_values[1] + t14;
    let t16 = select(t15, t14, 0.0lf < t14);
    let t17 = t12 / t16;
    let t18 = t17 * t17;
    let t19 = t17 * t18;
    let t20 = t18 * shared_values[14] + shared_values[15];
    let t21 = t18 * t20 + shared_values[16];
    let t22 = t18 * t21 + shared_values[17];
    let t23 = t18 * t22 + shared_values[18];
    let t24 = t18 * t23 + shared_values[19];
    let t25 = t18 * t24 + shared_values[20];
    let t26 = t18 * t25 + shared_values[21];
    let t27 = t18 * t26 + shared_values[22];
    let t28 = t18 * t27 + shared_values[23];
    let t29 = t18 * t28 + shared_values[24];
    let t30 = t18 * t29 + shared_values[25];
    let t31 = t19 * t30 + t17;
    let t32 = t31 + shared_values[26];
    let t33 = select(t31, t32, t10 < t8);
    let t34 = shared_values[27] - t33;
    let t35 = select(t33, t34, t6 < t7);
    let t36 = shared_values[28] - t35;
    let t37 = select(t35, t36, t4 < 0.0lf);
    let t38 = -(t37);
    let t39 = select(t37, t38, t1 < 0.0lf);
    let t40 = s.angle_1 - t39;
    let t41 = t40 * shared_values[30];
    let t42 = shared_values[7] + t41;
    let t43 = floor(t42);
    let t44 = shared_values[29] * t43 + t39;
    let t45 = -(t44);
    let t46 = select(t44, t45, t44 < 0.0lf);
    let t47 = select(0.0lf, shared_values[1], shared_values[27] < t46);
    return Judged(t47, shared_values[7]);
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
