//! Joints of which some rows say what others say, and positions where a mechanism could go on in
//! more than one way.

use crate::common::engine::{Ready, assert_same};
use crate::common::four_bars::{self, Joined, four_bars};
use crate::common::judged::{reference, worst};
use crate::common::root;
use crate::common::study::study;
use crate::common::tolerances::{
    BEAM_ON_HINGE_AND_SLOT, BRICARD_ENERGY, CHAIN_BY_ORDER_8, CHAIN_OF_FOUR_BARS, PERIODIC_SOLUTION,
    PERIODIC_SOLUTION_BY_REFERENCE, REDUNDANT_ORDER, REFERENCE_PER_STEP, ROUNDING_OF_LOOPS, SHARED_LOADS,
};
use crate::common::{distance, flexible::mechanism, slope};
use polhode::backend::program::Program;
use polhode::base::{Options, Precision};
use polhode::describe::{Constraints, Mechanism, Study, TimeIntegration};
use polhode::model::redundancy::Redundancy;
use polhode::observe::{Verdict, channels};
use polhode::reference::{Instance, accurate};
use polhode::study_file::{read_mechanism, read_study};

fn shipped(name: &str) -> Mechanism {
    let path = root().join("mechanisms").join(name);
    read_mechanism(&path).unwrap_or_else(|problems| panic!("{problems}"))
}

/// Loops with more rows than they need, and a spatial one.
fn loops() -> Vec<(&'static str, Mechanism)> {
    vec![
        ("planar four-bar", shipped("four_bar.toml")),
        ("chain of two", four_bars(2, Joined::Hinges)),
        ("Bricard", shipped("bricard.toml")),
        ("spatial four-bar", shipped("four_bar_spatial.toml")),
    ]
}

fn constrained_study(
    mechanism: &Mechanism,
    method: &'static str,
    treatment: &'static str,
    h: f64,
    steps: u64,
) -> Study {
    let mut study = study(mechanism.clone(), 1, h, steps);
    study.method =
        TimeIntegration { name: method, resynchronise: 0, options: Options::default(), ..study.method };
    study.constraints = Constraints { treatment, options: Options::default(), project: 0 };
    study.run.precision = Precision::F64;
    study
}

/// A study as a user writes it, who says nothing of constraints.
fn written(mechanism: &str, method: &str, h: &str, duration: &str) -> Study {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("mechanism.toml"), mechanism).expect("written");
    let path = folder.path().join("study.toml");
    let text = format!(
        "mechanism = \"mechanism.toml\"\nmethod = {{ name = \"{method}\", step = \"{h}\", \
         duration = \"{duration}\" }}\n\
         ensemble.size = 1\nobserve = {{ channels = [\"energy\"], every = \"100 ms\" }}\n\
         run = {{ precision = \"f64\", backend = \"cpu\", fused = false }}\n"
    );
    std::fs::write(&path, text).expect("written");
    read_study(&path).unwrap_or_else(|problems| panic!("{problems}"))
}

fn operations(ready: &Ready) -> usize {
    let program = Program::new(&ready.plan, Precision::F64);
    program.operations(&program.step).total()
}

/// The quadrature of the period and the steps of the angle say the same, and the reference moves so
/// up to where all bars are flat.
#[test]
fn the_periodic_solution_is_that_of_the_chain() {
    for loops in [1, 2, 40] {
        let period = four_bars::period(loops);
        let [angle, rate] = four_bars::exact(loops, period);
        assert!((angle - std::f64::consts::TAU).abs() < PERIODIC_SOLUTION, "{loops}: {angle}");
        assert!((rate - 1.0).abs() < PERIODIC_SOLUTION, "{loops}: {rate}");
    }
    for joined in [Joined::Hinges, Joined::Balls] {
        let mechanism = four_bars(1, joined);
        let times = [0.2, 0.4];
        let motion = accurate::run(&mechanism, &Instance::nominal(&mechanism), &times, accurate::TOLERANCE);
        for (state, t) in motion.expect("an accurate motion").states.iter().zip(times) {
            let coupler = state.bodies[four_bars::last(1)].position;
            let apart = distance(coupler, four_bars::last_coupler(1, t));
            assert!(apart < PERIODIC_SOLUTION_BY_REFERENCE, "{joined:?}, {t} s: {apart:e}");
            assert!(
                (state.energy - four_bars::energy(1)).abs() < PERIODIC_SOLUTION_BY_REFERENCE,
                "{joined:?}"
            );
        }
    }
}

