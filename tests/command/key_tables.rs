//! `docs/reference/mechanism-keys.md` and the keys that are read are one. `POLHODE_BLESS=1` rewrites the page.

use std::path::Path;

use polhode::elements::CARDS;
use polhode::study_file::key_tables::mechanism_keys;

#[test]
fn the_page_of_keys_is_what_is_read() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/mechanism-keys.md");
    let page = mechanism_keys();
    if std::env::var_os("POLHODE_BLESS").is_some() {
        std::fs::create_dir_all(file.parent().expect("docs/reference/")).expect("docs/reference/");
        std::fs::write(&file, &page).expect("the page");
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(kept == page, "out of date: POLHODE_BLESS=1 cargo test --release --test command key_tables");
    for card in CARDS {
        assert!(page.contains(&format!("\n## `{}`", card.table)), "{} has no table of keys", card.table);
    }
}

/// What `docs/adding-an-element.md` promises: outside its own file and its twin's, a force is named in the registries alone.
#[test]
fn a_force_touches_four_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut named_in = Vec::new();
    let mut folders = vec![root.join("src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a source file");
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            if code.into_iter().any(|line| line.contains("armature") || line.contains("Armature")) {
                named_in.push(path.strip_prefix(root).expect("inside").to_string_lossy().into_owned());
            }
        }
    }
    named_in.sort();
    let expected = [
        "elements/armature.rs",
        "elements/mod.rs",
        "reference/elements/armature.rs",
        "reference/elements/mod.rs",
    ];
    assert_eq!(named_in, expected.map(|file| format!("src/{file}")));
}
