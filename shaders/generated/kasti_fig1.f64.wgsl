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
    return p;
}

// A full step takes 542 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.q2 * p.c3;
    let t1 = s.q1 * p.c3;
    let t2 = p.c5 * t0;
    let t3 = p.c5 * t1;
    let t4 = s.q3 * t3;
    let t5 = s.q3 * t2;
    let t6 = t4 - s.q0 * t2;
    let t7 = s.q0 * t3 + t5;
    let t8 = s.wx * p.c4;
    let t9 = s.wy * p.c4;
    let t10 = t8 - p.c1 * t7;
    let t11 = p.c1 * t6 + t9;
    let t12 = s.wx * p.c0;
    let t13 = s.wy * p.c0;
    let t14 = s.wz * p.c0;
    let t15 = s.wx * p.c1;
    let t16 = s.wy * p.c1;
    let t17 = s.wz * p.c1;
    let t18 = t15 * t15 + p.c2;
    let t19 = t16 * t16 + t18;
    let t20 = t17 * t17 + t19;
    let t21 = sqrt(t20);
    let t22 = p.c2 / t21;
    let t23 = t15 * t22;
    let t24 = t16 * t22;
    let t25 = t17 * t22;
    let t26 = t22 * p.c6;
    let t27 = t23 * p.c6;
    let t28 = t24 * p.c6;
    let t29 = t25 * p.c6;
    let t30 = t26 - t12 * t23;
    let t31 = t30 - t13 * t24;
    let t32 = t31 - t14 * t25;
    let t33 = t12 * t22 + t27;
    let t34 = t14 * t24 - t33;
    let t35 = t34 - t13 * t25;
    let t36 = t13 * t22 + t28;
    let t37 = t12 * t25 - t36;
    let t38 = t37 - t14 * t23;
    let t39 = t14 * t22 + t29;
    let t40 = t13 * t23 - t39;
    let t41 = t40 - t12 * t24;
    let t42 = p.c5 * t35;
    let t43 = p.c5 * t38;
    let t44 = p.c5 * t41;
    let t45 = s.q0 * t22;
    let t46 = s.q1 * t22;
    let t47 = s.q2 * t22;
    let t48 = s.q3 * t22;
    let t49 = t45 - s.q1 * t23;
    let t50 = t49 - s.q2 * t24;
    let t51 = t50 - s.q3 * t25;
    let t52 = s.q0 * t23 + t46;
    let t53 = s.q2 * t25 + t52;
    let t54 = t53 - s.q3 * t24;
    let t55 = s.q0 * t24 + t47;
    let t56 = s.q3 * t23 + t55;
    let t57 = t56 - s.q1 * t25;
    let t58 = s.q0 * t25 + t48;
    let t59 = s.q1 * t24 + t58;
    let t60 = t59 - s.q2 * t23;
    let t61 = t51 * t51;
    let t62 = t54 * t54 + t61;
    let t63 = t57 * t57 + t62;
    let t64 = t60 * t60 + t63;
    let t65 = sqrt(t64);
    let t66 = p.c2 / t65;
    let t67 = t51 * t66;
    let t68 = t54 * t66;
    let t69 = t57 * t66;
    let t70 = t60 * t66;
    let t71 = t11 * t25;
    let t72 = s.wz * t24 - t71;
    let t73 = s.wz * t23;
    let t74 = t10 * t25 - t73;
    let t75 = t10 * t24;
    let t76 = t11 * t23 - t75;
    let t77 = p.c5 * t72;
    let t78 = p.c5 * t74;
    let t79 = p.c5 * t76;
    let t80 = t24 * t79 + t10;
    let t81 = t80 - t25 * t78;
    let t82 = t25 * t77 + t11;
    let t83 = t82 - t23 * t79;
    let t84 = t23 * t78 + s.wz;
    let t85 = t84 - t24 * t77;
    let t86 = t81 - t22 * t77;
    let t87 = t83 - t22 * t78;
    let t88 = t85 - t22 * t79;
    let t89 = p.c4 * t42;
    let t90 = p.c4 * t43;
    let t91 = p.c3 * t69;
    let t92 = p.c3 * t68;
    let t93 = p.c5 * t91;
    let t94 = p.c5 * t92;
    let t95 = t70 * t94;
    let t96 = t70 * t93;
    let t97 = t95 - t67 * t93;
    let t98 = t67 * t94 + t96;
    let t99 = t86 - p.c1 * t98;
    let t100 = p.c1 * t97 + t87;
    let t101 = t99 - t89;
    let t102 = t100 - t90;
    let t103 = t88 - t44;
    let t104 = p.c4 * t32;
    let t105 = p.c4 * t41;
    let t106 = t105 - t88;
    let t107 = t87 - t38;
    let t108 = t88 - t105;
    let t109 = t35 - t86;
    let t110 = p.c4 * t38;
    let t111 = p.c4 * t35;
    let t112 = t110 - t87;
    let t113 = t86 - t111;
    let t114 = t109 * t113;
    let t115 = t114 - t32 * t104;
    let t116 = t32 * t108;
    let t117 = t109 * t112 + t116;
    let t118 = t104 * t112;
    let t119 = t108 * t113 + t118;
    let t120 = t32 * t106;
    let t121 = t107 * t113 + t120;
    let t122 = t107 * t112;
    let t123 = t122 - t32 * t104;
    let t124 = t104 * t113;
    let t125 = t106 * t112 + t124;
    let t126 = t104 * t107;
    let t127 = t106 * t109 + t126;
    let t128 = t104 * t109;
    let t129 = t107 * t108 + t128;
    let t130 = t106 * t108;
    let t131 = t130 - t104 * t104;
    let t132 = t104 * t115;
    let t133 = t106 * t117 + t132;
    let t134 = t107 * t119 + t133;
    let t135 = p.c2 / t134;
    let t136 = t101 * t115;
    let t137 = t102 * t117 - t136;
    let t138 = t103 * t119 + t137;
    let t139 = t135 * t138;
    let t140 = t101 * t121;
    let t141 = t140 - t102 * t123;
    let t142 = t103 * t125 + t141;
    let t143 = t135 * t142;
    let t144 = t101 * t127;
    let t145 = t102 * t129 + t144;
    let t146 = t145 - t103 * t131;
    let t147 = t135 * t146;
    let t148 = p.c0 * t139;
    let t149 = p.c0 * t143;
    let t150 = p.c0 * t147;
    let t151 = t22 - t23 * t148;
    let t152 = t151 - t24 * t149;
    let t153 = t152 - t25 * t150;
    let t154 = t15 + t148;
    let t155 = t22 * t154;
    let t156 = t24 * t150 + t155;
    let t157 = t156 - t25 * t149;
    let t158 = t16 + t149;
    let t159 = t22 * t158;
    let t160 = t25 * t148 + t159;
    let t161 = t160 - t23 * t150;
    let t162 = t17 + t150;
    let t163 = t22 * t162;
    let t164 = t23 * t149 + t163;
    let t165 = t164 - t24 * t148;
    let t166 = t153 * t153;
    let t167 = t157 * t157 + t166;
    let t168 = t161 * t161 + t167;
    let t169 = t165 * t165 + t168;
    let t170 = sqrt(t169);
    let t171 = p.c2 / t170;
    let t172 = t153 * t171;
    let t173 = t157 * t171;
    let t174 = t161 * t171;
    let t175 = t165 * t171;
    let t176 = s.q0 * t172;
    let t177 = s.q1 * t172;
    let t178 = s.q2 * t172;
    let t179 = s.q3 * t172;
    let t180 = t176 - s.q1 * t173;
    let t181 = t180 - s.q2 * t174;
    let t182 = t181 - s.q3 * t175;
    let t183 = s.q0 * t173 + t177;
    let t184 = s.q2 * t175 + t183;
    let t185 = t184 - s.q3 * t174;
    let t186 = s.q0 * t174 + t178;
    let t187 = s.q3 * t173 + t186;
    let t188 = t187 - s.q1 * t175;
    let t189 = s.q0 * t175 + t179;
    let t190 = s.q1 * t174 + t189;
    let t191 = t190 - s.q2 * t173;
    let t192 = t182 * t182;
    let t193 = t185 * t185 + t192;
    let t194 = t188 * t188 + t193;
    let t195 = t191 * t191 + t194;
    let t196 = sqrt(t195);
    let t197 = p.c2 / t196;
    let t198 = t182 * t197;
    let t199 = t185 * t197;
    let t200 = t188 * t197;
    let t201 = t191 * t197;
    let t202 = p.c6 * t172;
    let t203 = p.c6 * t173;
    let t204 = p.c6 * t174;
    let t205 = p.c6 * t175;
    let t206 = t202 - t12 * t173;
    let t207 = t206 - t13 * t174;
    let t208 = t207 - t14 * t175;
    let t209 = t12 * t172 + t203;
    let t210 = t14 * t174 - t209;
    let t211 = t210 - t13 * t175;
    let t212 = t13 * t172 + t204;
    let t213 = t12 * t175 - t212;
    let t214 = t213 - t14 * t173;
    let t215 = t14 * t172 + t205;
    let t216 = t13 * t173 - t215;
    let t217 = t216 - t12 * t174;
    let t218 = p.c5 * t211;
    let t219 = p.c5 * t214;
    let t220 = p.c5 * t217;
    let t221 = t11 * t175;
    let t222 = s.wz * t174 - t221;
    let t223 = s.wz * t173;
    let t224 = t10 * t175 - t223;
    let t225 = t10 * t174;
    let t226 = t11 * t173 - t225;
    let t227 = p.c5 * t222;
    let t228 = p.c5 * t224;
    let t229 = p.c5 * t226;
    let t230 = t174 * t229 + t10;
    let t231 = t230 - t175 * t228;
    let t232 = t175 * t227 + t11;
    let t233 = t232 - t173 * t229;
    let t234 = t173 * t228 + s.wz;
    let t235 = t234 - t174 * t227;
    let t236 = t231 - t172 * t227;
    let t237 = t233 - t172 * t228;
    let t238 = t235 - t172 * t229;
    let t239 = p.c4 * t218;
    let t240 = p.c4 * t219;
    let t241 = p.c3 * t200;
    let t242 = p.c3 * t199;
    let t243 = p.c5 * t241;
    let t244 = p.c5 * t242;
    let t245 = t201 * t244;
    let t246 = t201 * t243;
    let t247 = t245 - t198 * t243;
    let t248 = t198 * t244 + t246;
    let t249 = t236 - p.c1 * t248;
    let t250 = p.c1 * t247 + t237;
    let t251 = t249 - t239;
    let t252 = t250 - t240;
    let t253 = t238 - t220;
    let t254 = p.c4 * t208;
    let t255 = p.c4 * t217;
    let t256 = t255 - t238;
    let t257 = t237 - t214;
    let t258 = t238 - t255;
    let t259 = t211 - t236;
    let t260 = p.c4 * t214;
    let t261 = p.c4 * t211;
    let t262 = t260 - t237;
    let t263 = t236 - t261;
    let t264 = t259 * t263;
    let t265 = t264 - t208 * t254;
    let t266 = t208 * t258;
    let t267 = t259 * t262 + t266;
    let t268 = t254 * t262;
    let t269 = t258 * t263 + t268;
    let t270 = t208 * t256;
    let t271 = t257 * t263 + t270;
    let t272 = t257 * t262;
    let t273 = t272 - t208 * t254;
    let t274 = t254 * t263;
    let t275 = t256 * t262 + t274;
    let t276 = t254 * t257;
    let t277 = t256 * t259 + t276;
    let t278 = t254 * t259;
    let t279 = t257 * t258 + t278;
    let t280 = t256 * t258;
    let t281 = t280 - t254 * t254;
    let t282 = t254 * t265;
    let t283 = t256 * t267 + t282;
    let t284 = t257 * t269 + t283;
    let t285 = p.c2 / t284;
    let t286 = t251 * t265;
    let t287 = t252 * t267 - t286;
    let t288 = t253 * t269 + t287;
    let t289 = t285 * t288;
    let t290 = t251 * t271;
    let t291 = t290 - t252 * t273;
    let t292 = t253 * t275 + t291;
    let t293 = t285 * t292;
    let t294 = t251 * t277;
    let t295 = t252 * t279 + t294;
    let t296 = t295 - t253 * t281;
    let t297 = t285 * t296;
    let t298 = p.c0 * t289;
    let t299 = p.c0 * t293;
    let t300 = p.c0 * t297;
    let t301 = t172 - t173 * t298;
    let t302 = t301 - t174 * t299;
    let t303 = t302 - t175 * t300;
    let t304 = t172 * t298 + t173;
    let t305 = t174 * t300 + t304;
    let t306 = t305 - t175 * t299;
    let t307 = t172 * t299 + t174;
    let t308 = t175 * t298 + t307;
    let t309 = t308 - t173 * t300;
    let t310 = t172 * t300 + t175;
    let t311 = t173 * t299 + t310;
    let t312 = t311 - t174 * t298;
    let t313 = t303 * t303;
    let t314 = t306 * t306 + t313;
    let t315 = t309 * t309 + t314;
    let t316 = t312 * t312 + t315;
    let t317 = sqrt(t316);
    let t318 = p.c2 / t317;
    let t319 = t303 * t318;
    let t320 = t306 * t318;
    let t321 = t309 * t318;
    let t322 = t312 * t318;
    let t323 = s.q0 * t319;
    let t324 = s.q1 * t319;
    let t325 = s.q2 * t319;
    let t326 = s.q3 * t319;
    let t327 = t323 - s.q1 * t320;
    let t328 = t327 - s.q2 * t321;
    let t329 = t328 - s.q3 * t322;
    let t330 = s.q0 * t320 + t324;
    let t331 = s.q2 * t322 + t330;
    let t332 = t331 - s.q3 * t321;
    let t333 = s.q0 * t321 + t325;
    let t334 = s.q3 * t320 + t333;
    let t335 = t334 - s.q1 * t322;
    let t336 = s.q0 * t322 + t326;
    let t337 = s.q1 * t321 + t336;
    let t338 = t337 - s.q2 * t320;
    let t339 = t329 * t329;
    let t340 = t332 * t332 + t339;
    let t341 = t335 * t335 + t340;
    let t342 = t338 * t338 + t341;
    let t343 = sqrt(t342);
    let t344 = p.c2 / t343;
    let t345 = t329 * t344;
    let t346 = t332 * t344;
    let t347 = t335 * t344;
    let t348 = t338 * t344;
    let t349 = p.c6 * t320;
    let t350 = p.c6 * t321;
    let t351 = p.c6 * t322;
    let t352 = t12 * t319 + t349;
    let t353 = t14 * t321 - t352;
    let t354 = t353 - t13 * t322;
    let t355 = t13 * t319 + t350;
    let t356 = t12 * t322 - t355;
    let t357 = t356 - t14 * t320;
    let t358 = t14 * t319 + t351;
    let t359 = t13 * t320 - t358;
    let t360 = t359 - t12 * t321;
    let t361 = p.c5 * t354;
    let t362 = p.c5 * t357;
    let t363 = p.c5 * t360;
    var next: State;
    next.q0 = t345;
    next.q1 = t346;
    next.q2 = t347;
    next.q3 = t348;
    next.wx = t361;
    next.wy = t362;
    next.wz = t363;
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
