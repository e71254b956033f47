//! Whether flexible bodies bend by more than the linear theory of their modes describes, and beam
//! elements by more than one element should.
//!
//! A mode moves every point along a straight line, by its shape times its amplitude. A bent beam of
//! length L keeps its length only up to about `d^2 / L` of a deflection d, so that a deflection of
//! a tenth leaves an error of a hundredth of the length, and more of what follows from it.
//!
//! A beam element turns its nodes by any angle, but has one strain and one curvature for its whole
//! length. Where one node is a tenth of the length beside the undeformed element that the other one
//! carries, its chord is shorter than the arc by 0.7 %, and the constant curvature hides how the
//! true one changes: several shorter elements describe that.

use nalgebra::Vector3;
use rayon::prelude::*;

use super::march::Piece;
use crate::backend::Plan;
use crate::describe::{self, Level, Mechanism, Study};
use crate::elements::beam_element::TimoshenkoElement;
use crate::flexible::Modal;
use crate::model::{Model, width};
use crate::output::LargeDeflections;
use crate::treatments;

/// The largest deflection, as a share of the size, that linear theory, or one element, describes
/// well.
pub const LARGEST: f64 = 0.1;

/// A sentence for every body whose mass matrix is none before it bends by [`LARGEST`], where
/// multipliers are solved for by it: W84's level 2 in an attached frame with centrifugal
/// stiffening.
pub fn indefinite(study: &Study) -> Vec<String> {
    let mechanism = &study.mechanism;
    let solves = treatments::CARDS.iter().any(|card| card.name == study.constraints.treatment && card.solves);
    if !solves || !mechanism.is_held() {
        return Vec::new();
    }
    // Studies of steady states have no treatment to choose.
    let (solution, others) = match study.kind.steady() {
        Some(_) => ("the solution".to_string(), ""),
        None => (format!("treatment \"{}\"", study.constraints.treatment), ", or treatment = \"staggered\""),
    };
    let warning = |body: &describe::Body| {
        let flexible = body.flexible.as_ref().filter(|flexible| flexible.level == Level::Two)?;
        let (mode, share) = first_indefinite(&flexible.modal)?;
        Some(format!(
            "`{}`: {solution} breaks down where the body bends by about {:.1} % of its size (in the shape of \
             mode {mode}), because its mass matrix is no longer positive definite there: in an attached \
             frame, level 2 takes centrifugal stiffening from the inertia. If it bends that far, set level \
             = \"3/2\", frame = \"buckens\"{others}",
            body.name,
            100.0 * share
        ))
    };
    mechanism.bodies.iter().filter_map(warning).collect()
}

/// The mode, counted from 1, along which the mass matrix ceases to be positive definite first, and
/// the deflection there as a share of the size; `None`: not before [`LARGEST`].
fn first_indefinite(modal: &Modal) -> Option<(usize, f64)> {
    const PARTS: u32 = 100;
    if !modal.is_attached() {
        return None;
    }
    let (points, size) = modal.all_over();
    let largest = |k: usize| points.iter().map(|point| point.shapes[k].norm() / size).fold(0.0, f64::max);
    let breakdown = |(part, k): (u32, usize)| {
        let share = LARGEST * f64::from(part) / f64::from(PARTS);
        let definite = |sign: f64| {
            let amplitude = |i: usize| if i == k { sign * share / largest(k) } else { 0.0 };
            modal.constants.is_definite_at(&(0..modal.modes()).map(amplitude).collect::<Vec<f64>>())
        };
        (!(definite(1.0) && definite(-1.0))).then_some((k + 1, share))
    };
    (1..=PARTS)
        .flat_map(|part| (0..modal.modes()).map(move |k| (part, k)))
        .filter(|(_, k)| largest(*k) > 0.0)
        .find_map(breakdown)
}

/// A flexible body.
#[derive(Clone)]
struct Body {
    index: usize,
    /// Channel of its first modal coordinate.
    first: usize,
    /// Displacements of its points by mode, as shares of its size.
    shapes: Vec<Vec<Vector3<f64>>>,
}

/// A flexible body or a beam element, by its place in the mechanism.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FlexiblePart {
    #[default]
    Nothing,
    Body(usize),
    Element(usize),
}

