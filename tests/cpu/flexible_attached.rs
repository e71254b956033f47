//! Floating frames that are attached to a particle (W84 chapter III): against the particles,
//! against the same body in a Buckens frame, what is conserved, a cantilever.

use crate::common::engine::Ready;
use crate::common::flexible::{LEVELS, at_level, mechanism, needed, numbers};
use crate::common::study::study;
use crate::common::tolerances::{AS_PARTICLES, AS_PARTICLES_IN_TIME, POWER, SAME_CONSTANTS, TWO_FRAMES};
use fearless_simd::Level;
use nalgebra::{DMatrix, DVector, Matrix3, Quaternion, UnitQuaternion, Vector3};
use polhode::base::Precision;
use polhode::describe::{Constraints, Flexible, Mechanism};
use polhode::flexible::modal_file::ModalFile;
use polhode::flexible::{Constants, Particle};
use polhode::observe::channels;
use polhode::reference::flexible::Deformation;
use polhode::reference::{BodyState, Instance, accurate};
use proptest::prelude::*;

type V = Vector3<f64>;

fn of(numbers: &[f64; 3]) -> V {
    V::from(*numbers)
}

/// `sum e_k v_k`
fn along(columns: &[V], e: &[f64]) -> V {
    columns.iter().zip(e).map(|(column, e)| column * *e).sum()
}

fn flexible(mechanism: &Mechanism) -> &Flexible {
    mechanism.bodies[0].flexible.as_ref().unwrap()
}

/// `a.b I - (a b^T + b a^T)/2`
fn about(a: V, b: V) -> Matrix3<f64> {
    Matrix3::identity() * a.dot(&b) - 0.5 * (a * b.transpose() + b * a.transpose())
}

/// P and H about the frame's origin, body axes, as W84 chapter III has them, the constants taken
/// to that origin:
///
/// ```text
/// P = M Rd + Om x M (r_cm + s eta) + M s etad,
/// H = J Om + (r_cm + s eta) x M Rd + (alpha + eta G) etad
/// ```
fn momenta(c: &Constants, [rd, w]: [V; 2], e: &[f64], rate: &[f64]) -> [V; 2] {
    let n = e.len();
    let moved = c.centre + along(&c.s, e);
    let linear = c.mass * (rd + w.cross(&moved) + along(&c.s, rate));
    let mut inertia = c.inertia + c.mass * about(c.centre, c.centre);
    let mut angular = moved.cross(&(c.mass * rd));
    for i in 0..n {
        inertia += e[i] * (c.j1[i] + 2.0 * c.mass * about(c.centre, c.s[i]));
        angular += rate[i] * (c.alpha[i] + c.mass * c.centre.cross(&c.s[i]));
        for j in 0..n {
            inertia += e[i] * e[j] * c.j2[i][j];
            angular += e[i] * rate[j] * c.g[i][j];
        }
    }
    [linear, angular + inertia * w]
}

