//! Room in memory and on the disk for what a run will keep and write: `check` tells it, and a run
//! that has too little says so before it begins.

use super::final_columns::final_channels;
use crate::backend::Plan;
use crate::base::{bytes, memory};
use crate::describe::{InstanceTable, Study};
use crate::ensemble::{Sampler, Shard};
use crate::observe::channels::Observer;
use crate::output::{ROWS_A_GROUP, free_space};
use std::path::Path;

/// Number, verdict and step of an instance, uncompressed (bytes).
const OF_INSTANCE: f64 = 28.0;
/// Number and time of a snapshot of a kept trajectory (bytes).
const OF_SNAPSHOT: f64 = 16.0;

/// The program itself, its libraries and machine code, at least (bytes); its machine code and plans
/// alone; a report with what it draws itself; what drawing of SVG and PNG takes, and one picture
/// so. Measured of chains of 2 to 20 bodies, of `tumbling`, `double_pendulum` and `cart_pole` on a
/// CPU.
const OF_PROGRAM: f64 = 30.0 * MIB;
const OF_PLANS: f64 = 13.0 * MIB;
const OF_REPORT: f64 = 5.0 * MIB;
const OF_DRAWING: f64 = 40.0 * MIB;
const OF_PICTURE: f64 = 0.15 * MIB;
/// A column of a small table besides its numbers: its name, unit and meaning (bytes).
pub const OF_COLUMN: usize = 640;
const MIB: f64 = (1u64 << 20) as f64;

/// Bytes of the tables of a run of this study at most, as they are without compression.
pub fn table_bytes(study: &Study, plan: &Plan, sampler: &Sampler) -> f64 {
    let real = study.run.precision.bytes() as f64;
    let observed = Observer::new(plan, &study.observe.channels).width() as f64;
    let kept = study.observe.keep.min(study.ensemble.size) as f64 * plan.schedule.snapshots().len() as f64;
    row_bytes(study, plan, sampler) * study.ensemble.size as f64 + kept * (OF_SNAPSHOT + observed * real)
}

/// Bytes of an instance's row, uncompressed.
fn row_bytes(study: &Study, plan: &Plan, sampler: &Sampler) -> f64 {
    let real = study.run.precision.bytes() as f64;
    let ends = Observer::new(plan, &final_channels(study, plan)).width() as f64 * real;
    match &study.output.instances {
        InstanceTable::None => 0.0,
        _ => OF_INSTANCE + sampler.width() as f64 * 8.0 + ends,
    }
}

/// Memory of the rows that wait until a group of them is whole, as they came and as they are
/// written (bytes).
pub fn waiting_bytes(study: &Study, plan: &Plan, sampler: &Sampler) -> f64 {
    2.0 * row_bytes(study, plan, sampler) * study.ensemble.size.min(ROWS_A_GROUP as u64) as f64
}

/// Memory of a run besides that of its instances (bytes).
pub fn program_bytes(study: &Study, plan: &Plan) -> f64 {
    // A fan, a histogram, and values against inputs where there are any.
    let each = if study.ensemble.vary.is_empty() { 2 } else { 3 };
    with_pictures(study, each * Observer::new(plan, &study.observe.channels).width())
}

/// Memory of the program with what it has compiled, and of so many pictures, which stay until the
/// report is written (bytes).
pub fn with_pictures(study: &Study, pictures: usize) -> f64 {
    OF_PROGRAM.max(OF_PLANS + memory::of_files() as f64)
        + match (study.output.plots, study.output.report) {
            (true, _) => OF_DRAWING + pictures as f64 * OF_PICTURE,
            (false, true) => OF_REPORT,
            (false, false) => 0.0,
        }
}

/// A warning where a folder has less room than these tables may need.
pub fn too_little(tables: f64, out: &Path) -> Option<String> {
    let free = free_space(out).filter(|free| (*free as f64) < tables)?;
    Some(format!(
        "the tables may need {}, and {} are free for {}; choose another disk with --out, or write less: \
         output.instances",
        bytes(tables),
        bytes(free as f64),
        out.display()
    ))
}

/// That of a run, or of one shard of it.
pub(super) fn warned(study: &Study, plan: &Plan, shard: Option<Shard>, out: &Path) -> Option<String> {
    let parts = shard.map_or(1, |shard| shard.of);
    // The run tells what cannot be drawn.
    let tables = table_bytes(study, plan, &Sampler::new(study).ok()?) / parts as f64;
    too_little(tables, out).map(|found| format!("warning: {found}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_disk_has_room_for_everything() {
        let here = std::env::temp_dir();
        let found = too_little(1e30, &here.join("not/there/yet")).unwrap_or_default();
        assert!(
            cfg!(not(unix)) || found.starts_with("the tables may need 909494701772928256.0 TiB, and "),
            "{found}"
        );
        assert_eq!(too_little(0.0, &here), None);
    }
}
