//! Files of a user and folders of results that chance has damaged are read or refused: no panic, no
//! hang, no memory without end.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parquet::basic::Compression;
use polhode::describe::MonteCarlo;
use polhode::describe::{BackendChoice, Study};
use polhode::ensemble::Sampler;
use polhode::output::{NEVER, Replot, replot};
use polhode::study::extend::{ExtensionOptions, extend};
use polhode::study::plan::plan;
use polhode::study::replay::replay;
use polhode::study::shard::merge;
use polhode::study::survey::survey;
use polhode::study::together::{ComparisonOptions, beside};
use polhode::study::{self, run};
use polhode::study_file::kinds::lyapunov::Lyapunov;
use polhode::study_file::{read_study, start_problems};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tempfile::TempDir;

use crate::command::{contents, names, path, without_checksums};
use crate::common::engine::Quiet;
use crate::common::root;
use crate::inputs::{from_table, parquet_table, study_with, table};
use crate::shards::{shard, whole};

/// The seed of a long search: another one by `POLHODE_SEED`, so that searches do not repeat each
/// other.
fn seed_of_search(usual: u64) -> u64 {
    let given = std::env::var("POLHODE_SEED").ok();
    given.map_or(usual, |seed| seed.parse().expect("POLHODE_SEED is a whole number"))
}

/// Files that belong together, of which one is damaged at a time: what is read, and what is in it.
struct Corpus {
    home: TempDir,
    files: Vec<(String, Vec<u8>)>,
    /// Studies, each with the files that it reads.
    studies: Vec<(String, Vec<String>)>,
}

/// Changes that make runs of the shipped studies short whose size is laid out by a kind of study:
/// the study, a key, its value.
const BRIEF: [(&str, &str, &str); 9] = [
    ("", "samples", "8"),
    ("", "trajectories", "3"),
    ("map_", "steps", "20"),
    ("map_", "duration", "\"0.2 s\""),
    ("map_", "every", "1"),
    ("map_", "size", "9"),
    ("work_precision", "steps", "[\"200 ms\", \"100 ms\"]"),
    ("work_precision", "duration", "\"0.4 s\""),
    ("work_precision", "size", "2"),
];

fn brief(file: &str, text: &str) -> String {
    let line = |line: &str| {
        let key = line.split('=').next().unwrap().trim();
        let shorter = BRIEF.iter().find(|(study, shortened, _)| *shortened == key && file.contains(study));
        let line = shorter.map_or(line.to_string(), |(_, _, value)| format!("{key} = {value}"));
        // Axes of grids.
        let is_grid = ["map_", "furuta_chaos"].iter().any(|study| file.contains(study));
        match line.split_once("count = ").filter(|_| is_grid) {
            Some((before, after)) => {
                format!("{before}count = 3{}", after.trim_start_matches(|c: char| c.is_ascii_digit()))
            }
            None => line,
        }
    };
    text.lines().map(|text| line(text) + "\n").collect()
}

