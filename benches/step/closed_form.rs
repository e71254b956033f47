//! RK4 beside RK4 in C, whose equations were derived by hand for each problem: P1 to P3 of
//! `benches/targets/`, steps of 1 ms.
//!
//! A mechanism's equations are found by polhode itself, and may take more operations than those of
//! a person: so both ratios are given, of steps and of operations. Operations of C are those of the
//! machine code that gcc 12 makes of a step.

use std::path::Path;
use std::process::Command;

use polhode::backend::cpu;
use polhode::backend::program::Program;
use polhode::base::Precision;
use polhode::study::judge::planned;
use polhode::study_file::read_study;

use crate::peers::{Peer, ceiling};
use crate::{INSTANCES, INTERLEAVED, TURNS, level, median, rate_of};

const STEPS: u64 = 500;
/// (s)
const H: f64 = 1e-3;

/// Columns of the starts that RK4 in C reads, and operations of its step, a multiply-add counted as
/// two.
const PROBLEMS: [(&str, usize, f64); 3] = [("P1", 3, 243.0), ("P2", 7, 283.0), ("P3", 14, 1171.0)];

fn line(problem: &str, columns: usize, operations_in_c: f64, one: &rayon::ThreadPool, folder: &Path) {
    let study = read_study(Path::new(&format!("benches/targets/{problem}.toml"))).expect("a study");
    let (plan, batch) = planned(&study, INSTANCES).expect("a plan");
    let program = Program::new(&plan, Precision::F64);
    let operations = program.operations(&program.step);
    let mut backend = cpu::open(plan, Precision::F64, true, level());
    backend.load(&batch).expect("a batch that fits");
    let text = std::fs::read_to_string(format!("benches/targets/{problem}.csv")).expect("starts");
    let about = if problem == "P1" { "1 0 0 0 " } else { "" };
    let start =
        |line: &str| format!("{about}{}", line.split(',').take(columns).collect::<Vec<_>>().join(" "));
    let starts: Vec<String> = text.lines().skip(1).map(start).cycle().take(INSTANCES).collect();
    let states = folder.join(problem);
    std::fs::write(&states, starts.join("\n")).expect("starts");
    let mut peers: Vec<Peer> = INTERLEAVED
        .iter()
        .filter_map(|vectors| {
            let program = ceiling(folder, "double", *vectors, level())?;
            Peer::start(Command::new(program).arg(problem).arg(&states), INSTANCES)
        })
        .collect();
    let question = format!("{STEPS} {H}");
    let turns: Vec<(f64, Vec<f64>)> = (0..TURNS)
        .map(|_| {
            let ours = one.install(|| rate_of(STEPS, || backend.advance(0, STEPS).expect("advance")));
            let rate =
                |peer: &mut Peer| peer.run(&question).map_or(f64::NAN, |(seconds, _)| STEPS as f64 / seconds);
            (ours, peers.iter_mut().map(rate).collect())
        })
        .collect();
    let ours = median(turns.iter().map(|turn| turn.0));
    let in_c = |k: usize| median(turns.iter().map(|turn| turn.1[k]));
    let best = (0..peers.len()).max_by(|a, b| in_c(*a).total_cmp(&in_c(*b)));
    let beside = best.map_or(",,".to_string(), |k| {
        let ratio = median(turns.iter().map(|turn| turn.0 / turn.1[k]));
        let by_operation = ratio * operations.total() as f64 / operations_in_c;
        format!("{:.1},{ratio:.3},{by_operation:.3}", in_c(k) / 1e6)
    });
    println!(
        "{problem},f64,{INSTANCES},{STEPS},{:.1},{},{},{},{operations_in_c},{beside}",
        ours / 1e6,
        operations.total(),
        operations.divisions,
        operations.square_roots
    );
}

pub fn table(one: &rayon::ThreadPool, folder: &Path) {
    println!(
        "\nRK4, medians of {TURNS} turns, rates in 1e6 instance-steps/s, one thread:\n\
         problem,precision,instances,steps,backend,operations,divisions,roots,operations_in_C,C,\
         backend_of_C,backend_of_C_by_operation"
    );
    for (problem, columns, operations_in_c) in PROBLEMS {
        line(problem, columns, operations_in_c, one, folder);
    }
}
