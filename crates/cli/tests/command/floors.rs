//! The house has floors: a folder of a crate imports from those below it alone. The `use` lines say
//! so, and ARCHITECTURE.md shows it. Between crates the compiler holds the walls.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::common::root;
use crate::common::sources::sources;

/// From the ground up, the folders of three crates; the others have none, or one.
const FLOORS: [(&str, &[&str]); 3] = [
    ("crates/dynamics/src", &["kinematics", "elements", "model", "methods", "ensemble", "yardsticks"]),
    ("crates/engine/src", &["backend", "observe"]),
    ("src", &["shipped", "study", "embed"]),
];

/// The only numerics that the judge shares with the engine: modal constants of flexible bodies,
/// which `tests/cpu/flexible_modal.rs` compares with those of the reference files, with the faults
/// of modal data, and where joints put bodies, which `every_instance_starts_assembled` holds
/// against the joints' own rows.
const THE_JUDGE_SHARES: [&str; 3] =
    ["flexible::{Constants, Local}", "flexible::ModalError", "describe::placement::placed"];

const BEGIN: &str = "<!-- floors: written by crates/cli/tests/command/floors.rs with POLHODE_BLESS=1 -->\n";
const END: &str = "<!-- end of floors -->\n";

/// Adds the files of a folder and of all below it that have this extension.
pub fn files_of(extension: &str, folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the sources can be read") {
        let path = entry.expect("the sources can be read").path();
        if path.is_dir() {
            files_of(extension, &path, into);
        } else if path.extension().is_some_and(|found| found == extension) {
            into.push(path);
        }
    }
}

/// Columns of a comment at most, and those of a line of the Python package.
const COMMENT_COLUMNS: usize = 100;
const PYTHON_COLUMNS: usize = 110;

