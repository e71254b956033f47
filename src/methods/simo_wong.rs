//! Simo and Wong's explicit momentum-conserving step (H92 4.2).

use super::impulse::{Attitudes, Impulse, KEY_TRAPEZOIDAL};
use super::{Card, Method, Sample, Shape, State, Takes, axes, vector};
use crate::base::Options;
use crate::kinematics::body::Motion;
use crate::math::quaternion::{exponential, to_body, to_space};
use crate::math::vector::{scale, scale_add, sub};
use crate::model::system::System;
use crate::real::Real;

/// The method with its settings.
#[derive(Clone, Debug, PartialEq)]
pub struct SimoWong {
    impulse: Impulse,
}

/// Position of the loads at the start of the step in the list of samples.
const START: usize = 1;

impl Method for SimoWong {
    const CARD: Card = Card {
        name: "simo_wong",
        title: "explicit momentum-conserving step of Simo and Wong, exponential update",
        source: "H92 4.2",
        order: 2,
        limit: None,
        conserves: "angular momentum in space, exactly when no moment acts; energy nearly, with the trapezoidal impulse",
        takes: Takes::OneBody,
        resynchronises: false,
        keys: &[KEY_TRAPEZOIDAL],
        text: "\
```text
q1 = q o Exp(h W + h^2/2 A) ;  pi1 = pi + h m ;  W1 = J^-1 Lam1^T pi1 ;  A1 = -A + 2/h (W1 - W)
m  = (m(q) + m(q1))/2                          trapezoidal
m  = m(q o Exp(h/2 W + h^2/8 A))               midpoint
r1 = r + h v + h^2/2 a(q) ;  v1 = v + h a      central difference, a by the same rule as m
```

The spatial angular momentum pi is carried. Recomputing Lam J W at every step, as printed, loses 1e-7 a step in f32.

With the midpoint impulse it is weakly unstable: the energy grows with a slope of about h^3. A is carried too, so a
moment that jumps leaves A oscillating about its true value.
",
    };

    fn new(options: &Options) -> Self {
        Self { impulse: Impulse::new(options, "trapezoidal") }
    }

    fn samples(&self) -> Vec<Sample> {
        Impulse::samples(0.0).collect()
    }

    fn carried(&self, _shape: &Shape) -> Vec<String> {
        axes("momentum").chain(axes("acceleration")).collect()
    }

    fn begin<R: Real>(&self, system: &System<R>, motions: &[Motion<R>]) -> Vec<R> {
        let motion = &motions[0];
        let Motion { q, w, .. } = *motion;
        let one = system.h.lift(1.0);
        let acceleration = system.only(START).kick(one, q, w, [system.h.lift(0.0); 3]);
        [to_space(q, system.only(0).momentum(w)), acceleration].concat()
    }

    fn step<R: Real>(&self, system: &System<R>, state: &State<R>) -> State<R> {
        let h = system.h;
        let Motion { q, w, r, v, .. } = state.motions[0];
        let (pi, a) = (vector(&state.carried, 0), vector(&state.carried, 3));
        let half = h.lift(0.5);
        let half_h = h * half;
        let turned = |h: R, half_h: R| exponential(q, scale(h, scale_add(half_h, a, w)));
        let at = Attitudes { start: q, middle: turned(half_h, half * half_h), end: turned(h, half_h) };
        let pi1 = self.impulse.turn(system, 0, &at, pi);
        let w1 = system.only(0).velocity(to_body(at.end, pi1));
        let a1 = scale_add(h.lift(2.0) / h, sub(w1, w), scale(h.lift(-1.0), a));
        // r + h (v + h/2 a(q))
        let r1 = scale_add(h, system.only(START).push(half_h, q, v), r);
        let v1 = self.impulse.push(system, 0, &at, v);
        State::of_one(Motion::rigid(at.end, w1, r1, v1), [pi1, a1].concat())
    }
}
