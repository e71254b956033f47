//! Every kind of study, plain and with all its optional keys, by methods of every sort, on
//! mechanisms that have states, sampled signals, locks, loops and beams: it runs, or is refused in
//! words.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use polhode::study::run;
use polhode::study_file::read_study_text;
use tempfile::TempDir;

use crate::common::engine::Quiet;
use crate::common::sources::sources;
use polhode::describe::kind::CARDS;

const ROD: &str = r#"
gravity = [0, 0, -9.81]
constants = { k = 2 }
[[body]]
name = "rod"
mass = "k"
inertia = [0.3, 0.3, 0.05]
centre_of_mass = [0, 0, -0.5]
[[joint]]
name = "pivot"
kind = "revolute"
bodies = ["ground", "rod"]
points = [[0, 0, 0], [0, 0, 0]]
axes = [0, 1, 0]
angle = 0.3
[[joint_spring]]
name = "coil"
joint = "pivot"
stiffness = 1
damping = 0.1
"#;

const STATE: &str = r#"
[[state]]
name = "z"
rate = "pivot.angle - z"
[[load]]
name = "push"
kind = "torque"
body = "rod"
axes = "space"
function = [0, "-0.1*z", 0]
"#;

const SAMPLED: &str = r#"
[[signal]]
name = "held"
value = "pivot.angle"
every = "2 ms"
[[load]]
name = "held_push"
kind = "torque"
body = "rod"
axes = "space"
function = [0, "-0.1*held", 0]
"#;

const LOCK: &str = r#"
[[lock]]
name = "catch"
joint = "pivot"
at = 0.299
"#;

/// Two more bodies, which make a four-bar linkage of the rod: some of its rows others imply.
const LOOP: &str = r#"
[[body]]
name = "twin"
mass = 2
inertia = [0.3, 0.3, 0.05]
centre_of_mass = [0, 0, -0.5]
[[body]]
name = "coupler"
mass = 1
inertia = [0.1, 0.1, 0.1]
centre_of_mass = [0.5, 0, 0]
[[joint]]
name = "other"
kind = "revolute"
bodies = ["ground", "twin"]
points = [[1, 0, 0], [0, 0, 0]]
axes = [0, 1, 0]
angle = 0.3
[[joint]]
name = "left"
kind = "revolute"
bodies = ["rod", "coupler"]
points = [[0, 0, -1], [0, 0, 0]]
axes = [0, 1, 0]
[[joint]]
name = "right"
kind = "revolute"
bodies = ["twin", "coupler"]
points = [[0, 0, -1], [1, 0, 0]]
axes = [0, 1, 0]
"#;

const BEAM: &str = r#"
[[beam]]
name = "boom"
from = [0, 0, 0]
direction = [1, 0, 0]
reference = [0, 1, 0]
length = "0.5 m"
elements = 1
EA = "4 kN"
GA = "1 kN"
GJ = "4 N m^2"
EI = "6 N m^2"
mass_per_length = "1.2 kg/m"
rotary_inertia = "0.001 kg m"
[[joint]]
name = "root"
kind = "fixed"
bodies = ["ground", "boom.0"]
points = [[0, 0, 0], [0, 0, 0]]
"#;

const BENDS: &str = "a beam beside a rod with a state";

/// A kind with the tables of its study: those that it needs, and those with all optional keys.
struct Kind {
    name: &'static str,
    needed: &'static str,
    optional: &'static str,
    /// It advances instances, by `[method]`.
    advances: bool,
}

const KINDS: [Kind; 7] = [
    Kind { name: "monte_carlo", needed: "", optional: "", advances: true },
    Kind {
        name: "lyapunov",
        needed: "",
        optional: "exponents = 2\npairs = true\ndistance = 1e-6\ntransition = true",
        advances: true,
    },
    Kind {
        name: "sensitivity",
        needed: "samples = 8",
        optional: "method = \"sobol\"\nsecond_order = true",
        advances: true,
    },
    Kind { name: "stability_map", needed: "", optional: "bisect = 0.1", advances: true },
    Kind {
        name: "convergence",
        needed: "methods = [\"rk4\", \"tsit5\"]\nsteps = [\"2 ms\", \"1 ms\"]",
        optional: "targets = [1e-3]\nrepeats = 1\nbudget = \"2 s\"\nprecisions = [\"f32\", \"f64\"]",
        advances: true,
    },
    Kind { name: "static", needed: "", optional: "at = \"0 s\"\nsame = 1e-6", advances: false },
    Kind { name: "modes", needed: "", optional: "at = \"0 s\"\ncount = 3\nkeep = 2", advances: false },
];

const METHODS: [&str; 4] = [
    "name = \"rk4\"",
    "name = \"staggered\"\nresynchronise = 5",
    "name = \"tsit5\"\ntolerance = 1e-6",
    "name = \"bdf\"",
];

