//! Results of studies of steady states: a row for each instance, its modes and their shapes, groups
//! of equal equilibria, and the report.

use arrow_array::ArrayRef;
use arrow_schema::Field;
use kuva::plot::ScatterPlot;
use kuva::plot::legend::{LegendEntry, LegendShape};
use kuva::render::plots::Plot;
use maud::{Markup, html};

use super::axes::{AxisScaling, SERIES, layout};
use super::cards::{MODES, SHAPES, STEADY_INSTANCES};
use super::error::OutputError;
use super::listing::Listing;
use super::manifest::Manifest;
use super::new_file::NewFile;
use super::numbers::round3;
use super::numbers::{number, words};
use super::page::{doubted_study, figure, page};
use super::picture::{Picture, Sketch};
use super::table::{ColumnType, field, float_array, integer_array, text_array};
use polhode_description::base::{Precision, grouped, instances};
use polhode_description::describe::Study;
use polhode_files::resolved_toml;

/// Messages of instances without an equilibrium that the report shows.
const SHOWN_FAILURES: usize = 10;

/// The outcome of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchOutcome {
    /// An equilibrium, with its modes.
    Found,
    /// There is none near the start, or it was not found.
    NoEquilibrium,
    /// The drawn numbers describe no mechanism.
    InvalidSample,
}

impl SearchOutcome {
    pub const ALL: [SearchOutcome; 3] =
        [SearchOutcome::Found, SearchOutcome::NoEquilibrium, SearchOutcome::InvalidSample];

    /// As tables have it.
    pub fn name(self) -> &'static str {
        match self {
            SearchOutcome::Found => "found",
            SearchOutcome::NoEquilibrium => "no_equilibrium",
            SearchOutcome::InvalidSample => "invalid_sample",
        }
    }
}

/// A row of the table of instances.
#[derive(Clone, Debug)]
pub struct SteadyRow {
    pub instance: u64,
    pub outcome: SearchOutcome,
    /// Where there is no equilibrium, why; else remarks on it.
    pub why: String,
    /// Steps of the search.
    pub steps: u64,
    /// Accelerations that are left (m/s²).
    pub residual: f64,
    /// Distance from the start, a share of the extent.
    pub moved: f64,
    /// Rotation of the whole (rad/s).
    pub rotation: f64,
    /// Motions that nothing resists.
    pub rigid: u64,
    pub stability: &'static str,
    /// Largest real part of an eigenvalue (1/s).
    pub growth: f64,
    /// Lowest frequency of a mode that vibrates (Hz).
    pub slowest: f64,
    /// The group of equal equilibria.
    pub group: Option<u64>,
}

impl SteadyRow {
    /// Returns the row of an instance without an equilibrium.
    pub fn failed(instance: u64, outcome: SearchOutcome, why: String) -> SteadyRow {
        SteadyRow {
            instance,
            outcome,
            why,
            steps: 0,
            residual: f64::NAN,
            moved: f64::NAN,
            rotation: f64::NAN,
            rigid: 0,
            stability: "",
            growth: f64::NAN,
            slowest: f64::NAN,
            group: None,
        }
    }
}

/// A column of numbers, one entry a row.
#[derive(Clone, Debug)]
pub struct NumberColumn {
    pub name: String,
    pub unit: String,
    pub description: String,
    pub values: Vec<f64>,
}

impl NumberColumn {
    fn field(&self) -> Field {
        field(&self.name, &self.unit, &self.description, ColumnType::Float(Precision::F64))
    }

    fn array(&self) -> ArrayRef {
        float_array(self.values.iter().copied(), Precision::F64)
    }
}

/// Writes `instances.parquet`: how the search ended, groups where there are some, then what was
/// drawn and what is observed.
pub fn write_steady_rows(
    file: &NewFile,
    rows: &[SteadyRow],
    grouped: bool,
    columns: &[NumberColumn],
) -> Result<(), OutputError> {
    let numbers = |of: &dyn Fn(&SteadyRow) -> f64| float_array(rows.iter().map(of), Precision::F64);
    let mut arrays = vec![
        integer_array(rows.iter().map(|row| row.instance)),
        text_array(rows.iter().map(|row| row.outcome.name())),
        text_array(rows.iter().map(|row| row.why.as_str())),
        integer_array(rows.iter().map(|row| row.steps)),
        numbers(&|row| row.residual),
        numbers(&|row| row.moved),
        numbers(&|row| row.rotation),
        integer_array(rows.iter().map(|row| row.rigid)),
        text_array(rows.iter().map(|row| row.stability)),
        numbers(&|row| row.growth),
        numbers(&|row| row.slowest),
    ];
    let mut further = Vec::new();
    if grouped {
        let about = "number of the group of equal equilibria, from 1; empty: of none";
        further.push(field("group", "1", about, ColumnType::Float(Precision::F64)));
        arrays.push(numbers(&|row| row.group.map_or(f64::NAN, |group| group as f64)));
    }
    further.extend(columns.iter().map(NumberColumn::field));
    arrays.extend(columns.iter().map(NumberColumn::array));
    let mut table = STEADY_INSTANCES.create(file, &[], further)?;
    table.write(arrays)?;
    table.finish()
}

