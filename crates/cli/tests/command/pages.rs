//! README and the pages of docs/: their commands print what stands there, examples are read, links
//! lead somewhere, and each page says which one comes next.

use std::fs;
use std::path::{Path, PathBuf};

use clap::CommandFactory;
use tempfile::TempDir;

use crate::command::{ends_with, path};
use crate::common::root;
use crate::common::sources::{NEXT, assert_kept, without_next};

/// The blocks of a document that are fenced as this language.
fn blocks<'a>(document: &'a str, language: &str) -> Vec<&'a str> {
    let fence = format!("```{language}\n");
    document.split(fence.as_str()).skip(1).filter_map(|rest| rest.split("\n```").next()).collect()
}

/// A fenced block, with the comment on the line before it.
struct Block<'a> {
    marker: Option<&'a str>,
    language: &'a str,
    text: &'a str,
}

fn all_blocks<'a>(document: &'a str) -> Vec<Block<'a>> {
    let parts: Vec<_> = document.split("\n```").collect();
    let block = |pair: &[&'a str]| {
        let (language, text) = pair[1].split_once('\n')?;
        let last = pair[0].lines().last().unwrap_or_default();
        let marker = last.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->"));
        Some(Block { marker, language, text })
    };
    parts.chunks_exact(2).filter_map(block).collect()
}

/// The pages of a folder of the repository.
fn pages(folder: &str) -> Vec<PathBuf> {
    let files = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<_> =
        files.filter(|file| file.extension().is_some_and(|extension| extension == "md")).collect();
    pages.sort();
    pages
}

/// True: `printed` is what a page shows, where `...` stands for anything.
fn is_shown(shown: &str, printed: &str) -> bool {
    let mut parts = shown.split("...");
    let Some(mut rest) = printed.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.is_empty()
}

#[test]
fn an_output_is_compared_with_what_is_shown() {
    for (shown, printed, same) in [
        ("a\nb\n", "a\nb\n", true),
        ("a\n", "a\nb\n", false),
        ("a ... s\n...\nz\n", "a 1.2 s\nb\nc\nz\n", true),
        ("a ... s\nz\n", "a 1.2 s\nb\nz\n", false),
        ("...b\n", "b\nab\n", true),
        ("...b\n", "b\na\n", false),
        ("a...a", "a", false),
    ] {
        assert_eq!(is_shown(shown, printed), same, "{shown:?} {printed:?}");
    }
}

/// A page that is run as it stands, from its first command to its last, in a new folder that has
/// the shipped `studies` and `mechanisms`.
///
/// - ```` ```console ````: lines after `$ ` are commands; those below are their output, errors
///   included, and `[exit code N]` where that is not 0. `...` stands for anything.
/// - `<!-- file: NAME -->` before a block: the block is that file.
#[cfg(unix)]
#[track_caller]
fn run_page(page: &str) {
    use std::process::Command;

    use assert_cmd::cargo::cargo_bin;

    use crate::command::text;

    let home = TempDir::new().unwrap();
    for folder in ["studies", "mechanisms"] {
        std::os::unix::fs::symlink(root().join(folder), home.path().join(folder)).unwrap();
    }
    let programs = cargo_bin("polhode");
    let programs = [programs.parent().unwrap(), Path::new("/usr/bin"), Path::new("/bin")];
    let run = |command: &str| {
        let mut shell = Command::new("bash");
        shell.args(["-c", &format!("exec 2>&1; {command}")]).current_dir(home.path());
        // Where a page opens a report, no browser starts.
        shell.env("BROWSER", "true").env("XDG_RUNTIME_DIR", home.path());
        let output = shell.env("PATH", std::env::join_paths(programs).unwrap()).output().unwrap();
        let code = output.status.code().filter(|code| *code != 0);
        text(&output.stdout) + &code.map_or(String::new(), |code| format!("[exit code {code}]\n"))
    };
    let document = fs::read_to_string(root().join(page)).unwrap();
    let mut commands = 0;
    for Block { marker, language, text: block } in all_blocks(&document) {
        if let Some(name) = marker.and_then(|marker| marker.strip_prefix("file: ")) {
            let file = home.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, format!("{block}\n")).unwrap();
        }
        if language != "console" {
            continue;
        }
        for entry in format!("\n{block}\n").split("\n$ ").skip(1) {
            let (command, shown) = entry.split_once('\n').unwrap_or((entry, ""));
            let shown =
                if shown.is_empty() || shown.ends_with('\n') { shown.into() } else { format!("{shown}\n") };
            let printed = run(command);
            assert!(is_shown(&shown, &printed), "{page}: {command}\nshown:\n{shown}\nprinted:\n{printed}");
            commands += 1;
        }
    }
    assert!(commands > 0, "{page} has no command");
}

