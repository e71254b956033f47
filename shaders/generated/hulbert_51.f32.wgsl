// Single precision.
alias real = f32;

// By bits: drivers fold comparisons of x with itself, and products with zero.
fn is_finite_real(x: real) -> bool {
    return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u;
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
const HAS_ENERGY_BOUND = false;
const NORM_BOUND_VALUE: real = 0.0f;

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
    c15: real,
}

fn prepare(instance: u32) -> Prepared {
    let t0 = shared_values[2] * shared_values[17];
    let t1 = parameters[0u * run.stride + instance] * shared_values[18];
    let t2 = parameters[1u * run.stride + instance] * shared_values[18];
    let t3 = parameters[2u * run.stride + instance] * shared_values[18];
    let t4 = shared_values[2] * shared_values[19];
    let t5 = parameters[0u * run.stride + instance] * shared_values[20];
    let t6 = parameters[1u * run.stride + instance] * shared_values[20];
    let t7 = parameters[2u * run.stride + instance] * shared_values[20];
    let t8 = t0 * shared_values[8];
    let t9 = t4 * shared_values[8];
    var p: Prepared;
    p.c0 = shared_values[0];
    p.c1 = shared_values[4];
    p.c2 = shared_values[5];
    p.c3 = shared_values[6];
    p.c4 = shared_values[7];
    p.c5 = shared_values[8];
    p.c6 = shared_values[9];
    p.c7 = shared_values[10];
    p.c8 = t8;
    p.c9 = t2;
    p.c10 = t3;
    p.c11 = t1;
    p.c12 = t9;
    p.c13 = t6;
    p.c14 = t7;
    p.c15 = t5;
    return p;
}

