//! `[study] kind = "static"`: the equilibrium near the start of every instance, whether it is
//! stable, and what is observed there.
//!
//! Equilibria of several instances that are the same are one group: a mechanism that starts from
//! many places shows how many it has.

use std::time::Instant;

use crate::backend::Plan;
use crate::base::{capital, significant, with_unit};
use crate::describe::Study;
use crate::math::vector::length;
use crate::model::vibration::Stability;
use crate::observe::channels::{Baselines, Observer, Planes, columns};
use crate::output::flat::{Flat, SOLVED};
use crate::output::steady::{
    NumberColumn, SearchOutcome, SteadyRow, draw_equilibria, folded, plain, section, steady_report,
};
use crate::output::{
    Cells, Listed, Listing, Manifest, OutputFolder, RunOutcome, StudyAnswer, Track, draw_shape,
    player_of_poses,
};
use crate::study::cost::RunOutlook;
use crate::study::planned_run::on_threads;
use crate::study::recorder::amplitudes;
use crate::study::run_context::RunContext;
use crate::study::run_error::RunError;
use crate::study::runnable::Runnable;
use crate::study::spread::{deviation, mean, quantile, sorted};
use crate::study::steady::{SteadyFound, SteadyOutcome, SteadyStudy, check_channels, failures};
use crate::study_file::kinds::equilibria::Static;
use crate::study_file::resolved_toml;

/// Groups and statistics as JSON.
pub const DATA: &str = "equilibria.json";

/// Groups that are told apart; an ensemble of many mechanisms has no equal equilibria.
const MOST_GROUPS: usize = 100;
/// Groups that are drawn, and channels against what is drawn.
const DRAWN_GROUPS: usize = 4;
const DRAWN_CHANNELS: usize = 12;
/// Equilibria of a family that are drawn besides the last.
const DRAWN_FAMILY: usize = 8;

impl Runnable for Static {
    fn run(&self, study: &Study, under: &RunContext<'_>) -> Result<RunOutcome, RunError> {
        on_threads(study, || run(study, self, under))
    }

    fn check(&self, study: &Study, _: &Plan) -> Result<(), RunError> {
        check_channels(study)?;
        SteadyStudy::new(study, &self.about).map(|_| ())
    }

    fn forecast(&self, study: &Study) -> Option<RunOutlook> {
        let outlook = on_threads(study, || {
            let ensemble = SteadyStudy::new(study, &self.about)?;
            let observed = columns(&study.mechanism, &study.observe.channels).len();
            let is_family = study.ensemble.size > 1 && ensemble.drawn().len() == 1;
            let curves = if is_family { observed.min(DRAWN_CHANNELS) } else { 0 };
            Ok(RunOutlook::of_search(ensemble.foretold(observed, |_| 0.0), 1 + curves))
        });
        outlook.ok()
    }
}

/// Equal equilibria.
struct Group {
    /// Position of its first instance among the outcomes.
    first: usize,
    instances: u64,
}

