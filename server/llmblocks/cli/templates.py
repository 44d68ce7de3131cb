"""The response template that the command line names, for raw completions and for those in JSON."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from llmblocks.cli.source import STDIN
from llmblocks.settings.given import Given

_PATHS = (
    "completion",
    "response",
    "output",
    "generated_text",
    "text",
    "content",
    "raw",
    "messages[role=assistant].content",
    "choices[*].text",
    "choices[*].message.content",
)
"""Where the rows of logs have completions."""
_FILES = ("**/*.jsonl", "**/*.ndjson", "**/*.json")
_DATA = (".jsonl", ".ndjson", ".json")
_MOST = 1 << 20


def of_template(name: str, files: Sequence[str]) -> dict[str, Given]:
    """The settings for a template. Errors: `ValueError` for what is none."""
    from llmblocks.completions.shipped import template_called
    from llmblocks.settings.content_schemas import read_template

    if name == "auto":
        name = _guess(files)
    elif name.endswith(".json"):
        name = read_template(os.path.abspath(name))
    else:
        template_called(name)
    strings = dict.fromkeys(_PATHS, "completion")
    return {"completion": {"template": name}, "files": {"strings": dict.fromkeys(_FILES, strings)}}


def _guess(files: Sequence[str]) -> str:
    """The template that the files are likely to be written by, which is told on standard error."""
    from llmblocks.completions.guess import guessed

    texts, is_data = list[str](), False
    for name in _named(files):
        with open(name, encoding="utf-8", errors="replace") as file:
            texts.append(file.read(_MOST))
        is_data = is_data or name.endswith(_DATA)
    found = guessed("\n".join(texts), escaped=is_data)
    sys.stderr.write(f"template {found.name}: {found.why}\n")
    return found.name


def _named(files: Sequence[str]) -> list[str]:
    found: list[str] = []
    for name in files:
        if os.path.isdir(name):
            for folder, _, names in os.walk(name):
                inside = [each for each in sorted(names) if each.endswith((*_DATA, ".completion"))]
                found += [os.path.join(folder, each) for each in inside]
        elif name != STDIN and os.path.isfile(name):
            found.append(name)
    return found[:100]
