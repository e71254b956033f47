//! Exact sums of doubles: the same bits for any order, any partition and any number of threads.
//!
//! A double is an integer times 2^-1074, so a sum of doubles is a (long) integer. It is held as
//! Neal's small superaccumulator (R. M. Neal, *Fast exact summation using small and large
//! superaccumulators*, arXiv:1505.05571):
//!
//! ```text
//! S = sum over i of chunk[i] * 2^(32 i - 1074),   chunk[i] a signed 64-bit integer
//! ```
//!
//! Chunks overlap by 32 bits, so that 2047 additions fit before carries must be propagated. After
//! propagation chunk 0..65 lie in [0, 2^32) and the last carries the sign: that form is unique,
//! hence comparable and mergeable. (The crate `xsum` 0.1 has the same accumulator, but can neither
//! merge nor store one, and rounds some negative sums wrongly: -0.14047928142859545 alone comes
//! back one unit in the last place off.)
//!
//! Bulk addition is faster than one at a time: a block of up to 1024 values below 2^E is split by
//! exact additions of large constants into parts that are multiples of 2^(E-42) and of 2^(E-85);
//! either kind sums in plain doubles without rounding (Demmel and Nguyen's binned summation), in
//! any SIMD order, and only the totals enter the accumulator. A block with bits below 2^(E-85)
//! takes the slow way: the result never depends on which way was taken.

use serde::{Deserialize, Serialize};

use fearless_simd::{Level, dispatch};

/// All doubles are multiples of 2 to minus this.
const BIAS: i32 = 1074;
/// Chunks of 32 bits from 2^-1074 up: 66 reach 2^1038 with 63 bits of head room in the last.
const CHUNKS: usize = 66;
/// Additions that fit between two carry propagations: each adds less than 2^52 to a
/// chunk that starts below 2^32.
const HEADROOM: u32 = 2047;
/// Values summed together in plain doubles: 2^10, so that a part of 42 bits and its total fit
/// in 53.
const BLOCK: usize = 1024;
const LANES: usize = 8;
const LOW_32: i64 = 0xffff_ffff;
const MANTISSA: u64 = (1 << 52) - 1;

/// An exact sum of doubles. Infinities and NaN are counted apart and decide the sum as in IEEE
/// arithmetic.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(into = "StoredSum", try_from = "StoredSum")]
pub struct ExactSum {
    chunks: [i64; CHUNKS],
    /// Additions since the last propagation.
    pending: u32,
    positive_infinities: u64,
    negative_infinities: u64,
    nans: u64,
}

impl Default for ExactSum {
    fn default() -> Self {
        Self::new()
    }
}

impl ExactSum {
    pub const fn new() -> Self {
        Self { chunks: [0; CHUNKS], pending: 0, positive_infinities: 0, negative_infinities: 0, nans: 0 }
    }

    /// Adds one value, exactly.
    #[inline]
    pub fn add(&mut self, value: f64) {
        if self.pending == HEADROOM {
            self.propagate();
        }
        let bits = value.to_bits();
        let exponent = ((bits >> 52) & 0x7ff) as usize;
        if exponent == 0x7ff {
            return self.count_non_finite(value);
        }
        self.pending += 1;
        let (mantissa, shift) = whole(bits);
        let (chunk, shift) = (shift >> 5, shift & 31);
        let low = ((mantissa << shift) & LOW_32 as u64) as i64;
        let high = (mantissa >> (32 - shift)) as i64;
        // Multiplication by +-1 without a branch: (x ^ m) - m.
        let sign = (bits as i64) >> 63;
        self.chunks[chunk] += (low ^ sign) - sign;
        self.chunks[chunk + 1] += (high ^ sign) - sign;
    }

    /// Adds all values, exactly; several times faster than one by one.
    pub fn add_all(&mut self, values: &[f64]) {
        let (lanes, rest) = values.as_chunks::<LANES>();
        dispatch!(Level::new(), _simd => lanes.chunks(BLOCK / LANES).for_each(|block| self.add_block(block)));
        rest.iter().for_each(|&value| self.add(value));
    }

    /// Adds at most 1024 values. Inlined, so that it is compiled for the caller's SIMD level.
    #[inline(always)]
    fn add_block(&mut self, block: &[[f64; LANES]]) {
        debug_assert!(block.len() <= BLOCK / LANES);
        match split_sums(block) {
            Some((high, low)) => {
                self.add(high);
                self.add(low);
            }
            None => block.as_flattened().iter().for_each(|&value| self.add(value)),
        }
    }

