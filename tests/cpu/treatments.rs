//! Treatments beside the default one: coordinate partitioning, multipliers of equations that are
//! integrated once, Baumgarte's decay.

use nalgebra::{DMatrix, DVector};

use crate::common::engine::Ready;
use crate::common::judged::{reference, worst};
use crate::common::root;
use crate::common::slope;
use crate::common::study::study;
use crate::common::tolerances::{
    BAUMGARTE_DECAY, BEAD, ELIMINATION, ORDER_OF_TREATMENTS, PARTITION_HOLDS, REFERENCE_PER_STEP,
};
use polhode::base::{Options, Precision, Setting};
use polhode::describe::{Constraints, Mechanism, Study, TimeIntegration};
use polhode::model::partition::{BodyCoordinate, Dependent};
use polhode::observe::{Verdict, channels};
use polhode::reference::system::{Advanced, MultibodySystem};
use polhode::reference::treatment::Treatment;
use polhode::reference::{Instance, State, accurate};
use polhode::study::yardsticks::double_pendulum;
use polhode::study_file::read_mechanism;

fn shipped(name: &str) -> Mechanism {
    let path = root().join("mechanisms").join(name);
    read_mechanism(&path).unwrap_or_else(|problems| panic!("{problems}"))
}

fn constrained_study(
    mechanism: &Mechanism,
    method: &'static str,
    treatment: &'static str,
    h: f64,
    end: f64,
) -> Study {
    let mut study = study(mechanism.clone(), 1, h, (end / h).round() as u64);
    study.method =
        TimeIntegration { name: method, resynchronise: 0, options: Options::default(), ..study.method };
    study.constraints = Constraints { treatment, options: Options::default(), project: 0 };
    study.run.precision = Precision::F64;
    study
}

/// Where the instance ends: positions of its bodies, and |Phi| (m).
fn end_of(study: Study) -> (Vec<f64>, f64) {
    let ready = Ready::new(study);
    let outcome = ready.on_cpu(Precision::F64, 1);
    assert_eq!(outcome.ends[0].verdict, Verdict::Finished);
    let position = ready.observe(&outcome, &[channels::POSITION]).iter().map(|column| column[0]).collect();
    (position, ready.observe(&outcome, &[channels::CONSTRAINT_VIOLATION])[0][0])
}

fn exact_positions(mechanism: &Mechanism, end: f64) -> Vec<f64> {
    let run = accurate::run(mechanism, &Instance::nominal(mechanism), &[end], accurate::TOLERANCE);
    let last: State = run.expect("an accurate motion").states.pop().expect("a state");
    last.bodies.iter().flat_map(|body| body.position).collect()
}

