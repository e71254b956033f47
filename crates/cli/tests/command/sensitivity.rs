//! Sensitivity studies: indices of functions whose indices are known, on the points that the
//! sampler gives; mechanisms whose outputs are such functions, through the whole study; and what a
//! user may do with it.

use std::f64::consts::{PI, TAU};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::command::{contents, ends_with, names, path};
use crate::common::engine::Quiet;
use crate::common::free_body;
use crate::common::root;
use crate::common::study::{Varied, study};
use polhode::describe::{Design, Distribution, Quantity, Screening, Sensitivity, Study};
use polhode::ensemble::Sampler;
use polhode::observe::indices::{Estimate, RESAMPLES, Shares, effects, pairs, shares};
use polhode::study::Listener;
use polhode::study_file::read_study;
use tempfile::TempDir;

/// A study of numbers that mean nothing, of which the sampler draws the inputs of a function.
fn screening_study(
    method: Screening,
    samples: u64,
    design: Design,
    seed: u64,
    vary: impl Fn(Study) -> Study,
) -> Study {
    let sensitivity = Sensitivity { method, samples };
    let mut study = vary(study(free_body([2.0; 3], [1.0, 0.0, 0.0, 0.0], [0.0; 3]), 1, 1e-3, 1));
    study.kind = sensitivity.into();
    study.ensemble.design = design;
    study.ensemble.seed = seed;
    let inputs: usize =
        study.ensemble.vary.iter().map(|v| polhode::ensemble::sampling::inputs_of(v).unwrap().len()).sum();
    study.ensemble.size = samples * sensitivity.places(inputs);
    study
}

/// The function at every instance of the design.
fn values(study: &Study, f: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    let sampler = Sampler::new(study).unwrap();
    let mut drawn = vec![0.0; sampler.width()];
    (0..study.ensemble.size)
        .map(|instance| {
            sampler.draw(instance, &mut drawn);
            f(&drawn)
        })
        .collect()
}

const FIRST: Screening = Screening::Sobol { second_order: false };
const WITH_PAIRS: Screening = Screening::Sobol { second_order: true };

fn cube(study: Study) -> Study {
    study.uniform(Quantity::Gravity, [-PI; 3], [PI; 3])
}

/// T. Ishigami and T. Homma (1990), a = 7, b = 0.1.
fn ishigami(x: &[f64]) -> f64 {
    x[0].sin() + 7.0 * x[1].sin().powi(2) + 0.1 * x[2].powi(4) * x[0].sin()
}

/// First-order and total indices of it, and those of pairs (1, 2), (1, 3), (2, 3).
fn ishigami_indices() -> ([f64; 3], [f64; 3], [f64; 3]) {
    let (a, b) = (7.0, 0.1);
    let first = [0.5 * (1.0 + b * PI.powi(4) / 5.0).powi(2), a * a / 8.0, 0.0];
    let together = b * b * PI.powi(8) * (1.0 / 18.0 - 1.0 / 50.0);
    let variance = first[0] + first[1] + together;
    let total = [first[0] + together, first[1], together];
    let share = |x: [f64; 3]| x.map(|x| x / variance);
    (share(first), share(total), share([0.0, together, 0.0]))
}

fn holds(estimate: Estimate, truth: f64) -> bool {
    estimate.low <= truth && truth <= estimate.high
}

#[track_caller]
fn assert_near(what: &str, estimates: &[Estimate], truths: &[f64], tolerance: f64) {
    assert_eq!(estimates.len(), truths.len());
    for (j, (estimate, truth)) in estimates.iter().zip(truths).enumerate() {
        let slack = 1e-3;
        let within = estimate.low - slack <= *truth && *truth <= estimate.high + slack;
        assert!(within && (estimate.value - truth).abs() < tolerance, "{what} {j}: {estimate:?}, {truth}");
    }
}

#[test]
fn indices_of_ishigamis_function_are_known() {
    let (first, total, second) = ishigami_indices();
    for (found, published) in first.iter().chain(&total).zip([0.3139, 0.4424, 0.0, 0.5576, 0.4424, 0.2437]) {
        assert!((found - published).abs() < 5e-5);
    }
    // Errors of random points go as 1/sqrt(N): 0.03 for 4096 rows. Sobol points do better by far.
    for (design, tolerance) in
        [(Design::Sobol, 0.012), (Design::Random, 0.08), (Design::LatinHypercube, 0.08)]
    {
        let study = screening_study(WITH_PAIRS, 4096, design, 5, cube);
        let found = shares(&values(&study, ishigami), 3, true, RESAMPLES, 5);
        assert_eq!(found.rows, 4096);
        let what = format!("{design:?}");
        assert_near(&format!("{what} first"), &found.first, &first, tolerance);
        assert_near(&format!("{what} total"), &found.total, &total, tolerance);
        assert_near(&format!("{what} pairs"), &found.pairs, &second, 2.0 * tolerance);
        assert!((found.mean - 3.5).abs() < 0.1 && (found.variance - 13.8446).abs() < 0.5, "{found:?}");
    }
    assert_eq!(pairs(3).collect::<Vec<_>>(), [(0, 1), (0, 2), (1, 2)]);
}