// One full step: 202 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.half_wy * s.half_wz;
    let t1 = s.half_wx * s.half_wz;
    let t2 = s.half_wx * s.half_wy;
    let t3 = p.c2 * t0 + s.wx;
    let t4 = p.c3 * t1 + s.wy;
    let t5 = p.c4 * t2 + s.wz;
    let t6 = t3 + p.c8;
    let t7 = s.half_q3 * p.c9;
    let t8 = s.half_q2 * p.c10 - t7;
    let t9 = s.half_q1 * p.c10;
    let t10 = s.half_q3 * p.c11 - t9;
    let t11 = s.half_q2 * p.c11;
    let t12 = s.half_q1 * p.c9 - t11;
    let t13 = p.c7 * t8;
    let t14 = p.c7 * t10;
    let t15 = p.c7 * t12;
    let t16 = s.half_q2 * t15 + p.c11;
    let t17 = t16 - s.half_q3 * t14;
    let t18 = s.half_q3 * t13 + p.c9;
    let t19 = t18 - s.half_q1 * t15;
    let t20 = s.half_q1 * t14 + p.c10;
    let t21 = t20 - s.half_q2 * t13;
    let t22 = t17 - s.half_q0 * t13;
    let t23 = t19 - s.half_q0 * t14;
    let t24 = t21 - s.half_q0 * t15;
    let t25 = p.c5 * t22 + t6;
    let t26 = p.c6 * t23 + t4;
    let t27 = p.c0 * t24 + t5;
    let t28 = s.half_wx * p.c1;
    let t29 = s.half_wy * p.c1;
    let t30 = s.half_wz * p.c1;
    let t31 = t28 * t28 + 1.0f;
    let t32 = t29 * t29 + t31;
    let t33 = t30 * t30 + t32;
    let t34 = p.c7 / t33;
    let t35 = s.q0 - s.q1 * t28;
    let t36 = t35 - s.q2 * t29;
    let t37 = t36 - s.q3 * t30;
    let t38 = s.q0 * t28 + s.q1;
    let t39 = s.q2 * t30 + t38;
    let t40 = t39 - s.q3 * t29;
    let t41 = s.q0 * t29 + s.q2;
    let t42 = s.q3 * t28 + t41;
    let t43 = t42 - s.q1 * t30;
    let t44 = s.q0 * t30 + s.q3;
    let t45 = s.q1 * t29 + t44;
    let t46 = t45 - s.q2 * t28;
    let t47 = t34 * t37 - s.q0;
    let t48 = t34 * t40 - s.q1;
    let t49 = t34 * t43 - s.q2;
    let t50 = t34 * t46 - s.q3;
    let t51 = t47 * t47;
    let t52 = t48 * t48 + t51;
    let t53 = t49 * t49 + t52;
    let t54 = t50 * t50 + t53;
    let t55 = sqrt(t54);
    let t56 = 1.0f / t55;
    let t57 = t47 * t56;
    let t58 = t48 * t56;
    let t59 = t49 * t56;
    let t60 = t50 * t56;
    let t61 = t26 * t27;
    let t62 = t25 * t27;
    let t63 = t25 * t26;
    let t64 = p.c2 * t61 + s.half_wx;
    let t65 = p.c3 * t62 + s.half_wy;
    let t66 = p.c4 * t63 + s.half_wz;
    let t67 = t64 + p.c12;
    let t68 = p.c13 * t60;
    let t69 = p.c14 * t59 - t68;
    let t70 = p.c14 * t58;
    let t71 = p.c15 * t60 - t70;
    let t72 = p.c15 * t59;
    let t73 = p.c13 * t58 - t72;
    let t74 = p.c7 * t69;
    let t75 = p.c7 * t71;
    let t76 = p.c7 * t73;
    let t77 = t59 * t76 + p.c15;
    let t78 = t77 - t60 * t75;
    let t79 = t60 * t74 + p.c13;
    let t80 = t79 - t58 * t76;
    let t81 = t58 * t75 + p.c14;
    let t82 = t81 - t59 * t74;
    let t83 = t78 - t57 * t74;
    let t84 = t80 - t57 * t75;
    let t85 = t82 - t57 * t76;
    let t86 = p.c5 * t83 + t67;
    let t87 = p.c6 * t84 + t65;
    let t88 = p.c0 * t85 + t66;
    let t89 = p.c1 * t25;
    let t90 = p.c1 * t26;
    let t91 = p.c1 * t27;
    let t92 = t89 * t89 + 1.0f;
    let t93 = t90 * t90 + t92;
    let t94 = t91 * t91 + t93;
    let t95 = p.c7 / t94;
    let t96 = s.half_q0 - s.half_q1 * t89;
    let t97 = t96 - s.half_q2 * t90;
    let t98 = t97 - s.half_q3 * t91;
    let t99 = s.half_q0 * t89 + s.half_q1;
    let t100 = s.half_q2 * t91 + t99;
    let t101 = t100 - s.half_q3 * t90;
    let t102 = s.half_q0 * t90 + s.half_q2;
    let t103 = s.half_q3 * t89 + t102;
    let t104 = t103 - s.half_q1 * t91;
    let t105 = s.half_q0 * t91 + s.half_q3;
    let t106 = s.half_q1 * t90 + t105;
    let t107 = t106 - s.half_q2 * t89;
    let t108 = t95 * t98 - s.half_q0;
    let t109 = t95 * t101 - s.half_q1;
    let t110 = t95 * t104 - s.half_q2;
    let t111 = t95 * t107 - s.half_q3;
    let t112 = t108 * t108;
    let t113 = t109 * t109 + t112;
    let t114 = t110 * t110 + t113;
    let t115 = t111 * t111 + t114;
    let t116 = sqrt(t115);
    let t117 = 1.0f / t116;
    let t118 = t108 * t117;
    let t119 = t109 * t117;
    let t120 = t110 * t117;
    let t121 = t111 * t117;
    var next: State;
    next.q0 = t57;
    next.q1 = t58;
    next.q2 = t59;
    next.q3 = t60;
    next.wx = t25;
    next.wy = t26;
    next.wz = t27;
    next.half_q0 = t118;
    next.half_q1 = t119;
    next.half_q2 = t120;
    next.half_q3 = t121;
    next.half_wx = t86;
    next.half_wy = t87;
    next.half_wz = t88;
    return next;
}

