//! A uniform beam along body x with its origin in the middle: free modes, or shapes found with held
//! ends.
//!
//! ```text
//! y  bending in the plane of x and y:  psi = (0, w, 0), theta = (0, 0, w')
//!                                      K = sum over the beam of EI_y w'' w''
//! z  bending in the plane of x and z:  psi = (0, 0, w), theta = (0, -w', 0)
//! axial    psi = (cos k pi xi, 0, 0)
//! torsion  theta = (cos k pi xi, 0, 0)              both of free ends
//! ```
//!
//! Shapes of one kind are made orthonormal to the rigid motions and to each other, and turned
//! within their span until K is diagonal too: free modes stay what they are. Integrals are by
//! Gauss's rule, close enough to be exact up to rounding. `masses` in place of it is the lumped
//! beam: that many equally spaced masses, the end ones half as large, joined by Euler-Bernoulli
//! elements whose rotations follow statically.
//!
//! Centrifugal stiffening: bending shortens the distance of the masses from the middle,
//! `u = -1/2 sum of (w'² + v'²)`, which is of second order like J2 and adds `-Kg diag(0, 1, 1)` to
//! it,
//!
//! ```text
//! Kg_ij = sum over the beam of T w_i' w_j',   T = 1/2 rho A (L²/4 - x²)
//! ```
//!
//! T the tension of a beam that turns about its middle with 1 rad/s. What pulls at the ends of a
//! beam is not in it.

use nalgebra::{DMatrix, DVector, Matrix3, Vector3};
use serde::Serialize;

pub use super::beam_functions::Boundary;
use super::beam_functions::{BendingFunction, gauss};
use super::eigen::free_modes;
use super::orthonormal::orthonormal;
use super::{Constants, Local, Modal, ModalError, Particle, Station};
use crate::math::symmetric::symmetric_eigen;

/// A beam as described.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModalBeam {
    /// (m)
    pub length: f64,
    /// (kg)
    pub mass: f64,
    /// Rotary inertia of all sections about the axis (kg m²).
    pub polar_inertia: f64,
    /// EI for bending in y and in z (N m²).
    pub bending_stiffness: [f64; 2],
    /// EA (N).
    pub axial_stiffness: f64,
    /// GJ (N m²).
    pub torsional_stiffness: f64,
    pub boundary: Boundary,
    /// Numbers of shapes: of bending in y, of bending in z, axial and of torsion.
    pub modes: [usize; 4],
    /// Where static forces act whose deflections are shapes too, after the others of their
    /// direction.
    pub deflections: Vec<BeamDeflection>,
    /// Number of masses of a lumped beam.
    pub masses: Option<usize>,
    pub centrifugal_stiffening: bool,
    /// The pull along the beam as it turns; for the stiffening.
    pub pull: Pull,
}

/// Where the centrifugal force of a beam that turns is borne, and about which place it turns; its
/// tension at x is that of all masses beyond, `m/(2 L) Om² ((e - a)² - (x - a)²)` with `e` the end
/// on the side of x away from where it is held.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Pull {
    pub held: BeamAnchor,
    /// a, the place on the axis from the middle (m).
    pub about: f64,
}

impl Pull {
    /// A beam that floats, or turns about its middle.
    pub const NONE: Pull = Pull { held: BeamAnchor::Nowhere, about: 0.0 };
}

/// A place of a beam.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BeamAnchor {
    Nowhere,
    Start,
    Middle,
    End,
}

impl BeamAnchor {
    /// From the middle, in lengths of the beam; the mass centre of a beam that is held nowhere.
    pub fn place(self) -> f64 {
        match self {
            BeamAnchor::Start => -0.5,
            BeamAnchor::Nowhere | BeamAnchor::Middle => 0.0,
            BeamAnchor::End => 0.5,
        }
    }
}

/// The deflection under a force across the beam.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BeamDeflection {
    /// From the middle (m).
    pub at: f64,
    pub direction: TransverseDirection,
}

/// A direction across a beam.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TransverseDirection {
    Y,
    Z,
}

/// The deformation that a shape describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Bending(TransverseDirection),
    Axial,
    Torsion,
}

/// The shapes along a beam.
#[derive(Clone, Debug, PartialEq)]
pub struct Shapes {
    length: f64,
    /// The kind of each mode, and by how much the mode consists of each function.
    modes: Vec<(Kind, Vec<(f64, BendingFunction)>)>,
}

impl Shapes {
    /// w and w' of a mode at x from the middle.
    fn function(&self, mode: usize, x: f64) -> [f64; 2] {
        let xi = x / self.length + 0.5;
        self.modes[mode].1.iter().fold([0.0; 2], |[w, slope], (share, function)| {
            let [value, rate, _] = function.at(xi);
            [w + share * value, slope + share * rate / self.length]
        })
    }

