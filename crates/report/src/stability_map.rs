//! Results of a stability map: `cells.parquet`, one row a cell; `boundary.parquet`, one row a row
//! of cells; the maps as pictures; the report.

use serde::{Deserialize, Serialize};

use maud::{Markup, html};

use super::answer::StudyAnswer;
use super::cards::{BOUNDARY, CELLS};
use super::error::OutputError;
use super::manifest::Manifest;
use super::new_file::NewFile;
use super::plots::{Picture, number, words};
use super::report::{doubted_study, figure, page, round3};
use super::stability_plot;
use super::table::{ColumnType, field, float_array, integer_array, text_array};
use polhode_description::base::{
    Precision, VerdictNames, grouped, rounded, shown_within, significant, with_unit,
};
use polhode_description::describe::{Study, Unexplained};
use polhode_engine::observe::Verdict;
use polhode_engine::observe::stability::{Cell, Reach};
use polhode_files::kinds::stability_map::{Along, Axis as Described, GridAxis};

/// Rows of the table of largest stable values that the report shows.
const SHOWN: usize = 21;

/// An axis as it is shown.
pub struct MapAxis {
    /// Ascending, SI.
    pub values: Vec<f64>,
    /// The name of its quantity, and its unit.
    pub name: String,
    pub unit: String,
    /// Factor from the value to the number that is shown.
    pub factor: f64,
    /// With the unit of what is shown.
    pub label: String,
    pub logarithmic: bool,
    /// Values stand side by side, whatever their distance.
    pub listed: bool,
    pub is_step: bool,
}

impl MapAxis {
    pub fn new(described: &Described, laid_out: &GridAxis, unit: &str) -> MapAxis {
        let name = described.along.name();
        let plain = match &described.along {
            Along::Varied(_) if described.factor == 1.0 => format!("{} ({unit})", words(name)),
            Along::Varied(_) => format!("{} × {} ({unit})", number(described.factor), words(name)),
            Along::Resynchronise(_) => "steps between restarts (0: never)".to_string(),
            Along::Project(_) => "steps between projections (0: never)".to_string(),
        };
        MapAxis {
            values: laid_out.values.clone(),
            name: name.to_string(),
            unit: unit.to_string(),
            factor: described.factor,
            label: described.label.clone().unwrap_or(plain),
            logarithmic: laid_out.logarithmic,
            listed: laid_out.listed,
            is_step: laid_out.is_step,
        }
    }
}

/// The stable range of a row of cells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StabilityBoundary {
    /// Position among the variants, and on the y axis.
    pub variant: usize,
    pub row: usize,
    /// In cells.
    pub reach: Reach,
    /// The least stable x; NaN: none is.
    pub from: f64,
    /// The largest below it that is not stable; NaN: none is known.
    pub below: f64,
    /// The largest x up to which all that was tried from there on is stable; NaN: none is.
    pub largest: f64,
    /// The least above it that is not; NaN: none is known.
    pub unstable: f64,
    /// The largest stable x of all.
    pub last: f64,
    /// Verdict of the least unstable x.
    pub failure: Option<Verdict>,
    /// The largest stable x of theory, of an undamped vibration; NaN: it is not known.
    pub theory: f64,
}

/// A map to be written.
pub struct MapData<'a> {
    pub study: &'a Study,
    pub study_toml: &'a str,
    pub x: MapAxis,
    pub y: MapAxis,
    /// Period by which samples are counted (s).
    pub period: Option<f64>,
    pub variants: &'a [String],
    /// Instances of a cell.
    pub replicas: u64,
    /// `[(variant, y, x)]`, x fastest.
    pub cells: &'a [Cell],
    pub boundaries: &'a [StabilityBoundary],
    /// The numbers that steps along x and along y add to that of an instance, where all cells stand
    /// in the ensemble.
    pub strides: Option<[u64; 2]>,
}

