//! The context of a run: all that it is given besides its study.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::listener::Listener;
use crate::backend::choose::ChosenBackend;
use crate::describe::Study;
use crate::ensemble::Shard;
use crate::output::Manifest;

/// All that a run is given besides its study.
pub struct RunContext<'a> {
    pub out: &'a Path,
    /// Whether an earlier result in `out` is replaced.
    pub overwrite: bool,
    /// Whether it goes on from the checkpoint of a run that was killed or interrupted, where there is one.
    pub resume: bool,
    /// The part of the ensemble that is run; none: the whole.
    pub shard: Option<Shard>,
    /// The result of a complete run of fewer instances, whose instances are the first of this one.
    pub grown_from: Option<&'a Path>,
    /// The [doubts](super::plausible::doubts) about the study, which its report tells.
    pub warnings: &'a [String],
    pub listener: &'a dyn Listener,
    /// Setting it ends the run early: what is finished is kept.
    pub interrupted: &'a AtomicBool,
}

impl RunContext<'_> {
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
