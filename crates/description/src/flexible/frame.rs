//! A frame of nodes with masses and straight members, whose shapes are found here: Euler-Bernoulli
//! elements.
//!
//! A member's mass goes half to each end. Nodes without rotary inertia turn as the members bend;
//! what bends lies between nodes, so a member that matters is divided.
//!
//! Shapes are natural modes, `K v = w² M v`, of the free frame or of one whose nodes are partly
//! held, and static deflections:
//!
//! ```text
//! held  K u = f on the nodes that are not
//! free  K u = f - M R (R^T M R)^-1 R^T f,   R the rigid motions (inertia relief)
//! ```
//!
//! Other than free modes alone, they are made orthonormal to R and to each other in the mass M (W84
//! 4.7), and turned within their span until K is diagonal too.

use nalgebra::{DMatrix, DVector, Matrix3, SMatrix, Vector3};
use serde::Serialize;

use super::eigen::{NoModes, free_modes};
use super::error::NodeCoordinate;
use super::orthonormal::orthonormal;
use super::{Constants, Local, Modal, ModalError, Particle, Station};
use crate::math::symmetric::{symmetric_eigen, symmetric_eigenvalues};

/// A frame as described.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Frame {
    pub nodes: Vec<FrameNode>,
    pub members: Vec<Member>,
    /// Number of modes, lowest first.
    pub modes: usize,
    /// Positions in `nodes` of those that are held while shapes are found.
    pub held: Vec<usize>,
    /// Loads whose static deflections are shapes too.
    pub deflections: Vec<FrameDeflection>,
}

/// A load on a node while the frame deflects: a force or a torque, body axes, of any size.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FrameDeflection {
    /// Position in [`Frame::nodes`].
    pub node: usize,
    pub load: StaticLoad,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StaticLoad {
    Force([f64; 3]),
    Torque([f64; 3]),
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FrameNode {
    pub name: String,
    /// From the body's origin, body axes (m).
    pub at: [f64; 3],
    /// (kg)
    pub mass: f64,
    /// Rotary inertia about x, y, z (kg m²).
    pub inertia: [f64; 3],
}

/// A straight member between two nodes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Member {
    /// Positions in [`Frame::nodes`].
    pub nodes: [usize; 2],
    /// (kg)
    pub mass: f64,
    /// EA (N).
    pub axial_stiffness: f64,
    /// EI for bending along its y and along its z (N m²).
    pub bending_stiffness: [f64; 2],
    /// GJ (N m²).
    pub torsional_stiffness: f64,
    /// A direction in the plane of its x and y, body axes.
    pub y: [f64; 3],
}

