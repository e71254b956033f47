"""Errors of polhode."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace


class StudyWarning(UserWarning):
    """A number of a study that is hardly meant, or a step that is longer than is stable."""


class PolhodeError(Exception):
    """Any error of polhode."""

    def __init__(self, message: str):
        super().__init__(re.sub(r"`[^`]*`|(?<!\S)--([a-z]+)", _argument, message))


def _argument(found: re.Match[str]) -> str:
    """The argument of Python that stands for an option of the command line; commands stay."""
    name = found[1]
    if name is None:
        return found[0]
    return f"`{name}=True`" if name in ("overwrite", "resume") else f"`{name}`"


@dataclass(frozen=True)
class Problem:
    """One fault of a study or a mechanism."""

    file: str
    """The file, or `study` for what was made in Python."""
    line: int | None
    """Line of the file, from 1; `None`: made in Python, or the file as a whole is meant."""
    key: str
    """Path of the key, as `mechanism.body[0].mass`."""
    found: str
    """What was found, a sentence."""
    nearest: str | None
    """The valid name that may have been meant."""
    advice: str | None
    """What to write instead."""
    allowed: list[str] = field(default_factory=list)
    """Valid names, where there is a short list of them."""
    message: str = ""
    """All of it in a line."""
    call: str | None = None
    """The line of Python that made the part with the fault, as `script.py:12`."""

    def __str__(self) -> str:
        return self.message if self.call is None else f"{self.call}: {self.message}"


class StudyError(PolhodeError, ValueError):
    """A study or a mechanism is wrong: `problems` has all faults."""

    problems: list[Problem]

    def __init__(self, problems: list[Problem]):
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems

    def __reduce__(self):
        return (type(self), (self.problems,))

    @classmethod
    def _of(cls, entries: list[dict]) -> StudyError:
        return cls([Problem(**entry) for entry in entries])

    def _called(self, calls: dict[str, str]) -> StudyError:
        """As this one, with the lines of Python that made the parts, by the beginnings of keys: the
        longest is the one that is meant. A fault that has its line in a file needs none."""

        def called(problem: Problem) -> Problem:
            of = [part for part in calls if f"{problem.key}.".startswith(f"{part}." if part else "")]
            return replace(problem, call=calls[max(of, key=len)] if of and problem.line is None else None)

        return StudyError([called(problem) for problem in self.problems])


class RunError(PolhodeError, RuntimeError):
    """A run failed."""


class RunRefused(RunError):
    """A study cannot be served: the same again would be refused, too."""


class ResultError(PolhodeError, RuntimeError):
    """The folder of a result is refused, or a file of it is damaged or missing."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a run early. `result` has what was finished, and is marked as incomplete, unless
    all was."""

    def __init__(self, result):
        manifest = result.manifest
        done = f"{manifest['advanced']:,} of {manifest['instances']:,} instances"
        state = "complete" if result.complete else "incomplete, and marked so"
        super().__init__(f"the result is {state}: {done} came to their end; see `.result`: {result._place()}")
        self.result = result
