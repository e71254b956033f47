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
}

fn prepare(instance: u32) -> Prepared {
    let t0 = parameters[2u * run.stride + instance] * shared_values[0];
    let t1 = parameters[2u * run.stride + instance] * shared_values[5];
    let t2 = t0 * parameters[6u * run.stride + instance];
    let t3 = shared_values[31] * t2 + parameters[3u * run.stride + instance];
    let t4 = t0 * shared_values[31] + t3;
    let t5 = t0 * shared_values[31];
    let t6 = shared_values[4] / t4;
    var p: Prepared;
    p.c0 = shared_values[0];
    p.c1 = shared_values[2];
    p.c2 = shared_values[3];
    p.c3 = shared_values[4];
    p.c4 = shared_values[5];
    p.c5 = shared_values[7];
    p.c6 = shared_values[8];
    p.c7 = shared_values[9];
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
    p.c31 = t2;
    p.c32 = parameters[3u * run.stride + instance];
    p.c33 = t0;
    p.c34 = parameters[4u * run.stride + instance];
    p.c35 = parameters[5u * run.stride + instance];
    p.c36 = t3;
    p.c37 = t5;
    p.c38 = t6;
    p.c39 = parameters[2u * run.stride + instance];
    p.c40 = t1;
    return p;
}

// A full step takes 926 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.half_rz - p.c2;
    let t1 = s.half_q3 * p.c6;
    let t2 = s.half_q1 * p.c6;
    let t3 = p.c5 * t1;
    let t4 = p.c5 * t2;
    let t5 = s.half_q2 * t4;
    let t6 = p.c6 - s.half_q3 * t3;
    let t7 = t6 - s.half_q1 * t4;
    let t8 = s.half_q2 * t3;
    let t9 = s.half_q0 * t3 + t5;
    let t10 = t8 - s.half_q0 * t4;
    let t11 = s.half_q3 * p.c2;
    let t12 = s.half_q2 * p.c2;
    let t13 = p.c5 * t11;
    let t14 = p.c5 * t12;
    let t15 = p.c2 - s.half_q2 * t14;
    let t16 = t15 - s.half_q3 * t13;
    let t17 = s.half_q1 * t14;
    let t18 = s.half_q1 * t13;
    let t19 = t17 - s.half_q0 * t13;
    let t20 = s.half_q0 * t14 + t18;
    let t21 = s.half_rx / p.c2;
    let t22 = t21 * p.c11 + p.c0;
    let t23 = floor(t22);
    let t24 = t21 - p.c8 * t23;
    let t25 = t24 - p.c9 * t23;
    let t26 = t25 - p.c10 * t23;
    let t27 = t26 * t26;
    let t28 = t26 + t26;
    let t29 = p.c7 * t28;
    let t30 = t26 * t27;
    let t31 = p.c7 * t27;
    let t32 = t26 * t29 + t31;
    let t33 = t28 + t28;
    let t34 = p.c7 * t33;
    let t35 = p.c7 * t34;
    let t36 = t26 * p.c12 + t35;
    let t37 = t27 * p.c13 + p.c14;
    let t38 = t29 * p.c13;
    let t39 = t27 * t37 + p.c16;
    let t40 = t29 * t37;
    let t41 = t27 * t38 + t40;
    let t42 = p.c12 * t37;
    let t43 = t29 * t38 + t42;
    let t44 = t29 * t38 + t43;
    let t45 = t27 * p.c15 + t44;
    let t46 = t27 * t39 + p.c17;
    let t47 = t29 * t39;
    let t48 = t27 * t41 + t47;
    let t49 = p.c12 * t39;
    let t50 = t29 * t41 + t49;
    let t51 = t29 * t41 + t50;
    let t52 = t27 * t45 + t51;
    let t53 = t27 * t46 + p.c18;
    let t54 = t29 * t46;
    let t55 = t27 * t48 + t54;
    let t56 = p.c12 * t46;
    let t57 = t29 * t48 + t56;
    let t58 = t29 * t48 + t57;
    let t59 = t27 * t52 + t58;
    let t60 = t27 * t53 + p.c19;
    let t61 = t29 * t53;
    let t62 = t27 * t55 + t61;
    let t63 = p.c12 * t53;
    let t64 = t29 * t55 + t63;
    let t65 = t29 * t55 + t64;
    let t66 = t27 * t59 + t65;
    let t67 = t30 * t60 + t26;
    let t68 = t30 * t62 + p.c7;
    let t69 = t32 * t60 + t68;
    let t70 = t30 * t66;
    let t71 = t32 * t62 + t70;
    let t72 = t32 * t62 + t71;
    let t73 = t36 * t60 + t72;
    let t74 = t27 * p.c20 + p.c21;
    let t75 = t29 * p.c20;
    let t76 = t27 * t74 + p.c23;
    let t77 = t29 * t74;
    let t78 = t27 * t75 + t77;
    let t79 = p.c12 * t74;
    let t80 = t29 * t75 + t79;
    let t81 = t29 * t75 + t80;
    let t82 = t27 * p.c22 + t81;
    let t83 = t27 * t76 + p.c24;
    let t84 = t29 * t76;
    let t85 = t27 * t78 + t84;
    let t86 = p.c12 * t76;
    let t87 = t29 * t78 + t86;
    let t88 = t29 * t78 + t87;
    let t89 = t27 * t82 + t88;
    let t90 = t27 * t83 + p.c25;
    let t91 = t29 * t83;
    let t92 = t27 * t85 + t91;
    let t93 = p.c12 * t83;
    let t94 = t29 * t85 + t93;
    let t95 = t29 * t85 + t94;
    let t96 = t27 * t89 + t95;
    let t97 = t27 * t90 + p.c26;
    let t98 = t29 * t90;
    let t99 = t27 * t92 + t98;
    let t100 = p.c12 * t90;
    let t101 = t29 * t92 + t100;
    let t102 = t29 * t92 + t101;
    let t103 = t27 * t96 + t102;
    let t104 = p.c0 - t27 * t97;
    let t105 = t29 * t97;
    let t106 = t27 * t99 + t105;
    let t107 = p.c12 * t97;
    let t108 = t29 * t99 + t107;
    let t109 = t29 * t99 + t108;
    let t110 = t27 * t103 + t109;
    let t111 = p.c3 - t27 * t104;
    let t112 = t29 * t104;
    let t113 = t27 * t106 - t112;
    let t114 = p.c12 * t104;
    let t115 = t29 * t106 - t114;
    let t116 = t29 * t106 + t115;
    let t117 = t27 * t110 + t116;
    let t118 = p.c0 * t23;
    let t119 = floor(t118);
    let t120 = select(t67, t111, t119 < t118);
    let t121 = select(t69, t113, t119 < t118);
    let t122 = select(t73, t117, t119 < t118);
    let t123 = p.c4 * t23;
    let t124 = floor(t123);
    let t125 = t23 - t124 * p.c27;
    let t126 = -(t120);
    let t127 = -(t121);
    let t128 = -(t122);
    let t129 = select(t126, t120, t125 < p.c5);
    let t130 = select(t127, t121, t125 < p.c5);
    let t131 = select(t128, t122, t125 < p.c5);
    let t132 = p.c2 * t129;
    let t133 = p.c2 * t130;
    let t134 = p.c2 * t131;
    let t135 = s.half_vx * s.half_vx;
    let t136 = t134 * t135;
    let t137 = s.half_ry - t132;
    let t138 = s.q3 * p.c6;
    let t139 = s.q1 * p.c6;
    let t140 = p.c5 * t138;
    let t141 = p.c5 * t139;
    let t142 = s.q2 * t141;
    let t143 = p.c6 - s.q3 * t140;
    let t144 = t143 - s.q1 * t141;
    let t145 = s.q2 * t140;
    let t146 = s.q0 * t140 + t142;
    let t147 = t145 - s.q0 * t141;
    let t148 = s.q3 * p.c2;
    let t149 = s.q2 * p.c2;
    let t150 = p.c5 * t148;
    let t151 = p.c5 * t149;
    let t152 = p.c2 - s.q2 * t151;
    let t153 = t152 - s.q3 * t150;
    let t154 = s.q1 * t151;
    let t155 = s.q1 * t150;
    let t156 = t154 - s.q0 * t150;
    let t157 = s.q0 * t151 + t155;
    let t158 = s.rx / p.c2;
    let t159 = p.c11 * t158 + p.c0;
    let t160 = floor(t159);
    let t161 = t158 - p.c8 * t160;
    let t162 = t161 - p.c9 * t160;
    let t163 = t162 - p.c10 * t160;
    let t164 = t163 * t163;
    let t165 = t163 + t163;
    let t166 = p.c7 * t165;
    let t167 = t163 * t164;
    let t168 = p.c7 * t164;
    let t169 = t163 * t166 + t168;
    let t170 = p.c13 * t164 + p.c14;
    let t171 = p.c13 * t166;
    let t172 = t164 * t170 + p.c16;
    let t173 = t166 * t170;
    let t174 = t164 * t171 + t173;
    let t175 = t164 * t172 + p.c17;
    let t176 = t166 * t172;
    let t177 = t164 * t174 + t176;
    let t178 = t164 * t175 + p.c18;
    let t179 = t166 * t175;
    let t180 = t164 * t177 + t179;
    let t181 = t164 * t178 + p.c19;
    let t182 = t166 * t178;
    let t183 = t164 * t180 + t182;
    let t184 = t167 * t183 + p.c7;
    let t185 = t169 * t181 + t184;
    let t186 = p.c20 * t164 + p.c21;
    let t187 = p.c20 * t166;
    let t188 = t164 * t186 + p.c23;
    let t189 = t166 * t186;
    let t190 = t164 * t187 + t189;
    let t191 = t164 * t188 + p.c24;
    let t192 = t166 * t188;
    let t193 = t164 * t190 + t192;
    let t194 = t164 * t191 + p.c25;
    let t195 = t166 * t191;
    let t196 = t164 * t193 + t195;
    let t197 = t164 * t194 + p.c26;
    let t198 = t166 * t194;
    let t199 = t164 * t196 + t198;
    let t200 = p.c0 - t164 * t197;
    let t201 = t166 * t197;
    let t202 = t164 * t199 + t201;
    let t203 = t166 * t200;
    let t204 = t164 * t202 - t203;
    let t205 = p.c0 * t160;
    let t206 = floor(t205);
    let t207 = select(t185, t204, t206 < t205);
    let t208 = p.c4 * t160;
    let t209 = floor(t208);
    let t210 = t160 - p.c27 * t209;
    let t211 = -(t207);
    let t212 = select(t211, t207, t210 < p.c5);
    let t213 = p.c2 * t212;
    let t214 = t9 * p.c28;
    let t215 = t7 * p.c28;
    let t216 = t10 * p.c28;
    let t217 = t9 * t214;
    let t218 = t7 * t215 + t217;
    let t219 = t10 * t216 + t218;
    let t220 = p.c29 + t219;
    let t221 = t16 * t214;
    let t222 = t19 * t215 + t221;
    let t223 = t20 * t216 + t222;
    let t224 = t16 * p.c28;
    let t225 = t19 * p.c28;
    let t226 = t20 * p.c28;
    let t227 = t16 * t224;
    let t228 = t19 * t225 + t227;
    let t229 = t20 * t226 + t228;
    let t230 = p.c29 + t229;
    let t231 = t133 * p.c29;
    let t232 = t133 * t133;
    let t233 = p.c3 + t232;
    let t234 = p.c29 * t233;
    let t235 = s.wx * t146;
    let t236 = s.wy * t144 + t235;
    let t237 = s.wz * t147 + t236;
    let t238 = s.vx + t237;
    let t239 = s.wx * t153;
    let t240 = s.wy * t156 + t239;
    let t241 = s.wz * t157 + t240;
    let t242 = s.vy + t241;
    let t243 = s.vx * t213;
    let t244 = s.vy - t243;
    let t245 = t220 * p.c31 + p.c32;
    let t246 = p.c33 * t220 + t245;
    let t247 = t230 * p.c31 + p.c32;
    let t248 = p.c33 * t223;
    let t249 = p.c33 * t230 + t247;
    let t250 = t234 * p.c31 + p.c32;
    let t251 = p.c33 * t231;
    let t252 = p.c33 * t234 + t250;
    let t253 = s.vz * p.c34 + p.c1;
    let t254 = p.c35 * t0 + t253;
    let t255 = s.multiplier_0 * p.c36;
    let t256 = p.c33 * t254 + t255;
    let t257 = p.c34 * t238;
    let t258 = s.multiplier_1 * t245;
    let t259 = p.c33 * t257 + t258;
    let t260 = p.c34 * t242;
    let t261 = s.multiplier_2 * t247;
    let t262 = p.c33 * t260 + t261;
    let t263 = p.c34 * t244 - t136;
    let t264 = p.c35 * t137 + t263;
    let t265 = s.multiplier_3 * t250;
    let t266 = p.c33 * t264 + t265;
    let t267 = p.c3 / t246;
    let t268 = t248 * t267;
    let t269 = t249 - t248 * t268;
    let t270 = t251 * t267;
    let t271 = t248 * t270 + p.c37;
    let t272 = p.c3 / t269;
    let t273 = t252 - t251 * t270;
    let t274 = t271 * t272;
    let t275 = t273 - t271 * t274;
    let t276 = p.c3 / t275;
    let t277 = t262 - t259 * t268;
    let t278 = t259 * t270 + t266;
    let t279 = t278 - t274 * t277;
    let t280 = t276 * t279;
    let t281 = t272 * t277;
    let t282 = t281 - t274 * t280;
    let t283 = t259 * t267;
    let t284 = t283 - t268 * t282;
    let t285 = t270 * t280 + t284;
    let t286 = t256 * p.c38;
    let t287 = t9 * t285;
    let t288 = t7 * t285;
    let t289 = t10 * t285;
    let t290 = t16 * t282 + t287;
    let t291 = t19 * t282 + t288;
    let t292 = t20 * t282 + t289;
    let t293 = t133 * t280 - t285;
    let t294 = t280 + t282;
    let t295 = p.c28 * t290;
    let t296 = p.c28 * t291;
    let t297 = p.c28 * t292;
    let t298 = p.c29 * t293;
    let t299 = p.c29 * t294;
    let t300 = p.c1 - p.c29 * t286;
    let t301 = s.wx - p.c39 * t295;
    let t302 = s.wy - p.c39 * t296;
    let t303 = s.wz - p.c39 * t297;
    let t304 = p.c39 * t298 + s.vx;
    let t305 = s.vy - p.c39 * t299;
    let t306 = p.c39 * t300 + s.vz;
    let t307 = s.half_wx * p.c40;
    let t308 = s.half_wy * p.c40;
    let t309 = s.half_wz * p.c40;
    let t310 = t307 * t307 + p.c3;
    let t311 = t308 * t308 + t310;
    let t312 = t309 * t309 + t311;
    let t313 = p.c5 / t312;
    let t314 = s.q0 - s.q1 * t307;
    let t315 = t314 - s.q2 * t308;
    let t316 = t315 - s.q3 * t309;
    let t317 = s.q0 * t307 + s.q1;
    let t318 = s.q2 * t309 + t317;
    let t319 = t318 - s.q3 * t308;
    let t320 = s.q0 * t308 + s.q2;
    let t321 = s.q3 * t307 + t320;
    let t322 = t321 - s.q1 * t309;
    let t323 = s.q0 * t309 + s.q3;
    let t324 = s.q1 * t308 + t323;
    let t325 = t324 - s.q2 * t307;
    let t326 = t313 * t316 - s.q0;
    let t327 = t313 * t319 - s.q1;
    let t328 = t313 * t322 - s.q2;
    let t329 = t313 * t325 - s.q3;
    let t330 = t326 * t326;
    let t331 = t327 * t327 + t330;
    let t332 = t328 * t328 + t331;
    let t333 = t329 * t329 + t332;
    let t334 = p.c30 - p.c0 * t333;
    let t335 = t326 * t334;
    let t336 = t327 * t334;
    let t337 = t328 * t334;
    let t338 = t329 * t334;
    let t339 = s.half_vx * p.c39 + s.rx;
    let t340 = s.half_vy * p.c39 + s.ry;
    let t341 = s.half_vz * p.c39 + s.rz;
    let t342 = t341 - p.c2;
    let t343 = p.c6 * t338;
    let t344 = p.c6 * t336;
    let t345 = p.c5 * t343;
    let t346 = p.c5 * t344;
    let t347 = t337 * t346;
    let t348 = p.c6 - t338 * t345;
    let t349 = t348 - t336 * t346;
    let t350 = t337 * t345;
    let t351 = t335 * t345 + t347;
    let t352 = t350 - t335 * t346;
    let t353 = p.c2 * t338;
    let t354 = p.c2 * t337;
    let t355 = p.c5 * t353;
    let t356 = p.c5 * t354;
    let t357 = p.c2 - t337 * t356;
    let t358 = t357 - t338 * t355;
    let t359 = t336 * t356;
    let t360 = t336 * t355;
    let t361 = t359 - t335 * t355;
    let t362 = t335 * t356 + t360;
    let t363 = t339 / p.c2;
    let t364 = p.c11 * t363 + p.c0;
    let t365 = floor(t364);
    let t366 = t363 - p.c8 * t365;
    let t367 = t366 - p.c9 * t365;
    let t368 = t367 - p.c10 * t365;
    let t369 = t368 * t368;
    let t370 = t368 + t368;
    let t371 = p.c7 * t370;
    let t372 = t368 * t369;
    let t373 = p.c7 * t369;
    let t374 = t368 * t371 + t373;
    let t375 = t370 + t370;
    let t376 = p.c7 * t375;
    let t377 = p.c7 * t376;
    let t378 = p.c12 * t368 + t377;
    let t379 = p.c13 * t369 + p.c14;
    let t380 = p.c13 * t371;
    let t381 = t369 * t379 + p.c16;
    let t382 = t371 * t379;
    let t383 = t369 * t380 + t382;
    let t384 = p.c12 * t379;
    let t385 = t371 * t380 + t384;
    let t386 = t371 * t380 + t385;
    let t387 = p.c15 * t369 + t386;
    let t388 = t369 * t381 + p.c17;
    let t389 = t371 * t381;
    let t390 = t369 * t383 + t389;
    let t391 = p.c12 * t381;
    let t392 = t371 * t383 + t391;
    let t393 = t371 * t383 + t392;
    let t394 = t369 * t387 + t393;
    let t395 = t369 * t388 + p.c18;
    let t396 = t371 * t388;
    let t397 = t369 * t390 + t396;
    let t398 = p.c12 * t388;
    let t399 = t371 * t390 + t398;
    let t400 = t371 * t390 + t399;
    let t401 = t369 * t394 + t400;
    let t402 = t369 * t395 + p.c19;
    let t403 = t371 * t395;
    let t404 = t369 * t397 + t403;
    let t405 = p.c12 * t395;
    let t406 = t371 * t397 + t405;
    let t407 = t371 * t397 + t406;
    let t408 = t369 * t401 + t407;
    let t409 = t372 * t402 + t368;
    let t410 = t372 * t404 + p.c7;
    let t411 = t374 * t402 + t410;
    let t412 = t372 * t408;
    let t413 = t374 * t404 + t412;
    let t414 = t374 * t404 + t413;
    let t415 = t378 * t402 + t414;
    let t416 = p.c20 * t369 + p.c21;
    let t417 = p.c20 * t371;
    let t418 = t369 * t416 + p.c23;
    let t419 = t371 * t416;
    let t420 = t369 * t417 + t419;
    let t421 = p.c12 * t416;
    let t422 = t371 * t417 + t421;
    let t423 = t371 * t417 + t422;
    let t424 = p.c22 * t369 + t423;
    let t425 = t369 * t418 + p.c24;
    let t426 = t371 * t418;
    let t427 = t369 * t420 + t426;
    let t428 = p.c12 * t418;
    let t429 = t371 * t420 + t428;
    let t430 = t371 * t420 + t429;
    let t431 = t369 * t424 + t430;
    let t432 = t369 * t425 + p.c25;
    let t433 = t371 * t425;
    let t434 = t369 * t427 + t433;
    let t435 = p.c12 * t425;
    let t436 = t371 * t427 + t435;
    let t437 = t371 * t427 + t436;
    let t438 = t369 * t431 + t437;
    let t439 = t369 * t432 + p.c26;
    let t440 = t371 * t432;
    let t441 = t369 * t434 + t440;
    let t442 = p.c12 * t432;
    let t443 = t371 * t434 + t442;
    let t444 = t371 * t434 + t443;
    let t445 = t369 * t438 + t444;
    let t446 = p.c0 - t369 * t439;
    let t447 = t371 * t439;
    let t448 = t369 * t441 + t447;
    let t449 = p.c12 * t439;
    let t450 = t371 * t441 + t449;
    let t451 = t371 * t441 + t450;
    let t452 = t369 * t445 + t451;
    let t453 = p.c3 - t369 * t446;
    let t454 = t371 * t446;
    let t455 = t369 * t448 - t454;
    let t456 = p.c12 * t446;
    let t457 = t371 * t448 - t456;
    let t458 = t371 * t448 + t457;
    let t459 = t369 * t452 + t458;
    let t460 = p.c0 * t365;
    let t461 = floor(t460);
    let t462 = select(t409, t453, t461 < t460);
    let t463 = select(t411, t455, t461 < t460);
    let t464 = select(t415, t459, t461 < t460);
    let t465 = p.c4 * t365;
    let t466 = floor(t465);
    let t467 = t365 - p.c27 * t466;
    let t468 = -(t462);
    let t469 = -(t463);
    let t470 = -(t464);
    let t471 = select(t468, t462, t467 < p.c5);
    let t472 = select(t469, t463, t467 < p.c5);
    let t473 = select(t470, t464, t467 < p.c5);
    let t474 = p.c2 * t471;
    let t475 = p.c2 * t472;
    let t476 = p.c2 * t473;
    let t477 = t304 * t304;
    let t478 = t476 * t477;
    let t479 = t340 - t474;
    let t480 = p.c28 * t351;
    let t481 = p.c28 * t349;
    let t482 = p.c28 * t352;
    let t483 = t351 * t480;
    let t484 = t349 * t481 + t483;
    let t485 = t352 * t482 + t484;
    let t486 = p.c29 + t485;
    let t487 = t358 * t480;
    let t488 = t361 * t481 + t487;
    let t489 = t362 * t482 + t488;
    let t490 = p.c28 * t358;
    let t491 = p.c28 * t361;
    let t492 = p.c28 * t362;
    let t493 = t358 * t490;
    let t494 = t361 * t491 + t493;
    let t495 = t362 * t492 + t494;
    let t496 = p.c29 + t495;
    let t497 = p.c29 * t475;
    let t498 = t475 * t475;
    let t499 = p.c3 + t498;
    let t500 = p.c29 * t499;
    let t501 = s.half_wx * t9;
    let t502 = s.half_wy * t7 + t501;
    let t503 = s.half_wz * t10 + t502;
    let t504 = s.half_vx + t503;
    let t505 = s.half_wx * t16;
    let t506 = s.half_wy * t19 + t505;
    let t507 = s.half_wz * t20 + t506;
    let t508 = s.half_vy + t507;
    let t509 = s.half_vx * t133;
    let t510 = s.half_vy - t509;
    let t511 = p.c31 * t486 + p.c32;
    let t512 = p.c33 * t486 + t511;
    let t513 = p.c31 * t496 + p.c32;
    let t514 = p.c33 * t489;
    let t515 = p.c33 * t496 + t513;
    let t516 = p.c31 * t500 + p.c32;
    let t517 = p.c33 * t497;
    let t518 = p.c33 * t500 + t516;
    let t519 = s.half_vz * p.c34 + p.c1;
    let t520 = p.c35 * t342 + t519;
    let t521 = p.c36 * t286;
    let t522 = p.c33 * t520 + t521;
    let t523 = p.c34 * t504;
    let t524 = t285 * t511;
    let t525 = p.c33 * t523 + t524;
    let t526 = p.c34 * t508;
    let t527 = t282 * t513;
    let t528 = p.c33 * t526 + t527;
    let t529 = p.c34 * t510 - t478;
    let t530 = p.c35 * t479 + t529;
    let t531 = t280 * t516;
    let t532 = p.c33 * t530 + t531;
    let t533 = p.c3 / t512;
    let t534 = t514 * t533;
    let t535 = t515 - t514 * t534;
    let t536 = t517 * t533;
    let t537 = t514 * t536 + p.c37;
    let t538 = p.c3 / t535;
    let t539 = t518 - t517 * t536;
    let t540 = t537 * t538;
    let t541 = t539 - t537 * t540;
    let t542 = p.c3 / t541;
    let t543 = t528 - t525 * t534;
    let t544 = t525 * t536 + t532;
    let t545 = t544 - t540 * t543;
    let t546 = t542 * t545;
    let t547 = t538 * t543;
    let t548 = t547 - t540 * t546;
    let t549 = t525 * t533;
    let t550 = t549 - t534 * t548;
    let t551 = t536 * t546 + t550;
    let t552 = p.c38 * t522;
    let t553 = t351 * t551;
    let t554 = t349 * t551;
    let t555 = t352 * t551;
    let t556 = t358 * t548 + t553;
    let t557 = t361 * t548 + t554;
    let t558 = t362 * t548 + t555;
    let t559 = t475 * t546 - t551;
    let t560 = t546 + t548;
    let t561 = p.c28 * t556;
    let t562 = p.c28 * t557;
    let t563 = p.c28 * t558;
    let t564 = p.c29 * t559;
    let t565 = p.c29 * t560;
    let t566 = p.c1 - p.c29 * t552;
    let t567 = s.half_wx - p.c39 * t561;
    let t568 = s.half_wy - p.c39 * t562;
    let t569 = s.half_wz - p.c39 * t563;
    let t570 = p.c39 * t564 + s.half_vx;
    let t571 = s.half_vy - p.c39 * t565;
    let t572 = p.c39 * t566 + s.half_vz;
    let t573 = p.c40 * t301;
    let t574 = p.c40 * t302;
    let t575 = p.c40 * t303;
    let t576 = t573 * t573 + p.c3;
    let t577 = t574 * t574 + t576;
    let t578 = t575 * t575 + t577;
    let t579 = p.c5 / t578;
    let t580 = s.half_q0 - s.half_q1 * t573;
    let t581 = t580 - s.half_q2 * t574;
    let t582 = t581 - s.half_q3 * t575;
    let t583 = s.half_q0 * t573 + s.half_q1;
    let t584 = s.half_q2 * t575 + t583;
    let t585 = t584 - s.half_q3 * t574;
    let t586 = s.half_q0 * t574 + s.half_q2;
    let t587 = s.half_q3 * t573 + t586;
    let t588 = t587 - s.half_q1 * t575;
    let t589 = s.half_q0 * t575 + s.half_q3;
    let t590 = s.half_q1 * t574 + t589;
    let t591 = t590 - s.half_q2 * t573;
    let t592 = t579 * t582 - s.half_q0;
    let t593 = t579 * t585 - s.half_q1;
    let t594 = t579 * t588 - s.half_q2;
    let t595 = t579 * t591 - s.half_q3;
    let t596 = t592 * t592;
    let t597 = t593 * t593 + t596;
    let t598 = t594 * t594 + t597;
    let t599 = t595 * t595 + t598;
    let t600 = p.c30 - p.c0 * t599;
    let t601 = t592 * t600;
    let t602 = t593 * t600;
    let t603 = t594 * t600;
    let t604 = t595 * t600;
    let t605 = p.c39 * t304 + s.half_rx;
    let t606 = p.c39 * t305 + s.half_ry;
    let t607 = p.c39 * t306 + s.half_rz;
    var next: State;
    next.q0 = t335;
    next.q1 = t336;
    next.q2 = t337;
    next.q3 = t338;
    next.wx = t301;
    next.wy = t302;
    next.wz = t303;
    next.rx = t339;
    next.ry = t340;
    next.rz = t341;
    next.vx = t304;
    next.vy = t305;
    next.vz = t306;
    next.half_q0 = t601;
    next.half_q1 = t602;
    next.half_q2 = t603;
    next.half_q3 = t604;
    next.half_wx = t567;
    next.half_wy = t568;
    next.half_wz = t569;
    next.half_rx = t605;
    next.half_ry = t606;
    next.half_rz = t607;
    next.half_vx = t570;
    next.half_vy = t571;
    next.half_vz = t572;
    next.multiplier_0 = t552;
    next.multiplier_1 = t551;
    next.multiplier_2 = t548;
    next.multiplier_3 = t546;
    return next;
}

