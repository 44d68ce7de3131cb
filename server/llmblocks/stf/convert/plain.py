"""Transcripts as plain JSON, and as NDJSON: one JSON object a line."""

from __future__ import annotations

import json
import math
from typing import Any

from llmblocks.contract.markup import shortened
from llmblocks.core.chunks import expect_text
from llmblocks.json5.finite import once
from llmblocks.stf.convert.losses import Converted, Losses, escaped
from llmblocks.stf.values.messages import Json, Message, Transcript, kind_of
from llmblocks.stf.values.shape import check_transcript, message_from_dict, path_name, transcript_from_dict

_BOM = "\ufeff"
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
    return escaped(json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False))


def _finite(value: Any, losses: Losses) -> Any:
    if value is None or isinstance(value, str | bool | int) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if isinstance(value, float):
        losses.add(f"JSON has no {json.dumps(value)}: it is null")
        return None
    where = path_name(losses.keys)
    if len(losses.keys) > _DEEPEST:
        raise ValueError(f"{shortened(where, 60)} is nested deeper than {_DEEPEST} levels, or contains itself")
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str):
                raise ValueError(f"{where}: the key {key!r} is not a string: JSON has no other keys")
        return {key: _finite(item, losses.at(key)) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item, losses.at(index)) for index, item in enumerate(value)]
    raise ValueError(f"{where}: {kind_of(value)} is not JSON: use a dict, list, string, number, boolean or None")
