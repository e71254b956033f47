//! The equations of one rigid body, free or with a fixed point.
//!
//! The body turns about its *pivot*: the mass centre C of a free body, the origin O of one with a
//! fixed point. With `J` the inertia matrix about the pivot, `Lam` the rotation matrix (body to
//! space), `c` the mass centre from the origin, all in body axes but where said otherwise:
//!
//! ```text
//! qdot = 1/2 q o (0, w)
//! J wdot = M - w x J w,   M = sum (p - pivot) x F + sum T + (fixed point:) c x Lam^T m g
//! free:    m rdot'_C = m g + sum Lam F (space axes);   r_O = r_C - Lam c,  v_O = v_C - Lam (w x c)
//! fixed point: r_O constant
//! E = 1/2 w.J w + (free:) 1/2 m |v_C|^2 - m g.r_C, r_C from the space origin or the fixed point;
//! H = Lam J w about the pivot, space axes
//! ```
//!
//! Units are SI throughout.

use nalgebra::{Cholesky, Const, DVector, Matrix3, Quaternion, SVector, Vector3};

use polhode_description::describe::numbers::position;
use polhode_description::describe::{
    Axes, Expression, Flexible, InertiaAbout, LoadKind, Mechanism, NumberOwner, Support,
};

use super::ReferenceError;
use super::flexible::{Deformation, Shapes};
use super::function::Given;
use super::function::SidedTime;
use super::loads::LoadHistory;
use super::rotation::{lam, quaternion, unit};
use super::{BodyNumbers, BodyState, Instance};

/// The largest number of a sound motion.
const LARGEST: f64 = 1e140;

/// One body with its numbers and loads.
#[derive(Clone, Debug)]
pub struct RigidBody {
    support: Support,
    mass: f64,
    /// J about the pivot, body axes (kg m²).
    inertia: Matrix3<f64>,
    /// Cholesky factors of J, to solve `J wdot = ...`.
    inertia_factors: Cholesky<f64, Const<3>>,
    /// Mass centre from the origin, body axes (m).
    centre_of_mass: Vector3<f64>,
    /// The pivot from the origin, body axes (m).
    pivot: Vector3<f64>,
    /// Space axes (m/s²).
    gravity: Vector3<f64>,
    loads: Vec<LoadHistory>,
    /// Deformation of a flexible body, as described and with this instance's numbers, and the
    /// shapes where loads act.
    flexible: Option<(Flexible, Deformation)>,
    load_shapes: Vec<Shapes>,
    start_amplitudes: [DVector<f64>; 2],
}

/// The state that is integrated.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// Position of the pivot, space axes (m).
    pub position: Vector3<f64>,
    /// Velocity of the pivot, space axes (m/s).
    pub velocity: Vector3<f64>,
    /// q, body to space.
    pub attitude: Quaternion<f64>,
    /// w, body axes (rad/s).
    pub angular_velocity: Vector3<f64>,
    /// eta, of a flexible body.
    pub amplitudes: DVector<f64>,
    /// Its rate.
    pub amplitude_rates: DVector<f64>,
}

/// Position, velocity, attitude (scalar first) and angular velocity in one vector.
pub type Flat = SVector<f64, 13>;

/// The loads, one value each in the load's own axes: the mean over one stretch of time, or a
/// function at one instant.
pub type MeanLoads = Vec<Vector3<f64>>;

