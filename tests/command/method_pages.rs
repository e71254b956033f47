//! `polhode methods` and the documentation pages are one text, and say how many files a method takes.
//! `POLHODE_BLESS=1` rewrites the pages.

use std::path::Path;

use assert_cmd::Command;
use polhode::methods::cards;

use crate::common::sources::{assert_kept, sources};

fn printed(arguments: &[&str]) -> String {
    let output =
        Command::cargo_bin("polhode").expect("the program").args(arguments).output().expect("it runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn the_pages_are_what_the_command_prints() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/methods");
    let mut pages: Vec<(String, String)> =
        cards().iter().map(|card| (format!("{}.md", card.name), printed(&["methods", card.name]))).collect();
    pages.push(("README.md".into(), format!("# Methods\n\n```text\n{}```\n", printed(&["methods"]))));
    for (file, page) in &pages {
        assert_kept(&format!("docs/methods/{file}"), page);
    }
    let files = std::fs::read_dir(folder).expect("docs/methods/").count();
    assert_eq!(files, pages.len(), "a page of a method that is no more");
}

#[test]
fn an_unknown_method_is_refused_with_the_nearest_name() {
    let output = Command::cargo_bin("polhode")
        .expect("the program")
        .args(["methods", "simo_wrong"])
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        message.contains("did you mean simo_wong?") && message.contains("staggered_conserving"),
        "{message}"
    );
}

/// `docs/adding-a-method.md` promises that, outside its own file and its twin's, a method is named in the
/// registries alone.
#[test]
fn a_method_touches_three_files() {
    let mut named_in = sources(|text| text.contains("tsit5"));
    named_in.retain(|file| !file.starts_with("crates/reference/") && !file.starts_with("src/verify/"));
    assert_eq!(named_in, ["src/methods/mod.rs", "src/methods/tsit5.rs"]);
}
