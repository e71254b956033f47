//! Pictures of a stability map: how the cells ended, their energy drift as shades of the stable
//! ones; when the others failed; and the share of stable instances where a cell has several.
//! Variants stand side by side, the end of the stable range is drawn over each.
//!
//! Cells are the pixels of an image inside the SVG: 160 000 rectangles are no picture that a reader
//! opens.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use kuva::backend::svg::SvgBackend;
use kuva::render::color::Color;
use kuva::render::render::{Primitive, TextAnchor};
use rayon::prelude::*;

use super::data::{MapAxis, MapData, StabilityBoundary, extent};
use crate::chart::{Chart, ChartAxis, LegendKey, Mark, PackedNumbers, Ramp};
use crate::drawing::canvas::{Canvas, INK, PAPER, Pixel, Rgb, SOFT};
use crate::error::OutputError;
use crate::folder::OutputFolder;
use crate::numbers::{number, powers, words};
use crate::picture::{Picture, Raster};
use polhode_description::base::{grouped, in_brackets, rounded};
use polhode_description::describe::Unexplained;
use polhode_engine::observe::Verdict;
use polhode_engine::observe::stability::Cell;

/// Pixels of the PNG to a unit of the picture.
const SCALE: f64 = 1.5;
/// Most maps in a row.
const ACROSS: usize = 3;
/// Around a map: what its labels need.
const LEFT: f64 = 92.0;
const RIGHT: f64 = 26.0;
const BELOW: f64 = 64.0;
/// Right of all maps: the colour bar.
const BAR: f64 = 118.0;
const TITLE: f64 = 46.0;

/// The picture of how cells ended.
const ENDS: &str = "plots/map";

const TEXT: u32 = 16;
/// Shades from the least to the greatest.
const SHADES: [Rgb; 5] =
    [[0xe3, 0xee, 0xf7], [0xa4, 0xc6, 0xe3], [0x5b, 0x95, 0xc6], [0x1f, 0x5f, 0x9c], [0x08, 0x2f, 0x58]];
/// Shades for steps of failure, from the least to the greatest.
const LATE: [Rgb; 5] =
    [[0x5a, 0x12, 0x10], [0xb0, 0x3a, 0x1c], [0xe0, 0x7f, 0x30], [0xf4, 0xbc, 0x72], [0xfb, 0xe9, 0xcd]];
/// A stable cell without a shade.
const STABLE: Rgb = [0xd3, 0xe3, 0xf1];
const BOUNDARY: Rgb = [0x11, 0x11, 0x11];
const THEORY: Rgb = [0xc8, 0x1d, 0x25];

/// Conditions of the study, the first and the others in turn.
const CONDITIONS: [Rgb; 6] = [
    [0x9c, 0x5b, 0x4a],
    [0x6f, 0x8f, 0x2f],
    [0xd9, 0x8b, 0xa6],
    [0x3f, 0x6d, 0x8e],
    [0xc2, 0x6a, 0x1d],
    [0x7a, 0x6b, 0x9e],
];

fn color_of(verdict: Verdict) -> Rgb {
    match verdict {
        Verdict::Finished => STABLE,
        Verdict::EnergyBound => [0xee, 0xa2, 0x4c],
        Verdict::ConstraintBound => [0xa5, 0x6c, 0xb8],
        Verdict::NormBound => [0xc9, 0xb4, 0x2e],
        Verdict::StepTooSmall => [0x4f, 0x8f, 0x83],
        Verdict::NotConverged => [0x2f, 0x5d, 0x50],
        Verdict::Condition(number) => CONDITIONS[usize::from(number) % CONDITIONS.len()],
        Verdict::NonFinite => [0xb2, 0x2f, 0x36],
        Verdict::InvalidSample => [0xa9, 0xb0, 0xb6],
        Verdict::Interrupted => PAPER,
    }
}