/// Without indices of pairs the rows are shorter, and the others the same.
#[test]
fn rows_with_and_without_pairs_have_the_same_indices() {
    let indices = |method: Screening, with_pairs: bool| {
        let study = screening_study(method, 256, Design::Sobol, 9, cube);
        shares(&values(&study, ishigami), 3, with_pairs, 50, 9)
    };
    let (short, long) = (indices(FIRST, false), indices(WITH_PAIRS, true));
    assert_eq!((&short.first, &short.total), (&long.first, &long.total));
    assert!(short.pairs.is_empty() && long.pairs.len() == 3);
}

/// I. M. Sobol's g-function of six inputs, some of which hardly matter.
#[test]
fn indices_of_the_g_function_are_known() {
    let a = [0.0, 1.0, 4.5, 9.0, 99.0, 99.0];
    let g = |x: &[f64]| -> f64 {
        x.iter().zip(a).map(|(x, a)| ((4.0 * x - 2.0).abs() + a) / (1.0 + a)).product()
    };
    let parts = a.map(|a| 1.0 / 3.0 / (1.0 + a).powi(2));
    let all: f64 = parts.iter().map(|v| 1.0 + v).product();
    let first = parts.map(|v| v / (all - 1.0));
    let total = parts.map(|v| v * all / (1.0 + v) / (all - 1.0));
    let unit = |study: Study| {
        study.uniform(Quantity::Gravity, [0.0; 3], [1.0; 3]).uniform(
            Quantity::AngularVelocity,
            [0.0; 3],
            [1.0; 3],
        )
    };
    let study = screening_study(FIRST, 4096, Design::Sobol, 2, unit);
    let found = shares(&values(&study, g), 6, false, RESAMPLES, 2);
    assert_near("first", &found.first, &first, 0.015);
    assert_near("total", &found.total, &total, 0.015);
}

/// y = 4 x1 + 2 x2 + x3, of normal inputs too: nothing is shared.
#[test]
fn shares_of_an_additive_function_are_those_of_its_terms() {
    let linear = |x: &[f64]| 1000.0 + 4.0 * x[0] + 2.0 * x[1] + x[2];
    let normal = |study: Study| study.normal(Quantity::Gravity, [1.0, 2.0, 3.0], 0.5);
    for vary in [&cube as &dyn Fn(Study) -> Study, &normal] {
        let study = screening_study(FIRST, 8192, Design::Sobol, 3, vary);
        let found = shares(&values(&study, linear), 3, false, RESAMPLES, 3);
        let exact = [16.0, 4.0, 1.0].map(|part| part / 21.0);
        assert_near("first", &found.first, &exact, 2e-3);
        assert_near("total", &found.total, &exact, 5e-3);
    }
    // An input that does nothing has no share at all.
    let study = screening_study(FIRST, 64, Design::Random, 3, cube);
    let found = shares(&values(&study, |x| x[0] * x[1]), 3, false, 100, 3);
    assert_eq!((found.first[2].value, found.total[2].value), (0.0, 0.0));
    assert_eq!((found.total[2].low, found.total[2].high), (0.0, 0.0));
}

/// An attitude is one input, and so are numbers with a covariance.
#[test]
fn numbers_that_are_drawn_together_are_one_input() {
    let covariance = Distribution::drawn(
        "normal",
        [
            ("mean", vec![0.0; 3].into()),
            ("covariance", vec![vec![1.0, 0.8, 0.0], vec![0.8, 1.0, 0.0], vec![0.0, 0.0, 0.04]].into()),
        ],
    );
    let vary = |study: Study| {
        study.any_attitude().vary(Quantity::Velocity, covariance.clone()).vary(
            Quantity::Mass,
            Distribution::drawn("uniform", [("low", vec![1.0].into()), ("high", vec![2.0].into())]),
        )
    };
    let study = screening_study(FIRST, 4096, Design::Sobol, 4, vary);
    let sampler = Sampler::new(&study).unwrap();
    assert_eq!(sampler.inputs(), ["Attitude", "Velocity", "Mass"]);
    // The height of the third body axis is uniform on [-1, 1], of variance 1/3; x + y of 3.6; 2 m
    // of 1/3.
    let f = |x: &[f64]| {
        let [q0, q1, q2, q3] = [x[0], x[1], x[2], x[3]];
        (q0 * q0 - q1 * q1 - q2 * q2 + q3 * q3) + (x[4] + x[5]) / 6.0 + 2.0 * x[7]
    };
    let parts = [1.0 / 3.0, 0.1, 1.0 / 3.0];
    let exact = parts.map(|part| part / parts.iter().sum::<f64>());
    let found = shares(&values(&study, f), 3, false, RESAMPLES, 4);
    assert_near("first", &found.first, &exact, 0.02);
    assert_near("total", &found.total, &exact, 0.02);
}

