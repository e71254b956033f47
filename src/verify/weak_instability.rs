//! H92 5.1 and 5.2: which of the four steps gain energy, where and how fast.

use rayon::prelude::*;

use super::h92::{FOUR, NUTATION, energy};
use super::measures::top_motion;
use super::{Claim, Context, Criterion, Evidence, Failure, History, Judged, Measured, Says, Trial};
use crate::describe::{Axes, Channel, InertiaAbout, Mechanism};
use crate::math::fit::{rate, slope};
use crate::math::vector::{length, sub};
use crate::study::yardsticks::{fast_top, heavy_top, hulbert51};

/// The report's step (s).
const STEP: f64 = 0.001;

/// Growth that is neither rounding nor an explosion (1/s).
const WEAK: Criterion = Criterion::Between(1e-9, 1e-3);

/// Steps of the body that is spun up, for `end` (s), seen at every `every`-th.
fn spun_up(
    context: &Context<'_>,
    method: &'static str,
    end: f64,
    every: u64,
    channels: &[Channel],
) -> Result<History, Failure> {
    let body = hulbert51(STEP, Axes::Space);
    Trial::new(&body, method, STEP, (end / STEP).round() as u64).every(every).run(context, channels)
}

pub const IDENTICAL: Claim = Claim {
    id: "h92-virtually-identical",
    title: "Simo and Wong's step beside the staggered conserving one",
    says: &[Says {
        report: "H92",
        place: "5.1, figs. 1, 3",
        text: "On the body spun up about its intermediate axis, at 1 ms, the results of Simo and Wong's and of \
                the staggered conserving algorithm are virtually identical.",
    }],
    judged: Judged::Report,
    found: "TO BE MEASURED.",
    condition: None,
    measure: |context| {
        let channels = [Channel::ANGULAR_VELOCITY];
        let runs = ["simo_wong", "staggered_conserving"]
            .par_iter()
            .map(|method| spun_up(context, method, 100.0, 10, &channels))
            .collect::<Result<Vec<_>, Failure>>()?;
        let apart = |until: f64| {
            let seen = (0..=runs[0].last()).filter(|i| runs[0].times[*i] <= until);
            seen.map(|i| length(sub(runs[0].angular_velocity(i), runs[1].angular_velocity(i))))
                .fold(0.0, f64::max)
        };
        let size = (0..=runs[0].last()).map(|i| length(runs[0].angular_velocity(i))).fold(0.0, f64::max);
        Ok(Evidence {
            measured: vec![
                // A hundredth of a figure's height is about the width of a drawn line.
                Measured::new("largest difference of W, of the largest W, 20 s", apart(20.0) / size, "1")
                    .claimed(Criterion::AtMost(0.01)),
                Measured::new("the same, 100 s", apart(100.0) / size, "1"),
            ],
            figures: vec![],
        })
    },
};

pub const BURSTS: Claim = Claim {
    id: "h92-bursts",
    title: "Bursts of energy",
    says: &[Says {
        report: "H92",
        place: "5.1, fig. 4",
        text: "PCD90's algorithm gains energy in bursts, when the e3 component of the convected angular \
                velocity is large.",
    }],
    judged: Judged::Report,
    found: "TO BE MEASURED.",
    condition: None,
    measure: |context| {
        let channels = [Channel::ANGULAR_VELOCITY, Channel::ENERGY];
        let history = spun_up(context, "staggered", 200.0, 1, &channels)?;
        let energy = history.series(Channel::ENERGY, 0, 0);
        let third = history.series(Channel::ANGULAR_VELOCITY, 2, 0);
        // No torque acts from 2 s on.
        let free: Vec<usize> = (0..history.last()).filter(|i| history.times[*i] >= 2.0 + STEP).collect();
        let first = free.first().map_or(f64::NAN, |i| energy[*i]);
        let half = 0.5 * free.iter().map(|i| third[*i].abs()).fold(0.0, f64::max);
        let (high, low): (Vec<usize>, Vec<usize>) = free.iter().partition(|i| third[**i].abs() >= half);
        let rate_of = |steps: &[usize]| {
            let changes = steps.iter().map(|i| (energy[i + 1] - energy[*i]).abs() / first);
            changes.sum::<f64>() / (steps.len() as f64 * STEP)
        };
        let curve: Vec<(f64, f64)> = free.iter().map(|i| (history.times[*i], energy[*i] / first)).collect();
        let share = high.len() as f64 / free.len() as f64;
        Ok(Evidence {
            measured: vec![
                Measured::new("mean energy rate over 200 s", rate(&curve), "1/s").claimed(WEAK),
                Measured::new("time with |W3| above half its largest", share, "1"),
                Measured::new("size of the energy rate there", rate_of(&high), "1/s"),
                Measured::new("size of the energy rate elsewhere", rate_of(&low), "1/s"),
                Measured::new("there, of elsewhere", rate_of(&high) / rate_of(&low), "1")
                    .claimed(Criterion::AtLeast(3.0)),
            ],
            figures: vec![],
        })
    },
};

