//! The output folder: all or nothing.
//!
//! Everything is written in a sibling folder `NAME.unfinished`, whose files are synced to the disk
//! before it takes the name. An error, a full disk or a panic on the way removes it again, unless
//! there is a [checkpoint](OutputFolder::keep) in it from which the run can go on; an older result
//! stays as it was. An older result is replaced only on request, and only if every entry in it is
//! one that polhode wrote. It goes into the new folder, as `replaced`, just before that takes the
//! name, and is removed then: whatever polhode removes lies in a folder that
//! [says so](super::ours), and where a run was killed in between, the next one goes on with it.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use rayon::prelude::*;

use super::damage::{FileEntry, check_file, checksum_of};
use super::error::OutputError;
use super::manifest::{MANIFEST, Manifest};
use super::new_file::{NewFile, Shared};
use super::ours::{
    LOCK, Marker, UnderWay, begun, clear, foreign, is_ours, is_running, known, remove, remove_folder,
};
use super::picture::{Picture, files};

/// From here a run goes on.
pub const CHECKPOINT: &str = "checkpoint.state";

/// The older result in the new one.
const REPLACED: &str = "replaced";

/// Removes all unfinished folders without a checkpoint, for a process that ends at once.
pub fn abandon() {
    let mut folders = known();
    for UnderWay { folder, is_result } in folders.drain(..) {
        // Best effort: the process ends, and cannot report an error.
        let _ = if is_result { clear_up(&folder) } else { remove_folder(&folder) };
    }
    // A thread that would begin a file waits for the end of the process.
    std::mem::forget(folders);
}

/// An output folder under way. Dropped before [`OutputFolder::finish`], it leaves nothing behind,
/// or what a run can go on from.
pub struct OutputFolder {
    target: PathBuf,
    /// The target itself, where a result gets further files.
    under_way: PathBuf,
    overwrite: bool,
    finished: bool,
    /// There is a checkpoint in it.
    kept: bool,
    register: Shared,
}

impl OutputFolder {
    /// Checks that `target` may be written and begins beside it. With `overwrite`, a polhode result
    /// there is replaced when the new one is complete. What a dead run has left of this folder is
    /// cleared away.
    ///
    /// # Errors
    /// The target is something else, or another run is writing it.
    pub fn create(target: &Path, overwrite: bool) -> Result<Self, OutputError> {
        let mut folder = Self::open(target, overwrite)?;
        clear(&folder.under_way, |_| false)?;
        if std::mem::take(&mut folder.kept) {
            known().push(UnderWay { folder: folder.under_way.clone(), is_result: false });
        }
        Ok(folder)
    }

    /// Goes on with what [`unfinished`] has found of this folder, with its files of these names and
    /// no others.
    ///
    /// # Errors
    /// As [`create`](Self::create).
    pub fn resume(
        target: &Path,
        overwrite: bool,
        unfinished: &Path,
        files: &[&str],
    ) -> Result<Self, OutputError> {
        let place = &resolved(target)?;
        if unfinished == target {
            let under_way = sibling(place, "unfinished")?;
            let mut written = check_target(place, true)?;
            written.remove(LOCK);
            let mut marker = Marker::take(place)?;
            marker.begin(written.iter().map(String::as_str)).map_err(OutputError::io(place))?;
            drop(marker);
            fs::rename(place, &under_way).map_err(OutputError::io(place))?;
        }
        let folder = Self::open(place, overwrite)?;
        clear(&folder.under_way, |name| name == CHECKPOINT || files.contains(&name))?;
        let checkpoint = folder.path(CHECKPOINT);
        let io = || OutputError::io(&checkpoint);
        let bytes = checkpoint.metadata().map_err(io())?.len();
        let xxh3 = Some(checksum_of(&checkpoint).map_err(io())?);
        let entry = FileEntry { name: CHECKPOINT.to_owned(), bytes, xxh3 };
        folder.register.get().written.insert(CHECKPOINT.to_owned(), entry);
        Ok(folder)
    }

