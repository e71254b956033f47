//! H92: explicit momentum conserving steps, and its two examples.

use rayon::prelude::*;

use super::measures::{accurate_at, azimuth, error, largest_so_far, top_motion};
use super::{Claim, Context, Criterion, Evidence, Failure, History, Judged, Measured, Says, Trial};
use polhode::describe::{Axes, Channel, InertiaAbout, Mechanism, Support};
use polhode::math::fit::{rate, slope};
use polhode::math::quaternion::to_space;
use polhode::math::vector::length;
use polhode::methods::State;
use polhode::model::{BodyParameter, all_channels, motions};
use polhode::observe::channels;
use polhode::output::figures::{Curve, Figure, PlottedQuantity};
use polhode::reference::{Instance, accurate};
use polhode::study::yardsticks::{fast_top, free_body, heavy_top, hulbert51};

/// The methods that carry the angular momentum.
const CONSERVING: [&str; 3] = ["simo_wong", "predictor_corrector", "staggered_conserving"];

/// The four methods compared: PCD90's step, and H92's three.
pub(super) const FOUR: [(&str, &str); 4] = [
    ("staggered", "staggered (PCD90)"),
    ("simo_wong", "Simo-Wong"),
    ("predictor_corrector", "predictor-corrector"),
    ("staggered_conserving", "staggered conserving"),
];

fn tumbling() -> Mechanism {
    free_body([5.0, 10.0, 1.0], [0.8, 0.2, -0.4, 0.4], [1.0, 0.5, 2.0])
}

/// Steps of the runs that are long.
fn many(context: &Context<'_>) -> u64 {
    if context.long { 1_000_000 } else { 100_000 }
}

pub const MOMENTUM: Claim = Claim {
    id: "h92-momentum",
    title: "Angular momentum of the conserving methods",
    says: &[Says {
        report: "H92",
        place: "4.2-4.4, 5.1",
        text: "Where no torque acts, the three algorithms conserve the angular momentum identically.",
    }],
    judged: Judged::Report,
    found: "Carried as state, it is kept to 1e-12 over 10^5 torque-free steps (10^6 with --long) in f64. The \
            body is ours.",
    condition: None,
    measure: |context| Ok(Evidence { measured: momentum_drifts(context, false, 1e-12)?, figures: vec![] }),
};

pub const MOMENTUM_SINGLE: Claim = Claim {
    id: "single-precision-drift",
    title: "Angular momentum in single precision",
    says: &[],
    judged: Judged::Finding,
    found: "The carried momentum loses at most 7e-7 of itself over 10^5 torque-free steps (10^6 with \
            --long), and no more with the number of steps: the rounding of what is stored.",
    condition: None,
    measure: |context| Ok(Evidence { measured: momentum_drifts(context, true, 1e-6)?, figures: vec![] }),
};

/// The largest |H - H0| / |H0| of the three methods at snapshots every 1000 steps, H = Lam J w in
/// f64 from what was stored.
fn momentum_drifts(context: &Context<'_>, single: bool, bound: f64) -> Result<Vec<Measured>, Failure> {
    let steps = many(context);
    let drift = |name: &&'static str| {
        let trial = Trial::new(&tumbling(), name, 0.005, steps).every(1000);
        let trial = if single { trial.single() } else { trial };
        let drift = trial.run(context, &[channels::ANGULAR_MOMENTUM_DRIFT])?;
        let precision = if single { "f32" } else { "f64" };
        let name = format!("momentum drift, {name}, {precision}, {steps} steps");
        let measured = Measured::new(name, drift.largest(channels::ANGULAR_MOMENTUM_DRIFT), "1");
        Ok(measured.claimed(Criterion::AtMost(bound)))
    };
    CONSERVING.par_iter().map(drift).collect()
}

