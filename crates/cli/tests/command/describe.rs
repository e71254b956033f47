//! Right files: what is shipped, what is written back, and the schema that editors get.

use std::collections::BTreeSet;
use std::f64::consts::PI;
use std::path::{Path, PathBuf};

use crate::common::root;
use crate::common::tolerances::SAME_MOTION;
use polhode::base::{Options, Setting};
use polhode::describe::MonteCarlo;
use polhode::describe::{
    Attached, Coordinate, Distribution, Expression, InertiaAbout, Level, Notes, Point, Quantity,
    SectionStiffness, Study, Support,
};
use polhode::flexible::Floating;
use polhode::methods::{Adaptive, Kind, cards};
use polhode::observe::channels::columns;
use polhode::reference::{Instance, accurate};
use polhode::study_file::kinds::lyapunov::Lyapunov;
use polhode::study_file::{
    mechanism_schema, read_mechanism, read_study, read_study_text, resolved_toml, study_schema,
};
use proptest::prelude::*;
use serde_json::Value;

/// Every key of every table, in forms that the shipped files do not show.
const EVERYTHING: &str = include_str!("../every_key/everything.toml");

/// A study with all keys that only a mechanism of several bodies has.
const SEVERAL: &str = include_str!("../every_key/several.toml");

#[test]
fn a_mechanism_of_several_bodies_survives_being_written_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let study = read_text(folder.path(), SEVERAL).unwrap_or_else(|problems| panic!("{problems}"));
    let m = &study.mechanism;
    assert_eq!(
        (m.bodies.len(), m.joints.len(), m.forces_of("spring").count(), m.loads[0].body),
        (2, 3, 1, 1)
    );
    assert_eq!((m.joints[0].points[0].body, m.joints[1].points[1].body), (None, Some(1)));
    assert_eq!(m.joints[2].length, 4.0);
    assert_eq!((study.observe.channels[0].of, study.observe.channels[3].of), (Some(1), None));
    assert_eq!(study.ensemble.vary[0].target.body, 1);
    let written = resolved_toml(&study);
    let again = read_text(folder.path(), &written).unwrap_or_else(|problems| panic!("{problems}\n{written}"));
    assert_eq!(again, study);
}

/// A method, a step or a treatment that polhode chooses stays for it to choose.
#[test]
fn what_a_study_leaves_open_survives_being_written_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let mechanism = r#"
        [mechanism.body]
        mass = 1
        inertia = [1, 2, 3]
        [ensemble]
        size = 3
        [ensemble.vary]
        "body.angular_velocity.x" = { normal = { std = 1 } }
    "#;
    let stops = "[verdict]\nwhen = \"body.angular_velocity.x > 1\"";
    for settings in [
        "accuracy = 1e-6",
        "accuracy = \"statistical\"",
        "name = \"rk4\"\naccuracy = 1e-6",
        "name = \"staggered\"\nresynchronise = 7\naccuracy = 1e-6",
        "step = \"10 ms\"",
        "[observe]\nevery = \"0.7 s\"\nkeep = 3",
        "[constraints]\nproject = 3",
        "[constraints]\ntreatment = \"staggered\"",
        "[run]\nprecision = \"f32\"",
        "[run]\nthreads = 1",
        stops,
        &format!("{stops}\nevery = \"50 ms\""),
        &format!("{stops}\nevery = \"7 s\"\n[observe]\nevery = \"7 s\""),
        &format!("{stops}\nevery = 3"),
        &format!("{stops}\nat_end = true"),
        "[verdict]\nevery = \"0.1 s\"",
    ] {
        let text = format!("[method]\nduration = \"7 s\"\n{settings}\n{mechanism}");
        let study = read_text(folder.path(), &text).unwrap_or_else(|problems| panic!("{problems}\n{text}"));
        let open = study.method.open.expect("polhode chooses");
        let written = resolved_toml(&study);
        let again =
            read_text(folder.path(), &written).unwrap_or_else(|problems| panic!("{problems}\n{written}"));
        assert_eq!(again, study, "{written}");
        let method: toml::Table = written.parse().unwrap();
        let names = |key: &str| method["method"].get(key).is_some();
        assert_eq!((names("name"), names("step"), names("duration")), (!open.name, !open.step, open.step));
    }
}

/// Joints and springs have a channel `force` each, with columns of their own.
#[test]
fn a_bare_name_stands_for_every_channel_of_this_name() {
    let folder = tempfile::tempdir().unwrap();
    let observing = |name: &str| {
        let text = SEVERAL.replace("lower.attitude", name);
        let study = read_text(folder.path(), &text).unwrap_or_else(|problems| panic!("{problems}"));
        let again = read_text(folder.path(), &resolved_toml(&study)).unwrap();
        assert_eq!(again, study, "{name}");
        let columns = columns(&study.mechanism, &study.observe.channels).into_iter();
        columns.map(|column| column.name).filter(|name| name.contains("force")).collect::<Vec<_>>()
    };
    let of_joints = ["shoulder", "elbow", "rod"].iter();
    let of_joints = of_joints.flat_map(|joint| ["x", "y", "z"].map(|axis| format!("{joint}.force.{axis}")));
    let all: Vec<String> = of_joints.chain(["strut.force".to_string()]).collect();
    assert_eq!(observing("force"), all);
    assert_eq!(observing("strut.force"), ["strut.force"]);
    assert_eq!(observing("rod.force"), all[6..9]);
}

/// A study with all that drives, touches, brakes and catches a mechanism, in every form of
/// function.
const DRIVEN: &str = include_str!("../every_key/driven.toml");

/// Bodies by their shape.
const SOLIDS: &str = r#"
method = { name = "rk4", step = 1, steps = 1 }
ensemble = { size = 1 }

[[mechanism.body]]
name = "a"
solid = { sphere = 1, mass = 1 }
support = "free"

[[mechanism.body]]
name = "b"
solid = [
  { cylinder = { radius = 1, length = 1 }, mass = 1 },
  { tube = { outer = 2, inner = 1, length = 1 }, mass = 1 },
]
initial = { position = [5, 0, 0] }
"#;

/// Every key of flexible bodies.
const FLEXIBLE: &str = include_str!("../every_key/flexible.toml");

/// Three masses on a line, the middle one against the others.
const PLATE: &str = r#"{ "nodes": [
  { "at": [-1, 0, 0], "mass": 1, "inertia": [[0.01, 0, 0], [0, 0, 0], [0, 0, 0]],
    "shapes": [[0, 0, 1]], "turns": [[0, 1, 0]] },
  { "at": [0, 0, 0], "mass": 2, "shapes": [[0, 0, -1]], "turns": [[0, 0, 0]] },
  { "name": "tip", "at": [1, 0, 0], "mass": 1, "shapes": [[0, 0, 1]], "turns": [[0, -1, 0]] }
], "frequencies": [12.5] }"#;

/// The masses of [`PLATE`] as a table.
const PANEL: &str = "name,x,y,z,mass,Jxx,Jyy,Jzz,mode1_x,mode1_y,mode1_z\n,-1,0,0,1,0.01,0,0,0,0,1\n\
                     ,0,0,0,2,,,,0,0,-1\ntip,1,0,0,1,,,,0,0,1\n";

