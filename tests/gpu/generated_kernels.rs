//! The kernels of the shipped studies. `generated/` of the engine's shaders keeps six as text, and
//! of all others length and checksum: today's text of the generator, valid without a GPU, and as
//! short as it should be. `POLHODE_BLESS=1` rewrites them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use polhode::backend::Plan;
use polhode::backend::choose::LONGEST_WHOLE;
use polhode::backend::gpu::kernel::Kernel;
use polhode::backend::gpu::rigid_body;
use polhode::base::Precision;
use polhode::methods::{AnyMethod, State};
use polhode::model::{WIDTH, all_channels, motions};
use polhode::real::traced::{GraphNode, Operations, Traced, constant, leaf, record};
use polhode::study::plan::{nominal, plan};
use polhode::study_file::kinds::convergence::Convergence;
use polhode::study_file::read_study;
use twox_hash::XxHash3_64;
use wgpu::naga;

use crate::common::browser::Browser;
use crate::common::root;

/// Kernels that people read: a free body in both precisions, a spring, modes, a law that is
/// sampled, steps of each instance's own.
const READ: [&str; 6] = [
    "tumbling.f32",
    "tumbling.f64",
    "map_oscillator.f32",
    "vibration.f32",
    "map_cart_pole_sampled.f32",
    "stiffness_decades.f64",
];

const PRECISIONS: [(Precision, &str); 2] = [(Precision::F32, "f32"), (Precision::F64, "f64")];

/// All shipped studies.
fn studies() -> Vec<PathBuf> {
    let studies = root().join("studies");
    let mut found: Vec<PathBuf> = std::fs::read_dir(studies)
        .expect("studies/")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    found.sort();
    found
}

/// Name and plan of every shipped study of one method whose step can be recorded.
fn shipped() -> Vec<(String, Plan)> {
    studies()
        .into_iter()
        .filter_map(|path| {
            let study = read_study(&path).unwrap_or_else(|problems| panic!("{}: {problems}", path.display()));
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            // Work and precision have several methods; some studies advance nothing.
            let measures = study.kind.settings::<Convergence>().is_some();
            let plan = (!measures && study.kind.card().steps).then(|| plan(&study).expect("a body"))?;
            (!plan.method.is_adaptive()).then_some((name, plan))
        })
        .collect()
}

fn free_body() -> Plan {
    let mechanism = crate::common::free_body([5.0, 10.0, 1.0], [1.0, 0.0, 0.0, 0.0], [0.1, 2.0, 0.1]);
    let mut plan = nominal(&mechanism, AnyMethod::default(), 1e-3, 100).expect("a body");
    plan.schedule.resynchronise = 100;
    plan
}

/// Returns naga's objection to this text, `None` if it has none.
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
    let mut expected: BTreeMap<String, String> = BTreeMap::new();
    let mut list = String::new();
    for (name, plan) in shipped() {
        for (precision, suffix) in PRECISIONS {
            let (name, text) = (format!("{name}.{suffix}"), Kernel::new(&plan, precision).text);
            let hash = XxHash3_64::oneshot(text.as_bytes());
            writeln!(list, "{name} {} lines xxh3 {hash:016x}", text.lines().count()).unwrap();
            if READ.contains(&name.as_str()) {
                expected.insert(format!("{name}.wgsl"), text);
            }
        }
    }
    assert_eq!(expected.len(), READ.len(), "a kernel to read has no study");
    expected.insert("kernels.txt".into(), list);
    let folder = root().join("crates/engine/shaders/generated");
    for (file, text) in &expected {
        if std::env::var_os("POLHODE_BLESS").is_some() {
            std::fs::write(folder.join(file), text).expect("writable");
        }
        let kept = std::fs::read_to_string(folder.join(file)).unwrap_or_default();
        let other = text.lines().find(|line| !kept.lines().any(|old| old == *line));
        assert!(
            kept == *text,
            "{file} is other than the generator prints, from {other:?} on; POLHODE_BLESS=1 rewrites it"
        );
    }
    for entry in std::fs::read_dir(&folder).expect("crates/engine/shaders/generated/") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        assert!(expected.contains_key(&name), "{name} belongs to no shipped study");
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
        if reached[node.index()] && !matches!(expression, GraphNode::Constant(_)) {
            operations.count(expression);
        }
    }
    assert_eq!(operations.total(), 128);
}

