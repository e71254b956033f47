//! Planar mechanisms cost like planar ones: what is zero in every instance, and stays so, is no
//! part of a step.

use std::sync::atomic::AtomicBool;

use crate::common::engine::{Ready, Said, assert_same};
use crate::common::root;
use crate::common::tolerances::{REORDERED_F32, REORDERED_F64};
use polhode::backend::Plan;
use polhode::backend::program::Program;
use polhode::base::spread;
use polhode::base::{Options, Precision};
use polhode::describe::{Constraints, Distribution, Mechanism, Quantity, Study, Target, Vary};
use polhode::model::WIDTH;
use polhode::observe::{PILOT, Verdict};
use polhode::study::replay::replay;
use polhode::study_file::read_study;

/// Largest share of the unfolded operations that a planar mechanism may cost.
const PLANAR: f64 = 1.0 / 3.0;
/// Operations a step of ten rods: a tenth more than there are today.
const MOST_PLANAR_OPERATIONS: usize = 4_100;
const MOST_SPATIAL_OPERATIONS: usize = 12_700;
/// Most operations that recording handles for a step of ten rods, before anything is left out.
const MOST_UNFOLDED_OPERATIONS: usize = 31_000;
/// Largest difference between an f32 run of 200 steps and the reference, relative to numbers
/// above 1.
const SINGLE: f64 = 1e-3;

fn shipped(name: &str) -> Study {
    let path = root().join("studies").join(name);
    read_study(&path).unwrap_or_else(|problems| panic!("{problems}"))
}

/// The study of a text that is a file.
pub fn read(text: &str) -> Study {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("study.toml");
    std::fs::write(&path, text).expect("written");
    read_study(&path).unwrap_or_else(|problems| panic!("{problems}\n{text}"))
}

/// Two rods that swing in the plane of e1 and e3, from hinges or ball joints.
fn double_pendulum(joint: &str, vary: &str, size: u64, steps: u64) -> Study {
    let joint = match joint {
        "revolute" => "kind = \"revolute\"\naxes = [0, 1, 0]",
        _ => "kind = \"spherical\"",
    };
    let body = "mass = 1\ninertia = [0.01, 0.08, 0.09]\n";
    read(&format!(
        "method = {{ name = \"staggered\", step = 1e-3, steps = {steps}, resynchronise = 20 }}\n\
         ensemble.size = {size}\n[ensemble.vary]\n{vary}\n\
         [observe]\nevery = {steps}\nchannels = [\"energy\"]\n[run]\nfused = false\n[mechanism]\n\
         gravity = 9.81\n\
         [[mechanism.body]]\nname = \"upper\"\n\
         {body}initial = {{ position = [0.5, 0, 0], approximate = true }}\n\
         [[mechanism.body]]\nname = \"lower\"\n\
         {body}initial = {{ position = [1.5, 0, 0], approximate = true }}\n\
         [[mechanism.joint]]\nname = \"shoulder\"\nbodies = [\"ground\", \"upper\"]\n\
         points = [[0, 0, 0], [-0.5, 0, 0]]\n{joint}\n\
         [[mechanism.joint]]\nname = \"elbow\"\nbodies = [\"upper\", \"lower\"]\n\
         points = [[0.5, 0, 0], [-0.5, 0, 0]]\n{joint}\n"
    ))
}

const SWING: &str = "\"upper.angular_velocity.y\" = { uniform = { low = -2, high = 2 } }\n\
                     \"lower.mass\" = { uniform = { low = 0.8, high = 1.2 } }";

/// Steps of the shipped linkage, and of a small ensemble.
fn four_bar(steps: u64) -> Study {
    let mut study = shipped("four_bar.toml");
    study.ensemble.size = 70;
    study.method.steps = steps;
    study.observe.every = steps;
    study.run.fused = false;
    study
}

fn operations(plan: &Plan) -> usize {
    let program = Program::new(plan, Precision::F64);
    program.operations(&program.step).total()
}

/// Operations a step with and without what is zero.
fn costs(study: &Study) -> (usize, usize) {
    let plan = Ready::new(study.clone()).plan;
    (operations(&plan), operations(&plan.unfolded()))
}

fn assert_planar(what: &str, study: &Study) {
    let (folded, unfolded) = costs(study);
    println!("{what}: {folded} operations a step, {unfolded} without folding");
    assert!((folded as f64) < PLANAR * unfolded as f64, "{what}: {folded} of {unfolded}");
}