    /// Takes the folder under way for this run, as it is.
    fn open(target: &Path, overwrite: bool) -> Result<Self, OutputError> {
        let target = resolved(target)?;
        recover(&target)?;
        let parent = parent(&target);
        let under_way = sibling(&target, "unfinished")?;
        if fs::symlink_metadata(&under_way).is_err() {
            check_target(&target, overwrite)?;
            fs::create_dir_all(parent).map_err(OutputError::io(parent))?;
        } else if !is_ours(&under_way) && !is_empty(&under_way) {
            return Err(OutputError::NotUnfinished { folder: under_way });
        }
        // A signal that comes here waits until the folder is known: it would stay otherwise.
        let mut known = known();
        let created = fs::create_dir(&under_way);
        created.or_else(exists).map_err(OutputError::io(&under_way))?;
        if is_running(&under_way) {
            return Err(OutputError::Busy { folder: under_way });
        }
        let mut ours = begun(&under_way).unwrap_or_default();
        ours.insert(LOCK.to_owned());
        if let Some(entry) = foreign(&under_way, &ours)? {
            return Err(OutputError::Foreign { folder: under_way, entry });
        }
        let marker = Marker::take(&under_way)?;
        let kept = under_way.join(CHECKPOINT).exists();
        if !kept {
            known.push(UnderWay { folder: under_way.clone(), is_result: false });
        }
        drop(known);
        let folder =
            Self { target, under_way, overwrite, finished: false, kept, register: Shared::of(marker) };
        check_target(&folder.target, overwrite)?;
        Ok(folder)
    }

    /// A result that gets further files, or others in their place: each under a name of its own,
    /// whose place it [takes](Self::take_name).
    ///
    /// # Errors
    /// Another process writes in it, or the system refuses.
    pub fn amend(result: &Path) -> Result<Self, OutputError> {
        let target = resolved(result)?;
        recover(&target)?;
        if target.join(LOCK).exists() && !is_ours(&target) {
            return Err(OutputError::Foreign { folder: target, entry: LOCK.to_owned() });
        }
        let mut known = known();
        let register = Shared::of(Marker::take(&target)?);
        known.push(UnderWay { folder: target.clone(), is_result: true });
        drop(known);
        let under_way = target.clone();
        Ok(Self { target, under_way, overwrite: false, finished: false, kept: false, register })
    }

    /// All instances are in: the result will have no checkpoint. It stays until the result has its
    /// name, since what follows may fail.
    pub fn complete(&mut self) {
        self.register.get().written.remove(CHECKPOINT);
    }

    /// There is a checkpoint in the folder now: it stays whatever happens.
    pub fn keep(&mut self) {
        self.kept = true;
        known().retain(|one| one.folder != self.under_way);
    }

    /// Where the folder will be.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// A file of the folder; `name` relative, with `/`.
    pub fn path(&self, name: &str) -> NewFile {
        NewFile::of(&self.under_way, name, &self.register)
    }

    /// Writes a whole file, making its folder.
    pub fn write(&self, name: &str, content: &[u8]) -> Result<(), OutputError> {
        let file = self.path(name);
        let mut to = file.create()?;
        to.write_all(content).map_err(OutputError::io(&file))?;
        to.seal();
        Ok(())
    }

    /// Gives a file that was written another name, in place of what has it.
    ///
    /// # Errors
    /// The system refuses.
    pub fn take_name(&self, from: &str, to: &str) -> Result<(), OutputError> {
        let file = self.path(to);
        self.begin([to])?;
        fs::rename(&*self.path(from), &*file).map_err(OutputError::io(&file))?;
        let mut register = self.register.get();
        if let Some(entry) = register.written.remove(from) {
            register.written.insert(to.to_owned(), FileEntry { name: to.to_owned(), ..entry });
        }
        Ok(())
    }

    /// Removes a file that is of no more use.
    pub fn discard(&self, name: &str) {
        self.register.get().written.remove(name);
        // Best effort: it does not become a part of the result.
        let _ = fs::remove_file(&*self.path(name));
    }

