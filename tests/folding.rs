//! Planar mechanisms cost like planar ones: what is zero in every instance, and stays so, is no part of a step.

mod common;

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use common::engine::{Outcome, Ready, assert_same};
use polhode::backend::Plan;
use polhode::backend::program::Program;
use polhode::describe::{
    Constraints, Distribution, Mechanism, Options, Precision, Quantity, Study, Target, Vary, read_study,
};
use polhode::observe::{Pilot, Verdict};
use polhode::study::monte_carlo::{self, Listener};
use polhode::study::replay::replay;

/// Largest share of the unfolded operations that a planar mechanism may cost.
const PLANAR: f64 = 1.0 / 3.0;

fn shipped(name: &str) -> Study {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("studies").join(name);
    read_study(&path).unwrap_or_else(|problems| panic!("{problems}"))
}

fn read(text: &str) -> Study {
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
         [observe]\nevery = {steps}\nchannels = [\"energy\"]\n[run]\nfused = false\n[mechanism]\ngravity = 9.81\n\
         [[mechanism.body]]\nname = \"upper\"\n{body}initial = {{ position = [0.5, 0, 0] }}\n\
         [[mechanism.body]]\nname = \"lower\"\n{body}initial = {{ position = [1.5, 0, 0] }}\n\
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

/// The same mechanism with every vector turned: e1, e2, e3 become e2, e3, e1.
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
    // In every plane of space.
    let mut study = shipped("four_bar.toml");
    study.ensemble.vary.clear();
    for plane in ["e3 e1", "e1 e2", "e2 e3"] {
        assert_planar(plane, &study);
        study.mechanism = turned(study.mechanism);
    }
}

#[test]
fn what_is_not_planar_costs_what_it_did() {
    let spin = "\"upper.angular_velocity\" = { normal = { mean = [0, 0.4, 1], std = 0.3 } }\n\
                \"lower.angular_velocity\" = { normal = { mean = [0, -0.2, 1], std = 0.3 } }";
    let (folded, unfolded) = costs(&double_pendulum("spherical", spin, 60, 1000));
    println!("spatial double pendulum: {folded} of {unfolded}");
    assert_eq!(folded, unfolded);
}

#[test]
fn probe() {
    for (name, study) in [
        ("four-bar", four_bar(1000)),
        ("rev", double_pendulum("revolute", SWING, 70, 1000)),
        ("sph", double_pendulum("spherical", SWING, 70, 1000)),
    ] {
        for precision in [Precision::F32, Precision::F64] {
            let folded = Ready::new(study.clone());
            let mut unfolded = Ready::new(study.clone());
            unfolded.plan = unfolded.plan.unfolded();
            let (a, b) = (folded.on_cpu(precision, 2), unfolded.on_cpu(precision, 2));
            let mut worst: f64 = 0.0;
            let mut other = 0;
            for (x, y) in a.states.iter().flatten().zip(b.states.iter().flatten()) {
                worst = worst.max((x - y).abs());
                other += usize::from(x != y);
            }
            println!("{name} {precision:?} worst {worst:.3e} different {other} of {}", a.states.len() * 70);
            for (c, plane) in b.states.iter().enumerate() {
                if folded.plan.zeros.channels.get(c) == Some(&true) {
                    assert!(plane.iter().all(|x| *x == 0.0), "{c}");
                }
            }
        }
    }
    for treatment in ["exact", "baumgarte", "penalty"] {
        let mut study = four_bar(1000);
        study.constraints.treatment = treatment;
        let folded = Ready::new(study.clone());
        let mut unfolded = Ready::new(study.clone());
        unfolded.plan = unfolded.plan.unfolded();
        for (what, r) in [("folded", folded), ("unfolded", unfolded)] {
            let o = r.on_cpu(Precision::F64, 2);
            println!(
                "{treatment} {what}: {} of {} finished, {} ops; {:?}",
                o.count(Verdict::Finished),
                r.size(),
                operations(&r.plan),
                &o.state(0)
            );
        }
    }
}
