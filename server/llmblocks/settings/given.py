"""What users write as settings, before anything is checked: nested values of whatever kind."""

from __future__ import annotations

from typing import Any

Given = Any
"""What a user has written: JSON or TOML values."""

_LEFT_TO_EDITORS = frozenset(("server", "trace", "enable"))


def as_given(value: Given) -> dict[str, Given] | None:
    """What was written, as nested objects without what says nothing; None where it is no object.

    Shape: `{"stf.dialect": "@"}` and `{"stf": {"dialect": "@"}}` are the same; null stands for not set; what only
           editors read (how to start the server, what to trace) is left out.
    """
    if value is None:
        return {}
    if not isinstance(value, dict):
        return None
    found: dict[str, Given] = {}
    for key, each in value.items():
        *groups, name = str(key).removeprefix("llmblocks.").split(".") if "." in str(key) else [str(key)]
        if [*groups, name][0] in _LEFT_TO_EDITORS:
            continue
        each = as_given(each) if isinstance(each, dict) else each
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
