//! Every kind of study, plain and with all its optional keys, by methods of every sort, on
//! mechanisms that have states, sampled signals, locks, loops and beams: it runs, or is refused in
//! words.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use polhode::study::run;
use polhode::study_file::kinds;
use polhode::study_file::read_study_text;
use tempfile::TempDir;

use crate::common::engine::Quiet;
use crate::common::root;
use crate::common::sources::sources;
use crate::floors::{code, imports_of};

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
            "[ensemble.vary]\n\"method.step\" = { list = [1e-3, 2e-3] }\n\
             \"coil.stiffness\" = { linspace = { from = 1, to = 2, count = 2 } }\n"
        }
        _ => {
            "[ensemble.vary]\n\"constants.k\" = { uniform = { low = 1.9, high = 2.1 } }\n\
             \"coil.stiffness\" = { uniform = { low = 0.9, high = 1.1 } }\n"
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
    assert_eq!(KINDS.len(), kinds::cards().count());
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

/// Files besides its own that name a kind: its type or module in a `use`, or its name in quotes.
/// The list may only shrink: all others ask the kind's card, or the traits `Question` and
/// `Runnable`.
const FOREIGN: [(&str, &str); 14] = [
    // It is the question of a study that does not say or is made in code, and of old manifests.
    ("monte_carlo", "crates/description/src/describe/mod.rs"),
    ("monte_carlo", "crates/description/src/describe/study.rs"),
    ("monte_carlo", "crates/files/src/schema.rs"),
    ("monte_carlo", "crates/report/src/manifest.rs"),
    ("monte_carlo", "crates/verify/src/trial.rs"),
    // The sampler draws by it, and it is read before its ensemble, whose size follows from it.
    ("sensitivity", "crates/description/src/describe/mod.rs"),
    ("sensitivity", "crates/description/src/describe/study.rs"),
    ("sensitivity", "crates/files/src/kinds/keyed.rs"),
    ("sensitivity", "crates/files/src/read_ensemble.rs"),
    ("sensitivity", "crates/files/src/read_study.rs"),
    // A flexible body has modes.
    ("modes", "crates/files/src/read_flexible.rs"),
    ("modes", "crates/files/src/write.rs"),
    // `bench` takes as many instances and turns at most; indices converge too.
    ("convergence", "crates/cli/src/bench.rs"),
    ("convergence", "crates/report/src/sensitivity.rs"),
];

/// A kind is its settings with their keys, its run and perhaps its report, a file each, a line in
/// one list, and what Rust asks for a new file.
#[test]
fn a_kind_touches_two_files_and_one_list() {
    let mut found = Vec::new();
    let lines_with = |file: &str, words: [&str; 2]| {
        let text = std::fs::read_to_string(root().join(file)).expect("a source can be read");
        text.lines().filter(|line| words.iter().any(|word| line.contains(word))).count()
    };
    for name in kinds::cards().map(|card| card.name) {
        // The kind `static` is called what it finds; the plain one has no settings.
        let (stem, described) = match name {
            "static" => ("equilibria", "equilibria"),
            "monte_carlo" => (name, "kind"),
            _ => (name, name),
        };
        let own = [
            format!("crates/files/src/kinds/{stem}."),
            format!("src/study/kinds/{stem}."),
            format!("src/study/kinds/{stem}/"),
            format!("crates/report/src/{stem}."),
            format!("crates/report/src/{stem}/"),
            format!("crates/description/src/describe/{described}."),
            "crates/files/src/kinds/mod.rs".to_string(),
            "src/study/kinds/mod.rs".to_string(),
        ];
        let words = name.split('_').map(|word| word[..1].to_uppercase() + &word[1..]);
        let (named, quoted) = (words.collect::<String>(), format!("\"{name}\""));
        // Those of the description have no file of settings.
        if !["monte_carlo", "sensitivity"].contains(&name) {
            let lines = ["crates/files/src/kinds/mod.rs", "src/study/kinds/mod.rs"]
                .map(|list| lines_with(list, [&format!("mod {stem};"), &named]));
            assert_eq!(lines, [3, 1], "{name}");
        }
        let all = sources(|source| {
            let code = code(source);
            let mut paths = imports_of(&code);
            paths.any(|path| path.split("::").any(|word| word == named))
                || code.contains(&format!("kinds::{stem}::"))
                || code.contains(&quoted)
        });
        let is_foreign = |file: &String| !own.iter().any(|own| file.starts_with(own.as_str()));
        found.extend(all.into_iter().filter(is_foreign).map(|file| (name, file)));
    }
    assert_eq!(found.iter().map(|(name, file)| (*name, &file[..])).collect::<Vec<_>>(), FOREIGN);
}
