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
const NORM_BOUND_VALUE: real = 0.0lf;

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
    c32: real,
    c33: real,
    c34: real,
    c35: real,
    c36: real,
    c37: real,
    c38: real,
    c39: real,
    c40: real,
    c41: real,
    c42: real,
    c43: real,
    c44: real,
}

fn prepare(instance: u32) -> Prepared {
    let t0 = parameters[3u * run.stride + instance] * shared_values[9];
    let t1 = parameters[3u * run.stride + instance] * shared_values[10];
    let t2 = parameters[3u * run.stride + instance] * shared_values[11];
    let t3 = parameters[2u * run.stride + instance] * shared_values[5];
    var p: Prepared;
    p.c0 = shared_values[0];
    p.c1 = shared_values[2];
    p.c2 = shared_values[3];
    p.c3 = shared_values[4];
    p.c4 = shared_values[5];
    p.c5 = shared_values[6];
    p.c6 = shared_values[7];
    p.c7 = shared_values[8];
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
    p.c26 = shared_values[30];
    p.c27 = shared_values[31];
    p.c28 = shared_values[32];
    p.c29 = shared_values[33];
    p.c30 = shared_values[34];
    p.c31 = shared_values[35];
    p.c32 = shared_values[36];
    p.c33 = shared_values[37];
    p.c34 = shared_values[38];
    p.c35 = shared_values[39];
    p.c36 = shared_values[40];
    p.c37 = shared_values[41];
    p.c38 = shared_values[42];
    p.c39 = shared_values[43];
    p.c40 = parameters[2u * run.stride + instance];
    p.c41 = t0;
    p.c42 = t1;
    p.c43 = t2;
    p.c44 = t3;
    return p;
}