    /// Adds `value`, a finite one, `times` times, exactly.
    pub fn add_times(&mut self, value: f64, times: u64) {
        debug_assert!(value.is_finite());
        let (mantissa, shift) = whole(value.to_bits());
        let product = i128::from(mantissa) * i128::from(times);
        let product = if value.is_sign_negative() { -product } else { product };
        self.add_scaled(product, shift as i32 - BIAS);
    }

    /// Adds `integer` times 2^`exponent`, exactly. The exponent is at least -1074, the product
    /// below 2^1069.
    pub fn add_scaled(&mut self, integer: i128, exponent: i32) {
        self.propagate();
        let position = (exponent + BIAS) as usize;
        let (first, shift) = (position / 32, position % 32);
        let sign = if integer < 0 { -1 } else { 1 };
        let mut rest = integer.unsigned_abs();
        for chunk in first..CHUNKS {
            if chunk == CHUNKS - 1 {
                self.chunks[chunk] += sign * ((rest << shift) as i64);
            } else {
                let digit = ((rest & LOW_32 as u128) as u64) << shift;
                self.chunks[chunk] += sign * (digit as i64 & LOW_32);
                self.chunks[chunk + 1] += sign * ((digit >> 32) as i64);
                rest >>= 32;
            }
        }
        self.propagate();
    }

    /// Adds another sum, exactly.
    pub fn merge(&mut self, other: &ExactSum) {
        self.propagate();
        let other = other.canonical();
        for (mine, theirs) in self.chunks.iter_mut().zip(other.chunks) {
            *mine += theirs;
        }
        self.propagate();
        self.positive_infinities += other.positive_infinities;
        self.negative_infinities += other.negative_infinities;
        self.nans += other.nans;
    }

    /// The sum rounded once, to nearest, ties to even.
    pub fn sum(&self) -> f64 {
        self.scaled_sum(0)
    }

    /// The sum divided by `count`, without overflow on the way; two roundings.
    pub fn mean(&self, count: f64) -> f64 {
        let sum = self.sum();
        // 2^-64 makes room for any 64-bit count; such sums lose no bits by it.
        if sum.abs() > 1e300 { self.scaled_sum(-64) / count * 2f64.powi(64) } else { sum / count }
    }

    /// The sum times 2^`shift`, rounded once (twice where the result is subnormal and the shift is
    /// not 0).
    pub fn scaled_sum(&self, shift: i32) -> f64 {
        if self.nans > 0 || (self.positive_infinities > 0 && self.negative_infinities > 0) {
            return f64::NAN;
        }
        if self.positive_infinities > 0 {
            return f64::INFINITY;
        }
        if self.negative_infinities > 0 {
            return f64::NEG_INFINITY;
        }
        let mut canonical = self.canonical();
        let negative = canonical.chunks[CHUNKS - 1] < 0;
        if negative {
            canonical.chunks.iter_mut().for_each(|chunk| *chunk = -*chunk);
            canonical.propagate();
        }
        let chunks = &canonical.chunks;
        let Some(top) = chunks.iter().rposition(|&chunk| chunk != 0) else {
            return 0.0;
        };
        // The 64 bits from the highest set bit down, the last one sticky; `low`
        // is the position of the lowest.
        let length = 64 - chunks[top].leading_zeros() as i32;
        let highest = 32 * top as i32 + length - 1;
        let low = highest - 63;
        let mut bits = 0u64;
        let mut sticky = false;
        for (i, &chunk) in chunks[..=top].iter().enumerate() {
            let position = 32 * i as i32 - low;
            let chunk = chunk as u64;
            if position >= 0 {
                // The top chunk may be longer than 32 bits; by construction it ends at bit 63.
                bits |= chunk << position;
            } else if position > -64 {
                bits |= chunk >> -position;
                sticky |= chunk & ((1 << -position) - 1) != 0;
            } else {
                sticky |= chunk != 0;
            }
        }
        let magnitude = round_to_f64(bits, sticky, low - BIAS + shift);
        if negative { -magnitude } else { magnitude }
    }

    /// The unique form: chunk 0..65 in [0, 2^32), the sign in the last.
    fn canonical(&self) -> ExactSum {
        let mut sum = self.clone();
        sum.propagate();
        sum
    }

    fn propagate(&mut self) {
        let mut carry = 0;
        for chunk in &mut self.chunks[..CHUNKS - 1] {
            let total = *chunk + carry;
            carry = total >> 32;
            *chunk = total & LOW_32;
        }
        self.chunks[CHUNKS - 1] += carry;
        self.pending = 0;
    }

