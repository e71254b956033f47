//! The text that a device runs of a plan: one kernel, or several that its program is cut into.

use super::kernel::Kernel;
use super::segments::Segments;
use super::straight_line::Phrasing;
use crate::backend::Plan;
use crate::backend::program::Program;
use crate::base::Precision;

/// The arithmetic of a backend ends in this where its program is cut: a driver may round otherwise
/// there.
pub const CUT: &str = ", cut";

/// The text for a device.
pub enum Printed {
    Whole(Box<Kernel>),
    /// With the reason, which stands in the line that tells what computes.
    Cut(Box<Segments>, String),
}

impl Printed {
    /// One kernel.
    pub fn whole(plan: &Plan, precision: Precision, program: &Program, phrasing: Phrasing) -> Printed {
        Kernel::phrased(plan, precision, program, phrasing).into()
    }

    /// Several, for this reason.
    pub fn cut(
        plan: &Plan,
        precision: Precision,
        program: &Program,
        phrasing: Phrasing,
        why: String,
    ) -> Printed {
        Printed::Cut(Box::new(Segments::new(plan, precision, program, phrasing)), why)
    }

    /// Kernels, and lines of all.
    pub fn size(&self) -> (usize, usize) {
        match self {
            Printed::Whole(kernel) => (1, kernel.lines()),
            Printed::Cut(segments, _) => (segments.texts.len(), segments.lines()),
        }
    }
}

impl From<Kernel> for Printed {
    fn from(kernel: Kernel) -> Printed {
        Printed::Whole(Box::new(kernel))
    }
}
