//! Exponents of Lyapunov: published ones, those of regular and chaotic mechanisms, their
//! symmetries, and what a study of them leaves and refuses.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::command::{altered, ends_with, has_place, names, path};
use crate::common::engine::{Quiet, Ready};
use crate::common::study::study as study_of;
use crate::common::tolerances::{
    ALONG, DECAY, FINITE_TIME_EXPONENT, LORENZ, NEIGHBOURS, OF_A_MAP, PAIRED, REGULAR, SYMMETRIC, TANGENT,
    VOLUME,
};
use fearless_simd::Level;
use polhode::backend::tangents::Tangents;
use polhode::base::Precision;
use polhode::describe::{Flexible, Mechanism, Study};
use polhode::math::orthonormal::{Direction, Growth, orthonormalise};
use polhode::model::motions;
use polhode::observe::channels;
use polhode::output::SavedTable;
use polhode::real::{Dual, Real};
use polhode::study::yardsticks::fast_top;
use polhode::study_file::kinds::lyapunov::Lyapunov;
use polhode::study_file::read_study;
use tempfile::TempDir;

// --- Published
// exponents -----------------------------------------------------------------------------------

/// One step of the classical Runge-Kutta method for Lorenz' equations with (10, 28, 8/3).
fn lorenz<R: Real>(x: [R; 3], h: f64) -> [R; 3] {
    let number = |v: f64| x[0].lift(v);
    let rate = |[x, y, z]: [R; 3]| {
        [number(10.0) * (y - x), x * (number(28.0) - z) - y, x * y - number(8.0 / 3.0) * z]
    };
    let plus = |a: [R; 3], s: f64, k: [R; 3]| [0, 1, 2].map(|i| number(s).mul_add(k[i], a[i]));
    let k1 = rate(x);
    let k2 = rate(plus(x, 0.5 * h, k1));
    let k3 = rate(plus(x, 0.5 * h, k2));
    let k4 = rate(plus(x, h, k3));
    plus(plus(plus(plus(x, h / 6.0, k1), h / 3.0, k2), h / 3.0, k3), h / 6.0, k4)
}

/// The exponents of Lorenz' attractor, .9056, 0 and -14.572 (J. C. Sprott, Chaos and Time-Series
/// Analysis, Oxford 2003), by the same directions and growths that kernels have.
#[test]
fn lorenz_has_its_published_exponents() {
    let (h, steps) = (0.005, 2_000_000);
    let mut x = [1.0, 2.0, 20.0];
    (0..20_000).for_each(|_| x = lorenz(x, h));
    let unit = |j: usize| Direction { along: (0..3).map(|k| f64::from(j == k)).collect(), carried: vec![] };
    let mut directions = [0, 1, 2].map(unit);
    let mut growths = [Growth::none(0.0); 3];
    for _ in 0..steps {
        for direction in &mut directions {
            let dual: [Dual<f64>; 3] =
                std::array::from_fn(|k| Dual { value: x[k], tangent: direction.along[k] });
            direction.along = lorenz(dual, h).map(|x| x.tangent).to_vec();
        }
        for (growth, grown) in growths.iter_mut().zip(orthonormalise(&mut directions)) {
            *growth = growth.times(grown);
        }
        x = lorenz(x, h);
    }
    let found = growths.map(|growth| growth.ln() / (h * f64::from(steps)));
    println!("{found:?}");
    assert!((found[0] / 0.9056 - 1.0).abs() < LORENZ, "{found:?}");
    assert!(found[1].abs() < LORENZ, "{found:?}");
    assert!((found[2] / -14.572 - 1.0).abs() < LORENZ, "{found:?}");
    // The divergence of the flow is the same everywhere.
    assert!((found.iter().sum::<f64>() + 10.0 + 1.0 + 8.0 / 3.0).abs() < 1e-3, "{found:?}");
}

// ---
// Mechanisms ------------------------------------------------------------------------------------

/// The exponents of all instances at the end, `[column][instance]`.
fn exponents(study: &Study) -> Vec<Vec<f64>> {
    let home = TempDir::new().unwrap();
    let out = home.path().join("out");
    let outcome = polhode::study::run(study, &out, false, &Quiet, &AtomicBool::new(false)).unwrap();
    println!("{}: {}", study.title, outcome.found.join("; "));
    let table = SavedTable::open(&out.join("exponents.parquet")).unwrap();
    table.columns("final.").iter().map(|(name, _)| table.floats(name).unwrap()).collect()
}

fn mean_and_half_interval(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, 1.96 * (variance / n).sqrt())
}

fn asking(mut study: Study, exponents: usize, pairs: bool) -> Study {
    study.kind = Lyapunov { exponents, pairs, distance: None, transition: false }.into();
    study.observe.every = study.method.steps;
    study.run.threads = None;
    study
}

/// The fast top is regular: its neighbours part in proportion to the time, and the exponent falls
/// like ln t / t.
#[test]
fn the_heavy_top_is_regular() {
    let exponent = |t: f64| {
        let mut study = study_of(fast_top(), 1, 2e-3, (t / 2e-3) as u64);
        study.run.precision = Precision::F64;
        exponents(&asking(study, 1, false))[0][0]
    };
    for t in [20.0f64, 200.0] {
        let found = exponent(t);
        println!("{t} s: {found}, {} of ln t / t", found * t / t.ln());
        let [least, most] = REGULAR.map(|share| share * t.ln() / t);
        assert!(least < found && found < most, "{t} s: {found}");
    }
}

