//! The dynamics of one rigid body in its principal axes, written once for every scalar.
//!
//! With `w` the angular velocity in principal axes, `q` the attitude (principal axes to space), `r`, `v` position and
//! velocity of the mass centre:
//!
//! ```text
//! J wdot = tau - w x J w,   qdot = 1/2 q o (0, w),   vdot = g + F/m,   rdot = v
//! ```
//!
//! A body with a fixed point obeys the first two with `J` about that point; its weight then acts through the arm from
//! the point to the mass centre, and `r`, `v` rest.
//!
//! Methods see a [`System`]: rates multiplied by a step, and moments, under the loads of one of the method's samples.
//! What does not change during a step is written where it is used: backends compute it once.

use std::cell::Cell;

use crate::math::quaternion::{Quat, times_vector, to_body, to_space, to_space_add, unit};
use crate::math::vector::{Vec3, add, cross, cross_add, dot, mul_add, scale, scale_add, times};
use crate::real::Real;

/// Position and motion of the body at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion<R> {
    /// Attitude, principal axes to space.
    pub q: Quat<R>,
    /// Angular velocity, principal axes (rad/s).
    pub w: Vec3<R>,
    /// Position of the mass centre, space axes (m).
    pub r: Vec3<R>,
    /// Velocity of the mass centre, space axes (m/s).
    pub v: Vec3<R>,
}

/// All that acts on the body: means over one interval, or what acts all the time.
#[derive(Clone, Debug)]
pub struct Loads<R> {
    /// Moment fixed in the body, principal axes (N m).
    body_moment: Vec3<R>,
    /// Moment fixed in space (N m); `None`: there is none, and no turning into body axes is paid for.
    space_moment: Option<Vec3<R>>,
    /// Forces fixed in space (N) with their arms in principal axes (m).
    couples: Vec<(Vec3<R>, Vec3<R>)>,
    /// `g + F/m` of gravity and the forces fixed in space (m/s²).
    space_acceleration: Vec3<R>,
    /// `F/m` of the forces fixed in the body, principal axes (m/s²); `None`: there are none.
    body_acceleration: Option<Vec3<R>>,
}

impl<R: Real> Loads<R> {
    /// No loads; `zero` says only where.
    pub fn none(zero: R) -> Self {
        let none = [zero.lift(0.0); 3];
        Self {
            body_moment: none,
            space_moment: None,
            couples: Vec::new(),
            space_acceleration: none,
            body_acceleration: None,
        }
    }

    pub fn body_moment(&mut self, moment: Vec3<R>) {
        self.body_moment = add(self.body_moment, moment);
    }

    pub fn space_moment(&mut self, moment: Vec3<R>) {
        self.space_moment = Some(self.space_moment.map_or(moment, |so_far| add(so_far, moment)));
    }

    /// A force fixed in the body, acting at `arm`: its moment.
    pub fn body_couple(&mut self, arm: Vec3<R>, force: Vec3<R>) {
        self.body_moment = cross_add(arm, force, self.body_moment);
    }

    /// A force fixed in space, acting at `arm`: its moment.
    pub fn couple(&mut self, arm: Vec3<R>, force: Vec3<R>) {
        self.couples.push((arm, force));
    }

    pub fn space_acceleration(&mut self, acceleration: Vec3<R>) {
        self.space_acceleration = add(self.space_acceleration, acceleration);
    }

    pub fn body_acceleration(&mut self, acceleration: Vec3<R>) {
        self.body_acceleration = Some(match self.body_acceleration {
            Some(so_far) => add(so_far, acceleration),
            None => acceleration,
        });
    }

    /// The part of the moment that depends on the attitude, principal axes (N m).
    fn turning_moment(&self, q: Quat<R>) -> Option<Vec3<R>> {
        let mut moment = self.space_moment.map(|moment| to_body(q, moment));
        for &(arm, force) in &self.couples {
            let force = to_body(q, force);
            moment = Some(match moment {
                Some(moment) => cross_add(arm, force, moment),
                None => cross(arm, force),
            });
        }
        moment
    }
}

/// One instance as a method sees it. Every `sample` is a position in the method's list of samples.
pub struct System<R> {
    /// The full step (s).
    pub h: R,
    inertia: Vec3<R>,
    loads: Vec<Loads<R>>,
    evaluations: Cell<usize>,
}

impl<R: Real> System<R> {
    /// `loads`: one for each sample of the method.
    pub fn new(h: R, inertia: Vec3<R>, loads: Vec<Loads<R>>) -> Self {
        Self { h, inertia, loads, evaluations: Cell::new(0) }
    }

    /// How often moments were asked for so far: what a step costs besides its own arithmetic.
    pub fn evaluations(&self) -> usize {
        self.evaluations.get()
    }

    fn loads(&self, sample: usize) -> &Loads<R> {
        self.evaluations.set(self.evaluations.get() + 1);
        &self.loads[sample]
    }

    /// `base + s J^-1 (tau(q) - w x J w)`. The gyroscopic part takes one multiply-add an axis, because `s (J2-J3)/J1`
    /// does not change.
    pub fn kick(&self, s: R, sample: usize, q: Quat<R>, w: Vec3<R>, base: Vec3<R>) -> Vec3<R> {
        let loads = self.loads(sample);
        let [a, b, c] = self.inertia;
        let factors = [s * ((b - c) / a), s * ((c - a) / b), s * ((a - b) / c)];
        let mobility = [s / a, s / b, s / c];
        let turned = mul_add(factors, [w[1] * w[2], w[2] * w[0], w[0] * w[1]], base);
        let turned = add(times(mobility, loads.body_moment), turned);
        match loads.turning_moment(q) {
            Some(moment) => mul_add(mobility, moment, turned),
            None => turned,
        }
    }

