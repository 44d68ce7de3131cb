"""Gadget definitions in JSON: from `llmist gadget info --json`, MCP, OpenAI or Anthropic."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from json.decoder import JSONDecodeError, JSONDecoder
from typing import Any, NamedTuple

from llmblocks.code.grammar import script_of
from llmblocks.core.chunks import expect_text
from llmblocks.facts.finding import Finding
from llmblocks.facts.message import headed
from llmblocks.facts.severity import Severity
from llmblocks.gadget.running.json_schema import InvalidSchemaError, require_schema, subschemas
from llmblocks.gadget.schemas.gadgets import GadgetSchema, Source
from llmblocks.json5.finite import once
from llmblocks.json5.reader import read

UNREADABLE = "C003"
_OF_MCP = "inputSchema"
_SCHEMA_KEYS = ("schema", _OF_MCP, "input_schema", "parameters")
_LISTS = ("tools", "functions")
_AROUND = ("result", "function")
_BLANK = re.compile(r"[ \t\r\n]*")
_DECODER = JSONDecoder()
_ONCE = JSONDecoder(object_pairs_hook=once)
_EXPECTED = (
    "give the output of `llmist gadget info --json`, an MCP `tools/list` result, or a list of OpenAI or Anthropic tools"
)
_REMEDY = "correct it, or leave it out of gadget.schemas"
_OPEN_OR_JOINED = frozenset(("additionalProperties", "patternProperties", "anyOf", "oneOf", "if", "$ref"))
"""Other keywords that may decide about unknown properties, besides `properties`."""
_CLOSED = ("properties", "$defs", "definitions", "items", "prefixItems", "anyOf", "oneOf", "additionalProperties")


class ReadGadgets(NamedTuple):
    """The gadgets of a text, and its problems. Places are code points of the text."""

    gadgets: tuple[GadgetSchema, ...]
    findings: tuple[Finding, ...]
    complete: bool = True
    """False if definitions could not be read at all."""


def read_gadgets(text: str, file: str = "") -> ReadGadgets:
    """Read gadget definitions. Never raises: findings report unreadable parts.

    Args:
        text: One object, an array, or several of them in sequence, such as JSON lines. A definition has a `name` and a
            JSON Schema under `schema`, `inputSchema`, `input_schema` or `parameters`; lists are found under `tools` or
            `functions`, also in a JSON-RPC response. Or TypeScript or JavaScript with zod schemas.
        file: The path of the source, which decides between JSON and code.
    """
    expect_text(text, "read_gadgets")
    if script_of(file) is not None:
        return _of_code(text, file)
    definitions, gadgets = _Definitions(text), list[GadgetSchema]()
    counted = lines = 0
    try:
        for value, at in definitions:
            name, description = value["name"], value.get("description")
            start, end = _place(text, at, ("name",))
            if not name.strip():
                definitions.complain(start, end, "a gadget has no name")
                continue
            key, schema = _schema_of(value)
            try:
                if key and not isinstance(schema, dict):
                    raise InvalidSchemaError(f"it is {type(schema).__name__}, not an object")
                schema = closed(schema) if key else None
            except InvalidSchemaError as error:
                what = f"the schema of {name} is unusable"
                definitions.complain(*_place(text, at, (key, *error.path)), what, why=str(error), missing=False)
                schema = None
            lines += text.count("\n", counted, start)
            counted = start
            words = description if isinstance(description, str) else ""
            gadgets.append(GadgetSchema(name, words, schema, Source(file, start, end, lines), is_mcp=key == _OF_MCP))
    except RecursionError:
        definitions.complain(0, 0, "the JSON is nested too deeply")
    if not gadgets and not definitions.findings:
        definitions.complain(0, 0, "no gadget is defined", remedy=_EXPECTED)
    return ReadGadgets((*gadgets,), (*definitions.findings,), definitions.complete)


def _of_code(text: str, file: str) -> ReadGadgets:
    from llmblocks.gadget.schemas.code import gadgets_in_code

    try:
        gadgets = (*gadgets_in_code(text, file),)
    except ValueError as error:
        return ReadGadgets((), (unreadable(str(error)),), complete=False)
    findings = () if gadgets else (unreadable("no gadget is declared with createGadget(…) or Gadget(…)"),)
    return ReadGadgets(gadgets, findings)


def parameter_place(text: str, start: int, path: Sequence[str]) -> tuple[int, int] | None:
    """Return the place of the parameter at a path, or the innermost one there, in the definition named at `start`."""
    try:
        value, at = next(each for each in _Definitions(text) if _place(text, each[1], ("name",))[0] == start)
    except (StopIteration, RecursionError):
        return None
    key, schema = _schema_of(value)
    steps = [key]
    for name in path:
        inner = schema.get("properties") if isinstance(schema, dict) else None
        if isinstance(inner, dict) and name in inner:
            schema, steps = inner[name], [*steps, "properties", name]
        elif isinstance(schema, dict) and name.isdecimal() and isinstance(schema.get("items"), dict):
            schema, steps = schema["items"], [*steps, "items"]
        else:
            break
    return _place(text, at, (*steps,)) if len(steps) > 1 else None


class _Definitions:
    """The definitions in a text with their places, and the findings of the text read so far."""

    def __init__(self, text: str) -> None:
        self.findings: list[Finding] = []
        self.complete = True
        self._text = text

    def __iter__(self) -> Iterator[tuple[dict[str, Any], int]]:
        text, at = self._text, _blank(self._text, 0)
        while at < len(text):
            try:
                value, end = _DECODER.raw_decode(text, at)
            except JSONDecodeError as error:
                line_end = text.find("\n", error.pos)
                self.complain(error.pos, len(text) if line_end < 0 else line_end, "invalid JSON", why=error.msg)
                return
            try:
                _ONCE.raw_decode(text, at)
            except ValueError as error:
                place = next(((at + each.start, at + each.end) for each in read(text[at:end]).repeated), (at, at))
                self.complain(*place, str(error), why="the first value is lost", missing=False)
            yield from self._look(value, at)
            at = _blank(text, end)

    def _look(self, value: object, at: int, depth: int = 0) -> Iterator[tuple[dict[str, Any], int]]:
        """Yield the definitions in a value that begins at a place."""
        if isinstance(value, list) and depth < 3:
            for element, (_, start) in zip(value, _inside(self._text, at), strict=False):
                yield from self._look(element, start, depth + 1)
        elif isinstance(value, dict):
            # a server also has a name next to its list of tools
            is_list = not _schema_of(value)[0] and any(isinstance(value.get(key), list) for key in _LISTS)
            if isinstance(value.get("name"), str) and not is_list:
                yield value, at
                return
            for key in (*_AROUND, *_LISTS):
                if isinstance(value.get(key), dict | list) and depth < 3:
                    yield from self._look(value[key], _place(self._text, at, (key,))[0], depth + 1)

    def complain(
        self, start: int, end: int, what: str, *, why: str = "", remedy: str = "", missing: bool = True
    ) -> None:
        self.complete = self.complete and not missing
        self.findings.append(unreadable(what, start, end, why=why, remedy=remedy))


def _schema_of(value: Mapping[str, Any]) -> tuple[str, Any]:
    """Return the key and the schema of a definition; no key if it has none."""
    return next(((key, value[key]) for key in _SCHEMA_KEYS if value.get(key) is not None), ("", None))


def closed(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a schema as llmist's objects of zod: one that lists properties, and no more about others, has no others.

    Raises:
        InvalidSchemaError: It is not a sound schema.
    """
    require_schema(schema)
    if any("allOf" in part for _, part in subschemas(schema)):
        return schema
    try:
        found = deepcopy(schema)
    except RecursionError:
        raise InvalidSchemaError("it is nested too deeply") from None
    for _, part in subschemas(found, _CLOSED):
        if part.get("properties") and _OPEN_OR_JOINED.isdisjoint(part):
            part["additionalProperties"] = False  # type: ignore[index]
    return found


