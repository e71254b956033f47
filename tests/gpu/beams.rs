//! Beams judged by theory: static deflection and frequencies of cantilevers, the beam that rolls
//! up, rigid motions, energy.

use std::f64::consts::TAU;

use crate::common::arms::study_of;
use crate::common::engine::Ready;
use crate::common::mechanisms::with_beam;
use crate::common::rest::{equilibrium, small_vibrations};
use crate::common::root;
use crate::common::slope;
use crate::common::study::study;
use crate::common::tolerances::{
    BEAM_DEFLECTION, BEAM_ENERGY_ORDER, BEAM_ORDER, BEAM_ROLLED_UP, CRANE_BENDS, CRANE_FORCE, CRANE_OF_BEAMS,
    RIGID_STRAIN,
};
use fearless_simd::Level;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use polhode::backend::End;
use polhode::base::{Options, Precision, Setting};
use polhode::describe::{Axes, Beam, Constraints, Load, LoadKind, LoadPiece, Mechanism, SectionStiffness};
use polhode::observe::{Verdict, channels};
use polhode::reference::body::Motion;
use polhode::reference::elements::beam_element::BeamElement;
use polhode::reference::system::MultibodySystem;
use polhode::reference::{Instance, accurate};
use polhode::study_file::read_mechanism;

/// A cantilever of 1 m along x.
fn cantilever(
    elements: usize,
    section: SectionStiffness,
    mass_per_length: f64,
    rotary_inertia: f64,
) -> Mechanism {
    let beam = Beam {
        name: "beam".to_string(),
        from: [0.0; 3],
        to: [1.0, 0.0, 0.0],
        reference: [0.0, 1.0, 0.0],
        elements,
        section,
        mass_per_length,
        rotary_inertia: [rotary_inertia; 2],
        clamped: [true, false],
        velocity: [0.0; 3],
        angular_velocity: [0.0; 3],
        first_node: 0,
        nodes: 0,
    };
    with_beam(Mechanism::of(Vec::new()), beam)
}

fn section(axial: f64, shear: f64, bending: f64) -> SectionStiffness {
    SectionStiffness { axial, shear: [shear; 2], torsion: bending, bending: [bending; 2], damping: 0.0 }
}

fn at_tip(mechanism: &mut Mechanism, kind: LoadKind, value: [f64; 3]) {
    mechanism.loads = vec![Load {
        name: "end".to_string(),
        body: mechanism.bodies.len() - 1,
        kind,
        axes: Axes::Space,
        point: [0.0; 3],
        pieces: vec![LoadPiece { from: 0.0, until: f64::INFINITY, value }],
        function: None,
    }];
}

/// The end of the beam: the tip node's origin.
fn tip(mechanism: &Mechanism, motions: &[Motion]) -> Vector3<f64> {
    let (last, body) = (motions.last().unwrap(), mechanism.bodies.last().unwrap());
    let turn = UnitQuaternion::from_quaternion(last.attitude);
    last.position - turn * Vector3::from(body.centre_of_mass)
}

/// A transverse force P at the end: `P L³/(3 EI) + P L/(GA)`, of which n elements miss
/// `P L³/(12 EI n²)`.
#[test]
fn a_cantilever_deflects_as_timoshenko_says_to_second_order() {
    let (bending, shear, load) = (2.0, 300.0, 1e-4);
    let exact = load / (3.0 * bending) + load / shear;
    let points: Vec<(f64, f64)> = [2, 4, 8, 16]
        .map(|n| {
            let mut mechanism = cantilever(n, section(1e4, shear, bending), 1.0, 0.01);
            at_tip(&mut mechanism, LoadKind::Force, [0.0, 0.0, -load]);
            let error = exact + tip(&mechanism, &equilibrium(&mechanism, 1)).z;
            let missing = load / (12.0 * bending * (n * n) as f64);
            println!("{n} elements: {:e} of {exact:e}, {:e} of theory", error, error / missing - 1.0);
            assert!((error / missing - 1.0).abs() < BEAM_DEFLECTION, "{n}: {error:e} {missing:e}");
            (1.0 / n as f64, error)
        })
        .to_vec();
    println!("slope {}", slope(&points));
    assert!((slope(&points) - 2.0).abs() < BEAM_ORDER, "{points:?}");
}

