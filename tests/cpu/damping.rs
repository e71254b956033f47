//! All that damps, and laws of the velocities: order 2 of every method that carries multipliers,
//! engine and reference alike, and stability of the staggered one up to omega h = 2 whatever the
//! damping ratio.

use crate::common::engine::Ready;
use crate::common::flexible::mechanism;
use crate::common::judged::{apart, engine_state};
use crate::common::slope;
use crate::common::study::study;
use crate::common::sweep::third;
use crate::common::tolerances::METHOD_ORDER;
use polhode::base::{Options, Precision, Setting, Takes};
use polhode::describe::{Constraints, Mechanism};
use polhode::methods::cards;
use polhode::observe::channels;
use polhode::reference::methods::{self, Schedule};
use polhode::reference::{Instance, State, accurate};

/// An arm on a hinge, a second one that slides and turns at its end, and a block that floats near
/// by.
pub const BODIES: &str = r#"
gravity = [0, 0, -9.81]
[[body]]
name = "arm"
mass = 1.2
inertia = [0.05, 0.3, 0.28]
initial = { angular_velocity = [0, 2, 0] }
[[body]]
name = "slider"
mass = 0.7
inertia = [0.2, 0.1, 0.15]
[[body]]
name = "block"
mass = 0.9
inertia = [0.1, 0.2, 0.25]
initial = { position = [0.4, 1.1, 0.2], velocity = [1, -0.5, 2], angular_velocity = [1, 2, -1.5] }
[[joint]]
name = "hinge"
kind = "revolute"
bodies = ["ground", "arm"]
points = [[0, 0, 0], [-0.5, 0, 0]]
axes = [0, 1, 0]
references = [1, 0, 0]
[[joint]]
name = "sleeve"
kind = "cylindrical"
bodies = ["arm", "slider"]
points = [[0.5, 0, 0], [0, 0, 0.2]]
axes = [0.6, 0, 0.8]
"#;

/// Laws that feel velocities across joints and bodies, and drive by forces of every kind.
pub const LAWS: &str = r#"
[[point]]
name = "tip"
body = "arm"
at = [0.5, 0, 0.1]
[[signal]]
name = "effort"
value = "tanh(2*hinge.angle_rate - sleeve.displacement_rate) + 0.5*tip.velocity.z"
unit = "N m"
[[joint_spring]]
name = "motor"
joint = "hinge"
actuator = "-6*effort - 3*block.angular_velocity.x"
[[line_actuator]]
name = "piston"
bodies = ["arm", "block"]
points = [[0.3, 0, 0.1], [0, 0.1, 0]]
force = "5*sin(3*t)*hinge.angle_rate - 2*block.velocity.x"
[[load]]
name = "wheel"
body = "block"
kind = "torque"
axes = "body"
function = ["0.3*hinge.angle_rate - 0.5*block.angular_velocity.x",
            "-0.4*block.angular_velocity.y", "-0.6*slider.angular_velocity.z"]
[[load]]
name = "thrust"
body = "slider"
kind = "force"
axes = "space"
point = [0.1, 0, 0.2]
function = ["-4*slider.velocity.x", "0", "-effort*slider.velocity.z"]
"#;

/// Wheels in two bodies with laws, friction, and limits of which one is met.
pub const WHEELS: &str = r#"
[[wheel]]
name = "momentum"
body = "block"
axis = [0, 0, 1]
inertia = 0.02
speed = "60 rad/s"
damping = 0.05
torque = "0.4*sin(5*t) - 0.01*reaction.speed"
[[wheel]]
name = "reaction"
body = "arm"
axis = [1, 2, -1]
inertia = 0.03
speed = 19.5
torque = "0.05*hinge.angle_rate + 0.04*momentum.momentum"
max_speed = 20
"#;

