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

// State of the method: what a later step or an output reads.
struct State {
    q0: real,
    q3: real,
    wz: real,
    angle_0: real,
    half_q0: real,
    half_q3: real,
    half_wz: real,
}

fn load_state(instance: u32) -> State {
    var s: State;
    s.q0 = state[0u * run.stride + instance];
    s.q3 = state[1u * run.stride + instance];
    s.wz = state[2u * run.stride + instance];
    s.angle_0 = state[3u * run.stride + instance];
    s.half_q0 = state[4u * run.stride + instance];
    s.half_q3 = state[5u * run.stride + instance];
    s.half_wz = state[6u * run.stride + instance];
    return s;
}

fn store_state(instance: u32, s: State) {
    state[0u * run.stride + instance] = s.q0;
    state[1u * run.stride + instance] = s.q3;
    state[2u * run.stride + instance] = s.wz;
    state[3u * run.stride + instance] = s.angle_0;
    state[4u * run.stride + instance] = s.half_q0;
    state[5u * run.stride + instance] = s.half_q3;
    state[6u * run.stride + instance] = s.half_wz;
}

fn flushed(s: State) -> State {
    var next: State;
    next.q0 = flushed_real(s.q0);
    next.q3 = flushed_real(s.q3);
    next.wz = flushed_real(s.wz);
    next.angle_0 = flushed_real(s.angle_0);
    next.half_q0 = flushed_real(s.half_q0);
    next.half_q3 = flushed_real(s.half_q3);
    next.half_wz = flushed_real(s.half_wz);
    return next;
}

fn is_finite_state(s: State) -> bool {
    return is_finite_real(s.q0)
        && is_finite_real(s.q3)
        && is_finite_real(s.wz)
        && is_finite_real(s.angle_0);
}

const WORKGROUP = 64u;
const HAS_NORM_BOUND = false;
const NORM_BOUND_VALUE: real = 0.0f;

fn norm_error(s: State) -> real {
    var largest = real(0.0);
    largest = max(largest, abs(sqrt(s.q3 * s.q3 + (real(0.0) * real(0.0) + (real(0.0) * real(0.0) + s.q0 * s.q0))) - real(1.0)));
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
}

fn prepare(instance: u32) -> Prepared {
    let t0 = parameters[2u * run.stride + instance] * shared_values[2];
    var p: Prepared;
    p.c0 = shared_values[0];
    p.c1 = shared_values[1];
    p.c2 = shared_values[3];
    p.c3 = shared_values[4];
    p.c4 = shared_values[5];
    p.c5 = shared_values[6];
    p.c6 = shared_values[7];
    p.c7 = shared_values[8];
    p.c8 = shared_values[9];
    p.c9 = shared_values[10];
    p.c10 = shared_values[11];
    p.c11 = shared_values[12];
    p.c12 = shared_values[13];
    p.c13 = shared_values[14];
    p.c14 = shared_values[15];
    p.c15 = parameters[3u * run.stride + instance];
    p.c16 = parameters[2u * run.stride + instance];
    p.c17 = t0;
    return p;
}

