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

// What the method carries, at the start. (610 operations.)
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
    let t13 = s.q0 * s.q0;
    let t14 = s.q1 * s.q1 + t13;
    let t15 = s.q2 * s.q2 + t14;
    let t16 = s.q3 * s.q3 + t15;
    let t17 = sqrt(t16);
    let t18 = 1.0lf / t17;
    let t19 = s.q0 * t18;
    let t20 = s.q1 * t18;
    let t21 = s.q2 * t18;
    let t22 = s.q3 * t18;
    let t23 = shared_values[9] * t3;
    let t24 = shared_values[9] * t6;
    let t25 = shared_values[9] * t9;
    let t26 = shared_values[9] * t12;
    let t27 = s.wy * s.wz;
    let t28 = s.wx * s.wz;
    let t29 = shared_values[6] * t27;
    let t30 = shared_values[10] * t28;
    let t31 = shared_values[0] * t21;
    let t32 = shared_values[0] * t20;
    let t33 = -(t32);
    let t34 = shared_values[3] * t31;
    let t35 = shared_values[3] * t33;
    let t36 = t22 * t35;
    let t37 = -(t36);
    let t38 = t22 * t34;
    let t39 = t37 - t19 * t34;
    let t40 = t38 - t19 * t35;
    let t41 = t29 - shared_values[11] * t40;
    let t42 = shared_values[11] * t39 + t30;
    let t43 = shared_values[7] * t23 + s.q0;
    let t44 = shared_values[7] * t24 + s.q1;
    let t45 = shared_values[7] * t25 + s.q2;
    let t46 = shared_values[7] * t26 + s.q3;
    let t47 = shared_values[7] * t41 + s.wx;
    let t48 = shared_values[7] * t42 + s.wy;
    let t49 = t44 * t47;
    let t50 = t45 * t48 + t49;
    let t51 = s.wz * t46 + t50;
    let t52 = -(t51);
    let t53 = t43 * t47;
    let t54 = s.wz * t45 + t53;
    let t55 = t54 - t46 * t48;
    let t56 = t43 * t48;
    let t57 = t46 * t47 + t56;
    let t58 = t57 - s.wz * t44;
    let t59 = s.wz * t43;
    let t60 = t44 * t48 + t59;
    let t61 = t60 - t45 * t47;
    let t62 = t43 * t43;
    let t63 = t44 * t44 + t62;
    let t64 = t45 * t45 + t63;
    let t65 = t46 * t46 + t64;
    let t66 = sqrt(t65);
    let t67 = 1.0lf / t66;
    let t68 = t43 * t67;
    let t69 = t44 * t67;
    let t70 = t45 * t67;
    let t71 = t46 * t67;
    let t72 = shared_values[9] * t52;
    let t73 = shared_values[9] * t55;
    let t74 = shared_values[9] * t58;
    let t75 = shared_values[9] * t61;
    let t76 = s.wz * t48;
    let t77 = s.wz * t47;
    let t78 = shared_values[6] * t76;
    let t79 = shared_values[10] * t77;
    let t80 = shared_values[0] * t70;
    let t81 = shared_values[0] * t69;
    let t82 = -(t81);
    let t83 = shared_values[3] * t80;
    let t84 = shared_values[3] * t82;
    let t85 = t71 * t84;
    let t86 = -(t85);
    let t87 = t71 * t83;
    let t88 = t86 - t68 * t83;
    let t89 = t87 - t68 * t84;
    let t90 = t78 - shared_values[11] * t89;
    let t91 = shared_values[11] * t88 + t79;
    let t92 = shared_values[7] * t72 + s.q0;
    let t93 = shared_values[7] * t73 + s.q1;
    let t94 = shared_values[7] * t74 + s.q2;
    let t95 = shared_values[7] * t75 + s.q3;
    let t96 = shared_values[7] * t90 + s.wx;
    let t97 = shared_values[7] * t91 + s.wy;
    let t98 = t93 * t96;
    let t99 = t94 * t97 + t98;
    let t100 = s.wz * t95 + t99;
    let t101 = -(t100);
    let t102 = t92 * t96;
    let t103 = s.wz * t94 + t102;
    let t104 = t103 - t95 * t97;
    let t105 = t92 * t97;
    let t106 = t95 * t96 + t105;
    let t107 = t106 - s.wz * t93;
    let t108 = s.wz * t92;
    let t109 = t93 * t97 + t108;
    let t110 = t109 - t94 * t96;
    let t111 = t92 * t92;
    let t112 = t93 * t93 + t111;
    let t113 = t94 * t94 + t112;
    let t114 = t95 * t95 + t113;
    let t115 = sqrt(t114);
    let t116 = 1.0lf / t115;
    let t117 = t92 * t116;
    let t118 = t93 * t116;
    let t119 = t94 * t116;
    let t120 = t95 * t116;
    let t121 = shared_values[9] * t101;
    let t122 = shared_values[9] * t104;
    let t123 = shared_values[9] * t107;
    let t124 = shared_values[9] * t110;
    let t125 = s.wz * t97;
    let t126 = s.wz * t96;
    let t127 = shared_values[6] * t125;
    let t128 = shared_values[10] * t126;
    let t129 = shared_values[0] * t119;
    let t130 = shared_values[0] * t118;
    let t131 = -(t130);
    let t132 = shared_values[3] * t129;
    let t133 = shared_values[3] * t131;
    let t134 = t120 * t133;
    let t135 = -(t134);
    let t136 = t120 * t132;
    let t137 = t135 - t117 * t132;
    let t138 = t136 - t117 * t133;
    let t139 = t127 - shared_values[11] * t138;
    let t140 = shared_values[11] * t137 + t128;
    let t141 = shared_values[3] * t72 + t23;
    let t142 = shared_values[3] * t73 + t24;
    let t143 = shared_values[3] * t74 + t25;
    let t144 = shared_values[3] * t75 + t26;
    let t145 = shared_values[3] * t90 + t41;
    let t146 = shared_values[3] * t91 + t42;
    let t147 = shared_values[3] * t121 + t141;
    let t148 = shared_values[3] * t122 + t142;
    let t149 = shared_values[3] * t123 + t143;
    let t150 = shared_values[3] * t124 + t144;
    let t151 = shared_values[3] * t139 + t145;
    let t152 = shared_values[3] * t140 + t146;
    let t153 = s.q0 + t121;
    let t154 = s.q1 + t122;
    let t155 = s.q2 + t123;
    let t156 = s.q3 + t124;
    let t157 = s.wx + t139;
    let t158 = s.wy + t140;
    let t159 = t154 * t157;
    let t160 = t155 * t158 + t159;
    let t161 = s.wz * t156 + t160;
    let t162 = t153 * t157;
    let t163 = s.wz * t155 + t162;
    let t164 = t163 - t156 * t158;
    let t165 = t153 * t158;
    let t166 = t156 * t157 + t165;
    let t167 = t166 - s.wz * t154;
    let t168 = s.wz * t153;
    let t169 = t154 * t158 + t168;
    let t170 = t169 - t155 * t157;
    let t171 = t153 * t153;
    let t172 = t154 * t154 + t171;
    let t173 = t155 * t155 + t172;
    let t174 = t156 * t156 + t173;
    let t175 = sqrt(t174);
    let t176 = 1.0lf / t175;
    let t177 = t153 * t176;
    let t178 = t154 * t176;
    let t179 = t155 * t176;
    let t180 = t156 * t176;
    let t181 = t147 - shared_values[9] * t161;
    let t182 = shared_values[9] * t164 + t148;
    let t183 = shared_values[9] * t167 + t149;
    let t184 = shared_values[9] * t170 + t150;
    let t185 = s.wz * t158;
    let t186 = s.wz * t157;
    let t187 = shared_values[6] * t185 + t151;
    let t188 = shared_values[10] * t186 + t152;
    let t189 = shared_values[0] * t179;
    let t190 = shared_values[0] * t178;
    let t191 = -(t190);
    let t192 = shared_values[3] * t189;
    let t193 = shared_values[3] * t191;
    let t194 = t180 * t193;
    let t195 = -(t194);
    let t196 = t180 * t192;
    let t197 = t195 - t177 * t192;
    let t198 = t196 - t177 * t193;
    let t199 = t187 - shared_values[11] * t198;
    let t200 = shared_values[11] * t197 + t188;
    let t201 = shared_values[8] * t181 + s.q0;
    let t202 = shared_values[8] * t182 + s.q1;
    let t203 = shared_values[8] * t183 + s.q2;
    let t204 = shared_values[8] * t184 + s.q3;
    let t205 = shared_values[8] * t199 + s.wx;
    let t206 = shared_values[8] * t200 + s.wy;
    let t207 = t201 * t201;
    let t208 = t202 * t202 + t207;
    let t209 = t203 * t203 + t208;
    let t210 = t204 * t204 + t209;
    let t211 = sqrt(t210);
    let t212 = 1.0lf / t211;
    let t213 = t201 * t212;
    let t214 = t202 * t212;
    let t215 = t203 * t212;
    let t216 = t204 * t212;
    let t217 = t205 * t214;
    let t218 = t206 * t215 + t217;
    let t219 = s.wz * t216 + t218;
    let t220 = -(t219);
    let t221 = t205 * t213;
    let t222 = s.wz * t215 + t221;
    let t223 = t222 - t206 * t216;
    let t224 = t206 * t213;
    let t225 = t205 * t216 + t224;
    let t226 = t225 - s.wz * t214;
    let t227 = s.wz * t213;
    let t228 = t206 * t214 + t227;
    let t229 = t228 - t205 * t215;
    let t230 = t213 * t213;
    let t231 = t214 * t214 + t230;
    let t232 = t215 * t215 + t231;
    let t233 = t216 * t216 + t232;
    let t234 = sqrt(t233);
    let t235 = 1.0lf / t234;
    let t236 = t213 * t235;
    let t237 = t214 * t235;
    let t238 = t215 * t235;
    let t239 = t216 * t235;
    let t240 = shared_values[9] * t220;
    let t241 = shared_values[9] * t223;
    let t242 = shared_values[9] * t226;
    let t243 = shared_values[9] * t229;
    let t244 = s.wz * t206;
    let t245 = s.wz * t205;
    let t246 = shared_values[6] * t244;
    let t247 = shared_values[10] * t245;
    let t248 = shared_values[0] * t238;
    let t249 = shared_values[0] * t237;
    let t250 = -(t249);
    let t251 = shared_values[3] * t248;
    let t252 = shared_values[3] * t250;
    let t253 = t239 * t252;
    let t254 = -(t253);
    let t255 = t239 * t251;
    let t256 = t254 - t236 * t251;
    let t257 = t255 - t236 * t252;
    let t258 = t246 - shared_values[11] * t257;
    let t259 = shared_values[11] * t256 + t247;
    let t260 = shared_values[7] * t240 + t213;
    let t261 = shared_values[7] * t241 + t214;
    let t262 = shared_values[7] * t242 + t215;
    let t263 = shared_values[7] * t243 + t216;
    let t264 = shared_values[7] * t258 + t205;
    let t265 = shared_values[7] * t259 + t206;
    let t266 = t261 * t264;
    let t267 = t262 * t265 + t266;
    let t268 = s.wz * t263 + t267;
    let t269 = -(t268);
    let t270 = t260 * t264;
    let t271 = s.wz * t262 + t270;
    let t272 = t271 - t263 * t265;
    let t273 = t260 * t265;
    let t274 = t263 * t264 + t273;
    let t275 = t274 - s.wz * t261;
    let t276 = s.wz * t260;
    let t277 = t261 * t265 + t276;
    let t278 = t277 - t262 * t264;
    let t279 = t260 * t260;
    let t280 = t261 * t261 + t279;
    let t281 = t262 * t262 + t280;
    let t282 = t263 * t263 + t281;
    let t283 = sqrt(t282);
    let t284 = 1.0lf / t283;
    let t285 = t260 * t284;
    let t286 = t261 * t284;
    let t287 = t262 * t284;
    let t288 = t263 * t284;
    let t289 = shared_values[9] * t269;
    let t290 = shared_values[9] * t272;
    let t291 = shared_values[9] * t275;
    let t292 = shared_values[9] * t278;
    let t293 = s.wz * t265;
    let t294 = s.wz * t264;
    let t295 = shared_values[6] * t293;
    let t296 = shared_values[10] * t294;
    let t297 = shared_values[0] * t287;
    let t298 = shared_values[0] * t286;
    let t299 = -(t298);
    let t300 = shared_values[3] * t297;
    let t301 = shared_values[3] * t299;
    let t302 = t288 * t301;
    let t303 = -(t302);
    let t304 = t288 * t300;
    let t305 = t303 - t285 * t300;
    let t306 = t304 - t285 * t301;
    let t307 = t295 - shared_values[11] * t306;
    let t308 = shared_values[11] * t305 + t296;
    let t309 = shared_values[7] * t289 + t213;
    let t310 = shared_values[7] * t290 + t214;
    let t311 = shared_values[7] * t291 + t215;
    let t312 = shared_values[7] * t292 + t216;
    let t313 = shared_values[7] * t307 + t205;
    let t314 = shared_values[7] * t308 + t206;
    let t315 = t310 * t313;
    let t316 = t311 * t314 + t315;
    let t317 = s.wz * t312 + t316;
    let t318 = -(t317);
    let t319 = t309 * t313;
    let t320 = s.wz * t311 + t319;
    let t321 = t320 - t312 * t314;
    let t322 = t309 * t314;
    let t323 = t312 * t313 + t322;
    let t324 = t323 - s.wz * t310;
    let t325 = s.wz * t309;
    let t326 = t310 * t314 + t325;
    let t327 = t326 - t311 * t313;
    let t328 = t309 * t309;
    let t329 = t310 * t310 + t328;
    let t330 = t311 * t311 + t329;
    let t331 = t312 * t312 + t330;
    let t332 = sqrt(t331);
    let t333 = 1.0lf / t332;
    let t334 = t309 * t333;
    let t335 = t310 * t333;
    let t336 = t311 * t333;
    let t337 = t312 * t333;
    let t338 = shared_values[9] * t318;
    let t339 = shared_values[9] * t321;
    let t340 = shared_values[9] * t324;
    let t341 = shared_values[9] * t327;
    let t342 = s.wz * t314;
    let t343 = s.wz * t313;
    let t344 = shared_values[6] * t342;
    let t345 = shared_values[10] * t343;
    let t346 = shared_values[0] * t336;
    let t347 = shared_values[0] * t335;
    let t348 = -(t347);
    let t349 = shared_values[3] * t346;
    let t350 = shared_values[3] * t348;
    let t351 = t337 * t350;
    let t352 = -(t351);
    let t353 = t337 * t349;
    let t354 = t352 - t334 * t349;
    let t355 = t353 - t334 * t350;
    let t356 = t344 - shared_values[11] * t355;
    let t357 = shared_values[11] * t354 + t345;
    let t358 = shared_values[3] * t289 + t240;
    let t359 = shared_values[3] * t290 + t241;
    let t360 = shared_values[3] * t291 + t242;
    let t361 = shared_values[3] * t292 + t243;
    let t362 = shared_values[3] * t307 + t258;
    let t363 = shared_values[3] * t308 + t259;
    let t364 = shared_values[3] * t338 + t358;
    let t365 = shared_values[3] * t339 + t359;
    let t366 = shared_values[3] * t340 + t360;
    let t367 = shared_values[3] * t341 + t361;
    let t368 = shared_values[3] * t356 + t362;
    let t369 = shared_values[3] * t357 + t363;
    let t370 = t213 + t338;
    let t371 = t214 + t339;
    let t372 = t215 + t340;
    let t373 = t216 + t341;
    let t374 = t205 + t356;
    let t375 = t206 + t357;
    let t376 = t371 * t374;
    let t377 = t372 * t375 + t376;
    let t378 = s.wz * t373 + t377;
    let t379 = t370 * t374;
    let t380 = s.wz * t372 + t379;
    let t381 = t380 - t373 * t375;
    let t382 = t370 * t375;
    let t383 = t373 * t374 + t382;
    let t384 = t383 - s.wz * t371;
    let t385 = s.wz * t370;
    let t386 = t371 * t375 + t385;
    let t387 = t386 - t372 * t374;
    let t388 = t370 * t370;
    let t389 = t371 * t371 + t388;
    let t390 = t372 * t372 + t389;
    let t391 = t373 * t373 + t390;
    let t392 = sqrt(t391);
    let t393 = 1.0lf / t392;
    let t394 = t370 * t393;
    let t395 = t371 * t393;
    let t396 = t372 * t393;
    let t397 = t373 * t393;
    let t398 = t364 - shared_values[9] * t378;
    let t399 = shared_values[9] * t381 + t365;
    let t400 = shared_values[9] * t384 + t366;
    let t401 = shared_values[9] * t387 + t367;
    let t402 = s.wz * t375;
    let t403 = s.wz * t374;
    let t404 = shared_values[6] * t402 + t368;
    let t405 = shared_values[10] * t403 + t369;
    let t406 = shared_values[0] * t396;
    let t407 = shared_values[0] * t395;
    let t408 = -(t407);
    let t409 = shared_values[3] * t406;
    let t410 = shared_values[3] * t408;
    let t411 = t397 * t410;
    let t412 = -(t411);
    let t413 = t397 * t409;
    let t414 = t412 - t394 * t409;
    let t415 = t413 - t394 * t410;
    let t416 = t404 - shared_values[11] * t415;
    let t417 = shared_values[11] * t414 + t405;
    let t418 = shared_values[8] * t398 + t213;
    let t419 = shared_values[8] * t399 + t214;
    let t420 = shared_values[8] * t400 + t215;
    let t421 = shared_values[8] * t401 + t216;
    let t422 = shared_values[8] * t416 + t205;
    let t423 = shared_values[8] * t417 + t206;
    let t424 = t418 * t418;
    let t425 = t419 * t419 + t424;
    let t426 = t420 * t420 + t425;
    let t427 = t421 * t421 + t426;
    let t428 = sqrt(t427);
    let t429 = 1.0lf / t428;
    let t430 = t418 * t429;
    let t431 = t419 * t429;
    let t432 = t420 * t429;
    let t433 = t421 * t429;
    var next = s;
    next.half_q0 = t430;
    next.half_q1 = t431;
    next.half_q2 = t432;
    next.half_q3 = t433;
    next.half_wx = t422;
    next.half_wy = t423;
    next.half_wz = s.wz;
    return next;
}

