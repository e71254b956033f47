//! Bins that are bits of a float, and how many values lie in each.
//!
//! With the centre c and the spread 1/s that a pilot has chosen, a value x lies in the bin of the
//! leading bits of
//! 1 + |x - c| s: ten bits of the fraction, the exponent, and the side of c. Between c - 1/s and
//! c + 1/s bins are
//! 2^-10/s wide; farther out there are 1024 in every octave. So the width of a bin at x is
//!
//! ```text
//! h(x) <= 2^-10 (|x - c| + 1/s)
//! ```
//!
//! whatever the values are, and bins cover all doubles. A bin is a monotone function of x, made of
//! four operations that are rounded once each: every machine finds the same one. Counts do not
//! depend on order or partition, and add.
//!
//! 4096 adjacent bins, the window, are counted in one array, which fits in the first-level cache.
//! All others are in pages of 64, which are there from their first value on.

use serde::{Deserialize, Serialize};
use std::io;

use super::stored::wrong;
pub(super) use crate::backend::tally::BINS;
use crate::backend::tally::DIGITS;

/// Bits of a double below its exponent.
const FRACTION: u32 = 52;
/// Bits below those that number a bin.
pub(super) const BELOW_BIN: u32 = FRACTION - DIGITS;
/// Bins of a page, and their logarithm.
const PAGE: usize = 1 << PAGE_BITS;
const PAGE_BITS: u32 = 6;
/// No bin is farther from the centre: 1 + |x - c| s is infinite.
const LAST: i32 = 1024 << DIGITS;

/// Which bin a value lies in. Bins are numbered in ascending order; bin 0 begins at the centre.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "(f64, f64, i32)")]
pub(super) struct BinMap {
    /// In the column's unit.
    pub centre: f64,
    /// In 1/unit.
    pub scale: f64,
    /// The first bin of the window, which is the first of a page.
    pub first: i32,
}

impl BinMap {
    /// That of a finite value.
    #[inline(always)]
    pub fn bin(&self, x: f64) -> i32 {
        let ratio = ((x - self.centre) * self.scale).abs() + 1.0;
        let distance = ((ratio.to_bits() - 1_f64.to_bits()) >> BELOW_BIN) as i32;
        if x < self.centre { !distance } else { distance }
    }

    /// Where a bin begins. Beyond all numbers it is infinite.
    pub fn edge(&self, bin: i32) -> f64 {
        let distance = u64::from(bin.unsigned_abs().min(LAST as u32));
        let ratio = f64::from_bits(1_f64.to_bits() + (distance << BELOW_BIN));
        self.centre + f64::from(bin.signum()) * ((ratio - 1.0) / self.scale)
    }

    /// With the window that holds most of these values, which are sorted, about the middle of them.
    pub fn about(centre: f64, scale: f64, sorted: &[f64]) -> BinMap {
        let map = BinMap { centre, scale, first: 0 };
        let bins: Vec<i32> = sorted.iter().map(|x| map.bin(*x)).collect();
        let mut last = 0;
        let mut best = [0, 0];
        for first in 0..bins.len() {
            while last < bins.len() && bins[last] - bins[first] < BINS as i32 {
                last += 1;
            }
            if last - first > best[1] - best[0] {
                best = [first, last];
            }
        }
        let middle = match bins.is_empty() {
            true => 0,
            false => (bins[best[0]] + bins[best[1] - 1]) / 2,
        };
        BinMap { first: (middle - BINS as i32 / 2) & -(PAGE as i32), ..map }
    }
}

/// As it was stored.
impl TryFrom<(f64, f64, i32)> for BinMap {
    type Error = &'static str;

    fn try_from((centre, scale, first): (f64, f64, i32)) -> Result<BinMap, &'static str> {
        match first.unsigned_abs() <= 2 * LAST as u32 && first % PAGE as i32 == 0 {
            true => Ok(BinMap { centre, scale, first }),
            false => Err("a window beyond all bins"),
        }
    }
}

/// The number of values in each bin.
#[derive(Clone, Debug)]
pub(super) struct BinCounts {
    /// The window's bins, each at its number modulo [`BINS`], and then the pages. 32 bits: an
    /// ensemble has at most 10^9 instances.
    counts: Vec<u32>,
    /// Where pages begin in `counts`, from that of `first_page` on: those of the window, and more.
    directory: Vec<u32>,
    first_page: i32,
}

/// In a directory: there is no such page.
const NONE: u32 = u32::MAX;

impl BinCounts {
    pub fn new(map: &BinMap) -> BinCounts {
        let mut counts = BinCounts { counts: vec![0; BINS], directory: Vec::new(), first_page: 0 };
        counts.list_window(map);
        counts
    }

    fn list_window(&mut self, map: &BinMap) {
        self.first_page = map.first >> PAGE_BITS;
        self.directory.clear();
        let place = |page: i32| ((page << PAGE_BITS) as usize % BINS) as u32;
        self.directory.extend((self.first_page..).take(BINS / PAGE).map(place));
    }

    /// Empty again, for bins of this map.
    pub fn restart(&mut self, map: &BinMap) {
        self.counts.truncate(BINS);
        self.counts.fill(0);
        self.list_window(map);
    }

