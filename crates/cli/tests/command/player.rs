//! The player of a report in a real browser moves by keys, pointer and touch, and shows what was
//! computed.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::cli::{integers, numbers, table};
use crate::command::{altered, ends_with, path, polhode, text};
use crate::common::browser::Browser;

fn report(study: &str, home: &Path, changes: &[(&str, &str)]) -> PathBuf {
    let out = home.join(study);
    let file = altered(study, home, changes);
    ends_with(0, &["run", path(&file), "--out", path(&out), "--backend", "cpu"]);
    out.join("report.html")
}

fn open(browser: &mut Browser, page: &Path, width: u32, scheme: &str) {
    browser.open_as(page, width, scheme);
    browser.evaluate(
        "player = document.querySelector('.player').player; player.canvas.scrollIntoView(); \
         player.canvas.focus()",
    );
}

fn number(browser: &mut Browser, expression: &str) -> f64 {
    browser.evaluate(expression).as_f64().expect("a number")
}

fn press(browser: &mut Browser, key: &str, modifiers: u32) {
    for kind in ["keyDown", "keyUp"] {
        browser.call(
            "Input.dispatchKeyEvent",
            json!({ "type": kind, "key": key, "code": key, "modifiers": modifiers }),
        );
    }
}

/// Where the canvas is (CSS pixels).
fn place(browser: &mut Browser) -> [f64; 2] {
    ["left + 100", "top + 100"]
        .map(|side| number(browser, &format!("player.canvas.getBoundingClientRect().{side}")))
}

/// The colour at the middle between two joints of the first body, and that of the body.
const COLORS: &str = "(() => {
    const body = player.scene.bodies[0];
    const pose = player.poses(0, player.time)[0];
    const [a, b] = body.shape.ends.map(p => player.pixel(player.at(pose, p)));
    const [x, y] = [0, 1].map(k => Math.round((a[k] + b[k]) / 2));
    const data = player.pen.getImageData(x, y, 1, 1).data;
    return [[...data].slice(0, 3), player.seenColor(body.color)];
})()";

#[test]
fn a_motion_is_played_by_keys_pointer_and_touch() {
    let home = TempDir::new().unwrap();
    let page = report("four_bar", home.path(), &[("ensemble.size", "16")]);
    let mut browser = Browser::start(&[]);
    for (width, scheme) in [(1280, "light"), (390, "dark")] {
        open(&mut browser, &page, width, scheme);
        let last = number(&mut browser, "player.last");
        assert_eq!(number(&mut browser, "player.time"), 0.0);
        let still = browser.evaluate("player.canvas.toDataURL()");

        // The whole of a second and a bit is shown in at most some seconds, however slow the
        // machine.
        press(&mut browser, " ", 0);
        let moved = "new Promise(done => { \
                     const look = () => player.time > 0.01 ? done(player.button.textContent) \
                     : requestAnimationFrame(look); look(); })";
        assert_eq!(browser.evaluate(moved), "Pause");
        assert_ne!(browser.evaluate("player.canvas.toDataURL()"), still, "{width} pixels: nothing moves");
        press(&mut browser, " ", 0);
        assert_eq!(browser.evaluate("player.button.textContent"), "Play");

        press(&mut browser, "End", 0);
        assert_eq!(number(&mut browser, "player.time"), last);
        press(&mut browser, "ArrowLeft", 0);
        assert_eq!(number(&mut browser, "player.time"), number(&mut browser, "player.scene.times.at(-2)"));
        press(&mut browser, "Home", 0);
        assert_eq!(number(&mut browser, "player.time"), 0.0);
        assert_eq!(browser.evaluate("player.canvas.toDataURL()"), still, "{width} pixels: another start");
        let colors = browser.evaluate(COLORS);
        assert_eq!(colors[0], colors[1], "{width} pixels: no crank where it should be");

        let [x, y] = place(&mut browser);
        let touches = |kind: &str, points: &[[f64; 2]]| {
            let points: Vec<Value> = points.iter().map(|[x, y]| json!({ "x": x, "y": y })).collect();
            json!({ "type": kind, "touchPoints": points })
        };
        let across = "player.right[0]";
        let before = number(&mut browser, across);
        if width < 600 {
            browser.call("Input.dispatchTouchEvent", touches("touchStart", &[[x, y]]));
            browser.call("Input.dispatchTouchEvent", touches("touchMove", &[[x + 60.0, y]]));
            browser.call("Input.dispatchTouchEvent", touches("touchEnd", &[]));
        } else {
            let mouse = |kind: &str, x: f64| json!({ "type": kind, "x": x, "y": y, "button": "left" });
            browser.call("Input.dispatchMouseEvent", mouse("mousePressed", x));
            browser.call("Input.dispatchMouseEvent", mouse("mouseMoved", x + 60.0));
            browser.call("Input.dispatchMouseEvent", mouse("mouseReleased", x + 60.0));
        }
        let turned = number(&mut browser, across);
        // 0.008 rad a pixel.
        assert!((turned - 0.48_f64.cos() * before).abs() < 0.02, "{width} pixels: {before} -> {turned}");
        if width < 600 {
            browser.call("Input.dispatchTouchEvent", touches("touchStart", &[[x, y], [x + 50.0, y]]));
            browser.call("Input.dispatchTouchEvent", touches("touchMove", &[[x, y], [x + 100.0, y]]));
            browser.call("Input.dispatchTouchEvent", touches("touchEnd", &[]));
            let zoom = number(&mut browser, "player.zoom");
            assert!((zoom - 2.0).abs() < 0.1, "two fingers twice as far apart: {zoom}");
        }
        press(&mut browser, "0", 0);
        assert_eq!(number(&mut browser, across), before);
        let complaints = browser.events("Runtime.exceptionThrown");
        assert!(complaints.is_empty(), "{complaints:?}");
    }
}

