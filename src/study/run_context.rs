//! The context of a run: all that it is given besides its study.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::listener::Listener;
use super::run_error::RunError;
use super::unserved::Unserved;
use crate::backend::choose::ChosenBackend;
use crate::describe::Study;
use crate::ensemble::Shard;
use crate::output::{Manifest, left_beside};

/// All that a run is given besides its study.
pub struct RunContext<'a> {
    pub out: &'a Path,
    /// Whether an earlier result in `out` is replaced.
    pub overwrite: bool,
    /// Whether it goes on from the checkpoint of a run that was killed or interrupted, where there
    /// is one.
    pub resume: bool,
    /// The part of the ensemble that is run; none: the whole.
    pub shard: Option<Shard>,
    /// The result of a complete run of fewer instances, whose instances are the first of this one.
    pub grown_from: Option<&'a Path>,
    /// Whether an earlier result in `out` is replaced by a complete one alone.
    pub only_complete: bool,
    /// The arithmetic of other parts of the run, which this one is to have, too; none: any.
    pub like: Option<&'a str>,
    /// The [doubts](super::plausible::doubts) about the study, which its report tells.
    pub warnings: &'a [String],
    pub listener: &'a dyn Listener,
    /// Setting it ends the run early: what is finished is kept.
    pub interrupted: &'a AtomicBool,
}

impl<'a> RunContext<'a> {
    /// Runs the whole study from its start, into a folder in which there is no result.
    pub fn new(
        out: &'a Path,
        warnings: &'a [String],
        listener: &'a dyn Listener,
        interrupted: &'a AtomicBool,
    ) -> RunContext<'a> {
        RunContext {
            out,
            overwrite: false,
            resume: false,
            shard: None,
            grown_from: None,
            only_complete: false,
            like: None,
            warnings,
            listener,
            interrupted,
        }
    }

    /// Returns the arithmetic that a backend is to have: of the checkpoint that is gone on from, or
    /// of other parts.
    pub(super) fn begun(&self, found: Option<String>) -> Option<String> {
        found.or_else(|| self.like.map(str::to_string))
    }

    /// The instances of its part, of so many in all.
    pub(super) fn instances(&self, all: u64) -> Range<u64> {
        self.shard.map_or(0..all, |shard| shard.instances(all))
    }

    /// Ends an incomplete run where only a complete one may replace what is there.
    pub(super) fn check_replaces(&self, complete: bool) -> Result<(), RunError> {
        match complete || !self.only_complete {
            true => Ok(()),
            false => {
                let is_kept = left_beside(self.out).is_some();
                Err(RunError::NotReplaced { folder: self.out.to_owned(), is_kept })
            }
        }
    }

    /// Refuses another arithmetic than that of other parts.
    pub(super) fn check_alike(&self, arithmetic: &str) -> Result<(), RunError> {
        let Some(like) = self.like.filter(|like| *like != arithmetic) else { return Ok(()) };
        let (there, here) = (like.to_string(), arithmetic.to_string());
        Err(Unserved::OtherArithmetic { there, here }.into())
    }

    /// Returns the manifest of a run, as far as it is known before the first step.
    pub(super) fn manifest(&self, study: &Study, chosen: &ChosenBackend) -> Manifest {
        Manifest {
            device: chosen.line.clone(),
            backend: chosen.kind.to_string(),
            warnings: self.warnings.to_vec(),
            ..Manifest::of(study)
        }
    }
}
