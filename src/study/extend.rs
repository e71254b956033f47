//! More instances of a run that is complete: the result is, bit for bit, that of a run which had
//! them from the start.
//!
//! The instances of a random or Sobol design are drawn by seed and number alone, those of the pilot
//! are the first ones, and a complete run leaves what it has kept. So it goes on as from a
//! checkpoint, up to the new size.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::checkpoint::RUN_STATE;
use super::listener::Listener;
use super::plausible;
use super::run_context::RunContext;
use super::run_error::RunError;
use super::run_under;
use crate::base::{grouped, instances};
use crate::describe::kind::InstanceRows;
use crate::describe::{Design, Distribution, Run, Study};
use crate::observe::PILOT;
use crate::output::{MANIFEST, Manifest, OutputError, RunOutcome, STUDY, recover};
use crate::study_file::kinds;
use crate::study_file::{Problems, read_finished_study};

/// Why a result cannot be extended. It is as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExtendError {
    /// A file is damaged, or the folder of the result is refused.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The study of the result cannot be read.
    #[error(transparent)]
    Study(#[from] Problems),
    /// The result is none that can be extended: why.
    #[error("{}: {why}", folder.display())]
    Refused { folder: PathBuf, why: String },
    /// The run of further instances failed.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Where an extension goes, and how it is computed.
pub struct ExtensionOptions<'a> {
    /// Instances in all.
    pub size: u64,
    /// `None`: the result is replaced when the larger one is complete.
    pub out: Option<&'a Path>,
    /// Whether an earlier result in `out` is replaced.
    pub overwrite: bool,
    pub listener: &'a dyn Listener,
    pub interrupted: &'a AtomicBool,
}

/// Extends the complete result in `folder`; `change` may choose where it is computed. What a killed
/// extension to this size has left is gone on with.
///
/// # Errors
/// The result is a shard, is not complete, or is of an ensemble laid out for its size; or the run
/// fails.
pub fn extend(
    folder: &Path,
    options: &ExtensionOptions<'_>,
    change: impl FnOnce(&mut Run),
) -> Result<RunOutcome, ExtendError> {
    let refused = |why: String| ExtendError::Refused { folder: folder.to_owned(), why };
    recover(folder)?;
    if !folder.join(MANIFEST).exists() {
        return Err(refused(format!("is no result of polhode (no {MANIFEST})")));
    }
    let manifest = Manifest::read(folder)?;
    if let Some(shard) = manifest.shard {
        return Err(refused(format!("is shard {shard}: merge all shards, and extend the whole")));
    }
    if !manifest.complete {
        return Err(refused(match manifest.advanced < manifest.instances {
            true => format!(
                "has {} of its {} instances: run its study with --resume first",
                grouped(manifest.advanced),
                grouped(manifest.instances)
            ),
            false => "was interrupted after its last instance: run its study with --resume first".to_string(),
        }));
    }
    if kinds::card(&manifest.kind).is_none() {
        return Err(refused(format!("is a measurement of {}, which has no ensemble to grow", manifest.kind)));
    }
    let mut study = read_finished_study(&folder.join(STUDY))?;
    if let Some(why) = laid_out(&study) {
        return Err(refused(why));
    }
    let ExtensionOptions { size, out, overwrite, listener, interrupted } = *options;
    let had = study.ensemble.size;
    let in_place = out.is_none_or(|out| out.canonicalize().ok() == folder.canonicalize().ok());
    if size == had && in_place {
        manifest.check_all(folder)?;
        listener.say(&format!("{} has {} instances: nothing is left to do", folder.display(), grouped(size)));
        let found = manifest.found();
        return Ok(RunOutcome { folder: folder.to_owned(), manifest, found, fan: None });
    }
    if size <= had {
        return Err(refused(format!("has {} instances already; give a --size above that", grouped(had))));
    }
    if !folder.join(RUN_STATE).exists() {
        return Err(refused(format!(
            "has no {RUN_STATE}, from which a run goes on: it was run with output.state = false, or by an \
             earlier polhode; run its study again with more instances"
        )));
    }
    manifest.check_all(folder)?;
    study.ensemble.size = size;
    // So many instances are wanted now.
    study.ensemble.until = None;
    change(&mut study.run);
    if had <= PILOT {
        listener.say(&format!(
            "the statistics of up to {} instances are kept in another form: all are computed again",
            grouped(PILOT)
        ));
    }
    if study.method.accuracy.is_some() {
        listener.say(&format!(
            "method and step stay those that were chosen for {}: a run of {} from the start chooses by all \
             of them",
            instances(had),
            grouped(size)
        ));
    }
    let warnings = plausible::doubts(&study).map_err(RunError::from)?;
    let under = RunContext {
        overwrite: in_place || overwrite,
        resume: true,
        grown_from: (had > PILOT).then_some(folder),
        only_complete: in_place,
        ..RunContext::new(out.filter(|_| !in_place).unwrap_or(folder), &warnings, listener, interrupted)
    };
    Ok(run_under(&study, &under)?)
}

/// Why instances of a larger ensemble are others.
fn laid_out(study: &Study) -> Option<String> {
    if !study.kind.card().steps {
        return Some(format!(
            "is of kind {}, which is not extended; run it anew with a larger size",
            study.kind.name()
        ));
    }
    if !study.kind.card().grows {
        let kind = study.kind.name();
        return Some(match study.kind.card().rows {
            InstanceRows::None => {
                format!("is of kind {kind}, which compares methods, and has no ensemble to grow; run it anew")
            }
            _ => format!("is of kind {kind}, which is laid out for its size; run it anew"),
        });
    }
    if study.ensemble.design == Design::LatinHypercube {
        return Some("is of design latin_hypercube, which is laid out for its size; run it anew".to_string());
    }
    let drawn = |distribution: &Distribution| matches!(distribution, Distribution::Drawn { .. });
    let laid = study.ensemble.vary.iter().find(|vary| !drawn(&vary.distribution))?;
    Some(format!("has values of {:?} that are listed, and not drawn; run it anew", laid.target.key))
}
