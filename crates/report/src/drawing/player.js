"use strict";
// Plays the motions of a report: shapes in body axes, turned and moved by the poses of the
// snapshots, and drawn on a canvas from the farthest to the nearest.
(() => {
    const add = (a, b, f = 1) => [a[0] + f * b[0], a[1] + f * b[1], a[2] + f * b[2]];
    const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    const scaled = (a, f) => [f * a[0], f * a[1], f * a[2]];
    const unit = a => scaled(a, 1 / (Math.hypot(...a) || 1));
    const middleOf = points =>
        scaled(
            points.reduce((sum, p) => add(sum, p)),
            1 / points.length,
        );
    /** A unit vector across another. */
    const across = a => unit(cross(a, Math.abs(a[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0]));
    const mix = (a, b, f) => `rgb(${[0, 1, 2].map(k => Math.round(a[k] + f * (b[k] - a[k]))).join(" ")})`;

    /** Turns a vector by a unit quaternion, scalar first. */
    const turn = ([w, x, y, z], p) => {
        const t = scaled(cross([x, y, z], p), 2);
        return add(add(p, t, w), cross([x, y, z], t));
    };
    /** Turns a vector about a unit axis. */
    const about = (axis, angle, p) => turn([Math.cos(angle / 2), ...scaled(axis, Math.sin(angle / 2))], p);

    /** The corners of the convex hull of points of the picture, in turn. */
    const hull = points => {
        const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
        const half = from =>
            from.reduce((kept, p) => {
                const turnsRight = ([a, b]) =>
                    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) <= 0;
                while (kept.length > 1 && turnsRight(kept.slice(-2))) kept.pop();
                return [...kept, p];
            }, []);
        return [...half(sorted).slice(0, -1), ...half(sorted.reverse()).slice(0, -1)];
    };

    /** The next larger of 1, 2, 5, 10, 20, ... */
    const round = x => {
        const power = 10 ** Math.floor(Math.log10(x));
        return [1, 2, 5, 10].map(f => f * power).find(f => f >= x * 0.999);
    };
    const digits = (x, n) => String(Number(x.toPrecision(n)));

    /** A body that turns farther between two snapshots (rad) may have turned the other way
     * round: it jumps. */
    const FOLLOWED = 1.2;
    const POSE = 7;
    const COILS = 8;
    /** From the least outcome to the greatest (viridis). */
    const SHADES = [
        [68, 1, 84],
        [59, 82, 139],
        [33, 145, 140],
        [94, 201, 98],
        [253, 231, 37],
    ];

    class Player {
        static vectors = { add, dot, cross, scaled, unit, across, digits, round };

        constructor(root) {
            this.scene = JSON.parse(root.querySelector("script").textContent);
            this.canvas = root.querySelector("canvas");
            this.pen = this.canvas.getContext("2d");
            const control = name => root.querySelector(`[data-do=${name}]`);
            [
                this.button,
                this.speed,
                this.follow,
                this.paths,
                this.others,
                this.chosen,
                this.spin,
                this.forces,
                this.bending,
                this.view,
                this.frames,
            ] = [
                "play",
                "speed",
                "follow",
                "paths",
                "others",
                "instance",
                "spin",
                "forces",
                "bending",
                "view",
                "frames",
            ].map(control);
            [this.body, this.clear] = ["body", "clear"].map(control);
            this.values = root.querySelector(".body");
            this.slider = root.querySelector("input[type=range]");
            this.output = root.querySelector("output");
            this.message = root.querySelector(".picked");
            this.root = root;
            const { times, tracks, bodies, shade, forces } = this.scene;
            const decoded = text =>
                new Float32Array(Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer);
            this.tracks = tracks.map(({ instance, snapshots, poses, amplitudes }, k) => ({
                instance,
                snapshots,
                numbers: decoded(poses),
                amplitudes: decoded(amplitudes),
                value: shade?.values[k] ?? null,
            }));
            this.pushes = forces.map(force => ({ ...force, values: force.values.map(decoded) }));
            this.track = 0;
            this.first = times[0];
            this.last = times[times.length - 1];
            this.time = this.first;
            this.follows = this.tracks.map((_, k) => this.canFollow(k));
            this.hangs = this.bending ? this.hanging() : [];
            [this.slider.min, this.slider.max] = [this.first, this.last];
            const choose = (select, value, text) => select.add(new Option(text, value));
            const usual = round((this.last - this.first) / (this.scene.repeats ? 2.5 : 12));
            for (const f of [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100]) {
                choose(this.speed, f * usual, `${digits(f * usual, 3)} ×`);
            }
            this.speed.value = usual;
            choose(this.follow, "", "nothing");
            choose(this.body, "", "none");
            bodies.forEach((body, k) =>
                [this.follow, this.body].forEach(select => choose(select, k, body.name)),
            );
            [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].forEach(
                f => this.bending && choose(this.bending, f, String(f)),
            );
            this.button.onclick = () => this.play(!this.isPlaying);
            control("reset").onclick = () => this.reset();
            control("picture").onclick = () => this.save();
            control("copy").onclick = () => this.copy();
            this.view.onchange = () => this.look(this.view.value);
            this.slider.oninput = () => {
                this.play(false);
                this.show(Number(this.slider.value));
            };
            for (const input of [
                this.follow,
                this.paths,
                this.others,
                this.spin,
                this.forces,
                this.bending,
                this.frames,
                this.body,
                this.clear,
            ]) {
                if (input) input.onchange = () => this.show(this.time);
            }
            if (this.chosen) {
                this.tracks.forEach(({ instance }, k) => choose(this.chosen, k, String(instance)));
                this.chosen.onchange = () => this.pick(this.tracks[Number(this.chosen.value)].instance);
                document.addEventListener("polhode-instance", event => this.pick(event.detail));
            }
            addEventListener("beforeprint", () => this.printed());
            this.listen();
            this.reset();
            new ResizeObserver(() => this.show(this.time)).observe(this.canvas);
            matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.show(this.time));
        }

        /** A body at a snapshot: position, attitude and amplitudes. */
        pose(track, k, body) {
            const { numbers, amplitudes, snapshots } = this.tracks[track];
            const { bodies } = this.scene;
            const at = (k * bodies.length + body) * POSE;
            const [first, count] = bodies[body].modes;
            const bent = (k * amplitudes.length) / snapshots + first;
            return {
                r: numbers.subarray(at, at + 3),
                q: numbers.subarray(at + 3, at + POSE),
                bent: amplitudes.subarray(bent, bent + count),
            };
        }

        /** By snapshot, whether all bodies turn little enough to the next one to be drawn in
         * between. */
        canFollow(track) {
            const { snapshots } = this.tracks[track];
            return Array.from({ length: snapshots - 1 }, (_, k) =>
                this.scene.bodies.every((_, body) => {
                    const [a, b] = [k, k + 1].map(k => this.pose(track, k, body).q);
                    return (
                        2 * Math.acos(Math.min(1, Math.abs(a.reduce((sum, x, i) => sum + x * b[i], 0)))) <
                        FOLLOWED
                    );
                }),
            );
        }

        /** Plays the instance of this number, if its motion is here. */
        pick(instance) {
            const track = this.tracks.findIndex(known => known.instance === instance);
            this.message.hidden = track >= 0;
            if (track < 0) {
                this.message.textContent =
                    `The motion of instance ${instance} is not in this page: ` +
                    `polhode replay . --instance ${instance}`;
                return;
            }
            this.track = track;
            this.chosen.value = track;
            this.canvas.setAttribute("aria-label", `Motion of instance ${instance}`);
            this.show(this.time);
        }

        /** Four positions side by side, for paper. */
        printed() {
            this.root.querySelector(".frames")?.remove();
            const frames = Object.assign(document.createElement("div"), { className: "frames" });
            const [canvas, pen, time] = [this.canvas, this.pen, this.time];
            const positions = this.last > this.first ? 4 : 1;
            for (let k = 0; k < positions; k++) {
                const at = this.first + ((this.last - this.first) * k) / 3;
                const paper = Object.assign(document.createElement("canvas"), { width: 800, height: 600 });
                const caption = Object.assign(document.createElement("span"), {
                    textContent: this.told(at, 4),
                });
                const frame = document.createElement("div");
                frame.append(paper, caption);
                frames.append(frame);
                [this.canvas, this.pen, this.time] = [paper, paper.getContext("2d"), at];
                this.paint(400, 300, 2, {
                    "--paper": "#ffffff",
                    "--text": "#1d2429",
                    "--soft": "#5b6770",
                    "--line": "#dde3e8",
                });
            }
            [this.canvas, this.pen, this.time] = [canvas, pen, time];
            this.root.append(frames);
            this.draw();
        }

        reset() {
            this.view.value = "";
            this.see(...this.scene.view);
        }

        /** Looks along a space axis, with what is above upwards. */
        look(axis) {
            if (!axis) {
                this.reset();
                return;
            }
            this.view.value = axis;
            const k = "xyz".indexOf(axis);
            const along = of => [0, 1, 2].map(i => Number(i === of));
            // Along y from the other side: x runs to the right.
            const towards = scaled(along(k), k === 1 ? -1 : 1);
            const { vertical } = this.scene;
            const above = Math.abs(dot(vertical, towards)) > 0.99 ? along((k + 2) % 3) : vertical;
            const up = unit(add(above, towards, -dot(above, towards)));
            this.see(cross(up, towards), up, towards);
        }

        /** All of the motion, in these axes of the picture. */
        see(right, up, towards) {
            const { bodies, ground } = this.scene;
            Object.assign(this, { right, up, towards, zoom: 1 });
            const axes = [right, up, towards];
            let [low, high] = [
                [Infinity, Infinity, Infinity],
                [-Infinity, -Infinity, -Infinity],
            ];
            const meet = p => {
                low = low.map((x, k) => Math.min(x, dot(axes[k], p)));
                high = high.map((x, k) => Math.max(x, dot(axes[k], p)));
            };
            ground.forEach(meet);
            const { snapshots } = this.tracks[this.track];
            for (let k = 0; k < snapshots; k += Math.ceil(snapshots / 200)) {
                const poses = this.carried(this.poses(this.track, this.scene.times[k]));
                bodies.forEach((body, b) => this.corners(body).forEach(p => meet(this.at(poses[b], p))));
            }
            const [middle, half] = [scaled(add(low, high), 0.5), scaled(add(high, low, -1), 0.5)];
            this.centre = axes.reduce((sum, axis, k) => add(sum, axis, middle[k]), [0, 0, 0]);
            this.size = Math.hypot(...half) || 1;
            this.reach = half.slice(0, 2).map(x => Math.max(x, 1e-3 * this.size));
            this.show(this.time);
        }

        /** Points that bound a body, in its axes. */
        corners({ shape, joints }) {
            switch (shape.kind) {
                case "rod":
                case "node":
                    return [...shape.ends, ...joints];
                case "lines":
                    return [...shape.lines.flat(), ...joints];
                case "hull":
                    return shape.points;
                case "block":
                    return this.block(shape);
                case "sphere":
                    return [
                        [1, 0, 0],
                        [0, 1, 0],
                        [0, 0, 1],
                    ].flatMap(e => [add(shape.centre, e, shape.radius), add(shape.centre, e, -shape.radius)]);
                default:
                    return [[0, 0, 0]];
            }
        }

        block({ centre, half }) {
            return Array.from({ length: 8 }, (_, c) =>
                half.reduce((sum, side, k) => add(sum, side, c & (1 << k) ? 1 : -1), centre),
            );
        }

        /** Where the bodies of a track are; null where it has ended. */
        poses(track, time) {
            const { snapshots } = this.tracks[track];
            const { times, bodies } = this.scene;
            let [k, end] = [0, times.length - 1];
            while (end - k > 1) {
                const middle = (k + end) >> 1;
                if (times[middle] <= time) k = middle;
                else end = middle;
            }
            let f = (time - times[k]) / (times[k + 1] - times[k]) || 0;
            if (k + 1 >= snapshots && (k >= snapshots || f > 0)) return null;
            if ((!this.follows[track][k] || this.scene.along[0]) && f < 1) f = 0;
            return bodies.map((_, body) => {
                const { r, q, bent } = this.pose(track, k, body);
                const { r: r1, q: q1, bent: bent1 } = this.pose(track, Math.min(k + 1, snapshots - 1), body);
                const sign = q[0] * q1[0] + q[1] * q1[1] + q[2] * q1[2] + q[3] * q1[3] < 0 ? -1 : 1;
                const between = [0, 1, 2, 3].map(i => q[i] + f * (sign * q1[i] - q[i]));
                const size = Math.hypot(...between);
                return {
                    r: add(r, add(r1, r, -1), f),
                    q: between.map(x => x / size),
                    bent: bent.length ? bent.map((x, i) => x + f * (bent1[i] - x)) : bent,
                };
            });
        }

        get factor() {
            return Number(this.bending?.value ?? 1);
        }

        /** A point of a body in space, moved by the body's modes as often as is asked for. */
        at({ r, q, bent }, p, factor) {
            if (!bent.length) return add(r, turn(q, p));
            const often = factor ?? this.factor;
            return add(
                r,
                turn(
                    q,
                    bent.reduce(
                        (sum, x, mode) => add(sum, p.slice(3 + 3 * mode, 6 + 3 * mode), often * x),
                        p,
                    ),
                ),
            );
        }

        /** What each body hangs on, outwards from the ground: the points of a joint, or the
         * ends of its beam. */
        hanging() {
            const { bodies, joined, beams } = this.scene;
            const known = new Set([null]);
            const hangs = [];
            const meet = (body, hang) => {
                if (known.has(body)) return;
                known.add(body);
                hangs.push({ body, ...hang });
            };
            while (known.size <= bodies.length) {
                const before = known.size;
                for (const [a, b] of joined) {
                    if (known.has(a[0])) meet(b[0], { from: a, to: b });
                    if (known.has(b[0])) meet(a[0], { from: b, to: a });
                }
                for (const { ends, nodes } of beams) {
                    const end = ends.find(([body]) => known.has(body));
                    if (end) nodes.forEach(([node, share]) => meet(node[0], { from: end, ends, share }));
                }
                // A body that hangs on nothing stays.
                if (known.size === before)
                    meet(
                        bodies.findIndex((_, b) => !known.has(b)),
                        {},
                    );
            }
            return hangs;
        }

        /** Poses as they are drawn: bodies go with the bent points that they hang on. */
        carried(poses) {
            const { factor } = this;
            if (!poses || factor === 1) return poses;
            const moves = poses.map(() => [0, 0, 0]);
            const moveOf = ([body]) => (body === null ? [0, 0, 0] : moves[body]);
            const place = ([body, p], factor) => (body === null ? p : this.at(poses[body], p, factor));
            /** How far beyond its place a point is drawn. */
            const beyond = end => add(place(end, factor), place(end, 1), -1);
            for (const { body, from, to, ends, share } of this.hangs) {
                if (to) moves[body] = add(add(moveOf(from), beyond(from)), beyond(to), -1);
                if (!ends) continue;
                const [a, b] = ends.map(end => place(end, 1));
                const straight = add(a, add(b, a, -1), share);
                moves[body] = add(moveOf(from), add(poses[body].r, straight, -1), factor - 1);
            }
            return poses.map((pose, b) => ({ ...pose, r: add(pose.r, moves[b]) }));
        }

        pixel(p) {
            const d = add(p, this.middle, -1);
            return [
                this.width / 2 + this.scale * dot(this.right, d),
                this.height / 2 - this.scale * dot(this.up, d),
            ];
        }

        /** A time, or the number of the pose that is strong, with so many digits. */
        told(time, n) {
            const {
                along: [name, unit],
                times,
            } = this.scene;
            return name
                ? `${name} ${digits(
                      times.findLast(at => at <= time),
                      n,
                  )} ${unit}`.trim()
                : `${digits(time, n)} s`;
        }

        show(time) {
            this.time = Math.min(this.last, Math.max(this.first, time));
            this.slider.value = this.time;
            const n = 1 + Math.max(3, Math.ceil(Math.log10(Math.abs(this.last)) + 1));
            this.output.textContent =
                this.told(this.time, n) + (this.scene.along[0] ? "" : ` of ${digits(this.last, n)} s`);
            this.draw();
        }

        draw() {
            const { canvas } = this;
            const style = getComputedStyle(canvas);
            const colors = ["--paper", "--text", "--soft", "--line"].map(name => [
                name,
                style.getPropertyValue(name).trim(),
            ]);
            const dense = devicePixelRatio || 1;
            if (canvas.clientWidth)
                this.paint(canvas.clientWidth, canvas.clientHeight, dense, Object.fromEntries(colors));
        }

        /** Draws on the canvas, which is so many pixels of the page wide and high, in these
         * colours. */
        paint(width, height, dense, colors) {
            const { canvas, pen } = this;
            const color = name => colors[name];
            [this.width, this.height] = [width, height];
            [canvas.width, canvas.height] = [Math.round(dense * width), Math.round(dense * height)];
            pen.setTransform(dense, 0, 0, dense, 0, 0);
            this.paper = [0, 1, 2].map(k => parseInt(color("--paper").slice(1 + 2 * k, 3 + 2 * k), 16));
            [this.ink, this.soft, this.line] = ["--text", "--soft", "--line"].map(color);
            pen.fillStyle = colors["--paper"];
            pen.fillRect(0, 0, width, height);
            const margin = 0.86;
            this.scale =
                this.zoom *
                margin *
                Math.min(this.width / (2 * this.reach[0]), this.height / (2 * this.reach[1]));
            this.light = unit(add(add(scaled(this.towards, 0.6), this.up, 0.7), this.right, -0.4));
            const { track } = this;
            const poses = this.carried(this.poses(track, this.time));
            const followed = this.follow.value === "" ? null : poses?.[Number(this.follow.value)];
            this.middle = followed ? followed.r : this.centre;
            pen.lineJoin = pen.lineCap = "round";
            this.scene.floors.forEach(floor => this.floor(floor));
            if (this.others?.checked) {
                pen.globalAlpha = this.scene.shade ? 0.55 : 0.3;
                this.tracks.forEach(
                    (_, k) =>
                        k !== track &&
                        this.drawTrack(this.carried(this.poses(k, this.time)), false, this.shaded(k)),
                );
                pen.globalAlpha = 1;
            }
            if (this.scene.along[0]) {
                pen.globalAlpha = 0.25;
                this.scene.times.forEach(at => this.drawTrack(this.carried(this.poses(track, at)), false));
                pen.globalAlpha = 1;
            }
            if (this.paths.checked) this.drawPaths(track);
            this.drawTrack(poses, true);
            if (this.spin?.checked && poses) this.drawSpin(track, poses);
            if (this.forces?.checked && poses) this.drawForces(track, poses);
            if (this.frames.checked && poses) this.drawFrames(poses);
            if (poses) this.drawChosen(poses);
            for (const p of this.scene.ground) this.disc(this.pixel(p), 5.5, null, this.ink, 2);
            this.measure();
            if (this.others?.checked && this.scene.shade) this.key();
        }

        /** The axes of each body at its origin, those of joints, and points of contact. */
        drawFrames(poses) {
            const { pen } = this;
            const place = ([body, p]) => (body === null ? p : this.at(poses[body], p));
            for (const [end, axis] of this.scene.axes) {
                const along = scaled(end[0] === null ? axis : turn(poses[end[0]].q, axis), 0.07 * this.size);
                const middle = place(end);
                this.path(
                    [add(middle, along), add(middle, along, -1)].map(p => this.pixel(p)),
                    "#9a6fd6",
                    3,
                );
            }
            for (const [end, offset] of this.scene.touches)
                this.disc(this.pixel(add(place(end), offset)), 4, "#c2255c", "#c2255c", 1);
            for (const pose of poses) {
                const from = this.at(pose, [0, 0, 0, ...Array(3 * pose.bent.length).fill(0)]);
                ["#d0342c", "#2e8b57", "#2f6fd0"].forEach((color, k) => {
                    const axis = scaled(
                        turn(
                            pose.q,
                            [0, 1, 2].map(i => Number(i === k)),
                        ),
                        0.12 * this.size,
                    );
                    this.arrow(from, axis, color);
                    const [x, y] = this.pixel(add(from, axis, 1.2));
                    Object.assign(pen, {
                        fillStyle: color,
                        font: "13px system-ui, sans-serif",
                        textAlign: "center",
                    });
                    pen.fillText("xyz"[k], x, y + 4);
                });
            }
        }

        /** The body that is chosen: a ring about its mass centre, and its numbers below the
         * picture. */
        drawChosen(poses) {
            const chosen = this.body.value;
            this.values.hidden = chosen === "";
            if (chosen === "") return;
            const b = Number(chosen);
            const { bodies, times, origin } = this.scene;
            const centre = pose => this.at({ ...pose, bent: [] }, bodies[b].centre);
            const pixel = this.pixel(centre(poses[b]));
            this.disc(pixel, 8, null, "#c2255c", 2.5);
            Object.assign(this.pen, {
                fillStyle: this.ink,
                font: "13px system-ui, sans-serif",
                textAlign: "left",
            });
            this.pen.fillText(bodies[b].name, pixel[0] + 12, pixel[1] - 8);
            const now = this.poses(this.track, this.time)[b];
            const place = add(centre(now), origin)
                .map(x => digits(x, 4))
                .join(", ");
            const lines = [`${bodies[b].name}: mass centre at ${place} m, space axes`];
            let k = Math.max(
                0,
                times.findLastIndex(time => time <= this.time),
            );
            k = Math.min(k, this.tracks[this.track].snapshots - 2);
            if (k >= 0 && !this.scene.along[0]) {
                const [from, to] = [k, k + 1].map(k => this.pose(this.track, k, b));
                const seconds = times[k + 1] - times[k];
                lines.push(
                    `mean speed ${digits(Math.hypot(...add(centre(to), centre(from), -1)) / seconds, 3)}` +
                        " m/s to the next snapshot",
                );
                const half = Math.min(1, Math.abs(from.q.reduce((sum, x, i) => sum + x * to.q[i], 0)));
                if (this.follows[this.track][k])
                    lines.push(`turning at ${digits((2 * Math.acos(half)) / seconds, 3)} rad/s`);
            }
            this.values.textContent = lines.join("; ");
        }

        /** The body at a pixel, or none: of those that cover it the nearest to the viewer. */
        bodyAt([x, y]) {
            const poses = this.carried(this.poses(this.track, this.time));
            if (!poses) return "";
            const away = ([a, c], [b, d]) => {
                const [dx, dy] = [b - a, d - c];
                const share = Math.min(
                    1,
                    Math.max(0, ((x - a) * dx + (y - c) * dy) / (dx * dx + dy * dy || 1)),
                );
                return Math.hypot(a + share * dx - x, c + share * dy - y);
            };
            const found = this.scene.bodies.map((body, b) => {
                const points = this.corners(body).map(p => this.at(poses[b], p));
                const outline = hull(points.map(p => this.pixel(p)));
                const edges = outline.map((p, k) => [p, outline[(k + 1) % outline.length]]);
                const side = ([[a, c], [b, d]]) => (b - a) * (y - c) - (d - c) * (x - a);
                const isInside = edges.length > 2 && new Set(edges.map(edge => side(edge) > 0)).size === 1;
                const far = isInside ? 0 : Math.min(...edges.map(edge => away(...edge)));
                return [far, -dot(this.towards, middleOf(points)), String(b)];
            });
            const [far, , body] = found.sort(([a, d], [b, e]) => a - b || d - e)[0];
            return far <= 14 ? body : "";
        }

        /** The canvas as a file. */
        save() {
            const { instance } = this.tracks[this.track];
            this.canvas.toBlob(picture => {
                const link = document.createElement("a");
                Object.assign(link, {
                    href: URL.createObjectURL(picture),
                    download: `instance_${instance}_at_${digits(this.time, 4)}.png`,
                });
                link.click();
                URL.revokeObjectURL(link.href);
            });
        }

        /** The poses that are shown, as text. */
        poseText() {
            const { bodies, origin } = this.scene;
            const poses = this.poses(this.track, this.time) ?? [];
            const list = numbers => `[${[...numbers].map(x => digits(x, 7)).join(", ")}]`;
            const ofBody = ({ r, q }, b) =>
                `${JSON.stringify(bodies[b].name)} = ` +
                `{ position = ${list(add(origin, r))}, attitude = ${list(q)} }`;
            return [
                `# instance ${this.tracks[this.track].instance}, ${this.told(this.time, 7)}: ` +
                    "m, space axes; quaternion, scalar first",
                ...poses.map(ofBody),
            ].join("\n");
        }

        async copy() {
            const text = this.poseText();
            const copied = await navigator.clipboard?.writeText(text).then(
                () => true,
                () => false,
            );
            this.message.hidden = false;
            this.message.textContent = copied ? "The poses of all bodies are copied." : text;
        }

        /** The colour of another instance by its outcome; null: it has none. */
        shaded(k) {
            const { value } = this.tracks[k];
            if (value === null || !this.scene.shade) return null;
            const [low, high] = this.scene.shade.ends;
            const share = (value - low) / (high - low || 1);
            const at = share * (SHADES.length - 1);
            const from = Math.min(SHADES.length - 2, Math.floor(at));
            return SHADES[from].map((x, c) => x + (at - from) * (SHADES[from + 1][c] - x));
        }

        /** The colours of the others, and what they mean. */
        key() {
            const { pen } = this;
            const { name, ends, told } = this.scene.shade;
            const [x, y, wide] = [16, 14, 120];
            const ramp = pen.createLinearGradient(x, 0, x + wide, 0);
            SHADES.forEach((color, k) => ramp.addColorStop(k / (SHADES.length - 1), mix(color, color, 0)));
            Object.assign(pen, { fillStyle: ramp });
            pen.fillRect(x, y, wide, 8);
            Object.assign(pen, {
                fillStyle: this.soft,
                font: "12px system-ui, sans-serif",
                textAlign: "left",
            });
            pen.fillText(`${told[0]} – ${told[1]}: ${name}`, x, y + 22);
        }

        /** Angular momentum of each body about its mass centre, from how it turns between two
         * snapshots. */
        drawSpin(track, poses) {
            const { times, bodies } = this.scene;
            let k = times.findLastIndex(time => time <= this.time);
            k = Math.max(0, Math.min(k, this.tracks[track].snapshots - 2));
            if (!this.follows[track][k]) return;
            const spins = bodies.map(({ inertia }, b) => {
                const [q, p] = [k, k + 1].map(k => [...this.pose(track, k, b).q]);
                const sign = q.reduce((sum, x, i) => sum + x * p[i], 0) < 0 ? -1 : 1;
                // Body axes: the vector part of conj(q) p, of half the angle.
                const v = add(
                    add(scaled(p.slice(1), sign * q[0]), q.slice(1), -sign * p[0]),
                    cross(q.slice(1), scaled(p.slice(1), sign)),
                    -1,
                );
                const size = Math.hypot(...v);
                const rate = size
                    ? scaled(v, (2 * Math.asin(Math.min(1, size))) / size / (times[k + 1] - times[k]))
                    : v;
                return turn(
                    poses[b].q,
                    inertia.map(row => dot(row, rate)),
                );
            });
            const greatest = (this.greatestSpin ??= Math.max(...spins.map(spin => Math.hypot(...spin))) || 1);
            spins.forEach((spin, b) =>
                this.arrow(
                    this.at({ ...poses[b], bent: [] }, bodies[b].centre),
                    scaled(spin, (0.6 * this.size) / greatest),
                    this.ink,
                ),
            );
        }

        /** The forces that the study observes: of a joint or contact on its body, of a spring
         * on both ends. */
        drawForces(track, poses) {
            const { times } = this.scene;
            const k = Math.max(
                0,
                times.findLastIndex(time => time <= this.time),
            );
            const known = this.pushes.filter(({ values }) => values[track].length);
            if (!known.length) {
                this.note("Forces of this instance were not kept");
                return;
            }
            const size = ({ values, ends }) => {
                const width = ends.length === 1 ? 3 : 1;
                const all = values[track];
                let largest = 0;
                for (let i = 0; i < all.length; i += width)
                    largest = Math.max(largest, Math.hypot(...all.subarray(i, i + width)));
                return largest;
            };
            const greatest = Math.max(...known.map(size)) || 1;
            const by = (0.5 * this.size) / greatest;
            const place = ([body, p]) => (body === null ? p : this.at(poses[body], p));
            const color = this.paper[0] < 128 ? "#ff9d6b" : "#b3400a";
            for (const { ends, offset, values } of known) {
                if (ends.length === 1) {
                    const force = [...values[track].subarray(3 * k, 3 * k + 3)];
                    if (force.length) this.arrow(add(place(ends[0]), offset), scaled(force, by), color);
                    continue;
                }
                const [a, b] = ends.map(place);
                const pull = scaled(unit(add(b, a, -1)), by * (values[track][k] ?? 0));
                this.arrow(a, pull, color);
                this.arrow(b, scaled(pull, -1), color);
            }
            this.note(`Longest arrow: ${digits(greatest, 3)} N`);
        }

        /** A sentence at the foot of the picture. */
        note(text) {
            Object.assign(this.pen, {
                fillStyle: this.soft,
                font: "13px system-ui, sans-serif",
                textAlign: "left",
            });
            this.pen.fillText(text, 16, this.height - 44);
        }

        arrow(from, vector, stroke) {
            const [a, c] = [from, add(from, vector)].map(p => this.pixel(p));
            const [dx, dy] = [c[0] - a[0], c[1] - a[1]];
            const length = Math.hypot(dx, dy);
            if (length < 2) return;
            const [ux, uy] = [(dx / length) * 8, (dy / length) * 8];
            this.path([a, c], stroke, 2);
            this.path(
                [[c[0] - ux - uy / 2, c[1] - uy + ux / 2], c, [c[0] - ux + uy / 2, c[1] - uy - ux / 2]],
                stroke,
                2,
            );
        }

        /** A dark page asks for lighter colours. */
        seenColor(color) {
            return this.paper[0] < 128 ? color.map(x => Math.round(x + 0.45 * (255 - x))) : color;
        }

        drawTrack(poses, isWhole, shade = null) {
            if (!poses) return;
            const { scene, pen } = this;
            const pieces = [];
            const place = ([body, p]) => (body === null ? p : this.at(poses[body], p));
            const depth = p => dot(this.towards, p);
            const piece = (p, draw) => pieces.push([depth(p), draw]);
            for (const { coil, ends } of scene.links) {
                const [a, b] = ends.map(place);
                piece(middleOf([a, b]), () => this.link(this.pixel(a), this.pixel(b), coil));
            }
            for (const { color, nodes } of scene.beams) {
                const points = nodes.map(([node]) => place(node));
                const own = shade ?? this.seenColor(color);
                piece(middleOf(points), () =>
                    this.curve(
                        points.map(p => this.pixel(p)),
                        mix(own, own, 0),
                        5,
                    ),
                );
            }
            scene.bodies.forEach(({ shape, color, joints }, b) => {
                const at = p => this.at(poses[b], p);
                const own = shade ?? this.seenColor(color);
                const stroke = mix(own, own, 0);
                switch (shape.kind) {
                    case "node":
                        break;
                    case "rod": {
                        const [a, c] = shape.ends.map(at);
                        piece(middleOf([a, c]), () =>
                            this.path(
                                [a, c].map(p => this.pixel(p)),
                                stroke,
                                5,
                            ),
                        );
                        break;
                    }
                    case "lines":
                        for (const line of shape.lines) {
                            const points = line.map(at);
                            piece(middleOf(points), () =>
                                this.curve(
                                    points.map(p => this.pixel(p)),
                                    stroke,
                                    5,
                                ),
                            );
                        }
                        break;
                    case "hull": {
                        const points = shape.points.map(at);
                        piece(middleOf(points), () =>
                            this.fill(
                                hull(points.map(p => this.pixel(p))),
                                mix(this.paper, own, 0.25),
                                stroke,
                                3,
                            ),
                        );
                        break;
                    }
                    case "block":
                        for (const [normal, corners] of this.faces(shape)) {
                            const outwards = turn(poses[b].q, normal);
                            if (dot(this.towards, outwards) <= 0) continue;
                            const points = corners.map(at);
                            const lit = Math.max(0, dot(this.light, outwards));
                            const fill = isWhole ? mix(own, this.paper, 0.25 + 0.6 * lit) : null;
                            piece(middleOf(points), () =>
                                this.fill(
                                    points.map(p => this.pixel(p)),
                                    fill,
                                    stroke,
                                    1.6,
                                ),
                            );
                        }
                        break;
                    case "sphere": {
                        const c = at(shape.centre);
                        piece(c, () => {
                            const fill = isWhole ? mix(this.paper, own, 0.35) : null;
                            this.disc(this.pixel(c), this.scale * shape.radius, fill, stroke, 2);
                            this.circles(shape).forEach(points =>
                                this.seenPath(points.map(at), depth(c), stroke),
                            );
                        });
                        break;
                    }
                    default:
                        piece(at([0, 0, 0]), () =>
                            this.disc(this.pixel(at([0, 0, 0])), 7, stroke, stroke, 1),
                        );
                }
            });
            pieces.sort(([a], [b]) => a - b).forEach(([, draw]) => draw());
            if (!isWhole) return;
            scene.bodies.forEach(({ joints }, b) =>
                joints.forEach(p =>
                    this.disc(
                        this.pixel(this.at(poses[b], p)),
                        4,
                        mix(this.paper, this.paper, 0),
                        this.ink,
                        1.6,
                    ),
                ),
            );
        }

        /** Three great circles of a sphere, by which it is seen to turn. */
        circles({ centre, radius, spoke }) {
            const side = across(spoke);
            const axes = [spoke, side, cross(spoke, side)];
            return [0, 1, 2].map(k =>
                Array.from({ length: 49 }, (_, i) => {
                    const [c, s] = [Math.cos((i * Math.PI) / 24), Math.sin((i * Math.PI) / 24)];
                    return add(add(centre, axes[k], radius * c), axes[(k + 1) % 3], radius * s);
                }),
            );
        }

        /** The stretches of a path that are nearer than this. */
        seenPath(points, depth, stroke) {
            let stretch = [];
            for (const p of [...points, null]) {
                if (p && dot(this.towards, p) >= depth) stretch.push(this.pixel(p));
                else if (stretch.length) {
                    this.path(stretch, stroke, 1.2);
                    stretch = [];
                }
            }
        }

        /** Outward normals and corners of a block's faces. */
        faces({ centre, half }) {
            return [0, 1, 2].flatMap(k =>
                [1, -1].map(sign => {
                    const [out, a, b] = [scaled(half[k], sign), half[(k + 1) % 3], half[(k + 2) % 3]];
                    const corner = (f, g) => add(add(add(centre, out), a, f), b, g);
                    return [unit(out), [corner(1, 1), corner(-1, 1), corner(-1, -1), corner(1, -1)]];
                }),
            );
        }

        drawPaths(track) {
            const { snapshots } = this.tracks[track];
            const { times, bodies, paths } = this.scene;
            const isCarried = this.factor !== 1;
            const gone = [];
            for (let k = 0; k < snapshots && times[k] <= this.time; k++) {
                const all = isCarried && this.carried(this.poses(track, times[k]));
                gone.push(body => (all ? all[body] : this.pose(track, k, body)));
            }
            const now = this.carried(this.poses(track, this.time));
            if (now) gone.push(body => now[body]);
            for (const [body, p] of paths) {
                const pixels = gone.map(pose => this.pixel(this.at(pose(body), p)));
                this.curve(pixels, mix(this.paper, this.seenColor(bodies[body].color), 0.5), 1.2);
            }
        }

        /** A smooth line through points (Catmull and Rom). */
        curve(points, stroke, width) {
            const { pen } = this;
            const at = k => points[Math.min(points.length - 1, Math.max(0, k))];
            pen.beginPath();
            points.forEach(([x, y], k) => {
                if (k === 0) {
                    pen.moveTo(x, y);
                    return;
                }
                const [a, b, c, d] = [k - 2, k - 1, k, k + 1].map(at);
                pen.bezierCurveTo(
                    b[0] + (c[0] - a[0]) / 6,
                    b[1] + (c[1] - a[1]) / 6,
                    c[0] - (d[0] - b[0]) / 6,
                    c[1] - (d[1] - b[1]) / 6,
                    x,
                    y,
                );
            });
            this.finish(null, stroke, width);
        }

        path(points, stroke, width) {
            const { pen } = this;
            pen.beginPath();
            points.forEach(([x, y]) => pen.lineTo(x, y));
            this.finish(null, stroke, width);
        }

        fill(points, fill, stroke, width) {
            const { pen } = this;
            pen.beginPath();
            points.forEach(([x, y]) => pen.lineTo(x, y));
            pen.closePath();
            this.finish(fill, stroke, width);
        }

        disc([x, y], radius, fill, stroke, width) {
            const { pen } = this;
            pen.beginPath();
            pen.arc(x, y, radius, 0, 2 * Math.PI);
            this.finish(fill, stroke, width);
        }

        /** Fills, if with anything, and strokes the way of the pen. */
        finish(fill, stroke, width) {
            const { pen } = this;
            if (fill) {
                const alpha = pen.globalAlpha;
                Object.assign(pen, {
                    fillStyle: fill,
                    globalAlpha: this.clear.checked ? 0.3 * alpha : alpha,
                });
                pen.fill();
                pen.globalAlpha = alpha;
            }
            Object.assign(pen, { strokeStyle: stroke, lineWidth: width });
            pen.stroke();
        }

        /** A coil or a line between two pixels. */
        link(a, b, isCoil) {
            const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
            const length = Math.hypot(dx, dy) || 1;
            const [nx, ny] = [(-dy / length) * 6, (dx / length) * 6];
            const bends = isCoil ? 2 * COILS : 0;
            const inner = Array.from({ length: bends }, (_, k) => {
                const [f, side] = [0.1 + (0.8 * (k + 0.5)) / bends, k % 2 ? 1 : -1];
                return [a[0] + f * dx + side * nx, a[1] + f * dy + side * ny];
            });
            this.path([a, ...inner, b], this.soft, 1.5);
        }

        /** A square of the plane on which something rolls, about the middle of the picture. */
        floor([point, normal]) {
            const along = across(normal);
            const aside = cross(normal, along);
            const middle = add(this.middle, normal, dot(normal, add(point, this.middle, -1)));
            const step = round(this.size / 8);
            const lines = Array.from({ length: 17 }, (_, k) => (k - 8) * step);
            const snapped = axis => Math.round(dot(axis, middle) / step) * step - dot(axis, middle);
            const origin = add(add(middle, along, snapped(along)), aside, snapped(aside));
            for (const [a, b] of [
                [along, aside],
                [aside, along],
            ]) {
                for (const f of lines) {
                    const ends = [lines[0], lines[16]].map(g => this.pixel(add(add(origin, a, f), b, g)));
                    this.path(ends, this.line, 1);
                }
            }
        }

        /** A length and the directions of the axes, in the corner. */
        measure() {
            const { pen } = this;
            const length = round(60 / this.scale);
            const [x, y] = [16, this.height - 16];
            this.path(
                [
                    [x, y - 5],
                    [x, y],
                    [x + this.scale * length, y],
                    [x + this.scale * length, y - 5],
                ],
                this.soft,
                1.5,
            );
            Object.assign(pen, {
                fillStyle: this.soft,
                font: "13px system-ui, sans-serif",
                textAlign: "left",
            });
            const [factor, name] =
                length < 1e-3
                    ? [1e6, "µm"]
                    : length < 1
                      ? [1e3, "mm"]
                      : length < 1e4
                        ? [1, "m"]
                        : [1e-3, "km"];
            pen.fillText(`${digits(length * factor, 1)} ${name}`, x + 6, y - 9);
            const corner = [this.width - 46, this.height - 46];
            pen.textAlign = "center";
            ["x", "y", "z"].forEach((name, k) => {
                const axis = [0, 1, 2].map(i => Number(i === k));
                const [dx, dy] = [dot(this.right, axis), -dot(this.up, axis)];
                if (Math.hypot(dx, dy) < 0.15) return;
                this.path([corner, [corner[0] + 24 * dx, corner[1] + 24 * dy]], this.soft, 1.5);
                pen.fillText(name, corner[0] + 35 * dx, corner[1] + 35 * dy + 4);
            });
        }

        play(isPlaying) {
            this.isPlaying = isPlaying;
            this.button.textContent = isPlaying ? "Pause" : "Play";
            if (!isPlaying) return;
            if (this.time >= this.last) this.show(this.first);
            let before = null;
            const frame = now => {
                if (!this.isPlaying) return;
                this.show(
                    this.time + (before === null ? 0 : ((now - before) / 1000) * Number(this.speed.value)),
                );
                before = now;
                const isOver = this.time >= this.last;
                if (isOver && this.scene.repeats) this.show(this.first);
                if (isOver && !this.scene.repeats) this.play(false);
                else requestAnimationFrame(frame);
            };
            requestAnimationFrame(frame);
        }

        /** Goes on by so many snapshots. */
        go(by) {
            const { times } = this.scene;
            this.play(false);
            let k = times.findLastIndex(time => time <= this.time * (1 + 1e-12));
            if (by < 0 && times[k] < this.time * (1 - 1e-12)) k += 1;
            this.show(times[Math.min(times.length - 1, Math.max(0, k + by))]);
        }

        orbit(dx, dy) {
            const { vertical } = this.scene;
            const turned = p => about(this.right, dy, p);
            [this.up, this.towards] = [this.up, this.towards].map(turned);
            [this.right, this.up, this.towards] = [this.right, this.up, this.towards].map(p =>
                about(vertical, -dx, p),
            );
            this.show(this.time);
        }

        listen() {
            let pressed = null;
            this.canvas.addEventListener("pointerdown", event => {
                pressed = event.isPrimary ? [event.offsetX, event.offsetY] : null;
            });
            this.canvas.addEventListener("pointerup", event => {
                const at = [event.offsetX, event.offsetY];
                if (!pressed || Math.hypot(at[0] - pressed[0], at[1] - pressed[1]) > 4) return;
                this.body.value = this.bodyAt(at);
                this.draw();
            });
            this.watch(this.canvas, {
                " ": () => this.play(!this.isPlaying),
                ArrowLeft: () => this.go(-1),
                ArrowRight: () => this.go(1),
                Home: () => this.go(-Infinity),
                End: () => this.go(Infinity),
                x: () => this.look("x"),
                y: () => this.look("y"),
                z: () => this.look("z"),
                f: () => this.frames.click(),
                t: () => this.clear.click(),
                p: () => this.save(),
                c: () => this.copy(),
            });
        }

        /** A canvas, this one's or another's, on which the view is turned and magnified;
         * further keys do what is given. */
        watch(canvas, others) {
            const touches = new Map();
            const apart = () => {
                const [a, b] = [...touches.values()];
                return Math.hypot(a[0] - b[0], a[1] - b[1]);
            };
            canvas.addEventListener("pointerdown", event => {
                canvas.setPointerCapture(event.pointerId);
                touches.set(event.pointerId, [event.clientX, event.clientY]);
            });
            canvas.addEventListener("pointermove", event => {
                const before = touches.get(event.pointerId);
                if (!before) return;
                const distance = touches.size === 2 ? apart() : 0;
                touches.set(event.pointerId, [event.clientX, event.clientY]);
                if (touches.size === 2) this.magnify(apart() / (distance || 1));
                else this.orbit((event.clientX - before[0]) * 0.008, (event.clientY - before[1]) * 0.008);
            });
            for (const name of ["pointerup", "pointercancel"]) {
                canvas.addEventListener(name, event => touches.delete(event.pointerId));
            }
            canvas.addEventListener(
                "wheel",
                event => {
                    event.preventDefault();
                    this.magnify(Math.exp(-0.0015 * event.deltaY));
                },
                { passive: false },
            );
            const keys = {
                ...others,
                "+": () => this.magnify(1.2),
                "-": () => this.magnify(1 / 1.2),
                0: () => this.reset(),
            };
            const turns = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
            canvas.addEventListener("keydown", event => {
                const by = event.shiftKey && turns[event.key];
                const act = by ? () => this.orbit(0.1 * by[0], 0.1 * by[1]) : keys[event.key];
                if (!act || event.ctrlKey || event.altKey || event.metaKey) return;
                event.preventDefault();
                act();
            });
        }

        magnify(by) {
            this.zoom = Math.min(1e3, Math.max(0.05, this.zoom * by));
            this.show(this.time);
        }
    }

    document.querySelectorAll(".player").forEach(root => {
        root.player ??= new Player(root);
    });
})();
