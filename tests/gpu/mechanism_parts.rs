//! The engine's generators, contacts, forces at joints, bushings, drags, locks and functions of
//! time: against the reference step by step, against reference solutions, and the same bits from
//! every backend.

use crate::common::engine::{Outcome, Ready, assert_same};
use crate::common::judged::{CHANNELS, reference, reference_run, worst};
use crate::common::laws::{with_laws, with_samples, with_states, with_wheels};
use crate::common::mechanisms::{Draws, NUMBERS, call, chain, number, push, with_beam};
use crate::common::solutions::{SolutionBall, SolutionLinks};
use crate::common::study::{Varied, study};
use crate::common::sweep::{is_full, third};
use crate::common::tolerances::{
    AFTER_THE_LAST, BALL_ORDER, BETWEEN_IMPACTS_BY_EXACT, BETWEEN_IMPACTS_BY_STAGGERED, CAUGHT_BY_EXACT,
    CAUGHT_BY_STAGGERED, REACTIONS, REFERENCE_PER_STEP, SECOND_DIFFERENCES,
};
use crate::common::{attitude_distance, distance, slope};
use fearless_simd::Level;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use polhode::backend::End;
use polhode::backend::program::Program;
use polhode::base::{Options, Precision, Setting};
use polhode::describe::expression::{Function, FunctionTable, Interpolation};
use polhode::describe::{
    Attached, Axes, Beam, BeamElement, Channel, Constant, Constraints, Coordinate, Expression, Force, Joint,
    JointCard, JointCoordinate, Load, LoadKind, Mechanism, NumberOwner, Point, Quantity, SectionStiffness,
    Study, Support,
};
use polhode::elements::armature::Armature;
use polhode::elements::bushing::Bushing;
use polhode::elements::contacts::knife_edge::KnifeEdge;
use polhode::elements::drag::Drag;
use polhode::elements::friction::{Friction, JointFriction};
use polhode::elements::generator;
use polhode::elements::joint_spring::JointSpring;
use polhode::elements::joints::{CYLINDRICAL, DISTANCE, REVOLUTE, SLOT, SPHERICAL, TRANSLATIONAL, UNIVERSAL};
use polhode::elements::lock::lock;
use polhode::elements::stop::Stop;
use polhode::ensemble::Quantities;
use polhode::observe::{Verdict, channels};
use polhode::reference::{Instance, LockTimes, Reaction, State, accurate};
use polhode::study::replay::{solved_rows, to_reference};
use polhode::study::yardsticks::{free_body, manipulator, rolling_ball, three_link_lockup};

const H: f64 = 0.004;
const STEPS: u64 = 40;

fn product(a: Expression, b: Expression) -> Expression {
    Expression::Product(Box::new(a), Box::new(b))
}

fn sum(a: Expression, b: Expression) -> Expression {
    Expression::Sum(Box::new(a), Box::new(b))
}

/// c sin(omega t), its amplitude the first constant of the mechanism.
fn wave(omega: f64) -> Expression {
    product(Expression::Constant(0), call(Function::Sin, product(number(omega), Expression::Argument)))
}

fn angle(joint: usize) -> JointCoordinate {
    JointCoordinate { joint, coordinate: Coordinate::Angle }
}

fn displacement(joint: usize) -> JointCoordinate {
    JointCoordinate { joint, coordinate: Coordinate::Displacement }
}

/// Two bodies on joints of these kinds, under loads and springs, with a constant that drives
/// things.
pub fn driven(ground: Option<&'static JointCard>, pair: &'static JointCard, seed: f64) -> Mechanism {
    let numbers: Vec<f64> = (0..NUMBERS).map(|k| ((k as f64 * 1.7 + seed) * 12.9898).sin()).collect();
    let mut draws = Draws::new(numbers);
    let mut mechanism = chain(ground, pair, &mut draws);
    push(&mut mechanism, &mut draws);
    mechanism.constants = vec![Constant { name: "amplitude".to_string(), value: 0.4, unit: "rad".into() }];
    mechanism
}

fn joint_spring(coordinate: JointCoordinate, actuator: Expression) -> Force {
    let coil = JointSpring { stiffness: 3.0, damping: 0.2, rest: 0.3 };
    coil.force("coil", Attached::Coordinate(coordinate)).with_function("actuator", actuator)
}

