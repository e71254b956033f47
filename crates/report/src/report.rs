//! `report.html`: the sections of a report, and those that reports of all kinds share.

use maud::{Markup, html};

use super::associations::{self};
use super::bounds::bounds_of;
use super::drawing::{ForceSeries, Shade, player};
use super::flat::Flat;
use super::manifest::Manifest;
use super::motion::Track;
use super::numbers::{number, number_within, round3, with_minus, words};
use super::page::{doubts, figure, page, resolved_study};
use super::picture::Pictures;
use super::report_data::{FailedInstance, ReportData, is_of_one, is_of_outcome, is_outcome};
use super::table::ColumnLabel;
use polhode_description::base::{grouped, in_brackets, instances};
use polhode_description::describe::contact::Ball;
use polhode_description::describe::force::Joins;
use polhode_description::describe::{Attached, Body, Design, Distribution, Mechanism, Point, Study, Support};
use polhode_dynamics::elements::cards;
use polhode_engine::observe::{Share, Summary, Verdict};
use polhode_files::outcome_words;

pub(super) fn render(data: &ReportData<'_>, manifest: &Manifest, pictures: &Pictures) -> String {
    let warning = html! {
        "Incomplete: the run was interrupted. Of " (grouped(manifest.instances)) " instances, "
        (grouped(manifest.advanced)) " had come to their end and " (grouped(manifest.interrupted()))
        " were on their way. The figures at a time are over those that had reached it."
    };
    let mut sections = accuracy(manifest);
    sections.extend(data.answers(manifest).map(|answers| ("", answers)));
    sections.extend(ends(data, manifest, pictures));
    sections.extend(motion(data, pictures));
    sections.extend([("Channels", channels(data, manifest, pictures)), final_statistics(data, manifest)]);
    let associated = data.associations.correlation_section(data.columns, pictures);
    let missing = data.associations.are_left_out(data.study).then(|| {
        html! { p { "Left out: " (associations::MISSING) "." } }
    });
    sections.extend(associated.or(missing).map(|section| ("Inputs and final values", section)));
    let growth = data.associations.growth_section(data.columns);
    sections.extend(growth.map(|section| ("Were there enough instances", section)));
    sections.extend([
        ("What was run", what_was_run(data, manifest)),
        ("Time spent", timings(manifest)),
        ("One instance again", replay(data.failures.first().map_or(0, |failure| failure.instance))),
        ("The study", resolved_study(data.study_toml)),
    ]);
    let lead = html! { (lead(manifest)) };
    page(&data.study.title, lead, (!manifest.complete).then_some(warning), sections)
}

/// The number by which motions that go together are coloured: the first outcome, else the first
/// column that varies, at the end; of kept instances alone.
fn shade(data: &ReportData<'_>) -> Option<Shade> {
    let flat = Flat::of_columns(data.columns, data.summaries);
    let outcome = (0..data.columns.len()).find(|i| is_outcome(data.study, &data.columns[*i]));
    let column = outcome.or_else(|| flat.iter().position(Option::is_none))?;
    let label = &data.columns[column];
    let value = |track: &Track| {
        let kept = data.trajectories.instances.iter().position(|instance| *instance == track.instance)?;
        data.trajectories.series(column, kept).last().filter(|value| value.is_finite())
    };
    Shade::new(
        format!("{}{} at the end", words(&label.name()), in_brackets(&label.unit)),
        data.motions.iter().map(value).collect(),
    )
}

