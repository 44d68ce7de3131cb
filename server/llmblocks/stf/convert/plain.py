"""Transcripts as plain JSON, and as NDJSON: one JSON object a line."""

from __future__ import annotations

import json
import math
from typing import Any

from llmblocks.json5.finite import once
from llmblocks.json5.writer import write_json5
from llmblocks.stf.convert.characters import escaped
from llmblocks.stf.convert.converted import Converted, Losses, below
from llmblocks.stf.syntax.problems import check_text
from llmblocks.stf.values.from_dict import message_from_dict, transcript_from_dict
from llmblocks.stf.values.messages import Message, Transcript
from llmblocks.stf.values.valid import check_transcript

_BOM = "\ufeff"


def to_json(transcript: Transcript, *, indent: int | None = 2) -> Converted[str]:
    """Return a transcript as JSON: an object with `messages`, and `metadata` if there is any.

    Lost: numbers that are not finite, which become null.

    Raises:
        TypeError: The argument has another type.
        ValueError: A field has the wrong type, or a value is not JSON; the message names the place.
    """
    plain = check_transcript(transcript, "to_json")
    losses = Losses()
    write = _PlainWriter(indent)
    messages = [
        write.plain_message(message)
        if plain[index]
        else write.value(_plain(message.as_dict(), f"messages[{index}]", losses), 2)
        for index, message in enumerate(transcript.messages)
    ]
    members = [f'"messages": {write.joined(messages, 1, "[]")}']
    if transcript.has_metadata:
        members.append(f'"metadata": {write.value(_plain(transcript.metadata, "metadata", losses), 1)}')
    return losses.converted(escaped(write.joined(members, 0, "{}")))


class _PlainWriter:
    """Writes JSON. With an indent, `json` takes ten times as long, so most messages are written here."""

    def __init__(self, indent: int | None) -> None:
        self._indent = indent
        self._string = json.JSONEncoder(ensure_ascii=False).encode

    def value(self, value: Any, depth: int) -> str:
        """Return a value that begins on a line of this depth."""
        text = json.dumps(value, ensure_ascii=False, indent=self._indent, allow_nan=False)
        return text if self._indent is None else text.replace("\n", self._line(depth))

    def plain_message(self, message: Message) -> str:
        """Return a message with a role and text."""
        members = [f'"role": {self._string(message.role)}', f'"content": {self._string(message.content)}']
        return self.joined(members, 2, "{}")

    def joined(self, items: list[str], depth: int, brackets: str) -> str:
        """Return the items in brackets that begin on a line of this depth."""
        opened, closed = brackets[0], brackets[1]
        if not items:
            return brackets
        if self._indent is None:
            return f"{opened}{', '.join(items)}{closed}"
        line = self._line(depth + 1)
        return f"{opened}{line}{f',{line}'.join(items)}{self._line(depth)}{closed}"

    def _line(self, depth: int) -> str:
        return "\n" + " " * (depth * (self._indent or 0))


def from_json(text: str) -> Transcript:
    """Read the JSON of a transcript: an object as written by `to_json`, or just the list of messages.

    Raises:
        TypeError: The argument has another type.
        ValueError: The JSON is invalid, or repeats a key.
        ShapeError: It is not a transcript, or has unknown keys beside `messages`. This is a `ValueError`.
    """
    check_text(text, "from_json")
    return transcript_from_dict(load_json(text))


def to_ndjson(transcript: Transcript) -> Converted[str]:
    """Return the messages of a transcript, one JSON object a line. The metadata, if there is any, is the first line.

    Lost: numbers that are not finite, which become null. Raises the errors of `to_json`.

    Source: `NDJSONCodec` of llm-msg-io 0.2.1.
    """
    check_transcript(transcript, "to_ndjson")
    losses = Losses()
    values = [{"metadata": _plain(transcript.metadata, "metadata", losses)}] if transcript.has_metadata else []
    for index, message in enumerate(transcript.messages):
        values.append(_plain(message.as_dict(), f"messages[{index}]", losses))
    lines = [escaped(json.dumps(value, ensure_ascii=False, allow_nan=False)) + "\n" for value in values]
    return losses.converted("".join(lines))


def from_ndjson(text: str) -> Transcript:
    """Read NDJSON, one message a line; blank lines are skipped. The first may be the metadata alone.

    Raises:
        TypeError: The argument has another type.
        ValueError: The JSON is invalid or repeats a key, or a line is not a message; the message names the line.
    """
    check_text(text, "from_ndjson")
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
    """Read a JSON text, without the byte-order mark that programs of Windows prepend.

    Raises:
        ValueError: The JSON is invalid, or repeats a key; the message begins with `where`.
    """
    try:
        return json.loads(text.removeprefix(_BOM), object_pairs_hook=once)
    except RecursionError:
        raise ValueError(f"{where}nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"{where}this is not JSON: {error}") from None


def _plain(value: Any, where: str, losses: Losses) -> Any:
    try:
        return _finite(value, where, losses)
    except RecursionError:
        raise ValueError(f"{where} is nested too deeply for JSON, or contains itself") from None


def _finite(value: Any, path: str, losses: Losses) -> Any:
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        losses.add(path, f"JSON has no {write_json5(value)}: it is null")
        return None
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str):
                raise ValueError(f"{path}: the key {key!r} is not a string: JSON has no other keys")
        return {key: _finite(item, below(path, key), losses) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item, f"{path}[{index}]", losses) for index, item in enumerate(value)]
    raise ValueError(
        f"{path}: a value of type {type(value).__name__} is not JSON: use a dict, list, string, number, boolean or None"
    )
