//! The keys in which two resolved studies differ.

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

/// The keys, in the order of the first study, then those of the second alone; without numbers that
/// both draw from one distribution, in place of which every instance has its own.
///
/// # Errors
/// One of them is no TOML.
pub fn differences(first: &str, second: &str) -> Result<Vec<Difference>, toml::de::Error> {
    let tables = [first.parse::<Table>()?, second.parse::<Table>()?];
    let are_drawn = |key: &str| {
        let [a, b] = tables.each_ref().map(|study| drawn(study, key));
        a.is_some() && a == b
    };
    let [first, second] = tables.each_ref().map(|study| {
        let mut flat = Vec::new();
        flatten("", &Value::Table(study.clone()), &mut flat);
        flat
    });
    let value =
        |of: &[(String, String)], key: &str| of.iter().find(|(k, _)| k == key).map(|(_, v)| v.clone());
    let mut keys: Vec<&String> = first.iter().map(|(key, _)| key).collect();
    keys.extend(second.iter().map(|(key, _)| key).filter(|key| value(&first, key).is_none()));
    let difference = |key: &String| Difference {
        key: key.clone(),
        first: value(&first, key),
        second: value(&second, key),
    };
    let found = keys.into_iter().map(difference);
    Ok(found.filter(|d| d.first != d.second && !are_drawn(&d.key)).collect())
}

/// The distribution from which a study draws the number of its mechanism that a key gives:
/// `pole.mass` that of `mechanism.body[0].mass`, where this body is called pole.
fn drawn<'a>(study: &'a Table, key: &str) -> Option<&'a Value> {
    let own = key.strip_prefix("mechanism.")?;
    let target = match own.split_once('[') {
        None => own.to_string(),
        Some((kind, rest)) => {
            let (place, rest) = rest.split_once(']')?;
            let element = study.get("mechanism")?.get(kind)?.get(place.parse::<usize>().ok()?)?;
            format!("{}{rest}", element.get("name")?.as_str()?)
        }
    };
    study.get("ensemble")?.get("vary")?.get(target)
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
        Value::Float(x) => flat.push((key.to_string(), format!("{x:?}"))),
        value => flat.push((key.to_string(), value.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_every_instance_draws_does_not_differ() {
        let study = |mass: f64, gain: f64, high: f64| {
            format!(
                "[ensemble.vary]\n\"pole.mass\" = {{ uniform = [0.1, {high}] }}\n\
                 \"constants.k\" = {{ list = [1] }}\n\
                 [mechanism.constants]\nk = {gain}\n[[mechanism.body]]\nname = \"cart\"\nmass = 1\n\
                 [[mechanism.body]]\nname = \"pole\"\nmass = {mass}\nlength = {gain}\n"
            )
        };
        let keys = |second: &str| -> Vec<String> {
            differences(&study(0.2, 7.0, 0.3), second).unwrap().into_iter().map(|d| d.key).collect()
        };
        assert_eq!(keys(&study(0.5, 8.0, 0.3)), ["mechanism.body[1].length"]);
        // From another distribution both differ.
        let of_another = ["ensemble.vary.\"pole.mass\".uniform", "mechanism.body[1].mass"];
        assert_eq!(keys(&study(0.5, 7.0, 0.4)), of_another);
        // The mass of another body is not drawn.
        let renamed = study(0.5, 7.0, 0.3).replace("\"pole\"", "\"rod\"");
        assert_eq!(keys(&renamed), ["mechanism.body[1].name", "mechanism.body[1].mass"]);
    }

    #[test]
    fn keys_that_differ_are_named() {
        let first = "a = 1\ntolerance = 1e-8\n[b]\n\"x.y\" = { c = [1, 2] }\nd = 'same'\n[[e]]\nm = 1\n\
                     [[e]]\nm = 2\n";
        let second = "a = 1\ntolerance = 2.5e-6\n[b]\n\"x.y\" = { c = [1, 3] }\nd = 'same'\nnew = true\n\
                      [[e]]\nm = 1\n[[e]]\n";
        let found = differences(first, second).unwrap();
        let text = |value: &Option<String>| value.clone().unwrap_or("-".to_string());
        let found: Vec<[String; 3]> =
            found.iter().map(|d| [d.key.clone(), text(&d.first), text(&d.second)]).collect();
        assert_eq!(
            found,
            [
                ["tolerance", "1e-8", "2.5e-6"],
                ["b.\"x.y\".c", "[1, 2]", "[1, 3]"],
                ["e[1].m", "2", "-"],
                ["b.new", "-", "true"],
            ]
        );
    }
}
