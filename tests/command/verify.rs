//! `polhode verify`: the table, the JSON and the report that it leaves, and with which code it ends. How long it takes
//! and which verdicts it gives are findings, not requirements.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;
use polhode::verify::CLAIMS;
use serde_json::Value;
use tempfile::TempDir;

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

/// What every claim must have, whatever its verdict.
fn check_claim(claim: &Value) {
    let id = claim["id"].as_str().unwrap();
    assert!(claim["source"].as_str().is_some_and(|source| !source.is_empty()), "{id}");
    assert!(claim["found"].as_str().is_some_and(|found| !found.is_empty()), "{id}");
    let says = claim["says"].as_array().unwrap();
    assert!(claim["judged"] == "finding" || !says.is_empty(), "{id}: no report says it");
    assert!((claim["source"] == "polhode") == (claim["judged"] == "finding"), "{id}");
    let verdict = claim["verdict"].as_str().unwrap();
    assert!(["holds", "holds only if", "does not hold"].contains(&verdict), "{id}: {verdict}");
    assert!(verdict != "holds only if" || claim["condition"].is_string(), "{id}");
    let measured = claim["measured"].as_array().unwrap();
    let mut asked = 0;
    for number in measured {
        assert!(number["value"].as_f64().is_some_and(f64::is_finite), "{id}: {number}");
        for key in ["name", "unit"] {
            assert!(number[key].as_str().is_some_and(|text| !text.is_empty()), "{id}: {number}");
        }
        if number["asked"]["of"] == "claim" {
            asked += 1;
            assert!(verdict != "holds" || number["asked"]["met"] == true, "{id}: {number}");
        }
    }
    assert!(asked > 0, "{id}: nothing is asked of the claim");
}

#[test]
fn every_claim_is_measured_and_reported() {
    let home = TempDir::new().unwrap();
    let out = home.path().join("out");
    let folder = out.to_str().unwrap();
    let (table, said) = ends_with(0, &verify(&["--out", folder]).output().unwrap());
    assert_eq!(said.lines().count(), CLAIMS.len(), "{said}");

    let stored = fs::read_to_string(out.join("claims.json")).unwrap();
    let claims: Value = serde_json::from_str(&stored).unwrap();
    let claims = claims.as_array().unwrap();
    let ids =
        |claims: &[Value]| claims.iter().map(|claim| claim["id"].as_str().unwrap().to_string()).collect();
    let ids: Vec<String> = ids(claims);
    assert_eq!(ids, CLAIMS.iter().map(|claim| claim.id).collect::<Vec<_>>());
    claims.iter().for_each(check_claim);
    for claim in claims {
        let id = claim["id"].as_str().unwrap();
        assert!(table.lines().any(|line| line.starts_with(id)), "{id}\n{table}");
    }
    // What reports say stands apart from what we found.
    let told = |what: &str| table.lines().filter(|line| line.contains(what)).count();
    assert_eq!(told("  we found"), claims.len(), "{table}");
    let says: usize = claims.iter().map(|claim| claim["says"].as_array().unwrap().len()).sum();
    assert_eq!(told(" says: "), says, "{table}");

    // One file that opens anywhere, with every figure.
    let report = fs::read_to_string(out.join("report.html")).unwrap();
    for away in ["http:", "https:", "src=\"plots", "<script", "url("] {
        assert!(!report.contains(away), "{away}");
    }
    let figures: Vec<&str> = claims
        .iter()
        .flat_map(|claim| claim["figures"].as_array().unwrap())
        .map(|f| f.as_str().unwrap())
        .collect();
    for claim in claims {
        let section = format!("<section id=\"{}\">", claim["id"].as_str().unwrap());
        let section = report.split(&section).nth(1).expect("a section").split("</section>").next().unwrap();
        let shown = section.matches("<img src=\"data:image/svg+xml;base64,").count();
        assert_eq!(shown, claim["figures"].as_array().unwrap().len(), "{}", claim["id"]);
    }
    let wanted =
        ["h92_fig1", "h92_fig2", "h92_fig3", "h92_fig4", "h92_fig6", "h92_fig7", "h92_fig8", "h92_fig9"];
    for figure in wanted.iter().chain(&[
        "h92_51_attitude",
        "h92_51_momentum",
        "h92_fig10",
        "k14_fig1",
        "k14_fig2",
        "k14_fig3",
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
    assert_eq!(ids, polhode::verify::figures::all().map(|figure| figure.id).collect::<Vec<_>>());
    for (id, figure) in ids.iter().zip(drawn) {
        let section = format!("<section id=\"{id}\">");
        let section = report.split(&section).nth(1).expect("a section").split("</section>").next().unwrap();
        let panels = figure["figures"].as_array().unwrap();
        assert!(!panels.is_empty(), "{id}");
        assert_eq!(section.matches("<img src=\"data:image/svg+xml;base64,").count(), panels.len(), "{id}");
        assert!(panels.iter().all(|panel| panel.as_str().unwrap().starts_with(id)), "{id}");
    }

    // What the README shows of it.
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let shown = readme.split("```text\nclaim ").nth(1).expect("a table").split("\n```").next().unwrap();
    for line in shown.lines().skip(1).filter(|line| *line != "...") {
        assert!(table.contains(line), "{line}\n{table}");
    }

    // Again: refused, then on request the same to the last byte.
    let (_, said) = ends_with(2, &verify(&["--out", folder]).output().unwrap());
    assert!(said.contains("--overwrite"), "{said}");
    let again = verify(&["--out", folder, "--overwrite", "--json", "--quiet"]).output().unwrap();
    assert_eq!(ends_with(0, &again), (stored, String::new()));
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
    use std::process::Stdio;
    let home = TempDir::new().unwrap();
    let out = home.path().join("out");
    let arguments = ["--long", "--out", out.to_str().unwrap()];
    let mut child = verify(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The folder under way appears after the handler of the signal.
    while names(home.path()).is_empty() {
        assert!(child.try_wait().unwrap().is_none(), "ended before it was interrupted");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let (printed, said) = ends_with(130, &child.wait_with_output().unwrap());
    assert!(printed.is_empty() && said.ends_with("interrupted: nothing was written\n"), "{said}");
    assert!(names(home.path()).is_empty());
}