// The method begins to carry these values (286 operations).
fn begin(instance: u32, s: State) -> State {
    let t0 = s.q3 * shared_values[8];
    let t1 = s.q1 * shared_values[8];
    let t2 = shared_values[7] * t0;
    let t3 = shared_values[7] * t1;
    let t4 = s.q2 * t3;
    let t5 = shared_values[8] - s.q3 * t2;
    let t6 = t5 - s.q1 * t3;
    let t7 = s.q2 * t2;
    let t8 = s.q0 * t2 + t4;
    let t9 = t7 - s.q0 * t3;
    let t10 = s.q3 * shared_values[3];
    let t11 = s.q2 * shared_values[3];
    let t12 = shared_values[7] * t10;
    let t13 = shared_values[7] * t11;
    let t14 = shared_values[3] - s.q2 * t13;
    let t15 = t14 - s.q3 * t12;
    let t16 = s.q1 * t13;
    let t17 = s.q1 * t12;
    let t18 = t16 - s.q0 * t12;
    let t19 = s.q0 * t13 + t17;
    let t20 = s.rx / shared_values[3];
    let t21 = shared_values[13] * t20 + shared_values[0];
    let t22 = floor(t21);
    let t23 = t20 - shared_values[10] * t22;
    let t24 = t23 - shared_values[11] * t22;
    let t25 = t24 - shared_values[12] * t22;
    let t26 = t25 * t25;
    let t27 = t25 + t25;
    let t28 = shared_values[9] * t27;
    let t29 = t25 * t26;
    let t30 = shared_values[9] * t26;
    let t31 = t25 * t28 + t30;
    let t32 = t27 + t27;
    let t33 = shared_values[9] * t32;
    let t34 = shared_values[9] * t33;
    let t35 = shared_values[14] * t25 + t34;
    let t36 = shared_values[15] * t26 + shared_values[16];
    let t37 = shared_values[15] * t28;
    let t38 = t26 * t36 + shared_values[18];
    let t39 = t28 * t36;
    let t40 = t26 * t37 + t39;
    let t41 = shared_values[14] * t36;
    let t42 = t28 * t37 + t41;
    let t43 = t28 * t37 + t42;
    let t44 = shared_values[17] * t26 + t43;
    let t45 = t26 * t38 + shared_values[19];
    let t46 = t28 * t38;
    let t47 = t26 * t40 + t46;
    let t48 = shared_values[14] * t38;
    let t49 = t28 * t40 + t48;
    let t50 = t28 * t40 + t49;
    let t51 = t26 * t44 + t50;
    let t52 = t26 * t45 + shared_values[20];
    let t53 = t28 * t45;
    let t54 = t26 * t47 + t53;
    let t55 = shared_values[14] * t45;
    let t56 = t28 * t47 + t55;
    let t57 = t28 * t47 + t56;
    let t58 = t26 * t51 + t57;
    let t59 = t26 * t52 + shared_values[21];
    let t60 = t28 * t52;
    let t61 = t26 * t54 + t60;
    let t62 = shared_values[14] * t52;
    let t63 = t28 * t54 + t62;
    let t64 = t28 * t54 + t63;
    let t65 = t26 * t58 + t64;
    let t66 = t29 * t61 + shared_values[9];
    let t67 = t31 * t59 + t66;
    let t68 = t29 * t65;
    let t69 = t31 * t61 + t68;
    let t70 = t31 * t61 + t69;
    let t71 = t35 * t59 + t70;
    let t72 = shared_values[22] * t26 + shared_values[23];
    let t73 = shared_values[22] * t28;
    let t74 = t26 * t72 + shared_values[25];
    let t75 = t28 * t72;
    let t76 = t26 * t73 + t75;
    let t77 = shared_values[14] * t72;
    let t78 = t28 * t73 + t77;
    let t79 = t28 * t73 + t78;
    let t80 = shared_values[24] * t26 + t79;
    let t81 = t26 * t74 + shared_values[26];
    let t82 = t28 * t74;
    let t83 = t26 * t76 + t82;
    let t84 = shared_values[14] * t74;
    let t85 = t28 * t76 + t84;
    let t86 = t28 * t76 + t85;
    let t87 = t26 * t80 + t86;
    let t88 = t26 * t81 + shared_values[27];
    let t89 = t28 * t81;
    let t90 = t26 * t83 + t89;
    let t91 = shared_values[14] * t81;
    let t92 = t28 * t83 + t91;
    let t93 = t28 * t83 + t92;
    let t94 = t26 * t87 + t93;
    let t95 = t26 * t88 + shared_values[28];
    let t96 = t28 * t88;
    let t97 = t26 * t90 + t96;
    let t98 = shared_values[14] * t88;
    let t99 = t28 * t90 + t98;
    let t100 = t28 * t90 + t99;
    let t101 = t26 * t94 + t100;
    let t102 = shared_values[0] - t26 * t95;
    let t103 = t28 * t95;
    let t104 = t26 * t97 + t103;
    let t105 = shared_values[14] * t95;
    let t106 = t28 * t97 + t105;
    let t107 = t28 * t97 + t106;
    let t108 = t26 * t101 + t107;
    let t109 = t28 * t102;
    let t110 = t26 * t104 - t109;
    let t111 = shared_values[14] * t102;
    let t112 = t28 * t104 - t111;
    let t113 = t28 * t104 + t112;
    let t114 = t26 * t108 + t113;
    let t115 = shared_values[0] * t22;
    let t116 = floor(t115);
    let t117 = select(t67, t110, t116 < t115);
    let t118 = select(t71, t114, t116 < t115);
    let t119 = shared_values[5] * t22;
    let t120 = floor(t119);
    let t121 = t22 - shared_values[29] * t120;
    let t122 = -(t117);
    let t123 = -(t118);
    let t124 = select(t122, t117, t121 < shared_values[7]);
    let t125 = select(t123, t118, t121 < shared_values[7]);
    let t126 = shared_values[3] * t124;
    let t127 = shared_values[3] * t125;
    let t128 = s.vx * s.vx;
    let t129 = t127 * t128;
    let t130 = t8 * shared_values[30];
    let t131 = t6 * shared_values[30];
    let t132 = t9 * shared_values[30];
    let t133 = t8 * t130;
    let t134 = t6 * t131 + t133;
    let t135 = t9 * t132 + t134;
    let t136 = shared_values[31] + t135;
    let t137 = t15 * t130;
    let t138 = t18 * t131 + t137;
    let t139 = t19 * t132 + t138;
    let t140 = t15 * shared_values[30];
    let t141 = t18 * shared_values[30];
    let t142 = t19 * shared_values[30];
    let t143 = t15 * t140;
    let t144 = t18 * t141 + t143;
    let t145 = t19 * t142 + t144;
    let t146 = shared_values[31] + t145;
    let t147 = t126 * shared_values[31];
    let t148 = t126 * t126;
    let t149 = shared_values[4] + t148;
    let t150 = shared_values[31] * t149;
    let t151 = t136 * shared_values[33] + shared_values[34];
    let t152 = t146 * shared_values[33] + shared_values[34];
    let t153 = t150 * shared_values[33] + shared_values[34];
    let t154 = shared_values[4] / t151;
    let t155 = t139 * t154;
    let t156 = t152 - t139 * t155;
    let t157 = t147 * t154;
    let t158 = t139 * t157 + shared_values[31];
    let t159 = shared_values[4] / t156;
    let t160 = t153 - t147 * t157;
    let t161 = t158 * t159;
    let t162 = t160 - t158 * t161;
    let t163 = shared_values[4] / t162;
    let t164 = t129 * t163;
    let t165 = t161 * t164;
    let t166 = t155 * t165;
    let t167 = t157 * t164 + t166;
    let t168 = t136 * t167;
    let t169 = t168 - t139 * t165;
    let t170 = t169 - t147 * t164;
    let t171 = t139 * t167;
    let t172 = t171 - t146 * t165;
    let t173 = shared_values[31] * t164 + t172;
    let t174 = t147 * t167 + t129;
    let t175 = shared_values[31] * t165 + t174;
    let t176 = t150 * t164 - t175;
    let t177 = t173 - t155 * t170;
    let t178 = t157 * t170 + t176;
    let t179 = t178 - t161 * t177;
    let t180 = t163 * t179;
    let t181 = t159 * t177;
    let t182 = t181 - t161 * t180;
    let t183 = t154 * t170;
    let t184 = t183 - t155 * t182;
    let t185 = t157 * t180 + t184;
    let t186 = t185 - t167;
    let t187 = t165 + t182;
    let t188 = t179 - t129;
    let t189 = t163 * t188;
    var next = s;
    next.multiplier_0 = shared_values[35];
    next.multiplier_1 = t186;
    next.multiplier_2 = t187;
    next.multiplier_3 = t189;
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

// A stage takes 402 operations.
fn lead_stage(instance: u32, s: State, c: Lead, number: u32) -> Lead {
    let t0 = parameters[2u * run.stride + instance] * shared_values[5];
    let t1 = c.at_q0 * c.at_q0;
    let t2 = c.at_q1 * c.at_q1 + t1;
    let t3 = c.at_q2 * c.at_q2 + t2;
    let t4 = c.at_q3 * c.at_q3 + t3;
    let t5 = t4 + shared_values[37];
    let t6 = t4 * t5 + shared_values[36];
    let t7 = t4 * shared_values[36] + shared_values[37];
    let t8 = t4 * t7 + shared_values[4];
    let t9 = t6 / t8;
    let t10 = c.at_q0 * t9;
    let t11 = c.at_q1 * t9;
    let t12 = c.at_q2 * t9;
    let t13 = c.at_q3 * t9;
    let t14 = shared_values[8] * t13;
    let t15 = shared_values[8] * t11;
    let t16 = shared_values[7] * t14;
    let t17 = shared_values[7] * t15;
    let t18 = t12 * t17;
    let t19 = shared_values[8] - t13 * t16;
    let t20 = t19 - t11 * t17;
    let t21 = t12 * t16;
    let t22 = t10 * t16 + t18;
    let t23 = t21 - t10 * t17;
    let t24 = shared_values[3] * t13;
    let t25 = shared_values[3] * t12;
    let t26 = shared_values[7] * t24;
    let t27 = shared_values[7] * t25;
    let t28 = shared_values[3] - t12 * t27;
    let t29 = t28 - t13 * t26;
    let t30 = t11 * t27;
    let t31 = t11 * t26;
    let t32 = t30 - t10 * t26;
    let t33 = t10 * t27 + t31;
    let t34 = c.at_rx / shared_values[3];
    let t35 = shared_values[13] * t34 + shared_values[0];
    let t36 = floor(t35);
    let t37 = t34 - shared_values[10] * t36;
    let t38 = t37 - shared_values[11] * t36;
    let t39 = t38 - shared_values[12] * t36;
    let t40 = t39 * t39;
    let t41 = t39 + t39;
    let t42 = shared_values[9] * t41;
    let t43 = t39 * t40;
    let t44 = shared_values[9] * t40;
    let t45 = t39 * t42 + t44;
    let t46 = t41 + t41;
    let t47 = shared_values[9] * t46;
    let t48 = shared_values[9] * t47;
    let t49 = shared_values[14] * t39 + t48;
    let t50 = shared_values[15] * t40 + shared_values[16];
    let t51 = shared_values[15] * t42;
    let t52 = t40 * t50 + shared_values[18];
    let t53 = t42 * t50;
    let t54 = t40 * t51 + t53;
    let t55 = shared_values[14] * t50;
    let t56 = t42 * t51 + t55;
    let t57 = t42 * t51 + t56;
    let t58 = shared_values[17] * t40 + t57;
    let t59 = t40 * t52 + shared_values[19];
    let t60 = t42 * t52;
    let t61 = t40 * t54 + t60;
    let t62 = shared_values[14] * t52;
    let t63 = t42 * t54 + t62;
    let t64 = t42 * t54 + t63;
    let t65 = t40 * t58 + t64;
    let t66 = t40 * t59 + shared_values[20];
    let t67 = t42 * t59;
    let t68 = t40 * t61 + t67;
    let t69 = shared_values[14] * t59;
    let t70 = t42 * t61 + t69;
    let t71 = t42 * t61 + t70;
    let t72 = t40 * t65 + t71;
    let t73 = t40 * t66 + shared_values[21];
    let t74 = t42 * t66;
    let t75 = t40 * t68 + t74;
    let t76 = shared_values[14] * t66;
    let t77 = t42 * t68 + t76;
    let t78 = t42 * t68 + t77;
    let t79 = t40 * t72 + t78;
    let t80 = t43 * t75 + shared_values[9];
    let t81 = t45 * t73 + t80;
    let t82 = t43 * t79;
    let t83 = t45 * t75 + t82;
    let t84 = t45 * t75 + t83;
    let t85 = t49 * t73 + t84;
    let t86 = shared_values[22] * t40 + shared_values[23];
    let t87 = shared_values[22] * t42;
    let t88 = t40 * t86 + shared_values[25];
    let t89 = t42 * t86;
    let t90 = t40 * t87 + t89;
    let t91 = shared_values[14] * t86;
    let t92 = t42 * t87 + t91;
    let t93 = t42 * t87 + t92;
    let t94 = shared_values[24] * t40 + t93;
    let t95 = t40 * t88 + shared_values[26];
    let t96 = t42 * t88;
    let t97 = t40 * t90 + t96;
    let t98 = shared_values[14] * t88;
    let t99 = t42 * t90 + t98;
    let t100 = t42 * t90 + t99;
    let t101 = t40 * t94 + t100;
    let t102 = t40 * t95 + shared_values[27];
    let t103 = t42 * t95;
    let t104 = t40 * t97 + t103;
    let t105 = shared_values[14] * t95;
    let t106 = t42 * t97 + t105;
    let t107 = t42 * t97 + t106;
    let t108 = t40 * t101 + t107;
    let t109 = t40 * t102 + shared_values[28];
    let t110 = t42 * t102;
    let t111 = t40 * t104 + t110;
    let t112 = shared_values[14] * t102;
    let t113 = t42 * t104 + t112;
    let t114 = t42 * t104 + t113;
    let t115 = t40 * t108 + t114;
    let t116 = shared_values[0] - t40 * t109;
    let t117 = t42 * t109;
    let t118 = t40 * t111 + t117;
    let t119 = shared_values[14] * t109;
    let t120 = t42 * t111 + t119;
    let t121 = t42 * t111 + t120;
    let t122 = t40 * t115 + t121;
    let t123 = t42 * t116;
    let t124 = t40 * t118 - t123;
    let t125 = shared_values[14] * t116;
    let t126 = t42 * t118 - t125;
    let t127 = t42 * t118 + t126;
    let t128 = t40 * t122 + t127;
    let t129 = shared_values[0] * t36;
    let t130 = floor(t129);
    let t131 = select(t81, t124, t130 < t129);
    let t132 = select(t85, t128, t130 < t129);
    let t133 = shared_values[5] * t36;
    let t134 = floor(t133);
    let t135 = t36 - shared_values[29] * t134;
    let t136 = -(t131);
    let t137 = -(t132);
    let t138 = select(t136, t131, t135 < shared_values[7]);
    let t139 = select(t137, t132, t135 < shared_values[7]);
    let t140 = shared_values[3] * t138;
    let t141 = shared_values[3] * t139;
    let t142 = c.at_vx * c.at_vx;
    let t143 = t141 * t142;
    let t144 = shared_values[30] * t22;
    let t145 = shared_values[30] * t20;
    let t146 = shared_values[30] * t23;
    let t147 = t22 * t144;
    let t148 = t20 * t145 + t147;
    let t149 = t23 * t146 + t148;
    let t150 = shared_values[31] + t149;
    let t151 = t29 * t144;
    let t152 = t32 * t145 + t151;
    let t153 = t33 * t146 + t152;
    let t154 = shared_values[30] * t29;
    let t155 = shared_values[30] * t32;
    let t156 = shared_values[30] * t33;
    let t157 = t29 * t154;
    let t158 = t32 * t155 + t157;
    let t159 = t33 * t156 + t158;
    let t160 = shared_values[31] + t159;
    let t161 = shared_values[31] * t140;
    let t162 = t140 * t140;
    let t163 = shared_values[4] + t162;
    let t164 = shared_values[31] * t163;
    let t165 = shared_values[33] * t150 + shared_values[34];
    let t166 = shared_values[33] * t160 + shared_values[34];
    let t167 = shared_values[33] * t164 + shared_values[34];
    let t168 = shared_values[4] / t165;
    let t169 = t153 * t168;
    let t170 = t166 - t153 * t169;
    let t171 = t161 * t168;
    let t172 = t153 * t171 + shared_values[31];
    let t173 = shared_values[4] / t170;
    let t174 = t167 - t161 * t171;
    let t175 = t172 * t173;
    let t176 = t174 - t172 * t175;
    let t177 = shared_values[4] / t176;
    let t178 = t143 * t177;
    let t179 = t175 * t178;
    let t180 = t169 * t179;
    let t181 = t171 * t178 + t180;
    let t182 = t150 * t181;
    let t183 = t182 - t153 * t179;
    let t184 = t183 - t161 * t178;
    let t185 = t153 * t181;
    let t186 = t185 - t160 * t179;
    let t187 = shared_values[31] * t178 + t186;
    let t188 = t161 * t181 + t143;
    let t189 = shared_values[31] * t179 + t188;
    let t190 = t164 * t178 - t189;
    let t191 = t187 - t169 * t184;
    let t192 = t171 * t184 + t190;
    let t193 = t192 - t175 * t191;
    let t194 = t177 * t193;
    let t195 = t173 * t191;
    let t196 = t195 - t175 * t194;
    let t197 = t168 * t184;
    let t198 = t197 - t169 * t196;
    let t199 = t171 * t194 + t198;
    let t200 = t199 - t181;
    let t201 = t179 + t196;
    let t202 = t193 - t143;
    let t203 = t177 * t202;
    let t204 = t22 * t200;
    let t205 = t20 * t200;
    let t206 = t23 * t200;
    let t207 = t29 * t201 + t204;
    let t208 = t32 * t201 + t205;
    let t209 = t33 * t201 + t206;
    let t210 = t140 * t203 - t200;
    let t211 = t201 + t203;
    let t212 = shared_values[30] * t207;
    let t213 = shared_values[30] * t208;
    let t214 = shared_values[30] * t209;
    let t215 = shared_values[31] * t210;
    let t216 = shared_values[31] * t211;
    let t217 = t0 * t212;
    let t218 = t0 * t213;
    let t219 = t0 * t214;
    let t220 = t0 * t215;
    let t221 = t0 * t216;
    let t222 = t0 * shared_values[38];
    let t223 = shared_values[0] * t0;
    let t224 = c.at_q1 * c.at_wx;
    let t225 = c.at_q2 * c.at_wy + t224;
    let t226 = c.at_q3 * c.at_wz + t225;
    let t227 = c.at_q0 * c.at_wx;
    let t228 = c.at_q2 * c.at_wz + t227;
    let t229 = t228 - c.at_q3 * c.at_wy;
    let t230 = c.at_q0 * c.at_wy;
    let t231 = c.at_q3 * c.at_wx + t230;
    let t232 = t231 - c.at_q1 * c.at_wz;
    let t233 = c.at_q0 * c.at_wz;
    let t234 = c.at_q1 * c.at_wy + t233;
    let t235 = t234 - c.at_q2 * c.at_wx;
    let t236 = t223 * t226;
    let t237 = t223 * t229;
    let t238 = t223 * t232;
    let t239 = t223 * t235;
    let t240 = t0 * c.at_vx;
    let t241 = t0 * c.at_vy;
    let t242 = t0 * c.at_vz;
    let t243 = c.base_q0 - shared_values[41u + 3u * number] * t236;
    let t244 = shared_values[41u + 3u * number] * t237 + c.base_q1;
    let t245 = shared_values[41u + 3u * number] * t238 + c.base_q2;
    let t246 = shared_values[41u + 3u * number] * t239 + c.base_q3;
    let t247 = c.base_wx - shared_values[41u + 3u * number] * t217;
    let t248 = c.base_wy - shared_values[41u + 3u * number] * t218;
    let t249 = c.base_wz - shared_values[41u + 3u * number] * t219;
    let t250 = shared_values[41u + 3u * number] * t240 + c.base_rx;
    let t251 = shared_values[41u + 3u * number] * t220 + c.base_vx;
    let t252 = c.base_vy - shared_values[41u + 3u * number] * t221;
    let t253 = shared_values[41u + 3u * number] * t222 + c.base_vz;
    let t254 = c.sum_q0 - shared_values[42u + 3u * number] * t236;
    let t255 = shared_values[42u + 3u * number] * t237 + c.sum_q1;
    let t256 = shared_values[42u + 3u * number] * t238 + c.sum_q2;
    let t257 = shared_values[42u + 3u * number] * t239 + c.sum_q3;
    let t258 = c.sum_wx - shared_values[42u + 3u * number] * t217;
    let t259 = c.sum_wy - shared_values[42u + 3u * number] * t218;
    let t260 = c.sum_wz - shared_values[42u + 3u * number] * t219;
    let t261 = shared_values[42u + 3u * number] * t240 + c.sum_rx;
    let t262 = shared_values[42u + 3u * number] * t241 + c.sum_ry;
    let t263 = shared_values[42u + 3u * number] * t242 + c.sum_rz;
    let t264 = shared_values[42u + 3u * number] * t220 + c.sum_vx;
    let t265 = c.sum_vy - shared_values[42u + 3u * number] * t221;
    let t266 = shared_values[42u + 3u * number] * t222 + c.sum_vz;
    var next = c;
    next.at_q0 = t243;
    next.at_q1 = t244;
    next.at_q2 = t245;
    next.at_q3 = t246;
    next.at_wx = t247;
    next.at_wy = t248;
    next.at_wz = t249;
    next.at_rx = t250;
    next.at_vx = t251;
    next.at_vy = t252;
    next.at_vz = t253;
    next.sum_q0 = t254;
    next.sum_q1 = t255;
    next.sum_q2 = t256;
    next.sum_q3 = t257;
    next.sum_wx = t258;
    next.sum_wy = t259;
    next.sum_wz = t260;
    next.sum_rx = t261;
    next.sum_ry = t262;
    next.sum_rz = t263;
    next.sum_vx = t264;
    next.sum_vy = t265;
    next.sum_vz = t266;
    return next;
}

// A Runge-Kutta step ends, and another one may begin there.
fn lead_settled(instance: u32, s: State, c: Lead) -> Lead {
    let t0 = c.sum_q0 * shared_values[39] + c.base_q0;
    let t1 = c.sum_q1 * shared_values[39] + c.base_q1;
    let t2 = c.sum_q2 * shared_values[39] + c.base_q2;
    let t3 = c.sum_q3 * shared_values[39] + c.base_q3;
    let t4 = c.sum_wx * shared_values[39] + c.base_wx;
    let t5 = c.sum_wy * shared_values[39] + c.base_wy;
    let t6 = c.sum_wz * shared_values[39] + c.base_wz;
    let t7 = c.sum_rx * shared_values[39] + c.base_rx;
    let t8 = c.sum_ry * shared_values[39] + c.base_ry;
    let t9 = c.sum_rz * shared_values[39] + c.base_rz;
    let t10 = c.sum_vx * shared_values[39] + c.base_vx;
    let t11 = c.sum_vy * shared_values[39] + c.base_vy;
    let t12 = c.sum_vz * shared_values[39] + c.base_vz;
    let t13 = t0 * t0;
    let t14 = t1 * t1 + t13;
    let t15 = t2 * t2 + t14;
    let t16 = t3 * t3 + t15;
    let t17 = sqrt(t16);
    let t18 = shared_values[4] / t17;
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
    let t0 = s.vx * s.vx;
    let t1 = s.vy * s.vy + t0;
    let t2 = s.vz * s.vz + t1;
    let t3 = s.wx * shared_values[6];
    let t4 = s.wy * shared_values[6];
    let t5 = s.wz * shared_values[6];
    let t6 = s.wx * t3;
    let t7 = s.wy * t4 + t6;
    let t8 = s.wz * t5 + t7;
    let t9 = shared_values[1] * t2 + t8;
    let t10 = shared_values[0] * t9;
    let t11 = t10 - parameters[0u * run.stride + instance];
    let t12 = s.rz * shared_values[35];
    let t13 = t11 - t12;
    let t14 = shared_values[0] * parameters[1u * run.stride + instance];
    return Judged(t13, t14);
}

fn constraint_violation(instance: u32, s: State) -> Judged {
    let t0 = s.rz - shared_values[3];
    let t1 = s.rx / shared_values[3];
    let t2 = shared_values[13] * t1 + shared_values[0];
    let t3 = floor(t2);
    let t4 = t1 - shared_values[10] * t3;
    let t5 = t4 - shared_values[11] * t3;
    let t6 = t5 - shared_values[12] * t3;
    let t7 = t6 * t6;
    let t8 = t6 * t7;
    let t9 = shared_values[15] * t7 + shared_values[16];
    let t10 = t7 * t9 + shared_values[18];
    let t11 = t7 * t10 + shared_values[19];
    let t12 = t7 * t11 + shared_values[20];
    let t13 = t7 * t12 + shared_values[21];
    let t14 = t8 * t13 + t6;
    let t15 = shared_values[22] * t7 + shared_values[23];
    let t16 = t7 * t15 + shared_values[25];
    let t17 = t7 * t16 + shared_values[26];
    let t18 = t7 * t17 + shared_values[27];
    let t19 = t7 * t18 + shared_values[28];
    let t20 = shared_values[0] - t7 * t19;
    let t21 = shared_values[4] - t7 * t20;
    let t22 = shared_values[0] * t3;
    let t23 = floor(t22);
    let t24 = select(t14, t21, t23 < t22);
    let t25 = shared_values[5] * t3;
    let t26 = floor(t25);
    let t27 = t3 - shared_values[29] * t26;
    let t28 = -(t24);
    let t29 = select(t28, t24, t27 < shared_values[7]);
    let t30 = shared_values[3] * t29;
    let t31 = s.ry - t30;
    let t32 = t0 * t0;
    let t33 = t31 * t31 + t32;
    let t34 = sqrt(t33);
    return Judged(t34, shared_values[40]);
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
