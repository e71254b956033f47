//! Exact tangents: the derivative of what the recorded programs do, by every method, joint and
//! treatment; the same bits from kernels; and the exponents of Lyapunov that follow from them.

use crate::common::arms::{KINDS, SPIN, TREATMENTS, mechanism_of, study_of};
use crate::common::cases;
use crate::common::engine::Ready;
use crate::common::flexible::{
    CONTACTS, attached_rod, everything, everything_attached, free_vibration, mounted, pendulum, triangle,
};
use crate::common::laws::{with_samples, with_wheels};
use crate::common::methods::{Variant, variants};
use crate::common::study::{Varied, study};
use crate::common::sweep::third;
use crate::common::tolerances::{TANGENT, TANGENT_REACH, TANGENT_REACH_OF_MODES};
use crate::common::words::{SAMPLED, TABLES, WORDS};
use crate::mechanism_parts::driven;
use fearless_simd::Level;
use polhode::backend::gpu::adapter::AdapterChoice;
use polhode::backend::gpu::device::Device;
use polhode::backend::tangents::{Derivative, Tangents, coordinates_of};
use polhode::backend::{Backend, Batch, Plan, cpu, gpu};
use polhode::base::{Precision, Setting};
use polhode::describe::{Constraints, JointCoordinate, Mechanism, Quantity, Study};
use polhode::elements::joints::{CYLINDRICAL, REVOLUTE};
use polhode::methods::{Takes, cards};
use polhode::model::memory::Memory;

/// Some push of an instance along all coordinates.
fn push(instance: usize, coordinates: usize, directions: usize) -> Vec<f64> {
    let number = |k: usize| ((k * 37 + instance * 11 + 5) % 17) as f64 / 8.0 - 1.0;
    (0..coordinates * directions).map(number).collect()
}

/// The states of a batch after all steps, `[channel][instance]`.
fn stepped(backend: &mut dyn Backend, plan: &Plan, batch: &Batch) -> Vec<Vec<f64>> {
    backend.load(batch).expect("load");
    for pair in plan.schedule.snapshots().windows(2) {
        backend.advance(pair[0], pair[1]).expect("advance");
    }
    backend.fetch().expect("fetch");
    let mut states = vec![vec![f64::NAN; batch.count]; plan.moving.len()];
    backend.read(0, &mut states);
    states
}

fn on_cpu(plan: &Plan, batch: &Batch) -> Vec<Vec<f64>> {
    stepped(&mut *cpu::open(plan.clone(), Precision::F64, false, Level::new()), plan, batch)
}

/// Largest difference between the tangent of the recorded program and central differences, relative
/// to the larger of the difference and one.
fn off(study: Study) -> f64 {
    off_within(TANGENT_REACH, study)
}

/// The largest difference of [`off`], for central differences that reach so far.
fn off_within(reach: f64, study: Study) -> f64 {
    let mut ready = Ready::new(study);
    ready.plan = ready.plan.unfolded();
    let plain = ready.batch(0, ready.size());
    let coordinates = coordinates_of(&ready.plan.model);
    let tangent_plan =
        ready.plan.following(Tangents { directions: 1, by: Derivative::Exact, orthonormal: false });
    let mut batch = plain.clone();
    tangent_plan.start_directions(&mut batch, &|i| push(i, coordinates, 1));
    let own = ready.plan.moving.len();
    let exact = on_cpu(&tangent_plan, &batch);
    let model = &ready.plan.model;
    let memory = model.memory().iter().enumerate();
    let signals =
        memory.filter(|(_, item)| matches!(item, Memory::Held(_))).map(|(at, _)| model.width() + at);
    let mut plainly = cpu::open(ready.plan.clone(), Precision::F64, false, Level::new());
    // Motions first, then what sampled signals are held at.
    let followed_channels: Vec<usize> = (0..model.width()).chain(signals).collect();
    let mut moved = |s: f64| {
        let mut moved = plain.clone();
        for (channel, t) in followed_channels.iter().zip(&batch.states[own..]) {
            moved.states[*channel].iter_mut().zip(t).for_each(|(x, t)| *x += s * t);
        }
        stepped(&mut *plainly, &ready.plan, &moved)
    };
    let (ahead, behind) = (moved(reach), moved(-reach));
    let mut worst = 0.0f64;
    let unfelt = model.unfelt();
    for c in (0..model.width()).filter(|c| !unfelt.contains(c)) {
        for i in 0..ready.size() {
            let difference = (ahead[c][i] - behind[c][i]) / (2.0 * reach);
            let off = (exact[own + c][i] - difference).abs() / difference.abs().max(1.0);
            worst = if off <= worst { worst } else { off };
        }
    }
    worst
}

