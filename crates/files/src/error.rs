//! Faults of a description: file, line, key, what was found and what is allowed, in one line each.

use std::fmt;

use super::keys::Section;
use polhode_description::base::{distance, nearest};
use std::path::PathBuf;

/// One fault of a file. `Display` is one line, such as
/// `studies/a.toml:7: method.step: "0 s" is not a positive time; give e.g. "1 ms"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// As the user named it, or as reached from there.
    pub file: PathBuf,
    /// Counted from 1; `None` where the file as a whole is meant.
    pub line: Option<usize>,
    /// Path of the key, e.g. `ensemble.vary."body.mass".normal.std`; empty where there is none.
    pub key: String,
    /// The finding, as a sentence.
    pub found: String,
    /// The valid name that the user may have meant.
    pub nearest: Option<String>,
    /// Advice on what to write instead.
    pub advice: Option<String>,
    /// Valid names, where there is a short list of them.
    pub allowed: Vec<String>,
}

/// The names; of more than a message lists, those nearest to what was written first.
pub(super) fn by_distance(name: &str, mut names: Vec<String>) -> Vec<String> {
    if names.len() > LISTED {
        names.sort_by_cached_key(|known| distance(name, known));
    }
    names
}

impl Problem {
    /// Adds what to write instead.
    pub fn advise(mut self, advice: impl Into<String>) -> Problem {
        self.advice = Some(advice.into());
        self
    }

    /// Adds the list of valid names, and of them the one nearest to `name`.
    pub fn allow<'n>(mut self, name: &str, allowed: impl IntoIterator<Item = &'n str>) -> Problem {
        self.allowed = by_distance(name, allowed.into_iter().map(str::to_string).collect());
        self.nearest = nearest(name, self.allowed.iter().map(String::as_str));
        self
    }
}

/// Words that are written for keys, by what they are here.
const SYNONYMS: [(&str, &str); 8] = [
    ("to", "until"),
    ("till", "until"),
    ("end", "until"),
    ("begin", "from"),
    ("start", "from"),
    ("length", "duration"),
    // Channels have these names.
    ("angle_rate", "angular_velocity"),
    ("displacement_rate", "velocity"),
];

/// The key that says what this word says.
pub(super) fn synonym(word: &str) -> Option<&'static str> {
    SYNONYMS.iter().find(|(other, _)| *other == word).map(|(_, key)| *key)
}

impl Problem {
    /// Advice on a key that its section does not have: the one that says the same, or else the one
    /// whose table it belongs into.
    pub(super) fn or_meant(mut self, name: &str, section: &Section) -> Problem {
        if let Some(key) = synonym(name).filter(|key| section.key(key).is_some()) {
            self.nearest = Some(key.to_string());
        }
        match section.holder(name).filter(|_| self.nearest.is_none()) {
            Some(holder) => self.advise(format!("`{name}` belongs into the table `{holder}`")),
            None => self,
        }
    }

    /// Key and fault, without the place in a file.
    pub(super) fn fault(&self) -> String {
        let colon = if self.key.is_empty() { "" } else { ": " };
        format!("{}{colon}{}", self.key, self.found)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.file.display())?;
        if let Some(line) = self.line {
            write!(out, ":{line}")?;
        }
        write!(out, ": ")?;
        if !self.key.is_empty() {
            write!(out, "{}: ", self.key)?;
        }
        write!(out, "{}", self.found)?;
        if let Some(nearest) = &self.nearest {
            write!(out, "; did you mean `{nearest}`?")?;
        }
        if let Some(advice) = &self.advice {
            write!(out, "; {advice}")?;
        }
        if !self.allowed.is_empty() {
            write!(out, " (allowed: {})", shortened(&self.allowed))?;
        }
        Ok(())
    }
}

/// Names that a message lists at most, and of more the first ones: those nearest to what was
/// written.
const LISTED: usize = 16;
const NEAREST: usize = 6;

/// The names, of many the nearest ones and where all of them are.
fn shortened(names: &[String]) -> String {
    match names.len() {
        0..=LISTED => names.join(", "),
        all => format!(
            "{} and {} more: see docs/channels.md, docs/laws.md, docs/reference/mechanism-keys.md",
            names[..NEAREST].join(", "),
            all - NEAREST
        ),
    }
}

impl std::error::Error for Problem {}

/// All faults found in a description, at least one, in the order of the file; `Display` gives one a
/// line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problems(
    /// In the order of the file.
    pub Vec<Problem>,
);

impl fmt::Display for Problems {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (count, problem) in self.0.iter().enumerate() {
            let newline = if count > 0 { "\n" } else { "" };
            write!(out, "{newline}{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Problems {
        Problems(vec![problem])
    }
}
