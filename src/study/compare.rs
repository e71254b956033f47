//! Two finished runs beside each other: what differs in the studies, in the statistics, in the
//! verdicts, and, where both drew the same numbers, instance by instance (`super::pairing`).

use std::fmt::Write as _;

use serde::Serialize;

use super::compared_run::{ComparedRun, Count, SAME_TIME, verdicts};
use super::pairing::{self, EndComparison, SameDraws, three};
use crate::base::text::WIDEST;
use crate::base::{grouped, shown};
use crate::observe::Summary;
use crate::observe::indices::quantile;
use crate::output::SavedTable;
use crate::output::saved::SavedError;
use crate::output::{OutputError, quantile_name};
use crate::study_file::difference::differences;

/// The differences of two runs. A difference is the second less the first.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    pub first: String,
    pub second: String,
    pub study: Vec<KeyDifference>,
    /// The parts that could not be compared, and why.
    pub not_compared: Vec<String>,
    pub verdicts: Vec<Count>,
    /// Last time at which both were seen (s).
    pub time: Option<f64>,
    /// By channel component and statistic.
    pub statistics: Vec<Statistic>,
    pub ends: EndComparison,
    /// None where the ensembles are not the same.
    pub instances: Option<Instances>,
}

/// A key of the studies; none: it is not there.
#[derive(Clone, Debug, Serialize)]
pub struct KeyDifference {
    pub key: String,
    pub first: Option<String>,
    pub second: Option<String>,
}

/// One number of the statistics of one component.
#[derive(Clone, Debug, Serialize)]
pub struct Statistic {
    pub channel: String,
    pub unit: String,
    /// `mean`, `std`, `min`, `max`, `q50`
    pub statistic: String,
    /// At the last common time; NaN where no instance is left.
    pub first: f64,
    pub second: f64,
    pub difference: f64,
    /// The largest difference without sign over all common times, and when (s).
    pub largest: f64,
    pub largest_at: f64,
}

/// The ends of all instances.
#[derive(Clone, Debug, Serialize)]
pub struct Instances {
    pub compared: u64,
    /// Instances whose verdict or its step is another.
    pub other_ends: u64,
    pub columns: Vec<ColumnDifference>,
}

/// |second - first| over the instances for which both have a number.
#[derive(Clone, Debug, Serialize)]
pub struct ColumnDifference {
    pub name: String,
    pub unit: String,
    pub compared: u64,
    pub max: f64,
    /// The one that has the largest.
    pub instance: Option<u64>,
    pub median: f64,
}

/// Compares two runs.
///
/// # Errors
/// A table of instances cannot be read.
pub(super) fn compare_sides(first: &ComparedRun, second: &ComparedRun) -> Result<Comparison, SavedError> {
    let mut not_compared = Vec::new();
    for side in [first, second] {
        if !side.manifest.complete {
            not_compared.push(format!(
                "{} was interrupted: {} of {} instances came to their end",
                side.name, side.manifest.advanced, side.manifest.instances
            ));
        }
    }
    let study = differences(&first.study_toml, &second.study_toml).unwrap_or_default();
    let study: Vec<KeyDifference> =
        study.into_iter().map(|d| KeyDifference { key: d.key, first: d.first, second: d.second }).collect();
    // One mechanism with other numbers shows in the studies.
    if first.study.mechanism.name != second.study.mechanism.name {
        not_compared.push(format!(
            "the mechanisms differ ({} and {}): numbers of the same name may mean different things",
            first.study.mechanism.name, second.study.mechanism.name
        ));
    }
    let times = common_times(first, second, &mut not_compared);
    let statistics = statistics(first, second, &times, &mut not_compared);
    let mut instances_found = None;
    let ends = match SameDraws::of(first, second, &mut not_compared)? {
        Ok(same) => {
            instances_found = instances(first, second, &same)?;
            pairing::paired(first, second, &same, &mut not_compared)?
        }
        Err(why) => {
            not_compared
                .push(format!("the runs are compared as independent ones, and not pair by pair: {why}"));
            pairing::apart(first, second, times.last())
        }
    };
    not_compared.extend(EndComparison::notes(first, second));
    Ok(Comparison {
        verdicts: verdicts(&first.manifest, &second.manifest),
        time: times.last().map(|(a, _)| first.statistics.times[*a]),
        first: first.name.clone(),
        second: second.name.clone(),
        study,
        not_compared,
        statistics,
        ends,
        instances: instances_found,
    })
}

