//! Measures the speed of a step on the CPU against what the processor can do.
//!
//! Two problems: the free body J = (5, 10, 1) (73 operations a step) and the fast heavy top
//! (148), h = 1 ms. Four ways: the backend, as a study runs it; a loop written by hand below; where
//! gcc is there, the lean loop in C of `benches/peers/ceiling.c`, the ceiling; the peak of fused
//! multiply-adds. Criterion gives each alone but C; the table at the end measures them in turns, so
//! that a machine with other work on it slows all alike, and prints medians. Then RK4 beside RK4 in
//! C in closed form (`benches/step/closed_form.rs`). `cargo bench --bench step -- --quick` skips
//! nothing but patience, `-- avx2` leaves out the wider vectors of AVX-512, of C too.

#[path = "step/closed_form.rs"]
mod closed_form;
#[path = "peers/mod.rs"]
mod peers;

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use criterion::{Criterion, Throughput};
use fearless_simd::{Level, Simd, SimdBase, SimdFloat, dispatch};
use polhode::backend::{Backend, Batch, Plan, cpu};
use polhode::base::Precision;
use polhode::describe::{Axes, Body, Given, InertiaAbout, Initial, Mechanism, Support};
use polhode::methods::AnyMethod;
use polhode::model::WIDTH;
use polhode::real::Element;
use polhode::study::plan::nominal;
use rayon::prelude::*;

use peers::{Peer, ceiling};

/// Instances; a multiple of every group of lanes. Their state fits the second-level cache.
const INSTANCES: usize = 4096;
const STEPS: u64 = 2000;
/// Full step (s).
const H: f64 = 1e-3;
/// Turns of the table.
const TURNS: usize = 21;

#[derive(Clone, Copy, PartialEq)]
enum Problem {
    FreeBody,
    HeavyTop,
}

impl Problem {
    const ALL: [Problem; 2] = [Problem::FreeBody, Problem::HeavyTop];

    fn name(self) -> &'static str {
        match self {
            Problem::FreeBody => "free body",
            Problem::HeavyTop => "heavy top",
        }
    }

    /// Operations of one step, a fused multiply-add counted as two.
    fn operations(self) -> f64 {
        match self {
            Problem::FreeBody => 73.0,
            Problem::HeavyTop => 148.0,
        }
    }

    /// Principal moments (kg m²), those of the top about its tip.
    fn moments(self) -> [f64; 3] {
        match self {
            Problem::FreeBody => [5.0, 10.0, 1.0],
            Problem::HeavyTop => [5.0, 5.0, 1.0],
        }
    }

    /// Weight times distance from the tip to the mass centre (N m).
    fn weight_moment(self) -> f64 {
        match self {
            Problem::FreeBody => 0.0,
            Problem::HeavyTop => 20.0,
        }
    }

    /// Angular velocity of instance `i` (rad/s).
    fn spin(self, i: usize) -> [f64; 3] {
        let varied = 0.05 * (i % 17) as f64 / 17.0;
        match self {
            Problem::FreeBody => [0.1, 2.0 + varied, 0.1],
            Problem::HeavyTop => [0.0, 0.1 + varied, 50.0],
        }
    }

    fn attitude(self) -> [f64; 4] {
        let half = 0.15f64;
        match self {
            Problem::FreeBody => [1.0, 0.0, 0.0, 0.0],
            Problem::HeavyTop => [half.cos(), half.sin(), 0.0, 0.0],
        }
    }

    fn plan(self) -> Plan {
        let top = self == Problem::HeavyTop;
        let m = self.moments();
        let mechanism = Mechanism {
            name: self.name().into(),
            gravity: [0.0, 0.0, -self.weight_moment()],
            ..Mechanism::of(vec![Body {
                name: "body".into(),
                mass: 1.0,
                inertia: [[m[0], 0.0, 0.0], [0.0, m[1], 0.0], [0.0, 0.0, m[2]]],
                inertia_axes: [1.0, 0.0, 0.0, 0.0],
                inertia_about: if top { InertiaAbout::Origin } else { InertiaAbout::MassCentre },
                centre_of_mass: [0.0, 0.0, if top { 1.0 } else { 0.0 }],
                support: if top { Support::FixedPoint } else { Support::Free },
                is_point: false,
                flexible: None,
                initial: Initial {
                    position: [0.0; 3],
                    velocity: [0.0; 3],
                    attitude: self.attitude(),
                    angular_velocity: self.spin(0),
                    angular_velocity_axes: Axes::Body,
                    given: Given::ABOUT,
                },
            }])
        };
        let mut plan =
            nominal(&mechanism, AnyMethod::default(), H, STEPS).expect("the mechanism describes a body");
        // Restarts and checks as in a study that says nothing about them.
        (plan.schedule.resynchronise, plan.schedule.check) = (100, 100);
        plan
    }
}

