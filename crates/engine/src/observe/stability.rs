//! The record of an instance whose stability is in question, the summary of its instances in a cell
//! of a map, and the end of the stable cells in a row.

use serde::{Deserialize, Serialize};

use super::Verdict;

/// The straight line of least squares through values at growing abscissas.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Trend {
    n: f64,
    x: f64,
    xx: f64,
    y: f64,
    xy: f64,
}

impl Trend {
    pub fn add(&mut self, x: f64, y: f64) {
        self.n += 1.0;
        self.x += x;
        self.xx += x * x;
        self.y += y;
        self.xy += x * y;
    }

    /// Its slope; NaN with fewer than two abscissas.
    pub fn slope(&self) -> f64 {
        let spread = self.n * self.xx - self.x * self.x;
        if spread > 0.0 { (self.n * self.xy - self.x * self.y) / spread } else { f64::NAN }
    }
}

/// Record of an instance up to its end, at the snapshots and in its last sound state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnergyRecord {
    /// Largest `|E - E0| / (T0 + |V0|)`; NaN without energy at the start.
    pub energy_drift: f64,
    /// Largest `|Phi|`; NaN where nothing holds the bodies.
    pub violation: f64,
    /// Trend of the energy drift over the snapshots, by least squares (1/step or 1/s, by the
    /// abscissas added).
    pub trend: Trend,
    /// The study's first outcome at the end; NaN: there is none.
    pub outcome: f64,
}

impl EnergyRecord {
    /// Record before the first snapshot.
    pub const NONE: EnergyRecord = EnergyRecord {
        energy_drift: f64::NAN,
        violation: f64::NAN,
        trend: Trend { n: 0.0, x: 0.0, xx: 0.0, y: 0.0, xy: 0.0 },
        outcome: f64::NAN,
    };

    /// A snapshot at time `t` (s) with this drift and violation; NaN: none.
    pub fn at(&mut self, t: f64, drift: f64, violation: f64) {
        self.last(drift, violation);
        if drift.is_finite() {
            self.trend.add(t, drift);
        }
    }

    /// The last sound state, which is no part of the trend.
    pub fn last(&mut self, drift: f64, violation: f64) {
        self.energy_drift = self.energy_drift.max(drift.abs());
        self.violation = self.violation.max(violation);
    }
}

/// A cell of a map: one instance, or several that differ in what is no axis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Instances by verdict, in the order of [`Verdict::ALL`].
    pub counts: [u64; Verdict::ALL.len()],
    /// The earliest step at which an instance failed; `None`: none did.
    pub failed_at: Option<u64>,
    /// Largest of its instances, as are the others.
    pub energy_drift: f64,
    pub violation: f64,
    /// Drift rate of the largest magnitude (1/s).
    pub drift_rate: f64,
    /// The study's first outcome.
    pub outcome: f64,
}

/// Returns the rank of a verdict: the larger, the worse. `None`: an interrupted instance is neither
/// good nor bad. Among conditions the later one is worse, and none is as bad as an error.
fn badness(verdict: Verdict) -> Option<usize> {
    const AFTER: usize = Verdict::MOST_CONDITIONS;
    match verdict {
        Verdict::Interrupted => None,
        Verdict::Finished => Some(0),
        Verdict::Condition(number) => Some(1 + usize::from(number)),
        Verdict::EnergyBound => Some(AFTER + 1),
        Verdict::ConstraintBound => Some(AFTER + 2),
        Verdict::NormBound => Some(AFTER + 3),
        Verdict::StepTooSmall => Some(AFTER + 4),
        Verdict::NotConverged => Some(AFTER + 5),
        Verdict::NonFinite => Some(AFTER + 6),
        Verdict::InvalidSample => Some(AFTER + 7),
    }
}

impl Cell {
    /// Without an instance.
    pub const EMPTY: Cell = Cell {
        counts: [0; Verdict::ALL.len()],
        failed_at: None,
        energy_drift: f64::NAN,
        violation: f64::NAN,
        drift_rate: f64::NAN,
        outcome: f64::NAN,
    };

    pub fn add(&mut self, verdict: Verdict, step: u64, record: &EnergyRecord) {
        self.counts[place(verdict)] += 1;
        if !matches!(verdict, Verdict::Finished | Verdict::Interrupted) {
            self.failed_at = Some(self.failed_at.map_or(step, |before| before.min(step)));
        }
        self.energy_drift = self.energy_drift.max(record.energy_drift);
        self.violation = self.violation.max(record.violation);
        self.outcome = self.outcome.max(record.outcome);
        self.take_rate(record.trend.slope());
    }

    /// Takes in what another part of its instances has shown, which come after its own.
    pub fn merge(&mut self, later: &Cell) {
        for (mine, theirs) in self.counts.iter_mut().zip(later.counts) {
            *mine += theirs;
        }
        self.failed_at = [self.failed_at, later.failed_at].into_iter().flatten().min();
        self.energy_drift = self.energy_drift.max(later.energy_drift);
        self.violation = self.violation.max(later.violation);
        self.outcome = self.outcome.max(later.outcome);
        self.take_rate(later.drift_rate);
    }

