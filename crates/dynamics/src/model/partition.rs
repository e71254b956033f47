//! Which coordinates depend on the others: chosen when a mechanism is planned, for PCD90's
//! coordinate partitioning (III.A).
//!
//! The coordinates are those of the velocities u: of each body the three of its place (space axes)
//! and the three of a turn (body axes as described). Turns are scaled by the largest arm of a
//! joint, rows to unit norm; then rows are eliminated with complete pivoting, and the columns of
//! the pivots are the dependent coordinates: `B_i` of (14) is regular there, and far from singular.
//!
//! A place is preferred to a turn unless its pivot is ten times smaller. Where ball joints form a
//! tree the places of the bodies then follow from their attitudes, `B_i` is triangular with units,
//! and it stays regular wherever the bodies go. By the largest pivots alone a pendulum's turn can
//! depend on its place, which fails where it swings through.
//!
//! Modes of flexible bodies are always independent. Rows of rates alone say nothing of positions:
//! their dependent coordinates are chosen last, and only velocities are solved for in them. A lock
//! that does not hold leaves one dependent coordinate more than rows; the change is then the least
//! one.

use super::Model;
use super::constraint_set::BodyConstants;
use super::redundancy::Start;
use crate::kinematics::row::{JacobianBlock, Mobility, Row};
use crate::math::quaternion::{to_body, to_space};
use crate::math::vector::Vec3;
use crate::real::Real;

/// A place's pivot is taken unless it is below this share of a turn's.
const PREFERRED: f64 = 0.1;
/// Largest entry that rounding leaves in a scaled row that is dependent.
const NOTHING: f64 = 1e-9;

/// A coordinate of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyCoordinate {
    /// Along a space axis.
    Place(usize),
    /// About an axis of the body as described.
    Turn(usize),
}

/// A coordinate that is solved for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependent {
    pub body: usize,
    pub coordinate: BodyCoordinate,
    /// Positions are solved for in it, not velocities alone.
    pub of_positions: bool,
}

/// The dependent coordinates of a mechanism.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoordinatePartition {
    pub dependents: Vec<Dependent>,
}

/// The partition with what an instance has for it.
pub struct InstancePartition<R> {
    pub partition: CoordinatePartition,
    /// By body, the quaternion that maps principal axes to described ones; `None`: they are the
    /// same.
    pub principal: Vec<Option<[R; 4]>>,
}

/// A weight for every coordinate: 1 for the dependent ones of positions or of velocities,
/// `independent` for the others.
pub(super) struct Weights<'a, R> {
    pub of: &'a InstancePartition<R>,
    pub of_positions: bool,
    pub independent: R,
}

impl<R: Real> Weights<'_, R> {
    fn weighed(&self, body: usize, coordinate: BodyCoordinate, x: R) -> R {
        let mut all = self.of.partition.dependents.iter();
        let is_dependent = all
            .any(|d| d.body == body && d.coordinate == coordinate && (d.of_positions || !self.of_positions));
        if is_dependent { x } else { self.independent * x }
    }

    pub(super) fn place(&self, body: usize, v: Vec3<R>) -> Vec3<R> {
        [0, 1, 2].map(|k| self.weighed(body, BodyCoordinate::Place(k), v[k]))
    }

    /// In principal axes.
    pub(super) fn turn(&self, body: usize, w: Vec3<R>) -> Vec3<R> {
        let weighed = |w: Vec3<R>| [0, 1, 2].map(|k| self.weighed(body, BodyCoordinate::Turn(k), w[k]));
        match self.of.principal[body] {
            None => weighed(w),
            Some(principal) => to_body(principal, weighed(to_space(principal, w))),
        }
    }

    /// `B W` of a row. Modes do not give way.
    pub(super) fn row(&self, row: &Row<R>) -> Row<R> {
        let part = |part: &JacobianBlock<R>| JacobianBlock {
            body: part.body,
            v: part.v.map(|v| self.place(part.body, v)),
            w: self.turn(part.body, part.w),
            modal: Vec::new(),
        };
        Row { parts: row.parts.iter().map(part).collect(), ..row.clone() }
    }
}

/// Returns the mobility of dependent coordinates: that of the body, but to turns alike in all
/// directions, so that it does not matter in which axes they are. It decides only where there are
/// more of them than rows.
pub(super) fn mobility<R: Real>(body: &BodyConstants<R>) -> Mobility<R> {
    let one = body.mass.lift(1.0);
    let [a, b, c] = body.inertia.map(|j| one / j);
    let mean = (a + b + c) * one.lift(1.0 / 3.0);
    Mobility { inertia: [mean; 3], mass: one / body.mass, yielding: None, carries: false }
}

/// A column of B.
struct Column {
    body: usize,
    coordinate: BodyCoordinate,
    scale: f64,
}

impl Model {
    /// Returns the model with these dependent coordinates, which are solved for after every step.
    pub fn partitioned(mut self, partition: CoordinatePartition) -> Model {
        self.partition = Some(partition);
        self
    }

    pub fn partition(&self) -> Option<&CoordinatePartition> {
        self.partition.as_ref()
    }

