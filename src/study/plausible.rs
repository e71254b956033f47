//! Numbers that a file may give and that are hardly meant: each kind is told once, with the
//! instance and the number.
//!
//! Notes of the reader come first ([`Mechanism::notes`]): angles beyond a turn that are given
//! without a unit, intervals that are longer than the run, attitudes of few digits. What draws make
//! of a mechanism is looked at here, in instances spread over the ensemble.

use rayon::prelude::*;

use crate::base::{grouped, quantity, significant};
use crate::describe::force::Joins;
use crate::describe::{Body, Decided, Expression, Force, InertiaAbout, Mechanism, Point, Quantity, Study};
use crate::ensemble::{Quantities, Sampler, SamplingError};
use crate::math::inertia::{matrix, of_mass_at};
use crate::math::symmetric::symmetric_eigenvalues;
use crate::model::sample::AFTER_START;
use crate::model::timing::Neighbour;
use crate::model::{Model, NoMechanism};

use super::bending;
use super::jumping::jumps_left_out;
use super::plan::{plan, plan_by_starts};
use super::stable_step::{self, evenly};

/// Most instances that are looked at: a draw and three eigenvalues each.
const MOST_DRAWN: u64 = 1024;
/// Most instances whose bodies are put in their places.
const MOST_PLACED: u64 = 32;
/// Times from the start to the end at which functions of time are looked at.
const LOOKED_AT_TIMES: u64 = 1000;
/// By which share the largest moment of inertia may be above the sum of the others: of a plate by
/// few digits, of a rod whose two moments are drawn one by one.
const SLACK: f64 = 0.1;
/// A length is so many times the median of the others where millimetres were meant and metres were
/// written, or the other way round.
const OUT_OF_PROPORTION: f64 = 300.0;

/// A sentence for every kind of number that is hardly meant.
///
/// # Errors
/// The ensemble cannot be drawn.
pub fn warnings(study: &Study) -> Result<Vec<String>, SamplingError> {
    let sampler = Sampler::new(study)?;
    let drawn = || (vec![0.0; sampler.width()], Quantities::nominal(study));
    // The first instance in which it is so.
    let looked_at: Vec<u64> = looked_at(study, MOST_DRAWN).collect();
    let first = looked_at.into_par_iter().map_init(drawn, |(drawn, quantities), instance| {
        sampler.draw(instance, drawn);
        sampler.apply(drawn, quantities);
        let linked = quantities.linked(&study.mechanism).ok()?;
        let own = linked.as_ref().map_or(&*quantities, |(own, _)| own);
        let (body, moments) = no_body(&study.mechanism, own)?;
        Some((instance, body, moments))
    });
    let first = first.find_first(Option::is_some).flatten();
    let no_body = first.map(|(instance, body, moments)| {
        let [a, b, c] = moments.map(|moment| significant(moment, 4));
        format!(
            "no rigid body has the inertia of `{}` in instance {}: of its principal moments {a}, {b} and {c} \
             kg m^2 the largest is above the sum of the others",
            study.mechanism.bodies[body].name,
            grouped(instance)
        )
    });
    let notes = study.mechanism.notes.0.iter().cloned();
    let found = no_body.into_iter().chain(out_of_proportion(&study.mechanism)).chain(never_sampled(study));
    let starts = starts(study)?;
    // Results of what does not move have a column that says why.
    let invalid = starts.invalid.filter(|_| study.kind.card().steps);
    let jumps = study.kind.card().follows_tangents.then(|| jumps_left_out(study)).flatten();
    let found = notes.chain(found).chain(unused_constants(study)).chain(invalid);
    let found = found.chain(taken_as_continuous(study)).chain(jumps);
    Ok(found.chain(starts.without_direction).collect())
}

/// Faults of the starts of some instances, spread over the ensemble: a sentence each.
#[derive(Default)]
pub struct Starts {
    /// The first instance whose draw describes no mechanism, and why.
    pub invalid: Option<String>,
    /// A force along a line whose points coincide, so that it has no direction.
    pub without_direction: Option<String>,
}