#[test]
fn comments_begin_with_their_subject_and_fit() {
    let (mut faults, package) = (Vec::new(), root().join("python"));
    for (extension, mark) in [("rs", "//"), ("wgsl", "//"), ("js", "//"), ("py", "#")] {
        let mut files = Vec::new();
        for folder in ["src", "crates", "tests", "benches", "examples", "python"] {
            files_of(extension, &root().join(folder), &mut files);
        }
        for file in files.iter().filter(|file| !file.components().any(|part| part.as_os_str() == "generated"))
        {
            let text = std::fs::read_to_string(file).expect("the sources can be read");
            for (number, line) in text.lines().enumerate() {
                let comment = line.trim_start().strip_prefix(mark);
                let words = comment.unwrap_or_default().trim_start_matches(['/', '!']).trim_start();
                let opens =
                    ["What ", "Of ", "How ", "The same "].iter().any(|opening| words.starts_with(opening));
                let columns = line.chars().count();
                let is_long = comment.is_some() && columns > COMMENT_COLUMNS
                    || columns > PYTHON_COLUMNS && extension == "py" && file.starts_with(&package);
                if opens || is_long {
                    faults.push(format!("{}:{}: {}", file.display(), number + 1, line.trim_start()));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} comments\n{}", faults.len(), faults.join("\n"));
}

/// Columns of a line of source at most. Files of `tests/wrong` are as people wrote them, and
/// kernels under `generated` are printed.
const COLUMNS: usize = 110;

/// Longer lines by folder and extension. The numbers only fall.
const LONG_LINES: [(&str, &str, usize); 3] =
    [("benches", "py", 65), ("benches", "sh", 12), ("crates", "py", 5)];

#[test]
fn lines_fit() {
    let mut longer = Vec::new();
    for folder in ["src", "crates", "tests", "benches", "examples", "python", "mechanisms", "studies"] {
        for extension in ["rs", "wgsl", "js", "toml", "py", "sh"] {
            let mut files = Vec::new();
            files_of(extension, &root().join(folder), &mut files);
            files.retain(|file| {
                let name = file.display().to_string();
                !name.contains("/generated/") && !name.contains("/tests/wrong/")
            });
            let mut found = Vec::new();
            for file in files {
                let text = std::fs::read_to_string(&file).expect("the sources can be read");
                let long = text.lines().enumerate().filter(|(_, line)| line.chars().count() > COLUMNS);
                found.extend(long.map(|(number, _)| format!("{}:{}", file.display(), number + 1)));
            }
            let bound = LONG_LINES.iter().find(|(of, kind, _)| (*of, *kind) == (folder, extension));
            if found.len() > bound.map_or(0, |(_, _, count)| *count) {
                longer.push(format!("{folder}, {extension}: {}\n{}", found.len(), found.join("\n")));
            }
        }
    }
    assert!(longer.is_empty(), "lines of more than {COLUMNS} columns\n{}", longer.join("\n"));
}

/// The modules above a file, from the crate down: `["output", "drawing", "stage"]`.
fn module_path(sources: &Path, file: &Path) -> Vec<String> {
    let inside = file.strip_prefix(sources).expect("it is inside");
    let mut names: Vec<String> = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let last = names.pop().expect("a file has a name");
    match last.trim_end_matches(".rs") {
        "mod" | "lib" => {}
        name => names.push(name.to_string()),
    }
    names
}

/// The sources without comments, and without the tests at the end of a file, which may use what
/// they like.
pub fn code(text: &str) -> String {
    let ends = ["\n#[cfg(test)]\nmod ", "\n#[cfg(all(test, feature = \"gpu\"))]\nmod "];
    let body = ends.iter().fold(text, |body, end| body.split(end).next().unwrap_or_default());
    body.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The folders (or files beside them) that this code names.
fn named(code: &str, path: &[String]) -> BTreeSet<String> {
    let first_word = |rest: &str| -> String {
        rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
    };
    let mut found = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        let begins = !code[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        if begins {
            let rest = &code[at + "crate::".len()..];
            assert!(!rest.starts_with('{'), "write one `use crate::` a folder: {path:?}");
            found.insert(first_word(rest));
        }
    }
    // `super::` as often as the file is deep leads to the crate too.
    let climb = "super::".repeat(path.len());
    if !path.is_empty() {
        for (at, _) in code.match_indices(&climb) {
            let rest = first_word(&code[at + climb.len()..]);
            if !code[..at].ends_with("super::") && rest != "super" {
                found.insert(rest);
            }
        }
    }
    found
}

/// By folder of a crate's `sources` which of its `floors` it imports, with a file that does.
fn imports(sources: &Path, floors: &[&str]) -> BTreeMap<String, BTreeMap<String, PathBuf>> {
    let mut files = Vec::new();
    files_of("rs", sources, &mut files);
    let mut imports: BTreeMap<String, BTreeMap<String, PathBuf>> = BTreeMap::new();
    for file in files {
        let path = module_path(sources, &file);
        let Some(own) = path.first().cloned() else { continue };
        let text = std::fs::read_to_string(&file).expect("a source can be read");
        let of_own = imports.entry(own.clone()).or_default();
        for other in named(&code(&text), &path) {
            if other != own && floors.contains(&other.as_str()) {
                of_own.entry(other).or_insert_with(|| file.clone());
            }
        }
    }
    imports
}

#[test]
fn imports_point_down() {
    let mut up = Vec::new();
    for (sources, floors) in FLOORS {
        let imports = imports(&root().join(sources), floors);
        let mut expected = floors.to_vec();
        expected.sort_unstable();
        let named: Vec<&String> = imports.keys().collect();
        assert_eq!(named, expected, "the floors of {sources} in crates/cli/tests/command/floors.rs");
        let floor = |name: &str| floors.iter().position(|floor| *floor == name);
        let arrows = imports.iter().flat_map(|(own, others)| others.iter().map(move |it| (own, it)));
        let upward = arrows.filter(|(own, (other, _))| floor(other) >= floor(own));
        up.extend(upward.map(|(own, (other, file))| {
            format!("{}: {own} imports {other}, a higher floor", file.display())
        }));
    }
    assert!(up.is_empty(), "{}", up.join("\n"));
}

#[test]
fn the_judge_shares_no_numerics() {
    let mut files = Vec::new();
    files_of("rs", &root().join("crates/reference"), &mut files);
    let mut shared = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a source can be read");
        let code = code(&text);
        let paths = code.split("polhode_description::").skip(1);
        let paths = paths.map(|rest| rest.split(';').next().unwrap_or_default());
        let is_numeric = |path: &&str| {
            let module = path.split("::").next().unwrap_or_default();
            path.starts_with("describe::placement") || !["base", "describe", "treatments"].contains(&module)
        };
        shared.extend(paths.filter(is_numeric).map(str::to_string));
    }
    shared.sort();
    let mut named = THE_JUDGE_SHARES;
    named.sort_unstable();
    assert_eq!(shared, named, "the judge shares other numerics than ARCHITECTURE.md says");
}

/// The files of `src` that see the judge: those that judge what was run, and the library's front,
/// by which programs give their forces and methods twins. The list only shrinks.
const JUDGING: [&str; 8] = [
    "src/embed.rs",
    "src/lib.rs",
    "src/study/converged/mod.rs",
    "src/study/converged/natural.rs",
    "src/study/judge.rs",
    "src/study/kinds/convergence/ladder.rs",
    "src/study/replay.rs",
    "src/study/throughput.rs",
];

#[test]
fn a_run_does_not_see_the_judge() {
    let sees = |file: &String| {
        let text = std::fs::read_to_string(root().join(file)).expect("a source can be read");
        file.starts_with("src/") && code(&text).contains("reference::")
    };
    let mut judging: Vec<String> = sources(|_| true).into_iter().filter(sees).collect();
    judging.sort();
    assert_eq!(judging, JUDGING, "what a run needs is in the description or in crates/dynamics");
}

/// The paths that a `use` names, `{}` written out.
fn used(tree: &str) -> Vec<String> {
    let Some((before, rest)) = tree.split_once('{') else {
        return vec![tree.split(" as ").next().unwrap_or_default().trim().to_string()];
    };
    let inside = rest.rsplit_once('}').map_or(rest, |(inside, _)| inside);
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for c in inside.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        match (c, depth) {
            (',', 0) => parts.push(String::new()),
            _ => parts.last_mut().expect("there is one").push(c),
        }
    }
    let parts = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty());
    parts.flat_map(used).map(|path| format!("{}{path}", before.trim())).collect()
}

/// The paths of all `use` lines.
pub fn imports_of(code: &str) -> impl Iterator<Item = String> {
    code.split("use ").skip(1).flat_map(|rest| used(rest.split(';').next().unwrap_or_default()))
}

/// The files of a crate that a file imports or names by a path, by their module paths.
fn imported(code: &str, own: &[String], modules: &BTreeSet<Vec<String>>) -> BTreeSet<Vec<String>> {
    let mut found = BTreeSet::new();
    let is_of_path = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
    let is_path = |path: &&str| path.contains("::") && !path.ends_with("::");
    let written_out = code.split(|c| !is_of_path(c)).filter(is_path).map(str::to_string);
    for path in imports_of(code).chain(written_out) {
        let mut words: Vec<String> = path.split("::").map(str::to_string).collect();
        let mut module = match words[0].as_str() {
            "crate" => Vec::new(),
            "self" | "super" => own.to_vec(),
            _ => continue,
        };
        while ["crate", "self", "super"].contains(&words.first().map_or("", String::as_str)) {
            if words.remove(0) == "super" {
                module.pop();
            }
        }
        module.extend(words);
        while !modules.contains(&module) && module.pop().is_some() {}
        // The root shows names of other crates.
        if module != own && !module.is_empty() {
            found.insert(module);
        }
    }
    found
}

/// The files on circles of imports within their crates, by their circle: none can be read without
/// the others. The numbers only fall.
fn circles(sources: &Path) -> Vec<BTreeSet<Vec<String>>> {
    let mut files = Vec::new();
    files_of("rs", sources, &mut files);
    let paths: BTreeSet<Vec<String>> = files.iter().map(|file| module_path(sources, file)).collect();
    let imports = |file: &PathBuf| {
        let text = std::fs::read_to_string(file).expect("a source can be read");
        let path = module_path(sources, file);
        let found = imported(&code(&text), &path, &paths);
        (path, found)
    };
    let imports: BTreeMap<_, _> = files.iter().map(imports).collect();
    let reached = |from: &Vec<String>| {
        let mut reached = BTreeSet::new();
        let mut open = vec![from];
        while let Some(next) = open.pop() {
            open.extend(
                imports.get(next).into_iter().flatten().filter(|file| reached.insert((*file).clone())),
            );
        }
        reached
    };
    let reach: BTreeMap<_, _> = imports.keys().map(|file| (file.clone(), reached(file))).collect();
    let on_one = |file: &Vec<String>| -> BTreeSet<Vec<String>> {
        reach[file]
            .iter()
            .filter(|other| reach.get(*other).is_some_and(|back| back.contains(file)))
            .cloned()
            .collect()
    };
    let circles: BTreeSet<_> = imports.keys().map(on_one).filter(|circle| !circle.is_empty()).collect();
    circles.into_iter().collect()
}

const CIRCLES: usize = 3;
const FILES_ON_CIRCLES: usize = 36;

#[test]
fn circles_of_files_grow_fewer() {
    let crates = std::fs::read_dir(root().join("crates")).expect("a folder");
    let crates = crates.map(|entry| entry.expect("an entry").path().join("src"));
    let all: Vec<_> = crates.chain([root().join("src")]).flat_map(|sources| circles(&sources)).collect();
    let files: usize = all.iter().map(BTreeSet::len).sum();
    assert!(
        all.len() <= CIRCLES && files <= FILES_ON_CIRCLES,
        "{} circles of {files} files: {all:?}",
        all.len()
    );
}

#[test]
fn a_circle_of_files_is_seen() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("a file can be written");
    };
    write("lib.rs", "mod a;\nmod b;\nmod c;\n");
    write("a.rs", "use crate::{b::{self, B}, c};\n");
    write("b.rs", "use super::c::C;\n");
    write("c.rs", "pub struct C;\n#[cfg(test)]\nmod tests { use crate::a; }\n");
    assert!(circles(folder.path()).is_empty());
    write("c.rs", "pub use super::a::{A as Other};\n");
    let expected = ["a", "b", "c"].map(|name| vec![name.to_string()]);
    assert_eq!(circles(folder.path()), [BTreeSet::from(expected)]);
}