    fn take_rate(&mut self, rate: f64) {
        if !rate.is_nan() && (self.drift_rate.is_nan() || rate.abs() > self.drift_rate.abs()) {
            self.drift_rate = rate;
        }
    }

    pub fn count(&self, verdict: Verdict) -> u64 {
        self.counts[place(verdict)]
    }

    /// Count of instances whose end is known: all but the interrupted ones.
    pub fn known(&self) -> u64 {
        self.counts.iter().sum::<u64>() - self.count(Verdict::Interrupted)
    }

    /// The worst of its instances; `None`: the end of none is known.
    pub fn worst(&self) -> Option<Verdict> {
        let ended = Verdict::ALL.into_iter().filter(|verdict| self.count(*verdict) > 0);
        ended
            .filter_map(|verdict| Some((badness(verdict)?, verdict)))
            .max_by_key(|(bad, _)| *bad)
            .map(|(_, v)| v)
    }

    /// Share of its instances that came to their end within all bounds; NaN: unknown.
    pub fn share_stable(&self) -> f64 {
        self.count(Verdict::Finished) as f64 / self.known() as f64
    }

    /// Whether all of `replicas` instances are stable; `None`: unknown as yet.
    pub fn is_stable(&self, replicas: u64) -> Option<bool> {
        match self.worst() {
            Some(Verdict::Finished) if self.known() == replicas => Some(true),
            Some(Verdict::Finished) | None => None,
            Some(_) => Some(false),
        }
    }
}

fn place(verdict: Verdict) -> usize {
    verdict.code() as usize
}

/// Where along its row a method is stable, by place: in the first stretch of stable cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reach {
    /// The first that is stable, before which none is; `None`: none is.
    pub first: Option<usize>,
    /// The last place of the stretch that begins there.
    pub largest: Option<usize>,
    /// The first beyond it that is not stable; `None`: none is known.
    pub first_unstable: Option<usize>,
    /// The last stable one of all, perhaps beyond unstable ones.
    pub last: Option<usize>,
}

impl Reach {
    /// Returns the reach of a row, from [`Cell::is_stable`] of its cells.
    pub fn of(row: &[Option<bool>]) -> Reach {
        let first = row.iter().position(|stable| *stable == Some(true));
        let from = first.unwrap_or_default();
        let end = from + row[from..].iter().take_while(|stable| **stable == Some(true)).count();
        Reach {
            first,
            largest: first.and(end.checked_sub(1)),
            first_unstable: (row.get(end) == Some(&Some(false))).then_some(end),
            last: row.iter().rposition(|stable| *stable == Some(true)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trend_is_the_slope_of_its_line() {
        let mut trend = Trend::default();
        assert!(trend.slope().is_nan());
        trend.add(1.0, 5.0);
        assert!(trend.slope().is_nan());
        for (x, y) in [(2.0, 7.0), (3.0, 9.0), (7.0, 17.0)] {
            trend.add(x, y);
        }
        assert!((trend.slope() - 2.0).abs() < 1e-12);
    }

    #[test]
    fn the_worst_instance_speaks_for_its_cell() {
        let mut cell = Cell::EMPTY;
        assert_eq!((cell.worst(), cell.is_stable(2)), (None, None));
        cell.add(Verdict::Finished, 100, &EnergyRecord { energy_drift: 0.01, ..EnergyRecord::NONE });
        assert_eq!((cell.worst(), cell.is_stable(2)), (Some(Verdict::Finished), None));
        assert_eq!((cell.is_stable(1), cell.failed_at), (Some(true), None));
        let mut late = cell;
        late.add(Verdict::Interrupted, 30, &EnergyRecord::NONE);
        assert_eq!((late.is_stable(2), late.share_stable()), (None, 1.0));
        cell.add(Verdict::EnergyBound, 70, &EnergyRecord { energy_drift: 0.2, ..EnergyRecord::NONE });
        cell.add(Verdict::NonFinite, 50, &EnergyRecord::NONE);
        assert_eq!((cell.worst(), cell.failed_at), (Some(Verdict::NonFinite), Some(50)));
        assert_eq!((cell.is_stable(3), cell.energy_drift), (Some(false), 0.2));
        assert!((cell.share_stable() - 1.0 / 3.0).abs() < 1e-15 && cell.violation.is_nan());
    }

    #[test]
    fn a_row_is_stable_from_its_first_stable_cell_on() {
        let row = |text: &str| -> Vec<Option<bool>> {
            text.chars().map(|c| [('s', true), ('u', false)].iter().find(|k| k.0 == c).map(|k| k.1)).collect()
        };
        let reach = |text: &str| {
            let Reach { first, largest, first_unstable, last } = Reach::of(&row(text));
            (first, largest, first_unstable, last)
        };
        assert_eq!(reach("ssusu"), (Some(0), Some(1), Some(2), Some(3)));
        assert_eq!(reach("usu"), (Some(1), Some(1), Some(2), Some(1)));
        assert_eq!(reach("uuss"), (Some(2), Some(3), None, Some(3)));
        assert_eq!(reach("sss"), (Some(0), Some(2), None, Some(2)));
        assert_eq!(reach("ss.u"), (Some(0), Some(1), None, Some(1)));
        assert_eq!(reach("uuu"), (None, None, Some(0), None));
        assert_eq!(reach("..."), (None, None, None, None));
    }
}
