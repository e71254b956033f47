//! Assembly: the start that a user gives, completed and moved as little as may be so that all
//! joints, generators and contacts hold.
//!
//! Quantities that are given are conditions, those that are not are free:
//!
//! 1. Given positions, attitudes and coordinates of joints stay exactly as they are; all else
//!    moves.
//! 2. Where that cannot be, given coordinates of joints stay, and everything else moves.
//! 3. Where that cannot be either, everything moves.
//!
//! After steps 2 and 3 no given quantity may have moved by more than [`KEPT`] of the mechanism's
//! size, which is what the digits of a file leave: otherwise the mechanism cannot be assembled as
//! given. Velocities follow in the same three steps.
//!
//! Positions are found by Newton's iteration, velocities by one projection, both least
//! in the sense of the masses:
//!
//! ```text
//! mu = B M^-1 B^T ;   dx = -M^-1 B^T mu^+ Phi(x) ;   du = -M^-1 B^T mu^+ B u
//! ```
//!
//! with no mobility (a zero in M^-1) for what must stay. `mu^+` is the pseudo-inverse by
//! eigenvalues of mu scaled to a unit diagonal, cut at 1e-8 of the largest: redundant rows and
//! singular positions are no obstacle, as long as they do not contradict each other. The second and
//! third step begin where the first ended, with what is free as near to its place as it goes: there
//! only what contradicts is left to move what is given.
//!
//! Its rounding must not take a planar mechanism out of its plane: what differs by next to nothing
//! from the start as given is made equal to it again.

use nalgebra::{DMatrix, DVector};

use super::constraint_set::{BodyConstants, ConstraintSet};
use super::{WIDTH, channels, motion};
use crate::base::{quantity, significant};
use crate::describe::Giver;
use crate::describe::{Axes, Given, JointCoordinate};
use crate::kinematics::body::{Motion, Velocities, Wrench};
use crate::kinematics::row::{JacobianBlock, Mobility, Row};
use crate::math::quaternion::{exponential, inverse, product, to_body, to_space};
use crate::math::symmetric::symmetric_eigen;
use crate::math::vector::{add, cross, length, scale, sub, times};

/// Largest |Phi| (m, or 1) and |B u| (m/s, or 1/s) of an assembled mechanism.
pub const ASSEMBLED: f64 = 1e-12;
/// By how much a given quantity may move, as a share of the mechanism's size and speed or in rad,
/// and still counts as kept: the rounding of positions and attitudes in files that have three or
/// four digits.
pub const KEPT: f64 = 1e-3;
/// Largest share of the quantities of its kind (m, m/s, rad/s, or 1) that assembly changes by
/// rounding.
const ROUNDING: f64 = 1e-13;
/// Share of the velocities below which what violates a joint is rounding.
const LEFT_OF_RATES: f64 = 1e-9;
/// Share of the velocities below which what violates a joint is rounding, where all that can be
/// done is done: more is a contradiction.
const LEFT_AT_LAST: f64 = 1e-6;
/// Largest |Phi| (m, or 1; of large mechanisms as a share of where their bodies are) that masses
/// far apart may leave where Newton's steps lead nowhere any more.
const LEFT_OF_POSITIONS: f64 = 1e-10;
/// Iterations after which a mechanism is taken for one that cannot be assembled.
const MOST_ITERATIONS: usize = 50;
/// A step of Newton's iteration (m, or rad) that leads nowhere any more.
const STUCK: f64 = 1e-14;
/// Eigenvalues below this share of the largest belong to redundant rows.
const REDUNDANT: f64 = 1e-8;

/// The changes that assembly has made to a start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Change {
    /// Largest changes of everything.
    pub all: Moved,
    /// Largest changes of what is given, coordinates of joints included.
    pub given: Moved,
    /// Largest change of a modal coordinate, in its unit.
    pub amplitude: f64,
}

/// Largest changes of a start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moved {
    /// Largest change of a position (m).
    pub displacement: f64,
    /// Largest change of an attitude (rad).
    pub rotation: f64,
    /// Largest change of a velocity (m/s).
    pub velocity: f64,
    /// Largest change of an angular velocity (rad/s).
    pub angular_velocity: f64,
}

impl Moved {
    /// Nothing has moved by more than a coordinate loses as it is computed.
    fn is_rounding(&self) -> bool {
        let Moved { displacement, rotation, velocity, angular_velocity } = *self;
        [displacement, rotation, velocity, angular_velocity].into_iter().all(|moved| moved <= ASSEMBLED)
    }
}

