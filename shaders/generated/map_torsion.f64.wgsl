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

// A later step or an output reads the state of the method.
struct State {
    q0: real,
    q3: real,
    wz: real,
    angle_0: real,
    half_q0: real,
    half_q3: real,
    half_wz: real,
}

fn load_state(instance: u32) -> State {
    var s: State;
    s.q0 = state[0u * run.stride + instance];
    s.q3 = state[1u * run.stride + instance];
    s.wz = state[2u * run.stride + instance];
    s.angle_0 = state[3u * run.stride + instance];
    s.half_q0 = state[4u * run.stride + instance];
    s.half_q3 = state[5u * run.stride + instance];
    s.half_wz = state[6u * run.stride + instance];
    return s;
}

fn store_state(instance: u32, s: State) {
    state[0u * run.stride + instance] = s.q0;
    state[1u * run.stride + instance] = s.q3;
    state[2u * run.stride + instance] = s.wz;
    state[3u * run.stride + instance] = s.angle_0;
    state[4u * run.stride + instance] = s.half_q0;
    state[5u * run.stride + instance] = s.half_q3;
    state[6u * run.stride + instance] = s.half_wz;
}

fn flushed(s: State) -> State {
    var next: State;
    next.q0 = flushed_real(s.q0);
    next.q3 = flushed_real(s.q3);
    next.wz = flushed_real(s.wz);
    next.angle_0 = flushed_real(s.angle_0);
    next.half_q0 = flushed_real(s.half_q0);
    next.half_q3 = flushed_real(s.half_q3);
    next.half_wz = flushed_real(s.half_wz);
    return next;
}

fn is_finite_state(s: State) -> bool {
    return is_finite_real(s.q0)
        && is_finite_real(s.q3)
        && is_finite_real(s.wz)
        && is_finite_real(s.angle_0);
}

const WORKGROUP = 64u;
const HAS_NORM_BOUND = false;
const NORM_BOUND_VALUE: real = 0.0lf;

fn norm_error(s: State) -> real {
    var largest = real(0.0);
    largest = max(largest, abs(sqrt(s.q3 * s.q3 + (real(0.0) * real(0.0) + (real(0.0) * real(0.0) + s.q0 * s.q0))) - real(1.0)));
    return largest;
}

// Over a stretch of steps all stays the same that does not depend on the state.
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
    c16: real,
    c17: real,
    c18: real,
    c19: real,
    c20: real,
    c21: real,
    c22: real,
    c23: real,
    c24: real,
}

fn prepare(instance: u32) -> Prepared {
    let t0 = parameters[2u * run.stride + instance] * shared_values[2];
    var p: Prepared;
    p.c0 = shared_values[0];
    p.c1 = shared_values[1];
    p.c2 = shared_values[3];
    p.c3 = shared_values[4];
    p.c4 = shared_values[5];
    p.c5 = shared_values[6];
    p.c6 = shared_values[7];
    p.c7 = shared_values[8];
    p.c8 = shared_values[9];
    p.c9 = shared_values[10];
    p.c10 = shared_values[11];
    p.c11 = shared_values[12];
    p.c12 = shared_values[13];
    p.c13 = shared_values[14];
    p.c14 = shared_values[15];
    p.c15 = shared_values[16];
    p.c16 = shared_values[17];
    p.c17 = shared_values[18];
    p.c18 = shared_values[19];
    p.c19 = shared_values[20];
    p.c20 = shared_values[21];
    p.c21 = shared_values[22];
    p.c22 = parameters[3u * run.stride + instance];
    p.c23 = parameters[2u * run.stride + instance];
    p.c24 = t0;
    return p;
}