/// Strong dampers of every kind, by name; and which treatment holds the joints.
#[expect(clippy::too_many_lines, reason = "a list of cases")]
fn cases() -> Vec<(&'static str, String, Constraints)> {
    let exact = || Constraints { treatment: "exact", ..Constraints::default() };
    let with = |more: &str| format!("{BODIES}{more}");
    let fixed = |numbers: &str| {
        format!(
            "gravity = [0, 0, -9.81]\n[[body]]\nname = \"top\"\nmass = 2\ninertia = [0.4, 0.5, 0.3]\n\
             centre_of_mass = [0.1, 0.2, 0.4]\nsupport = \"fixed_point\"\n\
             initial = {{ angular_velocity = [3, -2, 8] }}\n[[drag]]\nname = \"air\"\nbody = \"top\"\n\
             {numbers}"
        )
    };
    let drag = |numbers: &str| {
        with(&format!(
            "[[drag]]\nname = \"air\"\nbody = \"block\"\n{numbers}[[drag]]\nname = \"oil\"\n\
             body = \"slider\"\n{numbers}"
        ))
    };
    let penalty =
        Options::default().with("eps", Setting::Number(1e-4)).with("damping", Setting::Number(40.0));
    let rod = |damping: &str| {
        format!(
            "[[body]]\nname = \"rod\"\ninitial = {{ angular_velocity = [2, 1, 0.5] }}\n[body.flexible]\n\
             {damping}\namplitudes = [0.01, -0.02]\namplitude_rates = [0.3, 0.1]\n\
             beam = {{ length = 1, mass = 0.5, polar_inertia = 2e-3, bending_stiffness = 4, modes_y = 1, \
             modes_z = 1 }}\n"
        )
    };
    vec![
        (
            "spring",
            with(
                "[[spring]]\nname = \"s\"\nbodies = [\"arm\", \"block\"]\n\
                 points = [[0.3, 0, 0.1], [0, 0.1, 0]]\nstiffness = 200\ndamping = 12\nfree_length = 1\n",
            ),
            exact(),
        ),
        (
            "joint springs",
            with(
                "[[joint_spring]]\nname = \"a\"\njoint = \"hinge\"\nstiffness = 30\ndamping = 4\n\
                 [[joint_spring]]\nname = \"b\"\njoint = \"sleeve\"\ncoordinate = \"displacement\"\n\
                 stiffness = 300\ndamping = 15\n\
                 [[joint_spring]]\nname = \"c\"\njoint = \"sleeve\"\ncoordinate = \"angle\"\ndamping = 0.5\n",
            ),
            exact(),
        ),
        (
            "stop",
            with(
                "[[stop]]\nname = \"s\"\njoint = \"hinge\"\nlow = 3\nhigh = 9\nstiffness = 4\ndamping = 3\n\
                 dissipation = 0.5\n",
            ),
            exact(),
        ),
        (
            "bushings",
            with(
                "[[bushing]]\nname = \"m\"\nbodies = [\"slider\", \"block\"]\n\
                 points = [[0.1, 0, 0], [0, 0, 0.3]]\n\
                 stiffness = [20, 30, 25]\ndamping = [5, 3, 4]\ntorsional_stiffness = [3, 2, 1]\n\
                 torsional_damping = [0.4, 0.5, 0.6]\n\
                 [[bushing]]\nname = \"g\"\nbodies = [\"ground\", \"block\"]\n\
                 points = [[0.4, 1, 0], [0, 0, 0]]\n\
                 stiffness = 50\ndamping = 4\ntorsional_stiffness = 3\ntorsional_damping = 0.3\n",
            ),
            exact(),
        ),
        (
            "beam elements",
            with(
                "[[beam_element]]\nname = \"e\"\nbodies = [\"slider\", \"block\"]\n\
                 points = [[0.1, 0, 0], [0, 0, 0.3]]\nEA = 60\nGA = 40\nGJ = 3\nEI = 4\ndamping = 0.1\n",
            ),
            exact(),
        ),
        (
            "dry friction in joints",
            with(
                "[[joint_friction]]\nname = \"a\"\njoint = \"hinge\"\nforce = 4\nrate = 1.5\n\
                 [[joint_friction]]\nname = \"b\"\njoint = \"sleeve\"\ncoordinate = \"displacement\"\n\
                 force = 6\nrate = 2\n",
            ),
            exact(),
        ),
        (
            "dry friction along a line",
            with(
                "[[friction]]\nname = \"f\"\nbodies = [\"arm\", \"block\"]\n\
                 points = [[0.3, 0, 0.1], [0, 0.1, 0]]\nforce = 8\nrate = 1\n",
            ),
            exact(),
        ),
        (
            "armatures, with dampers and without",
            with(
                "[[armature]]\nname = \"rotor\"\njoint = \"hinge\"\ninertia = 0.5\n\
                 [[armature]]\nname = \"rack\"\njoint = \"sleeve\"\ncoordinate = \"displacement\"\n\
                 inertia = 0.8\n\
                 [[joint_spring]]\nname = \"a\"\njoint = \"hinge\"\nstiffness = 30\ndamping = 4\n",
            ),
            exact(),
        ),
        ("linear drag", drag("linear = 3\nangular_linear = 0.4\n"), exact()),
        ("quadratic drag", drag("quadratic = 2\nangular_quadratic = 0.3\n"), exact()),
        (
            "both drags",
            drag("linear = 1\nquadratic = 2\nangular_linear = 0.1\nangular_quadratic = 0.3\n"),
            exact(),
        ),
        (
            "drag about a fixed point",
            fixed("linear = 1\nquadratic = 0.5\nangular_linear = 0.2\nangular_quadratic = 0.1\n"),
            exact(),
        ),
        ("modes", rod("damping = 0.5"), exact()),
        (
            "modes and dampers",
            rod("damping = 0.3")
                + "[[spring]]\nname = \"s\"\nbodies = [\"ground\", \"rod\"]\npoints = [[0, 0, 1], \"end\"]\n\
                   stiffness = 20\ndamping = 2\nfree_length = 1\n\
                   [[bushing]]\nname = \"m\"\nbodies = [\"ground\", \"rod\"]\n\
                   points = [[0, 0, 0], \"start\"]\n\
                   stiffness = 50\ndamping = 2\ntorsional_stiffness = 3\ntorsional_damping = 0.1\n\
                   [[drag]]\nname = \"air\"\nbody = \"rod\"\nlinear = 0.5\nquadratic = 0.5\n\
                   angular_linear = 0.02\n",
            exact(),
        ),
        ("penalty", BODIES.to_string(), Constraints { treatment: "penalty", options: penalty, project: 0 }),
        ("laws of the velocities", with(LAWS), exact()),
        (
            "laws that are sampled",
            with(&LAWS.replace("unit = \"N m\"", "unit = \"N m\"\nevery = \"40 ms\"")),
            exact(),
        ),
        (
            "laws with states",
            with(LAWS)
                + "[[state]]\nname = \"lag\"\nrate = \"9*(effort - lag)\"\ninitial = \"0.3 N m\"\n\
                   [[joint_spring]]\nname = \"late\"\njoint = \"sleeve\"\ncoordinate = \"angle\"\n\
                   actuator = \"-2*lag\"\n",
            exact(),
        ),
        ("wheels", with(WHEELS), exact()),
        (
            "laws and dampers",
            with(LAWS)
                + "[[joint_spring]]\nname = \"a\"\njoint = \"sleeve\"\ncoordinate = \"displacement\"\n\
                   damping = 15\n[[armature]]\nname = \"rotor\"\njoint = \"hinge\"\ninertia = 0.5\n\
                   [[drag]]\nname = \"air\"\nbody = \"block\"\nquadratic = 2\nangular_quadratic = 0.3\n",
            exact(),
        ),
        (
            "laws of a rod that bends",
            rod("damping = 0.3")
                + "[[load]]\nname = \"hand\"\nbody = \"rod\"\nkind = \"force\"\naxes = \"space\"\n\
                   point = \"end\"\n\
                   function = [\"-2*far.velocity.x\", \"-3*far.velocity.y - 20*far.position.y\", \
                   \"-rod.angular_velocity.y\"]\n[[point]]\nname = \"far\"\nbody = \"rod\"\nat = \"end\"\n",
            exact(),
        ),
        (
            "laws and staggered multipliers",
            with(LAWS),
            Constraints {
                options: Options::default().with("eps", Setting::Number(1e-10)),
                ..Constraints::default()
            },
        ),
        (
            "staggered multipliers",
            with("[[joint_spring]]\nname = \"a\"\njoint = \"hinge\"\nstiffness = 30\ndamping = 4\n"),
            Constraints {
                options: Options::default().with("eps", Setting::Number(1e-10)),
                ..Constraints::default()
            },
        ),
    ]
}

