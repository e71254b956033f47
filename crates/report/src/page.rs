//! Pages that stand alone: one file that opens anywhere, offline. Style, pictures and the script of
//! the player are inside, and nothing is asked for.
//! All text that comes from the study is escaped (by maud, wherever it stands).

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::chart::CHART_SCRIPT;
use super::drawing::{SCRIPT, json};
use super::manifest::Manifest;
use super::picture::Picture;
use super::svg::inline;
use polhode_description::base::text::harmless_text;

const STYLE: &str = include_str!("report.css");

/// A report of any kind: title, what was done in a line, perhaps a warning, and sections with their
/// headings.
pub(crate) fn page(
    title: &str,
    lead: Markup,
    warning: Option<Markup>,
    sections: Vec<(&str, Markup)>,
) -> String {
    let main = html! {
        @for (heading, section) in sections {
            section { @if !heading.is_empty() { h2 { (heading) } } (section) }
        }
    };
    skeleton(title, lead, warning, main, "Tables with all numbers lie beside this file.")
}

/// A page that stands alone: what every report begins with, `main`, and at its foot where the
/// numbers are.
pub fn skeleton(title: &str, lead: Markup, warning: Option<Markup>, main: Markup, numbers: &str) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " – polhode" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { (title) }
                    p.lead { (lead) }
                    @if let Some(warning) = warning { p.warning { (warning) } }
                }
                main { (scripted(main)) }
                footer { "Written by polhode " (env!("CARGO_PKG_VERSION")) ". " (numbers) }
            }
        }
    };
    harmless_text(page.into_string())
}

/// Markup, and the scripts of the players and figures in it.
pub(super) fn scripted(main: Markup) -> Markup {
    let needed = [("player", SCRIPT), ("chart themed", CHART_SCRIPT)];
    let needed = needed.into_iter().filter(|(root, _)| main.0.contains(&format!("<div class=\"{root}\"")));
    html! { (main) @for (_, script) in needed { script { (PreEscaped(script)) } } }
}

/// The study of a report, folded away.
pub(crate) fn resolved_study(study_toml: &str) -> Markup {
    html! {
        details { summary { "As resolved: all values in SI units, all defaults filled in" }
            pre tabindex="0" { code { (study_toml) } }
        }
    }
}

/// The study of a report that has no table of what was run, with what is hardly meant in it.
pub(crate) fn doubted_study(study_toml: &str, manifest: &Manifest) -> Markup {
    html! { (doubts(manifest)) (resolved_study(study_toml)) }
}

/// Numbers of the study that are hardly meant.
pub(super) fn doubts(manifest: &Manifest) -> Markup {
    html! { @for warning in &manifest.warnings { p.warning { "Warning: " (warning) "." } } }
}

/// The plots of a picture, which the page draws, or its SVG, with the caption.
pub fn figure(picture: &Picture) -> Markup {
    html! {
        figure {
            @if picture.charts.is_empty() {
                div.scroll.themed[picture.themed] tabindex="0" {
                    (PreEscaped(inline(&picture.svg, &picture.name, &picture.caption)))
                }
            } @else {
                div.charts { @for chart in &picture.charts {
                    div.chart.themed data-caption=(picture.caption) {
                        script type="application/json" { (json(chart)) }
                    }
                } }
            }
            figcaption { (picture.caption) }
        }
    }
}
