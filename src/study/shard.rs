//! The parts of an ensemble run apart, and put together.
//!
//! A shard leaves a folder with its rows of `instances.parquet`, the study, a manifest, and `shard.state`:
//! statistics and all else that is collected over instances, in a form that can be merged without
//! rounding. What is merged is, bit for bit, what the whole run writes, because
//!
//! - instance i depends on (study, i) alone, and its steps on the plan, which [is](super::plan) a function of
//!   the study;
//! - bins of quantiles come from the pilot, which every shard runs again;
//! - statistics are sums and counts [without rounding](crate::observe::statistics).
//!
//! ```text
//! shard.state = a [state](super::checkpoint) whose body is what is kept
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::Runnable;
use super::checkpoint::{Header, Kept, StateBody, open_state, write_state};
use super::monte_carlo::{RunError, RunOutcome};
use crate::backend::Plan;
use crate::base::{grouped, regular};
use crate::describe::kind::with_kind;
use crate::describe::{InstanceTable, Study};
use crate::ensemble::Shard;
use crate::output::{
    ACCURACY, MANIFEST, Manifest, OutputError, OutputFolder, STUDY, TableRows, append_tables,
};
use crate::study_file::{Problems, read_finished_study};

pub const STATE: &str = "shard.state";

/// Why shards could not be merged. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error(transparent)]
    Study(#[from] Problems),
    #[error("{}: {why}", folder.display())]
    Refused { folder: PathBuf, why: String },
    #[error("{}: {why}", folder.display())]
    NoShard { folder: PathBuf, why: String },
    #[error("{}: {why}", folder.display())]
    Interrupted { folder: PathBuf, shard: Shard, why: String },
    #[error("{0}")]
    Missing(String),
    /// A result that follows from all shards together could not be computed.
    #[error(transparent)]
    Run(#[from] RunError),
    #[error("threads could not be started: {0}")]
    Threads(String),
}

/// Ends the run of a shard: its folder, with what was kept in a state.
pub(super) fn finish_shard(
    folder: OutputFolder,
    header: &Header,
    instances: &Range<u64>,
    kept: &impl Kept,
    mut manifest: Manifest,
) -> Result<RunOutcome, OutputError> {
    write_state(&folder.path(STATE), header, |to| Ok(kept.store(instances, to)))?;
    folder.write(STUDY, header.study.as_bytes())?;
    folder.write_manifest(&mut manifest)?;
    let folder = folder.finish()?;
    let found = manifest.found();
    Ok(RunOutcome { folder, manifest, found })
}

/// All shards of a study, about to be put together.
pub(super) struct Merging {
    pub folder: OutputFolder,
    /// The manifest of all together, without the results that follow from what was kept.
    pub manifest: Manifest,
    /// The study as resolved.
    pub study_toml: String,
    parts: Vec<ShardFolder>,
    size: u64,
}

impl Merging {
    /// Takes in what every shard has kept, in their order.
    pub fn absorb(&mut self, kept: &mut impl Kept) -> Result<(), MergeError> {
        for part in &mut self.parts {
            let instances = part.shard.instances(self.size);
            kept.absorb(&instances, &mut part.rest).map_err(|error| MergeError::Refused {
                folder: part.folder.clone(),
                why: format!("{STATE} cannot be read: {error}"),
            })?;
        }
        Ok(())
    }

    /// Puts the tables of instances together, if the study wants them: the files of this name, in which the
    /// instances of a shard stand so many times over.
    pub fn append_instances(&self, study: &Study, name: &str, times: usize) -> Result<(), MergeError> {
        if study.output.instances == InstanceTable::None {
            return Ok(());
        }
        let mut rows = Vec::new();
        for time in 0..times {
            rows.extend(self.parts.iter().map(|part| {
                let instances = part.shard.instances(self.size);
                let count = (instances.end - instances.start) as usize;
                TableRows { table: part.folder.join(name), rows: time * count..(time + 1) * count }
            }));
        }
        Ok(append_tables(&self.folder.path(name), &rows, &study.mechanism.verdict_names())?)
    }

    /// The header, which is the same in all shards.
    pub fn header(&self) -> &Header {
        &self.parts[0].header
    }

    /// The arithmetic that computed all shards, as far as bits depend on it.
    pub fn arithmetic(&self) -> &str {
        &self.parts[0].header.arithmetic
    }

    /// The plan that all shards had.
    pub fn planned(&self, plan: Plan, number: usize, study: &Study) -> Plan {
        self.parts[0].header.planned(plan, number, study)
    }
}

/// A shard's folder, of which all but the state has been read.
pub(super) struct ShardFolder {
    folder: PathBuf,
    manifest: Manifest,
    pub shard: Shard,
    header: Header,
    /// Behind the header.
    rest: StateBody,
}

impl ShardFolder {
    pub fn open(folder: &Path) -> Result<ShardFolder, MergeError> {
        let refused = |why: String| MergeError::Refused { folder: folder.to_owned(), why };
        if !folder.join(MANIFEST).exists() {
            return Err(MergeError::NoShard {
                folder: folder.to_owned(),
                why: format!(
                    "is no result of polhode (no {MANIFEST}); give the folders that `polhode run --shard` wrote"
                ),
            });
        }
        let manifest = Manifest::read(folder)?;
        let Some(shard) = manifest.shard else {
            let why = "is a whole run and no shard: there is nothing to merge".to_string();
            return Err(MergeError::NoShard { folder: folder.to_owned(), why });
        };
        if !manifest.complete {
            let far = match manifest.advanced < manifest.instances {
                true => format!(" after {} of {} instances", manifest.advanced, manifest.instances),
                // It is cut into other pieces.
                false => String::new(),
            };
            let why = format!("shard {shard} was interrupted{far}; run it again with --resume");
            return Err(MergeError::Interrupted { folder: folder.to_owned(), shard, why });
        }
        manifest.check_all(folder)?;
        let (header, rest) = open_state(&folder.join(STATE))
            .map_err(|why| refused(format!("{STATE} {why}; copy it again, or run shard {shard} again")))?;
        let study = regular::read_text(&folder.join(STUDY)).map_err(OutputError::io(&folder.join(STUDY)))?;
        if study != header.study || header.shard != Some(shard) {
            return Err(refused(format!(
                "{MANIFEST}, {STUDY} and {STATE} are not of one run; run shard {shard} again"
            )));
        }
        Ok(ShardFolder { folder: folder.to_owned(), manifest, shard, header, rest })
    }

    /// The shard that a folder says it is.
    pub fn shard_of(folder: &Path) -> Option<Shard> {
        Manifest::read(folder).ok().and_then(|manifest| manifest.shard)
    }

    /// Why this is no part of what `first` is a part of.
    pub fn differs(&self, first: &ShardFolder) -> Option<String> {
        let (mine, theirs) = (&self.header, &first.header);
        let other = first.folder.display();
        if let Some(why) = mine.differs(theirs, &other.to_string()) {
            return Some(why);
        }
        if self.shard.of != first.shard.of {
            return Some(format!(
                "is shard {}, and {other} is {}: give the parts of one partition",
                self.shard, first.shard
            ));
        }
        if mine.arithmetic != theirs.arithmetic {
            return Some(format!(
                "was computed by {}, and {other} by {}: the bits differ; choose one with --backend, --precision",
                mine.arithmetic, theirs.arithmetic
            ));
        }
        (mine.zeros != theirs.zeros).then(|| {
            format!("leaves other numbers out of a step than {other}: they are no parts of one run; run the study whole")
        })
    }
}

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
    let of = parts[0].shard.of;
    let given: BTreeSet<u64> = parts.iter().map(|part| part.shard.part).collect();
    let missing = (1..=of).filter(|part| !given.contains(part)).map(|part| Shard { part, of }.to_string());
    let missing: Vec<String> = missing.take(NAMED).collect();
    let more = match of - given.len() as u64 - missing.len() as u64 {
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
pub fn merge(folders: &[PathBuf], out: &Path, overwrite: bool) -> Result<RunOutcome, MergeError> {
    let threads = rayon::ThreadPoolBuilder::new().build();
    let threads = threads.map_err(|error| MergeError::Threads(error.to_string()))?;
    threads.install(|| merge_parts(folders, out, overwrite))
}

fn merge_parts(folders: &[PathBuf], out: &Path, overwrite: bool) -> Result<RunOutcome, MergeError> {
    let mut parts =
        folders.iter().map(|folder| ShardFolder::open(folder)).collect::<Result<Vec<ShardFolder>, _>>()?;
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
        let from = part.folder.join(ACCURACY);
        if from.exists() {
            folder.write(ACCURACY, &regular::read(&from).map_err(OutputError::io(&from))?)?;
        }
    }
    let study_toml = parts[0].header.study.clone();
    let merging = Merging { folder, manifest, study_toml, parts, size: study.ensemble.size };
    with_kind!(&study.kind, asked => asked.merge(&study, merging))
}

/// The shard whose accuracy is that of the most instances: each has judged instances of the whole ensemble,
/// as many as there was time for.
fn best_judged(parts: &[ShardFolder]) -> Option<&ShardFolder> {
    let judged =
        |part: &&ShardFolder| part.manifest.accuracy.as_ref().map_or(0, |accuracy| accuracy.instances);
    parts.iter().filter(|part| part.manifest.accuracy.is_some()).max_by_key(judged)
}

/// Returns the manifest of all shards together: times are summed, and the earliest start counts.
fn manifest_of<'a>(manifests: impl Iterator<Item = &'a Manifest>) -> Manifest {
    let mut whole = Manifest::default();
    let mut verdicts: BTreeMap<String, u64> = BTreeMap::new();
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
    whole.instance_steps_per_second =
        whole.instances as f64 * whole.steps as f64 / whole.timings.stepping.max(1e-9);
    whole
}
