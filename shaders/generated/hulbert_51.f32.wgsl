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
    let t0 = shared_values[1] * shared_values[17];
    let t1 = parameters[0u * run.stride + instance] * shared_values[18];
    let t2 = parameters[1u * run.stride + instance] * shared_values[18];
    let t3 = parameters[2u * run.stride + instance] * shared_values[18];
    let t4 = shared_values[1] * shared_values[19];
    let t5 = parameters[0u * run.stride + instance] * shared_values[20];
    let t6 = parameters[1u * run.stride + instance] * shared_values[20];
    let t7 = parameters[2u * run.stride + instance] * shared_values[20];
    let t8 = t0 * shared_values[7];
    let t9 = t4 * shared_values[7];
    var p: Prepared;
    p.c0 = shared_values[0];
    p.c1 = shared_values[2];
    p.c2 = shared_values[3];
    p.c3 = shared_values[4];
    p.c4 = shared_values[5];
    p.c5 = shared_values[6];
    p.c6 = shared_values[7];
    p.c7 = shared_values[8];
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
    let t0 = s.half_wx * p.c1;
    let t1 = s.half_wy * p.c1;
    let t2 = s.half_wz * p.c1;
    let t3 = t0 * t0 + 1.0f;
    let t4 = t1 * t1 + t3;
    let t5 = t2 * t2 + t4;
    let t6 = p.c2 / t5;
    let t7 = s.q0 - s.q1 * t0;
    let t8 = t7 - s.q2 * t1;
    let t9 = t8 - s.q3 * t2;
    let t10 = s.q0 * t0 + s.q1;
    let t11 = s.q2 * t2 + t10;
    let t12 = t11 - s.q3 * t1;
    let t13 = s.q0 * t1 + s.q2;
    let t14 = s.q3 * t0 + t13;
    let t15 = t14 - s.q1 * t2;
    let t16 = s.q0 * t2 + s.q3;
    let t17 = s.q1 * t1 + t16;
    let t18 = t17 - s.q2 * t0;
    let t19 = t6 * t9 - s.q0;
    let t20 = t6 * t12 - s.q1;
    let t21 = t6 * t15 - s.q2;
    let t22 = t6 * t18 - s.q3;
    let t23 = t19 * t19;
    let t24 = t20 * t20 + t23;
    let t25 = t21 * t21 + t24;
    let t26 = t22 * t22 + t25;
    let t27 = sqrt(t26);
    let t28 = 1.0f / t27;
    let t29 = t19 * t28;
    let t30 = t20 * t28;
    let t31 = t21 * t28;
    let t32 = t22 * t28;
    let t33 = s.half_wy * s.half_wz;
    let t34 = s.half_wx * s.half_wz;
    let t35 = s.half_wx * s.half_wy;
    let t36 = p.c3 * t33 + s.wx;
    let t37 = p.c4 * t34 + s.wy;
    let t38 = p.c5 * t35 + s.wz;
    let t39 = t36 + p.c8;
    let t40 = s.half_q3 * p.c9;
    let t41 = s.half_q2 * p.c10 - t40;
    let t42 = s.half_q1 * p.c10;
    let t43 = s.half_q3 * p.c11 - t42;
    let t44 = s.half_q2 * p.c11;
    let t45 = s.half_q1 * p.c9 - t44;
    let t46 = p.c2 * t41;
    let t47 = p.c2 * t43;
    let t48 = p.c2 * t45;
    let t49 = s.half_q2 * t48 + p.c11;
    let t50 = t49 - s.half_q3 * t47;
    let t51 = s.half_q3 * t46 + p.c9;
    let t52 = t51 - s.half_q1 * t48;
    let t53 = s.half_q1 * t47 + p.c10;
    let t54 = t53 - s.half_q2 * t46;
    let t55 = t50 - s.half_q0 * t46;
    let t56 = t52 - s.half_q0 * t47;
    let t57 = t54 - s.half_q0 * t48;
    let t58 = p.c6 * t55 + t39;
    let t59 = p.c7 * t56 + t37;
    let t60 = p.c0 * t57 + t38;
    let t61 = p.c1 * t58;
    let t62 = p.c1 * t59;
    let t63 = p.c1 * t60;
    let t64 = t61 * t61 + 1.0f;
    let t65 = t62 * t62 + t64;
    let t66 = t63 * t63 + t65;
    let t67 = p.c2 / t66;
    let t68 = s.half_q0 - s.half_q1 * t61;
    let t69 = t68 - s.half_q2 * t62;
    let t70 = t69 - s.half_q3 * t63;
    let t71 = s.half_q0 * t61 + s.half_q1;
    let t72 = s.half_q2 * t63 + t71;
    let t73 = t72 - s.half_q3 * t62;
    let t74 = s.half_q0 * t62 + s.half_q2;
    let t75 = s.half_q3 * t61 + t74;
    let t76 = t75 - s.half_q1 * t63;
    let t77 = s.half_q0 * t63 + s.half_q3;
    let t78 = s.half_q1 * t62 + t77;
    let t79 = t78 - s.half_q2 * t61;
    let t80 = t67 * t70 - s.half_q0;
    let t81 = t67 * t73 - s.half_q1;
    let t82 = t67 * t76 - s.half_q2;
    let t83 = t67 * t79 - s.half_q3;
    let t84 = t80 * t80;
    let t85 = t81 * t81 + t84;
    let t86 = t82 * t82 + t85;
    let t87 = t83 * t83 + t86;
    let t88 = sqrt(t87);
    let t89 = 1.0f / t88;
    let t90 = t80 * t89;
    let t91 = t81 * t89;
    let t92 = t82 * t89;
    let t93 = t83 * t89;
    let t94 = t59 * t60;
    let t95 = t58 * t60;
    let t96 = t58 * t59;
    let t97 = p.c3 * t94 + s.half_wx;
    let t98 = p.c4 * t95 + s.half_wy;
    let t99 = p.c5 * t96 + s.half_wz;
    let t100 = t97 + p.c12;
    let t101 = p.c13 * t32;
    let t102 = p.c14 * t31 - t101;
    let t103 = p.c14 * t30;
    let t104 = p.c15 * t32 - t103;
    let t105 = p.c15 * t31;
    let t106 = p.c13 * t30 - t105;
    let t107 = p.c2 * t102;
    let t108 = p.c2 * t104;
    let t109 = p.c2 * t106;
    let t110 = t31 * t109 + p.c15;
    let t111 = t110 - t32 * t108;
    let t112 = t32 * t107 + p.c13;
    let t113 = t112 - t30 * t109;
    let t114 = t30 * t108 + p.c14;
    let t115 = t114 - t31 * t107;
    let t116 = t111 - t29 * t107;
    let t117 = t113 - t29 * t108;
    let t118 = t115 - t29 * t109;
    let t119 = p.c6 * t116 + t100;
    let t120 = p.c7 * t117 + t98;
    let t121 = p.c0 * t118 + t99;
    var next: State;
    next.q0 = t29;
    next.q1 = t30;
    next.q2 = t31;
    next.q3 = t32;
    next.wx = t58;
    next.wy = t59;
    next.wz = t60;
    next.half_q0 = t90;
    next.half_q1 = t91;
    next.half_q2 = t92;
    next.half_q3 = t93;
    next.half_wx = t119;
    next.half_wy = t120;
    next.half_wz = t121;
    return next;
}

