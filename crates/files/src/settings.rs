//! Values given beside a file, as by `--set KEY=VALUE`: they take the place of the file's, and are
//! checked like those. `--unset KEY` takes one away.

use std::ops::Range;
use std::str::FromStr;

use super::document::{as_setting, join};
use toml::Spanned;
use toml::de::{DeArray, DeString, DeTable, DeValue};

/// One value of a study or of its mechanism by the path of its key: `method.step = "1 ms"`,
/// `mechanism.body.lower.mass = 2`. Entries of a list are named by their `name`, or counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySetting {
    /// One line of TOML.
    line: String,
    path: Vec<String>,
    /// Names at the beginning of the path that the document stands for.
    above: usize,
    /// The key is taken away.
    removes: bool,
}

/// Why a text is no [`KeySetting`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// Nothing follows the key.
    #[error("give KEY=VALUE, as method.step=1e-3 or ensemble.size=500; `--unset KEY` takes a key away")]
    NoValue,
    /// The text before the value.
    #[error(
        "`{0}` is no key: give all names from the top with dots between them, as ensemble.size; quote a name \
         that has dots itself"
    )]
    NoKey(String),
    /// The text behind the key.
    #[error("`{0}` is no value: give a number, a text, [..] or {{ .. }} as in a file")]
    NoTomlValue(String),
}

/// A path that leads to no place.
pub(super) struct Misplaced {
    /// Names that lead there.
    pub path: Vec<String>,
    pub span: Range<usize>,
    pub found: String,
    pub name: String,
    pub allowed: Vec<String>,
}

impl FromStr for KeySetting {
    type Err = SettingError;

    /// A value that is none of TOML is a text, since shells take quotes away: `method.step=1 ms`.
    fn from_str(text: &str) -> Result<KeySetting, SettingError> {
        if text.contains(['\n', '\r']) || !text.contains('=') {
            return Err(SettingError::NoValue);
        }
        // An equals sign may stand within quotes.
        let split = text.match_indices('=').find_map(|(at, _)| Some((at, path_of(&text[..at])?)));
        let Some((at, path)) = split else {
            return Err(SettingError::NoKey(text.split('=').next().unwrap_or_default().trim().to_string()));
        };
        let (key, value) = (text[..at].trim(), text[at + 1..].trim());
        let written = format!("{key} = {value}");
        let line = if DeTable::parse(&written).is_ok() {
            written
        } else if value.is_empty() {
            return Err(SettingError::NoValue);
        } else if value.starts_with(['"', '\'', '[', '{']) {
            return Err(SettingError::NoTomlValue(value.to_string()));
        } else {
            format!("{key} = {}", toml::Value::from(value))
        };
        Ok(KeySetting { line, path, above: 0, removes: false })
    }
}

impl KeySetting {
    /// Takes away the key at this path, and all that is in it: `ensemble.vary`, `method.step`.
    ///
    /// # Errors
    /// The text is no path.
    pub fn removal(key: &str) -> Result<KeySetting, SettingError> {
        let key = key.trim();
        let path = match key.contains(['\n', '\r']) {
            true => None,
            false => path_of(key),
        };
        let path = path.ok_or_else(|| SettingError::NoKey(key.to_string()))?;
        Ok(KeySetting { line: format!("{key} = 0"), path, above: 0, removes: true })
    }

    /// The option that gives it on a command line.
    pub(super) fn option(&self) -> &'static str {
        if self.removes { "--unset" } else { "--set" }
    }
}

/// The names of a dotted key; `None`: it is none.
pub(super) fn path_of(key: &str) -> Option<Vec<String>> {
    let text = format!("{key} = 0");
    let root = DeTable::parse(&text).ok()?;
    let mut table = root.get_ref();
    let mut path = Vec::new();
    loop {
        let (name, value) = table.iter().next()?;
        path.push(name.get_ref().to_string());
        match value.get_ref() {
            DeValue::Table(inner) => table = inner,
            _ => return Some(path),
        }
    }
}

impl KeySetting {
    pub(super) fn line(&self) -> &str {
        &self.line
    }

    /// Those names of the path that the document stands for.
    pub(super) fn above(&self) -> &[String] {
        &self.path[..self.above]
    }

    /// This setting for the document that `name` stands for; `None`: it belongs to this one.
    pub(super) fn below(&self, name: &str) -> Option<KeySetting> {
        let inner = self.path[self.above..]
            .split_first()
            .is_some_and(|(first, rest)| first == name && !rest.is_empty());
        inner.then(|| KeySetting { above: self.above + 1, ..self.clone() })
    }

    /// Puts the value into its place in `root`; `parsed` is what TOML makes of the
    /// [`line`](Self::line).
    pub(super) fn put<'a>(
        &self,
        root: &mut Spanned<DeValue<'a>>,
        mut parsed: DeTable<'a>,
    ) -> Result<(), Misplaced> {
        let mut keys = Vec::new();
        while let Some((key, value)) = std::mem::take(&mut parsed).into_iter().next() {
            keys.push(key);
            if keys.len() == self.path.len() {
                let keys = &keys[self.above..];
                return match self.removes {
                    true => remove(root, keys, 0),
                    false => put(root, keys, 0, value),
                };
            }
            if let DeValue::Table(inner) = value.into_inner() {
                parsed = inner;
            }
        }
        Ok(())
    }
}