impl RigidBody {
    /// Body `b` of the mechanism.
    ///
    /// # Errors
    /// A number is not finite, the mass is not positive, the inertia matrix about the pivot is not
    /// symmetric positive definite, or the load values do not fit the mechanism.
    pub fn new(mechanism: &Mechanism, instance: &Instance, b: usize) -> Result<RigidBody, ReferenceError> {
        let numbers = &instance.bodies[b];
        check_finite(instance, numbers)?;
        let described = &mechanism.bodies[b];
        let mass = numbers.mass;
        if mass <= 0.0 {
            return Err(ReferenceError::Mass { mass });
        }
        let centre_of_mass = Vector3::from(numbers.centre_of_mass);
        let given = Matrix3::from_fn(|row, column| numbers.inertia[row][column]);
        if given != given.transpose() {
            return Err(ReferenceError::Asymmetric);
        }
        // Huygens-Steiner: J_O = J_C + m (c.c I - c c^T).
        let steiner = mass
            * (Matrix3::identity() * centre_of_mass.norm_squared()
                - centre_of_mass * centre_of_mass.transpose());
        let (pivot, inertia) = match (described.support, described.inertia_about) {
            (Support::Free, InertiaAbout::MassCentre) => (centre_of_mass, given),
            (Support::Free, InertiaAbout::Origin) => (centre_of_mass, given - steiner),
            (Support::FixedPoint, InertiaAbout::MassCentre) => (Vector3::zeros(), given + steiner),
            (Support::FixedPoint, InertiaAbout::Origin) => (Vector3::zeros(), given),
        };
        let inertia_factors =
            inertia.cholesky().ok_or(ReferenceError::NotPositiveDefinite { matrix: "inertia" })?;
        let loads = LoadHistory::on(mechanism, instance, b)?;
        let all = mechanism.numbers();
        let own = position(&all, NumberOwner::Flexible, b).map_or(&[][..], |at| &instance.numbers[at..]);
        let flexible = described
            .flexible
            .as_ref()
            .map(|flexible| (flexible.clone(), Deformation::new(flexible, [own[0], own[1]])));
        let modes = described.modes();
        let start = |from: usize| DVector::from_iterator(modes, own.iter().skip(from).take(modes).copied());
        let mut start_amplitudes = [start(2), start(2 + modes)];
        if mechanism.carrier() == Some(b) {
            let (states, count) = (mechanism.states.len(), mechanism.carried());
            let first = position(&all, NumberOwner::State, 0).unwrap_or(all.len());
            let initial = instance.numbers.iter().skip(first).take(states).copied();
            // Rotors start when all bodies do.
            let initial = initial.chain(std::iter::repeat(0.0)).take(count);
            start_amplitudes = [DVector::zeros(count), DVector::from_iterator(count, initial)];
        }
        let shapes_of = |load: &LoadHistory| match &described.flexible {
            Some(flexible) => Deformation::shapes(flexible, load.point.into()),
            None => Ok(Shapes { displacement: Vec::new(), rotation: Vec::new() }),
        };
        let load_shapes = loads.iter().map(shapes_of).collect::<Result<Vec<_>, _>>()?;
        Ok(RigidBody {
            support: described.support,
            mass,
            inertia,
            inertia_factors,
            centre_of_mass,
            pivot,
            gravity: Vector3::from(instance.gravity),
            loads,
            flexible,
            load_shapes,
            start_amplitudes,
        })
    }

    /// The state of body `b`, which this is, at t = 0.
    ///
    /// # Errors
    /// The attitude quaternion is zero.
    pub fn start(
        &self,
        mechanism: &Mechanism,
        instance: &Instance,
        b: usize,
    ) -> Result<Motion, ReferenceError> {
        let numbers = &instance.bodies[b];
        let attitude = quaternion(numbers.attitude);
        if attitude.norm() == 0.0 {
            return Err(ReferenceError::ZeroAttitude);
        }
        let attitude = unit(attitude);
        let given = Vector3::from(numbers.angular_velocity);
        let angular_velocity = match mechanism.bodies[b].initial.angular_velocity_axes {
            Axes::Body => given,
            Axes::Space => lam(attitude).transpose() * given,
        };
        let origin_velocity = match self.support {
            Support::Free => Vector3::from(numbers.velocity),
            Support::FixedPoint => Vector3::zeros(),
        };
        let [amplitudes, amplitude_rates] = self.start_amplitudes.clone();
        let (pivot, rate) = self.moving_pivot(&amplitudes, &amplitude_rates);
        Ok(Motion {
            position: Vector3::from(numbers.position) + lam(attitude) * pivot,
            velocity: origin_velocity + lam(attitude) * (angular_velocity.cross(&pivot) + rate),
            attitude,
            angular_velocity,
            amplitudes,
            amplitude_rates,
        })
    }

