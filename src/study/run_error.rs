//! Reasons why a run could not be done.

use std::path::PathBuf;

use super::plan::NotZero;
use super::unserved::Unserved;
use crate::backend::BackendError;
use crate::ensemble::SamplingError;
use crate::output::{OutputError, UnknownColumn};

/// Why a run could not be done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The folder or a file of it cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The wanted processor cannot run it.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The ensemble cannot be drawn.
    #[error(transparent)]
    Sampling(#[from] SamplingError),
    /// The mechanism cannot be put together: why.
    #[error("{0}")]
    NoMechanism(String),
    /// The study's question cannot be asked of its mechanism, method or ensemble.
    #[error(transparent)]
    Unserved(#[from] Unserved),
    /// A number that a study says to be zero is drawn as another one.
    #[error(transparent)]
    NotZero(#[from] NotZero),
    /// The table of instances has no column of a name that is wanted.
    #[error(transparent)]
    Columns(#[from] UnknownColumn),
    /// A number that a study says to be zero is drawn as another one, in an instance of a shard
    /// that the other shards know nothing of.
    #[error(
        "{0}, and unlike all that are looked at beforehand: a step that leaves it out is no step of this \
         instance, and this shard would not be a part of the whole run; run the study whole, or give the \
         mechanism itself other than zero there"
    )]
    NotForeseen(NotZero),
    /// There is less than one instance, or one step, for a part.
    #[error("{whole} cannot be cut into {of} parts; 1 to {parts} can be had")]
    TooManyParts { whole: String, parts: u64, of: u64 },
    /// The statistics do not fit in memory.
    #[error(
        "{snapshots} snapshots of {columns} columns need {gib:.1} GiB for their statistics; observe less \
         often: observe.every = {every} or more steps, or fewer channels"
    )]
    TooManySnapshots { snapshots: usize, columns: usize, gib: f64, every: u64 },
    /// A run cannot go on from the checkpoint that was found.
    #[error("{}: {why}", folder.display())]
    NotResumed { folder: PathBuf, why: String },
    /// Ctrl-C, before anything was run.
    #[error("interrupted before the first step: nothing was run")]
    Interrupted,
    /// Ended by Ctrl-C before the larger result was complete that was to replace this one; whether
    /// there is a checkpoint.
    #[error(
        "interrupted: {} is as it was; {}",
        folder.display(),
        match is_kept {
            true => "the same command goes on from the last checkpoint",
            false => "there was no checkpoint yet, and the same command begins again",
        }
    )]
    NotReplaced { folder: PathBuf, is_kept: bool },
    /// The system gives no threads: why.
    #[error("threads could not be started: {0}")]
    Threads(String),
}

impl RunError {
    /// Whether the study or the output folder was refused: the same again would be, too.
    pub fn is_refusal(&self) -> bool {
        match self {
            RunError::Sampling(_)
            | RunError::NoMechanism(_)
            | RunError::Unserved(_)
            | RunError::TooManySnapshots { .. }
            | RunError::Columns(_)
            | RunError::NotResumed { .. }
            | RunError::TooManyParts { .. }
            | RunError::NotZero(_)
            | RunError::NotForeseen(_)
            | RunError::Backend(
                BackendError::NoDouble { .. }
                | BackendError::Kernel(_)
                | BackendError::Refused { .. }
                | BackendError::Unsuited(_),
            ) => true,
            RunError::Output(error) => error.is_refusal(),
            RunError::Interrupted
            | RunError::NotReplaced { .. }
            | RunError::Backend(_)
            | RunError::Threads(_) => false,
        }
    }

    /// The dotted key of the study that it is about; `None`: none alone.
    pub fn key(&self) -> Option<String> {
        let key = match self {
            RunError::Unserved(unserved) => unserved.key()?,
            RunError::Sampling(SamplingError::Vary { key, .. }) => {
                return Some(format!("ensemble.vary.{key:?}"));
            }
            RunError::Sampling(SamplingError::NotAlone { .. } | SamplingError::Correlation(_)) => {
                "ensemble.correlated"
            }
            RunError::Sampling(SamplingError::Size { .. } | SamplingError::PartialGrid { .. }) => {
                "ensemble.size"
            }
            RunError::Sampling(SamplingError::SobolDimensions { .. }) => "ensemble.design",
            RunError::TooManySnapshots { .. } => "observe.every",
            RunError::Columns(_) => "output.instances",
            RunError::Backend(BackendError::NoDouble { .. } | BackendError::Sums { .. }) => "run.precision",
            RunError::Backend(BackendError::NoAdapter { .. }) => "run.backend",
            RunError::Output(_)
            | RunError::Backend(_)
            | RunError::NoMechanism(_)
            | RunError::NotZero(_)
            | RunError::NotForeseen(_)
            | RunError::TooManyParts { .. }
            | RunError::NotResumed { .. }
            | RunError::Interrupted
            | RunError::NotReplaced { .. }
            | RunError::Threads(_) => return None,
        };
        Some(key.to_string())
    }
}