/// The moment 2 pi EI / L bends the beam into a circle, with any number of elements from three on:
/// its nodes are then the corners of a regular polygon, and half of it into half a circle.
#[test]
fn an_end_moment_rolls_a_cantilever_up() {
    for n in [4, 10] {
        for turns in [0.5, 1.0] {
            let bending = 2.0;
            let mut mechanism = cantilever(n, section(1e3, 300.0, bending), 1.0, 0.01);
            at_tip(&mut mechanism, LoadKind::Torque, [0.0, -turns * TAU * bending, 0.0]);
            let motions = equilibrium(&mechanism, 8);
            let found = tip(&mechanism, &motions);
            // The chords of a polygon whose sides turn by a, the first by half of it.
            let a = turns * TAU / n as f64;
            let expected: Vector3<f64> = (0..n)
                .map(|k| {
                    let angle = (k as f64 + 0.5) * a;
                    Vector3::new(angle.cos(), 0.0, angle.sin()) / n as f64
                })
                .sum();
            let turn = UnitQuaternion::from_quaternion(motions.last().unwrap().attitude);
            let direction = turn * Vector3::x();
            println!("{n} elements, {turns} turns: tip {:e}", (found - expected).norm());
            assert!((found - expected).norm() < BEAM_ROLLED_UP, "{n} {turns}: {found} {expected}");
            let straight_on = Vector3::new((turns * TAU).cos(), 0.0, (turns * TAU).sin());
            assert!((direction - straight_on).norm() < BEAM_ROLLED_UP, "{direction}");
        }
    }
}

/// A body that twists an element with I = GJ/L: its angle is `w sin t`. Beyond the largest turn it
/// ends there, whatever the backend, and the reference says that there is no solution.
#[test]
fn an_element_wound_too_far_ends_its_instance() {
    let mechanism = "\
        [[mechanism.body]]\nname = \"disc\"\nmass = 1\ninertia = [1, 1, 1]\n\
        initial = { position = [1, 0, 0] }\n\
        [[mechanism.joint]]\nname = \"axle\"\nkind = \"revolute\"\nbodies = [\"ground\", \"disc\"]\n\
        points = [[1, 0, 0], [0, 0, 0]]\naxes = [1, 0, 0]\n\
        [[mechanism.beam_element]]\nname = \"shaft\"\nbodies = [\"ground\", \"disc\"]\n\
        points = [[0, 0, 0], [0, 0, 0]]\nEA = 10\nGA = [5, 5]\nGJ = 1\nEI = [1, 1]\n";
    let (h, steps) = (2e-3, 2000);
    let spins = "\"disc.angular_velocity\" = { uniform = { low = [0, 0, 0], high = [6, 0, 0] } }";
    let study = study_of("", spins, mechanism, h, steps);
    let ready = Ready::new(study);
    let largest = polhode::describe::BeamElement::LARGEST_TURN;
    let drawn = ready.batch(0, ready.size()).states;
    for (backend, outcome) in [
        ("CPU, f64", ready.on_cpu(Precision::F64, 2)),
        ("kernel, f64", ready.on_gpu(Precision::F64)),
        ("CPU, f32", ready.on_cpu(Precision::F32, 2)),
        ("kernel, f32", ready.on_gpu(Precision::F32)),
    ] {
        let mut wound = 0;
        for (i, end) in outcome.ends.iter().enumerate() {
            let w = drawn[4][i];
            if w > largest {
                wound += 1;
                // Where it barely gets there, when it does depends on the last digits.
                let expected = ((largest / w).asin() / h).ceil();
                let margin = if w > 1.05 * largest { 2.0 } else { expected };
                assert_eq!(end.verdict, Verdict::NonFinite, "{backend} {w}");
                assert!(
                    (end.step as f64 - expected).abs() <= margin,
                    "{backend} {w}: {} {expected}",
                    end.step
                );
            } else {
                assert_eq!(*end, End { verdict: Verdict::Finished, step: steps }, "{backend} {w}");
            }
        }
        println!("{backend}: {wound} of {} wound too far", ready.size());
        assert!(wound > 20 && wound < 40, "{wound}");
    }
    let reason = Verdict::NonFinite.reason(&ready.study.mechanism).expect("elements may have led to it");
    assert!(reason.contains("160 degrees"), "{reason}");
    assert_eq!(Verdict::NonFinite.reason(&Mechanism::of(Vec::new())), None);
    let mut mechanism = ready.study.mechanism.clone();
    for (spin, goes_on) in [(2.7, true), (2.9, false)] {
        mechanism.bodies[0].initial.angular_velocity = [spin, 0.0, 0.0];
        let found = accurate::run(&mechanism, &Instance::nominal(&mechanism), &[2.0], accurate::TOLERANCE);
        assert_eq!(found.is_ok(), goes_on, "{spin}: {found:?}");
    }
}

