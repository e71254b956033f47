"""Writes polhode/_keys.pyi from the JSON Schemas: `PYTHONPATH=python python python/stubs.py`."""

import keyword
import textwrap
from pathlib import Path

from polhode import _schema
from polhode._study import FIRST, MEANT, place

FILE = Path(__file__).parent / "polhode" / "_keys.pyi"
WIDTH = 110
HEAD = '''"""Keys of the files with the types of their values. Made from the JSON Schemas by stubs.py."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Optional, Protocol, Self, TypedDict

__all__ = [
{names}
]

class Array(Protocol):
    """A number or an array of NumPy, or what is like one."""
    def tolist(self) -> Any: ...

def given(keys: dict[str, Any]) -> dict[str, Any]: ...
def distribution(name: str) -> Callable[..., dict[str, Any]]: ...

{aliases}
'''
# Types that many keys have.
ALIASES = {
    "Number": "Array | float",
    "Integer": "Array | int",
    "Quantity": "Array | Mapping[str, Any] | float | str",
    "Vector": "Array | Mapping[str, Any] | Sequence[Array | float | str]",
    "Quantities": "Array | Mapping[str, Any] | Sequence[Array | float | str] | float | str",
}
SIMPLE = {
    "number": "float",
    "integer": "int",
    "string": "str",
    "boolean": "bool",
    "object": "Mapping[str, Any]",
}


def types(schema: dict) -> set[str]:
    """The types of a value."""
    if "anyOf" in schema:
        return set().union(*map(types, schema["anyOf"]))
    if "enum" in schema:
        return {f'"{value}"' for value in schema["enum"]}
    kinds = schema.get("type", [])
    found = set()
    for kind in [kinds] if isinstance(kinds, str) else kinds:
        found.add(SIMPLE[kind] if kind != "array" else f"Sequence[{union([schema['items']])}]")
    return found


def union(schemas: list[dict]) -> str:
    """The type of what one of these schemas takes."""
    found = set().union(*map(types, schemas))
    literals = sorted(kind for kind in found if kind.startswith('"'))
    found -= {*literals}
    if literals and "str" not in found:
        found.add(f"Literal[{', '.join(literals)}]")
    if "float" in found:
        found.discard("int")
    if found & {"float", "int"} or any(kind.startswith("Sequence") for kind in found):
        found.add("Array")
    told = " | ".join(sorted(found)) or "Any"
    return next((name for name, of in ALIASES.items() if of == told), told)


def keys(schema: dict) -> dict[str, tuple[list[dict], bool]]:
    """The keys of a table: what each may be, and whether it has to be given."""
    parts = [part for part in _schema.alternatives(schema) if "properties" in part]
    names = dict.fromkeys(name for part in parts for name in part["properties"])
    return {name: ([part["properties"][name] for part in parts if name in part["properties"]],
                   all(name in part.get("required", []) for part in parts)) for name in names}


def wrapped(line: str, indent: str) -> str:
    return "\n".join(textwrap.wrap(line, WIDTH, initial_indent=indent, subsequent_indent=indent + "    ",
                                   break_long_words=False, break_on_hyphens=False))


def function(
    name: str, first: str, of: dict[str, tuple[list[dict], bool]], gives: str, told: str, indent: str = ""
) -> str:
    """A function with these keys, after the parameters that it has besides."""
    lines = [f"{indent}def {name}("]
    lines += [wrapped(f"{first},", f"{indent}    ")] if first else []
    lines += [f"{indent}    *,"] if of and "*" not in first else []
    for key, (schemas, needed) in of.items():
        key += "_" if keyword.iskeyword(key) else ""
        lines.append(wrapped(f"{key}: {union(schemas)}{'' if needed else ' = ...'},", f"{indent}    "))
    lines.append(f"{indent}) -> {gives}:")
    lines += textwrap.wrap(
        f'"""{told.strip()}"""', WIDTH, initial_indent=f"{indent}    ", subsequent_indent=f"{indent}    "
    )
    lines.append(f"{indent}    ...")
    return "\n".join(lines)


def typed(name: str, told: str, found: dict[str, list[dict]], kind: str = "{}") -> str:
    """A class of keywords."""
    entries = [
        wrapped(f"{key}: {kind.format(union(schemas))}", "    ") for key, schemas in sorted(found.items())
    ]
    return "\n".join([f"class {name}(TypedDict, total=False):", f'    """{told}"""', *entries, ""])


def mechanism() -> str:
    schema = _schema.schema("mechanism")
    found = {key: [of] for key, of in schema["properties"].items() if key != "name"}
    lines = [typed("MechanismKeys", "Keys of a mechanism, whole lists included.", found),
             "class MechanismParts:", f'    """{schema["description"]}"""']
    # Joints of any kind have a method that takes it first.
    for name in sorted(_schema.lists() - {"joint"} | _schema.joints()):
        told, _ = _schema.entry(name)
        of = {
            key: (kinds, needed and key != "bodies")
            for key, (kinds, needed) in keys({"anyOf": _schema.entries(name)}).items()
            if key != "name" and (key != "kind" or name not in _schema.joints())
        }
        # Bodies may follow the name.
        between = "*between: str" if "bodies" in of else "*"
        lines.append(function(name, f"self, name: str | None = None, {between}", of, "Self", told, "    "))
    return "\n".join(lines)


def study() -> str:
    """The keys of a study that may stand without their table, and the tables."""
    tables = _schema.schema("study")["properties"]
    found: dict[str, list[dict]] = {}
    for table, schema in tables.items():
        if table == "mechanism":
            continue
        found.setdefault(table, []).append(schema)
        for key in keys(schema):
            try:
                owner = place(key, None).rpartition(".")[0]
            except TypeError:
                continue
            if owner == table:
                found.setdefault(key, []).extend(keys(schema)[key][0])
    for table, key in MEANT.items():
        found[table].extend(keys(tables[table])[key][0])
    meaning = "Keys of a study that may stand without their table, and the tables. None leaves a key out."
    return typed("StudyKeys", meaning, found, "Optional[{}]")


def distributions() -> str:
    made = [
        function(
            name,
            "" if keys(schema) else f"values: {union([schema])}, /",
            keys(schema),
            "dict[str, Any]",
            _schema.distribution(name)[0],
        )
        for name, schema in _schema.vary().items()
    ]
    return "\n\n".join(made)


def text() -> str:
    names = wrapped(", ".join(f'"{name}"' for name in sorted(_schema.distributions())), "    ").replace(
        "\n        ", "\n    "
    )
    aliases = "\n".join(f"{name} = {of}" for name, of in ALIASES.items())
    return "\n".join(
        [HEAD.format(names=names, aliases=aliases), mechanism(), "", study(), distributions(), ""]
    )


if __name__ == "__main__":
    FILE.write_text(text())
