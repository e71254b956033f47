//! One rigid body in its principal axes: motion, loads, energy. Written once for every scalar.
//!
//! With `w` the angular velocity in principal axes, `q` the attitude (principal axes to space),
//! `r`, `v` position and velocity of the mass centre:
//!
//! ```text
//! J wdot = tau - w x J w,   qdot = 1/2 q o (0, w),   vdot = g + F/m,   rdot = v
//! ```
//!
//! A body with a fixed point obeys the first two with `J` about that point; its weight then acts
//! through the arm from the point to the mass centre, and `r`, `v` rest.

use std::cell::Cell;

use super::deformation::FlexibleVector;
use crate::math::functions::abs;
use crate::math::quaternion::{
    Quat, conjugate_vector, direction, times_vector, to_body, to_space, to_space_add, unit,
};
use crate::math::vector::{Vec3, add, cross, cross_add, dot, mul_add, scale, scale_add, sub, times};
use crate::real::Real;

/// Position and motion of a body at one instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion<R> {
    /// Attitude, principal axes to space.
    pub q: Quat<R>,
    /// Angular velocity, principal axes (rad/s).
    pub w: Vec3<R>,
    /// Position of the mass centre, space axes (m).
    pub r: Vec3<R>,
    /// Velocity of the mass centre, space axes (m/s).
    pub v: Vec3<R>,
    /// Modal coordinates of a flexible body.
    pub modal: ModalCoordinates<R>,
}

/// Modal coordinates and their rates; none of a rigid body.
#[derive(Clone, Debug, PartialEq)]
pub struct ModalCoordinates<R> {
    pub amplitudes: Vec<R>,
    pub rates: Vec<R>,
}

impl<R> ModalCoordinates<R> {
    pub fn none() -> ModalCoordinates<R> {
        ModalCoordinates { amplitudes: Vec::new(), rates: Vec::new() }
    }
}

/// Velocities of a body, their changes, or accelerations.
#[derive(Clone, Debug, PartialEq)]
pub struct Velocities<R> {
    /// Principal axes.
    pub w: Vec3<R>,
    /// Part of the mass centre, space axes.
    pub v: Vec3<R>,
    /// Part of the modal coordinates.
    pub modal: Vec<R>,
}

impl<R: Real> Velocities<R> {
    /// All zero, for so many modes.
    pub fn zero(zero: R, modes: usize) -> Self {
        Velocities { w: [zero; 3], v: [zero; 3], modal: vec![zero; modes] }
    }
}

/// `a + b`, one by one.
pub fn sums<R: Real>(a: &[R], b: &[R]) -> Vec<R> {
    a.iter().zip(b).map(|(a, b)| *a + *b).collect()
}

/// `s a + b`, one by one.
pub fn scale_add_all<R: Real>(s: R, a: &[R], b: &[R]) -> Vec<R> {
    a.iter().zip(b).map(|(a, b)| s.mul_add(*a, *b)).collect()
}

impl<R: Real> Motion<R> {
    /// The motion of a rigid body.
    pub fn rigid(q: Quat<R>, w: Vec3<R>, r: Vec3<R>, v: Vec3<R>) -> Self {
        Motion { q, w, r, v, modal: ModalCoordinates::none() }
    }

    /// All zero, of the same body.
    pub fn zeroed(&self) -> Self {
        let none = self.q[0].lift(0.0);
        let modal = vec![none; self.modal.rates.len()];
        Motion {
            q: [none; 4],
            w: [none; 3],
            r: [none; 3],
            v: [none; 3],
            modal: ModalCoordinates { amplitudes: modal.clone(), rates: modal },
        }
    }

    /// At the same place, at rest.
    pub fn still(&self) -> Self {
        let none = self.q[0].lift(0.0);
        let ModalCoordinates { amplitudes, rates } = &self.modal;
        let modal = ModalCoordinates { amplitudes: amplitudes.clone(), rates: vec![none; rates.len()] };
        Motion { w: [none; 3], v: [none; 3], modal, ..*self }
    }

    /// Its velocities alone.
    pub fn velocities(&self) -> Velocities<R> {
        Velocities { w: self.w, v: self.v, modal: self.modal.rates.clone() }
    }

    /// `self + c k`
    pub fn plus(&self, c: R, k: &Motion<R>) -> Motion<R> {
        Motion {
            q: std::array::from_fn(|i| c.mul_add(k.q[i], self.q[i])),
            w: scale_add(c, k.w, self.w),
            r: scale_add(c, k.r, self.r),
            v: scale_add(c, k.v, self.v),
            modal: ModalCoordinates {
                amplitudes: scale_add_all(c, &k.modal.amplitudes, &self.modal.amplitudes),
                rates: scale_add_all(c, &k.modal.rates, &self.modal.rates),
            },
        }
    }

    /// With the quaternion on the way of a step nearly normalised: see [`direction`].
    pub fn directed(&self) -> Motion<R> {
        Motion { q: direction(self.q), ..self.clone() }
    }

    /// With the quaternion normalised.
    pub fn normalised(self) -> Motion<R> {
        Motion { q: unit(self.q), ..self }
    }
}