fn shipped(name: &str, changes: &[(&str, &str)]) -> Study {
    let home = TempDir::new().unwrap();
    read_study(&altered(name, home.path(), changes)).unwrap_or_else(|problems| panic!("{problems}"))
}

const PENDULUM: [(&str, &str); 5] = [
    ("ensemble.size", "240"),
    ("observe.keep", "0"),
    ("method.step", "\"2 ms\""),
    ("method.duration", "\"60 s\""),
    ("constraints.project", "20"),
];

/// Tangents and neighbours, f64 and f32: ensembles of other trajectories, the same exponent within
/// the interval.
fn assert_chaotic(study: Study, least: f64) {
    let mut found = Vec::new();
    for precision in [Precision::F64, Precision::F32] {
        let mut study = asking(study.clone(), 1, true);
        study.run.precision = precision;
        study.verdict.energy = None;
        for (column, values) in exponents(&study).iter().enumerate() {
            let (mean, half) = mean_and_half_interval(values);
            println!("{precision:?}, {}: {mean:.4} ± {half:.4} 1/s", ["tangents", "pairs"][column]);
            assert!(mean - half > least, "{precision:?}: {mean} ± {half}");
            found.push((mean, half));
        }
    }
    for a in &found {
        for b in &found {
            assert!((a.0 - b.0).abs() <= PAIRED * a.1.hypot(b.1), "{found:?}");
        }
    }
}

#[test]
fn the_double_pendulum_is_chaotic() {
    assert_chaotic(shipped("double_pendulum", &PENDULUM), 0.5);
}

/// Where the pendulum starts near upright with the arm far from the middle, by the cheapest method.
const FURUTA: [(&str, &str); 6] = [
    (
        "ensemble.vary",
        "{ \"shoulder.angle\" = { uniform = { low = 1.9, high = 2.1 } }, \
           \"hinge.angle\" = { uniform = { low = 0.2, high = 0.4 } } }",
    ),
    ("method.duration", "\"60 s\""),
    ("method.name", "\"staggered\""),
    ("constraints.treatment", "\"staggered\""),
    ("constraints.gamma", "100"),
    ("constraints.beta", "1e4"),
];

#[test]
fn furuta_s_pendulum_is_chaotic() {
    let size = [
        ("ensemble.size", "240"),
        ("observe.keep", "0"),
        ("method.step", "\"2 ms\""),
        ("constraints.project", "20"),
    ];
    assert_chaotic(shipped("furuta_pendulum", &[&FURUTA[..], &size].concat()), 0.2);
}

/// Conservative mechanisms have exponents in pairs of either sign, and their sum is zero. (After a
/// finite time up to a constant over it: lengths are not those that the flow keeps.)
#[test]
fn spectra_of_conservative_mechanisms_are_symmetric() {
    let few = [
        ("ensemble.size", "16"),
        ("observe.keep", "0"),
        ("method.step", "\"2 ms\""),
        ("constraints.project", "20"),
    ];
    let furuta = shipped("furuta_pendulum", &[&FURUTA[..], &few].concat());
    let pendulum = shipped("double_pendulum", &[&PENDULUM[..], &few].concat());
    for (mut study, count) in [(furuta, 4), (pendulum, 12)] {
        study.run.precision = Precision::F64;
        study.verdict.energy = None;
        let t = study.method.step * study.method.steps as f64;
        let columns = exponents(&asking(study, count, false));
        let means: Vec<f64> = columns.iter().map(|values| mean_and_half_interval(values).0).collect();
        assert!(means.windows(2).all(|pair| pair[0] > pair[1] - SYMMETRIC / t), "{means:?}");
        for j in 0..count / 2 {
            let sum = means[j] + means[count - 1 - j];
            assert!(sum.abs() < SYMMETRIC / t, "{j}: {sum} of {means:?}");
        }
        assert!(means.iter().sum::<f64>().abs() < VOLUME / t, "{means:?}");
    }
}

// --- Flexible
// bodies ---------------------------------------------------------------------------------------

/// Frequency (rad/s) and damping ratio of a single mode.
const VIBRATION: (f64, f64) = (7.0, 0.05);

/// A body at rest whose only mode is apart from all else.
fn vibration(method: &'static str, periods: u64) -> Study {
    let (frequency, damping) = VIBRATION;
    let none = [[0.0; 3]; 3];
    let unit = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let modal = serde_json::json!({
        "mass": 1.0, "J0": unit, "J1": [none], "J2": [[none]], "G": [[none[0]]],
        "modal_mass": [[1.0]], "modal_stiffness": [[frequency * frequency]],
    });
    let mechanism = crate::common::flexible::mechanism(&format!(
        "[body.flexible]\nmodal = '''{modal}'''\namplitudes = [0.3]\ndamping = {damping}\n"
    ));
    let period = std::f64::consts::TAU / (frequency * (1.0 - damping * damping).sqrt());
    let steps = 400;
    let mut study = study_of(mechanism, 1, period / steps as f64, steps * periods);
    (study.method.name, study.run.precision) = (method, Precision::F64);
    study.method.resynchronise = if method == "staggered" { 20 } else { 0 };
    study
}

