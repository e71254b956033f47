//! Rows of the long table: one figure each, with its unit and the spread of its repeats.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

use polhode::backend::gpu::adapter::AdapterSummary;
use polhode::base::Precision;
use polhode::output::now_utc;
use polhode::study::judge::median_and_spread;

pub const COLUMNS: [&str; 11] = [
    "date",
    "device",
    "part",
    "case",
    "precision",
    "instances",
    "steps",
    "figure",
    "value",
    "unit",
    "spread",
];

/// The figure of a row that says why something was not measured.
pub const LEFT_OUT: &str = "left out";

/// A row; a cell that says nothing is empty.
#[derive(Clone, Debug, Default)]
pub struct Row {
    pub device: String,
    pub part: String,
    pub case: String,
    pub precision: String,
    pub instances: String,
    pub steps: String,
    pub figure: String,
    pub value: String,
    pub unit: String,
    /// Half the distance of the quartiles, as a share of the median.
    pub spread: String,
}

impl Row {
    pub fn of(part: &str, device: &str, case: &str) -> Row {
        Row { part: part.into(), device: short(device).into(), case: case.into(), ..Row::default() }
    }

    pub fn in_precision(self, precision: Precision) -> Row {
        Row { precision: precision.name().into(), ..self }
    }

    pub fn over(self, instances: usize, steps: u64) -> Row {
        Row { instances: instances.to_string(), steps: steps.to_string(), ..self }
    }

    /// Words, in one line.
    pub fn text(self, figure: &str, value: &str) -> Row {
        let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
        Row { figure: figure.into(), value, ..self }
    }

    /// A number; `spread`: of its repeats, where there were any.
    pub fn number(self, figure: &str, value: f64, unit: &str, spread: Option<f64>) -> Row {
        let spread = spread.map_or(String::new(), |spread| match spread.is_nan() {
            true => "unknown".to_string(),
            false => format!("{spread:.3}"),
        });
        let plain = value.fract() == 0.0 && value.abs() < 1e15;
        let value = if plain { format!("{value}") } else { format!("{value:.4e}") };
        Row { figure: figure.into(), value, unit: unit.into(), spread, ..self }
    }

    /// The median of repeats.
    pub fn median(self, figure: &str, values: &[f64], unit: &str) -> Row {
        let (median, spread) = median_and_spread(values);
        self.number(figure, median, unit, Some(spread))
    }

    pub fn left_out(self, reason: &str) -> Row {
        self.text(LEFT_OUT, reason)
    }

    fn cells(&self, date: &str) -> [String; 11] {
        let Row { device, part, case, precision, instances, steps, figure, value, unit, spread } =
            self.clone();
        [date.to_string(), device, part, case, precision, instances, steps, figure, value, unit, spread]
    }

    /// From a line of the file.
    pub fn read(cells: &csv::StringRecord) -> Row {
        let cell = |k: usize| cells.get(k).unwrap_or_default().to_string();
        Row {
            device: cell(1),
            part: cell(2),
            case: cell(3),
            precision: cell(4),
            instances: cell(5),
            steps: cell(6),
            figure: cell(7),
            value: cell(8),
            unit: cell(9),
            spread: cell(10),
        }
    }
}

/// Where rows go: a file if there is one, and the terminal.
pub struct Rows {
    file: Option<File>,
    date: String,
}

pub fn today() -> String {
    now_utc().chars().take(10).collect()
}

impl Rows {
    /// Appends to the file, which begins with the names of the columns.
    pub fn open(path: Option<&Path>) -> Result<Rows, String> {
        let mut rows = Rows { file: None, date: today() };
        if let Some(path) = path {
            let begun = path.exists();
            let file = OpenOptions::new().create(true).append(true).open(path);
            rows.file = Some(file.map_err(|error| format!("{}: {error}", path.display()))?);
            if !begun {
                rows.write(&COLUMNS)?;
            }
        }
        Ok(rows)
    }

    /// Writes the row at once: what comes later may fail.
    pub fn push(&mut self, row: Row) -> Result<(), String> {
        let Row { device, part, case, precision, instances, steps, figure, value, unit, spread } = &row;
        let cells = [device, part, case, precision, instances, steps, figure, value, unit, spread];
        println!("{}", cells.map(String::as_str).join(" | "));
        let cells = row.cells(&self.date);
        self.write(&cells.each_ref().map(String::as_str))
    }

    fn write(&mut self, cells: &[&str]) -> Result<(), String> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(cells).map_err(|error| error.to_string())?;
        let line = writer.into_inner().map_err(|error| error.to_string())?;
        file.write_all(&line).and_then(|()| file.flush()).map_err(|error| error.to_string())
    }
}

/// Drivers put their version in parentheses behind the device's name; it has a row of its own.
fn short(device: &str) -> &str {
    device.split(" (").next().unwrap_or_default()
}

/// `2026-11-23-nvidia-h100`: what the files of a device are called.
pub fn file_name(adapter: Option<&AdapterSummary>) -> String {
    let name = adapter.map_or("no-gpu", |adapter| short(&adapter.name));
    let plain: String =
        name.to_lowercase().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let words: Vec<&str> = plain.split('-').filter(|word| !word.is_empty()).collect();
    format!("{}-{}", today(), words.join("-"))
}
