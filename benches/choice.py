#!/usr/bin/env python3
"""Chosen method and step against the best that can be picked by hand.

For every shipped study, or those named, and each accuracy: what `[method] accuracy` chooses, and the cheapest of all methods when
each is given by name and its step alone is chosen. Costs are exact operations of an instance from start to end, as
`polhode check` prints them. Prints a table in Markdown; a row ends with the cost of the choice over that of the best.

Usage: benches/choice.py POLHODE [--size N] [STUDY..]
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
ACCURACIES = ["1e-3", "1e-6", "1e-9"]
NAMES = ["staggered", "rk4", "tsit5", "dop853"]


def opened(study, method, size):
    """The study with another table [method], its joints held as is chosen."""
    text = (ROOT / "studies" / f"{study}.toml").read_text()
    duration = tomllib.loads(text)["method"].get("duration")
    if duration is None:
        return None
    lines, section = [], None
    for line in text.split("\n"):
        heading = re.match(r"\s*\[+([\w.]+)\]+", line)
        if heading:
            section = heading.group(1)
            if section == "method":
                lines += ["[method]", f'duration = "{duration}"'] + method
        if section in ("method", "constraints"):
            continue
        if section == "ensemble" and re.match(r"size\s*=", line):
            line = f"size = {size}"
        if section is None and line.startswith("mechanism"):
            line = re.sub(r'"(.*)"', lambda m: f'"{(ROOT / "studies" / m.group(1)).resolve()}"', line)
        lines.append(line)
    return "\n".join(lines)


def checked(polhode, study, method, size):
    """Method, step and operations of an instance; None: refused, or too long."""
    text = opened(study, method, size)
    if text is None:
        return None
    file = pathlib.Path(tempfile.gettempdir()) / f"choice_{study}.toml"
    file.write_text(text)
    try:
        done = subprocess.run([polhode, "check", str(file)], capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return None
    finally:
        file.unlink()
    if done.returncode != 0:
        return None
    name = re.search(r"^method +(\w+)", done.stdout, re.M).group(1)
    steps = re.search(r"^steps +([\d,]+) of ([\d.e-]+) s", done.stdout, re.M)
    operations = re.search(r"^operations +(\d+) a step", done.stdout, re.M)
    told = re.search(r"error ([\d.e+-]+) of", done.stdout)
    if steps is None or operations is None or told is None:
        return None
    count = int(steps.group(1).replace(",", ""))
    return name, float(steps.group(2)), count * int(operations.group(1)), float(told.group(1))


def main():
    polhode, *rest = sys.argv[1:]
    size = "256"
    if rest[:1] == ["--size"]:
        size, rest = rest[1], rest[2:]
    studies = rest or sorted(file.stem for file in (ROOT / "studies").glob("*.toml"))
    print("| study | accuracy | chosen | step | error on the pilot | best by hand | cost over the best |")
    print("|---|---|---|---|---|---|---|")
    for study in studies:
        for accuracy in ACCURACIES:
            found = checked(polhode, study, [f"accuracy = {accuracy}"], size)
            by_hand = [checked(polhode, study, [f'name = "{n}"', f"accuracy = {accuracy}"], size) for n in NAMES]
            by_hand = [one for one in by_hand if one is not None]
            if found is None or not by_hand:
                print(f"| {study} | {accuracy} | not reached | | | | |", flush=True)
                continue
            best = min(by_hand, key=lambda one: one[2])
            print(
                f"| {study} | {accuracy} | {found[0]} | {1e3 * found[1]:.4g} ms | {found[3]:.1e} | {best[0]}, "
                f"{1e3 * best[1]:.4g} ms | {found[2] / best[2]:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