    #[cold]
    fn count_non_finite(&mut self, value: f64) {
        if value.is_nan() {
            self.nans += 1;
        } else if value > 0.0 {
            self.positive_infinities += 1;
        } else {
            self.negative_infinities += 1;
        }
    }
}

/// The magnitude of a finite double by its bits: an integer times 2^(shift - 1074), integer and
/// shift.
#[inline]
fn whole(bits: u64) -> (u64, usize) {
    let exponent = ((bits >> 52) & 0x7ff) as usize;
    let implicit = u64::from(exponent != 0) << 52;
    ((bits & MANTISSA) | implicit, exponent.max(1) - 1)
}

/// Two doubles whose exact sum is that of the block, or `None` where the split does not reach the
/// lowest bit, or would leave the range of doubles.
#[inline(always)]
fn split_sums(block: &[[f64; LANES]]) -> Option<(f64, f64)> {
    let mut largest = [0.0; LANES];
    for values in block {
        for (largest, value) in largest.iter_mut().zip(values) {
            // A NaN may slip through here; the split leaves it over.
            let size = value.abs();
            *largest = if size > *largest { size } else { *largest };
        }
    }
    let largest = largest.into_iter().fold(0.0, f64::max);
    let split = Split::at_most(largest)?;
    let mut sums = SplitSums::new(&split);
    for values in block {
        for (lane, value) in values.iter().enumerate() {
            sums.add(lane, *value);
        }
    }
    sums.exact(&split).map(|[high, low]| (high, low))
}

/// The constants that split values below a limit into parts that are multiples of 2^(E-42) and of
/// 2^(E-85), 2^E the limit.
struct Split {
    first: f64,
    second: f64,
}

impl Split {
    /// Returns the split of values up to this size; `None`: it would leave the range of doubles.
    #[inline(always)]
    fn at_most(largest: f64) -> Option<Split> {
        // In a block of zeros any exponent will do.
        let exponent = if largest == 0.0 { 0 } else { ((largest.to_bits() >> 52) & 0x7ff) as i32 - 1022 };
        // The bounds keep 2^(exponent + 11) finite and 2^(exponent - 85) representable.
        if !(-980..=1000).contains(&exponent) {
            return None;
        }
        let power = |e: i32| f64::from_bits(((e + 1023) as u64) << 52);
        // Adding and subtracting 1.5 2^(52+k) rounds to multiples of 2^k.
        let [first, second] = [exponent + 10, exponent - 33].map(|e| 1.5 * power(e));
        Some(Split { first, second })
    }
}

/// Sums of the parts of at most 1024 values below the limit of their split, in lanes.
///
/// A sum begins with the constant that splits: with 128 values added it is still between the same
/// powers of two, so that adding to it rounds to the same multiples as adding to the constant does,
/// and the error of every addition is exact (T. J. Dekker, Numer. Math. 18 (1971)).
struct SplitSums {
    high: [f64; LANES],
    low: [f64; LANES],
    left_over: [u64; LANES],
}

impl SplitSums {
    #[inline(always)]
    fn new(split: &Split) -> SplitSums {
        SplitSums { high: [split.first; LANES], low: [split.second; LANES], left_over: [0; LANES] }
    }

    #[inline(always)]
    fn add(&mut self, lane: usize, value: f64) {
        let high = self.high[lane] + value;
        let rest = value - (high - self.high[lane]);
        let low = self.low[lane] + rest;
        self.left_over[lane] |= (rest - (low - self.low[lane])).to_bits();
        self.high[lane] = high;
        self.low[lane] = low;
    }

    /// Two doubles with the exact sum; `None`: the split did not reach the lowest bit of a
    /// value, or one was not finite.
    #[inline(always)]
    fn exact(&self, split: &Split) -> Option<[f64; 2]> {
        // A zero has any sign.
        if self.left_over.iter().any(|bits| bits << 1 != 0) {
            return None;
        }
        let total = |sums: &[f64; LANES], start: f64| sums.iter().map(|sum| sum - start).sum();
        Some([total(&self.high, split.first), total(&self.low, split.second)])
    }
}

/// `bits` times 2^`exponent`, its top bit set, with anything below it in `sticky`, rounded to
/// nearest even.
fn round_to_f64(bits: u64, sticky: bool, exponent: i32) -> f64 {
    // Bits that do not fit: 11, or more where the result is subnormal.
    let drop = 11.max(-1074 - exponent);
    if drop > 64 {
        return 0.0;
    }
    let wide = u128::from(bits);
    let kept = (wide >> drop) as u64;
    let dropped = wide & ((1 << drop) - 1);
    let half = 1u128 << (drop - 1);
    let up = dropped > half || (dropped == half && (sticky || kept & 1 == 1));
    let kept = kept + u64::from(up);
    let exponent = exponent + drop;
    // kept <= 2^53 is exact in f64; the product below is exact or overflows to infinity as it
    // should.
    if exponent >= -1022 {
        let mut value = kept as f64;
        let mut exponent = exponent;
        while exponent > 900 {
            value *= 2f64.powi(900);
            exponent -= 900;
        }
        value * 2f64.powi(exponent)
    } else {
        kept as f64 * f64::MIN_POSITIVE * 2f64.powi(exponent + 1022)
    }
}

