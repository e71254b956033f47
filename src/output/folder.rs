//! The output folder: all or nothing.
//!
//! Everything is written in a sibling folder `NAME.unfinished`, whose files are synced to the disk before it takes the name. An error, a full
//! disk or a panic on the way removes it again, unless there is a [checkpoint](OutputFolder::keep) in it from which the run can go on; an
//! older result stays as it was. An older result is replaced only on request, and only if every entry in it is one that polhode wrote. It waits as
//! `NAME.replaced` until the new one has the name: where a run was killed in between, the next one gives it its name back.
//!
//! A run holds a lock on a file in its folder, which the system takes away when the run ends, however that happens: a folder without it
//! is that of a dead run, and stands in no one's way.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use super::damage::checksum_of;
use super::error::OutputError;
use super::manifest::{FileEntry, MANIFEST, Manifest};
use super::plots::Picture;

/// From here a run goes on.
pub const CHECKPOINT: &str = "checkpoint.state";

/// The file that a run holds a lock on.
const LOCK: &str = "lock";

/// Folders under way of this process, without a checkpoint.
static UNDER_WAY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn folders_under_way() -> MutexGuard<'static, Vec<PathBuf>> {
    UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the folders under way that nothing can go on from: for a process that ends at once.
pub fn abandon() {
    /// Other threads go on writing: what has just been emptied may hold a file again.
    const TRIES: usize = 20;
    let mut folders = folders_under_way();
    for folder in folders.drain(..) {
        // Best effort: there is no one left to be told.
        let _ = (0..TRIES).find(|_| fs::remove_dir_all(&folder).or_else(gone).is_ok());
    }
    // A thread that finds its folder gone waits for the end of the process, and has no error to tell.
    std::mem::forget(folders);
}

/// An output folder under way. Dropped before [`OutputFolder::finish`], it leaves nothing behind, or what a run can go on from.
pub struct OutputFolder {
    target: PathBuf,
    under_way: PathBuf,
    overwrite: bool,
    finished: bool,
    /// There is a checkpoint in it.
    kept: bool,
    /// It is of no use any more.
    complete: bool,
    /// Held until the end.
    lock: Option<File>,
}

impl OutputFolder {
    /// Checks that `target` may be written and begins beside it. With `overwrite`, a polhode result there is
    /// replaced when the new one is complete. What a dead run has left of this folder is cleared away.
    ///
    /// # Errors
    /// The target is something else, or another run is writing it.
    pub fn create(target: &Path, overwrite: bool) -> Result<Self, OutputError> {
        let mut folder = Self::open(target, overwrite)?;
        folder.clear(&[])?;
        if std::mem::take(&mut folder.kept) {
            folders_under_way().push(folder.under_way.clone());
        }
        Ok(folder)
    }

    /// Goes on with what [`unfinished`] has found of this folder, with its files of these names and no others.
    ///
    /// # Errors
    /// As [`create`](Self::create).
    pub fn resume(
        target: &Path,
        overwrite: bool,
        unfinished: &Path,
        files: &[&str],
    ) -> Result<Self, OutputError> {
        if unfinished == target {
            let under_way = sibling(target, "unfinished")?;
            fs::rename(target, &under_way).map_err(OutputError::io(target))?;
        }
        let folder = Self::open(target, overwrite)?;
        folder.clear(&[files, &[CHECKPOINT]].concat())?;
        Ok(folder)
    }

