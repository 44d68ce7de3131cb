"""The arguments of commands as values, and the call of a data line, with their problems."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final, cast

from llmblocks.json5.finite import once, refuse
from llmblocks.json5.reader import read
from llmblocks.stf.rules import S107_ARGUMENTS_NOT_AN_OBJECT, S204_INVALID_CALL_ARGUMENTS
from llmblocks.stf.syntax.arguments import Arguments, Finds, LinePlace, repeated_keys
from llmblocks.stf.syntax.dialect import EMBED_TYPES, Command, EmbedType
from llmblocks.stf.values.messages import EmbedPart
from llmblocks.stf.values.shape import what

OF_EMBED: Final = ("type", "mime", "data", "name", "format", "file_id")
"""The arguments of `embed` that are strings."""


def given_by(command: Command, arguments: Arguments, name: LinePlace, by: int, report: Finds) -> dict[str, str]:
    """Return the string arguments of a command. Other types, and missing arguments of a call or embed, are problems.

    Args:
        command: The command.
        arguments: Its arguments.
        name: The place of its name.
        by: Added to the places of the arguments.
        report: Receives the problems.
    """
    is_embed = command.canonical == "embed"
    found: dict[str, str] = {}
    for item in arguments.items:
        if item.key not in (OF_EMBED if is_embed else command.arguments):
            continue
        place = LinePlace(item.value_start + by, item.value_end + by, name.line)
        if isinstance(item.value, str) and not (is_embed and item.key == "type"):
            found[item.key] = item.value
            continue
        if not isinstance(item.value, str):
            report.find(S107_ARGUMENTS_NOT_AN_OBJECT, place, {"key": item.key, "was": what(item.value)})
        elif item.value not in EMBED_TYPES:
            report.find(S107_ARGUMENTS_NOT_AN_OBJECT, place, {"case": "embed-type", "was": item.value})
        else:
            found[item.key] = item.value
    if command.canonical == "call" and not arguments.problems and arguments.get("name") is None:
        report.find(S107_ARGUMENTS_NOT_AN_OBJECT, name, {"case": "no-name"})
    return found


def embed_part(given: Mapping[str, str], arguments: Arguments, text: str) -> EmbedPart:
    """Return the part of `@embed` and its data line; an unknown type becomes `file`."""
    more = {item.key: item.value for item in arguments.items if item.key not in ("type", "mime", "data", "url")}
    for key in ("name", "format", "file_id"):
        if key not in given:
            more.pop(key, None)
    return EmbedPart(cast("EmbedType", given.get("type", "file")), text, given.get("mime"), given.get("data"), more)


def call_arguments(text: str, place: LinePlace, report: Finds) -> str:
    """Return the arguments of a call as JSON, and report arguments that are not an object.

    JSON stays verbatim, JSON5 becomes JSON, and any other line stays unchanged.
    """
    if is_json_object(text):
        return text
    result = read(text)
    if result.error is not None:
        start = min(place.start + result.offset, place.end)
        wrong = LinePlace(start, min(start + 1, place.end), place.line)
        report.find(S204_INVALID_CALL_ARGUMENTS, wrong, {"case": "json5", "error": result.error})
        return text
    for each in repeated_keys(result.repeated, lambda a, b: LinePlace(place.start + a, place.start + b, place.line)):
        report.find(*each)
    if result.repeated and _is_object(text, _STRICT):
        return text
    try:
        compact = json.dumps(result.value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except ValueError:
        report.find(S204_INVALID_CALL_ARGUMENTS, place, {"case": "number"})
        return text
    if not isinstance(result.value, dict):
        report.find(S204_INVALID_CALL_ARGUMENTS, place)
    return compact


def is_json_object(text: str) -> bool:
    """Return whether a text is an object in strict JSON, without a repeated key."""
    return _is_object(text, _STRICT_ONCE)


def _is_object(text: str, decoder: json.JSONDecoder) -> bool:
    try:
        return isinstance(decoder.decode(text), dict)
    except (ValueError, RecursionError):
        return False


# int() rejects more than 4300 digits, and here the values do not matter.
_STRICT = json.JSONDecoder(parse_constant=refuse, parse_int=float)
_STRICT_ONCE = json.JSONDecoder(parse_constant=refuse, parse_int=float, object_pairs_hook=once)
