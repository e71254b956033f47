//! A finished run, as far as others are compared with it.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use crate::base::regular;
use crate::describe::{InstanceTable, Study};
use crate::observe::Verdict;
use crate::output::SavedTable;
use crate::output::saved::{SavedError, SavedStatistics, manifest_of};
use crate::output::{Manifest, OutputError, STUDY, read_back, table_of_instances};
use crate::study_file::read_finished_study;

/// Times that differ by less, in steps of the first run, are the same.
pub(super) const SAME_TIME: f64 = 1e-6;

/// Instances of one verdict.
#[derive(Clone, Debug, Serialize)]
pub struct Count {
    pub verdict: String,
    pub first: u64,
    pub second: u64,
}

/// A run, as far as it is compared.
pub(super) struct ComparedRun {
    pub(super) name: String,
    pub(super) manifest: Manifest,
    pub(super) study: Study,
    pub(super) study_toml: String,
    pub(super) statistics: SavedStatistics,
    /// None: the run stored none.
    pub(super) instances: Option<SavedTable>,
}

impl ComparedRun {
    pub(super) fn read(folder: &Path) -> Result<ComparedRun, SavedError> {
        let manifest = manifest_of(folder)?;
        let file = folder.join(STUDY);
        manifest.check(folder, &read_back("compare", [STUDY]))?;
        let study = read_finished_study(&file)?;
        let study_toml = regular::read_text(&file).map_err(OutputError::io(&file))?;
        let statistics = SavedStatistics::read(folder, &study)?;
        let instances = match study.output.instances {
            InstanceTable::None => None,
            _ => Some(SavedTable::open(&folder.join(table_of_instances(study.kind.card())))?),
        };
        Ok(ComparedRun {
            name: folder.display().to_string(),
            manifest,
            study,
            study_toml,
            statistics,
            instances,
        })
    }

    pub(super) fn duration(&self) -> f64 {
        self.manifest.step * self.manifest.steps as f64
    }

    /// Its table of instances with the columns of final values.
    pub(super) fn finals(&self) -> Option<(&SavedTable, Vec<(String, String)>)> {
        self.instances.as_ref().map(|table| (table, table.columns("final.")))
    }

    /// Whether its table of instances has all that was drawn.
    pub(super) fn stores_drawn(&self) -> bool {
        let varied = self.study.ensemble.vary.iter().map(|vary| vary.target.width()).sum();
        self.instances.as_ref().is_some_and(|table| table.columns("drawn.").len() >= varied)
    }
}

pub(super) fn verdicts(first: &Manifest, second: &Manifest) -> Vec<Count> {
    // In the order of their codes; named conditions of the studies come last, by name.
    let mut counts: BTreeMap<(usize, &str), Count> = BTreeMap::new();
    for (side, manifest) in [first, second].into_iter().enumerate() {
        for (verdict, &count) in &manifest.verdicts {
            let place = Verdict::ALL.iter().position(|known| known.name() == verdict).unwrap_or(usize::MAX);
            let entry = counts.entry((place, verdict.as_str())).or_insert(Count {
                verdict: verdict.clone(),
                first: 0,
                second: 0,
            });
            *(if side == 0 { &mut entry.first } else { &mut entry.second }) += count;
        }
    }
    counts.into_values().filter(|count| count.first + count.second > 0).collect()
}
