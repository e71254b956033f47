//! Studies of equilibria and modes as the command runs them: what they leave, and what the other
//! commands say to them.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::command::{altered, contents, ends_with, names, path};
use crate::common::browser::Browser;
use crate::common::engine::Quiet;
use crate::common::root;
use polhode::output::{NEVER, SavedTable};
use polhode::study::checking::{CheckOptions, check_study};
use polhode::study::run;
use polhode::study_file::read_study;

/// A column of a table, by its name without the unit.
fn column(folder: &Path, table: &str, name: &str) -> Vec<String> {
    let (text, _) = ends_with(0, &["export", path(folder), table]);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().unwrap().clone();
    let at = header.iter().position(|head| head.split(" (").next() == Some(name));
    let at = at.unwrap_or_else(|| panic!("no {name} among {header:?}"));
    reader.records().map(|record| record.unwrap()[at].to_string()).collect()
}

fn numbers(folder: &Path, table: &str, name: &str) -> Vec<f64> {
    column(folder, table, name).iter().map(|cell| cell.parse().unwrap_or(f64::NAN)).collect()
}

/// Studies that advance nothing take memory, disk and time too.
#[test]
fn a_check_of_steady_states_foretells_memory_disk_and_time() {
    for study in ["studies/static_toggle.toml", "studies/modes_vibration.toml"] {
        let (printed, _) = ends_with(0, &["check", study]);
        for (name, about) in [("memory", "about "), ("on disk", "at most "), ("time", "about ")] {
            let line = printed.lines().find(|line| line.starts_with(&format!("{name:<14}")));
            assert!(line.is_some_and(|line| line[14..].starts_with(about)), "{study}, {name}: {printed}");
        }
        let study = read_study(&root().join(study)).unwrap_or_else(|problems| panic!("{problems}"));
        let most = check_study(&study, &CheckOptions::default()).unwrap().tables.unwrap();
        let home = TempDir::new().unwrap();
        let out = home.path().join("out");
        run(&study, &out, false, &Quiet, &NEVER).unwrap_or_else(|error| panic!("{error}"));
        let tables =
            contents(&out).into_iter().filter(|(file, _)| file.extension().is_some_and(|e| e == "parquet"));
        let written: usize = tables.map(|(_, bytes)| bytes.len()).sum();
        assert!(written as f64 <= most && most < 8.0 * written as f64, "{written} of {most} bytes");
    }
}

/// 2, 4 and 8 Hz with 10, 5 and 3 percent: damped modes of 12.57, 25.13 and 50.27 rad/s.
#[test]
fn modes_leave_frequencies_damping_and_shapes() {
    let home = TempDir::new().unwrap();
    let out = home.path().join("out");
    let (printed, _) = ends_with(0, &["run", "studies/modes_vibration.toml", "--out", path(&out)]);
    assert!(printed.contains("damping ratio"), "{printed}");
    let files = names(&out);
    for file in [
        "instances.parquet",
        "manifest.json",
        "mode_shapes.parquet",
        "modes.json",
        "modes.parquet",
        "report.html",
        "study.toml",
    ] {
        assert!(files.iter().any(|name| name == file), "{file} {files:?}");
    }
    let (frequencies, ratios) =
        (numbers(&out, "modes", "natural_frequency"), numbers(&out, "modes", "damping_ratio"));
    for (k, (hertz, ratio)) in [(2.0, 0.1), (4.0, 0.05), (8.0, 0.03)].into_iter().enumerate() {
        let rate = std::f64::consts::TAU * hertz;
        assert!(
            (frequencies[k] / rate - 1.0).abs() < 1e-9 && (ratios[k] - ratio).abs() < 1e-9,
            "{frequencies:?} {ratios:?}"
        );
    }
    assert_eq!(column(&out, "instances", "outcome"), ["found"]);
    // A resolved study is a study.
    let again = home.path().join("again");
    ends_with(0, &["run", path(&out.join("study.toml")), "--out", path(&again), "--quiet"]);
    for table in ["modes.parquet", "mode_shapes.parquet", "instances.parquet", "study.toml"] {
        assert!(fs::read(out.join(table)).unwrap() == fs::read(again.join(table)).unwrap(), "{table}");
    }
}

