//! Shared parts of the two Newmark methods of K14: coefficients, loads, the right side of the
//! momentum balance, translation.
//!
//! Rotation is counted from the step's start, where the unknown's value and rates are known from
//! `w` and `acc(q, w)`. The balance of angular momentum over the step, in body axes at its end, is
//! solved by Newton's iteration:
//!
//! ```text
//! J w1 - h alpha tau1 = R^T (J w + h (1 - alpha) tau0)
//! ```

use super::impulse::{END, MIDDLE, START};
use crate::base::Options;
use crate::kinematics::body::{LoadedBody, Motion, Wrench};
use crate::math::quaternion::{Quat, product, to_body, to_space, unit};
use crate::math::vector::{Vec3, add, scale, scale_add, sub};
use crate::methods::{
    AFTER_START, BEFORE_END, Key, Kind, STEP, Sample, State, first_multipliers, multipliers_so_far,
};
use crate::model::system::{Advanced, System};
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
        vec![STEP, AFTER_START, BEFORE_END]
    }

    pub fn coefficients<R: Real>(&self, h: R) -> Coefficients<R> {
        Coefficients {
            c1: h.lift(self.gamma / self.beta) / h,
            c2: h.lift(1.0 - self.gamma / self.beta),
            c3: h * h.lift(1.0 - self.gamma / (2.0 * self.beta)),
        }
    }

    /// Returns the multipliers that are carried at a start.
    pub fn begin<R: Real>(system: &System<R>, motions: &[Motion<R>]) -> Vec<R> {
        first_multipliers(system, START, motions)
    }

    /// One step of all bodies, their rotations in the unknowns of a method.
    pub fn step<R: Real, T: Rotation<R>>(&self, system: &System<R>, state: &State<R>) -> State<R> {
        let h = system.h;
        let State { motions: start, carried } = state;
        let own = Advanced::over(h, start, 0.0);
        let still: Vec<Motion<R>> = start.iter().map(Motion::still).collect();
        let at_rest = own.at_rest(&still);
        let so_far = multipliers_so_far(system, START, start, own, carried);
        let accelerations = system.kick(h.lift(1.0), START, start, own, &still, &so_far);
        let first = system.wrenches(START, start, at_rest);
        let c = self.coefficients(h);
        let known: Vec<Vec3<R>> =
            (0..start.len()).map(|b| self.known(system, b, &start[b], wrench(&first, b))).collect();
        let mut rotations: Vec<T> = start
            .iter()
            .zip(&accelerations)
            .map(|(start, acceleration)| T::begin(h, &c, start.w, acceleration.w))
            .collect();
        let mut ends: Vec<Motion<R>> = start
            .iter()
            .zip(&rotations)
            .map(|(start, rotation)| {
                Motion::rigid(start.q, rotation.velocity(), scale_add(h, start.v, start.r), start.v)
            })
            .collect();
        let mut middle = Middle { multipliers: carried.clone(), wrenches: None };
        let mut last = None;
        for _ in 0..self.iterations {
            for (b, end) in ends.iter_mut().enumerate() {
                end.q = unit(product(start[b].q, rotations[b].rotation()));
                end.w = rotations[b].velocity();
            }
            if !system.is_free() {
                middle = Middle::between(system, own, &rotations, &ends, carried);
                last = system.wrenches(END, &ends, at_rest);
            }
            for (b, rotation) in rotations.iter_mut().enumerate() {
                let known = middle.upon(h, b, rotation, known[b]);
                let turned = to_body(rotation.rotation(), known);
                let body = system.body(0, b);
                let momentum = body.momentum(rotation.velocity());
                let impulse = self.end_impulse(system, b, ends[b].q, wrench(&last, b), turned);
                *rotation = rotation.corrected(&body, turned, sub(impulse, momentum));
            }
            if !system.is_free() {
                for (b, end) in ends.iter_mut().enumerate() {
                    end.q = unit(product(start[b].q, rotations[b].rotation()));
                    let acting = [wrench(&first, b), wrench(&last, b), wrench(&middle.wrenches, b)];
                    (end.r, end.v) = self.translate(system, b, &start[b], end.q, acting);
                }
            }
        }
        let motions = start.iter().zip(&rotations).enumerate().map(|(b, (start, rotation))| {
            let q1 = unit(product(start.q, rotation.rotation()));
            let acting = [wrench(&first, b), wrench(&last, b), wrench(&middle.wrenches, b)];
            let (r1, v1) = self.translate(system, b, start, q1, acting);
            Motion::rigid(q1, rotation.velocity(), r1, v1)
        });
        let carried = if carried.is_empty() { Vec::new() } else { middle.multipliers };
        State { motions: motions.collect(), carried }
    }

    /// `J w + h (1 - alpha) tau0`, body axes at the start.
    fn known<R: Real>(
        &self,
        system: &System<R>,
        b: usize,
        start: &Motion<R>,
        wrench: Option<&Wrench<R>>,
    ) -> Vec3<R> {
        let weight = system.h * system.h.lift(1.0 - self.alpha);
        let body = system.body(START, b);
        turned_by(weight, wrench, scale_add(weight, body.body_moment(start.q), body.momentum(start.w)))
    }

    /// `h alpha tau1 + base`, `q1` the attitude at the end.
    fn end_impulse<R: Real>(
        &self,
        system: &System<R>,
        b: usize,
        q1: Quat<R>,
        wrench: Option<&Wrench<R>>,
        base: Vec3<R>,
    ) -> Vec3<R> {
        let weight = system.h * system.h.lift(self.alpha);
        turned_by(weight, wrench, scale_add(weight, system.body(END, b).body_moment(q1), base))
    }

    /// `v1 = v + h ((1 - gamma) a0 + gamma a1 + am)`,
    /// `r1 = r + h v + h^2 ((1/2 - beta) a0 + beta a1 + am/2)`; `acting`: what elements do at the
    /// start and at the end, and what makes am.
    fn translate<R: Real>(
        &self,
        system: &System<R>,
        b: usize,
        from: &Motion<R>,
        q1: Quat<R>,
        acting: [Option<&Wrench<R>>; 3],
    ) -> (Vec3<R>, Vec3<R>) {
        let h = system.h;
        let pushed = |first: f64, last: f64, middle: f64| {
            let part = system.body(START, b).push(h * h.lift(first), from.q, from.v);
            let part = system.body(END, b).push(h * h.lift(last), q1, part);
            let mass = system.body(END, b).mass;
            let shares = [first, last, middle].into_iter().zip(acting);
            shares.fold(part, |v, (share, wrench)| match wrench {
                Some(wrench) => scale_add(h * h.lift(share) / mass, wrench.force, v),
                None => v,
            })
        };
        let r1 = scale_add(h, pushed(0.5 - self.beta, self.beta, 0.5), from.r);
        (r1, pushed(1.0 - self.gamma, self.gamma, 1.0))
    }
}