const PARTICLES: usize = 5;
const MODES: usize = 3;

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any body, any motion, any shapes: momenta, energy and the equations of motion of level 2 are
    /// those of its particles, and W84's momenta about the attached origin too, with `H' + Rd x P`
    /// the moment about it.
    #[test]
    fn an_attached_body_moves_as_its_particles_do(x in prop::collection::vec(-1.0..1.0f64, 140)) {
        let mut draws = x.into_iter().cycle();
        let mut vector = || Vector3::from_fn(|_, _| draws.next().unwrap());
        let nodes: Vec<serde_json::Value> = (0..PARTICLES)
            .map(|p| {
                let (at, mass) = (vector(), 0.2 + vector().x.abs());
                let shapes: Vec<[f64; 3]> = (0..MODES).map(|_| vector().into()).collect();
                let at = <[f64; 3]>::from(at);
                let mut node = serde_json::json!({ "at": at, "mass": mass, "shapes": shapes });
                if p == 0 {
                    let turns: Vec<[f64; 3]> = (0..MODES).map(|_| vector().into()).collect();
                    node["turns"] = serde_json::json!(turns);
                    node["name"] = "root".into();
                }
                node
            })
            .collect();
        let file = serde_json::json!({
            "nodes": nodes, "stiffness": [[9.0, 1.0, 0.0], [1.0, 7.0, 2.0], [0.0, 2.0, 5.0]],
        });
        let text = format!("[body.flexible]\nframe = \"attached\"\nat = \"root\"\nmodal = '''{file}'''\n");
        let mechanism = mechanism(&text);
        let flexible = flexible(&mechanism);
        let body = Deformation::new(flexible, [0.0, 1.0]);
        let c = &flexible.modal.constants;
        let [w, turn, rd, rdd] = [vector(), vector(), vector(), vector()];
        let mut third = || DVector::from_column_slice((0.3 * vector()).as_slice());
        let [eta, rate, second] = [third(), third(), third()];
        // Its particles: masses, places and shapes against the root.
        let vectors = |value: &serde_json::Value| -> Vec<V> {
            value.as_array().unwrap().iter().map(|v| V::from_iterator(numbers(v))).collect()
        };
        let place = |node: &serde_json::Value| V::from_iterator(numbers(&node["at"]));
        let [shifts, turns] = ["shapes", "turns"].map(|key| vectors(&nodes[0][key]));
        let root = place(&nodes[0]);
        struct One {
            mass: f64,
            q: V,
            v: V,
            a: V,
            psi: Vec<V>,
        }
        let particles: Vec<One> = nodes
            .iter()
            .map(|node| {
                let r = place(node) - root;
                let shape = |k: usize| vectors(&node["shapes"])[k] - shifts[k] - turns[k].cross(&r);
                let psi: Vec<V> = (0..MODES).map(shape).collect();
                let [q, qd, qdd] = [&eta, &rate, &second].map(|e| along(&psi, e.as_slice()));
                let q = r + q;
                One {
                    mass: node["mass"].as_f64().unwrap(),
                    q,
                    v: rd + w.cross(&q) + qd,
                    a: rdd + turn.cross(&q) + qdd + w.cross(&w.cross(&q)) + 2.0 * w.cross(&qd),
                    psi,
                }
            })
            .collect();
        let mass: f64 = particles.iter().map(|p| p.mass).sum();
        let sum = |f: &dyn Fn(&One) -> V| -> V { particles.iter().map(|p| p.mass * f(p)).sum() };
        let (centre, velocity) = (sum(&|p| p.q) / mass, sum(&|p| p.v) / mass);
        prop_assert!((c.centre + body.centre_moved(&eta) - centre).amax() < AS_PARTICLES);
        let moving = rd + w.cross(&centre) + body.centre_moved(&rate);
        prop_assert!((moving - velocity).amax() < AS_PARTICLES);
        let about_centre = sum(&|p| (p.q - centre).cross(&(p.v - velocity)));
        prop_assert!((body.momentum(w, &eta, &rate) - about_centre).amax() < AS_PARTICLES);
        let kinetic: f64 = particles.iter().map(|p| 0.5 * p.mass * (p.v - velocity).norm_squared()).sum();
        prop_assert!((body.energies(w, &eta, &rate)[0] - kinetic).abs() < AS_PARTICLES);
        // The particles' accelerations need this torque about the mass centre, and this force along
        // each mode as seen from there.
        let mut wanted = DVector::zeros(3 + MODES);
        wanted.fixed_rows_mut::<3>(0).copy_from(&sum(&|p| (p.q - centre).cross(&p.a)));
        let shift = |k: usize| sum(&|p| p.psi[k]) / mass;
        for k in 0..MODES {
            wanted[3 + k] = particles.iter().map(|p| p.mass * (p.psi[k] - shift(k)).dot(&p.a)).sum();
        }
        let found = needed(&body, [w, turn], [&eta, &rate, &second]);
        prop_assert!((found - wanted).amax() < AS_PARTICLES);
        // W84's own, about the origin.
        let at = |t: f64| {
            let e = &eta + &rate * t + &second * (0.5 * t * t);
            let velocities = [rd + (rdd - w.cross(&rd)) * t, w + turn * t];
            momenta(c, velocities, e.as_slice(), (&rate + &second * t).as_slice())
        };
        let [linear, angular] = at(0.0);
        prop_assert!((linear - sum(&|p| p.v)).amax() < AS_PARTICLES);
        prop_assert!((angular - sum(&|p| p.q.cross(&p.v))).amax() < AS_PARTICLES);
        let dt = 1e-4;
        let changing = (at(dt)[1] - at(-dt)[1]) / (2.0 * dt) + w.cross(&angular) + rd.cross(&linear);
        let moment = sum(&|p| p.q.cross(&p.a));
        prop_assert!((changing - moment).amax() < AS_PARTICLES_IN_TIME, "{changing} {moment}");
    }
}

/// A free beam that starts in a Buckens frame at the origin, and the same with the frame
/// attached to its start.
struct Twins {
    buckens: Mechanism,
    attached: Mechanism,
}

