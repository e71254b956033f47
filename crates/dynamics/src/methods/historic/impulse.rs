//! Rules by which the momentum methods of H92 take the impulse of the moments over a step,
//! and of the forces alike.

use crate::base::Options;
use crate::kinematics::body::{Motion, Wrench};
use crate::math::quaternion::{Quat, to_body, to_space};
use crate::math::vector::{Vec3, scale_add};
use crate::methods::{AFTER_START, BEFORE_END, Key, Kind, LoadValue, STEP, Sample, loads, vectors};
use crate::model::system::{Advanced, System};
use crate::real::Real;

/// The rule of quadrature, and how loads that are constant by pieces enter it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impulse {
    rule: Rule,
    loads: LoadValue,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Rule {
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
pub const MIDDLE: usize = 0;
pub const START: usize = 1;
pub const END: usize = 2;

impl Impulse {
    pub fn new(options: &Options, default: &'static str) -> Impulse {
        let rule = match options.choice("impulse", default) {
            "midpoint" => Rule::Midpoint,
            _ => Rule::Trapezoidal,
        };
        Impulse { rule, loads: loads::chosen(options) }
    }

    /// The loads that [`Impulse::changed`] reads, over the step that begins `offset` steps from
    /// now.
    pub fn samples(self, offset: f64) -> impl Iterator<Item = Sample> {
        let samples = [STEP, AFTER_START, BEFORE_END].into_iter();
        samples.map(move |sample| sample.later(offset).with_loads(self.loads))
    }

    /// The momenta after a step from the motions of `own`. Loads and what elements do to bodies at
    /// rest enter by this rule; reactions of joints, and what resists the motion, from its middle,
    /// where the multipliers hold. `samples`: position of the first of [`Impulse::samples`].
    pub fn changed<R: Real>(
        self,
        system: &System<R>,
        samples: usize,
        own: Advanced<'_, R>,
        course: &MotionsOverStep<R>,
        momenta: &[Vec3<R>],
        multipliers: &[R],
    ) -> Vec<Momentum<R>> {
        let h = system.h;
        let start = own.motions.iter().zip(momenta);
        let start = start.map(|(motion, momentum)| Momentum { angular: *momentum, v: motion.v }).collect();
        let loaded = match self.rule {
            Rule::Midpoint => loaded(system, h, samples + MIDDLE, &course.middle, own, start),
            Rule::Trapezoidal => {
                let half = h * h.lift(0.5);
                let still: Vec<Motion<R>> = own.motions.iter().map(Motion::still).collect();
                let at_rest = own.at_rest(&still);
                let first = loaded(system, half, samples + START, own.motions, at_rest, start);
                let both = loaded(system, half, samples + END, &course.end, at_rest, first);
                match system.resisting(samples + MIDDLE, &course.middle, own) {
                    Some(wrenches) => after(system, h, &course.middle, &wrenches, both),
                    None => both,
                }
            }
        };
        with_reactions(system, h, samples + MIDDLE, &course.middle, own, multipliers, loaded)
    }
}

/// The motions that a rule of quadrature looks at besides those at the start of the step.
pub struct MotionsOverStep<R> {
    pub middle: Vec<Motion<R>>,
    pub end: Vec<Motion<R>>,
}

/// The quantities of a body that an impulse changes.
#[derive(Clone, Copy, Debug)]
pub struct Momentum<R> {
    /// About the mass centre or the fixed point, space axes (kg m²/s).
    pub angular: Vec3<R>,
    /// Velocity of the mass centre, space axes (m/s).
    pub v: Vec3<R>,
}

/// With s (s) times what loads and elements do at `at`, without what resists implicitly.
fn loaded<R: Real>(
    system: &System<R>,
    s: R,
    sample: usize,
    at: &[Motion<R>],
    advanced: Advanced<'_, R>,
    momenta: Vec<Momentum<R>>,
) -> Vec<Momentum<R>> {
    let pushed = momenta.into_iter().enumerate().map(|(b, momentum)| {
        let (body, q) = (system.body(sample, b), at[b].q);
        let angular = scale_add(s, body.space_moment(q), momentum.angular);
        Momentum { angular, v: body.push(s, q, momentum.v) }
    });
    let pushed = pushed.collect();
    match system.wrenches(sample, at, advanced) {
        Some(wrenches) => after(system, s, at, &wrenches, pushed),
        None => pushed,
    }
}

/// Momenta plus s (s) times the reactions of these multipliers and implicit dampers at `at`.
fn with_reactions<R: Real>(
    system: &System<R>,
    s: R,
    sample: usize,
    at: &[Motion<R>],
    own: Advanced<'_, R>,
    multipliers: &[R],
    momenta: Vec<Momentum<R>>,
) -> Vec<Momentum<R>> {
    match system.reactions(sample, at, own, multipliers) {
        Some(wrenches) => after(system, s, at, &wrenches, momenta),
        None => momenta,
    }
}

/// Momenta plus s (s) times these wrenches on the bodies, which are at `at`.
fn after<R: Real>(
    system: &System<R>,
    s: R,
    at: &[Motion<R>],
    wrenches: &[Wrench<R>],
    momenta: Vec<Momentum<R>>,
) -> Vec<Momentum<R>> {
    let bodies = momenta.into_iter().zip(at).zip(wrenches).enumerate();
    bodies
        .map(|(b, ((momentum, at), wrench))| Momentum {
            angular: scale_add(s, to_space(at.q, wrench.torque), momentum.angular),
            v: scale_add(s / system.body(0, b).mass, wrench.force, momentum.v),
        })
        .collect()
}

/// The momenta s (s) after the motions of `own`, by all that acts at `at`.
pub fn changed_at<R: Real>(
    system: &System<R>,
    s: R,
    sample: usize,
    at: &[Motion<R>],
    own: Advanced<'_, R>,
    momenta: &[Vec3<R>],
    multipliers: &[R],
) -> Vec<Momentum<R>> {
    let start = own.motions.iter().zip(momenta);
    let start = start.map(|(motion, momentum)| Momentum { angular: *momentum, v: motion.v }).collect();
    with_reactions(system, s, sample, at, own, multipliers, loaded(system, s, sample, at, own, start))
}

/// `Lam J w` of all bodies, space axes (kg m²/s).
pub fn angular_momenta<R: Real>(system: &System<R>, motions: &[Motion<R>]) -> Vec<Vec3<R>> {
    let momentum =
        |(b, motion): (usize, &Motion<R>)| to_space(motion.q, system.body(0, b).momentum(motion.w));
    motions.iter().enumerate().map(momentum).collect()
}

/// Those that go on after the motions were resynchronised: the carried ones, unless the motions
/// were projected on to joints.
pub fn resynchronised_momenta<R: Real>(
    system: &System<R>,
    motions: &[Motion<R>],
    carried: &[R],
) -> Vec<Vec3<R>> {
    if system.is_held() { angular_momenta(system, motions) } else { vectors(carried, 0, motions.len()) }
}

/// `J^-1 Lam^T pi` of body b.
pub fn velocity<R: Real>(system: &System<R>, b: usize, q: Quat<R>, momentum: Vec3<R>) -> Vec3<R> {
    system.body(0, b).velocity(to_body(q, momentum))
}