#[test]
fn a_flexible_mechanism_survives_being_written_and_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("plate.json"), PLATE).unwrap();
    std::fs::write(folder.path().join("panel.csv"), PANEL).unwrap();
    let study = read_text(folder.path(), FLEXIBLE).unwrap_or_else(|problems| panic!("{problems}"));
    let m = &study.mechanism;
    let modes: Vec<usize> = m.bodies.iter().map(|b| b.flexible.as_ref().unwrap().modes()).collect();
    assert_eq!(modes, [5, 2, 3, 1, 1]);
    let rod = m.bodies[0].flexible.as_ref().unwrap();
    assert_eq!((rod.level, rod.watch), (Level::Half, [0.0; 3]));
    assert_eq!(m.joints[1].points.map(|point| point.at), [[0.5, 0.0, 0.0], [0.0, 0.0, 0.5]]);
    assert_eq!(m.forces[0].points()[1].at, [1.0, 0.0, 0.0]);
    assert_eq!(m.loads[0].point, [0.5, 0.0, 0.0]);
    assert!((m.bodies[0].mass - 0.54).abs() < 1e-15);
    let lumped = m.bodies[1].flexible.as_ref().unwrap();
    assert_eq!((lumped.frame, lumped.watch), (Floating::Attached([-0.5, 0.0, 0.0]), [1.0, 0.0, 0.0]));
    let numbers = m.numbers();
    let value = |name: &str| numbers.iter().find(|n| n.name(m) == name).unwrap().value;
    assert_eq!((value("rod.stiffness_scale"), value("rod.amplitude_rate[1]")), (1.5, 0.1));
    // The files themselves are in what is written.
    let written = resolved_toml(&study);
    std::fs::remove_file(folder.path().join("plate.json")).unwrap();
    std::fs::remove_file(folder.path().join("panel.csv")).unwrap();
    let again = read_text(folder.path(), &written).unwrap_or_else(|problems| panic!("{problems}\n{written}"));
    assert_eq!(again, study);
}

/// Beams by their numbers and by material and section, and elements of beams between bodies.
const BEAMS: &str = r#"
title = "Beams"

[method]
name = "staggered"
step = "0.1 ms"
steps = 10

[ensemble]
size = 12

[ensemble.vary]
"strip.EI.y" = { uniform = { low = "1 N m^2", high = "2 N m^2" } }
"tube.stiffness_factor" = { normal = { std = 0.1 } }
"tube.density_factor" = { linspace = { from = 0.9, to = 1.1, count = 3 } }
"strut.GA.z" = { list = ["1 kN", 2e3] }
"tube.1.velocity.x" = { linspace = { from = 0, to = 1, count = 2 } }

[observe]
channels = ["strip.0.position", "tube.3.attitude"]

[mechanism.body]
name = "hub"
mass = 1
inertia = [1, 1, 1]

[[mechanism.beam]]
name = "strip"
from = [0, 0, "10 cm"]
direction = [1, 2, 0]
length = "50 cm"
reference = [0, 0, 1]
elements = 2
EA = "30 kN"
GA = ["10 kN", 9e3]
GJ = "1 N m^2"
EI = [1.5, "2 N m^2"]
mass_per_length = "300 g/m"
rotary_inertia = { value = [1, 2], unit = "g m" }
damping = "1 ms"
velocity = [0, "1 m/s", 0]
angular_velocity = [0, 0, "1 rad/s"]

[[mechanism.beam]]
name = "tube"
to = [1, 2, 3]
elements = 3
material = { E = "70 GPa", nu = 0.3, rho = "2700 kg/m^3" }
section = { shape = "tube", diameter = "20 mm", thickness = "2 mm" }
clamped = "from"

[[mechanism.beam_element]]
name = "strut"
bodies = ["hub", "strip.0"]
points = [[0, 0, 0], [0, 0, 0]]
axes = [[0, 0, 1], [1, 1, 0]]
references = [[1, 1, 0], [0, 0, 1]]
length = "10 cm"
EA = "30 kN"
GA = "10 kN"
GJ = "1 N m^2"
EI = 2
damping = 0.01

[[mechanism.beam_element]]
name = "rod"
bodies = ["hub", "tube.3"]
points = [[0, 0, 1], [0, 0.1, 0]]
material = { E = "210 GPa", G = "81 GPa", rho = "7800 kg/m^3" }
section = { shape = "rectangle", width = "2 mm", height = "1 mm" }
"#;

#[test]
fn beams_survive_being_written_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let mut study = read_text(folder.path(), BEAMS).unwrap_or_else(|problems| panic!("{problems}"));
    // A note says how the rod's section lies: what is written gives its axes.
    let notes = std::mem::take(&mut study.mechanism.notes.0);
    assert!(notes.len() == 1 && notes[0].contains("nothing says where y is"), "{notes:?}");
    let written = resolved_toml(&study);
    let again = read_text(folder.path(), &written).unwrap_or_else(|problems| panic!("{problems}\n{written}"));
    assert_eq!(format!("{again:?}"), format!("{study:?}"));
    assert_eq!(resolved_toml(&again), written);

    let m = &study.mechanism;
    let names: Vec<&str> = m.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["hub", "strip.0", "strip.1", "strip.2", "tube.1", "tube.2", "tube.3"]);
    assert_eq!(m.beam_elements.len(), 2 + 2 + 3);
    let owners: Vec<Option<usize>> = m.beam_elements.iter().map(|element| element.beam).collect();
    assert_eq!(owners, [None, None, Some(0), Some(0), Some(1), Some(1), Some(1)]);
    // The clamped end is on the ground, at the origin, along the beam.
    assert_eq!(m.beam_elements[4].points[0], Point { body: None, at: [0.0; 3] });
    let along = 14f64.sqrt().recip();
    assert!(
        crate::common::distance(m.beam_elements[4].frames[0][0], [along, 2.0 * along, 3.0 * along]) < 1e-15
    );
    // A free beam turns about its beginning.
    let end = &m.bodies[3].initial;
    let (x, y) = (0.5 / 5f64.sqrt(), 1.0 / 5f64.sqrt());
    assert!(crate::common::distance(end.position, [x, y, 0.1]) < 1e-15);
    assert!(crate::common::distance(end.velocity, [-y, 1.0 + x, 0.0]) < 1e-15);
    // 300 g/m over a quarter and over half of the beam.
    assert!((m.bodies[1].mass - 0.0375).abs() < 1e-15 && (m.bodies[2].mass - 0.075).abs() < 1e-15);
    // E A, E I and rho A of the tube, in which G is E / 2.6.
    let SectionStiffness { axial, torsion, bending, .. } = m.beams[1].section;
    let area = PI * (0.01f64.powi(2) - 0.008f64.powi(2));
    let second = PI / 4.0 * (0.01f64.powi(4) - 0.008f64.powi(4));
    assert!((axial / (70e9 * area) - 1.0).abs() < 1e-14);
    assert!((bending[0] / (70e9 * second) - 1.0).abs() < 1e-14);
    assert!((torsion / (70e9 / 1.3 * second) - 1.0).abs() < 1e-14);
    assert!((m.beams[1].mass_per_length / (2700.0 * area) - 1.0).abs() < 1e-14);
    // The rod starts straight, along its points.
    let rod = &m.beam_elements[1];
    let y = m.beams[1].reference;
    let apart = [1.0 + 0.1 * y[0], 2.0 + 0.1 * y[1], 2.0 + 0.1 * y[2]];
    assert!((rod.length - crate::common::norm(apart)).abs() < 1e-15);
    assert!(crate::common::distance(rod.frames[0][0], apart.map(|x| x / rod.length)) < 1e-15);
    assert_eq!((m.beam_elements[0].length, m.beam_elements[0].frames[0][0]), (0.1, [0.0, 0.0, 1.0]));
}

