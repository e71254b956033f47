//! In which keys two resolved studies differ.

use toml::{Table, Value};

/// A key that does not have the same value in both.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// For example `method.step`, `mechanism.body[0].mass`.
    pub key: String,
    /// As TOML; `None`: it is not there.
    pub first: Option<String>,
    pub second: Option<String>,
}

/// The keys, in the order of the first study, then those of the second alone.
///
/// # Errors
/// One of them is no TOML.
pub fn differences(first: &str, second: &str) -> Result<Vec<Difference>, toml::de::Error> {
    let flat = |text: &str| -> Result<Vec<(String, String)>, toml::de::Error> {
        let mut flat = Vec::new();
        flatten("", &Value::Table(text.parse::<Table>()?), &mut flat);
        Ok(flat)
    };
    let (first, second) = (flat(first)?, flat(second)?);
    let value =
        |of: &[(String, String)], key: &str| of.iter().find(|(k, _)| k == key).map(|(_, v)| v.clone());
    let mut keys: Vec<&String> = first.iter().map(|(key, _)| key).collect();
    keys.extend(second.iter().map(|(key, _)| key).filter(|key| value(&first, key).is_none()));
    let difference = |key: &String| Difference {
        key: key.clone(),
        first: value(&first, key),
        second: value(&second, key),
    };
    Ok(keys.into_iter().map(difference).filter(|d| d.first != d.second).collect())
}

/// Tables and lists of tables are taken apart, all else is a value.
fn flatten(key: &str, value: &Value, flat: &mut Vec<(String, String)>) {
    match value {
        Value::Table(table) => {
            for (name, value) in table {
                let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
                let name = if plain { name.clone() } else { format!("{name:?}") };
                flatten(&if key.is_empty() { name } else { format!("{key}.{name}") }, value, flat);
            }
        }
        Value::Array(values) if values.iter().any(Value::is_table) => {
            values.iter().enumerate().for_each(|(i, value)| flatten(&format!("{key}[{i}]"), value, flat));
        }
        value => flat.push((key.to_string(), value.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_differ_are_named() {
        let first = "a = 1\n[b]\n\"x.y\" = { c = [1, 2] }\nd = 'same'\n[[e]]\nm = 1\n[[e]]\nm = 2\n";
        let second = "a = 1\n[b]\n\"x.y\" = { c = [1, 3] }\nd = 'same'\nnew = true\n[[e]]\nm = 1\n[[e]]\n";
        let found = differences(first, second).unwrap();
        let text = |value: &Option<String>| value.clone().unwrap_or("-".to_string());
        let found: Vec<[String; 3]> =
            found.iter().map(|d| [d.key.clone(), text(&d.first), text(&d.second)]).collect();
        assert_eq!(
            found,
            [["b.\"x.y\".c", "[1, 2]", "[1, 3]"], ["e[1].m", "2", "-"], ["b.new", "-", "true"],]
        );
    }
}