const END: f64 = 0.2;

fn by_reference(mechanism: &Mechanism, constraints: &Constraints, steps: u64) -> State {
    let schedule = Schedule { h: END / steps as f64, steps, resynchronise: 0, every: steps };
    let instance = Instance::nominal(mechanism);
    let run = methods::run("staggered", &Options::default(), constraints, mechanism, &instance, schedule);
    run.unwrap().states.remove(1)
}

fn by_engine(
    method: &'static str,
    mechanism: &Mechanism,
    constraints: &Constraints,
    steps: u64,
    like: &State,
) -> State {
    let mut study = study(mechanism.clone(), 1, END / steps as f64, steps);
    study.method.name = method;
    study.method.resynchronise = 0;
    study.constraints = constraints.clone();
    engine_state(&Ready::new(study), like)
}

/// The slope of the error from h = 2 ms to .5 ms, for every kind of damping, by the staggered
/// method and a covering set of the others that carry multipliers, of the staggered one by the
/// reference too. Before the mean of the rates it was 1.
#[test]
fn methods_are_of_second_order_with_every_kind_of_damping() {
    let mut off = Vec::new();
    for (case, (name, text, constraints)) in cases().into_iter().enumerate() {
        let mechanism = mechanism(&text);
        // A penalty does not hold the joint but puts a spring in its place: the finest steps stand
        // for its motion.
        let exact = match constraints.treatment {
            "penalty" => {
                let schedule = Schedule { h: END / 8000.0, steps: 8000, resynchronise: 0, every: 8000 };
                let instance = Instance::nominal(&mechanism);
                let run =
                    methods::run("rk4", &Options::default(), &constraints, &mechanism, &instance, schedule);
                run.unwrap().states.remove(1)
            }
            _ => {
                let run =
                    accurate::run(&mechanism, &Instance::nominal(&mechanism), &[END], accurate::TOLERANCE);
                run.unwrap().states.remove(0)
            }
        };
        let mut check = |way: &str, found: &dyn Fn(u64) -> State| {
            let errors = [100, 200, 400].map(|steps| (END / steps as f64, apart(&found(steps), &exact)));
            println!("{name}, {way}: {} {errors:?}", slope(&errors));
            if (slope(&errors) - 2.0).abs() >= METHOD_ORDER {
                off.push((name, way.to_string(), slope(&errors)));
            }
        };
        check("reference", &|steps| by_reference(&mechanism, &constraints, steps));
        let takes = |takes: Takes| takes == Takes::AnyMechanismAndTreatment || mechanism.is_rigid();
        let carrying = cards().iter().filter(|card| card.takes.carries() && takes(card.takes));
        let others = carrying.map(|card| card.name).filter(|name| *name != "staggered");
        for method in ["staggered"].into_iter().chain(third(case, others)) {
            check(method, &|steps| by_engine(method, &mechanism, &constraints, steps, &exact));
        }
    }
    assert!(off.is_empty(), "{off:#?}");
}

