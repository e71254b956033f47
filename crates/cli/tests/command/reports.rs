//! Reports in a real browser: what a person sees who opens one, on a desk and on a telephone.
//!
//! Chromium must be installed (`./test.sh` does it). Screenshots are left in `target/reports/`, to
//! be looked at.

use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::command::{altered, ends_with, path};
use crate::common::browser::Browser;
use crate::figures::findings;

/// Widths of a desk's screen and of a telephone's (CSS pixels).
const WIDTHS: [u32; 2] = [1280, 390];

/// Smallest text that can be read without a glass (CSS pixels).
const SMALLEST_TEXT: f64 = 12.0;

/// Smallest numbers along the axes of a plot that can be read without a glass (CSS pixels).
const SMALLEST_LABEL: f64 = 10.0;

/// Longest page whose end is still in the picture (CSS pixels).
const TALLEST_PICTURE: f64 = 12_000.0;

/// The script that asks a page, once it stands, for everything of a figure that a reader needs, and
/// for all that stands out.
const QUESTIONS: &str = r#"
(() => {
    const wide = document.documentElement.clientWidth;
    const scrolled = (e) => e.closest('.scroll, pre') !== null;
    const named = (e) => e.tagName + ':' + (e.textContent || e.alt || '').trim().slice(0, 40);
    const all = [...document.body.querySelectorAll('*')];
    document.querySelectorAll('details').forEach((fold) => { fold.open = true; });
    const data = document.querySelectorAll('script[type="application/json"]').length;
    const drawers = ['.player', '.chart'].filter((kind) => document.querySelector(kind)).length;
    const own = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim() !== '');
    return JSON.stringify({
        title: document.title,
        heading: document.querySelector('h1')?.textContent ?? '',
        scripts: document.scripts.length - data - drawers,
        page_height: document.documentElement.scrollHeight,
        page_width: document.documentElement.scrollWidth,
        window_width: wide,
        standing_out: all.filter((e) => !scrolled(e) && e.getBoundingClientRect().right > wide + 1)
            .map(named),
        // One number alone is no axis; bars have names along the other.
        short_axes: [...document.querySelectorAll('.chart')]
            .filter(({ chart }) => chart && !chart.marks.some((m) => m.kind === 'bars'))
            .filter(({ chart }) => ['x', 'y'].some((axis) => {
                const { powers, names } = chart.data[axis];
                const across = axis === 'x' ? 'x' : 'y';
                const lines = [...chart.svg.querySelectorAll('line.grid')];
                const seen = lines.filter((l) =>
                    l.getAttribute(across + '1') === l.getAttribute(across + '2'));
                return !powers && !names?.length && seen.length < 2;
            })).map(named),
        // A title finds: it has a number, or says of what it speaks.
        bare_titles: [...document.querySelectorAll('.chart')]
            .filter(({ chart }) => chart && !chart.marks.some((m) => m.kind === 'map'))
            .map(({ chart }) => chart.data.title).filter((title) => !/[:0-9]/.test(title)),
        small_text: all.filter((e) => own(e) && parseFloat(getComputedStyle(e).fontSize) < SMALLEST)
            .map(named),
        cut_words: [...document.querySelectorAll('.chart')].filter(({ chart }) => chart)
            .flatMap(({ chart }) => {
                const box = chart.svg.getBoundingClientRect();
                const leaves = ({ left, right }) => left < box.left - 1 || right > box.right + 1;
                const texts = [...chart.svg.querySelectorAll('text')];
                return texts.filter((t) => leaves(t.getBoundingClientRect())).map(named);
            }),
        empty_sections: [...document.querySelectorAll('section')]
            .filter((s) => s.children.length < 2).map(named),
        figures: [...document.querySelectorAll('figure')].map((f) => {
            const svg = f.querySelector('svg[role=img]');
            const wide = svg?.getBoundingClientRect().width ?? 0;
            const texts = [...(svg?.querySelectorAll('text') ?? [])];
            return {
                shown: wide > 0,
                width: wide,
                alternative: svg?.getAttribute('aria-label') ?? '',
                caption: f.querySelector('figcaption')?.textContent ?? '',
                smallest_text: Math.min(...texts.map((t) =>
                    parseFloat(t.getAttribute('font-size')) * wide / svg.viewBox.baseVal.width)),
                texts: texts.map((t) => t.textContent.trim()),
            };
        }),
    });
})()
"#;

