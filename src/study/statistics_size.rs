//! Room for the statistics of all snapshots.

use super::run_error::RunError;
use crate::backend::Plan;
use crate::describe::Study;
use crate::observe::channels::Observer;

/// Largest number of statistics cells (snapshots times columns), of about 17 KB each.
pub const LARGEST_CELLS: usize = 1 << 18;

/// Bytes of a cell of the statistics, about.
pub const CELL_BYTES: usize = 17 << 10;

/// Memory of the statistics of all snapshots (bytes).
pub fn statistics_bytes(study: &Study, plan: &Plan) -> u64 {
    let cells = plan.schedule.snapshots().len() * Observer::new(plan, &study.observe.channels).width();
    cells as u64 * CELL_BYTES as u64
}

/// Refuses a study whose statistics would not fit in memory.
pub fn check_snapshots(study: &Study, plan: &Plan) -> Result<(), RunError> {
    let snapshots = plan.schedule.steps.div_ceil(plan.schedule.every) as usize + 1;
    let columns = Observer::new(plan, &study.observe.channels).width();
    if snapshots.saturating_mul(columns) <= LARGEST_CELLS {
        return Ok(());
    }
    let allowed = (LARGEST_CELLS / columns.max(1)).saturating_sub(1).max(1) as u64;
    Err(RunError::TooManySnapshots {
        snapshots,
        columns,
        gib: (snapshots as f64 * columns as f64 * CELL_BYTES as f64) / f64::from(1 << 30),
        every: plan.schedule.steps.div_ceil(allowed),
    })
}
