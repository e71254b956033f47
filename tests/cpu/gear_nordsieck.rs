//! The implicit method `gear_nordsieck`: errors that follow its tolerances, of joints, deformation,
//! redundant rows and states of laws; what it costs beside `bdf`; and what it refuses.

use crate::bdf::{adaptive, error};
use crate::common::engine::{Ready, assert_same};
use crate::common::flexible::{mechanism, pendulum, spinning_beam};
use crate::common::four_bars::{Joined, four_bars};
use crate::common::study::Varied;
use crate::common::tolerances::{NORDSIECK_FALLS, OF_ADAPTIVE_TOLERANCE, OF_NORDSIECK_TOLERANCE};
use polhode::base::Precision;
use polhode::describe::{Mechanism, Quantity};
use polhode::observe::{Verdict, channels};
use polhode::study::yardsticks::double_pendulum;

const NAME: &str = "gear_nordsieck";

/// A hinged bar whose damper lags behind the rate.
fn lagging() -> Mechanism {
    mechanism(
        r#"
gravity = 9.81
[body]
name = "bar"
mass = 2
inertia = [0.1, 0.1, 0.02]
initial = { position = [0.5, 0, 0] }
[[joint]]
name = "pivot"
kind = "revolute"
bodies = ["ground", "bar"]
points = [[0, 0, 0], [-0.5, 0, 0]]
axes = [0, 1, 0]
[[state]]
name = "brake"
rate = "(-3*pivot.angle_rate - brake)/0.05"
initial = "0 N m"
[[joint_spring]]
name = "motor"
joint = "pivot"
actuator = "brake"
"#,
    )
}

/// A bar on a hinge.
fn hinged() -> Mechanism {
    let mut bar = lagging();
    (bar.states, bar.forces) = (Vec::new(), Vec::new());
    bar
}

fn cases() -> [(&'static str, Mechanism, f64, u64); 6] {
    [
        ("pendulum", hinged(), 0.1, 10),
        ("double pendulum", double_pendulum(), 0.1, 10),
        ("flexible pendulum", pendulum(), 0.05, 10),
        ("spinning beam", spinning_beam(), 0.05, 10),
        ("four-bar of hinges", four_bars(1, Joined::Hinges), 0.1, 5),
        ("state of a law", lagging(), 0.1, 10),
    ]
}

#[test]
fn errors_follow_the_tolerances_in_second_and_first_order_and_algebraic_equations() {
    for (name, mechanism, h, steps) in cases() {
        for method in [NAME, "bdf"] {
            let found = [1e-6, 1e-8].map(|tolerance| {
                let ready = Ready::new(adaptive(method, &mechanism, 1, tolerance, h, steps));
                let mut backend = ready.cpu(Precision::F64, fearless_simd::Level::new(), false);
                backend.load(&ready.batch(0, 1)).expect("load");
                backend.advance(0, steps).expect("advance");
                (tolerance, error(method, &mechanism, tolerance, h, steps), backend.evaluations())
            });
            println!("{name}, {method}: {found:?}");
            if method == NAME {
                assert!(
                    found.iter().all(|(tolerance, error, _)| *error < OF_NORDSIECK_TOLERANCE * tolerance),
                    "{name}: {found:?}"
                );
                assert!(found[1].1 < NORDSIECK_FALLS * found[0].1, "{name}: {found:?}");
            }
        }
    }
}

/// A state of a law that nothing else depends on is a first-order equation whose error is tested by
/// itself: z' = -3 z.
#[test]
fn a_state_of_a_law_is_a_first_order_equation() {
    let text =
        "[body]\nmass = 1\ninertia = [1, 1, 1]\n[[state]]\nname = \"z\"\nrate = \"-3*z\"\ninitial = 1\n";
    for tolerance in [1e-6, 1e-9] {
        let ready = Ready::new(adaptive(NAME, &mechanism(text), 1, tolerance, 0.5, 2));
        let z = ready.observe(&ready.on_cpu(Precision::F64, 1), &[channels::STATE_VALUE]).remove(0)[0];
        println!("{tolerance:e}: {:e}", z - (-3.0f64).exp());
        assert!((z - (-3.0f64).exp()).abs() < OF_ADAPTIVE_TOLERANCE * tolerance, "{z}");
    }
}

/// Rows that others imply are left out of the equations of positions, and joints are closed at
/// every output step.
#[test]
fn a_loop_of_hinges_is_closed_at_every_output_step() {
    let ready = Ready::new(adaptive(NAME, &four_bars(1, Joined::Hinges), 1, 1e-7, 0.05, 10));
    let outcome = ready.on_cpu(Precision::F64, 1);
    assert_eq!(outcome.ends[0].verdict, Verdict::Finished);
    let violation = ready.observe(&outcome, &[channels::CONSTRAINT_VIOLATION]).remove(0)[0];
    assert!(violation < 1e-11, "{violation:e}");
}

#[test]
fn an_instance_has_the_bits_it_has_alone_and_for_any_threads() {
    let study = adaptive(NAME, &double_pendulum(), 4, 1e-6, 0.1, 3);
    let ready = Ready::new(study.normal(Quantity::AngularVelocity, [0.0, 0.0, 1.0], 0.1));
    let whole = ready.on_cpu(Precision::F64, 1);
    assert_same("threads", &whole, &ready.on_cpu(Precision::F64, 3));
    let alone = ready.run(&mut *ready.cpu(Precision::F64, fearless_simd::Level::new(), false), 2, 1);
    assert_eq!((whole.state(2), whole.ends[2]), (alone.state(0), alone.ends[0]));
}
