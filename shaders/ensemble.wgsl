// The ensemble kernel: one invocation takes one instance from step `run.first` to step `run.end`, its state in
// registers, and stores it back. Before this text stands shaders/prelude.wgsl, then what is specific to a mechanism and a
// method, which is generated: `real`, `State`, `Prepared`, `prepare`, `step`, `begin`, `resynchronised`, `load_state`, `store_state`,
// `flushed`, `is_finite_state`, `norm_error`, `passed`, and the constants of the verdict bounds.
//
// State and parameters are planes (structure of arrays, instance fastest): `plane * run.stride + instance`.

struct Run {
    // Steps first .. end are taken.
    first: u32,
    end: u32,
    // Instances start .. count are advanced; the distance between planes.
    count: u32,
    stride: u32,
    // Steps between resynchronisations; 0: never.
    resynchronise: u32,
    // Steps between checks of the verdict bounds.
    check: u32,
    start: u32,
    // Of the step that is taken, where own steps end inside it; else 1.
    pieces: u32,
    // Steps between instants at which the method begins anew, because laws may jump there; 0: never.
    begin: u32,
}

@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read_write> state: array<real>;
@group(0) @binding(2) var<storage, read> parameters: array<real>;
// What all instances share: constants of the mechanism and the method, then the factors of the timed loads, piece by piece.
@group(0) @binding(3) var<storage, read> shared_values: array<real>;
// Verdict and step at which it was passed.
@group(0) @binding(4) var<storage, read_write> ends: array<vec2<u32>>;

// Verdicts, as in src/base/verdict.rs.
const FINISHED = 0u;
const NON_FINITE = 1u;
const NORM_BOUND = 3u;

// The state from which step k starts: what has decayed is zero, and what the method carries may begin anew.
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

// How the instance would end if it ended in state `s`. The worst verdict wins.
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

    // First pass: from check to check. An instance that fails is taken through a second pass, which judges every
    // step after the last good check, to find the step; and through a third, to the step before it. The stored
    // state is the start of all three. So a sound instance pays nothing for the search.
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
        while k < last && bad == FINISHED {
            s = restarted(instance, k, s);
            var stop = min(next_multiple(k, run.resynchronise, last), next_multiple(k, run.check, last));
            stop = next_multiple(k, run.begin, next_multiple(k, FLUSH, stop));
            if careful {
                stop = k + 1u;
            }
            for (; k < stop; k++) {
                s = step(p, s);
            }
            let at_check = k % run.check == 0u || k == run.end;
            if (verdict == FINISHED && at_check) || (careful && k > good) {
                bad = judge(instance, s);
                if bad == FINISHED && !careful {
                    good = k;
                }
            }
        }
        if careful {
            verdict = bad;
            failed_at = k;
            last = k - 1u;
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