impl Moved {
    fn sentence(&self) -> String {
        format!(
            "{} and {}, {} and {}",
            quantity(self.displacement, 3, "m"),
            quantity(self.rotation, 3, "rad"),
            quantity(self.velocity, 3, "m/s"),
            quantity(self.angular_velocity, 3, "rad/s")
        )
    }
}

impl Change {
    /// In words.
    pub fn summary(&self) -> String {
        let kept = self.given.is_rounding();
        if kept && self.all == Moved::default() && self.amplitude == 0.0 {
            return "assembled as given".to_string();
        }
        let bent = match self.amplitude {
            0.0 => String::new(),
            amplitude => format!("; modal coordinates by up to {} in their units", significant(amplitude, 3)),
        };
        let given = if kept {
            "what is given is kept".to_string()
        } else {
            format!("what is given by up to {}", self.given.sentence())
        };
        format!("assembled by moving bodies up to {}{bent}; {given}", self.all.sentence())
    }
}

/// Why a start cannot be assembled: the row that is violated most where everything given is kept,
/// or where assembly ended, by its position; and what contradicts it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CannotAssemble {
    pub row: usize,
    /// (m, or 1; of rates per s)
    pub violation: f64,
    /// Positions hold, velocities do not.
    pub of_rates: bool,
    /// The given quantity that would have to move most; `None`: the rows contradict each other.
    pub given: Option<GivenQuantity>,
}

/// A quantity of the start that is given, and by how much it would have to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GivenQuantity {
    pub of: Giver,
    /// Its key in a file.
    pub key: &'static str,
    /// (m, rad, m/s or rad/s)
    pub moved: f64,
}

/// The conditions that assembly has to keep.
#[derive(Clone, Debug)]
pub struct AssemblyConditions {
    /// By body.
    pub bodies: Vec<OfBody>,
    pub coordinates: Vec<OfCoordinate>,
    /// The largest distance of anything from the origin of space (m).
    pub size: f64,
}

/// The quantities of a body that are given.
#[derive(Clone, Copy, Debug)]
pub struct OfBody {
    pub given: Given,
    /// From its origin to its mass centre, principal axes (m); zero for a body with a fixed point.
    pub centre: [f64; 3],
    /// The axes in which its angular velocity is given.
    pub axes: Axes,
}

/// The value and rate that are given for a joint's coordinate.
#[derive(Clone, Copy, Debug)]
pub struct OfCoordinate {
    pub of: JointCoordinate,
    /// (rad or m)
    pub value: Option<f64>,
    /// (rad/s or m/s)
    pub rate: Option<f64>,
}

/// An attempt to assemble: the quantities that stay, and whether flexible bodies deform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Attempt {
    /// Given quantities of bodies stay.
    bodies: bool,
    /// Given coordinates of joints stay.
    coordinates: bool,
    /// Flexible bodies deform.
    yields: bool,
}

/// Flexible bodies keep the deformation that they are given, where the joints can hold so: a mode
/// gives way so easily that it would take up most of what is amiss.
const ATTEMPTS: [Attempt; 5] = [
    Attempt { bodies: true, coordinates: true, yields: false },
    Attempt { bodies: false, coordinates: true, yields: false },
    Attempt { bodies: false, coordinates: false, yields: false },
    Attempt { bodies: true, coordinates: true, yields: true },
    Attempt { bodies: false, coordinates: false, yields: true },
];

/// The quantities that an attempt settles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConstraintLevel {
    Positions,
    Rates,
}

/// Moves `motions` so that all rows of `constraints` hold at t = 0, and what is given stays.
pub fn assemble(
    constraints: &ConstraintSet<f64>,
    bodies: &[BodyConstants<f64>],
    conditions: &AssemblyConditions,
    motions: &mut [Motion<f64>],
) -> Result<Change, CannotAssemble> {
    let given = motions.to_vec();
    let assembly = Assembly { held: constraints, bodies, conditions, given: &given };
    assembly.settle(ConstraintLevel::Positions, motions)?;
    assembly.turn_rates(motions);
    assembly.settle(ConstraintLevel::Rates, motions)?;
    restore(constraints, &given, motions);
    Ok(assembly.change(motions))
}

