//! A long program that is cut into kernels computes the bits of the CPU: every instance, verdict
//! and step, with all that happens between the steps. Here programs of all lengths are cut, into
//! pieces much shorter than usual.

use crate::backends::decaying;
use crate::common::arms::{KINDS, SPIN, mechanism_of, study_of};
use crate::common::cases;
use crate::common::engine::{Outcome, Ready, SHORT_SEGMENT, assert_same};
use crate::common::free_body;
use crate::common::study::{Varied, study};
use crate::common::sweep::{alternate, is_full};
use crate::folding::read;
use crate::mechanism_parts::{cases as parts, ensemble, projecting, ways};
use crate::own_steps::{arms, latch, struck, swinging};
use fearless_simd::Level;
use polhode::backend::gpu::adapter::AdapterChoice;
use polhode::backend::gpu::device::Device;
use polhode::backend::gpu::kernel::Kernel;
use polhode::backend::gpu::printed::Printed;
use polhode::backend::gpu::segments::Segments;
use polhode::backend::gpu::{Phrasing, Rest};
use polhode::backend::program::Program;
use polhode::backend::tangents::{Tangents, coordinates_of};
use polhode::backend::{Backend, Batch, cpu, gpu};
use polhode::base::Precision;
use polhode::describe::{Quantity, Study};
use polhode::methods::AnyMethod;
use polhode::model::{AT_REST, WIDTH};
use polhode::observe::Verdict;
use polhode::study::plan::nominal;

#[path = "../../benches/chains/mod.rs"]
mod rods;

const PRECISIONS: [Precision; 2] = [Precision::F32, Precision::F64];

/// Every snapshot of all instances is that of the CPU, unfused.
fn assert_cut(what: &str, study: Study) -> [Outcome; 2] {
    let ready = Ready::new(study);
    PRECISIONS.map(|precision| assert_cut_in(precision, what, &ready))
}

fn assert_cut_in(precision: Precision, what: &str, ready: &Ready) -> Outcome {
    let what = format!("{what}, {precision:?}");
    let (mut cpu, mut cut) = ready.cpu_and_cut(precision);
    let mut expected = Vec::new();
    ready.watch(&mut *cpu, 0, ready.size(), |outcome| expected.push(outcome.clone()));
    assert!(cut.describe().ends_with(" kernels: as the test wants"));
    let mut snapshots = expected.iter();
    ready.watch(&mut *cut, 0, ready.size(), |outcome| {
        assert_same(&what, outcome, snapshots.next().expect("as many snapshots"));
    });
    expected.pop().expect("a snapshot")
}

/// Sizes leave the last workgroup part empty.
#[test]
fn segments_equal_the_cpu_for_free_bodies() {
    let n = 150;
    for (name, study) in [
        ("free", cases::free(n)),
        ("varied inertia and mass", cases::varied_inertia_and_mass(n)),
        ("top", cases::top(n)),
        ("thrown", cases::thrown(n)),
        ("jumps", cases::jumps(n)),
        ("full inertia", cases::full_inertia(n)),
        ("all varied", cases::all_varied(n)),
    ] {
        for outcome in assert_cut(name, study) {
            assert!(outcome.states.iter().flatten().all(|x| x.is_finite()), "{name}");
        }
    }
}

#[test]
fn segments_find_bounds_at_their_step() {
    for check in [1, 7, 100] {
        let mut study = cases::bounded(300);
        study.method.steps = 300;
        study.observe.every = 130;
        study.verdict.every = check;
        let [single, _] = assert_cut(&format!("check every {check}"), study);
        for verdict in [Verdict::EnergyBound, Verdict::NormBound] {
            assert!(single.count(verdict) > 3, "{verdict:?}: {}", single.count(verdict));
        }
        assert!(single.ends.iter().any(|end| end.step % 7 != 0 && end.step % 130 != 0));
    }
}