    /// Every load: the mean over `from..until` (s), functions at `time` (s).
    pub fn mean_load(&self, from: f64, until: f64, time: &SidedTime) -> MeanLoads {
        self.loads.iter().map(|load| load.value(from, until, time)).collect()
    }

    /// Every load: its pieces and functions at `time` (s).
    pub fn load_at(&self, time: &SidedTime) -> MeanLoads {
        self.loads.iter().map(|load| load.value_at(time)).collect()
    }

    /// These loads with those that depend on the motion.
    pub fn with_laws(&self, loads: &MeanLoads, given: &Given) -> MeanLoads {
        self.loads.iter().zip(loads).map(|(load, value)| value + load.law(given)).collect()
    }

    /// The functions of its loads.
    pub fn functions(&self) -> impl Iterator<Item = &Expression> {
        self.loads.iter().flat_map(LoadHistory::functions)
    }

    /// The times between 0 and `until` (s) at which any load's function is not smooth.
    pub fn kinks(&self, until: f64) -> Vec<f64> {
        self.loads.iter().flat_map(|load| load.kinks(until)).collect()
    }

    /// The times at which any load jumps (s), in no order.
    pub fn jumps(&self) -> Vec<f64> {
        self.loads.iter().flat_map(LoadHistory::jumps).collect()
    }

    /// Acceleration of the pivot in space axes (m/s²): the mass centre's, or zero for a fixed
    /// point.
    pub fn acceleration(&self, attitude: Quaternion<f64>, loads: &MeanLoads) -> Vector3<f64> {
        match self.support {
            Support::FixedPoint => Vector3::zeros(),
            Support::Free => {
                let force: Vector3<f64> = self
                    .loads
                    .iter()
                    .zip(loads)
                    .filter(|(load, _)| load.kind == LoadKind::Force)
                    .map(|(load, value)| match load.axes {
                        Axes::Space => *value,
                        Axes::Body => lam(attitude) * value,
                    })
                    .sum();
                self.gravity + force / self.mass
            }
        }
    }

    /// Returns the body's deformation; `None`: it is rigid.
    pub fn deformation(&self) -> Option<&Deformation> {
        self.flexible.as_ref().map(|(_, deformation)| deformation)
    }

    /// Number of modes, and of states of laws that it carries as such.
    pub fn modes(&self) -> usize {
        self.start_amplitudes[0].len()
    }

    /// The shapes at a point from the body's origin (m); of a rigid body none.
    pub fn shapes(&self, at: [f64; 3]) -> Shapes {
        let none = Shapes { displacement: Vec::new(), rotation: Vec::new() };
        self.flexible
            .as_ref()
            .map_or(none.clone(), |(described, _)| Deformation::shapes(described, at).unwrap_or(none))
    }

    /// Returns the effect of the loads where the body is deformed: a moment besides that of the
    /// undeformed body, and modal forces.
    pub fn loads_on_deformed(
        &self,
        attitude: Quaternion<f64>,
        eta: &DVector<f64>,
        loads: &MeanLoads,
    ) -> (Vector3<f64>, DVector<f64>) {
        let to_body = lam(attitude).transpose();
        let mut moment = Vector3::zeros();
        let mut modal = DVector::zeros(eta.len());
        for ((load, value), shapes) in self.loads.iter().zip(loads).zip(&self.load_shapes) {
            let value = if load.axes == Axes::Body { *value } else { to_body * value };
            if load.kind == LoadKind::Force {
                moment += shapes.displaced(eta).cross(&value);
                modal += shapes.work(value, Vector3::zeros());
            } else {
                modal += shapes.work(Vector3::zeros(), value);
            }
        }
        (moment, modal)
    }

    /// (kg)
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// The pivot from the origin, body axes (m).
    pub fn pivot(&self) -> Vector3<f64> {
        self.pivot
    }

