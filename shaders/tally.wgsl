// Adds up columns: in `tally` a workgroup takes one column of a block of instances, in `join` one column of
// all blocks. What a near value adds is exact, so that it does not matter in which order. Before this text
// stands shaders/look.wgsl.

// As in src/backend/tally.rs.
struct Rule {
    centre: f64,
    scale: f64,
    shift: f64,
    coarse_shift: f64,
    square_shift: f64,
    square_coarse_shift: f64,
    bin_centre: f64,
    bin_scale: f64,
    first: f64,
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

// A value that is not near, or beyond the window.
struct Apart {
    column: f64,
    value: f64,
}

@group(0) @binding(1) var<storage, read> values: array<f64>;
@group(0) @binding(2) var<storage, read> rules: array<Rule>;
@group(0) @binding(3) var<storage, read_write> parts: array<Part>;
// SLOTS counts a column, and then how many values are apart.
@group(0) @binding(4) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> apart: array<Apart>;
// By column.
@group(0) @binding(6) var<storage, read_write> totals: array<Part>;

const SLOTS = 4097u;
const EXCLUDED = 4096u;
const BINS = 4096;
// Bins of an octave.
const OCTAVE = 1024;
// Windows that lie farther out are the host's.
const OCTAVES = 48;
const BEYOND = 0x3fffffff;
// Near values are from here to twice this, once they are shifted.
const FIRST: f64 = 8.0lf;
const LANES = 64u;
const LARGEST: f64 = 1.7976931348623157e308lf;

// Two counts a word: a block has less than 2^16 values.
const WORDS = (SLOTS + 1u) / 2u;
var<workgroup> counted: array<atomic<u32>, WORDS>;
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

// The part of a block, its sums split anew: high parts have 26 bits now, and low ones 36 at most, so that
// 2^17 blocks have an exact sum. 1.5 2^38 rounds to multiples of 2^-14, and 1.5 2^40 to multiples of 2^-12.
fn of_block(part: Part) -> Part {
    let sum = split(part.sum_high, 412316860416.0lf);
    let squares = split(part.squares_high, 1649267441664.0lf);
    var anew = part;
    anew.sum_high = sum.high;
    anew.sum_low = kept(sum.low + part.sum_low);
    anew.squares_high = squares.high;
    anew.squares_low = kept(squares.low + part.squares_low);
    return anew;
}

fn count(slot: u32) {
    atomicAdd(&counted[slot / 2u], 1u << (16u * (slot % 2u)));
}

// The bin of a value, as BinMap::bin of src/observe/bins.rs, or one beyond all windows. Halves of a
// number are exact.
fn bin_of(rule: Rule, x: f64) -> i32 {
    var ratio = kept(abs(kept(kept(x - rule.bin_centre) * rule.bin_scale)) + 1.0lf);
    var octave = 0;
    while ratio >= 2.0lf && octave < OCTAVES {
        ratio *= 0.5lf;
        octave += 1;
    }
    if ratio >= 2.0lf {
        return BEYOND;
    }
    let distance = octave * OCTAVE + i32(floor((ratio - 1.0lf) * f64(OCTAVE)));
    return select(distance, -1 - distance, x < rule.bin_centre);
}

// What a value adds to its part; its slot is counted.
fn added(part: Part, column: u32, rule: Rule, x: f64) -> Part {
    // Infinity stands for what is excluded, and NaN compares false.
    if !(abs(x) <= LARGEST) {
        count(EXCLUDED);
        return part;
    }
    let u = kept(kept(x - rule.centre) * rule.scale);
    let shifted = kept(u + rule.shift);
    let bin = bin_of(rule, x);
    let place_in_window = bin - i32(rule.first);
    let is_near = shifted >= FIRST && shifted < 2.0lf * FIRST;
    if !is_near || place_in_window < 0 || place_in_window >= BINS {
        let place = atomicAdd(&counts[arrayLength(&counts) - 1u], 1u);
        if place < look.capacity {
            apart[place] = Apart(f64(column), x);
        }
        return part;
    }
    let square = kept(kept(u * u) + rule.square_shift);
    let sum = split(kept(shifted - rule.shift), rule.coarse_shift);
    let squares = split(kept(square - rule.square_shift), rule.square_coarse_shift);
    count(u32(bin) % u32(BINS));
    return both(part, Part(sum.high, sum.low, squares.high, squares.low, x, x, 1.0lf));
}

fn nothing() -> Part {
    return Part(0.0lf, 0.0lf, 0.0lf, 0.0lf, LARGEST, -LARGEST, 0.0lf);
}

// All lanes together; the first one gets it.
fn of_all_lanes(lane: u32, part: Part) -> Part {
    lanes[lane] = part;
    workgroupBarrier();
    for (var half = LANES / 2u; half > 0u; half /= 2u) {
        if lane < half {
            lanes[lane] = both(lanes[lane], lanes[lane + half]);
        }
        workgroupBarrier();
    }
    return lanes[0];
}

@compute @workgroup_size(64)
fn tally(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let column = group.y;
    for (var word = lane; word < WORDS; word += LANES) {
        atomicStore(&counted[word], 0u);
    }
    workgroupBarrier();

    var part = nothing();
    let rule = rules[column];
    let end = min(look.count, (group.x + 1u) * BLOCK);
    for (var place = group.x * BLOCK + lane; place < end; place += LANES) {
        part = added(part, column, rule, values[column * look.values_stride + place]);
    }
    let all = of_all_lanes(lane, part);
    if lane == 0u {
        parts[(look.first / BLOCK + group.x) * groups.y + column] = all;
    }
    for (var word = lane; word < WORDS; word += LANES) {
        let both = atomicLoad(&counted[word]);
        for (var half = 0u; half < 2u; half += 1u) {
            let count = (both >> (16u * half)) & 0xffffu;
            if count > 0u {
                atomicAdd(&counts[column * SLOTS + 2u * word + half], count);
            }
        }
    }
}

@compute @workgroup_size(64)
fn join(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    var part = nothing();
    let blocks = (look.count + BLOCK - 1u) / BLOCK;
    for (var block = lane; block < blocks; block += LANES) {
        part = both(part, of_block(parts[block * groups.x + group.x]));
    }
    let all = of_all_lanes(lane, part);
    if lane == 0u {
        totals[group.x] = all;
    }
}
