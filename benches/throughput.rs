//! Throughput, in instance-steps a second, of the CPU and of every GPU that is there: a case for
//! each backend, precision and size, of a free body and of a heavy top as the shipped studies of
//! throughput have them.
//!
//! `cargo bench --bench throughput -- gpu` runs the cases with "gpu" in their name, `-- --test`
//! each once. What is not there is skipped, and said to be: a machine without adapters, precisions
//! that an adapter does not have, sizes that it cannot hold. `polhode bench` measures the same with
//! its accuracy and the peak of the device.

use std::path::Path;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput};
use fearless_simd::Level;
use polhode::backend::gpu::adapter::AdapterChoice;
use polhode::backend::gpu::device::{Device, list};
use polhode::backend::{Backend, BackendError, Plan, cpu, gpu};
use polhode::base::Precision;
use polhode::study::judge::planned;
use polhode::study_file::read_study;

const STUDIES: [&str; 2] = ["throughput_free_body", "throughput_heavy_top"];
/// Instances.
const SIZES: [usize; 3] = [1_000, 30_000, 1_000_000];
/// Steps that are taken before the host looks on.
const STEPS: u64 = 100;

/// A backend that is there.
struct Engine {
    name: String,
    /// `None`: the CPU.
    adapter: Option<AdapterChoice>,
}

impl Engine {
    /// The plan on it, if it takes this precision.
    fn open(&self, plan: &Plan, precision: Precision) -> Result<Box<dyn Backend>, BackendError> {
        match &self.adapter {
            None => Ok(cpu::open(plan.clone(), precision, true, Level::new())),
            Some(wanted) => gpu::open(plan.clone(), Device::open(wanted, precision)?, precision),
        }
    }
}

/// The CPU with all its threads, and every adapter.
fn engines() -> Vec<Engine> {
    let adapters = list();
    if adapters.is_empty() {
        eprintln!("no GPU here: its cases are skipped");
    }
    let on_adapters = adapters.into_iter().map(|found| Engine {
        name: format!("gpu {}", found.name),
        adapter: Some(AdapterChoice::Named(found.name)),
    });
    std::iter::once(Engine { name: "cpu".to_string(), adapter: None }).chain(on_adapters).collect()
}

/// The cases of a shipped study.
fn measure(criterion: &mut Criterion, engines: &[Engine], name: &str) -> Result<(), String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("studies").join(name).with_extension("toml");
    let mut study = read_study(&file).map_err(|problems| problems.to_string())?;
    study.observe.every = STEPS;
    for size in SIZES {
        let (plan, batch) = planned(&study, size).map_err(|error| error.to_string())?;
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Elements(size as u64 * STEPS));
        for engine in engines {
            for precision in [Precision::F32, Precision::F64] {
                let case = BenchmarkId::new(format!("{} {}", engine.name, precision.name()), size);
                let loaded = engine.open(&plan, precision).and_then(|mut backend| {
                    if backend.capacity() < size {
                        eprintln!("{name}, {}: holds less than {size} instances", engine.name);
                        return Ok(None);
                    }
                    backend.load(&batch)?;
                    Ok(Some(backend))
                });
                match loaded {
                    Ok(Some(mut backend)) => {
                        group.bench_function(case, |bencher| {
                            bencher.iter(|| backend.advance(0, STEPS).expect("the device goes on"));
                        });
                    }
                    Ok(None) => {}
                    Err(error) => {
                        eprintln!("{name}, {}, {}: skipped, {error}", engine.name, precision.name())
                    }
                }
            }
        }
        group.finish();
    }
    Ok(())
}

fn main() -> Result<(), String> {
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2))
        .sample_size(10)
        .configure_from_args();
    let engines = engines();
    for name in STUDIES {
        measure(&mut criterion, &engines, name)?;
    }
    criterion.final_summary();
    Ok(())
}
