//! `docs/reference/mechanism-keys.md` and the keys that are read are one. `POLHODE_BLESS=1` rewrites the page.

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

/// What `docs/adding-an-element.md` promises: outside its own file and its twin's, a force is named in the registries alone.
#[test]
fn a_force_touches_four_files() {
    let named_in = sources(|text| {
        let mut code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        code.any(|line| line.contains("armature") || line.contains("Armature"))
    });
    let expected = [
        "elements/armature.rs",
        "elements/mod.rs",
        "reference/elements/armature.rs",
        "reference/elements/mod.rs",
    ];
    assert_eq!(named_in, expected.map(|file| format!("src/{file}")));
}
