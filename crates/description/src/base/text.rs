//! Text of files that anybody may have written, for terminals and pages.

use std::borrow::Cow;

/// Letters of a message at most, from its beginning and from its end.
const BEGINNING: usize = 3000;
const END: usize = 1000;

/// Widest column of a table on a terminal (letters): what is longer stands out, and the others do
/// not wait for it.
pub const WIDEST: usize = 200;

/// Text without what would command a terminal or a page, or show letters in another order: that is
/// escaped.
pub fn harmless(text: &str) -> Cow<'_, str> {
    let commands = |c: char| {
        let turns = ['\u{61c}', '\u{200e}', '\u{200f}'].contains(&c)
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        c.is_control() && c != '\n' && c != '\t' || turns
    };
    if !text.contains(commands) {
        return Cow::Borrowed(text);
    }
    let escaped = |c: char| match commands(c) {
        true => c.escape_unicode().to_string(),
        false => c.to_string(),
    };
    Cow::Owned(text.chars().map(escaped).collect())
}

/// A path or name as a word of a command that people copy into a shell of POSIX.
pub fn shell_word(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || "_-+=:,.@%/".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => Cow::Borrowed(text),
        false => Cow::Owned(format!("'{}'", text.replace('\'', "'\\''"))),
    }
}

/// Text that stays in its line, whatever was written into it: in a comment of code.
pub fn one_line(text: &str) -> String {
    harmless(text).split(|c| c == '\n' || "\u{85}\u{2028}\u{2029}".contains(c)).collect::<Vec<_>>().join(" ")
}

/// A sentence's beginning: with a large first letter.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// As [`harmless`], of text that nobody else needs.
pub fn harmless_text(text: String) -> String {
    match harmless(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(escaped) => escaped,
    }
}

/// A message that repeats something of any length, without the middle of it.
pub fn cut(message: &str) -> Cow<'_, str> {
    // A letter has four bytes at most.
    if message.len() <= BEGINNING + END {
        return Cow::Borrowed(message);
    }
    let letters = message.chars().count();
    if letters <= BEGINNING + END {
        return Cow::Borrowed(message);
    }
    let beginning: String = message.chars().take(BEGINNING).collect();
    let end: String = message.chars().skip(letters - END).collect();
    Cow::Owned(format!("{beginning} [{} letters are left out] {end}", letters - BEGINNING - END))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_command_a_terminal() {
        assert_eq!(harmless("µ\tone\n"), "µ\tone\n");
        assert_eq!(harmless("\x1b[2J\r\u{9b}1m\u{202e}x"), "\\u{1b}[2J\\u{d}\\u{9b}1m\\u{202e}x");
    }

    #[test]
    fn a_message_keeps_both_its_ends() {
        assert_eq!(cut("short"), "short");
        let message = format!("a.csv:1: {} is no number; give one", "µ".repeat(1_000_000));
        let shortened = cut(&message);
        assert!(shortened.chars().count() < 4100, "{} letters", shortened.chars().count());
        assert!(
            shortened.starts_with("a.csv:1: µ") && shortened.ends_with("is no number; give one"),
            "{shortened}"
        );
    }
}