/// The forces of joints, generators, contacts and springs that the study observes; of kept
/// instances alone.
fn forces(data: &ReportData<'_>) -> Vec<ForceSeries> {
    let mechanism = &data.study.mechanism;
    let series = |name: String, points: &[Point], offset: [f64; 3]| {
        let columns: Vec<usize> =
            (0..data.columns.len()).filter(|column| data.columns[*column].channel == name).collect();
        let of_track = |track: &Track| {
            let kept = data.trajectories.instances.iter().position(|kept| *kept == track.instance);
            let of_time = |kept: usize, time: usize| {
                columns.iter().map(|column| data.trajectories.series(*column, kept).nth(time)).collect()
            };
            kept.and_then(|kept| (0..track.times.len()).map(|time| of_time(kept, time)).collect())
        };
        let values: Vec<Option<Vec<Vec<f64>>>> = data.motions.iter().map(of_track).collect();
        let values: Vec<Vec<Vec<f64>>> = values.into_iter().map(Option::unwrap_or_default).collect();
        let is_known = !columns.is_empty() && values.first().is_some_and(|values| !values.is_empty());
        is_known.then(|| ForceSeries { name: words(&name), points: points.to_vec(), offset, values })
    };
    let joints = mechanism
        .joints
        .iter()
        .filter_map(|joint| series(format!("{}.force", joint.name), &joint.points[1..], [0.0; 3]));
    let drives = mechanism.generators.iter().filter_map(|generator| {
        series(format!("{}.drive_force", generator.name), &[*generator.point()?], [0.0; 3])
    });
    let contacts = mechanism.contacts.iter().filter_map(|contact| {
        let down = |ball: Ball| ball.normal.map(|n| -ball.radius * n);
        let offset = (contact.kind.ball)(contact).map_or([0.0; 3], down);
        series(format!("{}.contact_force", contact.name), &[contact.point], offset)
    });
    let springs = mechanism.forces.iter().filter_map(|force| match &force.attached {
        Attached::Points(points) => series(format!("{}.force", force.name), points, [0.0; 3]),
        _ => None,
    });
    joints.chain(drives).chain(contacts).chain(springs).collect()
}

/// The motion, played or, where nothing moves, drawn.
pub(super) fn motion(data: &ReportData<'_>, pictures: &Pictures) -> Option<(&'static str, Markup)> {
    let player = player(&data.study.mechanism, data.motions, shade(data), &forces(data));
    let drawn = || pictures.named("motion").map(|picture| html! { div.wide-figure { (figure(picture)) } });
    player.or_else(drawn).map(|motion| ("Motion", motion))
}

/// The head of a page, ahead of all sections: how accurate the run is, and how its instances ended.
pub(super) fn accuracy(manifest: &Manifest) -> Vec<(&'static str, Markup)> {
    let ended: Vec<(&str, u64)> =
        manifest.verdicts_in_order().into_iter().filter(|(_, count)| *count > 0).collect();
    let ended = match ended[..] {
        [(verdict, 1)] => format!("The instance: {}.", words(verdict)),
        [(verdict, count)] => format!("All {}: {}.", instances(count), words(verdict)),
        _ => {
            let share = |(verdict, count): &(&str, u64)| format!("{} {}", words(verdict), grouped(*count));
            format!("Instances: {}.", ended.iter().map(share).collect::<Vec<_>>().join(", "))
        }
    };
    let accuracy = manifest.accuracy.as_ref().map(|accuracy| accuracy.section());
    vec![("", html! { (accuracy.unwrap_or_default()) p { (ended) } })]
}

pub(super) fn lead(manifest: &Manifest) -> String {
    format!(
        "{} × {} steps in {} s",
        instances(manifest.instances),
        grouped(manifest.steps),
        number(round3(manifest.timings.total)),
    )
}

