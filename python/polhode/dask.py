"""Parts of an ensemble on Dask."""

from __future__ import annotations

import hashlib
import os
from typing import Any

from . import _parts
from ._result import RunResult
from ._study import Study


def run(
    study: Study,
    parts: str | os.PathLike[str],
    shards: int,
    client: Any,
    *,
    out: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    retries: int = 3,
    resources: dict[str, float] | None = None,
    threads: int | None = None,
) -> RunResult:
    """Runs a study in so many parts on a Dask client, and puts them together: the bits of
    `study.run()`.

    As `polhode.run_parts`. Besides, keys of tasks follow from the study: two clients that ask for
    the same share its tasks. `resources`: what a task needs of a worker, as `{"GPU": 1}`.
    """
    content = "\0".join([os.path.abspath(parts), study.toml(), study._study.given_samples() or ""])
    name = f"polhode-{hashlib.sha256(content.encode()).hexdigest()[:16]}"

    def submit(task: _parts.Task, failures: int) -> Any:
        # By its key a task that failed would fail again without being run.
        key = f"{name}-{task[1]}-of-{task[2]}" + (f"-again-{failures}" if failures else "")
        return client.submit(_parts.compute, *task, key=key, resources=resources)

    return _parts.run(study, parts, shards, submit, out, overwrite, retries, threads)