/// Rounding is a line of text, the angle against the speed comes first, and one picture shows the
/// family from end to end.
#[test]
fn a_report_of_equilibria_begins_with_what_varies() {
    let home = TempDir::new().unwrap();
    let out = home.path().join("out");
    ends_with(0, &["run", "studies/static_governor.toml", "--out", path(&out)]);
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    let main = page.split("<main>").nth(1).unwrap();
    let place = |text: &str| main.find(text).unwrap_or_else(|| panic!("{text} is not in the report"));
    assert!(
        place("pin angle at the equilibria against rate") < place("Equilibria for rate from 1 to 14 rad/s")
    );
    for flat in ["pin force y 0 N (rounding)", "pin torque z 0 N m (rounding)", "pin force z 11.772 N"] {
        place(flat);
    }
    for flat in ["pin force y at the equilibria", "pin torque x at the equilibria"] {
        assert!(!main.contains(flat), "{flat} is drawn");
    }
    assert_eq!(main.matches("pin force x at the equilibria").count(), 2, "a caption, for eyes and ears");
    // No drawing is panned on a telephone: the family is on a canvas, with a slider along the rate.
    assert!(!main.contains("<svg"), "a picture of a fixed width");
    let mut browser = Browser::start(&[]);
    browser.open_as(&out.join("report.html"), 390, "dark");
    browser.evaluate("player = document.querySelector('.player').player, 0");
    let rates = numbers(&out, "instances", "drawn.constants.rate");
    let fastest = rates.iter().copied().fold(0.0, f64::max);
    assert_eq!(
        browser.evaluate("player.show(player.last), player.output.textContent"),
        format!("rate {fastest} rad/s")
    );
    // Between two equilibria there is none.
    let second = browser.evaluate("player.scene.times[1]").as_f64().unwrap();
    let between = "(show => JSON.stringify(player.poses(0, show)))";
    let [at, near] = [second, second * 1.001].map(|x| browser.evaluate(&format!("{between}({x})")));
    assert_eq!(at, near);
    let drawn = "(() => { let count = 0; const draw = player.drawTrack; \
                 player.drawTrack = function (...all) { count += 1; draw.apply(this, all); };\
                 player.draw(); delete player.drawTrack; return [count, player.scene.times.length]; })()";
    let drawn = browser.evaluate(drawn);
    assert_eq!(drawn[0].as_u64().unwrap(), drawn[1].as_u64().unwrap() + 1, "all at once, and one strong");
}

/// The farthest point of a mode goes far enough to be seen, and not out of the picture.
#[test]
fn modes_are_scaled_so_that_they_are_seen() {
    let home = TempDir::new().unwrap();
    let study = altered("modes_boom", home.path(), &[("ensemble.size", "2")]);
    let out = home.path().join("out");
    ends_with(0, &["run", path(&study), "--out", path(&out)]);
    let mut browser = Browser::start(&[]);
    browser.open_as(&out.join("report.html"), 1280, "light");
    let far = "[...document.querySelectorAll('.player')].map(root => {
        const { player } = root;
        const { add } = player.constructor.vectors;
        const { times, bodies } = player.scene;
        const places = [times[0], (times[0] + times.at(-1)) / 2].map(time => player.poses(0, time)
            .flatMap((pose, b) => player.corners(bodies[b]).map(p => player.at(pose, p))));
        const apart = places[0].map((p, k) => Math.hypot(...add(p, places[1][k], -1)));
        return Math.max(...apart) / player.size;
    })";
    let far = browser.evaluate(far);
    let far: Vec<f64> = far.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    assert_eq!(far.len(), 6);
    // From one side to the other, in parts of half the picture's size: twice an amplitude of a
    // quarter of the extent, or of a small body that turns.
    assert!(far.iter().all(|far| (0.05..1.5).contains(far)), "{far:?}");
    assert!(far.iter().filter(|far| **far > 0.4).count() >= 2, "{far:?}");
}