    /// Takes the folder under way for this run, as it is.
    fn open(target: &Path, overwrite: bool) -> Result<Self, OutputError> {
        if target.file_name().is_none() {
            return Err(OutputError::NoName { folder: target.to_owned() });
        }
        let parent = parent(target);
        let under_way = sibling(target, "unfinished")?;
        if !under_way.exists() {
            check_target(target, overwrite)?;
            fs::create_dir_all(parent).map_err(OutputError::io(parent))?;
        } else if !is_ours(&under_way)? {
            return Err(OutputError::NotUnfinished { folder: under_way });
        }
        // A signal that comes here waits until the folder is known: it would stay otherwise.
        let mut known = folders_under_way();
        let created = fs::create_dir(&under_way);
        created.or_else(exists).map_err(OutputError::io(&under_way))?;
        let lock = locked(&under_way)?;
        let kept = under_way.join(CHECKPOINT).exists();
        if !kept {
            known.push(under_way.clone());
        }
        drop(known);
        let folder = Self {
            target: target.to_owned(),
            under_way,
            overwrite,
            finished: false,
            kept,
            complete: false,
            lock,
        };
        repair(target)?;
        check_target(target, overwrite)?;
        Ok(folder)
    }

    /// Removes all files but those of these names.
    fn clear(&self, kept: &[&str]) -> Result<(), OutputError> {
        let io = || OutputError::io(&self.under_way);
        for entry in fs::read_dir(&self.under_way).map_err(io())? {
            let entry = entry.map_err(io())?;
            if kept.iter().chain(&[LOCK]).any(|name| entry.file_name() == *name) {
                continue;
            }
            let path = entry.path();
            let removed = match entry.file_type().map_err(io())?.is_dir() {
                true => fs::remove_dir_all(&path),
                false => fs::remove_file(&path),
            };
            removed.map_err(OutputError::io(&path))?;
        }
        Ok(())
    }

    /// All instances are in: the result will have no checkpoint. It stays until the result has its name, since what follows may fail.
    pub fn complete(&mut self) {
        self.complete = true;
    }

    /// There is a checkpoint in the folder now: it stays whatever happens.
    pub fn keep(&mut self) {
        self.kept = true;
        folders_under_way().retain(|folder| *folder != self.under_way);
    }

    /// Where the folder will be.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Where to write a file now; `name` relative, with `/`.
    pub fn path(&self, name: &str) -> PathBuf {
        self.under_way.join(name)
    }

    /// Writes a whole file, making its folder.
    pub fn write(&self, name: &str, content: &[u8]) -> Result<(), OutputError> {
        let file = self.path(name);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).map_err(OutputError::io(folder))?;
        }
        fs::write(&file, content).map_err(OutputError::io(&file))
    }

    /// Writes pictures under their names, as SVG and PNG.
    pub fn write_pictures<'a>(
        &self,
        pictures: impl IntoIterator<Item = &'a Picture>,
    ) -> Result<(), OutputError> {
        pictures.into_iter().try_for_each(|picture| {
            self.write(&format!("{}.svg", picture.name), picture.svg.as_bytes())?;
            self.write(&format!("{}.png", picture.name), &picture.png)
        })
    }

    /// Writes the manifest, last of all, with the list of what was written before.
    pub fn write_manifest(&self, manifest: &mut Manifest) -> Result<(), OutputError> {
        manifest.files = self.files()?;
        self.write(MANIFEST, manifest.to_json().as_bytes())
    }

    /// The files written so far, sorted by name, with their checksums.
    pub fn files(&self) -> Result<Vec<FileEntry>, OutputError> {
        let mut files = self.listed()?;
        files.par_iter_mut().try_for_each(|entry| {
            let file = self.path(&entry.name);
            entry.xxh3 = Some(checksum_of(&file).map_err(OutputError::io(&file))?);
            Ok(())
        })?;
        Ok(files)
    }

    /// They without checksums.
    fn listed(&self) -> Result<Vec<FileEntry>, OutputError> {
        let mut files = Vec::new();
        let mut folders = vec![(self.under_way.clone(), String::new())];
        while let Some((folder, prefix)) = folders.pop() {
            for entry in fs::read_dir(&folder).map_err(OutputError::io(&folder))? {
                let entry = entry.map_err(OutputError::io(&folder))?;
                let metadata = entry.metadata().map_err(OutputError::io(&folder))?;
                let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
                if metadata.is_dir() {
                    folders.push((entry.path(), format!("{name}/")));
                } else if name != LOCK && !(self.complete && name == CHECKPOINT) {
                    files.push(FileEntry { name, bytes: metadata.len(), xxh3: None });
                }
            }
        }
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(files)
    }

    /// Gives the folder its name. All of it is on the disk before.
    pub fn finish(mut self) -> Result<PathBuf, OutputError> {
        // Again: something may have appeared there during the run.
        check_target(&self.target, self.overwrite)?;
        self.sync()?;
        if cfg!(windows) {
            // No folder with an open file is renamed there.
            self.lock = None;
        }
        let io = || OutputError::io(&self.target);
        if !self.target.exists() {
            fs::rename(&self.under_way, &self.target).map_err(io())?;
        } else {
            let old = sibling(&self.target, "replaced")?;
            fs::rename(&self.target, &old).map_err(io())?;
            if let Err(error) = fs::rename(&self.under_way, &self.target) {
                fs::rename(&old, &self.target).map_err(io())?;
                return Err(io()(error));
            }
            fs::remove_dir_all(&old).or_else(gone).map_err(OutputError::io(&old))?;
        }
        self.finished = true;
        remove(&self.target, if self.complete { &[CHECKPOINT, LOCK] } else { &[LOCK] })?;
        sync_folder(parent(&self.target))?;
        Ok(self.target.clone())
    }

    /// Has every file, and every folder's list of files, written to the disk.
    fn sync(&self) -> Result<(), OutputError> {
        let files: Vec<PathBuf> = self.listed()?.iter().map(|file| self.path(&file.name)).collect();
        files.par_iter().try_for_each(|file| {
            let open = File::open(file).map_err(OutputError::io(file))?;
            open.sync_all().map_err(OutputError::io(file))
        })?;
        let mut folders: Vec<&Path> = files.iter().filter_map(|file| file.parent()).collect();
        folders.push(&self.under_way);
        folders.sort_unstable();
        folders.dedup();
        folders.into_iter().try_for_each(sync_folder)
    }
}

