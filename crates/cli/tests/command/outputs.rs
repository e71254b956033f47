//! A run does not write the parts that its study does not want; the other parts are the same, and
//! commands that need the missing ones say so.

use std::fs;
use std::path::Path;

use crate::command::{altered, ends_with, names, path, polhode};
use crate::common::root;
use polhode::output::SavedTable;
use tempfile::TempDir;

/// 1200 tumbling bodies: more than a pilot has, and so few steps that nobody waits.
fn written(home: &Path, name: &str, output: &str) -> String {
    let mechanism = root().join("mechanisms/free_body.toml");
    let study = format!(
        "mechanism = {mechanism:?}\n[method]\nname = \"staggered\"\nstep = \"1 ms\"\nsteps = 40\n\
         [ensemble]\nsize = 1200\nseed = 3\n\
         [ensemble.vary]\n\"body.angular_velocity\" = {{ normal = {{ mean = [2.0, 0.1, 0.1], \
         std = 0.05 }} }}\n\"body.attitude\" = \"uniform\"\n\
         [observe]\nchannels = [\"energy\", \"angular_velocity\"]\nevery = 10\nkeep = 4\n\
         [accuracy]\nbudget = 0\n[output]\n{output}\n[run]\nbackend = \"cpu\"\n"
    );
    let file = home.join(format!("{name}.toml"));
    fs::write(&file, study).unwrap();
    path(&file).to_string()
}

fn run(home: &Path, name: &str, output: &str) -> String {
    let file = written(home, name, output);
    let out = path(&home.join(name)).to_string();
    ends_with(0, &["run", &file, "--out", &out]);
    out
}

const LEAST: &str = "instances = \"none\"\nplots = false\nreport = false";

#[test]
fn what_is_not_wanted_is_not_written_and_the_rest_is_the_same() {
    let home = TempDir::new().unwrap();
    let (all, least) = (run(home.path(), "all", "plots = true"), run(home.path(), "least", LEAST));
    let all_files = names(Path::new(&all));
    for file in ["instances.parquet", "correlations.parquet", "plots", "report.html"] {
        assert!(all_files.contains(&file.to_string()), "{file}");
    }
    let files =
        ["histograms", "motion", "statistics", "trajectories"].map(|table| format!("{table}.parquet"));
    let expected = [
        &files[..1],
        &["manifest.json".to_string()],
        &files[1..2],
        &["run.state".to_string()],
        &files[2..3],
        &["study.toml".to_string()],
        &files[3..],
    ];
    assert_eq!(names(Path::new(&least)), expected.concat());
    for file in &files {
        let bytes = |folder: &str| fs::read(Path::new(folder).join(file)).unwrap();
        assert!(bytes(&all) == bytes(&least), "{file} differs");
    }
    let (printed, _) =
        ends_with(0, &["run", &written(home.path(), "again", LEAST), "--out", &least, "--overwrite"]);
    assert!(printed.contains(&format!("wrote {least}\n")), "{printed}");

    // A report has its figures where the folder of plots is not wanted, which is so by default.
    let report = run(home.path(), "report", "");
    assert!(!names(Path::new(&report)).contains(&"plots".to_string()));
    let page = |folder: &str| fs::read_to_string(Path::new(folder).join("report.html")).unwrap();
    let figures = page(&report).matches("<figure>").count();
    assert!(figures > 0 && figures == page(&all).matches("<figure>").count());
    let unread = run(home.path(), "unread", "plots = true\nreport = false");
    assert_eq!(names(&Path::new(&unread).join("plots")), names(&Path::new(&all).join("plots")));
}

