//! W84: bodies that move, which the thesis tells of and prints no data of: levels of the triangle,
//! the elastic connecting rod, rigid motion and deformation superposed, a blow at a pendulum's tip.
//! Data are ours.

use super::{Claim, Context, Criterion, Evidence, Failure, History, Judged, Measured, Says, Trial};
use polhode::describe::{Axes, Channel, InertiaAbout, Level, Load, LoadKind, Mechanism, Support};
use polhode::math::vector::length;
use polhode::observe::channels;
use polhode::shipped::part;
use polhode::study::yardsticks::{free_body, torque};
use polhode::study_file::mechanism_of_text;

use super::w84::{DENSITY, LENGTH, MODES, SIDE, STIFFNESS};

/// Step (s) and number of steps of the triangle's runs.
const TRIANGLE: (f64, u64) = (2e-3, 700);

/// Angular velocity of the triangle at the start (rad/s), as printed.
const TRIANGLE_SPEED: f64 = 10.0;

/// The shipped triangle at a level: masses of 1 kg, radius of 1 m and springs of 1000/3 N/m.
fn triangle(level: Level) -> Result<Mechanism, Failure> {
    let modal = format!("'''{}'''", part("triangle.json"));
    let text = part("triangle.toml").replace("\"triangle.json\"", &modal);
    let mut mechanism = mechanism_of_text("triangle", &text).map_err(|_| Failure::Missing("the triangle"))?;
    mechanism.bodies[0].flexible.as_mut().ok_or(Failure::Missing("the triangle's modes"))?.level = level;
    Ok(mechanism)
}

/// The triangle's motion at a level over 1.4 s, as far as figures 7.5 to 7.8 show it.
pub fn triangle_run(context: &Context<'_>, level: Level, channels: &[Channel]) -> Result<History, Failure> {
    Trial::new(&triangle(level)?, "dop853", TRIANGLE.0, TRIANGLE.1).every(1).run(context, channels)
}

fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.map(f64::abs).fold(0.0, f64::max)
}

pub const LEVELS: Claim = Claim {
    id: "w84-levels",
    title: "What the levels of a flexible body change",
    says: &[Says {
        report: "W84",
        place: "5.2, p. 92",
        text: "Of the triangle's angular velocity 25 % change from level 0 to level 1/2, 3 % from there to \
               level 1, nothing noticeable to 3/2; of the deformations nothing perceptible changes above \
               level 1/2.",
    }],
    judged: Judged::Unprinted,
    found: "Start and shapes are the thesis's, masses, radius and springs ours, fitted to the 25 %. Then the \
            least angular velocity changes by 26 % from level 0 to 1/2, by 0.2 % to level 1 and by 0.3 % to \
            3/2. At one time the levels differ by 20 % and 6 %, since they part in phase, and the \
            deformations differ perceptibly: the first mode by more than its own size from level 1/2 to 1, \
            by 4 % of it to 3/2.",
    condition: None,
    measure: |context| {
        let channels = [channels::ANGULAR_VELOCITY, channels::AMPLITUDE.of_mode(0)];
        let levels = [Level::Zero, Level::Half, Level::One, Level::OneAndHalf];
        let runs = levels.into_iter().map(|level| triangle_run(context, level, &channels));
        let runs = runs.collect::<Result<Vec<_>, Failure>>()?;
        let speed = |run: &History| run.series(channels::ANGULAR_VELOCITY, 2, 0).to_vec();
        let mode = |run: &History| run.series(channels::AMPLITUDE.of_mode(0), 0, 0).to_vec();
        let least = |run: &History| speed(run).into_iter().fold(f64::INFINITY, f64::min);
        let apart = |a: Vec<f64>, b: Vec<f64>| largest(a.into_iter().zip(b).map(|(a, b)| a - b));
        let criteria = [
            ("0 to 1/2", Criterion::Near(0.25, 0.1)),
            ("1/2 to 1", Criterion::Near(0.03, 0.2)),
            ("1 to 3/2", Criterion::AtMost(0.005)),
        ];
        let mut measured = Vec::new();
        for ((name, speeds), pair) in criteria.into_iter().zip(runs.windows(2)) {
            let [before, after] = [&pair[0], &pair[1]];
            let of_least = (least(after) - least(before)).abs() / TRIANGLE_SPEED;
            let at_one_time = apart(speed(before), speed(after)) / TRIANGLE_SPEED;
            measured.push(
                Measured::new(format!("{name}: least angular velocity, of 10 rad/s"), of_least, "1")
                    .claimed(speeds),
            );
            measured.push(Measured::new(
                format!("{name}: angular velocity at one time, of 10 rad/s"),
                at_one_time,
                "1",
            ));
            if name != "0 to 1/2" {
                let of_mode = apart(mode(before), mode(after)) / largest(mode(before).into_iter());
                let name = format!("{name}: first mode at one time, of its largest");
                measured.push(Measured::new(name, of_mode, "1").claimed(Criterion::AtMost(0.02)));
            }
        }
        Ok(Evidence { measured, figures: vec![] })
    },
};

