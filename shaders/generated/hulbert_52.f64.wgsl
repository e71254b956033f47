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
const HAS_ENERGY_BOUND = true;
const NORM_BOUND_VALUE: real = 0.0lf;

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
    p.c0 = shared_values[0];
    p.c1 = shared_values[2];
    p.c2 = shared_values[3];
    p.c3 = shared_values[4];
    p.c4 = shared_values[5];
    p.c5 = shared_values[6];
    return p;
}

// One full step: 150 operations, a multiply-add counted as two.
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
    let t35 = p.c3 * t33 + s.wx;
    let t36 = p.c4 * t34 + s.wy;
    let t37 = s.half_q2 * p.c0;
    let t38 = s.half_q1 * p.c0;
    let t39 = -(t38);
    let t40 = p.c2 * t37;
    let t41 = p.c2 * t39;
    let t42 = s.half_q3 * t41;
    let t43 = -(t42);
    let t44 = s.half_q3 * t40;
    let t45 = t43 - s.half_q0 * t40;
    let t46 = t44 - s.half_q0 * t41;
    let t47 = t35 - p.c5 * t46;
    let t48 = p.c5 * t45 + t36;
    let t49 = p.c1 * t47;
    let t50 = p.c1 * t48;
    let t51 = s.wz * p.c1;
    let t52 = t49 * t49 + 1.0lf;
    let t53 = t50 * t50 + t52;
    let t54 = t51 * t51 + t53;
    let t55 = p.c2 / t54;
    let t56 = s.half_q0 - s.half_q1 * t49;
    let t57 = t56 - s.half_q2 * t50;
    let t58 = t57 - s.half_q3 * t51;
    let t59 = s.half_q0 * t49 + s.half_q1;
    let t60 = s.half_q2 * t51 + t59;
    let t61 = t60 - s.half_q3 * t50;
    let t62 = s.half_q0 * t50 + s.half_q2;
    let t63 = s.half_q3 * t49 + t62;
    let t64 = t63 - s.half_q1 * t51;
    let t65 = s.half_q0 * t51 + s.half_q3;
    let t66 = s.half_q1 * t50 + t65;
    let t67 = t66 - s.half_q2 * t49;
    let t68 = t55 * t58 - s.half_q0;
    let t69 = t55 * t61 - s.half_q1;
    let t70 = t55 * t64 - s.half_q2;
    let t71 = t55 * t67 - s.half_q3;
    let t72 = t68 * t68;
    let t73 = t69 * t69 + t72;
    let t74 = t70 * t70 + t73;
    let t75 = t71 * t71 + t74;
    let t76 = sqrt(t75);
    let t77 = 1.0lf / t76;
    let t78 = t68 * t77;
    let t79 = t69 * t77;
    let t80 = t70 * t77;
    let t81 = t71 * t77;
    let t82 = s.wz * t48;
    let t83 = s.wz * t47;
    let t84 = p.c3 * t82 + s.half_wx;
    let t85 = p.c4 * t83 + s.half_wy;
    let t86 = p.c0 * t31;
    let t87 = p.c0 * t30;
    let t88 = -(t87);
    let t89 = p.c2 * t86;
    let t90 = p.c2 * t88;
    let t91 = t32 * t90;
    let t92 = -(t91);
    let t93 = t32 * t89;
    let t94 = t92 - t29 * t89;
    let t95 = t93 - t29 * t90;
    let t96 = t84 - p.c5 * t95;
    let t97 = p.c5 * t94 + t85;
    var next: State;
    next.q0 = t29;
    next.q1 = t30;
    next.q2 = t31;
    next.q3 = t32;
    next.wx = t47;
    next.wy = t48;
    next.wz = s.wz;
    next.half_q0 = t78;
    next.half_q1 = t79;
    next.half_q2 = t80;
    next.half_q3 = t81;
    next.half_wx = t96;
    next.half_wy = t97;
    next.half_wz = s.half_wz;
    return next;
}