/// Loads jump on and off the grid, and instances fail between the jumps, by the bound and by
/// blowing up.
#[test]
fn segments_check_where_loads_jump() {
    let mut study = cases::jumps(150);
    study.verdict.energy = Some(0.3);
    let [single, double] = assert_cut("jumps", study);
    for outcome in [single, double] {
        assert!((25..125).contains(&outcome.count(Verdict::EnergyBound)));
    }
    // Who starts without energy has nothing to compare with: a bound of zero bounds nothing.
    let mut study = cases::jumps(2);
    study.ensemble.vary.clear();
    study.verdict.energy = Some(0.3);
    let study = study.rows(Quantity::AngularVelocity, &[[0.0; 3], [0.1, 0.0, 0.0]]);
    for outcome in assert_cut("from rest", study) {
        assert_eq!(outcome.ends[0].verdict, Verdict::Finished);
        assert!(outcome.states[4][0].abs() > 0.1, "it has got energy");
        assert_eq!(outcome.ends[1].verdict, Verdict::EnergyBound);
    }
    let mut study = cases::jumps(100);
    study.ensemble.vary.clear();
    study.method.steps = 250;
    study.observe.every = 90;
    let study = study.uniform(Quantity::AngularVelocity, [0.0; 3], [120.0; 3]);
    for outcome in assert_cut("too fast", study) {
        let lost = outcome.count(Verdict::NonFinite);
        assert!((10..100).contains(&lost), "{lost}");
    }
}

/// Parts that have rows of their own in a program, or that do something between the steps. Whole
/// kernels are compared for every part, and have the same programs; it is the cutting that is
/// tried.
const CUT: [&str; 9] = [
    "rolling ball",
    "springs and stops at hinges",
    "generator of a displacement by a table",
    "generators of points",
    "knife edge and drag",
    "laws that are sampled, of bodies that nothing joins",
    "wheels of bodies that nothing joins",
    "a clamped beam",
    "locks, one of which lets go",
];

/// Joints by every treatment's own way, restarts of what the staggered method carries, locks,
/// contacts, stops, generators.
#[test]
fn segments_equal_the_cpu_for_every_part() {
    let mut parts = parts();
    parts.retain(|(name, _)| is_full() || CUT.contains(name));
    assert!(parts.len() >= CUT.len());
    for (case, (name, mechanism)) in parts.into_iter().enumerate() {
        let [projected, ..] = projecting();
        let every = || ways().into_iter().chain([projected.clone()]);
        let some: Vec<_> =
            if is_full() { every().collect() } else { every().skip(case % 8).take(1).collect() };
        for (method, constraints) in some {
            let ready = Ready::new(ensemble(mechanism.clone(), method, &constraints));
            for precision in alternate(case, &PRECISIONS) {
                assert_cut_in(precision, &format!("{name}, {method}, {}", constraints.treatment), &ready);
            }
        }
    }
}

#[test]
fn segments_equal_the_cpu_for_joints() {
    let step = if is_full() { 1 } else { 3 };
    for (turn, kind) in KINDS.into_iter().step_by(step).enumerate() {
        let mut study = study_of("", SPIN, &mechanism_of(kind), 1e-3, 60);
        study.ensemble.size = 70;
        study.observe.every = 50;
        let ready = Ready::new(study);
        for precision in alternate(turn, &PRECISIONS) {
            assert_cut_in(precision, kind, &ready);
        }
    }
}

#[test]
fn segments_have_zeros_where_the_cpu_has_them_after_a_decay() {
    for (name, mut study) in decaying(2000) {
        study.ensemble.size = 20;
        let [single, _] = assert_cut(name, study);
        assert!(name == "door" || single.states[4].iter().all(|x| *x == 0.0), "{name}");
    }
}

