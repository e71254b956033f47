//! The findings as text, as JSON, and as a report that is one file.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use maud::{Markup, PreEscaped, html};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::{Claim, ClaimVerdict, Criterion, DrawnFigure, Finding, Judged, Measured, Requirement, short};
use polhode::output::numbers::{number, round3};
use polhode::output::page::{figure, skeleton};
use polhode::output::{Manifest, NEVER, OutputError, OutputFolder, Picture, REPORT, now_utc};

/// The findings as data.
pub const CLAIMS_FILE: &str = "claims.json";

/// The figures of the reports, and the files that show them.
pub const FIGURES_FILE: &str = "figures.json";

/// Every verdict with the number that decides it, as a page in Markdown.
pub const VERDICTS_FILE: &str = "verdicts.md";

/// Writes figures, data, report and manifest.
pub(super) fn write(
    folder: &OutputFolder,
    findings: &[Finding],
    figures: &[DrawnFigure],
    long: bool,
    started: Instant,
) -> Result<(), OutputError> {
    let of_claims = findings.iter().flat_map(|finding| &finding.outcome.figures);
    let of_reports = figures.iter().flat_map(|figure| &figure.panels);
    let all: Vec<_> = of_claims.chain(of_reports).collect();
    let pictures: Vec<Picture> = all.par_iter().map(|figure| figure.draw()).collect();
    folder.write_pictures(&pictures, &NEVER)?;
    folder.write(CLAIMS_FILE, json(findings).as_bytes())?;
    folder.write(FIGURES_FILE, figures_json(figures).as_bytes())?;
    folder.write(VERDICTS_FILE, verdicts_page(findings).as_bytes())?;
    folder.write(REPORT, render(findings, figures, &pictures, long, started.elapsed()).as_bytes())?;
    let mut manifest = Manifest {
        polhode: env!("CARGO_PKG_VERSION").to_string(),
        study: TITLE.to_string(),
        complete: true,
        device: "CPU, multiplications and additions rounded apart".to_string(),
        backend: "cpu".to_string(),
        precision: "f64".to_string(),
        started: now_utc(),
        ..Manifest::default()
    };
    manifest.timings.total = started.elapsed().as_secs_f64();
    folder.write_manifest(&mut manifest)
}

const TITLE: &str = "What the reports say, and what we found";

/// The number with as many digits as tell whether it is what is asked, at least four.
fn digits(measured: &Measured) -> String {
    let wanted = match measured.asked.map(Requirement::criterion) {
        Some(Criterion::Near(_, within)) if within > 0.0 => (2.0 - within.log10()).ceil() as usize,
        _ => 4,
    };
    let precision = wanted.clamp(4, 10) - 1;
    short(format!("{:.precision$e}", measured.value).parse().unwrap_or(measured.value))
}

fn with_unit(measured: &Measured) -> String {
    match measured.unit {
        "1" => digits(measured),
        unit => format!("{} {unit}", digits(measured)),
    }
}

/// Returns the requirement on a number and whether the number meets it; empty where there is none.
fn requirement_text(judged: Judged, measured: &Measured) -> String {
    let answer = |criterion: Criterion| if criterion.is_met(measured.value) { "yes" } else { "no" };
    match measured.asked {
        None => String::new(),
        Some(Requirement::AsStated(criterion)) if judged == Judged::Unprinted => {
            format!("with data of ours, {criterion}: {}", answer(criterion))
        }
        Some(Requirement::AsStated(criterion)) => format!("{criterion}: {}", answer(criterion)),
        Some(Requirement::OnCondition(criterion)) => {
            format!("on condition, {criterion}: {}", answer(criterion))
        }
        Some(Requirement::OfFinding(criterion)) => format!("we found {criterion}: {}", answer(criterion)),
    }
}

/// Verdicts by kind: a name in a page, and words.
const KINDS: [(&str, &str); 4] = [
    ("holds", "hold"),
    ("conditional", "hold only on a condition"),
    ("fails", "do not hold"),
    ("open", "cannot be judged"),
];

/// The place of a finding's verdict among [`KINDS`].
fn kind(finding: &Finding) -> usize {
    match finding.verdict {
        ClaimVerdict::Holds => 0,
        ClaimVerdict::HoldsOnlyIf(_) => 1,
        ClaimVerdict::DoesNotHold => 2,
        ClaimVerdict::CannotBeJudged { .. } => 3,
    }
}

/// Returns the number of findings by verdict: holds, holds only on a condition, does not hold,
/// cannot be judged.
fn counts(findings: &[Finding]) -> [usize; 4] {
    let mut counts = [0; 4];
    findings.iter().for_each(|finding| counts[kind(finding)] += 1);
    counts
}

