"""The values of regions: contents, and their transforms.

Values equal those of transformers; where it raises, `Malformed` names the wrong part of the text.

Source: transformers, `utils/chat_parsing`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final, NamedTuple

from llmblocks.completions.template import PLACEHOLDER, TemplateField
from llmblocks.grammars import expression as ex

_LONGEST_REASON: Final = 200
_START_TAG = re.compile(r"<[^/<>\s][^<>\n]*>")
_END_TAG = re.compile(r"</[^<>\s]+>")


class Malformed(NamedTuple):
    """The reason why a region has no value. Places count from the start of its text."""

    reason: str
    start: int
    end: int
    part: str = ""
    """The missing part that its transform needs; empty if the text cannot be read at all."""
    missing: str = ""
    """The text that would complete it."""


class _BadError(ValueError):
    def __init__(self, reason: str, start: int, end: int, part: str = "", missing: str = "") -> None:
        super().__init__(reason)
        self.malformed = Malformed(reason, start, end, part, missing)


def value_of(field: TemplateField, text: str, captures: Mapping[str, str]) -> tuple[Any, Malformed | None]:
    """Return the value of the text of a region, or the reason why it has none.

    `captures` are the groups of its delimiter.
    """
    try:
        value = _READ[field.content](text, field.args)
        return (value if field.transform is None else _transformed(field, value, captures)), None
    except _BadError as error:
        found = error.malformed
        return None, found if found.end >= 0 else found._replace(end=len(text))
    except RecursionError:
        return None, Malformed("it is nested too deeply", 0, len(text))
    except (ValueError, TypeError, AttributeError) as error:
        return None, Malformed(str(error)[:_LONGEST_REASON], 0, len(text))


def ignored_in(field: TemplateField, text: str) -> Iterator[tuple[int, int]]:
    """Yield the non-blank stretches between the arguments of a region that no value contains."""
    if field.content == "xml-inline":
        at, close = 0, argument_end(field.args)
        for found in [*tags_in(text, field.args), None]:
            end = found.start() if found else len(text)
            between = _END_TAG.sub(lambda tag: tag[0] if tag[0] == close else " " * len(tag[0]), text[at:end])
            if between.strip():
                first, last = stripped(between)
                yield at + first, at + last
            at = found.end() if found else end


def nested_in(field: TemplateField, text: str) -> Iterator[tuple[re.Match[str], str, str]]:
    """Yield the start tags of arguments inside other ones, with the names of the outer and the inner one."""
    tags = [*tags_in(text, field.args)] if field.content == "xml-inline" else []
    known = {tag.groupdict().get("key") for tag in tags}
    for tag in tags:
        for found, inner in starts_in(text, field.args, *tag.span("value" if "value" in tag.groupdict() else 0)):
            # an argument that is mentioned, and written beside this one
            if inner not in known:
                yield found, str(tag.groupdict().get("key")), inner


def starts_in(
    text: str, args: Mapping[str, Any], start: int = 0, end: int | None = None
) -> Iterator[tuple[re.Match[str], str]]:
    """Yield the start tags of arguments in a text, with their names."""
    pattern, close = _tag_pattern(args["tag_pattern"])[0], argument_end(args)
    for found in _START_TAG.finditer(text, start, len(text) if end is None else end) if close else ():
        whole = pattern.fullmatch(found[0] + close)
        if whole is not None and isinstance(name := whole.groupdict().get("key"), str):
            yield found, name


def argument_end(args: Mapping[str, Any]) -> str:
    """Return the end tag of arguments; empty if their pattern does not end with one."""
    ending = _tag_pattern(args["tag_pattern"])[1]
    return ending if ending.startswith("</") else ""


def _text(text: str, args: Mapping[str, Any]) -> str:
    return text.strip() if args.get("strip", True) else text


def _json(text: str, args: Mapping[str, Any]) -> Any:
    """Parse JSON, with the template's lenient syntax."""
    written, changes = text, list[tuple[int, int]]()
    pairs = (*map(tuple, args.get("string_delims") or ()),)
    if pairs and (control := re.search("[\x01\x02]", text)):
        raise _BadError("it has a control character", *control.span())
    if pairs or args.get("unquoted_keys"):
        lenient, shift = _lenient(pairs, bool(args.get("unquoted_keys"))), 0

        def strict(found: re.Match[str]) -> str:
            nonlocal shift
            # the last group is an unquoted key
            is_key = found.lastindex == lenient.groups and args.get("unquoted_keys")
            new = json.dumps(found[found.lastindex or 0]) + (":" if is_key else "")
            shift += len(found[0]) - len(new)
            changes.append((found.end() - shift, shift))
            return new

        written = lenient.sub(strict, text)
    try:
        return json.loads(written)
    except json.JSONDecodeError as error:
        if args.get("allow_non_json"):
            return _text(text, args)
        # places after a change have moved
        shift = next((moved for end, moved in reversed(changes) if end <= error.pos), 0)
        raise _json_error(text, written, error, min(max(error.pos + shift, 0), len(text))) from None