/// The truth lies within about 95 of 100 intervals, of independent points.
#[test]
fn intervals_hold_the_truth_as_often_as_they_say() {
    const SEEDS: u64 = 300;
    let (first, total, _) = ishigami_indices();
    let truths: Vec<f64> = first.into_iter().chain(total).collect();
    let mut covered = vec![0; 6];
    for seed in 0..SEEDS {
        let study = screening_study(FIRST, 512, Design::Random, seed, cube);
        let Shares { first, total, .. } = shares(&values(&study, ishigami), 3, false, 300, seed);
        for (k, estimate) in first.into_iter().chain(total).enumerate() {
            covered[k] += u64::from(holds(estimate, truths[k]));
        }
    }
    println!("held of {SEEDS}: {covered:?}");
    // Sobol points are more even than what the bootstrap takes them for.
    let mut of_sobol = [0; 6];
    for seed in 0..100 {
        let study = screening_study(FIRST, 512, Design::Sobol, seed, cube);
        let Shares { first, total, .. } = shares(&values(&study, ishigami), 3, false, 300, seed);
        for (k, estimate) in first.into_iter().chain(total).enumerate() {
            of_sobol[k] += usize::from(holds(estimate, truths[k]));
        }
    }
    println!("of 100 with Sobol points: {of_sobol:?}");
    assert!(of_sobol.iter().all(|covered| *covered >= 95), "{of_sobol:?}");
    // 0.95 with a deviation of 0.0126, and percentile intervals of ratios are a little narrow.
    for covered in covered {
        assert!((0.90..=0.985).contains(&(covered as f64 / SEEDS as f64)), "{covered} of {SEEDS}");
    }
}

#[test]
fn rows_without_a_value_are_left_out() {
    let study = screening_study(FIRST, 512, Design::Sobol, 8, cube);
    let all = values(&study, ishigami);
    let mut holed = all.clone();
    (holed[7], holed[8], holed[1203]) = (f64::NAN, f64::INFINITY, f64::NAN);
    let found = shares(&holed, 3, false, 100, 8);
    assert_eq!(found.rows, 510);
    // The result is that of the rows that are whole.
    let whole: Vec<f64> = all
        .chunks(5)
        .enumerate()
        .filter(|(r, _)| ![1, 240].contains(r))
        .flat_map(|(_, row)| row.to_vec())
        .collect();
    assert_eq!(found, shares(&whole, 3, false, 100, 8));
    // Nothing is known of what does not vary, or of nothing.
    let constant = shares(&vec![0.3; 50], 3, false, 100, 8);
    assert!(constant.first.iter().chain(&constant.total).all(|e| !e.is_known()) && constant.variance == 0.0);
    assert!(shares(&[f64::NAN; 50], 3, false, 100, 8).total.iter().all(|e| !e.is_known()));
}

const MORRIS: Screening = Screening::Morris { levels: 4 };

fn effects_of(study: &Study, f: impl Fn(&[f64]) -> f64) -> polhode::observe::indices::Effects {
    let samples = study.kind.screening().expect("a design").samples;
    let sampler = Sampler::new(study).unwrap();
    let trajectories: Vec<_> = (0..samples).map(|row| sampler.trajectory(row).unwrap()).collect();
    effects(&values(study, f), &trajectories, sampler.inputs().len(), RESAMPLES, study.ensemble.seed)
}

#[test]
fn elementary_effects_of_a_linear_function_are_its_slopes() {
    let study = screening_study(MORRIS, 16, Design::Sobol, 3, cube);
    let found = effects_of(&study, |x| 4.0 * x[0] - 2.0 * x[1] + 7.0);
    // Over the whole range, 2 pi.
    for (j, slope) in [4.0, -2.0, 0.0].into_iter().enumerate() {
        assert!((found.mu[j].value - slope * TAU).abs() < 1e-12);
        assert!((found.mu_star[j].value - (slope * TAU).abs()).abs() < 1e-12 && found.sigma[j].value < 1e-11);
    }
}

