//! Two finished runs compared at their ends: pair by pair where both drew the same numbers, and as
//! independent runs where they did not. The intervals are those of [`crate::observe::pairs`].

use serde::Serialize;

use super::compared_run::{ComparedRun, Count, SAME_TIME, verdicts};
use crate::base::text::shell_word;
use crate::base::{grouped, significant};
use crate::describe::{Design, Ensemble};
use crate::observe::indices::Estimate;
use crate::observe::pairs::{Moments, bars, carriers, independent, independent_share, mean, paired_share};
use crate::observe::{Histogram, Share, Summary, Verdict};
use crate::output::SavedTable;
use crate::output::{ColumnLabel, OutputError};

/// Instances that part most, of every quantity.
const MOST: usize = 5;

/// Bars of a histogram of differences.
const BARS: usize = 48;

/// The ends of two runs.
#[derive(Clone, Debug, Serialize)]
pub struct EndComparison {
    /// Instances of the same draws, compared pair by pair; none: the runs are compared as
    /// independent.
    pub pairs: Option<u64>,
    pub shares: Vec<ShareDifference>,
    pub means: Vec<MeanDifference>,
}

/// The share of instances that have a value of a quantity, or a verdict.
#[derive(Clone, Debug, Serialize)]
pub struct ShareDifference {
    pub name: String,
    pub is_verdict: bool,
    pub first: Share,
    pub second: Share,
    /// The second share less the first.
    pub difference: Estimate,
    /// Instances that are among the first alone, and among the second alone; none: there are no
    /// pairs.
    pub alone: Option<[Alone; 2]>,
}

/// Instances of one run alone.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Alone {
    pub count: u64,
    /// The first few.
    pub instances: Vec<u64>,
}

/// The means of a final value.
#[derive(Clone, Debug, Serialize)]
pub struct MeanDifference {
    pub name: String,
    pub unit: String,
    /// The pairs that have a value in both runs, or all instances that have one.
    pub first: Moments,
    pub second: Moments,
    /// The second less the first.
    pub difference: Estimate,
    /// None: there are no pairs.
    pub pairs: Option<Pairs>,
}

/// A final value pair by pair; a difference is the second less the first.
#[derive(Clone, Debug, Serialize)]
pub struct Pairs {
    /// The width of the interval without the pairs over that with them; NaN or infinite where all
    /// differences are alike.
    pub unpaired: f64,
    /// Where the second is smaller, and where it is larger.
    pub smaller: Share,
    pub larger: Share,
    /// As many instances make up the variance of the differences, where they are few.
    pub carriers: Option<f64>,
    pub histogram: Histogram,
    pub parted: Vec<Parted>,
}

/// An instance whose two values are far apart.
#[derive(Clone, Debug, Serialize)]
pub struct Parted {
    pub instance: u64,
    pub first: f64,
    pub second: f64,
    pub difference: f64,
    /// Computes it again in each of the runs.
    pub replay: [String; 2],
}

/// Why two runs are compared as independent ones.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unpaired {
    #[error("the runs last {0} s and {1} s")]
    Durations(f64, f64),
    #[error(
        "{} did not store {what}; set output.instances = \"all\" in the study and run it \
         again", runs.join(" and ")
    )]
    NotStored { runs: Vec<String>, what: &'static str },
    #[error("instances were not stored")]
    NoInstances,
    #[error("they have no instance in common")]
    NothingCommon,
    #[error("other quantities vary")]
    OtherQuantities,
    #[error("they start from other values of {name} (instance {instance} is the first)")]
    OtherValues { name: String, instance: u64 },
}

/// Rows of two tables that are the same instances with the same draws.
pub(super) struct SameDraws {
    pub instances: Vec<u64>,
    rows: [Vec<usize>; 2],
}