/// With `deflection` times some amplitudes and rates, turning with `spin` (rad/s).
fn twins(beam: &str, amplitudes: &[f64], rates: &[f64], deflection: f64, spin: V) -> Twins {
    let [eta, rate]: [Vec<f64>; 2] =
        [amplitudes, rates].map(|all| all.iter().map(|x| deflection * x).collect());
    let text = |frame: &str, [position, velocity, w]: [V; 3], q: UnitQuaternion<f64>| {
        let list = |v: &V| format!("[{:?}, {:?}, {:?}]", v.x, v.y, v.z);
        format!(
            "[body]\nname = \"beam\"\ninitial = {{ position = {}, velocity = {}, angular_velocity = {}, \
             attitude = [{:?}, {:?}, {:?}, {:?}] }}\n\
             [body.flexible]\n{frame}\namplitudes = {eta:?}\namplitude_rates = {rate:?}\n\
             beam = {{ {beam} }}\n",
            list(&position),
            list(&velocity),
            list(&w),
            q.w,
            q.i,
            q.j,
            q.k
        )
    };
    let buckens =
        mechanism(&text("frame = \"buckens\"", [V::zeros(), V::zeros(), spin], UnitQuaternion::identity()));
    // Where the start is and how it turns, to the first order in the deflection.
    let start = [-0.5, 0.0, 0.0];
    let local = flexible(&buckens).modal.local(start).unwrap();
    let turns = local.turns.unwrap();
    let q = UnitQuaternion::from_scaled_axis(along(&turns, &eta));
    let place = of(&start) + along(&local.shapes, &eta);
    let velocity = spin.cross(&place) + along(&local.shapes, &rate);
    let w = q.inverse() * (spin + along(&turns, &rate));
    let attached = mechanism(&text("frame = \"attached\"\nat = \"start\"", [place, velocity, w], q));
    Twins { buckens, attached }
}

/// A point of the body (from its origin) in space.
fn point(mechanism: &Mechanism, state: &BodyState, at: [f64; 3]) -> V {
    let [w, i, j, k] = state.attitude;
    let q = UnitQuaternion::from_quaternion(Quaternion::new(w, i, j, k));
    let local = flexible(mechanism).modal.local(at).unwrap();
    of(&state.position) + q * (of(&at) + along(&local.shapes, &state.amplitudes))
}

fn ends(mechanism: &Mechanism, end: f64) -> BodyState {
    let run = accurate::run(mechanism, &Instance::nominal(mechanism), &[end], accurate::TOLERANCE).unwrap();
    run.states[0].bodies[0].clone()
}

/// The largest differences between the twins after `end` (s): of their points (m), and of their
/// modal coordinates.
fn apart(twins: &Twins, end: f64) -> [f64; 2] {
    let [b, a] = [&twins.buckens, &twins.attached].map(|mechanism| ends(mechanism, end));
    let points = [-0.5, 0.2, 0.5].map(|x| {
        let of_b = point(&twins.buckens, &b, [x, 0.0, 0.0]);
        (point(&twins.attached, &a, [x + 0.5, 0.0, 0.0]) - of_b).amax()
    });
    let modal = a.amplitudes.iter().zip(&b.amplitudes).map(|(a, b)| (a - b).abs());
    [points.into_iter().fold(0.0, f64::max), modal.fold(0.0, f64::max)]
}

const BENT: &str =
    "length = 1, mass = 0.5, polar_inertia = 2e-3, bending_stiffness = [4, 6], modes_y = 2, modes_z = 1";

/// Where frames differ by a shift alone, they are the same body: axial modes neither turn the end
/// nor have angular momentum.
#[test]
fn frames_that_differ_by_a_shift_move_alike() {
    let beam = "length = 1, mass = 0.5, polar_inertia = 2e-3, bending_stiffness = 4, axial_stiffness = 20, \
                modes_axial = 2";
    let twins = twins(beam, &[0.05, -0.02], &[0.3, 0.2], 1.0, V::new(0.4, -3.0, 5.0));
    let c = &flexible(&twins.attached).modal.constants;
    assert!(c.s[0].norm() > 0.1 && c.alpha.iter().all(|alpha| alpha.norm() == 0.0));
    let found = apart(&twins, 1.0);
    println!("points {:e} m, modal coordinates {:e} apart", found[0], found[1]);
    assert!(found.iter().all(|off| *off < TWO_FRAMES));
}