def unreadable(what: str, start: int = 0, end: int = 0, *, why: str = "", remedy: str = "") -> Finding:
    """Return the finding about an unreadable file of definitions."""
    note = "; ".join(filter(None, (why, "the rules about schemas do without it")))
    return Finding(UNREADABLE, start, end, headed(what, note, remedy or _REMEDY), Severity.ERROR, data={"why": why})


def decoded_text(data: bytes) -> str:
    """Decode a JSON file in UTF-8, UTF-16 (of shells of Windows) or UTF-32; raise `ValueError` for another encoding."""
    return data.decode(json.detect_encoding(data)).removeprefix("\ufeff")


def _blank(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return at if found is None else found.end()


def _inside(text: str, at: int) -> Iterator[tuple[str | int, int]]:
    """Yield the keys or indices of the object or array at a place, with the places of the values."""
    is_object, number = text[at] == "{", 0
    at = _blank(text, at + 1)
    while text[at] not in "]}":
        step: str | int = number
        if is_object:
            step, end = _DECODER.raw_decode(text, at)
            at = _blank(text, _blank(text, end) + 1)
        yield step, at
        number += 1
        at = _blank(text, _DECODER.raw_decode(text, at)[1])
        if text[at] == ",":
            at = _blank(text, at + 1)


def _place(text: str, at: int, path: tuple[str | int, ...]) -> tuple[int, int]:
    """Return the start and end of a value inside the value at a place, or of its nearest parent."""
    for step in path:
        # if a key is repeated, the last one counts
        inside = dict(_inside(text, at)).get(step) if text[at] in "{[" else None
        if inside is None:
            break
        at = inside
    end = _DECODER.raw_decode(text, at)[1]
    line_end = text.find("\n", at, end)
    return at, end if line_end < 0 else line_end
