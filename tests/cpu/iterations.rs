//! Methods that solve their steps by iterations: how many there are, and what becomes of a step
//! that is not solved.

use crate::common::engine::Ready;
use crate::common::flexible::mechanism;
use crate::common::study::study;
use polhode::base::{Options, Precision, Setting};
use polhode::describe::{Mechanism, Study};
use polhode::observe::{Verdict, channels};

/// Stiffness of the spring (N/m), step (s) and number of steps: omega h = 0.8.
const STIFFNESS: f64 = 64.0;
const H: f64 = 0.1;
const STEPS: u64 = 150;
const TOLERANCE: f64 = 1e-8;

/// A mass of 1 kg that swings along a spring of 1 m, from 1.5 m.
fn bob() -> Mechanism {
    mechanism(&format!(
        "[body]\nmass = 1\ninertia = [1, 1, 1]\ninitial = {{ position = [1.5, 0, 0] }}\n\
         [[spring]]\nname = \"spring\"\nbodies = [\"ground\", \"body\"]\npoints = [[0, 0, 0], [0, 0, 0]]\n\
         stiffness = {STIFFNESS}\nfree_length = 1\n"
    ))
}

fn by_trapezoidal(most: u64, steps: u64) -> Study {
    let mut study = study(bob(), 1, H, steps);
    study.method.name = "trapezoidal";
    study.method.resynchronise = 0;
    study.method.options = Options::default()
        .with("iteration_tolerance", Setting::Number(TOLERANCE))
        .with("max_iterations", Setting::Count(most));
    study
}

/// Iterations of every step, and where the mass is at the end (m): `x'' = -k (x - 1)` by (8)-(13).
fn counted() -> (Vec<u64>, f64) {
    let force = |x: f64| -STIFFNESS * (x - 1.0);
    let d = 0.5 * H;
    let (mut x, mut v) = (1.5, 0.0);
    let counts = (0..STEPS).map(|_| {
        let start = force(x);
        let end = |rate: f64| {
            let v1 = v + d * (start + rate);
            (x + d * (v + v1), v1)
        };
        let mut reached = end(start);
        let mut count = 0;
        loop {
            let next = end(force(reached.0));
            let change = (next.0 - reached.0).abs();
            reached = next;
            count += 1;
            if change < TOLERANCE {
                break;
            }
        }
        (x, v) = reached;
        count
    });
    let counts = counts.collect();
    (counts, x)
}

#[test]
fn the_channel_counts_what_the_rule_takes() {
    let (counts, end) = counted();
    let (fewest, most) = (*counts.iter().min().unwrap(), *counts.iter().max().unwrap());
    assert!(fewest < most, "{counts:?}");
    let ready = Ready::new(by_trapezoidal(most, STEPS));
    let outcome = ready.on_cpu(Precision::F64, 1);
    assert_eq!(outcome.ends[0].verdict, Verdict::Finished);
    let observed = &ready.observe(&outcome, &[channels::ITERATIONS, channels::POSITION])[0];
    let mean = counts.iter().sum::<u64>() as f64 / STEPS as f64;
    assert_eq!(observed[..3], [*counts.last().unwrap() as f64, mean, most as f64], "{counts:?}");
    assert!((observed[3] - end).abs() < 1e-11, "{} {end}", observed[3]);
}

#[test]
fn an_instance_ends_with_the_first_step_that_is_not_solved() {
    let (counts, _) = counted();
    let most = *counts.iter().max().unwrap();
    let first = counts.iter().position(|count| *count == most).unwrap() as u64 + 1;
    let outcome = Ready::new(by_trapezoidal(most - 1, STEPS)).on_cpu(Precision::F64, 1);
    assert_eq!((outcome.ends[0].verdict, outcome.ends[0].step), (Verdict::NotConverged, first));
}
