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
    multiplier_3: real,
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
    s.multiplier_3 = state[29u * run.stride + instance];
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
    state[29u * run.stride + instance] = s.multiplier_3;
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
    next.multiplier_3 = flushed_real(s.multiplier_3);
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
}

fn prepare(instance: u32) -> Prepared {
    var p: Prepared;
    p.c0 = shared_values[0];
    p.c1 = shared_values[1];
    p.c2 = shared_values[2];
    p.c3 = shared_values[4];
    p.c4 = shared_values[5];
    p.c5 = shared_values[6];
    p.c6 = shared_values[7];
    p.c7 = shared_values[8];
    p.c8 = shared_values[10];
    p.c9 = shared_values[11];
    p.c10 = shared_values[12];
    p.c11 = shared_values[13];
    p.c12 = shared_values[14];
    p.c13 = shared_values[15];
    p.c14 = shared_values[16];
    p.c15 = shared_values[17];
    p.c16 = shared_values[18];
    p.c17 = shared_values[19];
    p.c18 = shared_values[20];
    p.c19 = shared_values[21];
    p.c20 = shared_values[22];
    p.c21 = shared_values[23];
    p.c22 = shared_values[24];
    p.c23 = shared_values[25];
    p.c24 = shared_values[26];
    p.c25 = shared_values[27];
    p.c26 = shared_values[28];
    p.c27 = shared_values[29];
    p.c28 = shared_values[30];
    p.c29 = shared_values[31];
    p.c30 = shared_values[32];
    p.c31 = shared_values[33];
    p.c32 = shared_values[34];
    p.c33 = shared_values[35];
    p.c34 = shared_values[36];
    return p;
}