fn off(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// An open chain, closed loops with redundant rows, and one that is driven, without a free
/// coordinate.
fn mechanisms() -> [(&'static str, Mechanism, f64); 4] {
    [
        ("double pendulum", double_pendulum(), 1.0),
        ("Bricard", shipped("bricard.toml"), 0.5),
        ("four-bar", shipped("four_bar.toml"), 0.5),
        ("spatial four-bar", shipped("four_bar_spatial.toml"), 0.5),
    ]
}

/// Dependent coordinates satisfy the constraints to rounding, where exact multipliers alone let
/// them drift by the method's error; the order is the method's.
#[test]
fn partitioned_coordinates_keep_joints_closed_and_the_order() {
    for (name, mechanism, end) in mechanisms() {
        // By the engine from the same start, whose redundant rows are apart by the digits of the
        // description, 2e-9 m.
        let exact = end_of(constrained_study(&mechanism, "dop853", "partition", 2.5e-3, end)).0;
        let mut errors = Vec::new();
        for h in [0.02, 0.01, 0.005] {
            let (position, violation) = end_of(constrained_study(&mechanism, "rk4", "partition", h, end));
            let (_, drifted) = end_of(constrained_study(&mechanism, "rk4", "exact", h, end));
            let error = off(&position, &exact);
            println!(
                "{name}, h = {h}: error {error:.1e} m, |Phi| {violation:.1e}, of exact ones {drifted:.1e}"
            );
            assert!(violation < PARTITION_HOLDS, "{name}, {h}: {violation:e}");
            assert!(drifted > 10.0 * violation, "{name}, {h}: {drifted:e} {violation:e}");
            errors.push((h, error));
        }
        // Where the constraints leave nothing free, every step comes to the same place.
        if errors.iter().all(|(_, error)| *error == 0.0) {
            assert_eq!(name, "spatial four-bar");
            continue;
        }
        let order = slope(&errors);
        // Motions that the constraints determine nearly converge faster.
        assert!(order > 4.0 - ORDER_OF_TREATMENTS, "{name}: {order}");
    }
}

/// The engine's step with dependents solved for is the judge's, which inverts B_i by its singular
/// values.
#[test]
fn partitioned_mechanisms_move_as_the_reference_says() {
    for (name, mechanism, _) in mechanisms() {
        let h = 0.005;
        let ready = Ready::new(constrained_study(&mechanism, "rk4", "partition", h, 0.1));
        let outcome = ready.on_cpu(Precision::F64, 1);
        let found = worst(&ready, &outcome, &[reference(&ready, 0)]);
        println!("{name}: {found:e}");
        assert!(found < 20.0 * REFERENCE_PER_STEP, "{name}: {found:e}");
    }
}

/// Chains of ball joints: the places of all bodies depend on their attitudes, so that B_i stays
/// regular.
#[test]
fn places_are_the_dependents_of_open_chains() {
    let ready = Ready::new(constrained_study(&double_pendulum(), "rk4", "partition", 0.01, 0.01));
    let partition = ready.plan.model.partition().expect("a partition");
    assert_eq!(partition.dependents.len(), 6);
    assert!(
        partition.dependents.iter().all(|d| matches!(d.coordinate, BodyCoordinate::Place(_))),
        "{partition:?}"
    );
}

/// PCD90 (14)-(19), as printed but for the sign of c, has the accelerations of multipliers.
#[test]
fn elimination_has_the_accelerations_of_multipliers() {
    for (name, mechanism, _) in mechanisms().into_iter().take(3) {
        let ready = Ready::new(constrained_study(&mechanism, "rk4", "partition", 0.01, 0.01));
        let partition = ready.plan.model.partition().expect("a partition");
        let redundancy = ready.plan.model.redundancy();
        let instance = Instance::nominal(&mechanism);
        let mut system = MultibodySystem::new(&mechanism, &instance).expect("a system");
        let motions = system.assembled(&mechanism, &instance).expect("a start");
        system.begin(&motions, 0.01);
        let instant = system.instant(0.0, 0.01, 0.0);
        let advanced = Advanced { motions: &motions, time: 0.0, within: 0.0 };
        let multipliers = system.instantaneous_multipliers(&Treatment::Exact, &instant, &motions);
        let by_multipliers = system.accelerations(&motions, advanced, &instant, &multipliers);

        let b = system.jacobian(&motions);
        let rows: Vec<usize> =
            (0..b.nrows()).filter(|row| redundancy.left_out.get(*row) != Some(&true)).collect();
        let b = b.select_rows(&rows);
        let c = system.constraints(&motions, 0.0).second.select_rows(&rows);
        let q = system.forces(&motions, &motions, &instant);
        let mass = system.mobility_at_rest(&motions).try_inverse().expect("masses");
        let column = |d: &Dependent| match d.coordinate {
            BodyCoordinate::Place(axis) => 6 * d.body + axis,
            BodyCoordinate::Turn(axis) => 6 * d.body + 3 + axis,
        };
        let i: Vec<usize> = partition.dependents.iter().map(column).collect();
        let e: Vec<usize> = (0..b.ncols()).filter(|k| !i.contains(k)).collect();
        assert_eq!(i.len(), rows.len(), "{name}");
        let b_i = b.select_columns(&i).lu();
        let t = b_i.solve(&b.select_columns(&e)).expect("a regular B_i");
        let of_c: DVector<f64> = b_i.solve(&c).expect("a regular B_i");
        let block = |k: &[usize]| mass.select_rows(k).select_columns(k);
        let (m_i, m_e) = (block(&i), block(&e));
        let matrix: DMatrix<f64> = m_e + t.transpose() * &m_i * &t;
        let right = q.select_rows(&e) - t.transpose() * (q.select_rows(&i) + &m_i * &of_c);
        let a_e = matrix.lu().solve(&right).expect("accelerations");
        let a_i = -(of_c + &t * &a_e);
        let mut eliminated = DVector::zeros(b.ncols());
        e.iter().zip(a_e.iter()).for_each(|(k, a)| eliminated[*k] = *a);
        i.iter().zip(a_i.iter()).for_each(|(k, a)| eliminated[*k] = *a);
        let apart = (&eliminated - &by_multipliers).amax() / by_multipliers.amax();
        println!("{name}: {apart:e}, of accelerations up to {}", by_multipliers.amax());
        assert!(apart < ELIMINATION, "{name}: {apart:e}");
        assert!(by_multipliers.amax() > 0.1, "{name}");
    }
}

/// (32) has order 2 in motions, and joints open by order 2.
#[test]
fn once_integrated_multipliers_have_order_two() {
    let mechanism = double_pendulum();
    let exact = exact_positions(&mechanism, 1.0);
    let (mut errors, mut opens) = (Vec::new(), Vec::new());
    for h in [0.004, 0.002, 0.001] {
        let (position, violation) =
            end_of(constrained_study(&mechanism, "staggered", "staggered_once_integrated", h, 1.0));
        println!("h = {h}: error {:.1e} m, |Phi| {violation:.1e} m", off(&position, &exact));
        errors.push((h, off(&position, &exact)));
        opens.push((h, violation));
    }
    let (order, opening) = (slope(&errors), slope(&opens));
    assert!((order - 2.0).abs() < ORDER_OF_TREATMENTS, "{order}");
    assert!((opening - 2.0).abs() < ORDER_OF_TREATMENTS, "{opening}");
}

/// The compliance is a penalty's: joints open by eps times what they bear, less what they bore at
/// the start.
#[test]
fn once_integrated_multipliers_are_a_penalty() {
    let opens = |eps: f64| {
        let mut study =
            constrained_study(&double_pendulum(), "staggered", "staggered_once_integrated", 1e-3, 0.5);
        study.constraints.options = Options::default().with("eps", Setting::Number(eps));
        end_of(study).1
    };
    let (coarse, fine) = (opens(2e-5), opens(1e-5));
    println!("|Phi| {coarse:e} m, {fine:e} m");
    assert!((coarse / fine - 2.0).abs() < 0.1, "{coarse:e} {fine:e}");
}

/// (20) with alpha = 5/s: every row's Phi decays as (1 + alpha t) e^(-alpha t) from a start at
/// rest.
#[test]
fn violations_decay_as_baumgarte_says() {
    let mechanism = double_pendulum();
    let instance = Instance::nominal(&mechanism);
    let system = MultibodySystem::new(&mechanism, &instance).expect("a system");
    let mut start = system.start(&mechanism, &instance).expect("a start");
    // Off by some centimetres, without a rate of Phi.
    start[0].position.x += 0.02;
    start[1].position.z -= 0.03;
    let still: Vec<f64> = system.constraints(&start, 0.0).rate.iter().copied().collect();
    assert!(still.iter().all(|rate| rate.abs() < 1e-12), "{still:?}");
    let alpha = 5.0;
    let treatment = Treatment::Baumgarte { gamma: 2.0 * alpha, beta: alpha * alpha };
    let phi = |y: &DVector<f64>| system.constraints(&system.from_flat(y), 0.0).value;
    let first = phi(&system.flat(&start));
    assert!(first.amax() > 0.01);
    let mut y = system.flat(&start);
    let (h, steps) = (2e-3, 400);
    let instant = system.instant(0.0, h, 0.0);
    for k in 1..=steps {
        let rate = |y: &DVector<f64>| system.rate(y, &instant, &treatment);
        let k1 = rate(&y);
        let k2 = rate(&(&y + &k1 * (h / 2.0)));
        let k3 = rate(&(&y + &k2 * (h / 2.0)));
        let k4 = rate(&(&y + &k3 * h));
        y += (k1 + (k2 + k3) * 2.0 + k4) * (h / 6.0);
        if k % 100 == 0 {
            let t = h * f64::from(k);
            let expected = &first * ((1.0 + alpha * t) * (-alpha * t).exp());
            let apart = (phi(&y) - expected).amax() / first.amax();
            println!("{t} s: {apart:e}");
            assert!(apart < BAUMGARTE_DECAY, "{t} s: {apart:e}");
        }
    }
}

/// A bead that a rod holds to the ground: one dependent coordinate, the place along which the rod
/// lies at the start.
fn bead(from_vertical: f64) -> Mechanism {
    let (x, z) = (from_vertical.sin(), -from_vertical.cos());
    let text = format!(
        "gravity = 9.81\n[body]\nname = \"bead\"\nmass = 1\ninertia = [1, 1, 1]\n\
         initial.position = [{x}, 0, {z}]\n\
         [[joint]]\nname = \"rod\"\nkind = \"distance\"\nbodies = [\"ground\", \"bead\"]\n\
         points = [[0, 0, 0], [0, 0, 0]]\nlength = 1\n"
    );
    crate::common::flexible::mechanism(&text)
}

/// The partition is not chosen again: a rod that lies level at the start has x for its dependent
/// coordinate, which says nothing where it hangs. As printed the constraint holds all the same, and
/// the motion is wrong; by default it is not.
#[test]
fn a_partition_that_becomes_singular_does_no_harm_by_default() {
    let worst = |angle: f64, dependent: BodyCoordinate, independent: f64| {
        let mechanism = bead(angle);
        let mut worst: f64 = 0.0;
        for k in 0..20 {
            let h = 0.02 + 0.001 * f64::from(k);
            let end = 100.0 * h;
            let mut study = constrained_study(&mechanism, "rk4", "partition", h, end);
            study.constraints.options = Options::default().with("independent", Setting::Number(independent));
            let ready = Ready::new(study);
            let partition = ready.plan.model.partition().expect("a partition");
            let all: Vec<BodyCoordinate> = partition.dependents.iter().map(|d| d.coordinate).collect();
            assert_eq!(all, [dependent]);
            let outcome = ready.on_cpu(Precision::F64, 1);
            let violation = ready.observe(&outcome, &[channels::CONSTRAINT_VIOLATION])[0][0];
            assert!(violation < PARTITION_HOLDS || independent == 0.0, "{h}: {violation:e}");
            let position: Vec<f64> =
                ready.observe(&outcome, &[channels::POSITION]).iter().map(|column| column[0]).collect();
            worst = worst.max(off(&position, &exact_positions(&mechanism, end)));
        }
        worst
    };
    let regular = |share| worst(0.5, BodyCoordinate::Place(2), share);
    let singular = |share| worst(1.3, BodyCoordinate::Place(0), share);
    let default = 1e-2;
    for share in [0.0, 1e-4, default, 1.0] {
        println!(
            "w = {share}: error {:e} m, through the singular position {:e} m",
            regular(share),
            singular(share)
        );
        assert!(regular(share) < BEAD, "{share}");
    }
    assert!(singular(0.0) > 1000.0 * BEAD, "as printed it goes wrong: {:e} m", singular(0.0));
    assert!(singular(default) < 10.0 * BEAD, "{:e} m", singular(default));
}
