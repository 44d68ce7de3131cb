"""Checks of arguments; each error names the remedy."""

from __future__ import annotations

from collections.abc import Mapping


def need_callables(owner: object, *names: str) -> None:
    """Raise `ValueError` for an attribute with one of these names that is neither callable nor `None`."""
    for name in names:
        function = getattr(owner, name)
        if function is not None and not callable(function):
            raise ValueError(f"{name} of {type(owner).__name__} is {shown(function)}: give a function")


def need_mapping(owner: str, given: object, example: str) -> None:
    """Raise `ValueError` for anything but a mapping, and for a key that is not a `str`."""
    if not isinstance(given, Mapping):
        raise ValueError(f"{owner} takes a mapping by name, not {shown(given)}: give {example}")
    for name in given:
        if not isinstance(name, str):
            raise ValueError(f"{owner} takes names that are str, not {shown(name)}")


def shown(value: object) -> str:
    """Return a value for a message: short, and safe even if its `repr` raises."""
    try:
        text = repr(value)
    except Exception:
        text = object.__repr__(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