/// Returns the mechanism with every vector turned: e1, e2, e3 become e2, e3, e1.
fn turned(mut mechanism: Mechanism) -> Mechanism {
    let turn = |v: [f64; 3]| [v[2], v[0], v[1]];
    mechanism.gravity = turn(mechanism.gravity);
    for body in &mut mechanism.bodies {
        body.inertia = turn3(body.inertia.map(turn));
        body.centre_of_mass = turn(body.centre_of_mass);
        let initial = &mut body.initial;
        (initial.position, initial.velocity) = (turn(initial.position), turn(initial.velocity));
        initial.angular_velocity = turn(initial.angular_velocity);
        let [q0, x, y, z] = initial.attitude;
        initial.attitude = [q0, z, x, y];
    }
    for joint in &mut mechanism.joints {
        joint.points.iter_mut().for_each(|point| point.at = turn(point.at));
        joint.frames = joint.frames.map(|frame| frame.map(turn));
    }
    for piece in mechanism.loads.iter_mut().flat_map(|load| &mut load.pieces) {
        piece.value = turn(piece.value);
    }
    mechanism
}

fn turn3<T: Copy>(v: [T; 3]) -> [T; 3] {
    [v[2], v[0], v[1]]
}

#[test]
fn planar_mechanisms_cost_less_than_a_third() {
    assert_planar("four-bar linkage", &shipped("four_bar.toml"));
    assert_planar("planar double pendulum", &double_pendulum("revolute", SWING, 60, 1000));
    assert_planar("planar double pendulum in ball joints", &double_pendulum("spherical", SWING, 60, 1000));
    // A start that assembly has to move, and by rounding out of the plane.
    let apart = format!("{SWING}\n\"lower.position.x\" = {{ normal = {{ std = 0.01 }} }}");
    assert_planar("pendulum to be assembled", &double_pendulum("revolute", &apart, 60, 1000));
    // In every plane of space.
    let mut study = shipped("four_bar.toml");
    study.ensemble.vary.clear();
    for plane in ["e3 e1", "e1 e2", "e2 e3"] {
        assert_planar(plane, &study);
        study.mechanism = turned(study.mechanism);
    }
}

/// A body turned over, and one whose principal axes lie askew in the plane: both stay in it to the
/// last bit.
#[test]
fn attitudes_and_inertias_in_the_plane_are_exact() {
    let half_turn = "attitude = { axis = [1, 0, 0], angle = \"180 deg\" }";
    let askew = "inertia = [[0.02, 0, 0.005], [0, 0.08, 0], [0.005, 0, 0.09]]";
    let study = read(&format!(
        "method = {{ name = \"staggered\", step = 1e-3, steps = 1000 }}\nensemble.size = 20\n\
         [ensemble.vary]\n{SWING}\n[mechanism]\ngravity = 9.81\n\
         [[mechanism.body]]\nname = \"upper\"\nmass = 1\n{askew}\n\
         initial = {{ position = [0.5, 0, 0], {half_turn} }}\n\
         [[mechanism.body]]\nname = \"lower\"\nmass = 1\n{askew}\ninitial = {{ position = [1.5, 0, 0] }}\n\
         [[mechanism.joint]]\nname = \"shoulder\"\nbodies = [\"ground\", \"upper\"]\nkind = \"revolute\"\n\
         points = [[0, 0, 0], [-0.5, 0, 0]]\naxes = [[0, 1, 0], [0, -1, 0]]\n\
         [[mechanism.joint]]\nname = \"elbow\"\nbodies = [\"upper\", \"lower\"]\nkind = \"revolute\"\n\
         points = [[0.5, 0, 0], [-0.5, 0, 0]]\naxes = [[0, -1, 0], [0, 1, 0]]\n"
    ));
    assert_planar("one rod turned over, both askew", &study);
}

#[test]
fn what_is_not_planar_costs_what_it_did() {
    let spin = "\"upper.angular_velocity\" = { normal = { mean = [0, 0.4, 1], std = 0.3 } }\n\
                \"lower.angular_velocity\" = { normal = { mean = [0, -0.2, 1], std = 0.3 } }";
    let (folded, unfolded) = costs(&double_pendulum("spherical", spin, 60, 1000));
    println!("spatial double pendulum: {folded} of {unfolded}");
    assert_eq!(folded, unfolded);
}

