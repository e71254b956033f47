//! `polhode methods` and the documentation pages are one text, and say how many files a method
//! takes. `POLHODE_BLESS=1` rewrites the pages.

use assert_cmd::Command;
use polhode::methods::{BUILT_IN, MethodRole, cards};
use polhode::treatments::CARDS;

use crate::common::root;
use crate::common::sources::{assert_kept, code, sources};

fn printed(arguments: &[&str]) -> String {
    let output =
        Command::cargo_bin("polhode").expect("the program").args(arguments).output().expect("it runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn the_pages_are_what_the_command_prints() {
    let folder = root().join("docs/methods");
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

/// Files that name a method in their code although they are neither its own nor a registry. The
/// list can only shrink: what wants a method asks for its [part](polhode::methods::MethodRole).
const NAMED_ELSEWHERE: [(&str, &str); 0] = [];

/// `docs/adding-a-method.md` promises that, outside its own file and its twin's, a method is named
/// in the registries alone.
#[test]
fn a_method_touches_three_files() {
    let mut named: Vec<(&str, String)> = Vec::new();
    for card in BUILT_IN {
        let words = [format!("\"{}\"", card.name), format!("methods::{}::", card.name)];
        let names = |text: &str| code(text).any(|line| words.iter().any(|word| line.contains(word.as_str())));
        let own = |file: &String| {
            ["reference/", "verify/", "methods/", "treatments/"].iter().any(|folder| file.contains(folder))
        };
        named.extend(sources(names).into_iter().filter(|file| !own(file)).map(|file| (card.name, file)));
    }
    let named: Vec<(&str, &str)> = named.iter().map(|(name, file)| (*name, file.as_str())).collect();
    assert_eq!(named, NAMED_ELSEWHERE);
}

/// One card has each part that only one can have; methods and treatments alike.
#[test]
fn parts_have_one_card_each() {
    for role in [MethodRole::Default, MethodRole::Accurate, MethodRole::Plain, MethodRole::Stiff] {
        assert_eq!(BUILT_IN.iter().filter(|card| role.is_in(card.roles)).count(), 1, "{role:?}");
    }
    for role in [MethodRole::Default, MethodRole::Accurate, MethodRole::Elastic] {
        assert_eq!(CARDS.iter().filter(|card| role.is_in(card.roles)).count(), 1, "{role:?}");
    }
}