impl Drop for OutputFolder {
    fn drop(&mut self) {
        folders_under_way().retain(|folder| *folder != self.under_way);
        if !self.finished && !self.kept {
            // Best effort: there is already an error on its way to the user.
            let _ = fs::remove_dir_all(&self.under_way);
        }
    }
}

/// The folder with a checkpoint of the run that was to write `target`: of one that was killed, beside it; of one that was interrupted,
/// the folder itself. `None`: there is nothing to go on from.
pub fn unfinished(target: &Path) -> Option<PathBuf> {
    let beside = sibling(target, "unfinished").ok()?;
    [beside, target.to_owned()].into_iter().find(|folder| folder.join(CHECKPOINT).is_file())
}

/// The folder with a checkpoint beside `target`: its run was killed, or has failed.
pub fn left_beside(target: &Path) -> Option<PathBuf> {
    unfinished(target).filter(|folder| folder != target)
}

/// Whether a folder is one that a run has left, or is writing, beside its result: no one's result yet.
pub fn is_unfinished(folder: &Path) -> bool {
    let suffix = |name: &str| name.ends_with(".unfinished") || name.ends_with(".replaced");
    folder.file_name().and_then(|name| name.to_str()).is_some_and(suffix) && folder.join(LOCK).exists()
}

/// Removes from a complete result what its run still had in it, and beside it what it has replaced, where the run was killed after the
/// folder had its name.
///
/// # Errors
/// A file cannot be removed.
pub fn tidy(target: &Path) -> Result<(), OutputError> {
    if is_running(target) {
        return Ok(());
    }
    repair(target)?;
    remove(target, &[CHECKPOINT, LOCK])
}

/// Removes these files of a folder, where they are.
fn remove(folder: &Path, names: &[&str]) -> Result<(), OutputError> {
    names.iter().try_for_each(|name| {
        let file = folder.join(name);
        fs::remove_file(&file).or_else(gone).map_err(OutputError::io(&file))
    })
}

