//! Modal data of flexible bodies in a floating frame (W84): constants, shapes at points,
//! frequencies. Plain f64.
//!
//! A body is a set of particles, or of stations of an integration rule. Particle p has the mass m,
//! stands at r from the mass centre, and moves by `sum eta_i psi_i` and turns by
//! `sum eta_i theta_i` in body axes. Where these come from has one file each: [`beam`] (a uniform
//! beam), [`frame`] (nodes and members, whose modes are found here), [`modal_file`] (modes from
//! elsewhere). [`constants`] makes of them what the equations of motion need, [`attached`] the same
//! in a frame that is attached to a particle.

pub mod attached;
pub mod beam;
mod beam_functions;
pub mod constants;
mod eigen;
pub mod error;
pub mod frame;
pub mod modal_file;
mod orthonormal;

use nalgebra::Vector3;
use serde::Serialize;

use attached::Attachment;
pub use constants::{Constants, Particle};
pub use error::ModalError;

/// The floating frame in which a body deforms.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Floating {
    /// At the mass centre, placed so that no mode moves it or turns.
    Buckens,
    /// At a particle and turning with it; where that is, as the source of the modes counts (m).
    Attached([f64; 3]),
}

/// Modal data of a flexible body: its constants and how its points move.
#[derive(Clone, Debug, PartialEq)]
pub struct Modal {
    pub constants: Constants,
    points: Points,
    /// Particles of which the constants are made; none where constants are given.
    particles: Vec<Particle>,
    /// Share of each particle in `-Kg` (kg m²), of a beam that turning stiffens, see [`beam`]; else
    /// none.
    tensions: Vec<f64>,
    /// `None`: the frame is Buckens's.
    attachment: Option<Attachment>,
}

/// Points at which the shapes can be found.
#[derive(Clone, Debug, PartialEq)]
enum Points {
    /// Anywhere along the axis of a beam.
    Along(beam::Shapes),
    /// At these alone.
    At(Vec<Station>),
}

/// A point at which the shapes are known.
#[derive(Clone, Debug, PartialEq)]
pub struct Station {
    pub name: Option<String>,
    /// From the body's origin, body axes (m).
    pub at: Vector3<f64>,
    pub local: Local,
}

/// The shapes at one point.
#[derive(Clone, Debug, PartialEq)]
pub struct Local {
    /// phi: displacement with each mode (m, for a modal coordinate of 1), body axes.
    pub shapes: Vec<Vector3<f64>>,
    /// theta: small rotation with each mode (rad); `None`: not known.
    pub turns: Option<Vec<Vector3<f64>>>,
}

impl Local {
    /// The shapes at a point that moves with the floating frame.
    pub fn rigid(modes: usize) -> Local {
        Local { shapes: vec![Vector3::zeros(); modes], turns: Some(vec![Vector3::zeros(); modes]) }
    }
}

impl Modal {
    /// Modal data whose shapes are known at stations.
    pub(crate) fn of_stations(
        constants: Constants,
        particles: Vec<Particle>,
        stations: Vec<Station>,
    ) -> Modal {
        Modal { constants, points: Points::At(stations), particles, tensions: Vec::new(), attachment: None }
    }

    /// Modal data of a beam.
    fn of_beam(
        constants: Constants,
        particles: Vec<Particle>,
        tensions: Vec<f64>,
        shapes: beam::Shapes,
    ) -> Modal {
        Modal { constants, points: Points::Along(shapes), particles, tensions, attachment: None }
    }

    /// Whether the frame is attached to a particle.
    pub fn is_attached(&self) -> bool {
        self.attachment.is_some()
    }

    /// Number of modes.
    pub fn modes(&self) -> usize {
        self.constants.j1.len()
    }

    /// From where the source of the modes counts to the body's origin (m).
    fn origin(&self) -> Vector3<f64> {
        self.attachment.as_ref().map_or(Vector3::zeros(), |attachment| attachment.at)
    }