/// Returns the parts of a mechanism, in words; it is free if nothing holds or joins its bodies.
pub(super) fn parts_of(mechanism: &Mechanism) -> String {
    // Nodes and elements of a beam are named as that beam.
    let own = || mechanism.bodies.iter().enumerate().filter(|(b, _)| mechanism.beam_of(*b).is_none());
    let rigid =
        |support| own().filter(|(_, body)| body.flexible.is_none() && body.support == support).count();
    let flexible = own().filter(|(_, body)| body.flexible.is_some()).count();
    let modes = mechanism.bodies.iter().map(Body::modes).sum();
    let elements = mechanism.beams.iter().map(|beam| beam.elements).sum();
    let alone = mechanism.beam_elements.iter().filter(|element| element.beam.is_none()).count();

    let count =
        |n: usize, one: &str, many: &str| (n > 0).then(|| format!("{n} {}", if n == 1 { one } else { many }));
    let counted = |n: usize, what: &str| count(n, what, &format!("{what}s"));
    let with_parts = |part: Option<String>, more: Option<String>| Some(format!("{} ({})", part?, more?));
    let bodies = [
        count(rigid(Support::Free), "rigid body", "rigid bodies"),
        count(
            rigid(Support::FixedPoint),
            "rigid body with a fixed point",
            "rigid bodies with a fixed point each",
        ),
        with_parts(count(flexible, "flexible body", "flexible bodies"), counted(modes, "mode")),
        with_parts(counted(mechanism.beams.len(), "beam"), counted(elements, "element")),
    ];
    let forces = |on_bodies: bool| {
        let cards = cards().iter().filter(move |card| (card.joins == Joins::Body) == on_bodies);
        cards.map(|card| counted(mechanism.forces_of(card.table).count(), card.noun))
    };
    let between: Vec<_> = [
        counted(mechanism.joints.len(), "joint"),
        counted(
            mechanism.generators.iter().filter(|generator| generator.follows.is_none()).count(),
            "generator",
        ),
        counted(
            mechanism.generators.iter().filter(|generator| generator.follows.is_some()).count(),
            "coupling",
        ),
        counted(mechanism.contacts.len(), "contact"),
    ]
    .into_iter()
    .chain(forces(false))
    .chain([counted(alone, "beam element"), counted(mechanism.locks.len(), "lock")])
    .collect();
    let clamped = mechanism.beams.iter().any(|beam| beam.clamped.contains(&true));
    let free = !clamped && rigid(Support::FixedPoint) == 0 && between.iter().all(Option::is_none);
    let acting = forces(true).chain([counted(mechanism.loads.len(), "load")]);
    let free = free.then(|| "free".to_string());
    bodies.into_iter().chain(between).chain([free]).chain(acting).flatten().collect::<Vec<_>>().join(", ")
}

/// Returns the design by which the unit cube is sampled, in words.
pub(super) fn design(design: Design) -> &'static str {
    match design {
        Design::Random => "random, one stream an instance",
        Design::Sobol => "Sobol points",
        Design::LatinHypercube => "Latin hypercube",
    }
}

/// The instances come to their values so: a grid and a table of samples draw nothing.
fn sampling(study: &Study) -> String {
    let varied = || study.ensemble.vary.iter().map(|vary| &vary.distribution);
    let mut ways = Vec::new();
    let axes: Vec<String> = varied().filter_map(|law| law.points().map(grouped)).collect();
    if !axes.is_empty() {
        ways.push(format!("a grid of {}", axes.join(" × ")));
    }
    if varied().any(|law| matches!(law, Distribution::Table { .. })) {
        ways.push("the rows of a table".to_string());
    }
    if varied().any(Distribution::is_drawn) {
        ways.push(format!("{}, seed {}", design(study.ensemble.design), study.ensemble.seed));
    }
    ways.join("; ")
}