/// Effects of 1001, 1002 and 1006 have the mean 1003 and the standard deviation sqrt 7.
#[test]
fn the_deviation_of_effects_is_that_of_a_sample() {
    let one = |study: Study| study.uniform(Quantity::Gravity, [0.0; 3], [1.0; 3]);
    let sampler = Sampler::new(&screening_study(MORRIS, 3, Design::Sobol, 4, one)).unwrap();
    let trajectories: Vec<_> = (0..3).map(|row| sampler.trajectory(row).unwrap()).collect();
    let mut values = Vec::new();
    for (d, trajectory) in [1001.0, 1002.0, 1006.0].into_iter().zip(&trajectories) {
        let moves =
            trajectory.order.iter().map(|j| if trajectory.upwards[*j] == Some(true) { d } else { -d });
        values.push(0.0);
        values.extend(moves.scan(0.0, |value, d| {
            *value += 0.5 * d;
            Some(*value)
        }));
    }
    let found = effects(&values, &trajectories, 3, RESAMPLES, 1);
    assert_eq!(found.mu[0].value, 1003.0);
    assert!((found.sigma[0].value - 7f64.sqrt()).abs() < 1e-12, "{found:?}");
}

/// All trajectories of the grid of four levels, one by one.
#[test]
fn elementary_effects_are_those_of_the_whole_grid() {
    let level = |l: usize| TAU * (l as f64 / 4.0 + 0.125) - PI;
    let mut exact = [[0.0; 2]; 3];
    for (j, exact) in exact.iter_mut().enumerate() {
        for point in 0..64usize {
            let levels = [point % 4, point / 4 % 4, point / 16];
            if levels[j] >= 2 {
                continue;
            }
            let mut moved = levels;
            moved[j] += 2;
            let d = 2.0 * (ishigami(&moved.map(level)) - ishigami(&levels.map(level)));
            *exact = [exact[0] + d.abs() / 32.0, exact[1] + d / 32.0];
        }
    }
    let study = screening_study(MORRIS, 4000, Design::Sobol, 6, cube);
    let found = effects_of(&study, ishigami);
    for (j, [mu_star, mu]) in exact.into_iter().enumerate() {
        for (estimate, truth) in [(found.mu_star[j], mu_star), (found.mu[j], mu)] {
            let room = 1e-9 + 0.5 * estimate.half_width();
            assert!(
                estimate.low - room <= truth && truth <= estimate.high + room,
                "{j}: {estimate:?}, {truth}"
            );
        }
    }
}

/// Morris's own function of twenty inputs, with signs in place of his random coefficients.
#[test]
fn elementary_effects_tell_what_matters_in_morriss_function() {
    let f = |x: &[f64]| -> f64 {
        let w: Vec<f64> = (0..20)
            .map(|i| match i {
                2 | 4 | 6 => 2.0 * (1.1 * x[i] / (x[i] + 0.1) - 0.5),
                _ => 2.0 * (x[i] - 0.5),
            })
            .collect();
        let sign = |n: usize| if n.is_multiple_of(2) { 1.0 } else { -1.0 };
        let mut y = 0.0;
        for i in 0..20 {
            y += if i < 10 { 20.0 } else { sign(i + 1) } * w[i];
            for j in i + 1..20 {
                y += if j < 6 { -15.0 } else { sign(i + j) } * w[i] * w[j];
                for l in j + 1..5 {
                    y -= 10.0 * w[i] * w[j] * w[l];
                    y += (l + 1..4).map(|s| 5.0 * w[i] * w[j] * w[l] * w[s]).sum::<f64>();
                }
            }
        }
        y
    };
    // Seven vectors; the last number is not used.
    let unit = |study: Study| (0..7).fold(study, |s, _| s.uniform(Quantity::Gravity, [0.0; 3], [1.0; 3]));
    let found = effects_of(&screening_study(MORRIS, 64, Design::Sobol, 12, unit), f);
    let mu_star = |j: usize| found.mu_star[j].value;
    let least = (0..10).map(mu_star).fold(f64::INFINITY, f64::min);
    let most = (10..20).map(mu_star).fold(0.0, f64::max);
    assert!(least > 3.0 * most, "{least} {most}");
    // Inputs 8 to 10 act almost linearly, the first together with others.
    let sigma = |j: usize| found.sigma[j].value;
    assert!(
        (7..10).all(|j| sigma(j) < 0.3 * mu_star(j)) && (0..6).all(|j| sigma(j) > 0.5 * mu_star(j)),
        "{found:?}"
    );
    assert_eq!((mu_star(20), sigma(20)), (0.0, 0.0));
}

/// A study file of this text in a folder of its own.
fn written(home: &Path, text: &str) -> PathBuf {
    let file = home.join("study.toml");
    fs::write(&file, text).unwrap();
    file
}