// A full step takes 922 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.clock + p.c0;
    let t1 = p.c40 * t0;
    let t2 = s.clock + p.c3;
    let t3 = p.c40 * t2;
    let t4 = s.half_amplitude_0 * p.c9;
    let t5 = s.half_amplitude_1 * p.c10 + t4;
    let t6 = s.half_amplitude_2 * p.c11 + t5;
    let t7 = s.half_amplitude_rate_0 * p.c9;
    let t8 = s.half_amplitude_rate_1 * p.c10 + t7;
    let t9 = s.half_amplitude_rate_2 * p.c11 + t8;
    let t10 = s.half_wz * t6;
    let t11 = s.half_wz * p.c8;
    let t12 = p.c14 * t9 + t11;
    let t13 = s.half_wz * t12;
    let t14 = s.half_wz * t10;
    let t15 = s.half_q3 * t14;
    let t16 = s.half_q3 * t13;
    let t17 = p.c14 * t15;
    let t18 = p.c14 * t16;
    let t19 = s.half_q3 * t18;
    let t20 = s.half_q3 * t17;
    let t21 = s.half_q0 * t17 + t19;
    let t22 = t20 - s.half_q0 * t18;
    let t23 = t21 - t13;
    let t24 = t22 - t14;
    let t25 = s.half_q3 * p.c14;
    let t26 = p.c3 - s.half_q3 * t25;
    let t27 = s.half_q0 * t25;
    let t28 = t6 * t26;
    let t29 = p.c8 * t27 + t28;
    let t30 = p.c9 * t27;
    let t31 = p.c10 * t27;
    let t32 = p.c11 * t27;
    let t33 = t1 * p.c1;
    let t34 = t33 * p.c18 + p.c0;
    let t35 = floor(t34);
    let t36 = t33 - p.c15 * t35;
    let t37 = t36 - p.c16 * t35;
    let t38 = t37 - p.c17 * t35;
    let t39 = t38 * t38;
    let t40 = t38 + t38;
    let t41 = p.c1 * t40;
    let t42 = t38 * t39;
    let t43 = p.c1 * t39;
    let t44 = t38 * t41 + t43;
    let t45 = t40 + t40;
    let t46 = p.c1 * t45;
    let t47 = p.c1 * t46;
    let t48 = t38 * p.c19 + t47;
    let t49 = t39 * p.c20 + p.c21;
    let t50 = t41 * p.c20;
    let t51 = t39 * t49 + p.c23;
    let t52 = t41 * t49;
    let t53 = t39 * t50 + t52;
    let t54 = p.c19 * t49;
    let t55 = t41 * t50 + t54;
    let t56 = t41 * t50 + t55;
    let t57 = t39 * p.c22 + t56;
    let t58 = t39 * t51 + p.c24;
    let t59 = t41 * t51;
    let t60 = t39 * t53 + t59;
    let t61 = p.c19 * t51;
    let t62 = t41 * t53 + t61;
    let t63 = t41 * t53 + t62;
    let t64 = t39 * t57 + t63;
    let t65 = t39 * t58 + p.c25;
    let t66 = t41 * t58;
    let t67 = t39 * t60 + t66;
    let t68 = p.c19 * t58;
    let t69 = t41 * t60 + t68;
    let t70 = t41 * t60 + t69;
    let t71 = t39 * t64 + t70;
    let t72 = t39 * t65 + p.c26;
    let t73 = t41 * t65;
    let t74 = t39 * t67 + t73;
    let t75 = p.c19 * t65;
    let t76 = t41 * t67 + t75;
    let t77 = t41 * t67 + t76;
    let t78 = t39 * t71 + t77;
    let t79 = t42 * t78;
    let t80 = t44 * t74 + t79;
    let t81 = t44 * t74 + t80;
    let t82 = t48 * t72 + t81;
    let t83 = t39 * p.c27 + p.c28;
    let t84 = t41 * p.c27;
    let t85 = t39 * t83 + p.c30;
    let t86 = t41 * t83;
    let t87 = t39 * t84 + t86;
    let t88 = p.c19 * t83;
    let t89 = t41 * t84 + t88;
    let t90 = t41 * t84 + t89;
    let t91 = t39 * p.c29 + t90;
    let t92 = t39 * t85 + p.c31;
    let t93 = t41 * t85;
    let t94 = t39 * t87 + t93;
    let t95 = p.c19 * t85;
    let t96 = t41 * t87 + t95;
    let t97 = t41 * t87 + t96;
    let t98 = t39 * t91 + t97;
    let t99 = t39 * t92 + p.c32;
    let t100 = t41 * t92;
    let t101 = t39 * t94 + t100;
    let t102 = p.c19 * t92;
    let t103 = t41 * t94 + t102;
    let t104 = t41 * t94 + t103;
    let t105 = t39 * t98 + t104;
    let t106 = t39 * t99 + p.c33;
    let t107 = t41 * t99;
    let t108 = t39 * t101 + t107;
    let t109 = p.c19 * t99;
    let t110 = t41 * t101 + t109;
    let t111 = t41 * t101 + t110;
    let t112 = t39 * t105 + t111;
    let t113 = p.c0 - t39 * t106;
    let t114 = t41 * t106;
    let t115 = t39 * t108 + t114;
    let t116 = p.c19 * t106;
    let t117 = t41 * t108 + t116;
    let t118 = t41 * t108 + t117;
    let t119 = t39 * t112 + t118;
    let t120 = p.c19 * t113;
    let t121 = t41 * t115 - t120;
    let t122 = t41 * t115 + t121;
    let t123 = t39 * t119 + t122;
    let t124 = p.c0 * t35;
    let t125 = floor(t124);
    let t126 = select(t82, t123, t125 < t124);
    let t127 = select(t123, t82, t125 < t124);
    let t128 = p.c4 * t35;
    let t129 = floor(t128);
    let t130 = t35 - t129 * p.c34;
    let t131 = -(t126);
    let t132 = select(t131, t126, t130 < p.c14);
    let t133 = p.c3 + t35;
    let t134 = p.c4 * t133;
    let t135 = floor(t134);
    let t136 = t133 - p.c34 * t135;
    let t137 = -(t127);
    let t138 = select(t137, t127, t136 < p.c14);
    let t139 = p.c2 * t138;
    let t140 = t23 - t139;
    let t141 = t6 * t27;
    let t142 = p.c8 * t26 - t141;
    let t143 = p.c9 * t26;
    let t144 = p.c10 * t26;
    let t145 = p.c11 * t26;
    let t146 = p.c2 * t132;
    let t147 = t24 - t146;
    let t148 = s.half_amplitude_0 * p.c12;
    let t149 = s.half_amplitude_1 * p.c13 + t148;
    let t150 = s.half_amplitude_2 * p.c13 + t149;
    let t151 = s.half_amplitude_rate_0 * p.c12;
    let t152 = s.half_amplitude_rate_1 * p.c13 + t151;
    let t153 = s.half_amplitude_rate_2 * p.c13 + t152;
    let t154 = s.half_wz * t150;
    let t155 = s.half_wz * p.c2;
    let t156 = p.c14 * t153 + t155;
    let t157 = s.half_wz * t156;
    let t158 = s.half_wz * t154;
    let t159 = s.half_q3 * t158;
    let t160 = s.half_q3 * t157;
    let t161 = p.c14 * t159;
    let t162 = p.c14 * t160;
    let t163 = s.half_q3 * t161;
    let t164 = t163 - s.half_q0 * t162;
    let t165 = t164 - t158;
    let t166 = t27 * t150;
    let t167 = p.c2 * t26 - t166;
    let t168 = p.c12 * t26;
    let t169 = p.c13 * t26;
    let t170 = s.half_amplitude_0 * p.c6;
    let t171 = s.half_amplitude_0 * t170 + p.c5;
    let t172 = s.half_amplitude_1 * p.c7;
    let t173 = s.half_amplitude_1 * t172 + t171;
    let t174 = s.half_amplitude_2 * s.half_amplitude_2 + t173;
    let t175 = s.half_wz * p.c6;
    let t176 = s.half_wz * t175;
    let t177 = t176 - p.c41;
    let t178 = s.half_amplitude_0 * t177;
    let t179 = s.half_wz * p.c7;
    let t180 = s.half_wz * t179;
    let t181 = t180 - p.c42;
    let t182 = s.half_amplitude_1 * t181;
    let t183 = s.half_wz * s.half_wz;
    let t184 = t183 - p.c43;
    let t185 = s.half_amplitude_2 * t184;
    let t186 = s.half_amplitude_rate_0 * p.c14;
    let t187 = s.half_wz * t170;
    let t188 = t186 * t187;
    let t189 = s.half_amplitude_rate_1 * p.c14;
    let t190 = s.half_wz * t172;
    let t191 = t189 * t190 + t188;
    let t192 = s.half_amplitude_rate_2 * p.c14;
    let t193 = s.half_wz * s.half_amplitude_2;
    let t194 = t192 * t193 + t191;
    let t195 = t182 * p.c36;
    let t196 = t178 * p.c35;
    let t197 = p.c3 / t174;
    let t198 = t194 * t197;
    let t199 = t31 * p.c36;
    let t200 = t30 * p.c35;
    let t201 = t29 * t197;
    let t202 = t29 * t201;
    let t203 = t30 * t200 + t202;
    let t204 = t31 * t199 + t203;
    let t205 = t32 * t32 + t204;
    let t206 = p.c37 + t205;
    let t207 = t142 * t201;
    let t208 = t143 * t200 + t207;
    let t209 = t144 * t199 + t208;
    let t210 = t32 * t145 + t209;
    let t211 = t144 * p.c36;
    let t212 = t143 * p.c35;
    let t213 = t142 * t197;
    let t214 = t142 * t213;
    let t215 = t143 * t212 + t214;
    let t216 = t144 * t211 + t215;
    let t217 = t145 * t145 + t216;
    let t218 = p.c37 + t217;
    let t219 = t167 * t201;
    let t220 = t168 * t200 + t219;
    let t221 = t169 * t199 + t220;
    let t222 = t32 * t169 + t221;
    let t223 = t167 * t213;
    let t224 = t168 * t212 + t223;
    let t225 = t169 * t211 + t224;
    let t226 = t145 * t169 + t225;
    let t227 = p.c37 + t226;
    let t228 = t169 * p.c36;
    let t229 = t168 * p.c35;
    let t230 = t167 * t197;
    let t231 = t167 * t230;
    let t232 = t168 * t229 + t231;
    let t233 = t169 * t228 + t232;
    let t234 = t169 * t169 + t233;
    let t235 = p.c37 + t234;
    let t236 = t29 * t198;
    let t237 = t236 - t30 * t196;
    let t238 = t237 - t31 * t195;
    let t239 = t238 - t32 * t185;
    let t240 = t140 + t239;
    let t241 = t142 * t198;
    let t242 = t143 * t196 - t241;
    let t243 = t144 * t195 + t242;
    let t244 = t145 * t185 + t243;
    let t245 = t147 + t244;
    let t246 = t167 * t198;
    let t247 = t168 * t196 - t246;
    let t248 = t169 * t195 + t247;
    let t249 = t169 * t185 + t248;
    let t250 = t165 + t249;
    let t251 = t206 * p.c38;
    let t252 = t218 * p.c38;
    let t253 = t235 * p.c38;
    let t254 = select(t206, t251, t206 < t251);
    let t255 = p.c3 / t254;
    let t256 = t210 * t255;
    let t257 = t218 - t210 * t256;
    let t258 = t222 * t255;
    let t259 = t227 - t210 * t258;
    let t260 = select(t257, t252, t257 < t252);
    let t261 = p.c3 / t260;
    let t262 = t235 - t222 * t258;
    let t263 = t259 * t261;
    let t264 = t262 - t259 * t263;
    let t265 = select(t264, t253, t264 < t253);
    let t266 = p.c3 / t265;
    let t267 = t240 * t256 + t245;
    let t268 = t240 * t258 + t250;
    let t269 = t268 - t263 * t267;
    let t270 = t266 * t269;
    let t271 = t261 * t267;
    let t272 = t271 - t263 * t270;
    let t273 = t240 * t255;
    let t274 = t256 * t272 + t273;
    let t275 = t258 * t270 + t274;
    let t276 = t29 * t275;
    let t277 = t30 * t275;
    let t278 = t31 * t275;
    let t279 = t32 * t275;
    let t280 = t276 - t142 * t272;
    let t281 = t277 - t143 * t272;
    let t282 = t278 - t144 * t272;
    let t283 = t279 - t145 * t272;
    let t284 = t280 - t167 * t270;
    let t285 = t270 + t272;
    let t286 = t281 - t168 * t270;
    let t287 = t282 - t169 * t270;
    let t288 = t283 - t169 * t270;
    let t289 = t284 - t194;
    let t290 = t197 * t289;
    let t291 = p.c37 * t275;
    let t292 = p.c37 * t285;
    let t293 = t178 + t286;
    let t294 = p.c35 * t293;
    let t295 = t182 + t287;
    let t296 = p.c36 * t295;
    let t297 = t185 + t288;
    let t298 = p.c40 * t290 + s.wz;
    let t299 = s.vx - p.c40 * t291;
    let t300 = s.vy - p.c40 * t292;
    let t301 = p.c40 * t294 + s.amplitude_rate_0;
    let t302 = p.c40 * t296 + s.amplitude_rate_1;
    let t303 = p.c40 * t297 + s.amplitude_rate_2;
    let t304 = s.half_wz * p.c44;
    let t305 = t304 * t304 + p.c3;
    let t306 = p.c14 / t305;
    let t307 = s.q0 - s.q3 * t304;
    let t308 = s.q0 * t304 + s.q3;
    let t309 = t306 * t307 - s.q0;
    let t310 = t306 * t308 - s.q3;
    let t311 = t309 * t309;
    let t312 = t310 * t310 + t311;
    let t313 = p.c39 - p.c0 * t312;
    let t314 = t309 * t313;
    let t315 = t310 * t313;
    let t316 = s.half_vx * p.c40 + s.rx;
    let t317 = s.half_vy * p.c40 + s.ry;
    let t318 = s.half_amplitude_rate_0 * p.c40 + s.amplitude_0;
    let t319 = s.half_amplitude_rate_1 * p.c40 + s.amplitude_1;
    let t320 = s.half_amplitude_rate_2 * p.c40 + s.amplitude_2;
    let t321 = p.c9 * t318;
    let t322 = p.c10 * t319 + t321;
    let t323 = p.c11 * t320 + t322;
    let t324 = p.c9 * t301;
    let t325 = p.c10 * t302 + t324;
    let t326 = p.c11 * t303 + t325;
    let t327 = t298 * t323;
    let t328 = p.c8 * t298;
    let t329 = p.c14 * t326 + t328;
    let t330 = t298 * t329;
    let t331 = t298 * t327;
    let t332 = t315 * t331;
    let t333 = t315 * t330;
    let t334 = p.c14 * t332;
    let t335 = p.c14 * t333;
    let t336 = t315 * t335;
    let t337 = t315 * t334;
    let t338 = t314 * t334 + t336;
    let t339 = t337 - t314 * t335;
    let t340 = t338 - t330;
    let t341 = t339 - t331;
    let t342 = p.c14 * t315;
    let t343 = p.c3 - t315 * t342;
    let t344 = t314 * t342;
    let t345 = t323 * t343;
    let t346 = p.c8 * t344 + t345;
    let t347 = p.c9 * t344;
    let t348 = p.c10 * t344;
    let t349 = p.c11 * t344;
    let t350 = p.c1 * t3;
    let t351 = p.c18 * t350 + p.c0;
    let t352 = floor(t351);
    let t353 = t350 - p.c15 * t352;
    let t354 = t353 - p.c16 * t352;
    let t355 = t354 - p.c17 * t352;
    let t356 = t355 * t355;
    let t357 = t355 + t355;
    let t358 = p.c1 * t357;
    let t359 = t355 * t356;
    let t360 = p.c1 * t356;
    let t361 = t355 * t358 + t360;
    let t362 = t357 + t357;
    let t363 = p.c1 * t362;
    let t364 = p.c1 * t363;
    let t365 = p.c19 * t355 + t364;
    let t366 = p.c20 * t356 + p.c21;
    let t367 = p.c20 * t358;
    let t368 = t356 * t366 + p.c23;
    let t369 = t358 * t366;
    let t370 = t356 * t367 + t369;
    let t371 = p.c19 * t366;
    let t372 = t358 * t367 + t371;
    let t373 = t358 * t367 + t372;
    let t374 = p.c22 * t356 + t373;
    let t375 = t356 * t368 + p.c24;
    let t376 = t358 * t368;
    let t377 = t356 * t370 + t376;
    let t378 = p.c19 * t368;
    let t379 = t358 * t370 + t378;
    let t380 = t358 * t370 + t379;
    let t381 = t356 * t374 + t380;
    let t382 = t356 * t375 + p.c25;
    let t383 = t358 * t375;
    let t384 = t356 * t377 + t383;
    let t385 = p.c19 * t375;
    let t386 = t358 * t377 + t385;
    let t387 = t358 * t377 + t386;
    let t388 = t356 * t381 + t387;
    let t389 = t356 * t382 + p.c26;
    let t390 = t358 * t382;
    let t391 = t356 * t384 + t390;
    let t392 = p.c19 * t382;
    let t393 = t358 * t384 + t392;
    let t394 = t358 * t384 + t393;
    let t395 = t356 * t388 + t394;
    let t396 = t359 * t395;
    let t397 = t361 * t391 + t396;
    let t398 = t361 * t391 + t397;
    let t399 = t365 * t389 + t398;
    let t400 = p.c27 * t356 + p.c28;
    let t401 = p.c27 * t358;
    let t402 = t356 * t400 + p.c30;
    let t403 = t358 * t400;
    let t404 = t356 * t401 + t403;
    let t405 = p.c19 * t400;
    let t406 = t358 * t401 + t405;
    let t407 = t358 * t401 + t406;
    let t408 = p.c29 * t356 + t407;
    let t409 = t356 * t402 + p.c31;
    let t410 = t358 * t402;
    let t411 = t356 * t404 + t410;
    let t412 = p.c19 * t402;
    let t413 = t358 * t404 + t412;
    let t414 = t358 * t404 + t413;
    let t415 = t356 * t408 + t414;
    let t416 = t356 * t409 + p.c32;
    let t417 = t358 * t409;
    let t418 = t356 * t411 + t417;
    let t419 = p.c19 * t409;
    let t420 = t358 * t411 + t419;
    let t421 = t358 * t411 + t420;
    let t422 = t356 * t415 + t421;
    let t423 = t356 * t416 + p.c33;
    let t424 = t358 * t416;
    let t425 = t356 * t418 + t424;
    let t426 = p.c19 * t416;
    let t427 = t358 * t418 + t426;
    let t428 = t358 * t418 + t427;
    let t429 = t356 * t422 + t428;
    let t430 = p.c0 - t356 * t423;
    let t431 = t358 * t423;
    let t432 = t356 * t425 + t431;
    let t433 = p.c19 * t423;
    let t434 = t358 * t425 + t433;
    let t435 = t358 * t425 + t434;
    let t436 = t356 * t429 + t435;
    let t437 = p.c19 * t430;
    let t438 = t358 * t432 - t437;
    let t439 = t358 * t432 + t438;
    let t440 = t356 * t436 + t439;
    let t441 = p.c0 * t352;
    let t442 = floor(t441);
    let t443 = select(t399, t440, t442 < t441);
    let t444 = select(t440, t399, t442 < t441);
    let t445 = p.c4 * t352;
    let t446 = floor(t445);
    let t447 = t352 - p.c34 * t446;
    let t448 = -(t443);
    let t449 = select(t448, t443, t447 < p.c14);
    let t450 = p.c3 + t352;
    let t451 = p.c4 * t450;
    let t452 = floor(t451);
    let t453 = t450 - p.c34 * t452;
    let t454 = -(t444);
    let t455 = select(t454, t444, t453 < p.c14);
    let t456 = p.c2 * t455;
    let t457 = t340 - t456;
    let t458 = t323 * t344;
    let t459 = p.c8 * t343 - t458;
    let t460 = p.c9 * t343;
    let t461 = p.c10 * t343;
    let t462 = p.c11 * t343;
    let t463 = p.c2 * t449;
    let t464 = t341 - t463;
    let t465 = p.c12 * t318;
    let t466 = p.c13 * t319 + t465;
    let t467 = p.c13 * t320 + t466;
    let t468 = p.c12 * t301;
    let t469 = p.c13 * t302 + t468;
    let t470 = p.c13 * t303 + t469;
    let t471 = t298 * t467;
    let t472 = p.c2 * t298;
    let t473 = p.c14 * t470 + t472;
    let t474 = t298 * t473;
    let t475 = t298 * t471;
    let t476 = t315 * t475;
    let t477 = t315 * t474;
    let t478 = p.c14 * t476;
    let t479 = p.c14 * t477;
    let t480 = t315 * t478;
    let t481 = t480 - t314 * t479;
    let t482 = t481 - t475;
    let t483 = t344 * t467;
    let t484 = p.c2 * t343 - t483;
    let t485 = p.c12 * t343;
    let t486 = p.c13 * t343;
    let t487 = p.c6 * t318;
    let t488 = t318 * t487 + p.c5;
    let t489 = p.c7 * t319;
    let t490 = t319 * t489 + t488;
    let t491 = t320 * t320 + t490;
    let t492 = p.c6 * t298;
    let t493 = t298 * t492;
    let t494 = t493 - p.c41;
    let t495 = t318 * t494;
    let t496 = p.c7 * t298;
    let t497 = t298 * t496;
    let t498 = t497 - p.c42;
    let t499 = t319 * t498;
    let t500 = t298 * t298;
    let t501 = t500 - p.c43;
    let t502 = t320 * t501;
    let t503 = p.c14 * t301;
    let t504 = t298 * t487;
    let t505 = t503 * t504;
    let t506 = p.c14 * t302;
    let t507 = t298 * t489;
    let t508 = t506 * t507 + t505;
    let t509 = p.c14 * t303;
    let t510 = t298 * t320;
    let t511 = t509 * t510 + t508;
    let t512 = p.c36 * t499;
    let t513 = p.c35 * t495;
    let t514 = p.c3 / t491;
    let t515 = t511 * t514;
    let t516 = p.c36 * t348;
    let t517 = p.c35 * t347;
    let t518 = t346 * t514;
    let t519 = t346 * t518;
    let t520 = t347 * t517 + t519;
    let t521 = t348 * t516 + t520;
    let t522 = t349 * t349 + t521;
    let t523 = p.c37 + t522;
    let t524 = t459 * t518;
    let t525 = t460 * t517 + t524;
    let t526 = t461 * t516 + t525;
    let t527 = t349 * t462 + t526;
    let t528 = p.c36 * t461;
    let t529 = p.c35 * t460;
    let t530 = t459 * t514;
    let t531 = t459 * t530;
    let t532 = t460 * t529 + t531;
    let t533 = t461 * t528 + t532;
    let t534 = t462 * t462 + t533;
    let t535 = p.c37 + t534;
    let t536 = t484 * t518;
    let t537 = t485 * t517 + t536;
    let t538 = t486 * t516 + t537;
    let t539 = t349 * t486 + t538;
    let t540 = t484 * t530;
    let t541 = t485 * t529 + t540;
    let t542 = t486 * t528 + t541;
    let t543 = t462 * t486 + t542;
    let t544 = p.c37 + t543;
    let t545 = p.c36 * t486;
    let t546 = p.c35 * t485;
    let t547 = t484 * t514;
    let t548 = t484 * t547;
    let t549 = t485 * t546 + t548;
    let t550 = t486 * t545 + t549;
    let t551 = t486 * t486 + t550;
    let t552 = p.c37 + t551;
    let t553 = t346 * t515;
    let t554 = t553 - t347 * t513;
    let t555 = t554 - t348 * t512;
    let t556 = t555 - t349 * t502;
    let t557 = t457 + t556;
    let t558 = t459 * t515;
    let t559 = t460 * t513 - t558;
    let t560 = t461 * t512 + t559;
    let t561 = t462 * t502 + t560;
    let t562 = t464 + t561;
    let t563 = t484 * t515;
    let t564 = t485 * t513 - t563;
    let t565 = t486 * t512 + t564;
    let t566 = t486 * t502 + t565;
    let t567 = t482 + t566;
    let t568 = p.c38 * t523;
    let t569 = p.c38 * t535;
    let t570 = p.c38 * t552;
    let t571 = select(t523, t568, t523 < t568);
    let t572 = p.c3 / t571;
    let t573 = t527 * t572;
    let t574 = t535 - t527 * t573;
    let t575 = t539 * t572;
    let t576 = t544 - t527 * t575;
    let t577 = select(t574, t569, t574 < t569);
    let t578 = p.c3 / t577;
    let t579 = t552 - t539 * t575;
    let t580 = t576 * t578;
    let t581 = t579 - t576 * t580;
    let t582 = select(t581, t570, t581 < t570);
    let t583 = p.c3 / t582;
    let t584 = t557 * t573 + t562;
    let t585 = t557 * t575 + t567;
    let t586 = t585 - t580 * t584;
    let t587 = t583 * t586;
    let t588 = t578 * t584;
    let t589 = t588 - t580 * t587;
    let t590 = t557 * t572;
    let t591 = t573 * t589 + t590;
    let t592 = t575 * t587 + t591;
    let t593 = t346 * t592;
    let t594 = t347 * t592;
    let t595 = t348 * t592;
    let t596 = t349 * t592;
    let t597 = t593 - t459 * t589;
    let t598 = t594 - t460 * t589;
    let t599 = t595 - t461 * t589;
    let t600 = t596 - t462 * t589;
    let t601 = t597 - t484 * t587;
    let t602 = t587 + t589;
    let t603 = t598 - t485 * t587;
    let t604 = t599 - t486 * t587;
    let t605 = t600 - t486 * t587;
    let t606 = t601 - t511;
    let t607 = t514 * t606;
    let t608 = p.c37 * t592;
    let t609 = p.c37 * t602;
    let t610 = t495 + t603;
    let t611 = p.c35 * t610;
    let t612 = t499 + t604;
    let t613 = p.c36 * t612;
    let t614 = t502 + t605;
    let t615 = p.c40 * t607 + s.half_wz;
    let t616 = s.half_vx - p.c40 * t608;
    let t617 = s.half_vy - p.c40 * t609;
    let t618 = p.c40 * t611 + s.half_amplitude_rate_0;
    let t619 = p.c40 * t613 + s.half_amplitude_rate_1;
    let t620 = p.c40 * t614 + s.half_amplitude_rate_2;
    let t621 = t298 * p.c44;
    let t622 = t621 * t621 + p.c3;
    let t623 = p.c14 / t622;
    let t624 = s.half_q0 - s.half_q3 * t621;
    let t625 = s.half_q0 * t621 + s.half_q3;
    let t626 = t623 * t624 - s.half_q0;
    let t627 = t623 * t625 - s.half_q3;
    let t628 = t626 * t626;
    let t629 = t627 * t627 + t628;
    let t630 = p.c39 - p.c0 * t629;
    let t631 = t626 * t630;
    let t632 = t627 * t630;
    let t633 = p.c40 * t301 + s.half_amplitude_0;
    let t634 = p.c40 * t302 + s.half_amplitude_1;
    let t635 = p.c40 * t303 + s.half_amplitude_2;
    var next: State;
    next.q0 = t314;
    next.q3 = t315;
    next.wz = t298;
    next.rx = t316;
    next.ry = t317;
    next.vx = t299;
    next.vy = t300;
    next.amplitude_0 = t318;
    next.amplitude_1 = t319;
    next.amplitude_2 = t320;
    next.amplitude_rate_0 = t301;
    next.amplitude_rate_1 = t302;
    next.amplitude_rate_2 = t303;
    next.clock = t2;
    next.half_q0 = t631;
    next.half_q3 = t632;
    next.half_wz = t615;
    next.half_vx = t616;
    next.half_vy = t617;
    next.half_amplitude_0 = t633;
    next.half_amplitude_1 = t634;
    next.half_amplitude_2 = t635;
    next.half_amplitude_rate_0 = t618;
    next.half_amplitude_rate_1 = t619;
    next.half_amplitude_rate_2 = t620;
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
    next.sum_q0 = 0.0lf;
    next.sum_q3 = 0.0lf;
    next.sum_wz = 0.0lf;
    next.sum_vx = 0.0lf;
    next.sum_vy = 0.0lf;
    next.sum_amplitude_0 = 0.0lf;
    next.sum_amplitude_1 = 0.0lf;
    next.sum_amplitude_2 = 0.0lf;
    next.sum_amplitude_rate_0 = 0.0lf;
    next.sum_amplitude_rate_1 = 0.0lf;
    next.sum_amplitude_rate_2 = 0.0lf;
    return next;
}

