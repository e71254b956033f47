//! Methods, treatments and steps that are chosen for an accuracy.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use polhode::describe::{Accuracy, Precision, Study, read_study_text, resolved_toml};
use polhode::study::choose_method::chosen;
use polhode::study::converged::{Course, Goal, advanced, converged, differences, spread};

/// Below this standard error (SI units) instances do not differ: it is rounding.
const NO_SPREAD: f64 = 1e-9;

/// Of a standard error: a tenth is asked for, and the standard error is known to an eighth from 32 instances.
const STATISTICAL: f64 = 0.13;

/// Two digits are told.
const TOLD: f64 = 0.06;

fn never() -> AtomicBool {
    AtomicBool::new(false)
}

/// A shipped study with another table `[method]`, its joints held as is chosen, of so many instances.
fn shipped(name: &str, method: &str, duration: &str, size: u64) -> Study {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join(format!("studies/{name}.toml"))).unwrap();
    let mut study: toml::Table = text.parse().unwrap();
    let mechanism = study["mechanism"].as_str().unwrap().to_string();
    let mechanism = std::fs::read_to_string(root.join("studies").join(mechanism)).unwrap();
    study.remove("constraints");
    study.insert(
        "method".into(),
        format!("duration = {duration:?}\n{method}").parse::<toml::Table>().unwrap().into(),
    );
    study["ensemble"].as_table_mut().unwrap().insert("size".into(), (size as i64).into());
    if let Some(observe) = study.get_mut("observe").and_then(toml::Value::as_table_mut) {
        observe.insert("keep".into(), 0.into());
    }
    read_study_text(name, &study.to_string(), &mechanism)
        .unwrap_or_else(|problems| panic!("{name}: {problems}"))
}

/// Largest error of so many instances, as a share of the scales.
fn error(study: &Study, count: usize) -> f64 {
    let instances = spread(study.ensemble.size, count);
    let (channels, budget) = (&study.observe.channels, Duration::from_secs(100));
    let exact =
        converged(study, &instances, channels, Goal::Share(1e-11), budget, &never()).unwrap().unwrap();
    let found: Course =
        advanced(study, &instances, channels, Instant::now() + budget, &never()).unwrap().unwrap();
    let off = differences(&found, &exact.course);
    off.iter()
        .flat_map(|columns| columns.iter().zip(&exact.scales))
        .flat_map(|(column, scale)| column.iter().map(move |off| off / scale))
        .filter(|share| !share.is_nan())
        .fold(0.0, f64::max)
}

#[test]
fn the_accuracy_is_reached_by_instances_beyond_the_pilot() {
    for (name, duration) in
        [("spacecraft", "10 s"), ("four_bar", "0.5 s"), ("rolling_ball", "2 s"), ("tumbling", "5 s")]
    {
        for accuracy in [1e-3, 1e-6, 1e-9] {
            let mut study = shipped(name, &format!("accuracy = {accuracy:e}"), duration, 256);
            study.run.precision = Precision::F64;
            let found =
                chosen(&study, &never()).unwrap_or_else(|error| panic!("{name} {accuracy:e}: {error}"));
            let largest = error(&found.study, 256);
            assert!(largest <= accuracy, "{name} {accuracy:e}: {largest:e}; {}", found.told.join("; "));
            assert!(found.told[0].starts_with("method: "), "{}", found.told[0]);
        }
    }
}

#[test]
fn a_choice_is_the_same_on_any_number_of_threads_and_is_kept_by_the_resolved_study() {
    let mut study = shipped("four_bar", "accuracy = 1e-6", "0.5 s", 100);
    let mut found: Vec<Study> = Vec::new();
    for threads in [1, 2] {
        study.run.threads = Some(threads);
        found.push(chosen(&study, &never()).unwrap().study);
    }
    assert_eq!(found[0].method, found[1].method);
    assert_eq!(found[0].constraints, found[1].constraints);
    assert_eq!(found[0].method.accuracy, Some(Accuracy::Error(1e-6)));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("study.toml");
    std::fs::write(&file, resolved_toml(&found[1])).unwrap();
    let again = polhode::describe::read_study(&file).unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(again, found[1]);
    assert!(again.method.open.is_none());
    assert!(chosen(&again, &never()).unwrap().told.is_empty());
}

