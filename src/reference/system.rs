//! The equations of several rigid bodies with joints and springs.
//!
//! The velocities u are, body by body, v of the pivot in space axes (none with a fixed point) and w in body axes:
//!
//! ```text
//! M udot + B^T lam = Q,   B u = 0,   B udot + Bdot u = 0
//! M = diag(m I, J),   Q = (m g + sum F,  M_applied - w x J w) and the springs'
//! udot = M^-1 (Q - B^T lam),   lam by the treatment
//! ```
//!
//! Everything is dense. PCD90 (41) prints the other sign of `B^T lam`, against its own (37).

use nalgebra::{DMatrix, DVector, Vector3};

use crate::describe::Mechanism;
use crate::describe::numbers::{self, Element};

use super::body::{MeanLoads, Motion, RigidBody};
use super::joint::{Joint, Series};
use super::rotation::{attitude_rate, exponential, unit};
use super::spring::Spring;
use super::treatment::{Demand, Treatment, truncated_solve};
use super::{Instance, State};

/// The rows of a [`RigidBody`]'s flat motion.
const WIDTH: usize = 13;

/// All bodies of an instance with what holds and pushes them.
#[derive(Clone, Debug)]
pub struct MultibodySystem {
    bodies: Vec<RigidBody>,
    joints: Vec<Joint>,
    springs: Vec<Spring>,
    /// By body: where its v and its w begin in u.
    places: Vec<Place>,
    /// Length of u.
    velocities: usize,
    /// M^-1.
    mobility: DMatrix<f64>,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    v: Option<usize>,
    w: usize,
}

/// The loads on every body over one stretch of time.
pub type SystemLoads = Vec<MeanLoads>;

impl MultibodySystem {
    /// # Errors
    /// A body is none ([`RigidBody::new`]), or the springs' numbers are not finite or do not fit the mechanism.
    pub fn new(mechanism: &Mechanism, instance: &Instance) -> Result<MultibodySystem, String> {
        if instance.bodies.len() != mechanism.bodies.len() {
            return Err("the instance does not have the numbers of each body".to_string());
        }
        let described = mechanism.numbers();
        if instance.numbers.len() != described.len() {
            return Err("the instance does not have all numbers of joints and forces".to_string());
        }
        if let Some((number, _)) = described.iter().zip(&instance.numbers).find(|(_, x)| x.is_nan()) {
            return Err(format!("the number {} is not finite", number.name(mechanism)));
        }
        // The first of an element's numbers and those after it.
        let numbers = |element, index| {
            &instance.numbers[numbers::position(&described, element, index).unwrap_or(described.len())..]
        };
        let bodies = (0..mechanism.bodies.len())
            .map(|b| RigidBody::new(mechanism, instance, b))
            .collect::<Result<Vec<_>, _>>()?;
        let mut places = Vec::new();
        let mut velocities = 0;
        for body in &bodies {
            let v = (!body.is_held()).then_some(velocities);
            let w = velocities + if v.is_some() { 3 } else { 0 };
            places.push(Place { v, w });
            velocities = w + 3;
        }
        let mut mass = DMatrix::zeros(velocities, velocities);
        for (body, place) in bodies.iter().zip(&places) {
            if let Some(v) = place.v {
                mass.fixed_view_mut::<3, 3>(v, v).fill_diagonal(body.mass());
            }
            mass.fixed_view_mut::<3, 3>(place.w, place.w).copy_from(body.inertia());
        }
        let mobility = mass.cholesky().ok_or("the mass matrix is not positive definite")?.inverse();
        Ok(MultibodySystem {
            joints: (0..mechanism.joints.len())
                .map(|k| {
                    let length = numbers(Element::Joint, k).first().copied();
                    Joint::new(&mechanism.joints[k], length.unwrap_or_default(), &bodies)
                })
                .collect(),
            springs: (0..mechanism.springs.len())
                .map(|k| {
                    let of_spring = std::array::from_fn(|part| numbers(Element::Spring, k)[part]);
                    Spring::new(&mechanism.springs[k], of_spring, &bodies)
                })
                .collect(),
            bodies,
            places,
            velocities,
            mobility,
        })
    }

    /// The state at t = 0, as described: nothing is projected.
    ///
    /// # Errors
    /// As [`RigidBody::start`].
    pub fn start(&self, mechanism: &Mechanism, instance: &Instance) -> Result<Vec<Motion>, String> {
        (0..self.bodies.len()).map(|b| self.bodies[b].start(mechanism, instance, b)).collect()
    }

    /// The body of a mechanism that is one body and nothing else.
    pub fn only(&self) -> Option<&RigidBody> {
        match &self.bodies[..] {
            [body] if self.joints.is_empty() && self.springs.is_empty() => Some(body),
            _ => None,
        }
    }