fn put<'a>(
    place: &mut Spanned<DeValue<'a>>,
    keys: &[Spanned<DeString<'a>>],
    depth: usize,
    value: Spanned<DeValue<'a>>,
) -> Result<(), Misplaced> {
    let Some(key) = keys.get(depth) else {
        *place = value;
        return Ok(());
    };
    match place.get_mut() {
        DeValue::Table(table) => {
            let empty = || Spanned::new(key.span(), DeValue::Table(DeTable::new()));
            put(table.entry(key.clone()).or_insert_with(empty), keys, depth + 1, value)
        }
        DeValue::Array(list) => {
            let at = entry_at(list, keys, depth)?;
            put(&mut list.as_mut()[at], keys, depth + 1, value)
        }
        other => Err(no_part(keys, depth, other)),
    }
}

/// Takes the value at these keys out of `place`.
fn remove<'a>(
    place: &mut Spanned<DeValue<'a>>,
    keys: &[Spanned<DeString<'a>>],
    depth: usize,
) -> Result<(), Misplaced> {
    let last = depth + 1 == keys.len();
    match place.get_mut() {
        DeValue::Table(table) => {
            let name = keys[depth].get_ref().as_ref();
            if !table.contains_key(name) {
                // A name that has dots itself, given without quotes.
                let mut joined = name.to_string();
                for more in &keys[depth + 1..] {
                    joined = format!("{joined}.{}", more.get_ref());
                    if table.contains_key(joined.as_str()) {
                        let above = keys[..depth].iter().map(|key| key.get_ref().as_ref());
                        let path =
                            above.chain([&*joined]).fold(String::new(), |path, name| join(&path, name));
                        let found = format!("`{joined}` is one name: give {}", as_setting(&path));
                        return Err(misplaced(keys, depth, found, Vec::new()));
                    }
                }
                let names = table.iter().map(|(key, _)| key.get_ref().to_string()).collect();
                return Err(misplaced(keys, depth, "there is no such key to take away".to_string(), names));
            }
            match table.get_mut(name) {
                Some(inner) if !last => remove(inner, keys, depth + 1),
                _ => {
                    table.remove(name);
                    Ok(())
                }
            }
        }
        DeValue::Array(list) => {
            let at = entry_at(list, keys, depth)?;
            if !last {
                return remove(&mut list.as_mut()[at], keys, depth + 1);
            }
            let kept =
                std::mem::replace(list, DeArray::new()).into_iter().enumerate().filter(|(k, _)| *k != at);
            *list = kept.map(|(_, entry)| entry).collect();
            Ok(())
        }
        other => Err(no_part(keys, depth, other)),
    }
}

/// The entry of a list that a key names, by its `name` or its place.
fn entry_at(list: &DeArray<'_>, keys: &[Spanned<DeString<'_>>], depth: usize) -> Result<usize, Misplaced> {
    let name = keys[depth].get_ref().as_ref();
    let names: Vec<String> = list.iter().filter_map(name_of).map(str::to_string).collect();
    let at = list.iter().position(|entry| name_of(entry) == Some(name));
    at.or_else(|| name.parse().ok().filter(|at| *at < list.len())).ok_or_else(|| {
        let found = match names.is_empty() {
            true => format!("the list has no entry {name}: it has {}, counted from 0", list.len()),
            false => format!("the list has no entry {name:?}"),
        };
        misplaced(keys, depth, found, names)
    })
}

fn no_part(keys: &[Spanned<DeString<'_>>], depth: usize, value: &DeValue<'_>) -> Misplaced {
    let found = format!("{:?} is no part of {}", keys[depth].get_ref(), described(value));
    misplaced(keys, depth, found, Vec::new())
}

fn misplaced(keys: &[Spanned<DeString<'_>>], depth: usize, found: String, allowed: Vec<String>) -> Misplaced {
    let path = keys[..=depth].iter().map(|key| key.get_ref().to_string()).collect();
    let key = &keys[depth];
    Misplaced { path, span: key.span(), found, name: key.get_ref().to_string(), allowed }
}

fn described(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("the text {text:?}"),
        DeValue::Integer(number) => format!("the number {number}"),
        DeValue::Float(number) => format!("the number {number}"),
        DeValue::Boolean(flag) => flag.to_string(),
        _ => "a value that has no parts".to_string(),
    }
}

/// The `name` of an entry of a list; `None`: it gives none.
pub(super) fn name_of<'e>(entry: &'e Spanned<DeValue<'_>>) -> Option<&'e str> {
    entry.get_ref().as_table()?.get("name")?.get_ref().as_str()
}
