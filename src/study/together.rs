//! Several finished runs beside each other: the first compared with each of the others, the largest
//! values of every channel that all have, and curves of all runs in one picture.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use super::compare::{Comparison, aligned, common_times, compare_sides};
use super::compared_run::ComparedRun;
use super::pairing::three;
use crate::output::curves::{PairedBars, RunCurve, Together, draw_pairs, draw_together};
use crate::output::numbers::percent;
use crate::output::saved::SavedError;
use crate::output::{
    LONGEST_LABEL, Manifest, NEVER, OutputFolder, Picture, ReplotError, SelectionError, columns_of, now_utc,
};

/// File with what was found, in the folder of the pictures.
const COMPARISON: &str = "comparison.json";

/// The channels to compare, and the folder for pictures.
#[derive(Clone, Debug, Default)]
pub struct ComparisonOptions<'a> {
    /// Channels, whole or by component; all if there are none.
    pub channels: Vec<String>,
    /// Names of the runs in tables and legends; none: those of their folders.
    pub labels: Vec<String>,
    /// A folder for pictures; none: no pictures.
    pub out: Option<PathBuf>,
    /// Earlier pictures in the folder are replaced.
    pub overwrite: bool,
    /// Once this is true it ends early.
    pub interrupt: Option<&'a AtomicBool>,
}

/// The comparison of all runs.
#[derive(Clone, Debug, Serialize)]
pub struct RunComparison {
    /// The labels of the runs.
    pub runs: Vec<String>,
    /// The first with each of the others.
    #[doc(hidden)]
    pub comparisons: Vec<Comparison>,
    #[doc(hidden)]
    pub largest: Vec<Largest>,
}

/// A channel component that all runs have.
#[derive(Clone, Debug, Serialize)]
pub struct Largest {
    pub channel: String,
    pub unit: String,
    /// One a run.
    pub runs: Vec<RunExtent>,
}

/// The extent of a run in a channel, and its distance from the first run.
#[derive(Clone, Debug, Serialize)]
pub struct RunExtent {
    /// The value of largest magnitude, of any instance at any snapshot; NaN: there is none.
    pub largest: f64,
    /// When that is (s).
    pub at: f64,
    /// Root of the mean square over all common times of what the means differ by from the first
    /// run's; its own is 0.
    pub apart: f64,
}

/// Runs that have been compared, with what pictures of them need.
pub struct Compared {
    found: RunComparison,
    sides: Vec<ComparedRun>,
    /// Columns of each run, by channel that all have.
    channels: Vec<Vec<usize>>,
}

/// The runs in these folders, two or more.
///
/// # Errors
/// One of them is no folder of a whole run, or has not what is wanted.
pub fn beside(folders: &[PathBuf], wanted: &ComparisonOptions<'_>) -> Result<Compared, ReplotError> {
    let sides = folders
        .iter()
        .map(|folder| ComparedRun::read(folder))
        .collect::<Result<Vec<ComparedRun>, SavedError>>()?;
    let refused =
        |folder: &Path, why: SelectionError| ReplotError::Selection { folder: folder.to_owned(), why };
    if !wanted.labels.is_empty() && wanted.labels.len() != sides.len() {
        let why = SelectionError::LabelCount { runs: sides.len(), labels: wanted.labels.len() };
        return Err(refused(&folders[0], why));
    }
    let letters = |label: &String| label.chars().count();
    if let Some(k) = wanted.labels.iter().position(|label| letters(label) > LONGEST_LABEL) {
        let why = SelectionError::LongLabel { letters: letters(&wanted.labels[k]) };
        return Err(refused(&folders[k], why));
    }
    let again = (1..wanted.labels.len()).find(|k| wanted.labels[..*k].contains(&wanted.labels[*k]));
    if let Some(k) = again {
        let why = SelectionError::SameLabel { label: wanted.labels[k].clone() };
        return Err(refused(&folders[k], why));
    }
    let mut chosen: Vec<usize> = (0..sides[0].statistics.columns.len()).collect();
    if !wanted.channels.is_empty() {
        for (side, folder) in sides.iter().zip(folders) {
            let of_side = columns_of(&side.statistics.columns, &wanted.channels);
            let of_side = of_side.map_err(|why| refused(folder, why))?;
            if std::ptr::eq(side, &sides[0]) {
                chosen = of_side;
            }
        }
    }
    let runs = labels(folders, &wanted.labels);
    let mut comparisons =
        sides[1..].iter().map(|side| compare_sides(&sides[0], side)).collect::<Result<Vec<_>, _>>()?;
    let names: Vec<String> = chosen.iter().map(|c| sides[0].statistics.columns[*c].name()).collect();
    for comparison in &mut comparisons {
        comparison.only(&names);
    }
    let channels: Vec<Vec<usize>> = chosen.iter().filter_map(|c| everywhere(&sides, *c)).collect();
    let largest = channels.iter().map(|columns| largest(&sides, columns)).collect();
    if channels.is_empty() && wanted.out.is_some() {
        return Err(refused(&folders[0], SelectionError::NothingInCommon));
    }
    let found = RunComparison { runs, comparisons, largest };
    Ok(Compared { found, sides, channels })
}