/// Both exponents of a damped mode are `-zeta omega`: of directions along the mode alone, which are
/// after every period what they were but for a number.
#[test]
fn a_damped_mode_has_the_exponents_of_its_decay() {
    let (frequency, damping) = VIBRATION;
    for (method, within) in ["dop853", "staggered"].into_iter().zip(DECAY) {
        let ready = Ready::new(vibration(method, 10));
        let tangents = Tangents::exact(2);
        let mut batch = ready.batch(0, 1);
        let tangent = Ready { plan: ready.plan.following(tangents), ..ready };
        // Along the modal coordinate, and along its rate.
        let push: Vec<f64> = (0..2 * 14).map(|k| f64::from(k == 12 || k == 14 + 13)).collect();
        tangent.plan.start_directions(&mut batch, &|_| push.clone());
        let (plan, steps) = (&tangent.plan, tangent.plan.schedule.steps);
        let mut backend = tangent.cpu(Precision::F64, Level::new(), false);
        backend.load(&batch).unwrap();
        backend.advance(0, steps).unwrap();
        backend.fetch().unwrap();
        let mut states = vec![vec![f64::NAN]; plan.moving.len()];
        backend.read(0, &mut states);
        let t = steps as f64 * plan.schedule.h;
        for direction in 0..2 {
            let found = tangents.ln_growth(&plan.model, direction, &states, 0) / t;
            let off = (found / (-damping * frequency) - 1.0).abs();
            println!("{method}, {direction}: {found} 1/s, {off:e}");
            assert!(off < within, "{method}, {direction}: {found}");
        }
    }
}

/// The spectrum of the same body by a study: six exponents of a rotation that is regular, and those
/// of the mode last; what a volume of all states loses is what the damper takes.
#[test]
fn the_spectrum_of_a_damped_mode_adds_up_to_its_damping() {
    let (frequency, damping) = VIBRATION;
    let study = asking(vibration("dop853", 100), 8, false);
    let t = study.method.step * study.method.steps as f64;
    let found: Vec<f64> = exponents(&study).iter().map(|column| column[0]).collect();
    let sum = found.iter().sum::<f64>() / (-2.0 * damping * frequency) - 1.0;
    println!("{found:?}, sum off by {sum:e}");
    assert!(sum.abs() < DECAY[0], "{found:?}: {sum:e}");
    assert!(found[..6].iter().all(|x| x.abs() < 2.0 * REGULAR[1] * t.ln() / t), "{found:?}");
    // First directions are any: part of them is along the mode.
    assert!(found[6..].iter().all(|x| (x + damping * frequency).abs() < VOLUME / t), "{found:?}");
    let mut too_many = study;
    too_many.kind = Lyapunov { exponents: 9, pairs: false, distance: None, transition: false }.into();
    let plan = polhode::study::plan::plan(&too_many).unwrap();
    let refused = polhode::study::check(&too_many, &plan).unwrap_err().to_string();
    assert!(refused.contains("8 dimensions"), "{refused}");
}

/// Two rods of one bending mode each, hinged to each other, from any angles near the horizontal.
fn flexible_double_pendulum(changes: &[(&str, &str)]) -> Study {
    let mut text = String::from(
        "[study]\nkind = \"lyapunov\"\n[method]\nname = \"staggered\"\nstep = \"2 ms\"\n\
         duration = \"DURATION\"\nresynchronise = 20\n\
         [constraints]\ntreatment = \"staggered\"\ngamma = 100\nbeta = 1e4\nproject = 20\n\
         [ensemble]\nsize = SIZE\n[ensemble.vary]\n\
         \"shoulder.angle\" = { uniform = { low = -0.3, high = 0.3 } }\n\
         [observe]\nkeep = 0\n[mechanism]\ngravity = [0, -9.81, 0]\n",
    );
    for name in ["upper", "lower"] {
        text += &format!(
            "[[mechanism.body]]\nname = \"{name}\"\n[mechanism.body.flexible.beam]\n\
             length = 1\nmass = 1\npolar_inertia = 1e-3\nbending_stiffness = 20\n\
             boundary = \"simply_supported\"\nmodes_y = 1\n"
        );
    }
    for (name, bodies, point) in
        [("shoulder", ["ground", "upper"], "[0, 0, 0]"), ("elbow", ["upper", "lower"], "\"end\"")]
    {
        text += &format!(
            "[[mechanism.joint]]\nname = \"{name}\"\nkind = \"revolute\"\nbodies = {bodies:?}\n\
             points = [{point}, \"start\"]\naxes = [0, 0, 1]\nangle = 0\n"
        );
    }
    for (what, value) in changes {
        text = text.replace(what, value);
    }
    let home = TempDir::new().unwrap();
    let file = home.path().join("study.toml");
    std::fs::write(&file, text).unwrap();
    read_study(&file).unwrap_or_else(|problems| panic!("{problems}"))
}