macro_rules! run {
    ($($name:ident: $page:literal,)+) => {
        /// A test for each page that shows commands with their output.
        #[cfg(unix)]
        mod a_page_prints_what_it_shows {
            $(#[test]
            fn $name() {
                super::run_page($page);
            })+

            #[test]
            fn every_page_with_outputs_is_run() {
                for file in super::pages("docs") {
                    let shows = std::fs::read_to_string(&file).unwrap().contains("```console");
                    let is_run = [$($page),+].iter().any(|page| file.ends_with(page));
                    assert_eq!(shows, is_run, "{}", file.display());
                }
            }
        }
    };
}

run! {
    tutorial: "docs/tutorial.md",
    choosing_a_method: "docs/choosing-a-method.md",
    varying: "docs/varying.md",
    own_samples: "docs/own-samples.md",
    failure_injection: "docs/failure-injection.md",
    non_finite: "docs/non-finite.md",
}

#[test]
fn the_readme_is_true() {
    let root = root();
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    assert!(readme.lines().count() <= 120, "a reader of the README is new");
    assert_eq!(blocks(&readme, "sh"), ["cargo run --release -- run studies/tumbling.toml", "./test.sh"]);
    // Its example is in the study that `init` writes.
    let home = TempDir::new().unwrap();
    let folder = home.path().join("my-study");
    ends_with(0, &["init", path(&folder)]);
    let study = fs::read_to_string(folder.join("study.toml")).unwrap();
    let [shown] = blocks(&readme, "toml")[..] else { panic!("one example") };
    for line in shown.lines() {
        assert!(study.lines().any(|other| other == line), "{line}");
    }
    // Its pictures are small, and its films.
    let script = fs::read_to_string(root.join(".ci/pictures")).unwrap();
    for picture in fs::read_dir(root.join("docs/images")).unwrap().map(Result::unwrap) {
        let is_film = picture.path().extension().is_some_and(|extension| extension == "webp");
        let most = if is_film { 700_000 } else { 150_000 };
        assert!(picture.metadata().unwrap().len() < most, "{picture:?}");
        // One command draws all of them anew, but for those of notebooks.
        let stem = picture.path().file_stem().unwrap().to_str().unwrap().to_string();
        let is_drawn = script.split_whitespace().any(|word| word == stem);
        assert!(is_drawn || stem.starts_with("notebook_"), "{stem} is not in .ci/pictures");
    }
}

/// The example of a study and its mechanism, in two files.
#[test]
fn the_example_of_a_study_can_be_checked() {
    let page = fs::read_to_string(root().join("docs/studies.md")).unwrap();
    let [study, mechanism] = blocks(&page, "toml")[..] else { panic!("an example in two files") };
    let home = TempDir::new().unwrap();
    fs::write(home.path().join("topple.toml"), study).unwrap();
    fs::write(home.path().join("top.toml"), mechanism).unwrap();
    let (printed, _) = ends_with(0, &["check", path(&home.path().join("topple.toml"))]);
    assert!(printed.contains("instances     10,000"), "{printed}");
}

#[test]
fn every_command_and_study_is_listed() {
    let root = root();
    let page = fs::read_to_string(root.join("docs/commands.md")).unwrap();
    for command in polhode_cli::CommandLine::command().get_subcommands() {
        let row = format!("\n| `{}", command.get_name());
        let shown = [" ", "`"].iter().any(|end| page.contains(&format!("{row}{end}")));
        assert!(shown, "{}", command.get_name());
    }
    let gallery = fs::read_to_string(root.join("docs/gallery.md")).unwrap();
    for study in fs::read_dir(root.join("studies")).unwrap().map(|entry| entry.unwrap().file_name()) {
        let study = study.to_str().unwrap().to_string();
        assert!(
            !study.ends_with(".toml") || gallery.contains(&study) || study.starts_with("hulbert_fig"),
            "{study}"
        );
    }
}

/// The pages of docs/ with their titles, in the order of the index. Pages of methods follow theirs.
fn reading_order() -> Vec<(String, String)> {
    let docs = root().join("docs");
    let index = fs::read_to_string(docs.join("README.md")).unwrap();
    let links = index.split("](").skip(1).map(|rest| rest.split(')').next().unwrap().to_string());
    let links = links.filter(|link| link.ends_with(".md") && !link.starts_with("../"));
    let methods = pages("docs/methods").into_iter().map(|page| format!("methods/{}", name(&page)));
    let methods: Vec<_> = methods.filter(|page| page != "methods/README.md").collect();
    let with_methods = |link: String| {
        let more = if link == "methods/README.md" { methods.clone() } else { Vec::new() };
        std::iter::once(link).chain(more)
    };
    let title = |page: &str| {
        let text = fs::read_to_string(docs.join(page)).unwrap();
        text.lines().find_map(|line| line.strip_prefix("# ")).expect("a title").to_string()
    };
    links.flat_map(with_methods).map(|page| (title(&page), page)).collect()
}