impl Corpus {
    /// All shipped studies with their mechanisms, and tables of all kinds; `are_brief`: so that
    /// they run for a moment.
    fn new(are_brief: bool) -> Corpus {
        let home = TempDir::new().unwrap();
        let root = root();
        let mut files = Vec::new();
        let mut studies = Vec::new();
        for folder in ["studies", "mechanisms"] {
            fs::create_dir(home.path().join(folder)).unwrap();
            for name in names(&root.join(folder)) {
                let file = format!("{folder}/{name}");
                let mut bytes = fs::read(root.join(&file)).unwrap();
                if are_brief && folder == "studies" {
                    bytes = brief(&file, std::str::from_utf8(&bytes).unwrap()).into_bytes();
                }
                files.push((file, bytes));
            }
        }
        let read_by = |file: &str, files: &[(String, Vec<u8>)]| -> Vec<String> {
            let bytes = &files.iter().find(|(known, _)| known == file).unwrap().1;
            let text = String::from_utf8_lossy(bytes).into_owned();
            let named = |other: &&(String, Vec<u8>)| {
                other.0 != file && text.contains(&format!("{}\"", other.0.rsplit_once('/').unwrap().1))
            };
            files.iter().filter(named).map(|(name, _)| name.clone()).collect()
        };
        for (file, _) in &files {
            if file.starts_with("studies/") {
                let mut parts = read_by(file, &files);
                let deeper: Vec<String> = parts.iter().flat_map(|part| read_by(part, &files)).collect();
                parts.extend(deeper);
                studies.push((file.clone(), parts));
            }
        }
        let modal = r#"{ "nodes": [
            { "at": [1,0,0], "mass": 1, "shapes": [[0,0,1]] },
            { "at": [0,1,0], "mass": 1, "shapes": [[0,0,-1]] },
            { "at": [-1,0,0], "mass": 1, "shapes": [[0,0,1]] },
            { "at": [0,-1,0], "mass": 1, "shapes": [[0,0,-1]] }
        ], "frequencies": [3] }"#;
        let packed = home.path().join("studies/t.parquet");
        parquet_table(&packed, &table(&["x", "m"]), Compression::SNAPPY);
        for (study, text, part, bytes) in [
            ("table.toml", from_table("t.csv"), "t.csv", b"x,m\n1,2\n3,4.5\n1e3,6\n".to_vec()),
            ("packed.toml", from_table("t.parquet"), "t.parquet", fs::read(&packed).unwrap()),
            (
                "modal.toml",
                study_with("flexible = { modal = \"modes.json\" }", "size = 1"),
                "modes.json",
                modal.as_bytes().to_vec(),
            ),
            (
                "modal_table.toml",
                study_with("flexible = { modal = { file = \"modes.csv\", frequencies = [3] } }", "size = 1"),
                "modes.csv",
                b"x,y,z,mass,mode1_x,mode1_y,mode1_z\n1,0,0,1,0,0,1\n0,1,0,1,0,0,-1\n-1,0,0,1,0,0,1\n\
                  0,-1,0,1,0,0,-1\n"
                    .to_vec(),
            ),
        ] {
            let [study, part] = [study, part].map(|name| format!("studies/{name}"));
            files.extend([(study.clone(), text.into_bytes()), (part.clone(), bytes)]);
            studies.push((study, vec![part]));
        }
        for (name, bytes) in &files {
            fs::write(home.path().join(name), bytes).unwrap();
        }
        let corpus = Corpus { home, files, studies };
        for (study, _) in &corpus.studies {
            read_study(&corpus.path(study)).unwrap_or_else(|problems| panic!("{study}: {problems}"));
        }
        corpus
    }

    fn bytes(&self, name: &str) -> &[u8] {
        &self.files.iter().find(|(known, _)| known == name).unwrap().1
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// Damages one of the files of each study in turn, `count` times, and has `look` see what comes
    /// of it; how often it was read.
    fn damage(&self, seed: u64, count: usize, mut look: impl FnMut(&Path, &mut ChaCha8Rng) -> bool) -> usize {
        let mut chance = ChaCha8Rng::seed_from_u64(seed);
        let mut sound = 0;
        for k in 0..count {
            if k > 0 && k.is_multiple_of((count / 100).max(100)) {
                println!("seed {seed}: {k} of {count}, {sound} of them read");
            }
            let (study, parts) = &self.studies[k % self.studies.len()];
            let name = match chance.random_range(0..=parts.len()) {
                0 => study,
                part => &parts[part - 1],
            };
            let bytes = damaged(self.bytes(name), &mut chance);
            fs::write(self.path(name), &bytes).unwrap();
            let shown = || format!("number {k}, {study}, {name}:\n{}", String::from_utf8_lossy(&bytes));
            sound += usize::from(bounded(shown, || look(&self.path(study), &mut chance)));
            fs::write(self.path(name), self.bytes(name)).unwrap();
        }
        sound
    }
}

/// `act` ends within bounds of time and memory, and does not panic.
fn bounded<T>(shown: impl Fn() -> String, act: impl FnOnce() -> T) -> T {
    // Some seconds alone; beside other tests, on a machine with two cores, ten times as long.
    const LONGEST: Duration = Duration::from_secs(100);
    const MOST: u64 = 2 << 20;
    let (begun, before) = (Instant::now(), peak());
    let done = catch_unwind(AssertUnwindSafe(act));
    let done = done.unwrap_or_else(|_| panic!("a panic; {}", shown()));
    assert!(begun.elapsed() < LONGEST, "it took {:?}; {}", begun.elapsed(), shown());
    let more = peak().saturating_sub(before);
    assert!(more < MOST, "it took {more} KiB; {}", shown());
    done
}

/// Pieces that readers stumble over.
const PIECES: [&str; 24] = [
    "0",
    "-1",
    "1e308",
    "-1e-308",
    "nan",
    "inf",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "\"\"",
    "[]",
    "{}",
    "[[[[[[[[",
    "]",
    "}",
    "'''",
    "\n\n",
    "\u{0}",
    "\u{feff}",
    "µ",
    "\"1e400 kg\"",
    "\"5 deg/s/s/s^99999\"",
    "((((((((",
    "=",
];