    pub fn has_joints(&self) -> bool {
        !self.joints.is_empty()
    }

    /// Every load's mean over `from..until` (s), body by body.
    pub fn mean_load(&self, from: f64, until: f64) -> SystemLoads {
        self.bodies.iter().map(|body| body.mean_load(from, until)).collect()
    }

    /// The times at which any load jumps (s), in no order.
    pub fn jumps(&self) -> Vec<f64> {
        self.bodies.iter().flat_map(RigidBody::jumps).collect()
    }

    /// u.
    pub fn velocities(&self, motions: &[Motion]) -> DVector<f64> {
        let mut u = DVector::zeros(self.velocities);
        for (motion, place) in motions.iter().zip(&self.places) {
            if let Some(v) = place.v {
                u.fixed_rows_mut::<3>(v).copy_from(&motion.velocity);
            }
            u.fixed_rows_mut::<3>(place.w).copy_from(&motion.angular_velocity);
        }
        u
    }

    /// The motions with the velocities u.
    pub fn with_velocities(&self, motions: &[Motion], u: &DVector<f64>) -> Vec<Motion> {
        let parts = motions.iter().zip(&self.places);
        parts
            .map(|(motion, place)| Motion {
                velocity: place.v.map_or(Vector3::zeros(), |v| u.fixed_rows::<3>(v).into()),
                angular_velocity: u.fixed_rows::<3>(place.w).into(),
                ..*motion
            })
            .collect()
    }

    /// Q at the positions and velocities of `at`; dampers see the velocities of `seen`.
    pub fn forces(&self, at: &[Motion], seen: &[Motion], loads: &SystemLoads) -> DVector<f64> {
        let mut q = DVector::zeros(self.velocities);
        for (((body, motion), loads), place) in self.bodies.iter().zip(at).zip(loads).zip(&self.places) {
            if let Some(v) = place.v {
                let force = body.mass() * body.acceleration(motion.attitude, loads);
                q.fixed_rows_mut::<3>(v).copy_from(&force);
            }
            let w = motion.angular_velocity;
            let torque = body.moment(motion.attitude, loads) - w.cross(&(body.inertia() * w));
            q.fixed_rows_mut::<3>(place.w).copy_from(&torque);
        }
        for push in self.springs.iter().flat_map(|spring| spring.pushes(at, seen)) {
            let place = self.places[push.body];
            if let Some(v) = place.v {
                let mut rows = q.fixed_rows_mut::<3>(v);
                rows += push.force;
            }
            let mut rows = q.fixed_rows_mut::<3>(place.w);
            rows += push.torque;
        }
        q
    }

    /// Phi of all joints, `B u` and `Bdot u`.
    pub fn constraints(&self, motions: &[Motion]) -> Series<DVector<f64>> {
        let rows: Vec<Series<f64>> = self.joints.iter().flat_map(|joint| joint.violation(motions)).collect();
        let of = |part: fn(&Series<f64>) -> f64| DVector::from_iterator(rows.len(), rows.iter().map(part));
        Series { value: of(|row| row.value), rate: of(|row| row.rate), second: of(|row| row.second) }
    }

    /// B.
    pub fn jacobian(&self, motions: &[Motion]) -> DMatrix<f64> {
        let columns: Vec<DVector<f64>> = (0..self.velocities)
            .map(|j| {
                let mut u = DVector::zeros(self.velocities);
                u[j] = 1.0;
                self.constraints(&self.with_velocities(motions, &u)).rate
            })
            .collect();
        DMatrix::from_columns(&columns)
    }

    /// The multipliers that hold the joints at `at`; `advanced` are the motions that are being advanced, `before` the
    /// multipliers `tau` (s) earlier.
    pub fn multipliers(
        &self,
        treatment: &Treatment,
        loads: &SystemLoads,
        at: &[Motion],
        advanced: &[Motion],
        tau: f64,
        before: &DVector<f64>,
    ) -> DVector<f64> {
        if self.joints.is_empty() {
            return DVector::zeros(0);
        }
        let b = self.jacobian(at);
        let held = self.constraints(at);
        let demand = Demand {
            mu: &b * &self.mobility * b.transpose(),
            r: &b * &self.mobility * self.forces(at, advanced, loads) + held.second,
            rate: self.constraints(advanced).rate,
            violation: held.value,
        };
        treatment.multipliers(&demand, tau, before)
    }

    /// Those without a history: a treatment that carries them has forgotten it after 1 s.
    pub fn instantaneous_multipliers(
        &self,
        treatment: &Treatment,
        loads: &SystemLoads,
        at: &[Motion],
    ) -> DVector<f64> {
        let none = DVector::zeros(self.rows());
        self.multipliers(treatment, loads, at, at, 1.0, &none)
    }