/// Two sums are equal if they are the same number (and have seen the same non-finite values).
impl PartialEq for ExactSum {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (self.canonical(), other.canonical());
        a.chunks == b.chunks
            && a.nans == b.nans
            && a.positive_infinities == b.positive_infinities
            && a.negative_infinities == b.negative_infinities
    }
}

/// The canonical chunks from the first to the last that is not 0, and how often infinities and NaN
/// were seen.
#[derive(Serialize, Deserialize)]
struct StoredSum {
    first: u16,
    chunks: Vec<i64>,
    others: [u64; 3],
}

impl From<ExactSum> for StoredSum {
    fn from(sum: ExactSum) -> StoredSum {
        let sum = sum.canonical();
        let first = sum.chunks.iter().position(|&chunk| chunk != 0).unwrap_or(0);
        let end = sum.chunks.iter().rposition(|&chunk| chunk != 0).map_or(first, |last| last + 1);
        let others = [sum.positive_infinities, sum.negative_infinities, sum.nans];
        StoredSum { first: first as u16, chunks: sum.chunks[first..end].to_vec(), others }
    }
}

impl TryFrom<StoredSum> for ExactSum {
    type Error = &'static str;

    fn try_from(StoredSum { first, chunks, others }: StoredSum) -> Result<ExactSum, &'static str> {
        let mut sum = ExactSum::new();
        for (i, chunk) in (usize::from(first)..).zip(chunks) {
            if i >= CHUNKS || (i < CHUNKS - 1 && !(0..=LOW_32).contains(&chunk)) {
                return Err("not an exact sum");
            }
            sum.chunks[i] = chunk;
        }
        [sum.positive_infinities, sum.negative_infinities, sum.nans] = others;
        Ok(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::super::stored::{StoreReader, StoreWriter};
    use super::*;
    use proptest::prelude::*;

    fn exact(values: &[f64]) -> ExactSum {
        let mut sum = ExactSum::new();
        values.iter().for_each(|&value| sum.add(value));
        sum
    }

    /// The fast way is some ten times as fast as the slow one, so ordinary values must take it: of
    /// any sign, with all bits of f64 or those of f32, and their squares.
    #[test]
    fn ordinary_values_take_the_fast_way() {
        let values: Vec<f64> = (0..BLOCK).map(|k| 3.0 * (0.7 * k as f64 + 0.1).sin()).collect();
        let split = |values: Vec<f64>| split_sums(values.as_chunks::<LANES>().0).is_some();
        assert!(split(values.clone()));
        assert!(split(values.iter().map(|&x| f64::from(x as f32)).collect()));
        assert!(split(values.iter().map(|x| x * x).collect()));
        assert!(split(values.iter().map(|x| 1e6 + x).collect()));
        // Bits further apart than the split reaches go the slow way.
        assert!(!split(values.iter().map(|x| if *x > 0.0 { 1e30 * x } else { 1e-30 * x }).collect()));
    }

    fn bulk(values: &[f64]) -> ExactSum {
        let mut sum = ExactSum::new();
        sum.add_all(values);
        sum
    }

    #[test]
    fn known_sums() {
        let max = f64::MAX;
        let tiny = f64::from_bits(1);
        let cases: [(&[f64], f64); 12] = [
            (&[], 0.0),
            (&[1.0, 1e100, 1.0, -1e100], 2.0),
            (&[max, max, -max], max),
            (&[max, max], f64::INFINITY),
            (&[-max, -max], f64::NEG_INFINITY),
            (&[tiny, tiny, tiny], 3.0 * tiny),
            (&[max, tiny, -max], tiny),
            // Half an ulp of 1: a tie, to even; with anything below it, up.
            (&[1.0, f64::EPSILON / 2.0], 1.0),
            (&[1.0, f64::EPSILON / 2.0, tiny], 1.0 + f64::EPSILON),
            (&[-1.0, -f64::EPSILON / 2.0, -tiny], -1.0 - f64::EPSILON),
            (&[1.0 + f64::EPSILON, f64::EPSILON / 2.0], 1.0 + 2.0 * f64::EPSILON),
            (&[f64::INFINITY, 1.0], f64::INFINITY),
        ];
        for (values, expected) in cases {
            assert_eq!(exact(values).sum().to_bits(), expected.to_bits(), "{values:?}");
            assert_eq!(bulk(values).sum().to_bits(), expected.to_bits(), "{values:?}");
        }
        assert!(exact(&[f64::INFINITY, f64::NEG_INFINITY]).sum().is_nan());
        assert!(bulk(&[f64::NAN, 1.0]).sum().is_nan());
    }

    /// Many times a value, and integers of a unit, against as many additions.
    #[test]
    fn multiples_are_those_of_additions() {
        for value in [0.0, 1.0, -0.1, 1e300, -f64::MAX, f64::from_bits(1), -1e-310, 3.5e17] {
            let mut times = ExactSum::new();
            times.add_times(value, 1000);
            times.add_times(-value, 1);
            assert_eq!(times, exact(&vec![value; 999]), "{value}");
        }
        let mut sum = ExactSum::new();
        sum.add_scaled((1 << 80) + 3, -1048);
        sum.add_scaled(-(1 << 80), -1048);
        assert_eq!(sum, exact(&[3.0 * 2f64.powi(-1000) * 2f64.powi(-48)]));
        let mut large = ExactSum::new();
        large.add_scaled(-(1 << 81), 972);
        large.add_scaled(1 << 51, 972);
        assert_eq!(
            (large.sum(), large.scaled_sum(-100)),
            (f64::NEG_INFINITY, 2f64.powi(923) - 2f64.powi(953))
        );
    }

    #[test]
    fn a_mean_does_not_overflow() {
        assert_eq!(exact(&[f64::MAX; 3]).mean(3.0), f64::MAX);
        assert_eq!(exact(&[1.0, 2.0, 4.5]).mean(3.0), 2.5);
    }

    #[test]
    fn many_carries() {
        let values = vec![f64::from_bits((1.0f64).to_bits() - 1); 1_000_000];
        let expected = 1e6 * values[0]; // 999999.9999999999 rounded once, exactly as the product
        assert_eq!(exact(&values).sum(), expected);
        assert_eq!(bulk(&values).sum(), expected);
    }

    fn any_finite() -> impl Strategy<Value = f64> {
        prop_oneof![
            any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |x| x.is_finite()),
            -1.0..1.0f64,
            (-1e3..1e3f64).prop_map(|x| f64::from(x as f32)),
            (-60..60i32, -1.0..1.0f64).prop_map(|(e, m)| m * 2f64.powi(e)),
        ]
    }