/// A force on a body's mass centre, or fixed point, and a torque.
#[derive(Clone, Debug, PartialEq)]
pub struct Wrench<R> {
    /// Space axes (N).
    pub force: Vec3<R>,
    /// Principal axes (N m).
    pub torque: Vec3<R>,
    /// With each mode of a flexible body.
    pub modal: Vec<R>,
}

impl<R: Real> Wrench<R> {
    /// Both together.
    pub fn plus(&self, other: &Wrench<R>) -> Wrench<R> {
        Wrench {
            force: add(self.force, other.force),
            torque: add(self.torque, other.torque),
            modal: sums(&self.modal, &other.modal),
        }
    }

    /// Returns this wrench less another.
    pub fn minus(&self, other: &Wrench<R>) -> Wrench<R> {
        Wrench {
            force: sub(self.force, other.force),
            torque: sub(self.torque, other.torque),
            modal: self.modal.iter().zip(&other.modal).map(|(a, b)| *a - *b).collect(),
        }
    }
}

/// A load at a point of a flexible body: what deformation adds to it.
#[derive(Clone, Debug)]
pub struct PointLoad<R> {
    /// phi for a force (N), theta for a torque (N m).
    pub shapes: FlexibleVector<R>,
    pub is_force: bool,
    /// In principal axes, or of space where `in_space` says so.
    pub value: Vec3<R>,
    pub in_space: bool,
}

/// The loads on a body, over one interval or all the time.
#[derive(Clone, Debug)]
pub struct Loads<R> {
    /// Moment fixed in the body, principal axes (N m).
    body_moment: Vec3<R>,
    /// Moment fixed in space (N m); `None`: there is none, and no turning into body axes is paid
    /// for.
    space_moment: Option<Vec3<R>>,
    /// Forces fixed in space (N) with their arms in principal axes (m).
    couples: Vec<(Vec3<R>, Vec3<R>)>,
    /// `g + F/m` of gravity and the forces fixed in space (m/s²).
    space_acceleration: Vec3<R>,
    /// `F/m` of the forces fixed in the body, principal axes (m/s²); `None`: there are none.
    body_acceleration: Option<Vec3<R>>,
    /// Those on a flexible body once more.
    on_points: Vec<PointLoad<R>>,
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
            on_points: Vec::new(),
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

    pub fn at_point(&mut self, load: PointLoad<R>) {
        self.on_points.push(load);
    }

    /// Returns `moment` and `modal` with the moment and the modal forces of the loads added where a
    /// flexible body is deformed.
    pub fn on_deformed(
        &self,
        q: Quat<R>,
        amplitudes: &[R],
        moment: Vec3<R>,
        modal: Vec<R>,
    ) -> (Vec3<R>, Vec<R>) {
        let upon = |(moment, modal): (Vec3<R>, Vec<R>), load: &PointLoad<R>| {
            let value = if load.in_space { to_body(q, load.value) } else { load.value };
            let modal = load.shapes.work_upon(value, &modal);
            if !load.is_force {
                return (moment, modal);
            }
            (cross_add(load.shapes.alone(amplitudes), value, moment), modal)
        };
        self.on_points.iter().fold((moment, modal), upon)
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

/// A body with the loads of one sample: what turns and pushes it.
pub struct LoadedBody<'a, R> {
    /// Principal moments of inertia (kg m²).
    pub inertia: Vec3<R>,
    /// (kg)
    pub mass: R,
    /// Loads that turn and push it.
    pub loads: &'a Loads<R>,
    /// Counts the evaluations of its moment.
    pub evaluations: &'a Cell<usize>,
}

impl<R: Real> LoadedBody<'_, R> {
    /// `base + s J^-1 (tau(q) - w x J w)`. The gyroscopic part takes one multiply-add an axis,
    /// because `s (J2-J3)/J1` does not change.
    pub fn kick(&self, s: R, q: Quat<R>, w: Vec3<R>, base: Vec3<R>) -> Vec3<R> {
        self.count();
        let [a, b, c] = self.inertia;
        let factors = [s * ((b - c) / a), s * ((c - a) / b), s * ((a - b) / c)];
        let turned = mul_add(factors, [w[1] * w[2], w[2] * w[0], w[0] * w[1]], base);
        let turned = add(times(self.mobility(s), self.loads.body_moment), turned);
        match self.loads.turning_moment(q) {
            Some(moment) => mul_add(self.mobility(s), moment, turned),
            None => turned,
        }
    }

    /// `base + s (g + F(q)/m)`
    pub fn push(&self, s: R, q: Quat<R>, base: Vec3<R>) -> Vec3<R> {
        let pushed = add(base, scale(s, self.loads.space_acceleration));
        match self.loads.body_acceleration {
            Some(turning) => to_space_add(q, scale(s, turning), pushed),
            None => pushed,
        }
    }

    /// `w + s J^-1 torque`, `v + s force / m`
    pub fn strike(&self, s: R, wrench: &Wrench<R>, w: Vec3<R>, v: Vec3<R>) -> (Vec3<R>, Vec3<R>) {
        (mul_add(self.mobility(s), wrench.torque, w), scale_add(s / self.mass, wrench.force, v))
    }