#[test]
fn a_driven_mechanism_survives_being_written_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let study = read_text(folder.path(), DRIVEN).unwrap_or_else(|problems| panic!("{problems}"));
    let written = resolved_toml(&study);
    let again = read_text(folder.path(), &written).unwrap_or_else(|problems| panic!("{problems}\n{written}"));
    assert_eq!(again, study);
    assert_eq!(resolved_toml(&again), written);
    // Debug tells -0 from 0. Notes have the lines of their file.
    let without_notes = |study: &Study| {
        let mut study = study.clone();
        study.mechanism.notes = Notes::default();
        format!("{study:?}")
    };
    assert_eq!(without_notes(&again), without_notes(&study));
}

#[test]
fn values_of_the_driven_mechanism() {
    let folder = tempfile::tempdir().unwrap();
    let study = read_text(folder.path(), DRIVEN).unwrap();
    let m = &study.mechanism;
    assert_eq!(study.constraints.project, 20);
    let constants: Vec<(&str, f64)> = m.constants.iter().map(|c| (c.name.as_str(), c.value)).collect();
    assert_eq!(constants[1..], [("a_1", 0.5), ("pull", 2000.0)]);
    assert!(constants[0].0 == "omega" && (constants[0].1 - PI).abs() < 1e-15);
    let initial = m.joints[0].initial.unwrap();
    let [angle, rate] = initial.of(Coordinate::Angle).numbers;
    assert_eq!((angle, initial.of(Coordinate::Displacement).numbers[0]), (PI / 6.0, 0.0));
    assert!((rate - 0.4 * PI).abs() < 1e-15);
    assert_eq!(m.joints[1].initial.unwrap().of(Coordinate::Displacement).numbers[0], 0.2);
    assert_eq!(
        (m.joints[2].initial.unwrap().of(Coordinate::Displacement).numbers[0], m.joints[3].initial),
        (0.125, None)
    );
    // A body that joints place keeps its default position.
    assert_eq!(m.bodies[1].initial.position, [0.0; 3]);
    let driven = m.generators[1].coordinate().unwrap();
    let [Some(Expression::Lookup(spline, _))] = &m.generators[1].functions[..] else { panic!() };
    assert_eq!((driven.joint, driven.coordinate), (1, Coordinate::Displacement));
    assert_eq!((&spline.knots[..], &spline.values[..]), (&[0.0, 1.0, 2.0][..], &[0.0, 0.2, 0.1][..]));
    // 4 s = 3 (0.2 - 0.1)
    assert_eq!((spline.slopes[0], spline.slopes[2]), (0.0, 0.0));
    assert!((spline.slopes[1] - 0.075).abs() < 1e-15);
    let led = &m.generators[2];
    let point = led.point().unwrap();
    assert_eq!(led.kind.key, "position");
    assert!(matches!(led.functions[..], [None, Some(_), Some(Expression::Number(0.5))]));
    assert_eq!((point.body, point.at), (Some(3), [0.0, 0.0, 0.01]));
    assert_eq!(m.generators[3].kind.key, "velocity");
    let [Some(Expression::Number(v)), None, Some(_)] = &m.generators[3].functions[..] else { panic!() };
    assert!((v - 1.0 / 3.6).abs() < 1e-15);
    let (ball, skate) = (&m.contacts[0], &m.contacts[1]);
    assert_eq!((ball.kind.name, skate.kind.name), ("rolling", "knife_edge"));
    let frame = ball.frame("normal");
    assert_eq!(
        (ball.number("radius"), ball.vector("plane"), ball.point.at),
        (0.5, [0.0, 0.0, 0.001], [0.0, 0.0, 0.001])
    );
    assert!((frame[2][1] - 0.1 / 1.01f64.sqrt()).abs() < 1e-15 && frame[0] == [1.0, 0.0, 0.0]);
    assert!((skate.vector("direction")[1] - 0.5f64.sqrt()).abs() < 1e-15);
    let first = |table| m.forces_of(table).next().unwrap();
    let stop = first("stop");
    assert_eq!((stop.number("low"), stop.number("high")), (-2.0 * PI / 9.0, f64::INFINITY));
    let bushing = first("bushing");
    assert_eq!(
        (bushing.values("stiffness"), bushing.values("damping")),
        (&[1000.0, 200.0, 300.0][..], &[2.0; 3][..])
    );
    let drag = first("drag");
    assert_eq!(drag.attached, Attached::Body(1));
    let (bearing, belt, rack) = (first("joint_friction"), first("friction"), first("armature"));
    assert_eq!((bearing.number("force"), bearing.number("rate")), (0.2, PI / 180.0));
    assert_eq!((belt.number("force"), belt.number("rate"), rack.number("inertia")), (3.0, 0.001, 0.02));
    assert_eq!((drag.number("quadratic"), drag.number("angular_quadratic")), (0.5, 0.25));
    let flywheel = first("wheel");
    assert_eq!((flywheel.values("axis"), flywheel.number("speed")), (&[0.0, 2.0, 0.0][..], 3.0 * PI));
    assert_eq!(flywheel.number("max_torque"), f64::INFINITY);
    assert_eq!((m.locks[0].release, m.locks[1].release, m.locks[1].at), (20.0, f64::INFINITY, 0.25));
    assert_eq!((m.locks[1].of.joint, m.locks[1].of.coordinate), (2, Coordinate::Displacement));
    let load = &m.loads[0];
    assert!(load.pieces.is_empty());
    assert_eq!(load.function.as_ref().unwrap()[1], Expression::Number(2.0));
    let drawn = |key: &str| {
        let varied = study.ensemble.vary.iter().find(|varied| varied.target.key == key).unwrap();
        let Quantity::Number(position) = varied.target.quantity else { panic!("{key}") };
        assert_eq!(m.numbers()[position].name(m), key);
        varied.distribution.clone()
    };
    let deg = |angle: f64| angle * PI / 180.0;
    assert_eq!(
        drawn("shoulder.angle"),
        Distribution::drawn("normal", [("mean", vec![deg(30.0)].into()), ("std", vec![deg(3.0)].into())])
    );
    assert_eq!(
        drawn("end.low"),
        Distribution::drawn("uniform", [("low", vec![deg(-60.0)].into()), ("high", vec![deg(-30.0)].into())])
    );
    assert_eq!(drawn("slide.displacement"), Distribution::Linspace { from: 0.001, to: 0.2, count: 2 });
    assert_eq!(drawn("coil.stiffness"), Distribution::List { values: vec![vec![1.0], vec![2.0], vec![3.0]] });
}

