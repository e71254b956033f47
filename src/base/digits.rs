//! Large numbers as people read them.

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
