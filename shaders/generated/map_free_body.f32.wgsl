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
}

fn prepare(instance: u32) -> Prepared {
    let t0 = parameters[5u * run.stride + instance] * shared_values[0];
    let t1 = parameters[1u * run.stride + instance] - parameters[2u * run.stride + instance];
    let t2 = t1 / parameters[0u * run.stride + instance];
    let t3 = parameters[2u * run.stride + instance] - parameters[0u * run.stride + instance];
    let t4 = t3 / parameters[1u * run.stride + instance];
    let t5 = parameters[0u * run.stride + instance] - parameters[1u * run.stride + instance];
    let t6 = t5 / parameters[2u * run.stride + instance];
    let t7 = shared_values[0] * t0;
    var p: Prepared;
    p.c0 = shared_values[0];
    p.c1 = shared_values[1];
    p.c2 = shared_values[2];
    p.c3 = shared_values[3];
    p.c4 = t2;
    p.c5 = t4;
    p.c6 = t6;
    p.c7 = t0;
    p.c8 = t7;
    return p;
}

// A full step takes 829 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.wy * s.wz;
    let t1 = s.wx * s.wz;
    let t2 = s.wx * s.wy;
    let t3 = p.c4 * t0;
    let t4 = p.c5 * t1;
    let t5 = p.c6 * t2;
    let t6 = p.c7 * t3 + s.wx;
    let t7 = p.c7 * t4 + s.wy;
    let t8 = p.c7 * t5 + s.wz;
    let t9 = p.c7 * t6;
    let t10 = p.c7 * t7;
    let t11 = p.c7 * t8;
    let t12 = p.c0 * t9;
    let t13 = p.c0 * t10;
    let t14 = p.c0 * t11;
    let t15 = t12 * t12 + p.c1;
    let t16 = t13 * t13 + t15;
    let t17 = t14 * t14 + t16;
    let t18 = p.c1 / t17;
    let t19 = s.q0 - s.q1 * t12;
    let t20 = t19 - s.q2 * t13;
    let t21 = t20 - s.q3 * t14;
    let t22 = s.q0 * t12 + s.q1;
    let t23 = s.q2 * t14 + t22;
    let t24 = t23 - s.q3 * t13;
    let t25 = s.q0 * t13 + s.q2;
    let t26 = s.q3 * t12 + t25;
    let t27 = t26 - s.q1 * t14;
    let t28 = s.q0 * t14 + s.q3;
    let t29 = s.q1 * t13 + t28;
    let t30 = t29 - s.q2 * t12;
    let t31 = t18 * t21;
    let t32 = t18 * t24;
    let t33 = t18 * t27;
    let t34 = t18 * t30;
    let t35 = t3 * p.c8;
    let t36 = t4 * p.c8;
    let t37 = t5 * p.c8;
    let t38 = t32 * t35;
    let t39 = t33 * t36 + t38;
    let t40 = t34 * t37 + t39;
    let t41 = t31 * t35;
    let t42 = t33 * t37 + t41;
    let t43 = t42 - t34 * t36;
    let t44 = t31 * t36;
    let t45 = t34 * t35 + t44;
    let t46 = t45 - t32 * t37;
    let t47 = t31 * t37;
    let t48 = t32 * t36 + t47;
    let t49 = t48 - t33 * t35;
    let t50 = s.wx * p.c7;
    let t51 = s.wy * p.c7;
    let t52 = s.wz * p.c7;
    let t53 = s.wx * p.c0;
    let t54 = s.wy * p.c0;
    let t55 = s.wz * p.c0;
    let t56 = s.q1 * t53 + t40;
    let t57 = s.q2 * t54 + t56;
    let t58 = s.q3 * t55 + t57;
    let t59 = s.q0 * t53 + t43;
    let t60 = s.q2 * t55 + t59;
    let t61 = t60 - s.q3 * t54;
    let t62 = s.q0 * t54 + t46;
    let t63 = s.q3 * t53 + t62;
    let t64 = t63 - s.q1 * t55;
    let t65 = s.q0 * t55 + t49;
    let t66 = s.q1 * t54 + t65;
    let t67 = t66 - s.q2 * t53;
    let t68 = p.c0 * t50;
    let t69 = p.c0 * t51;
    let t70 = p.c0 * t52;
    let t71 = t68 * t68 + p.c1;
    let t72 = t69 * t69 + t71;
    let t73 = t70 * t70 + t72;
    let t74 = p.c1 / t73;
    let t75 = t61 * t68 + t58;
    let t76 = t64 * t69 + t75;
    let t77 = t67 * t70 + t76;
    let t78 = t61 - t58 * t68;
    let t79 = t64 * t70 + t78;
    let t80 = t79 - t67 * t69;
    let t81 = t64 - t58 * t69;
    let t82 = t67 * t68 + t81;
    let t83 = t82 - t61 * t70;
    let t84 = t67 - t58 * t70;
    let t85 = t61 * t69 + t84;
    let t86 = t85 - t64 * t68;
    let t87 = t74 * t77;
    let t88 = t74 * t80;
    let t89 = t74 * t83;
    let t90 = t74 * t86;
    let t91 = t31 * t31;
    let t92 = t32 * t32 + t91;
    let t93 = t33 * t33 + t92;
    let t94 = t34 * t34 + t93;
    let t95 = p.c2 / t94;
    let t96 = t32 * t87;
    let t97 = t33 * t87;
    let t98 = t34 * t87;
    let t99 = t31 * t88 + t96;
    let t100 = t99 - t33 * t90;
    let t101 = t34 * t89 + t100;
    let t102 = t31 * t89 + t97;
    let t103 = t102 - t34 * t88;
    let t104 = t32 * t90 + t103;
    let t105 = t31 * t90 + t98;
    let t106 = t105 - t32 * t89;
    let t107 = t33 * t88 + t106;
    let t108 = t95 * t101;
    let t109 = t95 * t104;
    let t110 = t95 * t107;
    let t111 = t109 * t110;
    let t112 = t108 * t110;
    let t113 = t108 * t109;
    let t114 = p.c4 * t111;
    let t115 = p.c5 * t112;
    let t116 = p.c6 * t113;
    let t117 = s.wx - t108;
    let t118 = s.wy - t109;
    let t119 = s.wz - t110;
    let t120 = p.c8 * t117;
    let t121 = p.c8 * t118;
    let t122 = p.c8 * t119;
    let t123 = s.q0 - s.q1 * t120;
    let t124 = t123 - s.q2 * t121;
    let t125 = t124 - s.q3 * t122;
    let t126 = s.q0 * t120 + s.q1;
    let t127 = s.q2 * t122 + t126;
    let t128 = t127 - s.q3 * t121;
    let t129 = s.q0 * t121 + s.q2;
    let t130 = s.q3 * t120 + t129;
    let t131 = t130 - s.q1 * t122;
    let t132 = s.q0 * t122 + s.q3;
    let t133 = s.q1 * t121 + t132;
    let t134 = t133 - s.q2 * t120;
    let t135 = p.c7 * t114 + t108;
    let t136 = p.c7 * t115 + t109;
    let t137 = p.c7 * t116 + t110;
    let t138 = p.c7 * t135;
    let t139 = p.c7 * t136;
    let t140 = p.c7 * t137;
    let t141 = p.c0 * t138;
    let t142 = p.c0 * t139;
    let t143 = p.c0 * t140;
    let t144 = t141 * t141 + p.c1;
    let t145 = t142 * t142 + t144;
    let t146 = t143 * t143 + t145;
    let t147 = p.c1 / t146;
    let t148 = t125 - t128 * t141;
    let t149 = t148 - t131 * t142;
    let t150 = t149 - t134 * t143;
    let t151 = t125 * t141 + t128;
    let t152 = t131 * t143 + t151;
    let t153 = t152 - t134 * t142;
    let t154 = t125 * t142 + t131;
    let t155 = t134 * t141 + t154;
    let t156 = t155 - t128 * t143;
    let t157 = t125 * t143 + t134;
    let t158 = t128 * t142 + t157;
    let t159 = t158 - t131 * t141;
    let t160 = t147 * t150;
    let t161 = t147 * t153;
    let t162 = t147 * t156;
    let t163 = t147 * t159;
    let t164 = p.c8 * t114;
    let t165 = p.c8 * t115;
    let t166 = p.c8 * t116;
    let t167 = t161 * t164;
    let t168 = t162 * t165 + t167;
    let t169 = t163 * t166 + t168;
    let t170 = t160 * t164;
    let t171 = t162 * t166 + t170;
    let t172 = t171 - t163 * t165;
    let t173 = t160 * t165;
    let t174 = t163 * t164 + t173;
    let t175 = t174 - t161 * t166;
    let t176 = t160 * t166;
    let t177 = t161 * t165 + t176;
    let t178 = t177 - t162 * t164;
    let t179 = p.c7 * t108;
    let t180 = p.c7 * t109;
    let t181 = p.c7 * t110;
    let t182 = s.q1 * t53 + t169;
    let t183 = s.q2 * t54 + t182;
    let t184 = s.q3 * t55 + t183;
    let t185 = s.q0 * t53 + t172;
    let t186 = s.q2 * t55 + t185;
    let t187 = t186 - s.q3 * t54;
    let t188 = s.q0 * t54 + t175;
    let t189 = s.q3 * t53 + t188;
    let t190 = t189 - s.q1 * t55;
    let t191 = s.q0 * t55 + t178;
    let t192 = s.q1 * t54 + t191;
    let t193 = t192 - s.q2 * t53;
    let t194 = p.c0 * t179;
    let t195 = p.c0 * t180;
    let t196 = p.c0 * t181;
    let t197 = t194 * t194 + p.c1;
    let t198 = t195 * t195 + t197;
    let t199 = t196 * t196 + t198;
    let t200 = p.c1 / t199;
    let t201 = t187 * t194 + t184;
    let t202 = t190 * t195 + t201;
    let t203 = t193 * t196 + t202;
    let t204 = t187 - t184 * t194;
    let t205 = t190 * t196 + t204;
    let t206 = t205 - t193 * t195;
    let t207 = t190 - t184 * t195;
    let t208 = t193 * t194 + t207;
    let t209 = t208 - t187 * t196;
    let t210 = t193 - t184 * t196;
    let t211 = t187 * t195 + t210;
    let t212 = t211 - t190 * t194;
    let t213 = t200 * t203;
    let t214 = t200 * t206;
    let t215 = t200 * t209;
    let t216 = t200 * t212;
    let t217 = t160 * t160;
    let t218 = t161 * t161 + t217;
    let t219 = t162 * t162 + t218;
    let t220 = t163 * t163 + t219;
    let t221 = p.c2 / t220;
    let t222 = t161 * t213;
    let t223 = t162 * t213;
    let t224 = t163 * t213;
    let t225 = t160 * t214 + t222;
    let t226 = t225 - t162 * t216;
    let t227 = t163 * t215 + t226;
    let t228 = t160 * t215 + t223;
    let t229 = t228 - t163 * t214;
    let t230 = t161 * t216 + t229;
    let t231 = t160 * t216 + t224;
    let t232 = t231 - t161 * t215;
    let t233 = t162 * t214 + t232;
    let t234 = t221 * t227;
    let t235 = t221 * t230;
    let t236 = t221 * t233;
    let t237 = t235 * t236;
    let t238 = t234 * t236;
    let t239 = t234 * t235;
    let t240 = p.c4 * t237;
    let t241 = p.c5 * t238;
    let t242 = p.c6 * t239;
    let t243 = s.wx - t234;
    let t244 = s.wy - t235;
    let t245 = s.wz - t236;
    let t246 = p.c8 * t243;
    let t247 = p.c8 * t244;
    let t248 = p.c8 * t245;
    let t249 = s.q0 - s.q1 * t246;
    let t250 = t249 - s.q2 * t247;
    let t251 = t250 - s.q3 * t248;
    let t252 = s.q0 * t246 + s.q1;
    let t253 = s.q2 * t248 + t252;
    let t254 = t253 - s.q3 * t247;
    let t255 = s.q0 * t247 + s.q2;
    let t256 = s.q3 * t246 + t255;
    let t257 = t256 - s.q1 * t248;
    let t258 = s.q0 * t248 + s.q3;
    let t259 = s.q1 * t247 + t258;
    let t260 = t259 - s.q2 * t246;
    let t261 = p.c7 * t240 + t234;
    let t262 = p.c7 * t241 + t235;
    let t263 = p.c7 * t242 + t236;
    let t264 = p.c7 * t261;
    let t265 = p.c7 * t262;
    let t266 = p.c7 * t263;
    let t267 = p.c0 * t264;
    let t268 = p.c0 * t265;
    let t269 = p.c0 * t266;
    let t270 = t267 * t267 + p.c1;
    let t271 = t268 * t268 + t270;
    let t272 = t269 * t269 + t271;
    let t273 = p.c1 / t272;
    let t274 = t251 - t254 * t267;
    let t275 = t274 - t257 * t268;
    let t276 = t275 - t260 * t269;
    let t277 = t251 * t267 + t254;
    let t278 = t257 * t269 + t277;
    let t279 = t278 - t260 * t268;
    let t280 = t251 * t268 + t257;
    let t281 = t260 * t267 + t280;
    let t282 = t281 - t254 * t269;
    let t283 = t251 * t269 + t260;
    let t284 = t254 * t268 + t283;
    let t285 = t284 - t257 * t267;
    let t286 = t273 * t276;
    let t287 = t273 * t279;
    let t288 = t273 * t282;
    let t289 = t273 * t285;
    let t290 = p.c8 * t240;
    let t291 = p.c8 * t241;
    let t292 = p.c8 * t242;
    let t293 = t287 * t290;
    let t294 = t288 * t291 + t293;
    let t295 = t289 * t292 + t294;
    let t296 = t286 * t290;
    let t297 = t288 * t292 + t296;
    let t298 = t297 - t289 * t291;
    let t299 = t286 * t291;
    let t300 = t289 * t290 + t299;
    let t301 = t300 - t287 * t292;
    let t302 = t286 * t292;
    let t303 = t287 * t291 + t302;
    let t304 = t303 - t288 * t290;
    let t305 = p.c7 * t234;
    let t306 = p.c7 * t235;
    let t307 = p.c7 * t236;
    let t308 = s.q1 * t53 + t295;
    let t309 = s.q2 * t54 + t308;
    let t310 = s.q3 * t55 + t309;
    let t311 = s.q0 * t53 + t298;
    let t312 = s.q2 * t55 + t311;
    let t313 = t312 - s.q3 * t54;
    let t314 = s.q0 * t54 + t301;
    let t315 = s.q3 * t53 + t314;
    let t316 = t315 - s.q1 * t55;
    let t317 = s.q0 * t55 + t304;
    let t318 = s.q1 * t54 + t317;
    let t319 = t318 - s.q2 * t53;
    let t320 = p.c0 * t305;
    let t321 = p.c0 * t306;
    let t322 = p.c0 * t307;
    let t323 = t320 * t320 + p.c1;
    let t324 = t321 * t321 + t323;
    let t325 = t322 * t322 + t324;
    let t326 = p.c1 / t325;
    let t327 = t313 * t320 + t310;
    let t328 = t316 * t321 + t327;
    let t329 = t319 * t322 + t328;
    let t330 = t313 - t310 * t320;
    let t331 = t316 * t322 + t330;
    let t332 = t331 - t319 * t321;
    let t333 = t316 - t310 * t321;
    let t334 = t319 * t320 + t333;
    let t335 = t334 - t313 * t322;
    let t336 = t319 - t310 * t322;
    let t337 = t313 * t321 + t336;
    let t338 = t337 - t316 * t320;
    let t339 = t326 * t329;
    let t340 = t326 * t332;
    let t341 = t326 * t335;
    let t342 = t326 * t338;
    let t343 = t286 * t286;
    let t344 = t287 * t287 + t343;
    let t345 = t288 * t288 + t344;
    let t346 = t289 * t289 + t345;
    let t347 = p.c2 / t346;
    let t348 = t287 * t339;
    let t349 = t288 * t339;
    let t350 = t289 * t339;
    let t351 = t286 * t340 + t348;
    let t352 = t351 - t288 * t342;
    let t353 = t289 * t341 + t352;
    let t354 = t286 * t341 + t349;
    let t355 = t354 - t289 * t340;
    let t356 = t287 * t342 + t355;
    let t357 = t286 * t342 + t350;
    let t358 = t357 - t287 * t341;
    let t359 = t288 * t340 + t358;
    let t360 = t347 * t353;
    let t361 = t347 * t356;
    let t362 = t347 * t359;
    let t363 = t361 * t362;
    let t364 = t360 * t362;
    let t365 = t360 * t361;
    let t366 = p.c4 * t363;
    let t367 = p.c5 * t364;
    let t368 = p.c6 * t365;
    let t369 = s.wx - t360;
    let t370 = s.wy - t361;
    let t371 = s.wz - t362;
    let t372 = p.c8 * t369;
    let t373 = p.c8 * t370;
    let t374 = p.c8 * t371;
    let t375 = s.q0 - s.q1 * t372;
    let t376 = t375 - s.q2 * t373;
    let t377 = t376 - s.q3 * t374;
    let t378 = s.q0 * t372 + s.q1;
    let t379 = s.q2 * t374 + t378;
    let t380 = t379 - s.q3 * t373;
    let t381 = s.q0 * t373 + s.q2;
    let t382 = s.q3 * t372 + t381;
    let t383 = t382 - s.q1 * t374;
    let t384 = s.q0 * t374 + s.q3;
    let t385 = s.q1 * t373 + t384;
    let t386 = t385 - s.q2 * t372;
    let t387 = p.c7 * t366 + t360;
    let t388 = p.c7 * t367 + t361;
    let t389 = p.c7 * t368 + t362;
    let t390 = p.c7 * t387;
    let t391 = p.c7 * t388;
    let t392 = p.c7 * t389;
    let t393 = p.c0 * t390;
    let t394 = p.c0 * t391;
    let t395 = p.c0 * t392;
    let t396 = t393 * t393 + p.c1;
    let t397 = t394 * t394 + t396;
    let t398 = t395 * t395 + t397;
    let t399 = p.c1 / t398;
    let t400 = t377 - t380 * t393;
    let t401 = t400 - t383 * t394;
    let t402 = t401 - t386 * t395;
    let t403 = t377 * t393 + t380;
    let t404 = t383 * t395 + t403;
    let t405 = t404 - t386 * t394;
    let t406 = t377 * t394 + t383;
    let t407 = t386 * t393 + t406;
    let t408 = t407 - t380 * t395;
    let t409 = t377 * t395 + t386;
    let t410 = t380 * t394 + t409;
    let t411 = t410 - t383 * t393;
    let t412 = t399 * t402;
    let t413 = t399 * t405;
    let t414 = t399 * t408;
    let t415 = t399 * t411;
    let t416 = p.c8 * t366;
    let t417 = p.c8 * t367;
    let t418 = p.c8 * t368;
    let t419 = t413 * t416;
    let t420 = t414 * t417 + t419;
    let t421 = t415 * t418 + t420;
    let t422 = t412 * t416;
    let t423 = t414 * t418 + t422;
    let t424 = t423 - t415 * t417;
    let t425 = t412 * t417;
    let t426 = t415 * t416 + t425;
    let t427 = t426 - t413 * t418;
    let t428 = t412 * t418;
    let t429 = t413 * t417 + t428;
    let t430 = t429 - t414 * t416;
    let t431 = p.c7 * t360;
    let t432 = p.c7 * t361;
    let t433 = p.c7 * t362;
    let t434 = s.q1 * t53 + t421;
    let t435 = s.q2 * t54 + t434;
    let t436 = s.q3 * t55 + t435;
    let t437 = s.q0 * t53 + t424;
    let t438 = s.q2 * t55 + t437;
    let t439 = t438 - s.q3 * t54;
    let t440 = s.q0 * t54 + t427;
    let t441 = s.q3 * t53 + t440;
    let t442 = t441 - s.q1 * t55;
    let t443 = s.q0 * t55 + t430;
    let t444 = s.q1 * t54 + t443;
    let t445 = t444 - s.q2 * t53;
    let t446 = p.c0 * t431;
    let t447 = p.c0 * t432;
    let t448 = p.c0 * t433;
    let t449 = t446 * t446 + p.c1;
    let t450 = t447 * t447 + t449;
    let t451 = t448 * t448 + t450;
    let t452 = p.c1 / t451;
    let t453 = t439 * t446 + t436;
    let t454 = t442 * t447 + t453;
    let t455 = t445 * t448 + t454;
    let t456 = t439 - t436 * t446;
    let t457 = t442 * t448 + t456;
    let t458 = t457 - t445 * t447;
    let t459 = t442 - t436 * t447;
    let t460 = t445 * t446 + t459;
    let t461 = t460 - t439 * t448;
    let t462 = t445 - t436 * t448;
    let t463 = t439 * t447 + t462;
    let t464 = t463 - t442 * t446;
    let t465 = t452 * t455;
    let t466 = t452 * t458;
    let t467 = t452 * t461;
    let t468 = t452 * t464;
    let t469 = p.c2 * t412 - s.q0;
    let t470 = p.c2 * t413 - s.q1;
    let t471 = p.c2 * t414 - s.q2;
    let t472 = p.c2 * t415 - s.q3;
    let t473 = t469 * t469;
    let t474 = t470 * t470 + t473;
    let t475 = t471 * t471 + t474;
    let t476 = t472 * t472 + t475;
    let t477 = sqrt(t476);
    let t478 = p.c1 / t477;
    let t479 = t469 * t478;
    let t480 = t470 * t478;
    let t481 = t471 * t478;
    let t482 = t472 * t478;
    let t483 = s.wx * p.c3;
    let t484 = s.wy * p.c3;
    let t485 = s.wz * p.c3;
    let t486 = p.c2 * t465;
    let t487 = p.c2 * t466;
    let t488 = p.c2 * t467;
    let t489 = p.c2 * t468;
    let t490 = s.q1 * t483 + t486;
    let t491 = s.q2 * t484 + t490;
    let t492 = s.q3 * t485 + t491;
    let t493 = s.q0 * t483 + t487;
    let t494 = s.q2 * t485 + t493;
    let t495 = t494 - s.q3 * t484;
    let t496 = s.q0 * t484 + t488;
    let t497 = s.q3 * t483 + t496;
    let t498 = t497 - s.q1 * t485;
    let t499 = s.q0 * t485 + t489;
    let t500 = s.q1 * t484 + t499;
    let t501 = t500 - s.q2 * t483;
    let t502 = t480 * t492;
    let t503 = t481 * t492;
    let t504 = t482 * t492;
    let t505 = t479 * t495 + t502;
    let t506 = t505 - t481 * t501;
    let t507 = t482 * t498 + t506;
    let t508 = t479 * t498 + t503;
    let t509 = t508 - t482 * t495;
    let t510 = t480 * t501 + t509;
    let t511 = t479 * t501 + t504;
    let t512 = t511 - t480 * t498;
    let t513 = t481 * t495 + t512;
    let t514 = p.c2 * t507;
    let t515 = p.c2 * t510;
    let t516 = p.c2 * t513;
    var next: State;
    next.q0 = t479;
    next.q1 = t480;
    next.q2 = t481;
    next.q3 = t482;
    next.wx = t514;
    next.wy = t515;
    next.wz = t516;
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

fn energy_change(instance: u32, s: State) -> Judged {
    let t0 = s.wx * parameters[0u * run.stride + instance];
    let t1 = s.wy * parameters[1u * run.stride + instance];
    let t2 = s.wz * parameters[2u * run.stride + instance];
    let t3 = s.wx * t0;
    let t4 = s.wy * t1 + t3;
    let t5 = s.wz * t2 + t4;
    let t6 = shared_values[0] * t5;
    let t7 = t6 - parameters[3u * run.stride + instance];
    let t8 = parameters[4u * run.stride + instance] * shared_values[4];
    return Judged(t7, t8);
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