pub const UNCONDITIONAL: Claim = Claim {
    id: "h92-unconditional",
    title: "The predictor-corrector at small steps",
    says: &[Says {
        report: "H92",
        place: "5.1",
        text: "The energy of the predictor-corrector grows at smaller steps too, which implies that it is \
                unconditionally unstable.",
    }],
    judged: Judged::Report,
    found: "TO BE MEASURED.",
    condition: None,
    measure: |context| {
        let body = hulbert51(0.01, Axes::Space);
        let growth = |h: f64| {
            let trial = Trial::new(&body, "predictor_corrector", h, (100.0 / h).round() as u64).every(10);
            let mut free = trial.run(context, &[Channel::ENERGY])?.curve(Channel::ENERGY, 0);
            free.retain(|(time, _)| *time > 2.1);
            let first = free.first().map_or(f64::NAN, |(_, energy)| *energy);
            Ok((h, rate(&free) / first))
        };
        let steps = vec![0.004, 0.002, 0.001, 0.0005, 0.00025];
        let rates = steps.into_par_iter().map(growth).collect::<Result<Vec<_>, Failure>>()?;
        let mut measured: Vec<Measured> = rates
            .iter()
            .map(|(h, rate)| {
                Measured::new(format!("energy rate, h = {} ms", 1e3 * h), *rate, "1/s")
                    .claimed(Criterion::AtLeast(1e-9))
            })
            .collect();
        measured.push(Measured::new("power of h", slope(&rates), "1").found(Criterion::Between(2.8, 3.2)));
        Ok(Evidence { measured, figures: vec![] })
    },
};

/// The energy error of the fast top by one rule.
fn top_energy(
    context: &Context<'_>,
    method: &'static str,
    rule: Option<&'static str>,
    h: f64,
    end: f64,
) -> Result<Vec<(f64, f64)>, Failure> {
    let trial = Trial::new(&fast_top(), method, h, (end / h).round() as u64).every(7);
    let trial = if let Some(rule) = rule { trial.choosing("impulse", rule) } else { trial };
    Ok(energy(&trial.run(context, &[Channel::ENERGY_DRIFT])?))
}

/// The largest sizes in the first and in the second half of a run.
fn halves(curve: &[(f64, f64)]) -> [f64; 2] {
    let largest = |part: &[(f64, f64)]| part.iter().map(|(_, value)| value.abs()).fold(0.0, f64::max);
    let (first, second) = curve.split_at(curve.len() / 2);
    [largest(first), largest(second)]
}

pub const TOP_PREDICTOR_CORRECTOR: Claim = Claim {
    id: "h92-top-predictor-corrector",
    title: "The predictor-corrector on the fast top",
    says: &[Says {
        report: "H92",
        place: "5.2, fig. 8",
        text: "On the fast top the predictor-corrector is weakly unstable, whichever rule integrates the moment.",
    }],
    judged: Judged::Report,
    found: "TO BE MEASURED.",
    condition: None,
    measure: |context| {
        let rules = vec!["trapezoidal", "midpoint"];
        let of_rule = |rule: &'static str| {
            let at = |h| {
                Ok::<_, Failure>(rate(&top_energy(context, "predictor_corrector", Some(rule), h, 200.0)?))
            };
            let (whole, half) = (at(2.0 * STEP)?, at(STEP)?);
            Ok(vec![
                Measured::new(format!("energy rate, {rule}, h = 2 ms"), whole, "1/s").claimed(WEAK),
                Measured::new(format!("energy rate, {rule}, h = 1 ms"), half, "1/s").claimed(WEAK),
                Measured::new(format!("power of h, {rule}"), (whole / half).abs().log2(), "1")
                    .found(Criterion::Between(2.8, 3.2)),
            ])
        };
        let measured = rules.into_par_iter().map(of_rule).collect::<Result<Vec<_>, Failure>>()?.concat();
        Ok(Evidence { measured, figures: vec![] })
    },
};

