"""The calls in the value of a region, with the places of their names and arguments."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from llmblocks.completions.content import tags_in
from llmblocks.completions.machine import TextRegion
from llmblocks.completions.template import PLACEHOLDER, Path, TemplateField
from llmblocks.json5.reader import ValuePlace, read

Place = tuple[int, int]
BEFORE_NAME = r"""(?:"(?:tool_)?name"\s*:\s*"|functions\.|function=|(?<!parameter )name="|call:|\[TOOL_CALLS\])"""
"""The text before the name of a tool, in the templates of the package."""
NAME = re.compile(BEFORE_NAME + r"([\w.-]+)")


class ArgumentPlace(NamedTuple):
    name: Place
    value: Place
    whole: Place


class WrittenCall(NamedTuple):
    """A call. Places count from the start of the text that contains the region."""

    name: str
    arguments: Mapping[str, Any]
    named: Place
    places: Mapping[str, ArgumentPlace]
    """The places of the arguments, by pointer."""
    object: Place | None
    """The place of all arguments together; None if unknown."""

    def nearest(self, pointer: str) -> ArgumentPlace:
        """Return the places of an argument, or else of the call."""
        while pointer and pointer not in self.places:
            pointer = pointer.rpartition("/")[0]
        return self.places.get(pointer, ArgumentPlace(self.named, self.named, self.named))


def calls_in(text: str, region: TextRegion, value: Any) -> Iterator[WrittenCall]:
    """Yield the calls in the value of a region."""
    field = region.field
    if field is None:
        return
    base, content = region.content, text[region.content : region.content_end]
    inside = base + len(content) - len(content.lstrip()), base + len(content.rstrip())
    to_name, to_arguments = paths_of(field)
    node = None if field.content == "xml-inline" else _node(content)
    for number, each in enumerate(value if isinstance(value, list) else [value]):
        function = each.get("function") if isinstance(each, dict) else None
        if not isinstance(function, dict) or not isinstance(name := function.get("name"), str):
            continue
        arguments = function.get("arguments")
        root: Path = (number,) if field.each else ()
        around: Place | None = (base, region.content_end)
        if field.content == "xml-inline":
            places = _of_tags(content, base, field)
        else:
            to_all = _at(node, (*root, *to_arguments)) if to_arguments is not None else node
            places = _places(to_all, base)
            around = (base + to_all.start, base + to_all.end) if to_all else None
        named = inside if inside[0] < inside[1] else (region.start, region.end)
        if to_name is not None:
            found = _at(node, (*root, *to_name))
            named = (base + found.start + 1, base + found.end - 1) if found else named
        elif base > region.start:
            # a group of the delimiter
            at = text.rfind(name, region.start, base)
            named = (at, at + len(name)) if at >= 0 else (region.start, base)
        yield WrittenCall(name, arguments if isinstance(arguments, dict) else {}, named, places, around)


def called(text: str, start: int, end: int) -> str | None:
    """Return the name of the tool that a region calls, if its start shows it; None for other regions."""
    found = NAME.search(text, start, min(end + 400, len(text)))
    if found is not None and (found.start() <= end or text[end : found.start()].strip().startswith(("{", "["))):
        return found[1]
    return None


def _node(content: str) -> ValuePlace | None:
    """Return the places in a JSON text; None if lenient syntax moves them."""
    try:
        json.loads(content)
    except (ValueError, RecursionError):
        return None
    return read(content).node


def paths_of(field: TemplateField) -> tuple[Path | None, Path | None]:
    """Return the keys that lead to name and arguments in the text of a region; None for those of its delimiter."""
    function = field.transform.get("function") if isinstance(field.transform, dict) else None
    if isinstance(function, dict):
        return path_of(function.get("name"), field), path_of(function.get("arguments"), field)
    base = path_of(function, field) or ()
    return (*base, "name"), (*base, "arguments")


def path_of(placeholder: object, field: TemplateField) -> Path | None:
    """Return the keys that lead to the value of a placeholder in the text of a region; None for another value."""
    found = PLACEHOLDER.fullmatch(placeholder) if isinstance(placeholder, str) else None
    if found is None:
        return None
    root, *keys = found[1].split(".")
    if field.each:
        return (root, *keys)
    return (*keys,) if root == "content" else None


def _at(node: ValuePlace | None, path: Path) -> ValuePlace | None:
    for key in path:
        node = next((value for name, _, _, value in reversed(node.items) if name == key), None) if node else None
    return node


def _places(node: ValuePlace | None, base: int) -> dict[str, ArgumentPlace]:
    found: dict[str, ArgumentPlace] = {}
    waits = [(node, "")] if node is not None else []
    while waits:
        at, prefix = waits.pop()
        for key, start, end, value in at.items:
            of_value = base + value.start, base + value.end
            # a key is marked without its quotes
            of_name = (base + start + 1, base + end - 1) if isinstance(key, str) else of_value
            found[f"{prefix}{key}"] = ArgumentPlace(of_name, of_value, (base + start, of_value[1]))
            waits.append((value, f"{prefix}{key}/"))
    return found


def _of_tags(content: str, base: int, field: TemplateField) -> dict[str, ArgumentPlace]:
    found: dict[str, ArgumentPlace] = {}
    for tag in tags_in(content, field.args):
        groups = tag.groupdict()
        spans = [tag.span(name) if groups.get(name) is not None else tag.span() for name in ("key", "value")]
        places = [(base + start, base + end) for start, end in (*spans, tag.span())]
        found[str(groups.get("key"))] = ArgumentPlace(*places)
    return found
