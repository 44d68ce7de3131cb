"""The templates of the package, by name."""

from __future__ import annotations

import json
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from llmblocks.completions.template import Path, Template, faults_of
from llmblocks.core.places import order
from llmblocks.facts.problem import Problem

if TYPE_CHECKING:
    from llmblocks.facts.finding import Finding
    from llmblocks.json5.reader import ValuePlace


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
    """Return the template in a setting: a name, or JSON.

    Raises:
        ValueError: It is neither.
    """
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