// A stage takes 488 operations.
fn lead_stage(instance: u32, s: State, c: Lead, number: u32) -> Lead {
    let t0 = parameters[3u * run.stride + instance] * shared_values[9];
    let t1 = parameters[3u * run.stride + instance] * shared_values[10];
    let t2 = parameters[3u * run.stride + instance] * shared_values[11];
    let t3 = parameters[2u * run.stride + instance] * shared_values[5];
    let t4 = s.clock + shared_values[50u + 3u * number];
    let t5 = parameters[2u * run.stride + instance] * t4;
    let t6 = c.at_q0 * c.at_q0;
    let t7 = c.at_q3 * c.at_q3 + t6;
    let t8 = t7 + shared_values[45];
    let t9 = t7 * t8 + shared_values[44];
    let t10 = t7 * shared_values[44] + shared_values[45];
    let t11 = t7 * t10 + shared_values[4];
    let t12 = t9 / t11;
    let t13 = c.at_q0 * t12;
    let t14 = c.at_q3 * t12;
    let t15 = shared_values[13] * c.at_amplitude_0;
    let t16 = shared_values[14] * c.at_amplitude_1 + t15;
    let t17 = shared_values[15] * c.at_amplitude_2 + t16;
    let t18 = shared_values[13] * c.at_amplitude_rate_0;
    let t19 = shared_values[14] * c.at_amplitude_rate_1 + t18;
    let t20 = shared_values[15] * c.at_amplitude_rate_2 + t19;
    let t21 = c.at_wz * t17;
    let t22 = shared_values[12] * c.at_wz;
    let t23 = shared_values[18] * t20 + t22;
    let t24 = c.at_wz * t23;
    let t25 = c.at_wz * t21;
    let t26 = t14 * t25;
    let t27 = t14 * t24;
    let t28 = shared_values[18] * t26;
    let t29 = shared_values[18] * t27;
    let t30 = t14 * t29;
    let t31 = t14 * t28;
    let t32 = t13 * t28 + t30;
    let t33 = t31 - t13 * t29;
    let t34 = t32 - t24;
    let t35 = t33 - t25;
    let t36 = shared_values[18] * t14;
    let t37 = shared_values[4] - t14 * t36;
    let t38 = t13 * t36;
    let t39 = t17 * t37;
    let t40 = shared_values[12] * t38 + t39;
    let t41 = shared_values[13] * t38;
    let t42 = shared_values[14] * t38;
    let t43 = shared_values[15] * t38;
    let t44 = shared_values[2] * t5;
    let t45 = shared_values[22] * t44 + shared_values[0];
    let t46 = floor(t45);
    let t47 = t44 - shared_values[19] * t46;
    let t48 = t47 - shared_values[20] * t46;
    let t49 = t48 - shared_values[21] * t46;
    let t50 = t49 * t49;
    let t51 = t49 + t49;
    let t52 = shared_values[2] * t51;
    let t53 = t49 * t50;
    let t54 = shared_values[2] * t50;
    let t55 = t49 * t52 + t54;
    let t56 = t51 + t51;
    let t57 = shared_values[2] * t56;
    let t58 = shared_values[2] * t57;
    let t59 = shared_values[23] * t49 + t58;
    let t60 = shared_values[24] * t50 + shared_values[25];
    let t61 = shared_values[24] * t52;
    let t62 = t50 * t60 + shared_values[27];
    let t63 = t52 * t60;
    let t64 = t50 * t61 + t63;
    let t65 = shared_values[23] * t60;
    let t66 = t52 * t61 + t65;
    let t67 = t52 * t61 + t66;
    let t68 = shared_values[26] * t50 + t67;
    let t69 = t50 * t62 + shared_values[28];
    let t70 = t52 * t62;
    let t71 = t50 * t64 + t70;
    let t72 = shared_values[23] * t62;
    let t73 = t52 * t64 + t72;
    let t74 = t52 * t64 + t73;
    let t75 = t50 * t68 + t74;
    let t76 = t50 * t69 + shared_values[29];
    let t77 = t52 * t69;
    let t78 = t50 * t71 + t77;
    let t79 = shared_values[23] * t69;
    let t80 = t52 * t71 + t79;
    let t81 = t52 * t71 + t80;
    let t82 = t50 * t75 + t81;
    let t83 = t50 * t76 + shared_values[30];
    let t84 = t52 * t76;
    let t85 = t50 * t78 + t84;
    let t86 = shared_values[23] * t76;
    let t87 = t52 * t78 + t86;
    let t88 = t52 * t78 + t87;
    let t89 = t50 * t82 + t88;
    let t90 = t53 * t89;
    let t91 = t55 * t85 + t90;
    let t92 = t55 * t85 + t91;
    let t93 = t59 * t83 + t92;
    let t94 = shared_values[31] * t50 + shared_values[32];
    let t95 = shared_values[31] * t52;
    let t96 = t50 * t94 + shared_values[34];
    let t97 = t52 * t94;
    let t98 = t50 * t95 + t97;
    let t99 = shared_values[23] * t94;
    let t100 = t52 * t95 + t99;
    let t101 = t52 * t95 + t100;
    let t102 = shared_values[33] * t50 + t101;
    let t103 = t50 * t96 + shared_values[35];
    let t104 = t52 * t96;
    let t105 = t50 * t98 + t104;
    let t106 = shared_values[23] * t96;
    let t107 = t52 * t98 + t106;
    let t108 = t52 * t98 + t107;
    let t109 = t50 * t102 + t108;
    let t110 = t50 * t103 + shared_values[36];
    let t111 = t52 * t103;
    let t112 = t50 * t105 + t111;
    let t113 = shared_values[23] * t103;
    let t114 = t52 * t105 + t113;
    let t115 = t52 * t105 + t114;
    let t116 = t50 * t109 + t115;
    let t117 = t50 * t110 + shared_values[37];
    let t118 = t52 * t110;
    let t119 = t50 * t112 + t118;
    let t120 = shared_values[23] * t110;
    let t121 = t52 * t112 + t120;
    let t122 = t52 * t112 + t121;
    let t123 = t50 * t116 + t122;
    let t124 = shared_values[0] - t50 * t117;
    let t125 = t52 * t117;
    let t126 = t50 * t119 + t125;
    let t127 = shared_values[23] * t117;
    let t128 = t52 * t119 + t127;
    let t129 = t52 * t119 + t128;
    let t130 = t50 * t123 + t129;
    let t131 = shared_values[23] * t124;
    let t132 = t52 * t126 - t131;
    let t133 = t52 * t126 + t132;
    let t134 = t50 * t130 + t133;
    let t135 = shared_values[0] * t46;
    let t136 = floor(t135);
    let t137 = select(t93, t134, t136 < t135);
    let t138 = select(t134, t93, t136 < t135);
    let t139 = shared_values[5] * t46;
    let t140 = floor(t139);
    let t141 = t46 - shared_values[38] * t140;
    let t142 = -(t137);
    let t143 = select(t142, t137, t141 < shared_values[18]);
    let t144 = shared_values[4] + t46;
    let t145 = shared_values[5] * t144;
    let t146 = floor(t145);
    let t147 = t144 - shared_values[38] * t146;
    let t148 = -(t138);
    let t149 = select(t148, t138, t147 < shared_values[18]);
    let t150 = shared_values[3] * t149;
    let t151 = t34 - t150;
    let t152 = t17 * t38;
    let t153 = shared_values[12] * t37 - t152;
    let t154 = shared_values[13] * t37;
    let t155 = shared_values[14] * t37;
    let t156 = shared_values[15] * t37;
    let t157 = shared_values[3] * t143;
    let t158 = t35 - t157;
    let t159 = shared_values[16] * c.at_amplitude_0;
    let t160 = shared_values[17] * c.at_amplitude_1 + t159;
    let t161 = shared_values[17] * c.at_amplitude_2 + t160;
    let t162 = shared_values[16] * c.at_amplitude_rate_0;
    let t163 = shared_values[17] * c.at_amplitude_rate_1 + t162;
    let t164 = shared_values[17] * c.at_amplitude_rate_2 + t163;
    let t165 = c.at_wz * t161;
    let t166 = shared_values[3] * c.at_wz;
    let t167 = shared_values[18] * t164 + t166;
    let t168 = c.at_wz * t167;
    let t169 = c.at_wz * t165;
    let t170 = t14 * t169;
    let t171 = t14 * t168;
    let t172 = shared_values[18] * t170;
    let t173 = shared_values[18] * t171;
    let t174 = t14 * t172;
    let t175 = t174 - t13 * t173;
    let t176 = t175 - t169;
    let t177 = t38 * t161;
    let t178 = shared_values[3] * t37 - t177;
    let t179 = shared_values[16] * t37;
    let t180 = shared_values[17] * t37;
    let t181 = shared_values[7] * c.at_amplitude_0;
    let t182 = c.at_amplitude_0 * t181 + shared_values[6];
    let t183 = shared_values[8] * c.at_amplitude_1;
    let t184 = c.at_amplitude_1 * t183 + t182;
    let t185 = c.at_amplitude_2 * c.at_amplitude_2 + t184;
    let t186 = shared_values[7] * c.at_wz;
    let t187 = c.at_wz * t186;
    let t188 = t187 - t0;
    let t189 = c.at_amplitude_0 * t188;
    let t190 = shared_values[8] * c.at_wz;
    let t191 = c.at_wz * t190;
    let t192 = t191 - t1;
    let t193 = c.at_amplitude_1 * t192;
    let t194 = c.at_wz * c.at_wz;
    let t195 = t194 - t2;
    let t196 = c.at_amplitude_2 * t195;
    let t197 = c.at_amplitude_rate_0 * shared_values[18];
    let t198 = c.at_wz * t181;
    let t199 = t197 * t198;
    let t200 = c.at_amplitude_rate_1 * shared_values[18];
    let t201 = c.at_wz * t183;
    let t202 = t200 * t201 + t199;
    let t203 = c.at_amplitude_rate_2 * shared_values[18];
    let t204 = c.at_wz * c.at_amplitude_2;
    let t205 = t203 * t204 + t202;
    let t206 = shared_values[40] * t193;
    let t207 = shared_values[39] * t189;
    let t208 = shared_values[4] / t185;
    let t209 = t205 * t208;
    let t210 = shared_values[40] * t42;
    let t211 = shared_values[39] * t41;
    let t212 = t40 * t208;
    let t213 = t40 * t212;
    let t214 = t41 * t211 + t213;
    let t215 = t42 * t210 + t214;
    let t216 = t43 * t43 + t215;
    let t217 = shared_values[41] + t216;
    let t218 = t153 * t212;
    let t219 = t154 * t211 + t218;
    let t220 = t155 * t210 + t219;
    let t221 = t43 * t156 + t220;
    let t222 = shared_values[40] * t155;
    let t223 = shared_values[39] * t154;
    let t224 = t153 * t208;
    let t225 = t153 * t224;
    let t226 = t154 * t223 + t225;
    let t227 = t155 * t222 + t226;
    let t228 = t156 * t156 + t227;
    let t229 = shared_values[41] + t228;
    let t230 = t178 * t212;
    let t231 = t179 * t211 + t230;
    let t232 = t180 * t210 + t231;
    let t233 = t43 * t180 + t232;
    let t234 = t178 * t224;
    let t235 = t179 * t223 + t234;
    let t236 = t180 * t222 + t235;
    let t237 = t156 * t180 + t236;
    let t238 = shared_values[41] + t237;
    let t239 = shared_values[40] * t180;
    let t240 = shared_values[39] * t179;
    let t241 = t178 * t208;
    let t242 = t178 * t241;
    let t243 = t179 * t240 + t242;
    let t244 = t180 * t239 + t243;
    let t245 = t180 * t180 + t244;
    let t246 = shared_values[41] + t245;
    let t247 = t40 * t209;
    let t248 = t247 - t41 * t207;
    let t249 = t248 - t42 * t206;
    let t250 = t249 - t43 * t196;
    let t251 = t151 + t250;
    let t252 = t153 * t209;
    let t253 = t154 * t207 - t252;
    let t254 = t155 * t206 + t253;
    let t255 = t156 * t196 + t254;
    let t256 = t158 + t255;
    let t257 = t178 * t209;
    let t258 = t179 * t207 - t257;
    let t259 = t180 * t206 + t258;
    let t260 = t180 * t196 + t259;
    let t261 = t176 + t260;
    let t262 = shared_values[42] * t217;
    let t263 = shared_values[42] * t229;
    let t264 = shared_values[42] * t246;
    let t265 = select(t217, t262, t217 < t262);
    let t266 = shared_values[4] / t265;
    let t267 = t221 * t266;
    let t268 = t229 - t221 * t267;
    let t269 = t233 * t266;
    let t270 = t238 - t221 * t269;
    let t271 = select(t268, t263, t268 < t263);
    let t272 = shared_values[4] / t271;
    let t273 = t246 - t233 * t269;
    let t274 = t270 * t272;
    let t275 = t273 - t270 * t274;
    let t276 = select(t275, t264, t275 < t264);
    let t277 = shared_values[4] / t276;
    let t278 = t251 * t267 + t256;
    let t279 = t251 * t269 + t261;
    let t280 = t279 - t274 * t278;
    let t281 = t277 * t280;
    let t282 = t272 * t278;
    let t283 = t282 - t274 * t281;
    let t284 = t251 * t266;
    let t285 = t267 * t283 + t284;
    let t286 = t269 * t281 + t285;
    let t287 = t40 * t286;
    let t288 = t41 * t286;
    let t289 = t42 * t286;
    let t290 = t43 * t286;
    let t291 = t287 - t153 * t283;
    let t292 = t288 - t154 * t283;
    let t293 = t289 - t155 * t283;
    let t294 = t290 - t156 * t283;
    let t295 = t291 - t178 * t281;
    let t296 = t281 + t283;
    let t297 = t292 - t179 * t281;
    let t298 = t293 - t180 * t281;
    let t299 = t294 - t180 * t281;
    let t300 = t295 - t205;
    let t301 = t208 * t300;
    let t302 = shared_values[41] * t286;
    let t303 = shared_values[41] * t296;
    let t304 = t189 + t297;
    let t305 = shared_values[39] * t304;
    let t306 = t193 + t298;
    let t307 = shared_values[40] * t306;
    let t308 = t196 + t299;
    let t309 = t3 * t301;
    let t310 = t3 * t302;
    let t311 = t3 * t303;
    let t312 = t3 * t305;
    let t313 = t3 * t307;
    let t314 = t3 * t308;
    let t315 = shared_values[0] * t3;
    let t316 = c.at_q3 * c.at_wz;
    let t317 = c.at_q0 * c.at_wz;
    let t318 = t315 * t316;
    let t319 = t315 * t317;
    let t320 = c.at_amplitude_rate_0 * t3;
    let t321 = c.at_amplitude_rate_1 * t3;
    let t322 = c.at_amplitude_rate_2 * t3;
    let t323 = c.base_q0 - shared_values[48u + 3u * number] * t318;
    let t324 = shared_values[48u + 3u * number] * t319 + c.base_q3;
    let t325 = shared_values[48u + 3u * number] * t309 + c.base_wz;
    let t326 = shared_values[48u + 3u * number] * t320 + c.base_amplitude_0;
    let t327 = shared_values[48u + 3u * number] * t321 + c.base_amplitude_1;
    let t328 = shared_values[48u + 3u * number] * t322 + c.base_amplitude_2;
    let t329 = shared_values[48u + 3u * number] * t312 + c.base_amplitude_rate_0;
    let t330 = shared_values[48u + 3u * number] * t313 + c.base_amplitude_rate_1;
    let t331 = shared_values[48u + 3u * number] * t314 + c.base_amplitude_rate_2;
    let t332 = c.sum_q0 - shared_values[49u + 3u * number] * t318;
    let t333 = shared_values[49u + 3u * number] * t319 + c.sum_q3;
    let t334 = shared_values[49u + 3u * number] * t309 + c.sum_wz;
    let t335 = c.sum_vx - shared_values[49u + 3u * number] * t310;
    let t336 = c.sum_vy - shared_values[49u + 3u * number] * t311;
    let t337 = shared_values[49u + 3u * number] * t320 + c.sum_amplitude_0;
    let t338 = shared_values[49u + 3u * number] * t321 + c.sum_amplitude_1;
    let t339 = shared_values[49u + 3u * number] * t322 + c.sum_amplitude_2;
    let t340 = shared_values[49u + 3u * number] * t312 + c.sum_amplitude_rate_0;
    let t341 = shared_values[49u + 3u * number] * t313 + c.sum_amplitude_rate_1;
    let t342 = shared_values[49u + 3u * number] * t314 + c.sum_amplitude_rate_2;
    var next = c;
    next.at_q0 = t323;
    next.at_q3 = t324;
    next.at_wz = t325;
    next.at_amplitude_0 = t326;
    next.at_amplitude_1 = t327;
    next.at_amplitude_2 = t328;
    next.at_amplitude_rate_0 = t329;
    next.at_amplitude_rate_1 = t330;
    next.at_amplitude_rate_2 = t331;
    next.sum_q0 = t332;
    next.sum_q3 = t333;
    next.sum_wz = t334;
    next.sum_vx = t335;
    next.sum_vy = t336;
    next.sum_amplitude_0 = t337;
    next.sum_amplitude_1 = t338;
    next.sum_amplitude_2 = t339;
    next.sum_amplitude_rate_0 = t340;
    next.sum_amplitude_rate_1 = t341;
    next.sum_amplitude_rate_2 = t342;
    return next;
}

