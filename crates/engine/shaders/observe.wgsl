// Computes the columns of instances; in a run in f64, as the host does. Before this text stand
// shaders/look.wgsl and what is specific to a mechanism and its columns, which is generated:
// `Held`, in which the states are held, HELD_TINY, COLUMNS and `observe_columns`.
//
// Planes: `state[plane * look.stride + instance]`, `given` likewise,
// `values[column * look.values_stride + place]`, where `place` counts from the first instance that
// is looked at.

@group(0) @binding(1) var<storage, read> state: array<Held>;
// Verdict and step at which it was passed.
@group(0) @binding(2) var<storage, read> ends: array<vec2<u32>>;
// Numbers that are no state of the kernel: parameters, channels that rest, and the starts of the
// instances.
@group(0) @binding(3) var<storage, read> given: array<real>;
// All instances share these: infinity, then constants of the columns, then the factors of the timed
// loads.
@group(0) @binding(4) var<storage, read> shared_values: array<real>;
@group(0) @binding(5) var<storage, read_write> values: array<real>;

const FINISHED = 0u;

// A channel of the state, as it is copied back to a host.
fn held(plane: u32, instance: u32) -> real {
    let x = state[plane * look.stride + instance];
    return real(select(x, Held(0.0), abs(x) < HELD_TINY));
}

// The value of a column as it is stored.
fn seen(x: real) -> real {
    return flushed_real(x);
}

// The value of a column that is defined where `defined` is above zero, else infinity, which stands
// for an excluded value.
fn seen_where(defined: real, x: real) -> real {
    return select(shared_values[0], flushed_real(x), defined > real(0.0));
}

@compute @workgroup_size(WORKGROUP)
fn observe(@builtin(global_invocation_id) id: vec3<u32>) {
    let place = id.x;
    if place >= look.count {
        return;
    }
    let instance = look.first + place;
    if ends[instance].x != FINISHED {
        for (var column = 0u; column < COLUMNS; column++) {
            values[column * look.values_stride + place] = shared_values[0];
        }
        return;
    }
    observe_columns(instance, place);
}
