//! Modal data from elsewhere (`docs/flexible-bodies.md`): nodes with masses and mode shapes, or the
//! constants themselves, as JSON says them.

use nalgebra::{DMatrix, Matrix3, Vector3};
use serde::{Deserialize, Serialize};

use super::orthonormal::orthonormal;
use super::{Constants, Local, Modal, ModalError, Particle, Station};
use crate::math::inertia::matrix;

/// Most of their mass that two modes with frequencies may have in common. Data of lumped masses,
/// made from modes of others, have some; it moves frequencies by about its square, 1 %.
const IN_COMMON: f64 = 0.1;

/// The content of a file of modal data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ModalFile {
    Nodes(Nodes),
    Constants(Box<GivenConstants>),
}

/// Modes of a finite-element model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nodes {
    pub nodes: Vec<ModalNode>,
    /// Frequency of each mode, with the modal mass that nodes and shapes give it (Hz).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frequencies: Option<Vec<f64>>,
    /// K_ij, instead of frequencies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<Vec<Vec<f64>>>,
    /// The shapes are to be freed of rigid motion and made orthonormal.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub orthonormalise: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModalNode {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// From the body's origin, body axes (m).
    pub at: [f64; 3],
    /// (kg)
    #[serde(default)]
    pub mass: f64,
    /// Rotary inertia about its own centre, body axes (kg m²).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inertia: Option<[[f64; 3]; 3]>,
    /// Displacement with each mode.
    pub shapes: Vec<[f64; 3]>,
    /// Rotation with each mode (rad).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns: Option<Vec<[f64; 3]>>,
}

/// The constants of [`Constants`], by the names of W84.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GivenConstants {
    /// (kg)
    pub mass: f64,
    /// From the body's origin, body axes (m).
    #[serde(default)]
    pub centre_of_mass: [f64; 3],
    /// J0, about the mass centre (kg m²).
    #[serde(rename = "J0")]
    pub j0: [[f64; 3]; 3],
    #[serde(rename = "J1")]
    pub j1: Vec<[[f64; 3]; 3]>,
    #[serde(rename = "J2")]
    pub j2: Vec<Vec<[[f64; 3]; 3]>>,
    #[serde(rename = "G")]
    pub g: Vec<Vec<[f64; 3]>>,
    /// `s_i = sum m psi_i / M` of shapes in an attached frame; left out: zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub s: Option<Vec<[f64; 3]>>,
    /// About the mass centre; the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alpha: Option<Vec<[f64; 3]>>,
    pub modal_mass: Vec<Vec<f64>>,
    pub modal_stiffness: Vec<Vec<f64>>,
    #[serde(default)]
    pub points: Vec<GivenPoint>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GivenPoint {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// From the body's origin, body axes (m).
    pub at: [f64; 3],
    pub shapes: Vec<[f64; 3]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns: Option<Vec<[f64; 3]>>,
}

impl ModalFile {
    /// Reads JSON text.
    ///
    /// # Errors
    /// It is no JSON, or not this: says where and what.
    pub fn parse(text: &str) -> Result<ModalFile, ModalError> {
        // Each form by itself: the message of an untagged enum would say nothing.
        let value: serde_json::Value =
            serde_json::from_str(text).map_err(|error| ModalError::NoJson(error.to_string()))?;
        let wrong = |error: serde_json::Error| ModalError::Json(error.to_string());
        if value.get("nodes").is_some() {
            return serde_json::from_str(text).map(ModalFile::Nodes).map_err(wrong);
        }
        if value.get("modal_mass").is_some() {
            return serde_json::from_str(text).map(ModalFile::Constants).map_err(wrong);
        }
        Err(ModalError::NeitherForm)
    }

    /// The file's text again.
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("numbers and texts have a form in JSON")
    }

    /// Returns the modal data that the file describes.
    ///
    /// # Errors
    /// Lengths do not fit, a mass is negative, the shapes depend on each other, the stiffness is
    /// indefinite.
    pub fn modal(&self) -> Result<Modal, ModalError> {
        match self {
            ModalFile::Nodes(nodes) => nodes.modal(),
            ModalFile::Constants(given) => given.modal(),
        }
    }
}

fn square(rows: &[Vec<f64>], modes: usize, name: &'static str) -> Result<DMatrix<f64>, ModalError> {
    if rows.len() != modes || rows.iter().any(|row| row.len() != modes) {
        return Err(ModalError::NotSquare { name, modes });
    }
    Ok(DMatrix::from_fn(modes, modes, |i, j| rows[i][j]))
}

