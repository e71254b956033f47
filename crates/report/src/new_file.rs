//! Files of a folder under way: what was written into each is known by its length and checksum, so
//! that a result lists what was written, and not what is found.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::damage::{FileEntry, digits};
use super::error::OutputError;
use super::ours::{Marker, known};
use polhode_engine::observe::stored::Checksum;

/// All that is known of a folder under way.
#[derive(Default)]
pub(super) struct Register {
    /// None: it has its name.
    pub marker: Option<Marker>,
    /// Files that are whole, by name.
    pub written: BTreeMap<String, FileEntry>,
}

/// A register that threads share.
#[derive(Clone, Default)]
pub(super) struct Shared(Arc<Mutex<Register>>);

impl Shared {
    pub fn of(marker: Marker) -> Shared {
        Shared(Arc::new(Mutex::new(Register { marker: Some(marker), written: BTreeMap::new() })))
    }

    pub fn get(&self) -> MutexGuard<'_, Register> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A file that is to be written, in a folder under way or anywhere.
#[derive(Clone)]
pub struct NewFile {
    path: PathBuf,
    name: String,
    register: Option<Shared>,
}

impl NewFile {
    /// A file by itself.
    pub fn alone(path: impl Into<PathBuf>) -> NewFile {
        NewFile { path: path.into(), name: String::new(), register: None }
    }

    /// A file of a folder under way.
    pub(super) fn of(folder: &Path, name: &str, register: &Shared) -> NewFile {
        NewFile { path: folder.join(name), name: name.to_owned(), register: Some(register.clone()) }
    }

    /// Begins the file, in its folder.
    ///
    /// # Errors
    /// The system refuses.
    pub fn create(&self) -> Result<FileWriter, OutputError> {
        self.open(OpenOptions::new().write(true).create(true).truncate(true), 0)
    }

    /// Goes on with a file that was given up, of which so many bytes are right: they are written
    /// again, and passed over.
    ///
    /// # Errors
    /// The file is not there, or the system refuses.
    pub(super) fn take_up(&self, there: u64) -> Result<FileWriter, OutputError> {
        let writer = self.open(OpenOptions::new().write(true), there)?;
        let mut file = &writer.file;
        let begun = file.set_len(there).and_then(|()| file.seek(SeekFrom::Start(there)));
        begun.map_err(OutputError::io(self))?;
        Ok(writer)
    }

    fn open(&self, options: &OpenOptions, there: u64) -> Result<FileWriter, OutputError> {
        // A process that ends at once waits for files that are begun, and no file is begun once it
        // removes them.
        let _known = self.register.as_ref().map(|_| known());
        if let Some(register) = &self.register {
            let mut register = register.get();
            let begun = register.marker.as_mut().map_or(Ok(()), |marker| marker.begin([&*self.name]));
            begun.map_err(OutputError::io(self))?;
            // A folder that was taken away is not made again: what was in it is lost.
            if self.name.contains('/')
                && let Some(folder) = self.path.parent()
                && let Err(error) = fs::create_dir(folder)
                && error.kind() != io::ErrorKind::AlreadyExists
            {
                return Err(OutputError::io(folder)(error));
            }
        }
        let file = options.open(&self.path).map_err(OutputError::io(self))?;
        Ok(FileWriter { of: self.clone(), file, there, written: 0, checksum: Checksum::default() })
    }
}

impl Deref for NewFile {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

/// A file under way.
pub struct FileWriter {
    of: NewFile,
    file: File,
    /// Bytes still to be passed over: they are in the file.
    pub(super) there: u64,
    pub(super) written: u64,
    /// It counts all bytes, those that are passed over as well.
    checksum: Checksum,
}

impl FileWriter {
    /// It counts all that was written.
    pub fn checksum(&self) -> u64 {
        self.checksum.value()
    }

    /// Has all of it on the disk.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// The file is whole.
    pub fn seal(&self) {
        if let Some(register) = &self.of.register {
            let name = self.of.name.clone();
            let entry = FileEntry { name, bytes: self.written, xxh3: Some(digits(&self.checksum)) };
            register.get().written.insert(entry.name.clone(), entry);
        }
    }
}

impl Write for FileWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = match self.there.min(bytes.len() as u64) as usize {
            0 => self.file.write(bytes)?,
            there => there,
        };
        self.there = self.there.saturating_sub(n as u64);
        self.written += n as u64;
        self.checksum.add(&bytes[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
