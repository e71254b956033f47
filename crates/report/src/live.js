// Advances the instances of a page by WebGPU, draws them from where their states lie, and counts
// their columns there.
const root = document.querySelector(".live");
const [page, [drawText, histogramText]] = [...root.querySelectorAll("script")].map(s =>
    JSON.parse(s.textContent),
);
const { player } = document.querySelector(".player");
const { add, dot, cross, unit, scaled, across, digits, round } = player.constructor.vectors;
const control = name => root.querySelector(`[data-do=${name}]`);
const grouped = x => Math.round(x).toLocaleString("en");

const WORKGROUP = 64;
const BINS = 512;
const VERDICTS = 64;
const BARS = 64;
const GROUND = 0xffffffff;
/** Work that is sent to the device together should take so long (ms): a page stays lively. */
const TOGETHER = 25;
/** Time between two histograms (ms). */
const COUNTED = 200;
const POSE = 7;
const poses = POSE * page.bodies;
/** Columns that are counted; one at least, whose values nobody reads where none is observed. */
const counted = Math.max(1, page.columns.length);
const FORMAT = "rgba8unorm";

const bytesOf = text => Uint8Array.from(atob(text), c => c.charCodeAt(0));
const numbersOf = text => new Float32Array(bytesOf(text).buffer);
const doublesOf = text => new Float64Array(bytesOf(text).buffer);
const tell = text => {
    root.querySelector(".told").textContent = text;
};

/** A number of the first instances at the start, as the levers have it. */
const starting = ({ of, values }, count) => {
    const plane =
        typeof values === "number"
            ? new Float64Array(count).fill(values)
            : Float64Array.from(
                  (values.double ? doublesOf(values.double) : numbersOf(values)).subarray(0, count),
              );
    for (const lever of levers) lever.move(JSON.stringify(of), plane);
    return plane;
};

/** Planes one after another, the first `count` numbers of each; nothing stands for what a
 * kernel computes. */
const planesOf = (places, count, stride) => {
    const all = new Float32Array(Math.max(1, places.length) * stride);
    const put = (k, plane) => all.set(plane, k * stride);
    places.forEach((place, k) => {
        if (typeof place === "number") put(k, starting(page.planes[place], count));
        // Single precision took this from a state.
        else if (place?.low !== undefined)
            put(
                k,
                starting(page.planes[place.low], count).map(x => x - Math.fround(x)),
            );
    });
    return all;
};

/** A drawn number: its mean and its spread among the instances can be changed. */
class Lever {
    constructor({ name, unit, drawn, low, high, moves }) {
        Object.assign(this, { name, unit, low, high, spread: 1, shift: 0 });
        this.drawn = Float64Array.from(numbersOf(drawn));
        this.moves = new Map(moves.map(([of, values]) => [JSON.stringify(of), numbersOf(values)]));
        this.mean = this.drawn.reduce((sum, x) => sum + x, 0) / this.drawn.length;
        this.deviation = Math.sqrt(
            this.drawn.reduce((sum, x) => sum + (x - this.mean) ** 2, 0) / this.drawn.length,
        );
    }

    get isMoved() {
        return this.spread !== 1 || this.shift !== 0;
    }

    /** The drawn number of an instance as it is now. */
    at(i) {
        return this.mean + this.shift * this.deviation + this.spread * (this.drawn[i] - this.mean);
    }

    value(table, x) {
        const place = ((x - this.low) / (this.high - this.low)) * (table.length - 1);
        const k = Math.min(table.length - 2, Math.max(0, Math.floor(place)));
        return table[k] + (place - k) * (table[k + 1] - table[k]);
    }

    move(of, plane) {
        const table = this.moves.get(of);
        if (!table || !this.isMoved) return;
        for (let i = 0; i < plane.length; i++)
            plane[i] += this.value(table, this.at(i)) - this.value(table, this.drawn[i]);
    }

    /** Whether the start of an instance is known where its number is now. */
    knows(i) {
        return this.at(i) >= this.low && this.at(i) <= this.high;
    }
}

const levers = page.levers.map(lever => new Lever(lever));
/** The step as a share of that of the study. */
let stepShare = 1;
/** The code of an instance that describes no mechanism. */
const INVALID = page.verdicts.indexOf("invalid_sample");

/** A device with what all pictures share. */
class Device {
    constructor(device) {
        this.device = device;
        this.layouts = {
            advance: this.layout("uniform", "storage", "read-only-storage", "read-only-storage", "storage"),
            observe: this.layout("uniform", ...Array(4).fill("read-only-storage"), "storage"),
            count: this.layout("uniform", "read-only-storage", "read-only-storage", "storage", "storage"),
            draw: this.layout("uniform", "read-only-storage", "read-only-storage"),
        };
    }

    layout(...types) {
        const visibility = GPUShaderStage.COMPUTE | (types.length === 3 ? GPUShaderStage.VERTEX : 0);
        const entries = types.map((type, binding) => ({ binding, visibility, buffer: { type } }));
        return this.device.createBindGroupLayout({ entries });
    }

    pipelineLayout(name) {
        return this.device.createPipelineLayout({ bindGroupLayouts: [this.layouts[name]] });
    }

    pipeline(name, code, entryPoint = name) {
        const module = this.device.createShaderModule({ code });
        return this.device.createComputePipelineAsync({
            layout: this.pipelineLayout(name),
            compute: { module, entryPoint },
        });
    }