    /// Number of constraints, redundant ones included.
    pub fn rows(&self) -> usize {
        let at_rest: Vec<Motion> = self.bodies.iter().map(|_| Motion::at_rest()).collect();
        self.constraints(&at_rest).value.len()
    }

    /// `udot = M^-1 (Q - B^T lam)`
    pub fn accelerations(
        &self,
        at: &[Motion],
        seen: &[Motion],
        loads: &SystemLoads,
        multipliers: &DVector<f64>,
    ) -> DVector<f64> {
        let mut forces = self.forces(at, seen, loads);
        if !multipliers.is_empty() {
            forces -= self.jacobian(at).transpose() * multipliers;
        }
        &self.mobility * forces
    }

    /// The rate of a [flat](MultibodySystem::flat) motion with instantaneous multipliers. Its quaternions need not be
    /// unit ones: loads and joints turn with their direction.
    pub fn rate(&self, y: &DVector<f64>, loads: &SystemLoads, treatment: &Treatment) -> DVector<f64> {
        let now = self.from_flat(y);
        let multipliers = self.instantaneous_multipliers(treatment, loads, &now);
        let udot = self.accelerations(&now, &now, loads, &multipliers);
        let rates: Vec<Motion> = now
            .iter()
            .zip(self.with_velocities(&now, &udot))
            .map(|(now, acceleration)| Motion {
                position: now.velocity,
                attitude: attitude_rate(now.attitude, now.angular_velocity),
                ..acceleration
            })
            .collect();
        self.flat(&rates)
    }

    /// All motions in one vector.
    pub fn flat(&self, motions: &[Motion]) -> DVector<f64> {
        let flats: Vec<f64> = motions.iter().flat_map(|motion| motion.flat().data.0[0]).collect();
        DVector::from_vec(flats)
    }

    /// The inverse of [`MultibodySystem::flat`].
    pub fn from_flat(&self, y: &DVector<f64>) -> Vec<Motion> {
        (0..self.bodies.len()).map(|b| Motion::from_flat(&y.fixed_rows::<WIDTH>(b * WIDTH).into())).collect()
    }

    /// The nearest motions, in the metric of M, whose positions and velocities keep the constraints. A velocity against
    /// a joint is lost as in a plastic impact.
    pub fn projected(&self, motions: &[Motion]) -> Vec<Motion> {
        /// Newton's steps; each squares what is left.
        const STEPS: usize = 50;
        let mut motions = motions.to_vec();
        if self.joints.is_empty() {
            return motions;
        }
        for _ in 0..STEPS {
            let change = self.correction(&motions, &self.constraints(&motions).value);
            let moved = self.with_velocities(&motions, &change);
            for (motion, change) in motions.iter_mut().zip(moved) {
                motion.position += change.velocity;
                motion.attitude = unit(motion.attitude * exponential(change.angular_velocity));
            }
            if change.amax() < 1e-15 {
                break;
            }
        }
        // The second removes what rounding left of the first.
        for _ in 0..2 {
            let u = self.velocities(&motions);
            let change = self.correction(&motions, &self.constraints(&motions).rate);
            motions = self.with_velocities(&motions, &(u + change));
        }
        motions
    }

    /// `-M^-1 B^T mu^+ wrong`
    fn correction(&self, motions: &[Motion], wrong: &DVector<f64>) -> DVector<f64> {
        let b = self.jacobian(motions);
        let back = &self.mobility * b.transpose();
        -(&back * truncated_solve(&(&b * &back), wrong))
    }

    /// Kinetic, gravitational and elastic energy (J).
    pub fn energy(&self, motions: &[Motion]) -> f64 {
        let bodies = self.bodies.iter().zip(motions).map(|(body, motion)| body.energy(motion));
        bodies.chain(self.springs.iter().map(|spring| spring.energy(motions))).sum()
    }

    /// Angular momentum, space axes (kg m²/s): of a single body about its pivot, of several about the space origin.
    pub fn angular_momentum(&self, motions: &[Motion]) -> Vector3<f64> {
        let of = |(body, motion): (&RigidBody, &Motion)| {
            let linear = body.mass() * body.velocity_of_mass_centre(motion);
            body.angular_momentum(motion) + motion.position.cross(&linear)
        };
        match (&self.bodies[..], motions) {
            ([body], [motion]) => body.angular_momentum(motion),
            _ => self.bodies.iter().zip(motions).map(of).sum(),
        }
    }

    /// The motions as reported.
    pub fn state(&self, time: f64, motions: &[Motion]) -> State {
        State {
            time,
            bodies: self.bodies.iter().zip(motions).map(|(body, motion)| body.state(motion)).collect(),
            energy: self.energy(motions),
            angular_momentum: self.angular_momentum(motions).into(),
            constraint_violation: self.constraints(motions).value.norm(),
        }
    }
}