pub(super) fn what_was_run(data: &ReportData<'_>, manifest: &Manifest) -> Markup {
    let study = data.study;
    let mechanism = parts_of(&study.mechanism);
    let varied: Vec<&str> = study.ensemble.vary.iter().map(|vary| vary.target.key.as_str()).collect();
    let varied = if varied.is_empty() { "nothing".to_owned() } else { varied.join(", ") };
    let arithmetic =
        if manifest.fused { "fused multiply-add" } else { "multiplications and additions rounded apart" };
    let left_out = match &manifest.rows_left_out[..] {
        [] => String::new(),
        joints => format!("{}; other rows imply them", joints.join("; ")),
    };
    let start = manifest.start.clone().map(|start| ("Start", start));
    let rows = [
        ("Mechanism", format!("{}: {mechanism}", study.mechanism.name)),
        ("Method", study.method.summary()),
        ("Step", format!("{} s", number(manifest.step))),
        (
            "Duration",
            format!(
                "{} s = {} steps",
                number(manifest.step * manifest.steps as f64),
                grouped(manifest.steps)
            ),
        ),
        ("Instances", grouped(manifest.instances)),
        ("Varied", varied),
        ("Rows left out", left_out),
        ("Sampling", sampling(study)),
        ("Bounds", bounds_of(study)),
        ("Observed", format!("every {} s", number(study.method.step * study.observe.every as f64))),
        ("Device", manifest.device.clone()),
        ("Arithmetic", format!("{}, {arithmetic}, {}", manifest.precision, manifest.backend)),
        ("Started", manifest.started.clone()),
        ("Program", format!("polhode {}", manifest.polhode)),
    ];
    html! {
        table { tbody {
            @for (key, value) in rows.into_iter().chain(start).filter(|(_, value)| !value.is_empty()) {
                tr { th { (key) } td { (value) } }
            }
        } }
        (doubts(manifest))
    }
}

/// A section on the ends of instances, where that takes more than the sentence at the head of the
/// page.
pub(super) fn ends(
    data: &ReportData<'_>,
    manifest: &Manifest,
    pictures: &Pictures,
) -> Option<(&'static str, Markup)> {
    let several = manifest.verdicts.values().filter(|count| **count > 0).count() > 1;
    if !several && data.failures.is_empty() && manifest.bent.is_none() {
        return None;
    }
    let section = html! {
        div.pair {
            div {
                (verdict_table(manifest))
                (failures_table(data.failures, data.study))
                @if let Some(bent) = &manifest.bent { p.warning { "Warning: " (bent.sentence()) "." } }
            }
            // One bar says nothing that the table does not.
            @if let Some(picture) = pictures.named("verdicts").filter(|_| several) { (figure(picture)) }
        }
    };
    Some(("How the instances ended", section))
}

/// Returns the table that counts the instances by verdict: those that occur.
pub(super) fn verdict_table(manifest: &Manifest) -> Markup {
    let all = manifest.verdicts.values().sum::<u64>().max(1) as f64;
    html! {
        table {
            thead { tr { th { "verdict" } th.number { "instances" } th.number { "share (%)" } } }
            tbody {
                @let verdicts = manifest.verdicts_in_order();
                @for (verdict, count) in verdicts.into_iter().filter(|(_, count)| *count > 0) {
                    tr {
                        th { (words(verdict)) }
                        td.number { (grouped(count)) }
                        td.number { (number(round3(100.0 * count as f64 / all))) }
                    }
                }
            }
        }
    }
}

/// The first instances that did not finish, with a heading; nothing if all did.
pub(super) fn failures_table(failures: &[FailedInstance], study: &Study) -> Markup {
    let occurred = |verdict: &Verdict| failures.iter().any(|failure| failure.verdict == *verdict);
    let names = study.mechanism.verdict_names();
    let reasons = names.all().filter(occurred).filter_map(|verdict| verdict.reason(&study.mechanism));
    html! {
        @if !failures.is_empty() {
            h3 { "The first with another verdict than finished" }
            table {
                thead { tr {
                    th.number { "instance" } th { "verdict" } th.number { "step" } th.number { "time (s)" }
                } }
                tbody {
                    @for failure in failures {
                        tr {
                            td.number { (grouped(failure.instance)) }
                            td { (words(names.of(failure.verdict))) }
                            td.number { (grouped(failure.step)) }
                            td.number { (number(failure.step as f64 * study.method.step)) }
                        }
                    }
                }
            }
            @for reason in reasons { p { (reason) "." } }
        }
    }
}

