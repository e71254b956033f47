//! The start of an instance, made to hold: what is given stays, what is not given moves.
//!
//! In this order until one succeeds: given positions, attitudes and coordinates of joints stay; of
//! these the coordinates alone; nothing stays. Where bodies deform, the same again with modes that
//! give way, without the second. After the others than the first no given quantity may have moved
//! by more than a thousandth: of the mechanism's size, of a radian, of the largest speed. Newton's
//! steps are the least in the metric of M; a condition of a rigid body is an infinite mass, any
//! other a row.

use nalgebra::{DMatrix, DVector, Vector3};

use super::super::Instance;
use super::super::ReferenceError;
use super::super::body::Motion;
use super::super::rotation::{exponential, lam, unit};
use super::super::treatment::{REDUNDANT, truncated_solve};
use super::MultibodySystem;
use polhode_description::describe::{Axes, Given, JointCoordinate, Mechanism, NumberOwner};

/// Largest residuals of Phi (m, or 1) and of rates (m/s, or 1/s).
const HOLDS: f64 = 1e-12;
/// Largest residuals of rates of rigid bodies where modes could take them up, and where nothing
/// could, as a share of the largest velocity.
const LEFT: [f64; 2] = [1e-9, 1e-6];
/// By how much what is given may move.
const KEPT: f64 = 1e-3;
/// Newton's steps, and the step (m, or rad) that leads nowhere any more.
const STEPS: usize = 50;
const STUCK: f64 = 1e-14;

/// The values given for the start.
struct Conditions {
    bodies: Vec<Given>,
    /// By coordinate: its value and its rate, where these are given.
    coordinates: Vec<[Option<f64>; 2]>,
    /// The axes of given angular velocities.
    axes: Vec<Axes>,
    /// By body, from the origin to the pivot (m), body axes.
    pivots: Vec<Vector3<f64>>,
    /// The largest distance of a joint or a pivot from the origin of space (m).
    size: f64,
}

/// The given values that stay, and whether modes give way.
#[derive(Clone, Copy)]
struct Attempt {
    bodies: bool,
    coordinates: bool,
    yields: bool,
}

impl MultibodySystem {
    /// The start of this instance with all joints, generators and contacts holding.
    ///
    /// # Errors
    /// As [`MultibodySystem::start`], or the given values contradict the constraints.
    pub fn assembled(
        &self,
        mechanism: &Mechanism,
        instance: &Instance,
    ) -> Result<Vec<Motion>, ReferenceError> {
        let given = self.start(mechanism, instance)?;
        if !self.is_constrained() {
            return Ok(given);
        }
        let conditions = self.conditions(mechanism, instance, &given);
        let placed = self.settled(&conditions, &given, given.clone(), true)?;
        let turned = self.with_rates_turned(&conditions, &given, placed);
        let mut motions = self.settled(&conditions, &given, turned, false)?;
        self.start_rotors(&mut motions);
        Ok(motions)
    }

    fn conditions(&self, mechanism: &Mechanism, instance: &Instance, start: &[Motion]) -> Conditions {
        let described = mechanism.numbers();
        let mut coordinates = Vec::new();
        for (k, joint) in mechanism.joints.iter().enumerate() {
            let number = |is_given: bool, part: &str| {
                let at = described
                    .iter()
                    .position(|n| n.element == NumberOwner::Joint && n.index == k && n.part == part);
                at.filter(|_| is_given).map(|at| instance.numbers[at])
            };
            coordinates.extend(joint.kind.coordinates.iter().map(|&coordinate| {
                let given = mechanism.coordinate_conditions(JointCoordinate { joint: k, coordinate });
                let keys = coordinate.start_keys();
                [0, 1].map(|part| number(given[part], keys[part]))
            }));
        }
        let bodies = 0..self.bodies.len();
        let points =
            self.joints.iter().flat_map(|joint| joint.sides().iter().map(|side| side.point(start).value));
        let pivots = start.iter().map(|motion| motion.position);
        Conditions {
            bodies: bodies.clone().map(|b| mechanism.conditions(b)).collect(),
            coordinates,
            axes: mechanism.bodies.iter().map(|body| body.initial.angular_velocity_axes).collect(),
            pivots: bodies.map(|b| self.bodies[b].pivot_of(&start[b])).collect(),
            size: points.chain(pivots).map(|point| point.norm()).fold(0.0, f64::max),
        }
    }

