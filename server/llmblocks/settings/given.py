"""What users write as settings, before anything is checked: nested values of whatever kind."""

from __future__ import annotations

from typing import Any

Given = Any
"""What a user has written: JSON or TOML values."""
Path = tuple[str | int, ...]
"""The names and array indices that lead to a setting."""

DEEPEST = 16
"""How many levels are read; ours have four. What is nested deeper is cut off: it is inside something unknown anyway."""
_CUT = "…"
_LEFT_TO_EDITORS = frozenset(("server", "trace", "enable"))


def as_given(value: Given) -> dict[str, Given] | None:
    """What was written, as nested objects without what says nothing; None where it is no object.

    Shape: `{"stf.dialect": "@"}` and `{"stf": {"dialect": "@"}}` are the same; null stands for not set; what only
           editors read (how to start the server, what to trace) is left out; nothing is deeper than `DEEPEST` objects
           or arrays.
    """
    if value is None:
        return {}
    if not isinstance(value, dict):
        return None
    found = _nested(value, 1)
    return {name: each for name, each in found.items() if name not in _LEFT_TO_EDITORS}


def steps(key: str, *, top: bool) -> list[str]:
    """The names that a dotted key stands for, at the top without our own; a key with too many is one name."""
    if "." not in key or key.count(".") >= DEEPEST:
        return [key]
    return (key.removeprefix("llmblocks.") if top else key).split(".")


def own_settings(value: Given) -> Given:
    """Our part of what a client gives: under our name, under `settings`, or all of it."""
    for name in ("settings", "llmblocks"):
        if isinstance(value, dict) and name in value:
            value = value[name]
    return value


def merged(under: dict[str, Given], over: dict[str, Given]) -> dict[str, Given]:
    """Two sets of settings as one: the second decides where both say something."""
    found = dict(under)
    for key, value in over.items():
        there = found.get(key)
        found[key] = merged(there, value) if isinstance(there, dict) and isinstance(value, dict) else value
    return found


def _nested(value: dict[Any, Given], depth: int) -> dict[str, Given]:
    found: dict[str, Given] = {}
    for key, each in value.items():
        # JSON may hold half of a surrogate pair, which is no text to others
        written = str(key).encode("utf-8", "backslashreplace").decode("utf-8")
        *groups, name = steps(written, top=depth == 1)
        each = _cut(each, depth + 1)
        if each is None or each == {}:
            continue
        there = found
        for group in groups:
            inner = there.setdefault(group, {})
            if not isinstance(inner, dict):
                inner = there[group] = {}
            there = inner
        if isinstance(each, dict) and isinstance(there.get(name), dict):
            there[name] = merged(there[name], each)
        else:
            there[name] = each
    return found


def _cut(value: Given, depth: int) -> Given:
    if not isinstance(value, dict | list):
        return value
    if depth > DEEPEST:
        return _CUT
    return _nested(value, depth) if isinstance(value, dict) else [_cut(each, depth + 1) for each in value]
