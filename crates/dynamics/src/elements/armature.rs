//! Armature: inertia of what turns with a joint's coordinate `s` but is no body, such as a motor's
//! rotor behind a gear.
//!
//! ```text
//! T = I/2 sdot^2,   on the bodies -I sddot B^T,   sddot = B udot + Bdot u
//! ```
//!
//! B is the row of the coordinate. The bodies then are of the masses `M + B^T I B`. A rotor of
//! inertia Ir behind a gear of ratio n has `I = n² Ir`. It turns with the joint alone: what its own
//! axis turns through space counts for nothing, and so it is not in the channel `angular_momentum`.

use super::{Conditions, Configuration, ForceKind, ForceLaw, Mounting};
use crate::describe::Range::NotNegative;
use crate::describe::force::{Joins, Measure, NumberKey};
use crate::describe::{ForceCard, JointCoordinate};
use crate::force_numbers;
use crate::kinematics::body::Wrench;
use crate::kinematics::damping::Damper;
use crate::real::Real;

force_numbers! {
    /// Numbers of an armature.
    Armature {
        inertia: R = NumberKey::new(Measure::Inertia, NotNegative).required(),
            "Inertia along the coordinate, not negative: of a rotor behind a gear of ratio n, n² times its \
             own.";
    }
}

impl<R: Real> ForceKind<R> for Armature<R> {
    const CARD: &'static ForceCard = &ForceCard {
        title: "Inertia of rotors at a joint's coordinate.",
        doc: "Inertia that moves with a joint's coordinate s and is no body's, such as a rotor's: -inertia \
              d²s/dt².",
        numbers: Armature::<f64>::KEYS,
        ..ForceCard::new("armature", "armature", Joins::Coordinate)
    };

    fn law(self, mounting: Mounting<'_, R>) -> Box<dyn ForceLaw<R>> {
        Box::new(Acting { numbers: self, of: mounting.joined.coordinate() })
    }
}

/// An armature of an instance.
struct Acting<R> {
    numbers: Armature<R>,
    of: JointCoordinate,
}

impl<R: Real> ForceLaw<R> for Acting<R> {
    fn act(&self, _: &Configuration<'_, R>, _: &Conditions<'_, R>, _: &mut [Wrench<R>]) {}

    fn acts(&self, _: bool) -> bool {
        false
    }

    fn is_inertial(&self) -> bool {
        true
    }

    fn inertias(&self, configuration: &Configuration<'_, R>) -> Vec<Damper<R>> {
        vec![Damper::inertia(
            configuration.joints.coordinate(self.of, configuration.at),
            self.numbers.inertia,
        )]
    }

    fn kinetic(&self, configuration: &Configuration<'_, R>) -> Option<R> {
        let rate = configuration.joints.coordinate(self.of, configuration.at).rate(configuration.moving);
        Some(rate.lift(0.5) * self.numbers.inertia * (rate * rate))
    }
}
