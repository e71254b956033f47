//! Flexible bodies on the engine: against the reference step by step, on all backends, orders, what is conserved.

mod common;

use common::engine::{Ready, assert_same};
use common::flexible::{
    LEVELS, at_level, crane, free_vibration, mechanism, pendulum, slider_crank, spinning_beam, triangle,
};
use common::judged::{reference, worst};
use common::study::{Varied, study};
use polhode::describe::{Channel, Constraints, Mechanism, Options, Precision, Quantity, Setting, Study};

const H: f64 = 1e-3;
const STEPS: u64 = 40;
/// Largest difference of engine and reference a step.
const PER_STEP: f64 = 1e-12;

/// A body that bends in all ways, away from its axes, with loads of all kinds, a spring and a joint with an axis.
fn everything(joint: &str) -> Mechanism {
    mechanism(&format!(
        r#"
gravity = 9.81
[[body]]
name = "rod"
initial = {{ position = [0.5, 0, 0], angular_velocity = [0.4, -0.3, 1] }}
[body.flexible]
damping = [0.02, 0.03, 0.01, 0.05, 0.04]
amplitudes = [0.004, -0.003, 0.002, 0.001, -0.001]
amplitude_rates = [0, 0.1, 0, -0.1, 0]
[body.flexible.beam]
length = 1
mass = 0.5
polar_inertia = 2e-3
bending_stiffness = [4, 6]
axial_stiffness = 2000
torsional_stiffness = 1
modes_y = 2
modes_z = 1
modes_axial = 1
modes_torsion = 1
[[body]]
name = "frame"
initial = {{ position = [1.2, 0.1, -0.2], attitude = {{ axis = [1, 2, 3], angle = "40 deg" }} }}
[body.flexible]
damping = 0.05
amplitudes = [0.01, -0.02]
watch = "c"
[body.flexible.structure]
modes = 2
nodes = [
  {{ name = "a", at = [0, 0, 0], mass = 0.3, rotary_inertia = [1e-3, 2e-3, 1e-3] }},
  {{ name = "b", at = [0, 0, 0.5], mass = 0.2 }},
  {{ name = "c", at = [0.3, 0.1, 1], mass = 0.2 }},
]
members = [
  {{ nodes = ["a", "b"], mass = 0.1, axial_stiffness = 1000, bending_stiffness = [20, 30], torsional_stiffness = 10, y = [0, 1, 0] }},
  {{ nodes = ["b", "c"], axial_stiffness = 1000, bending_stiffness = 20, torsional_stiffness = 10 }},
]
{joint}
[[spring]]
name = "strut"
bodies = ["rod", "frame"]
points = [[0.3, 0.02, 0.01], "c"]
stiffness = 20
damping = 0.5
free_length = 0.4
[[load]]
name = "push"
body = "rod"
kind = "force"
axes = "space"
point = "end"
value = [0.3, -0.2, 0.4]
[[load]]
name = "twist"
body = "rod"
kind = "torque"
axes = "body"
point = "end"
value = [0.02, 0.01, -0.01]
[[load]]
name = "tug"
body = "frame"
kind = "force"
axes = "body"
point = "b"
function = ["0.1*sin(3*t)", 0, 0.2]
"#
    ))
}

const HINGE: &str = r#"
[[joint]]
name = "hinge"
kind = "revolute"
bodies = ["ground", "rod"]
points = [[0, 0, 0], "start"]
axes = [0, 0, 1]
[[joint_spring]]
name = "coil"
joint = "hinge"
stiffness = 3
damping = 0.1
[[joint]]
name = "ball"
kind = "spherical"
bodies = ["rod", "frame"]
points = ["end", "a"]
"#;

const OTHERS: &str = r#"
[[joint]]
name = "guide"
kind = "cylindrical"
bodies = ["ground", "rod"]
points = [[0, 0, 0], "start"]
axes = [1, 0, 0]
[[joint]]
name = "rod_joint"
kind = "distance"
bodies = ["rod", "frame"]
points = ["end", "b"]
[[generator]]
name = "turn"
joint = "guide"
coordinate = "angle"
value = "0.3*sin(2*t)"
"#;

fn cases() -> Vec<(String, Mechanism)> {
    let mut cases = vec![
        ("figure 7.1".to_string(), free_vibration()),
        ("pendulum".to_string(), pendulum()),
        ("slider-crank".to_string(), slider_crank()),
        ("crane".to_string(), crane()),
        ("free bodies".to_string(), everything("")),
        ("others".to_string(), everything(OTHERS)),
    ];
    for (name, level) in LEVELS {
        cases.push((format!("triangle, level {name}"), at_level(&triangle(), level)));
        cases.push((format!("spinning beam, level {name}"), at_level(&spinning_beam(), level)));
        cases.push((format!("hinge, level {name}"), at_level(&everything(HINGE), level)));
    }
    cases
}

fn constraints(treatment: &'static str) -> Constraints {
    Constraints { treatment, ..Constraints::default() }
}

/// Every method that takes flexible bodies, with a treatment it can have.
fn ways() -> [(&'static str, Constraints); 5] {
    let beta = Options::default().with("beta", Setting::Number(20.0));
    [
        ("staggered", Constraints { options: beta, ..constraints("staggered") }),
        ("staggered", constraints("baumgarte")),
        ("rk4", constraints("exact")),
        ("dop853", constraints("exact")),
        ("rk4", Constraints { project: 7, ..constraints("baumgarte") }),
    ]
}

fn ensemble(mechanism: &Mechanism, size: u64, method: &'static str, constraints: &Constraints) -> Study {
    // The rod of the slider-crank swings with 10^4 rad/s.
    let fastest = mechanism.bodies.iter().filter_map(|body| body.flexible.as_ref());
    let fastest = fastest.flat_map(|f| f.modal.frequencies()).fold(0.0, f64::max);
    let mut study = study(mechanism.clone(), size, H.min(0.5 / fastest), STEPS);
    study.method.name = method;
    study.method.resynchronise = if method == "staggered" { 13 } else { 0 };
    study.constraints = constraints.clone();
    for (position, number) in mechanism.numbers().iter().enumerate() {
        if number.part.ends_with("_scale") {
            study = study.uniform(Quantity::Number(position), [0.8], [1.2]);
        }
    }
    study.observe.channels = vec![Channel::Energy.into()];
    study
}

#[test]
fn flexible_bodies_move_as_the_reference_says() {
    let mut apart = Vec::new();
    for (name, mechanism) in cases() {
        for (method, constraints) in ways() {
            let ready = Ready::new(ensemble(&mechanism, 3, method, &constraints));
            let references: Vec<_> = (0..ready.size()).map(|i| reference(&ready, i)).collect();
            let difference = worst(&ready, &ready.on_cpu(Precision::F64, 1), &references);
            println!("{name}, {method}, {}: {difference:e}", constraints.treatment);
            if difference.is_nan() || difference >= PER_STEP * STEPS as f64 {
                apart.push(format!("{name}, {method}, {}: {difference:e}", constraints.treatment));
            }
        }
    }
    assert!(apart.is_empty(), "{apart:#?}");
}

#[test]
fn kernels_of_flexible_bodies_equal_the_cpu() {
    for (name, mechanism) in cases() {
        for (method, constraints) in [&ways()[0], &ways()[2]] {
            let ready = Ready::new(ensemble(&mechanism, 48, method, constraints));
            for precision in [Precision::F32, Precision::F64] {
                let (cpu, gpu) = (ready.on_cpu(precision, 1), ready.on_gpu(precision));
                assert_same(&format!("{name}, {method}, {precision:?}"), &cpu, &gpu);
            }
        }
    }
}
