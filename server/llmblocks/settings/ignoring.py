"""The edit of a settings file that ignores a rule in a file."""

from __future__ import annotations

import json
import re
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


def ignoring(text: str, table: tuple[str, ...], pattern: str, code: str) -> Insertion | None:
    """The insertion that leaves out a rule in the files of a pattern.

    Shape: the settings are in the table of the text. None where the result would not be the same settings with that
           one more: the text may be no TOML, or have them in an inline table.
    """
    import tomllib

    try:
        before = tomllib.loads(text)
        wanted = _with(before, (*table, *GROUP), pattern, code)
        made = None if wanted is None else _insertion(text, table, pattern, code)
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


def _insertion(text: str, table: tuple[str, ...], pattern: str, code: str) -> Insertion | None:
    spans = find_places(text, table).spans
    path = (*GROUP, pattern)
    if path in spans:
        last = -1
        while (*path, last + 1) in spans:
            last += 1
        # an array without an item has no place for one
        return None if last < 0 else Insertion(spans[*path, last][1], f", {_string(code)}")
    line = f"{_string(pattern)} = [{_string(code)}]\n"
    name = r"[ \t]*\.[ \t]*".join(map(re.escape, (*table, *GROUP)))
    header = re.search(rf"^[ \t]*\[[ \t]*{name}[ \t]*\][^\n]*(\n|\Z)", text, re.MULTILINE)
    if header is not None:
        return Insertion(header.end(), line if header[1] else f"\n{line}")
    gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    return Insertion(len(text), f"{gap}[{'.'.join((*table, *GROUP))}]\n{line}")


def _string(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)
