//! PCD90's crane (VI.C) with links that are rigid, of modes, and of beam elements: the torques that
//! the same motion takes.

use crate::common::engine::Ready;
use crate::common::flexible::{crane, mechanism, reference_file, rows};
use crate::common::root;
use crate::common::slope;
use crate::common::study::{Varied, study};
use crate::common::tolerances::{
    CRANE_LIMIT, CRANE_MODES_AND_BEAMS, CRANE_RINGING, CRANE_TORQUE, CRANE_TWIST, CRANE_WITHOUT_TWIST,
};
use fearless_simd::Level;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use polhode::base::{Options, Precision, Setting};
use polhode::describe::{Channel, Constraints, Mechanism, Quantity, Study};
use polhode::observe::channels;
use polhode::study_file::read_mechanism;

/// Torques of the four gears at one snapshot (N m).
type Torques = [f64; 4];

/// Where every joint's coordinate is between 0 and 1: with the rate 2 sin², as shipped, and with
/// the rate 8/3 sin⁴, which has two more derivatives at the start.
const SHIPPED: &str = "(t/T - sin(2*pi*t/T)/(2*pi))";
const SMOOTH: &str = "(t/T - 2*sin(2*pi*t/T)/(3*pi) + sin(4*pi*t/T)/(12*pi))";

/// A shipped crane, with these replacements in its text.
fn driven(kind: &str, changes: &[(&str, &str)]) -> Mechanism {
    let file = root().join(format!("mechanisms/crane_joints_{kind}.toml"));
    let mut text = std::fs::read_to_string(file).unwrap();
    for (from, to) in changes {
        assert!(text.contains(from), "{kind}: {from}");
        text = text.replace(from, to);
    }
    mechanism(&text)
}