/// Number of independent rows: eigenvalues below 1e-8 of the largest belong to redundant rows where
/// they lie apart from all others, the first of them by the widest gap.
pub fn rank(rows: &[Row<f64>], bodies: &[BodyConstants<f64>], motions: &[Motion<f64>]) -> usize {
    /// A factor between two eigenvalues that makes a gap, and the share of the largest below which
    /// all are rounding.
    const GAP: f64 = 1e3;
    const ROUNDING: f64 = 1e-16;
    if rows.is_empty() {
        return 0;
    }
    let Some((eigen, _)) = scaled(rows, &mobilities(bodies, motions)) else { return 0 };
    let mut values: Vec<f64> = eigen.eigenvalues.iter().copied().collect();
    values.sort_by(|a, b| b.total_cmp(a));
    let cut = cut(&eigen.eigenvalues);
    let least = values[0] * ROUNDING;
    let gaps = values.windows(2).enumerate().filter(|(_, pair)| pair[1] <= cut);
    let gaps = gaps.map(|(k, pair)| (k + 1, pair[0] / pair[1].max(least)));
    let widest = gaps.filter(|(_, gap)| *gap > GAP).max_by(|a, b| a.1.total_cmp(&b.1));
    widest.map_or(values.len(), |(rank, _)| rank)
}

/// An assembly under way.
struct Assembly<'a> {
    held: &'a ConstraintSet<f64>,
    bodies: &'a [BodyConstants<f64>],
    conditions: &'a AssemblyConditions,
    given: &'a [Motion<f64>],
}

/// Where an attempt ended.
struct Ended {
    motions: Vec<Motion<f64>>,
    holds: bool,
    /// The row that is violated most, and by how much.
    worst: (usize, f64),
}

