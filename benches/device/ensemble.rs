//! Whole runs of the command from study to folder, and the largest ensemble that a device takes at
//! once.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use polhode::backend::gpu::adapter::{AdapterChoice, AdapterSummary};
use polhode::backend::gpu::device::Device;
use polhode::backend::gpu::kernel::Kernel;
use polhode::backend::{BackendError, gpu};
use polhode::base::Precision;
use polhode::output::{Manifest, Timings};
use polhode::study_file::{read_study, resolved_toml};

use crate::rows::Row;
use crate::speed::{WORKGROUP, bytes, free_bodies, free_body, host_memory};
use crate::{Context, software};

/// Whole runs: what bodies alone cost, short and long kernels, few and many instances, maps,
/// exponents and indices.
const RUNS: [&str; 12] = [
    "tumbling",
    "arm",
    "furuta_sensitivity",
    "map_free_body",
    "map_cart_pole",
    "map_slider_crank",
    "double_pendulum",
    "four_bar",
    "spacecraft",
    "rolling_ball",
    "crane_flexible",
    "furuta_chaos",
];
/// Instances where no hardware is measured.
const DRY: u64 = 1_000;
/// Longest run (s): where the other backend is that much quicker, more is not worth knowing.
const LONGEST: f64 = 20.0;

/// The command beside this program, or in the folder above, where cargo puts it.
fn command() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let folders = own.ancestors().skip(1).take(2);
    let found = folders.map(|folder| folder.join("polhode")).find(|file| file.is_file());
    found.ok_or_else(|| "no program polhode is beside this one: cargo build --release".to_string())
}

