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
    amplitude_0: real,
    amplitude_1: real,
    amplitude_2: real,
    amplitude_rate_0: real,
    amplitude_rate_1: real,
    amplitude_rate_2: real,
    half_wz: real,
    half_amplitude_0: real,
    half_amplitude_1: real,
    half_amplitude_2: real,
    half_amplitude_rate_0: real,
    half_amplitude_rate_1: real,
    half_amplitude_rate_2: real,
}

fn load_state(instance: u32) -> State {
    var s: State;
    s.q0 = state[0u * run.stride + instance];
    s.q3 = state[1u * run.stride + instance];
    s.wz = state[2u * run.stride + instance];
    s.amplitude_0 = state[3u * run.stride + instance];
    s.amplitude_1 = state[4u * run.stride + instance];
    s.amplitude_2 = state[5u * run.stride + instance];
    s.amplitude_rate_0 = state[6u * run.stride + instance];
    s.amplitude_rate_1 = state[7u * run.stride + instance];
    s.amplitude_rate_2 = state[8u * run.stride + instance];
    s.half_wz = state[9u * run.stride + instance];
    s.half_amplitude_0 = state[10u * run.stride + instance];
    s.half_amplitude_1 = state[11u * run.stride + instance];
    s.half_amplitude_2 = state[12u * run.stride + instance];
    s.half_amplitude_rate_0 = state[13u * run.stride + instance];
    s.half_amplitude_rate_1 = state[14u * run.stride + instance];
    s.half_amplitude_rate_2 = state[15u * run.stride + instance];
    return s;
}

fn store_state(instance: u32, s: State) {
    state[0u * run.stride + instance] = s.q0;
    state[1u * run.stride + instance] = s.q3;
    state[2u * run.stride + instance] = s.wz;
    state[3u * run.stride + instance] = s.amplitude_0;
    state[4u * run.stride + instance] = s.amplitude_1;
    state[5u * run.stride + instance] = s.amplitude_2;
    state[6u * run.stride + instance] = s.amplitude_rate_0;
    state[7u * run.stride + instance] = s.amplitude_rate_1;
    state[8u * run.stride + instance] = s.amplitude_rate_2;
    state[9u * run.stride + instance] = s.half_wz;
    state[10u * run.stride + instance] = s.half_amplitude_0;
    state[11u * run.stride + instance] = s.half_amplitude_1;
    state[12u * run.stride + instance] = s.half_amplitude_2;
    state[13u * run.stride + instance] = s.half_amplitude_rate_0;
    state[14u * run.stride + instance] = s.half_amplitude_rate_1;
    state[15u * run.stride + instance] = s.half_amplitude_rate_2;
}

fn flushed(s: State) -> State {
    var next: State;
    next.q0 = flushed_real(s.q0);
    next.q3 = flushed_real(s.q3);
    next.wz = flushed_real(s.wz);
    next.amplitude_0 = flushed_real(s.amplitude_0);
    next.amplitude_1 = flushed_real(s.amplitude_1);
    next.amplitude_2 = flushed_real(s.amplitude_2);
    next.amplitude_rate_0 = flushed_real(s.amplitude_rate_0);
    next.amplitude_rate_1 = flushed_real(s.amplitude_rate_1);
    next.amplitude_rate_2 = flushed_real(s.amplitude_rate_2);
    next.half_wz = flushed_real(s.half_wz);
    next.half_amplitude_0 = flushed_real(s.half_amplitude_0);
    next.half_amplitude_1 = flushed_real(s.half_amplitude_1);
    next.half_amplitude_2 = flushed_real(s.half_amplitude_2);
    next.half_amplitude_rate_0 = flushed_real(s.half_amplitude_rate_0);
    next.half_amplitude_rate_1 = flushed_real(s.half_amplitude_rate_1);
    next.half_amplitude_rate_2 = flushed_real(s.half_amplitude_rate_2);
    return next;
}

fn is_finite_state(s: State) -> bool {
    return is_finite_real(s.q0)
        && is_finite_real(s.q3)
        && is_finite_real(s.wz)
        && is_finite_real(s.amplitude_0)
        && is_finite_real(s.amplitude_1)
        && is_finite_real(s.amplitude_2)
        && is_finite_real(s.amplitude_rate_0)
        && is_finite_real(s.amplitude_rate_1)
        && is_finite_real(s.amplitude_rate_2);
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
    return p;
}

