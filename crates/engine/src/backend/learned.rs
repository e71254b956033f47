//! Lessons of earlier runs about the speed of a device, in a small file of the user's cache folder:
//! `polhode/speed_...json`. Another one tells which adapter was found last: where the CPU wins
//! against it, nobody waits until the system has listed its adapters.
//!
//! A file that is damaged, or of another device or driver, counts as none, and one that cannot be
//! written is left out: a choice may be worse then, and results differ by no more than those of the
//! two backends do.

use std::path::{Path, PathBuf};

use super::forecast_time::Forecast;
use super::gpu::adapter::AdapterSummary;
use crate::base::Precision;

/// Lessons of earlier runs on a device: measured times over those foretold for its class. By
/// precision: f32, then f64.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Learned {
    pub compiling: [f64; 2],
    pub stepping: [f64; 2],
    pub waiting: f64,
    /// Operations a second that a kernel did which kept the device busy; 0: none was seen.
    rate: [f64; 2],
    /// Kernels that the driver has in its cache, the latest last.
    compiled: Vec<u64>,
    /// Kernels that it has refused.
    refused: Vec<u64>,
}

impl Default for Learned {
    fn default() -> Learned {
        let compiled = Vec::new();
        let [compiling, stepping] = [[1.0; 2]; 2];
        Learned { compiling, stepping, waiting: 1.0, rate: [0.0; 2], compiled, refused: Vec::new() }
    }
}

/// A measured time is this much more or less than foretold at most: else something else was at
/// work.
const FARTHEST: f64 = 30.0;
/// Kernels that are remembered.
const REMEMBERED: usize = 256;

impl Learned {
    /// Whether all its numbers can be: a file may be damaged.
    fn is_sound(&self) -> bool {
        let factors = [&self.compiling[..], &self.stepping, &[self.waiting]].concat();
        let bounds = 1.0 / FARTHEST..=FARTHEST;
        factors.iter().all(|factor| bounds.contains(factor))
            && self.rate.iter().all(|rate| (0.0..1e18).contains(rate))
            && self.compiled.len() <= REMEMBERED
            && self.refused.len() <= REMEMBERED
    }

    pub fn has_compiled(&self, kernel: u64) -> bool {
        self.compiled.contains(&kernel)
    }

    pub fn has_refused(&self, kernel: u64) -> bool {
        self.refused.contains(&kernel)
    }

    /// Operations a second that were seen last.
    pub fn rate(&self, precision: Precision) -> Option<f64> {
        Some(self.rate[precision.place()]).filter(|rate| *rate > 0.0)
    }

    /// A kernel did so many operations a second.
    pub fn see(&mut self, precision: Precision, rate: f64) {
        self.rate[precision.place()] = rate;
    }

    /// The driver has refused this kernel.
    pub fn refuse(&mut self, kernel: u64) {
        remember(&mut self.refused, kernel);
    }

    /// A run of this kernel was foretold so, and has taken so much.
    pub fn learn(&mut self, precision: Precision, kernel: u64, foretold: &Forecast, taken: &Forecast) {
        let p = precision.place();
        if foretold.preparing > 0.0 && !self.has_compiled(kernel) {
            nudge(&mut self.compiling[p], taken.preparing / foretold.preparing);
        }
        let ratio = (taken.stepping + taken.waiting) / (foretold.stepping + foretold.waiting);
        match foretold.waiting > foretold.stepping {
            true => nudge(&mut self.waiting, ratio),
            false => nudge(&mut self.stepping[p], ratio),
        }
        remember(&mut self.compiled, kernel);
    }
}

impl Learned {
    /// The lessons of a device, by its name and driver.
    pub fn of(device: &str) -> Learned {
        file_of(device).and_then(|file| read(&file, device)).unwrap_or_default()
    }

    /// Keeps it for later runs, if it can.
    pub fn keep(&self, device: &str) {
        let kept = file_of(device).map(|file| write(&file, device, self));
        // Whoever has no cache folder learns nothing.
        drop(kept);
    }
}

/// The adapter that was found last for a precision.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct LastAdapter {
    pub name: String,
    pub kind: String,
    /// See [`AdapterSummary::known_as`].
    pub known_as: String,
    /// Variables of the environment that choose drivers.
    environment: String,
    /// (s since 1970)
    found: u64,
}

/// A machine may get another card: what was found longer ago (s) is looked for again.
const KEPT_IN_MIND: u64 = 24 * 3600;

/// Variables by which people choose drivers.
const CHOOSING: [&str; 5] =
    ["VK_DRIVER_FILES", "VK_ICD_FILENAMES", "VK_LOADER_DRIVERS_SELECT", "CUDA_VISIBLE_DEVICES", "DRI_PRIME"];

impl LastAdapter {
    fn new(found: &AdapterSummary) -> LastAdapter {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let chosen = CHOOSING.map(|name| std::env::var(name).unwrap_or_default());
        LastAdapter {
            name: found.name.clone(),
            kind: found.kind.to_string(),
            known_as: found.known_as(),
            environment: chosen.join("\n"),
            found: since.map_or(0, |since| since.as_secs()),
        }
    }

    /// The adapter that an earlier run found, not long ago and for the same precision and drivers.
    pub fn recalled(precision: Precision) -> Option<LastAdapter> {
        LastAdapter::read(&file_of_adapter(precision)?)
    }

    fn read(file: &Path) -> Option<LastAdapter> {
        let last: LastAdapter = serde_json::from_slice(&std::fs::read(file).ok()?).ok()?;
        let now = LastAdapter::new(&AdapterSummary::default());
        let is_recent = now.found.checked_sub(last.found).is_some_and(|ago| ago < KEPT_IN_MIND);
        (is_recent && last.environment == now.environment).then_some(last)
    }

