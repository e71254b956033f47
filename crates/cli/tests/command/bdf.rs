//! The implicit method `bdf`, as the command runs it.

use crate::command::output;
use crate::common::root;
use crate::common::tolerances::OF_ADAPTIVE_TOLERANCE;

#[test]
fn a_run_is_replayed_by_the_accurate_motion_and_has_no_kernel() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("study.toml");
    let pendulum = root().join("mechanisms/double_pendulum.toml");
    let text = format!(
        "mechanism = {pendulum:?}\nmethod = {{ name = \"bdf\", step = \"50 ms\", steps = 10 }}\n\
         constraints.treatment = \"exact\"\nensemble.size = 2\n\
         observe.channels = [\"energy\", \"lower.position\"]\nrun = {{ precision = \"f64\" }}\n"
    );
    std::fs::write(&file, text).unwrap();
    let out = folder.path().join("out");
    let (file, out) = (file.to_str().unwrap(), out.to_str().unwrap());
    let check = output(&["check", file, "--verbose"]);
    assert!(String::from_utf8_lossy(&check.stdout).contains("operations    adaptive"), "{check:?}");
    let run = output(&["run", file, "--out", out, "--quiet"]);
    assert!(run.status.success(), "{run:?}");
    let replay = polhode::study::replay::replay(std::path::Path::new(out), 1).expect("a replay");
    assert!(replay.comparison.len() > 4);
    for number in &replay.comparison {
        assert!((number.stored - number.reference).abs() < OF_ADAPTIVE_TOLERANCE * 1e-8, "{number:?}");
    }
    // Patience ends it, too.
    let stopped = output(&["replay", out, "--instance", "1", "--patience", "1 ns"]);
    assert_eq!(stopped.status.code(), Some(1), "{stopped:?}");
    let why = "the accurate motion, by which the method bdf is judged, came to 0 s of 0.5 s; give it longer: \
               --patience";
    assert!(String::from_utf8_lossy(&stopped.stderr).contains(why), "{stopped:?}");
    // Explicit steps do not follow rubber: that is said of the motion.
    let stiff = root().join("studies/rubber_hinge.toml");
    let bench =
        output(&["bench", stiff.to_str().unwrap(), "--judged", "1", "--out", &format!("{out}-speed")]);
    assert_eq!(bench.status.code(), Some(2), "{bench:?}");
    assert!(String::from_utf8_lossy(&bench.stderr).contains(" s: the motion is stiff, or"), "{bench:?}");
    let kernel = output(&["kernel", file]);
    assert_eq!(kernel.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&kernel.stderr).contains("the method bdf has no kernel"), "{kernel:?}");
}
