//! Checkpoints: how a run that was killed, interrupted or stopped by a full disk goes on, and the
//! form in which a shard waits to be merged.
//!
//! After a chunk, now and then, all that a run [keeps](Kept) over its chunks is written beside its
//! tables, with the number of the next instance. Since instance i depends on (study, i) alone and
//! what is kept has no order of summation, a run that goes on from there ends with the bytes of one
//! that was never disturbed. A file takes its name when it is whole and on the disk: what is found
//! is the last whole checkpoint, or the one before.
//!
//! ```text
//! state = magic, version u32, header (JSON text), body, checksum u64 of all before
//! body of a checkpoint = next, account (JSON text), what is kept, where the rows of the table are,
//!                        and these where they are beside it
//! ```
//!
//! A complete run leaves the same in `run.state`, without its rows, which are in its table, and
//! without its account, which is in its manifest: a run of more instances goes on from there, as
//! from a checkpoint.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, IntoInnerError, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::plan::with_zeros;
use super::run_context::RunContext;
use super::run_error::RunError;
use crate::backend::{Plan, Zeros};
use crate::base::regular;
use crate::describe::{InstanceTable, Study};
use crate::ensemble::Shard;
use crate::observe::stored::{StoreReader, StoreWriter, is_sound};
use crate::output::{
    CHECKPOINT, Column, FileWriter, InstancesState, InstancesWriter, Manifest, NEVER, NewFile, OutputError,
    OutputFolder, STUDY, TableRows, Timings, left_beside, samples_checksum, unfinished,
};
use crate::study_file::difference::differences;
use crate::study_file::resolved_toml;

const MAGIC: [u8; 14] = *b"polhode state\n";
/// Version of the form of the file: to be raised with every change.
const VERSION: u32 = 10;

/// Keys of a study that do not change a bit of the results of one arithmetic.
const INDIFFERENT: [&str; 9] = [
    "run.backend",
    "run.threads",
    "run.chunk",
    "run.checkpoint",
    "accuracy.budget",
    "accuracy.share",
    "output.plots",
    "output.report",
    "output.state",
];
/// Keys named in a message.
const NAMED: usize = 5;

/// Time between checkpoints where the study gives none.
const EVERY: Duration = Duration::from_secs(30);

/// The share of its time that a run spends on checkpoints, at most.
const SHARE: f64 = 0.01;

/// The state that a complete run leaves, from which one of more instances goes on.
pub(super) const RUN_STATE: &str = "run.state";

/// Where the rows of a checkpoint's table are.
#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
enum Rows {
    /// There is no table.
    None,
    /// In the table under way beside it, and behind it.
    UnderWay,
    /// In the table of a complete result.
    Whole,
}

/// The data that a run keeps over all its chunks. Its parts may be merged in any order.
pub(super) trait Kept {
    /// Writes what is known of these instances.
    fn store<W: Write>(&self, instances: &Range<u64>, to: &mut StoreWriter<W>) -> io::Result<()>;

    /// Takes in what [`store`](Self::store) wrote of these instances, of which nothing is known
    /// yet.
    fn absorb<R: Read>(&mut self, instances: &Range<u64>, from: &mut StoreReader<R>) -> io::Result<()>;
}

/// The data that must be the same in all parts of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Header {
    pub polhode: String,
    /// None: the whole ensemble.
    pub shard: Option<Shard>,
    /// Backend and arithmetic that computed it, as far as bits depend on them.
    pub arithmetic: String,
    /// Digits of each plan: channels, then parameters (1: left out, 0: not).
    pub zeros: Vec<String>,
    /// Checksum of the values in the study's tables of samples.
    pub samples: String,
    /// As resolved.
    pub study: String,
}

impl Header {
    pub fn new(study: &Study, shard: Option<Shard>, arithmetic: String, plans: &[&Plan]) -> Header {
        let digits =
            |zeros: &[bool]| zeros.iter().map(|zero| if *zero { '1' } else { '0' }).collect::<String>();
        let zeros = |plan: &&Plan| {
            let Zeros { channels, parameters } = &plan.zeros;
            [channels, parameters].map(|zeros| digits(zeros)).join(" ")
        };
        Header {
            polhode: env!("CARGO_PKG_VERSION").to_string(),
            shard,
            arithmetic,
            zeros: plans.iter().map(zeros).collect(),
            samples: samples_checksum(study),
            study: resolved_toml(study),
        }
    }