/// (s)
const ROD_STEP: f64 = 5e-5;

/// Speed of the crank (rad/s), as in the mechanism's file.
pub const CRANK: f64 = 124.8;

/// Half the rod's length (m).
const HALF_ROD: f64 = 0.1524;

/// One mode of a rod on hinges, or three free modes.
pub const ON_HINGES: &str = "modes_y = 1\nboundary = \"simply_supported\"";
pub const OF_FREE_ENDS: &str = "modes_y = 3";

/// As far as the thesis draws the rod: crank angle (rad).
pub const SHOWN: f64 = 8.0;

/// Deflection (m) of the rod's middle from the line between its ends over time (s), with modes as
/// in `shapes`.
pub fn rod(context: &Context<'_>, shapes: &str) -> Result<Vec<(f64, f64)>, Failure> {
    let text = part("slider_crank_elastic.toml").replace("modes_y = 3", shapes);
    let missing = Failure::Missing("the slider-crank");
    let mechanism = mechanism_of_text("slider-crank", &text).map_err(|_| missing)?;
    let flexible = mechanism.bodies[0].flexible.as_ref().ok_or(Failure::Missing("the elastic rod"))?;
    let shapes =
        |x: f64| flexible.modal.local([x, 0.0, 0.0]).map_err(|_| Failure::Missing("a point of the rod"));
    let (start, middle, finish) = (shapes(-HALF_ROD)?, shapes(0.0)?, shapes(HALF_ROD)?);
    let modes: Vec<Channel> =
        (0..flexible.modes() as u8).map(|mode| channels::AMPLITUDE.of_mode(mode)).collect();
    let steps = (SHOWN / CRANK / ROD_STEP).round() as u64;
    let trial = Trial::new(&mechanism, "dop853", ROD_STEP, steps).held_by("exact", &[]).every(4);
    let history = trial.run(context, &modes)?;
    let mut curve = vec![(0.0, 0.0); history.times.len()];
    for (k, channel) in modes.iter().enumerate() {
        let chord = 0.5 * (start.shapes[k].y + finish.shapes[k].y);
        for (point, (time, amplitude)) in curve.iter_mut().zip(history.curve(*channel, 0)) {
            *point = (time, point.1 + amplitude * (middle.shapes[k].y - chord));
        }
    }
    Ok(curve)
}

pub const ROD: Claim = Claim {
    id: "w84-connecting-rod",
    title: "The elastic connecting rod by free modes",
    says: &[Says {
        report: "W84",
        place: "figs. 7.3, 7.4",
        text: "The deflection of the rod's middle by three free modes agrees very well in magnitude and \
               shape with that by one mode of another work; axes go to 0.010 on either side.",
    }],
    judged: Judged::Unprinted,
    found: "Crank and rod are commonly quoted ones, not printed; the other work's longitudinal mode is left \
            out. The two runs agree within a few percent of the largest deflection, which is 0.0105 of the \
            rod's length.",
    condition: None,
    measure: |context| {
        let (one, three) = (rod(context, ON_HINGES)?, rod(context, OF_FREE_ENDS)?);
        let size = largest(one.iter().map(|(_, y)| *y));
        let apart = largest(one.iter().zip(&three).map(|((_, a), (_, b))| a - b));
        let magnitude = largest(three.iter().map(|(_, y)| *y));
        Ok(Evidence {
            measured: vec![
                Measured::new("largest difference of the two, of the largest deflection", apart / size, "1")
                    .claimed(Criterion::AtMost(0.1)),
                Measured::new(
                    "largest deflection of three free modes, of that of one mode",
                    magnitude / size,
                    "1",
                )
                .claimed(Criterion::Near(1.0, 0.05)),
                Measured::new("largest deflection, of the rod's length", magnitude / (2.0 * HALF_ROD), "1")
                    .claimed(Criterion::Near(0.010, 0.1)),
            ],
            figures: vec![],
        })
    },
};