def _json_error(text: str, written: str, error: json.JSONDecodeError, place: int) -> _BadError:
    start, end = stripped(text)
    if start == end:
        return _BadError("there is no JSON", 0, len(text), missing="{}")
    if error.pos >= len(written.rstrip()) or error.msg.startswith("Unterminated string"):
        missing = missing_end(written)
        reason = "a string is not closed" if missing[:1] == '"' else "the text ends too early"
        return _BadError(reason, min(place, end - 1), end, missing=missing)
    return _BadError(_REASONS.get(error.msg, error.msg), place, min(place + 1, len(text)))


_REASONS: Final = {
    "Expecting ',' delimiter": 'a comma is missing, or `\\` before a `"`',
    "Expecting ':' delimiter": "a colon is missing",
    "Expecting property name enclosed in double quotes": 'a name in `"` is missing',
    "Illegal trailing comma before end of object": "this comma is one too many",
    "Illegal trailing comma before end of array": "this comma is one too many",
    "Expecting value": "a value is missing, or is not JSON",
    "Extra data": "the value has ended before this",
    "Invalid control character at": "a line end or tab in a string must be escaped",
    "Invalid \\escape": "JSON does not have this escape",
    "Invalid \\uXXXX escape": "`\\u` needs four hexadecimal digits",
}
_JSON_SIGN = re.compile(r'"(?:[^"\\]|\\.)*+("?)|[\[\]{}]', re.DOTALL)


def missing_end(text: str) -> str:
    """Return the quote and brackets that are missing at the end of a JSON text."""
    stack = ""
    for found in _JSON_SIGN.finditer(text):
        sign = found[0][0]
        if sign == '"':
            if not found[1]:
                return '"' + stack[::-1]
        elif sign in "[{":
            stack += "]" if sign == "[" else "}"
        elif stack[-1:] == sign:
            stack = stack[:-1]
    return stack[::-1]


def tags_in(text: str, args: Mapping[str, Any]) -> Iterator[re.Match[str]]:
    """Return the tags of arguments in the text of a region."""
    pattern, ending = _tag_pattern(args["tag_pattern"])
    # otherwise the text after the last closing tag would be searched once for each opening tag
    stop = text.rfind(ending) + len(ending) if ending else len(text)
    return pattern.finditer(text, 0, stop) if stop >= len(ending) else iter(())


def _xml(text: str, args: Mapping[str, Any]) -> dict[str, Any]:
    merges = args.get("merge_duplicates", False)
    found: dict[str, Any] = {}
    for tag in tags_in(text, args):
        groups = tag.groupdict()
        key, written = groups.get("key"), groups.get("value", "")
        if key is None:
            raise _BadError("a tag has no key", *tag.span())
        value = _inner(written, args, tag.start("value") if "value" in groups else tag.start())
        if key in found and merges:
            if not isinstance(found[key], list):
                found[key] = [found[key]]
            found[key].append(value)
        else:
            found[key] = value
    return found