#[test]
fn recorded_tangents_are_derivatives_for_every_method() {
    for variant in variants() {
        for (case, mut study) in [("thrown", cases::thrown(8)), ("all varied", cases::all_varied(8))] {
            study.method.steps = 30;
            study.observe.every = 30;
            study.method.resynchronise = 10;
            let worst = off(variant.apply(study));
            println!("{}, {case}: {worst:.1e}", variant.label());
            assert!(worst < TANGENT, "{}, {case}: {worst:e}", variant.label());
        }
    }
}

/// A spring besides, so that forces have a slope too.
const STRUT: &str = "[[mechanism.spring]]\nname = \"strut\"\nbodies = [\"ground\", \"lower\"]\n\
                     points = [[1, 0, 1], [0, 0, 0]]\nstiffness = 20\ndamping = 0.5\nfree_length = 0.8\n\
                     actuator = 1\n";

/// Every kind of joint by the staggered method with some treatments each, so that all are there,
/// with projections and without; and by the classical method.
#[test]
fn recorded_tangents_are_derivatives_for_every_joint_and_treatment() {
    for (k, kind) in KINDS.into_iter().enumerate() {
        let mechanism = mechanism_of(kind) + STRUT;
        for t in [0, 1, 1 + k % 6, 2 + k % 5] {
            let treatment = TREATMENTS[t];
            let project = if (k + t) % 2 == 0 { ", project = 10" } else { "" };
            let mut study = study_of(&format!("{treatment}{project}"), SPIN, &mechanism, 1e-3, 30);
            study.method.resynchronise = 10;
            study.ensemble.size = 4;
            let worst = off(study.clone());
            println!("{kind}, {treatment}{project}: {worst:.1e}");
            assert!(worst < TANGENT, "{kind}, {treatment}{project}: {worst:e}");
            if t == 1 {
                let worst = off(Variant::new("rk4").apply(study));
                println!("{kind}, {treatment}{project}, rk4: {worst:.1e}");
                assert!(worst < TANGENT, "{kind}, {treatment}{project}, rk4: {worst:e}");
            }
        }
    }
}

/// Through every function that expressions know, tables, and states that are sampled.
#[test]
fn recorded_tangents_are_derivatives_of_every_function() {
    let mechanism = mechanism_of(KINDS[2]) + WORDS + TABLES + SAMPLED;
    for method in ["staggered", "rk4"] {
        let mut study = Variant::new(method).apply(study_of("", SPIN, &mechanism, 1e-3, 30));
        study.constraints = Constraints { treatment: "exact", ..Constraints::default() };
        study.ensemble.size = 4;
        let worst = off(study);
        println!("{method}: {worst:.1e}");
        assert!(worst < TANGENT, "{method}: {worst:e}");
    }
}

/// Through wheels whose laws feel speeds and momenta, with limits.
#[test]
fn recorded_tangents_are_derivatives_of_wheels() {
    for method in ["staggered", "rk4"] {
        let mechanism = with_wheels(driven(Some(&REVOLUTE), &CYLINDRICAL, 2.7));
        let mut study = Variant::new(method).apply(study(mechanism, 3, 2e-3, 14));
        study.constraints = Constraints { treatment: "exact", ..Constraints::default() };
        let worst = off(study);
        println!("{method}: {worst:.1e}");
        assert!(worst < TANGENT, "{method}: {worst:e}");
    }
}

