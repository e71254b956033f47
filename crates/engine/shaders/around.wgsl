// Around the steps of a program that is cut into kernels: its state is stored and restored, flushed
// and judged. The last sound state is in rows 0 .. KEPT; the state under way in the KEPT rows from
// STATE on. Before this text stand shaders/segment.wgsl and text that is generated: these
// constants, PROGRESS and ATTEMPTS, rows of own steps, `edge`, `are_finite` and `passed`.

// The number of instances that have failed, or are not at the end of their step.
@group(0) @binding(4) var<storage, read_write> counted: atomic<u32>;

// Verdicts, as in crates/description/src/base/verdict.rs, and one of the way: the instance has
// failed since its state was stored, and is looked into.
const FINISHED = 0u;
const NON_FINITE = 1u;
// The first of those of the study's conditions, whose state is sound.
const CONDITION = 9u;
const SUSPECT = 0xffu;

// Takes the stored state.
@compute @workgroup_size(WORKGROUP)
fn restore(@builtin(global_invocation_id) id: vec3<u32>) {
    let instance = span.start + id.x;
    if !takes_part(instance) {
        return;
    }
    for (var row = 0u; row < KEPT; row++) {
        keep(STATE + row, instance, value(row, instance));
    }
}

// Sets decayed values to zero.
@compute @workgroup_size(WORKGROUP)
fn flush(@builtin(global_invocation_id) id: vec3<u32>) {
    let instance = span.start + id.x;
    if !takes_part(instance) {
        return;
    }
    for (var row = STATE; row < STATE + KEPT; row++) {
        keep(row, instance, flushed_real(value(row, instance)));
    }
}

// Begins a step of instances that choose their own.
@compute @workgroup_size(WORKGROUP)
fn open_step(@builtin(global_invocation_id) id: vec3<u32>) {
    let instance = span.start + id.x;
    if !takes_part(instance) {
        return;
    }
    keep(PROGRESS, instance, real(0.0));
    keep(ATTEMPTS, instance, real(0.0));
}

// Counts the instances that have not come to the end of their step.
@compute @workgroup_size(WORKGROUP)
fn under_way(@builtin(global_invocation_id) id: vec3<u32>) {
    let instance = span.start + id.x;
    if !takes_part(instance) {
        return;
    }
    if is_less(value(PROGRESS, instance), edge()) {
        atomicAdd(&counted, 1u);
    }
}

// The instance would end like this if it ended in the state under way.
fn judged(instance: u32) -> u32 {
    if !are_finite(instance) {
        return NON_FINITE;
    }
    return passed(instance);
}

// Stores the state of an instance that is sound after this step, or that a condition ends there.
// One that fails gets its verdict if it was sound after the step before; else it is suspect,
// because some step since it was stored was the first to fail.
fn conclude(instance: u32, sound_before: bool) {
    let found = judged(instance);
    if found == FINISHED || (sound_before && found >= CONDITION) {
        for (var row = 0u; row < KEPT; row++) {
            keep(row, instance, value(STATE + row, instance));
        }
    }
    if found == FINISHED {
        ends[instance].y = span.step;
    } else if sound_before {
        ends[instance] = vec2<u32>(found, span.step);
    } else {
        ends[instance].x = SUSPECT;
        atomicAdd(&counted, 1u);
    }
}

// Judges after several steps.
@compute @workgroup_size(WORKGROUP)
fn judge(@builtin(global_invocation_id) id: vec3<u32>) {
    let instance = span.start + id.x;
    if !takes_part(instance) {
        return;
    }
    conclude(instance, false);
}

// Judges after a single step.
@compute @workgroup_size(WORKGROUP)
fn judge_step(@builtin(global_invocation_id) id: vec3<u32>) {
    let instance = span.start + id.x;
    if !takes_part(instance) {
        return;
    }
    conclude(instance, true);
}
