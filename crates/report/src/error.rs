//! Errors while results are written: they always name the file or folder.

use std::io;
use std::path::{Path, PathBuf};

use parquet::errors::ParquetError;

/// An error while results are written or read back.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// The system refused: disk full, no permission, ...
    #[error("{}: {source}", file.display())]
    Io { file: PathBuf, source: io::Error },
    /// A table could not be encoded.
    #[error("{}: {message}", file.display())]
    Table { file: PathBuf, message: String },
    /// A plot could not be drawn.
    #[error("{}: the plot could not be drawn: {message}", file.display())]
    Plot { file: PathBuf, message: String },
    /// The manifest is none that polhode wrote.
    #[error("{}: not a manifest that polhode wrote: {message}", file.display())]
    Manifest { file: PathBuf, message: String },
    /// The folder of a result is none, or is not there.
    #[error("{}: is no result of polhode (no manifest.json); give the output folder of a \
             run", folder.display())]
    NoResult { folder: PathBuf },
    /// A file of a result is not what was written.
    #[error("{}: is damaged: {why}; copy it again from where it was whole, or run the study \
             again", file.display())]
    Damaged { file: PathBuf, why: String },
    /// A file of a result is not there.
    #[error("{}: is missing; copy it again from where it is, or run the study again", file.display())]
    Lost { file: PathBuf },
    /// A file of the folder under way is not what was written into it.
    #[error("{}: was changed or removed by something else while polhode wrote it; run it again, and leave \
             the folder alone", file.display())]
    Disturbed { file: PathBuf },
    /// The path has no last part that could name a folder.
    #[error("{}: not a name for an output folder", folder.display())]
    NoName { folder: PathBuf },
    /// A file is where the folder is to be.
    #[error("{}: exists and is not a folder", folder.display())]
    NotAFolder { folder: PathBuf },
    /// The folder has something in it, and nothing says to replace it.
    #[error("{}: the output folder exists and is not empty; choose another with --out, or replace it with \
             --overwrite", folder.display())]
    Occupied { folder: PathBuf },
    /// Another process writes the folder.
    #[error("{}: another run of polhode is writing here; wait for it, or choose another \
             --out", folder.display())]
    Busy { folder: PathBuf },
    /// A folder is where an unfinished result is to be.
    #[error("{}: stands where the result is put together, and is none that polhode left; move it, or choose \
             another --out", folder.display())]
    NotUnfinished { folder: PathBuf },
    /// The folder to be replaced has no manifest of polhode.
    #[error("{}: will not be overwritten: it is not a polhode result (no manifest.json)", folder.display())]
    NotAResult { folder: PathBuf },
    /// The folder to be replaced has a manifest that cannot be read any more.
    #[error("{}: will not be overwritten: its manifest.json is damaged, or none of polhode's, and does not \
             tell which files polhode wrote; remove the folder yourself, or choose another \
             --out", folder.display())]
    UnknownOwner { folder: PathBuf },
    /// The folder to be replaced holds an `entry` that polhode did not write.
    #[error("{}: will not be overwritten: it holds {entry}, which polhode did not write", folder.display())]
    Foreign { folder: PathBuf, entry: String },
}

/// Whether the system would refuse the same again, whatever is done elsewhere.
pub fn is_refused(kind: io::ErrorKind) -> bool {
    use io::ErrorKind::{
        InvalidFilename, InvalidInput, IsADirectory, NotADirectory, PermissionDenied, ReadOnlyFilesystem,
    };
    let refused =
        [InvalidFilename, InvalidInput, IsADirectory, NotADirectory, PermissionDenied, ReadOnlyFilesystem];
    refused.contains(&kind)
}

impl OutputError {
    /// Whether the output folder, or a file of a result, was refused: the same again would be, too.
    pub fn is_refusal(&self) -> bool {
        match self {
            OutputError::NoName { .. }
            | OutputError::NotUnfinished { .. }
            | OutputError::Damaged { .. }
            | OutputError::Lost { .. }
            | OutputError::NoResult { .. }
            | OutputError::NotAFolder { .. }
            | OutputError::Occupied { .. }
            | OutputError::NotAResult { .. }
            | OutputError::UnknownOwner { .. }
            | OutputError::Foreign { .. } => true,
            OutputError::Manifest { .. } => true,
            OutputError::Io { source, .. } => is_refused(source.kind()),
            // Whatever writes there now will have ended when the command is given again.
            OutputError::Busy { .. }
            | OutputError::Table { .. }
            | OutputError::Plot { .. }
            | OutputError::Disturbed { .. } => false,
        }
    }

    /// For `map_err`: an I/O error with its file.
    #[doc(hidden)]
    pub fn io(file: &Path) -> impl FnOnce(io::Error) -> OutputError + '_ {
        move |source| OutputError::Io { file: file.to_owned(), source }
    }

    /// For `map_err`: an error of the Parquet writer, unwrapped to the I/O error it often is.
    #[doc(hidden)]
    pub fn parquet(file: &Path) -> impl FnOnce(ParquetError) -> OutputError + '_ {
        move |error| {
            let file = file.to_owned();
            match error {
                ParquetError::External(inner) => match inner.downcast::<io::Error>() {
                    Ok(source) => OutputError::Io { file, source: *source },
                    Err(inner) => OutputError::Table { file, message: inner.to_string() },
                },
                other => OutputError::Table { file, message: other.to_string() },
            }
        }
    }
}
