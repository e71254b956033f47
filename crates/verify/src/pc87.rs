//! PC87: the nonlinearly implicit midpoint step.

use super::measures::{accurate_at, error};
use super::{Claim, Context, Criterion, Evidence, Failure, Judged, Measured, Says, Trial};
use polhode::base::Setting;
use polhode::describe::Channel;
use polhode::math::fit::slope;
use polhode::math::quaternion::to_space;
use polhode::math::vector::{length, sub};
use polhode::observe::channels;
use polhode::study::yardsticks::{fast_top, free_body, rolling_ball};

/// (s): with 50 rad/s, h|w| = 0.5.
const COARSE: f64 = 0.01;

pub const PASSES: Claim = Claim {
    id: "pc87-passes",
    title: "Passes of the implicit midpoint step",
    says: &[Says {
        report: "PC87",
        place: "(5.8)-(5.11)",
        text: "The matrices in the middle of a step are approximated by those at its start; if \
                necessary, q and its rate are iterated by (5.7). No order is stated.",
    }],
    judged: Judged::Finding,
    found: "One pass without iteration, (5.8), is of order 1; one iteration makes it order 2.",
    condition: None,
    measure: |context| {
        let body = free_body([5.0, 10.0, 1.0], [0.8, 0.2, -0.4, 0.4], [1.0, 0.5, 2.0]);
        let end = 4.0;
        let exact = &accurate_at(&body, &[end])?[0];
        let order = |iterations: u64, first: f64| {
            let points: Result<Vec<_>, Failure> = (0..3)
                .map(|k| {
                    let steps = first * f64::from(1 << k);
                    let trial = Trial::new(&body, "midpoint", end / steps, steps as u64)
                        .with("iterations", Setting::Count(iterations));
                    let history = trial.run(context, &[channels::ATTITUDE, channels::ANGULAR_VELOCITY])?;
                    Ok((end / steps, error(&history, exact)))
                })
                .collect();
            Ok::<f64, Failure>(slope(&points?))
        };
        Ok(Evidence {
            measured: vec![
                Measured::new("order with no iteration", order(0, 12800.0)?, "1")
                    .claimed(Criterion::Between(0.9, 1.1)),
                Measured::new("order with one iteration", order(1, 800.0)?, "1")
                    .claimed(Criterion::Between(1.9, 2.1)),
            ],
            figures: vec![],
        })
    },
};

/// The energy error of the fast top at h|w| = 0.5 over `steps`, with its history. `enforce`:
/// (5.15)-(5.16).
fn coarse_top(
    context: &Context<'_>,
    steps: u64,
    iterations: u64,
    enforce: bool,
) -> Result<super::History, Failure> {
    let trial = Trial::new(&fast_top(), "midpoint", COARSE, steps)
        .with("iterations", Setting::Count(iterations))
        .with("enforce_midpoint", Setting::Flag(enforce));
    trial.every(10).run(context, &[channels::ENERGY_DRIFT])
}

pub const ONE_ITERATION: Claim = Claim {
    id: "pc87-one-iteration",
    title: "Iterations of the implicit midpoint step",
    says: &[Says {
        report: "PC87",
        place: "(5.11)",
        text: "If necessary, q and its rate are iterated by (5.7). How often is not stated.",
    }],
    judged: Judged::Finding,
    found: "One iteration a step is not enough, three are: the fast top at h|w| = 0.5 leaves 10 % of its \
        energy within 10^4 steps with one, and stays within 1e-4 with three.",
    condition: None,
    measure: |context| {
        let steps = 10_000;
        let one = coarse_top(context, steps, 1, false)?;
        let three = coarse_top(context, steps, 3, false)?;
        let drift = channels::ENERGY_DRIFT;
        Ok(Evidence {
            measured: vec![
                Measured::new("largest energy error, one iteration", one.largest(drift), "1"),
                // The end of the run stands for never.
                Measured::new("passes 10 %, one iteration, after", one.passes(drift, 0.1), "s")
                    .claimed(Criterion::AtMost(0.95 * COARSE * steps as f64)),
                Measured::new("largest energy error, three iterations", three.largest(drift), "1")
                    .claimed(Criterion::AtMost(1e-4)),
            ],
            figures: vec![],
        })
    },
};