impl Frame {
    /// Its modal data.
    ///
    /// # Errors
    /// A member has no length or no direction for y, a node can move without mass or stiffness,
    /// there are not enough modes.
    pub fn modal(&self) -> Result<Modal, ModalError> {
        let count = self.nodes.len();
        let mut stiffness = DMatrix::zeros(6 * count, 6 * count);
        let mut node_mass: Vec<f64> = self.nodes.iter().map(|node| node.mass).collect();
        for member in &self.members {
            member.nodes.iter().for_each(|node| node_mass[*node] += member.mass / 2.0);
            let element = self.element(member)?;
            let place = |i: usize| 6 * member.nodes[i / 6] + i % 6;
            for i in 0..12 {
                for j in 0..12 {
                    stiffness[(place(i), place(j))] += element[(i, j)];
                }
            }
        }
        let masses = DVector::from_fn(6 * count, |i, _| match i % 6 {
            0..3 => node_mass[i / 6],
            k => self.nodes[i / 6].inertia[k - 3],
        });
        // These are rigid motions; orthonormal() leaves out the ones without mass.
        let at = |node: usize| Vector3::from(self.nodes[node].at);
        let field = |k: usize| {
            let e = Vector3::ith(k % 3, 1.0);
            DVector::from_fn(6 * count, |i, _| match (k < 3, i % 6) {
                (true, j @ 0..3) => e[j],
                (true, _) => 0.0,
                (false, j @ 0..3) => e.cross(&(at(i / 6) - at(0)))[j],
                (false, j) => e[j - 3],
            })
        };
        let rigid: Vec<DVector<f64>> = (0..6).map(field).collect();
        let structure = Structure { stiffness, masses, rigid };
        let mut modes = match self.held.is_empty() && self.deflections.is_empty() {
            true => structure.free_modes(self.modes).map_err(|found| self.explain(found, |i| i))?,
            false => structure.orthonormalised(&self.shapes(&structure)?)?,
        };
        for mut mode in modes.column_iter_mut() {
            // Any sign will do, as long as it is always the same.
            let largest =
                mode.iter().copied().fold(0.0f64, |l, x| if x.abs() > l.abs() + 1e-9 { x } else { l });
            if largest < 0.0 {
                mode.neg_mut();
            }
        }
        let Structure { stiffness, .. } = structure;
        let part = |node: usize, from: usize| -> Vec<Vector3<f64>> {
            let column = |mode: usize| Vector3::from_fn(|i, _| modes[(6 * node + from + i, mode)]);
            (0..modes.ncols()).map(column).collect()
        };
        let particles: Vec<Particle> = (0..count)
            .map(|node| Particle {
                mass: node_mass[node],
                at: at(node),
                inertia: Matrix3::from_diagonal(&Vector3::from(self.nodes[node].inertia)),
                shapes: part(node, 0),
                turns: part(node, 3),
            })
            .collect();
        let constants = Constants::of(&particles, modes.transpose() * &stiffness * &modes)?;
        let station = |(node, particle): (&FrameNode, &Particle)| Station {
            name: Some(node.name.clone()),
            at: particle.at,
            local: Local { shapes: particle.shapes.clone(), turns: Some(particle.turns.clone()) },
        };
        let stations = self.nodes.iter().zip(&particles).map(station).collect();
        Ok(Modal::of_stations(constants, particles, stations))
    }

    /// Why there are no modes, by the names of nodes; `coordinate` says which of all coordinates is
    /// meant.
    fn explain(&self, found: NoModes, coordinate: impl Fn(usize) -> usize) -> ModalError {
        let loose = |i: usize| {
            let i = coordinate(i);
            NodeCoordinate { node: self.nodes[i / 6].name.clone(), direction: i % 6 }
        };
        match found {
            NoModes::Loose(i) => ModalError::Loose { coordinate: loose(i) },
            NoModes::LooseTogether(i) => ModalError::LooseTogether { coordinate: loose(i) },
            NoModes::TooMany { .. } | NoModes::Indefinite | NoModes::NotFinite => found.into(),
        }
    }

