//! The page of `polhode page` in a real browser: its kernels move instances as the CPU backend does
//! in f32, its picture and its histograms show the numbers that it has. The adapter is SwiftShader,
//! which computes on the processor; what a GPU's driver does is not seen here.

use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use polhode::backend::Plan;
use polhode::backend::cpu;
use polhode::backend::gpu::kernel::Kernel;
use polhode::base::Precision;
use polhode::study::judge::planned;
use polhode::study_file::read_study;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::command::{altered, ends_with, path};
use crate::common::browser::Browser;
use crate::common::root;
use crate::common::tolerances::PAGE;

/// Instances and steps that are compared.
const INSTANCES: usize = 1000;
const STEPS: u64 = 1000;

fn browser() -> Browser {
    Browser::start(&["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"])
}

fn page(study: &Path, more: &[&str]) -> PathBuf {
    let out = study.with_extension("html");
    let all = ["page", path(study), "-o", path(&out), "--overwrite", "--instances"];
    ends_with(0, &[&all[..], more].concat());
    out
}

/// The part of the page that computes, once it is unpacked and its script has begun.
const UNPACKED: &str = "new Promise(done => {
    const look = () => {
        const root = document.querySelector('.live');
        if (root?.ready) done(root); else setTimeout(look, 5);
    };
    look();
})";

fn number(browser: &mut Browser, expression: &str) -> f64 {
    browser.evaluate(expression).as_f64().unwrap_or_else(|| panic!("{expression} is no number"))
}

/// Opens a page and waits until its kernels are compiled.
fn open(browser: &mut Browser, page: &Path) {
    browser.resize(1280);
    browser.open(page);
    browser.evaluate(&format!("{UNPACKED}.then(root => root.ready).then(live => {{ window.live = live; }})"));
    assert_eq!(browser.evaluate("Boolean(live)"), true, "{}", message(browser));
}

fn message(browser: &mut Browser) -> Value {
    browser.evaluate("document.querySelector('.told').textContent")
}

/// No errors, and no request to anywhere but the page itself.
fn is_quiet(browser: &Browser) {
    let thrown = browser.events("Runtime.exceptionThrown");
    assert!(thrown.is_empty(), "{thrown:?}");
    let logged = browser.events("Log.entryAdded");
    assert!(logged.is_empty(), "{logged:?}");
    let requests = browser.events("Network.requestWillBeSent");
    let elsewhere =
        requests.iter().filter(|sent| !sent["request"]["url"].as_str().unwrap().starts_with("file:"));
    assert_eq!(elsewhere.count(), 0, "{requests:?}");
}

/// Planes of the page's states after all its steps, or some of them, by channel of the kernel.
fn states(browser: &mut Browser) -> Vec<Vec<f32>> {
    let text = browser.evaluate(
        "(async () => {
            const [side] = live.sides;
            while (!side.isOver) await side.advance(side.given.steps);
            const bytes = new Uint8Array(await live.gpu.read(side.b.state));
            let text = '';
            for (let k = 0; k < bytes.length; k += 8192) {
                text += String.fromCharCode(...bytes.subarray(k, k + 8192));
            }
            return btoa(text);
        })()",
    );
    let stride = browser.evaluate("live.sides[0].stride").as_u64().unwrap() as usize;
    let bytes = BASE64.decode(text.as_str().unwrap()).unwrap();
    let numbers: Vec<f32> =
        bytes.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect();
    numbers.chunks_exact(stride).map(|plane| plane[..INSTANCES].to_vec()).collect()
}

/// The plan of a study in this precision, and the states of its first instances at the end, by
/// channel, on the CPU.
fn computed(study: &Path, precision: Precision) -> (Plan, Vec<Vec<f64>>) {
    let mut study = read_study(study).unwrap();
    study.run.precision = precision;
    let (plan, batch) = planned(&study, INSTANCES).unwrap();
    let mut backend = cpu::open(plan.clone(), precision, false, fearless_simd::Level::new());
    backend.load(&batch).unwrap();
    let snapshots = plan.schedule.snapshots();
    snapshots.windows(2).for_each(|pair| backend.advance(pair[0], pair[1]).unwrap());
    backend.fetch().unwrap();
    let mut planes = vec![vec![0.0; INSTANCES]; plan.moving.len()];
    backend.read(0, &mut planes);
    (plan, planes)
}

/// A shipped study of [`STEPS`] steps of so many milliseconds.
fn short(name: &str, step: &str, home: &Path) -> PathBuf {
    let duration = format!("\"{} ms\"", step.parse::<f64>().unwrap() * STEPS as f64);
    let mut changes = vec![("method.duration", &duration[..])];
    // A map has its grid, and is seen at its end.
    if !name.starts_with("map") {
        changes.push(("observe.every", "100"));
    }
    altered(name, home, &changes)
}

