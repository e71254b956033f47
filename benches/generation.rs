//! How long it takes from a mechanism to a kernel that a driver can be given, and how large that is.
//!
//!     cargo bench --bench generation
//!
//! Chains of rods of 1 m and 1 kg that hang in ball joints, thrown in space, staggered step with staggered multipliers, f32.
//! `generate`: recording and text; `naga`: parsing, validation and SPIR-V. Medians of nine turns, printed as CSV.

use std::time::Instant;

use polhode::backend::gpu::kernel::Kernel;
use polhode::base::Precision;
use polhode::describe::{Joint, Mechanism, Point};
use polhode::elements::joints::SPHERICAL;
use polhode::methods::AnyMethod;
use polhode::study::plan::nominal;
use polhode::study::yardsticks::free_body;
use wgpu::naga;

const TURNS: usize = 9;

/// Rods along x, each of them turning otherwise.
fn chain(bodies: usize) -> Mechanism {
    let rod = |k: usize| {
        let spin = [1.0 + k as f64, 0.3 * k as f64 + 0.1, 1.0];
        let mut rod = free_body([1e-3, 1.0 / 12.0, 1.0 / 12.0], [1.0, 0.0, 0.0, 0.0], spin).bodies.remove(0);
        rod.name = format!("rod{k}");
        rod.initial.position = [k as f64 + 0.5, 0.0, 0.0];
        rod
    };
    let ball = |k: usize| Joint {
        name: format!("ball{k}"),
        kind: &SPHERICAL,
        points: [
            Point { body: k.checked_sub(1), at: [if k > 0 { 0.5 } else { 0.0 }, 0.0, 0.0] },
            Point { body: Some(k), at: [-0.5, 0.0, 0.0] },
        ],
        frames: [[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]; 2],
        length: 0.0,
        initial: None,
    };
    Mechanism {
        name: "chain".to_string(),
        gravity: [0.0, 0.0, -9.81],
        joints: (0..bodies).map(ball).collect(),
        ..Mechanism::of((0..bodies).map(rod).collect())
    }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    println!("bodies,rows,operations a step,operations at the start,lines,generate (s),naga (s)");
    for bodies in [1, 2, 5, 10, 20] {
        let plan = nominal(&chain(bodies), AnyMethod::default(), 1e-3, 1000).expect("a chain");
        let (mut generate, mut compile) = (Vec::new(), Vec::new());
        let mut last = None;
        for _ in 0..TURNS {
            let started = Instant::now();
            let kernel = Kernel::new(&plan, Precision::F32);
            generate.push(started.elapsed().as_secs_f64());
            let started = Instant::now();
            let module = naga::front::wgsl::parse_str(&kernel.text).expect("the kernel parses");
            let mut validator = naga::valid::Validator::new(
                naga::valid::ValidationFlags::all(),
                naga::valid::Capabilities::all(),
            );
            let info = validator.validate(&module).expect("the kernel is valid");
            let options = naga::back::spv::Options::default();
            naga::back::spv::write_vec(&module, &info, &options, None).expect("SPIR-V");
            compile.push(started.elapsed().as_secs_f64());
            last = Some(kernel);
        }
        let Some(kernel) = last else { return };
        println!(
            "{bodies},{},{},{},{},{:.3},{:.3}",
            3 * bodies,
            kernel.step.total(),
            kernel.begin,
            kernel.text.lines().count(),
            median(generate),
            median(compile)
        );
    }
}
