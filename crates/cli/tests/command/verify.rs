//! `polhode verify`: the table, the JSON and the report that it leaves, and with which code it
//! ends. How long it takes and which verdicts it gives are findings, not requirements.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;
use polhode_verify::CLAIMS;
use serde_json::Value;
use tempfile::TempDir;

use crate::command::{Running, path, polhode};
use crate::common::browser::Browser;
use crate::common::root;
use crate::common::sources::assert_kept;
use crate::documents::{Told, document, fault, section};
use crate::reports::is_readable;

fn verify(arguments: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin("polhode"));
    command.arg("verify").args(arguments).env("XDG_RUNTIME_DIR", std::env::temp_dir());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[track_caller]
fn ends_with(code: i32, output: &Output) -> (String, String) {
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{out}\n{err}");
    assert!(!err.contains("panicked"), "{err}");
    (out, err)
}

fn names(folder: &Path) -> BTreeSet<String> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// Checks what every claim must have, whatever its verdict.
fn check_claim(claim: &Value) {
    let id = claim["id"].as_str().unwrap();
    assert!(claim["source"].as_str().is_some_and(|source| !source.is_empty()), "{id}");
    assert!(claim["found"].as_str().is_some_and(|found| !found.is_empty()), "{id}");
    let says = claim["says"].as_array().unwrap();
    assert!(claim["judged"] == "finding" || !says.is_empty(), "{id}: no report says it");
    assert!((claim["source"] == "polhode") == (claim["judged"] == "finding"), "{id}");
    let verdict = claim["verdict"].as_str().unwrap();
    assert!(
        ["holds", "holds only if", "does not hold", "cannot be judged"].contains(&verdict),
        "{id}: {verdict}"
    );
    assert!((verdict == "cannot be judged") == claim["can_be_had"].is_boolean(), "{id}");
    assert!(verdict != "holds only if" || claim["condition"].is_string(), "{id}");
    let measured = claim["measured"].as_array().unwrap();
    let mut criteria = 0;
    for number in measured {
        assert!(number["value"].as_f64().is_some_and(f64::is_finite), "{id}: {number}");
        for key in ["name", "unit"] {
            assert!(number[key].as_str().is_some_and(|text| !text.is_empty()), "{id}: {number}");
        }
        if number["asked"]["of"] == "claim" {
            criteria += 1;
            assert!(verdict != "holds" || number["asked"]["met"] == true, "{id}: {number}");
        }
    }
    assert!(criteria > 0, "{id}: nothing is asked of the claim");
}

