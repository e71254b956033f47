//! The answer to a study's question, of whatever kind, and the one writer of results: tables,
//! numbers for programs, pictures, the report, the study as resolved and, last, the manifest that
//! lists them, into a folder that appears whole or not at all.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::cards::TableCard;
use super::error::OutputError;
use super::folder::OutputFolder;
use super::listing::Listing;
use super::manifest::Manifest;
use super::new_file::NewFile;
use super::picture::{Picture, Pictures};
use super::samples::write_samples;
use polhode_description::describe::Study;

/// Nobody interrupts.
pub static NEVER: AtomicBool = AtomicBool::new(false);

pub const STUDY: &str = "study.toml";
pub const REPORT: &str = "report.html";

/// Writes a table into its file.
pub type FillTable<'a> = Box<dyn FnOnce(&NewFile) -> Result<(), OutputError> + 'a>;
/// Draws all pictures.
type Draw<'a> = Box<dyn FnOnce(&Manifest, &OutputFolder) -> Result<Vec<Picture>, OutputError> + 'a>;
/// Renders the page of the report.
type Report<'a> = Box<dyn FnOnce(&Manifest, &Pictures) -> String + 'a>;

/// An answer before it is written.
pub struct StudyAnswer<'a> {
    pub study: &'a Study,
    /// The study as resolved.
    pub study_toml: &'a str,
    /// Those that the run has not written before.
    pub tables: Vec<(&'static TableCard, FillTable<'a>)>,
    /// Numbers of the report for programs, by file.
    pub data: Option<(&'static str, serde_json::Value)>,
    /// Called where pictures are wanted.
    pub draw: Draw<'a>,
    /// Called where a report is wanted.
    pub report: Report<'a>,
    /// The findings, in lines.
    pub found: Vec<String>,
    /// Its first column that spreads over time, for a terminal.
    pub fan: Option<String>,
}

/// Where a run ends up.
#[derive(Clone, Debug)]
pub struct RunOutcome {
    pub folder: PathBuf,
    pub manifest: Manifest,
    /// The findings, in lines; what the manifest tells is not among them.
    pub found: Vec<String>,
    /// Its first column that spreads over time, for a terminal; none of earlier runs.
    pub fan: Option<String>,
}

impl StudyAnswer<'_> {
    /// Writes it beside what the run has left in the folder before, and gives the folder its name.
    /// The time taken here is added to the manifest's, as writing. Whoever has interrupted the run
    /// waits for no picture: `polhode plot` draws them later.
    ///
    /// # Errors
    /// The system refuses a file.
    pub fn write(
        self,
        folder: OutputFolder,
        interrupted: &AtomicBool,
        mut manifest: Manifest,
    ) -> Result<RunOutcome, OutputError> {
        let start = Instant::now();
        for (card, fill) in self.tables {
            fill(&folder.path(card.file))?;
        }
        if let Some((file, data)) = self.data {
            folder.write(file, format!("{data:#}\n").as_bytes())?;
        }
        let output = &self.study.output;
        let has_pictures = output.has_pictures() && !interrupted.load(Ordering::Relaxed);
        let drawn = if has_pictures { (self.draw)(&manifest, &folder)? } else { Vec::new() };
        let pictures = Pictures(drawn);
        folder.write(STUDY, self.study_toml.as_bytes())?;
        write_samples(self.study, &folder)?;
        if output.plots {
            folder.write_pictures(&pictures.0, interrupted)?;
        }
        let before = manifest.timings;
        let clock = |manifest: &mut Manifest| {
            let elapsed = start.elapsed().as_secs_f64();
            manifest.timings.writing = before.writing + elapsed;
            manifest.timings.total = before.total + elapsed;
        };
        clock(&mut manifest);
        if output.report {
            folder.write(REPORT, (self.report)(&manifest, &pictures).as_bytes())?;
            clock(&mut manifest);
        }
        folder.write_manifest(&mut manifest)?;
        Ok(RunOutcome { folder: folder.finish()?, manifest, found: self.found, fan: self.fan })
    }
}

/// The listing as a table of an answer.
pub fn table_of(listing: &Listing) -> FillTable<'_> {
    Box::new(|file| listing.write_parquet(file))
}
