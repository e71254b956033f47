"""Names that the reader of the files knows, from its own JSON Schemas: the package has no list of
its own."""

from __future__ import annotations

import json
from functools import cache

from . import _polhode


@cache
def schema(of: str) -> dict:
    """The schema of `study` or `mechanism` files."""
    return json.loads(_polhode.schema(of))


def alternatives(schema: dict) -> list[dict]:
    """The alternatives of a value."""
    return (
        [found for part in schema["anyOf"] for found in alternatives(part)] if "anyOf" in schema else [schema]
    )


def _keys(schema: dict) -> set[str]:
    return {key for part in alternatives(schema) for key in part.get("properties", {})}


@cache
def lists() -> frozenset[str]:
    """The lists of a mechanism: `body`, `joint`, `spring` and so on."""
    kinds = schema("mechanism")["properties"].items()
    return frozenset(
        name
        for name, of in kinds
        if any(
            part.get("type") == "array"
            and any(inner.get("type") == "object" for inner in alternatives(part["items"]))
            for part in alternatives(of)
        )
    )


@cache
def joints() -> frozenset[str]:
    """The kinds of joints."""
    kinds = alternatives(schema("mechanism")["properties"]["joint"]["items"])
    return frozenset(kind for part in kinds for kind in part["properties"]["kind"]["enum"])


@cache
def distributions() -> frozenset[str]:
    """The distributions that a quantity may have."""
    return frozenset(vary())


@cache
def tables() -> dict[str, frozenset[str]]:
    """The tables of a study with their keys; what is no table has none."""
    return {
        name: frozenset(_keys(of))
        for name, of in schema("study")["properties"].items()
        if name != "mechanism"
    }


def _description(of: list[dict]) -> tuple[str, dict[str, str]]:
    description = " ".join(dict.fromkeys(part.get("description", "") for part in of))
    keys = [key for part in of for key in part.get("properties", {}).items()]
    return description, {name: key.get("description", "") for name, key in keys}


def entries(name: str) -> list[dict]:
    """The alternatives of an entry of a list, or of a joint of a kind."""
    of = schema("mechanism")["properties"]["joint" if name in joints() else name]
    return alternatives(next(part["items"] for part in alternatives(of) if "items" in part))


def entry(name: str) -> tuple[str, dict[str, str]]:
    """The meaning of an entry of a list, or of a joint of a kind, and of each of its keys."""
    return _description(entries(name))


def distribution(name: str) -> tuple[str, dict[str, str]]:
    """The meaning of a distribution, and of each of its keys."""
    return _description(alternatives(vary()[name]))


def vary() -> dict[str, dict]:
    """The distributions by name."""
    of = schema("study")["properties"]["ensemble"]["properties"]["vary"]["additionalProperties"]
    return {name: part for found in alternatives(of) for name, part in found.get("properties", {}).items()}
