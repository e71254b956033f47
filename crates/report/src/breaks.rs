//! Lines of single instances: they break where a column jumps by convention alone, and nothing is
//! drawn across.
//!
//! A quaternion's scalar is not negative, so all its components change their sign where it passes
//! 0; `atan2` goes over from half a turn to minus half a turn.

use std::ops::Range;

use super::report_data::ReportData;
use polhode_description::describe::{Expression, OutcomeKind};
use polhode_engine::observe::channels;
use polhode_engine::observe::channels::Registered;

/// In which way a column may jump by convention.
enum Jump {
    Never,
    /// With the other components of a quaternion, which are these columns.
    Sign(Range<usize>),
    /// By this.
    Turn(f64),
}

impl Jump {
    fn of(data: &ReportData<'_>, column: usize) -> Jump {
        let label = &data.columns[column];
        let mechanism = &data.study.mechanism;
        let components = channels::ATTITUDE.components();
        let component = components.iter().position(|suffix| suffix[1..] == label.component);
        if let Some(component) = component {
            let first = column - component;
            return Jump::Sign(first..first + components.len());
        }
        let signal = mechanism.signals.iter().find(|signal| signal.name == label.channel);
        let outcome = mechanism.outcomes.iter().find(|outcome| outcome.name == label.channel);
        let function: Option<&Expression> = signal.map(|signal| &signal.value).or_else(|| {
            outcome.filter(|outcome| outcome.kind == OutcomeKind::Final).map(|outcome| &outcome.of)
        });
        function.and_then(|of| mechanism.turn_of(of)).map_or(Jump::Never, Jump::Turn)
    }

    /// Whether the k-th kept instance jumps between these snapshots.
    fn between(&self, data: &ReportData<'_>, column: usize, k: usize, [from, to]: [usize; 2]) -> bool {
        let instances = data.trajectories.instances.len();
        let value = |column: usize, t: usize| data.trajectories.values[column][t * instances + k];
        match self {
            Jump::Never => false,
            Jump::Sign(columns) => {
                columns.clone().map(|column| value(column, from) * value(column, to)).sum::<f64>() < 0.0
            }
            Jump::Turn(turn) => (value(column, to) - value(column, from)).abs() > 0.5 * turn,
        }
    }
}

/// The values of the k-th kept instance at these snapshots, as lines that reach across no jump by
/// convention: (time, value).
pub fn lines(data: &ReportData<'_>, column: usize, k: usize, times: &[usize]) -> Vec<Vec<(f64, f64)>> {
    let jump = Jump::of(data, column);
    let series: Vec<f64> = data.trajectories.series(column, k).collect();
    let shown: Vec<usize> = times.iter().copied().filter(|t| series[*t].is_finite()).collect();
    let pieces = shown.chunk_by(|from, to| !jump.between(data, column, k, [*from, *to]));
    pieces.map(|piece| piece.iter().map(|t| (data.times[*t], series[*t])).collect()).collect()
}
