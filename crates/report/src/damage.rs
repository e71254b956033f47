//! Whether the files of a result are those that were written: `manifest.json` has the checksum of
//! every file, and its last key that of all that stands before it.

use std::io::{self, ErrorKind, Read};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::error::OutputError;
use polhode_description::base::regular;
use polhode_description::base::text::shell_word;
use polhode_engine::observe::stored::Checksum;

/// Bytes that are read at a time.
const BLOCK: usize = 1 << 20;
/// The manifest ends with this, 16 digits, and [`END`].
const SEAL: &str = ",\n  \"checksum\": \"";
const END: &str = "\"\n}\n";
/// The key of a file's checksum in the manifest's text.
const OF_FILES: &[u8] = b"\"xxh3\": ";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// Relative to the output folder, with `/`.
    pub name: String,
    pub bytes: u64,
    /// Checksum of its content: xxh3 of 64 bits, in hexadecimal digits. None: a polhode before
    /// checksums wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub xxh3: Option<String>,
}

/// xxh3 of 64 bits, as 16 hexadecimal digits.
pub(super) fn checksum(content: &[u8]) -> String {
    let mut checksum = Checksum::default();
    checksum.add(content);
    digits(&checksum)
}

/// That of a file, which is read in blocks.
pub(super) fn checksum_of(file: &Path) -> io::Result<String> {
    let mut open = regular::open(file)?;
    let (mut checksum, mut block) = (Checksum::default(), vec![0; BLOCK]);
    loop {
        match open.read(&mut block) {
            Ok(0) => return Ok(digits(&checksum)),
            Ok(read) => checksum.add(&block[..read]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

pub(super) fn digits(checksum: &Checksum) -> String {
    format!("{:016x}", checksum.value())
}

/// The text of an object in JSON with its checksum as the last key.
pub(super) fn sealed(text: &str) -> String {
    let body = text.strip_suffix("\n}\n").unwrap_or(text);
    format!("{body}{SEAL}{}{END}", checksum(body.as_bytes()))
}

/// Whether a manifest's text is not what [`sealed`] made of it. One of a polhode before checksums
/// is not known to be.
pub(super) fn is_damaged(text: &[u8]) -> bool {
    match seal_of(text) {
        Some((body, seal)) => seal != checksum(body).as_bytes(),
        // Where files have checksums, the manifest had one itself.
        None => text.windows(OF_FILES.len()).any(|window| window == OF_FILES),
    }
}

/// The text before the checksum, and the checksum.
fn seal_of(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let (body, rest) = text.split_at_checked(text.len().checked_sub(SEAL.len() + 16 + END.len())?)?;
    Some((body, rest.strip_prefix(SEAL.as_bytes())?.strip_suffix(END.as_bytes())?))
}

pub(super) fn check_file(file: &Path, entry: &FileEntry) -> Result<(), OutputError> {
    let damaged = |mut why: String| {
        // A plot that was killed while it replaced pictures leaves them so, and damage of a picture
        // costs nothing else.
        if let Some((folder, _)) = file.to_str().and_then(|file| file.rsplit_once("plots/")) {
            why += &format!("; draw it again: polhode plot {}", shell_word(folder.trim_end_matches('/')));
        }
        OutputError::Damaged { file: file.to_owned(), why }
    };
    let bytes = match file.metadata() {
        Ok(metadata) if metadata.is_file() => metadata.len(),
        Ok(_) => return Err(damaged("it is no regular file".to_string())),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err(OutputError::Lost { file: file.to_owned() });
        }
        Err(error) => return Err(OutputError::io(file)(error)),
    };
    if bytes != entry.bytes {
        return Err(damaged(format!("it has {bytes} bytes, and had {} when it was written", entry.bytes)));
    }
    let Some(written) = &entry.xxh3 else { return Ok(()) };
    // A file that a broken disk does not give back is damaged too.
    match checksum_of(file) {
        Ok(found) if found == *written => Ok(()),
        Ok(_) => Err(damaged("its checksum is not the one it had when it was written".to_string())),
        Err(error) => Err(damaged(error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::{MANIFEST, Manifest};

    #[test]
    fn every_bit_of_a_manifest_counts() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join(MANIFEST);
        let entry = FileEntry { name: "a".into(), bytes: 1, xxh3: Some(checksum(b"a")) };
        let manifest = Manifest { files: vec![entry], ..Manifest::default() };
        let text = manifest.to_json();
        let read = |bytes: &[u8]| {
            std::fs::write(&file, bytes).unwrap();
            Manifest::read(home.path())
        };
        assert_eq!(read(text.as_bytes()).unwrap(), manifest);
        for bit in 0..8 * text.len() {
            let mut flipped = text.clone().into_bytes();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(matches!(read(&flipped), Err(OutputError::Damaged { .. })), "bit {bit}");
        }
    }

    #[test]
    fn a_manifest_before_checksums_is_read() {
        let home = tempfile::tempdir().unwrap();
        let entry = FileEntry { name: "a".into(), bytes: 1, xxh3: None };
        let manifest = Manifest { files: vec![entry], ..Manifest::default() };
        let text = serde_json::to_string_pretty(&manifest).unwrap();
        assert!(!text.contains("xxh3"));
        std::fs::write(home.path().join(MANIFEST), text).unwrap();
        assert_eq!(Manifest::read(home.path()).unwrap(), manifest);
        std::fs::write(home.path().join("a"), "b").unwrap();
        manifest.check_all(home.path()).unwrap();
        std::fs::write(home.path().join("a"), "bb").unwrap();
        assert!(matches!(manifest.check_all(home.path()), Err(OutputError::Damaged { .. })));
    }
}