/// Between two snapshots a body that turns by more than a third of a circle may have turned either
/// way.
#[test]
fn what_turns_too_far_between_snapshots_is_not_made_up() {
    let home = TempDir::new().unwrap();
    let mut browser = Browser::start(&[]);
    let at = |share: f64| {
        format!(
            "(() => {{
                const k = Math.max(0, player.follows[0].indexOf(false));
                const [from, to] = [player.scene.times[k], player.scene.times[k + 1]];
                const poses = player.poses(0, from + {share} * (to - from));
                return poses.flatMap(pose => [...pose.r, ...pose.q]).join();
            }})()"
        )
    };
    for (every, is_followed) in [("\"10 ms\"", true), ("\"250 ms\"", false)] {
        let changes = [("ensemble.size", "16"), ("observe.every", every), ("output.plots", "false")];
        let folder = home.path().join(if is_followed { "fine" } else { "coarse" });
        fs::create_dir(&folder).unwrap();
        let page = report("four_bar", &folder, &changes);
        open(&mut browser, &page, 1280, "light");
        let [between, start] = [0.4, 0.0].map(|share| browser.evaluate(&at(share)));
        assert_eq!(between != start, is_followed, "observed every {every}");
    }
}

/// The middle of the rod is as far beside its frame as the table says, and the pin's force is that
/// of the table; both are drawn, and the factor multiplies what is bent.
#[test]
fn a_body_is_bent_and_forces_are_drawn_as_the_tables_have_them() {
    let home = TempDir::new().unwrap();
    let changes = [
        ("ensemble.size", "8"),
        ("observe.channels", "[\"deflection\", \"pin.drive_force\"]"),
        ("method.duration", "\"8 ms\""),
    ];
    let mut browser = Browser::start(&[]);
    let page = report("slider_crank_elastic", home.path(), &changes);
    let run = page.parent().unwrap();
    let kept = table(run, "trajectories.parquet");
    let motion = table(run, "motion.parquet");
    open(&mut browser, &page, 1280, "light");
    let instance = browser.evaluate("player.tracks[0].instance").as_u64().unwrap();
    assert_eq!(integers(&motion, "instance")[0], instance);
    let of_played = |name: &str| -> Vec<f64> {
        let all = integers(&kept, "instance").into_iter().zip(numbers(&kept, name));
        all.filter(|(owner, _)| *owner == instance).map(|(_, value)| value).collect()
    };
    let deflections = of_played("rod.deflection.y");
    let largest = deflections.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    assert!(largest > 1e-6, "nothing bends: {largest} m");
    let beside = |factor: u32| {
        format!(
            "(() => {{
                player.bending.value = {factor};
                const rod = player.scene.bodies.findIndex(body => body.name === 'rod');
                const {{ add, dot }} = player.constructor.vectors;
                const {{ lines: [line] }} = player.scene.bodies[rod].shape;
                return player.scene.times.map((_, k) => {{
                    const pose = player.pose(0, k, rod);
                    const middle = player.at(pose, line[5]);
                    const straight = player.at({{ ...pose, bent: [] }}, line[5]);
                    const along = point => player.at({{ ...pose, bent: [] }}, point);
                    const across = add(along([0, 1, 0]), along([0, 0, 0]), -1);
                    return dot(add(middle, straight, -1), across);
                }});
            }})()"
        )
    };
    for (factor, scale) in [(1, 1.0), (100, 100.0)] {
        let drawn = browser.evaluate(&beside(factor));
        let drawn: Vec<f64> = drawn.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
        assert_eq!(drawn.len(), deflections.len());
        for (drawn, expected) in drawn.iter().zip(&deflections) {
            assert!((drawn / scale - expected).abs() < 1e-4 * largest, "{drawn} {expected} at × {factor}");
        }
    }
    let forces = ["x", "y", "z"].map(|axis| of_played(&format!("pin.drive_force.{axis}")));
    let pushes = browser.evaluate("[...player.pushes[0].values[0]]");
    let pushes: Vec<f64> = pushes.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    let largest = forces.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
    assert!(largest > 0.1, "{largest} N");
    for (at, force) in pushes.chunks_exact(3).enumerate() {
        for (seen, of_axis) in force.iter().zip(&forces) {
            assert!((seen - of_axis[at]).abs() < 1e-6 * largest, "{seen} {} at {at}", of_axis[at]);
        }
    }
    // Arrows are as long as forces are large, and point where they do.
    browser.evaluate("player.show(player.last * 0.6), player.forces.checked = true");
    let arrows = browser.evaluate(
        "(() => { const seen = []; player.arrow = (_, vector) => seen.push(vector);
         player.draw(); delete player.arrow;
         player.forces.checked = false;
         return [seen, player.size, player.scene.times.findLastIndex(time => time <= player.time)]; })()",
    );
    let at = arrows[2].as_u64().unwrap() as usize;
    let norm = |at: usize| forces.iter().map(|axis| axis[at] * axis[at]).sum::<f64>().sqrt();
    let greatest = (0..forces[0].len()).map(norm).fold(0.0, f64::max);
    let by = 0.5 * arrows[1].as_f64().unwrap() / greatest;
    for (k, axis) in forces.iter().enumerate() {
        let length = arrows[0][0][k].as_f64().unwrap();
        assert!((length - by * axis[at]).abs() < 1e-5 * by * greatest, "{length} {}", by * axis[at]);
    }
    let drawn = "player.draw(), player.canvas.toDataURL()";
    let without = browser.evaluate(&format!("player.show(player.last * 0.6), {drawn}"));
    browser.evaluate("player.root.querySelector('[data-do=forces]').click()");
    let with_arrows = browser.evaluate(drawn);
    assert_ne!(with_arrows, without, "no arrow is drawn");
    browser.evaluate("player.bending.value = 1, player.bending.onchange()");
    assert_ne!(browser.evaluate(drawn), with_arrows, "the factor changes nothing");
}

