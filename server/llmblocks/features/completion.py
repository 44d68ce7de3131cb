"""Completions at a position, and the parameters of the call there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from llmblocks.contract.caret import Caret, Signature, Suggestion, SuggestionKind
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section
from llmblocks.languages.ask import Ask
from llmblocks.rules.languages_in_blocks import ask_inside

_LONGEST_LINE = 1 << 12


class Completion(NamedTuple):
    """A completion."""

    start: int
    """Replaces the code points from `start` to `end` of the document. See `Suggestion` for the other fields."""
    end: int
    text: str
    detail: str
    kind: SuggestionKind = "keyword"
    snippet: str = ""
    label: str = ""
    more: Callable[[], str] | None = None
    goes_on: bool = False
    gone: int = 0
    """The text from `end` to `gone` is removed, too."""
    aside: str = ""


def complete(ask: Ask) -> list[Completion]:
    """Return the completions at a position, most likely first, each once.

    Those that begin with the typed text come first, since not every editor sorts by that. No completion changes
    nothing, and none follow a complete item, so that Enter is a new line there.
    """
    if ask.settings.declared_tags and (within := ask_inside(ask)) is not None:
        at = within.start
        inside = complete(within.ask)
        return [each._replace(start=each.start + at, end=each.end + at, gone=each.gone + at) for each in inside]
    caret, kind = caret_of(ask)
    if caret is None:
        return []
    offset, line_start = ask.position, ask.position - len(caret.before)
    found: dict[str, Completion] = {}
    for each in _suggested(ask, caret, kind):
        if each.typed and "\r" in caret.before[-each.typed :]:
            continue  # the client accepts only edits inside one line
        written = caret.before[len(caret.before) - each.typed :] + caret.after[: each.over]
        if written and written in (each.text.rstrip("\n"), each.label):
            if not each.over:
                return []
            if written == each.text:
                continue
        end, label = offset + each.over, each.label or each.text
        shown = each.text, each.detail, each.kind, each.snippet, label, each.more, each.goes_on
        found.setdefault(label, Completion(offset - each.typed, end, *shown, end + each.doubled, each.aside))

    def is_other(each: Completion) -> bool:
        return not each.text.casefold().startswith(caret.before[each.start - line_start :].casefold())

    return sorted(found.values(), key=is_other)


def caret_of(ask: Ask) -> tuple[Caret | None, Kind | None]:
    """Return the caret at a position, and the kind of the token before it. A very long line has no caret."""
    document, offset = ask.document, ask.position
    start, end = document.line_at(offset)
    if offset - start > _LONGEST_LINE:
        return None, None
    # the section of the text before the caret
    placed = document.section_at(max(offset - 1, 0))
    section, inside = placed.section, offset - placed.start
    before = document.slice(start, offset)
    after = document.slice(offset, min(end, offset + _LONGEST_LINE))
    # to a client, a lone return ends a line, too
    after = after.partition("\n")[0].partition("\r")[0]
    caret = Caret(
        section,
        inside,
        before,
        after,
        lambda: document.sections.backward(placed.number + 1),
        lambda: document.sections.onward(placed.number + 1),
        ask.language.symbols,
    )
    return caret, kind_before(section, inside)


def _suggested(ask: Ask, caret: Caret, kind: Kind | None) -> Iterator[Suggestion]:
    commented = kind in ask.language.comments
    for layer in ask.language.loaded:
        if not commented:
            yield from layer.complete(caret, ask.settings)
            if kind in layer.closed or (layer.owns is not None and layer.owns(caret)):
                return
        elif layer.complete_comment is not None:
            yield from layer.complete_comment(caret, ask.settings)


def kind_before(section: Section, inside: int) -> Kind | None:
    """Return the kind of the token before a place; None at the start of a section."""
    at = 0
    for kind, width in section.tokens:
        at += width
        if at >= max(inside, 1):
            return kind if inside else None
    return None


def signature(ask: Ask) -> Signature | None:
    """Return the parameters of the call at a position; None without a call whose parameters are known."""
    caret, kind = caret_of(ask)
    if caret is None or kind in ask.language.comments:
        return None
    for layer in ask.language.loaded:
        found = layer.signature(caret, ask.settings) if layer.signature is not None else None
        if found is not None or (layer.owns is not None and layer.owns(caret)):
            return found
    return None
