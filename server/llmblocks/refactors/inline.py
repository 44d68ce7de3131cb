"""Removal of the syntax around a text: the tags of a block, the command line of a message."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from llmblocks.contract.markup import code
from llmblocks.core.edits import Edit
from llmblocks.core.nest import nest
from llmblocks.languages.ask import Ask
from llmblocks.refactors.messages import is_split, messages_of
from llmblocks.refactors.promises import LONGEST, RefactoringChange, one_less_block
from llmblocks.refactors.refactoring import Offer, Refactoring
from llmblocks.refactors.selected import escape_at, numbers_matter, tokens_of
from llmblocks.stf import kinds as stf
from llmblocks.tags import kinds as tags
from llmblocks.tags.editor.nesting import BLOCK, NESTING


def _block(ask: Ask) -> Iterator[Offer]:
    """From one of its tags."""
    document = ask.document
    placed = document.section_at(ask.position)
    if ask.start != ask.end or placed.section.length > LONGEST:
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
    if edits[0].end <= edits[1].start:
        yield Offer(f"Remove the tags of this block {code(name)}", edits)


def _without_line(ask: Ask, start: int, end: int) -> Edit:
    """Return a stretch, with its line if nothing else is on it."""
    document = ask.document
    line = document.position(start)[0]
    first, last = document.line_start(line), document.line_start(line + 1)
    around = document.slice(first, start) + document.slice(end, last)
    if around.strip() or end > last:
        return Edit(start, end, escape_at(ask, end) if start == first else "")
    return Edit(first, last, "")


def _message(ask: Ask) -> Iterator[Offer]:
    """From its command line."""
    document = ask.document
    line = document.position(ask.position)[0]
    start, body = document.line_start(line), document.line_start(line + 1)
    kinds = [each.kind for each in tokens_of(document, start, body)]
    if ask.start != ask.end or stf.MESSAGE_NAME not in kinds or not start or numbers_matter(ask):
        return
    yield Offer("Join this message to the one before it", (Edit(start, body, ""),))


def _is_joined(change: RefactoringChange) -> bool:
    """Return whether two messages of one author have become one, and no two words."""
    old, new = (messages_of(each).messages for each in (change.old, change.new))
    words = [sum([len(each.text.split()) for each in messages]) for messages in (old, new)]
    return words[0] == words[1] and is_split(change.new, change.old)


UNWRAP: Final = Refactoring(
    name="unwrap-block",
    kind="refactor.inline",
    layer="tags",
    summary="Removes the tags of a custom block, from one of them.",
    keeps="the text in the block",
    promise=one_less_block,
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
    promise=_is_joined,
    offer=_message,
    language="stf",
    before="@user\nWhat is a bee?\n@us«»er\nAnd a wasp?\n",
    after="@user\nWhat is a bee?\nAnd a wasp?\n",
)
