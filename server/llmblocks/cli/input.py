"""The single file that a command reads, with its language and settings."""

from __future__ import annotations

import argparse
from typing import NamedTuple

from llmblocks.cli.files import find, read
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import InputError, SourceFile
from llmblocks.cli.templates import with_template
from llmblocks.languages.ask import Ask, ask_all
from llmblocks.languages.registry import find_language, host_ids
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