#[test]
fn columns_are_those_that_are_named() {
    let home = TempDir::new().unwrap();
    let all = run(home.path(), "all", "");
    let some = run(
        home.path(),
        "some",
        "instances = [\"drawn\", \"final.body.angular_velocity.y\", \"final.body.energy\"]",
    );
    let columns = |folder: &str| {
        let table = SavedTable::open(&Path::new(folder).join("instances.parquet")).unwrap();
        table.columns("").into_iter().map(|(name, _)| name).collect::<Vec<_>>()
    };
    let kept = |name: &String| {
        !name.starts_with("final.")
            || ["final.body.energy", "final.body.angular_velocity.y"].contains(&&**name)
    };
    let expected: Vec<String> = columns(&all).into_iter().filter(kept).collect();
    assert_eq!(expected.len(), 4 + 7 + 2);
    assert_eq!(columns(&some), expected);
    for column in expected.iter().filter(|name| name.contains('.')) {
        let values = |folder: &str| {
            let table = SavedTable::open(&Path::new(folder).join("instances.parquet")).unwrap();
            table.floats(column).unwrap().into_iter().map(f64::to_bits).collect::<Vec<_>>()
        };
        assert_eq!(values(&all), values(&some), "{column}");
    }
    // All that is drawn is there, and one of its finals: correlations are those of the whole table.
    let correlated = |folder: &str| {
        let table = SavedTable::open(&Path::new(folder).join("correlations.parquet")).unwrap();
        let (channel, rho) = (table.texts("channel").unwrap(), table.floats("spearman").unwrap());
        channel
            .into_iter()
            .zip(rho)
            .filter(|(c, _)| c == "body.energy")
            .map(|(_, x)| x.to_bits())
            .collect::<Vec<_>>()
    };
    assert!(correlated(&all) == correlated(&some) && correlated(&all).len() == 7);
    let (out, _) = ends_with(0, &["replay", &some, "--instance", "7"]);
    assert!(out.contains("coding: confirmed"), "{out}");
}

#[test]
fn a_column_that_is_none_is_refused_with_the_nearest() {
    let home = TempDir::new().unwrap();
    for (name, wanted, near) in [
        ("finals", "final.body.enregy", "did you mean \"final.body.energy\"?"),
        ("drawn", "drown", "did you mean \"drawn\"?"),
        ("vector", "final.body.angular_velocities", "did you mean \"final.body.angular_velocity\"?"),
    ] {
        let file = written(home.path(), name, &format!("instances = [\"drawn\", {wanted:?}]"));
        let out = path(&home.path().join(name)).to_string();
        let (_, said) = ends_with(2, &["run", &file, "--out", &out]);
        let (_, checked) = ends_with(2, &["check", &file]);
        for said in [said, checked] {
            assert!(said.contains(&format!("there is no column {wanted:?}; {near}")), "{said}");
        }
        assert!(!Path::new(&out).exists());
    }
}

#[test]
fn what_needs_instances_says_what_is_missing_and_how_to_get_it() {
    let home = TempDir::new().unwrap();
    let least = run(home.path(), "least", LEAST);
    let drawn = run(home.path(), "drawn", "instances = [\"drawn.body.attitude\"]");
    let advice = "output.instances = \"all\"";
    for (folder, missing) in [(&least, "no table of instances"), (&drawn, "no final values")] {
        let (_, said) = ends_with(2, &["replay", folder, "--instance", "7"]);
        assert!(said.contains(missing) && said.contains(advice), "{said}");
        let plots = path(&home.path().join("plots")).to_string();
        let (_, said) = ends_with(0, &["plot", folder, "--out", &plots, "--overwrite"]);
        assert!(said.contains("not drawn against inputs") && said.contains(advice), "{said}");
        assert!(names(Path::new(&plots)).contains(&"body.energy_fan.png".to_string()));
    }
    let page = fs::read_to_string(Path::new(&drawn).join("report.html")).unwrap();
    assert!(page.contains("Left out: correlations need all drawn numbers"));
    let (compared, _) = ends_with(0, &["compare", &least, &drawn]);
    assert!(compared.contains(&format!("{least} and {drawn} did not store final values")), "{compared}");
    assert!(compared.contains(advice), "{compared}");
}