    /// Keeps it in mind for later runs, if it can.
    pub fn keep(found: &AdapterSummary, precision: Precision) {
        let last = LastAdapter::new(found);
        let kept = file_of_adapter(precision).map(|file| replace(&file, &last));
        // Whoever has no cache folder looks each time.
        drop(kept);
    }
}

fn file_of_adapter(precision: Precision) -> Option<PathBuf> {
    Some(cache()?.join(format!("adapter_{}.json", precision.name())))
}

/// A file, with the device that it is of.
#[derive(serde::Serialize, serde::Deserialize)]
struct Stored {
    device: String,
    learned: Learned,
}

fn file_of(device: &str) -> Option<PathBuf> {
    Some(cache()?.join(format!("speed_{:016x}.json", twox_hash::XxHash3_64::oneshot(device.as_bytes()))))
}

#[cfg(feature = "gpu")]
fn cache() -> Option<PathBuf> {
    use etcetera::BaseStrategy as _;
    Some(etcetera::choose_base_strategy().ok()?.cache_dir().join("polhode"))
}

/// Without devices there is nothing to choose.
#[cfg(not(feature = "gpu"))]
fn cache() -> Option<PathBuf> {
    None
}

fn read(file: &Path, device: &str) -> Option<Learned> {
    let stored: Stored = serde_json::from_slice(&std::fs::read(file).ok()?).ok()?;
    (stored.device == device && stored.learned.is_sound()).then_some(stored.learned)
}

/// Puts a whole file in its place, whatever other runs do at the same time.
fn write(file: &Path, device: &str, learned: &Learned) -> std::io::Result<()> {
    replace(file, &Stored { device: device.to_string(), learned: learned.clone() })
}

fn replace(file: &Path, content: &impl serde::Serialize) -> std::io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let beside = tempfile::NamedTempFile::new_in(folder)?;
    serde_json::to_writer(&beside, content)?;
    beside.persist(file)?;
    Ok(())
}

/// Half of the way, by its logarithm, to what was measured.
fn nudge(factor: &mut f64, ratio: f64) {
    if ratio.is_finite() && ratio > 0.0 {
        *factor = (*factor * ratio.sqrt()).clamp(1.0 / FARTHEST, FARTHEST);
    }
}

fn remember(kernels: &mut Vec<u64>, kernel: u64) {
    kernels.retain(|known| *known != kernel);
    kernels.push(kernel);
    let surplus = kernels.len().saturating_sub(REMEMBERED);
    kernels.drain(..surplus);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forecast(preparing: f64, waiting: f64, stepping: f64) -> Forecast {
        Forecast { preparing, waiting, stepping }
    }

    #[test]
    fn what_runs_teach_comes_nearer_to_what_they_take() {
        let mut learned = Learned::default();
        for kernel in 0..8 {
            let foretold = forecast(learned.compiling[1], 0.1, learned.stepping[1]);
            learned.learn(Precision::F64, kernel, &foretold, &forecast(5.0, 0.0, 0.25));
        }
        assert!((learned.compiling[1] - 5.0).abs() < 0.1, "{learned:?}");
        assert!((learned.stepping[1] - 0.15).abs() < 0.05, "{learned:?}");
        assert_eq!((learned.compiling[0], learned.stepping[0]), (1.0, 1.0));
        assert!(learned.has_compiled(7) && !learned.has_compiled(8));
        // A kernel that the driver has in its cache teaches nothing of compiling.
        let before = learned.compiling[1];
        learned.learn(Precision::F64, 7, &forecast(1.0, 0.1, 1.0), &forecast(0.1, 0.0, 1.0));
        assert_eq!(learned.compiling[1], before);
    }

    /// An adapter is kept in mind for a day, and while the same drivers are asked for.
    #[test]
    fn an_adapter_is_recalled_for_a_day() {
        let summary = AdapterSummary { name: "a card".to_string(), kind: "discrete", ..Default::default() };
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("adapter.json");
        let last = LastAdapter::new(&summary);
        let read = |changed: LastAdapter| {
            replace(&file, &changed).expect("written");
            LastAdapter::read(&file).map(|last| last.name)
        };
        assert_eq!(read(last.clone()).as_deref(), Some("a card"));
        let (day, soon) = (last.found - KEPT_IN_MIND, last.found + 60);
        assert_eq!(read(LastAdapter { found: day, ..last.clone() }), None);
        assert_eq!(read(LastAdapter { found: soon + 60, ..last.clone() }), None);
        let environment = "another".to_string();
        assert_eq!(read(LastAdapter { environment, ..last }), None);
    }

    #[test]
    fn a_file_is_of_its_device_and_whole_or_is_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("caches").join("speed.json");
        let mut learned = Learned::default();
        learned.refuse(3);
        learned.see(Precision::F64, 1e12);
        assert_eq!((learned.rate(Precision::F32), learned.rate(Precision::F64)), (None, Some(1e12)));
        write(&file, "a card, driver 5", &learned).expect("written");
        assert_eq!(read(&file, "a card, driver 5"), Some(learned.clone()));
        assert_eq!(read(&file, "a card, driver 6"), None);
        learned.waiting = f64::MAX;
        write(&file, "a card, driver 5", &learned).expect("written");
        assert_eq!(read(&file, "a card, driver 5"), None);
        for text in ["", "{", "[1]", "\u{0}", "{\"device\": 1}"] {
            std::fs::write(&file, text).expect("written");
            assert_eq!(read(&file, "a card, driver 5"), None, "{text}");
        }
    }
}
