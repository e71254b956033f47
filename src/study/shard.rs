//! The parts of an ensemble run apart, and put together.
//!
//! A shard leaves a folder with its rows of `instances.parquet`, the study, a manifest, and `shard.state`: statistics and
//! all else that is collected over instances, in a form that can be merged without rounding. What is merged is, bit for
//! bit, what the whole run writes, because
//!
//! - instance i depends on (study, i) alone, and its steps on the plan, which [is](super::plan) a function of the study;
//! - bins of quantiles come from the pilot, which every shard runs again;
//! - statistics are sums and counts [without rounding](crate::observe::statistics).
//!
//! ```text
//! shard.state = magic, version u32, header (JSON text), times, statistics, results, checksum u64 of all before
//! ```

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::monte_carlo::{Collected, Outcome, conclude};
use super::results::RunRecords;
use crate::backend::Plan;
use crate::describe::{Distribution, InstanceTable, Study};
use crate::ensemble::Shard;
use crate::observe::Statistics;
use crate::observe::channels::columns;
use crate::observe::stored::{Checksum, StoreReader, StoreWriter, is_sound};
use crate::output::{
    ACCURACY, INSTANCES, MANIFEST, Manifest, OutputError, OutputFolder, STUDY, append_tables,
};
use crate::study_file::difference::differences;
use crate::study_file::{Problems, read_finished_study};

pub const STATE: &str = "shard.state";

const MAGIC: [u8; 14] = *b"polhode shard\n";
/// Of the form of the file: to be raised with every change.
const VERSION: u32 = 1;

/// Keys of a study that do not change a bit of the results of one arithmetic.
const INDIFFERENT: [&str; 6] =
    ["run.backend", "run.threads", "run.chunk", "accuracy.budget", "output.plots", "output.report"];
/// Keys named in a message.
const NAMED: usize = 5;

/// Why shards could not be merged. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error(transparent)]
    Study(#[from] Problems),
    #[error("{}: {why}", folder.display())]
    Refused { folder: PathBuf, why: String },
    #[error("{0}")]
    Missing(String),
    #[error("threads could not be started: {0}")]
    Threads(String),
}

/// What must be the same in all shards, and which one this is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Header {
    polhode: String,
    shard: Shard,
    /// What computed it, as far as bits depend on it.
    arithmetic: String,
    /// What the plan leaves out, 1, and does not, 0: channels, then parameters.
    zeros: String,
    /// Of the values in the study's tables of samples.
    samples: String,
    /// As resolved.
    study: String,
}

/// A shard that is done.
pub struct FinishedShard {
    header: Header,
    size: u64,
    collected: Collected,
}

impl FinishedShard {
    pub fn new(
        study: &Study,
        study_toml: &str,
        shard: Shard,
        arithmetic: String,
        plan: &Plan,
        collected: Collected,
    ) -> FinishedShard {
        let zeros = plan.zeros.channels.iter().map(|zero| if *zero { '1' } else { '0' });
        let zeros = zeros.chain([' ']);
        let zeros = zeros.chain(plan.zeros.parameters.iter().map(|zero| if *zero { '1' } else { '0' }));
        let mut samples = Checksum::default();
        for vary in &study.ensemble.vary {
            if let Distribution::Table { values, .. } = &vary.distribution {
                values.iter().flatten().for_each(|x| samples.add(&x.to_bits().to_le_bytes()));
            }
        }
        let header = Header {
            polhode: env!("CARGO_PKG_VERSION").to_string(),
            shard,
            arithmetic,
            zeros: zeros.collect(),
            samples: format!("{:016x}", samples.0),
            study: study_toml.to_string(),
        };
        FinishedShard { header, size: study.ensemble.size, collected }
    }

    pub fn write(&self, file: &Path) -> Result<(), OutputError> {
        let write = || -> io::Result<()> {
            let mut to = StoreWriter::new(BufWriter::new(File::create(file)?));
            to.bytes(&MAGIC)?;
            to.u32(VERSION)?;
            to.text(&serde_json::to_string(&self.header)?)?;
            to.f64s(&self.collected.times)?;
            self.collected.statistics.store(&mut to)?;
            self.collected.results.store(&self.header.shard.instances(self.size), &mut to)?;
            to.finish()
        };
        write().map_err(OutputError::io(file))
    }
}

/// A shard's folder, of which all but the state has been read.
struct Part {
    folder: PathBuf,
    manifest: Manifest,
    header: Header,
    /// Behind the header.
    rest: StoreReader<BufReader<File>>,
}

