//! Files that a user names: looked at before they are opened, so that nothing that is no file, or
//! is too long, is ever read.

use std::fmt;
use std::fs::{File, FileType};
use std::io::{self, ErrorKind};
use std::path::Path;

use polhode_description::base::{grouped, regular};

/// The file in the folder of a run that has the samples which were given in memory.
pub const GIVEN_SAMPLES: &str = "samples.parquet";

/// Longest file of a kind (bytes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Longest(pub u64);

impl Longest {
    /// The limit of studies and mechanisms: a mechanism of a thousand bodies has 1 MiB. A reader
    /// keeps a text twice, once to show faults in it.
    pub const TEXT: Longest = Longest(64 << 20);
    /// The limit of a study that polhode has resolved: it has its modal data in it.
    pub const RESOLVED: Longest = Longest(256 << 20);
    /// The limit of modal data: all of it is kept in memory.
    pub const MODAL: Longest = Longest(1 << 30);
    /// The limit of tables of samples: 10^8 instances of ten numbers.
    pub const TABLE: Longest = Longest(8 << 30);
}

/// Why a file is not read.
#[derive(Debug)]
pub enum Refused {
    Io(ErrorKind),
    /// It is something else.
    NoFile(&'static str),
    TooLong {
        bytes: u64,
        longest: Longest,
    },
}

impl fmt::Display for Refused {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Io(ErrorKind::NotFound) => write!(out, "there is no such file"),
            Refused::Io(kind) => write!(out, "cannot be read: {kind}"),
            Refused::NoFile(what) => write!(out, "is {what}, and no file"),
            Refused::TooLong { bytes, longest: Longest(longest) } => write!(
                out,
                "has {} bytes; a file of this kind has {} ({} MiB) at most",
                grouped(*bytes),
                grouped(*longest),
                grouped(longest >> 20)
            ),
        }
    }
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Refused {
        Refused::Io(error.kind())
    }
}

/// Opens a file. A pipe is not even opened: that would wait for somebody to write into it.
pub fn open(path: &Path, longest: Longest) -> Result<File, Refused> {
    let metadata = path.metadata()?;
    if !metadata.is_file() {
        return Err(Refused::NoFile(kind(metadata.file_type())));
    }
    if metadata.len() > longest.0 {
        return Err(Refused::TooLong { bytes: metadata.len(), longest });
    }
    Ok(File::open(path)?)
}

/// All that is in a file.
pub fn read(path: &Path, longest: Longest) -> Result<Vec<u8>, Refused> {
    open(path, longest)?;
    Ok(regular::read(path)?)
}

fn kind(found: FileType) -> &'static str {
    if found.is_dir() {
        return "a folder";
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if found.is_fifo() {
            return "a pipe";
        }
        if found.is_char_device() || found.is_block_device() {
            return "a device";
        }
        if found.is_socket() {
            return "a socket";
        }
    }
    "something else"
}
