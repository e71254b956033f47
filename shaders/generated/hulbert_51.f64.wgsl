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
    q1: real,
    q2: real,
    q3: real,
    wx: real,
    wy: real,
    wz: real,
    half_q0: real,
    half_q1: real,
    half_q2: real,
    half_q3: real,
    half_wx: real,
    half_wy: real,
    half_wz: real,
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
    s.half_q0 = state[7u * run.stride + instance];
    s.half_q1 = state[8u * run.stride + instance];
    s.half_q2 = state[9u * run.stride + instance];
    s.half_q3 = state[10u * run.stride + instance];
    s.half_wx = state[11u * run.stride + instance];
    s.half_wy = state[12u * run.stride + instance];
    s.half_wz = state[13u * run.stride + instance];
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
    state[7u * run.stride + instance] = s.half_q0;
    state[8u * run.stride + instance] = s.half_q1;
    state[9u * run.stride + instance] = s.half_q2;
    state[10u * run.stride + instance] = s.half_q3;
    state[11u * run.stride + instance] = s.half_wx;
    state[12u * run.stride + instance] = s.half_wy;
    state[13u * run.stride + instance] = s.half_wz;
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
    next.half_q0 = flushed_real(s.half_q0);
    next.half_q1 = flushed_real(s.half_q1);
    next.half_q2 = flushed_real(s.half_q2);
    next.half_q3 = flushed_real(s.half_q3);
    next.half_wx = flushed_real(s.half_wx);
    next.half_wy = flushed_real(s.half_wy);
    next.half_wz = flushed_real(s.half_wz);
    return next;
}

fn is_finite_state(s: State) -> bool {
    return is_finite_real(s.q0)
        && is_finite_real(s.q1)
        && is_finite_real(s.q2)
        && is_finite_real(s.q3)
        && is_finite_real(s.wx)
        && is_finite_real(s.wy)
        && is_finite_real(s.wz);
}

const WORKGROUP = 64u;
const HAS_NORM_BOUND = false;
const NORM_BOUND_VALUE: real = 0.0lf;

fn norm_error(s: State) -> real {
    var largest = real(0.0);
    largest = max(largest, abs(sqrt(s.q3 * s.q3 + (s.q2 * s.q2 + (s.q1 * s.q1 + s.q0 * s.q0))) - real(1.0)));
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
}

fn prepare(instance: u32) -> Prepared {
    let t0 = shared_values[3] * shared_values[21];
    let t1 = parameters[0u * run.stride + instance] * shared_values[22];
    let t2 = shared_values[3] * shared_values[23];
    let t3 = parameters[0u * run.stride + instance] * shared_values[24];
    let t4 = t0 * shared_values[11];
    let t5 = t2 * shared_values[11];
    var p: Prepared;
    p.c0 = shared_values[0];
    p.c1 = shared_values[1];
    p.c2 = shared_values[2];
    p.c3 = shared_values[5];
    p.c4 = shared_values[8];
    p.c5 = shared_values[9];
    p.c6 = shared_values[10];
    p.c7 = shared_values[11];
    p.c8 = shared_values[12];
    p.c9 = shared_values[13];
    p.c10 = shared_values[14];
    p.c11 = t4;
    p.c12 = t1;
    p.c13 = t5;
    p.c14 = t3;
    return p;
}