pub const MOMENTUM_RECOMPUTED: Claim = Claim {
    id: "h92-momentum-recomputed",
    title: "Angular momentum computed anew at every step",
    says: &[Says {
        report: "H92",
        place: "(44), (47)",
        text: "The momentum before a step is Lam_n J W_n, from attitude and angular velocity; it \
                is conserved where no torque acts.",
    }],
    judged: Judged::Finding,
    found: "Computed anew by Simo and Wong's step in single precision, the momentum of the free body loses \
            some 1e-7 of itself a step (0.3e-7 to 3e-7) over 10^5 steps (10^6 with --long). Carried as \
            state, it stays within 1e-5.",
    condition: None,
    measure: |context| {
        let steps = many(context);
        let trial = Trial::new(&tumbling(), "simo_wong", 0.005, steps).every(1000).single();
        let carried = trial
            .run(context, &[channels::ANGULAR_MOMENTUM_DRIFT])?
            .largest(channels::ANGULAR_MOMENTUM_DRIFT);
        let recomputed = recomputed(&trial, steps)?;
        Ok(Evidence {
            measured: vec![
                Measured::new(format!("momentum drift recomputed, {steps} steps"), recomputed, "1"),
                Measured::new("the same a step", recomputed / steps as f64, "1")
                    .claimed(Criterion::Between(0.3e-7, 3e-7)),
                Measured::new(format!("momentum drift carried, {steps} steps"), carried, "1")
                    .claimed(Criterion::AtMost(1e-5)),
            ],
            figures: vec![],
        })
    },
};

/// |pi - pi0| / |pi0| at the end of a trial of Simo and Wong's method in f32, one instance, its
/// momentum recomputed from attitude and angular velocity before every step.
fn recomputed(trial: &Trial, steps: u64) -> Result<f64, Failure> {
    let plan = trial.plan()?;
    let mut numbers = plan.constants.clone();
    let start = plan.model.resolve(&trial.nominal(), &mut numbers).map_err(|_| Failure::NoBody)?;
    let parameter = |p: usize| numbers[p] as f32;
    // No load acts.
    let system = plan.model.system(&plan.schedule.samples, &parameter, &[], &|_, _| 0.0);
    let start: Vec<f32> = all_channels(&start).into_iter().map(|x| x as f32).collect();
    let start = motions(&[0], &start);
    let momentum = |state: &State<f32>| {
        let inertia: [f64; 3] = std::array::from_fn(|k| numbers[BodyParameter::INERTIA + k]);
        let w = state.motions[0].w.map(f64::from);
        to_space(state.motions[0].q.map(f64::from), std::array::from_fn(|k| inertia[k] * w[k]))
    };
    let mut state = State { carried: plan.method.recorded().begin(&system, &start), motions: start };
    let first = momentum(&state);
    for _ in 0..steps {
        let begun = plan.method.recorded().begin(&system, &state.motions);
        state.carried[..3].copy_from_slice(&begun[..3]);
        state = plan.method.recorded().step(&system, &state);
    }
    let last = momentum(&state);
    Ok(length(std::array::from_fn(|k| last[k] - first[k])) / length(first))
}

/// Energy of the first instance relative to its start, over time.
pub(super) fn energy(history: &History) -> Vec<(f64, f64)> {
    history.curve(channels::ENERGY_DRIFT, 0)
}

pub const SIMO_WONG_IMPULSE: Claim = Claim {
    id: "h92-simo-wong-impulse",
    title: "Impulse of Simo and Wong's step",
    says: &[Says {
        report: "H92",
        place: "5.2, 6, fig. 7",
        text: "On the fast top, Simo and Wong's algorithm is unstable with the midpoint impulse; \
                otherwise it avoids weak instabilities.",
    }],
    judged: Judged::Report,
    found: "With the report's data, J about the tip, the energy grows at a rate as h³ with the midpoint \
            impulse (200 s); with the trapezoidal one it has less than 2 % of that rate.",
    condition: None,
    measure: |context| {
        let drift = |(impulse, h): (&'static str, f64)| {
            let trial = Trial::new(&fast_top(), "simo_wong", h, (200.0 / h).round() as u64).every(7);
            let history = trial.choosing("impulse", impulse).run(context, &[channels::ENERGY_DRIFT])?;
            Ok(rate(&energy(&history)))
        };
        let runs = vec![("midpoint", 0.002), ("midpoint", 0.001), ("trapezoidal", 0.002)];
        let rates = runs.into_par_iter().map(drift).collect::<Result<Vec<_>, Failure>>()?;
        let [whole, half, trapezoidal] = rates[..] else { return Err(Failure::Missing("three rates")) };
        Ok(Evidence {
            measured: vec![
                Measured::new("energy rate, midpoint, h = 2 ms", whole, "1/s")
                    .claimed(Criterion::AtLeast(1e-9)),
                Measured::new("energy rate, midpoint, h = 1 ms", half, "1/s"),
                Measured::new("power of h", (whole / half).log2(), "1").found(Criterion::Between(2.8, 3.2)),
                Measured::new("energy rate, trapezoidal, h = 2 ms", trapezoidal, "1/s"),
                Measured::new("trapezoidal of midpoint, h = 2 ms", (trapezoidal / whole).abs(), "1")
                    .claimed(Criterion::AtMost(0.02)),
            ],
            figures: vec![],
        })
    },
};