// A full step takes 154 operations, a multiply-add counted as two.
fn step(p: Prepared, s: State) -> State {
    let t0 = s.half_q3 * p.c2;
    let t1 = s.half_q0 * t0;
    let t2 = -(t1);
    let t3 = s.half_q3 * t0;
    let t4 = p.c1 - t3;
    let t5 = -(t4);
    let t6 = select(t4, t5, t4 < 0.0lf);
    let t7 = select(t1, t2, t1 < 0.0lf);
    let t8 = select(t6, t7, t7 < t6);
    let t9 = select(t7, t6, t7 < t6);
    let t10 = t9 * p.c3;
    let t11 = t8 - t9;
    let t12 = select(t8, t11, t10 < t8);
    let t13 = t8 + t9;
    let t14 = select(t9, t13, t10 < t8);
    let t15 = p.c1 + t14;
    let t16 = select(t15, t14, 0.0lf < t14);
    let t17 = t12 / t16;
    let t18 = t17 * t17;
    let t19 = t17 * t18;
    let t20 = t18 * p.c4 + p.c5;
    let t21 = t18 * t20 + p.c6;
    let t22 = t18 * t21 + p.c7;
    let t23 = t18 * t22 + p.c8;
    let t24 = t18 * t23 + p.c9;
    let t25 = t18 * t24 + p.c10;
    let t26 = t18 * t25 + p.c11;
    let t27 = t18 * t26 + p.c12;
    let t28 = t18 * t27 + p.c13;
    let t29 = t18 * t28 + p.c14;
    let t30 = t18 * t29 + p.c15;
    let t31 = t19 * t30 + t17;
    let t32 = t31 + p.c16;
    let t33 = select(t31, t32, t10 < t8);
    let t34 = p.c17 - t33;
    let t35 = select(t33, t34, t6 < t7);
    let t36 = p.c18 - t35;
    let t37 = select(t35, t36, t4 < 0.0lf);
    let t38 = -(t37);
    let t39 = select(t37, t38, t1 < 0.0lf);
    let t40 = s.angle_0 - t39;
    let t41 = t40 * p.c20;
    let t42 = p.c0 + t41;
    let t43 = floor(t42);
    let t44 = p.c19 * t43 + t39;
    let t45 = p.c22 * t44;
    let t46 = s.wz - p.c23 * t45;
    let t47 = s.half_wz * p.c24;
    let t48 = t47 * t47 + p.c1;
    let t49 = p.c2 / t48;
    let t50 = s.q0 - s.q3 * t47;
    let t51 = s.q0 * t47 + s.q3;
    let t52 = t49 * t50 - s.q0;
    let t53 = t49 * t51 - s.q3;
    let t54 = t52 * t52;
    let t55 = t53 * t53 + t54;
    let t56 = p.c21 - p.c0 * t55;
    let t57 = t52 * t56;
    let t58 = t53 * t56;
    let t59 = p.c2 * t58;
    let t60 = t57 * t59;
    let t61 = -(t60);
    let t62 = t58 * t59;
    let t63 = p.c1 - t62;
    let t64 = -(t63);
    let t65 = select(t63, t64, t63 < 0.0lf);
    let t66 = select(t60, t61, t60 < 0.0lf);
    let t67 = select(t65, t66, t66 < t65);
    let t68 = select(t66, t65, t66 < t65);
    let t69 = p.c3 * t68;
    let t70 = t67 - t68;
    let t71 = select(t67, t70, t69 < t67);
    let t72 = t67 + t68;
    let t73 = select(t68, t72, t69 < t67);
    let t74 = p.c1 + t73;
    let t75 = select(t74, t73, 0.0lf < t73);
    let t76 = t71 / t75;
    let t77 = t76 * t76;
    let t78 = t76 * t77;
    let t79 = p.c4 * t77 + p.c5;
    let t80 = t77 * t79 + p.c6;
    let t81 = t77 * t80 + p.c7;
    let t82 = t77 * t81 + p.c8;
    let t83 = t77 * t82 + p.c9;
    let t84 = t77 * t83 + p.c10;
    let t85 = t77 * t84 + p.c11;
    let t86 = t77 * t85 + p.c12;
    let t87 = t77 * t86 + p.c13;
    let t88 = t77 * t87 + p.c14;
    let t89 = t77 * t88 + p.c15;
    let t90 = t78 * t89 + t76;
    let t91 = p.c16 + t90;
    let t92 = select(t90, t91, t69 < t67);
    let t93 = p.c17 - t92;
    let t94 = select(t92, t93, t65 < t66);
    let t95 = p.c18 - t94;
    let t96 = select(t94, t95, t63 < 0.0lf);
    let t97 = -(t96);
    let t98 = select(t96, t97, t60 < 0.0lf);
    let t99 = s.angle_0 - t98;
    let t100 = p.c20 * t99;
    let t101 = p.c0 + t100;
    let t102 = floor(t101);
    let t103 = p.c19 * t102 + t98;
    let t104 = p.c22 * t103;
    let t105 = s.half_wz - p.c23 * t104;
    let t106 = p.c24 * t46;
    let t107 = t106 * t106 + p.c1;
    let t108 = p.c2 / t107;
    let t109 = s.half_q0 - s.half_q3 * t106;
    let t110 = s.half_q0 * t106 + s.half_q3;
    let t111 = t108 * t109 - s.half_q0;
    let t112 = t108 * t110 - s.half_q3;
    let t113 = t111 * t111;
    let t114 = t112 * t112 + t113;
    let t115 = p.c21 - p.c0 * t114;
    let t116 = t111 * t115;
    let t117 = t112 * t115;
    var next: State;
    next.q0 = t57;
    next.q3 = t58;
    next.wz = t46;
    next.angle_0 = t103;
    next.half_q0 = t116;
    next.half_q3 = t117;
    next.half_wz = t105;
    return next;
}

