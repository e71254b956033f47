// Measures the peak of a device: fused multiply-adds and nothing else. Behind `alias real`.
//
// Twelve sums an invocation do not depend on each other, so that none waits for another. The start
// is read and the sum stored, so that no compiler leaves them out. A round is eight steps long: the
// loop itself is not what is measured.

const ROUNDS: u32 = 512u;

@group(0) @binding(0) var<storage, read_write> sums: array<real>;

@compute @workgroup_size(64)
fn multiply_adds(@builtin(global_invocation_id) id: vec3<u32>) {
    let start = sums[id.x];
    let factor = vec4<real>(start * real(0.125) + real(0.5));
    let addend = vec4<real>(start * real(0.25));
    var a = vec4<real>(start, start + factor.x, start - factor.x, factor.x);
    var b = a * factor;
    var c = b * factor;
    for (var round = 0u; round < ROUNDS; round++) {
        a = fma(a, factor, addend);
        b = fma(b, factor, addend);
        c = fma(c, factor, addend);
        a = fma(a, factor, addend);
        b = fma(b, factor, addend);
        c = fma(c, factor, addend);
        a = fma(a, factor, addend);
        b = fma(b, factor, addend);
        c = fma(c, factor, addend);
        a = fma(a, factor, addend);
        b = fma(b, factor, addend);
        c = fma(c, factor, addend);
        a = fma(a, factor, addend);
        b = fma(b, factor, addend);
        c = fma(c, factor, addend);
        a = fma(a, factor, addend);
        b = fma(b, factor, addend);
        c = fma(c, factor, addend);
        a = fma(a, factor, addend);
        b = fma(b, factor, addend);
        c = fma(c, factor, addend);
        a = fma(a, factor, addend);
        b = fma(b, factor, addend);
        c = fma(c, factor, addend);
    }
    let all = a + b + c;
    sums[id.x] = all.x + all.y + all.z + all.w;
}