/// Timoshenko's frequency equation of a cantilever (T. C. Huang, J. Appl. Mech. 28, 1961, 579),
/// below its cutoff; with `b² = rho A L⁴ omega²/EI`, `r² = I/(A L²)`, `s² = EI/(GA L²)`.
fn huang(omega: f64, mass: f64, rotary: f64, shear: f64, bending: f64) -> f64 {
    let b = omega * (mass / bending).sqrt();
    let (r2, s2) = (rotary / mass, bending / shear);
    let root = ((r2 - s2).powi(2) + 4.0 / (b * b)).sqrt();
    let alpha = ((root - (r2 + s2)) / 2.0).sqrt();
    let beta = ((root + (r2 + s2)) / 2.0).sqrt();
    let (ba, bb) = (b * alpha, b * beta);
    2.0 + (b * b * (r2 - s2).powi(2) + 2.0) * ba.cosh() * bb.cos()
        - b * (r2 + s2) / (1.0 - b * b * r2 * s2).sqrt() * ba.sinh() * bb.sin()
}

/// The first frequencies (rad/s), bracketed and bisected.
fn theory(count: usize, f: impl Fn(f64) -> f64, step: f64) -> Vec<f64> {
    let mut found = Vec::new();
    let mut low = step;
    while found.len() < count {
        let (mut a, mut b) = (low, low + step);
        low = b;
        if f(a) * f(b) < 0.0 {
            for _ in 0..100 {
                let middle = 0.5 * (a + b);
                if f(a) * f(middle) <= 0.0 { b = middle } else { a = middle }
            }
            found.push(a);
        }
    }
    found
}

/// Bending in y and z alike, so that frequencies come in pairs; twist and stretch are made fast.
#[test]
fn frequencies_of_a_cantilever_are_timoshenkos_to_second_order() {
    let cases = [("stocky", 2.0, 80.0, 0.01), ("slender", 2.0, 2e5, 1e-5)];
    for (name, bending, shear, rotary) in cases {
        let exact = theory(3, |omega| huang(omega, 1.0, rotary, shear, bending), 0.05);
        if name == "slender" {
            // Euler: (1.8751, 4.6941, 7.8548)² sqrt(EI / (rho A L⁴))
            for (omega, beta) in exact.iter().zip([1.875_104_07, 4.694_091_13, 7.854_757_44f64]) {
                let euler = beta * beta * bending.sqrt();
                assert!((omega / euler - 1.0).abs() < 1e-3, "{omega} {euler}");
            }
        }
        let mut errors = vec![Vec::new(); 3];
        for n in [8, 16, 32] {
            let mut stiff = section(1e6, shear, bending);
            stiff.torsion = 1e6 * rotary;
            let mechanism = cantilever(n, stiff, 1.0, rotary);
            let found = small_vibrations(&mechanism, &treated("exact", &[]));
            for (k, omega) in exact.iter().enumerate() {
                let nearest = found.frequencies[2 * k];
                assert!((nearest - found.frequencies[2 * k + 1]).abs() < 1e-3 * nearest, "{name} {k}");
                errors[k].push((1.0 / n as f64, (nearest / omega - 1.0).abs()));
            }
        }
        for (k, points) in errors.iter().enumerate() {
            println!("{name}, mode {k}, {:.4} rad/s: slope {:.4} {points:?}", exact[k], slope(points));
            assert!((slope(points) - 2.0).abs() < BEAM_ORDER, "{name} {k}: {points:?}");
        }
    }
}

