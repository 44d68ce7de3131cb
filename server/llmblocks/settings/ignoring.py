"""The edits of a settings file that ignore a rule in a file, or take over what a project declares."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from copy import deepcopy
from typing import Any, NamedTuple

from llmblocks.settings.places import find_places

GROUP = ("rules", "perFileIgnores")


class Insertion(NamedTuple):
    """A text to insert at an offset."""

    offset: int
    text: str


def pattern_of(path: str) -> str:
    """The glob pattern for one file. Shape: the path counts from the folder of the settings file; `/` separates."""
    return "/" + re.sub(r"[\\*?\[\]{} ]", r"\\\g<0>", path)


def source_name(path: str, folder: str) -> str:
    """The name by which settings in a folder name a file that defines gadgets."""
    return pattern_of(os.path.relpath(path, folder).replace(os.sep, "/")).removeprefix("/")


def listing(text: str, table: tuple[str, ...], group: tuple[str, ...], pattern: str, item: str) -> Insertion | None:
    """The insertion of an item into the list that a group of settings has for a pattern.

    Shape: the settings are in the table of the text. None where the result would not be the same settings with that
           one more: the text may be no TOML, or have them in an inline table.
    """
    import tomllib

    try:
        before = tomllib.loads(text)
        wanted = _with(before, (*table, *group), pattern, item)
        made = None if wanted is None else _insertion(text, (*table, *group), len(table), pattern, item)
        if made is None:
            return None
        after = tomllib.loads(text[: made.offset] + made.text + text[made.offset :])
    except (ValueError, RecursionError):
        return None
    return made if after == wanted else None


def _with(settings: dict[str, Any], path: tuple[str, ...], pattern: str, code: str) -> dict[str, Any] | None:
    found = deepcopy(settings)
    holder: Any = found
    for name in path:
        holder = holder.setdefault(name, {}) if isinstance(holder, dict) else None
    if not isinstance(holder, dict):
        return None
    codes = holder.setdefault(pattern, [])
    if not isinstance(codes, list) or code in codes:
        return None
    codes.append(code)
    return found


def declaring(text: str, table: tuple[str, ...], tags: Mapping[str, str]) -> Insertion | None:
    """The insertion that registers tags, each with its description.

    Shape: None where the result would not be the same settings with these tags.
    """
    import tomllib

    heads = [".".join([*table, "tags", "declared", name]) for name in tags]
    rows = [
        f"[{head}]\n" + (f"description = {_string(words)}\n" if words else "")
        for head, words in zip(heads, tags.values(), strict=True)
    ]
    made = Insertion(len(text), _gap(text) + "\n".join(rows))
    try:
        wanted = tomllib.loads(text)
        holder: Any = wanted
        for name in (*table, "tags", "declared"):
            holder = holder.setdefault(name, {})
        if any(name in holder for name in tags):
            return None
        holder.update({name: {"description": words} if words else {} for name, words in tags.items()})
        return made if tomllib.loads(text + made.text) == wanted else None
    except (ValueError, RecursionError, AttributeError):
        return None


def _gap(text: str) -> str:
    return "" if not text else "\n" if text.endswith("\n") else "\n\n"


def _insertion(text: str, group: tuple[str, ...], above: int, pattern: str, item: str) -> Insertion | None:
    """Shape: `group` leads to the list by pattern; its first names, `above`, to the settings."""
    spans = find_places(text, group[:above]).spans
    path = (*group[above:], pattern)
    if path in spans:
        last = -1
        while (*path, last + 1) in spans:
            last += 1
        # an array without an item has no place for one
        return None if last < 0 else Insertion(spans[*path, last][1], f", {_string(item)}")
    line = f"{_string(pattern)} = [{_string(item)}]\n"
    name = r"[ \t]*\.[ \t]*".join(map(re.escape, group))
    header = re.search(rf"^[ \t]*\[[ \t]*{name}[ \t]*\][^\n]*(\n|\Z)", text, re.MULTILINE)
    if header is not None:
        return Insertion(header.end(), line if header[1] else f"\n{line}")
    return Insertion(len(text), f"{_gap(text)}[{'.'.join(group)}]\n{line}")


def _string(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)
