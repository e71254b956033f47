//! Momenta of groups of bodies.

use std::path::Path;

use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use polhode::base::Precision;
use polhode::describe::Study;
use polhode::ensemble::Quantities;
use polhode::observe::channels;
use polhode::reference::State;
use polhode::study_file::{read_study, resolved_toml};

use crate::common::engine::Ready;
use crate::common::judged::reference;
use crate::common::tolerances::REFERENCE_PER_STEP;

const STEPS: u64 = 50;

/// A body on a hinge at the ground, one on a hinge beside it, one that is free and one about a
/// fixed point.
fn text(group: &str) -> String {
    let body = |name: &str, more: &str| {
        format!(
            "[[mechanism.body]]\nname = \"{name}\"\nmass = 2\ninertia = [0.01, 0.09, 0.07]\n\
             centre_of_mass = [0.1, 0.02, -0.03]\n{more}\n"
        )
    };
    format!(
        "method = {{ name = \"rk4\", step = \"1 ms\", steps = {STEPS} }}\nensemble.size = 3\n\
         [ensemble.vary]\n\"lower.mass\" = {{ uniform = {{ low = 1, high = 9 }} }}\n\
         [observe]\nevery = {STEPS}\nchannels = [\"pair.linear_momentum\", \"pair.angular_momentum\"]\n\
         [run]\nfused = false\n[mechanism]\ngravity = 9.81\n{}{}{}{}\
         [[mechanism.joint]]\nname = \"shoulder\"\nkind = \"revolute\"\nbodies = [\"ground\", \"upper\"]\n\
         points = [[0, 0, 0], [-0.5, 0, 0]]\naxes = [0, 1, 0]\nangle = 0.4\nangular_velocity = 2\n\
         [[mechanism.joint]]\nname = \"elbow\"\nkind = \"revolute\"\nbodies = [\"upper\", \"lower\"]\n\
         points = [[0.5, 0, 0], [0, 0.1, 0]]\naxes = [1, 0, 0]\nangle = 0\nangular_velocity = -3\n{group}\n",
        body("upper", ""),
        body("lower", ""),
        body(
            "free",
            "initial = { position = [1, 2, 3], velocity = [0.3, 0, 1], angular_velocity = [1, 2, -1] }"
        ),
        body(
            "top",
            "support = \"fixed_point\"\ninitial = { position = [0, 0, 5], angular_velocity = [0, 1, 20] }"
        ),
    )
}

fn group(bodies: &str) -> String {
    format!("[[mechanism.group]]\nname = \"pair\"\nbodies = {bodies}")
}

fn read(text: &str) -> Result<Study, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("study.toml");
    std::fs::write(&path, text).expect("written");
    read_study(Path::new(&path)).map_err(|problems| problems.to_string())
}

/// Both momenta from masses, inertias and the motion of the reference.
fn by_hand(ready: &Ready, i: usize, state: &State, bodies: &[usize]) -> Vec<f64> {
    let mut row = vec![f64::NAN; ready.sampler.width()];
    ready.sampler.draw(i as u64, &mut row);
    let mut drawn = Quantities::nominal(&ready.study);
    ready.sampler.apply(&row, &mut drawn);
    let placed = drawn.placed(&ready.study.mechanism);
    let moving = |b: &usize| {
        let (body, now) = (&placed[*b], &state.bodies[*b]);
        let [w, x, y, z] = now.attitude;
        let turn = UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z));
        let (centre, rate) = (turn * Vector3::from(body.centre_of_mass), Vector3::from(now.angular_velocity));
        let spin = turn * Vector3::from_fn(|k, _| body.inertia[k][k] * rate[k]);
        let velocity = Vector3::from(now.velocity) + (turn * rate).cross(&centre);
        (body.mass, Vector3::from(now.position) + centre, velocity, spin)
    };
    let all: Vec<_> = bodies.iter().map(moving).collect();
    let mass: f64 = all.iter().map(|body| body.0).sum();
    let centre: Vector3<f64> = all.iter().map(|body| body.0 * body.1).sum::<Vector3<f64>>() / mass;
    let linear: Vector3<f64> = all.iter().map(|body| body.0 * body.2).sum();
    let angular: Vector3<f64> =
        all.iter().map(|(m, r, v, spin)| spin + *m * (r - centre).cross(&(v - linear / mass))).sum();
    linear.iter().chain(&angular).copied().collect()
}

#[test]
fn momenta_of_a_group_are_those_of_the_reference() {
    for (names, bodies) in [
        ("[\"upper\", \"free\"]", &[0, 2][..]),
        ("[\"lower\"]", &[1]),
        ("[\"top\", \"lower\", \"upper\"]", &[3, 1, 0]),
    ] {
        let ready = Ready::new(read(&text(&group(names))).unwrap_or_else(|problems| panic!("{problems}")));
        let outcome = ready.on_cpu(Precision::F64, 1);
        let channels = [channels::GROUP_LINEAR_MOMENTUM, channels::GROUP_ANGULAR_MOMENTUM];
        for (i, found) in ready.observe(&outcome, &channels).iter().enumerate() {
            let expected = by_hand(&ready, i, &reference(&ready, i), bodies);
            assert_eq!(found.len(), 6);
            for (a, b) in found.iter().zip(&expected) {
                let allowed = REFERENCE_PER_STEP * STEPS as f64 * b.abs().max(1.0);
                assert!((a - b).abs() <= allowed, "{names}, {i}: {found:?} {expected:?}");
            }
        }
    }
}

#[test]
fn a_group_of_all_bodies_has_the_momentum_of_the_whole() {
    let all = group("[\"upper\", \"lower\", \"free\", \"top\"]");
    let ready = Ready::new(read(&text(&all)).unwrap_or_else(|problems| panic!("{problems}")));
    let outcome = ready.on_cpu(Precision::F64, 1);
    let observed = |channel| ready.observe(&outcome, &[channel]);
    assert_eq!(observed(channels::GROUP_ANGULAR_MOMENTUM), observed(channels::ANGULAR_MOMENTUM_ABOUT_CENTRE));
}

#[test]
fn groups_are_written_back_and_wrong_ones_refused() {
    let study = read(&text(&group("[\"free\", \"upper\"]"))).unwrap_or_else(|problems| panic!("{problems}"));
    let again = read(&resolved_toml(&study)).unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!((&again.mechanism, again.observe.channels), (&study.mechanism, study.observe.channels));
    for (bodies, told) in [
        ("[]", "a group has one body at least"),
        ("[\"uper\"]", "there is no body \"uper\"; did you mean `upper`?"),
        ("[\"free\", \"free\"]", "the body \"free\" is named twice"),
        ("[\"ground\"]", "there is no body \"ground\""),
        ("\"free\"", "group[0].bodies"),
    ] {
        let problems = read(&text(&group(bodies))).expect_err(bodies);
        assert!(problems.contains(told), "{bodies}: {problems}");
    }
    let twice = read(&text(&group("[\"free\"]").replace("pair", "upper"))).expect_err("a name that is taken");
    assert!(twice.contains("upper"), "{twice}");
}