/// Whether a run holds the lock of a folder under way.
pub fn is_running(folder: &Path) -> bool {
    let lock = File::open(folder.join(LOCK));
    lock.is_ok_and(|lock| matches!(lock.try_lock(), Err(TryLockError::WouldBlock)))
}

/// The lock on a folder under way; none where the file system knows no locks.
fn locked(under_way: &Path) -> Result<Option<File>, OutputError> {
    let file = under_way.join(LOCK);
    let lock = File::create(&file).map_err(OutputError::io(&file))?;
    match lock.try_lock() {
        Ok(()) => Ok(Some(lock)),
        Err(TryLockError::WouldBlock) => Err(OutputError::Busy { folder: under_way.to_owned() }),
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => Ok(None),
        Err(TryLockError::Error(error)) => Err(OutputError::io(&file)(error)),
    }
}

/// Gives a result back its name, which a run was about to replace when it was killed, or clears it away, where its successor is there.
fn repair(target: &Path) -> Result<(), OutputError> {
    let old = sibling(target, "replaced")?;
    let io = || OutputError::io(&old);
    if !old.join(MANIFEST).exists() {
        return Ok(());
    }
    match target.exists() {
        true => fs::remove_dir_all(&old).or_else(gone).map_err(io()),
        false => fs::rename(&old, target).map_err(io()),
    }
}

/// Whether a folder under way is one of ours: it has a lock, or nothing.
fn is_ours(under_way: &Path) -> Result<bool, OutputError> {
    if under_way.join(LOCK).exists() || under_way.join(CHECKPOINT).exists() {
        return Ok(true);
    }
    let mut entries = fs::read_dir(under_way).map_err(OutputError::io(under_way))?;
    Ok(entries.next().is_none())
}

/// Has the list of a folder's files written to the disk, where the system can.
fn sync_folder(folder: &Path) -> Result<(), OutputError> {
    if cfg!(unix) {
        let open = File::open(folder).map_err(OutputError::io(folder))?;
        open.sync_all().map_err(OutputError::io(folder))?;
    }
    Ok(())
}

/// It is no error that something is there already.
fn exists(error: io::Error) -> io::Result<()> {
    if error.kind() == ErrorKind::AlreadyExists { Ok(()) } else { Err(error) }
}

/// It is no error that something is gone already.
fn gone(error: io::Error) -> io::Result<()> {
    if error.kind() == ErrorKind::NotFound { Ok(()) } else { Err(error) }
}

/// Refuses everything but nothing, an empty folder, or (with `overwrite`) a polhode result with nothing else in it.
fn check_target(target: &Path, overwrite: bool) -> Result<(), OutputError> {
    let folder = target.to_owned();
    if target.file_name().is_none() {
        return Err(OutputError::NoName { folder });
    }
    let entries = match fs::read_dir(target) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            return Err(OutputError::NotAFolder { folder });
        }
        Err(error) => return Err(OutputError::io(target)(error)),
    };
    let mut names: Vec<OsString> = Vec::new();
    for entry in entries {
        names.push(entry.map_err(OutputError::io(target))?.file_name());
    }
    if names.is_empty() {
        return Ok(());
    }
    if !overwrite {
        return Err(OutputError::Occupied { folder });
    }
    if !names.iter().any(|name| name == MANIFEST) {
        return Err(OutputError::NotAResult { folder });
    }
    // What is replaced need not be sound: its list of files tells whose they are. A name that the damage has changed is that of another file.
    let manifest = match Manifest::read(target) {
        Err(OutputError::Damaged { .. } | OutputError::Manifest { .. }) => {
            Manifest::read_damaged(target).ok_or(OutputError::UnknownOwner { folder: folder.clone() })?
        }
        read => read?,
    };
    let top = |entry: &FileEntry| entry.name.split('/').next().map(OsString::from);
    let written: Vec<OsString> = manifest
        .files
        .iter()
        .filter_map(top)
        .chain([MANIFEST.into(), LOCK.into(), CHECKPOINT.into()])
        .collect();
    match names.into_iter().find(|name| !written.contains(name)) {
        Some(name) => Err(OutputError::Foreign { folder, entry: name.to_string_lossy().into_owned() }),
        None => Ok(()),
    }
}

