// Double precision (needs the adapter feature SHADER_F64).
alias real = f64;

// NaN compares false. Beyond this energies, which are products of two such numbers, would not be
// finite.
fn is_finite_real(x: real) -> bool {
    return abs(x) <= 1e140lf;
}

const TINY: real = 1.727233711018889e-77lf;
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
    q0: real,
    rx: real,
    rz: real,
    vx: real,
    vz: real,
    own_progress: real,
    own_share: real,
    own_last: real,
    own_attempts: real,
    own_stuck: real,
    own_taken: real,
    own_rejected: real,
    own_event: real,
}

fn load_state(instance: u32) -> State {
    var s: State;
    s.q0 = state[0u * run.stride + instance];
    s.rx = state[1u * run.stride + instance];
    s.rz = state[2u * run.stride + instance];
    s.vx = state[3u * run.stride + instance];
    s.vz = state[4u * run.stride + instance];
    s.own_progress = state[5u * run.stride + instance];
    s.own_share = state[6u * run.stride + instance];
    s.own_last = state[7u * run.stride + instance];
    s.own_attempts = state[8u * run.stride + instance];
    s.own_stuck = state[9u * run.stride + instance];
    s.own_taken = state[10u * run.stride + instance];
    s.own_rejected = state[11u * run.stride + instance];
    s.own_event = state[12u * run.stride + instance];
    return s;
}

fn store_state(instance: u32, s: State) {
    state[0u * run.stride + instance] = s.q0;
    state[1u * run.stride + instance] = s.rx;
    state[2u * run.stride + instance] = s.rz;
    state[3u * run.stride + instance] = s.vx;
    state[4u * run.stride + instance] = s.vz;
    state[5u * run.stride + instance] = s.own_progress;
    state[6u * run.stride + instance] = s.own_share;
    state[7u * run.stride + instance] = s.own_last;
    state[8u * run.stride + instance] = s.own_attempts;
    state[9u * run.stride + instance] = s.own_stuck;
    state[10u * run.stride + instance] = s.own_taken;
    state[11u * run.stride + instance] = s.own_rejected;
    state[12u * run.stride + instance] = s.own_event;
}

fn flushed(s: State) -> State {
    var next: State;
    next.q0 = flushed_real(s.q0);
    next.rx = flushed_real(s.rx);
    next.rz = flushed_real(s.rz);
    next.vx = flushed_real(s.vx);
    next.vz = flushed_real(s.vz);
    next.own_progress = flushed_real(s.own_progress);
    next.own_share = flushed_real(s.own_share);
    next.own_last = flushed_real(s.own_last);
    next.own_attempts = flushed_real(s.own_attempts);
    next.own_stuck = flushed_real(s.own_stuck);
    next.own_taken = flushed_real(s.own_taken);
    next.own_rejected = flushed_real(s.own_rejected);
    next.own_event = flushed_real(s.own_event);
    return next;
}

fn is_finite_state(s: State) -> bool {
    return is_finite_real(s.q0)
        & is_finite_real(s.rx)
        & is_finite_real(s.rz)
        & is_finite_real(s.vx)
        & is_finite_real(s.vz)
        & is_finite_real(s.own_progress)
        & is_finite_real(s.own_share)
        & is_finite_real(s.own_last)
        & is_finite_real(s.own_attempts)
        & is_finite_real(s.own_stuck)
        & is_finite_real(s.own_taken)
        & is_finite_real(s.own_rejected)
        & is_finite_real(s.own_event);
}

const WORKGROUP = 64u;
const HAS_NORM_BOUND = false;
const NORM_BOUND_VALUE: real = 0.0lf;

