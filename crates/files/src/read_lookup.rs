//! Tables of functions: values at some arguments, from the file itself or from columns of another,
//! and how they are joined.

use super::declared::section;
use super::writer::{Writer, numbers, table, text};
use std::collections::HashSet;

use super::document::{Node, PointsRead, Table};
use super::keys::Presence::{Default, Optional};
use super::keys::{FileKey, Form, INTERPOLATIONS, SEVERAL, Section, WITH_UNIT, key};
use super::sample_table::{self, RowFault, Wanted};
use polhode_description::base::units::Dimension;
use polhode_description::base::{grouped, significant};
use polhode_description::describe::expression::{self, Interpolation, TableColumn};

/// Most knots of a table: a step evaluates all of them.
pub(super) const MAX_KNOTS: usize = 1000;

/// Most columns of a table, of which instances have one each, and most values in all of them: all
/// are kept in memory, and a resolved study has them as text.
const MAX_COLUMNS: usize = 10_000;
const MAX_VALUES: usize = 1_000_000;

/// The keys by which a table gives its arguments.
#[derive(Clone, Copy)]
pub(super) struct Arguments {
    /// A list of them.
    pub list: &'static str,
    /// Their column in a file.
    pub column: &'static str,
    /// `None`: anything.
    pub dimension: Option<Dimension>,
}

/// Arguments of functions of time, and of place.
pub(super) const OF_TIME: Arguments =
    Arguments { list: "times", column: "time", dimension: Some(Dimension::Time) };
pub(super) const OF_PLACE: Arguments =
    Arguments { list: "places", column: "place", dimension: Some(Dimension::Length) };
pub(super) const OF_ANYTHING: Arguments =
    Arguments { list: "arguments", column: "argument", dimension: None };

/// The keys of lists of arguments, each with that of their column.
pub(super) const ARGUMENTS: [(&str, &str); 3] = [
    (OF_TIME.list, OF_TIME.column),
    (OF_PLACE.list, OF_PLACE.column),
    (OF_ANYTHING.list, OF_ANYTHING.column),
];

const INTERPOLATION: FileKey = key(
    "interpolation",
    Form::Choice(&INTERPOLATIONS),
    Default("\"cubic\""),
    "How the values are joined: `cubic` is twice continuously differentiable and may overshoot; `monotone` \
     rises and falls only where the values do (Fritsch and Carlson); `linear` bends; `hold` keeps each value \
     until the next and jumps.",
);
const FILE: FileKey = key(
    "file",
    Form::Text,
    Optional,
    "In place of lists: a .csv (with a header) or .parquet file, relative to this one. Units stand in the \
     header, `thrust (N)`, or in the metadata.",
);
const SLOPES: &str = "The slope of a cubic at each, in SI units, 0 at both ends. Absent: those that make the \
                      second derivative continuous.";

/// The keys of a table of an element, with those of its arguments.
const fn keys_of(arguments: Arguments, list: &'static str, column: &'static str) -> [FileKey; 7] {
    [
        key(arguments.list, SEVERAL, Optional, list),
        key("values", SEVERAL, Optional, "The value at each of them."),
        key("slopes", Form::Numbers(None), Optional, SLOPES),
        INTERPOLATION,
        FILE,
        key(arguments.column, Form::Text, Optional, column),
        key("column", Form::Text, Optional, "The column of the file with the values."),
    ]
}

const TIME_KEYS: &[FileKey] =
    &keys_of(OF_TIME, "Times, ascending, 2 to 1000 of them.", "The column of the file with the times.");
const PLACE_KEYS: &[FileKey] =
    &keys_of(OF_PLACE, "Places x, ascending, 2 to 1000 of them.", "The column of the file with the places.");

pub static FUNCTION_TABLE: Section = Section {
    doc: "Values at given times; constant before and after. Either `times` and `values`, or `file`, `time` \
          and `column`.",
    keys: TIME_KEYS,
};

pub static CURVE_TABLE: Section = Section {
    doc: "Heights y at given places x; constant before and after. Either `places` and `values`, or `file`, \
          `place` and `column`.",
    keys: PLACE_KEYS,
};

