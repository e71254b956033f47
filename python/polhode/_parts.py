"""Parts of an ensemble on any executor.

A task computes a part in a process of its own, which ends with its worker, and returns the name of
its folder. All that is known of the parts lies in their folders: sound ones are not computed again,
whoever asks.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import get_ident
from typing import Any

from . import _polhode
from ._errors import ResultError, RunError, RunRefused
from ._progress import without_desktop
from ._remote import Remote, place
from ._result import RunResult
from ._study import Study, merged
from ._task import SAMPLES, STUDY, WRONG_INPUT, read

# Time between two looks at tasks (s).
_LOOK = 0.05
# Files beside the parts.
_FILES = (STUDY, SAMPLES)
_SHARED = "give a folder or an address that all workers share"
# Arguments of `compute`.
Task = tuple[str, int, int, int | None, str | None]
# A message of wrong input begins so in place of a folder's name.
_REFUSED = "refused: "


def _write(file: Path, content: bytes) -> None:
    if not file.exists() or file.read_bytes() != content:
        # Another client may write the same at the same time.
        new = file.with_name(f".{file.name}.{os.getpid()}.{get_ident()}")
        new.write_bytes(content)
        new.replace(file)


def prepare(study: Study, parts: Path, shards: int) -> tuple[list[int], str | None]:
    """Writes the study into the folder of the parts, and tells which parts are still to be
    computed, and the arithmetic of those that are done.

    Raises `ResultError` if something of the folder is of another study, version, arithmetic or
    number of parts.
    """
    if shards < 1:
        raise ValueError("shards: give a number of parts above zero")
    with without_desktop():
        contents = {SAMPLES: study._study.given_samples() or "", STUDY: study._study.chosen_toml(SAMPLES)}
    for name in (STUDY, SAMPLES):
        if (parts / name).exists() and (why := _other(name, (parts / name).read_bytes(), contents[name])):
            raise ResultError(f"{parts / name}: {why}: give another folder, or remove this one")
    parts.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        if content:
            _write(parts / name, content.encode())
    asked = read(parts)
    wrong, done = _looked_at(parts, shards, asked)
    if wrong:
        # A run that begins or ends meanwhile has no file in its folder for a moment, or renames it.
        time.sleep(_LOOK)
        again, done = _looked_at(parts, shards, asked)
        if wrong := [told for told in wrong if told in again]:
            raise ResultError("\n".join(wrong))
    return [part for part in range(1, shards + 1) if part not in done], next(iter(done.values()), None)


def _other(name: str, there: bytes, asked: str) -> str | None:
    """Why a file beside the parts is of another study. One that cannot be read says nothing, and is
    written again."""
    if name == STUDY:
        return _polhode.differ(there.decode(errors="replace"), asked, "what is asked for")
    return (
        None
        if there == asked.encode()
        else "is of another study: its samples are not those of what is asked for"
    )


def _looked_at(parts: Path, shards: int, study: Study) -> tuple[list[str], dict[int, str]]:
    """What is in the folder and no part of this study, and the parts that are done, each with its
    arithmetic."""
    wrong, done = [], {}
    for stage in json.loads(_polhode.shards([parts], study._study)):
        folder = stage["folder"] and Path(stage["folder"])
        name = stage["shard"] and stage["shard"].split("/")
        if stage["stage"] == "foreign" and folder is not None:
            wrong.append(f"{folder}: {stage['why']}")
        elif name is not None and int(name[1]) != shards:
            wrong.append(f"{folder or parts}: is part {stage['shard']}, and {shards} parts are asked for")
        elif stage["stage"] == "done":
            if folder.name != name[0]:
                wrong.append(
                    f"{folder}: is part {stage['shard']}, whose folder is {parts / name[0]}: "
                    "rename or remove it"
                )
            done[int(name[0])] = stage["arithmetic"]
    return wrong, done


def compute(parts: str, part: int, shards: int, threads: int | None = None, like: str | None = None) -> str:
    """Computes a part in a process of its own, and returns its folder. Wrong input comes back as a
    message in place of a name, as an executor would try an error again. `like`: the arithmetic of
    parts that are done."""
    at = place(parts, _FILES)
    is_remote = isinstance(at, Remote)
    if not (at.has(STUDY) if is_remote else (at / STUDY).exists()):
        raise RunError(f"{parts}/{STUDY} is not there on {platform.node()}: {_SHARED}")
    if is_remote:
        return at.computed(part, lambda folder: compute(folder, part, shards, threads, like))
    package = os.fspath(Path(__file__).parent.parent)
    path = os.pathsep.join([package, *filter(None, [os.environ.get("PYTHONPATH")])])
    options = json.dumps({"threads": threads, "like": like})
    command = [sys.executable, "-W", "ignore", "-m", "polhode._task", parts, str(part), str(shards), options]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    ) as task:
        try:
            told = task.stderr.read().strip()
            code = task.wait()
        except BaseException:
            task.kill()
            raise
    if code == WRONG_INPUT:
        return f"{_REFUSED}{told}"
    if code != 0:
        raise RunError(f"part {part}/{shards} ended with code {code}: {told}")
    return os.fspath(Path(parts) / str(part))


def run(study: Study, parts: str | os.PathLike[str], shards: int, submit: Callable[[Task, int], Any],
        out: str | os.PathLike[str] | None, overwrite: bool, retries: int, threads: int | None) -> RunResult:
    """As `run_parts`. `submit` gets a task, and how often it has failed."""
    with ExitStack() as stack:
        at = place(parts, _FILES)
        remote = at if isinstance(at, Remote) else None
        # Workers read it by this path.
        local = stack.enter_context(remote.copied()) if remote else at
        seen = os.fspath(parts if remote else local)
        try:
            left, like = prepare(study, local, shards)
        except ResultError as error:
            raise ResultError(str(error).replace(os.fspath(local), seen)) from None
        if remote:
            remote.give(local, left)
        failures = dict.fromkeys(left, 0)
        tasks: dict[int, Any] = {}
        try:
            for part in left:
                tasks[part] = submit((seen, part, shards, threads, like), 0)
            while tasks:
                ended = [part for part, task in tasks.items() if task.done()]
                for part in ended:
                    try:
                        answer = tasks[part].result()
                    except Exception as error:
                        if isinstance(error, (BrokenExecutor, CancelledError)) or failures[part] == retries:
                            raise
                        failures[part] += 1
                        tasks[part] = submit((seen, part, shards, threads, like), failures[part])
                    else:
                        if answer.startswith(_REFUSED):
                            raise RunRefused(answer.removeprefix(_REFUSED))
                        del tasks[part]
                if not ended:
                    time.sleep(_LOOK)
        except RunRefused:
            raise
        except Exception as error:
            if isinstance(error, BrokenExecutor):
                # It ends all tasks itself, and Python before 3.12.1 waits for ever if somebody
                # cancels one meanwhile (python/cpython#107219).
                tasks.clear()
            done = shards - len(prepare(study, remote.fetch(local) if remote else local, shards)[0])
            way = (
                "make another executor, and call again"
                if isinstance(error, BrokenExecutor)
                else "call again to go on"
            )
            told = str(error).strip() or type(error).__name__
            raise RunError(f"{told} ({done} of {shards} parts are done in {seen}: {way})") from error
        finally:
            for task in tasks.values():
                # Not every executor can.
                with suppress(Exception):
                    task.cancel()
        if remote:
            remote.fetch(local)
        folders = [local / str(part) for part in range(1, shards + 1)]
        gone = [folder.name for folder in folders if not folder.exists()]
        if gone:
            raise RunError(f"{seen}: part {gone[0]} was computed, and is not there: {_SHARED}")
        return merged([*map(os.fspath, folders)], out, overwrite)


def run_parts(study: Study, parts: str | os.PathLike[str], shards: int, executor: Any, *,
              out: str | os.PathLike[str] | None = None, overwrite: bool = False, retries: int = 2,
              threads: int | None = None) -> RunResult:
    """Runs a study in so many parts on an executor, and puts them together: the bits of
    `study.run()`.

    `executor`: whatever has `submit` and gives tasks with `done` and `result`, as a process pool,
    mpi4py's, submitit's, Dask's. `parts`: a folder that all workers see, or an address of fsspec.
    Parts that are there already are not computed again, whichever client computed them; interrupted
    ones are gone on with, damaged ones computed anew. `out`: the folder of the whole; none: one
    that goes with the result. `retries`: a task that fails is submitted again so many times; wrong
    input never is. `threads`: of each task, as where several share a machine; none: all of the
    machine, or as the study says.

    Raises `ResultError` before anything starts if a part is of another study, version or number of
    parts, or if parts are of several arithmetics; `RunRefused` for wrong input, and for a worker of
    another arithmetic than that of parts which are done; `RunError` if a part fails again and
    again, or the executor broke. Sound parts stay: the same call goes on.
    """
    return run(
        study,
        parts,
        shards,
        lambda task, _: executor.submit(compute, *task),
        out,
        overwrite,
        retries,
        threads,
    )
