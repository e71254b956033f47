//! The parts of an ensemble run apart, and put together.
//!
//! A shard leaves a folder with its rows of `instances.parquet`, the study, a manifest, and
//! `shard.state`: statistics and all else that is collected over instances, in a form that can be
//! merged without rounding. What is merged is, bit for bit, what the whole run writes, because
//!
//! - instance i depends on (study, i) alone, and its steps on the plan, which [is](super::plan) a
//!   function of the study;
//! - bins of quantiles come from the pilot, which every shard runs again;
//! - statistics are sums and counts [without rounding](crate::observe::statistics).
//!
//! ```text
//! shard.state = a [state](super::checkpoint) whose body is what is kept
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::kinds::runnable;
use super::merging::{MergeError, Merging, ShardFolder, unless_ended};
use crate::base::{grouped, regular};
use crate::ensemble::Shard;
use crate::output::{ACCURACY, Manifest, OutputError, OutputFolder, RunOutcome, STUDY, copy_samples};
use crate::study_file::read_finished_study;

/// Refuses shards that are given twice or not at all.
fn check_complete(parts: &[ShardFolder]) -> Result<(), MergeError> {
    for pair in parts.windows(2) {
        if pair[0].shard == pair[1].shard {
            return Err(MergeError::Refused {
                folder: pair[1].folder.clone(),
                why: format!(
                    "is shard {}, as {} is; give each shard once",
                    pair[1].shard,
                    pair[0].folder.display()
                ),
            });
        }
    }
    /// Shards that are named.
    const NAMED: usize = 20;
    let shards = parts[0].shard.of;
    let given: BTreeSet<u64> = parts.iter().map(|part| part.shard.part).collect();
    let missing =
        (1..=shards).filter(|part| !given.contains(part)).map(|part| Shard { part, of: shards }.to_string());
    let missing: Vec<String> = missing.take(NAMED).collect();
    let more = match shards - given.len() as u64 - missing.len() as u64 {
        0 => String::new(),
        more => format!(" and {} more", grouped(more)),
    };
    match &missing[..] {
        [] => Ok(()),
        [one] => Err(MergeError::Missing(format!(
            "shard {one} is missing; give its folder, or run it: --shard {one}"
        ))),
        [first, ..] => Err(MergeError::Missing(format!(
            "shards {}{more} are missing; give their folders, or run them: --shard {first} and so on",
            missing.join(", ")
        ))),
    }
}

/// Puts all shards of a study together, given in any order, and writes the folder `out`.
pub fn merge(
    folders: &[PathBuf],
    out: &Path,
    overwrite: bool,
    interrupted: &AtomicBool,
) -> Result<RunOutcome, MergeError> {
    let threads = rayon::ThreadPoolBuilder::new().build();
    let threads = threads.map_err(|error| MergeError::Threads(error.to_string()))?;
    threads.install(|| merge_parts(folders, out, overwrite, interrupted))
}

fn merge_parts(
    folders: &[PathBuf],
    out: &Path,
    overwrite: bool,
    interrupted: &AtomicBool,
) -> Result<RunOutcome, MergeError> {
    let opened = folders.iter().map(|folder| {
        unless_ended(interrupted)?;
        ShardFolder::open(folder)
    });
    let mut parts = opened.collect::<Result<Vec<ShardFolder>, _>>()?;
    let Some(first) = parts.first() else {
        return Err(MergeError::Missing("no shard was given".to_string()));
    };
    for part in &parts {
        if let Some(why) = part.differs(first) {
            return Err(MergeError::Refused { folder: part.folder.clone(), why });
        }
        let same = |folder: &Path| folder.canonicalize().ok();
        if same(&part.folder).is_some() && same(&part.folder) == same(out) {
            let why = "is a shard to be merged; choose another --out".to_string();
            return Err(MergeError::Refused { folder: out.to_owned(), why });
        }
    }
    parts.sort_by_key(|part| part.shard.part);
    check_complete(&parts)?;
    let study = read_finished_study(&parts[0].folder.join(STUDY))?;
    let folder = OutputFolder::create(out, overwrite)?;

    let mut manifest = manifest_of(parts.iter().map(|part| &part.manifest));
    if let Some(part) = best_judged(&parts) {
        manifest.accuracy.clone_from(&part.manifest.accuracy);
        let from = part.folder.join(ACCURACY.file);
        if from.exists() {
            folder.write(ACCURACY.file, &regular::read(&from).map_err(OutputError::io(&from))?)?;
        }
    }
    copy_samples(&parts[0].folder, &folder)?;
    let study_toml = parts[0].header.study.clone();
    let merging = Merging { folder, manifest, study_toml, parts, size: study.ensemble.size, interrupted };
    runnable(&study).merge(&study, merging)
}

/// The shard whose accuracy is that of the most instances: each has judged instances of the whole
/// ensemble, as many as there was time for.
fn best_judged(parts: &[ShardFolder]) -> Option<&ShardFolder> {
    let judged =
        |part: &&ShardFolder| part.manifest.accuracy.as_ref().map_or(0, |accuracy| accuracy.instances);
    parts.iter().filter(|part| part.manifest.accuracy.is_some()).max_by_key(judged)
}

/// Returns the manifest of all shards together: times are summed, and the earliest start counts.
fn manifest_of<'a>(manifests: impl Iterator<Item = &'a Manifest>) -> Manifest {
    let mut whole = Manifest::default();
    let mut verdicts: BTreeMap<String, u64> = BTreeMap::new();
    let mut taken = 0.0;
    for (i, manifest) in manifests.enumerate() {
        if i == 0 {
            whole = Manifest {
                shard: None,
                instances: 0,
                advanced: 0,
                device_losses: 0,
                timings: Default::default(),
                files: Vec::new(),
                bent: None,
                ..manifest.clone()
            };
        }
        taken += manifest.instance_steps();
        whole.instances += manifest.instances;
        whole.advanced += manifest.advanced;
        whole.device_losses += manifest.device_losses;
        whole.timings.add(&manifest.timings);
        if let Some(bent) = &manifest.bent {
            whole.bent.get_or_insert_default().merge(bent);
        }
        whole.started = whole.started.min(manifest.started.clone());
        for (verdict, count) in &manifest.verdicts {
            *verdicts.entry(verdict.clone()).or_insert(0) += count;
        }
    }
    whole.verdicts = verdicts;
    whole.instance_steps_per_second = taken / whole.timings.stepping.max(1e-9);
    whole
}
