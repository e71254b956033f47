//! Files beside a result, the remains of a kill, and files that are not what they seem: nothing of
//! anyone else's is touched, nothing is lost, and the same command goes on.

use std::fs;
use std::path::Path;
#[cfg(target_os = "linux")]
use std::process::{Command, Stdio};

use tempfile::TempDir;

#[cfg(target_os = "linux")]
use crate::command::text;
use crate::command::{Running, altered, contents, ends_with, names, path, polhode};

/// A run of a moment.
const SMALL: [(&str, &str); 7] = [
    ("ensemble.size", "1100"),
    ("method.duration", "\"0.1 s\""),
    ("observe.channels", "[\"energy\"]"),
    ("observe.every", "\"0.05 s\""),
    ("observe.keep", "1"),
    ("run.backend", "\"cpu\""),
    ("accuracy.budget", "0"),
];

/// Nothing is drawn.
const BARE: [(&str, &str); 2] = [("output.plots", "false"), ("output.report", "false")];

fn small(home: &Path, more: &[(&str, &str)]) -> std::path::PathBuf {
    altered("tumbling", home, &[&SMALL[..], more].concat())
}

#[test]
fn folders_beside_a_result_are_their_owner_s() {
    let home = TempDir::new().unwrap();
    let at = |name: &str| home.path().join(name);
    let study = small(home.path(), &BARE);
    let run = |out: &str, code, more: &[&str]| {
        ends_with(code, &[&["run", path(&study), "--out", path(&at(out)), "--quiet"], more].concat()).1
    };
    run("v", 0, &[]);
    run("v.replaced", 0, &[]);
    fs::write(at("v.replaced/notes.txt"), "mine").unwrap();
    let before = contents(&at("v.replaced"));
    run("v", 0, &["--overwrite"]);
    run("v", 0, &["--resume"]);
    ends_with(0, &["extend", path(&at("v")), "--size", "1200", "--quiet"]);
    assert!(contents(&at("v.replaced")) == before);
    assert_eq!(names(home.path()), ["tumbling.toml", "v", "v.replaced"]);

    // A folder, with a file that has the name of the lock; a file; a link to a folder.
    let kept = contents(&at("v"));
    let refused = |what: &str| {
        let before = contents(home.path());
        let said = run("v", 2, &["--overwrite"]);
        assert!(said.contains("v.unfinished"), "{what}: {said}");
        assert!(contents(home.path()) == before, "{what}");
    };
    for lock in [None, Some(""), Some("mine too")] {
        fs::create_dir(at("v.unfinished")).unwrap();
        fs::write(at("v.unfinished/notes.txt"), "mine").unwrap();
        if let Some(lock) = lock {
            fs::write(at("v.unfinished/lock"), lock).unwrap();
        }
        refused("a folder of somebody's");
        fs::remove_dir_all(at("v.unfinished")).unwrap();
    }
    fs::write(at("v.unfinished"), "mine").unwrap();
    refused("a file");
    fs::remove_file(at("v.unfinished")).unwrap();
    #[cfg(unix)]
    {
        fs::create_dir(at("elsewhere")).unwrap();
        fs::write(at("elsewhere/notes.txt"), "mine").unwrap();
        std::os::unix::fs::symlink(at("elsewhere"), at("v.unfinished")).unwrap();
        refused("a link");
        fs::remove_file(at("v.unfinished")).unwrap();
    }
    assert!(contents(&at("v")) == kept);
    // A file that somebody has put among the pictures, or into what a run has left, stays as well.
    for place in ["v/plots", "v/deep/er"] {
        fs::create_dir_all(at(place)).unwrap();
        fs::write(at(place).join("mine.png"), "mine").unwrap();
        let said = run("v", 2, &["--overwrite"]);
        assert!(said.contains("which polhode did not write"), "{said}");
        fs::remove_dir_all(at(place).parent().unwrap().join(if place == "v/plots" { "plots" } else { "" }))
            .unwrap();
        run("v", 0, &["--overwrite"]);
    }
}