/// Cells of a kind, and the words for what they do.
type Counted = (fn(&Cell) -> bool, &'static str);

/// `512 of 1,404 cells fail`
fn count_of(cells: &[Cell], (is_counted, does): Counted) -> String {
    let count = cells.iter().filter(|cell| is_counted(cell)).count();
    format!("{} of {} cells {does}", grouped(count as u64), grouped(cells.len() as u64))
}

/// A colour for every cell, and what the colours mean.
struct Coloring {
    name: &'static str,
    title: String,
    /// The cells that the title counts.
    counted: Option<Counted>,
    caption: String,
    /// By variant, `[(y, x)]`.
    colors: Vec<Vec<Rgb>>,
    keys: Vec<(Rgb, String)>,
    bar: Option<Bar>,
    /// The number that the bar shows of a cell; NaN: there is none.
    value: Option<fn(&Cell) -> f64>,
}

struct Bar {
    shades: [Rgb; 5],
    low: f64,
    high: f64,
    label: String,
    /// Ends are powers of ten.
    logarithmic: bool,
}

impl Bar {
    fn color(&self, x: f64) -> Rgb {
        let share = ((x - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        let at = share * (self.shades.len() - 1) as f64;
        let k = (at.floor() as usize).min(self.shades.len() - 2);
        let part = at - k as f64;
        std::array::from_fn(|c| {
            let (a, b) = (f64::from(self.shades[k][c]), f64::from(self.shades[k + 1][c]));
            (a + part * (b - a)).round() as u8
        })
    }
}

/// All pictures of a map.
pub fn draw(data: &MapData<'_>, folder: &OutputFolder) -> Result<Vec<Picture>, OutputError> {
    let mut colorings = vec![how_they_ended(data)];
    colorings.extend(when_they_failed(data));
    colorings.extend((data.replicas > 1).then(|| share_stable(data)));
    colorings.into_par_iter().map(|coloring| picture(data, coloring, folder)).collect()
}

fn colors(data: &MapData<'_>, color: impl Fn(&Cell) -> Rgb) -> Vec<Vec<Rgb>> {
    (0..data.variants.len()).map(|variant| data.cells_of(variant).iter().map(&color).collect()).collect()
}

/// The verdicts that occur, with their colours.
fn keys(data: &MapData<'_>, wanted: impl Fn(Verdict) -> bool) -> Vec<(Rgb, String)> {
    let names = data.study.mechanism.verdict_names();
    let occurs = |verdict: &Verdict| data.cells.iter().any(|cell| cell.worst() == Some(*verdict));
    let key = |verdict: Verdict| match verdict {
        Verdict::Finished => (STABLE, "stable".to_string()),
        verdict => (color_of(verdict), words(names.of(verdict))),
    };
    let mut keys: Vec<_> = names.all().filter(|v| wanted(*v)).filter(occurs).map(key).collect();
    if data.cells.iter().any(|cell| cell.worst().is_none()) {
        keys.push((PAPER, "not run".to_string()));
    }
    keys
}

/// Every map says so.
const LINE: &str = "Black lines end the first range of a row in which all is stable.";

/// The bar, the value of a cell, and its meaning in words.
type Shading = (Bar, fn(&Cell) -> f64, String);

/// Stable cells are shaded by the study's first outcome, else the energy drift where energy bounds
/// it. Where several instances make a cell, their share has a picture of its own.
fn shading(data: &MapData<'_>) -> Option<Shading> {
    let is_stable = |cell: &&Cell| cell.worst() == Some(Verdict::Finished);
    let within = |value: fn(&Cell) -> f64| extent(data.cells.iter().filter(is_stable).map(value));
    if let Some(outcome) = data.study.mechanism.outcomes.first() {
        let value: fn(&Cell) -> f64 = |cell| cell.outcome;
        let (low, high) = within(value);
        let label = format!("{}{}", words(&outcome.name), in_brackets(&outcome.unit));
        let high = if high > low { high } else { low + low.abs().max(1.0) };
        let bar = Bar { shades: SHADES, low, high, label, logarithmic: false };
        return low.is_finite().then(|| (bar, value, format!("the outcome {}", words(&outcome.name))));
    }
    let verdict = &data.study.verdict;
    if verdict.energy.is_none() && verdict.unexplained == Unexplained::Nothing {
        return None;
    }
    let value: fn(&Cell) -> f64 =
        |cell| if cell.energy_drift > 0.0 { cell.energy_drift.log10() } else { f64::NAN };
    let (low, high) = within(value);
    let bar = Bar {
        shades: SHADES,
        // Twelve decades are what eyes tell apart.
        low: low.floor().max(high.ceil() - 12.0),
        high: high.ceil().max(low.floor() + 1.0),
        label: "largest energy drift of stable cells (1)".to_string(),
        logarithmic: true,
    };
    (low <= high).then(|| (bar, value, "the largest energy drift seen in them".to_string()))
}

fn how_they_ended(data: &MapData<'_>) -> Coloring {
    let shading = shading(data);
    let color = |cell: &Cell| match (cell.worst(), &shading) {
        (None, _) => PAPER,
        (Some(Verdict::Finished), Some((bar, value, _)))
            if !cell.energy_drift.is_nan() || !bar.logarithmic =>
        {
            let value = value(cell);
            // No drift at all is the palest of shades.
            bar.color(if value.is_nan() { bar.low } else { value })
        }
        (Some(verdict), _) => color_of(verdict),
    };
    let worst = if data.replicas > 1 { ", the worst of its instances" } else { "" };
    let shaded = match &shading {
        Some((_, _, by)) => format!(" Stable cells are shaded by {by}."),
        None => String::new(),
    };
    Coloring {
        name: ENDS,
        title: data.study.title.clone(),
        counted: None,
        caption: format!("How each cell ended{worst}.{shaded} {LINE}"),
        colors: colors(data, color),
        keys: keys(data, |verdict| shading.is_none() || verdict != Verdict::Finished),
        value: shading.as_ref().map(|(_, value, _)| *value),
        bar: shading.map(|(bar, ..)| bar),
    }
}

fn when_they_failed(data: &MapData<'_>) -> Option<Coloring> {
    let steps = data.cells.iter().filter_map(|cell| cell.failed_at).filter(|step| *step > 0);
    let (low, high) = extent(steps.map(|step| (step as f64).log10()));
    (low <= high).then_some(())?;
    let counted: Counted = (|cell| cell.failed_at.is_some(), "fail");
    let bar = Bar {
        shades: LATE,
        low: low.floor(),
        high: high.ceil().max(low.floor() + 1.0),
        label: "step of failure (1)".to_string(),
        logarithmic: true,
    };
    let color = |cell: &Cell| match (cell.worst(), cell.failed_at) {
        (None, _) => PAPER,
        (_, Some(step)) if step > 0 => bar.color((step as f64).log10()),
        (Some(verdict), _) => color_of(verdict),
    };
    Some(Coloring {
        name: "plots/failure",
        title: count_of(data.cells, counted),
        counted: Some(counted),
        caption: format!("The earliest step at which an instance of a cell passed a bound. {LINE}"),
        colors: colors(data, color),
        keys: keys(data, |verdict| matches!(verdict, Verdict::Finished | Verdict::InvalidSample)),
        bar: Some(bar),
        value: Some(|cell| cell.failed_at.map_or(f64::NAN, |step| (step as f64).log10())),
    })
}

fn share_stable(data: &MapData<'_>) -> Coloring {
    let bar = Bar {
        shades: SHADES,
        low: 0.0,
        high: 1.0,
        label: "share of stable instances (1)".to_string(),
        logarithmic: false,
    };
    let counted: Counted = (|cell| cell.share_stable() == 1.0, "are stable in all instances");
    let color = |cell: &Cell| match cell.share_stable() {
        share if share.is_nan() => PAPER,
        share => bar.color(share),
    };
    Coloring {
        name: "plots/share",
        title: count_of(data.cells, counted),
        counted: Some(counted),
        caption: format!("Share of a cell's {} instances that stay within all bounds. {LINE}", data.replicas),
        colors: colors(data, color),
        keys: keys(data, |_| false),
        bar: Some(bar),
        value: Some(Cell::share_stable),
    }
}

/// Where a map lies in its picture.
#[derive(Clone, Copy)]
struct Frame {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

/// From values as shown to a share of an axis, cells being equally wide.
struct Ruler {
    low: f64,
    high: f64,
    logarithmic: bool,
    /// For cells side by side: their labels.
    listed: Option<Vec<String>>,
}

impl Ruler {
    fn new(axis: &MapAxis) -> Ruler {
        let n = axis.values.len();
        let shown = |k: usize| axis.values[k] * axis.factor;
        if axis.listed {
            let labels = (0..n).map(|k| number(shown(k))).collect();
            return Ruler { low: -0.5, high: n as f64 - 0.5, logarithmic: false, listed: Some(labels) };
        }
        let place = |x: f64| if axis.logarithmic { x.log10() } else { x };
        let (first, last) = (place(shown(0)), place(shown(n - 1)));
        let half = 0.5 * (last - first) / (n - 1) as f64;
        Ruler { low: first - half, high: last + half, logarithmic: axis.logarithmic, listed: None }
    }

    /// Returns the share of the axis up to a value as shown; of a listed axis, up to its place.
    fn share(&self, x: f64) -> f64 {
        let x = if self.logarithmic { x.log10() } else { x };
        (x - self.low) / (self.high - self.low)
    }

    /// Marks with their labels, at most about `most`.
    fn ticks(&self, most: usize) -> Vec<(f64, String)> {
        if let Some(labels) = &self.listed {
            let stride = labels.len().div_ceil(most).max(1);
            let marks = labels.iter().enumerate().step_by(stride);
            return marks.map(|(k, label)| (self.share(k as f64), label.clone())).collect();
        }
        let within = |x: &f64| (0.0..=1.0).contains(&self.share(*x));
        let values: Vec<f64> = if !self.logarithmic {
            let step = nice((self.high - self.low) / most as f64);
            let first = (self.low / step).ceil() as i64;
            (first..).map(|k| k as f64 * step).take_while(|x| *x <= self.high).collect()
        } else {
            let decades = self.high.floor() - self.low.ceil() + 1.0;
            let factors: &[f64] = match self.high - self.low {
                span if span < 0.8 => &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0],
                span if span < 2.0 => &[1.0, 2.0, 5.0],
                _ => &[1.0],
            };
            let stride = (decades.max(1.0) as usize).div_ceil(most.max(1));
            // Factors of the power below the axis lie on it.
            let first = if factors.len() > 1 { self.low.floor() } else { self.low.ceil() };
            let powers = (first as i32..=self.high.floor() as i32).step_by(stride);
            powers.flat_map(|p| factors.iter().map(move |f| f * 10f64.powi(p))).filter(within).collect()
        };
        let label = |x: f64| {
            let power = x.log10();
            let is_power = (power - power.round()).abs() < 1e-9;
            if self.logarithmic && is_power && !(-2.5..3.5).contains(&power) {
                powers(power)
            } else {
                number(x)
            }
        };
        values.into_iter().map(|x| (self.share(x), label(x))).collect()
    }
}

/// The least of 1, 2, 5 times a power of ten that is not below `step`.
fn nice(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let candidates = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    candidates.into_iter().find(|candidate| *candidate >= step * (1.0 - 1e-9)).unwrap_or(10.0 * power)
}

fn picture(data: &MapData<'_>, coloring: Coloring, folder: &OutputFolder) -> Result<Picture, OutputError> {
    let maps = data.variants.len();
    let across = maps.min(ACROSS);
    let (width, height) = match across {
        1 => (600.0, 440.0),
        2 => (370.0, 330.0),
        _ => (290.0, 270.0),
    };
    let has_samples = data.period.is_some() && data.x.is_step && !data.x.listed;
    let above = if maps > 1 { 30.0 } else { 8.0 } + if has_samples { 46.0 } else { 0.0 };
    let rows = maps.div_ceil(across);
    let legend = if coloring.keys.is_empty() { 8.0 } else { 38.0 };
    let bar = if coloring.bar.is_some() { BAR } else { 0.0 };
    let size = (
        across as f64 * (LEFT + width + RIGHT) + bar,
        TITLE + rows as f64 * (above + height + BELOW) + legend,
    );
    let frame = |k: usize| Frame {
        left: LEFT + (k % across) as f64 * (LEFT + width + RIGHT),
        top: TITLE + above + (k / across) as f64 * (above + height + BELOW),
        width,
        height,
    };
    let compose = |with_cells: bool| {
        let mut canvas = Canvas::default();
        canvas.text((LEFT, 30.0), &coloring.title, 21, TextAnchor::Start);
        for k in 0..maps {
            let frame = frame(k);
            canvas.begin(&group(k));
            if with_cells {
                canvas.cells(&rectangles(data, &coloring.colors[k], frame));
            }
            canvas.end();
            axes(&mut canvas, data, frame, has_samples);
            boundary(&mut canvas, data, k, frame);
            theory(&mut canvas, data, k, frame);
            if maps > 1 {
                let at = (frame.left + width / 2.0, frame.top - if has_samples { 56.0 } else { 10.0 });
                canvas.text(at, &data.variants[k], 17, TextAnchor::Middle);
            }
        }
        if let Some(bar) = &coloring.bar {
            let first = frame(0);
            let left = across as f64 * (LEFT + width + RIGHT) + 4.0;
            color_bar(&mut canvas, bar, Frame { left, width: 20.0, ..first });
        }
        let mut x = LEFT;
        for (color, label) in &coloring.keys {
            let y = size.1 - 20.0;
            let corners = [(x, y - 12.0), (x + 18.0, y - 12.0), (x + 18.0, y + 3.0), (x, y + 3.0)];
            canvas.polygon(&corners, Some(*color), SOFT, 0.7);
            canvas.text((x + 25.0, y + 2.0), label, TEXT, TextAnchor::Start);
            x += 50.0 + 9.0 * label.chars().count() as f64;
        }
        canvas.finish(size.0, size.1)
    };
    let name = coloring.name;
    let failed = |message| OutputError::Plot { file: folder.target().join(format!("{name}.svg")), message };
    let mut svg = SvgBackend::new().render_scene(&compose(false));
    let mut charts = Vec::new();
    for k in 0..maps {
        let image = image(data, &coloring.colors[k]).map_err(failed)?;
        charts.push(chart(data, &coloring, k, &image));
        let Frame { left, top, width, height } = frame(k);
        let mark = format!("class=\"{}\">", group(k));
        let place = svg.find(&mark).map_or(svg.len(), |at| at + mark.len());
        svg.insert_str(
            place,
            &format!(
                "<image x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" \
                 preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" \
                 href=\"data:image/png;base64,{}\"/>",
                BASE64.encode(&image)
            ),
        );
    }
    let raster = Raster { scene: compose(true), scale: SCALE as f32 };
    Ok(Picture { name: name.to_string(), caption: coloring.caption, svg, themed: false, charts, raster })
}

/// The class of the cells of map `k`.
fn group(k: usize) -> String {
    format!("cells-{k}")
}

/// The cells as an image, a pixel each, the first row at the bottom.
fn image(data: &MapData<'_>, colors: &[Rgb]) -> Result<Vec<u8>, String> {
    let (nx, ny) = (data.x.values.len(), data.y.values.len());
    let whole = Frame { left: 0.0, top: 0.0, width: nx as f64, height: ny as f64 };
    let mut canvas = Canvas::default();
    canvas.cells(&rectangles(data, colors, whole));
    Raster { scene: canvas.finish(whole.width, whole.height), scale: 1.0 }.png()
}

/// A rectangle for every cell. Ends are shared, on whole pixels of the PNG.
fn rectangles(data: &MapData<'_>, colors: &[Rgb], frame: Frame) -> Vec<(Frame, Rgb)> {
    let (nx, ny) = (data.x.values.len(), data.y.values.len());
    let edge = |start: f64, length: f64, k: usize, n: usize| {
        let exact = start + length * k as f64 / n as f64;
        if length == n as f64 { exact } else { (exact * SCALE).round() / SCALE }
    };
    let cell = |k: usize| {
        let (x, y) = (k % nx, ny - 1 - k / nx);
        let (left, right) = (edge(frame.left, frame.width, x, nx), edge(frame.left, frame.width, x + 1, nx));
        let (top, bottom) = (edge(frame.top, frame.height, y, ny), edge(frame.top, frame.height, y + 1, ny));
        (Frame { left, top, width: right - left, height: bottom - top }, colors[k])
    };
    (0..nx * ny).map(cell).collect()
}

fn axes(canvas: &mut Canvas, data: &MapData<'_>, frame: Frame, has_samples: bool) {
    let Frame { left, top, width, height } = frame;
    let (right, bottom) = (left + width, top + height);
    let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
    canvas.polygon(&corners, None, SOFT, 1.0);
    let x = Ruler::new(&data.x);
    for (share, label) in x.ticks((width / 75.0) as usize) {
        let at = left + share * width;
        canvas.line((at, bottom), (at, bottom + 6.0), SOFT, 1.0);
        canvas.text((at, bottom + 23.0), &label, TEXT, TextAnchor::Middle);
    }
    canvas.text((left + width / 2.0, bottom + 48.0), &data.x.label, TEXT + 1, TextAnchor::Middle);
    for (share, label) in Ruler::new(&data.y).ticks((height / 42.0) as usize) {
        let at = bottom - share * height;
        canvas.line((left - 6.0, at), (left, at), SOFT, 1.0);
        canvas.text((left - 10.0, at + 5.5), &label, TEXT, TextAnchor::End);
    }
    canvas.upright((left - 70.0, top + height / 2.0), &data.y.label, TEXT + 1);
    if let Some(period) = data.period.filter(|_| has_samples) {
        let mut before = f64::INFINITY;
        for samples in (-2..7).flat_map(|p| [1.0, 2.0, 5.0].map(|f| f * 10f64.powi(p))) {
            let share = x.share(period / samples * data.x.factor);
            let at = left + share * width;
            if (0.0..=1.0).contains(&share) && before - at > 44.0 {
                canvas.line((at, top - 6.0), (at, top), SOFT, 1.0);
                canvas.text((at, top - 11.0), &number(samples), TEXT, TextAnchor::Middle);
                before = at;
            }
        }
        canvas.text((left + width / 2.0, top - 32.0), "samples a period (1)", TEXT, TextAnchor::Middle);
    }
}

/// Staircases at the ends of the stable stretch of each row, as shares of the axes: between the
/// largest stable value and the first that is not, which is the edge of a cell unless it was
/// refined.
fn stairs(data: &MapData<'_>, variant: usize) -> Vec<Vec<(f64, f64)>> {
    let (nx, ny) = (data.x.values.len() as f64, data.y.values.len() as f64);
    let ruler = Ruler::new(&data.x);
    let begins = |row: &StabilityBoundary| row.below.is_finite();
    let mut all = Vec::new();
    for lower in [false, true] {
        if lower && !data.boundaries_of(variant).any(begins) {
            continue;
        }
        let mut stairs = Vec::new();
        for row in data.boundaries_of(variant) {
            let (edge, bracket) = match lower {
                false => {
                    (row.reach.largest.map_or(0.0, |k| (k as f64 + 1.0) / nx), [row.largest, row.unstable])
                }
                true => (row.reach.first.map_or(0.0, |k| k as f64 / nx), [row.below, row.from]),
            };
            let [low, high] = bracket.map(|x| ruler.share(x * data.x.factor));
            let share = if data.x.listed || !low.is_finite() || !high.is_finite() {
                edge
            } else {
                0.5 * (low + high)
            };
            stairs.extend([(share, row.row as f64 / ny), (share, (row.row + 1) as f64 / ny)]);
        }
        if stairs.len() > 1 {
            all.push(stairs);
        }
    }
    all
}

/// The limit of theory through the middles of the rows, as far as it lies within the map, as shares
/// of the axes.
fn limit(data: &MapData<'_>, variant: usize) -> Option<Vec<(f64, f64)>> {
    let ny = data.y.values.len() as f64;
    let ruler = Ruler::new(&data.x);
    let place =
        |row: &StabilityBoundary| (ruler.share(row.theory * data.x.factor), (row.row as f64 + 0.5) / ny);
    let rows = data.boundaries_of(variant).filter(|_| !data.x.listed);
    let line: Vec<(f64, f64)> = rows.map(place).filter(|(share, _)| (0.0..=1.0).contains(share)).collect();
    (line.len() > 1).then_some(line)
}

/// Pixels of shares of the axes.
fn placed(shares: &[(f64, f64)], frame: Frame) -> Vec<Pixel> {
    let at = |(x, y): &(f64, f64)| (frame.left + frame.width * x, frame.top + frame.height * (1.0 - y));
    shares.iter().map(at).collect()
}

fn boundary(canvas: &mut Canvas, data: &MapData<'_>, variant: usize, frame: Frame) {
    // Thin where rows are: a boundary can be ragged.
    let width = (frame.height / data.y.values.len() as f64).clamp(0.6, 1.8);
    for stairs in stairs(data, variant) {
        canvas.polyline(placed(&stairs, frame), BOUNDARY, width);
    }
}

fn theory(canvas: &mut Canvas, data: &MapData<'_>, variant: usize, frame: Frame) {
    if let Some(line) = limit(data, variant) {
        canvas.polyline(placed(&line, frame), THEORY, 1.8);
    }
}

/// A variant's map, for a page that draws it itself.
fn chart(data: &MapData<'_>, coloring: &Coloring, variant: usize, image: &[u8]) -> Chart {
    let hex = |[r, g, b]: Rgb| format!("#{r:02x}{g:02x}{b:02x}");
    let rulers = [&data.x, &data.y].map(Ruler::new);
    let axis = |axis: &MapAxis, ruler: &Ruler| ChartAxis {
        label: axis.label.clone(),
        powers: ruler.logarithmic,
        ends: [Some(ruler.low), Some(ruler.high)],
        names: ruler.listed.clone().unwrap_or_default(),
    };
    let names = data.study.mechanism.verdict_names();
    let outcome = |cell: &Cell| match cell.worst() {
        None => "not run".to_string(),
        Some(Verdict::Finished) => "stable".to_string(),
        Some(verdict) => words(names.of(verdict)),
    };
    let cells = data.cells_of(variant);
    let mut known: Vec<String> = Vec::new();
    let which: Vec<f64> = cells
        .iter()
        .map(|cell| {
            let word = outcome(cell);
            let place = known.iter().position(|other| *other == word).unwrap_or_else(|| {
                known.push(word);
                known.len() - 1
            });
            place as f64
        })
        .collect();
    let values: Vec<f64> =
        cells.iter().map(|cell| coloring.value.map_or(f64::NAN, |value| value(cell))).collect();
    let ends = |ruler: &Ruler| [ruler.low, ruler.high];
    let [x, y] = [ends(&rulers[0]), ends(&rulers[1])];
    let mut marks = vec![Mark::Map {
        columns: data.x.values.len(),
        rows: data.y.values.len(),
        image: BASE64.encode(image),
        which: PackedNumbers::new(which.iter().copied()),
        words: known,
        values: PackedNumbers::new(values.iter().copied()),
        bar: coloring.bar.as_ref().map(|bar| Ramp {
            colors: bar.shades.map(hex).to_vec(),
            low: bar.low,
            high: bar.high,
            label: bar.label.clone(),
            powers: bar.logarithmic,
        }),
        x,
        y,
        instance: data.strides.map(|[x, y]| [variant as u64 * data.study.ensemble.size, x, y]),
    }];
    let line = |shares: &[(f64, f64)], color: Rgb| {
        let along = |[low, high]: [f64; 2], share: f64| low + share * (high - low);
        Mark::Line {
            x: PackedNumbers::new(shares.iter().map(|(share, _)| along(x, *share))),
            y: PackedNumbers::new(shares.iter().map(|(_, share)| along(y, *share))),
            color: hex(color),
            width: 1.6,
            dash: None,
            instance: None,
            label: None,
        }
    };
    marks.extend(stairs(data, variant).iter().map(|stairs| line(stairs, BOUNDARY)));
    let limit = limit(data, variant);
    marks.extend(limit.iter().map(|limit| line(limit, THEORY)));
    let key = |color: Rgb, label: &str| LegendKey { label: label.to_string(), color: hex(color), dash: None };
    let mut legend: Vec<LegendKey> = coloring.keys.iter().map(|(color, label)| key(*color, label)).collect();
    legend.push(key(BOUNDARY, "end of the first stable range"));
    legend.extend(limit.map(|_| key(THEORY, "theory")));
    let reach = data.reach_title(variant).filter(|_| coloring.name == ENDS);
    let title = match (reach, data.variants.len()) {
        (Some(reach), _) => format!("{}: {reach}", data.variants[variant]),
        (None, 1) => coloring.title.clone(),
        (None, _) => {
            let of_variant = |counted| count_of(data.cells_of(variant), counted);
            let found = coloring.counted.map_or_else(|| coloring.title.clone(), of_variant);
            format!("{}: {found}", data.variants[variant])
        }
    };
    Chart { title, x: axis(&data.x, &rulers[0]), y: axis(&data.y, &rulers[1]), marks, legend, equal: false }
}

fn color_bar(canvas: &mut Canvas, bar: &Bar, frame: Frame) {
    /// Pieces that a bar is drawn of.
    const PIECES: usize = 60;
    let Frame { left, top, width, height } = frame;
    let piece = |k: usize| {
        let x = bar.low + (bar.high - bar.low) * (k as f64 + 0.5) / PIECES as f64;
        let high = height / PIECES as f64;
        let top = top + height - (k + 1) as f64 * high;
        (Frame { left, top, width, height: high + 0.6 }, bar.color(x))
    };
    canvas.cells(&(0..PIECES).map(piece).collect::<Vec<_>>());
    let corners = [(left, top), (left + width, top), (left + width, top + height), (left, top + height)];
    canvas.polygon(&corners, None, SOFT, 0.7);
    let step =
        if bar.logarithmic { ((bar.high - bar.low) / 6.0).ceil() } else { nice((bar.high - bar.low) / 6.0) };
    let mut value = (bar.low / step).ceil() * step;
    while value <= bar.high + 1e-9 {
        let y = top + height * (1.0 - (value - bar.low) / (bar.high - bar.low));
        canvas.line((left + width, y), (left + width + 5.0, y), SOFT, 1.0);
        let label = if bar.logarithmic { powers(value) } else { number(rounded(value, 6)) };
        canvas.text((left + width + 9.0, y + 5.5), &label, TEXT, TextAnchor::Start);
        value += step;
    }
    canvas.upright((left + width + 78.0, top + height / 2.0), &bar.label, TEXT);
}

impl Canvas {
    /// Filled rectangles without a rim.
    fn cells(&mut self, cells: &[(Frame, Rgb)]) {
        let numbers = |of: &dyn Fn(&Frame) -> f64| cells.iter().map(|(frame, _)| of(frame)).collect();
        self.add(Primitive::RectBatch {
            x: numbers(&|frame| frame.left),
            y: numbers(&|frame| frame.top),
            w: numbers(&|frame| frame.width),
            h: numbers(&|frame| frame.height),
            fills: cells.iter().map(|(_, [r, g, b])| Color::Rgb(*r, *g, *b)).collect(),
        });
    }

    /// Text from below upwards, centred.
    fn upright(&mut self, (x, y): Pixel, content: &str, size: u32) {
        let [r, g, b] = INK;
        self.add(Primitive::Text {
            x,
            y,
            content: content.replace('$', "\\$"),
            size,
            anchor: TextAnchor::Middle,
            rotate: Some(-90.0),
            bold: false,
            color: Some(Color::Rgb(r, g, b)),
        });
    }
}