/// That names of points are different, so that each says one place.
fn different<'n>(names: impl Iterator<Item = &'n Option<String>>) -> Result<(), ModalError> {
    let mut taken = std::collections::HashSet::new();
    match names.flatten().find(|name| !taken.insert(name.as_str())) {
        Some(name) => Err(ModalError::SameName { name: name.clone() }),
        None => Ok(()),
    }
}

fn vectors(all: &[[f64; 3]]) -> Vec<Vector3<f64>> {
    all.iter().map(|v| Vector3::from(*v)).collect()
}

impl Nodes {
    fn modal(&self) -> Result<Modal, ModalError> {
        let Some(first) = self.nodes.first() else { return Err(ModalError::NoNodes) };
        let modes = first.shapes.len();
        different(self.nodes.iter().map(|node| &node.name))?;
        for (p, node) in self.nodes.iter().enumerate() {
            let turns = node.turns.as_ref().map_or(modes, Vec::len);
            if node.shapes.len() != modes || turns != modes {
                return Err(ModalError::NodeShapes { node: p, shapes: node.shapes.len(), turns, modes });
            }
            if !(node.mass >= 0.0 && node.mass.is_finite()) {
                return Err(ModalError::NodeMass { node: p, mass: node.mass });
            }
        }
        let mut particles: Vec<Particle> = self
            .nodes
            .iter()
            .map(|node| Particle {
                mass: node.mass,
                at: Vector3::from(node.at),
                inertia: node.inertia.as_ref().map_or(Matrix3::zeros(), matrix),
                shapes: vectors(&node.shapes),
                turns: node.turns.as_ref().map_or(vec![Vector3::zeros(); modes], |turns| vectors(turns)),
            })
            .collect();
        let mut stiffness = match (&self.stiffness, &self.frequencies) {
            (Some(rows), None) => square(rows, modes, "stiffness")?,
            (None, Some(frequencies)) => {
                if frequencies.len() != modes {
                    return Err(ModalError::FrequencyCount { frequencies: frequencies.len(), modes });
                }
                if let Some(wrong) = frequencies.iter().find(|f| !(**f >= 0.0 && f.is_finite())) {
                    return Err(ModalError::Frequency { frequency: *wrong });
                }
                let modal_mass = DMatrix::from_fn(modes, modes, |i, j| {
                    let kinetic = |p: &Particle| {
                        p.mass * p.shapes[i].dot(&p.shapes[j]) + p.turns[i].dot(&(p.inertia * p.turns[j]))
                    };
                    particles.iter().map(kinetic).sum::<f64>()
                });
                apart(&modal_mass)?;
                let stiffness =
                    |(i, f): (usize, &f64)| modal_mass[(i, i)] * (std::f64::consts::TAU * f).powi(2);
                let diagonal: Vec<f64> = frequencies.iter().enumerate().map(stiffness).collect();
                DMatrix::from_diagonal(&nalgebra::DVector::from_vec(diagonal))
            }
            _ => return Err(ModalError::StiffnessOrFrequencies),
        };
        if self.orthonormalise {
            stiffness = orthonormalise(&mut particles, &stiffness)?;
        }
        let constants = Constants::of(&particles, stiffness)?;
        let stations = self
            .nodes
            .iter()
            .zip(&particles)
            .map(|(node, particle)| Station {
                name: node.name.clone(),
                at: particle.at,
                local: Local {
                    shapes: particle.shapes.clone(),
                    turns: node.turns.is_some().then(|| particle.turns.clone()),
                },
            })
            .collect();
        Ok(Modal::of_stations(constants, particles, stations))
    }
}

/// Whether shapes are modes to which frequencies can belong: orthogonal to each other.
fn apart(modal_mass: &DMatrix<f64>) -> Result<(), ModalError> {
    let modes = modal_mass.nrows();
    let pairs = (0..modes).flat_map(|j| (0..j).map(move |i| (i, j)));
    let share = |(i, j)| modal_mass[(i, j)].abs() / (modal_mass[(i, i)] * modal_mass[(j, j)]).sqrt();
    match pairs.map(|pair| (pair, share(pair))).find(|(_, share)| *share > IN_COMMON) {
        None => Ok(()),
        Some(((i, j), share)) => {
            Err(ModalError::NotApart { modes: [i + 1, j + 1], share, allowed: IN_COMMON })
        }
    }
}

