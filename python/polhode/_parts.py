"""Parts of an ensemble on any executor.

A task runs the command in a process of its own, which ends with its worker, and returns the name of its folder. All that is known
of the parts lies in their folders: sound ones are not computed again, whoever asks.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from . import _polhode
from ._errors import ResultError, RunError, RunRefused
from ._result import RunResult
from ._study import Study

STUDY = "study.toml"
# Exit codes of the command.
_DONE, _WRONG_INPUT, _NOTHING_FINISHED = 0, 2, 3
# Time between two looks at tasks, or at a part that another client computes (s).
_LOOK = 0.05


def _stages(folder: Path) -> list[dict[str, Any]]:
    import json

    return json.loads(_polhode.shards([os.fspath(folder)]))


def _write(file: Path, content: bytes) -> None:
    if not file.exists() or file.read_bytes() != content:
        # Another client may write the same at the same time.
        new = file.with_name(f".{file.name}.{os.getpid()}")
        new.write_bytes(content)
        new.replace(file)


def prepare(study: Study, parts: Path, shards: int) -> list[int]:
    """Writes the study into the folder of the parts, and tells which parts are still to be computed.

    Raises `ResultError` if something of the folder is of another study, version, arithmetic or number of parts.
    """
    if shards < 1:
        raise ValueError("shards: give a number of parts above zero")
    parts.mkdir(parents=True, exist_ok=True)
    # Workers read it by this path, which their parts keep.
    parts = parts.resolve()
    file = parts / STUDY
    given = (study._study.given_samples() or "").encode()
    # The name follows from the samples: a study with others is another one.
    samples = parts / f"samples-{hashlib.sha256(given).hexdigest()[:16]}.csv"
    text = study._study.chosen_toml(samples.name).encode()
    if file.exists() and file.read_bytes() != text:
        raise ResultError(f"{file}: is another study than the one that is asked for: give another folder, or remove this one")
    if given:
        _write(samples, given)
    _write(file, text)
    resolved = _polhode.Study.from_file(os.fspath(file)).toml()
    wrong, done = [], set()
    for stage in _stages(parts):
        folder = stage["folder"] and Path(stage["folder"])
        name = stage["shard"] and stage["shard"].split("/")
        if stage["stage"] == "foreign" and folder is not None:
            wrong.append(f"{folder}: {stage['why']}")
        elif name is not None and int(name[1]) != shards:
            wrong.append(f"{folder or parts}: is part {stage['shard']}, and {shards} parts are asked for")
        elif folder is not None and (folder / STUDY).exists() and (folder / STUDY).read_text() != resolved:
            wrong.append(f"{folder}: is of another study than {file}")
        elif stage["stage"] == "done":
            done.add(int(name[0]))
    if wrong:
        raise ResultError("\n".join(wrong))
    return [part for part in range(1, shards + 1) if part not in done]


def compute(parts: str, part: int, shards: int) -> str:
    """Computes a part in a process of its own, and returns its folder. Wrong input comes back as `RunRefused` in place of a name, as
    an executor would try an error again."""
    folder = Path(parts) / str(part)
    while True:
        known = [stage for stage in _stages(folder.parent) if stage["shard"] == f"{part}/{shards}"]
        stage = known[0]["stage"] if known else "missing"
        if stage == "done":
            return os.fspath(folder)
        if stage == "running":
            # Another client's task.
            time.sleep(_LOOK)
            continue
        option = "--overwrite" if stage == "damaged" else "--resume"
        arguments = ["run", os.fspath(Path(parts) / STUDY), "--shard", f"{part}/{shards}", "--out", os.fspath(folder), option, "--quiet"]
        package = os.fspath(Path(__file__).parent.parent)
        path = os.pathsep.join([package, *filter(None, [os.environ.get("PYTHONPATH")])])
        # The process ends when its standard input does: with this one, however that ends.
        task = subprocess.Popen([sys.executable, "-m", "polhode._task", *arguments], stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                                stdout=subprocess.DEVNULL, text=True, env={**os.environ, "PYTHONPATH": path})
        try:
            assert task.stderr is not None and task.stdin is not None
            told = task.stderr.read().strip()
            code = task.wait()
        except BaseException:
            task.kill()
            raise
        finally:
            task.stdin.close()
        if code in (_DONE, _NOTHING_FINISHED):
            return os.fspath(folder)
        if any(stage["stage"] == "running" for stage in _stages(folder.parent) if stage["shard"] == f"{part}/{shards}"):
            continue
        if code == _WRONG_INPUT:
            return _REFUSED + told
        raise RunError(f"part {part}/{shards} ended with code {code}: {told}")


# A message of wrong input begins so in place of a folder's name.
_REFUSED = "refused: "


def named(answer: str) -> str:
    """The folder that a task has returned; `RunRefused` for wrong input."""
    if answer.startswith(_REFUSED):
        raise RunRefused(answer.removeprefix(_REFUSED))
    return answer


def merged(parts: Path, shards: int, out: str | None, overwrite: bool) -> RunResult:
    """The parts put together."""
    folders = [os.fspath(parts / str(part)) for part in range(1, shards + 1)]
    return RunResult(_polhode.merge(folders, out, overwrite))


def run_parts(study: Study, parts: str | os.PathLike[str], shards: int, executor: Any, *, out: str | os.PathLike[str] | None = None,
              overwrite: bool = False, retries: int = 2) -> RunResult:
    """Runs a study in so many parts on an executor, and puts them together: the bits of `study.run()`.

    `executor`: whatever has `submit`, as a process pool, mpi4py's, submitit's, parsl's, Dask's. `parts`: a folder that all workers
    see. Parts that are there already are not computed again, whichever client computed them; interrupted ones are gone on with, damaged
    ones computed anew. `out`: the folder of the whole; none: one that goes with the result. `retries`: a task that fails is submitted
    again so many times; wrong input never is.

    Raises `ResultError` before anything starts if a part is of another study, version, arithmetic or number of parts; `RunRefused` for
    wrong input; `RunError`, or the executor's own error, if a part fails again and again. Sound parts stay: the same call goes on.
    """
    parts = Path(parts)
    left = dict.fromkeys(prepare(study, parts, shards), retries)
    place = os.fspath(parts.resolve())
    tasks = {part: executor.submit(compute, place, part, shards) for part in left}
    try:
        while tasks:
            ended = [part for part, task in tasks.items() if task.done()]
            for part in ended:
                try:
                    named(tasks.pop(part).result())
                except RunRefused:
                    raise
                except Exception:
                    if left[part] == 0:
                        raise
                    left[part] -= 1
                    tasks[part] = executor.submit(compute, place, part, shards)
            if not ended:
                time.sleep(_LOOK)
    finally:
        for task in tasks.values():
            task.cancel()
    return merged(parts, shards, None if out is None else os.fspath(out), overwrite)