/// Tangents and neighbours of a chaotic mechanism of flexible bodies see the same exponent.
#[test]
fn the_flexible_double_pendulum_is_chaotic() {
    let study = flexible_double_pendulum(&[("DURATION", "20 s"), ("SIZE", "64")]);
    let mut study = asking(study, 1, true);
    study.run.precision = Precision::F64;
    let [tangents, pairs] = &exponents(&study)[..] else { panic!("two columns") };
    let apart = tangents.iter().zip(pairs).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let (tangents, pairs) = (mean_and_half_interval(tangents), mean_and_half_interval(pairs));
    println!("{tangents:?} {pairs:?}, instance by instance within {apart:e}");
    assert!(tangents.0 - tangents.1 > 0.5, "{tangents:?}");
    assert!((tangents.0 - pairs.0).abs() <= tangents.1.hypot(pairs.1), "{tangents:?} {pairs:?}");
    assert!(apart < NEIGHBOURS, "{apart:e}");
}

/// With no damping its spectrum is symmetric: two hinges and two modes have eight exponents.
#[test]
fn the_spectrum_of_a_flexible_mechanism_without_damping_is_symmetric() {
    let study = flexible_double_pendulum(&[("DURATION", "20 s"), ("SIZE", "8")]);
    let mut study = asking(study, 8, false);
    study.run.precision = Precision::F64;
    let t = study.method.step * study.method.steps as f64;
    let means: Vec<f64> = exponents(&study).iter().map(|values| mean_and_half_interval(values).0).collect();
    println!("{means:?}");
    for j in 0..4 {
        let sum = means[j] + means[7 - j];
        assert!(sum.abs() < SYMMETRIC / t, "{j}: {sum} of {means:?}");
    }
    assert!(means.iter().sum::<f64>().abs() < VOLUME / t, "{means:?}");
}

// ---
// Studies ---------------------------------------------------------------------------------------

/// The transition table of a study, by a run into a folder here.
fn transitions(study: &Study, home: &Path) -> SavedTable {
    let mut settings = asking(study.clone(), 1, false);
    settings.kind = Lyapunov { exponents: 1, pairs: false, distance: None, transition: true }.into();
    let out = home.join("out");
    polhode::study::run(&settings, &out, false, &Quiet, &AtomicBool::new(false)).unwrap();
    SavedTable::open(&out.join("transition.parquet")).unwrap()
}

/// The derivative of the end by the start is that of the runs themselves: by central differences
/// over a tumbling body whose principal axes are not the user's.
#[test]
fn transitions_are_derivatives() {
    let mut study = study_of(
        crate::common::free_body([5.0, 10.0, 1.0], [0.8, 0.2, -0.4, 0.4], [1.0, 0.5, 2.0]),
        1,
        0.01,
        100,
    );
    study.mechanism.bodies[0].inertia[0][1] = 0.5;
    study.mechanism.bodies[0].inertia[1][0] = 0.5;
    (study.run.precision, study.observe.keep) = (Precision::F64, 1);
    let home = TempDir::new().unwrap();
    let table = transitions(&study, home.path());
    let derivative = table.floats("derivative").unwrap();
    let (initial, last) = (table.texts("initial").unwrap(), table.texts("final").unwrap());
    assert_eq!(derivative.len(), 36);
    // The angular velocity at the end, in the user's axes, of a body that starts with another one.
    let ended = |axis: usize, s: f64| {
        let mut study = study.clone();
        study.mechanism.bodies[0].initial.angular_velocity[axis] += s;
        let ready = Ready::new(study);
        ready.observe(&ready.on_cpu(Precision::F64, 1), &[channels::ANGULAR_VELOCITY]).remove(0)
    };
    let s = 1e-5;
    for (axis, name) in ["x", "y", "z"].iter().enumerate() {
        let (ahead, behind) = (ended(axis, s), ended(axis, -s));
        for (k, seen) in ["x", "y", "z"].iter().enumerate() {
            let is = |i: &usize| {
                initial[*i] == format!("body.angular_velocity.{name}")
                    && last[*i] == format!("body.angular_velocity.{seen}")
            };
            let found = derivative[(0..36).find(is).unwrap()];
            let expected = (ahead[k] - behind[k]) / (2.0 * s);
            assert!(
                (found - expected).abs() < TANGENT * expected.abs().max(1.0),
                "{name} {seen}: {found} {expected}"
            );
        }
    }
}