/// Three rows a loop keep its bars in the plane once more than need be: they are left out at the
/// joint that closes the loop, and hinges cost what ball joints cost.
#[test]
fn hinges_across_a_plane_cost_what_ball_joints_cost() {
    for (loops, treatment) in [(1, "exact"), (1, "baumgarte"), (2, "exact")] {
        let [hinges, balls] = [Joined::Hinges, Joined::Balls].map(|joined| {
            Ready::new(constrained_study(&four_bars(loops, joined), "dop853", treatment, 1e-3, 100))
        });
        let left_out = hinges.plan.model.rows_left_out();
        assert!(balls.plan.model.rows_left_out().is_empty());
        assert_eq!(left_out.len(), loops, "{left_out:?}");
        for (k, joint) in left_out.iter().enumerate() {
            assert_eq!(joint, &format!("`right{}`: position e2, x_A.z_B, y_A.z_B", k + 1));
        }
        let (with, without) = (operations(&hinges), operations(&balls));
        println!("{loops} loops, {treatment}: {with} operations, in ball joints {without}");
        assert!(with as f64 <= 1.02 * without as f64, "{with} {without}");
        let outcome = hinges.on_cpu(Precision::F64, 1);
        assert_eq!(outcome.ends[0].verdict, Verdict::Finished);
    }
}

/// In f32 too, and turned out of the axes.
#[test]
fn loops_of_hinges_are_held_wherever_they_lie_and_in_single_precision() {
    for precision in [Precision::F64, Precision::F32] {
        for (name, mechanism) in loops() {
            for treatment in ["exact", "baumgarte"] {
                // The chain comes to its singular position after .7 s, and single precision does
                // not take it through.
                let ready = Ready::new(constrained_study(&mechanism, "rk4", treatment, 1e-3, 500));
                let outcome = ready.on_cpu(precision, 1);
                let violation = ready.observe(&outcome, &[channels::CONSTRAINT_VIOLATION]).remove(0)[0];
                println!("{name}, {treatment}, {precision:?}: {violation:e}");
                assert_eq!(outcome.ends[0].verdict, Verdict::Finished, "{name}, {treatment}, {precision:?}");
                let allowed = if precision == Precision::F64 { 1e-6 } else { 1e-2 };
                assert!(violation < allowed, "{name}, {treatment}, {precision:?}: {violation:e}");
            }
        }
    }
}

/// Rows that are implied at one place only, or to first order only, stay: a bead between two rods
/// in a line is held by both, though their rows are the same there.
#[test]
fn rows_that_are_dependent_in_one_place_only_stay() {
    let taut = "[body]\nname = \"bead\"\nmass = 1\ninertia = [1, 1, 1]\n\
                [[joint]]\nname = \"left\"\nkind = \"distance\"\nbodies = [\"ground\", \"bead\"]\n\
                points = [[-1, 0, 0], [0, 0, 0]]\nlength = 1\n\
                [[joint]]\nname = \"right\"\nkind = \"distance\"\nbodies = [\"ground\", \"bead\"]\n\
                points = [[1, 0, 0], [0, 0, 0]]\nlength = 1\n";
    let ready = Ready::new(constrained_study(&mechanism(taut), "rk4", "exact", 1e-3, 10));
    assert_eq!(ready.plan.model.rows_left_out(), Vec::<String>::new());
    assert!(ready.plan.model.redundancy().dependent);
    // All bars flat: there the rows in the plane are dependent too, and nowhere else.
    let mut flat = four_bars(2, Joined::Hinges);
    for (k, body) in flat.bodies.iter_mut().enumerate() {
        let crank = k % 2 == 0;
        body.initial.position = [(k / 2) as f64 + if crank { 0.5 } else { 1.5 }, 0.0, 0.0];
        body.initial.velocity = [0.0, 0.0, if crank { -2.0 } else { -4.0 }];
        body.initial.angular_velocity = [0.0, if crank { 4.0 } else { 0.0 }, 0.0];
        if crank {
            let half = std::f64::consts::FRAC_1_SQRT_2;
            body.initial.attitude = [half, 0.0, half, 0.0];
        }
    }
    let ready = Ready::new(constrained_study(&flat, "rk4", "exact", 1e-3, 10));
    let redundancy = ready.plan.model.redundancy();
    let left_out = redundancy.left_out.iter().filter(|left_out| **left_out).count();
    assert_eq!(left_out, 6, "{:?}", ready.plan.model.rows_left_out());
}