fn name(file: &Path) -> &str {
    file.file_name().unwrap().to_str().unwrap()
}

#[test]
fn every_page_stands_once_in_the_order_of_reading() {
    let mut ordered: Vec<_> = reading_order().into_iter().map(|(_, page)| page).collect();
    ordered.sort();
    let mut all: Vec<_> = ["", "contributing/", "methods/", "reference/"]
        .iter()
        .flat_map(|folder| {
            pages(&format!("docs/{folder}")).into_iter().map(move |page| format!("{folder}{}", name(&page)))
        })
        .filter(|page| !["README.md", "SUMMARY.md"].contains(&page.as_str()))
        .collect();
    all.sort();
    assert_eq!(ordered, all);
}

/// `docs/SUMMARY.md`, from which mdBook makes the site, and the last line of every page.
#[test]
fn every_page_says_what_comes_next() {
    let order = reading_order();
    let index = fs::read_to_string(root().join("docs/README.md")).unwrap();
    let mut summary = "# Summary\n\n[polhode](README.md)\n".to_string();
    for line in index.lines() {
        if let Some(part) = line.strip_prefix("## ") {
            summary.push_str(&format!("\n# {part}\n\n"));
        }
        for (title, page) in &order {
            let own = line.contains(&format!("]({page})"));
            let method = page.starts_with("methods/") && line.contains("](methods/README.md)");
            if own || method {
                let indent = if own { "" } else { "  " };
                summary.push_str(&format!("{indent}- [{title}]({page})\n"));
            }
        }
    }
    assert_kept("docs/SUMMARY.md", &summary);
    let end = ("All pages".to_string(), "README.md".to_string());
    for (at, (_, page)) in order.iter().enumerate() {
        let (title, next) = order.get(at + 1).unwrap_or(&end);
        let link = match (page.split_once('/'), next.split_once('/')) {
            (Some((folder, _)), Some((other, file))) if folder == other => file.to_string(),
            (Some(_), _) => format!("../{next}"),
            (None, _) => next.clone(),
        };
        let file = format!("docs/{page}");
        let text = fs::read_to_string(root().join(&file)).unwrap();
        assert_kept(&file, &format!("{}{NEXT}[{title}]({link})\n", without_next(&text)));
    }
}

/// A page that says what polhode refuses or cannot do names the test that proves it, behind the
/// words: `<!-- test: NAME -->`, or `<!-- test: NAME.toml -->` for one of `tests/wrong`.
#[test]
fn what_a_page_denies_has_a_test() {
    let functions: String = ["tests", "crates", "src", "python/tests"].into_iter().map(code_below).collect();
    let (mut untested, mut tested) = (Vec::new(), 0);
    for (_, page) in reading_order() {
        for sentence in sentences(&fs::read_to_string(root().join("docs").join(&page)).unwrap()) {
            let words =
                |text: &str| text.split(|c: char| !c.is_alphabetic()).any(|word| DENIALS.contains(&word));
            let mut markers = sentence.split("<!-- test: ").skip(1).peekable();
            if markers.peek().is_none() && words(&sentence) && !MEASURED.contains(&page.as_str()) {
                untested.push(format!("{page}: {sentence}"));
            }
            for marker in markers {
                tested += 1;
                let proof = marker.split(" -->").next().unwrap();
                let is_there = if proof.ends_with(".toml") {
                    root().join("tests/wrong").join(proof).exists()
                } else {
                    functions.contains(&format!("fn {proof}()"))
                        || functions.contains(&format!("def {proof}("))
                };
                assert!(is_there, "{page}: there is no test {proof}");
            }
        }
    }
    assert!(tested > 0);
    assert!(untested.is_empty(), "{} sentences without a test:\n{}", untested.len(), untested.join("\n"));
}

/// The code of a folder of the repository, Rust and Python, with its folders.
fn code_below(folder: &str) -> String {
    let mut code = String::new();
    for entry in fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            code += &code_below(&format!("{folder}/{}", name(&entry)));
        } else if entry.extension().is_some_and(|extension| extension == "rs" || extension == "py") {
            code += &fs::read_to_string(entry).unwrap();
        }
    }
    code
}