// One full step: 185 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.half_amplitude_0 * p.c2;
    let t1 = s.half_amplitude_0 * t0 + p.c2;
    let t2 = s.half_amplitude_1 * p.c2;
    let t3 = s.half_amplitude_1 * t2 + t1;
    let t4 = s.half_amplitude_2 * p.c2 + p.c5;
    let t5 = s.half_amplitude_2 * t4 + t3;
    let t6 = s.half_amplitude_0 * p.c8;
    let t7 = s.half_amplitude_1 * p.c8;
    let t8 = s.half_amplitude_2 * p.c9;
    let t9 = s.half_wz * p.c5;
    let t10 = s.half_wz * t9;
    let t11 = p.c1 * t10 - t8;
    let t12 = s.half_amplitude_rate_1 * p.c7;
    let t13 = s.half_wz * t12;
    let t14 = p.c10 * t13 + t6;
    let t15 = s.half_amplitude_rate_0 * p.c2;
    let t16 = s.half_wz * t15;
    let t17 = p.c10 * t16 + t7;
    let t18 = s.half_amplitude_rate_2 * t9;
    let t19 = s.half_wz * p.c2;
    let t20 = s.half_wz * t19;
    let t21 = s.half_amplitude_0 * t20 - t14;
    let t22 = s.half_amplitude_1 * t20 - t17;
    let t23 = s.half_amplitude_2 * t20 + t11;
    let t24 = s.half_amplitude_rate_0 * p.c10;
    let t25 = s.half_wz * t0;
    let t26 = t24 * t25 + t18;
    let t27 = s.half_amplitude_rate_1 * p.c10;
    let t28 = s.half_wz * t2;
    let t29 = t27 * t28 + t26;
    let t30 = s.half_amplitude_2 * p.c2;
    let t31 = s.half_amplitude_rate_2 * p.c10;
    let t32 = s.half_wz * t30;
    let t33 = t31 * t32 + t29;
    let t34 = s.half_amplitude_1 * p.c7;
    let t35 = t0 * p.c11;
    let t36 = t34 * p.c11;
    let t37 = t5 - t34 * t36;
    let t38 = t37 - t0 * t35;
    let t39 = t23 * p.c11;
    let t40 = t22 * p.c11;
    let t41 = t21 * p.c11;
    let t42 = t34 * t41 + t33;
    let t43 = t0 * t40 + t42;
    let t44 = p.c3 / t38;
    let t45 = t43 * t44;
    let t46 = t34 * t45 + t21;
    let t47 = t0 * t45 + t22;
    let t48 = p.c11 * t47;
    let t49 = p.c11 * t46;
    let t50 = s.wz - p.c0 * t45;
    let t51 = p.c0 * t49 + s.amplitude_rate_0;
    let t52 = p.c0 * t48 + s.amplitude_rate_1;
    let t53 = p.c0 * t39 + s.amplitude_rate_2;
    let t54 = s.half_wz * p.c4;
    let t55 = t54 * t54 + p.c3;
    let t56 = p.c10 / t55;
    let t57 = s.q0 - s.q3 * t54;
    let t58 = s.q0 * t54 + s.q3;
    let t59 = t56 * t57 - s.q0;
    let t60 = t56 * t58 - s.q3;
    let t61 = t59 * t59;
    let t62 = t60 * t60 + t61;
    let t63 = p.c6 - p.c1 * t62;
    let t64 = t59 * t63;
    let t65 = t60 * t63;
    let t66 = s.half_amplitude_rate_0 * p.c0 + s.amplitude_0;
    let t67 = s.half_amplitude_rate_1 * p.c0 + s.amplitude_1;
    let t68 = s.half_amplitude_rate_2 * p.c0 + s.amplitude_2;
    let t69 = p.c2 * t66;
    let t70 = t66 * t69 + p.c2;
    let t71 = p.c2 * t67;
    let t72 = t67 * t71 + t70;
    let t73 = p.c2 * t68 + p.c5;
    let t74 = t68 * t73 + t72;
    let t75 = p.c8 * t66;
    let t76 = p.c8 * t67;
    let t77 = p.c9 * t68;
    let t78 = p.c5 * t50;
    let t79 = t50 * t78;
    let t80 = p.c1 * t79 - t77;
    let t81 = p.c7 * t52;
    let t82 = t50 * t81;
    let t83 = p.c10 * t82 + t75;
    let t84 = p.c2 * t51;
    let t85 = t50 * t84;
    let t86 = p.c10 * t85 + t76;
    let t87 = t53 * t78;
    let t88 = p.c2 * t50;
    let t89 = t50 * t88;
    let t90 = t66 * t89 - t83;
    let t91 = t67 * t89 - t86;
    let t92 = t68 * t89 + t80;
    let t93 = p.c10 * t51;
    let t94 = t50 * t69;
    let t95 = t93 * t94 + t87;
    let t96 = p.c10 * t52;
    let t97 = t50 * t71;
    let t98 = t96 * t97 + t95;
    let t99 = p.c2 * t68;
    let t100 = p.c10 * t53;
    let t101 = t50 * t99;
    let t102 = t100 * t101 + t98;
    let t103 = p.c7 * t67;
    let t104 = p.c11 * t69;
    let t105 = p.c11 * t103;
    let t106 = t74 - t103 * t105;
    let t107 = t106 - t69 * t104;
    let t108 = p.c11 * t92;
    let t109 = p.c11 * t91;
    let t110 = p.c11 * t90;
    let t111 = t103 * t110 + t102;
    let t112 = t69 * t109 + t111;
    let t113 = p.c3 / t107;
    let t114 = t112 * t113;
    let t115 = t103 * t114 + t90;
    let t116 = t69 * t114 + t91;
    let t117 = p.c11 * t116;
    let t118 = p.c11 * t115;
    let t119 = s.half_wz - p.c0 * t114;
    let t120 = p.c0 * t118 + s.half_amplitude_rate_0;
    let t121 = p.c0 * t117 + s.half_amplitude_rate_1;
    let t122 = p.c0 * t108 + s.half_amplitude_rate_2;
    let t123 = p.c0 * t51 + s.half_amplitude_0;
    let t124 = p.c0 * t52 + s.half_amplitude_1;
    let t125 = p.c0 * t53 + s.half_amplitude_2;
    var next: State;
    next.q0 = t64;
    next.q3 = t65;
    next.wz = t50;
    next.amplitude_0 = t66;
    next.amplitude_1 = t67;
    next.amplitude_2 = t68;
    next.amplitude_rate_0 = t51;
    next.amplitude_rate_1 = t52;
    next.amplitude_rate_2 = t53;
    next.half_wz = t119;
    next.half_amplitude_0 = t123;
    next.half_amplitude_1 = t124;
    next.half_amplitude_2 = t125;
    next.half_amplitude_rate_0 = t120;
    next.half_amplitude_rate_1 = t121;
    next.half_amplitude_rate_2 = t122;
    return next;
}

