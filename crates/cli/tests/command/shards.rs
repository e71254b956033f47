//! An ensemble run in parts and put together is the ensemble run at once, bit for bit; what is no
//! set of all its parts is refused by name.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use crate::command::{contents, ends_with, names, path, without_checksums};
use crate::common::engine::{Quiet, Said};
use crate::common::root;
use crate::common::sweep::alternate;
use crate::resume;
use polhode::base::{Precision, spread};
use polhode::describe::{Distribution, Given, Quantity, Study, Target, Vary};
use polhode::ensemble::{Sampler, Shard};
use polhode::observe::{PILOT, channels};
use polhode::output::NEVER;
use polhode::output::SavedTable;
use polhode::study::RunError;
use polhode::study::plan::plan;
use polhode::study::replay::replay;
use polhode::study::shard::merge;
use polhode::study::{RunContext, run, run_under};
use polhode::study_file::{read_study, read_study_text};
use polhode::{RunOptions, Stage};
use tempfile::TempDir;

/// Cuts of an ensemble: studies take one pair or the other.
const CUTS: [[u64; 2]; 2] = [[1, 16], [2, 7]];

fn shipped(name: &str, size: u64, steps: u64) -> Study {
    let file = root().join("studies").join(name);
    let mut study = read_study(&file).unwrap_or_else(|problems| panic!("{problems}"));
    study.ensemble.size = size;
    study.observe.keep = study.observe.keep.min(size);
    study.method.steps = steps;
    study.observe.every = steps.div_ceil(5);
    study.run.backend = polhode::describe::BackendChoice::Cpu;
    study
}

/// Runs a study whole.
pub fn whole(study: &Study, out: &Path) {
    run(study, out, false, &Quiet, &AtomicBool::new(false)).unwrap_or_else(|error| panic!("{error}"));
}

pub fn shard(study: &Study, part: u64, parts: u64, out: &Path) -> Result<(), RunError> {
    let interrupted = &AtomicBool::new(false);
    let shard = Some(Shard { part, of: parts });
    let warnings = polhode::study::plausible::doubts(study).unwrap_or_else(|error| panic!("{error}"));
    let under = RunContext::new(out, &warnings, &Quiet, interrupted);
    run_under(study, &RunContext { shard, ..under }).map(drop)
}

/// Runs all parts, and gives their folders.
fn shards(study: &Study, parts: u64, home: &Path) -> Vec<PathBuf> {
    let run = |part| {
        let out = home.join(format!("{part}-of-{parts}"));
        shard(study, part, parts, &out).unwrap_or_else(|error| panic!("{part}/{parts}: {error}"));
        out
    };
    (1..=parts).map(run).collect()
}

/// All files, by name, without what tells of times and machine.
fn results(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let relative = |file: PathBuf| path(file.strip_prefix(folder).unwrap()).to_string();
    let mut results: BTreeMap<String, Vec<u8>> =
        contents(folder).into_iter().map(|(file, bytes)| (relative(file), bytes)).collect();
    let manifest = results.get_mut("manifest.json").unwrap();
    let mut of_run: serde_json::Value = serde_json::from_slice(manifest).unwrap();
    let keys = of_run.as_object_mut().unwrap();
    // The number of instances judged depends on the time that is had.
    for key in ["device", "started", "timings", "instance_steps_per_second", "accuracy", "checksum"] {
        assert!(keys.remove(key).is_some(), "{key}");
    }
    let files = keys["files"].as_array_mut().unwrap();
    let depends =
        |file: &serde_json::Value| file["name"] == "report.html" || file["name"] == "accuracy.parquet";
    files.retain(|file| !depends(file));
    *manifest = of_run.to_string().into_bytes();
    // The report without its head and the sections that show times and machine.
    let report = String::from_utf8(results["report.html"].clone()).unwrap();
    let sections = report.split("<section>").skip(1);
    let of_run = |section: &&str| !["What was run", "Time spent"].iter().any(|title| section.contains(title));
    let sections: Vec<&str> = sections.filter(of_run).collect();
    assert_eq!(sections.len(), report.matches("<section>").count() - 2);
    assert!(results.remove("accuracy.parquet").is_some());
    results.insert("report.html".to_string(), sections.concat().into_bytes());
    results
}

