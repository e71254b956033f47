//! SPIR-V of a kernel whose every sum, product and quotient is computed as it is written.
//!
//! A driver may fuse `a * b + c` of a kernel to one operation that rounds once, and take sums in
//! another order: WGSL leaves both open. SPIR-V forbids both, operation by operation, by the
//! decoration `NoContraction` (SPIR-V 1.6, 3.20), which naga (30.0) does not write. So Vulkan gets
//! the SPIR-V of naga with these decorations added. It costs no operation.

use wgpu::naga;

use crate::backend::BackendError;

/// Words before the first instruction.
const HEADER: usize = 5;

/// Numbers of instructions and of the decoration (SPIR-V 1.6, 3.32 and 3.20).
const FIRST_TYPE: u32 = 19;
const DECORATE: u32 = 71;
const NO_CONTRACTION: u32 = 42;
/// `OpFNegate`, `OpFAdd`, `OpFSub`, `OpFMul`, `OpFDiv`.
const ARITHMETIC: [u32; 5] = [127, 129, 131, 133, 136];

/// A module for the driver.
pub struct ExactModule {
    pub words: Vec<u32>,
    /// Names of its entry points, and the sizes of their workgroups.
    pub entries: Vec<(String, [u32; 3])>,
}

impl ExactModule {
    /// The module of this WGSL. `double`: the device computes in f64.
    ///
    /// # Errors
    /// The text is no valid WGSL.
    pub fn of(text: &str, double: bool) -> Result<ExactModule, BackendError> {
        use naga::back::spv;
        use naga::proc::{BoundsCheckPolicies, BoundsCheckPolicy};
        use naga::valid::{Capabilities, ValidationFlags, Validator};
        let refused = |message: String| BackendError::Kernel(message);
        let module = naga::front::wgsl::parse_str(text).map_err(|e| refused(e.emit_to_string(text)))?;
        let capabilities = if double { Capabilities::FLOAT64 } else { Capabilities::empty() };
        let checked = Validator::new(ValidationFlags::all(), capabilities).validate(&module);
        let info = checked.map_err(|e| refused(e.emit_to_string(text)))?;
        let options = spv::Options {
            flags: spv::WriterFlags::empty(),
            // Buffers are checked by the device, as wgpu asks of it.
            bounds_check_policies: BoundsCheckPolicies {
                index: BoundsCheckPolicy::Restrict,
                ..BoundsCheckPolicies::default()
            },
            zero_initialize_workgroup_memory: spv::ZeroInitializeWorkgroupMemoryMode::None,
            // All loops of our kernels end.
            force_loop_bounding: false,
            ..spv::Options::default()
        };
        let words = spv::write_vec(&module, &info, &options, None).map_err(|e| refused(e.to_string()))?;
        let entries = module.entry_points.iter().map(|entry| (entry.name.clone(), entry.workgroup_size));
        Ok(ExactModule { words: uncontracted(&words), entries: entries.collect() })
    }
}

/// These words with a decoration for every result of an arithmetic instruction, before the first
/// type.
fn uncontracted(words: &[u32]) -> Vec<u32> {
    let mut decorations = Vec::new();
    let mut first_type = None;
    let mut at = HEADER;
    while let Some(word) = words.get(at) {
        let (length, instruction) = ((word >> 16) as usize, word & 0xffff);
        // Decorations of naga come before its types.
        if first_type.is_none() && (FIRST_TYPE..DECORATE).contains(&instruction) {
            first_type = Some(at);
        }
        if ARITHMETIC.contains(&instruction) {
            decorations.extend([3 << 16 | DECORATE, words[at + 2], NO_CONTRACTION]);
        }
        at += length.max(1);
    }
    let (before, after) = words.split_at(first_type.unwrap_or(words.len()));
    [before, &decorations, after].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sum_and_product_is_decorated_once_before_the_types() {
        let text = "@group(0) @binding(0) var<storage, read_write> x: array<f32>;\n\
                    @compute @workgroup_size(1) fn f() { x[0] = -(x[1] * x[2] + x[3]) / (x[4] - x[5]); }";
        let ExactModule { words, entries } = ExactModule::of(text, false).expect("valid WGSL");
        assert_eq!(entries, [("f".to_string(), [1, 1, 1])]);
        let mut instructions = Vec::new();
        let mut at = HEADER;
        while at < words.len() {
            let length = (words[at] >> 16) as usize;
            instructions.push(&words[at..at + length]);
            at += length;
        }
        assert_eq!(at, words.len());
        let instructions_of =
            |number: u32| instructions.iter().filter(move |words| words[0] & 0xffff == number);
        let mut results: Vec<u32> =
            ARITHMETIC.iter().flat_map(|a| instructions_of(*a)).map(|words| words[2]).collect();
        let decorated = |words: &&&[u32]| words[2..] == [NO_CONTRACTION];
        let mut found: Vec<u32> = instructions_of(DECORATE).filter(decorated).map(|words| words[1]).collect();
        results.sort_unstable();
        found.sort_unstable();
        assert_eq!(results.len(), 5);
        assert_eq!(found, results);
        let place = |number: u32| instructions.iter().position(|words| words[0] & 0xffff == number);
        let last = instructions.iter().rposition(|words| words[0] & 0xffff == DECORATE);
        assert!(last < place(FIRST_TYPE) && last > place(15), "between entry points and types");
    }
}