/// `cos theta = g S / (J Omega²)` of the arm, S its static moment and J its moment about the pin,
/// where the spring is taken away.
#[test]
fn a_governor_stands_where_its_closed_form_says() {
    let home = TempDir::new().unwrap();
    let study = altered("static_governor", home.path(), &[]);
    let out = home.path().join("out");
    let set = ["--set", "mechanism.joint_spring.hinge.stiffness=0"];
    ends_with(0, &[&["run", path(&study), "--out", path(&out)], &set[..]].concat());
    let (speeds, angles) = (
        numbers(&out, "instances", "drawn.constants.rate"),
        numbers(&out, "instances", "equilibrium.pin.angle"),
    );
    // The arm, and the ball with its own moment; thickness counts about the axes across as about
    // the arm's own.
    let (arm, ball, l) = (0.2, 1.0, 0.5);
    let first = arm * l / 2.0 + ball * l;
    let across = arm * (l * l / 3.0 + 0.005f64.powi(2) / 4.0) + ball * (l * l + 0.4 * 0.04f64.powi(2));
    let along = arm * 0.005f64.powi(2) / 2.0 + ball * 0.4 * 0.04f64.powi(2);
    let mut swung = 0;
    for (speed, angle) in speeds.iter().zip(&angles) {
        let cosine = 9.81 * first / ((across - along) * speed * speed);
        let known = if cosine >= 1.0 {
            std::f64::consts::FRAC_PI_2
        } else {
            std::f64::consts::FRAC_PI_2 - cosine.acos()
        };
        swung += usize::from(cosine < 1.0);
        assert!((angle - known).abs() < 1e-6, "{speed}: {angle} {known}");
    }
    assert!(swung > 10 && swung < speeds.len());
}

#[test]
fn tables_of_steady_states_do_not_depend_on_threads() {
    let home = TempDir::new().unwrap();
    let run = |threads: &str| {
        let out = home.path().join(threads);
        ends_with(
            0,
            &["run", "studies/static_toggle.toml", "--out", path(&out), "--threads", threads, "--quiet"],
        );
        let files =
            contents(&out).into_iter().filter(|(file, _)| file.extension().is_some_and(|e| e == "parquet"));
        files.map(|(_, bytes)| bytes).collect::<Vec<_>>()
    };
    assert!(run("1") == run("3"));
}

/// A toggle stands above, below, or straight, which it cannot keep.
#[test]
fn equal_equilibria_are_one_group() {
    let home = TempDir::new().unwrap();
    let out = home.path().join("out");
    ends_with(0, &["run", "studies/static_toggle.toml", "--out", path(&out), "--quiet"]);
    let (groups, stability) = (numbers(&out, "instances", "group"), column(&out, "instances", "stability"));
    let most = groups.iter().copied().fold(0.0, f64::max);
    assert!((2.0..=6.0).contains(&most), "{groups:?}");
    let angles = numbers(&out, "instances", "equilibrium.foot.angle");
    for (i, a) in groups.iter().enumerate() {
        for (j, b) in groups.iter().enumerate().filter(|(_, b)| *b == a) {
            let _ = b;
            assert!((angles[i] - angles[j]).abs() < 1e-5 && stability[i] == stability[j]);
        }
    }
}

#[test]
fn other_commands_say_what_they_cannot_do() {
    let home = TempDir::new().unwrap();
    let out = home.path().join("out");
    let study = "studies/modes_vibration.toml";
    ends_with(0, &["run", study, "--out", path(&out), "--quiet"]);
    let refused = |code: i32, arguments: &[&str], expected: &str| {
        let (_, error) = ends_with(code, arguments);
        assert!(error.contains(expected), "{arguments:?}: {error}");
    };
    let elsewhere = home.path().join("elsewhere");
    refused(
        2,
        &["run", study, "--out", path(&elsewhere), "--shard", "1/2"],
        "a study of kind modes is not cut into shards",
    );
    refused(
        2,
        &["run", study, "--out", path(&elsewhere), "--resume"],
        "a study of kind modes is not taken up again",
    );
    refused(
        2,
        &["run", study, "--out", path(&elsewhere), "--backend", "gpu"],
        "is computed in f64 on the CPU",
    );
    refused(2, &["extend", path(&out), "--size", "9"], "of kind modes");
    refused(2, &["replay", path(&out), "--instance", "0"], "advances nothing in time");
    refused(2, &["compare", path(&out), path(&out)], "kind modes");
    refused(2, &["plot", path(&out)], "kind modes");
    refused(2, &["kernel", study], "advances nothing in time");
    let (text, _) = ends_with(0, &["check", study]);
    assert!(text.contains("12 slowest modes") && text.contains("no steps"), "{text}");
    assert!(!elsewhere.exists());
}

