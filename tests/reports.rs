//! Reports in a real browser: what a person sees who opens one, on a desk and on a telephone.
//!
//! Chromium must be installed (`./test.sh` does it). Screenshots are left in `target/reports/`, to be looked at.

mod common;

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use common::command::{altered, ends_with, path};
use headless_chrome::protocol::cdp::types::Event;
use headless_chrome::protocol::cdp::{Emulation, Network, Page};
use headless_chrome::{Browser, LaunchOptions, Tab};
use serde_json::Value;
use tempfile::TempDir;

/// Widths of a desk's screen and of a telephone's (CSS pixels).
const WIDTHS: [u32; 2] = [1280, 400];

/// Smallest text that can be read without a glass (CSS pixels).
const SMALLEST_TEXT: f64 = 12.0;

/// The same of numbers along the axes of a plot.
const SMALLEST_LABEL: f64 = 10.0;

/// Of pages longer than this the end is not in the picture (CSS pixels).
const TALLEST_PICTURE: f64 = 12_000.0;

/// What a page is asked once it stands: everything of a figure that a reader needs, and all that stands out.
const QUESTIONS: &str = r#"
(() => {
    const wide = document.documentElement.clientWidth;
    const scrolled = (e) => e.closest('.scroll, pre') !== null;
    const named = (e) => e.tagName + ':' + (e.textContent || e.alt || '').trim().slice(0, 40);
    const all = [...document.body.querySelectorAll('*')];
    const own = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim() !== '');
    const svg = (img) => new DOMParser().parseFromString(
        new TextDecoder().decode(Uint8Array.from(atob(img.src.split(',')[1]), (c) => c.charCodeAt(0))), 'image/svg+xml');
    return JSON.stringify({
        title: document.title,
        heading: document.querySelector('h1')?.textContent ?? '',
        scripts: document.scripts.length,
        page_height: document.documentElement.scrollHeight,
        page_width: document.documentElement.scrollWidth,
        window_width: wide,
        standing_out: all.filter((e) => !scrolled(e) && e.getBoundingClientRect().right > wide + 1).map(named),
        small_text: all.filter((e) => own(e) && parseFloat(getComputedStyle(e).fontSize) < SMALLEST).map(named),
        empty_sections: [...document.querySelectorAll('section')].filter((s) => s.children.length < 2).map(named),
        figures: [...document.querySelectorAll('figure')].map((f) => {
            const img = f.querySelector('img');
            return {
                shown: img.complete && img.naturalWidth > 0,
                width: img.getBoundingClientRect().width,
                alternative: img.alt,
                caption: f.querySelector('figcaption')?.textContent ?? '',
                smallest_text: Math.min(...[...svg(img).querySelectorAll('text')].map((t) =>
                    parseFloat(t.getAttribute('font-size')) * img.getBoundingClientRect().width / img.naturalWidth)),
                texts: [...svg(img).querySelectorAll('text')].map((t) => t.textContent.trim()),
            };
        }),
    });
})()
"#;

/// What is wrong with a page when it is opened at this width, and a picture of it.
struct Seen {
    answers: Value,
    /// Addresses asked for beside the page itself.
    requests: Vec<String>,
    /// Errors of scripts and what the browser complains about.
    complaints: Vec<String>,
    picture: Vec<u8>,
}

fn browser() -> Browser {
    // As a test may run as root in a container.
    let options = LaunchOptions::default_builder()
        .path(Some("chromium".into()))
        .sandbox(false)
        .args(vec![OsStr::new("--hide-scrollbars"), OsStr::new("--force-color-profile=srgb")])
        .build()
        .expect("options of a browser");
    Browser::new(options).expect("chromium can be started; ./test.sh installs it")
}

