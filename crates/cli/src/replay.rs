//! `polhode replay`: runs one instance again by the reference.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use super::{FAILED, Failure, WRONG_INPUT, parse_time, print};
use polhode::base::text::WIDEST;
use polhode::base::{Precision, known_within, significant};
use polhode::output::NEVER;
use polhode::study;
use polhode::study::replay::{PATIENCE, Replay, ReplayError, replay_within};

/// Compute one instance of a finished run again by the independent f64 reference, and compare.
///
/// *coding* compares by the same method and step: does the fast program compute what the method
/// says? *step* compares with an accurate solution: is the step short enough?
#[derive(Debug, clap::Args)]
pub struct ReplayArguments {
    /// Output folder of a run.
    dir: PathBuf,
    /// Number of the instance, counted from 0.
    #[arg(long, short, allow_negative_numbers = true)]
    instance: u64,
    /// Print the trajectory as CSV and nothing else, without an accurate solution.
    #[arg(long)]
    csv: bool,
    /// Time limit of the accurate solution, as "1 min" [default: 10 s]. It judges the step, and
    /// stands for a method that chooses its steps itself.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    patience: Option<f64>,
}

pub(super) fn run(arguments: ReplayArguments) -> Result<u8, Failure> {
    let ReplayArguments { dir, instance, csv, patience } = arguments;
    let patience = match (csv, patience) {
        (true, _) => Duration::ZERO,
        (false, Some(seconds)) => Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX),
        (false, None) => PATIENCE,
    };
    let replay = replay_within(&dir, instance, patience, &NEVER).map_err(|error| {
        let code = match error {
            ReplayError::Reference(_) | ReplayError::OutOfPatience { .. } => FAILED,
            _ => WRONG_INPUT,
        };
        Failure { code, message: error.to_string() }
    })?;
    print(&if csv { trajectory_csv(&replay) } else { replay_text(&replay, instance) })
}

/// The columns of a single body stand without its name.
fn trajectory_csv(replay: &Replay) -> String {
    const OF_BODY: [&str; 13] = [
        "q0", "q1", "q2", "q3", "wx_rad_s", "wy_rad_s", "wz_rad_s", "x_m", "y_m", "z_m", "vx_m_s", "vy_m_s",
        "vz_m_s",
    ];
    let bodies = &replay.study.mechanism.bodies;
    let prefix = |name: &str| if bodies.len() == 1 { String::new() } else { format!("{name}.") };
    let mut names = vec!["time_s".to_string()];
    for body in bodies {
        names.extend(OF_BODY.map(|column| format!("{}{column}", prefix(&body.name))));
        let mode = |k: usize| [format!("amplitude_{k}"), format!("amplitude_rate_{k}_per_s")];
        names.extend((0..body.modes()).flat_map(mode).map(|column| prefix(&body.name) + &column));
    }
    names.extend(["energy_J", "hx_kg_m2_s", "hy_kg_m2_s", "hz_kg_m2_s"].map(str::to_string));
    let has_joints = !replay.study.mechanism.joints.is_empty();
    if has_joints {
        names.push("constraint_violation".to_string());
    }
    let mut text = names.join(",") + "\n";
    for s in &replay.states {
        let mut row = vec![s.time];
        for body in &s.bodies {
            row.extend(body.attitude);
            row.extend(body.angular_velocity);
            row.extend(body.position);
            row.extend(body.velocity);
            let modes = body.amplitudes.iter().zip(&body.amplitude_rates);
            row.extend(modes.flat_map(|(amplitude, rate)| [amplitude, rate]));
        }
        row.push(s.energy);
        row.extend(s.angular_momentum);
        if has_joints {
            row.push(s.constraint_violation);
        }
        let row: Vec<String> = row.iter().map(f64::to_string).collect();
        text.push_str(&row.join(","));
        text.push('\n');
    }
    text
}

/// Numbers of the trajectory are printed to the second digit of this share of the largest.
const READABLE: f64 = 1e-5;

/// Rows of the trajectory that the replay prints.
const PRINTED_ROWS: usize = 21;