pub const PREDICTOR_CORRECTOR: Claim = Claim {
    id: "h92-predictor-corrector",
    title: "Energy of the predictor-corrector",
    says: &[Says {
        report: "H92",
        place: "5.1, fig. 2",
        text: "After the torques have ended the energy of the predictor-corrector grows weakly in \
                long times; the rate depends on the step, and smaller steps show growth too.",
    }],
    judged: Judged::Report,
    found: "With the report's data, h = 1 ms and a kick of one step, it grows by 2.1e-6 of itself a second, \
            and the rate as h³.",
    condition: None,
    measure: |context| {
        let growth = |h: f64| {
            let body = hulbert51(h, Axes::Space);
            let trial = Trial::new(&body, "predictor_corrector", h, (100.0 / h).round() as u64).every(10);
            let history = trial.run(context, &[channels::ENERGY])?;
            let mut free = history.curve(channels::ENERGY, 0);
            // No torque acts any more.
            free.retain(|(time, _)| *time > 2.1);
            let first = free.first().map_or(f64::NAN, |(_, energy)| *energy);
            Ok(rate(&free) / first)
        };
        // More than rounding, and less than a thousandth of itself a second.
        let weak = Criterion::Between(1e-9, 1e-3);
        let rates = vec![0.001, 0.0005].into_par_iter().map(growth).collect::<Result<Vec<_>, Failure>>()?;
        Ok(Evidence {
            measured: vec![
                Measured::new("energy rate, h = 1 ms", rates[0], "1/s").claimed(weak),
                Measured::new("energy rate, h = 0.5 ms", rates[1], "1/s").claimed(weak),
                Measured::new("the rate at 1 ms, once more", rates[0], "1/s")
                    .found(Criterion::Near(2.1e-6, 0.08)),
                Measured::new("power of h", (rates[0] / rates[1]).log2(), "1")
                    .found(Criterion::Between(2.8, 3.2)),
            ],
            figures: vec![],
        })
    },
};

pub const RESTARTS: Claim = Claim {
    id: "h92-restarts",
    title: "Restarts of the staggered conserving step",
    says: &[Says {
        report: "H92",
        place: "5.2, 6",
        text: "The staggered conserving algorithm is stable on the fast top and avoids weak \
                instabilities. Restarts and other tops are not mentioned.",
    }],
    judged: Judged::Finding,
    found: "The staggered conserving step needs them: on a slow asymmetric top, J = (5, 4, 1) kg m², w0 = \
        (0.5, 0.2, 15) rad/s, h = 5 ms, its energy error passes 1 % after 18 s without any, and stays \
        within 1e-4 over 100 s with the half chain restarted every 100 steps.",
    condition: None,
    measure: |context| {
        let half = 0.15f64;
        let attitude = [half.cos(), half.sin(), 0.0, 0.0];
        let top = heavy_top([5.0, 4.0, 1.0], InertiaAbout::Origin, attitude, [0.5, 0.2, 15.0]);
        let run = |restart| {
            let trial =
                Trial::new(&top, "staggered_conserving", 0.005, 20_000).every(1).resynchronised(restart);
            trial.run(context, &[channels::ENERGY_DRIFT])
        };
        let (never, restarted) = (run(0)?, run(100)?);
        let drift = channels::ENERGY_DRIFT;
        let sizes = |history: &History| largest_so_far(&energy(history));
        Ok(Evidence {
            measured: vec![
                Measured::new("passes 1 %, never restarted, after", never.passes(drift, 0.01), "s")
                    .claimed(Criterion::Near(18.0, 0.05)),
                Measured::new("energy error, restarted every 100 steps", restarted.largest(drift), "1")
                    .claimed(Criterion::AtMost(1e-4)),
            ],
            figures: vec![Figure {
                name: "h92_restarts",
                title: "Staggered conserving: restarts".to_string(),
                caption:
                    "Largest energy error |E - E0| / (T0 + |V0|) so far of the staggered conserving step \
                          on the slow asymmetric top J = (5, 4, 1) kg m², w0 = (0.5, 0.2, 15) rad/s, m g l = \
                          20 N m, h = 5 ms; with and without restarts of the half chain; cut at 10."
                        .to_string(),
                x: PlottedQuantity::new("time", "s"),
                y: PlottedQuantity::logarithmic("energy error so far", "1"),
                curves: vec![
                    Curve::new("never restarted", sizes(&never)).within(0.0, 10.0),
                    Curve::new("restarted every 100", sizes(&restarted)),
                ],
                marked: false,
            }],
        })
    },
};