    /// The study's plan of this number with what it left out of a step then.
    pub fn planned(&self, plan: Plan, number: usize, study: &Study) -> Plan {
        let digits = |text: &str| text.chars().map(|digit| digit == '1').collect::<Vec<bool>>();
        let parts = self.zeros.get(number).map_or(Vec::new(), |zeros| zeros.split(' ').map(digits).collect());
        match <[Vec<bool>; 2]>::try_from(parts) {
            Ok(parts) => with_zeros(plan, study, parts),
            Err(_) => plan,
        }
    }

    /// The version, keys of the study, or tables of samples by which this is no part of the run
    /// that `other`, in words, is a part of.
    pub fn differs(&self, other: &Header, name: &str) -> Option<String> {
        if self.polhode != other.polhode {
            return Some(format!(
                "was computed by polhode {}, and {name} by {}; run all with one version",
                self.polhode, other.polhode
            ));
        }
        if let Some(why) = of_another_study(&self.study, &other.study, name) {
            return Some(why);
        }
        (self.samples != other.samples).then(|| drew_others(name))
    }
}

fn drew_others(name: &str) -> String {
    format!("drew from tables of samples other than those of {name}; run it again with the same")
}

/// The keys by which a study differs from that of `name`, as far as results depend on them.
pub fn of_another_study(study: &str, other: &str, name: &str) -> Option<String> {
    let differ: Vec<String> = differences(other, study)
        .unwrap_or_default()
        .into_iter()
        .filter(|d| !INDIFFERENT.contains(&d.key.as_str()) && !d.key.ends_with(".table.file"))
        .map(|d| {
            let value = |value: Option<String>| value.unwrap_or_else(|| "not there".to_string());
            format!("{} is {}, and {} in {name}", d.key, value(d.second), value(d.first))
        })
        .collect();
    let named = &differ[..differ.len().min(NAMED)];
    let more = match differ.len() - named.len() {
        0 => String::new(),
        n => format!("; and {n} more"),
    };
    (!named.is_empty()).then(|| format!("is of another study: {}{more}", named.join("; ")))
}

/// The manifest of this run's result, where going on is wanted and it is there already: complete,
/// or interrupted.
///
/// # Errors
/// The result of another study is there, or one that is damaged, and is not to be replaced.
pub(super) fn left(study: &Study, under: &RunContext<'_>) -> Result<Option<Manifest>, RunError> {
    let there = Manifest::read(under.out).ok().filter(|_| under.resume);
    let Some(manifest) = there.filter(|manifest| manifest.shard == under.shard) else { return Ok(None) };
    let sound = match manifest.complete {
        true => manifest.check_all(under.out),
        // Its tables are written anew, or gone on with.
        false => manifest.check(under.out, &[STUDY]),
    };
    match sound {
        Err(OutputError::Damaged { .. } | OutputError::Lost { .. }) if under.overwrite => return Ok(None),
        sound => sound?,
    }
    let file = under.out.join(STUDY);
    let theirs = regular::read_text(&file).map_err(OutputError::io(&file))?;
    let mut requested = study.clone();
    if study.ensemble.until.is_some() && manifest.until.is_some() {
        // `until` ended it.
        requested.ensemble.size = manifest.instances.min(study.ensemble.size);
    }
    let name = "what is to be run now";
    let others = || manifest.drew_others(&requested).then(|| drew_others(name));
    match of_another_study(&theirs, &resolved_toml(&requested), name).or_else(others) {
        None => Ok(Some(manifest)),
        Some(_) if under.overwrite => Ok(None),
        Some(why) => Err(RunError::NotResumed { folder: under.out.to_owned(), why }),
    }
}

