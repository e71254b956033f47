"""Methods and functions of the names that the files know. Their types are in `_keys.pyi`, which
`stubs.py` makes."""

from __future__ import annotations

from collections.abc import Callable
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

    def of(*values: Any, **keys: Any) -> dict[str, Any]:
        return {name: values[0] if values else given(keys)}

    of.__name__ = name
    of.__doc__ = _text(*_schema.distribution(name))
    return of