/// A pendulum of frequency 1 rad/s that swings by a millionth of a radian.
fn pendulum() -> Mechanism {
    let inertia = 2.0;
    let mut body = free_body([inertia, inertia, 1.0], [1.0, 0.0, 0.0, 0.0], [1e-6, 0.0, 0.0]);
    body.bodies[0].support = Support::FixedPoint;
    body.bodies[0].inertia_about = InertiaAbout::Origin;
    body.bodies[0].centre_of_mass = [0.0, 0.0, -1.0];
    body.gravity = [0.0, 0.0, -inertia];
    body
}

pub const SPECTRUM: Claim = Claim {
    id: "h92-spectrum",
    title: "Spectrum of the explicit steps",
    says: &[Says {
        report: "H92",
        place: "2.2",
        text: "Tamma and Namburu's algorithm, on which the predictor-corrector rests, has the \
                spectral properties of the central difference.",
    }],
    judged: Judged::Report,
    found: "So it is with all four explicit steps in their linear limit: a small pendulum of ours with w h = \
            1 has a period of six steps.",
    condition: None,
    measure: |context| {
        let mut outcome = Evidence::default();
        for (name, label) in FOUR {
            let history =
                Trial::new(&pendulum(), name, 1.0, 600).every(1).run(context, &[channels::ATTITUDE])?;
            // The sign of q1 is that of the swing, as q0 is not negative.
            let swing = history.series(channels::ATTITUDE, 1, 0);
            let Some([_, one, two, three]) = swing.first_chunk() else {
                return Err(Failure::Missing("steps"));
            };
            let off = (two / one - 1.0).abs().max((three / one).abs());
            let late = swing.last().map_or(f64::NAN, |last| (last / one).abs());
            let mut ask = |what: &str, value: f64, bound: f64| {
                let (measured, bound) =
                    (Measured::new(format!("{label}: {what}"), value, "1"), Criterion::AtMost(bound));
                // The report says nothing of the other methods.
                let is_claimed = name == "predictor_corrector";
                outcome.measured.push(if is_claimed {
                    measured.claimed(bound)
                } else {
                    measured.found(bound)
                });
            };
            ask("off sin(k π/3) over 3 steps", off, 1e-9);
            ask("off zero after 600 steps", late, 1e-7);
        }
        Ok(outcome)
    },
};

pub const LINEAR_LIMIT: Claim = Claim {
    id: "h92-linear-limit",
    title: "The linear limit in nonlinear motion",
    says: &[Says {
        report: "PCD90",
        place: "IV, before (34)",
        text: "The central difference restricts the step by its stability limit, w h at most 2, w the \
               highest angular velocity of rigid bodies.",
    }],
    judged: Judged::Report,
    found: "A bound from above it is: no free body J = (5, 10, 1) kg m² (ours) lasts 10^4 steps beyond it, \
            and near the axis of least moment 1.9 lasts. It promises nothing below: near the axis of \
            greatest moment h|w0| = 1 does not last, and near the intermediate one the energy leaves 10 % \
            within five steps there, by H92's methods too.",
    condition: None,
    measure: |context| {
        let steps = 10_000;
        let axes = [
            ("least moment", [0.02, 0.02, 8.0]),
            ("greatest moment", [0.02, 8.0, 0.02]),
            ("intermediate moment", [8.0, 0.02, 0.0]),
        ];
        // The end of the run is the most that is seen.
        let lasted = |name: &'static str, start: [f64; 3], reach: f64| {
            let (h, body) = (reach / 8.0, free_body([5.0, 10.0, 1.0], [1.0, 0.0, 0.0, 0.0], start));
            let history =
                Trial::new(&body, name, h, steps).every(1).run(context, &[channels::ENERGY_DRIFT])?;
            Ok::<_, Failure>(history.passes(channels::ENERGY_DRIFT, 0.1) / h)
        };
        let beyond = Criterion::AtMost(0.999 * steps as f64);
        let all = Criterion::Between(0.999 * steps as f64, steps as f64);
        let mut measured = Vec::new();
        for (axis, start) in axes {
            for reach in [1.0, 1.9, 2.1] {
                let name = format!("passes 10 % near the axis of {axis} at h|w0| = {reach} after");
                let survived = Measured::new(name, lasted("staggered", start, reach)?, "steps");
                measured.push(match (axis, reach) {
                    (_, 2.1) => survived.claimed(beyond),
                    ("least moment", _) => survived.found(all),
                    ("intermediate moment", 1.0) => survived.found(Criterion::AtMost(5.0)),
                    _ => survived.found(beyond),
                });
            }
        }
        for (name, label) in &FOUR[1..] {
            let survived = lasted(name, axes[2].1, 1.0)?;
            let name =
                format!("{label}: passes 10 % near the axis of intermediate moment at h|w0| = 1 after");
            measured.push(Measured::new(name, survived, "steps").found(Criterion::AtMost(5.0)));
        }
        Ok(Evidence { measured, figures: vec![] })
    },
};

