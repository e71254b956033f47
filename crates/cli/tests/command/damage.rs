//! A file of a result in which a bit is not what was written is refused by name, by every command
//! that reads it.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::command::{altered, contents, ends_with, names, path, without_checksums};

/// Places in each file at which a bit is flipped.
const PLACES: usize = 5;

fn study(home: &Path) -> PathBuf {
    let changes = [
        ("ensemble.size", "40"),
        ("method.duration", "\"1 s\""),
        ("observe.every", "\"0.5 s\""),
        ("observe.channels", "[\"energy\"]"),
        ("observe.keep", "4"),
        ("run.backend", "\"cpu\""),
    ];
    altered("tumbling", home, &changes)
}

/// Bits that are spread over a file by chance, always the same: the first, the last, and others.
fn bits(file: &Path, length: usize) -> Vec<usize> {
    let mut state = file.to_str().unwrap().bytes().fold(7_u64, |a, b| a.wrapping_mul(31) + u64::from(b));
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % (8 * length)
    };
    let mut bits = vec![0, 8 * length - 1];
    bits.extend((2..PLACES).map(|_| next()));
    bits
}

/// Flips bits of every file below `folder`, one at a time, and has `look` see what comes of it.
fn flipped(folder: &Path, mut look: impl FnMut(&Path, &str, bool)) {
    for (file, bytes) in contents(folder) {
        let name = path(file.strip_prefix(folder).unwrap()).to_string();
        for (k, bit) in bits(Path::new(&name), bytes.len()).into_iter().enumerate() {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            fs::write(&file, damaged).unwrap();
            look(&file, &name, k == 0);
        }
        fs::write(&file, bytes).unwrap();
    }
}

/// It is refused, the file is named, and nothing is written.
#[track_caller]
fn refused(home: &Path, file: &Path, arguments: &[&str]) {
    let before = contents(home);
    let (printed, said) = ends_with(2, arguments);
    assert!(printed.is_empty(), "{printed}");
    assert!(said.starts_with(&format!("error: {}: is damaged: ", path(file))), "{said}");
    assert!(said.contains("copy it again") && said.trim_end().lines().count() == 1, "{said}");
    assert!(contents(home) == before, "{arguments:?} has written something");
}

#[test]
fn a_flipped_bit_is_refused_by_every_command_that_reads_it() {
    let home = TempDir::new().unwrap();
    let at = |name: &str| home.path().join(name);
    let study = study(home.path());
    for out in ["one", "two"] {
        ends_with(0, &["run", path(&study), "--out", path(&at(out)), "--quiet"]);
    }
    let (one, two, out) = (at("one"), at("two"), at("out"));
    let plot = ["plot", path(&one), "--out", path(&out)];
    let compare = ["compare", path(&two), path(&one)];
    let replay = ["replay", path(&one), "--instance", "3"];
    let read = |name: &str, command: &str| {
        let by: &[&str] = match name {
            "manifest.json" | "study.toml" | "instances.parquet" => &["plot", "compare", "replay"],
            "statistics.parquet" => &["plot", "compare"],
            "trajectories.parquet" | "motion.parquet" | "histograms.parquet" => &["plot"],
            _ => &[],
        };
        by.contains(&command)
    };
    let mut refusals = 0;
    flipped(&one, |file, name, first| {
        for arguments in [&plot[..], &compare, &replay] {
            if read(name, arguments[0]) {
                refused(home.path(), file, arguments);
                refusals += 1;
            } else if first && name.ends_with(".parquet") {
                ends_with(0, arguments);
                let _ = fs::remove_dir_all(&out);
            }
        }
    });
    assert_eq!(refusals, PLACES * (3 * 3 + 2 + 3));
    // Nothing that is whole is refused, drawn again in its place too.
    for arguments in [&plot[..], &compare, &replay, &["plot", path(&one)], &plot, &compare] {
        ends_with(0, arguments);
        let _ = fs::remove_dir_all(&out);
    }
}

