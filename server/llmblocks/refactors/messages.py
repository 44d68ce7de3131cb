"""The message at a cursor, as the refactorings of chats read it."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from llmblocks.languages.ask import Ask
from llmblocks.refactors.promises import LONGEST, RefactoredLines
from llmblocks.refactors.selected import header_of, tokens_of
from llmblocks.stf import kinds
from llmblocks.stf.stream import decode
from llmblocks.stf.syntax.arguments import Arguments, parse_arguments
from llmblocks.stf.syntax.dialect import DIALECTS, Dialect
from llmblocks.stf.values.messages import EmbedPart, Message, Part, Transcript

AUTHOR: Final = ("role", "name")
_ENDS = frozenset((kinds.MESSAGE_NAME, kinds.RAW_NAME, kinds.FLUSH_NAME))


class ChosenMessage(NamedTuple):
    """A message with a role."""

    start: int
    """Where its command line begins, `body` where the line below it does, `end` is where the next one begins."""
    name: str
    """That of its command."""
    body: int
    end: int
    dialect: Dialect
    arguments: Arguments


def message_at(ask: Ask, offset: int) -> ChosenMessage | None:
    """Return the message whose text a place is in; None for a raw one, outside of messages, and where it is long."""
    document = ask.document
    found = None
    for placed in document.backward(offset):
        at = placed.start
        for kind, width in placed.section.tokens:
            if kind in _ENDS and at + width <= offset:
                found = kind, at, at + width
            at += width
        if found is not None or offset - placed.start > LONGEST:
            break
    if found is None or found[0] is not kinds.MESSAGE_NAME:
        return None
    _, name, name_end = found
    line = document.position(name)[0]
    first, body = document.line_start(line), document.line_start(line + 1)
    end = _end(ask, body)
    if end is None or offset < body:
        return None
    dialect = DIALECTS[header_of(ask, name)]
    rest = document.slice(name_end, body).rstrip("\r\n")
    return ChosenMessage(
        first, document.slice(name, name_end), body, end, dialect, parse_arguments(rest, 0, len(rest), dialect)
    )


def _end(ask: Ask, body: int) -> int | None:
    document, far = ask.document, body + LONGEST
    for kind, at, _ in tokens_of(document, body, far):
        if kind in _ENDS:
            return document.line_start(document.position(at)[0])
    return len(document) if len(document) <= far else None


def messages_of(reading: RefactoredLines) -> Transcript:
    """Return the messages of some lines."""
    return decode(reading.text, dialect=reading.settings.dialect, default_role=reading.settings.default_role or None)


def is_split(whole: RefactoredLines, parts: RefactoredLines) -> bool:
    """Return whether one message of a text is several of its author in another, and nothing else differs.

    All that is said of it but its text, calls and resources is said of the first.
    """
    one, other = messages_of(whole), messages_of(parts)
    old, new = one.messages, other.messages
    at = next((at for at, (each, now) in enumerate(zip(old, new, strict=False)) if each != now), len(old))
    end = at + 1 + len(new) - len(old)
    if at == len(old) or end < at + 2 or old[at + 1 :] != new[end:] or len(other.findings) > len(one.findings):
        return False
    author = {key: value for key, value in _as_dict(old[at]).items() if key in AUTHOR}
    # what is in front of the messages is read too
    text, texts = whole.texts[at + 1], parts.texts[at + 1 : end + 1]
    return (
        _as_dict(new[at]) == _as_dict(old[at])
        and all(_as_dict(each) == author for each in new[at + 1 : end])
        and [each for part in new[at:end] for each in part.tool_calls or ()] == (old[at].tool_calls or [])
        and [each for part in new[at:end] for each in _resources(part)] == _resources(old[at])
        and "".join([each.words for each in texts]) == text.words
        and [call for each in texts for call in each.calls] == text.calls
        and [block for each in texts for block in each.blocks] == text.blocks
    )


def _as_dict(message: Message) -> dict[str, Any]:
    return {key: value for key, value in message.as_dict().items() if key not in ("content", "tool_calls")}


def _resources(message: Message) -> list[Part]:
    return [] if isinstance(message.content, str) else [part for part in message.content if isinstance(part, EmbedPart)]
