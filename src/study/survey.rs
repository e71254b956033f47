//! The stages of a study's shards: done, running, interrupted, damaged, foreign, missing, and the
//! command that computes each one that is not done.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::checkpoint::{Found, Header};
use super::merging::{MergeError, ShardFolder};
use crate::base::grouped;
use crate::base::text::shell_word;
use crate::describe::Study;
use crate::ensemble::Shard;
use crate::output::{MANIFEST, OutputError, STUDY, is_running, is_unfinished};

/// Missing shards that are listed, each by itself.
const MISSING: usize = 10_000;

/// The stage that a shard has reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// It can be merged.
    Done,
    /// A run is writing it.
    Running,
    /// Its run was killed or interrupted.
    Interrupted,
    /// A file of it is not as it was written.
    Damaged,
    /// It is of another study, partition, version or arithmetic than those before it, or no shard
    /// at all.
    Foreign,
    /// There is no folder of it.
    Missing,
}

/// A shard, or a folder that is none.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Surveyed {
    /// `K/N`; none: it cannot be told.
    pub shard: Option<String>,
    /// The stage that it has reached.
    pub stage: Stage,
    /// Where it is; none: nowhere.
    pub folder: Option<PathBuf>,
    /// Share of its instances that are done up to the last checkpoint; none: all, or none.
    pub share: Option<f64>,
    /// Why it cannot be merged.
    pub why: Option<String>,
    /// The command that computes it, or goes on with it.
    pub command: Option<String>,
    /// Backend and arithmetic that computed it, as far as bits depend on them; none: it is not
    /// done.
    pub arithmetic: Option<String>,
    #[serde(skip)]
    of: Option<Shard>,
}

/// The shards in these folders, each of which is one, or holds them; in the order of their parts,
/// others last. Those of another study than `requested`, where one is given, or of another version,
/// are foreign.
///
/// # Errors
/// A folder cannot be read.
pub fn survey(folders: &[PathBuf], requested: Option<&Study>) -> Result<Vec<Surveyed>, OutputError> {
    let requested = requested.map(|study| Header::new(study, None, String::new(), &[]));
    let mut first: Option<ShardFolder> = None;
    let mut all: Vec<Surveyed> = Vec::new();
    for folder in listed(folders)? {
        if is_unfinished(&folder) {
            all.push(unfinished(folder));
            continue;
        }
        let part = match ShardFolder::open(&folder) {
            Ok(part) => part,
            Err(MergeError::Interrupted { shard, why, .. }) => {
                let share = Found::progress(&folder).map(|(_, share)| share);
                all.push(of(Some(shard), Stage::Interrupted, folder, share, Some(why)));
                continue;
            }
            Err(MergeError::NoShard { why, .. }) => {
                all.push(of(None, Stage::Foreign, folder, None, Some(why)));
                continue;
            }
            Err(error) => {
                let shard = ShardFolder::shard_of(&folder);
                let remedy = if shard.is_none() { "; remove the folder" } else { "" };
                all.push(of(shard, Stage::Damaged, folder, None, Some(format!("{error}{remedy}"))));
                continue;
            }
        };
        let differs = |requested| part.header.differs(requested, "what is asked for");
        let of_another = requested.as_ref().and_then(differs);
        match of_another.or_else(|| first.as_ref().and_then(|first| part.differs(first))) {
            Some(why) => all.push(of(Some(part.shard), Stage::Foreign, folder, None, Some(why))),
            None => all.push(Surveyed {
                arithmetic: Some(part.header.arithmetic.clone()),
                ..of(Some(part.shard), Stage::Done, folder, None, None)
            }),
        }
        first.get_or_insert(part);
    }
    let Some(parts) = all.iter().filter(|one| one.stage != Stage::Foreign).find_map(|one| one.of) else {
        return Ok(all);
    };
    // A folder that is done stands for its shard, whatever was left beside it.
    let known: BTreeSet<u64> = all
        .iter()
        .filter(|one| one.stage != Stage::Foreign)
        .filter_map(|one| Some(one.of.filter(|shard| shard.of == parts.of)?.part))
        .collect();
    let none = |shard, why| Surveyed { folder: None, ..of(shard, Stage::Missing, PathBuf::new(), None, why) };
    let missing = parts.of - known.len() as u64;
    let listed = (1..=parts.of).filter(|part| !known.contains(part)).take(MISSING);
    all.extend(listed.map(|part| none(Some(Shard { part, of: parts.of }), None)));
    if let Some(more) = missing.checked_sub(MISSING as u64).filter(|more| *more > 0) {
        all.push(none(None, Some(format!("{} more shards are missing", grouped(more)))));
    }
    let known = all.iter().find(|one| one.stage == Stage::Done).and_then(|one| one.folder.clone());
    let study =
        known.map_or_else(|| "STUDY".to_string(), |folder| folder.join(STUDY).to_string_lossy().into_owned());
    let beside = place_of_missing(&all, folders);
    for one in &mut all {
        let Some(shard) = one.of.filter(|_| !matches!(one.stage, Stage::Done | Stage::Running)) else {
            continue;
        };
        let target = match &one.folder {
            Some(folder) => result_of(folder),
            None => beside(shard),
        };
        let option = match one.stage {
            Stage::Damaged | Stage::Foreign => "--overwrite",
            _ => "--resume",
        };
        one.command = Some(format!(
            "polhode run {} --shard {shard} --out {} {option}",
            shell_word(&study),
            shell_word(&target.to_string_lossy())
        ));
    }
    all.sort_by_key(|one| (one.stage == Stage::Foreign, one.of.map_or(u64::MAX, |shard| shard.part)));
    Ok(all)
}

