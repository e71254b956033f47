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
    let t3 = t0 * t0 + 1.0lf;
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
    let t28 = 1.0lf / t27;
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
    let t64 = t61 * t61 + 1.0lf;
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
    let t89 = 1.0lf / t88;
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

// What the method carries, at the start. (834 operations.)
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
    let t21 = s.q0 * s.q0;
    let t22 = s.q1 * s.q1 + t21;
    let t23 = s.q2 * s.q2 + t22;
    let t24 = s.q3 * s.q3 + t23;
    let t25 = sqrt(t24);
    let t26 = 1.0lf / t25;
    let t27 = s.q0 * t26;
    let t28 = s.q1 * t26;
    let t29 = s.q2 * t26;
    let t30 = s.q3 * t26;
    let t31 = shared_values[11] * t11;
    let t32 = shared_values[11] * t14;
    let t33 = shared_values[11] * t17;
    let t34 = shared_values[11] * t20;
    let t35 = s.wy * s.wz;
    let t36 = s.wx * s.wz;
    let t37 = s.wx * s.wy;
    let t38 = shared_values[12] * t35;
    let t39 = shared_values[13] * t36;
    let t40 = shared_values[14] * t37;
    let t41 = t0 * shared_values[15];
    let t42 = t38 + t41;
    let t43 = t2 * t30;
    let t44 = t3 * t29 - t43;
    let t45 = t3 * t28;
    let t46 = t1 * t30 - t45;
    let t47 = t1 * t29;
    let t48 = t2 * t28 - t47;
    let t49 = shared_values[3] * t44;
    let t50 = shared_values[3] * t46;
    let t51 = shared_values[3] * t48;
    let t52 = t29 * t51 + t1;
    let t53 = t52 - t30 * t50;
    let t54 = t30 * t49 + t2;
    let t55 = t54 - t28 * t51;
    let t56 = t28 * t50 + t3;
    let t57 = t56 - t29 * t49;
    let t58 = t53 - t27 * t49;
    let t59 = t55 - t27 * t50;
    let t60 = t57 - t27 * t51;
    let t61 = shared_values[15] * t58 + t42;
    let t62 = shared_values[16] * t59 + t39;
    let t63 = shared_values[2] * t60 + t40;
    let t64 = shared_values[9] * t31 + s.q0;
    let t65 = shared_values[9] * t32 + s.q1;
    let t66 = shared_values[9] * t33 + s.q2;
    let t67 = shared_values[9] * t34 + s.q3;
    let t68 = shared_values[9] * t61 + s.wx;
    let t69 = shared_values[9] * t62 + s.wy;
    let t70 = shared_values[9] * t63 + s.wz;
    let t71 = t65 * t68;
    let t72 = t66 * t69 + t71;
    let t73 = t67 * t70 + t72;
    let t74 = -(t73);
    let t75 = t64 * t68;
    let t76 = t66 * t70 + t75;
    let t77 = t76 - t67 * t69;
    let t78 = t64 * t69;
    let t79 = t67 * t68 + t78;
    let t80 = t79 - t65 * t70;
    let t81 = t64 * t70;
    let t82 = t65 * t69 + t81;
    let t83 = t82 - t66 * t68;
    let t84 = t64 * t64;
    let t85 = t65 * t65 + t84;
    let t86 = t66 * t66 + t85;
    let t87 = t67 * t67 + t86;
    let t88 = sqrt(t87);
    let t89 = 1.0lf / t88;
    let t90 = t64 * t89;
    let t91 = t65 * t89;
    let t92 = t66 * t89;
    let t93 = t67 * t89;
    let t94 = shared_values[11] * t74;
    let t95 = shared_values[11] * t77;
    let t96 = shared_values[11] * t80;
    let t97 = shared_values[11] * t83;
    let t98 = t69 * t70;
    let t99 = t68 * t70;
    let t100 = t68 * t69;
    let t101 = shared_values[12] * t98;
    let t102 = shared_values[13] * t99;
    let t103 = shared_values[14] * t100;
    let t104 = t41 + t101;
    let t105 = t2 * t93;
    let t106 = t3 * t92 - t105;
    let t107 = t3 * t91;
    let t108 = t1 * t93 - t107;
    let t109 = t1 * t92;
    let t110 = t2 * t91 - t109;
    let t111 = shared_values[3] * t106;
    let t112 = shared_values[3] * t108;
    let t113 = shared_values[3] * t110;
    let t114 = t92 * t113 + t1;
    let t115 = t114 - t93 * t112;
    let t116 = t93 * t111 + t2;
    let t117 = t116 - t91 * t113;
    let t118 = t91 * t112 + t3;
    let t119 = t118 - t92 * t111;
    let t120 = t115 - t90 * t111;
    let t121 = t117 - t90 * t112;
    let t122 = t119 - t90 * t113;
    let t123 = shared_values[15] * t120 + t104;
    let t124 = shared_values[16] * t121 + t102;
    let t125 = shared_values[2] * t122 + t103;
    let t126 = shared_values[9] * t94 + s.q0;
    let t127 = shared_values[9] * t95 + s.q1;
    let t128 = shared_values[9] * t96 + s.q2;
    let t129 = shared_values[9] * t97 + s.q3;
    let t130 = shared_values[9] * t123 + s.wx;
    let t131 = shared_values[9] * t124 + s.wy;
    let t132 = shared_values[9] * t125 + s.wz;
    let t133 = t127 * t130;
    let t134 = t128 * t131 + t133;
    let t135 = t129 * t132 + t134;
    let t136 = -(t135);
    let t137 = t126 * t130;
    let t138 = t128 * t132 + t137;
    let t139 = t138 - t129 * t131;
    let t140 = t126 * t131;
    let t141 = t129 * t130 + t140;
    let t142 = t141 - t127 * t132;
    let t143 = t126 * t132;
    let t144 = t127 * t131 + t143;
    let t145 = t144 - t128 * t130;
    let t146 = t126 * t126;
    let t147 = t127 * t127 + t146;
    let t148 = t128 * t128 + t147;
    let t149 = t129 * t129 + t148;
    let t150 = sqrt(t149);
    let t151 = 1.0lf / t150;
    let t152 = t126 * t151;
    let t153 = t127 * t151;
    let t154 = t128 * t151;
    let t155 = t129 * t151;
    let t156 = shared_values[11] * t136;
    let t157 = shared_values[11] * t139;
    let t158 = shared_values[11] * t142;
    let t159 = shared_values[11] * t145;
    let t160 = t131 * t132;
    let t161 = t130 * t132;
    let t162 = t130 * t131;
    let t163 = shared_values[12] * t160;
    let t164 = shared_values[13] * t161;
    let t165 = shared_values[14] * t162;
    let t166 = t41 + t163;
    let t167 = t2 * t155;
    let t168 = t3 * t154 - t167;
    let t169 = t3 * t153;
    let t170 = t1 * t155 - t169;
    let t171 = t1 * t154;
    let t172 = t2 * t153 - t171;
    let t173 = shared_values[3] * t168;
    let t174 = shared_values[3] * t170;
    let t175 = shared_values[3] * t172;
    let t176 = t154 * t175 + t1;
    let t177 = t176 - t155 * t174;
    let t178 = t155 * t173 + t2;
    let t179 = t178 - t153 * t175;
    let t180 = t153 * t174 + t3;
    let t181 = t180 - t154 * t173;
    let t182 = t177 - t152 * t173;
    let t183 = t179 - t152 * t174;
    let t184 = t181 - t152 * t175;
    let t185 = shared_values[15] * t182 + t166;
    let t186 = shared_values[16] * t183 + t164;
    let t187 = shared_values[2] * t184 + t165;
    let t188 = shared_values[3] * t94 + t31;
    let t189 = shared_values[3] * t95 + t32;
    let t190 = shared_values[3] * t96 + t33;
    let t191 = shared_values[3] * t97 + t34;
    let t192 = shared_values[3] * t123 + t61;
    let t193 = shared_values[3] * t124 + t62;
    let t194 = shared_values[3] * t125 + t63;
    let t195 = shared_values[3] * t156 + t188;
    let t196 = shared_values[3] * t157 + t189;
    let t197 = shared_values[3] * t158 + t190;
    let t198 = shared_values[3] * t159 + t191;
    let t199 = shared_values[3] * t185 + t192;
    let t200 = shared_values[3] * t186 + t193;
    let t201 = shared_values[3] * t187 + t194;
    let t202 = s.q0 + t156;
    let t203 = s.q1 + t157;
    let t204 = s.q2 + t158;
    let t205 = s.q3 + t159;
    let t206 = s.wx + t185;
    let t207 = s.wy + t186;
    let t208 = s.wz + t187;
    let t209 = t203 * t206;
    let t210 = t204 * t207 + t209;
    let t211 = t205 * t208 + t210;
    let t212 = t202 * t206;
    let t213 = t204 * t208 + t212;
    let t214 = t213 - t205 * t207;
    let t215 = t202 * t207;
    let t216 = t205 * t206 + t215;
    let t217 = t216 - t203 * t208;
    let t218 = t202 * t208;
    let t219 = t203 * t207 + t218;
    let t220 = t219 - t204 * t206;
    let t221 = t202 * t202;
    let t222 = t203 * t203 + t221;
    let t223 = t204 * t204 + t222;
    let t224 = t205 * t205 + t223;
    let t225 = sqrt(t224);
    let t226 = 1.0lf / t225;
    let t227 = t202 * t226;
    let t228 = t203 * t226;
    let t229 = t204 * t226;
    let t230 = t205 * t226;
    let t231 = t195 - shared_values[11] * t211;
    let t232 = shared_values[11] * t214 + t196;
    let t233 = shared_values[11] * t217 + t197;
    let t234 = shared_values[11] * t220 + t198;
    let t235 = t207 * t208;
    let t236 = t206 * t208;
    let t237 = t206 * t207;
    let t238 = shared_values[12] * t235 + t199;
    let t239 = shared_values[13] * t236 + t200;
    let t240 = shared_values[14] * t237 + t201;
    let t241 = t41 + t238;
    let t242 = t2 * t230;
    let t243 = t3 * t229 - t242;
    let t244 = t3 * t228;
    let t245 = t1 * t230 - t244;
    let t246 = t1 * t229;
    let t247 = t2 * t228 - t246;
    let t248 = shared_values[3] * t243;
    let t249 = shared_values[3] * t245;
    let t250 = shared_values[3] * t247;
    let t251 = t229 * t250 + t1;
    let t252 = t251 - t230 * t249;
    let t253 = t230 * t248 + t2;
    let t254 = t253 - t228 * t250;
    let t255 = t228 * t249 + t3;
    let t256 = t255 - t229 * t248;
    let t257 = t252 - t227 * t248;
    let t258 = t254 - t227 * t249;
    let t259 = t256 - t227 * t250;
    let t260 = shared_values[15] * t257 + t241;
    let t261 = shared_values[16] * t258 + t239;
    let t262 = shared_values[2] * t259 + t240;
    let t263 = shared_values[10] * t231 + s.q0;
    let t264 = shared_values[10] * t232 + s.q1;
    let t265 = shared_values[10] * t233 + s.q2;
    let t266 = shared_values[10] * t234 + s.q3;
    let t267 = shared_values[10] * t260 + s.wx;
    let t268 = shared_values[10] * t261 + s.wy;
    let t269 = shared_values[10] * t262 + s.wz;
    let t270 = t263 * t263;
    let t271 = t264 * t264 + t270;
    let t272 = t265 * t265 + t271;
    let t273 = t266 * t266 + t272;
    let t274 = sqrt(t273);
    let t275 = 1.0lf / t274;
    let t276 = t263 * t275;
    let t277 = t264 * t275;
    let t278 = t265 * t275;
    let t279 = t266 * t275;
    let t280 = t267 * t277;
    let t281 = t268 * t278 + t280;
    let t282 = t269 * t279 + t281;
    let t283 = -(t282);
    let t284 = t267 * t276;
    let t285 = t269 * t278 + t284;
    let t286 = t285 - t268 * t279;
    let t287 = t268 * t276;
    let t288 = t267 * t279 + t287;
    let t289 = t288 - t269 * t277;
    let t290 = t269 * t276;
    let t291 = t268 * t277 + t290;
    let t292 = t291 - t267 * t278;
    let t293 = t276 * t276;
    let t294 = t277 * t277 + t293;
    let t295 = t278 * t278 + t294;
    let t296 = t279 * t279 + t295;
    let t297 = sqrt(t296);
    let t298 = 1.0lf / t297;
    let t299 = t276 * t298;
    let t300 = t277 * t298;
    let t301 = t278 * t298;
    let t302 = t279 * t298;
    let t303 = shared_values[11] * t283;
    let t304 = shared_values[11] * t286;
    let t305 = shared_values[11] * t289;
    let t306 = shared_values[11] * t292;
    let t307 = t268 * t269;
    let t308 = t267 * t269;
    let t309 = t267 * t268;
    let t310 = shared_values[12] * t307;
    let t311 = shared_values[13] * t308;
    let t312 = shared_values[14] * t309;
    let t313 = t4 * shared_values[15];
    let t314 = t310 + t313;
    let t315 = t6 * t302;
    let t316 = t7 * t301 - t315;
    let t317 = t7 * t300;
    let t318 = t5 * t302 - t317;
    let t319 = t5 * t301;
    let t320 = t6 * t300 - t319;
    let t321 = shared_values[3] * t316;
    let t322 = shared_values[3] * t318;
    let t323 = shared_values[3] * t320;
    let t324 = t301 * t323 + t5;
    let t325 = t324 - t302 * t322;
    let t326 = t302 * t321 + t6;
    let t327 = t326 - t300 * t323;
    let t328 = t300 * t322 + t7;
    let t329 = t328 - t301 * t321;
    let t330 = t325 - t299 * t321;
    let t331 = t327 - t299 * t322;
    let t332 = t329 - t299 * t323;
    let t333 = shared_values[15] * t330 + t314;
    let t334 = shared_values[16] * t331 + t311;
    let t335 = shared_values[2] * t332 + t312;
    let t336 = shared_values[9] * t303 + t276;
    let t337 = shared_values[9] * t304 + t277;
    let t338 = shared_values[9] * t305 + t278;
    let t339 = shared_values[9] * t306 + t279;
    let t340 = shared_values[9] * t333 + t267;
    let t341 = shared_values[9] * t334 + t268;
    let t342 = shared_values[9] * t335 + t269;
    let t343 = t337 * t340;
    let t344 = t338 * t341 + t343;
    let t345 = t339 * t342 + t344;
    let t346 = -(t345);
    let t347 = t336 * t340;
    let t348 = t338 * t342 + t347;
    let t349 = t348 - t339 * t341;
    let t350 = t336 * t341;
    let t351 = t339 * t340 + t350;
    let t352 = t351 - t337 * t342;
    let t353 = t336 * t342;
    let t354 = t337 * t341 + t353;
    let t355 = t354 - t338 * t340;
    let t356 = t336 * t336;
    let t357 = t337 * t337 + t356;
    let t358 = t338 * t338 + t357;
    let t359 = t339 * t339 + t358;
    let t360 = sqrt(t359);
    let t361 = 1.0lf / t360;
    let t362 = t336 * t361;
    let t363 = t337 * t361;
    let t364 = t338 * t361;
    let t365 = t339 * t361;
    let t366 = shared_values[11] * t346;
    let t367 = shared_values[11] * t349;
    let t368 = shared_values[11] * t352;
    let t369 = shared_values[11] * t355;
    let t370 = t341 * t342;
    let t371 = t340 * t342;
    let t372 = t340 * t341;
    let t373 = shared_values[12] * t370;
    let t374 = shared_values[13] * t371;
    let t375 = shared_values[14] * t372;
    let t376 = t313 + t373;
    let t377 = t6 * t365;
    let t378 = t7 * t364 - t377;
    let t379 = t7 * t363;
    let t380 = t5 * t365 - t379;
    let t381 = t5 * t364;
    let t382 = t6 * t363 - t381;
    let t383 = shared_values[3] * t378;
    let t384 = shared_values[3] * t380;
    let t385 = shared_values[3] * t382;
    let t386 = t364 * t385 + t5;
    let t387 = t386 - t365 * t384;
    let t388 = t365 * t383 + t6;
    let t389 = t388 - t363 * t385;
    let t390 = t363 * t384 + t7;
    let t391 = t390 - t364 * t383;
    let t392 = t387 - t362 * t383;
    let t393 = t389 - t362 * t384;
    let t394 = t391 - t362 * t385;
    let t395 = shared_values[15] * t392 + t376;
    let t396 = shared_values[16] * t393 + t374;
    let t397 = shared_values[2] * t394 + t375;
    let t398 = shared_values[9] * t366 + t276;
    let t399 = shared_values[9] * t367 + t277;
    let t400 = shared_values[9] * t368 + t278;
    let t401 = shared_values[9] * t369 + t279;
    let t402 = shared_values[9] * t395 + t267;
    let t403 = shared_values[9] * t396 + t268;
    let t404 = shared_values[9] * t397 + t269;
    let t405 = t399 * t402;
    let t406 = t400 * t403 + t405;
    let t407 = t401 * t404 + t406;
    let t408 = -(t407);
    let t409 = t398 * t402;
    let t410 = t400 * t404 + t409;
    let t411 = t410 - t401 * t403;
    let t412 = t398 * t403;
    let t413 = t401 * t402 + t412;
    let t414 = t413 - t399 * t404;
    let t415 = t398 * t404;
    let t416 = t399 * t403 + t415;
    let t417 = t416 - t400 * t402;
    let t418 = t398 * t398;
    let t419 = t399 * t399 + t418;
    let t420 = t400 * t400 + t419;
    let t421 = t401 * t401 + t420;
    let t422 = sqrt(t421);
    let t423 = 1.0lf / t422;
    let t424 = t398 * t423;
    let t425 = t399 * t423;
    let t426 = t400 * t423;
    let t427 = t401 * t423;
    let t428 = shared_values[11] * t408;
    let t429 = shared_values[11] * t411;
    let t430 = shared_values[11] * t414;
    let t431 = shared_values[11] * t417;
    let t432 = t403 * t404;
    let t433 = t402 * t404;
    let t434 = t402 * t403;
    let t435 = shared_values[12] * t432;
    let t436 = shared_values[13] * t433;
    let t437 = shared_values[14] * t434;
    let t438 = t313 + t435;
    let t439 = t6 * t427;
    let t440 = t7 * t426 - t439;
    let t441 = t7 * t425;
    let t442 = t5 * t427 - t441;
    let t443 = t5 * t426;
    let t444 = t6 * t425 - t443;
    let t445 = shared_values[3] * t440;
    let t446 = shared_values[3] * t442;
    let t447 = shared_values[3] * t444;
    let t448 = t426 * t447 + t5;
    let t449 = t448 - t427 * t446;
    let t450 = t427 * t445 + t6;
    let t451 = t450 - t425 * t447;
    let t452 = t425 * t446 + t7;
    let t453 = t452 - t426 * t445;
    let t454 = t449 - t424 * t445;
    let t455 = t451 - t424 * t446;
    let t456 = t453 - t424 * t447;
    let t457 = shared_values[15] * t454 + t438;
    let t458 = shared_values[16] * t455 + t436;
    let t459 = shared_values[2] * t456 + t437;
    let t460 = shared_values[3] * t366 + t303;
    let t461 = shared_values[3] * t367 + t304;
    let t462 = shared_values[3] * t368 + t305;
    let t463 = shared_values[3] * t369 + t306;
    let t464 = shared_values[3] * t395 + t333;
    let t465 = shared_values[3] * t396 + t334;
    let t466 = shared_values[3] * t397 + t335;
    let t467 = shared_values[3] * t428 + t460;
    let t468 = shared_values[3] * t429 + t461;
    let t469 = shared_values[3] * t430 + t462;
    let t470 = shared_values[3] * t431 + t463;
    let t471 = shared_values[3] * t457 + t464;
    let t472 = shared_values[3] * t458 + t465;
    let t473 = shared_values[3] * t459 + t466;
    let t474 = t276 + t428;
    let t475 = t277 + t429;
    let t476 = t278 + t430;
    let t477 = t279 + t431;
    let t478 = t267 + t457;
    let t479 = t268 + t458;
    let t480 = t269 + t459;
    let t481 = t475 * t478;
    let t482 = t476 * t479 + t481;
    let t483 = t477 * t480 + t482;
    let t484 = t474 * t478;
    let t485 = t476 * t480 + t484;
    let t486 = t485 - t477 * t479;
    let t487 = t474 * t479;
    let t488 = t477 * t478 + t487;
    let t489 = t488 - t475 * t480;
    let t490 = t474 * t480;
    let t491 = t475 * t479 + t490;
    let t492 = t491 - t476 * t478;
    let t493 = t474 * t474;
    let t494 = t475 * t475 + t493;
    let t495 = t476 * t476 + t494;
    let t496 = t477 * t477 + t495;
    let t497 = sqrt(t496);
    let t498 = 1.0lf / t497;
    let t499 = t474 * t498;
    let t500 = t475 * t498;
    let t501 = t476 * t498;
    let t502 = t477 * t498;
    let t503 = t467 - shared_values[11] * t483;
    let t504 = shared_values[11] * t486 + t468;
    let t505 = shared_values[11] * t489 + t469;
    let t506 = shared_values[11] * t492 + t470;
    let t507 = t479 * t480;
    let t508 = t478 * t480;
    let t509 = t478 * t479;
    let t510 = shared_values[12] * t507 + t471;
    let t511 = shared_values[13] * t508 + t472;
    let t512 = shared_values[14] * t509 + t473;
    let t513 = t313 + t510;
    let t514 = t6 * t502;
    let t515 = t7 * t501 - t514;
    let t516 = t7 * t500;
    let t517 = t5 * t502 - t516;
    let t518 = t5 * t501;
    let t519 = t6 * t500 - t518;
    let t520 = shared_values[3] * t515;
    let t521 = shared_values[3] * t517;
    let t522 = shared_values[3] * t519;
    let t523 = t501 * t522 + t5;
    let t524 = t523 - t502 * t521;
    let t525 = t502 * t520 + t6;
    let t526 = t525 - t500 * t522;
    let t527 = t500 * t521 + t7;
    let t528 = t527 - t501 * t520;
    let t529 = t524 - t499 * t520;
    let t530 = t526 - t499 * t521;
    let t531 = t528 - t499 * t522;
    let t532 = shared_values[15] * t529 + t513;
    let t533 = shared_values[16] * t530 + t511;
    let t534 = shared_values[2] * t531 + t512;
    let t535 = shared_values[10] * t503 + t276;
    let t536 = shared_values[10] * t504 + t277;
    let t537 = shared_values[10] * t505 + t278;
    let t538 = shared_values[10] * t506 + t279;
    let t539 = shared_values[10] * t532 + t267;
    let t540 = shared_values[10] * t533 + t268;
    let t541 = shared_values[10] * t534 + t269;
    let t542 = t535 * t535;
    let t543 = t536 * t536 + t542;
    let t544 = t537 * t537 + t543;
    let t545 = t538 * t538 + t544;
    let t546 = sqrt(t545);
    let t547 = 1.0lf / t546;
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