    /// The dependent coordinates of an instance that starts so.
    pub fn find_partition(&self, start: &Start) -> CoordinatePartition {
        let Start { motions, parameters } = start;
        let parameter = |p: usize| parameters[p];
        let constraints = self.constraint_set(&parameter, &[], &self.first_turns(&parameter));
        let bodies = self.body_constants(&parameter);
        let rows = self.redundancy.kept(constraints.rows_without_locks(motions, 0.0));
        let locks = constraints.locks.iter().map(|lock| constraints.coordinate(lock.of, motions));
        let (rates, positions): (Vec<Row<f64>>, Vec<Row<f64>>) =
            rows.into_iter().partition(|row| row.rate_alone);
        let position_rows = positions.len() + constraints.locks.len();
        let rows: Vec<Row<f64>> = positions.into_iter().chain(locks).chain(rates).collect();
        let size = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
        let arms =
            constraints.joints.iter().flat_map(|joint| &joint.sides).filter(|side| side.body.is_some());
        let largest = arms.map(|side| size(side.arm)).fold(0.0, f64::max);
        let columns = columns(&bodies, if largest > 0.0 { largest } else { 1.0 });
        let in_body_axes = |row: &Row<f64>| {
            let part = |part: &JacobianBlock<f64>| JacobianBlock {
                w: to_space(self.principal(part.body, &parameter), part.w),
                ..part.clone()
            };
            Row { parts: row.parts.iter().map(part).collect(), ..row.clone() }
        };
        let mut matrix: Vec<Vec<f64>> = rows.iter().map(|row| scaled(&in_body_axes(row), &columns)).collect();
        let mut taken: Vec<usize> = Vec::new();
        pivots(&mut matrix, 0..position_rows, &columns, &mut taken);
        let of_positions = taken.len();
        pivots(&mut matrix, position_rows..rows.len(), &columns, &mut taken);
        let dependent = |(k, column): (usize, &usize)| {
            let Column { body, coordinate, .. } = columns[*column];
            Dependent { body, coordinate, of_positions: k < of_positions }
        };
        CoordinatePartition { dependents: taken.iter().enumerate().map(dependent).collect() }
    }
}

/// All columns of B; places of bodies that do not move are none. `arm`: a turn of 1 rad counts as a
/// place's change by so much (m).
fn columns(bodies: &[BodyConstants<f64>], arm: f64) -> Vec<Column> {
    let of_body = |(body, constants): (usize, &BodyConstants<f64>)| {
        let places = if constants.moves { 0..3 } else { 0..0 };
        let places =
            places.map(move |axis| Column { body, coordinate: BodyCoordinate::Place(axis), scale: 1.0 });
        let turn = move |axis| Column { body, coordinate: BodyCoordinate::Turn(axis), scale: 1.0 / arm };
        places.chain((0..3).map(turn)).collect::<Vec<_>>()
    };
    bodies.iter().enumerate().flat_map(of_body).collect()
}

/// A row in scaled columns, of unit norm.
fn scaled(row: &Row<f64>, columns: &[Column]) -> Vec<f64> {
    let entry = |column: &Column| {
        let of_body = row.parts.iter().filter(|part| part.body == column.body);
        let along = of_body.map(|part| match column.coordinate {
            BodyCoordinate::Place(axis) => part.v.map_or(0.0, |v| v[axis]),
            BodyCoordinate::Turn(axis) => part.w[axis],
        });
        column.scale * along.sum::<f64>()
    };
    let entries: Vec<f64> = columns.iter().map(entry).collect();
    let norm = entries.iter().map(|x| x * x).sum::<f64>().sqrt();
    entries.into_iter().map(|x| if norm > 0.0 { x / norm } else { 0.0 }).collect()
}

/// Eliminates these rows from all others, each by the column of its pivot; appends the columns to
/// `taken`.
fn pivots(matrix: &mut [Vec<f64>], rows: std::ops::Range<usize>, columns: &[Column], taken: &mut Vec<usize>) {
    let mut open: Vec<usize> = rows.collect();
    loop {
        let largest = |places: bool| {
            let free = (0..columns.len()).filter(|c| {
                !taken.contains(c) && places == matches!(columns[*c].coordinate, BodyCoordinate::Place(_))
            });
            let all = free.flat_map(|c| open.iter().map(move |row| (*row, c)));
            // The first of equals, so that a partition does not hang on rounding.
            all.fold(None, |best: Option<(f64, usize, usize)>, (row, c)| {
                let size = matrix[row][c].abs();
                if best.is_none_or(|(most, _, _)| size > most * (1.0 + NOTHING)) {
                    Some((size, row, c))
                } else {
                    best
                }
            })
        };
        let (place, turn) = (largest(true), largest(false));
        let size = |found: Option<(f64, usize, usize)>| found.map_or(0.0, |(size, _, _)| size);
        let best = if size(place) > PREFERRED * size(turn) { place } else { turn };
        let Some((_, row, column)) = best.filter(|(size, _, _)| *size > NOTHING) else { return };
        open.retain(|other| *other != row);
        taken.push(column);
        let pivot = matrix[row].clone();
        for (k, other) in matrix.iter_mut().enumerate() {
            let share = other[column] / pivot[column];
            if k != row && share != 0.0 {
                other.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= share * p);
            }
        }
    }
}