    /// The shapes at a point of the axis, or off it in the plane of its section, which stays plane.
    /// `origin`: from where the user counts (m).
    pub fn local(&self, at: Vector3<f64>, origin: Vector3<f64>) -> Result<Local, ModalError> {
        let half = self.length / 2.0;
        if at.x.abs() > half * (1.0 + 1e-9) {
            return Err(ModalError::OffTheBeam { from: -half - origin.x, to: half - origin.x });
        }
        let (mut shapes, mut turns) = (Vec::new(), Vec::new());
        for (mode, (kind, _)) in self.modes.iter().enumerate() {
            let [w, slope] = self.function(mode, at.x);
            let (shape, turn) = fields(*kind, w, slope);
            shapes.push(shape + turn.cross(&Vector3::new(0.0, at.y, at.z)));
            turns.push(turn);
        }
        Ok(Local { shapes, turns: Some(turns) })
    }

    /// (m)
    pub fn length(&self) -> f64 {
        self.length
    }

    /// The ends and the middle.
    pub fn named(&self) -> Vec<(String, [f64; 3])> {
        let half = self.length / 2.0;
        [("start", -half), ("middle", 0.0), ("end", half)]
            .map(|(name, x)| (name.to_string(), [x, 0.0, 0.0]))
            .to_vec()
    }
}

/// psi and theta of a shape, by particle.
type Fields = (Vec<Vector3<f64>>, Vec<Vector3<f64>>);

/// psi and theta of a shape with this value and slope.
fn fields(kind: Kind, w: f64, slope: f64) -> (Vector3<f64>, Vector3<f64>) {
    let none = Vector3::zeros();
    match kind {
        Kind::Bending(TransverseDirection::Y) => (Vector3::new(0.0, w, 0.0), Vector3::new(0.0, 0.0, slope)),
        Kind::Bending(TransverseDirection::Z) => (Vector3::new(0.0, 0.0, w), Vector3::new(0.0, -slope, 0.0)),
        Kind::Axial => (Vector3::new(w, 0.0, 0.0), none),
        Kind::Torsion => (none, Vector3::new(w, 0.0, 0.0)),
    }
}

impl ModalBeam {
    /// Its modal data.
    ///
    /// # Errors
    /// Shapes depend on each other, or a lumped beam lacks a requested property.
    pub fn modal(&self) -> Result<Modal, ModalError> {
        match self.masses {
            Some(masses) => self.lumped(masses),
            None => self.continuous(),
        }
    }