/// Were a row left out that no other implies, the motion would leave it, and the instance would end
/// at the next check: every row counts there.
#[test]
fn a_row_that_is_left_out_wrongly_ends_the_instance() {
    let text = "gravity = 9.81\n[body]\nname = \"rod\"\nmass = 1\ninertia = [1, 1, 1]\n\
                [[joint]]\nname = \"foot\"\nkind = \"spherical\"\nbodies = [\"ground\", \"rod\"]\n\
                points = [[0, 0, 0], [0.5, 0, 0]]\n";
    for method in ["rk4", "tsit5"] {
        let mut study = constrained_study(&mechanism(text), method, "exact", 1e-3, 100);
        (study.verdict.constraint, study.verdict.every) = (Some(1e-4), 1);
        let mut ready = Ready::new(study);
        let sound = ready.on_cpu(Precision::F64, 1);
        assert_eq!(sound.ends[0].verdict, Verdict::Finished, "{method}");
        let wrong = Redundancy { left_out: vec![false, false, true], dependent: false };
        ready.plan.model = ready.plan.model.without_redundant_rows(wrong);
        let end = ready.on_cpu(Precision::F64, 1).ends[0];
        assert_eq!(end.verdict, Verdict::ConstraintBound, "{method}");
        // It falls by g t²/2 or less, since the others hold: 1e-4 m after some 5 ms.
        assert!((3..10).contains(&end.step), "{method}: {}", end.step);
    }
}

/// The engine moves as the reference says, which leaves the same rows out and solves for the others
/// by eigenvalues; for the doubled hinge too, whose ten rows are five.
#[test]
fn redundant_loops_move_as_the_reference_says() {
    let mut all = loops();
    let mut twice = shipped("four_bar.toml");
    let mut again = twice.joints[0].clone();
    again.name = "again".to_string();
    twice.joints.push(again);
    all.push(("a hinge twice", twice));
    let steps = 20;
    for (name, mechanism) in all {
        for method in ["rk4", "tsit5", "dop853"] {
            for treatment in ["exact", "baumgarte"] {
                let ready = Ready::new(constrained_study(&mechanism, method, treatment, 1e-3, steps));
                let outcome = ready.on_cpu(Precision::F64, 1);
                let apart = worst_of_many(&ready, &outcome);
                println!("{name}, {method}, {treatment}: {apart:e}");
                assert!(
                    apart < REFERENCE_PER_STEP * steps as f64,
                    "{name}, {method}, {treatment}: {apart:e}"
                );
            }
        }
    }
}

fn worst_of_many(ready: &Ready, outcome: &crate::common::engine::Outcome) -> f64 {
    worst(ready, outcome, std::slice::from_ref(&reference(ready, 0)))
}