// The method begins to carry these values (0 operations).
fn begin(instance: u32, s: State) -> State {
    var next = s;
    return led(instance, next);
}

// The method carries these values after it was resynchronised (0 operations).
fn resynchronised(instance: u32, s: State) -> State {
    var next = s;
    return led(instance, next);
}

// The second chain is led away from the motions by Runge-Kutta steps: one stands here.
struct Lead {
    base_q0: real,
    base_q3: real,
    base_wz: real,
    at_q0: real,
    at_q3: real,
    at_wz: real,
    sum_q0: real,
    sum_q3: real,
    sum_wz: real,
}

// A lead begins at the motions.
fn lead_opened(instance: u32, s: State) -> Lead {
    var next: Lead;
    next.base_q0 = s.q0;
    next.base_q3 = s.q3;
    next.base_wz = s.wz;
    next.at_q0 = s.q0;
    next.at_q3 = s.q3;
    next.at_wz = s.wz;
    next.sum_q0 = 0.0lf;
    next.sum_q3 = 0.0lf;
    next.sum_wz = 0.0lf;
    return next;
}

// A stage takes 86 operations.
fn lead_stage(instance: u32, s: State, c: Lead, number: u32) -> Lead {
    let t0 = parameters[2u * run.stride + instance] * shared_values[2];
    let t1 = c.at_q0 * c.at_q0;
    let t2 = c.at_q3 * c.at_q3 + t1;
    let t3 = t2 + shared_values[24];
    let t4 = t2 * t3 + shared_values[23];
    let t5 = t2 * shared_values[23] + shared_values[24];
    let t6 = t2 * t5 + shared_values[1];
    let t7 = t4 / t6;
    let t8 = c.at_q0 * t7;
    let t9 = c.at_q3 * t7;
    let t10 = shared_values[3] * t9;
    let t11 = t8 * t10;
    let t12 = -(t11);
    let t13 = t9 * t10;
    let t14 = shared_values[1] - t13;
    let t15 = -(t14);
    let t16 = select(t14, t15, t14 < 0.0lf);
    let t17 = select(t11, t12, t11 < 0.0lf);
    let t18 = select(t16, t17, t17 < t16);
    let t19 = select(t17, t16, t17 < t16);
    let t20 = shared_values[4] * t19;
    let t21 = t18 - t19;
    let t22 = select(t18, t21, t20 < t18);
    let t23 = t18 + t19;
    let t24 = select(t19, t23, t20 < t18);
    let t25 = shared_values[1] + t24;
    let t26 = select(t25, t24, 0.0lf < t24);
    let t27 = t22 / t26;
    let t28 = t27 * t27;
    let t29 = t27 * t28;
    let t30 = shared_values[5] * t28 + shared_values[6];
    let t31 = t28 * t30 + shared_values[7];
    let t32 = t28 * t31 + shared_values[8];
    let t33 = t28 * t32 + shared_values[9];
    let t34 = t28 * t33 + shared_values[10];
    let t35 = t28 * t34 + shared_values[11];
    let t36 = t28 * t35 + shared_values[12];
    let t37 = t28 * t36 + shared_values[13];
    let t38 = t28 * t37 + shared_values[14];
    let t39 = t28 * t38 + shared_values[15];
    let t40 = t28 * t39 + shared_values[16];
    let t41 = t29 * t40 + t27;
    let t42 = shared_values[17] + t41;
    let t43 = select(t41, t42, t20 < t18);
    let t44 = shared_values[18] - t43;
    let t45 = select(t43, t44, t16 < t17);
    let t46 = shared_values[19] - t45;
    let t47 = select(t45, t46, t14 < 0.0lf);
    let t48 = -(t47);
    let t49 = select(t47, t48, t11 < 0.0lf);
    let t50 = s.angle_0 - t49;
    let t51 = shared_values[21] * t50;
    let t52 = shared_values[0] + t51;
    let t53 = floor(t52);
    let t54 = shared_values[20] * t53 + t49;
    let t55 = parameters[3u * run.stride + instance] * t54;
    let t56 = t0 * t55;
    let t57 = shared_values[0] * t0;
    let t58 = c.at_q3 * c.at_wz;
    let t59 = c.at_q0 * c.at_wz;
    let t60 = t57 * t58;
    let t61 = t57 * t59;
    let t62 = c.base_q0 - shared_values[27u + 3u * number] * t60;
    let t63 = shared_values[27u + 3u * number] * t61 + c.base_q3;
    let t64 = c.base_wz - shared_values[27u + 3u * number] * t56;
    let t65 = c.sum_q0 - shared_values[28u + 3u * number] * t60;
    let t66 = shared_values[28u + 3u * number] * t61 + c.sum_q3;
    let t67 = c.sum_wz - shared_values[28u + 3u * number] * t56;
    var next = c;
    next.at_q0 = t62;
    next.at_q3 = t63;
    next.at_wz = t64;
    next.sum_q0 = t65;
    next.sum_q3 = t66;
    next.sum_wz = t67;
    return next;
}

