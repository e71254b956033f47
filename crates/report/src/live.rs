//! A page that advances an ensemble by itself: kernels, starts and drawing for a browser with
//! WebGPU, and a player of a few motions for all others. One file, which asks for nothing.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use maud::{Markup, PreEscaped, html};
use miniz_oxide::deflate::compress_to_vec;
use serde::Serialize;

use super::drawing::{json, player};
use super::motion::Track;
use super::page::{scripted, skeleton};
use polhode_description::base::grouped;
use polhode_description::base::text::harmless_text;
use polhode_description::describe::Mechanism;

/// All that the page's script reads, as JSON. Numbers go there in single precision, but for starts
/// of states that are sums.
#[derive(Serialize)]
pub struct LivePage {
    /// Instances whose starts are in the page: the first ones of the study.
    pub count: usize,
    /// Instances of the study.
    pub size: u64,
    pub bodies: usize,
    /// Names of verdicts, by code.
    pub verdicts: Vec<String>,
    /// Columns that are observed; in the kernel the poses of all bodies stand before them.
    pub columns: Vec<LiveColumn>,
    pub planes: Vec<StartPlane>,
    /// Drawn numbers that differ between instances, and those of them that the page can change.
    pub drawn: usize,
    pub levers: Vec<Lever>,
    pub sides: Vec<LiveSide>,
    /// Kernel by which a driver is asked how it adds, where states are sums.
    pub adding: Option<Adding>,
}

/// The probe of sums, and how many it takes.
#[derive(Serialize)]
pub struct Adding {
    pub text: String,
    pub count: usize,
}

/// A number of all instances at the start, and which one it is.
#[derive(PartialEq, Serialize)]
pub struct StartPlane {
    pub of: StartNumber,
    pub values: NumberPlane,
}

#[derive(Clone, Copy, PartialEq, Serialize)]
pub enum StartNumber {
    State(usize),
    Parameter(usize),
}

/// A drawn number whose mean and spread the page can change, because starts follow it by a function
/// of it alone.
#[derive(Serialize)]
pub struct Lever {
    pub name: String,
    pub unit: String,
    /// Its values in the instances of the page.
    pub drawn: SingleNumbers,
    /// Where the functions are known.
    pub low: f64,
    pub high: f64,
    /// Numbers at the start that follow it, with what is added to each: at equal distances from low
    /// to high, on straight lines in between.
    pub moves: Vec<(StartNumber, SingleNumbers)>,
}

#[derive(Serialize)]
pub struct LiveColumn {
    pub name: String,
    /// `1` for a pure number.
    pub unit: String,
}

/// A study as one of the pictures of the page advances it.
#[derive(Serialize)]
pub struct LiveSide {
    /// Method and step.
    pub name: String,
    /// The kernel of the steps, that of the columns, and that of the columns that drifts are
    /// measured from.
    pub advance: String,
    pub observe: ColumnsText,
    pub start: ColumnsText,
    /// Planes of the kernel's state and parameters at the start, by their places among those of the
    /// page; `None`: the kernel computes it.
    pub state: Vec<Option<GivenPlane>>,
    pub parameters: Vec<usize>,
    /// First numbers of `shared_values`, and how many there are.
    pub constants: SingleNumbers,
    pub shared: usize,
    pub stretches: Vec<LiveStretch>,
    /// When timed loads act (s).
    pub spans: Vec<[f64; 2]>,
    /// Step (s), and numbers of steps.
    pub h: f64,
    pub steps: u64,
    pub every: u64,
    pub check: u64,
    pub begin: u64,
    pub resynchronise: u64,
    /// Instances that never start, with the codes of their verdicts.
    pub ended: Vec<(usize, u32)>,
    /// This side with the step as one of the parameters, where it may be another.
    pub led: Option<Box<LiveSide>>,
    /// The places of the first two numbers of the start among the parameters.
    pub energy: [Option<usize>; 2],
    /// The place of the step among the parameters.
    pub step: Option<usize>,
}

#[derive(Serialize)]
pub struct ColumnsText {
    pub text: String,
    pub given: Vec<GivenPlane>,
    pub shared: SingleNumbers,
}

/// Numbers that a kernel is given: a plane, what single precision took from it, or a number that
/// was computed at the start.
#[derive(Serialize)]
#[serde(untagged)]
pub enum GivenPlane {
    Plane(usize),
    Low { low: usize },
    Start { start: usize },
}

/// Steps up to this one, with so many pieces each, and the factors of the loads in all of these.
#[derive(Serialize)]
pub struct LiveStretch {
    pub end: u64,
    pub pieces: usize,
    pub factors: SingleNumbers,
}

/// A number of all instances.
#[derive(PartialEq, Serialize)]
#[serde(untagged)]
pub enum NumberPlane {
    /// All instances have this one.
    All(f32),
    Each(SingleNumbers),
    /// In double precision, as the next.
    AllDouble(f64),
    EachDouble {
        double: String,
    },
}

