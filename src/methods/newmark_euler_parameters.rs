//! Newmark step on the Euler parameters of the rotation since the step's start (K14 E1).

use super::newmark::{KEYS, Newmark, START};
use super::{Card, Method, Sample, State, Takes};
use crate::base::Options;
use crate::kinematics::body::Motion;
use crate::math::linear::solve3;
use crate::math::quaternion::{inverse, product, times_vector_add, to_body, unit};
use crate::math::vector::{cross, cross_add, dot, scale, scale_add, sub};
use crate::model::system::System;
use crate::real::Real;

/// The method with its settings.
#[derive(Clone, Debug, PartialEq)]
pub struct NewmarkEulerParameters {
    newmark: Newmark,
}

impl Method for NewmarkEulerParameters {
    const CARD: Card = Card {
        name: "newmark_euler_parameters",
        title: "implicit Newmark step on relative Euler parameters",
        source: "K14 E1",
        order: 2,
        limit: None,
        conserves: "angular momentum in space when no moment acts, as far as Newton's iteration has converged; energy without drift",
        takes: Takes::OneBody,
        resynchronises: false,
        keys: &KEYS,
        text: "\
The unknown p holds the Euler parameters of the rotation since the step's start:

```text
p0 = (1, 0) ;  pd0 = 1/2 (0, w) ;  pdd0 = (-|w|^2/4, wd/2) ;  wd = acc(q, w)
pd1 = gamma/(beta h) (p - p0) + (1 - gamma/beta) pd0 + h (1 - gamma/(2 beta)) pdd0 ;  w1 = 2 vec(p^* o pd1)
R(p) (J w1 - h alpha tau1) = J w + h (1 - alpha) tau0 ,  |p| = 1 ;  q1 = q o p
```

With beta = 1/4, gamma = 1/2 the starting pdd0 drops out, and pd1 = 2 (p - p0)/h - pd0. Since vec(p^* o p) = 0, w1 is
linear in p^*; Newton's iteration turns p by p o (1, e/2), so that |p| = 1 always. Its matrix leaves out how tau1
depends on p, which costs a factor of h^2 |dtau/dtheta| / (4 J) an iteration.

tau0 is what acts just after the step's start, tau1 just before its end: a moment that jumps on a grid point is met with
its one-sided values.
",
    };

    fn new(options: &Options) -> Self {
        Self { newmark: Newmark::new(options) }
    }

    fn order(&self) -> u32 {
        self.newmark.order()
    }

    fn samples(&self) -> Vec<Sample> {
        self.newmark.samples()
    }

    fn step<R: Real>(&self, system: &System<R>, state: &State<R>) -> State<R> {
        let h = system.h;
        let Motion { q, w, .. } = state.motions[0];
        let (zero, half, one, two) = (h.lift(0.0), h.lift(0.5), h.lift(1.0), h.lift(2.0));
        let c = self.newmark.coefficients(h);
        let wd = system.only(START).kick(one, q, w, [zero; 3]);
        // g = c2 pd0 + c3 pdd0 - c1 p0
        let g = scale(half, scale_add(c.c3, wd, scale(c.c2, w)));
        let g = [-((c.c3 * h.lift(0.25)).mul_add(dot(w, w), c.c1)), g[0], g[1], g[2]];
        let known = self.newmark.known(system, q, w);
        let rate = |p| {
            // s = p^* o g ;  w1 = 2 vec(s)
            let s = product(inverse(p), g);
            (s[0], [s[1], s[2], s[3]])
        };
        let turn = scale(h * half, w);
        let mut p = unit([one, turn[0], turn[1], turn[2]]);
        for _ in 0..self.newmark.iterations {
            let (s0, s) = rate(p);
            let turned = to_body(p, known);
            let momentum = system.only(0).momentum(scale(two, s));
            let missing = sub(self.newmark.end_impulse(system, unit(product(q, p)), turned), momentum);
            // d w1 = -s0 e + s x e ;  d (R^T known) = (R^T known) x e
            let columns = std::array::from_fn(|i| {
                let mut e = [zero; 3];
                e[i] = one;
                let inner = system.only(0).momentum(cross_add(s, e, scale(-s0, e)));
                sub(inner, cross(turned, e))
            });
            let e = solve3(columns, missing);
            p = unit(times_vector_add(p, scale(half, e), p));
        }
        let q1 = unit(product(q, p));
        let (r1, v1) = self.newmark.translate(system, &state.motions[0], q1);
        State::of_one(Motion::rigid(q1, scale(two, rate(p).1), r1, v1), Vec::new())
    }
}