/// Why a file is no state of a run.
#[derive(Debug, thiserror::Error)]
pub(super) enum StateError {
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    #[error("is no state of a run")]
    NoState,
    #[error("is of form {form}, and this polhode reads form {VERSION}: use the polhode that wrote it")]
    Version { form: u32 },
    #[error("is damaged: its checksum is wrong")]
    Damaged,
    #[error("has no header: {0}")]
    NoHeader(#[from] serde_json::Error),
}

/// Reader of a state, placed behind its header.
pub(super) type StateBody = StoreReader<BufReader<File>>;

/// The header, and what is behind it. The whole file has been read once, and is sound.
pub(super) fn open_state(file: &Path) -> Result<(Header, StateBody), StateError> {
    let open = || regular::open(file);
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
    let header = serde_json::from_str(&load.value::<String>()?)?;
    Ok((header, load))
}

/// Writes a state; its body by `body`. It is on the disk then.
pub(super) fn write_state(
    file: &NewFile,
    header: &Header,
    body: impl FnOnce(&mut StoreWriter<BufWriter<FileWriter>>) -> Result<io::Result<()>, OutputError>,
) -> Result<(), OutputError> {
    let io = || OutputError::io(file);
    let mut to = StoreWriter::new(BufWriter::new(file.create()?));
    let begin = |to: &mut StoreWriter<_>| -> io::Result<()> {
        to.bytes(&MAGIC)?;
        to.bytes(&VERSION.to_le_bytes())?;
        to.value(&serde_json::to_string(header)?)
    };
    begin(&mut to).map_err(io())?;
    let written = body(&mut to)?.and_then(|()| to.finish()?.into_inner().map_err(IntoInnerError::into_error));
    let whole = written.and_then(|file| file.sync().map(|()| file)).map_err(io())?;
    whole.seal();
    Ok(())
}

/// Totals over all sittings of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Account {
    pub timings: Timings,
    /// Instance-steps of the plan that are behind the run, and in all.
    pub done: u64,
    pub total: u64,
    /// Those that instances have taken.
    pub taken: u64,
    pub device_losses: u32,
    /// Start of the first (UTC, RFC 3339).
    pub started: String,
    /// Number of times that the run was taken up again.
    pub resumed: u32,
}

/// A checkpoint that was found, or what a complete run of fewer instances has left: from here a run
/// goes on.
pub(super) struct Found {
    /// Where it is.
    folder: PathBuf,
    /// It is that of a complete run.
    whole: bool,
    header: Header,
    next: u64,
    account: Account,
    body: StateBody,
}

impl Found {
    /// That of the run that was to write the folder, where going on is wanted and there is one.
    ///
    /// # Errors
    /// It is damaged, or of another study.
    pub fn look(study: &Study, under: &RunContext<'_>) -> Result<Option<Found>, RunError> {
        match (Found::left(study, under), under.grown_from) {
            // Remains of another run there are of no use here, and are cleared away.
            (Ok(None) | Err(RunError::NotResumed { .. }), Some(folder)) => Found::whole(folder).map(Some),
            (found, _) => found,
        }
    }

    /// Returns the state that a complete run has left.
    ///
    /// # Errors
    /// It cannot be read.
    fn whole(folder: &Path) -> Result<Found, RunError> {
        let refused = |why: String| RunError::NotResumed { folder: folder.to_owned(), why };
        let (header, mut body) =
            open_state(&folder.join(RUN_STATE)).map_err(|error| refused(format!("{RUN_STATE} {error}")))?;
        let read = |body: &mut StateBody| -> io::Result<u64> {
            let next = body.value()?;
            body.value::<String>()?;
            Ok(next)
        };
        let next =
            read(&mut body).map_err(|error| refused(format!("{RUN_STATE} cannot be read: {error}")))?;
        let manifest = Manifest::read(folder)?;
        let account = Account {
            timings: manifest.timings,
            done: manifest.advanced.saturating_mul(manifest.steps),
            total: 0,
            taken: manifest.instance_steps() as u64,
            device_losses: manifest.device_losses,
            started: manifest.started,
            resumed: manifest.resumed,
        };
        Ok(Found { folder: folder.to_owned(), whole: true, header, next, account, body })
    }

    /// A checkpoint of the run, where it is to go on from one and there is one.
    fn left(study: &Study, under: &RunContext<'_>) -> Result<Option<Found>, RunError> {
        let shard = under.shard;
        let Some(folder) = unfinished(under.out).filter(|_| under.resume) else { return Ok(None) };
        let refused = |why: String| RunError::NotResumed { folder: folder.clone(), why };
        let (header, mut body) = open_state(&folder.join(CHECKPOINT))
            .map_err(|error| refused(format!("{CHECKPOINT} {error}; begin again without --resume")))?;
        let mine = Header::new(study, shard, header.arithmetic.clone(), &[]);
        if let Some(why) = header.differs(&mine, "what is to be run now") {
            return Err(refused(format!("its checkpoint {why}")));
        }
        if header.shard != shard {
            let name = |shard: Option<Shard>| {
                shard.map_or("the whole".to_string(), |shard| format!("shard {shard}"))
            };
            return Err(refused(format!(
                "its checkpoint is that of {}, and not of {}",
                name(header.shard),
                name(shard)
            )));
        }
        let read = |body: &mut StateBody| -> io::Result<(u64, Account)> {
            Ok((body.value()?, serde_json::from_str(&body.value::<String>()?)?))
        };
        let (next, account) =
            read(&mut body).map_err(|error| refused(format!("{CHECKPOINT} cannot be read: {error}")))?;
        Ok(Some(Found { folder, whole: false, header, next, account, body }))
    }

