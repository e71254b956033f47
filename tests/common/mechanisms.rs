//! Mechanisms with joints: random ones, assembled so that every joint holds, and those of the
//! reports.

use nalgebra::{DVector, Matrix3, Quaternion, Rotation3, UnitQuaternion, Vector3};
use polhode::describe::expression::Function;
use polhode::describe::{
    Attached, Axes, Beam, Body, Expression, Given, InertiaAbout, Initial, Joint, JointCard, Mechanism, Point,
    Support,
};
use polhode::elements::joints::REVOLUTE;
use polhode::elements::spring::Spring;
use polhode::reference::Instance;
use polhode::reference::system::MultibodySystem;
use polhode::reference::treatment::Treatment;
use polhode::study::yardsticks::free_body;

use super::{force, torque};

/// Rows that each kind has, which a pair of bodies in general position makes independent (W84 table
/// 6.1).
pub fn rank(kind: &JointCard) -> usize {
    match kind.name {
        "planar_point" | "distance" => 1,
        "slot" => 2,
        "spherical" | "planar" => 3,
        "universal" | "cylindrical" => 4,
        "revolute" | "translational" => 5,
        "fixed" => 6,
        other => panic!("the rank of {other} is not known"),
    }
}

/// Count of the numbers that a [`Draws`] must have for [`chain`].
pub const NUMBERS: usize = 160;

/// Numbers from -1 to 1, used up one by one.
pub struct Draws {
    numbers: std::vec::IntoIter<f64>,
}

impl Draws {
    pub fn new(numbers: Vec<f64>) -> Draws {
        Draws { numbers: numbers.into_iter() }
    }

    pub fn number(&mut self) -> f64 {
        self.numbers.next().expect("enough numbers")
    }

    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.number() + 1.0) / 2.0
    }

    fn flag(&mut self) -> bool {
        self.number() > 0.0
    }

    pub fn vector(&mut self) -> Vector3<f64> {
        Vector3::from_fn(|_, _| self.number())
    }

    /// A turn by any angle up to about a half.
    pub fn turn(&mut self) -> UnitQuaternion<f64> {
        UnitQuaternion::from_scaled_axis(self.vector() * 2.0)
    }

    /// Rows x, y, z.
    pub fn frame(&mut self) -> [[f64; 3]; 3] {
        let turn = self.turn().to_rotation_matrix();
        [0, 1, 2].map(|k| turn.matrix().column(k).into_owned().into())
    }
}

/// A body of no special shape, at the origin, at rest.
pub fn some_body(name: &str, draws: &mut Draws) -> Body {
    let mut body = free_body([1.0; 3], [1.0, 0.0, 0.0, 0.0], [0.0; 3]).bodies.remove(0);
    body.name = name.to_string();
    body.initial.given = Given::ABOUT;
    body.mass = draws.within(0.5, 2.0);
    let (diagonal, off) = ([0; 3].map(|_| draws.within(0.6, 1.0)), [0; 3].map(|_| 0.15 * draws.number()));
    body.inertia =
        [[diagonal[0], off[0], off[1]], [off[0], diagonal[1], off[2]], [off[1], off[2], diagonal[2]]];
    body.inertia_about = InertiaAbout::MassCentre;
    body.centre_of_mass = (0.2 * draws.vector()).into();
    body
}

/// Adds a beam to the mechanism: the bodies of its nodes, and its elements.
pub fn with_beam(mut mechanism: Mechanism, beam: Beam) -> Mechanism {
    let ends = beam.clamped.iter().filter(|end| **end).count();
    let beam = Beam { first_node: mechanism.bodies.len(), nodes: beam.elements + 1 - ends, ..beam };
    mechanism.bodies.extend(beam.bodies());
    mechanism.beam_elements.extend(beam.beam_elements(mechanism.beams.len()));
    mechanism.beams.push(beam);
    mechanism
}

/// A joint between sides of any points and frames.
pub fn some_joint(kind: &'static JointCard, bodies: [Option<usize>; 2], draws: &mut Draws) -> Joint {
    Joint {
        name: format!("{kind:?}"),
        kind,
        points: bodies.map(|body| Point { body, at: (0.5 * draws.vector()).into() }),
        frames: [draws.frame(), draws.frame()],
        length: 1.0,
        initial: None,
    }
}