/// A free body with a hinge on either side, all of them turning.
fn panels() -> Mechanism {
    let side = |name: &str, at: f64| {
        let mut body = free_body([0.3, 0.5, 0.4], [1.0, 0.0, 0.0, 0.0], [0.1, 0.2, 0.3]).bodies.remove(0);
        (body.name, body.initial.position) = (name.to_string(), [at, 0.0, 0.0]);
        body
    };
    let hinge = |body: usize, sign: f64| Joint {
        name: format!("hinge{body}"),
        kind: &REVOLUTE,
        points: [
            Point { body: Some(0), at: [sign * 0.5, 0.0, 0.0] },
            Point { body: Some(body), at: [-sign * 0.5, 0.0, 0.0] },
        ],
        frames: [[[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]; 2],
        length: 0.0,
        initial: None,
    };
    let bodies = vec![side("bus", 0.0), side("right", 1.0), side("left", -1.0)];
    Mechanism { joints: vec![hinge(1, 1.0), hinge(2, -1.0)], ..Mechanism::of(bodies) }
}

/// Two free bodies, axes of inertia across the user's.
fn apart() -> Mechanism {
    let body = |name: &str, at: f64| {
        let mut body = free_body([0.3, 0.5, 0.4], [1.0, 0.0, 0.0, 0.0], [0.1, 0.2, 0.3]).bodies.remove(0);
        (body.name, body.initial.position) = (name.to_string(), [at, 0.0, 0.0]);
        body.inertia[0][1] = 0.05;
        body.inertia[1][0] = 0.05;
        body
    };
    Mechanism::of(vec![body("one", 0.0), body("other", 1.0)])
}

/// Every new part at least once, by name.
#[expect(clippy::too_many_lines, reason = "a list of cases")]
pub fn cases() -> Vec<(&'static str, Mechanism)> {
    let on = |body: usize, at: [f64; 3]| Point { body: Some(body), at };
    let mut cases = vec![
        ("rolling ball", rolling_ball(0.01635)),
        ("manipulator", manipulator()),
        ("three links", three_link_lockup()),
        ("two hinges on a free body", panels()),
    ];

    let mut hinged = driven(Some(&REVOLUTE), &REVOLUTE, 0.3);
    let stop = |coordinate, low, high| {
        Stop { low, high, stiffness: 50.0, damping: 0.5, dissipation: 0.3 }
            .force("stop", Attached::Coordinate(coordinate))
    };
    hinged.forces.extend([
        joint_spring(angle(0), wave(9.0)),
        stop(angle(1), f64::NEG_INFINITY, -0.1),
        stop(angle(0), 0.2, 0.3),
    ]);
    cases.push(("springs and stops at hinges", hinged));

    let mut driven_hinge = driven(Some(&REVOLUTE), &CYLINDRICAL, 0.9);
    // From where it stands.
    let moves = |value| generator::coordinate("drive", angle(1), value);
    driven_hinge.generators = vec![moves(sum(number(0.2), product(number(1.5), wave(7.0))))];
    driven_hinge.forces.push(joint_spring(displacement(0), number(1.0)));
    cases.push(("generator of an angle", driven_hinge));

    let mut slid = driven(Some(&TRANSLATIONAL), &SPHERICAL, 1.4);
    let table = FunctionTable {
        name: None,
        knots: vec![0.0, 0.06, 0.1, 0.2],
        values: vec![0.1, -0.2, 0.3, 0.2],
        interpolation: Interpolation::Cubic,
        slopes: vec![0.0, 2.0, 1.0, 0.0],
        columns: Vec::new().into(),
        first: 0,
    };
    let table = Expression::Lookup(Box::new(table), Box::new(Expression::Argument));
    slid.generators = vec![generator::coordinate("drive", displacement(1), table)];
    cases.push(("generator of a displacement by a table", slid));

    let mut led = driven(None, &UNIVERSAL, 2.2);
    let value = [Some(wave(5.0)), None, Some(sum(number(0.5), wave(3.0)))];
    led.generators = vec![
        generator::position("led", on(0, [0.1, 0.2, -0.1]), value),
        generator::velocity(
            "pulled",
            on(1, [0.3, 0.0, 0.2]),
            [None, Some(call(Function::Tanh, Expression::Argument)), None],
        ),
    ];
    cases.push(("generators of points", led));

    let mut edged = driven(None, &SLOT, 3.1);
    edged.contacts = vec![KnifeEdge { direction: [0.6, 0.0, 0.8] }.contact("skate", on(1, [0.2, -0.1, 0.3]))];
    let air = Drag { linear: 0.2, quadratic: 0.7, angular_linear: 0.1, angular_quadratic: 0.3 };
    edged.forces.extend((0..2).map(|body| air.force(format!("air{body}"), Attached::Body(body))));
    cases.push(("knife edge and drag", edged));

    let mut rough = driven(Some(&REVOLUTE), &CYLINDRICAL, 1.9);
    rough.forces.extend([
        JointFriction { force: 0.8, rate: 0.5 }.force("bearing", Attached::Coordinate(angle(1))),
        JointFriction { force: 2.0, rate: 0.7 }.force("sleeve", Attached::Coordinate(displacement(0))),
        Friction { force: 3.0, rate: 0.6 }.force(
            "belt",
            Attached::Points([Point { body: None, at: [2.0, -1.0, 3.0] }, on(1, [0.1, 0.2, 0.0])]),
        ),
    ]);
    cases.push(("dry friction in joints and along a line", rough));

    let mut geared = driven(Some(&REVOLUTE), &CYLINDRICAL, 2.7);
    let armature =
        |inertia, coordinate| Armature { inertia }.force("rotor", Attached::Coordinate(coordinate));
    geared.forces.extend([
        JointSpring { stiffness: 3.0, damping: 0.2, rest: 0.3 }.force("coil", Attached::Coordinate(angle(1))),
        armature(0.7, angle(1)),
        armature(1.1, displacement(0)),
        armature(0.2, angle(0)),
    ]);
    cases.push(("armatures", geared));

    let mut coupled = driven(Some(&REVOLUTE), &CYLINDRICAL, 2.7);
    let squared = Expression::Power(Box::new(Expression::Argument), 2);
    coupled.generators = vec![
        generator::coupling(
            "screw",
            displacement(0),
            angle(0),
            sum(number(0.1), product(number(0.3), Expression::Argument)),
        ),
        generator::coupling(
            "cam",
            angle(1),
            angle(0),
            sum(product(number(-0.5), Expression::Argument), product(Expression::Constant(0), squared)),
        ),
    ];
    coupled.forces.push(joint_spring(angle(0), number(0.2)));
    cases.push(("a screw and a cam", coupled));

    let mut turned = driven(Some(&UNIVERSAL), &SPHERICAL, 5.2);
    let at = |joint, coordinate| Attached::Coordinate(JointCoordinate { joint, coordinate });
    let coil = JointSpring { stiffness: 3.0, damping: 0.2, rest: 0.3 };
    turned.forces.extend([
        coil.force("cross", at(1, Coordinate::AngleA)).with_function("actuator", wave(6.0)),
        coil.force("x", at(0, Coordinate::AngleX)).with_function("actuator", number(0.5)),
        coil.force("y", at(0, Coordinate::AngleY)),
        Stop { low: -0.1, high: 0.1, stiffness: 30.0, damping: 0.4, dissipation: 0.0 }
            .force("end", at(1, Coordinate::AngleB)),
        JointFriction { force: 0.4, rate: 0.5 }.force("rubs", at(0, Coordinate::AngleZ)),
        JointFriction { force: 0.3, rate: 0.5 }.force("drags", at(1, Coordinate::AngleB)),
        Armature { inertia: 0.2 }.force("rotor", at(1, Coordinate::AngleA)),
        Armature { inertia: 0.3 }.force("top", at(0, Coordinate::AngleY)),
    ]);
    cases.push(("forces at the angles of a cross and of a ball", turned));

    let hinges = driven(Some(&REVOLUTE), &CYLINDRICAL, 2.7);
    let driven_by_laws = |kinked| with_laws(hinges.clone(), &[angle(0), angle(1), displacement(0)], kinked);
    cases.push(("laws of the motion", driven_by_laws(false)));
    cases.push(("laws with limits and switches", driven_by_laws(true)));
    cases.push(("laws of bodies that nothing joins", with_laws(apart(), &[], false)));
    let sampled =
        |mechanism: Mechanism, coordinates: &[JointCoordinate]| with_samples(mechanism, coordinates, H);
    cases.push(("laws that are sampled", sampled(hinges.clone(), &[angle(0), angle(1), displacement(0)])));
    cases.push(("laws that are sampled, of bodies that nothing joins", sampled(apart(), &[])));
    cases.push(("laws with states", with_states(hinges, &[angle(0), angle(1), displacement(0)])));
    cases.push(("laws with states of bodies that nothing joins", with_states(apart(), &[])));

    cases.push(("wheels", with_wheels(driven(Some(&REVOLUTE), &CYLINDRICAL, 2.7))));
    cases.push(("wheels of bodies that nothing joins", with_wheels(apart())));
    let beside = with_states(apart(), &[]);
    cases.push(("wheels, and laws with states", with_wheels(beside)));

    let mut soft = driven(None, &DISTANCE, 4.4);
    let turned = [[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0], [0.0, 0.0, 1.0]];
    let straight = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mount = Bushing {
        stiffness: [20.0, 30.0, 10.0],
        damping: [0.3, 0.1, 0.2],
        torsional_stiffness: [2.0, 3.0, 4.0],
        torsional_damping: [0.05, 0.02, 0.04],
    };
    let bushing = |points, frames| mount.force("mount", Attached::Frames { points, frames });
    soft.forces.extend([
        bushing([on(0, [0.1, 0.0, 0.3]), on(1, [0.0, 0.4, 0.0])], [straight, turned]),
        bushing([Point { body: None, at: [0.5, 0.0, 0.0] }, on(0, [0.0; 3])], [turned, straight]),
    ]);
    cases.push(("bushings", soft));

    let section = SectionStiffness {
        axial: 30.0,
        shear: [20.0, 15.0],
        torsion: 2.0,
        bending: [3.0, 4.0],
        damping: 0.02,
    };
    let mut joined = driven(None, &DISTANCE, 4.4);
    let element = |points, frames| BeamElement {
        name: "strut".to_string(),
        points,
        frames,
        length: 0.7,
        section,
        beam: None,
    };
    joined.beam_elements = vec![
        element([on(0, [0.1, 0.0, 0.3]), on(1, [0.0, 0.4, 0.0])], [straight, turned]),
        element([Point { body: None, at: [0.5, 0.0, 0.0] }, on(0, [0.0; 3])], [turned, straight]),
    ];
    cases.push(("beam elements", joined));

    let beam = Beam {
        name: "boom".to_string(),
        from: [0.1, 0.2, 0.3],
        to: [0.9, 0.2, 0.8],
        reference: [0.0, 1.0, 0.0],
        elements: 2,
        section,
        mass_per_length: 2.0,
        rotary_inertia: [0.04, 0.06],
        clamped: [true, false],
        velocity: [0.0; 3],
        angular_velocity: [0.0; 3],
        first_node: 0,
        nodes: 0,
    };
    let mut boom = with_beam(Mechanism::of(Vec::new()), beam);
    boom.bodies[1].initial.velocity = [0.5, 1.0, -0.7];
    boom.bodies[0].initial.angular_velocity = [1.0, -2.0, 0.5];
    boom.gravity = [0.0, 0.0, -9.81];
    cases.push(("a clamped beam", boom));

    let mut shaken = driven(Some(&UNIVERSAL), &SPHERICAL, 5.2);
    let function =
        [wave(11.0), Expression::Power(Box::new(sum(Expression::Argument, number(0.5))), -2), number(0.3)];
    let load = |name: &str, body, kind, axes| Load {
        name: name.to_string(),
        body,
        kind,
        axes,
        point: if kind == LoadKind::Force { [0.1, 0.2, 0.3] } else { [0.0; 3] },
        pieces: vec![],
        function: Some(function.clone()),
    };
    shaken.loads = vec![
        load("shake", 0, LoadKind::Force, Axes::Space),
        load("twist", 1, LoadKind::Torque, Axes::Body),
        load("push", 1, LoadKind::Force, Axes::Body),
    ];
    cases.push(("loads that are functions of time", shaken));

    let mut caught = driven(Some(&REVOLUTE), &CYLINDRICAL, 0.9);
    caught.locks = vec![lock("catch", angle(1), 0.0, f64::INFINITY), lock("slip", displacement(0), 0.0, 4.0)];
    cases.push(("locks, one of which lets go", caught));
    cases
}

fn treated(treatment: &'static str, settings: &[(&'static str, f64)]) -> Constraints {
    let with = |options: Options, (key, x): &(&'static str, f64)| options.with(key, Setting::Number(*x));
    Constraints { treatment, options: settings.iter().fold(Options::default(), with), project: 0 }
}

/// The methods that take mechanisms.
pub fn ways() -> [(&'static str, Constraints); 7] {
    let printed = |corrected| {
        let Constraints { treatment, options, .. } =
            treated("staggered_as_printed", &[("eps", 1e-3), ("gamma", 5.0)]);
        Constraints { treatment, options: options.with("corrected", Setting::Flag(corrected)), project: 0 }
    };
    [
        ("staggered", treated("staggered", &[("eps", 1e-6), ("gamma", 5.0), ("beta", 20.0)])),
        ("staggered", printed(false)),
        ("staggered", printed(true)),
        ("staggered", treated("exact", &[])),
        ("rk4", treated("baumgarte", &[("gamma", 8.0), ("beta", 30.0)])),
        ("tsit5", treated("exact", &[])),
        ("dop853", treated("exact", &[])),
    ]
}

/// The other methods that carry multipliers, each with those and with others.
fn carrying() -> [(&'static str, Constraints); 14] {
    let carried = treated("staggered", &[("eps", 1e-6), ("gamma", 5.0), ("beta", 20.0)]);
    let others = [treated("exact", &[]), treated("baumgarte", &[("gamma", 8.0), ("beta", 30.0)])];
    let names = [
        "midpoint",
        "simo_wong",
        "predictor_corrector",
        "staggered_conserving",
        "newmark_euler_parameters",
        "newmark_rotation_vector",
        "trapezoidal",
    ];
    std::array::from_fn(|k| match k {
        0..7 => (names[k], carried.clone()),
        _ => (names[k - 7], others[k % 2].clone()),
    })
}

/// Five of the methods of [`ways`] and [`carrying`], with positions and velocities projected now
/// and then.
pub fn projecting() -> [(&'static str, Constraints); 5] {
    let [staggered, .., rk4, _, _] = ways();
    let [midpoint, simo_wong, predictor_corrector, ..] = carrying();
    [staggered, rk4, midpoint, simo_wong, predictor_corrector]
        .map(|(method, constraints)| (method, Constraints { project: 7, ..constraints }))
}

/// (33) as it is printed keeps an odd-even mode of the multipliers, which laws that feel
/// velocities, a table that leads a displacement, a lock that lets go and rows of a cam, whose
/// slope changes, drive up: after 40 steps it is 1e3 of the motion with laws, those of wheels among
/// them, and beyond 1e98 with the cam, in engine and judge, and nothing can be compared.
fn grows(name: &str, constraints: &Constraints) -> bool {
    const DRIVEN_UP: [&str; 4] = [
        "wheels",
        "a screw and a cam",
        "generator of a displacement by a table",
        "locks, one of which lets go",
    ];
    let is_driven_up = name.starts_with("laws") || DRIVEN_UP.contains(&name);
    constraints.options.get("corrected") == Some(&Setting::Flag(false)) && is_driven_up
}

/// Two instances: numbers of forces and constants vary, masses too.
pub fn ensemble(mechanism: Mechanism, method: &'static str, constraints: &Constraints) -> Study {
    let mut study = study(mechanism.clone(), 2, H, STEPS).uniform(Quantity::Mass, [1.0], [2.0]);
    study.method.name = method;
    study.method.resynchronise = if method.starts_with("staggered") { 13 } else { 0 };
    if method.starts_with("newmark") {
        // The reference solves the balance until rounding stops it.
        study.method.options = Options::default().with("iterations", Setting::Count(12));
    }
    study.constraints = constraints.clone();
    for (position, number) in mechanism.numbers().iter().enumerate() {
        let varies = match number.element {
            NumberOwner::Constant | NumberOwner::State => true,
            NumberOwner::Force if mechanism.forces[number.index].card.table == "spring" => false,
            NumberOwner::Force => number.value.is_finite(),
            NumberOwner::BeamElement | NumberOwner::Beam => true,
            NumberOwner::Lock => number.part != "release" && number.value.is_finite(),
            NumberOwner::Joint | NumberOwner::Flexible | NumberOwner::Table => false,
        };
        if varies {
            let x = number.value;
            study = study.uniform(Quantity::Number(position), [x], [x + 0.1 * x.abs() + 0.01]);
        }
    }
    study.observe.channels = vec![channels::ENERGY.into()];
    study
}

#[test]
fn every_part_moves_as_the_reference_says() {
    let mut apart = Vec::new();
    for (case, (name, mechanism)) in cases().into_iter().enumerate() {
        let rigid = mechanism.is_rigid();
        let others = carrying().into_iter().filter(|(name, _)| rigid || *name == "midpoint");
        let of_any = ["staggered", "rk4", "midpoint"];
        let projected = projecting().into_iter().filter(|(name, _)| rigid || of_any.contains(name));
        // The staggered method and its treatment meet every part, all others a third of them.
        let [staggered, rest @ ..] = ways();
        let all = rest.into_iter().chain(others).chain(projected);
        for (method, constraints) in [staggered].into_iter().chain(third(case, all)) {
            if grows(name, &constraints) {
                continue;
            }
            let ready = Ready::new(ensemble(mechanism.clone(), method, &constraints));
            let references: Vec<_> = (0..ready.size()).map(|i| reference(&ready, i)).collect();
            let difference = worst(&ready, &ready.on_cpu(Precision::F64, 1), &references);
            println!("{name}, {method}, {}: {difference:e}", constraints.treatment);
            // NaN is apart too.
            if difference.is_nan() || difference >= REFERENCE_PER_STEP * STEPS as f64 {
                apart.push(format!("{name}, {method}, {}: {difference:e}", constraints.treatment));
            }
        }
    }
    assert!(apart.is_empty(), "{apart:#?}");
}

/// Channels that [`channels_of_joints_and_locks_are_those_of_the_reference`] compares.
const SEEN: [Channel; 13] = [
    channels::ENERGY,
    channels::ANGLE,
    channels::DISPLACEMENT,
    channels::FORCE,
    channels::TORQUE,
    channels::CAUGHT,
    channels::RELEASED,
    channels::LOCK_TORQUE,
    channels::LOCK_FORCE,
    channels::SPRING_FORCE,
    channels::SPRING_LENGTH,
    channels::SPRING_RATE,
    channels::ANGULAR_MOMENTUM_ABOUT_CENTRE,
];

/// Coordinates, reactions and the times of locks, of all instances.
#[test]
fn channels_of_joints_and_locks_are_those_of_the_reference() {
    let jointed = cases().into_iter().filter(|(_, mechanism)| !mechanism.joints.is_empty());
    for (case, (name, mechanism)) in jointed.enumerate() {
        let ways = third(case, ways()).into_iter().filter(|(_, constraints)| !grows(name, constraints));
        for (method, constraints) in ways {
            let mut study = ensemble(mechanism.clone(), method, &constraints);
            if !channels::owners(&mechanism, channels::ANGLE).is_empty() {
                study.observe.channels.push(channels::ANGLE.into());
            }
            let ready = Ready::new(study);
            let outcome = ready.on_cpu(Precision::F64, 1);
            let observed = SEEN.map(|channel| (channel, ready.observe(&outcome, &[channel])));
            let channel = |wanted: Channel| {
                &observed.iter().find(|(channel, _)| *channel == wanted).expect("a channel that is seen").1
            };
            for i in 0..ready.size() {
                let run = reference_run(&ready, i);
                let state = run.states.last().expect("the last state");
                let compare = |what: &str, found: &[f64], expected: &[f64]| {
                    assert_eq!(found.len(), expected.len(), "{name} {what}");
                    let size = expected.iter().fold(1.0f64, |size, x| size.max(x.abs()));
                    for (a, b) in found.iter().zip(expected) {
                        let same = (a - b).abs() <= REACTIONS * size || a.is_nan() && b.is_nan();
                        assert!(same, "{name}, {method}: {what} of {i}: {found:?} {expected:?}");
                    }
                };
                let values = |wanted: Coordinate| -> Vec<f64> {
                    let all = mechanism.joints.iter().flat_map(|joint| joint.kind.coordinates);
                    let both = all.zip(&state.coordinates);
                    both.filter(|(coordinate, _)| **coordinate == wanted).map(|(_, s)| *s).collect()
                };
                compare("energy", &channel(channels::ENERGY)[i], &[state.energy]);
                compare("angle", &channel(channels::ANGLE)[i], &values(Coordinate::Angle));
                compare(
                    "displacement",
                    &channel(channels::DISPLACEMENT)[i],
                    &values(Coordinate::Displacement),
                );
                let flat = |values: fn(&Reaction) -> [f64; 3]| -> Vec<f64> {
                    state.reactions.iter().flat_map(values).collect()
                };
                compare("force", &channel(channels::FORCE)[i], &flat(|reaction| reaction.force));
                compare("torque", &channel(channels::TORQUE)[i], &flat(|reaction| reaction.torque));
                let times = |of: fn(&LockTimes) -> Option<f64>| -> Vec<f64> {
                    run.locks.iter().map(|lock| of(lock).unwrap_or(f64::NAN)).collect()
                };
                compare("caught", &channel(channels::CAUGHT)[i], &times(|lock| lock.locked));
                compare("released", &channel(channels::RELEASED)[i], &times(|lock| lock.released));
                let loads = |wanted: Coordinate| -> Vec<f64> {
                    let both = mechanism.locks.iter().zip(&state.lock_loads);
                    both.filter(|(lock, _)| lock.of.coordinate == wanted).map(|(_, load)| *load).collect()
                };
                compare("lock_torque", &channel(channels::LOCK_TORQUE)[i], &loads(Coordinate::Angle));
                compare("lock_force", &channel(channels::LOCK_FORCE)[i], &loads(Coordinate::Displacement));
                let springs: Vec<[f64; 3]> =
                    mechanism.forces_of("spring").map(|spring| stretched(spring, state)).collect();
                let part = |k: usize| springs.iter().map(|spring| spring[k]).collect::<Vec<f64>>();
                compare("tension", &channel(channels::SPRING_FORCE)[i], &part(2));
                let lines: Vec<[f64; 2]> = mechanism.lines().map(|line| lengthening(line, state)).collect();
                let part = |k: usize| lines.iter().map(|line| line[k]).collect::<Vec<f64>>();
                compare("length", &channel(channels::SPRING_LENGTH)[i], &part(0));
                compare("rate", &channel(channels::SPRING_RATE)[i], &part(1));
                let about_centre = &channel(channels::ANGULAR_MOMENTUM_ABOUT_CENTRE)[i];
                if !about_centre.is_empty() {
                    compare(
                        "momentum about the centre",
                        about_centre,
                        &momentum_about_centre(&ready, i, state),
                    );
                }
            }
        }
    }
}

/// Forces of all contacts and where balls are touched, of all instances.
#[test]
fn channels_of_contacts_are_those_of_the_reference() {
    for (name, mechanism) in cases().into_iter().filter(|(_, mechanism)| !mechanism.contacts.is_empty()) {
        for (method, constraints) in ways() {
            let ready = Ready::new(ensemble(mechanism.clone(), method, &constraints));
            let outcome = ready.on_cpu(Precision::F64, 1);
            let forces = ready.observe(&outcome, &[channels::CONTACT_FORCE]);
            let points = ready.observe(&outcome, &[channels::CONTACT_POINT]);
            for i in 0..ready.size() {
                let run = reference_run(&ready, i);
                let state = run.states.last().expect("the last state");
                let expected = state.contact_forces.as_flattened();
                let size = expected.iter().fold(1.0f64, |size, x| size.max(x.abs()));
                assert_eq!(forces[i].len(), expected.len(), "{name}");
                for (a, b) in forces[i].iter().zip(expected) {
                    assert!(
                        (a - b).abs() <= REACTIONS * size,
                        "{name}, {method}: {:?} {expected:?}",
                        forces[i]
                    );
                }
                let balls = channels::owners(&mechanism, channels::CONTACT_POINT);
                let expected: Vec<f64> = balls.iter().flat_map(|k| state.contact_points[*k]).collect();
                assert_eq!(points[i].len(), expected.len(), "{name}");
                for (a, b) in points[i].iter().zip(&expected) {
                    assert!((a - b).abs() <= REACTIONS, "{name}, {method}: {:?} {expected:?}", points[i]);
                }
            }
        }
    }
}

/// Angular momentum about the mass centre of all bodies (kg m²/s), space axes, from that about
/// another point P: `H = H_P - (r - r_P) x m v` with the mass centre r and its velocity v. P is the
/// fixed point of a single body, else the origin of space.
fn momentum_about_centre(ready: &Ready, i: usize, state: &State) -> [f64; 3] {
    let mut row = vec![f64::NAN; ready.sampler.width()];
    ready.sampler.draw(i as u64, &mut row);
    let mut drawn = Quantities::nominal(&ready.study);
    ready.sampler.apply(&row, &mut drawn);
    let mechanism = &ready.study.mechanism;
    let (mut mass, mut moment, mut momentum) = (0.0, Vector3::zeros(), Vector3::zeros());
    for (body, now) in drawn.placed(mechanism).iter().zip(&state.bodies) {
        let [w, x, y, z] = now.attitude;
        let turn = UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z));
        let centre = turn * Vector3::from(body.centre_of_mass);
        let rate = turn * Vector3::from(now.angular_velocity);
        mass += body.mass;
        moment += body.mass * (Vector3::from(now.position) + centre);
        momentum += body.mass * (Vector3::from(now.velocity) + rate.cross(&centre));
    }
    let whole = Vector3::from(state.angular_momentum);
    let from = match &mechanism.bodies[..] {
        [body] if body.support == Support::Free => return whole.into(),
        [_] => Vector3::from(state.bodies[0].position),
        _ => Vector3::zeros(),
    };
    (whole - (moment / mass - from).cross(&momentum)).into()
}

/// Length (m), its rate (m/s) and tension (N) of a spring in a state of the reference.
fn stretched(spring: &Force, state: &State) -> [f64; 3] {
    let [length, rate] = lengthening(spring, state);
    let [stiffness, damping, free_length, actuator] =
        ["stiffness", "damping", "free_length", "actuator"].map(|name| spring.number(name));
    let tension = stiffness * (length - free_length) + damping * rate - actuator;
    [length, rate, tension]
}

/// Length (m) of the line of a force, and its rate (m/s), in a state of the reference.
fn lengthening(force: &Force, state: &State) -> [f64; 2] {
    let [a, b] = [0, 1].map(|side| {
        let Point { body, at } = force.points()[side];
        let at = Vector3::from(at);
        let Some(body) = body else { return (at, Vector3::zeros()) };
        let body = &state.bodies[body];
        let [w, x, y, z] = body.attitude;
        let turn = UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z));
        let rate = turn * Vector3::from(body.angular_velocity).cross(&at);
        (Vector3::from(body.position) + turn * at, Vector3::from(body.velocity) + rate)
    });
    let (apart, parting) = (b.0 - a.0, b.1 - a.1);
    let length = apart.norm();
    [length, apart.dot(&parting) / length]
}