// One full step: 126 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.half_q3 * p.c2;
    let t1 = s.half_q0 * t0;
    let t2 = -(t1);
    let t3 = s.half_q3 * t0;
    let t4 = p.c1 - t3;
    let t5 = -(t4);
    let t6 = select(t4, t5, t4 < 0.0f);
    let t7 = select(t1, t2, t1 < 0.0f);
    let t8 = select(t6, t7, t7 < t6);
    let t9 = select(t7, t6, t7 < t6);
    let t10 = t9 * p.c3;
    let t11 = t8 - t9;
    let t12 = select(t8, t11, t10 < t8);
    let t13 = t8 + t9;
    let t14 = select(t9, t13, t10 < t8);
    let t15 = p.c1 + t14;
    let t16 = select(t15, t14, 0.0f < t14);
    let t17 = t12 / t16;
    let t18 = t17 * t17;
    let t19 = t17 * t18;
    let t20 = t18 * p.c4 + p.c5;
    let t21 = t18 * t20 + p.c6;
    let t22 = t18 * t21 + p.c7;
    let t23 = t18 * t22 + p.c8;
    let t24 = t19 * t23 + t17;
    let t25 = t24 + p.c9;
    let t26 = select(t24, t25, t10 < t8);
    let t27 = p.c10 - t26;
    let t28 = select(t26, t27, t6 < t7);
    let t29 = p.c11 - t28;
    let t30 = select(t28, t29, t4 < 0.0f);
    let t31 = -(t30);
    let t32 = select(t30, t31, t1 < 0.0f);
    let t33 = s.angle_0 - t32;
    let t34 = t33 * p.c13;
    let t35 = p.c0 + t34;
    let t36 = floor(t35);
    let t37 = p.c12 * t36 + t32;
    let t38 = p.c15 * t37;
    let t39 = s.wz - p.c16 * t38;
    let t40 = s.half_wz * p.c17;
    let t41 = t40 * t40 + p.c1;
    let t42 = p.c2 / t41;
    let t43 = s.q0 - s.q3 * t40;
    let t44 = s.q0 * t40 + s.q3;
    let t45 = t42 * t43 - s.q0;
    let t46 = t42 * t44 - s.q3;
    let t47 = t45 * t45;
    let t48 = t46 * t46 + t47;
    let t49 = p.c14 - p.c0 * t48;
    let t50 = t45 * t49;
    let t51 = t46 * t49;
    let t52 = p.c2 * t51;
    let t53 = t50 * t52;
    let t54 = -(t53);
    let t55 = t51 * t52;
    let t56 = p.c1 - t55;
    let t57 = -(t56);
    let t58 = select(t56, t57, t56 < 0.0f);
    let t59 = select(t53, t54, t53 < 0.0f);
    let t60 = select(t58, t59, t59 < t58);
    let t61 = select(t59, t58, t59 < t58);
    let t62 = p.c3 * t61;
    let t63 = t60 - t61;
    let t64 = select(t60, t63, t62 < t60);
    let t65 = t60 + t61;
    let t66 = select(t61, t65, t62 < t60);
    let t67 = p.c1 + t66;
    let t68 = select(t67, t66, 0.0f < t66);
    let t69 = t64 / t68;
    let t70 = t69 * t69;
    let t71 = t69 * t70;
    let t72 = p.c4 * t70 + p.c5;
    let t73 = t70 * t72 + p.c6;
    let t74 = t70 * t73 + p.c7;
    let t75 = t70 * t74 + p.c8;
    let t76 = t71 * t75 + t69;
    let t77 = p.c9 + t76;
    let t78 = select(t76, t77, t62 < t60);
    let t79 = p.c10 - t78;
    let t80 = select(t78, t79, t58 < t59);
    let t81 = p.c11 - t80;
    let t82 = select(t80, t81, t56 < 0.0f);
    let t83 = -(t82);
    let t84 = select(t82, t83, t53 < 0.0f);
    let t85 = s.angle_0 - t84;
    let t86 = p.c13 * t85;
    let t87 = p.c0 + t86;
    let t88 = floor(t87);
    let t89 = p.c12 * t88 + t84;
    let t90 = p.c15 * t89;
    let t91 = s.half_wz - p.c16 * t90;
    let t92 = p.c17 * t39;
    let t93 = t92 * t92 + p.c1;
    let t94 = p.c2 / t93;
    let t95 = s.half_q0 - s.half_q3 * t92;
    let t96 = s.half_q0 * t92 + s.half_q3;
    let t97 = t94 * t95 - s.half_q0;
    let t98 = t94 * t96 - s.half_q3;
    let t99 = t97 * t97;
    let t100 = t98 * t98 + t99;
    let t101 = p.c14 - p.c0 * t100;
    let t102 = t97 * t101;
    let t103 = t98 * t101;
    var next: State;
    next.q0 = t50;
    next.q3 = t51;
    next.wz = t39;
    next.angle_0 = t89;
    next.half_q0 = t102;
    next.half_q3 = t103;
    next.half_wz = t91;
    return next;
}