pub(super) fn channels(data: &ReportData<'_>, manifest: &Manifest, pictures: &Pictures) -> Markup {
    let flat = Flat::of_columns(data.columns, data.summaries);
    let is_outcome = |i: usize| is_of_outcome(data.study, &data.columns[i]);
    // Outcomes answer the study's question; those that do not vary come last.
    let mut order: Vec<usize> = (0..data.columns.len()).filter(|i| flat[*i].is_none()).collect();
    order.sort_by_key(|i| !is_outcome(*i));
    let constant: Vec<(usize, Flat)> =
        flat.iter().enumerate().filter_map(|(i, flat)| Some((i, (*flat)?))).collect();
    html! {
        @for (place, &i) in order.iter().enumerate() {
            @let column = &data.columns[i];
            h3 { (words(&column.name())) " " span.unit { "(" (column.unit) ")" } }
            // Once for all components.
            @let is_told = place > 0 && data.columns[order[place - 1]].channel == column.channel;
            @if let Some(words) = own_words(data.study, column) { p.lead { code { (words) } } }
            @else if !column.description.is_empty() && !is_told { p.lead { (column.description) } }
            @if let Some(share) = data.lacking(manifest, i) {
                p { (share.sentence(grouped)) " at the end." @if share.count > 0 { " " (of_those(share)) } }
            }
            @if data.summaries.iter().all(|row| row[i].count == 0) {
                p { "No instance has a value." }
            } @else {
                // An outcome so far is no motion.
                @let kinds: &[&str] = if is_outcome(i) {
                    &["distribution", "final"]
                } else {
                    &["density", "fan", "final", "distribution"]
                };
                @let drawn = |what: &str| pictures.named(&format!("{}_{what}", column.name()));
                @let is_slab = drawn("density").is_some();
                div.pair {
                    @let kinds = kinds.iter().filter(|what| !is_slab || **what != "fan");
                    @for picture in kinds.filter_map(|what| drawn(what)) {
                        (figure(picture))
                    }
                }
                @if let Some(fan) = drawn("fan").filter(|_| is_slab) {
                    details { summary { "Quantiles" } div.wide-figure { (figure(fan)) } }
                }
            }
        }
        @let lacks = |i: usize| data.lacking(manifest, i).is_some();
        @let (some, all): (Vec<_>, Vec<_>) = constant.iter().partition(|(i, _)| lacks(*i));
        @let of_all = if is_of_one(data) { "At all times: " } else { "In all instances at all times: " };
        @for (whose, constant) in [(of_all, all), ("In all instances that have a value: ", some)] {
            @if !constant.is_empty() {
                p {
                    (whose)
                    @for (k, (i, flat)) in constant.iter().enumerate() {
                        @if k > 0 { "; " }
                        (words(&data.columns[*i].name())) " "
                        (with_minus(&flat.sentence(&data.columns[*i].unit)))
                        @if let Some(share) = data.lacking(manifest, *i) { " (" (share.counted(grouped)) ")" }
                    }
                    "."
                }
            }
        }
    }
}

/// The expression or condition of an outcome.
fn own_words(study: &Study, column: &ColumnLabel) -> Option<String> {
    let outcome = study.mechanism.outcomes.iter().find(|outcome| outcome.name == column.channel)?;
    outcome_words(outcome, &study.mechanism)
}

/// A sentence that names the instances behind the numbers of a column that not all have.
fn of_those(share: Share) -> String {
    format!("Mean, quantiles and histogram are those of the {}.", grouped(share.count))
}

/// The statistics at the last time, or the values of the one instance there is, with their heading.
pub(super) fn final_statistics(data: &ReportData<'_>, manifest: &Manifest) -> (&'static str, Markup) {
    if is_of_one(data) {
        return ("Values at the last time", final_values(data));
    }
    ("Statistics at the last time", statistics_table(data, manifest))
}