/// One to four changes: bits flipped, pieces left out, doubled, or put in, and numbers that are
/// replaced.
fn damaged(bytes: &[u8], chance: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..chance.random_range(1..=4) {
        if bytes.is_empty() {
            break;
        }
        let at = chance.random_range(0..bytes.len());
        let end = (at + chance.random_range(1..=40)).min(bytes.len());
        match chance.random_range(0..6) {
            0 => bytes[at] ^= 1 << chance.random_range(0..8),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let piece = bytes[at..end].to_vec();
                let to = chance.random_range(0..=bytes.len());
                bytes.splice(to..to, piece);
            }
            3 => {
                let piece = PIECES[chance.random_range(0..PIECES.len())];
                bytes.splice(at..at, piece.bytes());
            }
            4 => {
                let digits = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
                let begin = at + bytes[at..].iter().take_while(|byte| !digits(byte)).count();
                let end = begin + bytes[begin..].iter().take_while(|byte| digits(byte)).count();
                let piece = PIECES[chance.random_range(0..9)];
                bytes.splice(begin..end, piece.bytes());
            }
            _ => bytes.truncate(at),
        }
    }
    bytes
}

/// Largest memory that this process has had (KiB).
#[cfg(target_os = "linux")]
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[cfg(not(target_os = "linux"))]
fn peak() -> u64 {
    0
}

/// As `polhode check` without its trial: read, assembled, planned, drawn from.
fn is_checked(study: &Path) -> bool {
    match read_study(study) {
        Err(problems) => {
            assert!(!problems.0.is_empty());
            false
        }
        Ok(read) => {
            let sound = start_problems(&read, study).is_none();
            let planned = sound.then(|| plan(&read).ok()).flatten();
            planned.is_some_and(|plan| study::check(&read, &plan).is_ok() && Sampler::new(&read).is_ok())
        }
    }
}

fn check_damaged_files(seed: u64, count: usize) {
    let sound = Corpus::new(false).damage(seed, count, |study, _| is_checked(study));
    // Some damage changes nothing that counts, most does.
    assert!(sound > count / 20 && sound < count * 3 / 4, "{sound} of {count} were read");
    println!("{sound} of {count} were read");
}

#[test]
fn damaged_files_are_read_or_refused() {
    check_damaged_files(1, 5000);
}

#[test]
#[ignore = "takes hours"]
fn a_million_damaged_files_are_read_or_refused() {
    check_damaged_files(seed_of_search(2), 1_000_000);
}

/// No more of a study than takes a moment.
fn shortened(mut study: Study, chance: &mut ChaCha8Rng) -> Study {
    study.output.plots = chance.random_range(0..20) == 0;
    study.output.report = study.output.plots;
    study.run.backend = BackendChoice::Cpu;
    let settings = &study.kind;
    if settings.settings::<MonteCarlo>().is_none() && settings.settings::<Lyapunov>().is_none() {
        return study;
    }
    study.ensemble.size = study.ensemble.size.min(chance.random_range(1..40));
    study.method.steps = study.method.steps.min(chance.random_range(1..60));
    study.observe.every = study.observe.every.min(study.method.steps);
    study.observe.keep = study.observe.keep.min(4);
    study
}

