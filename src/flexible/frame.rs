//! A frame of nodes with masses and straight members, whose natural modes are found here: Euler-Bernoulli elements, K v = w² M v.
//!
//! A member's mass goes half to each end. Nodes without rotary inertia turn as the members bend; what bends lies between nodes,
//! so a member that matters is divided.

use nalgebra::{DMatrix, DVector, Matrix3, SMatrix, Vector3};
use serde::Serialize;

use super::eigen::free_modes;
use super::orthonormal::orthonormal;
use super::{Constants, Local, Modal, Particle, Station};

/// A frame as described.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Frame {
    pub nodes: Vec<Node>,
    pub members: Vec<Member>,
    /// Number of modes, lowest first.
    pub modes: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Node {
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
    /// A member has no length or no direction for y, a node can move without mass or stiffness, there are not enough modes.
    pub fn modal(&self) -> Result<Modal, String> {
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
        // Rigid motions that have mass: orthonormal() leaves out the others.
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
        let weighted = |v: &DVector<f64>| v.component_mul(&masses);
        let gram = DMatrix::from_fn(6, 6, |i, j| rigid[i].dot(&weighted(&rigid[j])));
        let independent = {
            let eigen = gram.clone().symmetric_eigenvalues();
            eigen.iter().filter(|value| **value > 1e-12 * eigen.max()).count()
        };
        let mut modes = free_modes(&stiffness, &masses, independent, self.modes)?;
        for mut mode in modes.column_iter_mut() {
            let fields: Vec<DVector<f64>> =
                rigid.iter().cloned().chain([DVector::from_column_slice(mode.as_slice())]).collect();
            let gram = DMatrix::from_fn(7, 7, |i, j| fields[i].dot(&weighted(&fields[j])));
            if let Ok(t) = orthonormal(&gram, 6) {
                let clean: DVector<f64> =
                    fields.iter().zip(t.iter()).map(|(field, share)| field * *share).sum();
                mode.copy_from(&clean);
            }
            // Any sign will do, as long as it is always the same.
            let largest =
                mode.iter().copied().fold(0.0f64, |l, x| if x.abs() > l.abs() + 1e-9 { x } else { l });
            if largest < 0.0 {
                mode.neg_mut();
            }
        }
        let part = |node: usize, from: usize| -> Vec<Vector3<f64>> {
            let of = |mode: usize| Vector3::from_fn(|i, _| modes[(6 * node + from + i, mode)]);
            (0..self.modes).map(of).collect()
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
        let station = |(node, particle): (&Node, &Particle)| Station {
            name: Some(node.name.clone()),
            at: particle.at,
            local: Local { shapes: particle.shapes.clone(), turns: Some(particle.turns.clone()) },
        };
        let stations = self.nodes.iter().zip(&particles).map(station).collect();
        Ok(Modal::of_stations(constants, particles, stations))
    }

    /// The stiffness of a member in body axes: displacement and rotation of its first node, then of its second.
    fn element(&self, member: &Member) -> Result<SMatrix<f64, 12, 12>, String> {
        let [a, b] = member.nodes.map(|node| Vector3::from(self.nodes[node].at));
        let names = member.nodes.map(|node| self.nodes[node].name.clone());
        let along = b - a;
        let l = along.norm();
        if l <= 0.0 {
            return Err(format!("the member from `{}` to `{}` has no length", names[0], names[1]));
        }
        let x = along / l;
        let z = x.cross(&Vector3::from(member.y));
        if z.norm() <= 1e-6 * Vector3::from(member.y).norm() {
            return Err(format!("y of the member from `{}` to `{}` lies along it", names[0], names[1]));
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
