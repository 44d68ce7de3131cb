"""The templates that the package has, by their names."""

from __future__ import annotations

import json
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from llmblocks.completions.template import Template


class Shipped(NamedTuple):
    """A template of the package. Shape: `models` describes the models that write it; `source` is a public page."""

    name: str
    template: Template
    models: str
    source: str
    version: int
    date: str


@cache
def template_names() -> tuple[str, ...]:
    """Return the names of all templates."""
    folder = files(__package__) / "templates"
    return tuple(sorted(each.name.removesuffix(".json") for each in folder.iterdir() if each.name.endswith(".json")))


@cache
def find_template(name: str) -> Shipped:
    """Return the template with a name. Errors: `ValueError` for an unknown one."""
    if name not in template_names():
        raise ValueError(f"no template {name!r}: use one of {', '.join(template_names())}")
    text = (files(__package__) / "templates" / f"{name}.json").read_text(encoding="utf-8")
    read: dict[str, Any] = json.loads(text)
    return Shipped(name, Template(read["template"]), read["models"], read["source"], read["version"], read["date"])


@lru_cache(maxsize=64)
def template_called(given: str) -> Template:
    """Return the template that a setting gives: by its name, or as JSON. Errors: `ValueError` for what is none."""
    if not given.lstrip().startswith("{"):
        return find_template(given).template
    return template_in(given)


def template_in(text: str) -> Template:
    """Return the template in the JSON of a file: a `tokenizer_config.json`, or one with the template alone.

    Errors: `ValueError` for what is none.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"it is not JSON: {error}") from None
    inner = value.get("response_template", value.get("template")) if isinstance(value, dict) else None
    return Template(value if inner is None else inner)
