//! Outcomes that not all instances have, and two runs of the same draws compared pair by pair.

use std::fs;
use std::path::Path;

use arrow_array::cast::AsArray;
use polhode::observe::pairs::{self, Moments};
use serde_json::Value;
use tempfile::TempDir;

use crate::cli::{integers, numbers, table};
use crate::command::{ends_with, path};
use crate::common::root;

/// Runs the shipped cart and pole with these changes.
fn cart_pole(out: &Path, changes: &[&str]) -> String {
    let mut arguments =
        vec!["run", "studies/cart_pole.toml", "--no-accuracy", "--backend", "cpu", "--out", path(out)];
    changes.iter().for_each(|change| arguments.extend(["--set", change]));
    ends_with(0, &arguments).0
}

fn compared(arguments: &[&str]) -> Value {
    serde_json::from_str(&ends_with(0, &[&["compare"], arguments, &["--json"]].concat()).0).unwrap()
}

fn mean<'a>(found: &'a Value, name: &str) -> &'a Value {
    let means = found["ends"]["means"].as_array().unwrap().iter();
    means
        .into_iter()
        .find(|mean| mean["name"] == name)
        .unwrap_or_else(|| panic!("no mean of {name}: {found}"))
}

fn half_width(interval: &Value) -> f64 {
    0.5 * (interval["high"].as_f64().unwrap() - interval["low"].as_f64().unwrap())
}

#[test]
fn an_outcome_that_not_all_have_is_told_with_its_share() {
    let home = TempDir::new().unwrap();
    let out = home.path().join("out");
    let printed = cart_pole(&out, &["ensemble.size=300", "output.plots=true"]);
    let values = numbers(&table(&out, "instances.parquet"), "final.upright_since");
    let have: Vec<f64> = values.into_iter().filter(|x| x.is_finite()).collect();
    assert!((1..300).contains(&have.len()), "{}", have.len());
    let share = format!("upright_since: {} of 300 have a value (", have.len());
    let line =
        printed.lines().find(|line| line.starts_with(&share)).unwrap_or_else(|| panic!("{share}: {printed}"));
    assert!(line.contains(&format!("; mean of the {}: ", have.len())), "{line}");
    let travel = printed.lines().find(|line| line.starts_with("travel: ")).unwrap();
    assert!(
        travel.starts_with("travel: mean ") && !travel.contains("have a value"),
        "all have one: {travel}"
    );

    let statistics = table(&out, "statistics.parquet");
    let channels = statistics.column_by_name("channel").unwrap().as_any_dictionary();
    let names = channels.values().as_string::<i32>();
    let keys = channels.normalized_keys();
    let last = (0..keys.len()).rfind(|row| names.value(keys[*row]) == "upright_since").unwrap();
    let count = integers(&statistics, "count")[last];
    let [share, low, high] =
        ["share", "share_low", "share_high"].map(|name| numbers(&statistics, name)[last]);
    assert_eq!((count, share), (have.len() as u64, have.len() as f64 / 300.0));
    assert!(0.0 < low && low < share && share < high && high < 1.0, "{low} {share} {high}");

    let report = fs::read_to_string(out.join("report.html")).unwrap();
    let words = [
        format!("{} of 300 have a value (", have.len()),
        format!("are those of the {}.", have.len()),
        format!("{} have none", 300 - have.len()),
    ];
    for words in words {
        assert!(report.contains(&words), "{words}");
    }
    let drawn = |kind: &str| fs::read_to_string(out.join(format!("plots/upright_since_{kind}.svg"))).unwrap();
    for kind in ["fan", "final"] {
        assert!(drawn(kind).contains(&format!("{} of 300 instances", have.len())), "{kind}");
    }
    assert!(drawn("distribution").contains(&format!("{} of 300 instances have none", 300 - have.len())));
    let whole = fs::read_to_string(out.join("plots/travel_distribution.svg")).unwrap();
    assert!(whole.contains("travel: at most ") && !whole.contains("have none"), "all have one");
}