#[track_caller]
fn assert_same(what: &str, whole: &Path, merged: &Path) {
    let (whole, merged) = (results(whole), results(merged));
    assert_eq!(whole.keys().collect::<Vec<_>>(), merged.keys().collect::<Vec<_>>(), "{what}");
    for (name, bytes) in &whole {
        assert!(*bytes == merged[name], "{what}: {name} differs");
    }
}

/// More instances than the pilot has, of a spatial, a planar and a stopping kind; and fewer.
fn studies() -> Vec<(&'static str, Study)> {
    let mut stopping = shipped("tumbling.toml", 2500, 400);
    stopping.run.precision = Precision::F32;
    stopping.observe.keep = 700;
    // So few pass it that the first shards have not all that a report lists.
    stopping.verdict.energy = Some(3e-6);
    let mut small = shipped("double_pendulum.toml", 40, 50);
    small.run.precision = Precision::F64;
    let mut linkage = shipped("four_bar.toml", 1100, 20);
    linkage.run.precision = Precision::F32Compensated;
    // Tables of several pages.
    let mut large = shipped("tumbling.toml", 60_000, 2);
    large.observe.channels = vec![channels::ENERGY.into()];
    // Instances in every shard bend by more than a tenth.
    let bent = shipped("triangle.toml", 200, 900);
    let mut all = vec![
        ("tumbling", stopping),
        ("small", small),
        ("linkage", linkage),
        ("large", large),
        ("triangle", bent),
    ];
    // It is enough to draw one channel of each, most of which are vectors.
    all.iter_mut().for_each(|(_, study)| study.observe.channels.truncate(1));
    all
}

#[test]
fn shards_of_every_kind_are_the_whole() {
    let home = TempDir::new().unwrap();
    for (turn, (name, study)) in resume::kinds(home.path()).into_iter().enumerate() {
        let study = read_study(&study).unwrap();
        let at_once = home.path().join(format!("{name}-whole"));
        whole(&study, &at_once);
        for of in alternate(turn, &[2, 7]) {
            let parts = home.path().join(format!("{name}-{of}"));
            let parts = shards(&study, of, &parts);
            let merged = home.path().join(format!("{name}-merged-{of}"));
            merge(&parts, &merged, false, &NEVER).unwrap_or_else(|error| panic!("{name}, {of}: {error}"));
            resume::assert_same(&format!("{name} in {of}"), &at_once, &merged);
        }
    }
}

#[test]
fn merged_shards_are_the_whole() {
    for (turn, (name, study)) in studies().into_iter().enumerate() {
        let home = TempDir::new().unwrap();
        let at_once = home.path().join("whole");
        whole(&study, &at_once);
        for of in alternate(turn, &CUTS).concat() {
            let mut parts = shards(&study, of, home.path());
            // In any order.
            parts.reverse();
            let third = parts.len() / 3;
            parts.rotate_left(third);
            let merged = home.path().join(format!("merged-{of}"));
            merge(&parts, &merged, false, &NEVER).unwrap_or_else(|error| panic!("{name}, {of}: {error}"));
            assert_same(&format!("{name}, {of} shards"), &at_once, &merged);
        }
        if name == "tumbling" {
            let manifest = fs::read_to_string(at_once.join("manifest.json")).unwrap();
            let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
            let stopped = manifest["verdicts"]["energy_bound"].as_u64().unwrap();
            assert!((20..140).contains(&stopped), "{stopped}");
        }
        if name == "triangle" {
            let manifest = fs::read_to_string(at_once.join("manifest.json")).unwrap();
            let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
            let bent = manifest["bent"]["instances"].as_u64().unwrap();
            assert!((20..=200).contains(&bent), "{bent}");
        }
    }
}

