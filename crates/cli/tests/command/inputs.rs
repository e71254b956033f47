//! Files that a user gives: a path that is no file is neither waited for nor read without end, and
//! compressed tables are read.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, GzipLevel, ZstdLevel};
use parquet::file::properties::WriterProperties;
use polhode::describe::{Distribution, Study};
use polhode::study_file::error::Problems;
use polhode::study_file::read_study;
use tempfile::TempDir;

use crate::command::{Running, ends_with, path, polhode, text};

/// A body of which something is in another file.
pub fn study_with(body: &str, vary: &str) -> String {
    format!(
        "method = {{ name = \"rk4\", step = 1, steps = 1 }}\n[ensemble]\n{vary}\n[[mechanism.body]]\n\
         name = \"body\"\n{body}\n"
    )
}

pub const RIGID: &str = "mass = 1\ninertia = [1, 1, 1]";

pub fn from_table(file: &str) -> String {
    study_with(
        RIGID,
        &format!("[ensemble.vary]\n\"body.mass\" = {{ table = {{ file = \"{file}\", columns = \"m\" }} }}"),
    )
}

/// `check` and `run` end and refuse the study, with the same words.
#[track_caller]
fn refused(study: &Path, said: &mut String) {
    let home = path(study.parent().unwrap());
    let out = study.with_file_name("out");
    for arguments in [&["check", path(study)][..], &["run", path(study), "--out", path(&out)]] {
        let output = Running::start(&mut polhode(arguments)).ends();
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

pub fn table(names: &[&str]) -> RecordBatch {
    let fields: Vec<Field> = names.iter().map(|name| Field::new(*name, DataType::Float64, false)).collect();
    let column = |k: usize| Arc::new(Float64Array::from(vec![1.5 + k as f64, 2.5, 3.5])) as ArrayRef;
    RecordBatch::try_new(Arc::new(Schema::new(fields)), (0..names.len()).map(column).collect()).unwrap()
}

pub fn parquet_table(file: &Path, batch: &RecordBatch, compression: Compression) {
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

/// A list of millions of numbers takes gigabytes once it is read: it is refused before.
#[test]
fn a_text_of_too_many_entries_is_refused() {
    let home = TempDir::new().unwrap();
    let file = home.path().join("long.toml");
    let list = "1,".repeat(4 << 20);
    fs::write(&file, format!("[mechanism]\ngravity = [{list}]\n")).unwrap();
    let (_, said) = ends_with(2, &["check", path(&file)]);
    assert!(
        said.contains("has 4,194,306 lines and entries; a file of this kind has 4,194,304 at most"),
        "{said}"
    );
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
        // Nothing is said of columns that are not asked for.
        let other = from_table(file).replace("\"m\"", "\"x\"");
        read_in(home.path(), &other).unwrap_or_else(|problems| panic!("{problems}"));
    }
    insta::assert_snapshot!(said);
}

/// Commands to a terminal are shown, and not obeyed: in titles, names and messages.
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
