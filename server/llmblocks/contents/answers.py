"""Hovers and completions in the content of a block."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from llmblocks.contents.content import QWEN_XML, Content
from llmblocks.contents.judging import TAG, chosen, name_at_end, prepared, read_places
from llmblocks.contract.caret import Suggestion
from llmblocks.contract.markup import code, shortened, text_size
from llmblocks.gadget.running.schema import ParameterSchema
from llmblocks.gadget.schemas.gadgets import parameter_at, parameters_of
from llmblocks.json5.reader import ValuePlace

_TOKEN = re.compile(
    r"""(?P<text>"(?:[^"\\\n]|\\.)*+(?:(?P<end>")|\Z)|'(?:[^'\\\n]|\\.)*+(?:(?P<end5>')|\Z))
    |//[^\n]*+|/\*(?s:.*?)(?:\*/|\Z)|(?P<mark>[{}\[\]:,])|(?P<word>[^\s{}\[\]:,"'/]++)""",
    re.VERBOSE,
)
_REST = re.compile(r"[\w$.+-]*")


def explained(content: Content, text: str, at: int) -> str | None:
    if content.values:
        return f"{content.says[:1].upper()}{content.says[1:]}."
    content = chosen(content, text)
    if content.kind not in ("json", "json5", QWEN_XML):
        return None
    found = read_places(content, text)
    if found.node is None:
        return None
    pointer, value = _at(found.node, found.value, at)
    if not pointer:
        return None
    lines = [f"{code(pointer.replace('/', '.'))}: {_kind_of(value)}"]
    parameter = parameter_at(prepared(content.schema), pointer) if content.schema else None
    return "\n\n".join([*lines, parameter.summary] if parameter else lines)


def _at(node: ValuePlace, value: Any, at: int) -> tuple[str, Any]:
    """Return the pointer to the innermost part of a value at a place, and the part."""
    path: list[str] = []
    while True:
        inside = next(((name, part) for name, start, _, part in node.items if start <= at < part.end), None)
        if inside is None:
            return "/".join(path), value
        name, node = inside
        path.append(str(name))
        value = value[name]
        if at < node.start:
            return "/".join(path), value


def _kind_of(value: Any) -> str:
    if isinstance(value, str):
        return text_size(value)
    if isinstance(value, dict | list):
        kind = "object" if isinstance(value, dict) else "list"
        return f"{kind} of {len(value)} item{'' if len(value) == 1 else 's'}"
    return code(shortened(json.dumps(value)))


@dataclass(slots=True)
class _OpenContainer:
    """An object or a list that is open before the caret."""

    pointer: str
    is_object: bool
    key: str | None = None
    """The key of the value at the caret; None if the caret is at a key."""
    keys: set[str] = field(default_factory=set)
    """The keys of the object so far."""
    count: int = 0
    """The number of commas in the list."""

    @property
    def inside(self) -> str:
        """The pointer to the value at the caret."""
        step = (self.key or "") if self.is_object else str(self.count)
        return f"{self.pointer}/{step}" if self.pointer else step


def suggested(content: Content, before: str, after: str) -> Iterator[Suggestion]:
    rest = _REST.match(after)
    over = rest.end() if rest else 0
    if content.values:
        line = before.rpartition("\n")[2].lstrip()
        for each in content.values:
            if before.strip() == line:
                yield Suggestion(each, len(line), "An allowed content", "value", over=over)
        return
    content = chosen(content, before) if before.strip() else content
    if content.kind not in ("json", "json5", QWEN_XML) or not content.schema:
        return
    if content.kind == QWEN_XML:
        yield from _names(prepared(content.schema), before, over)
        return
    around, written = _around(before)
    if around is None:
        return
    quote = written[:1] if written[:1] in ("'", '"') else ""
    over += bool(quote) and after.startswith(quote, over)
    schema, typed = prepared(content.schema), len(written)
    if around.is_object and around.key is None:
        colon = "" if after[over:].lstrip(" \t").startswith(":") else ": "
        for parameter in parameters_of(schema, around.pointer):
            name = parameter.pointer.removeprefix(f"{around.pointer}/") if around.pointer else parameter.pointer
            if name not in around.keys:
                text, goes_on = json.dumps(name, ensure_ascii=False) + colon, bool(parameter.choices)
                yield Suggestion(text, typed, parameter.summary, "key", over=over, label=name, goes_on=goes_on)
        return
    part = schema.at(around.inside) or {}
    values = part.get("enum", [part["const"]] if "const" in part else [])
    if part.get("type") == "boolean" and not values:
        values = [True, False]
    for value in values if isinstance(values, list) else ():
        text = json.dumps(value, ensure_ascii=False)
        detail = f"A value of {code(around.inside.replace('/', '.'))}"
        yield Suggestion(text, typed, detail, "value", over=over, label=value if isinstance(value, str) else text)


def _names(schema: ParameterSchema, before: str, over: int) -> Iterator[Suggestion]:
    """Yield the possible names in a tag of Qwen at the end of a text."""
    pointer, typed = name_at_end(before) or ("", "")
    if pointer == "name":
        for value in (schema.at("name") or {}).get("enum", ()):
            yield Suggestion(str(value), len(typed), "A value of `name`", "value", over=over)
    elif pointer:
        known = {tag[2] for tag in TAG.finditer(before) if tag[1] == "parameter"}
        for parameter in parameters_of(schema, pointer):
            name = parameter.pointer.removeprefix(f"{pointer}/")
            if name not in known:
                yield Suggestion(name, len(typed), parameter.summary, "key", over=over)


def _around(before: str) -> tuple[_OpenContainer | None, str]:
    """Return the open container at the end of a text, and the beginning of a key or value.

    None if neither is possible.
    """
    stack: list[_OpenContainer] = []
    name = written = ""
    is_done = False
    for token in _TOKEN.finditer(before):
        mark, written = token["mark"], ""
        if mark in ("{", "["):
            stack.append(_OpenContainer(stack[-1].inside if stack else "", is_object=mark == "{"))
            is_done = False
        elif mark in ("}", "]"):
            if not stack:
                break
            stack.pop()
            is_done = True
        elif mark is not None and stack:
            around, is_done = stack[-1], False
            around.key = name if mark == ":" else None
            around.count += mark == ","
            if mark == ":":
                around.keys.add(name)
        elif token["text"] is not None or token["word"] is not None:
            is_open = token.end() == len(before) and token["end"] is None and token["end5"] is None
            name, written, is_done = token[0].strip("\"'"), token[0] if is_open else "", not is_open
        elif token.end() == len(before):
            return None, ""  # in a comment
    return (stack[-1], written) if stack and not is_done else (None, "")