section! { pub static TABLE =
        "A function that expressions call, NAME(x), given by values; constant before and after. Either \
         `arguments` and `values`, or `file`, `argument` and `column`.";
    name: Text, Required, "Name, unique: letters, digits and _, a letter first.";
    arguments: SEVERAL, Optional, "Arguments, ascending, 2 to 1000 of them.";
    values: Either(&[&List(&AnyQuantity), &Table(&WITH_UNIT), &List(&SEVERAL)]), Optional,
        "The value at each of them; with several columns a list of such lists.";
    slopes: Either(&[&Numbers(None), &NumberRows]), Optional, SLOPES;
    @INTERPOLATION;
    @FILE;
    argument: Text, Optional, "The column of the file with the arguments.";
    column: Either(&[&Text, &List(&Text)]), Optional,
        "The column of the file with the values. A list of names: instances have one of these columns each, \
         as `[ensemble.vary]` says of `NAME.column`; without it all have the first.";
}

/// The knots of a table, the values at each by column, and the names of the columns if instances
/// have one each.
struct Points {
    knots: Vec<f64>,
    values: Vec<Vec<f64>>,
    names: Option<Vec<String>>,
}

/// A table of values of this dimension.
pub(super) fn lookup(
    table: &Table<'_>,
    arguments: Arguments,
    dimension: Option<Dimension>,
) -> Option<expression::FunctionTable> {
    let interpolation = table.get("interpolation").and_then(|node| node.choice(&Interpolation::ALL));
    let points = match table.get("file") {
        Some(file) => of_file(table, &file, arguments, dimension),
        None => of_lists(table, arguments, dimension),
    };
    let interpolation = interpolation?;
    let slopes = match table.get("slopes") {
        Some(node) if interpolation != Interpolation::Cubic => {
            node.report("slopes are those of cubics", |problem| {
                problem.advise("leave them out, or give interpolation = \"cubic\"")
            });
            return None;
        }
        Some(node) => {
            let several = points.as_ref().and_then(|points| points.names.as_ref());
            let count = points.as_ref().map(|points| points.knots.len());
            let read = |node: &Node<'_>| given_slopes(node, count, arguments);
            Some(by_column(&node, several.map(Vec::len), read)?)
        }
        None => None,
    };
    let Points { knots, values, names } = points?;
    let slopes = slopes.unwrap_or_else(|| {
        let slopes_of = |values: &Vec<f64>| match interpolation {
            Interpolation::Hold | Interpolation::Linear => Vec::new(),
            Interpolation::Monotone => monotone(&knots, values),
            Interpolation::Cubic => clamped(&knots, values),
        };
        values.iter().map(slopes_of).collect()
    });
    let too_steep = |pair: &[f64]| !((pair[1] - pair[0]).recip()).is_finite();
    if slopes.iter().flatten().any(|slope| !slope.is_finite()) || knots.windows(2).any(too_steep) {
        table.report("the slopes between the values are too steep for numbers", |problem| problem);
        return None;
    }
    let (first_values, first_slopes) = (values.first()?.clone(), slopes.first()?.clone());
    let columns = names.into_iter().flatten().zip(values.into_iter().zip(slopes));
    let columns = columns.map(|(name, (values, slopes))| TableColumn { name, values, slopes }).collect();
    let read = expression::FunctionTable {
        name: None,
        knots,
        values: first_values,
        interpolation,
        slopes: first_slopes,
        columns,
        first: 0,
    };
    note_overshoot(table, &read);
    Some(read)
}

/// Notes the largest excursion of cubics beyond the values that they join: a motor whose thrust is
/// never negative, in the file, may push backwards.
fn note_overshoot(table: &Table<'_>, read: &expression::FunctionTable) {
    let by_column = read.by_column();
    let all = by_column.iter().enumerate().filter_map(|(k, table)| Some((k, table.overshoot()?)));
    let Some((k, most)) = all.max_by(|(_, a), (_, b)| a.by().total_cmp(&b.by())) else { return };
    let (column, file) = (table.get("column"), table.get("file"));
    let name = column.as_ref().and_then(|node| match read.columns.get(k) {
        Some(column) => Some(column.name.as_str()),
        None => node.text(),
    });
    let subject = match (name, file.as_ref().and_then(Node::text)) {
        (Some(name), Some(file)) => format!("the column `{name}` of `{file}`"),
        (Some(name), None) => format!("the column `{name}`"),
        (None, _) => "the table".to_string(),
    };
    let Some(node) = column.or_else(|| table.get("values")) else { return };
    let [from, to] = most.between;
    node.note(format!(
        "{subject} goes to {} between {from} and {to} (SI units), beyond {} at the end of that interval: its \
         cubics overshoot; interpolation = \"monotone\" or \"linear\" does not",
        significant(most.value, 4),
        significant(most.beyond, 4)
    ));
}