fn final_values(data: &ReportData<'_>) -> Markup {
    let (Some(row), Some(&time)) = (data.summaries.last(), data.times.last()) else {
        return html! { p { "No snapshot was taken." } };
    };
    html! {
        p.lead { "t = " (number(time)) " s" }
        table {
            thead { tr { th { "channel" } th { "unit" } th.number { "value" } } }
            tbody {
                @for (column, summary) in data.columns.iter().zip(row) {
                    tr {
                        th { (words(&column.name())) } td.unit { (column.unit) }
                        td.number { (number(summary.mean)) }
                    }
                }
            }
        }
    }
}

fn statistics_table(data: &ReportData<'_>, manifest: &Manifest) -> Markup {
    let (Some(row), Some(&time)) = (data.summaries.last(), data.times.last()) else {
        return html! { p { "No snapshot was taken." } };
    };
    let probabilities = &data.study.observe.quantiles;
    let flat = Flat::of_columns(data.columns, data.summaries);
    // Three digits for what is a statistic: more are chance.
    let spread = |summary: &Summary| number(round3(summary.std));
    html! {
        p.lead { "t = " (number(time)) " s" }
        div.scroll tabindex="0" {
            table.wide {
                thead { tr {
                    th { "channel" } th { "unit" } th.number { "count" } th.number { "mean" }
                    th.number { "std" }
                    th.number { "min" }
                    @for p in probabilities { th.number { (number(p * 100.0)) " %" } }
                    th.number { "max" }
                } }
                tbody {
                    @let shown = data.columns.iter().zip(row).enumerate();
                    @for (i, (column, summary)) in shown.filter(|(i, _)| flat[*i].is_none()) {
                        tr {
                            th { (words(&column.name())) }
                            td.unit { (column.unit) }
                            @let lacking = data.lacking(manifest, i);
                            @let whole = || grouped(summary.count);
                            td.number { (lacking.map_or_else(whole, |share| share.counted(grouped))) }
                            td.number { (number_within(summary.mean, summary.std)) }
                            td.number { (spread(summary)) }
                            td.number { (number_within(summary.min, summary.std)) }
                            @for &quantile in &summary.quantiles {
                                td.number { (number_within(quantile, summary.std)) }
                            }
                            td.number { (number_within(summary.max, summary.std)) }
                        }
                    }
                }
            }
        }
    }
}

pub(super) fn timings(manifest: &Manifest) -> Markup {
    let timings = &manifest.timings;
    let rows = [
        ("Drawing the instances", timings.sampling),
        ("Preparing the processor", timings.preparing),
        ("Stepping", timings.stepping),
        ("Channels and statistics", timings.observing),
        ("Measuring the error", timings.judging),
        ("Tables, plots, report", timings.writing),
        ("In all", timings.total),
    ];
    html! {
        table {
            thead { tr { td {} th.number { "time (s)" } th.number { "share (%)" } } }
            tbody {
                @for (what, seconds) in rows.into_iter().filter(|(_, seconds)| *seconds > 0.0) {
                    tr {
                        th { (what) }
                        td.number { (number(round3(seconds))) }
                        td.number { (number(round3(100.0 * seconds / timings.total.max(f64::MIN_POSITIVE)))) }
                    }
                }
            }
        }
        p.lead { "Instances are drawn and written while others are stepped: the parts may add up to more \
                  than all." }
        @if let Some(slowest) = timings.bottleneck(None) { p { "Most of the time goes into " (slowest) "." } }
        p {
            @let millions = round3(manifest.instance_steps_per_second / 1e6);
            strong { (number(millions)) " million instance-steps a second" }
            " while stepping."
        }
    }
}

pub(super) fn replay(instance: u64) -> Markup {
    html! {
        p { "An instance depends on the study, the seed and its index alone. In this file's folder," }
        pre tabindex="0" { code { "polhode replay . --instance " (instance) } }
        p {
            "computes one again with the independent reference in double precision, and compares it with \
             what is "
            "stored here."
        }
    }
}