    /// Positions, or else velocities, by the first attempt that holds and keeps what is given.
    fn settled(
        &self,
        conditions: &Conditions,
        given: &[Motion],
        from: Vec<Motion>,
        positions: bool,
    ) -> Result<Vec<Motion>, ReferenceError> {
        let deforms = self.bodies.iter().any(|body| body.deformation().is_some());
        let rigid = [(true, true), (false, true), (false, false)].map(|(b, c)| (b, c, false));
        let yielding = [(true, true, true), (false, false, true)];
        let mut from = from;
        let mut is_first = true;
        for (bodies, coordinates, yields) in rigid.into_iter().chain(yielding) {
            if yields && !deforms {
                continue;
            }
            let attempt = Attempt { bodies, coordinates, yields };
            let (end, holds) = if positions {
                self.moved(conditions, given, &from, attempt)
            } else {
                self.hurried(conditions, given, &from, attempt, deforms)
            };
            if holds && (bodies || self.keeps(conditions, given, &end, positions)) {
                return Ok(end);
            }
            let off = |motions: &[Motion]| {
                let constraints = self.constraints(motions, 0.0);
                if positions { constraints.value.amax() } else { constraints.rate.amax() }
            };
            if is_first && off(&end) <= off(&from) {
                from = end;
            }
            is_first = false;
        }
        Err(ReferenceError::Contradiction)
    }

    /// Newton's steps of the positions, and whether they end where all rows hold.
    fn moved(
        &self,
        conditions: &Conditions,
        given: &[Motion],
        from: &[Motion],
        attempt: Attempt,
    ) -> (Vec<Motion>, bool) {
        let mut motions = from.to_vec();
        let chosen = self.holds_positions();
        let rows: Vec<usize> = (0..chosen.len()).filter(|row| chosen[*row]).collect();
        for _ in 0..STEPS {
            let violations = self.constraints(&motions, 0.0).value.select_rows(&rows);
            let (more, off) = self.condition_rows(conditions, given, &motions, attempt, true);
            let b = stacked(&self.jacobian(&motions).select_rows(&rows), &more);
            let wrong = DVector::from_iterator(b.nrows(), violations.iter().chain(&off).copied());
            if wrong.iter().all(|x| x.abs() <= HOLDS) {
                return (motions, true);
            }
            let mobility = self.mobility_kept(conditions, &motions, attempt, true);
            let back = &mobility * b.transpose();
            let change = -(&back * truncated_solve(&(&b * &back), &wrong, REDUNDANT));
            for (motion, change) in motions.iter_mut().zip(self.with_velocities(given, &change)) {
                motion.position += change.velocity;
                motion.attitude = unit(motion.attitude * exponential(change.angular_velocity));
                motion.amplitudes += change.amplitude_rates;
            }
            if !change.iter().all(|x| x.is_finite()) || change.amax() <= STUCK {
                break;
            }
        }
        (motions, false)
    }

    /// The velocities projected on to the constraints, and whether they satisfy them then.
    fn hurried(
        &self,
        conditions: &Conditions,
        given: &[Motion],
        from: &[Motion],
        attempt: Attempt,
        deforms: bool,
    ) -> (Vec<Motion>, bool) {
        let mut motions = from.to_vec();
        let mobility = self.mobility_kept(conditions, &motions, attempt, false);
        let wrong = |motions: &[Motion]| {
            let rates = self.constraints(motions, 0.0).rate;
            let (_, off) = self.condition_rows(conditions, given, motions, attempt, false);
            DVector::from_iterator(rates.len() + off.len(), rates.iter().chain(&off).copied())
        };
        // The second removes what rounding left of the first.
        for _ in 0..2 {
            if wrong(&motions).iter().all(|x| x.abs() <= HOLDS) {
                return (motions, true);
            }
            let (more, _) = self.condition_rows(conditions, given, &motions, attempt, false);
            let b = stacked(&self.jacobian(&motions), &more);
            let back = &mobility * b.transpose();
            let change = -(&back * truncated_solve(&(&b * &back), &wrong(&motions), REDUNDANT));
            motions = self.with_velocities(&motions, &(self.velocities(&motions) + change));
        }
        let left = match (attempt.bodies || attempt.coordinates, attempt.yields == deforms) {
            (true, _) => HOLDS,
            (false, last) => LEFT[usize::from(last)],
        };
        let fastest = motions.iter().flat_map(|motion| [motion.velocity, motion.angular_velocity]);
        let fastest = fastest.map(|v| v.amax()).fold(1.0, f64::max);
        let holds = wrong(&motions).iter().all(|x| x.abs() <= left * fastest);
        (motions, holds)
    }