/// Through signals that are sampled: what is held has a slope of its own, from the instant at
/// which it was taken.
#[test]
fn recorded_tangents_are_derivatives_through_sampled_signals() {
    for (method, steps) in [("staggered", 14), ("rk4", 14), ("simo_wong", 7)] {
        let angle = |joint| JointCoordinate::angle(joint);
        let mechanism = with_samples(driven(Some(&REVOLUTE), &CYLINDRICAL, 2.7), &[angle(0), angle(1)], 2e-3);
        let mut study = Variant::new(method).apply(study(mechanism, 3, 2e-3, steps));
        study.constraints = Constraints { treatment: "exact", ..Constraints::default() };
        let worst = off(study);
        println!("{method}: {worst:.1e}");
        assert!(worst < TANGENT, "{method}: {worst:e}");
    }
}

/// Instances of a mechanism of flexible bodies that differ in stiffness and damping.
fn flexible_study(mechanism: &Mechanism, method: &'static str, treatment: &'static str, steps: u64) -> Study {
    let fastest = mechanism.bodies.iter().filter_map(|body| body.flexible.as_ref());
    let fastest = fastest.flat_map(|f| f.modal.frequencies()).fold(0.0, f64::max);
    let mut study = Variant::new(method).apply(study(mechanism.clone(), 3, 0.3 / fastest, steps));
    study.constraints = Constraints { treatment, ..Constraints::default() };
    for (position, number) in mechanism.numbers().iter().enumerate() {
        if number.part.ends_with("_scale") {
            study = study.uniform(Quantity::Number(position), [0.8], [1.2]);
        }
    }
    study
}

const ON_A_HINGE: &str = "[[joint]]\nname = \"hinge\"\nkind = \"revolute\"\nbodies = [\"ground\", \"rod\"]\n\
                          points = [[0, 0, 0], \"start\"]\naxes = [0, 0, 1]\n\
                          [[joint]]\nname = \"ball\"\nkind = \"spherical\"\nbodies = [\"rod\", \"frame\"]\n\
                          points = [\"end\", \"a\"]\n";

/// Along modal coordinates and their rates as along all else, and of these too: flexible bodies
/// that float, that joints, bushings and beam elements hold, in both frames, by the staggered
/// method and a covering set of the others that take them.
#[test]
fn recorded_tangents_are_derivatives_for_flexible_bodies() {
    let takes_any = |takes: Takes| matches!(takes, Takes::AnyMechanism | Takes::AnyMechanismAndTreatment);
    let methods: Vec<&str> =
        cards().iter().filter(|card| takes_any(card.takes)).map(|card| card.name).collect();
    assert!(["staggered", "rk4", "dop853", "tsit5"].iter().all(|name| methods.contains(name)), "{methods:?}");
    let (staggered, others): (Vec<&str>, Vec<&str>) =
        methods.into_iter().partition(|name| *name == "staggered");
    for (number, (case, mechanism)) in [
        ("figure 7.1", free_vibration()),
        ("triangle", triangle()),
        ("pendulum", pendulum()),
        ("attached", attached_rod()),
        ("hinge", everything(ON_A_HINGE)),
        ("contacts", everything(CONTACTS)),
        ("free bodies, attached", everything_attached("")),
        ("mounts", mounted(false, true)),
        ("mounts, attached", mounted(true, true)),
    ]
    .into_iter()
    .enumerate()
    {
        for method in staggered.iter().chain(third(number, &others)).copied() {
            for treatment in ["exact", "staggered"] {
                let carries = treatment == "staggered";
                if carries && !(["staggered", "midpoint"].contains(&method) && mechanism.is_held()) {
                    continue;
                }
                let mut study = flexible_study(&mechanism, method, treatment, 30);
                study.constraints.project = if method == "rk4" && mechanism.is_held() { 10 } else { 0 };
                // Derivatives converge after what they are derivatives of.
                if method == "trapezoidal" {
                    let tightly =
                        study.method.options.clone().with("iteration_tolerance", Setting::Number(1e-15));
                    study.method.options = tightly.with("max_iterations", Setting::Count(40));
                }
                let worst = off_within(TANGENT_REACH_OF_MODES, study);
                println!("{case}, {method}, {treatment}: {worst:.1e}");
                assert!(worst < TANGENT, "{case}, {method}, {treatment}: {worst:e}");
            }
        }
    }
}

