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
//! Rates are wanted multiplied by a step: `h wdot` is one multiply-add per axis when `h (J2-J3)/J1` is kept instead of
//! `(J2-J3)/J1`. So everything that does not change during a stretch of steps is scaled once, beforehand.

use crate::math::quaternion::{Quat, times_vector, to_body, to_space, to_space_add, unit};
use crate::math::vector::{Vec3, add, cross, cross_add, dot, mul_add, scale, scale_add};
use crate::real::Real;

/// Position and motion of the body at one instant.
#[derive(Clone, Copy)]
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

/// Euler's equations scaled by a step `s`: the gyroscopic part of `s wdot`.
#[derive(Clone, Copy)]
pub struct Gyroscopic<R> {
    /// `s (J2-J3)/J1` and cyclic.
    factors: Vec3<R>,
}

impl<R: Real> Gyroscopic<R> {
    #[inline(always)]
    pub fn new(inertia: Vec3<R>, s: R) -> Self {
        let [a, b, c] = inertia;
        Self { factors: [s * ((b - c) / a), s * ((c - a) / b), s * ((a - b) / c)] }
    }

    /// `base + s J^-1 (-w x J w)`
    #[inline(always)]
    pub fn kick(&self, w: Vec3<R>, base: Vec3<R>) -> Vec3<R> {
        mul_add(self.factors, [w[1] * w[2], w[2] * w[0], w[0] * w[1]], base)
    }
}

/// What acts on the body during a stretch, scaled by a step `s`.
#[derive(Clone)]
pub struct Loads<R> {
    /// `s J^-1`, for moments that depend on the attitude.
    inverse_inertia: Vec3<R>,
    /// `s J^-1 tau` of the moments fixed in the body.
    spin_up: Vec3<R>,
    /// Moment fixed in space (N m); `None`: there is none, and no turning into body axes is paid for.
    space_moment: Option<Vec3<R>>,
    /// Forces fixed in space (N) with their arms in principal axes (m).
    couples: Vec<(Vec3<R>, Vec3<R>)>,
    /// `s (g + F/m)` of gravity and the forces fixed in space.
    space_acceleration: Vec3<R>,
    /// `s F/m` of the forces fixed in the body, principal axes; `None`: there are none.
    body_acceleration: Option<Vec3<R>>,
}

/// `so_far + next`, where there is anything so far. (No `Option::map`: its closure would not be inlined for sure.)
#[inline(always)]
fn sum<R: Real>(so_far: Option<Vec3<R>>, next: Vec3<R>) -> Vec3<R> {
    match so_far {
        Some(so_far) => add(so_far, next),
        None => next,
    }
}

/// Collects loads, unscaled, then scales them by steps.
#[derive(Clone)]
pub struct LoadSum<R> {
    inertia: Vec3<R>,
    body_moment: Vec3<R>,
    space_moment: Option<Vec3<R>>,
    couples: Vec<(Vec3<R>, Vec3<R>)>,
    space_acceleration: Vec3<R>,
    body_acceleration: Option<Vec3<R>>,
}

impl<R: Real> LoadSum<R> {
    #[inline(always)]
    pub fn new(inertia: Vec3<R>) -> Self {
        let none = [inertia[0].lift(0.0); 3];
        Self {
            inertia,
            body_moment: none,
            space_moment: None,
            couples: Vec::new(),
            space_acceleration: none,
            body_acceleration: None,
        }
    }

    #[inline(always)]
    pub fn body_moment(&mut self, moment: Vec3<R>) {
        self.body_moment = add(self.body_moment, moment);
    }

    #[inline(always)]
    pub fn space_moment(&mut self, moment: Vec3<R>) {
        self.space_moment = Some(sum(self.space_moment, moment));
    }

    /// A force fixed in the body, acting at `arm`: its moment.
    #[inline(always)]
    pub fn body_couple(&mut self, arm: Vec3<R>, force: Vec3<R>) {
        self.body_moment = cross_add(arm, force, self.body_moment);
    }

    /// A force fixed in space, acting at `arm`: its moment.
    #[inline(always)]
    pub fn couple(&mut self, arm: Vec3<R>, force: Vec3<R>) {
        self.couples.push((arm, force));
    }

    #[inline(always)]
    pub fn space_acceleration(&mut self, acceleration: Vec3<R>) {
        self.space_acceleration = add(self.space_acceleration, acceleration);
    }

    #[inline(always)]
    pub fn body_acceleration(&mut self, acceleration: Vec3<R>) {
        self.body_acceleration = Some(sum(self.body_acceleration, acceleration));
    }

    /// All of it, scaled by the step `s`.
    #[inline(always)]
    pub fn scaled(&self, s: R) -> Loads<R> {
        let inverse_inertia = [s / self.inertia[0], s / self.inertia[1], s / self.inertia[2]];
        let m = self.body_moment;
        Loads {
            inverse_inertia,
            spin_up: [inverse_inertia[0] * m[0], inverse_inertia[1] * m[1], inverse_inertia[2] * m[2]],
            space_moment: self.space_moment,
            couples: self.couples.clone(),
            space_acceleration: scale(s, self.space_acceleration),
            // Not `map`: its closure would not be inlined for sure.
            #[allow(clippy::manual_map)]
            body_acceleration: match self.body_acceleration {
                Some(a) => Some(scale(s, a)),
                None => None,
            },
        }
    }
}

