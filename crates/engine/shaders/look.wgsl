// Shared by the kernels that observe. `real` stands before it: f64 in a run, f32 in a page.

struct Look {
    // Instances that are looked at: `count` of them, from `first` on, which is a multiple of GROUP.
    first: u32,
    count: u32,
    // Distances between planes: of the states, and of the values.
    stride: u32,
    values_stride: u32,
    // Room for values that are not near.
    capacity: u32,
    // Zero, which no driver knows.
    never: u32,
}

@group(0) @binding(0) var<uniform> look: Look;

// Most values whose sum is exact in two parts, and values that a workgroup adds up, as in
// crates/engine/src/backend/tally.rs.
const BLOCK = 1024u;
const GROUP = 8192u;

// The rounded result itself: what is computed from it is not merged with it, nor put in another
// order.
fn kept(x: real) -> real {
    return select(x, real(0.0), is_never());
}

fn is_never() -> bool {
    return look.never != 0u;
}