    /// `base + s (g + F(q)/m)`
    pub fn push(&self, s: R, sample: usize, q: Quat<R>, base: Vec3<R>) -> Vec3<R> {
        let loads = &self.loads[sample];
        let pushed = add(base, scale(s, loads.space_acceleration));
        match loads.body_acceleration {
            Some(turning) => to_space_add(q, scale(s, turning), pushed),
            None => pushed,
        }
    }

    /// The moment in principal axes (N m).
    pub fn body_moment(&self, sample: usize, q: Quat<R>) -> Vec3<R> {
        let loads = self.loads(sample);
        match loads.turning_moment(q) {
            Some(moment) => add(loads.body_moment, moment),
            None => loads.body_moment,
        }
    }

    /// The moment in space axes (N m).
    pub fn space_moment(&self, sample: usize, q: Quat<R>) -> Vec3<R> {
        let loads = self.loads(sample);
        let mut moment = to_space(q, loads.body_moment);
        if let Some(more) = loads.space_moment {
            moment = add(moment, more);
        }
        for &(arm, force) in &loads.couples {
            moment = cross_add(to_space(q, arm), force, moment);
        }
        moment
    }

    /// `J w`, principal axes (kg m²/s).
    pub fn momentum(&self, w: Vec3<R>) -> Vec3<R> {
        times(self.inertia, w)
    }

    /// `J^-1 l`, principal axes (rad/s).
    pub fn velocity(&self, l: Vec3<R>) -> Vec3<R> {
        let [a, b, c] = self.inertia;
        let one = a.lift(1.0);
        times([one / a, one / b, one / c], l)
    }

    /// One classical Runge-Kutta step of all of `motion` by `s`, under the loads of `sample` throughout; the
    /// quaternion is normalised at the end.
    pub fn runge_kutta(&self, s: R, sample: usize, motion: &Motion<R>) -> Motion<R> {
        let (half, sixth, one, two) = (s.lift(0.5), s.lift(1.0 / 6.0), s.lift(1.0), s.lift(2.0));
        let none = s.lift(0.0);
        let zero = Motion { q: [none; 4], w: [none; 3], r: [none; 3], v: [none; 3] };
        let k1 = self.rate_add(s, sample, motion, &zero);
        let k2 = self.rate_add(s, sample, &motion.plus(half, &k1), &zero);
        let k3 = self.rate_add(s, sample, &motion.plus(half, &k2), &zero);
        // (k1 + 2 k2 + 2 k3 + k4) / 6, summed first: a sixth of each would chain two constants, which GPU drivers
        // fold into one, and the bits would no longer be those of the CPU. k4 is added product by product, for the
        // reason given at `cross_add`.
        let sum = k1.plus(two, &k2).plus(two, &k3);
        let sum = self.rate_add(s, sample, &motion.plus(one, &k3), &sum);
        let mut end = motion.plus(sixth, &sum);
        end.q = unit(end.q);
        end
    }

    /// `base` and the rate of all of `m`, multiplied by `s`.
    pub fn rate_add(&self, s: R, sample: usize, m: &Motion<R>, base: &Motion<R>) -> Motion<R> {
        let half_s = s * s.lift(0.5);
        let u = times_vector(m.q, m.w);
        // Between two steps the quaternion is not a unit one; loads turn with its direction.
        let turned = unit(m.q);
        Motion {
            q: std::array::from_fn(|i| half_s.mul_add(u[i], base.q[i])),
            w: self.kick(s, sample, turned, m.w, base.w),
            r: scale_add(s, m.v, base.r),
            v: self.push(s, sample, turned, base.v),
        }
    }
}

impl<R: Real> Motion<R> {
    /// `self + c k`
    pub fn plus(&self, c: R, k: &Motion<R>) -> Motion<R> {
        Motion {
            q: std::array::from_fn(|i| c.mul_add(k.q[i], self.q[i])),
            w: scale_add(c, k.w, self.w),
            r: scale_add(c, k.r, self.r),
            v: scale_add(c, k.v, self.v),
        }
    }
}

/// What the energy is made of.
#[derive(Clone, Copy)]
pub struct Energy<R> {
    pub inertia: Vec3<R>,
    pub mass: R,
    /// Weight `m g` (N), space axes.
    pub weight: Vec3<R>,
    /// From the fixed point to the mass centre, principal axes (m); zero for a free body, whose `r` is the mass centre.
    pub arm: Vec3<R>,
}

impl<R: Real> Energy<R> {
    /// Kinetic energy `1/2 w.Jw + 1/2 m v.v` (J).
    pub fn kinetic(&self, motion: &Motion<R>) -> R {
        let Motion { w, v, .. } = *motion;
        let twice = self.mass.mul_add(dot(v, v), dot(times(self.inertia, w), w));
        self.mass.lift(0.5) * twice
    }

    /// Energy less `start` (J).
    pub fn change(&self, motion: &Motion<R>, start: R) -> R {
        self.kinetic(motion) - start + self.potential(motion)
    }

    /// Potential energy `-m g . r_C` (J), from the fixed point or the space origin.
    pub fn potential(&self, motion: &Motion<R>) -> R {
        let centre = add(motion.r, to_space(motion.q, self.arm));
        -dot(self.weight, centre)
    }
}
