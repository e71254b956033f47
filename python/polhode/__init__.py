"""polhode: ensembles of small mechanisms, advanced by the million on CPU and GPU, and judged by an
independent reference.

    import polhode as ph

    m = ph.Mechanism(gravity="9.81 m/s^2")
    m.body("arm", mass="2 kg", inertia=[0.002, 0.2, 0.2])
    m.revolute("shoulder", "ground", "arm", points=[[0, 0, 0], ["-0.5 m", 0, 0]], axes=[0, -1, 0],
               angle="30 deg")
    s = ph.Study(m, accuracy=1e-6, duration="10 s", size=1000, observe=["angle"],
                 vary={"shoulder.angle": ph.normal(std="2 deg")})
    run = s.run("runs/arm", progress=True)

Distributions of `vary` are functions of this module: `normal`, `uniform`, `linspace` and so on.
docs/python.md has more.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from . import _polhode, _schema
from ._errors import (
    Interrupted, PolhodeError, Problem, ResultError, RunError, RunRefused, StudyError, StudyWarning,
)
from ._parts import run_parts
from ._progress import listener as _listener
from ._result import Replay, RunResult, Table
from ._keys import distribution as _distribution
from ._study import Check, Mechanism, Study
from ._study import ended as _ended, merged as _merged

__version__: str = _polhode.version()

__all__ = [
    "Check",
    "Comparison",
    "Interrupted",
    "Mechanism",
    "PolhodeError",
    "Problem",
    "Replay",
    "ResultError",
    "RunError",
    "RunRefused",
    "RunResult",
    "Study",
    "StudyError",
    "StudyWarning",
    "Table",
    "bench",
    "check",
    "compare",
    "extend",
    "merge",
    "open",
    "replay",
    "run",
    "run_parts",
    "shards",
]

Path = str | PathLike[str]


def _study(study: Study | Path) -> Study:
    return study if isinstance(study, Study) else Study.from_file(study)


def run(study: Study | Path, out: Path | None = None, **options: Any) -> RunResult:
    """Runs a study, or that of a file; see `Study.run`."""
    return _study(study).run(out, **options)


def check(study: Study | Path, **options: Any) -> Check:
    """Tells what a study, or that of a file, would do and cost; see `Study.check`."""
    return _study(study).check(**options)


def bench(study: Study | Path, out: Path | None = None, **options: Any) -> RunResult:
    """Measures speeds; see `Study.bench`."""
    return _study(study).bench(out, **options)


def open(folder: Path) -> RunResult:
    """The result in the folder of an earlier run."""
    return RunResult(_polhode.open(fspath(folder)))


def replay(folder: Path | RunResult, instance: int, *, patience: float | str | None = None) -> Replay:
    """One instance of a run again, alone, by the independent reference.

    `patience`: time that its accurate solution may take, a number in s or a text; none: 10 s.
    """
    return Replay(_polhode.replay(_folder(folder), instance, patience))


def merge(
    shards: Sequence[Path | RunResult], out: Path | None = None, *, overwrite: bool = False
) -> RunResult:
    """Puts all shards of a study together: the bits of the run of the whole. Shards that are
    missing, doubled, interrupted, damaged or of another study, version or arithmetic are refused by
    name (`ResultError`), and nothing is written."""
    return _merged([_folder(shard) for shard in shards], out, overwrite)


def extend(folder: Path | RunResult, size: int, out: Path | None = None, *, overwrite: bool = False,
           progress: Any = False, threads: int | None = None) -> RunResult:
    """Adds instances to a complete run, up to `size` in all: the bits of a run which had them from
    the start. Without `out` it takes the place of the smaller one. `threads`: of the CPU; none:
    all, or as the study says."""
    with _listener(progress) as heard:
        grown, raised = _polhode.extend(
            _folder(folder), size, None if out is None else fspath(out), overwrite, threads, heard
        )
    return _ended(grown, raised, heard.warnings)


def shards(*folders: Path) -> Sequence[dict[str, Any]]:
    """The stages of shards in these folders, each of which is one, or holds them: `shard` ("3/16"),
    `stage` (done, running, interrupted, damaged, foreign, missing), `folder`, `share`, `why` and
    the `command` that computes it."""
    return json.loads(_polhode.shards([fspath(folder) for folder in folders]))


class Comparison:
    """Finished runs beside each other: `data` for programs, and a text for people."""

    def __init__(self, data: str, text: str):
        self.data: dict[str, Any] = json.loads(data)
        self._text = text

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__


def compare(
    *folders: Path | RunResult,
    channels: Sequence[str] = (),
    labels: Sequence[str] = (),
    out: Path | None = None,
    overwrite: bool = False,
) -> Comparison:
    """Compares finished runs, the first with each of the others: studies, statistics, verdicts, and
    the instances of equal ensembles. `out`: a folder for pictures."""
    if len(folders) < 2:
        raise TypeError("give two runs or more")
    compared = _polhode.compare([_folder(folder) for folder in folders], [*channels], [*labels],
                                None if out is None else fspath(out), overwrite)
    return Comparison(*compared)


def _folder(of: Path | RunResult) -> str:
    return fspath(of.folder) if isinstance(of, RunResult) else fspath(of)


def _getattr(name: str) -> Any:
    if not name.startswith("_") and name in _schema.distributions():
        return _distribution(name)
    if name == "dask":
        from importlib import import_module

        return import_module(".dask", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)


if TYPE_CHECKING:
    from . import dask as dask
    from ._keys import *
else:
    __getattr__ = _getattr


def __dir__() -> Sequence[str]:
    return [*globals(), *_schema.distributions(), "dask"]
