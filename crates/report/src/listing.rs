//! A small table of named columns with units, in every form that a person or a program may want:
//! Parquet, JSON, HTML, plain text.

use std::borrow::Cow;

use arrow_array::ArrayRef;
use arrow_schema::Field;
use maud::{Markup, html};
use serde_json::{Map, Value, json};

use super::error::OutputError;
use super::new_file::NewFile;
use super::numbers::with_minus;
use super::spread;
use super::table::{ColumnType, TableWriter, field, float_array, integer_array, text_array};
use polhode_description::base::text::WIDEST;
use polhode_description::base::{Precision, grouped, in_brackets};

/// The cells of a column, one entry a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Cells {
    Text(Vec<String>),
    Counts(Vec<u64>),
    /// NaN: there is none.
    Numbers(Vec<f64>),
}

/// A column with its unit (`1` for a pure number, empty for text).
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    pub name: &'static str,
    pub unit: &'static str,
    pub description: Cow<'static, str>,
    pub cells: Cells,
    /// Relative spread of each number between repeats; empty: the numbers are exact.
    pub spreads: Vec<f64>,
    /// The bound that no number can exceed: people read "impossible" for one that does.
    pub bound: Option<f64>,
    /// The text that people read for the name; absent: the name itself.
    pub heading: Option<String>,
    /// Also where people read; else for programs alone.
    pub shown: bool,
}

impl Listed {
    pub(super) fn new(
        name: &'static str,
        unit: &'static str,
        description: Cow<'static, str>,
        cells: Cells,
    ) -> Listed {
        Listed {
            name,
            unit,
            description,
            cells,
            spreads: Vec::new(),
            bound: None,
            heading: None,
            shown: true,
        }
    }

    pub fn text(name: &'static str, description: impl Into<Cow<'static, str>>, cells: Vec<String>) -> Listed {
        Listed::new(name, "", description.into(), Cells::Text(cells))
    }

    pub fn counts(
        name: &'static str,
        unit: &'static str,
        description: impl Into<Cow<'static, str>>,
        cells: Vec<u64>,
    ) -> Listed {
        Listed::new(name, unit, description.into(), Cells::Counts(cells))
    }

    pub fn numbers(
        name: &'static str,
        unit: &'static str,
        description: impl Into<Cow<'static, str>>,
        cells: Vec<f64>,
    ) -> Listed {
        Listed::new(name, unit, description.into(), Cells::Numbers(cells))
    }

    /// Numbers that were measured again and again, with the spread of each (half the distance of
    /// the quartiles over the median): people read as many digits as it leaves.
    pub fn repeated(self, spreads: Vec<f64>) -> Listed {
        Listed { spreads, ..self }
    }

    /// Numbers that cannot be larger than this.
    pub fn bounded(self, bound: f64) -> Listed {
        Listed { bound: Some(bound), ..self }
    }

    /// For programs alone.
    pub fn unshown(self) -> Listed {
        Listed { shown: false, ..self }
    }

    /// With another meaning.
    pub fn described(self, description: String) -> Listed {
        Listed { description: description.into(), ..self }
    }

    /// With other words than its name for people.
    pub fn headed(self, heading: String) -> Listed {
        Listed { heading: Some(heading), ..self }
    }

    fn rows(&self, rows: &[usize]) -> Listed {
        fn of<T: Clone>(cells: &[T], rows: &[usize]) -> Vec<T> {
            rows.iter().filter_map(|row| cells.get(*row).cloned()).collect()
        }
        let cells = match &self.cells {
            Cells::Text(cells) => Cells::Text(of(cells, rows)),
            Cells::Counts(cells) => Cells::Counts(of(cells, rows)),
            Cells::Numbers(cells) => Cells::Numbers(of(cells, rows)),
        };
        Listed { cells, spreads: of(&self.spreads, rows), ..self.clone() }
    }

    fn is_blank(&self) -> bool {
        match &self.cells {
            Cells::Text(cells) => !cells.is_empty() && cells.iter().all(String::is_empty),
            Cells::Counts(_) | Cells::Numbers(_) => false,
        }
    }

