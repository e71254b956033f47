//! Sums of values and of their squares on a fixed grid: whole numbers, with the same bits for
//! any order and partition.
//!
//! A value x of a cell with centre c and scale s, a power of two in 1/unit, is taken as u = (x - c)
//! s. It is *near* if -4 <= u < 4 - 2^-50, whatever stands beside it. Of a near value are added,
//! each rounded once to the grid, halves to even:
//!
//! | sum | grid | a value adds at most | rounded by at most |
//! |---|---|---|---|
//! | of u | 2^-49 | 2^51 steps | 2^-50, u itself by 2^-51 before |
//! | of u^2 | 2^-48 | 2^52 steps | 2^-49, and 2^-50 before |
//!
//! A block of [`BLOCK`] values fits in lanes of 64 bits, all that an ensemble can have in 128. A
//! computer does it with one addition: u + 12 lies in [8, 16), where doubles are 2^-49 apart, so
//! that its bits are those of 12 and the steps of u. Any other exponent tells that u is not near,
//! or no number. Likewise u^2 + 16 lies in [16, 32].
//!
//! (Exact sums of x and u^2, of any size, take 15 operations a value where these take five.) The
//! same loop finds the bins of the values (`bins.rs`).

use serde::{Deserialize, Serialize};

use fearless_simd::{Bytes, Level, Select, Simd, SimdBase, dispatch, f64x8, u64x8};

use super::bins::{BELOW_BIN, BinCounts, BinMap};
use super::exact_sum::ExactSum;
use crate::backend::tally::{SHIFT, SQUARE_SHIFT, TallyPart};

/// Values of a vector.
pub(super) const LANES: usize = 8;

/// Most values that are added up together: their slots stay in the first-level cache.
pub(super) const BLOCK: usize = 512;

/// The grids are 2 to these powers.
const STEP: i32 = -49;
const SQUARE_STEP: i32 = -48;
/// Bits of a double below its exponent.
const FRACTION: u32 = 52;

/// Where the grid of a cell lies: u = (x - centre) scale.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Place {
    /// In the column's unit.
    pub centre: f64,
    /// A power of two in 1/unit, neither subnormal nor so large that its inverse is.
    pub scale: f64,
}

impl Place {
    /// From a centre and extremes.
    pub fn about(centre: f64, lo: f64, hi: f64) -> Place {
        // Halved so that it cannot overflow.
        let spread = hi / 2.0 - lo / 2.0;
        let half_range = spread.max(resolved(centre, spread)).clamp(f64::MIN_POSITIVE, 2f64.powi(1020));
        // half_range in [2^e, 2^(e+1)), so that the range times the scale is in [1, 2).
        let exponent = ((half_range.to_bits() >> FRACTION) & 0x7ff) as i32 - 1023;
        Place { centre, scale: 2f64.powi(-exponent - 1) }
    }

    /// u, monotone in x.
    #[inline(always)]
    pub fn scaled(&self, x: f64) -> f64 {
        (x - self.centre) * self.scale
    }

    /// The power of two that the scale is.
    pub fn exponent(&self) -> i32 {
        (self.scale.to_bits() >> FRACTION) as i32 - 1023
    }
}

/// The least that is told apart at a centre: some hundred steps of its last place. Zeros tell no
/// scale: then it is 2^-70.
pub(super) fn resolved(centre: f64, spread: f64) -> f64 {
    if centre == 0.0 && spread == 0.0 { 2f64.powi(-70) } else { centre.abs() * 2f64.powi(-45) }
}

/// The bits of u + 12.
#[inline(always)]
fn shifted(u: f64) -> u64 {
    (u + SHIFT).to_bits()
}

/// Whether these are the [shifted](shifted) bits of a near value.
#[inline(always)]
fn are_near(bits: u64) -> bool {
    (bits ^ SHIFT.to_bits()) >> FRACTION == 0
}

/// Whether u is near.
#[inline(always)]
pub(super) fn is_near(u: f64) -> bool {
    are_near(shifted(u))
}

/// Sums of near values.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct GridSums {
    pub count: u64,
    /// Sum of u, in steps of its grid.
    sum: i128,
    /// Sum of u^2, in steps of its own grid.
    squares: i128,
}

impl GridSums {
    /// Adds a block, and counts its bins. Returns the extremes (infinities of an empty block);
    /// `None`: one is not near, and nothing was added. Vectors are written out: where loops over
    /// arrays stood here, the compiler joined u and u^2 of a value to one vector, which took twice
    /// as long.
    pub fn add_block(
        &mut self,
        place: &Place,
        block: &[[f64; LANES]],
        map: &BinMap,
        counts: &mut BinCounts,
    ) -> Option<[f64; 2]> {
        dispatch!(Level::new(), simd => self.add_vectors(simd, place, block, map, counts))
    }