#[test]
fn shards_without_instances_are_merged() {
    let home = TempDir::new().unwrap();
    let whole = run(home.path(), "whole", LEAST);
    let file = written(home.path(), "parts", LEAST);
    let parts = ["1/2", "2/2"].map(|shard| {
        let out = path(&home.path().join(shard.replace('/', "-"))).to_string();
        ends_with(0, &["run", &file, "--shard", shard, "--out", &out]);
        assert!(!Path::new(&out).join("instances.parquet").exists());
        out
    });
    let merged = path(&home.path().join("merged")).to_string();
    ends_with(0, &["merge", &parts[0], &parts[1], "--out", &merged]);
    assert_eq!(names(Path::new(&merged)), names(Path::new(&whole)));
    let bytes = |folder: &str| fs::read(Path::new(folder).join("statistics.parquet")).unwrap();
    assert!(bytes(&merged) == bytes(&whole));
    let (_, said) = ends_with(2, &["merge", &parts[0], &whole, "--out", &merged, "--overwrite"]);
    assert!(said.contains("is a whole run"), "{said}");
}

/// The report says how instances came to their values: a grid draws nothing.
#[test]
fn a_grid_is_not_called_random() {
    let home = TempDir::new().unwrap();
    let file = home.path().join("grid.toml");
    let vary = "\"body.mass\" = { list = [1, 2] }\n\
                \"body.angular_velocity.x\" = { linspace = { from = 1, to = 2, count = 3 } }\n";
    let study = "mechanism = { body = { mass = 1, inertia = [2, 3, 4] } }\n\
                 method = { name = \"rk4\", step = 0.01, steps = 20 }\nrun = { backend = \"cpu\" }\n\
                 output = { plots = false }\n";
    let drawn = "\"body.angular_velocity.y\" = { uniform = { low = 0, high = 1 } }\n";
    for (name, size, more, said) in [
        ("grid", 6, "", "a grid of 2 × 3<"),
        ("both", 12, drawn, "a grid of 2 × 3; random, one stream an instance, seed 0<"),
    ] {
        fs::write(&file, format!("{study}ensemble.size = {size}\n[ensemble.vary]\n{vary}{more}")).unwrap();
        let out = home.path().join(name);
        ends_with(0, &["run", path(&file), "--out", path(&out)]);
        let report = fs::read_to_string(out.join("report.html")).unwrap();
        assert!(
            report.contains(said),
            "{name}: {}",
            report.split("Sampling").nth(1).unwrap_or_default().get(..200).unwrap()
        );
    }
}

/// A body that turns at 1 rad/s for 10 s: its quaternion changes its sign twice, and the heading of
/// a point goes over from half a turn to minus half a turn twice. Lines of single instances reach
/// across neither.
#[test]
fn lines_of_single_instances_do_not_reach_across_jumps_by_convention() {
    let home = TempDir::new().unwrap();
    let mechanism = "[[body]]\nname = \"body\"\nmass = 1\ninertia = [1, 1, 1]\n\
                     initial = { angular_velocity = [1, 0, 0] }\n\
                     [[point]]\nname = \"tip\"\nbody = \"body\"\nat = [0, 1, 0]\n\
                     [[signal]]\nname = \"heading\"\nvalue = \"atan2(tip.position.z, tip.position.y)\"\n\
                     unit = \"rad\"\n\
                     [[signal]]\nname = \"degrees\"\nvalue = \"180/pi*heading + 0.1*t\"\nunit = \"1\"\n";
    fs::write(home.path().join("spin.toml"), mechanism).unwrap();
    let study = "mechanism = \"spin.toml\"\nmethod = \
                 { name = \"rk4\", step = \"10 ms\", duration = \"10 s\" }\nensemble.size = 2\n\
                 [observe]\nchannels = [\"attitude\", \"heading\", \"degrees\", \"body.angular_velocity\"]\n\
                 every = \"100 ms\"\nkeep = 1\n\
                 [[outcome]]\nname = \"last\"\nfinal = \"degrees/2\"\n[accuracy]\nbudget = 0\n[run]\n\
                 backend = \"cpu\"\n";
    let file = home.path().join("study.toml");
    fs::write(&file, study).unwrap();
    let out = home.path().join("out");
    ends_with(0, &["run", path(&file), "--out", path(&out), "--set", "output.plots=true"]);
    let lines = |column: &str| {
        let picture = fs::read_to_string(out.join(format!("plots/{column}_fan.svg"))).unwrap();
        // The legend has one.
        picture.matches("#8a949d").count() - 1
    };
    assert_eq!(lines("body.angular_velocity.x"), 1);
    for column in ["body.attitude.q0", "body.attitude.q1", "heading", "degrees", "last"] {
        assert_eq!(lines(column), 3, "{column}");
    }
}

