//! The steps over which an accurate solution begins, so that jumps of loads lie on them.

use super::Groundwork;
use crate::describe::outcome::OF_A_MOMENT;
use crate::describe::{Expression, Study, common_divisor};
use crate::methods::chooses_steps;

/// Steps may be cut into so many for jumps of loads to be at their ends.
const FINEST_GRID: u64 = 64;

/// The steps into which the time between snapshots is cut.
pub(super) struct Grid {
    /// Steps of the study, of which snapshots and end are multiples.
    pub unit: u64,
    /// Steps that a unit is cut into, at first.
    pub pieces: u64,
    /// Steps of the study between two looks at the conditions that end instances; 0: there are
    /// none.
    looks: u64,
}

/// Outcomes are sought over so many steps of the whole motion at least.
const OF_OUTCOMES: u64 = 32;

/// The fewest steps of the whole motion that show the study's outcomes: two solutions whose steps
/// are all too long for one would agree that it is not there.
fn fewest_steps(study: &Study) -> u64 {
    let outcomes = &study.mechanism.outcomes;
    match outcomes.iter().any(|outcome| outcome.kind.is_of_condition()) {
        true => OF_A_MOMENT,
        false if outcomes.is_empty() => 1,
        false => OF_OUTCOMES,
    }
}

impl Grid {
    /// Steps of at most `longest` of the study's that meet all functions of time, with the jumps
    /// and kinks of loads on the grid where that is possible. Conditions that end instances are
    /// looked at when the run does: one may hold for a moment alone.
    pub fn of(study: &Study, known: &Groundwork, longest: u64) -> Grid {
        let unit = common_divisor(study.observe.every, study.method.steps);
        let looks = looks(study);
        let unit = common_divisor(unit, looks);
        let unit = common_divisor(unit, study.mechanism.sampling_steps(study.method.step));
        let pieces = unit.div_ceil(longest).max(1);
        let length = unit as f64 * study.method.step;
        let pieces = pieces.max((length / known.met).ceil() as u64);
        let pieces = pieces.max((fewest_steps(study) * unit).div_ceil(study.method.steps));
        let fits = |pieces: u64| {
            known.breaks.iter().all(|t| {
                let at = t / length * pieces as f64;
                (at - at.round()).abs() <= 1e-9 * at.max(1.0)
            })
        };
        let on_grid = (pieces..=(8 * unit).max(FINEST_GRID).max(pieces)).find(|pieces| fits(*pieces));
        Grid { unit, pieces: on_grid.unwrap_or(pieces), looks }
    }

    /// The study over steps that were halved so many times.
    pub fn stepped(&self, study: &Study, halvings: u32) -> Option<Study> {
        let pieces = self.pieces.checked_shl(halvings)?;
        let mut own = study.clone();
        let (every, steps) = (study.observe.every / self.unit, study.method.steps / self.unit);
        own.method.step = study.method.step * self.unit as f64 / pieces as f64;
        own.method.steps = steps.checked_mul(pieces)?;
        own.observe.every = every.checked_mul(pieces)?;
        if self.looks > 0 {
            own.verdict.every = (self.looks / self.unit).checked_mul(pieces)?;
        }
        // Restarts stay at the same times, as nearly as steps allow.
        let often = |count: u64| (count * pieces).div_ceil(self.unit);
        if own.method.resynchronise > 0 {
            own.method.resynchronise = often(own.method.resynchronise);
        }
        Some(own)
    }
}

/// Steps of the study between two looks at the conditions that end instances; 0: there are none.
fn looks(study: &Study) -> u64 {
    let is_looked_at = study.mechanism.may_end_early();
    let own_steps = chooses_steps(study.method.name, &study.method.options);
    match is_looked_at {
        true if own_steps => 1,
        true => study.verdict.every,
        false => 0,
    }
}

/// Whether forces bend or jump where no step for all instances ends: where the motion brings them
/// to it, or at times that every instance draws.
pub fn bends(study: &Study) -> bool {
    let mechanism = &study.mechanism;
    // Constants come first among the numbers of a mechanism.
    let drawn: Vec<usize> = study.ensemble.vary.iter().filter_map(|varied| varied.target.number()).collect();
    let is_drawn = |part: &Expression| matches!(part, Expression::Constant(k) if drawn.contains(k));
    let at_drawn_times =
        |part: &Expression| part.branches() && part.depends_on_argument() && part.any(&is_drawn);
    mechanism.bends() || mechanism.acts_by(|law| law.any(&at_drawn_times))
}