fn norm_error(s: State) -> real {
    var largest = real(0.0);
    largest = max(largest, abs(sqrt(real(0.0) * real(0.0) + (real(0.0) * real(0.0) + (real(0.0) * real(0.0) + s.q0 * s.q0))) - real(1.0)));
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
    c45: real,
    c46: real,
    c47: real,
    c48: real,
    c49: real,
    c50: real,
    c51: real,
    c52: real,
    c53: real,
    c54: real,
    c55: real,
    c56: real,
    c57: real,
    c58: real,
    c59: real,
    c60: real,
    c61: real,
    c62: real,
    c63: real,
    c64: real,
    c65: real,
    c66: real,
    c67: real,
    c68: real,
    c69: real,
    c70: real,
    c71: real,
    c72: real,
    c73: real,
    c74: real,
    c75: real,
    c76: real,
    c77: real,
    c78: real,
    c79: real,
    c80: real,
    c81: real,
    c82: real,
    c83: real,
    instance: u32,
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
    p.c37 = shared_values[37];
    p.c38 = shared_values[38];
    p.c39 = shared_values[39];
    p.c40 = shared_values[40];
    p.c41 = shared_values[41];
    p.c42 = shared_values[42];
    p.c43 = shared_values[43];
    p.c44 = shared_values[44];
    p.c45 = shared_values[45];
    p.c46 = shared_values[46];
    p.c47 = shared_values[47];
    p.c48 = shared_values[48];
    p.c49 = shared_values[49];
    p.c50 = shared_values[50];
    p.c51 = shared_values[51];
    p.c52 = shared_values[52];
    p.c53 = shared_values[53];
    p.c54 = shared_values[54];
    p.c55 = shared_values[55];
    p.c56 = shared_values[56];
    p.c57 = shared_values[57];
    p.c58 = shared_values[58];
    p.c59 = shared_values[59];
    p.c60 = shared_values[60];
    p.c61 = shared_values[61];
    p.c62 = shared_values[62];
    p.c63 = shared_values[63];
    p.c64 = shared_values[64];
    p.c65 = shared_values[65];
    p.c66 = shared_values[66];
    p.c67 = shared_values[67];
    p.c68 = shared_values[68];
    p.c69 = shared_values[69];
    p.c70 = shared_values[70];
    p.c71 = shared_values[71];
    p.c72 = shared_values[72];
    p.c73 = shared_values[73];
    p.c74 = shared_values[74];
    p.c75 = shared_values[75];
    p.c76 = shared_values[76];
    p.c77 = shared_values[77];
    p.c78 = shared_values[78];
    p.c79 = shared_values[79];
    p.c80 = shared_values[80];
    p.c81 = shared_values[81];
    p.c82 = shared_values[82];
    p.c83 = parameters[0u * run.stride + instance];
    p.instance = instance;
    return p;
}