impl MapData<'_> {
    /// The cells of a variant, row by row.
    pub fn cells_of(&self, variant: usize) -> &[Cell] {
        let count = self.x.values.len() * self.y.values.len();
        &self.cells[variant * count..][..count]
    }

    pub fn boundaries_of(&self, variant: usize) -> impl Iterator<Item = &StabilityBoundary> {
        self.boundaries.iter().filter(move |boundary| boundary.variant == variant)
    }

    /// Samples a period at this x; NaN: there is no period, or x is no step.
    fn samples(&self, x: f64) -> f64 {
        self.period.filter(|_| self.x.is_step).map_or(f64::NAN, |period| period / x)
    }

    /// All but the table of instances, which the run has written before.
    pub fn answer(&self) -> StudyAnswer<'_> {
        StudyAnswer {
            study: self.study,
            study_toml: self.study_toml,
            tables: vec![
                (&CELLS, Box::new(|file| write_cells(file, self))),
                (&BOUNDARY, Box::new(|file| write_boundary(file, self))),
            ],
            data: None,
            draw: Box::new(|_, folder| stability_plot::draw(self, folder)),
            report: Box::new(|manifest, pictures| report(self, manifest, &pictures.0)),
            found: self.found(),
            fan: None,
        }
    }

    /// The answer in lines.
    fn found(&self) -> Vec<String> {
        let sentence = |(variant, name): (usize, &String)| {
            let cells = self.cells_of(variant);
            let is_stable = |cell: &&Cell| cell.is_stable(self.replicas) == Some(true);
            let stable = cells.iter().filter(is_stable).count();
            let [counted, all] = [stable, cells.len()].map(|n| grouped(n as u64));
            let mut line = format!("{name}: {counted} of {all} cells are stable");
            line.extend(self.reach(variant).map(|reach| format!("; {reach}")));
            if let Some(outcome) = self.study.mechanism.outcomes.first().filter(|_| stable > 0) {
                let (low, high) = extent(cells.iter().filter(is_stable).map(|cell| cell.outcome));
                let [low, high] = [low, high].map(|end| shown_within(end, high - low));
                let high = with_unit(&high, &outcome.unit);
                line += &format!("; {} of stable cells: {low} to {high}", outcome.name);
            }
            let limits = extent(self.boundaries_of(variant).map(|row| row.theory * self.x.factor));
            match limits {
                (low, _) if low.is_infinite() => {}
                (low, high) if low == high => line += &format!("; theory gives {}", number(low)),
                (low, high) => line += &format!("; theory gives {} to {}", number(low), number(high)),
            }
            line
        };
        self.variants.iter().enumerate().map(sentence).collect()
    }

    /// The reach of stable rows: the least and the greatest end of their first stretch, each with
    /// its row; `None`: no cell is stable.
    fn reach(&self, variant: usize) -> Option<String> {
        let four = |x: f64| significant(x, 4);
        let rows = || self.boundaries_of(variant).filter(|row| row.largest.is_finite());
        let limit = |row: &StabilityBoundary| {
            let y = self.y.values[row.row] * self.y.factor;
            format!("{} where {} is {}", four(row.largest * self.x.factor), self.y.label, four(y))
        };
        let by_end = |a: &&StabilityBoundary, b: &&StabilityBoundary| a.largest.total_cmp(&b.largest);
        let (least, most) = (rows().min_by(by_end)?, rows().max_by(by_end)?);
        let what = match rows().any(|row| row.below.is_finite()) {
            true => "end of the first stable stretch",
            false => "largest stable",
        };
        Some(match least.largest == most.largest {
            true => format!("{what} {}: {}", self.x.label, four(least.largest * self.x.factor)),
            false => format!("{what} {}: {}, {}", self.x.label, limit(least), limit(most)),
        })
    }

    /// That in the title of a map; `None` also where rows begin unstable.
    pub(super) fn reach_title(&self, variant: usize) -> Option<String> {
        let rows = || self.boundaries_of(variant);
        let (least, most) = extent(rows().map(|row| row.largest * self.x.factor));
        let unit = self.x.label.rsplit_once(" (").map_or("", |(_, unit)| unit.trim_end_matches(')'));
        let [least_told, most_told] = [least, most].map(|end| with_unit(&number(round4(end)), unit));
        let begins_stable = least <= most && rows().all(|row| !row.below.is_finite());
        begins_stable.then(|| match least == most {
            true => format!("stable up to {most_told}"),
            false => format!("stable up to {most_told} at best, {least_told} at worst"),
        })
    }
}