impl SameDraws {
    /// The instances that two runs have in common; else the reason to compare the runs as
    /// independent.
    pub fn of(
        first: &ComparedRun,
        second: &ComparedRun,
        notes: &mut Vec<String>,
    ) -> Result<Result<SameDraws, Unpaired>, OutputError> {
        if (first.duration() - second.duration()).abs() > SAME_TIME * first.manifest.step {
            let (first, second) = (first.duration(), second.duration());
            return Ok(Err(Unpaired::Durations(first, second)));
        }
        let missing = |what: &'static str, has: &dyn Fn(&ComparedRun) -> bool| {
            let without = [first, second].into_iter().filter(|side| !has(side));
            let runs: Vec<String> = without.map(|side| side.name.clone()).collect();
            (!runs.is_empty()).then_some(Unpaired::NotStored { runs, what })
        };
        let has_finals = |side: &ComparedRun| side.finals().is_some_and(|(_, finals)| !finals.is_empty());
        if let Some(why) = missing("final values of its instances", &has_finals) {
            return Ok(Err(why));
        }
        let (Some(a), Some(b)) = (&first.instances, &second.instances) else {
            return Ok(Err(Unpaired::NoInstances));
        };
        let same = SameDraws::joined(&a.integers("instance")?, &b.integers("instance")?);
        if same.instances.is_empty() {
            return Ok(Err(Unpaired::NothingCommon));
        }
        let Some(why) = missing("what was drawn for each instance", &ComparedRun::stores_drawn) else {
            return Ok(match same.drawn_otherwise([first, second], [a, b], notes)? {
                None => Ok(same),
                Some(why) => Err(why),
            });
        };
        // An ensemble draws the same numbers whenever it is drawn.
        let ensemble = |side: &ComparedRun| Ensemble { until: None, ..side.study.ensemble.clone() };
        Ok(if ensemble(first) == ensemble(second) { Ok(same) } else { Err(why) })
    }

    /// The reason why the draws in the tables differ; `None`: they are the same. Notes what varies
    /// in one run alone.
    fn drawn_otherwise(
        &self,
        runs: [&ComparedRun; 2],
        tables: [&SavedTable; 2],
        notes: &mut Vec<String>,
    ) -> Result<Option<Unpaired>, OutputError> {
        let [a, b] = tables;
        let drawn = tables.map(|table| table.columns("drawn."));
        let common: Vec<_> = drawn[0].iter().filter(|column| drawn[1].contains(column)).collect();
        if common.is_empty() && drawn.iter().any(|drawn| !drawn.is_empty()) {
            return Ok(Some(Unpaired::OtherQuantities));
        }
        let quantity = |name: &str| name["drawn.".len()..].to_owned();
        for (name, _) in &common {
            let [x, y] = self.values(a, b, name)?;
            if let Some(place) = x.iter().zip(&y).position(|(x, y)| x.to_bits() != y.to_bits()) {
                let (name, instance) = (quantity(name), self.instances[place]);
                return Ok(Some(Unpaired::OtherValues { name, instance }));
            }
        }
        for (drawn, run) in drawn.iter().zip(runs) {
            let alone = drawn.iter().filter(|column| !common.contains(column));
            let alone: Vec<String> = alone.map(|(name, _)| quantity(name)).collect();
            if !alone.is_empty() {
                let alone = alone.join(", ");
                notes.push(format!("{} varies {alone} besides: differences have that in them", run.name));
            }
        }
        Ok(None)
    }

    /// Two ascending lists of instances.
    fn joined(a: &[u64], b: &[u64]) -> SameDraws {
        let mut same = SameDraws { instances: Vec::new(), rows: [Vec::new(), Vec::new()] };
        let (mut i, mut j) = (0, 0);
        while i < a.len() && j < b.len() {
            match a[i].cmp(&b[j]) {
                std::cmp::Ordering::Less => i += 1,
                std::cmp::Ordering::Greater => j += 1,
                std::cmp::Ordering::Equal => {
                    same.instances.push(a[i]);
                    same.rows[0].push(i);
                    same.rows[1].push(j);
                    (i, j) = (i + 1, j + 1);
                }
            }
        }
        same
    }

    /// A column of numbers in both tables.
    pub fn values(&self, a: &SavedTable, b: &SavedTable, name: &str) -> Result<[Vec<f64>; 2], OutputError> {
        Ok([self.chosen(0, &a.floats(name)?), self.chosen(1, &b.floats(name)?)])
    }

    /// The rows of a table that belong to the pairs.
    pub fn chosen<T: Clone>(&self, side: usize, all: &[T]) -> Vec<T> {
        self.rows[side].iter().map(|row| all[*row].clone()).collect()
    }

    /// The difference between the shares of instances that have something in each run.
    fn share(
        &self,
        name: String,
        is_verdict: bool,
        first: &[bool],
        second: &[bool],
    ) -> Option<ShareDifference> {
        let share_of =
            |has: &[bool]| Share::new(has.iter().filter(|has| **has).count() as u64, has.len() as u64);
        let alone = |mine: &[bool], theirs: &[bool]| {
            let alone: Vec<u64> = self
                .instances
                .iter()
                .zip(mine.iter().zip(theirs))
                .filter(|(_, (mine, theirs))| **mine && !**theirs)
                .map(|(instance, _)| *instance)
                .collect();
            Alone { count: alone.len() as u64, instances: alone.into_iter().take(MOST).collect() }
        };
        let alone = [alone(first, second), alone(second, first)];
        Some(ShareDifference {
            name,
            is_verdict,
            first: share_of(first)?,
            second: share_of(second)?,
            difference: paired_share(alone[0].count, alone[1].count, self.instances.len() as u64),
            alone: Some(alone),
        })
    }
}