fn parent(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// `NAME.KIND`
fn sibling(target: &Path, kind: &str) -> Result<PathBuf, OutputError> {
    let name = target.file_name().ok_or_else(|| OutputError::NoName { folder: target.to_owned() })?;
    let mut name = name.to_owned();
    name.push(format!(".{kind}"));
    Ok(parent(target).join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(target: &Path, overwrite: bool, content: &str) -> Result<PathBuf, OutputError> {
        let folder = OutputFolder::create(target, overwrite)?;
        folder.write("plots/a.svg", content.as_bytes())?;
        let manifest = Manifest { files: folder.files()?, ..Manifest::default() };
        folder.write(MANIFEST, manifest.to_json().as_bytes())?;
        folder.finish()
    }

    fn names(folder: &Path) -> Vec<String> {
        let name =
            |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().to_string_lossy().into_owned();
        let mut names: Vec<String> = fs::read_dir(folder).unwrap().map(name).collect();
        names.sort();
        names
    }

    #[test]
    fn a_result_appears_whole_and_is_replaced_only_on_request() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("runs/one");
        result(&target, false, "first").unwrap();
        assert_eq!(names(&target), ["manifest.json", "plots"]);
        assert_eq!(Manifest::read(&target).unwrap().files[0].name, "plots/a.svg");

        assert!(matches!(result(&target, false, "second"), Err(OutputError::Occupied { .. })));
        assert_eq!(fs::read_to_string(target.join("plots/a.svg")).unwrap(), "first");
        result(&target, true, "second").unwrap();
        assert_eq!(fs::read_to_string(target.join("plots/a.svg")).unwrap(), "second");
        assert_eq!(names(target.parent().unwrap()), ["one"]);
    }

    #[test]
    fn nothing_is_left_of_a_failed_run() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("one");
        result(&target, false, "first").unwrap();
        let folder = OutputFolder::create(&target, true).unwrap();
        folder.write("plots/a.svg", b"half").unwrap();
        assert_eq!(names(home.path()).len(), 2);
        drop(folder);
        assert_eq!(names(home.path()), ["one"]);
        assert_eq!(fs::read_to_string(target.join("plots/a.svg")).unwrap(), "first");
    }

    #[test]
    fn what_polhode_did_not_write_is_never_replaced() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("one");
        fs::create_dir(&target).unwrap();
        result(&target, false, "into an empty folder").unwrap();
        fs::write(target.join("notes.txt"), "mine").unwrap();
        let error = result(&target, true, "second").unwrap_err();
        assert!(error.to_string().contains("notes.txt"), "{error}");

        let other = home.path().join("thesis");
        fs::create_dir(&other).unwrap();
        fs::write(other.join("thesis.tex"), "mine").unwrap();
        assert!(matches!(result(&other, true, ""), Err(OutputError::NotAResult { .. })));
        fs::write(other.join(MANIFEST), "{}").unwrap();
        assert!(matches!(result(&other, true, ""), Err(OutputError::UnknownOwner { .. })));
        assert!(matches!(result(&other.join("thesis.tex"), true, ""), Err(OutputError::NotAFolder { .. })));
        assert!(matches!(result(Path::new(".."), true, ""), Err(OutputError::NoName { .. })));
        assert_eq!(fs::read_to_string(other.join("thesis.tex")).unwrap(), "mine");
    }

    #[test]
    fn something_that_appears_during_the_run_is_kept() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("one");
        let folder = OutputFolder::create(&target, false).unwrap();
        fs::create_dir(&target).unwrap();
        fs::write(target.join("notes.txt"), "mine").unwrap();
        assert!(matches!(folder.finish(), Err(OutputError::Occupied { .. })));
        assert_eq!(names(home.path()), ["one"]);
        assert_eq!(names(&target), ["notes.txt"]);
    }
}