/// A body that spins about its third axis: its energy is J w² / 2.
const SPIN: &str = r#"
mechanism = { body = { mass = 1, inertia = [2, 2, 2], initial = { angular_velocity = [0, 0, 3] } } }
method = { name = "staggered", step = 0.01, steps = 20 }
study = { kind = "sensitivity", samples = 2048 }
run = { backend = "cpu", precision = "f64", threads = 2 }

[ensemble.vary]
"body.inertia.zz" = { uniform = { low = 1.5, high = 3.5 } }
"body.angular_velocity.z" = { uniform = { low = 1, high = 4 } }

[observe]
channels = ["energy", "energy_drift"]
every = 5
"#;

/// First-order and total indices of g(x) h(y) from the first two moments of either.
fn of_product([g1, g2]: [f64; 2], [h1, h2]: [f64; 2]) -> ([f64; 2], [f64; 2]) {
    let (of_g, of_h) = (g2 - g1 * g1, h2 - h1 * h1);
    let variance = g2 * h2 - (g1 * h1).powi(2);
    ([of_g * h1 * h1 / variance, g1 * g1 * of_h / variance], [of_g * h2 / variance, g2 * of_h / variance])
}

/// Mean and mean square of a function over an interval, by Simpson's rule.
fn moments(f: impl Fn(f64) -> f64, low: f64, high: f64) -> [f64; 2] {
    const PARTS: i32 = 4000;
    let at = |k: i32| f(low + (high - low) * f64::from(k) / f64::from(PARTS));
    let weight = |k: i32| if k == 0 || k == PARTS { 1.0 } else { 2.0 + 2.0 * f64::from(k % 2) };
    let mean = |power: i32| {
        (0..=PARTS).map(|k| weight(k) * at(k).powi(power)).sum::<f64>() / (3.0 * f64::from(PARTS))
    };
    [mean(1), mean(2)]
}

fn indices(folder: &Path) -> serde_json::Value {
    serde_json::from_slice(&fs::read(folder.join("indices.json")).unwrap()).unwrap()
}

/// First-order and total indices of every input on one output.
fn of_output(all: &serde_json::Value, channel: &str, of: &str) -> Vec<[Estimate; 2]> {
    let outputs = all["outputs"].as_array().unwrap();
    let is_it = |o: &&serde_json::Value| o["channel"] == format!("body.{channel}") && o["of"] == of;
    let output = outputs.iter().find(is_it).unwrap_or_else(|| panic!("{all}"));
    let estimate = |e: &serde_json::Value| Estimate {
        value: e["estimate"].as_f64().unwrap(),
        low: e["low"].as_f64().unwrap(),
        high: e["high"].as_f64().unwrap(),
    };
    let inputs = output["inputs"].as_array().unwrap();
    inputs.iter().map(|input| [estimate(&input["first"]), estimate(&input["total"])]).collect()
}

#[track_caller]
fn assert_shares(found: &[[Estimate; 2]], (first, total): ([f64; 2], [f64; 2]), tolerance: f64) {
    let estimates = |k: usize| found.iter().map(|e| e[k]).collect::<Vec<Estimate>>();
    assert_near("first", &estimates(0), &first, tolerance);
    assert_near("total", &estimates(1), &total, tolerance);
}

#[test]
fn shares_of_a_spinning_body_are_those_of_its_energy() {
    let home = TempDir::new().unwrap();
    let study = written(home.path(), SPIN);
    let out = home.path().join("out");
    let (printed, _) = ends_with(0, &["check", path(&study)]);
    assert!(printed.contains("8,192: 2048 rows of 4: A, B and one for each of 2 inputs"), "{printed}");
    let run = ["run", path(&study), "--out", path(&out), "--set", "output.plots=true"];
    let (printed, _) = ends_with(0, &run);
    assert!(printed.contains("energy at the end (shares of the variance)"), "{printed}");
    assert!(printed.contains("Enough to rank what matters.") || printed.contains("More samples are advised"));
    // Few rows have wide intervals, and more rows are what helps.
    let few = home.path().join("few");
    let (printed, _) = ends_with(0, &["run", path(&study), "--out", path(&few), "--set", "study.samples=8"]);
    assert!(printed.contains("More samples are advised"), "{printed}");
    let exact = of_product(moments(|j| j, 1.5, 3.5), moments(|w| 0.5 * w * w, 1.0, 4.0));
    let all = indices(&out);
    for of in ["end", "highest", "lowest"] {
        assert_shares(&of_output(&all, "energy", of), exact, 0.01);
    }
    // Any instance again, by the reference.
    let (printed, _) = ends_with(0, &["replay", path(&out), "--instance", "8191"]);
    assert!(printed.contains("energy"), "{printed}");
    for refused in [&["plot", path(&out)][..], &["compare", path(&out), path(&out)]] {
        let (_, said) = ends_with(2, refused);
        assert!(said.contains("of kind sensitivity"), "{said}");
    }
    let shard = home.path().join("shard");
    let (_, said) = ends_with(2, &["merge", path(&out), "--out", path(&shard)]);
    assert!(said.contains("is a whole run and no shard"), "{said}");
    // The table has every snapshot, and the report every picture.
    let report = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(!report.contains("src=\"plots") && report.contains("Were there enough samples"));
    let pictures = names(&out.join("plots"));
    for name in [
        "body.energy_end.svg",
        "body.energy_total_in_time.png",
        "body.energy_first_in_time.svg",
        "body.energy_highest.png",
    ] {
        assert!(pictures.contains(&name.to_string()), "{pictures:?}");
    }
}

