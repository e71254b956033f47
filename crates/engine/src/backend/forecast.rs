//! A forecast of the time that a run takes on each backend: `auto` takes the quicker one.
//!
//! ```text
//! CPU:  compiling + sum over batches of
//!       ceil(groups / threads) * steps * time of a step in the trial
//! GPU:  opening + lines * time of a line + sum over batches of
//!       snapshots * latency + operations * max(instances / rate, 1 / rate of a lane)
//! ```
//!
//! Operations are those of an instance from start to end, attempts of own steps among them. Rates
//! of a GPU are those of the adapter's class, each times a factor that runs on this device have
//! taught ([`Learned`]). That of the CPU is measured by a [`CpuTrial`]; parts of a run, which are
//! to choose alike on like machines, take the rate of its vectors' width. What both backends do
//! alike (drawing, writing, looking) is left out.

use super::forecast_time::Forecast;
use super::learned::Learned;
use crate::base::Precision;

/// Lanes that the CPU advances together.
const LANES: u64 = 64;

/// Operations that a thread of the CPU does in a second, of short programs, by lanes of f64 in a
/// vector; half as many in f64 as in f32.
/// A step of so many operations halves that: its numbers go through the cache. Measured with
/// AVX-512: 2.7e10 (free body) to 8.8e9 (an arm of 19,000 operations).
const OF_A_LANE: f64 = 2.25e9;
const HALVED_AT: f64 = 15_000.0;

/// A kernel of more lines has more numbers than a thread has registers: all of them go through
/// memory.
const SPILLS: usize = 8_000;

/// The share of its time that a kernel takes which the driver has in its cache.
const CACHED: f64 = 0.03;

/// Attempts of own steps inside a step of the study, where they were not counted.
pub const ATTEMPTS: f64 = 20.0;

/// A run, counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Counts {
    pub precision: Precision,
    /// Lines of the kernel.
    pub lines: usize,
    /// Operations of a step, or of an attempt of own steps, and attempts inside a step.
    pub operations: f64,
    pub attempts: f64,
    pub steps: f64,
    /// Snapshots of a batch.
    pub snapshots: f64,
    /// Kernels of that kind that are compiled, each on a device that is opened for it: of layers,
    /// of ways.
    pub kernels: usize,
    /// Instances of the batches, which are advanced one after the other.
    pub batches: Vec<u64>,
}

impl Counts {
    /// Operations of an instance from start to end.
    fn each(&self) -> f64 {
        self.operations * self.attempts * self.steps
    }
}

/// A trial of a run's first instances on the CPU, a group of lanes on each thread.
#[derive(Clone, Copy, Debug)]
pub struct CpuTrial {
    /// Attempts of own steps inside a step of the study.
    pub attempts: f64,
    /// Operations of the step, or of the attempt, that was tried.
    pub operations: f64,
    /// Time in which it was recorded and compiled (s).
    pub compiling: f64,
    /// Time of a step of the study (s).
    pub step: f64,
}

/// The speed of a class of adapters. By precision: f32, then f64.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed {
    /// Time to open the device (s).
    opening: f64,
    /// Time to compile a line of a kernel (s).
    line: [f64; 2],
    /// Operations a second with all lanes busy, and of one lane, which waits for each result.
    all: [f64; 2],
    lane: [f64; 2],
    /// Operations a second of kernels that spill, with all lanes busy.
    spilling: f64,
    /// Time of a snapshot, however few instances there are (s).
    snapshot: f64,
}

/// Measured on an NVIDIA H100 and an H200 (benches/results, 2026-11-26): kernels of 850 to 31,000
/// lines compile at 0.14 to 0.2 ms (f32) and 0.22 to 0.37 ms (f64) a line; lanes do 1e8 to 4.7e8
/// operations a second in f64.
const DATA_CENTRE: Speed = Speed {
    opening: 0.15,
    line: [1.8e-4, 2.8e-4],
    all: [3.3e13, 1.2e13],
    lane: [4e8, 2e8],
    spilling: 5e11,
    snapshot: 3e-4,
};

/// Not measured: a third of the speed in f32, and in f64 a thirty-second part of that, as makers
/// state of cards for desktops and laptops.
const DESKTOP: Speed = Speed { all: [1e13, 3e11], lane: [3e8, 1e7], spilling: 1.5e11, ..DATA_CENTRE };

/// Not measured: a tenth of that, as a part of a processor has it.
const INTEGRATED: Speed = Speed { all: [1e12, 3e10], lane: [1e8, 3e6], spilling: 3e10, ..DATA_CENTRE };

/// Names of adapters with as much double precision as half of their single precision.
const OF_DATA_CENTRES: [&str; 11] =
    ["H100", "H200", "H800", "GH200", "B100", "B200", "GB200", "A100", "V100", "P100", "Instinct"];

impl Speed {
    /// No device is open sooner (s).
    pub const SOONEST: f64 = 0.1;

