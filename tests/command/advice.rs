//! The line about accuracy says what to set where a run is not accurate enough: who sets it has a run that is.

use tempfile::TempDir;

use crate::common::command::{output, path, text};

/// Runs the study with these values: returns the line about accuracy, from the word on, and the settings that it advises.
fn judged(study: &str, set: &[String]) -> (String, Vec<String>) {
    let home = TempDir::new().unwrap();
    let out = home.path().join("out");
    let mut arguments = vec!["run", study, "--out", path(&out), "--backend", "cpu"];
    set.iter().for_each(|value| arguments.extend(["--set", value]));
    let ended = output(&arguments);
    // 3: not one instance came to its end.
    assert!(matches!(ended.status.code(), Some(0 | 3)), "{ended:?}");
    let said = text(&ended.stdout) + &text(&ended.stderr);
    let from = said.find("accuracy: ").unwrap_or_else(|| panic!("no line about accuracy: {said}"));
    let said = &said[from + "accuracy: ".len()..];
    let advice = said.lines().nth(1).and_then(|line| line.trim().strip_prefix("set ")).unwrap_or_default();
    let advice = advice.split([';', ',']).next().unwrap_or_default().trim_end_matches(" or less");
    let settings = advice.split(" and ").filter(|setting| !setting.is_empty());
    (said.to_string(), settings.map(|setting| setting.replace(' ', "")).collect())
}

/// Instances choose their own steps. In single precision a tighter tolerance has larger errors, by rounding, and stops instances at last: the other
/// precision is advised there.
#[test]
fn steps_of_their_own_are_accurate_by_what_is_advised() {
    let study = "studies/stiffness_decades.toml";
    for (precision, tolerance, reason, key) in [
        ("f32", "1e-8", "precision", "run.precision"),
        ("f32", "1e-6", "precision", "run.precision"),
        ("f32", "1e-12", "precision", "run.precision"),
        ("f64", "1e-3", "step", "method.tolerance"),
    ] {
        let mut set = ["ensemble.size=32", "accuracy.budget=60 s"].map(String::from).to_vec();
        set.extend([format!("run.precision={precision}"), format!("method.tolerance={tolerance}")]);
        let (said, advised) = judged(study, &set);
        assert!(said.starts_with(&format!("unresolved ({reason})")), "{precision} {tolerance}: {said}");
        assert!(advised.iter().any(|setting| setting.starts_with(key)), "{precision} {tolerance}: {said}");
        // A value that is set anew takes the place of the old one.
        let key = |setting: &String| setting.split('=').next().unwrap_or_default().to_string();
        set.retain(|setting| advised.iter().all(|other| key(other) != key(setting)));
        set.extend(advised);
        let (said, _) = judged(study, &set);
        assert!(said.starts_with("resolved"), "{set:?}: {said}");
    }
}
