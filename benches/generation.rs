//! Measures what longer and longer mechanisms cost: their kernel, whole and cut into several, and
//! the CPU's step.
//!
//!     cargo bench --bench generation              all but the driver
//!     cargo bench --bench generation -- driver    and the times of the adapter that is there
//!
//! Chains of rods in ball joints, rows of four-bar linkages, the crane whose links are beams and a
//! study of exponents, by the staggered method (exponents by their study's), f64. Prints a table of
//! docs/performance.md. `generate`: recording and all texts; `naga`: parsing, validation and
//! SPIR-V, one thread; times are the best of three.

use std::path::{Path, PathBuf};
use std::time::Instant;

use fearless_simd::Level;
use polhode::backend::gpu::Phrasing;
use polhode::backend::gpu::adapter::AdapterChoice;
use polhode::backend::gpu::device::Device;
use polhode::backend::gpu::kernel::Kernel;
use polhode::backend::gpu::printed::Printed;
use polhode::backend::gpu::segments::Segments;
use polhode::backend::program::Program;
use polhode::backend::{Batch, Plan, cpu, gpu};
use polhode::base::Precision;
use polhode::study;
use polhode::study::judge::planned;
use polhode::study_file::read_study;
use wgpu::naga;

const PRECISION: Precision = Precision::F64;
const INSTANCES: usize = 256;
/// The longest kernel that is read in one piece here: naga takes minutes for longer ones.
const LONGEST_WHOLE: usize = 60_000;

/// A method, then bodies and joints of a mechanism.
fn study_text(parts: &str) -> String {
    format!(
        "method = {{ name = \"staggered\", step = \"0.1 ms\", steps = 100000 }}\nensemble.size = 1\n\
         [mechanism]\ngravity = [0, 0, -9.81]\n{parts}"
    )
}

fn body(name: &str, at: [f64; 3], inertia: &str, spin: [f64; 3]) -> String {
    format!(
        "[[mechanism.body]]\nname = \"{name}\"\nmass = 1\ninertia = {inertia}\n\
         initial = {{ position = {at:?}, angular_velocity = {spin:?} }}\n"
    )
}

fn joint(kind: &str, name: &str, bodies: [&str; 2], points: [[f64; 3]; 2]) -> String {
    format!(
        "[[mechanism.joint]]\nname = \"{name}\"\nkind = {kind}\nbodies = {bodies:?}\npoints = {points:?}\n"
    )
}

/// Rods of 1 m along x, each of them turning otherwise: `benches/chains`.
fn chain(bodies: usize) -> String {
    let mut text = String::new();
    for k in 0..bodies {
        let spin = [1.0 + k as f64, 0.3 * k as f64 + 0.1, 1.0];
        text += &body(
            &format!("rod{k}"),
            [k as f64 + 0.5, 0.0, 0.0],
            "[1e-3, 0.08333333333333333, 0.08333333333333333]",
            spin,
        );
    }
    for k in 0..bodies {
        let before = k.checked_sub(1).map_or("ground".to_string(), |k| format!("rod{k}"));
        let end = if k > 0 { 0.5 } else { 0.0 };
        text += &joint(
            "\"spherical\"",
            &format!("ball{k}"),
            [&before, &format!("rod{k}")],
            [[end, 0.0, 0.0], [-0.5, 0.0, 0.0]],
        );
    }
    study_text(&text)
}