// A full step takes 752 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.half_rz - p.c4;
    let t1 = s.half_q3 * p.c12;
    let t2 = s.half_q1 * p.c12;
    let t3 = p.c11 * t1;
    let t4 = p.c11 * t2;
    let t5 = s.half_q2 * t4;
    let t6 = p.c12 - s.half_q3 * t3;
    let t7 = t6 - s.half_q1 * t4;
    let t8 = s.half_q2 * t3;
    let t9 = s.half_q0 * t3 + t5;
    let t10 = t8 - s.half_q0 * t4;
    let t11 = s.half_q3 * p.c4;
    let t12 = s.half_q2 * p.c4;
    let t13 = p.c11 * t11;
    let t14 = p.c11 * t12;
    let t15 = p.c4 - s.half_q2 * t14;
    let t16 = t15 - s.half_q3 * t13;
    let t17 = s.half_q1 * t14;
    let t18 = s.half_q1 * t13;
    let t19 = t17 - s.half_q0 * t13;
    let t20 = s.half_q0 * t14 + t18;
    let t21 = s.half_rx / p.c4;
    let t22 = t21 * p.c17 + p.c1;
    let t23 = floor(t22);
    let t24 = t21 - p.c14 * t23;
    let t25 = t24 - p.c15 * t23;
    let t26 = t25 - p.c16 * t23;
    let t27 = t26 * t26;
    let t28 = t26 + t26;
    let t29 = p.c13 * t28;
    let t30 = t26 * t27;
    let t31 = p.c13 * t27;
    let t32 = t26 * t29 + t31;
    let t33 = t28 + t28;
    let t34 = p.c13 * t33;
    let t35 = p.c13 * t34;
    let t36 = t26 * p.c18 + t35;
    let t37 = t27 * p.c19 + p.c20;
    let t38 = t29 * p.c19;
    let t39 = t27 * t37 + p.c22;
    let t40 = t29 * t37;
    let t41 = t27 * t38 + t40;
    let t42 = p.c18 * t37;
    let t43 = t29 * t38 + t42;
    let t44 = t29 * t38 + t43;
    let t45 = t27 * p.c21 + t44;
    let t46 = t30 * t39 + t26;
    let t47 = t30 * t41 + p.c13;
    let t48 = t32 * t39 + t47;
    let t49 = t30 * t45;
    let t50 = t32 * t41 + t49;
    let t51 = t32 * t41 + t50;
    let t52 = t36 * t39 + t51;
    let t53 = t27 * p.c23 + p.c24;
    let t54 = t29 * p.c23;
    let t55 = t27 * t53 + p.c26;
    let t56 = t29 * t53;
    let t57 = t27 * t54 + t56;
    let t58 = p.c18 * t53;
    let t59 = t29 * t54 + t58;
    let t60 = t29 * t54 + t59;
    let t61 = t27 * p.c25 + t60;
    let t62 = p.c1 - t27 * t55;
    let t63 = t29 * t55;
    let t64 = t27 * t57 + t63;
    let t65 = p.c18 * t55;
    let t66 = t29 * t57 + t65;
    let t67 = t29 * t57 + t66;
    let t68 = t27 * t61 + t67;
    let t69 = p.c5 - t27 * t62;
    let t70 = t29 * t62;
    let t71 = t27 * t64 - t70;
    let t72 = p.c18 * t62;
    let t73 = t29 * t64 - t72;
    let t74 = t29 * t64 + t73;
    let t75 = t27 * t68 + t74;
    let t76 = p.c1 * t23;
    let t77 = floor(t76);
    let t78 = select(t46, t69, t77 < t76);
    let t79 = select(t48, t71, t77 < t76);
    let t80 = select(t52, t75, t77 < t76);
    let t81 = p.c6 * t23;
    let t82 = floor(t81);
    let t83 = t23 - t82 * p.c27;
    let t84 = -(t78);
    let t85 = -(t79);
    let t86 = -(t80);
    let t87 = select(t84, t78, t83 < p.c11);
    let t88 = select(t85, t79, t83 < p.c11);
    let t89 = select(t86, t80, t83 < p.c11);
    let t90 = p.c4 * t87;
    let t91 = p.c4 * t88;
    let t92 = p.c4 * t89;
    let t93 = s.half_vx * s.half_vx;
    let t94 = t92 * t93;
    let t95 = s.half_ry - t90;
    let t96 = s.q3 * p.c12;
    let t97 = s.q1 * p.c12;
    let t98 = p.c11 * t96;
    let t99 = p.c11 * t97;
    let t100 = s.q2 * t99;
    let t101 = p.c12 - s.q3 * t98;
    let t102 = t101 - s.q1 * t99;
    let t103 = s.q2 * t98;
    let t104 = s.q0 * t98 + t100;
    let t105 = t103 - s.q0 * t99;
    let t106 = s.q3 * p.c4;
    let t107 = s.q2 * p.c4;
    let t108 = p.c11 * t106;
    let t109 = p.c11 * t107;
    let t110 = p.c4 - s.q2 * t109;
    let t111 = t110 - s.q3 * t108;
    let t112 = s.q1 * t109;
    let t113 = s.q1 * t108;
    let t114 = t112 - s.q0 * t108;
    let t115 = s.q0 * t109 + t113;
    let t116 = s.rx / p.c4;
    let t117 = p.c17 * t116 + p.c1;
    let t118 = floor(t117);
    let t119 = t116 - p.c14 * t118;
    let t120 = t119 - p.c15 * t118;
    let t121 = t120 - p.c16 * t118;
    let t122 = t121 * t121;
    let t123 = t121 + t121;
    let t124 = p.c13 * t123;
    let t125 = t121 * t122;
    let t126 = p.c13 * t122;
    let t127 = t121 * t124 + t126;
    let t128 = p.c19 * t122 + p.c20;
    let t129 = p.c19 * t124;
    let t130 = t122 * t128 + p.c22;
    let t131 = t124 * t128;
    let t132 = t122 * t129 + t131;
    let t133 = t125 * t132 + p.c13;
    let t134 = t127 * t130 + t133;
    let t135 = p.c23 * t122 + p.c24;
    let t136 = p.c23 * t124;
    let t137 = t122 * t135 + p.c26;
    let t138 = t124 * t135;
    let t139 = t122 * t136 + t138;
    let t140 = p.c1 - t122 * t137;
    let t141 = t124 * t137;
    let t142 = t122 * t139 + t141;
    let t143 = t124 * t140;
    let t144 = t122 * t142 - t143;
    let t145 = p.c1 * t118;
    let t146 = floor(t145);
    let t147 = select(t134, t144, t146 < t145);
    let t148 = p.c6 * t118;
    let t149 = floor(t148);
    let t150 = t118 - p.c27 * t149;
    let t151 = -(t147);
    let t152 = select(t151, t147, t150 < p.c11);
    let t153 = p.c4 * t152;
    let t154 = t9 * p.c28;
    let t155 = t7 * p.c28;
    let t156 = t10 * p.c28;
    let t157 = t9 * t154;
    let t158 = t7 * t155 + t157;
    let t159 = t10 * t156 + t158;
    let t160 = p.c29 + t159;
    let t161 = t16 * t154;
    let t162 = t19 * t155 + t161;
    let t163 = t20 * t156 + t162;
    let t164 = t16 * p.c28;
    let t165 = t19 * p.c28;
    let t166 = t20 * p.c28;
    let t167 = t16 * t164;
    let t168 = t19 * t165 + t167;
    let t169 = t20 * t166 + t168;
    let t170 = p.c29 + t169;
    let t171 = t91 * p.c29;
    let t172 = t91 * t91;
    let t173 = p.c5 + t172;
    let t174 = p.c29 * t173;
    let t175 = s.wx * t104;
    let t176 = s.wy * t102 + t175;
    let t177 = s.wz * t105 + t176;
    let t178 = s.vx + t177;
    let t179 = s.wx * t111;
    let t180 = s.wy * t114 + t179;
    let t181 = s.wz * t115 + t180;
    let t182 = s.vy + t181;
    let t183 = s.vx * t153;
    let t184 = s.vy - t183;
    let t185 = t160 * p.c30 + p.c8;
    let t186 = p.c2 * t160 + t185;
    let t187 = t170 * p.c30 + p.c8;
    let t188 = p.c2 * t163;
    let t189 = p.c2 * t170 + t187;
    let t190 = t174 * p.c30 + p.c8;
    let t191 = p.c2 * t171;
    let t192 = p.c2 * t174 + t190;
    let t193 = s.vz * p.c9 + p.c3;
    let t194 = p.c10 * t0 + t193;
    let t195 = s.multiplier_0 * p.c31;
    let t196 = p.c2 * t194 + t195;
    let t197 = p.c9 * t178;
    let t198 = s.multiplier_1 * t185;
    let t199 = p.c2 * t197 + t198;
    let t200 = p.c9 * t182;
    let t201 = s.multiplier_2 * t187;
    let t202 = p.c2 * t200 + t201;
    let t203 = p.c9 * t184 - t94;
    let t204 = p.c10 * t95 + t203;
    let t205 = s.multiplier_3 * t190;
    let t206 = p.c2 * t204 + t205;
    let t207 = p.c5 / t186;
    let t208 = t188 * t207;
    let t209 = t189 - t188 * t208;
    let t210 = t191 * t207;
    let t211 = t188 * t210 + p.c32;
    let t212 = p.c5 / t209;
    let t213 = t192 - t191 * t210;
    let t214 = t211 * t212;
    let t215 = t213 - t211 * t214;
    let t216 = p.c5 / t215;
    let t217 = t202 - t199 * t208;
    let t218 = t199 * t210 + t206;
    let t219 = t218 - t214 * t217;
    let t220 = t216 * t219;
    let t221 = t212 * t217;
    let t222 = t221 - t214 * t220;
    let t223 = t199 * t207;
    let t224 = t223 - t208 * t222;
    let t225 = t210 * t220 + t224;
    let t226 = t196 * p.c33;
    let t227 = t9 * t225;
    let t228 = t7 * t225;
    let t229 = t10 * t225;
    let t230 = t16 * t222 + t227;
    let t231 = t19 * t222 + t228;
    let t232 = t20 * t222 + t229;
    let t233 = t91 * t220 - t225;
    let t234 = t220 + t222;
    let t235 = p.c28 * t230;
    let t236 = p.c28 * t231;
    let t237 = p.c28 * t232;
    let t238 = p.c29 * t233;
    let t239 = p.c29 * t234;
    let t240 = p.c3 - p.c29 * t226;
    let t241 = s.wx - p.c0 * t235;
    let t242 = s.wy - p.c0 * t236;
    let t243 = s.wz - p.c0 * t237;
    let t244 = p.c0 * t238 + s.vx;
    let t245 = s.vy - p.c0 * t239;
    let t246 = p.c0 * t240 + s.vz;
    let t247 = s.half_wx * p.c7;
    let t248 = s.half_wy * p.c7;
    let t249 = s.half_wz * p.c7;
    let t250 = t247 * t247 + p.c5;
    let t251 = t248 * t248 + t250;
    let t252 = t249 * t249 + t251;
    let t253 = p.c11 / t252;
    let t254 = s.q0 - s.q1 * t247;
    let t255 = t254 - s.q2 * t248;
    let t256 = t255 - s.q3 * t249;
    let t257 = s.q0 * t247 + s.q1;
    let t258 = s.q2 * t249 + t257;
    let t259 = t258 - s.q3 * t248;
    let t260 = s.q0 * t248 + s.q2;
    let t261 = s.q3 * t247 + t260;
    let t262 = t261 - s.q1 * t249;
    let t263 = s.q0 * t249 + s.q3;
    let t264 = s.q1 * t248 + t263;
    let t265 = t264 - s.q2 * t247;
    let t266 = t253 * t256 - s.q0;
    let t267 = t253 * t259 - s.q1;
    let t268 = t253 * t262 - s.q2;
    let t269 = t253 * t265 - s.q3;
    let t270 = t266 * t266;
    let t271 = t267 * t267 + t270;
    let t272 = t268 * t268 + t271;
    let t273 = t269 * t269 + t272;
    let t274 = p.c34 - p.c1 * t273;
    let t275 = t266 * t274;
    let t276 = t267 * t274;
    let t277 = t268 * t274;
    let t278 = t269 * t274;
    let t279 = s.half_vx * p.c0 + s.rx;
    let t280 = s.half_vy * p.c0 + s.ry;
    let t281 = s.half_vz * p.c0 + s.rz;
    let t282 = t281 - p.c4;
    let t283 = p.c12 * t278;
    let t284 = p.c12 * t276;
    let t285 = p.c11 * t283;
    let t286 = p.c11 * t284;
    let t287 = t277 * t286;
    let t288 = p.c12 - t278 * t285;
    let t289 = t288 - t276 * t286;
    let t290 = t277 * t285;
    let t291 = t275 * t285 + t287;
    let t292 = t290 - t275 * t286;
    let t293 = p.c4 * t278;
    let t294 = p.c4 * t277;
    let t295 = p.c11 * t293;
    let t296 = p.c11 * t294;
    let t297 = p.c4 - t277 * t296;
    let t298 = t297 - t278 * t295;
    let t299 = t276 * t296;
    let t300 = t276 * t295;
    let t301 = t299 - t275 * t295;
    let t302 = t275 * t296 + t300;
    let t303 = t279 / p.c4;
    let t304 = p.c17 * t303 + p.c1;
    let t305 = floor(t304);
    let t306 = t303 - p.c14 * t305;
    let t307 = t306 - p.c15 * t305;
    let t308 = t307 - p.c16 * t305;
    let t309 = t308 * t308;
    let t310 = t308 + t308;
    let t311 = p.c13 * t310;
    let t312 = t308 * t309;
    let t313 = p.c13 * t309;
    let t314 = t308 * t311 + t313;
    let t315 = t310 + t310;
    let t316 = p.c13 * t315;
    let t317 = p.c13 * t316;
    let t318 = p.c18 * t308 + t317;
    let t319 = p.c19 * t309 + p.c20;
    let t320 = p.c19 * t311;
    let t321 = t309 * t319 + p.c22;
    let t322 = t311 * t319;
    let t323 = t309 * t320 + t322;
    let t324 = p.c18 * t319;
    let t325 = t311 * t320 + t324;
    let t326 = t311 * t320 + t325;
    let t327 = p.c21 * t309 + t326;
    let t328 = t312 * t321 + t308;
    let t329 = t312 * t323 + p.c13;
    let t330 = t314 * t321 + t329;
    let t331 = t312 * t327;
    let t332 = t314 * t323 + t331;
    let t333 = t314 * t323 + t332;
    let t334 = t318 * t321 + t333;
    let t335 = p.c23 * t309 + p.c24;
    let t336 = p.c23 * t311;
    let t337 = t309 * t335 + p.c26;
    let t338 = t311 * t335;
    let t339 = t309 * t336 + t338;
    let t340 = p.c18 * t335;
    let t341 = t311 * t336 + t340;
    let t342 = t311 * t336 + t341;
    let t343 = p.c25 * t309 + t342;
    let t344 = p.c1 - t309 * t337;
    let t345 = t311 * t337;
    let t346 = t309 * t339 + t345;
    let t347 = p.c18 * t337;
    let t348 = t311 * t339 + t347;
    let t349 = t311 * t339 + t348;
    let t350 = t309 * t343 + t349;
    let t351 = p.c5 - t309 * t344;
    let t352 = t311 * t344;
    let t353 = t309 * t346 - t352;
    let t354 = p.c18 * t344;
    let t355 = t311 * t346 - t354;
    let t356 = t311 * t346 + t355;
    let t357 = t309 * t350 + t356;
    let t358 = p.c1 * t305;
    let t359 = floor(t358);
    let t360 = select(t328, t351, t359 < t358);
    let t361 = select(t330, t353, t359 < t358);
    let t362 = select(t334, t357, t359 < t358);
    let t363 = p.c6 * t305;
    let t364 = floor(t363);
    let t365 = t305 - p.c27 * t364;
    let t366 = -(t360);
    let t367 = -(t361);
    let t368 = -(t362);
    let t369 = select(t366, t360, t365 < p.c11);
    let t370 = select(t367, t361, t365 < p.c11);
    let t371 = select(t368, t362, t365 < p.c11);
    let t372 = p.c4 * t369;
    let t373 = p.c4 * t370;
    let t374 = p.c4 * t371;
    let t375 = t244 * t244;
    let t376 = t374 * t375;
    let t377 = t280 - t372;
    let t378 = p.c28 * t291;
    let t379 = p.c28 * t289;
    let t380 = p.c28 * t292;
    let t381 = t291 * t378;
    let t382 = t289 * t379 + t381;
    let t383 = t292 * t380 + t382;
    let t384 = p.c29 + t383;
    let t385 = t298 * t378;
    let t386 = t301 * t379 + t385;
    let t387 = t302 * t380 + t386;
    let t388 = p.c28 * t298;
    let t389 = p.c28 * t301;
    let t390 = p.c28 * t302;
    let t391 = t298 * t388;
    let t392 = t301 * t389 + t391;
    let t393 = t302 * t390 + t392;
    let t394 = p.c29 + t393;
    let t395 = p.c29 * t373;
    let t396 = t373 * t373;
    let t397 = p.c5 + t396;
    let t398 = p.c29 * t397;
    let t399 = s.half_wx * t9;
    let t400 = s.half_wy * t7 + t399;
    let t401 = s.half_wz * t10 + t400;
    let t402 = s.half_vx + t401;
    let t403 = s.half_wx * t16;
    let t404 = s.half_wy * t19 + t403;
    let t405 = s.half_wz * t20 + t404;
    let t406 = s.half_vy + t405;
    let t407 = s.half_vx * t91;
    let t408 = s.half_vy - t407;
    let t409 = p.c30 * t384 + p.c8;
    let t410 = p.c2 * t384 + t409;
    let t411 = p.c30 * t394 + p.c8;
    let t412 = p.c2 * t387;
    let t413 = p.c2 * t394 + t411;
    let t414 = p.c30 * t398 + p.c8;
    let t415 = p.c2 * t395;
    let t416 = p.c2 * t398 + t414;
    let t417 = s.half_vz * p.c9 + p.c3;
    let t418 = p.c10 * t282 + t417;
    let t419 = p.c31 * t226;
    let t420 = p.c2 * t418 + t419;
    let t421 = p.c9 * t402;
    let t422 = t225 * t409;
    let t423 = p.c2 * t421 + t422;
    let t424 = p.c9 * t406;
    let t425 = t222 * t411;
    let t426 = p.c2 * t424 + t425;
    let t427 = p.c9 * t408 - t376;
    let t428 = p.c10 * t377 + t427;
    let t429 = t220 * t414;
    let t430 = p.c2 * t428 + t429;
    let t431 = p.c5 / t410;
    let t432 = t412 * t431;
    let t433 = t413 - t412 * t432;
    let t434 = t415 * t431;
    let t435 = t412 * t434 + p.c32;
    let t436 = p.c5 / t433;
    let t437 = t416 - t415 * t434;
    let t438 = t435 * t436;
    let t439 = t437 - t435 * t438;
    let t440 = p.c5 / t439;
    let t441 = t426 - t423 * t432;
    let t442 = t423 * t434 + t430;
    let t443 = t442 - t438 * t441;
    let t444 = t440 * t443;
    let t445 = t436 * t441;
    let t446 = t445 - t438 * t444;
    let t447 = t423 * t431;
    let t448 = t447 - t432 * t446;
    let t449 = t434 * t444 + t448;
    let t450 = p.c33 * t420;
    let t451 = t291 * t449;
    let t452 = t289 * t449;
    let t453 = t292 * t449;
    let t454 = t298 * t446 + t451;
    let t455 = t301 * t446 + t452;
    let t456 = t302 * t446 + t453;
    let t457 = t373 * t444 - t449;
    let t458 = t444 + t446;
    let t459 = p.c28 * t454;
    let t460 = p.c28 * t455;
    let t461 = p.c28 * t456;
    let t462 = p.c29 * t457;
    let t463 = p.c29 * t458;
    let t464 = p.c3 - p.c29 * t450;
    let t465 = s.half_wx - p.c0 * t459;
    let t466 = s.half_wy - p.c0 * t460;
    let t467 = s.half_wz - p.c0 * t461;
    let t468 = p.c0 * t462 + s.half_vx;
    let t469 = s.half_vy - p.c0 * t463;
    let t470 = p.c0 * t464 + s.half_vz;
    let t471 = p.c7 * t241;
    let t472 = p.c7 * t242;
    let t473 = p.c7 * t243;
    let t474 = t471 * t471 + p.c5;
    let t475 = t472 * t472 + t474;
    let t476 = t473 * t473 + t475;
    let t477 = p.c11 / t476;
    let t478 = s.half_q0 - s.half_q1 * t471;
    let t479 = t478 - s.half_q2 * t472;
    let t480 = t479 - s.half_q3 * t473;
    let t481 = s.half_q0 * t471 + s.half_q1;
    let t482 = s.half_q2 * t473 + t481;
    let t483 = t482 - s.half_q3 * t472;
    let t484 = s.half_q0 * t472 + s.half_q2;
    let t485 = s.half_q3 * t471 + t484;
    let t486 = t485 - s.half_q1 * t473;
    let t487 = s.half_q0 * t473 + s.half_q3;
    let t488 = s.half_q1 * t472 + t487;
    let t489 = t488 - s.half_q2 * t471;
    let t490 = t477 * t480 - s.half_q0;
    let t491 = t477 * t483 - s.half_q1;
    let t492 = t477 * t486 - s.half_q2;
    let t493 = t477 * t489 - s.half_q3;
    let t494 = t490 * t490;
    let t495 = t491 * t491 + t494;
    let t496 = t492 * t492 + t495;
    let t497 = t493 * t493 + t496;
    let t498 = p.c34 - p.c1 * t497;
    let t499 = t490 * t498;
    let t500 = t491 * t498;
    let t501 = t492 * t498;
    let t502 = t493 * t498;
    let t503 = p.c0 * t244 + s.half_rx;
    let t504 = p.c0 * t245 + s.half_ry;
    let t505 = p.c0 * t246 + s.half_rz;
    var next: State;
    next.q0 = t275;
    next.q1 = t276;
    next.q2 = t277;
    next.q3 = t278;
    next.wx = t241;
    next.wy = t242;
    next.wz = t243;
    next.rx = t279;
    next.ry = t280;
    next.rz = t281;
    next.vx = t244;
    next.vy = t245;
    next.vz = t246;
    next.half_q0 = t499;
    next.half_q1 = t500;
    next.half_q2 = t501;
    next.half_q3 = t502;
    next.half_wx = t465;
    next.half_wy = t466;
    next.half_wz = t467;
    next.half_rx = t503;
    next.half_ry = t504;
    next.half_rz = t505;
    next.half_vx = t468;
    next.half_vy = t469;
    next.half_vz = t470;
    next.multiplier_0 = t450;
    next.multiplier_1 = t449;
    next.multiplier_2 = t446;
    next.multiplier_3 = t444;
    return next;
}

