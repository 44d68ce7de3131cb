"""The values of regions: contents, and their transforms.

Values equal those of transformers; where it raises, `Malformed` names the wrong part of the text.

Source: transformers, `utils/chat_parsing`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from llmblocks.completions.template import PLACEHOLDER, TemplateField

_SENTINELS: Final = ("\x01", "\x02")
_UNQUOTED = re.compile(r"(?<=[{,])(\w+):")
_START_TAG = re.compile(r"<[^/<>\s][^<>\n]*>")
_END_TAG = re.compile(r"</[^<>\s]+>")
_LAST_TAG = re.compile(r"</[^<>()\[\]{}|\\]+>\Z")


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
    def __init__(self, malformed: Malformed) -> None:
        super().__init__(malformed.reason)
        self.malformed = malformed


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
        return None, Malformed(str(error), 0, len(text))


def ignored_in(field: TemplateField, text: str) -> Iterator[tuple[int, int]]:
    """Yield the non-blank stretches of a region's text that no value contains."""
    if field.content == "xml-inline":
        at, close = 0, argument_end(field.args)
        for found in [*tags_in(text, field.args), None]:
            end = found.start() if found else len(text)
            between = _END_TAG.sub(lambda tag: tag[0] if tag[0] == close else " " * len(tag[0]), text[at:end])
            if between.strip():
                yield at + len(between) - len(between.lstrip()), at + len(between.rstrip())
            at = found.end() if found else end
    elif field.content == "kv-lines":
        at, line_sep, kv_sep = 0, field.args.get("line_sep", "\n"), field.args.get("kv_sep", ":")
        for line in text.split(line_sep):
            if line.strip() and kv_sep not in line:
                yield at + len(line) - len(line.lstrip()), at + len(line.rstrip())
            at += len(line) + len(line_sep)


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
    found = _LAST_TAG.search(args.get("tag_pattern", ""))
    return found[0] if found else ""


def _text(text: str, args: Mapping[str, Any]) -> str:
    return text.strip() if args.get("strip", True) else text


def _number(kind: Callable[[str], Any], name: str) -> Callable[[str, Mapping[str, Any]], Any]:
    def read(text: str, args: Mapping[str, Any]) -> Any:
        try:
            return kind(_text(text, args))
        except ValueError:
            raise _bad(f"it is not {name}", *_stripped(text)) from None

    return read


def _bool(text: str, args: Mapping[str, Any]) -> bool:
    return _text(text, args).lower() in ("true", "1")


def _json(text: str, args: Mapping[str, Any]) -> Any:
    """Parse JSON, with the template's lenient syntax."""
    delimiters, unquoted = args.get("string_delims") or [], args.get("unquoted_keys", False)
    written = _Rewritten(text)
    if delimiters:
        for sentinel in _SENTINELS:
            if (at := text.find(sentinel)) >= 0:
                raise _bad("it has a control character", at, at + 1)
        strings: list[str] = []

        def taken(found: re.Match[str]) -> str:
            strings.append(found[1])
            return f"\x01{len(strings) - 1}\x02"

        for opening, closing in delimiters:
            written.replace(_between(opening, closing), taken)
        if unquoted:
            written.replace(_UNQUOTED, lambda found: f'"{found[1]}":')
        for number, string in enumerate(strings):
            written.replace(re.compile(f"\x01{number}\x02"), lambda _, string=string: json.dumps(string))  # type: ignore[misc]
    elif unquoted:
        written.replace(_UNQUOTED, lambda found: f'"{found[1]}":')
    try:
        return json.loads(written.text)
    except json.JSONDecodeError as error:
        if args.get("allow_non_json"):
            return _text(text, args)
        raise _json_error(written, error) from None


