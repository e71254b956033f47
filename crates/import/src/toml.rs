//! Text of mechanism files, as a person would write it.

use std::fmt::Write as _;

use nalgebra::{Matrix3, UnitQuaternion, Vector3};

use crate::pose::clean;

/// Digits of a number: those behind are rounding of products and turns.
const DIGITS: usize = 15;

/// A number without the digits that rounding made.
pub(crate) fn number(x: f64) -> String {
    let rounded: f64 = format!("{x:.*e}", DIGITS - 1).parse().unwrap_or(x);
    // -0 is 0.
    let rounded = rounded + 0.0;
    let plain = format!("{rounded}");
    if plain.len() > 12 && (rounded.abs() < 1e-3 || rounded.abs() >= 1e9) && rounded != 0.0 {
        return format!("{rounded:e}");
    }
    plain
}

/// A number in a text with its unit.
pub(crate) fn quantity(x: f64, unit: &str) -> String {
    match x {
        0.0 => "0".to_string(),
        _ => format!("\"{} {unit}\"", number(x)),
    }
}

/// An angle (rad), in degrees where the file has degrees, or is shorter so.
pub(crate) fn angle(x: f64, degrees: bool) -> String {
    let in_degrees = number((x.to_degrees() * 1e10).round() / 1e10);
    let radians = number(x);
    let exact = in_degrees.parse::<f64>().is_ok_and(|read| (read.to_radians() - x).abs() <= 4e-16 * x.abs());
    match exact && (degrees || in_degrees.len() + 2 < radians.len()) {
        _ if x == 0.0 => "0".to_string(),
        true => format!("\"{in_degrees} deg\""),
        false => format!("\"{radians} rad\""),
    }
}

pub(crate) fn vector(v: Vector3<f64>) -> String {
    let v = clean(v);
    format!("[{}, {}, {}]", number(v.x), number(v.y), number(v.z))
}

/// One vector for both sides, where they are the same.
pub(crate) fn pair(vectors: [Vector3<f64>; 2]) -> String {
    match vectors.map(vector) {
        [one, other] if one == other => one,
        [one, other] => format!("[{one}, {other}]"),
    }
}

pub(crate) fn both(vectors: [Vector3<f64>; 2]) -> String {
    let [one, other] = vectors.map(vector);
    format!("[{one}, {other}]")
}

pub(crate) fn attitude(turn: &UnitQuaternion<f64>) -> String {
    let v = clean(turn.imag());
    let w = if turn.w.abs() < 1e-13 { 0.0 } else { turn.w };
    format!("[{}, {}, {}, {}]", number(w), number(v.x), number(v.y), number(v.z))
}

/// Three numbers, or a matrix.
pub(crate) fn inertia(matrix: &Matrix3<f64>) -> String {
    let least = 1e-14 * matrix.amax();
    let entry = |row: usize, column: usize| {
        let entry = (matrix[(row, column)] + matrix[(column, row)]) / 2.0;
        if entry.abs() <= least { 0.0 } else { entry }
    };
    let off = entry(0, 1) != 0.0 || entry(0, 2) != 0.0 || entry(1, 2) != 0.0;
    let row = |row: usize| {
        format!("[{}, {}, {}]", number(entry(row, 0)), number(entry(row, 1)), number(entry(row, 2)))
    };
    match off {
        false => format!("[{}, {}, {}]", number(entry(0, 0)), number(entry(1, 1)), number(entry(2, 2))),
        true => format!("[{}, {}, {}]", row(0), row(1), row(2)),
    }
}

/// A text in quotes.
pub(crate) fn text(content: &str) -> String {
    let mut quoted = String::from("\"");
    for c in content.chars() {
        match c {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(c);
            }
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", c as u32);
            }
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

/// A file that grows.
#[derive(Default)]
pub(crate) struct Page(String);

/// Columns of a comment.
const COLUMNS: usize = 110;

impl Page {
    pub fn comment(&mut self, words: &str) {
        let mut line = String::from("#");
        // A control would end the comment, or command a terminal.
        let words: String = words.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        for word in words.split_whitespace() {
            if line.len() > 1 && line.chars().count() + word.chars().count() >= COLUMNS {
                self.line(&line);
                line = String::from("#");
            }
            line.push(' ');
            line.push_str(word);
        }
        self.line(&line);
    }

    pub fn line(&mut self, line: &str) {
        self.0.push_str(line);
        self.0.push('\n');
    }

    pub fn blank(&mut self) {
        if !self.0.is_empty() && !self.0.ends_with("\n\n") {
            self.0.push('\n');
        }
    }

    /// The head of a table, with a blank line before it unless a comment belongs to it.
    pub fn table(&mut self, name: &str) {
        let commented = self.0.lines().next_back().is_some_and(|last| last.starts_with('#'));
        if !commented {
            self.blank();
        }
        self.line(name);
    }

    pub fn key(&mut self, key: &str, value: impl AsRef<str>) {
        let _ = writeln!(self.0, "{key} = {}", value.as_ref());
    }

    pub fn done(self) -> String {
        self.0
    }
}
