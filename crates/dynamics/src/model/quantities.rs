//! The numbers of a mechanism that an ensemble can vary, for one instance, as described: nothing is
//! resolved yet (inertia not turned to principal axes, angular velocity still in the axes the user
//! chose).

use std::borrow::Cow;

use crate::base::Precision;
use crate::describe::numbers::DENSITY_FACTOR;
use crate::describe::placement::placed;
use crate::describe::{
    Constraints, Initial, Mechanism, NotMade, Number, NumberOwner, Quantity, Study, Target,
};
use crate::math::inertia::in_body;

/// All quantities of the mechanism for one instance: nominal values, overwritten by the drawn
/// numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantities {
    pub bodies: Vec<BodyQuantities>,
    /// Space axes (m/s²).
    pub gravity: [f64; 3],
    /// `[load][piece]` (N or N m).
    pub loads: Vec<Vec<[f64; 3]>>,
    /// Those of joints, forces and locks, in the order of [`Mechanism::numbers`].
    pub numbers: Vec<f64>,
    /// Full step (s).
    pub step: f64,
    pub precision: Precision,
    /// Those of the treatment of joints, in the order of its
    /// [card](crate::treatments::TreatmentCard::numbers); `None`: the default that follows from the
    /// step and the precision.
    pub settings: Vec<Option<f64>>,
}

/// Those of one body.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyQuantities {
    /// (kg)
    pub mass: f64,
    /// About the point and in the axes of the description (kg m²).
    pub inertia: [[f64; 3]; 3],
    /// Unit quaternion that maps these axes to body axes.
    pub inertia_axes: [f64; 4],
    /// From the body's origin, body axes (m).
    pub centre_of_mass: [f64; 3],
    /// Position of the body's origin, space axes (m).
    pub position: [f64; 3],
    /// Velocity of the body's origin, space axes (m/s).
    pub velocity: [f64; 3],
    /// Unit quaternion, body to space, scalar first.
    pub attitude: [f64; 4],
    /// In the axes of the description (rad/s).
    pub angular_velocity: [f64; 3],
}

impl BodyQuantities {
    /// The inertia matrix in body axes (kg m²).
    pub fn inertia_in_body(&self) -> [[f64; 3]; 3] {
        in_body(self.inertia, self.inertia_axes)
    }
}

impl Quantities {
    /// The values of the study's description.
    pub fn nominal(study: &Study) -> Self {
        Self::of(&study.mechanism, study.method.step, study.run.precision, study.constraints.given())
    }

    /// The values of the mechanism's description, stepped and held so.
    pub fn of(mechanism: &Mechanism, step: f64, precision: Precision, settings: Vec<Option<f64>>) -> Self {
        Quantities {
            bodies: mechanism
                .bodies
                .iter()
                .map(|body| BodyQuantities {
                    mass: body.mass,
                    inertia: body.inertia,
                    inertia_axes: body.inertia_axes,
                    centre_of_mass: body.centre_of_mass,
                    position: body.initial.position,
                    velocity: body.initial.velocity,
                    attitude: body.initial.attitude,
                    angular_velocity: body.initial.angular_velocity,
                })
                .collect(),
            gravity: mechanism.gravity,
            loads: mechanism
                .loads
                .iter()
                .map(|load| load.pieces.iter().map(|piece| piece.value).collect())
                .collect(),
            numbers: mechanism.numbers().iter().map(|number| number.value).collect(),
            step,
            precision,
            settings,
        }
    }

    /// These quantities where constants that numbers depend on have other values than in the
    /// description, with the mechanism as it is then; `None`: they have not.
    ///
    /// # Errors
    /// With these values there is no such mechanism: says why.
    pub fn linked(&self, mechanism: &Mechanism) -> Result<Option<(Quantities, Mechanism)>, NotMade> {
        let Some(own) = mechanism.with_constants(&self.numbers)? else { return Ok(None) };
        let quantities =
            |mechanism| Quantities::of(mechanism, self.step, self.precision, self.settings.clone());
        let (described, mut linked) = (quantities(mechanism), quantities(&own));
        linked.keep(self, &described);
        Ok(Some((linked, own)))
    }