/// At the start, against second differences of positions of the accurate solution at eight times
/// from there on.
#[test]
fn accelerations_are_second_differences_of_the_accurate_solution() {
    const APART: f64 = 1e-3;
    // Weights of a one-sided second difference, of sixth order in the time between.
    let weights = [469.0 / 90.0, -22.3, 43.95, -949.0 / 18.0, 41.0, -20.1, 1019.0 / 180.0, -0.7];
    let times: [f64; 8] = std::array::from_fn(|k| k as f64 * APART);
    for (name, mechanism) in cases() {
        let mut study = study(mechanism.clone(), 1, H, STEPS);
        study.method.name = "tsit5";
        study.method.resynchronise = 0;
        study.constraints = treated("exact", &[]);
        let ready = Ready::new(study);
        let batch = ready.batch(0, 1);
        let start = Outcome { states: batch.states, ends: vec![End { verdict: Verdict::Finished, step: 0 }] };
        let (_, instance) = to_reference(&mechanism, Quantities::nominal(&ready.study)).expect("a mechanism");
        let instance = Instance { solved: solved_rows(&ready.plan.model), ..instance };
        let run = accurate::run(&mechanism, &instance, &times, accurate::TOLERANCE).expect("a motion");
        let second = |of: &dyn Fn(&State) -> f64| -> f64 {
            let terms = weights.iter().zip(&run.states).map(|(weight, state)| weight * of(state));
            terms.sum::<f64>() / (APART * APART)
        };
        let compare = |channel: Channel, expected: &[f64]| {
            let found = ready.observe(&start, &[channel]).remove(0);
            assert_eq!(found.len(), expected.len(), "{name} {channel:?}");
            let size = expected.iter().fold(1.0f64, |size, x| size.max(x.abs()));
            for (a, b) in found.iter().zip(expected) {
                let same = (a - b).abs() <= SECOND_DIFFERENCES * size;
                assert!(same, "{name}: {channel:?} {found:?} {expected:?}");
            }
        };
        let bodies: Vec<f64> = (0..mechanism.bodies.len())
            .flat_map(|body| [0, 1, 2].map(|k| second(&|state| state.bodies[body].position[k])))
            .collect();
        compare(channels::ACCELERATION, &bodies);
        let kinds = mechanism.joints.iter().flat_map(|joint| joint.kind.coordinates);
        let accelerations = |wanted: Coordinate| -> Vec<f64> {
            let own = kinds.clone().enumerate().filter(|(_, kind)| **kind == wanted);
            own.map(|(k, _)| second(&|state| state.coordinates[k])).collect()
        };
        compare(channels::ANGLE_ACCELERATION, &accelerations(Coordinate::Angle));
        compare(channels::DISPLACEMENT_ACCELERATION, &accelerations(Coordinate::Displacement));
    }
}