/// Where a missing shard goes: beside those that are known, and named as they are, in no folder of
/// others.
fn place_of_missing(all: &[Surveyed], folders: &[PathBuf]) -> impl Fn(Shard) -> PathBuf + use<> {
    let known = all.iter().filter(|one| one.stage != Stage::Foreign).find_map(|one| {
        let folder = result_of(one.folder.as_ref()?);
        let name = folder.file_name()?.to_str()?;
        let prefix = name.strip_suffix(&*one.of?.part.to_string())?.to_string();
        Some((folder.parent()?.to_owned(), prefix))
    });
    let home = folders.iter().find(|folder| !folder.join(MANIFEST).exists() && !is_unfinished(folder));
    let parent = || folders.first().and_then(|folder| folder.parent()).map(Path::to_owned);
    let (home, prefix) =
        known.or_else(|| Some((home.cloned().or_else(parent)?, String::new()))).unwrap_or_default();
    let foreign = all.iter().filter(|one| one.stage == Stage::Foreign);
    let foreign: BTreeSet<PathBuf> = foreign.filter_map(|one| one.folder.as_deref()).map(result_of).collect();
    move |shard| {
        let named = home.join(format!("{prefix}{}", shard.part));
        let numbered = (2..).map(|number| home.join(format!("{prefix}{}_{number}", shard.part)));
        let is_free = |place: &PathBuf| !place.exists() && !foreign.contains(place);
        std::iter::once(named).chain(numbered).find(is_free).unwrap_or_default()
    }
}

fn of(
    shard: Option<Shard>,
    stage: Stage,
    folder: PathBuf,
    share: Option<f64>,
    why: Option<String>,
) -> Surveyed {
    let name = shard.map(|shard| shard.to_string());
    Surveyed {
        shard: name,
        stage,
        folder: Some(folder),
        share,
        why,
        command: None,
        arithmetic: None,
        of: shard,
    }
}

/// A folder beside a result, whose run goes on or does not.
fn unfinished(folder: PathBuf) -> Surveyed {
    let (shard, share) = Found::progress(&folder).unzip();
    let none = |folder: PathBuf, why: &str| of(None, Stage::Foreign, folder, None, Some(why.to_string()));
    match (is_running(&folder), shard) {
        (_, Some(None)) => none(folder, "is left by a whole run, and no shard"),
        (true, shard) => of(shard.flatten(), Stage::Running, folder, share, None),
        (false, Some(shard)) => {
            of(shard, Stage::Interrupted, folder, share, Some("its run was killed".to_string()))
        }
        (false, None) => {
            let why = "its run was killed before the first checkpoint; the next run clears it";
            of(None, Stage::Interrupted, folder, None, Some(why.to_string()))
        }
    }
}

/// The folder that a run which left `folder` was to write.
fn result_of(folder: &Path) -> PathBuf {
    match folder.to_str().and_then(|name| name.strip_suffix(".unfinished")) {
        Some(name) => PathBuf::from(name),
        None => folder.to_owned(),
    }
}

/// The folders themselves, and in place of those that are neither a result nor left by a run, the
/// folders in them.
fn listed(folders: &[PathBuf]) -> Result<Vec<PathBuf>, OutputError> {
    let mut all = Vec::new();
    for folder in folders {
        let entries = std::fs::read_dir(folder).map_err(OutputError::io(folder))?;
        if is_unfinished(folder) || folder.join(MANIFEST).exists() {
            all.push(folder.clone());
            continue;
        }
        let mut inside = Vec::new();
        for entry in entries {
            let path = entry.map_err(OutputError::io(folder))?.path();
            if path.is_dir() {
                inside.push(path);
            }
        }
        inside.sort();
        all.append(&mut inside);
    }
    Ok(all)
}
