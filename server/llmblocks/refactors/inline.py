"""Removal of the syntax around a text: the tags of a block, the command line of a message."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from llmblocks.core.edits import Edit, Shift, edited
from llmblocks.core.markup import code
from llmblocks.core.nest import nest
from llmblocks.core.scan import Kind
from llmblocks.languages.ask import Ask
from llmblocks.refactors.messages import calls_and_words, is_lost, message_at
from llmblocks.refactors.refactoring import LONGEST, Offer, Refactoring
from llmblocks.refactors.selected import tokens_of
from llmblocks.stf.editor import kinds as stf
from llmblocks.stf.reading.decoder import decode
from llmblocks.tags.editor import kinds as tags
from llmblocks.tags.editor.nesting import BLOCK, NESTING

_OURS = frozenset((tags.OPENING, tags.CLOSING))


def _block(ask: Ask) -> Iterator[Offer]:
    """From one of its tags."""
    document = ask.document
    placed = document.section_at(ask.position)
    if ask.start != ask.end or placed.section.length > LONGEST or is_lost(ask):
        return
    at = ask.position - placed.start
    block = next((each for each in nest(placed.section, NESTING) if each.start <= at <= each.end), None)
    if block is None or block.kind != BLOCK or not block.closed:
        return
    inside = [*tokens_of(document, placed.start + block.start, placed.start + block.end)]
    opened = next((each.end for each in inside if each.kind is tags.OPENED), None)
    closing = next((each.start for each in inside if each.kind is tags.CLOSING), None)
    if opened is None or closing is None or opened <= ask.position < closing:
        return
    name = next(document.slice(each.start, each.end) for each in inside if each.kind is tags.NAME)
    edits = (
        _without_line(ask, placed.start + block.start, opened),
        _without_line(ask, closing, placed.start + block.end),
    )
    if edits[0].end <= edits[1].start and _is_text(ask, placed.start, placed.section.text, edits):
        yield Offer(f"Remove the tags of this block {code(name)}", edits)


def _is_text(ask: Ask, start: int, text: str, edits: tuple[Edit, ...]) -> bool:
    """Whether what is in a block begins none once its tags are gone, nor ends one: the other tags are those before."""
    gone = [Edit(at - start, end - start, new) for at, end, new in edits]
    shift = Shift(gone)
    kept = [
        (kind, shift.span(at, at)[0])
        for kind, at in _tags(ask, text)
        if not any(each.start <= at < each.end for each in gone)
    ]
    return kept == _tags(ask, edited(text, gone))


def _tags(ask: Ask, text: str) -> list[tuple[Kind, int]]:
    """Where tags begin in a text."""
    every = tokens_of(ask.language.open(text, ask.settings), 0, len(text))
    return [(each.kind, each.start) for each in every if each.kind in _OURS]


def _without_line(ask: Ask, start: int, end: int) -> Edit:
    """A stretch, with its line if nothing else is on it."""
    document = ask.document
    line = document.position(start)[0]
    first, last = document.line_start(line), document.line_start(line + 1)
    around = document.slice(first, start) + document.slice(end, last)
    return Edit(start, end, "") if around.strip() or end > last else Edit(first, last, "")


def _message(ask: Ask) -> Iterator[Offer]:
    """From its command line."""
    document = ask.document
    line = document.position(ask.position)[0]
    start, body = document.line_start(line), document.line_start(line + 1)
    kinds = [each.kind for each in tokens_of(document, start, body)]
    if ask.start != ask.end or stf.MESSAGE_NAME not in kinds or not start:
        return
    before, here = message_at(ask, start - 1) or message_at(ask, start), message_at(ask, body)
    if before is None or here is None or here.body != body or before.end != here.start:
        return
    dialect = here.dialect.header
    texts = document.slice(before.start, here.end), document.slice(before.start, start), document.slice(body, here.end)
    old, new = (decode(each, dialect=dialect) for each in (texts[0], texts[1] + texts[2]))
    if old.findings or new.findings or len(old.messages) != 2 or len(new.messages) != 1:
        return
    one, other = old.messages
    same = (one.role, one.name) == (other.role, other.name) and not (other.id or other.call_id)
    if not same or new.messages[0].text.replace("\n", "") != f"{one.text}{other.text}".replace("\n", ""):
        return
    # a call without an end would go on into the next message
    if calls_and_words(ask, texts[0], here.dialect) == calls_and_words(ask, texts[1] + texts[2], here.dialect):
        yield Offer("Join this message to the one before it", (Edit(start, body, ""),))


UNWRAP: Final = Refactoring(
    name="unwrap-block",
    kind="refactor.inline",
    layer="tags",
    summary="Removes the tags of a custom block, from one of them.",
    keeps="the text in the block",
    offer=_block,
    language="custom-blocks",
    before="Hello.\n<th«»ink>\nwhere to look\n</think>\nBye.\n",
    after="Hello.\nwhere to look\nBye.\n",
)
JOIN: Final = Refactoring(
    name="join-message",
    kind="refactor.inline",
    layer="stf",
    summary="Joins a message to the one before it, from its command line, if both have the same author.",
    keeps="the text, the calls and the resources of both messages",
    offer=_message,
    language="stf",
    before="@user\nWhat is a bee?\n@us«»er\nAnd a wasp?\n",
    after="@user\nWhat is a bee?\nAnd a wasp?\n",
)
