// Draws the bodies of instances from their poses, which lie on the device: planes as in
// shaders/observe.wgsl, first the positions of all bodies, then their attitudes. Between two looks
// a body goes straight from one pose to the next.

struct View {
    // The picture's directions in space, and where its middle is (m).
    right: vec4<f32>,
    up: vec4<f32>,
    towards: vec4<f32>,
    middle: vec4<f32>,
    light: vec4<f32>,
    // Half pictures a metre, across and upwards.
    scale: vec2<f32>,
    // Where the picture is between the two looks, 0 to 1.
    share: f32,
    // By how much colours are lightened for a dark page.
    lighter: f32,
    // The range of the column that gives colours.
    low: f32,
    high: f32,
    zoom: f32,
    // Half of what lies before and behind the middle (m).
    depth: f32,
    stride: u32,
    bodies: u32,
    // Instances stand apart in so many columns and rows; 0: all are in one place.
    columns: u32,
    rows: u32,
    // The column that gives colours; 0, which is a position: bodies have their own.
    colors: u32,
    // 1: an instance is seen about its first body, wherever that goes.
    follows: u32,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> before: array<f32>;
@group(0) @binding(2) var<storage, read> now: array<f32>;

// A body that turns farther between two looks may have turned the other way round, and jumps:
// cosine of half of 1.2 rad, as in src/output/drawing/player.js.
const FOLLOWED = 0.825;
const GROUND = 0xffffffffu;

struct Corner {
    @builtin(position) place: vec4<f32>,
    @location(0) color: vec3<f32>,
}

fn turned(q: vec4<f32>, p: vec3<f32>) -> vec3<f32> {
    let t = 2.0 * cross(q.yzw, p);
    return p + q.x * t + cross(q.yzw, t);
}

fn entry(column: u32, instance: u32) -> u32 {
    return column * view.stride + instance;
}

fn position(body: u32, instance: u32) -> vec3<f32> {
    let first = 3u * body;
    let x = vec3<u32>(entry(first, instance), entry(first + 1u, instance), entry(first + 2u, instance));
    let a = vec3<f32>(before[x.x], before[x.y], before[x.z]);
    return mix(a, vec3<f32>(now[x.x], now[x.y], now[x.z]), view.share);
}

fn attitude(body: u32, instance: u32) -> vec4<f32> {
    let first = 3u * view.bodies + 4u * body;
    var a: vec4<f32>;
    var b: vec4<f32>;
    for (var k = 0u; k < 4u; k++) {
        a[k] = before[entry(first + k, instance)];
        b[k] = now[entry(first + k, instance)];
    }
    let along = dot(a, b);
    if abs(along) < FOLLOWED {
        return select(a, b, view.share >= 1.0);
    }
    return normalize(mix(a, select(-b, b, along > 0.0), view.share));
}

// From dark blue over green to yellow.
fn scale_color(x: f32) -> vec3<f32> {
    let t = clamp(x, 0.0, 1.0);
    let low = mix(vec3<f32>(0.27, 0.05, 0.35), vec3<f32>(0.13, 0.55, 0.55), min(2.0 * t, 1.0));
    return mix(low, vec3<f32>(0.95, 0.85, 0.15), max(2.0 * t - 1.0, 0.0));
}

@vertex
fn corner(
    @builtin(instance_index) instance: u32,
    @location(0) p: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) own: vec3<f32>,
    @location(3) body: u32,
) -> Corner {
    var out: Corner;
    var place = p;
    var outwards = normal;
    var color = mix(own, vec3<f32>(1.0), view.lighter);
    if body != GROUND {
        let q = attitude(body, instance);
        place = position(body, instance) + turned(q, p);
        outwards = turned(q, normal);
        if view.colors != 0u && any(normal != vec3<f32>(0.0)) {
            let value = now[entry(view.colors, instance)];
            color = scale_color((value - view.low) / max(view.high - view.low, 1e-30));
        }
        if any(normal != vec3<f32>(0.0)) {
            let lit = max(dot(outwards, view.light.xyz), 0.0);
            color = mix(color, vec3<f32>(1.0), 0.1 + 0.4 * lit) * (0.8 + 0.2 * lit);
        }
    }
    var d = place - view.middle.xyz;
    if view.follows != 0u && body != GROUND {
        d -= position(0u, instance);
    }
    var picture = vec2<f32>(dot(view.right.xyz, d), dot(view.up.xyz, d)) * view.scale;
    if view.columns != 0u && body != GROUND {
        let cell = vec2<f32>(f32(instance % view.columns), f32(instance / view.columns)) + 0.5;
        let size = vec2<f32>(f32(view.columns), f32(view.rows));
        picture += view.zoom * (2.0 * cell / size - 1.0) * vec2<f32>(1.0, -1.0);
    }
    out.place = vec4<f32>(picture, 0.5 - 0.5 * clamp(dot(view.towards.xyz, d) / view.depth, -1.0, 1.0), 1.0);
    // One that has stopped has no pose: it is nowhere.
    if !(abs(picture.x) < 1e6 && abs(picture.y) < 1e6) {
        out.place = vec4<f32>(2.0, 2.0, 2.0, 1.0);
    }
    out.color = color;
    return out;
}

@fragment
fn filled(corner: Corner) -> @location(0) vec4<f32> {
    return vec4<f32>(corner.color, 1.0);
}