    /// Lists files that are to be written.
    pub fn begin<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Result<(), OutputError> {
        let mut register = self.register.get();
        let begun = register.marker.as_mut().map_or(Ok(()), |marker| marker.begin(names));
        begun.map_err(OutputError::io(&self.under_way))
    }

    /// Writes pictures under their names, as SVG and PNG, or none where interrupted.
    pub fn write_pictures(&self, pictures: &[Picture], interrupted: &AtomicBool) -> Result<(), OutputError> {
        let Some(files) = files(pictures, None, self.target(), interrupted)? else { return Ok(()) };
        self.begin(files.iter().map(|(name, _)| &**name))?;
        files.iter().try_for_each(|(name, content)| self.write(name, content))
    }

    /// Writes the manifest, last of all, with the list of what was written before.
    pub fn write_manifest(&self, manifest: &mut Manifest) -> Result<(), OutputError> {
        manifest.files = self.files()?;
        self.write(MANIFEST, manifest.to_json().as_bytes())
    }

    /// The files written so far, sorted by name, with their checksums.
    ///
    /// # Errors
    /// One is not what was written.
    pub fn files(&self) -> Result<Vec<FileEntry>, OutputError> {
        let files: Vec<FileEntry> = self.register.get().written.values().cloned().collect();
        files.par_iter().try_for_each(|entry| {
            let file = self.under_way.join(&entry.name);
            check_file(&file, entry).map_err(|_| OutputError::Disturbed { file })
        })?;
        Ok(files)
    }

    /// Gives the folder its name. All of it is on the disk before.
    pub fn finish(mut self) -> Result<PathBuf, OutputError> {
        // Again: something may have appeared there during the run.
        check_target(&self.target, self.overwrite)?;
        self.sync()?;
        let io = || OutputError::io(&self.target);
        let old = self.under_way.join(REPLACED);
        let replaces = fs::symlink_metadata(&self.target).is_ok();
        if replaces {
            self.begin([REPLACED])?;
        }
        if cfg!(windows) {
            // No folder with an open file is renamed there.
            self.register.get().marker = None;
        }
        // A signal that comes here waits until the folder has its name.
        let mut known = known();
        if replaces {
            fs::rename(&self.target, &old).map_err(io())?;
        }
        known.retain(|one| one.folder != self.under_way);
        let kept = std::mem::replace(&mut self.kept, true);
        if let Err(error) = fs::rename(&self.under_way, &self.target) {
            if replaces {
                fs::rename(&old, &self.target).map_err(io())?;
            }
            self.kept = kept;
            return Err(io()(error));
        }
        drop(known);
        self.finished = true;
        clear_up(&self.target)?;
        sync_folder(parent(&self.target))?;
        Ok(self.target.clone())
    }

    /// Syncs every file and every folder to the disk.
    pub fn sync(&self) -> Result<(), OutputError> {
        let files: Vec<PathBuf> =
            self.register.get().written.keys().map(|name| self.under_way.join(name)).collect();
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
        known().retain(|one| one.folder != self.under_way);
        if cfg!(windows) {
            // No open file is removed there.
            self.register.get().marker = None;
        }
        // Best effort: there is already an error on its way to the user.
        if self.under_way == self.target {
            let _ = clear_up(&self.target);
        } else if !self.finished && !self.kept {
            let _ = remove_folder(&self.under_way);
        }
    }
}

/// The folder with a checkpoint of the run that was to write `target`: of one that was killed,
/// beside it; of one that was interrupted, the folder itself. `None`: there is nothing to go on
/// from.
pub fn unfinished(target: &Path) -> Option<PathBuf> {
    let beside = sibling(target, "unfinished").ok()?;
    [beside, target.to_owned()].into_iter().find(|folder| folder.join(CHECKPOINT).is_file())
}

/// The folder with a checkpoint beside `target`: its run was killed, or has failed.
pub fn left_beside(target: &Path) -> Option<PathBuf> {
    unfinished(target).filter(|folder| folder != target)
}

