"""Transcripts as text: Simple Text Format, JSON, and NDJSON, which is one JSON object a line."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

from llmblocks.contract.markup import shortened
from llmblocks.core.chunks import expect_text
from llmblocks.json5.finite import once
from llmblocks.stf.convert.losses import Converted, Losses
from llmblocks.stf.stream import decode
from llmblocks.stf.syntax import Dialect, dialect_of
from llmblocks.stf.values import shape
from llmblocks.stf.values.messages import EmbedPart, Json, Message, TextPart, Transcript
from llmblocks.stf.values.shape import check_transcript, is_plain, message_from_dict, transcript_from_dict

_SHARED = {"user": "user", "assistant": "ai", "tool": "tool", "system": "system", "developer": "developer"}
_COMMANDS = {"@": _SHARED, ";": {**_SHARED, "system": "sys", "developer": "dev"}}
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
    given |= {key: getattr(message, key) for key in _ORDERS[dialect.header]}
    lines = [_header(dialect, command or "msg", given)]
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


_BOM = "\ufeff"
_HALF = re.compile("[\ud800-\udfff]")
_DEEPEST = 256


def to_json(transcript: Transcript, *, indent: int | None = 2) -> Converted[str]:
    """Return a transcript as JSON: an object with `messages`, and `metadata` if there is any.

    Lost: numbers that are not finite, which become null.

    Raises:
        TypeError: The argument has another type.
        ValueError: A field has the wrong type, or a value is not JSON; the message names the place.
    """
    check_transcript(transcript, "to_json")
    losses = Losses()
    return losses.converted(_json(_finite(transcript.as_dict(), losses), indent))


def to_ndjson(transcript: Transcript) -> Converted[str]:
    """Return the messages of a transcript, one JSON object a line. The metadata, if there is any, is the first line.

    Lost: numbers that are not finite, which become null. Raises the errors of `to_json`.

    Source: `NDJSONCodec` of llm-msg-io 0.2.1.
    """
    check_transcript(transcript, "to_ndjson")
    losses = Losses()
    whole = _finite(transcript.as_dict(), losses)
    lines = [{"metadata": whole["metadata"]}] if transcript.has_metadata else []
    return losses.converted("".join(_json(value) + "\n" for value in lines + whole["messages"]))


def from_json(text: str) -> Transcript:
    """Read the JSON of a transcript: an object as written by `to_json`, or just the list of messages.

    Raises:
        TypeError: The argument has another type.
        ValueError: The JSON is invalid, or repeats a key.
        ShapeError: It is not a transcript, or has unknown keys beside `messages`. This is a `ValueError`.
    """
    expect_text(text, "from_json")
    return transcript_from_dict(load_json(text))


def from_ndjson(text: str) -> Transcript:
    """Read NDJSON, one message a line; blank lines are skipped. The first may be the metadata alone.

    Raises:
        TypeError: The argument has another type.
        ValueError: The JSON is invalid or repeats a key, or a line is not a message; the message names the line.
    """
    expect_text(text, "from_ndjson")
    messages: list[Message] = []
    metadata, has_metadata = None, False
    # Only "\\n" ends a line: splitlines() would also split at U+2028 and others, which values may contain.
    for number, line in enumerate(text.removeprefix(_BOM).split("\n"), 1):
        if not line.strip():
            continue
        value = load_json(line, f"line {number}: ")
        if not (messages or has_metadata) and isinstance(value, dict) and value.keys() == {"metadata"}:
            metadata, has_metadata = value["metadata"], True
            continue
        try:
            messages.append(message_from_dict(value))
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
    return Transcript(messages, metadata, null_metadata=has_metadata and metadata is None)


def load_json(text: str, where: str = "") -> Any:
    """Read a JSON text, even after a byte-order mark. An error or a repeated key is a `ValueError` with `where`."""
    try:
        return json.loads(text.removeprefix(_BOM), object_pairs_hook=once)
    except RecursionError:
        raise ValueError(f"{where}nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"{where}this is not JSON: {error}") from None


def _json(value: Json, indent: int | None = None) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    # UTF-8 holds no half of a character
    return _HALF.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _finite(value: Any, losses: Losses) -> Any:
    if value is None or isinstance(value, str | bool | int) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if isinstance(value, float):
        losses.add(f"JSON has no {json.dumps(value)}: it is null")
        return None
    where = shape.path_name(losses.keys)
    if len(losses.keys) > _DEEPEST:
        raise ValueError(f"{shortened(where, 60)} is nested deeper than {_DEEPEST} levels, or contains itself")
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str):
                raise ValueError(f"{where}: the key {key!r} is not a string: JSON has no other keys")
        return {key: _finite(item, losses.at(key)) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item, losses.at(index)) for index, item in enumerate(value)]
    raise ValueError(f"{where}: {shape.kind_of(value)} is not JSON: use a dict, list, string, number, boolean or None")