#[test]
fn a_shard_run_twice_is_the_same() {
    let home = TempDir::new().unwrap();
    let mut study = shipped("tumbling.toml", 3000, 200);
    let files = |study: &Study, name: &str| {
        let out = home.path().join(name);
        shard(study, 3, 7, &out).unwrap();
        ["instances.parquet", "shard.state"].map(|file| fs::read(out.join(file)).unwrap())
    };
    (study.run.threads, study.run.chunk) = (Some(1), None);
    let once = files(&study, "once");
    assert!(once == files(&study, "again"));
    // Threads and chunk are written in the study that it holds, and nowhere else.
    (study.run.threads, study.run.chunk) = (Some(2), Some(100));
    let [instances, _] = files(&study, "otherwise");
    assert!(once[0] == instances);
}

/// Pages of a large table end where they end, whatever the chunks.
#[test]
fn large_tables_do_not_depend_on_chunks() {
    let home = TempDir::new().unwrap();
    let mut study = shipped("tumbling.toml", 60_000, 2);
    study.observe.channels = vec![channels::ENERGY.into()];
    let mut first: Option<Vec<u8>> = None;
    for chunk in [None, Some(30_000), Some(7001), Some(16_384)] {
        study.run.chunk = chunk;
        let out = home.path().join(format!("{chunk:?}"));
        whole(&study, &out);
        let bytes = fs::read(out.join("instances.parquet")).unwrap();
        assert!(*first.get_or_insert_with(|| bytes.clone()) == bytes, "{chunk:?}");
    }
}

/// Parts computed with different numbers of threads and chunks, one of them read again by the
/// reference.
#[test]
fn shards_may_be_computed_differently_and_replayed() {
    let home = TempDir::new().unwrap();
    let mut study = shipped("tumbling.toml", 300, 200);
    study.run.precision = Precision::F64;
    let at_once = home.path().join("whole");
    whole(&study, &at_once);
    let mut parts = Vec::new();
    for (part, threads, chunk) in [(1, Some(1), Some(7)), (2, None, None), (3, Some(2), Some(1))] {
        (study.run.threads, study.run.chunk) = (threads, chunk);
        let out = home.path().join(format!("{part}"));
        shard(&study, part, 3, &out).unwrap();
        parts.push(out);
    }
    let merged = home.path().join("merged");
    merge(&parts, &merged, false, &NEVER).unwrap();
    let without_study = |folder: &Path| {
        let mut results = results(folder);
        // Threads and chunk stand in them, or what these are as long as.
        ["study.toml", "report.html", "manifest.json", "run.state"]
            .iter()
            .for_each(|name| drop(results.remove(*name)));
        results
    };
    assert!(without_study(&at_once) == without_study(&merged));
    let replayed = |folder: &Path, instance: &str| {
        let (printed, _) = ends_with(0, &["replay", path(folder), "--instance", instance]);
        printed
    };
    assert_eq!(replayed(&parts[1], "150"), replayed(&at_once, "150"));
    let (_, said) = ends_with(2, &["replay", path(&parts[1]), "--instance", "99"]);
    assert!(said.contains("it has instances 100 to 199"), "{said}");
}

