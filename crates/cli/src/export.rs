//! `polhode export`: a table of a result as text with commas, or a mechanism as MJCF.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::{FAILED, Failure, INTERRUPTED, SUCCESS, WRONG_INPUT, on_interrupt, print_summary, wrong};
use crate::progress::tell;
use polhode::base::grouped;
use polhode::describe::Mechanism;
use polhode::model::Model;
use polhode::output::{ExportError, export_csv, is_refused};
use polhode::study_file::{read_finished_study, read_mechanism, read_study};
use polhode_import::{ExportFault, export_mjcf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Write a table of a finished run as CSV, or a mechanism as MJCF (MuJoCo).
///
/// `export DIR [TABLE]` is for spreadsheets and programs that read no Parquet. The first line has
/// the columns with their units. Numbers have the fewest digits that read back as the same number.
///
/// `export mjcf PATH` takes an output folder, a study or a mechanism. Parts that MJCF lacks are
/// errors. Without --out polhode prints the text.
#[derive(Debug, clap::Args)]
pub struct ExportArguments {
    /// Output folder of a run; or `mjcf`.
    dir: PathBuf,
    /// A table of the run, as statistics or trajectories [default: instances]. After `mjcf`: output
    /// folder, study or mechanism.
    table: Option<String>,
    /// Write tables as CSV, which is their only format.
    #[arg(long)]
    csv: bool,
    /// File for the text, or a pipe or a device [default: -, standard output].
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file of --out.
    #[arg(long, requires = "out")]
    overwrite: bool,
}

/// Text that is written.
pub(super) enum Exporting {
    /// Folder, and name of a table.
    Table(PathBuf, String),
    /// Its bytes, and its name for the user.
    Whole(Vec<u8>, String),
}

impl Exporting {
    fn write(&self, mut to: impl Write) -> Result<String, ExportError> {
        match self {
            Exporting::Table(dir, table) => Ok(format!("{} rows", grouped(export_csv(dir, table, to)?))),
            Exporting::Whole(bytes, name) => {
                let written = to.write_all(bytes).and_then(|()| to.flush());
                written.map_err(ExportError::Io)?;
                Ok(name.clone())
            }
        }
    }
}

/// A folder of this name is addressed as `./mjcf`.
const MJCF: &str = "mjcf";

fn exporting(dir: PathBuf, table: Option<String>) -> Result<Exporting, Failure> {
    if dir != Path::new(MJCF) {
        return Ok(Exporting::Table(dir, table.unwrap_or_else(|| "instances".to_string())));
    }
    let Some(path) = table.map(PathBuf::from) else {
        return Err(wrong("give an output folder, a study or a mechanism: polhode export mjcf PATH"));
    };
    let (file, mechanism) = described(&path)?;
    let starts = Model::described_start(&mechanism)
        .map_err(|fault| wrong(format!("{}: {}", file.display(), Model::explain(&mechanism, fault))))?;
    let text = fs::read_to_string(&file).unwrap_or_default();
    let exported = export_mjcf(&mechanism, &starts).map_err(|faults| {
        let messages = faults.iter().map(|fault| match line_of(&text, fault) {
            Some(line) => format!("{}:{line}: {fault}", file.display()),
            None => format!("{}: {fault}", file.display()),
        });
        wrong(messages.collect::<Vec<_>>().join("\n"))
    })?;
    let study = if path.is_dir() { &file } else { &path };
    for (file, notes) in [(&file, &exported.notes), (study, &exported.study_notes)] {
        notes.iter().for_each(|line| tell(&format!("{}: {line}", file.display())));
    }
    Ok(Exporting::Whole(exported.text.into_bytes(), "MJCF".to_string()))
}

/// The line on which the part has its name, or its table where it has none. The text is that of a
/// mechanism, or of a study that has one in place.
fn line_of(text: &str, fault: &ExportFault) -> Option<usize> {
    let root = DeTable::parse(text).ok()?.into_inner();
    let in_place = root.get("mechanism").and_then(|value| value.get_ref().as_table());
    let (key, parts) = in_place.unwrap_or(&root).get_key_value(fault.table.as_str())?;
    let name = |part: &Spanned<DeValue<'_>>| {
        let name = part.get_ref().as_table()?.get("name")?;
        (name.get_ref().as_str() == Some(&fault.name)).then(|| name.span())
    };
    let named = match parts.get_ref() {
        DeValue::Array(list) => list.iter().find_map(name),
        _ => name(parts),
    };
    let at = named.unwrap_or_else(|| key.span()).start;
    Some(text[..at].matches('\n').count() + 1)
}

/// The mechanism of a result, of a study, or of its own file; and the file that describes it.
fn described(path: &Path) -> Result<(PathBuf, Mechanism), Failure> {
    if path.is_dir() {
        let file = path.join("study.toml");
        let study = read_finished_study(&file).map_err(wrong)?;
        return Ok((file, study.mechanism));
    }
    let table = fs::read_to_string(path).ok().and_then(|text| text.parse::<toml::Table>().ok());
    let Some(mechanism) = table.as_ref().and_then(|table| table.get("mechanism")) else {
        return Ok((path.to_path_buf(), read_mechanism(path).map_err(wrong)?));
    };
    let file = mechanism.as_str().map_or(path.to_path_buf(), |name| path.with_file_name(name));
    Ok((file, read_study(path).map_err(wrong)?.mechanism))
}

