"""A part, computed in a process of its own, which ends when its standard input does: with the
process that started it.

Workers call nothing of the extension: one that was forked has none of the threads that it counts
on, and would wait for ever.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path

from . import _polhode
from ._errors import ResultError, RunRefused, StudyError
from ._study import Study, columns_of, ended

STUDY, SAMPLES = "study.toml", "samples.csv"
# Exit code of wrong input, as the command's.
WRONG_INPUT = 2
# Time between two looks at a part that another client computes (s).
_LOOK = 0.05


def read(parts: Path) -> Study:
    """The study in a folder of parts. Its samples are as if they came from memory: each part keeps
    them, and so does the whole."""
    study, samples = Study.from_file(parts / STUDY), parts / SAMPLES
    if not samples.exists():
        return study
    with open(samples, newline="") as file:
        return study.samples(columns_of(file))


def stage(folder: Path, shard: str) -> str:
    """The stage of this part, whose folder is looked at alone."""
    while True:
        places = [
            place for place in (folder, folder.with_name(f"{folder.name}.unfinished")) if place.exists()
        ]
        try:
            stages = {
                found["stage"] for found in json.loads(_polhode.shards(places)) if found["shard"] == shard
            }
        except ResultError:
            # A run that ends renames its folder.
            if all(place.exists() for place in places):
                raise
            continue
        return next(
            (stage for stage in ("done", "running", "damaged", "interrupted") if stage in stages), "missing"
        )


def compute(parts: Path, part: int, shards: int, threads: int | None = None, like: str | None = None) -> None:
    """Computes a part, or waits for whoever computes it."""
    folder, shard = parts / str(part), f"{part}/{shards}"
    while (found := stage(folder, shard)) != "done":
        if found == "running":
            time.sleep(_LOOK)
            continue
        try:
            damaged = found == "damaged"
            ended(*read(parts)._run(folder, False, damaged, not damaged, shard, threads, like))
        except ResultError:
            # Another client's task was quicker.
            if stage(folder, shard) not in ("done", "running"):
                raise


def _end_with_parent() -> None:
    # Not by `sys.stdin`: its lock, held by this thread, makes the interpreter abort as it ends.
    while os.read(0, 4096):
        pass
    os._exit(1)


def main(parts: str, part: str, shards: str, options: str) -> int:
    # Where a scheduler ends a job, what is finished is kept.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        compute(Path(parts), int(part), int(shards), **json.loads(options))
    except (StudyError, RunRefused) as error:
        print(error, file=sys.stderr)
        return WRONG_INPUT
    except Exception as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
