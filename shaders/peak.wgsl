// What a device can do: fused multiply-adds and nothing else. Behind `alias real`.
//
// Twelve sums an invocation do not depend on each other, so that none waits for another. The start is read and the sum stored,
// so that no compiler leaves them out.

const ROUNDS: u32 = 4096u;

@group(0) @binding(0) var<storage, read_write> sums: array<real>;

@compute @workgroup_size(64)
fn multiply_adds(@builtin(global_invocation_id) id: vec3<u32>) {
    let start = sums[id.x];
    let factor = start * real(0.125) + real(0.5);
    let addend = start * real(0.25);
    var a = vec4<real>(start, start + factor, start - factor, factor);
    var b = a * factor;
    var c = b * factor;
    for (var round = 0u; round < ROUNDS; round++) {
        a = fma(a, vec4<real>(factor), vec4<real>(addend));
        b = fma(b, vec4<real>(factor), vec4<real>(addend));
        c = fma(c, vec4<real>(factor), vec4<real>(addend));
    }
    let all = a + b + c;
    sums[id.x] = all.x + all.y + all.z + all.w;
}