/// The angle of a joint is 0 where the bodies' axes coincide, wherever they start.
#[test]
fn angles_are_counted_from_where_the_axes_coincide() {
    let folder = tempfile::tempdir().unwrap();
    let turned = SEVERAL.replace("position = [0, 0, -1.5]", "attitude = { axis = [0, 1, 0], angle = 1.0 }");
    let elbow = |text: &str| read_text(folder.path(), text).unwrap().mechanism.joints[1].clone();
    let frames = elbow(&turned).frames;
    assert_eq!(frames[0], frames[1]);
    assert_eq!(frames, elbow(SEVERAL).frames);
    assert_eq!(frames[0], [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]);
}

/// Where joints place bodies, other joints see them placed: axes that would not be parallel
/// otherwise are, and a rod is as long as between the bodies placed.
#[test]
fn joints_see_bodies_where_other_joints_put_them() {
    let folder = tempfile::tempdir().unwrap();
    let text = SEVERAL
        .replace("initial = { position = [0, 0, -1.5] }", "")
        .replace("axes = [0, 1, 0]\n", "axes = [[0, 1, 0], [1, 0, 0]]\nangle = \"90 deg\"\n")
        .replace("length = \"4 m\"\n", "")
        + "[[mechanism.joint]]\nname = \"axle\"\nkind = \"translational\"\nbodies = [\"upper\", \"lower\"]\n\
           points = [[0, 0, 0], [0, 0, 0]]\naxes = [[0, 1, 0], [1, 0, 0]]\n";
    let study = read_text(folder.path(), &text).unwrap_or_else(|problems| panic!("{problems}"));
    let rod = &study.mechanism.joints[2];
    // The joint is at (0, 0, -1), B's point at 0.5 along its z. Under the least rotation of x to y
    // about z, B's z is the ground's; the quarter turn about y takes it to x: the origin of B is at
    // (-0.5, 0, -1).
    assert!((rod.length - (3.5f64.powi(2) + 1.0).sqrt()).abs() < 1e-14, "{}", rod.length);
    assert_eq!(read_text(folder.path(), &resolved_toml(&study)).unwrap(), study);
    let problems = read_text(folder.path(), &text.replace("angle = \"90 deg\"\n", "")).unwrap_err();
    assert!(problems.to_string().contains("not parallel at the start"), "{problems}");
}

fn samples() -> String {
    let rows = (0..24).map(|row| format!("{}, {}e-3\n", row, f64::from(row) / 7.0));
    std::iter::once("\u{feff}force, torque\n".to_string()).chain(rows).collect()
}

/// Writes `text` beside its table of samples and reads it.
/// Constants are of any unit, and so is what varies them.
#[test]
fn constants_vary_in_any_unit() {
    let folder = tempfile::tempdir().unwrap();
    let varied = |distribution: &str| {
        let text = DRIVEN.replace("{ uniform = { low = 1, high = 2 } }", distribution);
        // As many as any grid here divides.
        let text = text.replace("size = 6", "size = 18");
        read_text(folder.path(), &text).map(|study| study.ensemble.vary[0].distribution.clone())
    };
    let minute = PI / 30.0;
    let near = |x: f64, wanted: f64| assert!((x / wanted - 1.0).abs() < 1e-15, "{x} {wanted}");
    let uniform = varied(r#"{ uniform = { low = "10 rpm", high = "2 rad/s" } }"#).unwrap();
    let Distribution::Drawn { name: "uniform", values } = uniform else { panic!() };
    near(values.vector("low")[0], 10.0 * minute);
    near(values.vector("high")[0], 2.0);
    let grid = varied(r#"{ logspace = { from = "1 rpm", to = "100 rpm", count = 3 } }"#);
    let Ok(Distribution::Logspace { from, to, count: 3 }) = grid else { panic!() };
    near(from, minute);
    near(to, 100.0 * minute);
    for wrong in ["1 rpms", "0 rpm"] {
        let grid = format!(r#"{{ logspace = {{ from = "{wrong}", to = "9 rpm", count = 3 }} }}"#);
        assert!(varied(&grid).is_err(), "{wrong}");
    }
}

fn read_text(folder: &Path, text: &str) -> Result<Study, polhode::study_file::Problems> {
    let path = folder.join("study.toml");
    std::fs::write(&path, text).unwrap();
    std::fs::write(folder.join("samples.csv"), samples()).unwrap();
    read_study(&path)
}

fn shipped(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
    files.sort();
    files
}

/// A bob on a rail does not turn: without its displacement nothing of it would be judged.
#[test]
fn what_slides_is_observed_by_default() {
    const RAIL: &str = "body = [{ name = \"bob\", solid = { SHAPE, mass = 1 } }]\n\
        joint = [{ name = \"rail\", kind = \"KIND\", bodies = [\"ground\", \"bob\"], \
        points = [[0, 0, 0], [0, 0, 0]], MORE }]\n";
    let observed = |shape: &str, kind: &str, more: &str| {
        let mechanism = RAIL.replace("SHAPE", shape).replace("KIND", kind).replace("MORE", more);
        let study = "method = { step = \"1 ms\", duration = \"1 s\" }\nensemble.size = 1\n";
        let study =
            read_study_text("rail.toml", study, &mechanism).unwrap_or_else(|problems| panic!("{problems}"));
        study.observe.channels.iter().map(|one| one.channel.name().to_string()).collect::<Vec<_>>()
    };
    let has = |all: &[String], name: &str| all.iter().any(|one| one == name);
    let slides = observed("sphere = 0.1", "translational", "axes = [1, 0, 0]");
    let points = observed("point = true", "distance", "length = 0.1");
    let turns = observed("sphere = 0.1", "revolute", "axes = [1, 0, 0]");
    assert!(has(&slides, "displacement") && !has(&slides, "position"), "{slides:?}");
    assert!(has(&points, "position") && !has(&points, "displacement"), "{points:?}");
    assert!(!has(&turns, "displacement") && !has(&turns, "position"), "{turns:?}");
}

#[test]
fn shipped_studies_survive_being_written_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let files = shipped("studies");
    assert!(files.len() >= 4);
    for file in files {
        let study = read_study(&file).unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(read_text(folder.path(), &resolved_toml(&study)).unwrap(), study, "{}", file.display());
    }
}

#[test]
fn every_key_survives_being_written_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let study = read_text(folder.path(), EVERYTHING).unwrap_or_else(|problems| panic!("{problems}"));
    let written = resolved_toml(&study);
    // The table of samples is found again from another folder.
    let elsewhere = tempfile::tempdir().unwrap();
    let again =
        read_text(elsewhere.path(), &written).unwrap_or_else(|problems| panic!("{problems}\n{written}"));
    assert_eq!(again, study);
    assert_eq!(resolved_toml(&again), written);
}

/// Every question with every key.
#[test]
fn every_question_survives_being_written_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let read = |question: &str| {
        let body = root().join("mechanisms/free_body.toml");
        let text = format!(
            "mechanism = {body:?}\nmethod = {{ name = \"staggered\", step = 0.001, steps = 10 }}\n\
             ensemble = {{ size = 3 }}\nstudy = {{ {question} }}\n"
        );
        let study = read_text(folder.path(), &text).unwrap_or_else(|problems| panic!("{problems}"));
        let again =
            read_text(folder.path(), &resolved_toml(&study)).unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(again, study);
        study.kind
    };
    let lyapunov = Lyapunov { exponents: 1, pairs: true, distance: None, transition: false };
    assert_eq!(read("kind = \"lyapunov\"").settings(), Some(&lyapunov));
    let all = "kind = \"lyapunov\", exponents = 3, pairs = false, distance = 1e-5, transition = true";
    let lyapunov = Lyapunov { exponents: 3, pairs: false, distance: Some(1e-5), transition: true };
    assert_eq!(read(all).settings(), Some(&lyapunov));
    assert_eq!(read("kind = \"monte_carlo\"").settings(), Some(&MonteCarlo));
}

