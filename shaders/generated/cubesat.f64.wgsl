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
    clock: real,
    outcome_0_0: real,
    outcome_0_1: real,
    outcome_0_2: real,
    outcome_0_3: real,
    outcome_0_4: real,
    outcome_0_5: real,
    outcome_0_6: real,
    outcome_1_0: real,
    outcome_1_1: real,
    outcome_1_2: real,
    outcome_1_3: real,
    outcome_1_4: real,
    outcome_1_5: real,
    outcome_1_6: real,
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
    s.clock = state[7u * run.stride + instance];
    s.outcome_0_0 = state[8u * run.stride + instance];
    s.outcome_0_1 = state[9u * run.stride + instance];
    s.outcome_0_2 = state[10u * run.stride + instance];
    s.outcome_0_3 = state[11u * run.stride + instance];
    s.outcome_0_4 = state[12u * run.stride + instance];
    s.outcome_0_5 = state[13u * run.stride + instance];
    s.outcome_0_6 = state[14u * run.stride + instance];
    s.outcome_1_0 = state[15u * run.stride + instance];
    s.outcome_1_1 = state[16u * run.stride + instance];
    s.outcome_1_2 = state[17u * run.stride + instance];
    s.outcome_1_3 = state[18u * run.stride + instance];
    s.outcome_1_4 = state[19u * run.stride + instance];
    s.outcome_1_5 = state[20u * run.stride + instance];
    s.outcome_1_6 = state[21u * run.stride + instance];
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
    state[7u * run.stride + instance] = s.clock;
    state[8u * run.stride + instance] = s.outcome_0_0;
    state[9u * run.stride + instance] = s.outcome_0_1;
    state[10u * run.stride + instance] = s.outcome_0_2;
    state[11u * run.stride + instance] = s.outcome_0_3;
    state[12u * run.stride + instance] = s.outcome_0_4;
    state[13u * run.stride + instance] = s.outcome_0_5;
    state[14u * run.stride + instance] = s.outcome_0_6;
    state[15u * run.stride + instance] = s.outcome_1_0;
    state[16u * run.stride + instance] = s.outcome_1_1;
    state[17u * run.stride + instance] = s.outcome_1_2;
    state[18u * run.stride + instance] = s.outcome_1_3;
    state[19u * run.stride + instance] = s.outcome_1_4;
    state[20u * run.stride + instance] = s.outcome_1_5;
    state[21u * run.stride + instance] = s.outcome_1_6;
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
    next.clock = flushed_real(s.clock);
    next.outcome_0_0 = flushed_real(s.outcome_0_0);
    next.outcome_0_1 = flushed_real(s.outcome_0_1);
    next.outcome_0_2 = flushed_real(s.outcome_0_2);
    next.outcome_0_3 = flushed_real(s.outcome_0_3);
    next.outcome_0_4 = flushed_real(s.outcome_0_4);
    next.outcome_0_5 = flushed_real(s.outcome_0_5);
    next.outcome_0_6 = flushed_real(s.outcome_0_6);
    next.outcome_1_0 = flushed_real(s.outcome_1_0);
    next.outcome_1_1 = flushed_real(s.outcome_1_1);
    next.outcome_1_2 = flushed_real(s.outcome_1_2);
    next.outcome_1_3 = flushed_real(s.outcome_1_3);
    next.outcome_1_4 = flushed_real(s.outcome_1_4);
    next.outcome_1_5 = flushed_real(s.outcome_1_5);
    next.outcome_1_6 = flushed_real(s.outcome_1_6);
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
        && is_finite_real(s.clock)
        && is_finite_real(s.outcome_0_0)
        && is_finite_real(s.outcome_0_1)
        && is_finite_real(s.outcome_0_2)
        && is_finite_real(s.outcome_0_3)
        && is_finite_real(s.outcome_0_4)
        && is_finite_real(s.outcome_0_5)
        && is_finite_real(s.outcome_0_6)
        && is_finite_real(s.outcome_1_0)
        && is_finite_real(s.outcome_1_1)
        && is_finite_real(s.outcome_1_2)
        && is_finite_real(s.outcome_1_3)
        && is_finite_real(s.outcome_1_4)
        && is_finite_real(s.outcome_1_5)
        && is_finite_real(s.outcome_1_6);
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
}