fn run(study: &Study, settings: &Static, under: &RunContext<'_>) -> Result<RunOutcome, RunError> {
    check_channels(study)?;
    let begun = (Manifest::of(study), Instant::now());
    let folder = OutputFolder::create(under.out, under.overwrite)?;
    let ensemble = SteadyStudy::new(study, &settings.about)?;
    let outcomes = ensemble.all(under.listener, under.interrupted);
    let mut rows = ensemble.rows(&outcomes);
    let groups = groups(&ensemble, &outcomes, &mut rows, settings.same);
    let observed = observed(&ensemble, &outcomes);
    let manifest = ensemble.manifest(begun, under, "Newton's method for equilibria", (&outcomes, &rows));

    let grouped = group_listing(&groups, &rows);
    let statistics = statistics(study, &observed);
    let flat = flat(&ensemble, &outcomes, &observed);
    let same = same_in_all(&observed, &flat);
    let varying: Vec<usize> = (0..observed.len()).filter(|column| flat[*column].is_none()).collect();
    let names = varying.iter().map(|column| plain(&observed[*column].name)).collect();
    let spread =
        statistics.only(&varying).with("channel", |channel| Listed { cells: Cells::Text(names), ..channel });
    let mut found: Vec<String> = failures(&rows).chain(grouped.lines()).collect();
    found.push(String::new());
    if spread.rows() > 0 {
        found.extend(spread.lines());
    }
    found.extend(same.iter().cloned());
    let family = family(&ensemble, &outcomes);
    let drawn: Vec<(Track, String)> = match &family {
        Some(Family { track, title, .. }) => vec![(track.clone(), title.clone())],
        None => groups
            .iter()
            .take(DRAWN_GROUPS)
            .enumerate()
            .filter_map(|(k, group)| of_group(&ensemble, &outcomes[group.first], k + 1))
            .collect(),
    };
    let columns = [ensemble.drawn_columns(outcomes.iter()), observed.clone()].concat();
    let answer = StudyAnswer {
        study,
        study_toml: &resolved_toml(study),
        tables: ensemble.table(&rows, true, columns),
        data: Some((
            DATA,
            serde_json::json!({
                "study": study.title,
                "complete": manifest.complete,
                "instances": outcomes.len(),
                "found": rows.iter().filter(|row| row.outcome == SearchOutcome::Found).count(),
                "groups": grouped.json(),
                "statistics": statistics.json(),
            }),
        )),
        draw: Box::new(|_, _| {
            let mut pictures = Vec::new();
            for (number, (track, title)) in drawn.iter().enumerate() {
                pictures.extend(draw_shape(&study.mechanism, track, number + 1, title));
            }
            let along = ensemble.only_drawn(&outcomes).filter(|_| outcomes.len() > 1);
            if let Some((name, unit, values)) = along {
                let shown = varying.iter().take(DRAWN_CHANNELS);
                pictures.extend(
                    shown.map(|column| draw_equilibria(&rows, (&name, &unit, &values), &observed[*column])),
                );
            }
            Ok(pictures)
        }),
        report: Box::new(|manifest, pictures| {
            let (_, of_channels) = pictures.split(|name| name.starts_with("plots/shape_"));
            let players = match &family {
                Some(Family { track, title, name, unit }) => {
                    player_of_poses(&study.mechanism, track, title, (name, unit))
                }
                None => player_of_poses(&study.mechanism, &joined(&drawn), "Equilibria", ("equilibrium", "")),
            };
            let mut text = "Equilibria that are the same but for rounding are one group. ".to_string();
            for stability in Stability::ALL {
                text.push_str(&format!("{}: {}. ", capital(stability.name()), stability.meaning()));
            }
            if groups.len() == MOST_GROUPS {
                text.push_str(&format!("There are more than {MOST_GROUPS}: later ones have no number."));
            }
            let mut sections = vec![("Equilibria", folded(&text, &grouped, players))];
            if outcomes.len() > 1 && !observed.is_empty() {
                let mut text = "Over all instances with an equilibrium.".to_string();
                if !same.is_empty() {
                    text.push_str(&format!(" The same in all: {}.", same.join("; ")));
                }
                let observed = ("What is observed", section(&text, Some(&spread), &of_channels));
                // Along one number, the curves are the answer.
                sections.insert(if family.is_some() { 0 } else { 1 }, observed);
            }
            steady_report(study, manifest, &rows, sections)
        }),
        found,
        fan: None,
    };
    Ok(answer.write(folder, under.interrupted, manifest)?)
}

/// Returns `slider.position.y 0 m (rounding)` of the columns that do not vary.
fn same_in_all(observed: &[NumberColumn], flat: &[Option<Flat>]) -> Vec<String> {
    let sentence = |(column, flat): (&NumberColumn, &Option<Flat>)| {
        Some(format!("{} {}", plain(&column.name), (*flat)?.sentence(&column.unit)))
    };
    observed.iter().zip(flat).filter_map(sentence).collect()
}

/// The columns that do not vary among equilibria. Sizes are those of weights, of the largest force
/// that is observed, and of the mechanism.
fn flat(
    ensemble: &SteadyStudy<'_>,
    outcomes: &[SteadyOutcome],
    observed: &[NumberColumn],
) -> Vec<Option<Flat>> {
    let Some(found) = outcomes.iter().find_map(|outcome| outcome.found.as_ref().ok()) else {
        return vec![None; observed.len()];
    };
    let steady = ensemble.instance(found);
    let length_scale = steady.extent(&found.equilibrium.posture) / steady.total_mass().sqrt();
    let forces = observed.iter().filter(|column| column.unit == "N").flat_map(|column| &column.values);
    let weight = steady.total_mass() * length(ensemble.study.mechanism.gravity);
    let force = forces.map(|x| x.abs()).filter(|x| x.is_finite()).fold(weight, f64::max);
    let flatness = |column: &NumberColumn| {
        let scale = match &*column.unit {
            "N" => force,
            "N m" => force * length_scale,
            "m" => length_scale,
            "rad" => 1.0,
            _ => 0.0,
        };
        Flat::of_solved(&column.values, scale)
    };
    observed.iter().map(flatness).collect()
}

/// The equilibria of an ensemble along one number, to be drawn together.
struct Family {
    /// The number in place of time.
    track: Track,
    title: String,
    name: String,
    unit: String,
}