// What the method carries, at the start. (506 operations.)
fn begin(instance: u32, s: State) -> State {
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
    let t13 = shared_values[9] * t3;
    let t14 = shared_values[9] * t6;
    let t15 = shared_values[9] * t9;
    let t16 = shared_values[9] * t12;
    let t17 = s.wy * s.wz;
    let t18 = s.wx * s.wz;
    let t19 = shared_values[6] * t17;
    let t20 = shared_values[10] * t18;
    let t21 = s.q2 * shared_values[0];
    let t22 = s.q1 * shared_values[0];
    let t23 = -(t22);
    let t24 = shared_values[3] * t21;
    let t25 = shared_values[3] * t23;
    let t26 = s.q3 * t25;
    let t27 = -(t26);
    let t28 = s.q3 * t24;
    let t29 = t27 - s.q0 * t24;
    let t30 = t28 - s.q0 * t25;
    let t31 = t19 - shared_values[11] * t30;
    let t32 = shared_values[11] * t29 + t20;
    let t33 = shared_values[7] * t13 + s.q0;
    let t34 = shared_values[7] * t14 + s.q1;
    let t35 = shared_values[7] * t15 + s.q2;
    let t36 = shared_values[7] * t16 + s.q3;
    let t37 = shared_values[7] * t31 + s.wx;
    let t38 = shared_values[7] * t32 + s.wy;
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
    let t52 = shared_values[9] * t42;
    let t53 = shared_values[9] * t45;
    let t54 = shared_values[9] * t48;
    let t55 = shared_values[9] * t51;
    let t56 = s.wz * t38;
    let t57 = s.wz * t37;
    let t58 = shared_values[6] * t56;
    let t59 = shared_values[10] * t57;
    let t60 = shared_values[0] * t35;
    let t61 = shared_values[0] * t34;
    let t62 = -(t61);
    let t63 = shared_values[3] * t60;
    let t64 = shared_values[3] * t62;
    let t65 = t36 * t64;
    let t66 = -(t65);
    let t67 = t36 * t63;
    let t68 = t66 - t33 * t63;
    let t69 = t67 - t33 * t64;
    let t70 = t58 - shared_values[11] * t69;
    let t71 = shared_values[11] * t68 + t59;
    let t72 = shared_values[7] * t52 + s.q0;
    let t73 = shared_values[7] * t53 + s.q1;
    let t74 = shared_values[7] * t54 + s.q2;
    let t75 = shared_values[7] * t55 + s.q3;
    let t76 = shared_values[7] * t70 + s.wx;
    let t77 = shared_values[7] * t71 + s.wy;
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
    let t91 = shared_values[9] * t81;
    let t92 = shared_values[9] * t84;
    let t93 = shared_values[9] * t87;
    let t94 = shared_values[9] * t90;
    let t95 = s.wz * t77;
    let t96 = s.wz * t76;
    let t97 = shared_values[6] * t95;
    let t98 = shared_values[10] * t96;
    let t99 = shared_values[0] * t74;
    let t100 = shared_values[0] * t73;
    let t101 = -(t100);
    let t102 = shared_values[3] * t99;
    let t103 = shared_values[3] * t101;
    let t104 = t75 * t103;
    let t105 = -(t104);
    let t106 = t75 * t102;
    let t107 = t105 - t72 * t102;
    let t108 = t106 - t72 * t103;
    let t109 = t97 - shared_values[11] * t108;
    let t110 = shared_values[11] * t107 + t98;
    let t111 = shared_values[3] * t52 + t13;
    let t112 = shared_values[3] * t53 + t14;
    let t113 = shared_values[3] * t54 + t15;
    let t114 = shared_values[3] * t55 + t16;
    let t115 = shared_values[3] * t70 + t31;
    let t116 = shared_values[3] * t71 + t32;
    let t117 = shared_values[3] * t91 + t111;
    let t118 = shared_values[3] * t92 + t112;
    let t119 = shared_values[3] * t93 + t113;
    let t120 = shared_values[3] * t94 + t114;
    let t121 = shared_values[3] * t109 + t115;
    let t122 = shared_values[3] * t110 + t116;
    let t123 = s.q0 + t91;
    let t124 = s.q1 + t92;
    let t125 = s.q2 + t93;
    let t126 = s.q3 + t94;
    let t127 = s.wx + t109;
    let t128 = s.wy + t110;
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
    let t141 = t117 - shared_values[9] * t131;
    let t142 = shared_values[9] * t134 + t118;
    let t143 = shared_values[9] * t137 + t119;
    let t144 = shared_values[9] * t140 + t120;
    let t145 = s.wz * t128;
    let t146 = s.wz * t127;
    let t147 = shared_values[6] * t145 + t121;
    let t148 = shared_values[10] * t146 + t122;
    let t149 = shared_values[0] * t125;
    let t150 = shared_values[0] * t124;
    let t151 = -(t150);
    let t152 = shared_values[3] * t149;
    let t153 = shared_values[3] * t151;
    let t154 = t126 * t153;
    let t155 = -(t154);
    let t156 = t126 * t152;
    let t157 = t155 - t123 * t152;
    let t158 = t156 - t123 * t153;
    let t159 = t147 - shared_values[11] * t158;
    let t160 = shared_values[11] * t157 + t148;
    let t161 = shared_values[8] * t141 + s.q0;
    let t162 = shared_values[8] * t142 + s.q1;
    let t163 = shared_values[8] * t143 + s.q2;
    let t164 = shared_values[8] * t144 + s.q3;
    let t165 = shared_values[8] * t159 + s.wx;
    let t166 = shared_values[8] * t160 + s.wy;
    let t167 = t161 * t161;
    let t168 = t162 * t162 + t167;
    let t169 = t163 * t163 + t168;
    let t170 = t164 * t164 + t169;
    let t171 = sqrt(t170);
    let t172 = 1.0lf / t171;
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
    let t190 = shared_values[9] * t180;
    let t191 = shared_values[9] * t183;
    let t192 = shared_values[9] * t186;
    let t193 = shared_values[9] * t189;
    let t194 = s.wz * t166;
    let t195 = s.wz * t165;
    let t196 = shared_values[6] * t194;
    let t197 = shared_values[10] * t195;
    let t198 = shared_values[0] * t175;
    let t199 = shared_values[0] * t174;
    let t200 = -(t199);
    let t201 = shared_values[3] * t198;
    let t202 = shared_values[3] * t200;
    let t203 = t176 * t202;
    let t204 = -(t203);
    let t205 = t176 * t201;
    let t206 = t204 - t173 * t201;
    let t207 = t205 - t173 * t202;
    let t208 = t196 - shared_values[11] * t207;
    let t209 = shared_values[11] * t206 + t197;
    let t210 = shared_values[7] * t190 + t173;
    let t211 = shared_values[7] * t191 + t174;
    let t212 = shared_values[7] * t192 + t175;
    let t213 = shared_values[7] * t193 + t176;
    let t214 = shared_values[7] * t208 + t165;
    let t215 = shared_values[7] * t209 + t166;
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
    let t229 = shared_values[9] * t219;
    let t230 = shared_values[9] * t222;
    let t231 = shared_values[9] * t225;
    let t232 = shared_values[9] * t228;
    let t233 = s.wz * t215;
    let t234 = s.wz * t214;
    let t235 = shared_values[6] * t233;
    let t236 = shared_values[10] * t234;
    let t237 = shared_values[0] * t212;
    let t238 = shared_values[0] * t211;
    let t239 = -(t238);
    let t240 = shared_values[3] * t237;
    let t241 = shared_values[3] * t239;
    let t242 = t213 * t241;
    let t243 = -(t242);
    let t244 = t213 * t240;
    let t245 = t243 - t210 * t240;
    let t246 = t244 - t210 * t241;
    let t247 = t235 - shared_values[11] * t246;
    let t248 = shared_values[11] * t245 + t236;
    let t249 = shared_values[7] * t229 + t173;
    let t250 = shared_values[7] * t230 + t174;
    let t251 = shared_values[7] * t231 + t175;
    let t252 = shared_values[7] * t232 + t176;
    let t253 = shared_values[7] * t247 + t165;
    let t254 = shared_values[7] * t248 + t166;
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
    let t268 = shared_values[9] * t258;
    let t269 = shared_values[9] * t261;
    let t270 = shared_values[9] * t264;
    let t271 = shared_values[9] * t267;
    let t272 = s.wz * t254;
    let t273 = s.wz * t253;
    let t274 = shared_values[6] * t272;
    let t275 = shared_values[10] * t273;
    let t276 = shared_values[0] * t251;
    let t277 = shared_values[0] * t250;
    let t278 = -(t277);
    let t279 = shared_values[3] * t276;
    let t280 = shared_values[3] * t278;
    let t281 = t252 * t280;
    let t282 = -(t281);
    let t283 = t252 * t279;
    let t284 = t282 - t249 * t279;
    let t285 = t283 - t249 * t280;
    let t286 = t274 - shared_values[11] * t285;
    let t287 = shared_values[11] * t284 + t275;
    let t288 = shared_values[3] * t229 + t190;
    let t289 = shared_values[3] * t230 + t191;
    let t290 = shared_values[3] * t231 + t192;
    let t291 = shared_values[3] * t232 + t193;
    let t292 = shared_values[3] * t247 + t208;
    let t293 = shared_values[3] * t248 + t209;
    let t294 = shared_values[3] * t268 + t288;
    let t295 = shared_values[3] * t269 + t289;
    let t296 = shared_values[3] * t270 + t290;
    let t297 = shared_values[3] * t271 + t291;
    let t298 = shared_values[3] * t286 + t292;
    let t299 = shared_values[3] * t287 + t293;
    let t300 = t173 + t268;
    let t301 = t174 + t269;
    let t302 = t175 + t270;
    let t303 = t176 + t271;
    let t304 = t165 + t286;
    let t305 = t166 + t287;
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
    let t318 = t294 - shared_values[9] * t308;
    let t319 = shared_values[9] * t311 + t295;
    let t320 = shared_values[9] * t314 + t296;
    let t321 = shared_values[9] * t317 + t297;
    let t322 = s.wz * t305;
    let t323 = s.wz * t304;
    let t324 = shared_values[6] * t322 + t298;
    let t325 = shared_values[10] * t323 + t299;
    let t326 = shared_values[0] * t302;
    let t327 = shared_values[0] * t301;
    let t328 = -(t327);
    let t329 = shared_values[3] * t326;
    let t330 = shared_values[3] * t328;
    let t331 = t303 * t330;
    let t332 = -(t331);
    let t333 = t303 * t329;
    let t334 = t332 - t300 * t329;
    let t335 = t333 - t300 * t330;
    let t336 = t324 - shared_values[11] * t335;
    let t337 = shared_values[11] * t334 + t325;
    let t338 = shared_values[8] * t318 + t173;
    let t339 = shared_values[8] * t319 + t174;
    let t340 = shared_values[8] * t320 + t175;
    let t341 = shared_values[8] * t321 + t176;
    let t342 = shared_values[8] * t336 + t165;
    let t343 = shared_values[8] * t337 + t166;
    let t344 = t338 * t338;
    let t345 = t339 * t339 + t344;
    let t346 = t340 * t340 + t345;
    let t347 = t341 * t341 + t346;
    let t348 = sqrt(t347);
    let t349 = 1.0lf / t348;
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

// What the method carries after it was resynchronised. (506 operations.)
fn resynchronised(instance: u32, s: State) -> State {
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
    let t13 = shared_values[9] * t3;
    let t14 = shared_values[9] * t6;
    let t15 = shared_values[9] * t9;
    let t16 = shared_values[9] * t12;
    let t17 = s.wy * s.wz;
    let t18 = s.wx * s.wz;
    let t19 = shared_values[6] * t17;
    let t20 = shared_values[10] * t18;
    let t21 = s.q2 * shared_values[0];
    let t22 = s.q1 * shared_values[0];
    let t23 = -(t22);
    let t24 = shared_values[3] * t21;
    let t25 = shared_values[3] * t23;
    let t26 = s.q3 * t25;
    let t27 = -(t26);
    let t28 = s.q3 * t24;
    let t29 = t27 - s.q0 * t24;
    let t30 = t28 - s.q0 * t25;
    let t31 = t19 - shared_values[11] * t30;
    let t32 = shared_values[11] * t29 + t20;
    let t33 = shared_values[7] * t13 + s.q0;
    let t34 = shared_values[7] * t14 + s.q1;
    let t35 = shared_values[7] * t15 + s.q2;
    let t36 = shared_values[7] * t16 + s.q3;
    let t37 = shared_values[7] * t31 + s.wx;
    let t38 = shared_values[7] * t32 + s.wy;
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
    let t52 = shared_values[9] * t42;
    let t53 = shared_values[9] * t45;
    let t54 = shared_values[9] * t48;
    let t55 = shared_values[9] * t51;
    let t56 = s.wz * t38;
    let t57 = s.wz * t37;
    let t58 = shared_values[6] * t56;
    let t59 = shared_values[10] * t57;
    let t60 = shared_values[0] * t35;
    let t61 = shared_values[0] * t34;
    let t62 = -(t61);
    let t63 = shared_values[3] * t60;
    let t64 = shared_values[3] * t62;
    let t65 = t36 * t64;
    let t66 = -(t65);
    let t67 = t36 * t63;
    let t68 = t66 - t33 * t63;
    let t69 = t67 - t33 * t64;
    let t70 = t58 - shared_values[11] * t69;
    let t71 = shared_values[11] * t68 + t59;
    let t72 = shared_values[7] * t52 + s.q0;
    let t73 = shared_values[7] * t53 + s.q1;
    let t74 = shared_values[7] * t54 + s.q2;
    let t75 = shared_values[7] * t55 + s.q3;
    let t76 = shared_values[7] * t70 + s.wx;
    let t77 = shared_values[7] * t71 + s.wy;
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
    let t91 = shared_values[9] * t81;
    let t92 = shared_values[9] * t84;
    let t93 = shared_values[9] * t87;
    let t94 = shared_values[9] * t90;
    let t95 = s.wz * t77;
    let t96 = s.wz * t76;
    let t97 = shared_values[6] * t95;
    let t98 = shared_values[10] * t96;
    let t99 = shared_values[0] * t74;
    let t100 = shared_values[0] * t73;
    let t101 = -(t100);
    let t102 = shared_values[3] * t99;
    let t103 = shared_values[3] * t101;
    let t104 = t75 * t103;
    let t105 = -(t104);
    let t106 = t75 * t102;
    let t107 = t105 - t72 * t102;
    let t108 = t106 - t72 * t103;
    let t109 = t97 - shared_values[11] * t108;
    let t110 = shared_values[11] * t107 + t98;
    let t111 = shared_values[3] * t52 + t13;
    let t112 = shared_values[3] * t53 + t14;
    let t113 = shared_values[3] * t54 + t15;
    let t114 = shared_values[3] * t55 + t16;
    let t115 = shared_values[3] * t70 + t31;
    let t116 = shared_values[3] * t71 + t32;
    let t117 = shared_values[3] * t91 + t111;
    let t118 = shared_values[3] * t92 + t112;
    let t119 = shared_values[3] * t93 + t113;
    let t120 = shared_values[3] * t94 + t114;
    let t121 = shared_values[3] * t109 + t115;
    let t122 = shared_values[3] * t110 + t116;
    let t123 = s.q0 + t91;
    let t124 = s.q1 + t92;
    let t125 = s.q2 + t93;
    let t126 = s.q3 + t94;
    let t127 = s.wx + t109;
    let t128 = s.wy + t110;
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
    let t141 = t117 - shared_values[9] * t131;
    let t142 = shared_values[9] * t134 + t118;
    let t143 = shared_values[9] * t137 + t119;
    let t144 = shared_values[9] * t140 + t120;
    let t145 = s.wz * t128;
    let t146 = s.wz * t127;
    let t147 = shared_values[6] * t145 + t121;
    let t148 = shared_values[10] * t146 + t122;
    let t149 = shared_values[0] * t125;
    let t150 = shared_values[0] * t124;
    let t151 = -(t150);
    let t152 = shared_values[3] * t149;
    let t153 = shared_values[3] * t151;
    let t154 = t126 * t153;
    let t155 = -(t154);
    let t156 = t126 * t152;
    let t157 = t155 - t123 * t152;
    let t158 = t156 - t123 * t153;
    let t159 = t147 - shared_values[11] * t158;
    let t160 = shared_values[11] * t157 + t148;
    let t161 = shared_values[8] * t141 + s.q0;
    let t162 = shared_values[8] * t142 + s.q1;
    let t163 = shared_values[8] * t143 + s.q2;
    let t164 = shared_values[8] * t144 + s.q3;
    let t165 = shared_values[8] * t159 + s.wx;
    let t166 = shared_values[8] * t160 + s.wy;
    let t167 = t161 * t161;
    let t168 = t162 * t162 + t167;
    let t169 = t163 * t163 + t168;
    let t170 = t164 * t164 + t169;
    let t171 = sqrt(t170);
    let t172 = 1.0lf / t171;
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
    let t190 = shared_values[9] * t180;
    let t191 = shared_values[9] * t183;
    let t192 = shared_values[9] * t186;
    let t193 = shared_values[9] * t189;
    let t194 = s.wz * t166;
    let t195 = s.wz * t165;
    let t196 = shared_values[6] * t194;
    let t197 = shared_values[10] * t195;
    let t198 = shared_values[0] * t175;
    let t199 = shared_values[0] * t174;
    let t200 = -(t199);
    let t201 = shared_values[3] * t198;
    let t202 = shared_values[3] * t200;
    let t203 = t176 * t202;
    let t204 = -(t203);
    let t205 = t176 * t201;
    let t206 = t204 - t173 * t201;
    let t207 = t205 - t173 * t202;
    let t208 = t196 - shared_values[11] * t207;
    let t209 = shared_values[11] * t206 + t197;
    let t210 = shared_values[7] * t190 + t173;
    let t211 = shared_values[7] * t191 + t174;
    let t212 = shared_values[7] * t192 + t175;
    let t213 = shared_values[7] * t193 + t176;
    let t214 = shared_values[7] * t208 + t165;
    let t215 = shared_values[7] * t209 + t166;
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
    let t229 = shared_values[9] * t219;
    let t230 = shared_values[9] * t222;
    let t231 = shared_values[9] * t225;
    let t232 = shared_values[9] * t228;
    let t233 = s.wz * t215;
    let t234 = s.wz * t214;
    let t235 = shared_values[6] * t233;
    let t236 = shared_values[10] * t234;
    let t237 = shared_values[0] * t212;
    let t238 = shared_values[0] * t211;
    let t239 = -(t238);
    let t240 = shared_values[3] * t237;
    let t241 = shared_values[3] * t239;
    let t242 = t213 * t241;
    let t243 = -(t242);
    let t244 = t213 * t240;
    let t245 = t243 - t210 * t240;
    let t246 = t244 - t210 * t241;
    let t247 = t235 - shared_values[11] * t246;
    let t248 = shared_values[11] * t245 + t236;
    let t249 = shared_values[7] * t229 + t173;
    let t250 = shared_values[7] * t230 + t174;
    let t251 = shared_values[7] * t231 + t175;
    let t252 = shared_values[7] * t232 + t176;
    let t253 = shared_values[7] * t247 + t165;
    let t254 = shared_values[7] * t248 + t166;
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
    let t268 = shared_values[9] * t258;
    let t269 = shared_values[9] * t261;
    let t270 = shared_values[9] * t264;
    let t271 = shared_values[9] * t267;
    let t272 = s.wz * t254;
    let t273 = s.wz * t253;
    let t274 = shared_values[6] * t272;
    let t275 = shared_values[10] * t273;
    let t276 = shared_values[0] * t251;
    let t277 = shared_values[0] * t250;
    let t278 = -(t277);
    let t279 = shared_values[3] * t276;
    let t280 = shared_values[3] * t278;
    let t281 = t252 * t280;
    let t282 = -(t281);
    let t283 = t252 * t279;
    let t284 = t282 - t249 * t279;
    let t285 = t283 - t249 * t280;
    let t286 = t274 - shared_values[11] * t285;
    let t287 = shared_values[11] * t284 + t275;
    let t288 = shared_values[3] * t229 + t190;
    let t289 = shared_values[3] * t230 + t191;
    let t290 = shared_values[3] * t231 + t192;
    let t291 = shared_values[3] * t232 + t193;
    let t292 = shared_values[3] * t247 + t208;
    let t293 = shared_values[3] * t248 + t209;
    let t294 = shared_values[3] * t268 + t288;
    let t295 = shared_values[3] * t269 + t289;
    let t296 = shared_values[3] * t270 + t290;
    let t297 = shared_values[3] * t271 + t291;
    let t298 = shared_values[3] * t286 + t292;
    let t299 = shared_values[3] * t287 + t293;
    let t300 = t173 + t268;
    let t301 = t174 + t269;
    let t302 = t175 + t270;
    let t303 = t176 + t271;
    let t304 = t165 + t286;
    let t305 = t166 + t287;
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
    let t318 = t294 - shared_values[9] * t308;
    let t319 = shared_values[9] * t311 + t295;
    let t320 = shared_values[9] * t314 + t296;
    let t321 = shared_values[9] * t317 + t297;
    let t322 = s.wz * t305;
    let t323 = s.wz * t304;
    let t324 = shared_values[6] * t322 + t298;
    let t325 = shared_values[10] * t323 + t299;
    let t326 = shared_values[0] * t302;
    let t327 = shared_values[0] * t301;
    let t328 = -(t327);
    let t329 = shared_values[3] * t326;
    let t330 = shared_values[3] * t328;
    let t331 = t303 * t330;
    let t332 = -(t331);
    let t333 = t303 * t329;
    let t334 = t332 - t300 * t329;
    let t335 = t333 - t300 * t330;
    let t336 = t324 - shared_values[11] * t335;
    let t337 = shared_values[11] * t334 + t325;
    let t338 = shared_values[8] * t318 + t173;
    let t339 = shared_values[8] * t319 + t174;
    let t340 = shared_values[8] * t320 + t175;
    let t341 = shared_values[8] * t321 + t176;
    let t342 = shared_values[8] * t336 + t165;
    let t343 = shared_values[8] * t337 + t166;
    let t344 = t338 * t338;
    let t345 = t339 * t339 + t344;
    let t346 = t340 * t340 + t345;
    let t347 = t341 * t341 + t346;
    let t348 = sqrt(t347);
    let t349 = 1.0lf / t348;
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
    let t0 = s.wx * shared_values[1];
    let t1 = s.wy * shared_values[1];
    let t2 = s.wx * t0;
    let t3 = s.wy * t1 + t2;
    let t4 = s.wz * s.wz + t3;
    let t5 = shared_values[7] * t4;
    let t6 = t5 - parameters[0u * run.stride + instance];
    let t7 = -(s.q1);
    let t8 = s.q2 * shared_values[3];
    let t9 = shared_values[3] * t7;
    let t10 = s.q1 * t9;
    let t11 = t10 - s.q2 * t8;
    let t12 = 1.0lf + t11;
    let t13 = shared_values[0] * t12;
    let t14 = t6 - t13;
    let t15 = parameters[1u * run.stride + instance] * shared_values[12];
    return EnergyChange(t14, t15);
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