    drawn(topology, module) {
        const float = (offset, shaderLocation) => ({ format: "float32x3", offset, shaderLocation });
        const attributes = [
            float(0, 0),
            float(12, 1),
            float(24, 2),
            { format: "uint32", offset: 36, shaderLocation: 3 },
        ];
        return this.device.createRenderPipelineAsync({
            layout: this.pipelineLayout("draw"),
            vertex: { module, entryPoint: "corner", buffers: [{ arrayStride: 40, attributes }] },
            fragment: { module, entryPoint: "filled", targets: [{ format: FORMAT }] },
            primitive: { topology },
            depthStencil: { format: "depth24plus", depthWriteEnabled: true, depthCompare: "less-equal" },
            multisample: { count: 4 },
        });
    }

    buffer(size, usage, data) {
        const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
        const whole = Math.max(16, Math.ceil(size / 16) * 16);
        const buffer = this.device.createBuffer({
            size: whole,
            usage: usage ?? STORAGE | COPY_SRC | COPY_DST,
        });
        if (data) this.write(buffer, data);
        return buffer;
    }

    write(buffer, data, at = 0) {
        this.device.queue.writeBuffer(buffer, at, data);
    }

    group(name, buffers) {
        const entries = buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
        return this.device.createBindGroup({ layout: this.layouts[name], entries });
    }

    /** Sends passes: pipeline, bindings, groups. */
    send(passes, more) {
        const encoder = this.device.createCommandEncoder();
        for (const [pipeline, group, ...groups] of passes) {
            const pass = encoder.beginComputePass();
            pass.setPipeline(pipeline);
            pass.setBindGroup(0, group);
            pass.dispatchWorkgroups(...groups);
            pass.end();
        }
        more?.(encoder);
        this.device.queue.submit([encoder.finish()]);
    }

    done() {
        return this.device.queue.onSubmittedWorkDone();
    }

    /** How many sums of the probe its driver adds otherwise than kernels say. */
    async otherSums({ text, count }) {
        const module = this.device.createShaderModule({ code: text });
        const pipeline = await this.device.createComputePipelineAsync({
            layout: "auto",
            compute: { module, entryPoint: "probe" },
        });
        const near = () => Math.fround(Math.random() - 0.5);
        const states = Float32Array.from({ length: count }, near);
        const added = states.map((_, i) => near() * 2 ** ((i % 31) - 25));
        const lows = states.map(x => x * 2 ** -25);
        const { UNIFORM, COPY_DST } = GPUBufferUsage;
        const buffers = [
            this.buffer(16, UNIFORM | COPY_DST, new Uint32Array([1])),
            this.buffer(12 * count),
            this.buffer(8 * count),
        ];
        [states, added, lows].forEach((plane, k) => this.write(buffers[1], plane, 4 * count * k));
        const entries = buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
        const group = this.device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
        this.send([[pipeline, group, count / WORKGROUP]]);
        const found = new Float32Array(await this.read(buffers[2]));
        buffers.forEach(buffer => buffer.destroy());
        const one = Math.fround;
        return states.filter((x, i) => {
            const rest = one(lows[i] + added[i]);
            const sum = one(x + rest);
            const ofRest = one(sum - x);
            const error = one(one(x - one(sum - ofRest)) + one(rest - ofRest));
            return found[i] !== sum || found[count + i] !== error;
        }).length;
    }

    /** What a buffer holds, on the host. */
    async read(buffer, size = buffer.size) {
        const copy = this.buffer(size, GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST);
        this.send([], encoder => encoder.copyBufferToBuffer(buffer, 0, copy, 0, size));
        await copy.mapAsync(GPUMapMode.READ);
        const bytes = copy.getMappedRange().slice(0);
        copy.destroy();
        return bytes;
    }
}

/** Triangles and lines of the mechanism, in the axes of their bodies. */
class Mesh {
    constructor() {
        this.corners = [];
        this.lines = [];
        const { scene } = player;
        this.own = this.extent();
        const { size } = this.own;
        scene.bodies.forEach((body, b) =>
            this.body(
                body,
                b,
                body.color.map(x => x / 255),
                size,
            ),
        );
        const soft = [0.45, 0.5, 0.55];
        for (const { ends } of scene.links) this.line(ends, soft);
        this.moving = this.lines.length;
        // Points of the ground and planes, which stand still.
        for (const p of scene.ground) {
            for (const k of [0, 1, 2]) {
                const e = [0, 1, 2].map(i => Number(i === k) * 0.03 * size);
                this.line(
                    [
                        [null, add(p, e)],
                        [null, add(p, e, -1)],
                    ],
                    soft,
                );
            }
        }
        for (const [point, normal] of scene.floors) {
            const along = across(normal);
            const aside = cross(normal, along);
            const step = round(size / 8);
            for (let k = -8; k <= 8; k++) {
                for (const [a, b] of [
                    [along, aside],
                    [aside, along],
                ]) {
                    const end = f => [null, add(add(point, a, k * step), b, 8 * f * step)];
                    this.line([end(-1), end(1)], soft);
                }
            }
        }
        this.data = [this.corners, this.lines].map(all => {
            const data = new DataView(new ArrayBuffer(40 * all.length));
            all.forEach(([p, n, color, body], k) => {
                [...p, ...n, ...color].forEach((x, i) => data.setFloat32(40 * k + 4 * i, x, true));
                data.setUint32(40 * k + 36, body, true);
            });
            return data;
        });
    }

