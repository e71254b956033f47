//! Writes the SPIR-V of every kernel that GPUs get for shipped studies to `target/spirv/`, for an
//! outside judge:
//!
//!     cargo run --release --example spirv && spirv-val --target-env vulkan1.2 target/spirv/*.spv

use std::error::Error;
use std::path::Path;

use polhode::backend::choose::LONGEST_WHOLE;
use polhode::backend::gpu::kernel::Kernel;
use polhode::backend::gpu::rigid_body;
use polhode::base::Precision;
use polhode::study::plan::plan;
use polhode::study_file::read_study;
use wgpu::naga;

/// SPIR-V of this WGSL, as the Vulkan backend makes it.
fn spirv(text: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let module = naga::front::wgsl::parse_str(text).map_err(|error| error.emit_to_string(text))?;
    let capabilities = naga::valid::Capabilities::FLOAT64;
    let info = naga::valid::Validator::new(naga::valid::ValidationFlags::all(), capabilities)
        .validate(&module)
        .map_err(|error| error.emit_to_string(text))?;
    let options = naga::back::spv::Options { lang_version: (1, 3), ..Default::default() };
    let words = naga::back::spv::write_vec(&module, &info, &options, None)?;
    Ok(words.into_iter().flat_map(u32::to_le_bytes).collect())
}

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root.join("target/spirv");
    std::fs::create_dir_all(&folder)?;
    let mut written = 0;
    let mut write = |name: String, text: &str| -> Result<(), Box<dyn Error>> {
        let bytes = spirv(text).map_err(|error| format!("{name}: {error}"))?;
        std::fs::write(folder.join(format!("{name}.spv")), bytes)?;
        written += 1;
        Ok(())
    };
    for entry in std::fs::read_dir(root.join("studies"))? {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let study = read_study(&path)?;
        if !study.kind.card().steps {
            continue; // It advances nothing.
        }
        let plan = plan(&study).map_err(|_| format!("{}: describes no body", path.display()))?;
        if plan.method.is_adaptive() {
            continue; // It chooses its steps as it goes, on the CPU alone.
        }
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for (precision, suffix) in [(Precision::F32, "f32"), (Precision::F64, "f64")] {
            let kernel = Kernel::new(&plan, precision);
            if kernel.lines() <= LONGEST_WHOLE {
                write(format!("{stem}.{suffix}"), &kernel.text)?;
            }
            if let Some(kernel) = rigid_body::kernel(&plan, precision) {
                write(format!("rigid_body.{suffix}"), &kernel.text)?;
            }
        }
    }
    println!("{written} kernels in {}", folder.display());
    Ok(())
}