/// Transitions of flexible bodies are derivatives too: modal coordinates and rates of two of them,
/// by either and by an angular velocity.
#[test]
fn transitions_of_flexible_bodies_are_derivatives() {
    let mut study = study_of(crate::common::flexible::everything(""), 1, 1e-4, 100);
    study.run.precision = Precision::F64;
    study.observe.keep = 1;
    let home = TempDir::new().unwrap();
    let table = transitions(&study, home.path());
    let derivative = table.floats("derivative").unwrap();
    let (initial, last) = (table.texts("initial").unwrap(), table.texts("final").unwrap());
    let units = table.texts("final_unit").unwrap();
    // Two frames, and five and two modes.
    assert_eq!(derivative.len(), (24 + 10 + 4) * (24 + 10 + 4));
    let s = 1e-6;
    for (name, change) in [
        ("rod.amplitude[1]", (|m, s| flexible_of(m, 0).amplitudes[1] += s) as fn(&mut Mechanism, f64)),
        ("frame.amplitude_rate[0]", |m, s| flexible_of(m, 1).amplitude_rates[0] += s),
        ("rod.angular_velocity.y", |m, s| m.bodies[0].initial.angular_velocity[1] += s),
    ] {
        let ended = |s: f64| {
            let mut study = study.clone();
            change(&mut study.mechanism, s);
            let ready = Ready::new(study);
            ready.plan.model.motions(&ready.on_cpu(Precision::F64, 1).state(0))
        };
        let (ahead, behind) = (ended(s), ended(-s));
        for (body, (ahead, behind)) in ["rod", "frame"].iter().zip(ahead.iter().zip(&behind)) {
            let (ahead, behind) = (&ahead.modal, &behind.modal);
            for (kind, unit, ahead, behind) in [
                ("amplitude", "1", &ahead.amplitudes, &behind.amplitudes),
                ("amplitude_rate", "1/s", &ahead.rates, &behind.rates),
            ] {
                for k in 0..ahead.len() {
                    let observed = format!("{body}.{kind}[{k}]");
                    let at =
                        (0..derivative.len()).find(|i| initial[*i] == name && last[*i] == observed).unwrap();
                    let expected = (ahead[k] - behind[k]) / (2.0 * s);
                    let off = (derivative[at] - expected).abs() / expected.abs().max(1.0);
                    assert!(off < TANGENT, "{name} {observed}: {} {expected}", derivative[at]);
                    assert_eq!(units[at], unit, "{observed}");
                }
            }
        }
    }
}

/// Two wheels that friction brings to the rate of their body, about two axes: with e = exp(-c T
/// (1/J + 1/I)) and s = (1 - e)/(1/J + 1/I), dh(T)/dh(0) = 1 - s/J and dw(T)/dh(0) = s/(I J).
#[test]
fn transitions_have_the_momenta_of_wheels() {
    let (inertia, rotors, damping, duration) = (3.0, [0.04, 0.25], 0.01, 2.0);
    let wheel = |name: &str, axis: &str, inertia: f64| {
        format!(
            "[[mechanism.wheel]]\nname = \"{name}\"\nbody = \"b\"\naxis = {axis}\ninertia = {inertia}\n\
             damping = {damping}\n"
        )
    };
    let study = read_study_text(&format!(
        "[study]\nkind = \"lyapunov\"\n[method]\nname = \"rk4\"\nstep = \"10 ms\"\n\
         duration = \"{duration} s\"\n[observe]\nevery = \"{duration} s\"\nkeep = 1\n[ensemble]\nsize = 1\n\
         [run]\n\
         precision = \"f64\"\n[mechanism]\ngravity = 0\n[[mechanism.body]]\nname = \"b\"\nmass = 1\n\
         inertia = [3, 3, 3]\n{}{}",
        wheel("w", "[0, 0, 1]", rotors[0]),
        wheel("v", "[2, 0, 0]", rotors[1]),
    ));
    let home = TempDir::new().unwrap();
    let table = transitions(&study, home.path());
    let (initial, last) = (table.texts("initial").unwrap(), table.texts("final").unwrap());
    let (derivative, units) = (table.floats("derivative").unwrap(), table.texts("initial_unit").unwrap());
    let of = |one: &str, other: &str| {
        let at = (0..derivative.len()).find(|i| initial[*i] == one && last[*i] == other).unwrap();
        (derivative[at], units[at].clone())
    };
    for (name, axis, rotor) in [("w.momentum", "z", rotors[0]), ("v.momentum", "x", rotors[1])] {
        let both = 1.0 / rotor + 1.0 / inertia;
        let s = -f64::exp_m1(-damping * duration * both) / both;
        let rate = format!("b.angular_velocity.{axis}");
        for (one, other, unit, expected) in [
            (name, name, "N m s", 1.0 - s / rotor),
            (name, &*rate, "N m s", s / rotor / inertia),
            (&*rate, name, "rad/s", s),
        ] {
            let (found, of) = of(one, other);
            assert!((found - expected).abs() < TANGENT, "{one} {other}: {found}, {expected}");
            assert_eq!(of, unit, "{one} {other}");
        }
    }
}