/// Buttons by which a reader sees the findings of one verdict alone. They need no script.
fn filter(findings: &[Finding]) -> Markup {
    let rule = |(name, _): (&str, &str)| {
        format!(
            "body:has(#only-{name}:checked) [data-verdict]:not([data-verdict={name}]) {{ display: none; }}"
        )
    };
    html! {
        style { (PreEscaped(KINDS.map(rule).join("\n"))) }
        fieldset.controls {
            legend { "Claims shown" }
            label { input type="radio" name="verdict" checked; " all " (findings.len()) }
            @let counted = KINDS.into_iter().zip(counts(findings)).filter(|(_, count)| *count > 0);
            @for ((name, words), count) in counted {
                label { input type="radio" name="verdict" id={ "only-" (name) }; " " (count) " " (words) }
            }
        }
    }
}

/// `24 claims: 13 hold, 6 hold only on a condition, 3 do not hold, 2 cannot be judged; 40 figures
/// of the reports drawn`
pub fn summary(findings: &[Finding], figures: &[DrawnFigure]) -> String {
    let [holds, only_if, not, open] = counts(findings);
    format!(
        "{} claims: {holds} hold, {only_if} hold only on a condition, {not} do not hold, {open} cannot be \
         judged; {} figures of the reports drawn",
        findings.len(),
        figures.len()
    )
}

/// Broken into lines of at most so many characters, unless a word is longer.
fn lines(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

/// Characters in a line of the terminal's text, beside the names.
const LINE: usize = 94;

/// Returns the statements of reports on a claim, each with its source.
fn sayings(claim: &Claim) -> impl Iterator<Item = (String, &'static str)> {
    claim.says.iter().map(|says| (format!("{says} says"), says.text))
}

/// Returns the words that introduce our finding.
fn we_found(finding: &Finding) -> &'static str {
    match finding.found_again() {
        Some(false) => "we found, and this run does not find again",
        Some(true) | None => "we found",
    }
}

/// The table for a terminal.
pub fn table(findings: &[Finding]) -> String {
    let mut text = String::new();
    let column = |width: fn(&Finding) -> usize, head: &str| {
        findings.iter().map(width).max().unwrap_or(0).max(head.len())
    };
    let ids = column(|f| f.claim.id.chars().count(), "claim");
    let sources = column(|f| f.claim.source().chars().count(), "source");
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{:<ids$}  {:<sources$}  verdict, and what was measured", "claim", "source");
    for finding in findings {
        let _ = writeln!(
            text,
            "{:<ids$}  {:<sources$}  {}",
            finding.claim.id,
            finding.claim.source(),
            finding.verdict
        );
        let said = sayings(&finding.claim).map(|(who, text)| format!("{who}: {text}"));
        for told in said.chain([format!("{}: {}", we_found(finding), finding.claim.found)]) {
            for line in lines(&told, LINE) {
                let _ = writeln!(text, "{:<ids$}  {line}", "");
            }
        }
        for measured in &finding.outcome.measured {
            let requirement = match requirement_text(finding.claim.judged, measured) {
                asked if asked.is_empty() => asked,
                asked => format!("  ({asked})"),
            };
            let _ = writeln!(text, "{:<ids$}  {}: {}{requirement}", "", measured.name, with_unit(measured));
        }
    }
    text
}

/// The first number that is not as the claim says, else the first that is asked of it.
fn deciding(finding: &Finding) -> Option<&Measured> {
    let stated = || {
        let all = finding.outcome.measured.iter();
        all.filter_map(|m| {
            matches!(m.asked, Some(Requirement::AsStated(_))).then_some((m, m.asked?.criterion()))
        })
    };
    let failed = stated().find(|(measured, criterion)| !criterion.is_met(measured.value));
    failed.or_else(|| stated().next()).map(|(measured, _)| measured)
}

/// Every verdict with the number that decides it.
fn verdicts_page(findings: &[Finding]) -> String {
    let mut page = String::from(
        "# Verdicts\n\nThe verdict of every claim of `polhode verify`, \
         and the number that decides it: the first that is not as the claim says, else the first\n\
         that is asked of it. `polhode verify` writes this page into its folder.\n\n\
         | claim | whose | verdict | number | asked |\n|---|---|---|---|---|\n",
    );
    for finding in findings {
        let Finding { claim, verdict, .. } = finding;
        let (number, asked) = deciding(finding).map_or_else(Default::default, |measured| {
            (format!("{}: {}", measured.name, with_unit(measured)), requirement_text(claim.judged, measured))
        });
        let cells = [claim.source(), verdict.to_string(), number, asked].map(|cell| cell.replace('|', "\\|"));
        let _ = writeln!(page, "| `{}` | {} |", claim.id, cells.join(" | "));
    }
    page
}

