//! The mechanisms on which methods are compared, as the reports give them.

use crate::describe::expression::Function;
use crate::describe::{
    Attached, Axes, Body, Coordinate, Expression, Given, InertiaAbout, Initial, Joint, JointCoordinate,
    JointInitial, Load, LoadKind, LoadPiece, Mechanism, Point, Support,
};
use crate::elements::contacts::curve::OnCurve;
use crate::elements::contacts::rolling::Rolling;
use crate::elements::generator;
use crate::elements::joint_spring::JointSpring;
use crate::elements::joints::{REVOLUTE, SPHERICAL};
use crate::elements::lock::lock;

/// Those of space, or of a body.
const AXES: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// A torque-free body of 1 kg, principal moments in kg m², `w` in body axes (rad/s), no gravity.
pub fn free_body(moments: [f64; 3], attitude: [f64; 4], w: [f64; 3]) -> Mechanism {
    Mechanism {
        name: "free body".to_string(),
        gravity: [0.0; 3],
        ..Mechanism::of(vec![Body {
            name: "body".to_string(),
            mass: 1.0,
            inertia: [[moments[0], 0.0, 0.0], [0.0, moments[1], 0.0], [0.0, 0.0, moments[2]]],
            inertia_axes: [1.0, 0.0, 0.0, 0.0],
            inertia_about: InertiaAbout::MassCentre,
            centre_of_mass: [0.0; 3],
            support: Support::Free,
            is_point: false,
            flexible: None,
            initial: Initial {
                position: [0.0; 3],
                velocity: [0.0; 3],
                attitude,
                angular_velocity: w,
                angular_velocity_axes: Axes::Body,
                given: Given::ABOUT,
            },
        }])
    }
}

/// H92 5.2: the heavy top, mass centre 1 m along body axis 3 from the fixed tip, m g l = 20 N m.
pub fn heavy_top(moments: [f64; 3], about: InertiaAbout, attitude: [f64; 4], w: [f64; 3]) -> Mechanism {
    let mut mechanism = free_body(moments, attitude, w);
    mechanism.name = "heavy top".to_string();
    mechanism.gravity = [0.0, 0.0, -9.81];
    mechanism.bodies[0].mass = 20.0 / 9.81;
    mechanism.bodies[0].inertia_about = about;
    mechanism.bodies[0].centre_of_mass = [0.0, 0.0, 1.0];
    mechanism.bodies[0].support = Support::FixedPoint;
    mechanism
}

/// The fast top of H92 5.2 and K14 as it starts: J = (5,5,1) kg m² about the tip, tilted by .3 rad,
/// spinning at 50 rad/s.
pub fn fast_top() -> Mechanism {
    let half = 0.15f64;
    heavy_top([5.0, 5.0, 1.0], InertiaAbout::Origin, [half.cos(), half.sin(), 0.0, 0.0], [0.0, 0.0, 50.0])
}

/// A torque (N m) over pieces `(from, until, value)` (s).
pub fn torque(name: &str, axes: Axes, pieces: &[(f64, f64, [f64; 3])]) -> Load {
    let pieces = pieces.iter().map(|&(from, until, value)| LoadPiece { from, until, value }).collect();
    Load {
        name: name.to_string(),
        body: 0,
        kind: LoadKind::Torque,
        axes,
        point: [0.0; 3],
        pieces,
        function: None,
    }
}

/// H92 5.1: 20 N m about body axis 1 from rest until 2 s - dt, then an impulse of .2 N m s about
/// axis 2 (of space or body) within dt (s), then free.
pub fn hulbert51(dt: f64, disturbance: Axes) -> Mechanism {
    let mut mechanism = free_body([5.0, 10.0, 1.0], [1.0, 0.0, 0.0, 0.0], [0.0; 3]);
    let end = 2.0;
    mechanism.loads = vec![
        torque("spin-up", Axes::Body, &[(0.0, end - dt, [20.0, 0.0, 0.0])]),
        torque("disturbance", disturbance, &[(end - dt, end, [0.0, 0.2 / dt, 0.0])]),
    ];
    mechanism
}

