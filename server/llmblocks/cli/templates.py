"""The response template from the command line, for raw completions and for those in JSON."""

from __future__ import annotations

import argparse
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
"""The paths of completions in rows of logs."""
_FILES = ("**/*.jsonl", "**/*.ndjson", "**/*.json")
_DATA = (".jsonl", ".ndjson", ".json")
_MOST = 1 << 20


def of_template(name: str, files: Sequence[str], parser: argparse.ArgumentParser) -> dict[str, Given]:
    """Return the settings for a template of the command line; report one that does not exist."""
    try:
        name = _guess(files) if name == "auto" else template_named(name)
    except ValueError as error:
        parser.error(f"--template {name}: {error}")
    strings = dict.fromkeys(_PATHS, "completion")
    return {"completion": {"template": name}, "files": {"strings": dict.fromkeys(_FILES, strings)}}


def add_template(parser: argparse.ArgumentParser) -> None:
    """Add the option for the template of a raw completion."""
    says = "the response template of a raw completion: a name such as qwen3-coder, or a JSON file"
    parser.add_argument("--template", metavar="TEMPLATE", type=_argument, help=says)


def with_template(given: argparse.Namespace) -> dict[str, Given]:
    """Return the settings for the given template."""
    template = getattr(given, "template", None)
    return {} if template is None else {"completion": {"template": template}}


def _argument(name: str) -> str:
    try:
        return template_named(name)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def template_named(name: str) -> str:
    """Return the template of an option, in the form of a setting; raise `ValueError` if it does not exist."""
    from llmblocks.completions.shipped import template_called
    from llmblocks.settings.named_files import read_template

    if not name.endswith(".json"):
        template_called(name)
        return name
    template = read_template(os.path.abspath(name)).template
    if isinstance(template, ValueError):
        raise template
    return template


def _guess(files: Sequence[str]) -> str:
    """Return the probable template of the files, and report it on standard error."""
    from llmblocks.completions.shipped import guessed

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