/// Other instances have the colour of their outcome, as the table of instances has it.
#[test]
fn other_instances_have_the_colours_of_their_outcome() {
    let home = TempDir::new().unwrap();
    let changes = [("ensemble.size", "12"), ("method.duration", "\"4 s\""), ("observe.keep", "12")];
    let page = report("cart_pole", home.path(), &changes);
    let instances = table(page.parent().unwrap(), "instances.parquet");
    let upright = numbers(&instances, "final.upright_since");
    let mut browser = Browser::start(&[]);
    open(&mut browser, &page, 1280, "light");
    browser.evaluate("player.others.checked = true");
    let found = browser.evaluate(
        "(() => { const seen = []; player.drawTrack = (poses, isWhole, shade) => seen.push(shade ?? null);
         player.draw(); delete player.drawTrack;
         const others = player.tracks.filter((_, k) => k !== player.track);
         return [others.map(track => [track.instance, track.value]), seen]; })()",
    );
    let (others, shades) = (found[0].as_array().unwrap(), found[1].as_array().unwrap());
    let mut known = Vec::new();
    for (other, shade) in others.iter().zip(shades) {
        let at = integers(&instances, "instance").iter().position(|i| Some(*i) == other[0].as_u64()).unwrap();
        match other[1].as_f64() {
            Some(value) => {
                assert!((value - upright[at]).abs() < 1e-9, "{other} {}", upright[at]);
                known.push((value, shade.clone()));
            }
            None => assert!(upright[at].is_nan() && shade.is_null(), "{other} {}", upright[at]),
        }
    }
    known.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert!(known.len() > 3, "{known:?}");
    // From dark to light, with green that grows all the way.
    let green: Vec<f64> = known.iter().map(|(_, shade)| shade[1].as_f64().unwrap()).collect();
    assert!(
        green.windows(2).all(|pair| pair[0] <= pair[1]) && green[0] + 50.0 < *green.last().unwrap(),
        "{green:?}"
    );
}