impl Assembly<'_> {
    /// Makes positions or velocities hold, by the first attempt that does.
    fn settle(&self, level: ConstraintLevel, motions: &mut [Motion<f64>]) -> Result<(), CannotAssemble> {
        let deforms = self.deforms();
        let mut from = motions.to_vec();
        let mut first: Option<Ended> = None;
        let mut failed = None;
        for attempt in ATTEMPTS.into_iter().filter(|attempt| deforms || !attempt.yields) {
            let ended = self.attempt(level, attempt, &from);
            if ended.holds {
                let moved = if attempt.bodies { None } else { self.most_moved(level, &ended.motions) };
                match (moved, &first) {
                    (None, _) => {
                        motions.clone_from_slice(&ended.motions);
                        return Ok(());
                    }
                    (Some(given), Some(kept)) => {
                        let (row, violation) = kept.worst;
                        let of_rates = level == ConstraintLevel::Rates;
                        failed = Some(CannotAssemble { row, violation, of_rates, given: Some(given) });
                    }
                    (Some(_), None) => {}
                }
            } else if !attempt.bodies && failed.is_none_or(|failed| failed.given.is_none()) {
                let (row, violation) = ended.worst;
                failed = Some(CannotAssemble {
                    row,
                    violation,
                    of_rates: level == ConstraintLevel::Rates,
                    given: None,
                });
            }
            if first.is_none() {
                // Free quantities are now as near to their places as they go, unless the attempt
                // ran away.
                if ended.worst.1 <= self.worst(level, &from).1 {
                    from.clone_from_slice(&ended.motions);
                }
                first = Some(ended);
            }
        }
        Err(failed.unwrap_or(CannotAssemble { row: 0, violation: f64::NAN, of_rates: false, given: None }))
    }

    fn deforms(&self) -> bool {
        self.bodies.iter().any(|body| body.deformation.is_some())
    }

    fn attempt(&self, level: ConstraintLevel, attempt: Attempt, from: &[Motion<f64>]) -> Ended {
        let mut motions = from.to_vec();
        let holds = match level {
            ConstraintLevel::Positions => self.move_bodies(attempt, &mut motions),
            ConstraintLevel::Rates => self.change_rates(attempt, &mut motions),
        };
        // Nobody asks for it where all rows hold, as in most instances at once.
        let worst = if holds { (0, 0.0) } else { self.worst(level, &motions) };
        Ended { motions, holds, worst }
    }

    /// The row that is violated most, conditions aside, and by how much.
    fn worst(&self, level: ConstraintLevel, motions: &[Motion<f64>]) -> (usize, f64) {
        let mut worst = (0, 0.0);
        for (k, row) in self.held.rows_without_locks(motions, 0.0).iter().enumerate() {
            let off = match level {
                _ if overflows(row) => f64::INFINITY,
                ConstraintLevel::Positions => row.violation.abs(),
                ConstraintLevel::Rates => row.rate(motions).abs(),
            };
            if off > worst.1 || !off.is_finite() {
                worst = (k, if off.is_finite() { off } else { f64::INFINITY });
            }
        }
        worst
    }

    /// Newton's iteration; whether all rows of positions hold in the end.
    fn move_bodies(&self, attempt: Attempt, motions: &mut [Motion<f64>]) -> bool {
        let bodies = self.yielding(attempt);
        for _ in 0..MOST_ITERATIONS {
            let mut rows = self.held.rows_without_locks(motions, 0.0);
            rows.extend(self.position_rows(attempt, motions));
            let violation = rows.iter().map(|row| row.violation.abs()).fold(0.0, larger);
            if !violation.is_finite() || rows.iter().any(overflows) {
                return false;
            }
            if violation <= ASSEMBLED {
                return true;
            }
            // A row of velocities says nothing of positions.
            rows.retain(|row| !row.rate_alone);
            let phi = rows.iter().map(|row| row.violation).collect();
            let mobilities = self.mobilities(ConstraintLevel::Positions, attempt, &bodies, motions);
            let Some(changes) = correction(&rows, &mobilities, motions, phi) else { return false };
            let step =
                changes.iter().flat_map(|change| change.w.iter().chain(&change.v).chain(&change.modal));
            let step = step.copied().map(f64::abs).fold(0.0, larger);
            for (motion, change) in motions.iter_mut().zip(changes) {
                motion.q = exponential(motion.q, change.w);
                motion.r = add(motion.r, change.v);
                let amplitudes = motion.modal.amplitudes.iter_mut();
                amplitudes.zip(change.modal).for_each(|(amplitude, more)| *amplitude += more);
            }
            if step <= STUCK {
                break;
            }
        }
        let rows = self.held.rows_without_locks(motions, 0.0).into_iter();
        let rows = rows.chain(self.position_rows(attempt, motions));
        let violation = rows.map(|row| row.violation.abs()).fold(0.0, larger);
        let farthest = motions.iter().map(|motion| length(motion.r)).fold(1.0, larger);
        violation <= LEFT_OF_POSITIONS * farthest
    }

    /// Takes from the velocities what violates the rows; whether they hold then.
    fn change_rates(&self, attempt: Attempt, motions: &mut [Motion<f64>]) -> bool {
        let bodies = self.yielding(attempt);
        let mut rows = self.held.rows_without_locks(motions, 0.0);
        rows.extend(self.rate_rows(attempt, motions));
        if rows.iter().any(overflows) {
            return false;
        }
        let mobilities = self.mobilities(ConstraintLevel::Rates, attempt, &bodies, motions);
        let rates = |motions: &[Motion<f64>]| rows.iter().map(|row| row.rate(motions)).collect::<Vec<f64>>();
        // Once more for what rounding leaves of large velocities.
        for _ in 0..2 {
            let rates = rates(motions);
            if rates.iter().all(|rate| rate.abs() <= ASSEMBLED) {
                return true;
            }
            let Some(changes) = correction(&rows, &mobilities, motions, rates) else { return false };
            for (motion, change) in motions.iter_mut().zip(changes) {
                motion.w = add(motion.w, change.w);
                motion.v = add(motion.v, change.v);
                let rates = motion.modal.rates.iter_mut();
                rates.zip(change.modal).for_each(|(rate, more)| *rate += more);
            }
        }
        let left = match attempt {
            Attempt { bodies: false, coordinates: false, yields } if yields == self.deforms() => LEFT_AT_LAST,
            Attempt { bodies: false, coordinates: false, .. } => LEFT_OF_RATES,
            _ => ASSEMBLED,
        };
        let fastest = motions.iter().flat_map(|motion| [motion.v, motion.w]).flatten().fold(1.0, larger_size);
        rates(motions).iter().all(|rate| rate.abs() <= left * fastest)
    }

    /// The bodies as they give way in this attempt.
    fn yielding(&self, attempt: Attempt) -> Vec<BodyConstants<f64>> {
        let rigid = |body: &BodyConstants<f64>| BodyConstants { deformation: None, ..body.clone() };
        if attempt.yields { self.bodies.to_vec() } else { self.bodies.iter().map(rigid).collect() }
    }

    /// Returns whether a body's positions, or its velocities, are given: that of its
    /// origin, and that of its turning.
    fn given_of(&self, level: ConstraintLevel, body: usize) -> [bool; 2] {
        let given = self.conditions.bodies[body].given;
        match level {
            ConstraintLevel::Positions => [given.position, given.attitude],
            ConstraintLevel::Rates => [given.velocity, given.angular_velocity],
        }
    }

    /// Whether a condition of a body needs rows; else it is kept by giving the body no mobility.
    fn needs_rows(&self, level: ConstraintLevel, body: usize, bodies: &[BodyConstants<f64>]) -> bool {
        let [shifts, turns] = self.given_of(level, body);
        bodies[body].deformation.is_some()
            || shifts && !turns && self.conditions.bodies[body].centre != [0.0; 3]
    }

    fn mobilities(
        &self,
        level: ConstraintLevel,
        attempt: Attempt,
        bodies: &[BodyConstants<f64>],
        motions: &[Motion<f64>],
    ) -> Vec<Mobility<f64>> {
        let mut mobilities = mobilities(bodies, motions);
        for (b, mobility) in mobilities.iter_mut().enumerate() {
            if !attempt.bodies || self.needs_rows(level, b, bodies) {
                continue;
            }
            let [shifts, turns] = self.given_of(level, b);
            if shifts {
                mobility.mass = 0.0;
            }
            if turns {
                mobility.inertia = [0.0; 3];
            }
        }
        mobilities
    }

    /// Rows that keep given positions, attitudes and coordinates, where zeros in the mobility do
    /// not.
    fn position_rows(&self, attempt: Attempt, motions: &[Motion<f64>]) -> Vec<Row<f64>> {
        let mut rows = Vec::new();
        if attempt.coordinates {
            for OfCoordinate { of, value, .. } in &self.conditions.coordinates {
                if let Some(value) = value {
                    rows.push(self.held.coordinate(*of, motions).driven([*value, 0.0, 0.0]));
                }
            }
        }
        let bodies = self.yielding(attempt);
        for b in (0..motions.len())
            .filter(|b| attempt.bodies && self.needs_rows(ConstraintLevel::Positions, *b, &bodies))
        {
            let [shifts, turns] = self.given_of(ConstraintLevel::Positions, b);
            let (at, given) = (&motions[b], &self.given[b]);
            if shifts {
                let off = sub(self.origin(b, at), self.origin(b, given));
                rows.extend((0..3).map(|k| Row::new([self.origin_part(b, k, at)], off[k], 0.0)));
            }
            if turns {
                let off = turn_between(given, at);
                rows.extend((0..3).map(|k| Row::new([turning_part(b, k, at)], off[k], 0.0)));
            }
        }
        rows
    }

    /// Rows that keep given velocities, angular velocities and rates of coordinates, where zeros in
    /// the mobility do not.
    fn rate_rows(&self, attempt: Attempt, motions: &[Motion<f64>]) -> Vec<Row<f64>> {
        let mut rows = Vec::new();
        let driven =
            |part: JacobianBlock<f64>, rate: f64| Row::new([part], 0.0, 0.0).driven([0.0, rate, 0.0]);
        if attempt.coordinates {
            for OfCoordinate { of, rate, .. } in &self.conditions.coordinates {
                if let Some(rate) = rate {
                    rows.push(self.held.coordinate(*of, motions).driven([0.0, *rate, 0.0]));
                }
            }
        }
        let bodies = self.yielding(attempt);
        for b in (0..motions.len())
            .filter(|b| attempt.bodies && self.needs_rows(ConstraintLevel::Rates, *b, &bodies))
        {
            let [shifts, turns] = self.given_of(ConstraintLevel::Rates, b);
            let at = &motions[b];
            if shifts {
                let given = self.origin_velocity(b, &self.given[b]);
                rows.extend((0..3).map(|k| driven(self.origin_part(b, k, at), given[k])));
            }
            if turns {
                let given = self.given_spin(b, at);
                rows.extend((0..3).map(|k| driven(turning_part(b, k, at), given[k])));
            }
        }
        rows
    }

    /// Where the origin of a body is (m).
    fn origin(&self, b: usize, at: &Motion<f64>) -> [f64; 3] {
        sub(at.r, to_space(at.q, self.conditions.bodies[b].centre))
    }

    /// Its velocity (m/s).
    fn origin_velocity(&self, b: usize, at: &Motion<f64>) -> [f64; 3] {
        sub(at.v, to_space(at.q, cross(at.w, self.conditions.bodies[b].centre)))
    }

    /// The angular velocity that the start as given has in the axes of a body that stands like `at`
    /// (rad/s).
    fn given_spin(&self, b: usize, at: &Motion<f64>) -> [f64; 3] {
        let given = &self.given[b];
        match self.conditions.bodies[b].axes {
            Axes::Body => given.w,
            Axes::Space => to_body(at.q, to_space(given.q, given.w)),
        }
    }

    /// Returns the derivative of component k of the origin's velocity by the velocities of the
    /// body: `e.v - w.(c x Lam^T e)`.
    fn origin_part(&self, body: usize, k: usize, at: &Motion<f64>) -> JacobianBlock<f64> {
        let e = unit(k);
        let w = cross(to_body(at.q, e), self.conditions.bodies[body].centre);
        JacobianBlock { body, v: Some(e), w, modal: vec![0.0; at.modal.rates.len()] }
    }

    /// Where a body has been turned, its velocities are turned along: those of its origin stay, and
    /// its spin in the axes in which it is given.
    fn turn_rates(&self, motions: &mut [Motion<f64>]) {
        for (b, motion) in motions.iter_mut().enumerate() {
            let given = &self.given[b];
            if motion.q == given.q {
                continue;
            }
            motion.w = self.given_spin(b, motion);
            let centre = self.conditions.bodies[b].centre;
            if centre != [0.0; 3] {
                motion.v = add(self.origin_velocity(b, given), to_space(motion.q, cross(motion.w, centre)));
            }
        }
    }

    /// The given quantity that has moved most, measured by what it may, if that is more.
    fn most_moved(&self, level: ConstraintLevel, motions: &[Motion<f64>]) -> Option<GivenQuantity> {
        let size = self.conditions.size;
        let spin = motions.iter().map(|motion| length(motion.w)).fold(0.0, larger);
        let speed = motions.iter().map(|motion| length(motion.v)).fold(spin * size, larger);
        let spin = if size > 0.0 { spin.max(speed / size) } else { spin };
        let mut most: (f64, Option<GivenQuantity>) = (1.0, None);
        for (given, is_turn) in self.moved_given(level, motions) {
            let allowed = KEPT
                * match (level, is_turn) {
                    (ConstraintLevel::Positions, false) => size,
                    (ConstraintLevel::Positions, true) => 1.0,
                    (ConstraintLevel::Rates, false) => speed,
                    (ConstraintLevel::Rates, true) => spin,
                };
            // Nothing has moved where nothing is to be measured by.
            let share = if given.moved > 0.0 { given.moved / allowed } else { 0.0 };
            if share > most.0 {
                most = (share, Some(given));
            }
        }
        most.1
    }

    /// By how much what is given has moved, and whether that is a turn.
    fn moved_given(&self, level: ConstraintLevel, motions: &[Motion<f64>]) -> Vec<(GivenQuantity, bool)> {
        let mut moved = Vec::new();
        for (b, (at, given)) in motions.iter().zip(self.given).enumerate() {
            let [shifts, turns] = self.given_of(level, b);
            let (keys, by) = match level {
                ConstraintLevel::Positions => (
                    ["position", "attitude"],
                    [sub(self.origin(b, at), self.origin(b, given)), turn_between(given, at)],
                ),
                ConstraintLevel::Rates => (
                    ["velocity", "angular_velocity"],
                    [
                        sub(self.origin_velocity(b, at), self.origin_velocity(b, given)),
                        sub(at.w, self.given_spin(b, at)),
                    ],
                ),
            };
            for (k, is_given) in [shifts, turns].into_iter().enumerate() {
                if is_given {
                    moved.push((
                        GivenQuantity { of: Giver::Body(b), key: keys[k], moved: length(by[k]) },
                        k == 1,
                    ));
                }
            }
        }
        for OfCoordinate { of: coordinate, value, rate } in &self.conditions.coordinates {
            let row = self.held.coordinate(*coordinate, motions);
            let is_turn = coordinate.coordinate.is_turn();
            let keys = coordinate.coordinate.start_keys();
            let (given, is, key) = match level {
                ConstraintLevel::Positions => (value, row.violation, keys[0]),
                ConstraintLevel::Rates => (rate, row.rate(motions), keys[1]),
            };
            if let Some(given) = given {
                let giver = Giver::Joint(coordinate.joint);
                moved.push((GivenQuantity { of: giver, key, moved: (is - given).abs() }, is_turn));
            }
        }
        moved
    }

    /// Returns the largest changes from the start as given.
    fn change(&self, motions: &[Motion<f64>]) -> Change {
        let mut change = Change::default();
        let Moved { displacement, rotation, velocity, angular_velocity } = &mut change.all;
        for (at, given) in motions.iter().zip(self.given) {
            *displacement = larger(*displacement, length(sub(at.r, given.r)));
            *rotation = larger(*rotation, length(turn_between(given, at)));
            *velocity = larger(*velocity, length(sub(at.v, given.v)));
            *angular_velocity = larger(*angular_velocity, length(sub(at.w, given.w)));
            let amplitudes = at.modal.amplitudes.iter().zip(&given.modal.amplitudes);
            change.amplitude = amplitudes.map(|(x, given)| (x - given).abs()).fold(change.amplitude, larger);
        }
        for of in [ConstraintLevel::Positions, ConstraintLevel::Rates] {
            for (given, is_turn) in self.moved_given(of, motions) {
                let largest = match (of, is_turn) {
                    (ConstraintLevel::Positions, false) => &mut change.given.displacement,
                    (ConstraintLevel::Positions, true) => &mut change.given.rotation,
                    (ConstraintLevel::Rates, false) => &mut change.given.velocity,
                    (ConstraintLevel::Rates, true) => &mut change.given.angular_velocity,
                };
                *largest = larger(*largest, given.moved);
            }
        }
        change
    }
}