/// States of laws and momenta of wheels are rates; coordinates that would go with them are no
/// directions, whose exponents were 0. The sum is the trace of the motion's equations: a pendulum
/// of -1/4 and -1/4 with a filter of -2; a body whose wheel loses c (1/J + 1/I).
#[test]
fn states_and_wheels_have_one_direction_each() {
    let head = |exponents: usize, duration: &str| {
        format!(
            "[study]\nkind = \"lyapunov\"\nexponents = {exponents}\n[method]\nname = \"rk4\"\n\
             step = \"5 ms\"\nduration = \"{duration}\"\n[observe]\nevery = \"{duration}\"\n[ensemble]\n\
             size = 1\n[run]\n\
             precision = \"f64\"\n[[mechanism.body]]\nname = \"b\"\nmass = 1\n"
        )
    };
    let pendulum = "inertia = [0.5, 0.5, 0.5]\n[mechanism]\ngravity = 9.81\n[[mechanism.joint]]\n\
                    name = \"j\"\nkind = \"revolute\"\nbodies = [\"ground\", \"b\"]\n\
                    points = [[0, 0, 0], [0, 0, 1]]\n\
                    axes = [0, 1, 0]\nangle = \"5 deg\"\n[[mechanism.joint_spring]]\nname = \"d\"\n\
                    joint = \"j\"\ndamping = 0.75\n[[mechanism.state]]\nname = \"filtered\"\n\
                    rate = \"2*(j.angle - filtered)\"\n";
    let satellite = "inertia = [2, 3, 4]\ninitial.angular_velocity = [0.3, 0.5, 0.2]\n[mechanism]\n\
                     gravity = 0\n[[mechanism.wheel]]\nname = \"w\"\nbody = \"b\"\naxis = [0, 0, 1]\n\
                     inertia = 0.5\n\
                     damping = 0.1\n";
    let home = TempDir::new().unwrap();
    for (mechanism, dimensions, duration, largest, sum) in
        [(pendulum, 3, "20 s", -0.25, -2.5), (satellite, 7, "20 s", 0.0, -0.1 * (1.0 / 0.5 + 1.0 / 4.0))]
    {
        let study = read_study_text(&format!("{}{mechanism}", head(dimensions, duration)));
        let out = home.path().join("out");
        polhode::study::run(&study, &out, true, &Quiet, &AtomicBool::new(false)).unwrap();
        let table = SavedTable::open(&out.join("exponents.parquet")).unwrap();
        let found: Vec<f64> =
            (1..=dimensions).map(|j| table.floats(&format!("final.exponent.{j}")).unwrap()[0]).collect();
        assert!((found[0] - largest).abs() < FINITE_TIME_EXPONENT, "{found:?}");
        assert!((found.iter().sum::<f64>() - sum).abs() < TANGENT, "{found:?}");
        let study = read_study_text(&format!("{}{mechanism}", head(dimensions + 1, duration)));
        let error = polhode::study::run(&study, &out, true, &Quiet, &AtomicBool::new(false)).unwrap_err();
        assert!(error.to_string().contains(&format!("1 to {dimensions} exponents")), "{error}");
    }
}

fn flexible_of(mechanism: &mut Mechanism, body: usize) -> &mut Flexible {
    mechanism.bodies[body].flexible.as_mut().unwrap()
}

