//! Point masses against closed forms: the period of a pendulum, the modes of three masses between
//! springs, and how many numbers a state has.

use polhode::base::Precision;
use polhode::describe::{Constraints, Mechanism};
use polhode::ensemble::Quantities;
use polhode::observe::channels;
use polhode::reference::{Instance, accurate};
use polhode::study::Silent;
use polhode::study::steady::SteadyStudy;
use polhode::study_file::{mechanism_of_text, read_study_text};
use std::sync::atomic::AtomicBool;

use crate::common::engine::Ready;
use crate::common::study::study;
use crate::common::tolerances::{MODE, POINT_PERIOD};

const G: f64 = 9.81;

fn mechanism(text: &str) -> Mechanism {
    mechanism_of_text("points", text).unwrap_or_else(|problems| panic!("{problems}"))
}

/// A bob of this solid on a massless rod of 1 m, 60 degrees from hanging down.
fn pendulum(solid: &str) -> Mechanism {
    let (sin, cos) = (3.0f64.sqrt() / 2.0, 0.5);
    mechanism(&format!(
        "gravity = {G}\n[[body]]\nname = \"bob\"\nsolid = {solid}\n\
         initial = {{ position = [{sin:?}, 0, {:?}] }}\n\
         [[joint]]\nname = \"rod\"\nkind = \"distance\"\nbodies = [\"ground\", \"bob\"]\n\
         points = [[0, 0, 0], [0, 0, 0]]\nlength = 1\n",
        -cos
    ))
}

/// T = 4 sqrt(l/g) K(sin(30 deg)), where the complete elliptic integral is 1.685750354812596. After
/// it the bob is where it began.
#[test]
fn the_period_of_a_simple_pendulum_is_that_of_a_point() {
    const K: f64 = 1.685_750_354_812_596;
    let period = 4.0 * (1.0 / G).sqrt() * K;
    let bob = pendulum("{ point = true, mass = 2 }");
    let begun = bob.bodies[0].initial.position;
    let exact = accurate::run(&bob, &Instance::nominal(&bob), &[period], accurate::TOLERANCE).unwrap();
    let off = |x: [f64; 3]| (0..3).map(|k| (x[k] - begun[k]).powi(2)).sum::<f64>().sqrt();
    let found = off(exact.states[0].bodies[0].position);
    println!("accurate solution {found:.1e} m");
    assert!(found < POINT_PERIOD, "{found:e}");

    let mut study = study(bob, 1, period / 4000.0, 4000);
    study.method.name = "dop853";
    study.constraints = Constraints { treatment: "exact", ..Constraints::default() };
    let ready = Ready::new(study);
    let end = ready.observe(&ready.on_cpu(Precision::F64, 1), &[channels::POSITION]).remove(0);
    let found = off([end[0], end[1], end[2]]);
    println!("dop853 {found:.1e} m");
    assert!(found < POINT_PERIOD, "{found:e}");
}

/// A body that hangs by its centre moves as a point does, whatever its inertia.
#[test]
fn a_sphere_held_by_its_centre_moves_as_a_point() {
    let at = |solid: &str| {
        let bob = pendulum(solid);
        let run = accurate::run(&bob, &Instance::nominal(&bob), &[0.7], accurate::TOLERANCE).unwrap();
        (run.states[0].bodies[0].position, run.states[0].energy)
    };
    let (point, energy) = at("{ point = true, mass = 2 }");
    for radius in [0.01, 3.0] {
        let (sphere, with) = at(&format!("{{ sphere = {radius}, mass = 2 }}"));
        assert!((0..3).all(|k| (sphere[k] - point[k]).abs() < POINT_PERIOD), "{sphere:?} {point:?}");
        assert!((with - energy).abs() < POINT_PERIOD);
    }
}

/// Three equal masses m at the corners of a triangle of springs k: w^2 = 3 k/m where all breathe, 3
/// k/(2 m) twice, and 0 of the six motions of the whole. Spheres, which turn, have nine more.
#[test]
fn three_points_between_springs_have_their_modes() {
    let (m, k) = (0.5, 200.0);
    let corner = |n: usize| {
        let angle = n as f64 * std::f64::consts::TAU / 3.0;
        [angle.cos() / 3.0f64.sqrt(), angle.sin() / 3.0f64.sqrt(), 0.0]
    };
    for (shape, rigid) in [("point = true", 6), ("sphere = 0.1", 15)] {
        let mut text = String::new();
        for n in 0..3 {
            let at = corner(n);
            text += &format!(
                "[[body]]\nname = \"p{n}\"\nsolid = {{ {shape}, mass = {m} }}\n\
                 initial = {{ position = {at:?} }}\n\
                 [[spring]]\nname = \"s{n}\"\nbodies = [\"p{n}\", \"p{}\"]\npoints = [[0, 0, 0], [0, 0, 0]]\n\
                 stiffness = {k}\nfree_length = 1\n",
                (n + 1) % 3
            );
        }
        let study = read_study_text("study", "[study]\nkind = \"modes\"\n[ensemble]\nsize = 1\n", &text)
            .unwrap_or_else(|problems| panic!("{problems}"));
        let about = study.kind.steady().expect("a steady state");
        let ensemble = SteadyStudy::new(&study, about).unwrap_or_else(|error| panic!("{error}"));
        let found = ensemble.all(&Silent, &AtomicBool::new(false)).remove(0).found;
        let found = found.unwrap_or_else(|(_, why)| panic!("{why}")).vibrations;
        assert_eq!(found.rigid, rigid, "{shape}");
        let squares: Vec<f64> = found.modes.iter().map(|mode| mode.eigenvalue.im.powi(2)).collect();
        let known = [1.5 * k / m, 1.5 * k / m, 3.0 * k / m];
        assert_eq!(squares.len(), known.len(), "{squares:?}");
        for (found, known) in squares.iter().zip(known) {
            assert!((found - known).abs() < MODE * known, "{found} {known}");
        }
    }
}

/// A free point has 6 numbers, on a rod 4, between the ends of two rods 2; and attitude and angular
/// velocity are not among them.
#[test]
fn a_point_has_three_coordinates() {
    let rods = |n: usize| {
        let joints: String = (0..n)
            .map(|k| {
                format!(
                    "[[joint]]\nname = \"rod{k}\"\nkind = \"distance\"\nbodies = [\"ground\", \"bob\"]\n\
                     points = [[{k}, 0, 0], [0, 0, 0]]\n"
                )
            })
            .collect();
        let body = "gravity = 9.81\n[[body]]\nname = \"bob\"\nsolid = { point = true, mass = 1 }\n\
                    initial = { position = [0.3, 0, -1] }\n";
        mechanism(&format!("{body}{joints}"))
    };
    for (n, freedoms) in [(0, 6), (1, 4), (2, 2)] {
        let ready = Ready::new(study(rods(n), 1, 1e-3, 1));
        let model = &ready.plan.model;
        let mut parameters = vec![0.0; model.parameters()];
        let start = model.resolve(&Quantities::nominal(&ready.study), &mut parameters).unwrap();
        assert_eq!(model.freedoms(&start, &ready.plan.moving, &|p| parameters[p]), freedoms);
    }
}