    #[inline(always)]
    fn add_vectors<S: Simd>(
        &mut self,
        simd: S,
        place: &Place,
        block: &[[f64; LANES]],
        map: &BinMap,
        counts: &mut BinCounts,
    ) -> Option<[f64; 2]> {
        debug_assert!(block.len() <= BLOCK / LANES);
        let splat = |x: f64| f64x8::splat(simd, x);
        // No `map` of arrays: where it is not inlined, its closure is compiled without the level's
        // features.
        let (centre, scale) = (splat(place.centre), splat(place.scale));
        let (shift, square_shift) = (splat(SHIFT), splat(SQUARE_SHIFT));
        let shift_bits: u64x8<S> = shift.bitcast();
        let (bin_centre, bin_scale, one) = (splat(map.centre), splat(map.scale), splat(1.0));
        let one_bits: u64x8<S> = one.bitcast();
        let (mut min, mut max) = (splat(f64::INFINITY), splat(f64::NEG_INFINITY));
        let [mut sum, mut squares, mut other] = [u64x8::splat(simd, 0); 3];
        let mut bins = [[0_u64; LANES]; BLOCK / LANES];
        for (values, bins) in block.iter().zip(&mut bins) {
            let x = f64x8::load_array_ref(simd, values);
            min = x.min(min);
            max = x.max(max);
            let u = (x - centre) * scale;
            let bits: u64x8<S> = (u + shift).bitcast();
            other |= bits ^ shift_bits;
            sum += bits;
            squares += (u * u + square_shift).bitcast::<u64x8<S>>();
            let ratio = ((x - bin_centre) * bin_scale).abs() + one;
            let distance = (ratio.bitcast::<u64x8<S>>() - one_bits) >> BELOW_BIN;
            x.simd_lt(bin_centre).select(!distance, distance).store_array(bins);
        }
        if other.as_array().iter().fold(0, |all, bits| all | bits) >> FRACTION != 0 {
            return None;
        }
        // -0 counts as +0.
        let min = min.as_array().iter().copied().fold(f64::INFINITY, f64::min) + 0.0;
        let max = max.as_array().iter().copied().fold(f64::NEG_INFINITY, f64::max) + 0.0;
        let n = block.len() * LANES;
        if n > 0 {
            counts.count(map, bins[..block.len()].as_flattened(), [map.bin(min), map.bin(max)]);
        }
        // The bits wrap around, their excess over the shifts does not.
        let steps = |sums: u64x8<S>, shift: f64| {
            let all = sums.as_array().iter().fold(0_u64, |all, bits| all.wrapping_add(*bits));
            i128::from(all.wrapping_sub((n as u64).wrapping_mul(shift.to_bits())) as i64)
        };
        self.sum += steps(sum, SHIFT);
        self.squares += steps(squares, SQUARE_SHIFT);
        self.count += n as u64;
        Some([min, max])
    }

    /// Adds one value; false: it is not near, and nothing was added.
    pub fn add(&mut self, place: &Place, x: f64) -> bool {
        let u = place.scaled(x);
        if !is_near(u) {
            return false;
        }
        let steps = |number: f64, shift: f64| (number + shift).to_bits() as i64 - shift.to_bits() as i64;
        self.sum += i128::from(steps(u, SHIFT));
        self.squares += i128::from(steps(u * u, SQUARE_SHIFT));
        self.count += 1;
        true
    }

    /// Adds the sums that a device has.
    pub fn add_part(&mut self, part: &TallyPart) {
        // Both parts are multiples of the grid, below 2^78 steps.
        let steps = |parts: [f64; 2], step: i32| -> i128 {
            parts.map(|part| (part * 2_f64.powi(-step)) as i128).iter().sum()
        };
        self.sum += steps(part.sum, STEP);
        self.squares += steps(part.squares, SQUARE_STEP);
        self.count += part.count as u64;
    }

    pub fn merge(&mut self, other: &GridSums) {
        self.sum += other.sum;
        self.squares += other.squares;
        self.count += other.count;
    }

    /// Adds the sum of x - c, in the column's unit, to another.
    pub fn add_shifted_to(&self, place: &Place, total: &mut ExactSum) {
        total.add_scaled(self.sum, STEP - place.exponent());
    }