impl<R: Real> Loads<R> {
    /// `base + s J^-1 tau(q)`
    #[inline(always)]
    pub fn kick(&self, q: Quat<R>, base: Vec3<R>) -> Vec3<R> {
        let mut w = add(self.spin_up, base);
        // Not `map`: its closure would not be inlined for sure.
        #[allow(clippy::manual_map)]
        let mut moment = match self.space_moment {
            Some(moment) => Some(to_body(q, moment)),
            None => None,
        };
        for &(arm, force) in &self.couples {
            let force = to_body(q, force);
            moment = Some(match moment {
                Some(moment) => cross_add(arm, force, moment),
                None => cross(arm, force),
            });
        }
        if let Some(moment) = moment {
            w = mul_add(self.inverse_inertia, moment, w);
        }
        w
    }

    /// `base + s vdot(q)`
    #[inline(always)]
    pub fn push(&self, q: Quat<R>, base: Vec3<R>) -> Vec3<R> {
        let pushed = add(base, self.space_acceleration);
        match self.body_acceleration {
            Some(turning) => to_space_add(q, turning, pushed),
            None => pushed,
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
    #[inline(always)]
    pub fn kinetic(&self, motion: &Motion<R>) -> R {
        let Motion { w, v, .. } = *motion;
        let [a, b, c] = self.inertia;
        let twice = self.mass.mul_add(dot(v, v), dot([a * w[0], b * w[1], c * w[2]], w));
        self.mass.lift(0.5) * twice
    }

    /// Energy less `start` (J).
    #[inline(always)]
    pub fn change(&self, motion: &Motion<R>, start: R) -> R {
        self.kinetic(motion) - start + self.potential(motion)
    }

    /// Potential energy `-m g . r_C` (J), from the fixed point or the space origin.
    #[inline(always)]
    pub fn potential(&self, motion: &Motion<R>) -> R {
        let centre = add(motion.r, to_space(motion.q, self.arm));
        -dot(self.weight, centre)
    }
}

/// One classical Runge-Kutta step of all of `motion` by the step with which `gyroscopic` and `loads` are scaled
/// (`s`); the quaternion is normalised. Loads are those of the whole step: its mean.
#[inline(always)]
pub fn runge_kutta<R: Real>(
    motion: &Motion<R>,
    gyroscopic: &Gyroscopic<R>,
    loads: Option<&Loads<R>>,
    s: R,
) -> Motion<R> {
    let (half, sixth, one, two) = (s.lift(0.5), s.lift(1.0 / 6.0), s.lift(1.0), s.lift(2.0));
    let none = s.lift(0.0);
    let zero = Motion { q: [none; 4], w: [none; 3], r: [none; 3], v: [none; 3] };
    let k1 = add_rate(motion, gyroscopic, loads, s, &zero);
    let k2 = add_rate(&advance(half, &k1, motion), gyroscopic, loads, s, &zero);
    let k3 = add_rate(&advance(half, &k2, motion), gyroscopic, loads, s, &zero);
    // (k1 + 2 k2 + 2 k3 + k4) / 6, summed first: a sixth of each would chain two constants, which GPU drivers fold
    // into one, and the bits would no longer be those of the CPU. k4 is added product by product, for the reason
    // given at `cross_add`.
    let sum = advance(two, &k2, &k1);
    let sum = advance(two, &k3, &sum);
    let sum = add_rate(&advance(one, &k3, motion), gyroscopic, loads, s, &sum);
    let mut end = advance(sixth, &sum, motion);
    end.q = unit(end.q);
    end
}

// Functions, not closures: only what is inlined for sure is compiled for the processor features of SIMD code.

/// `base` and the rate of all of `m`, multiplied by the step `s` that scales `gyroscopic` and `loads`.
#[inline(always)]
fn add_rate<R: Real>(
    m: &Motion<R>,
    gyroscopic: &Gyroscopic<R>,
    loads: Option<&Loads<R>>,
    s: R,
    base: &Motion<R>,
) -> Motion<R> {
    let half_s = s * s.lift(0.5);
    let u = times_vector(m.q, m.w);
    let mut w = gyroscopic.kick(m.w, base.w);
    let mut v = base.v;
    if let Some(loads) = loads {
        w = loads.kick(m.q, w);
        v = loads.push(m.q, base.v);
    }
    Motion {
        q: [
            half_s.mul_add(u[0], base.q[0]),
            half_s.mul_add(u[1], base.q[1]),
            half_s.mul_add(u[2], base.q[2]),
            half_s.mul_add(u[3], base.q[3]),
        ],
        w,
        r: scale_add(s, m.v, base.r),
        v,
    }
}

/// `base + c k`
#[inline(always)]
fn advance<R: Real>(c: R, k: &Motion<R>, base: &Motion<R>) -> Motion<R> {
    Motion {
        q: [
            c.mul_add(k.q[0], base.q[0]),
            c.mul_add(k.q[1], base.q[1]),
            c.mul_add(k.q[2], base.q[2]),
            c.mul_add(k.q[3], base.q[3]),
        ],
        w: scale_add(c, k.w, base.w),
        r: scale_add(c, k.r, base.r),
        v: scale_add(c, k.v, base.v),
    }
}