/// The ends pair by pair.
pub(super) fn paired(
    first: &ComparedRun,
    second: &ComparedRun,
    same: &SameDraws,
    notes: &mut Vec<String>,
) -> Result<EndComparison, OutputError> {
    let all = same.instances.len();
    let mut found = EndComparison { pairs: Some(all as u64), shares: Vec::new(), means: Vec::new() };
    let (Some((a, mine)), Some((b, theirs))) = (first.finals(), second.finals()) else { return Ok(found) };
    let verdicts = [same.chosen(0, &a.texts("verdict")?), same.chosen(1, &b.texts("verdict")?)];
    let mut names: Vec<&String> = verdicts.iter().flatten().collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let [x, y] =
            verdicts.each_ref().map(|of| of.iter().map(|verdict| verdict == name).collect::<Vec<bool>>());
        found.shares.extend(same.share(name.clone(), true, &x, &y));
    }
    // The table has the last sound state of an instance that failed, which is no end.
    let came = verdicts
        .each_ref()
        .map(|of| of.iter().map(|verdict| !Verdict::names_failure(verdict)).collect::<Vec<bool>>());
    let count = |is: &dyn Fn(usize) -> bool| (0..all).filter(|i| is(*i)).count() as u64;
    let both = |i: usize| came[0][i] && came[1][i];
    let failed = count(&|i| !both(i));
    if failed > 0 {
        notes.push(format!(
            "{} of {} pairs have no final values, because an instance failed in one of the runs",
            grouped(failed),
            grouped(all as u64)
        ));
    }
    // A verdict at the end ends nothing before it.
    let steps = [first, second].map(|run| run.manifest.steps);
    let ended = [same.chosen(0, &a.integers("verdict_step")?), same.chosen(1, &b.integers("verdict_step")?)];
    let before =
        |side: usize, i: usize| verdicts[side][i] != Verdict::Finished.name() && ended[side][i] < steps[side];
    let early = count(&|i| both(i) && (before(0, i) || before(1, i)));
    if early > 0 {
        notes.push(format!(
            "a condition of the study ended {} pairs early in one run or both: their values are those at \
             their own ends",
            grouped(early)
        ));
    }
    for (column, unit) in mine.into_iter().filter(|column| theirs.contains(column)) {
        let name = column["final.".len()..].to_owned();
        let [x, y] = same.values(a, b, &column)?;
        let has = |side: usize, values: &[f64]| -> Vec<bool> {
            values.iter().zip(&came[side]).map(|(value, came)| *came && value.is_finite()).collect()
        };
        let (has_x, has_y) = (has(0, &x), has(1, &y));
        if has_x != came[0] || has_y != came[1] {
            found.shares.extend(same.share(name.clone(), false, &has_x, &has_y));
        }
        let pairs = (0..all).filter(|i| has_x[*i] && has_y[*i]).map(|i| (same.instances[i], x[i], y[i]));
        let pairs: Vec<(u64, f64, f64)> = pairs.collect();
        let is_share = is_share(first, second, &name);
        found.means.extend(MeanDifference::paired(name, unit, &pairs, is_share, [&first.name, &second.name]));
    }
    Ok(found)
}

