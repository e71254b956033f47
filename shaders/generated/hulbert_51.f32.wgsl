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
}

fn prepare(instance: u32) -> Prepared {
    let t0 = shared_values[3] * shared_values[18];
    let t1 = parameters[0u * run.stride + instance] * shared_values[19];
    let t2 = shared_values[3] * shared_values[20];
    let t3 = parameters[0u * run.stride + instance] * shared_values[21];
    let t4 = t0 * shared_values[9];
    let t5 = t2 * shared_values[9];
    var p: Prepared;
    p.c0 = shared_values[0];
    p.c1 = shared_values[2];
    p.c2 = shared_values[5];
    p.c3 = shared_values[6];
    p.c4 = shared_values[7];
    p.c5 = shared_values[8];
    p.c6 = shared_values[9];
    p.c7 = shared_values[10];
    p.c8 = shared_values[11];
    p.c9 = t4;
    p.c10 = t1;
    p.c11 = t5;
    p.c12 = t3;
    return p;
}

// One full step: 170 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.half_wy * s.half_wz;
    let t1 = s.half_wx * s.half_wz;
    let t2 = s.half_wx * s.half_wy;
    let t3 = p.c3 * t0 + s.wx;
    let t4 = p.c4 * t1 + s.wy;
    let t5 = p.c5 * t2 + s.wz;
    let t6 = t3 + p.c9;
    let t7 = s.half_q3 * p.c10;
    let t8 = -(t7);
    let t9 = s.half_q1 * p.c10;
    let t10 = p.c8 * t8;
    let t11 = p.c8 * t9;
    let t12 = s.half_q2 * t11;
    let t13 = s.half_q3 * t10 + p.c10;
    let t14 = t13 - s.half_q1 * t11;
    let t15 = s.half_q2 * t10;
    let t16 = -(t15);
    let t17 = t12 - s.half_q0 * t10;
    let t18 = t16 - s.half_q0 * t11;
    let t19 = p.c6 * t17 + t6;
    let t20 = p.c7 * t14 + t4;
    let t21 = p.c0 * t18 + t5;
    let t22 = s.half_wx * p.c2;
    let t23 = s.half_wy * p.c2;
    let t24 = s.half_wz * p.c2;
    let t25 = t22 * t22 + p.c1;
    let t26 = t23 * t23 + t25;
    let t27 = t24 * t24 + t26;
    let t28 = p.c8 / t27;
    let t29 = s.q0 - s.q1 * t22;
    let t30 = t29 - s.q2 * t23;
    let t31 = t30 - s.q3 * t24;
    let t32 = s.q0 * t22 + s.q1;
    let t33 = s.q2 * t24 + t32;
    let t34 = t33 - s.q3 * t23;
    let t35 = s.q0 * t23 + s.q2;
    let t36 = s.q3 * t22 + t35;
    let t37 = t36 - s.q1 * t24;
    let t38 = s.q0 * t24 + s.q3;
    let t39 = s.q1 * t23 + t38;
    let t40 = t39 - s.q2 * t22;
    let t41 = t28 * t31 - s.q0;
    let t42 = t28 * t34 - s.q1;
    let t43 = t28 * t37 - s.q2;
    let t44 = t28 * t40 - s.q3;
    let t45 = t41 * t41;
    let t46 = t42 * t42 + t45;
    let t47 = t43 * t43 + t46;
    let t48 = t44 * t44 + t47;
    let t49 = sqrt(t48);
    let t50 = p.c1 / t49;
    let t51 = t41 * t50;
    let t52 = t42 * t50;
    let t53 = t43 * t50;
    let t54 = t44 * t50;
    let t55 = t20 * t21;
    let t56 = t19 * t21;
    let t57 = t19 * t20;
    let t58 = p.c3 * t55 + s.half_wx;
    let t59 = p.c4 * t56 + s.half_wy;
    let t60 = p.c5 * t57 + s.half_wz;
    let t61 = t58 + p.c11;
    let t62 = p.c12 * t54;
    let t63 = -(t62);
    let t64 = p.c12 * t52;
    let t65 = p.c8 * t63;
    let t66 = p.c8 * t64;
    let t67 = t53 * t66;
    let t68 = t54 * t65 + p.c12;
    let t69 = t68 - t52 * t66;
    let t70 = t53 * t65;
    let t71 = -(t70);
    let t72 = t67 - t51 * t65;
    let t73 = t71 - t51 * t66;
    let t74 = p.c6 * t72 + t61;
    let t75 = p.c7 * t69 + t59;
    let t76 = p.c0 * t73 + t60;
    let t77 = p.c2 * t19;
    let t78 = p.c2 * t20;
    let t79 = p.c2 * t21;
    let t80 = t77 * t77 + p.c1;
    let t81 = t78 * t78 + t80;
    let t82 = t79 * t79 + t81;
    let t83 = p.c8 / t82;
    let t84 = s.half_q0 - s.half_q1 * t77;
    let t85 = t84 - s.half_q2 * t78;
    let t86 = t85 - s.half_q3 * t79;
    let t87 = s.half_q0 * t77 + s.half_q1;
    let t88 = s.half_q2 * t79 + t87;
    let t89 = t88 - s.half_q3 * t78;
    let t90 = s.half_q0 * t78 + s.half_q2;
    let t91 = s.half_q3 * t77 + t90;
    let t92 = t91 - s.half_q1 * t79;
    let t93 = s.half_q0 * t79 + s.half_q3;
    let t94 = s.half_q1 * t78 + t93;
    let t95 = t94 - s.half_q2 * t77;
    let t96 = t83 * t86 - s.half_q0;
    let t97 = t83 * t89 - s.half_q1;
    let t98 = t83 * t92 - s.half_q2;
    let t99 = t83 * t95 - s.half_q3;
    let t100 = t96 * t96;
    let t101 = t97 * t97 + t100;
    let t102 = t98 * t98 + t101;
    let t103 = t99 * t99 + t102;
    let t104 = sqrt(t103);
    let t105 = p.c1 / t104;
    let t106 = t96 * t105;
    let t107 = t97 * t105;
    let t108 = t98 * t105;
    let t109 = t99 * t105;
    var next: State;
    next.q0 = t51;
    next.q1 = t52;
    next.q2 = t53;
    next.q3 = t54;
    next.wx = t19;
    next.wy = t20;
    next.wz = t21;
    next.half_q0 = t106;
    next.half_q1 = t107;
    next.half_q2 = t108;
    next.half_q3 = t109;
    next.half_wx = t74;
    next.half_wy = t75;
    next.half_wz = t76;
    return next;
}

