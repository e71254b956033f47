//! The numbers of a mechanism that an ensemble can vary, for one instance, as described: nothing is resolved yet
//! (inertia not turned to principal axes, angular velocity still in the axes the user chose).

use crate::describe::{Mechanism, Quantity, SpringPart, Target};

/// All quantities of the mechanism for one instance: nominal values, overwritten by the drawn numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantities {
    pub bodies: Vec<BodyQuantities>,
    /// Space axes (m/s²).
    pub gravity: [f64; 3],
    /// `[load][piece]` (N or N m).
    pub loads: Vec<Vec<[f64; 3]>>,
    pub springs: Vec<SpringQuantities>,
}

/// Those of one body.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyQuantities {
    /// (kg)
    pub mass: f64,
    /// About the point and in the axes of the description (kg m²).
    pub inertia: [[f64; 3]; 3],
    /// From the body's origin, body axes (m).
    pub centre_of_mass: [f64; 3],
    /// Of the body's origin, space axes (m).
    pub position: [f64; 3],
    /// Of the body's origin, space axes (m/s).
    pub velocity: [f64; 3],
    /// Unit quaternion, body to space, scalar first.
    pub attitude: [f64; 4],
    /// In the axes of the description (rad/s).
    pub angular_velocity: [f64; 3],
}

/// Those of one spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringQuantities {
    /// (N/m)
    pub stiffness: f64,
    /// (N s/m)
    pub damping: f64,
    /// (m)
    pub free_length: f64,
    /// (N)
    pub actuator: f64,
}

impl Quantities {
    /// The values of the description.
    pub fn nominal(mechanism: &Mechanism) -> Self {
        Quantities {
            bodies: mechanism
                .bodies
                .iter()
                .map(|body| BodyQuantities {
                    mass: body.mass,
                    inertia: body.inertia,
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
            springs: mechanism
                .springs
                .iter()
                .map(|spring| SpringQuantities {
                    stiffness: spring.stiffness,
                    damping: spring.damping,
                    free_length: spring.free_length,
                    actuator: spring.actuator,
                })
                .collect(),
        }
    }

    /// Overwrites a target by its `target.width()` values. The whole inertia is its three diagonal entries, and its
    /// component k the entry `[k][k]`.
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
            Quantity::LoadValue { load, piece } => self.loads[load][piece][part].copy_from_slice(values),
            Quantity::Spring { spring, part } => {
                let spring = &mut self.springs[spring];
                match part {
                    SpringPart::Stiffness => spring.stiffness = values[0],
                    SpringPart::Damping => spring.damping = values[0],
                    SpringPart::FreeLength => spring.free_length = values[0],
                    SpringPart::Actuator => spring.actuator = values[0],
                }
            }
        }
    }
}