// What the method carries, at the start. (730 operations.)
fn begin(instance: u32, s: State) -> State {
    let t0 = shared_values[1] * shared_values[21];
    let t1 = parameters[0u * run.stride + instance] * shared_values[22];
    let t2 = parameters[1u * run.stride + instance] * shared_values[22];
    let t3 = parameters[2u * run.stride + instance] * shared_values[22];
    let t4 = shared_values[1] * shared_values[23];
    let t5 = parameters[0u * run.stride + instance] * shared_values[24];
    let t6 = parameters[1u * run.stride + instance] * shared_values[24];
    let t7 = parameters[2u * run.stride + instance] * shared_values[24];
    let t8 = s.q1 * s.wx;
    let t9 = s.q2 * s.wy + t8;
    let t10 = s.q3 * s.wz + t9;
    let t11 = -(t10);
    let t12 = s.q0 * s.wx;
    let t13 = s.q2 * s.wz + t12;
    let t14 = t13 - s.q3 * s.wy;
    let t15 = s.q0 * s.wy;
    let t16 = s.q3 * s.wx + t15;
    let t17 = t16 - s.q1 * s.wz;
    let t18 = s.q0 * s.wz;
    let t19 = s.q1 * s.wy + t18;
    let t20 = t19 - s.q2 * s.wx;
    let t21 = shared_values[11] * t11;
    let t22 = shared_values[11] * t14;
    let t23 = shared_values[11] * t17;
    let t24 = shared_values[11] * t20;
    let t25 = s.wy * s.wz;
    let t26 = s.wx * s.wz;
    let t27 = s.wx * s.wy;
    let t28 = shared_values[12] * t25;
    let t29 = shared_values[13] * t26;
    let t30 = shared_values[14] * t27;
    let t31 = t0 * shared_values[15];
    let t32 = t28 + t31;
    let t33 = s.q3 * t2;
    let t34 = s.q2 * t3 - t33;
    let t35 = s.q1 * t3;
    let t36 = s.q3 * t1 - t35;
    let t37 = s.q2 * t1;
    let t38 = s.q1 * t2 - t37;
    let t39 = shared_values[3] * t34;
    let t40 = shared_values[3] * t36;
    let t41 = shared_values[3] * t38;
    let t42 = s.q2 * t41 + t1;
    let t43 = t42 - s.q3 * t40;
    let t44 = s.q3 * t39 + t2;
    let t45 = t44 - s.q1 * t41;
    let t46 = s.q1 * t40 + t3;
    let t47 = t46 - s.q2 * t39;
    let t48 = t43 - s.q0 * t39;
    let t49 = t45 - s.q0 * t40;
    let t50 = t47 - s.q0 * t41;
    let t51 = shared_values[15] * t48 + t32;
    let t52 = shared_values[16] * t49 + t29;
    let t53 = shared_values[2] * t50 + t30;
    let t54 = shared_values[9] * t21 + s.q0;
    let t55 = shared_values[9] * t22 + s.q1;
    let t56 = shared_values[9] * t23 + s.q2;
    let t57 = shared_values[9] * t24 + s.q3;
    let t58 = shared_values[9] * t51 + s.wx;
    let t59 = shared_values[9] * t52 + s.wy;
    let t60 = shared_values[9] * t53 + s.wz;
    let t61 = t55 * t58;
    let t62 = t56 * t59 + t61;
    let t63 = t57 * t60 + t62;
    let t64 = -(t63);
    let t65 = t54 * t58;
    let t66 = t56 * t60 + t65;
    let t67 = t66 - t57 * t59;
    let t68 = t54 * t59;
    let t69 = t57 * t58 + t68;
    let t70 = t69 - t55 * t60;
    let t71 = t54 * t60;
    let t72 = t55 * t59 + t71;
    let t73 = t72 - t56 * t58;
    let t74 = shared_values[11] * t64;
    let t75 = shared_values[11] * t67;
    let t76 = shared_values[11] * t70;
    let t77 = shared_values[11] * t73;
    let t78 = t59 * t60;
    let t79 = t58 * t60;
    let t80 = t58 * t59;
    let t81 = shared_values[12] * t78;
    let t82 = shared_values[13] * t79;
    let t83 = shared_values[14] * t80;
    let t84 = t31 + t81;
    let t85 = t2 * t57;
    let t86 = t3 * t56 - t85;
    let t87 = t3 * t55;
    let t88 = t1 * t57 - t87;
    let t89 = t1 * t56;
    let t90 = t2 * t55 - t89;
    let t91 = shared_values[3] * t86;
    let t92 = shared_values[3] * t88;
    let t93 = shared_values[3] * t90;
    let t94 = t56 * t93 + t1;
    let t95 = t94 - t57 * t92;
    let t96 = t57 * t91 + t2;
    let t97 = t96 - t55 * t93;
    let t98 = t55 * t92 + t3;
    let t99 = t98 - t56 * t91;
    let t100 = t95 - t54 * t91;
    let t101 = t97 - t54 * t92;
    let t102 = t99 - t54 * t93;
    let t103 = shared_values[15] * t100 + t84;
    let t104 = shared_values[16] * t101 + t82;
    let t105 = shared_values[2] * t102 + t83;
    let t106 = shared_values[9] * t74 + s.q0;
    let t107 = shared_values[9] * t75 + s.q1;
    let t108 = shared_values[9] * t76 + s.q2;
    let t109 = shared_values[9] * t77 + s.q3;
    let t110 = shared_values[9] * t103 + s.wx;
    let t111 = shared_values[9] * t104 + s.wy;
    let t112 = shared_values[9] * t105 + s.wz;
    let t113 = t107 * t110;
    let t114 = t108 * t111 + t113;
    let t115 = t109 * t112 + t114;
    let t116 = -(t115);
    let t117 = t106 * t110;
    let t118 = t108 * t112 + t117;
    let t119 = t118 - t109 * t111;
    let t120 = t106 * t111;
    let t121 = t109 * t110 + t120;
    let t122 = t121 - t107 * t112;
    let t123 = t106 * t112;
    let t124 = t107 * t111 + t123;
    let t125 = t124 - t108 * t110;
    let t126 = shared_values[11] * t116;
    let t127 = shared_values[11] * t119;
    let t128 = shared_values[11] * t122;
    let t129 = shared_values[11] * t125;
    let t130 = t111 * t112;
    let t131 = t110 * t112;
    let t132 = t110 * t111;
    let t133 = shared_values[12] * t130;
    let t134 = shared_values[13] * t131;
    let t135 = shared_values[14] * t132;
    let t136 = t31 + t133;
    let t137 = t2 * t109;
    let t138 = t3 * t108 - t137;
    let t139 = t3 * t107;
    let t140 = t1 * t109 - t139;
    let t141 = t1 * t108;
    let t142 = t2 * t107 - t141;
    let t143 = shared_values[3] * t138;
    let t144 = shared_values[3] * t140;
    let t145 = shared_values[3] * t142;
    let t146 = t108 * t145 + t1;
    let t147 = t146 - t109 * t144;
    let t148 = t109 * t143 + t2;
    let t149 = t148 - t107 * t145;
    let t150 = t107 * t144 + t3;
    let t151 = t150 - t108 * t143;
    let t152 = t147 - t106 * t143;
    let t153 = t149 - t106 * t144;
    let t154 = t151 - t106 * t145;
    let t155 = shared_values[15] * t152 + t136;
    let t156 = shared_values[16] * t153 + t134;
    let t157 = shared_values[2] * t154 + t135;
    let t158 = shared_values[3] * t74 + t21;
    let t159 = shared_values[3] * t75 + t22;
    let t160 = shared_values[3] * t76 + t23;
    let t161 = shared_values[3] * t77 + t24;
    let t162 = shared_values[3] * t103 + t51;
    let t163 = shared_values[3] * t104 + t52;
    let t164 = shared_values[3] * t105 + t53;
    let t165 = shared_values[3] * t126 + t158;
    let t166 = shared_values[3] * t127 + t159;
    let t167 = shared_values[3] * t128 + t160;
    let t168 = shared_values[3] * t129 + t161;
    let t169 = shared_values[3] * t155 + t162;
    let t170 = shared_values[3] * t156 + t163;
    let t171 = shared_values[3] * t157 + t164;
    let t172 = s.q0 + t126;
    let t173 = s.q1 + t127;
    let t174 = s.q2 + t128;
    let t175 = s.q3 + t129;
    let t176 = s.wx + t155;
    let t177 = s.wy + t156;
    let t178 = s.wz + t157;
    let t179 = t173 * t176;
    let t180 = t174 * t177 + t179;
    let t181 = t175 * t178 + t180;
    let t182 = t172 * t176;
    let t183 = t174 * t178 + t182;
    let t184 = t183 - t175 * t177;
    let t185 = t172 * t177;
    let t186 = t175 * t176 + t185;
    let t187 = t186 - t173 * t178;
    let t188 = t172 * t178;
    let t189 = t173 * t177 + t188;
    let t190 = t189 - t174 * t176;
    let t191 = t165 - shared_values[11] * t181;
    let t192 = shared_values[11] * t184 + t166;
    let t193 = shared_values[11] * t187 + t167;
    let t194 = shared_values[11] * t190 + t168;
    let t195 = t177 * t178;
    let t196 = t176 * t178;
    let t197 = t176 * t177;
    let t198 = shared_values[12] * t195 + t169;
    let t199 = shared_values[13] * t196 + t170;
    let t200 = shared_values[14] * t197 + t171;
    let t201 = t31 + t198;
    let t202 = t2 * t175;
    let t203 = t3 * t174 - t202;
    let t204 = t3 * t173;
    let t205 = t1 * t175 - t204;
    let t206 = t1 * t174;
    let t207 = t2 * t173 - t206;
    let t208 = shared_values[3] * t203;
    let t209 = shared_values[3] * t205;
    let t210 = shared_values[3] * t207;
    let t211 = t174 * t210 + t1;
    let t212 = t211 - t175 * t209;
    let t213 = t175 * t208 + t2;
    let t214 = t213 - t173 * t210;
    let t215 = t173 * t209 + t3;
    let t216 = t215 - t174 * t208;
    let t217 = t212 - t172 * t208;
    let t218 = t214 - t172 * t209;
    let t219 = t216 - t172 * t210;
    let t220 = shared_values[15] * t217 + t201;
    let t221 = shared_values[16] * t218 + t199;
    let t222 = shared_values[2] * t219 + t200;
    let t223 = shared_values[10] * t191 + s.q0;
    let t224 = shared_values[10] * t192 + s.q1;
    let t225 = shared_values[10] * t193 + s.q2;
    let t226 = shared_values[10] * t194 + s.q3;
    let t227 = shared_values[10] * t220 + s.wx;
    let t228 = shared_values[10] * t221 + s.wy;
    let t229 = shared_values[10] * t222 + s.wz;
    let t230 = t223 * t223;
    let t231 = t224 * t224 + t230;
    let t232 = t225 * t225 + t231;
    let t233 = t226 * t226 + t232;
    let t234 = sqrt(t233);
    let t235 = 1.0f / t234;
    let t236 = t223 * t235;
    let t237 = t224 * t235;
    let t238 = t225 * t235;
    let t239 = t226 * t235;
    let t240 = t227 * t237;
    let t241 = t228 * t238 + t240;
    let t242 = t229 * t239 + t241;
    let t243 = -(t242);
    let t244 = t227 * t236;
    let t245 = t229 * t238 + t244;
    let t246 = t245 - t228 * t239;
    let t247 = t228 * t236;
    let t248 = t227 * t239 + t247;
    let t249 = t248 - t229 * t237;
    let t250 = t229 * t236;
    let t251 = t228 * t237 + t250;
    let t252 = t251 - t227 * t238;
    let t253 = shared_values[11] * t243;
    let t254 = shared_values[11] * t246;
    let t255 = shared_values[11] * t249;
    let t256 = shared_values[11] * t252;
    let t257 = t228 * t229;
    let t258 = t227 * t229;
    let t259 = t227 * t228;
    let t260 = shared_values[12] * t257;
    let t261 = shared_values[13] * t258;
    let t262 = shared_values[14] * t259;
    let t263 = t4 * shared_values[15];
    let t264 = t260 + t263;
    let t265 = t6 * t239;
    let t266 = t7 * t238 - t265;
    let t267 = t7 * t237;
    let t268 = t5 * t239 - t267;
    let t269 = t5 * t238;
    let t270 = t6 * t237 - t269;
    let t271 = shared_values[3] * t266;
    let t272 = shared_values[3] * t268;
    let t273 = shared_values[3] * t270;
    let t274 = t238 * t273 + t5;
    let t275 = t274 - t239 * t272;
    let t276 = t239 * t271 + t6;
    let t277 = t276 - t237 * t273;
    let t278 = t237 * t272 + t7;
    let t279 = t278 - t238 * t271;
    let t280 = t275 - t236 * t271;
    let t281 = t277 - t236 * t272;
    let t282 = t279 - t236 * t273;
    let t283 = shared_values[15] * t280 + t264;
    let t284 = shared_values[16] * t281 + t261;
    let t285 = shared_values[2] * t282 + t262;
    let t286 = shared_values[9] * t253 + t236;
    let t287 = shared_values[9] * t254 + t237;
    let t288 = shared_values[9] * t255 + t238;
    let t289 = shared_values[9] * t256 + t239;
    let t290 = shared_values[9] * t283 + t227;
    let t291 = shared_values[9] * t284 + t228;
    let t292 = shared_values[9] * t285 + t229;
    let t293 = t287 * t290;
    let t294 = t288 * t291 + t293;
    let t295 = t289 * t292 + t294;
    let t296 = -(t295);
    let t297 = t286 * t290;
    let t298 = t288 * t292 + t297;
    let t299 = t298 - t289 * t291;
    let t300 = t286 * t291;
    let t301 = t289 * t290 + t300;
    let t302 = t301 - t287 * t292;
    let t303 = t286 * t292;
    let t304 = t287 * t291 + t303;
    let t305 = t304 - t288 * t290;
    let t306 = shared_values[11] * t296;
    let t307 = shared_values[11] * t299;
    let t308 = shared_values[11] * t302;
    let t309 = shared_values[11] * t305;
    let t310 = t291 * t292;
    let t311 = t290 * t292;
    let t312 = t290 * t291;
    let t313 = shared_values[12] * t310;
    let t314 = shared_values[13] * t311;
    let t315 = shared_values[14] * t312;
    let t316 = t263 + t313;
    let t317 = t6 * t289;
    let t318 = t7 * t288 - t317;
    let t319 = t7 * t287;
    let t320 = t5 * t289 - t319;
    let t321 = t5 * t288;
    let t322 = t6 * t287 - t321;
    let t323 = shared_values[3] * t318;
    let t324 = shared_values[3] * t320;
    let t325 = shared_values[3] * t322;
    let t326 = t288 * t325 + t5;
    let t327 = t326 - t289 * t324;
    let t328 = t289 * t323 + t6;
    let t329 = t328 - t287 * t325;
    let t330 = t287 * t324 + t7;
    let t331 = t330 - t288 * t323;
    let t332 = t327 - t286 * t323;
    let t333 = t329 - t286 * t324;
    let t334 = t331 - t286 * t325;
    let t335 = shared_values[15] * t332 + t316;
    let t336 = shared_values[16] * t333 + t314;
    let t337 = shared_values[2] * t334 + t315;
    let t338 = shared_values[9] * t306 + t236;
    let t339 = shared_values[9] * t307 + t237;
    let t340 = shared_values[9] * t308 + t238;
    let t341 = shared_values[9] * t309 + t239;
    let t342 = shared_values[9] * t335 + t227;
    let t343 = shared_values[9] * t336 + t228;
    let t344 = shared_values[9] * t337 + t229;
    let t345 = t339 * t342;
    let t346 = t340 * t343 + t345;
    let t347 = t341 * t344 + t346;
    let t348 = -(t347);
    let t349 = t338 * t342;
    let t350 = t340 * t344 + t349;
    let t351 = t350 - t341 * t343;
    let t352 = t338 * t343;
    let t353 = t341 * t342 + t352;
    let t354 = t353 - t339 * t344;
    let t355 = t338 * t344;
    let t356 = t339 * t343 + t355;
    let t357 = t356 - t340 * t342;
    let t358 = shared_values[11] * t348;
    let t359 = shared_values[11] * t351;
    let t360 = shared_values[11] * t354;
    let t361 = shared_values[11] * t357;
    let t362 = t343 * t344;
    let t363 = t342 * t344;
    let t364 = t342 * t343;
    let t365 = shared_values[12] * t362;
    let t366 = shared_values[13] * t363;
    let t367 = shared_values[14] * t364;
    let t368 = t263 + t365;
    let t369 = t6 * t341;
    let t370 = t7 * t340 - t369;
    let t371 = t7 * t339;
    let t372 = t5 * t341 - t371;
    let t373 = t5 * t340;
    let t374 = t6 * t339 - t373;
    let t375 = shared_values[3] * t370;
    let t376 = shared_values[3] * t372;
    let t377 = shared_values[3] * t374;
    let t378 = t340 * t377 + t5;
    let t379 = t378 - t341 * t376;
    let t380 = t341 * t375 + t6;
    let t381 = t380 - t339 * t377;
    let t382 = t339 * t376 + t7;
    let t383 = t382 - t340 * t375;
    let t384 = t379 - t338 * t375;
    let t385 = t381 - t338 * t376;
    let t386 = t383 - t338 * t377;
    let t387 = shared_values[15] * t384 + t368;
    let t388 = shared_values[16] * t385 + t366;
    let t389 = shared_values[2] * t386 + t367;
    let t390 = shared_values[3] * t306 + t253;
    let t391 = shared_values[3] * t307 + t254;
    let t392 = shared_values[3] * t308 + t255;
    let t393 = shared_values[3] * t309 + t256;
    let t394 = shared_values[3] * t335 + t283;
    let t395 = shared_values[3] * t336 + t284;
    let t396 = shared_values[3] * t337 + t285;
    let t397 = shared_values[3] * t358 + t390;
    let t398 = shared_values[3] * t359 + t391;
    let t399 = shared_values[3] * t360 + t392;
    let t400 = shared_values[3] * t361 + t393;
    let t401 = shared_values[3] * t387 + t394;
    let t402 = shared_values[3] * t388 + t395;
    let t403 = shared_values[3] * t389 + t396;
    let t404 = t236 + t358;
    let t405 = t237 + t359;
    let t406 = t238 + t360;
    let t407 = t239 + t361;
    let t408 = t227 + t387;
    let t409 = t228 + t388;
    let t410 = t229 + t389;
    let t411 = t405 * t408;
    let t412 = t406 * t409 + t411;
    let t413 = t407 * t410 + t412;
    let t414 = t404 * t408;
    let t415 = t406 * t410 + t414;
    let t416 = t415 - t407 * t409;
    let t417 = t404 * t409;
    let t418 = t407 * t408 + t417;
    let t419 = t418 - t405 * t410;
    let t420 = t404 * t410;
    let t421 = t405 * t409 + t420;
    let t422 = t421 - t406 * t408;
    let t423 = t397 - shared_values[11] * t413;
    let t424 = shared_values[11] * t416 + t398;
    let t425 = shared_values[11] * t419 + t399;
    let t426 = shared_values[11] * t422 + t400;
    let t427 = t409 * t410;
    let t428 = t408 * t410;
    let t429 = t408 * t409;
    let t430 = shared_values[12] * t427 + t401;
    let t431 = shared_values[13] * t428 + t402;
    let t432 = shared_values[14] * t429 + t403;
    let t433 = t263 + t430;
    let t434 = t6 * t407;
    let t435 = t7 * t406 - t434;
    let t436 = t7 * t405;
    let t437 = t5 * t407 - t436;
    let t438 = t5 * t406;
    let t439 = t6 * t405 - t438;
    let t440 = shared_values[3] * t435;
    let t441 = shared_values[3] * t437;
    let t442 = shared_values[3] * t439;
    let t443 = t406 * t442 + t5;
    let t444 = t443 - t407 * t441;
    let t445 = t407 * t440 + t6;
    let t446 = t445 - t405 * t442;
    let t447 = t405 * t441 + t7;
    let t448 = t447 - t406 * t440;
    let t449 = t444 - t404 * t440;
    let t450 = t446 - t404 * t441;
    let t451 = t448 - t404 * t442;
    let t452 = shared_values[15] * t449 + t433;
    let t453 = shared_values[16] * t450 + t431;
    let t454 = shared_values[2] * t451 + t432;
    let t455 = shared_values[10] * t423 + t236;
    let t456 = shared_values[10] * t424 + t237;
    let t457 = shared_values[10] * t425 + t238;
    let t458 = shared_values[10] * t426 + t239;
    let t459 = shared_values[10] * t452 + t227;
    let t460 = shared_values[10] * t453 + t228;
    let t461 = shared_values[10] * t454 + t229;
    let t462 = t455 * t455;
    let t463 = t456 * t456 + t462;
    let t464 = t457 * t457 + t463;
    let t465 = t458 * t458 + t464;
    let t466 = sqrt(t465);
    let t467 = 1.0f / t466;
    let t468 = t455 * t467;
    let t469 = t456 * t467;
    let t470 = t457 * t467;
    let t471 = t458 * t467;
    var next = s;
    next.half_q0 = t468;
    next.half_q1 = t469;
    next.half_q2 = t470;
    next.half_q3 = t471;
    next.half_wx = t459;
    next.half_wy = t460;
    next.half_wz = t461;
    return next;
}

