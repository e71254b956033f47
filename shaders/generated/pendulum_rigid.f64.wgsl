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
    rx: real,
    ry: real,
    rz: real,
    vx: real,
    vy: real,
    vz: real,
    half_q0: real,
    half_q1: real,
    half_q2: real,
    half_q3: real,
    half_wx: real,
    half_wy: real,
    half_wz: real,
    half_rx: real,
    half_ry: real,
    half_rz: real,
    half_vx: real,
    half_vy: real,
    half_vz: real,
    multiplier_0: real,
    multiplier_1: real,
    multiplier_2: real,
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
    s.rx = state[7u * run.stride + instance];
    s.ry = state[8u * run.stride + instance];
    s.rz = state[9u * run.stride + instance];
    s.vx = state[10u * run.stride + instance];
    s.vy = state[11u * run.stride + instance];
    s.vz = state[12u * run.stride + instance];
    s.half_q0 = state[13u * run.stride + instance];
    s.half_q1 = state[14u * run.stride + instance];
    s.half_q2 = state[15u * run.stride + instance];
    s.half_q3 = state[16u * run.stride + instance];
    s.half_wx = state[17u * run.stride + instance];
    s.half_wy = state[18u * run.stride + instance];
    s.half_wz = state[19u * run.stride + instance];
    s.half_rx = state[20u * run.stride + instance];
    s.half_ry = state[21u * run.stride + instance];
    s.half_rz = state[22u * run.stride + instance];
    s.half_vx = state[23u * run.stride + instance];
    s.half_vy = state[24u * run.stride + instance];
    s.half_vz = state[25u * run.stride + instance];
    s.multiplier_0 = state[26u * run.stride + instance];
    s.multiplier_1 = state[27u * run.stride + instance];
    s.multiplier_2 = state[28u * run.stride + instance];
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
    state[7u * run.stride + instance] = s.rx;
    state[8u * run.stride + instance] = s.ry;
    state[9u * run.stride + instance] = s.rz;
    state[10u * run.stride + instance] = s.vx;
    state[11u * run.stride + instance] = s.vy;
    state[12u * run.stride + instance] = s.vz;
    state[13u * run.stride + instance] = s.half_q0;
    state[14u * run.stride + instance] = s.half_q1;
    state[15u * run.stride + instance] = s.half_q2;
    state[16u * run.stride + instance] = s.half_q3;
    state[17u * run.stride + instance] = s.half_wx;
    state[18u * run.stride + instance] = s.half_wy;
    state[19u * run.stride + instance] = s.half_wz;
    state[20u * run.stride + instance] = s.half_rx;
    state[21u * run.stride + instance] = s.half_ry;
    state[22u * run.stride + instance] = s.half_rz;
    state[23u * run.stride + instance] = s.half_vx;
    state[24u * run.stride + instance] = s.half_vy;
    state[25u * run.stride + instance] = s.half_vz;
    state[26u * run.stride + instance] = s.multiplier_0;
    state[27u * run.stride + instance] = s.multiplier_1;
    state[28u * run.stride + instance] = s.multiplier_2;
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
    next.rx = flushed_real(s.rx);
    next.ry = flushed_real(s.ry);
    next.rz = flushed_real(s.rz);
    next.vx = flushed_real(s.vx);
    next.vy = flushed_real(s.vy);
    next.vz = flushed_real(s.vz);
    next.half_q0 = flushed_real(s.half_q0);
    next.half_q1 = flushed_real(s.half_q1);
    next.half_q2 = flushed_real(s.half_q2);
    next.half_q3 = flushed_real(s.half_q3);
    next.half_wx = flushed_real(s.half_wx);
    next.half_wy = flushed_real(s.half_wy);
    next.half_wz = flushed_real(s.half_wz);
    next.half_rx = flushed_real(s.half_rx);
    next.half_ry = flushed_real(s.half_ry);
    next.half_rz = flushed_real(s.half_rz);
    next.half_vx = flushed_real(s.half_vx);
    next.half_vy = flushed_real(s.half_vy);
    next.half_vz = flushed_real(s.half_vz);
    next.multiplier_0 = flushed_real(s.multiplier_0);
    next.multiplier_1 = flushed_real(s.multiplier_1);
    next.multiplier_2 = flushed_real(s.multiplier_2);
    return next;
}

fn is_finite_state(s: State) -> bool {
    return is_finite_real(s.q0)
        && is_finite_real(s.q1)
        && is_finite_real(s.q2)
        && is_finite_real(s.q3)
        && is_finite_real(s.wx)
        && is_finite_real(s.wy)
        && is_finite_real(s.wz)
        && is_finite_real(s.rx)
        && is_finite_real(s.ry)
        && is_finite_real(s.rz)
        && is_finite_real(s.vx)
        && is_finite_real(s.vy)
        && is_finite_real(s.vz);
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
}

fn prepare(instance: u32) -> Prepared {
    var p: Prepared;
    p.c0 = shared_values[0];
    p.c1 = shared_values[1];
    p.c2 = shared_values[2];
    p.c3 = shared_values[4];
    p.c4 = shared_values[5];
    p.c5 = shared_values[6];
    p.c6 = shared_values[9];
    p.c7 = shared_values[10];
    p.c8 = shared_values[11];
    p.c9 = shared_values[12];
    p.c10 = shared_values[13];
    p.c11 = shared_values[14];
    p.c12 = shared_values[15];
    p.c13 = shared_values[16];
    p.c14 = shared_values[17];
    p.c15 = shared_values[18];
    p.c16 = shared_values[19];
    p.c17 = shared_values[20];
    p.c18 = shared_values[21];
    return p;
}