/// About its middle axis a body does not spin for long, unless what disturbs it counts as zero.
#[test]
fn segments_take_tiny_numbers_for_zero_before_they_grow() {
    let body = free_body([1.0, 2.0, 3.0], [1.0, 0.0, 0.0, 0.0], [0.0, 10.0, 0.0]);
    let disturbed = |size: f64| [size, 10.0, 0.0];
    let rows = [disturbed(1e-25), disturbed(1e-30), disturbed(1e-80)];
    let study = study(body, 3, 0.01, 1000).rows(Quantity::AngularVelocity, &rows);
    let [single, double] = assert_cut("middle axis", study);
    // In f32 a disturbance below 1.3e-29 is none, in f64 one below 1.7e-77.
    for (outcome, expected) in [(single, [true, false, false]), (double, [true, true, false])] {
        assert_eq!([0, 1, 2].map(|i| outcome.states[4][i] != 0.0), expected);
    }
}

#[test]
fn segments_choose_the_same_steps() {
    for (name, study) in [
        ("swinging", swinging("tsit5", 1e-4, 0.25, 70)),
        ("struck", struck("tsit5", 1e-4, 0.25, 70)),
        ("arms", arms("dop853", 1e-4, 20)),
    ] {
        assert_cut(name, study);
    }
    // At the end alone: on the way, the row that says that a lock caught is the CPU's of the last
    // attempt of the whole group.
    let ready = Ready::new(latch("tsit5", 1e-4, 0.15, 70));
    for precision in PRECISIONS {
        let outcome = ready.run(&mut *ready.cut_on_gpu(precision), 0, ready.size());
        assert_same("latch", &outcome, &ready.on_cpu(precision, 1));
    }
    let study = read(
        "method = { name = \"tsit5\", tolerance = 1e-4, step = 0.1, duration = 0.3 }\nensemble.size = 70\n\
         [run]\nfused = false\n\
         [observe]\nevery = \"0.1 s\"\n[mechanism]\n[[mechanism.body]]\nname = \"body\"\nmass = 1\n\
         inertia = [1, 2, 2.5]\n",
    );
    let rate = |i: usize| if i % 3 == 1 { 1e20 } else { 1.0 + 0.1 * i as f64 };
    let rows: Vec<[f64; 3]> = (0..70).map(|i| [rate(i), 1.0, 1.0]).collect();
    let study = study.rows(Quantity::AngularVelocity, &rows);
    let [single, _] = assert_cut("no step is short enough", study);
    assert_eq!(single.count(Verdict::StepTooSmall), 23);
}

#[test]
fn segments_follow_tangents() {
    let ready = Ready::new(chain(1, 20, 6));
    let plan = ready.plan.unfolded().following(Tangents::exact(2));
    let mut batch = ready.batch(0, ready.size());
    let coordinates = coordinates_of(&plan.model);
    plan.start_directions(&mut batch, &|i| {
        (0..2 * coordinates).map(|k| ((k * 37 + i * 11 + 5) % 17) as f64 / 8.0 - 1.0).collect()
    });
    for precision in alternate(0, &PRECISIONS) {
        let states = |mut backend: Box<dyn Backend>| {
            backend.load(&batch).expect("load");
            backend.advance(0, plan.schedule.steps).expect("advance");
            backend.fetch().expect("fetch");
            let mut states = vec![vec![f64::NAN; batch.count]; plan.moving.len()];
            backend.read(0, &mut states);
            states
        };
        let device = Device::open(&AdapterChoice::Any, precision).expect("an adapter");
        let program = Program::new(&plan, precision);
        let segments = Segments::cut(&plan, precision, &program, device.phrasing(false), SHORT_SEGMENT);
        let printed = Printed::Cut(Box::new(segments), String::new());
        let cut = gpu::open_with(plan.clone(), device, precision, printed);
        let expected = states(cpu::open(plan.clone(), precision, false, Level::new()));
        assert!(expected.iter().flatten().all(|x| x.is_finite()));
        assert!(states(cut.expect("it fits")) == expected, "{precision:?}");
    }
}