/// The four methods on a mechanism with steps of h (s), seen every `interval` (s).
fn four(
    context: &Context<'_>,
    mechanism: &Mechanism,
    h: f64,
    end: f64,
    interval: f64,
    channels: &[Channel],
) -> Result<Vec<History>, Failure> {
    FOUR.par_iter()
        .map(|(name, _)| {
            let trial = Trial::new(mechanism, name, h, (end / h).round() as u64);
            trial.every((interval / h).round() as u64).run(context, channels)
        })
        .collect()
}

/// One curve for each of the four.
fn curves(histories: &[History], curve: impl Fn(&History) -> Vec<(f64, f64)>) -> Vec<Curve> {
    FOUR.iter().zip(histories).map(|((_, label), history)| Curve::new(*label, curve(history))).collect()
}

/// Evenly spaced times from 0 to `end` (s).
fn times(end: f64, interval: f64) -> Vec<f64> {
    (0..=(end / interval).round() as u64).map(|k| k as f64 * interval).collect()
}

pub const SPUN_UP_BODY: Claim = Claim {
    id: "h92-5.1",
    title: "The body spun up and kicked",
    says: &[Says {
        report: "H92",
        place: "5.1, figs. 1-4",
        text: "Simo and Wong's and the staggered conserving algorithm give virtually identical \
                results at 1 ms. No order is measured.",
    }],
    judged: Judged::Finding,
    found: "The four methods come to the motion with order 2 at least: a body spun up to 8 rad/s about its \
            intermediate axis, kicked by 0.2 N m s within 4 ms, ours, for H92's kick shrinks with the step; \
            errors at 4 s for h = 0.5, 0.25, 0.125 ms.",
    condition: None,
    measure: |context| {
        let body = hulbert51(0.004, Axes::Space);
        let exact = &accurate_at(&body, &[4.0])?[0];
        let mut outcome = Evidence::default();
        for (name, label) in FOUR {
            let points: Result<Vec<_>, Failure> = [0.0005, 0.00025, 0.000125]
                .into_iter()
                .map(|h| {
                    let trial = Trial::new(&body, name, h, (4.0 / h).round() as u64);
                    let history = trial.run(context, &[channels::ATTITUDE, channels::ANGULAR_VELOCITY])?;
                    Ok((h, error(&history, exact)))
                })
                .collect();
            outcome.measured.push(
                Measured::new(format!("{label}: order"), slope(&points?), "1")
                    .claimed(Criterion::Between(1.9, 3.5)),
            );
        }
        outcome.figures = spun_up_figures(context)?;
        Ok(outcome)
    },
};

/// Begins captions of figures that no report has.
const SPUN_UP: &str = "Ours, at coarser steps than H92's figures 1-4: 20 N m \
                       about body axis 1 until 2 s - h, then 0.2 N m s about space axis 2 within one step";

