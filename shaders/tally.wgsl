// Adds up columns: a workgroup takes one column of a block of instances. What a near value adds is exact, so that it does
// not matter in which order. Before this text stands shaders/look.wgsl.

// As in src/backend/tally.rs.
struct Rule {
    centre: f64,
    scale: f64,
    shift: f64,
    coarse_shift: f64,
    square_shift: f64,
    square_coarse_shift: f64,
}

struct Part {
    sum_high: f64,
    sum_low: f64,
    squares_high: f64,
    squares_low: f64,
    smallest: f64,
    largest: f64,
    count: f64,
}

// A value that is not near.
struct Apart {
    column: f64,
    value: f64,
}

@group(0) @binding(1) var<storage, read> values: array<f64>;
@group(0) @binding(2) var<storage, read> rules: array<Rule>;
@group(0) @binding(3) var<storage, read_write> parts: array<Part>;
// SLOTS counts a column, and then how many values are not near.
@group(0) @binding(4) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> apart: array<Apart>;

const SLOTS = 2049u;
const EXCLUDED = 2048u;
// Bins in a unit of u.
const BINS: f64 = 256.0lf;
// Near values are from here to twice this, once they are shifted.
const FIRST: f64 = 8.0lf;
const LANES = 64u;
const LARGEST: f64 = 1.7976931348623157e308lf;

var<workgroup> counted: array<atomic<u32>, SLOTS>;
var<workgroup> lanes: array<Part, LANES>;

// Parts of a number on a grid.
struct Split {
    high: f64,
    low: f64,
}

fn split(x: f64, coarse_shift: f64) -> Split {
    let high = kept(kept(x + coarse_shift) - coarse_shift);
    return Split(high, kept(x - high));
}

fn both(a: Part, b: Part) -> Part {
    return Part(
        a.sum_high + b.sum_high,
        a.sum_low + b.sum_low,
        a.squares_high + b.squares_high,
        a.squares_low + b.squares_low,
        min(a.smallest, b.smallest),
        max(a.largest, b.largest),
        a.count + b.count,
    );
}

// What a value adds to its part; its slot is counted.
fn added(part: Part, column: u32, rule: Rule, x: f64) -> Part {
    // Infinity stands for what is excluded, and NaN compares false.
    if !(abs(x) <= LARGEST) {
        atomicAdd(&counted[EXCLUDED], 1u);
        return part;
    }
    let u = kept(kept(x - rule.centre) * rule.scale);
    let shifted = kept(u + rule.shift);
    if !(shifted >= FIRST && shifted < 2.0lf * FIRST) {
        let place = atomicAdd(&counts[arrayLength(&counts) - 1u], 1u);
        if place < look.capacity {
            apart[place] = Apart(f64(column), x);
        }
        return part;
    }
    let square = kept(kept(u * u) + rule.square_shift);
    let sum = split(kept(shifted - rule.shift), rule.coarse_shift);
    let squares = split(kept(square - rule.square_shift), rule.square_coarse_shift);
    atomicAdd(&counted[u32(floor((shifted - FIRST) * BINS))], 1u);
    return both(part, Part(sum.high, sum.low, squares.high, squares.low, x, x, 1.0lf));
}

@compute @workgroup_size(64)
fn tally(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let column = group.y;
    for (var slot = lane; slot < SLOTS; slot += LANES) {
        atomicStore(&counted[slot], 0u);
    }
    workgroupBarrier();

    var part = Part(0.0lf, 0.0lf, 0.0lf, 0.0lf, LARGEST, -LARGEST, 0.0lf);
    let rule = rules[column];
    let end = min(look.count, (group.x + 1u) * BLOCK);
    for (var place = group.x * BLOCK + lane; place < end; place += LANES) {
        part = added(part, column, rule, values[column * look.values_stride + place]);
    }
    lanes[lane] = part;
    workgroupBarrier();

    for (var half = LANES / 2u; half > 0u; half /= 2u) {
        if lane < half {
            lanes[lane] = both(lanes[lane], lanes[lane + half]);
        }
        workgroupBarrier();
    }
    if lane == 0u {
        parts[(look.first / BLOCK + group.x) * groups.y + column] = lanes[0];
    }
    for (var slot = lane; slot < SLOTS; slot += LANES) {
        let count = atomicLoad(&counted[slot]);
        if count > 0u {
            atomicAdd(&counts[column * SLOTS + slot], count);
        }
    }
}
