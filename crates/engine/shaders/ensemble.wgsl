// In the ensemble kernel an invocation takes one instance from step `run.first` to step `run.end`,
// its state in registers, and stores it back. Before this text stands shaders/prelude.wgsl, then
// the text of a mechanism and a method, which is generated: `real`, `State`, `Prepared`, `prepare`,
// `step`, `begin`, `resynchronised`, `load_state`, `store_state`, `flushed`, `is_finite_state`,
// `norm_error`, `passed`, and the constants of the verdict bounds.
//
// State and parameters are planes (structure of arrays, instance fastest):
// `plane * run.stride + instance`.

struct Run {
    // Steps first .. end are taken.
    first: u32,
    end: u32,
    // Instances start .. count are advanced; planes lie `stride` apart.
    count: u32,
    stride: u32,
    // The method is resynchronised every so many steps; 0: never.
    resynchronise: u32,
    // The verdict bounds are checked every so many steps.
    check: u32,
    start: u32,
    // The step that is taken has so many pieces, where own steps end inside it; else 1.
    pieces: u32,
    // The method begins anew every so many steps, because laws may jump there; 0: never.
    begin: u32,
}

@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read_write> state: array<real>;
@group(0) @binding(2) var<storage, read> parameters: array<real>;
// All instances share these: constants of the mechanism and the method, numbers of the stages of a
// lead, then the factors of the timed loads, piece by piece.
@group(0) @binding(3) var<storage, read> shared_values: array<real>;
// An instance has ended by this verdict, at this step.
@group(0) @binding(4) var<storage, read_write> ends: array<vec2<u32>>;

// Verdicts have the codes of crates/description/src/base/verdict.rs.
const FINISHED = 0u;
const NON_FINITE = 1u;
const NORM_BOUND = 3u;
// The first of those of the study's conditions, whose state is sound.
const CONDITION = 9u;

// Step k starts from this state: what has decayed is zero, and what the method carries may begin
// anew.
fn restarted(instance: u32, k: u32, s: State) -> State {
    var start = s;
    if k % FLUSH == 0u {
        start = flushed(s);
    }
    if k != 0u && run.resynchronise != 0u && k % run.resynchronise == 0u {
        start = resynchronised(instance, start);
    }
    if k == 0u || (run.begin != 0u && k % run.begin == 0u) {
        start = begin(instance, start);
    }
    return start;
}

// The instance would end like this if it ended in state `s`. The first bound that is passed gives
// the verdict: numbers that are not finite, then the norm of quaternions, then the others in their
// order.
fn judge(instance: u32, s: State) -> u32 {
    if !is_finite_state(s) {
        return NON_FINITE;
    }
    if HAS_NORM_BOUND {
        if norm_error(s) > NORM_BOUND_VALUE {
            return NORM_BOUND;
        }
    }
    return passed(instance, s);
}

@compute @workgroup_size(WORKGROUP)
fn advance(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let instance = run.start + id.y * (groups.x * WORKGROUP) + id.x;
    if instance >= run.count {
        return;
    }
    if ends[instance].x != FINISHED {
        return;
    }
    let p = prepare(instance);

    // First pass: from check to check. An instance that fails is taken through a second pass, which
    // judges every step after the last good check, to find the step; and through a third, to the
    // step before it, or to it where a condition ends it. The stored state is the start of all
    // three. So a sound instance pays nothing for the search.
    var last = run.end;
    var good = run.first;
    var careful = false;
    var verdict = FINISHED;
    var failed_at = run.end;
    var s = load_state(instance);
    loop {
        var k = run.first;
        s = load_state(instance);
        var bad = FINISHED;
        // Remainders at every step would take longer than a short step.
        let check = select(run.check, 1u, careful);
        var due = next_multiple(k, check, last);
        while k < last && bad == FINISHED {
            s = restarted(instance, k, s);
            var stop = next_multiple(k, run.resynchronise, last);
            stop = next_multiple(k, run.begin, next_multiple(k, FLUSH, stop));
            while k < stop && bad == FINISHED {
                let piece = min(due, stop);
                for (; k < piece; k++) {
                    s = step(p, s);
                }
                if k == due {
                    due += min(check, last - due);
                    if (verdict == FINISHED || careful) && k > good {
                        bad = judge(instance, s);
                        if bad == FINISHED {
                            good = k;
                        }
                    }
                }
            }
        }
        if careful {
            verdict = bad;
            failed_at = k;
            last = select(k - 1u, k, bad >= CONDITION);
            careful = false;
        } else if bad != FINISHED {
            verdict = bad;
            careful = true;
        } else {
            break;
        }
    }
    store_state(instance, s);
    ends[instance] = vec2<u32>(verdict, failed_at);
}
