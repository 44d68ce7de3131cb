"""The problems, hovers and completions of the content of a block; the call in one as Qwen 3 Coder writes it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple

from llmblocks.contents.content import QWEN_XML, Content
from llmblocks.contract.arguments import nearest
from llmblocks.contract.caret import Suggestion
from llmblocks.contract.markup import code, listed, value_size
from llmblocks.facts.problem import Problem
from llmblocks.gadget.running.schema import ParameterSchema
from llmblocks.gadget.schemas.gadgets import parameter_at, parameters_of
from llmblocks.json5.containers import open_containers
from llmblocks.json5.finite import refuse
from llmblocks.json5.reader import Read, RepeatedKey, ValuePlace, read, read_value
from llmblocks.tags.rules import T103_INVALID_CONTENT, T104_CONTENT_AGAINST_SCHEMA

MOST_PROBLEMS: Final = 100
_KEPT = 256
_REST = re.compile(r"[\w$.+-]*")
_LONGEST_SHOWN = 40
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_AT = re.compile(r" at \d+:\d+$")
_TAG: Final = re.compile(r"\s*<(function|parameter)=([^<>\n]+)>\n?")
_VALUE_END: Final = re.compile(r"\n?</parameter>")
_END: Final = re.compile(r"\s*</function>\s*\Z|\s*\Z")
Typed = Callable[[str, str], Any]
"""Converts the text of an argument to its value, given its pointer."""


# an edit checks all blocks of its section again, although it has changed only one
@lru_cache(maxsize=_KEPT)
def problems(content: Content, text: str) -> Sequence[Problem]:
    """Return the problems of a content; see `Content.problems`. Never raises."""
    if content.others:
        return problems(chosen(content, text), text)
    found = _read(content, text)
    if isinstance(found, Problem):
        return (found,)
    if found.error is not None:
        return ()
    wrong = [
        Problem(T103_INVALID_CONTENT, each.start, each.end, {"case": "repeated", "key": _shown(each.key)})
        for each in found.repeated
    ]
    if content.schema:
        wrong += _against_schema(text, found, prepared(content.schema))
    return wrong[:MOST_PROBLEMS]


def chosen(content: Content, text: str) -> Content:
    """Return the kind that a text has or nearly has: the alternative that reads most of it."""
    if not content.others:
        return content
    is_xml = text.lstrip().startswith("<")

    def rank(each: Content) -> tuple[bool, bool, int]:
        found = _read(each, text)
        wrong = isinstance(found, Problem)
        return wrong, wrong and is_xml != (each.kind == QWEN_XML), -found.start if isinstance(found, Problem) else 0

    return min([content._replace(kind=each, others=()) for each in content.kinds], key=rank)


@lru_cache(maxsize=16)
def prepared(schema: str) -> ParameterSchema:
    return ParameterSchema(json.loads(schema), timed=True)


def read_places(content: Content, text: str) -> Read:
    """Return the value of a content with the places of its parts, as JSON5 if it is JSON."""
    if content.kind != QWEN_XML:
        return read(text)
    return read_call(text, partial(_argument, prepared(content.schema) if content.schema else None))


class ValueStep(NamedTuple):
    """A step from the whole value to a part of it."""

    name: str
    key: tuple[int, int]
    """The place of its key; empty for an item."""
    value: ValuePlace


def steps_to(node: ValuePlace, pointer: str) -> list[ValueStep]:
    """Return the steps to the part of a value at a pointer, up to the innermost existing part."""
    found: list[ValueStep] = []
    while pointer:
        # a key may contain a slash; if a key is repeated, the last one counts
        fits = [item for item in node.items if pointer == str(item[0]) or pointer.startswith(f"{item[0]}/")]
        if not fits:
            break
        name, start, end, node = max(reversed(fits), key=lambda item: len(str(item[0])))
        found.append(ValueStep(str(name), (start, end), node))
        pointer = pointer[len(str(name)) + 1 :]
    return found


def _read(content: Content, text: str) -> Read | Problem:
    """Return the value of a content, or the mistake that ends it. An error in the result is not reported."""
    word, start = text.strip(), len(text) - len(text.lstrip())
    end = start + len(word)
    if content.values:
        if word in content.values:
            return Read(word, None)
        near = nearest(word, content.values)
        advice = f"did you mean {near[0]}?" if near else f"use {listed(content.values)}"
        return Problem(T103_INVALID_CONTENT, start, end, {"case": "value", "value": _shown(word), "advice": advice})
    if content.kind == "number":
        if _NUMBER.fullmatch(word) is None:
            return Problem(T103_INVALID_CONTENT, start, end, {"case": "number", "value": _shown(word)})
        return Read(float(word), ValuePlace(start, end))
    if content.kind == QWEN_XML:
        call = read_places(content, text)
        if call.error is None:
            return call
        at = min(call.offset, max(end - 1, start))
        return Problem(T103_INVALID_CONTENT, at, min(at + 1, end), {"case": "call", "reason": call.error})
    if content.kind == "json" and (mistake := _mistake(text)) is not None:
        return _not_json("JSON", *mistake, start, end)
    if content.kind in ("json", "json5") or content.schema:
        # a schema checks values at their places
        found = read(text) if content.schema else read_value(text)
        if content.kind == "json5" and found.error is not None and not found.too_deep:
            return _not_json("JSON5", _AT.sub("", found.error.removeprefix("JSON5: ")), found.offset, start, end)
        return found
    return Read(None, None)


def _argument(schema: ParameterSchema | None, pointer: str, text: str) -> Any:
    """Return the value of an argument: its text if the schema expects a text, or if it is not JSON."""
    if (schema is not None and schema.expected(pointer) == "string") or _mistake(text) is not None:
        return text
    return read_value(text).value


def _mistake(text: str) -> tuple[str, int] | None:
    """Return the reason why a text is not JSON, and the place; None if it is."""
    try:
        _DECODER.decode(text)
    except json.JSONDecodeError as error:
        return error.msg[:1].lower() + error.msg[1:].removesuffix(" starting at"), error.pos
    except ValueError as error:
        reason = str(error)
        return reason, text.find(reason.partition(" ")[0])
    except RecursionError:
        pass  # other programs may read it
    return None


# numbers are not converted: Python rejects the longest
_DECODER = json.JSONDecoder(parse_constant=refuse, parse_float=len, parse_int=len)


def _not_json(kind: str, reason: str, at: int, start: int, end: int) -> Problem:
    # at the end of the value, nothing is left to mark
    at = max(start, min(at, end - 1))
    return Problem(T103_INVALID_CONTENT, at, min(at + 1, end), {"kind": kind, "reason": reason})


def _against_schema(text: str, found: Read, schema: ParameterSchema) -> Iterator[Problem]:
    node = found.node
    if node is None:
        return
    try:
        checked = schema.check(found.value)
    except (ValueError, RecursionError):
        return  # a problem of the schema that its check cannot see
    for pointer in checked.ignored:
        steps = steps_to(node, pointer)
        if steps:
            above = "/".join([each.name for each in steps[:-1]])
            data = {"case": "unknown", "name": steps[-1].name, "advice": _advice(schema, above, steps[-1].name)}
            yield Problem(T104_CONTENT_AGAINST_SCHEMA, *steps[-1].key, data)
    for issue in checked.issues:
        steps = steps_to(node, issue.pointer)
        is_there = "/".join([each.name for each in steps]) == issue.pointer
        at = steps[-1].value if steps else node
        # a missing member is reported at the value that lacks it
        start, end = (at.start, at.end) if is_there and issue.kind != "missing" else (at.start, at.start + 1)
        line = text.find("\n", start, end)
        path = issue.pointer.replace("/", ".") or "the value"
        yield Problem(
            T104_CONTENT_AGAINST_SCHEMA, start, end if line < 0 else line, {"path": path, "message": issue.message}
        )


def _advice(schema: ParameterSchema, above: str, name: str) -> str:
    properties = (schema.at(above) or {}).get("properties")
    names = [*properties] if isinstance(properties, dict) else []
    near = nearest(name, names)
    return f"did you mean `{near[0]}`?" if near else f"the schema has {listed(names)}"


def _shown(word: str) -> str:
    line = " ".join(word.split())
    return line if len(line) <= _LONGEST_SHOWN else f"{line[:_LONGEST_SHOWN]}…"


def read_call(text: str, typed: Typed) -> Read:
    """Read the call of a block as `{"name": …, "arguments": {…}}`, the value that programs get. Never raises.

    Source: the response template of Qwen 3 Coder in transformers.
    """
    begun = _TAG.match(text)
    if begun is None or begun[1] != "function":
        return Read(None, None, "it does not begin with `<function=name>`", len(text) - len(text.lstrip()))
    arguments: dict[str, Any] = {}
    items: list[tuple[str | int, int, int, ValuePlace]] = []
    repeated: list[RepeatedKey] = []
    places: dict[str, tuple[int, int]] = {}
    at = begun.end()
    while (tag := _TAG.match(text, at)) is not None and tag[1] == "parameter":
        ended = _VALUE_END.search(text, tag.end())
        if ended is None:
            return Read(None, None, "`</parameter>` is missing", tag.start(2))
        key, (start, end) = tag[2], tag.span(2)
        if key in arguments:
            repeated.append(RepeatedKey(key, start, end, places[key], ended.end()))
        places[key] = start, end
        arguments[key] = typed(f"arguments/{key}", text[tag.end() : ended.start()])
        items.append((key, start, end, ValuePlace(tag.end(), max(ended.start(), tag.end()))))
        at = ended.end()
    if _END.match(text, at) is None:
        rest = text[at:]
        return Read(None, None, "this text is in no parameter", at + len(rest) - len(rest.lstrip()))
    name = (*begun.span(2), ValuePlace(*begun.span(2)))
    inside = ValuePlace(begun.end(), at, (*items,))
    node = ValuePlace(
        begun.start(2) - len("<function="), at, (("name", *name), ("arguments", inside.start, inside.start, inside))
    )
    return Read({"name": begun[2], "arguments": arguments}, node, repeated=(*repeated,))


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
    lines = [f"{code(pointer.replace('/', '.'))}: {value_size(value)}"]
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
    if content.kind not in ("json", "json5") or not content.schema:
        return
    stack, written = open_containers(before)
    if not stack:
        return
    around = stack[-1]
    quote = written[:1] if written[:1] in ("'", '"') else ""
    over += bool(quote) and after.startswith(quote, over)
    schema, typed = prepared(content.schema), len(written)
    if around.is_object and around.key is None:
        colon = "" if after[over:].lstrip(" \t").startswith(":") else ": "
        for parameter in parameters_of(schema, around.pointer):
            name = parameter.pointer.removeprefix(f"{around.pointer}/") if around.pointer else parameter.pointer
            if name not in around.members:
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
