//! The settings that a study gives its method beyond name and step: a value for every key that
//! the method's card lists.

use std::collections::BTreeMap;

use serde::Serialize;

use super::card::{Key, Setting};

/// The settings of a method by key. A study that was read has one for every key of its method, but
/// for numbers that it does not set and whose defaults differ between instances.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Options(BTreeMap<&'static str, Setting>);

impl Options {
    /// The default of every key that has one for all instances.
    pub fn defaults(keys: &[Key]) -> Options {
        let set = |options: Options, key: &Key| match key.kind.default() {
            Some(default) => options.with(key.name, default),
            None => options,
        };
        keys.iter().fold(Options::default(), set)
    }

    /// These settings with `key` set to `value`.
    pub fn with(mut self, key: &'static str, value: Setting) -> Options {
        self.0.insert(key, value);
        self
    }

    /// The setting of this key; `None`: it is not set.
    pub fn get(&self, key: &str) -> Option<&Setting> {
        self.0.get(key)
    }

    /// In the order of their keys.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Setting)> + '_ {
        self.0.iter().map(|(key, value)| (*key, value))
    }

    /// The name chosen for `key`; `default` where none is.
    pub fn choice(&self, key: &str, default: &'static str) -> &'static str {
        match self.0.get(key) {
            Some(Setting::Choice(name)) => name,
            _ => default,
        }
    }

    /// The whole number of this key, or `default` where it is not set.
    pub fn count(&self, key: &str, default: u64) -> u64 {
        match self.0.get(key) {
            Some(Setting::Count(n)) => *n,
            _ => default,
        }
    }

    /// The number of this key, or `default` where it is not set.
    pub fn number(&self, key: &str, default: f64) -> f64 {
        match self.0.get(key) {
            Some(Setting::Number(x)) => *x,
            _ => default,
        }
    }

    /// Whether this key is on, or `default` where it is not set.
    pub fn flag(&self, key: &str, default: bool) -> bool {
        match self.0.get(key) {
            Some(Setting::Flag(on)) => *on,
            _ => default,
        }
    }
}