    /** The middle and the half extents of the mechanism about its first body, over the motion
     * of the player. */
    extent() {
        const { scene, tracks } = player;
        const axes = scene.view;
        let [low, high] = [
            [Infinity, Infinity, Infinity],
            [-Infinity, -Infinity, -Infinity],
        ];
        const { snapshots } = tracks[0];
        for (let k = 0; k < snapshots; k += Math.ceil(snapshots / 200)) {
            const poses = player.poses(0, scene.times[k]);
            scene.bodies.forEach((body, b) =>
                player.corners(body).forEach(p => {
                    const d = add(player.at(poses[b], p), poses[0].r, -1);
                    low = low.map((x, i) => Math.min(x, dot(axes[i], d)));
                    high = high.map((x, i) => Math.max(x, dot(axes[i], d)));
                }),
            );
        }
        const middle = scaled(add(low, high), 0.5);
        const half = scaled(add(high, low, -1), 0.5);
        const size = Math.hypot(...half) || 1;
        return {
            size,
            reach: half.slice(0, 2).map(x => Math.max(x, 0.15 * size)),
            centre: axes.reduce((sum, axis, k) => add(sum, axis, middle[k]), [0, 0, 0]),
        };
    }

    /** Points of the ground are told from where the first body begins. */
    line(ends, color) {
        for (const [body, p] of ends) {
            const at = body === null ? add(p, player.scene.origin) : p;
            this.lines.push([at, [0, 0, 0], color, body ?? GROUND]);
        }
    }

    face(points, color, body, outwards) {
        let normal = unit(cross(add(points[1], points[0], -1), add(points[2], points[0], -1)));
        if (outwards && dot(normal, outwards) < 0) normal = scaled(normal, -1);
        for (let k = 2; k < points.length; k++) {
            for (const p of [points[0], points[k - 1], points[k]])
                this.corners.push([p, normal, color, body]);
        }
    }

    body({ shape, joints }, body, color, size) {
        const thin = 0.018 * size;
        switch (shape.kind) {
            case "block":
                for (const [normal, corners] of player.faces(shape)) this.face(corners, color, body, normal);
                break;
            case "sphere":
                this.sphere(shape, color, body);
                break;
            case "rod":
            case "node":
                this.rod(...shape.ends, thin, color, body);
                break;
            case "hull":
                this.hull(shape.points, color, body, thin, size);
                break;
            default:
                this.sphere({ centre: [0, 0, 0], radius: 0.03 * size, spoke: [0, 0, 1] }, color, body);
        }
        for (const p of joints)
            this.sphere({ centre: p, radius: 1.4 * thin, spoke: [0, 0, 1] }, [0.35, 0.4, 0.45], body, 6);
    }

    rod(a, b, radius, color, body) {
        const axis = unit(add(b, a, -1));
        const [u, v] = [across(axis), cross(axis, across(axis))];
        const ring = k =>
            add(scaled(u, radius * Math.cos((k * Math.PI) / 3)), v, radius * Math.sin((k * Math.PI) / 3));
        for (let k = 0; k < 6; k++) {
            const [p, q] = [ring(k), ring(k + 1)];
            this.face([add(a, p), add(a, q), add(b, q), add(b, p)], color, body, add(p, q));
        }
    }

    /** Quarters of two shades, by which a sphere is seen to turn. */
    sphere({ centre, radius, spoke }, color, body, parts = 16) {
        const axis = unit(spoke);
        const [u, v] = [across(axis), cross(axis, across(axis))];
        const at = (i, k) => {
            const [polar, round] = [(i * Math.PI * 2) / parts, (k * 2 * Math.PI) / parts];
            const aside = add(scaled(u, Math.cos(round)), v, Math.sin(round));
            return add(centre, add(scaled(axis, Math.cos(polar)), aside, Math.sin(polar)), radius);
        };
        for (let i = 0; i < parts / 2; i++) {
            for (let k = 0; k < parts; k++) {
                const corners = [at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)];
                const shade = (Math.floor((4 * k) / parts) + Math.floor((4 * i) / parts)) % 2 ? 0.65 : 1;
                const outwards = add(add(corners[0], corners[2]), centre, -2);
                // At a pole two corners are one.
                const distinct = i === 0 ? [corners[0], corners[1], corners[2]] : corners;
                this.face(distinct, scaled(color, shade), body, outwards);
            }
        }
    }

    /** Faces of the convex hull of points, and its edges as rods, for a flat one is seen from
     * its edge too. */
    hull(points, color, body, thin, size) {
        const inner = scaled(
            points.reduce((sum, p) => add(sum, p)),
            1 / points.length,
        );
        const [n, tiny] = [points.length, 1e-9 * size ** 3];
        for (let i = 0; i < n; i++)
            for (let j = i + 1; j < n; j++)
                for (let k = j + 1; k < n; k++) {
                    const normal = cross(add(points[j], points[i], -1), add(points[k], points[i], -1));
                    const sides = points.map(p => dot(normal, add(p, points[i], -1)));
                    if (Math.hypot(...normal) < 1e-9 * size ** 2) continue;
                    if (!sides.every(x => x <= tiny) && !sides.every(x => x >= -tiny)) continue;
                    this.face([points[i], points[j], points[k]], color, body, add(points[i], inner, -1));
                    for (const [a, b] of [
                        [i, j],
                        [j, k],
                        [i, k],
                    ])
                        this.rod(points[a], points[b], 0.5 * thin, scaled(color, 0.7), body);
                }
    }
}

/** A study under way: its kernels, its instances, its picture. */
class Side {
    constructor(gpu, given, figure) {
        Object.assign(this, { gpu, described: given, figure, canvas: figure.querySelector("canvas") });
        this.work = 1e5;
        this.compiled = new Map();
    }

    /** Takes the kernels of the study, or those whose step is a parameter. */
    async compile() {
        const { gpu, described } = this;
        const isLed = stepShare !== 1 && described.led;
        const given = isLed ? described.led : described;
        if (!this.compiled.has(given)) {
            this.compiled.set(
                given,
                await Promise.all([
                    gpu.pipeline("advance", given.advance),
                    gpu.pipeline("observe", given.observe.text, "observe"),
                    gpu.pipeline("observe", given.start.text, "observe"),
                ]),
            );
        }
        [this.advancing, this.observing, this.starting] = this.compiled.get(given);
        const h = isLed ? given.h * stepShare : given.h;
        // A study is over after as long a time.
        this.given = { ...given, h, steps: Math.max(1, Math.round((given.steps * given.h) / h)) };
    }