    /// Adds the sum of u^2 to another.
    pub fn add_squares_to(&self, total: &mut ExactSum) {
        total.add_scaled(self.squares, SQUARE_STEP);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    const PLACE: Place = Place { centre: 0.0, scale: 1.0 };
    const MAP: BinMap = BinMap { centre: 0.25, scale: 1.0, first: -2048 };

    /// Steps of a number on a grid, by another way: scaled by a power of two, which is exact, and
    /// rounded.
    fn steps(number: f64, step: i32) -> i128 {
        (number * 2_f64.powi(-step)).round_ties_even() as i128
    }

    /// Values of both signs, of few bits and of many, zeros and subnormals.
    fn near_values() -> Vec<f64> {
        let mut values: Vec<f64> = (0..BLOCK - 6).map(|k| 3.99 * (0.7 * k as f64 + 0.1).sin()).collect();
        values.iter_mut().skip(1).step_by(3).for_each(|x| *x = f64::from(*x as f32));
        values.iter_mut().skip(2).step_by(7).for_each(|x| *x *= 1e-14);
        values.extend([0.0, -0.0, 1e-310, -4.0, 4.0 - 2_f64.powi(-49), 2_f64.powi(-50)]);
        values
    }

    #[test]
    fn sums_are_those_of_rounded_values() {
        let values = near_values();
        let mut one_by_one = GridSums::default();
        let mut counts = BinCounts::new(&MAP);
        for x in &values {
            assert!(one_by_one.add(&PLACE, *x));
            counts.add(MAP.bin(*x));
        }
        let mut block = GridSums::default();
        let mut of_block = BinCounts::new(&MAP);
        let ends = block.add_block(&PLACE, values.as_chunks::<LANES>().0, &MAP, &mut of_block);
        assert_eq!(ends, Some([-4.0, 4.0 - 2_f64.powi(-49)]));
        assert_eq!(block, one_by_one);
        assert_eq!(of_block, counts);
        assert_eq!(block.sum, values.iter().map(|x| steps(*x, STEP)).sum());
        assert_eq!(block.squares, values.iter().map(|x| steps(x * x, SQUARE_STEP)).sum());
    }

    /// A sum that leaves 64 bits would wrap around unseen.
    #[test]
    fn a_block_of_the_largest_fits() {
        let mut sums = GridSums::default();
        for _ in 0..3 {
            let mut counts = BinCounts::new(&MAP);
            sums.add_block(&PLACE, &[[-4.0; LANES]; BLOCK / LANES], &MAP, &mut counts).expect("near");
        }
        assert_eq!((sums.sum, sums.squares), (-3 * BLOCK as i128 * (1 << 51), 3 * BLOCK as i128 * (1 << 52)));
    }

    /// One value that is not near leaves a block as it was.
    #[test]
    fn what_is_not_near_is_left_alone() {
        let far = [
            4.0,
            4.0 - 2_f64.powi(-50),
            -4.0 - 2_f64.powi(-50),
            20.0,
            1e300,
            f64::INFINITY,
            f64::NAN,
            -f64::NAN,
        ];
        for (i, x) in far.into_iter().enumerate() {
            let mut values = near_values();
            values[37 * i] = x;
            let (mut sums, mut counts) = (GridSums::default(), BinCounts::new(&MAP));
            let block = values.as_chunks::<LANES>().0;
            assert_eq!(sums.add_block(&PLACE, block, &MAP, &mut counts), None, "{x}");
            assert!(!sums.add(&PLACE, x) && sums == GridSums::default(), "{x}");
            assert_eq!(counts, BinCounts::new(&MAP), "{x}");
        }
    }

    /// Whichever way counts take: all values in one bin, most of them, or few; all in the window,
    /// some, or none.
    #[test]
    fn bins_are_counted_however_values_lie() {
        for first in [-2048, 0, -4096, 64 << 10] {
            for share in [0, 1, 3, 64, BLOCK] {
                let value = |k: usize| if k < share || k % 64 < share { 0.5 } else { 0.01 * k as f64 - 2.5 };
                let values: Vec<f64> = (0..BLOCK - LANES).map(value).collect();
                let map = BinMap { first, ..MAP };
                let (mut sums, mut counts) = (GridSums::default(), BinCounts::new(&map));
                sums.add_block(&PLACE, values.as_chunks::<LANES>().0, &map, &mut counts).expect("near");
                let mut expected = BTreeMap::new();
                values.iter().for_each(|x| *expected.entry(map.bin(*x)).or_default() += 1);
                assert!(counts.occupied().eq(expected), "{first} {share}");
            }
        }
    }

    #[test]
    fn parts_of_a_device_are_whole_numbers() {
        let mut sums = GridSums::default();
        let part = TallyPart {
            sum: [-(2_f64.powi(28)) + 2_f64.powi(-14), -(2_f64.powi(-31))],
            squares: [2_f64.powi(30), 2_f64.powi(-48)],
            count: 2_f64.powi(26),
            ..TallyPart::default()
        };
        sums.add_part(&part);
        assert_eq!((sums.sum, sums.squares), (-(1 << 77) + (1 << 35) - (1 << 18), (1 << 78) + 1));
    }
}
