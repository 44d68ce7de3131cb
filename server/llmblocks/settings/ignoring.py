"""The edits of a settings file that ignore a rule in a file, or adopt a project's declarations.

They insert text, so that comments and order stay. tomlkit 0.15 edits inline tables, too, but made invalid TOML of 1 of
20 files, moved tables in 2, and parses 10 times as slowly as tomllib; it would need the same proof.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from llmblocks.settings.toml import find_places, key, value

GROUP = ("rules", "perFileIgnores")
NO_PLACES: Mapping[str, str] = {}


class Insertion(NamedTuple):
    offset: int
    text: str


def pattern_of(path: str) -> str:
    """Return the glob pattern for one file, given its path from the folder of the settings file, with `/`."""
    return "/" + re.sub(r"[\\*?\[\]{} ]", r"\\\g<0>", path)


def source_name(path: str, folder: str) -> str:
    """Return the name by which settings in a folder refer to a file that defines gadgets."""
    return pattern_of(os.path.relpath(path, folder).replace(os.sep, "/")).removeprefix("/")


def listing(
    text: str, table: tuple[str, ...], group: tuple[str, ...], pattern: str, new: tuple[str, ...], above: str = ""
) -> Insertion | None:
    """Return the insertion of new items into the list that a group of settings has for a pattern.

    A new list gets the comment lines `above`. None if the result would not be the same settings plus these: the text
    may not be TOML, or have the list in an inline table.
    """

    def add(settings: Any) -> bool:
        items = _group(settings, (*table, *group)).setdefault(pattern, [])
        is_new = not any(each in items for each in new)
        items += new
        return is_new

    items = ", ".join(map(value, new))
    return _proven(text, _insertion(text, (*table, *group), len(table), pattern, items, above), add)


def declaring(
    text: str, table: tuple[str, ...], tags: Mapping[str, str], places: Mapping[str, str] = NO_PLACES
) -> Insertion | None:
    """Return the insertion that registers described tags, with places as comments; None if it changed others."""
    path = (*table, "tags", "declared")
    rows = [
        f"[{key((*path, name))}]{f'  # {places[name]}' if name in places else ''}\n"
        + (f"description = {value(words)}\n" if words else "")
        for name, words in tags.items()
    ]

    def register(settings: Any) -> bool:
        known = _group(settings, path)
        is_new: bool = known.keys().isdisjoint(tags)
        known.update({name: {"description": words} if words else {} for name, words in tags.items()})
        return is_new

    return _proven(text, Insertion(len(text), _gap(text) + "\n".join(rows)), register)


def _proven(text: str, made: Insertion | None, change: Callable[[Any], bool]) -> Insertion | None:
    """Return an insertion if it has the effect of a `change` of the settings, which returns whether it is possible."""
    import tomllib

    try:
        wanted = tomllib.loads(text)
        if made is None or not change(wanted):
            return None
        if "\r\n" in text:
            made = made._replace(text=made.text.replace("\n", "\r\n"))
        after = tomllib.loads(text[: made.offset] + made.text + text[made.offset :])
    except (ValueError, RecursionError, AttributeError, TypeError):
        return None
    return made if after == wanted else None


def _group(settings: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        settings = settings.setdefault(name, {})
    return settings


def _gap(text: str) -> str:
    return "" if not text else "\n" if text.endswith("\n") else "\n\n"


def _insertion(text: str, group: tuple[str, ...], top: int, pattern: str, items: str, above: str) -> Insertion | None:
    """Return the insertion into the list at `group` and a pattern. `top` is the path of the settings."""
    spans = find_places(text, group[:top]).spans
    path = (*group[top:], pattern)
    if path in spans:
        last = -1
        while (*path, last + 1) in spans:
            last += 1
        if last >= 0:
            return Insertion(spans[*path, last][1], f", {items}")
        empty = re.compile(r"[ \t]*=[ \t]*\[").match(text, spans[path][1])
        return None if empty is None else Insertion(empty.end(), items)
    line = f"{above}{value(pattern)} = [{items}]\n"
    name = r"[ \t]*\.[ \t]*".join(map(re.escape, group))
    header = re.search(rf"^[ \t]*\[[ \t]*{name}[ \t]*\][^\n]*(\n|\Z)", text, re.MULTILINE)
    if header is not None:
        return Insertion(header.end(), line if header[1] else f"\n{line}")
    return Insertion(len(text), f"{_gap(text)}[{key(group)}]\n{line}")
