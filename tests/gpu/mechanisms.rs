//! Mechanisms with joints and springs: assembly, treatments, and the same bits from every backend.

use crate::common::arms::{KINDS, SPIN, TREATMENTS, mechanism_of, study_of, two_arms};
use crate::common::engine::{Outcome, Ready, assert_same};
use crate::common::tolerances::{ASSEMBLED_ALIKE, FALLS, HELD, HELD_AT_REST, KEPT, KEPT_AT_REST};
use polhode::base::Precision;
use polhode::ensemble::Quantities;
use polhode::methods::cards;
use polhode::observe::{Verdict, channels};
use polhode::reference::BodyState;
use polhode::reference::methods::{self, Schedule};
use polhode::study::replay::to_reference;

#[test]
fn every_instance_starts_assembled() {
    for kind in KINDS {
        // Positions off by centimetres, attitudes by some degrees.
        let scattered = "\"upper.position\" = { normal = { std = 0.02 } }\n\
                         \"lower.position\" = { normal = { std = 0.02 } }\n\
                         \"lower.attitude\" = { small_rotation = { std = 0.05 } }\n";
        let ready =
            Ready::new(study_of(TREATMENTS[0], &format!("{scattered}{SPIN}"), &mechanism_of(kind), 1e-3, 2));
        let batch = ready.batch(0, ready.size());
        assert!(batch.verdicts.iter().all(|verdict| *verdict == Verdict::Finished), "{kind}");
        for i in 0..ready.size() {
            let state: Vec<f64> = batch.states.iter().map(|plane| plane[i]).collect();
            let motions = ready.plan.model.motions(&state);
            let parameter = |p: usize| *batch.parameters[p].get(i).unwrap_or(&ready.plan.constants[p]);
            for joint in ready.plan.model.joints(&parameter) {
                for row in joint.evaluate(&motions) {
                    assert!(row.violation.abs() < 1e-11, "{kind}, {i}: {}", row.violation);
                    assert!(row.rate(&motions).abs() < 1e-11, "{kind}, {i}: {}", row.rate(&motions));
                }
            }
        }
    }
}

/// The reference assembles by itself, and comes to the same start: seen after five steps.
#[test]
fn the_reference_assembles_alike() {
    let scattered = "\"upper.position\" = { normal = { std = 0.02 } }\n\
                     \"lower.position\" = { normal = { std = 0.02 } }\n\
                     \"lower.attitude\" = { small_rotation = { std = 0.05 } }\n";
    for kind in KINDS {
        let study = study_of(TREATMENTS[0], &format!("{scattered}{SPIN}"), &mechanism_of(kind), 1e-3, 5);
        let ready = Ready::new(study);
        let outcome = ready.on_cpu(Precision::F64, 1);
        let rows =
            ready.observe(&outcome, &[channels::POSITION, channels::VELOCITY, channels::ANGULAR_VELOCITY]);
        let (method, mechanism) = (&ready.study.method, &ready.study.mechanism);
        for (i, row) in rows.iter().enumerate() {
            let mut drawn = vec![f64::NAN; ready.sampler.width()];
            ready.sampler.draw(i as u64, &mut drawn);
            let mut quantities = Quantities::nominal(&ready.study);
            ready.sampler.apply(&drawn, &mut quantities);
            let schedule =
                Schedule { h: method.step, steps: 5, resynchronise: method.resynchronise, every: 5 };
            let (mechanism, instance) = to_reference(mechanism, quantities).expect("a mechanism");
            let constraints = &ready.study.constraints;
            let run =
                methods::run(method.name, &method.options, constraints, &mechanism, &instance, schedule);
            let last = run.expect("the reference takes it").states.pop().expect("a state");
            let numbers =
                |of: fn(&BodyState) -> [f64; 3]| last.bodies.iter().flat_map(of).collect::<Vec<f64>>();
            let expected =
                [numbers(|b| b.position), numbers(|b| b.velocity), numbers(|b| b.angular_velocity)].concat();
            for (got, want) in row.iter().zip(&expected) {
                assert!(
                    (got - want).abs() < ASSEMBLED_ALIKE * want.abs().max(1.0),
                    "{kind}, {i}: {got} {want}"
                );
            }
        }
    }
}

#[test]
fn what_cannot_be_assembled_is_refused_by_the_name_of_its_joint() {
    // The lower arm hangs on two points of the ground, 5 m apart.
    let torn = two_arms(KINDS[0], KINDS[0])
        + "[[mechanism.joint]]\nname = \"far\"\nkind = \"spherical\"\nbodies = [\"ground\", \"lower\"]\n\
           points = [[5, 0, 0], [0.5, 0, 0]]\n";
    let study = study_of(TREATMENTS[0], "", &torn, 1e-3, 2);
    let error = polhode::study::plan::plan(&study).expect_err("it cannot be assembled");
    let message = polhode::model::Model::explain(&study.mechanism, error);
    assert!(
        message.contains("cannot be assembled")
            && ["shoulder", "elbow", "far"].iter().any(|n| message.contains(n)),
        "{message}"
    );
}