/// Linkages side by side that share their cranks: cranks upright on the ground, couplers from top
/// to top.
fn four_bars(loops: usize) -> String {
    const HINGE: &str = "\"revolute\"\naxes = [0, 1, 0]";
    let mut text = String::new();
    for k in 0..=loops {
        let at = [k as f64, 0.0, 0.5];
        text += &body(&format!("crank{k}"), at, "[0.08333333333333333, 0.08333333333333333, 1e-3]", [0.0; 3]);
    }
    for k in 0..loops {
        let at = [k as f64 + 0.5, 0.0, 1.0];
        text +=
            &body(&format!("coupler{k}"), at, "[1e-3, 0.08333333333333333, 0.08333333333333333]", [0.0; 3]);
    }
    for k in 0..=loops {
        let foot = [[k as f64, 0.0, 0.0], [0.0, 0.0, -0.5]];
        text += &joint(HINGE, &format!("foot{k}"), ["ground", &format!("crank{k}")], foot);
    }
    let top = [0.0, 0.0, 0.5];
    for k in 0..loops {
        let coupler = format!("coupler{k}");
        let (left, right) = (format!("crank{k}"), format!("crank{}", k + 1));
        text += &joint(HINGE, &format!("left{k}"), [&left, &coupler], [top, [-0.5, 0.0, 0.0]]);
        text += &joint(HINGE, &format!("right{k}"), [&right, &coupler], [top, [0.5, 0.0, 0.0]]);
    }
    study_text(&text)
}

/// The crane of beams, each of so many elements.
fn crane(elements: usize) -> String {
    let file = shipped("mechanisms/crane_flexible.toml");
    let text = std::fs::read_to_string(&file).expect("a mechanism");
    let cut = text.replace("elements = 4", &format!("elements = {elements}"));
    // Beams are held at the node after their last element.
    let cut = cut.replace(".4\"", &format!(".{elements}\""));
    let own = std::env::temp_dir().join(format!("polhode_crane_{}.toml", std::process::id()));
    std::fs::write(&own, cut).expect("a folder for temporary files");
    format!(
        "mechanism = {:?}\nmethod = {{ name = \"staggered\", step = \"0.1 ms\", steps = 100000 }}\n\
         ensemble.size = 1\n",
        own.display().to_string()
    )
}