/// Places `body`, one side of the joint, so that the joint holds; the other side stays.
pub fn assemble(mechanism: &mut Mechanism, joint: usize, body: usize, draws: &mut Draws) {
    let about_z = |angle: f64| UnitQuaternion::from_scaled_axis(Vector3::z() * angle);
    let (turn, shift) = (draws.turn(), 0.4 * draws.vector());
    let (angle, tilted) = (3.0 * draws.number(), 3.0 * draws.number());
    let along = Vector3::z() * shift.z;
    let across = Vector3::new(shift.x, shift.y, 0.0);
    // d and the frame of side B, both in the frame of side A.
    let (d, turn) = match mechanism.joints[joint].kind.name {
        "spherical" => (Vector3::zeros(), turn),
        "universal" => {
            let quarter = UnitQuaternion::from_scaled_axis(Vector3::x() * std::f64::consts::FRAC_PI_2);
            (Vector3::zeros(), about_z(angle) * quarter * about_z(tilted))
        }
        "revolute" => (Vector3::zeros(), about_z(angle)),
        "slot" => (along, turn),
        "cylindrical" => (along, about_z(angle)),
        "translational" => (along, UnitQuaternion::identity()),
        "planar_point" => (across, turn),
        "planar" => (across, about_z(angle)),
        "fixed" => (Vector3::zeros(), UnitQuaternion::identity()),
        "distance" => (shift + Vector3::x(), turn),
        other => panic!("where {other} holds is not known"),
    };
    mechanism.joints[joint].length = d.norm();
    let made = mechanism.joints[joint].clone();
    let frame = |side: usize| {
        let [x, y, z] = made.frames[side].map(Vector3::from);
        UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(Matrix3::from_columns(&[
            x, y, z,
        ])))
    };
    let place = |point: Point| match point.body {
        None => (Vector3::zeros(), UnitQuaternion::identity()),
        Some(b) => {
            let initial = &mechanism.bodies[b].initial;
            let [w, i, j, k] = initial.attitude;
            let attitude = UnitQuaternion::from_quaternion(Quaternion::new(w, i, j, k));
            (Vector3::from(initial.position), attitude)
        }
    };
    let [at_a, at_b] = made.points.map(|point| Vector3::from(point.at));
    let (position, attitude) = if made.points[1].body == Some(body) {
        let (r, q) = place(made.points[0]);
        let attitude = q * frame(0) * turn * frame(1).inverse();
        (r + q * (at_a + frame(0) * d) - attitude * at_b, attitude)
    } else {
        let (r, q) = place(made.points[1]);
        let attitude = q * frame(1) * turn.inverse() * frame(0).inverse();
        (r + q * at_b - attitude * (at_a + frame(0) * d), attitude)
    };
    let initial = &mut mechanism.bodies[body].initial;
    initial.position = position.into();
    initial.attitude = [attitude.w, attitude.i, attitude.j, attitude.k];
}

/// Gives the bodies velocities near these (`v` and `w` of every body) that the joints allow.
pub fn set_going(mechanism: &mut Mechanism, velocities: &[(Vector3<f64>, Vector3<f64>)]) {
    for (body, (v, w)) in mechanism.bodies.iter_mut().zip(velocities) {
        body.initial.velocity = if body.support == Support::FixedPoint { [0.0; 3] } else { (*v).into() };
        body.initial.angular_velocity = (*w).into();
        body.initial.angular_velocity_axes = Axes::Body;
    }
    let instance = Instance::nominal(mechanism);
    let system = MultibodySystem::new(mechanism, &instance).expect("bodies");
    let start = system.start(mechanism, &instance).expect("attitudes");
    let state =
        system.state(&Treatment::Exact, &system.instant(0.0, 1.0, 0.0), &system.projected(&start, 0.0));
    for (body, state) in mechanism.bodies.iter_mut().zip(state.bodies) {
        let Initial { position, velocity, attitude, angular_velocity, .. } = &mut body.initial;
        if body.support != Support::FixedPoint {
            (*position, *velocity) = (state.position, state.velocity);
        }
        (*attitude, *angular_velocity) = (state.attitude, state.angular_velocity);
    }
}

fn mechanism(bodies: Vec<Body>, joints: Vec<Joint>) -> Mechanism {
    Mechanism { name: "chain".to_string(), joints, ..Mechanism::of(bodies) }
}

/// Two bodies in motion. `ground`: the kind of joint between the ground and the first; `None`: it
/// floats. `pair`: that between the two. Which side of a joint is which is drawn too.
pub fn chain(ground: Option<&'static JointCard>, pair: &'static JointCard, draws: &mut Draws) -> Mechanism {
    let mut order = |a: Option<usize>, b: Option<usize>| if draws.flag() { [a, b] } else { [b, a] };
    let (first, second) = (order(None, Some(0)), order(Some(0), Some(1)));
    let bodies = vec![some_body("a", draws), some_body("b", draws)];
    let mut joints = vec![some_joint(pair, second, draws)];
    if let Some(kind) = ground {
        joints.push(some_joint(kind, first, draws));
    }
    let mut mechanism = mechanism(bodies, joints);
    mechanism.bodies[0].initial.position = draws.vector().into();
    let turn = draws.turn();
    mechanism.bodies[0].initial.attitude = [turn.w, turn.i, turn.j, turn.k];
    if ground.is_some() {
        assemble(&mut mechanism, 1, 0, draws);
    }
    assemble(&mut mechanism, 0, 1, draws);
    let velocities = [0; 2].map(|_| (draws.vector(), 1.5 * draws.vector()));
    set_going(&mut mechanism, &velocities);
    mechanism
}

