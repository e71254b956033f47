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
}

fn prepare(instance: u32) -> Prepared {
    var p: Prepared;
    p.c0 = shared_values[1];
    p.c1 = shared_values[2];
    p.c2 = shared_values[4];
    p.c3 = shared_values[6];
    p.c4 = shared_values[7];
    p.c5 = shared_values[8];
    p.c6 = shared_values[9];
    return p;
}

// One full step: 150 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.half_wy * s.half_wz;
    let t1 = s.half_wx * s.half_wz;
    let t2 = p.c3 * t0 + s.wx;
    let t3 = p.c4 * t1 + s.wy;
    let t4 = s.half_q2 * p.c1;
    let t5 = s.half_q1 * p.c1;
    let t6 = -(t5);
    let t7 = p.c6 * t4;
    let t8 = p.c6 * t6;
    let t9 = s.half_q3 * t8;
    let t10 = -(t9);
    let t11 = s.half_q3 * t7;
    let t12 = t10 - s.half_q0 * t7;
    let t13 = t11 - s.half_q0 * t8;
    let t14 = t2 - p.c5 * t13;
    let t15 = p.c5 * t12 + t3;
    let t16 = s.half_wx * p.c2;
    let t17 = s.half_wy * p.c2;
    let t18 = s.half_wz * p.c2;
    let t19 = t16 * t16 + p.c0;
    let t20 = t17 * t17 + t19;
    let t21 = t18 * t18 + t20;
    let t22 = p.c6 / t21;
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
    let t44 = p.c0 / t43;
    let t45 = t35 * t44;
    let t46 = t36 * t44;
    let t47 = t37 * t44;
    let t48 = t38 * t44;
    let t49 = s.wz * t15;
    let t50 = s.wz * t14;
    let t51 = p.c3 * t49 + s.half_wx;
    let t52 = p.c4 * t50 + s.half_wy;
    let t53 = p.c1 * t47;
    let t54 = p.c1 * t46;
    let t55 = -(t54);
    let t56 = p.c6 * t53;
    let t57 = p.c6 * t55;
    let t58 = t48 * t57;
    let t59 = -(t58);
    let t60 = t48 * t56;
    let t61 = t59 - t45 * t56;
    let t62 = t60 - t45 * t57;
    let t63 = t51 - p.c5 * t62;
    let t64 = p.c5 * t61 + t52;
    let t65 = p.c2 * t14;
    let t66 = p.c2 * t15;
    let t67 = s.wz * p.c2;
    let t68 = t65 * t65 + p.c0;
    let t69 = t66 * t66 + t68;
    let t70 = t67 * t67 + t69;
    let t71 = p.c6 / t70;
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
    let t93 = p.c0 / t92;
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