#[test]
fn instances_of_the_page_move_as_those_of_a_run() {
    let home = TempDir::new().unwrap();
    let mut browser = browser();
    let studies = [
        ("tumbling", "1"),
        ("hulbert_52", "0.5"),
        ("spacecraft", "5"),
        ("rolling_ball", "2"),
        ("map_cart_pole", "2"),
        ("double_pendulum", "0.1"),
    ];
    for (name, step) in studies {
        let study = short(name, step, home.path());
        let made = page(&study, &[&INSTANCES.to_string()]);
        open(&mut browser, &made);
        let found = states(&mut browser);
        let (plan, expected) = computed(&study, Precision::F32);
        let kernel = Kernel::new(&plan, Precision::F32);
        let text = browser.evaluate("live.sides[0].given.advance");
        assert_eq!(text, without_comments(&kernel.text), "{name}: another kernel than that of a run");
        let mut worst = 0.0_f64;
        let mut same = true;
        for (plane, channel) in kernel.state.iter().enumerate().take(kernel.observed) {
            let scale = expected[*channel].iter().fold(f64::MIN_POSITIVE, |most, x| most.max(x.abs()));
            for (a, b) in found[plane].iter().zip(&expected[*channel]) {
                same &= f64::from(*a) == *b;
                worst = worst.max((f64::from(*a) - b).abs() / scale);
            }
        }
        println!("{name}: same bits {same}, {worst:e}");
        assert!(worst <= PAGE, "{name}: {worst:e}");
        is_quiet(&browser);
    }
}

/// States as sums: both parts have the bits of a run, whatever the method carries.
#[test]
fn sums_of_the_page_have_the_bits_of_a_run() {
    let home = TempDir::new().unwrap();
    let mut browser = browser();
    let precision = Precision::F32Compensated;
    for (name, step) in [("tumbling", "1"), ("hulbert_52", "0.5"), ("spacecraft", "5"), ("rolling_ball", "2")]
    {
        let study = short(name, step, home.path());
        let made = page(&study, &[&INSTANCES.to_string(), "--precision", "f32_compensated"]);
        open(&mut browser, &made);
        let found = states(&mut browser);
        let (plan, expected) = computed(&study, precision);
        let kernel = Kernel::new(&plan, precision);
        let text = browser.evaluate("live.sides[0].given.advance");
        assert_eq!(text, without_comments(&kernel.text), "{name}: another kernel than that of a run");
        let mut lower = 0;
        for (place, channel) in kernel.state.iter().enumerate().filter(|(_, c)| **c < expected.len()) {
            let low = kernel.lows.of(*channel).and_then(|low| kernel.state.binary_search(&low).ok());
            let part = |place: usize, i: usize| f64::from(found[place][i]);
            let differ = (0..INSTANCES).filter(|i| {
                let low = low.map_or(0.0, |low| part(low, *i));
                lower += usize::from(low != 0.0);
                part(place, *i) + low != expected[*channel][*i]
            });
            assert_eq!(differ.count(), 0, "{name}: instances differ in channel {channel}");
        }
        assert!(lower > INSTANCES, "{name}: {lower} lower parts");
        is_quiet(&browser);
    }
}

/// A driver that takes `(x + r) - x` for r sees no rounding, and so no lower part.
#[test]
fn a_page_of_sums_refuses_a_driver_that_adds_in_another_order() {
    let home = TempDir::new().unwrap();
    let study = altered("tumbling", home.path(), &[("method.duration", "\"2 s\"")]);
    let made = page(&study, &["10", "--precision", "f32_compensated"]);
    let mut browser = browser();
    let script = "const made = GPUDevice.prototype.createShaderModule;
        GPUDevice.prototype.createShaderModule = function ({ code }) {
            return made.call(
                this, { code: code.replace('answers[1024u + i] = ', 'answers[1024u + i] = 0.0 * ') });
        };";
    browser.call("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script }));
    browser.open(&made);
    let ready = format!("{UNPACKED}.then(root => root.ready).then(live => live ?? null)");
    assert_eq!(browser.evaluate(&ready), Value::Null);
    let message = message(&mut browser);
    assert!(message.as_str().unwrap().contains("its driver puts sums in another order"), "{message}");
}

/// Comments of kernels are not sent.
fn without_comments(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.map(|line| format!("{line}\n")).collect()
}

/// Counts the rows of pixels, of 200, that a picture takes whose instances are not apart.
const ROWS_TOGETHER: &str = "(async () => {
    const apart = document.querySelector('.live [data-do=apart]');
    const before = apart.checked;
    apart.checked = false;
    const { data } = await live.sides[0].pixels(300, 200);
    apart.checked = before;
    let [first, last] = [200, 0];
    data.forEach((x, k) => {
        const row = Math.floor(k / 1200);
        if (x !== 255) [first, last] = [Math.min(first, row), Math.max(last, row)];
    });
    return last - first;
})()";

