//! Nodes, masses and mode shapes from a CSV table, one row a node, as a spreadsheet or a
//! post-processor writes it.
//!
//! The columns are found by their names in the first row, in any order: `name`, `x`, `y`, `z` (m),
//! `mass` (kg), `Jxx` to `Jyz` (kg m², the entries of the matrix), and of mode k, counted from 1,
//! `modek_x`, `modek_y`, `modek_z` and `modek_turn_x` to `modek_turn_z` (rad).

use std::collections::HashMap;
use std::path::Path;

use super::document::tidy;
use super::error::{Problem, Problems};
use super::input::{self, Longest, Refused};
use polhode_description::base::nearest;
use polhode_description::flexible::modal_file::ModalNode;

const AXES: [&str; 3] = ["x", "y", "z"];
/// Entries of a symmetric matrix, and where they stand.
const INERTIA: [(&str, usize, usize); 6] =
    [("Jxx", 0, 0), ("Jyy", 1, 1), ("Jzz", 2, 2), ("Jxy", 0, 1), ("Jxz", 0, 2), ("Jyz", 1, 2)];
/// Names that one message lists before it counts the rest.
const LISTED: usize = 6;

/// The nodes of a table.
///
/// # Errors
/// All that is wrong, with line and column; of a column its first fault.
pub(super) fn read(path: &Path) -> Result<Vec<ModalNode>, Problems> {
    let mut table =
        Table { faults: Faults { path, found: Vec::new() }, columns: HashMap::new(), rows: Vec::new() };
    if let Err(problems) = table.open() {
        table.faults.found.extend(problems.0);
    } else if let Some(columns) = table.ordered() {
        let nodes = table.nodes(&columns);
        if table.faults.found.is_empty() {
            return Ok(nodes);
        }
    }
    let mut found = table.faults.found;
    found.sort_by_key(|problem| problem.line);
    Err(Problems(found))
}

/// The faults of one file.
struct Faults<'p> {
    path: &'p Path,
    found: Vec<Problem>,
}

impl Faults<'_> {
    fn problem(&self, line: Option<usize>, column: &str, found: impl Into<String>) -> Problem {
        Problem {
            file: tidy(self.path),
            line,
            key: column.to_string(),
            found: found.into(),
            nearest: None,
            advice: None,
            allowed: Vec::new(),
        }
    }

    /// Keeps a fault of a cell, unless its column has one.
    fn cell(&mut self, line: usize, column: &str, found: String) {
        if !self.found.iter().any(|problem| problem.key == column) {
            let problem = self.problem(Some(line), column, found);
            self.found.push(problem);
        }
    }
}

/// The text of a table: where its columns stand, and its rows with their lines.
struct Table<'p> {
    faults: Faults<'p>,
    columns: HashMap<String, usize>,
    rows: Vec<(usize, csv::StringRecord)>,
}

/// The columns of one mode, by axes.
struct ModeColumns {
    shape: [String; 3],
    turn: [String; 3],
}

/// The kinds of columns that the header names.
struct Columns {
    modes: Vec<ModeColumns>,
    turns: bool,
    inertia: bool,
}

fn mode_columns(mode: usize) -> ModeColumns {
    ModeColumns {
        shape: AXES.map(|axis| format!("mode{mode}_{axis}")),
        turn: AXES.map(|axis| format!("mode{mode}_turn_{axis}")),
    }
}

/// The number of the mode that a column is of, and whether it is a turn.
fn of_mode(column: &str) -> Option<(usize, bool)> {
    let (mode, what) = column.strip_prefix("mode")?.split_once('_')?;
    let number: usize = mode.parse().ok().filter(|number| (1..10_000).contains(number))?;
    let (turn, axis) = what.strip_prefix("turn_").map_or((false, what), |axis| (true, axis));
    // "mode01_x" and "mode+1_x" are other names.
    (AXES.contains(&axis) && mode == number.to_string()).then_some((number, turn))
}

fn listed(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
    match names.len().checked_sub(LISTED) {
        Some(more) if more > 0 => format!("{} and {more} more", shown.join(", ")),
        _ => shown.join(", "),
    }
}