// What the method carries after it was resynchronised. (834 operations.)
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
    let t21 = s.q0 * s.q0;
    let t22 = s.q1 * s.q1 + t21;
    let t23 = s.q2 * s.q2 + t22;
    let t24 = s.q3 * s.q3 + t23;
    let t25 = sqrt(t24);
    let t26 = 1.0lf / t25;
    let t27 = s.q0 * t26;
    let t28 = s.q1 * t26;
    let t29 = s.q2 * t26;
    let t30 = s.q3 * t26;
    let t31 = shared_values[11] * t11;
    let t32 = shared_values[11] * t14;
    let t33 = shared_values[11] * t17;
    let t34 = shared_values[11] * t20;
    let t35 = s.wy * s.wz;
    let t36 = s.wx * s.wz;
    let t37 = s.wx * s.wy;
    let t38 = shared_values[12] * t35;
    let t39 = shared_values[13] * t36;
    let t40 = shared_values[14] * t37;
    let t41 = t0 * shared_values[15];
    let t42 = t38 + t41;
    let t43 = t2 * t30;
    let t44 = t3 * t29 - t43;
    let t45 = t3 * t28;
    let t46 = t1 * t30 - t45;
    let t47 = t1 * t29;
    let t48 = t2 * t28 - t47;
    let t49 = shared_values[3] * t44;
    let t50 = shared_values[3] * t46;
    let t51 = shared_values[3] * t48;
    let t52 = t29 * t51 + t1;
    let t53 = t52 - t30 * t50;
    let t54 = t30 * t49 + t2;
    let t55 = t54 - t28 * t51;
    let t56 = t28 * t50 + t3;
    let t57 = t56 - t29 * t49;
    let t58 = t53 - t27 * t49;
    let t59 = t55 - t27 * t50;
    let t60 = t57 - t27 * t51;
    let t61 = shared_values[15] * t58 + t42;
    let t62 = shared_values[16] * t59 + t39;
    let t63 = shared_values[2] * t60 + t40;
    let t64 = shared_values[9] * t31 + s.q0;
    let t65 = shared_values[9] * t32 + s.q1;
    let t66 = shared_values[9] * t33 + s.q2;
    let t67 = shared_values[9] * t34 + s.q3;
    let t68 = shared_values[9] * t61 + s.wx;
    let t69 = shared_values[9] * t62 + s.wy;
    let t70 = shared_values[9] * t63 + s.wz;
    let t71 = t65 * t68;
    let t72 = t66 * t69 + t71;
    let t73 = t67 * t70 + t72;
    let t74 = -(t73);
    let t75 = t64 * t68;
    let t76 = t66 * t70 + t75;
    let t77 = t76 - t67 * t69;
    let t78 = t64 * t69;
    let t79 = t67 * t68 + t78;
    let t80 = t79 - t65 * t70;
    let t81 = t64 * t70;
    let t82 = t65 * t69 + t81;
    let t83 = t82 - t66 * t68;
    let t84 = t64 * t64;
    let t85 = t65 * t65 + t84;
    let t86 = t66 * t66 + t85;
    let t87 = t67 * t67 + t86;
    let t88 = sqrt(t87);
    let t89 = 1.0lf / t88;
    let t90 = t64 * t89;
    let t91 = t65 * t89;
    let t92 = t66 * t89;
    let t93 = t67 * t89;
    let t94 = shared_values[11] * t74;
    let t95 = shared_values[11] * t77;
    let t96 = shared_values[11] * t80;
    let t97 = shared_values[11] * t83;
    let t98 = t69 * t70;
    let t99 = t68 * t70;
    let t100 = t68 * t69;
    let t101 = shared_values[12] * t98;
    let t102 = shared_values[13] * t99;
    let t103 = shared_values[14] * t100;
    let t104 = t41 + t101;
    let t105 = t2 * t93;
    let t106 = t3 * t92 - t105;
    let t107 = t3 * t91;
    let t108 = t1 * t93 - t107;
    let t109 = t1 * t92;
    let t110 = t2 * t91 - t109;
    let t111 = shared_values[3] * t106;
    let t112 = shared_values[3] * t108;
    let t113 = shared_values[3] * t110;
    let t114 = t92 * t113 + t1;
    let t115 = t114 - t93 * t112;
    let t116 = t93 * t111 + t2;
    let t117 = t116 - t91 * t113;
    let t118 = t91 * t112 + t3;
    let t119 = t118 - t92 * t111;
    let t120 = t115 - t90 * t111;
    let t121 = t117 - t90 * t112;
    let t122 = t119 - t90 * t113;
    let t123 = shared_values[15] * t120 + t104;
    let t124 = shared_values[16] * t121 + t102;
    let t125 = shared_values[2] * t122 + t103;
    let t126 = shared_values[9] * t94 + s.q0;
    let t127 = shared_values[9] * t95 + s.q1;
    let t128 = shared_values[9] * t96 + s.q2;
    let t129 = shared_values[9] * t97 + s.q3;
    let t130 = shared_values[9] * t123 + s.wx;
    let t131 = shared_values[9] * t124 + s.wy;
    let t132 = shared_values[9] * t125 + s.wz;
    let t133 = t127 * t130;
    let t134 = t128 * t131 + t133;
    let t135 = t129 * t132 + t134;
    let t136 = -(t135);
    let t137 = t126 * t130;
    let t138 = t128 * t132 + t137;
    let t139 = t138 - t129 * t131;
    let t140 = t126 * t131;
    let t141 = t129 * t130 + t140;
    let t142 = t141 - t127 * t132;
    let t143 = t126 * t132;
    let t144 = t127 * t131 + t143;
    let t145 = t144 - t128 * t130;
    let t146 = t126 * t126;
    let t147 = t127 * t127 + t146;
    let t148 = t128 * t128 + t147;
    let t149 = t129 * t129 + t148;
    let t150 = sqrt(t149);
    let t151 = 1.0lf / t150;
    let t152 = t126 * t151;
    let t153 = t127 * t151;
    let t154 = t128 * t151;
    let t155 = t129 * t151;
    let t156 = shared_values[11] * t136;
    let t157 = shared_values[11] * t139;
    let t158 = shared_values[11] * t142;
    let t159 = shared_values[11] * t145;
    let t160 = t131 * t132;
    let t161 = t130 * t132;
    let t162 = t130 * t131;
    let t163 = shared_values[12] * t160;
    let t164 = shared_values[13] * t161;
    let t165 = shared_values[14] * t162;
    let t166 = t41 + t163;
    let t167 = t2 * t155;
    let t168 = t3 * t154 - t167;
    let t169 = t3 * t153;
    let t170 = t1 * t155 - t169;
    let t171 = t1 * t154;
    let t172 = t2 * t153 - t171;
    let t173 = shared_values[3] * t168;
    let t174 = shared_values[3] * t170;
    let t175 = shared_values[3] * t172;
    let t176 = t154 * t175 + t1;
    let t177 = t176 - t155 * t174;
    let t178 = t155 * t173 + t2;
    let t179 = t178 - t153 * t175;
    let t180 = t153 * t174 + t3;
    let t181 = t180 - t154 * t173;
    let t182 = t177 - t152 * t173;
    let t183 = t179 - t152 * t174;
    let t184 = t181 - t152 * t175;
    let t185 = shared_values[15] * t182 + t166;
    let t186 = shared_values[16] * t183 + t164;
    let t187 = shared_values[2] * t184 + t165;
    let t188 = shared_values[3] * t94 + t31;
    let t189 = shared_values[3] * t95 + t32;
    let t190 = shared_values[3] * t96 + t33;
    let t191 = shared_values[3] * t97 + t34;
    let t192 = shared_values[3] * t123 + t61;
    let t193 = shared_values[3] * t124 + t62;
    let t194 = shared_values[3] * t125 + t63;
    let t195 = shared_values[3] * t156 + t188;
    let t196 = shared_values[3] * t157 + t189;
    let t197 = shared_values[3] * t158 + t190;
    let t198 = shared_values[3] * t159 + t191;
    let t199 = shared_values[3] * t185 + t192;
    let t200 = shared_values[3] * t186 + t193;
    let t201 = shared_values[3] * t187 + t194;
    let t202 = s.q0 + t156;
    let t203 = s.q1 + t157;
    let t204 = s.q2 + t158;
    let t205 = s.q3 + t159;
    let t206 = s.wx + t185;
    let t207 = s.wy + t186;
    let t208 = s.wz + t187;
    let t209 = t203 * t206;
    let t210 = t204 * t207 + t209;
    let t211 = t205 * t208 + t210;
    let t212 = t202 * t206;
    let t213 = t204 * t208 + t212;
    let t214 = t213 - t205 * t207;
    let t215 = t202 * t207;
    let t216 = t205 * t206 + t215;
    let t217 = t216 - t203 * t208;
    let t218 = t202 * t208;
    let t219 = t203 * t207 + t218;
    let t220 = t219 - t204 * t206;
    let t221 = t202 * t202;
    let t222 = t203 * t203 + t221;
    let t223 = t204 * t204 + t222;
    let t224 = t205 * t205 + t223;
    let t225 = sqrt(t224);
    let t226 = 1.0lf / t225;
    let t227 = t202 * t226;
    let t228 = t203 * t226;
    let t229 = t204 * t226;
    let t230 = t205 * t226;
    let t231 = t195 - shared_values[11] * t211;
    let t232 = shared_values[11] * t214 + t196;
    let t233 = shared_values[11] * t217 + t197;
    let t234 = shared_values[11] * t220 + t198;
    let t235 = t207 * t208;
    let t236 = t206 * t208;
    let t237 = t206 * t207;
    let t238 = shared_values[12] * t235 + t199;
    let t239 = shared_values[13] * t236 + t200;
    let t240 = shared_values[14] * t237 + t201;
    let t241 = t41 + t238;
    let t242 = t2 * t230;
    let t243 = t3 * t229 - t242;
    let t244 = t3 * t228;
    let t245 = t1 * t230 - t244;
    let t246 = t1 * t229;
    let t247 = t2 * t228 - t246;
    let t248 = shared_values[3] * t243;
    let t249 = shared_values[3] * t245;
    let t250 = shared_values[3] * t247;
    let t251 = t229 * t250 + t1;
    let t252 = t251 - t230 * t249;
    let t253 = t230 * t248 + t2;
    let t254 = t253 - t228 * t250;
    let t255 = t228 * t249 + t3;
    let t256 = t255 - t229 * t248;
    let t257 = t252 - t227 * t248;
    let t258 = t254 - t227 * t249;
    let t259 = t256 - t227 * t250;
    let t260 = shared_values[15] * t257 + t241;
    let t261 = shared_values[16] * t258 + t239;
    let t262 = shared_values[2] * t259 + t240;
    let t263 = shared_values[10] * t231 + s.q0;
    let t264 = shared_values[10] * t232 + s.q1;
    let t265 = shared_values[10] * t233 + s.q2;
    let t266 = shared_values[10] * t234 + s.q3;
    let t267 = shared_values[10] * t260 + s.wx;
    let t268 = shared_values[10] * t261 + s.wy;
    let t269 = shared_values[10] * t262 + s.wz;
    let t270 = t263 * t263;
    let t271 = t264 * t264 + t270;
    let t272 = t265 * t265 + t271;
    let t273 = t266 * t266 + t272;
    let t274 = sqrt(t273);
    let t275 = 1.0lf / t274;
    let t276 = t263 * t275;
    let t277 = t264 * t275;
    let t278 = t265 * t275;
    let t279 = t266 * t275;
    let t280 = t267 * t277;
    let t281 = t268 * t278 + t280;
    let t282 = t269 * t279 + t281;
    let t283 = -(t282);
    let t284 = t267 * t276;
    let t285 = t269 * t278 + t284;
    let t286 = t285 - t268 * t279;
    let t287 = t268 * t276;
    let t288 = t267 * t279 + t287;
    let t289 = t288 - t269 * t277;
    let t290 = t269 * t276;
    let t291 = t268 * t277 + t290;
    let t292 = t291 - t267 * t278;
    let t293 = t276 * t276;
    let t294 = t277 * t277 + t293;
    let t295 = t278 * t278 + t294;
    let t296 = t279 * t279 + t295;
    let t297 = sqrt(t296);
    let t298 = 1.0lf / t297;
    let t299 = t276 * t298;
    let t300 = t277 * t298;
    let t301 = t278 * t298;
    let t302 = t279 * t298;
    let t303 = shared_values[11] * t283;
    let t304 = shared_values[11] * t286;
    let t305 = shared_values[11] * t289;
    let t306 = shared_values[11] * t292;
    let t307 = t268 * t269;
    let t308 = t267 * t269;
    let t309 = t267 * t268;
    let t310 = shared_values[12] * t307;
    let t311 = shared_values[13] * t308;
    let t312 = shared_values[14] * t309;
    let t313 = t4 * shared_values[15];
    let t314 = t310 + t313;
    let t315 = t6 * t302;
    let t316 = t7 * t301 - t315;
    let t317 = t7 * t300;
    let t318 = t5 * t302 - t317;
    let t319 = t5 * t301;
    let t320 = t6 * t300 - t319;
    let t321 = shared_values[3] * t316;
    let t322 = shared_values[3] * t318;
    let t323 = shared_values[3] * t320;
    let t324 = t301 * t323 + t5;
    let t325 = t324 - t302 * t322;
    let t326 = t302 * t321 + t6;
    let t327 = t326 - t300 * t323;
    let t328 = t300 * t322 + t7;
    let t329 = t328 - t301 * t321;
    let t330 = t325 - t299 * t321;
    let t331 = t327 - t299 * t322;
    let t332 = t329 - t299 * t323;
    let t333 = shared_values[15] * t330 + t314;
    let t334 = shared_values[16] * t331 + t311;
    let t335 = shared_values[2] * t332 + t312;
    let t336 = shared_values[9] * t303 + t276;
    let t337 = shared_values[9] * t304 + t277;
    let t338 = shared_values[9] * t305 + t278;
    let t339 = shared_values[9] * t306 + t279;
    let t340 = shared_values[9] * t333 + t267;
    let t341 = shared_values[9] * t334 + t268;
    let t342 = shared_values[9] * t335 + t269;
    let t343 = t337 * t340;
    let t344 = t338 * t341 + t343;
    let t345 = t339 * t342 + t344;
    let t346 = -(t345);
    let t347 = t336 * t340;
    let t348 = t338 * t342 + t347;
    let t349 = t348 - t339 * t341;
    let t350 = t336 * t341;
    let t351 = t339 * t340 + t350;
    let t352 = t351 - t337 * t342;
    let t353 = t336 * t342;
    let t354 = t337 * t341 + t353;
    let t355 = t354 - t338 * t340;
    let t356 = t336 * t336;
    let t357 = t337 * t337 + t356;
    let t358 = t338 * t338 + t357;
    let t359 = t339 * t339 + t358;
    let t360 = sqrt(t359);
    let t361 = 1.0lf / t360;
    let t362 = t336 * t361;
    let t363 = t337 * t361;
    let t364 = t338 * t361;
    let t365 = t339 * t361;
    let t366 = shared_values[11] * t346;
    let t367 = shared_values[11] * t349;
    let t368 = shared_values[11] * t352;
    let t369 = shared_values[11] * t355;
    let t370 = t341 * t342;
    let t371 = t340 * t342;
    let t372 = t340 * t341;
    let t373 = shared_values[12] * t370;
    let t374 = shared_values[13] * t371;
    let t375 = shared_values[14] * t372;
    let t376 = t313 + t373;
    let t377 = t6 * t365;
    let t378 = t7 * t364 - t377;
    let t379 = t7 * t363;
    let t380 = t5 * t365 - t379;
    let t381 = t5 * t364;
    let t382 = t6 * t363 - t381;
    let t383 = shared_values[3] * t378;
    let t384 = shared_values[3] * t380;
    let t385 = shared_values[3] * t382;
    let t386 = t364 * t385 + t5;
    let t387 = t386 - t365 * t384;
    let t388 = t365 * t383 + t6;
    let t389 = t388 - t363 * t385;
    let t390 = t363 * t384 + t7;
    let t391 = t390 - t364 * t383;
    let t392 = t387 - t362 * t383;
    let t393 = t389 - t362 * t384;
    let t394 = t391 - t362 * t385;
    let t395 = shared_values[15] * t392 + t376;
    let t396 = shared_values[16] * t393 + t374;
    let t397 = shared_values[2] * t394 + t375;
    let t398 = shared_values[9] * t366 + t276;
    let t399 = shared_values[9] * t367 + t277;
    let t400 = shared_values[9] * t368 + t278;
    let t401 = shared_values[9] * t369 + t279;
    let t402 = shared_values[9] * t395 + t267;
    let t403 = shared_values[9] * t396 + t268;
    let t404 = shared_values[9] * t397 + t269;
    let t405 = t399 * t402;
    let t406 = t400 * t403 + t405;
    let t407 = t401 * t404 + t406;
    let t408 = -(t407);
    let t409 = t398 * t402;
    let t410 = t400 * t404 + t409;
    let t411 = t410 - t401 * t403;
    let t412 = t398 * t403;
    let t413 = t401 * t402 + t412;
    let t414 = t413 - t399 * t404;
    let t415 = t398 * t404;
    let t416 = t399 * t403 + t415;
    let t417 = t416 - t400 * t402;
    let t418 = t398 * t398;
    let t419 = t399 * t399 + t418;
    let t420 = t400 * t400 + t419;
    let t421 = t401 * t401 + t420;
    let t422 = sqrt(t421);
    let t423 = 1.0lf / t422;
    let t424 = t398 * t423;
    let t425 = t399 * t423;
    let t426 = t400 * t423;
    let t427 = t401 * t423;
    let t428 = shared_values[11] * t408;
    let t429 = shared_values[11] * t411;
    let t430 = shared_values[11] * t414;
    let t431 = shared_values[11] * t417;
    let t432 = t403 * t404;
    let t433 = t402 * t404;
    let t434 = t402 * t403;
    let t435 = shared_values[12] * t432;
    let t436 = shared_values[13] * t433;
    let t437 = shared_values[14] * t434;
    let t438 = t313 + t435;
    let t439 = t6 * t427;
    let t440 = t7 * t426 - t439;
    let t441 = t7 * t425;
    let t442 = t5 * t427 - t441;
    let t443 = t5 * t426;
    let t444 = t6 * t425 - t443;
    let t445 = shared_values[3] * t440;
    let t446 = shared_values[3] * t442;
    let t447 = shared_values[3] * t444;
    let t448 = t426 * t447 + t5;
    let t449 = t448 - t427 * t446;
    let t450 = t427 * t445 + t6;
    let t451 = t450 - t425 * t447;
    let t452 = t425 * t446 + t7;
    let t453 = t452 - t426 * t445;
    let t454 = t449 - t424 * t445;
    let t455 = t451 - t424 * t446;
    let t456 = t453 - t424 * t447;
    let t457 = shared_values[15] * t454 + t438;
    let t458 = shared_values[16] * t455 + t436;
    let t459 = shared_values[2] * t456 + t437;
    let t460 = shared_values[3] * t366 + t303;
    let t461 = shared_values[3] * t367 + t304;
    let t462 = shared_values[3] * t368 + t305;
    let t463 = shared_values[3] * t369 + t306;
    let t464 = shared_values[3] * t395 + t333;
    let t465 = shared_values[3] * t396 + t334;
    let t466 = shared_values[3] * t397 + t335;
    let t467 = shared_values[3] * t428 + t460;
    let t468 = shared_values[3] * t429 + t461;
    let t469 = shared_values[3] * t430 + t462;
    let t470 = shared_values[3] * t431 + t463;
    let t471 = shared_values[3] * t457 + t464;
    let t472 = shared_values[3] * t458 + t465;
    let t473 = shared_values[3] * t459 + t466;
    let t474 = t276 + t428;
    let t475 = t277 + t429;
    let t476 = t278 + t430;
    let t477 = t279 + t431;
    let t478 = t267 + t457;
    let t479 = t268 + t458;
    let t480 = t269 + t459;
    let t481 = t475 * t478;
    let t482 = t476 * t479 + t481;
    let t483 = t477 * t480 + t482;
    let t484 = t474 * t478;
    let t485 = t476 * t480 + t484;
    let t486 = t485 - t477 * t479;
    let t487 = t474 * t479;
    let t488 = t477 * t478 + t487;
    let t489 = t488 - t475 * t480;
    let t490 = t474 * t480;
    let t491 = t475 * t479 + t490;
    let t492 = t491 - t476 * t478;
    let t493 = t474 * t474;
    let t494 = t475 * t475 + t493;
    let t495 = t476 * t476 + t494;
    let t496 = t477 * t477 + t495;
    let t497 = sqrt(t496);
    let t498 = 1.0lf / t497;
    let t499 = t474 * t498;
    let t500 = t475 * t498;
    let t501 = t476 * t498;
    let t502 = t477 * t498;
    let t503 = t467 - shared_values[11] * t483;
    let t504 = shared_values[11] * t486 + t468;
    let t505 = shared_values[11] * t489 + t469;
    let t506 = shared_values[11] * t492 + t470;
    let t507 = t479 * t480;
    let t508 = t478 * t480;
    let t509 = t478 * t479;
    let t510 = shared_values[12] * t507 + t471;
    let t511 = shared_values[13] * t508 + t472;
    let t512 = shared_values[14] * t509 + t473;
    let t513 = t313 + t510;
    let t514 = t6 * t502;
    let t515 = t7 * t501 - t514;
    let t516 = t7 * t500;
    let t517 = t5 * t502 - t516;
    let t518 = t5 * t501;
    let t519 = t6 * t500 - t518;
    let t520 = shared_values[3] * t515;
    let t521 = shared_values[3] * t517;
    let t522 = shared_values[3] * t519;
    let t523 = t501 * t522 + t5;
    let t524 = t523 - t502 * t521;
    let t525 = t502 * t520 + t6;
    let t526 = t525 - t500 * t522;
    let t527 = t500 * t521 + t7;
    let t528 = t527 - t501 * t520;
    let t529 = t524 - t499 * t520;
    let t530 = t526 - t499 * t521;
    let t531 = t528 - t499 * t522;
    let t532 = shared_values[15] * t529 + t513;
    let t533 = shared_values[16] * t530 + t511;
    let t534 = shared_values[2] * t531 + t512;
    let t535 = shared_values[10] * t503 + t276;
    let t536 = shared_values[10] * t504 + t277;
    let t537 = shared_values[10] * t505 + t278;
    let t538 = shared_values[10] * t506 + t279;
    let t539 = shared_values[10] * t532 + t267;
    let t540 = shared_values[10] * t533 + t268;
    let t541 = shared_values[10] * t534 + t269;
    let t542 = t535 * t535;
    let t543 = t536 * t536 + t542;
    let t544 = t537 * t537 + t543;
    let t545 = t538 * t538 + t544;
    let t546 = sqrt(t545);
    let t547 = 1.0lf / t546;
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
