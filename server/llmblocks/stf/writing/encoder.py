"""The encoder: from a transcript to text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from llmblocks.json5.writer import quoted, write_json5
from llmblocks.stf.syntax.dialect import Dialect, dialect_of
from llmblocks.stf.values.arguments import is_json_object
from llmblocks.stf.values.from_dict import ShapeError, message_from_dict
from llmblocks.stf.values.messages import Content, EmbedPart, Message, TextPart, ToolCall, Transcript
from llmblocks.stf.values.valid import check_transcript

_SHARED_COMMANDS = {"user": "user", "assistant": "ai", "tool": "tool"}


class _Style(NamedTuple):
    """The style of header lines: the commands of roles, the order of arguments, and the quoting."""

    commands: Mapping[str, str]
    order: tuple[str, ...]
    must_be_quoted: re.Pattern[str]
    quoted: Callable[[str], str]


_STYLES = {
    # Spaces end an unquoted value, quotes at its ends have a meaning, control characters break lines or are invisible.
    "@": _Style(
        {**_SHARED_COMMANDS, "system": "system", "developer": "developer"},
        ("id", "name", "call_id"),
        re.compile(r"[ '\"\x00-\x1f\x7f\x85\u2028\u2029]"),
        quoted,
    ),
    # As in llm-msg-io, except that it does not escape the newline.
    ";": _Style(
        {**_SHARED_COMMANDS, "system": "sys", "developer": "dev"},
        ("name", "id", "call_id"),
        re.compile(r"[ \t\n'\"]"),
        partial(json.dumps, ensure_ascii=False),
    ),
}


def encode(transcript: Transcript, *, dialect: str = "@") -> str:
    """Write a transcript as text that decodes to the same transcript. Nothing is ever dropped.

    A message takes the short form if it fits, otherwise `raw`.

    Raises:
        ValueError: The dialect does not exist; the `@` dialect cannot hold metadata; or JSON5 cannot hold a value. The
            message names the message and the key.
        TypeError: It is not a transcript.

    Source: simple-text-format for `@`; llm-msg-io 0.2 for `;`, with the layout of its encoder (docs/formats/stf.md has
    the exceptions).
    """
    chosen = dialect_of(dialect)
    check_transcript(transcript, "encode")
    lines: list[str] = []
    if transcript.has_metadata:
        if "meta" not in chosen.commands:
            raise ValueError("the '@' dialect has no place for metadata: encode to ';', or take the metadata away")
        lines += _block(chosen, "meta", _checked(transcript.metadata, "metadata"))
    for index, message in enumerate(transcript.messages):
        where = f"messages[{index}]"
        written = _at(message, chosen) if chosen.header == "@" else _semicolon(message, chosen, where)
        lines += _block(chosen, "raw", _raw(message, where)) if written is None else written
    text = "\n".join(lines)
    return text if chosen.final_newline_is_content or not lines else text + "\n"


def _checked(value: Any, where: str) -> str:
    try:
        return write_json5(value)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def _raw(message: Message, where: str) -> str:
    value = message.as_dict()
    try:
        message_from_dict(value)
    except ShapeError as error:
        raise ValueError(f"{where}: {error}") from None
    return _checked(value, where)


# The forms


def _semicolon(message: Message, dialect: Dialect, where: str) -> list[str] | None:
    """Return a message in the `;` dialect; None if it needs `raw`."""
    has_null = message.more == {"extra": None}
    if (message.more and not has_null) or not _is_short(message) or message.tool_calls is not None:
        return None
    if not isinstance(message.content, str):
        return None
    lines = [_header(message, dialect), *_data(message.content, dialect)]
    if message.extra is not None or has_null:
        lines += _block(dialect, "extra", _checked(message.extra, f"{where}.extra"))
    return lines


def _at(message: Message, dialect: Dialect) -> list[str] | None:
    """Return a message in the `@` dialect; None if it needs `raw`."""
    if message.more or message.extra is not None or not _is_short(message) or message.tool_calls == []:
        return None
    content = _content(message.content, dialect)
    calls = [_call(call, dialect) for call in message.tool_calls or ()]
    if content is None:
        return None
    lines = [_header(message, dialect), *content]
    for call in calls:
        if call is None:
            return None
        lines += call
    return lines


def _is_short(message: Message) -> bool:
    return message.reasoning is None and message.refusal is None


def _content(content: Content, dialect: Dialect) -> list[str] | None:
    if isinstance(content, str):
        return _data(content, dialect) if _fits(content, dialect) else None
    lines: list[str] = []
    after_text = False
    for part in content:
        if isinstance(part, TextPart):
            # Adjacent texts would become one part, and an empty text would vanish.
            if after_text or part.more or not part.text or not _fits(part.text, dialect):
                return None
            lines += _data(part.text, dialect)
        else:
            embed = _embed(part, dialect)
            if embed is None:
                return None
            lines += embed
        after_text = isinstance(part, TextPart)
    # Without an embed, the content would be read as a string.
    return lines if any(isinstance(part, EmbedPart) for part in content) else None


def _fits(text: str, dialect: Dialect) -> bool:
    """Return whether data lines can represent a text. In `@`, a "\\r" before a line end belongs to the line end."""
    return not (dialect.crlf and ("\r\n" in text or text.endswith("\r")))


def _data(text: str, dialect: Dialect) -> list[str]:
    if not text:
        return []
    return [dialect.header + line if line.startswith(dialect.header) else line for line in text.split("\n")]


def _call(call: ToolCall, dialect: Dialect) -> list[str] | None:
    text = call.arguments
    if call.more or "\n" in text or not _fits(text, dialect) or not is_json_object(text):
        return None
    given = {"name": call.name, "id": call.id, "call_id": call.call_id}
    return [f"{dialect.header}call{_pairs(given, _STYLES[dialect.header])}", *_data(text, dialect)]


def _embed(part: EmbedPart, dialect: Dialect) -> list[str] | None:
    if part.url is None or "\n" in part.url or not _fits(part.url, dialect):
        return None
    if any(not isinstance(part.more.get(key, ""), str) for key in ("name", "format", "file_id")):
        return None
    if not part.more.keys().isdisjoint(("type", "url", "mime", "data")):
        return None
    given = {"type": part.type, "mime": part.mime, "data": part.data}
    simple = all(isinstance(value, str) and re.fullmatch(dialect.key, key) for key, value in part.more.items())
    if simple:
        header = _pairs({**given, **part.more}, _STYLES[dialect.header])
    else:
        try:
            known = {key: value for key, value in given.items() if value is not None}
            header = " " + write_json5({**known, **part.more}, one_line=True)
        except ValueError:
            return None
    return [f"{dialect.header}embed{header}", part.url if part.url == "" else _data(part.url, dialect)[0]]


def _header(message: Message, dialect: Dialect) -> str:
    style = _STYLES[dialect.header]
    command = style.commands.get(message.role)
    text = dialect.header + (f"msg{_pair('role', message.role, style)}" if command is None else command)
    for key in style.order:
        value: str | None = getattr(message, key)
        if value is not None:
            text += _pair(key, value, style)
    return text


def _pairs(given: Mapping[str, str | None], style: _Style) -> str:
    return "".join(_pair(key, value, style) for key, value in given.items() if value is not None)


def _pair(key: str, value: str, style: _Style) -> str:
    return f" {key}={style.quoted(value) if not value or style.must_be_quoted.search(value) else value}"


def _block(dialect: Dialect, command: str, text: str) -> list[str]:
    return [f"{dialect.header}{command}", *text.split("\n"), f"{dialect.header}end"]
