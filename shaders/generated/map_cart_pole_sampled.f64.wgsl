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
        && is_finite_real(s.b0_amplitude_0)
        && is_finite_real(s.b0_amplitude_rate_0)
        && is_finite_real(s.angle_1)
        && is_finite_real(s.held_0)
        && is_finite_real(s.since_sample_0);
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
    c37: real,
    c38: real,
    c39: real,
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
    p.c36 = shared_values[36];
    p.c37 = shared_values[66];
    p.c38 = shared_values[67];
    p.c39 = parameters[0u * run.stride + instance];
    return p;
}

// A full step takes 492 operations, a multiply-add counted as two.
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
    let t12 = t8 * p.c33;
    let t13 = t8 * t12;
    let t14 = p.c34 + t13;
    let t15 = p.c1 + t14;
    let t16 = t9 * t12;
    let t17 = t9 * p.c33;
    let t18 = t9 * t17;
    let t19 = p.c34 + t18;
    let t20 = p.c1 + t19;
    let t21 = s.b0_amplitude_rate_0 + t4;
    let t22 = t15 * p.c35;
    let t23 = t20 * p.c35;
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
    let t41 = p.c33 * t37;
    let t42 = p.c34 * t35;
    let t43 = p.c2 - p.c34 * t33;
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
    let t66 = p.c36 + t65;
    let t67 = t65 * t66 + p.c34;
    let t68 = p.c34 * t65 + p.c36;
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
    let t85 = p.c33 * t81;
    let t86 = t81 * t85;
    let t87 = p.c34 + t86;
    let t88 = p.c1 + t87;
    let t89 = t82 * t85;
    let t90 = p.c33 * t82;
    let t91 = t82 * t90;
    let t92 = p.c34 + t91;
    let t93 = p.c1 + t92;
    let t94 = t57 + t77;
    let t95 = p.c35 * t88;
    let t96 = p.c35 * t93;
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
    let t114 = p.c33 * t110;
    let t115 = p.c34 * t108;
    let t116 = p.c2 - p.c34 * t106;
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
    let t137 = p.c36 + t136;
    let t138 = t136 * t137 + p.c34;
    let t139 = p.c34 * t136 + p.c36;
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
    let t156 = p.c33 * t152;
    let t157 = t152 * t156;
    let t158 = p.c34 + t157;
    let t159 = p.c1 + t158;
    let t160 = t153 * t156;
    let t161 = p.c33 * t153;
    let t162 = t153 * t161;
    let t163 = p.c34 + t162;
    let t164 = p.c1 + t163;
    let t165 = t129 + t148;
    let t166 = p.c35 * t159;
    let t167 = p.c35 * t164;
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
    let t185 = p.c33 * t181;
    let t186 = p.c34 * t179;
    let t187 = p.c2 - p.c34 * t177;
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
    let t232 = p.c36 + t231;
    let t233 = t231 * t232 + p.c34;
    let t234 = p.c34 * t231 + p.c36;
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
    let t251 = p.c33 * t247;
    let t252 = t247 * t251;
    let t253 = p.c34 + t252;
    let t254 = p.c1 + t253;
    let t255 = t248 * t251;
    let t256 = p.c33 * t248;
    let t257 = t248 * t256;
    let t258 = p.c34 + t257;
    let t259 = p.c1 + t258;
    let t260 = t224 + t243;
    let t261 = p.c35 * t254;
    let t262 = p.c35 * t259;
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
    let t280 = p.c33 * t276;
    let t281 = p.c34 * t274;
    let t282 = p.c2 - p.c34 * t272;
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
    let t317 = select(p.c1, 0.0lf, t316 < p.c37);
    let t318 = select(0.0lf, t316, t316 < p.c37);
    let t319 = p.c14 * t315;
    let t320 = t315 * t319;
    let t321 = t314 * t319;
    let t322 = -(t321);
    let t323 = p.c1 - t320;
    let t324 = -(t323);
    let t325 = select(t323, t324, t323 < 0.0lf);
    let t326 = select(t321, t322, t321 < 0.0lf);
    let t327 = select(t325, t326, t326 < t325);
    let t328 = select(t326, t325, t326 < t325);
    let t329 = p.c15 * t328;
    let t330 = t327 - t328;
    let t331 = select(t327, t330, t329 < t327);
    let t332 = t327 + t328;
    let t333 = select(t328, t332, t329 < t327);
    let t334 = p.c1 + t333;
    let t335 = select(t334, t333, 0.0lf < t333);
    let t336 = t331 / t335;
    let t337 = t336 * t336;
    let t338 = t336 * t337;
    let t339 = p.c16 * t337 + p.c17;
    let t340 = t337 * t339 + p.c18;
    let t341 = t337 * t340 + p.c19;
    let t342 = t337 * t341 + p.c20;
    let t343 = t337 * t342 + p.c21;
    let t344 = t337 * t343 + p.c22;
    let t345 = t337 * t344 + p.c23;
    let t346 = t337 * t345 + p.c24;
    let t347 = t337 * t346 + p.c25;
    let t348 = t337 * t347 + p.c26;
    let t349 = t337 * t348 + p.c27;
    let t350 = t338 * t349 + t336;
    let t351 = p.c28 + t350;
    let t352 = select(t350, t351, t329 < t327);
    let t353 = p.c29 - t352;
    let t354 = select(t352, t353, t325 < t326);
    let t355 = p.c30 - t354;
    let t356 = select(t354, t355, t323 < 0.0lf);
    let t357 = -(t356);
    let t358 = select(t356, t357, t321 < 0.0lf);
    let t359 = s.angle_1 - t358;
    let t360 = p.c32 * t359;
    let t361 = p.c9 + t360;
    let t362 = floor(t361);
    let t363 = p.c31 * t362 + t358;
    let t364 = p.c3 * t295;
    let t365 = p.c4 * t297;
    let t366 = t364 + t365;
    let t367 = p.c5 * t363;
    let t368 = p.c6 * t302;
    let t369 = t367 + t368;
    let t370 = p.c39 * t369;
    let t371 = t366 + t370;
    let t372 = -(t371);
    let t373 = select(t372, p.c38, t372 < p.c38);
    let t374 = select(t373, p.c7, p.c7 < t373);
    let t375 = select(s.held_0, t374, p.c9 < t317);
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
    next.angle_1 = t363;
    next.held_0 = t375;
    next.since_sample_0 = t318;
    return next;
}

