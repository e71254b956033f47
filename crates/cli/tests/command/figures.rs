//! Figures of a report in a real browser: they tell the numbers of the tables under a pointer, a
//! finger and by keys, and pages have no serious finding of axe-core (Deque).

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::cli::{integers, numbers, table, texts};
use crate::command::{altered, ends_with, path};
use crate::common::browser::Browser;
use crate::common::root;

fn run(study: &str, home: &Path, changes: &[(&str, &str)]) -> PathBuf {
    let out = home.join(study);
    let file = altered(study, home, changes);
    ends_with(0, &["run", path(&file), "--out", path(&out), "--backend", "cpu", "--no-accuracy"]);
    out
}

/// Chooses the figure whose title begins so, and brings it into the window.
fn choose(browser: &mut Browser, title: &str) {
    browser.evaluate(&format!(
        "window.chart = [...document.querySelectorAll('.chart')]
            .find(c => c.textContent.includes('{title}')).chart; \
         chart.svg.scrollIntoView({{ block: 'center' }})"
    ));
}

/// Where a pixel of the figure is in the window.
fn at(browser: &mut Browser, x: &str, y: &str) -> [f64; 2] {
    let place = browser.evaluate(&format!(
        "(() => {{ const box = chart.svg.getBoundingClientRect(); const f = box.width / chart.width; \
         return [box.left + f * ({x}), box.top + f * ({y})]; }})()"
    ));
    [0, 1].map(|k| place[k].as_f64().expect("a place"))
}

fn mouse(browser: &mut Browser, kind: &str, [x, y]: [f64; 2]) {
    let pressed = u32::from(kind != "mouseReleased");
    let event =
        json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": pressed, "clickCount": 1 });
    browser.call("Input.dispatchMouseEvent", event);
}

fn tip_text(browser: &mut Browser) -> String {
    let tip = browser
        .evaluate("chart.tip.hidden ? '' : [...chart.tip.children].map(l => l.textContent).join('\\n')");
    tip.as_str().expect("a text").to_string()
}

/// The number after these words in what a figure tells.
fn value(tip: &str, words: &str) -> f64 {
    let line =
        tip.lines().find_map(|line| line.strip_prefix(words)).unwrap_or_else(|| panic!("{words}: {tip}"));
    line.split_whitespace().next().unwrap().replace('−', "-").parse().unwrap()
}

