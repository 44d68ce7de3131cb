"""The embedded texts of a host, and edits of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from llmblocks.core.edits import Edit, edited
from llmblocks.core.places import Related
from llmblocks.facts.finding import Finding
from llmblocks.gadget.syntax.markers import Markers
from llmblocks.hosts.embedded import EmbeddedText, Host
from llmblocks.languages.registry import LANGUAGES, find_language, host_ids
from llmblocks.settings.values import Settings

InnerEdits = tuple[EmbeddedText, Sequence[Edit]]
"""An embedded text, and edits of it."""
_MOST_TRIES = 64
_IDS = tuple([each.id for each in LANGUAGES if not each.repeats])
"""In a fence, `request` means an HTTP request."""


def host_of_language(language_id: str, settings: Settings) -> Host | None:
    """Return the host with an id, for files with some settings; None for one of our languages."""
    if language_id not in host_ids():
        return None
    if language_id == "markdown":
        return _markdown(settings.markers, settings.unnamed_fences)
    if find_language(language_id).code:
        from llmblocks.hosts.code import Code

        names = [each.partition(":") for by_glob in settings.code for each in by_glob.values]
        known = tuple([(re.compile(name), language) for language, _, name in names])
        return Code(language_id, _IDS, known, settings.markers)
    from llmblocks.hosts.json_data import JsonData

    return JsonData.of(settings, by_line=language_id == "jsonl")


@lru_cache(maxsize=16)
def _markdown(markers: Markers, unnamed: bool) -> Host:
    from llmblocks.hosts.markdown import Markdown

    return Markdown(_IDS, markers, unnamed=unnamed)


def embedded_in(text: str, host_id: str, settings: Settings) -> Sequence[EmbeddedText]:
    """Return the embedded texts of a document, in order."""
    host = host_of_language(host_id, settings)
    assert host is not None, "the id of a host"
    return host.find(text)


def moved_outside(finding: Finding, embedded: EmbeddedText) -> Finding:
    """Map a finding in an embedded text to the host."""
    related = tuple([Related(*embedded.span(each.start, each.end), each.message) for each in finding.related])
    start, end = embedded.span(finding.start, finding.end)
    return finding.__replace__(start=start, end=end, related=related)


def edits_outside(text: str, host: Host, edits: Iterable[InnerEdits]) -> list[Edit]:
    """Return the edits of a host for edits of its embedded texts.

    The edits of a text are dropped if the host would then read another text; with many such texts, so are those of the
    texts after them. A text without a final line end may get one, if the host needs it.
    """
    waiting = [[each for each in edits if each[1]]]
    found = host.find(text) if waiting[0] else ()
    made: list[Edit] = []
    for _ in range(_MOST_TRIES):
        if not waiting:
            break
        some = waiting.pop()
        texts = {embedded.segments[0].start: edited(embedded.text, inner) for embedded, inner in some}
        outer = sorted(host.outside(text, embedded, edit) for embedded, inner in some for edit in inner)
        read = [(each.language_id, each.text) for each in host.find(edited(text, outer))]
        expected = [(each.language_id, texts.get(each.segments[0].start, each.text)) for each in found]
        if [*map(_ended, read)] == [*map(_ended, expected)]:
            made += outer
        elif len(some) > 1:
            half = len(some) // 2
            waiting += [some[half:], some[:half]]
    return sorted(made)


def _ended(text: tuple[str, str]) -> tuple[str, str]:
    return text[0], text[1] if text[1].endswith(("\r", "\n")) else f"{text[1]}\n"