// A Runge-Kutta step ends, and another one may begin there.
fn lead_settled(instance: u32, s: State, c: Lead) -> Lead {
    let t0 = c.sum_q0 * shared_values[46] + c.base_q0;
    let t1 = c.sum_q3 * shared_values[46] + c.base_q3;
    let t2 = c.sum_wz * shared_values[46] + c.base_wz;
    let t3 = c.sum_vx * shared_values[46] + c.base_vx;
    let t4 = c.sum_vy * shared_values[46] + c.base_vy;
    let t5 = c.sum_amplitude_0 * shared_values[46] + c.base_amplitude_0;
    let t6 = c.sum_amplitude_1 * shared_values[46] + c.base_amplitude_1;
    let t7 = c.sum_amplitude_2 * shared_values[46] + c.base_amplitude_2;
    let t8 = c.sum_amplitude_rate_0 * shared_values[46] + c.base_amplitude_rate_0;
    let t9 = c.sum_amplitude_rate_1 * shared_values[46] + c.base_amplitude_rate_1;
    let t10 = c.sum_amplitude_rate_2 * shared_values[46] + c.base_amplitude_rate_2;
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
    next.sum_q0 = 0.0lf;
    next.sum_q3 = 0.0lf;
    next.sum_wz = 0.0lf;
    next.sum_vx = 0.0lf;
    next.sum_vy = 0.0lf;
    next.sum_amplitude_0 = 0.0lf;
    next.sum_amplitude_1 = 0.0lf;
    next.sum_amplitude_2 = 0.0lf;
    next.sum_amplitude_rate_0 = 0.0lf;
    next.sum_amplitude_rate_1 = 0.0lf;
    next.sum_amplitude_rate_2 = 0.0lf;
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
    let t0 = parameters[3u * run.stride + instance] * shared_values[9];
    let t1 = parameters[3u * run.stride + instance] * shared_values[10];
    let t2 = parameters[3u * run.stride + instance] * shared_values[11];
    let t3 = s.vx * s.vx;
    let t4 = s.vy * s.vy + t3;
    let t5 = shared_values[1] * t4;
    let t6 = s.amplitude_0 * shared_values[7];
    let t7 = s.amplitude_0 * t6 + shared_values[6];
    let t8 = s.amplitude_1 * shared_values[8];
    let t9 = s.amplitude_1 * t8 + t7;
    let t10 = s.amplitude_2 * s.amplitude_2 + t9;
    let t11 = s.wz * t10;
    let t12 = s.wz * t11;
    let t13 = s.amplitude_rate_0 * shared_values[7];
    let t14 = s.amplitude_rate_0 * t13;
    let t15 = s.amplitude_rate_1 * shared_values[8];
    let t16 = s.amplitude_rate_1 * t15 + t14;
    let t17 = s.amplitude_rate_2 * s.amplitude_rate_2 + t16;
    let t18 = t12 + t17;
    let t19 = t5 + t18;
    let t20 = shared_values[0] * t19;
    let t21 = t20 - parameters[0u * run.stride + instance];
    let t22 = s.amplitude_0 * t0;
    let t23 = s.amplitude_0 * t22;
    let t24 = s.amplitude_1 * t1;
    let t25 = s.amplitude_1 * t24 + t23;
    let t26 = s.amplitude_2 * t2;
    let t27 = s.amplitude_2 * t26 + t25;
    let t28 = shared_values[0] * t27;
    let t29 = t21 + t28;
    let t30 = parameters[1u * run.stride + instance] * shared_values[47];
    return Judged(t29, t30);
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