    /// The pivot of the deformed body from its origin and its rate, body axes (m, m/s): where a
    /// frame is attached to a particle the mass centre moves with the modes.
    fn moving_pivot(&self, eta: &DVector<f64>, rate: &DVector<f64>) -> (Vector3<f64>, Vector3<f64>) {
        match self.deformation() {
            Some(body) => (self.pivot + body.centre_moved(eta), body.centre_moved(rate)),
            None => (self.pivot, Vector3::zeros()),
        }
    }

    /// The pivot from the body's origin, deformed as in `motion`, body axes (m).
    pub fn pivot_of(&self, motion: &Motion) -> Vector3<f64> {
        self.moving_pivot(&motion.amplitudes, &motion.amplitude_rates).0
    }

    /// The mass centre from the pivot, body axes (m).
    pub fn mass_centre_from_pivot(&self) -> Vector3<f64> {
        self.centre_of_mass - self.pivot
    }

    /// The pivot is a fixed point.
    pub fn is_held(&self) -> bool {
        self.support == Support::FixedPoint
    }

    /// Space axes (m/s).
    pub fn velocity_of_mass_centre(&self, motion: &Motion) -> Vector3<f64> {
        let from_pivot = self.centre_of_mass - self.pivot;
        motion.velocity + lam(motion.attitude) * motion.angular_velocity.cross(&from_pivot)
    }

    /// J about the pivot, body axes (kg m²).
    pub fn inertia(&self) -> &Matrix3<f64> {
        &self.inertia
    }

    /// `pi = Lam J w`: angular momentum about the pivot, space axes (kg m²/s).
    pub fn momentum(&self, attitude: Quaternion<f64>, w: Vector3<f64>) -> Vector3<f64> {
        lam(attitude) * (self.inertia * w)
    }

    /// `w = J^-1 Lam^T pi`: angular velocity in body axes (rad/s) from the momentum in space axes.
    pub fn angular_velocity(&self, attitude: Quaternion<f64>, pi: Vector3<f64>) -> Vector3<f64> {
        self.inertia_factors.solve(&(lam(attitude).transpose() * pi))
    }

    /// M: the moment of loads and gravity about the pivot, body axes (N m).
    pub fn moment(&self, attitude: Quaternion<f64>, loads: &MeanLoads) -> Vector3<f64> {
        let to_body = lam(attitude).transpose();
        let applied: Vector3<f64> = self
            .loads
            .iter()
            .zip(loads)
            .map(|(load, value)| {
                let value = match load.axes {
                    Axes::Body => *value,
                    Axes::Space => to_body * value,
                };
                match load.kind {
                    LoadKind::Force => (load.point - self.pivot).cross(&value),
                    LoadKind::Torque => value,
                }
            })
            .sum();
        // Gravity acts at the mass centre: its arm is c about a fixed point, zero about the mass
        // centre.
        let weight = to_body * (self.mass * self.gravity);
        applied + (self.centre_of_mass - self.pivot).cross(&weight)
    }

    /// Energy E, kinetic and gravitational (J).
    pub fn energy(&self, motion: &Motion) -> f64 {
        let w = motion.angular_velocity;
        let [turning, strained] = match self.deformation() {
            Some(body) => body.energies(w, &motion.amplitudes, &motion.amplitude_rates),
            None => [0.5 * w.dot(&(self.inertia * w)), 0.0],
        };
        let moving = 0.5 * self.mass * motion.velocity.norm_squared();
        let from_pivot = lam(motion.attitude) * (self.centre_of_mass - self.pivot);
        // Potential energy is counted from the space origin, or from the fixed point.
        let centre = match self.support {
            Support::Free => motion.position + from_pivot,
            Support::FixedPoint => from_pivot,
        };
        // A fixed point's velocity is zero, so `moving` counts for a free body only.
        turning + moving + strained - self.mass * self.gravity.dot(&centre)
    }

    /// Angular momentum H about the pivot, space axes (kg m²/s).
    pub fn angular_momentum(&self, motion: &Motion) -> Vector3<f64> {
        match self.deformation() {
            Some(body) => {
                let Motion { angular_velocity, amplitudes, amplitude_rates, .. } = motion;
                lam(motion.attitude) * body.momentum(*angular_velocity, amplitudes, amplitude_rates)
            }
            None => self.momentum(motion.attitude, motion.angular_velocity),
        }
    }