/// Frames that turn against each other are one body to the first order in the deflection where the
/// body hardly turns, or where its shapes have what is of second order in it as well (centrifugal
/// stiffening): their motions differ by its square. Else what the centrifugal force makes of that
/// second order, and so how the modes move, differs in the first.
#[test]
fn frames_that_turn_against_each_other_differ_as_the_theory_says() {
    let planar = "length = 1, mass = 0.5, polar_inertia = 2e-3, bending_stiffness = 4, modes_y = 2";
    let stiffened = format!("{planar}, centrifugal_stiffening = true, held_at = \"nowhere\"");
    let about_z = V::new(0.0, 0.0, 5.0);
    for (name, beam, spin, largest, wanted) in [
        ("at rest", BENT, V::zeros(), 4e-4, [2.0, 3.0]),
        ("turning, with stiffening", stiffened.as_str(), about_z, 4e-4, [2.0, 2.0]),
        ("turning, without", planar, about_z, 1e-5, [1.0, 1.0]),
    ] {
        let modes = if beam == BENT { 3 } else { 2 };
        let mut found = [Vec::new(), Vec::new()];
        for halvings in 0..4 {
            let deflection = largest / f64::from(1 << halvings);
            let (amplitudes, rates) = (&[1.0, -0.4, 0.7][..modes], &[3.0, -2.0, 5.0][..modes]);
            let twins = twins(beam, amplitudes, rates, deflection, spin);
            let [points, modal] = apart(&twins, 0.1);
            found[0].push((deflection, points));
            found[1].push((deflection, modal));
        }
        let slopes = found.each_ref().map(|errors| crate::common::slope(errors));
        println!("{name}: slopes {slopes:?} of {found:?}");
        for (slope, wanted) in slopes.iter().zip(wanted) {
            assert!((slope - wanted).abs() < POWER, "{name}: {slopes:?}");
        }
    }
}

/// The modes of the free body do not depend on the frame.
#[test]
fn frequencies_do_not_depend_on_the_frame() {
    let twins = twins(BENT, &[0.0; 3], &[0.0; 3], 0.0, V::zeros());
    let [a, b] = [&twins.attached, &twins.buckens].map(|m| flexible(m).modal.frequencies());
    for (a, b) in a.iter().zip(&b) {
        assert!((a / b - 1.0).abs() < TWO_FRAMES, "{a} {b}");
    }
}

/// Level 2 keeps energy and both momenta, to the order of the method; lower ones the linear
/// momentum.
#[test]
fn level_2_conserves_energy_and_momenta_to_the_order_of_the_method() {
    let twins = twins(BENT, &[5e-3, -2e-3, 4e-3], &[0.0; 3], 1.0, V::new(0.5, 1.0, 4.0));
    let drift = |mechanism: &Mechanism, method: &'static str, steps: u64| {
        let mut study = study(mechanism.clone(), 1, 1.0 / steps as f64, steps);
        study.method.name = method;
        study.method.resynchronise = 0;
        study.observe.every = steps / 50;
        let ready = Ready::new(study);
        let c = &flexible(mechanism).modal.constants;
        let mut worst = [0.0f64; 3];
        let mut first = None;
        ready.watch(&mut *ready.cpu(Precision::F64, Level::new(), false), 0, 1, |outcome| {
            let channels = [
                channels::ENERGY_DRIFT,
                channels::ANGULAR_MOMENTUM_DRIFT,
                channels::VELOCITY,
                channels::ATTITUDE,
            ];
            let row = ready.observe(outcome, &channels).remove(0);
            let motion = ready.plan.model.motions(&outcome.state(0)).remove(0);
            let q = UnitQuaternion::from_quaternion(Quaternion::new(row[5], row[6], row[7], row[8]));
            // The axes of a beam are principal.
            let rd = q.inverse() * V::new(row[2], row[3], row[4]);
            let w = V::from(motion.w);
            let linear = q * momenta(c, [rd, w], &motion.modal.amplitudes, &motion.modal.rates)[0];
            let off = (linear - *first.get_or_insert(linear)).amax();
            worst = [worst[0].max(row[0].abs()), worst[1].max(row[1]), worst[2].max(off)];
        });
        worst
    };
    let (coarse, fine) =
        (drift(&twins.attached, "staggered", 4000), drift(&twins.attached, "staggered", 8000));
    println!("staggered: energy, angular and linear momentum off by {coarse:?}, with half the step {fine:?}");
    for k in 0..2 {
        assert!(coarse[k] < 1e-3 && fine[k] < 0.35 * coarse[k], "{coarse:?} {fine:?}");
    }
    let (coarse, fine) = (drift(&twins.attached, "rk4", 1000), drift(&twins.attached, "rk4", 2000));
    println!("rk4: {coarse:?}, with half the step {fine:?}");
    for k in 0..2 {
        assert!(coarse[k] < 1e-3 && fine[k] < 0.1 * coarse[k], "{coarse:?} {fine:?}");
    }
    let accurate = drift(&twins.attached, "dop853", 1000);
    let lower = drift(&at_level(&twins.attached, LEVELS[2].1), "dop853", 1000);
    println!("dop853: level 2 {accurate:?}, level 1 {lower:?}");
    assert!(accurate.iter().all(|off| *off < 1e-11) && lower[..2].iter().all(|off| *off > 1e-4));
    assert!(lower[2] < 1e-11);
}

