//! Closed loops by the default treatment: they hold, or the run says that they do not.

use crate::common::engine::{Outcome, Ready};
use crate::common::four_bars::{self, Joined};
use crate::common::root;
use crate::common::tolerances::{CHAIN_HELD, CHAIN_HELD_SINGLE};
use crate::common::{distance, slope};
use polhode::base::Precision;
use polhode::describe::{Study, Unexplained};
use polhode::ensemble::Quantities;
use polhode::observe::{Verdict, channels};
use polhode::study_file::{read_study_text, resolved_toml};

/// A chain of four-bars, by the default treatment unless `settings` say otherwise.
fn chain(loops: usize, joined: Joined, step: &str, duration: &str, settings: &str) -> Study {
    let text = format!(
        "method = {{ name = \"staggered\", step = \"{step}\", duration = \"{duration}\" }}\n\
         ensemble.size = 1\n{settings}"
    );
    read_study_text("chain.toml", &text, &four_bars::text(loops, joined))
        .unwrap_or_else(|problems| panic!("{problems}"))
}

fn run(mut study: Study, precision: Precision) -> (Ready, Outcome) {
    study.run.precision = precision;
    let ready = Ready::new(study);
    let outcome = ready.on_cpu(precision, 1);
    (ready, outcome)
}

/// The distance of the last coupler from where it belongs (m).
fn error(ready: &Ready, outcome: &Outcome, loops: usize, t: f64) -> f64 {
    let positions = &ready.observe(outcome, &[channels::POSITION])[0];
    let last = 3 * four_bars::last(loops);
    distance([0, 1, 2].map(|i| positions[last + i]), four_bars::last_coupler(loops, t))
}

#[test]
fn chains_hold_by_default_for_ten_seconds() {
    for (loops, joined) in [
        (1, Joined::Hinges),
        (2, Joined::Hinges),
        (4, Joined::Hinges),
        (8, Joined::Hinges),
        (2, Joined::Balls),
    ] {
        for (precision, allowed) in [(Precision::F64, CHAIN_HELD), (Precision::F32, CHAIN_HELD_SINGLE)] {
            let (ready, outcome) = run(chain(loops, joined, "1 ms", "10 s", ""), precision);
            assert_eq!(outcome.ends[0].verdict, Verdict::Finished, "{loops} {joined:?} {precision:?}");
            let error = error(&ready, &outcome, loops, 10.0);
            println!("{loops} {joined:?} {precision:?}: {error:e} m");
            assert!(error < allowed, "{loops} {joined:?} {precision:?}: {error:e}");
        }
    }
}

/// The settings of PCD90 let the chain of two part; that is a verdict, unless nobody wants to know.
#[test]
fn a_loop_that_opens_is_a_verdict() {
    let printed = "constraints = { eps = 1e-8, gamma = 5, beta = 0 }\n";
    let (_, outcome) = run(chain(2, Joined::Hinges, "1 ms", "10 s", printed), Precision::F64);
    let end = outcome.ends[0];
    assert!([Verdict::ConstraintBound, Verdict::EnergyBound].contains(&end.verdict), "{end:?}");
    let unbounded = format!("{printed}verdict = {{ constraint = \"none\", energy = \"none\" }}\n");
    let (ready, outcome) = run(chain(2, Joined::Hinges, "1 ms", "10 s", &unbounded), Precision::F64);
    assert_eq!(outcome.ends[0].verdict, Verdict::Finished);
    let [violation] = ready.observe(&outcome, &[channels::CONSTRAINT_VIOLATION])[0][..] else { panic!() };
    assert!(violation > 1e-2, "{violation}");
}

/// Energy that comes from nowhere is a verdict where the joints hold: a spring whose frequency is
/// beyond the step.
#[test]
fn energy_that_nothing_brings_is_a_verdict() {
    const SWING: &str = r#"
name = "swing"
gravity = 9.81
[[body]]
name = "rod"
mass = 1
inertia = [0.1, 0.1, 0.1]
initial = { position = [0, 0, -0.5], angular_velocity = [0, 0.1, 0] }
[[joint]]
name = "hinge"
kind = "revolute"
bodies = ["ground", "rod"]
points = [[0, 0, 0], [0, 0, 0.5]]
axes = [0, 1, 0]
[[joint_spring]]
name = "coil"
joint = "hinge"
stiffness = 1e5
damping = DAMPING
"#;
    for (damping, expected) in [("0", Unexplained::Change), ("1e-9", Unexplained::Gain)] {
        let text = "method = { name = \"staggered\", step = \"10 ms\", duration = \"1 s\" }\n\
                    ensemble.size = 1\nverdict.every = 1\n";
        let study = read_study_text("swing.toml", text, &SWING.replace("DAMPING", damping))
            .unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(study.verdict.unexplained, expected);
        for precision in [Precision::F64, Precision::F32] {
            let (_, outcome) = run(study.clone(), precision);
            assert_eq!(outcome.ends[0].verdict, Verdict::EnergyBound, "{damping} {precision:?}");
        }
    }
}