/// The positions of the times at which both were seen.
pub(super) fn common_times(
    first: &ComparedRun,
    second: &ComparedRun,
    not_compared: &mut Vec<String>,
) -> Vec<(usize, usize)> {
    let (a, b) = (&first.statistics.times, &second.statistics.times);
    let near = SAME_TIME * first.manifest.step;
    let mut common = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if (a[i] - b[j]).abs() <= near {
            common.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if a[i] < b[j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    if (first.duration() - second.duration()).abs() > near {
        not_compared.push(format!(
            "the runs last {} s and {} s: the end is the last time that both were seen at",
            first.duration(),
            second.duration()
        ));
    }
    let alone = a.len() + b.len() - 2 * common.len();
    if alone > 0 {
        not_compared.push(format!("{alone} snapshots are at times that the other run has not"));
    }
    common
}

fn statistics(
    first: &ComparedRun,
    second: &ComparedRun,
    times: &[(usize, usize)],
    not_compared: &mut Vec<String>,
) -> Vec<Statistic> {
    let (a, b) = (&first.statistics, &second.statistics);
    let mut alone: Vec<String> = Vec::new();
    for (one, other, name) in [(a, b, &first.name), (b, a, &second.name)] {
        let missing = |column: &&crate::output::ColumnLabel| {
            !other.columns.iter().any(|c| c.name() == column.name() && c.unit == column.unit)
        };
        let names: Vec<String> = one.columns.iter().filter(missing).map(|column| column.name()).collect();
        if !names.is_empty() {
            alone.push(format!("only {name} has {}", names.join(", ")));
        }
    }
    not_compared.extend(alone);
    // Each statistic has a reader for each run: a quantile may stand at another place in the second
    // one.
    type Read = Box<dyn Fn(&Summary) -> f64>;
    let mut kinds: Vec<(String, Read, Read)> = vec![
        ("mean".to_string(), Box::new(|s| s.mean), Box::new(|s| s.mean)),
        ("std".to_string(), Box::new(|s| s.std), Box::new(|s| s.std)),
        ("min".to_string(), Box::new(|s| s.min), Box::new(|s| s.min)),
        ("max".to_string(), Box::new(|s| s.max), Box::new(|s| s.max)),
    ];
    for (i, p) in a.probabilities.iter().enumerate() {
        if let Some(j) = b.probabilities.iter().position(|other| other == p) {
            let (read, other): (Read, Read) =
                (Box::new(move |s| s.quantiles[i]), Box::new(move |s| s.quantiles[j]));
            kinds.push((quantile_name(*p), read, other));
        }
    }
    let mut rows = Vec::new();
    for (i, column) in a.columns.iter().enumerate() {
        let same = |c: &crate::output::ColumnLabel| c.name() == column.name() && c.unit == column.unit;
        let (Some(j), Some(last)) = (b.columns.iter().position(same), times.last()) else { continue };
        for (statistic, read, read_other) in &kinds {
            let at = |(s, t): &(usize, usize)| (read(&a.summaries[*s][i]), read_other(&b.summaries[*t][j]));
            let mut largest = (f64::NAN, f64::NAN);
            for time in times {
                let (x, y) = at(time);
                let difference = (y - x).abs();
                // NaN is not compared: then one of them has no instance left.
                if difference > largest.0 || (largest.0.is_nan() && !difference.is_nan()) {
                    largest = (difference, a.times[time.0]);
                }
            }
            let (x, y) = at(last);
            rows.push(Statistic {
                channel: column.name(),
                unit: column.unit.clone(),
                statistic: statistic.clone(),
                first: x,
                second: y,
                difference: y - x,
                largest: largest.0,
                largest_at: largest.1,
            });
        }
    }
    rows
}

/// The ends of instances of the same draws, one by one.
fn instances(
    first: &ComparedRun,
    second: &ComparedRun,
    same: &SameDraws,
) -> Result<Option<Instances>, OutputError> {
    let (Some((a, mine)), Some((b, theirs))) = (first.finals(), second.finals()) else { return Ok(None) };
    let ends = |side: usize, table: &SavedTable| -> Result<Vec<(String, u64)>, OutputError> {
        let ends: Vec<_> = table.texts("verdict")?.into_iter().zip(table.integers("verdict_step")?).collect();
        Ok(same.chosen(side, &ends))
    };
    // Steps of another length are other steps.
    let same_step = first.manifest.step == second.manifest.step;
    let other_ends =
        ends(0, a)?.iter().zip(&ends(1, b)?).filter(|(x, y)| x.0 != y.0 || (same_step && x.1 != y.1)).count();
    let mut columns = Vec::new();
    for (name, unit) in mine.into_iter().filter(|column| theirs.contains(column)) {
        let [x, y] = same.values(a, b, &name)?;
        let apart = same.instances.iter().zip(x.iter().zip(&y)).map(|(i, (x, y))| (*i, (y - x).abs()));
        let mut apart: Vec<(u64, f64)> = apart.filter(|(_, d)| !d.is_nan()).collect();
        apart.sort_by(|p, q| p.1.total_cmp(&q.1).then(q.0.cmp(&p.0)));
        let sizes: Vec<f64> = apart.iter().map(|(_, d)| *d).collect();
        columns.push(ColumnDifference {
            name: name["final.".len()..].to_string(),
            unit,
            compared: apart.len() as u64,
            max: apart.last().map_or(f64::NAN, |(_, d)| *d),
            instance: apart.last().map(|(i, _)| *i),
            median: quantile(&sizes, 0.5),
        });
    }
    Ok(Some(Instances { compared: same.instances.len() as u64, other_ends: other_ends as u64, columns }))
}

impl Comparison {
    /// Leaves out all channel components but these.
    pub(super) fn only(&mut self, names: &[String]) {
        self.statistics.retain(|statistic| names.contains(&statistic.channel));
        self.ends.only(names);
        if let Some(instances) = &mut self.instances {
            instances.columns.retain(|column| names.contains(&column.name));
        }
    }

    /// As tables for people.
    pub fn text(&self) -> String {
        let mut text = format!("first   {}\nsecond  {}\n", self.first, self.second);
        let mut section = |title: &str, rows: Vec<Vec<String>>| {
            let _ = write!(text, "\n{title}\n{}", aligned(&rows));
        };
        let row = |cells: &[&str]| cells.iter().map(|cell| cell.to_string()).collect::<Vec<String>>();
        let notes: Vec<Vec<String>> =
            self.not_compared.iter().cloned().chain(self.ends.warning()).map(|line| vec![line]).collect();
        if !notes.is_empty() {
            section("to be known", notes);
        }
        let there = |value: &Option<String>| value.clone().unwrap_or_else(|| "–".to_string());
        let mut rows = vec![row(&["key", "first", "second"])];
        rows.extend(self.study.iter().map(|k| vec![k.key.clone(), there(&k.first), there(&k.second)]));
        match rows.len() {
            1 => section("the studies are the same", Vec::new()),
            _ => section("differences of the studies", rows),
        }
        let mut rows = vec![row(&["verdict", "first", "second"])];
        rows.extend(
            self.verdicts.iter().map(|v| vec![v.verdict.clone(), grouped(v.first), grouped(v.second)]),
        );
        section("verdicts", rows);
        for (title, rows) in self.ends.tables() {
            section(&title, rows);
        }
        if let (Some(time), false) = (self.time, self.statistics.is_empty()) {
            let mut rows =
                vec![row(&["channel", "", "first", "second", "difference", "largest", "at (s)", "unit"])];
            for s in &self.statistics {
                let mut cells = vec![s.channel.clone(), s.statistic.clone()];
                cells.extend([s.first, s.second, s.difference, s.largest, s.largest_at].map(three));
                cells.push(s.unit.clone());
                rows.push(cells);
            }
            let title = format!(
                "statistics at {} s, and their largest difference over all common times",
                shown(time)
            );
            section(&title, rows);
        }
        if let Some(instances) = &self.instances {
            let mut rows = vec![row(&["at the end", "largest", "of instance", "median", "unit"])];
            for c in &instances.columns {
                let instance = c.instance.map_or_else(|| "–".to_string(), |i| i.to_string());
                rows.push(vec![c.name.clone(), three(c.max), instance, three(c.median), c.unit.clone()]);
            }
            let title = format!(
                "{} instances one by one: {} end otherwise; differences without sign",
                grouped(instances.compared),
                grouped(instances.other_ends)
            );
            section(&title, rows);
        }
        text
    }
}

/// Columns under each other, two spaces in and apart.
pub(super) fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |k: usize| rows.iter().filter_map(|row| row.get(k)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|k| width(k).unwrap_or(0).min(WIDEST)).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(line, "  {cell:<width$}");
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}