/// Returns the numbers that `read` finds in a node, by column: with `columns`, in each entry of its
/// list.
fn by_column(
    node: &Node<'_>,
    columns: Option<usize>,
    read: impl Fn(&Node<'_>) -> Option<Vec<f64>>,
) -> Option<Vec<Vec<f64>>> {
    let Some(columns) = columns else { return Some(vec![read(node)?]) };
    let entries = node.list()?;
    if entries.len() != columns {
        node.report(format!("has {} entries, but `column` has {columns}", entries.len()), |problem| {
            problem.advise("give a list for each column")
        });
        return None;
    }
    let read: Vec<_> = entries.iter().map(read).collect();
    read.into_iter().collect()
}

/// Names of columns, of which instances have one each.
fn names(node: &Node<'_>, arguments: Arguments) -> Option<Vec<String>> {
    if arguments.list != OF_ANYTHING.list {
        node.report("the columns of instances are for a table with a name", |problem| {
            problem.advise("give a [[table]], and call it: NAME(t)")
        });
        return None;
    }
    let entries = node.list()?;
    if !(2..=MAX_COLUMNS).contains(&entries.len()) {
        let found = format!("the number of columns is {}, not 2 to {MAX_COLUMNS}", entries.len());
        node.report(found, |problem| problem.advise("give the name of a single column as a text"));
        return None;
    }
    let names: Vec<Option<String>> = entries.iter().map(|entry| entry.text().map(str::to_string)).collect();
    let names: Vec<String> = names.into_iter().collect::<Option<_>>()?;
    let mut known = HashSet::new();
    if let Some(twice) = (0..names.len()).find(|k| !known.insert(&names[*k])) {
        entries[twice].report(format!("the column `{}` is named twice", names[twice]), |problem| problem);
        return None;
    }
    Some(names)
}

/// Slopes that are given at the knots.
fn given_slopes(node: &Node<'_>, count: Option<usize>, arguments: Arguments) -> Option<Vec<f64>> {
    let slopes = as_many(node, node.numbers()?, count, arguments)?;
    if [slopes.first(), slopes.last()] != [Some(&0.0); 2] {
        node.report("the first and the last slope are not 0", |problem| {
            problem.advise("set both to 0: beyond its ends the function is constant")
        });
        return None;
    }
    Some(slopes)
}

/// As many numbers as there are arguments, if that is known.
fn as_many(node: &Node<'_>, values: Vec<f64>, count: Option<usize>, of: Arguments) -> Option<Vec<f64>> {
    let wanted = count.filter(|count| *count != values.len());
    if let Some(wanted) = wanted {
        let found = format!("has {} entries, but `{}` has {wanted}", values.len(), of.list);
        node.report(found, |problem| problem);
    }
    wanted.is_none().then_some(values)
}

fn of_lists(table: &Table<'_>, arguments: Arguments, dimension: Option<Dimension>) -> Option<Points> {
    let several = table.get("column").filter(Node::is_list);
    let of_file = table.get("column").filter(|column| !column.is_list());
    let of_files = [table.get(arguments.column), of_file];
    for node in of_files.iter().flatten().filter(|node| node.text().is_some()) {
        node.report("names a column, but there is no `file`", |problem| {
            problem.advise(format!("give the file, or `{}` and `values`", arguments.list))
        });
    }
    if of_files.iter().any(Option::is_some) {
        return None;
    }
    let names = several.as_ref().map(|node| names(node, arguments));
    let knots = table.get(arguments.list).or_else(|| {
        table.report_missing(arguments.list);
        None
    });
    let knots = knots.and_then(|node| {
        let knots = node.quantities_of(arguments.dimension)?;
        if !(2..=MAX_KNOTS).contains(&knots.len()) {
            let found = format!("the number of entries is {}, not 2 to {MAX_KNOTS}", knots.len());
            node.report(found, |problem| problem);
            return None;
        }
        if let Some(k) = knots.windows(2).position(|pair| pair[0] >= pair[1]) {
            let found = format!("is not ascending: {:?} comes before {:?}", knots[k], knots[k + 1]);
            node.report(found, |problem| problem.advise("put the entries in ascending order, each once"));
            return None;
        }
        Some(knots)
    });
    let count = knots.as_ref().map(Vec::len);
    let values = table.get("values").or_else(|| {
        table.report_missing("values");
        None
    });
    let names = names.map_or(Some(None), |names| names.map(Some))?;
    let read = |node: &Node<'_>| as_many(node, node.quantities_of(dimension)?, count, arguments);
    let values = values.and_then(|node| by_column(&node, names.as_ref().map(Vec::len), read));
    Some(Points { knots: knots?, values: values?, names })
}

fn of_file(
    table: &Table<'_>,
    file: &Node<'_>,
    arguments: Arguments,
    dimension: Option<Dimension>,
) -> Option<Points> {
    let name = file.text();
    let lists = [arguments.list, "values", "slopes"].map(|key| table.get(key));
    for node in lists.iter().flatten() {
        node.report("stands beside `file`", |problem| problem.advise("give a file or lists, not both"));
    }
    let [argument, column] = [arguments.column, "column"].map(|key| {
        let node = table.get(key);
        if node.is_none() {
            table.report_missing(key);
        }
        node
    });
    let (argument, column) = (argument?, column?);
    if lists.iter().any(Option::is_some) {
        return None;
    }
    let names = if column.is_list() { Some(names(&column, arguments)?) } else { None };
    let of_values = names.clone().map_or_else(|| Some(vec![column.text()?.to_string()]), Some)?;
    let mut columns: Vec<Wanted> = vec![(argument.text()?.to_string(), arguments.dimension)];
    columns.extend(of_values.into_iter().map(|name| (name, dimension)));
    let mut last: Option<f64> = None;
    let mut count = 0;
    let mut judge = |row: &[f64]| {
        count += 1;
        if count > MAX_KNOTS {
            return Err(RowFault::TooManyRows(MAX_KNOTS));
        }
        if count * (row.len() - 1) > MAX_VALUES {
            return Err(RowFault::TooManyValues(grouped(MAX_VALUES as u64)));
        }
        match last.replace(row[0]).filter(|last| *last >= row[0]) {
            Some(last) => Err(RowFault::NotSorted { last, next: row[0] }),
            None => Ok(()),
        }
    };
    let path = file.document().beside(name?);
    let nodes = (file, &[&argument, &column][..]);
    let rows = sample_table::read_table(&path, None, &columns, usize::MAX, nodes, &mut judge)?;
    if rows.len() < 2 {
        file.report("the table has one row, not two or more", |problem| problem);
        return None;
    }
    let column = |k: usize| rows.iter().map(|row| row[k]).collect::<Vec<f64>>();
    let points = Points { knots: column(0), values: (1..columns.len()).map(column).collect(), names };
    file.document().keep_points(PointsRead {
        path: table.path().to_string(),
        arguments: points.knots.clone(),
        values: points.values.clone(),
        names: points.names.clone(),
    });
    Some(points)
}

/// The slopes s that make the second derivative continuous at the inner knots, with s = 0 at both
/// ends. With `h_i = x_(i+1) - x_i` and `d_i = (y_(i+1) - y_i) / h_i`:
///
/// ```text
/// s_(i-1) / h_(i-1) + 2 (1 / h_(i-1) + 1 / h_i) s_i + s_(i+1) / h_i
///     = 3 (d_(i-1) / h_(i-1) + d_i / h_i)
/// ```
///
/// a tridiagonal system, diagonally dominant, so that elimination without pivoting is stable.
fn clamped(knots: &[f64], values: &[f64]) -> Vec<f64> {
    let n = knots.len();
    let inverse: Vec<f64> = knots.windows(2).map(|x| 1.0 / (x[1] - x[0])).collect();
    let secant: Vec<f64> =
        values.windows(2).zip(&inverse).map(|(y, inverse)| (y[1] - y[0]) * inverse).collect();
    let mut slopes = vec![0.0; n];
    // After elimination row i reads: s_i + upper_i s_(i+1) = slopes_i.
    let mut upper = vec![0.0; n];
    for i in 1..n - 1 {
        let pivot = 2.0 * (inverse[i - 1] + inverse[i]) - inverse[i - 1] * upper[i - 1];
        upper[i] = inverse[i] / pivot;
        let right = 3.0 * (secant[i - 1] * inverse[i - 1] + secant[i] * inverse[i]);
        slopes[i] = (right - inverse[i - 1] * slopes[i - 1]) / pivot;
    }
    for i in (1..n - 1).rev() {
        slopes[i] -= upper[i] * slopes[i + 1];
    }
    slopes
}

/// Slopes with which cubics rise and fall where the values do (F. N. Fritsch, R. E. Carlson, SIAM
/// J. Numer. Anal. 17, 1980; F. N. Fritsch, J. Butland, SIAM J. Sci. Stat. Comput. 5, 1984), as
/// SciPy's `PchipInterpolator` has them. With h and d as of [`clamped`]:
///
/// ```text
/// s_i = 0 where d_(i-1) d_i <= 0, else (a + b) / (a/d_(i-1) + b/d_i),
///       a = h_(i-1) + 2 h_i,  b = 2 h_(i-1) + h_i
/// s_0 = ((2 h_0 + h_1) d_0 - h_0 d_1) / (h_0 + h_1), 0 where it has not the sign of d_0,
///       at most 3 d_0 where d_0 and d_1 differ in sign
/// ```
fn monotone(knots: &[f64], values: &[f64]) -> Vec<f64> {
    let width: Vec<f64> = knots.windows(2).map(|x| x[1] - x[0]).collect();
    let secant: Vec<f64> = values.windows(2).zip(&width).map(|(y, h)| (y[1] - y[0]) / h).collect();
    let [d] = secant[..] else {
        let inner = |i: usize| {
            let (h, d) = (&width[i - 1..=i], &secant[i - 1..=i]);
            let (a, b) = (h[0] + 2.0 * h[1], 2.0 * h[0] + h[1]);
            if d[0] * d[1] <= 0.0 { 0.0 } else { (a + b) / (a / d[0] + b / d[1]) }
        };
        let end = |h: [f64; 2], d: [f64; 2]| {
            let slope = ((2.0 * h[0] + h[1]) * d[0] - h[0] * d[1]) / (h[0] + h[1]);
            match slope {
                slope if slope * d[0] <= 0.0 => 0.0,
                slope if d[0] * d[1] <= 0.0 && slope.abs() > 3.0 * d[0].abs() => 3.0 * d[0],
                slope => slope,
            }
        };
        let n = secant.len();
        let first = end([width[0], width[1]], [secant[0], secant[1]]);
        let last = end([width[n - 1], width[n - 2]], [secant[n - 1], secant[n - 2]]);
        return std::iter::once(first).chain((1..n).map(inner)).chain([last]).collect();
    };
    vec![d; 2]
}

/// The keys of a table as they are read again.
pub(super) fn entries(
    list: &'static str,
    of: &expression::FunctionTable,
) -> Vec<(&'static str, toml::Value)> {
    let all = |own: &[f64], of_column: fn(&TableColumn) -> &[f64]| match &of.columns[..] {
        [] => numbers(own),
        columns => toml::Value::Array(columns.iter().map(|column| numbers(of_column(column))).collect()),
    };
    let mut entries = vec![(list, numbers(&of.knots)), ("values", all(&of.values, |column| &column.values))];
    match of.interpolation {
        Interpolation::Cubic => entries.push(("slopes", all(&of.slopes, |column| &column.slopes))),
        other => entries.push(("interpolation", text(other.name()))),
    }
    if !of.columns.is_empty() {
        let names = of.columns.iter().map(|column| text(&column.name)).collect();
        entries.push(("column", toml::Value::Array(names)));
    }
    entries
}

/// A table that stands alone.
pub(super) fn written(arguments: Arguments, of: &expression::FunctionTable) -> toml::Value {
    table(entries(arguments.list, of))
}

pub(super) fn write_table(out: &mut Writer, of: &expression::FunctionTable) {
    out.heading("[[mechanism.table]]");
    out.key("name", text(of.name.as_deref().unwrap_or_default()));
    for (key, value) in entries(OF_ANYTHING.list, of) {
        out.key(key, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x^2 (3 - 2 x) has zero slope at 0 and 1: a cubic is its own spline.
    #[test]
    fn a_cubic_is_its_own_spline() {
        let knots = [0.0, 0.1, 0.35, 0.5, 0.8, 1.0];
        let values = knots.map(|x: f64| x * x * (3.0 - 2.0 * x));
        for (x, slope) in knots.iter().zip(clamped(&knots, &values)) {
            assert!((slope - 6.0 * x * (1.0 - x)).abs() < 1e-14, "{x}: {slope}");
        }
        assert_eq!(clamped(&[0.0, 2.0], &[1.0, 5.0]), [0.0, 0.0]);
    }

    /// By hand from the formulas.
    #[test]
    fn monotone_slopes_are_those_of_fritsch_and_butland() {
        let near = |found: Vec<f64>, wanted: &[f64]| {
            assert_eq!(found.len(), wanted.len());
            for (found, wanted) in found.iter().zip(wanted) {
                assert!((found - wanted).abs() < 1e-15, "{found} {wanted}");
            }
        };
        near(monotone(&[0.0, 1.0, 3.0], &[0.0, 1.0, 2.0]), &[3.5 / 3.0, 9.0 / 13.0, 0.5 / 3.0]);
        // A peak, and an end that would rise before it falls.
        near(monotone(&[0.0, 1.0, 2.0], &[0.0, 1.0, 0.5]), &[1.75, 0.0, -1.25]);
        near(monotone(&[0.0, 1.0, 2.0], &[0.0, 0.1, 5.0]), &[0.0, 2.0 * 0.1 * 4.9 / 5.0, 7.3]);
        near(monotone(&[0.0, 2.0], &[1.0, 5.0]), &[2.0, 2.0]);
    }

    /// A motor's published thrust: steep at both ends, with a plateau.
    #[test]
    fn monotone_tables_stay_between_their_values_and_cubics_are_found_not_to() {
        let knots = vec![0.0, 0.05, 0.1, 1.0, 2.5, 2.9, 3.0, 3.2];
        let values = vec![0.0, 1900.0, 2200.0, 2150.0, 2000.0, 1700.0, 100.0, 0.0];
        let table = |interpolation, slopes| expression::FunctionTable {
            name: None,
            knots: knots.clone(),
            values: values.clone(),
            interpolation,
            slopes,
            columns: Vec::new().into(),
            first: 0,
        };
        let smooth = table(Interpolation::Monotone, monotone(&knots, &values));
        assert_eq!(smooth.overshoot(), None);
        for k in 0..knots.len() - 1 {
            let [c0, c1, c2, c3] = smooth.cubic(k);
            for i in 0..=100 {
                let s = (knots[k + 1] - knots[k]) * f64::from(i) / 100.0;
                let value = c0 + s * (c1 + s * (c2 + s * c3));
                let (low, high) = (values[k].min(values[k + 1]), values[k].max(values[k + 1]));
                assert!((low - 1e-9..=high + 1e-9).contains(&value), "{value} in {low} to {high}");
            }
        }
        let most = table(Interpolation::Cubic, clamped(&knots, &values)).overshoot().expect("an overshoot");
        println!("{most:?}");
        let [from, to] = most.between;
        let k = knots.iter().position(|knot| *knot == from).expect("a knot");
        assert_eq!(to, knots[k + 1]);
        let [c0, c1, c2, c3] = table(Interpolation::Cubic, clamped(&knots, &values)).cubic(k);
        let sampled = (0..=10_000).map(|i| (to - from) * f64::from(i) / 1e4);
        let beyond = |s: f64| (c0 + s * (c1 + s * (c2 + s * c3)) - most.beyond).abs();
        let values: Vec<f64> = sampled.map(|s| c0 + s * (c1 + s * (c2 + s * c3))).collect();
        let nearest = values.iter().map(|value| (value - most.value).abs()).fold(f64::INFINITY, f64::min);
        assert!(nearest < 1e-3 * most.value.abs() && beyond(0.0).is_finite());
        assert_eq!(table(Interpolation::Linear, Vec::new()).overshoot(), None);
    }
}