// What the method carries, at the start. (834 operations.)
fn begin(instance: u32, s: State) -> State {
    let t0 = shared_values[2] * shared_values[21];
    let t1 = parameters[0u * run.stride + instance] * shared_values[22];
    let t2 = parameters[1u * run.stride + instance] * shared_values[22];
    let t3 = parameters[2u * run.stride + instance] * shared_values[22];
    let t4 = shared_values[2] * shared_values[27];
    let t5 = parameters[0u * run.stride + instance] * shared_values[28];
    let t6 = parameters[1u * run.stride + instance] * shared_values[28];
    let t7 = parameters[2u * run.stride + instance] * shared_values[28];
    let t8 = s.q0 * s.q0;
    let t9 = s.q1 * s.q1 + t8;
    let t10 = s.q2 * s.q2 + t9;
    let t11 = s.q3 * s.q3 + t10;
    let t12 = sqrt(t11);
    let t13 = 1.0f / t12;
    let t14 = s.q0 * t13;
    let t15 = s.q1 * t13;
    let t16 = s.q2 * t13;
    let t17 = s.q3 * t13;
    let t18 = s.wy * s.wz;
    let t19 = s.wx * s.wz;
    let t20 = s.wx * s.wy;
    let t21 = shared_values[12] * t18;
    let t22 = shared_values[13] * t19;
    let t23 = shared_values[14] * t20;
    let t24 = t0 * shared_values[15];
    let t25 = t21 + t24;
    let t26 = t2 * t17;
    let t27 = t3 * t16 - t26;
    let t28 = t3 * t15;
    let t29 = t1 * t17 - t28;
    let t30 = t1 * t16;
    let t31 = t2 * t15 - t30;
    let t32 = shared_values[10] * t27;
    let t33 = shared_values[10] * t29;
    let t34 = shared_values[10] * t31;
    let t35 = t16 * t34 + t1;
    let t36 = t35 - t17 * t33;
    let t37 = t17 * t32 + t2;
    let t38 = t37 - t15 * t34;
    let t39 = t15 * t33 + t3;
    let t40 = t39 - t16 * t32;
    let t41 = t36 - t14 * t32;
    let t42 = t38 - t14 * t33;
    let t43 = t40 - t14 * t34;
    let t44 = shared_values[15] * t41 + t25;
    let t45 = shared_values[16] * t42 + t22;
    let t46 = shared_values[4] * t43 + t23;
    let t47 = s.q1 * s.wx;
    let t48 = s.q2 * s.wy + t47;
    let t49 = s.q3 * s.wz + t48;
    let t50 = -(t49);
    let t51 = s.q0 * s.wx;
    let t52 = s.q2 * s.wz + t51;
    let t53 = t52 - s.q3 * s.wy;
    let t54 = s.q0 * s.wy;
    let t55 = s.q3 * s.wx + t54;
    let t56 = t55 - s.q1 * s.wz;
    let t57 = s.q0 * s.wz;
    let t58 = s.q1 * s.wy + t57;
    let t59 = t58 - s.q2 * s.wx;
    let t60 = shared_values[3] * t50;
    let t61 = shared_values[3] * t53;
    let t62 = shared_values[3] * t56;
    let t63 = shared_values[3] * t59;
    let t64 = shared_values[1] * t60 + s.q0;
    let t65 = shared_values[1] * t61 + s.q1;
    let t66 = shared_values[1] * t62 + s.q2;
    let t67 = shared_values[1] * t63 + s.q3;
    let t68 = shared_values[1] * t44 + s.wx;
    let t69 = shared_values[1] * t45 + s.wy;
    let t70 = shared_values[1] * t46 + s.wz;
    let t71 = t64 * t64;
    let t72 = t65 * t65 + t71;
    let t73 = t66 * t66 + t72;
    let t74 = t67 * t67 + t73;
    let t75 = sqrt(t74);
    let t76 = 1.0f / t75;
    let t77 = t64 * t76;
    let t78 = t65 * t76;
    let t79 = t66 * t76;
    let t80 = t67 * t76;
    let t81 = t69 * t70;
    let t82 = t68 * t70;
    let t83 = t68 * t69;
    let t84 = shared_values[12] * t81;
    let t85 = shared_values[13] * t82;
    let t86 = shared_values[14] * t83;
    let t87 = t24 + t84;
    let t88 = t2 * t80;
    let t89 = t3 * t79 - t88;
    let t90 = t3 * t78;
    let t91 = t1 * t80 - t90;
    let t92 = t1 * t79;
    let t93 = t2 * t78 - t92;
    let t94 = shared_values[10] * t89;
    let t95 = shared_values[10] * t91;
    let t96 = shared_values[10] * t93;
    let t97 = t79 * t96 + t1;
    let t98 = t97 - t80 * t95;
    let t99 = t80 * t94 + t2;
    let t100 = t99 - t78 * t96;
    let t101 = t78 * t95 + t3;
    let t102 = t101 - t79 * t94;
    let t103 = t98 - t77 * t94;
    let t104 = t100 - t77 * t95;
    let t105 = t102 - t77 * t96;
    let t106 = shared_values[15] * t103 + t87;
    let t107 = shared_values[16] * t104 + t85;
    let t108 = shared_values[4] * t105 + t86;
    let t109 = t65 * t68;
    let t110 = t66 * t69 + t109;
    let t111 = t67 * t70 + t110;
    let t112 = -(t111);
    let t113 = t64 * t68;
    let t114 = t66 * t70 + t113;
    let t115 = t114 - t67 * t69;
    let t116 = t64 * t69;
    let t117 = t67 * t68 + t116;
    let t118 = t117 - t65 * t70;
    let t119 = t64 * t70;
    let t120 = t65 * t69 + t119;
    let t121 = t120 - t66 * t68;
    let t122 = shared_values[3] * t112;
    let t123 = shared_values[3] * t115;
    let t124 = shared_values[3] * t118;
    let t125 = shared_values[3] * t121;
    let t126 = shared_values[1] * t122 + s.q0;
    let t127 = shared_values[1] * t123 + s.q1;
    let t128 = shared_values[1] * t124 + s.q2;
    let t129 = shared_values[1] * t125 + s.q3;
    let t130 = shared_values[1] * t106 + s.wx;
    let t131 = shared_values[1] * t107 + s.wy;
    let t132 = shared_values[1] * t108 + s.wz;
    let t133 = t126 * t126;
    let t134 = t127 * t127 + t133;
    let t135 = t128 * t128 + t134;
    let t136 = t129 * t129 + t135;
    let t137 = sqrt(t136);
    let t138 = 1.0f / t137;
    let t139 = t126 * t138;
    let t140 = t127 * t138;
    let t141 = t128 * t138;
    let t142 = t129 * t138;
    let t143 = t131 * t132;
    let t144 = t130 * t132;
    let t145 = t130 * t131;
    let t146 = shared_values[12] * t143;
    let t147 = shared_values[13] * t144;
    let t148 = shared_values[14] * t145;
    let t149 = t24 + t146;
    let t150 = t2 * t142;
    let t151 = t3 * t141 - t150;
    let t152 = t3 * t140;
    let t153 = t1 * t142 - t152;
    let t154 = t1 * t141;
    let t155 = t2 * t140 - t154;
    let t156 = shared_values[10] * t151;
    let t157 = shared_values[10] * t153;
    let t158 = shared_values[10] * t155;
    let t159 = t141 * t158 + t1;
    let t160 = t159 - t142 * t157;
    let t161 = t142 * t156 + t2;
    let t162 = t161 - t140 * t158;
    let t163 = t140 * t157 + t3;
    let t164 = t163 - t141 * t156;
    let t165 = t160 - t139 * t156;
    let t166 = t162 - t139 * t157;
    let t167 = t164 - t139 * t158;
    let t168 = shared_values[15] * t165 + t149;
    let t169 = shared_values[16] * t166 + t147;
    let t170 = shared_values[4] * t167 + t148;
    let t171 = t127 * t130;
    let t172 = t128 * t131 + t171;
    let t173 = t129 * t132 + t172;
    let t174 = -(t173);
    let t175 = t126 * t130;
    let t176 = t128 * t132 + t175;
    let t177 = t176 - t129 * t131;
    let t178 = t126 * t131;
    let t179 = t129 * t130 + t178;
    let t180 = t179 - t127 * t132;
    let t181 = t126 * t132;
    let t182 = t127 * t131 + t181;
    let t183 = t182 - t128 * t130;
    let t184 = shared_values[3] * t174;
    let t185 = shared_values[3] * t177;
    let t186 = shared_values[3] * t180;
    let t187 = shared_values[3] * t183;
    let t188 = shared_values[10] * t122 + t60;
    let t189 = shared_values[10] * t123 + t61;
    let t190 = shared_values[10] * t124 + t62;
    let t191 = shared_values[10] * t125 + t63;
    let t192 = shared_values[10] * t106 + t44;
    let t193 = shared_values[10] * t107 + t45;
    let t194 = shared_values[10] * t108 + t46;
    let t195 = shared_values[10] * t184 + t188;
    let t196 = shared_values[10] * t185 + t189;
    let t197 = shared_values[10] * t186 + t190;
    let t198 = shared_values[10] * t187 + t191;
    let t199 = shared_values[10] * t168 + t192;
    let t200 = shared_values[10] * t169 + t193;
    let t201 = shared_values[10] * t170 + t194;
    let t202 = s.q0 + t184;
    let t203 = s.q1 + t185;
    let t204 = s.q2 + t186;
    let t205 = s.q3 + t187;
    let t206 = s.wx + t168;
    let t207 = s.wy + t169;
    let t208 = s.wz + t170;
    let t209 = t202 * t202;
    let t210 = t203 * t203 + t209;
    let t211 = t204 * t204 + t210;
    let t212 = t205 * t205 + t211;
    let t213 = sqrt(t212);
    let t214 = 1.0f / t213;
    let t215 = t202 * t214;
    let t216 = t203 * t214;
    let t217 = t204 * t214;
    let t218 = t205 * t214;
    let t219 = t207 * t208;
    let t220 = t206 * t208;
    let t221 = t206 * t207;
    let t222 = shared_values[12] * t219 + t199;
    let t223 = shared_values[13] * t220 + t200;
    let t224 = shared_values[14] * t221 + t201;
    let t225 = t24 + t222;
    let t226 = t2 * t218;
    let t227 = t3 * t217 - t226;
    let t228 = t3 * t216;
    let t229 = t1 * t218 - t228;
    let t230 = t1 * t217;
    let t231 = t2 * t216 - t230;
    let t232 = shared_values[10] * t227;
    let t233 = shared_values[10] * t229;
    let t234 = shared_values[10] * t231;
    let t235 = t217 * t234 + t1;
    let t236 = t235 - t218 * t233;
    let t237 = t218 * t232 + t2;
    let t238 = t237 - t216 * t234;
    let t239 = t216 * t233 + t3;
    let t240 = t239 - t217 * t232;
    let t241 = t236 - t215 * t232;
    let t242 = t238 - t215 * t233;
    let t243 = t240 - t215 * t234;
    let t244 = shared_values[15] * t241 + t225;
    let t245 = shared_values[16] * t242 + t223;
    let t246 = shared_values[4] * t243 + t224;
    let t247 = t203 * t206;
    let t248 = t204 * t207 + t247;
    let t249 = t205 * t208 + t248;
    let t250 = t202 * t206;
    let t251 = t204 * t208 + t250;
    let t252 = t251 - t205 * t207;
    let t253 = t202 * t207;
    let t254 = t205 * t206 + t253;
    let t255 = t254 - t203 * t208;
    let t256 = t202 * t208;
    let t257 = t203 * t207 + t256;
    let t258 = t257 - t204 * t206;
    let t259 = t195 - shared_values[3] * t249;
    let t260 = shared_values[3] * t252 + t196;
    let t261 = shared_values[3] * t255 + t197;
    let t262 = shared_values[3] * t258 + t198;
    let t263 = shared_values[11] * t259 + s.q0;
    let t264 = shared_values[11] * t260 + s.q1;
    let t265 = shared_values[11] * t261 + s.q2;
    let t266 = shared_values[11] * t262 + s.q3;
    let t267 = shared_values[11] * t244 + s.wx;
    let t268 = shared_values[11] * t245 + s.wy;
    let t269 = shared_values[11] * t246 + s.wz;
    let t270 = t263 * t263;
    let t271 = t264 * t264 + t270;
    let t272 = t265 * t265 + t271;
    let t273 = t266 * t266 + t272;
    let t274 = sqrt(t273);
    let t275 = 1.0f / t274;
    let t276 = t263 * t275;
    let t277 = t264 * t275;
    let t278 = t265 * t275;
    let t279 = t266 * t275;
    let t280 = t276 * t276;
    let t281 = t277 * t277 + t280;
    let t282 = t278 * t278 + t281;
    let t283 = t279 * t279 + t282;
    let t284 = sqrt(t283);
    let t285 = 1.0f / t284;
    let t286 = t276 * t285;
    let t287 = t277 * t285;
    let t288 = t278 * t285;
    let t289 = t279 * t285;
    let t290 = t268 * t269;
    let t291 = t267 * t269;
    let t292 = t267 * t268;
    let t293 = shared_values[12] * t290;
    let t294 = shared_values[13] * t291;
    let t295 = shared_values[14] * t292;
    let t296 = t4 * shared_values[15];
    let t297 = t293 + t296;
    let t298 = t6 * t289;
    let t299 = t7 * t288 - t298;
    let t300 = t7 * t287;
    let t301 = t5 * t289 - t300;
    let t302 = t5 * t288;
    let t303 = t6 * t287 - t302;
    let t304 = shared_values[10] * t299;
    let t305 = shared_values[10] * t301;
    let t306 = shared_values[10] * t303;
    let t307 = t288 * t306 + t5;
    let t308 = t307 - t289 * t305;
    let t309 = t289 * t304 + t6;
    let t310 = t309 - t287 * t306;
    let t311 = t287 * t305 + t7;
    let t312 = t311 - t288 * t304;
    let t313 = t308 - t286 * t304;
    let t314 = t310 - t286 * t305;
    let t315 = t312 - t286 * t306;
    let t316 = shared_values[15] * t313 + t297;
    let t317 = shared_values[16] * t314 + t294;
    let t318 = shared_values[4] * t315 + t295;
    let t319 = t267 * t277;
    let t320 = t268 * t278 + t319;
    let t321 = t269 * t279 + t320;
    let t322 = -(t321);
    let t323 = t267 * t276;
    let t324 = t269 * t278 + t323;
    let t325 = t324 - t268 * t279;
    let t326 = t268 * t276;
    let t327 = t267 * t279 + t326;
    let t328 = t327 - t269 * t277;
    let t329 = t269 * t276;
    let t330 = t268 * t277 + t329;
    let t331 = t330 - t267 * t278;
    let t332 = shared_values[3] * t322;
    let t333 = shared_values[3] * t325;
    let t334 = shared_values[3] * t328;
    let t335 = shared_values[3] * t331;
    let t336 = shared_values[1] * t332 + t276;
    let t337 = shared_values[1] * t333 + t277;
    let t338 = shared_values[1] * t334 + t278;
    let t339 = shared_values[1] * t335 + t279;
    let t340 = shared_values[1] * t316 + t267;
    let t341 = shared_values[1] * t317 + t268;
    let t342 = shared_values[1] * t318 + t269;
    let t343 = t336 * t336;
    let t344 = t337 * t337 + t343;
    let t345 = t338 * t338 + t344;
    let t346 = t339 * t339 + t345;
    let t347 = sqrt(t346);
    let t348 = 1.0f / t347;
    let t349 = t336 * t348;
    let t350 = t337 * t348;
    let t351 = t338 * t348;
    let t352 = t339 * t348;
    let t353 = t341 * t342;
    let t354 = t340 * t342;
    let t355 = t340 * t341;
    let t356 = shared_values[12] * t353;
    let t357 = shared_values[13] * t354;
    let t358 = shared_values[14] * t355;
    let t359 = t296 + t356;
    let t360 = t6 * t352;
    let t361 = t7 * t351 - t360;
    let t362 = t7 * t350;
    let t363 = t5 * t352 - t362;
    let t364 = t5 * t351;
    let t365 = t6 * t350 - t364;
    let t366 = shared_values[10] * t361;
    let t367 = shared_values[10] * t363;
    let t368 = shared_values[10] * t365;
    let t369 = t351 * t368 + t5;
    let t370 = t369 - t352 * t367;
    let t371 = t352 * t366 + t6;
    let t372 = t371 - t350 * t368;
    let t373 = t350 * t367 + t7;
    let t374 = t373 - t351 * t366;
    let t375 = t370 - t349 * t366;
    let t376 = t372 - t349 * t367;
    let t377 = t374 - t349 * t368;
    let t378 = shared_values[15] * t375 + t359;
    let t379 = shared_values[16] * t376 + t357;
    let t380 = shared_values[4] * t377 + t358;
    let t381 = t337 * t340;
    let t382 = t338 * t341 + t381;
    let t383 = t339 * t342 + t382;
    let t384 = -(t383);
    let t385 = t336 * t340;
    let t386 = t338 * t342 + t385;
    let t387 = t386 - t339 * t341;
    let t388 = t336 * t341;
    let t389 = t339 * t340 + t388;
    let t390 = t389 - t337 * t342;
    let t391 = t336 * t342;
    let t392 = t337 * t341 + t391;
    let t393 = t392 - t338 * t340;
    let t394 = shared_values[3] * t384;
    let t395 = shared_values[3] * t387;
    let t396 = shared_values[3] * t390;
    let t397 = shared_values[3] * t393;
    let t398 = shared_values[1] * t394 + t276;
    let t399 = shared_values[1] * t395 + t277;
    let t400 = shared_values[1] * t396 + t278;
    let t401 = shared_values[1] * t397 + t279;
    let t402 = shared_values[1] * t378 + t267;
    let t403 = shared_values[1] * t379 + t268;
    let t404 = shared_values[1] * t380 + t269;
    let t405 = t398 * t398;
    let t406 = t399 * t399 + t405;
    let t407 = t400 * t400 + t406;
    let t408 = t401 * t401 + t407;
    let t409 = sqrt(t408);
    let t410 = 1.0f / t409;
    let t411 = t398 * t410;
    let t412 = t399 * t410;
    let t413 = t400 * t410;
    let t414 = t401 * t410;
    let t415 = t403 * t404;
    let t416 = t402 * t404;
    let t417 = t402 * t403;
    let t418 = shared_values[12] * t415;
    let t419 = shared_values[13] * t416;
    let t420 = shared_values[14] * t417;
    let t421 = t296 + t418;
    let t422 = t6 * t414;
    let t423 = t7 * t413 - t422;
    let t424 = t7 * t412;
    let t425 = t5 * t414 - t424;
    let t426 = t5 * t413;
    let t427 = t6 * t412 - t426;
    let t428 = shared_values[10] * t423;
    let t429 = shared_values[10] * t425;
    let t430 = shared_values[10] * t427;
    let t431 = t413 * t430 + t5;
    let t432 = t431 - t414 * t429;
    let t433 = t414 * t428 + t6;
    let t434 = t433 - t412 * t430;
    let t435 = t412 * t429 + t7;
    let t436 = t435 - t413 * t428;
    let t437 = t432 - t411 * t428;
    let t438 = t434 - t411 * t429;
    let t439 = t436 - t411 * t430;
    let t440 = shared_values[15] * t437 + t421;
    let t441 = shared_values[16] * t438 + t419;
    let t442 = shared_values[4] * t439 + t420;
    let t443 = t399 * t402;
    let t444 = t400 * t403 + t443;
    let t445 = t401 * t404 + t444;
    let t446 = -(t445);
    let t447 = t398 * t402;
    let t448 = t400 * t404 + t447;
    let t449 = t448 - t401 * t403;
    let t450 = t398 * t403;
    let t451 = t401 * t402 + t450;
    let t452 = t451 - t399 * t404;
    let t453 = t398 * t404;
    let t454 = t399 * t403 + t453;
    let t455 = t454 - t400 * t402;
    let t456 = shared_values[3] * t446;
    let t457 = shared_values[3] * t449;
    let t458 = shared_values[3] * t452;
    let t459 = shared_values[3] * t455;
    let t460 = shared_values[10] * t394 + t332;
    let t461 = shared_values[10] * t395 + t333;
    let t462 = shared_values[10] * t396 + t334;
    let t463 = shared_values[10] * t397 + t335;
    let t464 = shared_values[10] * t378 + t316;
    let t465 = shared_values[10] * t379 + t317;
    let t466 = shared_values[10] * t380 + t318;
    let t467 = shared_values[10] * t456 + t460;
    let t468 = shared_values[10] * t457 + t461;
    let t469 = shared_values[10] * t458 + t462;
    let t470 = shared_values[10] * t459 + t463;
    let t471 = shared_values[10] * t440 + t464;
    let t472 = shared_values[10] * t441 + t465;
    let t473 = shared_values[10] * t442 + t466;
    let t474 = t276 + t456;
    let t475 = t277 + t457;
    let t476 = t278 + t458;
    let t477 = t279 + t459;
    let t478 = t267 + t440;
    let t479 = t268 + t441;
    let t480 = t269 + t442;
    let t481 = t474 * t474;
    let t482 = t475 * t475 + t481;
    let t483 = t476 * t476 + t482;
    let t484 = t477 * t477 + t483;
    let t485 = sqrt(t484);
    let t486 = 1.0f / t485;
    let t487 = t474 * t486;
    let t488 = t475 * t486;
    let t489 = t476 * t486;
    let t490 = t477 * t486;
    let t491 = t479 * t480;
    let t492 = t478 * t480;
    let t493 = t478 * t479;
    let t494 = shared_values[12] * t491 + t471;
    let t495 = shared_values[13] * t492 + t472;
    let t496 = shared_values[14] * t493 + t473;
    let t497 = t296 + t494;
    let t498 = t6 * t490;
    let t499 = t7 * t489 - t498;
    let t500 = t7 * t488;
    let t501 = t5 * t490 - t500;
    let t502 = t5 * t489;
    let t503 = t6 * t488 - t502;
    let t504 = shared_values[10] * t499;
    let t505 = shared_values[10] * t501;
    let t506 = shared_values[10] * t503;
    let t507 = t489 * t506 + t5;
    let t508 = t507 - t490 * t505;
    let t509 = t490 * t504 + t6;
    let t510 = t509 - t488 * t506;
    let t511 = t488 * t505 + t7;
    let t512 = t511 - t489 * t504;
    let t513 = t508 - t487 * t504;
    let t514 = t510 - t487 * t505;
    let t515 = t512 - t487 * t506;
    let t516 = shared_values[15] * t513 + t497;
    let t517 = shared_values[16] * t514 + t495;
    let t518 = shared_values[4] * t515 + t496;
    let t519 = t475 * t478;
    let t520 = t476 * t479 + t519;
    let t521 = t477 * t480 + t520;
    let t522 = t474 * t478;
    let t523 = t476 * t480 + t522;
    let t524 = t523 - t477 * t479;
    let t525 = t474 * t479;
    let t526 = t477 * t478 + t525;
    let t527 = t526 - t475 * t480;
    let t528 = t474 * t480;
    let t529 = t475 * t479 + t528;
    let t530 = t529 - t476 * t478;
    let t531 = t467 - shared_values[3] * t521;
    let t532 = shared_values[3] * t524 + t468;
    let t533 = shared_values[3] * t527 + t469;
    let t534 = shared_values[3] * t530 + t470;
    let t535 = shared_values[11] * t531 + t276;
    let t536 = shared_values[11] * t532 + t277;
    let t537 = shared_values[11] * t533 + t278;
    let t538 = shared_values[11] * t534 + t279;
    let t539 = shared_values[11] * t516 + t267;
    let t540 = shared_values[11] * t517 + t268;
    let t541 = shared_values[11] * t518 + t269;
    let t542 = t535 * t535;
    let t543 = t536 * t536 + t542;
    let t544 = t537 * t537 + t543;
    let t545 = t538 * t538 + t544;
    let t546 = sqrt(t545);
    let t547 = 1.0f / t546;
    let t548 = t535 * t547;
    let t549 = t536 * t547;
    let t550 = t537 * t547;
    let t551 = t538 * t547;
    var next = s;
    next.half_q0 = t548;
    next.half_q1 = t549;
    next.half_q2 = t550;
    next.half_q3 = t551;
    next.half_wx = t539;
    next.half_wy = t540;
    next.half_wz = t541;
    return next;
}

