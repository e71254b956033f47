//! Terms that deformation adds to the equations of a body (W84 chapters III and V), in principal
//! axes about the mass centre, over any scalar.
//!
//! With e the modal coordinates, w the angular velocity, constants as in
//! [`crate::flexible::constants`]; a term with tag (L) is there from level L on:
//!
//! ```text
//! J = J0 + (1) sum e_i J1_i + (2) sum e_i e_j J2_ij          c_k = alpha_k + (1) sum e_m G_mk
//! J w' + sum c_k e_k'' = tau - w x J w - (1/2) [sum e_i' J1_i w + w x sum alpha_k e_k']
//!                            - (3/2) [2 sum e_i e_j' J2_ij w + w x sum (c_k - alpha_k) e_k']
//! c_k.w' + sum M_kp e_p'' = Q_k - D_k e_k' - sum K_kp e_p
//!                            + 1/2 w.J1_k w - (1/2) 2 w.sum e_m' G_mk + (1) w.sum e_p J2_kp w
//! ```
//!
//! alpha is that of an attached frame, and nothing in a Buckens frame. Its modes move the mass
//! centre too, by `sum e_k s_k` in the frame. Since a motion's position and velocity are those of
//! the momentary mass centre whatever the frame, translation stands apart all the same, at every
//! level exactly: shapes are `psi_k - s_k`, and J2, G and M those of these shapes.
//!
//! It is solved for w' first, `(J - sum c_k (M^-1 c)_k^T) w' = ...`, a system of three; M is
//! constant. Where a method takes damping implicitly over its step h, M has h/2 D added:
//! `M (u1 - u)/h = f - D (u + u1)/2`.
//!
//! Sums are made product by product upon what comes before, for the reason given at `cross_add`.

use crate::describe::{Flexible, Level};
use crate::flexible::Constants;
use crate::math::cholesky::solve;
use crate::math::quaternion::to_body;
use crate::math::vector::{Vec3, add, cross_add, dot, scale, scale_add};
use crate::real::Real;

type Matrix<R> = [Vec3<R>; 3];

/// Deformation of a body, the same for all instances, principal axes.
#[derive(Clone, Debug)]
pub struct Deformable {
    pub level: Level,
    /// Maps principal axes to the user's body axes.
    pub principal: [f64; 4],
    constants: Constants,
    /// Whether the frame is attached to a particle.
    attached: bool,
    /// `2 zeta_k sqrt(K_kk M_kk)`
    damping: Vec<f64>,
}

/// Deformation of a body with an instance's numbers.
#[derive(Clone, Debug)]
pub struct Deformation<R> {
    level: Level,
    /// J0.
    inertia: Matrix<R>,
    j1: Vec<Matrix<R>>,
    j2: Vec<Vec<Matrix<R>>>,
    g: Vec<Vec<Vec3<R>>>,
    /// alpha_k of an attached frame; `None` in a Buckens frame.
    alpha: Option<Vec<Vec3<R>>>,
    mass: Vec<Vec<R>>,
    stiffness: Vec<Vec<R>>,
    /// Half of `2 zeta_k sqrt(K_kk M_kk)` as described, and what multiplies it in this instance.
    half_damping: Vec<R>,
    damping_scale: R,
}

/// Mobility of a deformed body: its answer to a torque and modal forces.
#[derive(Clone, Debug)]
pub struct Yielding<R> {
    /// M, with what damping adds.
    mass: Vec<Vec<R>>,
    /// c_k; none where there are only those of level 1, below that.
    carried: Option<Vec<Vec3<R>>>,
    /// `J - sum c_k (M^-1 c)_k^T`
    inertia: Matrix<R>,
}