/// The ends of runs that share no draws, from their statistics at the last time of both.
pub(super) fn apart(
    first: &ComparedRun,
    second: &ComparedRun,
    last: Option<&(usize, usize)>,
) -> EndComparison {
    let mut found = EndComparison { pairs: None, shares: Vec::new(), means: Vec::new() };
    let total = |side: &ComparedRun| side.manifest.verdicts.values().sum::<u64>();
    for Count { verdict, first: x, second: y } in verdicts(&first.manifest, &second.manifest) {
        if let (Some(x), Some(y)) = (Share::new(x, total(first)), Share::new(y, total(second))) {
            found.shares.push(ShareDifference::independent(verdict, true, x, y));
        }
    }
    let Some(&(s, t)) = last else { return found };
    let rows = [&first.statistics.summaries[s], &second.statistics.summaries[t]];
    // No more than these have come to this time.
    let ended = rows.map(|row| row.iter().map(|summary| summary.count).max().unwrap_or(0));
    for (i, column) in first.statistics.columns.iter().enumerate() {
        let same = |c: &ColumnLabel| c.name() == column.name() && c.unit == column.unit;
        let Some(j) = second.statistics.columns.iter().position(same) else { continue };
        let (x, y) = (&rows[0][i], &rows[1][j]);
        let share = |summary: &Summary| Share::new(summary.count, summary.count + summary.excluded);
        if let (Some(of_x), Some(of_y), true) = (share(x), share(y), x.count < ended[0] || y.count < ended[1])
        {
            found.shares.push(ShareDifference::independent(column.name(), false, of_x, of_y));
        }
        if x.count == 0 || y.count == 0 {
            continue;
        }
        let moments =
            |summary: &Summary| Moments { count: summary.count, mean: summary.mean, std: summary.std };
        found.means.push(MeanDifference {
            name: column.name(),
            unit: column.unit.clone(),
            first: moments(x),
            second: moments(y),
            difference: match (is_share(first, second, &column.name()), ones(x), ones(y)) {
                (true, Some(x), Some(y)) => independent_share(x, y),
                _ => independent(moments(x), moments(y)),
            },
            pairs: None,
        });
    }
    found
}

/// Whether a quantity is a condition's value in both runs, so that its mean is a share.
fn is_share(first: &ComparedRun, second: &ComparedRun, name: &str) -> bool {
    let own = |run: &ComparedRun| {
        run.study.mechanism.outcomes.iter().any(|outcome| outcome.name == name && outcome.is_share())
    };
    own(first) && own(second)
}

/// Whether differences are the same but for the rounding of the values.
fn are_alike(pairs: &[(u64, f64, f64)], differences: &[f64]) -> bool {
    let size = pairs.iter().fold(0.0f64, |size, (_, x, y)| size.max(x.abs()).max(y.abs()));
    let least = differences.iter().copied().fold(f64::INFINITY, f64::min);
    let most = differences.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    most - least <= 4.0 * f64::EPSILON * size
}

/// The share of the instances whose value is 1.
fn ones(summary: &Summary) -> Option<Share> {
    Share::new((summary.mean * summary.count as f64).round() as u64, summary.count)
}

