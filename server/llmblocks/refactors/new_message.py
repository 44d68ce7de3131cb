"""Extraction of a selection to a new message."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from llmblocks.core.edits import Edit, edited
from llmblocks.languages.ask import Ask
from llmblocks.refactors.messages import ChosenMessage, calls_and_words, message_at
from llmblocks.refactors.refactoring import Offer, Refactoring
from llmblocks.refactors.selected import newline_of
from llmblocks.stf.reading.decoder import decode

_KEPT = ("role", "name")


def _offer(ask: Ask) -> Iterator[Offer]:
    document, start, end = ask.document, ask.start, ask.end
    message = message_at(ask, start) if start < end else None
    if message is None or end > message.end or not document.slice(start, end).strip():
        return
    newline = newline_of(ask, message.start)
    command = _command(ask, message)
    edits = []
    if document.slice(message.body, start).strip():
        lead = "" if document.slice(start - 1, start) == "\n" else newline
        edits.append(Edit(start, start, f"{lead}{command}{newline}"))
    if rest := document.slice(end, message.end).strip("\r\n"):
        lead = "" if document.slice(end - 1, end) == "\n" else newline
        tail = "" if document.slice(end, end + 2).startswith(("\n", "\r\n")) else newline
        if rest.strip():
            edits.append(Edit(end, end, f"{lead}{command}{tail}"))
    if edits and _keeps(ask, message, edits):
        yield Offer("Extract the selection to a new message", (*edits,))


def _command(ask: Ask, message: ChosenMessage) -> str:
    """The command line of a message of the same author."""
    given = message.arguments
    kept = [each for each in given.items if each.key in _KEPT]
    line = ask.document.slice(message.start, message.body).rstrip("\r\n")
    at = line.index(message.name) + len(message.name)
    head, rest = line[:at].lstrip("\ufeff"), line[at:]
    if not kept:
        return head
    if given.braces:
        from llmblocks.stf.json5.writer import write_json5

        return f"{head} {write_json5({each.key: each.value for each in kept}, one_line=True)}"
    return head + "".join([f" {each.key}={rest[each.value_start : each.value_end]}" for each in kept])


def _keeps(ask: Ask, message: ChosenMessage, edits: list[Edit]) -> bool:
    """Whether the new messages have the author and the text of the old one, and the same calls and blocks."""
    text = ask.document.slice(message.start, message.end)
    made = edited(text, [Edit(at - message.start, end - message.start, new) for at, end, new in edits])
    dialect = message.dialect.header
    old, new = (decode(each, dialect=dialect) for each in (text, made))
    if len(old.messages) != 1 or len(new.messages) != 1 + len(edits) or len(new.findings) > len(old.findings):
        return False
    one = old.messages[0]
    before, after = (calls_and_words(ask, each, message.dialect) for each in (text, made))
    parts: list[Any] = [part for each in new.messages for part in each.tool_calls or ()]
    return (
        all((each.role, each.name) == (one.role, one.name) for each in new.messages)
        and parts == (one.tool_calls or [])
        and "".join([each.text for each in new.messages]).replace("\n", "") == one.text.replace("\n", "")
        and before == after
    )


EXTRACT: Final = Refactoring(
    name="new-message",
    kind="refactor.extract",
    layer="stf",
    summary="Makes the selected text a separate message of the same author.",
    keeps="the text, the calls and the blocks; the id of the message stays with its first part",
    offer=_offer,
    language="stf",
    before="@user name=Ada id=1\nHello.\n«What is a bee?\n»And a wasp?\n",
    after="@user name=Ada id=1\nHello.\n@user name=Ada\nWhat is a bee?\n@user name=Ada\nAnd a wasp?\n",
)