    /// Modes and static deflections, by columns, as they are found.
    fn shapes(&self, structure: &Structure) -> Result<DMatrix<f64>, ModalError> {
        let Structure { stiffness, masses, rigid } = structure;
        let n = masses.len();
        let moving: Vec<usize> = (0..n).filter(|i| !self.held.contains(&(i / 6))).collect();
        let within = |places: &[usize]| {
            DMatrix::from_fn(places.len(), places.len(), |i, j| stiffness[(places[i], places[j])])
        };
        let spread = |places: &[usize], values: &[f64]| {
            let mut whole = DVector::zeros(n);
            places.iter().zip(values).for_each(|(i, value)| whole[*i] = *value);
            whole
        };
        let mut shapes = Vec::new();
        if self.modes > 0 {
            let weights = DVector::from_fn(moving.len(), |i, _| masses[moving[i]]);
            let freely = if self.held.is_empty() { structure.rigid_with_mass() } else { 0 };
            let modes = free_modes(&within(&moving), &weights, freely, self.modes)
                .map_err(|found| self.explain(found, |i| moving[i]))?;
            shapes.extend(modes.column_iter().map(|mode| spread(&moving, mode.as_slice())));
        }
        if !self.deflections.is_empty() {
            // A frame that floats is held at its first node: rigid motion is taken out of all
            // shapes later.
            let solved = if self.held.is_empty() { (6..n).collect() } else { moving };
            // Scaled, since K mixes lengths and angles.
            let stiff = within(&solved);
            let scale = stiff.diagonal().map(|x| x.max(0.0).sqrt());
            let unit =
                DMatrix::from_fn(solved.len(), solved.len(), |i, j| stiff[(i, j)] / (scale[i] * scale[j]));
            let factors = unit.cholesky();
            let against = structure.rigid_gram();
            let least = 1e-12 * against.amax();
            let against = symmetric_eigen(against).ok_or(ModalError::TooLarge("inertia"))?;
            let inverse = against.eigenvalues.map(|value| if value > least { value.recip() } else { 0.0 });
            let against =
                &against.eigenvectors * DMatrix::from_diagonal(&inverse) * against.eigenvectors.transpose();
            for (k, deflection) in self.deflections.iter().enumerate() {
                let (first, load) = match deflection.load {
                    StaticLoad::Force(force) => (6 * deflection.node, force),
                    StaticLoad::Torque(torque) => (6 * deflection.node + 3, torque),
                };
                let mut load = spread(&[first, first + 1, first + 2], &load);
                if self.held.is_empty() {
                    let of_rigid = |load: &DVector<f64>| DVector::from_fn(6, |i, _| rigid[i].dot(load));
                    let applied = of_rigid(&load);
                    let shares = &against * &applied;
                    for (field, share) in rigid.iter().zip(shares.iter()) {
                        load -= structure.weighted(field) * *share;
                    }
                    if of_rigid(&load).amax() > 1e-9 * applied.amax() {
                        return Err(ModalError::LoadWithoutInertia { deflection: k + 1 });
                    }
                }
                let right = DVector::from_fn(solved.len(), |i, _| load[solved[i]] / scale[i]);
                let factors = factors.as_ref().ok_or(ModalError::LooseNodes { deflection: k + 1 })?;
                let moved = factors.solve(&right).component_div(&scale);
                shapes.push(spread(&solved, moved.as_slice()));
            }
        }
        match shapes.is_empty() {
            true => Err(ModalError::Empty),
            false => Ok(DMatrix::from_columns(&shapes)),
        }
    }

    /// The stiffness of a member in body axes: displacement and rotation of its first node, then of
    /// its second.
    fn element(&self, member: &Member) -> Result<SMatrix<f64, 12, 12>, ModalError> {
        let [a, b] = member.nodes.map(|node| Vector3::from(self.nodes[node].at));
        let names = member.nodes.map(|node| self.nodes[node].name.clone());
        let along = b - a;
        let l = along.norm();
        if l <= 0.0 {
            return Err(ModalError::NoLength { nodes: names });
        }
        let x = along / l;
        let z = x.cross(&Vector3::from(member.y));
        if z.norm() <= 1e-6 * Vector3::from(member.y).norm() {
            return Err(ModalError::ParallelY { nodes: names });
        }
        let z = z.normalize();
        let turn = Matrix3::from_columns(&[x, z.cross(&x), z]).transpose();
        let mut k = SMatrix::<f64, 12, 12>::zeros();
        let mut put = |i: usize, j: usize, value: f64| {
            k[(i, j)] += value;
            if i != j {
                k[(j, i)] += value;
            }
        };
        for (first, stiff) in [(0, member.axial_stiffness / l), (3, member.torsional_stiffness / l)] {
            put(first, first, stiff);
            put(first + 6, first + 6, stiff);
            put(first, first + 6, -stiff);
        }
        // Along y turns are about z; along z they are about -y.
        for (w, turn, sign, ei) in
            [(1, 5, 1.0, member.bending_stiffness[0]), (2, 4, -1.0, member.bending_stiffness[1])]
        {
            let unit = ei / l.powi(3);
            let rows = [w, turn, w + 6, turn + 6];
            let signs = [1.0, sign, 1.0, sign];
            let values = [
                [12.0, 6.0 * l, -12.0, 6.0 * l],
                [6.0 * l, 4.0 * l * l, -6.0 * l, 2.0 * l * l],
                [-12.0, -6.0 * l, 12.0, -6.0 * l],
                [6.0 * l, 2.0 * l * l, -6.0 * l, 4.0 * l * l],
            ];
            for i in 0..4 {
                for j in i..4 {
                    put(rows[i], rows[j], unit * signs[i] * signs[j] * values[i][j]);
                }
            }
        }
        let mut blocks = SMatrix::<f64, 12, 12>::zeros();
        for block in 0..4 {
            blocks.fixed_view_mut::<3, 3>(3 * block, 3 * block).copy_from(&turn);
        }
        Ok(blocks.transpose() * k * blocks)
    }
}

