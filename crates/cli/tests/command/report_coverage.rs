//! The page on the five reports names claims, files and tests: every name is there, and no cell is
//! empty.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use polhode_verify::{CLAIMS, Judged};

use crate::common::root;

const PREFIXES: [&str; 5] = ["pc87-", "pcd90-", "h92-", "k14-", "w84-"];

fn page() -> String {
    fs::read_to_string(root().join("docs/reports.md")).expect("the page")
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
    let (_, listed) = page.split_once("## Claims that no report makes").expect("the section");
    let listed: BTreeSet<&str> =
        listed.lines().filter(|line| line.starts_with('|')).flat_map(quoted).collect();
    let ours = CLAIMS.iter().filter(|claim| claim.judged == Judged::Finding);
    assert_eq!(listed, ours.map(|claim| claim.id).collect());
}

#[test]
fn every_file_on_the_page_of_the_reports_is_there() {
    let root = root();
    let page = page();
    let folders = ["src/", "crates/", "tests/", "studies/", "mechanisms/", "docs/", "benches/"];
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

const REPORTS: [&str; 5] = ["PC87", "PCD90", "H92", "K14", "W84"];

/// Report, place and words of everything between quotation marks in the tables of the page, code
/// left out.
fn quotes() -> BTreeSet<String> {
    let page = page();
    let sections = page.split("\n## ").filter_map(|section| {
        let report = section.split_whitespace().next()?;
        REPORTS
            .contains(&report)
            .then(|| (report.to_string(), section.lines().filter(|line| line.starts_with('|'))))
    });
    let rows = sections.flat_map(|(report, rows)| rows.map(move |row| (report.clone(), row)));
    rows.flat_map(|(report, row)| {
        let place = row.trim_matches('|').split('|').next().expect("a first cell").trim();
        let bare: String = row.split('`').step_by(2).collect();
        let words: Vec<String> = bare.split('"').skip(1).step_by(2).map(str::to_string).collect();
        words.into_iter().map(move |words| format!("{report} | {place} | {words}"))
    })
    .collect()
}

fn fixture() -> BTreeSet<String> {
    let lines = include_str!("report_quotes.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(str::to_string).collect()
}

#[test]
fn words_quoted_of_a_report_are_those_that_were_compared_with_it() {
    let (page, fixture) = (quotes(), fixture());
    let unknown: Vec<_> = page.difference(&fixture).collect();
    assert!(unknown.is_empty(), "not in crates/cli/tests/command/report_quotes.txt: {unknown:#?}");
    let unused: Vec<_> = fixture.difference(&page).collect();
    assert!(unused.is_empty(), "not quoted in docs/reports.md: {unused:#?}");
}

/// Letters and digits, for the texts are scanned.
fn plain(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

#[test]
#[ignore = "needs the reports as PC87.txt and so on, in the folder that POLHODE_REPORTS names"]
fn words_quoted_of_a_report_are_in_it() {
    let folder = std::env::var("POLHODE_REPORTS").expect("POLHODE_REPORTS names the folder of the reports");
    for line in fixture() {
        let [report, _, words] = line.splitn(3, " | ").collect::<Vec<_>>()[..] else { panic!("{line}") };
        let text = fs::read_to_string(Path::new(&folder).join(format!("{report}.txt"))).expect("a report");
        assert!(plain(&text).contains(&plain(words)), "{line}");
    }
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
