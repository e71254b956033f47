//! Numbers as people read them.

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

/// 1000000 -> "1,000,000".
pub fn grouped(number: u64) -> String {
    grouped_by(',', number)
}

/// With this between groups of three digits.
pub fn grouped_by(separator: char, number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(separator);
        }
        text.push(digit);
    }
    text
}

/// So many significant digits at most, in the shorter of plain and scientific notation: 1.809 and 5e-7.
pub fn significant(value: f64, digits: usize) -> String {
    let rounded: f64 = format!("{value:.*e}", digits.saturating_sub(1)).parse().unwrap_or(value);
    match rounded.abs() {
        size if size == 0.0 || (1e-4..1e7).contains(&size) => format!("{rounded}"),
        _ => format!("{rounded:e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::significant;

    #[test]
    fn digits_that_count_are_told_in_the_shorter_notation() {
        let told = [1.8093, 0.28796, 2e-3, 5e-7, -1.23456789e-9, 12345678.0, 0.0, 0.1 + 0.2];
        let told = told.map(|value| significant(value, 4));
        assert_eq!(told, ["1.809", "0.288", "0.002", "5e-7", "-1.235e-9", "1.235e7", "0", "0.3"]);
        assert_eq!(significant(f64::INFINITY, 4), "inf");
    }
}
