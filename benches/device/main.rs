//! All that is to be known of a GPU that is at hand for minutes only: limits, bits, speeds, the
//! largest ensemble, a lost device.
//!
//!     cargo bench --bench device                              every part, a minute each at most
//!     cargo bench --bench device -- kernels --seconds 60      one part
//!     cargo bench --bench device -- kernels --sizes 10000,1000000
//!
//! `pack.sh` makes a folder of this program and all that it needs for a machine with nothing but
//! drivers; `run.sh` there runs the parts one after another, each in a process of its own, since a
//! driver that fails may take its process with it. Every part appends its rows to a CSV file as
//! they are measured; `page` makes a page of that file.

mod bits;
mod chains;
mod cuda;
mod ensemble;
mod flow;
mod loss;
mod page;
mod rows;
mod speed;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use polhode::backend::cpu;
use polhode::backend::gpu::adapter::AdapterSummary;
use polhode::backend::gpu::device::list;
use polhode::base::Precision;

use rows::{Row, Rows};

/// A part gets the adapters, a place for its rows, and a time until which it may measure.
struct Context {
    adapters: Vec<AdapterSummary>,
    rows: Rows,
    end: Instant,
    /// Numbers of instances; empty: a ladder that fits the adapter.
    sizes: Vec<usize>,
}

impl Context {
    /// Time that is left (s), zero at least.
    fn left(&self) -> f64 {
        self.end.saturating_duration_since(Instant::now()).as_secs_f64()
    }

    /// The precisions in which an adapter computes.
    fn precisions(adapter: &AdapterSummary) -> Vec<Precision> {
        match adapter.f64 {
            true => vec![Precision::F32, Precision::F64],
            false => vec![Precision::F32],
        }
    }

    /// The numbers of instances that this adapter is measured with.
    fn ladder(&self, adapter: &AdapterSummary) -> Vec<usize> {
        match (self.sizes.is_empty(), software(adapter)) {
            (false, _) => self.sizes.clone(),
            (true, true) => vec![1_000, 10_000],
            (true, false) => vec![10_000, 100_000, 1_000_000, 10_000_000, 100_000_000],
        }
    }
}

/// Whether an adapter computes on the processor: then its speeds say nothing of a GPU.
fn software(adapter: &AdapterSummary) -> bool {
    adapter.kind == "software"
}

type Part = (&'static str, fn(&mut Context) -> Result<(), String>);

const PARTS: [Part; 10] = [
    ("devices", devices),
    ("bits", bits::compare),
    ("kernels", speed::kernels),
    ("cuda", cuda::ceiling),
    ("mechanisms", speed::mechanisms),
    ("chains", chains::measure),
    ("flow", flow::measure),
    ("end_to_end", ensemble::end_to_end),
    ("largest", ensemble::largest),
    ("loss", loss::on_purpose),
];

/// The adapters with their limits, and the machine that they are in.
fn devices(context: &mut Context) -> Result<(), String> {
    let part = "devices";
    let threads = std::thread::available_parallelism().map_or(1, usize::from).to_string();
    for (figure, value) in [
        ("polhode", env!("CARGO_PKG_VERSION").to_string()),
        ("processor", cpu::processor()),
        ("threads", threads),
    ] {
        context.rows.push(Row::of(part, "host", "machine").text(figure, &value))?;
    }
    let all = list();
    for adapter in &all {
        let row = || Row::of(part, &adapter.name, "adapter");
        for (figure, value) in
            [("kind", adapter.kind), ("interface", &*adapter.backend), ("driver", &*adapter.driver)]
        {
            context.rows.push(row().text(figure, value))?;
        }
        let f64 = if adapter.f64 { "yes" } else { "no" };
        context.rows.push(row().text("f64 in kernels", f64))?;
        for (figure, value, unit) in [
            ("largest binding", adapter.binding_limit_bytes, "B"),
            ("largest buffer", adapter.buffer_limit_bytes, "B"),
            ("workgroup invocations", u64::from(adapter.workgroup_invocations), "1"),
        ] {
            context.rows.push(row().number(figure, value as f64, unit, None))?;
        }
    }
    match all.is_empty() {
        true => Err("no GPU adapter was found; is a Vulkan driver installed?".to_string()),
        false => Ok(()),
    }
}

/// Hardware, each name once; where there is none, software.
fn adapters() -> Vec<AdapterSummary> {
    let mut all = list();
    if all.iter().any(|adapter| !software(adapter)) {
        all.retain(|adapter| !software(adapter));
    }
    all.dedup_by(|a, b| a.name == b.name);
    all
}

fn run() -> Result<(), String> {
    let mut wanted: Vec<String> = Vec::new();
    let (mut seconds, mut csv, mut sizes) = (60.0, None, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{argument} wants a value"));
        match argument.as_str() {
            // `cargo bench` gives this.
            "--bench" => {}
            "--seconds" => seconds = value()?.parse().map_err(|error| format!("--seconds: {error}"))?,
            "--csv" => csv = Some(PathBuf::from(value()?)),
            "--sizes" => {
                let numbers: Result<Vec<usize>, _> = value()?.split(',').map(str::parse).collect();
                sizes = numbers.map_err(|error| format!("--sizes: {error}"))?;
            }
            "page" => return page::write(&value()?),
            "name" => {
                println!("{}", rows::file_name(adapters().first()));
                return Ok(());
            }
            part => wanted.push(part.to_string()),
        }
    }
    let known = |name: &String| PARTS.iter().any(|(part, _)| part == name);
    if let Some(unknown) = wanted.iter().find(|name| !known(name)) {
        let names: Vec<&str> = PARTS.iter().map(|(part, _)| *part).collect();
        return Err(format!("{unknown:?} is no part: give some of {}, page FILE, name", names.join(", ")));
    }
    let mut failed = false;
    for (name, part) in PARTS {
        if !wanted.is_empty() && !wanted.iter().any(|other| other == name) {
            continue;
        }
        let mut context = Context {
            adapters: adapters(),
            rows: Rows::open(csv.as_deref())?,
            end: Instant::now() + Duration::from_secs_f64(seconds),
            sizes: sizes.clone(),
        };
        // A part that fails does not keep the others from being measured.
        if let Err(reason) = part(&mut context) {
            context.rows.push(Row::of(name, "", "").left_out(&reason))?;
            failed = true;
        }
    }
    if failed { Err("a part was left out, see its row".to_string()) } else { Ok(()) }
}

fn main() -> ExitCode {
    // One program is half as large as two: in the pack, `polhode` is a line of shell that sets
    // this.
    if std::env::var_os("POLHODE_COMMAND").is_some() {
        return polhode_cli::main();
    }
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}