/// Sentences of docs/findings.md by section, with the claim that measures their number, and by
/// which name.
const TOLD: &[(&str, &str, &str, &str)] = &[
    ("## 2. ", "f32: energy error {} after 10^4", "single-precision-energy", "energy error over 10^4 steps"),
    ("## 5. ", "1 s) is {} times larger", "pcd90-denominator", "as printed, of the rule's"),
    ("## 5. ", "larger, {} against", "pcd90-denominator", "attitude error as printed"),
    ("## 5. ", "against {} rad. But", "pcd90-denominator", "attitude error of the midpoint rule"),
    ("## 11. ", "passes 1 % at {} s", "h92-restarts", "passes 1 %, never restarted, after"),
    ("## 11. ", "holds it at {} over", "h92-restarts", "energy error, restarted every 100 steps"),
    ("## 12. ", "h|w0| = {} with three", "long-run-limits", "largest h|w0|, midpoint"),
    ("## 12. ", "iterations, {} with two", "long-run-limits", "largest h|w0|, midpoint with iterations = 2"),
    ("## 12. ", "two, {} with one", "long-run-limits", "largest h|w0|, midpoint with iterations = 1"),
    (
        "## 12. ",
        "is off by up to {} within",
        "single-precision-drift",
        "momentum drift, predictor_corrector, f32, 100000 steps",
    ),
    ("## 16. ", "| as printed | {} s |", "pcd90-as-printed", "ball, as printed, passes 100 % after"),
    (
        "## 16. ",
        "| as printed | 0.085 s | 0.085 s | {} s |",
        "pcd90-as-printed",
        "ball, as printed, restarted, gamma = 5/s, passes 100 % after",
    ),
    (
        "## 16. ",
        "| 0.125 s | 0.085 s | 0.085 s | {} s |",
        "pcd90-as-printed",
        "pendulum, as printed, restarted, gamma = 5/s, passes 100 % after",
    ),
    ("## 16. ", "| corrected | {} s |", "pcd90-as-printed", "ball, corrected, passes 100 % after"),
    (
        "## 16. ",
        "| corrected | 3.795 s | never: {} |",
        "pcd90-as-printed",
        "ball, corrected, restarted, largest energy error",
    ),
    ("## 16. ", "| never: 1.2e-5 | {} s |", "pcd90-as-printed", "pendulum, corrected, passes 100 % after"),
    (
        "## 16. ",
        "| never: 1.2e-5 | 0.255 s | {} s |",
        "pcd90-as-printed",
        "pendulum, corrected, restarted, passes 100 % after",
    ),
    (
        "## 16. ",
        "| backward Euler | never | never: {} |",
        "pcd90-as-printed",
        "ball, backward Euler, restarted, largest energy error",
    ),
    (
        "## 16. ",
        "| never: 6.9e-8 | {} s |",
        "pcd90-as-printed",
        "pendulum, backward Euler, passes 100 % after",
    ),
    (
        "## 16. ",
        "| 7.215 s | never: {} |",
        "pcd90-as-printed",
        "pendulum, backward Euler, restarted, largest energy error",
    ),
    ("## 17. ", "| eps = 1e-8 | {} |", "pcd90-dissipation", "lost, eps = 1e-8, gamma = 0, h = 1 ms"),
    ("## 17. ", "| eps = 1e-6 | {} |", "pcd90-dissipation", "lost, eps = 1e-6, gamma = 0, h = 1 ms"),
    ("## 17. ", "| eps = 1e-4 | {} |", "pcd90-dissipation", "lost, eps = 1e-4, gamma = 0, h = 1 ms"),
    (
        "## 17. ",
        "h = 1 ms it loses {}, with",
        "pcd90-dissipation",
        "lost, eps = 1e-6, gamma = 5/s, h = 1 ms, restarts every 200 steps",
    ),
    ("## 18. ", "the condition of mu is {}/d²", "pcd90-condition", "condition times d², d = 1e-3"),
    ("## 18. ", "part it after {} s at d = 1e-3", "pcd90-straight-chain", "exact holds, d = 1e-3 rad"),
    ("## 18. ", "Baumgarte's after {} s and", "pcd90-straight-chain", "baumgarte holds, d = 1e-3 rad"),
    ("## 18. ", "it loses {} to", "pcd90-straight-chain", "energy that it loses, d = 1e-3 rad"),
    ("## 18. ", "to {} J. With all", "pcd90-straight-chain", "energy that it loses, d = 1e-2 rad"),
];

/// The numbers of the findings that these claims measure are those of this run.
fn check_findings(claims: &[Value]) {
    let findings = document("docs/findings.md");
    let faults: Vec<String> = TOLD
        .iter()
        .filter_map(|(heading, sentence, id, name)| {
            let claim =
                claims.iter().find(|claim| claim["id"] == *id).unwrap_or_else(|| panic!("no claim {id}"));
            let measured =
                claim["measured"].as_array().unwrap().iter().find(|number| number["name"] == *name);
            let measured = measured.unwrap_or_else(|| panic!("{id} does not measure {name:?}"))["value"]
                .as_f64()
                .unwrap();
            fault(&section(&findings, heading), &Told { sentence, measured })
        })
        .collect();
    assert!(faults.is_empty(), "docs/findings.md\n{}", faults.join("\n"));
}

/// Beginnings of the claims that are measured a second time.
const AGAIN: [&str; 4] = ["pc87-passes", "h92-momentum", "k14-drift", "w84-beam"];