// A full step takes 615 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.half_q3 * p.c6;
    let t1 = s.half_q2 * p.c6;
    let t2 = p.c10 * t0;
    let t3 = p.c10 * t1;
    let t4 = p.c6 - s.half_q3 * t2;
    let t5 = t4 - s.half_q2 * t3;
    let t6 = s.half_rx + t5;
    let t7 = s.half_q0 * t2 + s.half_ry;
    let t8 = s.half_q1 * t3 + t7;
    let t9 = s.half_rz - s.half_q0 * t3;
    let t10 = s.half_q1 * t2 + t9;
    let t11 = s.half_wz * p.c6;
    let t12 = s.half_wy * p.c6;
    let t13 = s.half_wz * t11;
    let t14 = s.half_wy * t12 + t13;
    let t15 = s.half_wx * t12;
    let t16 = s.half_wx * t11;
    let t17 = s.half_q3 * t15;
    let t18 = s.half_q2 * t16 - t17;
    let t19 = s.half_q1 * t16;
    let t20 = s.half_q3 * t14 + t19;
    let t21 = s.half_q2 * t14;
    let t22 = s.half_q1 * t15 + t21;
    let t23 = p.c10 * t18;
    let t24 = p.c10 * t20;
    let t25 = p.c10 * t22;
    let t26 = s.half_q2 * t25;
    let t27 = s.half_q3 * t24 + t26;
    let t28 = s.half_q3 * t23;
    let t29 = t28 - s.half_q1 * t25;
    let t30 = s.half_q1 * t24;
    let t31 = s.half_q2 * t23 + t30;
    let t32 = s.half_q0 * t23 + t27;
    let t33 = t29 - s.half_q0 * t24;
    let t34 = s.half_q0 * t25 - t31;
    let t35 = t32 - t14;
    let t36 = t15 + t33;
    let t37 = t16 + t34;
    let t38 = s.half_q3 * p.c10;
    let t39 = s.half_q2 * p.c10;
    let t40 = s.half_q1 * t39;
    let t41 = s.half_q1 * t38;
    let t42 = s.half_q0 * t38 - t40;
    let t43 = s.half_q0 * t39 + t41;
    let t44 = p.c6 * t43;
    let t45 = p.c6 * t42;
    let t46 = s.half_q1 * p.c10;
    let t47 = s.half_q3 * t38 + p.c11;
    let t48 = s.half_q1 * t46 + t47;
    let t49 = s.half_q2 * t38;
    let t50 = s.half_q0 * t46 - t49;
    let t51 = p.c6 * t50;
    let t52 = p.c6 * t48;
    let t53 = s.half_q3 * t39;
    let t54 = s.half_q1 * t46 + p.c11;
    let t55 = s.half_q2 * t39 + t54;
    let t56 = s.half_q0 * t46 + t53;
    let t57 = p.c6 * t55;
    let t58 = p.c6 * t56;
    let t59 = s.q3 * p.c10;
    let t60 = s.q2 * p.c10;
    let t61 = s.q1 * t60;
    let t62 = s.q1 * t59;
    let t63 = s.q0 * t59 - t61;
    let t64 = s.q0 * t60 + t62;
    let t65 = p.c6 * t64;
    let t66 = p.c6 * t63;
    let t67 = s.q1 * p.c10;
    let t68 = s.q3 * t59 + p.c11;
    let t69 = s.q1 * t67 + t68;
    let t70 = s.q2 * t59;
    let t71 = s.q0 * t67 - t70;
    let t72 = p.c6 * t71;
    let t73 = p.c6 * t69;
    let t74 = s.q3 * t60;
    let t75 = s.q1 * t67 + p.c11;
    let t76 = s.q2 * t60 + t75;
    let t77 = s.q0 * t67 + t74;
    let t78 = p.c6 * t76;
    let t79 = p.c6 * t77;
    let t80 = s.half_wx * s.half_wz;
    let t81 = s.half_wx * s.half_wy;
    let t82 = p.c12 * t80;
    let t83 = p.c13 * t81;
    let t84 = t44 * p.c14;
    let t85 = t45 * p.c14;
    let t86 = t45 * t85 + p.c15;
    let t87 = t44 * t84 + t86;
    let t88 = t51 * t84;
    let t89 = t52 * t85 - t88;
    let t90 = t51 * p.c14;
    let t91 = t52 * p.c14;
    let t92 = t52 * t91 + p.c15;
    let t93 = t51 * t90 + t92;
    let t94 = t57 * t84;
    let t95 = t58 * t85 + t94;
    let t96 = t57 * t90;
    let t97 = t96 - t58 * t91;
    let t98 = t57 * p.c14;
    let t99 = t58 * p.c14;
    let t100 = t58 * t99 + p.c15;
    let t101 = t57 * t98 + t100;
    let t102 = t45 * t83 - t35;
    let t103 = t44 * t82 + t102;
    let t104 = t52 * t83 - t36;
    let t105 = t104 - t51 * t82;
    let t106 = p.c16 - t58 * t83;
    let t107 = t106 - t57 * t82;
    let t108 = t107 - t37;
    let t109 = s.wz * t66 - s.vx;
    let t110 = s.wy * t65 + t109;
    let t111 = s.wz * t73 - s.vy;
    let t112 = t111 - s.wy * t72;
    let t113 = s.wz * t79 + s.vz;
    let t114 = s.wy * t78 + t113;
    let t115 = t87 * p.c17 + p.c7;
    let t116 = p.c2 * t87 + t115;
    let t117 = t93 * p.c17 + p.c7;
    let t118 = p.c2 * t89;
    let t119 = p.c2 * t93 + t117;
    let t120 = t101 * p.c17 + p.c7;
    let t121 = p.c2 * t95;
    let t122 = p.c2 * t97;
    let t123 = p.c2 * t101 + t120;
    let t124 = p.c8 * t110 + t103;
    let t125 = t124 - p.c9 * t6;
    let t126 = s.multiplier_0 * t115;
    let t127 = p.c2 * t125 + t126;
    let t128 = p.c8 * t112 + t105;
    let t129 = t128 - p.c9 * t8;
    let t130 = s.multiplier_1 * t117;
    let t131 = p.c2 * t129 + t130;
    let t132 = t108 - p.c8 * t114;
    let t133 = t132 - p.c9 * t10;
    let t134 = s.multiplier_2 * t120;
    let t135 = p.c2 * t133 + t134;
    let t136 = p.c4 / t116;
    let t137 = t118 * t136;
    let t138 = t119 - t118 * t137;
    let t139 = t121 * t136;
    let t140 = t118 * t139 + t122;
    let t141 = p.c4 / t138;
    let t142 = t123 - t121 * t139;
    let t143 = t140 * t141;
    let t144 = t142 - t140 * t143;
    let t145 = p.c4 / t144;
    let t146 = t131 - t127 * t137;
    let t147 = t127 * t139 + t135;
    let t148 = t147 - t143 * t146;
    let t149 = t145 * t148;
    let t150 = t141 * t146;
    let t151 = t150 - t143 * t149;
    let t152 = t127 * t136;
    let t153 = t152 - t137 * t151;
    let t154 = t139 * t149 + t153;
    let t155 = t44 * t154;
    let t156 = t45 * t154;
    let t157 = t51 * t151 - t155;
    let t158 = t52 * t151 + t156;
    let t159 = t57 * t149 + t157;
    let t160 = t58 * t149 - t158;
    let t161 = p.c14 * t159 + t82;
    let t162 = p.c14 * t160 + t83;
    let t163 = p.c15 * t154;
    let t164 = p.c15 * t151;
    let t165 = p.c15 * t149 + p.c3;
    let t166 = p.c0 * t161 + s.wy;
    let t167 = p.c0 * t162 + s.wz;
    let t168 = p.c0 * t163 + s.vx;
    let t169 = p.c0 * t164 + s.vy;
    let t170 = p.c0 * t165 + s.vz;
    let t171 = s.half_wx * p.c5;
    let t172 = s.half_wy * p.c5;
    let t173 = s.half_wz * p.c5;
    let t174 = t171 * t171 + p.c4;
    let t175 = t172 * t172 + t174;
    let t176 = t173 * t173 + t175;
    let t177 = p.c10 / t176;
    let t178 = s.q0 - s.q1 * t171;
    let t179 = t178 - s.q2 * t172;
    let t180 = t179 - s.q3 * t173;
    let t181 = s.q0 * t171 + s.q1;
    let t182 = s.q2 * t173 + t181;
    let t183 = t182 - s.q3 * t172;
    let t184 = s.q0 * t172 + s.q2;
    let t185 = s.q3 * t171 + t184;
    let t186 = t185 - s.q1 * t173;
    let t187 = s.q0 * t173 + s.q3;
    let t188 = s.q1 * t172 + t187;
    let t189 = t188 - s.q2 * t171;
    let t190 = t177 * t180 - s.q0;
    let t191 = t177 * t183 - s.q1;
    let t192 = t177 * t186 - s.q2;
    let t193 = t177 * t189 - s.q3;
    let t194 = t190 * t190;
    let t195 = t191 * t191 + t194;
    let t196 = t192 * t192 + t195;
    let t197 = t193 * t193 + t196;
    let t198 = p.c18 - p.c1 * t197;
    let t199 = t190 * t198;
    let t200 = t191 * t198;
    let t201 = t192 * t198;
    let t202 = t193 * t198;
    let t203 = s.half_vx * p.c0 + s.rx;
    let t204 = s.half_vy * p.c0 + s.ry;
    let t205 = s.half_vz * p.c0 + s.rz;
    let t206 = p.c6 * t202;
    let t207 = p.c6 * t201;
    let t208 = p.c10 * t206;
    let t209 = p.c10 * t207;
    let t210 = p.c6 - t202 * t208;
    let t211 = t210 - t201 * t209;
    let t212 = t203 + t211;
    let t213 = t199 * t208 + t204;
    let t214 = t200 * t209 + t213;
    let t215 = t205 - t199 * t209;
    let t216 = t200 * t208 + t215;
    let t217 = p.c6 * t167;
    let t218 = p.c6 * t166;
    let t219 = t167 * t217;
    let t220 = t166 * t218 + t219;
    let t221 = s.wx * t218;
    let t222 = s.wx * t217;
    let t223 = t202 * t221;
    let t224 = t201 * t222 - t223;
    let t225 = t200 * t222;
    let t226 = t202 * t220 + t225;
    let t227 = t201 * t220;
    let t228 = t200 * t221 + t227;
    let t229 = p.c10 * t224;
    let t230 = p.c10 * t226;
    let t231 = p.c10 * t228;
    let t232 = t201 * t231;
    let t233 = t202 * t230 + t232;
    let t234 = t202 * t229;
    let t235 = t234 - t200 * t231;
    let t236 = t200 * t230;
    let t237 = t201 * t229 + t236;
    let t238 = t199 * t229 + t233;
    let t239 = t235 - t199 * t230;
    let t240 = t199 * t231 - t237;
    let t241 = t238 - t220;
    let t242 = t221 + t239;
    let t243 = t222 + t240;
    let t244 = p.c10 * t202;
    let t245 = p.c10 * t201;
    let t246 = t200 * t245;
    let t247 = t200 * t244;
    let t248 = t199 * t244 - t246;
    let t249 = t199 * t245 + t247;
    let t250 = p.c6 * t249;
    let t251 = p.c6 * t248;
    let t252 = p.c10 * t200;
    let t253 = t202 * t244 + p.c11;
    let t254 = t200 * t252 + t253;
    let t255 = t201 * t244;
    let t256 = t199 * t252 - t255;
    let t257 = p.c6 * t256;
    let t258 = p.c6 * t254;
    let t259 = t202 * t245;
    let t260 = t200 * t252 + p.c11;
    let t261 = t201 * t245 + t260;
    let t262 = t199 * t252 + t259;
    let t263 = p.c6 * t261;
    let t264 = p.c6 * t262;
    let t265 = s.wx * t167;
    let t266 = s.wx * t166;
    let t267 = p.c12 * t265;
    let t268 = p.c13 * t266;
    let t269 = p.c14 * t250;
    let t270 = p.c14 * t251;
    let t271 = t251 * t270 + p.c15;
    let t272 = t250 * t269 + t271;
    let t273 = t257 * t269;
    let t274 = t258 * t270 - t273;
    let t275 = p.c14 * t257;
    let t276 = p.c14 * t258;
    let t277 = t258 * t276 + p.c15;
    let t278 = t257 * t275 + t277;
    let t279 = t263 * t269;
    let t280 = t264 * t270 + t279;
    let t281 = t263 * t275;
    let t282 = t281 - t264 * t276;
    let t283 = p.c14 * t263;
    let t284 = p.c14 * t264;
    let t285 = t264 * t284 + p.c15;
    let t286 = t263 * t283 + t285;
    let t287 = t251 * t268 - t241;
    let t288 = t250 * t267 + t287;
    let t289 = t258 * t268 - t242;
    let t290 = t289 - t257 * t267;
    let t291 = p.c16 - t264 * t268;
    let t292 = t291 - t263 * t267;
    let t293 = t292 - t243;
    let t294 = s.half_wz * t45 - s.half_vx;
    let t295 = s.half_wy * t44 + t294;
    let t296 = s.half_wz * t52 - s.half_vy;
    let t297 = t296 - s.half_wy * t51;
    let t298 = s.half_wz * t58 + s.half_vz;
    let t299 = s.half_wy * t57 + t298;
    let t300 = p.c17 * t272 + p.c7;
    let t301 = p.c2 * t272 + t300;
    let t302 = p.c17 * t278 + p.c7;
    let t303 = p.c2 * t274;
    let t304 = p.c2 * t278 + t302;
    let t305 = p.c17 * t286 + p.c7;
    let t306 = p.c2 * t280;
    let t307 = p.c2 * t282;
    let t308 = p.c2 * t286 + t305;
    let t309 = p.c8 * t295 + t288;
    let t310 = t309 - p.c9 * t212;
    let t311 = t154 * t300;
    let t312 = p.c2 * t310 + t311;
    let t313 = p.c8 * t297 + t290;
    let t314 = t313 - p.c9 * t214;
    let t315 = t151 * t302;
    let t316 = p.c2 * t314 + t315;
    let t317 = t293 - p.c8 * t299;
    let t318 = t317 - p.c9 * t216;
    let t319 = t149 * t305;
    let t320 = p.c2 * t318 + t319;
    let t321 = p.c4 / t301;
    let t322 = t303 * t321;
    let t323 = t304 - t303 * t322;
    let t324 = t306 * t321;
    let t325 = t303 * t324 + t307;
    let t326 = p.c4 / t323;
    let t327 = t308 - t306 * t324;
    let t328 = t325 * t326;
    let t329 = t327 - t325 * t328;
    let t330 = p.c4 / t329;
    let t331 = t316 - t312 * t322;
    let t332 = t312 * t324 + t320;
    let t333 = t332 - t328 * t331;
    let t334 = t330 * t333;
    let t335 = t326 * t331;
    let t336 = t335 - t328 * t334;
    let t337 = t312 * t321;
    let t338 = t337 - t322 * t336;
    let t339 = t324 * t334 + t338;
    let t340 = t250 * t339;
    let t341 = t251 * t339;
    let t342 = t257 * t336 - t340;
    let t343 = t258 * t336 + t341;
    let t344 = t263 * t334 + t342;
    let t345 = t264 * t334 - t343;
    let t346 = p.c14 * t344 + t267;
    let t347 = p.c14 * t345 + t268;
    let t348 = p.c15 * t339;
    let t349 = p.c15 * t336;
    let t350 = p.c15 * t334 + p.c3;
    let t351 = p.c0 * t346 + s.half_wy;
    let t352 = p.c0 * t347 + s.half_wz;
    let t353 = p.c0 * t348 + s.half_vx;
    let t354 = p.c0 * t349 + s.half_vy;
    let t355 = p.c0 * t350 + s.half_vz;
    let t356 = s.wx * p.c5;
    let t357 = p.c5 * t166;
    let t358 = p.c5 * t167;
    let t359 = t356 * t356 + p.c4;
    let t360 = t357 * t357 + t359;
    let t361 = t358 * t358 + t360;
    let t362 = p.c10 / t361;
    let t363 = s.half_q0 - s.half_q1 * t356;
    let t364 = t363 - s.half_q2 * t357;
    let t365 = t364 - s.half_q3 * t358;
    let t366 = s.half_q0 * t356 + s.half_q1;
    let t367 = s.half_q2 * t358 + t366;
    let t368 = t367 - s.half_q3 * t357;
    let t369 = s.half_q0 * t357 + s.half_q2;
    let t370 = s.half_q3 * t356 + t369;
    let t371 = t370 - s.half_q1 * t358;
    let t372 = s.half_q0 * t358 + s.half_q3;
    let t373 = s.half_q1 * t357 + t372;
    let t374 = t373 - s.half_q2 * t356;
    let t375 = t362 * t365 - s.half_q0;
    let t376 = t362 * t368 - s.half_q1;
    let t377 = t362 * t371 - s.half_q2;
    let t378 = t362 * t374 - s.half_q3;
    let t379 = t375 * t375;
    let t380 = t376 * t376 + t379;
    let t381 = t377 * t377 + t380;
    let t382 = t378 * t378 + t381;
    let t383 = p.c18 - p.c1 * t382;
    let t384 = t375 * t383;
    let t385 = t376 * t383;
    let t386 = t377 * t383;
    let t387 = t378 * t383;
    let t388 = p.c0 * t168 + s.half_rx;
    let t389 = p.c0 * t169 + s.half_ry;
    let t390 = p.c0 * t170 + s.half_rz;
    var next: State;
    next.q0 = t199;
    next.q1 = t200;
    next.q2 = t201;
    next.q3 = t202;
    next.wx = s.wx;
    next.wy = t166;
    next.wz = t167;
    next.rx = t203;
    next.ry = t204;
    next.rz = t205;
    next.vx = t168;
    next.vy = t169;
    next.vz = t170;
    next.half_q0 = t384;
    next.half_q1 = t385;
    next.half_q2 = t386;
    next.half_q3 = t387;
    next.half_wx = s.half_wx;
    next.half_wy = t351;
    next.half_wz = t352;
    next.half_rx = t388;
    next.half_ry = t389;
    next.half_rz = t390;
    next.half_vx = t353;
    next.half_vy = t354;
    next.half_vz = t355;
    next.multiplier_0 = t339;
    next.multiplier_1 = t336;
    next.multiplier_2 = t334;
    return next;
}