/// A link is not replaced: the folder is, to which it leads.
#[cfg(unix)]
#[test]
fn a_link_to_a_result_stays_a_link() {
    let home = TempDir::new().unwrap();
    let at = |name: &str| home.path().join(name);
    let study = small(home.path(), &BARE);
    fs::create_dir(at("disk")).unwrap();
    ends_with(0, &["run", path(&study), "--out", path(&at("disk/v")), "--quiet"]);
    std::os::unix::fs::symlink(at("disk/v"), at("v")).unwrap();
    let before = fs::read(at("disk/v/instances.parquet")).unwrap();
    let other = ["--overwrite", "--set", "ensemble.seed=9", "--quiet"];
    ends_with(0, &[&["run", path(&study), "--out", path(&at("v"))], &other[..]].concat());
    assert!(at("v").is_symlink() && names(&at("disk")) == ["v"]);
    assert!(fs::read(at("disk/v/instances.parquet")).unwrap() != before);
}

/// A complete result is complete only while all of it is there.
#[test]
fn resuming_what_is_complete_looks_at_its_files() {
    let home = TempDir::new().unwrap();
    let study = small(home.path(), &BARE);
    let out = home.path().join("v");
    let run = ["run", path(&study), "--out", path(&out), "--resume"];
    ends_with(0, &run);
    let whole = contents(&out);
    for file in whole.keys().filter(|file| !file.ends_with("manifest.json")) {
        for damage in ["gone", "empty", "changed"] {
            match damage {
                "gone" => fs::remove_file(file).unwrap(),
                "empty" => fs::write(file, "").unwrap(),
                _ => {
                    let mut bytes = whole[file].clone();
                    let middle = bytes.len() / 2;
                    bytes[middle] ^= 1;
                    fs::write(file, bytes).unwrap();
                }
            }
            let (_, said) = ends_with(2, &run);
            assert!(said.contains(path(file)), "{damage}: {said}");
            fs::write(file, &whole[file]).unwrap();
        }
    }
    fs::write(out.join("instances.parquet"), "").unwrap();
    ends_with(0, &[&run[..], &["--overwrite"]].concat());
    assert!(fs::read(out.join("instances.parquet")).unwrap() == whole[&out.join("instances.parquet")]);
}

/// A file that a manifest names is looked at before it is opened, and lies in its folder.
#[cfg(unix)]
#[test]
fn a_result_s_files_are_regular_files_in_its_folder() {
    let home = TempDir::new().unwrap();
    let at = |name: &str| home.path().join(name);
    let study = small(home.path(), &BARE);
    let fresh = || {
        let _ = fs::remove_dir_all(at("v"));
        ends_with(0, &["run", path(&study), "--out", path(&at("v")), "--shard", "1/2", "--quiet"]);
    };
    let v = at("v");
    let try_commands = || {
        let (w, table) = (at("w"), at("t.csv"));
        for command in ["merge", "shards", "extend", "plot", "compare", "export", "replay"] {
            let more: &[&str] = match command {
                "merge" => &["--out", path(&w)],
                "extend" => &["--size", "2000"],
                "compare" => &[path(&v)],
                "export" => &["--overwrite", "--out", path(&table)],
                "replay" => &["--instance", "0"],
                _ => &[],
            };
            let ended = Running::start(&mut polhode(&[&[command, path(&v)], more].concat())).ends();
            // Some do not ask for all files.
            let code = ended.status.code();
            assert!(code.is_some_and(|code| code < 100), "{command}: {}", text(&ended.stderr));
            assert!(code != Some(0) || ["export", "replay"].contains(&command), "{command}");
        }
    };
    for name in ["manifest.json", "study.toml", "shard.state", "instances.parquet"] {
        fresh();
        fs::remove_file(v.join(name)).unwrap();
        assert!(Command::new("mkfifo").arg(v.join(name)).status().unwrap().success());
        try_commands();
        fs::remove_file(v.join(name)).unwrap();
        std::os::unix::fs::symlink("/dev/zero", v.join(name)).unwrap();
        try_commands();
    }
    for name in ["/dev/zero", "../v/study.toml", "plots/../../mine"] {
        fresh();
        let file = v.join("manifest.json");
        let mut manifest: polhode::output::Manifest =
            serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        manifest.files[0].name = name.to_string();
        fs::write(&file, manifest.to_json()).unwrap();
        let (_, said) = ends_with(2, &["merge", path(&v), "--out", path(&at("w"))]);
        assert!(said.contains("which is not in its folder"), "{name}: {said}");
        try_commands();
    }
    // One of a billion billion parts.
    fresh();
    let file = v.join("manifest.json");
    let mut manifest: polhode::output::Manifest = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    manifest.shard.as_mut().unwrap().of = 1_000_000_000_000_000_000;
    fs::write(&file, manifest.to_json()).unwrap();
    ends_with(1, &["shards", path(&v)]);
    manifest.shard.as_mut().unwrap().part = 0;
    fs::write(&file, manifest.to_json()).unwrap();
    ends_with(1, &["shards", path(&v)]);
}

