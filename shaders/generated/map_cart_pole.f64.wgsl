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

// One full step: 730 operations, a multiply-add counted as two.
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
    let t77 = t71 - p.c1;
    let t78 = t67 * t76;
    let t79 = t77 - t67 * t78;
    let t80 = select(t79, t74, t79 < t74);
    let t81 = p.c1 / t80;
    let t82 = s.b1_q2 * t3 + p.c2;
    let t83 = t82 - s.b1_wy * t0;
    let t84 = t72 * t78 + t83;
    let t85 = t81 * t84;
    let t86 = t72 * t76;
    let t87 = t78 * t85 + t86;
    let t88 = p.c2 + t85;
    let t89 = t9 * t87;
    let t90 = t85 - t88;
    let t91 = t10 * t85 - t89;
    let t92 = t62 - t87;
    let t93 = p.c2 + t90;
    let t94 = p.c0 * t92;
    let t95 = p.c0 * t93;
    let t96 = p.c32 * t91;
    let t97 = p.c33 * t87;
    let t98 = p.c2 - p.c33 * t85;
    let t99 = p.c0 * t96;
    let t100 = p.c0 * t97;
    let t101 = p.c0 * t98;
    let t102 = s.b0_vx * p.c0;
    let t103 = s.b0_vz * p.c0;
    let t104 = s.b1_q2 * s.b1_wy;
    let t105 = s.b1_q0 * s.b1_wy;
    let t106 = p.c8 * t104;
    let t107 = p.c8 * t105;
    let t108 = s.b1_vx * p.c0;
    let t109 = s.b1_vz * p.c0;
    let t110 = p.c7 * t102 + s.b0_rx;
    let t111 = p.c7 * t94 + s.b0_vx;
    let t112 = p.c7 * t95 + s.b0_vz;
    let t113 = s.b1_q0 - p.c7 * t106;
    let t114 = p.c7 * t107 + s.b1_q2;
    let t115 = p.c7 * t99 + s.b1_wy;
    let t116 = p.c7 * t100 + s.b1_vx;
    let t117 = p.c7 * t101 + s.b1_vz;
    let t118 = s.b0_q0 * s.b0_q0;
    let t119 = t113 * t113;
    let t120 = t114 * t114 + t119;
    let t121 = p.c35 + t120;
    let t122 = t120 * t121 + p.c33;
    let t123 = p.c33 * t120 + p.c35;
    let t124 = t120 * t123 + p.c1;
    let t125 = t122 / t124;
    let t126 = t113 * t125;
    let t127 = t114 * t125;
    let t128 = p.c10 * t115;
    let t129 = t115 * t128;
    let t130 = t127 * t129;
    let t131 = p.c12 * t130;
    let t132 = t126 * t131;
    let t133 = p.c12 * t127;
    let t134 = t127 * t133 + p.c9;
    let t135 = t126 * t133;
    let t136 = -(t135);
    let t137 = p.c10 * t134;
    let t138 = p.c10 * t135;
    let t139 = t127 * t133;
    let t140 = p.c1 - t139;
    let t141 = -(t140);
    let t142 = select(t140, t141, t140 < 0.0lf);
    let t143 = select(t135, t136, t135 < 0.0lf);
    let t144 = select(t142, t143, t143 < t142);
    let t145 = select(t143, t142, t143 < t142);
    let t146 = p.c13 * t145;
    let t147 = t144 - t145;
    let t148 = select(t144, t147, t146 < t144);
    let t149 = t144 + t145;
    let t150 = select(t145, t149, t146 < t144);
    let t151 = p.c1 + t150;
    let t152 = select(t151, t150, 0.0lf < t150);
    let t153 = t148 / t152;
    let t154 = t153 * t153;
    let t155 = t153 * t154;
    let t156 = p.c14 * t154 + p.c15;
    let t157 = t154 * t156 + p.c16;
    let t158 = t154 * t157 + p.c17;
    let t159 = t154 * t158 + p.c18;
    let t160 = t154 * t159 + p.c19;
    let t161 = t154 * t160 + p.c20;
    let t162 = t154 * t161 + p.c21;
    let t163 = t154 * t162 + p.c22;
    let t164 = t154 * t163 + p.c23;
    let t165 = t154 * t164 + p.c24;
    let t166 = t154 * t165 + p.c25;
    let t167 = t155 * t166 + t153;
    let t168 = p.c26 + t167;
    let t169 = select(t167, t168, t146 < t144);
    let t170 = p.c27 - t169;
    let t171 = select(t169, t170, t142 < t143);
    let t172 = p.c28 - t171;
    let t173 = select(t171, t172, t140 < 0.0lf);
    let t174 = -(t173);
    let t175 = select(t173, t174, t135 < 0.0lf);
    let t176 = s.angle_1 - t175;
    let t177 = p.c30 * t176;
    let t178 = p.c7 + t177;
    let t179 = floor(t178);
    let t180 = p.c29 * t179 + t175;
    let t181 = p.c3 * t110;
    let t182 = p.c4 * t111;
    let t183 = t181 + t182;
    let t184 = p.c36 * t180;
    let t185 = t183 + t184;
    let t186 = p.c5 * t115;
    let t187 = t185 + t186;
    let t188 = -(t187);
    let t189 = select(t188, p.c31, t188 < p.c31);
    let t190 = select(t189, p.c6, p.c6 < t189);
    let t191 = p.c32 * t137;
    let t192 = t137 * t191;
    let t193 = p.c33 + t192;
    let t194 = p.c1 + t193;
    let t195 = t138 * t191;
    let t196 = p.c32 * t138;
    let t197 = t138 * t196;
    let t198 = p.c33 + t197;
    let t199 = p.c1 + t198;
    let t200 = t132 + t190;
    let t201 = p.c34 * t194;
    let t202 = p.c34 * t199;
    let t203 = select(t194, t201, t194 < t201);
    let t204 = p.c1 / t203;
    let t205 = t199 - p.c1;
    let t206 = t195 * t204;
    let t207 = t205 - t195 * t206;
    let t208 = select(t207, t202, t207 < t202);
    let t209 = p.c1 / t208;
    let t210 = t127 * t131 + p.c2;
    let t211 = t210 - t115 * t128;
    let t212 = t200 * t206 + t211;
    let t213 = t209 * t212;
    let t214 = t200 * t204;
    let t215 = t206 * t213 + t214;
    let t216 = p.c2 + t213;
    let t217 = t137 * t215;
    let t218 = t213 - t216;
    let t219 = t138 * t213 - t217;
    let t220 = t190 - t215;
    let t221 = p.c2 + t218;
    let t222 = p.c0 * t220;
    let t223 = p.c0 * t221;
    let t224 = p.c32 * t219;
    let t225 = p.c33 * t215;
    let t226 = p.c2 - p.c33 * t213;
    let t227 = p.c0 * t224;
    let t228 = p.c0 * t225;
    let t229 = p.c0 * t226;
    let t230 = p.c0 * t111;
    let t231 = p.c0 * t112;
    let t232 = t114 * t115;
    let t233 = t113 * t115;
    let t234 = p.c8 * t232;
    let t235 = p.c8 * t233;
    let t236 = p.c0 * t116;
    let t237 = p.c0 * t117;
    let t238 = p.c7 * t230 + s.b0_rx;
    let t239 = p.c7 * t222 + s.b0_vx;
    let t240 = p.c7 * t223 + s.b0_vz;
    let t241 = s.b1_q0 - p.c7 * t234;
    let t242 = p.c7 * t235 + s.b1_q2;
    let t243 = p.c7 * t227 + s.b1_wy;
    let t244 = p.c7 * t228 + s.b1_vx;
    let t245 = p.c7 * t229 + s.b1_vz;
    let t246 = t241 * t241;
    let t247 = t242 * t242 + t246;
    let t248 = p.c35 + t247;
    let t249 = t247 * t248 + p.c33;
    let t250 = p.c33 * t247 + p.c35;
    let t251 = t247 * t250 + p.c1;
    let t252 = t249 / t251;
    let t253 = t241 * t252;
    let t254 = t242 * t252;
    let t255 = p.c10 * t243;
    let t256 = t243 * t255;
    let t257 = t254 * t256;
    let t258 = p.c12 * t257;
    let t259 = t253 * t258;
    let t260 = p.c12 * t254;
    let t261 = t254 * t260 + p.c9;
    let t262 = t253 * t260;
    let t263 = -(t262);
    let t264 = p.c10 * t261;
    let t265 = p.c10 * t262;
    let t266 = t254 * t260;
    let t267 = p.c1 - t266;
    let t268 = -(t267);
    let t269 = select(t267, t268, t267 < 0.0lf);
    let t270 = select(t262, t263, t262 < 0.0lf);
    let t271 = select(t269, t270, t270 < t269);
    let t272 = select(t270, t269, t270 < t269);
    let t273 = p.c13 * t272;
    let t274 = t271 - t272;
    let t275 = select(t271, t274, t273 < t271);
    let t276 = t271 + t272;
    let t277 = select(t272, t276, t273 < t271);
    let t278 = p.c1 + t277;
    let t279 = select(t278, t277, 0.0lf < t277);
    let t280 = t275 / t279;
    let t281 = t280 * t280;
    let t282 = t280 * t281;
    let t283 = p.c14 * t281 + p.c15;
    let t284 = t281 * t283 + p.c16;
    let t285 = t281 * t284 + p.c17;
    let t286 = t281 * t285 + p.c18;
    let t287 = t281 * t286 + p.c19;
    let t288 = t281 * t287 + p.c20;
    let t289 = t281 * t288 + p.c21;
    let t290 = t281 * t289 + p.c22;
    let t291 = t281 * t290 + p.c23;
    let t292 = t281 * t291 + p.c24;
    let t293 = t281 * t292 + p.c25;
    let t294 = t282 * t293 + t280;
    let t295 = p.c26 + t294;
    let t296 = select(t294, t295, t273 < t271);
    let t297 = p.c27 - t296;
    let t298 = select(t296, t297, t269 < t270);
    let t299 = p.c28 - t298;
    let t300 = select(t298, t299, t267 < 0.0lf);
    let t301 = -(t300);
    let t302 = select(t300, t301, t262 < 0.0lf);
    let t303 = s.angle_1 - t302;
    let t304 = p.c30 * t303;
    let t305 = p.c7 + t304;
    let t306 = floor(t305);
    let t307 = p.c29 * t306 + t302;
    let t308 = p.c3 * t238;
    let t309 = p.c4 * t239;
    let t310 = t308 + t309;
    let t311 = p.c36 * t307;
    let t312 = t310 + t311;
    let t313 = p.c5 * t243;
    let t314 = t312 + t313;
    let t315 = -(t314);
    let t316 = select(t315, p.c31, t315 < p.c31);
    let t317 = select(t316, p.c6, p.c6 < t316);
    let t318 = p.c32 * t264;
    let t319 = t264 * t318;
    let t320 = p.c33 + t319;
    let t321 = p.c1 + t320;
    let t322 = t265 * t318;
    let t323 = p.c32 * t265;
    let t324 = t265 * t323;
    let t325 = p.c33 + t324;
    let t326 = p.c1 + t325;
    let t327 = t259 + t317;
    let t328 = p.c34 * t321;
    let t329 = p.c34 * t326;
    let t330 = select(t321, t328, t321 < t328);
    let t331 = p.c1 / t330;
    let t332 = t326 - p.c1;
    let t333 = t322 * t331;
    let t334 = t332 - t322 * t333;
    let t335 = select(t334, t329, t334 < t329);
    let t336 = p.c1 / t335;
    let t337 = t254 * t258 + p.c2;
    let t338 = t337 - t243 * t255;
    let t339 = t327 * t333 + t338;
    let t340 = t336 * t339;
    let t341 = t327 * t331;
    let t342 = t333 * t340 + t341;
    let t343 = p.c2 + t340;
    let t344 = t264 * t342;
    let t345 = t340 - t343;
    let t346 = t265 * t340 - t344;
    let t347 = t317 - t342;
    let t348 = p.c2 + t345;
    let t349 = p.c0 * t347;
    let t350 = p.c0 * t348;
    let t351 = p.c32 * t346;
    let t352 = p.c33 * t342;
    let t353 = p.c2 - p.c33 * t340;
    let t354 = p.c0 * t351;
    let t355 = p.c0 * t352;
    let t356 = p.c0 * t353;
    let t357 = p.c0 * t239;
    let t358 = p.c0 * t240;
    let t359 = t242 * t243;
    let t360 = t241 * t243;
    let t361 = p.c8 * t359;
    let t362 = p.c8 * t360;
    let t363 = p.c0 * t244;
    let t364 = p.c0 * t245;
    let t365 = p.c12 * t230 + t102;
    let t366 = p.c12 * t231 + t103;
    let t367 = p.c12 * t222 + t94;
    let t368 = p.c12 * t223 + t95;
    let t369 = p.c12 * t234 + t106;
    let t370 = p.c12 * t235 + t107;
    let t371 = p.c12 * t227 + t99;
    let t372 = p.c12 * t236 + t108;
    let t373 = p.c12 * t237 + t109;
    let t374 = p.c12 * t228 + t100;
    let t375 = p.c12 * t229 + t101;
    let t376 = p.c12 * t357 + t365;
    let t377 = p.c12 * t358 + t366;
    let t378 = p.c12 * t349 + t367;
    let t379 = p.c12 * t350 + t368;
    let t380 = p.c12 * t361 + t369;
    let t381 = p.c12 * t362 + t370;
    let t382 = p.c12 * t354 + t371;
    let t383 = p.c12 * t363 + t372;
    let t384 = p.c12 * t364 + t373;
    let t385 = p.c12 * t355 + t374;
    let t386 = p.c12 * t356 + t375;
    let t387 = s.b0_rx + t357;
    let t388 = s.b0_vx + t349;
    let t389 = s.b0_vz + t350;
    let t390 = s.b1_q0 - t361;
    let t391 = s.b1_q2 + t362;
    let t392 = s.b1_wy + t354;
    let t393 = s.b1_vx + t355;
    let t394 = s.b1_vz + t356;
    let t395 = t390 * t390;
    let t396 = t391 * t391 + t395;
    let t397 = p.c35 + t396;
    let t398 = t396 * t397 + p.c33;
    let t399 = p.c33 * t396 + p.c35;
    let t400 = t396 * t399 + p.c1;
    let t401 = t398 / t400;
    let t402 = t390 * t401;
    let t403 = t391 * t401;
    let t404 = p.c10 * t392;
    let t405 = t392 * t404;
    let t406 = t403 * t405;
    let t407 = p.c12 * t406;
    let t408 = t402 * t407;
    let t409 = p.c12 * t403;
    let t410 = t403 * t409 + p.c9;
    let t411 = t402 * t409;
    let t412 = -(t411);
    let t413 = p.c10 * t410;
    let t414 = p.c10 * t411;
    let t415 = t403 * t409;
    let t416 = p.c1 - t415;
    let t417 = -(t416);
    let t418 = select(t416, t417, t416 < 0.0lf);
    let t419 = select(t411, t412, t411 < 0.0lf);
    let t420 = select(t418, t419, t419 < t418);
    let t421 = select(t419, t418, t419 < t418);
    let t422 = p.c13 * t421;
    let t423 = t420 - t421;
    let t424 = select(t420, t423, t422 < t420);
    let t425 = t420 + t421;
    let t426 = select(t421, t425, t422 < t420);
    let t427 = p.c1 + t426;
    let t428 = select(t427, t426, 0.0lf < t426);
    let t429 = t424 / t428;
    let t430 = t429 * t429;
    let t431 = t429 * t430;
    let t432 = p.c14 * t430 + p.c15;
    let t433 = t430 * t432 + p.c16;
    let t434 = t430 * t433 + p.c17;
    let t435 = t430 * t434 + p.c18;
    let t436 = t430 * t435 + p.c19;
    let t437 = t430 * t436 + p.c20;
    let t438 = t430 * t437 + p.c21;
    let t439 = t430 * t438 + p.c22;
    let t440 = t430 * t439 + p.c23;
    let t441 = t430 * t440 + p.c24;
    let t442 = t430 * t441 + p.c25;
    let t443 = t431 * t442 + t429;
    let t444 = p.c26 + t443;
    let t445 = select(t443, t444, t422 < t420);
    let t446 = p.c27 - t445;
    let t447 = select(t445, t446, t418 < t419);
    let t448 = p.c28 - t447;
    let t449 = select(t447, t448, t416 < 0.0lf);
    let t450 = -(t449);
    let t451 = select(t449, t450, t411 < 0.0lf);
    let t452 = s.angle_1 - t451;
    let t453 = p.c30 * t452;
    let t454 = p.c7 + t453;
    let t455 = floor(t454);
    let t456 = p.c29 * t455 + t451;
    let t457 = p.c3 * t387;
    let t458 = p.c4 * t388;
    let t459 = t457 + t458;
    let t460 = p.c36 * t456;
    let t461 = t459 + t460;
    let t462 = p.c5 * t392;
    let t463 = t461 + t462;
    let t464 = -(t463);
    let t465 = select(t464, p.c31, t464 < p.c31);
    let t466 = select(t465, p.c6, p.c6 < t465);
    let t467 = p.c32 * t413;
    let t468 = t413 * t467;
    let t469 = p.c33 + t468;
    let t470 = p.c1 + t469;
    let t471 = t414 * t467;
    let t472 = p.c32 * t414;
    let t473 = t414 * t472;
    let t474 = p.c33 + t473;
    let t475 = p.c1 + t474;
    let t476 = t408 + t466;
    let t477 = p.c34 * t470;
    let t478 = p.c34 * t475;
    let t479 = select(t470, t477, t470 < t477);
    let t480 = p.c1 / t479;
    let t481 = t475 - p.c1;
    let t482 = t471 * t480;
    let t483 = t481 - t471 * t482;
    let t484 = select(t483, t478, t483 < t478);
    let t485 = p.c1 / t484;
    let t486 = t403 * t407 + p.c2;
    let t487 = t486 - t392 * t404;
    let t488 = t476 * t482 + t487;
    let t489 = t485 * t488;
    let t490 = t476 * t480;
    let t491 = t482 * t489 + t490;
    let t492 = p.c2 + t489;
    let t493 = t413 * t491;
    let t494 = t489 - t492;
    let t495 = t414 * t489 - t493;
    let t496 = t466 - t491;
    let t497 = p.c2 + t494;
    let t498 = p.c0 * t496 + t378;
    let t499 = p.c0 * t497 + t379;
    let t500 = p.c32 * t495;
    let t501 = p.c33 * t491;
    let t502 = p.c2 - p.c33 * t489;
    let t503 = p.c0 * t500 + t382;
    let t504 = p.c0 * t501 + t385;
    let t505 = p.c0 * t502 + t386;
    let t506 = p.c0 * t388 + t376;
    let t507 = p.c0 * t389 + t377;
    let t508 = t391 * t392;
    let t509 = t390 * t392;
    let t510 = p.c8 * t508 + t380;
    let t511 = p.c8 * t509 + t381;
    let t512 = p.c0 * t393 + t383;
    let t513 = p.c0 * t394 + t384;
    let t514 = p.c11 * t506 + s.b0_rx;
    let t515 = p.c11 * t507 + s.b0_rz;
    let t516 = p.c11 * t498 + s.b0_vx;
    let t517 = p.c11 * t499 + s.b0_vz;
    let t518 = s.b1_q0 - p.c11 * t510;
    let t519 = p.c11 * t511 + s.b1_q2;
    let t520 = p.c11 * t503 + s.b1_wy;
    let t521 = p.c11 * t512 + s.b1_rx;
    let t522 = p.c11 * t513 + s.b1_rz;
    let t523 = p.c11 * t504 + s.b1_vx;
    let t524 = p.c11 * t505 + s.b1_vz;
    let t525 = sqrt(t118);
    let t526 = p.c1 / t525;
    let t527 = s.b0_q0 * t526;
    let t528 = t518 * t518;
    let t529 = t519 * t519 + t528;
    let t530 = sqrt(t529);
    let t531 = p.c1 / t530;
    let t532 = t518 * t531;
    let t533 = t519 * t531;
    let t534 = p.c12 * t533;
    let t535 = t533 * t534;
    let t536 = t532 * t534;
    let t537 = -(t536);
    let t538 = p.c1 - t535;
    let t539 = -(t538);
    let t540 = select(t538, t539, t538 < 0.0lf);
    let t541 = select(t536, t537, t536 < 0.0lf);
    let t542 = select(t540, t541, t541 < t540);
    let t543 = select(t541, t540, t541 < t540);
    let t544 = p.c13 * t543;
    let t545 = t542 - t543;
    let t546 = select(t542, t545, t544 < t542);
    let t547 = t542 + t543;
    let t548 = select(t543, t547, t544 < t542);
    let t549 = p.c1 + t548;
    let t550 = select(t549, t548, 0.0lf < t548);
    let t551 = t546 / t550;
    let t552 = t551 * t551;
    let t553 = t551 * t552;
    let t554 = p.c14 * t552 + p.c15;
    let t555 = t552 * t554 + p.c16;
    let t556 = t552 * t555 + p.c17;
    let t557 = t552 * t556 + p.c18;
    let t558 = t552 * t557 + p.c19;
    let t559 = t552 * t558 + p.c20;
    let t560 = t552 * t559 + p.c21;
    let t561 = t552 * t560 + p.c22;
    let t562 = t552 * t561 + p.c23;
    let t563 = t552 * t562 + p.c24;
    let t564 = t552 * t563 + p.c25;
    let t565 = t553 * t564 + t551;
    let t566 = p.c26 + t565;
    let t567 = select(t565, t566, t544 < t542);
    let t568 = p.c27 - t567;
    let t569 = select(t567, t568, t540 < t541);
    let t570 = p.c28 - t569;
    let t571 = select(t569, t570, t538 < 0.0lf);
    let t572 = -(t571);
    let t573 = select(t571, t572, t536 < 0.0lf);
    let t574 = s.angle_1 - t573;
    let t575 = p.c30 * t574;
    let t576 = p.c7 + t575;
    let t577 = floor(t576);
    let t578 = p.c29 * t577 + t573;
    var next: State;
    next.b0_q0 = t527;
    next.b0_rx = t514;
    next.b0_rz = t515;
    next.b0_vx = t516;
    next.b0_vz = t517;
    next.b1_q0 = t532;
    next.b1_q2 = t533;
    next.b1_wy = t520;
    next.b1_rx = t521;
    next.b1_rz = t522;
    next.b1_vx = t523;
    next.b1_vz = t524;
    next.angle_1 = t578;
    return next;
}

// What the method carries, at the start. (0 operations.)
fn begin(instance: u32, s: State) -> State {
    var next = s;
    return next;
}

// What the method carries after it was resynchronised. (442 operations.)
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

// A value, and how large it may be; 0: however large.
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
        return 8u; // condition
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
}

@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read_write> state: array<real>;
@group(0) @binding(2) var<storage, read> parameters: array<real>;
// What all instances share: constants of the mechanism and the method, then the factors of the timed loads.
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
    if k == 0u {
        return begin(instance, start);
    }
    if run.resynchronise != 0u && k % run.resynchronise == 0u {
        return resynchronised(instance, start);
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
            stop = next_multiple(k, FLUSH, stop);
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