/// A mass on a spring with a damper, `x'' + 2 z w x' + w² x = 0`, as a slider: a little below omega
/// h = 2 it stays, a little above it flies apart, whatever the ratio z. With the damper at the old
/// rate that was so up to 1.24 (z = .5) and .82 (z = .95).
#[test]
fn an_oscillator_is_stable_to_the_same_step_with_any_damping() {
    let omega = 10.0;
    for ratio in [0.1, 0.5, 0.95, 2.0] {
        let mechanism = mechanism(&format!(
            "[[body]]\nname = \"mass\"\nmass = 1\ninertia = [1, 1, 1]\ninitial = {{ velocity = [0, 0, 1] }}\n\
             [[joint]]\nname = \"guide\"\nkind = \"translational\"\nbodies = [\"ground\", \"mass\"]\n\
             points = [[0, 0, 0], [0, 0, 0]]\naxes = [0, 0, 1]\n\
             [[joint_spring]]\nname = \"spring\"\njoint = \"guide\"\nstiffness = {}\ndamping = {}\n",
            omega * omega,
            2.0 * ratio * omega
        ));
        let energy = |product: f64, resynchronise: u64| {
            let mut study = study(mechanism.clone(), 1, product / omega, 4000);
            study.method.resynchronise = resynchronise;
            study.constraints.treatment = "exact";
            let ready = Ready::new(study);
            ready.observe(&ready.on_cpu(Precision::F64, 1), &[channels::ENERGY])[0][0]
        };
        let (below, above) = (energy(1.98, 0), energy(2.02, 0));
        let restarted = energy(1.98, 200);
        println!("ratio {ratio}: {below:e} J, restarted {restarted:e} J, above {above:e} J");
        assert!(below < 0.5 && restarted < 0.5, "{ratio}: {below:e} {restarted:e}");
        assert!(above.is_nan() || above > 1e6, "{ratio}: {above:e}");
    }
}
