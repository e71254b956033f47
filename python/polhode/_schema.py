"""Names that the reader of the files knows, from its own JSON Schemas: the package has no list of its own."""

from __future__ import annotations

import json
from functools import cache

from . import _polhode


@cache
def _schema(of: str) -> dict:
    return json.loads(_polhode.schema(of))


def _alternatives(schema: dict) -> list[dict]:
    return [found for part in schema["anyOf"] for found in _alternatives(part)] if "anyOf" in schema else [schema]


def _keys(schema: dict) -> set[str]:
    return {key for part in _alternatives(schema) for key in part.get("properties", {})}


@cache
def lists() -> frozenset[str]:
    """The lists of a mechanism: `body`, `joint`, `spring` and so on."""
    kinds = _schema("mechanism")["properties"].items()
    return frozenset(name for name, of in kinds if any(part.get("type") == "array" and
                     any(inner.get("type") == "object" for inner in _alternatives(part["items"])) for part in _alternatives(of)))


@cache
def joints() -> frozenset[str]:
    """The kinds of joints."""
    entry = _schema("mechanism")["properties"]["joint"]["items"]
    return frozenset(kind for part in _alternatives(entry) for kind in part["properties"]["kind"]["enum"])


@cache
def distributions() -> frozenset[str]:
    """The distributions that a quantity may have."""
    return frozenset(_keys(_schema("study")["properties"]["ensemble"]["properties"]["vary"]["additionalProperties"]))


@cache
def tables() -> dict[str, frozenset[str]]:
    """The tables of a study with their keys; what is no table has none."""
    return {name: frozenset(_keys(of)) for name, of in _schema("study")["properties"].items() if name != "mechanism"}
