"""The encoder: from a transcript to text."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from llmblocks.stf.stream import decode
from llmblocks.stf.syntax.dialect import Dialect, dialect_of
from llmblocks.stf.values.messages import EmbedPart, Message, TextPart, Transcript
from llmblocks.stf.values.shape import check_transcript, is_plain

_SHARED = {"user": "user", "assistant": "ai", "tool": "tool"}
_COMMANDS = {
    "@": {**_SHARED, "system": "system", "developer": "developer"},
    ";": {**_SHARED, "system": "sys", "developer": "dev"},
}
_ORDERS = {"@": ("id", "name", "call_id"), ";": ("name", "id", "call_id")}
# Spaces end an unquoted value, quotes at its ends have a meaning, control characters break lines or are invisible.
# For `;`, as in llm-msg-io, except that it does not escape the newline.
_QUOTED_IF = {"@": re.compile(r"[ '\"\x00-\x1f\x7f\x85\u2028\u2029]"), ";": re.compile(r"[ \t\n'\"]")}


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
        lines += _block(chosen, "meta", transcript.metadata, "metadata")
    for index, message in enumerate(transcript.messages):
        lines += _lines(message, chosen, f"messages[{index}]")
    return _text(lines, chosen)


def _text(lines: list[str], dialect: Dialect) -> str:
    return "\n".join(lines) + "\n" * (bool(lines) and not dialect.final_newline_is_content)


def _lines(message: Message, dialect: Dialect, where: str) -> list[str]:
    """Return the short form of a message if it reads back as the same message, otherwise `raw`."""
    short = _short(message, dialect, where)
    # nearly all messages have only text, in which only a return may have another meaning
    is_same = is_plain(message) and "\r" not in message.text
    if not is_same:
        read = decode(_text(short, dialect), dialect=dialect.header)
        is_same = read.messages == [message] and not read.findings
    return short if is_same else _block(dialect, "raw", message.as_dict(), where)


def _short(message: Message, dialect: Dialect, where: str) -> list[str]:
    """Return the short form of a message, which may read back as another one."""
    command = _COMMANDS[dialect.header].get(message.role)
    given: dict[str, str | None] = {} if command else {"role": message.role}
    lines = [
        _header(dialect, command or "msg", given | {key: getattr(message, key) for key in _ORDERS[dialect.header]})
    ]
    for index, part in enumerate([TextPart(message.content)] if isinstance(message.content, str) else message.content):
        if isinstance(part, TextPart):
            lines += _data(part.text, dialect) if part.text else []
        else:
            lines += [_embed(part, dialect, f"{where}.content[{index}]"), *_data(part.url or "", dialect)]
    for call in message.tool_calls or ():
        given = {"name": call.name, "id": call.id, "call_id": call.call_id}
        lines += [_header(dialect, "call", given), *_data(call.arguments, dialect)]
    if "extra" in dialect.commands and (message.extra is not None or "extra" in (message.more or {})):
        lines += _block(dialect, "extra", message.extra, f"{where}.extra")
    return lines


def _embed(part: EmbedPart, dialect: Dialect, where: str) -> str:
    own = {"type": part.type, "mime": part.mime, "data": part.data}
    given: dict[str, Any] = {key: value for key, value in own.items() if value is not None} | part.more
    if all(isinstance(value, str) and re.fullmatch(dialect.key, key) for key, value in part.more.items()):
        return _header(dialect, "embed", given)
    return f"{dialect.header}embed {_json5(given, where, one_line=True)}"


def _header(dialect: Dialect, command: str, arguments: Mapping[str, str | None]) -> str:
    text = dialect.header + command
    for key, value in arguments.items():
        if value is not None and (not value or _QUOTED_IF[dialect.header].search(value)):
            value = json.dumps(value, ensure_ascii=False)
            if dialect.header == "@":
                value = value.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
        text += "" if value is None else f" {key}={value}"
    return text


def _data(text: str, dialect: Dialect) -> list[str]:
    return [dialect.header + line if line.startswith(dialect.header) else line for line in text.split("\n")]


def _block(dialect: Dialect, command: str, value: Any, where: str) -> list[str]:
    return [f"{dialect.header}{command}", *_json5(value, where).split("\n"), f"{dialect.header}end"]


def _json5(value: Any, where: str, *, one_line: bool = False) -> str:
    from llmblocks.json5.writer import write_json5

    try:
        return write_json5(value, one_line=one_line)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None