/// Tests in the sources of a crate that is not compiled for them would never run.
#[test]
fn crates_without_unit_tests_have_none() {
    let mut silent = Vec::new();
    let crates = std::fs::read_dir(root().join("crates")).expect("a folder");
    let crates = crates.map(|entry| entry.expect("an entry").path());
    for folder in crates.chain(["", "python", "tests"].map(|folder| root().join(folder))) {
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
        let manifest: toml::Table = manifest.parse().expect("a manifest");
        let is_tested = |lib: &toml::Value| lib.get("test").is_none_or(|test| test.as_bool() == Some(true));
        if !folder.join("src").exists() || manifest.get("lib").is_none_or(is_tested) {
            continue;
        }
        let mut files = Vec::new();
        files_of("rs", &folder.join("src"), &mut files);
        let has_tests = |file: &PathBuf| std::fs::read_to_string(file).expect("a source").contains("#[test]");
        silent.extend(files.into_iter().filter(has_tests));
    }
    assert!(silent.is_empty(), "{silent:?}");
}

/// Names that say little of a thing: no function and no variable has one. `of` may name what makes
/// a value, as `Moments::of(values)`.
const WORN: [&str; 10] = ["of", "told", "asked", "held", "seen", "met", "rung", "lens", "race", "followed"];