/// Without folding what is out of the plane is exactly zero all the time, and what is in it is the
/// same but for the order of operations: `x y + x z` is `x (y + z)` where both products are left,
/// and a longer sum otherwise.
#[test]
fn folding_changes_nothing() {
    let studies = [
        ("four-bar linkage", four_bar(1000)),
        ("double pendulum, hinges", double_pendulum("revolute", SWING, 70, 1000)),
        ("double pendulum, ball joints", double_pendulum("spherical", SWING, 70, 1000)),
    ];
    for (name, study) in studies {
        for (precision, tolerance) in [(Precision::F64, REORDERED_F64), (Precision::F32, REORDERED_F32)] {
            let folded = Ready::new(study.clone());
            let unfolded = unfolded(&study);
            let out_of_plane = |c: usize| folded.plan.zeros.channels.get(c) == Some(&true);
            assert!((0..WIDTH).filter(|c| out_of_plane(*c)).count() == 6, "{name}");
            let (with, without) = (folded.on_cpu(precision, 2), unfolded.on_cpu(precision, 2));
            assert_eq!(with.count(Verdict::Finished), folded.size(), "{name}, {precision:?}");
            let mut largest: f64 = 0.0;
            for i in (0..folded.size()).filter(|i| without.ends[*i].verdict == Verdict::Finished) {
                for (c, (x, y)) in with.state(i).into_iter().zip(without.state(i)).enumerate() {
                    assert!(!out_of_plane(c) || x == 0.0 && y == 0.0, "{name}, {i}, {c}: {x} {y}");
                    largest = largest.max((x - y).abs());
                }
            }
            let alike = without.count(Verdict::Finished);
            println!(
                "{name}, {precision:?}: {largest:.1e} apart; {alike} of {} finish unfolded",
                folded.size()
            );
            assert!(largest < tolerance, "{name}, {precision:?}: {largest:.1e}");
        }
    }
}

fn unfolded(study: &Study) -> Ready {
    let mut ready = Ready::new(study.clone());
    ready.plan = ready.plan.unfolded();
    ready
}

#[test]
fn folded_kernels_equal_the_cpu() {
    for (name, mut study) in [
        ("four-bar linkage", four_bar(100)),
        ("double pendulum", double_pendulum("spherical", SWING, 70, 100)),
    ] {
        // With every check of a kernel. A bound of a tenth would stop one of the pendulums in f32.
        (study.verdict.energy, study.verdict.quaternion_norm) = (Some(1.0), Some(1e-4));
        for precision in [Precision::F32, Precision::F64] {
            let ready = Ready::new(study.clone());
            let (gpu, cpu) = (ready.on_gpu(precision), ready.on_cpu(precision, 2));
            assert_same(&format!("{name}, {precision:?}"), &gpu, &cpu);
            let ends = Verdict::ALL.map(|verdict| (verdict, cpu.count(verdict)));
            assert_eq!(cpu.count(Verdict::Finished), ready.size(), "{name}, {precision:?}: {ends:?}");
        }
    }
}

/// The redundant rows of a planar linkage are those out of its plane; a second hinge in the plane
/// is redundant altogether. They are left out where multipliers are solved for, with and without
/// folding.
#[test]
fn rows_out_of_the_plane_are_no_trouble() {
    for (treatment, twice) in [("exact", false), ("baumgarte", false), ("exact", true), ("baumgarte", true)] {
        let mut study = four_bar(1000);
        study.constraints = Constraints { treatment, options: Options::default(), project: 0 };
        if twice {
            let mut again = study.mechanism.joints[0].clone();
            again.name = "again".to_string();
            study.mechanism.joints.push(again);
        }
        let finished = |ready: Ready| ready.on_cpu(Precision::F64, 2).count(Verdict::Finished);
        let (with, without) = (finished(Ready::new(study.clone())), finished(unfolded(&study)));
        println!("{treatment}, crankshaft twice {twice}: {with} finish, {without} without folding, of 70");
        assert_eq!((with, without), (70, 70), "{treatment}, twice {twice}");
    }
}

