//! Newmark step on the Euler parameters of the rotation since the step's start (K14 E1).

use super::newmark::{Coefficients, KEYS, Newmark, Rotation};
use crate::base::Options;
use crate::kinematics::body::{LoadedBody, Motion};
use crate::math::linear::solve3;
use crate::math::quaternion::{Quat, inverse, product, times_vector_add, unit};
use crate::math::vector::{Vec3, cross, cross_add, dot, scale, scale_add, sub};
use crate::methods::{Card, Method, MethodRole, Sample, Shape, State, Takes, multiplier_names};
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
        conserves: "angular momentum in space when no moment acts, as far as Newton's iteration has \
                    converged; energy without drift",
        takes: Takes::RigidBodies,
        resynchronises: false,
        roles: &[MethodRole::Historic],
        keys: &KEYS,
        text: "\
The unknown p holds the Euler parameters of the rotation since the step's start:

```text
p0 = (1, 0) ;  pd0 = 1/2 (0, w) ;  pdd0 = (-|w|^2/4, wd/2) ;  wd = acc(q, w)
pd1 = gamma/(beta h) (p - p0) + (1 - gamma/beta) pd0 + h (1 - gamma/(2 beta)) pdd0 ;  w1 = 2 vec(p^* o pd1)
R(p) (J w1 - h alpha tau1) = J w + h (1 - alpha) tau0 ,  |p| = 1 ;  q1 = q o p
```

With beta = 1/4, gamma = 1/2 the starting pdd0 drops out, and pd1 = 2 (p - p0)/h - pd0. Since vec(p^* o p) =
0, w1 is linear in p^*; Newton's iteration turns p by p o (1, e/2), so that |p| = 1 always. Its matrix leaves
out how tau1 depends on p, which costs a factor of h^2 |dtau/dtheta| / (4 J) an iteration.

Joined bodies: tau0 and tau1 hold what springs do to bodies at rest too. Reactions of joints and all that
damps act from the middle of the iterate,

```text
qm = q o (half of p) ;  rm = (r + r1)/2 ;  Wm, vm alike ;  R(p) (J w1 - h alpha tau1) = J w + h (1 - alpha) \
tau0 + h R(half of p) taum
v1, r1 by Newmark's rule with h am and h^2/2 am of the reactions
```

with the multipliers found there over h/2 from those carried, in each of Newton's iterations anew; its matrix
leaves them out.

tau0 is what acts just after the step's start, tau1 just before its end: a moment that jumps on a grid point
is met with its one-sided values. One inside a step leaves an error of order 1 (tests/cpu/jumps.rs).
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

    fn carried(&self, shape: &Shape) -> Vec<String> {
        multiplier_names(shape).collect()
    }

    fn begin<R: Real>(&self, system: &System<R>, motions: &[Motion<R>]) -> Vec<R> {
        Newmark::begin(system, motions)
    }

    fn step<R: Real>(&self, system: &System<R>, state: &State<R>) -> State<R> {
        self.newmark.step::<R, EulerParameters<R>>(system, state)
    }
}

/// The unknowns.
struct EulerParameters<R> {
    p: Quat<R>,
    /// c2 pd0 + c3 pdd0 - c1 p0
    g: Quat<R>,
}

impl<R: Real> EulerParameters<R> {
    /// `s = p^* o g`, of which `w1 = 2 vec(s)`.
    fn rate(&self) -> (R, Vec3<R>) {
        let s = product(inverse(self.p), self.g);
        (s[0], [s[1], s[2], s[3]])
    }
}

impl<R: Real> Rotation<R> for EulerParameters<R> {
    fn begin(h: R, c: &Coefficients<R>, w: Vec3<R>, wd: Vec3<R>) -> Self {
        let (half, one) = (h.lift(0.5), h.lift(1.0));
        let g = scale(half, scale_add(c.c3, wd, scale(c.c2, w)));
        let turn = scale(h * half, w);
        Self {
            p: unit([one, turn[0], turn[1], turn[2]]),
            g: [-((c.c3 * h.lift(0.25)).mul_add(dot(w, w), c.c1)), g[0], g[1], g[2]],
        }
    }

    fn rotation(&self) -> Quat<R> {
        self.p
    }

    fn half(&self) -> Quat<R> {
        let [p0, p1, p2, p3] = self.p;
        unit([p0 + p0.lift(1.0), p1, p2, p3])
    }

    fn velocity(&self) -> Vec3<R> {
        scale(self.p[0].lift(2.0), self.rate().1)
    }

    fn corrected(&self, body: &LoadedBody<'_, R>, turned: Vec3<R>, missing: Vec3<R>) -> Self {
        let (zero, half, one) = (self.p[0].lift(0.0), self.p[0].lift(0.5), self.p[0].lift(1.0));
        let (s0, s) = self.rate();
        // d w1 = -s0 e + s x e ;  d (R^T known) = (R^T known) x e
        let columns = std::array::from_fn(|i| {
            let mut e = [zero; 3];
            e[i] = one;
            let inner = body.momentum(cross_add(s, e, scale(-s0, e)));
            sub(inner, cross(turned, e))
        });
        let e = solve3(columns, missing);
        Self { p: unit(times_vector_add(self.p, scale(half, e), self.p)), g: self.g }
    }
}
