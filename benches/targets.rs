//! Measures the cost of a given accuracy: CPU time of an instance for 10 s of motion, f64, one
//! thread, by the largest step that keeps the error of attitude at the end of every one of 256
//! instances below 1e-3, 1e-6 and 1e-9 rad; of P4 for 4 s, and the error of position in m.
//!
//!     cargo bench --bench targets                 P1 to P4; with gcc also RK4 in C beside them
//!     cargo bench --bench targets -- P1           one problem
//!     POLHODE_PYTHON=~/venv/bin/python cargo bench --bench targets
//!                                                 with heyoka too, if that Python has it
//!
//! P1 is a free body, P2 a fast heavy top, P3 a spatial double pendulum in ball joints, P4 a bob on
//! springs whose stiffness lies anywhere within four decades, where each instance may have steps of
//! its own (`benches/targets/stiffness.rs`): `benches/targets/`, with the starts that all programs
//! use. For each target a program looks for its own step or tolerance, judged by the accurate
//! solution of the reference. Then all are timed in turns, so that other work on the machine slows
//! all alike, and medians are printed, and in parentheses the least, which other work disturbs
//! least: the ratios of a table count, not its times. RK4 in C is `benches/peers/ceiling.c`, by
//! hand, P3 in closed form, eliminating the joints; heyoka is `benches/peers/heyoka_peer.py`, an
//! adaptive Taylor method in batches, on the same equations.

#[path = "peers/mod.rs"]
mod peers;
#[path = "targets/stiffness.rs"]
mod stiffness;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

use fearless_simd::Level;
use polhode::describe::Study;
use polhode::study::Listener;
use polhode::study::judge::{Judge, median_and_spread};
use polhode::study::kinds::convergence::{ConvergenceFindings, Timed, find};
use polhode::study_file::kinds::convergence::Convergence;
use polhode::study_file::read_study;

use peers::{Peer, ceiling};

const TURNS: usize = 15;
/// (s)
const DURATION: f64 = 10.0;
const TARGETS: [f64; 3] = [1e-3, 1e-6, 1e-9];
/// A peer's number of steps or tolerance is known to this ratio.
const BISECTED: f64 = 1.02;

struct Silent;

impl Listener for Silent {
    fn say(&self, line: &str) {
        println!("# {line}");
    }
    fn progress(&self, _done: u64, _total: u64) {}
}

/// Largest error of attitude (rad) of a peer's ends: quaternion and angular velocity of every body,
/// one after another.
fn error(judge: &Judge, ends: &[Vec<f64>]) -> f64 {
    let mut largest = 0.0f64;
    for (exact, end) in judge.ends().iter().zip(ends) {
        for (body, at) in exact.bodies.iter().zip(end.chunks_exact(7)) {
            let q: [f64; 4] = std::array::from_fn(|k| at[k]);
            let off = polhode::math::quaternion::angle(q, body.attitude);
            largest = if off.is_nan() { f64::INFINITY } else { largest.max(off) };
        }
    }
    largest
}

fn steps_of(n: f64) -> String {
    format!("{} {:?}", n.round(), DURATION / n.round())
}

fn tolerance(x: f64) -> String {
    format!("{:?}", 1.0 / x)
}

/// The question with the least effort whose `error` meets the target; efforts are multiplied from
/// `from` to `to`.
fn cheapest(
    mut error: impl FnMut(&str) -> Option<f64>,
    target: f64,
    question: fn(f64) -> String,
    [from, to]: [f64; 2],
    ratio: f64,
) -> Option<String> {
    let mut meets = |effort: f64| Some(error(&question(effort))? <= target);
    let (mut fails, mut best) = (from, from);
    while !meets(best)? {
        fails = best;
        best *= ratio;
        if best > to {
            return None;
        }
    }
    while best / fails > BISECTED {
        let middle = (fails * best).sqrt();
        if question(middle) == question(best) || question(middle) == question(fails) {
            break;
        }
        if meets(middle)? { best = middle } else { fails = middle }
    }
    Some(question(best))
}

/// The starts, a line an instance, as peers read them.
fn starts(problem: &str, folder: &Path) -> PathBuf {
    let text = std::fs::read_to_string(format!("benches/targets/{problem}.csv")).expect("starts");
    let line = |line: &str| match problem {
        "P1" => format!("1 0 0 0 {}", line.replace(',', " ")),
        "P2" => line.replace(',', " "),
        _ => line.split(',').take(14).collect::<Vec<_>>().join(" "),
    };
    let lines: Vec<String> = text.lines().skip(1).map(line).collect();
    let file = folder.join(problem);
    std::fs::write(&file, lines.join("\n")).expect("starts");
    file
}

/// A program that is timed for one target.
enum Racer<T> {
    Ours(T),
    /// Which, and what it is asked.
    Peer(usize, String),
    /// Nothing meets the target.
    None,
}

/// Lines of the table: the program's name, and a racer for each of [`TARGETS`], one line after
/// another.
type Rows<T> = Vec<(String, Racer<T>)>;