    proptest! {
        /// Multiples of 2^-90 below 2^30 sum exactly in 128-bit integers, which convert with one
        /// rounding.
        #[test]
        fn is_rounded_once(parts in prop::collection::vec((-1i64 << 53..1i64 << 53, 0..68u32), 0..3000)) {
            let total: i128 = parts.iter().map(|&(mantissa, shift)| i128::from(mantissa) << (shift)).sum();
            let expected = total as f64 * 2f64.powi(-90);
            let value = |&(m, shift): &(_, _)| m as f64 * 2f64.powi(shift as i32 - 90);
            let values: Vec<f64> = parts.iter().map(value).collect();
            prop_assert_eq!(exact(&values).sum().to_bits(), expected.to_bits());
            prop_assert_eq!(bulk(&values).sum().to_bits(), expected.to_bits());
        }

        #[test]
        fn one_value_is_itself(value in any_finite()) {
            prop_assert_eq!(exact(&[value]).sum(), value);
            prop_assert_eq!(exact(&[value, value, -value]).sum(), value);
        }

        #[test]
        fn any_order_and_partition_gives_the_same_state(
            values in prop::collection::vec(any_finite(), 1..3000),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..5),
            seed in any::<u64>(),
        ) {
            let whole = bulk(&values);
            let mut shuffled = values.clone();
            shuffled.sort_by_key(|x| x.to_bits().wrapping_mul(seed | 1));
            prop_assert_eq!(&bulk(&shuffled), &whole);
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(values.len())).collect();
            cuts.extend([0, values.len()]);
            cuts.sort();
            let mut merged = ExactSum::new();
            for pair in cuts.windows(2).rev() {
                merged.merge(&exact(&shuffled[pair[0]..pair[1]]));
            }
            prop_assert_eq!(&merged, &whole);
            let mut stored = Vec::new();
            StoreWriter::new(&mut stored).value(&whole).unwrap();
            prop_assert_eq!(StoreReader::new(&stored[..]).value::<ExactSum>().unwrap(), whole);
        }
    }
}