// The method begins to carry these values (182 operations).
fn begin(instance: u32, s: State) -> State {
    let t0 = s.wz * shared_values[9];
    let t1 = s.wy * shared_values[9];
    let t2 = s.wz * t0;
    let t3 = s.wy * t1 + t2;
    let t4 = s.wx * t1;
    let t5 = s.wx * t0;
    let t6 = s.q3 * t4;
    let t7 = s.q2 * t5 - t6;
    let t8 = s.q1 * t5;
    let t9 = s.q3 * t3 + t8;
    let t10 = s.q2 * t3;
    let t11 = s.q1 * t4 + t10;
    let t12 = shared_values[13] * t7;
    let t13 = shared_values[13] * t9;
    let t14 = shared_values[13] * t11;
    let t15 = s.q2 * t14;
    let t16 = s.q3 * t13 + t15;
    let t17 = s.q3 * t12;
    let t18 = t17 - s.q1 * t14;
    let t19 = s.q1 * t13;
    let t20 = s.q2 * t12 + t19;
    let t21 = s.q0 * t12 + t16;
    let t22 = t18 - s.q0 * t13;
    let t23 = s.q0 * t14 - t20;
    let t24 = t21 - t3;
    let t25 = t4 + t22;
    let t26 = t5 + t23;
    let t27 = s.q3 * shared_values[13];
    let t28 = s.q2 * shared_values[13];
    let t29 = s.q1 * t28;
    let t30 = s.q1 * t27;
    let t31 = s.q0 * t27 - t29;
    let t32 = s.q0 * t28 + t30;
    let t33 = shared_values[9] * t32;
    let t34 = shared_values[9] * t31;
    let t35 = s.q1 * shared_values[13];
    let t36 = s.q3 * t27 + shared_values[14];
    let t37 = s.q1 * t35 + t36;
    let t38 = s.q2 * t27;
    let t39 = s.q0 * t35 - t38;
    let t40 = shared_values[9] * t39;
    let t41 = shared_values[9] * t37;
    let t42 = s.q3 * t28;
    let t43 = s.q1 * t35 + shared_values[14];
    let t44 = s.q2 * t28 + t43;
    let t45 = s.q0 * t35 + t42;
    let t46 = shared_values[9] * t44;
    let t47 = shared_values[9] * t45;
    let t48 = s.wx * s.wz;
    let t49 = s.wx * s.wy;
    let t50 = shared_values[15] * t48;
    let t51 = shared_values[16] * t49;
    let t52 = t33 * shared_values[17];
    let t53 = t34 * shared_values[17];
    let t54 = t34 * t53 + shared_values[18];
    let t55 = t33 * t52 + t54;
    let t56 = t40 * t52;
    let t57 = t41 * t53 - t56;
    let t58 = t40 * shared_values[17];
    let t59 = t41 * shared_values[17];
    let t60 = t41 * t59 + shared_values[18];
    let t61 = t40 * t58 + t60;
    let t62 = t46 * t52;
    let t63 = t47 * t53 + t62;
    let t64 = t46 * t58;
    let t65 = t64 - t47 * t59;
    let t66 = t46 * shared_values[17];
    let t67 = t47 * shared_values[17];
    let t68 = t47 * t67 + shared_values[18];
    let t69 = t46 * t66 + t68;
    let t70 = t34 * t51 - t24;
    let t71 = t33 * t50 + t70;
    let t72 = t41 * t51 - t25;
    let t73 = t72 - t40 * t50;
    let t74 = shared_values[19] - t47 * t51;
    let t75 = t74 - t46 * t50;
    let t76 = t75 - t26;
    let t77 = t55 * shared_values[22] + shared_values[10];
    let t78 = t61 * shared_values[22] + shared_values[10];
    let t79 = t69 * shared_values[22] + shared_values[10];
    let t80 = shared_values[5] / t77;
    let t81 = t57 * t80;
    let t82 = t78 - t57 * t81;
    let t83 = t63 * t80;
    let t84 = t57 * t83 + t65;
    let t85 = shared_values[5] / t82;
    let t86 = t79 - t63 * t83;
    let t87 = t84 * t85;
    let t88 = t86 - t84 * t87;
    let t89 = shared_values[5] / t88;
    let t90 = t73 - t71 * t81;
    let t91 = t71 * t83 + t76;
    let t92 = t91 - t87 * t90;
    let t93 = t89 * t92;
    let t94 = t85 * t90;
    let t95 = t94 - t87 * t93;
    let t96 = t71 * t80;
    let t97 = t96 - t81 * t95;
    let t98 = t83 * t93 + t97;
    let t99 = t71 - t55 * t98;
    let t100 = t99 - t57 * t95;
    let t101 = t63 * t93 + t100;
    let t102 = t73 - t57 * t98;
    let t103 = t102 - t61 * t95;
    let t104 = t103 - t65 * t93;
    let t105 = t63 * t98 + t76;
    let t106 = t105 - t65 * t95;
    let t107 = t106 - t69 * t93;
    let t108 = t104 - t81 * t101;
    let t109 = t83 * t101 + t107;
    let t110 = t109 - t87 * t108;
    let t111 = t89 * t110;
    let t112 = t85 * t108;
    let t113 = t112 - t87 * t111;
    let t114 = t80 * t101;
    let t115 = t114 - t81 * t113;
    let t116 = t83 * t111 + t115;
    let t117 = t98 + t116;
    let t118 = t95 + t113;
    let t119 = t92 + t110;
    let t120 = t89 * t119;
    var next = s;
    next.multiplier_0 = t117;
    next.multiplier_1 = t118;
    next.multiplier_2 = t120;
    return led(instance, next);
}

