//! The keys of mechanism files as a page of tables, printed from the sections by which the reader
//! opens tables: `docs/reference/mechanism-keys.md`.

use std::fmt::Write;

use super::keys::{FileKey, Form, Presence, Section, mechanism_section};
use polhode_description::base::units::Dimension;

/// The page.
pub fn mechanism_keys() -> String {
    let mut page = Page { text: INTRODUCTION.to_string(), shown: Vec::new() };
    page.section("", mechanism_section());
    page.text
}

const INTRODUCTION: &str = "# Keys of mechanism files

polhode prints this page from the tables by which it reads files (`POLHODE_BLESS=1 cargo test --release --test
command key_tables`). [Mechanism files](../mechanism-files.md) shows how the keys go together.

A quantity is a plain number in the SI unit given here, or a text with a unit, such as `\"20 N m/rad\"`. A
vector is a list of three. Every number may be an [expression of the constants](../parameters.md): `mass =
\"rho*A*l\"`. A function is a number, an expression such as `\"5*sin(t)\"`, or a table as
[`generator.value`](#generatorvalue). A key without a default that is not required may be left out.
";

struct Page {
    text: String,
    /// The sections that have a heading, and their headings.
    shown: Vec<(*const Section, String)>,
}

impl Page {
    /// The section at `path`, and after it those that its keys open.
    fn section(&mut self, path: &str, section: &'static Section) {
        let kind = match section.key("kind").map(|kind| kind.form) {
            Some(Form::Choice([only])) => format!(" of kind `{only}`"),
            _ => String::new(),
        };
        let heading = if path.is_empty() { "The file".to_string() } else { format!("`{path}`{kind}") };
        // Several forms of one table are distinguished by their kind.
        let heading = match self.shown.iter().any(|(_, other)| *other == heading) {
            true => {
                let what = section.doc.split([',', ':', '.', ';']).next().unwrap_or_default();
                format!("{heading}: {}{}", what[..1].to_lowercase(), &what[1..])
            }
            false => heading,
        };
        let _ = write!(
            self.text,
            "\n## {heading}\n\n{}\n\n| key | value | default | meaning |\n|---|---|---|---|\n",
            section.doc
        );
        for key in section.keys {
            let default = match key.presence {
                Presence::Required => "required".to_string(),
                Presence::Optional => String::new(),
                Presence::Default(value) => format!("`{value}`"),
            };
            let _ = writeln!(
                self.text,
                "| `{}` | {} | {default} | {} |",
                key.name,
                shape(&key.form),
                key.doc.replace('|', "\\|")
            );
        }
        self.shown.push((section, heading));
        for key in section.keys {
            self.below(path, key, &key.form);
        }
    }

    fn below(&mut self, path: &str, key: &FileKey, form: &'static Form) {
        match form {
            Form::Table(section) if !self.shown.iter().any(|(other, _)| std::ptr::eq(*other, *section)) => {
                let path =
                    if path.is_empty() { key.name.to_string() } else { format!("{path}.{}", key.name) };
                self.section(&path, section);
            }
            Form::List(entry) | Form::Map(entry) => self.below(path, key, entry),
            Form::Either(forms) => forms.iter().for_each(|form| self.below(path, key, form)),
            _ => {}
        }
    }
}

/// Returns the form of a value in words, with its unit.
fn shape(form: &Form) -> String {
    let with_unit = |what: &str, dimension: Dimension| match dimension.si() {
        "" | "1" => what.to_string(),
        unit => format!("{what}, {unit}"),
    };
    match form {
        Form::Text | Form::Pattern(_) => "text".to_string(),
        Form::Flag => "`true` or `false`".to_string(),
        Form::Choice(names) => {
            names.iter().map(|name| format!("`\"{name}\"`")).collect::<Vec<_>>().join(", ")
        }
        Form::Names(names) => {
            names().iter().map(|name| format!("`\"{name}\"`")).collect::<Vec<_>>().join(", ")
        }
        Form::Count { min, max } => format!("whole number from {min} to {max}"),
        Form::Number | Form::Positive(Dimension::Number) | Form::NotNegative(Dimension::Number) => {
            "number".to_string()
        }
        Form::Bounded { min, max } => format!("number from {min} to {max}"),
        Form::Quantity(dimension) | Form::Positive(dimension) | Form::NotNegative(dimension) => {
            with_unit("quantity", *dimension)
        }
        Form::QuantityText(dimension) => format!("text with a unit ({})", dimension.name()),
        Form::Vector(dimension) => with_unit("vector", *dimension),
        Form::Pair(dimension) => with_unit("two quantities", *dimension),
        Form::Matrix(dimension) => with_unit("3 x 3 matrix", *dimension),
        Form::AnyQuantity => "quantity".to_string(),
        Form::Varied => "quantities".to_string(),
        Form::Numbers(Some(count)) => format!("{count} numbers"),
        Form::Numbers(None) => "numbers".to_string(),
        Form::NumberRows => "rows of numbers".to_string(),
        Form::List(entry) => match entry {
            Form::Table(_) => "list of tables".to_string(),
            entry => format!("list of: {}", shape(entry)),
        },
        Form::Table(_)
        | Form::Mechanism
        | Form::Method
        | Form::ComparedMethod
        | Form::Constraints
        | Form::Kind => "table".to_string(),
        Form::Distribution => "text or table".to_string(),
        Form::Channels => "list of names".to_string(),
        Form::Map(entry) => format!("table of: {}", shape(entry)),
        Form::Either(forms) => {
            let mut shapes: Vec<String> = Vec::new();
            for shape in forms.iter().map(|form| shape(form)) {
                if !shapes.contains(&shape) {
                    shapes.push(shape);
                }
            }
            shapes.join("; or ")
        }
    }
}