/// The four methods side by side, at steps coarser than those of H92's figures 1 to 4.
fn spun_up_figures(context: &Context<'_>) -> Result<Vec<Figure>, Failure> {
    let channels =
        [channels::ANGULAR_VELOCITY, channels::ATTITUDE, channels::ENERGY, channels::ANGULAR_MOMENTUM];
    let (h, end, interval) = (0.01, 8.0, 0.01);
    let body = hulbert51(h, Axes::Space);
    let exact = accurate::run(&body, &Instance::nominal(&body), &times(end, interval), accurate::TOLERANCE);
    let exact = exact?.states;
    let histories = four(context, &body, h, end, interval, &channels)?;
    let after = |curve: Vec<(f64, f64)>| curve.into_iter().filter(|(t, _)| *t >= 1.9).collect::<Vec<_>>();
    let mut figures = Vec::new();
    for (k, name, title, quantity) in [
        (0, "h92_51_w1_10ms", "H92 5.1: w1 after the kick", "angular velocity w1"),
        (1, "h92_51_w2_10ms", "H92 5.1: w2 after the kick", "angular velocity w2"),
    ] {
        let accurate = exact.iter().map(|state| (state.time, state.bodies[0].angular_velocity[k])).collect();
        let mut shown = vec![Curve::beneath("accurate", after(accurate))];
        shown.extend(curves(&histories, |history| after(history.curve(channels::ANGULAR_VELOCITY, k))));
        figures.push(Figure {
            name,
            title: title.to_string(),
            caption: format!(
                "{SPUN_UP}; J = (5, 10, 1) kg m², h = 10 ms (h|w| = 0.08), body axes, no restarts; \
                 \"accurate\" is DOP853 of the reference."
            ),
            x: PlottedQuantity::new("time", "s"),
            y: PlottedQuantity::new(quantity, "rad/s"),
            curves: shown,
            marked: false,
        });
    }
    // Between body axis 1 and space axis 1.
    let turned = |q: [f64; 4]| 2.0 * q[2].hypot(q[3]).min(1.0).asin();
    let mut shown = vec![Curve::beneath(
        "accurate",
        after(exact.iter().map(|state| (state.time, turned(state.bodies[0].attitude))).collect()),
    )];
    shown.extend(curves(&histories, |history| {
        after((0..=history.last()).map(|i| (history.times[i], turned(history.attitude(i)))).collect())
    }));
    figures.push(Figure {
        name: "h92_51_attitude",
        title: "H92 5.1: attitude after the kick".to_string(),
        caption: format!(
            "{SPUN_UP}; angle between body axis 1 and its direction at the start, h = 10 ms (h|w| = 0.08), \
             no restarts; \"accurate\" is DOP853 of the reference."
        ),
        x: PlottedQuantity::new("time", "s"),
        y: PlottedQuantity::new("angle", "rad"),
        curves: shown,
        marked: false,
    });
    figures.extend(conserved_figures(context, &channels)?);
    Ok(figures)
}

/// Errors of energy and momentum, counted from the time at which the torques have ended.
fn conserved_figures(context: &Context<'_>, channels: &[Channel]) -> Result<Vec<Figure>, Failure> {
    let mut figures = Vec::new();
    let momentum = |history: &History| {
        let at = |i: usize| -> [f64; 3] {
            std::array::from_fn(|k| history.series(channels::ANGULAR_MOMENTUM, k, 0)[i])
        };
        let free: Vec<usize> = (0..=history.last()).filter(|i| history.times[*i] >= 2.0).collect();
        let first = free.first().map_or([f64::NAN; 3], |i| at(*i));
        let off = |i: usize| {
            let now = at(i);
            length(std::array::from_fn(|k| now[k] - first[k])) / length(first)
        };
        largest_so_far(&free.iter().map(|i| (history.times[*i], off(*i))).collect::<Vec<_>>())
    };
    let relative = |history: &History| {
        let mut free = history.curve(channels::ENERGY, 0);
        free.retain(|(time, _)| *time >= 2.0);
        let first = free.first().map_or(f64::NAN, |(_, energy)| *energy);
        free.iter_mut().for_each(|(_, energy)| *energy = *energy / first - 1.0);
        largest_so_far(&free)
    };
    for (name, title, h, end) in [
        ("h92_51_energy_10ms", "H92 5.1: energy, h = 10 ms", 0.01, 200.0),
        ("h92_51_energy_50ms", "H92 5.1: energy, h = 50 ms", 0.05, 200.0),
    ] {
        let body = hulbert51(h, Axes::Space);
        let histories = four(context, &body, h, end, 2.0 * h, channels)?;
        let shown = curves(&histories, relative).into_iter().map(|curve| curve.within(0.0, 10.0));
        figures.push(Figure {
            name,
            title: title.to_string(),
            caption: format!(
                "{SPUN_UP}; largest |E/E(2 s) - 1| so far, h = {} ms (h|w| = {}), no restarts. A curve ends \
                 where it leaves 10.",
                1e3 * h,
                8.0 * h
            ),
            x: PlottedQuantity::new("time", "s"),
            y: PlottedQuantity::logarithmic("energy error so far", "1"),
            curves: shown.collect(),
            marked: false,
        });
        if name == "h92_51_energy_10ms" {
            figures.push(Figure {
                name: "h92_51_momentum",
                title: "H92 5.1: momentum, h = 10 ms".to_string(),
                caption: format!(
                    "{SPUN_UP}; largest |H - H(2 s)| / |H(2 s)| so far, h = 10 ms (h|w| = 0.08), no \
                     restarts. No torque acts."
                ),
                x: PlottedQuantity::new("time", "s"),
                y: PlottedQuantity::logarithmic("momentum error so far", "1"),
                curves: curves(&histories, momentum),
                marked: false,
            });
        }
    }
    Ok(figures)
}