    /// The shard whose checkpoint is in a folder, or that it is of a whole run, and the share of
    /// its work that was done then; none: there is none that can be read.
    pub fn progress(folder: &Path) -> Option<(Option<Shard>, f64)> {
        let (header, mut body) = open_state(&folder.join(CHECKPOINT)).ok()?;
        body.value::<u64>().ok()?;
        let account: Account = serde_json::from_str(&body.value::<String>().ok()?).ok()?;
        Some((header.shard, account.done as f64 / account.total.max(1) as f64))
    }

    /// Returns the backend and arithmetic that computed it, as far as bits depend on them.
    pub fn arithmetic(&self) -> String {
        self.header.arithmetic.clone()
    }

    /// The study's plan with what that of the checkpoint left out of a step.
    pub fn planned(&self, plan: Plan, number: usize, study: &Study) -> Plan {
        self.header.planned(plan, number, study)
    }
}

/// The data that a run keeps over its chunks and the table that it writes, with the folder in which
/// both wait.
pub(super) struct Keeping<K> {
    pub kept: K,
    pub writer: InstancesWriter,
    /// The first instance that is not in them.
    pub next: u64,
    folder: OutputFolder,
    header: Header,
    instances: Range<u64>,
    /// Time between checkpoints, as the study gives it.
    every: Option<Duration>,
    last: Instant,
    /// Time that the last checkpoint took.
    cost: Duration,
}

/// The table of instances that a run writes; without columns: none.
pub(super) struct TableOf<'a> {
    pub file: &'a str,
    pub columns: &'a [Column],
    /// h (s)
    pub step: f64,
}

impl<K: Kept> Keeping<K> {
    /// Begins a run of these instances with `kept`, or goes on from a checkpoint.
    ///
    /// # Errors
    /// The folder is refused, the disk refuses, or the checkpoint is damaged or none of this
    /// arithmetic.
    pub fn begin(
        study: &Study,
        mut kept: K,
        table: &TableOf<'_>,
        (folder, found): (OutputFolder, Option<Found>),
        header: Header,
        instances: Range<u64>,
        take_up: &mut dyn FnMut(Account),
    ) -> Result<Keeping<K>, RunError> {
        let rows_file = folder.path(table.file);
        // A run whose table has no columns writes none.
        let wanted = if table.columns.is_empty() { &InstanceTable::None } else { &study.output.instances };
        let names = &study.mechanism.verdict_names();
        let (next, writer) = match found {
            None => (
                instances.start,
                InstancesWriter::create(&rows_file, table.columns, table.step, wanted, names)?,
            ),
            Some(Found { folder, whole, header: of, next, account, mut body }) => {
                let file = if whole { RUN_STATE } else { CHECKPOINT };
                let refused = |why: String| RunError::NotResumed { folder: folder.clone(), why };
                if of.arithmetic != header.arithmetic {
                    return Err(refused(format!(
                        "its checkpoint was computed by {}, and now by {}: the bits may differ; choose with \
                         --backend, --precision",
                        of.arithmetic, header.arithmetic
                    )));
                }
                let mut read = || -> io::Result<(Rows, Option<InstancesState>)> {
                    kept.absorb(&(instances.start..next), &mut body)?;
                    let rows: Rows = body.value()?;
                    let under_way = rows == Rows::UnderWay;
                    Ok((rows, under_way.then(|| InstancesState::load(&mut body)).transpose()?))
                };
                let (rows, state) =
                    read().map_err(|error| refused(format!("{file} cannot be read: {error}")))?;
                take_up(account);
                let (columns, step) = (table.columns, table.step);
                let writer = match state {
                    Some(state) => {
                        match InstancesWriter::resume(&rows_file, columns, step, wanted, names, state) {
                            Err(error @ (OutputError::Lost { .. } | OutputError::Damaged { .. })) => {
                                let why =
                                    "nothing can go on from its checkpoint; begin again without --resume";
                                return Err(refused(format!("{why} ({error})")));
                            }
                            writer => writer?,
                        }
                    }
                    None => {
                        let mut writer = InstancesWriter::create(&rows_file, columns, step, wanted, names)?;
                        if rows == Rows::Whole && writer.is_kept() {
                            let rows = TableRows { table: folder.join(table.file), rows: 0..next as usize };
                            writer.append(columns, &rows, instances.start, &NEVER)?;
                        }
                        writer
                    }
                };
                (next, writer)
            }
        };
        let every =
            study.run.checkpoint.map(|every| Duration::try_from_secs_f64(every).unwrap_or(Duration::MAX));
        Ok(Keeping {
            kept,
            writer,
            next,
            folder,
            header,
            instances,
            every,
            last: Instant::now(),
            cost: Duration::ZERO,
        })
    }

