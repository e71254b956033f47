//! `polhode devices`: lists the GPU adapters.

use std::fmt::Write as _;

use super::{FAILED, Failure, print};
use polhode::backend::gpu::device;
use polhode::base::bytes;

/// List the GPU adapters with their limits and features.
///
/// Next: polhode run STUDY --backend gpu:NAME
#[derive(Debug, clap::Args)]
pub struct DevicesArguments {
    /// As JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: DevicesArguments) -> Result<u8, Failure> {
    let DevicesArguments { json } = arguments;
    let adapters = device::list();
    if json {
        let text = serde_json::to_string_pretty(&adapters)
            .map_err(|error| Failure { code: FAILED, message: error.to_string() })?;
        return print(&(text + "\n"));
    }
    if adapters.is_empty() {
        return print("no GPU adapter; studies run on the CPU (is a Vulkan driver installed?)\n");
    }
    let mut text = String::new();
    for a in adapters {
        let _ = writeln!(text, "{} ({}, {})", a.name, a.kind, a.backend);
        let _ = writeln!(text, "  driver                {}", a.driver);
        let _ = writeln!(text, "  f64 in kernels        {}", if a.f64 { "yes" } else { "no" });
        let _ = writeln!(text, "  largest binding       {}", bytes(a.binding_limit_bytes as f64));
        let _ = writeln!(text, "  largest buffer        {}", bytes(a.buffer_limit_bytes as f64));
        let _ = writeln!(text, "  workgroup invocations {}", a.workgroup_invocations);
        if a.kind == "software" {
            let _ = writeln!(text, "  taken only when asked: backend = \"gpu\"");
        }
    }
    print(&text)
}
