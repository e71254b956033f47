//! Values given beside a file, as by `--set KEY=VALUE`: they take the place of the file's, and are checked like those.

use std::ops::Range;
use std::str::FromStr;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::document::name_of;

/// One value of a study or of its mechanism by the path of its key: `method.step = "1 ms"`, `mechanism.body.lower.mass = 2`. Entries of
/// a list are named by their `name`, or counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySetting {
    /// One line of TOML.
    line: String,
    path: Vec<String>,
    /// Names at the beginning of the path that the document stands for.
    above: usize,
}

/// Why a text is no [`KeySetting`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    #[error("give KEY=VALUE, as method.step=1e-3 or ensemble.size=500")]
    NoValue,
    #[error(
        "`{0}` is no key: give all names from the top with dots between them, as ensemble.size; quote a name that has dots itself"
    )]
    NoKey(String),
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
        Ok(KeySetting { line, path, above: 0 })
    }
}

/// The names of a dotted key; `None`: it is none.
fn path_of(key: &str) -> Option<Vec<String>> {
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

    /// Puts the value into its place in `root`; `parsed` is what TOML makes of the [`line`](Self::line).
    pub(super) fn put<'a>(
        &self,
        root: &mut Spanned<DeValue<'a>>,
        mut parsed: DeTable<'a>,
    ) -> Result<(), Misplaced> {
        let mut keys = Vec::new();
        while let Some((key, value)) = std::mem::take(&mut parsed).into_iter().next() {
            keys.push(key);
            if keys.len() == self.path.len() {
                return put(root, &keys[self.above..], 0, value);
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
    let name = key.get_ref().as_ref();
    let misplaced = |found: String, allowed: Vec<String>| {
        let path = keys[..=depth].iter().map(|key| key.get_ref().to_string()).collect();
        Err(Misplaced { path, span: key.span(), found, name: name.to_string(), allowed })
    };
    match place.get_mut() {
        DeValue::Table(table) => {
            let empty = || Spanned::new(key.span(), DeValue::Table(DeTable::new()));
            put(table.entry(key.clone()).or_insert_with(empty), keys, depth + 1, value)
        }
        DeValue::Array(list) => {
            let names: Vec<String> = list.iter().filter_map(name_of).map(str::to_string).collect();
            let at = list.iter().position(|entry| name_of(entry) == Some(name));
            match at.or_else(|| name.parse().ok().filter(|at| *at < list.len())) {
                Some(at) => put(&mut list.as_mut()[at], keys, depth + 1, value),
                None if names.is_empty() => misplaced(
                    format!("the list has no entry {name}: it has {}, counted from 0", list.len()),
                    Vec::new(),
                ),
                None => misplaced(format!("the list has no entry {name:?}"), names),
            }
        }
        other => misplaced(format!("{name:?} is no part of {}", described(other)), Vec::new()),
    }
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