// What the method carries, at the start. (776 operations.)
fn begin(instance: u32, s: State) -> State {
    let t0 = s.amplitude_0 * shared_values[2];
    let t1 = s.amplitude_0 * t0 + shared_values[2];
    let t2 = s.amplitude_1 * shared_values[2];
    let t3 = s.amplitude_1 * t2 + t1;
    let t4 = s.amplitude_2 * shared_values[2] + shared_values[5];
    let t5 = s.amplitude_2 * t4 + t3;
    let t6 = s.amplitude_0 * shared_values[8];
    let t7 = s.amplitude_1 * shared_values[8];
    let t8 = s.amplitude_2 * shared_values[9];
    let t9 = s.wz * shared_values[5];
    let t10 = s.wz * t9;
    let t11 = shared_values[1] * t10 - t8;
    let t12 = s.amplitude_rate_1 * shared_values[7];
    let t13 = s.wz * t12;
    let t14 = shared_values[10] * t13 + t6;
    let t15 = s.amplitude_rate_0 * shared_values[2];
    let t16 = s.wz * t15;
    let t17 = shared_values[10] * t16 + t7;
    let t18 = s.amplitude_rate_2 * t9;
    let t19 = s.wz * shared_values[2];
    let t20 = s.wz * t19;
    let t21 = s.amplitude_0 * t20 - t14;
    let t22 = s.amplitude_1 * t20 - t17;
    let t23 = s.amplitude_2 * t20 + t11;
    let t24 = s.amplitude_rate_0 * shared_values[10];
    let t25 = s.wz * t0;
    let t26 = t24 * t25 + t18;
    let t27 = s.amplitude_rate_1 * shared_values[10];
    let t28 = s.wz * t2;
    let t29 = t27 * t28 + t26;
    let t30 = s.amplitude_2 * shared_values[2];
    let t31 = s.amplitude_rate_2 * shared_values[10];
    let t32 = s.wz * t30;
    let t33 = t31 * t32 + t29;
    let t34 = s.amplitude_1 * shared_values[7];
    let t35 = shared_values[11] * t0;
    let t36 = shared_values[11] * t34;
    let t37 = t5 - t34 * t36;
    let t38 = t37 - t0 * t35;
    let t39 = shared_values[11] * t23;
    let t40 = shared_values[11] * t22;
    let t41 = shared_values[11] * t21;
    let t42 = t34 * t41 + t33;
    let t43 = t0 * t40 + t42;
    let t44 = shared_values[3] / t38;
    let t45 = t43 * t44;
    let t46 = t34 * t45 + t21;
    let t47 = t0 * t45 + t22;
    let t48 = shared_values[11] * t47;
    let t49 = shared_values[11] * t46;
    let t50 = shared_values[4] * t45;
    let t51 = shared_values[4] * t49;
    let t52 = shared_values[4] * t48;
    let t53 = shared_values[4] * t39;
    let t54 = s.amplitude_rate_0 * shared_values[4];
    let t55 = s.amplitude_rate_1 * shared_values[4];
    let t56 = s.amplitude_rate_2 * shared_values[4];
    let t57 = s.wz - shared_values[1] * t50;
    let t58 = shared_values[1] * t54 + s.amplitude_0;
    let t59 = shared_values[1] * t55 + s.amplitude_1;
    let t60 = shared_values[1] * t56 + s.amplitude_2;
    let t61 = shared_values[1] * t51 + s.amplitude_rate_0;
    let t62 = shared_values[1] * t52 + s.amplitude_rate_1;
    let t63 = shared_values[1] * t53 + s.amplitude_rate_2;
    let t64 = shared_values[2] * t58;
    let t65 = t58 * t64 + shared_values[2];
    let t66 = shared_values[2] * t59;
    let t67 = t59 * t66 + t65;
    let t68 = shared_values[2] * t60 + shared_values[5];
    let t69 = t60 * t68 + t67;
    let t70 = shared_values[8] * t58;
    let t71 = shared_values[8] * t59;
    let t72 = shared_values[9] * t60;
    let t73 = shared_values[5] * t57;
    let t74 = t57 * t73;
    let t75 = shared_values[1] * t74 - t72;
    let t76 = shared_values[7] * t62;
    let t77 = t57 * t76;
    let t78 = shared_values[10] * t77 + t70;
    let t79 = shared_values[2] * t61;
    let t80 = t57 * t79;
    let t81 = shared_values[10] * t80 + t71;
    let t82 = t63 * t73;
    let t83 = shared_values[2] * t57;
    let t84 = t57 * t83;
    let t85 = t58 * t84 - t78;
    let t86 = t59 * t84 - t81;
    let t87 = t60 * t84 + t75;
    let t88 = shared_values[10] * t61;
    let t89 = t57 * t64;
    let t90 = t88 * t89 + t82;
    let t91 = shared_values[10] * t62;
    let t92 = t57 * t66;
    let t93 = t91 * t92 + t90;
    let t94 = shared_values[2] * t60;
    let t95 = shared_values[10] * t63;
    let t96 = t57 * t94;
    let t97 = t95 * t96 + t93;
    let t98 = shared_values[7] * t59;
    let t99 = shared_values[11] * t64;
    let t100 = shared_values[11] * t98;
    let t101 = t69 - t98 * t100;
    let t102 = t101 - t64 * t99;
    let t103 = shared_values[11] * t87;
    let t104 = shared_values[11] * t86;
    let t105 = shared_values[11] * t85;
    let t106 = t98 * t105 + t97;
    let t107 = t64 * t104 + t106;
    let t108 = shared_values[3] / t102;
    let t109 = t107 * t108;
    let t110 = t98 * t109 + t85;
    let t111 = t64 * t109 + t86;
    let t112 = shared_values[11] * t111;
    let t113 = shared_values[11] * t110;
    let t114 = shared_values[4] * t109;
    let t115 = shared_values[4] * t113;
    let t116 = shared_values[4] * t112;
    let t117 = shared_values[4] * t103;
    let t118 = shared_values[4] * t61;
    let t119 = shared_values[4] * t62;
    let t120 = shared_values[4] * t63;
    let t121 = s.wz - shared_values[1] * t114;
    let t122 = shared_values[1] * t118 + s.amplitude_0;
    let t123 = shared_values[1] * t119 + s.amplitude_1;
    let t124 = shared_values[1] * t120 + s.amplitude_2;
    let t125 = shared_values[1] * t115 + s.amplitude_rate_0;
    let t126 = shared_values[1] * t116 + s.amplitude_rate_1;
    let t127 = shared_values[1] * t117 + s.amplitude_rate_2;
    let t128 = shared_values[2] * t122;
    let t129 = t122 * t128 + shared_values[2];
    let t130 = shared_values[2] * t123;
    let t131 = t123 * t130 + t129;
    let t132 = shared_values[2] * t124 + shared_values[5];
    let t133 = t124 * t132 + t131;
    let t134 = shared_values[8] * t122;
    let t135 = shared_values[8] * t123;
    let t136 = shared_values[9] * t124;
    let t137 = shared_values[5] * t121;
    let t138 = t121 * t137;
    let t139 = shared_values[1] * t138 - t136;
    let t140 = shared_values[7] * t126;
    let t141 = t121 * t140;
    let t142 = shared_values[10] * t141 + t134;
    let t143 = shared_values[2] * t125;
    let t144 = t121 * t143;
    let t145 = shared_values[10] * t144 + t135;
    let t146 = t127 * t137;
    let t147 = shared_values[2] * t121;
    let t148 = t121 * t147;
    let t149 = t122 * t148 - t142;
    let t150 = t123 * t148 - t145;
    let t151 = t124 * t148 + t139;
    let t152 = shared_values[10] * t125;
    let t153 = t121 * t128;
    let t154 = t152 * t153 + t146;
    let t155 = shared_values[10] * t126;
    let t156 = t121 * t130;
    let t157 = t155 * t156 + t154;
    let t158 = shared_values[2] * t124;
    let t159 = shared_values[10] * t127;
    let t160 = t121 * t158;
    let t161 = t159 * t160 + t157;
    let t162 = shared_values[7] * t123;
    let t163 = shared_values[11] * t128;
    let t164 = shared_values[11] * t162;
    let t165 = t133 - t162 * t164;
    let t166 = t165 - t128 * t163;
    let t167 = shared_values[11] * t151;
    let t168 = shared_values[11] * t150;
    let t169 = shared_values[11] * t149;
    let t170 = t162 * t169 + t161;
    let t171 = t128 * t168 + t170;
    let t172 = shared_values[3] / t166;
    let t173 = t171 * t172;
    let t174 = t162 * t173 + t149;
    let t175 = t128 * t173 + t150;
    let t176 = shared_values[11] * t175;
    let t177 = shared_values[11] * t174;
    let t178 = shared_values[4] * t173;
    let t179 = shared_values[4] * t177;
    let t180 = shared_values[4] * t176;
    let t181 = shared_values[4] * t167;
    let t182 = shared_values[4] * t125;
    let t183 = shared_values[4] * t126;
    let t184 = shared_values[4] * t127;
    let t185 = shared_values[10] * t114 + t50;
    let t186 = shared_values[10] * t118 + t54;
    let t187 = shared_values[10] * t119 + t55;
    let t188 = shared_values[10] * t120 + t56;
    let t189 = shared_values[10] * t115 + t51;
    let t190 = shared_values[10] * t116 + t52;
    let t191 = shared_values[10] * t117 + t53;
    let t192 = shared_values[10] * t178 + t185;
    let t193 = shared_values[10] * t182 + t186;
    let t194 = shared_values[10] * t183 + t187;
    let t195 = shared_values[10] * t184 + t188;
    let t196 = shared_values[10] * t179 + t189;
    let t197 = shared_values[10] * t180 + t190;
    let t198 = shared_values[10] * t181 + t191;
    let t199 = s.wz - t178;
    let t200 = s.amplitude_0 + t182;
    let t201 = s.amplitude_1 + t183;
    let t202 = s.amplitude_2 + t184;
    let t203 = s.amplitude_rate_0 + t179;
    let t204 = s.amplitude_rate_1 + t180;
    let t205 = s.amplitude_rate_2 + t181;
    let t206 = shared_values[2] * t200;
    let t207 = t200 * t206 + shared_values[2];
    let t208 = shared_values[2] * t201;
    let t209 = t201 * t208 + t207;
    let t210 = shared_values[2] * t202 + shared_values[5];
    let t211 = t202 * t210 + t209;
    let t212 = shared_values[8] * t200;
    let t213 = shared_values[8] * t201;
    let t214 = shared_values[9] * t202;
    let t215 = shared_values[5] * t199;
    let t216 = t199 * t215;
    let t217 = shared_values[1] * t216 - t214;
    let t218 = shared_values[7] * t204;
    let t219 = t199 * t218;
    let t220 = shared_values[10] * t219 + t212;
    let t221 = shared_values[2] * t203;
    let t222 = t199 * t221;
    let t223 = shared_values[10] * t222 + t213;
    let t224 = t205 * t215;
    let t225 = shared_values[2] * t199;
    let t226 = t199 * t225;
    let t227 = t200 * t226 - t220;
    let t228 = t201 * t226 - t223;
    let t229 = t202 * t226 + t217;
    let t230 = shared_values[10] * t203;
    let t231 = t199 * t206;
    let t232 = t230 * t231 + t224;
    let t233 = shared_values[10] * t204;
    let t234 = t199 * t208;
    let t235 = t233 * t234 + t232;
    let t236 = shared_values[2] * t202;
    let t237 = shared_values[10] * t205;
    let t238 = t199 * t236;
    let t239 = t237 * t238 + t235;
    let t240 = shared_values[7] * t201;
    let t241 = shared_values[11] * t206;
    let t242 = shared_values[11] * t240;
    let t243 = t211 - t240 * t242;
    let t244 = t243 - t206 * t241;
    let t245 = shared_values[11] * t229;
    let t246 = shared_values[11] * t228;
    let t247 = shared_values[11] * t227;
    let t248 = t240 * t247 + t239;
    let t249 = t206 * t246 + t248;
    let t250 = shared_values[3] / t244;
    let t251 = t249 * t250;
    let t252 = t240 * t251 + t227;
    let t253 = t206 * t251 + t228;
    let t254 = shared_values[11] * t253;
    let t255 = shared_values[11] * t252;
    let t256 = shared_values[4] * t251 + t192;
    let t257 = shared_values[4] * t255 + t196;
    let t258 = shared_values[4] * t254 + t197;
    let t259 = shared_values[4] * t245 + t198;
    let t260 = shared_values[4] * t203 + t193;
    let t261 = shared_values[4] * t204 + t194;
    let t262 = shared_values[4] * t205 + t195;
    let t263 = s.wz - shared_values[12] * t256;
    let t264 = shared_values[12] * t260 + s.amplitude_0;
    let t265 = shared_values[12] * t261 + s.amplitude_1;
    let t266 = shared_values[12] * t262 + s.amplitude_2;
    let t267 = shared_values[12] * t257 + s.amplitude_rate_0;
    let t268 = shared_values[12] * t258 + s.amplitude_rate_1;
    let t269 = shared_values[12] * t259 + s.amplitude_rate_2;
    let t270 = shared_values[2] * t264;
    let t271 = t264 * t270 + shared_values[2];
    let t272 = shared_values[2] * t265;
    let t273 = t265 * t272 + t271;
    let t274 = shared_values[2] * t266 + shared_values[5];
    let t275 = t266 * t274 + t273;
    let t276 = shared_values[8] * t264;
    let t277 = shared_values[8] * t265;
    let t278 = shared_values[9] * t266;
    let t279 = shared_values[5] * t263;
    let t280 = t263 * t279;
    let t281 = shared_values[1] * t280 - t278;
    let t282 = shared_values[7] * t268;
    let t283 = t263 * t282;
    let t284 = shared_values[10] * t283 + t276;
    let t285 = shared_values[2] * t267;
    let t286 = t263 * t285;
    let t287 = shared_values[10] * t286 + t277;
    let t288 = t269 * t279;
    let t289 = shared_values[2] * t263;
    let t290 = t263 * t289;
    let t291 = t264 * t290 - t284;
    let t292 = t265 * t290 - t287;
    let t293 = t266 * t290 + t281;
    let t294 = shared_values[10] * t267;
    let t295 = t263 * t270;
    let t296 = t294 * t295 + t288;
    let t297 = shared_values[10] * t268;
    let t298 = t263 * t272;
    let t299 = t297 * t298 + t296;
    let t300 = shared_values[2] * t266;
    let t301 = shared_values[10] * t269;
    let t302 = t263 * t300;
    let t303 = t301 * t302 + t299;
    let t304 = shared_values[7] * t265;
    let t305 = shared_values[11] * t270;
    let t306 = shared_values[11] * t304;
    let t307 = t275 - t304 * t306;
    let t308 = t307 - t270 * t305;
    let t309 = shared_values[11] * t293;
    let t310 = shared_values[11] * t292;
    let t311 = shared_values[11] * t291;
    let t312 = t304 * t311 + t303;
    let t313 = t270 * t310 + t312;
    let t314 = shared_values[3] / t308;
    let t315 = t313 * t314;
    let t316 = t304 * t315 + t291;
    let t317 = t270 * t315 + t292;
    let t318 = shared_values[11] * t317;
    let t319 = shared_values[11] * t316;
    let t320 = shared_values[4] * t315;
    let t321 = shared_values[4] * t319;
    let t322 = shared_values[4] * t318;
    let t323 = shared_values[4] * t309;
    let t324 = shared_values[4] * t267;
    let t325 = shared_values[4] * t268;
    let t326 = shared_values[4] * t269;
    let t327 = t263 - shared_values[1] * t320;
    let t328 = shared_values[1] * t324 + t264;
    let t329 = shared_values[1] * t325 + t265;
    let t330 = shared_values[1] * t326 + t266;
    let t331 = shared_values[1] * t321 + t267;
    let t332 = shared_values[1] * t322 + t268;
    let t333 = shared_values[1] * t323 + t269;
    let t334 = shared_values[2] * t328;
    let t335 = t328 * t334 + shared_values[2];
    let t336 = shared_values[2] * t329;
    let t337 = t329 * t336 + t335;
    let t338 = shared_values[2] * t330 + shared_values[5];
    let t339 = t330 * t338 + t337;
    let t340 = shared_values[8] * t328;
    let t341 = shared_values[8] * t329;
    let t342 = shared_values[9] * t330;
    let t343 = shared_values[5] * t327;
    let t344 = t327 * t343;
    let t345 = shared_values[1] * t344 - t342;
    let t346 = shared_values[7] * t332;
    let t347 = t327 * t346;
    let t348 = shared_values[10] * t347 + t340;
    let t349 = shared_values[2] * t331;
    let t350 = t327 * t349;
    let t351 = shared_values[10] * t350 + t341;
    let t352 = t333 * t343;
    let t353 = shared_values[2] * t327;
    let t354 = t327 * t353;
    let t355 = t328 * t354 - t348;
    let t356 = t329 * t354 - t351;
    let t357 = t330 * t354 + t345;
    let t358 = shared_values[10] * t331;
    let t359 = t327 * t334;
    let t360 = t358 * t359 + t352;
    let t361 = shared_values[10] * t332;
    let t362 = t327 * t336;
    let t363 = t361 * t362 + t360;
    let t364 = shared_values[2] * t330;
    let t365 = shared_values[10] * t333;
    let t366 = t327 * t364;
    let t367 = t365 * t366 + t363;
    let t368 = shared_values[7] * t329;
    let t369 = shared_values[11] * t334;
    let t370 = shared_values[11] * t368;
    let t371 = t339 - t368 * t370;
    let t372 = t371 - t334 * t369;
    let t373 = shared_values[11] * t357;
    let t374 = shared_values[11] * t356;
    let t375 = shared_values[11] * t355;
    let t376 = t368 * t375 + t367;
    let t377 = t334 * t374 + t376;
    let t378 = shared_values[3] / t372;
    let t379 = t377 * t378;
    let t380 = t368 * t379 + t355;
    let t381 = t334 * t379 + t356;
    let t382 = shared_values[11] * t381;
    let t383 = shared_values[11] * t380;
    let t384 = shared_values[4] * t379;
    let t385 = shared_values[4] * t383;
    let t386 = shared_values[4] * t382;
    let t387 = shared_values[4] * t373;
    let t388 = shared_values[4] * t331;
    let t389 = shared_values[4] * t332;
    let t390 = shared_values[4] * t333;
    let t391 = t263 - shared_values[1] * t384;
    let t392 = shared_values[1] * t388 + t264;
    let t393 = shared_values[1] * t389 + t265;
    let t394 = shared_values[1] * t390 + t266;
    let t395 = shared_values[1] * t385 + t267;
    let t396 = shared_values[1] * t386 + t268;
    let t397 = shared_values[1] * t387 + t269;
    let t398 = shared_values[2] * t392;
    let t399 = t392 * t398 + shared_values[2];
    let t400 = shared_values[2] * t393;
    let t401 = t393 * t400 + t399;
    let t402 = shared_values[2] * t394 + shared_values[5];
    let t403 = t394 * t402 + t401;
    let t404 = shared_values[8] * t392;
    let t405 = shared_values[8] * t393;
    let t406 = shared_values[9] * t394;
    let t407 = shared_values[5] * t391;
    let t408 = t391 * t407;
    let t409 = shared_values[1] * t408 - t406;
    let t410 = shared_values[7] * t396;
    let t411 = t391 * t410;
    let t412 = shared_values[10] * t411 + t404;
    let t413 = shared_values[2] * t395;
    let t414 = t391 * t413;
    let t415 = shared_values[10] * t414 + t405;
    let t416 = t397 * t407;
    let t417 = shared_values[2] * t391;
    let t418 = t391 * t417;
    let t419 = t392 * t418 - t412;
    let t420 = t393 * t418 - t415;
    let t421 = t394 * t418 + t409;
    let t422 = shared_values[10] * t395;
    let t423 = t391 * t398;
    let t424 = t422 * t423 + t416;
    let t425 = shared_values[10] * t396;
    let t426 = t391 * t400;
    let t427 = t425 * t426 + t424;
    let t428 = shared_values[2] * t394;
    let t429 = shared_values[10] * t397;
    let t430 = t391 * t428;
    let t431 = t429 * t430 + t427;
    let t432 = shared_values[7] * t393;
    let t433 = shared_values[11] * t398;
    let t434 = shared_values[11] * t432;
    let t435 = t403 - t432 * t434;
    let t436 = t435 - t398 * t433;
    let t437 = shared_values[11] * t421;
    let t438 = shared_values[11] * t420;
    let t439 = shared_values[11] * t419;
    let t440 = t432 * t439 + t431;
    let t441 = t398 * t438 + t440;
    let t442 = shared_values[3] / t436;
    let t443 = t441 * t442;
    let t444 = t432 * t443 + t419;
    let t445 = t398 * t443 + t420;
    let t446 = shared_values[11] * t445;
    let t447 = shared_values[11] * t444;
    let t448 = shared_values[4] * t443;
    let t449 = shared_values[4] * t447;
    let t450 = shared_values[4] * t446;
    let t451 = shared_values[4] * t437;
    let t452 = shared_values[4] * t395;
    let t453 = shared_values[4] * t396;
    let t454 = shared_values[4] * t397;
    let t455 = shared_values[10] * t384 + t320;
    let t456 = shared_values[10] * t388 + t324;
    let t457 = shared_values[10] * t389 + t325;
    let t458 = shared_values[10] * t390 + t326;
    let t459 = shared_values[10] * t385 + t321;
    let t460 = shared_values[10] * t386 + t322;
    let t461 = shared_values[10] * t387 + t323;
    let t462 = shared_values[10] * t448 + t455;
    let t463 = shared_values[10] * t452 + t456;
    let t464 = shared_values[10] * t453 + t457;
    let t465 = shared_values[10] * t454 + t458;
    let t466 = shared_values[10] * t449 + t459;
    let t467 = shared_values[10] * t450 + t460;
    let t468 = shared_values[10] * t451 + t461;
    let t469 = t263 - t448;
    let t470 = t264 + t452;
    let t471 = t265 + t453;
    let t472 = t266 + t454;
    let t473 = t267 + t449;
    let t474 = t268 + t450;
    let t475 = t269 + t451;
    let t476 = shared_values[2] * t470;
    let t477 = t470 * t476 + shared_values[2];
    let t478 = shared_values[2] * t471;
    let t479 = t471 * t478 + t477;
    let t480 = shared_values[2] * t472 + shared_values[5];
    let t481 = t472 * t480 + t479;
    let t482 = shared_values[8] * t470;
    let t483 = shared_values[8] * t471;
    let t484 = shared_values[9] * t472;
    let t485 = shared_values[5] * t469;
    let t486 = t469 * t485;
    let t487 = shared_values[1] * t486 - t484;
    let t488 = shared_values[7] * t474;
    let t489 = t469 * t488;
    let t490 = shared_values[10] * t489 + t482;
    let t491 = shared_values[2] * t473;
    let t492 = t469 * t491;
    let t493 = shared_values[10] * t492 + t483;
    let t494 = t475 * t485;
    let t495 = shared_values[2] * t469;
    let t496 = t469 * t495;
    let t497 = t470 * t496 - t490;
    let t498 = t471 * t496 - t493;
    let t499 = t472 * t496 + t487;
    let t500 = shared_values[10] * t473;
    let t501 = t469 * t476;
    let t502 = t500 * t501 + t494;
    let t503 = shared_values[10] * t474;
    let t504 = t469 * t478;
    let t505 = t503 * t504 + t502;
    let t506 = shared_values[2] * t472;
    let t507 = shared_values[10] * t475;
    let t508 = t469 * t506;
    let t509 = t507 * t508 + t505;
    let t510 = shared_values[7] * t471;
    let t511 = shared_values[11] * t476;
    let t512 = shared_values[11] * t510;
    let t513 = t481 - t510 * t512;
    let t514 = t513 - t476 * t511;
    let t515 = shared_values[11] * t499;
    let t516 = shared_values[11] * t498;
    let t517 = shared_values[11] * t497;
    let t518 = t510 * t517 + t509;
    let t519 = t476 * t516 + t518;
    let t520 = shared_values[3] / t514;
    let t521 = t519 * t520;
    let t522 = t510 * t521 + t497;
    let t523 = t476 * t521 + t498;
    let t524 = shared_values[11] * t523;
    let t525 = shared_values[11] * t522;
    let t526 = shared_values[4] * t521 + t462;
    let t527 = shared_values[4] * t525 + t466;
    let t528 = shared_values[4] * t524 + t467;
    let t529 = shared_values[4] * t515 + t468;
    let t530 = shared_values[4] * t473 + t463;
    let t531 = shared_values[4] * t474 + t464;
    let t532 = shared_values[4] * t475 + t465;
    let t533 = t263 - shared_values[12] * t526;
    let t534 = shared_values[12] * t530 + t264;
    let t535 = shared_values[12] * t531 + t265;
    let t536 = shared_values[12] * t532 + t266;
    let t537 = shared_values[12] * t527 + t267;
    let t538 = shared_values[12] * t528 + t268;
    let t539 = shared_values[12] * t529 + t269;
    var next = s;
    next.half_wz = t533;
    next.half_amplitude_0 = t534;
    next.half_amplitude_1 = t535;
    next.half_amplitude_2 = t536;
    next.half_amplitude_rate_0 = t537;
    next.half_amplitude_rate_1 = t538;
    next.half_amplitude_rate_2 = t539;
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