pub const MIDPOINT_PROJECTION: Claim = Claim {
    id: "pc87-midpoint-projection",
    title: "Norm and orthogonality in the middle of a step",
    says: &[Says {
        report: "PC87",
        place: "(5.15)-(5.18)",
        text: "The norm of q and its orthogonality to its rate are enforced in the middle of the step, by \
               systems bordered with a multiplier, (5.15)-(5.16), and again at its end, (5.17)-(5.18).",
    }],
    judged: Judged::Report,
    found: "Solved as bordered systems they keep the fast top's energy at h|w| = 0.5, with one iteration, \
            within 0.7 % over 20 s and within 1.9 % over 100 s, over which the step without them has doubled \
            it. (5.16) has q' as the multiplier's column where q is meant. The top is ours.",
    condition: None,
    measure: |context| {
        let drift = channels::ENERGY_DRIFT;
        let mut measured = Vec::new();
        for (seconds, bound) in [(20, 0.01), (100, 0.025)] {
            for (iterations, passes) in [(1, "one iteration"), (3, "three iterations")] {
                let energy = |enforce: bool| -> Result<f64, Failure> {
                    Ok(coarse_top(context, 100 * seconds, iterations, enforce)?.largest(drift))
                };
                let name = |how: &str| format!("largest energy error in {seconds} s, {passes}, {how}");
                measured.extend([
                    Measured::new(name("(5.15)-(5.18)"), energy(true)?, "1")
                        .claimed(Criterion::AtMost(bound)),
                    Measured::new(name("(5.17)-(5.18) alone"), energy(false)?, "1"),
                ]);
            }
        }
        Ok(Evidence { measured, figures: vec![] })
    },
};

/// The ball's radius, in which the track y = sin x is counted (m).
pub(super) const RADIUS: f64 = 0.109;

/// Period (s) of the ball without offset, in which x advances by 2 pi a, by the reference solution.
const WAVE: f64 = 5.402_575_524;

/// Its mean xdot (a/s).
const SPEED: f64 = 1.162_998_144;

/// When x first passes so many waves (s): where the cubic through positions and velocities of two
/// snapshots does.
fn passes_wave(history: &super::History, waves: f64) -> Option<f64> {
    let (x, v) = (history.curve(channels::POSITION, 0), history.curve(channels::VELOCITY, 0));
    let wanted = waves * std::f64::consts::TAU * RADIUS;
    let k = x.iter().position(|(_, x)| *x >= wanted).filter(|k| *k > 0)?;
    let ((t0, x0), (t1, x1), h) = (x[k - 1], x[k], x[k].0 - x[k - 1].0);
    let (v0, v1) = (h * v[k - 1].1, h * v[k].1);
    let cubic = |s: f64| {
        let bend = (x0 - x1) * 2.0 + v0 + v1;
        x0 + s * (v0 + s * ((x1 - x0) - v0 - bend * (1.0 - s)))
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if cubic(middle) < wanted { low = middle } else { high = middle }
    }
    Some(t0 + low * (t1 - t0))
}

pub const ROLLING_BALL: Claim = Claim {
    id: "pc87-rolling-ball",
    title: "Speed of the rolling ball",
    says: &[Says {
        report: "PC87",
        place: "7, fig. 2",
        text: "The ball without offset has an average velocity of about 1.2 units a second. The \
                report calls that the y-direction.",
    }],
    judged: Judged::Report,
    found: "Its mean speed along x is 1.1629981 radii a second, and it takes 5.4025755 s a wave of its track \
            y = sin x, to 1e-5 at h = 5 ms.",
    condition: None,
    measure: |context| {
        let mut measured = Vec::new();
        let rows = [
            ("staggered", "staggered", 1.0, 1e-5),
            ("staggered", "exact", 1.0, 1e-5),
            ("rk4", "exact", 10.0, 1e-8),
        ];
        for (method, treatment, waves, within) in rows {
            let (h, end) = (0.005, 5.5 * waves);
            let trial = Trial::new(&rolling_ball(0.0), method, h, (end / h).round() as u64);
            let trial = trial.held_by(treatment, &[]).every(1);
            let history = trial.run(context, &[channels::POSITION, channels::VELOCITY])?;
            let time = passes_wave(&history, waves).ok_or(Failure::Missing("a wave"))?;
            let name = format!("by {method}, multipliers {treatment}, over {waves} waves");
            measured.push(
                Measured::new(format!("period {name}"), time / waves, "s")
                    .found(Criterion::Near(WAVE, within)),
            );
            let speed = waves * std::f64::consts::TAU / time;
            measured.push(
                Measured::new(format!("mean speed {name}"), speed, "1/s")
                    .found(Criterion::Near(SPEED, within)),
            );
            if method == "rk4" {
                // Speeds in this interval round to the printed digits.
                measured.push(
                    Measured::new("mean speed, to the printed digits", speed, "1/s")
                        .claimed(Criterion::Between(1.15, 1.25)),
                );
            }
        }
        Ok(Evidence { measured, figures: vec![] })
    },
};

