//! Whether flexible bodies bend by more than the linear theory of their modes describes.
//!
//! A mode moves every point along a straight line, by its shape times its amplitude. A bent beam of length L keeps its length only up to
//! about `d^2 / L` of a deflection d, so that a deflection of a tenth leaves an error of a hundredth of the length, and more of what
//! follows from it.

use nalgebra::Vector3;
use rayon::prelude::*;

use super::march::Piece;
use crate::describe::Mechanism;
use crate::model::width;
use crate::output::Bent;

/// The largest deflection, as a share of the body's size, that linear theory describes well.
pub const LARGEST: f64 = 0.1;

/// A flexible body.
struct Body {
    index: usize,
    /// Channel of its first modal coordinate.
    first: usize,
    /// Displacements of its points by mode, as shares of its size.
    shapes: Vec<Vec<Vector3<f64>>>,
}

/// The flexible bodies of a mechanism, and by how much they have bent so far.
pub struct Bending {
    bodies: Vec<Body>,
    found: Bent,
}

impl Bending {
    /// `None`: no body is flexible.
    pub fn new(mechanism: &Mechanism) -> Option<Bending> {
        let mut bodies = Vec::new();
        // Behind all frames, of each body the coordinates and then their rates.
        let mut first = width(&vec![0; mechanism.bodies.len()]);
        for (index, body) in mechanism.bodies.iter().enumerate() {
            let Some(flexible) = &body.flexible else { continue };
            let (points, size) = flexible.modal.all_over();
            let shapes = points.iter().map(|point| point.shapes.iter().map(|shape| shape / size).collect());
            bodies.push(Body { index, first, shapes: shapes.collect() });
            first += 2 * flexible.modes();
        }
        (!bodies.is_empty()).then(|| Bending { bodies, found: Bent::default() })
    }

    /// Takes in a snapshot; `largest` is the largest deflection of each instance so far, as a share, with its body.
    pub fn look(&self, pieces: &[Piece], largest: &mut [(f64, usize)]) {
        let together = pieces.first().map_or(1, Piece::instances);
        largest.par_chunks_mut(together).zip(pieces).for_each(|(largest, piece)| {
            for (i, largest) in largest.iter_mut().enumerate().filter(|(i, _)| piece.runs(*i)) {
                for body in &self.bodies {
                    let amplitude = |k: usize| piece.states()[body.first + k][i];
                    let moved = |shapes: &Vec<Vector3<f64>>| {
                        let sum: Vector3<f64> =
                            shapes.iter().enumerate().map(|(k, shape)| shape * amplitude(k)).sum();
                        sum.norm()
                    };
                    let share = body.shapes.iter().map(moved).fold(0.0, f64::max);
                    if share > largest.0 {
                        *largest = (share, body.index);
                    }
                }
            }
        });
    }

    /// Counts a chunk of instances, the first of which has this number.
    pub fn count(&mut self, first: u64, largest: &[(f64, usize)], mechanism: &Mechanism) {
        for (instance, (share, body)) in (first..).zip(largest).filter(|(_, (share, _))| *share > LARGEST) {
            self.found.instances += 1;
            if *share > self.found.share {
                self.found.share = *share;
                self.found.instance = instance;
                self.found.body = mechanism.bodies[*body].name.clone();
            }
        }
    }

    /// `None`: none bent by more than [`LARGEST`].
    pub fn found(&self) -> Option<Bent> {
        (self.found.instances > 0).then(|| self.found.clone())
    }
}
