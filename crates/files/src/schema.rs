//! JSON Schema (2020-12) of the study and mechanism files, for editors: printed from the same
//! sections by which the reader opens tables.

use serde_json::{Map, Value, json};

use super::keys::{
    DEFAULT_METHOD, DEFAULT_TREATMENT, FileKey, Form, Presence, STUDY, Section, WITH_UNIT, channels_by_owner,
    compared_method_sections, distribution_section, distribution_words, mechanism_section, method_sections,
    open_method_section, treatment_sections,
};
use super::kinds::kind_sections;
use polhode_description::base::units::Dimension;
use polhode_description::describe::kind::MonteCarlo;

/// Schema of a study file.
pub fn study_schema() -> Value {
    document("polhode study", &STUDY)
}

/// Schema of a mechanism file.
pub fn mechanism_schema() -> Value {
    with_expressions(document("polhode mechanism", mechanism_section()))
}

/// The schema of a mechanism: every number may be an expression of its constants, but for those
/// beside a `unit` of their own.
fn with_expressions(mut schema: Value) -> Value {
    match &mut schema {
        Value::Object(object) => {
            let has_unit = object.get("properties").and_then(Value::as_object).is_some_and(|properties| {
                properties.len() == 2 && properties.contains_key("value") && properties.contains_key("unit")
            });
            if has_unit {
                return schema;
            }
            if object.get("type") == Some(&json!("number")) {
                object.insert("type".to_string(), json!(["number", "string"]));
            }
            if object.get("pattern") == Some(&json!(QUANTITY)) {
                object.remove("pattern");
            }
            for value in object.values_mut() {
                *value = with_expressions(value.take());
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|value| *value = with_expressions(value.take())),
        _ => {}
    }
    schema
}

fn document(title: &str, section: &'static Section) -> Value {
    let mut schema = json!({ "$schema": "https://json-schema.org/draft/2020-12/schema", "title": title });
    merge(&mut schema, object(section));
    schema
}

fn object(section: &'static Section) -> Value {
    let properties: Map<String, Value> =
        section.keys.iter().map(|key| (key.name.to_string(), property(key))).collect();
    let required: Vec<&str> = section
        .keys
        .iter()
        .filter(|key| matches!(key.presence, Presence::Required))
        .map(|key| key.name)
        .collect();
    let mut schema = json!({
        "type": "object",
        "description": section.doc,
        "properties": properties,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

fn property(key: &'static FileKey) -> Value {
    let mut schema = form(&key.form);
    let unit = unit(&key.form).filter(|unit| !unit.is_empty());
    schema["description"] = match (unit, &key.form) {
        (Some(unit), _) => json!(format!("{} Plain numbers: {unit}.", key.doc)),
        (None, Form::Channels) => json!(format!("{} {}", key.doc, channels_by_owner())),
        (None, _) => json!(key.doc),
    };
    if let Presence::Default(text) = key.presence {
        schema["default"] = toml_to_json(text);
    }
    schema
}

/// The SI unit of a form's plain numbers.
fn unit(form: &Form) -> Option<&'static str> {
    match form {
        Form::Quantity(dimension)
        | Form::Positive(dimension)
        | Form::NotNegative(dimension)
        | Form::Vector(dimension)
        | Form::Pair(dimension)
        | Form::Matrix(dimension) => Some(dimension.si()),
        Form::Varied => Some("SI, of the varied quantity"),
        Form::AnyQuantity => Some("SI"),
        Form::Either(forms) => {
            let units: Vec<&str> = forms.iter().filter_map(|form| unit(form)).collect();
            units.first().copied().filter(|first| units.iter().all(|unit| unit == first))
        }
        _ => None,
    }
}

fn several(dimension: Dimension, count: usize) -> Value {
    either([list(number(dimension), count), with_unit(list(json!({ "type": "number" }), count))])
}

fn form(form_of: &'static Form) -> Value {
    match form_of {
        Form::Text => json!({ "type": "string" }),
        Form::Flag => json!({ "type": "boolean" }),
        Form::Choice(names) => json!({ "enum": names }),
        Form::Pattern(pattern) => json!({ "type": "string", "pattern": pattern }),
        Form::Count { min, max } => json!({ "type": "integer", "minimum": min, "maximum": max }),
        Form::Number | Form::Positive(Dimension::Number) | Form::NotNegative(Dimension::Number) => {
            json!({ "type": "number" })
        }
        Form::Bounded { min, max } => json!({ "type": "number", "minimum": min, "maximum": max }),
        Form::Method => {
            let tables = method_sections().map(|of| named(of, "name", DEFAULT_METHOD));
            let tables = std::iter::once(chosen(open_method_section())).chain(tables);
            json!({ "anyOf": tables.collect::<Vec<_>>() })
        }
        Form::ComparedMethod => {
            let tables = compared_method_sections().map(|of| named(of, "name", DEFAULT_METHOD));
            json!({ "anyOf": tables.collect::<Vec<_>>() })
        }
        Form::Constraints => {
            let tables = treatment_sections().map(|of| named(of, "treatment", DEFAULT_TREATMENT));
            json!({ "anyOf": tables.collect::<Vec<_>>() })
        }
        Form::Kind => {
            let tables = kind_sections().map(|of| named(of, "kind", MonteCarlo::CARD.name));
            json!({ "anyOf": tables.collect::<Vec<_>>() })
        }
        Form::Channels => json!({ "type": "array", "items": { "type": "string" } }),
        Form::Distribution => {
            let words: Vec<&str> = distribution_words().collect();
            either([json!({ "enum": words }), object(distribution_section())])
        }
        Form::Names(names) => json!({ "enum": names() }),
        Form::Quantity(dimension) | Form::Positive(dimension) | Form::NotNegative(dimension) => {
            either([number(*dimension), with_unit(json!({ "type": "number" }))])
        }
        Form::QuantityText(dimension) => text(*dimension),
        Form::Vector(dimension) => several(*dimension, 3),
        Form::Pair(dimension) => several(*dimension, 2),
        Form::Matrix(dimension) => {
            let plain = list(list(json!({ "type": "number" }), 3), 3);
            either([list(list(number(*dimension), 3), 3), with_unit(plain)])
        }
        Form::AnyQuantity => json!({ "type": ["number", "string"] }),
        Form::Varied => {
            let one = json!({ "type": ["number", "string"] });
            let several = json!({ "type": "array", "items": one });
            either([one, several, object(&WITH_UNIT)])
        }
        Form::Numbers(Some(count)) => list(json!({ "type": "number" }), *count),
        Form::Numbers(None) => json!({ "type": "array", "items": { "type": "number" } }),
        Form::NumberRows => json!({ "type": "array", "items": form(&Form::Numbers(None)) }),
        Form::List(entry) => json!({ "type": "array", "items": form(entry) }),
        Form::Table(section) => object(section),
        Form::Mechanism => with_expressions(object(mechanism_section())),
        Form::Map(entry) => json!({ "type": "object", "additionalProperties": form(entry) }),
        Form::Either(forms) => either(forms.iter().map(|one| form(one))),
    }
}

/// One of several tables, recognised by the value of `key`, which only the default may leave out.
fn named((name, section): (&str, &'static Section), key: &str, default: &str) -> Value {
    let mut schema = object(section);
    schema["title"] = json!(name);
    schema["properties"][key]["enum"] = json!([name]);
    if name != default {
        let mut required = schema["required"].as_array().cloned().unwrap_or_default();
        required.push(json!(key));
        schema["required"] = json!(required);
    }
    schema
}

/// The table of a method that has no name.
fn chosen(section: &'static Section) -> Value {
    let mut schema = object(section);
    schema["title"] = json!("chosen");
    if let Some(properties) = schema["properties"].as_object_mut() {
        properties.remove("name");
    }
    schema
}

/// Begin of a text with a unit.
const QUANTITY: &str = "^\\s*[-+]?[0-9.]";

/// A plain number, or a text with a unit.
fn number(dimension: Dimension) -> Value {
    either([json!({ "type": "number" }), text(dimension)])
}

fn text(dimension: Dimension) -> Value {
    json!({ "type": "string", "pattern": QUANTITY, "examples": dimension.examples() })
}

fn list(items: Value, count: usize) -> Value {
    json!({ "type": "array", "items": items, "minItems": count, "maxItems": count })
}

/// `{ value = .., unit = ".." }` with this form of value.
fn with_unit(value: Value) -> Value {
    let mut schema = object(&WITH_UNIT);
    schema["properties"]["value"] = value;
    schema
}

/// Any of several forms; those that offer a choice themselves are flattened.
fn either(forms: impl IntoIterator<Item = Value>) -> Value {
    let flat = forms.into_iter().flat_map(|form| match form {
        Value::Object(mut object) if object.len() == 1 && object.contains_key("anyOf") => {
            match object.remove("anyOf") {
                Some(Value::Array(inner)) => inner,
                _ => Vec::new(),
            }
        }
        other => vec![other],
    });
    json!({ "anyOf": flat.collect::<Vec<_>>() })
}

fn merge(schema: &mut Value, other: Value) {
    if let Value::Object(other) = other {
        for (key, value) in other {
            schema[key] = value;
        }
    }
}

/// A default of the key tables, which are TOML.
fn toml_to_json(text: &str) -> Value {
    let document: toml::Table =
        format!("value = {text}").parse().unwrap_or_else(|error| unreachable!("default {text}: {error}"));
    json!(document["value"])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choices(section: &'static Section, key: &str) -> &'static [&'static str] {
        match section.key(key).map(|key| &key.form) {
            Some(Form::Choice(names)) => names,
            other => panic!("{key}: {other:?}"),
        }
    }

    fn names<T>(table: &[(&'static str, T)]) -> Vec<&'static str> {
        table.iter().map(|(name, _)| *name).collect()
    }

    #[test]
    fn choices_are_those_the_reader_knows() {
        use super::super::elements::{generator, lock};
        use super::super::keys::FLEXIBLE;
        use super::super::{read_flexible, read_joint};
        use polhode_engine::observe::channels;
        assert_eq!(choices(generator::section(), "coordinate"), names(&read_joint::COORDINATES));
        assert_eq!(choices(lock::section(), "coordinate"), names(&read_joint::COORDINATES));
        assert_eq!(choices(&FLEXIBLE, "frame"), names(&read_flexible::FRAMES));
        let schema = study_schema().to_string();
        for name in channels::names() {
            assert!(schema.contains(&name), "the schema does not mention the channel {name}");
        }
    }
}