/// Conditions with names stand by these in tables and manifests, whole and merged, and in what
/// `replay` and `compare` tell.
#[test]
fn named_verdicts_are_known_by_name_everywhere() {
    let home = TempDir::new().unwrap();
    let file = |name: &str| fs::read_to_string(root().join(name)).unwrap();
    let text = file("studies/cart_pole.toml").replace("mechanism = \"../mechanisms/cart_pole.toml\"\n", "")
        + "[[verdict]]\nname = \"fallen\"\nwhen = \"abs(hinge.angle) > 0.9\"\nevery = 10\n\
           [[verdict]]\nname = \"far\"\nwhen = \"abs(rail.displacement) > LIMIT\"\n";
    let study_with = |limit: &str| {
        let text = text.replace("LIMIT", limit);
        let study = read_study_text("named", &text, &file("mechanisms/cart_pole.toml"));
        let mut study = study.unwrap_or_else(|problems| panic!("{problems}"));
        (study.ensemble.size, study.method.steps, study.observe.every) = (90, 1000, 100);
        study.run.backend = polhode::describe::BackendChoice::Cpu;
        study
    };
    let study = study_with("1");
    let at_once = home.path().join("whole");
    whole(&study, &at_once);
    let manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(at_once.join("manifest.json")).unwrap()).unwrap();
    let counts = &manifest["verdicts"];
    let count = |name: &str| counts[name].as_u64().unwrap_or(0);
    assert!(count("fallen") > 0 && count("far") > 0 && count("finished") > 0, "{counts}");
    assert_eq!(count("fallen") + count("far") + count("finished"), 90, "{counts}");
    assert!(counts.get("condition").is_none(), "{counts}");
    let table = SavedTable::open(&at_once.join("instances.parquet")).unwrap();
    let names = table.texts("verdict").unwrap();
    assert_eq!(names.iter().filter(|name| *name == "fallen").count() as u64, count("fallen"));

    let merged = home.path().join("merged");
    merge(&shards(&study, 4, home.path()), &merged, false, &NEVER).unwrap();
    assert!(results(&merged) == results(&at_once));

    let fallen = names.iter().position(|name| name == "fallen").unwrap().to_string();
    let (printed, _) = ends_with(0, &["replay", path(&merged), "--instance", &fallen]);
    assert!(printed.contains("the run's verdict: fallen at step"), "{printed}");
    let other = home.path().join("other");
    whole(&study_with("0.5"), &other);
    let (printed, _) = ends_with(0, &["compare", path(&at_once), path(&other)]);
    assert!(printed.contains("fallen") && printed.contains("far"), "{printed}");
    let report = fs::read_to_string(at_once.join("report.html")).unwrap();
    assert!(report.contains("<td>fallen</td>") || report.contains("<th>fallen</th>"), "no line of it");
}

/// The user's own samples need not be where shards are merged.
#[test]
fn shards_are_merged_without_the_samples() {
    let home = TempDir::new().unwrap();
    let samples = home.path().join("samples.csv");
    let rows: Vec<String> = (0..50).map(|i| format!("{}.5", i % 7)).collect();
    fs::write(&samples, format!("w\n{}\n", rows.join("\n"))).unwrap();
    let mut study = shipped("tumbling.toml", 50, 100);
    study.ensemble.vary = vec![Vary {
        target: Target {
            key: "body.angular_velocity.x".into(),
            body: 0,
            quantity: Quantity::AngularVelocity,
            component: Some(0),
        },
        distribution: Distribution::Table {
            file: path(&samples).to_string(),
            columns: vec!["w".into()],
            values: std::sync::Arc::new((0..50).map(|i| vec![f64::from(i % 7) + 0.5]).collect()),
        },
    }];
    let at_once = home.path().join("whole");
    whole(&study, &at_once);
    let parts = shards(&study, 2, home.path());
    fs::remove_file(&samples).unwrap();
    let merged = home.path().join("merged");
    merge(&parts, &merged, false, &NEVER).unwrap_or_else(|error| panic!("{error}"));
    assert_same("samples", &at_once, &merged);

    // Other numbers under the same names.
    if let Distribution::Table { values, .. } = &mut study.ensemble.vary[0].distribution {
        *values = std::sync::Arc::new((0..50).map(|i| vec![f64::from(i % 7) + 0.25]).collect());
    }
    let other = home.path().join("other");
    shard(&study, 2, 2, &other).unwrap();
    let error = merge(&[parts[0].clone(), other], &home.path().join("none"), false, &NEVER).unwrap_err();
    assert!(error.to_string().contains("tables of samples"), "{error}");
}

/// A body that moves in a plane, but for the entries of two lists at one place each.
fn seldom_out_of_plane(first: usize, second: usize) -> Study {
    let mut study = shipped("double_pendulum.toml", 60 * 60, 20);
    study.observe.channels = vec![channels::ENERGY.into()];
    let list = |key: &str, body: usize, at: usize| Vary {
        target: Target { key: key.into(), body, quantity: Quantity::AngularVelocity, component: None },
        distribution: Distribution::List {
            values: (0..60).map(|i| vec![if i == at { 0.3 } else { 0.0 }, 0.1 * i as f64, 0.0]).collect(),
        },
    };
    study.ensemble.vary =
        vec![list("upper.angular_velocity", 0, first), list("lower.angular_velocity", 1, second)];
    for body in &mut study.mechanism.bodies {
        body.initial.angular_velocity = [0.0, 0.5, 0.0];
        // The drawn velocities contradict the joints.
        body.initial.given = Given::ABOUT;
    }
    study
}

