"""Raw completions, read plainly: the whole text, with the regular expressions of the template."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple


class Region(NamedTuple):
    """A region. From the start of its opening delimiter to the end of its closing one, with its content."""

    field: str
    start: int
    content: int
    content_end: int
    end: int
    closed: bool


def regions(template: Mapping[str, Any], text: str) -> Iterator[Region]:
    """The regions of a text that something opens, in order."""
    fields: Mapping[str, Mapping[str, Any]] = template["fields"]
    at, open_at, content, name = 0, 0, 0, ""
    while True:
        found: list[tuple[int, int, int, str]] = []
        for each, field in fields.items():
            is_implicit = "open" not in field and "open_pattern" not in field
            if not name and not is_implicit:
                found += _matches(field, "open", text, at, 0, each)
            if name == each or (not name and is_implicit):
                found += _matches(field, "close", text, at, 1, each)
        if not found:
            break
        # the earliest, then the longest, then an opening one, then the name
        start, length, kind, field_name = min(found)
        end = start - length
        if name:
            yield Region(name, open_at, content, start, end, True)
            name = ""
        elif kind == 0:
            name, open_at, content = field_name, start, end
        at = end
    if name:
        yield Region(name, open_at, content, len(text), len(text), False)


def _matches(
    field: Mapping[str, Any], key: str, text: str, at: int, kind: int, name: str
) -> list[tuple[int, int, int, str]]:
    if key in field:
        texts = [field[key]] if isinstance(field[key], str) else field[key]
        source = "|".join(map(re.escape, sorted(texts, key=len, reverse=True)))
    elif f"{key}_pattern" in field:
        source = field[f"{key}_pattern"]
    else:
        return []
    # a delimiter that takes no text would be found again where it was found
    found = re.compile(source, re.DOTALL).search(text, at)
    return [] if found is None else [(found.start(), -len(found[0]), kind, name)]


def is_json(text: str) -> bool:
    """Whether a text is JSON."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
