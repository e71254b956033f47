//! Reports of what a step costs and how accurate it is: tables and curves.

use maud::{Markup, html};

use super::listing::Listing;
use super::manifest::Manifest;
use super::page::{doubted_study, figure, page};
use super::picture::Picture;
use super::spread::RELIABLE;

/// The report of a study of kind `convergence`: slopes, targets and rungs, in this order; `error`:
/// what is judged, in words; `answers`: which method meets each target with least work; `unmet`:
/// targets that no step meets; `left_out`: what there was no time for.
pub fn convergence_report(
    (title, manifest, study_toml): (&str, &Manifest, &str),
    error: &str,
    [slopes, targets, rungs]: [&Listing; 3],
    [answers, unmet, left_out]: [&[String]; 3],
    pictures: &[Picture],
) -> String {
    let mut sections = vec![
        ("Work and precision", html! { ul { @for line in answers { li { (line) } } } (figures(pictures)) }),
        (
            "Order",
            html! {
                p { "Slopes are measured over the finest steps whose errors are above rounding. Methods that \
                     have less than two "
                    "such steps are left out." }
                (slopes.known("slope").html())
            },
        ),
    ];
    if targets.rows() > 0 {
        sections.push((
            "Largest steps that meet a target",
            html! {
                p { "The largest " (error) " of all instances is to be below the target. Times are of one \
                                            thread, for an "
                    "instance from start to end." }
                (targets.known("step").html())
                @if !unmet.is_empty() { p { "No step of the ladder is short enough \
                                             for " (unmet.join("; ")) "." } }
            },
        ));
    }
    if !left_out.is_empty() {
        sections.push(("Left out", html! { ul { @for line in left_out { li { (line) } } } }));
    }
    let all = html! { details { summary { (rungs.rows()) " rows" } (rungs.html()) } };
    sections.push(("All steps", all));
    sections.push(("The study", doubted_study(study_toml, manifest)));
    whole(title, manifest, sections)
}

/// The report of a study of kind `throughput`: accuracies, rungs and crossovers, in this order;
/// `answers`: what is quickest; `doubts`: what is not to be relied on; `notes`: what was left out.
pub fn throughput_report(
    (title, manifest, study_toml): (&str, &Manifest, &str),
    [accuracies, rungs, crossovers]: [&Listing; 3],
    [answers, doubts, notes]: [&[String]; 3],
    pictures: &[Picture],
) -> String {
    let mut sections = vec![
        ("Cost against size", html! { ul { @for line in answers { li { (line) } } } (figures(pictures)) }),
        (
            "Accuracy",
            html! {
                p { "A speed is worth what its accuracy is: errors of the first instances at the end of the \
                     study's duration, "
                    "against the accurate solution of the reference." }
                (accuracies.html())
            },
        ),
        (
            "All measurements",
            html! {
                p { "Medians of turns, in which all backends took part one after another; spread is half the \
                     distance of the "
                    "quartiles. The share of the peak is of the exact operations of the recorded program, a \
                     fused multiply-add "
                    "counted as two, over those of a loop of fused multiply-adds on the same device and \
                     threads, in the same "
                    "turns. End to end are drawing, transfer, stepping, observing and the table of \
                     instances." }
                (rungs.html())
            },
        ),
    ];
    if !doubts.is_empty() {
        sections.push((
            "Not to be relied on",
            html! {
                p { "\"about\" stands before figures whose repeats spread by more \
                     than " (100.0 * RELIABLE) " %; measure again on a "
                    "quiet machine." }
                ul { @for doubt in doubts { li { (doubt) } } }
            },
        ));
    }
    if crossovers.rows() > 0 {
        sections.push((
            "From where on a GPU is faster",
            html! {
                p { "Against the CPU with all threads, in the same precision; – where it is not, up to the \
                     largest size. Adapters that are "
                    "software have no row: they compute on the CPU." }
                (crossovers.html())
            },
        ));
    }
    if !notes.is_empty() {
        sections.push(("Left out", html! { ul { @for note in notes { li { (note) } } } }));
    }
    sections.push(("The study", doubted_study(study_toml, manifest)));
    whole(title, manifest, sections)
}

fn figures(pictures: &[Picture]) -> Markup {
    html! { div.pair { @for picture in pictures { (figure(picture)) } } }
}

fn whole(title: &str, manifest: &Manifest, sections: Vec<(&str, Markup)>) -> String {
    let lead = html! {
        (manifest.instances) " instances judged by the independent \
                              reference, " (manifest.device) ". Times are of this "
        "machine as it was on " (manifest.started) ", other work on it included: compare those of one report \
                                                    alone."
    };
    let warning = html! { "Incomplete: the run was interrupted." };
    page(title, lead, (!manifest.complete).then_some(warning), sections)
}
