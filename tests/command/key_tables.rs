//! `docs/reference/mechanism-keys.md` and the keys that are read are one. `POLHODE_BLESS=1` rewrites the
//! page.

use polhode::elements::BUILT_IN;
use polhode::study_file::key_tables::mechanism_keys;

use crate::common::sources::{assert_kept, sources};

#[test]
fn the_page_of_keys_is_what_is_read() {
    let page = mechanism_keys();
    assert_kept("docs/reference/mechanism-keys.md", &page);
    for card in BUILT_IN {
        assert!(page.contains(&format!("\n## `{}`", card.table)), "{} has no table of keys", card.table);
    }
}

/// The sources whose code, comments aside, says one of these.
fn code_with(names: &[&str]) -> Vec<String> {
    sources(|text| {
        let mut code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        code.any(|line| names.iter().any(|name| line.contains(name)))
    })
}

/// `docs/adding-an-element.md` promises that, outside its own file and its twin's, a force is named in the
/// registries alone.
#[test]
fn a_force_touches_four_files() {
    let named_in = code_with(&["armature", "Armature"]);
    let expected = [
        "crates/reference/src/elements/armature.rs",
        "crates/reference/src/elements/mod.rs",
        "src/elements/armature.rs",
        "src/elements/mod.rs",
    ];
    assert_eq!(named_in, expected);
}

/// `docs/adding-an-element.md` promises that a joint is named in its file, the registry and the table of
/// twins alone.
#[test]
fn a_joint_touches_three_files() {
    for name in ["universal", "cylindrical", "translational", "planar_point"] {
        let mut expected: [String; 3] = [
            format!("src/elements/joints/{name}.rs"),
            "src/elements/joints/mod.rs".into(),
            "crates/reference/src/joint.rs".into(),
        ];
        expected.sort();
        assert_eq!(code_with(&[name, &name.to_uppercase()]), expected);
    }
}

/// `docs/adding-an-element.md` promises that a contact touches three files.
#[test]
fn a_contact_touches_three_files() {
    let expected = [
        "crates/reference/src/contact.rs",
        "src/elements/contacts/knife_edge.rs",
        "src/elements/contacts/mod.rs",
    ];
    let named_in = code_with(&["knife_edge", "KNIFE_EDGE", "KnifeEdge"]);
    assert_eq!(named_in, expected);
}