/// A mass on a spring along one line: x = l + x0 cos(sqrt(k/m) t), of which x0 and k are drawn.
#[test]
fn shares_of_an_oscillator_are_those_of_its_motion() {
    let home = TempDir::new().unwrap();
    let study = written(
        home.path(),
        r#"
study = { kind = "sensitivity", samples = 2048 }
method = { name = "staggered", step = 0.002, steps = 1000 }
run = { backend = "cpu", precision = "f64" }

[mechanism]
body = { mass = 2, inertia = [1, 1, 1], initial = { position = [5.5, 0, 0] } }
[[mechanism.spring]]
name = "spring"
bodies = ["ground", "body"]
points = [[0, 0, 0], [0, 0, 0]]
stiffness = 8
free_length = 5

[ensemble.vary]
"body.position.x" = { uniform = { low = 5.2, high = 5.8 } }
"spring.stiffness" = { uniform = { low = 6, high = 10 } }

[observe]
channels = ["position", "energy"]
every = 250
"#,
    );
    let out = home.path().join("out");
    ends_with(0, &["run", path(&study), "--out", path(&out), "--quiet"]);
    let (time, mass) = (2.0, 2.0);
    let found = of_output(&indices(&out), "position.x", "end");
    let exact = of_product(
        moments(|x| x - 5.0, 5.2, 5.8),
        moments(|k| (k / mass).sqrt().mul_add(time, 0.0).cos(), 6.0, 10.0),
    );
    assert_shares(&found, exact, 0.01);
}

/// Sets a flag when so many instance-steps are done.
struct Until<'a> {
    done: u64,
    flag: &'a AtomicBool,
    said: Mutex<Vec<String>>,
}

impl Listener for Until<'_> {
    fn say(&self, line: &str) {
        self.said.lock().unwrap().push(line.to_string());
    }

    fn progress(&self, done: u64, _: u64) {
        if done >= self.done {
            self.flag.store(true, Ordering::Relaxed);
        }
    }
}

fn without_times(folder: &Path) -> std::collections::BTreeMap<PathBuf, Vec<u8>> {
    let timed = ["manifest.json", "report.html", "study.toml"];
    let is_timeless = |file: &PathBuf| !timed.iter().any(|name| file.ends_with(name));
    let files = contents(folder).into_iter().filter(|(file, _)| is_timeless(file));
    files.map(|(file, bytes)| (file.strip_prefix(folder).unwrap().to_path_buf(), bytes)).collect()
}

#[test]
fn threads_and_chunks_leave_no_trace() {
    let home = TempDir::new().unwrap();
    let short = SPIN.replace("samples = 2048", "samples = 64, second_order = true");
    let morris = SPIN.replace("samples = 2048", "method = \"morris\", samples = 24");
    for (k, text) in [short, morris].iter().enumerate() {
        let drawn = text.replace("run = {", "output = { plots = true }\nrun = {");
        let study = written(home.path(), &drawn);
        let tables = |name: &str, more: &[&str]| {
            let out = home.path().join(format!("{name}{k}"));
            ends_with(0, &[&["run", path(&study), "--out", path(&out), "--quiet"], more].concat());
            without_times(&out)
        };
        let whole = tables("whole", &[]);
        assert!(whole.len() > 5);
        assert!(whole == tables("chunks", &["--chunk", "7", "--threads", "1"]), "chunks of no whole rows");
        assert!(whole == tables("threads", &["--threads", "4", "--chunk", "33"]));
    }
}