    /// Takes over what was drawn: what differs from the description in `drawn`.
    fn keep(&mut self, drawn: &Quantities, described: &Quantities) {
        fn keep<T: PartialEq + Copy>(own: &mut T, drawn: T, described: T) {
            if drawn != described {
                *own = drawn;
            }
        }
        fn each<T: PartialEq + Copy>(own: &mut [T], drawn: &[T], described: &[T]) {
            let drawn = drawn.iter().zip(described);
            own.iter_mut().zip(drawn).for_each(|(own, (drawn, described))| keep(own, *drawn, *described));
        }
        let bodies = drawn.bodies.iter().zip(&described.bodies);
        for (own, (drawn, described)) in self.bodies.iter_mut().zip(bodies) {
            keep(&mut own.mass, drawn.mass, described.mass);
            let rows = drawn.inertia.iter().zip(&described.inertia);
            own.inertia
                .iter_mut()
                .zip(rows)
                .for_each(|(own, (drawn, described))| each(own, drawn, described));
            each(&mut own.centre_of_mass, &drawn.centre_of_mass, &described.centre_of_mass);
            each(&mut own.position, &drawn.position, &described.position);
            each(&mut own.velocity, &drawn.velocity, &described.velocity);
            // An attitude is drawn as a whole.
            keep(&mut own.attitude, drawn.attitude, described.attitude);
            each(&mut own.angular_velocity, &drawn.angular_velocity, &described.angular_velocity);
        }
        each(&mut self.gravity, &drawn.gravity, &described.gravity);
        let loads = drawn.loads.iter().zip(&described.loads);
        for (own, (drawn, described)) in self.loads.iter_mut().zip(loads) {
            let pieces = drawn.iter().zip(described);
            own.iter_mut().zip(pieces).for_each(|(own, (drawn, described))| each(own, drawn, described));
        }
        each(&mut self.numbers, &drawn.numbers, &described.numbers);
    }

    /// The treatment of joints with the numbers of this instance, defaults included.
    pub fn constraints(&self, constraints: &Constraints) -> Constraints {
        constraints.with_numbers(&constraints.card().resolved(&self.settings, self.step, self.precision))
    }

    /// The bodies with those put in their places that joints place, and as dense as their beams
    /// are.
    pub fn placed(&self, mechanism: &Mechanism) -> Vec<BodyQuantities> {
        self.placed_bodies(mechanism, &mechanism.numbers()).into_owned()
    }

    /// As [`placed`](Self::placed), with the mechanism's numbers at hand: borrowed
    /// where nothing places a body.
    pub(crate) fn placed_bodies(
        &self,
        mechanism: &Mechanism,
        numbers: &[Number],
    ) -> Cow<'_, [BodyQuantities]> {
        let mut placed = self.put(mechanism, numbers);
        for (k, beam) in mechanism.beams.iter().enumerate() {
            let is_factor =
                |n: &Number| (n.element, n.index, &*n.part) == (NumberOwner::Beam, k, DENSITY_FACTOR);
            let Some(at) = numbers.iter().position(is_factor) else { continue };
            let factor = self.numbers[at];
            for node in &mut placed.to_mut()[beam.first_node..][..beam.nodes] {
                node.mass *= factor;
                node.inertia = node.inertia.map(|row| row.map(|entry| entry * factor));
            }
        }
        placed
    }

    fn put(&self, mechanism: &Mechanism, numbers: &[Number]) -> Cow<'_, [BodyQuantities]> {
        if mechanism.placing_joints().is_empty() {
            return Cow::Borrowed(&self.bodies);
        }
        let given: Vec<Initial> = self
            .bodies
            .iter()
            .zip(&mechanism.bodies)
            .map(|(q, body)| Initial {
                position: q.position,
                velocity: q.velocity,
                attitude: q.attitude,
                angular_velocity: q.angular_velocity,
                angular_velocity_axes: body.initial.angular_velocity_axes,
                given: body.initial.given,
            })
            .collect();
        let placed = placed(mechanism, &given, numbers, &self.numbers);
        let each = self.bodies.iter().zip(placed);
        each.map(|(q, start)| BodyQuantities {
            position: start.position,
            velocity: start.velocity,
            attitude: start.attitude,
            angular_velocity: start.angular_velocity,
            ..q.clone()
        })
        .collect()
    }

    /// Overwrites a target by its `target.width()` values. The whole inertia is its three diagonal
    /// entries, and its component k the entry `[k][k]`.
    pub fn set(&mut self, target: &Target, values: &[f64]) {
        let part = match target.component {
            Some(component) => component..component + 1,
            None => 0..target.quantity.width(),
        };
        let body = &mut self.bodies[target.body];
        match target.quantity {
            Quantity::Mass => body.mass = values[0],
            Quantity::Inertia => part.zip(values).for_each(|(k, &value)| body.inertia[k][k] = value),
            Quantity::CentreOfMass => body.centre_of_mass[part].copy_from_slice(values),
            Quantity::Position => body.position[part].copy_from_slice(values),
            Quantity::Velocity => body.velocity[part].copy_from_slice(values),
            Quantity::Attitude => body.attitude[part].copy_from_slice(values),
            Quantity::AngularVelocity => body.angular_velocity[part].copy_from_slice(values),
            Quantity::Gravity => self.gravity[part].copy_from_slice(values),
            // 0 - g, so that no gravity is 0, not -0.
            Quantity::GravityDown => self.gravity = [0.0, 0.0, 0.0 - values[0]],
            Quantity::LoadValue { load, piece } => self.loads[load][piece][part].copy_from_slice(values),
            Quantity::Number(number) => self.numbers[number] = values[0],
            Quantity::Step => self.step = values[0],
            // A treatment that judges the study's own may have no numbers.
            Quantity::Setting(setting) => {
                self.settings.get_mut(setting).into_iter().for_each(|own| *own = Some(values[0]));
            }
        }
    }
}