// A Runge-Kutta step ends, and another one may begin there.
fn lead_settled(instance: u32, s: State, c: Lead) -> Lead {
    let t0 = c.sum_q0 * shared_values[25] + c.base_q0;
    let t1 = c.sum_q3 * shared_values[25] + c.base_q3;
    let t2 = c.sum_wz * shared_values[25] + c.base_wz;
    let t3 = t0 * t0;
    let t4 = t1 * t1 + t3;
    let t5 = sqrt(t4);
    let t6 = shared_values[1] / t5;
    let t7 = t0 * t6;
    let t8 = t1 * t6;
    var next = c;
    next.base_q0 = t7;
    next.base_q3 = t8;
    next.base_wz = t2;
    next.at_q0 = t7;
    next.at_q3 = t8;
    next.at_wz = t2;
    next.sum_q0 = 0.0lf;
    next.sum_q3 = 0.0lf;
    next.sum_wz = 0.0lf;
    return next;
}

// The chain is where the last step ended.
fn lead_closed(instance: u32, s: State, c: Lead) -> State {
    var next = s;
    next.half_q0 = c.base_q0;
    next.half_q3 = c.base_q3;
    next.half_wz = c.base_wz;
    return next;
}

// 2 Runge-Kutta steps lead the chain away from the motions.
fn led(instance: u32, s: State) -> State {
    var c = lead_opened(instance, s);
    for (var number = 0u; number < 8u; number++) {
        c = lead_stage(instance, s, c, number);
        if number % 4u == 3u {
            c = lead_settled(instance, s, c);
        }
    }
    return lead_closed(instance, s, c);
}

// A value is judged by how large it may be; 0: however large.
struct Judged {
    value: real,
    allowed: real,
}