/// Rows that say the same share the load: the multipliers of least norm, in engine and reference.
#[test]
fn loads_of_redundant_joints_are_those_of_the_reference() {
    for (name, mechanism) in loops() {
        let ready = Ready::new(constrained_study(&mechanism, "rk4", "exact", 1e-3, 20));
        let outcome = ready.on_cpu(Precision::F64, 1);
        let found = ready.observe(&outcome, &[channels::FORCE, channels::TORQUE]).remove(0);
        let state = reference(&ready, 0);
        let forces = state.reactions.iter().flat_map(|reaction| reaction.force);
        let expected: Vec<f64> =
            forces.chain(state.reactions.iter().flat_map(|reaction| reaction.torque)).collect();
        assert_eq!(found.len(), expected.len());
        let largest = expected.iter().fold(1.0f64, |largest, x| largest.max(x.abs()));
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).abs() < SHARED_LOADS * largest, "{name}: {found} {expected}");
        }
    }
    // At rest, two hinges 1 m apart on one shaft bear half its weight each, and no moment.
    let shaft = "gravity = 9.81\n[body]\nname = \"shaft\"\nmass = 2\ninertia = [0.1, 0.2, 0.3]\n\
                 [[joint]]\nname = \"left\"\nkind = \"revolute\"\nbodies = [\"ground\", \"shaft\"]\n\
                 points = [[-0.5, 0, 0], [-0.5, 0, 0]]\naxes = [1, 0, 0]\n\
                 [[joint]]\nname = \"right\"\nkind = \"revolute\"\nbodies = [\"ground\", \"shaft\"]\n\
                 points = [[0.5, 0, 0], [0.5, 0, 0]]\naxes = [1, 0, 0]\n";
    let ready = Ready::new(constrained_study(&mechanism(shaft), "rk4", "exact", 1e-3, 20));
    assert_eq!(ready.plan.model.rows_left_out().len(), 1);
    let found = ready.observe(&ready.on_cpu(Precision::F64, 1), &[channels::FORCE]).remove(0);
    for force in found.chunks(3) {
        assert!(distance([force[0], force[1], force[2]], [0.0, 0.0, 9.81]) < SHARED_LOADS, "{found:?}");
    }
}

#[test]
fn runge_kutta_methods_keep_their_order_on_redundant_loops() {
    for (name, mechanism) in loops() {
        let t = 0.1;
        let exact = accurate::run(&mechanism, &Instance::nominal(&mechanism), &[t], accurate::TOLERANCE);
        let exact = exact.expect("an accurate motion").states;
        for (method, order, steps) in
            [("rk4", 4.0, [10, 20, 40, 80]), ("tsit5", 5.0, [5, 10, 20, 40]), ("dop853", 8.0, [2, 3, 4, 6])]
        {
            for treatment in ["exact", "baumgarte"] {
                let error = |steps: u64| {
                    let ready =
                        Ready::new(constrained_study(&mechanism, method, treatment, t / steps as f64, steps));
                    (t / steps as f64, worst(&ready, &ready.on_cpu(Precision::F64, 1), &exact))
                };
                let errors: Vec<(f64, f64)> =
                    steps.into_iter().map(error).filter(|(_, error)| *error > ROUNDING_OF_LOOPS).collect();
                let found = if errors.len() > 1 { slope(&errors) } else { f64::NAN };
                println!("{name}, {method}, {treatment}: slope {found:.2}, {errors:?}");
                let lost = errors.len() < 2;
                assert!(
                    lost || found > order - REDUNDANT_ORDER,
                    "{name}, {method}, {treatment}: {found} {errors:?}"
                );
            }
        }
    }
}

/// Returns the verdict on a chain after 10 s of steps of 1 ms, with the defaults of a study that
/// says nothing of constraints, and its distance from the periodic solution (m).
fn off_the_periodic_solution(loops: usize, joined: Joined, method: &str) -> (Verdict, f64) {
    let ready = Ready::new(written(&four_bars::text(loops, joined), method, "1 ms", "10 s"));
    let outcome = ready.on_cpu(Precision::F64, 1);
    let verdict = outcome.ends[0].verdict;
    let row = ready.observe(&outcome, &[channels::POSITION, channels::ENERGY]).remove(0);
    let at = 3 * four_bars::last(loops);
    let apart = distance([row[at], row[at + 1], row[at + 2]], four_bars::last_coupler(loops, 10.0));
    let energy = row[row.len() - 1] - four_bars::energy(loops);
    println!("{loops}, {joined:?}, {method}: {verdict:?}, {apart:.1e} m, {energy:.1e} J");
    (verdict, apart)
}

/// All bars flat, a chain could fold in many ways; the periodic solution goes through.
#[test]
fn chains_of_four_bars_pass_their_singular_position() {
    for loops in [1, 2, 4, 8] {
        for joined in [Joined::Hinges, Joined::Balls] {
            for method in ["rk4", "tsit5"] {
                let (verdict, apart) = off_the_periodic_solution(loops, joined, method);
                assert_eq!(verdict, Verdict::Finished);
                assert!(apart < CHAIN_OF_FOUR_BARS, "{loops}, {joined:?}, {method}: {apart:e}");
            }
        }
    }
}

