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
const NORM_BOUND_VALUE: real = 0.0lf;

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
    c18: real,
    c19: real,
    c20: real,
    c21: real,
    c22: real,
    c23: real,
    c24: real,
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
    p.c15 = shared_values[16];
    p.c16 = shared_values[17];
    p.c17 = shared_values[18];
    p.c18 = shared_values[19];
    p.c19 = shared_values[20];
    p.c20 = shared_values[21];
    p.c21 = shared_values[22];
    p.c22 = parameters[3u * run.stride + instance];
    p.c23 = parameters[2u * run.stride + instance];
    p.c24 = t0;
    return p;
}

// One full step: 154 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.half_q3 * p.c2;
    let t1 = s.half_q0 * t0;
    let t2 = -(t1);
    let t3 = s.half_q3 * t0;
    let t4 = p.c1 - t3;
    let t5 = -(t4);
    let t6 = select(t4, t5, t4 < 0.0lf);
    let t7 = select(t1, t2, t1 < 0.0lf);
    let t8 = select(t6, t7, t7 < t6);
    let t9 = select(t7, t6, t7 < t6);
    let t10 = t9 * p.c3;
    let t11 = t8 - t9;
    let t12 = select(t8, t11, t10 < t8);
    let t13 = t8 + t9;
    let t14 = select(t9, t13, t10 < t8);
    let t15 = p.c1 + t14;
    let t16 = select(t15, t14, 0.0lf < t14);
    let t17 = t12 / t16;
    let t18 = t17 * t17;
    let t19 = t17 * t18;
    let t20 = t18 * p.c4 + p.c5;
    let t21 = t18 * t20 + p.c6;
    let t22 = t18 * t21 + p.c7;
    let t23 = t18 * t22 + p.c8;
    let t24 = t18 * t23 + p.c9;
    let t25 = t18 * t24 + p.c10;
    let t26 = t18 * t25 + p.c11;
    let t27 = t18 * t26 + p.c12;
    let t28 = t18 * t27 + p.c13;
    let t29 = t18 * t28 + p.c14;
    let t30 = t18 * t29 + p.c15;
    let t31 = t19 * t30 + t17;
    let t32 = t31 + p.c16;
    let t33 = select(t31, t32, t10 < t8);
    let t34 = p.c17 - t33;
    let t35 = select(t33, t34, t6 < t7);
    let t36 = p.c18 - t35;
    let t37 = select(t35, t36, t4 < 0.0lf);
    let t38 = -(t37);
    let t39 = select(t37, t38, t1 < 0.0lf);
    let t40 = s.angle_0 - t39;
    let t41 = t40 * p.c20;
    let t42 = p.c0 + t41;
    let t43 = floor(t42);
    let t44 = p.c19 * t43 + t39;
    let t45 = p.c22 * t44;
    let t46 = s.wz - p.c23 * t45;
    let t47 = s.half_wz * p.c24;
    let t48 = t47 * t47 + p.c1;
    let t49 = p.c2 / t48;
    let t50 = s.q0 - s.q3 * t47;
    let t51 = s.q0 * t47 + s.q3;
    let t52 = t49 * t50 - s.q0;
    let t53 = t49 * t51 - s.q3;
    let t54 = t52 * t52;
    let t55 = t53 * t53 + t54;
    let t56 = p.c21 - p.c0 * t55;
    let t57 = t52 * t56;
    let t58 = t53 * t56;
    let t59 = p.c2 * t58;
    let t60 = t57 * t59;
    let t61 = -(t60);
    let t62 = t58 * t59;
    let t63 = p.c1 - t62;
    let t64 = -(t63);
    let t65 = select(t63, t64, t63 < 0.0lf);
    let t66 = select(t60, t61, t60 < 0.0lf);
    let t67 = select(t65, t66, t66 < t65);
    let t68 = select(t66, t65, t66 < t65);
    let t69 = p.c3 * t68;
    let t70 = t67 - t68;
    let t71 = select(t67, t70, t69 < t67);
    let t72 = t67 + t68;
    let t73 = select(t68, t72, t69 < t67);
    let t74 = p.c1 + t73;
    let t75 = select(t74, t73, 0.0lf < t73);
    let t76 = t71 / t75;
    let t77 = t76 * t76;
    let t78 = t76 * t77;
    let t79 = p.c4 * t77 + p.c5;
    let t80 = t77 * t79 + p.c6;
    let t81 = t77 * t80 + p.c7;
    let t82 = t77 * t81 + p.c8;
    let t83 = t77 * t82 + p.c9;
    let t84 = t77 * t83 + p.c10;
    let t85 = t77 * t84 + p.c11;
    let t86 = t77 * t85 + p.c12;
    let t87 = t77 * t86 + p.c13;
    let t88 = t77 * t87 + p.c14;
    let t89 = t77 * t88 + p.c15;
    let t90 = t78 * t89 + t76;
    let t91 = p.c16 + t90;
    let t92 = select(t90, t91, t69 < t67);
    let t93 = p.c17 - t92;
    let t94 = select(t92, t93, t65 < t66);
    let t95 = p.c18 - t94;
    let t96 = select(t94, t95, t63 < 0.0lf);
    let t97 = -(t96);
    let t98 = select(t96, t97, t60 < 0.0lf);
    let t99 = s.angle_0 - t98;
    let t100 = p.c20 * t99;
    let t101 = p.c0 + t100;
    let t102 = floor(t101);
    let t103 = p.c19 * t102 + t98;
    let t104 = p.c22 * t103;
    let t105 = s.half_wz - p.c23 * t104;
    let t106 = p.c24 * t46;
    let t107 = t106 * t106 + p.c1;
    let t108 = p.c2 / t107;
    let t109 = s.half_q0 - s.half_q3 * t106;
    let t110 = s.half_q0 * t106 + s.half_q3;
    let t111 = t108 * t109 - s.half_q0;
    let t112 = t108 * t110 - s.half_q3;
    let t113 = t111 * t111;
    let t114 = t112 * t112 + t113;
    let t115 = p.c21 - p.c0 * t114;
    let t116 = t111 * t115;
    let t117 = t112 * t115;
    var next: State;
    next.q0 = t57;
    next.q3 = t58;
    next.wz = t46;
    next.angle_0 = t103;
    next.half_q0 = t116;
    next.half_q3 = t117;
    next.half_wz = t105;
    return next;
}