/// The least and the greatest of the finite values.
pub(super) fn extent(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let finite = values.filter(|value| value.is_finite());
    finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
}

/// The verdicts that a map tells apart: all of the study but an interruption.
fn map_verdicts(names: &VerdictNames) -> impl Iterator<Item = Verdict> + use<> {
    names.all().filter(|verdict| *verdict != Verdict::Interrupted)
}

fn write_cells(file: &NewFile, data: &MapData<'_>) -> Result<(), OutputError> {
    let float = ColumnType::Float(Precision::F64);
    let resolved = [
        ("x", &*data.x.unit, &*data.x.name),
        ("y", &data.y.unit, &data.y.name),
        ("x_shown", "see the report", &data.x.label),
        ("y_shown", "see the report", &data.y.label),
    ];
    let mut further = Vec::new();
    let outcome = data.study.mechanism.outcomes.first();
    if let Some(outcome) = outcome {
        let about = format!("outcome {}, the largest of the cell's instances", outcome.name);
        further.push(field("outcome", &outcome.unit, &about, float));
    }
    let names = &data.study.mechanism.verdict_names();
    for name in map_verdicts(names).map(|verdict| names.of(verdict)) {
        let description = format!("share that ended as {}", words(name));
        further.push(field(&format!("share.{name}"), "1", &description, float));
    }
    let mut table = CELLS.create(file, &resolved, further)?;
    let width = data.x.values.len();
    for (variant, name) in data.variants.iter().enumerate() {
        let cells = data.cells_of(variant);
        let numbers = |value: &dyn Fn(usize, &Cell) -> f64| {
            float_array(cells.iter().enumerate().map(|(k, cell)| value(k, cell)), Precision::F64)
        };
        let x = |k: usize| data.x.values[k % width];
        let y = |k: usize| data.y.values[k / width];
        let mut arrays = vec![
            text_array(cells.iter().map(|_| name.as_str())),
            numbers(&|k, _| x(k)),
            numbers(&|k, _| y(k)),
            numbers(&|k, _| x(k) * data.x.factor),
            numbers(&|k, _| y(k) * data.y.factor),
            numbers(&|k, _| data.samples(x(k))),
            text_array(cells.iter().map(|cell| cell.worst().map_or("not_run", |verdict| names.of(verdict)))),
            integer_array(cells.iter().map(Cell::known)),
            numbers(&|_, cell| cell.share_stable()),
            numbers(&|_, cell| cell.failed_at.map_or(f64::NAN, |step| step as f64)),
            numbers(&|_, cell| cell.energy_drift),
            numbers(&|_, cell| cell.violation),
            numbers(&|_, cell| cell.drift_rate),
        ];
        arrays.extend(outcome.map(|_| numbers(&|_, cell| cell.outcome)));
        for verdict in map_verdicts(names) {
            arrays.push(numbers(&|_, cell| cell.count(verdict) as f64 / cell.known() as f64));
        }
        table.write(arrays)?;
    }
    table.finish()
}

fn write_boundary(file: &NewFile, data: &MapData<'_>) -> Result<(), OutputError> {
    let mut resolved = vec![
        ("y", &*data.y.unit, &*data.y.name),
        ("y_shown", "see the report", &data.y.label),
        ("largest_stable_shown", "see the report", &data.x.label),
    ];
    let along_x = BOUNDARY.columns.iter().filter(|column| column.unit == "of x");
    resolved.extend(along_x.map(|column| (column.name, &*data.x.unit, column.meaning)));
    let mut table = BOUNDARY.create(file, &resolved, [])?;
    let rows = data.boundaries;
    let names = data.study.mechanism.verdict_names();
    let numbers =
        |value: &dyn Fn(&StabilityBoundary) -> f64| float_array(rows.iter().map(value), Precision::F64);
    table.write(vec![
        text_array(rows.iter().map(|row| data.variants[row.variant].as_str())),
        numbers(&|row| data.y.values[row.row]),
        numbers(&|row| data.y.values[row.row] * data.y.factor),
        numbers(&|row| row.from),
        numbers(&|row| row.below),
        numbers(&|row| row.largest),
        numbers(&|row| row.unstable),
        numbers(&|row| row.last),
        numbers(&|row| row.largest * data.x.factor),
        numbers(&|row| data.samples(row.largest)),
        text_array(rows.iter().map(|row| row.failure.map_or("", |verdict| names.of(verdict)))),
        numbers(&|row| row.theory),
    ])?;
    table.finish()
}