/// Returns the derivative of component k of a body's angular velocity, its own axes, by its
/// velocities.
fn turning_part(body: usize, k: usize, at: &Motion<f64>) -> JacobianBlock<f64> {
    JacobianBlock { body, v: None, w: unit(k), modal: vec![0.0; at.modal.rates.len()] }
}

/// The rotation vector from one attitude to the other (rad).
fn turn_between(from: &Motion<f64>, to: &Motion<f64>) -> [f64; 3] {
    if from.q == to.q {
        return [0.0; 3];
    }
    let [w, x, y, z] = product(inverse(from.q), to.q);
    let sine = length([x, y, z]);
    if sine == 0.0 {
        return [0.0; 3];
    }
    let angle = 2.0 * sine.atan2(w.abs());
    scale(if w < 0.0 { -angle / sine } else { angle / sine }, [x, y, z])
}

fn unit(k: usize) -> [f64; 3] {
    std::array::from_fn(|i| if i == k { 1.0 } else { 0.0 })
}

fn larger(a: f64, b: f64) -> f64 {
    // Unlike f64::max this keeps what is not a number.
    if a.is_nan() || a > b { a } else { b }
}

fn larger_size(a: f64, b: f64) -> f64 {
    larger(a, b.abs())
}

/// Gives what differs from the start as given by rounding alone its value there again, unless the
/// joints would hold less well for it.
fn restore(constraints: &ConstraintSet<f64>, given_motions: &[Motion<f64>], motions: &mut [Motion<f64>]) {
    /// First channels of attitude, angular velocity, position and velocity, and the end.
    const KINDS: [usize; 5] = [0, 4, 7, 10, WIDTH];
    let mut restored: Vec<[f64; WIDTH]> = motions.iter().map(channels).collect();
    let given: Vec<[f64; WIDTH]> = given_motions.iter().map(channels).collect();
    for kind in KINDS.windows(2) {
        let of_kind = kind[0]..kind[1];
        let largest = restored.iter().flat_map(|c| &c[of_kind.clone()]).copied().fold(1.0, larger_size);
        for (restored, given) in restored.iter_mut().zip(&given) {
            for c in of_kind.clone() {
                if (restored[c] - given[c]).abs() <= ROUNDING * largest {
                    restored[c] = given[c];
                }
            }
        }
    }
    let mut restored: Vec<Motion<f64>> = restored.iter().map(|c| motion(c)).collect();
    for ((restored, given), moved) in restored.iter_mut().zip(given_motions).zip(motions.iter()) {
        let again = |given: &[f64], moved: &[f64]| {
            let largest = moved.iter().copied().fold(1.0, larger_size);
            let restored = |(given, x): (&f64, &f64)| {
                if (x - given).abs() <= ROUNDING * largest { *given } else { *x }
            };
            given.iter().zip(moved).map(restored).collect()
        };
        restored.modal.amplitudes = again(&given.modal.amplitudes, &moved.modal.amplitudes);
        restored.modal.rates = again(&given.modal.rates, &moved.modal.rates);
    }
    if restored == motions {
        return;
    }
    let off = |motions: &[Motion<f64>]| {
        let rows = constraints.rows_without_locks(motions, 0.0);
        let of_row = |row: &Row<f64>| [row.violation.abs(), row.rate(motions).abs()];
        rows.iter().map(of_row).fold([0.0; 2], |[a, b]: [f64; 2], [x, y]| [larger(a, x), larger(b, y)])
    };
    let (before, after) = (off(motions), off(&restored));
    if before.iter().zip(after).all(|(before, after)| after <= before.max(ASSEMBLED)) {
        motions.clone_from_slice(&restored);
    }
}

