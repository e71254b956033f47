//! eps by the rule of PCD90 III.D, after (32): `c/(|mu^-1| |mu|)` where an instance starts.

use crate::common::engine::Ready;
use crate::common::judged::{reference, worst};
use crate::common::tolerances::REFERENCE_PER_STEP;
use polhode::base::Precision;
use polhode::describe::Study;
use polhode::model::Model;
use polhode::study::plan::plan;
use polhode::study_file::{read_study, resolved_toml};

const STEPS: u64 = 40;

/// Two bodies of unequal masses on ball joints, at the mass centres of both and 0.5 m beside the
/// first.
fn text(constraints: &str, vary: &str) -> String {
    format!(
        "method = {{ name = \"staggered\", step = \"1 ms\", steps = {STEPS}, resynchronise = 7 }}\n\
         constraints = {{ {constraints} }}\nensemble.size = 12\n[ensemble.vary]\n{vary}\n\
         [observe]\nevery = {STEPS}\n[run]\nfused = false\n[mechanism]\ngravity = 9.81\n\
         [[mechanism.body]]\nname = \"upper\"\nmass = 2\ninertia = [0.01, 0.09, 0.07]\n\
         initial = {{ position = [0.5, 0, 0], angular_velocity = [0, 1, 2] }}\n\
         [[mechanism.body]]\nname = \"lower\"\nmass = 7\ninertia = [0.3, 0.2, 0.4]\n\
         [[mechanism.joint]]\nname = \"shoulder\"\nkind = \"spherical\"\nbodies = [\"ground\", \"upper\"]\n\
         points = [[0, 0, 0], [-0.5, 0, 0]]\n\
         [[mechanism.joint]]\nname = \"elbow\"\nkind = \"spherical\"\nbodies = [\"upper\", \"lower\"]\n\
         points = [[0, 0, 0], [0, 0, 0]]\n"
    )
}

fn read(text: &str) -> Result<Study, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("study.toml");
    std::fs::write(&path, text).expect("written");
    read_study(&path).map_err(|problems| problems.to_string())
}

fn study(constraints: &str, vary: &str) -> Study {
    read(&text(constraints, vary)).unwrap_or_else(|problems| panic!("{problems}"))
}

/// The rule by hand: along each axis mu couples a row of either joint by the first body's 1/m, and
/// the first joint's arm of 0.5 m across e1 adds l²/J.
fn by_hand(accuracy: f64, masses: [f64; 2]) -> f64 {
    let [first, second] = masses.map(f64::recip);
    let (mut least, mut largest) = (f64::INFINITY, 0.0f64);
    for turning in [0.0, 0.25 / 0.07, 0.25 / 0.09] {
        let (a, b, c) = (first + turning, first, first + second);
        let (middle, half) = ((a + c) / 2.0, ((a - c) / 2.0).hypot(b));
        least = least.min(middle - half);
        largest = largest.max(middle + half);
    }
    accuracy * least / largest
}

fn eps_of(ready: &Ready) -> Vec<f64> {
    let parameter = ready.plan.model.parameter_by_rule(&ready.plan.constants).expect("a rule");
    ready.batch(0, ready.size()).parameters[parameter].clone()
}

#[test]
fn eps_is_the_rule_by_hand_and_belongs_to_each_instance() {
    let alike = plan(&study("eps_accuracy = 1e-4", "")).expect("a mechanism");
    let parameter = alike.model.parameter_by_rule(&alike.constants).expect("a rule");
    let expected = by_hand(1e-4, [2.0, 7.0]);
    assert!((alike.constants[parameter] / expected - 1.0).abs() < 1e-12, "{expected:e}");
    let vary = "\"lower.mass\" = { uniform = { low = 1, high = 9 } }";
    for treatment in ["staggered", "staggered_as_printed", "staggered_once_integrated"] {
        let constraints = format!("treatment = \"{treatment}\", eps_accuracy = 1e-4");
        let ready = Ready::new(study(&constraints, vary));
        let found = eps_of(&ready);
        for (i, eps) in found.iter().enumerate() {
            let mut row = vec![f64::NAN; ready.sampler.width()];
            ready.sampler.draw(i as u64, &mut row);
            let expected = by_hand(1e-4, [2.0, row[0]]);
            assert!((eps / expected - 1.0).abs() < 1e-12, "{treatment} {i}: {eps:e} {expected:e}");
        }
        assert!(found.iter().any(|eps| (eps / found[0] - 1.0).abs() > 0.1), "{found:?}");
    }
}