#[test]
fn a_flipped_bit_of_a_shard_is_refused_by_merge() {
    let home = TempDir::new().unwrap();
    let at = |name: &str| home.path().join(name);
    let study = study(home.path());
    for part in ["1", "2"] {
        let shard = format!("{part}/2");
        ends_with(0, &["run", path(&study), "--out", path(&at(part)), "--shard", &shard, "--quiet"]);
    }
    let (one, two, out) = (at("1"), at("2"), at("out"));
    let merge = ["merge", path(&one), path(&two), "--out", path(&out), "--quiet"];
    flipped(&two, |file, _, _| refused(home.path(), file, &merge));
    ends_with(0, &merge);
}

/// A polhode before checksums wrote none: its folders are read, and lengths alone are compared.
#[test]
fn a_result_without_checksums_is_read() {
    let home = TempDir::new().unwrap();
    let at = |name: &str| home.path().join(name);
    let study = study(home.path());
    let (one, out) = (at("one"), at("out"));
    ends_with(0, &["run", path(&study), "--out", path(&one), "--quiet"]);
    without_checksums(&one);
    let plot = ["plot", path(&one), "--out", path(&out)];
    ends_with(0, &plot);
    ends_with(0, &["compare", path(&one), path(&one)]);
    ends_with(0, &["replay", path(&one), "--instance", "3"]);
    let table = one.join("statistics.parquet");
    let bytes = fs::read(&table).unwrap();
    fs::write(&table, &bytes[1..]).unwrap();
    let (_, said) = ends_with(2, &[&plot[..], &["--overwrite"]].concat());
    assert!(said.contains("statistics.parquet: is damaged: it has"), "{said}");
    fs::remove_file(&table).unwrap();
    let (_, said) = ends_with(2, &plot);
    assert!(said.contains("statistics.parquet: is missing"), "{said}");
}

/// A result that is to be replaced need not be sound, as long as it is known to be polhode's.
#[test]
fn a_damaged_result_can_be_overwritten() {
    let home = TempDir::new().unwrap();
    let study = study(home.path());
    let out = home.path().join("out");
    let again = ["run", path(&study), "--out", path(&out), "--quiet", "--overwrite"];
    ends_with(0, &again);
    let manifest = out.join("manifest.json");
    let whole = fs::read(&manifest).unwrap();
    let flipped = |from: &str| {
        let text = String::from_utf8(whole.clone()).unwrap();
        assert!(text.contains(from));
        fs::write(&manifest, text.replacen(from, &from.replace(|c: char| c.is_ascii_digit(), "9"), 1))
            .unwrap();
    };
    flipped("\"started\": \"2");
    ends_with(2, &["plot", path(&out)]);
    ends_with(0, &again);
    ends_with(0, &["plot", path(&out)]);
    // A name that is not that of its file any more: whose the file is, is not known.
    let whole = fs::read(&manifest).unwrap();
    let text =
        String::from_utf8(whole.clone()).unwrap().replacen("statistics.parquet", "statisticz.parquet", 1);
    fs::write(&manifest, text).unwrap();
    let (_, said) = ends_with(2, &again);
    assert!(said.contains("it holds statistics.parquet, which polhode did not write"), "{said}");
    fs::write(&manifest, &whole[..whole.len() / 2]).unwrap();
    let before = contents(&out);
    let (_, said) = ends_with(2, &again);
    assert!(said.contains("does not tell which files polhode wrote; remove the folder yourself"), "{said}");
    assert!(contents(&out) == before);
}

/// A kill while pictures take their places leaves some that the manifest does not know: that is
/// said with its cure, which is one.
#[test]
fn pictures_that_were_half_replaced_are_drawn_again() {
    let home = TempDir::new().unwrap();
    let study = study(home.path());
    let out = home.path().join("out");
    ends_with(0, &["run", path(&study), "--out", path(&out), "--quiet", "--set", "output.plots=true"]);
    let picture = fs::read_dir(out.join("plots")).unwrap().next().unwrap().unwrap().path();
    let drawn = fs::read(&picture).unwrap();
    fs::write(&picture, "another picture").unwrap();
    let extend = ["extend", path(&out), "--size", "5000", "--quiet"];
    let (_, said) = ends_with(2, &extend);
    assert!(said.contains("is damaged") && said.contains(&format!("polhode plot {}", path(&out))), "{said}");
    ends_with(0, &["plot", path(&out)]);
    assert!(fs::read(&picture).unwrap() == drawn);
    assert!(!names(&out.join("plots")).iter().any(|name| name.contains("partial")));
    ends_with(0, &extend);
}
