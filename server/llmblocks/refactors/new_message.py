"""Extraction of a selection to a new message."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from llmblocks.core.edits import Edit
from llmblocks.languages.ask import Ask
from llmblocks.refactors.messages import AUTHOR, ChosenMessage, is_split, message_at, messages_of
from llmblocks.refactors.promises import RefactoredLines, RefactoringChange
from llmblocks.refactors.refactoring import Offer, Refactoring
from llmblocks.refactors.selected import escape_at, newline_of, numbers_matter


def _offer(ask: Ask) -> Iterator[Offer]:
    document, start, end = ask.document, ask.start, ask.end
    message = message_at(ask, start) if document.slice(start, end).strip() else None
    if message is None or end > message.end or numbers_matter(ask):
        return
    newline = newline_of(ask, message.start)
    command = _command(ask, message)
    edits = []
    if document.slice(message.body, start).strip():
        lead = "" if document.slice(start - 1, start) == "\n" else newline
        edits.append(Edit(start, start, f"{lead}{command}{newline}{escape_at(ask, start)}"))
    if rest := document.slice(end, message.end).strip("\r\n"):
        lead = "" if document.slice(end - 1, end) == "\n" else newline
        tail = "" if document.slice(end, end + 2).startswith(("\n", "\r\n")) else newline
        if rest.strip():
            edits.append(Edit(end, end, f"{lead}{command}{tail}{escape_at(ask, end) if tail else ''}"))
    if edits:
        yield Offer("Extract the selection to a new message", (*edits,))


def _command(ask: Ask, message: ChosenMessage) -> str:
    """Return the command line of a message of the same author."""
    given = message.arguments
    kept = [each for each in given.items if each.key in AUTHOR]
    line = ask.document.slice(message.start, message.body).rstrip("\r\n")
    at = line.index(message.name) + len(message.name)
    head, rest = line[:at].lstrip("\ufeff"), line[at:]
    if not kept:
        return head
    if given.braces:
        from llmblocks.json5.writer import write_json5

        return f"{head} {write_json5({each.key: each.value for each in kept}, one_line=True)}"
    return head + "".join([f" {each.key}={rest[each.value_start : each.value_end]}" for each in kept])


def _is_extracted(change: RefactoringChange) -> bool:
    """Return whether a message has become several, none of them empty."""
    return _empty(change.new) <= _empty(change.old) and is_split(change.old, change.new)


def _empty(reading: RefactoredLines) -> int:
    """Return the number of messages without text, resources and calls."""
    messages = messages_of(reading).messages
    return sum([not (isinstance(each.content, list) or each.text.strip() or each.tool_calls) for each in messages])


EXTRACT: Final = Refactoring(
    name="new-message",
    kind="refactor.extract",
    layer="stf",
    summary="Makes the selected text a separate message of the same author.",
    keeps="the text, the calls and the blocks; the id of the message stays with its first part",
    promise=_is_extracted,
    offer=_offer,
    language="stf",
    before="@user name=Ada id=1\nHello.\n«What is a bee?\n»And a wasp?\n",
    after="@user name=Ada id=1\nHello.\n@user name=Ada\nWhat is a bee?\n@user name=Ada\nAnd a wasp?\n",
)