    /** Makes so many instances ready to start. */
    load(count) {
        const { gpu, given } = this;
        this.buffers?.forEach(buffer => buffer.destroy());
        const stride = Math.ceil(count / WORKGROUP) * WORKGROUP;
        Object.assign(this, { count, stride });
        const uniform = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
        const planes = of =>
            gpu.buffer(4 * Math.max(1, of.length) * stride, undefined, planesOf(of, count, stride));
        const columns = poses + counted;
        const b = {
            run: gpu.buffer(36, uniform),
            look: gpu.buffer(24, uniform),
            view: gpu.buffer(160, uniform),
            state: planes(given.state),
            parameters: planes(given.parameters),
            shared: gpu.buffer(4 * given.shared, undefined, numbersOf(given.constants)),
            ends: gpu.buffer(8 * stride),
            observed: planes(given.observe.given),
            started: planes(given.start.given),
            constants: this.shared(given.observe.shared),
            startConstants: this.shared(given.start.shared),
            baseline: gpu.buffer(4 * 5 * stride),
            values: [0, 1].map(() => gpu.buffer(4 * columns * stride)),
            counting: gpu.buffer(12, uniform),
            ranges: gpu.buffer(8 * counted),
            counts: gpu.buffer(4 * (counted * BINS + VERDICTS)),
        };
        this.b = b;
        this.buffers = Object.values(b).flat();
        gpu.write(b.look, new Uint32Array([0, count, stride, stride, 0, 0]));
        gpu.write(b.counting, new Uint32Array([count, stride, poses]));
        const ends = new Uint32Array(2 * count);
        for (let i = 0; i < count; i++)
            if (!levers.every(lever => !lever.isMoved || lever.knows(i))) ends[2 * i] = INVALID;
        given.ended.forEach(([i, code]) => {
            if (i < count) ends[2 * i] = code;
        });
        if (given.step !== null)
            gpu.write(b.parameters, new Float32Array(count).fill(given.h), 4 * given.step * stride);
        gpu.write(b.ends, ends);
        this.groups = {
            advance: gpu.group("advance", [b.run, b.state, b.parameters, b.shared, b.ends]),
            start: gpu.group("observe", [b.look, b.state, b.ends, b.started, b.startConstants, b.baseline]),
            observe: b.values.map(v =>
                gpu.group("observe", [b.look, b.state, b.ends, b.observed, b.constants, v]),
            ),
            count: b.values.map(v => gpu.group("count", [b.counting, v, b.ends, b.ranges, b.counts])),
            draw: [0, 1].map(k => gpu.group("draw", [b.view, b.values[1 - k], b.values[k]])),
        };
        Object.assign(this, { step: 0, now: 0, steps: 0 });
        const starts = given.observe.given
            .map((plane, k) => [plane.start, k])
            .filter(([start]) => start !== undefined);
        gpu.send([[this.starting, this.groups.start, stride / WORKGROUP]], encoder => {
            for (const [start, k] of starts) {
                encoder.copyBufferToBuffer(
                    b.baseline,
                    4 * start * stride,
                    b.observed,
                    4 * k * stride,
                    4 * stride,
                );
            }
            // Energies of other starts than those of the study.
            given.energy.forEach((place, k) => {
                if (place === null || !levers.some(lever => lever.isMoved)) return;
                encoder.copyBufferToBuffer(
                    b.baseline,
                    4 * k * stride,
                    b.parameters,
                    4 * place * stride,
                    4 * stride,
                );
            });
        });
        this.look();
        this.look();
    }

    /** Constants, with room for the shares of the timed loads. */
    shared(text) {
        const constants = numbersOf(text);
        return this.gpu.buffer(4 * (constants.length + this.given.spans.length), undefined, constants);
    }

    get time() {
        return this.step * this.given.h;
    }
    get isOver() {
        return this.step >= this.given.steps;
    }

    /** The step at which verdicts are judged next, as in a run: at checks and snapshots. */
    next(step) {
        const { check, every, steps } = this.given;
        return Math.min(steps, ...[check, every].map(period => (Math.floor(step / period) + 1) * period));
    }

    /** Advances all instances over intervals that take together some time, at most to `last`;
     * at least one. */
    async advance(last) {
        const { gpu, given, b, count, stride } = this;
        const { check, resynchronise, begin } = given;
        const period = x => Math.min(x, 0xffffffff);
        let sent = 0;
        let begun = performance.now();
        const wait = async () => {
            await gpu.done();
            const rate = sent / Math.max(0.1, performance.now() - begun);
            this.work = Math.min(4 * Math.max(this.work, sent), 0.5 * (this.work + rate * TOGETHER));
            [sent, begun] = [0, performance.now()];
        };
        do {
            const end = this.next(this.step);
            for (let first = this.step; first < end;) {
                const stretch =
                    given.stretches.find(stretch => stretch.end > first) ?? given.stretches.at(-1);
                const to = stretch.end > first ? Math.min(end, stretch.end) : end;
                const factors = numbersOf(stretch.factors);
                if (factors.length) gpu.write(b.shared, factors, numbersOf(given.constants).byteLength);
                const each = Math.max(
                    WORKGROUP,
                    Math.floor(this.work / (to - first) / WORKGROUP) * WORKGROUP,
                );
                for (let start = 0; start < count; start += each) {
                    const until = Math.min(count, start + each);
                    gpu.write(
                        b.run,
                        new Uint32Array([
                            first,
                            to,
                            until,
                            stride,
                            period(resynchronise),
                            period(check),
                            start,
                            stretch.pieces,
                            period(begin),
                        ]),
                    );
                    gpu.send([[this.advancing, this.groups.advance, Math.ceil((until - start) / WORKGROUP)]]);
                    sent += (until - start) * (to - first);
                    if (sent >= this.work) await wait();
                }
                first = to;
            }
            this.steps += count * (end - this.step);
            this.step = end;
        } while (this.step < last && sent < this.work);
        await wait();
    }

