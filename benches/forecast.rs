//! Compares the times that `auto` foretells with those that runs take, on the CPU and on the GPU
//! that is found.
//!
//!     cargo bench --bench forecast [SIZE]
//!
//! Fourteen shipped studies, with as many instances as they have, or SIZE at most, without the
//! measurement of their error. For the CPU by a trial, for the GPU by lessons of the other thirteen
//! runs; beside them the forecasts without. Foretold is what the two backends do not do alike:
//! preparing, stepping, and snapshots on their way from a GPU. Printed as a table, times in s.

use std::path::PathBuf;

use polhode::backend::choose::counts;
use polhode::backend::cpu;
use polhode::backend::forecast::{Counts, Speed, by_trial, on_cpu, on_gpu};
use polhode::backend::forecast_time::Forecast;
use polhode::backend::gpu::adapter::AdapterChoice;
use polhode::backend::gpu::device::Device;
use polhode::backend::learned::Learned;
use polhode::backend::program::Program;
use polhode::describe::{BackendChoice, Study};
use polhode::study::plan::plan;
use polhode::{FromKeys, RunOptions, study};

const STUDIES: [&str; 14] = [
    "tumbling",
    "spacecraft",
    "cubesat",
    "cart_pole",
    "rolling_ball",
    "double_pendulum",
    "four_bar",
    "slider_crank",
    "pendulum_rigid",
    "map_free_body",
    "map_cart_pole",
    "map_slider_crank",
    "furuta_sensitivity",
    "arm",
];

/// A run on one backend.
struct Run {
    counts: Counts,
    /// By the width of vectors, and by a trial; of a GPU by its class, and after lessons.
    foretold: [Forecast; 2],
    taken: Forecast,
}

/// The study, small enough for a GPU that is a program.
fn read(name: &str, most: u64) -> Study {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("studies/{name}.toml"));
    let mut study = Study::from_file(file).expect("a study");
    if study.kind.card().name == "monte_carlo" {
        study.ensemble.size = study.ensemble.size.min(most);
    }
    study.output.plots = false;
    study.output.report = false;
    study.accuracy.budget = Some(0.0);
    study
}

fn run(mut study: Study, backend: BackendChoice) -> Run {
    let threads = rayon::current_num_threads();
    study.run.backend = backend;
    let plan = plan(&study).expect("a mechanism");
    let with_tangents = study::with_directions(&study, &plan);
    let precision = study.run.precision;
    let program = Program::new(&with_tangents, precision);
    let work = study::workload(&study, None, false);
    let trial = work.trial.as_ref().and_then(|tried| tried(&with_tangents, &program));
    let (trial, _) = trial.expect("a trial");
    let counts = Counts { attempts: trial.attempts, ..counts(&with_tangents, precision, &program, &work) };
    let foretold = [on_cpu(&counts, threads, cpu::vector_width()), by_trial(&counts, threads, &trial)];
    let results = polhode::run(&study, &RunOptions::new()).expect("results");
    let timings = results.manifest().timings;
    let waiting = if matches!(study.run.backend, BackendChoice::Cpu) { 0.0 } else { timings.observing };
    let (preparing, stepping) = (timings.preparing, timings.stepping);
    Run { counts, foretold, taken: Forecast { preparing, waiting, stepping } }
}

/// Foretells each run for a GPU of this speed: by its class, and after all other runs.
fn on_device(runs: &mut [Run], speed: &Speed) {
    for one in 0..runs.len() {
        let mut learned = Learned::default();
        for (i, other) in runs.iter().enumerate().filter(|(i, _)| *i != one) {
            let foretold = on_gpu(&other.counts, speed, i as u64, &learned);
            learned.learn(other.counts.precision, i as u64, &foretold, &other.taken);
        }
        let forecast = |learned: &Learned| on_gpu(&runs[one].counts, speed, one as u64, learned);
        runs[one].foretold = [forecast(&Learned::default()), forecast(&learned)];
    }
}

fn table(device: &str, columns: [&str; 2], runs: &[Run]) {
    let [first, then] = columns;
    println!("{device}\n\n| study | instances | {first} | {then} | taken |\n|---|---|---|---|---|");
    for (name, run) in STUDIES.iter().zip(runs) {
        let [first, then] = run.foretold.map(|forecast| forecast.total());
        let instances: u64 = run.counts.batches.iter().sum();
        println!("| `{name}` | {instances} | {first:.2} | {then:.2} | {:.2} |", run.taken.total());
    }
    println!();
}

fn main() {
    let most = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(u64::MAX);
    let runs = |backend: BackendChoice| STUDIES.map(|name| run(read(name, most), backend.clone()));
    let processor = format!("{}, {} threads", cpu::processor(), rayon::current_num_threads());
    table(&processor, ["by the width of vectors", "by a trial"], &runs(BackendChoice::Cpu));
    let device = Device::open(&AdapterChoice::Any, polhode::base::Precision::F64).expect("an adapter");
    let speed = Speed::of(&device.summary.name, device.summary.kind);
    let mut runs = runs(BackendChoice::Gpu { adapter: None });
    on_device(&mut runs, &speed);
    table(&device.summary.name, ["by its class", "after the other runs"], &runs);
}