/// A cantilever: the frame fixed to the ground where it is attached. With one mode its motion is
/// that mode's, exactly at all levels.
#[test]
fn a_cantilever_swings_as_its_own_mode() {
    let text = "[body]\nname = \"beam\"\n[body.flexible]\nframe = \"attached\"\nat = \"start\"\n\
                amplitudes = [0.2]\n\
                beam = { length = 1, mass = 0.5, polar_inertia = 2e-3, bending_stiffness = 4, \
                boundary = \"cantilever\", modes_y = 1 }\n\
                [[joint]]\nname = \"wall\"\nkind = \"fixed\"\nbodies = [\"ground\", \"beam\"]\n\
                points = [[0, 0, 0], [0, 0, 0]]\naxes = [1, 0, 0]\n";
    let mechanism = mechanism(text);
    let c = &flexible(&mechanism).modal.constants;
    let frequency = (c.stiffness[(0, 0)] / c.modal_mass[(0, 0)]).sqrt();
    let exact = 1.875_104_068_711_961_f64.powi(2) * (4.0f64 / 0.5).sqrt();
    println!("{frequency} rad/s, exactly {exact}");
    assert!((frequency / exact - 1.0).abs() < TWO_FRAMES);
    for (name, level) in LEVELS {
        let period = std::f64::consts::TAU / exact;
        let mut study = study(at_level(&mechanism, level), 1, period / 1000.0, 1250);
        study.method.name = "dop853";
        study.method.resynchronise = 0;
        study.constraints = Constraints { treatment: "exact", ..Constraints::default() };
        let ready = Ready::new(study);
        let outcome = ready.on_cpu(Precision::F64, 1);
        let motion = ready.plan.model.motions(&outcome.state(0)).remove(0);
        // A quarter later it passes the middle with all of its speed.
        let [amplitude, rate] = [motion.modal.amplitudes[0], motion.modal.rates[0]];
        println!("level {name}: {amplitude:e}, {rate}");
        assert!(amplitude.abs() < TWO_FRAMES && (rate + 0.2 * exact).abs() < TWO_FRAMES);
    }
}

/// A body of four particles with rotary inertia whose two modes move and turn its root.
const FOUR: &str = r#"{ "stiffness": [[9, 1], [1, 7]], "nodes": [
    { "name": "root", "at": [0.3, -0.2, 0.5], "mass": 0.7,
      "inertia": [[0.02, 0, 0], [0, 0.03, 0], [0, 0, 0.04]],
      "shapes": [[0.4, 0.1, -0.3], [0.2, -0.5, 0.6]], "turns": [[0.3, -0.7, 0.2], [-0.4, 0.1, 0.5]] },
    { "at": [1.1, 0.4, -0.6], "mass": 0.9, "inertia": [[0.05, 0.01, 0], [0.01, 0.02, 0], [0, 0, 0.06]],
      "shapes": [[-0.2, 0.8, 0.5], [0.7, 0.3, -0.4]], "turns": [[0.1, 0.6, -0.5], [0.2, -0.3, 0.8]] },
    { "at": [-0.8, 0.9, 0.2], "mass": 1.3, "inertia": [[0.01, 0, 0], [0, 0.04, 0.02], [0, 0.02, 0.03]],
      "shapes": [[0.6, -0.1, 0.9], [-0.5, 0.2, 0.1]], "turns": [[-0.6, 0.2, 0.4], [0.9, 0.5, -0.1]] },
    { "at": [0.2, -1.2, 0.7], "mass": 0.4, "inertia": [[0.03, 0, 0.01], [0, 0.05, 0], [0.01, 0, 0.02]],
      "shapes": [[0.1, 0.3, -0.8], [-0.9, 0.6, 0.2]], "turns": [[0.5, 0.4, 0.3], [-0.2, -0.8, 0.6]] }
] }"#;

