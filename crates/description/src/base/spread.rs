//! Some of many, spread over them.

/// Numbers below `size`, ascending, `count` of them or all: the multiples of the golden ratio,
/// which leave no gap much larger than another and follow no period. The first of them are those of
/// a smaller `count`.
pub fn spread(size: u64, count: u64) -> Vec<u64> {
    if size <= count {
        return (0..size).collect();
    }
    // floor(size frac(j / golden ratio)), in integers.
    let golden = 0x9e37_79b9_7f4a_7c15u64;
    let place = |j: u64| ((u128::from(size) * u128::from(j.wrapping_mul(golden))) >> 64) as u64;
    let mut chosen: Vec<u64> = (0..count).map(place).collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}
