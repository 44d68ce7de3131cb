"""Gadget definitions in JSON: from `llmist gadget info --json`, MCP, OpenAI or Anthropic."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from json.decoder import JSONDecodeError, JSONDecoder
from typing import Any, NamedTuple

from llmblocks.code.grammar import script_of
from llmblocks.core.chunks import expect_text
from llmblocks.facts.finding import Finding
from llmblocks.facts.message import headed
from llmblocks.facts.severity import Severity
from llmblocks.gadget.schemas.gadgets import GadgetSchema, Source
from llmblocks.gadget.schemas.sound import UnsoundError, closed, require_sound
from llmblocks.json5.finite import once

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
MOST_FINDINGS = 100


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
    search = _DefinitionReader(text, file)
    try:
        search.run()
    except RecursionError:
        search.complain(0, 0, "the JSON is nested too deeply")
    if not search.gadgets and not search.findings:
        search.complain(0, 0, "no gadget is defined", remedy=_EXPECTED)
    return ReadGadgets(tuple(search.gadgets), tuple(search.findings), search.complete)


def _of_code(text: str, file: str) -> ReadGadgets:
    from llmblocks.gadget.schemas.code import gadgets_in_code

    try:
        gadgets = (*gadgets_in_code(text, file),)
    except ValueError as error:
        return ReadGadgets((), (unreadable(str(error)),), complete=False)
    findings = [unreadable("no gadget is declared with createGadget(…) or Gadget(…)")] if not gadgets else []
    for each in gadgets:
        try:
            require_sound(each.parameters or {})
        except UnsoundError as error:
            place = each.source or Source(file)
            findings.append(
                unreadable(f"the schema of {each.name} is unusable", place.start, place.end, why=str(error))
            )
    return ReadGadgets(gadgets, (*findings,))


def parameter_place(text: str, start: int, path: Sequence[str]) -> tuple[int, int] | None:
    """Return the place of a parameter in the definition whose name is at `start`, or of the innermost described one.

    Never raises; None if the text has changed since it was read.

    Args:
        text: The text with the definition.
        start: The place of the definition's name.
        path: The names and indices that lead to the parameter.
    """
    search = _ParameterSearch(text, start, path)
    try:
        search.run()
    except RecursionError:
        return None
    return search.found


class _DefinitionReader:
    """The search for definitions in a text."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self.gadgets: list[GadgetSchema] = []
        self.findings: list[Finding] = []
        self.complete = True
        self._counted = self._lines = 0

    def run(self) -> None:
        text, at = self.text, _blank(self.text, 0)
        while at < len(text):
            try:
                value, end = _ONCE.raw_decode(text, at)
            except JSONDecodeError as error:
                line_end = text.find("\n", error.pos)
                self.complain(error.pos, len(text) if line_end < 0 else line_end, "invalid JSON", why=error.msg)
                return
            except ValueError as error:
                value, end = _DECODER.raw_decode(text, at)
                self.complain(*_repeated(text, at), str(error), why="the first value is lost", missing=False)
            self.look(value, at)
            at = _blank(text, end)

    def look(self, value: object, at: int, depth: int = 0) -> None:
        """Read the definitions in a value that begins at a place."""
        if isinstance(value, list) and depth < 3:
            for element, (_, start) in zip(value, _inside(self.text, at), strict=False):
                self.look(element, start, depth + 1)
        elif isinstance(value, dict):
            # a server also has a name next to its list of tools
            is_list = not any(key in value for key in _SCHEMA_KEYS) and any(
                isinstance(value.get(key), list) for key in _LISTS
            )
            if isinstance(value.get("name"), str) and not is_list:
                self.take(value, at)
                return
            for key in (*_AROUND, *_LISTS):
                if isinstance(value.get(key), dict | list) and depth < 3:
                    self.look(value[key], _place(self.text, at, (key,))[0], depth + 1)

    def take(self, value: dict[str, Any], at: int) -> None:
        """Read one definition."""
        name, description = value["name"], value.get("description")
        start, end = _place(self.text, at, ("name",))
        if not name.strip():
            self.complain(start, end, "a gadget has no name")
            return
        key = next((key for key in _SCHEMA_KEYS if value.get(key) is not None), None)
        schema = None if key is None else value[key]
        if key is not None:
            try:
                schema = self._schema(schema)
            except UnsoundError as error:
                path = (key, *error.path)
                what = f"the schema of {name} is unusable"
                self.complain(*_place(self.text, at, path), what, why=str(error), missing=False)
                schema = None
        self._lines += self.text.count("\n", self._counted, start)
        self._counted = start
        source = Source(self.file, start, end, self._lines)
        description = description if isinstance(description, str) else ""
        self.gadgets.append(GadgetSchema(name, description, schema, source, key == _OF_MCP))

    def _schema(self, schema: object) -> Mapping[str, Any]:
        if not isinstance(schema, Mapping):
            raise UnsoundError(f"it is {type(schema).__name__}, not an object", ())
        require_sound(schema)
        return closed(schema)

    def complain(
        self, start: int, end: int, what: str, *, why: str = "", remedy: str = "", missing: bool = True
    ) -> None:
        self.complete = self.complete and not missing
        if len(self.findings) < MOST_FINDINGS:
            self.findings.append(unreadable(what, start, end, why=why, remedy=remedy))


class _ParameterSearch(_DefinitionReader):
    """The search for a parameter of one definition."""

    def __init__(self, text: str, start: int, path: Sequence[str]) -> None:
        super().__init__(text, "")
        self.found: tuple[int, int] | None = None
        self._start = start
        self._path = path

    def take(self, value: dict[str, Any], at: int) -> None:
        if _place(self.text, at, ("name",))[0] != self._start:
            return
        key = next((key for key in _SCHEMA_KEYS if value.get(key) is not None), "")
        schema, steps = value.get(key), [key]
        for name in self._path:
            inner = schema.get("properties") if isinstance(schema, dict) else None
            if isinstance(inner, dict) and name in inner:
                schema, steps = inner[name], [*steps, "properties", name]
            elif isinstance(schema, dict) and name.isdecimal() and isinstance(schema.get("items"), dict):
                schema, steps = schema["items"], [*steps, "items"]
            else:
                break
        if len(steps) > 1:
            self.found = _place(self.text, at, tuple(steps))


def unreadable(what: str, start: int = 0, end: int = 0, *, why: str = "", remedy: str = "") -> Finding:
    """Return the finding about an unreadable file of definitions."""
    note = "; ".join(filter(None, (why, "the rules about schemas do without it")))
    return Finding(UNREADABLE, start, end, headed(what, note, remedy or _REMEDY), Severity.ERROR, data={"why": why})


def decoded_text(data: bytes) -> str:
    """Decode a JSON file in UTF-8, UTF-16 or UTF-32. Shells of Windows redirect output as UTF-16.

    Raises:
        ValueError: It has another encoding.
    """
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


def _repeated(text: str, at: int) -> tuple[int, int]:
    """Return the place of the first value with a repeated key, given the place of a value that contains one."""
    left = [at]
    while left:
        at = left.pop()
        seen: set[str | int] = set()
        for key, value in _inside(text, at):
            if key in seen:
                return _place(text, value, ())
            seen.add(key)
            if text[value] in "{[":
                left.append(value)
    return at, at


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