/// A viewer is expected to have views along axes, frames, a picture, a pose as text.
#[test]
fn a_player_looks_along_axes_and_tells_its_pose() {
    let home = TempDir::new().unwrap();
    let page = report("four_bar", home.path(), &[("ensemble.size", "16"), ("output.plots", "false")]);
    let motion = table(page.parent().unwrap(), "motion.parquet");
    let mut browser = Browser::start(&[]);
    open(&mut browser, &page, 390, "light");
    for (key, towards, up) in
        [("x", [1, 0, 0], [0, 0, 1]), ("y", [0, -1, 0], [0, 0, 1]), ("z", [0, 0, 1], [0, 1, 0])]
    {
        press(&mut browser, key, 0);
        let found =
            browser.evaluate("[player.towards, player.up, player.right].map(v => v.map(x => Math.round(x)))");
        assert_eq!((found[0].clone(), found[1].clone()), (json!(towards), json!(up)), "{key}");
        let first = if key == "x" { [0, 1, 0] } else { [1, 0, 0] };
        assert_eq!(found[2], json!(first), "{key}: what is positive runs to the right");
    }
    press(&mut browser, "0", 0);
    let without = browser.evaluate("player.canvas.toDataURL()");
    press(&mut browser, "f", 0);
    assert_ne!(browser.evaluate("player.canvas.toDataURL()"), without, "no frames");
    press(&mut browser, "t", 0);
    assert_eq!(browser.evaluate("player.clear.checked"), true);

    // A body that is clicked tells its numbers, and the ground has none.
    let numbers_below = "player.values.hidden ? '' : player.values.textContent";
    let rocker = "(() => {
        const b = player.scene.bodies.findIndex(body => body.name === 'rocker');
        const pose = player.poses(0, player.time)[b];
        const [p, q] = player.scene.bodies[b].shape.ends.map(p => player.pixel(player.at(pose, p)));
        const box = player.canvas.getBoundingClientRect();
        return [box.left + 0.4 * p[0] + 0.6 * q[0], box.top + 0.4 * p[1] + 0.6 * q[1]];
    })()";
    let place = browser.evaluate(rocker);
    for (place, is_told) in [(place, true), (json!([20.0, 200.0]), false)] {
        for kind in ["mousePressed", "mouseReleased"] {
            let event =
                json!({ "type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1 });
            browser.call("Input.dispatchMouseEvent", event);
        }
        let text = browser.evaluate(numbers_below);
        assert_eq!(text.as_str().unwrap().starts_with("rocker: mass centre at "), is_told, "{text}");
    }
    press(&mut browser, "End", 0);
    let text = browser.evaluate("player.poseText()");
    let text = text.as_str().unwrap();
    let last = *numbers(&motion, "crank.position.x").last().unwrap();
    let crank = text.lines().find(|line| line.starts_with("\"crank\" = { position = [")).unwrap();
    let x: f64 = crank.split('[').nth(1).unwrap().split(',').next().unwrap().parse().unwrap();
    assert!((x - last).abs() < 1e-6, "{crank} {last}");
    let file = browser.evaluate(
        "new Promise(done => \
         { HTMLAnchorElement.prototype.click = function () { done(this.download); }; player.save(); })",
    );
    assert!(file.as_str().unwrap().ends_with(".png"), "{file}");
}

/// A beam of elements is drawn through its nodes, and with a factor farther from the line of its
/// ends.
#[test]
fn a_beam_of_elements_is_bent_with_a_factor() {
    let home = TempDir::new().unwrap();
    let changes = [("method.duration", "\"0.05 s\"")];
    let page = report("crane_joints_beams", home.path(), &changes);
    let mut browser = Browser::start(&[]);
    open(&mut browser, &page, 1280, "light");
    let beside = |factor: u32| {
        format!(
            "(() => {{
                player.bending.value = {factor};
                const curves = [];
                player.curve = points => curves.push(points);
                player.paths.checked = false;
                player.show(player.last);
                delete player.curve;
                const [first] = curves;
                const [a, b] = [first[0], first.at(-1)];
                const long = Math.hypot(b[0] - a[0], b[1] - a[1]);
                const off = ([x, y]) => ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / long;
                return [first.length, Math.max(...first.map(p => Math.abs(off(p)))), a, b];
            }})()"
        )
    };
    let (once, often) = (browser.evaluate(&beside(1)), browser.evaluate(&beside(50)));
    let [one, many] = [&once, &often].map(|picture| picture[1].as_f64().unwrap());
    assert!(once[0].as_u64().unwrap() > 2 && one > 0.0, "{once}");
    assert!((many / one - 50.0).abs() < 0.5, "{one} {many}");
    assert_eq!([&once[2], &once[3]], [&often[2], &often[3]], "the ends stay");
}

