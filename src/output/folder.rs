//! The output folder: all or nothing.
//!
//! Everything is written in a sibling folder `NAME.partial-PID`, which takes the name at the end. An error, a full
//! disk or a panic on the way removes it again, and an older result stays as it was. An older result is replaced only
//! on request, and only if every entry in it is one that polhode wrote.

use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::error::OutputError;
use super::manifest::{FileEntry, MANIFEST, Manifest};
use super::plots::Picture;

/// An output folder under way. Dropped before [`OutputFolder::finish`], it leaves nothing behind.
pub struct OutputFolder {
    target: PathBuf,
    partial: PathBuf,
    overwrite: bool,
    finished: bool,
}

impl OutputFolder {
    /// Checks that `target` may be written and begins beside it. With `overwrite`, a polhode result there is
    /// replaced when the new one is complete.
    pub fn create(target: &Path, overwrite: bool) -> Result<Self, OutputError> {
        check_target(target, overwrite)?;
        let parent = parent(target);
        fs::create_dir_all(parent).map_err(OutputError::io(parent))?;
        let partial = fresh_sibling(target, "partial")?;
        fs::create_dir(&partial).map_err(OutputError::io(&partial))?;
        Ok(Self { target: target.to_owned(), partial, overwrite, finished: false })
    }

    /// Where the folder will be.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Where to write a file now; `name` relative, with `/`.
    pub fn path(&self, name: &str) -> PathBuf {
        self.partial.join(name)
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

    /// The files written so far, sorted by name.
    pub fn files(&self) -> Result<Vec<FileEntry>, OutputError> {
        let mut files = Vec::new();
        let mut folders = vec![(self.partial.clone(), String::new())];
        while let Some((folder, prefix)) = folders.pop() {
            for entry in fs::read_dir(&folder).map_err(OutputError::io(&folder))? {
                let entry = entry.map_err(OutputError::io(&folder))?;
                let metadata = entry.metadata().map_err(OutputError::io(&folder))?;
                let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
                if metadata.is_dir() {
                    folders.push((entry.path(), format!("{name}/")));
                } else {
                    files.push(FileEntry { name, bytes: metadata.len() });
                }
            }
        }
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(files)
    }

    /// Gives the folder its name.
    pub fn finish(mut self) -> Result<PathBuf, OutputError> {
        // Again: something may have appeared there during the run.
        check_target(&self.target, self.overwrite)?;
        let io = || OutputError::io(&self.target);
        if !self.target.exists() {
            fs::rename(&self.partial, &self.target).map_err(io())?;
        } else {
            let old = fresh_sibling(&self.target, "old")?;
            fs::rename(&self.target, &old).map_err(io())?;
            if let Err(error) = fs::rename(&self.partial, &self.target) {
                fs::rename(&old, &self.target).map_err(io())?;
                return Err(io()(error));
            }
            fs::remove_dir_all(&old).map_err(OutputError::io(&old))?;
        }
        self.finished = true;
        Ok(self.target.clone())
    }
}

impl Drop for OutputFolder {
    fn drop(&mut self) {
        if !self.finished {
            // Best effort: there is already an error on its way to the user.
            let _ = fs::remove_dir_all(&self.partial);
        }
    }
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
    let manifest = Manifest::read(target)?;
    let top = |entry: &FileEntry| entry.name.split('/').next().map(OsString::from);
    let written: Vec<OsString> = manifest.files.iter().filter_map(top).chain([MANIFEST.into()]).collect();
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

/// `NAME.KIND-PID`, or with a number behind it where that is left over from an earlier run.
fn fresh_sibling(target: &Path, kind: &str) -> Result<PathBuf, OutputError> {
    let name = target.file_name().ok_or_else(|| OutputError::NoName { folder: target.to_owned() })?;
    let sibling = |suffix: String| {
        let mut name = name.to_owned();
        name.push(format!(".{kind}-{}{suffix}", std::process::id()));
        parent(target).join(name)
    };
    let mut path = sibling(String::new());
    let mut attempt = 1;
    while path.exists() {
        path = sibling(format!("-{attempt}"));
        attempt += 1;
    }
    Ok(path)
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
        assert!(matches!(result(&other, true, ""), Err(OutputError::Manifest { .. })));
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
