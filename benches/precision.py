#!/usr/bin/env python3
"""Rates and long runs of twelve shipped studies in f32, f32_compensated and f64: tables of docs/precision.md.

    python3 benches/precision.py rates [STUDY ...]      processor time of one thread, 512 instances, medians of five in turn
    python3 benches/precision.py long [STUDY ...]       a million steps of 32 instances; needs pyarrow and pandas

It runs target/release/polhode, or the program that POLHODE names.
"""

import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
POLHODE = os.environ.get("POLHODE", str(ROOT / "target/release/polhode"))
PRECISIONS = ["f32", "f32_compensated", "f64"]
# Step (ms), and operations of it in f32.
STUDIES = {
    "tumbling": (1, 73), "hulbert_52": (0.5, 150), "spacecraft": (2, 206), "reaction_wheels": (2, 2353),
    "cart_pole": (1, 1730), "manipulator": (0.5, 2024), "solar_panels": (2, 7444), "rolling_ball": (2, 752),
    "slider_crank": (0.05, 1293), "double_pendulum": (1, 1568), "four_bar": (0.1, 1252), "crane": (0.5, 3412),
}
TURNS = 5


def run(study, precision, steps, out, settings, *more):
    """Processor time of a run (s)."""
    step, _ = STUDIES[study]
    settings = {
        "method.step": f'"{step} ms"', "method.duration": f'"{steps * step:.12g} ms"',
        "output.plots": "false", "output.report": "false", **settings,
    }
    command = [POLHODE, "run", str(ROOT / f"studies/{study}.toml"), "--out", out, "--overwrite", "--quiet"]
    command += ["--no-accuracy", "--backend", "cpu", "--precision", precision, *more]
    command += [word for key, value in settings.items() for word in ["--set", f"{key}={value}"]]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    ended = subprocess.run(command, capture_output=True, text=True)
    # 3: no instance came to its end.
    if ended.returncode not in (0, 3):
        sys.exit(ended.stderr)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def rates(studies, folder):
    instances, few = 512, 100
    print("| study | f32 | f32_compensated | f64 | sums / f32 |\n|---|---|---|---|---|")
    for study in studies:
        steps = 100 + int(1.2e9 / (STUDIES[study][1] * instances)) // 100 * 100
        found = {precision: [] for precision in PRECISIONS}
        for _ in range(TURNS):
            for precision in PRECISIONS:
                times = [
                    run(study, precision, n, folder,
                        {"ensemble.size": instances, "observe.every": n, "output.instances": '"none"'}, "--threads", "1")
                    for n in [few, few + steps]
                ]
                found[precision].append(steps * instances / (times[1] - times[0]) * 1e-6)
        single, sums, double = (statistics.median(found[precision]) for precision in PRECISIONS)
        print(f"| `{study}` | {single:.3g} | {sums:.3g} | {double:.3g} | {sums / single:.2f} |", flush=True)


def long(studies, folder):
    import numpy
    import pyarrow.parquet

    steps = 1_000_000
    print("| study | f32 | f32_compensated | in |\n|---|---|---|---|")
    for study in studies:
        tables = []
        for precision in PRECISIONS:
            run(study, precision, steps, folder,
                {"ensemble.size": 32, "observe.every": steps // 20, "observe.keep": 32})
            table = pyarrow.parquet.read_table(f"{folder}/trajectories.parquet").to_pandas()
            tables.append(table.set_index(["instance", "time"]))
        exact = tables.pop()
        groups = {}
        for column in exact.columns:
            if not any(word in column for word in ["drift", "iterations", "violation"]):
                groups.setdefault(re.sub(r"\.(x|y|z|q\d)$", "", column), []).append(column)

        def worst(table):
            table = table.reindex(exact.index)
            shares = []
            for name, columns in groups.items():
                expected = exact[columns].to_numpy(float)
                scale = numpy.nanmax(numpy.abs(expected))
                if scale > 0:
                    shares.append((numpy.nanmax(numpy.abs(table[columns].to_numpy(float) - expected)) / scale, name))
            return max(shares)

        (single, _), (sums, name) = map(worst, tables)
        print(f"| `{study}` | {single:.1e} | {sums:.1e} | `{name}` |", flush=True)


with tempfile.TemporaryDirectory() as home:
    table = {"rates": rates, "long": long}[sys.argv[1]]
    table(sys.argv[2:] or STUDIES, f"{home}/run")
