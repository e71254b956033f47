"""Parts of an ensemble on Dask."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

from ._parts import STUDY, compute, merged, named, prepare
from ._result import RunResult
from ._study import Study


def run(study: Study, parts: str | os.PathLike[str], shards: int, client: Any, *, out: str | os.PathLike[str] | None = None,
        overwrite: bool = False, retries: int = 3, resources: dict[str, float] | None = None) -> RunResult:
    """Runs a study in so many parts on a Dask client, and puts them together: the bits of `study.run()`.

    As `polhode.run_parts`. Besides, keys of tasks follow from the study: two clients that ask for the same share its tasks.
    `resources`: what a task needs of a worker, as `{"GPU": 1}`. `retries`: as Dask's, of all errors but wrong input.
    """
    parts = Path(parts)
    left = prepare(study, parts, shards)
    place = os.fspath(parts.resolve())
    content = hashlib.sha256(f"{place}\0{(parts / STUDY).read_text()}".encode()).hexdigest()[:16]
    tasks = [client.submit(compute, place, part, shards, key=f"polhode-{content}-{part}-of-{shards}", retries=retries,
                           resources=resources) for part in left]
    for answer in client.gather(tasks):
        named(answer)
    return merged(parts, shards, None if out is None else os.fspath(out), overwrite)
