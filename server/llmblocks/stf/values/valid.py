"""Validation of messages before they are written."""

from __future__ import annotations

from typing import Any

from llmblocks.stf.syntax.dialect import EMBED_TYPES
from llmblocks.stf.syntax.problems import kind_of
from llmblocks.stf.values.from_dict import MESSAGE_KEYS
from llmblocks.stf.values.messages import EmbedPart, Message, TextPart, ToolCall, Transcript

_EMBED_FIELDS = frozenset(("type", "url", "mime", "data"))


_INSTEAD = {
    Message: "Transcript([message])",
    list: "Transcript(messages)",
    tuple: "Transcript(list(messages))",
    dict: "transcript_from_dict(value)",
    str: "decode(text)",
}


def check_transcript(transcript: object, taker: str) -> list[bool]:
    """Check a transcript; errors name the function `taker`.

    Returns:
        For each message, whether it `is_plain`.

    Raises:
        TypeError: It is not a transcript.
        ValueError: A message has fields of the wrong type.
    """
    if not isinstance(transcript, Transcript):
        instead = next((text for kind, text in _INSTEAD.items() if isinstance(transcript, kind)), "Transcript([…])")
        raise TypeError(f"{taker} takes a Transcript, not {kind_of(transcript)}: pass {instead}")
    if not isinstance(transcript.messages, list | tuple):
        raise TypeError(f"{taker}: the messages of a transcript are a list, not {kind_of(transcript.messages)}")
    plain = [*map(is_plain, transcript.messages)]
    for index, message in enumerate(transcript.messages):
        if not plain[index]:
            check_message(message, f"messages[{index}]")
    return plain


def is_plain(message: object) -> bool:
    """Return whether this is a valid message with only a role and text, as most messages are."""
    return (
        type(message) is Message
        and type(message.role) is str
        and type(message.content) is str
        and message.id is message.name is message.call_id is message.reasoning is message.refusal is None
        and message.tool_calls is message.extra is message.more is None
    )


def check_message(message: object, where: str) -> None:
    """Check a message at the place `where`.

    Raises:
        TypeError: It is not a message.
        ValueError: A field has the wrong type.
    """
    if not isinstance(message, Message):
        hint = "message_from_dict makes one" if isinstance(message, dict) else "make one of it"
        raise TypeError(f"{where} must be a Message, not {kind_of(message)}: {hint}")
    _check_strings(message, ("role",), ("id", "name", "call_id"), where)
    _check_content(message.content, f"{where}.content")
    if message.reasoning is not None:
        _check_content(message.reasoning, f"{where}.reasoning")
    if message.refusal is not None:
        _check_content(message.refusal, f"{where}.refusal")
    if message.tool_calls is not None:
        _check_calls(message.tool_calls, f"{where}.tool_calls")
    # A null `extra` can only be in `more`.
    null_extra = message.extra is None and isinstance(message.more, dict) and message.more.get("extra", 0) is None
    _check_more(message.more, MESSAGE_KEYS - {"extra"} if null_extra else MESSAGE_KEYS, where)


def _check_strings(value: Any, needed: tuple[str, ...], optional: tuple[str, ...], where: str) -> None:
    for key in (*needed, *optional):
        held = getattr(value, key)
        if not isinstance(held, str) and (held is not None or key in needed):
            raise ValueError(f"{where}.{key} must be a string, not {held!r}")


def _check_content(content: Any, where: str) -> None:
    if isinstance(content, str):
        return
    if not isinstance(content, list):
        raise ValueError(f"{where} must be a string or a list of parts, not {content!r}")
    for index, part in enumerate(content):
        at = f"{where}[{index}]"
        if isinstance(part, TextPart):
            _check_strings(part, ("text",), (), at)
            _check_more(part.more, frozenset(("type", "text")), at)
        elif isinstance(part, EmbedPart):
            _check_strings(part, ("type",), ("url", "mime", "data"), at)
            if part.type not in EMBED_TYPES:
                raise ValueError(f'{at}.type must be "audio", "file" or "image", not {part.type!r}')
            # A `mime` that is not a string can only be in `more`.
            more: Any = part.more
            odd_mime = part.mime is None and isinstance(more, dict) and not isinstance(more.get("mime", ""), str)
            _check_more(more, _EMBED_FIELDS - {"mime"} if odd_mime else _EMBED_FIELDS, at)
        else:
            raise ValueError(f"{at} must be a TextPart or an EmbedPart, not {part!r}")


def _check_calls(calls: Any, where: str) -> None:
    if not isinstance(calls, list):
        raise ValueError(f"{where} must be a list of calls, not {calls!r}")
    for index, call in enumerate(calls):
        at = f"{where}[{index}]"
        if not isinstance(call, ToolCall):
            raise ValueError(f"{at} must be a ToolCall, not {call!r}")
        _check_strings(call, ("name", "arguments"), ("id", "call_id"), at)
        _check_more(call.more, frozenset(("name", "arguments", "id", "call_id")), at)


def _check_more(more: Any, own: frozenset[str], where: str) -> None:
    if more is not None and not isinstance(more, dict):
        raise ValueError(f"{where}.more must be a dict of further keys, not {more!r}")
    for key in more or ():
        if key in own:
            raise ValueError(f"{where}.more has the key '{key}', which is a field: use the field")