// The instance attempts an own step by 884 operations, a multiply-add counted as two.
fn attempt(p: Prepared, s: State) -> State {
    let t0 = s.rx * s.rx;
    let t1 = s.rz * s.rz + t0;
    let t2 = sqrt(t1);
    let t3 = p.c1 / t2;
    let t4 = s.rx * t3;
    let t5 = s.rz * t3;
    let t6 = t2 - p.c1;
    let t7 = p.c83 * t6;
    let t8 = t4 * t7;
    let t9 = t5 * t7;
    let t10 = s.q0 * s.q0;
    let t11 = sqrt(t10);
    let t12 = p.c1 / t11;
    let t13 = s.q0 * t12;
    let t14 = select(0.0lf, p.c1, s.own_stuck < p.c4);
    let t15 = select(0.0lf, t14, s.own_progress < p.c1);
    let t16 = p.c1 - s.own_progress;
    let t17 = s.own_share + s.own_share;
    let t18 = p.c4 * t16;
    let t19 = select(t18, s.own_share, t17 < t16);
    let t20 = select(t16, t19, s.own_share < t16);
    let t21 = select(0.0lf, p.c1, t17 < t16);
    let t22 = select(0.0lf, t21, s.own_share < t16);
    let t23 = s.own_progress + t20;
    let t24 = p.c0 * t20;
    let t25 = t8 * t24;
    let t26 = p.c2 - t9;
    let t27 = t24 * t26;
    let t28 = s.vx * t24;
    let t29 = s.vz * t24;
    let t30 = p.c3 * t28 + s.rx;
    let t31 = p.c3 * t29 + s.rz;
    let t32 = s.vx - p.c3 * t25;
    let t33 = p.c3 * t27 + s.vz;
    let t34 = t30 * t30;
    let t35 = t31 * t31 + t34;
    let t36 = sqrt(t35);
    let t37 = p.c1 / t36;
    let t38 = t30 * t37;
    let t39 = t31 * t37;
    let t40 = t36 - p.c1;
    let t41 = p.c83 * t40;
    let t42 = t38 * t41;
    let t43 = t39 * t41;
    let t44 = t24 * t42;
    let t45 = p.c2 - t43;
    let t46 = t24 * t45;
    let t47 = t24 * t32;
    let t48 = t24 * t33;
    let t49 = p.c6 * t28 + s.rx;
    let t50 = p.c6 * t29 + s.rz;
    let t51 = s.vx - p.c6 * t25;
    let t52 = p.c6 * t27 + s.vz;
    let t53 = p.c7 * t47 + t49;
    let t54 = p.c7 * t48 + t50;
    let t55 = t51 - p.c7 * t44;
    let t56 = p.c7 * t46 + t52;
    let t57 = t53 * t53;
    let t58 = t54 * t54 + t57;
    let t59 = sqrt(t58);
    let t60 = p.c1 / t59;
    let t61 = t53 * t60;
    let t62 = t54 * t60;
    let t63 = t59 - p.c1;
    let t64 = p.c83 * t63;
    let t65 = t61 * t64;
    let t66 = t62 * t64;
    let t67 = t24 * t65;
    let t68 = p.c2 - t66;
    let t69 = t24 * t68;
    let t70 = t24 * t55;
    let t71 = t24 * t56;
    let t72 = p.c8 * t28 + s.rx;
    let t73 = p.c8 * t29 + s.rz;
    let t74 = s.vx - p.c8 * t25;
    let t75 = p.c8 * t27 + s.vz;
    let t76 = p.c9 * t70 + t72;
    let t77 = p.c9 * t71 + t73;
    let t78 = t74 - p.c9 * t67;
    let t79 = p.c9 * t69 + t75;
    let t80 = t76 * t76;
    let t81 = t77 * t77 + t80;
    let t82 = sqrt(t81);
    let t83 = p.c1 / t82;
    let t84 = t76 * t83;
    let t85 = t77 * t83;
    let t86 = t82 - p.c1;
    let t87 = p.c83 * t86;
    let t88 = t84 * t87;
    let t89 = t85 * t87;
    let t90 = t24 * t88;
    let t91 = p.c2 - t89;
    let t92 = t24 * t91;
    let t93 = t24 * t78;
    let t94 = t24 * t79;
    let t95 = p.c10 * t28 + s.rx;
    let t96 = p.c10 * t29 + s.rz;
    let t97 = s.vx - p.c10 * t25;
    let t98 = p.c10 * t27 + s.vz;
    let t99 = p.c11 * t70 + t95;
    let t100 = p.c11 * t71 + t96;
    let t101 = t97 - p.c11 * t67;
    let t102 = p.c11 * t69 + t98;
    let t103 = p.c12 * t93 + t99;
    let t104 = p.c12 * t94 + t100;
    let t105 = t101 - p.c12 * t90;
    let t106 = p.c12 * t92 + t102;
    let t107 = t103 * t103;
    let t108 = t104 * t104 + t107;
    let t109 = sqrt(t108);
    let t110 = p.c1 / t109;
    let t111 = t103 * t110;
    let t112 = t104 * t110;
    let t113 = t109 - p.c1;
    let t114 = p.c83 * t113;
    let t115 = t111 * t114;
    let t116 = t112 * t114;
    let t117 = t24 * t115;
    let t118 = p.c2 - t116;
    let t119 = t24 * t118;
    let t120 = t24 * t105;
    let t121 = t24 * t106;
    let t122 = p.c13 * t28 + s.rx;
    let t123 = p.c13 * t29 + s.rz;
    let t124 = s.vx - p.c13 * t25;
    let t125 = p.c13 * t27 + s.vz;
    let t126 = p.c14 * t93 + t122;
    let t127 = p.c14 * t94 + t123;
    let t128 = t124 - p.c14 * t90;
    let t129 = p.c14 * t92 + t125;
    let t130 = p.c15 * t120 + t126;
    let t131 = p.c15 * t121 + t127;
    let t132 = t128 - p.c15 * t117;
    let t133 = p.c15 * t119 + t129;
    let t134 = t130 * t130;
    let t135 = t131 * t131 + t134;
    let t136 = sqrt(t135);
    let t137 = p.c1 / t136;
    let t138 = t130 * t137;
    let t139 = t131 * t137;
    let t140 = t136 - p.c1;
    let t141 = p.c83 * t140;
    let t142 = t138 * t141;
    let t143 = t139 * t141;
    let t144 = t24 * t142;
    let t145 = p.c2 - t143;
    let t146 = t24 * t145;
    let t147 = t24 * t132;
    let t148 = t24 * t133;
    let t149 = p.c16 * t28 + s.rx;
    let t150 = p.c16 * t29 + s.rz;
    let t151 = s.vx - p.c16 * t25;
    let t152 = p.c16 * t27 + s.vz;
    let t153 = p.c17 * t93 + t149;
    let t154 = p.c17 * t94 + t150;
    let t155 = t151 - p.c17 * t90;
    let t156 = p.c17 * t92 + t152;
    let t157 = p.c18 * t120 + t153;
    let t158 = p.c18 * t121 + t154;
    let t159 = t155 - p.c18 * t117;
    let t160 = p.c18 * t119 + t156;
    let t161 = p.c19 * t147 + t157;
    let t162 = p.c19 * t148 + t158;
    let t163 = t159 - p.c19 * t144;
    let t164 = p.c19 * t146 + t160;
    let t165 = t161 * t161;
    let t166 = t162 * t162 + t165;
    let t167 = sqrt(t166);
    let t168 = p.c1 / t167;
    let t169 = t161 * t168;
    let t170 = t162 * t168;
    let t171 = t167 - p.c1;
    let t172 = p.c83 * t171;
    let t173 = t169 * t172;
    let t174 = t170 * t172;
    let t175 = t24 * t173;
    let t176 = p.c2 - t174;
    let t177 = t24 * t176;
    let t178 = t24 * t163;
    let t179 = t24 * t164;
    let t180 = p.c20 * t28 + s.rx;
    let t181 = p.c20 * t29 + s.rz;
    let t182 = s.vx - p.c20 * t25;
    let t183 = p.c20 * t27 + s.vz;
    let t184 = p.c21 * t93 + t180;
    let t185 = p.c21 * t94 + t181;
    let t186 = t182 - p.c21 * t90;
    let t187 = p.c21 * t92 + t183;
    let t188 = p.c22 * t120 + t184;
    let t189 = p.c22 * t121 + t185;
    let t190 = t186 - p.c22 * t117;
    let t191 = p.c22 * t119 + t187;
    let t192 = p.c23 * t147 + t188;
    let t193 = p.c23 * t148 + t189;
    let t194 = t190 - p.c23 * t144;
    let t195 = p.c23 * t146 + t191;
    let t196 = p.c24 * t178 + t192;
    let t197 = p.c24 * t179 + t193;
    let t198 = t194 - p.c24 * t175;
    let t199 = p.c24 * t177 + t195;
    let t200 = t196 * t196;
    let t201 = t197 * t197 + t200;
    let t202 = sqrt(t201);
    let t203 = p.c1 / t202;
    let t204 = t196 * t203;
    let t205 = t197 * t203;
    let t206 = t202 - p.c1;
    let t207 = p.c83 * t206;
    let t208 = t204 * t207;
    let t209 = t205 * t207;
    let t210 = t24 * t208;
    let t211 = p.c2 - t209;
    let t212 = t24 * t211;
    let t213 = t24 * t198;
    let t214 = t24 * t199;
    let t215 = p.c25 * t28 + s.rx;
    let t216 = p.c25 * t29 + s.rz;
    let t217 = s.vx - p.c25 * t25;
    let t218 = p.c25 * t27 + s.vz;
    let t219 = p.c26 * t93 + t215;
    let t220 = p.c26 * t94 + t216;
    let t221 = t217 - p.c26 * t90;
    let t222 = p.c26 * t92 + t218;
    let t223 = p.c27 * t120 + t219;
    let t224 = p.c27 * t121 + t220;
    let t225 = t221 - p.c27 * t117;
    let t226 = p.c27 * t119 + t222;
    let t227 = p.c28 * t147 + t223;
    let t228 = p.c28 * t148 + t224;
    let t229 = t225 - p.c28 * t144;
    let t230 = p.c28 * t146 + t226;
    let t231 = p.c29 * t178 + t227;
    let t232 = p.c29 * t179 + t228;
    let t233 = t229 - p.c29 * t175;
    let t234 = p.c29 * t177 + t230;
    let t235 = p.c30 * t213 + t231;
    let t236 = p.c30 * t214 + t232;
    let t237 = t233 - p.c30 * t210;
    let t238 = p.c30 * t212 + t234;
    let t239 = t235 * t235;
    let t240 = t236 * t236 + t239;
    let t241 = sqrt(t240);
    let t242 = p.c1 / t241;
    let t243 = t235 * t242;
    let t244 = t236 * t242;
    let t245 = t241 - p.c1;
    let t246 = p.c83 * t245;
    let t247 = t243 * t246;
    let t248 = t244 * t246;
    let t249 = t24 * t247;
    let t250 = p.c2 - t248;
    let t251 = t24 * t250;
    let t252 = t24 * t237;
    let t253 = t24 * t238;
    let t254 = p.c31 * t28 + s.rx;
    let t255 = p.c31 * t29 + s.rz;
    let t256 = s.vx - p.c31 * t25;
    let t257 = p.c31 * t27 + s.vz;
    let t258 = p.c32 * t93 + t254;
    let t259 = p.c32 * t94 + t255;
    let t260 = t256 - p.c32 * t90;
    let t261 = p.c32 * t92 + t257;
    let t262 = p.c33 * t120 + t258;
    let t263 = p.c33 * t121 + t259;
    let t264 = t260 - p.c33 * t117;
    let t265 = p.c33 * t119 + t261;
    let t266 = p.c34 * t147 + t262;
    let t267 = p.c34 * t148 + t263;
    let t268 = t264 - p.c34 * t144;
    let t269 = p.c34 * t146 + t265;
    let t270 = p.c35 * t178 + t266;
    let t271 = p.c35 * t179 + t267;
    let t272 = t268 - p.c35 * t175;
    let t273 = p.c35 * t177 + t269;
    let t274 = p.c36 * t213 + t270;
    let t275 = p.c36 * t214 + t271;
    let t276 = t272 - p.c36 * t210;
    let t277 = p.c36 * t212 + t273;
    let t278 = p.c37 * t252 + t274;
    let t279 = p.c37 * t253 + t275;
    let t280 = t276 - p.c37 * t249;
    let t281 = p.c37 * t251 + t277;
    let t282 = t278 * t278;
    let t283 = t279 * t279 + t282;
    let t284 = sqrt(t283);
    let t285 = p.c1 / t284;
    let t286 = t278 * t285;
    let t287 = t279 * t285;
    let t288 = t284 - p.c1;
    let t289 = p.c83 * t288;
    let t290 = t286 * t289;
    let t291 = t287 * t289;
    let t292 = t24 * t290;
    let t293 = p.c2 - t291;
    let t294 = t24 * t293;
    let t295 = t24 * t280;
    let t296 = t24 * t281;
    let t297 = p.c38 * t28 + s.rx;
    let t298 = p.c38 * t29 + s.rz;
    let t299 = s.vx - p.c38 * t25;
    let t300 = p.c38 * t27 + s.vz;
    let t301 = p.c39 * t93 + t297;
    let t302 = p.c39 * t94 + t298;
    let t303 = t299 - p.c39 * t90;
    let t304 = p.c39 * t92 + t300;
    let t305 = p.c40 * t120 + t301;
    let t306 = p.c40 * t121 + t302;
    let t307 = t303 - p.c40 * t117;
    let t308 = p.c40 * t119 + t304;
    let t309 = p.c41 * t147 + t305;
    let t310 = p.c41 * t148 + t306;
    let t311 = t307 - p.c41 * t144;
    let t312 = p.c41 * t146 + t308;
    let t313 = p.c42 * t178 + t309;
    let t314 = p.c42 * t179 + t310;
    let t315 = t311 - p.c42 * t175;
    let t316 = p.c42 * t177 + t312;
    let t317 = p.c43 * t213 + t313;
    let t318 = p.c43 * t214 + t314;
    let t319 = t315 - p.c43 * t210;
    let t320 = p.c43 * t212 + t316;
    let t321 = p.c44 * t252 + t317;
    let t322 = p.c44 * t253 + t318;
    let t323 = t319 - p.c44 * t249;
    let t324 = p.c44 * t251 + t320;
    let t325 = p.c45 * t295 + t321;
    let t326 = p.c45 * t296 + t322;
    let t327 = t323 - p.c45 * t292;
    let t328 = p.c45 * t294 + t324;
    let t329 = t325 * t325;
    let t330 = t326 * t326 + t329;
    let t331 = sqrt(t330);
    let t332 = p.c1 / t331;
    let t333 = t325 * t332;
    let t334 = t326 * t332;
    let t335 = t331 - p.c1;
    let t336 = p.c83 * t335;
    let t337 = t333 * t336;
    let t338 = t334 * t336;
    let t339 = t24 * t337;
    let t340 = p.c2 - t338;
    let t341 = t24 * t340;
    let t342 = t24 * t327;
    let t343 = t24 * t328;
    let t344 = p.c46 * t28 + s.rx;
    let t345 = p.c46 * t29 + s.rz;
    let t346 = s.vx - p.c46 * t25;
    let t347 = p.c46 * t27 + s.vz;
    let t348 = p.c47 * t93 + t344;
    let t349 = p.c47 * t94 + t345;
    let t350 = t346 - p.c47 * t90;
    let t351 = p.c47 * t92 + t347;
    let t352 = p.c48 * t120 + t348;
    let t353 = p.c48 * t121 + t349;
    let t354 = t350 - p.c48 * t117;
    let t355 = p.c48 * t119 + t351;
    let t356 = p.c49 * t147 + t352;
    let t357 = p.c49 * t148 + t353;
    let t358 = t354 - p.c49 * t144;
    let t359 = p.c49 * t146 + t355;
    let t360 = p.c50 * t178 + t356;
    let t361 = p.c50 * t179 + t357;
    let t362 = t358 - p.c50 * t175;
    let t363 = p.c50 * t177 + t359;
    let t364 = p.c51 * t213 + t360;
    let t365 = p.c51 * t214 + t361;
    let t366 = t362 - p.c51 * t210;
    let t367 = p.c51 * t212 + t363;
    let t368 = p.c52 * t252 + t364;
    let t369 = p.c52 * t253 + t365;
    let t370 = t366 - p.c52 * t249;
    let t371 = p.c52 * t251 + t367;
    let t372 = p.c53 * t295 + t368;
    let t373 = p.c53 * t296 + t369;
    let t374 = t370 - p.c53 * t292;
    let t375 = p.c53 * t294 + t371;
    let t376 = p.c54 * t342 + t372;
    let t377 = p.c54 * t343 + t373;
    let t378 = t374 - p.c54 * t339;
    let t379 = p.c54 * t341 + t375;
    let t380 = t376 * t376;
    let t381 = t377 * t377 + t380;
    let t382 = sqrt(t381);
    let t383 = p.c1 / t382;
    let t384 = t376 * t383;
    let t385 = t377 * t383;
    let t386 = t382 - p.c1;
    let t387 = p.c83 * t386;
    let t388 = t384 * t387;
    let t389 = t385 * t387;
    let t390 = t24 * t388;
    let t391 = p.c2 - t389;
    let t392 = t24 * t391;
    let t393 = t24 * t378;
    let t394 = t24 * t379;
    let t395 = p.c55 * t28 + s.rx;
    let t396 = p.c55 * t29 + s.rz;
    let t397 = s.vx - p.c55 * t25;
    let t398 = p.c55 * t27 + s.vz;
    let t399 = p.c56 * t147 + t395;
    let t400 = p.c56 * t148 + t396;
    let t401 = t397 - p.c56 * t144;
    let t402 = p.c56 * t146 + t398;
    let t403 = p.c57 * t178 + t399;
    let t404 = p.c57 * t179 + t400;
    let t405 = t401 - p.c57 * t175;
    let t406 = p.c57 * t177 + t402;
    let t407 = p.c58 * t213 + t403;
    let t408 = p.c58 * t214 + t404;
    let t409 = t405 - p.c58 * t210;
    let t410 = p.c58 * t212 + t406;
    let t411 = p.c59 * t252 + t407;
    let t412 = p.c59 * t253 + t408;
    let t413 = t409 - p.c59 * t249;
    let t414 = p.c59 * t251 + t410;
    let t415 = p.c60 * t295 + t411;
    let t416 = p.c60 * t296 + t412;
    let t417 = t413 - p.c60 * t292;
    let t418 = p.c60 * t294 + t414;
    let t419 = p.c61 * t342 + t415;
    let t420 = p.c61 * t343 + t416;
    let t421 = t417 - p.c61 * t339;
    let t422 = p.c61 * t341 + t418;
    let t423 = p.c62 * t393 + t419;
    let t424 = p.c62 * t394 + t420;
    let t425 = t421 - p.c62 * t390;
    let t426 = p.c62 * t392 + t422;
    let t427 = t28 * p.c63;
    let t428 = t29 * p.c63;
    let t429 = t25 * p.c63;
    let t430 = t27 * p.c63;
    let t431 = t147 * p.c64 + t427;
    let t432 = t148 * p.c64 + t428;
    let t433 = t144 * p.c64 + t429;
    let t434 = t146 * p.c64 + t430;
    let t435 = t178 * p.c65 + t431;
    let t436 = t179 * p.c65 + t432;
    let t437 = t175 * p.c65 + t433;
    let t438 = t177 * p.c65 + t434;
    let t439 = t213 * p.c66 + t435;
    let t440 = t214 * p.c66 + t436;
    let t441 = t210 * p.c66 + t437;
    let t442 = t212 * p.c66 + t438;
    let t443 = t252 * p.c67 + t439;
    let t444 = t253 * p.c67 + t440;
    let t445 = t249 * p.c67 + t441;
    let t446 = t251 * p.c67 + t442;
    let t447 = t295 * p.c68 + t443;
    let t448 = t296 * p.c68 + t444;
    let t449 = t292 * p.c68 + t445;
    let t450 = t294 * p.c68 + t446;
    let t451 = t342 * p.c69 + t447;
    let t452 = t343 * p.c69 + t448;
    let t453 = t339 * p.c69 + t449;
    let t454 = t341 * p.c69 + t450;
    let t455 = t393 * p.c70 + t451;
    let t456 = t394 * p.c70 + t452;
    let t457 = t390 * p.c70 + t453;
    let t458 = t392 * p.c70 + t454;
    let t459 = t28 * p.c71;
    let t460 = t29 * p.c71;
    let t461 = t25 * p.c71;
    let t462 = t27 * p.c71;
    let t463 = p.c56 * t147 + t459;
    let t464 = p.c56 * t148 + t460;
    let t465 = p.c56 * t144 + t461;
    let t466 = p.c56 * t146 + t462;
    let t467 = p.c57 * t178 + t463;
    let t468 = p.c57 * t179 + t464;
    let t469 = p.c57 * t175 + t465;
    let t470 = p.c57 * t177 + t466;
    let t471 = p.c58 * t213 + t467;
    let t472 = p.c58 * t214 + t468;
    let t473 = p.c58 * t210 + t469;
    let t474 = p.c58 * t212 + t470;
    let t475 = t252 * p.c72 + t471;
    let t476 = t253 * p.c72 + t472;
    let t477 = t249 * p.c72 + t473;
    let t478 = t251 * p.c72 + t474;
    let t479 = p.c60 * t295 + t475;
    let t480 = p.c60 * t296 + t476;
    let t481 = p.c60 * t292 + t477;
    let t482 = p.c60 * t294 + t478;
    let t483 = p.c61 * t342 + t479;
    let t484 = p.c61 * t343 + t480;
    let t485 = p.c61 * t339 + t481;
    let t486 = p.c61 * t341 + t482;
    let t487 = t393 * p.c73 + t483;
    let t488 = t394 * p.c73 + t484;
    let t489 = t390 * p.c73 + t485;
    let t490 = t392 * p.c73 + t486;
    let t491 = t423 * t423;
    let t492 = t424 * t424 + t491;
    let t493 = t455 * t455;
    let t494 = t456 * t456 + t493;
    let t495 = select(t1, t492, t1 < t492);
    let t496 = p.c1 + t495;
    let t497 = t494 / t496;
    let t498 = s.vx * s.vx;
    let t499 = s.vz * s.vz + t498;
    let t500 = t425 * t425;
    let t501 = t426 * t426 + t500;
    let t502 = t457 * t457;
    let t503 = t458 * t458 + t502;
    let t504 = select(t499, t501, t499 < t501);
    let t505 = p.c1 + t504;
    let t506 = t503 / t505;
    let t507 = t497 + t506;
    let t508 = t507 * p.c74;
    let t509 = t487 * t487;
    let t510 = t488 * t488 + t509;
    let t511 = t510 / t496;
    let t512 = t489 * t489;
    let t513 = t490 * t490 + t512;
    let t514 = t513 / t505;
    let t515 = t511 + t514;
    let t516 = p.c74 * t515;
    let t517 = t516 * p.c75 + t508;
    let t518 = t508 * t508;
    let t519 = t518 / t517;
    let t520 = select(t519, 0.0lf, t517 < p.c76);
    let t521 = select(p.c1, 0.0lf, t23 < p.c1);
    let t522 = select(p.c1, t521, t20 < t16);
    let t523 = select(p.c77, t520, t520 < p.c77);
    let t524 = select(0.0lf, p.c1, t523 < p.c1);
    let t525 = t524 * t524;
    let t526 = t15 * t525;
    let t527 = select(p.c79, t523, p.c79 < t523);
    let t528 = sqrt(t527);
    let t529 = sqrt(t528);
    let t530 = sqrt(t529);
    let t531 = sqrt(t530);
    let t532 = sqrt(t531);
    let t533 = sqrt(t532);
    let t534 = t532 * t533;
    let t535 = s.own_last / t534;
    let t536 = p.c1 / t531;
    let t537 = select(t536, t535, 0.0lf < t22);
    let t538 = p.c80 * t537;
    let t539 = p.c80 / t534;
    let t540 = select(t538, t539, t539 < t538);
    let t541 = select(t540, t538, 0.0lf < t526);
    let t542 = select(p.c81, t541, p.c81 < t541);
    let t543 = select(p.c5, t542, t542 < p.c5);
    let t544 = t20 * t543;
    let t545 = p.c5 * t20;
    let t546 = select(t544, s.own_share, t545 < s.own_share);
    let t547 = p.c1 - t22;
    let t548 = t526 * t547;
    let t549 = select(t544, t546, 0.0lf < t548);
    let t550 = t522 * t526;
    let t551 = s.own_attempts + p.c1;
    let t552 = select(p.c1, 0.0lf, t551 < p.c82);
    let t553 = select(0.0lf, p.c1, t549 < p.c78);
    let t554 = p.c1 - t526;
    let t555 = t553 * t554;
    let t556 = p.c1 - t550;
    let t557 = t15 * t556;
    let t558 = select(p.c1, t555, t552 < p.c1);
    let t559 = t557 * t558;
    let t560 = select(s.own_stuck, p.c1, 0.0lf < t559);
    let t561 = select(t23, p.c1, 0.0lf < t550);
    let t562 = select(s.own_progress, t561, 0.0lf < t526);
    let t563 = select(t562, p.c1, 0.0lf < t560);
    let t564 = select(s.own_share, t549, 0.0lf < t15);
    let t565 = t22 * t526;
    let t566 = select(s.own_last, t532, 0.0lf < t565);
    let t567 = select(s.own_attempts, t551, 0.0lf < t15);
    let t568 = s.own_taken + t526;
    let t569 = t15 * t554;
    let t570 = s.own_rejected + t569;
    let t571 = select(s.q0, t13, 0.0lf < t526);
    let t572 = select(s.rx, t423, 0.0lf < t526);
    let t573 = select(s.rz, t424, 0.0lf < t526);
    let t574 = select(s.vx, t425, 0.0lf < t526);
    let t575 = select(s.vz, t426, 0.0lf < t526);
    var next: State;
    next.q0 = t571;
    next.rx = t572;
    next.rz = t573;
    next.vx = t574;
    next.vz = t575;
    next.own_progress = t563;
    next.own_share = t564;
    next.own_last = t566;
    next.own_attempts = t567;
    next.own_stuck = t560;
    next.own_taken = t568;
    next.own_rejected = t570;
    next.own_event = 0.0lf;
    return next;
}

// A full step consists of attempts until its end. Their number is bounded: one too many is the last.
fn step(p: Prepared, s: State) -> State {
    var next = s;
    next.own_progress = real(0.0);
    next.own_attempts = real(0.0);
    for (var tried = 0u; tried <= 20000u; tried++) {
        next = attempt(p, next);
        if next.own_event > real(0.0) {
            next = resynchronised(p.instance, next);
        }
        if next.own_progress >= real(1.0) {
            break;
        }
    }
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

fn no_step_is_short_enough(instance: u32, s: State) -> Judged {
    return Judged(s.own_stuck, shared_values[4]);
}

fn is_passed(judged: Judged) -> bool {
    return judged.allowed > real(0.0) && abs(judged.value) > judged.allowed;
}

// The verdict of the first bound that is passed, else FINISHED.
fn passed(instance: u32, s: State) -> u32 {
    if is_passed(no_step_is_short_enough(instance, s)) {
        return 7u; // step_too_small
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