    fn count(&self) {
        self.evaluations.set(self.evaluations.get() + 1);
    }

    /// `s J^-1`
    fn mobility(&self, s: R) -> Vec3<R> {
        self.inertia.map(|j| s / j)
    }

    /// The moment of the loads in principal axes (N m).
    pub fn body_moment(&self, q: Quat<R>) -> Vec3<R> {
        self.count();
        match self.loads.turning_moment(q) {
            Some(moment) => add(self.loads.body_moment, moment),
            None => self.loads.body_moment,
        }
    }

    /// The moment of the loads in space axes (N m).
    pub fn space_moment(&self, q: Quat<R>) -> Vec3<R> {
        self.count();
        let mut moment = to_space(q, self.loads.body_moment);
        if let Some(more) = self.loads.space_moment {
            moment = add(moment, more);
        }
        for &(arm, force) in &self.loads.couples {
            moment = cross_add(to_space(q, arm), force, moment);
        }
        moment
    }

    /// `base` and the work of the loads from one motion to the next by the trapezoidal rule (J):
    /// `1/2 (tau0 + tau1) . theta` with the rotation vector theta between them, and
    /// `1/2 m (a0 + a1) . (r1 - r0)` (K14).
    pub fn work(&self, from: &Motion<R>, to: &Motion<R>, base: R) -> R {
        let (half, one) = (self.mass.lift(0.5), self.mass.lift(1.0));
        let v = conjugate_vector(from.q, to.q);
        // theta = 2 asin|v| v/|v|, as a series in |v|^2: to 1e-10 for turns of a quarter radian.
        let x = dot(v, v);
        let coefficient = |c: f64| x.lift(c);
        let series = x.mul_add(coefficient(35.0 / 1152.0), coefficient(5.0 / 112.0));
        let series = series.mul_add(x, coefficient(3.0 / 40.0));
        let series = series.mul_add(x, coefficient(1.0 / 6.0));
        let theta = scale(series.mul_add(x, one) * x.lift(2.0), v);
        let none = [x.lift(0.0); 3];
        let moved = sub(to.r, from.r);
        // One product after another upon the base: see `cross_add`.
        [from.q, to.q].into_iter().fold(base, |sum, q| {
            let sum = half.mul_add(dot(self.body_moment(q), theta), sum);
            (half * self.mass).mul_add(dot(self.push(one, q, none), moved), sum)
        })
    }

    /// `J w`, principal axes (kg m²/s).
    pub fn momentum(&self, w: Vec3<R>) -> Vec3<R> {
        times(self.inertia, w)
    }

    /// `J^-1 l`, principal axes (rad/s).
    pub fn velocity(&self, l: Vec3<R>) -> Vec3<R> {
        times(self.mobility(l[0].lift(1.0)), l)
    }
}

/// `base` and `s qdot = s/2 q o (0, w)`
pub fn attitude_rate_add<R: Real>(s: R, q: Quat<R>, w: Vec3<R>, base: Quat<R>) -> Quat<R> {
    let half_s = s * s.lift(0.5);
    let u = times_vector(q, w);
    std::array::from_fn(|i| half_s.mul_add(u[i], base[i]))
}

/// Constants of a body's energy.
#[derive(Clone, Copy)]
pub struct Energy<R> {
    pub inertia: Vec3<R>,
    pub mass: R,
    /// Weight `m g` (N), space axes.
    pub weight: Vec3<R>,
    /// From the fixed point to the mass centre, principal axes (m); zero for a free body, whose `r`
    /// is the mass centre.
    pub arm: Vec3<R>,
}

impl<R: Real> Energy<R> {
    /// Kinetic energy `1/2 w.Jw + 1/2 m v.v` (J).
    pub fn kinetic(&self, motion: &Motion<R>) -> R {
        let Motion { w, v, .. } = *motion;
        let twice = self.mass.mul_add(dot(v, v), dot(times(self.inertia, w), w));
        self.mass.lift(0.5) * twice
    }

    /// Kinetic energy of the mass centre alone (J).
    pub fn of_centre(&self, motion: &Motion<R>) -> R {
        self.mass.lift(0.5) * (self.mass * dot(motion.v, motion.v))
    }

    /// Potential energy `-m g . r_C` (J), from the fixed point or the space origin.
    pub fn potential(&self, motion: &Motion<R>) -> R {
        -dot(self.weight, self.centre(motion))
    }

    /// The weight times the distance of the mass centre from the origin (J), both as sums of
    /// magnitudes: a potential energy that is far less is what cancels in it.
    pub fn reach(&self, motion: &Motion<R>) -> R {
        let size = |[x, y, z]: Vec3<R>| abs(x) + abs(y) + abs(z);
        size(self.weight) * size(self.centre(motion))
    }

    fn centre(&self, motion: &Motion<R>) -> Vec3<R> {
        add(motion.r, to_space(motion.q, self.arm))
    }
}
