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
const HAS_ENERGY_BOUND = true;
const NORM_BOUND_VALUE: real = 0.0f;

// What stays the same over a stretch of steps: everything that does not depend on the state.
struct Prepared {
    c0: real,
    c1: real,
    c2: real,
    c3: real,
    c4: real,
    c5: real,
}

fn prepare(instance: u32) -> Prepared {
    var p: Prepared;
    p.c0 = shared_values[3];
    p.c1 = shared_values[4];
    p.c2 = shared_values[1];
    p.c3 = shared_values[8];
    p.c4 = shared_values[5];
    p.c5 = shared_values[2];
    return p;
}

// One full step of both chains: 150 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.half_wy * s.half_wz;
    let t1 = s.half_wx * s.half_wz;
    let t2 = p.c0 * t0 + s.wx;
    let t3 = p.c1 * t1 + s.wy;
    let t4 = s.half_q2 * p.c2;
    let t5 = s.half_q1 * p.c2;
    let t6 = -(t5);
    let t7 = p.c3 * t4;
    let t8 = p.c3 * t6;
    let t9 = s.half_q3 * t8;
    let t10 = -(t9);
    let t11 = s.half_q3 * t7;
    let t12 = t10 - s.half_q0 * t7;
    let t13 = t11 - s.half_q0 * t8;
    let t14 = t2 - p.c4 * t13;
    let t15 = p.c4 * t12 + t3;
    let t16 = s.half_wx * p.c5;
    let t17 = s.half_wy * p.c5;
    let t18 = s.half_wz * p.c5;
    let t19 = t16 * t16 + 1.0f;
    let t20 = t17 * t17 + t19;
    let t21 = t18 * t18 + t20;
    let t22 = p.c3 / t21;
    let t23 = s.q0 - s.q1 * t16;
    let t24 = t23 - s.q2 * t17;
    let t25 = t24 - s.q3 * t18;
    let t26 = s.q0 * t16 + s.q1;
    let t27 = s.q2 * t18 + t26;
    let t28 = t27 - s.q3 * t17;
    let t29 = s.q0 * t17 + s.q2;
    let t30 = s.q3 * t16 + t29;
    let t31 = t30 - s.q1 * t18;
    let t32 = s.q0 * t18 + s.q3;
    let t33 = s.q1 * t17 + t32;
    let t34 = t33 - s.q2 * t16;
    let t35 = t22 * t25 - s.q0;
    let t36 = t22 * t28 - s.q1;
    let t37 = t22 * t31 - s.q2;
    let t38 = t22 * t34 - s.q3;
    let t39 = t35 * t35;
    let t40 = t36 * t36 + t39;
    let t41 = t37 * t37 + t40;
    let t42 = t38 * t38 + t41;
    let t43 = sqrt(t42);
    let t44 = 1.0f / t43;
    let t45 = t35 * t44;
    let t46 = t36 * t44;
    let t47 = t37 * t44;
    let t48 = t38 * t44;
    let t49 = s.wz * t15;
    let t50 = s.wz * t14;
    let t51 = p.c0 * t49 + s.half_wx;
    let t52 = p.c1 * t50 + s.half_wy;
    let t53 = p.c2 * t47;
    let t54 = p.c2 * t46;
    let t55 = -(t54);
    let t56 = p.c3 * t53;
    let t57 = p.c3 * t55;
    let t58 = t48 * t57;
    let t59 = -(t58);
    let t60 = t48 * t56;
    let t61 = t59 - t45 * t56;
    let t62 = t60 - t45 * t57;
    let t63 = t51 - p.c4 * t62;
    let t64 = p.c4 * t61 + t52;
    let t65 = p.c5 * t14;
    let t66 = p.c5 * t15;
    let t67 = s.wz * p.c5;
    let t68 = t65 * t65 + 1.0f;
    let t69 = t66 * t66 + t68;
    let t70 = t67 * t67 + t69;
    let t71 = p.c3 / t70;
    let t72 = s.half_q0 - s.half_q1 * t65;
    let t73 = t72 - s.half_q2 * t66;
    let t74 = t73 - s.half_q3 * t67;
    let t75 = s.half_q0 * t65 + s.half_q1;
    let t76 = s.half_q2 * t67 + t75;
    let t77 = t76 - s.half_q3 * t66;
    let t78 = s.half_q0 * t66 + s.half_q2;
    let t79 = s.half_q3 * t65 + t78;
    let t80 = t79 - s.half_q1 * t67;
    let t81 = s.half_q0 * t67 + s.half_q3;
    let t82 = s.half_q1 * t66 + t81;
    let t83 = t82 - s.half_q2 * t65;
    let t84 = t71 * t74 - s.half_q0;
    let t85 = t71 * t77 - s.half_q1;
    let t86 = t71 * t80 - s.half_q2;
    let t87 = t71 * t83 - s.half_q3;
    let t88 = t84 * t84;
    let t89 = t85 * t85 + t88;
    let t90 = t86 * t86 + t89;
    let t91 = t87 * t87 + t90;
    let t92 = sqrt(t91);
    let t93 = 1.0f / t92;
    let t94 = t84 * t93;
    let t95 = t85 * t93;
    let t96 = t86 * t93;
    let t97 = t87 * t93;
    var next: State;
    next.q0 = t45;
    next.q1 = t46;
    next.q2 = t47;
    next.q3 = t48;
    next.wx = t14;
    next.wy = t15;
    next.wz = s.wz;
    next.half_q0 = t94;
    next.half_q1 = t95;
    next.half_q2 = t96;
    next.half_q3 = t97;
    next.half_wx = t63;
    next.half_wy = t64;
    next.half_wz = s.half_wz;
    return next;
}