impl MeanDifference {
    /// From the values of instances in two runs, which are in these folders; `None`: there are
    /// none.
    fn paired(
        name: String,
        unit: String,
        pairs: &[(u64, f64, f64)],
        is_share: bool,
        folders: [&str; 2],
    ) -> Option<MeanDifference> {
        let differences: Vec<f64> = pairs.iter().map(|(_, x, y)| y - x).collect();
        let share = |is: fn(&f64) -> bool| {
            Share::new(differences.iter().filter(|d| is(d)).count() as u64, differences.len() as u64)
        };
        let (smaller, larger) = (share(|d| *d < 0.0)?, share(|d| *d > 0.0)?);
        let first = Moments::of(&pairs.iter().map(|pair| pair.1).collect::<Vec<f64>>());
        let second = Moments::of(&pairs.iter().map(|pair| pair.2).collect::<Vec<f64>>());
        // Events: what one run has and the other has not, as of verdicts.
        let events = |(_, x, y): &(u64, f64, f64)| [x, y].into_iter().all(|x| *x == 0.0 || *x == 1.0);
        let difference = match is_share && pairs.iter().all(events) {
            true => paired_share(smaller.count, larger.count, differences.len() as u64),
            false => mean(&differences),
        };
        let apart = |(_, x, y): &(u64, f64, f64)| (y - x).abs();
        let mut most: Vec<&(u64, f64, f64)> = pairs.iter().filter(|(_, x, y)| x != y).collect();
        most.sort_by(|p, q| apart(q).total_cmp(&apart(p)).then(p.0.cmp(&q.0)));
        let parted = most.into_iter().take(MOST).map(|&(instance, x, y)| Parted {
            instance,
            first: x,
            second: y,
            difference: y - x,
            replay: folders
                .map(|folder| format!("polhode replay {} --instance {instance}", shell_word(folder))),
        });
        let parted = parted.collect();
        let pairs = Pairs {
            unpaired: match are_alike(pairs, &differences) {
                true => f64::NAN,
                false => independent(first, second).half_width() / difference.half_width(),
            },
            smaller,
            larger,
            carriers: carriers(&differences),
            histogram: bars(&differences, BARS),
            parted,
        };
        Some(MeanDifference { name, unit, first, second, difference, pairs: Some(pairs) })
    }
}

impl ShareDifference {
    fn independent(name: String, is_verdict: bool, first: Share, second: Share) -> ShareDifference {
        let difference = independent_share(first, second);
        ShareDifference { name, is_verdict, first, second, difference, alone: None }
    }

    /// In points of a percent.
    fn row(&self) -> Vec<String> {
        let name = match self.is_verdict {
            true => self.name.clone(),
            false => format!("{} has a value", self.name),
        };
        let share = |share: Share| format!("{} ({})", share.counted(grouped), share.percent());
        let Estimate { value, low, high } = self.difference;
        let mut row = vec![name, share(self.first), share(self.second), three(100.0 * value)];
        row.push(format!("{} to {}", three(100.0 * low), three(100.0 * high)));
        row.extend(self.alone.iter().flatten().map(Alone::sentence));
        row
    }
}

impl Alone {
    /// `15 (3, 88, 120, 131, 200, ..)`
    fn sentence(&self) -> String {
        let listed: Vec<String> = self.instances.iter().map(u64::to_string).collect();
        let more = if self.count > self.instances.len() as u64 { ", .." } else { "" };
        match self.count {
            0 => "0".to_owned(),
            count => format!("{} ({}{more})", grouped(count), listed.join(", ")),
        }
    }
}

/// Three significant digits; `–` where there is no number.
pub(super) fn three(value: f64) -> String {
    if value.is_nan() { "–".to_owned() } else { significant(value, 3) }
}

impl EndComparison {
    /// Leaves out all channel components but these.
    pub(super) fn only(&mut self, names: &[String]) {
        self.shares.retain(|share| share.is_verdict || names.contains(&share.name));
        self.means.retain(|mean| names.contains(&mean.name));
    }

    /// Notes that a reader of the intervals must know.
    pub(super) fn notes(first: &ComparedRun, second: &ComparedRun) -> Vec<String> {
        let mut notes = Vec::new();
        for side in [first, second] {
            let ensemble = &side.study.ensemble;
            let more_even = match ensemble.design {
                _ if ensemble.vary.iter().any(|vary| vary.distribution.is_axis()) => {
                    "lays its instances out in a grid"
                }
                Design::Sobol => "draws Sobol points",
                Design::LatinHypercube => "draws a Latin hypercube",
                Design::Random => continue,
            };
            notes.push(format!(
                "{} {more_even}: 95 % intervals are those of independent draws, and are wider than they need \
                 be",
                side.name
            ));
        }
        notes
    }