/// Runs what can be read of damaged files, for a minute at most: it ends, or says why not.
fn run_damaged_files(seed: u64, count: usize) {
    let corpus = Corpus::new(true);
    let out = corpus.path("out");
    let mut done = 0;
    let sound = corpus.damage(seed, count, |file, chance| {
        let Ok(study) = read_study(file) else { return false };
        if start_problems(&study, file).is_some() {
            return false;
        }
        let study = shortened(study, chance);
        let interrupted = Arc::new(AtomicBool::new(false));
        let (ended, ends) = std::sync::mpsc::channel();
        let flag = interrupted.clone();
        let watch = std::thread::spawn(move || {
            if ends.recv_timeout(Duration::from_secs(60)).is_err() {
                flag.store(true, Ordering::Relaxed);
            }
        });
        let outcome = run(&study, &out, false, &Quiet, &interrupted);
        let _ = ended.send(());
        watch.join().unwrap();
        match outcome {
            Ok(_) => done += 1,
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        let _ = fs::remove_dir_all(&out);
        true
    });
    println!("{sound} of {count} were read, {done} run");
    assert!(sound > count / 20 && done > sound / 2, "{sound} of {count} were read, {done} run");
}

#[test]
fn damaged_files_that_can_be_read_run_or_say_why_not() {
    run_damaged_files(3, 400);
}

#[test]
#[ignore = "takes hours"]
fn a_hundred_thousand_damaged_files_run_or_say_why_not() {
    run_damaged_files(seed_of_search(4), 100_000);
}

/// A result of every kind that has one of its own, and the parts of one.
fn results(home: &Path) -> Vec<(PathBuf, Vec<PathBuf>)> {
    let mut all = Vec::new();
    let corpus = Corpus::new(true);
    let mut chance = ChaCha8Rng::seed_from_u64(1);
    for name in
        ["tumbling", "furuta_sensitivity", "furuta_chaos", "map_multipliers", "work_precision", "cart_pole"]
    {
        let study = read_study(&corpus.path("studies").join(name).with_extension("toml")).unwrap();
        let mut study = shortened(study, &mut chance);
        if ["tumbling", "furuta_chaos", "cart_pole"].contains(&name) {
            study.ensemble.size = if name == "furuta_chaos" { 9 } else { 6 };
            study.method.steps = 20;
            study.observe.every = 10;
        }
        let folder = home.join(name);
        whole(&study, &folder);
        let part = |part| {
            let out = home.join(format!("{name}-{part}"));
            shard(&study, part, 2, &out).ok().map(|()| out)
        };
        all.push((folder, (1..=2).filter_map(part).collect()));
    }
    all
}

/// Every command that reads a result says what is wrong, or finds nothing wrong.
fn read_damaged_folders(seed: u64, count: usize) {
    let home = TempDir::new().unwrap();
    let results = results(home.path());
    // Half of them as an earlier polhode has written them: without checksums nothing is found out
    // beforehand.
    let bare = home.path().join("bare");
    fs::create_dir(&bare).unwrap();
    let copied = |folder: &PathBuf| {
        let to = bare.join(folder.file_name().unwrap());
        for (file, bytes) in contents(folder) {
            let file = to.join(file.strip_prefix(folder).unwrap());
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, bytes).unwrap();
        }
        without_checksums(&to);
        to
    };
    let mut folders = results.clone();
    folders.extend(results.iter().map(|(whole, parts)| (copied(whole), parts.iter().map(copied).collect())));
    let before: Vec<_> = folders
        .iter()
        .map(|(whole, parts)| (contents(whole), parts.iter().map(|p| contents(p)).collect::<Vec<_>>()))
        .collect();
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let out = home.path().join("out");
    let (mut read, mut refused) = (0_u64, 0_u64);
    for k in 0..count {
        let at = k % folders.len();
        let (whole, parts) = &folders[at];
        let of_part = !parts.is_empty() && chance.random_range(0..2) == 0;
        let (folder, files) = match of_part {
            true => (&parts[0], &before[at].1[0]),
            false => (whole, &before[at].0),
        };
        let readable: Vec<&PathBuf> = files.keys().filter(|file| !path(file).contains("plots/")).collect();
        let file = readable[chance.random_range(0..readable.len())];
        let bytes = damaged(&files[file], &mut chance);
        fs::write(file, &bytes).unwrap();
        let shown = || format!("number {k}, {}", file.display());
        let mut tell = |outcome: Result<(), String>| match outcome {
            Ok(()) => read += 1,
            Err(why) => {
                assert!(!why.is_empty());
                refused += 1;
            }
        };
        bounded(shown, || {
            let _ = survey(std::slice::from_ref(folder), None).map(drop);
            if of_part {
                tell(merge(parts, &out, false, &NEVER).map(drop).map_err(|error| error.to_string()));
                let _ = fs::remove_dir_all(&out);
                return;
            }
            let wanted = Replot { out: Some(out.clone()), ..Replot::default() };
            if chance.random_range(0..8) == 0 {
                tell(replot(whole, &wanted).map(drop).map_err(|error| error.to_string()));
                let _ = fs::remove_dir_all(&out);
            }
            tell(replay(whole, 3).map(drop).map_err(|error| error.to_string()));
            let both = [folders[at % results.len()].0.clone(), whole.clone()];
            tell(beside(&both, &ComparisonOptions::default()).map(drop).map_err(|error| error.to_string()));
            let interrupted = &AtomicBool::new(false);
            let options = ExtensionOptions {
                size: 9,
                out: Some(&out),
                overwrite: false,
                listener: &Quiet,
                interrupted,
            };
            tell(extend(whole, &options, |_| ()).map(drop).map_err(|error| error.to_string()));
            let _ = fs::remove_dir_all(&out);
        });
        fs::write(file, &files[file]).unwrap();
    }
    println!("{read} readings and {refused} refusals of {count} folders");
    assert!(read > 0 && refused > 0, "{read} {refused}");
    // Nothing but what was damaged has changed.
    for ((whole, parts), (all, of_parts)) in folders.iter().zip(&before) {
        assert!(contents(whole) == *all);
        assert!(parts.iter().zip(of_parts).all(|(part, all)| contents(part) == *all));
    }
}

#[test]
fn damaged_folders_are_read_or_refused() {
    read_damaged_folders(5, 300);
}

#[test]
#[ignore = "takes an hour"]
fn ten_thousand_damaged_folders_are_read_or_refused() {
    read_damaged_folders(6, 10_000);
}