/// The spatial double pendulum of the reference solution: two rods of 1 m and 1 kg, horizontal
/// along e1, turning at 1 rad/s about the vertical, hung in spherical joints.
pub fn double_pendulum() -> Mechanism {
    let rod = |name: &str, x: f64| {
        let j = 0.083_958_333_333_333_34;
        let mut body = free_body([0.001_25, j, j], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0]).bodies.remove(0);
        body.name = name.to_string();
        body.initial.position = [x, 0.0, 0.0];
        body.initial.velocity = [0.0, x, 0.0];
        body
    };
    let ball = |name: &str, bodies: [Option<usize>; 2], x: f64| Joint {
        name: name.to_string(),
        kind: &SPHERICAL,
        points: [
            Point { body: bodies[0], at: [x, 0.0, 0.0] },
            Point { body: bodies[1], at: [-0.5, 0.0, 0.0] },
        ],
        frames: [AXES; 2],
        length: 0.0,
        initial: None,
    };
    let joints = vec![ball("shoulder", [None, Some(0)], 0.0), ball("elbow", [Some(0), Some(1)], 0.5)];
    Mechanism {
        name: "Double pendulum".to_string(),
        gravity: [0.0, 0.0, -9.81],
        joints,
        ..Mechanism::of(vec![rod("upper", 0.5), rod("lower", 1.5)])
    }
}

/// PC87's bowling ball of the reference solutions: a sphere of 109 mm on the track y = a sin(x/a),
/// which its centre follows while it rolls. Its mass centre is `r0` (m) above the geometric centre,
/// its origin, about which its inertia is given.
pub fn rolling_ball(r0: f64) -> Mechanism {
    let (a, j) = (0.109, 0.034_550_577_777_777_77);
    let mut body = free_body([j; 3], [1.0, 0.0, 0.0, 0.0], [-1.0, 1.0, 0.0]).bodies.remove(0);
    body.name = "ball".to_string();
    body.mass = 7.270_132_517_838_939;
    body.inertia_about = InertiaAbout::Origin;
    body.centre_of_mass = [0.0, 0.0, r0];
    body.initial.position = [0.0, 0.0, a];
    body.initial.velocity = [a, a, 0.0];
    let point = Point { body: Some(0), at: [0.0; 3] };
    let scaled =
        |by: f64, factor: Expression| Expression::Product(Box::new(Expression::Number(by)), Box::new(factor));
    let wave = Expression::Call(Function::Sin, Box::new(scaled(9.174_311_926_605_505, Expression::Argument)));
    let contacts = vec![
        Rolling { radius: a, plane: [0.0; 3], normal: AXES }.contact("floor", point),
        OnCurve { y: scaled(a, wave) }.contact("track", point),
    ];
    Mechanism {
        name: "Bowling ball".to_string(),
        gravity: [0.0, 0.0, -9.81],
        contacts,
        ..Mechanism::of(vec![body])
    }
}

/// PCD90's three-link manipulator of the reference solution: it unfolds by a force of 10 N at its
/// tip against coil springs, and its joints lock when they are straight.
pub fn manipulator() -> Mechanism {
    three_links(10.0)
}

/// [`manipulator`] with 20 N.
pub fn three_link_lockup() -> Mechanism {
    three_links(20.0)
}