    /// Names and kinds are those of adapters (see `AdapterSummary`).
    pub fn of(name: &str, kind: &str) -> Speed {
        match kind {
            _ if OF_DATA_CENTRES.iter().any(|known| name.contains(known)) => DATA_CENTRE,
            "integrated" => INTEGRATED,
            _ => DESKTOP,
        }
    }
}

/// The time on so many threads with vectors of so many f64.
pub fn on_cpu(counts: &Counts, threads: usize, lanes: f64) -> Forecast {
    let narrower = [2.0, 1.0][counts.precision.place()];
    let rate = narrower * lanes * OF_A_LANE / (1.0 + counts.operations / HALVED_AT);
    let stepping = rounds(counts, threads) * LANES as f64 * counts.each() / rate;
    Forecast { stepping, ..Forecast::default() }
}

/// The time on so many threads that the trial was made on.
pub fn by_trial(counts: &Counts, threads: usize, trial: &CpuTrial) -> Forecast {
    let step = trial.step * counts.operations / trial.operations;
    let stepping = rounds(counts, threads) * counts.steps * step;
    Forecast { preparing: trial.compiling * counts.kernels as f64, waiting: 0.0, stepping }
}

/// Groups of lanes that each thread takes, one after the other.
fn rounds(counts: &Counts, threads: usize) -> f64 {
    let rounds = |instances: &u64| instances.div_ceil(LANES).div_ceil(threads as u64) as f64;
    counts.batches.iter().map(rounds).sum()
}

