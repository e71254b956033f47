//! Point masses on every backend: they do not turn, whatever is attached, and the reference, which
//! gives them an inertia and turns them as any body, moves them so.

use crate::common::arms::study_of;
use crate::common::engine::Ready;
use crate::common::judged::{reference, worst};
use crate::common::methods::variants;
use crate::common::tolerances::{REFERENCE_PER_STEP, SINGLE_REFERENCE_PER_STEP};
use polhode::base::{Precision, Setting, Verdict};
use polhode::describe::{Constraints, Study};
use polhode::observe::channels;

const STEPS: u64 = 40;

/// A rod on a hinge that carries a point by a ball joint, from which another hangs on a massless
/// rod; one in a slot of the rod, one on a plane, tied by springs, pushed, driven, braked and
/// caught by a stop; and one that is free.
const MECHANISM: &str = r#"
[[mechanism.body]]
name = "rod"
solid = { box = [1, 0.1, 0.1], mass = 2, centre = [0.5, 0, 0] }
[[mechanism.body]]
name = "tip"
solid = { point = true, mass = 0.7 }
[[mechanism.body]]
name = "bob"
solid = { point = true, mass = "300 g" }
initial = { position = [1.3, 0.2, -0.6], velocity = [0, 0.5, 0], approximate = true }
[[mechanism.body]]
name = "bead"
solid = [{ point = true, mass = 0.2 }, { point = true, mass = 0.1 }]
[[mechanism.body]]
name = "puck"
solid = { point = true, mass = 0.4 }
initial = { position = [0.3, 0.4, -1], velocity = [0.2, 0, 0] }
[[mechanism.body]]
name = "stone"
solid = { point = true, mass = 1.5 }
initial = { position = [0, 2, 1], velocity = [1, 0, 2] }

[[mechanism.joint]]
name = "hinge"
kind = "revolute"
bodies = ["ground", "rod"]
points = [[0, 0, 0], [0, 0, 0]]
axes = [0, 1, 0]
angle = 0.3
angular_velocity = 0.5
[[mechanism.joint]]
name = "ball"
kind = "spherical"
bodies = ["rod", "tip"]
points = [[1, 0, 0], [0, 0, 0]]
[[mechanism.joint]]
name = "string"
kind = "distance"
bodies = ["tip", "bob"]
points = [[0, 0, 0], [0, 0, 0]]
length = 0.5
[[mechanism.joint]]
name = "slot"
kind = "slot"
bodies = ["rod", "bead"]
points = [[0, 0, 0.2], [0, 0, 0]]
axes = [1, 0, 0]
displacement = 0.4
velocity = -0.3
[[mechanism.joint]]
name = "table"
kind = "planar_point"
bodies = ["ground", "puck"]
points = [[0, 0, -1], [0, 0, 0]]
axes = [0, 0, 1]

[[mechanism.joint_spring]]
name = "coil"
joint = "slot"
stiffness = 30
damping = 0.4
rest = 0.5
actuator = "0.3*sin(5*t) - 0.1*slot.displacement_rate"
[[mechanism.spring]]
name = "tie"
bodies = ["bob", "puck"]
points = [[0, 0, 0], [0, 0, 0]]
stiffness = 20
damping = 0.2
free_length = 0.8
[[mechanism.drag]]
name = "air"
body = "stone"
linear = 0.2
[[mechanism.load]]
name = "wind"
body = "stone"
kind = "force"
axes = "space"
value = [0.5, -0.2, 0]
[[mechanism.load]]
name = "law"
body = "puck"
kind = "force"
axes = "space"
function = ["-2*(puck_at.position.x - 0.1)", "-puck_at.velocity.y", 0]
[[mechanism.point]]
name = "puck_at"
body = "puck"
at = [0, 0, 0]
"#;

const VARY: &str = "\"bob.mass\" = { uniform = \"±30 %\" }\n\"stone.velocity\" = { normal = { std = 0.3 } }\n\
                    \"puck.velocity\" = { uniform = { low = [-0.3, -0.3, 0], high = [0.3, 0.3, 0] } }\n\
                    \"tip.mass\" = { uniform = \"±10 %\" }\n";

fn points() -> Study {
    study_of("", VARY, MECHANISM, 2e-3, STEPS)
}

#[test]
fn every_backend_moves_point_masses_to_the_same_bits() {
    let mut study = points();
    study.verdict.quaternion_norm = Some(1e-3);
    let ready = Ready::new(study);
    for precision in [Precision::F32, Precision::F64] {
        let code = ready.on_every_backend(precision);
        assert!(code.states.iter().flatten().all(|x| x.is_finite()));
        assert!(code.ends.iter().all(|end| end.verdict == Verdict::Finished));
    }
}

#[test]
fn point_masses_move_as_the_reference_says_by_every_method() {
    let mut study = points();
    study.ensemble.size = 2;
    let mut judged = 0;
    for variant in variants() {
        let mut study = variant.apply(study.clone());
        if variant.name.starts_with("newmark") {
            // The reference solves the balance until rounding stops it.
            study.method.options = study.method.options.with("iterations", Setting::Count(12));
        }
        if ["rk4", "tsit5", "dop853"].contains(&variant.name) {
            // They carry no multipliers.
            study.constraints = Constraints { treatment: "exact", ..Constraints::default() };
        }
        let ready = Ready::new(study);
        let references: Vec<_> = (0..ready.size()).map(|i| reference(&ready, i)).collect();
        for (precision, per_step) in
            [(Precision::F64, REFERENCE_PER_STEP), (Precision::F32, SINGLE_REFERENCE_PER_STEP)]
        {
            let outcome = ready.on_cpu(precision, 1);
            let worst = worst(&ready, &outcome, &references);
            println!("{} {variant:?}: {worst:.1e}", precision.name());
            assert!(worst <= STEPS as f64 * per_step, "{} {variant:?}: {worst:e}", precision.name());
            let rows = ready.observe(&outcome, &[channels::ATTITUDE, channels::ANGULAR_VELOCITY]);
            for row in rows {
                // After the rod.
                let (attitudes, rates) = row.split_at(4 * 6);
                assert!(attitudes[4..].chunks(4).all(|q| *q == [1.0, 0.0, 0.0, 0.0]), "{attitudes:?}");
                assert!(rates[3..].iter().all(|x| *x == 0.0), "{rates:?}");
            }
        }
        judged += 1;
    }
    assert!(judged > 10, "{judged}");
}