    /// Counts the bins of some values, the lowest of which is `ends[0]` and the highest `ends[1]`.
    /// Above the 32 bits of a bin may be any others. Two values after each other in one bin cost
    /// the way to memory and back, some five times the rest: where all values are in one bin this
    /// is spared, and where many seem to be, half of it is.
    #[inline(always)]
    pub fn count(&mut self, map: &BinMap, bins: &[u64], ends: [i32; 2]) {
        if ends[0] < map.first || ends[1] - map.first >= BINS as i32 {
            bins.iter().for_each(|bin| self.add(*bin as i32));
            return;
        }
        let Some(window) = self.counts.first_chunk_mut::<BINS>() else { return };
        let (pairs, rest) = bins.as_chunks::<2>();
        if ends[0] == ends[1] {
            window[ends[0] as usize % BINS] += bins.len() as u32;
        } else if pairs.iter().take(4).any(|[a, b]| a == b) {
            for [a, b] in pairs {
                let (a, b) = (*a as usize % BINS, *b as usize % BINS);
                if a == b {
                    window[a] += 2;
                } else {
                    window[a] += 1;
                    window[b] += 1;
                }
            }
            rest.iter().for_each(|bin| window[*bin as usize % BINS] += 1);
        } else {
            bins.iter().for_each(|bin| window[*bin as usize % BINS] += 1);
        }
    }

    #[inline(always)]
    pub fn add(&mut self, bin: i32) {
        let page = (bin >> PAGE_BITS) - self.first_page;
        let place = self.directory.get(page as usize).copied().unwrap_or(NONE) as usize;
        match self.counts.get_mut(place + (bin as usize % PAGE)) {
            Some(count) => *count += 1,
            None => self.page(bin >> PAGE_BITS)[bin as usize % PAGE] += 1,
        }
    }

    /// The counts of a page, which is made if there is none.
    #[cold]
    #[inline(never)]
    fn page(&mut self, page: i32) -> &mut [u32] {
        if page < self.first_page {
            let more = (page..self.first_page).map(|_| NONE);
            self.directory.splice(0..0, more);
            self.first_page = page;
        }
        let number = (page - self.first_page) as usize;
        if number >= self.directory.len() {
            self.directory.resize(number + 1, NONE);
        }
        if self.directory[number] == NONE {
            self.directory[number] = self.counts.len() as u32;
            self.counts.resize(self.counts.len() + PAGE, 0);
        }
        let begin = self.directory[number] as usize;
        &mut self.counts[begin..begin + PAGE]
    }

    /// Adds counts of the bins about the window, as many on either side of it, each at its number
    /// modulo their number.
    pub fn add_counted(&mut self, map: &BinMap, counts: &[u32]) {
        let before = (counts.len() - BINS) / 2;
        for first in (map.first - before as i32..).step_by(PAGE).take(counts.len() / PAGE) {
            let page = &counts[first as usize % counts.len()..][..PAGE];
            if page.iter().any(|count| *count > 0) {
                add_all(self.page(first >> PAGE_BITS), page);
            }
        }
    }

    /// Adds the counts of the same map.
    pub fn merge(&mut self, other: &BinCounts) {
        add_all(&mut self.counts[..BINS], &other.counts[..BINS]);
        if other.counts.len() > BINS {
            for (page, begin) in other.listed().filter(|(_, begin)| *begin >= BINS) {
                add_all(self.page(page), &other.counts[begin..begin + PAGE]);
            }
        }
    }

    /// Pages in ascending order, and where they begin in the counts.
    fn listed(&self) -> impl Iterator<Item = (i32, usize)> {
        let listed = (self.first_page..).zip(&self.directory).filter(|(_, begin)| **begin != NONE);
        listed.map(|(page, begin)| (page, *begin as usize))
    }

    /// Pages in ascending order, each with its first bin.
    pub fn pages(&self) -> impl Iterator<Item = (i32, &[u32])> {
        self.listed().map(|(page, begin)| (page << PAGE_BITS, &self.counts[begin..begin + PAGE]))
    }

    /// Bins that hold values, in ascending order, and how many.
    pub fn occupied(&self) -> impl Iterator<Item = (i32, u32)> {
        let bins = self.pages().flat_map(|(first, counts)| (first..).zip(counts));
        bins.filter(|(_, count)| **count > 0).map(|(bin, count)| (bin, *count))
    }

    /// Bins that hold values: how far each is from the one before, and how many it holds.
    pub fn gaps(&self) -> Vec<(u32, u32)> {
        let mut before = -LAST - 1;
        let gap = |(bin, count): (i32, u32)| ((bin - std::mem::replace(&mut before, bin)) as u32, count);
        self.occupied().map(gap).collect()
    }

    /// From [gaps](Self::gaps).
    pub fn of_gaps(map: &BinMap, gaps: &[(u32, u32)]) -> io::Result<BinCounts> {
        let mut counts = BinCounts::new(map);
        let mut bin = -LAST - 1;
        for (gap, count) in gaps {
            let next = bin.checked_add_unsigned(*gap).filter(|bin| *bin <= LAST);
            bin = next.ok_or_else(|| wrong("a bin beyond the last"))?;
            counts.page(bin >> PAGE_BITS)[bin as usize % PAGE] = *count;
        }
        Ok(counts)
    }
}

impl PartialEq for BinCounts {
    fn eq(&self, other: &BinCounts) -> bool {
        self.occupied().eq(other.occupied())
    }
}

/// Damaged counts may wrap around; those of an ensemble do not.
fn add_all(mine: &mut [u32], theirs: &[u32]) {
    for (mine, theirs) in mine.iter_mut().zip(theirs) {
        *mine = mine.wrapping_add(*theirs);
    }
}