/// The vectors of this machine, or those of AVX2 where that is asked for.
fn level() -> Level {
    let level = Level::new();
    match std::env::args().any(|argument| argument == "avx2") {
        #[cfg(target_arch = "x86_64")]
        true => Level::Avx2(level.as_avx2().expect("a processor with AVX2")),
        _ => level,
    }
}

/// The backend with all instances loaded.
fn backend<E: Element>(problem: Problem) -> Box<dyn Backend> {
    let plan = problem.plan();
    let mut batch = Batch::new(&plan, INSTANCES);
    for i in 0..INSTANCES {
        let start = problem.attitude().into_iter().chain(problem.spin(i));
        for (c, value) in start.enumerate() {
            batch.states[c][i] = value;
        }
    }
    let precision = if E::NAME == "f32" { Precision::F32 } else { Precision::F64 };
    let mut backend = cpu::open(plan, precision, true, level());
    backend.load(&batch).expect("a batch that fits");
    backend
}

/// One vector of bodies; `half_*`: the half-step chain.
#[derive(Clone, Copy)]
struct Bodies<V> {
    q: [V; 4],
    w: [V; 3],
    half_q: [V; 4],
    half_w: [V; 3],
}

/// `h (J2-J3)/J1` and cyclic; `2 h m g l / J1`; `h / 4`.
#[derive(Clone, Copy)]
struct Constants<V> {
    gyroscopic: [V; 3],
    weight: V,
    quarter_h: V,
    half: V,
    one: V,
    three_halves: V,
    two: V,
}

/// `base + h acc(q, w)`
#[inline(always)]
fn kick<S: Simd, V: SimdFloat<S>, const TOP: bool>(
    c: &Constants<V>,
    q: [V; 4],
    w: [V; 3],
    base: [V; 3],
) -> [V; 3] {
    let mut next = [
        c.gyroscopic[0].mul_add(w[1] * w[2], base[0]),
        c.gyroscopic[1].mul_add(w[2] * w[0], base[1]),
        c.gyroscopic[2].mul_add(w[0] * w[1], base[2]),
    ];
    if TOP {
        next[0] = c.weight.mul_add(q[2].mul_add(q[3], q[1] * q[0]), next[0]);
        next[1] = (-c.weight).mul_add(q[1].mul_sub(q[3], q[2] * q[0]), next[1]);
    }
    next
}

/// `q o Cay(h w)`, renormalised by one step of Newton's iteration: a single division.
#[inline(always)]
fn turn<S: Simd, V: SimdFloat<S>>(c: &Constants<V>, q: [V; 4], w: [V; 3]) -> [V; 4] {
    let a = [c.quarter_h * w[0], c.quarter_h * w[1], c.quarter_h * w[2]];
    let d = c.two / a[2].mul_add(a[2], a[1].mul_add(a[1], a[0].mul_add(a[0], c.one)));
    let p = [
        (-q[3]).mul_add(a[2], (-q[2]).mul_add(a[1], (-q[1]).mul_add(a[0], q[0]))),
        (-q[3]).mul_add(a[1], q[2].mul_add(a[2], q[0].mul_add(a[0], q[1]))),
        (-q[1]).mul_add(a[2], q[3].mul_add(a[0], q[0].mul_add(a[1], q[2]))),
        (-q[2]).mul_add(a[0], q[1].mul_add(a[1], q[0].mul_add(a[2], q[3]))),
    ];
    // No `from_fn`: where it is not inlined, its closure is compiled without the level's features.
    let p = [d.mul_sub(p[0], q[0]), d.mul_sub(p[1], q[1]), d.mul_sub(p[2], q[2]), d.mul_sub(p[3], q[3])];
    let n = p[3].mul_add(p[3], p[2].mul_add(p[2], p[1].mul_add(p[1], p[0] * p[0])));
    let r = (-c.half).mul_add(n, c.three_halves);
    [p[0] * r, p[1] * r, p[2] * r, p[3] * r]
}