/// Rods on hinges about y and z by turns, so that none of it stays in a plane.
fn chain(bodies: usize, size: u64, steps: u64) -> Study {
    let mut text = format!(
        "method = {{ name = \"rk4\", step = 1e-3, steps = {steps} }}\nensemble.size = {size}\n\
         [ensemble.vary]\n\"rod0.mass\" = {{ uniform = {{ low = 0.8, high = 1.2 }} }}\n[run]\nfused = false\n\
         [mechanism]\ngravity = [1, -3, -9.81]\n"
    );
    for k in 0..bodies {
        let before = k.checked_sub(1).map_or("ground".to_string(), |k| format!("rod{k}"));
        let (x, end) = (k as f64 + 0.5, if k == 0 { 0.0 } else { 0.5 });
        let axis = if k % 2 == 0 { "[0, 1, 0]" } else { "[0, 0, 1]" };
        text += &format!(
            "[[mechanism.body]]\nname = \"rod{k}\"\nmass = 1\ninertia = [0.01, 0.08, 0.09]\n\
             initial = {{ position = [{x:?}, 0, 0] }}\n\
             [[mechanism.joint]]\nname = \"hinge{k}\"\nkind = \"revolute\"\naxes = {axis}\n\
             bodies = [\"{before}\", \"rod{k}\"]\npoints = [[{end:?}, 0, 0], [-0.5, 0, 0]]\n"
        );
    }
    read(&text)
}

// Lavapipe seems to compile kernels again and again where all of them together are long: the chain
// is short.
#[test]
fn segments_run_a_chain_of_three_hinges() {
    let [single, double] = assert_cut("three hinges", chain(3, 3, 4));
    for outcome in [single, double] {
        assert_eq!(outcome.count(Verdict::Finished), 3);
        let different = |c: &Vec<f64>| c[0] != c[1] && c[1] != c[2];
        assert!(outcome.states.iter().filter(|c| different(c)).count() > 20);
    }
}

/// Kernels of a step, and numbers that it loads and stores: docs/performance.md. They are what a
/// GPU waits for, and may only fall.
#[test]
fn what_is_handed_from_kernel_to_kernel_is_counted() {
    for (bodies, kernels, most) in [(2, 1, 112), (4, 2, 330), (8, 3, 920), (24, 10, 5980)] {
        let plan = nominal(&rods::chain(bodies), AnyMethod::default(), 1e-4, 1000).expect("bodies");
        let program = Program::new(&plan, Precision::F64);
        let step = Segments::new(&plan, Precision::F64, &program, Phrasing::default()).parts.step;
        let (found, moved) = (step.kernels.len(), step.loads + step.stores);
        println!(
            "{bodies} bodies: {found} kernels, {} + {} numbers, {} again",
            step.loads, step.stores, step.again
        );
        assert_eq!(found, kernels, "{bodies} bodies");
        assert!(moved <= most, "{bodies} bodies: {moved} numbers");
        assert!(step.again <= step.statements / 2, "{bodies} bodies: {} statements again", step.again);
    }
}

/// Quotients and roots that are corrected, as of a device that does not round them to the nearest,
/// are the CPU's in whole kernels and in those of a program that is cut.
#[test]
fn corrected_kernels_have_the_bits_of_the_cpu() {
    for (name, study) in [("three hinges", chain(3, 3, 4)), ("bounded", cases::bounded(70))] {
        let ready = Ready::new(study);
        for precision in PRECISIONS {
            let expected = ready.on_cpu(precision, 1);
            let program = Program::new(&ready.plan, precision);
            for way in ["whole", "cut"] {
                let device = Device::open(&AdapterChoice::Any, precision).expect("an adapter");
                let phrasing = Phrasing { nearest: Some(Rest::Split), ..device.phrasing(false) };
                let printed = match way {
                    "whole" => Printed::whole(&ready.plan, precision, &program, phrasing),
                    _ => Printed::Cut(
                        Box::new(Segments::cut(&ready.plan, precision, &program, phrasing, SHORT_SEGMENT)),
                        String::new(),
                    ),
                };
                let text = match &printed {
                    Printed::Whole(kernel) => kernel.text.clone(),
                    Printed::Cut(cut, _) => cut.texts.concat(),
                };
                assert!(text.matches("nearest_quotient(").count() > 1, "{name}");
                let backend = gpu::open_with(ready.plan.clone(), device, precision, printed);
                let found = ready.run(&mut *backend.expect("it compiles"), 0, ready.size());
                assert_same(&format!("{name}, {way}, {precision:?}"), &found, &expected);
            }
        }
    }
}