/// Single precision flips the pivots of redundant rows at the start, whatever the compliance.
#[test]
fn single_precision_starts_with_redundant_rows() {
    for eps in ["1e-9", "1e-8", "1e-7", "1e-6", "1e-5", "1e-4"] {
        let settings = format!("constraints = {{ eps = {eps}, gamma = 1000, beta = 2.5e5 }}\n");
        let (_, outcome) = run(chain(2, Joined::Balls, "1 ms", "1 s", &settings), Precision::F32);
        assert_eq!(outcome.ends[0].verdict, Verdict::Finished, "eps = {eps}");
        let (_, outcome) = run(chain(2, Joined::Hinges, "1 ms", "1 s", &settings), Precision::F32);
        assert_eq!(outcome.ends[0].verdict, Verdict::Finished, "eps = {eps}");
    }
}

/// No floor: the error by the default treatment falls with the square of the step.
#[test]
fn the_error_by_default_falls_with_the_step() {
    let points: Vec<(f64, f64)> = [("2 ms", 2e-3), ("1 ms", 1e-3), ("0.5 ms", 5e-4), ("0.25 ms", 2.5e-4)]
        .into_iter()
        .map(|(step, h)| {
            let (ready, outcome) = run(chain(1, Joined::Hinges, step, "1 s", ""), Precision::F64);
            (h, error(&ready, &outcome, 1, 1.0))
        })
        .collect();
    let order = slope(&points);
    assert!((order - 2.0).abs() < 0.1, "{order} {points:?}");
}

/// A default follows the step of the instance, and the resolved study says which it was.
#[test]
fn defaults_follow_the_step() {
    let mut study = chain(1, Joined::Hinges, "1 ms", "0.1 s", "");
    let numbers = |study: &Study| study.constraints.numbers(study.method.step, study.run.precision);
    study.run.precision = Precision::F64;
    assert_eq!(numbers(&study), [1e-18, 1000.0, 0.25 / 1e-6, 1e-7, 0.0]);
    let text = resolved_toml(&study);
    for line in ["# gamma = 1000.0, by default: 1/step", "# eps_relative = 1e-7, by default"] {
        assert!(text.contains(line), "{text}");
    }
    study.method.step = 2e-3;
    study.run.precision = Precision::F32;
    assert_eq!(numbers(&study), [1e-14, 500.0, 0.25 / 4e-6, 1e-4, 0.0]);
    // An eps of one's own is all the compliance there is.
    let own = chain(1, Joined::Hinges, "1 ms", "0.1 s", "constraints.eps = 1e-8\n");
    assert_eq!(own.constraints.numbers(1e-3, Precision::F64)[..4], [1e-8, 1000.0, 0.25 / 1e-6, 0.0]);
    // In an ensemble of steps every instance has its own.
    let mut quantities = Quantities::nominal(&own);
    quantities.step = 4e-3;
    let taken = quantities.constraints(&own.constraints);
    assert_eq!(taken.numbers(1e-3, Precision::F64), [1e-8, 250.0, 0.25 / 16e-6, 0.0, 0.0]);
}

/// Damping of beams and of modes takes energy: a map's bound is the wide one.
#[test]
fn damping_of_beams_and_modes_takes_energy() {
    let bound = |mechanism: String, factor: &str| {
        let text = format!(
            "study = {{ kind = \"stability_map\" }}\n\
             method = {{ name = \"staggered\", step = \"10 us\", steps = 10 }}\n\
             [ensemble.vary]\n\"method.step\" = {{ list = [\"1 us\", \"2 us\"] }}\n\
             \"{factor}\" = {{ list = [1, 2] }}\n"
        );
        let undamped: String = mechanism
            .lines()
            .filter(|line| !line.starts_with("damping"))
            .fold(String::new(), |text, line| text + line + "\n");
        [mechanism, undamped].map(|mechanism| {
            let study = read_study_text("map.toml", &text, &mechanism);
            study.unwrap_or_else(|problems| panic!("{problems}")).verdict.energy
        })
    };
    let shipped = |name: &str| {
        std::fs::read_to_string(root().join(format!("mechanisms/{name}.toml"))).expect("shipped")
    };
    assert_eq!(bound(shipped("flexible_pendulum"), "strip.stiffness_factor"), [Some(10.0), Some(0.1)]);
    let modal = shipped("pendulum_flexible").replace("[body.flexible]", "[body.flexible]\ndamping = 0.01");
    assert_eq!(bound(modal, "rod.stiffness_scale"), [Some(10.0), Some(0.1)]);
}
