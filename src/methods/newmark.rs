//! What the two Newmark methods of K14 share: coefficients, loads, the right side of the momentum balance, translation.
//!
//! Rotation is counted from the step's start, where the unknown's value and rates are known from `w` and `acc(q, w)`.
//! The balance of angular momentum over the step, in body axes at its end, is solved by Newton's iteration:
//!
//! ```text
//! J w1 - h alpha tau1 = R^T (J w + h (1 - alpha) tau0)
//! ```

use super::{AFTER_START, BEFORE_END, Key, Kind, Sample};
use crate::base::Options;
use crate::kinematics::body::Motion;
use crate::math::quaternion::Quat;
use crate::math::vector::{Vec3, scale_add};
use crate::model::system::System;
use crate::real::Real;

pub const KEYS: [Key; 4] = [
    Key {
        name: "alpha",
        kind: Kind::Number(0.0, 1.0, 0.5),
        unit: "",
        meaning: "Weight of the moment at the step's end in the balance of momentum.",
    },
    Key {
        name: "beta",
        kind: Kind::Number(0.01, 1.0, 0.25),
        unit: "",
        meaning: "Newmark's parameter of the displacement.",
    },
    Key {
        name: "gamma",
        kind: Kind::Number(0.0, 1.0, 0.5),
        unit: "",
        meaning: "Newmark's parameter of the velocity.",
    },
    Key { name: "iterations", kind: Kind::Count(1, 20, 2), unit: "", meaning: "Newton iterations a step." },
];

/// Positions in the list of samples.
pub const START: usize = 0;
pub const END: usize = 1;

/// The settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Newmark {
    alpha: f64,
    beta: f64,
    gamma: f64,
    pub iterations: u64,
}

/// `xd1 = c1 (x1 - x0) + c2 xd0 + c3 xdd0`
pub struct Coefficients<R> {
    /// `gamma / (beta h)`
    pub c1: R,
    /// `1 - gamma / beta`
    pub c2: R,
    /// `h (1 - gamma / (2 beta))`
    pub c3: R,
}

impl Newmark {
    pub fn new(options: &Options) -> Newmark {
        Newmark {
            alpha: options.number("alpha", 0.5),
            beta: options.number("beta", 0.25),
            gamma: options.number("gamma", 0.5),
            iterations: options.count("iterations", 2),
        }
    }

    /// Second order with the trapezoidal choices alone.
    pub fn order(&self) -> u32 {
        if self.alpha == 0.5 && self.gamma == 0.5 { 2 } else { 1 }
    }

    pub fn samples(&self) -> Vec<Sample> {
        vec![AFTER_START, BEFORE_END]
    }

    pub fn coefficients<R: Real>(&self, h: R) -> Coefficients<R> {
        Coefficients {
            c1: h.lift(self.gamma / self.beta) / h,
            c2: h.lift(1.0 - self.gamma / self.beta),
            c3: h * h.lift(1.0 - self.gamma / (2.0 * self.beta)),
        }
    }

    /// `J w + h (1 - alpha) tau0`, body axes at the start.
    pub fn known<R: Real>(&self, system: &System<R>, q: Quat<R>, w: Vec3<R>) -> Vec3<R> {
        let weight = system.h * system.h.lift(1.0 - self.alpha);
        scale_add(weight, system.only(START).body_moment(q), system.only(0).momentum(w))
    }

    /// `h alpha tau1 + base`, `q1` the attitude at the end.
    pub fn end_impulse<R: Real>(&self, system: &System<R>, q1: Quat<R>, base: Vec3<R>) -> Vec3<R> {
        let weight = system.h * system.h.lift(self.alpha);
        scale_add(weight, system.only(END).body_moment(q1), base)
    }

    /// `v1 = v + h ((1 - gamma) a0 + gamma a1)`, `r1 = r + h v + h^2 ((1/2 - beta) a0 + beta a1)`.
    pub fn translate<R: Real>(
        &self,
        system: &System<R>,
        from: &Motion<R>,
        q1: Quat<R>,
    ) -> (Vec3<R>, Vec3<R>) {
        let h = system.h;
        let pushed = |first: f64, last: f64| {
            let part = system.only(START).push(h * h.lift(first), from.q, from.v);
            system.only(END).push(h * h.lift(last), q1, part)
        };
        let r1 = scale_add(h, pushed(0.5 - self.beta, self.beta), from.r);
        (r1, pushed(1.0 - self.gamma, self.gamma))
    }
}
