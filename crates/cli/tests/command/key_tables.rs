//! `docs/reference/mechanism-keys.md` and the keys that are read are one. `POLHODE_BLESS=1`
//! rewrites the page.

use polhode::elements::{BUILT_IN, contacts, joints};
use polhode::study_file::key_tables::mechanism_keys;

use crate::common::sources::{assert_kept, code, sources};

#[test]
fn the_page_of_keys_is_what_is_read() {
    let page = mechanism_keys();
    assert_kept("docs/reference/mechanism-keys.md", &page);
    for card in BUILT_IN {
        assert!(page.contains(&format!("\n## `{}`", card.table)), "{} has no table of keys", card.table);
    }
}

/// Fails unless these files alone name one of the elements, besides those of elements, of the judge
/// and of claims. The lists can only shrink.
#[track_caller]
fn assert_named_in(names: impl Iterator<Item = &'static str>, expected: &[(&str, &str)]) {
    // An importer tells in polhode's words what other formats say.
    let own = |file: &String| {
        ["elements/", "reference/", "verify/", "crates/import/"].iter().any(|part| file.contains(part))
    };
    let mut found: Vec<(&str, String)> = Vec::new();
    for name in names {
        let paths = ["elements", "joints", "contacts"].map(|module| format!("{module}::{name}::"));
        let says = |line: &str| {
            line.contains(&format!("\"{name}\"")) || paths.iter().any(|path| line.contains(path.as_str()))
        };
        let files = sources(|text| code(text).any(says)).into_iter().filter(|file| !own(file));
        found.extend(files.map(|file| (name, file)));
    }
    found.sort();
    assert_eq!(found.iter().map(|(name, file)| (*name, file.as_str())).collect::<Vec<_>>(), expected);
}

/// `docs/adding-an-element.md` promises that, outside its own file and its twin's, a force is named
/// in the registries alone.
#[test]
fn a_force_touches_four_files() {
    let expected = [
        ("friction", "crates/description/src/describe/mechanism.rs"),
        ("joint_spring", "crates/dynamics/src/yardsticks.rs"),
        ("line_actuator", "crates/description/src/describe/mechanism.rs"),
        ("spring", "crates/description/src/describe/mechanism.rs"),
        ("spring", "crates/engine/src/observe/channels/scene.rs"),
        ("spring", "crates/engine/src/observe/channels/spring.rs"),
        ("spring", "crates/files/src/motions.rs"),
        ("spring", "crates/files/src/read_mechanism.rs"),
        ("spring", "src/lib.rs"),
    ];
    assert_named_in(BUILT_IN.iter().map(|card| card.table), &expected);
}

/// `docs/adding-an-element.md` promises that a joint is named in its file, the registry and the
/// table of twins alone.
#[test]
fn a_joint_touches_three_files() {
    assert_named_in(joints::CARDS.iter().map(|card| card.name), &[]);
}

/// `docs/adding-an-element.md` promises that a contact touches three files. Columns of modes have
/// the word `curve` too.
#[test]
fn a_contact_touches_three_files() {
    let expected = [
        ("curve", "crates/dynamics/src/yardsticks.rs"),
        ("curve", "crates/files/src/builder.rs"),
        ("curve", "crates/report/src/cards.rs"),
        ("curve", "src/study/kinds/modes.rs"),
        ("rolling", "crates/dynamics/src/yardsticks.rs"),
    ];
    assert_named_in(contacts::CARDS.iter().map(|card| card.name), &expected);
}
