//! Large numbers as people read them.

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
