//! Why the error of a run is as large as it is, and what makes it smaller. Half the step, f64,
//! joints held otherwise, steps of each instance's own are tried on the judged instances with the
//! largest errors: what is advised has been tried, with what it leaves.

use super::errors::Errors;
use super::{Judge, NOT_KNOWN, STATISTICAL, allowed_error, shorter};
use crate::base::{Key, Options, Precision, Setting, quantity, significant};
use crate::describe::{Constraints, Study};
use crate::methods::{AnyMethod, RESYNCHRONISED, cards, chooses_steps, own_steps, tolerances};
use crate::observe::channels::Registered;
use crate::output::MeanBias;
use crate::study::converged::{CODE, ConvergedRun, Course, OF_AN_IMPLICIT_STEP, Ready, bends, by_own_steps};
use crate::study::run_error::RunError;
use crate::study::spread::median;
use crate::study::stable_step;
use crate::treatments::{self, AnyTreatment};

/// An error that falls by less than this with half the step does not fall with the step.
const FALLS: f64 = 1.4;
/// Errors so many times larger than asked, which half the step leaves as they are where it made
/// smaller ones less, have been magnified by chaos, where neighbours part too.
const CHAOTIC: f64 = 100.0;
/// Where rounding decides, two runs are apart by this share of their errors at least.
const AS_FAR: f64 = 0.3;
/// Steps that are tried before one is advised.
const MOST_GUESSES: usize = 4;
/// The order with which outcomes are found between steps, and with which loads that change fast are
/// met.
const OF_OUTCOMES: f64 = 3.0;
const OF_LOADS: f64 = 2.0;
/// Where errors do not fall with the step, own steps are tried to this tolerance, as a share of the
/// error asked.
const OF_KINKS: f64 = 1e-3;
/// Advice leaves no more than this share of the error asked: it was tried on few instances, and
/// others may err by more then.
const MARGIN: f64 = 0.5;

/// The errors that half the step leaves, and by how much they have fallen until they become too
/// large.
struct Halved {
    errors: Errors,
    falls: f64,
    /// The first snapshot at which the errors of the run are too large.
    beyond: usize,
    /// The run's own errors there.
    before: f64,
}

