//! The sources, for tests that count where a name stands, and the pages that are printed from
//! cards.

use std::fs;

use super::root;

/// The Rust files under `src/` and `crates/*/src/` whose text is as wanted, from the root, sorted.
pub fn sources(wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let root = root();
    let mut found = Vec::new();
    let crates = fs::read_dir(root.join("crates")).expect("a folder");
    let mut folders: Vec<_> = crates.map(|entry| entry.expect("an entry").path().join("src")).collect();
    folders.push(root.join("src"));
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && !path.ends_with("tests.rs")
                && wanted(&fs::read_to_string(&path).expect("a source file"))
            {
                found.push(path.strip_prefix(root).expect("inside").to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    found
}

/// Lines of code: comments, and tests behind it, apart.
pub fn code(text: &str) -> impl Iterator<Item = &str> {
    let of_program = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    of_program.lines().filter(|line| !line.trim_start().starts_with("//"))
}

/// Begins the last line of a page of docs/, which links to the next one.
pub const NEXT: &str = "\n\nNext: ";

/// A page without its link to the next one.
pub fn without_next(page: &str) -> &str {
    page.rsplit_once(NEXT)
        .filter(|(_, link)| link.lines().count() == 1)
        .map_or(page, |(text, _)| text)
        .trim_end()
}

/// Fails unless a page is kept as it is printed; with `POLHODE_BLESS=1` it is rewritten first.
/// `file` is from the repository's root. A link to the next page stays where the print has none.
#[track_caller]
pub fn assert_kept(file: &str, page: &str) {
    let path = root().join(file);
    let kept = fs::read_to_string(&path).unwrap_or_default();
    let next = if page.contains(NEXT) { "" } else { &kept[without_next(&kept).len()..] };
    let page = match next.contains(NEXT) {
        true => format!("{}{next}", page.trim_end()),
        false => page.to_string(),
    };
    if kept != page && std::env::var_os("POLHODE_BLESS").is_some() {
        fs::create_dir_all(path.parent().expect("a folder")).expect("the page's folder");
        fs::write(&path, &page).expect("the page");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(kept, page, "{file} is out of date: POLHODE_BLESS=1 cargo test --release --test command");
}
