"""Results: the folder of a run, its tables, a replayed instance."""

from __future__ import annotations

import base64
import html
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from . import _polhode
from ._errors import Problem, StudyError


def _need(module: str, extra: str) -> Any:
    from importlib import import_module

    try:
        return import_module(module)
    except ImportError as error:
        raise ImportError(f"{module} is needed for it: pip install {extra}", name=module) from error


# Dimensions of tables that are laid out by others than instances, channels and times.
_DIMENSIONS = {"cells": ("variant", "y", "x"), "boundary": ("variant", "y"), "modes": ("instance", "mode")}


class Table:
    """A table of a result. Whatever speaks Arrow reads it as a stream, batch by batch:
    `polars.DataFrame(table)`, `pyarrow.table(table)`."""

    def __init__(self, folder: _polhode.RunFolder, name: str):
        self._folder = folder
        self.name = name

    def __copy__(self) -> Table:
        return self

    def __deepcopy__(self, memo: object) -> Table:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        home = Path(self._folder.folder)
        files = (home / MANIFEST, home / f"{self.name}.parquet")
        return _of_bytes, (self.name, *(file.read_bytes() for file in files))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._folder.stream(self.name)

    @property
    def units(self) -> dict[str, str]:
        """The unit of each column: SI, `1` for pure numbers, empty for texts."""
        return {name: unit for name, unit, _ in self._folder.fields(self.name)}

    @property
    def descriptions(self) -> dict[str, str]:
        """The meaning of each column."""
        return {name: description for name, _, description in self._folder.fields(self.name)}

    def to_numpy(self) -> dict[str, Any]:
        """The columns as arrays of NumPy: texts as arrays of texts; NaN where there is no
        number."""
        numpy = _need("numpy", "numpy")
        columns = {}
        for name, (kind, bytes, texts) in self._folder.columns(self.name).items():
            numbers = numpy.frombuffer(bytes, kind)
            columns[name] = numbers if texts is None else numpy.array(texts, dtype=object)[numbers]
        return columns

    def to_pandas(self) -> Any:
        """A DataFrame of pandas. Columns lie in the memory that was read into; texts are
        categories."""
        numpy, pandas = _need("numpy", "pandas"), _need("pandas", "pandas")
        columns = {}
        for name, (kind, bytes, texts) in self._folder.columns(self.name).items():
            numbers = numpy.frombuffer(bytes, kind)
            columns[name] = numbers if texts is None else pandas.Categorical.from_codes(numbers, texts)
        table = pandas.DataFrame(columns, copy=False)
        table.attrs["units"] = self.units
        return table

    def to_polars(self) -> Any:
        """A DataFrame of polars."""
        return _need("polars", "polars").DataFrame(self)

    def to_arrow(self) -> Any:
        """A Table of pyarrow."""
        return _need("pyarrow", "pyarrow").table(self)

    def to_xarray(self) -> Any:
        """A Dataset of xarray. A table of instances over time has the dimensions `instance` and
        `time`, with NaN beyond an early end; one of instances `instance`; statistics `channel` and
        `time`; cells of a map `y` and `x`, modes `instance` and `mode`; others `row`. `attrs` have
        `units` and `long_name`."""
        numpy, xarray = _need("numpy", "numpy"), _need("xarray", "xarray")
        columns = self.to_numpy()
        if "channel" in columns and "component" in columns:
            parts = zip(columns["channel"], columns.pop("component"), strict=True)
            columns["channel"] = numpy.array(
                [f"{name}.{part}" if part else name for name, part in parts], dtype=object
            )
        names = [
            name for name in _DIMENSIONS.get(self.name, ("instance", "channel", "time")) if name in columns
        ]
        if "channel" in names and "instance" in names:
            names = []
        fields = {name: (unit, meaning) for name, unit, meaning in self._folder.fields(self.name)}

        def attrs(name: str) -> dict[str, str]:
            unit, meaning = fields.get(name, ("", ""))
            return {key: text for key, text in (("units", unit), ("long_name", meaning)) if text}

        found = [numpy.unique(columns.pop(name), return_inverse=True) for name in names]
        shape = tuple(len(values) for values, _ in found)
        at = tuple(where for _, where in found)
        rows = len(at[0]) if at else 0
        if names and rows != len(numpy.unique(numpy.ravel_multi_index(at, shape))):
            # Several rows are of one place.
            columns = {
                **{name: values[where] for name, (values, where) in zip(names, found, strict=True)},
                **columns,
            }
            names = []

        def laid_out(values: Any) -> Any:
            if rows == numpy.prod(shape):
                whole = numpy.empty(shape, values.dtype)
            elif values.dtype == object:
                whole = numpy.full(shape, None, object)
            else:
                whole = numpy.full(shape, numpy.nan, values.dtype if values.dtype.kind == "f" else float)
            whole[at] = values
            return whole

        if not names:
            return xarray.Dataset({name: ("row", values, attrs(name)) for name, values in columns.items()})
        data = {name: (tuple(names), laid_out(values), attrs(name)) for name, values in columns.items()}
        coordinates = {
            name: (name, values, attrs(name)) for name, (values, _) in zip(names, found, strict=True)
        }
        return xarray.Dataset(data, coordinates)

    def to_csv(self, file: str | PathLike[str]) -> int:
        """Writes it as text with commas into a new file; the number of rows."""
        return self._folder.export(self.name, fspath(file))

    def __repr__(self) -> str:
        return f"<table {self.name} of {self._folder.folder}: {', '.join(self.units)}>"