// One full step: 170 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.half_wy * s.half_wz;
    let t1 = s.half_wx * s.half_wz;
    let t2 = s.half_wx * s.half_wy;
    let t3 = p.c4 * t0 + s.wx;
    let t4 = p.c5 * t1 + s.wy;
    let t5 = p.c6 * t2 + s.wz;
    let t6 = t3 + p.c11;
    let t7 = s.half_q3 * p.c12;
    let t8 = s.half_q1 * p.c12;
    let t9 = p.c9 * t7;
    let t10 = p.c9 * t8;
    let t11 = s.half_q2 * t10;
    let t12 = p.c12 - s.half_q3 * t9;
    let t13 = t12 - s.half_q1 * t10;
    let t14 = s.half_q2 * t9;
    let t15 = s.half_q0 * t9 + t11;
    let t16 = t14 - s.half_q0 * t10;
    let t17 = p.c7 * t15 + t6;
    let t18 = p.c8 * t13 + t4;
    let t19 = p.c0 * t16 + t5;
    let t20 = s.half_wx * p.c3;
    let t21 = s.half_wy * p.c3;
    let t22 = s.half_wz * p.c3;
    let t23 = t20 * t20 + p.c2;
    let t24 = t21 * t21 + t23;
    let t25 = t22 * t22 + t24;
    let t26 = p.c9 / t25;
    let t27 = s.q0 - s.q1 * t20;
    let t28 = t27 - s.q2 * t21;
    let t29 = t28 - s.q3 * t22;
    let t30 = s.q0 * t20 + s.q1;
    let t31 = s.q2 * t22 + t30;
    let t32 = t31 - s.q3 * t21;
    let t33 = s.q0 * t21 + s.q2;
    let t34 = s.q3 * t20 + t33;
    let t35 = t34 - s.q1 * t22;
    let t36 = s.q0 * t22 + s.q3;
    let t37 = s.q1 * t21 + t36;
    let t38 = t37 - s.q2 * t20;
    let t39 = t26 * t29 - s.q0;
    let t40 = t26 * t32 - s.q1;
    let t41 = t26 * t35 - s.q2;
    let t42 = t26 * t38 - s.q3;
    let t43 = t39 * t39;
    let t44 = t40 * t40 + t43;
    let t45 = t41 * t41 + t44;
    let t46 = t42 * t42 + t45;
    let t47 = p.c10 - p.c1 * t46;
    let t48 = t39 * t47;
    let t49 = t40 * t47;
    let t50 = t41 * t47;
    let t51 = t42 * t47;
    let t52 = t18 * t19;
    let t53 = t17 * t19;
    let t54 = t17 * t18;
    let t55 = p.c4 * t52 + s.half_wx;
    let t56 = p.c5 * t53 + s.half_wy;
    let t57 = p.c6 * t54 + s.half_wz;
    let t58 = t55 + p.c13;
    let t59 = p.c14 * t51;
    let t60 = p.c14 * t49;
    let t61 = p.c9 * t59;
    let t62 = p.c9 * t60;
    let t63 = t50 * t62;
    let t64 = p.c14 - t51 * t61;
    let t65 = t64 - t49 * t62;
    let t66 = t50 * t61;
    let t67 = t48 * t61 + t63;
    let t68 = t66 - t48 * t62;
    let t69 = p.c7 * t67 + t58;
    let t70 = p.c8 * t65 + t56;
    let t71 = p.c0 * t68 + t57;
    let t72 = p.c3 * t17;
    let t73 = p.c3 * t18;
    let t74 = p.c3 * t19;
    let t75 = t72 * t72 + p.c2;
    let t76 = t73 * t73 + t75;
    let t77 = t74 * t74 + t76;
    let t78 = p.c9 / t77;
    let t79 = s.half_q0 - s.half_q1 * t72;
    let t80 = t79 - s.half_q2 * t73;
    let t81 = t80 - s.half_q3 * t74;
    let t82 = s.half_q0 * t72 + s.half_q1;
    let t83 = s.half_q2 * t74 + t82;
    let t84 = t83 - s.half_q3 * t73;
    let t85 = s.half_q0 * t73 + s.half_q2;
    let t86 = s.half_q3 * t72 + t85;
    let t87 = t86 - s.half_q1 * t74;
    let t88 = s.half_q0 * t74 + s.half_q3;
    let t89 = s.half_q1 * t73 + t88;
    let t90 = t89 - s.half_q2 * t72;
    let t91 = t78 * t81 - s.half_q0;
    let t92 = t78 * t84 - s.half_q1;
    let t93 = t78 * t87 - s.half_q2;
    let t94 = t78 * t90 - s.half_q3;
    let t95 = t91 * t91;
    let t96 = t92 * t92 + t95;
    let t97 = t93 * t93 + t96;
    let t98 = t94 * t94 + t97;
    let t99 = p.c10 - p.c1 * t98;
    let t100 = t91 * t99;
    let t101 = t92 * t99;
    let t102 = t93 * t99;
    let t103 = t94 * t99;
    var next: State;
    next.q0 = t48;
    next.q1 = t49;
    next.q2 = t50;
    next.q3 = t51;
    next.wx = t17;
    next.wy = t18;
    next.wz = t19;
    next.half_q0 = t100;
    next.half_q1 = t101;
    next.half_q2 = t102;
    next.half_q3 = t103;
    next.half_wx = t69;
    next.half_wy = t70;
    next.half_wz = t71;
    return next;
}