    fn continuous(&self) -> Result<Modal, ModalError> {
        let stations = self.stations();
        let mut modes: Vec<(Kind, Vec<(f64, BendingFunction)>)> = Vec::new();
        let mut stiffness = Vec::new();
        let kinds = [
            Kind::Bending(TransverseDirection::Y),
            Kind::Bending(TransverseDirection::Z),
            Kind::Axial,
            Kind::Torsion,
        ];
        for (kind, count) in kinds.into_iter().zip(self.modes) {
            let (rigid, shapes) = self.functions(kind, count);
            if shapes.is_empty() {
                continue;
            }
            let inertia = if kind == Kind::Torsion { self.polar_inertia } else { self.mass };
            let all: Vec<&BendingFunction> = rigid.iter().chain(&shapes).collect();
            let inner = |value: &dyn Fn(&BendingFunction, f64) -> f64| {
                let values: Vec<Vec<f64>> =
                    all.iter().map(|f| stations.iter().map(|(xi, _)| value(f, *xi)).collect()).collect();
                DMatrix::from_fn(all.len(), all.len(), |i, j| {
                    stations
                        .iter()
                        .enumerate()
                        .map(|(p, (_, w))| w * values[i][p] * values[j][p])
                        .sum::<f64>()
                })
            };
            let mass = inner(&|f, xi| f.at(xi)[0]) * inertia;
            let l = self.length;
            let strain = match kind {
                Kind::Bending(direction) => {
                    inner(&|f, xi| f.at(xi)[2]) * (self.bending_stiffness[direction as usize] / l.powi(3))
                }
                Kind::Axial => inner(&|f, xi| f.at(xi)[1]) * (self.axial_stiffness / l),
                Kind::Torsion => inner(&|f, xi| f.at(xi)[1]) * (self.torsional_stiffness / l),
            };
            let names = ["bending in y", "bending in z", "axial", "torsion"];
            let name = names[kinds.iter().position(|k| *k == kind).unwrap_or(0)];
            let t = orthonormal(&mass, rigid.len())
                .map_err(|shape| ModalError::DependentBeamShape { shape, kind: name })?;
            // Within their span, so that K is diagonal too. Modes of free ends are this already,
            // and keep their digits.
            let k = &t * strain * t.transpose();
            let eigen = symmetric_eigen(k).ok_or(ModalError::TooLarge("stiffness"))?;
            let mut order: Vec<usize> = (0..shapes.len()).collect();
            order.sort_by(|a, b| eigen.eigenvalues[*a].total_cmp(&eigen.eigenvalues[*b]));
            for of in order {
                let shares = eigen.eigenvectors.column(of).transpose() * &t;
                let mut parts: Vec<(f64, BendingFunction)> =
                    shares.iter().copied().zip(all.iter().map(|f| (*f).clone())).collect();
                if ends_below(&parts) {
                    parts.iter_mut().for_each(|(share, _)| *share = -*share);
                }
                modes.push((kind, parts));
                stiffness.push(eigen.eigenvalues[of]);
            }
        }
        let shapes = Shapes { length: self.length, modes };
        let n = shapes.modes.len();
        let particles: Vec<Particle> = stations
            .iter()
            .map(|(xi, weight)| {
                let x = (xi - 0.5) * self.length;
                let fields_of = |mode: usize| {
                    let [w, slope] = shapes.function(mode, x);
                    fields(shapes.modes[mode].0, w, slope)
                };
                let (psi, theta) = (0..n).map(fields_of).unzip();
                self.particle(x, *weight, psi, theta)
            })
            .collect();
        let mut constants = Constants::of(&particles, DMatrix::from_diagonal(&DVector::from_vec(stiffness)))
            .map_err(|found| self.explained(found))?;
        let mut tensions = Vec::new();
        if self.centrifugal_stiffening {
            let tension = |(xi, weight): &(f64, f64)| {
                let (x, a) = ((xi - 0.5) * self.length, self.pull.about);
                let end =
                    if xi - 0.5 < self.pull.held.place() { -self.length / 2.0 } else { self.length / 2.0 };
                weight * (self.mass / 2.0 * ((end - a).powi(2) - (x - a).powi(2)))
            };
            tensions = stations.iter().map(tension).collect();
            for i in 0..n {
                for j in 0..n {
                    let bending = |mode: usize| matches!(shapes.modes[mode].0, Kind::Bending(_));
                    if !(bending(i) && bending(j)) || shapes.modes[i].0 != shapes.modes[j].0 {
                        continue;
                    }
                    let stiffening = |((xi, _), tension): (&(f64, f64), &f64)| {
                        let x = (xi - 0.5) * self.length;
                        tension * shapes.function(i, x)[1] * shapes.function(j, x)[1]
                    };
                    let kg: f64 = stations.iter().zip(&tensions).map(stiffening).sum();
                    constants.j2[i][j] -= Matrix3::from_diagonal(&Vector3::new(0.0, kg, kg));
                }
            }
        }
        Ok(Modal::of_beam(constants, particles, tensions, shapes))
    }

    /// The rigid fields and the shapes of one kind.
    fn functions(&self, kind: Kind, count: usize) -> (Vec<BendingFunction>, Vec<BendingFunction>) {
        match kind {
            Kind::Bending(direction) => {
                let modes = (1..=count).map(|k| BendingFunction::mode(self.boundary, k));
                let at = |d: &BeamDeflection| d.at / self.length + 0.5;
                let forces = self.deflections.iter().filter(|d| d.direction == direction);
                let deflections = forces.filter_map(|d| BendingFunction::under_force(self.boundary, at(d)));
                (vec![BendingFunction::Shift, BendingFunction::Turn], modes.chain(deflections).collect())
            }
            Kind::Axial | Kind::Torsion => (
                vec![BendingFunction::Shift],
                (1..=count).map(|k| BendingFunction::Cosine { half_waves: k as f64 }).collect(),
            ),
        }
    }

    /// xi and weight of the stations.
    fn stations(&self) -> Vec<(f64, f64)> {
        let kinds =
            [Kind::Bending(TransverseDirection::Y), Kind::Bending(TransverseDirection::Z), Kind::Axial];
        let counts = [self.modes[0], self.modes[1], self.modes[2].max(self.modes[3])];
        let shapes = kinds.into_iter().zip(counts).flat_map(|(kind, count)| self.functions(kind, count).1);
        let waviness = shapes.map(|f| f.waviness()).fold(1.0, f64::max);
        let mut cuts: Vec<f64> = self.deflections.iter().map(|d| d.at / self.length + 0.5).collect();
        cuts.extend([0.0, 1.0]);
        if self.centrifugal_stiffening {
            // The tension jumps there.
            cuts.push(self.pull.held.place() + 0.5);
        }
        cuts.sort_by(f64::total_cmp);
        cuts.dedup();
        let rule = gauss();
        let mut stations = Vec::new();
        for piece in cuts.windows(2) {
            let length = piece[1] - piece[0];
            let panels = (waviness * length / 3.0).ceil().max(1.0);
            for p in 0..panels as usize {
                let place = |x: f64| piece[0] + length * (p as f64 + x) / panels;
                stations.extend(rule.iter().map(|(x, w)| (place(*x), w * length / panels)));
            }
        }
        stations
    }

