//! The results of a measurement of speed: tables, answers and figures, and which of them are not
//! to be relied on.

use super::{Engine, Runner, ThroughputMeasurement, ThroughputRun};
use crate::base::{Precision, grouped, quantity};
use crate::describe::{Unexplained, bounds};
use crate::output::figures::{Curve, Figure, PlottedQuantity};
use crate::output::{Cells, Listed, Listing, THROUGHPUT, spread};
use crate::study::judge::{EndError, ErrorLabels, median_and_spread};

impl ThroughputRun<'_> {
    /// The spread of a rung's share of the peak: of a ratio, at most the sum of both.
    fn share_spread(&self, measurement: &ThroughputMeasurement) -> f64 {
        self.each(measurement, &measurement.kernel).1
            + median_and_spread(&self.runners[measurement.runner].peaks).1
    }

    /// The share of the peak that a rung's kernel seems to reach.
    fn share(&self, measurement: &ThroughputMeasurement) -> f64 {
        let runner = &self.runners[measurement.runner];
        runner.operations / self.each(measurement, &measurement.kernel).0 / median_and_spread(&runner.peaks).0
    }

    /// Returns which measurements are not to be relied on and why, in sentences: figures that
    /// spread, shares above 1, and what a software adapter does not tell.
    pub(super) fn doubts(&self) -> Vec<String> {
        let mut doubts = Vec::new();
        for (r, runner) in self.runners.iter().enumerate() {
            let own = || self.rungs.iter().filter(move |measurement| measurement.runner == r);
            let spreads: Vec<f64> =
                own().map(|measurement| self.each(measurement, &measurement.kernel).1).collect();
            let doubtful = spreads.iter().filter(|s| !spread::reliable(**s)).count();
            if doubtful > 0 {
                // A speed that was measured once comes before any spread.
                let largest = spreads.iter().copied().max_by(f64::total_cmp).unwrap_or(f64::NAN);
                let up_to = match largest.is_nan() {
                    true => "measured once".to_string(),
                    false => format!("spread up to {:.0} %", 100.0 * largest),
                };
                doubts.push(format!(
                    "{}: {doubtful} of {} speeds are not to be relied on ({up_to})",
                    runner.label,
                    spreads.len()
                ));
            }
            let worst = own().max_by(|a, b| self.share(a).total_cmp(&self.share(b)));
            let impossible = worst.and_then(|measurement| {
                let (kernel, peak) =
                    (self.each(measurement, &measurement.kernel).1, median_and_spread(&runner.peaks).1);
                let why = spread::impossible_share(self.share(measurement), kernel, peak)?;
                Some(format!("{}, {} instances: {why}", runner.label, grouped(measurement.size)))
            });
            doubts.extend(impossible);
            if runner.software {
                doubts.push(format!(
                    "{}: the adapter computes on the processor; these speeds say nothing of a GPU, and no \
                     size is given from which on one is faster",
                    runner.label
                ));
            }
        }
        doubts
    }

    /// Median and spread of a rung's time of an instance-step (s): of the kernel, or from end to
    /// end.
    fn each(&self, measurement: &ThroughputMeasurement, times: &[f64]) -> (f64, f64) {
        let (median, spread) = median_and_spread(times);
        (median / (measurement.size * measurement.steps) as f64, spread)
    }

    pub(super) fn rung_listing(&self) -> Listing {
        let judged = ErrorLabels::in_motions_of(&self.study.mechanism);
        let rungs = || self.rungs.iter().map(|measurement| (measurement, &self.runners[measurement.runner]));
        let listed = |f: &dyn Fn(&ThroughputMeasurement, &Runner) -> f64| -> Vec<f64> {
            rungs().map(|(measurement, runner)| f(measurement, runner)).collect()
        };
        let numbers = |f: &dyn Fn(&ThroughputMeasurement, &Runner) -> f64| Cells::Numbers(listed(f));
        let counts =
            |f: &dyn Fn(&ThroughputMeasurement) -> u64| Cells::Counts(self.rungs.iter().map(f).collect());
        let spreads = listed(&|measurement, _| self.each(measurement, &measurement.kernel).1);
        let end_to_end_spreads = listed(&|measurement, _| self.each(measurement, &measurement.end_to_end).1);
        let largest = format!("Largest {} of the judged instances after the study's duration.", judged.error);
        let listing = THROUGHPUT.listing([
            Cells::Text(rungs().map(|(_, runner)| runner.label.clone()).collect()),
            Cells::Text(rungs().map(|(_, runner)| runner.precision.name().to_string()).collect()),
            counts(&|measurement| measurement.size),
            counts(&|measurement| measurement.steps),
            numbers(&|measurement, _| 1.0 / self.each(measurement, &measurement.kernel).0),
            numbers(&|measurement, _| 1e9 * self.each(measurement, &measurement.kernel).0),
            Cells::Numbers(spreads.clone()),
            numbers(&|_, runner| runner.operations),
            numbers(&|_, runner| median_and_spread(&runner.peaks).0),
            numbers(&|_, runner| median_and_spread(&runner.peaks).1),
            numbers(&|measurement, _| self.share(measurement)),
            numbers(&|measurement, _| 1.0 / self.each(measurement, &measurement.end_to_end).0),
            Cells::Numbers(end_to_end_spreads.clone()),
            counts(&|measurement| measurement.failed),
            numbers(&|_, runner| runner.largest(|e| e.attitude)),
            numbers(&|_, runner| runner.largest(|e| e.position)),
        ]);
        let shares = listed(&|measurement, _| self.share_spread(measurement));
        listing
            .with("rate", |column| column.repeated(spreads.clone()))
            .with("cost", |column| column.repeated(spreads))
            .with("share_of_peak", |column| column.repeated(shares).bounded(1.0))
            .with("end_to_end_rate", |column| column.repeated(end_to_end_spreads))
            .with("attitude_error", |column| judged.column(column.described(largest)))
            .unshown(&["precision", "operations", "peak", "peak_spread", "end_to_end_spread"])
            .unshown(self.without_error())
    }

    /// Columns of errors that say nothing: bodies that do not turn, or that stay where they are.
    fn without_error(&self) -> &'static [&'static str] {
        let any = |size: fn(&EndError) -> f64| self.runners.iter().any(|runner| runner.largest(size) != 0.0);
        match (any(|error| error.attitude.max(error.angular_velocity)), any(|error| error.position)) {
            (false, true) => &["attitude_error", "angular_velocity_error"],
            (_, false) => &["position_error"],
            (true, true) => &[],
        }
    }

    pub(super) fn accuracy_listing(&self) -> Listing {
        let judged = ErrorLabels::in_motions_of(&self.study.mechanism);
        let numbers = |f: &dyn Fn(&Runner) -> f64| -> Vec<f64> { self.runners.iter().map(f).collect() };
        let unexplained = bounds::unexplained(&self.study.mechanism, &self.study.ensemble.vary);
        let keeps_energy = unexplained == Unexplained::Change;
        let columns = vec![
            Listed::text(
                "backend",
                "What computes, and in which precision.",
                self.runners.iter().map(|runner| runner.label.clone()).collect(),
            ),
            Listed::text(
                "device",
                "hardware, or software: then nothing is learned of a GPU.",
                self.runners
                    .iter()
                    .map(|runner| if runner.software { "software" } else { "hardware" }.to_string())
                    .collect(),
            ),
            judged.column(Listed::numbers(
                "attitude_error",
                "rad",
                format!("{}, after the study's duration, of the judged instances the largest.", judged.how),
                numbers(&|runner| runner.largest(|e| e.attitude)),
            )),
            Listed::numbers(
                "angular_velocity_error",
                "rad/s",
                "Largest distance from the accurate angular velocity then.",
                numbers(&|runner| runner.largest(|e| e.angular_velocity)),
            ),
            Listed::numbers(
                "position_error",
                "m",
                "Largest distance from a body's accurate place then.",
                numbers(&|runner| runner.largest(|e| e.position)),
            ),
            Listed::numbers(
                "energy_drift",
                "1",
                "Largest |E - E0| / (T0 + |V0|) then, of a mechanism that neither takes nor brings energy.",
                numbers(&|runner| match keeps_energy {
                    true => runner.largest(|e| e.energy_drift),
                    false => f64::NAN,
                }),
            ),
            Listed::numbers(
                "peak",
                "GFLOP/s",
                "Of a loop of fused multiply-adds, each counted as two.",
                numbers(&|runner| median_and_spread(&runner.peaks).0 / 1e9),
            )
            .repeated(numbers(&|runner| median_and_spread(&runner.peaks).1)),
            Listed::numbers(
                "operations",
                "1",
                "Of an instance-step, a fused multiply-add counted as two.",
                numbers(&|runner| runner.operations),
            ),
        ];
        let listing = Listing { description: "One row a backend: what its speed is worth.", columns };
        listing.unshown(self.without_error())
    }

    /// Where each adapter of hardware overtakes the CPU with most threads. A software adapter is
    /// the CPU.
    pub(super) fn crossover_listing(&self) -> Listing {
        let mut rows = Vec::new();
        let hardware = |r: &Runner| r.engine == Engine::Gpu && !r.software;
        for (g, gpu) in self.runners.iter().enumerate().filter(|(_, r)| hardware(r)) {
            let best = self.runners.iter().enumerate().filter(|(_, r)| r.engine == Engine::Cpu);
            let best = best.filter(|(_, r)| r.precision == gpu.precision).max_by_key(|(_, r)| r.threads);
            let Some((c, _)) = best else { continue };
            let kernel = self.crossover(g, c, &|measurement| &measurement.kernel);
            let whole = self.crossover(g, c, &|measurement| &measurement.end_to_end);
            let worst = |times: &dyn Fn(&ThroughputMeasurement) -> &Vec<f64>| {
                let own = self
                    .rungs
                    .iter()
                    .filter(|measurement| measurement.runner == g || measurement.runner == c);
                own.map(|measurement| self.each(measurement, times(measurement)).1)
                    .fold(0.0, |a: f64, b| a.max(b))
            };
            let spreads =
                [worst(&|measurement| &measurement.kernel), worst(&|measurement| &measurement.end_to_end)];
            rows.push((gpu.label.clone(), kernel, whole, spreads));
        }
        let columns = vec![
            Listed::text("gpu", "The adapter.", rows.iter().map(|row| row.0.clone()).collect()),
            Listed::numbers(
                "kernel",
                "1",
                "Instances from which on its kernel is faster.",
                rows.iter().map(|row| row.1).collect(),
            )
            .repeated(rows.iter().map(|row| row.3[0]).collect()),
            Listed::numbers(
                "end_to_end",
                "1",
                "Instances from which on it is faster from end to end.",
                rows.iter().map(|row| row.2).collect(),
            )
            .repeated(rows.iter().map(|row| row.3[1]).collect()),
        ];
        Listing { description: "One row an adapter and precision.", columns }
    }

    /// The size from which on the first runner is faster, on a straight line between logarithms;
    /// NaN: there is none.
    fn crossover(&self, gpu: usize, cpu: usize, times: &dyn Fn(&ThroughputMeasurement) -> &Vec<f64>) -> f64 {
        // Size and the ratio of costs, at the most steps that both took.
        let ratio = |size: u64| -> Option<(f64, f64)> {
            let cost = |runner: usize, steps: u64| {
                let mut rungs = self.rungs.iter().filter(|r| r.runner == runner && r.size == size);
                rungs.find(|r| r.steps == steps).map(|r| self.each(r, times(r)).0)
            };
            let mut steps = self.asked.steps.iter().rev();
            let ratio =
                steps.find_map(|s| Some(cost(gpu, *s)? / cost(cpu, *s)?).filter(|x| x.is_finite()))?;
            Some(((size as f64).ln(), ratio.ln()))
        };
        overtakes(&self.asked.sizes.iter().filter_map(|size| ratio(*size)).collect::<Vec<_>>())
    }

    /// By precision, what is quickest, of what is to be relied on.
    pub(super) fn answers(&self) -> Vec<String> {
        let answer = |precision: &Precision| {
            let of_it = |measurement: &&ThroughputMeasurement| {
                self.runners[measurement.runner].precision == *precision
            };
            let measured = self
                .rungs
                .iter()
                .filter(of_it)
                .map(|measurement| (measurement, self.each(measurement, &measurement.kernel)));
            let reliable =
                measured.filter(|(_, (cost, spread))| cost.is_finite() && spread::reliable(*spread));
            let (measurement, (cost, _)) = reliable.min_by(|a, b| a.1.0.total_cmp(&b.1.0))?;
            Some(format!(
                "Quickest in {}: {}, with {} instances {} an instance-step.",
                precision.name(),
                self.runners[measurement.runner].label,
                grouped(measurement.size),
                quantity(1e9 * cost, 3, "ns")
            ))
        };
        self.asked.precisions.iter().filter_map(answer).collect()
    }

    pub(super) fn figures(&self) -> Vec<Figure> {
        let mut figures = Vec::new();
        let label = |runner: &Runner| {
            runner.label.trim_end_matches(runner.precision.name()).trim_end_matches(", ").to_string()
        };
        // A backend has one colour in all figures.
        let mut labels: Vec<String> = Vec::new();
        for runner in &self.runners {
            if !labels.contains(&label(runner)) {
                labels.push(label(runner));
            }
        }
        for &precision in &self.asked.precisions {
            let curves = |times: &dyn Fn(&ThroughputMeasurement) -> &Vec<f64>| -> Vec<Curve> {
                let curve = |(r, runner): (usize, &Runner)| {
                    let mut points: Vec<(f64, f64)> = Vec::new();
                    for measurement in self.rungs.iter().filter(|measurement| measurement.runner == r) {
                        let cost = 1e9 * self.each(measurement, times(measurement)).0;
                        if !cost.is_finite() {
                            continue;
                        }
                        // The largest of several numbers of steps is drawn; it comes last.
                        points.retain(|(size, _)| *size != measurement.size as f64);
                        points.push((measurement.size as f64, cost));
                    }
                    let label = label(runner);
                    let style = labels.iter().position(|known| *known == label).unwrap_or_default();
                    Curve::new(label, points).styled(style)
                };
                let own = self.runners.iter().enumerate().filter(|(_, r)| r.precision == precision);
                own.map(curve).filter(|curve| !curve.points.is_empty()).collect()
            };
            let figure = |name, otherwise: &str, what: &str, curves: Vec<Curve>| Figure {
                name,
                title: lowest(&curves).unwrap_or_else(|| otherwise.to_string()),
                caption: format!(
                    "Time an instance-step {what}, median of the turns, over the number of instances, {}; of \
                     several numbers of steps the most. {}, h = {} s.",
                    precision.name(),
                    self.study.method.summary(),
                    self.study.method.step
                ),
                x: PlottedQuantity::logarithmic("instances", "1"),
                y: PlottedQuantity::logarithmic("time an instance-step", "ns"),
                curves,
                marked: true,
            };
            let (cost, whole, titles) = match precision {
                Precision::F32 => (
                    "cost_f32",
                    "end_to_end_f32",
                    ["Cost against size in f32", "Cost against size in f32, end to end"],
                ),
                Precision::F32Compensated => (
                    "cost_f32_compensated",
                    "end_to_end_f32_compensated",
                    [
                        "Cost against size in f32_compensated",
                        "Cost against size in f32_compensated, end to end",
                    ],
                ),
                Precision::F64 => (
                    "cost_f64",
                    "end_to_end_f64",
                    ["Cost against size in f64", "Cost against size in f64, end to end"],
                ),
            };
            let kernel = curves(&|measurement| &measurement.kernel);
            if !kernel.is_empty() {
                figures.push(figure(cost, titles[0], "of the kernel", kernel));
            }
            let from_end_to_end = curves(&|measurement| &measurement.end_to_end);
            if !from_end_to_end.is_empty() {
                let what = "from drawing the instances to the table of their ends";
                figures.push(figure(whole, titles[1], what, from_end_to_end));
            }
        }
        figures
    }
}

/// The curve that comes lowest, as a title: `CPU, 2 threads: 0.46 ns at 10,000 instances`.
fn lowest(curves: &[Curve]) -> Option<String> {
    let all = curves.iter().flat_map(|curve| curve.points.iter().map(move |point| (&curve.label, *point)));
    let (label, (size, cost)) = all.min_by(|a, b| a.1.1.total_cmp(&b.1.1))?;
    Some(format!(
        "{label}: {} an instance-step at {} instances",
        quantity(cost, 3, "ns"),
        grouped(size as u64)
    ))
}

/// Where a curve of logarithms of ratios over logarithms of sizes falls below zero for good; NaN:
/// nowhere.
pub(super) fn overtakes(points: &[(f64, f64)]) -> f64 {
    let slower = points.iter().rposition(|(_, ratio)| *ratio >= 0.0);
    match (slower, points.last()) {
        (None, Some(_)) => points[0].0.exp(),
        (Some(k), _) if k + 1 < points.len() => {
            let [(x0, r0), (x1, r1)] = [points[k], points[k + 1]];
            (x0 + (x1 - x0) * r0 / (r0 - r1)).exp()
        }
        _ => f64::NAN,
    }
}