    /// Titles and rows of tables for people.
    pub(super) fn tables(&self) -> Vec<(String, Vec<Vec<String>>)> {
        let row = |cells: &[&str]| cells.iter().map(|cell| cell.to_string()).collect::<Vec<String>>();
        let mut tables = Vec::new();
        let verdicts = self.shares.iter().filter(|share| share.is_verdict).count();
        let shares: Vec<&ShareDifference> =
            self.shares.iter().filter(|share| !share.is_verdict || verdicts > 1).collect();
        if !shares.is_empty() {
            let mut rows = vec![row(&["share", "first", "second", "difference (%)", "95 % (%)"])];
            if self.pairs.is_some() {
                rows[0].extend(row(&["in the first alone", "in the second alone"]));
            }
            rows.extend(shares.iter().map(|share| share.row()));
            tables.push((
                "shares of the instances; a difference is the second less the first".to_owned(),
                rows,
            ));
        }
        if self.means.is_empty() {
            return tables;
        }
        let title = match self.pairs {
            Some(pairs) => format!(
                "means at the end, {} pairs of instances with the same draws; a difference is the second \
                 less the first, with the interval of the pairs; unpaired: how many times as wide it would \
                 be without them",
                grouped(pairs)
            ),
            None => {
                "means at the end, of independent runs; a difference is the second less the first".to_owned()
            }
        };
        let mut rows = vec![row(match self.pairs {
            Some(_) => &[
                "mean",
                "pairs",
                "first",
                "second",
                "difference",
                "95 %",
                "unit",
                "unpaired",
                "second is smaller",
                "second is larger",
            ],
            None => &["mean", "of first", "of second", "first", "second", "difference", "95 %", "unit"],
        })];
        for mean in &self.means {
            let MeanDifference { first, second, difference, pairs, .. } = mean;
            let mut cells = vec![mean.name.clone(), grouped(first.count)];
            if pairs.is_none() {
                cells.push(grouped(second.count));
            }
            cells.extend([first.mean, second.mean, difference.value].map(three));
            cells.push(format!("{} to {}", three(difference.low), three(difference.high)));
            cells.push(mean.unit.clone());
            if let Some(pairs) = pairs {
                let unpaired = if pairs.unpaired.is_finite() {
                    format!("{} x", three(pairs.unpaired))
                } else {
                    three(f64::NAN)
                };
                cells.extend([unpaired, pairs.smaller.percent(), pairs.larger.percent()]);
            }
            rows.push(cells);
        }
        tables.push((title, rows));
        let mut rows = vec![row(&[
            "of",
            "instance",
            "first",
            "second",
            "difference",
            "unit",
            "again in the first",
            "again in the second",
        ])];
        for mean in &self.means {
            for parted in mean.pairs.iter().flat_map(|pairs| &pairs.parted) {
                let mut cells = vec![mean.name.clone(), parted.instance.to_string()];
                cells.extend([parted.first, parted.second, parted.difference].map(three));
                cells.push(mean.unit.clone());
                cells.extend(parted.replay.clone());
                rows.push(cells);
            }
        }
        if rows.len() > 1 {
            tables.push(("instances that part most".to_owned(), rows));
        }
        tables
    }

    /// A sentence about means that a few instances carry.
    pub(super) fn warning(&self) -> Option<String> {
        let carried = |mean: &MeanDifference| {
            let carriers = mean.pairs.as_ref()?.carriers?;
            Some(format!("{} ({carriers:.0} of {})", mean.name, grouped(mean.first.count)))
        };
        let carried: Vec<String> = self.means.iter().filter_map(carried).collect();
        (!carried.is_empty()).then(|| {
            format!(
                "a few pairs make up the spread of the differences in {}: such an interval holds the mean \
                 less often than 95 %; run more instances",
                carried.join(", ")
            )
        })
    }
}