MANIFEST = "manifest.json"


def _of_bytes(name: str, manifest: bytes, content: bytes) -> Table:
    """A table in a folder of its own, which goes with it."""
    home = tempfile.TemporaryDirectory(prefix="polhode-")
    for file, text in ((MANIFEST, manifest), (f"{name}.parquet", content)):
        (Path(home.name) / file).write_bytes(text)
    table = Table(_polhode.open(home.name), name)
    table._home = home
    return table


class RunResult:
    """The result of a run: a folder. Its tables are attributes: `instances`, `statistics`,
    `trajectories`, and what its kind of study has besides, as `indices`, `cells`, `exponents`,
    `modes`; `tables` names them."""

    def __init__(self, folder: _polhode.RunFolder):
        place = os.path.abspath(folder.folder)
        # The working folder may change.
        self._folder = folder if os.path.isabs(folder.folder) else _polhode.open(place)

    @property
    def folder(self) -> Path:
        """Where it is."""
        return Path(self._folder.folder)

    @property
    def complete(self) -> bool:
        """Whether every instance was advanced; false after an interrupt."""
        return self._folder.complete

    @property
    def tables(self) -> list[str]:
        """Names of its tables."""
        return self._folder.tables()

    @property
    def manifest(self) -> dict[str, Any]:
        """All that is known of the run: device, times, counts, measured error."""
        return json.loads(self._folder.manifest)

    @property
    def verdicts(self) -> dict[str, int]:
        """Number of instances by verdict."""
        return self.manifest["verdicts"]

    @property
    def warnings(self) -> list[str]:
        """Sentences on numbers that are hardly meant."""
        return self._folder.warnings

    @property
    def accuracy(self) -> list[str]:
        """The measured error of the run, in lines; empty: not measured."""
        return self._folder.accuracy

    @property
    def lines(self) -> list[str]:
        """What was found, in lines."""
        return self._folder.lines

    def table(self, name: str) -> Table:
        """A table by its name, also one whose name is another attribute's, as `accuracy`."""
        if name not in self.tables:
            raise KeyError(f"the result has no table {name!r} (there are {', '.join(self.tables)})")
        return Table(self._folder, name)

    def __copy__(self) -> RunResult:
        return self

    def __deepcopy__(self, memo: object) -> RunResult:
        # Nothing changes a result, and a temporary folder goes with it.
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _opened, (os.fspath(self.folder),)

    def __getattr__(self, name: str) -> Table:
        if not name.startswith("_") and name in self.tables:
            return self.table(name)
        raise AttributeError(f"the result has no table {name!r} (there are {', '.join(self.tables)})"
                             if not name.startswith("_") else name, name=name, obj=self)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.tables]

    def write_to(self, folder: str | PathLike[str], *, overwrite: bool = False) -> RunResult:
        """Writes it into another folder."""
        return RunResult(_polhode.open(self._folder.write_to(fspath(folder), overwrite)))

    def replay(self, instance: int, *, patience: float | str | None = None) -> Replay:
        """One instance again, alone, by the independent reference; see `polhode.replay`."""
        return Replay(_polhode.replay(self._folder.folder, instance, patience))

    def extend(self, size: int, out: str | PathLike[str] | None = None, **options: Any) -> RunResult:
        """Adds instances, up to `size` in all; see `polhode.extend`."""
        from . import extend

        return extend(self.folder, size, out, **options)

    def _place(self) -> str:
        """Where what was finished is, in words."""
        if self._folder.temporary:
            return "its folder is temporary: name one by `out` to keep what was finished"
        return f"what was finished is in {self.folder}"

    def __repr__(self) -> str:
        verdicts = [f"{name} {count:,}" for name, count in self.verdicts.items() if count]
        told = ", ".join([*([] if self.complete else ["incomplete"]), *verdicts])
        return f"<result in {self.folder}{told and f': {told}'}>"

    def _figure(self) -> bytes | None:
        """The first figure of a run (SVG); None: its kind has none that is drawn from the
        folder."""
        with tempfile.TemporaryDirectory() as home:
            out = Path(home) / "figures"
            arguments = ["plot", fspath(self.folder), "--format", "svg", "--out", fspath(out)]
            subprocess.run([sys.executable, "-m", "polhode", *arguments], capture_output=True, check=False)
            figures = sorted(out.glob("*_fan.svg")) or sorted(out.glob("*.svg"))
            return figures[0].read_bytes() if figures else None

    def _repr_html_(self) -> str:
        manifest = self.manifest
        counts = "".join(f"<tr><td style='text-align:left'>{html.escape(name)}</td><td>{count:,}</td></tr>"
                         for name, count in manifest["verdicts"].items() if count)
        parts = [
            f"<p><b>{html.escape(manifest['study'])}</b>{'' if self.complete else ': incomplete'}</p>",
            f"<table>{counts}</table>",
        ]
        parts += [f"<p>{html.escape(line)}</p>" for line in self.accuracy]
        # Some lines are tables, whose columns are laid out by blanks.
        parts.append(f"<pre style='white-space:pre-wrap'>{html.escape(chr(10).join(self.lines))}</pre>")
        if (figure := self._figure()) is not None:
            picture = base64.b64encode(figure).decode()
            parts.append(f"<img style='max-width:40em' src='data:image/svg+xml;base64,{picture}'>")
        if any(file["name"] == "report.html" for file in manifest["files"]):
            address = (self.folder / "report.html").resolve().as_uri()
            parts.append(f"<p><a href='{html.escape(address, quote=True)}'>report</a></p>")
        return "".join(parts)