    /// The shapes at a point of the body in its floating frame, the point given from the body's
    /// origin in body axes (m).
    ///
    /// # Errors
    /// The point is no station, or off the end of the beam: says which is nearest.
    pub fn local(&self, at: [f64; 3]) -> Result<Local, ModalError> {
        let place = Vector3::from(at) + self.origin();
        let of_source = self.of_source(place)?;
        Ok(match &self.attachment {
            None => of_source,
            Some(attachment) => attachment.relative(place, of_source),
        })
    }

    /// The shapes as the source has them, at a place as it counts (m).
    fn of_source(&self, at: Vector3<f64>) -> Result<Local, ModalError> {
        /// Share of the body's size that a point may be off its station.
        const SAME_PLACE: f64 = 1e-9;
        let stations = match &self.points {
            Points::Along(beam) => return beam.local(at, self.origin()),
            Points::At(stations) => stations,
        };
        let size = stations.iter().map(|s| (s.at - stations[0].at).norm()).fold(0.0, f64::max);
        let off = |station: &Station| (station.at - at).norm();
        let Some(nearest) = stations.iter().min_by(|a, b| off(a).total_cmp(&off(b))) else {
            return Err(ModalError::NoPoints);
        };
        if off(nearest) <= SAME_PLACE * size {
            return Ok(nearest.local.clone());
        }
        Err(ModalError::NoNode { nearest: nearest.name.clone(), at: (nearest.at - self.origin()).into() })
    }

    /// Points all over the body, from its origin in body axes (m): all stations, of a beam its ends
    /// and the tenths between them.
    pub fn places(&self) -> Vec<Vector3<f64>> {
        const PARTS: u32 = 10;
        let of_source: Vec<Vector3<f64>> = match &self.points {
            Points::At(stations) => stations.iter().map(|station| station.at).collect(),
            Points::Along(beam) => {
                let half = beam.length() / 2.0;
                let place = |k| half * (2.0 * f64::from(k) / f64::from(PARTS) - 1.0);
                (0..=PARTS).map(|k| Vector3::new(place(k), 0.0, 0.0)).collect()
            }
        };
        of_source.into_iter().map(|at| at - self.origin()).collect()
    }

    /// The shapes in the floating frame at these places, and the largest distance of two of them
    /// (m).
    pub fn all_over(&self) -> (Vec<Local>, f64) {
        let places = self.places();
        let apart = |a: &Vector3<f64>| places.iter().map(|b| (a - b).norm()).fold(0.0, f64::max);
        let size = places.iter().map(apart).fold(0.0, f64::max);
        (places.iter().filter_map(|at| self.local((*at).into()).ok()).collect(), size)
    }

    /// The displacement of a point by these amplitudes (m), body axes; none where its shapes are
    /// not known.
    pub fn displacement(&self, at: [f64; 3], amplitudes: &[f64]) -> Vector3<f64> {
        let local = self.local(at).unwrap_or_else(|_| Local::rigid(self.modes()));
        local.shapes.iter().zip(amplitudes).map(|(shape, amplitude)| shape * *amplitude).sum()
    }

    /// The points that have names, with their places (m).
    pub fn named(&self) -> Vec<(String, [f64; 3])> {
        let mut named = match &self.points {
            Points::Along(beam) => beam.named(),
            Points::At(stations) => stations
                .iter()
                .filter_map(|station| Some((station.name.clone()?, station.at.into())))
                .collect(),
        };
        if let Some(attachment) = &self.attachment {
            named.iter_mut().for_each(|(_, at)| *at = (Vector3::from(*at) - attachment.at).into());
        }
        named
    }

    /// Natural angular frequencies of the free body without rotation (rad/s), ascending:
    /// `K v = w² M v`, M of an attached frame [what rigid motion leaves of
    /// it](Constants::free_modal_mass).
    pub fn frequencies(&self) -> Vec<f64> {
        match &self.attachment {
            None => self.constants.frequencies(),
            Some(_) => self.constants.frequencies_with(self.constants.free_modal_mass()),
        }
    }
}