fn study_of(kind: &Kind, all: bool, method: &str, observed: &str, is_pictured: bool) -> String {
    let Kind { name, needed, optional, advances } = *kind;
    let optional = if all { optional } else { "" };
    let mut text = format!("title = \"t\"\n[study]\nkind = \"{name}\"\n{needed}\n{optional}\n");
    if advances {
        text += &format!("[method]\n{method}\nstep = \"1 ms\"\nduration = \"10 ms\"\n");
        text += &format!("[observe]\nchannels = [\"energy\", {observed}]\nevery = \"2 ms\"\nkeep = 2\n");
    }
    if advances && all && !["convergence", "stability_map", "lyapunov"].contains(&name) {
        text += "[[outcome]]\nname = \"peak\"\nmax = \"pivot.angle\"\n";
        text += "[[outcome]]\nname = \"late\"\nfirst = \"pivot.angle > 100\"\n";
    }
    text += match name {
        "sensitivity" => "[ensemble]\nseed = 1\n",
        "stability_map" => "",
        _ => "[ensemble]\nsize = 4\nseed = 1\n",
    };
    text += match name {
        "stability_map" => {
            "[ensemble.vary]\n\"method.step\" = { list = [1e-3, 2e-3] }\n\"coil.stiffness\" = { linspace = { from = 1, to = 2, count = 2 } }\n"
        }
        _ => {
            "[ensemble.vary]\n\"constants.k\" = { uniform = { low = 1.9, high = 2.1 } }\n\"coil.stiffness\" = { uniform = { low = 0.9, high = 1.1 } }\n"
        }
    };
    if advances {
        text += "[accuracy]\nbudget = \"0.2 s\"\n";
    }
    text += &format!("[output]\nplots = {is_pictured}\nreport = {is_pictured}\n");
    text += "[run]\nbackend = \"cpu\"\nprecision = \"f64\"\nthreads = 1\n";
    text
}

#[test]
fn every_kind_runs_with_every_optional_key_on_mechanisms_of_every_sort() {
    let home = TempDir::new().unwrap();
    let mechanisms = [
        ("all but beams", [ROD, STATE, SAMPLED, LOCK, LOOP].concat()),
        ("a state", [ROD, STATE].concat()),
        ("states on a loop", [ROD, STATE, LOOP].concat()),
        (BENDS, [ROD, STATE, BEAM].concat()),
        ("a sampled signal", [ROD, SAMPLED].concat()),
        ("a lock", [ROD, LOCK].concat()),
    ];
    let mut ran: BTreeMap<(&str, bool), Vec<String>> = BTreeMap::new();
    for kind in &KINDS {
        let methods = if kind.advances { &METHODS[..] } else { &METHODS[..1] };
        let plain = methods.iter().take(1).map(|method| (false, method));
        for (all, method) in plain.chain(methods.iter().map(|method| (true, method))) {
            for (mechanism, text) in &mechanisms {
                let what =
                    format!("{}{}, {method:?}, {mechanism}", kind.name, if all { " with all" } else { "" });
                let observed = if all { "\"angle\", \"rod.attitude\"" } else { "\"angle\"" };
                // Each kind is drawn twice, rigid and with what bends.
                let is_pictured = all && method.contains("rk4") && ["a state", BENDS].contains(mechanism);
                let study = study_of(kind, all, method, observed, is_pictured);
                let study = match read_study_text("study", &study, text) {
                    Ok(study) => study,
                    Err(problems) => {
                        println!("{what}: {problems}");
                        continue;
                    }
                };
                let done = run(&study, &home.path().join("out"), true, &Quiet, &AtomicBool::new(false));
                match done {
                    Ok(_) => ran.entry((kind.name, all)).or_default().push(what),
                    Err(error) => println!("{what}: {error}"),
                }
            }
        }
    }
    for kind in &KINDS {
        for all in [false, true] {
            let ran = ran.get(&(kind.name, all)).map_or(0, Vec::len);
            // Some methods and parts have no place in some kinds, which say so.
            let least = if kind.advances && all { 6 } else { 2 };
            assert!(ran >= least, "{} (all keys: {all}): only {ran} have run", kind.name);
        }
    }
    let of_states = |what: &&String| what.contains("a state");
    assert!(ran[&("lyapunov", true)].iter().any(|what| of_states(&what)), "transitions with a state");
}

/// Files that name a kind besides its own: its type in `StudyKind`, or its name in quotes. The list
/// may only shrink: all others ask the kind's card, or the traits `Question`, `Keyed` and
/// `Runnable`.
const FOREIGN: [(&str, &str, &[&str]); 7] = [
    (
        "monte_carlo",
        "MonteCarlo",
        // A manifest without a kind is of the first version; the others are tests and trials of
        // claims.
        &[
            "crates/cli/src/lib.rs",
            "crates/report/src/manifest.rs",
            "crates/report/src/results.rs",
            "crates/verify/src/trial.rs",
        ],
    ),
    ("lyapunov", "Lyapunov", &[]),
    // It is read before its ensemble, whose size follows from it.
    ("sensitivity", "Sensitivity", &["crates/files/src/read_kind.rs"]),
    ("stability_map", "StabilityMap", &[]),
    ("static", "Static", &[]),
    // A flexible body has modes too.
    ("modes", "Modes", &["crates/files/src/read_flexible.rs", "crates/files/src/write.rs"]),
    // So is called what indices have come to with more samples.
    ("convergence", "Convergence", &["crates/report/src/sensitivity.rs"]),
];

/// A kind is its settings and card, its keys, and its run, a file each, and its line in the list of
/// kinds.
#[test]
fn a_kind_touches_three_files_and_the_list_of_kinds() {
    for card in CARDS {
        let (name, named, foreign) = FOREIGN.iter().find(|(name, ..)| *name == card.name).expect("a kind");
        let (of_enum, quoted) = (format!("StudyKind::{named}"), format!("\"{name}\""));
        let own = |file: &&String| {
            // The kind `static` is called what it finds.
            let stem = if *name == "static" { "equilibria" } else { name };
            let files = [format!("{stem}.rs"), format!("read_{stem}.rs"), "describe/kind.rs".to_string()];
            files.iter().any(|own| file.ends_with(&format!("/{own}")))
        };
        let all = sources(|source| {
            let lines = source.lines().filter(|line| !line.trim_start().starts_with("//"));
            lines.into_iter().any(|line| line.contains(&of_enum) || line.contains(&quoted))
        });
        let others: Vec<&String> = all.iter().filter(|file| !own(file)).collect();
        assert_eq!(others, *foreign, "{name}");
    }
}