/// Makes the shapes of particles orthonormal to rigid motion and each other; their stiffness then.
fn orthonormalise(particles: &mut [Particle], stiffness: &DMatrix<f64>) -> Result<DMatrix<f64>, ModalError> {
    let modes = stiffness.nrows();
    let mass: f64 = particles.iter().map(|p| p.mass).sum();
    let centre = particles.iter().map(|p| p.mass * p.at).sum::<Vector3<f64>>() / mass;
    let field = |p: &Particle, k: usize| match k {
        0..3 => (Vector3::ith(k, 1.0), Vector3::zeros()),
        3..6 => (Vector3::ith(k - 3, 1.0).cross(&(p.at - centre)), Vector3::ith(k - 3, 1.0)),
        _ => (p.shapes[k - 6], p.turns[k - 6]),
    };
    let gram = DMatrix::from_fn(6 + modes, 6 + modes, |i, j| {
        let kinetic = |p: &Particle| {
            let ((a, turn_a), (b, turn_b)) = (field(p, i), field(p, j));
            p.mass * a.dot(&b) + turn_a.dot(&(p.inertia * turn_b))
        };
        particles.iter().map(kinetic).sum()
    });
    let t = orthonormal(&gram, 6).map_err(|mode| ModalError::DependentMode { mode })?;
    for particle in particles.iter_mut() {
        let fields: Vec<_> = (0..6 + modes).map(|k| field(particle, k)).collect();
        for i in 0..modes {
            let share = |k: usize| t[(i, k)];
            particle.shapes[i] = fields.iter().enumerate().map(|(k, f)| share(k) * f.0).sum();
            particle.turns[i] = fields.iter().enumerate().map(|(k, f)| share(k) * f.1).sum();
        }
    }
    let elastic = t.columns(6, modes);
    let back = elastic.transpose();
    Ok(elastic * stiffness * back)
}

impl GivenConstants {
    fn modal(&self) -> Result<Modal, ModalError> {
        let modes = self.j1.len();
        let none = || vec![[0.0; 3]; modes];
        let [s, alpha] = [&self.s, &self.alpha].map(|given| given.clone().unwrap_or_else(none));
        let lengths = [("J2", self.j2.len()), ("G", self.g.len()), ("s", s.len()), ("alpha", alpha.len())];
        if let Some((name, found)) = lengths.into_iter().find(|(_, length)| *length != modes) {
            return Err(ModalError::RowCount { name, found, modes });
        }
        if self.j2.iter().any(|row| row.len() != modes) || self.g.iter().any(|row| row.len() != modes) {
            return Err(ModalError::RowLength { modes });
        }
        if !(self.mass > 0.0 && self.mass.is_finite()) {
            return Err(ModalError::BodyMass { mass: self.mass });
        }
        let constants = Constants {
            mass: self.mass,
            centre: Vector3::from(self.centre_of_mass),
            inertia: matrix(&self.j0),
            j1: self.j1.iter().map(matrix).collect(),
            j2: self.j2.iter().map(|row| row.iter().map(matrix).collect()).collect(),
            g: self.g.iter().map(|row| vectors(row)).collect(),
            s: vectors(&s),
            alpha: vectors(&alpha),
            modal_mass: square(&self.modal_mass, modes, "modal_mass")?,
            stiffness: square(&self.modal_stiffness, modes, "modal_stiffness")?,
        };
        constants.check()?;
        different(self.points.iter().map(|point| &point.name))?;
        for i in 0..modes {
            for j in 0..modes {
                if (constants.g[i][j] + constants.g[j][i]).amax() > 1e-9 * constants.modal_mass.amax() {
                    return Err(ModalError::NotAntisymmetric { entry: [i, j] });
                }
            }
        }
        let mut stations = Vec::new();
        for (p, point) in self.points.iter().enumerate() {
            let turns = point.turns.as_ref().map_or(modes, Vec::len);
            if point.shapes.len() != modes || turns != modes {
                return Err(ModalError::PointShapes { point: p, modes });
            }
            stations.push(Station {
                name: point.name.clone(),
                at: Vector3::from(point.at),
                local: Local {
                    shapes: vectors(&point.shapes),
                    turns: point.turns.as_ref().map(|turns| vectors(turns)),
                },
            });
        }
        Ok(Modal::of_stations(constants, Vec::new(), stations))
    }
}
