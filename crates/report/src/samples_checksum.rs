//! The checksum of the samples that a study draws from: a result names it, so that files that have
//! changed since are found out.

use polhode_description::describe::{Distribution, Study};
use polhode_engine::observe::stored::Checksum;

/// Whether the study draws from tables of samples.
pub(super) fn has_tables(study: &Study) -> bool {
    study.ensemble.vary.iter().any(|vary| matches!(vary.distribution, Distribution::Table { .. }))
}

/// Returns the checksum of the values in the study's tables of samples.
pub fn samples_checksum(study: &Study) -> String {
    let mut checksum = Checksum::default();
    for vary in &study.ensemble.vary {
        if let Distribution::Table { values, .. } = &vary.distribution {
            values.iter().flatten().for_each(|x| checksum.add(&x.to_bits().to_le_bytes()));
        }
    }
    format!("{:016x}", checksum.value())
}