#[test]
#[expect(clippy::too_many_lines, reason = "one run, looked at from all sides")]
fn every_claim_is_measured_and_reported() {
    let home = TempDir::new().unwrap();
    let out = home.path().join("out");
    let folder = out.to_str().unwrap();
    let (table, said) = ends_with(0, &verify(&["--out", folder]).output().unwrap());
    assert_eq!(said.lines().count(), CLAIMS.len() + polhode_verify::figures::all().count(), "{said}");

    let stored = fs::read_to_string(out.join("claims.json")).unwrap();
    let claims: Value = serde_json::from_str(&stored).unwrap();
    let claims = claims.as_array().unwrap();
    let ids =
        |claims: &[Value]| claims.iter().map(|claim| claim["id"].as_str().unwrap().to_string()).collect();
    let ids: Vec<String> = ids(claims);
    assert_eq!(ids, CLAIMS.iter().map(|claim| claim.id).collect::<Vec<_>>());
    claims.iter().for_each(check_claim);
    check_findings(claims);
    // A change that turns a verdict is to be explained before it goes on.
    let verdicts = claims.iter().map(|claim| {
        let text = |key: &str| claim[key].as_str().unwrap().to_string();
        let again = match claim["found_again"].as_bool() {
            Some(false) => ", what we found beside it not again",
            Some(true) | None => "",
        };
        let had = match claim["can_be_had"].as_bool() {
            Some(true) => ", can be had",
            Some(false) => ", was not had",
            None => "",
        };
        format!("{} ({}): {}{had}{again}", text("id"), text("source"), text("verdict"))
    });
    insta::assert_snapshot!("verdicts", verdicts.collect::<Vec<_>>().join("\n"));
    assert_kept("docs/verdicts.md", &fs::read_to_string(out.join("verdicts.md")).unwrap());
    for claim in claims {
        let id = claim["id"].as_str().unwrap();
        assert!(table.lines().any(|line| line.starts_with(id)), "{id}\n{table}");
    }
    // Claims of reports stand apart from our findings.
    let lines_with = |what: &str| table.lines().filter(|line| line.contains(what)).count();
    assert_eq!(lines_with("  we found"), claims.len(), "{table}");
    let says: usize = claims.iter().map(|claim| claim["says"].as_array().unwrap().len()).sum();
    assert_eq!(lines_with(" says: "), says, "{table}");

    // One file that opens anywhere, readable, with every figure.
    let mut browser = Browser::start(&[]);
    is_readable(&mut browser, &out.join("report.html"), "verify");
    // A reader sees the claims of one verdict alone.
    let visible =
        "[...document.querySelectorAll('tr[data-verdict]')].filter(row => row.offsetHeight > 0).length";
    assert_eq!(browser.evaluate(visible), claims.len());
    browser.evaluate("document.querySelector('#only-fails').click()");
    let fail = claims.iter().filter(|claim| claim["verdict"] == "does not hold").count();
    assert!(fail > 0);
    assert_eq!(browser.evaluate(visible), fail);
    let report = fs::read_to_string(out.join("report.html")).unwrap();
    // Parts of a picture refer to each other.
    let outwards = report.replace("url(#", "").replace("http://www.w3.org/2000/svg", "");
    for away in ["http:", "https:", "src=\"plots", "<script src", "url("] {
        assert!(!outwards.contains(away), "{away}");
    }
    let figures: Vec<&str> = claims
        .iter()
        .flat_map(|claim| claim["figures"].as_array().unwrap())
        .map(|f| f.as_str().unwrap())
        .collect();
    // Those that are drawn here, and those that the page draws.
    let pictures = |section: &str| {
        ["<svg ", "<div class=\"chart "].map(|mark| section.matches(mark).count()).iter().sum::<usize>()
    };
    for claim in claims {
        let section = format!("<section id=\"{}\" ", claim["id"].as_str().unwrap());
        let section = report.split(&section).nth(1).expect("a section").split("</section>").next().unwrap();
        assert_eq!(pictures(section), claim["figures"].as_array().unwrap().len(), "{}", claim["id"]);
    }
    let wanted = [
        "h92_51_w1_10ms",
        "h92_51_w2_10ms",
        "h92_51_energy_10ms",
        "h92_51_energy_50ms",
        "h92_52_tilt_4ms",
        "h92_52_precession_4ms",
        "h92_52_energy_4ms",
        "h92_52_energy_40ms",
    ];
    for figure in wanted.iter().chain(&[
        "h92_51_attitude",
        "h92_51_momentum",
        "h92_52_momentum_4ms",
        "k14_tilt_8ms",
        "k14_precession_8ms",
        "k14_energy_8ms",
        "work_free_body",
        "pcd90_as_printed",
        "pcd90_iterations",
    ]) {
        assert!(figures.contains(figure), "{figure}");
    }
    let drawn: Value = serde_json::from_str(&fs::read_to_string(out.join("figures.json")).unwrap()).unwrap();
    let drawn = drawn.as_array().unwrap();
    let of_reports: Vec<&str> = drawn
        .iter()
        .flat_map(|figure| figure["figures"].as_array().unwrap())
        .map(|f| f.as_str().unwrap())
        .collect();
    let plots = figures
        .iter()
        .chain(&of_reports)
        .flat_map(|name| [format!("{name}.svg"), format!("{name}.png")])
        .collect();
    assert_eq!(names(&out.join("plots")), plots);
    assert_eq!(plots.len(), 2 * (figures.len() + of_reports.len()), "two figures have one name");
    let ids: Vec<&str> = drawn.iter().map(|figure| figure["id"].as_str().unwrap()).collect();
    assert_eq!(ids, polhode_verify::figures::all().map(|figure| figure.id).collect::<Vec<_>>());
    for (id, figure) in ids.iter().zip(drawn) {
        let section = format!("<section id=\"{id}\">");
        let section = report.split(&section).nth(1).expect("a section").split("</section>").next().unwrap();
        let panels = figure["figures"].as_array().unwrap();
        assert!(!panels.is_empty(), "{id}");
        assert_eq!(pictures(section), panels.len(), "{id}");
        assert!(panels.iter().all(|panel| panel.as_str().unwrap().starts_with(id)), "{id}");
    }

    // A page shows some of it.
    let page = fs::read_to_string(root().join("docs/commands.md")).unwrap();
    let shown = page.split("```text\nclaim ").nth(1).expect("a table").split("\n```").next().unwrap();
    for line in shown.lines().skip(1).filter(|line| *line != "...") {
        assert!(table.contains(line), "{line}\n{table}");
    }

    let file = home.path().join("x.gltf");
    let (_, said) = ends_with(2, &polhode(&["view", folder, "--gltf", path(&file)]).output().unwrap());
    assert!(said.contains("measures claims, and has no statistics in time"), "{said}");

    // Again: refused, then on request the same to the last digit, of some claims.
    let (_, said) = ends_with(2, &verify(&["--out", folder]).output().unwrap());
    assert!(said.contains("--overwrite"), "{said}");
    let only = AGAIN.iter().flat_map(|name| ["--only", *name]);
    let again = ["--out", folder, "--overwrite", "--json", "--quiet"].into_iter().chain(only);
    let (printed, said) = ends_with(0, &verify(&again.collect::<Vec<_>>()).output().unwrap());
    let is_taken = |claim: &&Value| AGAIN.iter().any(|name| claim["id"].as_str().unwrap().starts_with(name));
    let taken: Vec<&Value> = claims.iter().filter(is_taken).collect();
    assert!(taken.len() >= AGAIN.len());
    let again: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!((again.as_array().unwrap().iter().collect::<Vec<_>>(), said), (taken, String::new()));
    assert_eq!(fs::read_to_string(out.join("claims.json")).unwrap(), printed);
    assert_eq!(names(home.path()), BTreeSet::from(["out".to_string()]));
}

