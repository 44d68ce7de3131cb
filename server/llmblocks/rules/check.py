"""The findings of a text: the public function."""

from __future__ import annotations

from heapq import merge
from typing import TYPE_CHECKING

from llmblocks.core.chunks import expect_text
from llmblocks.core.other_files import ALONE
from llmblocks.core.places import order
from llmblocks.languages.registry import find_language, host_ids, language_ids
from llmblocks.rules.checker import check_text
from llmblocks.rules.project import Project
from llmblocks.settings.values import DEFAULTS, Settings

if TYPE_CHECKING:
    from llmblocks.facts.finding import Finding


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
    project = None if name is None else Project(settings=settings)
    if project is not None and name is not None:
        language_id = language_id or project.language_of(name)
        settings = project.settings_for(name)
    if language_id is None:
        raise ValueError(
            f"the name {name!r} does not determine a language: use one of {', '.join((*language_ids(), *host_ids()))}"
        )
    if language_id in host_ids():
        from llmblocks.hosts.hosted import host_of_language, moved_outside
        from llmblocks.rules.host_findings import host_findings

        host = host_of_language(language_id, settings)
        assert host is not None, "the id of a host"
        found = host.read(text)
        inside = (
            moved_outside(each, embedded)
            for embedded in found.texts
            for each in _check(embedded.text, embedded.language_id, settings, project, name)
        )
        return (*merge(host_findings(found, settings), inside, key=order),)
    return _check(text, language_id, settings, project, name)


def _check(
    text: str, language_id: str, settings: Settings, project: Project | None, name: str | None
) -> tuple[Finding, ...]:
    language = find_language(language_id)
    other_files = ALONE if project is None or name is None else project.other_files(language, name)
    return (*check_text(language, settings, text, other_files),)