impl Table<'_> {
    /// Reads the text into columns and rows.
    fn open(&mut self) -> Result<(), Problems> {
        let file = input::open(self.faults.path, Longest::MODAL)
            .map_err(|refused| self.faults.problem(None, "", refused.to_string()))?;
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(file);
        let header = reader.headers().map_err(|error| self.broken(&error))?.clone();
        // Spreadsheets put a byte order mark before the first name.
        let names: Vec<&str> = header.iter().map(|name| name.trim_start_matches('\u{feff}')).collect();
        if let [only] = names[..]
            && let Some(other) =
                [(';', "semicolons"), ('\t', "tabs")].iter().find(|(sign, _)| only.contains(*sign))
        {
            let problem = self.faults.problem(Some(1), "", format!("the cells are parted by {}", other.1));
            return Err(problem.advise("part them by commas, with points in the numbers").into());
        }
        for (at, name) in names.into_iter().enumerate() {
            if self.columns.insert(name.to_string(), at).is_some() {
                self.faults.cell(1, name, "there are two columns of this name".to_string());
            }
        }
        for record in reader.into_records() {
            let record = record.map_err(|error| self.broken(&error))?;
            // Spreadsheets go on with rows of nothing.
            if record.iter().any(|cell| !cell.is_empty()) {
                let line = record.position().map_or(0, csv::Position::line) as usize;
                self.rows.push((line, record));
            }
        }
        if self.rows.is_empty() {
            return Err(self
                .faults
                .problem(Some(1), "", "the table has no rows")
                .advise("give one row a node")
                .into());
        }
        Ok(())
    }

    fn broken(&self, error: &csv::Error) -> Problem {
        let line = error.position().map(|position| position.line() as usize);
        match error.kind() {
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => self.faults.problem(
                line,
                "",
                format!("the row has {len} cells, the first row has {expected_len}"),
            ),
            csv::ErrorKind::Utf8 { .. } => {
                self.faults.problem(line, "", "is not UTF-8 text").advise("save the file as UTF-8")
            }
            csv::ErrorKind::Io(error) => self.faults.problem(None, "", Refused::Io(error.kind()).to_string()),
            _ => self.faults.problem(line, "", format!("is not a readable CSV table: {error}")),
        }
    }

    /// Returns the kinds of columns; `None` where some are unknown or missing, which is reported.
    fn ordered(&mut self) -> Option<Columns> {
        let present: Vec<&String> = self.columns.keys().collect();
        let of_modes: Vec<(usize, bool)> = present.iter().filter_map(|name| of_mode(name)).collect();
        let count = of_modes.iter().map(|(mode, _)| *mode).max().unwrap_or(1);
        let modes: Vec<ModeColumns> = (1..=count).map(mode_columns).collect();
        let turns = of_modes.iter().any(|(_, turn)| *turn);
        let inertia = INERTIA.iter().any(|(name, ..)| self.columns.contains_key(*name));

        let wanted = ["x", "y", "z", "mass"].map(str::to_string).into_iter();
        let moments = INERTIA[..3].iter().filter(|_| inertia).map(|(name, ..)| name.to_string());
        let of_each =
            modes.iter().flat_map(|mode| mode.shape.iter().chain(mode.turn.iter().filter(|_| turns)));
        let missing: Vec<String> = wanted
            .chain(moments)
            .chain(of_each.cloned())
            .filter(|name| !self.columns.contains_key(name))
            .collect();

        let fixed = ["name", "x", "y", "z", "mass"].into_iter().chain(INERTIA.iter().map(|(name, ..)| *name));
        let fixed: Vec<&str> = fixed.collect();
        let mut unknown: Vec<(usize, &String)> = self
            .columns
            .iter()
            .filter(|(name, _)| of_mode(name).is_none() && !fixed.contains(&name.as_str()))
            .map(|(name, at)| (*at, name))
            .collect();
        unknown.sort_unstable();
        let mut found: Vec<Problem> = unknown
            .into_iter()
            .map(|(_, name)| {
                let turns =
                    modes.iter().flat_map(|mode| mode.shape.iter().chain(&mode.turn)).map(String::as_str);
                let mut problem = self.faults.problem(Some(1), name, "unknown column");
                // A missing column, if one is near at all, is the one that was meant.
                problem.nearest = nearest(name, missing.iter().map(String::as_str))
                    .or_else(|| nearest(name, fixed.iter().copied().chain(turns)));
                problem.allowed = fixed.iter().map(|name| name.to_string()).collect();
                problem.allowed.extend(["mode1_x", "mode1_turn_x", "... mode2_x", "..."].map(str::to_string));
                problem
            })
            .collect();
        if !missing.is_empty() {
            let columns = if missing.len() == 1 { "the column" } else { "the columns" };
            let lacks = format!(
                "{columns} {} {}",
                listed(&missing),
                if missing.len() == 1 { "is missing" } else { "are missing" }
            );
            let problem = self.faults.problem(Some(1), "", lacks);
            found.push(problem.advise("name the columns in the first row; what does not move has zeros"));
        }
        let sound = found.is_empty();
        self.faults.found.extend(found);
        sound.then_some(Columns { modes, turns, inertia })
    }

    /// The text of a cell; empty where there is no such column.
    fn text(&self, row: usize, column: &str) -> &str {
        self.columns.get(column).and_then(|at| self.rows[row].1.get(*at)).unwrap_or_default()
    }

    fn number(&mut self, row: usize, column: &str) -> f64 {
        let text = self.text(row, column).to_string();
        let found = match text.parse::<f64>() {
            Ok(number) if number.is_finite() => return number,
            Ok(_) => format!("{text} is not finite"),
            Err(_) if text.is_empty() => "the cell is empty, not a number".to_string(),
            Err(_) => format!("{text:?} is not a number"),
        };
        self.faults.cell(self.rows[row].0, column, found);
        0.0
    }

    fn not_negative(&mut self, row: usize, column: &str) -> f64 {
        let number = self.number(row, column);
        if number < 0.0 {
            self.faults.cell(self.rows[row].0, column, format!("{number} is negative"));
        }
        number
    }

    fn numbers(&mut self, row: usize, columns: &[String; 3]) -> [f64; 3] {
        std::array::from_fn(|k| self.number(row, &columns[k]))
    }

    /// Whether all these cells of a row are empty.
    fn all_empty<'c>(&self, row: usize, mut columns: impl Iterator<Item = &'c str>) -> bool {
        columns.all(|column| self.text(row, column).is_empty())
    }

    fn nodes(&mut self, columns: &Columns) -> Vec<ModalNode> {
        let mut lines: HashMap<String, usize> = HashMap::new();
        let nodes = (0..self.rows.len()).map(|row| self.node(row, columns));
        let nodes: Vec<ModalNode> = nodes.collect();
        for (node, (line, _)) in nodes.iter().zip(&self.rows) {
            if let Some(name) = &node.name
                && let Some(first) = lines.insert(name.clone(), *line)
            {
                self.faults.cell(
                    *line,
                    "name",
                    format!("line {first} has the name `{name}` already; give each node a name of its own"),
                );
            }
        }
        nodes
    }

    fn node(&mut self, row: usize, columns: &Columns) -> ModalNode {
        let name = Some(self.text(row, "name")).filter(|name| !name.is_empty()).map(str::to_string);
        let at = self.numbers(row, &AXES.map(str::to_string));
        let mass = self.not_negative(row, "mass");
        let no_inertia = !columns.inertia || self.all_empty(row, INERTIA.iter().map(|(name, ..)| *name));
        let inertia = (!no_inertia).then(|| {
            let mut matrix = [[0.0; 3]; 3];
            for (name, i, j) in INERTIA {
                // A product of inertia whose column is left out is zero.
                let entry = match self.columns.contains_key(name) {
                    true if i == j => self.not_negative(row, name),
                    true => self.number(row, name),
                    false => 0.0,
                };
                (matrix[i][j], matrix[j][i]) = (entry, entry);
            }
            matrix
        });
        let shapes = columns.modes.iter().map(|mode| self.numbers(row, &mode.shape)).collect();
        let of_turns = columns.modes.iter().flat_map(|mode| &mode.turn).map(String::as_str);
        let no_turns = !columns.turns || self.all_empty(row, of_turns);
        let turns =
            (!no_turns).then(|| columns.modes.iter().map(|mode| self.numbers(row, &mode.turn)).collect());
        ModalNode { name, at, mass, inertia, shapes, turns }
    }
}
