//! Stops whose damping grows with the depth.

use crate::common::engine::Ready;
use crate::common::tolerances::STOPPED;
use polhode::base::Precision;
use polhode::observe::channels;
use polhode::reference::{Instance, accurate};
use polhode::study_file::read_study_text;

/// 2 kg on a slide run into a stop of 500 N/m, on the side to which they move, and leave it again
/// within 0.4 s.
fn ready(damping: &str, rate: f64, duration: f64) -> Ready {
    let end = if rate > 0.0 { "high = 0.05" } else { "low = -0.05" };
    let mechanism = format!(
        "[[body]]\nname = \"block\"\nmass = 2\ninertia = [1, 1, 1]\n[[joint]]\nname = \"slide\"\n\
         kind = \"translational\"\n\
         bodies = [\"ground\", \"block\"]\npoints = [[0, 0, 0], [0, 0, 0]]\naxes = [1, 0, 0]\n\
         velocity = {rate}\n[[stop]]\nname = \"wall\"\njoint = \"slide\"\n{end}\nstiffness = 500\n{damping}\n"
    );
    let study = format!(
        "method = {{ name = \"dop853\", tolerance = 1e-12, step = \"1 ms\", duration = \"{duration} s\" }}\n\
         ensemble.size = 1\n\
         constraints.treatment = \"exact\"\nobserve = {{ channels = [\"velocity\"] }}\n\
         run.precision = \"f64\"\n"
    );
    Ready::new(read_study_text("stopped", &study, &mechanism).unwrap())
}

/// Velocity (m/s) after so long, by the engine and by the judge.
fn velocities(damping: &str, rate: f64, duration: f64) -> [f64; 2] {
    let ready = ready(damping, rate, duration);
    let mechanism = ready.plan.model.mechanism();
    let instance = Instance::nominal(mechanism);
    let judged = accurate::run(mechanism, &instance, &[duration], accurate::TOLERANCE).unwrap();
    let end = ready.observe(&ready.on_cpu(Precision::F64, 1), &[channels::VELOCITY]);
    [end[0][0], judged.states[0].bodies[0].velocity[0]]
}

/// An impact has an integral: with f(v) = d v - ln(1 + d v), f after the touch is f before it. A
/// body that comes fast leaves no faster than 1/d.
#[test]
fn a_body_leaves_a_stop_of_hunt_and_crossley_by_its_closed_form() {
    let d = 0.8;
    let f = |v: f64| d * v - (d * v).ln_1p();
    for (rate, side) in [0.2, 1.0, 4.0].into_iter().flat_map(|rate| [1.0, -1.0].map(|side| (rate, side))) {
        for v in velocities("dissipation = \"0.8 s/m\"", side * rate, 0.5).map(|v| side * v) {
            println!("{rate} m/s: {v} m/s, {:e}", f(v) - f(rate));
            assert!(v < 0.0 && v > -1.0 / d && (f(v) - f(rate)).abs() < STOPPED, "{rate} m/s: {v} m/s");
        }
    }
}

/// On its way out it is pushed at every time, and held back by a damping that acts at once.
#[test]
fn a_stop_of_hunt_and_crossley_does_not_pull() {
    let fastest = |damping: &str| -> [f64; 2] {
        let of_times: Vec<[f64; 2]> =
            (1..=25).map(|k| velocities(damping, 1.0, 0.02 * f64::from(k))).collect();
        [0, 1].map(|who| of_times.iter().map(|v| v[who]).fold(0.0, f64::min))
    };
    for [damping, pulls] in [["dissipation = 0.8", ""], ["damping = 25", "pulls"]] {
        let end = velocities(damping, 1.0, 0.5);
        for (fastest, end) in fastest(damping).into_iter().zip(end) {
            println!("{damping}: {fastest} m/s at most, {end} m/s at the end");
            assert_eq!(end - fastest > STOPPED, !pulls.is_empty(), "{damping}: {fastest} {end}");
        }
    }
}
