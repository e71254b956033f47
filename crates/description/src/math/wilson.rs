//! The interval of a share by Wilson's score
//! (E. B. Wilson, Journal of the American Statistical Association 22 (1927) 209-212).
//!
//! A share p was seen in n independent draws. The interval holds every share that the score test
//! accepts at z:
//!
//! ```text
//! centre      (p + z^2/(2 n)) / (1 + z^2/n)
//! half width  z/(1 + z^2/n) sqrt(p (1 - p)/n + z^2/(4 n^2))
//! ```
//!
//! It stays between 0 and 1. Where none or all were seen it still has a width, which p +- z sqrt(p
//! (1 - p)/n) has not.

/// Both ends, for a share seen in `n` draws, `n` > 0, and `z` standard deviations to either side.
pub fn wilson(share: f64, n: f64, z: f64) -> [f64; 2] {
    let more = z * z / n;
    let centre = (share + 0.5 * more) / (1.0 + more);
    let half = z / (1.0 + more) * (share * (1.0 - share) / n + 0.25 * more / n).sqrt();
    [(centre - half).max(0.0), (centre + half).min(1.0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Table I of R. G. Newcombe, Statistics in Medicine 17 (1998) 857-872, method 3.
    #[test]
    fn intervals_are_those_of_the_published_table() {
        for (hits, n, low, high) in [
            (81.0, 263.0, 0.2553, 0.3662),
            (15.0, 148.0, 0.0624, 0.1605),
            (0.0, 20.0, 0.0, 0.1611),
            (1.0, 29.0, 0.0061, 0.1718),
        ] {
            let found = wilson(hits / n, n, 1.959_963_984_540_054);
            assert!((found[0] - low).abs() < 5e-5 && (found[1] - high).abs() < 5e-5, "{hits}/{n}: {found:?}");
        }
    }

    #[test]
    fn none_and_all_mirror_each_other() {
        let (none, all) = (wilson(0.0, 7.0, 1.96), wilson(1.0, 7.0, 1.96));
        assert_eq!((none[0], all[1]), (0.0, 1.0));
        assert!((none[1] - (1.0 - all[0])).abs() < 1e-15 && none[1] > 0.3);
    }
}