/// Time of a run of the command (s), which is ended where it takes longer than `most` (s).
fn whole(command: &Path, study: &Path, device: &str, out: &Path, most: f64) -> Result<f64, String> {
    let started = Instant::now();
    let mut run = Command::new(command);
    run.arg("run").arg(study).args(["--backend", device, "--quiet", "--overwrite", "--out"]).arg(out);
    let mut child = run.stdout(Stdio::null()).spawn().map_err(|error| error.to_string())?;
    loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) if status.success() => return Ok(started.elapsed().as_secs_f64()),
            Some(status) => return Err(format!("polhode run ended with {status}")),
            None if started.elapsed().as_secs_f64() > most => {
                child.kill().and_then(|()| child.wait()).map_err(|error| error.to_string())?;
                return Err(format!("polhode run took longer than {most:.0} s and was ended"));
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

/// `polhode run` of shipped studies on every adapter, on the CPU, and as `auto` has it: each from
/// study to folder, by stage.
pub fn end_to_end(context: &mut Context) -> Result<(), String> {
    let command = command()?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let is_dry = context.adapters.iter().all(software);
    let adapters =
        context.adapters.iter().map(|adapter| (adapter.name.clone(), format!("gpu:{}", adapter.name)));
    let mut backends: Vec<(String, String)> = adapters.collect();
    backends.push(("CPU, all threads".to_string(), "cpu".to_string()));
    backends.push(("auto".to_string(), "auto".to_string()));
    let mut left = RUNS.len() * backends.len();
    for name in RUNS {
        let mut study = read_study(Path::new(&format!("studies/{name}.toml")))
            .map_err(|problems| problems.to_string())?;
        if is_dry {
            study.ensemble.size = study.ensemble.size.min(DRY);
        }
        let file = folder.path().join("study.toml");
        std::fs::write(&file, resolved_toml(&study)).map_err(|error| error.to_string())?;
        for (backend, asked) in &backends {
            let row = || {
                let row = Row::of("end_to_end", backend, name).in_precision(study.run.precision);
                row.over(study.ensemble.size as usize, study.method.steps)
            };
            let share = (3.0 * context.left() / left as f64).min(LONGEST).min(context.left());
            left -= 1;
            let out = folder.path().join("out");
            let done = match share > 0.5 {
                true => whole(&command, &file, asked, &out, share),
                false => Err("no time was left".to_string()),
            };
            match done.and_then(|time| Ok((time, manifest(&out)?))) {
                Ok((time, manifest)) => {
                    context.rows.push(row().text("took", &manifest.backend))?;
                    let Timings { sampling, preparing, stepping, observing, writing, .. } = manifest.timings;
                    for (figure, time) in [
                        ("wall-clock time", time),
                        ("drawing", sampling),
                        ("preparing", preparing),
                        ("stepping", stepping),
                        ("observing", observing),
                        ("writing", writing),
                    ] {
                        context.rows.push(row().number(figure, time, "s", Some(f64::NAN)))?;
                    }
                }
                Err(reason) => context.rows.push(row().left_out(&reason))?,
            }
        }
    }
    Ok(())
}

/// The manifest of a result.
fn manifest(folder: &Path) -> Result<Manifest, String> {
    let text = std::fs::read(folder.join("manifest.json")).map_err(|error| error.to_string())?;
    serde_json::from_slice(&text).map_err(|error| format!("manifest.json: {error}"))
}

/// So many free bodies, loaded, advanced by a hundred steps and fetched: the time of each (s).
fn holds(adapter: &AdapterSummary, precision: Precision, count: usize) -> Result<[f64; 3], BackendError> {
    let plan = free_body().map_err(BackendError::Unsuited)?;
    let device = Device::open(&AdapterChoice::Named(adapter.name.clone()), precision)?;
    let batch = free_bodies(&plan, count);
    let mut backend = gpu::open(plan, device, precision)?;
    let mut times = [0.0; 3];
    let mut started = Instant::now();
    let mut lap = |k: usize| {
        times[k] = started.elapsed().as_secs_f64();
        started = Instant::now();
    };
    backend.load(&batch)?;
    lap(0);
    backend.advance(0, 100)?;
    lap(1);
    backend.fetch()?;
    lap(2);
    Ok(times)
}

/// Doubles an ensemble of free bodies until something ends it, and says what.
pub fn largest(context: &mut Context) -> Result<(), String> {
    for adapter in context.adapters.clone() {
        for precision in Context::precisions(&adapter) {
            let plan = free_body()?;
            let (device, host) = bytes(&plan, &Kernel::new(&plan, precision), precision);
            let limit = adapter.binding_limit_bytes.min(adapter.buffer_limit_bytes);
            // The backend rounds up to whole workgroups.
            let bound = (limit / device) as usize / WORKGROUP * WORKGROUP;
            let row = || Row::of("largest", &adapter.name, "free body").in_precision(precision);
            let (mut held, mut count, mut last) = (None, 1_000_000.min(bound), 0.0);
            let ended = loop {
                if 3.0 * last > context.left() {
                    break "no time was left for twice as many".to_string();
                }
                if host_memory().is_some_and(|free| host * count as u64 > free / 10 * 8) {
                    break format!("{count} instances want {} B on the host", host * count as u64);
                }
                let started = Instant::now();
                match holds(&adapter, precision, count) {
                    Ok(times) => held = Some((count, times)),
                    Err(error) => break format!("{count} instances: {error}"),
                }
                last = started.elapsed().as_secs_f64();
                if count == bound {
                    break format!("the adapter binds {limit} B at most");
                }
                count = (2 * count).min(bound);
            };
            if let Some((count, times)) = held {
                let row = || row().over(count, 100);
                context.rows.push(row().number(
                    "state on the device",
                    (device * count as u64) as f64,
                    "B",
                    None,
                ))?;
                for (figure, time) in ["loaded in", "advanced in", "fetched in"].into_iter().zip(times) {
                    context.rows.push(row().number(figure, time, "s", Some(f64::NAN)))?;
                }
            }
            context.rows.push(row().text("ended by", &ended))?;
        }
    }
    Ok(())
}