    fn is_text(&self) -> bool {
        matches!(self.cells, Cells::Text(_))
    }

    fn field(&self) -> Field {
        let kind = match self.cells {
            Cells::Text(_) => ColumnType::Text,
            Cells::Counts(_) => ColumnType::Integer,
            Cells::Numbers(_) => ColumnType::Float(Precision::F64),
        };
        field(self.name, self.unit, &self.description, kind)
    }

    fn array(&self) -> ArrayRef {
        match &self.cells {
            Cells::Text(cells) => text_array(cells.iter().map(String::as_str)),
            Cells::Counts(cells) => integer_array(cells.iter().copied()),
            Cells::Numbers(cells) => float_array(cells.iter().copied(), Precision::F64),
        }
    }

    fn json(&self, row: usize) -> Value {
        match &self.cells {
            Cells::Text(cells) => json!(cells[row]),
            Cells::Counts(cells) => json!(cells[row]),
            Cells::Numbers(cells) => json!(cells[row].is_finite().then_some(cells[row])),
        }
    }

    /// For people: numbers to three digits, less where repeats differ.
    fn sentence(&self, row: usize) -> String {
        match &self.cells {
            Cells::Text(cells) => cells[row].clone(),
            Cells::Counts(cells) => grouped(cells[row]),
            Cells::Numbers(cells) if self.bound.is_some_and(|bound| cells[row] > bound) => {
                "impossible".into()
            }
            Cells::Numbers(cells) => {
                spread::measured(cells[row], self.spreads.get(row).copied().unwrap_or(0.0))
            }
        }
    }

    /// A page has [the sentence](Self::sentence) with minus signs.
    fn page(&self, row: usize) -> String {
        let sentence = self.sentence(row);
        if self.is_text() { sentence } else { with_minus(&sentence) }
    }

    /// Its name as people read it.
    fn told_name(&self) -> String {
        self.heading.clone().unwrap_or_else(|| self.name.replace('_', " "))
    }

    fn heading(&self) -> String {
        let name = self.told_name();
        format!("{name}{}", in_brackets(self.unit))
    }
}

/// A table of columns of equal length.
#[derive(Clone, Debug, PartialEq)]
pub struct Listing {
    /// The meaning of a row.
    pub description: &'static str,
    pub columns: Vec<Listed>,
}

impl Listing {
    pub fn rows(&self) -> usize {
        match self.columns.first().map(|column| &column.cells) {
            Some(Cells::Text(cells)) => cells.len(),
            Some(Cells::Counts(cells)) => cells.len(),
            Some(Cells::Numbers(cells)) => cells.len(),
            None => 0,
        }
    }

    /// With the column of this name as `change` makes it.
    pub fn with(mut self, name: &str, change: impl FnOnce(Listed) -> Listed) -> Listing {
        if let Some(at) = self.columns.iter().position(|column| column.name == name) {
            let column = self.columns.remove(at);
            self.columns.insert(at, change(column));
        }
        self
    }

    /// The rows that have a number in this column.
    pub fn known(&self, name: &str) -> Listing {
        let column = self.columns.iter().find(|column| column.name == name);
        let Some(Listed { cells: Cells::Numbers(numbers), .. }) = column else { return self.clone() };
        let known: Vec<usize> = (0..numbers.len()).filter(|row| numbers[*row].is_finite()).collect();
        self.only(&known)
    }

    /// These rows alone.
    pub fn only(&self, rows: &[usize]) -> Listing {
        let columns = self.columns.iter().map(|column| column.rows(rows)).collect();
        Listing { description: self.description, columns }
    }

    /// With these columns for programs alone.
    pub fn unshown(self, names: &[&str]) -> Listing {
        names.iter().fold(self, |listing, name| listing.with(name, Listed::unshown))
    }

    pub fn write_parquet(&self, file: &NewFile) -> Result<(), OutputError> {
        let fields = self.columns.iter().map(Listed::field).collect();
        let mut writer = TableWriter::create(file, fields, self.description)?;
        writer.write(self.columns.iter().map(Listed::array).collect())?;
        writer.finish()
    }