/// The offsets r0 of table 1 and of the text with fig. 9 (m), as they are printed.
pub(super) const OFFSETS: [(&str, f64); 2] = [("0.15 cm", 0.0015), ("0.15 a", 0.15 * RADIUS)];

/// The ball over 20 s, as far as our solutions go, by dop853 at h = 5 ms, a snapshot each step.
fn ball(context: &Context<'_>, r0: f64) -> Result<super::History, Failure> {
    let trial = Trial::new(&rolling_ball(r0), "dop853", 0.005, 4000).held_by("exact", &[]).every(1);
    let channels = [channels::POSITION, channels::VELOCITY, channels::ATTITUDE, channels::ANGULAR_VELOCITY];
    trial.run(context, &channels)
}

/// Multipliers by (6.6) as it is printed: table 1's eps, and no weights besides.
fn with_printed_multipliers(trial: Trial) -> Trial {
    trial.held_by("staggered", &[("eps", Setting::Number(1e-6)), ("gamma", Setting::Number(0.0))])
}

/// The ball by the report's own procedure, one pass and [`with_printed_multipliers`], every step.
pub(super) fn as_printed(
    context: &Context<'_>,
    r0: f64,
    h: f64,
    end: f64,
    channels: &[Channel],
) -> Result<super::History, Failure> {
    let trial = Trial::new(&rolling_ball(r0), "midpoint", h, (end / h).round() as u64);
    let trial = with_printed_multipliers(trial).with("as_printed", Setting::Flag(true));
    trial.every(1).run(context, channels)
}

/// Steps for the ball, whose rates are about 1 rad/s (s).
const STEPS: [f64; 5] = [0.05, 0.1, 0.15, 0.2, 0.3];
/// The step that the report names (s).
const NAMED: f64 = 0.15;

pub const BALL_STEPS: Claim = Claim {
    id: "pc87-ball-steps",
    title: "The rolling ball at large steps",
    says: &[Says {
        report: "PC87",
        place: "7, (6.4)-(6.6)",
        text: "On the ball the procedure maintains both accuracy and stability for steps up to 0.15. How \
               accurate it then is, is not stated, nor how long it ran.",
    }],
    judged: Judged::Report,
    found: "By (6.6) with table 1's eps and no weights of ours. At 0.15 s one pass, (5.8), is 0.06 radii off \
            after 6 s, three iterations 0.012. (6.6) returns nothing of what the ball has drifted: in 60 s \
            one pass leaves the track by 0.08 radii at 0.05 s and by 0.69 at 0.15 s, three iterations by \
            0.01 and 0.1. The energy changes by 4e-4 at most. It stays stable at 0.3 s too; the error grows \
            with the square of the step.",
    condition: Some("it runs for 6 s, a wave of the track"),
    measure: |context| {
        let mechanism = rolling_ball(0.0);
        let exact = &accurate_at(&mechanism, &[6.0])?[0];
        let mut measured = Vec::new();
        for (iterations, passes, bound) in [(0, "one pass", 0.1), (3, "three iterations", 0.02)] {
            let mut errors = Vec::new();
            for h in STEPS {
                let run = |end: f64| {
                    let trial = Trial::new(&mechanism, "midpoint", h, (end / h).round() as u64);
                    let trial =
                        with_printed_multipliers(trial).with("iterations", Setting::Count(iterations));
                    trial.every(1).run(context, &[channels::POSITION, channels::ENERGY_DRIFT])
                };
                let (short, long) = (run(6.0)?, run(60.0)?);
                let last = short.path(channels::POSITION, 0).pop().map_or([f64::NAN; 3], |(_, r)| r);
                let off = length(sub(last, exact.bodies[0].position)) / RADIUS;
                let name = |what: &str| format!("{what}, {passes}, h = {h} s");
                let [error, track, change] = [
                    Measured::new(name("error after 6 s"), off, "radii a"),
                    Measured::new(
                        name("largest distance from the track in 60 s"),
                        off_track(&long),
                        "radii a",
                    ),
                    Measured::new(
                        name("largest energy error in 60 s"),
                        long.largest(channels::ENERGY_DRIFT),
                        "1",
                    ),
                ];
                errors.push((h, off));
                let stable = Criterion::AtMost(0.01);
                // A tenth of a radius is what a picture of the track shows.
                let visible = Criterion::AtMost(0.1);
                measured.extend(if h > NAMED {
                    [error, track, change.found(stable)]
                } else if iterations == 0 {
                    [
                        error.on_condition(Criterion::AtMost(bound)),
                        track.claimed(visible),
                        change.claimed(stable),
                    ]
                } else {
                    [error.on_condition(Criterion::AtMost(bound)), track, change.claimed(stable)]
                });
            }
            measured.push(
                Measured::new(format!("power of h, {passes}"), slope(&errors), "1")
                    .found(Criterion::Between(1.8, 2.3)),
            );
        }
        Ok(Evidence { measured, figures: vec![] })
    },
};

