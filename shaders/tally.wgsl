// Adds up columns: a workgroup takes one column of a block of instances. What an ordinary value adds is exact, so that it does
// not matter in which order. Before this text stands shaders/look.wgsl.

// As in src/backend/tally.rs.
struct SplitRule {
    limit: f64,
    first: f64,
    second: f64,
}

struct Rule {
    centre: f64,
    scale: f64,
    low: f64,
    per_width: f64,
    first: f64,
    below: f64,
    above: f64,
    values: SplitRule,
    squares: SplitRule,
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

// A value that is not ordinary.
struct Apart {
    column: f64,
    value: f64,
}

@group(0) @binding(1) var<storage, read> values: array<f64>;
@group(0) @binding(2) var<storage, read> rules: array<Rule>;
@group(0) @binding(3) var<storage, read_write> parts: array<Part>;
// SLOTS counts a column, and then how many values are not ordinary.
@group(0) @binding(4) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> apart: array<Apart>;

const SLOTS = 514u;
const EXCLUDED = 0u;
const LANES = 64u;
const LARGEST: f64 = 1.7976931348623157e308lf;

var<workgroup> counted: array<atomic<u32>, SLOTS>;
var<workgroup> lanes: array<Part, LANES>;

// Parts of a number, and what they leave over.
struct Split {
    high: f64,
    low: f64,
    rest: f64,
}

fn split(x: f64, rule: SplitRule) -> Split {
    let high = kept(kept(x + rule.first) - rule.first);
    let rest = kept(x - high);
    let low = kept(kept(rest + rule.second) - rule.second);
    return Split(high, low, kept(rest - low));
}

// The nearest whole number, halves to even. Not `round`, which takes halves of f64 towards zero in lavapipe on processors without
// AVX-512; nor is 2^52 added and taken away, which compilers fold where it is a literal, also behind `kept`.
fn whole(x: f64) -> f64 {
    let lower = floor(x);
    let over = x - lower;
    let is_odd = lower - 2.0lf * floor(0.5lf * lower) == 1.0lf;
    return lower + select(0.0lf, 1.0lf, over > 0.5lf || (over == 0.5lf && is_odd));
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
    let square = kept(u * u);
    let position = kept(kept(kept(u - rule.low) * rule.per_width) + rule.first);
    let slot = whole(min(max(position, rule.below), rule.above));
    let value_parts = split(x, rule.values);
    let square_parts = split(square, rule.squares);
    let is_split = value_parts.rest == 0.0lf && square_parts.rest == 0.0lf;
    let is_near = abs(x) < rule.values.limit && square < rule.squares.limit;
    if !(is_split && is_near && slot > rule.below && slot < rule.above) {
        let place = atomicAdd(&counts[arrayLength(&counts) - 1u], 1u);
        if place < look.capacity {
            apart[place] = Apart(f64(column), x);
        }
        return part;
    }
    atomicAdd(&counted[u32(slot)], 1u);
    let alone = Part(
        value_parts.high, value_parts.low, square_parts.high, square_parts.low, x, x, 1.0lf,
    );
    return both(part, alone);
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