    /// The motion as reported: of the body's origin.
    pub fn state(&self, motion: &Motion) -> BodyState {
        let lam = lam(motion.attitude);
        let q = motion.attitude;
        let (pivot, rate) = self.moving_pivot(&motion.amplitudes, &motion.amplitude_rates);
        BodyState {
            position: (motion.position - lam * pivot).into(),
            velocity: (motion.velocity - lam * (motion.angular_velocity.cross(&pivot) + rate)).into(),
            attitude: [q.w, q.i, q.j, q.k],
            angular_velocity: motion.angular_velocity.into(),
            amplitudes: motion.amplitudes.as_slice().to_vec(),
            amplitude_rates: motion.amplitude_rates.as_slice().to_vec(),
        }
    }
}

impl Motion {
    /// At the space origin, unturned.
    pub fn at_rest() -> Motion {
        let none = Vector3::zeros();
        Motion::rigid(none, none, Quaternion::identity(), none)
    }

    /// Returns the motion of a rigid body.
    pub fn rigid(
        position: Vector3<f64>,
        velocity: Vector3<f64>,
        attitude: Quaternion<f64>,
        angular_velocity: Vector3<f64>,
    ) -> Motion {
        let none = DVector::zeros(0);
        Motion {
            position,
            velocity,
            attitude,
            angular_velocity,
            amplitudes: none.clone(),
            amplitude_rates: none,
        }
    }

    /// The motion of the frame as one vector.
    pub fn flat(&self) -> Flat {
        let q = self.attitude;
        let mut y = Flat::zeros();
        y.fixed_rows_mut::<3>(0).copy_from(&self.position);
        y.fixed_rows_mut::<3>(3).copy_from(&self.velocity);
        y.fixed_rows_mut::<4>(6).copy_from_slice(&[q.w, q.i, q.j, q.k]);
        y.fixed_rows_mut::<3>(10).copy_from(&self.angular_velocity);
        y
    }

    /// The inverse of [`Motion::flat`], of a rigid body.
    pub fn from_flat(y: &Flat) -> Motion {
        let three = |at: usize| Vector3::new(y[at], y[at + 1], y[at + 2]);
        Motion::rigid(three(0), three(3), Quaternion::new(y[6], y[7], y[8], y[9]), three(10))
    }

    /// Whether no number is beyond 1e140: of larger ones energies would not be finite.
    pub fn is_sound(&self) -> bool {
        self.is_within(LARGEST)
    }

    /// Whether all its numbers are.
    pub fn is_finite(&self) -> bool {
        self.is_within(f64::MAX)
    }

    fn is_within(&self, largest: f64) -> bool {
        let three = self.position.iter().chain(&self.velocity).chain(&self.angular_velocity);
        let modal = self.amplitudes.iter().chain(&self.amplitude_rates);
        three.chain(self.attitude.coords.iter()).chain(modal).all(|x| x.abs() <= largest)
    }
}

fn check_finite(instance: &Instance, numbers: &BodyNumbers) -> Result<(), ReferenceError> {
    let named: [(&'static str, &[f64]); 7] = [
        ("mass", &[numbers.mass]),
        ("centre_of_mass", &numbers.centre_of_mass),
        ("position", &numbers.position),
        ("velocity", &numbers.velocity),
        ("attitude", &numbers.attitude),
        ("angular_velocity", &numbers.angular_velocity),
        ("gravity", &instance.gravity),
    ];
    for (name, values) in named {
        if !values.iter().all(|x| x.is_finite()) {
            return Err(ReferenceError::NotFinite { quantity: name });
        }
    }
    if !numbers.inertia.iter().flatten().all(|x| x.is_finite()) {
        return Err(ReferenceError::NotFinite { quantity: "inertia" });
    }
    if !instance.loads.iter().flatten().flatten().all(|x| x.is_finite()) {
        return Err(ReferenceError::NotFinite { quantity: "a load value" });
    }
    Ok(())
}