/// The largest distance of the ball's centre from its track, along y (a).
pub(super) fn off_track(history: &super::History) -> f64 {
    let path = history.path(channels::POSITION, 0).into_iter();
    path.map(|(_, [x, y, _])| (y / RADIUS - (x / RADIUS).sin()).abs()).fold(0.0, f64::max)
}

pub const OFFSET_BALL: Claim = Claim {
    id: "pc87-offset-ball",
    title: "Speed of the ball with an offset mass centre",
    says: &[Says {
        report: "PC87",
        place: "7, fig. 9",
        text: "The ball with r0 = 0.15 a has an average velocity of about 0.35 units a second in the \
               y-direction, about a third of that of the ball without offset. Table 1 gives r0 = 0.15 cm \
               instead.",
    }],
    judged: Judged::Report,
    found: "That is not what the equations give: over 20 s the ball with r0 = 0.15 a moves at 2.906 radii a \
            second along x, 2.5 times as fast as without offset, the one with r0 = 0.15 cm at 1.555, 1.34 \
            times. It is what the report's own procedure gives: one pass, (6.6) with eps = 1e-6 and nothing \
            that returns a drift. With r0 = 0.15 a it leaves the track by half a radius within 6 s at 50 ms, \
            slows down, and has mean rates of 0.2 to 0.5 radii a second after 6 to 16 s, by step and span, \
            which are not printed.",
    condition: None,
    measure: |context| {
        let speeds = |r0: f64| {
            let history = ball(context, r0)?;
            let end = *history.times.last().ok_or(Failure::Missing("an end"))?;
            let travelled =
                |k| history.curve(channels::POSITION, k).last().map(|(_, at)| at / (RADIUS * end));
            travelled(0).zip(travelled(1)).ok_or(Failure::Missing("a motion"))
        };
        let (still, _) = speeds(0.0)?;
        let mut measured = vec![Measured::new("mean xdot over 20 s, no offset", still, "1/s")];
        for ((label, r0), expected) in OFFSETS.into_iter().zip([1.554_744_801, 2.906_041_134]) {
            let (x, y) = speeds(r0)?;
            // "About 0.35" is met by a fifth more or less, and "about a third" likewise.
            measured.extend([
                Measured::new(format!("mean ydot over 20 s, r0 = {label}"), y, "1/s")
                    .claimed(Criterion::Near(0.35, 0.2)),
                Measured::new(format!("mean xdot over 20 s in place of y, r0 = {label}"), x, "1/s")
                    .claimed(Criterion::Near(0.35, 0.2)),
                Measured::new(format!("of that without offset, r0 = {label}"), x / still, "1")
                    .claimed(Criterion::Near(0.33, 0.2)),
                Measured::new(format!("mean xdot as our reference solution has it, r0 = {label}"), x, "1/s")
                    .found(Criterion::Near(expected, 1e-6)),
            ]);
        }
        let (_, offset) = OFFSETS[1];
        for (h, spans) in [(0.05, [6.0, 8.0, 10.0]), (0.01, [10.0, 12.0, 16.0])] {
            let history = as_printed(context, offset, h, 20.0, &[channels::POSITION])?;
            let name = |what: String| format!("{what}, the printed procedure, r0 = 0.15 a, h = {h} s");
            measured.push(Measured::new(
                name("largest distance from the track in 6 s".to_string()),
                off_track(&history.until(6.0)),
                "radii a",
            ));
            for span in spans {
                let x = history.until(span).curve(channels::POSITION, 0);
                let (time, x) = *x.last().ok_or(Failure::Missing("a motion"))?;
                let rate =
                    Measured::new(name(format!("mean xdot over {span} s")), x / (RADIUS * time), "1/s");
                measured.push(rate.found(Criterion::Between(0.2, 0.52)));
            }
        }
        Ok(Evidence { measured, figures: vec![] })
    },
};

