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
    let t0 = shared_values[3] * shared_values[19];
    let t1 = parameters[0u * run.stride + instance] * shared_values[20];
    let t2 = shared_values[3] * shared_values[21];
    let t3 = parameters[0u * run.stride + instance] * shared_values[22];
    let t4 = t0 * shared_values[9];
    let t5 = t2 * shared_values[9];
    var p: Prepared;
    p.c0 = shared_values[0];
    p.c1 = shared_values[1];
    p.c2 = shared_values[2];
    p.c3 = shared_values[5];
    p.c4 = shared_values[6];
    p.c5 = shared_values[7];
    p.c6 = shared_values[8];
    p.c7 = shared_values[9];
    p.c8 = shared_values[10];
    p.c9 = shared_values[11];
    p.c10 = shared_values[12];
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

// What the method carries, at the start. (706 operations.)
fn begin(instance: u32, s: State) -> State {
    let t0 = shared_values[3] * shared_values[23];
    let t1 = parameters[0u * run.stride + instance] * shared_values[24];
    let t2 = shared_values[3] * shared_values[29];
    let t3 = parameters[0u * run.stride + instance] * shared_values[30];
    let t4 = s.q0 * s.q0;
    let t5 = s.q1 * s.q1 + t4;
    let t6 = s.q2 * s.q2 + t5;
    let t7 = s.q3 * s.q3 + t6;
    let t8 = sqrt(t7);
    let t9 = shared_values[2] / t8;
    let t10 = s.q0 * t9;
    let t11 = s.q1 * t9;
    let t12 = s.q2 * t9;
    let t13 = s.q3 * t9;
    let t14 = s.wy * s.wz;
    let t15 = s.wx * s.wz;
    let t16 = s.wx * s.wy;
    let t17 = shared_values[14] * t14;
    let t18 = shared_values[15] * t15;
    let t19 = shared_values[16] * t16;
    let t20 = t0 * shared_values[17];
    let t21 = t17 + t20;
    let t22 = t1 * t13;
    let t23 = t1 * t11;
    let t24 = shared_values[11] * t22;
    let t25 = shared_values[11] * t23;
    let t26 = t12 * t25;
    let t27 = t1 - t13 * t24;
    let t28 = t27 - t11 * t25;
    let t29 = t12 * t24;
    let t30 = t10 * t24 + t26;
    let t31 = t29 - t10 * t25;
    let t32 = shared_values[17] * t30 + t21;
    let t33 = shared_values[18] * t28 + t18;
    let t34 = shared_values[5] * t31 + t19;
    let t35 = s.q1 * s.wx;
    let t36 = s.q2 * s.wy + t35;
    let t37 = s.q3 * s.wz + t36;
    let t38 = s.q0 * s.wx;
    let t39 = s.q2 * s.wz + t38;
    let t40 = t39 - s.q3 * s.wy;
    let t41 = s.q0 * s.wy;
    let t42 = s.q3 * s.wx + t41;
    let t43 = t42 - s.q1 * s.wz;
    let t44 = s.q0 * s.wz;
    let t45 = s.q1 * s.wy + t44;
    let t46 = t45 - s.q2 * s.wx;
    let t47 = shared_values[4] * t37;
    let t48 = shared_values[4] * t40;
    let t49 = shared_values[4] * t43;
    let t50 = shared_values[4] * t46;
    let t51 = s.q0 - shared_values[1] * t47;
    let t52 = shared_values[1] * t48 + s.q1;
    let t53 = shared_values[1] * t49 + s.q2;
    let t54 = shared_values[1] * t50 + s.q3;
    let t55 = shared_values[1] * t32 + s.wx;
    let t56 = shared_values[1] * t33 + s.wy;
    let t57 = shared_values[1] * t34 + s.wz;
    let t58 = t51 * t51;
    let t59 = t52 * t52 + t58;
    let t60 = t53 * t53 + t59;
    let t61 = t54 * t54 + t60;
    let t62 = sqrt(t61);
    let t63 = shared_values[2] / t62;
    let t64 = t51 * t63;
    let t65 = t52 * t63;
    let t66 = t53 * t63;
    let t67 = t54 * t63;
    let t68 = t56 * t57;
    let t69 = t55 * t57;
    let t70 = t55 * t56;
    let t71 = shared_values[14] * t68;
    let t72 = shared_values[15] * t69;
    let t73 = shared_values[16] * t70;
    let t74 = t20 + t71;
    let t75 = t1 * t67;
    let t76 = t1 * t65;
    let t77 = shared_values[11] * t75;
    let t78 = shared_values[11] * t76;
    let t79 = t66 * t78;
    let t80 = t1 - t67 * t77;
    let t81 = t80 - t65 * t78;
    let t82 = t66 * t77;
    let t83 = t64 * t77 + t79;
    let t84 = t82 - t64 * t78;
    let t85 = shared_values[17] * t83 + t74;
    let t86 = shared_values[18] * t81 + t72;
    let t87 = shared_values[5] * t84 + t73;
    let t88 = t52 * t55;
    let t89 = t53 * t56 + t88;
    let t90 = t54 * t57 + t89;
    let t91 = t51 * t55;
    let t92 = t53 * t57 + t91;
    let t93 = t92 - t54 * t56;
    let t94 = t51 * t56;
    let t95 = t54 * t55 + t94;
    let t96 = t95 - t52 * t57;
    let t97 = t51 * t57;
    let t98 = t52 * t56 + t97;
    let t99 = t98 - t53 * t55;
    let t100 = shared_values[4] * t90;
    let t101 = shared_values[4] * t93;
    let t102 = shared_values[4] * t96;
    let t103 = shared_values[4] * t99;
    let t104 = s.q0 - shared_values[1] * t100;
    let t105 = shared_values[1] * t101 + s.q1;
    let t106 = shared_values[1] * t102 + s.q2;
    let t107 = shared_values[1] * t103 + s.q3;
    let t108 = shared_values[1] * t85 + s.wx;
    let t109 = shared_values[1] * t86 + s.wy;
    let t110 = shared_values[1] * t87 + s.wz;
    let t111 = t104 * t104;
    let t112 = t105 * t105 + t111;
    let t113 = t106 * t106 + t112;
    let t114 = t107 * t107 + t113;
    let t115 = sqrt(t114);
    let t116 = shared_values[2] / t115;
    let t117 = t104 * t116;
    let t118 = t105 * t116;
    let t119 = t106 * t116;
    let t120 = t107 * t116;
    let t121 = t109 * t110;
    let t122 = t108 * t110;
    let t123 = t108 * t109;
    let t124 = shared_values[14] * t121;
    let t125 = shared_values[15] * t122;
    let t126 = shared_values[16] * t123;
    let t127 = t20 + t124;
    let t128 = t1 * t120;
    let t129 = t1 * t118;
    let t130 = shared_values[11] * t128;
    let t131 = shared_values[11] * t129;
    let t132 = t119 * t131;
    let t133 = t1 - t120 * t130;
    let t134 = t133 - t118 * t131;
    let t135 = t119 * t130;
    let t136 = t117 * t130 + t132;
    let t137 = t135 - t117 * t131;
    let t138 = shared_values[17] * t136 + t127;
    let t139 = shared_values[18] * t134 + t125;
    let t140 = shared_values[5] * t137 + t126;
    let t141 = t105 * t108;
    let t142 = t106 * t109 + t141;
    let t143 = t107 * t110 + t142;
    let t144 = t104 * t108;
    let t145 = t106 * t110 + t144;
    let t146 = t145 - t107 * t109;
    let t147 = t104 * t109;
    let t148 = t107 * t108 + t147;
    let t149 = t148 - t105 * t110;
    let t150 = t104 * t110;
    let t151 = t105 * t109 + t150;
    let t152 = t151 - t106 * t108;
    let t153 = shared_values[4] * t143;
    let t154 = shared_values[4] * t146;
    let t155 = shared_values[4] * t149;
    let t156 = shared_values[4] * t152;
    let t157 = shared_values[11] * t100 + t47;
    let t158 = shared_values[11] * t101 + t48;
    let t159 = shared_values[11] * t102 + t49;
    let t160 = shared_values[11] * t103 + t50;
    let t161 = shared_values[11] * t85 + t32;
    let t162 = shared_values[11] * t86 + t33;
    let t163 = shared_values[11] * t87 + t34;
    let t164 = shared_values[11] * t153 + t157;
    let t165 = shared_values[11] * t154 + t158;
    let t166 = shared_values[11] * t155 + t159;
    let t167 = shared_values[11] * t156 + t160;
    let t168 = shared_values[11] * t138 + t161;
    let t169 = shared_values[11] * t139 + t162;
    let t170 = shared_values[11] * t140 + t163;
    let t171 = s.q0 - t153;
    let t172 = s.q1 + t154;
    let t173 = s.q2 + t155;
    let t174 = s.q3 + t156;
    let t175 = s.wx + t138;
    let t176 = s.wy + t139;
    let t177 = s.wz + t140;
    let t178 = t171 * t171;
    let t179 = t172 * t172 + t178;
    let t180 = t173 * t173 + t179;
    let t181 = t174 * t174 + t180;
    let t182 = sqrt(t181);
    let t183 = shared_values[2] / t182;
    let t184 = t171 * t183;
    let t185 = t172 * t183;
    let t186 = t173 * t183;
    let t187 = t174 * t183;
    let t188 = t176 * t177;
    let t189 = t175 * t177;
    let t190 = t175 * t176;
    let t191 = shared_values[14] * t188 + t168;
    let t192 = shared_values[15] * t189 + t169;
    let t193 = shared_values[16] * t190 + t170;
    let t194 = t20 + t191;
    let t195 = t1 * t187;
    let t196 = t1 * t185;
    let t197 = shared_values[11] * t195;
    let t198 = shared_values[11] * t196;
    let t199 = t186 * t198;
    let t200 = t1 - t187 * t197;
    let t201 = t200 - t185 * t198;
    let t202 = t186 * t197;
    let t203 = t184 * t197 + t199;
    let t204 = t202 - t184 * t198;
    let t205 = shared_values[17] * t203 + t194;
    let t206 = shared_values[18] * t201 + t192;
    let t207 = shared_values[5] * t204 + t193;
    let t208 = t172 * t175;
    let t209 = t173 * t176 + t208;
    let t210 = t174 * t177 + t209;
    let t211 = t171 * t175;
    let t212 = t173 * t177 + t211;
    let t213 = t212 - t174 * t176;
    let t214 = t171 * t176;
    let t215 = t174 * t175 + t214;
    let t216 = t215 - t172 * t177;
    let t217 = t171 * t177;
    let t218 = t172 * t176 + t217;
    let t219 = t218 - t173 * t175;
    let t220 = shared_values[4] * t210 + t164;
    let t221 = shared_values[4] * t213 + t165;
    let t222 = shared_values[4] * t216 + t166;
    let t223 = shared_values[4] * t219 + t167;
    let t224 = s.q0 - shared_values[13] * t220;
    let t225 = shared_values[13] * t221 + s.q1;
    let t226 = shared_values[13] * t222 + s.q2;
    let t227 = shared_values[13] * t223 + s.q3;
    let t228 = shared_values[13] * t205 + s.wx;
    let t229 = shared_values[13] * t206 + s.wy;
    let t230 = shared_values[13] * t207 + s.wz;
    let t231 = t224 * t224;
    let t232 = t225 * t225 + t231;
    let t233 = t226 * t226 + t232;
    let t234 = t227 * t227 + t233;
    let t235 = sqrt(t234);
    let t236 = shared_values[2] / t235;
    let t237 = t224 * t236;
    let t238 = t225 * t236;
    let t239 = t226 * t236;
    let t240 = t227 * t236;
    let t241 = t237 * t237;
    let t242 = t238 * t238 + t241;
    let t243 = t239 * t239 + t242;
    let t244 = t240 * t240 + t243;
    let t245 = sqrt(t244);
    let t246 = shared_values[2] / t245;
    let t247 = t237 * t246;
    let t248 = t238 * t246;
    let t249 = t239 * t246;
    let t250 = t240 * t246;
    let t251 = t229 * t230;
    let t252 = t228 * t230;
    let t253 = t228 * t229;
    let t254 = shared_values[14] * t251;
    let t255 = shared_values[15] * t252;
    let t256 = shared_values[16] * t253;
    let t257 = t2 * shared_values[17];
    let t258 = t254 + t257;
    let t259 = t3 * t250;
    let t260 = t3 * t248;
    let t261 = shared_values[11] * t259;
    let t262 = shared_values[11] * t260;
    let t263 = t249 * t262;
    let t264 = t3 - t250 * t261;
    let t265 = t264 - t248 * t262;
    let t266 = t249 * t261;
    let t267 = t247 * t261 + t263;
    let t268 = t266 - t247 * t262;
    let t269 = shared_values[17] * t267 + t258;
    let t270 = shared_values[18] * t265 + t255;
    let t271 = shared_values[5] * t268 + t256;
    let t272 = t228 * t238;
    let t273 = t229 * t239 + t272;
    let t274 = t230 * t240 + t273;
    let t275 = t228 * t237;
    let t276 = t230 * t239 + t275;
    let t277 = t276 - t229 * t240;
    let t278 = t229 * t237;
    let t279 = t228 * t240 + t278;
    let t280 = t279 - t230 * t238;
    let t281 = t230 * t237;
    let t282 = t229 * t238 + t281;
    let t283 = t282 - t228 * t239;
    let t284 = shared_values[4] * t274;
    let t285 = shared_values[4] * t277;
    let t286 = shared_values[4] * t280;
    let t287 = shared_values[4] * t283;
    let t288 = t237 - shared_values[1] * t284;
    let t289 = shared_values[1] * t285 + t238;
    let t290 = shared_values[1] * t286 + t239;
    let t291 = shared_values[1] * t287 + t240;
    let t292 = shared_values[1] * t269 + t228;
    let t293 = shared_values[1] * t270 + t229;
    let t294 = shared_values[1] * t271 + t230;
    let t295 = t288 * t288;
    let t296 = t289 * t289 + t295;
    let t297 = t290 * t290 + t296;
    let t298 = t291 * t291 + t297;
    let t299 = sqrt(t298);
    let t300 = shared_values[2] / t299;
    let t301 = t288 * t300;
    let t302 = t289 * t300;
    let t303 = t290 * t300;
    let t304 = t291 * t300;
    let t305 = t293 * t294;
    let t306 = t292 * t294;
    let t307 = t292 * t293;
    let t308 = shared_values[14] * t305;
    let t309 = shared_values[15] * t306;
    let t310 = shared_values[16] * t307;
    let t311 = t257 + t308;
    let t312 = t3 * t304;
    let t313 = t3 * t302;
    let t314 = shared_values[11] * t312;
    let t315 = shared_values[11] * t313;
    let t316 = t303 * t315;
    let t317 = t3 - t304 * t314;
    let t318 = t317 - t302 * t315;
    let t319 = t303 * t314;
    let t320 = t301 * t314 + t316;
    let t321 = t319 - t301 * t315;
    let t322 = shared_values[17] * t320 + t311;
    let t323 = shared_values[18] * t318 + t309;
    let t324 = shared_values[5] * t321 + t310;
    let t325 = t289 * t292;
    let t326 = t290 * t293 + t325;
    let t327 = t291 * t294 + t326;
    let t328 = t288 * t292;
    let t329 = t290 * t294 + t328;
    let t330 = t329 - t291 * t293;
    let t331 = t288 * t293;
    let t332 = t291 * t292 + t331;
    let t333 = t332 - t289 * t294;
    let t334 = t288 * t294;
    let t335 = t289 * t293 + t334;
    let t336 = t335 - t290 * t292;
    let t337 = shared_values[4] * t327;
    let t338 = shared_values[4] * t330;
    let t339 = shared_values[4] * t333;
    let t340 = shared_values[4] * t336;
    let t341 = t237 - shared_values[1] * t337;
    let t342 = shared_values[1] * t338 + t238;
    let t343 = shared_values[1] * t339 + t239;
    let t344 = shared_values[1] * t340 + t240;
    let t345 = shared_values[1] * t322 + t228;
    let t346 = shared_values[1] * t323 + t229;
    let t347 = shared_values[1] * t324 + t230;
    let t348 = t341 * t341;
    let t349 = t342 * t342 + t348;
    let t350 = t343 * t343 + t349;
    let t351 = t344 * t344 + t350;
    let t352 = sqrt(t351);
    let t353 = shared_values[2] / t352;
    let t354 = t341 * t353;
    let t355 = t342 * t353;
    let t356 = t343 * t353;
    let t357 = t344 * t353;
    let t358 = t346 * t347;
    let t359 = t345 * t347;
    let t360 = t345 * t346;
    let t361 = shared_values[14] * t358;
    let t362 = shared_values[15] * t359;
    let t363 = shared_values[16] * t360;
    let t364 = t257 + t361;
    let t365 = t3 * t357;
    let t366 = t3 * t355;
    let t367 = shared_values[11] * t365;
    let t368 = shared_values[11] * t366;
    let t369 = t356 * t368;
    let t370 = t3 - t357 * t367;
    let t371 = t370 - t355 * t368;
    let t372 = t356 * t367;
    let t373 = t354 * t367 + t369;
    let t374 = t372 - t354 * t368;
    let t375 = shared_values[17] * t373 + t364;
    let t376 = shared_values[18] * t371 + t362;
    let t377 = shared_values[5] * t374 + t363;
    let t378 = t342 * t345;
    let t379 = t343 * t346 + t378;
    let t380 = t344 * t347 + t379;
    let t381 = t341 * t345;
    let t382 = t343 * t347 + t381;
    let t383 = t382 - t344 * t346;
    let t384 = t341 * t346;
    let t385 = t344 * t345 + t384;
    let t386 = t385 - t342 * t347;
    let t387 = t341 * t347;
    let t388 = t342 * t346 + t387;
    let t389 = t388 - t343 * t345;
    let t390 = shared_values[4] * t380;
    let t391 = shared_values[4] * t383;
    let t392 = shared_values[4] * t386;
    let t393 = shared_values[4] * t389;
    let t394 = shared_values[11] * t337 + t284;
    let t395 = shared_values[11] * t338 + t285;
    let t396 = shared_values[11] * t339 + t286;
    let t397 = shared_values[11] * t340 + t287;
    let t398 = shared_values[11] * t322 + t269;
    let t399 = shared_values[11] * t323 + t270;
    let t400 = shared_values[11] * t324 + t271;
    let t401 = shared_values[11] * t390 + t394;
    let t402 = shared_values[11] * t391 + t395;
    let t403 = shared_values[11] * t392 + t396;
    let t404 = shared_values[11] * t393 + t397;
    let t405 = shared_values[11] * t375 + t398;
    let t406 = shared_values[11] * t376 + t399;
    let t407 = shared_values[11] * t377 + t400;
    let t408 = t237 - t390;
    let t409 = t238 + t391;
    let t410 = t239 + t392;
    let t411 = t240 + t393;
    let t412 = t228 + t375;
    let t413 = t229 + t376;
    let t414 = t230 + t377;
    let t415 = t408 * t408;
    let t416 = t409 * t409 + t415;
    let t417 = t410 * t410 + t416;
    let t418 = t411 * t411 + t417;
    let t419 = sqrt(t418);
    let t420 = shared_values[2] / t419;
    let t421 = t408 * t420;
    let t422 = t409 * t420;
    let t423 = t410 * t420;
    let t424 = t411 * t420;
    let t425 = t413 * t414;
    let t426 = t412 * t414;
    let t427 = t412 * t413;
    let t428 = shared_values[14] * t425 + t405;
    let t429 = shared_values[15] * t426 + t406;
    let t430 = shared_values[16] * t427 + t407;
    let t431 = t257 + t428;
    let t432 = t3 * t424;
    let t433 = t3 * t422;
    let t434 = shared_values[11] * t432;
    let t435 = shared_values[11] * t433;
    let t436 = t423 * t435;
    let t437 = t3 - t424 * t434;
    let t438 = t437 - t422 * t435;
    let t439 = t423 * t434;
    let t440 = t421 * t434 + t436;
    let t441 = t439 - t421 * t435;
    let t442 = shared_values[17] * t440 + t431;
    let t443 = shared_values[18] * t438 + t429;
    let t444 = shared_values[5] * t441 + t430;
    let t445 = t409 * t412;
    let t446 = t410 * t413 + t445;
    let t447 = t411 * t414 + t446;
    let t448 = t408 * t412;
    let t449 = t410 * t414 + t448;
    let t450 = t449 - t411 * t413;
    let t451 = t408 * t413;
    let t452 = t411 * t412 + t451;
    let t453 = t452 - t409 * t414;
    let t454 = t408 * t414;
    let t455 = t409 * t413 + t454;
    let t456 = t455 - t410 * t412;
    let t457 = shared_values[4] * t447 + t401;
    let t458 = shared_values[4] * t450 + t402;
    let t459 = shared_values[4] * t453 + t403;
    let t460 = shared_values[4] * t456 + t404;
    let t461 = t237 - shared_values[13] * t457;
    let t462 = shared_values[13] * t458 + t238;
    let t463 = shared_values[13] * t459 + t239;
    let t464 = shared_values[13] * t460 + t240;
    let t465 = shared_values[13] * t442 + t228;
    let t466 = shared_values[13] * t443 + t229;
    let t467 = shared_values[13] * t444 + t230;
    let t468 = t461 * t461;
    let t469 = t462 * t462 + t468;
    let t470 = t463 * t463 + t469;
    let t471 = t464 * t464 + t470;
    let t472 = sqrt(t471);
    let t473 = shared_values[2] / t472;
    let t474 = t461 * t473;
    let t475 = t462 * t473;
    let t476 = t463 * t473;
    let t477 = t464 * t473;
    var next = s;
    next.half_q0 = t474;
    next.half_q1 = t475;
    next.half_q2 = t476;
    next.half_q3 = t477;
    next.half_wx = t465;
    next.half_wy = t466;
    next.half_wz = t467;
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
