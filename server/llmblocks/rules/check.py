"""The findings of a text: the public function."""

from __future__ import annotations

import os

from llmblocks.core.chunks import expect_text
from llmblocks.core.finding import Finding
from llmblocks.core.other_files import ALONE, OtherFiles
from llmblocks.languages.registry import find_language, language_ids, language_of
from llmblocks.rules.checker import Checker
from llmblocks.settings.values import DEFAULTS, Settings


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
    known = language_id if language_id is not None or name is None else settings.language_of(name) or language_of(name)
    if known is None:
        raise ValueError(f"the name {name!r} does not determine a language: use one of {', '.join(language_ids())}")
    language, settings = find_language(known), settings if name is None else settings.for_file(name)
    checker = Checker(language, settings)
    other_files: OtherFiles | None = ALONE
    if name is not None and language.is_log(name):
        from llmblocks.workspace.disk import DiskLogs

        other_files = DiskLogs(lambda _: settings).other_files(language, name)
    elif name is not None and language.names_files:
        from llmblocks.workspace.files_beside import FilesBeside

        other_files = FilesBeside(os.path.dirname(os.path.abspath(name)))
    return (*checker.all(language.open(text, settings, checker.count_findings), other_files),)
