//! Reports of what a step costs and how accurate it is: tables and curves.

use maud::{Markup, html};

use super::listing::Listing;
use super::manifest::Manifest;
use super::plots::Picture;
use super::report::{figure, page, resolved_study};

/// The report of a study of kind `convergence`: slopes, targets and rungs, in this order.
pub fn convergence_report(
    title: &str,
    manifest: &Manifest,
    study_toml: &str,
    [slopes, targets, rungs]: [&Listing; 3],
    pictures: &[Picture],
) -> String {
    let mut sections = vec![
        ("Order", html! {
            p { "Slopes are measured over the finest steps whose errors are above rounding; – where there are less than two." }
            (slopes.html())
        }),
        ("Work and precision", figures(pictures)),
    ];
    if targets.rows() > 0 {
        sections.push(("Largest steps that meet a target", html! {
            p { "The largest error of attitude of all instances is to be below the target. Times are of one thread, for an "
                "instance and 10 s of motion; – where no step of the ladder is short enough." }
            (targets.html())
        }));
    }
    sections.push(("All steps", rungs.html()));
    sections.push(("The study", resolved_study(study_toml)));
    whole(title, manifest, sections)
}

fn figures(pictures: &[Picture]) -> Markup {
    html! { div.pair { @for picture in pictures { (figure(picture)) } } }
}

fn whole(title: &str, manifest: &Manifest, sections: Vec<(&str, Markup)>) -> String {
    let lead = html! {
        (manifest.instances) " instances judged by the independent reference, " (manifest.device) ". Times are of this "
        "machine as it was on " (manifest.started) ", other work on it included: compare those of one report alone."
    };
    let warning = html! { "Incomplete: the run was interrupted." };
    page(title, lead, (!manifest.complete).then_some(warning), sections)
}