/// Entries that only one instance in sixty shows are found, wherever they are: all shards are
/// planned alike.
#[test]
fn what_few_instances_show_is_known_to_all_shards() {
    for (first, second) in [(59, 0), (31, 17), (1, 58)] {
        let study = seldom_out_of_plane(first, second);
        let plan = plan(&study).unwrap();
        let sampler = Sampler::new(&study).unwrap();
        let all = polhode::study::plan::draw(&study, &plan, &sampler, 3600, |i| i as u64);
        assert!(all.is_ok(), "{first}, {second}: {:?}", all.err());
    }
    let study = seldom_out_of_plane(31, 17);
    let home = TempDir::new().unwrap();
    let at_once = home.path().join("whole");
    whole(&study, &at_once);
    let merged = home.path().join("merged");
    merge(&shards(&study, 7, home.path()), &merged, false, &NEVER).unwrap();
    assert_same("out of plane", &at_once, &merged);
}

/// More rows than are looked at one by one, of which one is out of the plane by a number so that
/// its pattern is that of others: what the plan cannot foresee ends the shard that meets it, and no
/// other.
#[test]
fn what_is_not_foreseen_ends_the_shard() {
    let size = 9000u64;
    let pilot = spread(size, PILOT);
    let late = (8000..size).find(|i| !pilot.contains(i) && i % 3 != 0);
    let late = late.unwrap();
    let mut study = shipped("tumbling.toml", size, 20);
    study.mechanism.gravity = [0.0, 0.0, -9.81];
    study.mechanism.bodies[0].centre_of_mass = [0.25, 0.0, 0.0];
    study.mechanism.bodies[0].initial.angular_velocity = [0.0; 3];
    let home = TempDir::new().unwrap();
    let samples = home.path().join("samples.csv");
    let turns = |i: u64| 1.0 + (i % 3) as f64;
    // v.y of the mass centre is v.y + w.z c.x, zero but in one row.
    let moves = |i: u64| if i == late { 0.5 } else { -0.25 * turns(i) };
    let lines: Vec<String> = (0..size).map(|i| format!("{:?},{:?}", turns(i), moves(i))).collect();
    fs::write(&samples, format!("w,v\n{}\n", lines.join("\n"))).unwrap();
    let column =
        |key: &str, quantity: Quantity, component: usize, name: &str, value: &dyn Fn(u64) -> f64| Vary {
            target: Target { key: key.into(), body: 0, quantity, component: Some(component) },
            distribution: Distribution::Table {
                file: path(&samples).to_string(),
                columns: vec![name.into()],
                values: std::sync::Arc::new((0..size).map(|i| vec![value(i)]).collect()),
            },
        };
    study.mechanism.bodies[0].initial.velocity = [0.0; 3];
    study.ensemble.vary = vec![
        column("body.angular_velocity.z", Quantity::AngularVelocity, 2, "w", &turns),
        column("body.velocity.y", Quantity::Velocity, 1, "v", &moves),
    ];
    study.run.precision = Precision::F64;
    let shards = 4;
    let part =
        (1..=shards).find(|part| Shard { part: *part, of: shards }.instances(size).contains(&late)).unwrap();
    let error = shard(&study, part, shards, &home.path().join("shard")).expect_err("it cannot be foreseen");
    let said = error.to_string();
    assert!(matches!(error, RunError::NotForeseen(_)), "{said}");
    assert!(
        said.contains(&format!("instance {late} starts with")) && said.contains("run the study whole"),
        "{said}"
    );
    assert_eq!(names(home.path()), ["samples.csv"], "nothing is left");
    shard(&study, 1, shards, &home.path().join("first")).unwrap();
    // The whole run finds it, and begins again: the result does not depend on when it was found.
    let mut tables = Vec::new();
    for chunk in [None, Some(640)] {
        study.run.chunk = chunk;
        let (said, out) = (Said::default(), home.path().join(format!("whole{}", tables.len())));
        run(&study, &out, false, &said, &AtomicBool::new(false)).unwrap();
        let said = said.lines();
        assert!(said.iter().any(|line| line.contains(&format!("instance {late} starts"))), "{said:?}");
        tables.push(fs::read(out.join("instances.parquet")).unwrap());
        for instance in [late, late - 1] {
            let replayed = replay(&out, instance).unwrap();
            assert!(!replayed.comparison.is_empty());
            for row in &replayed.comparison {
                assert!((row.stored - row.reference).abs() < 1e-12, "{instance}: {row:?}");
            }
        }
    }
    assert!(tables[0] == tables[1]);
}