// The method begins to carry these values (214 operations).
fn begin(instance: u32, s: State) -> State {
    let t0 = s.q3 * shared_values[14];
    let t1 = s.q1 * shared_values[14];
    let t2 = shared_values[13] * t0;
    let t3 = shared_values[13] * t1;
    let t4 = s.q2 * t3;
    let t5 = shared_values[14] - s.q3 * t2;
    let t6 = t5 - s.q1 * t3;
    let t7 = s.q2 * t2;
    let t8 = s.q0 * t2 + t4;
    let t9 = t7 - s.q0 * t3;
    let t10 = s.q3 * shared_values[5];
    let t11 = s.q2 * shared_values[5];
    let t12 = shared_values[13] * t10;
    let t13 = shared_values[13] * t11;
    let t14 = shared_values[5] - s.q2 * t13;
    let t15 = t14 - s.q3 * t12;
    let t16 = s.q1 * t13;
    let t17 = s.q1 * t12;
    let t18 = t16 - s.q0 * t12;
    let t19 = s.q0 * t13 + t17;
    let t20 = s.rx / shared_values[5];
    let t21 = shared_values[19] * t20 + shared_values[1];
    let t22 = floor(t21);
    let t23 = t20 - shared_values[16] * t22;
    let t24 = t23 - shared_values[17] * t22;
    let t25 = t24 - shared_values[18] * t22;
    let t26 = t25 * t25;
    let t27 = t25 + t25;
    let t28 = shared_values[15] * t27;
    let t29 = t25 * t26;
    let t30 = shared_values[15] * t26;
    let t31 = t25 * t28 + t30;
    let t32 = t27 + t27;
    let t33 = shared_values[15] * t32;
    let t34 = shared_values[15] * t33;
    let t35 = shared_values[20] * t25 + t34;
    let t36 = shared_values[21] * t26 + shared_values[22];
    let t37 = shared_values[21] * t28;
    let t38 = t26 * t36 + shared_values[24];
    let t39 = t28 * t36;
    let t40 = t26 * t37 + t39;
    let t41 = shared_values[20] * t36;
    let t42 = t28 * t37 + t41;
    let t43 = t28 * t37 + t42;
    let t44 = shared_values[23] * t26 + t43;
    let t45 = t29 * t40 + shared_values[15];
    let t46 = t31 * t38 + t45;
    let t47 = t29 * t44;
    let t48 = t31 * t40 + t47;
    let t49 = t31 * t40 + t48;
    let t50 = t35 * t38 + t49;
    let t51 = shared_values[25] * t26 + shared_values[26];
    let t52 = shared_values[25] * t28;
    let t53 = t26 * t51 + shared_values[28];
    let t54 = t28 * t51;
    let t55 = t26 * t52 + t54;
    let t56 = shared_values[20] * t51;
    let t57 = t28 * t52 + t56;
    let t58 = t28 * t52 + t57;
    let t59 = shared_values[27] * t26 + t58;
    let t60 = shared_values[1] - t26 * t53;
    let t61 = t28 * t53;
    let t62 = t26 * t55 + t61;
    let t63 = shared_values[20] * t53;
    let t64 = t28 * t55 + t63;
    let t65 = t28 * t55 + t64;
    let t66 = t26 * t59 + t65;
    let t67 = t28 * t60;
    let t68 = t26 * t62 - t67;
    let t69 = shared_values[20] * t60;
    let t70 = t28 * t62 - t69;
    let t71 = t28 * t62 + t70;
    let t72 = t26 * t66 + t71;
    let t73 = shared_values[1] * t22;
    let t74 = floor(t73);
    let t75 = select(t46, t68, t74 < t73);
    let t76 = select(t50, t72, t74 < t73);
    let t77 = shared_values[7] * t22;
    let t78 = floor(t77);
    let t79 = t22 - shared_values[29] * t78;
    let t80 = -(t75);
    let t81 = -(t76);
    let t82 = select(t80, t75, t79 < shared_values[13]);
    let t83 = select(t81, t76, t79 < shared_values[13]);
    let t84 = shared_values[5] * t82;
    let t85 = shared_values[5] * t83;
    let t86 = s.vx * s.vx;
    let t87 = t85 * t86;
    let t88 = t8 * shared_values[30];
    let t89 = t6 * shared_values[30];
    let t90 = t9 * shared_values[30];
    let t91 = t8 * t88;
    let t92 = t6 * t89 + t91;
    let t93 = t9 * t90 + t92;
    let t94 = shared_values[31] + t93;
    let t95 = t15 * t88;
    let t96 = t18 * t89 + t95;
    let t97 = t19 * t90 + t96;
    let t98 = t15 * shared_values[30];
    let t99 = t18 * shared_values[30];
    let t100 = t19 * shared_values[30];
    let t101 = t15 * t98;
    let t102 = t18 * t99 + t101;
    let t103 = t19 * t100 + t102;
    let t104 = shared_values[31] + t103;
    let t105 = t84 * shared_values[31];
    let t106 = t84 * t84;
    let t107 = shared_values[6] + t106;
    let t108 = shared_values[31] * t107;
    let t109 = t94 * shared_values[37] + shared_values[38];
    let t110 = t104 * shared_values[37] + shared_values[38];
    let t111 = t108 * shared_values[37] + shared_values[38];
    let t112 = shared_values[6] / t109;
    let t113 = t97 * t112;
    let t114 = t110 - t97 * t113;
    let t115 = t105 * t112;
    let t116 = t97 * t115 + shared_values[31];
    let t117 = shared_values[6] / t114;
    let t118 = t111 - t105 * t115;
    let t119 = t116 * t117;
    let t120 = t118 - t116 * t119;
    let t121 = shared_values[6] / t120;
    let t122 = t87 * t121;
    let t123 = t119 * t122;
    let t124 = t113 * t123;
    let t125 = t115 * t122 + t124;
    let t126 = t94 * t125;
    let t127 = t126 - t97 * t123;
    let t128 = t127 - t105 * t122;
    let t129 = t97 * t125;
    let t130 = t129 - t104 * t123;
    let t131 = shared_values[31] * t122 + t130;
    let t132 = t105 * t125 + t87;
    let t133 = shared_values[31] * t123 + t132;
    let t134 = t108 * t122 - t133;
    let t135 = t131 - t113 * t128;
    let t136 = t115 * t128 + t134;
    let t137 = t136 - t119 * t135;
    let t138 = t121 * t137;
    let t139 = t117 * t135;
    let t140 = t139 - t119 * t138;
    let t141 = t112 * t128;
    let t142 = t141 - t113 * t140;
    let t143 = t115 * t138 + t142;
    let t144 = t143 - t125;
    let t145 = t123 + t140;
    let t146 = t137 - t87;
    let t147 = t121 * t146;
    var next = s;
    next.multiplier_0 = shared_values[39];
    next.multiplier_1 = t144;
    next.multiplier_2 = t145;
    next.multiplier_3 = t147;
    return led(instance, next);
}

