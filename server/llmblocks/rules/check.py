"""The findings of a text: the public function."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from llmblocks.core.chunks import expect_text
from llmblocks.core.other_files import ALONE, OtherFiles
from llmblocks.languages.language import Language
from llmblocks.languages.registry import find_language, language_ids, language_of
from llmblocks.rules.checker import Checker
from llmblocks.settings.values import DEFAULTS, Settings

if TYPE_CHECKING:
    from llmblocks.core.finding import Finding
    from llmblocks.workspace.disk import DiskLogs


def check(
    text: str, language_id: str | None, settings: Settings | None = None, name: str | None = None
) -> tuple[Finding, ...]:
    """The findings of a text, in order, as in an editor.

    Shape:  `name` is the path of the text's file: it determines the language if `language_id` is None. Where calls
            depend on ones that the text does not have, the other files of its session are read; embedded files are
            looked for from its folder on.
    Errors: `ValueError` for an unknown language, `TypeError` for anything but text; none for any text.
    """
    expect_text(text, "check")
    settings = settings or DEFAULTS
    if name is not None:
        language_id = language_id or settings.language_of(name) or language_of(os.path.abspath(name))
        settings = settings.for_file(name)
    if language_id is None:
        raise ValueError(f"the name {name!r} does not determine a language: use one of {', '.join(language_ids())}")
    language = find_language(language_id)
    checker = Checker(language, settings)
    other_files = ALONE if name is None else others_of(language, name, lambda: _logs(settings))
    return (*checker.all(language.open(text, settings, checker.count_findings), other_files),)


def others_of(language: Language, name: str, logs: Callable[[], DiskLogs]) -> OtherFiles | None:
    """The other files that belong to a file; None for a copy, of which no names are judged.

    Shape: `name` may be relative to the current folder, or `-` for a text of no file; `logs` are asked for if it is the
           log of a session.
    """
    path = os.path.abspath(name)
    if language.is_log(path.replace(os.sep, "/")):
        # few files are logs: what reads them is loaded for those
        return logs().other_files(language, name)
    if not language.names_files or name == "-":
        return ALONE
    from llmblocks.workspace.files_beside import FilesBeside

    return FilesBeside(os.path.dirname(path))


def _logs(settings: Settings) -> DiskLogs:
    from llmblocks.workspace.disk import DiskLogs

    return DiskLogs(lambda _: settings)