fn treated(treatment: &'static str, settings: &[(&'static str, f64)]) -> Constraints {
    let with = |options: Options, (key, x): &(&'static str, f64)| options.with(key, Setting::Number(*x));
    Constraints { treatment, options: settings.iter().fold(Options::default(), with), project: 0 }
}

/// A beam that is carried and turned anywhere as it is strains nowhere.
#[test]
fn rigid_motions_strain_nothing() {
    let mut mechanism = cantilever(5, section(1e3, 300.0, 2.0), 1.0, 0.01);
    let beam = Beam { clamped: [false; 2], ..mechanism.beams.remove(0) };
    mechanism = with_beam(Mechanism::of(Vec::new()), beam);
    let instance = Instance::nominal(&mechanism);
    let system = MultibodySystem::new(&mechanism, &instance).unwrap();
    let start = system.start(&mechanism, &instance).unwrap();
    let bodies: Vec<_> = (0..mechanism.bodies.len())
        .map(|b| polhode::reference::body::RigidBody::new(&mechanism, &instance, b).unwrap())
        .collect();
    let mut worst: f64 = 0.0;
    for k in 0..200 {
        let draw = |j: usize| ((k * 7 + j) as f64 * 12.9898).sin();
        let turn = UnitQuaternion::from_scaled_axis(Vector3::new(draw(1), draw(2), draw(3)) * 3.0);
        let shift = Vector3::new(draw(4), draw(5), draw(6)) * 3.0;
        let carried: Vec<Motion> = start
            .iter()
            .map(|motion| Motion {
                position: shift + turn * motion.position,
                attitude: turn.into_inner() * motion.attitude,
                ..motion.clone()
            })
            .collect();
        for element in &mechanism.beam_elements {
            let numbers = [1e3, 300.0, 300.0, 2.0, 2.0, 2.0, 0.0, 1.0];
            let element = BeamElement::new(element, &numbers, &bodies);
            let [gamma, curvature] = element.strains(&carried);
            worst = worst.max(gamma.amax()).max(curvature.amax());
        }
    }
    println!("{worst:e}");
    assert!(worst < RIGID_STRAIN, "{worst:e}");
}

/// The whole beam, stiff, turns like the rigid rod of its length: mass and moments of inertia of
/// its nodes are exact.
#[test]
fn nodes_together_are_the_rod() {
    let mut mechanism = cantilever(3, section(1e3, 300.0, 2.0), 1.7, 0.01);
    let beam = Beam { clamped: [false; 2], ..mechanism.beams.remove(0) };
    mechanism = with_beam(Mechanism::of(Vec::new()), beam);
    let mass: f64 = mechanism.bodies.iter().map(|body| body.mass).sum();
    let about_end: f64 = mechanism
        .bodies
        .iter()
        .map(|body| {
            let x = body.initial.position[0] + body.centre_of_mass[0];
            body.inertia[2][2] + body.mass * x * x
        })
        .sum();
    assert!((mass - 1.7).abs() < 1e-15);
    assert!((about_end - (1.7 / 3.0 + 0.01)).abs() < 1e-15, "{about_end}");
}

/// A free beam that turns fast and is struck bends by much; the staggered method's energy error
/// falls as h².
#[test]
fn the_staggered_method_keeps_the_energy_of_a_beam_to_second_order() {
    let mut mechanism = cantilever(4, section(400.0, 200.0, 2.0), 1.0, 0.01);
    let beam = Beam { clamped: [false; 2], ..mechanism.beams.remove(0) };
    mechanism = with_beam(Mechanism::of(Vec::new()), beam);
    for (k, body) in mechanism.bodies.iter_mut().enumerate() {
        let side = if k == 2 { 1.0 } else { -0.5 };
        body.initial.velocity = [0.0, 1.5 * side, -2.0 * side];
        body.initial.angular_velocity = [3.0 * side, 0.0, 0.5];
    }
    let points: Vec<(f64, f64)> = [2000, 4000, 8000]
        .map(|steps| {
            let h = 1.0 / steps as f64;
            let mut study = study(mechanism.clone(), 1, h, steps);
            study.method.resynchronise = 0;
            study.observe.channels = vec![channels::ENERGY.into()];
            let ready = Ready::new(study);
            let energy = |steps| {
                let mut study = ready.study.clone();
                study.method.steps = steps;
                let ready = Ready::new(study);
                ready.observe(&ready.on_cpu(Precision::F64, 1), &[channels::ENERGY])[0][0]
            };
            let start = energy(1);
            let worst = (1..=10).map(|k| (energy(steps * k / 10) - start).abs()).fold(0.0, f64::max);
            (h, worst / start)
        })
        .to_vec();
    println!("slope {} {points:?}", slope(&points));
    assert!((slope(&points) - 2.0).abs() < BEAM_ENERGY_ORDER, "{points:?}");
}

/// Positions of points of bodies over 1 s, and the tip's force, 51 times; of the nominal mechanism.
struct Led {
    /// `[snapshot][point]`
    points: Vec<Vec<Vector3<f64>>>,
    force: Vec<Vector3<f64>>,
}

fn led(mechanism: &Mechanism, points: &[(&str, f64)], h: f64) -> Led {
    let every = (0.02 / h).round() as u64;
    let bodies = mechanism.bodies.len();
    let mut found = Led { points: Vec::new(), force: Vec::new() };
    let mut study = study(mechanism.clone(), 1, h, 50 * every);
    study.method.resynchronise = 20;
    study.constraints = treated("staggered", &[("gamma", 500.0), ("beta", 2.5e5)]);
    study.observe.every = every;
    let channels = [channels::POSITION, channels::ATTITUDE, channels::DRIVE_FORCE];
    let ready = Ready::new(study);
    let mut backend = ready.cpu(Precision::F64, Level::new(), false);
    ready.watch(&mut *backend, 0, 1, |outcome| {
        let row = ready.observe(outcome, &channels).remove(0);
        let three = |at: usize| Vector3::from_column_slice(&row[at..at + 3]);
        let place = |&(name, along): &(&str, f64)| {
            let b = mechanism.bodies.iter().position(|body| body.name == name).expect("a body");
            let q = &row[3 * bodies + 4 * b..][..4];
            let turn = UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3]));
            three(3 * b) + turn * Vector3::new(along, 0.0, 0.0)
        };
        found.points.push(points.iter().map(place).collect());
        found.force.push(three(7 * bodies));
    });
    found
}