/// All but one instance of a list swing in the plane. That one is late, and known beforehand all
/// the same: every entry of a list is looked at. (What is not foreseen:
/// `crates/cli/tests/command/shards.rs` `what_is_not_foreseen_ends_the_shard`.)
#[test]
fn an_instance_that_leaves_the_plane_is_computed_in_space() {
    let size = 2500;
    let pilot = spread(size, PILOT);
    let late = (2000..size).find(|i| !pilot.contains(i)).expect("the pilot is a part");
    let values = (0..size).map(|i| match i {
        _ if i == late => vec![0.3, 1.0, 0.2],
        _ => vec![0.0, i as f64 / size as f64, 0.0],
    });
    let mut study = double_pendulum("spherical", "", size, 200);
    study.ensemble.vary = vec![Vary {
        target: Target {
            key: "upper.angular_velocity".to_string(),
            body: 0,
            quantity: Quantity::AngularVelocity,
            component: None,
        },
        distribution: Distribution::List { values: values.collect() },
    }];
    let (folded, unfolded) = costs(&study);
    assert_eq!(folded, unfolded, "the entry is known");
    let home = tempfile::tempdir().expect("a folder");
    let mut tables = Vec::new();
    for chunk in [None, Some(640)] {
        study.run.chunk = chunk;
        let (said, out) = (Said::default(), home.path().join(format!("run{}", tables.len())));
        polhode::study::run(&study, &out, false, &said, &AtomicBool::new(false)).expect("it runs");
        let said = said.lines();
        assert!(said.len() == 1 && said[0].starts_with("backend: "), "nothing is started again: {said:?}");
        tables.push(std::fs::read(out.join("instances.parquet")).expect("a table"));
        for (instance, in_plane) in [(late, false), (late - 1, true)] {
            let replayed = replay(&out, instance).expect("it is replayed");
            for row in &replayed.comparison {
                let close = (row.stored - row.reference).abs() < SINGLE * row.reference.abs().max(1.0);
                assert!(close, "{instance}: {row:?}");
            }
            let y =
                replayed.comparison.iter().find(|row| row.name == "lower.position.y").expect("a position");
            assert_eq!(y.stored == 0.0, in_plane, "{instance}: {y:?}");
        }
    }
    assert!(tables[0] == tables[1], "the result does not depend on chunks");
}

/// A chain of rods in the plane, or not.
fn chain(bodies: usize, joint: &str, velocity: &str) -> Study {
    let mut parts = String::new();
    for b in 0..bodies {
        let x = b as f64 + 0.5;
        parts += &format!(
            "[[mechanism.body]]\nname = \"rod{b}\"\nmass = 1\ninertia = [0.01, 0.08, 0.09]\n\
             initial = {{ position = [{x:?}, 0, 0], angular_velocity = {velocity} }}\n"
        );
        let before = if b == 0 { "ground".to_string() } else { format!("rod{}", b - 1) };
        let point = if b == 0 { "0" } else { "0.5" };
        parts += &format!(
            "[[mechanism.joint]]\nname = \"joint{b}\"\nbodies = [\"{before}\", \"rod{b}\"]\n\
             points = [[{point}, 0, 0], [-0.5, 0, 0]]\n{joint}\n"
        );
    }
    read(&format!(
        "method = {{ name = \"staggered\", step = 1e-3, steps = 100 }}\nensemble.size = 60\n[ensemble.vary]\n\
         \"rod0.mass\" = {{ uniform = {{ low = 0.8, high = 1.2 }} }}\n[mechanism]\ngravity = 9.81\n{parts}"
    ))
}

/// The time to make a program grows with its operations, which are recorded once before zeros are
/// known (`benches/generation.rs` measures the time).
#[test]
fn programs_of_ten_bodies_stay_short() {
    let (hinge, ball) = ("kind = \"revolute\"\naxes = [0, 1, 0]", "kind = \"spherical\"");
    for (name, joint, velocity, most) in [
        ("planar, hinges", hinge, "[0, 0.1, 0]", MOST_PLANAR_OPERATIONS),
        ("planar, ball joints", ball, "[0, 0.1, 0]", MOST_PLANAR_OPERATIONS),
        ("spatial, ball joints", ball, "[0.3, 0.1, 0.2]", MOST_SPATIAL_OPERATIONS),
    ] {
        let plan = Ready::new(chain(10, joint, velocity)).plan;
        let (folded, unfolded) = (operations(&plan), operations(&plan.unfolded()));
        println!("{name}: {folded} of {unfolded} operations");
        assert!(folded <= most, "{name}: {folded} operations");
        assert!(unfolded <= MOST_UNFOLDED_OPERATIONS, "{name}: {unfolded} operations before folding");
    }
}