/// The end of a run has the numbers of the first five outcomes that all instances have, as
/// the table of instances has them, and the number of those beyond.
#[test]
fn outcomes_that_all_have_are_told_with_mean_and_range() {
    let home = TempDir::new().unwrap();
    let out = home.path().join("out");
    let expressions = ["abs(rail.displacement)", "3", "1e6 + 1e-3*hinge.angle", "t", "hinge.angle", "1", "2"];
    let outcome =
        |(i, text): (usize, &&str)| format!("{{ name = \"o{i}\", max = \"{text}\", unit = \"m\" }}");
    let outcomes: Vec<String> = expressions.iter().enumerate().map(outcome).collect();
    let outcomes = format!("outcome=[{}]", outcomes.join(", "));
    let changes = ["ensemble.size=300", &outcomes, "observe.quantiles=[0.1, 0.5, 0.9]"];
    let printed = cart_pole(&out, &changes);
    let lines: Vec<&str> = printed.lines().skip_while(|line| !line.starts_with("o0: ")).take(6).collect();

    let mut values = numbers(&table(&out, "instances.parquet"), "final.o0");
    values.sort_by(f64::total_cmp);
    let (mean, n) = (values.iter().sum::<f64>() / 300.0, 300.0);
    let std = (values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
    // Quantiles of a histogram are within a bin of those of the sorted values.
    let shown: Vec<f64> = lines[0].split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
    let [shown_mean, shown_std, low, high, tenth, last] = shown[..] else { panic!("{lines:?}") };
    assert!((shown_mean - mean).abs() <= 0.01 * std && (shown_std - std).abs() <= 0.01 * std, "{lines:?}");
    assert_eq!([low, high], [10.0, 90.0]);
    for (shown, index) in [(tenth, 29), (last, 269)] {
        assert!((shown - values[index]).abs() <= 0.05 * std, "{shown} {} in {lines:?}", values[index]);
    }
    assert_eq!(lines[1], "o1: 3 m in all 300 instances");
    // Digits enough to tell the spread beside a large mean.
    assert!(lines[2].starts_with("o2: mean 1000000.00"), "{lines:?}");
    assert_eq!(lines[5], "and 2 more in report.html");
    // The report has all of them before anything else but the word on its accuracy.
    let report = fs::read_to_string(out.join("report.html")).unwrap();
    let head = &report[..report.find("<h2>").expect("a heading")];
    for line in &lines[..5] {
        assert!(head.contains(&format!("<li>{line}</li>")), "{line}: {head}");
    }
    assert_eq!(head.matches("<li>o").count(), 7);
}

/// They did not count: an event that ended instances was as rare as if it had not happened.
#[test]
fn outcomes_of_instances_that_a_condition_ended_count() {
    let home = TempDir::new().unwrap();
    let out = home.path().join("out");
    let verdict = "verdict=[{ energy = \"none\", every = 10 }, \
                   { name = \"fallen\", when = \"abs(hinge.angle) > 1.5\" }]";
    let printed = cart_pole(&out, &["ensemble.size=300", verdict]);
    let manifest: Value = serde_json::from_slice(&fs::read(out.join("manifest.json")).unwrap()).unwrap();
    let fallen = manifest["verdicts"]["fallen"].as_u64().unwrap();
    assert!(fallen > 0, "{printed}");
    // Whoever did not fall stands.
    let stand = format!("upright_since: {} of 300 have a value (", 300 - fallen);
    assert!(printed.contains(&stand) && !printed.contains("failed before"), "{printed}");
    let values = numbers(&table(&out, "instances.parquet"), "final.travel");
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    assert_eq!(values.len(), 300);
    let shown = printed.lines().find_map(|line| line.strip_prefix("travel: mean ")).unwrap();
    let shown: f64 = shown.split(' ').next().unwrap().parse().unwrap();
    assert!((shown - mean).abs() < 0.01 * mean && !printed.contains("; of "), "{printed}");
}

#[test]
fn indices_of_an_outcome_that_not_all_have_say_over_how_many_they_are() {
    let home = TempDir::new().unwrap();
    let out = home.path().join("out");
    let changes = [
        "study.kind=sensitivity",
        "study.method=sobol",
        "study.samples=64",
        "ensemble.size=320",
        "observe.channels=[\"hinge.angle\"]",
    ];
    let printed = cart_pole(&out, &changes);
    let values = numbers(&table(&out, "instances.parquet"), "final.upright_since");
    let have = values.iter().filter(|x| x.is_finite()).count();
    let whole = values.chunks(5).filter(|row| row.iter().all(|x| x.is_finite())).count();
    assert!((1..320).contains(&have) && whole > 0);
    let sentences = [
        format!("{have} of 320 have a value ("),
        format!("the indices are those of {whole} of 64 rows, in which all instances have one"),
    ];
    let report = fs::read_to_string(out.join("report.html")).unwrap();
    for sentences in &sentences {
        assert!(printed.contains(sentences), "{sentences}: {printed}");
        assert!(report.contains(sentences), "{sentences}");
    }
    assert!(report.contains(&format!("{whole} of 64 rows")));
}

#[test]
fn runs_of_the_same_draws_are_compared_pair_by_pair() {
    let home = TempDir::new().unwrap();
    let [first, second, other, pictures] =
        ["first", "second", "other", "pictures"].map(|name| home.path().join(name));
    let size = "ensemble.size=1000";
    let plain = ["output.plots=false", "output.report=false", "observe.channels=[\"hinge.angle\"]", size];
    let gain = "mechanism.constants.k_angle=-41 N";
    cart_pole(&first, &plain);
    cart_pole(&second, &[&plain[..], &[gain]].concat());
    cart_pole(&other, &[&plain[..], &[gain, "ensemble.seed=4"]].concat());

    let found = compared(&[path(&first), path(&second)]);
    assert_eq!(found["ends"]["pairs"], 1000);
    let tables = [&first, &second].map(|out| table(out, "instances.parquet"));
    for name in ["upright_since", "travel", "hinge.angle"] {
        let [x, y] = [0, 1].map(|k| numbers(&tables[k], &format!("final.{name}")));
        let differences: Vec<f64> = x.iter().zip(&y).map(|(x, y)| y - x).filter(|d| d.is_finite()).collect();
        let n = differences.len() as f64;
        let pair = mean(&found, name);
        let average = differences.iter().sum::<f64>() / n;
        let moment = |power: i32| differences.iter().map(|d| (d - average).powi(power)).sum::<f64>() / n;
        let variance = moment(2) * n / (n - 1.0);
        // Student's t, to the first order about the normal quantile; the tail is on one side.
        let t = 1.96 + 2.372 / (n - 1.0);
        let skewness = moment(3) / moment(2).powf(1.5);
        let tail = skewness.abs() * (1.0 + 2.0 * t * t) / (6.0 * n.sqrt());
        assert_eq!(pair["first"]["count"].as_f64(), Some(n), "{name}");
        assert!((pair["difference"]["value"].as_f64().unwrap() - average).abs() < 1e-12, "{name}");
        let half = half_width(&pair["difference"]);
        let standard_error = (variance / n).sqrt();
        assert!((half / standard_error / (t + tail / 2.0) - 1.0).abs() < 1e-3, "{name}: {half} {skewness}");
        let high = pair["difference"]["high"].as_f64().unwrap() - average;
        let is_wider = if skewness > 0.0 { t + tail } else { t };
        assert!((high / standard_error / is_wider - 1.0).abs() < 1e-3, "{name}: {high} {skewness}");
        // The pairs make the interval this much narrower; less for angles, which a few fallen poles
        // turn at will.
        let narrower = if name == "hinge.angle" { 3.0 } else { 5.0 };
        assert!(
            pair["pairs"]["unpaired"].as_f64().unwrap() > narrower,
            "{name}: {}",
            pair["pairs"]["unpaired"]
        );
        let smaller = differences.iter().filter(|d| **d < 0.0).count() as u64;
        assert_eq!(pair["pairs"]["smaller"]["count"], smaller, "{name}");
        let histogram = &pair["pairs"]["histogram"];
        let bars =
            histogram["counts"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).sum::<u64>();
        let outside = histogram["below"].as_u64().unwrap() + histogram["above"].as_u64().unwrap();
        assert_eq!(bars + outside, differences.len() as u64, "{name}");
        // The instances that part most have a command to see one of them again.
        let parted = &pair["pairs"]["parted"];
        let sizes: Vec<f64> =
            parted.as_array().unwrap().iter().map(|p| p["difference"].as_f64().unwrap().abs()).collect();
        let largest = differences.iter().map(|d| d.abs()).fold(0.0, f64::max);
        assert!(
            sizes.len() == 5 && sizes[0] == largest && sizes.is_sorted_by(|a, b| a >= b),
            "{name}: {sizes:?}"
        );
        let replay = parted[0]["replay"][1].as_str().unwrap();
        assert_eq!(replay, format!("polhode replay {} --instance {}", path(&second), parted[0]["instance"]));
    }
    // Who stands in one run alone.
    let share =
        found["ends"]["shares"].as_array().unwrap().iter().find(|share| share["name"] == "upright_since");
    let share = share.unwrap_or_else(|| panic!("{}", found["ends"]["shares"]));
    let [x, y] = [0, 1].map(|k| numbers(&tables[k], "final.upright_since"));
    let alone = x.iter().zip(&y).filter(|(x, y)| x.is_nan() && y.is_finite()).count() as u64;
    assert!(alone > 0 && share["alone"][1]["count"] == alone, "{share}");

    // Other draws: as independent runs, and that is said.
    let apart = compared(&[path(&first), path(&other)]);
    assert!(apart["ends"]["pairs"].is_null());
    assert!(
        apart["not_compared"].to_string().contains("compared as independent ones"),
        "{}",
        apart["not_compared"]
    );
    let ratio =
        half_width(&mean(&apart, "travel")["difference"]) / half_width(&mean(&found, "travel")["difference"]);
    assert!(ratio > 5.0, "{ratio}");

    let (printed, _) = ends_with(0, &["compare", path(&first), path(&second), "--out", path(&pictures)]);
    for words in [
        "means at the end, 1,000 pairs",
        "upright_since has a value",
        "instances that part most",
        "polhode replay",
    ] {
        assert!(printed.contains(words), "{words}: {printed}");
    }
    for picture in ["upright_since_pairs.png", "travel_pairs.svg"] {
        assert!(pictures.join(picture).exists(), "{picture}");
    }
    // Numbers of tables have three digits.
    let tables = printed.split("\nshares of the instances").nth(1).unwrap();
    for word in tables.split_whitespace().filter(|word| word.contains('.') && !word.contains('/')) {
        let digits = word.split('e').next().unwrap().chars().filter(char::is_ascii_digit).collect::<String>();
        let is_number = word.trim_matches(['(', ')', '%', ';', ',']).parse::<f64>().is_ok();
        assert!(!is_number || digits.trim_start_matches('0').len() <= 4, "{word}: {printed}");
        assert!(
            !is_number || word.ends_with([';', ')']) || digits.trim_start_matches('0').len() <= 3,
            "{word}"
        );
    }
}

/// Two hundred repeats of a small comparison are disjoint parts of one large one, whose mean stands
/// for the truth.
#[test]
fn intervals_of_pairs_hold_the_mean_as_often_as_they_say() {
    let home = TempDir::new().unwrap();
    let [first, second] = ["first", "second"].map(|name| home.path().join(name));
    let plain = [
        "output.plots=false",
        "output.report=false",
        "ensemble.size=20000",
        "method.step=2 ms",
        "method.duration=4 s",
        "observe.every=4 s",
        "observe.channels=[\"hinge.angle\"]",
    ];
    cart_pole(&first, &plain);
    cart_pole(&second, &[&plain[..], &["mechanism.constants.k_angle=-45 N"]].concat());
    let [x, y] =
        [&first, &second].map(|out| numbers(&table(out, "instances.parquet"), "final.upright_since"));
    let differences: Vec<Vec<f64>> = x
        .chunks(100)
        .zip(y.chunks(100))
        .map(|(x, y)| x.iter().zip(y).map(|(x, y)| y - x).filter(|d| d.is_finite()).collect())
        .collect();
    let all = Moments::of(&differences.concat()).mean;
    let holds = differences.iter().map(|part| pairs::mean(part)).filter(|i| i.low <= all && all <= i.high);
    let share = holds.count() as f64 / differences.len() as f64;
    // Two hundred repeats of a true 95 % interval show 92 to 98 %.
    assert!(differences.len() == 200 && (0.92..=0.98).contains(&share), "{share}");
}

/// An instance that fails in one of the runs has no final value, whatever its last sound state was.
#[test]
fn an_instance_that_fails_in_one_run_is_no_pair() {
    let home = TempDir::new().unwrap();
    let [first, second, fallen] = ["first", "second", "fallen"].map(|name| home.path().join(name));
    let plain = ["output.plots=false", "output.report=false", "ensemble.size=200", "method.duration=1 s"];
    cart_pole(&first, &plain);
    // The motor does work: some gain more energy than the bound allows.
    cart_pole(&second, &[&plain[..], &["verdict={ energy = 2 }"]].concat());
    let when =
        "verdict=[{ energy = \"none\", every = 1 }, { name = \"fallen\", when = \"abs(hinge.angle) > 1\" }]";
    cart_pole(&fallen, &[&plain[..], &[when]].concat());
    let ended = |out: &Path, name: &str| -> u64 {
        let manifest: Value = serde_json::from_slice(&fs::read(out.join("manifest.json")).unwrap()).unwrap();
        manifest["verdicts"][name].as_u64().unwrap()
    };
    let stopped = ended(&second, "energy_bound");
    assert!((1..200).contains(&stopped), "{stopped}");
    let found = compared(&[path(&first), path(&second)]);
    assert_eq!(found["ends"]["pairs"], 200);
    assert_eq!(mean(&found, "travel")["first"]["count"], 200 - stopped);
    let notes = found["not_compared"].to_string();
    assert!(notes.contains(&format!("{stopped} of 200 pairs have no final values")), "{notes}");
    let verdict =
        found["ends"]["shares"].as_array().unwrap().iter().find(|share| share["name"] == "energy_bound");
    assert_eq!(verdict.unwrap()["alone"][1]["count"], stopped);
    // A condition of the study is an end, and its values count.
    let fell = ended(&fallen, "fallen");
    let found = compared(&[path(&first), path(&fallen)]);
    assert!(fell > 0 && mean(&found, "travel")["first"]["count"] == 200);
    let notes = found["not_compared"].to_string();
    assert!(notes.contains(&format!("ended {fell} pairs early in one run or both")), "{notes}");
}

/// Instances are found by their numbers: a run of fewer, or one that stored less, has its pairs
/// too.
#[test]
fn pairs_are_of_the_instances_that_both_have() {
    let home = TempDir::new().unwrap();
    let [first, fewer, bare, table_of_none] =
        ["first", "fewer", "bare", "none"].map(|name| home.path().join(name));
    let plain = [
        "output.plots=false",
        "output.report=false",
        "method.duration=0.5 s",
        "observe.channels=[\"hinge.angle\"]",
    ];
    let run = |out: &Path, changes: &[&str]| cart_pole(out, &[&plain[..], changes].concat());
    run(&first, &["ensemble.size=120"]);
    run(&fewer, &["ensemble.size=50", "method.step=2 ms"]);
    run(&bare, &["ensemble.size=120", "output.instances=[\"final\"]", "method.step=2 ms"]);
    run(&table_of_none, &["ensemble.size=120", "output.instances=none", "method.step=2 ms"]);
    assert_eq!(compared(&[path(&first), path(&fewer)])["ends"]["pairs"], 50);
    assert_eq!(compared(&[path(&first), path(&bare)])["ends"]["pairs"], 120, "ensembles are the same");
    let found = compared(&[path(&first), path(&table_of_none)]);
    assert!(
        found["ends"]["pairs"].is_null() && found["not_compared"].to_string().contains("did not store final")
    );
    assert!(half_width(&mean(&found, "travel")["difference"]) > 0.0);
    // The differences have in them what varies in one run alone.
    let root = root();
    let study = fs::read_to_string(root.join("studies/cart_pole.toml")).unwrap();
    let study = study.replace("../mechanisms", path(&root.join("mechanisms")));
    let study = study.replace(
        "[[outcome]]\nname = \"upright_since\"",
        "\"cart.mass\" = { uniform = { low = 0.9, high = 1.1 } }\n\n[[outcome]]\nname = \"upright_since\"",
    );
    let (file, more) = (home.path().join("more.toml"), home.path().join("more"));
    fs::write(&file, study).unwrap();
    let arguments = ["run", path(&file), "--quiet", "--out", path(&more), "--set", "ensemble.size=120"];
    ends_with(0, &[&arguments[..], &["--set", "method.duration=0.5 s"]].concat());
    let found = compared(&[path(&first), path(&more)]);
    let notes = found["not_compared"].to_string();
    assert!(found["ends"]["pairs"] == 120 && notes.contains("varies cart.mass besides"), "{notes}");
    // With itself nothing parts, and the interval is a point.
    let same = compared(&[path(&first), path(&first)]);
    let travel = mean(&same, "travel");
    assert_eq!(
        (half_width(&travel["difference"]), travel["pairs"]["parted"].as_array().unwrap().len()),
        (0.0, 0)
    );
    let (printed, _) = ends_with(0, &["compare", path(&first), path(&first), path(&fewer)]);
    assert!(printed.contains("120 pairs") && printed.contains("50 pairs"), "{printed}");
}
