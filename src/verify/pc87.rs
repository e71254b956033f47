//! PC87: the nonlinearly implicit midpoint step.

use super::measures::{accurate_at, error, slope};
use super::{Claim, Context, Criterion, Failure, Measured, Outcome, Trial};
use crate::describe::{Channel, Setting};
use crate::study::yardsticks::{fast_top, free_body};

/// (s): with 50 rad/s, h|w| = .5.
const COARSE: f64 = 0.01;

pub const PASSES: Claim = Claim {
    id: "pc87-passes",
    source: "PC87 (5.7)-(5.11)",
    statement: "The printed algorithm (5.8), one pass without iteration, is of order 1; one iteration makes \
                it order 2.",
    condition: None,
    measure: |context| {
        let body = free_body([5.0, 10.0, 1.0], [0.8, 0.2, -0.4, 0.4], [1.0, 0.5, 2.0]);
        let end = 4.0;
        let exact = &accurate_at(&body, &[end])?[0];
        let order = |iterations: u64, first: f64| {
            let points: Result<Vec<_>, Failure> = (0..3)
                .map(|k| {
                    let steps = first * f64::from(1 << k);
                    let trial = Trial::new(&body, "midpoint", end / steps, steps as u64)
                        .with("iterations", Setting::Count(iterations));
                    let history = trial.run(context, &[Channel::Attitude, Channel::AngularVelocity])?;
                    Ok((end / steps, error(&history, exact)))
                })
                .collect();
            Ok::<f64, Failure>(slope(&points?))
        };
        Ok(Outcome {
            measured: vec![
                Measured::new("order with no iteration", order(0, 12800.0)?, "1")
                    .claimed(Criterion::Between(0.9, 1.1)),
                Measured::new("order with one iteration", order(1, 800.0)?, "1")
                    .claimed(Criterion::Between(1.9, 2.1)),
            ],
            figures: vec![],
        })
    },
};

/// The energy error of the fast top at h|w| = .5 over `steps`, with its history.
fn coarse_top(
    context: &Context<'_>,
    steps: u64,
    iterations: u64,
    project: bool,
) -> Result<super::History, Failure> {
    let trial = Trial::new(&fast_top(), "midpoint", COARSE, steps)
        .with("iterations", Setting::Count(iterations))
        .with("project_midpoint", Setting::Flag(project));
    trial.every(10).run(context, &[Channel::EnergyDrift])
}

pub const ONE_ITERATION: Claim = Claim {
    id: "pc87-one-iteration",
    source: "PC87 (5.7)-(5.12)",
    statement: "One iteration a step is enough: the fast top at h|w| = .5 keeps its energy within 10 % over \
                10^4 steps.",
    condition: Some("there are three iterations"),
    measure: |context| {
        let one = coarse_top(context, 10_000, 1, false)?;
        let three = coarse_top(context, 10_000, 3, false)?;
        let drift = Channel::EnergyDrift;
        Ok(Outcome {
            measured: vec![
                Measured::new("largest energy error, one iteration", one.largest(drift), "1")
                    .claimed(Criterion::AtMost(0.1)),
                Measured::new("passes 10 %, one iteration, after", one.passes(drift, 0.1), "s"),
                Measured::new("largest energy error, three iterations", three.largest(drift), "1")
                    .on_condition(Criterion::AtMost(1e-4)),
            ],
            figures: vec![],
        })
    },
};

pub const MIDPOINT_PROJECTION: Claim = Claim {
    id: "pc87-midpoint-projection",
    source: "PC87 (5.15)-(5.18)",
    statement: "Norm and orthogonality may be enforced at the midpoint too: the fast top at h|w| = .5, one \
                iteration, keeps its energy within 10 % over 20 s.",
    condition: Some("they are enforced at the new step alone, (5.17)-(5.18)"),
    measure: |context| {
        let projected = coarse_top(context, 2000, 1, true)?;
        let plain = coarse_top(context, 2000, 1, false)?;
        let drift = Channel::EnergyDrift;
        Ok(Outcome {
            measured: vec![
                Measured::new("largest energy error, midpoint enforced", projected.largest(drift), "1")
                    .claimed(Criterion::AtMost(0.1)),
                Measured::new("passes 10 %, midpoint enforced, after", projected.passes(drift, 0.1), "s"),
                Measured::new("largest energy error, new step alone", plain.largest(drift), "1")
                    .on_condition(Criterion::AtMost(1e-3)),
            ],
            figures: vec![],
        })
    },
};