fn report(data: &MapData<'_>, manifest: &Manifest, pictures: &[Picture]) -> String {
    let lead = html! {
        (data.variants.len()) " × " (data.x.values.len()) " × " (data.y.values.len()) " cells, "
        (grouped(manifest.steps)) " steps each, in " (number(round3(manifest.timings.total))) " s"
    };
    let warning = html! {
        "Incomplete: the run was interrupted. Of " (grouped(manifest.instances)) " instances, "
        (grouped(manifest.advanced)) " had come to their end. Cells of the others are left white."
    };
    let mut sections = super::report::accuracy(manifest);
    sections.extend([
        (
            "Maps",
            html! { @for picture in pictures {
                @if data.variants.len() > 1 { div.maps { (figure(picture)) } } @else { div.wide-figure { (figure(picture)) } }
            } },
        ),
        ("How far it is stable", reaches(data)),
        ("How the cells ended", ends(data)),
        ("What is asked", what_is_asked(data)),
        ("One cell again", replay(data)),
        ("The study", doubted_study(data.study_toml, manifest)),
    ]);
    page(&data.study.title, lead, (!manifest.complete).then_some(warning), sections)
}

/// Returns the conditions that an instance must keep not to be stopped.
pub fn stable_means(study: &Study) -> String {
    told_bounds(study, "no end by ")
}

/// Returns the bounds of a study, and the conditions by which instances end.
pub fn bounds_of(study: &Study) -> String {
    told_bounds(study, "ends by: ")
}

fn told_bounds(study: &Study, before_conditions: &str) -> String {
    let mut bounds = Vec::new();
    let unexplained = match study.verdict.unexplained {
        Unexplained::Nothing => None,
        Unexplained::Gain => Some("gain of energy E − E0"),
        Unexplained::Change => Some("change of energy |E − E0|"),
    };
    if let Some(what) = unexplained {
        let share = number(Unexplained::SHARE);
        bounds.push(format!("{what} at most {share} of T0 + |V0| + T + Σ m g s, s the reach of the joints"));
    }
    for (name, bound) in [
        ("energy |E − E0| / (T0 + |V0|)", study.verdict.energy),
        ("constraints |Phi|", study.verdict.constraint),
        ("quaternion | |q| − 1 |", study.verdict.quaternion_norm),
    ] {
        if let Some(bound) = bound {
            bounds.push(format!("{name} at most {}", number(bound)));
        }
    }
    let conditions = study.mechanism.verdict_names();
    let named =
        conditions.all().filter(|verdict| verdict.is_condition()).map(|verdict| conditions.of(verdict));
    let named: Vec<&str> = named.collect();
    if !study.mechanism.ends.is_empty() {
        bounds.push(format!("{before_conditions}{}", named.join(" or ")));
    }
    bounds.push("all numbers finite".to_string());
    format!("{}, looked at every {} steps", bounds.join("; "), grouped(study.verdict.every))
}

/// Returns the instances and steps that a cell is made of, in words.
pub fn of_a_cell(replicas: u64, steps: u64) -> String {
    let instances = if replicas == 1 { "instance" } else { "instances" };
    format!("{} {instances} of {} steps", grouped(replicas), grouped(steps))
}

fn what_is_asked(data: &MapData<'_>) -> Markup {
    let study = data.study;
    let across = |axis: &MapAxis| {
        let (from, to) = extent(axis.values.iter().map(|x| x * axis.factor));
        format!(
            "{}: {} values from {} to {}",
            axis.label,
            axis.values.len(),
            number(round4(from)),
            number(round4(to))
        )
    };
    let mut rows = vec![
        ("Across", across(&data.x)),
        ("Upwards", across(&data.y)),
        ("A cell", of_a_cell(data.replicas, study.method.steps)),
        ("Stable", stable_means(study)),
    ];
    if let Some(period) = data.period {
        rows.push(("Samples", format!("steps in a period of {} s", number(period))));
    }
    html! { table { tbody { @for (key, value) in rows { tr { th { (key) } td { (value) } } } } } }
}