// What the method carries after it was resynchronised: as at the start, but for what follows.
fn resynchronised(instance: u32, s: State) -> State {
    var next = begin(instance, s);
    return next;
}

// Change of the energy since the start, and how much of it is allowed (J).
struct EnergyChange {
    value: real,
    allowed: real,
}

fn energy_change(instance: u32, s: State) -> EnergyChange {
    return EnergyChange(0.0f, 0.0f);
}

// The ensemble kernel: one invocation takes one instance from step `run.first` to step `run.end`, its state in
// registers, and stores it back. What is specific to a mechanism and a method stands before this text and is
// generated: `real`, `State`, `Prepared`, `prepare`, `step`, `begin`, `resynchronised`, `load_state`, `store_state`,
// `is_finite_state`, `norm_error`, `energy_change`, and the constants of the verdict bounds.
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

// Verdicts, as in src/observe/verdict.rs.
const FINISHED = 0u;
const NON_FINITE = 1u;
const ENERGY_BOUND = 2u;
const NORM_BOUND = 3u;

// What the method carries, where step k gives it a new start.
fn restarted(instance: u32, k: u32, s: State) -> State {
    if k == 0u {
        return begin(instance, s);
    }
    if run.resynchronise != 0u && k % run.resynchronise == 0u {
        return resynchronised(instance, s);
    }
    return s;
}

fn next_multiple(k: u32, period: u32, end: u32) -> u32 {
    if period == 0u {
        return end;
    }
    return min(end, k - k % period + period);
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
    if HAS_ENERGY_BOUND {
        let change = energy_change(instance, s);
        if change.allowed > real(0.0) && abs(change.value) > change.allowed {
            return ENERGY_BOUND;
        }
    }
    return FINISHED;
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
            if careful {
                stop = k + 1u;
            }
            for (; k < stop; k++) {
                s = step(p, s);
            }
            let at_check = k % run.check == 0u || k == run.end;
            if verdict == FINISHED && at_check || careful && k > good {
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