// The method begins to carry these values (0 operations).
fn begin(instance: u32, s: State) -> State {
    var next = s;
    return next;
}

// The method carries these values after it was resynchronised (442 operations).
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
    let t14 = t12 * shared_values[33];
    let t15 = t12 * t14;
    let t16 = shared_values[34] + t15;
    let t17 = shared_values[1] + t16;
    let t18 = t13 * t14;
    let t19 = t13 * shared_values[33];
    let t20 = t13 * t19;
    let t21 = shared_values[34] + t20;
    let t22 = shared_values[1] + t21;
    let t23 = s.b0_q0 * s.b0_q0;
    let t24 = t17 * shared_values[37];
    let t25 = t22 * shared_values[37];
    let t26 = shared_values[1] / t24;
    let t27 = t25 - shared_values[38];
    let t28 = t18 * t26;
    let t29 = t27 - t18 * t28;
    let t30 = shared_values[1] / t29;
    let t31 = t8 - s.b0_rz * shared_values[38];
    let t32 = t31 - t7 * t28;
    let t33 = t30 * t32;
    let t34 = t7 * t26;
    let t35 = t34 - t28 * t33;
    let t36 = s.b0_rz - t33;
    let t37 = t12 * t35;
    let t38 = t13 * t33 + t37;
    let t39 = shared_values[33] * t38;
    let t40 = shared_values[34] * t35;
    let t41 = shared_values[34] * t33;
    let t42 = shared_values[65] - shared_values[9] * t23;
    let t43 = s.b0_q0 * t42;
    let t44 = s.b0_rx - t35;
    let t45 = s.b0_rz - t30 * t32;
    let t46 = t45 - shared_values[38] * t36;
    let t47 = shared_values[9] * t39;
    let t48 = t47 * t47;
    let t49 = shared_values[40] - shared_values[39] * t48;
    let t50 = shared_values[41] - t48 * t49;
    let t51 = shared_values[42] - t48 * t50;
    let t52 = shared_values[43] - t48 * t51;
    let t53 = shared_values[44] - t48 * t52;
    let t54 = shared_values[45] - t48 * t53;
    let t55 = shared_values[46] - t48 * t54;
    let t56 = shared_values[47] - t48 * t55;
    let t57 = shared_values[48] - t48 * t56;
    let t58 = shared_values[49] - t48 * t57;
    let t59 = shared_values[50] - t48 * t58;
    let t60 = shared_values[51] - t48 * t59;
    let t61 = shared_values[9] - t48 * t60;
    let t62 = shared_values[1] - t48 * t61;
    let t63 = shared_values[53] - shared_values[52] * t48;
    let t64 = shared_values[54] - t48 * t63;
    let t65 = shared_values[55] - t48 * t64;
    let t66 = shared_values[56] - t48 * t65;
    let t67 = shared_values[57] - t48 * t66;
    let t68 = shared_values[58] - t48 * t67;
    let t69 = shared_values[59] - t48 * t68;
    let t70 = shared_values[60] - t48 * t69;
    let t71 = shared_values[61] - t48 * t70;
    let t72 = shared_values[62] - t48 * t71;
    let t73 = shared_values[63] - t48 * t72;
    let t74 = shared_values[64] - t48 * t73;
    let t75 = shared_values[13] - t48 * t74;
    let t76 = shared_values[1] - t48 * t75;
    let t77 = t47 * t76;
    let t78 = s.b1_q0 * t62;
    let t79 = s.b1_q2 * t62;
    let t80 = s.b1_q2 * t77 + t78;
    let t81 = t79 - s.b1_q0 * t77;
    let t82 = t80 * t80;
    let t83 = t81 * t81 + t82;
    let t84 = shared_values[65] - shared_values[9] * t83;
    let t85 = t80 * t84;
    let t86 = t81 * t84;
    let t87 = s.b1_rx + t40;
    let t88 = s.b1_rz + t41;
    let t89 = shared_values[12] * t86;
    let t90 = shared_values[14] * t89;
    let t91 = t86 * t90;
    let t92 = t85 * t90;
    let t93 = shared_values[12] - t91;
    let t94 = t87 + t92;
    let t95 = t88 + t93;
    let t96 = t44 - t94;
    let t97 = t46 - t95;
    let t98 = shared_values[14] * t86;
    let t99 = t86 * t98 + shared_values[11];
    let t100 = t85 * t98;
    let t101 = shared_values[12] * t99;
    let t102 = shared_values[12] * t100;
    let t103 = shared_values[33] * t101;
    let t104 = t101 * t103;
    let t105 = shared_values[34] + t104;
    let t106 = shared_values[1] + t105;
    let t107 = shared_values[37] * t106;
    let t108 = t102 * t103;
    let t109 = shared_values[33] * t102;
    let t110 = t102 * t109;
    let t111 = shared_values[34] + t110;
    let t112 = shared_values[1] + t111;
    let t113 = shared_values[37] * t112;
    let t114 = shared_values[1] / t107;
    let t115 = t113 - shared_values[38];
    let t116 = t108 * t114;
    let t117 = t115 - t108 * t116;
    let t118 = shared_values[1] / t117;
    let t119 = t97 - shared_values[38] * t46;
    let t120 = t119 - t96 * t116;
    let t121 = t118 * t120;
    let t122 = t96 * t114;
    let t123 = t122 - t116 * t121;
    let t124 = t46 - t121;
    let t125 = t101 * t123;
    let t126 = t102 * t121 + t125;
    let t127 = shared_values[33] * t126;
    let t128 = shared_values[34] * t123;
    let t129 = shared_values[34] * t121;
    let t130 = t43 * t43;
    let t131 = shared_values[65] - shared_values[9] * t130;
    let t132 = t43 * t131;
    let t133 = t44 - t123;
    let t134 = t46 - t118 * t120;
    let t135 = t134 - shared_values[38] * t124;
    let t136 = shared_values[9] * t127;
    let t137 = t136 * t136;
    let t138 = shared_values[40] - shared_values[39] * t137;
    let t139 = shared_values[41] - t137 * t138;
    let t140 = shared_values[42] - t137 * t139;
    let t141 = shared_values[43] - t137 * t140;
    let t142 = shared_values[44] - t137 * t141;
    let t143 = shared_values[45] - t137 * t142;
    let t144 = shared_values[46] - t137 * t143;
    let t145 = shared_values[47] - t137 * t144;
    let t146 = shared_values[48] - t137 * t145;
    let t147 = shared_values[49] - t137 * t146;
    let t148 = shared_values[50] - t137 * t147;
    let t149 = shared_values[51] - t137 * t148;
    let t150 = shared_values[9] - t137 * t149;
    let t151 = shared_values[1] - t137 * t150;
    let t152 = shared_values[53] - shared_values[52] * t137;
    let t153 = shared_values[54] - t137 * t152;
    let t154 = shared_values[55] - t137 * t153;
    let t155 = shared_values[56] - t137 * t154;
    let t156 = shared_values[57] - t137 * t155;
    let t157 = shared_values[58] - t137 * t156;
    let t158 = shared_values[59] - t137 * t157;
    let t159 = shared_values[60] - t137 * t158;
    let t160 = shared_values[61] - t137 * t159;
    let t161 = shared_values[62] - t137 * t160;
    let t162 = shared_values[63] - t137 * t161;
    let t163 = shared_values[64] - t137 * t162;
    let t164 = shared_values[13] - t137 * t163;
    let t165 = shared_values[1] - t137 * t164;
    let t166 = t136 * t165;
    let t167 = t85 * t151;
    let t168 = t86 * t151;
    let t169 = t86 * t166 + t167;
    let t170 = t168 - t85 * t166;
    let t171 = t169 * t169;
    let t172 = t170 * t170 + t171;
    let t173 = shared_values[65] - shared_values[9] * t172;
    let t174 = t169 * t173;
    let t175 = t170 * t173;
    let t176 = t87 + t128;
    let t177 = t88 + t129;
    let t178 = shared_values[12] * t175;
    let t179 = shared_values[14] * t178;
    let t180 = t175 * t179;
    let t181 = t174 * t179;
    let t182 = shared_values[12] - t180;
    let t183 = t176 + t181;
    let t184 = t177 + t182;
    let t185 = t133 - t183;
    let t186 = t135 - t184;
    let t187 = shared_values[14] * t175;
    let t188 = t175 * t187 + shared_values[11];
    let t189 = t174 * t187;
    let t190 = shared_values[12] * t188;
    let t191 = shared_values[12] * t189;
    let t192 = shared_values[33] * t190;
    let t193 = t190 * t192;
    let t194 = shared_values[34] + t193;
    let t195 = shared_values[1] + t194;
    let t196 = shared_values[37] * t195;
    let t197 = t191 * t192;
    let t198 = shared_values[33] * t191;
    let t199 = t191 * t198;
    let t200 = shared_values[34] + t199;
    let t201 = shared_values[1] + t200;
    let t202 = shared_values[37] * t201;
    let t203 = shared_values[1] / t196;
    let t204 = t202 - shared_values[38];
    let t205 = t197 * t203;
    let t206 = t204 - t197 * t205;
    let t207 = shared_values[1] / t206;
    let t208 = t186 - shared_values[38] * t135;
    let t209 = t208 - t185 * t205;
    let t210 = t207 * t209;
    let t211 = t185 * t203;
    let t212 = t211 - t205 * t210;
    let t213 = t135 - t210;
    let t214 = t190 * t212;
    let t215 = t191 * t210 + t214;
    let t216 = shared_values[33] * t215;
    let t217 = shared_values[34] * t212;
    let t218 = shared_values[34] * t210;
    let t219 = t132 * t132;
    let t220 = shared_values[65] - shared_values[9] * t219;
    let t221 = t132 * t220;
    let t222 = t133 - t212;
    let t223 = t135 - t207 * t209;
    let t224 = t223 - shared_values[38] * t213;
    let t225 = shared_values[9] * t216;
    let t226 = t225 * t225;
    let t227 = shared_values[40] - shared_values[39] * t226;
    let t228 = shared_values[41] - t226 * t227;
    let t229 = shared_values[42] - t226 * t228;
    let t230 = shared_values[43] - t226 * t229;
    let t231 = shared_values[44] - t226 * t230;
    let t232 = shared_values[45] - t226 * t231;
    let t233 = shared_values[46] - t226 * t232;
    let t234 = shared_values[47] - t226 * t233;
    let t235 = shared_values[48] - t226 * t234;
    let t236 = shared_values[49] - t226 * t235;
    let t237 = shared_values[50] - t226 * t236;
    let t238 = shared_values[51] - t226 * t237;
    let t239 = shared_values[9] - t226 * t238;
    let t240 = shared_values[1] - t226 * t239;
    let t241 = shared_values[53] - shared_values[52] * t226;
    let t242 = shared_values[54] - t226 * t241;
    let t243 = shared_values[55] - t226 * t242;
    let t244 = shared_values[56] - t226 * t243;
    let t245 = shared_values[57] - t226 * t244;
    let t246 = shared_values[58] - t226 * t245;
    let t247 = shared_values[59] - t226 * t246;
    let t248 = shared_values[60] - t226 * t247;
    let t249 = shared_values[61] - t226 * t248;
    let t250 = shared_values[62] - t226 * t249;
    let t251 = shared_values[63] - t226 * t250;
    let t252 = shared_values[64] - t226 * t251;
    let t253 = shared_values[13] - t226 * t252;
    let t254 = shared_values[1] - t226 * t253;
    let t255 = t225 * t254;
    let t256 = t174 * t240;
    let t257 = t175 * t240;
    let t258 = t175 * t255 + t256;
    let t259 = t257 - t174 * t255;
    let t260 = t258 * t258;
    let t261 = t259 * t259 + t260;
    let t262 = shared_values[65] - shared_values[9] * t261;
    let t263 = t258 * t262;
    let t264 = t259 * t262;
    let t265 = t176 + t217;
    let t266 = t177 + t218;
    let t267 = shared_values[14] * t264;
    let t268 = t264 * t267 + shared_values[11];
    let t269 = t263 * t267;
    let t270 = shared_values[12] * t268;
    let t271 = shared_values[12] * t269;
    let t272 = s.b1_wy * t270;
    let t273 = t272 - s.b1_vx;
    let t274 = s.b0_vx + t273;
    let t275 = s.b1_wy * t271;
    let t276 = t275 - s.b1_vz;
    let t277 = s.b0_vz + t276;
    let t278 = shared_values[33] * t270;
    let t279 = t270 * t278;
    let t280 = shared_values[34] + t279;
    let t281 = shared_values[1] + t280;
    let t282 = shared_values[37] * t281;
    let t283 = t271 * t278;
    let t284 = shared_values[33] * t271;
    let t285 = t271 * t284;
    let t286 = shared_values[34] + t285;
    let t287 = shared_values[1] + t286;
    let t288 = shared_values[37] * t287;
    let t289 = shared_values[1] / t282;
    let t290 = t288 - shared_values[38];
    let t291 = t283 * t289;
    let t292 = t290 - t283 * t291;
    let t293 = shared_values[1] / t292;
    let t294 = t277 - s.b0_vz * shared_values[38];
    let t295 = t294 - t274 * t291;
    let t296 = t293 * t295;
    let t297 = t274 * t289;
    let t298 = t297 - t291 * t296;
    let t299 = s.b0_vz - t296;
    let t300 = t270 * t298;
    let t301 = t271 * t296 + t300;
    let t302 = shared_values[33] * t301;
    let t303 = shared_values[34] * t298;
    let t304 = shared_values[34] * t296;
    let t305 = s.b0_vx - t298;
    let t306 = s.b0_vz - t293 * t295;
    let t307 = t306 - shared_values[38] * t299;
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
    let t0 = s.b1_q2 * shared_values[14];
    let t1 = s.b1_q0 * t0;
    let t2 = -(t1);
    let t3 = s.b1_q2 * t0;
    let t4 = shared_values[1] - t3;
    let t5 = -(t4);
    let t6 = select(t4, t5, t4 < 0.0lf);
    let t7 = select(t1, t2, t1 < 0.0lf);
    let t8 = select(t6, t7, t7 < t6);
    let t9 = select(t7, t6, t7 < t6);
    let t10 = t9 * shared_values[15];
    let t11 = t8 - t9;
    let t12 = select(t8, t11, t10 < t8);
    let t13 = t8 + t9;
    let t14 = select(t9, t13, t10 < t8);
    let t15 = shared_values[1] + t14;
    let t16 = select(t15, t14, 0.0lf < t14);
    let t17 = t12 / t16;
    let t18 = t17 * t17;
    let t19 = t17 * t18;
    let t20 = t18 * shared_values[16] + shared_values[17];
    let t21 = t18 * t20 + shared_values[18];
    let t22 = t18 * t21 + shared_values[19];
    let t23 = t18 * t22 + shared_values[20];
    let t24 = t18 * t23 + shared_values[21];
    let t25 = t18 * t24 + shared_values[22];
    let t26 = t18 * t25 + shared_values[23];
    let t27 = t18 * t26 + shared_values[24];
    let t28 = t18 * t27 + shared_values[25];
    let t29 = t18 * t28 + shared_values[26];
    let t30 = t18 * t29 + shared_values[27];
    let t31 = t19 * t30 + t17;
    let t32 = t31 + shared_values[28];
    let t33 = select(t31, t32, t10 < t8);
    let t34 = shared_values[29] - t33;
    let t35 = select(t33, t34, t6 < t7);
    let t36 = shared_values[30] - t35;
    let t37 = select(t35, t36, t4 < 0.0lf);
    let t38 = -(t37);
    let t39 = select(t37, t38, t1 < 0.0lf);
    let t40 = s.angle_1 - t39;
    let t41 = t40 * shared_values[32];
    let t42 = shared_values[9] + t41;
    let t43 = floor(t42);
    let t44 = shared_values[31] * t43 + t39;
    let t45 = -(t44);
    let t46 = select(t44, t45, t44 < 0.0lf);
    let t47 = select(0.0lf, shared_values[1], shared_values[29] < t46);
    return Judged(t47, shared_values[9]);
}

fn condition_1(instance: u32, s: State) -> Judged {
    let t0 = -(s.b0_rx);
    let t1 = select(s.b0_rx, t0, s.b0_rx < 0.0lf);
    let t2 = select(0.0lf, shared_values[1], shared_values[14] < t1);
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