/// PCD90's crane of four elements a link against W84's modes of lumped links, which moves otherwise
/// for its lumps: 5.6 % more inertia. What bending adds to the motion of rigid links is compared,
/// of the pieces' inertia for one and the lumps' for the other, and the boom's shape itself.
#[test]
fn a_crane_of_beams_moves_as_one_of_modes() {
    let solution: serde_json::Value = serde_json::from_str(
        &std::fs::read_to_string(root().join("tests/reference/crane_flexible.json")).unwrap(),
    )
    .unwrap();
    let point =
        |name: &str, k: usize| Vector3::from([0, 1, 2].map(|i| solution[name][k][i].as_f64().unwrap()));
    let read = |name: &str| read_mechanism(&root().join(format!("mechanisms/{name}.toml"))).unwrap();
    let beams = led(
        &read("crane_flexible"),
        &[("arm.0", 0.0), ("jib.0", 0.0), ("jib.4", 0.0), ("boom.2", 0.0), ("boom.0", 0.0)],
        1e-4,
    );
    let lumps = read("crane");
    let mut pieces = lumps.clone();
    for (body, moment) in pieces.bodies.iter_mut().zip([0.1, 0.8f64.powi(3) / 12.0, 0.8 * 0.216 / 12.0]) {
        body.inertia[1][1] = moment + 1e-4;
        body.inertia[2][2] = moment + 1e-4;
    }
    let rigid = |mechanism: &Mechanism| led(mechanism, &[("boom", 0.5), ("jib", -0.3), ("jib", 0.3)], 2e-4);
    let (pieces, lumps) = (rigid(&pieces), rigid(&lumps));

    let mut worst = [0.0f64; 5];
    for k in 0..50 {
        let place = |name: &str| point(name, k + 1);
        for (point, name) in ["elbow_m", "wrist_m", "tip_m"].into_iter().enumerate() {
            let added = beams.points[k][point] - pieces.points[k][point];
            let expected = place(name) - lumps.points[k][point];
            worst[point] = worst[point].max((added - expected).norm());
        }
        let at = &beams.points[k];
        let bend = at[3] - (at[4] + at[0]) / 2.0;
        worst[3] = worst[3].max((bend - place("boom_bend_m")).norm());
        let added = beams.force[k] - pieces.force[k];
        worst[4] = worst[4].max((added - (place("tip_force_N") - lumps.force[k])).norm());
    }
    println!("elbow, wrist, tip, bend (m), force (N): {worst:?}");
    assert!(worst[..3].iter().all(|worst| *worst < CRANE_OF_BEAMS), "{worst:?}");
    assert!(worst[3] < CRANE_BENDS && worst[4] < CRANE_FORCE, "{worst:?}");
}

