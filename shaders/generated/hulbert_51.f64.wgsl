// Double precision (needs the adapter feature SHADER_F64).
alias real = f64;

// NaN compares false. Written as two comparisons of different values, which no driver was seen to fold.
fn is_finite_real(x: real) -> bool {
    return abs(x) <= 1.7976931348623157e308lf;
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
const NORM_BOUND_VALUE: real = 0.0lf;

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
    let t8 = t0 * shared_values[6];
    let t9 = t4 * shared_values[6];
    var p: Prepared;
    p.c0 = shared_values[3];
    p.c1 = shared_values[4];
    p.c2 = shared_values[5];
    p.c3 = t8;
    p.c4 = t2;
    p.c5 = t3;
    p.c6 = t1;
    p.c7 = shared_values[13];
    p.c8 = shared_values[6];
    p.c9 = shared_values[7];
    p.c10 = shared_values[0];
    p.c11 = shared_values[2];
    p.c12 = t9;
    p.c13 = t6;
    p.c14 = t7;
    p.c15 = t5;
    return p;
}

// One full step of both chains: 202 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.half_wy * s.half_wz;
    let t1 = s.half_wx * s.half_wz;
    let t2 = s.half_wx * s.half_wy;
    let t3 = p.c0 * t0 + s.wx;
    let t4 = p.c1 * t1 + s.wy;
    let t5 = p.c2 * t2 + s.wz;
    let t6 = p.c3 + t3;
    let t7 = s.half_q3 * p.c4;
    let t8 = s.half_q2 * p.c5 - t7;
    let t9 = s.half_q1 * p.c5;
    let t10 = s.half_q3 * p.c6 - t9;
    let t11 = s.half_q2 * p.c6;
    let t12 = s.half_q1 * p.c4 - t11;
    let t13 = p.c7 * t8;
    let t14 = p.c7 * t10;
    let t15 = p.c7 * t12;
    let t16 = s.half_q2 * t15 + p.c6;
    let t17 = t16 - s.half_q3 * t14;
    let t18 = s.half_q3 * t13 + p.c4;
    let t19 = t18 - s.half_q1 * t15;
    let t20 = s.half_q1 * t14 + p.c5;
    let t21 = t20 - s.half_q2 * t13;
    let t22 = t17 - s.half_q0 * t13;
    let t23 = t19 - s.half_q0 * t14;
    let t24 = t21 - s.half_q0 * t15;
    let t25 = p.c8 * t22 + t6;
    let t26 = p.c9 * t23 + t4;
    let t27 = p.c10 * t24 + t5;
    let t28 = s.half_wx * p.c11;
    let t29 = s.half_wy * p.c11;
    let t30 = s.half_wz * p.c11;
    let t31 = t28 * t28 + 1.0lf;
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
    let t56 = 1.0lf / t55;
    let t57 = t47 * t56;
    let t58 = t48 * t56;
    let t59 = t49 * t56;
    let t60 = t50 * t56;
    let t61 = t26 * t27;
    let t62 = t25 * t27;
    let t63 = t25 * t26;
    let t64 = p.c0 * t61 + s.half_wx;
    let t65 = p.c1 * t62 + s.half_wy;
    let t66 = p.c2 * t63 + s.half_wz;
    let t67 = p.c12 + t64;
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
    let t86 = p.c8 * t83 + t67;
    let t87 = p.c9 * t84 + t65;
    let t88 = p.c10 * t85 + t66;
    let t89 = p.c11 * t25;
    let t90 = p.c11 * t26;
    let t91 = p.c11 * t27;
    let t92 = t89 * t89 + 1.0lf;
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
    let t117 = 1.0lf / t116;
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