// What the method carries after it was resynchronised. (730 operations.)
fn resynchronised(instance: u32, s: State) -> State {
    let t0 = shared_values[1] * shared_values[21];
    let t1 = parameters[0u * run.stride + instance] * shared_values[22];
    let t2 = parameters[1u * run.stride + instance] * shared_values[22];
    let t3 = parameters[2u * run.stride + instance] * shared_values[22];
    let t4 = shared_values[1] * shared_values[23];
    let t5 = parameters[0u * run.stride + instance] * shared_values[24];
    let t6 = parameters[1u * run.stride + instance] * shared_values[24];
    let t7 = parameters[2u * run.stride + instance] * shared_values[24];
    let t8 = s.q1 * s.wx;
    let t9 = s.q2 * s.wy + t8;
    let t10 = s.q3 * s.wz + t9;
    let t11 = -(t10);
    let t12 = s.q0 * s.wx;
    let t13 = s.q2 * s.wz + t12;
    let t14 = t13 - s.q3 * s.wy;
    let t15 = s.q0 * s.wy;
    let t16 = s.q3 * s.wx + t15;
    let t17 = t16 - s.q1 * s.wz;
    let t18 = s.q0 * s.wz;
    let t19 = s.q1 * s.wy + t18;
    let t20 = t19 - s.q2 * s.wx;
    let t21 = shared_values[11] * t11;
    let t22 = shared_values[11] * t14;
    let t23 = shared_values[11] * t17;
    let t24 = shared_values[11] * t20;
    let t25 = s.wy * s.wz;
    let t26 = s.wx * s.wz;
    let t27 = s.wx * s.wy;
    let t28 = shared_values[12] * t25;
    let t29 = shared_values[13] * t26;
    let t30 = shared_values[14] * t27;
    let t31 = t0 * shared_values[15];
    let t32 = t28 + t31;
    let t33 = s.q3 * t2;
    let t34 = s.q2 * t3 - t33;
    let t35 = s.q1 * t3;
    let t36 = s.q3 * t1 - t35;
    let t37 = s.q2 * t1;
    let t38 = s.q1 * t2 - t37;
    let t39 = shared_values[3] * t34;
    let t40 = shared_values[3] * t36;
    let t41 = shared_values[3] * t38;
    let t42 = s.q2 * t41 + t1;
    let t43 = t42 - s.q3 * t40;
    let t44 = s.q3 * t39 + t2;
    let t45 = t44 - s.q1 * t41;
    let t46 = s.q1 * t40 + t3;
    let t47 = t46 - s.q2 * t39;
    let t48 = t43 - s.q0 * t39;
    let t49 = t45 - s.q0 * t40;
    let t50 = t47 - s.q0 * t41;
    let t51 = shared_values[15] * t48 + t32;
    let t52 = shared_values[16] * t49 + t29;
    let t53 = shared_values[2] * t50 + t30;
    let t54 = shared_values[9] * t21 + s.q0;
    let t55 = shared_values[9] * t22 + s.q1;
    let t56 = shared_values[9] * t23 + s.q2;
    let t57 = shared_values[9] * t24 + s.q3;
    let t58 = shared_values[9] * t51 + s.wx;
    let t59 = shared_values[9] * t52 + s.wy;
    let t60 = shared_values[9] * t53 + s.wz;
    let t61 = t55 * t58;
    let t62 = t56 * t59 + t61;
    let t63 = t57 * t60 + t62;
    let t64 = -(t63);
    let t65 = t54 * t58;
    let t66 = t56 * t60 + t65;
    let t67 = t66 - t57 * t59;
    let t68 = t54 * t59;
    let t69 = t57 * t58 + t68;
    let t70 = t69 - t55 * t60;
    let t71 = t54 * t60;
    let t72 = t55 * t59 + t71;
    let t73 = t72 - t56 * t58;
    let t74 = shared_values[11] * t64;
    let t75 = shared_values[11] * t67;
    let t76 = shared_values[11] * t70;
    let t77 = shared_values[11] * t73;
    let t78 = t59 * t60;
    let t79 = t58 * t60;
    let t80 = t58 * t59;
    let t81 = shared_values[12] * t78;
    let t82 = shared_values[13] * t79;
    let t83 = shared_values[14] * t80;
    let t84 = t31 + t81;
    let t85 = t2 * t57;
    let t86 = t3 * t56 - t85;
    let t87 = t3 * t55;
    let t88 = t1 * t57 - t87;
    let t89 = t1 * t56;
    let t90 = t2 * t55 - t89;
    let t91 = shared_values[3] * t86;
    let t92 = shared_values[3] * t88;
    let t93 = shared_values[3] * t90;
    let t94 = t56 * t93 + t1;
    let t95 = t94 - t57 * t92;
    let t96 = t57 * t91 + t2;
    let t97 = t96 - t55 * t93;
    let t98 = t55 * t92 + t3;
    let t99 = t98 - t56 * t91;
    let t100 = t95 - t54 * t91;
    let t101 = t97 - t54 * t92;
    let t102 = t99 - t54 * t93;
    let t103 = shared_values[15] * t100 + t84;
    let t104 = shared_values[16] * t101 + t82;
    let t105 = shared_values[2] * t102 + t83;
    let t106 = shared_values[9] * t74 + s.q0;
    let t107 = shared_values[9] * t75 + s.q1;
    let t108 = shared_values[9] * t76 + s.q2;
    let t109 = shared_values[9] * t77 + s.q3;
    let t110 = shared_values[9] * t103 + s.wx;
    let t111 = shared_values[9] * t104 + s.wy;
    let t112 = shared_values[9] * t105 + s.wz;
    let t113 = t107 * t110;
    let t114 = t108 * t111 + t113;
    let t115 = t109 * t112 + t114;
    let t116 = -(t115);
    let t117 = t106 * t110;
    let t118 = t108 * t112 + t117;
    let t119 = t118 - t109 * t111;
    let t120 = t106 * t111;
    let t121 = t109 * t110 + t120;
    let t122 = t121 - t107 * t112;
    let t123 = t106 * t112;
    let t124 = t107 * t111 + t123;
    let t125 = t124 - t108 * t110;
    let t126 = shared_values[11] * t116;
    let t127 = shared_values[11] * t119;
    let t128 = shared_values[11] * t122;
    let t129 = shared_values[11] * t125;
    let t130 = t111 * t112;
    let t131 = t110 * t112;
    let t132 = t110 * t111;
    let t133 = shared_values[12] * t130;
    let t134 = shared_values[13] * t131;
    let t135 = shared_values[14] * t132;
    let t136 = t31 + t133;
    let t137 = t2 * t109;
    let t138 = t3 * t108 - t137;
    let t139 = t3 * t107;
    let t140 = t1 * t109 - t139;
    let t141 = t1 * t108;
    let t142 = t2 * t107 - t141;
    let t143 = shared_values[3] * t138;
    let t144 = shared_values[3] * t140;
    let t145 = shared_values[3] * t142;
    let t146 = t108 * t145 + t1;
    let t147 = t146 - t109 * t144;
    let t148 = t109 * t143 + t2;
    let t149 = t148 - t107 * t145;
    let t150 = t107 * t144 + t3;
    let t151 = t150 - t108 * t143;
    let t152 = t147 - t106 * t143;
    let t153 = t149 - t106 * t144;
    let t154 = t151 - t106 * t145;
    let t155 = shared_values[15] * t152 + t136;
    let t156 = shared_values[16] * t153 + t134;
    let t157 = shared_values[2] * t154 + t135;
    let t158 = shared_values[3] * t74 + t21;
    let t159 = shared_values[3] * t75 + t22;
    let t160 = shared_values[3] * t76 + t23;
    let t161 = shared_values[3] * t77 + t24;
    let t162 = shared_values[3] * t103 + t51;
    let t163 = shared_values[3] * t104 + t52;
    let t164 = shared_values[3] * t105 + t53;
    let t165 = shared_values[3] * t126 + t158;
    let t166 = shared_values[3] * t127 + t159;
    let t167 = shared_values[3] * t128 + t160;
    let t168 = shared_values[3] * t129 + t161;
    let t169 = shared_values[3] * t155 + t162;
    let t170 = shared_values[3] * t156 + t163;
    let t171 = shared_values[3] * t157 + t164;
    let t172 = s.q0 + t126;
    let t173 = s.q1 + t127;
    let t174 = s.q2 + t128;
    let t175 = s.q3 + t129;
    let t176 = s.wx + t155;
    let t177 = s.wy + t156;
    let t178 = s.wz + t157;
    let t179 = t173 * t176;
    let t180 = t174 * t177 + t179;
    let t181 = t175 * t178 + t180;
    let t182 = t172 * t176;
    let t183 = t174 * t178 + t182;
    let t184 = t183 - t175 * t177;
    let t185 = t172 * t177;
    let t186 = t175 * t176 + t185;
    let t187 = t186 - t173 * t178;
    let t188 = t172 * t178;
    let t189 = t173 * t177 + t188;
    let t190 = t189 - t174 * t176;
    let t191 = t165 - shared_values[11] * t181;
    let t192 = shared_values[11] * t184 + t166;
    let t193 = shared_values[11] * t187 + t167;
    let t194 = shared_values[11] * t190 + t168;
    let t195 = t177 * t178;
    let t196 = t176 * t178;
    let t197 = t176 * t177;
    let t198 = shared_values[12] * t195 + t169;
    let t199 = shared_values[13] * t196 + t170;
    let t200 = shared_values[14] * t197 + t171;
    let t201 = t31 + t198;
    let t202 = t2 * t175;
    let t203 = t3 * t174 - t202;
    let t204 = t3 * t173;
    let t205 = t1 * t175 - t204;
    let t206 = t1 * t174;
    let t207 = t2 * t173 - t206;
    let t208 = shared_values[3] * t203;
    let t209 = shared_values[3] * t205;
    let t210 = shared_values[3] * t207;
    let t211 = t174 * t210 + t1;
    let t212 = t211 - t175 * t209;
    let t213 = t175 * t208 + t2;
    let t214 = t213 - t173 * t210;
    let t215 = t173 * t209 + t3;
    let t216 = t215 - t174 * t208;
    let t217 = t212 - t172 * t208;
    let t218 = t214 - t172 * t209;
    let t219 = t216 - t172 * t210;
    let t220 = shared_values[15] * t217 + t201;
    let t221 = shared_values[16] * t218 + t199;
    let t222 = shared_values[2] * t219 + t200;
    let t223 = shared_values[10] * t191 + s.q0;
    let t224 = shared_values[10] * t192 + s.q1;
    let t225 = shared_values[10] * t193 + s.q2;
    let t226 = shared_values[10] * t194 + s.q3;
    let t227 = shared_values[10] * t220 + s.wx;
    let t228 = shared_values[10] * t221 + s.wy;
    let t229 = shared_values[10] * t222 + s.wz;
    let t230 = t223 * t223;
    let t231 = t224 * t224 + t230;
    let t232 = t225 * t225 + t231;
    let t233 = t226 * t226 + t232;
    let t234 = sqrt(t233);
    let t235 = 1.0f / t234;
    let t236 = t223 * t235;
    let t237 = t224 * t235;
    let t238 = t225 * t235;
    let t239 = t226 * t235;
    let t240 = t227 * t237;
    let t241 = t228 * t238 + t240;
    let t242 = t229 * t239 + t241;
    let t243 = -(t242);
    let t244 = t227 * t236;
    let t245 = t229 * t238 + t244;
    let t246 = t245 - t228 * t239;
    let t247 = t228 * t236;
    let t248 = t227 * t239 + t247;
    let t249 = t248 - t229 * t237;
    let t250 = t229 * t236;
    let t251 = t228 * t237 + t250;
    let t252 = t251 - t227 * t238;
    let t253 = shared_values[11] * t243;
    let t254 = shared_values[11] * t246;
    let t255 = shared_values[11] * t249;
    let t256 = shared_values[11] * t252;
    let t257 = t228 * t229;
    let t258 = t227 * t229;
    let t259 = t227 * t228;
    let t260 = shared_values[12] * t257;
    let t261 = shared_values[13] * t258;
    let t262 = shared_values[14] * t259;
    let t263 = t4 * shared_values[15];
    let t264 = t260 + t263;
    let t265 = t6 * t239;
    let t266 = t7 * t238 - t265;
    let t267 = t7 * t237;
    let t268 = t5 * t239 - t267;
    let t269 = t5 * t238;
    let t270 = t6 * t237 - t269;
    let t271 = shared_values[3] * t266;
    let t272 = shared_values[3] * t268;
    let t273 = shared_values[3] * t270;
    let t274 = t238 * t273 + t5;
    let t275 = t274 - t239 * t272;
    let t276 = t239 * t271 + t6;
    let t277 = t276 - t237 * t273;
    let t278 = t237 * t272 + t7;
    let t279 = t278 - t238 * t271;
    let t280 = t275 - t236 * t271;
    let t281 = t277 - t236 * t272;
    let t282 = t279 - t236 * t273;
    let t283 = shared_values[15] * t280 + t264;
    let t284 = shared_values[16] * t281 + t261;
    let t285 = shared_values[2] * t282 + t262;
    let t286 = shared_values[9] * t253 + t236;
    let t287 = shared_values[9] * t254 + t237;
    let t288 = shared_values[9] * t255 + t238;
    let t289 = shared_values[9] * t256 + t239;
    let t290 = shared_values[9] * t283 + t227;
    let t291 = shared_values[9] * t284 + t228;
    let t292 = shared_values[9] * t285 + t229;
    let t293 = t287 * t290;
    let t294 = t288 * t291 + t293;
    let t295 = t289 * t292 + t294;
    let t296 = -(t295);
    let t297 = t286 * t290;
    let t298 = t288 * t292 + t297;
    let t299 = t298 - t289 * t291;
    let t300 = t286 * t291;
    let t301 = t289 * t290 + t300;
    let t302 = t301 - t287 * t292;
    let t303 = t286 * t292;
    let t304 = t287 * t291 + t303;
    let t305 = t304 - t288 * t290;
    let t306 = shared_values[11] * t296;
    let t307 = shared_values[11] * t299;
    let t308 = shared_values[11] * t302;
    let t309 = shared_values[11] * t305;
    let t310 = t291 * t292;
    let t311 = t290 * t292;
    let t312 = t290 * t291;
    let t313 = shared_values[12] * t310;
    let t314 = shared_values[13] * t311;
    let t315 = shared_values[14] * t312;
    let t316 = t263 + t313;
    let t317 = t6 * t289;
    let t318 = t7 * t288 - t317;
    let t319 = t7 * t287;
    let t320 = t5 * t289 - t319;
    let t321 = t5 * t288;
    let t322 = t6 * t287 - t321;
    let t323 = shared_values[3] * t318;
    let t324 = shared_values[3] * t320;
    let t325 = shared_values[3] * t322;
    let t326 = t288 * t325 + t5;
    let t327 = t326 - t289 * t324;
    let t328 = t289 * t323 + t6;
    let t329 = t328 - t287 * t325;
    let t330 = t287 * t324 + t7;
    let t331 = t330 - t288 * t323;
    let t332 = t327 - t286 * t323;
    let t333 = t329 - t286 * t324;
    let t334 = t331 - t286 * t325;
    let t335 = shared_values[15] * t332 + t316;
    let t336 = shared_values[16] * t333 + t314;
    let t337 = shared_values[2] * t334 + t315;
    let t338 = shared_values[9] * t306 + t236;
    let t339 = shared_values[9] * t307 + t237;
    let t340 = shared_values[9] * t308 + t238;
    let t341 = shared_values[9] * t309 + t239;
    let t342 = shared_values[9] * t335 + t227;
    let t343 = shared_values[9] * t336 + t228;
    let t344 = shared_values[9] * t337 + t229;
    let t345 = t339 * t342;
    let t346 = t340 * t343 + t345;
    let t347 = t341 * t344 + t346;
    let t348 = -(t347);
    let t349 = t338 * t342;
    let t350 = t340 * t344 + t349;
    let t351 = t350 - t341 * t343;
    let t352 = t338 * t343;
    let t353 = t341 * t342 + t352;
    let t354 = t353 - t339 * t344;
    let t355 = t338 * t344;
    let t356 = t339 * t343 + t355;
    let t357 = t356 - t340 * t342;
    let t358 = shared_values[11] * t348;
    let t359 = shared_values[11] * t351;
    let t360 = shared_values[11] * t354;
    let t361 = shared_values[11] * t357;
    let t362 = t343 * t344;
    let t363 = t342 * t344;
    let t364 = t342 * t343;
    let t365 = shared_values[12] * t362;
    let t366 = shared_values[13] * t363;
    let t367 = shared_values[14] * t364;
    let t368 = t263 + t365;
    let t369 = t6 * t341;
    let t370 = t7 * t340 - t369;
    let t371 = t7 * t339;
    let t372 = t5 * t341 - t371;
    let t373 = t5 * t340;
    let t374 = t6 * t339 - t373;
    let t375 = shared_values[3] * t370;
    let t376 = shared_values[3] * t372;
    let t377 = shared_values[3] * t374;
    let t378 = t340 * t377 + t5;
    let t379 = t378 - t341 * t376;
    let t380 = t341 * t375 + t6;
    let t381 = t380 - t339 * t377;
    let t382 = t339 * t376 + t7;
    let t383 = t382 - t340 * t375;
    let t384 = t379 - t338 * t375;
    let t385 = t381 - t338 * t376;
    let t386 = t383 - t338 * t377;
    let t387 = shared_values[15] * t384 + t368;
    let t388 = shared_values[16] * t385 + t366;
    let t389 = shared_values[2] * t386 + t367;
    let t390 = shared_values[3] * t306 + t253;
    let t391 = shared_values[3] * t307 + t254;
    let t392 = shared_values[3] * t308 + t255;
    let t393 = shared_values[3] * t309 + t256;
    let t394 = shared_values[3] * t335 + t283;
    let t395 = shared_values[3] * t336 + t284;
    let t396 = shared_values[3] * t337 + t285;
    let t397 = shared_values[3] * t358 + t390;
    let t398 = shared_values[3] * t359 + t391;
    let t399 = shared_values[3] * t360 + t392;
    let t400 = shared_values[3] * t361 + t393;
    let t401 = shared_values[3] * t387 + t394;
    let t402 = shared_values[3] * t388 + t395;
    let t403 = shared_values[3] * t389 + t396;
    let t404 = t236 + t358;
    let t405 = t237 + t359;
    let t406 = t238 + t360;
    let t407 = t239 + t361;
    let t408 = t227 + t387;
    let t409 = t228 + t388;
    let t410 = t229 + t389;
    let t411 = t405 * t408;
    let t412 = t406 * t409 + t411;
    let t413 = t407 * t410 + t412;
    let t414 = t404 * t408;
    let t415 = t406 * t410 + t414;
    let t416 = t415 - t407 * t409;
    let t417 = t404 * t409;
    let t418 = t407 * t408 + t417;
    let t419 = t418 - t405 * t410;
    let t420 = t404 * t410;
    let t421 = t405 * t409 + t420;
    let t422 = t421 - t406 * t408;
    let t423 = t397 - shared_values[11] * t413;
    let t424 = shared_values[11] * t416 + t398;
    let t425 = shared_values[11] * t419 + t399;
    let t426 = shared_values[11] * t422 + t400;
    let t427 = t409 * t410;
    let t428 = t408 * t410;
    let t429 = t408 * t409;
    let t430 = shared_values[12] * t427 + t401;
    let t431 = shared_values[13] * t428 + t402;
    let t432 = shared_values[14] * t429 + t403;
    let t433 = t263 + t430;
    let t434 = t6 * t407;
    let t435 = t7 * t406 - t434;
    let t436 = t7 * t405;
    let t437 = t5 * t407 - t436;
    let t438 = t5 * t406;
    let t439 = t6 * t405 - t438;
    let t440 = shared_values[3] * t435;
    let t441 = shared_values[3] * t437;
    let t442 = shared_values[3] * t439;
    let t443 = t406 * t442 + t5;
    let t444 = t443 - t407 * t441;
    let t445 = t407 * t440 + t6;
    let t446 = t445 - t405 * t442;
    let t447 = t405 * t441 + t7;
    let t448 = t447 - t406 * t440;
    let t449 = t444 - t404 * t440;
    let t450 = t446 - t404 * t441;
    let t451 = t448 - t404 * t442;
    let t452 = shared_values[15] * t449 + t433;
    let t453 = shared_values[16] * t450 + t431;
    let t454 = shared_values[2] * t451 + t432;
    let t455 = shared_values[10] * t423 + t236;
    let t456 = shared_values[10] * t424 + t237;
    let t457 = shared_values[10] * t425 + t238;
    let t458 = shared_values[10] * t426 + t239;
    let t459 = shared_values[10] * t452 + t227;
    let t460 = shared_values[10] * t453 + t228;
    let t461 = shared_values[10] * t454 + t229;
    let t462 = t455 * t455;
    let t463 = t456 * t456 + t462;
    let t464 = t457 * t457 + t463;
    let t465 = t458 * t458 + t464;
    let t466 = sqrt(t465);
    let t467 = 1.0f / t466;
    let t468 = t455 * t467;
    let t469 = t456 * t467;
    let t470 = t457 * t467;
    let t471 = t458 * t467;
    var next = s;
    next.half_q0 = t468;
    next.half_q1 = t469;
    next.half_q2 = t470;
    next.half_q3 = t471;
    next.half_wx = t459;
    next.half_wy = t460;
    next.half_wz = t461;
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
// `is_finite_state`, `energy_change`, and the constants of the verdict bounds.
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
        let norm = sqrt(s.q3 * s.q3 + (s.q2 * s.q2 + (s.q1 * s.q1 + s.q0 * s.q0)));
        if abs(norm - real(1.0)) > NORM_BOUND_VALUE {
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
