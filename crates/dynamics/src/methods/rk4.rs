//! Classical Runge-Kutta step of order 4.

use super::{Card, Method, MethodRole, Sample, State, Takes};
use crate::base::Options;
use crate::model::system::System;
use crate::real::Real;

/// The method; it has no settings.
#[derive(Clone, Debug, PartialEq)]
pub struct RungeKutta4;

/// The instants of its stages: the start, the middle, the end.
const STAGES: [Sample; 3] =
    [Sample::new(0.0, 1.0, 0.0), Sample::new(0.0, 1.0, 0.5), Sample::new(0.0, 1.0, 1.0)];

impl Method for RungeKutta4 {
    const CARD: Card = Card {
        name: "rk4",
        title: "classical Runge-Kutta step",
        source: "Kutta 1901; the yardstick everyone knows",
        order: 4,
        limit: Some(2.0 * std::f64::consts::SQRT_2),
        conserves: "nothing; energy decays with h^5 a step",
        takes: Takes::AnyMechanism,
        resynchronises: false,
        roles: &[MethodRole::Plain],
        keys: &[],
        text: "\
```text
y = (q, w, r, v) of all bodies ;  k1 = h f(y) ;  k2 = h f(y + k1/2) ;  k3 = h f(y + k2/2) ;  k4 = h f(y + k3)
y1 = y + (k1 + 2 k2 + 2 k3 + k4)/6 ;  q1 = unit(q1)
f = ( 1/2 q o (0, w), acc(q, w), v, a(q) )
```

Inside the step quaternions are no unit ones. Loads and joints see `q (5 + 10 n + n²)/(1 + 10 n + 5 n²)` with
`n = |q|²`, in stages after the first: a unit quaternion but for `(n - 1)^5/512`, by a division and without a
root. This costs no order, and a heavy top is a quarter faster for it.

Loads that are constant by pieces enter all four stages by their mean over the step; functions of time are
taken at each stage's instant. Where one jumps, stages at the step's start see the value after it, stages at
its end the value before. A jump on a step costs no order (measured 4.0), one inside a step leaves an error of
order 1.
",
    };

    fn new(_options: &Options) -> Self {
        Self
    }

    fn samples(&self) -> Vec<Sample> {
        STAGES.to_vec()
    }

    fn step<R: Real>(&self, system: &System<R>, state: &State<R>) -> State<R> {
        State { motions: system.runge_kutta(system.h, [0, 1, 2], &state.motions), carried: Vec::new() }
    }
}
