// One free rigid body, written by hand: the yardstick, in speed and in bits, for the kernels that
// polhode generates. It has the bindings and the semantics of shaders/ensemble.wgsl for a body
// without loads whose inertia all instances share; shaders/prelude.wgsl stands before it. One
// difference: an instance that is no longer finite is only marked at the end of a dispatch, and the
// step is not searched for.
//
// Method: the staggered step of PCD90 (41)-(42), (50)-(54). Two chains, at whole and at half steps,
// advance each other:
//
//     q1  = q o Cay(h wh) ;   w1  = w  + h acc(wh)
//                             wh1 = wh + h acc(w1)         acc(w) = J^-1 (-w x J w)
//
// No force depends on the attitude at half steps, so it is not carried: 73 operations a step.
//
// The order of operations is that of crates/description/src/math/quaternion.rs and
// crates/dynamics/src/kinematics/body.rs: where a driver fuses nothing, the bits are those of the
// CPU. h and J come from a buffer, because drivers move literals through products.

struct Run {
    // Steps first .. end are taken.
    first: u32,
    end: u32,
    // Instances start .. count are advanced; the distance between planes.
    count: u32,
    stride: u32,
    // Steps between restarts of the half chain; 0: at step 0 alone.
    resynchronise: u32,
    // Steps between checks; not used here.
    check: u32,
    start: u32,
    // Pieces of own steps; not used here.
    pieces: u32,
    // Steps between instants at which laws jump; not used here.
    begin: u32,
}

// All instances share these: h (s), then the principal moments of inertia J1, J2, J3 (kg m^2).
struct Body {
    h: real,
    j1: real,
    j2: real,
    j3: real,
}

@group(0) @binding(0) var<uniform> run: Run;
// Planes, instance fastest: q0 q1 q2 q3, wx wy wz, and wx wy wz of the half chain.
@group(0) @binding(1) var<storage, read_write> state: array<real>;
@group(0) @binding(3) var<storage, read> body: Body;
// Verdict (0: goes on, 1: not finite) and step.
@group(0) @binding(4) var<storage, read_write> ends: array<vec2<u32>>;

// Attitude, body to space, scalar first.
struct Quaternion {
    q0: real,
    q1: real,
    q2: real,
    q3: real,
}

// A step adds this to the angular velocity: base + s acc(w), with `factors` = s (J2-J3)/J1 and
// cyclic.
fn kick(factors: vec3<real>, w: vec3<real>, base: vec3<real>) -> vec3<real> {
    return factors * vec3<real>(w.y * w.z, w.z * w.x, w.x * w.y) + base;
}

fn kick_factors(s: real) -> vec3<real> {
    return vec3<real>(
        s * ((body.j2 - body.j3) / body.j1),
        s * ((body.j3 - body.j1) / body.j2),
        s * ((body.j1 - body.j2) / body.j3),
    );
}

// For a quaternion that is a unit one to rounding: a step of Newton's iteration for 1 / |p| from 1.
fn renormalised(p: Quaternion) -> Quaternion {
    let r = real(1.5) - real(0.5) * (p.q3 * p.q3 + (p.q2 * p.q2 + (p.q1 * p.q1 + p.q0 * p.q0)));
    return Quaternion(p.q0 * r, p.q1 * r, p.q2 * r, p.q3 * r);
}

// The midpoint update q o Cay(h w), a = h w / 4: twice the midpoint attitude less the old one.
fn midpoint_update(q: Quaternion, a: vec3<real>) -> Quaternion {
    let d = real(2.0) / (a.z * a.z + (a.y * a.y + (a.x * a.x + real(1.0))));
    // q + q o (0, a)
    let p0 = ((q.q0 - q.q1 * a.x) - q.q2 * a.y) - q.q3 * a.z;
    let p1 = (q.q2 * a.z + (q.q0 * a.x + q.q1)) - q.q3 * a.y;
    let p2 = (q.q3 * a.x + (q.q0 * a.y + q.q2)) - q.q1 * a.z;
    let p3 = (q.q1 * a.y + (q.q0 * a.z + q.q3)) - q.q2 * a.x;
    return renormalised(Quaternion(d * p0 - q.q0, d * p1 - q.q1, d * p2 - q.q2, d * p3 - q.q3));
}

// One classical Runge-Kutta step s of the angular velocity. The attitude does not act on it and is
// not carried.
fn runge_kutta(factors: vec3<real>, w: vec3<real>) -> vec3<real> {
    let none = vec3<real>();
    let k1 = kick(factors, w, none);
    let k2 = kick(factors, real(0.5) * k1 + w, none);
    let k3 = kick(factors, real(0.5) * k2 + w, none);
    let k4 = kick(factors, k3 + w, none);
    return (real(1.0) / real(6.0)) * (k4 + (real(2.0) * k3 + (real(2.0) * k2 + k1))) + w;
}

fn flushed_vector(v: vec3<real>) -> vec3<real> {
    return vec3<real>(flushed_real(v.x), flushed_real(v.y), flushed_real(v.z));
}

fn load_vector(plane: u32, instance: u32) -> vec3<real> {
    return vec3<real>(
        state[plane * run.stride + instance],
        state[(plane + 1u) * run.stride + instance],
        state[(plane + 2u) * run.stride + instance],
    );
}

fn store(plane: u32, instance: u32, value: real) -> bool {
    state[plane * run.stride + instance] = value;
    return is_finite_real(value);
}

fn store_vector(plane: u32, instance: u32, v: vec3<real>) -> bool {
    let x = store(plane, instance, v.x);
    let y = store(plane + 1u, instance, v.y);
    let z = store(plane + 2u, instance, v.z);
    return x && y && z;
}

@compute @workgroup_size(64)
fn advance(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let instance = run.start + id.y * (groups.x * 64u) + id.x;
    if instance >= run.count {
        return;
    }
    if ends[instance].x != 0u {
        return;
    }
    let factors = kick_factors(body.h);
    let quarter_h = real(0.25) * body.h;
    let start_factors = kick_factors(quarter_h);

    var q = Quaternion(
        state[instance],
        state[run.stride + instance],
        state[2u * run.stride + instance],
        state[3u * run.stride + instance],
    );
    var w = load_vector(4u, instance);
    var half_w = load_vector(7u, instance);
    var k = run.first;
    while k < run.end {
        if k % FLUSH == 0u {
            q = Quaternion(flushed_real(q.q0), flushed_real(q.q1), flushed_real(q.q2), flushed_real(q.q3));
            w = flushed_vector(w);
            half_w = flushed_vector(half_w);
        }
        // The half chain starts from the whole one, half a step ahead, in two substeps.
        if k == 0u || (run.resynchronise != 0u && k % run.resynchronise == 0u) {
            half_w = runge_kutta(start_factors, runge_kutta(start_factors, w));
        }
        let stop = next_multiple(k, FLUSH, next_multiple(k, run.resynchronise, run.end));
        for (; k < stop; k++) {
            w = kick(factors, half_w, w);
            q = midpoint_update(q, quarter_h * half_w);
            half_w = kick(factors, w, half_w);
        }
    }

    let q0 = store(0u, instance, q.q0);
    let q1 = store(1u, instance, q.q1);
    let q2 = store(2u, instance, q.q2);
    let q3 = store(3u, instance, q.q3);
    let whole = store_vector(4u, instance, w);
    let half = store_vector(7u, instance, half_w);
    let finite = q0 && q1 && q2 && q3 && whole && half;
    ends[instance] = vec2<u32>(select(1u, 0u, finite), run.end);
}
