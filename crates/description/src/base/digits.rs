//! Numbers as people read them, and as JSON has them.

use serde::{Deserialize, Deserializer};

/// A number of bytes for people, such as 27.5 MiB.
pub fn bytes(n: f64) -> String {
    let mut n = n;
    for unit in ["B", "KiB", "MiB", "GiB"] {
        if n < 1024.0 {
            return format!("{n:.1} {unit}");
        }
        n /= 1024.0;
    }
    format!("{n:.1} TiB")
}

/// A number of a JSON text, which has null for one that is not finite.
///
/// # Errors
/// It is something else.
pub fn number_or_nan<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Option::deserialize(from).map(|number| number.unwrap_or(f64::NAN))
}

/// 1000000 -> "1,000,000".
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 instance`, `2,000 instances`.
pub fn instances(count: u64) -> String {
    format!("{} {}", grouped(count), if count == 1 { "instance" } else { "instances" })
}

/// The nearest number of so many significant digits.
pub fn rounded(value: f64, digits: usize) -> f64 {
    format!("{value:.*e}", digits.saturating_sub(1)).parse().unwrap_or(value)
}

/// So many significant digits at most, in the shorter of plain and scientific notation: 1.809 and
/// 5e-7.
pub fn significant(value: f64, digits: usize) -> String {
    let rounded = rounded(value, digits);
    match rounded.abs() {
        size if size == 0.0 || (1e-4..1e7).contains(&size) => format!("{rounded}"),
        _ => format!("{rounded:e}"),
    }
}

/// A number of so many significant digits at most, with its unit; a pure number (unit 1) alone.
pub fn quantity(value: f64, digits: usize, unit: &str) -> String {
    with_unit(&significant(value, digits), unit)
}

/// A number that is text already, with its unit; a pure number (unit 1) alone.
pub fn with_unit(number: &str, unit: &str) -> String {
    if matches!(unit, "" | "1") { number.to_owned() } else { format!("{number} {unit}") }
}

/// The unit behind a name, ` (m)`; nothing of a pure number (unit 1).
pub fn in_brackets(unit: &str) -> String {
    if matches!(unit, "" | "1") { String::new() } else { format!(" ({unit})") }
}

/// The digits of a number down to the second one of its error (half an interval, say): 0.635 of
/// 0.63528 with 0.0225. Three where the error is not known.
pub fn known_within(value: f64, error: f64) -> String {
    if value.is_nan() || !(error > 0.0 && error.is_finite()) {
        return if value.is_nan() { shown(value) } else { significant(value, 3) };
    }
    let place = error.log10().floor() as i32 - 1;
    let digits = rounded(value, 17).abs().log10().floor() as i32 - place + 1;
    match digits {
        // Less than half of the last place.
        _ if value == 0.0 || value.abs() < 0.5 * 10f64.powi(place) => "0".to_owned(),
        ..1 => significant(value.signum() * 10f64.powi(place), 1),
        digits => significant(value, digits.min(16) as usize),
    }
}

/// `0.635 ± 0.022`; of an unknown error the number alone.
pub fn with_error(value: f64, error: f64) -> String {
    let number = known_within(value, error);
    if error > 0.0 && error.is_finite() { format!("{number} ± {}", significant(error, 2)) } else { number }
}

/// Six significant digits; `–` where there is no number (NaN).
pub fn shown(value: f64) -> String {
    if value.is_nan() { "–".to_owned() } else { significant(value, 6) }
}

/// So many digits, at least three, that rounding changes it by less than a hundredth of `spread`:
/// 12.345678 of values that differ by 1e-4; six where there is no spread.
pub fn shown_within(value: f64, spread: f64) -> String {
    let digits = (value.abs() / spread).log10().ceil() + 3.0;
    if digits.is_finite() { significant(value, digits.clamp(3.0, 16.0) as usize) } else { shown(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_that_count_are_told_in_the_shorter_notation() {
        let values = [1.8093, 0.28796, 2e-3, 5e-7, -1.23456789e-9, 12345678.0, 0.0, 0.1 + 0.2];
        let texts = values.map(|value| significant(value, 4));
        assert_eq!(texts, ["1.809", "0.288", "0.002", "5e-7", "-1.235e-9", "1.235e7", "0", "0.3"]);
        assert_eq!(significant(f64::INFINITY, 4), "inf");
        assert_eq!([quantity(6.04e-4, 2, "N m"), quantity(0.0, 2, "1")], ["0.0006 N m", "0"]);
        assert_eq!([shown(-1.0 / 3.0), shown(f64::NAN)], ["-0.333333", "–"]);
    }

    #[test]
    fn digits_reach_to_the_second_of_the_error() {
        let numbers = [(0.63528, 0.02248), (-12345.678, 123.0), (1e-9, 0.01), (0.004, 0.1), (1.0, f64::NAN)];
        let texts = numbers.map(|(value, error)| with_error(value, error));
        assert_eq!(texts, ["0.635 ± 0.022", "-12350 ± 120", "0 ± 0.01", "0 ± 0.1", "1"]);
        assert_eq!([known_within(0.008, 0.1), known_within(f64::NAN, 0.1)], ["0.01", "–"]);
        assert_eq!([in_brackets("m"), in_brackets("1")], [" (m)", ""]);
    }

    #[test]
    fn digits_reach_below_the_spread() {
        assert_eq!(shown_within(20.0000001234, 1e-7), "20.0000001234");
        assert_eq!(shown_within(-1.5236874, 1.72e-3), "-1.52369");
        assert_eq!([0.729125, 0.00123456].map(|value| shown_within(value, 0.345)), ["0.7291", "0.00123"]);
        assert_eq!(shown_within(20.0 / 3.0, f64::NAN), "6.66667");
        assert_eq!(shown_within(0.0, 0.0), "0");
    }
}