/// Some rows of a table, equally spaced, the ends among them.
fn thinned(count: usize) -> Vec<usize> {
    match count {
        0..=SHOWN => (0..count).collect(),
        _ => (0..SHOWN).map(|k| k * (count - 1) / (SHOWN - 1)).collect(),
    }
}

fn reaches(data: &MapData<'_>) -> Markup {
    let has_samples = data.period.is_some() && data.x.is_step;
    let has_theory = data.boundaries.iter().any(|row| row.theory.is_finite());
    let shown = |x: f64| number(round4(x * data.x.factor));
    let names = &data.study.mechanism.verdict_names();
    html! {
        p { "For each value of " (data.y.label) ": the first stretch of " (data.x.label)
            " in which all is stable, the first beyond that is not, and the last stable one, which may lie further on. Rows in which nothing is \
             stable are left out."
            @if has_theory {
                " The red line is the limit of theory, of the fastest undamped vibration about the start."
            }
            @if has_theory && data.study.method.resynchronise > 0 {
                " It is that of the step alone. Chains are restarted every " (grouped(data.study.method.resynchronise))
                " steps here, and each restart feeds a vibration that is sampled by few steps: near the line cells fail before \
                 it. Compare with method.resynchronise = 0, which meets it."
            } }
        @for (variant, name) in data.variants.iter().enumerate() {
            @let rows: Vec<&StabilityBoundary> = data.boundaries_of(variant).filter(|row| row.largest.is_finite()).collect();
            h3 { (name) }
            div.scroll tabindex="0" { table.wide {
                thead { tr {
                    th.number { (data.y.label) } th.number { "stable from" } th.number { "largest stable" } th.number { "first unstable" }
                    th.number { "last stable" }
                    @if has_samples { th.number { "samples at the largest" } }
                    @if has_theory { th.number { "theory" } }
                    th { "first failure" }
                } }
                tbody { @for k in thinned(rows.len()) {
                    @let row = rows[k];
                    tr {
                        td.number { (number(round4(data.y.values[row.row] * data.y.factor))) }
                        td.number { (shown(row.from)) }
                        td.number { (shown(row.largest)) }
                        td.number { (shown(row.unstable)) }
                        td.number { (shown(row.last)) }
                        @if has_samples { td.number { (number(round3(data.samples(row.largest)))) } }
                        @if has_theory { td.number { (shown(row.theory)) } }
                        td { (row.failure.map_or_else(String::new, |verdict| words(names.of(verdict)))) }
                    }
                } }
            } }
            @if rows.len() > SHOWN { p.lead { "Every row is in " (BOUNDARY.file) "." } }
        }
    }
}

fn ends(data: &MapData<'_>) -> Markup {
    let names = &data.study.mechanism.verdict_names();
    let count = |variant: usize, verdict: Verdict| {
        data.cells_of(variant).iter().filter(|cell| cell.worst() == Some(verdict)).count() as u64
    };
    html! {
        div.scroll tabindex="0" { table {
            thead { tr { th { "worst of a cell" } @for name in data.variants { th.number { (name) } } } }
            tbody { @for verdict in map_verdicts(names) {
                @if (0..data.variants.len()).any(|variant| count(variant, verdict) > 0) {
                    tr {
                        th { (words(names.of(verdict))) }
                        @for variant in 0..data.variants.len() { td.number { (grouped(count(variant, verdict))) } }
                    }
                }
            } }
        } }
    }
}

fn replay(data: &MapData<'_>) -> Markup {
    html! {
        p { "A cell's instances stand in instances.parquet, the ensemble of the first map before that of the next: "
            (grouped(data.study.ensemble.size)) " instances each. In this file's folder," }
        pre tabindex="0" { code { "polhode replay . --instance 0" } }
        p { "computes one again with the independent reference in double precision, and compares it." }
    }
}

/// Four significant digits.
fn round4(value: f64) -> f64 {
    rounded(value, 4)
}