/// Asserts that an ensemble with so many directions ends alike on the CPU and by the kernel, bit
/// for bit.
fn assert_same_bits(what: &str, study: Study, tangents: Tangents, precision: Precision) {
    let ready = Ready::new(study);
    let tangent_plan = ready.plan.following(tangents);
    let coordinates = coordinates_of(&ready.plan.model);
    let mut batch = ready.batch(0, ready.size());
    tangent_plan.start_directions(&mut batch, &|i| push(i, coordinates, tangents.directions));
    let cpu =
        stepped(&mut *cpu::open(tangent_plan.clone(), precision, false, Level::new()), &tangent_plan, &batch);
    let device = Device::open(&AdapterChoice::Any, precision).expect("an adapter: install a software Vulkan");
    let mut kernel = gpu::open(tangent_plan.clone(), device, precision).expect("the kernel compiles");
    let kernel = stepped(&mut *kernel, &tangent_plan, &batch);
    let differs = |i: &usize| cpu.iter().zip(&kernel).any(|(a, b)| a[*i] != b[*i]);
    let different = (0..batch.count).filter(differs).count();
    let finite = cpu.iter().flatten().all(|x| x.is_finite());
    println!("{what}, {precision:?}: {different} of {} differ", batch.count);
    assert!(finite, "{what}, {precision:?}");
    assert_eq!(different, 0, "{what}, {precision:?}");
}

/// Every method, in both precisions by turns; the staggered one in both.
#[test]
fn tangent_kernels_equal_the_cpu_for_every_method() {
    for (k, variant) in variants().into_iter().enumerate() {
        let precisions = [Precision::F32, Precision::F64];
        let precisions = if k == 0 { &precisions[..] } else { &precisions[k % 2..][..1] };
        for &precision in precisions {
            let mut study = cases::all_varied(64);
            study.method.steps = 60;
            study.observe.every = 60;
            study.method.resynchronise = 20;
            assert_same_bits(&variant.label(), variant.apply(study), Tangents::exact(2), precision);
        }
    }
}

/// (Of neighbours no bits are asked: the difference of two motions is what drivers rearrange.)
#[test]
fn tangent_kernels_equal_the_cpu_for_every_joint() {
    for (k, kind) in KINDS.into_iter().enumerate() {
        let treatment = TREATMENTS[k % TREATMENTS.len()];
        let mut study = study_of(treatment, SPIN, &mechanism_of(kind), 1e-3, 60);
        study.method.resynchronise = 20;
        let precision = if k % 2 == 0 { Precision::F32 } else { Precision::F64 };
        assert_same_bits(&format!("{kind}, {treatment}"), study, Tangents::exact(1), precision);
    }
}

#[test]
fn tangent_kernels_equal_the_cpu_for_flexible_bodies() {
    for (case, mechanism, directions, precision) in [
        ("figure 7.1", free_vibration(), 2, Precision::F32),
        ("triangle", triangle(), 1, Precision::F64),
        ("attached", attached_rod(), 1, Precision::F32),
        ("attached", attached_rod(), 2, Precision::F64),
    ] {
        let mut study = flexible_study(&mechanism, "staggered", "staggered", 60);
        study.method.resynchronise = 20;
        study.ensemble.size = 48;
        assert_same_bits(case, study, Tangents::exact(directions), precision);
    }
}
