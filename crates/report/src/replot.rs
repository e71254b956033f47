//! Plots of a finished run made again, or otherwise, from its folder alone.

use std::path::{Path, PathBuf};

use super::answer::NEVER;
use super::associations::MISSING;
use super::damage::FileEntry;
use super::damage::checksum;
use super::error::OutputError;
use super::folder::OutputFolder;
use super::manifest::MANIFEST;
use super::picture::{Format, files};
use super::plots::{Selection, draw};
use super::saved::{Saved, SavedError};
use super::table::ColumnLabel;
use polhode_description::base::nearest;

/// The plots to draw, and where to.
#[derive(Clone, Debug, Default)]
pub struct Replot {
    /// Channels, whole or by component; all if there are none, and the verdicts and the motion then
    /// too.
    pub channels: Vec<String>,
    /// Kept instances to be drawn over the fans; none: those that the run drew.
    pub instances: Option<Vec<u64>>,
    /// None: every.
    pub format: Option<Format>,
    /// A folder of its own; none: among the plots of the run.
    pub out: Option<PathBuf>,
    pub overwrite: bool,
}

/// The plots that were drawn.
#[derive(Clone, Debug)]
pub struct Plotted {
    pub folder: PathBuf,
    pub files: usize,
    /// The plots that could not be drawn, and what to do about it.
    pub missing: Option<String>,
}

/// Why the plots of finished runs cannot be drawn, or the runs not be compared.
#[derive(Debug, thiserror::Error)]
pub enum ReplotError {
    /// A file of a result cannot be read.
    #[error(transparent)]
    Saved(#[from] SavedError),
    /// The folder of the pictures is refused.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A run has not what is wanted: why.
    #[error("{}: {why}", folder.display())]
    Selection { folder: PathBuf, why: SelectionError },
    /// The user has ended it.
    #[error("interrupted: nothing was written")]
    Interrupted,
}

/// Letters of a label at most.
pub const LONGEST_LABEL: usize = 100;

/// A fault of a run or its label, among those that are to be drawn.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectionError {
    #[error(
        "has no channel {wanted:?}{} (there are {})",
        nearest.as_ref().map_or_else(String::new, |near| format!("; did you mean {near}?")),
        channels.join(", ")
    )]
    NoChannel { wanted: String, nearest: Option<String>, channels: Vec<String> },
    #[error("has no trajectory of instance {wanted}; it keeps those of {first} to {last} (observe.keep)")]
    NoTrajectory { wanted: u64, first: u64, last: u64 },
    #[error("keeps no trajectories (observe.keep = 0)")]
    NoTrajectories,
    #[error("there are {runs} runs and {labels} labels")]
    LabelCount { runs: usize, labels: usize },
    #[error("has a label of {letters} letters; a label has {LONGEST_LABEL} at most")]
    LongLabel { letters: usize },
    #[error("has the label {label:?}, which another run has already")]
    SameLabel { label: String },
    #[error("has no channel that all the others have")]
    NothingInCommon,
}

/// Draws, and writes only when all is drawn.
pub fn replot(folder: &Path, wanted: &Replot) -> Result<Plotted, ReplotError> {
    let saved = Saved::read(folder)?;
    let data = saved.data();
    let missing = saved.associations.are_left_out(&saved.study);
    let missing = missing.then(|| format!("final values are not drawn against inputs: {MISSING}"));
    let refused = |why: SelectionError| ReplotError::Selection { folder: folder.to_owned(), why };
    let mut selection = Selection::all(&data);
    if !wanted.channels.is_empty() {
        selection.whole = false;
        selection.columns = columns_of(&saved.statistics.columns, &wanted.channels).map_err(refused)?;
    }
    if let Some(instances) = &wanted.instances {
        selection.kept = kept(&saved.trajectories.instances, instances).map_err(refused)?;
    }
    let drawn =
        files(&draw(&data, &saved.manifest, &selection), wanted.format, folder, &NEVER)?.unwrap_or_default();
    match &wanted.out {
        Some(out) => {
            let to = OutputFolder::create(out, wanted.overwrite)?;
            let own_name = |name: &str| name.trim_start_matches("plots/").to_string();
            drawn.iter().try_for_each(|(name, bytes)| to.write(&own_name(name), bytes))?;
            to.write_manifest(&mut saved.manifest.clone())?;
            to.finish()?;
            Ok(Plotted { folder: out.clone(), files: drawn.len(), missing })
        }
        None => {
            let to = OutputFolder::amend(folder)?;
            // All are whole and on the disk before the first takes its place, so that they change
            // within a moment. A kill in that moment leaves pictures that the manifest does not
            // know: it says then that this command draws them again.
            let new = |name: &str| format!("{name}.partial");
            drawn.iter().try_for_each(|(name, bytes)| to.write(&new(name), bytes))?;
            to.sync()?;
            let entry = |(name, bytes): &(String, Vec<u8>)| FileEntry {
                name: name.clone(),
                bytes: bytes.len() as u64,
                xxh3: Some(checksum(bytes)),
            };
            let files: Vec<FileEntry> = drawn.iter().map(entry).collect();
            to.begin(files.iter().map(|file| &*file.name))?;
            files.iter().try_for_each(|file| to.take_name(&new(&file.name), &file.name))?;
            let mut manifest = saved.manifest.clone();
            for file in &files {
                match manifest.files.iter_mut().find(|known| known.name == file.name) {
                    Some(known) => known.clone_from(file),
                    None => manifest.files.push(file.clone()),
                }
            }
            if manifest != saved.manifest {
                to.write(&new(MANIFEST), manifest.to_json().as_bytes())?;
                to.sync()?;
                to.take_name(&new(MANIFEST), MANIFEST)?;
            }
            Ok(Plotted { folder: folder.join("plots"), files: files.len(), missing })
        }
    }
}

/// The columns of these channels, in the order of the run.
///
/// # Errors
/// There is no such channel.
pub fn columns_of(all: &[ColumnLabel], channels: &[String]) -> Result<Vec<usize>, SelectionError> {
    let is = |k: &usize, wanted: &String| {
        let is = |name: &str| {
            name.strip_suffix(&**wanted).is_some_and(|owner| owner.is_empty() || owner.ends_with('.'))
        };
        is(&all[*k].name()) || is(&all[*k].channel)
    };
    for wanted in channels {
        if !(0..all.len()).any(|k| is(&k, wanted)) {
            let mut channels: Vec<String> = all.iter().map(|column| column.channel.clone()).collect();
            channels.dedup();
            let nearest = nearest(wanted, channels.iter().map(String::as_str));
            return Err(SelectionError::NoChannel { wanted: wanted.clone(), nearest, channels });
        }
    }
    Ok((0..all.len()).filter(|k| channels.iter().any(|wanted| is(k, wanted))).collect())
}

/// Where these instances are among the kept ones.
fn kept(kept: &[u64], instances: &[u64]) -> Result<Vec<usize>, SelectionError> {
    let place = |wanted: &u64| {
        kept.iter().position(|k| k == wanted).ok_or_else(|| match (kept.first(), kept.last()) {
            (Some(&first), Some(&last)) => SelectionError::NoTrajectory { wanted: *wanted, first, last },
            _ => SelectionError::NoTrajectories,
        })
    };
    instances.iter().map(place).collect()
}