/// One instance has values: no histogram, no quantiles, and no plural.
#[test]
fn a_run_of_one_instance_shows_its_values() {
    let home = TempDir::new().unwrap();
    let out = home.path().join("out");
    let study = "accuracy.budget = 0\nmethod = { name = \"rk4\", step = \"10 ms\", duration = \"100 ms\" }\n\
                 observe = { channels = [\"angular_velocity\"], every = \"10 ms\" }\n\
                 outcome = [{ name = \"spin\", max = \"body.angular_velocity.x\" }]";
    let body = "inertia = [1, 2, 3]\ninitial = { angular_velocity = [1, 2, 3] }";
    let file = free(home.path(), "one", body, study);
    let arguments =
        ["run", &file, "--out", path(&out), "--set", "output.plots=true", "--set", "ensemble.size=1"];
    let (said, _) = ends_with(0, &arguments);
    assert!(said.contains("1 of 1 instance x 10 steps"), "{said}");
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    let main = page.split("<main>").nth(1).unwrap();
    assert!(page.contains("1 instance × 10 steps"));
    for shown in ["The instance: finished.", "Values at the last time", "angular velocity x against time"] {
        assert!(main.contains(shown), "{shown}");
    }
    for absent in ["1 instances", "quantiles over", "values of 1", "median"] {
        assert!(!main.contains(absent), "{absent}");
    }
    let pictures = names(&out.join("plots"));
    assert!(pictures.iter().any(|name| name.contains("_fan")), "{pictures:?}");
    assert!(
        !pictures.iter().any(|name| name.contains("_final") || name.contains("_distribution")),
        "{pictures:?}"
    );
}

/// A free body, with these lines in its mechanism and its study.
fn free(home: &Path, name: &str, mechanism: &str, study: &str) -> String {
    let text = format!(
        "ensemble.size = 2\noutput.plots = false\nrun.backend = \"cpu\"\n{study}\n\
         [mechanism.body]\nmass = 1\n{mechanism}\n"
    );
    let file = home.join(format!("{name}.toml"));
    fs::write(&file, text).unwrap();
    path(&file).to_string()
}

const SHORT: &str =
    "accuracy.budget = 0\nmethod = { name = \"rk4\", step = \"10 ms\", duration = \"100 ms\" }";

/// No step makes a logarithm of a negative number one.
#[test]
fn a_run_whose_forces_have_no_value_names_the_function() {
    let home = TempDir::new().unwrap();
    let push = "inertia = [1, 1, 1]\n[[mechanism.load]]\nname = \"push\"\nbody = \"body\"\nkind = \"force\"\n\
                axes = \"space\"\nfunction = [\"log(body.position.x - 1)\", \"0\", \"0\"]";
    let file = free(home.path(), "push", push, SHORT);
    let (_, said) = ends_with(3, &["run", &file, "--out", path(&home.path().join("out"))]);
    assert!(said.contains("the function of the load `push` has no finite value"), "{said}");
    assert!(!said.contains("smaller step"), "{said}");

    // A method that is chosen fails for the same reasons, here at a later time.
    let chosen = "method = { accuracy = 1e-6, duration = \"2 s\" }";
    let spring = "inertia = [1, 1, 1]\n[[mechanism.spring]]\nname = \"cord\"\nstiffness = 1\n\
                  bodies = [\"ground\", \"body\"]\npoints = [[1, 0, 0], [1, 0, 0]]";
    let later = push.replace("body.position.x - 1", "1.2 - t");
    let when = "at 1.2 s the function of the load `push` has no finite value";
    let start = "at the start of instance 0 the function of the load `push` has no finite value";
    let cord = "the points of the spring `cord` coincide at the start of instance 0";
    for (name, mechanism, words) in
        [("late", &*later, when), ("at_once", push, start), ("cord", spring, cord)]
    {
        let file = free(home.path(), name, mechanism, chosen);
        let (_, said) = ends_with(2, &["run", &file, "--out", path(&home.path().join(name))]);
        assert!(said.contains(words), "{name}: {said}");
    }
}

