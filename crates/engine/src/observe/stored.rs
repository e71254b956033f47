//! State as bytes: the form in which what a run keeps waits between a shard and the merge. Every
//! value is a record in the form of [postcard](https://docs.rs/postcard), behind the number of its
//! bytes; doubles by their bits. The same state has the same bytes everywhere.

use std::hash::Hasher;
use std::io::{self, Read, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;
use twox_hash::XxHash3_64;

/// Writes records, and the checksum of all of them at the end.
pub struct StoreWriter<W> {
    to: W,
    checksum: Checksum,
}

impl<W: Write> StoreWriter<W> {
    pub fn new(to: W) -> Self {
        Self { to, checksum: Checksum::default() }
    }

    pub fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.checksum.add(bytes);
        self.to.write_all(bytes)
    }

    pub fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> io::Result<()> {
        let record = postcard::to_stdvec(value).map_err(io::Error::other)?;
        self.bytes(&(record.len() as u64).to_le_bytes())?;
        self.bytes(&record)
    }

    /// Writes the checksum, and gives back what was written to.
    pub fn finish(mut self) -> io::Result<W> {
        self.to.write_all(&self.checksum.value().to_le_bytes())?;
        self.to.flush()?;
        Ok(self.to)
    }
}

/// Reads what [`StoreWriter`] wrote.
pub struct StoreReader<R> {
    from: R,
}

impl<R: Read> StoreReader<R> {
    pub fn new(from: R) -> Self {
        Self { from }
    }

    pub fn bytes<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.from.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    pub fn u32(&mut self) -> io::Result<u32> {
        self.bytes().map(u32::from_le_bytes)
    }

    pub fn value<T: DeserializeOwned>(&mut self) -> io::Result<T> {
        let length = self.bytes().map(u64::from_le_bytes)?;
        // Without the capacity that is claimed: a wrong one must not take all memory.
        let mut record = Vec::new();
        self.from.by_ref().take(length).read_to_end(&mut record)?;
        if record.len() as u64 != length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        match postcard::take_from_bytes(&record) {
            Ok((value, [])) => Ok(value),
            Ok(_) => Err(wrong("a record is longer than its value")),
            Err(error) => Err(wrong(&format!("a record is none of its kind: {error}"))),
        }
    }
}

/// Returns the error for input that is not as [`StoreWriter`] writes it.
pub fn wrong(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// Whether the bytes up to the last eight have the checksum that these hold.
pub fn is_sound(mut from: impl Read, length: u64) -> io::Result<bool> {
    let Some(mut left) = length.checked_sub(8) else { return Ok(false) };
    let mut checksum = Checksum::default();
    let mut buffer = vec![0; 1 << 16];
    while left > 0 {
        let part = &mut buffer[..left.min(1 << 16) as usize];
        from.read_exact(part)?;
        checksum.add(part);
        left -= part.len() as u64;
    }
    Ok(StoreReader::new(from).bytes().map(u64::from_le_bytes)? == checksum.value())
}

/// xxh3 of 64 bits: tells what was damaged on the way, not what was forged.
#[derive(Clone, Default)]
pub struct Checksum(XxHash3_64);

impl Checksum {
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
    }

    pub fn value(&self) -> u64 {
        self.0.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_loaded_and_damage_is_seen() {
        let mut bytes = Vec::new();
        let mut store = StoreWriter::new(&mut bytes);
        store.value(&7u16).unwrap();
        store.value(&[f64::NEG_INFINITY, -0.0, 1e-310][..]).unwrap();
        store.value("µ").unwrap();
        store.finish().unwrap();
        let mut load = StoreReader::new(&bytes[..]);
        assert_eq!(load.value::<u16>().unwrap(), 7);
        let numbers: Vec<u64> = load.value::<Vec<f64>>().unwrap().into_iter().map(f64::to_bits).collect();
        assert_eq!(numbers, [f64::NEG_INFINITY, -0.0, 1e-310].map(f64::to_bits));
        assert_eq!(load.value::<String>().unwrap(), "µ");

        let sound = |bytes: &[u8]| is_sound(bytes, bytes.len() as u64).unwrap();
        assert!(sound(&bytes));
        for i in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[i] ^= 4;
            assert!(!sound(&damaged), "byte {i}");
            assert!(!sound(&bytes[..i]), "cut at {i}");
        }
    }
    #[test]
    fn claims_of_length_take_no_memory_and_what_is_too_long_is_refused() {
        let read = |bytes: &[u8]| StoreReader::new(bytes).value::<Vec<f64>>().map_err(|error| error.kind());
        let claim = u64::MAX.to_le_bytes();
        assert_eq!(read(&claim), Err(io::ErrorKind::UnexpectedEof));
        // A record of ten bytes whose list claims 2^63 numbers.
        let record = [&10u64.to_le_bytes()[..], &[0x80; 9], &[1]].concat();
        assert_eq!(read(&record), Err(io::ErrorKind::InvalidData));
        let longer = [&3u64.to_le_bytes()[..], &[0, 1, 2]].concat();
        assert_eq!(read(&longer), Err(io::ErrorKind::InvalidData));
    }
}