#[test]
fn values_of_the_file_with_every_key() {
    let folder = tempfile::tempdir().unwrap();
    let study = read_text(folder.path(), EVERYTHING).unwrap();
    assert_eq!((study.method.step, study.method.steps), (1.0, 1000));
    assert_eq!((study.observe.every, study.verdict.every), (60, 7));
    let body = &study.mechanism.bodies[0];
    assert_eq!(body.inertia, [[0.05, 0.001, 0.0], [0.001, 0.1, 0.0], [0.0, 0.0, 1.0]]);
    assert_eq!(body.initial.velocity, [10.0, 0.0, 0.0]);
    assert!((body.initial.angular_velocity[2] - std::f64::consts::TAU).abs() < 1e-14);
    let half = (15.0f64).to_radians();
    let expected = [half.cos(), half.sin() / 2f64.sqrt(), half.sin() / 2f64.sqrt(), 0.0];
    for (found, expected) in body.initial.attitude.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-15);
    }
    let drawn = |key: &str| {
        let varied = study.ensemble.vary.iter().find(|varied| varied.target.key == key).unwrap();
        (varied.target.clone(), varied.distribution.clone())
    };
    let (target, distribution) = drawn("push.value[0].x");
    assert_eq!((target.quantity, target.component), (Quantity::LoadValue { load: 0, piece: 0 }, Some(0)));
    let Distribution::Table { values, .. } = distribution else { panic!("{distribution:?}") };
    assert_eq!((values.len(), values[23].as_slice()), (24, [23.0].as_slice()));
    let Distribution::Drawn { name: "normal", values } = drawn("rotor-1.angular_velocity").1 else {
        panic!()
    };
    assert_eq!(values.vector("mean"), body.initial.angular_velocity);
    let Distribution::Drawn { name: "truncated_normal", values } = drawn("rotor-1.position.x").1 else {
        panic!()
    };
    assert_eq!((values.vector("low"), values.vector("high")), (&[0.0][..], &[f64::INFINITY][..]));
    let Distribution::Drawn { name: "von_mises_fisher", values } = drawn("rotor-1.velocity").1 else {
        panic!()
    };
    let direction = values.vector("direction");
    assert_eq!(direction, [0.6, 0.0, 0.8]);
}

#[test]
fn shipped_mechanisms_are_those_of_the_reports() {
    let top = read_mechanism(&root().join("mechanisms/heavy_top.toml")).unwrap();
    let weight_times_length = top.bodies[0].mass * -top.gravity[2] * top.bodies[0].centre_of_mass[2];
    assert!((weight_times_length - 20.0).abs() < 1e-13);
    assert_eq!(
        (top.bodies[0].support, top.bodies[0].inertia_about),
        (Support::FixedPoint, InertiaAbout::Origin)
    );
    for (found, expected) in
        top.bodies[0].initial.attitude.iter().zip([0.9887710779360422, 0.14943813247359922, 0.0, 0.0])
    {
        assert!((found - expected).abs() < 1e-15);
    }
    let spun = read_mechanism(&root().join("mechanisms/hulbert_51.toml")).unwrap();
    let impulse: f64 =
        spun.loads[1].pieces.iter().map(|piece| (piece.until - piece.from) * piece.value[1]).sum();
    assert!((impulse - 0.2).abs() < 1e-14);
    assert_eq!(spun.loads[0].pieces[0].until, spun.loads[1].pieces[0].from);
}

/// The shipped double pendulum has its bodies' origins at their upper ends, the reference one at
/// the mass centres.
#[test]
fn shipped_double_pendulum_is_the_reference_one() {
    let shipped = read_mechanism(&root().join("mechanisms/double_pendulum.toml")).unwrap();
    let yardstick = polhode::study::yardsticks::double_pendulum();
    assert_eq!(shipped.gravity, yardstick.gravity);
    for (shipped, yardstick) in shipped.bodies.iter().zip(&yardstick.bodies) {
        assert_eq!(shipped.mass, yardstick.mass);
        assert_eq!(shipped.inertia, yardstick.inertia);
        assert_eq!(shipped.initial.angular_velocity, yardstick.initial.angular_velocity);
    }
    let states = [&shipped, &yardstick].map(|mechanism| {
        let run = accurate::run(mechanism, &Instance::nominal(mechanism), &[1.0], accurate::TOLERANCE);
        run.unwrap().states.remove(0)
    });
    for (shipped, yardstick) in states[0].bodies.iter().zip(&states[1].bodies) {
        assert!(crate::common::attitude_distance(shipped.attitude, yardstick.attitude) < SAME_MOTION);
        assert!(crate::common::distance(shipped.angular_velocity, yardstick.angular_velocity) < SAME_MOTION);
    }
}

