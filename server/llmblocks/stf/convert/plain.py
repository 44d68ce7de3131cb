"""Transcripts as plain JSON, and as one JSON object a line."""

from __future__ import annotations

import json
import math
from typing import Any

from llmblocks.stf.convert.converted import Converted, Losses
from llmblocks.stf.json5.writer import write_json5
from llmblocks.stf.values.from_dict import message_from_dict, transcript_from_dict
from llmblocks.stf.values.messages import Transcript


def to_json(transcript: Transcript, *, indent: int | None = 2) -> Converted[str]:
    """A transcript as JSON: an object with `messages`, and `metadata` where there is any.

    Lost: numbers that are not finite, which become null.
    """
    losses = Losses()
    value = _finite(transcript.as_dict(), "", losses)
    return losses.converted(json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False))


def from_json(text: str) -> Transcript:
    """The transcript of a JSON text: as `to_json` writes it, or just the list of messages.

    Errors: `ValueError` for a text that is no JSON, `ShapeError` (a `ValueError`) for JSON that is no transcript.
    """
    return transcript_from_dict(_load(text, ""))


def to_ndjson(transcript: Transcript) -> Converted[str]:
    """The messages of a transcript, one JSON object a line.

    Lost: the metadata; numbers that are not finite, which become null.
    """
    losses = Losses()
    if transcript.has_metadata:
        losses.add("metadata", "NDJSON has messages only: the metadata is left out")
    lines = [
        json.dumps(_finite(message.as_dict(), f"messages[{index}]", losses), ensure_ascii=False, allow_nan=False) + "\n"
        for index, message in enumerate(transcript.messages)
    ]
    return losses.converted("".join(lines))


def from_ndjson(text: str) -> Transcript:
    """The transcript whose messages stand one a line; blank lines are skipped.

    Errors: `ValueError`, which names the line, for a line that is no JSON or no message.
    """
    messages = []
    # Only "\\n" ends a line: values may hold U+2028 and others that splitlines() takes for ends.
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                messages.append(message_from_dict(_load(line, f"line {number}: ")))
            except ValueError as error:
                text_of = str(error)
                raise ValueError(text_of if text_of.startswith("line ") else f"line {number}: {text_of}") from None
    return Transcript(messages)


def _load(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError(f"{where}nested too deeply to be read") from None
    except ValueError as error:
        raise ValueError(f"{where}this is no JSON: {error}") from None


def _finite(value: Any, path: str, losses: Losses) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        losses.add(path, f"JSON has no {write_json5(value)}: it is null")
        return None
    if isinstance(value, dict):
        return {key: _finite(item, f"{path}.{key}" if path else key, losses) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item, f"{path}[{index}]", losses) for index, item in enumerate(value)]
    return value