// What the method carries, at the start. (630 operations.)
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
    let t13 = select(t11, t12, t11 < 0.0lf);
    let t14 = select(t8, t9, t8 < 0.0lf);
    let t15 = select(t13, t14, t14 < t13);
    let t16 = select(t14, t13, t14 < t13);
    let t17 = shared_values[4] * t16;
    let t18 = t15 - t16;
    let t19 = select(t15, t18, t17 < t15);
    let t20 = t15 + t16;
    let t21 = select(t16, t20, t17 < t15);
    let t22 = shared_values[1] + t21;
    let t23 = select(t22, t21, 0.0lf < t21);
    let t24 = t19 / t23;
    let t25 = t24 * t24;
    let t26 = t24 * t25;
    let t27 = shared_values[5] * t25 + shared_values[6];
    let t28 = t25 * t27 + shared_values[7];
    let t29 = t25 * t28 + shared_values[8];
    let t30 = t25 * t29 + shared_values[9];
    let t31 = t25 * t30 + shared_values[10];
    let t32 = t25 * t31 + shared_values[11];
    let t33 = t25 * t32 + shared_values[12];
    let t34 = t25 * t33 + shared_values[13];
    let t35 = t25 * t34 + shared_values[14];
    let t36 = t25 * t35 + shared_values[15];
    let t37 = t25 * t36 + shared_values[16];
    let t38 = t26 * t37 + t24;
    let t39 = shared_values[17] + t38;
    let t40 = select(t38, t39, t17 < t15);
    let t41 = shared_values[18] - t40;
    let t42 = select(t40, t41, t13 < t14);
    let t43 = shared_values[19] - t42;
    let t44 = select(t42, t43, t11 < 0.0lf);
    let t45 = -(t44);
    let t46 = select(t44, t45, t8 < 0.0lf);
    let t47 = s.angle_0 - t46;
    let t48 = shared_values[21] * t47;
    let t49 = shared_values[0] + t48;
    let t50 = floor(t49);
    let t51 = shared_values[20] * t50 + t46;
    let t52 = parameters[3u * run.stride + instance] * t51;
    let t53 = t0 * t52;
    let t54 = shared_values[0] * t0;
    let t55 = s.q3 * s.wz;
    let t56 = s.q0 * s.wz;
    let t57 = t54 * t55;
    let t58 = t54 * t56;
    let t59 = s.q0 - shared_values[0] * t57;
    let t60 = shared_values[0] * t58 + s.q3;
    let t61 = s.wz - shared_values[0] * t53;
    let t62 = t59 * t59;
    let t63 = t60 * t60 + t62;
    let t64 = sqrt(t63);
    let t65 = shared_values[1] / t64;
    let t66 = t59 * t65;
    let t67 = t60 * t65;
    let t68 = shared_values[3] * t67;
    let t69 = t66 * t68;
    let t70 = -(t69);
    let t71 = t67 * t68;
    let t72 = shared_values[1] - t71;
    let t73 = -(t72);
    let t74 = select(t72, t73, t72 < 0.0lf);
    let t75 = select(t69, t70, t69 < 0.0lf);
    let t76 = select(t74, t75, t75 < t74);
    let t77 = select(t75, t74, t75 < t74);
    let t78 = shared_values[4] * t77;
    let t79 = t76 - t77;
    let t80 = select(t76, t79, t78 < t76);
    let t81 = t76 + t77;
    let t82 = select(t77, t81, t78 < t76);
    let t83 = shared_values[1] + t82;
    let t84 = select(t83, t82, 0.0lf < t82);
    let t85 = t80 / t84;
    let t86 = t85 * t85;
    let t87 = t85 * t86;
    let t88 = shared_values[5] * t86 + shared_values[6];
    let t89 = t86 * t88 + shared_values[7];
    let t90 = t86 * t89 + shared_values[8];
    let t91 = t86 * t90 + shared_values[9];
    let t92 = t86 * t91 + shared_values[10];
    let t93 = t86 * t92 + shared_values[11];
    let t94 = t86 * t93 + shared_values[12];
    let t95 = t86 * t94 + shared_values[13];
    let t96 = t86 * t95 + shared_values[14];
    let t97 = t86 * t96 + shared_values[15];
    let t98 = t86 * t97 + shared_values[16];
    let t99 = t87 * t98 + t85;
    let t100 = shared_values[17] + t99;
    let t101 = select(t99, t100, t78 < t76);
    let t102 = shared_values[18] - t101;
    let t103 = select(t101, t102, t74 < t75);
    let t104 = shared_values[19] - t103;
    let t105 = select(t103, t104, t72 < 0.0lf);
    let t106 = -(t105);
    let t107 = select(t105, t106, t69 < 0.0lf);
    let t108 = s.angle_0 - t107;
    let t109 = shared_values[21] * t108;
    let t110 = shared_values[0] + t109;
    let t111 = floor(t110);
    let t112 = shared_values[20] * t111 + t107;
    let t113 = parameters[3u * run.stride + instance] * t112;
    let t114 = t0 * t113;
    let t115 = t60 * t61;
    let t116 = t59 * t61;
    let t117 = t54 * t115;
    let t118 = t54 * t116;
    let t119 = s.q0 - shared_values[0] * t117;
    let t120 = shared_values[0] * t118 + s.q3;
    let t121 = s.wz - shared_values[0] * t114;
    let t122 = t119 * t119;
    let t123 = t120 * t120 + t122;
    let t124 = sqrt(t123);
    let t125 = shared_values[1] / t124;
    let t126 = t119 * t125;
    let t127 = t120 * t125;
    let t128 = shared_values[3] * t127;
    let t129 = t126 * t128;
    let t130 = -(t129);
    let t131 = t127 * t128;
    let t132 = shared_values[1] - t131;
    let t133 = -(t132);
    let t134 = select(t132, t133, t132 < 0.0lf);
    let t135 = select(t129, t130, t129 < 0.0lf);
    let t136 = select(t134, t135, t135 < t134);
    let t137 = select(t135, t134, t135 < t134);
    let t138 = shared_values[4] * t137;
    let t139 = t136 - t137;
    let t140 = select(t136, t139, t138 < t136);
    let t141 = t136 + t137;
    let t142 = select(t137, t141, t138 < t136);
    let t143 = shared_values[1] + t142;
    let t144 = select(t143, t142, 0.0lf < t142);
    let t145 = t140 / t144;
    let t146 = t145 * t145;
    let t147 = t145 * t146;
    let t148 = shared_values[5] * t146 + shared_values[6];
    let t149 = t146 * t148 + shared_values[7];
    let t150 = t146 * t149 + shared_values[8];
    let t151 = t146 * t150 + shared_values[9];
    let t152 = t146 * t151 + shared_values[10];
    let t153 = t146 * t152 + shared_values[11];
    let t154 = t146 * t153 + shared_values[12];
    let t155 = t146 * t154 + shared_values[13];
    let t156 = t146 * t155 + shared_values[14];
    let t157 = t146 * t156 + shared_values[15];
    let t158 = t146 * t157 + shared_values[16];
    let t159 = t147 * t158 + t145;
    let t160 = shared_values[17] + t159;
    let t161 = select(t159, t160, t138 < t136);
    let t162 = shared_values[18] - t161;
    let t163 = select(t161, t162, t134 < t135);
    let t164 = shared_values[19] - t163;
    let t165 = select(t163, t164, t132 < 0.0lf);
    let t166 = -(t165);
    let t167 = select(t165, t166, t129 < 0.0lf);
    let t168 = s.angle_0 - t167;
    let t169 = shared_values[21] * t168;
    let t170 = shared_values[0] + t169;
    let t171 = floor(t170);
    let t172 = shared_values[20] * t171 + t167;
    let t173 = parameters[3u * run.stride + instance] * t172;
    let t174 = t0 * t173;
    let t175 = t120 * t121;
    let t176 = t119 * t121;
    let t177 = t54 * t175;
    let t178 = t54 * t176;
    let t179 = shared_values[3] * t117 + t57;
    let t180 = shared_values[3] * t118 + t58;
    let t181 = shared_values[3] * t114 + t53;
    let t182 = shared_values[3] * t177 + t179;
    let t183 = shared_values[3] * t178 + t180;
    let t184 = shared_values[3] * t174 + t181;
    let t185 = s.q0 - t177;
    let t186 = s.q3 + t178;
    let t187 = s.wz - t174;
    let t188 = t185 * t185;
    let t189 = t186 * t186 + t188;
    let t190 = sqrt(t189);
    let t191 = shared_values[1] / t190;
    let t192 = t185 * t191;
    let t193 = t186 * t191;
    let t194 = shared_values[3] * t193;
    let t195 = t192 * t194;
    let t196 = -(t195);
    let t197 = t193 * t194;
    let t198 = shared_values[1] - t197;
    let t199 = -(t198);
    let t200 = select(t198, t199, t198 < 0.0lf);
    let t201 = select(t195, t196, t195 < 0.0lf);
    let t202 = select(t200, t201, t201 < t200);
    let t203 = select(t201, t200, t201 < t200);
    let t204 = shared_values[4] * t203;
    let t205 = t202 - t203;
    let t206 = select(t202, t205, t204 < t202);
    let t207 = t202 + t203;
    let t208 = select(t203, t207, t204 < t202);
    let t209 = shared_values[1] + t208;
    let t210 = select(t209, t208, 0.0lf < t208);
    let t211 = t206 / t210;
    let t212 = t211 * t211;
    let t213 = t211 * t212;
    let t214 = shared_values[5] * t212 + shared_values[6];
    let t215 = t212 * t214 + shared_values[7];
    let t216 = t212 * t215 + shared_values[8];
    let t217 = t212 * t216 + shared_values[9];
    let t218 = t212 * t217 + shared_values[10];
    let t219 = t212 * t218 + shared_values[11];
    let t220 = t212 * t219 + shared_values[12];
    let t221 = t212 * t220 + shared_values[13];
    let t222 = t212 * t221 + shared_values[14];
    let t223 = t212 * t222 + shared_values[15];
    let t224 = t212 * t223 + shared_values[16];
    let t225 = t213 * t224 + t211;
    let t226 = shared_values[17] + t225;
    let t227 = select(t225, t226, t204 < t202);
    let t228 = shared_values[18] - t227;
    let t229 = select(t227, t228, t200 < t201);
    let t230 = shared_values[19] - t229;
    let t231 = select(t229, t230, t198 < 0.0lf);
    let t232 = -(t231);
    let t233 = select(t231, t232, t195 < 0.0lf);
    let t234 = s.angle_0 - t233;
    let t235 = shared_values[21] * t234;
    let t236 = shared_values[0] + t235;
    let t237 = floor(t236);
    let t238 = shared_values[20] * t237 + t233;
    let t239 = parameters[3u * run.stride + instance] * t238;
    let t240 = t0 * t239 + t184;
    let t241 = t186 * t187;
    let t242 = t185 * t187;
    let t243 = t54 * t241 + t182;
    let t244 = t54 * t242 + t183;
    let t245 = s.q0 - shared_values[23] * t243;
    let t246 = shared_values[23] * t244 + s.q3;
    let t247 = s.wz - shared_values[23] * t240;
    let t248 = t245 * t245;
    let t249 = t246 * t246 + t248;
    let t250 = sqrt(t249);
    let t251 = shared_values[1] / t250;
    let t252 = t245 * t251;
    let t253 = t246 * t251;
    let t254 = t252 * t252;
    let t255 = t253 * t253 + t254;
    let t256 = sqrt(t255);
    let t257 = shared_values[1] / t256;
    let t258 = t252 * t257;
    let t259 = t253 * t257;
    let t260 = shared_values[3] * t259;
    let t261 = t258 * t260;
    let t262 = -(t261);
    let t263 = t259 * t260;
    let t264 = shared_values[1] - t263;
    let t265 = -(t264);
    let t266 = select(t264, t265, t264 < 0.0lf);
    let t267 = select(t261, t262, t261 < 0.0lf);
    let t268 = select(t266, t267, t267 < t266);
    let t269 = select(t267, t266, t267 < t266);
    let t270 = shared_values[4] * t269;
    let t271 = t268 - t269;
    let t272 = select(t268, t271, t270 < t268);
    let t273 = t268 + t269;
    let t274 = select(t269, t273, t270 < t268);
    let t275 = shared_values[1] + t274;
    let t276 = select(t275, t274, 0.0lf < t274);
    let t277 = t272 / t276;
    let t278 = t277 * t277;
    let t279 = t277 * t278;
    let t280 = shared_values[5] * t278 + shared_values[6];
    let t281 = t278 * t280 + shared_values[7];
    let t282 = t278 * t281 + shared_values[8];
    let t283 = t278 * t282 + shared_values[9];
    let t284 = t278 * t283 + shared_values[10];
    let t285 = t278 * t284 + shared_values[11];
    let t286 = t278 * t285 + shared_values[12];
    let t287 = t278 * t286 + shared_values[13];
    let t288 = t278 * t287 + shared_values[14];
    let t289 = t278 * t288 + shared_values[15];
    let t290 = t278 * t289 + shared_values[16];
    let t291 = t279 * t290 + t277;
    let t292 = shared_values[17] + t291;
    let t293 = select(t291, t292, t270 < t268);
    let t294 = shared_values[18] - t293;
    let t295 = select(t293, t294, t266 < t267);
    let t296 = shared_values[19] - t295;
    let t297 = select(t295, t296, t264 < 0.0lf);
    let t298 = -(t297);
    let t299 = select(t297, t298, t261 < 0.0lf);
    let t300 = s.angle_0 - t299;
    let t301 = shared_values[21] * t300;
    let t302 = shared_values[0] + t301;
    let t303 = floor(t302);
    let t304 = shared_values[20] * t303 + t299;
    let t305 = parameters[3u * run.stride + instance] * t304;
    let t306 = t0 * t305;
    let t307 = t247 * t253;
    let t308 = t247 * t252;
    let t309 = t54 * t307;
    let t310 = t54 * t308;
    let t311 = t252 - shared_values[0] * t309;
    let t312 = shared_values[0] * t310 + t253;
    let t313 = t247 - shared_values[0] * t306;
    let t314 = t311 * t311;
    let t315 = t312 * t312 + t314;
    let t316 = sqrt(t315);
    let t317 = shared_values[1] / t316;
    let t318 = t311 * t317;
    let t319 = t312 * t317;
    let t320 = shared_values[3] * t319;
    let t321 = t318 * t320;
    let t322 = -(t321);
    let t323 = t319 * t320;
    let t324 = shared_values[1] - t323;
    let t325 = -(t324);
    let t326 = select(t324, t325, t324 < 0.0lf);
    let t327 = select(t321, t322, t321 < 0.0lf);
    let t328 = select(t326, t327, t327 < t326);
    let t329 = select(t327, t326, t327 < t326);
    let t330 = shared_values[4] * t329;
    let t331 = t328 - t329;
    let t332 = select(t328, t331, t330 < t328);
    let t333 = t328 + t329;
    let t334 = select(t329, t333, t330 < t328);
    let t335 = shared_values[1] + t334;
    let t336 = select(t335, t334, 0.0lf < t334);
    let t337 = t332 / t336;
    let t338 = t337 * t337;
    let t339 = t337 * t338;
    let t340 = shared_values[5] * t338 + shared_values[6];
    let t341 = t338 * t340 + shared_values[7];
    let t342 = t338 * t341 + shared_values[8];
    let t343 = t338 * t342 + shared_values[9];
    let t344 = t338 * t343 + shared_values[10];
    let t345 = t338 * t344 + shared_values[11];
    let t346 = t338 * t345 + shared_values[12];
    let t347 = t338 * t346 + shared_values[13];
    let t348 = t338 * t347 + shared_values[14];
    let t349 = t338 * t348 + shared_values[15];
    let t350 = t338 * t349 + shared_values[16];
    let t351 = t339 * t350 + t337;
    let t352 = shared_values[17] + t351;
    let t353 = select(t351, t352, t330 < t328);
    let t354 = shared_values[18] - t353;
    let t355 = select(t353, t354, t326 < t327);
    let t356 = shared_values[19] - t355;
    let t357 = select(t355, t356, t324 < 0.0lf);
    let t358 = -(t357);
    let t359 = select(t357, t358, t321 < 0.0lf);
    let t360 = s.angle_0 - t359;
    let t361 = shared_values[21] * t360;
    let t362 = shared_values[0] + t361;
    let t363 = floor(t362);
    let t364 = shared_values[20] * t363 + t359;
    let t365 = parameters[3u * run.stride + instance] * t364;
    let t366 = t0 * t365;
    let t367 = t312 * t313;
    let t368 = t311 * t313;
    let t369 = t54 * t367;
    let t370 = t54 * t368;
    let t371 = t252 - shared_values[0] * t369;
    let t372 = shared_values[0] * t370 + t253;
    let t373 = t247 - shared_values[0] * t366;
    let t374 = t371 * t371;
    let t375 = t372 * t372 + t374;
    let t376 = sqrt(t375);
    let t377 = shared_values[1] / t376;
    let t378 = t371 * t377;
    let t379 = t372 * t377;
    let t380 = shared_values[3] * t379;
    let t381 = t378 * t380;
    let t382 = -(t381);
    let t383 = t379 * t380;
    let t384 = shared_values[1] - t383;
    let t385 = -(t384);
    let t386 = select(t384, t385, t384 < 0.0lf);
    let t387 = select(t381, t382, t381 < 0.0lf);
    let t388 = select(t386, t387, t387 < t386);
    let t389 = select(t387, t386, t387 < t386);
    let t390 = shared_values[4] * t389;
    let t391 = t388 - t389;
    let t392 = select(t388, t391, t390 < t388);
    let t393 = t388 + t389;
    let t394 = select(t389, t393, t390 < t388);
    let t395 = shared_values[1] + t394;
    let t396 = select(t395, t394, 0.0lf < t394);
    let t397 = t392 / t396;
    let t398 = t397 * t397;
    let t399 = t397 * t398;
    let t400 = shared_values[5] * t398 + shared_values[6];
    let t401 = t398 * t400 + shared_values[7];
    let t402 = t398 * t401 + shared_values[8];
    let t403 = t398 * t402 + shared_values[9];
    let t404 = t398 * t403 + shared_values[10];
    let t405 = t398 * t404 + shared_values[11];
    let t406 = t398 * t405 + shared_values[12];
    let t407 = t398 * t406 + shared_values[13];
    let t408 = t398 * t407 + shared_values[14];
    let t409 = t398 * t408 + shared_values[15];
    let t410 = t398 * t409 + shared_values[16];
    let t411 = t399 * t410 + t397;
    let t412 = shared_values[17] + t411;
    let t413 = select(t411, t412, t390 < t388);
    let t414 = shared_values[18] - t413;
    let t415 = select(t413, t414, t386 < t387);
    let t416 = shared_values[19] - t415;
    let t417 = select(t415, t416, t384 < 0.0lf);
    let t418 = -(t417);
    let t419 = select(t417, t418, t381 < 0.0lf);
    let t420 = s.angle_0 - t419;
    let t421 = shared_values[21] * t420;
    let t422 = shared_values[0] + t421;
    let t423 = floor(t422);
    let t424 = shared_values[20] * t423 + t419;
    let t425 = parameters[3u * run.stride + instance] * t424;
    let t426 = t0 * t425;
    let t427 = t372 * t373;
    let t428 = t371 * t373;
    let t429 = t54 * t427;
    let t430 = t54 * t428;
    let t431 = shared_values[3] * t369 + t309;
    let t432 = shared_values[3] * t370 + t310;
    let t433 = shared_values[3] * t366 + t306;
    let t434 = shared_values[3] * t429 + t431;
    let t435 = shared_values[3] * t430 + t432;
    let t436 = shared_values[3] * t426 + t433;
    let t437 = t252 - t429;
    let t438 = t253 + t430;
    let t439 = t247 - t426;
    let t440 = t437 * t437;
    let t441 = t438 * t438 + t440;
    let t442 = sqrt(t441);
    let t443 = shared_values[1] / t442;
    let t444 = t437 * t443;
    let t445 = t438 * t443;
    let t446 = shared_values[3] * t445;
    let t447 = t444 * t446;
    let t448 = -(t447);
    let t449 = t445 * t446;
    let t450 = shared_values[1] - t449;
    let t451 = -(t450);
    let t452 = select(t450, t451, t450 < 0.0lf);
    let t453 = select(t447, t448, t447 < 0.0lf);
    let t454 = select(t452, t453, t453 < t452);
    let t455 = select(t453, t452, t453 < t452);
    let t456 = shared_values[4] * t455;
    let t457 = t454 - t455;
    let t458 = select(t454, t457, t456 < t454);
    let t459 = t454 + t455;
    let t460 = select(t455, t459, t456 < t454);
    let t461 = shared_values[1] + t460;
    let t462 = select(t461, t460, 0.0lf < t460);
    let t463 = t458 / t462;
    let t464 = t463 * t463;
    let t465 = t463 * t464;
    let t466 = shared_values[5] * t464 + shared_values[6];
    let t467 = t464 * t466 + shared_values[7];
    let t468 = t464 * t467 + shared_values[8];
    let t469 = t464 * t468 + shared_values[9];
    let t470 = t464 * t469 + shared_values[10];
    let t471 = t464 * t470 + shared_values[11];
    let t472 = t464 * t471 + shared_values[12];
    let t473 = t464 * t472 + shared_values[13];
    let t474 = t464 * t473 + shared_values[14];
    let t475 = t464 * t474 + shared_values[15];
    let t476 = t464 * t475 + shared_values[16];
    let t477 = t465 * t476 + t463;
    let t478 = shared_values[17] + t477;
    let t479 = select(t477, t478, t456 < t454);
    let t480 = shared_values[18] - t479;
    let t481 = select(t479, t480, t452 < t453);
    let t482 = shared_values[19] - t481;
    let t483 = select(t481, t482, t450 < 0.0lf);
    let t484 = -(t483);
    let t485 = select(t483, t484, t447 < 0.0lf);
    let t486 = s.angle_0 - t485;
    let t487 = shared_values[21] * t486;
    let t488 = shared_values[0] + t487;
    let t489 = floor(t488);
    let t490 = shared_values[20] * t489 + t485;
    let t491 = parameters[3u * run.stride + instance] * t490;
    let t492 = t0 * t491 + t436;
    let t493 = t438 * t439;
    let t494 = t437 * t439;
    let t495 = t54 * t493 + t434;
    let t496 = t54 * t494 + t435;
    let t497 = t252 - shared_values[23] * t495;
    let t498 = shared_values[23] * t496 + t253;
    let t499 = t247 - shared_values[23] * t492;
    let t500 = t497 * t497;
    let t501 = t498 * t498 + t500;
    let t502 = sqrt(t501);
    let t503 = shared_values[1] / t502;
    let t504 = t497 * t503;
    let t505 = t498 * t503;
    var next = s;
    next.half_q0 = t504;
    next.half_q3 = t505;
    next.half_wz = t499;
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
    let t6 = select(t4, t5, t4 < 0.0lf);
    let t7 = select(t1, t2, t1 < 0.0lf);
    let t8 = select(t6, t7, t7 < t6);
    let t9 = select(t7, t6, t7 < t6);
    let t10 = shared_values[4] * t9;
    let t11 = t8 - t9;
    let t12 = select(t8, t11, t10 < t8);
    let t13 = t8 + t9;
    let t14 = select(t9, t13, t10 < t8);
    let t15 = shared_values[1] + t14;
    let t16 = select(t15, t14, 0.0lf < t14);
    let t17 = t12 / t16;
    let t18 = t17 * t17;
    let t19 = t17 * t18;
    let t20 = shared_values[5] * t18 + shared_values[6];
    let t21 = t18 * t20 + shared_values[7];
    let t22 = t18 * t21 + shared_values[8];
    let t23 = t18 * t22 + shared_values[9];
    let t24 = t18 * t23 + shared_values[10];
    let t25 = t18 * t24 + shared_values[11];
    let t26 = t18 * t25 + shared_values[12];
    let t27 = t18 * t26 + shared_values[13];
    let t28 = t18 * t27 + shared_values[14];
    let t29 = t18 * t28 + shared_values[15];
    let t30 = t18 * t29 + shared_values[16];
    let t31 = t19 * t30 + t17;
    let t32 = shared_values[17] + t31;
    let t33 = select(t31, t32, t10 < t8);
    let t34 = shared_values[18] - t33;
    let t35 = select(t33, t34, t6 < t7);
    let t36 = shared_values[19] - t35;
    let t37 = select(t35, t36, t4 < 0.0lf);
    let t38 = -(t37);
    let t39 = select(t37, t38, t1 < 0.0lf);
    let t40 = s.angle_0 - t39;
    let t41 = shared_values[21] * t40;
    let t42 = shared_values[0] + t41;
    let t43 = floor(t42);
    let t44 = shared_values[20] * t43 + t39;
    let t45 = s.wz * s.wz;
    let t46 = shared_values[0] * t45;
    let t47 = t46 - parameters[0u * run.stride + instance];
    let t48 = shared_values[0] * parameters[3u * run.stride + instance];
    let t49 = t44 * t44;
    let t50 = t48 * t49;
    let t51 = t47 + t50;
    let t52 = parameters[1u * run.stride + instance] * shared_values[24];
    return Judged(t51, t52);
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
