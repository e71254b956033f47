//! Numbers and names as pictures and pages print them.

use polhode_description::base::{known_within, rounded, shown, shown_within};

/// `angular_velocity.x` -> `angular velocity x`
pub(crate) fn words(name: &str) -> String {
    name.strip_prefix("constants.").unwrap_or(name).replace(['_', '.'], " ")
}

/// Six significant digits, in the shorter of plain and scientific notation, with a minus sign; `–`
/// for NaN.
pub fn number(value: f64) -> String {
    with_minus(&shown(value))
}

/// The digits that count beside `spread`, with a minus sign ([`shown_within`]).
pub(crate) fn number_within(value: f64, spread: f64) -> String {
    with_minus(&shown_within(value, spread))
}

/// A number as pictures and pages print it. Terminals keep the hyphen, by which programs read
/// numbers.
pub(crate) fn with_minus(number: &str) -> String {
    number.replace('-', "−")
}

/// A number of a title: to a hundredth of the spread.
pub(crate) fn in_title(value: f64, spread: f64) -> String {
    with_minus(&known_within(value, 0.1 * spread))
}

pub fn percent(probability: f64) -> String {
    let text = format!("{:.4}", probability * 100.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Three significant digits.
pub fn round3(value: f64) -> f64 {
    rounded(value, 3)
}

/// Four significant digits.
pub(crate) fn round4(value: f64) -> f64 {
    rounded(value, 4)
}

/// A power of ten, as ticks of a logarithmic axis name it by its exponent.
pub(crate) fn powers(exponent: f64) -> String {
    format!("10{}", superscript(exponent.round() as i32))
}

pub(crate) fn superscript(number: i32) -> String {
    let glyph = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32('⁰' as u32 + digit as u32 - '0' as u32).unwrap_or(digit),
    };
    number.to_string().chars().map(glyph).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!(number(0.1 + 0.2), "0.3");
        assert_eq!(number(-1.23456789e-9), "−1.23457e−9");
        assert_eq!(number(f64::NAN), "–");
        assert_eq!(number_within(-20.0000001234, 1e-7), "−20.0000001234");
        assert_eq!(superscript(-12), "⁻¹²");
    }
}
