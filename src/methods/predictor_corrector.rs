//! Predictor-corrector momentum-conserving step (H92 4.3).

use super::impulse::{Attitudes, Impulse, KEY_MIDPOINT};
use super::{Card, Method, Sample, Shape, State, Takes, axes, vector};
use crate::base::Options;
use crate::kinematics::body::Motion;
use crate::math::quaternion::{exponential, to_body, to_space};
use crate::math::vector::{add, scale, scale_add};
use crate::model::system::System;
use crate::real::Real;

/// The method with its settings.
#[derive(Clone, Debug, PartialEq)]
pub struct PredictorCorrector {
    impulse: Impulse,
}

impl Method for PredictorCorrector {
    const CARD: Card = Card {
        name: "predictor_corrector",
        title: "explicit momentum-conserving predictor-corrector step, exponential update",
        source: "H92 4.3, (53)",
        order: 2,
        limit: None,
        conserves: "angular momentum in space, exactly when no moment acts; its energy grows",
        takes: Takes::OneBody,
        resynchronises: false,
        keys: &[KEY_MIDPOINT],
        text: "\
```text
qt  = q o Exp(h W) ;  pi1 = pi + h m ;  Wt = J^-1 Lamt^T pi1
q1  = q o Exp(h/2 (W + Wt)) ;  W1 = J^-1 Lam1^T pi1
m   = m(q o Exp(h/2 W))                        midpoint
m   = (m(q) + m(qt))/2                         trapezoidal
v1  = v + h a ;  r1 = r + h/2 (v + v1)         Tamma and Namburu, a by the same rule as m
```

The spatial angular momentum pi is carried. The scanned (53) seems to bear a tilde on Lam_n; it is not there.

It is weakly unstable: on H92 5.1 at h = .001 s the energy grows by 2.1e-6 of itself a second, and the rate with h^3.
Over 10^5 free steps it bears only h|w0| = .03, less than a tenth of what the staggered conserving step does.
",
    };

    fn new(options: &Options) -> Self {
        Self { impulse: Impulse::new(options, "midpoint") }
    }

    fn samples(&self) -> Vec<Sample> {
        Impulse::samples(0.0).collect()
    }

    fn carried(&self, _shape: &Shape) -> Vec<String> {
        axes("momentum").collect()
    }

    fn begin<R: Real>(&self, system: &System<R>, motions: &[Motion<R>]) -> Vec<R> {
        let motion = &motions[0];
        to_space(motion.q, system.only(0).momentum(motion.w)).to_vec()
    }

    fn step<R: Real>(&self, system: &System<R>, state: &State<R>) -> State<R> {
        let h = system.h;
        let Motion { q, w, r, v, .. } = state.motions[0];
        let half_h = h * h.lift(0.5);
        let predicted = exponential(q, scale(h, w));
        let at = Attitudes { start: q, middle: exponential(q, scale(half_h, w)), end: predicted };
        let pi1 = self.impulse.turn(system, 0, &at, vector(&state.carried, 0));
        let predicted_w = system.only(0).velocity(to_body(predicted, pi1));
        let q1 = exponential(q, scale(half_h, add(w, predicted_w)));
        let w1 = system.only(0).velocity(to_body(q1, pi1));
        let v1 = self.impulse.push(system, 0, &at, v);
        let r1 = scale_add(half_h, add(v, v1), r);
        State::of_one(Motion::rigid(q1, w1, r1, v1), pi1.to_vec())
    }
}