impl Part {
    fn open(folder: &Path) -> Result<Part, MergeError> {
        let refused = |why: String| MergeError::Refused { folder: folder.to_owned(), why };
        if !folder.join(MANIFEST).exists() {
            return Err(refused(format!(
                "is no result of polhode (no {MANIFEST}); give the folders that `polhode run --shard` wrote"
            )));
        }
        let manifest = Manifest::read(folder)?;
        let Some(shard) = manifest.shard else {
            return Err(refused("is a whole run and no shard: there is nothing to merge".to_string()));
        };
        if !manifest.complete {
            return Err(refused(format!(
                "shard {shard} was interrupted after {} of {} instances; run it again with --overwrite",
                manifest.advanced, manifest.instances
            )));
        }
        for entry in &manifest.files {
            let found = std::fs::metadata(folder.join(&entry.name)).map(|metadata| metadata.len());
            match found {
                Err(error) => return Err(refused(format!("{} cannot be read: {error}", entry.name))),
                Ok(found) if found != entry.bytes => {
                    return Err(refused(format!(
                        "{} has {found} bytes and had {} when it was written; copy it again, or run shard {shard} again",
                        entry.name, entry.bytes
                    )));
                }
                Ok(_) => {}
            }
        }
        let (header, rest) = open_state(&folder.join(STATE))
            .map_err(|why| refused(format!("{STATE} {why}; copy it again, or run shard {shard} again")))?;
        let study =
            std::fs::read_to_string(folder.join(STUDY)).map_err(OutputError::io(&folder.join(STUDY)))?;
        if study != header.study || header.shard != shard {
            return Err(refused(format!(
                "{MANIFEST}, {STUDY} and {STATE} are not of one run; run shard {shard} again"
            )));
        }
        Ok(Part { folder: folder.to_owned(), manifest, header, rest })
    }