/// Angular velocity (rad/s) at every snapshot in space axes.
fn in_space(history: &super::History) -> [Vec<(f64, f64)>; 3] {
    let all: Vec<[f64; 3]> =
        (0..=history.last()).map(|k| to_space(history.attitude(k), history.angular_velocity(k))).collect();
    [0, 1, 2].map(|axis| history.times.iter().zip(&all).map(|(time, w)| (*time, w[axis])).collect())
}

/// The cubic through the four snapshots around `time`.
fn interpolated(curve: &[(f64, f64)], time: f64) -> f64 {
    let after = curve.iter().position(|(t, _)| *t > time).unwrap_or(curve.len());
    let first = after.saturating_sub(2).min(curve.len().saturating_sub(4));
    let four = &curve[first..(first + 4).min(curve.len())];
    let weight = |k: usize| -> f64 {
        let others = four.iter().enumerate().filter(|(other, _)| *other != k);
        others.map(|(_, (t, _))| (time - t) / (four[k].0 - t)).product()
    };
    four.iter().enumerate().map(|(k, (_, value))| weight(k) * value).sum()
}

/// By how much a vector differs from that so many waves before, as a share of the larger, where
/// x is this share of a wave past a wave's end: the largest of all waves.
fn return_change(history: &super::History, vector: &[Vec<(f64, f64)>], phase: f64, waves: usize) -> f64 {
    let mut crossings = if phase == 0.0 { vec![0.0] } else { Vec::new() };
    while let Some(time) = passes_wave(history, phase + crossings.len() as f64) {
        crossings.push(time);
    }
    let at: Vec<Vec<f64>> = crossings
        .iter()
        .map(|time| vector.iter().map(|component| interpolated(component, *time)).collect())
        .collect();
    let norm = |values: &mut dyn Iterator<Item = f64>| values.map(|x| x * x).sum::<f64>().sqrt();
    let change = |(before, after): (&Vec<f64>, &Vec<f64>)| {
        let largest = norm(&mut before.iter().copied()).max(norm(&mut after.iter().copied()));
        norm(&mut before.iter().zip(after).map(|(before, after)| after - before)) / largest
    };
    at.iter().zip(at.iter().skip(waves)).map(change).fold(f64::NAN, f64::max)
}

/// A motion returns, or does not, to this share: noise of the return map is 1e-10, and some 5 % is
/// what a picture shows.
const RETURNS: f64 = 0.05;