/// Gravity, loads of every kind and springs with dampers on the bodies of a [`chain`].
pub fn push(mechanism: &mut Mechanism, draws: &mut Draws) {
    mechanism.gravity = (10.0 * draws.vector()).into();
    let always = (0.0, f64::INFINITY);
    let mut value = || -> [f64; 3] { draws.vector().into() };
    mechanism.loads = vec![
        force("thruster", Axes::Body, [0.1, -0.3, 0.2], &[(always.0, always.1, value())]),
        // It ends in the second quarter of a step of 5 ms at which chains of `mechanism_accuracy`
        // are led anew, the seventh.
        force("wind", Axes::Space, [-0.2, 0.1, 0.3], &[(0.013, 0.0368, value())]),
        torque("motor", Axes::Body, &[(0.0, 0.05, value()), (0.05, always.1, value())]),
        torque("field", Axes::Space, &[(always.0, always.1, value())]),
    ];
    mechanism.loads[1].body = 1;
    mechanism.loads[2].body = 1;
    let mut spring = |name: &str, bodies: [Option<usize>; 2], end: Option<[f64; 3]>| {
        let mut points = bodies.map(|body| {
            // Well away from the others', so that no length is near zero.
            let at = 0.3 * draws.vector();
            let away = if body.is_none() { Vector3::new(4.0, -3.0, 5.0) } else { Vector3::zeros() };
            Point { body, at: (at + away).into() }
        });
        points[1].at = end.unwrap_or(points[1].at);
        let spring = Spring {
            stiffness: draws.within(5.0, 30.0),
            damping: draws.within(0.0, 2.0),
            free_length: draws.within(0.5, 1.5),
            actuator: draws.number(),
        };
        spring.force(name, Attached::Points(points))
    };
    let tie = spring("tie", [None, Some(1)], None);
    let stay = spring("stay", [Some(0), None], None);
    mechanism.forces = vec![tie, stay, spring("strut", [Some(0), Some(1)], Some([1.5, 0.5, -1.0]))];
}

pub fn number(value: f64) -> Expression {
    Expression::Number(value)
}

pub fn call(function: Function, argument: Expression) -> Expression {
    Expression::Call(function, Box::new(argument))
}

/// A closed loop of revolute joints: the first link is the ground, a hinge at every corner, its
/// axis in space axes.
pub fn loop_of_hinges(corners: &[[f64; 3]], axes: &[[f64; 3]]) -> Mechanism {
    let links = corners.len() - 1;
    // Links are alike; how heavy they are is of no interest.
    let link = some_body("link", &mut Draws::new(vec![0.3; NUMBERS]));
    let bodies: Vec<Body> = (0..links)
        .map(|b| {
            let mut body = Body { name: format!("link{b}"), ..link.clone() };
            let middle = (Vector3::from(corners[b]) + Vector3::from(corners[b + 1])) / 2.0;
            body.initial.position = middle.into();
            body
        })
        .collect();
    let joints = (0..corners.len())
        .map(|k| {
            let sides = [k.checked_sub(1), (k < links).then_some(k)];
            let z = Vector3::from(axes[k]).normalize();
            let x = z.cross(&Vector3::new(0.3, 0.5, 0.8)).normalize();
            let frame = [x.into(), z.cross(&x).into(), z.into()];
            let point = |body: Option<usize>| {
                let from =
                    body.map_or(Vector3::zeros(), |b: usize| Vector3::from(bodies[b].initial.position));
                Point { body, at: (Vector3::from(corners[k]) - from).into() }
            };
            Joint {
                name: format!("hinge{k}"),
                kind: &REVOLUTE,
                points: sides.map(point),
                frames: [frame; 2],
                length: 0.0,
                initial: None,
            }
        })
        .collect();
    mechanism(bodies, joints)
}

/// Singular values above 1e-9 of the largest.
pub fn numerical_rank(system: &MultibodySystem, motions: &[polhode::reference::body::Motion]) -> usize {
    let singular: DVector<f64> = system.jacobian(motions).singular_values();
    singular.iter().filter(|x| **x > 1e-9 * singular.max()).count()
}