// The method carries these values after it was resynchronised (0 operations).
fn resynchronised(instance: u32, s: State) -> State {
    var next = s;
    next.multiplier_0 = s.multiplier_0;
    next.multiplier_1 = s.multiplier_1;
    next.multiplier_2 = s.multiplier_2;
    return led(instance, next);
}

// The second chain is led away from the motions by Runge-Kutta steps: one stands here.
struct Lead {
    base_q0: real,
    base_q1: real,
    base_q2: real,
    base_q3: real,
    base_wx: real,
    base_wy: real,
    base_wz: real,
    base_rx: real,
    base_ry: real,
    base_rz: real,
    base_vx: real,
    base_vy: real,
    base_vz: real,
    at_q0: real,
    at_q1: real,
    at_q2: real,
    at_q3: real,
    at_wx: real,
    at_wy: real,
    at_wz: real,
    at_vx: real,
    at_vy: real,
    at_vz: real,
    sum_q0: real,
    sum_q1: real,
    sum_q2: real,
    sum_q3: real,
    sum_wx: real,
    sum_wy: real,
    sum_wz: real,
    sum_rx: real,
    sum_ry: real,
    sum_rz: real,
    sum_vx: real,
    sum_vy: real,
    sum_vz: real,
}

// A lead begins at the motions.
fn lead_opened(instance: u32, s: State) -> Lead {
    var next: Lead;
    next.base_q0 = s.q0;
    next.base_q1 = s.q1;
    next.base_q2 = s.q2;
    next.base_q3 = s.q3;
    next.base_wx = s.wx;
    next.base_wy = s.wy;
    next.base_wz = s.wz;
    next.base_rx = s.rx;
    next.base_ry = s.ry;
    next.base_rz = s.rz;
    next.base_vx = s.vx;
    next.base_vy = s.vy;
    next.base_vz = s.vz;
    next.at_q0 = s.q0;
    next.at_q1 = s.q1;
    next.at_q2 = s.q2;
    next.at_q3 = s.q3;
    next.at_wx = s.wx;
    next.at_wy = s.wy;
    next.at_wz = s.wz;
    next.at_vx = s.vx;
    next.at_vy = s.vy;
    next.at_vz = s.vz;
    next.sum_q0 = 0.0lf;
    next.sum_q1 = 0.0lf;
    next.sum_q2 = 0.0lf;
    next.sum_q3 = 0.0lf;
    next.sum_wx = 0.0lf;
    next.sum_wy = 0.0lf;
    next.sum_wz = 0.0lf;
    next.sum_rx = 0.0lf;
    next.sum_ry = 0.0lf;
    next.sum_rz = 0.0lf;
    next.sum_vx = 0.0lf;
    next.sum_vy = 0.0lf;
    next.sum_vz = 0.0lf;
    return next;
}

