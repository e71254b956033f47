// The interpreter: an invocation takes one instance through a list of instructions, its numbers in memory. The list is that of the CPU
// (crates/engine/src/backend/cpu/tape.rs); crates/engine/src/backend/gpu/listing.rs packs it. All invocations do the same instruction at a time. Before this text stand
// shaders/prelude.wgsl and `is_less`, which says no where an operand is NaN.
//
// A row holds a number of every instance: `row * span.stride + instance`. Between two instructions every number lies in its row, so that no driver
// makes one operation of two, or puts them in another order. Inside the multiply-adds `kept` prevents it.

struct Span {
    // Instructions first .. end are done, so many times.
    first: u32,
    end: u32,
    times: u32,
    // Instances start .. count take part, if their verdict so far is this.
    start: u32,
    count: u32,
    verdict: u32,
    // Only those take part that have a one in this row; NO_ROW: all.
    only: u32,
    // Distance between rows.
    stride: u32,
    // Steps that lie behind.
    step: u32,
    // The state: rows 0 .. observed are of the motion, rows 0 .. kept are stored, from row `stored` on.
    observed: u32,
    kept: u32,
    stored: u32,
    // Below the end of the piece, an attempt follows: the row of an own step's progress.
    progress: u32,
    // Place of the piece's end among what all instances share; none: the end of the step, 1.
    edge: u32,
    // Zero, which no driver knows.
    never: u32,
}

@group(0) @binding(0) var<uniform> span: Span;
@group(0) @binding(1) var<storage, read_write> rows: array<real>;
@group(0) @binding(2) var<storage, read> instructions: array<vec4<u32>>;
// All instances share these: constants, then the factors of the timed loads.
@group(0) @binding(3) var<storage, read> shared_values: array<real>;
// Verdict and step at which it was passed.
@group(0) @binding(4) var<storage, read_write> ends: array<vec2<u32>>;
// The number of instances that have failed, or are not at the end of their step.
@group(0) @binding(5) var<storage, read_write> counted: atomic<u32>;

const NO_ROW = 0xffffffffu;

// Verdicts, as in crates/description/src/base/verdict.rs, and one of the way: the instance has failed since its state was stored, and is looked into.
const FINISHED = 0u;
const NON_FINITE = 1u;
const SUSPECT = 0xffu;

// Codes of operations, as crates/engine/src/backend/gpu/listing.rs writes them.
// 0 is Copy.
const NEG = 1u;
const SQRT = 2u;
const FLOOR = 3u;
const ADD = 4u;
const SUB = 5u;
const MUL = 6u;
const DIV = 7u;
const MUL_ADD = 8u;
const MUL_SUB = 9u;
const NEG_MUL_ADD = 10u;
const SELECT_LESS = 11u;
const FLUSH_TINY = 12u;
const SHARED = 13u;

// The rounded result itself: what is computed from it is not merged with it.
fn kept(x: real) -> real {
    return select(x, real(0.0), span.never != 0u);
}

fn takes_part(instance: u32) -> bool {
    if instance >= span.count {
        return false;
    }
    if ends[instance].x != span.verdict {
        return false;
    }
    if span.only == NO_ROW {
        return true;
    }
    return value(span.only, instance) == real(1.0);
}

fn value(row: u32, instance: u32) -> real {
    return rows[row * span.stride + instance];
}

// An instruction: two bytes for the row of every operand, the row of the result, the operation. Operands beyond those of the operation repeat the
// first, so that three can always be read: reading in every case what it needs, a chain of 40 bodies took lavapipe half as long again.
fn interpret(i: vec4<u32>, instance: u32) {
    var result: real;
    if i.w == SHARED {
        result = shared_values[i.x & 0xffffu];
    } else {
        let a = value(i.x & 0xffffu, instance);
        let b = value(i.x >> 16u, instance);
        let c = value(i.y & 0xffffu, instance);
        switch i.w {
            case NEG: {
                result = -a;
            }
            case SQRT: {
                result = sqrt(a);
            }
            case FLOOR: {
                result = floor(a);
            }
            case ADD: {
                result = a + b;
            }
            case SUB: {
                result = a - b;
            }
            case MUL: {
                result = a * b;
            }
            case DIV: {
                result = a / b;
            }
            case MUL_ADD: {
                result = kept(a * b) + c;
            }
            case MUL_SUB: {
                result = kept(a * b) - c;
            }
            case NEG_MUL_ADD: {
                result = c - kept(a * b);
            }
            case SELECT_LESS: {
                result = select(value(i.y >> 16u, instance), c, is_less(a, b));
            }
            case FLUSH_TINY: {
                result = flushed_real(a);
            }
            default: {
                result = a;
            }
        }
    }
    rows[i.z * span.stride + instance] = result;
}

@compute @workgroup_size(WORKGROUP)
fn advance(@builtin(global_invocation_id) id: vec3<u32>) {
    let instance = span.start + id.x;
    if !takes_part(instance) {
        return;
    }
    for (var k = 0u; k < span.times; k++) {
        for (var n = span.first; n < span.end; n++) {
            interpret(instructions[n], instance);
        }
    }
}

// The end that the instance would have now. The first bound that is passed gives the verdict. Here an instruction is a verdict, the row of a
// value, the row of its bound, and whether zero is a bound.
fn judged(instance: u32) -> u32 {
    for (var row = 0u; row < span.observed; row++) {
        if !is_finite_real(value(row, instance)) {
            return NON_FINITE;
        }
    }
    for (var n = span.first; n < span.end; n++) {
        let bound = instructions[n];
        let found = abs(value(bound.y, instance));
        let allowed = value(bound.z, instance);
        if (bound.w != 0u || allowed > real(0.0)) && is_less(allowed, found) {
            return bound.x;
        }
    }
    return FINISHED;
}

// Stores the state of the sound ones. One that fails is suspect first; a suspect one that fails gets its verdict.
@compute @workgroup_size(WORKGROUP)
fn judge(@builtin(global_invocation_id) id: vec3<u32>) {
    let instance = span.start + id.x;
    if !takes_part(instance) {
        return;
    }
    let found = judged(instance);
    if found == FINISHED {
        for (var row = 0u; row < span.kept; row++) {
            rows[(span.stored + row) * span.stride + instance] = value(row, instance);
        }
        ends[instance].y = span.step;
    } else if span.verdict == FINISHED {
        ends[instance].x = SUSPECT;
        atomicAdd(&counted, 1u);
    } else {
        ends[instance] = vec2<u32>(found, span.step);
    }
}

// Counts the instances that have not come to the end of their step.
@compute @workgroup_size(WORKGROUP)
fn under_way(@builtin(global_invocation_id) id: vec3<u32>) {
    let instance = span.start + id.x;
    if !takes_part(instance) {
        return;
    }
    var edge = real(1.0);
    if span.edge != NO_ROW {
        edge = shared_values[span.edge];
    }
    if is_less(value(span.progress, instance), edge) {
        atomicAdd(&counted, 1u);
    }
}