    /** Computes the columns and poses of all instances as they are now; those before stay for
     * the picture. */
    look() {
        const { gpu, given, b, step } = this;
        this.now = 1 - this.now;
        // The share of the step around this one during which a load acts.
        const [from, to] = [Math.max(step - 0.5, 0), step + 0.5];
        const acting = given.spans.map(
            ([a, z]) => Math.max(0, Math.min(z / given.h, to) - Math.max(a / given.h, from)) / (to - from),
        );
        if (acting.length)
            gpu.write(b.constants, new Float32Array(acting), numbersOf(given.observe.shared).byteLength);
        gpu.send([[this.observing, this.groups.observe[this.now], this.stride / WORKGROUP]]);
        [this.shownBefore, this.shown] = [this.shown ?? 0, step];
    }

    /** Histograms of all columns as they were looked at last, and how many instances have ended
     * how. */
    async histograms() {
        const { gpu, b, count } = this;
        const groups = [Math.ceil(count / WORKGROUP), counted];
        gpu.send([], encoder => [b.ranges, b.counts].forEach(buffer => encoder.clearBuffer(buffer)));
        const group = this.groups.count[this.now];
        const [extremes, counts] = [histogramPipelines.extremes, histogramPipelines.count];
        gpu.send([
            [extremes, group, ...groups],
            [counts, group, ...groups],
        ]);
        const [ranges, all] = (await Promise.all([gpu.read(b.ranges), gpu.read(b.counts)])).map(
            x => new Uint32Array(x),
        );
        const real = bits => new Float32Array(new Uint32Array([bits]).buffer)[0];
        const ofKey = bits => real(bits >>> 31 ? bits & 0x7fffffff : ~bits >>> 0);
        return {
            columns: page.columns.map((_, k) => {
                const bins = all.slice(k * BINS, (k + 1) * BINS);
                return {
                    low: ofKey(~ranges[2 * k] >>> 0),
                    high: ofKey(ranges[2 * k + 1]),
                    bins,
                    count: bins.reduce((a, x) => a + x, 0),
                };
            }),
            verdicts: [...all.slice(counted * BINS, counted * BINS + VERDICTS)],
        };
    }

    /** Makes the canvas ready. Where a processor is the device, browsers lose it to a canvas of
     * WebGPU. */
    present(isSoftware) {
        const {
            canvas,
            gpu: { device },
        } = this;
        this.plain = isSoftware ? canvas.getContext("2d") : null;
        this.context = isSoftware ? null : canvas.getContext("webgpu");
        this.context?.configure({ device, format: FORMAT, alphaMode: "opaque" });
    }

    async frame(share) {
        const { canvas } = this;
        const dense = devicePixelRatio || 1;
        const [width, height] = [canvas.clientWidth, canvas.clientHeight].map(x =>
            Math.max(1, Math.round(dense * x)),
        );
        const picture = this.plain ? await this.pixels(width, height, share) : null;
        if (canvas.width !== width || canvas.height !== height)
            [canvas.width, canvas.height] = [width, height];
        if (picture) this.plain.putImageData(picture, 0, 0);
        else this.draw(this.context.getCurrentTexture().createView(), width, height, share);
    }

    /** Draws the picture between the last two looks into a view of a texture. */
    draw(target, width, height, share) {
        const { gpu, b } = this;
        const { device } = gpu;
        const drawn = Math.min(this.count, Number(control("drawn").value));
        const isApart = control("apart").checked;
        const shape = isApart ? ((width / height) * mesh.own.reach[1]) / mesh.own.reach[0] : 1;
        const columns = isApart ? Math.ceil(Math.sqrt(drawn * shape)) : 1;
        const rows = isApart ? Math.ceil(drawn / columns) : 1;
        const { zoom } = player;
        const { centre, reach } = isApart ? mesh.own : player;
        const scale = 0.9 * zoom * Math.min(width / columns / (2 * reach[0]), height / rows / (2 * reach[1]));
        const middle = isApart ? centre : add(centre, player.scene.origin);
        const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
        const color = Number(control("color").value);
        const range = color ? this.seen?.columns[color - 1] : null;
        const light = unit(add(add(scaled(player.towards, 0.6), player.up, 0.7), player.right, -0.4));
        const view = new DataView(new ArrayBuffer(160));
        [player.right, player.up, player.towards, middle, light].forEach((v, k) =>
            v.forEach((x, i) => view.setFloat32(16 * k + 4 * i, x, true)),
        );
        const floats = [
            (2 * scale) / width,
            (2 * scale) / height,
            share,
            isDark ? 0.35 : 0,
            range?.low ?? 0,
            range?.high ?? 1,
            zoom,
            4 * player.size + Math.hypot(...player.reach),
        ];
        floats.forEach((x, k) => view.setFloat32(80 + 4 * k, x, true));
        [
            this.stride,
            page.bodies,
            isApart ? columns : 0,
            rows,
            range ? poses + color - 1 : 0,
            Number(isApart),
        ].forEach((x, k) => view.setUint32(112 + 4 * k, x, true));
        gpu.write(b.view, view);
        if (this.size?.[0] !== width || this.size[1] !== height) {
            this.textures?.forEach(texture => texture.destroy());
            this.textures = [FORMAT, "depth24plus"].map(format =>
                device.createTexture({
                    size: [width, height],
                    format,
                    sampleCount: 4,
                    usage: GPUTextureUsage.RENDER_ATTACHMENT,
                }),
            );
            this.size = [width, height];
        }
        const paper = getComputedStyle(this.canvas).getPropertyValue("--paper").trim();
        const [r, g, bl] = [1, 3, 5].map(k => parseInt(paper.slice(k, k + 2), 16) / 255);
        const [color4, depth] = this.textures.map(texture => texture.createView());
        const encoder = device.createCommandEncoder();
        const pass = encoder.beginRenderPass({
            colorAttachments: [
                {
                    view: color4,
                    resolveTarget: target,
                    loadOp: "clear",
                    storeOp: "discard",
                    clearValue: [r, g, bl, 1],
                },
            ],
            depthStencilAttachment: {
                view: depth,
                depthLoadOp: "clear",
                depthStoreOp: "discard",
                depthClearValue: 1,
            },
        });
        pass.setBindGroup(0, this.groups.draw[this.now]);
        const put = (pipeline, buffer, first, count, instances) => {
            if (!count) return;
            pass.setPipeline(pipeline);
            pass.setVertexBuffer(0, buffer);
            pass.draw(count, instances, first);
        };
        const { corners, lines } = pictures;
        put(corners.pipeline, corners.buffer, 0, mesh.corners.length, drawn);
        put(lines.pipeline, lines.buffer, 0, mesh.moving, drawn);
        if (!isApart) put(lines.pipeline, lines.buffer, mesh.moving, mesh.lines.length - mesh.moving, 1);
        pass.end();
        device.queue.submit([encoder.finish()]);
    }