/// Other programs on this problem with these starts, as far as they are there.
fn started(
    problem: &str,
    states: &Path,
    ceiling: Option<&PathBuf>,
    instances: usize,
) -> Vec<(&'static str, Peer)> {
    let mut peers = Vec::new();
    if let Some(program) = ceiling {
        let started = Peer::start(Command::new(program).arg(problem).arg(states), instances);
        peers.extend(started.map(|peer| ("C RK4", peer)));
    }
    if let Some(python) = std::env::var_os("POLHODE_PYTHON") {
        let mut command = Command::new(python);
        command.arg("benches/peers/heyoka_peer.py").arg(problem).arg(states);
        peers.extend(Peer::start(&mut command, instances).map(|peer| ("heyoka batch", peer)));
    }
    peers
}

/// Looks for what each peer is to be asked, by the `error` of its ends. RK4 takes so many `steps`,
/// from the first number to the second.
fn add_peers<T>(
    rows: &mut Rows<T>,
    peers: &mut [(&str, Peer)],
    error: impl Fn(&[Vec<f64>]) -> f64,
    steps: fn(f64) -> String,
    numbers: [f64; 2],
) {
    for (p, (name, peer)) in peers.iter_mut().enumerate() {
        for target in TARGETS {
            let error_of = |question: &str| Some(error(&peer.run(question)?.1));
            let question = match *name {
                "C RK4" => cheapest(error_of, target, steps, numbers, 2.0),
                _ => cheapest(error_of, target, tolerance, [1e2, 1e16], 2.0),
            };
            rows.push((name.to_string(), question.map_or(Racer::None, |q| Racer::Peer(p, q))));
        }
    }
}

fn measure(problem: &str, folder: &Path, ceiling: Option<&PathBuf>) {
    let study: Study = read_study(Path::new(&format!("benches/targets/{problem}.toml"))).expect("a study");
    let settings = study.kind.settings::<Convergence>().expect("a convergence");
    let found: ConvergenceFindings =
        find(&study, settings, &Silent, &AtomicBool::new(false)).expect("the study");
    let judge = found.judge.as_ref().expect("a judge");
    let mut rows: Rows<Timed> = Vec::new();
    for target_step in &found.targets {
        let racer = match &target_step.measurement {
            Some(rung) => Racer::Ours(found.timed(rung).expect("a backend")),
            None => Racer::None,
        };
        rows.push((found.contestants[target_step.contestant].label(), racer));
    }
    let mut peers = started(problem, &starts(problem, folder), ceiling, judge.count());
    add_peers(&mut rows, &mut peers, |ends| error(judge, ends), steps_of, [50.0, 400_000.0]);
    time_programs(problem, rows, &mut peers, |timed| timed.turn().expect("advance"));
}

/// Times all in turns, one thread, and prints a line for each program.
fn time_programs<T: Send>(
    problem: &str,
    rows: Rows<T>,
    peers: &mut [(&str, Peer)],
    mut ours: impl FnMut(&mut T) -> f64 + Send,
) {
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let mut rows: Vec<(String, Racer<T>, Vec<f64>)> =
        rows.into_iter().map(|(name, racer)| (name, racer, Vec::new())).collect();
    for round in 0..=TURNS {
        for (_, racer, times) in &mut rows {
            let seconds = match racer {
                Racer::Ours(timed) => alone.install(|| ours(timed)),
                Racer::Peer(p, question) => {
                    peers[*p].1.run(question).map_or(f64::NAN, |(seconds, _)| seconds)
                }
                Racer::None => f64::NAN,
            };
            // The first round warms up.
            if round > 0 && !seconds.is_nan() {
                times.push(seconds);
            }
        }
    }
    for names in rows.chunks(TARGETS.len()) {
        let cell = |(_, _, times): &(String, Racer<T>, Vec<f64>)| match median_and_spread(times) {
            (median, _) if median.is_nan() => "-".to_string(),
            (median, _) => {
                let least = times.iter().copied().fold(f64::INFINITY, f64::min);
                format!("{:.3} ({:.3})", 1e6 * median, 1e6 * least)
            }
        };
        let cells: Vec<String> = names.iter().map(cell).collect();
        println!("| {problem} | {} | {} |", names[0].0, cells.join(" | "));
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--test") {
        return;
    }
    let is_wanted = |problem: &&str| {
        let mut named = arguments.iter().filter(|a| a.starts_with('P')).peekable();
        named.peek().is_none() || named.any(|name| name == problem)
    };
    let folder = std::env::temp_dir().join(format!("polhode-targets-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let ceiling = ceiling(&folder, "double", 2, Level::new());
    println!("| problem | program | 1e-3 (us) | 1e-6 (us) | 1e-9 (us) |\n|---|---|---|---|---|");
    for problem in ["P1", "P2", "P3"].into_iter().filter(is_wanted) {
        measure(problem, &folder, ceiling.as_ref());
    }
    if is_wanted(&"P4") {
        stiffness::measure(&folder, ceiling.as_ref());
    }
    let _ = std::fs::remove_dir_all(&folder);
}