/// Whether squares of the row's numbers overflow, as of arms beyond 1e154 m: nothing can be solved
/// for then.
fn overflows(row: &Row<f64>) -> bool {
    let square = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>();
    row.parts.iter().any(|part| !(square(part.w) + part.v.map_or(0.0, square)).is_finite())
}

/// `-M^-1 B^T mu^+ excess`, by body: of rotation, position and modal coordinates. `None`: mu is not
/// finite.
fn correction(
    rows: &[Row<f64>],
    mobilities: &[Mobility<f64>],
    motions: &[Motion<f64>],
    excess: Vec<f64>,
) -> Option<Vec<Velocities<f64>>> {
    let (eigen, scales) = scaled(rows, mobilities)?;
    let cut = cut(&eigen.eigenvalues);
    let right = DVector::from_vec(excess).component_mul(&scales);
    let mut along = eigen.eigenvectors.tr_mul(&right);
    for (value, eigenvalue) in along.iter_mut().zip(eigen.eigenvalues.iter()) {
        *value = if *eigenvalue > cut { *value / eigenvalue } else { 0.0 };
    }
    let multipliers = (&eigen.eigenvectors * along).component_mul(&scales);
    Some(away(rows, multipliers.as_slice(), mobilities, motions))
}

/// `-M^-1 B^T lam`, by body.
pub(super) fn away(
    rows: &[Row<f64>],
    multipliers: &[f64],
    mobilities: &[Mobility<f64>],
    motions: &[Motion<f64>],
) -> Vec<Velocities<f64>> {
    let none = |motion: &Motion<f64>| Wrench {
        force: [0.0; 3],
        torque: [0.0; 3],
        modal: vec![0.0; motion.modal.rates.len()],
    };
    let mut wrenches: Vec<Wrench<f64>> = motions.iter().map(none).collect();
    for (row, multiplier) in rows.iter().zip(multipliers.iter()) {
        row.react(*multiplier, &mut wrenches);
    }
    let corrected = wrenches.iter().zip(mobilities).map(|(wrench, body)| {
        let (w, modal) = match &body.yielding {
            None => (times(body.inertia, wrench.torque), Vec::new()),
            Some(yielding) => yielding.solve(wrench.torque, &wrench.modal),
        };
        Velocities { w, v: scale(body.mass, wrench.force), modal }
    });
    corrected.collect()
}

