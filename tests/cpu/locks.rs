//! Locks that let go: by what they bear, whatever the step and the restarts of the half chain.

use crate::common::engine::Ready;
use crate::common::tolerances::LOCK_LOAD;
use polhode::base::Precision;
use polhode::describe::Study;
use polhode::observe::channels;
use polhode::reference::Instance;
use polhode::reference::methods::{self, Schedule};
use polhode::study_file::read_study;

/// Steps (s) and restarts, of which most broke a lock that bears less than half its strength.
const STEPS: [f64; 8] = [1e-3, 0.8e-3, 0.5e-3, 0.4e-3, 0.25e-3, 0.2e-3, 0.1e-3, 0.05e-3];
const RESTARTS: [u64; 3] = [20, 200, 0];
/// Torque of the push that the lock bears (N m).
const PUSH: f64 = 0.195;

/// An arm that swings at 2 rad/s into a latch of this strength (N m), pushed on by [`PUSH`]. It is
/// caught at 0.142 s.
fn study(release: f64, h: f64, resynchronise: u64, seconds: f64) -> Study {
    let text = format!(
        "method = {{ name = \"staggered\", step = {h:?}, duration = {seconds:?}, \
         resynchronise = {resynchronise} }}\n\
         constraints = {{ treatment = \"staggered\" }}\nensemble.size = 1\n[run]\nfused = false\n\
         [observe]\nevery = \"{seconds:?} s\"\n[mechanism]\ngravity = 0\n\
         [[mechanism.body]]\nname = \"arm\"\nmass = 1\ninertia = [0.001, 0.02, 0.02]\n\
         [[mechanism.joint]]\nname = \"hinge\"\nkind = \"revolute\"\nbodies = [\"ground\", \"arm\"]\n\
         points = [[0, 0, 0], [-0.1, 0, 0]]\naxes = [0, 0, 1]\nangle = \"-20 deg\"\nangular_velocity = 2\n\
         [[mechanism.lock]]\nname = \"latch\"\njoint = \"hinge\"\nat = 0\nrelease = {release:?}\n\
         [[mechanism.load]]\nname = \"push\"\nbody = \"arm\"\nkind = \"torque\"\naxes = \"body\"\n\
         value = [0, 0, {PUSH:?}]\n"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("study.toml");
    std::fs::write(&path, &text).expect("written");
    read_study(&path).unwrap_or_else(|problems| panic!("{problems}\n{text}"))
}

/// When the engine's latch caught and let go (s), and what it does to the arm in the end (N m).
fn found(study: &Study) -> [f64; 3] {
    let ready = Ready::new(study.clone());
    let outcome = ready.on_cpu(Precision::F64, 1);
    [channels::CAUGHT, channels::RELEASED, channels::LOCK_TORQUE]
        .map(|channel| ready.observe(&outcome, &[channel])[0][0])
}

/// When the reference's latch caught and let go (s), and what it does to the arm in the end (N m).
fn expected(study: &Study) -> [f64; 3] {
    let schedule = Schedule {
        h: study.method.step,
        steps: study.method.steps,
        resynchronise: study.method.resynchronise,
        every: study.method.steps,
    };
    let (method, mechanism) = (&study.method, &study.mechanism);
    let instance = Instance::nominal(mechanism);
    let run = methods::run(method.name, &method.options, &study.constraints, mechanism, &instance, schedule)
        .expect("the reference takes it");
    let or_never = |time: Option<f64>| time.unwrap_or(f64::NAN);
    let load = run.states.last().expect("a state").lock_loads[0];
    [or_never(run.locks[0].locked), or_never(run.locks[0].released), load]
}

#[test]
fn a_lock_holds_what_is_below_its_strength_whatever_the_step_and_the_restarts() {
    for h in STEPS {
        for restarts in RESTARTS {
            let [caught, released, torque] = found(&study(0.45, h, restarts, 0.4));
            let what = format!("{h} s, {restarts}: {caught} s, {released} s, {torque} N m");
            assert!((0.141..0.143).contains(&caught) && released.is_nan(), "{what}");
            assert!((torque + PUSH).abs() < LOCK_LOAD, "{what}");
        }
    }
}

#[test]
fn a_lock_lets_go_of_what_is_above_its_strength_and_bears_nothing_then() {
    for h in STEPS {
        for restarts in RESTARTS {
            let [caught, released, torque] = found(&study(0.19, h, restarts, 0.2));
            let what = format!("{h} s, {restarts}: {caught} s, {released} s, {torque} N m");
            // As soon as the impact is over.
            assert!((0.0..=5.0 * h).contains(&(released - caught)), "{what}");
            assert_eq!(torque, 0.0, "{what}");
        }
    }
}

#[test]
fn locks_of_the_reference_hold_and_let_go_alike() {
    for (release, h, restarts) in [(0.45, 0.5e-3, 20), (0.45, 0.25e-3, 200), (0.19, 0.4e-3, 20)] {
        let study = study(release, h, restarts, 0.2);
        for (found, expected) in found(&study).into_iter().zip(expected(&study)) {
            let same = (found - expected).abs() < LOCK_LOAD || found.is_nan() && expected.is_nan();
            assert!(same, "{release} N m, {h} s, {restarts}: {found} {expected}");
        }
    }
}