    /** The picture as bytes, four a pixel: a canvas of a browser without a screen stays empty. */
    async pixels(width, height, share = 1) {
        const { RENDER_ATTACHMENT, COPY_SRC } = GPUTextureUsage;
        const texture = this.gpu.device.createTexture({
            size: [width, height],
            format: FORMAT,
            usage: RENDER_ATTACHMENT | COPY_SRC,
        });
        this.draw(texture.createView(), width, height, share);
        const bytesPerRow = Math.ceil((4 * width) / 256) * 256;
        const copy = this.gpu.buffer(bytesPerRow * height, GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC);
        this.gpu.send([], encoder =>
            encoder.copyTextureToBuffer({ texture }, { buffer: copy, bytesPerRow }, [width, height]),
        );
        const bytes = new Uint8Array(await this.gpu.read(copy));
        copy.destroy();
        texture.destroy();
        const rows = new Uint8ClampedArray(4 * width * height);
        for (let y = 0; y < height; y++)
            rows.set(bytes.subarray(y * bytesPerRow, y * bytesPerRow + 4 * width), 4 * width * y);
        return new ImageData(rows, width, height);
    }
}

let [mesh, pictures, histogramPipelines] = [null, null, null];

/** All pictures of the page, and what moves them. */
class Live {
    constructor(gpu, isSoftware) {
        Object.assign(this, { gpu, isSoftware });
        this.sides = page.sides.map((given, k) => new Side(gpu, given, root.querySelectorAll("figure")[k]));
        this.isPlaying = false;
    }

    async compile() {
        const begun = performance.now();
        const before = root.querySelector(".told").textContent;
        const seconds = () => ((performance.now() - begun) / 1000).toFixed(1);
        const ticking = setInterval(
            () => tell(`The driver compiles the kernels: ${seconds()} s. Long ones take minutes.`),
            100,
        );
        try {
            const { gpu } = this;
            const { device } = gpu;
            await Promise.all(this.sides.map(side => side.compile()));
            if (!pictures) {
                const draw = device.createShaderModule({ code: drawText });
                const [corners, lines, extremes, count] = await Promise.all([
                    gpu.drawn("triangle-list", draw),
                    gpu.drawn("line-list", draw),
                    gpu.pipeline("count", histogramText, "extremes"),
                    gpu.pipeline("count", histogramText, "count"),
                ]);
                const { VERTEX, COPY_DST } = GPUBufferUsage;
                const [a, b] = mesh.data.map(data => gpu.buffer(data.byteLength, VERTEX | COPY_DST, data));
                pictures = {
                    corners: { pipeline: corners, buffer: a },
                    lines: { pipeline: lines, buffer: b },
                };
                histogramPipelines = { extremes, count };
                this.compiled = seconds();
            }
        } finally {
            clearInterval(ticking);
            tell(before);
        }
    }

    listen() {
        const choose = (name, choices, chosen) => {
            for (const [value, text] of choices) control(name).add(new Option(text, value));
            control(name).value = chosen;
        };
        const sizes = [100, 1000, 10_000, 100_000]
            .filter(n => n < page.count)
            .concat(page.count)
            .map(n => [n, grouped(n)]);
        const smallest = Math.min(...this.sides.map(({ described: { steps, h } }) => steps * h));
        const usual = round(smallest / 30);
        choose("count", sizes, Math.min(page.count, 10_000));
        choose(
            "drawn",
            [1, 16, 100, ...sizes.map(([n]) => n)]
                .filter((n, k, all) => n <= page.count && all.indexOf(n) === k)
                .map(n => [n, grouped(n)]),
            Math.min(page.count, 100),
        );
        choose(
            "speed",
            [0.01, 0.1, 0.2, 0.5, 1, 2, 5, 10]
                .map(f => [f * usual, `${digits(f * usual, 3)} ×`])
                .concat([[Infinity, "as fast as it goes"]]),
            usual,
        );
        choose("color", [[0, "bodies"], ...page.columns.map(({ name }, k) => [k + 1, name])], 0);
        // Bodies that stay in their place would cover each other, and those that go far would be
        // lost.
        const gone = player.size / mesh.own.size;
        control("apart").checked = gone < 1.1 || gone > 6;
        this.lead();
        control("play").onclick = () => this.play(!this.isPlaying);
        control("again").onclick = () => this.again();
        control("count").onchange = () => this.again();
        control("reset").onclick = () => player.reset();
        for (const { canvas } of this.sides) player.watch(canvas, { " ": () => this.play(!this.isPlaying) });
        for (const side of this.sides) side.present(this.isSoftware);
        this.figures = page.columns.map(({ name, unit }) => {
            const figure = document.createElement("figure");
            figure.innerHTML =
                '<figcaption></figcaption>' +
                '<svg viewBox="0 0 320 90" role="img" preserveAspectRatio="none"></svg><p></p>';
            figure.firstChild.textContent = unit === "1" ? name : `${name} (${unit})`;
            root.querySelector(".histograms").append(figure);
            return figure;
        });
    }