impl Compared {
    /// With [`ComparisonOptions::out`], draws the runs, and writes only when all is drawn.
    ///
    /// # Errors
    /// The pictures cannot be written, or the user has ended it.
    pub fn written(self, wanted: &ComparisonOptions<'_>) -> Result<RunComparison, ReplotError> {
        let Compared { found, sides, channels } = self;
        let Some(out) = &wanted.out else { return Ok(found) };
        let interrupted = wanted.interrupt.unwrap_or(&NEVER);
        let folder = OutputFolder::create(out, wanted.overwrite)?;
        let together: Vec<Together> =
            channels.iter().map(|columns| together(&sides, &found.runs, columns)).collect();
        folder.write_pictures(&draw_together(&together), interrupted)?;
        folder.write_pictures(&paired_pictures(&found), interrupted)?;
        if interrupted.load(Ordering::Relaxed) {
            return Err(ReplotError::Interrupted);
        }
        folder.write(COMPARISON, found.json().as_bytes())?;
        let mut manifest = Manifest {
            polhode: env!("CARGO_PKG_VERSION").to_string(),
            study: found.runs.join(", "),
            kind: "comparison".to_string(),
            complete: true,
            started: now_utc(),
            ..Manifest::default()
        };
        folder.write_manifest(&mut manifest)?;
        folder.finish()?;
        Ok(found)
    }
}

/// Histograms of what instances of the same draws differ in from the first run: `NAME_pairs`, and
/// of several runs `NAME_pairs_K`.
fn paired_pictures(found: &RunComparison) -> Vec<Picture> {
    let several = found.comparisons.len() > 1;
    let mut pictures = Vec::new();
    for (k, comparison) in found.comparisons.iter().enumerate() {
        for mean in &comparison.ends.means {
            let Some(pairs) = mean.pairs.as_ref().filter(|pairs| !pairs.histogram.counts.is_empty()) else {
                continue;
            };
            let file = match several {
                false => format!("{}_pairs", mean.name),
                true => format!("{}_pairs_{}", mean.name, k + 2),
            };
            let bars = PairedBars {
                file,
                name: &mean.name,
                unit: &mean.unit,
                labels: [&found.runs[0], &found.runs[k + 1]],
                pairs: mean.first.count,
                mean: mean.difference,
                histogram: &pairs.histogram,
            };
            pictures.push(draw_pairs(&bars));
        }
    }
    pictures
}

/// By their folders' names, or whole paths where these are the same.
fn labels(folders: &[PathBuf], given: &[String]) -> Vec<String> {
    if !given.is_empty() {
        return given.to_vec();
    }
    let name = |folder: &PathBuf| folder.file_name().map(|name| name.to_string_lossy().into_owned());
    let names: Vec<Option<String>> = folders.iter().map(name).collect();
    let label = |(name, folder): (&Option<String>, &PathBuf)| match name {
        Some(own) if names.iter().filter(|other| *other == name).count() == 1 => own.clone(),
        _ => folder.display().to_string(),
    };
    names.iter().zip(folders).map(label).collect()
}

/// Where the first run's column is in each; `None`: it is not in all.
fn everywhere(sides: &[ComparedRun], column: usize) -> Option<Vec<usize>> {
    let about = &sides[0].statistics.columns[column];
    let position = |side: &ComparedRun| {
        side.statistics.columns.iter().position(|c| c.name() == about.name() && c.unit == about.unit)
    };
    sides.iter().map(position).collect()
}

