//! Files that are opened for reading: regular ones alone. A device, a pipe or a file of the
//! system's that waits would never end.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Opens a regular file, or what a link to one leads to.
///
/// # Errors
/// It is something else, or cannot be opened.
pub fn open(file: &Path) -> io::Result<File> {
    match file.metadata()?.is_file() {
        true => File::open(file),
        false => Err(io::Error::new(ErrorKind::InvalidInput, "is no regular file")),
    }
}

/// All of a regular file. What the system shows as files (`/proc`) has no length, and may wait for
/// ever: nothing of it is read.
///
/// # Errors
/// As [`open`].
pub fn read(file: &Path) -> io::Result<Vec<u8>> {
    let open = open(file)?;
    let mut content = Vec::new();
    open.take(file.metadata()?.len()).read_to_end(&mut content)?;
    Ok(content)
}

/// As [`read`], of text.
///
/// # Errors
/// As [`open`]; it is not UTF-8.
pub fn read_text(file: &Path) -> io::Result<String> {
    String::from_utf8(read(file)?).map_err(|_| io::Error::new(ErrorKind::InvalidData, "is not UTF-8 text"))
}
