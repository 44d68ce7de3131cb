"""The templates that the package has, by their names."""

from __future__ import annotations

import json
from functools import cache
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
    """The names of all templates."""
    folder = files(__package__) / "templates"
    return tuple(sorted(each.name.removesuffix(".json") for each in folder.iterdir() if each.name.endswith(".json")))


@cache
def find_template(name: str) -> Shipped:
    """The template with a name. Errors: `ValueError` for an unknown one."""
    if name not in template_names():
        raise ValueError(f"no template {name!r}: use one of {', '.join(template_names())}")
    text = (files(__package__) / "templates" / f"{name}.json").read_text(encoding="utf-8")
    read: dict[str, Any] = json.loads(text)
    return Shipped(name, Template(read["template"]), read["models"], read["source"], read["version"], read["date"])