/// The ceiling: `K` vectors side by side, nothing but steps. `planes`: the seven channels,
/// `[channel][K vectors]`.
#[inline(always)]
fn by_hand<S: Simd, E: Element, const K: usize, const TOP: bool>(
    simd: S,
    problem: Problem,
    planes: &mut [E],
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let splat = |x: f64| <E::Native<S> as SimdBase<S>>::splat(simd, E::from_f64(x));
            let [a, b, c] = problem.moments();
            let constants = Constants {
                gyroscopic: [splat(H * (b - c) / a), splat(H * (c - a) / b), splat(H * (a - b) / c)],
                weight: splat(2.0 * H * problem.weight_moment() / a),
                quarter_h: splat(H / 4.0),
                half: splat(0.5),
                one: splat(1.0),
                three_halves: splat(1.5),
                two: splat(2.0),
            };
            let lanes = <E::Native<S> as SimdBase<S>>::LEN;
            let at = |channel: usize, k: usize| (channel * K + k) * lanes;
            let mut bodies: [Bodies<E::Native<S>>; K] = std::array::from_fn(|k| {
                let plane = |channel: usize| {
                    <E::Native<S> as SimdBase<S>>::from_slice(simd, &planes[at(channel, k)..][..lanes])
                };
                let (q, w) = ([plane(0), plane(1), plane(2), plane(3)], [plane(4), plane(5), plane(6)]);
                // Started roughly, half a step ahead: what is wanted is the time of the loop.
                let ahead = kick::<S, _, TOP>(&constants, q, w, w);
                let half = splat(0.5);
                let half_w = [half * (w[0] + ahead[0]), half * (w[1] + ahead[1]), half * (w[2] + ahead[2])];
                let halved = Constants { quarter_h: half * constants.quarter_h, ..constants };
                Bodies { q, w, half_q: turn(&halved, q, w), half_w }
            });
            for _ in 0..STEPS {
                for b in &mut bodies {
                    b.w = kick::<S, _, TOP>(&constants, b.half_q, b.half_w, b.w);
                    b.q = turn(&constants, b.q, b.half_w);
                    b.half_w = kick::<S, _, TOP>(&constants, b.q, b.w, b.half_w);
                    if TOP {
                        b.half_q = turn(&constants, b.half_q, b.w);
                    }
                }
            }
            for (k, b) in bodies.iter().enumerate() {
                for (channel, value) in b.q.iter().chain(&b.w).enumerate() {
                    value.store_slice(&mut planes[at(channel, k)..][..lanes]);
                }
            }
        },
    );
}

/// Instances of one call of [`by_hand`] at this level: so many that every level and `K` fills whole
/// vectors.
const HAND_GROUP: usize = 64;

/// All instances through [`by_hand`], on the threads of the rayon pool that calls.
struct ByHand<E> {
    problem: Problem,
    level: Level,
    /// Vectors side by side.
    interleaved: usize,
    /// `[group][channel][lanes of the group]`
    planes: Vec<E>,
    group: usize,
}

impl<E: Element> ByHand<E> {
    fn new(problem: Problem, interleaved: usize) -> Self {
        let level = level();
        let lanes = dispatch!(level, simd => lanes_of::<_, E>(simd));
        let group = interleaved * lanes;
        assert!(HAND_GROUP.is_multiple_of(group));
        let mut planes = Vec::with_capacity(7 * INSTANCES);
        for first in (0..INSTANCES).step_by(group) {
            for channel in 0..7 {
                for i in first..first + group {
                    let (q, w) = (problem.attitude(), problem.spin(i));
                    planes.push(E::from_f64(if channel < 4 { q[channel] } else { w[channel - 4] }));
                }
            }
        }
        ByHand { problem, level, interleaved, planes, group }
    }

    fn advance(&mut self) {
        let (level, problem, interleaved) = (self.level, self.problem, self.interleaved);
        let top = problem == Problem::HeavyTop;
        self.planes.par_chunks_mut(7 * self.group).with_min_len(16).for_each(|planes| {
            match (interleaved, top) {
                (1, false) => dispatch!(level, simd => by_hand::<_, E, 1, false>(simd, problem, planes)),
                (2, false) => dispatch!(level, simd => by_hand::<_, E, 2, false>(simd, problem, planes)),
                (_, false) => dispatch!(level, simd => by_hand::<_, E, 4, false>(simd, problem, planes)),
                (1, true) => dispatch!(level, simd => by_hand::<_, E, 1, true>(simd, problem, planes)),
                (2, true) => dispatch!(level, simd => by_hand::<_, E, 2, true>(simd, problem, planes)),
                (_, true) => dispatch!(level, simd => by_hand::<_, E, 4, true>(simd, problem, planes)),
            }
        });
    }

    /// Channel `channel` of instance 0.
    fn first(&self, channel: usize) -> f64 {
        self.planes[channel * self.group].to_f64()
    }
}

