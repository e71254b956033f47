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

// What the method carries, at the start. (652 operations.)
fn begin(instance: u32, s: State) -> State {
    let t0 = parameters[2u * run.stride + instance] * shared_values[2];
    let t1 = s.q3 * shared_values[3];
    let t2 = s.q0 * t1;
    let t3 = -(t2);
    let t4 = s.q3 * t1;
    let t5 = shared_values[1] - t4;
    let t6 = -(t5);
    let t7 = select(t5, t6, t5 < 0.0lf);
    let t8 = select(t2, t3, t2 < 0.0lf);
    let t9 = select(t7, t8, t8 < t7);
    let t10 = select(t8, t7, t8 < t7);
    let t11 = shared_values[4] * t10;
    let t12 = t9 - t10;
    let t13 = select(t9, t12, t11 < t9);
    let t14 = t9 + t10;
    let t15 = select(t10, t14, t11 < t9);
    let t16 = shared_values[1] + t15;
    let t17 = select(t16, t15, 0.0lf < t15);
    let t18 = t13 / t17;
    let t19 = t18 * t18;
    let t20 = t18 * t19;
    let t21 = shared_values[5] * t19 + shared_values[6];
    let t22 = t19 * t21 + shared_values[7];
    let t23 = t19 * t22 + shared_values[8];
    let t24 = t19 * t23 + shared_values[9];
    let t25 = t19 * t24 + shared_values[10];
    let t26 = t19 * t25 + shared_values[11];
    let t27 = t19 * t26 + shared_values[12];
    let t28 = t19 * t27 + shared_values[13];
    let t29 = t19 * t28 + shared_values[14];
    let t30 = t19 * t29 + shared_values[15];
    let t31 = t19 * t30 + shared_values[16];
    let t32 = t20 * t31 + t18;
    let t33 = shared_values[17] + t32;
    let t34 = select(t32, t33, t11 < t9);
    let t35 = shared_values[18] - t34;
    let t36 = select(t34, t35, t7 < t8);
    let t37 = shared_values[19] - t36;
    let t38 = select(t36, t37, t5 < 0.0lf);
    let t39 = -(t38);
    let t40 = select(t38, t39, t2 < 0.0lf);
    let t41 = s.angle_0 - t40;
    let t42 = shared_values[21] * t41;
    let t43 = shared_values[0] + t42;
    let t44 = floor(t43);
    let t45 = shared_values[20] * t44 + t40;
    let t46 = parameters[3u * run.stride + instance] * t45;
    let t47 = t0 * t46;
    let t48 = shared_values[0] * t0;
    let t49 = s.q3 * s.wz;
    let t50 = s.q0 * s.wz;
    let t51 = t48 * t49;
    let t52 = t48 * t50;
    let t53 = s.q0 - shared_values[0] * t51;
    let t54 = shared_values[0] * t52 + s.q3;
    let t55 = s.wz - shared_values[0] * t47;
    let t56 = t53 * t53;
    let t57 = t54 * t54 + t56;
    let t58 = t57 + shared_values[25];
    let t59 = t57 * t58 + shared_values[24];
    let t60 = t57 * shared_values[24] + shared_values[25];
    let t61 = t57 * t60 + shared_values[1];
    let t62 = t59 / t61;
    let t63 = t53 * t62;
    let t64 = t54 * t62;
    let t65 = shared_values[3] * t64;
    let t66 = t63 * t65;
    let t67 = -(t66);
    let t68 = t64 * t65;
    let t69 = shared_values[1] - t68;
    let t70 = -(t69);
    let t71 = select(t69, t70, t69 < 0.0lf);
    let t72 = select(t66, t67, t66 < 0.0lf);
    let t73 = select(t71, t72, t72 < t71);
    let t74 = select(t72, t71, t72 < t71);
    let t75 = shared_values[4] * t74;
    let t76 = t73 - t74;
    let t77 = select(t73, t76, t75 < t73);
    let t78 = t73 + t74;
    let t79 = select(t74, t78, t75 < t73);
    let t80 = shared_values[1] + t79;
    let t81 = select(t80, t79, 0.0lf < t79);
    let t82 = t77 / t81;
    let t83 = t82 * t82;
    let t84 = t82 * t83;
    let t85 = shared_values[5] * t83 + shared_values[6];
    let t86 = t83 * t85 + shared_values[7];
    let t87 = t83 * t86 + shared_values[8];
    let t88 = t83 * t87 + shared_values[9];
    let t89 = t83 * t88 + shared_values[10];
    let t90 = t83 * t89 + shared_values[11];
    let t91 = t83 * t90 + shared_values[12];
    let t92 = t83 * t91 + shared_values[13];
    let t93 = t83 * t92 + shared_values[14];
    let t94 = t83 * t93 + shared_values[15];
    let t95 = t83 * t94 + shared_values[16];
    let t96 = t84 * t95 + t82;
    let t97 = shared_values[17] + t96;
    let t98 = select(t96, t97, t75 < t73);
    let t99 = shared_values[18] - t98;
    let t100 = select(t98, t99, t71 < t72);
    let t101 = shared_values[19] - t100;
    let t102 = select(t100, t101, t69 < 0.0lf);
    let t103 = -(t102);
    let t104 = select(t102, t103, t66 < 0.0lf);
    let t105 = s.angle_0 - t104;
    let t106 = shared_values[21] * t105;
    let t107 = shared_values[0] + t106;
    let t108 = floor(t107);
    let t109 = shared_values[20] * t108 + t104;
    let t110 = parameters[3u * run.stride + instance] * t109;
    let t111 = t0 * t110;
    let t112 = t54 * t55;
    let t113 = t53 * t55;
    let t114 = t48 * t112;
    let t115 = t48 * t113;
    let t116 = s.q0 - shared_values[0] * t114;
    let t117 = shared_values[0] * t115 + s.q3;
    let t118 = s.wz - shared_values[0] * t111;
    let t119 = t116 * t116;
    let t120 = t117 * t117 + t119;
    let t121 = shared_values[25] + t120;
    let t122 = t120 * t121 + shared_values[24];
    let t123 = shared_values[24] * t120 + shared_values[25];
    let t124 = t120 * t123 + shared_values[1];
    let t125 = t122 / t124;
    let t126 = t116 * t125;
    let t127 = t117 * t125;
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
    let t175 = t117 * t118;
    let t176 = t116 * t118;
    let t177 = t48 * t175;
    let t178 = t48 * t176;
    let t179 = shared_values[3] * t114 + t51;
    let t180 = shared_values[3] * t115 + t52;
    let t181 = shared_values[3] * t111 + t47;
    let t182 = shared_values[3] * t177 + t179;
    let t183 = shared_values[3] * t178 + t180;
    let t184 = shared_values[3] * t174 + t181;
    let t185 = s.q0 - t177;
    let t186 = s.q3 + t178;
    let t187 = s.wz - t174;
    let t188 = t185 * t185;
    let t189 = t186 * t186 + t188;
    let t190 = shared_values[25] + t189;
    let t191 = t189 * t190 + shared_values[24];
    let t192 = shared_values[24] * t189 + shared_values[25];
    let t193 = t189 * t192 + shared_values[1];
    let t194 = t191 / t193;
    let t195 = t185 * t194;
    let t196 = t186 * t194;
    let t197 = shared_values[3] * t196;
    let t198 = t195 * t197;
    let t199 = -(t198);
    let t200 = t196 * t197;
    let t201 = shared_values[1] - t200;
    let t202 = -(t201);
    let t203 = select(t201, t202, t201 < 0.0lf);
    let t204 = select(t198, t199, t198 < 0.0lf);
    let t205 = select(t203, t204, t204 < t203);
    let t206 = select(t204, t203, t204 < t203);
    let t207 = shared_values[4] * t206;
    let t208 = t205 - t206;
    let t209 = select(t205, t208, t207 < t205);
    let t210 = t205 + t206;
    let t211 = select(t206, t210, t207 < t205);
    let t212 = shared_values[1] + t211;
    let t213 = select(t212, t211, 0.0lf < t211);
    let t214 = t209 / t213;
    let t215 = t214 * t214;
    let t216 = t214 * t215;
    let t217 = shared_values[5] * t215 + shared_values[6];
    let t218 = t215 * t217 + shared_values[7];
    let t219 = t215 * t218 + shared_values[8];
    let t220 = t215 * t219 + shared_values[9];
    let t221 = t215 * t220 + shared_values[10];
    let t222 = t215 * t221 + shared_values[11];
    let t223 = t215 * t222 + shared_values[12];
    let t224 = t215 * t223 + shared_values[13];
    let t225 = t215 * t224 + shared_values[14];
    let t226 = t215 * t225 + shared_values[15];
    let t227 = t215 * t226 + shared_values[16];
    let t228 = t216 * t227 + t214;
    let t229 = shared_values[17] + t228;
    let t230 = select(t228, t229, t207 < t205);
    let t231 = shared_values[18] - t230;
    let t232 = select(t230, t231, t203 < t204);
    let t233 = shared_values[19] - t232;
    let t234 = select(t232, t233, t201 < 0.0lf);
    let t235 = -(t234);
    let t236 = select(t234, t235, t198 < 0.0lf);
    let t237 = s.angle_0 - t236;
    let t238 = shared_values[21] * t237;
    let t239 = shared_values[0] + t238;
    let t240 = floor(t239);
    let t241 = shared_values[20] * t240 + t236;
    let t242 = parameters[3u * run.stride + instance] * t241;
    let t243 = t0 * t242 + t184;
    let t244 = t186 * t187;
    let t245 = t185 * t187;
    let t246 = t48 * t244 + t182;
    let t247 = t48 * t245 + t183;
    let t248 = s.q0 - shared_values[23] * t246;
    let t249 = shared_values[23] * t247 + s.q3;
    let t250 = s.wz - shared_values[23] * t243;
    let t251 = t248 * t248;
    let t252 = t249 * t249 + t251;
    let t253 = sqrt(t252);
    let t254 = shared_values[1] / t253;
    let t255 = t248 * t254;
    let t256 = t249 * t254;
    let t257 = shared_values[3] * t256;
    let t258 = t255 * t257;
    let t259 = -(t258);
    let t260 = t256 * t257;
    let t261 = shared_values[1] - t260;
    let t262 = -(t261);
    let t263 = select(t261, t262, t261 < 0.0lf);
    let t264 = select(t258, t259, t258 < 0.0lf);
    let t265 = select(t263, t264, t264 < t263);
    let t266 = select(t264, t263, t264 < t263);
    let t267 = shared_values[4] * t266;
    let t268 = t265 - t266;
    let t269 = select(t265, t268, t267 < t265);
    let t270 = t265 + t266;
    let t271 = select(t266, t270, t267 < t265);
    let t272 = shared_values[1] + t271;
    let t273 = select(t272, t271, 0.0lf < t271);
    let t274 = t269 / t273;
    let t275 = t274 * t274;
    let t276 = t274 * t275;
    let t277 = shared_values[5] * t275 + shared_values[6];
    let t278 = t275 * t277 + shared_values[7];
    let t279 = t275 * t278 + shared_values[8];
    let t280 = t275 * t279 + shared_values[9];
    let t281 = t275 * t280 + shared_values[10];
    let t282 = t275 * t281 + shared_values[11];
    let t283 = t275 * t282 + shared_values[12];
    let t284 = t275 * t283 + shared_values[13];
    let t285 = t275 * t284 + shared_values[14];
    let t286 = t275 * t285 + shared_values[15];
    let t287 = t275 * t286 + shared_values[16];
    let t288 = t276 * t287 + t274;
    let t289 = shared_values[17] + t288;
    let t290 = select(t288, t289, t267 < t265);
    let t291 = shared_values[18] - t290;
    let t292 = select(t290, t291, t263 < t264);
    let t293 = shared_values[19] - t292;
    let t294 = select(t292, t293, t261 < 0.0lf);
    let t295 = -(t294);
    let t296 = select(t294, t295, t258 < 0.0lf);
    let t297 = s.angle_0 - t296;
    let t298 = shared_values[21] * t297;
    let t299 = shared_values[0] + t298;
    let t300 = floor(t299);
    let t301 = shared_values[20] * t300 + t296;
    let t302 = parameters[3u * run.stride + instance] * t301;
    let t303 = t0 * t302;
    let t304 = t250 * t256;
    let t305 = t250 * t255;
    let t306 = t48 * t304;
    let t307 = t48 * t305;
    let t308 = t255 - shared_values[0] * t306;
    let t309 = shared_values[0] * t307 + t256;
    let t310 = t250 - shared_values[0] * t303;
    let t311 = t308 * t308;
    let t312 = t309 * t309 + t311;
    let t313 = shared_values[25] + t312;
    let t314 = t312 * t313 + shared_values[24];
    let t315 = shared_values[24] * t312 + shared_values[25];
    let t316 = t312 * t315 + shared_values[1];
    let t317 = t314 / t316;
    let t318 = t308 * t317;
    let t319 = t309 * t317;
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
    let t367 = t309 * t310;
    let t368 = t308 * t310;
    let t369 = t48 * t367;
    let t370 = t48 * t368;
    let t371 = t255 - shared_values[0] * t369;
    let t372 = shared_values[0] * t370 + t256;
    let t373 = t250 - shared_values[0] * t366;
    let t374 = t371 * t371;
    let t375 = t372 * t372 + t374;
    let t376 = shared_values[25] + t375;
    let t377 = t375 * t376 + shared_values[24];
    let t378 = shared_values[24] * t375 + shared_values[25];
    let t379 = t375 * t378 + shared_values[1];
    let t380 = t377 / t379;
    let t381 = t371 * t380;
    let t382 = t372 * t380;
    let t383 = shared_values[3] * t382;
    let t384 = t381 * t383;
    let t385 = -(t384);
    let t386 = t382 * t383;
    let t387 = shared_values[1] - t386;
    let t388 = -(t387);
    let t389 = select(t387, t388, t387 < 0.0lf);
    let t390 = select(t384, t385, t384 < 0.0lf);
    let t391 = select(t389, t390, t390 < t389);
    let t392 = select(t390, t389, t390 < t389);
    let t393 = shared_values[4] * t392;
    let t394 = t391 - t392;
    let t395 = select(t391, t394, t393 < t391);
    let t396 = t391 + t392;
    let t397 = select(t392, t396, t393 < t391);
    let t398 = shared_values[1] + t397;
    let t399 = select(t398, t397, 0.0lf < t397);
    let t400 = t395 / t399;
    let t401 = t400 * t400;
    let t402 = t400 * t401;
    let t403 = shared_values[5] * t401 + shared_values[6];
    let t404 = t401 * t403 + shared_values[7];
    let t405 = t401 * t404 + shared_values[8];
    let t406 = t401 * t405 + shared_values[9];
    let t407 = t401 * t406 + shared_values[10];
    let t408 = t401 * t407 + shared_values[11];
    let t409 = t401 * t408 + shared_values[12];
    let t410 = t401 * t409 + shared_values[13];
    let t411 = t401 * t410 + shared_values[14];
    let t412 = t401 * t411 + shared_values[15];
    let t413 = t401 * t412 + shared_values[16];
    let t414 = t402 * t413 + t400;
    let t415 = shared_values[17] + t414;
    let t416 = select(t414, t415, t393 < t391);
    let t417 = shared_values[18] - t416;
    let t418 = select(t416, t417, t389 < t390);
    let t419 = shared_values[19] - t418;
    let t420 = select(t418, t419, t387 < 0.0lf);
    let t421 = -(t420);
    let t422 = select(t420, t421, t384 < 0.0lf);
    let t423 = s.angle_0 - t422;
    let t424 = shared_values[21] * t423;
    let t425 = shared_values[0] + t424;
    let t426 = floor(t425);
    let t427 = shared_values[20] * t426 + t422;
    let t428 = parameters[3u * run.stride + instance] * t427;
    let t429 = t0 * t428;
    let t430 = t372 * t373;
    let t431 = t371 * t373;
    let t432 = t48 * t430;
    let t433 = t48 * t431;
    let t434 = shared_values[3] * t369 + t306;
    let t435 = shared_values[3] * t370 + t307;
    let t436 = shared_values[3] * t366 + t303;
    let t437 = shared_values[3] * t432 + t434;
    let t438 = shared_values[3] * t433 + t435;
    let t439 = shared_values[3] * t429 + t436;
    let t440 = t255 - t432;
    let t441 = t256 + t433;
    let t442 = t250 - t429;
    let t443 = t440 * t440;
    let t444 = t441 * t441 + t443;
    let t445 = shared_values[25] + t444;
    let t446 = t444 * t445 + shared_values[24];
    let t447 = shared_values[24] * t444 + shared_values[25];
    let t448 = t444 * t447 + shared_values[1];
    let t449 = t446 / t448;
    let t450 = t440 * t449;
    let t451 = t441 * t449;
    let t452 = shared_values[3] * t451;
    let t453 = t450 * t452;
    let t454 = -(t453);
    let t455 = t451 * t452;
    let t456 = shared_values[1] - t455;
    let t457 = -(t456);
    let t458 = select(t456, t457, t456 < 0.0lf);
    let t459 = select(t453, t454, t453 < 0.0lf);
    let t460 = select(t458, t459, t459 < t458);
    let t461 = select(t459, t458, t459 < t458);
    let t462 = shared_values[4] * t461;
    let t463 = t460 - t461;
    let t464 = select(t460, t463, t462 < t460);
    let t465 = t460 + t461;
    let t466 = select(t461, t465, t462 < t460);
    let t467 = shared_values[1] + t466;
    let t468 = select(t467, t466, 0.0lf < t466);
    let t469 = t464 / t468;
    let t470 = t469 * t469;
    let t471 = t469 * t470;
    let t472 = shared_values[5] * t470 + shared_values[6];
    let t473 = t470 * t472 + shared_values[7];
    let t474 = t470 * t473 + shared_values[8];
    let t475 = t470 * t474 + shared_values[9];
    let t476 = t470 * t475 + shared_values[10];
    let t477 = t470 * t476 + shared_values[11];
    let t478 = t470 * t477 + shared_values[12];
    let t479 = t470 * t478 + shared_values[13];
    let t480 = t470 * t479 + shared_values[14];
    let t481 = t470 * t480 + shared_values[15];
    let t482 = t470 * t481 + shared_values[16];
    let t483 = t471 * t482 + t469;
    let t484 = shared_values[17] + t483;
    let t485 = select(t483, t484, t462 < t460);
    let t486 = shared_values[18] - t485;
    let t487 = select(t485, t486, t458 < t459);
    let t488 = shared_values[19] - t487;
    let t489 = select(t487, t488, t456 < 0.0lf);
    let t490 = -(t489);
    let t491 = select(t489, t490, t453 < 0.0lf);
    let t492 = s.angle_0 - t491;
    let t493 = shared_values[21] * t492;
    let t494 = shared_values[0] + t493;
    let t495 = floor(t494);
    let t496 = shared_values[20] * t495 + t491;
    let t497 = parameters[3u * run.stride + instance] * t496;
    let t498 = t0 * t497 + t439;
    let t499 = t441 * t442;
    let t500 = t440 * t442;
    let t501 = t48 * t499 + t437;
    let t502 = t48 * t500 + t438;
    let t503 = t255 - shared_values[23] * t501;
    let t504 = shared_values[23] * t502 + t256;
    let t505 = t250 - shared_values[23] * t498;
    let t506 = t503 * t503;
    let t507 = t504 * t504 + t506;
    let t508 = sqrt(t507);
    let t509 = shared_values[1] / t508;
    let t510 = t503 * t509;
    let t511 = t504 * t509;
    var next = s;
    next.half_q0 = t510;
    next.half_q3 = t511;
    next.half_wz = t505;
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
    let t52 = parameters[1u * run.stride + instance] * shared_values[26];
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
