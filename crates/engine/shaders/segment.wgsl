// A program that would be too long for one kernel is cut into several, each of which begins with
// this text. An invocation takes one instance through one of them. Numbers that live from kernel to
// kernel lie in rows: `row * span.stride + instance`. Before this text stands shaders/prelude.wgsl;
// crates/engine/src/backend/gpu/segments.rs prints what follows.

struct Span {
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
    // The stage of a lead that is under way.
    number: u32,
    // Zero, which no driver knows.
    never: u32,
}

@group(0) @binding(0) var<uniform> span: Span;
@group(0) @binding(1) var<storage, read_write> rows: array<real>;
// All instances share these: constants, numbers of the stages of a lead, then the factors of the
// timed loads.
@group(0) @binding(2) var<storage, read> shared_values: array<real>;
// Verdict and step at which it was passed.
@group(0) @binding(3) var<storage, read_write> ends: array<vec2<u32>>;

const NO_ROW = 0xffffffffu;

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

fn keep(row: u32, instance: u32, x: real) {
    rows[row * span.stride + instance] = x;
}

// No driver merges a value that is selected by this with what is computed from it, or changes their
// order.
fn is_never() -> bool {
    return span.never != 0u;
}