fn largest(sides: &[ComparedRun], columns: &[usize]) -> Largest {
    let about = &sides[0].statistics.columns[columns[0]];
    let extent = |(side, column): (&ComparedRun, &usize)| {
        let summaries = side.statistics.summaries.iter().map(|row| &row[*column]);
        let mut reach =
            RunExtent { largest: f64::NAN, at: f64::NAN, apart: apart(sides, columns, side, *column) };
        for (time, summary) in side.statistics.times.iter().zip(summaries) {
            for value in [summary.min, summary.max] {
                if value.abs() > reach.largest.abs() || (reach.largest.is_nan() && !value.is_nan()) {
                    (reach.largest, reach.at) = (value, *time);
                }
            }
        }
        reach
    };
    Largest {
        channel: about.name(),
        unit: about.unit.clone(),
        runs: sides.iter().zip(columns).map(extent).collect(),
    }
}

fn apart(sides: &[ComparedRun], columns: &[usize], side: &ComparedRun, column: usize) -> f64 {
    let (a, b) = (&sides[0].statistics, &side.statistics);
    let squares = common_times(&sides[0], side, &mut Vec::new()).into_iter().map(|(s, t)| {
        let difference = b.summaries[t][column].mean - a.summaries[s][columns[0]].mean;
        difference * difference
    });
    let squares: Vec<f64> = squares.filter(|square| square.is_finite()).collect();
    (squares.iter().sum::<f64>() / squares.len() as f64).sqrt()
}

/// The curves that are drawn of a channel.
fn together(sides: &[ComparedRun], labels: &[String], columns: &[usize]) -> Together {
    let about = &sides[0].statistics.columns[columns[0]];
    let curve = |k: usize| {
        let (side, column) = (&sides[k].statistics, columns[k]);
        let ends = |row: &Vec<crate::observe::Summary>| {
            let summary = &row[column];
            let ends = (summary.quantiles.first(), summary.quantiles.last());
            [*ends.0.unwrap_or(&summary.mean), *ends.1.unwrap_or(&summary.mean)]
        };
        let spreads = side.summaries.iter().any(|row| row[column].std > 0.0);
        RunCurve {
            label: labels[k].clone(),
            times: side.times.clone(),
            values: side.summaries.iter().map(|row| row[column].mean).collect(),
            spread: if spreads { side.summaries.iter().map(ends).collect() } else { Vec::new() },
        }
    };
    let curves: Vec<RunCurve> = (0..sides.len()).map(curve).collect();
    let difference = |k: usize| {
        let common = common_times(&sides[0], &sides[k], &mut Vec::new());
        RunCurve {
            label: labels[k].clone(),
            times: common.iter().map(|(s, _)| curves[0].times[*s]).collect(),
            values: common.iter().map(|(s, t)| curves[k].values[*t] - curves[0].values[*s]).collect(),
            spread: Vec::new(),
        }
    };
    let differences = (1..sides.len()).map(difference).collect();
    let probabilities = &sides[0].statistics.probabilities;
    let ends = [probabilities.first(), probabilities.last()].map(|p| percent(*p.unwrap_or(&0.5)));
    Together {
        name: about.name(),
        unit: about.unit.clone(),
        curves,
        differences,
        middle: "mean of all instances".to_string(),
        shaded: format!("{}–{} %", ends[0], ends[1]),
    }
}

impl RunComparison {
    /// One object of two runs, as [`Comparison`] has it, with `largest`; all of more.
    pub fn json(&self) -> String {
        const TEXTS: &str = "all keys of a comparison are texts";
        let value = match &self.comparisons[..] {
            [only] => {
                let mut value = serde_json::to_value(only).expect(TEXTS);
                value["largest"] = serde_json::to_value(&self.largest).expect(TEXTS);
                value
            }
            _ => serde_json::to_value(self).expect(TEXTS),
        };
        format!("{value:#}\n")
    }

    /// As tables for people.
    pub fn text(&self) -> String {
        let mut text: String =
            self.comparisons.iter().map(Comparison::text).collect::<Vec<String>>().join("\n");
        if self.largest.is_empty() {
            return text;
        }
        let mut head = vec!["channel".to_string(), "unit".to_string()];
        for (k, label) in self.runs.iter().enumerate() {
            head.extend([label.clone(), "at (s)".to_string()]);
            if k > 0 {
                head.push("apart".to_string());
            }
        }
        let mut rows = vec![head];
        for channel in &self.largest {
            let mut row = vec![channel.channel.clone(), channel.unit.clone()];
            for (k, reach) in channel.runs.iter().enumerate() {
                row.extend([three(reach.largest), three(reach.at)]);
                if k > 0 {
                    row.push(three(reach.apart));
                }
            }
            rows.push(row);
        }
        let title = "largest of any instance at any snapshot; apart: root mean square over time of the \
                     means' difference from the first";
        let _ = write!(text, "\n{title}\n{}", aligned(&rows));
        text
    }
}
