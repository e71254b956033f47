//! The parts of a beam: nodes, which are rigid bodies, and elements between them.
//!
//! The beam is cut halfway between its nodes, and each node is the piece about it, as rigid body:
//! `rho A l` and half of it at the ends, with the moments of inertia of a rod besides those of the
//! cross section. So mass, mass centre and moments of inertia of the whole are exact. (Point masses
//! `rho A l` would have `rho A L l²/6` too much about an axis across, and with the section's
//! inertia alone the nodes of a slender beam would turn so fast against each other that no explicit
//! method could follow.) A node's origin is where its elements meet: at the ends of the beam, not
//! in the piece's middle.

use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

use super::mechanism::{Axes, Beam, BeamElement, Body, Given, InertiaAbout, Initial, Support};
use super::point::Point;

impl Beam {
    /// The length of an element (m).
    pub fn element_length(&self) -> f64 {
        (Vector3::from(self.to) - Vector3::from(self.from)).norm() / self.elements as f64
    }

    /// The section's axes: x along the beam, y and z; space axes.
    pub fn frame(&self) -> [[f64; 3]; 3] {
        let x = (Vector3::from(self.to) - Vector3::from(self.from)).normalize();
        let y = Vector3::from(self.reference);
        // The sum turns -0 into 0.
        [x, y, x.cross(&y)].map(|axis| axis.map(|component| component + 0.0).into())
    }

    /// The body that is node `k` of 0 to `elements`; `None`: that end is clamped.
    pub fn node(&self, k: usize) -> Option<usize> {
        let (first, last) = (usize::from(self.clamped[0]), self.elements - usize::from(self.clamped[1]));
        (first..=last).contains(&k).then(|| self.first_node + k - first)
    }

    /// The nodes, as bodies `NAME.0` to `NAME.n` without those that are clamped.
    pub fn bodies(&self) -> Vec<Body> {
        (0..=self.elements).filter(|k| self.node(*k).is_some()).map(|k| self.body(k)).collect()
    }

    fn body(&self, k: usize) -> Body {
        let (from, to) = (Vector3::from(self.from), Vector3::from(self.to));
        let length = self.element_length();
        let (piece, centre) = match k {
            0 => (length / 2.0, length / 4.0),
            k if k == self.elements => (length / 2.0, -length / 4.0),
            _ => (length, 0.0),
        };
        let moves = self.velocity != [0.0; 3] || self.angular_velocity != [0.0; 3];
        let mass = self.mass_per_length * piece;
        let rod = mass * piece * piece / 12.0;
        let [about_y, about_z] = self.rotary_inertia.map(|per_length| per_length * piece);
        let moments = [about_y + about_z, about_y + rod, about_z + rod];
        // Both ends exactly.
        let share = k as f64 / self.elements as f64;
        let position = from * (1.0 - share) + to * share;
        let spin = Vector3::from(self.angular_velocity);
        let columns = self.frame().map(Vector3::from);
        let turn = Rotation3::from_matrix_unchecked(Matrix3::from_columns(&columns));
        let q = UnitQuaternion::from_rotation_matrix(&turn);
        Body {
            name: format!("{}.{k}", self.name),
            mass,
            inertia: [0, 1, 2].map(|i| [0, 1, 2].map(|j| if i == j { moments[i] } else { 0.0 })),
            inertia_axes: [1.0, 0.0, 0.0, 0.0],
            inertia_about: InertiaAbout::MassCentre,
            centre_of_mass: [centre, 0.0, 0.0],
            support: Support::Free,
            is_point: false,
            flexible: None,
            initial: Initial {
                position: position.into(),
                velocity: (Vector3::from(self.velocity) + spin.cross(&(position - from))).into(),
                attitude: [q.w, q.i, q.j, q.k],
                angular_velocity: self.angular_velocity,
                angular_velocity_axes: Axes::Space,
                // A beam at rest, as it is by default, says nothing of its rates.
                given: Given { velocity: moves, angular_velocity: moves, ..Given::ALL },
            },
        }
    }

    /// Its elements; it is beam number `index`.
    pub fn beam_elements(&self, index: usize) -> Vec<BeamElement> {
        let own = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let side = |k: usize| match self.node(k) {
            Some(body) => (Point { body: Some(body), at: [0.0; 3] }, own),
            None => (Point { body: None, at: if k == 0 { self.from } else { self.to } }, self.frame()),
        };
        let element = |k: usize| {
            let [(a, frame_a), (b, frame_b)] = [side(k), side(k + 1)];
            BeamElement {
                name: format!("{}.{k}-{}", self.name, k + 1),
                points: [a, b],
                frames: [frame_a, frame_b],
                length: self.element_length(),
                section: self.section,
                beam: Some(index),
            }
        };
        (0..self.elements).map(element).collect()
    }
}