    /** Sliders for what can be changed; then the instances are no longer those of the study. */
    lead() {
        const [list, told] = root.querySelectorAll(".levers div, .levers p");
        const slider = (name, min, max, value, show, set) => {
            const label = document.createElement("label");
            const input = Object.assign(document.createElement("input"), {
                type: "range",
                min,
                max,
                step: "any",
                value,
            });
            const output = document.createElement("output");
            label.append(name, input, output);
            list.append(label);
            const seen = () => {
                set(Number(input.value));
                output.textContent = show();
            };
            seen();
            input.oninput = seen;
            input.onchange = () => this.again();
            return () => {
                input.value = value;
                seen();
            };
        };
        const resets = levers.flatMap(lever => {
            const unit = lever.unit === "1" ? "" : ` ${lever.unit}`;
            return [
                slider(
                    `Mean of ${lever.name}`,
                    -3,
                    3,
                    0,
                    () => digits(lever.mean + lever.shift * lever.deviation, 4) + unit,
                    x => {
                        lever.shift = x;
                    },
                ),
                slider(
                    `Spread of ${lever.name}`,
                    0,
                    3,
                    1,
                    () => digits(lever.spread * lever.deviation, 3) + unit,
                    x => {
                        lever.spread = x;
                    },
                ),
            ];
        });
        const isFree = this.sides.some(side => side.described.led);
        if (isFree) {
            const steps = () =>
                this.sides.map(
                    ({ described }) => `${digits(described.h * (described.led ? stepShare : 1), 3)} s`,
                );
            resets.push(
                slider(
                    "Step",
                    -1,
                    2,
                    0,
                    () => steps().join(", "),
                    x => {
                        stepShare = 10 ** x;
                    },
                ),
            );
        }
        const reset = Object.assign(document.createElement("button"), {
            type: "button",
            textContent: "As in the study",
        });
        reset.onclick = () => {
            resets.forEach(one => one());
            this.again();
        };
        list.append(reset);
        const all = page.drawn - levers.length;
        told.textContent =
            (all
                ? `${all} other drawn numbers have no slider: starts follow them together with others. `
                : "") +
            (isFree
                ? ""
                : "The step has no slider: loads or samples have times of their own, or steps are chosen. ");
    }

    /** All instances at their start. */
    async again() {
        this.play(false);
        await this.running;
        await this.compile();
        for (const side of this.sides) side.load(Number(control("count").value));
        [this.frames, this.begun, this.stepped] = [[], performance.now(), this.sides.map(() => 0)];
        await this.count();
        this.show();
    }

    play(isPlaying) {
        if (isPlaying && this.isPlaying) return;
        this.isPlaying = isPlaying;
        control("play").textContent = isPlaying ? "Pause" : "Play";
        if (isPlaying) this.running = (this.running ?? Promise.resolve()).then(() => this.run());
    }

    /** Goes on until it is stopped or over: while an interval is shown, the next one is
     * computed. */
    async run() {
        if (this.sides.every(side => side.isOver)) for (const side of this.sides) side.load(side.count);
        [this.begun, this.stepped] = [performance.now(), this.sides.map(side => side.steps)];
        let shown = performance.now();
        while (this.isPlaying) {
            // Pictures show one time: the side with the shortest intervals waits for the others.
            const isFast = control("speed").value === "Infinity";
            const time = Math.max(
                ...this.sides.filter(side => !side.isOver).map(side => side.given.h * side.next(side.step)),
            );
            const before = Math.max(...this.sides.map(side => side.time));
            for (const side of this.sides) {
                const last = isFast ? side.given.steps : Math.round(time / side.given.h);
                if (!side.isOver)
                    do await side.advance(last);
                    while (!isFast && this.isPlaying && !side.isOver && side.step < last);
            }
            // The drawn interval comes to its end before the next one starts.
            const wanted = ((this.interval ?? 0) / Number(control("speed").value)) * 1000;
            await new Promise(done => {
                const wait = () =>
                    !this.isPlaying || performance.now() - shown >= wanted
                        ? done()
                        : requestAnimationFrame(wait);
                wait();
            });
            this.sides.forEach(side => side.look());
            this.interval = Math.max(...this.sides.map(side => side.time)) - before;
            [shown, this.shown] = [performance.now(), performance.now()];
            if (shown - this.counted > COUNTED) await this.count();
            this.rates();
            this.show();
            await new Promise(requestAnimationFrame);
            if (this.sides.every(side => side.isOver)) this.play(false);
        }
        await this.count();
        this.rates();
    }