/// A body that is joined to a point that bends goes with it, however often bending is multiplied.
#[test]
fn what_hangs_on_a_bent_body_goes_with_it() {
    let home = TempDir::new().unwrap();
    let mut browser = Browser::start(&[]);
    let apart = |factor: u32| {
        format!(
            "(() => {{
                player.bending.value = {factor};
                const {{ add }} = player.constructor.vectors;
                const truth = player.poses(0, player.last);
                const poses = player.carried(truth);
                const place = ([body, p]) => body === null ? p : player.at(poses[body], p);
                const gaps = player.scene.joined.map(ends => Math.hypot(...add(...ends.map(place), -1)));
                const moved = poses.map(({{ r }}, b) => Math.hypot(...add(r, truth[b].r, -1)));
                return [Math.max(...gaps), Math.max(...moved) / player.size];
            }})()"
        )
    };
    for study in ["crane_joints_modal", "crane_joints_beams"] {
        let page = report(study, home.path(), &[("method.duration", "\"0.05 s\"")]);
        open(&mut browser, &page, 1280, "light");
        let [once, often] = [1, 50].map(|factor| browser.evaluate(&apart(factor)));
        let [gap, moved] = [0, 1].map(|k| often[k].as_f64().unwrap());
        assert!(gap < once[0].as_f64().unwrap() + 1e-5, "{study}: joints come apart by {gap} m");
        assert!(once[1].as_f64() == Some(0.0) && moved > 1e-5, "{study}: nothing goes along: {moved}");
    }
}

/// A program that takes the place of the one that opens files.
#[cfg(target_os = "linux")]
#[test]
fn view_opens_the_report_of_a_run() {
    use std::os::unix::fs::PermissionsExt;

    let home = TempDir::new().unwrap();
    let page = report("four_bar", home.path(), &[("ensemble.size", "16"), ("output.plots", "false")]);
    let [opener, seen, partial] = ["xdg-open", "seen", "partial"].map(|name| home.path().join(name));
    let script =
        format!("#!/bin/sh\nprintf %s \"$1\" > '{0}'\n/bin/mv '{0}' '{1}'\n", path(&partial), path(&seen));
    fs::write(&opener, script).unwrap();
    fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).unwrap();
    let run = page.parent().unwrap();
    let viewed = polhode(&["view", path(run)]).env("PATH", home.path()).output().unwrap();
    assert!(viewed.status.success(), "{viewed:?}");
    assert_eq!(text(&viewed.stdout), format!("opened {}\n", page.display()));
    // The command does not wait for a browser to be closed.
    while !seen.exists() {
        std::thread::yield_now();
    }
    assert_eq!(fs::read_to_string(&seen).unwrap(), path(&page));

    fs::remove_file(&page).unwrap();
    let (_, error) = ends_with(2, &["view", path(run)]);
    assert!(
        error.contains("report.html: is not there; a run writes it unless output.report is false"),
        "{error}"
    );
    let (_, error) = ends_with(2, &["view", path(home.path())]);
    assert!(error.contains("manifest.json"), "{error}");
}