impl Deformable {
    /// `principal` maps principal axes to the user's body axes.
    pub fn new(flexible: &Flexible, principal: [f64; 4]) -> Deformable {
        let columns = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|e| to_body(principal, e));
        let turn = nalgebra::Matrix3::from_fn(|i, j| columns[j][i]);
        let attached = flexible.modal.is_attached();
        let constants = &flexible.modal.constants;
        let constants = if attached { &constants.about_centre() } else { constants };
        let turned = principal != [1.0, 0.0, 0.0, 0.0];
        Deformable {
            level: flexible.level,
            principal,
            constants: if turned { constants.turned(&turn) } else { constants.clone() },
            attached,
            damping: flexible.damping_coefficients(),
        }
    }

    pub fn modes(&self) -> usize {
        self.damping.len()
    }

    /// `sum e_k s_k`, principal axes: how far the mass centre is off its place in the undeformed
    /// body (m), or for rates how fast it moves there; `None`: it stays, the frame is not attached.
    pub fn centre_moved<R: Real>(&self, e: &[R]) -> Option<Vec3<R>> {
        let s = self.attached.then_some(&self.constants.s)?;
        let lift = |v: &nalgebra::Vector3<f64>| std::array::from_fn(|i| e[0].lift(v[i]));
        Some(FlexibleVector { columns: s.iter().map(lift).collect() }.alone(e))
    }

    /// With the instance's principal moments, and its scales of stiffness and damping.
    pub fn of<R: Real>(&self, inertia: Vec3<R>, stiffness_scale: R, damping_scale: R) -> Deformation<R> {
        let zero = inertia[0].lift(0.0);
        let lift = |x: f64| zero.lift(x);
        let matrix = |m: &nalgebra::Matrix3<f64>| -> Matrix<R> {
            std::array::from_fn(|i| std::array::from_fn(|j| lift(m[(i, j)])))
        };
        let vector = |v: &nalgebra::Vector3<f64>| -> Vec3<R> { std::array::from_fn(|i| lift(v[i])) };
        let square = |m: &nalgebra::DMatrix<f64>, scale: Option<R>| -> Vec<Vec<R>> {
            let entry = |i, j| {
                let x = lift(m[(i, j)]);
                scale.map_or(x, |scale| scale * x)
            };
            (0..m.nrows()).map(|i| (0..m.ncols()).map(|j| entry(i, j)).collect()).collect()
        };
        let root = stiffness_scale.sqrt();
        let c = &self.constants;
        Deformation {
            level: self.level,
            inertia: [[inertia[0], zero, zero], [zero, inertia[1], zero], [zero, zero, inertia[2]]],
            j1: c.j1.iter().map(matrix).collect(),
            j2: c.j2.iter().map(|row| row.iter().map(matrix).collect()).collect(),
            g: c.g.iter().map(|row| row.iter().map(vector).collect()).collect(),
            alpha: self.attached.then(|| c.alpha.iter().map(vector).collect()),
            mass: square(&c.modal_mass, None),
            stiffness: square(&c.stiffness, Some(stiffness_scale)),
            half_damping: self.damping.iter().map(|d| lift(d / 2.0)).collect(),
            damping_scale: damping_scale * root,
        }
    }
}

impl<R: Real> Deformation<R> {
    /// Number of modes.
    pub fn modes(&self) -> usize {
        self.half_damping.len()
    }

    fn zero(&self) -> R {
        self.inertia[0][0].lift(0.0)
    }

    /// J with the terms of a level.
    fn inertia_at(&self, e: &[R], level: Level) -> Matrix<R> {
        let mut j = self.inertia;
        let two = self.zero().lift(2.0);
        for (i, e_i) in e.iter().enumerate().filter(|_| level >= Level::One) {
            let mut row = self.j1[i];
            // J2_ik = J2_ki: each pair once.
            for (k, e_k) in e.iter().enumerate().skip(i).filter(|_| level >= Level::Two) {
                let pair = &self.j2[i][k];
                let pair = if k == i { *pair } else { pair.map(|row| scale(two, row)) };
                row = matrix_scale_add(*e_k, &pair, &row);
            }
            j = matrix_scale_add(*e_i, &row, &j);
        }
        j
    }

    /// `sum e_m G_mk` upon `others`, by mode.
    fn carried_upon(&self, e: &[R], others: impl Fn(usize) -> Vec3<R>) -> Vec<Vec3<R>> {
        let carried =
            |k: usize| e.iter().enumerate().fold(others(k), |sum, (m, e)| scale_add(*e, self.g[m][k], sum));
        (0..e.len()).map(carried).collect()
    }

    /// c_k with all terms.
    fn carried(&self, e: &[R]) -> Vec<Vec3<R>> {
        let zero = [self.zero(); 3];
        self.carried_upon(e, |k| self.alpha.as_ref().map_or(zero, |alpha| alpha[k]))
    }