// The method carries these values after it was resynchronised (0 operations).
fn resynchronised(instance: u32, s: State) -> State {
    var next = s;
    next.multiplier_0 = s.multiplier_0;
    next.multiplier_1 = s.multiplier_1;
    next.multiplier_2 = s.multiplier_2;
    next.multiplier_3 = s.multiplier_3;
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
    at_rx: real,
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
    next.at_rx = s.rx;
    next.at_vx = s.vx;
    next.at_vy = s.vy;
    next.at_vz = s.vz;
    next.sum_q0 = 0.0f;
    next.sum_q1 = 0.0f;
    next.sum_q2 = 0.0f;
    next.sum_q3 = 0.0f;
    next.sum_wx = 0.0f;
    next.sum_wy = 0.0f;
    next.sum_wz = 0.0f;
    next.sum_rx = 0.0f;
    next.sum_ry = 0.0f;
    next.sum_rz = 0.0f;
    next.sum_vx = 0.0f;
    next.sum_vy = 0.0f;
    next.sum_vz = 0.0f;
    return next;
}

// A stage takes 326 operations.
fn lead_stage(instance: u32, s: State, c: Lead, number: u32) -> Lead {
    let t0 = c.at_q0 * c.at_q0;
    let t1 = c.at_q1 * c.at_q1 + t0;
    let t2 = c.at_q2 * c.at_q2 + t1;
    let t3 = c.at_q3 * c.at_q3 + t2;
    let t4 = t3 + shared_values[41];
    let t5 = t3 * t4 + shared_values[40];
    let t6 = t3 * shared_values[40] + shared_values[41];
    let t7 = t3 * t6 + shared_values[6];
    let t8 = t5 / t7;
    let t9 = c.at_q0 * t8;
    let t10 = c.at_q1 * t8;
    let t11 = c.at_q2 * t8;
    let t12 = c.at_q3 * t8;
    let t13 = shared_values[14] * t12;
    let t14 = shared_values[14] * t10;
    let t15 = shared_values[13] * t13;
    let t16 = shared_values[13] * t14;
    let t17 = t11 * t16;
    let t18 = shared_values[14] - t12 * t15;
    let t19 = t18 - t10 * t16;
    let t20 = t11 * t15;
    let t21 = t9 * t15 + t17;
    let t22 = t20 - t9 * t16;
    let t23 = shared_values[5] * t12;
    let t24 = shared_values[5] * t11;
    let t25 = shared_values[13] * t23;
    let t26 = shared_values[13] * t24;
    let t27 = shared_values[5] - t11 * t26;
    let t28 = t27 - t12 * t25;
    let t29 = t10 * t26;
    let t30 = t10 * t25;
    let t31 = t29 - t9 * t25;
    let t32 = t9 * t26 + t30;
    let t33 = c.at_rx / shared_values[5];
    let t34 = shared_values[19] * t33 + shared_values[1];
    let t35 = floor(t34);
    let t36 = t33 - shared_values[16] * t35;
    let t37 = t36 - shared_values[17] * t35;
    let t38 = t37 - shared_values[18] * t35;
    let t39 = t38 * t38;
    let t40 = t38 + t38;
    let t41 = shared_values[15] * t40;
    let t42 = t38 * t39;
    let t43 = shared_values[15] * t39;
    let t44 = t38 * t41 + t43;
    let t45 = t40 + t40;
    let t46 = shared_values[15] * t45;
    let t47 = shared_values[15] * t46;
    let t48 = shared_values[20] * t38 + t47;
    let t49 = shared_values[21] * t39 + shared_values[22];
    let t50 = shared_values[21] * t41;
    let t51 = t39 * t49 + shared_values[24];
    let t52 = t41 * t49;
    let t53 = t39 * t50 + t52;
    let t54 = shared_values[20] * t49;
    let t55 = t41 * t50 + t54;
    let t56 = t41 * t50 + t55;
    let t57 = shared_values[23] * t39 + t56;
    let t58 = t42 * t53 + shared_values[15];
    let t59 = t44 * t51 + t58;
    let t60 = t42 * t57;
    let t61 = t44 * t53 + t60;
    let t62 = t44 * t53 + t61;
    let t63 = t48 * t51 + t62;
    let t64 = shared_values[25] * t39 + shared_values[26];
    let t65 = shared_values[25] * t41;
    let t66 = t39 * t64 + shared_values[28];
    let t67 = t41 * t64;
    let t68 = t39 * t65 + t67;
    let t69 = shared_values[20] * t64;
    let t70 = t41 * t65 + t69;
    let t71 = t41 * t65 + t70;
    let t72 = shared_values[27] * t39 + t71;
    let t73 = shared_values[1] - t39 * t66;
    let t74 = t41 * t66;
    let t75 = t39 * t68 + t74;
    let t76 = shared_values[20] * t66;
    let t77 = t41 * t68 + t76;
    let t78 = t41 * t68 + t77;
    let t79 = t39 * t72 + t78;
    let t80 = t41 * t73;
    let t81 = t39 * t75 - t80;
    let t82 = shared_values[20] * t73;
    let t83 = t41 * t75 - t82;
    let t84 = t41 * t75 + t83;
    let t85 = t39 * t79 + t84;
    let t86 = shared_values[1] * t35;
    let t87 = floor(t86);
    let t88 = select(t59, t81, t87 < t86);
    let t89 = select(t63, t85, t87 < t86);
    let t90 = shared_values[7] * t35;
    let t91 = floor(t90);
    let t92 = t35 - shared_values[29] * t91;
    let t93 = -(t88);
    let t94 = -(t89);
    let t95 = select(t93, t88, t92 < shared_values[13]);
    let t96 = select(t94, t89, t92 < shared_values[13]);
    let t97 = shared_values[5] * t95;
    let t98 = shared_values[5] * t96;
    let t99 = c.at_vx * c.at_vx;
    let t100 = t98 * t99;
    let t101 = shared_values[30] * t21;
    let t102 = shared_values[30] * t19;
    let t103 = shared_values[30] * t22;
    let t104 = t21 * t101;
    let t105 = t19 * t102 + t104;
    let t106 = t22 * t103 + t105;
    let t107 = shared_values[31] + t106;
    let t108 = t28 * t101;
    let t109 = t31 * t102 + t108;
    let t110 = t32 * t103 + t109;
    let t111 = shared_values[30] * t28;
    let t112 = shared_values[30] * t31;
    let t113 = shared_values[30] * t32;
    let t114 = t28 * t111;
    let t115 = t31 * t112 + t114;
    let t116 = t32 * t113 + t115;
    let t117 = shared_values[31] + t116;
    let t118 = shared_values[31] * t97;
    let t119 = t97 * t97;
    let t120 = shared_values[6] + t119;
    let t121 = shared_values[31] * t120;
    let t122 = shared_values[37] * t107 + shared_values[38];
    let t123 = shared_values[37] * t117 + shared_values[38];
    let t124 = shared_values[37] * t121 + shared_values[38];
    let t125 = shared_values[6] / t122;
    let t126 = t110 * t125;
    let t127 = t123 - t110 * t126;
    let t128 = t118 * t125;
    let t129 = t110 * t128 + shared_values[31];
    let t130 = shared_values[6] / t127;
    let t131 = t124 - t118 * t128;
    let t132 = t129 * t130;
    let t133 = t131 - t129 * t132;
    let t134 = shared_values[6] / t133;
    let t135 = t100 * t134;
    let t136 = t132 * t135;
    let t137 = t126 * t136;
    let t138 = t128 * t135 + t137;
    let t139 = t107 * t138;
    let t140 = t139 - t110 * t136;
    let t141 = t140 - t118 * t135;
    let t142 = t110 * t138;
    let t143 = t142 - t117 * t136;
    let t144 = shared_values[31] * t135 + t143;
    let t145 = t118 * t138 + t100;
    let t146 = shared_values[31] * t136 + t145;
    let t147 = t121 * t135 - t146;
    let t148 = t144 - t126 * t141;
    let t149 = t128 * t141 + t147;
    let t150 = t149 - t132 * t148;
    let t151 = t134 * t150;
    let t152 = t130 * t148;
    let t153 = t152 - t132 * t151;
    let t154 = t125 * t141;
    let t155 = t154 - t126 * t153;
    let t156 = t128 * t151 + t155;
    let t157 = t156 - t138;
    let t158 = t136 + t153;
    let t159 = t150 - t100;
    let t160 = t134 * t159;
    let t161 = t21 * t157;
    let t162 = t19 * t157;
    let t163 = t22 * t157;
    let t164 = t28 * t158 + t161;
    let t165 = t31 * t158 + t162;
    let t166 = t32 * t158 + t163;
    let t167 = t97 * t160 - t157;
    let t168 = t158 + t160;
    let t169 = shared_values[30] * t164;
    let t170 = shared_values[30] * t165;
    let t171 = shared_values[30] * t166;
    let t172 = shared_values[31] * t167;
    let t173 = shared_values[31] * t168;
    let t174 = shared_values[8] * t169;
    let t175 = shared_values[8] * t170;
    let t176 = shared_values[8] * t171;
    let t177 = shared_values[8] * t172;
    let t178 = shared_values[8] * t173;
    let t179 = c.at_q1 * c.at_wx;
    let t180 = c.at_q2 * c.at_wy + t179;
    let t181 = c.at_q3 * c.at_wz + t180;
    let t182 = c.at_q0 * c.at_wx;
    let t183 = c.at_q2 * c.at_wz + t182;
    let t184 = t183 - c.at_q3 * c.at_wy;
    let t185 = c.at_q0 * c.at_wy;
    let t186 = c.at_q3 * c.at_wx + t185;
    let t187 = t186 - c.at_q1 * c.at_wz;
    let t188 = c.at_q0 * c.at_wz;
    let t189 = c.at_q1 * c.at_wy + t188;
    let t190 = t189 - c.at_q2 * c.at_wx;
    let t191 = shared_values[42] * t181;
    let t192 = shared_values[42] * t184;
    let t193 = shared_values[42] * t187;
    let t194 = shared_values[42] * t190;
    let t195 = shared_values[8] * c.at_vx;
    let t196 = shared_values[8] * c.at_vy;
    let t197 = shared_values[8] * c.at_vz;
    let t198 = c.base_q0 - shared_values[47u + 3u * number] * t191;
    let t199 = shared_values[47u + 3u * number] * t192 + c.base_q1;
    let t200 = shared_values[47u + 3u * number] * t193 + c.base_q2;
    let t201 = shared_values[47u + 3u * number] * t194 + c.base_q3;
    let t202 = c.base_wx - shared_values[47u + 3u * number] * t174;
    let t203 = c.base_wy - shared_values[47u + 3u * number] * t175;
    let t204 = c.base_wz - shared_values[47u + 3u * number] * t176;
    let t205 = shared_values[47u + 3u * number] * t195 + c.base_rx;
    let t206 = shared_values[47u + 3u * number] * t177 + c.base_vx;
    let t207 = c.base_vy - shared_values[47u + 3u * number] * t178;
    let t208 = c.sum_q0 - shared_values[48u + 3u * number] * t191;
    let t209 = shared_values[48u + 3u * number] * t192 + c.sum_q1;
    let t210 = shared_values[48u + 3u * number] * t193 + c.sum_q2;
    let t211 = shared_values[48u + 3u * number] * t194 + c.sum_q3;
    let t212 = c.sum_wx - shared_values[48u + 3u * number] * t174;
    let t213 = c.sum_wy - shared_values[48u + 3u * number] * t175;
    let t214 = c.sum_wz - shared_values[48u + 3u * number] * t176;
    let t215 = shared_values[48u + 3u * number] * t195 + c.sum_rx;
    let t216 = shared_values[48u + 3u * number] * t196 + c.sum_ry;
    let t217 = shared_values[48u + 3u * number] * t197 + c.sum_rz;
    let t218 = shared_values[48u + 3u * number] * t177 + c.sum_vx;
    let t219 = c.sum_vy - shared_values[48u + 3u * number] * t178;
    var next = c;
    next.at_q0 = t198;
    next.at_q1 = t199;
    next.at_q2 = t200;
    next.at_q3 = t201;
    next.at_wx = t202;
    next.at_wy = t203;
    next.at_wz = t204;
    next.at_rx = t205;
    next.at_vx = t206;
    next.at_vy = t207;
    next.at_vz = c.base_vz;
    next.sum_q0 = t208;
    next.sum_q1 = t209;
    next.sum_q2 = t210;
    next.sum_q3 = t211;
    next.sum_wx = t212;
    next.sum_wy = t213;
    next.sum_wz = t214;
    next.sum_rx = t215;
    next.sum_ry = t216;
    next.sum_rz = t217;
    next.sum_vx = t218;
    next.sum_vy = t219;
    next.sum_vz = c.sum_vz;
    return next;
}

