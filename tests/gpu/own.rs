//! Forces and methods of a program around polhode: the examples are such programs. Each is a
//! process of its own, since a kind is registered before the first study is read.

use crate::common::root;
use std::process::Command;

/// Returns the text that an example prints.
fn printed(example: &str, arguments: &[&str]) -> String {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--release", "--quiet", "--example", example, "--"]).args(arguments);
    let output = cargo.current_dir(root()).output().expect("cargo runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{example}: {errors}");
    String::from_utf8(output.stdout).expect("an example prints text")
}

/// The number that stands between two texts.
fn number(text: &str, before: &str, after: &str) -> f64 {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no {before:?} in {text}"));
    let (number, _) = rest.split_once(after).unwrap_or_else(|| panic!("no {after:?} in {text}"));
    number.trim().parse().unwrap_or_else(|_| panic!("{number:?} is no number"))
}

#[test]
fn a_force_of_ones_own_is_what_its_twin_says_and_the_same_in_a_kernel() {
    let text = printed("own_force", &[]);
    let (twin, accurate) =
        (number(&text, "the twin differs by", ","), number(&text, "accurate solution by", "\n"));
    // Engine and twin do the same operations in another order for 2000 steps: they differ by
    // rounding.
    assert!(twin < 1e-12, "{text}");
    // 1 ms of a vibration of 6 rad/s: (h w)²/24 of the phase, 12 rad, is 2e-5.
    assert!(accurate > twin && accurate < 5e-5, "{text}");
    assert!(text.contains("every bit as on the CPU"), "{text}");
}

#[test]
fn a_method_of_ones_own_has_its_order_and_is_known_to_the_command() {
    let text = printed("own_method", &[]);
    let slope = |method: &str| {
        let line = text.lines().find(|line| line.starts_with(method) && line.split_whitespace().count() == 5);
        let words: Vec<&str> = line.unwrap_or_else(|| panic!("{text}")).split_whitespace().collect();
        words[3].parse::<f64>().expect("a slope")
    };
    assert!((slope("axis_turns") - 2.0).abs() < 0.05, "{text}");
    assert!((slope("rk4") - 4.0).abs() < 0.1, "{text}");
    assert!(printed("own_method", &["methods", "axis_turns"]).contains("Turns about the principal axes"));
    assert!(printed("own_method", &["schema", "study"]).contains("axis_turns"));
}
