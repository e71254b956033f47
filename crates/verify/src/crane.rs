//! PCD90's crane (VI.C): three links on ball joints whose tip is led at a given velocity, rigid or
//! of beam elements.
//!
//! Ball joints bear no torque: what the report calls joint torques is read as the moment of the
//! force that leads the tip about each joint.

use super::{Claim, Context, Criterion, Evidence, Failure, Judged, Measured, Says, Trial};
use polhode::base::Setting;
use polhode::math::quaternion::to_space;
use polhode::math::vector::{Vec3, add, cross, length, sub};
use polhode::observe::channels;
use polhode::shipped::part;
use polhode::study_file::mechanism_of_text;

/// Its links are described at their middles: half their lengths (m).
const HALVES: [f64; 3] = [0.5, 0.4, 0.3];
const RIGID: &str = part("crane.toml");
/// Four elements a link, of five nodes.
const FLEXIBLE: &str = part("crane_flexible.toml");
const NODES: usize = 5;

/// One of the two cranes on its way.
pub struct Led {
    /// (s)
    pub times: Vec<f64>,
    /// Positions of the tip (m), then its velocities (m/s).
    pub tip: Vec<Vec3<f64>>,
    pub velocity: Vec<Vec3<f64>>,
    /// Moments about foot, elbow and wrist (N m).
    pub torques: [Vec<Vec3<f64>>; 3],
}

/// The crane of beams with its stiffnesses multiplied by this.
fn of_beams(stiffness: f64) -> String {
    let line = |line: &str| {
        let (key, value) = line.split_once(" = \"")?;
        let (number, unit) = value.split_once(' ')?;
        let is_stiffness = ["EA", "GA", "GJ", "EI"].contains(&key);
        is_stiffness.then(|| Some(format!("{key} = \"{} {unit}", number.parse::<f64>().ok()? * stiffness)))?
    };
    FLEXIBLE.lines().map(|text| line(text).unwrap_or(text.to_string()) + "\n").collect()
}

/// 1 s of it, every 5 ms. `stiffness`: `None`: rigid links, h = 0.5 ms; else beams so many times as
/// stiff as the shipped ones, h = 0.1 ms, which those ask for.
pub fn led(context: &Context<'_>, stiffness: Option<f64>) -> Result<Led, Failure> {
    let flexible = stiffness.is_some();
    let (text, h) = stiffness.map_or((RIGID.to_string(), 5e-4), |stiffness| (of_beams(stiffness), 1e-4));
    let mechanism = mechanism_of_text("crane", &text).map_err(|_| Failure::Missing("the crane"))?;
    let settings = [("eps", 1e-8), ("gamma", 500.0), ("beta", 2.5e5)];
    let settings = settings.map(|(key, x)| (key, Setting::Number(x)));
    let trial = Trial::new(&mechanism, "staggered", h, (1.0 / h).round() as u64);
    let trial = trial.held_by("staggered", &settings).resynchronised(20).every((5e-3 / h).round() as u64);
    let channels = [
        channels::POSITION,
        channels::ATTITUDE,
        channels::VELOCITY,
        channels::ANGULAR_VELOCITY,
        channels::DRIVE_FORCE,
    ];
    let history = trial.run(context, &channels)?;
    let force = history.path(channels::DRIVE_FORCE, 0);
    let place = |body: usize, k: usize, along: f64| -> Vec3<f64> {
        let at = |channel, component| {
            history.of_owner(channel, component, body).get(k).copied().unwrap_or(f64::NAN)
        };
        let q = std::array::from_fn(|component| at(channels::ATTITUDE, component));
        add(
            std::array::from_fn(|component| at(channels::POSITION, component)),
            to_space(q, [along, 0.0, 0.0]),
        )
    };
    let last = mechanism.bodies.len() - 1;
    let mut run =
        Led { times: Vec::new(), tip: Vec::new(), velocity: Vec::new(), torques: Default::default() };
    for (k, (time, force)) in force.into_iter().enumerate() {
        let tip = place(last, k, if flexible { 0.0 } else { HALVES[2] });
        let at = |channel, component| {
            history.of_owner(channel, component, last).get(k).copied().unwrap_or(f64::NAN)
        };
        let three = |channel| std::array::from_fn(|component| at(channel, component));
        let q = std::array::from_fn(|component| at(channels::ATTITUDE, component));
        let arm = if flexible { 0.0 } else { HALVES[2] };
        let turning = to_space(q, cross(three(channels::ANGULAR_VELOCITY), [arm, 0.0, 0.0]));
        run.velocity.push(add(three(channels::VELOCITY), turning));
        for (joint, torques) in run.torques.iter_mut().enumerate() {
            let at = if flexible { place(NODES * joint, k, 0.0) } else { place(joint, k, -HALVES[joint]) };
            torques.push(cross(sub(tip, at), force));
        }
        run.times.push(time);
        run.tip.push(tip);
    }
    Ok(run)
}