// What the method carries, at the start. (716 operations.)
fn begin(instance: u32, s: State) -> State {
    let t0 = shared_values[3] * shared_values[25];
    let t1 = parameters[0u * run.stride + instance] * shared_values[26];
    let t2 = shared_values[3] * shared_values[31];
    let t3 = parameters[0u * run.stride + instance] * shared_values[32];
    let t4 = s.wy * s.wz;
    let t5 = s.wx * s.wz;
    let t6 = s.wx * s.wy;
    let t7 = shared_values[16] * t4;
    let t8 = shared_values[17] * t5;
    let t9 = shared_values[18] * t6;
    let t10 = t0 * shared_values[19];
    let t11 = t7 + t10;
    let t12 = s.q3 * t1;
    let t13 = s.q1 * t1;
    let t14 = shared_values[13] * t12;
    let t15 = shared_values[13] * t13;
    let t16 = s.q2 * t15;
    let t17 = t1 - s.q3 * t14;
    let t18 = t17 - s.q1 * t15;
    let t19 = s.q2 * t14;
    let t20 = s.q0 * t14 + t16;
    let t21 = t19 - s.q0 * t15;
    let t22 = shared_values[19] * t20 + t11;
    let t23 = shared_values[20] * t18 + t8;
    let t24 = shared_values[5] * t21 + t9;
    let t25 = s.q1 * s.wx;
    let t26 = s.q2 * s.wy + t25;
    let t27 = s.q3 * s.wz + t26;
    let t28 = s.q0 * s.wx;
    let t29 = s.q2 * s.wz + t28;
    let t30 = t29 - s.q3 * s.wy;
    let t31 = s.q0 * s.wy;
    let t32 = s.q3 * s.wx + t31;
    let t33 = t32 - s.q1 * s.wz;
    let t34 = s.q0 * s.wz;
    let t35 = s.q1 * s.wy + t34;
    let t36 = t35 - s.q2 * s.wx;
    let t37 = shared_values[4] * t27;
    let t38 = shared_values[4] * t30;
    let t39 = shared_values[4] * t33;
    let t40 = shared_values[4] * t36;
    let t41 = s.q0 - shared_values[1] * t37;
    let t42 = shared_values[1] * t38 + s.q1;
    let t43 = shared_values[1] * t39 + s.q2;
    let t44 = shared_values[1] * t40 + s.q3;
    let t45 = shared_values[1] * t22 + s.wx;
    let t46 = shared_values[1] * t23 + s.wy;
    let t47 = shared_values[1] * t24 + s.wz;
    let t48 = t41 * t41;
    let t49 = t42 * t42 + t48;
    let t50 = t43 * t43 + t49;
    let t51 = t44 * t44 + t50;
    let t52 = shared_values[7] + t51;
    let t53 = t51 * t52 + shared_values[6];
    let t54 = shared_values[6] * t51 + shared_values[7];
    let t55 = t51 * t54 + shared_values[2];
    let t56 = t53 / t55;
    let t57 = t41 * t56;
    let t58 = t42 * t56;
    let t59 = t43 * t56;
    let t60 = t44 * t56;
    let t61 = t46 * t47;
    let t62 = t45 * t47;
    let t63 = t45 * t46;
    let t64 = shared_values[16] * t61;
    let t65 = shared_values[17] * t62;
    let t66 = shared_values[18] * t63;
    let t67 = t10 + t64;
    let t68 = t1 * t60;
    let t69 = t1 * t58;
    let t70 = shared_values[13] * t68;
    let t71 = shared_values[13] * t69;
    let t72 = t59 * t71;
    let t73 = t1 - t60 * t70;
    let t74 = t73 - t58 * t71;
    let t75 = t59 * t70;
    let t76 = t57 * t70 + t72;
    let t77 = t75 - t57 * t71;
    let t78 = shared_values[19] * t76 + t67;
    let t79 = shared_values[20] * t74 + t65;
    let t80 = shared_values[5] * t77 + t66;
    let t81 = t42 * t45;
    let t82 = t43 * t46 + t81;
    let t83 = t44 * t47 + t82;
    let t84 = t41 * t45;
    let t85 = t43 * t47 + t84;
    let t86 = t85 - t44 * t46;
    let t87 = t41 * t46;
    let t88 = t44 * t45 + t87;
    let t89 = t88 - t42 * t47;
    let t90 = t41 * t47;
    let t91 = t42 * t46 + t90;
    let t92 = t91 - t43 * t45;
    let t93 = shared_values[4] * t83;
    let t94 = shared_values[4] * t86;
    let t95 = shared_values[4] * t89;
    let t96 = shared_values[4] * t92;
    let t97 = s.q0 - shared_values[1] * t93;
    let t98 = shared_values[1] * t94 + s.q1;
    let t99 = shared_values[1] * t95 + s.q2;
    let t100 = shared_values[1] * t96 + s.q3;
    let t101 = shared_values[1] * t78 + s.wx;
    let t102 = shared_values[1] * t79 + s.wy;
    let t103 = shared_values[1] * t80 + s.wz;
    let t104 = t97 * t97;
    let t105 = t98 * t98 + t104;
    let t106 = t99 * t99 + t105;
    let t107 = t100 * t100 + t106;
    let t108 = shared_values[7] + t107;
    let t109 = t107 * t108 + shared_values[6];
    let t110 = shared_values[6] * t107 + shared_values[7];
    let t111 = t107 * t110 + shared_values[2];
    let t112 = t109 / t111;
    let t113 = t97 * t112;
    let t114 = t98 * t112;
    let t115 = t99 * t112;
    let t116 = t100 * t112;
    let t117 = t102 * t103;
    let t118 = t101 * t103;
    let t119 = t101 * t102;
    let t120 = shared_values[16] * t117;
    let t121 = shared_values[17] * t118;
    let t122 = shared_values[18] * t119;
    let t123 = t10 + t120;
    let t124 = t1 * t116;
    let t125 = t1 * t114;
    let t126 = shared_values[13] * t124;
    let t127 = shared_values[13] * t125;
    let t128 = t115 * t127;
    let t129 = t1 - t116 * t126;
    let t130 = t129 - t114 * t127;
    let t131 = t115 * t126;
    let t132 = t113 * t126 + t128;
    let t133 = t131 - t113 * t127;
    let t134 = shared_values[19] * t132 + t123;
    let t135 = shared_values[20] * t130 + t121;
    let t136 = shared_values[5] * t133 + t122;
    let t137 = t98 * t101;
    let t138 = t99 * t102 + t137;
    let t139 = t100 * t103 + t138;
    let t140 = t97 * t101;
    let t141 = t99 * t103 + t140;
    let t142 = t141 - t100 * t102;
    let t143 = t97 * t102;
    let t144 = t100 * t101 + t143;
    let t145 = t144 - t98 * t103;
    let t146 = t97 * t103;
    let t147 = t98 * t102 + t146;
    let t148 = t147 - t99 * t101;
    let t149 = shared_values[4] * t139;
    let t150 = shared_values[4] * t142;
    let t151 = shared_values[4] * t145;
    let t152 = shared_values[4] * t148;
    let t153 = shared_values[13] * t93 + t37;
    let t154 = shared_values[13] * t94 + t38;
    let t155 = shared_values[13] * t95 + t39;
    let t156 = shared_values[13] * t96 + t40;
    let t157 = shared_values[13] * t78 + t22;
    let t158 = shared_values[13] * t79 + t23;
    let t159 = shared_values[13] * t80 + t24;
    let t160 = shared_values[13] * t149 + t153;
    let t161 = shared_values[13] * t150 + t154;
    let t162 = shared_values[13] * t151 + t155;
    let t163 = shared_values[13] * t152 + t156;
    let t164 = shared_values[13] * t134 + t157;
    let t165 = shared_values[13] * t135 + t158;
    let t166 = shared_values[13] * t136 + t159;
    let t167 = s.q0 - t149;
    let t168 = s.q1 + t150;
    let t169 = s.q2 + t151;
    let t170 = s.q3 + t152;
    let t171 = s.wx + t134;
    let t172 = s.wy + t135;
    let t173 = s.wz + t136;
    let t174 = t167 * t167;
    let t175 = t168 * t168 + t174;
    let t176 = t169 * t169 + t175;
    let t177 = t170 * t170 + t176;
    let t178 = shared_values[7] + t177;
    let t179 = t177 * t178 + shared_values[6];
    let t180 = shared_values[6] * t177 + shared_values[7];
    let t181 = t177 * t180 + shared_values[2];
    let t182 = t179 / t181;
    let t183 = t167 * t182;
    let t184 = t168 * t182;
    let t185 = t169 * t182;
    let t186 = t170 * t182;
    let t187 = t172 * t173;
    let t188 = t171 * t173;
    let t189 = t171 * t172;
    let t190 = shared_values[16] * t187 + t164;
    let t191 = shared_values[17] * t188 + t165;
    let t192 = shared_values[18] * t189 + t166;
    let t193 = t10 + t190;
    let t194 = t1 * t186;
    let t195 = t1 * t184;
    let t196 = shared_values[13] * t194;
    let t197 = shared_values[13] * t195;
    let t198 = t185 * t197;
    let t199 = t1 - t186 * t196;
    let t200 = t199 - t184 * t197;
    let t201 = t185 * t196;
    let t202 = t183 * t196 + t198;
    let t203 = t201 - t183 * t197;
    let t204 = shared_values[19] * t202 + t193;
    let t205 = shared_values[20] * t200 + t191;
    let t206 = shared_values[5] * t203 + t192;
    let t207 = t168 * t171;
    let t208 = t169 * t172 + t207;
    let t209 = t170 * t173 + t208;
    let t210 = t167 * t171;
    let t211 = t169 * t173 + t210;
    let t212 = t211 - t170 * t172;
    let t213 = t167 * t172;
    let t214 = t170 * t171 + t213;
    let t215 = t214 - t168 * t173;
    let t216 = t167 * t173;
    let t217 = t168 * t172 + t216;
    let t218 = t217 - t169 * t171;
    let t219 = shared_values[4] * t209 + t160;
    let t220 = shared_values[4] * t212 + t161;
    let t221 = shared_values[4] * t215 + t162;
    let t222 = shared_values[4] * t218 + t163;
    let t223 = s.q0 - shared_values[15] * t219;
    let t224 = shared_values[15] * t220 + s.q1;
    let t225 = shared_values[15] * t221 + s.q2;
    let t226 = shared_values[15] * t222 + s.q3;
    let t227 = shared_values[15] * t204 + s.wx;
    let t228 = shared_values[15] * t205 + s.wy;
    let t229 = shared_values[15] * t206 + s.wz;
    let t230 = t223 * t223;
    let t231 = t224 * t224 + t230;
    let t232 = t225 * t225 + t231;
    let t233 = t226 * t226 + t232;
    let t234 = sqrt(t233);
    let t235 = shared_values[2] / t234;
    let t236 = t223 * t235;
    let t237 = t224 * t235;
    let t238 = t225 * t235;
    let t239 = t226 * t235;
    let t240 = t228 * t229;
    let t241 = t227 * t229;
    let t242 = t227 * t228;
    let t243 = shared_values[16] * t240;
    let t244 = shared_values[17] * t241;
    let t245 = shared_values[18] * t242;
    let t246 = t2 * shared_values[19];
    let t247 = t243 + t246;
    let t248 = t3 * t239;
    let t249 = t3 * t237;
    let t250 = shared_values[13] * t248;
    let t251 = shared_values[13] * t249;
    let t252 = t238 * t251;
    let t253 = t3 - t239 * t250;
    let t254 = t253 - t237 * t251;
    let t255 = t238 * t250;
    let t256 = t236 * t250 + t252;
    let t257 = t255 - t236 * t251;
    let t258 = shared_values[19] * t256 + t247;
    let t259 = shared_values[20] * t254 + t244;
    let t260 = shared_values[5] * t257 + t245;
    let t261 = t227 * t237;
    let t262 = t228 * t238 + t261;
    let t263 = t229 * t239 + t262;
    let t264 = t227 * t236;
    let t265 = t229 * t238 + t264;
    let t266 = t265 - t228 * t239;
    let t267 = t228 * t236;
    let t268 = t227 * t239 + t267;
    let t269 = t268 - t229 * t237;
    let t270 = t229 * t236;
    let t271 = t228 * t237 + t270;
    let t272 = t271 - t227 * t238;
    let t273 = shared_values[4] * t263;
    let t274 = shared_values[4] * t266;
    let t275 = shared_values[4] * t269;
    let t276 = shared_values[4] * t272;
    let t277 = t236 - shared_values[1] * t273;
    let t278 = shared_values[1] * t274 + t237;
    let t279 = shared_values[1] * t275 + t238;
    let t280 = shared_values[1] * t276 + t239;
    let t281 = shared_values[1] * t258 + t227;
    let t282 = shared_values[1] * t259 + t228;
    let t283 = shared_values[1] * t260 + t229;
    let t284 = t277 * t277;
    let t285 = t278 * t278 + t284;
    let t286 = t279 * t279 + t285;
    let t287 = t280 * t280 + t286;
    let t288 = shared_values[7] + t287;
    let t289 = t287 * t288 + shared_values[6];
    let t290 = shared_values[6] * t287 + shared_values[7];
    let t291 = t287 * t290 + shared_values[2];
    let t292 = t289 / t291;
    let t293 = t277 * t292;
    let t294 = t278 * t292;
    let t295 = t279 * t292;
    let t296 = t280 * t292;
    let t297 = t282 * t283;
    let t298 = t281 * t283;
    let t299 = t281 * t282;
    let t300 = shared_values[16] * t297;
    let t301 = shared_values[17] * t298;
    let t302 = shared_values[18] * t299;
    let t303 = t246 + t300;
    let t304 = t3 * t296;
    let t305 = t3 * t294;
    let t306 = shared_values[13] * t304;
    let t307 = shared_values[13] * t305;
    let t308 = t295 * t307;
    let t309 = t3 - t296 * t306;
    let t310 = t309 - t294 * t307;
    let t311 = t295 * t306;
    let t312 = t293 * t306 + t308;
    let t313 = t311 - t293 * t307;
    let t314 = shared_values[19] * t312 + t303;
    let t315 = shared_values[20] * t310 + t301;
    let t316 = shared_values[5] * t313 + t302;
    let t317 = t278 * t281;
    let t318 = t279 * t282 + t317;
    let t319 = t280 * t283 + t318;
    let t320 = t277 * t281;
    let t321 = t279 * t283 + t320;
    let t322 = t321 - t280 * t282;
    let t323 = t277 * t282;
    let t324 = t280 * t281 + t323;
    let t325 = t324 - t278 * t283;
    let t326 = t277 * t283;
    let t327 = t278 * t282 + t326;
    let t328 = t327 - t279 * t281;
    let t329 = shared_values[4] * t319;
    let t330 = shared_values[4] * t322;
    let t331 = shared_values[4] * t325;
    let t332 = shared_values[4] * t328;
    let t333 = t236 - shared_values[1] * t329;
    let t334 = shared_values[1] * t330 + t237;
    let t335 = shared_values[1] * t331 + t238;
    let t336 = shared_values[1] * t332 + t239;
    let t337 = shared_values[1] * t314 + t227;
    let t338 = shared_values[1] * t315 + t228;
    let t339 = shared_values[1] * t316 + t229;
    let t340 = t333 * t333;
    let t341 = t334 * t334 + t340;
    let t342 = t335 * t335 + t341;
    let t343 = t336 * t336 + t342;
    let t344 = shared_values[7] + t343;
    let t345 = t343 * t344 + shared_values[6];
    let t346 = shared_values[6] * t343 + shared_values[7];
    let t347 = t343 * t346 + shared_values[2];
    let t348 = t345 / t347;
    let t349 = t333 * t348;
    let t350 = t334 * t348;
    let t351 = t335 * t348;
    let t352 = t336 * t348;
    let t353 = t338 * t339;
    let t354 = t337 * t339;
    let t355 = t337 * t338;
    let t356 = shared_values[16] * t353;
    let t357 = shared_values[17] * t354;
    let t358 = shared_values[18] * t355;
    let t359 = t246 + t356;
    let t360 = t3 * t352;
    let t361 = t3 * t350;
    let t362 = shared_values[13] * t360;
    let t363 = shared_values[13] * t361;
    let t364 = t351 * t363;
    let t365 = t3 - t352 * t362;
    let t366 = t365 - t350 * t363;
    let t367 = t351 * t362;
    let t368 = t349 * t362 + t364;
    let t369 = t367 - t349 * t363;
    let t370 = shared_values[19] * t368 + t359;
    let t371 = shared_values[20] * t366 + t357;
    let t372 = shared_values[5] * t369 + t358;
    let t373 = t334 * t337;
    let t374 = t335 * t338 + t373;
    let t375 = t336 * t339 + t374;
    let t376 = t333 * t337;
    let t377 = t335 * t339 + t376;
    let t378 = t377 - t336 * t338;
    let t379 = t333 * t338;
    let t380 = t336 * t337 + t379;
    let t381 = t380 - t334 * t339;
    let t382 = t333 * t339;
    let t383 = t334 * t338 + t382;
    let t384 = t383 - t335 * t337;
    let t385 = shared_values[4] * t375;
    let t386 = shared_values[4] * t378;
    let t387 = shared_values[4] * t381;
    let t388 = shared_values[4] * t384;
    let t389 = shared_values[13] * t329 + t273;
    let t390 = shared_values[13] * t330 + t274;
    let t391 = shared_values[13] * t331 + t275;
    let t392 = shared_values[13] * t332 + t276;
    let t393 = shared_values[13] * t314 + t258;
    let t394 = shared_values[13] * t315 + t259;
    let t395 = shared_values[13] * t316 + t260;
    let t396 = shared_values[13] * t385 + t389;
    let t397 = shared_values[13] * t386 + t390;
    let t398 = shared_values[13] * t387 + t391;
    let t399 = shared_values[13] * t388 + t392;
    let t400 = shared_values[13] * t370 + t393;
    let t401 = shared_values[13] * t371 + t394;
    let t402 = shared_values[13] * t372 + t395;
    let t403 = t236 - t385;
    let t404 = t237 + t386;
    let t405 = t238 + t387;
    let t406 = t239 + t388;
    let t407 = t227 + t370;
    let t408 = t228 + t371;
    let t409 = t229 + t372;
    let t410 = t403 * t403;
    let t411 = t404 * t404 + t410;
    let t412 = t405 * t405 + t411;
    let t413 = t406 * t406 + t412;
    let t414 = shared_values[7] + t413;
    let t415 = t413 * t414 + shared_values[6];
    let t416 = shared_values[6] * t413 + shared_values[7];
    let t417 = t413 * t416 + shared_values[2];
    let t418 = t415 / t417;
    let t419 = t403 * t418;
    let t420 = t404 * t418;
    let t421 = t405 * t418;
    let t422 = t406 * t418;
    let t423 = t408 * t409;
    let t424 = t407 * t409;
    let t425 = t407 * t408;
    let t426 = shared_values[16] * t423 + t400;
    let t427 = shared_values[17] * t424 + t401;
    let t428 = shared_values[18] * t425 + t402;
    let t429 = t246 + t426;
    let t430 = t3 * t422;
    let t431 = t3 * t420;
    let t432 = shared_values[13] * t430;
    let t433 = shared_values[13] * t431;
    let t434 = t421 * t433;
    let t435 = t3 - t422 * t432;
    let t436 = t435 - t420 * t433;
    let t437 = t421 * t432;
    let t438 = t419 * t432 + t434;
    let t439 = t437 - t419 * t433;
    let t440 = shared_values[19] * t438 + t429;
    let t441 = shared_values[20] * t436 + t427;
    let t442 = shared_values[5] * t439 + t428;
    let t443 = t404 * t407;
    let t444 = t405 * t408 + t443;
    let t445 = t406 * t409 + t444;
    let t446 = t403 * t407;
    let t447 = t405 * t409 + t446;
    let t448 = t447 - t406 * t408;
    let t449 = t403 * t408;
    let t450 = t406 * t407 + t449;
    let t451 = t450 - t404 * t409;
    let t452 = t403 * t409;
    let t453 = t404 * t408 + t452;
    let t454 = t453 - t405 * t407;
    let t455 = shared_values[4] * t445 + t396;
    let t456 = shared_values[4] * t448 + t397;
    let t457 = shared_values[4] * t451 + t398;
    let t458 = shared_values[4] * t454 + t399;
    let t459 = t236 - shared_values[15] * t455;
    let t460 = shared_values[15] * t456 + t237;
    let t461 = shared_values[15] * t457 + t238;
    let t462 = shared_values[15] * t458 + t239;
    let t463 = shared_values[15] * t440 + t227;
    let t464 = shared_values[15] * t441 + t228;
    let t465 = shared_values[15] * t442 + t229;
    let t466 = t459 * t459;
    let t467 = t460 * t460 + t466;
    let t468 = t461 * t461 + t467;
    let t469 = t462 * t462 + t468;
    let t470 = sqrt(t469);
    let t471 = shared_values[2] / t470;
    let t472 = t459 * t471;
    let t473 = t460 * t471;
    let t474 = t461 * t471;
    let t475 = t462 * t471;
    var next = s;
    next.half_q0 = t472;
    next.half_q1 = t473;
    next.half_q2 = t474;
    next.half_q3 = t475;
    next.half_wx = t463;
    next.half_wy = t464;
    next.half_wz = t465;
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

fn is_passed(judged: Judged) -> bool {
    return judged.allowed > real(0.0) && abs(judged.value) > judged.allowed;
}

// The verdict of the first bound that is passed, else FINISHED.
fn passed(instance: u32, s: State) -> u32 {
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