// What the method carries, at the start. (706 operations.)
fn begin(instance: u32, s: State) -> State {
    let t0 = shared_values[3] * shared_values[22];
    let t1 = parameters[0u * run.stride + instance] * shared_values[23];
    let t2 = shared_values[3] * shared_values[28];
    let t3 = parameters[0u * run.stride + instance] * shared_values[29];
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
    let t17 = shared_values[13] * t14;
    let t18 = shared_values[14] * t15;
    let t19 = shared_values[15] * t16;
    let t20 = t0 * shared_values[16];
    let t21 = t17 + t20;
    let t22 = t1 * t13;
    let t23 = -(t22);
    let t24 = t1 * t11;
    let t25 = shared_values[11] * t23;
    let t26 = shared_values[11] * t24;
    let t27 = t12 * t26;
    let t28 = t13 * t25 + t1;
    let t29 = t28 - t11 * t26;
    let t30 = t12 * t25;
    let t31 = -(t30);
    let t32 = t27 - t10 * t25;
    let t33 = t31 - t10 * t26;
    let t34 = shared_values[16] * t32 + t21;
    let t35 = shared_values[17] * t29 + t18;
    let t36 = shared_values[5] * t33 + t19;
    let t37 = s.q1 * s.wx;
    let t38 = s.q2 * s.wy + t37;
    let t39 = s.q3 * s.wz + t38;
    let t40 = -(t39);
    let t41 = s.q0 * s.wx;
    let t42 = s.q2 * s.wz + t41;
    let t43 = t42 - s.q3 * s.wy;
    let t44 = s.q0 * s.wy;
    let t45 = s.q3 * s.wx + t44;
    let t46 = t45 - s.q1 * s.wz;
    let t47 = s.q0 * s.wz;
    let t48 = s.q1 * s.wy + t47;
    let t49 = t48 - s.q2 * s.wx;
    let t50 = shared_values[4] * t40;
    let t51 = shared_values[4] * t43;
    let t52 = shared_values[4] * t46;
    let t53 = shared_values[4] * t49;
    let t54 = shared_values[1] * t50 + s.q0;
    let t55 = shared_values[1] * t51 + s.q1;
    let t56 = shared_values[1] * t52 + s.q2;
    let t57 = shared_values[1] * t53 + s.q3;
    let t58 = shared_values[1] * t34 + s.wx;
    let t59 = shared_values[1] * t35 + s.wy;
    let t60 = shared_values[1] * t36 + s.wz;
    let t61 = t54 * t54;
    let t62 = t55 * t55 + t61;
    let t63 = t56 * t56 + t62;
    let t64 = t57 * t57 + t63;
    let t65 = sqrt(t64);
    let t66 = shared_values[2] / t65;
    let t67 = t54 * t66;
    let t68 = t55 * t66;
    let t69 = t56 * t66;
    let t70 = t57 * t66;
    let t71 = t59 * t60;
    let t72 = t58 * t60;
    let t73 = t58 * t59;
    let t74 = shared_values[13] * t71;
    let t75 = shared_values[14] * t72;
    let t76 = shared_values[15] * t73;
    let t77 = t20 + t74;
    let t78 = t1 * t70;
    let t79 = -(t78);
    let t80 = t1 * t68;
    let t81 = shared_values[11] * t79;
    let t82 = shared_values[11] * t80;
    let t83 = t69 * t82;
    let t84 = t70 * t81 + t1;
    let t85 = t84 - t68 * t82;
    let t86 = t69 * t81;
    let t87 = -(t86);
    let t88 = t83 - t67 * t81;
    let t89 = t87 - t67 * t82;
    let t90 = shared_values[16] * t88 + t77;
    let t91 = shared_values[17] * t85 + t75;
    let t92 = shared_values[5] * t89 + t76;
    let t93 = t55 * t58;
    let t94 = t56 * t59 + t93;
    let t95 = t57 * t60 + t94;
    let t96 = -(t95);
    let t97 = t54 * t58;
    let t98 = t56 * t60 + t97;
    let t99 = t98 - t57 * t59;
    let t100 = t54 * t59;
    let t101 = t57 * t58 + t100;
    let t102 = t101 - t55 * t60;
    let t103 = t54 * t60;
    let t104 = t55 * t59 + t103;
    let t105 = t104 - t56 * t58;
    let t106 = shared_values[4] * t96;
    let t107 = shared_values[4] * t99;
    let t108 = shared_values[4] * t102;
    let t109 = shared_values[4] * t105;
    let t110 = shared_values[1] * t106 + s.q0;
    let t111 = shared_values[1] * t107 + s.q1;
    let t112 = shared_values[1] * t108 + s.q2;
    let t113 = shared_values[1] * t109 + s.q3;
    let t114 = shared_values[1] * t90 + s.wx;
    let t115 = shared_values[1] * t91 + s.wy;
    let t116 = shared_values[1] * t92 + s.wz;
    let t117 = t110 * t110;
    let t118 = t111 * t111 + t117;
    let t119 = t112 * t112 + t118;
    let t120 = t113 * t113 + t119;
    let t121 = sqrt(t120);
    let t122 = shared_values[2] / t121;
    let t123 = t110 * t122;
    let t124 = t111 * t122;
    let t125 = t112 * t122;
    let t126 = t113 * t122;
    let t127 = t115 * t116;
    let t128 = t114 * t116;
    let t129 = t114 * t115;
    let t130 = shared_values[13] * t127;
    let t131 = shared_values[14] * t128;
    let t132 = shared_values[15] * t129;
    let t133 = t20 + t130;
    let t134 = t1 * t126;
    let t135 = -(t134);
    let t136 = t1 * t124;
    let t137 = shared_values[11] * t135;
    let t138 = shared_values[11] * t136;
    let t139 = t125 * t138;
    let t140 = t126 * t137 + t1;
    let t141 = t140 - t124 * t138;
    let t142 = t125 * t137;
    let t143 = -(t142);
    let t144 = t139 - t123 * t137;
    let t145 = t143 - t123 * t138;
    let t146 = shared_values[16] * t144 + t133;
    let t147 = shared_values[17] * t141 + t131;
    let t148 = shared_values[5] * t145 + t132;
    let t149 = t111 * t114;
    let t150 = t112 * t115 + t149;
    let t151 = t113 * t116 + t150;
    let t152 = -(t151);
    let t153 = t110 * t114;
    let t154 = t112 * t116 + t153;
    let t155 = t154 - t113 * t115;
    let t156 = t110 * t115;
    let t157 = t113 * t114 + t156;
    let t158 = t157 - t111 * t116;
    let t159 = t110 * t116;
    let t160 = t111 * t115 + t159;
    let t161 = t160 - t112 * t114;
    let t162 = shared_values[4] * t152;
    let t163 = shared_values[4] * t155;
    let t164 = shared_values[4] * t158;
    let t165 = shared_values[4] * t161;
    let t166 = shared_values[11] * t106 + t50;
    let t167 = shared_values[11] * t107 + t51;
    let t168 = shared_values[11] * t108 + t52;
    let t169 = shared_values[11] * t109 + t53;
    let t170 = shared_values[11] * t90 + t34;
    let t171 = shared_values[11] * t91 + t35;
    let t172 = shared_values[11] * t92 + t36;
    let t173 = shared_values[11] * t162 + t166;
    let t174 = shared_values[11] * t163 + t167;
    let t175 = shared_values[11] * t164 + t168;
    let t176 = shared_values[11] * t165 + t169;
    let t177 = shared_values[11] * t146 + t170;
    let t178 = shared_values[11] * t147 + t171;
    let t179 = shared_values[11] * t148 + t172;
    let t180 = s.q0 + t162;
    let t181 = s.q1 + t163;
    let t182 = s.q2 + t164;
    let t183 = s.q3 + t165;
    let t184 = s.wx + t146;
    let t185 = s.wy + t147;
    let t186 = s.wz + t148;
    let t187 = t180 * t180;
    let t188 = t181 * t181 + t187;
    let t189 = t182 * t182 + t188;
    let t190 = t183 * t183 + t189;
    let t191 = sqrt(t190);
    let t192 = shared_values[2] / t191;
    let t193 = t180 * t192;
    let t194 = t181 * t192;
    let t195 = t182 * t192;
    let t196 = t183 * t192;
    let t197 = t185 * t186;
    let t198 = t184 * t186;
    let t199 = t184 * t185;
    let t200 = shared_values[13] * t197 + t177;
    let t201 = shared_values[14] * t198 + t178;
    let t202 = shared_values[15] * t199 + t179;
    let t203 = t20 + t200;
    let t204 = t1 * t196;
    let t205 = -(t204);
    let t206 = t1 * t194;
    let t207 = shared_values[11] * t205;
    let t208 = shared_values[11] * t206;
    let t209 = t195 * t208;
    let t210 = t196 * t207 + t1;
    let t211 = t210 - t194 * t208;
    let t212 = t195 * t207;
    let t213 = -(t212);
    let t214 = t209 - t193 * t207;
    let t215 = t213 - t193 * t208;
    let t216 = shared_values[16] * t214 + t203;
    let t217 = shared_values[17] * t211 + t201;
    let t218 = shared_values[5] * t215 + t202;
    let t219 = t181 * t184;
    let t220 = t182 * t185 + t219;
    let t221 = t183 * t186 + t220;
    let t222 = t180 * t184;
    let t223 = t182 * t186 + t222;
    let t224 = t223 - t183 * t185;
    let t225 = t180 * t185;
    let t226 = t183 * t184 + t225;
    let t227 = t226 - t181 * t186;
    let t228 = t180 * t186;
    let t229 = t181 * t185 + t228;
    let t230 = t229 - t182 * t184;
    let t231 = t173 - shared_values[4] * t221;
    let t232 = shared_values[4] * t224 + t174;
    let t233 = shared_values[4] * t227 + t175;
    let t234 = shared_values[4] * t230 + t176;
    let t235 = shared_values[12] * t231 + s.q0;
    let t236 = shared_values[12] * t232 + s.q1;
    let t237 = shared_values[12] * t233 + s.q2;
    let t238 = shared_values[12] * t234 + s.q3;
    let t239 = shared_values[12] * t216 + s.wx;
    let t240 = shared_values[12] * t217 + s.wy;
    let t241 = shared_values[12] * t218 + s.wz;
    let t242 = t235 * t235;
    let t243 = t236 * t236 + t242;
    let t244 = t237 * t237 + t243;
    let t245 = t238 * t238 + t244;
    let t246 = sqrt(t245);
    let t247 = shared_values[2] / t246;
    let t248 = t235 * t247;
    let t249 = t236 * t247;
    let t250 = t237 * t247;
    let t251 = t238 * t247;
    let t252 = t248 * t248;
    let t253 = t249 * t249 + t252;
    let t254 = t250 * t250 + t253;
    let t255 = t251 * t251 + t254;
    let t256 = sqrt(t255);
    let t257 = shared_values[2] / t256;
    let t258 = t248 * t257;
    let t259 = t249 * t257;
    let t260 = t250 * t257;
    let t261 = t251 * t257;
    let t262 = t240 * t241;
    let t263 = t239 * t241;
    let t264 = t239 * t240;
    let t265 = shared_values[13] * t262;
    let t266 = shared_values[14] * t263;
    let t267 = shared_values[15] * t264;
    let t268 = t2 * shared_values[16];
    let t269 = t265 + t268;
    let t270 = t3 * t261;
    let t271 = -(t270);
    let t272 = t3 * t259;
    let t273 = shared_values[11] * t271;
    let t274 = shared_values[11] * t272;
    let t275 = t260 * t274;
    let t276 = t261 * t273 + t3;
    let t277 = t276 - t259 * t274;
    let t278 = t260 * t273;
    let t279 = -(t278);
    let t280 = t275 - t258 * t273;
    let t281 = t279 - t258 * t274;
    let t282 = shared_values[16] * t280 + t269;
    let t283 = shared_values[17] * t277 + t266;
    let t284 = shared_values[5] * t281 + t267;
    let t285 = t239 * t249;
    let t286 = t240 * t250 + t285;
    let t287 = t241 * t251 + t286;
    let t288 = -(t287);
    let t289 = t239 * t248;
    let t290 = t241 * t250 + t289;
    let t291 = t290 - t240 * t251;
    let t292 = t240 * t248;
    let t293 = t239 * t251 + t292;
    let t294 = t293 - t241 * t249;
    let t295 = t241 * t248;
    let t296 = t240 * t249 + t295;
    let t297 = t296 - t239 * t250;
    let t298 = shared_values[4] * t288;
    let t299 = shared_values[4] * t291;
    let t300 = shared_values[4] * t294;
    let t301 = shared_values[4] * t297;
    let t302 = shared_values[1] * t298 + t248;
    let t303 = shared_values[1] * t299 + t249;
    let t304 = shared_values[1] * t300 + t250;
    let t305 = shared_values[1] * t301 + t251;
    let t306 = shared_values[1] * t282 + t239;
    let t307 = shared_values[1] * t283 + t240;
    let t308 = shared_values[1] * t284 + t241;
    let t309 = t302 * t302;
    let t310 = t303 * t303 + t309;
    let t311 = t304 * t304 + t310;
    let t312 = t305 * t305 + t311;
    let t313 = sqrt(t312);
    let t314 = shared_values[2] / t313;
    let t315 = t302 * t314;
    let t316 = t303 * t314;
    let t317 = t304 * t314;
    let t318 = t305 * t314;
    let t319 = t307 * t308;
    let t320 = t306 * t308;
    let t321 = t306 * t307;
    let t322 = shared_values[13] * t319;
    let t323 = shared_values[14] * t320;
    let t324 = shared_values[15] * t321;
    let t325 = t268 + t322;
    let t326 = t3 * t318;
    let t327 = -(t326);
    let t328 = t3 * t316;
    let t329 = shared_values[11] * t327;
    let t330 = shared_values[11] * t328;
    let t331 = t317 * t330;
    let t332 = t318 * t329 + t3;
    let t333 = t332 - t316 * t330;
    let t334 = t317 * t329;
    let t335 = -(t334);
    let t336 = t331 - t315 * t329;
    let t337 = t335 - t315 * t330;
    let t338 = shared_values[16] * t336 + t325;
    let t339 = shared_values[17] * t333 + t323;
    let t340 = shared_values[5] * t337 + t324;
    let t341 = t303 * t306;
    let t342 = t304 * t307 + t341;
    let t343 = t305 * t308 + t342;
    let t344 = -(t343);
    let t345 = t302 * t306;
    let t346 = t304 * t308 + t345;
    let t347 = t346 - t305 * t307;
    let t348 = t302 * t307;
    let t349 = t305 * t306 + t348;
    let t350 = t349 - t303 * t308;
    let t351 = t302 * t308;
    let t352 = t303 * t307 + t351;
    let t353 = t352 - t304 * t306;
    let t354 = shared_values[4] * t344;
    let t355 = shared_values[4] * t347;
    let t356 = shared_values[4] * t350;
    let t357 = shared_values[4] * t353;
    let t358 = shared_values[1] * t354 + t248;
    let t359 = shared_values[1] * t355 + t249;
    let t360 = shared_values[1] * t356 + t250;
    let t361 = shared_values[1] * t357 + t251;
    let t362 = shared_values[1] * t338 + t239;
    let t363 = shared_values[1] * t339 + t240;
    let t364 = shared_values[1] * t340 + t241;
    let t365 = t358 * t358;
    let t366 = t359 * t359 + t365;
    let t367 = t360 * t360 + t366;
    let t368 = t361 * t361 + t367;
    let t369 = sqrt(t368);
    let t370 = shared_values[2] / t369;
    let t371 = t358 * t370;
    let t372 = t359 * t370;
    let t373 = t360 * t370;
    let t374 = t361 * t370;
    let t375 = t363 * t364;
    let t376 = t362 * t364;
    let t377 = t362 * t363;
    let t378 = shared_values[13] * t375;
    let t379 = shared_values[14] * t376;
    let t380 = shared_values[15] * t377;
    let t381 = t268 + t378;
    let t382 = t3 * t374;
    let t383 = -(t382);
    let t384 = t3 * t372;
    let t385 = shared_values[11] * t383;
    let t386 = shared_values[11] * t384;
    let t387 = t373 * t386;
    let t388 = t374 * t385 + t3;
    let t389 = t388 - t372 * t386;
    let t390 = t373 * t385;
    let t391 = -(t390);
    let t392 = t387 - t371 * t385;
    let t393 = t391 - t371 * t386;
    let t394 = shared_values[16] * t392 + t381;
    let t395 = shared_values[17] * t389 + t379;
    let t396 = shared_values[5] * t393 + t380;
    let t397 = t359 * t362;
    let t398 = t360 * t363 + t397;
    let t399 = t361 * t364 + t398;
    let t400 = -(t399);
    let t401 = t358 * t362;
    let t402 = t360 * t364 + t401;
    let t403 = t402 - t361 * t363;
    let t404 = t358 * t363;
    let t405 = t361 * t362 + t404;
    let t406 = t405 - t359 * t364;
    let t407 = t358 * t364;
    let t408 = t359 * t363 + t407;
    let t409 = t408 - t360 * t362;
    let t410 = shared_values[4] * t400;
    let t411 = shared_values[4] * t403;
    let t412 = shared_values[4] * t406;
    let t413 = shared_values[4] * t409;
    let t414 = shared_values[11] * t354 + t298;
    let t415 = shared_values[11] * t355 + t299;
    let t416 = shared_values[11] * t356 + t300;
    let t417 = shared_values[11] * t357 + t301;
    let t418 = shared_values[11] * t338 + t282;
    let t419 = shared_values[11] * t339 + t283;
    let t420 = shared_values[11] * t340 + t284;
    let t421 = shared_values[11] * t410 + t414;
    let t422 = shared_values[11] * t411 + t415;
    let t423 = shared_values[11] * t412 + t416;
    let t424 = shared_values[11] * t413 + t417;
    let t425 = shared_values[11] * t394 + t418;
    let t426 = shared_values[11] * t395 + t419;
    let t427 = shared_values[11] * t396 + t420;
    let t428 = t248 + t410;
    let t429 = t249 + t411;
    let t430 = t250 + t412;
    let t431 = t251 + t413;
    let t432 = t239 + t394;
    let t433 = t240 + t395;
    let t434 = t241 + t396;
    let t435 = t428 * t428;
    let t436 = t429 * t429 + t435;
    let t437 = t430 * t430 + t436;
    let t438 = t431 * t431 + t437;
    let t439 = sqrt(t438);
    let t440 = shared_values[2] / t439;
    let t441 = t428 * t440;
    let t442 = t429 * t440;
    let t443 = t430 * t440;
    let t444 = t431 * t440;
    let t445 = t433 * t434;
    let t446 = t432 * t434;
    let t447 = t432 * t433;
    let t448 = shared_values[13] * t445 + t425;
    let t449 = shared_values[14] * t446 + t426;
    let t450 = shared_values[15] * t447 + t427;
    let t451 = t268 + t448;
    let t452 = t3 * t444;
    let t453 = -(t452);
    let t454 = t3 * t442;
    let t455 = shared_values[11] * t453;
    let t456 = shared_values[11] * t454;
    let t457 = t443 * t456;
    let t458 = t444 * t455 + t3;
    let t459 = t458 - t442 * t456;
    let t460 = t443 * t455;
    let t461 = -(t460);
    let t462 = t457 - t441 * t455;
    let t463 = t461 - t441 * t456;
    let t464 = shared_values[16] * t462 + t451;
    let t465 = shared_values[17] * t459 + t449;
    let t466 = shared_values[5] * t463 + t450;
    let t467 = t429 * t432;
    let t468 = t430 * t433 + t467;
    let t469 = t431 * t434 + t468;
    let t470 = t428 * t432;
    let t471 = t430 * t434 + t470;
    let t472 = t471 - t431 * t433;
    let t473 = t428 * t433;
    let t474 = t431 * t432 + t473;
    let t475 = t474 - t429 * t434;
    let t476 = t428 * t434;
    let t477 = t429 * t433 + t476;
    let t478 = t477 - t430 * t432;
    let t479 = t421 - shared_values[4] * t469;
    let t480 = shared_values[4] * t472 + t422;
    let t481 = shared_values[4] * t475 + t423;
    let t482 = shared_values[4] * t478 + t424;
    let t483 = shared_values[12] * t479 + t248;
    let t484 = shared_values[12] * t480 + t249;
    let t485 = shared_values[12] * t481 + t250;
    let t486 = shared_values[12] * t482 + t251;
    let t487 = shared_values[12] * t464 + t239;
    let t488 = shared_values[12] * t465 + t240;
    let t489 = shared_values[12] * t466 + t241;
    let t490 = t483 * t483;
    let t491 = t484 * t484 + t490;
    let t492 = t485 * t485 + t491;
    let t493 = t486 * t486 + t492;
    let t494 = sqrt(t493);
    let t495 = shared_values[2] / t494;
    let t496 = t483 * t495;
    let t497 = t484 * t495;
    let t498 = t485 * t495;
    let t499 = t486 * t495;
    var next = s;
    next.half_q0 = t496;
    next.half_q1 = t497;
    next.half_q2 = t498;
    next.half_q3 = t499;
    next.half_wx = t487;
    next.half_wy = t488;
    next.half_wz = t489;
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