pub const PERIODS: Claim = Claim {
    id: "pc87-periods",
    title: "Periods of the ball's angular velocity",
    says: &[Says {
        report: "PC87",
        place: "7, figs. 3, 10",
        text: "The angular velocities are periodic without offset and no longer periodic with an offset of \
               0.15 a.",
    }],
    judged: Judged::Report,
    found: "Without offset the angular velocity is periodic exactly in space axes, every wave. In body axes, \
            in which the report has it, it is so to 4 % over two waves: the ball comes to the end of a wave \
            nearly half a turn away from where it began it. With 0.15 a two waves leave more than half in \
            either axes. With the r0 = 0.15 cm of table 1 they leave 9 % and 0.75 %.",
    condition: None,
    measure: |context| {
        let mut measured = Vec::new();
        let balls = OFFSETS.map(|(label, r0)| (format!("r0 = {label}"), r0));
        for (label, r0) in [("no offset".to_string(), 0.0)].into_iter().chain(balls) {
            let history = ball(context, r0)?;
            let own = [0, 1, 2].map(|axis| history.curve(channels::ANGULAR_VELOCITY, axis));
            for (axes, w) in [("body", &own), ("space", &in_space(&history))] {
                for waves in [1, 2] {
                    let change = return_change(&history, w, 0.0, waves);
                    let waves = if waves == 1 { "a wave".to_string() } else { format!("{waves} waves") };
                    let name = format!("change after {waves}, {axes} axes, {label}");
                    let change = Measured::new(name, change, "1");
                    measured.push(match (waves.as_str(), r0) {
                        ("2 waves", 0.0) => change.claimed(Criterion::AtMost(RETURNS)),
                        ("a wave", 0.0) if axes == "space" => change.found(Criterion::AtMost(1e-9)),
                        ("2 waves", r0) if r0 == OFFSETS[1].1 => change.claimed(Criterion::AtLeast(RETURNS)),
                        _ => change,
                    });
                }
            }
        }
        Ok(Evidence { measured, figures: vec![] })
    },
};

/// The three multipliers of (7.2) (N), with the signs of (2.1): forces on the ball are -B^T lam.
pub(super) fn multipliers(history: &super::History) -> [Vec<(f64, f64)>; 3] {
    let (floor, track) = (0, 1);
    [(floor, 0, -1.0), (floor, 1, -1.0), (track, 1, 1.0)].map(|(contact, axis, sign)| {
        let mut curve = history.curve_of(channels::CONTACT_FORCE, contact, axis);
        curve.iter_mut().for_each(|(_, force)| *force *= sign);
        curve
    })
}

/// Share of a wave at which the track has its crest: where a wave ends, all forces are zero without
/// offset.
const CREST: f64 = 0.25;

pub const FORCES: Claim = Claim {
    id: "pc87-forces",
    title: "Constraint forces on the rolling ball",
    says: &[Says {
        report: "PC87",
        place: "7, figs. 4, 11",
        text: "Without offset the three constraint forces are highly nonlinear while still periodic. With an \
               offset of 0.15 a the steering force is nonlinearly periodic, and the contact forces are \
               bounded.",
    }],
    judged: Judged::Report,
    found: "Without offset all three are periodic: on every crest they are what they were a wave before. \
            With 0.15 a the contact forces stay below what they reach within 20 s for 60 s. What nonlinearly \
            periodic means is not stated: on the crests the steering force is another one after one wave, \
            and after two.",
    condition: None,
    measure: |context| {
        let run = |r0: f64, end: f64| {
            let trial = Trial::new(&rolling_ball(r0), "dop853", 0.005, (end / 0.005) as u64);
            let channels = [channels::POSITION, channels::VELOCITY, channels::CONTACT_FORCE];
            trial.held_by("exact", &[]).every(1).run(context, &channels)
        };
        let largest = |curves: &[Vec<(f64, f64)>]| {
            curves.iter().flatten().map(|(_, force)| force.abs()).fold(0.0, f64::max)
        };
        let still = run(0.0, 20.0)?;
        let mut measured = vec![
            Measured::new(
                "change of the three forces after a wave, on its crests, no offset",
                return_change(&still, &multipliers(&still), CREST, 1),
                "1",
            )
            .claimed(Criterion::AtMost(1e-6)),
        ];
        let history = run(OFFSETS[1].1, 60.0)?;
        let [early, all] = [history.until(20.0), history.clone()].map(|history| multipliers(&history));
        measured.extend([
            Measured::new("largest contact force in 20 s, r0 = 0.15 a", largest(&early[..2]), "N"),
            Measured::new(
                "largest contact force in 60 s of that in 20 s, r0 = 0.15 a",
                largest(&all[..2]) / largest(&early[..2]),
                "1",
            )
            .claimed(Criterion::AtMost(1.2)),
            Measured::new("largest steering force in 60 s, r0 = 0.15 a", largest(&all[2..]), "N"),
        ]);
        for (waves, name) in [(1, "a wave"), (2, "two waves")] {
            let change = return_change(&history, &all[2..], CREST, waves);
            measured.push(Measured::new(
                format!("change of the steering force after {name}, on its crests, r0 = 0.15 a"),
                change,
                "1",
            ));
        }
        Ok(Evidence { measured, figures: vec![] })
    },
};
