//! Lines of a file that is written: keys with their values.

use std::fmt::Write;

use toml::Value;

use polhode_description::base::Setting;
use polhode_description::base::options::Options;
use polhode_dynamics::methods::cards;

/// Keys and values of a table in a file.
pub(super) type Entries = Vec<(&'static str, Value)>;

#[derive(Default)]
pub(super) struct Writer {
    pub(super) text: String,
}

impl Writer {
    pub(super) fn heading(&mut self, heading: &str) {
        self.line(format_args!("\n{heading}"));
    }

    pub(super) fn all(&mut self, entries: Entries) {
        entries.into_iter().for_each(|(key, value)| self.key(key, value));
    }

    /// `key` is written as it stands, so quoted by the caller where it must be.
    pub(super) fn key(&mut self, key: &str, value: impl Into<Value>) {
        self.line(format_args!("{key} = {}", value.into()));
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "{line}");
    }
}

pub(super) fn text(text: &str) -> Value {
    Value::String(text.to_string())
}

/// Counts and seeds are below 2^63 in every study that was read.
pub(super) fn count(count: u64) -> Value {
    Value::Integer(i64::try_from(count).unwrap_or(i64::MAX))
}

pub(super) fn numbers(values: &[f64]) -> Value {
    values.to_vec().into()
}

pub(super) fn table(entries: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    Value::Table(entries.into_iter().map(|(key, value)| (key.to_string(), value)).collect())
}

pub(super) fn only(key: &'static str, value: Value) -> Value {
    table([(key, value)])
}

/// The name of a value in the reader's own table of names.
pub(super) fn name<T: PartialEq>(names: &[(&'static str, T)], value: T) -> &'static str {
    names.iter().find(|(_, known)| *known == value).map_or("", |(name, _)| name)
}

/// x, y or z of both frames.
pub(super) fn vectors(frames: &[[[f64; 3]; 3]; 2], axis: usize) -> Value {
    Value::Array(frames.iter().map(|frame| numbers(&frame[axis])).collect())
}

/// A setting of a method or of a treatment.
pub(super) fn setting_value(setting: &Setting) -> Value {
    match setting {
        Setting::Choice(name) => text(name),
        Setting::Count(n) => count(*n),
        Setting::Number(x) => Value::Float(*x),
        Setting::Flag(on) => Value::Boolean(*on),
    }
}

/// A method with its settings, but for step and duration.
pub(super) fn method_entries(name: &'static str, resynchronise: u64, options: &Options) -> Entries {
    let resynchronises = cards().iter().any(|card| card.name == name && card.resynchronises);
    let mut entries = vec![("name", text(name))];
    entries.extend(resynchronises.then(|| ("resynchronise", count(resynchronise))));
    entries.extend(options.iter().map(|(key, setting)| (key, setting_value(setting))));
    entries
}