    /// Returns the mobility at these modal coordinates; `within`: the step (s) over which damping
    /// is implicit.
    pub fn yielding(&self, e: &[R], within: Option<R>) -> Yielding<R> {
        let mut mass = self.mass.clone();
        if let Some(h) = within {
            for (k, half) in self.half_damping.iter().enumerate() {
                // Constants first: two that are apart are joined by GPU drivers, and the bits are
                // no longer those of the CPU.
                mass[k][k] = (h * *half).mul_add(self.damping_scale, mass[k][k]);
            }
        }
        let mut inertia = self.inertia_at(e, self.level);
        let carried = if self.level >= Level::One { Some(self.carried(e)) } else { self.alpha.clone() };
        if let Some(c) = &carried {
            // By columns: (M^-1 c) of each component.
            let follow: [Vec<R>; 3] =
                std::array::from_fn(|i| solve_mass(&mass, c.iter().map(|c| c[i]).collect()));
            for (i, row) in inertia.iter_mut().enumerate() {
                for (j, entry) in row.iter_mut().enumerate() {
                    for (k, c) in c.iter().enumerate() {
                        *entry = c[i].neg_mul_add(follow[j][k], *entry);
                    }
                }
            }
        }
        Yielding { mass, carried, inertia }
    }

    /// The right sides, upon what acts from outside: torque and modal forces, damping of the rates
    /// `damped`.
    pub fn forces_upon(
        &self,
        (torque, modal): (Vec3<R>, Vec<R>),
        w: Vec3<R>,
        e: &[R],
        rate: &[R],
        damped: &[R],
    ) -> (Vec3<R>, Vec<R>) {
        let zero = self.zero();
        let (half, two) = (zero.lift(0.5), zero.lift(2.0));
        let none = [zero; 3];
        let momentum = times(&self.inertia_at(e, self.level), w);
        let mut torque = cross_add(momentum, w, torque);
        let n = e.len();
        let mut modal: Vec<R> = (0..n)
            .map(|k| {
                let elastic = (0..n).fold(modal[k], |sum, p| self.stiffness[k][p].neg_mul_add(e[p], sum));
                let damping = (self.half_damping[k] * two) * self.damping_scale;
                let damped = damping.neg_mul_add(damped[k], elastic);
                half.mul_add(dot(w, times(&self.j1[k], w)), damped)
            })
            .collect();
        if self.level >= Level::Half {
            for (k, modal) in modal.iter_mut().enumerate() {
                torque = scale_add(-rate[k], times(&self.j1[k], w), torque);
                let sum = (0..n).fold(none, |sum, m| scale_add(rate[m], self.g[m][k], sum));
                *modal = two.neg_mul_add(dot(w, sum), *modal);
            }
            if let Some(alpha) = &self.alpha {
                let sum = alpha.iter().zip(rate).fold(none, |sum, (a, rate)| scale_add(*rate, *a, sum));
                torque = cross_add(sum, w, torque);
            }
        }
        if self.level >= Level::One {
            for (k, modal) in modal.iter_mut().enumerate() {
                let stiffening = |p: usize| dot(w, times(&self.j2[k][p], w));
                *modal = (0..n).fold(*modal, |sum, p| e[p].mul_add(stiffening(p), sum));
            }
        }
        if self.level >= Level::OneAndHalf {
            let no_matrix = [none; 3];
            for (k, rate) in rate.iter().enumerate() {
                let row = (0..n).fold(no_matrix, |sum, i| matrix_scale_add(e[i], &self.j2[i][k], &sum));
                torque = scale_add(-(two * *rate), times(&row, w), torque);
            }
            let carried = self.carried_upon(e, |_| none);
            let sum = carried.iter().zip(rate).fold(none, |sum, (c, rate)| scale_add(*rate, *c, sum));
            torque = cross_add(sum, w, torque);
        }
        (torque, modal)
    }

    /// `J w + sum c_k e_k'` with all terms (kg m²/s): the angular momentum about the mass centre,
    /// principal axes.
    pub fn momentum(&self, w: Vec3<R>, e: &[R], rate: &[R]) -> Vec3<R> {
        let turning = times(&self.inertia_at(e, Level::Two), w);
        self.carried(e).iter().zip(rate).fold(turning, |sum, (c, rate)| scale_add(*rate, *c, sum))
    }