#[test]
fn parquet_and_csv_tables_are_read_alike() {
    use arrow_array::{ArrayRef, Float32Array, Float64Array, Int64Array, RecordBatch};
    use std::sync::Arc;
    let folder = tempfile::tempdir().unwrap();
    let columns: [(&str, ArrayRef); 3] = [
        ("x", Arc::new(Float64Array::from(vec![0.1, 0.2]))),
        ("y", Arc::new(Float32Array::from(vec![0.5, 0.25]))),
        ("z", Arc::new(Int64Array::from(vec![3, 4]))),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let file = std::fs::File::create(folder.path().join("samples.parquet")).unwrap();
    let snappy = parquet::file::properties::WriterProperties::builder()
        .set_compression(parquet::basic::Compression::SNAPPY)
        .build();
    let mut writer = parquet::arrow::ArrowWriter::try_new(file, batch.schema(), Some(snappy)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let text = |columns: &str| {
        format!(
            "mechanism = {{ body = {{ mass = 1, inertia = [1, 1, 1] }} }}\n\
             method = {{ name = \"staggered\", step = 1, steps = 1 }}\n\
             [ensemble.vary]\n\"body.position\" = {{ table = {{ file = \"samples.parquet\", \
             columns = {columns} }} }}\n"
        )
    };
    let study = read_text(folder.path(), &text("[\"z\", \"x\", \"y\"]")).unwrap();
    assert_eq!(study.ensemble.size, 2);
    let Distribution::Table { values, .. } = &study.ensemble.vary[0].distribution else { panic!() };
    assert_eq!(**values, [[3.0, 0.1, 0.5], [4.0, 0.2, 0.25]]);
    let problems = read_text(folder.path(), &text("[\"zz\", \"x\", \"y\"]")).unwrap_err();
    assert_eq!(problems.0[0].nearest.as_deref(), Some("z"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the numbers are, a study that was read, written and read again has the same bits.
    #[test]
    fn numbers_keep_their_bits(
        mass in 1e-30..1e30f64,
        step in 1e-12..1e3f64,
        position in prop::array::uniform3(-1e300..1e300f64),
        rotation in prop::array::uniform3(-10.0..10.0f64),
        direction in prop::array::uniform3(-1e3..1e3f64),
        products in prop::array::uniform3(-0.3..0.3f64),
        seed in 0u64..=i64::MAX as u64,
    ) {
        let [a, b, c] = products;
        let text = format!(
            "[method]\nname = \"staggered\"\nstep = {step:?}\nsteps = 3\n[ensemble]\nsize = 2\n\
             seed = {seed}\n[ensemble.vary]\n\
             \"body.velocity\" = {{ von_mises_fisher = {{ direction = {direction:?}, concentration = 1, \
             magnitude = 1 }} }}\n\
             [mechanism.body]\nmass = {mass:?}\n\
             inertia = [[1, {a:?}, {b:?}], [{a:?}, 1, {c:?}], [{b:?}, {c:?}, 1]]\n\
             [mechanism.body.initial]\nposition = {position:?}\n\
             attitude = {{ rotation_vector = {rotation:?} }}\n"
        );
        let folder = tempfile::tempdir().unwrap();
        let study = read_text(folder.path(), &text);
        let study = study.map_err(|problems| TestCaseError::fail(problems.to_string()))?;
        prop_assert_eq!(study.mechanism.bodies[0].initial.position, position);
        prop_assert_eq!(study.method.step, step);
        let again = read_text(folder.path(), &resolved_toml(&study)).unwrap();
        prop_assert_eq!(again, study);
    }
}

/// The reader reads every key of the schema, in every table: a date, which no key wants, is refused
/// under its name.
#[test]
#[expect(clippy::too_many_lines, reason = "a list of cases")]
fn every_key_of_the_schema_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let schema = study_schema();
    let mechanism = &mechanism_schema()["properties"];
    let body = &mechanism["body"]["anyOf"][0]["properties"];
    let load = &mechanism["load"]["items"]["properties"];
    let tables = [
        ("", &schema["properties"]),
        ("ensemble", &schema["properties"]["ensemble"]["properties"]),
        ("observe", &schema["properties"]["observe"]["properties"]),
        ("verdict", &schema["properties"]["verdict"]["anyOf"][0]["properties"]),
        ("accuracy", &schema["properties"]["accuracy"]["properties"]),
        ("output", &schema["properties"]["output"]["properties"]),
        ("run", &schema["properties"]["run"]["properties"]),
        ("mechanism", mechanism),
        ("mechanism.body", body),
        ("mechanism.body.initial", &body["initial"]["properties"]),
        ("mechanism.load.0", load),
        ("mechanism.load.0.pieces.0", &load["pieces"]["items"]["properties"]),
    ];
    let several = [
        ("mechanism.joint.2", &mechanism["joint"]["items"]["properties"]),
        ("mechanism.spring.0", &mechanism["spring"]["items"]["properties"]),
        ("mechanism.load.0", load),
    ];
    let element = |name: &str| &mechanism[name]["items"]["properties"];
    let outcome = &schema["properties"]["outcome"]["items"]["properties"];
    let contact = |k: usize| &mechanism["contact"]["items"]["anyOf"][k]["properties"];
    let of_time = &element("generator")["value"];
    let driven = [
        ("mechanism.joint.0", element("joint")),
        ("mechanism.generator.0", element("generator")),
        ("mechanism.coupling.0", element("coupling")),
        ("mechanism.generator.1.value.table", function_form(of_time, "table")),
        ("mechanism.generator.2.position.1.harmonic", function_form(of_time, "harmonic")),
        ("mechanism.contact.0", contact(0)),
        ("mechanism.contact.1", contact(1)),
        ("mechanism.contact.2", contact(2)),
        ("mechanism.contact.3.y.table", function_form(&contact(2)["y"], "table")),
        ("mechanism.joint_spring.0", element("joint_spring")),
        ("mechanism.stop.0", element("stop")),
        ("mechanism.bushing.0", element("bushing")),
        ("mechanism.drag.0", element("drag")),
        ("mechanism.joint_friction.0", element("joint_friction")),
        ("mechanism.friction.0", element("friction")),
        ("mechanism.armature.0", element("armature")),
        ("mechanism.line_actuator.0", element("line_actuator")),
        ("mechanism.wheel.0", element("wheel")),
        ("mechanism.point.0", element("point")),
        ("mechanism.group.0", element("group")),
        ("mechanism.state.0", element("state")),
        ("mechanism.state.1", element("state")),
        ("mechanism.table.0", element("table")),
        ("mechanism.signal.0", element("signal")),
        ("outcome.0", outcome),
        ("outcome.2.at", &outcome["at"]["properties"]),
        ("verdict.0", &schema["properties"]["verdict"]["anyOf"][1]["items"]["properties"]),
        ("mechanism.lock.0", element("lock")),
        ("mechanism.load.0", load),
    ];
    let inner = |name: &str, table: &str| &element(name)[table]["properties"];
    let beams = [
        ("mechanism.beam.0", element("beam")),
        ("mechanism.beam.1.material", inner("beam", "material")),
        ("mechanism.beam.1.section", inner("beam", "section")),
        ("mechanism.beam_element.0", element("beam_element")),
    ];
    let of_solid = &mechanism["body"]["anyOf"][2]["properties"];
    let solid = &of_solid["solid"]["anyOf"][0]["properties"];
    let solids = [
        ("mechanism.body.0", of_solid),
        ("mechanism.body.0.solid", solid),
        ("mechanism.body.1.solid.0.cylinder", &solid["cylinder"]["properties"]),
        ("mechanism.body.1.solid.1.tube", &solid["tube"]["properties"]),
    ];
    let of_flexible = &mechanism["body"]["anyOf"][1]["properties"];
    let flexible = &of_flexible["flexible"]["properties"];
    let within = |name: &str, list: &str| &flexible[name]["properties"][list]["items"]["properties"];
    let modal = flexible["modal"]["anyOf"].as_array().unwrap().iter().find(|form| form["type"] == "object");
    let deforming = [
        ("mechanism.body.0", of_flexible),
        ("mechanism.body.0.initial", &of_flexible["initial"]["properties"]),
        ("mechanism.body.0.flexible", flexible),
        ("mechanism.body.0.flexible.beam", &flexible["beam"]["properties"]),
        ("mechanism.body.0.flexible.beam.deflections.0", within("beam", "deflections")),
        ("mechanism.body.2.flexible.structure", &flexible["structure"]["properties"]),
        ("mechanism.body.2.flexible.structure.deflections.0", within("structure", "deflections")),
        ("mechanism.body.2.flexible.structure.nodes.0", within("structure", "nodes")),
        ("mechanism.body.2.flexible.structure.members.0", within("structure", "members")),
        ("mechanism.body.4.flexible.modal", &modal.unwrap()["properties"]),
    ];
    std::fs::write(folder.path().join("plate.json"), PLATE).unwrap();
    std::fs::write(folder.path().join("panel.csv"), PANEL).unwrap();
    let in_text = |text: &'static str| move |(path, properties)| (text, path, properties);
    let mut tried = 0;
    // The keys of every table that is tried.
    let mut walked = BTreeSet::new();
    for (text, path, properties) in tables
        .into_iter()
        .map(in_text(EVERYTHING))
        .chain(several.into_iter().map(in_text(SEVERAL)))
        .chain(driven.into_iter().map(in_text(DRIVEN)))
        .chain(beams.into_iter().map(in_text(BEAMS)))
        .chain(deforming.into_iter().map(in_text(FLEXIBLE)))
        .chain(solids.into_iter().map(in_text(SOLIDS)))
    {
        walked.insert(key_set(properties));
        for key in properties.as_object().unwrap_or_else(|| panic!("{path}")).keys() {
            let mut document: toml::Table = text.parse().unwrap();
            set_date(&mut document, path, key);
            expect_refusal(folder.path(), &document, key);
            tried += 1;
        }
    }
    // An attitude is given in one of several forms, each by its own keys.
    for form in body["initial"]["properties"]["attitude"]["anyOf"].as_array().unwrap() {
        let Some(keys) = form["properties"].as_object() else { continue };
        walked.insert(key_set(&form["properties"]));
        for key in keys.keys() {
            let mut document: toml::Table = EVERYTHING.parse().unwrap();
            let others = keys.keys().map(|key| (key.clone(), toml::Value::from("no number")));
            document["mechanism"]["body"]["initial"]["attitude"] = toml::Value::Table(others.collect());
            set_date(&mut document, "mechanism.body.initial.attitude", key);
            expect_refusal(folder.path(), &document, key);
            tried += 1;
        }
    }
    for treatment in schema["properties"]["constraints"]["anyOf"].as_array().unwrap() {
        walked.insert(key_set(&treatment["properties"]));
        for key in treatment["properties"].as_object().unwrap().keys() {
            let mut document: toml::Table = SEVERAL.parse().unwrap();
            let title = toml::Value::String(treatment["title"].as_str().unwrap().to_string());
            document["constraints"] = toml::Table::from_iter([("treatment".to_string(), title)]).into();
            set_date(&mut document, "constraints", key);
            expect_refusal(folder.path(), &document, key);
            tried += 1;
        }
    }
    for method in schema["properties"]["method"]["anyOf"].as_array().unwrap() {
        walked.insert(key_set(&method["properties"]));
        // The methods that a study compares are read by the same function, without step and
        // duration.
        let when = ["accuracy", "duration", "step", "steps"];
        walked.insert(
            key_set(&method["properties"]).into_iter().filter(|key| !when.contains(&key.as_str())).collect(),
        );
        for key in method["properties"].as_object().unwrap().keys() {
            let mut document: toml::Table = EVERYTHING.parse().unwrap();
            let mut plain = plain_method(method["title"].as_str().unwrap());
            if method["title"] == "chosen" {
                plain.remove("name");
            }
            document["method"] = toml::Value::Table(plain);
            set_date(&mut document, "method", key);
            expect_refusal(folder.path(), &document, key);
            tried += 1;
        }
    }
    for kind in schema["properties"]["study"]["anyOf"].as_array().unwrap() {
        walked.insert(key_set(&kind["properties"]));
        for key in kind["properties"].as_object().unwrap().keys() {
            let mut document: toml::Table = EVERYTHING.parse().unwrap();
            let title = kind["title"].as_str().unwrap().to_string();
            let table = toml::Table::from_iter([("kind".to_string(), toml::Value::String(title))]);
            document.insert("study".to_string(), toml::Value::Table(table));
            set_date(&mut document, "study", key);
            expect_refusal(folder.path(), &document, key);
            tried += 1;
        }
    }
    let until = &schema["properties"]["ensemble"]["properties"]["until"];
    walked.insert(key_set(&until["properties"]));
    for key in until["properties"].as_object().unwrap().keys() {
        let mut document: toml::Table = EVERYTHING.parse().unwrap();
        let inner = toml::Table::from_iter([(key.clone(), date())]);
        document["ensemble"].as_table_mut().unwrap().insert("until".to_string(), toml::Value::Table(inner));
        expect_refusal(folder.path(), &document, &format!("until.{key}"));
        tried += 1;
    }
    let correlated = &schema["properties"]["ensemble"]["properties"]["correlated"]["items"];
    walked.insert(key_set(&correlated["properties"]));
    for key in correlated["properties"].as_object().unwrap().keys() {
        let mut document: toml::Table = EVERYTHING.parse().unwrap();
        let inner = toml::Value::Table(toml::Table::from_iter([(key.clone(), date())]));
        let list = toml::Value::Array(vec![inner]);
        document["ensemble"].as_table_mut().unwrap().insert("correlated".to_string(), list);
        expect_refusal(folder.path(), &document, &format!("correlated[0].{key}"));
        tried += 1;
    }
    let vary = &schema["properties"]["ensemble"]["properties"]["vary"]["additionalProperties"]["anyOf"][1];
    walked.insert(key_set(&vary["properties"]));
    let part = &vary["properties"]["mixture"]["items"];
    walked.insert(key_set(&part["properties"]));
    for key in part["properties"].as_object().unwrap().keys() {
        let mut document: toml::Table = EVERYTHING.parse().unwrap();
        let inner = toml::Value::Table(toml::Table::from_iter([(key.clone(), date())]));
        let list = toml::Value::Array(vec![inner.clone(), inner]);
        let mixture = toml::Table::from_iter([("mixture".to_string(), list)]);
        document["ensemble"]["vary"]["rotor-1.mass"] = toml::Value::Table(mixture);
        expect_refusal(folder.path(), &document, &format!("mixture[0].{key}"));
        tried += 1;
    }
    for (kind, form) in vary["properties"].as_object().unwrap() {
        let target = match kind.as_str() {
            "small_rotation" => "rotor-1.attitude",
            "von_mises_fisher" => "rotor-1.velocity",
            _ => "rotor-1.mass",
        };
        // A text may stand for its parameters.
        let form = form["anyOf"].get(0).unwrap_or(form);
        walked.insert(key_set(&form["properties"]));
        for key in form["properties"].as_object().into_iter().flatten().map(|(key, _)| key) {
            let mut document: toml::Table = EVERYTHING.parse().unwrap();
            let inner = toml::Table::from_iter([(key.clone(), date())]);
            let outer = toml::Table::from_iter([(kind.clone(), toml::Value::Table(inner))]);
            document["ensemble"]["vary"][target] = toml::Value::Table(outer);
            expect_refusal(folder.path(), &document, &format!("{kind}.{key}"));
            tried += 1;
        }
    }
    assert!(tried > 60, "{tried}");
    // No table of the schema is forgotten, but for forms of one value, of which any key alone says
    // which it is.
    let mut all = BTreeSet::new();
    key_sets(&schema, &mut all);
    let left: Vec<Vec<String>> = all.difference(&walked).cloned().collect();
    let forms = NOT_WALKED.map(|keys| keys.split(' ').map(str::to_string).collect::<Vec<_>>());
    let forgotten: Vec<_> = left.iter().filter(|keys| !forms.contains(keys)).collect();
    assert!(forgotten.is_empty(), "{forgotten:#?}");
}

/// Tables that the walk does not enter: the radius of a sphere, which may stand alone; the unit of
/// a number; of which form a function is, whose own tables are walked; and the axes of a map and
/// what it compares, of which `tests/wrong/map_*.toml` has the faults.
const NOT_WALKED: [&str; 6] = [
    "radius",
    "unit value",
    "harmonic polynomial table",
    "polynomial table",
    "factor label quantity values",
    "constraints method name",
];

/// The names of a table's keys, in the order of the alphabet.
fn key_set(properties: &Value) -> Vec<String> {
    properties
        .as_object()
        .into_iter()
        .flatten()
        .map(|(key, _)| key.clone())
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect()
}

/// Those of all tables in a schema.
fn key_sets(schema: &Value, found: &mut BTreeSet<Vec<String>>) {
    if schema["type"] == "object" && schema["properties"].is_object() {
        found.insert(key_set(&schema["properties"]));
    }
    match schema {
        Value::Object(parts) => parts.values().for_each(|part| key_sets(part, found)),
        Value::Array(parts) => parts.iter().for_each(|part| key_sets(part, found)),
        _ => {}
    }
}

/// The table of a method with what every method needs.
fn plain_method(name: &str) -> toml::Table {
    toml::Table::from_iter([
        ("name".to_string(), name.into()),
        ("step".to_string(), 1.0.into()),
        ("steps".to_string(), 1000.into()),
    ])
}

/// Every setting of every method is read, written and read again, at its default and elsewhere.
#[test]
fn every_setting_of_every_method_survives() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = 0;
    for card in cards() {
        let mut plain: toml::Table = EVERYTHING.parse().unwrap();
        plain["method"] = toml::Value::Table(plain_method(card.name));
        if Adaptive::new(card.name, &Options::default()).is_some() {
            let on_cpu = [("backend", "cpu"), ("precision", "f64")];
            on_cpu.iter().for_each(|(key, value)| plain["run"][*key] = (*value).into());
        }
        let default = read_text(folder.path(), &plain.to_string()).unwrap_or_else(|p| panic!("{p}"));
        let always = card.keys.iter().filter(|key| !matches!(key.kind, Kind::Optional { .. })).count();
        assert_eq!(default.method.options.iter().count(), always);
        assert_eq!(read_text(folder.path(), &resolved_toml(&default)).unwrap(), default);
        for key in card.keys {
            let (value, expected): (toml::Value, Setting) = match key.kind {
                Kind::Choice(names) => {
                    ((*names.last().unwrap()).into(), Setting::Choice(names.last().unwrap()))
                }
                Kind::Count(_, max, _) => ((max as i64).into(), Setting::Count(max)),
                Kind::Number(_, max, _) | Kind::Derived { max, .. } | Kind::Optional { max, .. } => {
                    (max.into(), Setting::Number(max))
                }
                Kind::Flag => (true.into(), Setting::Flag(true)),
            };
            let mut changed = plain.clone();
            changed["method"].as_table_mut().unwrap().insert(key.name.to_string(), value);
            let study = read_text(folder.path(), &changed.to_string()).unwrap_or_else(|p| panic!("{p}"));
            assert_eq!(study.method.options.get(key.name), Some(&expected));
            assert_ne!(study.method, default.method, "{} {}", card.name, key.name);
            assert_eq!(read_text(folder.path(), &resolved_toml(&study)).unwrap(), study);
            settings += 1;
        }
    }
    assert!(settings >= 15, "{settings}");
}

fn date() -> toml::Value {
    toml::Value::Datetime("1979-05-27".parse().unwrap())
}

/// The keys of a table that is one of several forms of a function.
fn function_form<'s>(function: &'s Value, name: &str) -> &'s Value {
    let forms = function["anyOf"].as_array().unwrap();
    &forms.iter().find(|form| form["type"] == "object").unwrap()["properties"][name]["properties"]
}