#[test]
fn engine_and_reference_hold_joints_by_the_same_eps() {
    let vary = "\"lower.mass\" = { uniform = { low = 1, high = 9 } }";
    for (constraints, vary) in [
        ("eps_accuracy = 1e-3, gamma = 5, beta = 20", vary),
        ("treatment = \"staggered_as_printed\", corrected = true, gamma = 5, eps_accuracy = 0.5", vary),
        ("treatment = \"staggered_once_integrated\", eps_accuracy = 1e-4", vary),
        ("gamma = 5, beta = 20", "\"constraints.eps_accuracy\" = { uniform = { low = 1e-4, high = 1e-2 } }"),
    ] {
        let ready = Ready::new(study(constraints, vary));
        let outcome = ready.on_cpu(Precision::F64, 1);
        let references: Vec<_> = (0..ready.size()).map(|i| reference(&ready, i)).collect();
        let difference = worst(&ready, &outcome, &references);
        assert!(difference < REFERENCE_PER_STEP * STEPS as f64, "{constraints}: {difference:e}");
    }
}

#[test]
fn a_resolved_study_keeps_the_rule() {
    let study = study("eps_accuracy = 1e-4", "");
    let text = resolved_toml(&study);
    assert!(text.contains("\neps_accuracy = 0.0001\n") && !text.contains("# eps ="), "{text}");
    assert!(text.contains("# eps_relative = 0.0, by default"), "{text}");
    assert_eq!(read(&text).map(|read| read.constraints), Ok(study.constraints));
}

#[test]
fn wrong_rules_get_messages() {
    let refused = |constraints: &str, vary: &str| read(&text(constraints, vary)).expect_err(constraints);
    let both = refused("eps = 1e-6, eps_accuracy = 1e-4", "");
    assert!(both.contains("constraints.eps: eps is given, and follows from `eps_accuracy`"), "{both}");
    let drawn = "\"constraints.eps_accuracy\" = { list = [1e-4, 1e-3] }";
    let given = refused("eps = 1e-6", drawn);
    assert!(given.contains("constraints.eps is given, and follows from constraints.eps_accuracy"), "{given}");
    let varied = refused("eps_accuracy = 1e-4", "\"constraints.eps\" = { list = [1e-4, 1e-3] }");
    assert!(varied.contains("constraints.eps"), "{varied}");
    let above = refused("eps_accuracy = 2", "");
    assert!(above.contains("eps_accuracy") && above.contains('1'), "{above}");
    let other = refused("treatment = \"exact\", eps_accuracy = 1e-4", "");
    assert!(other.contains("eps_accuracy"), "{other}");
    // Three hinges across a plane say more than three ball joints, and mu is singular.
    let twice = "[[mechanism.joint]]\nname = \"again\"\nkind = \"spherical\"\n\
                 bodies = [\"ground\", \"upper\"]\npoints = [[0, 0, 0], [-0.5, 0, 0]]\n";
    let singular = read(&(text("eps_accuracy = 1e-4", "") + twice)).expect("a study");
    let message = Model::explain(&singular.mechanism, plan(&singular).expect_err("mu is singular"));
    assert!(
        message.contains("mu is singular at the start") && message.contains("give constraints.eps"),
        "{message}"
    );
    let small = study("treatment = \"staggered_as_printed\", eps_accuracy = 1e-13", "");
    let message = Model::explain(&small.mechanism, plan(&small).expect_err("below what is allowed"));
    assert!(
        message.contains("where 1e-12 to 1e0 are allowed") && message.contains("condition number"),
        "{message}"
    );
}
