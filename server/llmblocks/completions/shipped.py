"""The templates of the package, by name, and the one that a text was probably written for."""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from llmblocks.completions.machine import machine_of
from llmblocks.completions.template import Path, Template, faults_of
from llmblocks.core.places import order
from llmblocks.facts.problem import Problem

if TYPE_CHECKING:
    from llmblocks.facts.finding import Finding
    from llmblocks.json5.reader import ValuePlace

_LONGEST = 1 << 20
_ESCAPES = re.compile(r'\\([n"\\/t]|u[0-9a-fA-F]{4})')


class Shipped(NamedTuple):
    """A template of the package."""

    name: str
    template: Template
    models: str
    """The models that write it."""
    source: str
    """A public page."""
    version: int
    date: str


@cache
def template_names() -> tuple[str, ...]:
    """Return the names of all templates."""
    folder = files(__package__) / "templates"
    return tuple(sorted(each.name.removesuffix(".json") for each in folder.iterdir() if each.name.endswith(".json")))


@cache
def find_template(name: str) -> Shipped:
    """Return the template with a name.

    Raises:
        ValueError: It does not exist.
    """
    if name not in template_names():
        raise ValueError(f"no template {name!r}: use one of {', '.join(template_names())}")
    text = (files(__package__) / "templates" / f"{name}.json").read_text(encoding="utf-8")
    read: dict[str, Any] = json.loads(text)
    return Shipped(name, Template(read["template"]), read["models"], read["source"], read["version"], read["date"])


@lru_cache(maxsize=64)
def template_called(given: str) -> Template:
    """Return the template in a setting: a name, or JSON. Raises `ValueError` if it is neither."""
    if not given.lstrip().startswith("{"):
        return find_template(given).template
    return template_in(given)


def template_in(text: str) -> Template:
    """Return the template in the JSON of a file: a `tokenizer_config.json`, or one with the template alone.

    Raises:
        ValueError: It does not exist.
    """
    try:
        return Template(_inside(json.loads(text))[1])
    except json.JSONDecodeError as error:
        raise ValueError(f"it is not JSON: {error}") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def findings_in(text: str) -> tuple[Finding, ...]:
    """Return the mistakes in the template of a JSON file, with their places. Never raises; invalid JSON has none."""
    from llmblocks.json5.reader import read

    try:
        path, value = _inside(json.loads(text))
    except (ValueError, RecursionError):
        return ()
    faults = faults_of(value)
    node = read(text).node if faults else None
    problems = [Problem(fault.rule, *_place(node, (*path, *fault.path)), fault.data) for fault in faults]
    return (*sorted([problem.finding(problem.rule.severity) for problem in problems], key=order),)


def _inside(value: object) -> tuple[Path, Any]:
    """Return the template in the value of a file, and the keys that lead to it."""
    for key in ("response_template", "template"):
        if isinstance(value, dict) and value.get(key) is not None:
            return (key,), value[key]
    return (), value


def _place(node: ValuePlace | None, path: Path) -> tuple[int, int]:
    """Return the place of the key at a path, or of its nearest existing parent."""
    start = end = 0
    for key in path:
        found = next((item for item in reversed(node.items) if item[0] == key), None) if node is not None else None
        if found is None:
            break
        _, start, end, node = found
        # a key is marked without its quotes
        start, end = (node.start, node.end) if isinstance(key, int) else (start + 1, end - 1)
    return start, end


class Guess(NamedTuple):
    """A template."""

    name: str
    why: str
    names: tuple[str, ...] = ()
    """All templates that would do; none if no delimiter is there."""


def guessed(text: str, *, escaped: bool = False) -> Guess:
    """Return the template of the package with the most delimiters in a text. In JSON, the text is `escaped`."""
    text = text[:_LONGEST]
    if escaped:
        text = _ESCAPES.sub(lambda found: str(json.loads(f'"{found[0]}"')), text)
    counts = {name: _count(name, text) for name in template_names()}
    # the longest delimiters are the best evidence; of equal ones, prefer the template with fewer fields
    best = max(counts, key=lambda name: (counts[name][2], -len(find_template(name).template.fields), name == "hermes"))
    count, example, size = counts[best]
    if not count:
        return Guess("hermes", "no delimiter of any template is there, so it is the default")
    others = [name for name, (_, _, other) in counts.items() if other == size and name != best]
    also = f"; {', '.join(others)} would do, too" if others else ""
    found = f"{count} of its delimiters are there, such as" if count > 1 else "it has the delimiter"
    return Guess(best, f"{found} {example}{also}", (best, *others))


def _count(name: str, text: str) -> tuple[int, str, int]:
    """Count the delimiters of a template in a text; return the number, one of them, and their total length."""
    watch, at = machine_of(find_template(name).template).outside, 0
    count, example, size = 0, "", 0
    while watch is not None and (found := watch.next(text, at, len(text))):
        at = max(found.end, found.start + 1)
        count += 1
        size += found.end - found.start
        if found.end - found.start > len(example) and found.kind == "open":
            example = " ".join(text[found.start : found.end].split())
    return count, example, size