/// Adds what acts on one mechanism to another of the same joints.
fn act_on(on: &mut Mechanism, from: Mechanism) {
    let has: Vec<String> = on.forces.iter().map(|force| force.name.clone()).collect();
    on.forces.extend(from.forces.into_iter().filter(|force| !has.contains(&force.name)));
    on.beam_elements.extend(from.beam_elements);
}

/// The cases whose kernels are compared, with all parts, and the others: drivers take seconds for
/// each text, ten for one of laws. Forces of several cases act on one mechanism, and a case whose
/// parts another has is left out. With `POLHODE_SWEEPS=full` every case has its kernel.
fn covering() -> [Vec<(&'static str, Mechanism)>; 2] {
    let mut chosen = cases();
    if is_full() {
        return [chosen, Vec::new()];
    }
    let mut others = Vec::new();
    for (name, part) in [
        ("wheels", Some("armatures")),
        ("wheels", Some("dry friction in joints and along a line")),
        ("beam elements", Some("bushings")),
        ("loads that are functions of time", Some("forces at the angles of a cross and of a ball")),
        ("laws of the motion", None),
        ("laws of bodies that nothing joins", None),
        ("laws with states of bodies that nothing joins", None),
        ("wheels of bodies that nothing joins", None),
    ] {
        let at = |name| chosen.iter().position(|(case, _)| *case == name).expect("a case");
        let part = chosen.remove(at(part.unwrap_or(name)));
        if part.0 != name {
            let whole = chosen.iter_mut().find(|(case, _)| *case == name).expect("a case");
            act_on(&mut whole.1, part.1.clone());
        }
        others.push(part);
    }
    [chosen, others]
}

#[test]
fn kernels_equal_the_cpu_for_every_part() {
    let [chosen, others] = covering();
    let with_kernel = chosen.into_iter().map(|case| (case, true));
    for ((name, mechanism), has_kernel) in with_kernel.chain(others.into_iter().map(|case| (case, false))) {
        // Projected too, since that is a text of its own.
        let (method, constraints) = &projecting()[0];
        let ready = Ready::new(ensemble(mechanism, method, constraints));
        // Drivers take seconds for each text: f64 where much comes together.
        let double = [
            "manipulator",
            "two hinges on a free body",
            "springs and stops at hinges",
            "locks, one of which lets go",
            "a clamped beam",
        ];
        for precision in [Precision::F32, Precision::F64] {
            if precision == Precision::F64 && !double.contains(&name) {
                continue;
            }
            let program = Program::new(&ready.plan, precision);
            let mut backends = vec![ready.interpreted(precision, Level::new(), false)];
            if has_kernel {
                backends.push(ready.kernel_of(&program, precision));
            }
            let cpu = ready.run(&mut *ready.code_of(program, precision), 0, ready.size());
            for mut backend in backends {
                let what = format!("{name}, {}", backend.describe());
                assert_same(&what, &cpu, &ready.run(&mut *backend, 0, ready.size()));
            }
        }
    }
}

/// The engine against the reference solutions of rolling balls: of second order over a second and
/// more, before the chains part and, with a large offset, the motion multiplies errors.
#[test]
fn rolling_balls_are_of_second_order() {
    for (file, r0, t) in
        [("ball_r0_0", 0.0, 2.0), ("ball_r0_0.15cm", 0.0015, 2.0), ("ball_r0_0.15a", 0.01635, 1.0)]
    {
        let solution = SolutionBall::read(file);
        let index = solution.times.iter().position(|time| (time - t).abs() < 1e-9).expect("a state");
        for constraints in
            [treated("staggered", &[("eps", 1e-12), ("gamma", 5.0), ("beta", 0.0)]), treated("exact", &[])]
        {
            let points: Vec<(f64, f64)> = [100, 200, 400, 800]
                .map(|steps| {
                    let h = t / steps as f64;
                    let mut study = study(rolling_ball(r0), 1, h, steps);
                    study.method.resynchronise = 0;
                    study.constraints = constraints.clone();
                    let ready = Ready::new(study);
                    let found = ready.observe(&ready.on_cpu(Precision::F64, 1), &CHANNELS).remove(0);
                    let vector = |at: usize| std::array::from_fn(|k| found[at + k]);
                    let exact = &solution.states[index];
                    let error = attitude_distance(std::array::from_fn(|k| found[k]), exact.attitude)
                        .max(distance(vector(4), exact.angular_velocity))
                        .max(distance(vector(7), exact.position))
                        .max(distance(vector(10), exact.velocity));
                    (h, error)
                })
                .to_vec();
            println!("{file} {}: slope {} {points:?}", constraints.treatment, slope(&points));
            assert!(
                (slope(&points) - 2.0).abs() < BALL_ORDER,
                "{file} {}: {points:?}",
                constraints.treatment
            );
        }
    }
}

/// The engine against the reference solutions of manipulators: when their joints lock, how they
/// stand and turn between the second and the last impact, and that they are straight and at rest
/// after it.
#[test]
fn locks_catch_when_the_reference_ones_do() {
    let cases =
        [("manipulator", manipulator(), 1.2, 2.0), ("three_link_lockup", three_link_lockup(), 0.9, 1.2)];
    for (file, mechanism, between, after) in cases {
        let solution = SolutionLinks::read(file);
        let index = solution.times.iter().position(|t| (t - between).abs() < 1e-9).expect("a state");
        let ways = [
            (treated("staggered", &[]), CAUGHT_BY_STAGGERED, BETWEEN_IMPACTS_BY_STAGGERED),
            (treated("exact", &[]), CAUGHT_BY_EXACT, BETWEEN_IMPACTS_BY_EXACT),
        ];
        for (constraints, late, off) in ways {
            // When each joint caught, and the angles and rates of all links.
            let reached = |t: f64| -> [[f64; 3]; 3] {
                let h = 1e-4;
                let mut study = study(mechanism.clone(), 1, h, (t / h).round() as u64);
                study.method.resynchronise = 200;
                study.constraints = constraints.clone();
                let ready = Ready::new(study);
                let observed = [channels::CAUGHT, channels::ATTITUDE, channels::ANGULAR_VELOCITY];
                let found = ready.observe(&ready.on_cpu(Precision::F64, 1), &observed).remove(0);
                [
                    [0, 1, 2].map(|k| found[k]),
                    [0, 1, 2].map(|k| 2.0 * found[3 + 4 * k + 3].atan2(found[3 + 4 * k])),
                    [0, 1, 2].map(|k| found[15 + 3 * k + 2]),
                ]
            };
            let apart = |a: [f64; 3], b: [f64; 3]| [0, 1, 2].map(|k| (a[k] - b[k]).abs());
            let [_, angles, rates] = reached(between);
            let [caught, straight, rest] = reached(after);
            let errors = [
                apart(caught, solution.locked),
                apart(angles, solution.angles[index]),
                apart(rates, solution.rates[index]),
                straight.map(f64::abs),
                rest.map(f64::abs),
            ];
            println!("{file} {}: {errors:?}", constraints.treatment);
            for (errors, most) in errors.iter().zip([late, off[0], off[1], AFTER_THE_LAST, AFTER_THE_LAST]) {
                let within = errors.iter().all(|error| *error < most);
                assert!(within, "{file} {}: {errors:?} {most}", constraints.treatment);
            }
        }
    }
}