impl NumberPlane {
    pub fn of(values: &[f64]) -> NumberPlane {
        match common(values) {
            Some(first) => NumberPlane::All(first as f32),
            None => NumberPlane::Each(SingleNumbers::of(values)),
        }
    }

    pub fn double(values: &[f64]) -> NumberPlane {
        match common(values) {
            Some(first) => NumberPlane::AllDouble(first),
            None => {
                let bytes: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
                NumberPlane::EachDouble { double: BASE64.encode(bytes) }
            }
        }
    }
}

/// The number that all of these are, if single precision has one for it.
fn common(values: &[f64]) -> Option<f64> {
    let first = values.first().copied().unwrap_or(0.0);
    let is_same = |x: &f64| x.to_bits() == first.to_bits();
    ((first as f32).is_finite() && values.iter().all(is_same)).then_some(first)
}

/// Numbers in single precision, least byte first, in base64.
#[derive(PartialEq, Serialize)]
#[serde(transparent)]
pub struct SingleNumbers(String);

impl SingleNumbers {
    pub fn of(values: &[f64]) -> SingleNumbers {
        let bytes: Vec<u8> = values.iter().flat_map(|x| (*x as f32).to_le_bytes()).collect();
        SingleNumbers(BASE64.encode(bytes))
    }
}

/// Poses that the player of a page has, about: it stands in for what a browser computes.
const PLAYED: usize = 600;
/// The hardest that can be tried: a page is made once.
const LEVEL: u8 = 10;

const SCRIPT: &str = include_str!("live.js");
const UNPACK: &str = include_str!("unpack.js");
const DRAW: &str = include_str!("../shaders/draw.wgsl");
const HISTOGRAM: &str = include_str!("../shaders/histogram.wgsl");

/// The page; `None`: the motions cannot be drawn.
pub fn live_page(title: &str, mechanism: &Mechanism, tracks: &[Track], page: &LivePage) -> Option<String> {
    let poses = tracks.first()?.times.len() * page.bodies;
    let played = tracks.len().min((PLAYED / poses.max(1)).max(1));
    let player = player(mechanism, &tracks[..played], None, &[])?;
    let precision = match page.adding {
        Some(_) => "in single precision, states as sums of two numbers where a picture says so",
        None => "in single precision",
    };
    let lead = html! {
        (grouped(page.count as u64)) " of the " (grouped(page.size)) " instances of the study, "
        (precision) ": instance "
        i { "i" } " here starts as instance " i { "i" } " of a run."
    };
    let main = html! {
        section.live {
            h2 { "Many instances, computed here" }
            p.told role="status" { "This page needs scripts." }
            div.stages {
                div.pair {
                    @for side in &page.sides {
                        figure {
                            canvas tabindex="0" role="img" aria-label=(side.name) {}
                            figcaption { (side.name) }
                        }
                    }
                }
                div.controls {
                    button type="button" data-do="play" { "Play" }
                    button type="button" data-do="again" { "From the start" }
                    label { "Speed " select data-do="speed" {} }
                    label { "Instances " select data-do="count" {} }
                    label { "Drawn " select data-do="drawn" {} }
                    label { "Colour " select data-do="color" {} }
                    label { input type="checkbox" data-do="apart"; " Apart" }
                    button type="button" data-do="reset" { "Reset view" }
                }
                p.rates {}
                details.levers {
                    summary { "Change the spreads, the means and the step" }
                    div.controls {}
                    p.hint {}
                }
                p.hint {
                    "Drag to turn, scroll or pinch to zoom. Keys: space plays, shift with an arrow turns, + \
                     and − zoom, 0 resets the view."
                }
                div.histograms {}
            }
            script type="application/json" { (json(page)) }
            script type="application/json" { (json(&[DRAW, HISTOGRAM])) }
        }
        section { h2 { "Computed when the page was made" } (player) }
        script type="module" { (PreEscaped(SCRIPT)) }
    };
    Some(skeleton(title, lead, None, packed(main), "polhode page makes it again."))
}

/// Markup with the scripts that it needs, as compressed text that a browser unpacks.
fn packed(main: Markup) -> Markup {
    let text = harmless_text(scripted(main).into_string());
    let bytes = compress_to_vec(text.as_bytes(), LEVEL);
    html! {
        p role="status" { "This page needs scripts." }
        script type="text/plain" { (BASE64.encode(bytes)) }
        script type="module" { (PreEscaped(UNPACK)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A plane of equal numbers is one number; -0 is no 0, and what JSON has no word for goes as
    /// bytes.
    #[test]
    fn a_plane_is_short_where_all_are_alike() {
        let json = |values: &[f64]| serde_json::to_string(&NumberPlane::of(values)).unwrap();
        assert_eq!(json(&[0.1, 0.1]), "0.1");
        assert_eq!(json(&[1.0, 2.0]), "\"AACAPwAAAEA=\"");
        assert_eq!(json(&[0.0, -0.0]), "\"AAAAAAAAAIA=\"");
        assert_eq!(json(&[f64::INFINITY; 1]), "\"AACAfw==\"");
        assert_eq!(json(&[1e300; 1]), "\"AACAfw==\"");
    }
}