    /// `{ "description": .., "units": { NAME: UNIT }, "rows": [ { NAME: VALUE } ] }`; what there is
    /// none of is null.
    pub fn json(&self) -> Value {
        let units: Map<String, Value> =
            self.columns.iter().map(|column| (column.name.to_string(), json!(column.unit))).collect();
        let row = |row: usize| -> Map<String, Value> {
            self.columns.iter().map(|column| (column.name.to_string(), column.json(row))).collect()
        };
        let rows: Vec<Map<String, Value>> = (0..self.rows()).map(row).collect();
        json!({ "description": self.description, "units": units, "rows": rows })
    }

    /// Columns for people: those of which no row says anything are none.
    fn shown(&self) -> impl Iterator<Item = &Listed> {
        self.columns.iter().filter(|column| column.shown && !column.is_blank())
    }

    pub(crate) fn html(&self) -> Markup {
        html! {
            div.scroll tabindex="0" {
                table.wide {
                    thead { tr { @for column in self.shown() {
                        th class=[(!column.is_text()).then_some("number")] title=(column.description) {
                            (column.heading())
                        }
                    } } }
                    tbody { @for row in 0..self.rows() { tr { @for column in self.shown() {
                        td class=[(!column.is_text()).then_some("number")] { (column.page(row)) }
                    } } } }
                }
            }
        }
    }

    /// Lines for a terminal, the headings first, their units beneath.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![String::new(); self.rows() + 2];
        for column in self.shown() {
            let unit = match column.unit {
                "1" => "",
                unit => unit,
            };
            let mut cells = vec![column.told_name(), unit.to_string()];
            cells.extend((0..self.rows()).map(|row| column.sentence(row)));
            let width = cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(0).min(WIDEST);
            for (line, cell) in lines.iter_mut().zip(&cells) {
                if !line.is_empty() {
                    line.push_str("  ");
                }
                match column.is_text() {
                    true => line.push_str(&format!("{cell:<width$}")),
                    false => line.push_str(&format!("{cell:>width$}")),
                }
            }
        }
        lines.into_iter().map(|line| line.trim_end().to_string()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_says_the_same_in_every_form() {
        let listing = Listing {
            description: "One row a thing.",
            columns: vec![
                Listed::text("thing", "Its name.", vec!["a".into(), "bcd".into()]),
                Listed::counts("size", "1", "How many.", vec![1, 20_000]),
                Listed::numbers("cost", "ns", "Time.", vec![1.23456, f64::NAN]),
            ],
        };
        let json = listing.json();
        assert_eq!(json["units"]["cost"], "ns");
        assert_eq!(json["rows"][0]["cost"], 1.23456);
        assert!(json["rows"][1]["cost"].is_null());
        let lines = listing.lines();
        assert_eq!(lines.len(), 4);
        assert!(lines[2].starts_with("a  ") && lines[2].ends_with("1.23"), "{lines:?}");
        assert!(lines[3].contains("20,000"), "{lines:?}");
        let html = listing.html().into_string();
        assert!(html.contains("cost (ns)") && html.contains("bcd"));
    }

    #[test]
    fn people_read_fewer_digits_of_what_repeats_scatter_and_programs_read_all() {
        let listing = Listing {
            description: "One row a thing.",
            columns: vec![
                Listed::numbers("cost", "ns", "Time.", vec![1.23456, 1.23456]).repeated(vec![0.01, 0.4]),
            ],
        };
        assert_eq!(listing.lines()[2..], ["   1.23", "about 1"]);
        assert!(listing.html().into_string().contains("about 1<"));
        assert_eq!(listing.json()["rows"][1]["cost"], 1.23456);
    }

    #[test]
    fn what_cannot_be_is_called_impossible() {
        let share = Listed::numbers("share", "1", "Of the peak.", vec![1.0, 2.19, f64::NAN]).bounded(1.0);
        let sentences: Vec<String> = (0..3).map(|row| share.sentence(row)).collect();
        assert_eq!(sentences, ["1", "impossible", "–"]);
    }
}