const DENIALS: [&str; 5] = ["refuse", "refuses", "refused", "cannot", "rejects"];

/// Pages that deny things of reports, or of measurements that are over, or quote messages: only
/// their markers count.
const MEASURED: [&str; 6] = [
    "accuracy.md",
    "contributing/ten-tasks.md",
    "findings.md",
    "reports.md",
    "performance.md",
    "verdicts.md",
];

/// The sentences of a page, a cell of a table being one.
fn sentences(page: &str) -> Vec<String> {
    let prose: String = page.split("```").step_by(2).collect();
    let mut lines: Vec<String> = Vec::new();
    for line in prose.lines().filter(|line| !line.starts_with('#')) {
        let begins = line.is_empty() || line.trim_start().starts_with(['|', '-']);
        match lines.last_mut() {
            Some(last) if !begins && !last.is_empty() => {
                last.push(' ');
                last.push_str(line.trim_start());
            }
            _ => lines.push(line.to_string()),
        }
    }
    let ends = |line: String| -> Vec<String> { line.split_inclusive(". ").map(str::to_string).collect() };
    lines
        .into_iter()
        .flat_map(|line| line.split(" | ").map(str::to_string).collect::<Vec<_>>())
        .flat_map(ends)
        .collect()
}

/// `<!-- from: FILE -->` before a block: it stands so in that file, which is compiled.
#[test]
fn code_of_pages_stands_where_it_is_from() {
    let mut found = 0;
    for page in pages("docs") {
        let document = fs::read_to_string(&page).unwrap();
        for Block { marker, text, .. } in all_blocks(&document) {
            let Some(file) = marker.and_then(|marker| marker.strip_prefix("from: ")) else { continue };
            let source =
                fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
            assert!(source.contains(text), "{}: this is not in {file}:\n{text}", page.display());
            found += 1;
        }
    }
    assert!(found >= 12, "{found}");
}

/// Every link of README, CONTRIBUTING and docs leads to a file, and to a heading where it names
/// one.
#[test]
fn links_of_documents_lead_somewhere() {
    for page in ["", "docs", "docs/contributing", "docs/methods", "docs/reference"]
        .iter()
        .flat_map(|folder| pages(folder))
    {
        let text = fs::read_to_string(&page).unwrap();
        for link in text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
            if link.starts_with("https://") {
                continue;
            }
            let (place, part) =
                link.split_once('#').map_or((link, None), |(place, part)| (place, Some(part)));
            let target = if place.is_empty() { page.clone() } else { page.parent().unwrap().join(place) };
            assert!(target.exists(), "{}: {link}", page.display());
            // A heading's name in links: small letters, without punctuation, its spaces as hyphens.
            let name = |heading: &str| -> String {
                let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
                kept.collect::<String>().to_lowercase().replace(' ', "-")
            };
            if let Some(part) = part {
                let text = fs::read_to_string(target).unwrap();
                let mut headings = text.lines().filter_map(|line| line.strip_prefix('#'));
                let found = headings.any(|line| name(line.trim_start_matches('#').trim()) == part);
                assert!(found, "{}: {link}", page.display());
            }
        }
    }
}

/// The examples of `docs/mechanism-files.md`: the first is a mechanism to which the others add; the
/// last is a study.
#[test]
fn examples_of_mechanism_files_are_read() {
    let root = root();
    let document = fs::read_to_string(root.join("docs/mechanism-files.md")).unwrap();
    let blocks = blocks(&document, "toml");
    let [mechanism, additions @ .., study] = &blocks[..] else { panic!("a mechanism, and a study of it") };
    let home = TempDir::new().unwrap();
    fs::write(home.path().join("study.toml"), study).unwrap();
    let check = |addition: &str| {
        fs::write(home.path().join("mechanism.toml"), format!("{mechanism}\n\n{addition}\n")).unwrap();
        let file = if addition.contains("[[lock]]") { "study.toml" } else { "plain.toml" };
        ends_with(0, &["check", path(&home.path().join(file))])
    };
    let plain = "mechanism = \"mechanism.toml\"\nmethod = { name = \"staggered\", step = 1e-3, steps = 10 }\n\
                 ensemble = { size = 1 }\n";
    fs::write(home.path().join("plain.toml"), plain).unwrap();
    for addition in additions {
        check(addition);
    }
    // Every table of a mechanism but those of the README is there.
    let tables = [
        "constants",
        "generator",
        "contact",
        "joint_spring",
        "stop",
        "bushing",
        "beam",
        "beam_element",
        "drag",
        "lock",
        "wheel",
    ];
    for table in tables {
        assert!(additions.iter().any(|block| block.contains(&format!("[{table}]"))), "{table}");
    }
}
