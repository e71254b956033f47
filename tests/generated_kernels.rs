//! The kernels of the shipped studies, kept as text under `shaders/generated/`: what the generator prints today, valid
//! without a GPU, and as short as it should be. `POLHODE_BLESS=1` rewrites them.

mod common;

use std::path::{Path, PathBuf};

use polhode::backend::Plan;
use polhode::backend::gpu::kernel::Kernel;
use polhode::backend::gpu::rigid_body;
use polhode::describe::{Kind, Precision, read_study};
use polhode::methods::{AnyMethod, State};
use polhode::model::{WIDTH, all_channels, motions};
use polhode::real::traced::{Expression, Operations, Traced, constant, leaf, record};
use polhode::study::plan::{nominal, plan};
use wgpu::naga;

/// Longer kernels are not kept: nobody reads them.
const READABLE: usize = 2000;

const PRECISIONS: [(Precision, &str); 2] = [(Precision::F32, "f32"), (Precision::F64, "f64")];

/// Name and plan of every shipped study of one method whose step can be recorded.
fn shipped() -> Vec<(String, Plan)> {
    let studies = Path::new(env!("CARGO_MANIFEST_DIR")).join("studies");
    let mut found: Vec<PathBuf> = std::fs::read_dir(studies)
        .expect("studies/")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    found.sort();
    found
        .into_iter()
        .filter_map(|path| {
            let study = read_study(&path).unwrap_or_else(|problems| panic!("{}: {problems}", path.display()));
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            // Those that measure speed have several methods, or the kernels of the others.
            let measures = matches!(study.kind, Kind::Throughput(_) | Kind::Convergence(_));
            let plan = (!measures).then(|| plan(&study).expect("a body"))?;
            (!plan.method.is_adaptive()).then_some((name, plan))
        })
        .collect()
}

fn free_body() -> Plan {
    let mechanism = common::free_body([5.0, 10.0, 1.0], [1.0, 0.0, 0.0, 0.0], [0.1, 2.0, 0.1]);
    let mut plan = nominal(&mechanism, AnyMethod::default(), 1e-3, 100).expect("a body");
    plan.schedule.resynchronise = 100;
    plan
}

/// What naga says against this text, `None` if nothing.
fn refusal(text: &str) -> Option<String> {
    let module = match naga::front::wgsl::parse_str(text) {
        Ok(module) => module,
        Err(error) => return Some(error.emit_to_string(text)),
    };
    let capabilities = naga::valid::Capabilities::FLOAT64;
    let mut validator = naga::valid::Validator::new(naga::valid::ValidationFlags::all(), capabilities);
    validator.validate(&module).err().map(|error| error.emit_to_string(text))
}

#[test]
fn kept_kernels_are_what_the_generator_prints() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders/generated");
    let bless = std::env::var_os("POLHODE_BLESS").is_some();
    let mut expected = Vec::new();
    for (name, plan) in shipped() {
        for (precision, suffix) in PRECISIONS {
            let file = format!("{name}.{suffix}.wgsl");
            let path = folder.join(&file);
            let text = Kernel::new(&plan, precision).text;
            if text.lines().count() > READABLE {
                continue;
            }
            if bless {
                std::fs::write(&path, &text).expect("writable");
            }
            let kept = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(kept == text, "{file} is not what the generator prints; POLHODE_BLESS=1 rewrites it");
            expected.push(file);
        }
    }
    for entry in std::fs::read_dir(&folder).expect("shaders/generated/") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        assert!(expected.contains(&name), "{name} belongs to no shipped study");
    }
}

#[test]
fn every_kernel_is_valid_in_both_precisions() {
    let free = free_body();
    for (precision, suffix) in PRECISIONS {
        for (name, plan) in shipped() {
            assert_eq!(refusal(&Kernel::new(&plan, precision).text), None, "{name}.{suffix}");
        }
        let by_hand = rigid_body::kernel(&free, precision).expect("a free body");
        assert_eq!(refusal(&by_hand.text), None, "rigid_body.{suffix}");
    }
}

#[test]
fn the_validation_sees_a_fault() {
    let text = Kernel::new(&free_body(), Precision::F32).text;
    let broken =
        text.replacen("fn is_finite_state(s: State) -> bool", "fn is_finite_state(s: State) -> u32", 1);
    assert_ne!(text, broken);
    assert!(refusal(&broken).is_some());
}

#[test]
fn a_free_body_takes_73_operations_a_step() {
    for (precision, _) in PRECISIONS {
        let kernel = Kernel::new(&free_body(), precision);
        assert_eq!(kernel.step.total(), 73);
        assert_eq!(kernel.dropped, ["half_q0", "half_q1", "half_q2", "half_q3"]);
    }
}

/// Both chains, as if something read the attitude at half steps.
#[test]
fn a_free_body_with_both_chains_takes_128() {
    let plan = free_body();
    let (graph, after) = record(Precision::F32, || {
        let parameter = |p: usize| constant(plan.constants[p]);
        let never = |_: usize, _: usize| constant(0.0);
        let samples = &plan.schedule.samples;
        let system = plan.model.system(samples, &parameter, &[], &never);
        // The mass centre rests.
        let state = |c: usize| if c % WIDTH < 7 { leaf(c as u32) } else { constant(0.0) };
        let values: Vec<Traced> = (0..2 * WIDTH).map(state).collect();
        let (whole, half) = values.split_at(WIDTH);
        let before = State { motions: motions(&[0], whole), carried: half.to_vec() };
        let after = AnyMethod::default().step(&system, &before);
        [&all_channels(&after.motions)[..], &after.carried].concat()
    });
    let reached = graph.reachable(&after);
    let mut operations = Operations::default();
    for (node, expression) in graph.nodes() {
        if reached[node.index()] && !matches!(expression, Expression::Constant(_)) {
            operations.count(expression);
        }
    }
    assert_eq!(operations.total(), 128);
}