/// Looks at the starts of some instances, each of which is put in its place once.
///
/// # Errors
/// The ensemble cannot be drawn.
pub fn starts(study: &Study) -> Result<Starts, SamplingError> {
    let sampler = Sampler::new(study)?;
    // A study whose nominal mechanism is none is refused elsewhere.
    let Ok(plan) = plan_by_starts(study, &[]) else { return Ok(Starts::default()) };
    let mut drawn = vec![0.0; sampler.width()];
    let mut quantities = Quantities::nominal(study);
    let mut parameters = plan.constants.clone();
    let (mut faults, mut without_direction) = (Vec::new(), None);
    for instance in looked_at(study, MOST_PLACED) {
        sampler.draw(instance, &mut drawn);
        sampler.apply(&drawn, &mut quantities);
        let start = match plan.model.resolve(&quantities, &mut parameters) {
            Ok(start) => start,
            Err(why) => {
                faults.push((instance, why));
                continue;
            }
        };
        let lines = study.mechanism.forces.iter().filter(|force| force.card.joins == Joins::Points);
        let short = |force: &&Force| plan.model.distance(force, &start, &|p| parameters[p]) == Some(0.0);
        let sentence = |force: &Force| {
            format!(
                "the points of the {} `{}` coincide at the start of instance {}: a force along their line \
                 has no direction there. Move one of them",
                force.card.noun,
                force.name,
                grouped(instance)
            )
        };
        without_direction = without_direction.or_else(|| lines.filter(short).map(sentence).next());
    }
    let count = faults.len();
    let invalid = faults.into_iter().next().map(|(instance, why)| {
        let advice = match why {
            NoMechanism::NotAssembled(_) => {
                "draw what the joints leave free, such as the angle of a joint, or say approximate = true \
                 there"
            }
            NoMechanism::NoBody(_) => "draw from a distribution of numbers that the mechanism can have",
            _ => "draw from a narrower distribution",
        };
        let why = Model::explain(&study.mechanism, why);
        let placed = study.ensemble.size.min(MOST_PLACED);
        format!(
            "instance {} is an invalid sample ({count} of the {placed} looked at are): {why}. Advice: \
             {advice}",
            grouped(instance)
        )
    });
    Ok(Starts { invalid, without_direction })
}

/// Sampled signals in a study that follows no samples.
fn taken_as_continuous(study: &Study) -> Option<String> {
    study.kind.steady()?;
    let (k, every) = study.mechanism.sampled_signals().next()?;
    Some(format!(
        "`{}` is sampled every {} s, and a study of kind {} takes such signals as continuous: equilibria are \
         those of the sampled loop, damping and stability are not; a run in time shows these",
        study.mechanism.signals[k].name,
        significant(every, 4),
        study.kind.name()
    ))
}

/// Constants that the study varies and nothing uses.
fn unused_constants(study: &Study) -> Vec<String> {
    let mechanism = &study.mechanism;
    // Constants come first among the numbers of a mechanism.
    let constant = |decided: &Decided| match decided {
        Decided::Quantity(_, Quantity::Number(k), _) => Some(*k).filter(|k| *k < mechanism.constants.len()),
        _ => None,
    };
    // A constant that follows from another one may be used by nothing itself.
    let is_used = |k: usize| {
        let followers: Vec<usize> = mechanism.decided(&[k]).filter_map(constant).chain([k]).collect();
        mechanism.decided(&[k]).any(|decided| constant(decided).is_none())
            || mechanism.expressions().any(|expression| {
                expression.any(&|part| matches!(part, Expression::Constant(own) if followers.contains(own)))
            })
    };
    let varied = study.ensemble.vary.iter().filter_map(|varied| varied.target.number());
    let unused = varied.filter(|k| *k < mechanism.constants.len() && !is_used(*k));
    unused
        .map(|k| {
            format!(
                "nothing uses the constant `{}`, which the study varies: it changes no motion",
                mechanism.constants[k].name
            )
        })
        .collect()
}

/// All that a command warns of before it runs a study, and its report: numbers that are hardly
/// meant, steps that are too long, unless they are still to be chosen, bodies that bend too far.
///
/// # Errors
/// The ensemble cannot be drawn.
pub fn doubts(study: &Study) -> Result<Vec<String>, SamplingError> {
    doubts_with(study, stable_step::warnings(study, study.method.open.is_some_and(|open| open.step))?)
}

/// As [`doubts`], where these are known of its steps.
///
/// # Errors
/// The ensemble cannot be drawn.
pub fn doubts_with(study: &Study, of_steps: Vec<String>) -> Result<Vec<String>, SamplingError> {
    Ok(warnings(study)?.into_iter().chain(of_steps).chain(bending::indefinite(study)).collect())
}

/// So many instances at most, from the first to the last, evenly.
fn looked_at(study: &Study, most: u64) -> impl Iterator<Item = u64> {
    let size = study.ensemble.size;
    let count = size.min(most);
    (0..count).map(move |k| if count == 1 { 0 } else { evenly(k, count - 1, size - 1) })
}

/// A signal that is sampled once in the whole run.
fn never_sampled(study: &Study) -> Option<String> {
    let end = study.method.step * study.method.steps as f64;
    let mut sampled = study.mechanism.sampled_signals().filter(|_| study.kind.card().steps);
    let (signal, every) = sampled.find(|(_, every)| *every > end)?;
    let name = &study.mechanism.signals[signal].name;
    let (every, end) = (significant(every, 4), significant(end, 4));
    Some(format!("`{name}` is sampled every {every} s, which is beyond the end of the run, {end} s"))
}

/// Why no step is short enough, so that no instance comes to its end: a force without direction, a
/// function without value, a body that bends too far.
///
/// # Errors
/// The ensemble cannot be drawn.
pub fn not_advanced(study: &Study) -> Result<Option<String>, SamplingError> {
    let found = starts(study)?.without_direction;
    let found = found.map_or_else(|| without_value(study), |found| Ok(Some(found)))?;
    Ok(found.or_else(|| bending::indefinite(study).into_iter().next()))
}

