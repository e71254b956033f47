"use strict";
// Draws the plots of a report as SVG, as wide as there is room, and tells their values: under a
// pointer, a finger, or by keys. Series go by their entries of the legend; a range is drawn out to
// magnify it.
(() => {
    const SVG = "http://www.w3.org/2000/svg";
    const STEPS = 65534;
    const TEXT = 12.5;
    /** Width of a letter, about (pixels). */
    const LETTER = 7.4;
    /** Farthest that a point may be from the pointer (pixels). */
    const NEAR = 24;

    const element = (name, attributes, children = []) => {
        const made = document.createElementNS(SVG, name);
        for (const [key, value] of Object.entries(attributes))
            if (value !== null) made.setAttribute(key, value);
        made.append(...children);
        return made;
    };
    const html = (name, attributes = {}, children = []) => {
        const made = document.createElement(name);
        for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
        made.append(...children);
        return made;
    };

    const numbers = ({ low, high, steps }) => {
        const bytes = Uint8Array.from(atob(steps), c => c.charCodeAt(0));
        return Float64Array.from(new Uint16Array(bytes.buffer), k =>
            k > STEPS ? NaN : low * (1 - k / STEPS) + high * (k / STEPS),
        );
    };
    const superscript = n => String(n).replace(/./g, c => "⁰¹²³⁴⁵⁶⁷⁸⁹"["0123456789".indexOf(c)] ?? "⁻");
    /** Four digits, as a person writes them. */
    const shown = x => {
        if (!Number.isFinite(x)) return "–";
        const size = Math.abs(x);
        if (size !== 0 && (size < 1e-3 || size >= 1e6)) {
            const [digits, power] = x.toExponential(3).split("e");
            return `${Number(digits)} · 10${superscript(Number(power))}`.replace(/^-/, "−");
        }
        return String(Number(x.toPrecision(4))).replace("-", "−");
    };
    /** Round numbers of an axis, about so many, with their words. */
    /** A name in one line of so many letters, or in two: it breaks behind a point or a dash. */
    const broken = (name, most) => {
        if (name.length <= most) return [name];
        const at = Math.max(name.lastIndexOf(".", most - 1), name.lastIndexOf("_", most - 1)) + 1 || most;
        const rest = name.slice(at);
        return [name.slice(0, at), rest.length > most ? `${rest.slice(0, most - 1)}…` : rest];
    };

    const ticks = ([low, high], most, { powers, names = [] }) => {
        if (names.length) {
            const stride = Math.max(1, Math.ceil(names.length / Math.max(1, most)));
            return names.map((name, k) => [k, name]).filter(([k]) => k % stride === 0);
        }
        if (powers && high - low < 2.5) {
            const factors = high - low < 1 ? [1, 1.5, 2, 3, 4, 5, 6, 8] : [1, 2, 5];
            const from = Math.floor(low);
            const all = Array.from({ length: Math.ceil(high) - from + 1 }, (_, k) =>
                factors.map(f => f * 10 ** (from + k)),
            ).flat();
            const seen = all.map(x => [Math.log10(x), shown(x)]).filter(([at]) => low <= at && at <= high);
            const stride = Math.max(1, Math.ceil(seen.length / Math.max(1, most)));
            return seen.filter((_, k) => k % stride === 0);
        }
        const rough = (high - low) / Math.max(1, most);
        const power = 10 ** Math.floor(Math.log10(rough));
        const from = step => Math.ceil(low / step - 1e-9);
        const within = step => Math.floor(high / step + 1e-9) - from(step) + 1;
        const steps = [10, 5, 2.5, 2, 1, 0.5, 0.25, 0.2, 0.1].map(f => f * power);
        // One number alone is no axis.
        const step = powers
            ? Math.max(1, Math.ceil(rough))
            : (steps.filter(f => f >= rough * 0.999).findLast(f => within(f) > 1) ??
              steps.find(f => f < rough && within(f) > 1));
        const digits = Math.min(12, Math.max(0, 1 - Math.floor(Math.log10(step) + 1e-9)));
        const word = x =>
            powers ? `10${superscript(Math.round(x))}` : String(Number(x.toFixed(digits))).replace("-", "−");
        const [first, count] = [from(step), within(step)];
        return Array.from({ length: Math.max(0, Math.min(count, 50)) }, (_, k) => [
            (first + k) * step,
            word((first + k) * step),
        ]);
    };
    /** The name of a quantity, and its unit: the last brackets of a label. */
    const parted = label => {
        const found = label.match(/^(.*) \(([^()]*)\)$/);
        return found ? [found[1], found[2] === "1" ? "" : ` ${found[2]}`] : [label, ""];
    };
    let count = 0;

    class Chart {
        constructor(root) {
            this.root = root;
            this.data = JSON.parse(root.querySelector("script").textContent);
            this.number = ++count;
            this.hidden = new Set();
            this.marks = this.data.marks.map(mark => {
                const lists = Object.entries(mark).filter(([, value]) => value?.steps !== undefined);
                return { ...mark, ...Object.fromEntries(lists.map(([key, value]) => [key, numbers(value)])) };
            });
            this.name();
            this.whole = [this.range("x"), this.range("y")];
            this.shown = this.whole.map(ends => [...ends]);
            const title = this.data.title;
            this.svg = element("svg", { role: "img", tabindex: 0, "aria-label": root.dataset.caption });
            this.tip = html("div", { class: "tip", role: "status", hidden: "" });
            this.all = html("button", { type: "button", hidden: "" }, ["Show all"]);
            this.all.onclick = () => this.zoom(this.whole[0]);
            this.legend = html("div", { class: "legend" });
            this.entries();
            this.plot = html("div", { class: "plot" }, [this.svg, this.tip]);
            root.append(
                ...(title ? [html("p", { class: "chart-title" }, [title])] : []),
                this.legend,
                this.plot,
            );
            // The cells of a map are an image: its legend has their colours by night too.
            if (this.marks.some(mark => mark.kind === "map")) root.classList.remove("themed");
            this.listen();
            this.draw();
            new ResizeObserver(() => {
                if (this.width !== this.room()) this.draw();
            }).observe(root);
        }

        /** The entry of the legend that each mark belongs to: the n-th of a colour to the n-th
         * entry of it. */
        name() {
            const seen = new Map();
            for (const mark of this.marks) {
                const key = `${mark.kind} ${mark.color}`;
                const n = seen.get(key) ?? 0;
                seen.set(key, n + 1);
                const own = this.data.legend
                    .map((entry, k) => [entry, k])
                    .filter(([entry]) => entry.color === mark.color);
                mark.entry = own.length ? own[Math.min(n, own.length - 1)][1] : null;
                mark.name = mark.entry === null ? "" : this.data.legend[mark.entry].label;
                if (mark.instance != null) mark.name = `instance ${mark.instance}`;
            }
        }

        entries() {
            this.data.legend.forEach((entry, k) => {
                const isLine = this.marks.some(mark => mark.entry === k && mark.kind === "line");
                const swatch = isLine
                    ? element("line", {
                          x1: 0,
                          y1: 6,
                          x2: 22,
                          y2: 6,
                          stroke: entry.color,
                          "stroke-width": 2.5,
                          "stroke-dasharray": entry.dash,
                      })
                    : element("rect", { x: 3, y: 0, width: 14, height: 12, fill: entry.color });
                const parts = [
                    element("svg", { width: 22, height: 12, "aria-hidden": "true" }, [swatch]),
                    entry.label,
                ];
                if (!this.marks.some(mark => mark.entry === k)) {
                    this.legend.append(html("span", { class: "entry" }, parts));
                    return;
                }
                const button = html("button", { type: "button", "aria-pressed": "true" }, parts);
                button.onclick = () => {
                    if (!this.hidden.delete(k)) this.hidden.add(k);
                    button.setAttribute("aria-pressed", String(!this.hidden.has(k)));
                    this.tell(null);
                    this.draw();
                };
                if (entry.label) this.legend.append(button);
            });
            this.legend.append(
                ...this.marks.filter(mark => mark.kind === "cells" || mark.bar).map(mark => this.ramp(mark)),
                this.all,
            );
        }

        /** Least and greatest of what is drawn along an axis, as far as the plot does not name
         * its ends. */
        range(axis) {
            const values = this.marks
                .flatMap(mark => {
                    switch (mark.kind) {
                        case "band":
                            return axis === "x" ? [...mark.x] : [...mark.low, ...mark.high];
                        case "steps":
                            return axis === "x" ? [...mark.edges] : [0, ...mark.counts];
                        case "cells":
                        case "map":
                            return mark[axis];
                        case "bars":
                            return axis === "x"
                                ? [
                                      0,
                                      ...mark.bars
                                          .flat()
                                          .flatMap(({ value, error }) =>
                                              error ? [value - error[0], value + error[1]] : [value],
                                          ),
                                  ]
                                : [-0.5, mark.names.length - 0.5];
                        default:
                            return [...mark[axis]];
                    }
                })
                .filter(Number.isFinite);
            const [low, high] = values.reduce(
                ([l, h], x) => [Math.min(l, x), Math.max(h, x)],
                [Infinity, -Infinity],
            );
            const has = kind => this.marks.some(mark => mark.kind === kind);
            const room = low <= high ? 0.04 * (high - low) || 0.05 * Math.abs(low) || 1 : 1;
            const isTight =
                has("cells") ||
                has("map") ||
                (axis === "x" && !has("dots") && high > low) ||
                (axis === "y" && has("bars"));
            const margin = isTight ? 0 : room;
            const ends = this.data[axis].ends;
            const base = (has("steps") && axis === "y") || (has("bars") && axis === "x");
            return [
                ends[0] ?? (base && low >= 0 ? 0 : (low <= high ? low : 0) - margin),
                ends[1] ?? (low <= high ? high : 1) + (base ? room : margin),
            ];
        }

        room() {
            return Math.max(260, Math.floor(this.plot.clientWidth));
        }

        isSeen(mark) {
            return mark.entry === null || !this.hidden.has(mark.entry);
        }

        draw() {
            const { x, y, equal } = this.data;
            const bars = this.marks.find(mark => mark.kind === "bars");
            const has = kind => this.marks.some(mark => mark.kind === kind);
            this.width = this.room();
            const lines = bars
                ? Math.max(
                      1,
                      bars.bars.reduce((n, group) => n + group.length, 0),
                  )
                : 0;
            this.height = bars
                ? 62 + 17 * lines + 8 * bars.names.length
                : Math.round(Math.min(420, Math.max(230, 0.6 * this.width)));
            // Bars of a histogram count: no tick is at half an instance.
            const counts = has("steps")
                ? Math.max(1, Math.ceil(this.shown[1][1] - this.shown[1][0]))
                : Infinity;
            const down = ticks(this.shown[1], Math.min(this.height / 48, counts), y);
            const most = Math.floor((0.42 * this.width) / LETTER);
            const words = bars ? bars.names.map(name => broken(name, most)) : down.map(([, word]) => [word]);
            this.left = 14 + LETTER * Math.max(...words.flat().map(word => word.length), 1);
            const named = this.named();
            const longest = Math.max(0, ...named.map(({ label }) => label.length));
            this.right = this.width - 14 - LETTER * longest;
            [this.top, this.bottom] = [bars ? 6 : 24, this.height - 42];
            if (equal) {
                const [w, h] = [this.right - this.left, this.bottom - this.top];
                const size = Math.max(
                    (this.whole[0][1] - this.whole[0][0]) / w,
                    (this.whole[1][1] - this.whole[1][0]) / h,
                );
                this.shown = this.whole.map((ends, k) => {
                    const middle = (ends[0] + ends[1]) / 2;
                    return [middle - (size * (k ? h : w)) / 2, middle + (size * (k ? h : w)) / 2];
                });
            }
            const along = ticks(
                this.shown[0],
                (this.right - this.left) / (x.names?.length || x.powers ? 58 : 78),
                x,
            );
            // The last word stands on both sides of its tick. (A second look: the tick moves, too.)
            for (let look = 0; look < 2; look++) {
                const ends = along.map(([value, word]) => this.px(value) + (LETTER * word.length) / 2 + 2);
                this.right -= Math.max(0, ...ends.map(end => end - this.width));
            }
            const text = (at, words, anchor = "middle", more = {}) =>
                element("text", { x: at[0], y: at[1], "text-anchor": anchor, "font-size": TEXT, ...more }, [
                    words,
                ]);
            const line = (x1, y1, x2, y2, kind) => element("line", { x1, y1, x2, y2, class: kind });
            const axes = [];
            for (const [value, word] of along) {
                const at = this.px(value);
                axes.push(line(at, this.top, at, this.bottom, "grid"), text([at, this.bottom + 17], word));
            }
            if (bars) {
                words.forEach((lines, k) =>
                    lines.forEach((word, row) =>
                        axes.push(
                            text(
                                [this.left - 8, this.py(k) + 4 + 13 * (row - (lines.length - 1) / 2)],
                                word,
                                "end",
                            ),
                        ),
                    ),
                );
            } else {
                for (const [value, word] of down) {
                    const at = this.py(value);
                    axes.push(
                        line(this.left, at, this.right, at, "grid"),
                        text([this.left - 8, at + 4], word, "end"),
                    );
                }
                axes.push(text([2, 13], y.label, "start", { class: "axis-label" }));
            }
            axes.push(text([this.right, this.height - 7], x.label, "end", { class: "axis-label" }));
            const clip = `plot-${this.number}`;
            // Dots at the ends are whole.
            const beyond = has("dots") ? 6 : 0;
            const frame = element("rect", {
                x: this.left - beyond,
                y: this.top - beyond,
                width: Math.max(1, this.right - this.left) + 2 * beyond,
                height: Math.max(1, this.bottom - this.top) + 2 * beyond,
            });
            const inside = element(
                "g",
                { "clip-path": `url(#${clip})` },
                this.marks.filter(mark => this.isSeen(mark)).flatMap(mark => this.drawn(mark)),
            );
            const ends = this.ends(named).flatMap(({ label, color, y, end }) => [
                element("path", {
                    d: `M${this.right + 1} ${end}L${this.right + 7} ${y}`,
                    stroke: color,
                    "stroke-width": 1.5,
                }),
                text([this.right + 9, y + 4], label, "start"),
            ]);
            this.cursor = element("g", { class: "cursor" });
            this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
            this.svg.replaceChildren(
                element("clipPath", { id: clip }, [frame]),
                ...axes,
                inside,
                ...ends,
                this.cursor,
            );
        }

        /** Curves that are named at their ends: several, where there is room beside them. */
        named() {
            if (this.data.equal || this.width < 520) return [];
            const lines = this.marks.filter(
                mark => mark.kind === "line" && mark.instance == null && this.isSeen(mark),
            );
            const named = lines.map(mark => ({ mark, label: mark.label ?? mark.name, color: mark.color }));
            const known = named.filter(({ label }) => label && label.length <= 24);
            // Most of them come to the right end of the plot.
            const [low, high] = this.whole[0];
            const ends = known.filter(
                ({ mark }) => Math.max(...mark.x.filter(Number.isFinite)) > high - 0.05 * (high - low),
            );
            return known.length > 1 &&
                3 * ends.length >= 2 * known.length &&
                new Set(known.map(({ label }) => label)).size === known.length
                ? known
                : [];
        }

        /** Where the names of curves stand, which are in the plot at its right end: one below
         * the other. */
        ends(named) {
            const found = named
                .flatMap(({ mark, label, color }) => {
                    const k = mark.x.findLastIndex(
                        (x, k) => Number.isFinite(x + mark.y[k]) && this.px(x) <= this.right + 1,
                    );
                    const y = k < 0 ? NaN : this.py(mark.y[k]);
                    return y >= this.top && y <= this.bottom && this.px(mark.x[k]) > this.right - 40
                        ? [{ label, color, y, end: y }]
                        : [];
                })
                .sort((a, b) => a.y - b.y);
            for (let k = 1; k < found.length; k++) found[k].y = Math.max(found[k].y, found[k - 1].y + TEXT);
            for (let k = found.length - 1, below = this.bottom + TEXT; k >= 0; k--) {
                found[k].y = below = Math.min(found[k].y, below - TEXT);
            }
            return found;
        }

        px(x) {
            const [low, high] = this.shown[0];
            return this.left + ((x - low) / (high - low || 1)) * (this.right - this.left);
        }
        py(y) {
            const [low, high] = this.shown[1];
            return this.bottom - ((y - low) / (high - low || 1)) * (this.bottom - this.top);
        }

        way(xs, ys) {
            let [path, pen] = ["", "M"];
            for (let k = 0; k < xs.length; k++) {
                const [a, b] = [this.px(xs[k]), this.py(ys[k])];
                if (!Number.isFinite(a + b)) {
                    pen = "M";
                    continue;
                }
                path += `${pen}${a.toFixed(1)} ${b.toFixed(1)}`;
                pen = "L";
            }
            return path;
        }

        drawn(mark) {
            switch (mark.kind) {
                case "line":
                    return [
                        element("path", {
                            d: this.way(mark.x, mark.y),
                            fill: "none",
                            stroke: mark.color,
                            "stroke-width": mark.width * 0.8,
                            "stroke-dasharray": mark.dash,
                            "stroke-linejoin": "round",
                        }),
                    ];
                case "band": {
                    const [there, back] = [
                        this.way(mark.x, mark.low),
                        this.way([...mark.x].reverse(), [...mark.high].reverse()),
                    ];
                    return there && back
                        ? [
                              element("path", {
                                  d: `${there}${back.replace("M", "L")}Z`,
                                  fill: mark.color,
                                  "fill-opacity": mark.opacity,
                                  stroke: "none",
                              }),
                          ]
                        : [];
                }
                case "dots": {
                    const r = mark.size * 0.8;
                    let path = "";
                    mark.x.forEach((x, k) => {
                        const [a, b] = [this.px(x), this.py(mark.y[k])];
                        if (Number.isFinite(a + b)) path += `M${a.toFixed(1)} ${b.toFixed(1)}h0`;
                    });
                    return [
                        element("path", {
                            d: path,
                            fill: "none",
                            stroke: mark.color,
                            "stroke-width": 2 * r,
                            "stroke-linecap": "round",
                            "stroke-opacity": Math.max(0.6, mark.opacity),
                        }),
                    ];
                }
                case "steps":
                    return [...mark.counts].map((n, k) => {
                        const [a, b] = [this.px(mark.edges[k]), this.px(mark.edges[k + 1])];
                        return element("rect", {
                            x: Math.min(a, b),
                            width: Math.max(1, Math.abs(b - a) - 0.6),
                            y: this.py(n),
                            height: Math.max(0, this.py(0) - this.py(n)),
                            fill: mark.color,
                        });
                    });
                case "bars":
                    return mark.bars.flatMap((group, row) => {
                        const thick = Math.min(15, (0.8 * Math.abs(this.py(1) - this.py(0))) / group.length);
                        return group.flatMap(({ value, color, error }, k) => {
                            // Those of a row are counted from below.
                            const middle = this.py(row) - (k - (group.length - 1) / 2) * thick;
                            const [from, to] = [this.px(Math.max(0, this.shown[0][0])), this.px(value)];
                            const made = [
                                element("rect", {
                                    x: Math.min(from, to),
                                    width: Math.max(0.5, Math.abs(to - from)),
                                    y: middle - thick / 2 + 0.5,
                                    height: thick - 1,
                                    fill: color,
                                }),
                            ];
                            if (error) {
                                const [low, high] = [value - error[0], value + error[1]].map(x => this.px(x));
                                made.push(
                                    element("path", {
                                        class: "error",
                                        d: `M${low} ${middle}H${high}`,
                                    }),
                                );
                            }
                            return made;
                        });
                    });
                case "map":
                    return [this.pixels(mark, `data:image/png;base64,${mark.image}`)];
                case "cells":
                    return [this.image(mark)];
                default:
                    return [];
            }
        }

        image(mark) {
            const canvas = html("canvas", { width: mark.columns, height: mark.rows });
            const pen = canvas.getContext("2d");
            const [low, high] = this.extremes(mark);
            mark.values.forEach((value, k) => {
                if (!Number.isFinite(value)) return;
                pen.fillStyle =
                    mark.colors[Math.round(((mark.colors.length - 1) * (value - low)) / (high - low || 1))];
                pen.fillRect(k % mark.columns, mark.rows - 1 - Math.floor(k / mark.columns), 1, 1);
            });
            return this.pixels(mark, canvas.toDataURL());
        }

        /** An image between the ends of the axes. */
        pixels(mark, href) {
            const [x0, x1] = mark.x.map(x => this.px(x));
            const [y0, y1] = mark.y.map(y => this.py(y));
            return element("image", {
                x: Math.min(x0, x1),
                y: Math.min(y0, y1),
                width: Math.abs(x1 - x0),
                height: Math.abs(y1 - y0),
                href,
                preserveAspectRatio: "none",
                style: "image-rendering:pixelated",
            });
        }

        extremes(mark) {
            return [...mark.values]
                .filter(Number.isFinite)
                .reduce(([l, h], x) => [Math.min(l, x), Math.max(h, x)], [Infinity, -Infinity]);
        }

        /** The colours of cells, and what they mean. */
        ramp(mark) {
            const [low, high] = mark.bar ? [mark.bar.low, mark.bar.high] : this.extremes(mark);
            const { colors, label, powers } = mark.bar ?? { colors: mark.colors, label: mark.unit };
            const word = x => (powers ? `10${superscript(Math.round(x))}` : shown(x));
            const bar = html("i", { style: `background: linear-gradient(to right, ${colors.join(", ")})` });
            return html("span", { class: "ramp" }, [
                html("span", {}, [word(low)]),
                bar,
                `${word(high)} ${label}`,
            ]);
        }

        /** What there is at a pixel of the figure, as lines of text, where, and of which
         * instance. */
        at(a, b) {
            const [low, high] = this.shown[0];
            const x = low + ((a - this.left) / (this.right - this.left)) * (high - low);
            const [xs, ys] = [this.data.x.label, this.data.y.label].map(parted);
            const seen = this.marks.filter(mark => this.isSeen(mark));
            const say = ({ powers, names }, value) =>
                names?.[Math.round(value)] ?? shown(powers ? 10 ** value : value);
            const ofX = value => `${xs[0]}: ${say(this.data.x, value)}${xs[1]}`;
            const value = y => `${say(this.data.y, y)}${ys[1]}`;
            const found = { lines: [], points: [], distance: Infinity, instance: null };
            let nearest = null;
            const isMap = seen.some(mark => mark.kind === "map");
            for (const mark of seen) {
                // Lines over a map are edges of its cells.
                if (isMap && mark.kind === "line") continue;
                if (mark.kind === "cells" || mark.kind === "map") {
                    const share = (ends, at) => (at - ends[0]) / (ends[1] - ends[0]);
                    const [yLow, yHigh] = this.shown[1];
                    const y = yLow + ((this.bottom - b) / (this.bottom - this.top)) * (yHigh - yLow);
                    const [column, row] = [
                        Math.floor(share(mark.x, x) * mark.columns),
                        Math.floor(share(mark.y, y) * mark.rows),
                    ];
                    if (column < 0 || row < 0 || column >= mark.columns || row >= mark.rows) continue;
                    const k = row * mark.columns + column;
                    const middle = (ends, place, n) => ends[0] + ((place + 0.5) / n) * (ends[1] - ends[0]);
                    const [cx, cy] = [middle(mark.x, column, mark.columns), middle(mark.y, row, mark.rows)];
                    const own = mark.values[k];
                    found.lines.push(ofX(cx), `${ys[0]}: ${value(cy)}`);
                    if (mark.kind === "map") found.lines.push(mark.words[Math.round(mark.which[k])]);
                    if (mark.kind === "cells") found.lines.push(`${shown(own)} ${mark.unit}`);
                    else if (Number.isFinite(own) && mark.bar)
                        found.lines.push(
                            `${parted(mark.bar.label)[0]}: ${shown(mark.bar.powers ? 10 ** own : own)}`,
                        );
                    found.points.push([this.px(cx), this.py(cy)]);
                    // In a grid the instances of a row follow each other.
                    const [first, right, up] =
                        mark.kind === "map" ? (mark.instance ?? [null]) : [0, 1, mark.columns];
                    found.instance = first === null ? null : first + column * right + row * up;
                } else if (mark.kind === "dots") {
                    mark.x.forEach((at, k) => {
                        const p = [this.px(at), this.py(mark.y[k])];
                        const far = Math.hypot(p[0] - a, p[1] - b);
                        if (far < NEAR && far < found.distance) {
                            found.distance = far;
                            nearest = { p, mark, k };
                        }
                    });
                } else if (mark.kind === "bars") {
                    const row = Math.round(
                        mark.names.length -
                            0.5 -
                            ((b - this.top) / (this.bottom - this.top)) * mark.names.length,
                    );
                    if (!mark.bars[row]) continue;
                    found.lines.push(mark.names[row]);
                    [...mark.bars[row]].reverse().forEach(bar => {
                        const name = this.data.legend.find(entry => entry.color === bar.color)?.label;
                        const spread = bar.error
                            ? ` (${shown(bar.value - bar.error[0])} to ${shown(bar.value + bar.error[1])})`
                            : "";
                        found.lines.push(`${name ? `${name}: ` : ""}${shown(bar.value)}${spread}`);
                        found.points.push([this.px(bar.value), this.py(row)]);
                    });
                } else if (mark.kind === "steps") {
                    const k = mark.edges.findIndex((edge, k) => edge <= x && x <= mark.edges[k + 1]);
                    if (k < 0) continue;
                    found.lines.push(
                        `${xs[0]}: ${shown(mark.edges[k])} to ${shown(mark.edges[k + 1])}${xs[1]}`,
                        `${ys[0]}: ${Math.round(mark.counts[k])}`,
                    );
                    found.points.push([
                        this.px((mark.edges[k] + mark.edges[k + 1]) / 2),
                        this.py(mark.counts[k]),
                    ]);
                } else if (mark.x.length && !this.data.equal) {
                    let k = 0;
                    mark.x.forEach((at, i) => {
                        if (Math.abs(at - x) < Math.abs(mark.x[k] - x)) k = i;
                    });
                    // A stretch of a line that is elsewhere has nothing to say here.
                    if (Math.abs(this.px(mark.x[k]) - a) > NEAR) continue;
                    if (!found.lines.length) found.lines.push(ofX(mark.x[k]));
                    const [low, high] =
                        mark.kind === "band" ? [mark.low[k], mark.high[k]] : [mark.y[k], mark.y[k]];
                    if (!Number.isFinite(low + high)) continue;
                    const told = mark.kind === "band" ? `${shown(low)} to ${value(high)}` : value(low);
                    const far = Math.abs(this.py(low) - b);
                    if (mark.instance != null) {
                        if (far < NEAR && far < found.distance) {
                            [found.distance, nearest] = [
                                far,
                                { line: mark, p: [this.px(mark.x[k]), this.py(low)], told },
                            ];
                        }
                        continue;
                    }
                    found.lines.push(`${mark.name || ys[0]}: ${told}`);
                    found.points.push(
                        [this.px(mark.x[k]), this.py(low)],
                        ...(mark.kind === "band" ? [[this.px(mark.x[k]), this.py(high)]] : []),
                    );
                } else if (this.data.equal && mark.x.length) {
                    mark.x.forEach((at, k) => {
                        const p = [this.px(at), this.py(mark.y[k])];
                        const far = Math.hypot(p[0] - a, p[1] - b);
                        if (far < NEAR && far < found.distance)
                            [found.distance, nearest] = [far, { p, mark, k }];
                    });
                }
            }
            if (nearest?.line) {
                found.lines.push(`instance ${nearest.line.instance}: ${nearest.told}`);
                found.points.push(nearest.p);
                found.instance = nearest.line.instance;
            } else if (nearest) {
                const { p, mark, k } = nearest;
                if (mark.name) found.lines.push(mark.name);
                found.lines.push(ofX(mark.x[k]), `${ys[0]}: ${value(mark.y[k])}`);
                found.points.push(p);
                found.instance = mark.instances?.[k] ?? null;
            }
            if (found.instance !== null) found.lines.push(`polhode replay . --instance ${found.instance}`);
            return found.lines.length ? found : null;
        }

        /** Tells what was found, beside the place. */
        tell(found) {
            this.cursor?.replaceChildren();
            this.tip.hidden = !found;
            this.svg.classList.toggle("picks", found?.instance != null);
            this.found = found;
            if (!found) return;
            this.tip.replaceChildren(...found.lines.map(line => html("div", {}, [line])));
            for (const [x, y] of found.points) {
                if (y >= this.top - 1 && y <= this.bottom + 1)
                    this.cursor.append(element("circle", { cx: x, cy: y, r: 3.5 }));
            }
            const at = found.points[0]?.[0] ?? this.left;
            this.cursor.prepend(element("line", { x1: at, x2: at, y1: this.top, y2: this.bottom }));
            const scale = this.svg.clientWidth / this.width;
            const wide = this.tip.offsetWidth;
            const right = at * scale + 14;
            const room = this.svg.clientWidth;
            const left = right + wide > room ? Math.min(at * scale - wide - 14, room - wide) : right;
            this.tip.style.left = `${Math.max(0, left)}px`;
        }

        zoom(range) {
            const [low, high] = this.whole[0];
            const size = Math.min(high - low, Math.max(1e-4 * (high - low), range[1] - range[0]));
            const from = Math.min(high - size, Math.max(low, range[0]));
            this.shown[0] = [from, from + size];
            this.all.hidden = size >= (high - low) * 0.9999;
            this.tell(null);
            this.draw();
        }

        magnify(by) {
            const [low, high] = this.shown[0];
            const middle =
                this.place === undefined
                    ? (low + high) / 2
                    : low + ((this.place - this.left) / (this.right - this.left)) * (high - low);
            this.zoom([middle - (middle - low) / by, middle + (high - middle) / by]);
        }

        pick() {
            if (this.found?.instance == null) return;
            document.dispatchEvent(new CustomEvent("polhode-instance", { detail: this.found.instance }));
        }

        listen() {
            const { svg } = this;
            const place = event => {
                const box = svg.getBoundingClientRect();
                return [
                    ((event.clientX - box.left) * this.width) / box.width,
                    ((event.clientY - box.top) * this.width) / box.width,
                ];
            };
            let from = null;
            svg.addEventListener("pointermove", event => {
                const [x, y] = place(event);
                this.place = x;
                if (from !== null && event.pointerType === "mouse" && Math.abs(x - from) > 6) {
                    this.tip.hidden = true;
                    const [a, b] = [from, x]
                        .sort((a, b) => a - b)
                        .map(x => Math.min(this.right, Math.max(this.left, x)));
                    this.cursor.replaceChildren(
                        element("rect", { x: a, y: this.top, width: b - a, height: this.bottom - this.top }),
                    );
                } else {
                    this.tell(this.at(x, y));
                }
            });
            svg.addEventListener("pointerdown", event => {
                const [x, y] = place(event);
                from = this.canZoom() && event.pointerType === "mouse" ? x : null;
                this.tell(this.at(x, y));
            });
            svg.addEventListener("pointerup", event => {
                const [x] = place(event);
                const isRange = from !== null && Math.abs(x - from) > 6;
                if (isRange) {
                    const [low, high] = this.shown[0];
                    const value = x =>
                        low +
                        ((Math.min(this.right, Math.max(this.left, x)) - this.left) /
                            (this.right - this.left)) *
                            (high - low);
                    this.zoom([from, x].sort((a, b) => a - b).map(value));
                } else {
                    this.pick();
                }
                from = null;
            });
            svg.addEventListener("pointerleave", () => {
                from = null;
                if (document.activeElement !== svg) this.tell(null);
            });
            svg.addEventListener("dblclick", () => this.zoom(this.whole[0]));
            svg.addEventListener("blur", () => this.tell(null));
            const go = (dx, dy) => {
                const start = this.place === undefined;
                this.place = start
                    ? (this.left + this.right) / 2
                    : Math.min(this.right, Math.max(this.left, this.place + dx));
                this.down =
                    start || this.down === undefined
                        ? (this.top + this.bottom) / 2
                        : Math.min(this.bottom, Math.max(this.top, this.down + dy));
                this.tell(this.at(this.place, this.down));
            };
            const keys = {
                ArrowLeft: () => go(-8, 0),
                ArrowRight: () => go(8, 0),
                ArrowUp: () => go(0, -12),
                ArrowDown: () => go(0, 12),
                Enter: () => this.pick(),
                Escape: () => this.tell(null),
                "+": () => this.canZoom() && this.magnify(1.6),
                "-": () => this.canZoom() && this.magnify(1 / 1.6),
                0: () => this.zoom(this.whole[0]),
            };
            svg.addEventListener("focus", () => {
                if (svg.matches(":focus-visible")) go(0, 0);
            });
            svg.addEventListener("keydown", event => {
                const act = keys[event.key];
                if (!act || event.ctrlKey || event.altKey || event.metaKey) return;
                event.preventDefault();
                act();
            });
        }

        canZoom() {
            return !this.data.equal && !this.marks.some(mark => ["bars", "cells", "map"].includes(mark.kind));
        }
    }

    document.querySelectorAll(".chart").forEach(root => {
        root.chart ??= new Chart(root);
    });
})();
