//! Newmark step on the rotation vector since the step's start (K14 C1).

use super::newmark::{Coefficients, KEYS, Newmark, Rotation};
use crate::base::Options;
use crate::kinematics::body::{LoadedBody, Motion};
use crate::math::linear::solve3;
use crate::math::quaternion::{Quat, exponential};
use crate::math::stumpff::stumpff;
use crate::math::vector::{Vec3, cross, dot, scale, scale_add, sub};
use crate::methods::{Card, Method, MethodRole, Sample, Shape, State, Takes, multiplier_names};
use crate::model::system::System;
use crate::real::Real;

/// The method with its settings.
#[derive(Clone, Debug, PartialEq)]
pub struct NewmarkRotationVector {
    newmark: Newmark,
}

impl Method for NewmarkRotationVector {
    const CARD: Card = Card {
        name: "newmark_rotation_vector",
        title: "implicit Newmark step on the relative rotation vector",
        source: "K14 C1",
        order: 2,
        limit: None,
        conserves: "angular momentum in space when no moment acts, as far as Newton's iteration has \
                    converged; its energy drifts",
        takes: Takes::RigidBodies,
        resynchronises: false,
        roles: &[MethodRole::Historic],
        keys: &KEYS,
        text: "\
As `newmark_euler_parameters`, with the rotation vector P since the step's start for unknown:

```text
P0 = 0 ;  Pd0 = w ;  Pdd0 = acc(q, w)
Pd1 = gamma/(beta h) P + (1 - gamma/beta) Pd0 + h (1 - gamma/(2 beta)) Pdd0 ;  w1 = T(P) Pd1
T = I - (1 - cos P)/P^2 P~ + (P - sin P)/P^3 P~^2
Exp(P) (J w1 - h alpha tau1) = J w + h (1 - alpha) tau0 ;  q1 = q o Exp(P)
```

It has a secular drift of energy where `newmark_euler_parameters` has none.

A function of time that jumps on a step costs no order; inside a step it leaves an error of order 1
(tests/cpu/jumps.rs).
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
        self.newmark.step::<R, RotationVector<R>>(system, state)
    }
}

/// The unknowns: `Pd1 = c1 P + b`, and T(P) P = P.
struct RotationVector<R> {
    p: Vec3<R>,
    b: Vec3<R>,
    c1: R,
}

impl<R: Real> RotationVector<R> {
    fn turned_by(p: Vec3<R>) -> Quat<R> {
        let (zero, one) = (p[0].lift(0.0), p[0].lift(1.0));
        exponential([one, zero, zero, zero], p)
    }
}

impl<R: Real> Rotation<R> for RotationVector<R> {
    fn begin(h: R, c: &Coefficients<R>, w: Vec3<R>, wd: Vec3<R>) -> Self {
        Self { p: scale(h, w), b: scale_add(c.c3, wd, scale(c.c2, w)), c1: c.c1 }
    }

    fn rotation(&self) -> Quat<R> {
        Self::turned_by(self.p)
    }

    fn half(&self) -> Quat<R> {
        Self::turned_by(scale(self.c1.lift(0.5), self.p))
    }

    fn velocity(&self) -> Vec3<R> {
        scale_add(self.c1, self.p, Tangent::new(self.p).times(self.b))
    }

    fn corrected(&self, body: &LoadedBody<'_, R>, turned: Vec3<R>, missing: Vec3<R>) -> Self {
        let (zero, one) = (self.c1.lift(0.0), self.c1.lift(1.0));
        let tangent = Tangent::new(self.p);
        // d w1 = c1 dP + d(T b) ;  d (R^T known) = (R^T known) x (T dP)
        let columns = std::array::from_fn(|i| {
            let mut e = [zero; 3];
            e[i] = one;
            let inner = body.momentum(scale_add(self.c1, e, tangent.derivative(self.b, e)));
            sub(inner, cross(turned, tangent.times(e)))
        });
        let change = solve3(columns, missing);
        Self { p: scale_add(one, change, self.p), b: self.b, c1: self.c1 }
    }
}

/// `T(P)`, which takes the rate of a rotation vector to the angular velocity in body axes.
struct Tangent<R> {
    p: Vec3<R>,
    x: R,
}

impl<R: Real> Tangent<R> {
    fn new(p: Vec3<R>) -> Self {
        Self { p, x: dot(p, p) }
    }

    /// `T b = b - c2 P x b + c3 P x (P x b)`
    fn times(&self, b: Vec3<R>) -> Vec3<R> {
        let pb = cross(self.p, b);
        let ppb = cross(self.p, pb);
        scale_add(stumpff(3, self.x), ppb, scale_add(-stumpff(2, self.x), pb, b))
    }

    /// The change of `T b` for a change `e` of P: `d c_k / dx = (k c_{k+2} - c_{k+1}) / 2`.
    fn derivative(&self, b: Vec3<R>, e: Vec3<R>) -> Vec3<R> {
        let (pb, eb) = (cross(self.p, b), cross(e, b));
        let along = dot(self.p, e);
        let c = |k: u32| stumpff(k, self.x);
        let two = self.x.lift(2.0);
        let three = self.x.lift(3.0);
        let first = (c(3) - two * c(4)) * along;
        let second = (three * c(5) - c(4)) * along;
        let change = scale_add(first, pb, scale(-c(2), eb));
        let change = scale_add(second, cross(self.p, pb), change);
        let change = scale_add(c(3), cross(e, pb), change);
        scale_add(c(3), cross(self.p, eb), change)
    }
}