    /** Draws now, and again with every frame while something moves. */
    show() {
        if (this.framing) return;
        this.framing = true;
        requestAnimationFrame(now => {
            this.framing = false;
            this.frames = [...(this.frames ?? []).filter(t => t > now - 1000), now];
            const wanted = ((this.interval ?? 0) / Number(control("speed").value)) * 1000;
            const share =
                this.isPlaying && wanted ? Math.min(1, (performance.now() - this.shown) / wanted) : 1;
            Promise.all(this.sides.map(side => side.frame(share))).then(() => this.show());
        });
    }

    rates() {
        const seconds = (performance.now() - this.begun) / 1000;
        const times = this.sides.map(side => `${digits(side.time, 4)} s`);
        const rates = this.sides.map(
            (side, k) => `${((side.steps - this.stepped[k]) / seconds).toExponential(2)} instance-steps/s`,
        );
        const frames = this.frames?.length ?? 0;
        const ended = this.sides.map(({ seen }) =>
            (seen?.verdicts ?? [])
                .map((n, code) => [n, page.verdicts[code]])
                .filter(([n], code) => n && code)
                .map(([n, name]) => `${grouped(n)} ${name}`)
                .join(", "),
        );
        root.querySelector(".rates").textContent =
            this.sides
                .map(
                    (_, k) =>
                        (this.sides.length > 1 ? `${page.sides[k].name}: ` : "") +
                        `t = ${times[k]}, ${rates[k]}${ended[k] ? `; ended: ${ended[k]}` : ""}`,
                )
                .join(" · ") +
            ` · ${frames} frames/s` +
            (stepShare !== 1 || levers.some(lever => lever.isMoved)
                ? " · sliders are moved: no instances of the study"
                : "");
    }

    async count() {
        this.counted = performance.now();
        const all = [];
        for (const side of this.sides) all.push((side.seen = await side.histograms()));
        this.figures.forEach((figure, k) =>
            plot(
                figure,
                all.map(seen => seen.columns[k]),
            ),
        );
        this.rates();
    }
}

/** The value below which this share lies, in digits that the width of a bin leaves. */
const quantile = ({ low, high, bins, count }, share) => {
    const unit = 10 ** Math.floor(Math.log10((high - low) / bins.length));
    let below = 0;
    for (let k = 0; k < bins.length; k++) {
        if (bins[k] && below + bins[k] >= share * count) {
            const x = low + ((high - low) * (k + (share * count - below) / bins[k])) / bins.length;
            return unit ? unit * Math.round(x / unit) : x;
        }
        below += bins[k];
    }
    return high;
};

/** Histograms of one column over one axis. */
const plot = (figure, seen) => {
    const some = seen.filter(({ count }) => count);
    const [low, high] = [Math.min(...some.map(x => x.low)), Math.max(...some.map(x => x.high))];
    const bars = seen.map(one => {
        const heights = new Float64Array(BARS);
        one.bins.forEach((n, k) => {
            const x = one.low + ((one.high - one.low) * (k + 0.5)) / BINS;
            heights[Math.min(BARS - 1, Math.floor(((x - low) / (high - low || 1)) * BARS))] += n;
        });
        return heights;
    });
    const top = Math.max(1, ...bars.flatMap(heights => [...heights]));
    const width = 320 / BARS;
    figure.querySelector("svg").innerHTML = bars
        .map((heights, s) => {
            const path = [...heights].map((n, k) => `V${(88 - (84 * n) / top).toFixed(1)}h${width}`).join("");
            return `<path class="side-${s}" d="M0 88${path}V88Z"/>`;
        })
        .join("");
    const told = one =>
        one.count ? [0.05, 0.5, 0.95].map(share => digits(quantile(one, share), 4)).join(" | ") : "none";
    const range = some.length ? `${digits(low, 4)} to ${digits(high, 4)}` : "none";
    figure.querySelector("svg").setAttribute("aria-label", `Histogram from ${range}`);
    figure.querySelector("p").textContent = `${range}; 5 %, median, 95 %: ${seen.map(told).join("; ")}`;
};

const SWITCH_ON =
    "It needs WebGPU. Chrome and Edge have it since version 113 (on Linux: " +
    "chrome://flags/#enable-unsafe-webgpu and #enable-vulkan), Safari since 26, " +
    "Firefox since 141 on Windows (elsewhere: dom.webgpu.enabled in about:config).";

const begin = async () => {
    const without = why => {
        root.classList.add("without");
        tell(
            `This browser cannot advance the instances here: ${why}. ${SWITCH_ON} ` +
                "The motion below plays without it.",
        );
    };
    if (!navigator.gpu) return without("it has no WebGPU");
    const adapter = await navigator.gpu.requestAdapter();
    if (!adapter) return without("it found no GPU");
    const device = await adapter.requestDevice();
    device.addEventListener("uncapturederror", ({ error }) =>
        tell(`The device refused its work: ${error.message}`),
    );
    mesh = new Mesh();
    const live = new Live(new Device(device), adapter.info.isFallbackAdapter);
    device.lost.then(({ message }) => {
        live.play(false);
        without(`the device was lost (${message})`);
    });
    try {
        const others = page.adding ? await live.gpu.otherSums(page.adding) : 0;
        if (others)
            return without(
                `its driver puts sums in another order (${others} of ${page.adding.count}), ` +
                    "and f32_compensated is lost",
            );
        await live.compile();
    } catch (error) {
        return without(`its driver refused a kernel (${error.message})`);
    }
    const { vendor, architecture, description } = adapter.info;
    const name = description || [vendor, architecture].filter(x => x).join(" ") || "a device without a name";
    live.listen();
    await live.again();
    tell(
        `On ${name}${live.isSoftware ? ", which is this computer's processor" : ""}; ` +
            `its driver compiled the kernels in ${live.compiled} s.`,
    );
    root.live = live;
    return live;
};

root.ready = begin();
