//! H92's figures.

use super::ReportFigure;

pub const FIGURES: &[ReportFigure] = &[];
