//! A shard's folder, and all shards of a study on their way to be put together.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::accuracy::AccuracyAssessment;
use super::checkpoint::{Header, Kept, StateBody, open_state, write_state};
use super::run_error::RunError;
use crate::backend::Plan;
use crate::base::regular;
use crate::describe::{InstanceTable, Study};
use crate::ensemble::Shard;
use crate::output::{
    ACCURACY, AccuracyRow, MANIFEST, Manifest, OutputError, OutputFolder, RunOutcome, STUDY, TableRows,
    append_tables, write_samples,
};
use crate::study_file::Problems;

pub const STATE: &str = "shard.state";

/// Why shards could not be merged. Nothing was written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// A file is damaged, or the folder of the result is refused.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The study of a shard cannot be read.
    #[error(transparent)]
    Study(#[from] Problems),
    /// A shard is of another study, partition, version or arithmetic than the first.
    #[error("{}: {why}", folder.display())]
    Refused { folder: PathBuf, why: String },
    /// A folder is no shard.
    #[error("{}: {why}", folder.display())]
    NoShard { folder: PathBuf, why: String },
    /// A shard's run did not come to its end.
    #[error("{}: {why}", folder.display())]
    Interrupted { folder: PathBuf, shard: Shard, why: String },
    /// Shards are given twice, or not at all.
    #[error("{0}")]
    Missing(String),
    /// A result that follows from all shards together could not be computed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The system gives no threads: why.
    #[error("threads could not be started: {0}")]
    Threads(String),
    /// The user has ended it.
    #[error("interrupted: nothing was written")]
    Ended,
}

/// Ends the run of a shard: its folder, with what was kept in a state.
pub(super) fn finish_shard(
    study: &Study,
    folder: OutputFolder,
    header: &Header,
    instances: &Range<u64>,
    kept: &impl Kept,
    mut manifest: Manifest,
) -> Result<RunOutcome, OutputError> {
    write_state(&folder.path(STATE), header, |to| Ok(kept.store(instances, to)))?;
    folder.write(STUDY, header.study.as_bytes())?;
    write_samples(study, &folder)?;
    folder.write_manifest(&mut manifest)?;
    let folder = folder.finish()?;
    let found = manifest.found();
    Ok(RunOutcome { folder, manifest, found, fan: None })
}

/// All shards of a study, about to be put together.
pub(super) struct Merging<'a> {
    pub folder: OutputFolder,
    /// The manifest of all together, without the results that follow from what was kept.
    pub manifest: Manifest,
    /// The study as resolved.
    pub study_toml: String,
    pub parts: Vec<ShardFolder>,
    pub size: u64,
    /// Set once the user wants it to end.
    pub interrupted: &'a AtomicBool,
}

/// Goes on, unless the user wants a merge to end.
///
/// # Errors
/// The user wants that.
pub(super) fn unless_ended(interrupted: &AtomicBool) -> Result<(), MergeError> {
    if interrupted.load(Ordering::Relaxed) { Err(MergeError::Ended) } else { Ok(()) }
}

impl Merging<'_> {
    /// Takes in what every shard has kept, in their order.
    pub fn absorb(&mut self, kept: &mut impl Kept) -> Result<(), MergeError> {
        for part in &mut self.parts {
            unless_ended(self.interrupted)?;
            let instances = part.shard.instances(self.size);
            kept.absorb(&instances, &mut part.rest).map_err(|error| MergeError::Refused {
                folder: part.folder.clone(),
                why: format!("{STATE} cannot be read: {error}"),
            })?;
        }
        Ok(())
    }

    /// Gives the means of the measured error, which is that of one shard, the standard errors that
    /// they have over all of them.
    pub fn know_means(
        &mut self,
        study: &Study,
        of: impl Fn(&AccuracyRow) -> Option<f64>,
    ) -> Result<(), MergeError> {
        let Some(accuracy) = self.manifest.accuracy.take() else { return Ok(()) };
        let of_shard = AccuracyAssessment::read(accuracy, &self.folder.path(ACCURACY.file), study)?;
        let measured = of_shard.with_standard_errors(study, of);
        measured.write(&self.folder, study)?;
        self.manifest.accuracy = Some(measured.accuracy);
        Ok(())
    }

    /// Puts the tables of instances together, if the study wants them: the files of this name, in
    /// which the instances of a shard stand so many times over.
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
        let names = study.mechanism.verdict_names();
        append_tables(&self.folder.path(name), &rows, &names, self.interrupted)?;
        unless_ended(self.interrupted)
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
    pub folder: PathBuf,
    pub manifest: Manifest,
    pub shard: Shard,
    pub header: Header,
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
                    "is no result of polhode (no {MANIFEST}); give the folders that `polhode run --shard` \
                     wrote"
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
                "was computed by {}, and {other} by {}: the bits may differ; choose one with --backend, \
                 --precision",
                mine.arithmetic, theirs.arithmetic
            ));
        }
        (mine.zeros != theirs.zeros).then(|| {
            format!(
                "takes other numbers for zero than {other}, and so computes other bits; run the study whole"
            )
        })
    }
}