fn shipped(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// A plan, and how its instances start; `None`: they follow directions, which are not measured.
fn of_text(name: &str, text: &str) -> (Plan, Option<Batch>) {
    let file = std::env::temp_dir().join(format!("polhode_generation_{}.toml", std::process::id()));
    std::fs::write(&file, text).expect("a folder for temporary files");
    let study = read_study(&file).unwrap_or_else(|problems| panic!("{name}: {problems}"));
    let (plan, batch) = planned(&study, INSTANCES).expect("a mechanism");
    (plan, Some(batch))
}

fn exponents(name: &str) -> (Plan, Option<Batch>) {
    let study = read_study(&shipped(&format!("studies/{name}.toml"))).expect("a study");
    let (plan, _) = planned(&study, 1).expect("a mechanism");
    (study::with_directions(&study, &plan), None)
}

/// The best of three times (s), and what was made.
fn timed<T>(mut make: impl FnMut() -> T) -> (f64, T) {
    let mut best = f64::INFINITY;
    let mut last = None;
    for _ in 0..3 {
        let begun = Instant::now();
        last = Some(make());
        best = best.min(begun.elapsed().as_secs_f64());
    }
    (best, last.expect("made three times"))
}

/// Does with a text what naga does before a driver gets it.
fn read(text: &str) {
    use naga::valid::{Capabilities, ValidationFlags, Validator};
    let module = naga::front::wgsl::parse_str(text).expect("WGSL");
    let info = Validator::new(ValidationFlags::all(), Capabilities::all()).validate(&module);
    let options = naga::back::spv::Options::default();
    naga::back::spv::write_vec(&module, &info.expect("valid"), &options, None).expect("SPIR-V");
}

/// Time until a device has compiled the kernels and taken a step of 8 instances (s).
fn on_device(plan: &Plan, batch: &Batch, printed: Printed) -> f64 {
    let mut few = Batch::new(plan, 8);
    let planes = |of: &[Vec<f64>]| of.iter().map(|plane| plane[..8].to_vec()).collect::<Vec<_>>();
    (few.states, few.parameters) = (planes(&batch.states), planes(&batch.parameters));
    let device = Device::open(&AdapterChoice::Any, PRECISION).expect("an adapter");
    let begun = Instant::now();
    let mut backend = gpu::open_with(plan.clone(), device, PRECISION, printed).expect("it compiles");
    backend.load(&few).and_then(|()| backend.advance(0, 1)).expect("a step");
    begun.elapsed().as_secs_f64()
}

/// Steps a second of all instances on the CPU, and the time to compile (s).
fn on_cpu(plan: &Plan, batch: &Batch) -> (f64, f64) {
    let begun = Instant::now();
    let mut backend = cpu::open(plan.clone(), PRECISION, true, Level::new());
    let compiled = begun.elapsed().as_secs_f64();
    backend.load(batch).and_then(|()| backend.advance(0, 10)).expect("steps");
    let (mut done, mut steps) = (10, 10);
    loop {
        let begun = Instant::now();
        backend.advance(done, done + steps).expect("steps");
        let taken = begun.elapsed().as_secs_f64();
        done += steps;
        if taken > 0.5 {
            return ((batch.count as u64 * steps) as f64 / taken, compiled);
        }
        steps *= 2;
    }
}

fn main() {
    let driver = std::env::args().any(|argument| argument == "driver");
    let mut cases: Vec<(String, (Plan, Option<Batch>))> = Vec::new();
    let mut case = |name: String, made: (Plan, Option<Batch>)| cases.push((name, made));
    for bodies in [2, 4, 8, 12, 20, 24, 40] {
        case(format!("chain of {bodies}"), of_text("chain", &chain(bodies)));
    }
    for loops in [1, 2, 4, 8, 16] {
        case(format!("{loops} four-bars"), of_text("four-bars", &four_bars(loops)));
    }
    for elements in [1, 2, 4] {
        case(format!("crane, 3 beams of {elements}"), of_text("crane", &crane(elements)));
    }
    let name = "furuta_chaos";
    case(format!("exponents of {name}"), exponents(name));
    println!(
        "| mechanism | operations a step | lines of one kernel | statements of a step | kernels of a step \
         | lines of the longest | loaded + stored | bytes a step | done again | generate (s) \
         | naga: whole, cut (s) | driver: whole, cut (s) | CPU: compile (s) | 1e6 steps/s |"
    );
    println!("|{}", "---|".repeat(14));
    for (name, (plan, batch)) in cases {
        let (generate, (program, cut)) = timed(|| {
            let program = Program::new(&plan, PRECISION);
            let cut = Segments::new(&plan, PRECISION, &program, Phrasing::default());
            (program, cut)
        });
        let whole = Kernel::of(&plan, PRECISION, &program);
        let of_whole = match whole.lines() > LONGEST_WHOLE {
            true => "-".to_string(),
            false => format!("{:.2}", timed(|| read(&whole.text)).0),
        };
        let of_cut = timed(|| cut.texts.iter().chain([&cut.around]).for_each(|text| read(text))).0;
        let longest = cut.texts.iter().map(|text| text.lines().count()).max().unwrap_or(0);
        let step = cut.parts.step.clone();
        let compiled = match &batch {
            Some(batch) if driver => {
                let lines = whole.lines();
                let of_whole = if lines > LONGEST_WHOLE {
                    "-".to_string()
                } else {
                    format!("{:.1}", on_device(&plan, batch, whole.clone().into()))
                };
                let printed = Printed::Cut(Box::new(cut.clone()), "as measured".to_string());
                format!("{of_whole}, {:.1}", on_device(&plan, batch, printed))
            }
            _ => "-".to_string(),
        };
        let cpu = batch.map_or("- | -".to_string(), |batch| {
            let (rate, compiled) = on_cpu(&plan, &batch);
            format!("{compiled:.2} | {:.3}", rate * 1e-6)
        });
        println!(
            "| {name} | {} | {} | {} | {} | {longest} | {} + {} | {} | {} | {generate:.2} | {of_whole}, \
             {of_cut:.2} | {compiled} | {cpu} |",
            program.operations(&program.step).total(),
            whole.lines(),
            step.statements,
            step.kernels.len(),
            step.loads,
            step.stores,
            8 * (step.loads + step.stores),
            step.again,
        );
    }
}
