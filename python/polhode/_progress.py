"""What a run tells while it goes on."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_log = logging.getLogger("polhode")


class _Listener:
    """Keeps warnings, and logs what is said."""

    def __init__(self) -> None:
        self.warnings: list[str] = []

    def __enter__(self) -> _Listener:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def say(self, line: str) -> None:
        _log.info(line)

    def warn(self, warning: str) -> None:
        self.warnings.append(warning)

    def preparing(self, what: str) -> None:
        _log.info(what)

    def progress(self, done: int, total: int) -> None:
        pass


class _Called(_Listener):
    def __init__(self, call: Any) -> None:
        super().__init__()
        self._call = call

    def progress(self, done: int, total: int) -> None:
        self._call(done, total)


class _Bar(_Listener):
    """A bar of tqdm."""

    def __init__(self, tqdm: Any) -> None:
        super().__init__()
        self._bar = tqdm(unit=" instance-steps", unit_scale=True)

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def preparing(self, what: str) -> None:
        self._bar.set_description(what)

    def progress(self, done: int, total: int) -> None:
        self._bar.set_description("")
        self._bar.total = total
        self._bar.update(done - self._bar.n)


class _Percent(_Listener):
    """A line on standard error, without tqdm."""

    def __exit__(self, *_: object) -> None:
        print(file=sys.stderr)

    def preparing(self, what: str) -> None:
        print(f"\r{what}\033[K", end="", file=sys.stderr, flush=True)

    def progress(self, done: int, total: int) -> None:
        print(f"\r{100 * done / total:.0f} %\033[K", end="", file=sys.stderr, flush=True)


# Where sockets of a desktop are.
_SOCKETS = "XDG_RUNTIME_DIR"


@contextmanager
def without_desktop() -> Iterator[None]:
    """Loading Vulkan, Mesa looks for a Wayland compositor, and complains on standard error where
    there is no folder of its sockets."""
    if sys.platform != "linux" or _SOCKETS in os.environ:
        yield
        return
    os.environ[_SOCKETS] = os.devnull
    try:
        yield
    finally:
        os.environ.pop(_SOCKETS, None)


@contextmanager
def listener(progress: Any) -> Iterator[_Listener]:
    """The listener of a run: none, a callable, or a bar."""
    with without_desktop(), _listener(progress) as heard:
        yield heard


def _listener(progress: Any) -> _Listener:
    if callable(progress):
        return _Called(progress)
    if not progress:
        return _Listener()
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Percent()
    return _Bar(tqdm)