// What the method carries, at the start. (610 operations.)
fn begin(instance: u32, s: State) -> State {
    let t0 = s.q0 * s.q0;
    let t1 = s.q1 * s.q1 + t0;
    let t2 = s.q2 * s.q2 + t1;
    let t3 = s.q3 * s.q3 + t2;
    let t4 = sqrt(t3);
    let t5 = shared_values[1] / t4;
    let t6 = s.q0 * t5;
    let t7 = s.q1 * t5;
    let t8 = s.q2 * t5;
    let t9 = s.q3 * t5;
    let t10 = s.wy * s.wz;
    let t11 = s.wx * s.wz;
    let t12 = shared_values[8] * t10;
    let t13 = shared_values[11] * t11;
    let t14 = shared_values[2] * t8;
    let t15 = shared_values[2] * t7;
    let t16 = -(t15);
    let t17 = shared_values[9] * t14;
    let t18 = shared_values[9] * t16;
    let t19 = t9 * t18;
    let t20 = -(t19);
    let t21 = t9 * t17;
    let t22 = t20 - t6 * t17;
    let t23 = t21 - t6 * t18;
    let t24 = t12 - shared_values[12] * t23;
    let t25 = shared_values[12] * t22 + t13;
    let t26 = s.q1 * s.wx;
    let t27 = s.q2 * s.wy + t26;
    let t28 = s.q3 * s.wz + t27;
    let t29 = -(t28);
    let t30 = s.q0 * s.wx;
    let t31 = s.q2 * s.wz + t30;
    let t32 = t31 - s.q3 * s.wy;
    let t33 = s.q0 * s.wy;
    let t34 = s.q3 * s.wx + t33;
    let t35 = t34 - s.q1 * s.wz;
    let t36 = s.q0 * s.wz;
    let t37 = s.q1 * s.wy + t36;
    let t38 = t37 - s.q2 * s.wx;
    let t39 = shared_values[3] * t29;
    let t40 = shared_values[3] * t32;
    let t41 = shared_values[3] * t35;
    let t42 = shared_values[3] * t38;
    let t43 = shared_values[0] * t39 + s.q0;
    let t44 = shared_values[0] * t40 + s.q1;
    let t45 = shared_values[0] * t41 + s.q2;
    let t46 = shared_values[0] * t42 + s.q3;
    let t47 = shared_values[0] * t24 + s.wx;
    let t48 = shared_values[0] * t25 + s.wy;
    let t49 = t43 * t43;
    let t50 = t44 * t44 + t49;
    let t51 = t45 * t45 + t50;
    let t52 = t46 * t46 + t51;
    let t53 = sqrt(t52);
    let t54 = shared_values[1] / t53;
    let t55 = t43 * t54;
    let t56 = t44 * t54;
    let t57 = t45 * t54;
    let t58 = t46 * t54;
    let t59 = s.wz * t48;
    let t60 = s.wz * t47;
    let t61 = shared_values[8] * t59;
    let t62 = shared_values[11] * t60;
    let t63 = shared_values[2] * t57;
    let t64 = shared_values[2] * t56;
    let t65 = -(t64);
    let t66 = shared_values[9] * t63;
    let t67 = shared_values[9] * t65;
    let t68 = t58 * t67;
    let t69 = -(t68);
    let t70 = t58 * t66;
    let t71 = t69 - t55 * t66;
    let t72 = t70 - t55 * t67;
    let t73 = t61 - shared_values[12] * t72;
    let t74 = shared_values[12] * t71 + t62;
    let t75 = t44 * t47;
    let t76 = t45 * t48 + t75;
    let t77 = s.wz * t46 + t76;
    let t78 = -(t77);
    let t79 = t43 * t47;
    let t80 = s.wz * t45 + t79;
    let t81 = t80 - t46 * t48;
    let t82 = t43 * t48;
    let t83 = t46 * t47 + t82;
    let t84 = t83 - s.wz * t44;
    let t85 = s.wz * t43;
    let t86 = t44 * t48 + t85;
    let t87 = t86 - t45 * t47;
    let t88 = shared_values[3] * t78;
    let t89 = shared_values[3] * t81;
    let t90 = shared_values[3] * t84;
    let t91 = shared_values[3] * t87;
    let t92 = shared_values[0] * t88 + s.q0;
    let t93 = shared_values[0] * t89 + s.q1;
    let t94 = shared_values[0] * t90 + s.q2;
    let t95 = shared_values[0] * t91 + s.q3;
    let t96 = shared_values[0] * t73 + s.wx;
    let t97 = shared_values[0] * t74 + s.wy;
    let t98 = t92 * t92;
    let t99 = t93 * t93 + t98;
    let t100 = t94 * t94 + t99;
    let t101 = t95 * t95 + t100;
    let t102 = sqrt(t101);
    let t103 = shared_values[1] / t102;
    let t104 = t92 * t103;
    let t105 = t93 * t103;
    let t106 = t94 * t103;
    let t107 = t95 * t103;
    let t108 = s.wz * t97;
    let t109 = s.wz * t96;
    let t110 = shared_values[8] * t108;
    let t111 = shared_values[11] * t109;
    let t112 = shared_values[2] * t106;
    let t113 = shared_values[2] * t105;
    let t114 = -(t113);
    let t115 = shared_values[9] * t112;
    let t116 = shared_values[9] * t114;
    let t117 = t107 * t116;
    let t118 = -(t117);
    let t119 = t107 * t115;
    let t120 = t118 - t104 * t115;
    let t121 = t119 - t104 * t116;
    let t122 = t110 - shared_values[12] * t121;
    let t123 = shared_values[12] * t120 + t111;
    let t124 = t93 * t96;
    let t125 = t94 * t97 + t124;
    let t126 = s.wz * t95 + t125;
    let t127 = -(t126);
    let t128 = t92 * t96;
    let t129 = s.wz * t94 + t128;
    let t130 = t129 - t95 * t97;
    let t131 = t92 * t97;
    let t132 = t95 * t96 + t131;
    let t133 = t132 - s.wz * t93;
    let t134 = s.wz * t92;
    let t135 = t93 * t97 + t134;
    let t136 = t135 - t94 * t96;
    let t137 = shared_values[3] * t127;
    let t138 = shared_values[3] * t130;
    let t139 = shared_values[3] * t133;
    let t140 = shared_values[3] * t136;
    let t141 = shared_values[9] * t88 + t39;
    let t142 = shared_values[9] * t89 + t40;
    let t143 = shared_values[9] * t90 + t41;
    let t144 = shared_values[9] * t91 + t42;
    let t145 = shared_values[9] * t73 + t24;
    let t146 = shared_values[9] * t74 + t25;
    let t147 = shared_values[9] * t137 + t141;
    let t148 = shared_values[9] * t138 + t142;
    let t149 = shared_values[9] * t139 + t143;
    let t150 = shared_values[9] * t140 + t144;
    let t151 = shared_values[9] * t122 + t145;
    let t152 = shared_values[9] * t123 + t146;
    let t153 = s.q0 + t137;
    let t154 = s.q1 + t138;
    let t155 = s.q2 + t139;
    let t156 = s.q3 + t140;
    let t157 = s.wx + t122;
    let t158 = s.wy + t123;
    let t159 = t153 * t153;
    let t160 = t154 * t154 + t159;
    let t161 = t155 * t155 + t160;
    let t162 = t156 * t156 + t161;
    let t163 = sqrt(t162);
    let t164 = shared_values[1] / t163;
    let t165 = t153 * t164;
    let t166 = t154 * t164;
    let t167 = t155 * t164;
    let t168 = t156 * t164;
    let t169 = s.wz * t158;
    let t170 = s.wz * t157;
    let t171 = shared_values[8] * t169 + t151;
    let t172 = shared_values[11] * t170 + t152;
    let t173 = shared_values[2] * t167;
    let t174 = shared_values[2] * t166;
    let t175 = -(t174);
    let t176 = shared_values[9] * t173;
    let t177 = shared_values[9] * t175;
    let t178 = t168 * t177;
    let t179 = -(t178);
    let t180 = t168 * t176;
    let t181 = t179 - t165 * t176;
    let t182 = t180 - t165 * t177;
    let t183 = t171 - shared_values[12] * t182;
    let t184 = shared_values[12] * t181 + t172;
    let t185 = t154 * t157;
    let t186 = t155 * t158 + t185;
    let t187 = s.wz * t156 + t186;
    let t188 = t153 * t157;
    let t189 = s.wz * t155 + t188;
    let t190 = t189 - t156 * t158;
    let t191 = t153 * t158;
    let t192 = t156 * t157 + t191;
    let t193 = t192 - s.wz * t154;
    let t194 = s.wz * t153;
    let t195 = t154 * t158 + t194;
    let t196 = t195 - t155 * t157;
    let t197 = t147 - shared_values[3] * t187;
    let t198 = shared_values[3] * t190 + t148;
    let t199 = shared_values[3] * t193 + t149;
    let t200 = shared_values[3] * t196 + t150;
    let t201 = shared_values[10] * t197 + s.q0;
    let t202 = shared_values[10] * t198 + s.q1;
    let t203 = shared_values[10] * t199 + s.q2;
    let t204 = shared_values[10] * t200 + s.q3;
    let t205 = shared_values[10] * t183 + s.wx;
    let t206 = shared_values[10] * t184 + s.wy;
    let t207 = t201 * t201;
    let t208 = t202 * t202 + t207;
    let t209 = t203 * t203 + t208;
    let t210 = t204 * t204 + t209;
    let t211 = sqrt(t210);
    let t212 = shared_values[1] / t211;
    let t213 = t201 * t212;
    let t214 = t202 * t212;
    let t215 = t203 * t212;
    let t216 = t204 * t212;
    let t217 = t213 * t213;
    let t218 = t214 * t214 + t217;
    let t219 = t215 * t215 + t218;
    let t220 = t216 * t216 + t219;
    let t221 = sqrt(t220);
    let t222 = shared_values[1] / t221;
    let t223 = t213 * t222;
    let t224 = t214 * t222;
    let t225 = t215 * t222;
    let t226 = t216 * t222;
    let t227 = s.wz * t206;
    let t228 = s.wz * t205;
    let t229 = shared_values[8] * t227;
    let t230 = shared_values[11] * t228;
    let t231 = shared_values[2] * t225;
    let t232 = shared_values[2] * t224;
    let t233 = -(t232);
    let t234 = shared_values[9] * t231;
    let t235 = shared_values[9] * t233;
    let t236 = t226 * t235;
    let t237 = -(t236);
    let t238 = t226 * t234;
    let t239 = t237 - t223 * t234;
    let t240 = t238 - t223 * t235;
    let t241 = t229 - shared_values[12] * t240;
    let t242 = shared_values[12] * t239 + t230;
    let t243 = t205 * t214;
    let t244 = t206 * t215 + t243;
    let t245 = s.wz * t216 + t244;
    let t246 = -(t245);
    let t247 = t205 * t213;
    let t248 = s.wz * t215 + t247;
    let t249 = t248 - t206 * t216;
    let t250 = t206 * t213;
    let t251 = t205 * t216 + t250;
    let t252 = t251 - s.wz * t214;
    let t253 = s.wz * t213;
    let t254 = t206 * t214 + t253;
    let t255 = t254 - t205 * t215;
    let t256 = shared_values[3] * t246;
    let t257 = shared_values[3] * t249;
    let t258 = shared_values[3] * t252;
    let t259 = shared_values[3] * t255;
    let t260 = shared_values[0] * t256 + t213;
    let t261 = shared_values[0] * t257 + t214;
    let t262 = shared_values[0] * t258 + t215;
    let t263 = shared_values[0] * t259 + t216;
    let t264 = shared_values[0] * t241 + t205;
    let t265 = shared_values[0] * t242 + t206;
    let t266 = t260 * t260;
    let t267 = t261 * t261 + t266;
    let t268 = t262 * t262 + t267;
    let t269 = t263 * t263 + t268;
    let t270 = sqrt(t269);
    let t271 = shared_values[1] / t270;
    let t272 = t260 * t271;
    let t273 = t261 * t271;
    let t274 = t262 * t271;
    let t275 = t263 * t271;
    let t276 = s.wz * t265;
    let t277 = s.wz * t264;
    let t278 = shared_values[8] * t276;
    let t279 = shared_values[11] * t277;
    let t280 = shared_values[2] * t274;
    let t281 = shared_values[2] * t273;
    let t282 = -(t281);
    let t283 = shared_values[9] * t280;
    let t284 = shared_values[9] * t282;
    let t285 = t275 * t284;
    let t286 = -(t285);
    let t287 = t275 * t283;
    let t288 = t286 - t272 * t283;
    let t289 = t287 - t272 * t284;
    let t290 = t278 - shared_values[12] * t289;
    let t291 = shared_values[12] * t288 + t279;
    let t292 = t261 * t264;
    let t293 = t262 * t265 + t292;
    let t294 = s.wz * t263 + t293;
    let t295 = -(t294);
    let t296 = t260 * t264;
    let t297 = s.wz * t262 + t296;
    let t298 = t297 - t263 * t265;
    let t299 = t260 * t265;
    let t300 = t263 * t264 + t299;
    let t301 = t300 - s.wz * t261;
    let t302 = s.wz * t260;
    let t303 = t261 * t265 + t302;
    let t304 = t303 - t262 * t264;
    let t305 = shared_values[3] * t295;
    let t306 = shared_values[3] * t298;
    let t307 = shared_values[3] * t301;
    let t308 = shared_values[3] * t304;
    let t309 = shared_values[0] * t305 + t213;
    let t310 = shared_values[0] * t306 + t214;
    let t311 = shared_values[0] * t307 + t215;
    let t312 = shared_values[0] * t308 + t216;
    let t313 = shared_values[0] * t290 + t205;
    let t314 = shared_values[0] * t291 + t206;
    let t315 = t309 * t309;
    let t316 = t310 * t310 + t315;
    let t317 = t311 * t311 + t316;
    let t318 = t312 * t312 + t317;
    let t319 = sqrt(t318);
    let t320 = shared_values[1] / t319;
    let t321 = t309 * t320;
    let t322 = t310 * t320;
    let t323 = t311 * t320;
    let t324 = t312 * t320;
    let t325 = s.wz * t314;
    let t326 = s.wz * t313;
    let t327 = shared_values[8] * t325;
    let t328 = shared_values[11] * t326;
    let t329 = shared_values[2] * t323;
    let t330 = shared_values[2] * t322;
    let t331 = -(t330);
    let t332 = shared_values[9] * t329;
    let t333 = shared_values[9] * t331;
    let t334 = t324 * t333;
    let t335 = -(t334);
    let t336 = t324 * t332;
    let t337 = t335 - t321 * t332;
    let t338 = t336 - t321 * t333;
    let t339 = t327 - shared_values[12] * t338;
    let t340 = shared_values[12] * t337 + t328;
    let t341 = t310 * t313;
    let t342 = t311 * t314 + t341;
    let t343 = s.wz * t312 + t342;
    let t344 = -(t343);
    let t345 = t309 * t313;
    let t346 = s.wz * t311 + t345;
    let t347 = t346 - t312 * t314;
    let t348 = t309 * t314;
    let t349 = t312 * t313 + t348;
    let t350 = t349 - s.wz * t310;
    let t351 = s.wz * t309;
    let t352 = t310 * t314 + t351;
    let t353 = t352 - t311 * t313;
    let t354 = shared_values[3] * t344;
    let t355 = shared_values[3] * t347;
    let t356 = shared_values[3] * t350;
    let t357 = shared_values[3] * t353;
    let t358 = shared_values[9] * t305 + t256;
    let t359 = shared_values[9] * t306 + t257;
    let t360 = shared_values[9] * t307 + t258;
    let t361 = shared_values[9] * t308 + t259;
    let t362 = shared_values[9] * t290 + t241;
    let t363 = shared_values[9] * t291 + t242;
    let t364 = shared_values[9] * t354 + t358;
    let t365 = shared_values[9] * t355 + t359;
    let t366 = shared_values[9] * t356 + t360;
    let t367 = shared_values[9] * t357 + t361;
    let t368 = shared_values[9] * t339 + t362;
    let t369 = shared_values[9] * t340 + t363;
    let t370 = t213 + t354;
    let t371 = t214 + t355;
    let t372 = t215 + t356;
    let t373 = t216 + t357;
    let t374 = t205 + t339;
    let t375 = t206 + t340;
    let t376 = t370 * t370;
    let t377 = t371 * t371 + t376;
    let t378 = t372 * t372 + t377;
    let t379 = t373 * t373 + t378;
    let t380 = sqrt(t379);
    let t381 = shared_values[1] / t380;
    let t382 = t370 * t381;
    let t383 = t371 * t381;
    let t384 = t372 * t381;
    let t385 = t373 * t381;
    let t386 = s.wz * t375;
    let t387 = s.wz * t374;
    let t388 = shared_values[8] * t386 + t368;
    let t389 = shared_values[11] * t387 + t369;
    let t390 = shared_values[2] * t384;
    let t391 = shared_values[2] * t383;
    let t392 = -(t391);
    let t393 = shared_values[9] * t390;
    let t394 = shared_values[9] * t392;
    let t395 = t385 * t394;
    let t396 = -(t395);
    let t397 = t385 * t393;
    let t398 = t396 - t382 * t393;
    let t399 = t397 - t382 * t394;
    let t400 = t388 - shared_values[12] * t399;
    let t401 = shared_values[12] * t398 + t389;
    let t402 = t371 * t374;
    let t403 = t372 * t375 + t402;
    let t404 = s.wz * t373 + t403;
    let t405 = t370 * t374;
    let t406 = s.wz * t372 + t405;
    let t407 = t406 - t373 * t375;
    let t408 = t370 * t375;
    let t409 = t373 * t374 + t408;
    let t410 = t409 - s.wz * t371;
    let t411 = s.wz * t370;
    let t412 = t371 * t375 + t411;
    let t413 = t412 - t372 * t374;
    let t414 = t364 - shared_values[3] * t404;
    let t415 = shared_values[3] * t407 + t365;
    let t416 = shared_values[3] * t410 + t366;
    let t417 = shared_values[3] * t413 + t367;
    let t418 = shared_values[10] * t414 + t213;
    let t419 = shared_values[10] * t415 + t214;
    let t420 = shared_values[10] * t416 + t215;
    let t421 = shared_values[10] * t417 + t216;
    let t422 = shared_values[10] * t400 + t205;
    let t423 = shared_values[10] * t401 + t206;
    let t424 = t418 * t418;
    let t425 = t419 * t419 + t424;
    let t426 = t420 * t420 + t425;
    let t427 = t421 * t421 + t426;
    let t428 = sqrt(t427);
    let t429 = shared_values[1] / t428;
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
    let t0 = s.wx * shared_values[5];
    let t1 = s.wy * shared_values[5];
    let t2 = s.wx * t0;
    let t3 = s.wy * t1 + t2;
    let t4 = s.wz * s.wz + t3;
    let t5 = shared_values[0] * t4;
    let t6 = t5 - parameters[0u * run.stride + instance];
    let t7 = -(s.q1);
    let t8 = s.q2 * shared_values[9];
    let t9 = shared_values[9] * t7;
    let t10 = shared_values[1] - s.q2 * t8;
    let t11 = s.q1 * t9 + t10;
    let t12 = shared_values[2] * t11;
    let t13 = t6 - t12;
    let t14 = parameters[1u * run.stride + instance] * shared_values[13];
    return EnergyChange(t13, t14);
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
