"""Parts at an address of fsspec, to and from which workers and clients copy.

Each copy of a part lies in a folder of a name of its own, `3/NAME`, and its manifest comes last:
two clients that compute one part at a time do not mix, and what a kill leaves is no part.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

from ._result import _need

_MANIFEST = "manifest.json"


class Remote:
    """The folder of the parts at an address, of which files of these `names` are the study."""

    def __init__(self, address: str, names: tuple[str, ...]):
        files, root = _need("fsspec.core", "fsspec").url_to_fs(address)
        self._files = _need("fsspec.implementations.dirfs", "fsspec").DirFileSystem(root, files)
        self._names = names
        self._fetched: dict[str, str] = {}

    def _all(self) -> list[str]:
        self._files.invalidate_cache()
        return self._files.find("")

    def _copies(self) -> dict[str, str]:
        """The copy of each part, as `3/NAME`."""
        found = (file.split("/") for file in self._all())
        return {path[0]: f"{path[0]}/{path[1]}" for path in found if len(path) == 3 and path[2] == _MANIFEST}

    def has(self, name: str) -> bool:
        """Whether a file is there."""
        return name in self._all()

    def _fetch_study(self, local: Path) -> None:
        for name in {*self._names} & {*self._all()}:
            # Not by an open file: those of one name at `memory://` share their place, whatever
            # thread reads.
            (local / name).write_bytes(self._files.cat_file(name))

    @contextmanager
    def copied(self) -> Iterator[Path]:
        """A folder for a while, with all that is there."""
        with TemporaryDirectory(prefix="polhode-") as folder:
            local = Path(folder).resolve()
            self._fetch_study(local)
            self.fetch(local)
            yield local

    def fetch(self, local: Path) -> Path:
        """Copies parts that are new."""
        for part, copy in self._copies().items():
            if not (local / part).exists():
                self._files.get(copy, os.fspath(local / part), recursive=True)
                self._fetched[part] = copy
        return local

    def give(self, local: Path, left: list[int]) -> None:
        """Copies the study there, and removes copies of parts that are to be computed again."""
        for name in self._names:
            if (local / name).exists():
                self._files.pipe_file(name, (local / name).read_bytes())
        for copy in (self._fetched[part] for part in map(str, left) if part in self._fetched):
            self._files.rm(copy, recursive=True)
            shutil.rmtree(local / copy.split("/")[0])

    def computed(self, part: int, compute: Callable[[str], str]) -> str:
        """Computes a part elsewhere, and copies it there, if it is not there by now; a failure's
        message comes back as it is."""
        known = self._copies().get(str(part))
        if known is not None:
            return known
        with TemporaryDirectory(prefix="polhode-") as folder:
            self._fetch_study(Path(folder))
            answer = compute(folder)
            computed = Path(folder) / str(part)
            if not computed.exists():
                return answer
            copy = f"{part}/{uuid4().hex}"
            for file in sorted(
                filter(Path.is_file, computed.rglob("*")), key=lambda file: file.name == _MANIFEST
            ):
                name = f"{copy}/{file.relative_to(computed).as_posix()}"
                self._files.makedirs(name.rpartition("/")[0], exist_ok=True)
                self._files.put_file(os.fspath(file), name)
            return copy


def place(parts: str | os.PathLike[str], names: tuple[str, ...]) -> Path | Remote:
    """A folder, or what is at an address; `file://` is a folder, too."""
    text = os.fspath(parts)
    if "://" not in text:
        return Path(text).resolve()
    if text.startswith("file://"):
        return Path(_need("fsspec.core", "fsspec").url_to_fs(text)[1]).resolve()
    return Remote(text, names)