#[test]
#[expect(clippy::too_many_lines, reason = "one visit of one page")]
fn figures_tell_the_numbers_of_the_tables() {
    let home = TempDir::new().unwrap();
    let changes =
        [("ensemble.size", "64"), ("method.duration", "\"0.5 s\""), ("observe.channels", "[\"energy\"]")];
    let out = run("four_bar", home.path(), &changes);
    let page = out.join("report.html");
    let statistics = table(&out, "statistics.parquet");
    let mut browser = Browser::start(&[]);
    for (width, scheme) in [(1280, "light"), (390, "dark")] {
        browser.open_as(&page, width, scheme);
        choose(&mut browser, "energy: 90 % end within");
        let middle = at(&mut browser, "chart.px(0.3)", "(chart.top + chart.bottom) / 2");
        if width < 600 {
            let touch = |kind: &str, points: Value| json!({ "type": kind, "touchPoints": points });
            let point = json!([{ "x": middle[0], "y": middle[1] }]);
            browser.call("Input.dispatchTouchEvent", touch("touchStart", point));
        } else {
            mouse(&mut browser, "mouseMoved", middle);
        }
        let tip = tip_text(&mut browser);
        let (times, medians) = (numbers(&statistics, "time"), numbers(&statistics, "q50"));
        let row = texts(&statistics, "channel")
            .iter()
            .zip(&times)
            .position(|(channel, time)| channel == "energy" && (time - value(&tip, "time: ")).abs() < 1e-4)
            .unwrap_or_else(|| panic!("no snapshot is at {tip}"));
        // Four digits are told.
        assert!((value(&tip, "median: ") / medians[row] - 1.0).abs() < 1e-3, "{} {tip}", medians[row]);
        assert!((times[row] - 0.3).abs() < 0.02, "{tip}");

        // The title has the outer quantiles at the end.
        let title = browser.evaluate("chart.root.querySelector('.chart-title').textContent");
        let title = title.as_str().unwrap().replace('−', "-");
        let last = texts(&statistics, "channel").iter().rposition(|channel| channel == "energy").unwrap();
        let ends: Vec<f64> = title.split(' ').filter_map(|word| word.parse().ok()).skip(1).collect();
        for (told, name) in ends.iter().zip(["q05", "q95"]) {
            let exact = numbers(&statistics, name)[last];
            let range = numbers(&statistics, "q95")[last] - numbers(&statistics, "q05")[last];
            assert!((told - exact).abs() < 0.01 * range, "{title}: {exact}");
        }
        assert_eq!(ends.len(), 2, "{title}");

        // A series goes by its entry of the legend, and comes back.
        let lines = "chart.svg.querySelectorAll('[clip-path] path').length";
        let all = browser.evaluate(lines).as_u64().unwrap();
        let press =
            "[...chart.legend.querySelectorAll('button')].find(b => b.textContent === 'mean').click()";
        browser.evaluate(press);
        assert_eq!(browser.evaluate(lines), all - 1, "{width} pixels");
        browser.evaluate(press);
        assert_eq!(browser.evaluate(lines), all);

        // Keys go along it, magnify and come back.
        browser.evaluate("chart.svg.focus()");
        for key in ["ArrowRight", "+"] {
            browser.call("Input.dispatchKeyEvent", json!({ "type": "keyDown", "key": key, "code": key }));
        }
        let zoomed = browser.evaluate("chart.shown[0][1] - chart.shown[0][0]").as_f64().unwrap();
        assert!((zoomed - 0.5 / 1.6).abs() < 0.01, "{zoomed}");
        browser.call("Input.dispatchKeyEvent", json!({ "type": "keyDown", "key": "0", "code": "0" }));
        browser.call(
            "Input.dispatchKeyEvent",
            json!({ "type": "keyDown", "key": "ArrowLeft", "code": "ArrowLeft" }),
        );
        assert!(tip_text(&mut browser).contains("median: "));
        let standing_out = browser.evaluate("document.documentElement.scrollWidth - innerWidth");
        assert_eq!(standing_out, 0, "{width} pixels: the page is wider than the window");
    }

    // A range is drawn out; a point names its instance, and a click plays it.
    browser.open_as(&page, 1280, "light");
    choose(&mut browser, "energy: 90 % end within");
    for (kind, x) in [
        ("mousePressed", "chart.px(0.1)"),
        ("mouseMoved", "chart.px(0.2)"),
        ("mouseReleased", "chart.px(0.2)"),
    ] {
        let place = at(&mut browser, x, "chart.bottom - 20");
        mouse(&mut browser, kind, place);
    }
    let range = browser.evaluate("chart.shown[0]");
    assert!(
        (range[0].as_f64().unwrap() - 0.1).abs() < 0.01 && (range[1].as_f64().unwrap() - 0.2).abs() < 0.01,
        "{range}"
    );

    choose(&mut browser, "motor.value.y");
    let instances = table(&out, "instances.parquet");
    let (numbers_of, drawn) = (integers(&instances, "instance"), numbers(&instances, "drawn.motor.value.y"));
    let played = browser.evaluate("chart.marks[0].instances.indexOf(3)");
    let [x, y] = ["chart.px(chart.marks[0].x[K])", "chart.py(chart.marks[0].y[K])"]
        .map(|p| p.replace('K', &played.to_string()));
    let place = at(&mut browser, &x, &y);
    mouse(&mut browser, "mouseMoved", place);
    let tip = tip_text(&mut browser);
    assert!(tip.contains("polhode replay . --instance 3"), "{tip}");
    let row = numbers_of.iter().position(|instance| *instance == 3).unwrap();
    assert!((value(&tip, "motor.value.y: ") / drawn[row] - 1.0).abs() < 1e-3, "{} {tip}", drawn[row]);
    for kind in ["mousePressed", "mouseReleased"] {
        mouse(&mut browser, kind, place);
    }
    let player = "(player => player.tracks[player.track].instance)(document.querySelector('.player').player)";
    assert_eq!(browser.evaluate(player), 3);
    // One whose motion is not in the page is named with its command.
    browser.evaluate("document.dispatchEvent(new CustomEvent('polhode-instance', { detail: 50 }))");
    let picked = browser.evaluate("(p => p.hidden ? '' : p.textContent)(document.querySelector('.picked'))");
    assert!(picked.as_str().unwrap().ends_with("polhode replay . --instance 50"), "{picked}");
    assert_eq!(browser.evaluate(player), 3);

    // On paper there are four positions.
    browser.evaluate("dispatchEvent(new Event('beforeprint'))");
    let frames = browser.evaluate(
        "[...document.querySelectorAll('.frames canvas')].map(c => new \
         Set(c.getContext('2d').getImageData(0, 0, c.width, c.height).data).size)",
    );
    assert!(frames.as_array().unwrap().iter().all(|colors| colors.as_u64().unwrap() > 20), "{frames}");
    assert_eq!(frames.as_array().unwrap().len(), 4);
    let complaints = browser.events("Runtime.exceptionThrown");
    assert!(complaints.is_empty(), "{complaints:?}");
    assert!(browser.events("Network.requestWillBeSent").len() == 1, "the page asks for more than itself");
}

