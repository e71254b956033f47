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

// What the method carries, at the start. (540 operations.)
fn begin(instance: u32, s: State) -> State {
    let t0 = parameters[2u * run.stride + instance] * shared_values[2];
    let t1 = s.q3 * shared_values[3];
    let t2 = s.q0 * t1;
    let t3 = -(t2);
    let t4 = s.q3 * t1;
    let t5 = shared_values[1] - t4;
    let t6 = -(t5);
    let t7 = select(t5, t6, t5 < 0.0f);
    let t8 = select(t2, t3, t2 < 0.0f);
    let t9 = select(t7, t8, t8 < t7);
    let t10 = select(t8, t7, t8 < t7);
    let t11 = shared_values[4] * t10;
    let t12 = t9 - t10;
    let t13 = select(t9, t12, t11 < t9);
    let t14 = t9 + t10;
    let t15 = select(t10, t14, t11 < t9);
    let t16 = shared_values[1] + t15;
    let t17 = select(t16, t15, 0.0f < t15);
    let t18 = t13 / t17;
    let t19 = t18 * t18;
    let t20 = t18 * t19;
    let t21 = shared_values[5] * t19 + shared_values[6];
    let t22 = t19 * t21 + shared_values[7];
    let t23 = t19 * t22 + shared_values[8];
    let t24 = t19 * t23 + shared_values[9];
    let t25 = t20 * t24 + t18;
    let t26 = shared_values[10] + t25;
    let t27 = select(t25, t26, t11 < t9);
    let t28 = shared_values[11] - t27;
    let t29 = select(t27, t28, t7 < t8);
    let t30 = shared_values[12] - t29;
    let t31 = select(t29, t30, t5 < 0.0f);
    let t32 = -(t31);
    let t33 = select(t31, t32, t2 < 0.0f);
    let t34 = s.angle_0 - t33;
    let t35 = shared_values[14] * t34;
    let t36 = shared_values[0] + t35;
    let t37 = floor(t36);
    let t38 = shared_values[13] * t37 + t33;
    let t39 = parameters[3u * run.stride + instance] * t38;
    let t40 = t0 * t39;
    let t41 = shared_values[0] * t0;
    let t42 = s.q3 * s.wz;
    let t43 = s.q0 * s.wz;
    let t44 = t41 * t42;
    let t45 = t41 * t43;
    let t46 = s.q0 - shared_values[0] * t44;
    let t47 = shared_values[0] * t45 + s.q3;
    let t48 = s.wz - shared_values[0] * t40;
    let t49 = t46 * t46;
    let t50 = t47 * t47 + t49;
    let t51 = t50 + shared_values[18];
    let t52 = t50 * t51 + shared_values[17];
    let t53 = t50 * shared_values[17] + shared_values[18];
    let t54 = t50 * t53 + shared_values[1];
    let t55 = t52 / t54;
    let t56 = t46 * t55;
    let t57 = t47 * t55;
    let t58 = shared_values[3] * t57;
    let t59 = t56 * t58;
    let t60 = -(t59);
    let t61 = t57 * t58;
    let t62 = shared_values[1] - t61;
    let t63 = -(t62);
    let t64 = select(t62, t63, t62 < 0.0f);
    let t65 = select(t59, t60, t59 < 0.0f);
    let t66 = select(t64, t65, t65 < t64);
    let t67 = select(t65, t64, t65 < t64);
    let t68 = shared_values[4] * t67;
    let t69 = t66 - t67;
    let t70 = select(t66, t69, t68 < t66);
    let t71 = t66 + t67;
    let t72 = select(t67, t71, t68 < t66);
    let t73 = shared_values[1] + t72;
    let t74 = select(t73, t72, 0.0f < t72);
    let t75 = t70 / t74;
    let t76 = t75 * t75;
    let t77 = t75 * t76;
    let t78 = shared_values[5] * t76 + shared_values[6];
    let t79 = t76 * t78 + shared_values[7];
    let t80 = t76 * t79 + shared_values[8];
    let t81 = t76 * t80 + shared_values[9];
    let t82 = t77 * t81 + t75;
    let t83 = shared_values[10] + t82;
    let t84 = select(t82, t83, t68 < t66);
    let t85 = shared_values[11] - t84;
    let t86 = select(t84, t85, t64 < t65);
    let t87 = shared_values[12] - t86;
    let t88 = select(t86, t87, t62 < 0.0f);
    let t89 = -(t88);
    let t90 = select(t88, t89, t59 < 0.0f);
    let t91 = s.angle_0 - t90;
    let t92 = shared_values[14] * t91;
    let t93 = shared_values[0] + t92;
    let t94 = floor(t93);
    let t95 = shared_values[13] * t94 + t90;
    let t96 = parameters[3u * run.stride + instance] * t95;
    let t97 = t0 * t96;
    let t98 = t47 * t48;
    let t99 = t46 * t48;
    let t100 = t41 * t98;
    let t101 = t41 * t99;
    let t102 = s.q0 - shared_values[0] * t100;
    let t103 = shared_values[0] * t101 + s.q3;
    let t104 = s.wz - shared_values[0] * t97;
    let t105 = t102 * t102;
    let t106 = t103 * t103 + t105;
    let t107 = shared_values[18] + t106;
    let t108 = t106 * t107 + shared_values[17];
    let t109 = shared_values[17] * t106 + shared_values[18];
    let t110 = t106 * t109 + shared_values[1];
    let t111 = t108 / t110;
    let t112 = t102 * t111;
    let t113 = t103 * t111;
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
    let t154 = t103 * t104;
    let t155 = t102 * t104;
    let t156 = t41 * t154;
    let t157 = t41 * t155;
    let t158 = shared_values[3] * t100 + t44;
    let t159 = shared_values[3] * t101 + t45;
    let t160 = shared_values[3] * t97 + t40;
    let t161 = shared_values[3] * t156 + t158;
    let t162 = shared_values[3] * t157 + t159;
    let t163 = shared_values[3] * t153 + t160;
    let t164 = s.q0 - t156;
    let t165 = s.q3 + t157;
    let t166 = s.wz - t153;
    let t167 = t164 * t164;
    let t168 = t165 * t165 + t167;
    let t169 = shared_values[18] + t168;
    let t170 = t168 * t169 + shared_values[17];
    let t171 = shared_values[17] * t168 + shared_values[18];
    let t172 = t168 * t171 + shared_values[1];
    let t173 = t170 / t172;
    let t174 = t164 * t173;
    let t175 = t165 * t173;
    let t176 = shared_values[3] * t175;
    let t177 = t174 * t176;
    let t178 = -(t177);
    let t179 = t175 * t176;
    let t180 = shared_values[1] - t179;
    let t181 = -(t180);
    let t182 = select(t180, t181, t180 < 0.0f);
    let t183 = select(t177, t178, t177 < 0.0f);
    let t184 = select(t182, t183, t183 < t182);
    let t185 = select(t183, t182, t183 < t182);
    let t186 = shared_values[4] * t185;
    let t187 = t184 - t185;
    let t188 = select(t184, t187, t186 < t184);
    let t189 = t184 + t185;
    let t190 = select(t185, t189, t186 < t184);
    let t191 = shared_values[1] + t190;
    let t192 = select(t191, t190, 0.0f < t190);
    let t193 = t188 / t192;
    let t194 = t193 * t193;
    let t195 = t193 * t194;
    let t196 = shared_values[5] * t194 + shared_values[6];
    let t197 = t194 * t196 + shared_values[7];
    let t198 = t194 * t197 + shared_values[8];
    let t199 = t194 * t198 + shared_values[9];
    let t200 = t195 * t199 + t193;
    let t201 = shared_values[10] + t200;
    let t202 = select(t200, t201, t186 < t184);
    let t203 = shared_values[11] - t202;
    let t204 = select(t202, t203, t182 < t183);
    let t205 = shared_values[12] - t204;
    let t206 = select(t204, t205, t180 < 0.0f);
    let t207 = -(t206);
    let t208 = select(t206, t207, t177 < 0.0f);
    let t209 = s.angle_0 - t208;
    let t210 = shared_values[14] * t209;
    let t211 = shared_values[0] + t210;
    let t212 = floor(t211);
    let t213 = shared_values[13] * t212 + t208;
    let t214 = parameters[3u * run.stride + instance] * t213;
    let t215 = t0 * t214 + t163;
    let t216 = t165 * t166;
    let t217 = t164 * t166;
    let t218 = t41 * t216 + t161;
    let t219 = t41 * t217 + t162;
    let t220 = s.q0 - shared_values[16] * t218;
    let t221 = shared_values[16] * t219 + s.q3;
    let t222 = s.wz - shared_values[16] * t215;
    let t223 = t220 * t220;
    let t224 = t221 * t221 + t223;
    let t225 = sqrt(t224);
    let t226 = shared_values[1] / t225;
    let t227 = t220 * t226;
    let t228 = t221 * t226;
    let t229 = shared_values[3] * t228;
    let t230 = t227 * t229;
    let t231 = -(t230);
    let t232 = t228 * t229;
    let t233 = shared_values[1] - t232;
    let t234 = -(t233);
    let t235 = select(t233, t234, t233 < 0.0f);
    let t236 = select(t230, t231, t230 < 0.0f);
    let t237 = select(t235, t236, t236 < t235);
    let t238 = select(t236, t235, t236 < t235);
    let t239 = shared_values[4] * t238;
    let t240 = t237 - t238;
    let t241 = select(t237, t240, t239 < t237);
    let t242 = t237 + t238;
    let t243 = select(t238, t242, t239 < t237);
    let t244 = shared_values[1] + t243;
    let t245 = select(t244, t243, 0.0f < t243);
    let t246 = t241 / t245;
    let t247 = t246 * t246;
    let t248 = t246 * t247;
    let t249 = shared_values[5] * t247 + shared_values[6];
    let t250 = t247 * t249 + shared_values[7];
    let t251 = t247 * t250 + shared_values[8];
    let t252 = t247 * t251 + shared_values[9];
    let t253 = t248 * t252 + t246;
    let t254 = shared_values[10] + t253;
    let t255 = select(t253, t254, t239 < t237);
    let t256 = shared_values[11] - t255;
    let t257 = select(t255, t256, t235 < t236);
    let t258 = shared_values[12] - t257;
    let t259 = select(t257, t258, t233 < 0.0f);
    let t260 = -(t259);
    let t261 = select(t259, t260, t230 < 0.0f);
    let t262 = s.angle_0 - t261;
    let t263 = shared_values[14] * t262;
    let t264 = shared_values[0] + t263;
    let t265 = floor(t264);
    let t266 = shared_values[13] * t265 + t261;
    let t267 = parameters[3u * run.stride + instance] * t266;
    let t268 = t0 * t267;
    let t269 = t222 * t228;
    let t270 = t222 * t227;
    let t271 = t41 * t269;
    let t272 = t41 * t270;
    let t273 = t227 - shared_values[0] * t271;
    let t274 = shared_values[0] * t272 + t228;
    let t275 = t222 - shared_values[0] * t268;
    let t276 = t273 * t273;
    let t277 = t274 * t274 + t276;
    let t278 = shared_values[18] + t277;
    let t279 = t277 * t278 + shared_values[17];
    let t280 = shared_values[17] * t277 + shared_values[18];
    let t281 = t277 * t280 + shared_values[1];
    let t282 = t279 / t281;
    let t283 = t273 * t282;
    let t284 = t274 * t282;
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
    let t325 = t274 * t275;
    let t326 = t273 * t275;
    let t327 = t41 * t325;
    let t328 = t41 * t326;
    let t329 = t227 - shared_values[0] * t327;
    let t330 = shared_values[0] * t328 + t228;
    let t331 = t222 - shared_values[0] * t324;
    let t332 = t329 * t329;
    let t333 = t330 * t330 + t332;
    let t334 = shared_values[18] + t333;
    let t335 = t333 * t334 + shared_values[17];
    let t336 = shared_values[17] * t333 + shared_values[18];
    let t337 = t333 * t336 + shared_values[1];
    let t338 = t335 / t337;
    let t339 = t329 * t338;
    let t340 = t330 * t338;
    let t341 = shared_values[3] * t340;
    let t342 = t339 * t341;
    let t343 = -(t342);
    let t344 = t340 * t341;
    let t345 = shared_values[1] - t344;
    let t346 = -(t345);
    let t347 = select(t345, t346, t345 < 0.0f);
    let t348 = select(t342, t343, t342 < 0.0f);
    let t349 = select(t347, t348, t348 < t347);
    let t350 = select(t348, t347, t348 < t347);
    let t351 = shared_values[4] * t350;
    let t352 = t349 - t350;
    let t353 = select(t349, t352, t351 < t349);
    let t354 = t349 + t350;
    let t355 = select(t350, t354, t351 < t349);
    let t356 = shared_values[1] + t355;
    let t357 = select(t356, t355, 0.0f < t355);
    let t358 = t353 / t357;
    let t359 = t358 * t358;
    let t360 = t358 * t359;
    let t361 = shared_values[5] * t359 + shared_values[6];
    let t362 = t359 * t361 + shared_values[7];
    let t363 = t359 * t362 + shared_values[8];
    let t364 = t359 * t363 + shared_values[9];
    let t365 = t360 * t364 + t358;
    let t366 = shared_values[10] + t365;
    let t367 = select(t365, t366, t351 < t349);
    let t368 = shared_values[11] - t367;
    let t369 = select(t367, t368, t347 < t348);
    let t370 = shared_values[12] - t369;
    let t371 = select(t369, t370, t345 < 0.0f);
    let t372 = -(t371);
    let t373 = select(t371, t372, t342 < 0.0f);
    let t374 = s.angle_0 - t373;
    let t375 = shared_values[14] * t374;
    let t376 = shared_values[0] + t375;
    let t377 = floor(t376);
    let t378 = shared_values[13] * t377 + t373;
    let t379 = parameters[3u * run.stride + instance] * t378;
    let t380 = t0 * t379;
    let t381 = t330 * t331;
    let t382 = t329 * t331;
    let t383 = t41 * t381;
    let t384 = t41 * t382;
    let t385 = shared_values[3] * t327 + t271;
    let t386 = shared_values[3] * t328 + t272;
    let t387 = shared_values[3] * t324 + t268;
    let t388 = shared_values[3] * t383 + t385;
    let t389 = shared_values[3] * t384 + t386;
    let t390 = shared_values[3] * t380 + t387;
    let t391 = t227 - t383;
    let t392 = t228 + t384;
    let t393 = t222 - t380;
    let t394 = t391 * t391;
    let t395 = t392 * t392 + t394;
    let t396 = shared_values[18] + t395;
    let t397 = t395 * t396 + shared_values[17];
    let t398 = shared_values[17] * t395 + shared_values[18];
    let t399 = t395 * t398 + shared_values[1];
    let t400 = t397 / t399;
    let t401 = t391 * t400;
    let t402 = t392 * t400;
    let t403 = shared_values[3] * t402;
    let t404 = t401 * t403;
    let t405 = -(t404);
    let t406 = t402 * t403;
    let t407 = shared_values[1] - t406;
    let t408 = -(t407);
    let t409 = select(t407, t408, t407 < 0.0f);
    let t410 = select(t404, t405, t404 < 0.0f);
    let t411 = select(t409, t410, t410 < t409);
    let t412 = select(t410, t409, t410 < t409);
    let t413 = shared_values[4] * t412;
    let t414 = t411 - t412;
    let t415 = select(t411, t414, t413 < t411);
    let t416 = t411 + t412;
    let t417 = select(t412, t416, t413 < t411);
    let t418 = shared_values[1] + t417;
    let t419 = select(t418, t417, 0.0f < t417);
    let t420 = t415 / t419;
    let t421 = t420 * t420;
    let t422 = t420 * t421;
    let t423 = shared_values[5] * t421 + shared_values[6];
    let t424 = t421 * t423 + shared_values[7];
    let t425 = t421 * t424 + shared_values[8];
    let t426 = t421 * t425 + shared_values[9];
    let t427 = t422 * t426 + t420;
    let t428 = shared_values[10] + t427;
    let t429 = select(t427, t428, t413 < t411);
    let t430 = shared_values[11] - t429;
    let t431 = select(t429, t430, t409 < t410);
    let t432 = shared_values[12] - t431;
    let t433 = select(t431, t432, t407 < 0.0f);
    let t434 = -(t433);
    let t435 = select(t433, t434, t404 < 0.0f);
    let t436 = s.angle_0 - t435;
    let t437 = shared_values[14] * t436;
    let t438 = shared_values[0] + t437;
    let t439 = floor(t438);
    let t440 = shared_values[13] * t439 + t435;
    let t441 = parameters[3u * run.stride + instance] * t440;
    let t442 = t0 * t441 + t390;
    let t443 = t392 * t393;
    let t444 = t391 * t393;
    let t445 = t41 * t443 + t388;
    let t446 = t41 * t444 + t389;
    let t447 = t227 - shared_values[16] * t445;
    let t448 = shared_values[16] * t446 + t228;
    let t449 = t222 - shared_values[16] * t442;
    let t450 = t447 * t447;
    let t451 = t448 * t448 + t450;
    let t452 = sqrt(t451);
    let t453 = shared_values[1] / t452;
    let t454 = t447 * t453;
    let t455 = t448 * t453;
    var next = s;
    next.half_q0 = t454;
    next.half_q3 = t455;
    next.half_wz = t449;
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
    let t45 = parameters[1u * run.stride + instance] * shared_values[19];
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
    // Instances start .. count are advanced; the distance between planes.
    count: u32,
    stride: u32,
    // Steps between resynchronisations; 0: never.
    resynchronise: u32,
    // Steps between checks of the verdict bounds.
    check: u32,
    start: u32,
    // Of the step that is taken, where own steps end inside it; else 1.
    pieces: u32,
    // Steps between instants at which the method begins anew, because laws may jump there; 0: never.
    begin: u32,
}

@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read_write> state: array<real>;
@group(0) @binding(2) var<storage, read> parameters: array<real>;
// What all instances share: constants of the mechanism and the method, then the factors of the timed loads, piece by piece.
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
    if k != 0u && run.resynchronise != 0u && k % run.resynchronise == 0u {
        start = resynchronised(instance, start);
    }
    if k == 0u || (run.begin != 0u && k % run.begin == 0u) {
        start = begin(instance, start);
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