    /// Why this is no part of what `first` is a part of.
    fn differs(&self, first: &Part) -> Option<String> {
        let (mine, theirs) = (&self.header, &first.header);
        let other = first.folder.display();
        if mine.polhode != theirs.polhode {
            return Some(format!(
                "was computed by polhode {}, and {other} by {}; run all shards with one version",
                mine.polhode, theirs.polhode
            ));
        }
        let differ = differences(&theirs.study, &mine.study).unwrap_or_default();
        let differ: Vec<String> = differ
            .into_iter()
            .filter(|d| !INDIFFERENT.contains(&d.key.as_str()) && !d.key.ends_with(".table.file"))
            .map(|d| {
                let value = |value: Option<String>| value.unwrap_or_else(|| "not there".to_string());
                format!("{} is {}, and {} in {other}", d.key, value(d.second), value(d.first))
            })
            .collect();
        if !differ.is_empty() {
            let more = match differ.len() - differ.len().min(NAMED) {
                0 => String::new(),
                n => format!("; and {n} more"),
            };
            return Some(format!(
                "is a shard of another study: {}{more}",
                differ[..differ.len().min(NAMED)].join("; ")
            ));
        }
        if mine.shard.of != theirs.shard.of {
            return Some(format!(
                "is shard {}, and {other} is {}: give the parts of one partition",
                mine.shard, theirs.shard
            ));
        }
        if mine.samples != theirs.samples {
            return Some(format!(
                "drew from tables of samples other than those of {other}; run it again with the same"
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

/// Why a file is no state of a shard.
#[derive(Debug, thiserror::Error)]
enum StateError {
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    #[error("is no state of a shard")]
    NoState,
    #[error("is of form {form}, and this polhode reads form {VERSION}: use the polhode that wrote it")]
    Version { form: u32 },
    #[error("is damaged: its checksum is wrong")]
    Damaged,
    #[error("has no header: {0}")]
    NoHeader(#[from] serde_json::Error),
}

/// The header, and what is behind it. The whole file has been read once, and is sound.
fn open_state(file: &Path) -> Result<(Header, StoreReader<BufReader<File>>), StateError> {
    let open = || File::open(file);
    let length = std::fs::metadata(file)?.len();
    let mut load = StoreReader::new(BufReader::new(open()?));
    if load.bytes().ok() != Some(MAGIC) {
        return Err(StateError::NoState);
    }
    let version = load.u32()?;
    if version != VERSION {
        return Err(StateError::Version { form: version });
    }
    if !is_sound(BufReader::new(open()?), length)? {
        return Err(StateError::Damaged);
    }
    let header = serde_json::from_str(&load.text()?)?;
    Ok((header, load))
}

fn collected(study: &Study, shard: Shard, from: &mut StoreReader<impl Read>) -> io::Result<Collected> {
    let times = from.f64s()?;
    let statistics = Statistics::load(from)?;
    let mut results =
        RunRecords::new(study, columns(&study.mechanism, &study.observe.channels).len(), times.len());
    results.load(study, &shard.instances(study.ensemble.size), from)?;
    Ok(Collected { times, statistics, results })
}

/// Refuses shards that are given twice or not at all.
fn check_complete(parts: &[Part]) -> Result<(), MergeError> {
    for pair in parts.windows(2) {
        if pair[0].header.shard == pair[1].header.shard {
            return Err(MergeError::Refused {
                folder: pair[1].folder.clone(),
                why: format!(
                    "is shard {}, as {} is; give each shard once",
                    pair[1].header.shard,
                    pair[0].folder.display()
                ),
            });
        }
    }
    let of = parts[0].header.shard.of;
    let given = |part: &u64| parts.iter().any(|p| p.header.shard.part == *part);
    let missing: Vec<String> =
        (1..=of).filter(|part| !given(part)).map(|part| Shard { part, of }.to_string()).collect();
    match &missing[..] {
        [] => Ok(()),
        [one] => Err(MergeError::Missing(format!(
            "shard {one} is missing; give its folder, or run it: --shard {one}"
        ))),
        [first, ..] => Err(MergeError::Missing(format!(
            "shards {} are missing; give their folders, or run them: --shard {first} and so on",
            missing.join(", ")
        ))),
    }
}

/// Puts all shards of a study together, given in any order, and writes the folder `out`.
pub fn merge(folders: &[PathBuf], out: &Path, overwrite: bool) -> Result<Outcome, MergeError> {
    let threads = rayon::ThreadPoolBuilder::new().build();
    let threads = threads.map_err(|error| MergeError::Threads(error.to_string()))?;
    threads.install(|| merge_parts(folders, out, overwrite))
}

fn merge_parts(folders: &[PathBuf], out: &Path, overwrite: bool) -> Result<Outcome, MergeError> {
    let mut parts = folders.iter().map(|folder| Part::open(folder)).collect::<Result<Vec<Part>, _>>()?;
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
    parts.sort_by_key(|part| part.header.shard.part);
    check_complete(&parts)?;
    let study = read_finished_study(&parts[0].folder.join(STUDY))?;
    let folder = OutputFolder::create(out, overwrite)?;

    let mut whole: Option<Collected> = None;
    for part in &mut parts {
        let refused = |why: String| MergeError::Refused { folder: part.folder.clone(), why };
        let next = collected(&study, part.header.shard, &mut part.rest)
            .map_err(|error| refused(format!("{STATE} cannot be read: {error}")))?;
        match &mut whole {
            None => whole = Some(next),
            Some(whole) => {
                if next.times != whole.times || !next.statistics.has_bins_of(&whole.statistics) {
                    return Err(refused(
                        "its pilot is not that of the other shards: the machines compute other bits; run all shards on \
                         machines of one kind"
                            .to_string(),
                    ));
                }
                whole.statistics.merge(&next.statistics);
                whole.results.merge(next.results);
            }
        }
    }
    let Some(mut whole) = whole else { return Err(MergeError::Missing("no shard was given".to_string())) };
    let tables: Vec<(PathBuf, u64)> =
        parts.iter().map(|part| (part.folder.join(INSTANCES), part.manifest.instances)).collect();
    let mut manifest = manifest_of(parts.iter().map(|part| &part.manifest));
    if let Some(part) = best_judged(&parts) {
        manifest.accuracy.clone_from(&part.manifest.accuracy);
        let (from, to) = (part.folder.join(ACCURACY), folder.path(ACCURACY));
        if from.exists() {
            std::fs::copy(&from, &to).map_err(OutputError::io(&to))?;
        }
    }
    if study.output.instances != InstanceTable::None {
        append_tables(&folder.path(INSTANCES), &tables, manifest.step)?;
    }
    whole.results.counts = manifest.verdicts.clone();
    let study_toml = parts[0].header.study.clone();
    conclude(&folder, &study, &study_toml, whole, &mut manifest)?;
    let folder = folder.finish()?;
    let found = manifest.found();
    Ok(Outcome { folder, manifest, found })
}

/// The shard whose accuracy is that of the most instances: each has judged instances of the whole ensemble, as many as there was time
/// for.
fn best_judged(parts: &[Part]) -> Option<&Part> {
    let judged = |part: &&Part| part.manifest.accuracy.as_ref().map_or(0, |accuracy| accuracy.instances);
    parts.iter().filter(|part| part.manifest.accuracy.is_some()).max_by_key(judged)
}

/// Of all shards together: times are summed, the first begins.
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