/// The matrices of a frame: six coordinates a node, displacement and rotation.
struct Structure {
    stiffness: DMatrix<f64>,
    /// The diagonal of M.
    masses: DVector<f64>,
    /// R.
    rigid: Vec<DVector<f64>>,
}

impl Structure {
    fn weighted(&self, v: &DVector<f64>) -> DVector<f64> {
        v.component_mul(&self.masses)
    }

    /// `R^T M R`
    fn rigid_gram(&self) -> DMatrix<f64> {
        DMatrix::from_fn(6, 6, |i, j| self.rigid[i].dot(&self.weighted(&self.rigid[j])))
    }

    /// The number of rigid motions that have mass.
    fn rigid_with_mass(&self) -> usize {
        let Some(eigen) = symmetric_eigenvalues(self.rigid_gram()) else { return 0 };
        eigen.iter().filter(|value| **value > 1e-12 * eigen.max()).count()
    }

    /// R and these shapes, and their products by mass.
    fn fields(&self, shapes: &DMatrix<f64>) -> (Vec<DVector<f64>>, DMatrix<f64>) {
        let shapes = shapes.column_iter().map(|shape| DVector::from_column_slice(shape.as_slice()));
        let fields: Vec<DVector<f64>> = self.rigid.iter().cloned().chain(shapes).collect();
        let n = fields.len();
        let gram = DMatrix::from_fn(n, n, |i, j| fields[i].dot(&self.weighted(&fields[j])));
        (fields, gram)
    }

    /// The lowest modes of the free frame, by columns.
    fn free_modes(&self, count: usize) -> Result<DMatrix<f64>, NoModes> {
        let mut modes = free_modes(&self.stiffness, &self.masses, self.rigid_with_mass(), count)?;
        for mut mode in modes.column_iter_mut() {
            let (fields, gram) = self.fields(&DMatrix::from_column_slice(mode.len(), 1, mode.as_slice()));
            if let Ok(t) = orthonormal(&gram, 6) {
                let clean: DVector<f64> =
                    fields.iter().zip(t.iter()).map(|(field, share)| field * *share).sum();
                mode.copy_from(&clean);
            }
        }
        Ok(modes)
    }

    /// The span of shapes without rigid motion, orthonormal and with a diagonal K, by columns of
    /// ascending stiffness.
    fn orthonormalised(&self, shapes: &DMatrix<f64>) -> Result<DMatrix<f64>, ModalError> {
        let (fields, gram) = self.fields(shapes);
        let t = orthonormal(&gram, 6).map_err(|shape| ModalError::DependentFrameShape { shape })?;
        let free = DMatrix::from_columns(&fields) * t.transpose();
        let eigen = symmetric_eigen(free.transpose() * &self.stiffness * &free)
            .ok_or(ModalError::TooLarge("stiffness"))?;
        let mut order: Vec<usize> = (0..free.ncols()).collect();
        order.sort_by(|a, b| eigen.eigenvalues[*a].total_cmp(&eigen.eigenvalues[*b]));
        let columns: Vec<_> = order.iter().map(|column| &free * eigen.eigenvectors.column(*column)).collect();
        Ok(DMatrix::from_columns(&columns))
    }
}
