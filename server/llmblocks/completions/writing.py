"""Messages as completions: the inverse of `parse`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from llmblocks.completions.message import CompletedMessage, parse
from llmblocks.completions.pattern import Pattern
from llmblocks.completions.template import PLACEHOLDER, Template, TemplateField
from llmblocks.grammars import expression as ex

_THOUGHTS: Final = ("thinking", "reasoning_content")

Calls = Sequence[tuple[str, Any]]
"""The names of calls, and their arguments."""


class Written(NamedTuple):
    """A completion."""

    text: str
    lost: tuple[str, ...]
    """The parts of the message that its text does not reproduce."""


def write(content: str | None, reasoning: str | None, calls: Calls, template: Template) -> Written:
    """Write a message as a model would, in the form of a template. Never raises.

    The text is read back, and the parts that it does not reproduce are lost: a field that the template lacks, or a text
    with a delimiter.
    """
    by_name = {field.name: field for field in template.fields}
    thoughts = next((by_name[name] for name in _THOUGHTS if name in by_name), None)
    of_calls, of_content = by_name.get("tool_calls"), by_name.get("content")
    parts: list[str] = []
    if reasoning is not None and thoughts is not None:
        parts.append(_region(template, thoughts, reasoning))
    if content is not None and of_content is not None:
        parts.append(_region(template, of_content, content))
    if calls and of_calls is not None:
        values = [{"type": "function", "function": {"name": name, "arguments": each}} for name, each in calls]
        # a region that does not repeat contains all calls
        parts += [_region(template, of_calls, each) for each in ([values] if of_calls.each else values)]
    text = "".join(parts)
    return Written(text, (*_lost(parse(text, template), content, reasoning, calls),))


def argument_as_text(field: TemplateField, name: str, value: Any) -> str:
    """Return an argument of a call, as the text of a region has it."""
    if field.content == "xml-inline":
        return _content(field.content, field.args, {name: value}).strip("\n")
    return f"{json.dumps(name, ensure_ascii=False)}: {value_as_text(field, value)}"


def value_as_text(field: TemplateField, value: Any) -> str:
    """Return the value of an argument, as the text of a region has it."""
    if field.content == "xml-inline":
        return _inner(value, field.args.get("value_parser") or {})
    return _json(value, field.args)


def _lost(back: CompletedMessage, content: str | None, reasoning: str | None, calls: Calls) -> Iterator[str]:
    if (back.content or "") != (content or "").strip():
        yield "content"
    if (back.reasoning or "") != (reasoning or "").strip():
        yield "reasoning"
    found = [(each["function"]["name"], json.loads(each["function"]["arguments"])) for each in back.tool_calls]
    for number, call in enumerate(calls):
        if number >= len(found) or found[number] != call:
            yield f"tool_calls[{number}]"


def _region(template: Template, field: TemplateField, value: Any) -> str:
    """Return a region with a value. If the transform of a field applies to each element, its values are a list."""
    scope: dict[str, Any] = {}
    if field.transform is None:
        scope["content"] = value
    elif field.each:
        scope["content"] = [_bind(field.transform, each, {}) for each in value]
    else:
        _bind(field.transform, value, scope)
    text = _content(field.content, field.args, scope.get("content", {}))
    if field.open is None:
        return text
    given = template.value["fields"][field.name]
    opening = _delimiter(field.open, given.get("open"), scope)
    line = "\n" if field.content == "json" and field.open.literals and opening[0] == "<" else ""
    return opening + line + text + line + (_delimiter(field.close, given.get("close"), scope) if field.close else "")


def _bind(transform: Any, value: Any, found: dict[str, Any]) -> dict[str, Any]:
    """Add the inputs that a transform maps to a value, and return all."""
    scope = found
    if isinstance(transform, dict) and isinstance(value, dict):
        for key, each in transform.items():
            _bind(each, value.get(key), found)
    elif isinstance(transform, str) and (name := PLACEHOLDER.fullmatch(transform)):
        *above, last = name[1].split(".")
        for key in above:
            scope = scope.setdefault(key, {})
        scope[last] = value
    return found


def _content(kind: str, args: Mapping[str, Any], value: Any) -> str:
    match kind:
        case "json":
            return _json(value, args)
        case "xml-inline" if isinstance(value, dict):
            pattern, values = args["tag_pattern"], args.get("value_parser") or {}
            tags = [_sample(pattern, {"key": key, "value": _inner(each, values)}) for key, each in value.items()]
            return "".join([f"\n{tag}" for tag in tags]) + "\n"
        case "kv-lines" if isinstance(value, dict):
            sign, values = args.get("kv_sep", ":"), args.get("value_parser") or {}
            return str(args.get("line_sep", "\n")).join(
                [f"{key}{sign} {_inner(each, values)}" for key, each in value.items()]
            )
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _inner(value: Any, parser: Mapping[str, Any]) -> str:
    kind, args = parser.get("name", "text"), parser.get("args", {})
    if kind == "json" and args.get("allow_non_json") and isinstance(value, str) and value == value.strip():
        try:
            json.loads(value)
        except (ValueError, RecursionError):
            return value
    return _content(kind, args, value)


def _json(value: Any, args: Mapping[str, Any]) -> str:
    delimiters, unquoted = args.get("string_delims") or [], args.get("unquoted_keys", False)
    if not delimiters and not unquoted:
        return json.dumps(value, ensure_ascii=False)
    match value:
        case dict():
            keys = [key if unquoted and re.fullmatch(r"\w+", key) else json.dumps(key) for key in map(str, value)]
            inside = [f"{key}:{_json(each, args)}" for key, each in zip(keys, value.values(), strict=True)]
            return "{" + ",".join(inside) + "}"
        case list():
            return "[" + ",".join([_json(each, args) for each in value]) + "]"
        case str() if delimiters:
            opening, closing = delimiters[0]
            return f"{opening}{value}{closing}"
        case _:
            return json.dumps(value, ensure_ascii=False)


def _delimiter(pattern: Pattern, given: str | list[str] | None, values: Mapping[str, Any]) -> str:
    """Return the first of the given literals, or a text that the pattern matches."""
    return _sample(pattern.source, values) if given is None else given if isinstance(given, str) else given[0]


def _sample(source: str, values: Mapping[str, Any]) -> str:
    """Return a short text that a regular expression matches. `values` are the texts of its named groups."""
    groups = {name: lambda _, text=str(value): ex.Literal(text) for name, value in values.items()}
    try:
        return _shortest(ex.read(source, groups, ahead=lambda _: ex.NOTHING, start=ex.NOTHING))
    except ValueError:
        return ""


def _shortest(part: ex.Expression) -> str:
    match part:
        case ex.Literal(text):
            return text
        case ex.Chars(ranges):
            usual = (sign for sign in "a " for low, high in ranges if low <= ord(sign) <= high)
            return next(usual, chr(ranges[0][0]))
        case ex.Choice((first, *_)):
            return _shortest(first)
        case ex.Sequence(parts):
            return "".join(map(_shortest, parts))
        case ex.Repeat(inner, least, _):
            # an optional line end is usual
            return _shortest(inner) * max(least, inner == ex.Literal("\n"))
    return ""