// A stage takes 293 operations.
fn lead_stage(instance: u32, s: State, c: Lead, number: u32) -> Lead {
    let t0 = c.at_q0 * c.at_q0;
    let t1 = c.at_q1 * c.at_q1 + t0;
    let t2 = c.at_q2 * c.at_q2 + t1;
    let t3 = c.at_q3 * c.at_q3 + t2;
    let t4 = t3 + shared_values[24];
    let t5 = t3 * t4 + shared_values[23];
    let t6 = t3 * shared_values[23] + shared_values[24];
    let t7 = t3 * t6 + shared_values[5];
    let t8 = t5 / t7;
    let t9 = c.at_q0 * t8;
    let t10 = c.at_q1 * t8;
    let t11 = c.at_q2 * t8;
    let t12 = c.at_q3 * t8;
    let t13 = shared_values[9] * c.at_wz;
    let t14 = shared_values[9] * c.at_wy;
    let t15 = c.at_wz * t13;
    let t16 = c.at_wy * t14 + t15;
    let t17 = c.at_wx * t14;
    let t18 = c.at_wx * t13;
    let t19 = t12 * t17;
    let t20 = t11 * t18 - t19;
    let t21 = t10 * t18;
    let t22 = t12 * t16 + t21;
    let t23 = t11 * t16;
    let t24 = t10 * t17 + t23;
    let t25 = shared_values[13] * t20;
    let t26 = shared_values[13] * t22;
    let t27 = shared_values[13] * t24;
    let t28 = t11 * t27;
    let t29 = t12 * t26 + t28;
    let t30 = t12 * t25;
    let t31 = t30 - t10 * t27;
    let t32 = t10 * t26;
    let t33 = t11 * t25 + t32;
    let t34 = t9 * t25 + t29;
    let t35 = t31 - t9 * t26;
    let t36 = t9 * t27 - t33;
    let t37 = t34 - t16;
    let t38 = t17 + t35;
    let t39 = t18 + t36;
    let t40 = shared_values[13] * t12;
    let t41 = shared_values[13] * t11;
    let t42 = t10 * t41;
    let t43 = t10 * t40;
    let t44 = t9 * t40 - t42;
    let t45 = t9 * t41 + t43;
    let t46 = shared_values[9] * t45;
    let t47 = shared_values[9] * t44;
    let t48 = shared_values[13] * t10;
    let t49 = t12 * t40 + shared_values[14];
    let t50 = t10 * t48 + t49;
    let t51 = t11 * t40;
    let t52 = t9 * t48 - t51;
    let t53 = shared_values[9] * t52;
    let t54 = shared_values[9] * t50;
    let t55 = t12 * t41;
    let t56 = t10 * t48 + shared_values[14];
    let t57 = t11 * t41 + t56;
    let t58 = t9 * t48 + t55;
    let t59 = shared_values[9] * t57;
    let t60 = shared_values[9] * t58;
    let t61 = c.at_wx * c.at_wz;
    let t62 = c.at_wx * c.at_wy;
    let t63 = shared_values[15] * t61;
    let t64 = shared_values[16] * t62;
    let t65 = shared_values[17] * t46;
    let t66 = shared_values[17] * t47;
    let t67 = t47 * t66 + shared_values[18];
    let t68 = t46 * t65 + t67;
    let t69 = t53 * t65;
    let t70 = t54 * t66 - t69;
    let t71 = shared_values[17] * t53;
    let t72 = shared_values[17] * t54;
    let t73 = t54 * t72 + shared_values[18];
    let t74 = t53 * t71 + t73;
    let t75 = t59 * t65;
    let t76 = t60 * t66 + t75;
    let t77 = t59 * t71;
    let t78 = t77 - t60 * t72;
    let t79 = shared_values[17] * t59;
    let t80 = shared_values[17] * t60;
    let t81 = t60 * t80 + shared_values[18];
    let t82 = t59 * t79 + t81;
    let t83 = t47 * t64 - t37;
    let t84 = t46 * t63 + t83;
    let t85 = t54 * t64 - t38;
    let t86 = t85 - t53 * t63;
    let t87 = shared_values[19] - t60 * t64;
    let t88 = t87 - t59 * t63;
    let t89 = t88 - t39;
    let t90 = shared_values[22] * t68 + shared_values[10];
    let t91 = shared_values[22] * t74 + shared_values[10];
    let t92 = shared_values[22] * t82 + shared_values[10];
    let t93 = shared_values[5] / t90;
    let t94 = t70 * t93;
    let t95 = t91 - t70 * t94;
    let t96 = t76 * t93;
    let t97 = t70 * t96 + t78;
    let t98 = shared_values[5] / t95;
    let t99 = t92 - t76 * t96;
    let t100 = t97 * t98;
    let t101 = t99 - t97 * t100;
    let t102 = shared_values[5] / t101;
    let t103 = t86 - t84 * t94;
    let t104 = t84 * t96 + t89;
    let t105 = t104 - t100 * t103;
    let t106 = t102 * t105;
    let t107 = t98 * t103;
    let t108 = t107 - t100 * t106;
    let t109 = t84 * t93;
    let t110 = t109 - t94 * t108;
    let t111 = t96 * t106 + t110;
    let t112 = t84 - t68 * t111;
    let t113 = t112 - t70 * t108;
    let t114 = t76 * t106 + t113;
    let t115 = t86 - t70 * t111;
    let t116 = t115 - t74 * t108;
    let t117 = t116 - t78 * t106;
    let t118 = t76 * t111 + t89;
    let t119 = t118 - t78 * t108;
    let t120 = t119 - t82 * t106;
    let t121 = t117 - t94 * t114;
    let t122 = t96 * t114 + t120;
    let t123 = t122 - t100 * t121;
    let t124 = t102 * t123;
    let t125 = t98 * t121;
    let t126 = t125 - t100 * t124;
    let t127 = t93 * t114;
    let t128 = t127 - t94 * t126;
    let t129 = t96 * t124 + t128;
    let t130 = t111 + t129;
    let t131 = t108 + t126;
    let t132 = t105 + t123;
    let t133 = t102 * t132;
    let t134 = t46 * t130;
    let t135 = t47 * t130;
    let t136 = t53 * t131 - t134;
    let t137 = t54 * t131 + t135;
    let t138 = t59 * t133 + t136;
    let t139 = t60 * t133 - t137;
    let t140 = shared_values[17] * t138 + t63;
    let t141 = shared_values[17] * t139 + t64;
    let t142 = shared_values[18] * t130;
    let t143 = shared_values[18] * t131;
    let t144 = shared_values[18] * t133 + shared_values[4];
    let t145 = shared_values[6] * t140;
    let t146 = shared_values[6] * t141;
    let t147 = shared_values[6] * t142;
    let t148 = shared_values[6] * t143;
    let t149 = shared_values[6] * t144;
    let t150 = c.at_q1 * c.at_wx;
    let t151 = c.at_q2 * c.at_wy + t150;
    let t152 = c.at_q3 * c.at_wz + t151;
    let t153 = c.at_q0 * c.at_wx;
    let t154 = c.at_q2 * c.at_wz + t153;
    let t155 = t154 - c.at_q3 * c.at_wy;
    let t156 = c.at_q0 * c.at_wy;
    let t157 = c.at_q3 * c.at_wx + t156;
    let t158 = t157 - c.at_q1 * c.at_wz;
    let t159 = c.at_q0 * c.at_wz;
    let t160 = c.at_q1 * c.at_wy + t159;
    let t161 = t160 - c.at_q2 * c.at_wx;
    let t162 = shared_values[25] * t152;
    let t163 = shared_values[25] * t155;
    let t164 = shared_values[25] * t158;
    let t165 = shared_values[25] * t161;
    let t166 = shared_values[6] * c.at_vx;
    let t167 = shared_values[6] * c.at_vy;
    let t168 = shared_values[6] * c.at_vz;
    let t169 = c.base_q0 - shared_values[30u + 3u * number] * t162;
    let t170 = shared_values[30u + 3u * number] * t163 + c.base_q1;
    let t171 = shared_values[30u + 3u * number] * t164 + c.base_q2;
    let t172 = shared_values[30u + 3u * number] * t165 + c.base_q3;
    let t173 = shared_values[30u + 3u * number] * t145 + c.base_wy;
    let t174 = shared_values[30u + 3u * number] * t146 + c.base_wz;
    let t175 = shared_values[30u + 3u * number] * t147 + c.base_vx;
    let t176 = shared_values[30u + 3u * number] * t148 + c.base_vy;
    let t177 = shared_values[30u + 3u * number] * t149 + c.base_vz;
    let t178 = c.sum_q0 - shared_values[31u + 3u * number] * t162;
    let t179 = shared_values[31u + 3u * number] * t163 + c.sum_q1;
    let t180 = shared_values[31u + 3u * number] * t164 + c.sum_q2;
    let t181 = shared_values[31u + 3u * number] * t165 + c.sum_q3;
    let t182 = shared_values[31u + 3u * number] * t145 + c.sum_wy;
    let t183 = shared_values[31u + 3u * number] * t146 + c.sum_wz;
    let t184 = shared_values[31u + 3u * number] * t166 + c.sum_rx;
    let t185 = shared_values[31u + 3u * number] * t167 + c.sum_ry;
    let t186 = shared_values[31u + 3u * number] * t168 + c.sum_rz;
    let t187 = shared_values[31u + 3u * number] * t147 + c.sum_vx;
    let t188 = shared_values[31u + 3u * number] * t148 + c.sum_vy;
    let t189 = shared_values[31u + 3u * number] * t149 + c.sum_vz;
    var next = c;
    next.at_q0 = t169;
    next.at_q1 = t170;
    next.at_q2 = t171;
    next.at_q3 = t172;
    next.at_wx = c.base_wx;
    next.at_wy = t173;
    next.at_wz = t174;
    next.at_vx = t175;
    next.at_vy = t176;
    next.at_vz = t177;
    next.sum_q0 = t178;
    next.sum_q1 = t179;
    next.sum_q2 = t180;
    next.sum_q3 = t181;
    next.sum_wx = c.sum_wx;
    next.sum_wy = t182;
    next.sum_wz = t183;
    next.sum_rx = t184;
    next.sum_ry = t185;
    next.sum_rz = t186;
    next.sum_vx = t187;
    next.sum_vy = t188;
    next.sum_vz = t189;
    return next;
}