#[test]
fn claims_and_figures_are_chosen_by_the_beginning_of_their_names() {
    let home = TempDir::new().unwrap();
    let out = home.path().join("out");
    let chosen = ["--only", "w84-beam", "--only", "pcd90-den", "--out", out.to_str().unwrap()];
    let (table, said) = ends_with(0, &verify(&chosen).output().unwrap());
    assert_eq!(said.lines().count(), 2, "{said}");
    assert!(table.contains("\nw84-beam-frequencies") && table.contains("\npcd90-denominator"), "{table}");
    let unknown = verify(&["--only", "h92-momentun", "--out", home.path().join("no").to_str().unwrap()]);
    let (_, said) = ends_with(2, &{ unknown }.output().unwrap());
    assert!(said.contains("h92-momentun") && said.contains("perhaps \"h92-momentum\""), "{said}");
    assert_eq!(names(home.path()), BTreeSet::from(["out".to_string()]));
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_nothing_behind() {
    let home = TempDir::new().unwrap();
    let out = home.path().join("out");
    let arguments = ["--long", "--out", out.to_str().unwrap()];
    let mut run = Running::start(&mut verify(&arguments));
    // The folder under way appears after the handler of the signal.
    assert!(run.comes(|| !names(home.path()).is_empty()), "ended before it was interrupted");
    run.send("INT");
    let (printed, said) = ends_with(130, &run.output());
    assert!(printed.is_empty() && said.ends_with("interrupted: nothing was written\n"), "{said}");
    assert!(names(home.path()).is_empty());
}