fn open(tab: &Arc<Tab>, page: &Path, width: u32) -> Seen {
    let events: Arc<Mutex<Vec<Event>>> = Arc::default();
    let heard = events.clone();
    let listener = tab
        .add_event_listener(Arc::new(move |event: &Event| heard.lock().unwrap().push(event.clone())))
        .unwrap();
    tab.enable_log().unwrap().enable_runtime().unwrap();
    tab.call_method(Network::Enable {
        max_total_buffer_size: None,
        max_resource_buffer_size: None,
        max_post_data_size: None,
        report_direct_socket_traffic: None,
        enable_durable_messages: None,
    })
    .unwrap();
    tab.call_method(Emulation::SetDeviceMetricsOverride {
        width,
        height: 900,
        device_scale_factor: 1.0,
        mobile: width < 600,
        scale: None,
        screen_width: None,
        screen_height: None,
        position_x: None,
        position_y: None,
        dont_set_visible_size: None,
        screen_orientation: None,
        viewport: None,
        display_feature: None,
        device_posture: None,
    })
    .unwrap();
    tab.navigate_to(&format!("file://{}", page.display())).unwrap().wait_until_navigated().unwrap();
    let questions = QUESTIONS.replace("SMALLEST", &SMALLEST_TEXT.to_string());
    let answers = tab.evaluate(&questions, false).unwrap().value.expect("an answer");
    let answers: Value = serde_json::from_str(answers.as_str().unwrap()).unwrap();
    let height = answers["page_height"].as_f64().unwrap_or(0.0).min(TALLEST_PICTURE);
    let whole = Page::Viewport { x: 0.0, y: 0.0, width: f64::from(width), height, scale: 1.0 };
    let picture = tab
        .call_method(Page::CaptureScreenshot {
            format: Some(Page::CaptureScreenshotFormatOption::Png),
            quality: None,
            clip: Some(whole),
            from_surface: None,
            capture_beyond_viewport: Some(true),
            optimize_for_speed: None,
        })
        .unwrap();
    let picture = BASE64.decode(picture.data).unwrap();
    tab.remove_event_listener(&listener).unwrap();
    let (mut requests, mut complaints) = (Vec::new(), Vec::new());
    for event in events.lock().unwrap().iter() {
        match event {
            Event::NetworkRequestWillBeSent(sent) => requests.push(sent.params.request.url.clone()),
            Event::RuntimeExceptionThrown(thrown) => {
                complaints.push(thrown.params.exception_details.text.clone());
            }
            Event::LogEntryAdded(entry) => complaints.push(entry.params.entry.text.clone()),
            _ => {}
        }
    }
    requests.retain(|url| !url.starts_with("data:") && !url.ends_with(path(page)));
    Seen { answers, requests, complaints, picture }
}

/// All that is wrong with what was seen, in words.
fn faults(seen: &Seen, width: u32) -> Vec<String> {
    let answers = &seen.answers;
    let mut faults: Vec<String> = seen.requests.iter().map(|url| format!("asks for {url}")).collect();
    faults.extend(seen.complaints.iter().map(|text| format!("complains: {text}")));
    for (name, wanted) in
        [("scripts", 0), ("window_width", u64::from(width)), ("page_width", u64::from(width))]
    {
        if answers[name].as_u64() != Some(wanted) {
            faults.push(format!("{name} is {}, not {wanted}", answers[name]));
        }
    }
    for name in ["standing_out", "small_text", "empty_sections"] {
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
            || figure["width"].as_f64().is_none_or(|w| w < 0.5 * f64::from(width.min(600)))
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

/// What a plot lacks to be read: numbers along its axes, and a unit or a count beside each.
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
fn is_readable(tab: &Arc<Tab>, report: &Path, name: &str) {
    let pictures = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("reports");
    fs::create_dir_all(&pictures).unwrap();
    for width in WIDTHS {
        let seen = open(tab, report, width);
        fs::write(pictures.join(format!("{name}-{width}.png")), &seen.picture).unwrap();
        let faults = faults(&seen, width);
        assert!(faults.is_empty(), "{name} at {width} pixels:\n{}", faults.join("\n"));
    }
}

/// One study of every kind, made short.
const STUDIES: [(&str, &[(&str, &str)]); 5] = [
    ("tumbling", &[("ensemble.size", "500"), ("method.duration", "\"2 s\""), ("observe.every", "\"0.1 s\"")]),
    ("furuta_pendulum", &[("method.duration", "\"1 s\""), ("observe.every", "\"0.05 s\"")]),
    ("map_oscillator", &[("method.steps", "100"), ("study.period", "\"5 s\"")]),
    ("map_free_body", &[("method.steps", "1000")]),
    ("furuta_sensitivity", &[("study.samples", "64"), ("observe.every", "\"0.1 s\"")]),
];

#[test]
fn every_kind_of_report_is_readable() {
    let home = TempDir::new().unwrap();
    let browser = browser();
    let tab = browser.new_tab().unwrap();
    for (study, changes) in STUDIES {
        let file = altered(study, home.path(), changes);
        let out = home.path().join(study);
        ends_with(0, &["run", path(&file), "--out", path(&out), "--backend", "cpu"]);
        is_readable(&tab, &out.join("report.html"), study);
    }
}

#[test]
fn the_report_of_the_claims_is_readable() {
    let home = TempDir::new().unwrap();
    let out = home.path().join("verify");
    ends_with(0, &["verify", "--out", path(&out)]);
    let browser = browser();
    is_readable(&browser.new_tab().unwrap(), &out.join("report.html"), "verify");
}

/// These questions find what they ask for.
#[test]
fn a_bad_page_is_seen_to_be_one() {
    let home = TempDir::new().unwrap();
    let page = home.path().join("bad.html");
    let bad = "<!DOCTYPE html><html><head><title>bad</title><meta name=viewport content='width=device-width'></head><body>\
               <h1>Bad</h1><section><h2>Nothing</h2></section><p style='font-size:6px'>small</p>\
               <div style='width:2000px'>wide</div><script>missing.call()</script>\
               <img src='http://127.0.0.1:9/outside.png'>\
               <figure><img alt='' src='data:image/svg+xml;base64,PHN2Zz48L3N2Zz4='></figure></body></html>";
    fs::write(&page, bad).unwrap();
    let browser = browser();
    let faults = faults(&open(&browser.new_tab().unwrap(), &page, 400), 400).join("\n");
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
