//! The figures of the reports, drawn again with polhode's own numbers, one file a report.
//!
//! We read the captions of a report's figures and the text about them; the curves are computed.
//! Panels of a figure are drawn one by one and bear its number with a letter. Each caption says
//! with which step and method a curve was computed, and which data are ours.
//!
//! To add a figure: a function and a line in `FIGURES` of the report's file.

mod h92;
mod k14;
mod pc87;
mod pcd90;
mod w84;

use super::{Context, Failure};
use polhode::output::figures::Figure;

/// A figure as it is numbered in a report.
#[derive(Clone, Copy, Debug)]
pub struct ReportFigure {
    /// `pc87_fig5`; names of its panels begin with it.
    pub id: &'static str,
    /// PC87, PCD90, H92, K14 or W84.
    pub report: &'static str,
    /// `fig. 5`, as the report numbers it.
    pub number: &'static str,
    /// The figure's content in the report, in our words.
    pub shows: &'static str,
    /// Its panels, in the report's order.
    pub(crate) draw: fn(&Context<'_>) -> Result<Vec<Figure>, Failure>,
}

/// By report, in the order of their years and numbers.
const REPORTS: [&[ReportFigure]; 5] =
    [w84::FIGURES, pc87::FIGURES, pcd90::FIGURES, h92::FIGURES, k14::FIGURES];

/// All figures that can be drawn.
pub fn all() -> impl Iterator<Item = &'static ReportFigure> {
    REPORTS.into_iter().flatten()
}

/// A figure with its panels.
#[derive(Debug)]
pub struct DrawnFigure {
    pub(crate) figure: ReportFigure,
    pub(crate) panels: Vec<Figure>,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn figures_bear_the_number_of_their_report() {
        let ids: BTreeSet<&str> = all().map(|figure| figure.id).collect();
        assert_eq!(ids.len(), all().count(), "an id stands twice");
        for ReportFigure { id, report, number, shows, .. } in all() {
            let short = number.strip_prefix("fig. ").expect("a figure's number").replace('.', "_");
            assert_eq!(*id, format!("{}_fig{short}", report.to_lowercase()));
            assert!(shows.ends_with('.'), "{id}");
        }
    }
}