def _lines(text: str, args: Mapping[str, Any]) -> dict[str, Any]:
    line_sep, kv_sep = args.get("line_sep", "\n"), args.get("kv_sep", ":")
    found: dict[str, Any] = {}
    at = 0
    for line in text.split(line_sep):
        kept = _text(line, args)
        if kept and kv_sep in kept:
            key, _, value = kept.partition(kv_sep)
            key, value = _text(key, args), _text(value, args)
            found[key] = _inner(value, args, at)
        at += len(line) + len(line_sep)
    return found


def _inner(text: str | None, args: Mapping[str, Any], at: int) -> Any:
    parser = args.get("value_parser")
    if parser is None:
        return text
    if text is None:
        raise _BadError("a tag has no value", at, at + 1)
    try:
        return _READ[parser.get("name", "text")](text, parser.get("args", {}))
    except _BadError as error:
        reason, start, end, *more = error.malformed
        raise _BadError(reason, start + at, at + (end if end >= 0 else len(text)), *more) from None


_READ: Final[Mapping[str, Callable[[str, Mapping[str, Any]], Any]]] = {
    "text": _text,
    "int": lambda text, args: int(_text(text, args)),
    "float": lambda text, args: float(_text(text, args)),
    "bool": lambda text, args: _text(text, args).lower() in ("true", "1"),
    "json": _json,
    "xml-inline": _xml,
    "kv-lines": _lines,
}


def _transformed(field: TemplateField, value: Any, captures: Mapping[str, str]) -> Any:
    if not field.each:
        return _filled(field.transform, {**captures, "content": value})
    if not isinstance(value, list):
        raise _BadError(f"it is {_kind(value)}, not a list", 0, -1)
    for each in value:
        if not isinstance(each, dict):
            raise _BadError(f"its list holds {_kind(each)}, not an object", 0, -1)
    return [_filled(field.transform, {**captures, **each}) for each in value]


def _filled(transform: Any, scope: Mapping[str, Any]) -> Any:
    if isinstance(transform, dict):
        return {key: _filled(each, scope) for key, each in transform.items()}
    if isinstance(transform, list):
        return [_filled(each, scope) for each in transform]
    whole = PLACEHOLDER.fullmatch(transform) if isinstance(transform, str) else None
    if whole is None:
        return transform
    value: Any = scope
    for key in whole[1].split("."):
        if not isinstance(value, Mapping):
            raise _BadError(f"it is {_kind(value)}, without a {key}", 0, -1, key)
        if key not in value:
            raise _BadError(f"it has no {key}", 0, -1, key)
        value = value[key]
    return value


def _kind(value: Any) -> str:
    kinds = {dict: "an object", list: "a list", str: "a text", bool: "a boolean", type(None): "null"}
    return kinds.get(type(value), "a number")


def stripped(text: str, start: int = 0, end: int | None = None) -> tuple[int, int]:
    """Return the place of a stretch without the white space around it; a blank one stays whole."""
    part = text[start:end]
    inside = start + len(part) - len(part.lstrip()), start + len(part.rstrip())
    return inside if inside[0] < inside[1] else (start, start + len(part))


@lru_cache(maxsize=64)
def _lenient(pairs: tuple[tuple[str, str], ...], unquoted: bool) -> re.Pattern[str]:
    """Return a pattern for strings between other delimiters, and for keys without quotes."""
    ways = [f"{re.escape(opening)}(.*?){re.escape(closing)}" for opening, closing in pairs]
    return re.compile("|".join([*ways, *([r"(?<=[{,])(\w+):"] if unquoted else [])]), re.DOTALL)


@lru_cache(maxsize=64)
def _tag_pattern(source: str) -> tuple[re.Pattern[str], str]:
    """Return a pattern of tags, and the literal at the end of all its matches; empty if unknown."""
    ending = ""
    with suppress(ex.PatternError):
        read = ex.read(source)
        last = read.parts[-1:] if isinstance(read, ex.Sequence) else (read,)
        ending = "".join([each.text for each in last if isinstance(each, ex.Literal)])
    return re.compile(source, re.DOTALL), ending