/// The rotation of a body over a step, in the unknowns of a method.
pub trait Rotation<R: Real>: Sized {
    /// The first guess, from angular velocity and acceleration at the start.
    fn begin(h: R, c: &Coefficients<R>, w: Vec3<R>, wd: Vec3<R>) -> Self;

    /// From the axes at the end to those at the start.
    fn rotation(&self) -> Quat<R>;

    /// Half of it.
    fn half(&self) -> Quat<R>;

    /// The angular velocity at the end.
    fn velocity(&self) -> Vec3<R>;

    /// After one iteration of Newton's: `turned` is the momentum known, in the axes at the end,
    /// `missing` what the balance lacks.
    fn corrected(&self, body: &LoadedBody<'_, R>, turned: Vec3<R>, missing: Vec3<R>) -> Self;
}

/// The wrenches that act in the middle of the step besides loads and what elements do to bodies at
/// rest, and the multipliers.
struct Middle<R> {
    multipliers: Vec<R>,
    wrenches: Option<Vec<Wrench<R>>>,
}

impl<R: Real> Middle<R> {
    /// Between the motions of `own` and these ends.
    fn between<T: Rotation<R>>(
        system: &System<R>,
        own: Advanced<'_, R>,
        rotations: &[T],
        ends: &[Motion<R>],
        carried: &[R],
    ) -> Middle<R> {
        let half = system.h.lift(0.5);
        let mean = |a: Vec3<R>, b: Vec3<R>| scale(half, add(a, b));
        let bodies = own.motions.iter().zip(ends).zip(rotations);
        let at: Vec<Motion<R>> = bodies
            .map(|((start, end), rotation)| {
                let q = unit(product(start.q, rotation.half()));
                Motion::rigid(q, mean(start.w, end.w), mean(start.r, end.r), mean(start.v, end.v))
            })
            .collect();
        let multipliers = system.multipliers(MIDDLE, &at, own, system.h * half, carried);
        let reactions = system.reactions(MIDDLE, &at, own, &multipliers);
        let resisting = system.resisting(MIDDLE, &at, own);
        let wrenches = match (reactions, resisting) {
            (Some(reactions), Some(resisting)) => {
                Some(reactions.iter().zip(&resisting).map(|(a, b)| a.plus(b)).collect())
            }
            (reactions, resisting) => reactions.or(resisting),
        };
        Middle { multipliers, wrenches }
    }

    /// Its impulse on body b, added to the known ones, axes at the start.
    fn upon<T: Rotation<R>>(&self, h: R, b: usize, rotation: &T, known: Vec3<R>) -> Vec3<R> {
        match wrench(&self.wrenches, b) {
            Some(wrench) => scale_add(h, to_space(rotation.half(), wrench.torque), known),
            None => known,
        }
    }
}

fn wrench<R>(wrenches: &Option<Vec<Wrench<R>>>, b: usize) -> Option<&Wrench<R>> {
    wrenches.as_ref().map(|wrenches| &wrenches[b])
}

fn turned_by<R: Real>(s: R, wrench: Option<&Wrench<R>>, base: Vec3<R>) -> Vec3<R> {
    wrench.map_or(base, |wrench| scale_add(s, wrench.torque, base))
}