fn three_links(tip_force: f64) -> Mechanism {
    let angle = 1.396_263_401_595_463_6;
    let coordinates = [angle, -2.0 * angle, 2.0 * angle];
    let mut links = hinged_links(&coordinates);
    links.forces = (0..3)
        .map(|k| {
            let coil = JointSpring { stiffness: 1.0, damping: 0.0, rest: coordinates[k] };
            coil.force(format!("coil{k}"), Attached::Coordinate(angle_of(k)))
        })
        .collect();
    links.locks = (0..3).map(|k| lock(format!("lock{k}"), angle_of(k), 0.0, f64::INFINITY)).collect();
    links.loads = vec![Load {
        name: "tip".to_string(),
        body: 2,
        kind: LoadKind::Force,
        axes: Axes::Space,
        point: [0.5, 0.0, 0.0],
        pieces: vec![LoadPiece { from: 0.0, until: f64::INFINITY, value: [tip_force, 0.0, 0.0] }],
        function: None,
    }];
    links
}

/// A chain of three links, whose angles against space are d, -d and d (rad), at rest in a field of
/// 9.81 m/s² across it. Its tip is held where it is.
pub fn closed_chain(d: f64) -> Mechanism {
    let coordinates = [d, -2.0 * d, 2.0 * d];
    let mut links = hinged_links(&coordinates);
    links.name = "Closed chain".to_string();
    links.gravity = [0.0, -9.81, 0.0];
    let fixed = |at: f64| Some(Expression::Number(at));
    links.generators = vec![generator::position(
        "tip",
        Point { body: Some(2), at: [0.5, 0.0, 0.0] },
        [fixed(3.0 * d.cos()), fixed(d.sin()), None],
    )];
    links
}

/// [`closed_chain`] with all its joints locked where they are: in the plane six rows of joints, two
/// of the tip and three of locks hold nine velocities.
pub fn locked_chain(d: f64) -> Mechanism {
    let mut links = closed_chain(d);
    links.name = "Locked chain".to_string();
    let locked = |(k, at): (usize, f64)| lock(format!("lock{k}"), angle_of(k), at, f64::INFINITY);
    links.locks = [d, -2.0 * d, 2.0 * d].into_iter().enumerate().map(locked).collect();
    links
}

/// The angle of a joint, as springs and locks name it.
fn angle_of(joint: usize) -> JointCoordinate {
    JointCoordinate { joint, coordinate: Coordinate::Angle }
}

/// [`three_loose_links`] on hinges: the first on the ground at the origin.
fn hinged_links(coordinates: &[f64; 3]) -> Mechanism {
    let mut links = three_loose_links(coordinates);
    links.joints = (0..3)
        .map(|k: usize| {
            let before = k.checked_sub(1);
            let at = [if before.is_some() { 0.5 } else { 0.0 }, 0.0, 0.0];
            Joint {
                name: ["shoulder", "elbow", "wrist"][k].to_string(),
                kind: &REVOLUTE,
                points: [Point { body: before, at }, Point { body: Some(k), at: [-0.5, 0.0, 0.0] }],
                frames: [AXES; 2],
                length: 0.0,
                initial: Some(JointInitial::at(Coordinate::Angle, coordinates[k])),
            }
        })
        .collect();
    links
}

/// Slender links of 1 m and 1 kg in the plane of x and y, origins in their middles, where joints
/// with these angles put them.
fn three_loose_links(coordinates: &[f64; 3]) -> Mechanism {
    let j = 1.0 / 12.0;
    let (mut joint, mut angle) = ([0.0; 2], 0.0);
    let bodies = (0..3)
        .map(|k| {
            angle += coordinates[k];
            let half = [f64::cos(angle) / 2.0, f64::sin(angle) / 2.0];
            let attitude = [f64::cos(angle / 2.0), 0.0, 0.0, f64::sin(angle / 2.0)];
            let mut body = free_body([0.001, j, j], attitude, [0.0; 3]).bodies.remove(0);
            body.name = format!("link{k}");
            body.initial.position = [joint[0] + half[0], joint[1] + half[1], 0.0];
            joint = [joint[0] + 2.0 * half[0], joint[1] + 2.0 * half[1]];
            body
        })
        .collect();
    Mechanism { name: "Manipulator".to_string(), gravity: [0.0; 3], ..Mechanism::of(bodies) }
}