// What the method carries, at the start. (518 operations.)
fn begin(instance: u32, s: State) -> State {
    let t0 = parameters[2u * run.stride + instance] * shared_values[2];
    let t1 = s.q0 * s.q0;
    let t2 = s.q3 * s.q3 + t1;
    let t3 = sqrt(t2);
    let t4 = shared_values[1] / t3;
    let t5 = s.q0 * t4;
    let t6 = s.q3 * t4;
    let t7 = shared_values[3] * t6;
    let t8 = t5 * t7;
    let t9 = -(t8);
    let t10 = t6 * t7;
    let t11 = shared_values[1] - t10;
    let t12 = -(t11);
    let t13 = select(t11, t12, t11 < 0.0f);
    let t14 = select(t8, t9, t8 < 0.0f);
    let t15 = select(t13, t14, t14 < t13);
    let t16 = select(t14, t13, t14 < t13);
    let t17 = shared_values[4] * t16;
    let t18 = t15 - t16;
    let t19 = select(t15, t18, t17 < t15);
    let t20 = t15 + t16;
    let t21 = select(t16, t20, t17 < t15);
    let t22 = shared_values[1] + t21;
    let t23 = select(t22, t21, 0.0f < t21);
    let t24 = t19 / t23;
    let t25 = t24 * t24;
    let t26 = t24 * t25;
    let t27 = shared_values[5] * t25 + shared_values[6];
    let t28 = t25 * t27 + shared_values[7];
    let t29 = t25 * t28 + shared_values[8];
    let t30 = t25 * t29 + shared_values[9];
    let t31 = t26 * t30 + t24;
    let t32 = shared_values[10] + t31;
    let t33 = select(t31, t32, t17 < t15);
    let t34 = shared_values[11] - t33;
    let t35 = select(t33, t34, t13 < t14);
    let t36 = shared_values[12] - t35;
    let t37 = select(t35, t36, t11 < 0.0f);
    let t38 = -(t37);
    let t39 = select(t37, t38, t8 < 0.0f);
    let t40 = s.angle_0 - t39;
    let t41 = shared_values[14] * t40;
    let t42 = shared_values[0] + t41;
    let t43 = floor(t42);
    let t44 = shared_values[13] * t43 + t39;
    let t45 = parameters[3u * run.stride + instance] * t44;
    let t46 = t0 * t45;
    let t47 = shared_values[0] * t0;
    let t48 = s.q3 * s.wz;
    let t49 = s.q0 * s.wz;
    let t50 = t47 * t48;
    let t51 = t47 * t49;
    let t52 = s.q0 - shared_values[0] * t50;
    let t53 = shared_values[0] * t51 + s.q3;
    let t54 = s.wz - shared_values[0] * t46;
    let t55 = t52 * t52;
    let t56 = t53 * t53 + t55;
    let t57 = sqrt(t56);
    let t58 = shared_values[1] / t57;
    let t59 = t52 * t58;
    let t60 = t53 * t58;
    let t61 = shared_values[3] * t60;
    let t62 = t59 * t61;
    let t63 = -(t62);
    let t64 = t60 * t61;
    let t65 = shared_values[1] - t64;
    let t66 = -(t65);
    let t67 = select(t65, t66, t65 < 0.0f);
    let t68 = select(t62, t63, t62 < 0.0f);
    let t69 = select(t67, t68, t68 < t67);
    let t70 = select(t68, t67, t68 < t67);
    let t71 = shared_values[4] * t70;
    let t72 = t69 - t70;
    let t73 = select(t69, t72, t71 < t69);
    let t74 = t69 + t70;
    let t75 = select(t70, t74, t71 < t69);
    let t76 = shared_values[1] + t75;
    let t77 = select(t76, t75, 0.0f < t75);
    let t78 = t73 / t77;
    let t79 = t78 * t78;
    let t80 = t78 * t79;
    let t81 = shared_values[5] * t79 + shared_values[6];
    let t82 = t79 * t81 + shared_values[7];
    let t83 = t79 * t82 + shared_values[8];
    let t84 = t79 * t83 + shared_values[9];
    let t85 = t80 * t84 + t78;
    let t86 = shared_values[10] + t85;
    let t87 = select(t85, t86, t71 < t69);
    let t88 = shared_values[11] - t87;
    let t89 = select(t87, t88, t67 < t68);
    let t90 = shared_values[12] - t89;
    let t91 = select(t89, t90, t65 < 0.0f);
    let t92 = -(t91);
    let t93 = select(t91, t92, t62 < 0.0f);
    let t94 = s.angle_0 - t93;
    let t95 = shared_values[14] * t94;
    let t96 = shared_values[0] + t95;
    let t97 = floor(t96);
    let t98 = shared_values[13] * t97 + t93;
    let t99 = parameters[3u * run.stride + instance] * t98;
    let t100 = t0 * t99;
    let t101 = t53 * t54;
    let t102 = t52 * t54;
    let t103 = t47 * t101;
    let t104 = t47 * t102;
    let t105 = s.q0 - shared_values[0] * t103;
    let t106 = shared_values[0] * t104 + s.q3;
    let t107 = s.wz - shared_values[0] * t100;
    let t108 = t105 * t105;
    let t109 = t106 * t106 + t108;
    let t110 = sqrt(t109);
    let t111 = shared_values[1] / t110;
    let t112 = t105 * t111;
    let t113 = t106 * t111;
    let t114 = shared_values[3] * t113;
    let t115 = t112 * t114;
    let t116 = -(t115);
    let t117 = t113 * t114;
    let t118 = shared_values[1] - t117;
    let t119 = -(t118);
    let t120 = select(t118, t119, t118 < 0.0f);
    let t121 = select(t115, t116, t115 < 0.0f);
    let t122 = select(t120, t121, t121 < t120);
    let t123 = select(t121, t120, t121 < t120);
    let t124 = shared_values[4] * t123;
    let t125 = t122 - t123;
    let t126 = select(t122, t125, t124 < t122);
    let t127 = t122 + t123;
    let t128 = select(t123, t127, t124 < t122);
    let t129 = shared_values[1] + t128;
    let t130 = select(t129, t128, 0.0f < t128);
    let t131 = t126 / t130;
    let t132 = t131 * t131;
    let t133 = t131 * t132;
    let t134 = shared_values[5] * t132 + shared_values[6];
    let t135 = t132 * t134 + shared_values[7];
    let t136 = t132 * t135 + shared_values[8];
    let t137 = t132 * t136 + shared_values[9];
    let t138 = t133 * t137 + t131;
    let t139 = shared_values[10] + t138;
    let t140 = select(t138, t139, t124 < t122);
    let t141 = shared_values[11] - t140;
    let t142 = select(t140, t141, t120 < t121);
    let t143 = shared_values[12] - t142;
    let t144 = select(t142, t143, t118 < 0.0f);
    let t145 = -(t144);
    let t146 = select(t144, t145, t115 < 0.0f);
    let t147 = s.angle_0 - t146;
    let t148 = shared_values[14] * t147;
    let t149 = shared_values[0] + t148;
    let t150 = floor(t149);
    let t151 = shared_values[13] * t150 + t146;
    let t152 = parameters[3u * run.stride + instance] * t151;
    let t153 = t0 * t152;
    let t154 = t106 * t107;
    let t155 = t105 * t107;
    let t156 = t47 * t154;
    let t157 = t47 * t155;
    let t158 = shared_values[3] * t103 + t50;
    let t159 = shared_values[3] * t104 + t51;
    let t160 = shared_values[3] * t100 + t46;
    let t161 = shared_values[3] * t156 + t158;
    let t162 = shared_values[3] * t157 + t159;
    let t163 = shared_values[3] * t153 + t160;
    let t164 = s.q0 - t156;
    let t165 = s.q3 + t157;
    let t166 = s.wz - t153;
    let t167 = t164 * t164;
    let t168 = t165 * t165 + t167;
    let t169 = sqrt(t168);
    let t170 = shared_values[1] / t169;
    let t171 = t164 * t170;
    let t172 = t165 * t170;
    let t173 = shared_values[3] * t172;
    let t174 = t171 * t173;
    let t175 = -(t174);
    let t176 = t172 * t173;
    let t177 = shared_values[1] - t176;
    let t178 = -(t177);
    let t179 = select(t177, t178, t177 < 0.0f);
    let t180 = select(t174, t175, t174 < 0.0f);
    let t181 = select(t179, t180, t180 < t179);
    let t182 = select(t180, t179, t180 < t179);
    let t183 = shared_values[4] * t182;
    let t184 = t181 - t182;
    let t185 = select(t181, t184, t183 < t181);
    let t186 = t181 + t182;
    let t187 = select(t182, t186, t183 < t181);
    let t188 = shared_values[1] + t187;
    let t189 = select(t188, t187, 0.0f < t187);
    let t190 = t185 / t189;
    let t191 = t190 * t190;
    let t192 = t190 * t191;
    let t193 = shared_values[5] * t191 + shared_values[6];
    let t194 = t191 * t193 + shared_values[7];
    let t195 = t191 * t194 + shared_values[8];
    let t196 = t191 * t195 + shared_values[9];
    let t197 = t192 * t196 + t190;
    let t198 = shared_values[10] + t197;
    let t199 = select(t197, t198, t183 < t181);
    let t200 = shared_values[11] - t199;
    let t201 = select(t199, t200, t179 < t180);
    let t202 = shared_values[12] - t201;
    let t203 = select(t201, t202, t177 < 0.0f);
    let t204 = -(t203);
    let t205 = select(t203, t204, t174 < 0.0f);
    let t206 = s.angle_0 - t205;
    let t207 = shared_values[14] * t206;
    let t208 = shared_values[0] + t207;
    let t209 = floor(t208);
    let t210 = shared_values[13] * t209 + t205;
    let t211 = parameters[3u * run.stride + instance] * t210;
    let t212 = t0 * t211 + t163;
    let t213 = t165 * t166;
    let t214 = t164 * t166;
    let t215 = t47 * t213 + t161;
    let t216 = t47 * t214 + t162;
    let t217 = s.q0 - shared_values[16] * t215;
    let t218 = shared_values[16] * t216 + s.q3;
    let t219 = s.wz - shared_values[16] * t212;
    let t220 = t217 * t217;
    let t221 = t218 * t218 + t220;
    let t222 = sqrt(t221);
    let t223 = shared_values[1] / t222;
    let t224 = t217 * t223;
    let t225 = t218 * t223;
    let t226 = t224 * t224;
    let t227 = t225 * t225 + t226;
    let t228 = sqrt(t227);
    let t229 = shared_values[1] / t228;
    let t230 = t224 * t229;
    let t231 = t225 * t229;
    let t232 = shared_values[3] * t231;
    let t233 = t230 * t232;
    let t234 = -(t233);
    let t235 = t231 * t232;
    let t236 = shared_values[1] - t235;
    let t237 = -(t236);
    let t238 = select(t236, t237, t236 < 0.0f);
    let t239 = select(t233, t234, t233 < 0.0f);
    let t240 = select(t238, t239, t239 < t238);
    let t241 = select(t239, t238, t239 < t238);
    let t242 = shared_values[4] * t241;
    let t243 = t240 - t241;
    let t244 = select(t240, t243, t242 < t240);
    let t245 = t240 + t241;
    let t246 = select(t241, t245, t242 < t240);
    let t247 = shared_values[1] + t246;
    let t248 = select(t247, t246, 0.0f < t246);
    let t249 = t244 / t248;
    let t250 = t249 * t249;
    let t251 = t249 * t250;
    let t252 = shared_values[5] * t250 + shared_values[6];
    let t253 = t250 * t252 + shared_values[7];
    let t254 = t250 * t253 + shared_values[8];
    let t255 = t250 * t254 + shared_values[9];
    let t256 = t251 * t255 + t249;
    let t257 = shared_values[10] + t256;
    let t258 = select(t256, t257, t242 < t240);
    let t259 = shared_values[11] - t258;
    let t260 = select(t258, t259, t238 < t239);
    let t261 = shared_values[12] - t260;
    let t262 = select(t260, t261, t236 < 0.0f);
    let t263 = -(t262);
    let t264 = select(t262, t263, t233 < 0.0f);
    let t265 = s.angle_0 - t264;
    let t266 = shared_values[14] * t265;
    let t267 = shared_values[0] + t266;
    let t268 = floor(t267);
    let t269 = shared_values[13] * t268 + t264;
    let t270 = parameters[3u * run.stride + instance] * t269;
    let t271 = t0 * t270;
    let t272 = t219 * t225;
    let t273 = t219 * t224;
    let t274 = t47 * t272;
    let t275 = t47 * t273;
    let t276 = t224 - shared_values[0] * t274;
    let t277 = shared_values[0] * t275 + t225;
    let t278 = t219 - shared_values[0] * t271;
    let t279 = t276 * t276;
    let t280 = t277 * t277 + t279;
    let t281 = sqrt(t280);
    let t282 = shared_values[1] / t281;
    let t283 = t276 * t282;
    let t284 = t277 * t282;
    let t285 = shared_values[3] * t284;
    let t286 = t283 * t285;
    let t287 = -(t286);
    let t288 = t284 * t285;
    let t289 = shared_values[1] - t288;
    let t290 = -(t289);
    let t291 = select(t289, t290, t289 < 0.0f);
    let t292 = select(t286, t287, t286 < 0.0f);
    let t293 = select(t291, t292, t292 < t291);
    let t294 = select(t292, t291, t292 < t291);
    let t295 = shared_values[4] * t294;
    let t296 = t293 - t294;
    let t297 = select(t293, t296, t295 < t293);
    let t298 = t293 + t294;
    let t299 = select(t294, t298, t295 < t293);
    let t300 = shared_values[1] + t299;
    let t301 = select(t300, t299, 0.0f < t299);
    let t302 = t297 / t301;
    let t303 = t302 * t302;
    let t304 = t302 * t303;
    let t305 = shared_values[5] * t303 + shared_values[6];
    let t306 = t303 * t305 + shared_values[7];
    let t307 = t303 * t306 + shared_values[8];
    let t308 = t303 * t307 + shared_values[9];
    let t309 = t304 * t308 + t302;
    let t310 = shared_values[10] + t309;
    let t311 = select(t309, t310, t295 < t293);
    let t312 = shared_values[11] - t311;
    let t313 = select(t311, t312, t291 < t292);
    let t314 = shared_values[12] - t313;
    let t315 = select(t313, t314, t289 < 0.0f);
    let t316 = -(t315);
    let t317 = select(t315, t316, t286 < 0.0f);
    let t318 = s.angle_0 - t317;
    let t319 = shared_values[14] * t318;
    let t320 = shared_values[0] + t319;
    let t321 = floor(t320);
    let t322 = shared_values[13] * t321 + t317;
    let t323 = parameters[3u * run.stride + instance] * t322;
    let t324 = t0 * t323;
    let t325 = t277 * t278;
    let t326 = t276 * t278;
    let t327 = t47 * t325;
    let t328 = t47 * t326;
    let t329 = t224 - shared_values[0] * t327;
    let t330 = shared_values[0] * t328 + t225;
    let t331 = t219 - shared_values[0] * t324;
    let t332 = t329 * t329;
    let t333 = t330 * t330 + t332;
    let t334 = sqrt(t333);
    let t335 = shared_values[1] / t334;
    let t336 = t329 * t335;
    let t337 = t330 * t335;
    let t338 = shared_values[3] * t337;
    let t339 = t336 * t338;
    let t340 = -(t339);
    let t341 = t337 * t338;
    let t342 = shared_values[1] - t341;
    let t343 = -(t342);
    let t344 = select(t342, t343, t342 < 0.0f);
    let t345 = select(t339, t340, t339 < 0.0f);
    let t346 = select(t344, t345, t345 < t344);
    let t347 = select(t345, t344, t345 < t344);
    let t348 = shared_values[4] * t347;
    let t349 = t346 - t347;
    let t350 = select(t346, t349, t348 < t346);
    let t351 = t346 + t347;
    let t352 = select(t347, t351, t348 < t346);
    let t353 = shared_values[1] + t352;
    let t354 = select(t353, t352, 0.0f < t352);
    let t355 = t350 / t354;
    let t356 = t355 * t355;
    let t357 = t355 * t356;
    let t358 = shared_values[5] * t356 + shared_values[6];
    let t359 = t356 * t358 + shared_values[7];
    let t360 = t356 * t359 + shared_values[8];
    let t361 = t356 * t360 + shared_values[9];
    let t362 = t357 * t361 + t355;
    let t363 = shared_values[10] + t362;
    let t364 = select(t362, t363, t348 < t346);
    let t365 = shared_values[11] - t364;
    let t366 = select(t364, t365, t344 < t345);
    let t367 = shared_values[12] - t366;
    let t368 = select(t366, t367, t342 < 0.0f);
    let t369 = -(t368);
    let t370 = select(t368, t369, t339 < 0.0f);
    let t371 = s.angle_0 - t370;
    let t372 = shared_values[14] * t371;
    let t373 = shared_values[0] + t372;
    let t374 = floor(t373);
    let t375 = shared_values[13] * t374 + t370;
    let t376 = parameters[3u * run.stride + instance] * t375;
    let t377 = t0 * t376;
    let t378 = t330 * t331;
    let t379 = t329 * t331;
    let t380 = t47 * t378;
    let t381 = t47 * t379;
    let t382 = shared_values[3] * t327 + t274;
    let t383 = shared_values[3] * t328 + t275;
    let t384 = shared_values[3] * t324 + t271;
    let t385 = shared_values[3] * t380 + t382;
    let t386 = shared_values[3] * t381 + t383;
    let t387 = shared_values[3] * t377 + t384;
    let t388 = t224 - t380;
    let t389 = t225 + t381;
    let t390 = t219 - t377;
    let t391 = t388 * t388;
    let t392 = t389 * t389 + t391;
    let t393 = sqrt(t392);
    let t394 = shared_values[1] / t393;
    let t395 = t388 * t394;
    let t396 = t389 * t394;
    let t397 = shared_values[3] * t396;
    let t398 = t395 * t397;
    let t399 = -(t398);
    let t400 = t396 * t397;
    let t401 = shared_values[1] - t400;
    let t402 = -(t401);
    let t403 = select(t401, t402, t401 < 0.0f);
    let t404 = select(t398, t399, t398 < 0.0f);
    let t405 = select(t403, t404, t404 < t403);
    let t406 = select(t404, t403, t404 < t403);
    let t407 = shared_values[4] * t406;
    let t408 = t405 - t406;
    let t409 = select(t405, t408, t407 < t405);
    let t410 = t405 + t406;
    let t411 = select(t406, t410, t407 < t405);
    let t412 = shared_values[1] + t411;
    let t413 = select(t412, t411, 0.0f < t411);
    let t414 = t409 / t413;
    let t415 = t414 * t414;
    let t416 = t414 * t415;
    let t417 = shared_values[5] * t415 + shared_values[6];
    let t418 = t415 * t417 + shared_values[7];
    let t419 = t415 * t418 + shared_values[8];
    let t420 = t415 * t419 + shared_values[9];
    let t421 = t416 * t420 + t414;
    let t422 = shared_values[10] + t421;
    let t423 = select(t421, t422, t407 < t405);
    let t424 = shared_values[11] - t423;
    let t425 = select(t423, t424, t403 < t404);
    let t426 = shared_values[12] - t425;
    let t427 = select(t425, t426, t401 < 0.0f);
    let t428 = -(t427);
    let t429 = select(t427, t428, t398 < 0.0f);
    let t430 = s.angle_0 - t429;
    let t431 = shared_values[14] * t430;
    let t432 = shared_values[0] + t431;
    let t433 = floor(t432);
    let t434 = shared_values[13] * t433 + t429;
    let t435 = parameters[3u * run.stride + instance] * t434;
    let t436 = t0 * t435 + t387;
    let t437 = t389 * t390;
    let t438 = t388 * t390;
    let t439 = t47 * t437 + t385;
    let t440 = t47 * t438 + t386;
    let t441 = t224 - shared_values[16] * t439;
    let t442 = shared_values[16] * t440 + t225;
    let t443 = t219 - shared_values[16] * t436;
    let t444 = t441 * t441;
    let t445 = t442 * t442 + t444;
    let t446 = sqrt(t445);
    let t447 = shared_values[1] / t446;
    let t448 = t441 * t447;
    let t449 = t442 * t447;
    var next = s;
    next.half_q0 = t448;
    next.half_q3 = t449;
    next.half_wz = t443;
    return next;
}