def _opened(folder: str) -> RunResult:
    return RunResult(_polhode.open(folder))


class Replay:
    """One instance of a run again, by the independent reference."""

    def __init__(self, replayed: _polhode.Replayed):
        self._replayed = replayed
        self.verdict, self.verdict_step = replayed.verdict
        """The verdict that the run stored, and its step."""
        self.drawn: dict[str, float] = {name: value for name, value, _ in replayed.drawn}
        """What was drawn (SI)."""
        self.coding, self.step = replayed.distances
        """Distances of the run from the reference by the same steps, and from the accurate motion, as shares;
        NaN: not judged."""

    @property
    def comparison(self) -> list[dict[str, Any]]:
        """The numbers of the end: name, unit, as the run stored them, by the same steps,
        accurate."""
        names = ("name", "unit", "stored", "reference", "accurate")
        return [dict(zip(names, row, strict=True)) for row in self._replayed.comparison]

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The motion: time, bodies, energy."""
        return self._replayed.stream()


def named_columns(samples: Any) -> Any:
    """Samples as the extension takes them: an object that streams Arrow, or a dict of buffers of
    f64."""
    # pandas streams by pyarrow, which need not be there; its columns need not be copied.
    columns = None
    if hasattr(samples, "columns") and hasattr(samples, "to_numpy") and hasattr(samples, "iloc"):
        names = [str(name) for name in samples.columns]
        once(names)
        columns = {name: samples.iloc[:, column] for column, name in enumerate(names)}
    elif getattr(getattr(samples, "dtype", None), "names", None):
        columns = {name: samples[name] for name in samples.dtype.names}
    elif isinstance(samples, dict):
        columns = samples
    if columns is None:
        if hasattr(samples, "__arrow_c_stream__"):
            return samples
        raise no_table(samples)
    columns = {str(name): values for name, values in columns.items()}
    once(columns)
    columns = {name: columns[name] for name in _polhode.sample_columns([*columns])}
    if not columns:
        raise wrong("", "has no columns", "name one by each quantity that it has, as `shoulder.angle`")
    numbers = {name: _numbers(name, values) for name, values in columns.items()}
    rows = len(next(iter(numbers.values())))
    for name, column in numbers.items():
        if len(column) != rows:
            raise wrong(name, f"has {len(column)} rows", f"give {rows}, as the others have")
    if rows == 0:
        raise wrong("", "there are none", NONE)
    return numbers


def once(names: Iterable[str]) -> None:
    """Refuses two columns of one quantity."""
    known: dict[str, str] = {}
    for name in _polhode.sample_columns([*names]):
        quantity = _quantity(name)
        if quantity in known:
            raise wrong(name, f"`{known[quantity]}` is a column of `{quantity}` too", "leave one of them out")
        known[quantity] = name


def _quantity(column: str) -> str:
    return re.sub(r" \(.*\)$", "", column).removeprefix("drawn.")


def of_columns(error: StudyError, columns: Any) -> StudyError:
    """The same faults, those of a quantity that samples give at its column."""
    names = list(columns if isinstance(columns, dict) else getattr(columns, "column_names", []))

    def at_column(fault: Problem) -> Problem:
        entry = re.fullmatch(r'ensemble\.vary\."(.*)"\.table(\..*)?', fault.key)
        own = [name for name in names if entry and f"{_quantity(name)}.".startswith(f"{entry[1]}.")]
        if not own:
            return fault
        return wrong(own[0], fault.found, fault.advice or "").problems[0]

    return StudyError([at_column(fault) for fault in error.problems])


def no_table(samples: Any) -> TypeError:
    return TypeError(
        f"{type(samples).__name__} is no table of samples: give a DataFrame, a table of Arrow, "
        "a structured array, or a dict of columns"
    )


# A table that was filtered may have kept no row.
NONE = "give a row for each instance, one at least, or do not run: nothing is left to be advanced"


def wrong(column: str, found: str, advice: str) -> StudyError:
    """A fault of samples."""
    return problem("samples", column, found, advice)


def problem(file: str, key: str, found: str, advice: str) -> StudyError:
    """A fault of what was made in Python."""
    message = f"{': '.join(filter(None, [file, key, found]))}; {advice}"
    return StudyError([Problem(file, None, key, found, None, advice, message=message)])


def _numbers(name: str, values: Any) -> Any:
    advice = "give numbers, one a row"
    try:
        if hasattr(values, "to_numpy") or hasattr(values, "dtype"):
            numpy = _need("numpy", "numpy")
            if numpy.ma.is_masked(values):
                row = numpy.argwhere(numpy.ma.getmaskarray(values))[0][0] + 1
                raise wrong(name, f"row {row} is masked: the cell is empty", advice)
            column = numpy.asarray(values)
            if column.ndim != 1:
                raise wrong(name, f"has {column.ndim} dimensions", advice)
            # Other kinds, as times, would become numbers without a word.
            if column.dtype.kind not in "biufO":
                raise wrong(name, f"holds {column.dtype}", advice)
            return numpy.ascontiguousarray(column, dtype=float)
        from array import array

        return array("d", values)
    except (TypeError, ValueError) as error:
        if isinstance(error, StudyError):
            raise
        raise wrong(name, str(error), advice) from error
