//! Numbers as bytes: the form in which statistics wait between a shard and the merge. Little endian, of fixed
//! width, so that the same state has the same bytes everywhere; doubles by their bits.

use std::hash::Hasher;
use std::io::{self, Read, Write};

use twox_hash::XxHash3_64;

/// Longest text (bytes): a length beyond it is no length.
const LONGEST_TEXT: u64 = 1 << 30;

/// Writes numbers, and the checksum of all of them at the end.
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

    pub fn u64(&mut self, x: u64) -> io::Result<()> {
        self.bytes(&x.to_le_bytes())
    }

    pub fn u32(&mut self, x: u32) -> io::Result<()> {
        self.bytes(&x.to_le_bytes())
    }

    pub fn u16(&mut self, x: u16) -> io::Result<()> {
        self.bytes(&x.to_le_bytes())
    }

    pub fn f64(&mut self, x: f64) -> io::Result<()> {
        self.u64(x.to_bits())
    }

    /// Whether there is a number, and the number.
    pub fn optional(&mut self, x: Option<u64>) -> io::Result<()> {
        self.u16(u16::from(x.is_some()))?;
        self.u64(x.unwrap_or(0))
    }

    /// Writes the number of values, then all of them.
    pub fn f64s(&mut self, xs: &[f64]) -> io::Result<()> {
        self.u64(xs.len() as u64)?;
        xs.iter().try_for_each(|x| self.f64(*x))
    }

    pub fn text(&mut self, text: &str) -> io::Result<()> {
        self.u64(text.len() as u64)?;
        self.bytes(text.as_bytes())
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

    pub fn u64(&mut self) -> io::Result<u64> {
        self.bytes().map(u64::from_le_bytes)
    }

    pub fn u32(&mut self) -> io::Result<u32> {
        self.bytes().map(u32::from_le_bytes)
    }

    pub fn u16(&mut self) -> io::Result<u16> {
        self.bytes().map(u16::from_le_bytes)
    }

    pub fn f64(&mut self) -> io::Result<f64> {
        self.u64().map(f64::from_bits)
    }

    pub fn optional(&mut self) -> io::Result<Option<u64>> {
        let is_there = self.u16()? != 0;
        Ok(Some(self.u64()?).filter(|_| is_there))
    }

    pub fn f64s(&mut self) -> io::Result<Vec<f64>> {
        // Not with the capacity that is claimed: a wrong one must not take all memory.
        (0..self.u64()?).map(|_| self.f64()).collect()
    }

    /// Bytes behind their number.
    pub fn all(&mut self) -> io::Result<Vec<u8>> {
        let length = self.u64()?;
        if length > LONGEST_TEXT {
            return Err(wrong("a text is longer than any"));
        }
        let mut bytes = Vec::new();
        self.from.by_ref().take(length).read_to_end(&mut bytes)?;
        if bytes.len() as u64 != length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(bytes)
    }

    pub fn text(&mut self) -> io::Result<String> {
        String::from_utf8(self.all()?).map_err(|_| wrong("a text is not UTF-8"))
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
    Ok(StoreReader::new(from).u64()? == checksum.value())
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
        store.u16(7).unwrap();
        store.f64s(&[f64::NEG_INFINITY, -0.0, 1e-310]).unwrap();
        store.text("µ").unwrap();
        store.finish().unwrap();
        let mut load = StoreReader::new(&bytes[..]);
        assert_eq!(load.u16().unwrap(), 7);
        let numbers: Vec<u64> = load.f64s().unwrap().into_iter().map(f64::to_bits).collect();
        assert_eq!(numbers, [f64::NEG_INFINITY, -0.0, 1e-310].map(f64::to_bits));
        assert_eq!(load.text().unwrap(), "µ");

        let sound = |bytes: &[u8]| is_sound(bytes, bytes.len() as u64).unwrap();
        assert!(sound(&bytes));
        for i in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[i] ^= 4;
            assert!(!sound(&damaged), "byte {i}");
            assert!(!sound(&bytes[..i]), "cut at {i}");
        }
    }
}
