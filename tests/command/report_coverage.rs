//! The page on the five reports names claims, files and tests: every name is there, and no cell is empty.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use polhode::verify::{CLAIMS, Judged};

const PREFIXES: [&str; 5] = ["pc87-", "pcd90-", "h92-", "k14-", "w84-"];

fn page() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reports.md")).expect("the page")
}

/// The texts between single backticks, outside blocks of code.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

#[test]
fn every_claim_on_the_page_of_the_reports_is_measured_and_every_claim_is_on_it() {
    let page = page();
    let named: BTreeSet<&str> = page
        .lines()
        .flat_map(quoted)
        .filter(|name| PREFIXES.iter().any(|prefix| name.starts_with(prefix)))
        .collect();
    let claims: BTreeSet<&str> = CLAIMS.iter().map(|claim| claim.id).collect();
    assert!(named.len() > 30, "{named:?}");
    let unknown: Vec<_> = named.difference(&claims).collect();
    assert!(unknown.is_empty(), "no such claims: {unknown:?}");
    let missing: Vec<_> = claims.iter().filter(|name| !page.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "claims that the page does not name: {missing:?}");
}

#[test]
fn claims_that_no_report_makes_are_those_whose_verdict_is_on_a_finding() {
    let page = page();
    let (_, told) = page.split_once("## Claims that no report makes").expect("the section");
    let told: BTreeSet<&str> = told.lines().filter(|line| line.starts_with('|')).flat_map(quoted).collect();
    let ours = CLAIMS.iter().filter(|claim| claim.judged == Judged::Finding);
    assert_eq!(told, ours.map(|claim| claim.id).collect());
}

#[test]
fn every_file_on_the_page_of_the_reports_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = page();
    let folders = ["src/", "tests/", "studies/", "mechanisms/", "docs/", "benches/", "shaders/"];
    let paths =
        page.lines().flat_map(quoted).filter(|name| folders.iter().any(|folder| name.starts_with(folder)));
    let links = page.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    let links =
        links.filter(|link| !link.is_empty() && !link.starts_with("http")).map(|link| format!("docs/{link}"));
    let all: BTreeSet<String> = paths.map(str::to_string).chain(links).collect();
    assert!(all.len() > 40, "{all:?}");
    let lost: Vec<_> = all.iter().filter(|path| !root.join(path).exists()).collect();
    assert!(lost.is_empty(), "{lost:?}");
}

#[test]
fn no_line_of_the_page_of_the_reports_is_empty() {
    let page = page();
    let rows = page.lines().filter(|line| line.starts_with('|') && !line.starts_with("|---"));
    let mut lines = 0;
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        assert!(cells.len() >= 2 && cells.iter().all(|cell| !cell.is_empty()), "{row}");
        lines += 1;
    }
    assert!(lines > 200, "{lines}");
}