/// The time on an adapter of this speed.
pub fn on_gpu(counts: &Counts, speed: &Speed, kernel: u64, learned: &Learned) -> Forecast {
    let p = counts.precision.place();
    let all = if counts.lines > SPILLS { speed.spilling.min(speed.all[p]) } else { speed.all[p] };
    let stepping = |instances: &u64| counts.each() * (*instances as f64 / all).max(1.0 / speed.lane[p]);
    let compiling = speed.line[p] * counts.lines as f64;
    let known = if learned.has_compiled(kernel) { CACHED } else { 1.0 };
    Forecast {
        preparing: counts.kernels as f64 * (speed.opening + compiling * learned.compiling[p] * known),
        waiting: counts.batches.len() as f64 * counts.snapshots * speed.snapshot * learned.waiting,
        stepping: counts.batches.iter().map(stepping).sum::<f64>() * learned.stepping[p],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run: its kernel, what it does, and the wall-clock times (s) on the GPU and on 16 threads
    /// with AVX-512.
    struct Measured {
        study: &'static str,
        counts: Counts,
        gpu: f64,
        cpu: f64,
    }

    fn run(
        study: &'static str,
        (lines, operations): (usize, f64),
        (steps, snapshots): (f64, f64),
        (kernels, batches): (usize, &[u64]),
        [gpu, cpu]: [f64; 2],
    ) -> Measured {
        let (precision, batches) = (Precision::F64, batches.to_vec());
        let counts =
            Counts { precision, lines, operations, attempts: 1.0, steps, snapshots, kernels, batches };
        Measured { study, counts, gpu, cpu }
    }

    const P: u64 = 1024;

    /// As `/benches/results/2026-11-26-h100-whole-runs.md` has them, f64, the first run of each.
    fn on_an_h100() -> Vec<Measured> {
        vec![
            run("tumbling", (438, 73.0), (5e4, 501.0), (1, &[P, 65_536, 34_464]), [1.31, 1.38]),
            run("arm", (20_466, 19_423.0), (750.0, 76.0), (1, &[P, 2000]), [7.8, 1.9]),
            run("furuta_sensitivity", (6365, 4077.0), (2000.0, 101.0), (1, &[8192]), [2.24, 0.68]),
            run("map_free_body", (829, 829.0), (1e5, 2.0), (3, &[468; 3]), [2.24, 1.37]),
            run("map_cart_pole", (1311, 696.0), (3000.0, 2.0), (1, &[25_600]), [1.04, 0.53]),
            run("map_slider_crank", (1662, 922.0), (2000.0, 2.0), (1, &[10_000]), [0.88, 0.28]),
            run("cart_pole", (1632, 938.0), (6000.0, 121.0), (1, &[P, 10_000]), [1.49, 0.85]),
            run("spacecraft", (849, 206.0), (12_000.0, 241.0), (1, &[P, 10_000]), [1.10, 0.57]),
            run("four_bar", (2667, 1252.0), (20_000.0, 201.0), (1, &[P, 5000]), [1.79, 1.27]),
            run("double_pendulum", (2816, 1568.0), (20_000.0, 201.0), (1, &[P, 10_000]), [1.59, 1.40]),
            run("rolling_ball", (1822, 926.0), (10_000.0, 201.0), (1, &[P, 5000]), [1.09, 0.61]),
            run("cubesat", (903, 704.0), (24_000.0, 121.0), (1, &[P, 10_000]), [0.90, 1.10]),
        ]
    }

    /// As an H200 took for them.
    fn on_an_h200() -> Vec<Measured> {
        let f32s = |mut run: Measured| {
            run.counts.precision = Precision::F32;
            run
        };
        let with_own_steps = |mut run: Measured| {
            run.counts.attempts = ATTEMPTS;
            run
        };
        let millions = [P, 65_536, 262_144, 1 << 20, 1 << 21, 1 << 21, 1 << 21, 1 << 21, 230_000];
        vec![
            f32s(run("tumbling", (438, 73.0), (5e4, 501.0), (1, &[P, 65_536, 34_464]), [0.95, 1.04])),
            // Not run on the CPU: 1.2e10 instance-steps/s of others.
            f32s(run("tumbling, 10^7", (438, 73.0), (5e4, 501.0), (1, &millions), [5.55, 42.0])),
            run("arm", (20_466, 19_423.0), (750.0, 76.0), (1, &[P, 2000]), [7.2, 1.06]),
            run("furuta_chaos", (31_491, 13_107.0), (5e4, 101.0), (2, &[576; 4]), [41.0, 23.6]),
            run("furuta_sensitivity", (6365, 4077.0), (2000.0, 101.0), (1, &[8192]), [2.1, 0.62]),
            run("map_free_body", (829, 829.0), (1e5, 2.0), (3, &[468; 3]), [2.2, 1.14]),
            run("map_cart_pole", (1311, 696.0), (3000.0, 2.0), (1, &[25_600]), [0.78, 0.44]),
            run("map_slider_crank", (1662, 922.0), (2000.0, 2.0), (1, &[10_000]), [0.66, 0.21]),
            with_own_steps(run(
                "stiffness_decades",
                (1081, 884.0),
                (40.0, 41.0),
                (1, &[P, 10_000]),
                [0.67, 0.30],
            )),
            run("cubesat", (903, 704.0), (24_000.0, 121.0), (1, &[P, 10_000]), [0.94, 1.01]),
        ]
    }

    #[test]
    fn the_quicker_backend_of_measured_runs_is_foretold() {
        let nothing = Learned::default();
        for (name, runs) in [("NVIDIA H100 80GB HBM3", on_an_h100()), ("NVIDIA H200", on_an_h200())] {
            let speed = Speed::of(name, "discrete");
            for Measured { study, counts, gpu, cpu } in runs {
                let foretold = [on_gpu(&counts, &speed, 0, &nothing), on_cpu(&counts, 16, 8.0)];
                let [on_gpu, on_cpu] = foretold.map(|forecast| forecast.total());
                println!("{name}, {study}: {on_gpu:.2} and {on_cpu:.2} s foretold, {gpu} and {cpu} s taken");
                let taken = if on_gpu < on_cpu { gpu } else { cpu };
                assert!(taken <= 1.1 * gpu.min(cpu), "{name}, {study}");
            }
        }
    }

    /// Three attempts a step take three times as long, at the same rate: the rate is that of one
    /// attempt.
    #[test]
    fn attempts_multiply_the_time_of_steps() {
        let (nothing, speed) = (Learned::default(), Speed::of("NVIDIA H200", "discrete"));
        for Measured { counts, .. } in on_an_h200() {
            let counts = [1.0, 3.0].map(|attempts| Counts { attempts, ..counts.clone() });
            let forecasts = [
                counts.each_ref().map(|counts| on_gpu(counts, &speed, 0, &nothing)),
                counts.each_ref().map(|counts| on_cpu(counts, 16, 8.0)),
            ];
            for [one, three] in forecasts {
                assert!((three.stepping / one.stepping - 3.0).abs() < 1e-12, "{one:?} {three:?}");
                assert_eq!((three.preparing, three.waiting), (one.preparing, one.waiting));
            }
        }
    }

    #[test]
    fn adapters_are_of_a_class() {
        assert_eq!(Speed::of("NVIDIA H200", "discrete"), DATA_CENTRE);
        assert_eq!(Speed::of("AMD Instinct MI300X", "discrete"), DATA_CENTRE);
        assert_eq!(Speed::of("NVIDIA GeForce RTX 4060 Laptop GPU", "discrete"), DESKTOP);
        assert_eq!(Speed::of("Intel(R) Iris(R) Xe Graphics", "integrated"), INTEGRATED);
    }

    #[test]
    fn a_kernel_that_the_driver_knows_is_opened_sooner() {
        let [arm, pendulum] = [1, 9].map(|run| on_an_h100().remove(run).counts);
        let speed = Speed::of("NVIDIA H100 80GB HBM3", "discrete");
        let mut learned = Learned::default();
        let first = on_gpu(&arm, &speed, 7, &learned);
        learned.learn(Precision::F64, 7, &first, &first);
        let again = on_gpu(&arm, &speed, 7, &learned);
        assert!(again.preparing < 0.1 * first.preparing, "{first:?} {again:?}");
        // The double pendulum took 0.76 s the second time, and 1.40 s on the CPU.
        learned.learn(Precision::F64, 8, &first, &first);
        let cpu = on_cpu(&pendulum, 16, 8.0);
        assert!(on_gpu(&pendulum, &speed, 8, &learned).total() < cpu.total());
    }
}
