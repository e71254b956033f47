//! The share of an ensemble that has a value, and its words: the summary of a run, the report and
//! `compare` use them.

use serde::Serialize;

use super::Summary;
use super::correlation::NORMAL_95;
use crate::math::wilson::wilson;

/// So many of so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Share {
    pub count: u64,
    /// Above 0.
    pub of: u64,
    /// Independent draws among them: all, or the rows of a design whose instances share numbers.
    pub draws: u64,
}

impl Share {
    /// A share of independent instances; `None`: there are none.
    pub fn new(count: u64, all: u64) -> Option<Share> {
        (all > 0).then_some(Share { count, of: all, draws: all })
    }

    /// The share that has a value, of a column that not all of the `finished` instances have;
    /// `None`: they all do.
    pub fn lacking(summary: &Summary, finished: u64) -> Option<Share> {
        let share = Share::new(summary.count, summary.count + summary.excluded)?;
        (summary.count < finished).then_some(share)
    }

    pub fn value(self) -> f64 {
        self.count as f64 / self.of as f64
    }

    /// By Wilson's score, 95 %.
    pub fn interval(self) -> [f64; 2] {
        wilson(self.value(), self.draws as f64, NORMAL_95)
    }

    /// `1.3 %; 95 %: 0.9 to 1.9 %`
    pub fn percent(self) -> String {
        let [low, high] = self.interval();
        let decimals = self.decimals();
        let shown = |share: f64| percent(share, decimals);
        format!("{} %; 95 %: {} to {} %", shown(self.value()), shown(low), shown(high))
    }

    /// `26 of 2,000`
    pub fn counted(self, grouped: fn(u64) -> String) -> String {
        format!("{} of {}", grouped(self.count), grouped(self.of))
    }

    /// `26 of 2,000 have a value (1.3 %; 95 %: 0.9 to 1.9 %)`
    pub fn sentence(self, grouped: fn(u64) -> String) -> String {
        let has = if self.count == 1 { "has" } else { "have" };
        format!("{} {has} a value ({})", self.counted(grouped), self.percent())
    }

    /// Decimals of a percentage that show the interval; more where "some" would read as none, or
    /// "most" as all.
    fn decimals(self) -> usize {
        let [low, high] = self.interval();
        let mut decimals = (-(20.0 * (high - low)).log10()).ceil().clamp(0.0, 9.0) as usize;
        let is_end = |text: String| text == "0" || text == "100";
        while (1..self.of).contains(&self.count) && decimals < 9 && is_end(percent(self.value(), decimals)) {
            decimals += 1;
        }
        decimals
    }
}

/// A share in percent with so many decimals at most.
fn percent(share: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", 100.0 * share);
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::grouped;

    #[test]
    fn shares_have_the_digits_that_their_interval_leaves() {
        let sentence = |count, all| Share::new(count, all).unwrap().sentence(grouped);
        assert_eq!(sentence(26, 2000), "26 of 2,000 have a value (1.3 %; 95 %: 0.9 to 1.9 %)");
        assert_eq!(sentence(1, 10), "1 of 10 has a value (10 %; 95 %: 2 to 40 %)");
        assert_eq!(sentence(0, 2000), "0 of 2,000 have a value (0 %; 95 %: 0 to 0.19 %)");
        assert_eq!(sentence(1999, 2000), "1,999 of 2,000 have a value (99.95 %; 95 %: 99.72 to 99.99 %)");
        assert_eq!(Share::new(0, 0), None);
    }

    #[test]
    fn a_share_of_rows_is_known_as_well_as_the_rows_tell() {
        let all = Share { count: 26, of: 2000, draws: 2000 };
        let rows = Share { draws: 250, ..all };
        let width = |share: Share| share.interval()[1] - share.interval()[0];
        assert!(width(rows) > 2.0 * width(all));
    }

    #[test]
    fn a_column_lacks_values_that_finished_instances_do_not_have() {
        let summary = |count, excluded| Summary {
            count,
            excluded,
            mean: 0.0,
            std: 0.0,
            min: 0.0,
            max: 0.0,
            quantiles: Vec::new(),
        };
        assert_eq!(Share::lacking(&summary(1910, 90), 1910), None, "90 stopped, and all others have it");
        assert_eq!(Share::lacking(&summary(589, 1411), 1910), Share::new(589, 2000));
        assert_eq!(Share::lacking(&summary(0, 0), 0), None);
    }
}