/// Kernels longer than this (lines) are compiled by the browser, but not by the software device
/// behind it: SwiftShader needed minutes for six kernels of 2000 to 2850 lines, whose loops over
/// stages it puts into two places.
const LONGEST_PIPELINE: usize = 1700;

/// Script of a page that compiles its kernels, `[name, text, whether a pipeline is made of it]`: it
/// returns all that the browser says about each.
const COMPILE: &str = r#"
let device;
async function begin() {
    const adapter = await navigator.gpu?.requestAdapter();
    if (!adapter) return 'no adapter';
    device = await adapter.requestDevice();
    return adapter.info.vendor + ' ' + adapter.info.architecture;
}
async function compile(number) {
    const [name, code, whole] = kernels[number];
    const said = [];
    device.pushErrorScope('validation');
    const module = device.createShaderModule({ code });
    const { messages } = await module.getCompilationInfo();
    messages.forEach((m) => said.push(`${m.type}, line ${m.lineNum}: ${m.message}`));
    const refused = await device.popErrorScope();
    if (refused && messages.length === 0) said.push(refused.message);
    if (!refused && whole) {
        try {
            const compute = { module, entryPoint: 'advance' };
            await device.createComputePipelineAsync({ layout: 'auto', compute });
        } catch (error) {
            said.push(`pipeline: ${error.message}`);
        }
    }
    return said.join('\n');
}
"#;

/// A browser takes every kernel in single precision as it is: nothing but standard WGSL is in it,
/// and no feature or larger limit is asked for. WGSL has no double precision: those kernels need
/// `SHADER_F64`, which only native devices have.
#[test]
fn a_browser_compiles_every_kernel_in_single_precision() {
    // Chromium's software GPU ends its process over a kernel with steps of its own: a known limit
    // (docs/findings.md).
    let printed = shipped().into_iter().map(|(name, plan)| (name, Kernel::new(&plan, Precision::F32).text));
    // No GPU gets the longest ones, of which three are as long as all others.
    let is_given = |text: &str| text.lines().count() <= LONGEST_WHOLE && !text.contains("fn attempt(");
    let mut kernels: Vec<_> = printed.filter(|(_, text)| is_given(text)).collect();
    assert!(kernels.len() >= 40, "{} kernels", kernels.len());
    let by_hand = rigid_body::kernel(&free_body(), Precision::F32).expect("a free body");
    kernels.push(("rigid_body".to_string(), by_hand.text));
    let double = Kernel::new(&free_body(), Precision::F64).text;
    let mixed = Kernel::new(&free_body(), Precision::F32).text.replace(
        "(verdict == FINISHED || careful) && k > good",
        "verdict == FINISHED || careful && k > good",
    );
    kernels.push(("in double precision".to_string(), double));
    kernels.push(("with && beside ||".to_string(), mixed));

    let listed: Vec<(&str, &str, bool)> = kernels
        .iter()
        .map(|(name, code)| (&**name, &**code, code.lines().count() <= LONGEST_PIPELINE))
        .collect();
    let listed = serde_json::to_string(&listed).expect("JSON").replace("</", "<\\/");
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("kernels.html");
    let html = format!("<!doctype html><script>const kernels = {listed};\n{COMPILE}</script>");
    std::fs::write(&page, html).expect("written");
    // A software device of the browser's own, as a test may run where there is no other.
    let mut browser = Browser::start(&["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"]);
    browser.open(&page);
    let mut ask = |question: &str| browser.evaluate(question).as_str().expect("a text").to_string();
    let device = ask("begin()");
    println!("{device}");
    assert!(device.contains("swiftshader"), "{device}");
    let mut refused = Vec::new();
    for (number, (name, code)) in kernels.iter().enumerate() {
        let said = ask(&format!("compile({number})"));
        println!("{name}, {} lines: {}", code.lines().count(), if said.is_empty() { "taken" } else { &said });
        if !said.is_empty() {
            refused.push(name.as_str());
        }
    }
    assert_eq!(refused, ["in double precision", "with && beside ||"]);
}