/// A body that nothing holds falls: the run says so, and ends as one without a result.
#[test]
fn where_there_is_no_equilibrium_it_says_why() {
    let home = TempDir::new().unwrap();
    let file = home.path().join("fall.toml");
    let text = "[mechanism]\ngravity = \"9.81 m/s^2\"\n[mechanism.body]\nname = \"stone\"\nmass = 1\n\
                inertia = [1, 1, 1]\n[study]\nkind = \"static\"\n[ensemble]\nsize = 2\n";
    fs::write(&file, text).unwrap();
    let out = home.path().join("out");
    let (_, error) = ends_with(3, &["run", path(&file), "--out", path(&out)]);
    assert!(error.contains("no instance has an equilibrium"), "{error}");
    let why = column(&out, "instances", "why");
    assert!(why[0].contains("it accelerates by 9.81 m/s²") && why[0].contains("`stone`"), "{why:?}");
    // Numbers of no mechanism have no start that an equilibrium could be near.
    let drawn = "vary.\"stone.mass\" = { normal = { mean = -5, std = 0.1 } }\n";
    fs::write(&file, text.replace("size = 2", "size = 1") + drawn).unwrap();
    let (said, error) = ends_with(3, &["run", path(&file), "--out", path(&out), "--overwrite"]);
    assert!(error.contains("the numbers of no instance describe a mechanism"), "{error}");
    assert!(!error.contains("equilibrium near"), "{error}");
    assert!(said.starts_with("1 of 1 instance in "), "{said}");
}

/// A slender post beyond Euler's load, `pi² EI / (4 L²)` = 2.47 N, under a load that leans by
/// little: it buckles into the elastica, whose end under 3 N is .664 m aside and .653 m high.
#[test]
fn a_post_beyond_its_load_buckles() {
    let home = TempDir::new().unwrap();
    let (study, out) = (home.path().join("post.toml"), home.path().join("out"));
    let text = "[study]\nkind = \"static\"\nsearch = \"stable\"\n[observe]\n\
                channels = [\"b.16.position\"]\n[ensemble.vary]\n\"constants.P\" = { list = [2, 3, 4] }\n\
                [mechanism.constants]\nP = 3\n[[mechanism.beam]]\nname = \"b\"\nfrom = [0, 0, 0]\n\
                direction = [0, 0, 1]\nlength = 1\nreference = [1, 0, 0]\nelements = 16\nEA = 1e6\n\
                GA = 1e6\nGJ = 100\nEI = [1, 1]\nmass_per_length = 1\nrotary_inertia = 1e-6\n\
                clamped = \"from\"\n[[mechanism.load]]\nname = \"P\"\nbody = \"b.16\"\nkind = \"force\"\n\
                axes = \"space\"\nfunction = [1e-4, 0, \"-P\"]\n";
    fs::write(&study, text).unwrap();
    ends_with(0, &["run", path(&study), "--out", path(&out)]);
    let table = SavedTable::open(&out.join("instances.parquet")).unwrap();
    let end = |axis: &str| table.floats(&format!("equilibrium.b.16.position.{axis}")).unwrap();
    let (x, z) = (end("x"), end("z"));
    assert!(x[0].abs() < 1e-3 && (z[0] - 1.0).abs() < 1e-3, "{x:?}, {z:?}");
    assert!((x[1] - 0.664).abs() < 5e-3 && (z[1] - 0.653).abs() < 5e-3, "{x:?}, {z:?}");
    assert!(x[2] > 0.7, "{x:?}");
}