/// The step that `polhode check` prints is the longest: a little below that step a clamped beam
/// vibrates for ever, a little above it flies apart; with dampers, which take nothing from that
/// step, as without. The run is never resynchronised, which feeds vibrations of omega h near 1
/// (docs/findings.md).
#[test]
fn the_step_that_vibrations_allow_is_the_longest() {
    for damping in [0.0, 0.002] {
        let section = SectionStiffness { damping, ..section(400.0, 200.0, 2.0) };
        let mut mechanism = cantilever(3, section, 1.0, 0.01);
        for (k, body) in mechanism.bodies.iter_mut().enumerate() {
            body.initial.velocity = [1e-6, 2e-6, -1e-6 * k as f64];
        }
        let found = small_vibrations(&mechanism, &treated("exact", &[]));
        let undamped = found.longest_step * found.highest();
        assert!((undamped - 2.0).abs() < 1e-9, "{undamped}");
        let of_runge_kutta = found.longest_of_runge_kutta * found.highest();
        assert!(damping > 0.0 || (of_runge_kutta - 2.0).abs() < 1e-9, "{of_runge_kutta}");
        assert!(damping == 0.0 || of_runge_kutta < 1.8, "{of_runge_kutta}");
        let energy = |share: f64| {
            let mut study = study(mechanism.clone(), 1, share * found.longest_step, 2000);
            study.method.resynchronise = 0;
            let ready = Ready::new(study);
            ready.observe(&ready.on_cpu(Precision::F64, 1), &[channels::ENERGY])[0][0]
        };
        let start = 0.5 * mechanism.bodies.iter().map(|b| b.mass * 6e-12).sum::<f64>();
        let (below, above) = (energy(0.98), energy(1.02));
        println!("damping {damping} s: {below:e} J and {above:e} J from {start:e} J");
        assert!(below < 1e3 * start, "{below:e}");
        assert!(above.is_nan() || above > 1e12 * start, "{above:e}");
    }
}