// The half chain from the whole one: RK4 over half a step, in two substeps (740 operations).
fn restart(instance: u32, s: State) -> State {
    let t0 = shared_values[1] * shared_values[21];
    let t1 = parameters[0u * run.stride + instance] * shared_values[22];
    let t2 = parameters[1u * run.stride + instance] * shared_values[22];
    let t3 = parameters[2u * run.stride + instance] * shared_values[22];
    let t4 = shared_values[1] * shared_values[23];
    let t5 = parameters[0u * run.stride + instance] * shared_values[24];
    let t6 = parameters[1u * run.stride + instance] * shared_values[24];
    let t7 = parameters[2u * run.stride + instance] * shared_values[24];
    let t8 = t0 * shared_values[11];
    let t9 = t4 * shared_values[11];
    let t10 = s.q1 * s.wx;
    let t11 = s.q2 * s.wy + t10;
    let t12 = s.q3 * s.wz + t11;
    let t13 = -(t12);
    let t14 = s.q0 * s.wx;
    let t15 = s.q2 * s.wz + t14;
    let t16 = t15 - s.q3 * s.wy;
    let t17 = s.q0 * s.wy;
    let t18 = s.q3 * s.wx + t17;
    let t19 = t18 - s.q1 * s.wz;
    let t20 = s.q0 * s.wz;
    let t21 = s.q1 * s.wy + t20;
    let t22 = t21 - s.q2 * s.wx;
    let t23 = s.wy * s.wz;
    let t24 = s.wx * s.wz;
    let t25 = s.wx * s.wy;
    let t26 = shared_values[8] * t23;
    let t27 = shared_values[9] * t24;
    let t28 = shared_values[10] * t25;
    let t29 = t8 + t26;
    let t30 = s.q3 * t2;
    let t31 = s.q2 * t3 - t30;
    let t32 = s.q1 * t3;
    let t33 = s.q3 * t1 - t32;
    let t34 = s.q2 * t1;
    let t35 = s.q1 * t2 - t34;
    let t36 = shared_values[13] * t31;
    let t37 = shared_values[13] * t33;
    let t38 = shared_values[13] * t35;
    let t39 = s.q2 * t38 + t1;
    let t40 = t39 - s.q3 * t37;
    let t41 = s.q3 * t36 + t2;
    let t42 = t41 - s.q1 * t38;
    let t43 = s.q1 * t37 + t3;
    let t44 = t43 - s.q2 * t36;
    let t45 = t40 - s.q0 * t36;
    let t46 = t42 - s.q0 * t37;
    let t47 = t44 - s.q0 * t38;
    let t48 = shared_values[11] * t45 + t29;
    let t49 = shared_values[12] * t46 + t27;
    let t50 = shared_values[2] * t47 + t28;
    let t51 = shared_values[16] * t13;
    let t52 = shared_values[16] * t16;
    let t53 = shared_values[16] * t19;
    let t54 = shared_values[16] * t22;
    let t55 = shared_values[14] * t51 + s.q0;
    let t56 = shared_values[14] * t52 + s.q1;
    let t57 = shared_values[14] * t53 + s.q2;
    let t58 = shared_values[14] * t54 + s.q3;
    let t59 = shared_values[14] * t48 + s.wx;
    let t60 = shared_values[14] * t49 + s.wy;
    let t61 = shared_values[14] * t50 + s.wz;
    let t62 = t56 * t59;
    let t63 = t57 * t60 + t62;
    let t64 = t58 * t61 + t63;
    let t65 = -(t64);
    let t66 = t55 * t59;
    let t67 = t57 * t61 + t66;
    let t68 = t67 - t58 * t60;
    let t69 = t55 * t60;
    let t70 = t58 * t59 + t69;
    let t71 = t70 - t56 * t61;
    let t72 = t55 * t61;
    let t73 = t56 * t60 + t72;
    let t74 = t73 - t57 * t59;
    let t75 = t60 * t61;
    let t76 = t59 * t61;
    let t77 = t59 * t60;
    let t78 = shared_values[8] * t75;
    let t79 = shared_values[9] * t76;
    let t80 = shared_values[10] * t77;
    let t81 = t8 + t78;
    let t82 = t2 * t58;
    let t83 = t3 * t57 - t82;
    let t84 = t3 * t56;
    let t85 = t1 * t58 - t84;
    let t86 = t1 * t57;
    let t87 = t2 * t56 - t86;
    let t88 = shared_values[13] * t83;
    let t89 = shared_values[13] * t85;
    let t90 = shared_values[13] * t87;
    let t91 = t57 * t90 + t1;
    let t92 = t91 - t58 * t89;
    let t93 = t58 * t88 + t2;
    let t94 = t93 - t56 * t90;
    let t95 = t56 * t89 + t3;
    let t96 = t95 - t57 * t88;
    let t97 = t92 - t55 * t88;
    let t98 = t94 - t55 * t89;
    let t99 = t96 - t55 * t90;
    let t100 = shared_values[11] * t97 + t81;
    let t101 = shared_values[12] * t98 + t79;
    let t102 = shared_values[2] * t99 + t80;
    let t103 = shared_values[16] * t65;
    let t104 = shared_values[16] * t68;
    let t105 = shared_values[16] * t71;
    let t106 = shared_values[16] * t74;
    let t107 = shared_values[14] * t103 + s.q0;
    let t108 = shared_values[14] * t104 + s.q1;
    let t109 = shared_values[14] * t105 + s.q2;
    let t110 = shared_values[14] * t106 + s.q3;
    let t111 = shared_values[14] * t100 + s.wx;
    let t112 = shared_values[14] * t101 + s.wy;
    let t113 = shared_values[14] * t102 + s.wz;
    let t114 = t108 * t111;
    let t115 = t109 * t112 + t114;
    let t116 = t110 * t113 + t115;
    let t117 = -(t116);
    let t118 = t107 * t111;
    let t119 = t109 * t113 + t118;
    let t120 = t119 - t110 * t112;
    let t121 = t107 * t112;
    let t122 = t110 * t111 + t121;
    let t123 = t122 - t108 * t113;
    let t124 = t107 * t113;
    let t125 = t108 * t112 + t124;
    let t126 = t125 - t109 * t111;
    let t127 = t112 * t113;
    let t128 = t111 * t113;
    let t129 = t111 * t112;
    let t130 = shared_values[8] * t127;
    let t131 = shared_values[9] * t128;
    let t132 = shared_values[10] * t129;
    let t133 = t8 + t130;
    let t134 = t2 * t110;
    let t135 = t3 * t109 - t134;
    let t136 = t3 * t108;
    let t137 = t1 * t110 - t136;
    let t138 = t1 * t109;
    let t139 = t2 * t108 - t138;
    let t140 = shared_values[13] * t135;
    let t141 = shared_values[13] * t137;
    let t142 = shared_values[13] * t139;
    let t143 = t109 * t142 + t1;
    let t144 = t143 - t110 * t141;
    let t145 = t110 * t140 + t2;
    let t146 = t145 - t108 * t142;
    let t147 = t108 * t141 + t3;
    let t148 = t147 - t109 * t140;
    let t149 = t144 - t107 * t140;
    let t150 = t146 - t107 * t141;
    let t151 = t148 - t107 * t142;
    let t152 = shared_values[11] * t149 + t133;
    let t153 = shared_values[12] * t150 + t131;
    let t154 = shared_values[2] * t151 + t132;
    let t155 = shared_values[16] * t117;
    let t156 = shared_values[16] * t120;
    let t157 = shared_values[16] * t123;
    let t158 = shared_values[16] * t126;
    let t159 = shared_values[13] * t103 + t51;
    let t160 = shared_values[13] * t104 + t52;
    let t161 = shared_values[13] * t105 + t53;
    let t162 = shared_values[13] * t106 + t54;
    let t163 = shared_values[13] * t100 + t48;
    let t164 = shared_values[13] * t101 + t49;
    let t165 = shared_values[13] * t102 + t50;
    let t166 = shared_values[13] * t155 + t159;
    let t167 = shared_values[13] * t156 + t160;
    let t168 = shared_values[13] * t157 + t161;
    let t169 = shared_values[13] * t158 + t162;
    let t170 = shared_values[13] * t152 + t163;
    let t171 = shared_values[13] * t153 + t164;
    let t172 = shared_values[13] * t154 + t165;
    let t173 = s.q0 + t155;
    let t174 = s.q1 + t156;
    let t175 = s.q2 + t157;
    let t176 = s.q3 + t158;
    let t177 = s.wx + t152;
    let t178 = s.wy + t153;
    let t179 = s.wz + t154;
    let t180 = t174 * t177;
    let t181 = t175 * t178 + t180;
    let t182 = t176 * t179 + t181;
    let t183 = t173 * t177;
    let t184 = t175 * t179 + t183;
    let t185 = t184 - t176 * t178;
    let t186 = t173 * t178;
    let t187 = t176 * t177 + t186;
    let t188 = t187 - t174 * t179;
    let t189 = t173 * t179;
    let t190 = t174 * t178 + t189;
    let t191 = t190 - t175 * t177;
    let t192 = t178 * t179;
    let t193 = t177 * t179;
    let t194 = t177 * t178;
    let t195 = shared_values[8] * t192 + t170;
    let t196 = shared_values[9] * t193 + t171;
    let t197 = shared_values[10] * t194 + t172;
    let t198 = t8 + t195;
    let t199 = t2 * t176;
    let t200 = t3 * t175 - t199;
    let t201 = t3 * t174;
    let t202 = t1 * t176 - t201;
    let t203 = t1 * t175;
    let t204 = t2 * t174 - t203;
    let t205 = shared_values[13] * t200;
    let t206 = shared_values[13] * t202;
    let t207 = shared_values[13] * t204;
    let t208 = t175 * t207 + t1;
    let t209 = t208 - t176 * t206;
    let t210 = t176 * t205 + t2;
    let t211 = t210 - t174 * t207;
    let t212 = t174 * t206 + t3;
    let t213 = t212 - t175 * t205;
    let t214 = t209 - t173 * t205;
    let t215 = t211 - t173 * t206;
    let t216 = t213 - t173 * t207;
    let t217 = shared_values[11] * t214 + t198;
    let t218 = shared_values[12] * t215 + t196;
    let t219 = shared_values[2] * t216 + t197;
    let t220 = t166 - shared_values[16] * t182;
    let t221 = shared_values[16] * t185 + t167;
    let t222 = shared_values[16] * t188 + t168;
    let t223 = shared_values[16] * t191 + t169;
    let t224 = shared_values[15] * t220 + s.q0;
    let t225 = shared_values[15] * t221 + s.q1;
    let t226 = shared_values[15] * t222 + s.q2;
    let t227 = shared_values[15] * t223 + s.q3;
    let t228 = shared_values[15] * t217 + s.wx;
    let t229 = shared_values[15] * t218 + s.wy;
    let t230 = shared_values[15] * t219 + s.wz;
    let t231 = t224 * t224;
    let t232 = t225 * t225 + t231;
    let t233 = t226 * t226 + t232;
    let t234 = t227 * t227 + t233;
    let t235 = sqrt(t234);
    let t236 = 1.0lf / t235;
    let t237 = t224 * t236;
    let t238 = t225 * t236;
    let t239 = t226 * t236;
    let t240 = t227 * t236;
    let t241 = t228 * t238;
    let t242 = t229 * t239 + t241;
    let t243 = t230 * t240 + t242;
    let t244 = -(t243);
    let t245 = t228 * t237;
    let t246 = t230 * t239 + t245;
    let t247 = t246 - t229 * t240;
    let t248 = t229 * t237;
    let t249 = t228 * t240 + t248;
    let t250 = t249 - t230 * t238;
    let t251 = t230 * t237;
    let t252 = t229 * t238 + t251;
    let t253 = t252 - t228 * t239;
    let t254 = t229 * t230;
    let t255 = t228 * t230;
    let t256 = t228 * t229;
    let t257 = shared_values[8] * t254;
    let t258 = shared_values[9] * t255;
    let t259 = shared_values[10] * t256;
    let t260 = t9 + t257;
    let t261 = t6 * t240;
    let t262 = t7 * t239 - t261;
    let t263 = t7 * t238;
    let t264 = t5 * t240 - t263;
    let t265 = t5 * t239;
    let t266 = t6 * t238 - t265;
    let t267 = shared_values[13] * t262;
    let t268 = shared_values[13] * t264;
    let t269 = shared_values[13] * t266;
    let t270 = t239 * t269 + t5;
    let t271 = t270 - t240 * t268;
    let t272 = t240 * t267 + t6;
    let t273 = t272 - t238 * t269;
    let t274 = t238 * t268 + t7;
    let t275 = t274 - t239 * t267;
    let t276 = t271 - t237 * t267;
    let t277 = t273 - t237 * t268;
    let t278 = t275 - t237 * t269;
    let t279 = shared_values[11] * t276 + t260;
    let t280 = shared_values[12] * t277 + t258;
    let t281 = shared_values[2] * t278 + t259;
    let t282 = shared_values[16] * t244;
    let t283 = shared_values[16] * t247;
    let t284 = shared_values[16] * t250;
    let t285 = shared_values[16] * t253;
    let t286 = shared_values[14] * t282 + t237;
    let t287 = shared_values[14] * t283 + t238;
    let t288 = shared_values[14] * t284 + t239;
    let t289 = shared_values[14] * t285 + t240;
    let t290 = shared_values[14] * t279 + t228;
    let t291 = shared_values[14] * t280 + t229;
    let t292 = shared_values[14] * t281 + t230;
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
    let t306 = t291 * t292;
    let t307 = t290 * t292;
    let t308 = t290 * t291;
    let t309 = shared_values[8] * t306;
    let t310 = shared_values[9] * t307;
    let t311 = shared_values[10] * t308;
    let t312 = t9 + t309;
    let t313 = t6 * t289;
    let t314 = t7 * t288 - t313;
    let t315 = t7 * t287;
    let t316 = t5 * t289 - t315;
    let t317 = t5 * t288;
    let t318 = t6 * t287 - t317;
    let t319 = shared_values[13] * t314;
    let t320 = shared_values[13] * t316;
    let t321 = shared_values[13] * t318;
    let t322 = t288 * t321 + t5;
    let t323 = t322 - t289 * t320;
    let t324 = t289 * t319 + t6;
    let t325 = t324 - t287 * t321;
    let t326 = t287 * t320 + t7;
    let t327 = t326 - t288 * t319;
    let t328 = t323 - t286 * t319;
    let t329 = t325 - t286 * t320;
    let t330 = t327 - t286 * t321;
    let t331 = shared_values[11] * t328 + t312;
    let t332 = shared_values[12] * t329 + t310;
    let t333 = shared_values[2] * t330 + t311;
    let t334 = shared_values[16] * t296;
    let t335 = shared_values[16] * t299;
    let t336 = shared_values[16] * t302;
    let t337 = shared_values[16] * t305;
    let t338 = shared_values[14] * t334 + t237;
    let t339 = shared_values[14] * t335 + t238;
    let t340 = shared_values[14] * t336 + t239;
    let t341 = shared_values[14] * t337 + t240;
    let t342 = shared_values[14] * t331 + t228;
    let t343 = shared_values[14] * t332 + t229;
    let t344 = shared_values[14] * t333 + t230;
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
    let t358 = t343 * t344;
    let t359 = t342 * t344;
    let t360 = t342 * t343;
    let t361 = shared_values[8] * t358;
    let t362 = shared_values[9] * t359;
    let t363 = shared_values[10] * t360;
    let t364 = t9 + t361;
    let t365 = t6 * t341;
    let t366 = t7 * t340 - t365;
    let t367 = t7 * t339;
    let t368 = t5 * t341 - t367;
    let t369 = t5 * t340;
    let t370 = t6 * t339 - t369;
    let t371 = shared_values[13] * t366;
    let t372 = shared_values[13] * t368;
    let t373 = shared_values[13] * t370;
    let t374 = t340 * t373 + t5;
    let t375 = t374 - t341 * t372;
    let t376 = t341 * t371 + t6;
    let t377 = t376 - t339 * t373;
    let t378 = t339 * t372 + t7;
    let t379 = t378 - t340 * t371;
    let t380 = t375 - t338 * t371;
    let t381 = t377 - t338 * t372;
    let t382 = t379 - t338 * t373;
    let t383 = shared_values[11] * t380 + t364;
    let t384 = shared_values[12] * t381 + t362;
    let t385 = shared_values[2] * t382 + t363;
    let t386 = shared_values[16] * t348;
    let t387 = shared_values[16] * t351;
    let t388 = shared_values[16] * t354;
    let t389 = shared_values[16] * t357;
    let t390 = shared_values[13] * t334 + t282;
    let t391 = shared_values[13] * t335 + t283;
    let t392 = shared_values[13] * t336 + t284;
    let t393 = shared_values[13] * t337 + t285;
    let t394 = shared_values[13] * t331 + t279;
    let t395 = shared_values[13] * t332 + t280;
    let t396 = shared_values[13] * t333 + t281;
    let t397 = shared_values[13] * t386 + t390;
    let t398 = shared_values[13] * t387 + t391;
    let t399 = shared_values[13] * t388 + t392;
    let t400 = shared_values[13] * t389 + t393;
    let t401 = shared_values[13] * t383 + t394;
    let t402 = shared_values[13] * t384 + t395;
    let t403 = shared_values[13] * t385 + t396;
    let t404 = t237 + t386;
    let t405 = t238 + t387;
    let t406 = t239 + t388;
    let t407 = t240 + t389;
    let t408 = t228 + t383;
    let t409 = t229 + t384;
    let t410 = t230 + t385;
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
    let t423 = t409 * t410;
    let t424 = t408 * t410;
    let t425 = t408 * t409;
    let t426 = shared_values[8] * t423 + t401;
    let t427 = shared_values[9] * t424 + t402;
    let t428 = shared_values[10] * t425 + t403;
    let t429 = t9 + t426;
    let t430 = t6 * t407;
    let t431 = t7 * t406 - t430;
    let t432 = t7 * t405;
    let t433 = t5 * t407 - t432;
    let t434 = t5 * t406;
    let t435 = t6 * t405 - t434;
    let t436 = shared_values[13] * t431;
    let t437 = shared_values[13] * t433;
    let t438 = shared_values[13] * t435;
    let t439 = t406 * t438 + t5;
    let t440 = t439 - t407 * t437;
    let t441 = t407 * t436 + t6;
    let t442 = t441 - t405 * t438;
    let t443 = t405 * t437 + t7;
    let t444 = t443 - t406 * t436;
    let t445 = t440 - t404 * t436;
    let t446 = t442 - t404 * t437;
    let t447 = t444 - t404 * t438;
    let t448 = shared_values[11] * t445 + t429;
    let t449 = shared_values[12] * t446 + t427;
    let t450 = shared_values[2] * t447 + t428;
    let t451 = t397 - shared_values[16] * t413;
    let t452 = shared_values[16] * t416 + t398;
    let t453 = shared_values[16] * t419 + t399;
    let t454 = shared_values[16] * t422 + t400;
    let t455 = shared_values[15] * t451 + t237;
    let t456 = shared_values[15] * t452 + t238;
    let t457 = shared_values[15] * t453 + t239;
    let t458 = shared_values[15] * t454 + t240;
    let t459 = shared_values[15] * t448 + t228;
    let t460 = shared_values[15] * t449 + t229;
    let t461 = shared_values[15] * t450 + t230;
    let t462 = t455 * t455;
    let t463 = t456 * t456 + t462;
    let t464 = t457 * t457 + t463;
    let t465 = t458 * t458 + t464;
    let t466 = sqrt(t465);
    let t467 = 1.0lf / t466;
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
    return EnergyChange(0.0lf, 0.0lf);
}

// The ensemble kernel: one invocation takes one instance from step `run.first` to step `run.end`, its state in
// registers, and stores it back. What is specific to a mechanism and a method stands before this text and is
// generated: `real`, `State`, `Prepared`, `prepare`, `step`, `restart`, `load_state`, `store_state`,
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
    // Steps between restarts of the half chain; 0: at step 0 alone.
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

fn restarts(k: u32) -> bool {
    if run.resynchronise == 0u {
        return k == 0u;
    }
    return k % run.resynchronise == 0u;
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
            if restarts(k) {
                s = restart(instance, s);
            }
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
