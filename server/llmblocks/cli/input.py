"""The single file that a command reads, with its language, settings and response template."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from llmblocks.cli.files import find, read
from llmblocks.cli.options import checked, option
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import STDIN, InputError, SourceFile
from llmblocks.languages.ask import Ask, ask_all
from llmblocks.languages.registry import find_language, host_ids
from llmblocks.settings.given import Given
from llmblocks.settings.values import Settings


class Input(NamedTuple):
    """A text with its language and settings."""

    name: str
    """Its path, or `-`."""
    language_id: str
    text: str
    settings: Settings
    project: CommandProject
    """Knows other files."""


def ask_of(source: Input) -> Ask:
    """Return a question about the whole text of a file, which may wait for calls of earlier files of its session."""
    language = find_language(source.language_id)
    other_files = source.project.other_files(language, source.name)
    return ask_all(language.open(source.text, source.settings), language, source.settings, other_files)


def read_input(given: argparse.Namespace, *, hosts: bool = False) -> Input:
    """Read the file, which may embed texts if `hosts`.

    Raises:
        InputError: It cannot be read, is a folder, or has invalid settings.
    """
    project = CommandProject(given.settings, with_template(given))
    found = [*find([given.file], given.language, project)]
    if len(found) != 1 or (isinstance(found[0], SourceFile) and found[0].name != given.file):
        raise InputError(f"{given.file}: a folder; give one file")
    (source,) = found
    if isinstance(source, InputError):
        raise source
    if source.language_id in host_ids() and not hosts:
        title = find_language(source.language_id).title
        raise InputError(
            f"{given.file}: {title} may embed several texts, and this command reads one; put it into a separate file"
        )
    settings = project.valid_settings_for(source.name)
    project.tell_problems()
    return Input(source.name, source.language_id, read(source, settings.max_size_mb), settings, project)


_PATHS = (
    *("completion", "response", "output", "generated_text", "text", "content", "raw"),
    *("messages[role=assistant].content", "choices[*].text", "choices[*].message.content"),
)
"""The paths of completions in rows of logs."""
_FILES = ("**/*.jsonl", "**/*.ndjson", "**/*.json")
_DATA = (".jsonl", ".ndjson", ".json")
_MOST = 1 << 20
_MOST_FILES = 100


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
    option(parser, "--template", "TEMPLATE", says, type=checked(template_named))


def with_template(given: argparse.Namespace) -> dict[str, Given]:
    """Return the settings for the given template."""
    template = getattr(given, "template", None)
    return {} if template is None else {"completion": {"template": template}}


def template_named(name: str) -> str:
    """Return the template of an option, in the form of a setting; raise `ValueError` if it does not exist."""
    from llmblocks.completions.shipped import template_called
    from llmblocks.settings.files import read_template

    if not name.endswith(".json"):
        template_called(name)
        return name
    template, *_ = read_template(os.path.abspath(name))
    if isinstance(template, ValueError):
        raise template
    return template


def _guess(files: Sequence[str]) -> str:
    """Return the probable template of the files, and report it on standard error."""
    from llmblocks.completions.shipped import guessed

    texts, is_data = list[str](), False
    for name in _named(files)[:_MOST_FILES]:
        with open(name, encoding="utf-8", errors="replace") as file:
            texts.append(file.read(_MOST))
        is_data = is_data or name.endswith(_DATA)
    found = guessed("\n".join(texts), escaped=is_data)
    sys.stderr.write(f"template {found.name}: {found.why}\n")
    return found.name


def _named(files: Sequence[str]) -> list[str]:
    given = [name for name in files if name != STDIN and os.path.isfile(name)]
    inside = [each for name in files if os.path.isdir(name) for each in sorted(Path(name).rglob("*"))]
    return [*given, *[str(each) for each in inside if each.suffix in (*_DATA, ".completion") and each.is_file()]]