/// Duration of the pendulum's fall (s), and the step (s).
const FALL: f64 = 0.4;
const FALL_STEP: f64 = 2e-4;

/// Standard gravity (m/s²).
const GRAVITY: f64 = 9.806_65;

/// The beam of table 7.1, level, on a hinge at its start, with free modes.
fn hinged_beam() -> Result<Mechanism, Failure> {
    let mass = DENSITY * SIDE * SIDE * LENGTH;
    let text = format!(
        "gravity = [0, -{GRAVITY}, 0]\n[[body]]\nname = \"beam\"\ninitial.position = [{}, 0, 0]\n\
         [body.flexible.beam]\nlength = {LENGTH}\nmass = {mass}\npolar_inertia = 1e-6\n\
         bending_stiffness = {STIFFNESS}\n\
         modes_y = {MODES}\n[[joint]]\nname = \"hinge\"\nkind = \"revolute\"\n\
         bodies = [\"ground\", \"beam\"]\npoints = [[0, 0, 0], \"start\"]\naxes = [0, 0, 1]\n",
        LENGTH / 2.0
    );
    mechanism_of_text("beam", &text).map_err(|_| Failure::Missing("the hinged beam"))
}

/// Results of the superposed run.
struct Superposed {
    /// Largest, at the hinge (m).
    gap: f64,
    /// Largest across the beam, of the rigid run (N).
    reaction: f64,
    /// Last of the rigid run (rad/s).
    velocity: f64,
}

/// The beam let go level: first rigid, theta'' = -3 g cos(theta)/(2 L), where the hinge bears m g
/// cos(theta)/4 across; and its modes under that force alone, m_k (eta'' + w² eta) = F
/// psi_k(hinge). Classical Runge-Kutta steps.
fn superposed(beam: &Mechanism) -> Result<Superposed, Failure> {
    let modal = &beam.bodies[0].flexible.as_ref().ok_or(Failure::Missing("the beam's modes"))?.modal;
    let (mass, frequencies) = (modal.constants.mass, modal.frequencies());
    let hinge = modal.local([-LENGTH / 2.0, 0.0, 0.0]).map_err(|_| Failure::Missing("the beam's end"))?;
    let across = |angle: f64| mass * GRAVITY * angle.cos() / 4.0;
    let rate = |y: &[f64]| -> Vec<f64> {
        let motion = [y[1], -1.5 * GRAVITY / LENGTH * y[0].cos()];
        let modal = (0..frequencies.len()).flat_map(|k| {
            let driven = across(y[0]) * hinge.shapes[k].y / modal.constants.modal_mass[(k, k)];
            [y[3 + 2 * k], driven - frequencies[k].powi(2) * y[2 + 2 * k]]
        });
        motion.into_iter().chain(modal).collect()
    };
    let plus =
        |y: &[f64], s: f64, k: &[f64]| -> Vec<f64> { y.iter().zip(k).map(|(y, k)| y + s * k).collect() };
    let (h, mut y) = (FALL_STEP, vec![0.0; 2 + 2 * frequencies.len()]);
    let mut largest = Superposed { gap: 0.0, reaction: across(0.0), velocity: 0.0 };
    for _ in 0..(FALL / h).round() as usize {
        let a = rate(&y);
        let b = rate(&plus(&y, h / 2.0, &a));
        let c = rate(&plus(&y, h / 2.0, &b));
        let d = rate(&plus(&y, h, &c));
        for (i, value) in y.iter_mut().enumerate() {
            *value += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
        }
        let gap: f64 = (0..frequencies.len()).map(|k| hinge.shapes[k].y * y[2 + 2 * k]).sum();
        largest.gap = largest.gap.max(gap.abs());
        largest.reaction = largest.reaction.max(across(y[0]).abs());
    }
    Ok(Superposed { velocity: y[1], ..largest })
}