/// Chromium draws the frames; they are of the size and number that were asked for, and not all
/// alike.
#[test]
fn a_motion_becomes_a_film_and_a_scene() {
    let home = TempDir::new().unwrap();
    let page = report("four_bar", home.path(), &[("ensemble.size", "16"), ("output.plots", "false")]);
    let run = page.parent().unwrap();
    let [film, scene, other] = ["arm.webp", "arm.gltf", "arm.gif"].map(|name| home.path().join(name));

    ends_with(0, &["view", path(run), "--film", path(&film), "--seconds", "0.5 s", "--width", "300"]);
    let bytes = fs::read(&film).unwrap();
    let frames: Vec<usize> = (0..bytes.len() - 4).filter(|k| &bytes[*k..*k + 4] == b"ANMF").collect();
    assert_eq!(frames.len(), 10);
    assert_eq!(bytes[24..30], [43, 1, 0, 199, 0, 0], "300 by 200 pixels");
    assert!(bytes[frames[0] + 4..frames[1]] != bytes[frames[8] + 4..frames[9]]);

    ends_with(0, &["view", path(run), "--gltf", path(&scene)]);
    let scene: Value = serde_json::from_slice(&fs::read(&scene).unwrap()).unwrap();
    let names: Vec<&Value> = scene["nodes"].as_array().unwrap().iter().map(|node| &node["name"]).collect();
    assert_eq!(names, ["crank", "coupler", "rocker", "ground", "Four-bar linkage"]);

    let (_, error) = ends_with(2, &["view", path(run), "--film", path(&other)]);
    assert!(error.contains("arm.gif: give a name that ends with .webp"), "{error}");
    for (length, why) in
        [("500 mm", "give a time"), ("0.01", "from 0.1 to 600 seconds"), ("-1 s", "above zero")]
    {
        let (_, error) =
            ends_with(2, &["view", path(run), "--film", path(&other), &format!("--seconds={length}")]);
        assert!(error.contains(why), "{length}: {error}");
    }
    let (_, error) = ends_with(2, &["view", path(run), "--film", path(&film)]);
    assert!(error.contains("arm.webp: exists already; --overwrite replaces it"), "{error}");
    let without = polhode(&["view", path(run), "--film", path(&film), "--overwrite"])
        .env("PATH", home.path())
        .output()
        .unwrap();
    assert_eq!(without.status.code(), Some(1));
    assert!(
        text(&without.stderr).contains("no Chromium is found; install Chromium or Chrome"),
        "{without:?}"
    );
    assert_eq!(fs::read(&film).unwrap(), bytes, "the film of before is kept");
}

/// A page of the start is made for a study of every kind that takes steps, and opened.
#[cfg(target_os = "linux")]
#[test]
fn check_shows_the_mechanism_at_its_start() {
    let home = TempDir::new().unwrap();
    for name in ["four_bar", "boom", "map_cart_pole", "furuta_sensitivity"] {
        let study = altered(name, home.path(), &[]);
        // Nothing opens it, and the message says where it is.
        let checked = polhode(&["check", path(&study), "--view"])
            .env("PATH", home.path())
            .env("TMPDIR", home.path())
            .output()
            .unwrap();
        let printed = text(&checked.stderr);
        let page =
            printed.split(": ").find(|part| part.ends_with(".html")).unwrap_or_else(|| panic!("{printed}"));
        assert!(printed.contains("no program opens it"), "{printed}");
        let mut browser = Browser::start(&[]);
        open(&mut browser, Path::new(page), 800, "light");
        let last = number(&mut browser, "player.last");
        assert!(last > 0.0, "{name}");
        assert_eq!(browser.evaluate("player.play(true), player.isPlaying"), Value::Bool(true));
    }
    let modes = altered("modes_boom", home.path(), &[]);
    let (_, error) = ends_with(2, &["check", path(&modes), "--view"]);
    assert!(error.contains("a study of kind modes takes no steps"), "{error}");
}