/// Frequency of nutation, rate of precession (rad/s) and largest theta (rad) of H92 5.2's top (and
/// K14's), from the reference solution, for neither report prints them.
pub(super) const NUTATION: f64 = 9.2094246;
pub(super) const PRECESSION: f64 = 0.4164250;
pub(super) const HIGHEST: f64 = 0.3267337;

/// Between snapshots of the top (s): some 170 in a nutation.
pub(super) const TOP_INTERVAL: f64 = 0.004;

/// The fast top by a method with steps of h (s).
pub(super) fn top(context: &Context<'_>, method: &'static str, h: f64, end: f64) -> Result<History, Failure> {
    let channels = [channels::TILT, channels::ATTITUDE, channels::ENERGY_DRIFT, channels::ANGULAR_MOMENTUM];
    let trial = Trial::new(&fast_top(), method, h, (end / h).round() as u64);
    trial.every((TOP_INTERVAL / h).round() as u64).run(context, &channels)
}

/// Frequency of nutation and rate of precession by a method: relative errors at h = 2 ms, and the
/// orders from there to 1 ms.
pub(super) fn top_convergence(
    context: &Context<'_>,
    method: &'static str,
    label: &str,
) -> Result<Vec<Measured>, Failure> {
    let errors = |h: f64| {
        let motion = top_motion(&top(context, method, h, 10.0)?).ok_or(Failure::Missing("two nutations"))?;
        Ok::<_, Failure>([motion.nutation / NUTATION - 1.0, motion.precession / PRECESSION - 1.0])
    };
    let ([nutation, precession], [finer_nutation, finer_precession]) = (errors(0.002)?, errors(0.001)?);
    let order = |coarse: f64, fine: f64| (coarse / fine).abs().log2();
    let second = Criterion::Between(1.8, 2.2);
    Ok(vec![
        Measured::new(format!("{label}: nutation off, h = 2 ms"), nutation, "1"),
        Measured::new(format!("{label}: order of nutation"), order(nutation, finer_nutation), "1")
            .claimed(second),
        Measured::new(format!("{label}: precession off, h = 2 ms"), precession, "1"),
        Measured::new(format!("{label}: order of precession"), order(precession, finer_precession), "1")
            .claimed(second),
    ])
}

pub const FAST_TOP: Claim = Claim {
    id: "h92-5.2",
    title: "Nutation and precession of the fast top",
    says: &[Says {
        report: "H92",
        place: "5.2, fig. 6",
        text: "Over a short time the results of the algorithms cannot be told apart. J is said to \
                be about the centre of mass; no frequency is printed.",
    }],
    judged: Judged::Finding,
    found: "With J about its tip the fast top nods with 9.2094246 rad/s and precesses with 0.4164250 rad/s, \
        theta between 0.3 and 0.3267337 rad; the four methods come to that with order 2.",
    condition: None,
    measure: |context| {
        let motion =
            top_motion(&top(context, "dop853", 0.001, 10.0)?).ok_or(Failure::Missing("two nutations"))?;
        let mut measured = vec![
            Measured::new("nutation, order 8, h = 1 ms", motion.nutation, "rad/s")
                .claimed(Criterion::Near(NUTATION, 1e-6)),
            Measured::new("precession, order 8, h = 1 ms", motion.precession, "rad/s")
                .claimed(Criterion::Near(PRECESSION, 1e-6)),
            Measured::new("largest theta, order 8, h = 1 ms", motion.highest, "rad")
                .claimed(Criterion::Near(HIGHEST, 1e-6)),
        ];
        for (name, label) in FOUR {
            measured.extend(top_convergence(context, name, label)?);
        }
        Ok(Evidence { measured, figures: fast_top_figures(context)? })
    },
};