fn replay_text(replay: &Replay, instance: u64) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}, instance {instance}: by the f64 reference", replay.study.title);
    let _ = writeln!(text, "\ndrawn");
    for (column, value) in replay.columns.iter().zip(&replay.drawn) {
        let _ = writeln!(text, "  {:<32} {value:>22} {}", column.name, column.unit);
    }
    let bodies = &replay.study.mechanism.bodies;
    let wide = bodies.iter().map(|body| body.name.chars().count()).max().unwrap_or(0).clamp(4, WIDEST);
    let _ = writeln!(
        text,
        "\n{:>10}  {:<wide$}  {:>35}  {:>47}  {:>35}  {:>14}",
        "time (s)",
        "body",
        "position x y z (m)",
        "attitude q0 q1 q2 q3 (1)",
        "angular velocity x y z (rad/s)",
        "energy (J)"
    );
    let bodies_on_the_way = || replay.states.iter().flat_map(|s| &s.bodies);
    let sizes = [
        largest(bodies_on_the_way().flat_map(|body| &body.position)),
        largest(bodies_on_the_way().flat_map(|body| &body.angular_velocity)),
    ];
    let vector = |x: &[f64], size: f64| -> String {
        x.iter().map(|x| format!("{:>11}", known_within(*x, READABLE * size))).collect::<Vec<_>>().join(" ")
    };
    let every = replay.states.len().div_ceil(PRINTED_ROWS).max(1);
    let last = replay.states.len().saturating_sub(1);
    for (i, s) in replay.states.iter().enumerate() {
        if i % every != 0 && i != last {
            continue;
        }
        // Each further body has a line of its own.
        for (b, body) in s.bodies.iter().enumerate() {
            let q = vector(&body.attitude, 1.0);
            let w = vector(&body.angular_velocity, sizes[1]);
            let r = vector(&body.position, sizes[0]);
            let name = &bodies[b].name;
            let _ = match b {
                0 => writeln!(
                    text,
                    "{:>10}  {name:<wide$}  {r:>35}  {q:>47}  {w:>35}  {:>14}",
                    significant(s.time, 7),
                    significant(s.energy, 9)
                ),
                _ => writeln!(text, "{:>10}  {name:<wide$}  {r:>35}  {q:>47}  {w:>35}", ""),
            };
        }
    }
    let _ = writeln!(text, "\nthe run's verdict: {} at step {}", replay.verdict, replay.verdict_step);
    if let Some(step) = replay.non_finite_at {
        let _ = writeln!(text, "the reference itself left the finite numbers at step {step}");
    }
    if !replay.comparison.is_empty() {
        let _ = writeln!(
            text,
            "\n{:<32} {:>16} {:>16} {:>12} {:>16} {:>12}",
            "at the end", "run", "same steps", "difference", "accurate", "difference"
        );
        for c in &replay.comparison {
            let _ = writeln!(
                text,
                "{:<32} {:>16} {:>16} {:>12} {:>16} {:>12} {}",
                c.name,
                significant(c.stored, 10),
                significant(c.reference, 10),
                significant(c.stored - c.reference, 3),
                significant(c.accurate, 10),
                significant(c.stored - c.accurate, 3),
                c.unit
            );
        }
        text.push_str(&replay_verdicts(replay));
    }
    text
}

fn largest<'a>(values: impl Iterator<Item = &'a f64>) -> f64 {
    values.map(|x| x.abs()).filter(|x| x.is_finite()).fold(0.0, f64::max)
}

/// The distance that rounding can leave where the coding is right.
fn allowed(precision: Precision) -> f64 {
    match precision {
        Precision::F32 => 1e-2,
        // Constants of the mechanism are single numbers.
        Precision::F32Compensated => 1e-3,
        Precision::F64 => 1e-8,
    }
}

/// Returns the verdicts of the two comparisons, as text.
fn replay_verdicts(replay: &Replay) -> String {
    let study::replay::Distances { coding, step } = replay.distances();
    let mut text = String::new();
    if replay.without_twin {
        let _ = writeln!(
            text,
            "\ncoding: not judged by itself: the method {} chooses its steps, \
             and the reference does not take the same",
            replay.study.method.name
        );
    } else {
        let allowed = allowed(replay.study.run.precision);
        let word = if coding <= allowed { "confirmed" } else { "not confirmed" };
        let _ = writeln!(
            text,
            "\ncoding: {word}: the independent reference, by the same method and step, \
             differs by {} (at most {} is rounding)",
            significant(coding, 2),
            significant(allowed, 1)
        );
    }
    let allowed = study::converged::allowed_error(&replay.study);
    let _ = match &replay.not_accurate {
        Some(why) => writeln!(text, "step: not judged: no accurate solution: {why}"),
        None if step <= allowed => {
            writeln!(
                text,
                "step: RESOLVED. The accurate solution differs by {} ({} allowed)",
                significant(step, 2),
                significant(allowed, 6)
            )
        }
        None => writeln!(
            text,
            "step: NOT RESOLVED. The accurate solution differs by {} ({} allowed): method, step, precision \
             or joints are off by that, however well the coding is confirmed",
            significant(step, 2),
            significant(allowed, 6)
        ),
    };
    text
}
