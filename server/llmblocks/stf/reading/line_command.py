"""The commands of the `@` dialect with one data line: `call` and `embed`."""

from __future__ import annotations

import json
from typing import Any, NamedTuple, NoReturn, cast

from llmblocks.stf.json5.reader import read
from llmblocks.stf.reading.report import Place, Report
from llmblocks.stf.syntax.arguments import Arguments
from llmblocks.stf.syntax.catalogue import ARGUMENTS_NOT_AN_OBJECT, INVALID_CALL_ARGUMENTS
from llmblocks.stf.syntax.commands import Command
from llmblocks.stf.values.messages import EMBED_TYPES, EmbedPart, EmbedType, ToolCall


class Waiting(NamedTuple):
    """A line command that waits for its data line; `place` is the place of the command line, `name` its name."""

    command: Command
    arguments: Arguments
    place: Place
    name: Place


def tool_call(waiting: Waiting, text: str, place: Place, report: Report) -> ToolCall:
    """The call of `@call` and its data line, with a finding if the line is not an object.

    JSON is kept verbatim, JSON5 becomes JSON, and any other line is kept unchanged.
    """
    by, line = waiting.place.start + 1, waiting.place.line
    given = report.strings(waiting.arguments, waiting.command.arguments, by, line)
    if "name" not in given and not waiting.arguments.problems and waiting.arguments.get("name") is None:
        report.find(ARGUMENTS_NOT_AN_OBJECT, waiting.name, {"case": "no-name"})
    return ToolCall(given.get("name", ""), _json_object(text, place, report), given.get("id"), given.get("call_id"))


def _json_object(text: str, place: Place, report: Report) -> str:
    if is_json_object(text):
        return text
    result = read(text)
    if result.error is not None:
        start = min(place.start + result.offset, place.end)
        wrong = Place(start, min(start + 1, place.end), place.line)
        report.find(INVALID_CALL_ARGUMENTS, wrong, {"case": "json5", "error": result.error})
        return text
    try:
        compact = json.dumps(result.value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except ValueError:
        report.find(INVALID_CALL_ARGUMENTS, place, {"case": "number"})
        return text
    if not isinstance(result.value, dict):
        report.find(INVALID_CALL_ARGUMENTS, place)
    return compact


def is_json_object(text: str) -> bool:
    """Whether a text is an object in strict JSON."""
    try:
        return isinstance(_STRICT.decode(text), dict)
    except (ValueError, RecursionError):
        return False


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)


# int() refuses more than 4300 digits, and here the values do not matter.
_STRICT = json.JSONDecoder(parse_constant=_refuse, parse_int=float)


def embed_part(waiting: Waiting, text: str, report: Report) -> EmbedPart:
    """The part of `@embed` and its data line; an unknown type is a finding and becomes `file`."""
    by, line = waiting.place.start + 1, waiting.place.line
    given = report.strings(waiting.arguments, ("type", "mime", "data", "name", "format", "file_id"), by, line)
    kind = given.pop("type", "file")
    if kind not in EMBED_TYPES:
        item = waiting.arguments.get("type")
        place = Place(item.value_start + by, item.value_end + by, line) if item is not None else waiting.name
        report.find(ARGUMENTS_NOT_AN_OBJECT, place, {"case": "embed-type", "was": kind})
        kind = "file"
    more: dict[str, Any] = {
        item.key: item.value for item in waiting.arguments.items if item.key not in ("type", "mime", "data", "url")
    }
    for key in ("name", "format", "file_id"):
        if key in more and key not in given:
            del more[key]
    return EmbedPart(cast("EmbedType", kind), text, given.get("mime"), given.get("data"), more)