#[inline(always)]
fn lanes_of<S: Simd, E: Element>(_: S) -> usize {
    <E::Native<S> as SimdBase<S>>::LEN
}

/// Independent accumulators of the peak: more than latency times units, fewer than registers.
const ACCUMULATORS: usize = 12;
const PEAK_ROUNDS: usize = 1_000_000;

/// Nothing but fused multiply-adds; returns how many operations it did.
#[inline(always)]
fn multiply_adds<S: Simd, E: Element>(simd: S) -> f64 {
    simd.vectorize(
        #[inline(always)]
        || {
            let splat = |x: f64| <E::Native<S> as SimdBase<S>>::splat(simd, E::from_f64(x));
            let (factor, addend) = (black_box(splat(0.999)), black_box(splat(1e-3)));
            let mut sums = [splat(0.5); ACCUMULATORS];
            for _ in 0..PEAK_ROUNDS {
                for sum in &mut sums {
                    *sum = sum.mul_add(factor, addend);
                }
            }
            black_box(sums);
            (2 * ACCUMULATORS * PEAK_ROUNDS * <E::Native<S> as SimdBase<S>>::LEN) as f64
        },
    )
}

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
}

/// Instance-steps a second of `f`, which takes all instances through all steps.
fn rate(f: impl FnMut()) -> f64 {
    rate_of(STEPS, f)
}

/// Instance-steps a second of an `f` that takes all instances through so many steps.
fn rate_of(steps: u64, mut f: impl FnMut()) -> f64 {
    let started = Instant::now();
    f();
    (INSTANCES as u64 * steps) as f64 / started.elapsed().as_secs_f64()
}

fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The loop by hand computes what the backend does: else its speed says nothing.
fn compare<E: Element>(problem: Problem) {
    let mut backend = backend::<E>(problem);
    let mut by_hand = ByHand::<E>::new(problem, 2);
    backend.advance(0, STEPS).expect("advance");
    by_hand.advance();
    let mut planes = vec![vec![0.0; 1]; WIDTH];
    backend.read(0, &mut planes);
    for (channel, plane) in planes.iter().enumerate().take(7) {
        let difference = (plane[0] - by_hand.first(channel)).abs();
        assert!(
            difference < 5e-3,
            "{} {}: channel {channel} differs by {difference}",
            problem.name(),
            E::NAME
        );
    }
}

/// The lean loops in C, by how many vectors they hold side by side; none without gcc.
fn in_c<E: Element>(problem: Problem, folder: &Path) -> Vec<(usize, Peer)> {
    let name = if problem == Problem::FreeBody { "P1" } else { "P2" };
    let starts = (0..INSTANCES).fold(String::new(), |mut lines, i| {
        let start = problem.attitude().into_iter().chain(problem.spin(i)).map(|x| x.to_string());
        // Writing to a String cannot fail.
        let _ = writeln!(lines, "{}", start.collect::<Vec<_>>().join(" "));
        lines
    });
    let states = folder.join(name);
    std::fs::write(&states, starts).expect("starts");
    let real = if E::NAME == "f32" { "float" } else { "double" };
    let started = INTERLEAVED.map(|vectors| {
        let mut command = Command::new(ceiling(folder, real, vectors, level())?);
        Some((vectors, Peer::start(command.arg(name).arg(&states).arg("lean"), INSTANCES)?))
    });
    started.into_iter().flatten().collect()
}

/// The numbers of one turn.
struct Turn {
    backend: f64,
    /// In the order of the peers; NaN for one that ended.
    in_c: Vec<f64>,
    backend_two_threads: f64,
    by_hand: [f64; 3],
    by_hand_two_threads: f64,
    /// Operations a second.
    peak: f64,
}

const INTERLEAVED: [usize; 3] = [1, 2, 4];