    /// Begins a run of these instances, without a table.
    #[cfg(test)]
    pub fn of(kept: K, folder: OutputFolder, instances: Range<u64>, every: Duration) -> Keeping<K> {
        let none = &crate::describe::InstanceTable::None;
        let writer = InstancesWriter::create(&NewFile::alone(""), &[], 1.0, none, &Default::default())
            .expect("no table");
        let header = Header {
            polhode: String::new(),
            shard: None,
            arithmetic: String::new(),
            zeros: Vec::new(),
            samples: String::new(),
            study: String::new(),
        };
        Keeping {
            kept,
            writer,
            next: instances.start,
            folder,
            header,
            instances,
            every: Some(every),
            last: Instant::now(),
            cost: Duration::ZERO,
        }
    }

    /// Whether it is time for a checkpoint.
    pub fn is_due(&self) -> bool {
        let wait = self.every.unwrap_or_else(|| EVERY.max(self.cost.div_f64(SHARE)));
        self.last.elapsed() >= wait
    }

    /// Writes a checkpoint.
    pub fn save(&mut self, account: &Account) -> Result<(), OutputError> {
        let started = Instant::now();
        const NEW: &str = "checkpoint.state.new";
        let new = self.folder.path(NEW);
        let Self { kept, writer, next, header, instances, .. } = self;
        write_state(&new, header, |to| {
            let mut write = || -> io::Result<()> {
                to.value(next)?;
                to.value(&serde_json::to_string(account)?)?;
                kept.store(&(instances.start..*next), to)?;
                to.value(if writer.is_kept() { &Rows::UnderWay } else { &Rows::None })
            };
            match write() {
                Ok(()) => writer.store(to),
                Err(error) => Ok(Err(error)),
            }
        })
        .and_then(|()| self.folder.take_name(NEW, CHECKPOINT))
        // The checkpoint before is whole.
        .inspect_err(|_| self.folder.discard(NEW))?;
        self.folder.keep();
        self.last = Instant::now();
        self.cost = started.elapsed();
        Ok(())
    }

    /// The folder in which it waits.
    pub fn folder(&self) -> &OutputFolder {
        &self.folder
    }

    /// All that was kept, the table and the folder.
    pub fn end(self) -> (K, InstancesWriter, OutputFolder) {
        (self.kept, self.writer, self.folder)
    }
}

/// Writes what a complete run has kept, so that one of more instances can go on from it.
pub(super) fn leave_state(
    folder: &OutputFolder,
    study: &Study,
    header: &Header,
    kept: &impl Kept,
) -> Result<(), OutputError> {
    if !study.ensemble.grows() || !study.output.state {
        return Ok(());
    }
    let size = study.ensemble.size;
    let rows = match study.output.instances {
        InstanceTable::None => Rows::None,
        _ => Rows::Whole,
    };
    let header = Header { shard: None, study: resolved_toml(study), ..header.clone() };
    write_state(&folder.path(RUN_STATE), &header, |to| {
        let mut write = || -> io::Result<()> {
            to.value(&size)?;
            to.value("")?;
            kept.store(&(0..size), to)?;
            to.value(&rows)
        };
        Ok(write())
    })
}

/// The folder that a run writes, with files of these names taken over where it goes on from a
/// checkpoint.
pub(super) fn folder_of(
    under: &RunContext<'_>,
    found: Option<&Found>,
    files: &[&str],
) -> Result<OutputFolder, OutputError> {
    match found.filter(|found| !found.whole) {
        Some(found) => OutputFolder::resume(under.out, under.overwrite, &found.folder, files),
        None => {
            let left = left_beside(under.out);
            let folder = OutputFolder::create(under.out, under.overwrite)?;
            if left.is_some() && under.grown_from.is_none() {
                under.listener.say(&format!(
                    "an earlier run of {} was not finished, and is begun anew; --resume would have gone on \
                     from its checkpoint",
                    under.out.display()
                ));
            }
            Ok(folder)
        }
    }
}