/// The four methods side by side, at steps coarser than those of H92's figures 6 to 10.
fn fast_top_figures(context: &Context<'_>) -> Result<Vec<Figure>, Failure> {
    let about = "Ours, at coarser steps than H92's figures 6-10: the fast top, J = (5, 5, 1) kg m² about the \
                 tip, m g l = 20 N m, released at 0.3 rad with a spin of 50 rad/s";
    let fine = top(context, "dop853", 0.001, 20.0)?;
    let run = |h: f64, end: f64| {
        FOUR.par_iter().map(|(name, _)| top(context, name, h, end)).collect::<Result<Vec<_>, Failure>>()
    };
    let first =
        |curve: Vec<(f64, f64)>, end: f64| curve.into_iter().filter(|(t, _)| *t <= end).collect::<Vec<_>>();
    let tilt = |history: &History| first(history.curve(channels::TILT, 0), 2.0);
    let turned = |history: &History| first(azimuth(history), 2.0);
    let (stable, coarse) = (run(0.004, 100.0)?, run(0.04, 100.0)?);
    let largest = |history: &History| largest_so_far(&energy(history));
    // About the vertical, which the top conserves.
    let vertical = |history: &History| {
        let curve = history.curve(channels::ANGULAR_MOMENTUM, 2);
        let start = curve.first().map_or(f64::NAN, |(_, h)| *h);
        largest_so_far(&curve.into_iter().map(|(t, h)| (t, h / start - 1.0)).collect::<Vec<_>>())
    };
    let with_exact = |exact, mut shown: Vec<Curve>| {
        shown.insert(0, Curve::beneath("accurate", exact));
        shown
    };
    let time = PlottedQuantity::new("time", "s");
    let no_restarts = "no restarts; \"accurate\" is order 8 with h = 1 ms";
    let within =
        |shown: Vec<Curve>| shown.into_iter().map(|curve| curve.within(0.0, 10.0)).collect::<Vec<_>>();
    Ok(vec![
        Figure {
            name: "h92_52_tilt_4ms",
            title: "H92 5.2: nutation".to_string(),
            caption: format!(
                "{about}; angle theta of the axis from the vertical, h = 4 ms (h|w| = 0.2), {no_restarts}."
            ),
            x: time.clone(),
            y: PlottedQuantity::new("theta", "rad"),
            curves: with_exact(tilt(&fine), curves(&stable, tilt)),
            marked: false,
        },
        Figure {
            name: "h92_52_precession_4ms",
            title: "H92 5.2: precession".to_string(),
            caption: format!(
                "{about}; azimuth of the axis about the vertical since the start, h = 4 ms, {no_restarts}."
            ),
            x: time.clone(),
            y: PlottedQuantity::new("azimuth", "rad"),
            curves: with_exact(turned(&fine), curves(&stable, turned)),
            marked: false,
        },
        Figure {
            name: "h92_52_energy_4ms",
            title: "H92 5.2: energy, h = 4 ms".to_string(),
            caption: format!(
                "{about}; largest |E - E0| / (T0 + |V0|) so far, h = 4 ms (h|w| = 0.2), no restarts."
            ),
            x: time.clone(),
            y: PlottedQuantity::logarithmic("energy error so far", "1"),
            curves: within(curves(&stable, largest)),
            marked: false,
        },
        Figure {
            name: "h92_52_energy_40ms",
            title: "H92 5.2: energy, h = 40 ms".to_string(),
            caption: format!(
                "{about}; largest |E - E0| / (T0 + |V0|) so far, h = 40 ms (h|w| = 2), no restarts. A curve \
                 ends where it leaves 10."
            ),
            x: time.clone(),
            y: PlottedQuantity::logarithmic("energy error so far", "1"),
            curves: within(curves(&coarse, largest)),
            marked: false,
        },
        Figure {
            name: "h92_52_momentum_4ms",
            title: "H92 5.2: vertical momentum".to_string(),
            caption: format!(
                "{about}; largest relative change so far of the angular momentum about the vertical, which \
                 gravity leaves alone; h = 4 ms."
            ),
            x: time.clone(),
            y: PlottedQuantity::logarithmic("momentum error so far", "1"),
            curves: within(curves(&stable, vertical)),
            marked: false,
        },
    ])
}