/// A row of the table of modes.
#[derive(Clone, Debug)]
pub struct ModeRow {
    pub instance: u64,
    /// From the slowest on, counted from 1.
    pub mode: u64,
    /// The curve that it belongs to, counted from 1.
    pub curve: u64,
    /// Im lambda / 2 pi (Hz)
    pub frequency: f64,
    /// |lambda| (rad/s)
    pub natural: f64,
    /// -Re lambda / |lambda|
    pub damping: f64,
    /// Re lambda (1/s)
    pub growth: f64,
    /// The body that has most of the kinetic energy, and its share.
    pub body: String,
    pub share: f64,
}

/// Writes `modes.parquet`. `rotation` and `drawn` are of the instance of each row.
pub fn write_modes(file: &NewFile, rows: &[ModeRow], drawn: &[NumberColumn]) -> Result<(), OutputError> {
    let numbers = |of: &dyn Fn(&ModeRow) -> f64| float_array(rows.iter().map(of), Precision::F64);
    let mut arrays = vec![
        integer_array(rows.iter().map(|row| row.instance)),
        integer_array(rows.iter().map(|row| row.mode)),
        integer_array(rows.iter().map(|row| row.curve)),
        numbers(&|row| row.frequency),
        numbers(&|row| row.natural),
        numbers(&|row| row.damping),
        numbers(&|row| row.growth),
        text_array(rows.iter().map(|row| row.body.as_str())),
        numbers(&|row| row.share),
    ];
    arrays.extend(drawn.iter().map(NumberColumn::array));
    let mut table = MODES.create(file, &[], drawn.iter().map(NumberColumn::field))?;
    table.write(arrays)?;
    table.finish()
}

/// An entry of a mode shape.
#[derive(Clone, Debug)]
pub struct ShapeRow {
    pub instance: u64,
    pub mode: u64,
    /// The body or joint that has this entry, and its quantity: `blade_3`, `displacement.x`.
    pub owner: String,
    pub quantity: String,
    pub unit: &'static str,
    pub real: f64,
    pub imaginary: f64,
}

/// Writes `mode_shapes.parquet`.
pub fn write_shapes(file: &NewFile, rows: &[ShapeRow]) -> Result<(), OutputError> {
    let mut table = SHAPES.create(file, &[], [])?;
    table.write(vec![
        integer_array(rows.iter().map(|row| row.instance)),
        integer_array(rows.iter().map(|row| row.mode)),
        text_array(rows.iter().map(|row| row.owner.as_str())),
        text_array(rows.iter().map(|row| row.quantity.as_str())),
        text_array(rows.iter().map(|row| row.unit)),
        float_array(rows.iter().map(|row| row.real), Precision::F64),
        float_array(rows.iter().map(|row| row.imaginary), Precision::F64),
    ])?;
    table.finish()
}

/// Returns the count of instances by outcome, and the first failures.
fn outcomes(rows: &[SteadyRow]) -> Markup {
    let count = |outcome: SearchOutcome| rows.iter().filter(|row| row.outcome == outcome).count() as u64;
    let failures: Vec<&SteadyRow> = rows.iter().filter(|row| row.outcome != SearchOutcome::Found).collect();
    html! {
        p {
            "An equilibrium was found \
             for " (grouped(count(SearchOutcome::Found))) " of " (instances(rows.len() as u64))
            @if count(SearchOutcome::InvalidSample) > 0 {
                "; the numbers of " (grouped(count(SearchOutcome::InvalidSample))) " describe no mechanism"
            }
            "."
        }
        @if !failures.is_empty() {
            details open[failures.len() == 1] {
                summary { "Why the others have none" }
                ul {
                    @for row in failures.iter().take(SHOWN_FAILURES) {
                        li { "Instance " (row.instance) ": " (row.why) }
                    }
                    @if failures.len() > SHOWN_FAILURES {
                        li { "and " (failures.len() - SHOWN_FAILURES) " more" }
                    }
                }
            }
        }
    }
}

