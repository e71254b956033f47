//! Tsitouras's Runge-Kutta pair of order 5 and 4: with a fixed step, or with steps of its own.

use super::own_steps::{self, ErrorPowers, ErrorSize, OwnSteps};
use super::runge_kutta::{embedded, runge_kutta};
use super::{Card, Method, Sample, State, Takes};
use crate::base::Options;
use crate::kinematics::body::Motion;
use crate::model::system::System;
use crate::real::Real;

/// The method; `tolerance`: that of its own steps, if it takes such.
#[derive(Clone, Debug, PartialEq)]
pub struct Tsitouras5 {
    tolerance: Option<f64>,
}

/// `A[i]`: weights of the rates 0 to i - 1 in stage i.
#[rustfmt::skip]
const A: [&[f64]; 6] = [
    &[],
    &[0.161],
    &[-0.008_480_655_492_356_989, 0.335_480_655_492_357],
    &[2.897_153_057_105_493_5, -6.359_448_489_975_075, 4.362_295_432_869_581_5],
    &[5.325_864_828_439_257, -11.748_883_564_062_828, 7.495_539_342_889_836_5, -0.092_495_066_361_755_25],
    &[
        5.861_455_442_946_42, -12.920_969_317_847_11, 8.159_367_898_576_159, -0.071_584_973_281_401,
        -0.028_269_050_394_068_383,
    ],
];

/// The instants of the stages, in steps: the sums of the rows of A.
const C: [f64; 6] = [0.0, 0.161, 0.327, 0.9, 0.980_025_540_904_509_7, 1.0];

/// Weights of the rates in the solution of order 5.
#[rustfmt::skip]
const B: [f64; 6] = [
    0.096_460_766_818_065_23, 0.01, 0.479_889_650_414_499_6,
    1.379_008_574_103_742, -3.290_069_515_436_081, 2.324_710_524_099_774,
];

/// Weights of the rates, the last of them at the end of the step, in the difference of the two
/// solutions.
#[rustfmt::skip]
const E: [f64; 7] = [
    -0.001_780_011_052_225_777, -0.000_816_434_459_656_746_9, 0.007_880_878_010_261_995,
    -0.144_711_007_173_262_9, 0.582_357_165_452_555_2, -0.458_082_105_929_187, 0.015_151_515_151_515_152,
];

impl Method for Tsitouras5 {
    const CARD: Card = Card {
        name: "tsit5",
        title: "Runge-Kutta step of order 5 by Tsitouras, fixed or each instance's own",
        source: "Tsitouras, Computers & Mathematics with Applications 62, 2011, 770, table 1",
        order: 5,
        limit: None,
        conserves: "nothing; energy decays or grows with h^6 a step",
        takes: Takes::AnyMechanism,
        resynchronises: false,
        roles: &[],
        keys: &[own_steps::KEY],
        text: "\
Six stages, and a seventh at the end of the step for the estimate where steps are chosen:

```text
k_i = h f(y + sum over j < i of a_ij k_j) ;  y1 = y + sum of b_i k_i ;  q1 = unit(q1)
```

Its six evaluations go three times as far as the four of `rk4` at the same error. It is the cheapest method
for errors of about 1e-3, where those of order 8 lose with their long sums what their long steps win
(`docs/work-precision.md`).

Loads and joints see the quaternions of stages as those of `rk4` do.

Loads that are constant by pieces enter all stages by their mean over the step, functions of time at each
stage's instant. A jump inside a step costs the order (it is then 1), a jump on a step does not (measured
5.2). Stages at the start of a step see the value after the jump, stages at the end the value before it.
",
    };

    fn new(options: &Options) -> Self {
        Self { tolerance: own_steps::tolerance(options) }
    }

    fn samples(&self) -> Vec<Sample> {
        let end = self.tolerance.map(|_| 1.0);
        C.into_iter().chain(end).map(|c| Sample::new(0.0, 1.0, c)).collect()
    }

    fn step<R: Real>(&self, system: &System<R>, state: &State<R>) -> State<R> {
        State { motions: runge_kutta(system, &state.motions, &A, &B), carried: Vec::new() }
    }

    fn own_steps(&self) -> Option<OwnSteps> {
        Some(OwnSteps { tolerance: self.tolerance?, exponents: ErrorPowers::OfOrder5 })
    }

    fn estimated<R: Real>(
        &self,
        system: &System<R>,
        start: &[Motion<R>],
        size: &ErrorSize<'_, R>,
    ) -> (Vec<Motion<R>>, R) {
        let [first, second, third, fourth, fifth, sixth] = A;
        let stages = [first, second, third, fourth, fifth, sixth, &B];
        let (end, [error]) = embedded(system, start, &stages, &B, [&E]);
        let square = size(&end, &error);
        (end, square)
    }
}