// What the method carries after it was resynchronised: as at the start, but for what follows.
fn resynchronised(instance: u32, s: State) -> State {
    var next = begin(instance, s);
    return next;
}

// A value, and how large it may be; 0: however large.
struct Judged {
    value: real,
    allowed: real,
}

fn energy_change(instance: u32, s: State) -> Judged {
    let t0 = s.q3 * shared_values[3];
    let t1 = s.q0 * t0;
    let t2 = -(t1);
    let t3 = s.q3 * t0;
    let t4 = shared_values[1] - t3;
    let t5 = -(t4);
    let t6 = select(t4, t5, t4 < 0.0f);
    let t7 = select(t1, t2, t1 < 0.0f);
    let t8 = select(t6, t7, t7 < t6);
    let t9 = select(t7, t6, t7 < t6);
    let t10 = shared_values[4] * t9;
    let t11 = t8 - t9;
    let t12 = select(t8, t11, t10 < t8);
    let t13 = t8 + t9;
    let t14 = select(t9, t13, t10 < t8);
    let t15 = shared_values[1] + t14;
    let t16 = select(t15, t14, 0.0f < t14);
    let t17 = t12 / t16;
    let t18 = t17 * t17;
    let t19 = t17 * t18;
    let t20 = shared_values[5] * t18 + shared_values[6];
    let t21 = t18 * t20 + shared_values[7];
    let t22 = t18 * t21 + shared_values[8];
    let t23 = t18 * t22 + shared_values[9];
    let t24 = t19 * t23 + t17;
    let t25 = shared_values[10] + t24;
    let t26 = select(t24, t25, t10 < t8);
    let t27 = shared_values[11] - t26;
    let t28 = select(t26, t27, t6 < t7);
    let t29 = shared_values[12] - t28;
    let t30 = select(t28, t29, t4 < 0.0f);
    let t31 = -(t30);
    let t32 = select(t30, t31, t1 < 0.0f);
    let t33 = s.angle_0 - t32;
    let t34 = shared_values[14] * t33;
    let t35 = shared_values[0] + t34;
    let t36 = floor(t35);
    let t37 = shared_values[13] * t36 + t32;
    let t38 = s.wz * s.wz;
    let t39 = shared_values[0] * t38;
    let t40 = t39 - parameters[0u * run.stride + instance];
    let t41 = shared_values[0] * parameters[3u * run.stride + instance];
    let t42 = t37 * t37;
    let t43 = t41 * t42;
    let t44 = t40 + t43;
    let t45 = parameters[1u * run.stride + instance] * shared_values[17];
    return Judged(t44, t45);
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
    // Instances, and the distance between planes.
    count: u32,
    stride: u32,
    // Steps between resynchronisations; 0: never.
    resynchronise: u32,
    // Steps between checks of the verdict bounds.
    check: u32,
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
    let instance = id.y * (groups.x * WORKGROUP) + id.x;
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