pub const TOP_STAGGERED: Claim = Claim {
    id: "h92-top-staggered",
    title: "The two staggered steps on the fast top",
    says: &[Says {
        report: "H92",
        place: "5.2, figs. 9, 10",
        text: "On the fast top the staggered conserving algorithm is stable with both rules, and the midpoint \
                rule is the better; PCD90's algorithm is stable.",
    }],
    judged: Judged::Report,
    found: "TO BE MEASURED.",
    condition: None,
    measure: |context| {
        let runs = vec![
            ("staggered conserving, trapezoidal", "staggered_conserving", Some("trapezoidal")),
            ("staggered conserving, midpoint", "staggered_conserving", Some("midpoint")),
            ("PCD90's step", "staggered", None),
        ];
        let errors = |(label, method, rule): (&'static str, &'static str, Option<&'static str>)| {
            Ok((label, halves(&top_energy(context, method, rule, STEP, 1000.0)?)))
        };
        let errors = runs.into_par_iter().map(errors).collect::<Result<Vec<_>, Failure>>()?;
        let mut measured = Vec::new();
        for (label, [first, second]) in &errors {
            measured.push(Measured::new(format!("{label}: energy error within 500 s"), *first, "1"));
            // Twice is what a growth in proportion to time would give.
            measured.push(
                Measured::new(format!("{label}: 500 s to 1000 s, of that"), second / first, "1")
                    .claimed(Criterion::AtMost(1.5)),
            );
        }
        let both = |k: usize| errors.get(k).map_or(f64::NAN, |(_, [first, second])| first.max(*second));
        measured.push(
            Measured::new("staggered conserving: midpoint of trapezoidal", both(1) / both(0), "1")
                .claimed(Criterion::AtMost(0.5)),
        );
        Ok(Evidence { measured, figures: vec![] })
    },
};

/// The top with the printed moments read as those about the mass centre.
fn top_about_mass_centre() -> Mechanism {
    let half = 0.15f64;
    let attitude = [half.cos(), half.sin(), 0.0, 0.0];
    heavy_top([5.0, 5.0, 1.0], InertiaAbout::MassCentre, attitude, [0.0, 0.0, 50.0])
}

/// Frequency of nutation (rad/s) of [`top_about_mass_centre`], of the reference solution: the report prints none.
const NUTATION_ABOUT_MASS_CENTRE: f64 = 6.301_505_6;

pub const TOP_SHORT: Claim = Claim {
    id: "h92-top-short",
    title: "The fast top over a short time",
    says: &[Says {
        report: "H92",
        place: "5.2, fig. 6",
        text: "Over the short time of the figure the results of the algorithms cannot be told apart; the text \
                gives 0.001 for the step, the caption 0.01. J is said to be about the centre of mass.",
    }],
    judged: Judged::Report,
    found: "TO BE MEASURED.",
    condition: None,
    measure: |context| {
        let channels = [Channel::TILT, Channel::ATTITUDE];
        let mut measured = Vec::new();
        let readings = [
            ("J about the mass centre", top_about_mass_centre(), NUTATION_ABOUT_MASS_CENTRE),
            ("J about the tip", fast_top(), NUTATION),
        ];
        for (label, mechanism, nutation) in readings {
            let run = |method: &'static str, h: f64, end: f64| {
                let trial = Trial::new(&mechanism, method, h, (end / h).round() as u64);
                trial.every((0.01 / h).round() as u64).run(context, &channels)
            };
            let motion =
                top_motion(&Trial::new(&mechanism, "dop853", STEP, 10_000).every(4).run(context, &channels)?);
            let motion = motion.ok_or(Failure::Missing("two nutations"))?;
            measured.push(
                Measured::new(format!("nutation, {label}"), motion.nutation, "rad/s")
                    .found(Criterion::Near(nutation, 1e-6)),
            );
            for (h, at) in [(STEP, "1 ms"), (0.01, "10 ms")] {
                let runs = FOUR
                    .par_iter()
                    .map(|(method, _)| run(method, h, 2.0))
                    .collect::<Result<Vec<_>, Failure>>()?;
                let tilts: Vec<&[f64]> =
                    runs.iter().map(|history| history.series(Channel::TILT, 0, 0)).collect();
                let spread = (0..=runs[0].last()).map(|i| {
                    let now = tilts.iter().filter_map(|tilt| tilt.get(i)).copied();
                    now.clone().fold(f64::NEG_INFINITY, f64::max) - now.fold(f64::INFINITY, f64::min)
                });
                let share = spread.fold(0.0, f64::max) / (motion.highest - 0.3);
                let name = format!("largest difference of theta, of its range, {label}, h = {at}");
                let share = Measured::new(name, share, "1");
                // A line is as wide as a hundredth of a figure; the text's step is the one that the claim is about.
                measured.push(if h == STEP { share.claimed(Criterion::AtMost(0.02)) } else { share });
            }
        }
        Ok(Evidence { measured, figures: vec![] })
    },
};