#[test]
fn initial_directions_are_allowed_by_the_joints_and_the_same_in_every_chunk() {
    let home = TempDir::new().unwrap();
    let changes = [
        ("ensemble.vary", r#"{ "shoulder.angle" = { uniform = { low = -1, high = 1 } } }"#),
        ("ensemble.size", "37"),
        ("method.duration", "\"0.2 s\""),
        ("observe.every", "\"0.1 s\""),
    ];
    let mut tables = Vec::new();
    for chunk in ["5", "37"] {
        let study = read_study(&altered(
            "furuta_chaos",
            home.path(),
            &[&changes[..], &[("run.chunk", chunk)]].concat(),
        ));
        let out = home.path().join(chunk);
        polhode::study::run(&study.unwrap(), &out, false, &Quiet, &AtomicBool::new(false)).unwrap();
        tables.push(
            ["exponents", "statistics", "trajectories"]
                .map(|name| std::fs::read(out.join(name).with_extension("parquet")).unwrap()),
        );
    }
    assert!(tables[0] == tables[1]);
    let ready = Ready::new(shipped("furuta_chaos", &[]));
    let tangent_plan = ready.plan.following(polhode::backend::tangents::Tangents::exact(1));
    let mut batch = ready.batch(0, 3);
    tangent_plan
        .start_directions(&mut batch, &|i| (0..24).map(|k| ((k * 7 + i) % 11) as f64 - 5.0).collect());
    let own = ready.plan.moving.len();
    for i in 0..3 {
        let state: Vec<f64> = batch.states.iter().map(|plane| plane[i]).collect();
        let parameter = |p: usize| batch.parameters[p].get(i).copied().unwrap_or(ready.plan.constants[p]);
        for direction in state[own..].chunks_exact(28) {
            let dual: Vec<Dual<f64>> =
                state[..26].iter().zip(direction).map(|(x, t)| Dual { value: *x, tangent: *t }).collect();
            let at = motions(&vec![0; dual.len() / polhode::model::WIDTH], &dual);
            for joint in ready.plan.model.joints(&|p| Dual::constant(parameter(p))) {
                for row in joint.evaluate(&at) {
                    assert!(row.violation.tangent.abs() < ALONG, "{}", row.violation.tangent);
                    assert!(row.rate(&at).tangent.abs() < ALONG, "{}", row.rate(&at).tangent);
                }
            }
        }
    }
}

fn refused(name: &str, changes: &[(&str, &str)], parts: &[&str]) {
    let home = TempDir::new().unwrap();
    let study = altered(name, home.path(), changes);
    let out = home.path().join("out");
    for arguments in [vec!["check", path(&study)], vec!["run", path(&study), "--out", path(&out)]] {
        let (_, error) = ends_with(2, &arguments);
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
        assert!(has_place(&error, &study), "{error}");
        assert!(!Path::new(&out).exists());
    }
}

#[test]
fn what_has_no_exponents_is_refused_before_the_first_step() {
    let kind = ("study.kind", "\"lyapunov\"");
    refused("manipulator", &[kind], &["lock `", "impact", "no tangent"]);
    refused("tumbling", &[kind, ("study.exponents", "7")], &["study.exponents = 7", "6 dimensions"]);
    refused("furuta_pendulum", &[kind, ("study.exponents", "5")], &["4 dimensions"]);
    refused(
        "double_pendulum",
        &[kind, ("study.exponents", "2"), ("method.resynchronise", "0")],
        &["second chain", "method.resynchronise = 0"],
    );
    refused("tumbling", &[kind, ("study.transition", "true"), ("observe.keep", "0")], &["observe.keep = 0"]);
    refused("tumbling", &[kind, ("study.exponents", "0")], &["study.exponents"]);
    refused("tumbling", &[("study.kind", "\"monte_carlo\""), ("study.pairs", "true")], &["pairs"]);
}

/// A whole folder, its report and pictures; plots made again and runs compared; replays and shards
/// refused by name.
#[test]
fn a_study_of_exponents_leaves_a_whole_folder() {
    let home = TempDir::new().unwrap();
    let grid = "{ \"shoulder.angle\" = { linspace = { from = -1, to = 1, count = 3 } }, \
                  \"hinge.angle\" = { linspace = { from = -2, to = 2, count = 4 } } }";
    let changes = [
        ("ensemble.vary", grid),
        ("method.duration", "\"1 s\""),
        ("observe.every", "\"0.1 s\""),
        ("study.transition", "true"),
        ("observe.keep", "2"),
    ];
    let study = altered("furuta_chaos", home.path(), &changes);
    let (checked, _) = ends_with(0, &["check", path(&study)]);
    assert!(checked.contains("1 exponent") && checked.contains("pairs"), "{checked}");
    let out = home.path().join("out");
    let (printed, _) =
        ends_with(0, &["run", path(&study), "--out", path(&out), "--set", "output.plots=true"]);
    assert!(
        printed.contains("largest exponent after 1 s: ") && printed.contains("from pairs: "),
        "{printed}"
    );
    let files = names(&out);
    for file in [
        "exponents.parquet",
        "manifest.json",
        "report.html",
        "statistics.parquet",
        "study.toml",
        "trajectories.parquet",
        "transition.parquet",
    ] {
        assert!(files.contains(&file.to_string()), "{file} of {files:?}");
    }
    let plots = names(&out.join("plots"));
    for plot in [
        "exponents.png",
        "exponent_map.svg",
        "exponent.1_fan.png",
        "exponent_of_pairs_final.svg",
        "motion.png",
    ] {
        assert!(plots.contains(&plot.to_string()), "{plot} of {plots:?}");
    }
    let table = SavedTable::open(&out.join("exponents.parquet")).unwrap();
    assert_eq!(table.integers("instance").unwrap().len(), 12);
    assert_eq!(table.columns("final.").len(), 2);
    assert!(table.columns("final.").iter().all(|(_, unit)| unit == "1/s"));
    let derivatives = SavedTable::open(&out.join("transition.parquet")).unwrap();
    assert_eq!(derivatives.integers("instance").unwrap().len(), 2 * 24 * 24);
    let report = std::fs::read_to_string(out.join("report.html")).unwrap();
    assert!(report.contains("Largest exponent") && report.contains("From pairs"));
    // The study as it was understood asks the same.
    let again = home.path().join("again");
    ends_with(0, &["run", path(&out.join("study.toml")), "--out", path(&again)]);
    assert_eq!(
        std::fs::read(out.join("exponents.parquet")).unwrap(),
        std::fs::read(again.join("exponents.parquet")).unwrap()
    );
    ends_with(0, &["plot", path(&out)]);
    let (compared, _) = ends_with(0, &["compare", path(&out), path(&again)]);
    assert!(compared.contains("exponent"), "{compared}");
    let (_, error) = ends_with(2, &["replay", path(&out), "--instance", "0"]);
    assert!(error.contains("kind lyapunov"), "{error}");
}

/// Exponents are found at every snapshot, which takes longer than the steps between: a million of
/// them, each in some 0.1 µs at least. Nothing else is observed, and no picture is drawn.
#[test]
fn a_check_foretells_how_long_exponents_take() {
    let home = TempDir::new().unwrap();
    let file = home.path().join("study.toml");
    let study = "mechanism = { gravity = 0, body = [{ name = \"b\", mass = 1, inertia = [1.5, 2, 3], \
                 initial.angular_velocity = [0, 2, 0] }] }\n\
                 study = { kind = \"lyapunov\", exponents = 6 }\n\
                 method = { name = \"rk4\", step = \"10 ms\", duration = \"10 s\" }\n\
                 observe.every = \"10 ms\"\noutput.report = false\n[ensemble]\nsize = 200\n\
                 vary.\"b.angular_velocity.y\" = { uniform = { low = 1, high = 3 } }\n";
    fs::write(&file, study).unwrap();
    let (printed, _) = ends_with(0, &["check", path(&file), "--backend", "cpu"]);
    let time = printed.lines().find(|line| line.starts_with("time ")).unwrap();
    let seconds = |name: &str| -> f64 {
        time.split(name).nth(1).unwrap().split([',', ' ']).nth(1).unwrap().parse().unwrap()
    };
    assert!(seconds("observing") >= 0.1, "{time}");
    assert!(seconds("writing") < 0.1, "{time}");
}

// --- Sampled
// states ---------------------------------------------------------------------------------------

fn read_study_text(text: &str) -> Study {
    let home = TempDir::new().unwrap();
    let file = home.path().join("study.toml");
    fs::write(&file, text).unwrap();
    read_study(&file).unwrap_or_else(|problems| panic!("{problems}"))
}

/// A mass of 1 kg that a sampled state pushes: `u' = NEXT` every 10 ms.
fn sampled(next: &str, duration: &str, initial: f64) -> Study {
    read_study_text(&format!(
        "[study]\nkind = \"lyapunov\"\n[method]\nname = \"rk4\"\nstep = \"1 ms\"\n\
         duration = \"{duration}\"\n[observe]\nkeep = 1\nevery = \"{duration}\"\n[ensemble]\nsize = 1\n\
         [mechanism]\ngravity = 0\n[[mechanism.body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\n\
         [[mechanism.load]]\nname = \"f\"\nkind = \"force\"\naxes = \"space\"\nfunction = [\"u\", 0, 0]\n\
         [[mechanism.state]]\nname = \"u\"\nnext = \"{next}\"\ninitial = \"{initial} N\"\nevery = \"10 ms\"\n"
    ))
}

/// Neighbours of the logistic map part by ln 2 a sample, whatever the body does.
#[test]
fn a_sampled_state_has_the_exponent_of_its_map() {
    let study = sampled("4*u*(1 - u)", "20 s", 0.3);
    let found: Vec<f64> = exponents(&asking(study, 1, true)).iter().map(|column| column[0]).collect();
    println!("{found:?}");
    assert!(found.iter().all(|x| (x / (2f64.ln() / 0.01) - 1.0).abs() < OF_A_MAP), "{found:?}");
}

/// A state that doubles ten times is by 2^10 what its start was, and has pushed the body by the sum
/// of its values.
#[test]
fn transitions_have_sampled_states() {
    let mut study = sampled("2*u", "0.1 s", 0.5);
    study.kind = Lyapunov { exponents: 1, pairs: false, distance: None, transition: true }.into();
    let home = TempDir::new().unwrap();
    let out = home.path().join("out");
    polhode::study::run(&study, &out, false, &Quiet, &AtomicBool::new(false)).unwrap();
    let table = SavedTable::open(&out.join("transition.parquet")).unwrap();
    let [initial, last] = ["initial", "final"].map(|name| table.texts(name).unwrap());
    let values = table.floats("derivative").unwrap();
    let of = |from: &str, to: &str| {
        let mut rows = (0..values.len()).filter(|k| initial[*k] == from && last[*k] == to);
        values[rows.next().unwrap_or_else(|| panic!("no {to} by {from}"))]
    };
    assert_eq!(of("u", "u"), 1024.0);
    let pushed = of("u", "b.mass_centre_velocity.x");
    assert!((pushed / (0.01 * 1023.0) - 1.0).abs() < ALONG, "{pushed}");
    assert_eq!(of("b.mass_centre.x", "u"), 0.0);
}

/// Tangents do not see that a neighbour jumps later: a word says so where a force jumps, and none
/// where it bends or where it jumps at a time alone.
#[test]
fn a_force_that_jumps_with_the_motion_is_told_of() {
    let spring = |law: &str| {
        format!("[[mechanism.joint_spring]]\nname = \"s\"\njoint = \"r\"\nactuator = \"{law}\"\n")
    };
    let stop = |key: &str| {
        format!("[[mechanism.stop]]\nname = \"s\"\njoint = \"r\"\nhigh = 1\nstiffness = 100\n{key} = 1\n")
    };
    let of_signal = "[[mechanism.signal]]\nname = \"side\"\nvalue = \"sign(r.displacement)\"\n";
    for (jumps, element) in [
        (true, spring("-2*sign(r.displacement) - 0.3*r.displacement_rate")),
        (true, spring("select(r.displacement < 0.5*sin(t), 1, 2*r.displacement_rate)")),
        (true, spring("-side") + of_signal),
        (true, stop("damping")),
        (false, spring("select(r.displacement < 0, -r.displacement, 0)")),
        (false, spring("step(r.displacement)*r.displacement^2")),
        (false, spring("sin(t) + step(t - 0.1) - abs(r.displacement)")),
        (false, spring("-tanh(100*r.displacement)")),
        (false, spring("-side") + of_signal + "every = \"10 ms\"\n"),
        (false, stop("dissipation")),
    ] {
        let study = read_study_text(&format!(
            "[study]\nkind = \"lyapunov\"\n[method]\nname = \"rk4\"\nstep = \"1 ms\"\nduration = \"1 s\"\n\
             [ensemble]\nsize = 1\n[mechanism]\n[[mechanism.body]]\nname = \"m\"\nmass = 1\n\
             inertia = [1, 1, 1]\n[[mechanism.joint]]\nname = \"r\"\nkind = \"translational\"\n\
             bodies = [\"ground\", \"m\"]\npoints = [[0, 0, 0], [0, 0, 0]]\naxes = [1, 0, 0]\n\
             displacement = 0.1\n{element}"
        ));
        let words = polhode::study::plausible::warnings(&study).unwrap();
        let told = words.iter().any(|word| word.contains("exponents leave out") && word.contains("`s`"));
        assert_eq!(told, jumps, "{element}: {words:?}");
    }
}