/// Answers, requests and complaints of a page when it is opened at some width, and a picture of it.
struct Seen {
    answers: Value,
    /// Addresses asked for beside the page itself.
    requests: Vec<String>,
    /// Errors of scripts and what the browser complains about.
    complaints: Vec<String>,
    picture: Vec<u8>,
}

/// A telephone at night, a desk by day.
fn open(browser: &mut Browser, page: &Path, width: u32) -> Seen {
    browser.open_as(page, width, if width < 600 { "dark" } else { "light" });
    let answers = browser.evaluate(&QUESTIONS.replace("SMALLEST", &SMALLEST_TEXT.to_string()));
    let answers: Value = serde_json::from_str(answers.as_str().unwrap()).unwrap();
    let height = answers["page_height"].as_f64().unwrap_or(0.0).min(TALLEST_PICTURE);
    let whole = json!({ "x": 0, "y": 0, "width": width, "height": height, "scale": 1 });
    let picture = json!({ "format": "png", "clip": whole, "captureBeyondViewport": true });
    let picture = browser.call("Page.captureScreenshot", picture);
    let picture = BASE64.decode(picture["data"].as_str().unwrap()).unwrap();
    let texts = |name, pointer| -> Vec<String> {
        let text = |event: &Value| event.pointer(pointer).and_then(Value::as_str).unwrap().to_string();
        browser.events(name).into_iter().map(text).collect()
    };
    let mut requests = texts("Network.requestWillBeSent", "/request/url");
    requests.retain(|url| !url.starts_with("data:") && !url.ends_with(path(page)));
    let complaints =
        [texts("Runtime.exceptionThrown", "/exceptionDetails/text"), texts("Log.entryAdded", "/entry/text")];
    Seen { answers, requests, complaints: complaints.concat(), picture }
}

/// All that is wrong with what was seen, in words.
fn faults(opened: &Seen, width: u32) -> Vec<String> {
    let answers = &opened.answers;
    let mut faults: Vec<String> = opened.requests.iter().map(|url| format!("asks for {url}")).collect();
    faults.extend(opened.complaints.iter().map(|text| format!("complains: {text}")));
    for (name, wanted) in
        [("scripts", 0), ("window_width", u64::from(width)), ("page_width", u64::from(width))]
    {
        if answers[name].as_u64() != Some(wanted) {
            faults.push(format!("{name} is {}, not {wanted}", answers[name]));
        }
    }
    for name in ["standing_out", "short_axes", "bare_titles", "small_text", "cut_words", "empty_sections"] {
        faults.extend(answers[name].as_array().unwrap().iter().map(|element| format!("{name}: {element}")));
    }
    if answers["heading"].as_str().is_none_or(str::is_empty)
        || answers["title"].as_str().is_none_or(str::is_empty)
    {
        faults.push("there is no title".to_string());
    }
    let figures = answers["figures"].as_array().unwrap();
    if figures.is_empty() {
        faults.push("there is no figure".to_string());
    }
    for figure in figures {
        let caption = figure["caption"].as_str().unwrap();
        if caption.is_empty() || figure["alternative"].as_str().is_none_or(str::is_empty) {
            faults.push(format!("a figure says nothing: {figure}"));
        }
        if figure["shown"] != true
            || figure["width"].as_f64().is_none_or(|w| w < 0.4 * f64::from(width.min(600)))
        {
            faults.push(format!("not shown, or too small: {caption}"));
        }
        if figure["smallest_text"].as_f64().is_none_or(|size| size < SMALLEST_LABEL) {
            faults.push(format!("words of {} pixels: {caption}", figure["smallest_text"]));
        }
        faults.extend(without_axes(figure).map(|why| format!("{why}: {caption}")));
    }
    faults
}

/// Returns what a plot lacks to be read: numbers along its axes, and a unit or a count beside each.
fn without_axes(figure: &Value) -> Option<&'static str> {
    let texts: Vec<&str> = figure["texts"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let is_number = |text: &&&str| {
        let plain: String = text.chars().map(|c| if c == '−' { '-' } else { c }).collect();
        let plain = plain.replace([' ', '\u{2009}', '\u{202f}', '\u{a0}', ',', '%'], "");
        plain.parse::<f64>().is_ok() || plain.starts_with("10") || plain.ends_with(" s")
    };
    if texts.len() < 4 {
        return Some("a plot without words");
    }
    // Drawings of a mechanism have a scale in m and a triad; bars of verdicts count instances.
    let has_unit =
        texts.iter().any(|text| text.contains('(') || text.contains("instances") || text.ends_with(" m"));
    if !has_unit {
        return Some("no unit");
    }
    (texts.iter().filter(is_number).count() < 2 && !texts.iter().any(|text| text.ends_with(" s")))
        .then_some("no numbers")
}