// A Runge-Kutta step ends, and another one may begin there.
fn lead_settled(instance: u32, s: State, c: Lead) -> Lead {
    let t0 = c.sum_q0 * shared_values[43] + c.base_q0;
    let t1 = c.sum_q1 * shared_values[43] + c.base_q1;
    let t2 = c.sum_q2 * shared_values[43] + c.base_q2;
    let t3 = c.sum_q3 * shared_values[43] + c.base_q3;
    let t4 = c.sum_wx * shared_values[43] + c.base_wx;
    let t5 = c.sum_wy * shared_values[43] + c.base_wy;
    let t6 = c.sum_wz * shared_values[43] + c.base_wz;
    let t7 = c.sum_rx * shared_values[43] + c.base_rx;
    let t8 = c.sum_ry * shared_values[43] + c.base_ry;
    let t9 = c.sum_rz * shared_values[43] + c.base_rz;
    let t10 = c.sum_vx * shared_values[43] + c.base_vx;
    let t11 = c.sum_vy * shared_values[43] + c.base_vy;
    let t12 = c.sum_vz * shared_values[43] + c.base_vz;
    let t13 = t0 * t0;
    let t14 = t1 * t1 + t13;
    let t15 = t2 * t2 + t14;
    let t16 = t3 * t3 + t15;
    let t17 = sqrt(t16);
    let t18 = shared_values[6] / t17;
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
    next.at_rx = t7;
    next.at_vx = t10;
    next.at_vy = t11;
    next.at_vz = t12;
    next.sum_q0 = 0.0f;
    next.sum_q1 = 0.0f;
    next.sum_q2 = 0.0f;
    next.sum_q3 = 0.0f;
    next.sum_wx = 0.0f;
    next.sum_wy = 0.0f;
    next.sum_wz = 0.0f;
    next.sum_rx = 0.0f;
    next.sum_ry = 0.0f;
    next.sum_rz = 0.0f;
    next.sum_vx = 0.0f;
    next.sum_vy = 0.0f;
    next.sum_vz = 0.0f;
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
    let t0 = s.vx * s.vx;
    let t1 = parameters[1u * run.stride + instance] + shared_values[45];
    let t2 = s.vy * s.vy + t0;
    let t3 = s.vz * s.vz + t2;
    let t4 = s.wx * shared_values[9];
    let t5 = s.wy * shared_values[9];
    let t6 = s.wz * shared_values[9];
    let t7 = s.wx * t4;
    let t8 = s.wy * t5 + t7;
    let t9 = s.wz * t6 + t8;
    let t10 = shared_values[3] * t3 + t9;
    let t11 = shared_values[1] * t10;
    let t12 = t1 + t11;
    let t13 = shared_values[44] * t12;
    let t14 = select(0.0f, t13, 0.0f < t1);
    let t15 = t11 - parameters[0u * run.stride + instance];
    let t16 = s.rz * shared_values[46];
    let t17 = t15 - t16;
    return Judged(t17, t14);
}

