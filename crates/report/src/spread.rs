//! Significant digits of a measured time or speed, by the spread of its repeats.
//!
//! The spread is half the distance of the quartiles, as a share of the median. Above [`RELIABLE`]
//! the second digit of the median changes from one run to the next: it is printed as "about", with
//! one digit, and a sentence says that it is not to be relied on.

use polhode_description::base::{shown, significant};

/// Largest spread of a figure that is printed with three digits and relied on.
pub const RELIABLE: f64 = 0.1;

/// Whether a figure of this spread is to be relied on. A single measurement has no spread (NaN),
/// and is not.
pub fn reliable(spread: f64) -> bool {
    spread <= RELIABLE
}

/// Three digits of what is reliable; else "about" and one digit.
pub fn measured(value: f64, spread: f64) -> String {
    match (value.is_finite(), reliable(spread)) {
        (false, _) => shown(value),
        (true, true) => significant(value, 3),
        (true, false) => format!("about {}", significant(value, 1)),
    }
}

/// A spread in words: "spread 45 %"; of what was measured once it is not known.
pub fn in_words(spread: f64) -> String {
    match spread.is_nan() {
        true => "measured once".to_string(),
        false => format!("spread {:.0} %", 100.0 * spread),
    }
}

/// Returns what is wrong with a measured share of a peak; `kernel` and `peak` are the spreads of
/// both measurements. None: nothing is wrong.
///
/// No kernel does more operations a second than the device can. Where one seems to, the measurement
/// of the larger spread is in doubt; where both are steady, it is the peak: its loop does not reach
/// what the device can do.
pub fn impossible_share(share: f64, kernel: f64, peak: f64) -> Option<String> {
    if share.is_nan() || share <= 1.0 {
        return None;
    }
    let doubt = match (reliable(kernel), reliable(peak)) {
        (true, true) => "both are steady, so the loop that measures the peak does not reach it",
        (false, true) => "the time of the kernel is in doubt",
        (true, false) => "the peak is in doubt",
        (false, false) => "both are in doubt",
    };
    Some(format!(
        "a share of the peak above 1 is impossible ({} was computed; kernel: {}, peak: {}): {doubt}",
        significant(share, 2),
        in_words(kernel),
        in_words(peak)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_follow_the_spread() {
        assert_eq!(measured(1.23456e9, 0.03), "1.23e9");
        assert_eq!(measured(1.23456e9, RELIABLE), "1.23e9");
        assert_eq!(measured(1.23456e9, 0.101), "about 1e9");
        assert_eq!(measured(1.23456e9, f64::NAN), "about 1e9");
        assert_eq!(measured(0.0234, 0.5), "about 0.02");
        assert_eq!(measured(f64::NAN, f64::NAN), "–");
    }

    #[test]
    fn a_share_above_one_is_called_impossible_and_the_doubtful_measurement_named() {
        assert_eq!(impossible_share(1.0, 0.0, 0.0), None);
        assert_eq!(impossible_share(f64::NAN, 0.0, 0.0), None);
        let doubt = |kernel, peak| impossible_share(2.19, kernel, peak).expect("2.19 is above 1");
        assert_eq!(
            doubt(0.03, 0.6),
            "a share of the peak above 1 is impossible (2.2 was computed; kernel: spread 3 %, peak: spread \
             60 %): the peak is in doubt"
        );
        assert!(doubt(0.6, 0.03).ends_with("the time of the kernel is in doubt"));
        assert!(doubt(f64::NAN, 0.3).ends_with("both are in doubt"));
        assert!(doubt(0.01, 0.01).ends_with("the loop that measures the peak does not reach it"));
    }
}