/// The table as JSON, an array of objects.
pub fn json(findings: &[Finding]) -> String {
    let measured = |m: &Measured| {
        let requirement = m.asked.map(|requirement| {
            let criterion = requirement.criterion();
            let (low, high) = criterion.bounds();
            let part = match requirement {
                Requirement::AsStated(_) => "claim",
                Requirement::OnCondition(_) => "condition",
                Requirement::OfFinding(_) => "finding",
            };
            json!({ "of": part, "low": low, "high": high, "met": criterion.is_met(m.value) })
        });
        json!({ "name": m.name, "value": m.value, "unit": m.unit, "asked": requirement })
    };
    let finding = |f: &Finding| {
        let verdict = match f.verdict {
            ClaimVerdict::Holds => "holds",
            ClaimVerdict::HoldsOnlyIf(_) => "holds only if",
            ClaimVerdict::DoesNotHold => "does not hold",
            ClaimVerdict::CannotBeJudged { .. } => "cannot be judged",
        };
        let can_be_had = match f.verdict {
            ClaimVerdict::CannotBeJudged { can_be_had } => Some(can_be_had),
            ClaimVerdict::Holds | ClaimVerdict::HoldsOnlyIf(_) | ClaimVerdict::DoesNotHold => None,
        };
        json!({
            "id": f.claim.id,
            "title": f.claim.title,
            "source": f.claim.source(),
            "judged": match f.claim.judged {
                Judged::Report => "report",
                Judged::Unprinted => "report without its data",
                Judged::Finding => "finding",
            },
            "says": f
                .claim
                .says
                .iter()
                .map(|says| json!({ "report": says.report, "place": says.place, "text": says.text }))
                .collect::<Vec<_>>(),
            "found": f.claim.found,
            "found_again": f.found_again(),
            "verdict": verdict,
            "condition": f.claim.condition,
            "can_be_had": can_be_had,
            "measured": f.outcome.measured.iter().map(measured).collect::<Vec<_>>(),
            "figures": f.outcome.figures.iter().map(|figure| figure.name).collect::<Vec<_>>(),
        })
    };
    let all = Value::Array(findings.iter().map(finding).collect());
    format!("{all:#}\n")
}

/// The figures as data.
fn figures_json(figures: &[DrawnFigure]) -> String {
    let drawn = |drawn: &DrawnFigure| {
        json!({
            "id": drawn.figure.id,
            "report": drawn.figure.report,
            "number": drawn.figure.number,
            "shows": drawn.figure.shows,
            "figures": drawn.panels.iter().map(|panel| panel.name).collect::<Vec<_>>(),
        })
    };
    format!("{:#}\n", Value::Array(figures.iter().map(drawn).collect()))
}

fn render(
    findings: &[Finding],
    figures: &[DrawnFigure],
    pictures: &[Picture],
    long: bool,
    taken: Duration,
) -> String {
    let mut pictures = pictures.iter();
    let main = html! {
        @if !findings.is_empty() {
            (filter(findings))
            section { h2 { "Verdicts" } (verdicts(findings)) }
        }
        @for finding in findings {
            section id=(finding.claim.id) data-verdict=(KINDS[kind(finding)].0) {
                h2 { (finding.claim.title) ": " (finding.verdict) }
                (details(finding))
                div.pair {
                    @for picture in pictures.by_ref().take(finding.outcome.figures.len()) {
                        (figure(picture))
                    }
                }
            }
        }
        @for drawn in figures {
            section id=(drawn.figure.id) {
                h2 { (drawn.figure.report) " " (drawn.figure.number) }
                p { strong { "There it shows: " } (drawn.figure.shows) }
                div.pair {
                    @for picture in pictures.by_ref().take(drawn.panels.len()) {
                        (figure(picture))
                    }
                }
            }
        }
    };
    let lead = html! { (lead(findings, figures, long, taken)) };
    let data = format!(
        "{CLAIMS_FILE} beside this file has the numbers, {FIGURES_FILE} the names of the reports' figures."
    );
    skeleton(TITLE, lead, None, main, &data)
}

fn lead(findings: &[Finding], figures: &[DrawnFigure], long: bool, taken: Duration) -> String {
    let runs = if long { "the runs of 10⁶ steps included" } else { "the longest runs only with --long" };
    format!(
        "{}. Every number was measured by this run, in {} s on the CPU, {runs}.",
        summary(findings, figures),
        number(round3(taken.as_secs_f64())),
    )
}