/// Whether a folder is one that a run has left, or is writing, beside its result: no one's result
/// yet.
pub fn is_unfinished(folder: &Path) -> bool {
    let beside =
        folder.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.ends_with(".unfinished"));
    // A kill between the folder and its first file leaves it empty.
    beside && (is_ours(folder) || is_empty(folder))
}

/// Goes on with what a run that was killed had begun to do with its whole result: gives it its
/// name, and removes from it what only the run needed.
///
/// # Errors
/// The system refuses.
pub fn recover(target: &Path) -> Result<(), OutputError> {
    let beside = sibling(target, "unfinished")?;
    let waits = begun(&beside).is_some_and(|names| names.contains(REPLACED))
        && beside.join(REPLACED).exists()
        && fs::symlink_metadata(target).is_err();
    if waits && !is_running(&beside) {
        fs::rename(&beside, target).map_err(OutputError::io(target))?;
    }
    if target.join(MANIFEST).exists() && !is_running(target) { clear_up(target) } else { Ok(()) }
}

/// Removes from a result what its run needed under way: all that its manifest does not list, and
/// the lock.
pub(super) fn clear_up(result: &Path) -> Result<(), OutputError> {
    if begun(result).is_none() {
        return Ok(());
    }
    // A damaged result loses nothing.
    let Ok(Manifest { files, .. }) = Manifest::read(result) else { return Ok(()) };
    let written: BTreeSet<&str> = files.iter().map(|entry| &*entry.name).chain([MANIFEST]).collect();
    clear(result, |name| written.contains(name))?;
    remove(result, LOCK)
}

/// Syncs a folder's list of files to the disk, where the system can.
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

fn is_empty(folder: &Path) -> bool {
    let is_folder = fs::symlink_metadata(folder).is_ok_and(|metadata| metadata.is_dir());
    is_folder && fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}

/// Accepts a missing or an empty folder, or with `overwrite` a polhode result with nothing else in
/// it; returns the files that polhode wrote there.
fn check_target(target: &Path, overwrite: bool) -> Result<BTreeSet<String>, OutputError> {
    let folder = target.to_owned();
    let mut entries = match fs::read_dir(target) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(BTreeSet::new()),
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            return Err(OutputError::NotAFolder { folder });
        }
        Err(error) => return Err(OutputError::io(target)(error)),
    };
    if entries.next().is_none() {
        return Ok(BTreeSet::new());
    }
    if !overwrite {
        return Err(OutputError::Occupied { folder });
    }
    if !target.join(MANIFEST).exists() {
        return Err(OutputError::NotAResult { folder });
    }
    // A result that is replaced need not be sound: its list of files tells whose they are. A name
    // that the damage has changed is that of another file.
    let manifest = match Manifest::read(target) {
        Err(OutputError::Damaged { .. } | OutputError::Manifest { .. }) => {
            Manifest::read_damaged(target).ok_or(OutputError::UnknownOwner { folder: folder.clone() })?
        }
        read => read?,
    };
    let mut written: BTreeSet<String> = manifest.files.into_iter().map(|entry| entry.name).collect();
    written.insert(MANIFEST.to_owned());
    if let Some(begun) = begun(target) {
        written.extend(begun);
        written.insert(LOCK.to_owned());
    }
    match foreign(target, &written)? {
        Some(entry) => Err(OutputError::Foreign { folder, entry }),
        None => Ok(written),
    }
}

fn parent(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// Where a folder lies to which a link may lead: a link is never renamed, nor what is beside it.
fn resolved(target: &Path) -> Result<PathBuf, OutputError> {
    let name = target.file_name().ok_or_else(|| OutputError::NoName { folder: target.to_owned() })?;
    let place = parent(target).join(name);
    match place.is_symlink() {
        true => place.canonicalize().map_err(OutputError::io(target)),
        false => Ok(target.to_owned()),
    }
}

/// `NAME.KIND`
fn sibling(target: &Path, kind: &str) -> Result<PathBuf, OutputError> {
    let target = resolved(target)?;
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{kind}"));
    Ok(parent(&target).join(name))
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