// What the method carries after it was resynchronised. (610 operations.)
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
    let t13 = s.q0 * s.q0;
    let t14 = s.q1 * s.q1 + t13;
    let t15 = s.q2 * s.q2 + t14;
    let t16 = s.q3 * s.q3 + t15;
    let t17 = sqrt(t16);
    let t18 = 1.0lf / t17;
    let t19 = s.q0 * t18;
    let t20 = s.q1 * t18;
    let t21 = s.q2 * t18;
    let t22 = s.q3 * t18;
    let t23 = shared_values[9] * t3;
    let t24 = shared_values[9] * t6;
    let t25 = shared_values[9] * t9;
    let t26 = shared_values[9] * t12;
    let t27 = s.wy * s.wz;
    let t28 = s.wx * s.wz;
    let t29 = shared_values[6] * t27;
    let t30 = shared_values[10] * t28;
    let t31 = shared_values[0] * t21;
    let t32 = shared_values[0] * t20;
    let t33 = -(t32);
    let t34 = shared_values[3] * t31;
    let t35 = shared_values[3] * t33;
    let t36 = t22 * t35;
    let t37 = -(t36);
    let t38 = t22 * t34;
    let t39 = t37 - t19 * t34;
    let t40 = t38 - t19 * t35;
    let t41 = t29 - shared_values[11] * t40;
    let t42 = shared_values[11] * t39 + t30;
    let t43 = shared_values[7] * t23 + s.q0;
    let t44 = shared_values[7] * t24 + s.q1;
    let t45 = shared_values[7] * t25 + s.q2;
    let t46 = shared_values[7] * t26 + s.q3;
    let t47 = shared_values[7] * t41 + s.wx;
    let t48 = shared_values[7] * t42 + s.wy;
    let t49 = t44 * t47;
    let t50 = t45 * t48 + t49;
    let t51 = s.wz * t46 + t50;
    let t52 = -(t51);
    let t53 = t43 * t47;
    let t54 = s.wz * t45 + t53;
    let t55 = t54 - t46 * t48;
    let t56 = t43 * t48;
    let t57 = t46 * t47 + t56;
    let t58 = t57 - s.wz * t44;
    let t59 = s.wz * t43;
    let t60 = t44 * t48 + t59;
    let t61 = t60 - t45 * t47;
    let t62 = t43 * t43;
    let t63 = t44 * t44 + t62;
    let t64 = t45 * t45 + t63;
    let t65 = t46 * t46 + t64;
    let t66 = sqrt(t65);
    let t67 = 1.0lf / t66;
    let t68 = t43 * t67;
    let t69 = t44 * t67;
    let t70 = t45 * t67;
    let t71 = t46 * t67;
    let t72 = shared_values[9] * t52;
    let t73 = shared_values[9] * t55;
    let t74 = shared_values[9] * t58;
    let t75 = shared_values[9] * t61;
    let t76 = s.wz * t48;
    let t77 = s.wz * t47;
    let t78 = shared_values[6] * t76;
    let t79 = shared_values[10] * t77;
    let t80 = shared_values[0] * t70;
    let t81 = shared_values[0] * t69;
    let t82 = -(t81);
    let t83 = shared_values[3] * t80;
    let t84 = shared_values[3] * t82;
    let t85 = t71 * t84;
    let t86 = -(t85);
    let t87 = t71 * t83;
    let t88 = t86 - t68 * t83;
    let t89 = t87 - t68 * t84;
    let t90 = t78 - shared_values[11] * t89;
    let t91 = shared_values[11] * t88 + t79;
    let t92 = shared_values[7] * t72 + s.q0;
    let t93 = shared_values[7] * t73 + s.q1;
    let t94 = shared_values[7] * t74 + s.q2;
    let t95 = shared_values[7] * t75 + s.q3;
    let t96 = shared_values[7] * t90 + s.wx;
    let t97 = shared_values[7] * t91 + s.wy;
    let t98 = t93 * t96;
    let t99 = t94 * t97 + t98;
    let t100 = s.wz * t95 + t99;
    let t101 = -(t100);
    let t102 = t92 * t96;
    let t103 = s.wz * t94 + t102;
    let t104 = t103 - t95 * t97;
    let t105 = t92 * t97;
    let t106 = t95 * t96 + t105;
    let t107 = t106 - s.wz * t93;
    let t108 = s.wz * t92;
    let t109 = t93 * t97 + t108;
    let t110 = t109 - t94 * t96;
    let t111 = t92 * t92;
    let t112 = t93 * t93 + t111;
    let t113 = t94 * t94 + t112;
    let t114 = t95 * t95 + t113;
    let t115 = sqrt(t114);
    let t116 = 1.0lf / t115;
    let t117 = t92 * t116;
    let t118 = t93 * t116;
    let t119 = t94 * t116;
    let t120 = t95 * t116;
    let t121 = shared_values[9] * t101;
    let t122 = shared_values[9] * t104;
    let t123 = shared_values[9] * t107;
    let t124 = shared_values[9] * t110;
    let t125 = s.wz * t97;
    let t126 = s.wz * t96;
    let t127 = shared_values[6] * t125;
    let t128 = shared_values[10] * t126;
    let t129 = shared_values[0] * t119;
    let t130 = shared_values[0] * t118;
    let t131 = -(t130);
    let t132 = shared_values[3] * t129;
    let t133 = shared_values[3] * t131;
    let t134 = t120 * t133;
    let t135 = -(t134);
    let t136 = t120 * t132;
    let t137 = t135 - t117 * t132;
    let t138 = t136 - t117 * t133;
    let t139 = t127 - shared_values[11] * t138;
    let t140 = shared_values[11] * t137 + t128;
    let t141 = shared_values[3] * t72 + t23;
    let t142 = shared_values[3] * t73 + t24;
    let t143 = shared_values[3] * t74 + t25;
    let t144 = shared_values[3] * t75 + t26;
    let t145 = shared_values[3] * t90 + t41;
    let t146 = shared_values[3] * t91 + t42;
    let t147 = shared_values[3] * t121 + t141;
    let t148 = shared_values[3] * t122 + t142;
    let t149 = shared_values[3] * t123 + t143;
    let t150 = shared_values[3] * t124 + t144;
    let t151 = shared_values[3] * t139 + t145;
    let t152 = shared_values[3] * t140 + t146;
    let t153 = s.q0 + t121;
    let t154 = s.q1 + t122;
    let t155 = s.q2 + t123;
    let t156 = s.q3 + t124;
    let t157 = s.wx + t139;
    let t158 = s.wy + t140;
    let t159 = t154 * t157;
    let t160 = t155 * t158 + t159;
    let t161 = s.wz * t156 + t160;
    let t162 = t153 * t157;
    let t163 = s.wz * t155 + t162;
    let t164 = t163 - t156 * t158;
    let t165 = t153 * t158;
    let t166 = t156 * t157 + t165;
    let t167 = t166 - s.wz * t154;
    let t168 = s.wz * t153;
    let t169 = t154 * t158 + t168;
    let t170 = t169 - t155 * t157;
    let t171 = t153 * t153;
    let t172 = t154 * t154 + t171;
    let t173 = t155 * t155 + t172;
    let t174 = t156 * t156 + t173;
    let t175 = sqrt(t174);
    let t176 = 1.0lf / t175;
    let t177 = t153 * t176;
    let t178 = t154 * t176;
    let t179 = t155 * t176;
    let t180 = t156 * t176;
    let t181 = t147 - shared_values[9] * t161;
    let t182 = shared_values[9] * t164 + t148;
    let t183 = shared_values[9] * t167 + t149;
    let t184 = shared_values[9] * t170 + t150;
    let t185 = s.wz * t158;
    let t186 = s.wz * t157;
    let t187 = shared_values[6] * t185 + t151;
    let t188 = shared_values[10] * t186 + t152;
    let t189 = shared_values[0] * t179;
    let t190 = shared_values[0] * t178;
    let t191 = -(t190);
    let t192 = shared_values[3] * t189;
    let t193 = shared_values[3] * t191;
    let t194 = t180 * t193;
    let t195 = -(t194);
    let t196 = t180 * t192;
    let t197 = t195 - t177 * t192;
    let t198 = t196 - t177 * t193;
    let t199 = t187 - shared_values[11] * t198;
    let t200 = shared_values[11] * t197 + t188;
    let t201 = shared_values[8] * t181 + s.q0;
    let t202 = shared_values[8] * t182 + s.q1;
    let t203 = shared_values[8] * t183 + s.q2;
    let t204 = shared_values[8] * t184 + s.q3;
    let t205 = shared_values[8] * t199 + s.wx;
    let t206 = shared_values[8] * t200 + s.wy;
    let t207 = t201 * t201;
    let t208 = t202 * t202 + t207;
    let t209 = t203 * t203 + t208;
    let t210 = t204 * t204 + t209;
    let t211 = sqrt(t210);
    let t212 = 1.0lf / t211;
    let t213 = t201 * t212;
    let t214 = t202 * t212;
    let t215 = t203 * t212;
    let t216 = t204 * t212;
    let t217 = t205 * t214;
    let t218 = t206 * t215 + t217;
    let t219 = s.wz * t216 + t218;
    let t220 = -(t219);
    let t221 = t205 * t213;
    let t222 = s.wz * t215 + t221;
    let t223 = t222 - t206 * t216;
    let t224 = t206 * t213;
    let t225 = t205 * t216 + t224;
    let t226 = t225 - s.wz * t214;
    let t227 = s.wz * t213;
    let t228 = t206 * t214 + t227;
    let t229 = t228 - t205 * t215;
    let t230 = t213 * t213;
    let t231 = t214 * t214 + t230;
    let t232 = t215 * t215 + t231;
    let t233 = t216 * t216 + t232;
    let t234 = sqrt(t233);
    let t235 = 1.0lf / t234;
    let t236 = t213 * t235;
    let t237 = t214 * t235;
    let t238 = t215 * t235;
    let t239 = t216 * t235;
    let t240 = shared_values[9] * t220;
    let t241 = shared_values[9] * t223;
    let t242 = shared_values[9] * t226;
    let t243 = shared_values[9] * t229;
    let t244 = s.wz * t206;
    let t245 = s.wz * t205;
    let t246 = shared_values[6] * t244;
    let t247 = shared_values[10] * t245;
    let t248 = shared_values[0] * t238;
    let t249 = shared_values[0] * t237;
    let t250 = -(t249);
    let t251 = shared_values[3] * t248;
    let t252 = shared_values[3] * t250;
    let t253 = t239 * t252;
    let t254 = -(t253);
    let t255 = t239 * t251;
    let t256 = t254 - t236 * t251;
    let t257 = t255 - t236 * t252;
    let t258 = t246 - shared_values[11] * t257;
    let t259 = shared_values[11] * t256 + t247;
    let t260 = shared_values[7] * t240 + t213;
    let t261 = shared_values[7] * t241 + t214;
    let t262 = shared_values[7] * t242 + t215;
    let t263 = shared_values[7] * t243 + t216;
    let t264 = shared_values[7] * t258 + t205;
    let t265 = shared_values[7] * t259 + t206;
    let t266 = t261 * t264;
    let t267 = t262 * t265 + t266;
    let t268 = s.wz * t263 + t267;
    let t269 = -(t268);
    let t270 = t260 * t264;
    let t271 = s.wz * t262 + t270;
    let t272 = t271 - t263 * t265;
    let t273 = t260 * t265;
    let t274 = t263 * t264 + t273;
    let t275 = t274 - s.wz * t261;
    let t276 = s.wz * t260;
    let t277 = t261 * t265 + t276;
    let t278 = t277 - t262 * t264;
    let t279 = t260 * t260;
    let t280 = t261 * t261 + t279;
    let t281 = t262 * t262 + t280;
    let t282 = t263 * t263 + t281;
    let t283 = sqrt(t282);
    let t284 = 1.0lf / t283;
    let t285 = t260 * t284;
    let t286 = t261 * t284;
    let t287 = t262 * t284;
    let t288 = t263 * t284;
    let t289 = shared_values[9] * t269;
    let t290 = shared_values[9] * t272;
    let t291 = shared_values[9] * t275;
    let t292 = shared_values[9] * t278;
    let t293 = s.wz * t265;
    let t294 = s.wz * t264;
    let t295 = shared_values[6] * t293;
    let t296 = shared_values[10] * t294;
    let t297 = shared_values[0] * t287;
    let t298 = shared_values[0] * t286;
    let t299 = -(t298);
    let t300 = shared_values[3] * t297;
    let t301 = shared_values[3] * t299;
    let t302 = t288 * t301;
    let t303 = -(t302);
    let t304 = t288 * t300;
    let t305 = t303 - t285 * t300;
    let t306 = t304 - t285 * t301;
    let t307 = t295 - shared_values[11] * t306;
    let t308 = shared_values[11] * t305 + t296;
    let t309 = shared_values[7] * t289 + t213;
    let t310 = shared_values[7] * t290 + t214;
    let t311 = shared_values[7] * t291 + t215;
    let t312 = shared_values[7] * t292 + t216;
    let t313 = shared_values[7] * t307 + t205;
    let t314 = shared_values[7] * t308 + t206;
    let t315 = t310 * t313;
    let t316 = t311 * t314 + t315;
    let t317 = s.wz * t312 + t316;
    let t318 = -(t317);
    let t319 = t309 * t313;
    let t320 = s.wz * t311 + t319;
    let t321 = t320 - t312 * t314;
    let t322 = t309 * t314;
    let t323 = t312 * t313 + t322;
    let t324 = t323 - s.wz * t310;
    let t325 = s.wz * t309;
    let t326 = t310 * t314 + t325;
    let t327 = t326 - t311 * t313;
    let t328 = t309 * t309;
    let t329 = t310 * t310 + t328;
    let t330 = t311 * t311 + t329;
    let t331 = t312 * t312 + t330;
    let t332 = sqrt(t331);
    let t333 = 1.0lf / t332;
    let t334 = t309 * t333;
    let t335 = t310 * t333;
    let t336 = t311 * t333;
    let t337 = t312 * t333;
    let t338 = shared_values[9] * t318;
    let t339 = shared_values[9] * t321;
    let t340 = shared_values[9] * t324;
    let t341 = shared_values[9] * t327;
    let t342 = s.wz * t314;
    let t343 = s.wz * t313;
    let t344 = shared_values[6] * t342;
    let t345 = shared_values[10] * t343;
    let t346 = shared_values[0] * t336;
    let t347 = shared_values[0] * t335;
    let t348 = -(t347);
    let t349 = shared_values[3] * t346;
    let t350 = shared_values[3] * t348;
    let t351 = t337 * t350;
    let t352 = -(t351);
    let t353 = t337 * t349;
    let t354 = t352 - t334 * t349;
    let t355 = t353 - t334 * t350;
    let t356 = t344 - shared_values[11] * t355;
    let t357 = shared_values[11] * t354 + t345;
    let t358 = shared_values[3] * t289 + t240;
    let t359 = shared_values[3] * t290 + t241;
    let t360 = shared_values[3] * t291 + t242;
    let t361 = shared_values[3] * t292 + t243;
    let t362 = shared_values[3] * t307 + t258;
    let t363 = shared_values[3] * t308 + t259;
    let t364 = shared_values[3] * t338 + t358;
    let t365 = shared_values[3] * t339 + t359;
    let t366 = shared_values[3] * t340 + t360;
    let t367 = shared_values[3] * t341 + t361;
    let t368 = shared_values[3] * t356 + t362;
    let t369 = shared_values[3] * t357 + t363;
    let t370 = t213 + t338;
    let t371 = t214 + t339;
    let t372 = t215 + t340;
    let t373 = t216 + t341;
    let t374 = t205 + t356;
    let t375 = t206 + t357;
    let t376 = t371 * t374;
    let t377 = t372 * t375 + t376;
    let t378 = s.wz * t373 + t377;
    let t379 = t370 * t374;
    let t380 = s.wz * t372 + t379;
    let t381 = t380 - t373 * t375;
    let t382 = t370 * t375;
    let t383 = t373 * t374 + t382;
    let t384 = t383 - s.wz * t371;
    let t385 = s.wz * t370;
    let t386 = t371 * t375 + t385;
    let t387 = t386 - t372 * t374;
    let t388 = t370 * t370;
    let t389 = t371 * t371 + t388;
    let t390 = t372 * t372 + t389;
    let t391 = t373 * t373 + t390;
    let t392 = sqrt(t391);
    let t393 = 1.0lf / t392;
    let t394 = t370 * t393;
    let t395 = t371 * t393;
    let t396 = t372 * t393;
    let t397 = t373 * t393;
    let t398 = t364 - shared_values[9] * t378;
    let t399 = shared_values[9] * t381 + t365;
    let t400 = shared_values[9] * t384 + t366;
    let t401 = shared_values[9] * t387 + t367;
    let t402 = s.wz * t375;
    let t403 = s.wz * t374;
    let t404 = shared_values[6] * t402 + t368;
    let t405 = shared_values[10] * t403 + t369;
    let t406 = shared_values[0] * t396;
    let t407 = shared_values[0] * t395;
    let t408 = -(t407);
    let t409 = shared_values[3] * t406;
    let t410 = shared_values[3] * t408;
    let t411 = t397 * t410;
    let t412 = -(t411);
    let t413 = t397 * t409;
    let t414 = t412 - t394 * t409;
    let t415 = t413 - t394 * t410;
    let t416 = t404 - shared_values[11] * t415;
    let t417 = shared_values[11] * t414 + t405;
    let t418 = shared_values[8] * t398 + t213;
    let t419 = shared_values[8] * t399 + t214;
    let t420 = shared_values[8] * t400 + t215;
    let t421 = shared_values[8] * t401 + t216;
    let t422 = shared_values[8] * t416 + t205;
    let t423 = shared_values[8] * t417 + t206;
    let t424 = t418 * t418;
    let t425 = t419 * t419 + t424;
    let t426 = t420 * t420 + t425;
    let t427 = t421 * t421 + t426;
    let t428 = sqrt(t427);
    let t429 = 1.0lf / t428;
    let t430 = t418 * t429;
    let t431 = t419 * t429;
    let t432 = t420 * t429;
    let t433 = t421 * t429;
    var next = s;
    next.half_q0 = t430;
    next.half_q1 = t431;
    next.half_q2 = t432;
    next.half_q3 = t433;
    next.half_wx = t422;
    next.half_wy = t423;
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