    /// The origin's and the attitude's part of what is given of a body, or their rates.
    fn given_of(conditions: &Conditions, b: usize, positions: bool) -> [bool; 2] {
        let given = conditions.bodies[b];
        if positions { [given.position, given.attitude] } else { [given.velocity, given.angular_velocity] }
    }

    fn needs_rows(&self, conditions: &Conditions, b: usize, attempt: Attempt, positions: bool) -> bool {
        let [shifts, turns] = MultibodySystem::given_of(conditions, b, positions);
        let gives_way = attempt.yields && self.bodies[b].deformation().is_some();
        gives_way || shifts && !turns && conditions.pivots[b] != Vector3::zeros()
    }

    /// M^-1, without what stays because it is infinitely heavy.
    fn mobility_kept(
        &self,
        conditions: &Conditions,
        at: &[Motion],
        attempt: Attempt,
        positions: bool,
    ) -> DMatrix<f64> {
        let mut mobility =
            if attempt.yields { self.mobility(at, 0.0) } else { self.mobility_without_modes() };
        for (b, place) in self.places.iter().enumerate() {
            if !attempt.bodies || self.needs_rows(conditions, b, attempt, positions) {
                continue;
            }
            let [shifts, turns] = MultibodySystem::given_of(conditions, b, positions);
            let stays = place.v.filter(|_| shifts).into_iter().chain(turns.then_some(place.w));
            for first in stays {
                mobility.rows_mut(first, 3).fill(0.0);
                mobility.columns_mut(first, 3).fill(0.0);
            }
        }
        mobility
    }

    /// The rows by which the rest of what is given stays, and by how much they are off.
    fn condition_rows(
        &self,
        conditions: &Conditions,
        given: &[Motion],
        at: &[Motion],
        attempt: Attempt,
        positions: bool,
    ) -> (DMatrix<f64>, Vec<f64>) {
        let mut rows = Vec::new();
        let mut off = Vec::new();
        if attempt.coordinates {
            let series = self.coordinate_series(at);
            let rates = self.rates_of(at, |motions| {
                DVector::from_iterator(series.len(), self.coordinate_series(motions).iter().map(|s| s.rate))
            });
            for (k, wanted) in conditions.coordinates.iter().enumerate() {
                let (wanted, is) =
                    if positions { (wanted[0], series[k].value) } else { (wanted[1], series[k].rate) };
                if let Some(wanted) = wanted {
                    rows.push(rates.row(k).into_owned());
                    off.push(is - wanted);
                }
            }
        }
        for (b, place) in self.places.iter().enumerate() {
            if !attempt.bodies || !self.needs_rows(conditions, b, attempt, positions) {
                continue;
            }
            let [shifts, turns] = MultibodySystem::given_of(conditions, b, positions);
            let [of_origin, of_turn] = self.off(conditions, given, at, b, positions);
            if let (true, Some(v)) = (shifts, place.v) {
                // The origin's velocity v - Lam (w x c), by columns.
                let turning = lam(at[b].attitude) * conditions.pivots[b].cross_matrix();
                for i in 0..3 {
                    let mut row = nalgebra::RowDVector::zeros(self.velocities);
                    row[v + i] = 1.0;
                    (0..3).for_each(|j| row[place.w + j] = turning[(i, j)]);
                    rows.push(row);
                }
                off.extend(of_origin.iter());
            }
            if turns {
                for i in 0..3 {
                    let mut row = nalgebra::RowDVector::zeros(self.velocities);
                    row[place.w + i] = 1.0;
                    rows.push(row);
                }
                off.extend(of_turn.iter());
            }
        }
        let matrix = DMatrix::from_fn(rows.len(), self.velocities, |i, j| rows[i][j]);
        (matrix, off)
    }