/// Measures in turns and prints a line of the table.
fn table_line<E: Element>(problem: Problem, one: &rayon::ThreadPool, two: &rayon::ThreadPool, folder: &Path) {
    let mut backend = backend::<E>(problem);
    let mut hands = INTERLEAVED.map(|k| ByHand::<E>::new(problem, k));
    let mut peers = in_c::<E>(problem, folder);
    let level = level();
    let turns: Vec<Turn> = (0..TURNS)
        .map(|_| {
            let started = Instant::now();
            let operations = dispatch!(level, simd => multiply_adds::<_, E>(simd));
            let peak = operations / started.elapsed().as_secs_f64();
            let backend_rate = one.install(|| rate(|| backend.advance(0, STEPS).expect("advance")));
            let by_hand = std::array::from_fn(|k| one.install(|| rate(|| hands[k].advance())));
            let of_peer = |(_, peer): &mut (usize, Peer)| {
                peer.run(&format!("{STEPS} {H}")).map_or(f64::NAN, |(seconds, _)| STEPS as f64 / seconds)
            };
            let in_c = peers.iter_mut().map(of_peer).collect();
            Turn {
                backend: backend_rate,
                in_c,
                backend_two_threads: two.install(|| rate(|| backend.advance(0, STEPS).expect("advance"))),
                by_hand,
                by_hand_two_threads: two.install(|| rate(|| hands[2].advance())),
                peak,
            }
        })
        .collect();
    let median_of = |f: &dyn Fn(&Turn) -> f64| median(turns.iter().map(f));
    let by_hand: [f64; 3] = std::array::from_fn(|k| median_of(&|t| t.by_hand[k]));
    let best = (0..3).max_by(|a, b| by_hand[*a].total_cmp(&by_hand[*b])).unwrap_or(0);
    let c: Vec<f64> = (0..peers.len()).map(|k| median_of(&|t| t.in_c[k])).collect();
    let best_c = (0..c.len()).max_by(|a, b| c[*a].total_cmp(&c[*b]));
    let c = best_c.map_or(",,".to_string(), |k| {
        format!("{:.1},{},{:.3}", c[k] / 1e6, peers[k].0, median_of(&|t| t.backend / t.in_c[k]))
    });
    println!(
        "{},{},{},{},{:.1},{c},{:.1},{},{:.3},{:.1},{:.3},{:.3},{:.2},{:.2}",
        problem.name(),
        E::NAME,
        INSTANCES,
        STEPS,
        median_of(&|t| t.backend) / 1e6,
        by_hand[best] / 1e6,
        INTERLEAVED[best],
        median_of(&|t| t.backend / t.by_hand[best]),
        median_of(&|t| t.peak) / 1e9,
        median_of(&|t| t.backend * problem.operations() / t.peak),
        median_of(&|t| t.by_hand[best] * problem.operations() / t.peak),
        median_of(&|t| t.backend_two_threads / t.backend),
        median_of(&|t| t.by_hand_two_threads / t.by_hand[2]),
    );
}

fn table() {
    let (one, two) = (pool(1), pool(2));
    println!("\nMedians of {TURNS} turns, rates in 1e6 instance-steps/s, one thread unless said:");
    println!(
        "problem,precision,instances,steps,backend,lean_C,lean_C_vectors,backend_of_lean_C,\
         by_hand,by_hand_vectors,backend_of_by_hand,peak_GFLOP/s,\
         backend_of_peak,by_hand_of_peak,backend_2_threads,by_hand_2_threads"
    );
    let folder = tempfile::tempdir().expect("a folder");
    for problem in Problem::ALL {
        table_line::<f32>(problem, &one, &two, folder.path());
        table_line::<f64>(problem, &one, &two, folder.path());
    }
    closed_form::table(&one, folder.path());
}

fn one_by_one<E: Element>(criterion: &mut Criterion, problem: Problem) {
    let mut group = criterion.benchmark_group(format!("{} {}", problem.name(), E::NAME));
    group.sample_size(10).throughput(Throughput::Elements(INSTANCES as u64 * STEPS));
    let mut backend = backend::<E>(problem);
    for threads in [1, 2] {
        let pool = pool(threads);
        let name = format!("backend, {threads} thread{}", if threads == 1 { "" } else { "s" });
        group.bench_function(name, |b| {
            b.iter(|| pool.install(|| backend.advance(0, STEPS).expect("advance")));
        });
    }
    let pool = pool(1);
    for interleaved in INTERLEAVED {
        let mut by_hand = ByHand::<E>::new(problem, interleaved);
        group.bench_function(format!("by hand, {interleaved} side by side"), |b| {
            b.iter(|| pool.install(|| by_hand.advance()));
        });
    }
    group.finish();
}

fn main() {
    let tested_only = std::env::args().any(|a| a == "--test");
    let mut criterion = Criterion::default()
        .warm_up_time(std::time::Duration::from_millis(300))
        .measurement_time(std::time::Duration::from_secs(1))
        .configure_from_args();
    for problem in Problem::ALL {
        compare::<f32>(problem);
        compare::<f64>(problem);
        one_by_one::<f32>(&mut criterion, problem);
        one_by_one::<f64>(&mut criterion, problem);
    }
    criterion.final_summary();
    if !tested_only {
        table();
    }
}