/// The largest difference of two bodies' constants.
fn constants_apart(a: &Constants, b: &Constants) -> f64 {
    let vectors = |a: &[V], b: &[V]| a.iter().zip(b).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max);
    let matrices = |a: &[Matrix3<f64>], b: &[Matrix3<f64>]| {
        a.iter().zip(b).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max)
    };
    [
        (a.mass - b.mass).abs(),
        (a.centre - b.centre).amax(),
        (a.inertia - b.inertia).amax(),
        matrices(&a.j1, &b.j1),
        matrices(&a.j2.concat(), &b.j2.concat()),
        vectors(&a.g.concat(), &b.g.concat()),
        vectors(&a.s, &b.s),
        vectors(&a.alpha, &b.alpha),
        (&a.modal_mass - &b.modal_mass).amax(),
        (&a.stiffness - &b.stiffness).amax(),
    ]
    .into_iter()
    .fold(0.0, f64::max)
}

/// The constants of an attached frame are those of the particles with the root's motion taken away,
/// rotary inertia and turns too; and of a body that is given by these constants, its points counted
/// from elsewhere, they are the same.
#[test]
fn constants_of_an_attached_frame_are_those_of_what_moves_against_it() {
    let nodes: serde_json::Value = serde_json::from_str(FOUR).unwrap();
    let vector = |value: &serde_json::Value| V::from_iterator(numbers(value));
    let vectors =
        |value: &serde_json::Value| value.as_array().unwrap().iter().map(vector).collect::<Vec<V>>();
    let all = nodes["nodes"].as_array().unwrap();
    let (root, shift, turn) = (vector(&all[0]["at"]), vectors(&all[0]["shapes"]), vectors(&all[0]["turns"]));
    let particles: Vec<Particle> = all
        .iter()
        .map(|node| {
            let (at, shapes, turns) =
                (vector(&node["at"]) - root, vectors(&node["shapes"]), vectors(&node["turns"]));
            Particle {
                mass: node["mass"].as_f64().unwrap(),
                at,
                inertia: Matrix3::from_columns(&vectors(&node["inertia"])),
                shapes: (0..2).map(|k| shapes[k] - shift[k] - turn[k].cross(&at)).collect(),
                turns: (0..2).map(|k| turns[k] - turn[k]).collect(),
            }
        })
        .collect();
    let wanted = Constants::of(&particles, DMatrix::from_row_slice(2, 2, &[9.0, 1.0, 1.0, 7.0])).unwrap();
    let attached = ModalFile::parse(FOUR).unwrap().modal().unwrap().attached(root.into()).unwrap().constants;
    let off = constants_apart(&attached, &wanted);

    let rows = |m: &Matrix3<f64>| [0, 1, 2].map(|i| [m[(i, 0)], m[(i, 1)], m[(i, 2)]]);
    let lists = |all: &[V]| all.iter().map(|v| <[f64; 3]>::from(*v)).collect::<Vec<_>>();
    let square = |m: &DMatrix<f64>| [[m[(0, 0)], m[(0, 1)]], [m[(1, 0)], m[(1, 1)]]];
    let still = [[0.0; 3], [0.0; 3]];
    let given = serde_json::json!({
        "mass": wanted.mass,
        "centre_of_mass": <[f64; 3]>::from(wanted.centre + root),
        "J0": rows(&wanted.inertia),
        "J1": wanted.j1.iter().map(rows).collect::<Vec<_>>(),
        "J2": wanted.j2.iter().map(|row| row.iter().map(rows).collect::<Vec<_>>()).collect::<Vec<_>>(),
        "G": wanted.g.iter().map(|row| lists(row)).collect::<Vec<_>>(),
        "s": lists(&wanted.s),
        "alpha": lists(&wanted.alpha),
        "modal_mass": square(&wanted.modal_mass),
        "modal_stiffness": square(&wanted.stiffness),
        "points": [{ "at": <[f64; 3]>::from(root), "shapes": still, "turns": still }],
    });
    let given = ModalFile::parse(&given.to_string()).unwrap().modal().unwrap().attached(root.into()).unwrap();
    let given_off = constants_apart(&given.constants, &wanted);
    println!("{off:e}, given {given_off:e}, of {:e}", wanted.inertia.amax());
    assert!(off < SAME_CONSTANTS && given_off < SAME_CONSTANTS, "{off:e} {given_off:e}");
}