fn constrain(study: &mut Study) {
    let number = |options: Options, (key, x): (&'static str, f64)| options.with(key, Setting::Number(x));
    let options = [("gamma", 500.0), ("beta", 2.5e5)].into_iter().fold(Options::default(), number);
    study.constraints = Constraints { treatment: "staggered", options, project: 0 };
}

/// `[instance][snapshot]` every 20 ms after the start, with links so many times as stiff;
/// `resynchronise` as in studies.
fn torques(
    mechanism: &Mechanism,
    h: f64,
    duration: f64,
    resynchronise: u64,
    stiffness: &[f64],
) -> Vec<Vec<Torques>> {
    let mut study = study(mechanism.clone(), stiffness.len() as u64, h, (duration / h).round() as u64);
    study.method.resynchronise = resynchronise;
    study.observe.every = (0.02 / h).round() as u64;
    constrain(&mut study);
    let factors: Vec<[f64; 1]> = stiffness.iter().map(|factor| [*factor]).collect();
    for (position, number) in mechanism.numbers().iter().enumerate() {
        if ["stiffness_scale", "stiffness_factor"].contains(&&*number.part) {
            study = study.rows(Quantity::Number(position), &factors);
        }
    }
    let ready = Ready::new(study);
    let mut found = vec![Vec::new(); stiffness.len()];
    let mut backend = ready.cpu(Precision::F64, Level::new(), false);
    ready.watch(&mut *backend, 0, stiffness.len(), |outcome| {
        for (all, row) in found.iter_mut().zip(ready.observe(outcome, &[channels::DRIVE_TORQUE])) {
            all.push([row[0], row[1], row[2], row[3]]);
        }
    });
    found
}

/// By gear: the root of the mean square of the differences, of that of the second.
fn apart(a: &[Torques], b: &[Torques]) -> Torques {
    std::array::from_fn(|gear| {
        let square = |f: &dyn Fn(usize) -> f64| (0..a.len()).map(|k| f(k) * f(k)).sum::<f64>();
        (square(&|k| a[k][gear] - b[k][gear]) / square(&|k| b[k][gear])).sqrt()
    })
}

/// The stiffer the links, the nearer are the torques to those of rigid ones. What a link bends
/// under an acceleration a(t) is a/omega², so that the torque differs by a''/omega², as
/// 1/stiffness, where the motion begins smoothly. The shipped motion begins with a jerk j: the
/// links ring with j/omega³, and the torque with j/omega, as the root of 1/stiffness.
#[test]
fn stiff_links_take_the_torques_of_rigid_ones() {
    let stiffness = [4.0, 8.0, 16.0];
    // Links of beams ring as those of modes do, with .54, at twice the cost.
    for (motion, kinds, expected, tolerance) in [
        (SMOOTH, &[("modal", 8e-5), ("beams", 4e-5)][..], 1.0, CRANE_LIMIT),
        (SHIPPED, &[("modal", 8e-5)], 0.5, CRANE_RINGING),
    ] {
        let changes = [(SHIPPED, motion)];
        let rigid = torques(&driven("rigid", &changes), 5e-4, 1.2, 20, &[1.0]).remove(0);
        for &(kind, h) in kinds {
            let flexible = torques(&driven(kind, &changes), h, 1.2, 0, &stiffness);
            let all: Vec<Torques> = flexible.iter().map(|torques| apart(torques, &rigid)).collect();
            for gear in 0..4 {
                let points: Vec<(f64, f64)> =
                    stiffness.iter().zip(&all).map(|(s, apart)| (1.0 / s, apart[gear])).collect();
                println!("{kind}, gear {gear}, {expected}: slope {:.3}, {points:?}", slope(&points));
                assert!((slope(&points) - expected).abs() < tolerance, "{kind}, gear {gear}: {points:?}");
            }
        }
    }
}

/// As shipped, for half of the motion. What is left between modes and beams at the slewing gear is
/// twist, of which three free modes a link carry 1 - .10: where the links twist a tenth as much, a
/// tenth of it is left.
#[test]
fn links_of_modes_take_the_torques_of_links_of_beams() {
    let modal = torques(&driven("modal", &[]), 2e-4, 1.5, 20, &[1.0]).remove(0);
    let beams = torques(&driven("beams", &[]), 1e-4, 1.5, 20, &[1.0]).remove(0);
    let bent = apart(&modal, &beams);
    println!("modes and beams: {bent:?}");
    assert!(
        bent[0] < CRANE_TWIST && bent[1..].iter().all(|apart| *apart < CRANE_MODES_AND_BEAMS),
        "{bent:?}"
    );

    let stiff = |kind, from, to, h| torques(&driven(kind, &[(from, to)]), h, 0.9, 20, &[1.0]).remove(0);
    let modal = stiff("modal", "torsional_stiffness = \"40.0", "torsional_stiffness = \"400.0", 1e-4);
    let beams = stiff("beams", "GJ = \"40.0", "GJ = \"400.0", 5e-5);
    let untwisted = apart(&modal, &beams);
    println!("where nothing twists: {untwisted:?}");
    assert!(untwisted[0] < CRANE_WITHOUT_TWIST, "{untwisted:?}");
}

/// The crane that is led by its tip, with rigid and with flexible links, for 1 s: the force at the
/// tip and where the three joints are give the torques that the report asks for,
/// `tau_j = (P_tip - P_j) x F`.
#[test]
fn torques_of_the_crane_that_is_led_are_the_reference_ones() {
    let file = reference_file("crane_three_flexible_links");
    let lumps = read_mechanism(&root().join("mechanisms/crane.toml")).unwrap();
    for (mechanism, name) in [(lumps, "rigid"), (crane(), "level2")] {
        let (h, every) = (1e-4, 200);
        let mut study = study(mechanism.clone(), 1, h, 50 * every);
        study.method.resynchronise = 20;
        study.observe.every = every;
        constrain(&mut study);
        let modes = mechanism.bodies.iter().map(|body| body.flexible.as_ref().map_or(0, |f| f.modes()));
        let modes: Vec<usize> = modes.collect();
        let amplitudes =
            (0..modes.iter().copied().max().unwrap()).map(|k| channels::AMPLITUDE.of_mode(k as u8));
        let channels: Vec<Channel> = [channels::POSITION, channels::ATTITUDE, channels::DRIVE_FORCE]
            .into_iter()
            .chain(amplitudes)
            .collect();
        let ready = Ready::new(study);
        let mut backend = ready.cpu(Precision::F64, Level::new(), false);
        let (expected, tip) =
            (rows(&file[format!("joint_torques_{name}")]), rows(&file[format!("tip_{name}")]));
        let (mut k, mut worst) = (0, 0.0f64);
        ready.watch(&mut *backend, 0, 1, |outcome| {
            k += 1;
            let row = ready.observe(outcome, &channels).remove(0);
            let three = |at: usize| Vector3::from_column_slice(&row[at..at + 3]);
            let tip = Vector3::from_column_slice(&tip[k]);
            for (joint, length) in [1.0, 0.8, 0.6].into_iter().enumerate() {
                let at = [-length / 2.0, 0.0, 0.0];
                let mut arm = Vector3::from(at);
                if let Some(flexible) = &mechanism.bodies[joint].flexible {
                    // The amplitudes of one mode of all links are next to each other.
                    let shapes = flexible.modal.local(at).unwrap().shapes;
                    arm += shapes
                        .iter()
                        .enumerate()
                        .map(|(mode, phi)| phi * row[24 + 3 * mode + joint])
                        .sum::<Vector3<f64>>();
                }
                let q = &row[9 + 4 * joint..][..4];
                let turn = UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3]));
                let torque = (tip - (three(3 * joint) + turn * arm)).cross(&three(21));
                worst =
                    worst.max((torque - Vector3::from_column_slice(&expected[k][3 * joint..][..3])).norm());
            }
        });
        println!("{name}: {worst:e} N m over {k} snapshots");
        assert!(k == 50 && worst < CRANE_TORQUE, "{name}: {worst:e} N m");
    }
}