// A Runge-Kutta step ends, and another one may begin there.
fn lead_settled(instance: u32, s: State, c: Lead) -> Lead {
    let t0 = c.sum_q0 * shared_values[26] + c.base_q0;
    let t1 = c.sum_q1 * shared_values[26] + c.base_q1;
    let t2 = c.sum_q2 * shared_values[26] + c.base_q2;
    let t3 = c.sum_q3 * shared_values[26] + c.base_q3;
    let t4 = c.sum_wx * shared_values[26] + c.base_wx;
    let t5 = c.sum_wy * shared_values[26] + c.base_wy;
    let t6 = c.sum_wz * shared_values[26] + c.base_wz;
    let t7 = c.sum_rx * shared_values[26] + c.base_rx;
    let t8 = c.sum_ry * shared_values[26] + c.base_ry;
    let t9 = c.sum_rz * shared_values[26] + c.base_rz;
    let t10 = c.sum_vx * shared_values[26] + c.base_vx;
    let t11 = c.sum_vy * shared_values[26] + c.base_vy;
    let t12 = c.sum_vz * shared_values[26] + c.base_vz;
    let t13 = t0 * t0;
    let t14 = t1 * t1 + t13;
    let t15 = t2 * t2 + t14;
    let t16 = t3 * t3 + t15;
    let t17 = sqrt(t16);
    let t18 = shared_values[5] / t17;
    let t19 = t0 * t18;
    let t20 = t1 * t18;
    let t21 = t2 * t18;
    let t22 = t3 * t18;
    var next = c;
    next.base_q0 = t19;
    next.base_q1 = t20;
    next.base_q2 = t21;
    next.base_q3 = t22;
    next.base_wx = t4;
    next.base_wy = t5;
    next.base_wz = t6;
    next.base_rx = t7;
    next.base_ry = t8;
    next.base_rz = t9;
    next.base_vx = t10;
    next.base_vy = t11;
    next.base_vz = t12;
    next.at_q0 = t19;
    next.at_q1 = t20;
    next.at_q2 = t21;
    next.at_q3 = t22;
    next.at_wx = t4;
    next.at_wy = t5;
    next.at_wz = t6;
    next.at_vx = t10;
    next.at_vy = t11;
    next.at_vz = t12;
    next.sum_q0 = 0.0lf;
    next.sum_q1 = 0.0lf;
    next.sum_q2 = 0.0lf;
    next.sum_q3 = 0.0lf;
    next.sum_wx = 0.0lf;
    next.sum_wy = 0.0lf;
    next.sum_wz = 0.0lf;
    next.sum_rx = 0.0lf;
    next.sum_ry = 0.0lf;
    next.sum_rz = 0.0lf;
    next.sum_vx = 0.0lf;
    next.sum_vy = 0.0lf;
    next.sum_vz = 0.0lf;
    return next;
}

