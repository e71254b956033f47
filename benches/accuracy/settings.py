"""Word, measured and true error of every shipped study at three settings, as a table.

    cargo build --release
    python3 benches/accuracy/settings.py [--polhode PATH] [--size N] [--only NAME,NAME] [--small] [--strangers] [FOLDER ...]

Each study runs as shipped, by what is chosen for an accuracy of 1e-6, and by its own method over
steps four times as long (five, two, or a tolerance a thousand times as large), judged by 1e-3.
*True* is the largest error of all instances, snapshots and outcomes, as a share of the scale that
accuracy.parquet has: against the same study by steps of each instance's own of dop853 to a
tolerance of 1e-12, or by bdf to 1e-13 where explicit steps are too many. *Above* counts instances
whose true error is above what was asked. A FOLDER holds a study.toml, e.g. a fault that was found.

With --small the mechanisms of small.py are run instead, with --strangers those of strangers.py, by what is chosen, by what is chosen for
1e-6, and by rk4 over steps as long as snapshots are apart, judged by 1e-3; their true errors are
against solutions of their own. Needs numpy, pyarrow, scipy.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile
import tomllib

import numpy as np
import pyarrow.parquet as parquet

import small
import strangers

ROOT = pathlib.Path(__file__).resolve().parents[2]
# An accurate run of these takes many minutes.
LEFT_OUT = {"crane_flexible", "crane_joints_beams", "crane_joints_modal"}
STIFF = {"rubber_hinge"}
LONGEST = 1200.0  # s, of a command


def values(table):
    return {name: table.column(name).to_numpy(zero_copy_only=False) for name in table.column_names}


class Study:
    def __init__(self, path, size):
        self.path = path
        self.table = tomllib.loads(path.read_text())
        self.name = path.stem if path.stem != "study" else path.parent.name
        self.size = size
        self.method = self.table.get("method", {})
        self.judged = self.table.get("study", {}).get("kind", "monte_carlo") == "monte_carlo" and "method" in self.table

    def common(self):
        """Settings of all runs: the size, and series of all instances."""
        # The fuse is a clock: on a busy machine it would blow.
        pictures = ["output.plots=false", "output.report=false", 'accuracy.budget="1 h"']
        # A grid keeps its size, and the series that its file asks for.
        if "size" not in self.table.get("ensemble", {}):
            return pictures
        return [*pictures, f"ensemble.size={self.size}", f"observe.keep={self.size}"]

    def duration(self):
        return f'method.duration="{self.method["duration"]}"'

    def tables(self, *names):
        """Those of these tables that the file has."""
        return [name for name in names if name in self.table]


def run(polhode, study, out, without, put, word=True):
    """The manifest of a run; a text: why there is none."""
    args = [polhode, "run", study.path, "--out", out, "--quiet", "--backend", "cpu", "--overwrite"]
    args += [] if word else ["--no-accuracy"]
    args += [arg for key in without for arg in ("--unset", key)]
    args += [arg for pair in study.common() + put for arg in ("--set", pair)]
    try:
        ended = subprocess.run(args, capture_output=True, text=True, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return f"more than {LONGEST:.0f} s"
    if ended.returncode not in (0, 3):
        return ended.stderr.strip().splitlines()[-1][:160]
    return json.loads((out / "manifest.json").read_text())


def series(out):
    """By channel and component, and by outcome, the numbers `[snapshot][instance]`."""
    table = values(parquet.read_table(out / "trajectories.parquet"))
    order = np.lexsort((table["instance"], table["time"]))
    count = len(np.unique(table["instance"]))
    known = {"instance", "time"}
    return {name: column[order].reshape(-1, count) for name, column in table.items() if name not in known}


def scales(out):
    table = values(parquet.read_table(out / "accuracy.parquet"))
    found = {}
    for channel, component, scale in zip(table["channel"], table["component"], table["scale"]):
        found[f"{channel}.{component}" if component else channel] = scale
    return found


def true_errors(run, right, scale, outcomes):
    """By instance the largest error, as a share of the scale, and the column where the largest of
    all is."""
    curves = series(run)
    largest, worst = None, ("", 0.0)
    for name, share in scale.items():
        if name not in right:
            continue
        # Outcomes count at the end alone.
        count = 1 if name.removesuffix(".time") in outcomes else len(right[name])
        a, b = curves[name][-count:], right[name][-count:]
        off = np.abs(a - b)
        if name.endswith((".q0", ".q1", ".q2", ".q3")):
            off = np.minimum(off, np.abs(a + b))
        if name.endswith("angle"):
            off = np.minimum(off, np.abs(off - 2 * np.pi))
        # One that has a value in one of them alone is wrong by all its scale.
        off = np.where(np.isnan(a) & np.isnan(b), 0.0, np.where(np.isnan(off), share, off))
        # The time of a peak beside which another one is alike is not known.
        if name.endswith(".time"):
            off = np.where(np.isnan(b), 0.0, off)
        off = off.max(axis=0) / share
        if off.max() > worst[1]:
            worst = (name, off.max())
        largest = off if largest is None else np.maximum(largest, off)
    return largest, worst


def coarser(study):
    """Keys that make the method coarser, those to be tried first at the beginning: steps end at
    snapshots."""
    method = study.method
    for key in ("tolerance", "relative"):
        if key in method:
            return [[f"method.{key}={min(1e3 * method[key], 1e-2):g}"]]
    number, unit = method.get("step", "0 s").split()
    return [[f'method.step="{times * float(number):g} {unit}"'] for times in (4, 5, 2)] if "step" in method else [[]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--polhode", default=str(ROOT / "target/release/polhode"))
    parser.add_argument("--size", type=int, default=200)
    parser.add_argument("--only", default="")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--strangers", action="store_true")
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    given = parser.parse_args()
    paths = sorted((ROOT / "studies").glob("*.toml")) + [folder / "study.toml" for folder in given.folders]
    wanted = [name for name in given.only.split(",") if name]
    print("| study | setting | word | largest error | judged | true | above |\n|---|---|---|---|---|---|---|")
    counts = {"lies": 0, "false alarms": 0, "runs": 0}
    studies = [study for study in (Study(path, given.size) for path in paths) if study.judged]
    if wanted:
        studies = sorted((s for s in studies if s.name in wanted), key=lambda study: wanted.index(study.name))
    if given.small or given.strangers:
        for case in strangers.CASES if given.strangers else small.CASES:
            if not wanted or case.name in wanted:
                with tempfile.TemporaryDirectory() as folder:
                    one_small(given.polhode, case, given.size, pathlib.Path(folder), counts)
        studies = []
    for study in (study for study in studies if study.name not in LEFT_OUT):
        with tempfile.TemporaryDirectory() as folder:
            one(given.polhode, study, pathlib.Path(folder), counts)
    print(f"\n{counts}")


def exactly(polhode, study, out, tolerance):
    """Writes the accurate run; false: it cannot be had."""
    number, unit = study.table["observe"]["every"].split()
    # Outcomes are found between steps of the study, and where their functions bend no better than
    # to a step.
    step = f'method.step="{float(number) / (40 if "outcome" in study.table else 1):g} {unit}"'
    own = [study.duration(), 'method.name="dop853"', f"method.tolerance={tolerance}", step, 'run.precision="f64"']
    held = ['constraints.treatment="exact"', "constraints.project=1"]
    stiff = [study.duration(), 'method.name="bdf"', f"method.relative={tolerance}", "method.absolute=1e-13", step]
    tried = [stiff + held[:1]] if study.name in STIFF else [own + held, own]
    found = (run(polhode, study, out, study.tables("method", "constraints"), put, False) for put in tried)
    return any(isinstance(manifest, dict) for manifest in found)


def one(polhode, study, folder, counts):
    exact, closer = folder / "exact", folder / "closer"
    if not exactly(polhode, study, exact, 1e-12):
        print(f"| {study.name} | | no accurate run | | | | |", flush=True)
        return

    def right(out, is_in_doubt):
        if is_in_doubt:
            # Or the accurate run is not right: where neighbours part, another tolerance tells.
            closer.exists() or exactly(polhode, study, closer, 1e-13)
        return series(closer if is_in_doubt else exact)

    anew = study.tables("method", "constraints")
    settings = [
        ("as shipped", [], [[]]),
        ("1e-6 asked", anew, [[study.duration(), "method.accuracy=1e-6"]]),
        ("coarse, 1e-3", [], [[*keys, "method.accuracy=1e-3"] for keys in coarser(study)]),
    ]
    for setting, without, alternatives in settings:
        said_and_true(polhode, study, setting, (without, alternatives), right, folder / "run", counts)


def one_small(polhode, case, size, folder, counts, ways=None):
    path = folder / "study.toml"
    path.write_text(case.text(size))
    study = Study(path, size)
    study.name = case.name

    known = []

    def right(out, is_in_doubt):
        table = values(parquet.read_table(out / "instances.parquet"))
        drawn = [{name: table[f"drawn.constants.{name}"][i] for name in case.draws} for i in range(size)]
        times = np.unique(values(parquet.read_table(out / "trajectories.parquet"))["time"])
        # All settings have the same draws.
        if not known or known[0] != drawn or not np.array_equal(known[1], times):
            known[:] = [drawn, times, case.right(drawn, times)]
        return known[2]

    coarse = ["method.name=rk4", f'method.step="{case.coarse or case.every!r} s"', "method.accuracy=1e-3"]
    usual = [("chosen", [[]]), ("1e-6 asked", [["method.accuracy=1e-6"]]), ("coarse, 1e-3", [coarse])]
    for setting, alternatives in ways or usual:
        said_and_true(polhode, study, setting, ([], alternatives), right, folder / "run", counts)


def said_and_true(polhode, study, setting, changes, right, out, counts):
    """A row of the table; `right(out, is_in_doubt)`: the right numbers of the run, the second time
    those of another accurate run, if there is one."""
    outcomes = {outcome["name"] for outcome in study.table.get("outcome", [])}
    without, alternatives = changes
    for put in alternatives:
        manifest = run(polhode, study, out, without, put)
        if isinstance(manifest, dict):
            break
    if isinstance(manifest, str):
        print(f"| {study.name} | {setting} | {manifest} | | | | |", flush=True)
        return
    said = manifest["accuracy"]
    largest = "–" if said["largest"] is None else f"{said['largest']:.1e}"
    word = said["word"].replace("unresolved", "NOT RESOLVED").replace("not_judged", "NOT JUDGED")
    word = word.replace("resolved", "RESOLVED") + (f" ({said['reason']})" if said["reason"] else "")
    if word == "NOT JUDGED":
        print(f"| {study.name} | {setting} | {word} | | | | |", flush=True)
        return
    scale = scales(out)
    errors, (column, worst) = true_errors(out, right(out, False), scale, outcomes)
    above, count = int((errors > said["asked"]).sum()), len(errors)
    reach = 1 - 0.05 ** (1 / max(said["spoken_for"], 1))
    is_lie, is_false = word == "RESOLVED" and above > reach * count, word[0] == "N" and above == 0
    if is_lie or is_false:
        again, _ = true_errors(out, right(out, True), scale, outcomes)
        apart = np.abs(again - errors).max()
        if apart > 0.1 * said["asked"]:
            print(f"| {study.name} | {setting} | {word} | {largest} | | not known to {apart:.1e} | |", flush=True)
            return
    counts["runs"] += 1
    counts["lies"] += is_lie
    counts["false alarms"] += is_false
    judged = f"{said['instances']} of {said['of']}"
    marked = " LIE" if is_lie else " FALSE" if is_false else ""
    print(
        f"| {study.name} | {setting} | {word} | {largest} | {judged} | {worst:.1e} ({column}) "
        f"| {above} of {count}{marked} |",
        flush=True,
    )


if __name__ == "__main__":
    main()