/// Opens a report at all widths, keeps the pictures, and fails with all that is wrong.
#[track_caller]
pub fn is_readable(browser: &mut Browser, report: &Path, name: &str) {
    let pictures = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("reports");
    fs::create_dir_all(&pictures).unwrap();
    for width in WIDTHS {
        let opened = open(browser, report, width);
        fs::write(pictures.join(format!("{name}-{width}.png")), &opened.picture).unwrap();
        let mut faults = faults(&opened, width);
        faults.extend(findings(browser));
        assert!(faults.is_empty(), "{name} at {width} pixels:\n{}", faults.join("\n"));
    }
}

/// One study of every kind, made short.
const STUDIES: [(&str, &[(&str, &str)]); 10] = [
    ("tumbling", &[("ensemble.size", "500"), ("method.duration", "\"2 s\""), ("observe.every", "\"0.1 s\"")]),
    ("furuta_pendulum", &[("method.duration", "\"1 s\""), ("observe.every", "\"0.05 s\"")]),
    ("map_oscillator", &[("method.steps", "100"), ("study.period", "\"5 s\"")]),
    ("map_free_body", &[("method.steps", "1000")]),
    ("furuta_sensitivity", &[("study.samples", "64"), ("observe.every", "\"0.1 s\"")]),
    ("furuta_chaos", &[("method.duration", "\"2 s\""), ("observe.every", "\"0.1 s\"")]),
    ("static_governor", &[]),
    ("modes_boom", &[("ensemble.size", "16")]),
    ("campbell_blade", &[]),
    ("work_precision", &[("ensemble.size", "4"), ("study.repeats", "2")]),
];

#[test]
fn every_kind_of_report_is_readable() {
    let home = TempDir::new().unwrap();
    let mut browser = Browser::start(&[]);
    for (study, changes) in STUDIES {
        let file = altered(study, home.path(), changes);
        let out = home.path().join(study);
        ends_with(0, &["run", path(&file), "--out", path(&out), "--backend", "cpu"]);
        is_readable(&mut browser, &out.join("report.html"), study);
    }
    let file = altered("tumbling", home.path(), &[("method.duration", "\"2 s\"")]);
    let out = home.path().join("speed");
    let ladder = ["--sizes", "2000,1000", "--steps", "100", "--precisions", "f64", "--repeats", "2"];
    let budget = ["--judged", "2", "--budget", "6 s"];
    let (table, said) =
        ends_with(0, &[&["bench", path(&file), "--out", path(&out)][..], &ladder, &budget].concat());
    assert!(!said.contains("refused"), "{said}");
    assert!(table.lines().any(|line| line.contains(", f64") && !line.starts_with("CPU")), "{table}");
    is_readable(&mut browser, &out.join("report.html"), "speed");
}

/// These questions find what they ask for.
#[test]
fn a_bad_page_is_seen_to_be_one() {
    let home = TempDir::new().unwrap();
    let page = home.path().join("bad.html");
    let bad = "<!DOCTYPE html><html><head><title>bad</title><meta name=viewport \
               content='width=device-width'></head><body><h1>Bad</h1><section><h2>Nothing</h2></section><p \
               style='font-size:6px'>small</p><div \
               style='width:2000px'>wide</div><script>missing.call()</script><img \
               src='http://127.0.0.1:9/outside.png'><figure><svg \
               style='width:20px'></svg></figure></body></html>";
    fs::write(&page, bad).unwrap();
    let faults = faults(&open(&mut Browser::start(&[]), &page, 400), 400).join("\n");
    for expected in [
        "asks for http://127.0.0.1:9/outside.png",
        "complains: Uncaught",
        "scripts is 1",
        "page_width is",
        "standing_out: \"DIV:wide\"",
        "small_text: \"P:small\"",
        "empty_sections: \"SECTION:Nothing\"",
        "a figure says nothing",
        "not shown, or too small",
        "a plot without words",
    ] {
        assert!(faults.contains(expected), "{expected} is not among\n{faults}");
    }
}