/// A pipe or a device takes a table as it comes, and stays what it is.
#[cfg(unix)]
#[test]
fn a_table_goes_into_a_pipe() {
    let home = TempDir::new().unwrap();
    let at = |name: &str| home.path().join(name);
    let study = small(home.path(), &BARE);
    let v = at("v");
    ends_with(0, &["run", path(&study), "--out", path(&v), "--quiet"]);
    let (printed, _) = ends_with(0, &["export", path(&v)]);
    assert_eq!(ends_with(0, &["export", path(&v), "--out", "-"]).0, printed);
    assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
    for more in [&[][..], &["--overwrite"]] {
        let read = fs::File::create(at("read")).unwrap();
        let mut reader = Command::new("cat").arg(at("pipe")).stdout(read).spawn().unwrap();
        ends_with(0, &[&["export", path(&v), "--out", path(&at("pipe"))], more].concat());
        assert!(reader.wait().unwrap().success());
        assert!(fs::read_to_string(at("read")).unwrap() == printed);
    }
    assert!(!at("pipe").is_file());
    // A link leads to what is replaced.
    fs::write(at("t.csv"), "mine").unwrap();
    std::os::unix::fs::symlink(at("t.csv"), at("link")).unwrap();
    ends_with(2, &["export", path(&v), "--out", path(&at("link"))]);
    ends_with(0, &["export", path(&v), "--out", path(&at("link")), "--overwrite"]);
    assert!(at("link").is_symlink() && fs::read_to_string(at("t.csv")).unwrap() == printed);
    // A folder of results is put in the place of nothing else either.
    ends_with(2, &["run", path(&study), "--out", path(&at("pipe")), "--overwrite"]);
    assert!(names(home.path()).contains(&"pipe".to_string()));
}

/// Numbers that nobody means, and texts that nobody reads: refused, or told in a few lines.
#[test]
fn what_is_absurd_ends_soon_and_is_told_shortly() {
    let home = TempDir::new().unwrap();
    let at = |name: &str| home.path().join(name);
    let study = small(home.path(), &BARE);
    let v = at("v");
    ends_with(0, &["run", path(&study), "--out", path(&v), "--set", "run.checkpoint=2e19", "--quiet"]);
    let long = "x".repeat(70_000);
    let (_, said) = ends_with(2, &["compare", path(&v), path(&v), "--labels", &format!("{long},b")]);
    assert!(said.contains("a label of 70000 letters"), "{}", &said[..200]);
    ends_with(
        0,
        &["run", path(&study), "--out", path(&at("w")), "--set", &format!("title=\"{long}\""), "--quiet"],
    );
    ends_with(0, &["compare", path(&v), path(&at("w"))]);

    let text = fs::read_to_string(&study).unwrap();
    let many = |line: &dyn Fn(usize) -> String| (0..1_000_000).map(line).collect::<String>();
    let signals = |count: usize| {
        let signal = |k: usize| {
            format!("[[mechanism.signal]]\nname = \"s{}\"\nvalue = \"0.5*s{k} + 0.5*s{k}\"\n", k + 1)
        };
        "[[mechanism.signal]]\nname = \"s0\"\nvalue = \"body.angular_velocity.x\"\n".to_string()
            + &(0..count).map(signal).collect::<String>()
            + &format!(
                "[[mechanism.load]]\nname = \"l\"\nkind = \"torque\"\naxes = \"body\"\n\
                 function = [\"s{count}\", 0, 0]\n"
            )
    };
    let own = "[mechanism]\n[[mechanism.body]]\nname = \"body\"\nmass = 1\ninertia = [5, 10, 1]\n";
    let whole: String =
        text.lines().filter(|line| !line.starts_with("mechanism")).map(|line| format!("{line}\n")).collect();
    let whole = whole + own;
    for (what, text, code) in [
        ("keys", many(&|k| format!("k{k} = 1\n")) + &text, 2),
        ("tables", text.clone() + &many(&|k| format!("[t{k}]\n")), 2),
        (
            "channels",
            text.replace(
                "channels = [",
                &("channels = [".to_string() + &many(&|_| "\"energy\", ".to_string())),
            ),
            2,
        ),
        ("bodies", whole.clone() + &many(&|k| format!("[[mechanism.body]]\nname = \"b{k}\"\nmass = 1\n")), 2),
        ("signals", whole.clone() + &signals(40), 0),
        ("more signals", whole.clone() + &signals(2000), 2),
    ] {
        let file = at("absurd.toml");
        fs::write(&file, text).unwrap();
        let begun = std::time::Instant::now();
        let (_, said) = ends_with(code, &["check", path(&file)]);
        println!("{what}: {:.1} s, {} bytes", begun.elapsed().as_secs_f64(), said.len());
        assert!(said.len() < 200_000 && said.lines().count() <= 102, "{what}: {} bytes", said.len());
    }
}

