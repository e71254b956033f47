//! How the momentum methods of H92 take the impulse of the moments over a step, and of the forces alike.

use super::{AFTER_START, BEFORE_END, Key, Kind, STEP, Sample};
use crate::base::Options;
use crate::math::quaternion::Quat;
use crate::math::vector::{Vec3, scale_add};
use crate::model::system::System;
use crate::real::Real;

/// The rule of quadrature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Impulse {
    Midpoint,
    Trapezoidal,
}

pub const KEY_MIDPOINT: Key = Key {
    name: "impulse",
    kind: Kind::Choice(&["midpoint", "trapezoidal"]),
    unit: "",
    meaning: "Impulse of the moments over a step: from the attitude in its middle, or the mean of both ends.",
};

pub const KEY_TRAPEZOIDAL: Key = Key {
    name: "impulse",
    kind: Kind::Choice(&["trapezoidal", "midpoint"]),
    unit: "",
    meaning: "Impulse of the moments over a step: the mean of both ends, or from the attitude in its middle.",
};

/// Positions in the list of samples that [`Impulse::samples`] begins with.
const MIDDLE: usize = 0;
const START: usize = 1;
const END: usize = 2;

impl Impulse {
    pub fn new(options: &Options, default: &'static str) -> Impulse {
        match options.choice("impulse", default) {
            "midpoint" => Impulse::Midpoint,
            _ => Impulse::Trapezoidal,
        }
    }

    /// The loads that [`Impulse::turn`] and [`Impulse::push`] read, over the step that begins `offset` steps from now.
    pub fn samples(offset: f64) -> impl Iterator<Item = Sample> {
        [STEP, AFTER_START, BEFORE_END].into_iter().map(move |sample| sample.later(offset))
    }

    /// `momentum + h m`, the moments in space axes; `samples`: position of the first of [`Impulse::samples`].
    pub fn turn<R: Real>(
        self,
        system: &System<R>,
        samples: usize,
        at: &Attitudes<R>,
        momentum: Vec3<R>,
    ) -> Vec3<R> {
        let h = system.h;
        match self {
            Impulse::Midpoint => {
                scale_add(h, system.only(samples + MIDDLE).space_moment(at.middle), momentum)
            }
            Impulse::Trapezoidal => {
                let half = h * h.lift(0.5);
                let first = scale_add(half, system.only(samples + START).space_moment(at.start), momentum);
                scale_add(half, system.only(samples + END).space_moment(at.end), first)
            }
        }
    }

    /// `velocity + h a` of the mass centre.
    pub fn push<R: Real>(
        self,
        system: &System<R>,
        samples: usize,
        at: &Attitudes<R>,
        velocity: Vec3<R>,
    ) -> Vec3<R> {
        let h = system.h;
        match self {
            Impulse::Midpoint => system.only(samples + MIDDLE).push(h, at.middle, velocity),
            Impulse::Trapezoidal => {
                let half = h * h.lift(0.5);
                let first = system.only(samples + START).push(half, at.start, velocity);
                system.only(samples + END).push(half, at.end, first)
            }
        }
    }
}

/// Where a rule of quadrature looks: the attitudes at the start, in the middle and at the end of a step.
pub struct Attitudes<R> {
    pub start: Quat<R>,
    pub middle: Quat<R>,
    pub end: Quat<R>,
}