/// The report of a study of steady states: `sections` between how instances ended and the study.
pub fn steady_report(
    study: &Study,
    manifest: &Manifest,
    rows: &[SteadyRow],
    sections: Vec<(&str, Markup)>,
) -> String {
    let lead = html! {
        (grouped(manifest.advanced)) " of " (instances(manifest.instances)) " in "
        (number(round3(manifest.timings.total))) " s, " (manifest.device) ". Nothing was advanced in time."
    };
    let warning = html! { "Incomplete: the run was interrupted." };
    let mut all = vec![("How the instances ended", outcomes(rows))];
    all.extend(sections);
    all.push(("The study", doubted_study(&resolved_toml(study), manifest)));
    page(&study.title, lead, (!manifest.complete).then_some(warning), all)
}

/// A channel at the equilibria against the number that the ensemble varies: name, unit, values.
/// Unstable ones are smaller.
pub fn draw_equilibria(
    rows: &[SteadyRow],
    (name, unit, values): (&str, &str, &[f64]),
    column: &NumberColumn,
) -> Picture {
    let x = AxisScaling::over(values.iter().copied());
    let y = AxisScaling::over(column.values.iter().copied());
    let branch = |unstable: bool| -> Vec<(f64, f64)> {
        let all = rows.iter().zip(values).zip(&column.values);
        all.filter(|((row, _), value)| (row.growth > 0.0) == unstable && value.is_finite())
            .map(|((_, at), value)| (x.place(*at), y.place(*value)))
            .collect()
    };
    let kinds = [("not unstable", false, SERIES[0], 5.0), ("unstable", true, SERIES[1], 3.0)];
    let mut plots = Vec::new();
    let mut legend = Vec::new();
    for (label, unstable, color, size) in kinds {
        let points = branch(unstable);
        if points.is_empty() {
            continue;
        }
        plots.push(Plot::Scatter(ScatterPlot::new().with_data(points).with_color(color).with_size(size)));
        let (label, color) = (label.to_owned(), color.to_owned());
        legend.push(LegendEntry { label, color, shape: LegendShape::Circle, dasharray: None });
    }
    let quantity = plain(&column.name);
    let all = rows.iter().zip(&column.values).filter(|(_, value)| value.is_finite());
    let (count, unstable) =
        all.fold((0, 0), |(all, unstable), (row, _)| (all + 1, unstable + u64::from(row.growth > 0.0)));
    let finding = match unstable {
        0 => "no equilibrium is unstable".to_owned(),
        unstable if unstable == count => "all equilibria are unstable".to_owned(),
        unstable => format!("{} of {} equilibria are unstable", grouped(unstable), grouped(count)),
    };
    let without = rows.iter().filter(|row| row.outcome != SearchOutcome::Found).count() as u64;
    let finding = match without {
        0 => finding,
        n => format!("{finding}; {} of {} instances have none", grouped(n), grouped(rows.len() as u64)),
    };
    let drawn = if words(name) == quantity { format!("drawn {}", words(name)) } else { words(name) };
    let layout = layout(&plots, &format!("{quantity}: {finding}"))
        .with_x_label(x.label(&drawn, unit))
        .with_y_label(y.label(&quantity, &column.unit))
        .with_legend_entries(legend)
        .with_legend_width(140.0);
    let caption = format!("{quantity} at the equilibria against {drawn}, one point an instance");
    Sketch { name: format!("plots/{}", column.name), caption, plots, layout }.render()
}

/// The name of a column in a sentence.
pub fn plain(name: &str) -> String {
    words(name.strip_prefix("equilibrium.").unwrap_or(name))
}

/// A paragraph, a drawing, and a table that is folded where it is long.
pub fn folded(text: &str, listing: &Listing, drawing: Option<Markup>) -> Markup {
    const LONG: usize = 8;
    html! {
        p { (text) }
        @if listing.rows() <= LONG { (listing.html()) }
        @if let Some(drawing) = drawing { (drawing) }
        @if listing.rows() > LONG { details { summary { (listing.rows()) " rows" } (listing.html()) } }
    }
}

/// A paragraph and a drawing.
pub fn drawn(text: &str, drawing: Markup) -> Markup {
    html! { p { (text) } (drawing) }
}

/// A paragraph, a table and pictures.
pub fn section(text: &str, listing: Option<&Listing>, pictures: &[&Picture]) -> Markup {
    html! {
        p { (text) }
        @if let Some(listing) = listing { (listing.html()) }
        div.pair { @for picture in pictures { (figure(picture)) } }
    }
}
