//! Bushings wound by half a turn, where the quaternion between their frames has no scalar part.

use crate::common::engine::Ready;
use crate::common::tolerances::{HALF_A_TURN, HALF_A_TURN_SINGLE};
use polhode::base::Precision;
use polhode::observe::channels;
use polhode::reference::{Instance, accurate};
use polhode::study_file::read_study_text;

const DURATION: f64 = 1.0;

fn ready(attitude: &str, rates: &str) -> Ready {
    let mechanism = format!(
        "[[body]]\nname = \"block\"\nmass = 1\ninertia = [2, 3, 4]\n\
         initial = {{ attitude = {attitude}, angular_velocity = {rates} }}\n[[bushing]]\nname = \"mount\"\n\
         bodies = [\"ground\", \"block\"]\npoints = [[0, 0, 0], [0, 0, 0]]\nstiffness = 20\n\
         torsional_stiffness = [3, 2, 1]\n"
    );
    let study = format!(
        "method = {{ name = \"rk4\", step = \"1 ms\", duration = \"{DURATION} s\" }}\nensemble.size = 1\n\
         observe = {{ channels = [\"angular_velocity\", \"attitude\", \"energy\"] }}\n"
    );
    Ready::new(read_study_text("wound", &study, &mechanism).unwrap())
}

/// Angular velocity, attitude and energy at the end.
fn end(ready: &Ready, precision: Precision) -> Vec<f64> {
    let observed = [channels::ANGULAR_VELOCITY, channels::ATTITUDE, channels::ENERGY];
    ready.observe(&ready.on_cpu(precision, 1), &observed).remove(0)
}

/// Let go at half a turn with a small rate it falls as a pendulum does from its top:
/// `J phi'' = -k sin(phi)`, `J (w^2 - w0^2)/2 = k (1 + cos(phi))`, and V = 2 k there.
#[test]
fn a_body_leaves_half_a_turn_as_a_pendulum_leaves_its_top() {
    let ready = ready("[0, 1, 0, 0]", "[0.5, 0, 0]");
    for (precision, tolerance) in [(Precision::F64, HALF_A_TURN), (Precision::F32, HALF_A_TURN_SINGLE)] {
        let end = end(&ready, precision);
        let (w, q, energy) = (end[0], &end[3..7], end[7]);
        let cosine = q[0] * q[0] - q[1] * q[1];
        let off = w * w - 0.25 - 3.0 * (1.0 + cosine);
        println!("{precision:?} {off:e} {:e} at a cosine of {cosine}", energy - 6.25);
        assert!((-0.9..-0.3).contains(&cosine), "{cosine}");
        assert!(off.abs() < tolerance && (energy - 6.25).abs() < tolerance, "{end:?}");
    }
}

/// So it does about any axis and with any rates, by the engine as by the judge.
#[test]
fn engine_and_judge_agree_through_half_a_turn() {
    for (attitude, rates) in [
        ("[0, 1, 0, 0]", "[0.5, 0, 0]"),
        ("[0, 0, 0, 1]", "[0.1, -0.2, 0]"),
        ("[0, 0.48, -0.6, 0.64]", "[0.7, 0.4, -2.9]"),
        ("[0.02, 0.48, -0.6, 0.64]", "[2.7, -1.4, -0.9]"),
    ] {
        let ready = ready(attitude, rates);
        let mechanism = ready.plan.model.mechanism();
        let instance = Instance::nominal(mechanism);
        let judged =
            accurate::run(mechanism, &instance, &[DURATION], accurate::TOLERANCE).unwrap().states.remove(0);
        let end = end(&ready, Precision::F64);
        let off = (0..3).map(|k| (end[k] - judged.bodies[0].angular_velocity[k]).abs()).fold(0.0, f64::max);
        println!("{attitude} {off:e}");
        assert!(off < HALF_A_TURN && (end[7] - judged.energy).abs() < HALF_A_TURN, "{attitude}: {end:?}");
    }
}