/// All that axe-core calls serious or critical, as `rule: element`.
pub fn findings(browser: &mut Browser) -> Vec<String> {
    let axe = root().join("target/tools/axe/axe_core_python/axe.min.js");
    let axe = fs::read_to_string(&axe)
        .unwrap_or_else(|error| panic!("{}: {error}; ./test.sh installs it", axe.display()));
    browser.evaluate(&format!("{axe};0"));
    let found = browser.evaluate(
        "(async () => {
            document.querySelectorAll('details').forEach(fold => { fold.open = true; });
            const { violations } = await axe.run(document);
            return violations.filter(({ impact }) => ['serious', 'critical'].includes(impact))
                .map(({ id, nodes }) => `${id}: ${nodes.length}, ${nodes[0].html.slice(0, 120)}`);
        })()",
    );
    found.as_array().unwrap().iter().map(ToString::to_string).collect()
}

/// The look of [`findings`], which all reports get, finds what is there: a picture without words.
#[test]
fn a_serious_finding_is_found() {
    let home = TempDir::new().unwrap();
    let page = home.path().join("page.html");
    fs::write(&page, "<!DOCTYPE html><html lang='en'><title>page</title><h1>Page</h1>").unwrap();
    let mut browser = Browser::start(&[]);
    browser.open(&page);
    assert_eq!(findings(&mut browser), Vec::<String>::new());
    browser.evaluate("document.body.append(document.createElement('img'))");
    assert!(findings(&mut browser).iter().any(|found| found.contains("image-alt")));
}

/// Motions of all phases fill their range: the page shows where they are. Curves are named at their
/// ends where there is room.
#[test]
fn scattered_motion_is_a_density_and_curves_have_names_at_their_ends() {
    let home = TempDir::new().unwrap();
    let changes = [("ensemble.size", "400"), ("observe.every", "\"0.5 s\"")];
    let page = run("tumbling", home.path(), &changes).join("report.html");
    let mut browser = Browser::start(&[]);
    browser.open_as(&page, 1280, "light");
    choose(&mut browser, "body angular velocity x: instances spread over");
    // Late, bodies spin about the axis at about 2 rad/s one way or the other, and seldom in
    // between.
    let late = "(({ columns, rows, values }, row) => values.subarray(row * columns + 60, (row + 1) * columns)\
                .reduce((a, b) => a + b))(chart.marks[0], ROW)";
    let [below, between, above] = ["2", "24", "45"].map(|row| {
        ["0", "1"]
            .map(|on| late.replace("ROW", &format!("{row} + {on}")))
            .map(|sum| browser.evaluate(&sum).as_f64().unwrap())
    });
    let [below, between, above] = [below, between, above].map(|[a, b]| a + b);
    assert!(between > 0.0 && below.min(above) > 2.0 * between, "{below} {between} {above}");
    let middle = at(&mut browser, "chart.px(40)", "(chart.top + chart.bottom) / 2");
    mouse(&mut browser, "mouseMoved", middle);
    assert!(tip_text(&mut browser).contains("% of the instances"));

    let page = run("campbell_blade", home.path(), &[]).join("report.html");
    for (width, is_named) in [(1280, true), (390, false)] {
        browser.open_as(&page, width, "light");
        choose(&mut browser, "meet at");
        let names =
            browser.evaluate("[...chart.svg.querySelectorAll('text')].map(t => t.textContent).join()");
        let names: Vec<&str> = names.as_str().unwrap().split(',').collect();
        for name in ["mode 1", "mode 5", "8P"] {
            assert_eq!(names.contains(&name), is_named, "{name} at {width} pixels: {names:?}");
        }
        let over = "[...chart.svg.querySelectorAll('text')].filter(t => t.getBoundingClientRect().right > \
                    chart.svg.getBoundingClientRect().right + 1).length";
        assert_eq!(browser.evaluate(over), 0, "{width} pixels: names are cut");
    }
}
