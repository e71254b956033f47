// Histograms of a page, in f32: the range of every column, then how many values lie in each of BINS
// equal parts of it, and how the instances have ended. What is excluded is infinite, as
// shaders/observe.wgsl leaves it.

struct Counting {
    count: u32,
    stride: u32,
    // Columns from this one on are counted: those before it are poses.
    first: u32,
}

@group(0) @binding(0) var<uniform> counting: Counting;
@group(0) @binding(1) var<storage, read> values: array<f32>;
@group(0) @binding(2) var<storage, read> ends: array<vec2<u32>>;
// By column: the complement of the smallest value's key, and the key of the largest. Both begin at
// zero.
@group(0) @binding(3) var<storage, read_write> ranges: array<atomic<u32>>;
// By column and bin; then by verdict.
@group(0) @binding(4) var<storage, read_write> counts: array<atomic<u32>>;

const BINS = 512u;
const VERDICTS = 64u;

fn is_finite_value(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u;
}

// Numbers have the order of their keys.
fn key(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    return select(bits | 0x80000000u, ~bits, bits >= 0x80000000u);
}

fn of_key(bits: u32) -> f32 {
    return bitcast<f32>(select(~bits, bits & 0x7fffffffu, bits >= 0x80000000u));
}

fn value(id: vec3<u32>) -> f32 {
    return values[(counting.first + id.y) * counting.stride + id.x];
}

@compute @workgroup_size(64)
fn extremes(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= counting.count {
        return;
    }
    let x = value(id);
    if is_finite_value(x) {
        atomicMax(&ranges[2u * id.y], ~key(x));
        atomicMax(&ranges[2u * id.y + 1u], key(x));
    }
}

@compute @workgroup_size(64)
fn count(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    if id.x >= counting.count {
        return;
    }
    let x = value(id);
    if is_finite_value(x) {
        let low = of_key(~atomicLoad(&ranges[2u * id.y]));
        let high = of_key(atomicLoad(&ranges[2u * id.y + 1u]));
        // Halves, so that no difference of finite numbers overflows.
        let share = (0.5 * x - 0.5 * low) / max(0.5 * high - 0.5 * low, 1e-38);
        atomicAdd(&counts[id.y * BINS + min(u32(share * f32(BINS)), BINS - 1u)], 1u);
    }
    if id.y == 0u {
        atomicAdd(&counts[groups.y * BINS + min(ends[id.x].x, VERDICTS - 1u)], 1u);
    }
}
