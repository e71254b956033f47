//! What a user gives as a file: nothing that is none is waited for or read without end, compressed tables are read, and no damage
//! makes the reader panic.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow_array::{ArrayRef, Float64Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, GzipLevel, ZstdLevel};
use parquet::file::properties::WriterProperties;
use polhode::describe::{Distribution, Study};
use polhode::study_file::error::Problems;
use polhode::study_file::read_study;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tempfile::TempDir;

use crate::common::command::{path, polhode, text};

/// A body of which something is in another file.
fn study_with(body: &str, vary: &str) -> String {
    format!(
        "method = {{ name = \"rk4\", step = 1, steps = 1 }}\n[ensemble]\n{vary}\n[[mechanism.body]]\nname = \"body\"\n{body}\n"
    )
}

const RIGID: &str = "mass = 1\ninertia = [1, 1, 1]";

fn from_table(file: &str) -> String {
    study_with(
        RIGID,
        &format!("[ensemble.vary]\n\"body.mass\" = {{ table = {{ file = \"{file}\", columns = \"m\" }} }}"),
    )
}

/// `check` and `run` refuse the study within seconds, with the same words.
#[track_caller]
fn refused(study: &Path, said: &mut String) {
    let home = path(study.parent().unwrap());
    let out = study.with_file_name("out");
    for arguments in [&["check", path(study)][..], &["run", path(study), "--out", path(&out)]] {
        let begun = Instant::now();
        let mut child = polhode(arguments)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        while child.try_wait().unwrap().is_none() {
            if begun.elapsed() > Duration::from_secs(30) {
                child.kill().unwrap();
                panic!("{arguments:?} does not end");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let output = child.wait_with_output().unwrap();
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(!out.exists());
        let message = message.replace(home, "");
        if arguments[0] == "check" {
            *said += &message;
        } else {
            assert!(said.ends_with(&message), "{said}\n{message}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_no_file_is_refused_at_once() {
    let home = TempDir::new().unwrap();
    let at = |name: &str| home.path().join(name);
    let mut said = String::new();
    for kind in ["folder", "pipe", "device", "endless"] {
        for extension in ["toml", "csv", "parquet", "json"] {
            let file = at(&format!("{kind}.{extension}"));
            match kind {
                "folder" => fs::create_dir(&file).unwrap(),
                "pipe" => {
                    assert!(std::process::Command::new("mkfifo").arg(&file).status().unwrap().success());
                }
                "device" => std::os::unix::fs::symlink("/dev/zero", &file).unwrap(),
                // A tebibyte of nothing, which takes no room.
                _ => File::create(&file).unwrap().set_len(1 << 40).unwrap(),
            }
        }
        refused(&at(&format!("{kind}.toml")), &mut said);
        let csv = "modal = { file = \"KIND.csv\", frequencies = [1] }".replace("KIND", kind);
        for study in [
            format!("mechanism = \"{kind}.toml\"\nmethod = {{ step = 1, steps = 1 }}\n[ensemble]\n"),
            from_table(&format!("{kind}.csv")),
            from_table(&format!("{kind}.parquet")),
            study_with(&format!("flexible = {{ modal = \"{kind}.json\" }}"), ""),
            study_with(&format!("flexible = {{ {csv} }}"), ""),
        ] {
            let file = at("study.toml");
            fs::write(&file, study).unwrap();
            refused(&file, &mut said);
        }
    }
    insta::assert_snapshot!(said);
}

fn table(names: &[&str]) -> RecordBatch {
    let fields: Vec<Field> = names.iter().map(|name| Field::new(*name, DataType::Float64, false)).collect();
    let column = |k: usize| Arc::new(Float64Array::from(vec![1.5 + k as f64, 2.5, 3.5])) as ArrayRef;
    RecordBatch::try_new(Arc::new(Schema::new(fields)), (0..names.len()).map(column).collect()).unwrap()
}

fn parquet_table(file: &Path, batch: &RecordBatch, compression: Compression) {
    let properties = WriterProperties::builder().set_compression(compression).build();
    let mut writer =
        ArrowWriter::try_new(File::create(file).unwrap(), batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
}

fn read_in(home: &Path, study: &str) -> Result<Study, Problems> {
    let file = home.join("study.toml");
    fs::write(&file, study).unwrap();
    read_study(&file)
}

#[test]
fn compressed_tables_are_read() {
    let home = TempDir::new().unwrap();
    for compression in [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::LZ4_RAW,
        Compression::ZSTD(ZstdLevel::default()),
        Compression::GZIP(GzipLevel::default()),
    ] {
        parquet_table(&home.path().join("t.parquet"), &table(&["x", "m"]), compression);
        let study = read_in(home.path(), &from_table("t.parquet"))
            .unwrap_or_else(|problems| panic!("{compression:?}: {problems}"));
        let Distribution::Table { values, .. } = &study.ensemble.vary[0].distribution else { panic!() };
        assert_eq!(**values, [[2.5], [2.5], [3.5]], "{compression:?}");
    }
}

#[test]
fn two_columns_of_one_name_are_refused() {
    let home = TempDir::new().unwrap();
    parquet_table(&home.path().join("t.parquet"), &table(&["m", "x", "m"]), Compression::UNCOMPRESSED);
    fs::write(home.path().join("t.csv"), "m,x,m\n1,2,3\n").unwrap();
    let mut said = String::new();
    for file in ["t.parquet", "t.csv"] {
        let problems = read_in(home.path(), &from_table(file)).unwrap_err();
        let _ = writeln!(said, "{}", problems.to_string().replace(path(home.path()), ""));
        // Of columns that are not asked for nothing is said.
        let other = from_table(file).replace("\"m\"", "\"x\"");
        read_in(home.path(), &other).unwrap_or_else(|problems| panic!("{problems}"));
    }
    insta::assert_snapshot!(said);
}

/// What commands a terminal is shown, and not obeyed: in titles, names and messages.
#[test]
fn text_of_a_file_cannot_command_the_terminal() {
    let home = TempDir::new().unwrap();
    let at = |name: &str| home.path().join(name);
    let escape = "\\u001B]0;mine\\u0007\\u001B[2J\\r\\u009B1m";
    let title = format!("title = \"{escape}\"\n") + &study_with(RIGID, "size = 2");
    fs::write(at("title.toml"), title).unwrap();
    let key = study_with(RIGID, &format!("\"{escape}\" = 1"));
    fs::write(at("key.toml"), key).unwrap();
    let column = from_table("t.csv").replace("\"m\"", &format!("\"{escape}\""));
    fs::write(at("column.toml"), column).unwrap();
    fs::write(at("t.csv"), "m,\u{1b}[31mx\n1,2\n").unwrap();
    let out = at("out");
    for arguments in [
        &["check", path(&at("title.toml"))][..],
        &["run", path(&at("title.toml")), "--out", path(&out)],
        &["replay", path(&out), "--instance", "1"],
        &["compare", path(&out), path(&out)],
        &["check", path(&at("key.toml"))],
        &["check", path(&at("column.toml"))],
        &["check", path(&at("no\u{1b}[31m.toml"))],
    ] {
        let output = polhode(arguments).output().unwrap();
        let (printed, said) = (text(&output.stdout), text(&output.stderr));
        let commands = |c: char| c.is_control() && c != '\n' && c != '\t';
        assert!(
            !printed.contains(commands) && !said.contains(commands),
            "{arguments:?}: {printed:?} {said:?}"
        );
        assert!(!said.contains("panicked"), "{arguments:?}: {said}");
        let shown = (printed + &said).contains("\\u{1b}");
        assert!(shown || ["run", "compare"].contains(&arguments[0]), "{arguments:?}");
    }
}

/// Files that belong together, of which one is damaged at a time: what is read, and what is in it.
struct Corpus {
    home: TempDir,
    files: Vec<(&'static str, Vec<u8>)>,
    /// Studies, each with the files that it reads.
    studies: Vec<(&'static str, Vec<&'static str>)>,
}

impl Corpus {
    fn new() -> Corpus {
        let home = TempDir::new().unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut files: Vec<(&str, Vec<u8>)> = [
            "studies/tumbling.toml",
            "studies/double_pendulum.toml",
            "mechanisms/free_body.toml",
            "mechanisms/double_pendulum.toml",
            "mechanisms/four_bar.toml",
        ]
        .into_iter()
        .map(|name| (name, fs::read(root.join(name)).unwrap()))
        .collect();
        let modal = r#"{ "nodes": [{ "at": [1,0,0], "mass": 1, "shapes": [[0,0,1]] }, { "at": [0,1,0], "mass": 1, "shapes": [[0,0,-1]] }, { "at": [-1,0,0], "mass": 1, "shapes": [[0,0,1]] }, { "at": [0,-1,0], "mass": 1, "shapes": [[0,0,-1]] }], "frequencies": [3] }"#;
        files.extend([
            ("studies/four_bar.toml", fs::read(root.join("studies/four_bar.toml")).unwrap()),
            ("studies/table.toml", from_table("t.csv").into_bytes()),
            ("studies/packed.toml", from_table("t.parquet").into_bytes()),
            ("studies/t.csv", b"x,m\n1,2\n3,4.5\n1e3,6\n".to_vec()),
            ("studies/modal.toml", study_with("flexible = { modal = \"modes.json\" }", "size = 1").into_bytes()),
            ("studies/modes.json", modal.as_bytes().to_vec()),
            (
                "studies/modal_table.toml",
                study_with("flexible = { modal = { file = \"modes.csv\", frequencies = [3] } }", "size = 1")
                    .into_bytes(),
            ),
            (
                "studies/modes.csv",
                b"x,y,z,mass,mode1_x,mode1_y,mode1_z\n1,0,0,1,0,0,1\n0,1,0,1,0,0,-1\n-1,0,0,1,0,0,1\n0,-1,0,1,0,0,-1\n"
                    .to_vec(),
            ),
        ]);
        for folder in ["studies", "mechanisms"] {
            fs::create_dir(home.path().join(folder)).unwrap();
        }
        let packed = home.path().join("studies/t.parquet");
        parquet_table(&packed, &table(&["x", "m"]), Compression::SNAPPY);
        files.push(("studies/t.parquet", fs::read(&packed).unwrap()));
        for (name, bytes) in &files {
            fs::write(home.path().join(name), bytes).unwrap();
        }
        let studies = vec![
            ("studies/tumbling.toml", vec!["mechanisms/free_body.toml"]),
            ("studies/double_pendulum.toml", vec!["mechanisms/double_pendulum.toml"]),
            ("studies/four_bar.toml", vec!["mechanisms/four_bar.toml"]),
            ("studies/table.toml", vec!["studies/t.csv"]),
            ("studies/packed.toml", vec!["studies/t.parquet"]),
            ("studies/modal.toml", vec!["studies/modes.json"]),
            ("studies/modal_table.toml", vec!["studies/modes.csv"]),
        ];
        Corpus { home, files, studies }
    }

    fn bytes(&self, name: &str) -> &[u8] {
        &self.files.iter().find(|(known, _)| *known == name).unwrap().1
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }
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

/// One to four changes: bits flipped, pieces left out, doubled, or put in, and numbers that are replaced.
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

fn read_damaged_files(seed: u64, count: usize) {
    const LONGEST: Duration = Duration::from_secs(20);
    const MOST: u64 = 1 << 20;
    let corpus = Corpus::new();
    for (study, _) in &corpus.studies {
        read_study(&corpus.path(study)).unwrap_or_else(|problems| panic!("{study}: {problems}"));
    }
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let before = peak();
    let mut sound = 0;
    for k in 0..count {
        let (study, parts) = &corpus.studies[k % corpus.studies.len()];
        let name = match chance.random_range(0..=parts.len()) {
            0 => study,
            part => &parts[part - 1],
        };
        let bytes = damaged(corpus.bytes(name), &mut chance);
        let file = corpus.path(name);
        fs::write(&file, &bytes).unwrap();
        let begun = Instant::now();
        let read = catch_unwind(|| read_study(&corpus.path(study)).map(drop));
        let shown = || format!("number {k}, {name}:\n{}", String::from_utf8_lossy(&bytes));
        match read {
            Ok(Ok(())) => sound += 1,
            Ok(Err(problems)) => assert!(!problems.0.is_empty(), "{}", shown()),
            Err(_) => panic!("the reader has panicked; {}", shown()),
        }
        assert!(begun.elapsed() < LONGEST, "it took {:?}; {}", begun.elapsed(), shown());
        assert!(peak() - before < MOST, "it took {} KiB; {}", peak() - before, shown());
        fs::write(&file, corpus.bytes(name)).unwrap();
    }
    // Some damage changes nothing that counts, most does.
    assert!(sound > count / 100 && sound < count / 2, "{sound} of {count} were read");
}

#[test]
fn damaged_files_are_read_or_refused() {
    read_damaged_files(1, 10_000);
}

#[test]
#[ignore = "takes hours"]
fn a_million_damaged_files_are_read_or_refused() {
    read_damaged_files(2, 1_000_000);
}
