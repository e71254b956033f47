//! Which files and folders are polhode's to change and to remove.
//!
//! A folder that polhode writes in has a file `lock`, with a first line that nothing else writes
//! and the names of all that polhode has begun there. It is there before anything else, and goes
//! last: a kill at any moment leaves a folder that is known. What it does not list, and no manifest
//! lists, is somebody else's, and stays. While it writes, a run holds a lock on the file, which the
//! system takes away when the run ends, however that happens.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::error::OutputError;
use polhode_description::base::regular;

pub(super) const LOCK: &str = "lock";

/// `lock` begins so in a folder of polhode's.
pub const FIRST_LINE: &str =
    "# polhode writes in this folder what stands below, and holds a lock on this file meanwhile\n";

/// A folder in which this process writes; if the process ends, its unfinished files are removed.
pub(super) struct UnderWay {
    pub folder: PathBuf,
    /// It is a result, which stays.
    pub is_result: bool,
}

static UNDER_WAY: Mutex<Vec<UnderWay>> = Mutex::new(Vec::new());

pub(super) fn known() -> MutexGuard<'static, Vec<UnderWay>> {
    UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The lock on a folder, and what polhode has begun there.
pub(super) struct Marker {
    file: File,
    pub listed: BTreeSet<String>,
}

impl Marker {
    /// Takes a folder that [is ours](is_ours), or a result.
    ///
    /// # Errors
    /// Another run has it.
    pub fn take(folder: &Path) -> Result<Marker, OutputError> {
        let path = folder.join(LOCK);
        let io = || OutputError::io(&path);
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(&path).map_err(io())?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(OutputError::Busy { folder: folder.to_owned() }),
            // There are file systems without locks.
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(io()(error)),
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(io())?;
        if !text.starts_with(FIRST_LINE) {
            file.seek(SeekFrom::Start(0))
                .and_then(|_| file.write_all(FIRST_LINE.as_bytes()))
                .and_then(|()| file.sync_all())
                .map_err(io())?;
        } else if !text.ends_with('\n') {
            file.write_all(b"\n").map_err(io())?;
        }
        Ok(Marker { file, listed: names_in(&text) })
    }

    /// Lists what is to be written next.
    pub fn begin<'a>(&mut self, names: impl IntoIterator<Item = &'a str>) -> io::Result<()> {
        let new: Vec<&str> = names.into_iter().filter(|name| !self.listed.contains(*name)).collect();
        if new.is_empty() {
            return Ok(());
        }
        self.file.write_all((new.join("\n") + "\n").as_bytes())?;
        self.file.sync_data()?;
        self.listed.extend(new.into_iter().map(str::to_owned));
        Ok(())
    }
}

/// The names in a lock's text. The last line may have been cut off by a kill: what it names was not
/// begun.
fn names_in(text: &str) -> BTreeSet<String> {
    let names = text.strip_prefix(FIRST_LINE).unwrap_or_default().split_inclusive('\n');
    names
        .filter_map(|line| line.strip_suffix('\n'))
        .filter(|name| is_inside(name))
        .map(str::to_owned)
        .collect()
}

/// Whether a name, with `/`, is that of something in the folder that has it.
pub(super) fn is_inside(name: &str) -> bool {
    !name.is_empty() && Path::new(name).components().all(|part| matches!(part, Component::Normal(_)))
}

/// All that polhode has begun in a folder; `None`: polhode does not write there, nor has it left
/// anything.
pub(super) fn begun(folder: &Path) -> Option<BTreeSet<String>> {
    let lock = folder.join(LOCK);
    let is_file = fs::symlink_metadata(&lock).is_ok_and(|metadata| metadata.is_file());
    let text = is_file.then(|| regular::read(&lock).ok())??;
    let text = String::from_utf8(text).ok()?;
    (text.starts_with(FIRST_LINE) || FIRST_LINE.starts_with(&*text)).then(|| names_in(&text))
}

/// Whether a run holds the lock of a folder.
pub fn is_running(folder: &Path) -> bool {
    let lock = regular::open(&folder.join(LOCK));
    lock.is_ok_and(|lock| matches!(lock.try_lock(), Err(TryLockError::WouldBlock)))
}

/// Whether polhode writes in a folder, or has left it. Where a run holds its lock, some systems let
/// no one else read it.
pub(super) fn is_ours(folder: &Path) -> bool {
    let is_folder = fs::symlink_metadata(folder).is_ok_and(|metadata| metadata.is_dir());
    is_folder && (begun(folder).is_some() || is_running(folder))
}

/// The first file or folder in a folder that is none of those written there, nor what leads to
/// them.
pub(super) fn foreign(folder: &Path, written: &BTreeSet<String>) -> Result<Option<String>, OutputError> {
    let leads = |name: &str| {
        let inside = format!("{name}/");
        written.range(inside.clone()..).next().is_some_and(|next| next.starts_with(&inside))
    };
    let mut folders = vec![(folder.to_owned(), String::new())];
    while let Some((folder, prefix)) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(OutputError::io(&folder))? {
            let entry = entry.map_err(OutputError::io(&folder))?;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            let is_folder = entry.file_type().map_err(OutputError::io(&folder))?.is_dir();
            if written.contains(&name) {
            } else if is_folder && leads(&name) {
                folders.push((entry.path(), format!("{name}/")));
            } else {
                return Ok(Some(name));
            }
        }
    }
    Ok(None)
}

/// Removes something of a folder, and the folder that it alone was in.
pub(super) fn remove(folder: &Path, name: &str) -> Result<(), OutputError> {
    let path = folder.join(name);
    let removed = match path.symlink_metadata() {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(&path),
        Ok(_) => fs::remove_file(&path),
        Err(error) => Err(error),
    };
    removed.or_else(gone).map_err(OutputError::io(&path))?;
    if let Some(parent) = path.parent().filter(|parent| *parent != folder) {
        // It stays where there is something else in it.
        let _ = fs::remove_dir(parent);
    }
    Ok(())
}

/// Removes all that polhode has begun in a folder and that is none of `kept`.
pub(super) fn clear(folder: &Path, kept: impl Fn(&str) -> bool) -> Result<(), OutputError> {
    let begun = begun(folder).unwrap_or_default();
    begun.iter().filter(|name| !kept(name)).try_for_each(|name| remove(folder, name))
}

/// Removes a folder with all that polhode has begun in it; its lock last.
pub(super) fn remove_folder(folder: &Path) -> Result<(), OutputError> {
    clear(folder, |_| false)?;
    remove(folder, LOCK)?;
    fs::remove_dir(folder).or_else(gone).map_err(OutputError::io(folder))
}

/// It is no error that something is gone already.
pub(super) fn gone(error: io::Error) -> io::Result<()> {
    if error.kind() == ErrorKind::NotFound { Ok(()) } else { Err(error) }
}