/// Returns the mobilities of the bodies where they are; a fixed point does not give way.
pub(super) fn mobilities(bodies: &[BodyConstants<f64>], motions: &[Motion<f64>]) -> Vec<Mobility<f64>> {
    let mobility = |(body, at): (&BodyConstants<f64>, &Motion<f64>)| {
        let mobility = body.mobility(at, None);
        Mobility { mass: if body.moves { mobility.mass } else { 0.0 }, ..mobility }
    };
    bodies.iter().zip(motions).map(mobility).collect()
}

type Eigen = nalgebra::SymmetricEigen<f64, nalgebra::Dyn>;

/// The eigenvalues and vectors of `S mu S`, `S` the scales that make its diagonal one.
/// `None`: mu is not finite.
fn scaled(rows: &[Row<f64>], mobility: &[Mobility<f64>]) -> Option<(Eigen, DVector<f64>)> {
    let n = rows.len();
    let mu = DMatrix::from_fn(n, n, |i, j| rows[i].coupling(&rows[j], mobility).unwrap_or(0.0));
    let scales = DVector::from_fn(n, |i, _| if mu[(i, i)] > 0.0 { mu[(i, i)].sqrt().recip() } else { 0.0 });
    let scaled = DMatrix::from_fn(n, n, |i, j| scales[i] * mu[(i, j)] * scales[j]);
    Some((symmetric_eigen(scaled)?, scales))
}

fn cut(eigenvalues: &DVector<f64>) -> f64 {
    REDUNDANT * eigenvalues.iter().copied().fold(0.0, f64::max)
}