/// Steps beyond an instance's end are not taken, and the rate does not count them.
#[test]
fn the_rate_counts_the_steps_that_instances_take() {
    let home = TempDir::new().unwrap();
    let push = "inertia = [1, 1, 1]\n[[mechanism.load]]\nname = \"push\"\nbody = \"body\"\nkind = \"force\"\n\
                axes = \"space\"\nfunction = [\"sqrt(0.05 - t)\", \"0\", \"0\"]";
    let file = free(home.path(), "push", push, &SHORT.replace("100 ms", "100 s"));
    let out = home.path().join("out");
    ends_with(3, &["run", &file, "--out", path(&out)]);
    let table = SavedTable::open(&out.join("instances.parquet")).unwrap();
    let steps = table.integers("verdict_step").unwrap();
    assert!(steps.len() == 2 && steps.iter().all(|step| (1..20).contains(step)), "{steps:?}");
    let manifest = fs::read_to_string(out.join("manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    let taken = number(&manifest["instance_steps_per_second"]) * number(&manifest["timings"]["stepping"]);
    // The first instances are taken twice: their spread is measured beforehand.
    let twice = 2.0 * steps.iter().sum::<u64>() as f64;
    assert!((taken / twice - 1.0).abs() < 1e-6, "{taken} for {twice}");
}

/// Kinds that judge after their account is drawn up said that it took no time.
#[test]
fn judging_has_a_time_in_every_kind_that_judges() {
    let home = TempDir::new().unwrap();
    for (name, changes) in [
        ("furuta_chaos", &[("method.duration", "\"2 s\""), ("observe.every", "\"0.5 s\"")][..]),
        ("furuta_sensitivity", &[("study.samples", "16"), ("observe.every", "\"0.5 s\"")]),
        ("cart_pole", &[("method.duration", "\"2 s\"")]),
    ] {
        let (file, out) = (altered(name, home.path(), changes), home.path().join(name));
        ends_with(0, &["run", path(&file), "--out", path(&out), "--backend", "cpu"]);
        let manifest = fs::read_to_string(out.join("manifest.json")).unwrap();
        let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
        assert!(manifest["accuracy"]["instances"].as_u64().unwrap() > 0, "{name}");
        let timings = &manifest["timings"];
        assert!(timings["judging"].as_f64().unwrap() > 0.0, "{name}: {timings}");
    }
}

/// A study of equilibria has no steps that a sampled signal could fall into.
#[test]
fn equilibria_take_signals_that_are_sampled() {
    let home = TempDir::new().unwrap();
    let mechanism = "inertia = [1, 1, 1]\n[[mechanism.signal]]\nname = \"seen\"\n\
                     value = \"body.position.x\"\nevery = \"7 ms\"\nunit = \"m\"";
    let file = free(home.path(), "held", mechanism, "study.kind = \"static\"");
    let (_, said) = ends_with(0, &["check", &file]);
    assert!(!said.contains("sampled"), "{said}");
}

/// So it does of every kind of study, and of steps that are too long; what the command says is in
/// the manifest too, once.
#[test]
fn warnings_of_steps_stand_in_reports_of_every_kind() {
    let home = TempDir::new().unwrap();
    let spring = "[[mechanism.spring]]\nname = \"s\"\nbodies = [\"ground\", \"body\"]\n\
                  points = [[0, 0, 0], [0, 0, 0.5]]\nstiffness = 1e6\n";
    let kinds = [
        ("plain", SHORT.to_string(), true),
        ("exponents", format!("study = {{ kind = \"lyapunov\" }}\n{SHORT}"), true),
        ("modes", "study = { kind = \"modes\" }".to_string(), false),
    ];
    for (name, study, has_steps) in kinds {
        let file = free(home.path(), name, &format!("inertia = [1, 1, 5]\n{spring}"), &study);
        let out = home.path().join(format!("{name}_out"));
        let run = polhode(&["run", &file, "--out", path(&out)]).output().unwrap();
        let said = String::from_utf8_lossy(&run.stderr);
        let files = ["report.html", "manifest.json"].map(|file| fs::read_to_string(out.join(file)));
        let [report, manifest] =
            files.map(|text| text.unwrap_or_else(|error| panic!("{name}: {error} {said}")));
        for (told, is) in [("no rigid body has the inertia of `body`", true), ("stable up to", has_steps)] {
            assert_eq!(said.matches(told).count(), usize::from(is), "{name}: {said}");
            assert_eq!(manifest.matches(told).count(), usize::from(is), "{name}: {manifest}");
            assert_eq!(report.contains(told), is, "{name}");
        }
    }
}

/// A rigid body that carries the state of a law stands before a blade: its numbers are no
/// amplitudes.
#[test]
fn a_blade_bends_by_its_own_amplitudes_alone() {
    let home = TempDir::new().unwrap();
    let bends = |state: f64, amplitude: f64| {
        let study = format!(
            "ensemble.size = 1\naccuracy.budget = 0\nrun.backend = \"cpu\"\n\
             method = {{ name = \"rk4\", step = \"0.1 ms\", duration = \"1 ms\" }}\n\
             [mechanism]\n[[mechanism.body]]\nname = \"hub\"\nmass = 1\ninertia = [1, 1, 1]\n\
             [[mechanism.body]]\nname = \"blade\"\n[mechanism.body.flexible]\nlevel = \"1\"\n\
             amplitudes = [{amplitude}, 0]\n\
             beam = {{ length = 10, mass = 12, polar_inertia = 0.01, bending_stiffness = 14000, \
             boundary = \"free\", modes_y = 2 }}\n\
             [[mechanism.state]]\nname = \"z\"\nrate = 0\ninitial = {state}\n"
        );
        let file = home.path().join("blade.toml");
        fs::write(&file, study).unwrap();
        let out = home.path().join(format!("{state}_{amplitude}"));
        let run = polhode(&["run", path(&file), "--out", path(&out)]).output().unwrap();
        assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
        let said = String::from_utf8_lossy(&run.stdout).into_owned();
        said.lines().find(|line| line.contains("bend by more than a tenth")).map(str::to_string)
    };
    assert_eq!(bends(1000.0, 0.02), None);
    let large = bends(0.0, 4.0);
    assert!(large.is_some());
    assert_eq!(bends(1000.0, 4.0), large);
}

/// A blade in an attached frame whose mass matrix is none where it bends: `check` and the end of
/// the run name the cause, and no step is blamed.
#[test]
fn a_blade_that_breaks_down_names_its_mass_matrix() {
    let home = TempDir::new().unwrap();
    let file = |level: &str| {
        let blade = format!(
            "ensemble.size = 1\naccuracy.budget = 0\noutput.plots = false\nrun.backend = \"cpu\"\n\
             constraints.treatment = \"exact\"\n\
             method = {{ name = \"rk4\", step = \"1 ms\", duration = \"6 s\" }}\n[mechanism]\n\
             [[mechanism.body]]\nname = \"blade\"\n\
             [mechanism.body.flexible]\nlevel = \"{level}\"\nframe = \"attached\"\nat = \"start\"\n\
             beam = {{ length = 10, mass = 12, \
             polar_inertia = 0.01, bending_stiffness = 14000, boundary = \"cantilever\", modes_y = 2, \
             centrifugal_stiffening = true, held_at = \"start\" }}\n\
             [[mechanism.joint]]\nname = \"hub\"\nkind = \"revolute\"\nbodies = [\"ground\", \"blade\"]\n\
             points = [[0, 0, 0], \"start\"]\naxes = [0, 0, 1]\n\
             [[mechanism.generator]]\nname = \"spin\"\njoint = \"hub\"\nvalue = \"0.2*t^2\"\n"
        );
        let file = home.path().join("blade.toml");
        fs::write(&file, blade).unwrap();
        path(&file).to_string()
    };
    let out = home.path().join("out");
    let cause = "`blade`: treatment \"exact\" breaks down where the body bends by about 3.8 % of its size";
    let (checked, _) = ends_with(0, &["check", &file("2")]);
    assert!(checked.contains(cause), "{checked}");
    let (_, said) = ends_with(3, &["run", &file("2"), "--out", path(&out)]);
    assert!(said.matches(cause).count() == 2 && !said.contains("smaller step"), "{said}");
    let (_, said) = ends_with(0, &["run", &file("3/2"), "--out", path(&out), "--overwrite"]);
    assert!(!said.contains("breaks down"), "{said}");
    // A study of modes refuses treatments, and none is advised.
    let text = fs::read_to_string(file("2")).unwrap();
    let (_, blade) = text.split_once("[mechanism]\n").unwrap();
    let (blade, _) = blade.split_once("[[mechanism.generator]]").unwrap();
    let modes = home.path().join("modes.toml");
    let study = "[study]\nkind = \"modes\"\n[ensemble]\nsize = 1\n[mechanism]\n";
    fs::write(&modes, format!("{study}{blade}")).unwrap();
    let (said, _) = ends_with(0, &["check", path(&modes)]);
    assert!(said.contains("set level = \"3/2\"") && !said.contains("treatment = "), "{said}");
}

/// The report warns of what the command warns of.
#[test]
fn warnings_stand_in_the_report() {
    let home = TempDir::new().unwrap();
    let file = free(home.path(), "flat", "inertia = [1, 1, 5]", SHORT);
    let out = home.path().join("out");
    let (_, said) = ends_with(0, &["run", &file, "--out", path(&out)]);
    assert!(said.contains("no rigid body has the inertia of `body`"), "{said}");
    let report = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(report.contains("Warning: no rigid body has the inertia of `body` in instance 0"));
}

/// A verdict at the end ends no instance early, and a comparison does not say so.
#[test]
fn pairs_with_a_verdict_at_the_end_have_not_ended_early() {
    let home = TempDir::new().unwrap();
    let run = |name: &str, when: &str| {
        let study = format!(
            "{SHORT}\nobserve.channels = [\"energy\"]\nverdict = {{ name = \"odd\", when = \"{when}\" }}"
        );
        let study = if name == "early" {
            study
        } else {
            study.replace("name = \"odd\"", "name = \"odd\", at_end = true")
        };
        let out = path(&home.path().join(format!("{name}_out"))).to_string();
        ends_with(0, &["run", &free(home.path(), name, "inertia = [1, 1, 1]", &study), "--out", &out]);
        out
    };
    let (plain, at_end, early) = (run("plain", "t < 0"), run("at_end", "t > 0.05"), run("early", "t > 0.05"));
    let compared = |other: &str| {
        let (printed, said) = ends_with(0, &["compare", &plain, other]);
        format!("{printed}{said}")
    };
    assert!(!compared(&at_end).contains("early"), "{}", compared(&at_end));
    assert!(compared(&early).contains("ended 2 pairs early"), "{}", compared(&early));
}