fn energy_change(instance: u32, s: State) -> Judged {
    let t0 = s.q3 * shared_values[3];
    let t1 = s.q0 * t0;
    let t2 = -(t1);
    let t3 = s.q3 * t0;
    let t4 = shared_values[1] - t3;
    let t5 = -(t4);
    let t6 = select(t4, t5, t4 < 0.0lf);
    let t7 = select(t1, t2, t1 < 0.0lf);
    let t8 = select(t6, t7, t7 < t6);
    let t9 = select(t7, t6, t7 < t6);
    let t10 = shared_values[4] * t9;
    let t11 = t8 - t9;
    let t12 = select(t8, t11, t10 < t8);
    let t13 = t8 + t9;
    let t14 = select(t9, t13, t10 < t8);
    let t15 = shared_values[1] + t14;
    let t16 = select(t15, t14, 0.0lf < t14);
    let t17 = t12 / t16;
    let t18 = t17 * t17;
    let t19 = t17 * t18;
    let t20 = shared_values[5] * t18 + shared_values[6];
    let t21 = t18 * t20 + shared_values[7];
    let t22 = t18 * t21 + shared_values[8];
    let t23 = t18 * t22 + shared_values[9];
    let t24 = t18 * t23 + shared_values[10];
    let t25 = t18 * t24 + shared_values[11];
    let t26 = t18 * t25 + shared_values[12];
    let t27 = t18 * t26 + shared_values[13];
    let t28 = t18 * t27 + shared_values[14];
    let t29 = t18 * t28 + shared_values[15];
    let t30 = t18 * t29 + shared_values[16];
    let t31 = t19 * t30 + t17;
    let t32 = shared_values[17] + t31;
    let t33 = select(t31, t32, t10 < t8);
    let t34 = shared_values[18] - t33;
    let t35 = select(t33, t34, t6 < t7);
    let t36 = shared_values[19] - t35;
    let t37 = select(t35, t36, t4 < 0.0lf);
    let t38 = -(t37);
    let t39 = select(t37, t38, t1 < 0.0lf);
    let t40 = s.angle_0 - t39;
    let t41 = shared_values[21] * t40;
    let t42 = shared_values[0] + t41;
    let t43 = floor(t42);
    let t44 = shared_values[20] * t43 + t39;
    let t45 = s.wz * s.wz;
    let t46 = shared_values[0] * t45;
    let t47 = t46 - parameters[0u * run.stride + instance];
    let t48 = shared_values[0] * parameters[3u * run.stride + instance];
    let t49 = t44 * t44;
    let t50 = t48 * t49;
    let t51 = t47 + t50;
    let t52 = parameters[1u * run.stride + instance] * shared_values[26];
    return Judged(t51, t52);
}

fn is_passed(judged: Judged) -> bool {
    return judged.allowed > real(0.0) && abs(judged.value) > judged.allowed;
}

// The verdict of the first bound that is passed, else FINISHED.
fn passed(instance: u32, s: State) -> u32 {
    if is_passed(energy_change(instance, s)) {
        return 2u; // energy_bound
    }
    return FINISHED;
}

// In the ensemble kernel an invocation takes one instance from step `run.first` to step `run.end`, its state in registers, and stores
// it back. Before this text stands shaders/prelude.wgsl, then the text of a mechanism and a method, which is generated: `real`,
// `State`, `Prepared`, `prepare`, `step`, `begin`, `resynchronised`, `load_state`, `store_state`, `flushed`, `is_finite_state`,
// `norm_error`, `passed`, and the constants of the verdict bounds.
//
// State and parameters are planes (structure of arrays, instance fastest): `plane * run.stride + instance`.

struct Run {
    // Steps first .. end are taken.
    first: u32,
    end: u32,
    // Instances start .. count are advanced; planes lie `stride` apart.
    count: u32,
    stride: u32,
    // The method is resynchronised every so many steps; 0: never.
    resynchronise: u32,
    // The verdict bounds are checked every so many steps.
    check: u32,
    start: u32,
    // The step that is taken has so many pieces, where own steps end inside it; else 1.
    pieces: u32,
    // The method begins anew every so many steps, because laws may jump there; 0: never.
    begin: u32,
}

@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read_write> state: array<real>;
@group(0) @binding(2) var<storage, read> parameters: array<real>;
// All instances share these: constants of the mechanism and the method, numbers of the stages of a lead, then the factors of the
// timed loads, piece by piece.
@group(0) @binding(3) var<storage, read> shared_values: array<real>;
// An instance has ended by this verdict, at this step.
@group(0) @binding(4) var<storage, read_write> ends: array<vec2<u32>>;

// Verdicts have the codes of src/base/verdict.rs.
const FINISHED = 0u;
const NON_FINITE = 1u;
const NORM_BOUND = 3u;

// Step k starts from this state: what has decayed is zero, and what the method carries may begin anew.
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

// The instance would end like this if it ended in state `s`. The worst verdict wins.
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
