//! P4: springs whose stiffness lies anywhere within four decades, with a step for all and with
//! steps of each instance's own.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use fearless_simd::Level;
use polhode::backend::{Backend, Batch, cpu};
use polhode::base::Precision;
use polhode::describe::Study;
use polhode::study::judge::{AccurateEnd, Judge, planned};
use polhode::study_file::read_study;

use crate::{Racer, Rows, TARGETS, add_peers, cheapest, started, time_programs, tolerance};

const INSTANCES: usize = 256;
/// (s)
const DURATION: f64 = 4.0;
/// Steps of the study where instances choose their own: instances that took as many attempts are
/// put side by side after the first.
const OUTPUT_STEPS: f64 = 16.0;
/// Position and velocity that each instance begins with (m, m/s); its stiffness follows them.
const START: &str = "0.8 0 -0.6 0 0 0";

/// Methods that polhode is asked for, and whether instances choose their own steps.
const OURS: [(&str, bool); 5] =
    [("rk4", false), ("tsit5", false), ("dop853", false), ("tsit5", true), ("dop853", true)];

fn steps(n: f64) -> String {
    format!("{} {:?}", n.round(), DURATION / n.round())
}

/// The study with this method and a question of [`steps`] or [`tolerance`].
fn study(method: &str, own: bool, question: &str, folder: &Path) -> Study {
    let text = std::fs::read_to_string("benches/targets/P4.toml").expect("P4");
    let table = std::fs::canonicalize("benches/targets/P4.csv").expect("P4");
    let (step, tolerance) = match own {
        true => (DURATION / OUTPUT_STEPS, format!("tolerance = {question}")),
        false => {
            let step = question.split(' ').nth(1).and_then(|step| step.parse().ok());
            (step.expect("a step"), String::new())
        }
    };
    let text = text
        .replace("name = \"dop853\"", &format!("name = \"{method}\"\n{tolerance}"))
        .replace("step = \"1 ms\"", &format!("step = \"{step:?} s\""))
        .replace("P4.csv", &table.display().to_string());
    let file = folder.join("P4.toml");
    std::fs::write(&file, text).expect("a study");
    read_study(&file).expect("P4 with another method")
}

/// A study ready to be timed.
struct Ready {
    backend: Box<dyn Backend>,
    batch: Batch,
    steps: u64,
}

/// The largest error of position at the end (m), and the study that made it, ready to be timed.
fn ours(judge: &Judge, study: &Study) -> (f64, Ready) {
    let (plan, batch) = planned(study, INSTANCES).expect("a plan");
    let mut backend = cpu::open(plan.clone(), Precision::F64, true, Level::new());
    let errors = judge.errors(study, &plan, &batch, &mut *backend).expect("errors");
    let largest = errors.iter().map(|error| error.position).fold(0.0, f64::max);
    (largest, Ready { backend, batch, steps: study.method.steps })
}

/// The largest error of position of a peer's ends (m).
fn error(judge: &Judge, ends: &[Vec<f64>]) -> f64 {
    let off = |(exact, end): (&AccurateEnd, &Vec<f64>)| {
        let square = (0..3).map(|k| (end[k] - exact.bodies[0].position[k]).powi(2)).sum::<f64>();
        if square.is_nan() { f64::INFINITY } else { square.sqrt() }
    };
    judge.ends().iter().zip(ends).map(off).fold(0.0, f64::max)
}

pub fn measure(folder: &Path, ceiling: Option<&PathBuf>) {
    let first = study("dop853", false, &steps(4000.0), folder);
    let judge = Judge::new(&first, INSTANCES as u64, &AtomicBool::new(false)).expect("accurate motions");
    let judge = judge.expect("nothing interrupts");
    let stiffness = std::fs::read_to_string("benches/targets/P4.csv").expect("P4");
    let lines: Vec<String> = stiffness.lines().skip(1).map(|k| format!("{START} {k}")).collect();
    let states = folder.join("P4");
    std::fs::write(&states, lines.join("\n")).expect("starts");
    let mut rows: Rows<Ready> = Vec::new();
    for (method, own) in OURS {
        for target in TARGETS {
            let study_of = |question: &str| study(method, own, question, folder);
            let error_of = |question: &str| Some(ours(&judge, &study_of(question)).0);
            let question = match own {
                true => cheapest(error_of, target, tolerance, [1e2, 1e14], 4.0),
                false => cheapest(error_of, target, steps, [500.0, 1_000_000.0], 2.0),
            };
            let racer = question.map_or(Racer::None, |q| Racer::Ours(ours(&judge, &study_of(&q)).1));
            let name = if own { format!("{method}, own steps") } else { method.to_string() };
            rows.push((name, racer));
        }
    }
    let mut peers = started("P4", &states, ceiling, INSTANCES);
    add_peers(&mut rows, &mut peers, |ends| error(&judge, ends), steps, [500.0, 1_000_000.0]);
    time_programs("P4", rows, &mut peers, |Ready { backend, batch, steps }| {
        backend.load(batch).expect("a batch");
        let started = Instant::now();
        backend.advance(0, *steps).expect("advance");
        started.elapsed().as_secs_f64() / INSTANCES as f64
    });
}