/// Functions of forces, loads or signals that have no finite value at the start of the first
/// instance, or, where they are of time alone, at one of some times up to the end.
fn without_value(study: &Study) -> Result<Option<String>, SamplingError> {
    let sampler = Sampler::new(study)?;
    let Ok(plan) = plan(study) else { return Ok(None) };
    let model = &plan.model;
    let mut drawn = vec![0.0; sampler.width()];
    let mut quantities = Quantities::nominal(study);
    sampler.draw(0, &mut drawn);
    sampler.apply(&drawn, &mut quantities);
    let mut parameters = plan.constants.clone();
    let Ok(start) = model.resolve(&quantities, &mut parameters) else { return Ok(None) };
    let parameter = |p: usize| parameters[p];
    let memory = model.start_memory(&start, &parameter);
    let acts = |_: usize, span: usize| if model.spans()[span].from <= 0.0 { 1.0 } else { 0.0 };
    let system = model.system(&[AFTER_START], &parameter, &memory, &acts);
    let named = study.mechanism.named_functions();
    let of_outcomes = |function: &Expression| {
        study.mechanism.outcomes.iter().any(|outcome| std::ptr::eq(&raw const outcome.of, function))
    };
    let nowhere = |k: u64| {
        let steps = k as f64 * study.method.steps as f64 / LOOKED_AT_TIMES as f64;
        let lacks = |function: &Expression| {
            !system.function(function, steps, Neighbour::After, &start).is_finite()
                && !of_outcomes(function)
                && (k == 0 || !function.depends_on_motion())
        };
        let mut names: Vec<&str> =
            named.iter().filter(|(_, function)| lacks(function)).map(|(owner, _)| owner.as_str()).collect();
        names.dedup();
        let when = match k {
            0 => "the start of instance 0".to_string(),
            _ => quantity(steps * study.method.step, 4, "s"),
        };
        (!names.is_empty()).then(|| {
            format!(
                "No step is short enough: at {when} the function of the {} has no finite value. Look at its \
                 roots, logarithms and divisions",
                names.join(", and of the ")
            )
        })
    };
    Ok((0..=LOOKED_AT_TIMES).find_map(nowhere))
}

/// The first body whose inertia no body has, with its principal moments (kg m²), ascending.
fn no_body(mechanism: &Mechanism, quantities: &Quantities) -> Option<(usize, [f64; 3])> {
    let nodes = |b: usize| mechanism.beam_of(b).is_some();
    let given = |(b, body): &(usize, &Body)| body.flexible.is_none() && !body.is_point && !nodes(*b);
    mechanism.bodies.iter().enumerate().filter(given).find_map(|(b, body)| {
        let q = &quantities.bodies[b];
        let given = matrix(&q.inertia_in_body());
        let about_centre = match body.inertia_about {
            InertiaAbout::MassCentre => given,
            InertiaAbout::Origin => given - of_mass_at(q.mass, q.centre_of_mass.into()),
        };
        let mut moments: [f64; 3] = symmetric_eigenvalues(about_centre)?.into();
        moments.sort_by(f64::total_cmp);
        let [a, b_, c] = moments;
        // One that is not positive makes an invalid sample.
        (a > 0.0 && c > (a + b_) * (1.0 + SLACK)).then_some((b, moments))
    })
}

/// A length on a body that is far from all others.
fn out_of_proportion(mechanism: &Mechanism) -> Option<String> {
    let joints =
        mechanism.joints.iter().flat_map(|joint| joint.points.iter().map(|point| (&joint.name, *point)));
    let forces =
        mechanism.forces.iter().flat_map(|force| force.points().iter().map(|point| (&force.name, *point)));
    let points = mechanism.points.iter().map(|point| (&point.name, point.point));
    let length = |at: [f64; 3]| at.iter().map(|x| x * x).sum::<f64>().sqrt();
    let on_body = |(name, point): (_, Point)| {
        Some((name, mechanism.bodies[point.body?].name.as_str(), length(point.at)))
    };
    let lengths: Vec<(&String, &str, f64)> =
        joints.chain(forces).chain(points).filter_map(on_body).filter(|(.., length)| *length > 0.0).collect();
    let centres =
        mechanism.bodies.iter().map(|body| length(body.centre_of_mass)).filter(|length| *length > 0.0);
    let mut all: Vec<f64> = lengths.iter().map(|(.., length)| *length).chain(centres).collect();
    all.sort_by(f64::total_cmp);
    // Nobody knows which one of two is meant.
    if all.len() < 3 {
        return None;
    }
    let median = all[all.len() / 2];
    let (name, body, length) = lengths.iter().find(|(.., length)| *length > OUT_OF_PROPORTION * median)?;
    Some(format!(
        "a point of `{name}` is {} m from the origin of `{body}`, and half of all lengths on bodies are {} m \
         or less: check its unit",
        significant(*length, 4),
        significant(median, 4)
    ))
}
