//! Measures the time of a stability map: the free body, step by ratio of two moments of inertia,
//! 10^4 steps a cell, as `polhode run` draws it, tables and pictures included.
//!
//! 400 x 400 cells on all threads, in f64 and f32; and ten times the cells, which should cost ten
//! times the seconds. Medians of the turns: `cargo bench --bench map`.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use polhode::base::Precision;
use polhode::describe::Study;
use polhode::study::Listener;
use polhode::study_file::read_study;

/// Cells across and upwards.
const CELLS: u64 = 400;
const STEPS: u64 = 10_000;
const TURNS: usize = 3;

struct Quiet;

impl Listener for Quiet {
    fn say(&self, _: &str) {}
    fn progress(&self, _: u64, _: u64) {}
}

fn study(folder: &Path, [x, y]: [u64; 2], precision: Precision) -> Study {
    let text = format!(
        "study = {{ kind = \"stability_map\" }}\n\
         mechanism = {{ body = {{ name = \"body\", mass = 1, inertia = [5, 10, 1], \
         initial = {{ angular_velocity = [8, 0.02, 0] }} }} }}\n\
         [method]\nname = \"staggered\"\nstep = \"1 ms\"\nsteps = {STEPS}\n\
         [ensemble.vary]\n\
         \"method.step\" = {{ logspace = {{ from = \"0.1 ms\", to = \"100 ms\", count = {x} }} }}\n\
         \"body.inertia.yy\" = {{ linspace = {{ from = 6, to = 14, count = {y} }} }}\n\
         [run]\nbackend = \"cpu\"\n"
    );
    let file = folder.join("map.toml");
    std::fs::write(&file, text).expect("a writable folder");
    let mut study = read_study(&file).unwrap_or_else(|problems| panic!("{problems}"));
    study.run.precision = precision;
    study
}

/// Seconds of a map, the median of the turns.
fn seconds(folder: &Path, cells: [u64; 2], precision: Precision, turns: usize) -> f64 {
    let study = study(folder, cells, precision);
    let mut times: Vec<f64> = (0..turns)
        .map(|_| {
            let started = Instant::now();
            let run = polhode::study::run(&study, &folder.join("out"), true, &Quiet, &AtomicBool::new(false));
            let outcome = run.unwrap_or_else(|error| panic!("{error}"));
            assert!(outcome.manifest.complete);
            started.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[turns / 2]
}

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    println!("cells,steps,precision,threads,seconds,cell_steps_per_second");
    let print = |cells: u64, precision: Precision, seconds: f64| {
        let rate = (cells * STEPS) as f64 / seconds;
        println!("{cells},{STEPS},{precision:?},{threads},{seconds:.2},{rate:.3e}");
    };
    for precision in [Precision::F64, Precision::F32] {
        print(CELLS * CELLS, precision, seconds(folder.path(), [CELLS, CELLS], precision, TURNS));
    }
    let part = seconds(folder.path(), [CELLS, CELLS / 10], Precision::F64, TURNS);
    print(CELLS * CELLS / 10, Precision::F64, part);
    let whole = seconds(folder.path(), [CELLS, CELLS], Precision::F64, TURNS);
    println!("# ten times the cells: {:.2} times the seconds", whole / part);
}