/// Whole files, marked incomplete; indices of the rows that are there.
#[test]
fn an_interrupted_study_is_marked_so() {
    let home = TempDir::new().unwrap();
    let mut study = read_study(&written(home.path(), SPIN)).unwrap();
    study.run.chunk = Some(1001);
    study.run.threads = Some(1);
    // After three chunks, 750 rows and some of the next; and before the first.
    for (name, done, advanced, rows) in [("some", 3 * 1001 * 20, 3003, 750), ("none", 1, 0, 0)] {
        let flag = AtomicBool::new(false);
        let out = home.path().join(name);
        let listener = Until { done, flag: &flag, said: Mutex::default() };
        let outcome = polhode::study::run(&study, &out, false, &listener, &flag).unwrap();
        assert!(!outcome.manifest.complete);
        assert_eq!(outcome.manifest.advanced, advanced, "{name}");
        let all = indices(&out);
        let energy = &all["outputs"][0];
        assert_eq!((&energy["rows"], &energy["left_out"]), (&rows.into(), &(2048 - rows).into()), "{name}");
        let report = fs::read_to_string(out.join("report.html")).unwrap();
        assert!(report.contains("Incomplete: the run was interrupted after"), "{name}");
        assert_eq!(names(home.path()).iter().filter(|n| n.starts_with('.')).count(), 0);
    }
    let exact = of_product(moments(|j| j, 1.5, 3.5), moments(|w| 0.5 * w * w, 1.0, 4.0));
    assert_shares(&of_output(&indices(&home.path().join("some")), "energy", "end"), exact, 0.05);
}

/// A mass that is drawn negative makes no body: its row is left out, counted, and told.
#[test]
fn rows_with_an_instance_that_fails_are_left_out_and_told() {
    let home = TempDir::new().unwrap();
    let text = SPIN
        .replace("samples = 2048", "samples = 512")
        .replace("[observe]", "\"body.mass\" = { normal = { mean = 1, std = 0.5 } }\n[observe]");
    let study = written(home.path(), &text);
    let out = home.path().join("out");
    let (printed, _) = ends_with(0, &["run", path(&study), "--out", path(&out)]);
    let all = indices(&out);
    let left_out = all["outputs"][0]["left_out"].as_u64().unwrap();
    // A negative mass has probability 0.0228, and a row two of them: 512 (1 - 0.9772²) = 23.
    assert!((15..32).contains(&left_out), "{left_out}");
    assert!(printed.contains(&format!("Of 512 rows {left_out} are left out")), "{printed}");
    let report = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(report.contains(&format!("Of 512 rows {left_out} are left out")));
    let of_mass = of_output(&all, "energy", "end")[2];
    assert_eq!((of_mass[0].value, of_mass[1].value), (0.0, 0.0));
}

/// The study as resolved is the same study.
#[test]
fn a_resolved_study_is_read_again() {
    let home = TempDir::new().unwrap();
    for question in ["samples = 64, second_order = true", "method = \"morris\", samples = 10, levels = 6"] {
        let study = read_study(&written(home.path(), &SPIN.replace("samples = 2048", question))).unwrap();
        let resolved = home.path().join("resolved.toml");
        fs::write(&resolved, polhode::study_file::resolved_toml(&study)).unwrap();
        assert_eq!(read_study(&resolved).unwrap(), study);
        let out = home.path().join(format!("out{}", study.ensemble.size));
        polhode::study::run(&study, &out, false, &Quiet, &AtomicBool::new(false)).unwrap();
        assert_eq!(
            fs::read_to_string(out.join("study.toml")).unwrap(),
            fs::read_to_string(&resolved).unwrap()
        );
    }
}

/// The shipped study, with fewer rows: what is said of it in its document.
#[test]
fn the_shipped_study_runs() {
    let shipped = root().join("studies/furuta_sensitivity.toml");
    let mut study = read_study(&shipped).unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(study.ensemble.size, 8192);
    study.kind = Sensitivity { method: FIRST, samples: 64 }.into();
    study.ensemble.size = 512;
    let home = TempDir::new().unwrap();
    let out = home.path().join("out");
    let outcome = polhode::study::run(&study, &out, false, &Quiet, &AtomicBool::new(false)).unwrap();
    assert_eq!(outcome.manifest.verdicts["finished"], 512);
    let all = indices(&out);
    let angle = all["outputs"].as_array().unwrap().iter().find(|o| o["channel"] == "shoulder.angle").unwrap();
    let total = |input: &str| {
        let inputs = angle["inputs"].as_array().unwrap();
        inputs.iter().find(|i| i["input"] == input).unwrap()["total"]["estimate"].as_f64().unwrap()
    };
    assert!(total("cable.stiffness") > 0.5 && total("pendulum.centre_of_mass.z") < 0.01);
    let (printed, _) = ends_with(0, &["replay", path(&out), "--instance", "3"]);
    let largest = printed.lines().filter(|line| line.contains(".position.")).count();
    assert!(largest >= 6, "{printed}");
}

