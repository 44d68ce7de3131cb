"""The findings of a text: the public function."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from heapq import merge
from typing import TYPE_CHECKING

from llmblocks.core.chunks import expect_text
from llmblocks.core.places import order
from llmblocks.languages.registry import find_language, host_ids
from llmblocks.rules.belonging import Belonging, belonging
from llmblocks.rules.checker import check_text
from llmblocks.settings.values import Settings

if TYPE_CHECKING:
    from llmblocks.facts.finding import Finding


def check(
    text: str,
    language_id: str | None,
    settings: Settings | None = None,
    name: str | None = None,
    *,
    known: Collection[str] = (),
    results: Mapping[str, str] | None = None,
) -> tuple[Finding, ...]:
    """Return the findings of a text, in order, as in an editor. Never raises for any text.

    If calls depend on ones outside the text, the other files of its session are read. Paths of embedded files start at
    its folder.

    Args:
        text: The text.
        language_id: The language; by default that of `name`.
        settings: The settings.
        name: The path of the text's file.
        known: For a session in memory, the earlier responses, or the ids of their calls. No other file is read then.
        results: For a session in memory, the runtime's reports about calls, by their ids.

    Raises:
        ValueError: The language is unknown.
        TypeError: The argument is not text.
    """
    expect_text(text, "check")
    return check_of(text, belonging(language_id, settings, name, known, results))


def check_of(text: str, of: Belonging) -> tuple[Finding, ...]:
    """Return the findings of a text in its context, in order. See `check`."""
    if of.language_id in host_ids():
        from llmblocks.hosts.hosted import host_of_language, moved_outside
        from llmblocks.rules.host_findings import host_findings

        host = host_of_language(of.language_id, of.settings)
        assert host is not None, "the id of a host"
        found = host.read(text)
        inside = (
            moved_outside(each, embedded)
            for embedded in found.texts
            for each in _check(embedded.text, embedded.language_id, of)
        )
        return (*merge(host_findings(found, of.settings), inside, key=order),)
    return _check(text, of.language_id, of)


def _check(text: str, language_id: str, of: Belonging) -> tuple[Finding, ...]:
    language = find_language(language_id)
    return (*check_text(language, of.settings, text, of.other_files(language, text)),)