#[test]
fn parts_of_the_choice_can_be_given() {
    let named = shipped("four_bar", "name = \"rk4\"\naccuracy = 1e-6", "0.5 s", 100);
    let named = chosen(&named, &never()).unwrap().study;
    assert_eq!((named.method.name, named.constraints.treatment), ("rk4", "exact"));
    assert!(error(&named, 64) <= 1e-6);
    // A step without a name: the method of the least error, which no other has at this step.
    let stepped = shipped("four_bar", "step = \"5 ms\"", "0.5 s", 100);
    let stepped = chosen(&stepped, &never()).unwrap().study;
    assert_eq!(stepped.method.step, 0.005);
    let least = error(&stepped, 32);
    let mut other = stepped.clone();
    other.method.name = "rk4";
    assert!(least < error(&other, 32), "{least:e}");
    // Nothing: a ten-thousandth.
    let nothing = shipped("spacecraft", "", "10 s", 100);
    assert_eq!(nothing.method.accuracy, Some(Accuracy::STANDARD));
    assert!(error(&chosen(&nothing, &never()).unwrap().study, 100) <= 1e-4);
}

/// Settings of joints whose defaults follow the step do so on the pilot too.
#[test]
fn the_error_that_is_told_is_that_of_the_run() {
    for name in ["staggered", "rk4"] {
        let study = shipped("four_bar", &format!("name = {name:?}\naccuracy = 1e-3"), "0.5 s", 32);
        let found = chosen(&study, &never()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let told = found.told[0].split("error ").nth(1).and_then(|rest| rest.split(' ').next());
        let told: f64 = told.unwrap().parse().unwrap();
        let measured = error(&found.study, 32);
        assert!((told / measured - 1.0).abs() < TOLD, "{name}: {told:e} is told, {measured:e} measured");
    }
}

#[test]
fn an_accuracy_beyond_single_precision_is_refused_with_numbers() {
    let mut study = shipped("four_bar", "accuracy = 1e-9", "0.5 s", 100);
    study.run.precision = Precision::F32;
    let refused = chosen(&study, &never()).err().unwrap().to_string();
    for words in ["not reached in f32", "the least error is", "precision = \"f64\""] {
        assert!(refused.contains(words), "{refused}");
    }
}

#[test]
fn statistics_are_biased_by_less_than_a_tenth_of_their_standard_error() {
    let study = shipped("four_bar", "accuracy = \"statistical\"", "0.5 s", 1000);
    let statistical = chosen(&study, &never()).unwrap();
    assert!(statistical.told[0].contains("bias of the mean of "), "{}", statistical.told[0]);
    let accurate = shipped("four_bar", "accuracy = 1e-9", "0.5 s", 1000);
    let accurate = chosen(&accurate, &never()).unwrap().study;
    assert!(statistical.study.method.step > accurate.method.step);
    // All instances, by what was chosen and accurately.
    let all: Vec<u64> = (0..1000).collect();
    let course = |study: &Study| {
        let deadline = Instant::now() + Duration::from_secs(100);
        advanced(study, &all, &study.observe.channels, deadline, &never()).unwrap().unwrap()
    };
    let [coarse, exact] = [course(&statistical.study), course(&accurate)];
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    for (coarse, exact) in coarse.values.iter().zip(&exact.values) {
        for (coarse, exact) in coarse.iter().zip(exact) {
            let average = mean(exact);
            let squares: Vec<f64> = exact.iter().map(|x| (x - average).powi(2)).collect();
            let standard_error = (mean(&squares) / 1000.0).sqrt();
            if standard_error < NO_SPREAD {
                continue;
            }
            let bias = (mean(coarse) - average).abs();
            assert!(bias <= STATISTICAL * standard_error, "{bias:e} of {standard_error:e}");
        }
    }
}