/// The flexible bodies and beam elements of a mechanism, and by how much they have bent so far.
#[derive(Clone)]
pub struct Bending {
    model: Model,
    bodies: Vec<Body>,
    /// With nominal points and lengths.
    elements: Vec<TimoshenkoElement<f64>>,
    found: LargeDeflections,
}

impl Bending {
    /// `None`: nothing bends.
    pub fn new(plan: &Plan) -> Option<Bending> {
        let mechanism = plan.model.mechanism();
        let mut bodies = Vec::new();
        // Behind all frames, of each body the coordinates and then their rates.
        let mut first = width(&vec![0; mechanism.bodies.len()]);
        for ((index, body), channels) in mechanism.bodies.iter().enumerate().zip(plan.model.modes()) {
            if let Some(flexible) = &body.flexible {
                let (points, size) = flexible.modal.all_over();
                let shapes =
                    points.iter().map(|point| point.shapes.iter().map(|shape| shape / size).collect());
                bodies.push(Body { index, first, shapes: shapes.collect() });
            }
            // A rigid body may carry states of laws there.
            first += 2 * channels;
        }
        let elements = plan.model.beam_elements(&|p| plan.constants[p]);
        let bends = !bodies.is_empty() || !elements.is_empty();
        bends.then(|| Bending {
            model: plan.model.clone(),
            bodies,
            elements,
            found: LargeDeflections::default(),
        })
    }

    /// Takes in a snapshot; `largest` is the largest deflection of each instance so far, as a
    /// share, with what bends.
    pub fn look(&self, pieces: &[Piece], largest: &mut [(f64, FlexiblePart)]) {
        let together = pieces.first().map_or(1, Piece::instances);
        largest.par_chunks_mut(together).zip(pieces).for_each(|(largest, piece)| {
            for (i, largest) in largest.iter_mut().enumerate().filter(|(i, _)| piece.runs(*i)) {
                let now = self.largest(piece, i);
                if now.0 > largest.0 {
                    *largest = now;
                }
            }
        });
    }

    /// The largest deflection in the piece's i-th instance.
    fn largest(&self, piece: &Piece, i: usize) -> (f64, FlexiblePart) {
        let mut largest = (0.0, FlexiblePart::Nothing);
        let mut take = |share: f64, bends: FlexiblePart| {
            if share > largest.0 {
                largest = (share, bends);
            }
        };
        for body in &self.bodies {
            let amplitude = |k: usize| piece.states()[body.first + k][i];
            let moved = |shapes: &Vec<Vector3<f64>>| {
                let sum: Vector3<f64> =
                    shapes.iter().enumerate().map(|(k, shape)| shape * amplitude(k)).sum();
                sum.norm()
            };
            take(body.shapes.iter().map(moved).fold(0.0, f64::max), FlexiblePart::Body(body.index));
        }
        if !self.elements.is_empty() {
            let state: Vec<f64> = piece.states().iter().map(|channel| channel[i]).collect();
            let motions = self.model.motions(&state);
            for (k, element) in self.elements.iter().enumerate() {
                take(element.deflection(&motions), FlexiblePart::Element(k));
            }
        }
        largest
    }

    /// Counts a chunk of instances, the first of which has this number.
    pub fn count(&mut self, first: u64, largest: &[(f64, FlexiblePart)], mechanism: &Mechanism) {
        for (instance, (share, bends)) in (first..).zip(largest).filter(|(_, (share, _))| *share > LARGEST) {
            let (body, of_element) = match bends {
                FlexiblePart::Nothing => continue,
                FlexiblePart::Body(k) => (mechanism.bodies[*k].name.clone(), false),
                FlexiblePart::Element(k) => (mechanism.beam_elements[*k].name.clone(), true),
            };
            self.found.merge(&LargeDeflections { instances: 1, share: *share, instance, body, of_element });
        }
    }

    /// Takes in what was found of other instances, which come after those so far.
    pub fn absorb(&mut self, found: &LargeDeflections) {
        self.found.merge(found);
    }

    /// `None`: none bent by more than [`LARGEST`].
    pub fn found(&self) -> Option<LargeDeflections> {
        (self.found.instances > 0).then(|| self.found.clone())
    }
}