/// The picture, the counts and the words are of the instances as they are; sliders change them.
#[test]
fn a_page_is_played_seen_and_led() {
    let home = TempDir::new().unwrap();
    let study = altered("tumbling", home.path(), &[("method.duration", "\"20 s\"")]);
    let made = page(&study, &["1000", "--beside", "method.name=rk4", "--beside", "method.step=10 ms"]);
    let mut browser = browser();
    open(&mut browser, &made);
    let picture = "(async side => {
        const { data } = await live.sides[side].pixels(300, 200);
        return [...data].join();
    })";
    let [first, beside] = [0, 1].map(|side| browser.evaluate(&format!("{picture}({side})")));
    assert_eq!(first, beside, "the same instances start alike in both pictures");
    let blank = first.as_str().unwrap().split(',').filter(|x| *x != "255").count();
    assert!(blank > 1000, "{blank} numbers of an empty picture");
    // Where they are not apart, they fill it together: it was as small as each of them apart.
    let rows = number(&mut browser, ROWS_TOGETHER);
    assert!(rows > 50.0, "{rows} of 200 rows have anything");

    browser.evaluate("live.play(true)");
    browser.evaluate(
        "new Promise(done => \
                      { const look = () => live.sides[0].step > 100 ? done() : setTimeout(look, 20); \
                      look(); })",
    );
    browser.evaluate("(live.play(false), live.running)");
    assert_ne!(browser.evaluate(&format!("{picture}(0)")), first, "nothing moves");
    let rates = browser.evaluate("document.querySelector('.rates').textContent");
    assert!(rates.as_str().unwrap().contains("instance-steps/s"), "{rates}");
    let [a, b] = [0, 1].map(|side| number(&mut browser, &format!("live.sides[{side}].time")));
    assert!((a - b).abs() < 1e-9, "pictures of {a} s and {b} s");

    // An interval is seen for as long as the chosen speed says: of three, two wait for the one
    // before.
    let took = number(
        &mut browser,
        "(async () => {
            await live.again();
            const [side] = live.sides;
            const every = side.given.h * side.given.every;
            const speed = document.querySelector('.live [data-do=speed]');
            const before = speed.value;
            speed.add(new Option('slow', every));
            speed.value = every;
            const begun = performance.now();
            live.play(true);
            await new Promise(done => {
                const look = () => side.time > 2.5 * every ? done() : setTimeout(look, 5);
                look();
            });
            const took = performance.now() - begun;
            live.play(false);
            speed.value = before;
            await live.running;
            return took;
        })()",
    );
    assert!(took > 1900.0, "three intervals of a second each were shown in {took} ms");

    // The median of the spin from the histogram lies where half of the values are below.
    let below = number(
        &mut browser,
        "(async () => {
            const [side] = live.sides;
            const { low, high, bins, count } = side.seen.columns[4];
            const values = new Float32Array(await live.gpu.read(side.b.values[side.now]));
            const own = values.subarray((7 + 4) * side.stride).subarray(0, side.count);
            let [k, sum] = [0, 0];
            while (sum + bins[k] < count / 2) sum += bins[k++];
            const edge = low + (high - low) * k / bins.length;
            return Math.abs(own.filter(x => x < edge).length - sum) + Math.abs(count - side.count);
        })()",
    );
    assert!(below <= 1.0, "{below} values are in other bins");

    // The mean of a spin by three standard deviations, and steps ten times as long: rk4 leaves its
    // limit.
    let lead = |slider: &str, value: f64| {
        format!(
            "(async () => {{
                const labels = [...document.querySelectorAll('.levers label')];
                const label = labels.find(l => l.textContent.startsWith('{slider}'));
                const input = label.querySelector('input');
                input.value = {value};
                input.oninput();
                await input.onchange();
            }})()"
        )
    };
    let mean = "(({ low, high, bins, count }) => bins.reduce(\
                (s, n, k) => s + n * (low + (high - low) * (k + .5) / 512), 0) / count)\
                (live.sides[0].seen.columns[4])";
    browser.evaluate("live.again()");
    let before = number(&mut browser, mean);
    browser.evaluate(&lead("Mean of body.angular_velocity.x", 3.0));
    let moved = number(&mut browser, mean) - before;
    assert!((moved - 0.15).abs() < 0.01, "the mean spin moves by {moved} rad/s");
    let attitudes = "document.querySelector('.levers').textContent.includes('attitude')";
    assert_eq!(browser.evaluate(attitudes), false, "parts of a quaternion have no spread of their own");
    browser.evaluate(&lead("Step", 2.0));
    assert_eq!(browser.evaluate("live.sides.map(side => side.given.steps)"), json!([200, 20]));
    browser.evaluate(
        "(async () => \
                      { const [, side] = live.sides; await side.advance(20); side.look(); \
                      await live.count(); })()",
    );
    let lost = number(&mut browser, "live.sides[1].seen.verdicts.slice(1).reduce((sum, n) => sum + n, 0)");
    assert!(lost > 0.0, "steps of 1 s lose no instance");
    is_quiet(&browser);
}