#[test]
fn known_weakness_order_8_multiplies_rounding_at_singular_positions() {
    for loops in [1, 2, 4, 8] {
        let (verdict, apart) = off_the_periodic_solution(loops, Joined::Hinges, "dop853");
        assert!(verdict != Verdict::Finished || apart < CHAIN_BY_ORDER_8, "{loops}: {apart:e}");
    }
}

#[test]
fn bricards_linkage_keeps_its_energy() {
    let path = root().join("mechanisms/bricard.toml");
    let text = std::fs::read_to_string(path).expect("the mechanism");
    let ready = Ready::new(written(&text, "dop853", "1 ms", "10 s"));
    assert_eq!(ready.plan.model.rows_left_out().len(), 1);
    let start = ready.batch(0, 1);
    let before =
        crate::common::engine::Outcome { states: start.states, ends: ready.on_cpu(Precision::F64, 1).ends };
    let energy =
        |outcome: &crate::common::engine::Outcome| ready.observe(outcome, &[channels::ENERGY]).remove(0)[0];
    let (first, mut largest) = (energy(&before), 0.0f64);
    let mut backend = ready.cpu(Precision::F64, fearless_simd::Level::new(), false);
    ready.watch(&mut *backend, 0, 1, |outcome| {
        assert_eq!(outcome.ends[0].verdict, Verdict::Finished);
        largest = largest.max((energy(outcome) - first).abs());
    });
    println!("Bricard: {largest:e} J");
    assert!(largest < BRICARD_ENERGY, "{largest:e}");
}

/// A beam that bends in the vertical plane alone, so that of hinge and slot one row says what the
/// others say; on a ball joint none does.
#[test]
fn bdf_holds_a_beam_by_hinge_and_slot() {
    let beam = |pin: &str| {
        mechanism(&format!(
            "gravity = 9.81\n[body]\nname = \"rod\"\ninitial = {{ position = [0.5, 0, 0] }}\n\
             [body.flexible]\nwatch = \"middle\"\ndamping = 0.05\n[body.flexible.beam]\nlength = 1\n\
             mass = 0.54\npolar_inertia = 2e-4\nbending_stiffness = [4, 6]\nmodes_y = 0\nmodes_z = 2\n\
             [[joint]]\nname = \"pin\"\n{pin}\nbodies = [\"ground\", \"rod\"]\n\
             points = [[0, 0, 0], \"start\"]\n\
             [[joint]]\nname = \"slide\"\nkind = \"slot\"\nbodies = [\"ground\", \"rod\"]\n\
             points = [[1, 0, 0], \"end\"]\naxes = [1, 0, 0]\n"
        ))
    };
    let ends = ["kind = \"revolute\"\naxes = [0, 1, 0]", "kind = \"spherical\""].map(|pin| {
        let ready = Ready::new(constrained_study(&beam(pin), "bdf", "exact", 0.01, 50));
        let outcome = ready.on_cpu(Precision::F64, 1);
        assert_eq!(outcome.ends[0].verdict, Verdict::Finished, "{pin}");
        let row = ready.observe(&outcome, &[channels::DEFLECTION]).remove(0);
        [row[0], row[1], row[2]]
    });
    println!("{ends:?}");
    assert!(ends[0][2].abs() > 1e-3, "it bends");
    assert!(distance(ends[0], ends[1]) < BEAM_ON_HINGE_AND_SLOT, "{ends:?}");
}

#[test]
fn kernels_equal_the_cpu_on_redundant_loops() {
    for precision in [Precision::F32, Precision::F64] {
        for treatment in ["exact", "baumgarte"] {
            let ready =
                Ready::new(constrained_study(&four_bars(1, Joined::Hinges), "rk4", treatment, 1e-3, 20));
            let (gpu, cpu) = (ready.on_gpu(precision), ready.on_cpu(precision, 1));
            assert_same(&format!("{treatment}, {precision:?}"), &gpu, &cpu);
            assert_eq!(cpu.ends[0].verdict, Verdict::Finished);
        }
    }
}