/// The root of the mean square.
fn size(all: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = all.fold((0.0, 0.0), |(sum, count), x| (sum + x * x, count + 1.0));
    (sum / count).sqrt()
}

pub const TORQUES: Claim = Claim {
    id: "pcd90-torques",
    title: "Torques of rigid and flexible links that take one way",
    says: &[Says {
        report: "PCD90",
        place: "VI.C, figs. 5-8",
        text: "The paths of the tip differ little between rigid and flexible links, the joint torques \
            significantly.",
    }],
    judged: Judged::Unprinted,
    found: "The report prints no masses, lengths or stiffnesses: those of the crane are ours. Led by its tip \
            in 1 s, rigid or with four beam elements a link, it takes the tip along one way, for that is \
            prescribed. How much the moments of the tip's force about the joints differ is a matter of \
            stiffness. They differ significantly where links are a hundred times softer than those of the \
            shipped crane; there by 1 to 4 % in the root mean square.",
    condition: None,
    measure: |context| {
        let rigid = led(context, None)?;
        let way: f64 = rigid.tip.windows(2).map(|two| length(sub(two[1], two[0]))).sum();
        let mut measured = vec![Measured::new("length of the tip's way", way, "m")];
        let names = ["foot", "elbow", "wrist"];
        for (joint, name) in names.into_iter().enumerate() {
            let own = size(rigid.torques[joint].iter().map(|torque| length(*torque)));
            measured.push(Measured::new(
                format!("torque at the {name}, rigid, root mean square"),
                own,
                "N m",
            ));
        }
        let differ = Criterion::Between(0.1, 10.0);
        for stiffness in [1.0, 0.1, 0.01] {
            let flexible = led(context, Some(stiffness))?;
            let apart = rigid.tip.iter().zip(&flexible.tip).map(|(a, b)| length(sub(*a, *b)));
            let apart = apart.fold(0.0, f64::max);
            measured.push(
                Measured::new(
                    format!("largest distance of the two tips, stiffness times {stiffness}, of the way"),
                    apart / way,
                    "1",
                )
                .claimed(Criterion::AtMost(0.01)),
            );
            for (joint, name) in names.into_iter().enumerate() {
                let (a, b) = (&rigid.torques[joint], &flexible.torques[joint]);
                let own = size(a.iter().map(|torque| length(*torque)));
                let apart = size(a.iter().zip(b).map(|(a, b)| length(sub(*a, *b))));
                let found = Measured::new(
                    format!(
                        "difference of the torque at the {name}, stiffness times {stiffness}, of the rigid \
                         one"
                    ),
                    apart / own,
                    "1",
                );
                measured.push(match stiffness {
                    0.01 => found.claimed(differ),
                    _ => found,
                });
            }
        }
        Ok(Evidence { measured, figures: vec![] })
    },
};
