//! Measures the time from a mechanism to a kernel that a driver can be given, and how large that
//! is.
//!
//!     cargo bench --bench generation
//!
//! Chains of rods of 1 m and 1 kg that hang in ball joints, thrown in space, staggered step with
//! staggered multipliers, f32. `generate`: recording and text; `naga`: parsing, validation and
//! SPIR-V. Medians of nine turns, printed as CSV.

use std::time::Instant;

use polhode::backend::gpu::kernel::Kernel;
use polhode::base::Precision;
use polhode::methods::AnyMethod;
use polhode::study::plan::nominal;
use wgpu::naga;

#[path = "chains/mod.rs"]
mod chains;

use chains::chain;

const TURNS: usize = 9;

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
