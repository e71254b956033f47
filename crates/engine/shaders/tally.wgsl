// Adds up columns: in `tally` a workgroup takes one column of a group of instances, in `join` one
// column of all groups. What a near value adds is exact, so that it does not matter in which order.
// Before this text stands shaders/look.wgsl.
//
// Most values lie in the window, whose bins a workgroup counts in its own memory: counts of all go
// to a device's memory once a group. On an H200, groups of 1024 values spent nearly all of their
// time on that.

// As in crates/engine/src/backend/tally.rs.
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

// A value that is not near, or beyond the bins that are counted.
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

const SLOTS = 8193u;
const EXCLUDED = 8192u;
// Bins that are counted, the window in the middle of them.
const COUNTED = 8192;
const BINS = 4096;
// Bins of an octave.
const OCTAVE = 1024;
// Windows that lie farther out are the host's.
const OCTAVES = 48;
const BEYOND = 0x3fffffff;
// Near values are from here to twice this, once they are shifted.
const FIRST: f64 = 8.0lf;
const LANES = 256u;
// So many lanes add up a block.
const SET = BLOCK / (GROUP / LANES);
const LARGEST: f64 = 1.7976931348623157e308lf;

// The bins of the window, and what is excluded. Two counts a word: a group has less than 2^16
// values.
const WORDS = u32(BINS) / 2u + 1u;
var<workgroup> counted: array<atomic<u32>, WORDS>;
var<workgroup> lanes: array<Part, LANES / 2u>;

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

// The part of a block, its sums split anew: high parts have 26 bits now, and low ones 36 at most,
// so that 2^17 blocks have an exact sum. From multiples of 2^-40 and 2^-38 to those of 2^-14 and
// 2^-12 a shift grows by 2^26. It is made of the rule's: where literals stood here, Mesa took the
// sum for its high part.
fn of_block(part: Part, rule: Rule) -> Part {
    let sum = split(part.sum_high, rule.coarse_shift * 67108864.0lf);
    let squares = split(part.squares_high, rule.square_coarse_shift * 67108864.0lf);
    var anew = part;
    anew.sum_high = sum.high;
    anew.sum_low = kept(sum.low + part.sum_low);
    anew.squares_high = squares.high;
    anew.squares_low = kept(squares.low + part.squares_low);
    return anew;
}

fn count(place: u32) {
    atomicAdd(&counted[place / 2u], 1u << (16u * (place % 2u)));
}

// The slot of a bin among all columns.
fn slot_of(column: u32, bin: i32) -> u32 {
    return column * SLOTS + u32(bin) % u32(COUNTED);
}

// The bin of a value, as BinMap::bin of crates/engine/src/observe/bins.rs, or one beyond all
// windows. Halves of a number are exact.
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

// The sum that a value adds to its part; its slot is counted.
fn added(part: Part, column: u32, rule: Rule, x: f64) -> Part {
    // Infinity stands for what is excluded, and NaN compares false.
    if !(abs(x) <= LARGEST) {
        count(u32(BINS));
        return part;
    }
    let u = kept(kept(x - rule.centre) * rule.scale);
    let shifted = kept(u + rule.shift);
    let bin = bin_of(rule, x);
    let in_window = bin - i32(rule.first);
    let in_counted = in_window + (COUNTED - BINS) / 2;
    let is_near = shifted >= FIRST && shifted < 2.0lf * FIRST;
    if !is_near || in_counted < 0 || in_counted >= COUNTED {
        let place = atomicAdd(&counts[arrayLength(&counts) - 1u], 1u);
        if place < look.capacity {
            apart[place] = Apart(f64(column), x);
        }
        return part;
    }
    let square = kept(kept(u * u) + rule.square_shift);
    let sum = split(kept(shifted - rule.shift), rule.coarse_shift);
    let squares = split(kept(square - rule.square_shift), rule.square_coarse_shift);
    if in_window >= 0 && in_window < BINS {
        count(u32(in_window));
    } else {
        atomicAdd(&counts[slot_of(column, bin)], 1u);
    }
    return both(part, Part(sum.high, sum.low, squares.high, squares.low, x, x, 1.0lf));
}

fn nothing() -> Part {
    return Part(0.0lf, 0.0lf, 0.0lf, 0.0lf, LARGEST, -LARGEST, 0.0lf);
}

// The lanes of each set of so many together, a power of two; the first one of a set gets it.
fn of_set(lane: u32, own: Part, together: u32) -> Part {
    var part = own;
    for (var half = together / 2u; half > 0u; half /= 2u) {
        let place = lane % together;
        let shared_place = lane / together * (together / 2u) + lane % half;
        if place >= half && place < 2u * half {
            lanes[shared_place] = part;
        }
        workgroupBarrier();
        if place < half {
            part = both(part, lanes[shared_place]);
        }
        workgroupBarrier();
    }
    return part;
}

@compute @workgroup_size(256)
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
    let end = min(look.count, (group.x + 1u) * GROUP);
    for (var place = group.x * GROUP + lane; place < end; place += LANES) {
        part = added(part, column, rule, values[column * look.values_stride + place]);
    }
    part = of_set(lane, part, SET);
    if lane % SET == 0u {
        part = of_block(part, rule);
    } else {
        part = nothing();
    }
    part = of_set(lane, part, LANES);
    if lane == 0u {
        parts[(look.first / GROUP + group.x) * groups.y + column] = part;
    }
    for (var word = lane; word < WORDS; word += LANES) {
        let both = atomicLoad(&counted[word]);
        for (var half = 0u; half < 2u; half += 1u) {
            let count = (both >> (16u * half)) & 0xffffu;
            let place = 2u * word + half;
            if count > 0u {
                let slot = slot_of(column, i32(rule.first) + i32(place));
                atomicAdd(&counts[select(slot, column * SLOTS + EXCLUDED, place == u32(BINS))], count);
            }
        }
    }
}

@compute @workgroup_size(256)
fn join(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    var part = nothing();
    let all = (look.count + GROUP - 1u) / GROUP;
    for (var one = lane; one < all; one += LANES) {
        part = both(part, parts[one * groups.x + group.x]);
    }
    part = of_set(lane, part, LANES);
    if lane == 0u {
        totals[group.x] = part;
    }
}