    /// By how much origin and attitude of a body, or their rates, are off from what is given.
    fn off(
        &self,
        conditions: &Conditions,
        given: &[Motion],
        at: &[Motion],
        b: usize,
        positions: bool,
    ) -> [Vector3<f64>; 2] {
        let (at, given, c) = (&at[b], &given[b], conditions.pivots[b]);
        let velocity = |m: &Motion| m.velocity - lam(m.attitude) * m.angular_velocity.cross(&c);
        if positions {
            let origin = |m: &Motion| m.position - lam(m.attitude) * c;
            let turn = given.attitude.conjugate() * at.attitude;
            let turn = if turn.w < 0.0 { -turn } else { turn };
            let sine = turn.imag().norm();
            let angle = if sine > 0.0 { 2.0 * sine.atan2(turn.w) / sine } else { 2.0 };
            [origin(at) - origin(given), angle * turn.imag()]
        } else {
            let spin = self.spin_given(conditions, given, at, b);
            [velocity(at) - velocity(given), at.angular_velocity - spin]
        }
    }

    /// The given angular velocity, in the axes of the body as it stands now.
    fn spin_given(&self, conditions: &Conditions, given: &Motion, at: &Motion, b: usize) -> Vector3<f64> {
        match conditions.axes[b] {
            Axes::Body => given.angular_velocity,
            Axes::Space => lam(at.attitude).transpose() * (lam(given.attitude) * given.angular_velocity),
        }
    }

    /// Bodies that were turned keep the velocity of their origin, and their spin in the axes in
    /// which it is given.
    fn with_rates_turned(
        &self,
        conditions: &Conditions,
        given: &[Motion],
        placed: Vec<Motion>,
    ) -> Vec<Motion> {
        let turned = placed.into_iter().enumerate().map(|(b, at)| {
            let (before, c) = (&given[b], conditions.pivots[b]);
            if at.attitude == before.attitude {
                return at;
            }
            let spin = self.spin_given(conditions, before, &at, b);
            let velocity_of_centre = |m: &Motion, w: Vector3<f64>| lam(m.attitude) * w.cross(&c);
            let velocity = before.velocity - velocity_of_centre(before, before.angular_velocity)
                + velocity_of_centre(&at, spin);
            Motion { velocity, angular_velocity: spin, ..at }
        });
        turned.collect()
    }

    /// Whether what is given has moved by rounding at most.
    fn keeps(&self, conditions: &Conditions, given: &[Motion], at: &[Motion], positions: bool) -> bool {
        let size = conditions.size;
        let spin = at.iter().map(|m| m.angular_velocity.norm()).fold(0.0, f64::max);
        let speed = at.iter().map(|m| m.velocity.norm()).fold(spin * size, f64::max);
        let spin = if size > 0.0 { spin.max(speed / size) } else { spin };
        let [shift, turn] = if positions { [size, 1.0] } else { [speed, spin] };
        let of_bodies = (0..at.len()).all(|b| {
            let [shifts, turns] = MultibodySystem::given_of(conditions, b, positions);
            let [origin, attitude] = self.off(conditions, given, at, b, positions);
            (!shifts || origin.norm() <= KEPT * shift) && (!turns || attitude.norm() <= KEPT * turn)
        });
        let series = self.coordinate_series(at);
        let mut coordinates = conditions.coordinates.iter().enumerate();
        of_bodies
            && coordinates.all(|(k, wanted)| {
                let (wanted, is) =
                    if positions { (wanted[0], series[k].value) } else { (wanted[1], series[k].rate) };
                let allowed = if self.coordinates[k].kind().is_turn() { turn } else { shift };
                wanted.is_none_or(|wanted| (is - wanted).abs() <= KEPT * allowed)
            })
    }
}

/// One matrix upon another.
fn stacked(above: &DMatrix<f64>, below: &DMatrix<f64>) -> DMatrix<f64> {
    let rows = above.nrows();
    DMatrix::from_fn(rows + below.nrows(), above.ncols(), |i, j| {
        if i < rows { above[(i, j)] } else { below[(i - rows, j)] }
    })
}