fn constraint_violation(instance: u32, s: State) -> Judged {
    let t0 = s.rz - shared_values[5];
    let t1 = s.rx / shared_values[5];
    let t2 = shared_values[19] * t1 + shared_values[1];
    let t3 = floor(t2);
    let t4 = t1 - shared_values[16] * t3;
    let t5 = t4 - shared_values[17] * t3;
    let t6 = t5 - shared_values[18] * t3;
    let t7 = t6 * t6;
    let t8 = t6 * t7;
    let t9 = shared_values[21] * t7 + shared_values[22];
    let t10 = t7 * t9 + shared_values[24];
    let t11 = t8 * t10 + t6;
    let t12 = shared_values[25] * t7 + shared_values[26];
    let t13 = t7 * t12 + shared_values[28];
    let t14 = shared_values[1] - t7 * t13;
    let t15 = shared_values[6] - t7 * t14;
    let t16 = shared_values[1] * t3;
    let t17 = floor(t16);
    let t18 = select(t11, t15, t17 < t16);
    let t19 = shared_values[7] * t3;
    let t20 = floor(t19);
    let t21 = t3 - shared_values[29] * t20;
    let t22 = -(t18);
    let t23 = select(t22, t18, t21 < shared_values[13]);
    let t24 = shared_values[5] * t23;
    let t25 = s.ry - t24;
    let t26 = t0 * t0;
    let t27 = t25 * t25 + t26;
    let t28 = sqrt(t27);
    return Judged(t28, shared_values[2]);
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
