"""Methods and functions of the names that the files know. Their types are in `_keys.pyi`, which
`stubs.py` makes."""

from __future__ import annotations

from collections.abc import Callable
from keyword import iskeyword
from typing import Any

from . import _schema

MechanismKeys = dict[str, Any]
StudyKeys = dict[str, Any]


def given(keys: dict[str, Any]) -> dict[str, Any]:
    """Keys as the files have them: one that is a word of Python, as `from`, is written `from_`
    there."""
    return {key.removesuffix("_"): value for key, value in keys.items()}


def _text(description: str, keys: dict[str, str]) -> str:
    return "\n".join([description, "", *(f"{key}: {of}" for key, of in keys.items())])


class MechanismParts:
    """Lists of a mechanism file, and kinds of joints, as methods."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in _schema.joints() | _schema.lists():
            known = ", ".join(sorted(_schema.joints() | _schema.lists()))
            raise AttributeError(f"a mechanism has no {name!r} (there are {known})", name=name, obj=self)

        def of(*named: str, **keys: Any) -> Any:
            return (
                self.joint(name, *named, **keys)
                if name in _schema.joints()
                else self.add(name, *named, **keys)
            )

        of.__name__ = name
        of.__doc__ = _text(*_schema.entry(name))
        return of

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *_schema.joints(), *_schema.lists()]


def distribution(name: str) -> Callable[..., dict[str, Any]]:
    """The distribution of this name, for `vary` of a study."""

    description, meanings = _schema.distribution(name)

    def of(*values: Any, **keys: Any) -> dict[str, Any]:
        if meanings and values:
            known = ", ".join(f"{key}_" if iskeyword(key) else key for key in meanings)
            raise TypeError(f"{name} takes keywords alone: {known}")
        if not meanings and (keys or len(values) != 1):
            raise TypeError(f"{name} takes one list: {name}([...])")
        return {name: given(keys) if meanings else values[0]}

    of.__name__ = name
    of.__doc__ = _text(description, meanings)
    return of