def _json_error(written: _Rewritten, error: json.JSONDecodeError) -> _BadError:
    text, at = written.text, error.pos
    start, end = _stripped(written.source)
    if start == end:
        return _bad("there is no JSON", 0, len(written.source), missing="{}")
    if at >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        missing = missing_end(text)
        reason = "a string is not closed" if missing[:1] == '"' else "the text ends too early"
        place = written.place(at)
        return _bad(reason, min(place, end - 1), end, missing=missing)
    place = written.place(at)
    return _bad(_REASONS.get(error.msg, error.msg), place, min(place + 1, len(written.source)))


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


class _Rewritten:
    """A text with replaced parts, and their original places."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.text = source
        self._changes: list[list[tuple[int, int, int]]] = []

    def replace(self, pattern: re.Pattern[str], by: Callable[[re.Match[str]], str]) -> None:
        """Replace all matches."""
        parts, changes, at, size = list[str](), list[tuple[int, int, int]](), 0, 0
        for found in pattern.finditer(self.text):
            new = by(found)
            parts += [self.text[at : found.start()], new]
            size += found.start() - at
            changes.append((size, size + len(new), found.end()))
            size += len(new)
            at = found.end()
        if changes:
            self.text = "".join([*parts, self.text[at:]])
            self._changes.append(changes)

    def place(self, at: int) -> int:
        """Map a place in the text to the source."""
        for changes in reversed(self._changes):
            shift = 0
            for _, end, was in changes:
                if end <= at:
                    shift = was - end
                else:
                    break
            at += shift
        return min(max(at, 0), len(self.source))


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
            raise _bad("a tag has no key", *tag.span())
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
        raise _bad("a tag has no value", at, at + 1)
    try:
        return _READ[parser.get("name", "text")](text, parser.get("args", {}))
    except _BadError as error:
        found = error.malformed
        end = found.end if found.end >= 0 else len(text)
        raise _BadError(found._replace(start=found.start + at, end=end + at)) from None


_READ: Final[Mapping[str, Callable[[str, Mapping[str, Any]], Any]]] = {
    "text": _text,
    "int": _number(int, "a whole number"),
    "float": _number(float, "a number"),
    "bool": _bool,
    "json": _json,
    "xml-inline": _xml,
    "kv-lines": _lines,
}


def _transformed(field: TemplateField, value: Any, captures: Mapping[str, str]) -> Any:
    if not field.each:
        return _filled(field.transform, {**captures, "content": value})
    if not isinstance(value, list):
        raise _bad(f"it is {_kind(value)}, not a list", 0, -1)
    for each in value:
        if not isinstance(each, dict):
            raise _bad(f"its list holds {_kind(each)}, not an object", 0, -1)
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
            raise _bad(f"it is {_kind(value)}, without a {key}", 0, -1, key)
        if key not in value:
            raise _bad(f"it has no {key}", 0, -1, key)
        value = value[key]
    return value


def _kind(value: Any) -> str:
    kinds = {dict: "an object", list: "a list", str: "a text", bool: "a boolean", type(None): "null"}
    return kinds.get(type(value), "a number")


def _bad(reason: str, start: int, end: int, part: str = "", missing: str = "") -> _BadError:
    return _BadError(Malformed(reason, start, end, part, missing))


def _stripped(text: str) -> tuple[int, int]:
    """Return the place of a text without the white space around it; a blank text stays whole."""
    start, end = len(text) - len(text.lstrip()), len(text.rstrip())
    return (start, end) if start < end else (0, len(text))


@lru_cache(maxsize=64)
def _between(opening: str, closing: str) -> re.Pattern[str]:
    return re.compile(f"{re.escape(opening)}(.*?){re.escape(closing)}", re.DOTALL)


@lru_cache(maxsize=64)
def _tag_pattern(source: str) -> tuple[re.Pattern[str], str]:
    """Return a pattern of tags, and the literal at the end of all its matches; empty if unknown."""
    ending = re.search(r"</?[A-Za-z0-9_:-]+>\Z", source)
    return re.compile(source, re.DOTALL), ending[0] if ending and "|" not in source else ""