type Reason = (&'static str, String);

/// A run and that over half its steps agree where they are apart by this share of their errors at
/// most.
const AGREE: f64 = 0.1;

impl Judge<'_> {
    /// Why the errors are as large as they are, and what to set.
    pub(super) fn reason(
        &self,
        course: &Course,
        errors: &Errors,
        own: f64,
        allowed: f64,
    ) -> Result<Reason, RunError> {
        let is_double = !self.study.run.precision.is_single();
        if is_double && self.rounding_decides(self.study, errors)? {
            return Ok(self.of_chaos(allowed));
        }
        if chooses_steps(self.study.method.name, &self.study.method.options) {
            return self.of_tolerances(errors, own);
        }
        // One machine code serves all steps: in double precision that of the second look.
        let mut opened = self.look.code.take().filter(|_| is_double);
        let mut double = self.study.clone();
        double.run.precision = Precision::F64;
        let beyond = errors.by_time.iter().position(|share| share.is_nan() || *share > allowed);
        let beyond = beyond.unwrap_or(errors.by_time.len().saturating_sub(1));
        let mut before = until(errors, beyond);
        if !is_double {
            let Some(found) = self.again(&double, &mut opened)? else { return Ok(self.no_operations()) };
            if until(&found, beyond) <= allowed || until(&found, beyond) < before / 3.0 {
                let left = found.size() + own;
                return Ok(("precision", self.advice(&double, left)));
            }
            if self.rounding_decides(&double, &found)? {
                return Ok(self.of_chaos(allowed));
            }
            before = until(&found, beyond);
        }
        // A load that changes within a step is missed by half the step too.
        let shortest = self.known.met;
        if shortest < self.study.method.step
            && let Some((tried, left)) = self.short_enough(shortest, OF_LOADS, &double, &mut opened, own)?
            && left <= MARGIN * allowed
        {
            let why = format!(": a function of time changes within {}", quantity(shortest, 2, "s"));
            return Ok(("step", self.advice(&tried, left) + &why));
        }
        let Some(half) = self.course(&shorter(&double, 2), &mut opened)? else {
            return Ok(self.no_operations());
        };
        let (of_half, apart) = (self.errors(&half), Errors::of(course, &half, &self.exact.scales));
        let halved = until(&of_half, beyond);
        let falls = before / halved;
        let left_by_half = of_half.size();
        let halved = Halved { errors: of_half, falls, beyond, before };
        if falls >= FALLS || (before.is_infinite() && halved.errors.stopped == 0) {
            return self.of_step(errors, &halved, &double, opened, own);
        }
        if let Some(advice) = self.between_steps(errors, &double, &mut opened, own)? {
            return Ok(("step", advice));
        }
        Ok(match self.of_what_is_held(&double, errors, own)? {
            Some((_, reason)) => reason,
            None if apart.size() < AGREE * errors.size() => (NOT_KNOWN, self.of_doubt(errors, &apart)),
            None => {
                let left = significant(left_by_half, 2);
                let advice = format!(
                    "Half the step leaves {left} of the scale, and what else was tried hardly less: judge \
                     statistics."
                );
                ("not found", advice)
            }
        })
    }

    /// An outcome whose condition comes and goes within a step is missed by half the step too: what
    /// steps that are short enough leave; `None`: the largest error is of no outcome, or none that
    /// was tried helps.
    fn between_steps(
        &self,
        errors: &Errors,
        double: &Study,
        opened: &mut Option<Ready>,
        own: f64,
    ) -> Result<Option<String>, RunError> {
        let columns = &self.exact.course.columns;
        if !errors.at.is_some_and(|(_, c, _)| columns[c].channel.is_of_the_end()) {
            return Ok(None);
        }
        let tried = self.short_enough(0.25 * double.method.step, OF_OUTCOMES, double, opened, own)?;
        let helps = tried.filter(|(_, left)| *left < errors.size() / FALLS);
        Ok(helps.map(|(tried, left)| {
            self.advice(&tried, left) + ": an outcome does not see what comes and goes within a step"
        }))
    }

    /// Whether the errors of this study are those of rounding: where neighbours of the accurate
    /// solution part, two runs that differ by rounding alone are as far apart as both are from it.
    fn rounding_decides(&self, study: &Study, errors: &Errors) -> Result<bool, RunError> {
        if !self.exact.is_chaotic() {
            return Ok(false);
        }
        let mut opened = None;
        let Some(run) = self.course(study, &mut opened)? else { return Ok(false) };
        opened.iter_mut().for_each(Ready::part);
        let Some(neighbours) = self.course(study, &mut opened)? else { return Ok(false) };
        let apart = Errors::of(&neighbours, &run, &self.exact.scales);
        Ok(apart.largest > AS_FAR * errors.largest)
    }

    /// Neighbours part, and the accurate solution is known up to some time alone.
    pub(super) fn of_chaos(&self, allowed: f64) -> Reason {
        let until = self.exact.known_until(allowed);
        let all = significant(until.iter().copied().fold(f64::INFINITY, f64::min), 3);
        let half = significant(median(&until), 3);
        let advice = format!(
            "neighbours that differ by rounding part: the accurate solution knows all instances until {all} \
             s, half of them until {half} s; judge statistics, or end sooner"
        );
        ("chaos", advice)
    }

    /// The accurate solution itself is not known well enough.
    pub(super) fn of_what_is_not_known(&self, own: f64, allowed: f64) -> String {
        let advice = match self.exact.parts(own) {
            true => self.of_chaos(allowed).1,
            false => format!("allow more: accuracy.share = {}", self.larger_share()),
        };
        format!(
            "The most accurate solution to judge by is off by {} of the scale itself ({} allowed); {advice}",
            significant(own, 1),
            significant(allowed, 6)
        )
    }

    /// The run and that over half its steps agree with each other, and not with the accurate
    /// solution.
    fn of_doubt(&self, errors: &Errors, apart: &Errors) -> String {
        format!(
            "Half the step changes the run by {} of the scale, and the most accurate solution to judge by \
             differs by {}; allow more: accuracy.share = {}",
            significant(apart.largest, 1),
            significant(errors.largest, 1),
            self.larger_share()
        )
    }

    /// Ten times the share of operations that was allowed.
    fn larger_share(&self) -> f64 {
        nice(10.0 * self.study.accuracy.share.unwrap_or(super::SHARE))
    }

    fn no_operations(&self) -> Reason {
        (
            "not found",
            format!(
                "to find out what to set, allow more operations: accuracy.share = {}",
                self.larger_share()
            ),
        )
    }

    /// The error falls with the step.
    fn of_step(
        &self,
        errors: &Errors,
        halved: &Halved,
        double: &Study,
        mut opened: Option<Ready>,
        own: f64,
    ) -> Result<Reason, RunError> {
        let (study, allowed, h) = (self.study, allowed_error(self.study), self.study.method.step);
        let of_half = &halved.errors;
        let still = errors.largest > CHAOTIC * allowed && of_half.largest * FALLS > errors.largest;
        let is_whole = errors.stopped + of_half.stopped == 0;
        if still && halved.beyond + 1 < errors.by_time.len() && is_whole && self.exact.is_chaotic() {
            return Ok(("chaos", self.until_when(halved.beyond, of_half, allowed)));
        }
        let order = halved.falls.log2().clamp(0.7, 8.0);
        let left = of_half.largest.max(until(of_half, halved.beyond));
        let left = if left.is_finite() { left } else { halved.before.min(1.0) };
        let guess = 0.5 * h * (MARGIN * allowed / (1.2 * left)).powf(1.0 / order).min(1.0);
        let stiff = stable_step::nominal(study).filter(|stiffness| h > 0.5 * stiffness.longest);
        let reason = if stiff.is_some() { "stiffness" } else { "step" };
        let bounded = stiff
            .map(|stiffness| format!(": steps are stable up to {}", quantity(stiffness.longest, 2, "s")));
        let advice = match self.short_enough(guess, order, double, &mut opened, own)? {
            Some((tried, left)) if left <= MARGIN * allowed => self.advice(&tried, left),
            // Where steps have to be so short, those of each instance's own may serve.
            closest => match (self.of_what_is_held(double, errors, own)?, closest) {
                (Some((held, (_, advice))), closest)
                    if closest.as_ref().is_none_or(|(_, left)| held < *left) =>
                {
                    return Ok((reason, advice));
                }
                (_, Some((tried, left))) => self.advice(&tried, left),
                (_, None) => self.no_operations().1,
            },
        };
        Ok((reason, advice + &bounded.unwrap_or_default()))
    }

    /// Other ways to hold joints and to meet kinks, tried one after the other, with what the best
    /// leaves; `None`: none makes the error smaller.
    fn of_what_is_held(
        &self,
        double: &Study,
        errors: &Errors,
        own: f64,
    ) -> Result<Option<(f64, Reason)>, RunError> {
        let allowed = allowed_error(self.study);
        let is_constrained = double.mechanism.is_held();
        let constraints = &double.constraints;
        let takes_any = AnyMethod::new(double.method.name, &double.method.options)
            .is_some_and(|method| !method.card().takes.carries());
        let mut ways: Vec<(&'static str, Study)> = Vec::new();
        if is_constrained && constraints.project != 1 {
            let mut projected = double.clone();
            projected.constraints.project = 1;
            ways.push(("constraints", projected));
        }
        if is_constrained && takes_any && constraints.treatment != treatments::EXACT.name {
            let mut exact = double.clone();
            exact.constraints =
                Constraints { treatment: treatments::EXACT.name, options: Options::default(), project: 1 };
            ways.push(("constraints", exact));
        }
        if !double.kind.card().wants_program {
            let tolerance = nice(OF_KINKS * allowed).max(own_steps::RANGE.0);
            let outcomes = self.exact.course.columns.iter().any(|column| column.channel.is_of_the_end());
            let longest = if outcomes { 1 } else { u64::MAX };
            ways.push(("step", by_own_steps(double, self.known, tolerance, longest)));
        }
        // Where forces bend, the steps that end there come first: the accurate solution is by
        // these, and the other ways have machine code of their own.
        if bends(double) {
            ways.reverse();
        }
        let mut best: Option<(f64, Reason)> = None;
        let mut all_tried = true;
        for (reason, study) in ways {
            let takes_own = chooses_steps(study.method.name, &study.method.options);
            let mut opened = if takes_own { self.own_steps.take() } else { None };
            let Some(found) = self.again(&study, &mut opened)? else {
                all_tried = false;
                continue;
            };
            let left = found.size() + own;
            if best.as_ref().is_none_or(|(least, _)| left < *least) {
                best = Some((left, (reason, self.advice(&study, left))));
            }
            if left <= MARGIN * allowed {
                break;
            }
        }
        let helps = best.filter(|(left, _)| *left < errors.size() / FALLS);
        Ok(helps.or_else(|| (!all_tried).then(|| (f64::INFINITY, self.no_operations()))))
    }

    /// Why the errors of steps that instances choose are as large as this, and what to set: f64
    /// where that is enough, else tolerances that were tried and are small enough.
    fn of_tolerances(&self, errors: &Errors, own: f64) -> Result<Reason, RunError> {
        let (study, asked) = (self.study, allowed_error(self.study));
        let error = errors.size();
        let set = tolerances(study.method.name, &study.method.options);
        let given = set.iter().map(|(_, tolerance)| *tolerance).fold(f64::INFINITY, f64::min);
        let is_single = study.run.precision.is_single();
        let reason =
            |precision: Precision| if precision == study.run.precision { "step" } else { "precision" };
        // Where instances stop, no error tells how much tighter.
        let next = |tolerance: f64, error: f64| {
            let share = if error.is_finite() { (0.2 * asked / error).clamp(1e-3, 0.5) } else { 0.01 };
            nice(tolerance * share).max(own_steps::RANGE.0)
        };
        let first = (study.run.precision, next(given, error));
        let trials = match is_single {
            true => vec![(Precision::F64, given), first, (Precision::F64, first.1)],
            false => vec![first],
        };
        let mut best: Option<(f64, Study)> = None;
        let mut opened = self.look.code.take();
        for (precision, mut tolerance) in trials {
            for _ in 0..MOST_GUESSES {
                let mut tried = tightened(study, tolerance);
                tried.run.precision = precision;
                let Some(found) = self.again(&tried, &mut opened)? else { break };
                let (now, left) = (found.size(), found.size() + own);
                if left <= MARGIN * asked {
                    return Ok((reason(precision), self.advice(&tried, left)));
                }
                if best.as_ref().is_none_or(|(least, _)| now < *least) {
                    best = Some((now, tried));
                }
                let tighter = next(tolerance, now);
                if tighter >= tolerance || tolerance == given {
                    break;
                }
                tolerance = tighter;
            }
        }
        Ok(match best {
            None => self.no_operations(),
            Some((least, tried)) if least < error / FALLS => {
                (reason(tried.run.precision), self.advice(&tried, least + own))
            }
            Some(_) if error.is_infinite() => (
                "step",
                "with tighter tolerances instances stop too: look at one by `polhode replay`".to_string(),
            ),
            // Steps of the study bound the own ones, and outcomes are found between them.
            Some((least, tighter)) => {
                match self.short_enough(0.25 * study.method.step, OF_OUTCOMES, study, &mut opened, own)? {
                    None => self.no_operations(),
                    Some((tried, left)) if left <= MARGIN * asked || left < error / FALLS => {
                        ("step", self.advice(&tried, left))
                    }
                    Some((tried, left)) => {
                        let by = |tried: &Study, left: f64| match left.is_finite() {
                            true => format!("{} leaves {}", settings(study, tried), significant(left, 2)),
                            false => format!("{} stops instances", settings(study, tried)),
                        };
                        let (tighter, shorter) = (by(&tighter, least + own), by(&tried, left));
                        ("not found", format!("{tighter}, and {shorter}: judge statistics"))
                    }
                }
            }
        })
    }

    /// The errors of another study of the same instances; `None`: too few operations are left.
    /// `opened` serves several steps of one study.
    fn again(&self, changed: &Study, opened: &mut Option<Ready>) -> Result<Option<Errors>, RunError> {
        Ok(self.course(changed, opened)?.map(|course| self.errors(&course)))
    }

    /// The judged instances by another study.
    fn course(&self, changed: &Study, opened: &mut Option<Ready>) -> Result<Option<Course>, RunError> {
        let instances = &self.exact.course.instances;
        let converged = ConvergedRun {
            asked: self.study,
            known: Some(self.known),
            amends: true,
            instances,
            channels: self.channels,
            deadline: self.deadline,
            interrupted: self.interrupted,
        };
        let mut code = 0.0;
        let places: Vec<usize> = (0..instances.len()).collect();
        let serves =
            |ready: &mut Ready| ready.turned(changed) && converged.has_drawn(ready, changed, &places);
        if !opened.as_mut().is_some_and(serves) {
            let ready = converged.ready(changed)?;
            code = CODE * ready.of_a_step;
            *opened = Some(ready);
        }
        let Some(ready) = opened else { return Ok(None) };
        let each = if ready.plan.method.is_adaptive() { OF_AN_IMPLICIT_STEP } else { ready.of_a_step };
        let left = self.left.get() - code - each * changed.method.steps as f64 * instances.len() as f64;
        if left < 0.0 {
            return Ok(None);
        }
        self.left.set(left);
        converged.run(ready)
    }

    /// From a first guess to a step (s) whose error was measured to be as small as was asked: the
    /// last study that was tried, and what it leaves; `None`: there were too few operations.
    fn short_enough(
        &self,
        guess: f64,
        order: f64,
        double: &Study,
        opened: &mut Option<Ready>,
        own: f64,
    ) -> Result<Option<(Study, f64)>, RunError> {
        let (asked, h, mut step) = (allowed_error(self.study), double.method.step, guess);
        let mut last = None;
        for _ in 0..MOST_GUESSES {
            let tried = shorter(double, pieces(h / step));
            let Some(errors) = self.again(&tried, opened)? else { break };
            let (shortened, left) = (tried.method.step, errors.size() + own);
            last = Some((tried, left));
            if left <= MARGIN * asked {
                break;
            }
            let share = (MARGIN * asked / (1.2 * left)).powf(1.0 / order);
            step = shortened * if share.is_finite() { share.clamp(0.01, 0.9) } else { 0.5 };
        }
        Ok(last)
    }

    /// A study that was tried, in words, and what it leaves.
    fn advice(&self, tried: &Study, left: f64) -> String {
        let away = self.taken_away(tried);
        let away = match away.split_last() {
            None => String::new(),
            Some((last, [])) => format!(", and unset {last}"),
            Some((last, others)) => format!(", and unset {} and {last}", others.join(", ")),
        };
        format!("set {}{away}{}", settings(self.study, tried), leaves(left, allowed_error(self.study)))
    }

    /// Keys of the run that the method or the treatment of the study that was tried does not have:
    /// a file that gives them is refused with it. Those at their default are in no file, or its
    /// reader names them.
    fn taken_away(&self, tried: &Study) -> Vec<String> {
        let (run, own) = (self.study, &self.study.method);
        let given = |keys: &'static [Key], options: &Options| -> Vec<&'static str> {
            let is_default = |(name, value): &(&'static str, &Setting)| {
                keys.iter().any(|key| key.name == *name && key.kind.default().as_ref() == Some(*value))
            };
            options.iter().filter(|pair| !is_default(pair)).map(|(name, _)| name).collect()
        };
        let mut away = Vec::new();
        let cards = [own, &tried.method].map(|method| cards().iter().find(|card| card.name == method.name));
        if let ([Some(before), Some(after)], false) = (cards, own.chosen) {
            if before.resynchronises && !after.resynchronises && own.resynchronise != RESYNCHRONISED {
                away.push("method.resynchronise".to_string());
            }
            let lacks = |name: &&str| {
                after.keys.iter().all(|key| key.name != *name) && tried.method.options.get(name).is_none()
            };
            let keys = given(before.keys, &own.options).into_iter().filter(lacks);
            away.extend(keys.map(|name| format!("method.{name}")));
        }
        let [before, after] = [&run.constraints, &tried.constraints];
        if let [Some(of_run), Some(of_tried)] = [before, after].map(|constraints| {
            AnyTreatment::new(constraints.treatment, &constraints.options).map(|treatment| treatment.card())
        }) {
            let lacks = |name: &&str| of_tried.keys.iter().all(|key| key.name != *name);
            let keys = given(of_run.keys, &before.options).into_iter().filter(lacks);
            away.extend(keys.map(|name| format!("constraints.{name}")));
        }
        away
    }

    /// Until when instances can be trusted, where half the step does not carry them to the end.
    fn until_when(&self, beyond: usize, of_half: &Errors, allowed: f64) -> String {
        let times = &self.exact.course.times;
        let time = |k: usize| times.get(k).copied().unwrap_or(f64::INFINITY);
        let longer = of_half.by_time.iter().position(|share| *share > allowed).unwrap_or(times.len());
        if beyond.max(longer) <= 1 {
            return format!(
                "all is lost before the first snapshot at {} s, with half the step too: judge statistics, or \
                 observe and end sooner",
                significant(time(1), 5)
            );
        }
        let last = |first_off: usize| time(first_off.saturating_sub(1));
        format!(
            "half the step is right to {} s, this one to {} s: judge statistics, or end sooner",
            significant(last(longer), 5),
            significant(last(beyond), 5)
        )
    }
}

/// Why the bias of a mean counts, as so many judged instances show it, and what to set: a bias
/// falls as errors do.
pub(super) fn reason_of_bias(study: &Study, bias: &MeanBias, judged: u64) -> (String, String) {
    let method = &study.method;
    if bias.bias.abs() <= STATISTICAL * bias.standard_error && bias.interval > bias.bias.abs() {
        return ("not known".to_string(), format!("{judged} instances do not show a smaller bias"));
    }
    let order = AnyMethod::new(method.name, &method.options).map_or(1, |method| method.order());
    let share = STATISTICAL / (1.5 * bias.ratio());
    let tried = match tolerances(method.name, &method.options).first() {
        None => {
            let pieces = share.powf(-1.0 / f64::from(order.max(1))).ceil();
            shorter(study, pieces.max(2.0) as u64)
        }
        Some((_, tolerance)) => tightened(study, nice(share.min(0.5) * tolerance)),
    };
    ("step".to_string(), format!("try {}", settings(study, &tried)))
}

/// The settings by which a study differs from that which was run, as they are given; and all of
/// a method that was chosen, which no file names.
fn settings(run: &Study, tried: &Study) -> String {
    let own = &run.method;
    let chosen = own.chosen;
    let mut set = Vec::new();
    if tried.run.precision != run.run.precision {
        set.push(format!("run.precision = \"{}\"", tried.run.precision.name()));
    }
    if chosen || tried.method.name != own.name {
        set.push(format!("method.name = \"{}\"", tried.method.name));
    }
    if run.mechanism.is_held() {
        let (before, constraints) = (&run.constraints, &tried.constraints);
        if chosen || constraints.treatment != before.treatment {
            set.push(format!("constraints.treatment = \"{}\"", constraints.treatment));
        }
        if chosen || constraints.project != before.project {
            set.push(format!("constraints.project = {}", constraints.project));
        }
    }
    let before = tolerances(own.name, &own.options);
    let by_tolerance: Vec<String> = tolerances(tried.method.name, &tried.method.options)
        .into_iter()
        .filter(|pair| chosen || !before.contains(pair))
        .map(|(key, tolerance)| format!("method.{key} = {tolerance:e}"))
        .collect();
    set.extend(by_tolerance);
    set.extend((chosen || tried.method.step != own.step).then(|| {
        // A quotient's last digit is rounded.
        let step = format!("{:.14e}", tried.method.step).parse().unwrap_or(tried.method.step);
        format!("method.step = \"{step:?} s\"")
    }));
    set.join(" and ")
}

/// The largest share up to this snapshot: later, chaos may have taken all errors to the same size.
/// Infinite where instances stopped.
fn until(errors: &Errors, beyond: usize) -> f64 {
    match errors.stopped {
        0 => errors.by_time.iter().take(beyond + 1).copied().fold(0.0, f64::max),
        _ => f64::INFINITY,
    }
}

/// The error that a setting leaves, in words.
fn leaves(left: f64, allowed: f64) -> String {
    let enough = if left <= allowed { "" } else { ", more than asked" };
    if left.is_finite() { format!(", which leaves {}{enough}", significant(left, 2)) } else { String::new() }
}

/// The study with this for all tolerances of its method.
fn tightened(study: &Study, tolerance: f64) -> Study {
    let mut tried = study.clone();
    for (key, _) in tolerances(study.method.name, &study.method.options) {
        let options = std::mem::take(&mut tried.method.options);
        tried.method.options = options.with(key, Setting::Number(tolerance));
    }
    tried
}

/// Into how many pieces a step is cut that is so many times too long: 1, 2 and 5 times a power of
/// ten, so that people can read the step.
fn pieces(times: f64) -> u64 {
    let most = (1.0 / nice(1.0 / times.max(1.0))).round();
    most.min(u32::MAX.into()) as u64
}

/// The next smaller of 1, 2 and 5 times a power of ten.
fn nice(x: f64) -> f64 {
    if !(x.is_finite() && x > 0.0) {
        return x;
    }
    let exponent = x.log10().floor();
    let part = x / 10f64.powf(exponent);
    let leading = if part >= 5.0 {
        5
    } else if part >= 2.0 {
        2
    } else {
        1
    };
    // Not a product, whose last digit is rounded.
    format!("{leading}e{exponent}").parse().unwrap_or(x)
}