/// The pages in `docs/live` are those that this program makes, as small as their document says.
#[test]
fn the_shipped_pages_are_those_of_today() {
    let home = TempDir::new().unwrap();
    let script = fs::read_to_string(root().join(".ci/pictures")).unwrap();
    let listed = script.split("<< 'LIVE'").nth(1).unwrap().split("LIVE").next().unwrap();
    let listed: Vec<&str> = listed.trim().lines().collect();
    let shipped = fs::read_dir(root().join("docs/live")).unwrap().count();
    assert_eq!((listed.len(), shipped), (6, 6), "{listed:?}");
    for line in listed {
        let (study, instances) = line.split_once(' ').unwrap();
        let made = home.path().join("page.html");
        let file = format!("studies/{study}.toml");
        ends_with(0, &["page", &file, "--instances", instances, "--overwrite", "-o", path(&made)]);
        let page = format!("docs/live/{study}.html");
        let [made, shipped] = [made, root().join(&page)].map(|page| fs::read(page).unwrap());
        assert!(made == shipped, "{page} is not what this program makes: .ci/pictures live makes it anew");
        assert!(made.len() < 160_000, "{page}: {} bytes", made.len());
    }
}

#[test]
fn without_webgpu_a_page_says_so_and_plays() {
    let home = TempDir::new().unwrap();
    let study = altered("tumbling", home.path(), &[("method.duration", "\"2 s\"")]);
    let made = page(&study, &["10"]);
    let mut browser =
        Browser::start(&["--disable-features=WebGPUService", "--disable-blink-features=WebGPU"]);
    browser.open(&made);
    let ready = format!("{UNPACKED}.then(root => root.ready).then(live => live ?? null)");
    assert_eq!(browser.evaluate(&ready), Value::Null);
    let message = message(&mut browser);
    assert!(message.as_str().unwrap().contains("It needs WebGPU. Chrome"), "{message}");
    assert_eq!(browser.evaluate("document.querySelector('.stages').clientHeight"), 0);
    assert!(number(&mut browser, "document.querySelector('.player').player.last") > 0.0);
}

#[test]
fn what_no_page_can_advance_is_refused() {
    let home = TempDir::new().unwrap();
    let out = home.path().join("page.html");
    let refused = |study: &str, more: &[&str], why: &str| {
        let file = format!("studies/{study}.toml");
        let (_, error) = ends_with(2, &[&["page", &file[..], "-o", path(&out)], more].concat());
        assert!(error.contains(why), "{study}: {error}");
        assert!(!out.exists());
    };
    refused("modes_boom", &[], "kind modes takes no ensemble from a start to an end");
    refused("work_precision", &[], "kind convergence takes no ensemble");
    refused("map_oscillator", &[], "its step differs between instances");
    refused(
        "tumbling",
        &["--instances", "100001"],
        "100,001 instances are more than the 100,000 of the study",
    );
    let many = ["--set", "ensemble.size=9000000", "--instances", "9000000"];
    refused(
        "tumbling",
        &many,
        "9,000,000 instances are too many for a page; give --instances, at most 1,000,000",
    );
    let channels = ["--beside", "observe.channels=[\"energy\"]"];
    refused("tumbling", &channels, "pictures beside each other show the same bodies and channels");
    fs::write(&out, "mine").unwrap();
    let (_, error) = ends_with(2, &["page", "studies/tumbling.toml", "-o", path(&out), "--instances", "2"]);
    assert!(error.contains("exists already; --overwrite replaces it"), "{error}");
    assert_eq!(fs::read_to_string(&out).unwrap(), "mine");
}