/// `None`: the ensemble varies other numbers, or has one equilibrium alone.
fn family(ensemble: &SteadyStudy<'_>, outcomes: &[SteadyOutcome]) -> Option<Family> {
    let (name, unit, values) = ensemble.only_drawn(outcomes)?;
    let found = outcomes.iter().zip(values).filter_map(|(at, value)| Some((at.found.as_ref().ok()?, value)));
    let mut found: Vec<(&Box<SteadyFound>, f64)> = found.collect();
    found.sort_by(|a, b| a.1.total_cmp(&b.1));
    let ends = [found.first()?.1, found.last()?.1];
    let last = found.len() - 1;
    let parts = DRAWN_FAMILY.min(last).max(1);
    let mut track = Track::default();
    for (equilibrium, value) in (0..=parts).map(|k| &found[k * last / parts]) {
        push(&mut track, ensemble, equilibrium, *value);
    }
    let name = plain(&name);
    let [from, to] = ends.map(|end| significant(end, 3).replace('-', "−"));
    let title = format!("Equilibria for {name} from {from} to {}", with_unit(&to, &unit));
    (ends[0] < ends[1]).then_some(Family { track, title, name, unit })
}

/// Adds an equilibrium to poses that are drawn.
fn push(track: &mut Track, ensemble: &SteadyStudy<'_>, found: &SteadyFound, at: f64) {
    let motions = &found.equilibrium.posture.motions;
    track.times.push(at);
    track.poses.push(ensemble.poses(motions, &found.parameters));
    track.amplitudes.push(amplitudes(&ensemble.study.mechanism, motions));
}

/// The first equilibrium of a group, with its title.
fn of_group(ensemble: &SteadyStudy<'_>, outcome: &SteadyOutcome, number: usize) -> Option<(Track, String)> {
    let found = outcome.found.as_ref().ok()?;
    let mut track = Track { instance: outcome.instance, ..Track::default() };
    push(&mut track, ensemble, found, number as f64);
    Some((track, format!("equilibrium {number}: {}", found.vibrations.stability.name())))
}

/// Poses of several groups as those of one.
fn joined(groups: &[(Track, String)]) -> Track {
    let mut all = Track::default();
    for (track, _) in groups {
        all.times.extend(&track.times);
        all.poses.extend(track.poses.iter().cloned());
        all.amplitudes.extend(track.amplitudes.iter().cloned());
    }
    all
}

/// Puts every equilibrium into the first group whose first member is the same.
fn groups(
    ensemble: &SteadyStudy<'_>,
    outcomes: &[SteadyOutcome],
    rows: &mut [SteadyRow],
    same: f64,
) -> Vec<Group> {
    let mut groups: Vec<(Group, &SteadyFound)> = Vec::new();
    for (at, (outcome, row)) in outcomes.iter().zip(rows).enumerate() {
        let Ok(found) = &outcome.found else { continue };
        let steady = ensemble.instance(found);
        let is = |(_, other): &(Group, &SteadyFound)| {
            steady.distance(&other.equilibrium.posture, &found.equilibrium.posture) <= same
        };
        let known = groups.iter().position(is);
        let number = match known {
            Some(number) => number,
            None if groups.len() < MOST_GROUPS => {
                groups.push((Group { first: at, instances: 0 }, found));
                groups.len() - 1
            }
            None => continue,
        };
        groups[number].0.instances += 1;
        row.group = Some(number as u64 + 1);
    }
    groups.into_iter().map(|(group, _)| group).collect()
}

/// The observed columns at the equilibria, one entry an instance; NaN where there is none.
fn observed(ensemble: &SteadyStudy<'_>, outcomes: &[SteadyOutcome]) -> Vec<NumberColumn> {
    let study = ensemble.study;
    let found: Vec<(usize, &SteadyFound)> = outcomes
        .iter()
        .enumerate()
        .filter_map(|(at, outcome)| Some((at, &**outcome.found.as_ref().ok()?)))
        .collect();
    let observer = Observer::new(&ensemble.plan, &study.observe.channels);
    let states: Vec<Vec<f64>> =
        found.iter().map(|(_, found)| ensemble.state(&found.equilibrium.posture)).collect();
    let planes = |width: usize, of: &dyn Fn(usize, usize) -> f64| -> Vec<Vec<f64>> {
        (0..width).map(|c| (0..found.len()).map(|i| of(i, c)).collect()).collect()
    };
    let width = states.first().map_or(0, Vec::len);
    let state_planes = planes(width, &|i, c| states[i][c]);
    let parameter_planes = planes(ensemble.plan.model.parameters(), &|i, p| found[i].1.parameters[p]);
    let mut values = vec![vec![f64::NAN; found.len()]; observer.width()];
    if !found.is_empty() {
        let planes = Planes { states: &state_planes, parameters: &parameter_planes, first: 0 };
        let baselines = Baselines::new(found.len());
        observer.observe_in(&mut observer.rows(), &planes, ensemble.step(), &baselines, &mut values);
    }
    columns(&study.mechanism, &study.observe.channels)
        .into_iter()
        .zip(values)
        .map(|(column, of_found)| {
            let mut values = vec![f64::NAN; outcomes.len()];
            found.iter().zip(of_found).for_each(|((at, _), value)| values[*at] = value);
            NumberColumn {
                name: format!("equilibrium.{}", column.name),
                unit: column.unit.to_string(),
                description: format!("{}; at the equilibrium", column.description),
                values,
            }
        })
        .collect()
}