// The half chain from the whole one: RK4 over half a step, in two substeps (506 operations).
fn restart(instance: u32, s: State) -> State {
    let t0 = s.q1 * s.wx;
    let t1 = s.q2 * s.wy + t0;
    let t2 = s.q3 * s.wz + t1;
    let t3 = -(t2);
    let t4 = s.q0 * s.wx;
    let t5 = s.q2 * s.wz + t4;
    let t6 = t5 - s.q3 * s.wy;
    let t7 = s.q0 * s.wy;
    let t8 = s.q3 * s.wx + t7;
    let t9 = t8 - s.q1 * s.wz;
    let t10 = s.q0 * s.wz;
    let t11 = s.q1 * s.wy + t10;
    let t12 = t11 - s.q2 * s.wx;
    let t13 = s.wy * s.wz;
    let t14 = s.wx * s.wz;
    let t15 = shared_values[5] * t13;
    let t16 = shared_values[6] * t14;
    let t17 = s.q2 * shared_values[1];
    let t18 = s.q1 * shared_values[1];
    let t19 = -(t18);
    let t20 = shared_values[8] * t17;
    let t21 = shared_values[8] * t19;
    let t22 = s.q3 * t21;
    let t23 = -(t22);
    let t24 = s.q3 * t20;
    let t25 = t23 - s.q0 * t20;
    let t26 = t24 - s.q0 * t21;
    let t27 = t15 - shared_values[7] * t26;
    let t28 = shared_values[7] * t25 + t16;
    let t29 = shared_values[11] * t3;
    let t30 = shared_values[11] * t6;
    let t31 = shared_values[11] * t9;
    let t32 = shared_values[11] * t12;
    let t33 = shared_values[9] * t29 + s.q0;
    let t34 = shared_values[9] * t30 + s.q1;
    let t35 = shared_values[9] * t31 + s.q2;
    let t36 = shared_values[9] * t32 + s.q3;
    let t37 = shared_values[9] * t27 + s.wx;
    let t38 = shared_values[9] * t28 + s.wy;
    let t39 = t34 * t37;
    let t40 = t35 * t38 + t39;
    let t41 = s.wz * t36 + t40;
    let t42 = -(t41);
    let t43 = t33 * t37;
    let t44 = s.wz * t35 + t43;
    let t45 = t44 - t36 * t38;
    let t46 = t33 * t38;
    let t47 = t36 * t37 + t46;
    let t48 = t47 - s.wz * t34;
    let t49 = s.wz * t33;
    let t50 = t34 * t38 + t49;
    let t51 = t50 - t35 * t37;
    let t52 = s.wz * t38;
    let t53 = s.wz * t37;
    let t54 = shared_values[5] * t52;
    let t55 = shared_values[6] * t53;
    let t56 = shared_values[1] * t35;
    let t57 = shared_values[1] * t34;
    let t58 = -(t57);
    let t59 = shared_values[8] * t56;
    let t60 = shared_values[8] * t58;
    let t61 = t36 * t60;
    let t62 = -(t61);
    let t63 = t36 * t59;
    let t64 = t62 - t33 * t59;
    let t65 = t63 - t33 * t60;
    let t66 = t54 - shared_values[7] * t65;
    let t67 = shared_values[7] * t64 + t55;
    let t68 = shared_values[11] * t42;
    let t69 = shared_values[11] * t45;
    let t70 = shared_values[11] * t48;
    let t71 = shared_values[11] * t51;
    let t72 = shared_values[9] * t68 + s.q0;
    let t73 = shared_values[9] * t69 + s.q1;
    let t74 = shared_values[9] * t70 + s.q2;
    let t75 = shared_values[9] * t71 + s.q3;
    let t76 = shared_values[9] * t66 + s.wx;
    let t77 = shared_values[9] * t67 + s.wy;
    let t78 = t73 * t76;
    let t79 = t74 * t77 + t78;
    let t80 = s.wz * t75 + t79;
    let t81 = -(t80);
    let t82 = t72 * t76;
    let t83 = s.wz * t74 + t82;
    let t84 = t83 - t75 * t77;
    let t85 = t72 * t77;
    let t86 = t75 * t76 + t85;
    let t87 = t86 - s.wz * t73;
    let t88 = s.wz * t72;
    let t89 = t73 * t77 + t88;
    let t90 = t89 - t74 * t76;
    let t91 = s.wz * t77;
    let t92 = s.wz * t76;
    let t93 = shared_values[5] * t91;
    let t94 = shared_values[6] * t92;
    let t95 = shared_values[1] * t74;
    let t96 = shared_values[1] * t73;
    let t97 = -(t96);
    let t98 = shared_values[8] * t95;
    let t99 = shared_values[8] * t97;
    let t100 = t75 * t99;
    let t101 = -(t100);
    let t102 = t75 * t98;
    let t103 = t101 - t72 * t98;
    let t104 = t102 - t72 * t99;
    let t105 = t93 - shared_values[7] * t104;
    let t106 = shared_values[7] * t103 + t94;
    let t107 = shared_values[11] * t81;
    let t108 = shared_values[11] * t84;
    let t109 = shared_values[11] * t87;
    let t110 = shared_values[11] * t90;
    let t111 = shared_values[8] * t68 + t29;
    let t112 = shared_values[8] * t69 + t30;
    let t113 = shared_values[8] * t70 + t31;
    let t114 = shared_values[8] * t71 + t32;
    let t115 = shared_values[8] * t66 + t27;
    let t116 = shared_values[8] * t67 + t28;
    let t117 = shared_values[8] * t107 + t111;
    let t118 = shared_values[8] * t108 + t112;
    let t119 = shared_values[8] * t109 + t113;
    let t120 = shared_values[8] * t110 + t114;
    let t121 = shared_values[8] * t105 + t115;
    let t122 = shared_values[8] * t106 + t116;
    let t123 = s.q0 + t107;
    let t124 = s.q1 + t108;
    let t125 = s.q2 + t109;
    let t126 = s.q3 + t110;
    let t127 = s.wx + t105;
    let t128 = s.wy + t106;
    let t129 = t124 * t127;
    let t130 = t125 * t128 + t129;
    let t131 = s.wz * t126 + t130;
    let t132 = t123 * t127;
    let t133 = s.wz * t125 + t132;
    let t134 = t133 - t126 * t128;
    let t135 = t123 * t128;
    let t136 = t126 * t127 + t135;
    let t137 = t136 - s.wz * t124;
    let t138 = s.wz * t123;
    let t139 = t124 * t128 + t138;
    let t140 = t139 - t125 * t127;
    let t141 = s.wz * t128;
    let t142 = s.wz * t127;
    let t143 = shared_values[5] * t141 + t121;
    let t144 = shared_values[6] * t142 + t122;
    let t145 = shared_values[1] * t125;
    let t146 = shared_values[1] * t124;
    let t147 = -(t146);
    let t148 = shared_values[8] * t145;
    let t149 = shared_values[8] * t147;
    let t150 = t126 * t149;
    let t151 = -(t150);
    let t152 = t126 * t148;
    let t153 = t151 - t123 * t148;
    let t154 = t152 - t123 * t149;
    let t155 = t143 - shared_values[7] * t154;
    let t156 = shared_values[7] * t153 + t144;
    let t157 = t117 - shared_values[11] * t131;
    let t158 = shared_values[11] * t134 + t118;
    let t159 = shared_values[11] * t137 + t119;
    let t160 = shared_values[11] * t140 + t120;
    let t161 = shared_values[10] * t157 + s.q0;
    let t162 = shared_values[10] * t158 + s.q1;
    let t163 = shared_values[10] * t159 + s.q2;
    let t164 = shared_values[10] * t160 + s.q3;
    let t165 = shared_values[10] * t155 + s.wx;
    let t166 = shared_values[10] * t156 + s.wy;
    let t167 = t161 * t161;
    let t168 = t162 * t162 + t167;
    let t169 = t163 * t163 + t168;
    let t170 = t164 * t164 + t169;
    let t171 = sqrt(t170);
    let t172 = 1.0f / t171;
    let t173 = t161 * t172;
    let t174 = t162 * t172;
    let t175 = t163 * t172;
    let t176 = t164 * t172;
    let t177 = t165 * t174;
    let t178 = t166 * t175 + t177;
    let t179 = s.wz * t176 + t178;
    let t180 = -(t179);
    let t181 = t165 * t173;
    let t182 = s.wz * t175 + t181;
    let t183 = t182 - t166 * t176;
    let t184 = t166 * t173;
    let t185 = t165 * t176 + t184;
    let t186 = t185 - s.wz * t174;
    let t187 = s.wz * t173;
    let t188 = t166 * t174 + t187;
    let t189 = t188 - t165 * t175;
    let t190 = s.wz * t166;
    let t191 = s.wz * t165;
    let t192 = shared_values[5] * t190;
    let t193 = shared_values[6] * t191;
    let t194 = shared_values[1] * t175;
    let t195 = shared_values[1] * t174;
    let t196 = -(t195);
    let t197 = shared_values[8] * t194;
    let t198 = shared_values[8] * t196;
    let t199 = t176 * t198;
    let t200 = -(t199);
    let t201 = t176 * t197;
    let t202 = t200 - t173 * t197;
    let t203 = t201 - t173 * t198;
    let t204 = t192 - shared_values[7] * t203;
    let t205 = shared_values[7] * t202 + t193;
    let t206 = shared_values[11] * t180;
    let t207 = shared_values[11] * t183;
    let t208 = shared_values[11] * t186;
    let t209 = shared_values[11] * t189;
    let t210 = shared_values[9] * t206 + t173;
    let t211 = shared_values[9] * t207 + t174;
    let t212 = shared_values[9] * t208 + t175;
    let t213 = shared_values[9] * t209 + t176;
    let t214 = shared_values[9] * t204 + t165;
    let t215 = shared_values[9] * t205 + t166;
    let t216 = t211 * t214;
    let t217 = t212 * t215 + t216;
    let t218 = s.wz * t213 + t217;
    let t219 = -(t218);
    let t220 = t210 * t214;
    let t221 = s.wz * t212 + t220;
    let t222 = t221 - t213 * t215;
    let t223 = t210 * t215;
    let t224 = t213 * t214 + t223;
    let t225 = t224 - s.wz * t211;
    let t226 = s.wz * t210;
    let t227 = t211 * t215 + t226;
    let t228 = t227 - t212 * t214;
    let t229 = s.wz * t215;
    let t230 = s.wz * t214;
    let t231 = shared_values[5] * t229;
    let t232 = shared_values[6] * t230;
    let t233 = shared_values[1] * t212;
    let t234 = shared_values[1] * t211;
    let t235 = -(t234);
    let t236 = shared_values[8] * t233;
    let t237 = shared_values[8] * t235;
    let t238 = t213 * t237;
    let t239 = -(t238);
    let t240 = t213 * t236;
    let t241 = t239 - t210 * t236;
    let t242 = t240 - t210 * t237;
    let t243 = t231 - shared_values[7] * t242;
    let t244 = shared_values[7] * t241 + t232;
    let t245 = shared_values[11] * t219;
    let t246 = shared_values[11] * t222;
    let t247 = shared_values[11] * t225;
    let t248 = shared_values[11] * t228;
    let t249 = shared_values[9] * t245 + t173;
    let t250 = shared_values[9] * t246 + t174;
    let t251 = shared_values[9] * t247 + t175;
    let t252 = shared_values[9] * t248 + t176;
    let t253 = shared_values[9] * t243 + t165;
    let t254 = shared_values[9] * t244 + t166;
    let t255 = t250 * t253;
    let t256 = t251 * t254 + t255;
    let t257 = s.wz * t252 + t256;
    let t258 = -(t257);
    let t259 = t249 * t253;
    let t260 = s.wz * t251 + t259;
    let t261 = t260 - t252 * t254;
    let t262 = t249 * t254;
    let t263 = t252 * t253 + t262;
    let t264 = t263 - s.wz * t250;
    let t265 = s.wz * t249;
    let t266 = t250 * t254 + t265;
    let t267 = t266 - t251 * t253;
    let t268 = s.wz * t254;
    let t269 = s.wz * t253;
    let t270 = shared_values[5] * t268;
    let t271 = shared_values[6] * t269;
    let t272 = shared_values[1] * t251;
    let t273 = shared_values[1] * t250;
    let t274 = -(t273);
    let t275 = shared_values[8] * t272;
    let t276 = shared_values[8] * t274;
    let t277 = t252 * t276;
    let t278 = -(t277);
    let t279 = t252 * t275;
    let t280 = t278 - t249 * t275;
    let t281 = t279 - t249 * t276;
    let t282 = t270 - shared_values[7] * t281;
    let t283 = shared_values[7] * t280 + t271;
    let t284 = shared_values[11] * t258;
    let t285 = shared_values[11] * t261;
    let t286 = shared_values[11] * t264;
    let t287 = shared_values[11] * t267;
    let t288 = shared_values[8] * t245 + t206;
    let t289 = shared_values[8] * t246 + t207;
    let t290 = shared_values[8] * t247 + t208;
    let t291 = shared_values[8] * t248 + t209;
    let t292 = shared_values[8] * t243 + t204;
    let t293 = shared_values[8] * t244 + t205;
    let t294 = shared_values[8] * t284 + t288;
    let t295 = shared_values[8] * t285 + t289;
    let t296 = shared_values[8] * t286 + t290;
    let t297 = shared_values[8] * t287 + t291;
    let t298 = shared_values[8] * t282 + t292;
    let t299 = shared_values[8] * t283 + t293;
    let t300 = t173 + t284;
    let t301 = t174 + t285;
    let t302 = t175 + t286;
    let t303 = t176 + t287;
    let t304 = t165 + t282;
    let t305 = t166 + t283;
    let t306 = t301 * t304;
    let t307 = t302 * t305 + t306;
    let t308 = s.wz * t303 + t307;
    let t309 = t300 * t304;
    let t310 = s.wz * t302 + t309;
    let t311 = t310 - t303 * t305;
    let t312 = t300 * t305;
    let t313 = t303 * t304 + t312;
    let t314 = t313 - s.wz * t301;
    let t315 = s.wz * t300;
    let t316 = t301 * t305 + t315;
    let t317 = t316 - t302 * t304;
    let t318 = s.wz * t305;
    let t319 = s.wz * t304;
    let t320 = shared_values[5] * t318 + t298;
    let t321 = shared_values[6] * t319 + t299;
    let t322 = shared_values[1] * t302;
    let t323 = shared_values[1] * t301;
    let t324 = -(t323);
    let t325 = shared_values[8] * t322;
    let t326 = shared_values[8] * t324;
    let t327 = t303 * t326;
    let t328 = -(t327);
    let t329 = t303 * t325;
    let t330 = t328 - t300 * t325;
    let t331 = t329 - t300 * t326;
    let t332 = t320 - shared_values[7] * t331;
    let t333 = shared_values[7] * t330 + t321;
    let t334 = t294 - shared_values[11] * t308;
    let t335 = shared_values[11] * t311 + t295;
    let t336 = shared_values[11] * t314 + t296;
    let t337 = shared_values[11] * t317 + t297;
    let t338 = shared_values[10] * t334 + t173;
    let t339 = shared_values[10] * t335 + t174;
    let t340 = shared_values[10] * t336 + t175;
    let t341 = shared_values[10] * t337 + t176;
    let t342 = shared_values[10] * t332 + t165;
    let t343 = shared_values[10] * t333 + t166;
    let t344 = t338 * t338;
    let t345 = t339 * t339 + t344;
    let t346 = t340 * t340 + t345;
    let t347 = t341 * t341 + t346;
    let t348 = sqrt(t347);
    let t349 = 1.0f / t348;
    let t350 = t338 * t349;
    let t351 = t339 * t349;
    let t352 = t340 * t349;
    let t353 = t341 * t349;
    var next = s;
    next.half_q0 = t350;
    next.half_q1 = t351;
    next.half_q2 = t352;
    next.half_q3 = t353;
    next.half_wx = t342;
    next.half_wy = t343;
    next.half_wz = s.wz;
    return next;
}

// Change of the energy since the start, and how much of it is allowed (J).
struct EnergyChange {
    value: real,
    allowed: real,
}

fn energy_change(instance: u32, s: State) -> EnergyChange {
    let t0 = s.wx * shared_values[0];
    let t1 = s.wy * shared_values[0];
    let t2 = s.wx * t0;
    let t3 = s.wy * t1 + t2;
    let t4 = s.wz * s.wz + t3;
    let t5 = shared_values[9] * t4;
    let t6 = t5 - parameters[0u * run.stride + instance];
    let t7 = -(s.q1);
    let t8 = s.q2 * shared_values[8];
    let t9 = shared_values[8] * t7;
    let t10 = s.q1 * t9;
    let t11 = t10 - s.q2 * t8;
    let t12 = 1.0f + t11;
    let t13 = shared_values[1] * t12;
    let t14 = t6 - t13;
    let t15 = parameters[1u * run.stride + instance] * shared_values[12];
    return EnergyChange(t14, t15);
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