    /// Kinetic energy of rotation and deformation (J), with all terms:
    /// `1/2 w.(J w + 2 sum c_k e_k') + 1/2 e'.M e'`.
    pub fn kinetic(&self, w: Vec3<R>, e: &[R], rate: &[R]) -> R {
        let carried = self.carried(e);
        let none = [self.zero(); 3];
        let carried = carried.iter().zip(rate).fold(none, |sum, (c, rate)| scale_add(*rate, *c, sum));
        let twice = add(self.momentum(w, e, rate), carried);
        self.zero().lift(0.5) * (dot(w, twice) + quadratic(&self.mass, rate))
    }

    /// Strain energy (J): `1/2 e.K e`.
    pub fn strain(&self, e: &[R]) -> R {
        self.zero().lift(0.5) * quadratic(&self.stiffness, e)
    }
}

impl<R: Real> Yielding<R> {
    /// w' and e'' under a torque and modal forces.
    pub fn solve(&self, torque: Vec3<R>, modal: &[R]) -> (Vec3<R>, Vec<R>) {
        let following = solve_mass(&self.mass, modal.to_vec());
        let Some(carried) = &self.carried else { return (solve3(&self.inertia, torque), following) };
        let left = carried
            .iter()
            .zip(&following)
            .fold(torque, |left, (c, e)| std::array::from_fn(|i| c[i].neg_mul_add(*e, left[i])));
        let w = solve3(&self.inertia, left);
        let right =
            carried.iter().zip(modal).map(|(c, q)| (0..3).fold(*q, |sum, i| c[i].neg_mul_add(w[i], sum)));
        (w, solve_mass(&self.mass, right.collect()))
    }
}

/// `M^-1 right`; where M is diagonal, as constants and zeros say, that is a division each.
fn solve_mass<R: Real>(mass: &[Vec<R>], right: Vec<R>) -> Vec<R> {
    solve(mass.to_vec(), right)
}

fn solve3<R: Real>(matrix: &Matrix<R>, right: Vec3<R>) -> Vec3<R> {
    let rows = matrix.iter().map(|row| row.to_vec()).collect();
    let x = solve(rows, right.to_vec());
    [x[0], x[1], x[2]]
}

/// `m v`
fn times<R: Real>(m: &Matrix<R>, v: Vec3<R>) -> Vec3<R> {
    m.map(|row| dot(row, v))
}

/// `s a + b`
fn matrix_scale_add<R: Real>(s: R, a: &Matrix<R>, b: &Matrix<R>) -> Matrix<R> {
    std::array::from_fn(|i| scale_add(s, a[i], b[i]))
}

/// `x.m x`
fn quadratic<R: Real>(m: &[Vec<R>], x: &[R]) -> R {
    let zero = m[0][0].lift(0.0);
    let row = |row: &Vec<R>| row.iter().zip(x).fold(zero, |sum, (m, x)| m.mul_add(*x, sum));
    m.iter().zip(x).fold(zero, |sum, (m, x)| x.mul_add(row(m), sum))
}

/// A vector of a body that deforms, `s0 + sum e_k s_k`: the point or an axis of a side.
#[derive(Clone, Debug)]
pub struct FlexibleVector<R> {
    /// s_k.
    pub columns: Vec<Vec3<R>>,
}

impl<R: Real> FlexibleVector<R> {
    /// `base + sum e_k s_k`
    pub fn upon(&self, base: Vec3<R>, e: &[R]) -> Vec3<R> {
        self.columns.iter().zip(e).fold(base, |sum, (column, e)| scale_add(*e, *column, sum))
    }

    /// `sum e_k s_k`
    pub fn alone(&self, e: &[R]) -> Vec3<R> {
        let mut terms = self.columns.iter().zip(e);
        match terms.next() {
            None => unreachable!("a flexible body has a mode"),
            Some((column, first)) => {
                terms.fold(scale(*first, *column), |sum, (column, e)| scale_add(*e, *column, sum))
            }
        }
    }

    /// The modal forces of a force (body axes).
    pub fn work(&self, force: Vec3<R>) -> Vec<R> {
        self.columns.iter().map(|column| dot(*column, force)).collect()
    }

    /// The modal forces of a force (body axes) upon those of others.
    pub fn work_upon(&self, force: Vec3<R>, others: &[R]) -> Vec<R> {
        let work = |(column, others): (&Vec3<R>, &R)| {
            (0..3).fold(*others, |sum, i| column[i].mul_add(force[i], sum))
        };
        self.columns.iter().zip(others).map(work).collect()
    }
}