/// A change of a file's bytes.
type Edit<'a> = &'a dyn Fn(Vec<u8>) -> Vec<u8>;

/// A folder copied, with a file changed.
fn copied(from: &Path, to: &Path, change: Option<(&str, Edit<'_>)>) {
    fs::create_dir(to).unwrap();
    for name in names(from) {
        let mut bytes = fs::read(from.join(&name)).unwrap();
        if let Some((_, change)) = change.filter(|(changed, _)| *changed == name) {
            bytes = change(bytes);
        }
        fs::write(to.join(&name), bytes).unwrap();
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a list of cases")]
fn what_is_no_set_of_all_shards_is_refused_by_name() {
    let home = TempDir::new().unwrap();
    let at = |name: &str| home.path().join(name);
    let study = shipped("tumbling.toml", 60, 40);
    for part in 1..=3 {
        shard(&study, part, 3, &at(&format!("{part}"))).unwrap();
    }
    whole(&study, &at("whole"));
    let other = |name: &str, change: &dyn Fn(&mut Study)| {
        let mut study = study.clone();
        change(&mut study);
        shard(&study, 2, 3, &at(name)).unwrap();
    };
    other("seed", &|study| study.ensemble.seed += 1);
    other("title-step-seed", &|study| {
        study.title = "another".into();
        study.method.step *= 0.5;
        study.ensemble.seed += 1;
    });
    other("size", &|study| study.ensemble.size = 61);
    other("precision", &|study| study.run.precision = Precision::F32);
    other("fused", &|study| study.run.fused = false);
    shard(&study, 2, 4, &at("cut")).unwrap();

    let text = |bytes: Vec<u8>, from: &str, to: &str| {
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.contains(from), "{text}");
        text.replace(from, to).into_bytes()
    };
    let flip = |mut bytes: Vec<u8>| {
        let at = bytes.len() / 2;
        bytes[at] ^= 1;
        bytes
    };
    copied(&at("2"), &at("flipped"), Some(("instances.parquet", &flip)));
    // Shards of a polhode before checksums: what is not one run is found by other marks.
    without_checksums(&at("2"));
    copied(&at("2"), &at("damaged"), Some(("shard.state", &flip)));
    copied(&at("2"), &at("short"), Some(("instances.parquet", &|bytes| bytes[..100].to_vec())));
    copied(&at("2"), &at("edited"), Some(("study.toml", &|bytes| text(bytes, "seed = 7", "seed = 8"))));
    copied(
        &at("2"),
        &at("interrupted"),
        Some(("manifest.json", &|bytes| text(bytes, "\"complete\": true", "\"complete\": false"))),
    );
    let earlier = |mut bytes: Vec<u8>| {
        bytes[14] = 3;
        bytes
    };
    copied(&at("2"), &at("form"), Some(("shard.state", &earlier)));
    // Shards of another version or machine, with a right checksum.
    let sealed = |mut bytes: Vec<u8>| {
        let end = bytes.len() - 8;
        let mut checksum = polhode::observe::stored::Checksum::default();
        checksum.add(&bytes[..end]);
        bytes[end..].copy_from_slice(&checksum.value().to_le_bytes());
        bytes
    };
    for (name, from, to) in [
        ("version", r#""polhode":"0.2.0""#, r#""polhode":"0.0.9""#),
        ("arithmetic", r#""arithmetic":"CPU, f64"#, r#""arithmetic":"GPU, f64"#),
        ("zeros", r#""zeros":["00"#, r#""zeros":["01"#),
    ] {
        let altered = |mut bytes: Vec<u8>| {
            let place = bytes.windows(from.len()).position(|window| window == from.as_bytes());
            let place = place.unwrap_or_else(|| panic!("{from}"));
            bytes[place..place + to.len()].copy_from_slice(to.as_bytes());
            sealed(bytes)
        };
        copied(&at("2"), &at(name), Some(("shard.state", &altered)));
    }
    // The scale of the first bins: behind the header come probabilities, two numbers of the pilot
    // and that of its cells; a cell begins with the place of its grid and the centre of its bins.
    let pilot = |mut bytes: Vec<u8>| {
        let length =
            |bytes: &[u8], at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
        let probabilities = 18 + 8 + length(&bytes, 18) + 8;
        let mut cells = probabilities + 1 + 8 * usize::from(bytes[probabilities]) + 2;
        while bytes[cells] & 0x80 != 0 {
            cells += 1;
        }
        bytes[cells + 1 + 3 * 8] ^= 1;
        sealed(bytes)
    };
    copied(&at("2"), &at("pilot"), Some(("shard.state", &pilot)));
    copied(&at("2"), &at("without"), None);
    fs::remove_file(at("without").join("shard.state")).unwrap();
    fs::create_dir(at("empty")).unwrap();

    let before = contents(home.path());
    let mut said = String::new();
    for folders in [
        &["1", "3"][..],
        &["2"],
        &["1", "2", "3", "2"],
        &["1", "seed", "3"],
        &["1", "title-step-seed", "3"],
        &["1", "size", "3"],
        &["1", "precision", "3"],
        &["1", "fused", "3"],
        &["1", "cut", "3"],
        &["1", "version", "3"],
        &["1", "arithmetic", "3"],
        &["1", "zeros", "3"],
        &["1", "pilot", "3"],
        &["1", "form", "3"],
        &["1", "flipped", "3"],
        &["1", "damaged", "3"],
        &["1", "short", "3"],
        &["1", "edited", "3"],
        &["1", "interrupted", "3"],
        &["1", "without", "3"],
        &["1", "whole", "3"],
        &["1", "empty", "3"],
        &["1", "nowhere", "3"],
    ] {
        let folders: Vec<PathBuf> = folders.iter().map(|name| at(name)).collect();
        let mut arguments = vec!["merge"];
        arguments.extend(folders.iter().map(|folder| path(folder)));
        let out = at("out");
        arguments.extend(["--out", path(&out)]);
        let (printed, message) = ends_with(2, &arguments);
        assert!(printed.is_empty() && message.trim_end().lines().count() == 1, "{message}");
        said += &message.replace(path(home.path()), "");
        assert!(contents(home.path()) == before, "{message}");
    }
    // The output folder is one of those to be merged, or holds something.
    for out in ["2", "whole"] {
        let folders = ["1", "2", "3"].map(at);
        let mut arguments = vec!["merge"];
        arguments.extend(folders.iter().map(|folder| path(folder)));
        let out = at(out);
        arguments.extend(["--out", path(&out)]);
        let (_, message) = ends_with(2, &arguments);
        let _ = write!(said, "{}", message.replace(path(home.path()), ""));
        assert!(contents(home.path()) == before, "{message}");
    }
    insta::assert_snapshot!(said);

    // A part that lies there alone is held against the study that is asked for.
    let surveyed = |name: &str, study: &Study| {
        let found = polhode::shards_of(&[at(name)], study).unwrap();
        found.into_iter().find(|found| found.folder.is_some()).unwrap()
    };
    for (name, why) in [
        ("version", "was computed by polhode 0.0.9, and what is asked for by 0.2.0"),
        ("seed", "is of another study: ensemble.seed is 8, and 7 in what is asked for"),
    ] {
        let found = surveyed(name, &study);
        assert!(found.stage == Stage::Foreign && found.why.unwrap().contains(why), "{name}");
    }
    let mut otherwise = study.clone();
    otherwise.run.threads = Some(3);
    let found = surveyed("1", &otherwise);
    assert!(found.stage == Stage::Done);
    // So is one that would be of another arithmetic than those that are there, before its first
    // step.
    let arithmetic = found.arithmetic.unwrap();
    for (like, is_refused) in [(&*arithmetic, false), ("CPU, f64, by another processor", true)] {
        let mut options = RunOptions::new().shard(Shard { part: 3, of: 3 });
        options.like = Some(like);
        let refused = polhode::run(&study, &options).map(drop).map_err(|error| error.to_string());
        let why =
            format!("were computed by {like}, and this one would be by {arithmetic}: the bits may differ");
        assert!(refused.err().map(|error| error.contains(&why)) == is_refused.then_some(true), "{like}");
    }
}

#[test]
fn shards_that_cannot_be_are_refused_before_the_first_step() {
    let home = TempDir::new().unwrap();
    let out = home.path().join("out");
    let mut said = String::new();
    for shard in ["0/0", "0/4", "5/4", "4", "1/x", "1.5/4", "-1/4", "1/4/4", "", "1/1000000000"] {
        let argument = format!("--shard={shard}");
        let (printed, message) =
            ends_with(2, &["run", "studies/tumbling.toml", "--out", path(&out), &argument]);
        assert!(printed.is_empty());
        let error = message.lines().find(|line| line.starts_with("error"));
        said += &format!("{}\n", error.unwrap());
        assert!(names(home.path()).is_empty(), "{shard}");
    }
    insta::assert_snapshot!(said);
}

#[test]
fn a_missing_shard_goes_beside_the_others_and_is_named_as_they_are() {
    let home = TempDir::new().unwrap();
    let study = shipped("tumbling.toml", 30, 10);
    let at = |name: &str| home.path().join(name);
    for (part, name) in [(1, "part-1"), (3, "part-3")] {
        shard(&study, part, 3, &at(name)).unwrap();
    }
    for folders in [
        vec![path(&at("part-1")).to_string(), path(&at("part-3")).to_string()],
        vec![path(home.path()).to_string()],
    ] {
        let mut arguments = vec!["shards"];
        arguments.extend(folders.iter().map(String::as_str));
        let (printed, _) = ends_with(1, &arguments);
        assert!(
            printed.contains(&format!("--shard 2/3 --out {} --resume", path(&at("part-2")))),
            "{printed}"
        );
    }
}

/// The commands that are printed can be given: none is for a folder that would be refused.
#[test]
fn a_missing_shard_goes_to_no_folder_of_others() {
    let home = TempDir::new().unwrap();
    let mut study = shipped("tumbling.toml", 30, 10);
    let at = |name: &str| home.path().join(name);
    let run_as_printed = |damage: &str| {
        let (printed, _) = ends_with(1, &["shards", path(home.path())]);
        assert!(printed.ends_with("1 of 2 done\n"), "{damage}: {printed}");
        let command = printed.lines().find(|line| line.contains("--shard 2/2") && line.ends_with("--resume"));
        let words = command.unwrap_or_else(|| panic!("{damage}: {printed}")).split_whitespace().skip(1);
        ends_with(0, &words.chain(["--quiet"]).collect::<Vec<_>>());
        let (printed, _) = ends_with(1, &["shards", path(home.path())]);
        assert!(printed.ends_with("2 of 2 done\n"), "{damage}: {printed}");
        ["2", "2_2"].iter().for_each(|name| fs::remove_dir_all(at(name)).unwrap());
    };
    (1..=2).for_each(|part| shard(&study, part, 2, &at(&format!("{part}"))).unwrap());
    fs::write(at("2/manifest.json"), "{").unwrap();
    run_as_printed("a damaged manifest");
    study.ensemble.seed += 1;
    shard(&study, 1, 2, &at("2")).unwrap();
    run_as_printed("another study");
}