    fn particle(&self, x: f64, share: f64, shapes: Vec<Vector3<f64>>, turns: Vec<Vector3<f64>>) -> Particle {
        Particle {
            mass: self.mass * share,
            at: Vector3::new(x, 0.0, 0.0),
            inertia: Matrix3::from_diagonal(&Vector3::new(self.polar_inertia * share, 0.0, 0.0)),
            shapes,
            turns,
        }
    }

    fn explained(&self, found: ModalError) -> ModalError {
        if self.polar_inertia == 0.0 { ModalError::NoPolarInertia } else { found }
    }

    /// The beam of `masses` equally spaced masses.
    fn lumped(&self, masses: usize) -> Result<Modal, ModalError> {
        let apart = self.length / (masses - 1) as f64;
        let x: Vec<f64> = (0..masses).map(|p| p as f64 * apart - self.length / 2.0).collect();
        let end = |p: usize| p == 0 || p == masses - 1;
        let share: Vec<f64> =
            (0..masses).map(|p| if end(p) { 0.5 } else { 1.0 } / (masses - 1) as f64).collect();
        let element = |ei: f64| {
            let (h, k) = (apart, ei / apart.powi(3));
            DMatrix::from_row_slice(
                4,
                4,
                &[
                    12.0,
                    6.0 * h,
                    -12.0,
                    6.0 * h,
                    6.0 * h,
                    4.0 * h * h,
                    -6.0 * h,
                    2.0 * h * h,
                    -12.0,
                    -6.0 * h,
                    12.0,
                    -6.0 * h,
                    6.0 * h,
                    2.0 * h * h,
                    -6.0 * h,
                    4.0 * h * h,
                ],
            ) * k
        };
        let mut columns: Vec<Fields> = Vec::new();
        let mut stiffness = Vec::new();
        for (direction, count) in [TransverseDirection::Y, TransverseDirection::Z].into_iter().zip(self.modes)
        {
            if count == 0 {
                continue;
            }
            let mut k = DMatrix::zeros(2 * masses, 2 * masses);
            let of_element = element(self.bending_stiffness[direction as usize]);
            for e in 0..masses - 1 {
                let mut part = k.view_mut((2 * e, 2 * e), (4, 4));
                part += &of_element;
            }
            let m =
                DVector::from_fn(2 * masses, |i, _| if i % 2 == 0 { self.mass * share[i / 2] } else { 0.0 });
            let shapes = free_modes(&k, &m, 2, count)?;
            for shape in shapes.column_iter() {
                let last = shape[2 * masses - 2];
                let sign = if last < 0.0 { -1.0 } else { 1.0 };
                let fields_at =
                    |p: usize| fields(Kind::Bending(direction), sign * shape[2 * p], sign * shape[2 * p + 1]);
                columns.push((0..masses).map(fields_at).unzip());
                stiffness.push(shape.dot(&(&k * shape)));
            }
        }
        let n = columns.len();
        let at = |p: usize, which: fn(&Fields) -> &Vec<Vector3<f64>>| {
            columns.iter().map(|column| which(column)[p]).collect::<Vec<_>>()
        };
        // Sections have rotary inertia about the axis alone, and the beam does not twist: turns
        // matter to its points only.
        let particles: Vec<Particle> = (0..masses)
            .map(|p| self.particle(x[p], share[p], at(p, |c| &c.0), vec![Vector3::zeros(); n]))
            .collect();
        let constants = Constants::of(&particles, DMatrix::from_diagonal(&DVector::from_vec(stiffness)))
            .map_err(|found| self.explained(found))?;
        let name = |p: usize| match p {
            0 => Some("start".to_string()),
            p if p == masses - 1 => Some("end".to_string()),
            p if 2 * p == masses - 1 => Some("middle".to_string()),
            _ => None,
        };
        let stations = (0..masses)
            .map(|p| Station {
                name: name(p),
                at: particles[p].at,
                local: Local { shapes: particles[p].shapes.clone(), turns: Some(at(p, |c| &c.1)) },
            })
            .collect();
        Ok(Modal::of_stations(constants, particles, stations))
    }
}

/// Whether a shape ends below zero, or with a slope below zero where it ends at zero.
fn ends_below(parts: &[(f64, BendingFunction)]) -> bool {
    let sum = |order: usize| parts.iter().map(|(share, f)| share * f.at(1.0)[order]).sum::<f64>();
    let size = parts.iter().map(|(share, _)| share.abs()).fold(0.0, f64::max);
    let (value, slope) = (sum(0), sum(1));
    if value.abs() > 1e-9 * size { value < 0.0 } else { slope < 0.0 }
}