/// Keys that stand for each other: one must go before another can come.
const ALTERNATIVES: [&[&str]; 14] = [
    &["rate", "next"],
    &["final", "max", "min", "integral", "mean", "rms", "first", "last", "settled", "duration", "at"],
    &["beam", "structure", "modal"],
    &["force", "torque"],
    &["frequencies", "stiffness"],
    &["to", "direction"],
    &["nu", "G"],
    &["steps", "duration"],
    &["value", "pieces", "function"],
    &["joint", "body"],
    &["frequency", "angular_frequency"],
    &["box", "sphere", "ellipsoid", "cylinder", "tube", "capsule", "point"],
    &["density", "mass"],
    &["ratio", "value"],
];

fn set_date(document: &mut toml::Table, path: &str, key: &str) {
    let mut table = document;
    let mut parts = path.split('.').filter(|part| !part.is_empty());
    while let Some(part) = parts.next() {
        let value = table.get_mut(part).unwrap();
        table = match value {
            toml::Value::Array(entries) => {
                let index: usize = parts.next().unwrap().parse().unwrap();
                entries[index].as_table_mut().unwrap()
            }
            other => other.as_table_mut().unwrap(),
        };
    }
    for alternatives in ALTERNATIVES {
        if alternatives.contains(&key) && !["mechanism.load.0.pieces.0", "mechanism.point.0"].contains(&path)
        {
            for other in alternatives {
                table.remove(*other);
            }
        }
    }
    table.insert(key.to_string(), date());
}

fn expect_refusal(folder: &Path, document: &toml::Table, key: &str) {
    let problems = read_text(folder, &document.to_string()).expect_err(key);
    let refused =
        problems.0.iter().any(|problem| problem.key.ends_with(key) && problem.found != "unknown key");
    assert!(refused, "{key}: {problems}");
}

/// An axis gives the size, be it of one value alone.
#[test]
fn a_grid_of_one_value_needs_no_size() {
    let folder = tempfile::TempDir::new().unwrap();
    let size = |axis: &str| {
        let study = format!(
            "mechanism.body = [{{ name = \"b\", mass = 1, inertia = [1, 1, 1] }}]\n\
             method = {{ step = \"1 ms\", steps = 1 }}\n\
             ensemble.vary.\"b.mass\" = {{ {axis} }}\n"
        );
        read_text(folder.path(), &study).map(|study| study.ensemble.size)
    };
    assert_eq!(size("list = [7]").unwrap(), 1);
    assert_eq!(size("list = [7, 8]").unwrap(), 2);
    assert!(size("uniform = { low = 1, high = 2 }").unwrap_err().to_string().contains("`size` is missing"));
}