fn verdicts(findings: &[Finding]) -> Markup {
    html! {
        table.cards {
            thead {
                tr {
                    th { "claim" } th { "whose" } th { "the report says" } th { "we found" } th { "verdict" }
                }
            }
            tbody {
                @for finding in findings {
                    tr data-verdict=(KINDS[kind(finding)].0) {
                        th { a href={ "#" (finding.claim.id) } { (finding.claim.title) } }
                        td { (finding.claim.source()) }
                        // A card on a telephone has no head.
                        td {
                            @for (who, text) in sayings(&finding.claim) { p { strong { (who) ": " } (text) } }
                        }
                        td { strong { (we_found(finding)) ": " } (finding.claim.found) }
                        td { (finding.verdict) }
                    }
                }
            }
        }
    }
}

/// On whose statement the verdict is.
fn verdict_on(claim: &Claim) -> String {
    match claim.judged {
        Judged::Report => format!("the verdict is on {}", claim.source()),
        Judged::Unprinted => {
            format!("{} does not print its data, and those of this run are ours", claim.source())
        }
        Judged::Finding => "the verdict is on our own finding, which no report states".to_string(),
    }
}

fn details(finding: &Finding) -> Markup {
    html! {
        @for (who, text) in sayings(&finding.claim) {
            p { strong { (who) ": " } (text) }
        }
        p { strong { (we_found(finding)) ": " } (finding.claim.found) }
        p.lead {
            (verdict_on(&finding.claim)) "; " code { (finding.claim.id) } ", measured in "
            (number(round3(finding.taken.as_secs_f64()))) " s"
        }
        div.scroll tabindex="0" {
            table {
                thead { tr { th { "measured" } th.number { "value" } th { "unit" } th { "asked" } } }
                tbody {
                    @for measured in &finding.outcome.measured {
                        tr {
                            td { (measured.name) }
                            td.number { (digits(measured)) }
                            td.unit { (measured.unit) }
                            td { (requirement_text(finding.claim.judged, measured)) }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CLAIMS, Evidence};

    fn finding(value: f64) -> Finding {
        let claim = CLAIMS[0];
        let criterion = Criterion::Near(2.0, 1e-6);
        let measured =
            vec![Measured::new("a <b>", value, "rad/s").claimed(criterion), Measured::new("c", 1e-9, "1")];
        let verdict = ClaimVerdict::of(claim.judged, &measured, claim.condition);
        Finding {
            claim,
            outcome: Evidence { measured, figures: vec![] },
            verdict,
            taken: Duration::from_secs(1),
        }
    }

    #[test]
    fn numbers_show_what_is_asked_of_them() {
        let text = table(&[finding(2.00001234567)]);
        assert!(text.contains("a <b>: 2.0000123 rad/s  (2 ± 1e-4 %: no)"), "{text}");
        assert!(text.contains("c: 1e-9\n"), "{text}");
        assert!(text.contains("does not hold"), "{text}");
        assert!(text.contains("  we found: ") && text.contains(" says: "), "{text}");
    }

    #[test]
    fn a_claim_without_data_says_so_everywhere() {
        let mut open = finding(2.0);
        open.claim.judged = Judged::Unprinted;
        open.verdict = ClaimVerdict::of(open.claim.judged, &open.outcome.measured, None);
        let findings = [finding(2.0), open];
        let sentence = "cannot be judged: data not printed; the printed figure can be had with ours";
        let text = table(&findings);
        assert!(text.contains(sentence) && text.contains("(with data of ours, 2 ± 1e-4 %: yes)"), "{text}");
        assert!(
            summary(&findings, &[])
                .contains("1 hold, 0 hold only on a condition, 0 do not hold, 1 cannot be judged")
        );
        let value: Value = serde_json::from_str(&json(&findings)).unwrap();
        assert_eq!(
            (&value[1]["verdict"], &value[1]["can_be_had"]),
            (&json!("cannot be judged"), &json!(true))
        );
        assert!(value[0]["can_be_had"].is_null());
        let html = render(&findings, &[], &[], false, Duration::from_secs(1));
        assert!(html.contains(sentence) && html.contains("does not print its data"), "{html}");
    }

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(lines("a bb  ccc dddddd", 4), ["a bb", "ccc", "dddddd"]);
        assert!(lines(" ", 4).is_empty());
    }

    #[test]
    fn json_has_numbers_as_numbers_and_markup_is_escaped() {
        let findings = [finding(2.0)];
        let value: Value = serde_json::from_str(&json(&findings)).unwrap();
        assert_eq!(value[0]["verdict"], "holds");
        assert_eq!(value[0]["measured"][0]["value"], 2.0);
        assert_eq!(value[0]["measured"][0]["asked"]["met"], true);
        assert!(value[0]["measured"][1]["asked"].is_null());
        let html = render(&findings, &[], &[], false, Duration::from_secs(1));
        assert!(html.contains("a &lt;b&gt;") && !html.contains("<b>"));
    }
}
