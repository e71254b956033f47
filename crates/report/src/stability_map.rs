//! Results of a stability map: `cells.parquet`, one row a cell; `boundary.parquet`, one row a row
//! of cells; the maps as pictures; the report.

mod data;
mod plot;

use maud::{Markup, html};

use self::data::extent;
pub use self::data::{MapAxis, MapData, StabilityBoundary};
use super::answer::StudyAnswer;
use super::bounds::stable_means;
use super::cards::{BOUNDARY, CELLS};
use super::error::OutputError;
use super::manifest::Manifest;
use super::new_file::NewFile;
use super::numbers::{number, round3, round4, words};
use super::page::{doubted_study, figure, page};
use super::picture::Picture;
use super::table::{ColumnType, field, float_array, integer_array, text_array};
use polhode_description::base::{Precision, VerdictNames, grouped, shown_within, significant, with_unit};
use polhode_engine::observe::Verdict;
use polhode_engine::observe::stability::Cell;

/// Rows of the table of largest stable values that the report shows.
const SHOWN: usize = 21;

impl MapData<'_> {
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
            draw: Box::new(|_, folder| plot::draw(self, folder)),
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
                @if data.variants.len() > 1 {
                    div.maps { (figure(picture)) }
                } @else {
                    div.wide-figure { (figure(picture)) }
                }
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
            " in which all is stable, the first beyond that is not, and the last stable one, which may lie \
             further on. Rows in which nothing is stable are left out, and of more than " (SHOWN)
            " some are shown: boundary.parquet has all."
            @if has_theory {
                " The red line is the limit of theory, of the fastest undamped vibration about the start."
            }
            @if has_theory && data.study.method.resynchronise > 0 {
                " It is that of the step alone. Chains are restarted \
                 every " (grouped(data.study.method.resynchronise))
                " steps here, and each restart feeds a vibration that is sampled by few steps: near the line \
                 cells fail before it. Compare with method.resynchronise = 0, which meets it."
            } }
        @for (variant, name) in data.variants.iter().enumerate() {
            @let known = data.boundaries_of(variant).filter(|row| row.largest.is_finite());
            @let rows: Vec<&StabilityBoundary> = known.collect();
            h3 { (name) }
            div.scroll tabindex="0" { table.wide {
                thead { tr {
                    th.number { (data.y.label) } th.number { "stable from" } th.number { "largest stable" }
                    th.number { "first unstable" }
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
                        @for variant in 0..data.variants.len() {
                            td.number { (grouped(count(variant, verdict))) }
                        }
                    }
                }
            } }
        } }
    }
}

fn replay(data: &MapData<'_>) -> Markup {
    html! {
        p { "A cell's instances stand in instances.parquet, the ensemble of the first map before that of the \
             next: "
            (grouped(data.study.ensemble.size)) " instances each. In this file's folder," }
        pre tabindex="0" { code { "polhode replay . --instance 0" } }
        p { "computes one again with the independent reference in double precision, and compares it." }
    }
}
