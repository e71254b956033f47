//! Columns that say nothing as a picture: they are the same in all instances at all times, or
//! rounding.

use super::numbers::number;
use super::table::ColumnLabel;
use polhode_description::base::with_unit;
use polhode_engine::observe::Summary;

/// Numbers that differ by no more than this share of their size, or are no larger than this share
/// of the other components of their channel, are rounding.
const ROUNDING: f64 = 1e-11;

/// The remainder of a solution by Newton's method, whose last step is no smaller than the rounding
/// of all its terms together.
pub const SOLVED: f64 = 1e-10;

/// The content of such a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Flat {
    /// As large as the rounding of the other components of its channel.
    Zero {
        exactly: bool,
    },
    Constant(f64),
}

impl Flat {
    /// By column, from all summaries; `None`: it varies, or has no value at all.
    pub fn of_columns(columns: &[ColumnLabel], summaries: &[Vec<Summary>]) -> Vec<Option<Flat>> {
        let range = |column: usize| {
            let known = summaries.iter().map(|row| &row[column]).filter(|summary| summary.count > 0);
            known.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), summary| {
                (low.min(summary.min), high.max(summary.max))
            })
        };
        let ranges: Vec<(f64, f64)> = (0..columns.len()).map(range).collect();
        let size = |(low, high): (f64, f64)| low.abs().max(high.abs());
        let flatness = |column: usize| {
            let (low, high) = ranges[column];
            if low > high || !size((low, high)).is_finite() {
                return None;
            }
            let own = size((low, high));
            let alike =
                columns.iter().zip(&ranges).filter(|(other, _)| other.channel == columns[column].channel);
            let scale =
                alike.map(|(_, range)| size(*range)).filter(|size| size.is_finite()).fold(0.0, f64::max);
            if own == 0.0 || own <= ROUNDING * scale {
                return Some(Flat::Zero { exactly: own == 0.0 });
            }
            (high - low <= ROUNDING * own).then_some(Flat::Constant(low / 2.0 + high / 2.0))
        };
        (0..columns.len()).map(flatness).collect()
    }

    /// Numbers that are solved for where sizes are about `scale`; `None`: they differ, or there are
    /// none.
    pub fn of_solved(values: &[f64], scale: f64) -> Option<Flat> {
        let finite = values.iter().copied().filter(|value| value.is_finite());
        let (low, high) =
            finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        let size = low.abs().max(high.abs());
        if low > high {
            return None;
        }
        if size == 0.0 || size <= SOLVED * scale {
            return Some(Flat::Zero { exactly: size == 0.0 });
        }
        (high - low <= SOLVED * size.max(scale)).then_some(Flat::Constant(low / 2.0 + high / 2.0))
    }

    /// `0 m (rounding)`, `0.05 m`
    pub fn sentence(self, unit: &str) -> String {
        match self {
            Flat::Zero { exactly: true } => with_unit("0", unit),
            Flat::Zero { exactly: false } => format!("{} (rounding)", with_unit("0", unit)),
            Flat::Constant(value) => with_unit(&number(value), unit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_and_constants_are_told_from_what_varies() {
        let label = |channel: &str, component: &str| ColumnLabel {
            channel: channel.to_string(),
            component: component.to_string(),
            unit: "N".to_string(),
            description: String::new(),
        };
        let columns = [label("a", "x"), label("a", "y"), label("a", "z"), label("b", ""), label("c", "")];
        let summary = |min: f64, max: f64| Summary {
            count: 3,
            excluded: 0,
            mean: min / 2.0 + max / 2.0,
            std: 1.0,
            min,
            max,
            quantiles: Vec::new(),
        };
        let row = vec![
            summary(-2.0, 3.0),
            summary(-1e-19, 1e-20),
            summary(1e-9, 2e-9),
            summary(5.0, 5.0 + 1e-13),
            summary(0.0, 0.0),
        ];
        let flat = Flat::of_columns(&columns, &[row]);
        assert_eq!(flat[..3], [None, Some(Flat::Zero { exactly: false }), None]);
        assert_eq!(flat[3].unwrap().sentence("N"), "5 N");
        assert_eq!(flat[4].unwrap().sentence("N"), "0 N");
        assert_eq!(flat[1].unwrap().sentence("N"), "0 N (rounding)");
    }

    #[test]
    fn what_is_solved_for_is_rounding_against_the_size_of_loads() {
        let sentence = |values: &[f64]| Flat::of_solved(values, 10.0).map(|flat| flat.sentence("N"));
        assert_eq!(sentence(&[1e-19, -3e-10, f64::NAN]), Some("0 N (rounding)".to_string()));
        assert_eq!(sentence(&[11.772, 11.772 + 2e-10]), Some("11.772 N".to_string()));
        assert_eq!([sentence(&[1e-6, 2e-6]), sentence(&[f64::NAN])], [None, None]);
    }
}