/// The kernel's results are those of the CPU, bit for bit, for every kind of joint, every treatment
/// and every method that carries multipliers. (Not for every combination: a software GPU takes
/// seconds to compile such a kernel.)
#[test]
fn kernels_equal_the_cpu_for_every_joint_and_treatment() {
    let spring = "[[mechanism.spring]]\nname = \"strut\"\nbodies = [\"ground\", \"lower\"]\n\
                  points = [[1, 0, 1], [0, 0, 0]]\nstiffness = 20\ndamping = 0.5\nfree_length = 0.8\n\
                  actuator = 1\n";
    let carrying: Vec<_> = cards().iter().filter(|card| card.takes.carries()).map(|card| card.name).collect();
    for (k, kind) in KINDS.into_iter().enumerate() {
        for (treatment, precision) in
            [(TREATMENTS[0], Precision::F32), (TREATMENTS[1 + k % 6], Precision::F64)]
        {
            let mut study = study_of(treatment, SPIN, &(mechanism_of(kind) + spring), 1e-3, 100);
            study.method.name = carrying[k % carrying.len()];
            let method = study.method.name;
            let ready = Ready::new(study);
            let cpu = ready.on_cpu(precision, 1);
            let what = format!("{kind}, {method}, {treatment}, {precision:?}");
            assert_same(&what, &ready.on_gpu(precision), &cpu);
            assert!(cpu.states.iter().flatten().all(|x| x.is_finite()), "{what}");
        }
    }
}

/// Energy that a second of swinging turns over (J).
const TURNED_OVER: f64 = 10.0;

/// Largest violation, and largest change of energy of what is turned over, after a second.
fn drift(treatment: &str, kind: &str, h: f64) -> (f64, f64) {
    let ready = Ready::new(study_of(treatment, SPIN, &mechanism_of(kind), h, (1.0 / h).round() as u64));
    let outcome = ready.on_cpu(Precision::F64, 2);
    assert_eq!(outcome.count(Verdict::Finished), ready.size(), "{treatment}, {kind}");
    let start = Outcome { states: ready.batch(0, ready.size()).states, ends: outcome.ends.clone() };
    let observe = |outcome| ready.observe(outcome, &[channels::CONSTRAINT_VIOLATION, channels::ENERGY]);
    observe(&outcome).iter().zip(observe(&start)).fold((0.0, 0.0), |(v, e), (end, start)| {
        (f64::max(v, end[0]), f64::max(e, (end[1] - start[1]).abs() / TURNED_OVER))
    })
}

/// Violations and energy errors fall with the square of the step; the staggered multipliers lose
/// energy besides in proportion to eps, which does not depend on the step.
#[test]
fn every_treatment_holds_every_joint_and_keeps_the_energy() {
    for kind in KINDS {
        for treatment in &TREATMENTS[..3] {
            let ((v, e), (finer_v, finer_e)) = (drift(treatment, kind, 2e-3), drift(treatment, kind, 1e-3));
            println!("{kind}, {treatment}: violation {v:.1e} {finer_v:.1e}, energy {e:.1e} {finer_e:.1e}");
            assert!(finer_v < HELD && finer_e < KEPT, "{kind}, {treatment}: {finer_v:.1e}, {finer_e:.1e}");
            let falls = |coarse: f64, fine: f64, rest: f64| fine < rest || fine < coarse / FALLS;
            assert!(falls(v, finer_v, HELD_AT_REST), "{kind}, {treatment}: violation {v:.1e} {finer_v:.1e}");
            assert!(falls(e, finer_e, KEPT_AT_REST), "{kind}, {treatment}: energy {e:.1e} {finer_e:.1e}");
        }
    }
}

/// Rows that say the same twice are no matter to the staggered multipliers, nor to the exact ones,
/// which are solved for without them.
#[test]
fn redundant_rows_stop_neither_the_staggered_treatment_nor_the_exact_one() {
    let revolute = KINDS[2];
    let twice = two_arms(revolute, revolute)
        + "[[mechanism.joint]]\nname = \"again\"\nkind = \"revolute\"\naxes = [0, 1, 0]\n\
           bodies = [\"ground\", \"upper\"]\npoints = [[0, 0.1, 0], [-0.5, 0.1, 0]]\n";
    let run = |treatment: &str| {
        let ready = Ready::new(study_of(treatment, SPIN, &twice, 1e-3, 1000));
        ready.on_cpu(Precision::F64, 2).count(Verdict::Finished)
    };
    let [staggered, exact] = [TREATMENTS[0], TREATMENTS[1]].map(run);
    println!("{staggered} and {exact} of 60");
    assert_eq!((staggered, exact), (60, 60));
}