fn prepare(instance: u32) -> Prepared {
    let t0 = -(parameters[1u * run.stride + instance]);
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
    p.c17 = parameters[0u * run.stride + instance];
    p.c18 = t0;
    p.c19 = parameters[1u * run.stride + instance];
    return p;
}

// A full step takes 704 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.clock * p.c0;
    let t1 = s.clock + p.c2;
    let t2 = s.wx * p.c17;
    let t3 = select(t2, p.c18, t2 < p.c18);
    let t4 = select(t3, p.c19, p.c19 < t3);
    let t5 = s.wy * p.c17;
    let t6 = select(t5, p.c18, t5 < p.c18);
    let t7 = select(t6, p.c19, p.c19 < t6);
    let t8 = s.wz * p.c17;
    let t9 = select(t8, p.c18, t8 < p.c18);
    let t10 = select(t9, p.c19, p.c19 < t9);
    let t11 = s.q3 * t7;
    let t12 = t11 - s.q2 * t10;
    let t13 = s.q1 * t10;
    let t14 = t13 - s.q3 * t4;
    let t15 = s.q2 * t4;
    let t16 = t15 - s.q1 * t7;
    let t17 = p.c4 * t12;
    let t18 = p.c4 * t14;
    let t19 = p.c4 * t16;
    let t20 = s.q2 * t19;
    let t21 = t20 - s.q3 * t18;
    let t22 = s.q3 * t17;
    let t23 = t22 - s.q1 * t19;
    let t24 = s.q1 * t18;
    let t25 = t24 - s.q2 * t17;
    let t26 = s.q0 * t17 + t21;
    let t27 = s.q0 * t18 + t23;
    let t28 = s.q0 * t19 + t25;
    let t29 = t26 - t4;
    let t30 = t27 - t7;
    let t31 = t28 - t10;
    let t32 = s.q3 * t30;
    let t33 = s.q2 * t31 - t32;
    let t34 = s.q1 * t31;
    let t35 = s.q3 * t29 - t34;
    let t36 = s.q2 * t29;
    let t37 = s.q1 * t30 - t36;
    let t38 = p.c4 * t33;
    let t39 = p.c4 * t35;
    let t40 = p.c4 * t37;
    let t41 = s.q2 * t40 + t29;
    let t42 = t41 - s.q3 * t39;
    let t43 = s.q3 * t38 + t30;
    let t44 = t43 - s.q1 * t40;
    let t45 = s.q1 * t39 + t31;
    let t46 = t45 - s.q2 * t38;
    let t47 = t42 - s.q0 * t38;
    let t48 = t44 - s.q0 * t39;
    let t49 = t46 - s.q0 * t40;
    let t50 = s.wy * s.wz;
    let t51 = s.wx * s.wz;
    let t52 = s.wx * s.wy;
    let t53 = p.c5 * t50;
    let t54 = p.c6 * t51;
    let t55 = p.c7 * t52;
    let t56 = t47 * p.c8 + t53;
    let t57 = t48 * p.c9 + t54;
    let t58 = t49 * p.c10 + t55;
    let t59 = s.q1 * s.wx;
    let t60 = s.q2 * s.wy + t59;
    let t61 = s.q3 * s.wz + t60;
    let t62 = s.q0 * s.wx;
    let t63 = s.q2 * s.wz + t62;
    let t64 = t63 - s.q3 * s.wy;
    let t65 = s.q0 * s.wy;
    let t66 = s.q3 * s.wx + t65;
    let t67 = t66 - s.q1 * s.wz;
    let t68 = s.q0 * s.wz;
    let t69 = s.q1 * s.wy + t68;
    let t70 = t69 - s.q2 * s.wx;
    let t71 = p.c11 * t61;
    let t72 = p.c11 * t64;
    let t73 = p.c11 * t67;
    let t74 = p.c11 * t70;
    let t75 = s.q0 - p.c1 * t71;
    let t76 = p.c1 * t72 + s.q1;
    let t77 = p.c1 * t73 + s.q2;
    let t78 = p.c1 * t74 + s.q3;
    let t79 = p.c1 * t56 + s.wx;
    let t80 = p.c1 * t57 + s.wy;
    let t81 = p.c1 * t58 + s.wz;
    let t82 = t75 * t75;
    let t83 = t76 * t76 + t82;
    let t84 = t77 * t77 + t83;
    let t85 = t78 * t78 + t84;
    let t86 = t85 + p.c13;
    let t87 = t85 * t86 + p.c12;
    let t88 = t85 * p.c12 + p.c13;
    let t89 = t85 * t88 + p.c2;
    let t90 = t87 / t89;
    let t91 = t75 * t90;
    let t92 = t76 * t90;
    let t93 = t77 * t90;
    let t94 = t78 * t90;
    let t95 = p.c17 * t79;
    let t96 = select(t95, p.c18, t95 < p.c18);
    let t97 = select(t96, p.c19, p.c19 < t96);
    let t98 = p.c17 * t80;
    let t99 = select(t98, p.c18, t98 < p.c18);
    let t100 = select(t99, p.c19, p.c19 < t99);
    let t101 = p.c17 * t81;
    let t102 = select(t101, p.c18, t101 < p.c18);
    let t103 = select(t102, p.c19, p.c19 < t102);
    let t104 = t94 * t100;
    let t105 = t104 - t93 * t103;
    let t106 = t92 * t103;
    let t107 = t106 - t94 * t97;
    let t108 = t93 * t97;
    let t109 = t108 - t92 * t100;
    let t110 = p.c4 * t105;
    let t111 = p.c4 * t107;
    let t112 = p.c4 * t109;
    let t113 = t93 * t112;
    let t114 = t113 - t94 * t111;
    let t115 = t94 * t110;
    let t116 = t115 - t92 * t112;
    let t117 = t92 * t111;
    let t118 = t117 - t93 * t110;
    let t119 = t91 * t110 + t114;
    let t120 = t91 * t111 + t116;
    let t121 = t91 * t112 + t118;
    let t122 = t119 - t97;
    let t123 = t120 - t100;
    let t124 = t121 - t103;
    let t125 = t94 * t123;
    let t126 = t93 * t124 - t125;
    let t127 = t92 * t124;
    let t128 = t94 * t122 - t127;
    let t129 = t93 * t122;
    let t130 = t92 * t123 - t129;
    let t131 = p.c4 * t126;
    let t132 = p.c4 * t128;
    let t133 = p.c4 * t130;
    let t134 = t93 * t133 + t122;
    let t135 = t134 - t94 * t132;
    let t136 = t94 * t131 + t123;
    let t137 = t136 - t92 * t133;
    let t138 = t92 * t132 + t124;
    let t139 = t138 - t93 * t131;
    let t140 = t135 - t91 * t131;
    let t141 = t137 - t91 * t132;
    let t142 = t139 - t91 * t133;
    let t143 = t80 * t81;
    let t144 = t79 * t81;
    let t145 = t79 * t80;
    let t146 = p.c5 * t143;
    let t147 = p.c6 * t144;
    let t148 = p.c7 * t145;
    let t149 = p.c8 * t140 + t146;
    let t150 = p.c9 * t141 + t147;
    let t151 = p.c10 * t142 + t148;
    let t152 = t76 * t79;
    let t153 = t77 * t80 + t152;
    let t154 = t78 * t81 + t153;
    let t155 = t75 * t79;
    let t156 = t77 * t81 + t155;
    let t157 = t156 - t78 * t80;
    let t158 = t75 * t80;
    let t159 = t78 * t79 + t158;
    let t160 = t159 - t76 * t81;
    let t161 = t75 * t81;
    let t162 = t76 * t80 + t161;
    let t163 = t162 - t77 * t79;
    let t164 = p.c11 * t154;
    let t165 = p.c11 * t157;
    let t166 = p.c11 * t160;
    let t167 = p.c11 * t163;
    let t168 = s.q0 - p.c1 * t164;
    let t169 = p.c1 * t165 + s.q1;
    let t170 = p.c1 * t166 + s.q2;
    let t171 = p.c1 * t167 + s.q3;
    let t172 = p.c1 * t149 + s.wx;
    let t173 = p.c1 * t150 + s.wy;
    let t174 = p.c1 * t151 + s.wz;
    let t175 = t168 * t168;
    let t176 = t169 * t169 + t175;
    let t177 = t170 * t170 + t176;
    let t178 = t171 * t171 + t177;
    let t179 = p.c13 + t178;
    let t180 = t178 * t179 + p.c12;
    let t181 = p.c12 * t178 + p.c13;
    let t182 = t178 * t181 + p.c2;
    let t183 = t180 / t182;
    let t184 = t168 * t183;
    let t185 = t169 * t183;
    let t186 = t170 * t183;
    let t187 = t171 * t183;
    let t188 = p.c17 * t172;
    let t189 = select(t188, p.c18, t188 < p.c18);
    let t190 = select(t189, p.c19, p.c19 < t189);
    let t191 = p.c17 * t173;
    let t192 = select(t191, p.c18, t191 < p.c18);
    let t193 = select(t192, p.c19, p.c19 < t192);
    let t194 = p.c17 * t174;
    let t195 = select(t194, p.c18, t194 < p.c18);
    let t196 = select(t195, p.c19, p.c19 < t195);
    let t197 = t187 * t193;
    let t198 = t197 - t186 * t196;
    let t199 = t185 * t196;
    let t200 = t199 - t187 * t190;
    let t201 = t186 * t190;
    let t202 = t201 - t185 * t193;
    let t203 = p.c4 * t198;
    let t204 = p.c4 * t200;
    let t205 = p.c4 * t202;
    let t206 = t186 * t205;
    let t207 = t206 - t187 * t204;
    let t208 = t187 * t203;
    let t209 = t208 - t185 * t205;
    let t210 = t185 * t204;
    let t211 = t210 - t186 * t203;
    let t212 = t184 * t203 + t207;
    let t213 = t184 * t204 + t209;
    let t214 = t184 * t205 + t211;
    let t215 = t212 - t190;
    let t216 = t213 - t193;
    let t217 = t214 - t196;
    let t218 = t187 * t216;
    let t219 = t186 * t217 - t218;
    let t220 = t185 * t217;
    let t221 = t187 * t215 - t220;
    let t222 = t186 * t215;
    let t223 = t185 * t216 - t222;
    let t224 = p.c4 * t219;
    let t225 = p.c4 * t221;
    let t226 = p.c4 * t223;
    let t227 = t186 * t226 + t215;
    let t228 = t227 - t187 * t225;
    let t229 = t187 * t224 + t216;
    let t230 = t229 - t185 * t226;
    let t231 = t185 * t225 + t217;
    let t232 = t231 - t186 * t224;
    let t233 = t228 - t184 * t224;
    let t234 = t230 - t184 * t225;
    let t235 = t232 - t184 * t226;
    let t236 = t173 * t174;
    let t237 = t172 * t174;
    let t238 = t172 * t173;
    let t239 = p.c5 * t236;
    let t240 = p.c6 * t237;
    let t241 = p.c7 * t238;
    let t242 = p.c8 * t233 + t239;
    let t243 = p.c9 * t234 + t240;
    let t244 = p.c10 * t235 + t241;
    let t245 = t169 * t172;
    let t246 = t170 * t173 + t245;
    let t247 = t171 * t174 + t246;
    let t248 = t168 * t172;
    let t249 = t170 * t174 + t248;
    let t250 = t249 - t171 * t173;
    let t251 = t168 * t173;
    let t252 = t171 * t172 + t251;
    let t253 = t252 - t169 * t174;
    let t254 = t168 * t174;
    let t255 = t169 * t173 + t254;
    let t256 = t255 - t170 * t172;
    let t257 = p.c11 * t247;
    let t258 = p.c11 * t250;
    let t259 = p.c11 * t253;
    let t260 = p.c11 * t256;
    let t261 = p.c4 * t164 + t71;
    let t262 = p.c4 * t165 + t72;
    let t263 = p.c4 * t166 + t73;
    let t264 = p.c4 * t167 + t74;
    let t265 = p.c4 * t149 + t56;
    let t266 = p.c4 * t150 + t57;
    let t267 = p.c4 * t151 + t58;
    let t268 = p.c4 * t257 + t261;
    let t269 = p.c4 * t258 + t262;
    let t270 = p.c4 * t259 + t263;
    let t271 = p.c4 * t260 + t264;
    let t272 = p.c4 * t242 + t265;
    let t273 = p.c4 * t243 + t266;
    let t274 = p.c4 * t244 + t267;
    let t275 = s.q0 - t257;
    let t276 = s.q1 + t258;
    let t277 = s.q2 + t259;
    let t278 = s.q3 + t260;
    let t279 = s.wx + t242;
    let t280 = s.wy + t243;
    let t281 = s.wz + t244;
    let t282 = t275 * t275;
    let t283 = t276 * t276 + t282;
    let t284 = t277 * t277 + t283;
    let t285 = t278 * t278 + t284;
    let t286 = p.c13 + t285;
    let t287 = t285 * t286 + p.c12;
    let t288 = p.c12 * t285 + p.c13;
    let t289 = t285 * t288 + p.c2;
    let t290 = t287 / t289;
    let t291 = t275 * t290;
    let t292 = t276 * t290;
    let t293 = t277 * t290;
    let t294 = t278 * t290;
    let t295 = p.c17 * t279;
    let t296 = select(t295, p.c18, t295 < p.c18);
    let t297 = select(t296, p.c19, p.c19 < t296);
    let t298 = p.c17 * t280;
    let t299 = select(t298, p.c18, t298 < p.c18);
    let t300 = select(t299, p.c19, p.c19 < t299);
    let t301 = p.c17 * t281;
    let t302 = select(t301, p.c18, t301 < p.c18);
    let t303 = select(t302, p.c19, p.c19 < t302);
    let t304 = t294 * t300;
    let t305 = t304 - t293 * t303;
    let t306 = t292 * t303;
    let t307 = t306 - t294 * t297;
    let t308 = t293 * t297;
    let t309 = t308 - t292 * t300;
    let t310 = p.c4 * t305;
    let t311 = p.c4 * t307;
    let t312 = p.c4 * t309;
    let t313 = t293 * t312;
    let t314 = t313 - t294 * t311;
    let t315 = t294 * t310;
    let t316 = t315 - t292 * t312;
    let t317 = t292 * t311;
    let t318 = t317 - t293 * t310;
    let t319 = t291 * t310 + t314;
    let t320 = t291 * t311 + t316;
    let t321 = t291 * t312 + t318;
    let t322 = t319 - t297;
    let t323 = t320 - t300;
    let t324 = t321 - t303;
    let t325 = t294 * t323;
    let t326 = t293 * t324 - t325;
    let t327 = t292 * t324;
    let t328 = t294 * t322 - t327;
    let t329 = t293 * t322;
    let t330 = t292 * t323 - t329;
    let t331 = p.c4 * t326;
    let t332 = p.c4 * t328;
    let t333 = p.c4 * t330;
    let t334 = t293 * t333 + t322;
    let t335 = t334 - t294 * t332;
    let t336 = t294 * t331 + t323;
    let t337 = t336 - t292 * t333;
    let t338 = t292 * t332 + t324;
    let t339 = t338 - t293 * t331;
    let t340 = t335 - t291 * t331;
    let t341 = t337 - t291 * t332;
    let t342 = t339 - t291 * t333;
    let t343 = t280 * t281;
    let t344 = t279 * t281;
    let t345 = t279 * t280;
    let t346 = p.c5 * t343 + t272;
    let t347 = p.c6 * t344 + t273;
    let t348 = p.c7 * t345 + t274;
    let t349 = p.c8 * t340 + t346;
    let t350 = p.c9 * t341 + t347;
    let t351 = p.c10 * t342 + t348;
    let t352 = t276 * t279;
    let t353 = t277 * t280 + t352;
    let t354 = t278 * t281 + t353;
    let t355 = t275 * t279;
    let t356 = t277 * t281 + t355;
    let t357 = t356 - t278 * t280;
    let t358 = t275 * t280;
    let t359 = t278 * t279 + t358;
    let t360 = t359 - t276 * t281;
    let t361 = t275 * t281;
    let t362 = t276 * t280 + t361;
    let t363 = t362 - t277 * t279;
    let t364 = p.c11 * t354 + t268;
    let t365 = p.c11 * t357 + t269;
    let t366 = p.c11 * t360 + t270;
    let t367 = p.c11 * t363 + t271;
    let t368 = s.q0 - p.c3 * t364;
    let t369 = p.c3 * t365 + s.q1;
    let t370 = p.c3 * t366 + s.q2;
    let t371 = p.c3 * t367 + s.q3;
    let t372 = p.c3 * t349 + s.wx;
    let t373 = p.c3 * t350 + s.wy;
    let t374 = p.c3 * t351 + s.wz;
    let t375 = t368 * t368;
    let t376 = t369 * t369 + t375;
    let t377 = t370 * t370 + t376;
    let t378 = t371 * t371 + t377;
    let t379 = sqrt(t378);
    let t380 = p.c2 / t379;
    let t381 = t368 * t380;
    let t382 = t369 * t380;
    let t383 = t370 * t380;
    let t384 = t371 * t380;
    let t385 = t372 * t372;
    let t386 = t373 * t373;
    let t387 = t385 + t386;
    let t388 = t374 * t374;
    let t389 = t387 + t388;
    let t390 = sqrt(t389);
    let t391 = p.c14 - t390;
    let t392 = t391 - s.outcome_0_2;
    let t393 = t392 / p.c0;
    let t394 = s.outcome_0_2 - s.outcome_0_3;
    let t395 = select(p.c2, s.outcome_0_5, 0.0lf < s.outcome_0_5);
    let t396 = t394 / t395;
    let t397 = t393 - t396;
    let t398 = s.outcome_0_5 + p.c0;
    let t399 = t397 / t398;
    let t400 = select(0.0lf, t399, 0.0lf < s.outcome_0_5);
    let t401 = s.outcome_0_3 - s.outcome_0_4;
    let t402 = select(p.c2, s.outcome_0_6, 0.0lf < s.outcome_0_6);
    let t403 = t401 / t402;
    let t404 = t396 - t403;
    let t405 = s.outcome_0_6 + t395;
    let t406 = t404 / t405;
    let t407 = t400 - t406;
    let t408 = s.outcome_0_6 + t398;
    let t409 = t407 / t408;
    let t410 = select(0.0lf, t409, 0.0lf < s.outcome_0_6);
    let t411 = s.outcome_0_2 - t391;
    let t412 = t411 * t411;
    let t413 = select(p.c2, t411, 0.0lf < t412);
    let t414 = s.outcome_0_2 / t413;
    let t415 = p.c0 * t414;
    let t416 = select(p.c0, t415, t415 < p.c0);
    let t417 = select(0.0lf, t416, 0.0lf < t416);
    let t418 = s.outcome_0_5 + t417;
    let t419 = t410 * t418 + t400;
    let t420 = t417 - p.c0;
    let t421 = t419 * t420 + t393;
    let t422 = t417 * t421 + s.outcome_0_2;
    let t423 = p.c4 * t417;
    let t424 = t423 - p.c0;
    let t425 = t417 * t420;
    let t426 = t418 * t424 + t425;
    let t427 = t400 * t424 + t393;
    let t428 = t410 * t426 + t427;
    let t429 = t428 * t428;
    let t430 = select(p.c2, t428, 0.0lf < t429);
    let t431 = t422 / t430;
    let t432 = t417 - t431;
    let t433 = select(p.c0, t432, t432 < p.c0);
    let t434 = select(0.0lf, t433, 0.0lf < t433);
    let t435 = s.outcome_0_5 + t434;
    let t436 = t410 * t435 + t400;
    let t437 = t434 - p.c0;
    let t438 = t436 * t437 + t393;
    let t439 = t434 * t438 + s.outcome_0_2;
    let t440 = p.c4 * t434;
    let t441 = t440 - p.c0;
    let t442 = t434 * t437;
    let t443 = t435 * t441 + t442;
    let t444 = t400 * t441 + t393;
    let t445 = t410 * t443 + t444;
    let t446 = t445 * t445;
    let t447 = select(p.c2, t445, 0.0lf < t446);
    let t448 = t439 / t447;
    let t449 = t434 - t448;
    let t450 = select(p.c0, t449, t449 < p.c0);
    let t451 = select(0.0lf, t450, 0.0lf < t450);
    let t452 = t0 + t451;
    let t453 = select(t452, s.outcome_0_0, 0.0lf < s.outcome_0_2);
    let t454 = select(-1.0lf, t453, 0.0lf < t391);
    let t455 = -(t372);
    let t456 = select(t372, t455, t372 < 0.0lf);
    let t457 = p.c17 * t456;
    let t458 = select(t457, p.c19, p.c19 < t457);
    let t459 = t458 * t458;
    let t460 = -(t373);
    let t461 = select(t373, t460, t373 < 0.0lf);
    let t462 = p.c17 * t461;
    let t463 = select(t462, p.c19, p.c19 < t462);
    let t464 = t463 * t463;
    let t465 = t459 + t464;
    let t466 = -(t374);
    let t467 = select(t374, t466, t374 < 0.0lf);
    let t468 = p.c17 * t467;
    let t469 = select(t468, p.c19, p.c19 < t468);
    let t470 = t469 * t469;
    let t471 = t465 + t470;
    let t472 = sqrt(t471);
    let t473 = t472 - s.outcome_1_2;
    let t474 = t473 / p.c0;
    let t475 = s.outcome_1_2 - s.outcome_1_3;
    let t476 = select(p.c2, s.outcome_1_5, 0.0lf < s.outcome_1_5);
    let t477 = t475 / t476;
    let t478 = t474 - t477;
    let t479 = s.outcome_1_5 + p.c0;
    let t480 = t478 / t479;
    let t481 = select(0.0lf, t480, 0.0lf < s.outcome_1_5);
    let t482 = s.outcome_1_3 - s.outcome_1_4;
    let t483 = select(p.c2, s.outcome_1_6, 0.0lf < s.outcome_1_6);
    let t484 = t482 / t483;
    let t485 = t477 - t484;
    let t486 = s.outcome_1_6 + t476;
    let t487 = t485 / t486;
    let t488 = t481 - t487;
    let t489 = s.outcome_1_6 + t479;
    let t490 = t488 / t489;
    let t491 = select(0.0lf, t490, 0.0lf < s.outcome_1_6);
    let t492 = p.c3 * t481;
    let t493 = s.outcome_1_5 * p.c3;
    let t494 = p.c15 + t493;
    let t495 = t491 * t494;
    let t496 = t492 + t495;
    let t497 = p.c1 * t474;
    let t498 = p.c0 * t497;
    let t499 = s.outcome_1_2 + t498;
    let t500 = p.c0 * t499 + s.outcome_1_0;
    let t501 = t500 - t496 * p.c16;
    var next: State;
    next.q0 = t381;
    next.q1 = t382;
    next.q2 = t383;
    next.q3 = t384;
    next.wx = t372;
    next.wy = t373;
    next.wz = t374;
    next.clock = t1;
    next.outcome_0_0 = t454;
    next.outcome_0_1 = 0.0lf;
    next.outcome_0_2 = t391;
    next.outcome_0_3 = s.outcome_0_2;
    next.outcome_0_4 = s.outcome_0_3;
    next.outcome_0_5 = p.c0;
    next.outcome_0_6 = s.outcome_0_5;
    next.outcome_1_0 = t501;
    next.outcome_1_1 = 0.0lf;
    next.outcome_1_2 = t472;
    next.outcome_1_3 = s.outcome_1_2;
    next.outcome_1_4 = s.outcome_1_3;
    next.outcome_1_5 = p.c0;
    next.outcome_1_6 = s.outcome_1_5;
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