/// The functions or variables, by `keyword`, that a piece of code declares by a worn name.
fn worn<'c>(code: &'c str, keyword: &str) -> impl Iterator<Item = &'c str> {
    let names = code.split(keyword).skip(1).map(|rest| rest.trim_start_matches("mut "));
    let names = names.filter_map(|rest| rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next());
    let makes = keyword == "fn ";
    names.filter(move |name| WORN.contains(name) && !(makes && *name == "of"))
}

#[test]
fn no_name_is_worn() {
    let mut found = Vec::new();
    for file in sources(|_| true) {
        let code = code(&std::fs::read_to_string(root().join(&file)).expect("a source can be read"));
        found.extend(
            ["let ", "fn "]
                .iter()
                .flat_map(|keyword| worn(&code, keyword))
                .map(|name| format!("{file}: {name}")),
        );
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    let code = "let mut told = 1; let of = 2; pub fn seen() {} fn of() {} let sighted = held;";
    assert_eq!(worn(code, "let ").collect::<Vec<_>>(), ["told", "of"]);
    assert_eq!(worn(code, "fn ").collect::<Vec<_>>(), ["seen"]);
}

/// The types that a line declares for other modules.
fn declared_type(line: &str) -> Option<&str> {
    let line = line.trim_start().strip_prefix("pub")?;
    let line = match line.strip_prefix('(') {
        Some(within) => within.split_once(')')?.1,
        None => line,
    };
    let mut words =
        line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    let keyword = words.next().filter(|_| line.starts_with(' '))?;
    ["struct", "enum", "trait", "type", "union"].contains(&keyword).then(|| words.next()).flatten()
}

/// Types of which two or more files declare one of this name. The judge may call its twins as the
/// engine does; and a stub for a build without a feature or for another processor, `*absent*`, has
/// to have the names of what it stands for.
fn declared_twice(files: &[(String, String)]) -> Vec<String> {
    let mut places: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (file, code) in files {
        let name = file.rsplit('/').next().unwrap_or_default();
        if file.starts_with("crates/reference/") || name.contains("absent") {
            continue;
        }
        for (number, line) in code.lines().enumerate() {
            if let Some(declared) = declared_type(line) {
                places.entry(declared).or_default().push(format!("{file}:{}", number + 1));
            }
        }
    }
    let twice = places.iter().filter(|(_, places)| places.len() > 1);
    twice.map(|(name, places)| format!("{name}: {}", places.join(" and "))).collect()
}

#[test]
fn no_type_name_is_declared_twice() {
    let text = |file: String| {
        let code = code(&std::fs::read_to_string(root().join(&file)).expect("a source can be read"));
        (file, code)
    };
    let files: Vec<(String, String)> = sources(|_| true).into_iter().map(text).collect();
    let twice = declared_twice(&files);
    assert!(twice.is_empty(), "one name for one thing:\n{}", twice.join("\n"));
}

#[test]
fn a_name_that_stands_twice_is_seen() {
    let twice = |files: &[(&str, &str)]| {
        declared_twice(&files.iter().map(|(file, text)| (file.to_string(), code(text))).collect::<Vec<_>>())
    };
    let first = ("src/a.rs", "use b::C;\npub struct Axis<R> {\n");
    let found = ["src/a.rs:2 and src/b/c.rs:1"].map(|places| format!("Axis: {places}"));
    for second in
        ["pub enum Axis {", "pub(super) trait Axis: Sized {", "    pub(crate) type Axis = [f64; 3];"]
    {
        assert_eq!(twice(&[first, ("src/b/c.rs", second)]), found, "{second}");
    }
    for second in [
        "struct Axis;",
        "// pub struct Axis",
        "pub axis: Axis,",
        "pub fn type_of(axis: Axis)",
        "pub struct AxisLabel;",
    ] {
        assert!(twice(&[first, ("src/b/c.rs", second)]).is_empty(), "{second}");
    }
    assert!(twice(&[first, ("crates/reference/src/c.rs", "pub enum Axis {")]).is_empty());
    assert!(twice(&[first, ("src/b/c_absent.rs", "pub enum Axis {")]).is_empty());
}

#[test]
fn the_architecture_shows_the_floors() {
    let from_the_top = |(sources, floors): &(&str, &[&str])| {
        format!("`{sources}`: `{}`", floors.iter().rev().copied().collect::<Vec<_>>().join(" > "))
    };
    let shown: Vec<String> = FLOORS.iter().rev().map(from_the_top).collect();
    let shown = shown.join("; ") + "\n";
    let file = root().join("ARCHITECTURE.md");
    let text = std::fs::read_to_string(&file).expect("the document can be read");
    let (before, rest) = text.split_once(BEGIN).expect("ARCHITECTURE.md says where its floors begin");
    let (written, after) = rest.split_once(END).expect("ARCHITECTURE.md says where its floors end");
    if std::env::var_os("POLHODE_BLESS").is_some() {
        std::fs::write(&file, format!("{before}{BEGIN}{shown}{END}{after}"))
            .expect("the document can be written");
        return;
    }
    assert_eq!(
        written, shown,
        "ARCHITECTURE.md is out of date: POLHODE_BLESS=1 cargo test --release --test command floors"
    );
}

#[test]
fn an_arrow_that_points_up_is_seen() {
    let path = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
    let found = |text: &str, names: &[&str]| named(&code(text), &path(names)).into_iter().collect::<Vec<_>>();
    assert_eq!(found("use crate::study::plan;\n// crate::cli\n", &["math", "fit"]), ["study"]);
    assert_eq!(found("use super::super::output::{Report, table};", &["math", "fit"]), ["output"]);
    assert_eq!(found("use super::vector::add;", &["math", "fit"]), [""; 0]);
    assert_eq!(found("fn f() {}\n#[cfg(test)]\nmod tests { use crate::cli; }", &["math"]), [""; 0]);
}