/// A device that is destroyed under way: an error, no panic; and it can be opened again.
#[test]
fn segments_survive_a_destroyed_device() {
    let ready = Ready::new(cases::jumps(100));
    let precision = Precision::F32;
    let device = Device::open(&AdapterChoice::Any, precision).expect("an adapter");
    let handle = device.device.clone();
    let program = Program::new(&ready.plan, precision);
    let segments = Segments::cut(&ready.plan, precision, &program, device.phrasing(false), SHORT_SEGMENT);
    let printed = Printed::Cut(Box::new(segments), String::new());
    let cut = gpu::open_with(ready.plan.clone(), device, precision, printed);
    let mut cut = cut.expect("it fits");
    let expected = ready.run(&mut *cut, 0, ready.size());
    handle.destroy();
    let lost = cut.load(&ready.batch(0, 100)).and_then(|()| cut.advance(0, 100));
    assert!(lost.is_err());
    cut.reopen().expect("the adapter is still there");
    assert_same("reopened", &ready.run(&mut *cut, 0, ready.size()), &expected);
}

/// Processor time of this process so far (s).
fn processor_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux");
    let after_name: Vec<&str> = stat.rsplit(')').next().expect("fields").split_whitespace().collect();
    [11, 12].iter().map(|field| after_name[*field].parse::<f64>().expect("ticks") / 100.0).sum()
}

#[test]
#[ignore = "prints a table for docs/performance.md"]
fn what_long_chains_cost_the_driver() {
    println!(
        "bodies, text, kernels, lines, lines of the longest; processor time (s): naga, to the first step, \
         ten more"
    );
    for bodies in [2, 4, 8, 12, 24] {
        let plan = nominal(&rods::chain(bodies), AnyMethod::default(), 1e-4, 1000).expect("bodies");
        let program = Program::new(&plan, Precision::F64);
        for way in ["whole", "cut", "cut, selected"] {
            let device = Device::open(&AdapterChoice::Any, Precision::F64).expect("an adapter");
            let phrasing = Phrasing { selected: way == "cut, selected", ..Phrasing::default() };
            let printed = match way {
                "whole" if Kernel::expected_lines(&program) > 25_000 => continue,
                "whole" => Printed::whole(&plan, Precision::F64, &program, phrasing),
                _ => Printed::cut(&plan, Precision::F64, &program, phrasing, String::new()),
            };
            let longest = match &printed {
                Printed::Whole(kernel) => kernel.lines(),
                Printed::Cut(cut, _) => cut.texts.iter().map(|text| text.lines().count()).max().unwrap_or(0),
            };
            let (kernels, lines) = printed.size();
            let mut batch = Batch::new(&plan, 8);
            for (k, body) in batch.states.chunks_mut(WIDTH).take(bodies).enumerate() {
                body[0].fill(1.0);
                body[AT_REST].fill(k as f64 + 0.5);
            }
            let begun = processor_time();
            let mut backend = gpu::open_with(plan.clone(), device, Precision::F64, printed).expect("it fits");
            let opened = processor_time();
            backend.load(&batch).and_then(|()| backend.advance(0, 1)).expect("a step");
            let first = processor_time();
            backend.advance(1, 11).expect("ten steps");
            let ten = processor_time();
            println!(
                "{bodies}, {way}, {kernels}, {lines}, {longest}; {:.2}, {:.2}, {:.2}",
                opened - begun,
                first - opened,
                ten - first
            );
        }
    }
}