pub(super) fn run(arguments: ExportArguments) -> Result<u8, Failure> {
    let ExportArguments { dir, table, csv: _, out, overwrite } = arguments;
    put(&exporting(dir, table)?, out, overwrite, &on_interrupt())
}

/// Writes it whole, or not at all; `None`: to standard output.
pub(super) fn put(
    what: &Exporting,
    out: Option<PathBuf>,
    overwrite: bool,
    interrupted: &AtomicBool,
) -> Result<u8, Failure> {
    let Some(out) = out.filter(|out| !["-", "/dev/stdout"].map(Path::new).contains(&&**out)) else {
        return stream(what, io::stdout().lock(), Path::new("standard output"), interrupted);
    };
    let refused = || wrong(format!("{}: exists already; --overwrite replaces it", out.display()));
    let failed = |error: io::Error| not_exported(&ExportError::Io(error), &out, interrupted);
    // A link is followed: what it leads to is written, or replaced.
    let there = out.metadata().ok();
    match &there {
        Some(metadata) if metadata.is_dir() => return Err(wrong(format!("{}: is a folder", out.display()))),
        Some(metadata) if !metadata.is_file() => {
            // A pipe or a device takes the table as it comes.
            let to = File::options().write(true).open(&out).map_err(failed)?;
            return stream(what, to, &out, interrupted);
        }
        Some(_) if !overwrite => return Err(refused()),
        _ => {}
    }
    let place = if there.is_some() { out.canonicalize().map_err(failed)? } else { out.clone() };
    let home = place.parent().filter(|home| !home.as_os_str().is_empty()).unwrap_or(Path::new("."));
    home.metadata().map_err(failed)?;
    remove_abandoned(home);
    // The file has its name when it is whole.
    let file = open_to_all(tempfile::Builder::new().prefix(UNFINISHED)).tempfile_in(home);
    let file = file.map_err(|error| failed(error.kind().into()))?;
    // Where a file system has no locks, what a killed export leaves there stays.
    let _ = file.as_file().lock();
    let to = Interruptible { to: BufWriter::new(file.as_file()), interrupted };
    let wrote = what.write(to).map_err(|error| not_exported(&error, &out, interrupted))?;
    file.as_file().sync_all().map_err(failed)?;
    match overwrite {
        true => drop(file.persist(&place).map_err(|error| failed(error.error))?),
        false => drop(file.persist_noclobber(&place).map_err(|error| match error.error.kind() {
            io::ErrorKind::AlreadyExists => refused(),
            _ => failed(error.error),
        })?),
    }
    Ok(print_summary(&format!("wrote {wrote} into {}\n", out.display())))
}

/// Names of tables under way begin so, each of which is locked by the process that writes it.
const UNFINISHED: &str = ".polhode-export-";

/// Removes what exports that were killed have left in this folder.
fn remove_abandoned(home: &Path) {
    for entry in home.read_dir().into_iter().flatten().flatten() {
        let is_export = entry.file_name().to_string_lossy().starts_with(UNFINISHED);
        if !is_export || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let Ok(file) = File::options().write(true).open(entry.path()) else { continue };
        if file.try_lock().is_ok() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Writes the text to what takes it as it comes.
fn stream(what: &Exporting, to: impl Write, name: &Path, interrupted: &AtomicBool) -> Result<u8, Failure> {
    match what.write(Interruptible { to: BufWriter::new(to), interrupted }) {
        // `| head` has seen enough.
        Err(ExportError::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(SUCCESS),
        Err(error) => Err(not_exported(&error, name, interrupted)),
        Ok(_) => Ok(SUCCESS),
    }
}

/// Takes nothing more once the user has ended it.
struct Interruptible<'a, W> {
    to: W,
    interrupted: &'a AtomicBool,
}

impl<W: Write> Write for Interruptible<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.interrupted.load(Ordering::Relaxed) {
            true => Err(io::Error::other("interrupted")),
            false => self.to.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Files made for a while are for their owner alone; this one stays.
#[cfg(unix)]
fn open_to_all<'a, 'b, 'c>(builder: &'a mut tempfile::Builder<'b, 'c>) -> &'a mut tempfile::Builder<'b, 'c> {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(std::fs::Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn open_to_all<'a, 'b, 'c>(builder: &'a mut tempfile::Builder<'b, 'c>) -> &'a mut tempfile::Builder<'b, 'c> {
    builder
}

fn not_exported(error: &ExportError, to: &Path, interrupted: &AtomicBool) -> Failure {
    let code = match error {
        ExportError::Io(_) if interrupted.load(Ordering::Relaxed) => INTERRUPTED,
        ExportError::Io(error) if !is_refused(error.kind()) => FAILED,
        ExportError::Output(error) if !error.is_refusal() => FAILED,
        _ => WRONG_INPUT,
    };
    let message = match error {
        ExportError::Io(error) => format!("{}: {error}", to.display()),
        error => error.to_string(),
    };
    Failure { code, message }
}