pub const SUPERPOSED_RUN: Claim = Claim {
    id: "w84-superposed-run",
    title: "A superposed run beside the coupled one",
    says: &[Says {
        report: "W84",
        place: "7.2, p. 113",
        text: "In the superposed runs bodies part at the joints as they deform, reactions do not depend on \
               deformation, and rigid motion is not affected; in coupled runs none of this is so.",
    }],
    judged: Judged::Unprinted,
    found: "The three mechanisms are not printed; ours is the beam of table 7.1, hung on a hinge and let go \
            level, with three free modes. Superposed, the hinge parts by a third of a millimetre; the \
            reactions of the rigid run are given, and its motion too. Coupled, the hinge stays closed to \
            rounding, its force is 1.8 times that of the rigid run while the beam vibrates, and the beam's \
            frame turns otherwise, by 0.7 % after 0.4 s.",
    condition: None,
    measure: |context| {
        let mechanism = hinged_beam()?;
        let alone = superposed(&mechanism)?;
        let channels = [channels::CONSTRAINT_VIOLATION, channels::FORCE, channels::ANGULAR_VELOCITY];
        let steps = (FALL / FALL_STEP).round() as u64;
        let trial = Trial::new(&mechanism, "dop853", FALL_STEP, steps).held_by("exact", &[]).every(1);
        let coupled = trial.run(context, &channels)?;
        let force = coupled.path(channels::FORCE, 0);
        // In the first tenth of a second the beam is nearly level, and the hinge bears hardly
        // anything along it.
        let early = force.iter().take_while(|(time, _)| *time <= 0.1);
        let reaction = early.map(|(_, force)| length(*force)).fold(0.0, f64::max);
        let velocity = coupled.angular_velocity(coupled.last())[2];
        Ok(Evidence {
            measured: vec![
                Measured::new("superposed: largest gap at the hinge", alone.gap, "m")
                    .claimed(Criterion::AtLeast(1e-4)),
                Measured::new(
                    "coupled: largest gap at the hinge",
                    coupled.largest(channels::CONSTRAINT_VIOLATION),
                    "m",
                )
                .claimed(Criterion::AtMost(1e-9)),
                Measured::new("superposed: largest reaction across the beam", alone.reaction, "N"),
                Measured::new("coupled: largest force of the hinge within 0.1 s", reaction, "N"),
                Measured::new("the same, of the superposed reaction", reaction / alone.reaction, "1")
                    .claimed(Criterion::AtLeast(1.05)),
                Measured::new("angular velocity at 0.4 s, superposed", alone.velocity, "rad/s"),
                Measured::new(
                    "angular velocity of the frame, coupled, of that",
                    velocity / alone.velocity - 1.0,
                    "1",
                ),
            ],
            figures: vec![],
        })
    },
};

pub const TIP_IMPULSE: Claim = Claim {
    id: "w84-tip-impulse",
    title: "A pendulum struck at its tip",
    says: &[Says {
        report: "W84",
        place: "7.2, p. 109",
        text: "A single pendulum with an impulse at its tip, and five other rigid problems, gave results \
               that could not be told from those of another program.",
    }],
    judged: Judged::Unprinted,
    found: "Neither data nor results are printed. A rod of 2 kg and 1.5 m (ours) on a hinge, struck with 3 N \
            s within 1 ms, turns with 3 P/(m L) = 3 rad/s, as the balance of momentum about the hinge says.",
    condition: None,
    measure: |context| {
        const BLOW: f64 = 3.0;
        let (mass, span, within) = (2.0, 1.5, 1e-3);
        let about_hinge = mass * span * span / 3.0;
        let mut rod = free_body([about_hinge, about_hinge, 1e-3], [1.0, 0.0, 0.0, 0.0], [0.0; 3]);
        let body = &mut rod.bodies[0];
        (body.mass, body.support, body.inertia_about) = (mass, Support::FixedPoint, InertiaAbout::Origin);
        body.centre_of_mass = [0.0, 0.0, -span / 2.0];
        // Across the rod, which hangs; it turns with it.
        let blow = torque("blow", Axes::Body, &[(0.1, 0.1 + within, [0.0, BLOW / within, 0.0])]);
        rod.loads = vec![Load { kind: LoadKind::Force, point: [0.0, 0.0, -span], ..blow }];
        let history =
            Trial::new(&rod, "staggered", within, 200).run(context, &[channels::ANGULAR_VELOCITY])?;
        let w = history.angular_velocity(history.last())[0];
        let expected = 3.0 * BLOW / (mass * span);
        Ok(Evidence {
            measured: vec![
                Measured::new("angular velocity after the blow, of 3 P/(m L)", w / expected, "1")
                    .claimed(Criterion::Near(1.0, 1e-9)),
            ],
            figures: vec![],
        })
    },
};
