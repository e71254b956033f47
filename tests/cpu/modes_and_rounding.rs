//! Modes of bodies whose spins losses hardly slow down.

use polhode::model::vibration::Stability;
use polhode::study::steady::SteadyFound;

use super::common::tolerances::KEPT_SPIN;
use super::modes::only;

fn body(name: &str, mass: f64, inertia: [f64; 3], start: &str) -> String {
    format!("[[body]]\nname = \"{name}\"\nmass = {mass:?}\ninertia = {inertia:?}\n{start}\n")
}

fn wheel(damping: f64) -> String {
    format!(
        "[[wheel]]\nname = \"w\"\nbody = \"sat\"\naxis = [0, 0, 1]\ninertia = 0.1\nspeed = 200\n\
         damping = {damping:e}\n"
    )
}

/// A satellite nutates by its wheel, `h / sqrt(A B)`, whatever friction does not slow the wheel in
/// many periods. It had one mode without frequency, and no remark, at any friction.
#[test]
fn friction_of_a_wheel_in_a_free_body_leaves_the_nutation() {
    let satellite = |damping: f64| body("sat", 100.0, [30.0, 28.0, 35.0], "") + &wheel(damping);
    let nutation = 20.0 / (30.0f64 * 28.0).sqrt();
    for (damping, remarks) in [(1e-9, 0), (1e-5, 1)] {
        let found = only("kind = \"modes\"", &satellite(damping));
        let vibrating: Vec<f64> = frequencies(&found);
        assert_eq!(vibrating.len(), 1, "{vibrating:?}");
        assert!((vibrating[0] / nutation - 1.0).abs() < KEPT_SPIN, "{vibrating:?} {nutation}");
        assert_eq!(found.remarks.len(), remarks, "{:?}", found.remarks);
    }
    let found = only("kind = \"modes\"", &satellite(1.0));
    assert!(frequencies(&found).is_empty());
    assert!(found.remarks[0].contains("come to rest"), "{:?}", found.remarks);
}

fn frequencies(found: &SteadyFound) -> Vec<f64> {
    found.vibrations.modes.iter().map(|mode| mode.eigenvalue.im).filter(|rate| *rate > 0.0).collect()
}

/// A dual-spin satellite with a ball in a damped tube, its rotor a body or a wheel: losses on the
/// fast side make its nutation grow, with friction in the bearing as without. With friction it
/// decayed by 0.0025 1/s, the rotor being left out.
#[test]
fn friction_of_a_rotor_in_a_turning_body_leaves_its_instability() {
    let start = "initial = { angular_velocity = [0, 0, 2] }";
    let ball = body("ball", 2.0, [1e-8; 3], "")
        + "[[joint]]\nname = \"tube\"\nkind = \"translational\"\nbodies = [\"sat\", \"ball\"]\n\
           points = [[0.8, 0, 0], [0, 0, 0]]\naxes = [0, 0, 1]\n[[joint_spring]]\nname = \"s\"\n\
           joint = \"tube\"\nstiffness = 5\ndamping = 0.4\n";
    let of_body = |damping: f64| {
        let bearing = if damping == 0.0 {
            String::new()
        } else {
            format!("[[joint_spring]]\nname = \"bd\"\njoint = \"ax\"\ndamping = {damping:e}\n")
        };
        body("sat", 97.0, [29.95, 27.95, 35.0], start)
            + &body("rotor", 3.0, [0.05, 0.05, 0.1], "")
            + "[[joint]]\nname = \"ax\"\nkind = \"revolute\"\nbodies = [\"sat\", \"rotor\"]\n\
               points = [[0, 0, 0], [0, 0, 0]]\naxes = [0, 0, 1]\nangular_velocity = -200\n"
            + &ball
            + &bearing
    };
    let of_wheel = |damping: f64| {
        body("sat", 100.0, [30.0, 28.0, 35.0], start)
            + &ball
            + &wheel(damping).replace("speed = 200", "speed = -200")
    };
    let growth = |mechanism: &str| {
        let found = only("kind = \"modes\"\nrotation = \"sat\"", mechanism);
        assert_eq!(found.vibrations.stability, Stability::Unstable, "{:?}", found.remarks);
        found.vibrations.growth
    };
    let without = growth(&of_body(0.0));
    for mechanism in [of_body(1e-8), of_body(1e-6), of_wheel(0.0), of_wheel(1e-6)] {
        let found = growth(&mechanism);
        assert!((found / without - 1.0).abs() < 10.0 * KEPT_SPIN, "{found} {without}");
    }
}