/// The output that is asked for is shown first and alone; where not all instances have a value,
/// more samples are not advised, and never so many that nobody would run them.
#[test]
fn the_output_that_is_asked_for_comes_first() {
    let home = TempDir::new().unwrap();
    let few = SPIN.replace("samples = 2048", "samples = 64");
    for (name, outcome, said) in [
        ("peak", "max = \"body.angular_velocity.z\"", "From N/2 = 32 to N = 64 no total index"),
        (
            "passes",
            "first = \"body.angular_velocity.z*t > 0.5\"",
            "of the rows are whole, because not all instances",
        ),
    ] {
        let study = format!("{few}\n[[outcome]]\nname = \"{name}\"\n{outcome}\n");
        let study = written(home.path(), &study);
        let out = home.path().join(name);
        let (printed, _) = ends_with(0, &["run", path(&study), "--out", path(&out)]);
        assert!(printed.contains(&format!("{name} at the end (shares of the variance)")), "{printed}");
        assert!(!printed.contains("energy at the end (shares of the variance)"), "{printed}");
        assert!(
            printed.contains("2 observed columns that no outcome is about are in the report"),
            "{printed}"
        );
        assert!(printed.contains(said), "{printed}");
        let report = fs::read_to_string(out.join("report.html")).unwrap();
        let heading = |text: &str| report.find(&format!("<h3>{text} ")).unwrap();
        assert!(heading(name) < heading("body energy"), "{name}");
    }
}

/// Final values of a plain ensemble: energy J w² / 2 rises with either input, and its correlations
/// are known.
#[test]
fn a_monte_carlo_report_shows_which_inputs_final_values_go_with() {
    let home = TempDir::new().unwrap();
    let text = SPIN.replace("study = { kind = \"sensitivity\", samples = 2048 }", "")
        + "\n[ensemble]\nsize = 20_000\nseed = 3\n";
    let study = written(home.path(), &text);
    let out = home.path().join("out");
    ends_with(0, &["run", path(&study), "--out", path(&out), "--quiet", "--set", "output.plots=true"]);
    let table = polhode::output::SavedTable::open(&out.join("correlations.parquet")).unwrap();
    let channel = table.texts("channel").unwrap();
    let energy: Vec<usize> = (0..channel.len()).filter(|row| channel[*row] == "body.energy").collect();
    assert_eq!(energy.len(), 2);
    let ([j1, j2], [g1, g2]) = (moments(|j| j, 1.5, 3.5), moments(|w| 0.5 * w * w, 1.0, 4.0));
    let variance = j2 * g2 - (j1 * g1).powi(2);
    let [_, w2] = moments(|w| w, 1.0, 4.0);
    let [wg, _] = moments(|w| 0.5 * w * w * w, 1.0, 4.0);
    // cov(J, J g) = var(J) <g>, cov(w, J g) = <J> cov(w, g).
    let exact = [
        (j2 - j1 * j1).sqrt() * g1 / variance.sqrt(),
        j1 * (wg - 2.5 * g1) / ((w2 - 2.5 * 2.5) * variance).sqrt(),
    ];
    for (row, exact) in energy.into_iter().zip(exact) {
        let value = |name: &str| table.floats(name).unwrap()[row];
        assert!(
            value("pearson_low") < exact && exact < value("pearson_high"),
            "{exact}: {}",
            value("pearson")
        );
        assert!((value("pearson") - exact).abs() < 0.02);
        // The other input held, the energy follows this one closely.
        assert!(
            value("partial") > value("spearman") && value("partial") > 0.8,
            "{} {}",
            value("partial"),
            value("spearman")
        );
    }
    assert_eq!(table.integers("count").unwrap()[0], 20_000);
    let report = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(report.contains("Inputs and final values") && report.contains("Were there enough instances"));
    assert!(report.contains("a mean is known to ±1.39 % of its standard deviation"));
    assert!(names(&out.join("plots")).contains(&"body.energy_inputs.png".to_string()));
    // The first of a grid are no sample of it.
    let grid = text
        .replace("{ uniform = { low = 1, high = 4 } }", "{ linspace = { from = 1, to = 4, count = 1000 } }");
    let out = home.path().join("grid");
    ends_with(0, &["run", path(&written(home.path(), &grid)), "--out", path(&out), "--quiet"]);
    let report = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(report.contains("Inputs and final values") && !report.contains("Were there enough instances"));
}

/// A program that changes the size of what it has read is told, and nothing is written.
#[test]
fn another_number_of_instances_than_that_of_the_design_is_refused() {
    let home = TempDir::new().unwrap();
    let file = root().join("studies/furuta_sensitivity.toml");
    let mut study = read_study(&file).unwrap();
    study.ensemble.size = 6;
    let out = home.path().join("out");
    let refused = polhode::study::run(&study, &out, false, &Quiet, &AtomicBool::new(false)).unwrap_err();
    assert!(
        refused.to_string().starts_with("6 instances are not those of this study: 1024 rows of 8"),
        "{refused}"
    );
    assert!(!out.exists());
}