/// One row a group.
fn group_listing(groups: &[Group], rows: &[SteadyRow]) -> Listing {
    let first = |of: &dyn Fn(&SteadyRow) -> f64| -> Vec<f64> {
        groups.iter().map(|group| of(&rows[group.first])).collect()
    };
    Listing {
        description: "One row a group of equal equilibria.",
        columns: vec![
            Listed::counts("group", "1", "Number of the group.", (1..=groups.len() as u64).collect()),
            Listed::counts(
                "instances",
                "1",
                "Instances in it.",
                groups.iter().map(|group| group.instances).collect(),
            ),
            Listed::counts(
                "first",
                "1",
                "Its first instance, whose numbers follow.",
                groups.iter().map(|group| rows[group.first].instance).collect(),
            )
            .headed("first instance".to_string()),
            Listed::text(
                "stability",
                "Whether small disturbances die away, stay small or grow.",
                groups.iter().map(|group| rows[group.first].stability.to_string()).collect(),
            ),
            Listed::numbers("growth", "1/s", "Largest real part of an eigenvalue.", first(&|row| row.growth)),
            Listed::numbers("slowest", "Hz", "Lowest frequency.", first(&|row| row.slowest)),
            Listed::numbers(
                "moved",
                "1",
                "Displacement from the start, as a share of the extent.",
                first(&|row| row.moved),
            ),
            Listed::counts(
                "steps",
                "1",
                "Steps of the search.",
                groups.iter().map(|group| rows[group.first].steps).collect(),
            ),
            Listed::numbers("residual", "m/s²", "Accelerations that are left.", first(&|row| row.residual)),
        ],
    }
}

/// One row a column.
fn statistics(study: &Study, observed: &[NumberColumn]) -> Listing {
    let finite = |column: &NumberColumn| -> Vec<f64> {
        let known = || column.values.iter().copied().filter(|x| x.is_finite());
        let size = known().fold(0.0, |size: f64, x| size.max(x.abs()));
        // Beside the others, what Newton's method leaves is zero.
        known().map(|x| if x.abs() <= SOLVED * size { 0.0 } else { x }).collect()
    };
    let values: Vec<Vec<f64>> = observed.iter().map(finite).collect();
    let numbers =
        |of: &dyn Fn(&[f64]) -> f64| -> Vec<f64> { values.iter().map(|values| of(values)).collect() };
    let extreme = |values: &[f64], of: fn(f64, f64) -> f64| values.iter().copied().fold(f64::NAN, of);
    let mut columns = vec![
        Listed::text(
            "channel",
            "What is observed.",
            observed.iter().map(|column| column.name.clone()).collect(),
        ),
        Listed::text("unit", "Of the numbers.", observed.iter().map(|column| column.unit.clone()).collect()),
        Listed::counts(
            "count",
            "1",
            "Instances with a number.",
            values.iter().map(|values| values.len() as u64).collect(),
        ),
        Listed::numbers("mean", "1", "Mean.", numbers(&mean)),
        Listed::numbers("std", "1", "Standard deviation.", numbers(&deviation)),
        Listed::numbers("min", "1", "Least.", numbers(&|values| extreme(values, f64::min))),
    ];
    const NAMES: [&str; 9] = ["q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8", "q9"];
    for (name, p) in NAMES.into_iter().zip(&study.observe.quantiles) {
        let column = Listed::numbers(
            name,
            "1",
            format!("Quantile at {p}."),
            numbers(&|values| quantile(&sorted(values), *p)),
        );
        columns.push(column.headed(format!("{} %", 100.0 * p)));
    }
    columns.push(Listed::numbers("max", "1", "Greatest.", numbers(&|values| extreme(values, f64::max))));
    Listing { description: "One row an observed number.", columns }
}
