"""Mechanisms and studies made in Python, by the keys of the files."""

from __future__ import annotations

import csv
import html
import os
import sys
import tomllib
import warnings
from array import array
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Unpack

from . import _polhode, _schema
from ._errors import Interrupted, StudyError, StudyWarning
from ._keys import MechanismKeys, MechanismParts, StudyKeys, given
from ._progress import listener, without_desktop
from ._result import NONE, RunResult, named_columns, no_table, of_columns, problem, wrong

_HERE = str(Path(__file__).parent)
# The end of a run: its folder, what ended it early, warnings.
Ended = tuple[_polhode.RunFolder, BaseException | None, list[str]]


def _caller() -> str:
    """The line outside this package that is being executed."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HERE):
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


class Mechanism(MechanismParts):
    """A mechanism, made by the keys of mechanism files.

    Lists of a file (`body`, `spring`, `load` ...) and kinds of joints (`revolute`, `spherical` ...)
    are methods. The first argument is the name; two bodies may follow it.

        m = Mechanism(gravity="9.81 m/s^2") m.body("arm", mass="2 kg", inertia=[0.002, 0.2, 0.2])
        m.revolute("shoulder", "ground", "arm", points=[[0, 0, 0], ["-0.5 m", 0, 0]], axes=[0, -1, 0],
        angle="30 deg")

    Numbers are in SI, texts have their unit. Nothing is checked before a study is made of it.
    """

    def __init__(self, name: str = "mechanism", **keys: Unpack[MechanismKeys]):
        self._keys: dict[str, Any] = {"name": name, **keys}
        self._calls: dict[str, str] = {"mechanism": _caller()}

    def add(self, list: str, name: str | None = None, *bodies: str, **keys: Any) -> Mechanism:
        """Adds an entry to a list, as `[[list]]` does in a file."""
        entry: dict[str, Any] = {} if name is None else {"name": name}
        known = _schema.entry(list)[1] if list in _schema.lists() else {"bodies": ""}
        if not all(isinstance(word, str) for word in (*entry.values(), *bodies)) or (
            bodies and "bodies" not in known
        ):
            names = "a name and its bodies" if "bodies" in known else "a name"
            raise TypeError(f"{keys.get('kind', list)} takes {names}, and all else by keywords")
        if bodies:
            entry["bodies"] = [*bodies]
        entries = self._keys.setdefault(list, [])
        self._calls[f"mechanism.{list}[{len(entries)}]"] = _caller()
        entries.append(entry | given(keys))
        return self

    def joint(self, kind: str, name: str, *bodies: str, **keys: Any) -> Mechanism:
        """Adds a joint of this kind."""
        return self.add("joint", name, *bodies, kind=kind, **keys)


# Where several tables have a key, these come first: `every` is that of what is observed.
FIRST = ("method", "ensemble", "observe", "run")
# Tables of a study that have a key for what is given in place of the table.
MEANT = {"observe": "channels", "method": "name", "study": "kind"}


# Likeness of a misspelt key to the one that was meant.
_NEAR = 0.75


def place(key: str, value: Any) -> str:
    """The path of a key that is given without its table."""
    tables = _schema.tables()
    if "." in key or key in tables and (isinstance(value, Mapping) or key == "outcome"):
        return key
    if key in MEANT:
        return f"{key}.{MEANT[key]}"
    owners = [name for name, keys in tables.items() if key in keys]
    owners = [name for name in owners if name in FIRST] or owners
    if key in tables and not owners:
        return key
    if len(owners) > 1:
        raise TypeError(
            f"`{key}` may be {' or '.join(f'{owner}.{key}' for owner in owners)}: "
            f"write {owners[0]}={{{key!r}: ...}}"
        )
    if not owners:
        # A key that no table has is told by the reader, in the table that has the nearest one.
        near = get_close_matches(
            key, {*tables, *(name for keys in tables.values() for name in keys)}, 1, _NEAR
        )
        return place(near[0], value).rpartition(".")[0] + f".{key}" if near and near[0] not in tables else key
    return f"{owners[0]}.{key}"


def _without(study: _polhode.Study, path: str) -> _polhode.Study:
    """The study without a key."""
    table, _, name = path.rpartition(".")
    tables = _schema.tables()
    known = tables.get(table, {name}) if table else tables
    # The reader has the words for a name that no table has.
    return study.unset(path) if name in known else study.set(path, "")


def _varied(study: _polhode.Study, quantity: str, distribution: Any) -> _polhode.Study:
    key = f"ensemble.vary.{quantity}"
    if distribution is not None:
        return study.vary(quantity, distribution)
    if not study.has(key):
        raise problem("study", key, "does not vary", "leave out quantities that do")._called({"": _caller()})
    return study.unset(key)


def _with(study: _polhode.Study, keys: Mapping[str, Any]) -> _polhode.Study:
    """The study with these keys; without those that are None."""
    for key, value in keys.items():
        path = place(key, value)
        if value is None:
            study = _without(study, path)
            continue
        # Names of quantities have dots that lead into no table.
        if path == "ensemble" and isinstance(value, Mapping) and "vary" in value:
            study = study.set(path, {key: of for key, of in value.items() if key != "vary"})
            path, value = "ensemble.vary", value["vary"]
        if path == "ensemble.vary" and isinstance(value, Mapping):
            for quantity, distribution in value.items():
                study = _varied(study, quantity, distribution)
        else:
            study = study.set(path, value)
    return study


class Study:
    """A study: a mechanism, and what is asked of it, by the keys of study files.

    A key may stand without its table: `duration="10 s"` is `method.duration`. Where several tables
    have it, `method`, `ensemble`, `observe` and `run` come first. Whole tables are dicts:
    `method={"name": "rk4", "step": "1 ms"}`. `vary` has quantities with their distributions,
    `observe` channels.

    Raises `StudyError` with all faults.
    """

    def __init__(
        self, mechanism: Mechanism | str | PathLike[str] | Mapping[str, Any], **keys: Unpack[StudyKeys]
    ):
        calls = {"": _caller()}
        if isinstance(mechanism, Mechanism):
            calls |= mechanism._calls
            study = _polhode.Study.of(mechanism._keys)
        else:
            of_file = not isinstance(mechanism, Mapping)
            study = _polhode.Study.of(os.path.abspath(mechanism) if of_file else mechanism)
        self._hold(_with(study, keys), calls)

    def _hold(self, study: _polhode.Study, calls: dict[str, str]) -> None:
        try:
            study.build()
        except StudyError as error:
            raise error._called(calls) from None
        self._study = study

    def _changed(self, study: _polhode.Study) -> Study:
        # It was sound before.
        return _made(type(self), study, {"": _caller()})

    def __copy__(self) -> Study:
        return self

    def __deepcopy__(self, memo: object) -> Study:
        # Nothing changes a study.
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _of_text, (type(self), self.toml(), self._study.given_samples())

    @classmethod
    def from_file(cls, path: str | PathLike[str]) -> Study:
        """Reads a study file, with the mechanism and the tables of samples that it names."""
        return _made(cls, _polhode.Study.from_file(os.path.abspath(path)), {})

    def set(self, **keys: Unpack[StudyKeys]) -> Study:
        """Another study, with other values of these keys; None leaves a key out. `vary` adds
        quantities, or gives them other distributions; a quantity whose distribution is None does
        not vary."""
        return self._changed(_with(self._study, keys))

    def samples(self, samples: Any) -> Study:
        """Another study, whose instance i has row i of these samples in place of what it draws.

        `samples` is a DataFrame of pandas or polars, a table of Arrow, a structured array, or a
        dict of columns. Columns are named by quantities, `shoulder.angle`, or as results name them,
        `drawn.shoulder.angle`; other columns that results have, as `instance` or
        `final.shoulder.angle`, are passed over beside such. Numbers are in SI, or in the unit of the
        name: `shoulder.angle (deg)`. No file is made but in the folder of the run, which keeps them.
        """
        columns: Any = {}
        try:
            columns = named_columns(samples)
            with_rows = self._study.samples(columns)
            if with_rows is None:
                raise wrong("", "there are none", NONE)
            return self._changed(with_rows)
        except StudyError as error:
            raise of_columns(error, columns)._called({"": _caller()}) from None
        except TypeError as error:
            raise no_table(samples) from error

    def toml(self) -> str:
        """The study as resolved: the text of a study file."""
        return self._study.toml()

    def check(self, *, verbose: bool = False) -> Check:
        """Tells what it would do and cost, by a trial of a moment, and runs nothing else."""
        with without_desktop():
            return Check(self._study.check(verbose))

    def run(self, out: str | PathLike[str] | None = None, *, samples: Any = None, progress: Any = False,
            overwrite: bool = False, resume: bool = False, shard: str | None = None,
            threads: int | None = None) -> RunResult:
        """Runs it. The interpreter's lock is free meanwhile.

        `out`: the folder of the result; none: one that goes with the result. `samples`: see
        `samples()`. `progress`: True for a bar, or a callable of (instance-steps done, in all).
        `resume`: goes on from a checkpoint in `out`. `shard`: "3/16" for a part of the ensemble.
        `threads`: of the CPU; none: all, or as the study says.

        Raises `RunRefused`, `RunError`, `ResultError`; on Ctrl-C `Interrupted`, with what was
        finished.
        """
        study = self if samples is None else self.samples(samples)
        return ended(*study._run(out, progress, overwrite, resume, shard, threads))

    def _run(self, out: str | PathLike[str] | None, progress: Any, overwrite: bool, resume: bool,
             shard: str | None, threads: int | None, like: str | None = None) -> Ended:
        """As `run`. `like`: the arithmetic of other parts, which this one must have too."""
        study = self if threads is None else self.set(threads=threads)
        with listener(progress) as heard:
            folder, raised = study._study.run(
                None if out is None else fspath(out), overwrite, resume, shard, like, heard
            )
        return folder, raised, heard.warnings

    def bench(
        self,
        out: str | PathLike[str] | None = None,
        *,
        sizes: list[int] | None = None,
        steps: list[int] | None = None,
        repeats: int | None = None,
        judged: int | None = None,
        budget: float | str | None = None,
        backends: list[str] | None = None,
        progress: Any = False,
        overwrite: bool = False,
    ) -> RunResult:
        """Measures how fast its mechanism is advanced by everything there is, each speed with its
        accuracy. `budget`: time that it may take, a number in s or a text, as "2 min"."""
        with listener(progress) as heard:
            folder, raised = self._study.bench(
                None if out is None else fspath(out),
                overwrite,
                sizes,
                steps,
                repeats,
                judged,
                budget,
                backends,
                heard,
            )
        return ended(folder, raised, heard.warnings)

    def _repr_html_(self) -> str:
        return self.check()._repr_html_()


def _made(kind: type[Study], study: _polhode.Study, calls: dict[str, str]) -> Study:
    made = object.__new__(kind)
    made._hold(study, calls)
    return made


def columns_of(lines: Iterable[str]) -> dict[str, array[float]]:
    """Samples from memory, as they are kept beside parts."""
    rows = csv.reader(lines)
    columns = {name: array("d") for name in next(rows)}
    for row in rows:
        for column, number in zip(columns.values(), row, strict=True):
            column.append(float(number))
    return columns


def _of_text(kind: type[Study], text: str, samples: str | None) -> Study:
    """A study by its text as resolved."""
    keys = tomllib.loads(text)
    study = _with(_polhode.Study.of(keys.pop("mechanism")), keys)
    if samples is not None:
        study = study.with_samples(columns_of(samples.splitlines()))
    return _made(kind, study, {})


def ended(folder: _polhode.RunFolder, raised: BaseException | None, warned: Iterable[str] = ()) -> RunResult:
    result = RunResult(folder)
    for warning in warned:
        warnings.warn(warning, StudyWarning, stacklevel=3)
    if isinstance(raised, KeyboardInterrupt):
        raise Interrupted(result) from raised
    if raised is not None:
        raised.add_note(f"the run was ended by it; {result._place()}")
        raise raised
    return result


def merged(shards: list[str], out: str | PathLike[str] | None, overwrite: bool) -> RunResult:
    """All shards of a study put together."""
    with without_desktop():
        return ended(*_polhode.merge(shards, None if out is None else fspath(out), overwrite))


class Check:
    """What a study would do and cost.

    `lines`: pairs of name and text, as `polhode check` prints them; `warnings`; `memory` (bytes),
    `tables` (bytes on the disk) and `seconds` of a run, about, or `None`.
    """

    def __init__(self, account: dict[str, Any]):
        self.lines: list[tuple[str, str]] = account["lines"]
        self.warnings: list[str] = account["warnings"]
        self.memory: float | None = account["memory"]
        self.tables: float | None = account["tables"]
        self.seconds: float | None = account["seconds"]
        self._text: str = account["text"]

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{html.escape(name)}</th>"
            f"<td style='text-align:left'>{html.escape(told)}</td></tr>"
            for name, told in self.lines
        )
        return f"<table>{rows}</table>"