/// Titles and names come from files that anybody may have written.
#[test]
fn controls_of_a_title_reach_no_page() {
    let home = TempDir::new().unwrap();
    let study = small(home.path(), &[]);
    let out = home.path().join("v");
    let title = "title=\"\\u001b[31mred\\u202e back \\u2067\"";
    ends_with(0, &["run", path(&study), "--out", path(&out), "--set", title, "--quiet"]);
    for (file, bytes) in contents(&out) {
        if file.extension().is_some_and(|ending| ending == "html" || ending == "svg") {
            let page = String::from_utf8(bytes).unwrap();
            assert!(!page.contains(['\u{1b}', '\u{202e}', '\u{2067}']), "{}", file.display());
        }
    }
    assert!(fs::read_to_string(out.join("report.html")).unwrap().contains("\\u{202e} back"));
}

/// A command, what is there before it, and the result that it leaves.
#[cfg(target_os = "linux")]
struct Killed {
    before: Vec<Vec<String>>,
    command: Vec<String>,
    result: &'static str,
}

/// Kills twelve commands at calls of these kinds, at every one or every few, then gives them again:
/// they end well, and leave what they leave by themselves, and nothing else.
#[cfg(target_os = "linux")]
fn killed_at(calls: &[&str], most: usize) {
    let home = TempDir::new().unwrap();
    let study = small(
        home.path(),
        &[("output.report", "false"), ("run.chunk", "400"), ("run.checkpoint", "\"0 s\"")],
    );
    let words =
        |line: &str| line.split(' ').map(|word| word.replace("STUDY", path(&study))).collect::<Vec<_>>();
    let all = |lines: &[&str]| lines.iter().map(|line| words(line)).collect::<Vec<_>>();
    const RUN: &str = "run STUDY --out v --threads 1 --quiet --set output.plots=false";
    let shards = |more: &[&str]| {
        let shard = |k: usize| format!("{RUN} --shard {k}/2").replace("--out v", &format!("--out p{k}"));
        let mut lines: Vec<String> = (1..=2).map(shard).collect();
        lines.extend(more.iter().map(|line| line.to_string()));
        lines.iter().map(|line| words(line)).collect::<Vec<_>>()
    };
    let killed = |before, command: &str, result| Killed { before, command: words(command), result };
    const MERGE: &str = "merge p1 p2 --out v --quiet";
    let commands = [
        killed(vec![], &format!("{RUN} --resume"), "v"),
        killed(vec![], "run STUDY --out v --threads 1 --quiet --resume", "v"),
        killed(all(&[RUN]), &format!("{RUN} --overwrite --set ensemble.seed=8"), "v"),
        killed(all(&[RUN]), &format!("{RUN} --resume"), "v"),
        killed(vec![], &format!("{RUN} --resume --shard 1/2"), "v"),
        killed(all(&[RUN]), "extend v --size 1500 --threads 1 --quiet", "v"),
        killed(all(&[RUN]), "extend v --size 1500 --threads 1 --quiet --out w", "w"),
        killed(shards(&[]), &format!("{MERGE} --overwrite"), "v"),
        killed(shards(&[MERGE]), &format!("{MERGE} --overwrite"), "v"),
        killed(all(&[RUN]), "plot v --format svg", "v"),
        killed(all(&[RUN]), "plot v --format svg --out w --overwrite", "w"),
        killed(all(&[RUN]), "compare v v --labels a,b --out w --overwrite", "w"),
        killed(all(&[RUN]), "export v --out t.csv --overwrite", ""),
    ];
    let ran = |command: &[String], place: &Path, before: &[&str]| {
        let command: Vec<&str> = command.iter().map(String::as_str).collect();
        let run = polhode(&command);
        let mut words =
            before.iter().map(|word| word.to_string().into()).chain([run.get_program().to_owned()]);
        let mut started = Command::new(words.next().unwrap());
        started.args(words).args(run.get_args()).current_dir(place);
        started.env("XDG_RUNTIME_DIR", "/tmp").env("RAYON_NUM_THREADS", "1").output().unwrap()
    };
    let (mut kills, place, log) = (0, home.path().join("place"), home.path().join("log"));
    for Killed { before, command, result } in commands {
        let base = home.path().join("base");
        fs::create_dir(&base).unwrap();
        for earlier in &before {
            let output = ran(earlier, &base, &[]);
            assert!(output.status.success(), "{earlier:?}: {}", text(&output.stderr));
        }
        let fresh = || {
            let _ = fs::remove_dir_all(&place);
            assert!(Command::new("cp").arg("-r").args([&base, &place]).status().unwrap().success());
        };
        fresh();
        let traced = format!("trace={}", calls.join(","));
        let looked = ran(&command, &place, &["strace", "-f", "-o", path(&log), "-e", &traced]);
        assert!(looked.status.success(), "{command:?}: {}", text(&looked.stderr));
        let whole: Vec<String> = names(&place);
        let of_result = |place: &Path| -> Vec<String> {
            let folder = place.join(result);
            let all = contents(&folder);
            all.keys().map(|file| path(file.strip_prefix(&folder).unwrap()).to_string()).collect()
        };
        let files = of_result(&place);
        let log = fs::read_to_string(&log).unwrap();
        for call in calls {
            let count = log.lines().filter(|line| line.contains(&format!(" {call}("))).count();
            for at in (1..=count).step_by(count.div_ceil(most).max(1)) {
                fresh();
                let inject = format!("inject={call}:signal=KILL:when={at}");
                let killed =
                    ran(&command, &place, &["strace", "-f", "-o", "/dev/null", "-e", &traced, "-e", &inject]);
                kills += usize::from(!killed.status.success());
                let again = ran(&command, &place, &[]);
                let case = format!("{command:?}, killed at {call} {at}: {}", text(&again.stderr));
                assert!(again.status.success(), "{case}");
                let found = names(&place);
                assert_eq!(found, whole, "{case}");
                assert_eq!(of_result(&place), files, "{case}");
            }
        }
        fs::remove_dir_all(&base).unwrap();
    }
    println!("{kills} kills");
    assert!(kills > 50, "{kills} kills");
}

/// Whether calls can be looked at here.
#[cfg(target_os = "linux")]
fn can_trace() -> bool {
    let mut strace = Command::new("strace");
    strace.args(["-o", "/dev/null", "true"]).stderr(Stdio::null()).status().is_ok_and(|ended| ended.success())
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "two hundred kills take minutes"]
fn commands_that_were_killed_at_what_they_rename_and_remove_go_on() {
    match can_trace() {
        true => killed_at(&["rename", "unlink", "unlinkat", "rmdir", "mkdir"], 4),
        false => eprintln!("no strace: nothing was killed"),
    }
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "a thousand kills take some minutes"]
fn commands_that_were_killed_at_any_call_go_on() {
    let calls =
        ["rename", "unlink", "unlinkat", "rmdir", "mkdir", "openat", "write", "fsync", "fdatasync", "close"];
    killed_at(&calls, 40);
}