// The chain is where the last step ended.
fn lead_closed(instance: u32, s: State, c: Lead) -> State {
    var next = s;
    next.half_q0 = c.base_q0;
    next.half_q1 = c.base_q1;
    next.half_q2 = c.base_q2;
    next.half_q3 = c.base_q3;
    next.half_wx = c.base_wx;
    next.half_wy = c.base_wy;
    next.half_wz = c.base_wz;
    next.half_rx = c.base_rx;
    next.half_ry = c.base_ry;
    next.half_rz = c.base_rz;
    next.half_vx = c.base_vx;
    next.half_vy = c.base_vy;
    next.half_vz = c.base_vz;
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
    let t0 = parameters[1u * run.stride + instance] + shared_values[28];
    let t1 = s.vx * s.vx;
    let t2 = s.vy * s.vy + t1;
    let t3 = s.vz * s.vz + t2;
    let t4 = s.wx * shared_values[7];
    let t5 = s.wy * shared_values[8];
    let t6 = s.wz * shared_values[8];
    let t7 = s.wx * t4;
    let t8 = s.wy * t5 + t7;
    let t9 = s.wz * t6 + t8;
    let t10 = shared_values[3] * t3 + t9;
    let t11 = shared_values[1] * t10;
    let t12 = t0 + t11;
    let t13 = shared_values[27] * t12;
    let t14 = select(0.0lf, t13, 0.0lf < t0);
    let t15 = t11 - parameters[0u * run.stride + instance];
    let t16 = s.rz * shared_values[29];
    let t17 = t15 - t16;
    return Judged(t17, t14);
}

fn constraint_violation(instance: u32, s: State) -> Judged {
    let t0 = s.q3 * shared_values[9];
    let t1 = s.q2 * shared_values[9];
    let t2 = shared_values[13] * t0;
    let t3 = shared_values[13] * t1;
    let t4 = shared_values[9] - s.q3 * t2;
    let t5 = t4 - s.q2 * t3;
    let t6 = s.rx + t5;
    let t7 = s.q0 * t2 + s.ry;
    let t8 = s.q1 * t3 + t7;
    let t9 = s.rz - s.q0 * t3;
    let t10 = s.q1 * t2 + t9;
    let t11 = t6 * t6;
    let t12 = t8 * t8 + t11;
    let t13 = t10 * t10 + t12;
    let t14 = sqrt(t13);
    return Judged(t14, shared_values[0]);
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
