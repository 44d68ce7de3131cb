"""Response templates, as checked values.

Source: transformers, "Response Parsing".
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from llmblocks.completions import template_rules as rules
from llmblocks.completions.pattern import Pattern
from llmblocks.contract.arguments import nearest
from llmblocks.facts.message import FindingMessage
from llmblocks.facts.rule import Rule
from llmblocks.facts.severity import Severity
from llmblocks.grammars.expression import PatternError

CONTENTS: Final = ("text", "int", "float", "bool", "json", "xml-inline", "kv-lines")
STRUCTURED: Final = frozenset(("json", "xml-inline", "kv-lines"))
PLACEHOLDER: Final = re.compile(r"\{(\w+(?:\.\w+)*)\}")
_TOP = ("version", "defaults", "fields", "start_anchor", "start_anchor_pattern")
_DELIMITERS = ("open", "open_pattern", "close", "close_pattern")
_FIELD_KEYS = (*_DELIMITERS, "content", "content_args", "repeats", "join", "optional", "transform", "transform_each")
_BOOLEAN = (lambda value: isinstance(value, bool), "true or false")
_OBJECT = (lambda value: isinstance(value, dict), "an object")
_SEPARATOR = (lambda value: isinstance(value, str) and value, "a string that is not empty")
_NEEDS: Final[Mapping[str, tuple[Callable[[Any], object], str]]] = {
    "version": (lambda value: value == 1, "1"),
    "defaults": _OBJECT,
    "repeats": _BOOLEAN,
    "join": (lambda value: isinstance(value, str), "a string"),
    "optional": _BOOLEAN,
    "transform_each": _BOOLEAN,
    "content_args": _OBJECT,
    "content": (lambda value: value in CONTENTS, f"one of {', '.join(CONTENTS)}"),
    "line_sep": _SEPARATOR,
    "kv_sep": _SEPARATOR,
    "string_delims": (lambda value: _are_pairs(value), "a list of pairs of strings"),
}
"""The tests of plain values, and what they need."""
Path = tuple[str | int, ...]


class Fault(NamedTuple):
    """A mistake in a template."""

    rule: Rule
    path: Path
    """Leads to the wrong value or key."""
    data: Mapping[str, object]

    @property
    def message(self) -> FindingMessage:
        """The message for a user."""
        return self.rule.message(self.data)


class TemplateField(NamedTuple):
    """A region of a template."""

    name: str
    number: int
    """Its index among the fields, which `fields` names."""
    open: Pattern | None
    close: Pattern | None
    content: str
    args: Mapping[str, Any]
    repeats: bool
    join: str | None
    optional: bool
    transform: Any
    each: bool

    @property
    def is_structured(self) -> bool:
        """Whether its text has a value only once the region is closed."""
        return self.content in STRUCTURED


class Template:
    """A checked response template. Equal if their JSON is. Mistakes raise `ValueError`, which lists all of them.

    `implicit` is the field for text outside of the others; None if that text is dropped. A message begins after one of
    the `anchors`, or after their pattern.
    """

    def __init__(self, value: Mapping[str, Any]) -> None:
        found, faults = _checked(value)
        errors = [str(fault.message) for fault in faults if fault.rule.severity is Severity.ERROR]
        if errors:
            raise ValueError(f"no response template: {'; '.join(errors[:5])}")
        self.value: Final = value
        self.key: Final = json.dumps(value, sort_keys=True)
        self.fields: Final = found
        self.defaults: Final[Mapping[str, Any]] = value.get("defaults", {})
        anchors = value.get("start_anchor", ())
        self.anchors: Final = (anchors,) if isinstance(anchors, str) else (*anchors,)
        self.implicit: Final = next((field for field in found if field.open is None), None)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Template) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"Template({self.key})"

    def response_of(self, prefix: str) -> str:
        """Return the part of a prompt that belongs to the answer: the text after the last assistant header."""
        texts = sorted(self.anchors, key=len, reverse=True)
        anchor = self.value.get("start_anchor_pattern") or "|".join(map(re.escape, texts))
        ends = [found.end() for found in re.finditer(anchor, prefix, re.DOTALL)]
        return prefix[ends[-1] if ends else 0 :]


def faults_of(value: object) -> tuple[Fault, ...]:
    """Return the mistakes in a template. Never raises: any value is input."""
    return (*_checked(value)[1],)


def _checked(value: object) -> tuple[tuple[TemplateField, ...], list[Fault]]:
    if not isinstance(value, Mapping):
        return (), [_invalid((), value, "an object")]
    faults = [*_unknown(value, _TOP, ()), *_unfit(value, ())]
    _delimiter(value, "start_anchor", (), faults, scanned=False)
    if "start_anchor" not in value and "start_anchor_pattern" not in value:
        faults.append(Fault(rules.M107_MISSING_ANCHOR, (), {}))
    given = value.get("fields")
    if not isinstance(given, Mapping) or not given:
        return (), [*faults, _invalid(("fields",), given, "an object with at least one field")]
    read = [_field(name, each, number, faults) for number, (name, each) in enumerate(given.items())]
    fields = [field for field in read if field is not None]
    return (*fields,), [*faults, *_together(fields)]


def _field(name: str, given: object, number: int, faults: list[Fault]) -> TemplateField | None:
    path: Path = ("fields", name)
    if not isinstance(given, Mapping):
        faults.append(_invalid(path, given, "an object"))
        return None
    before = len(faults)
    faults += [*_unknown(given, _FIELD_KEYS, path), *_unfit(given, path)]
    if isinstance(given.get("join"), str) and not given.get("repeats"):
        faults.append(_invalid((*path, "join"), given["join"], "it with `repeats`, which is true"))
    opening, close = _delimiter(given, "open", path, faults), _delimiter(given, "close", path, faults)
    groups = [(key, each) for key, way in (("open", opening), ("close", close)) for each in (way.groups if way else ())]
    transform, each = given.get("transform"), given.get("transform_each", False)
    if transform is not None:
        known = () if each else ("content", *[group for _, group in groups])
        faults += _placeholders(transform, (*path, "transform"), known)
    else:
        for key, group in groups:
            faults.append(Fault(rules.M106_GROUP_WITHOUT_TRANSFORM, (*path, f"{key}_pattern"), {"group": group}))
        if each:
            faults.append(Fault(rules.M109_MIXED_PLACEHOLDER, (*path, "transform_each"), {"case": "alone"}))
    content, args = given.get("content", "text"), given.get("content_args", {})
    faults += _arguments(content, args, (*path, "content_args"))
    if len(faults) > before:
        return None
    repeats, join, optional = given.get("repeats", False), given.get("join"), given.get("optional", True)
    return TemplateField(name, number, opening, close, content, args, repeats, join, optional, transform, each)


def _delimiter(
    given: Mapping[str, Any], key: str, path: Path, faults: list[Fault], *, scanned: bool = True
) -> Pattern | None:
    """Read the opening or closing delimiter, or the beginning of a message."""
    pattern = f"{key}_pattern"
    if key in given and pattern in given:
        data = {"path": _shown(path), "literal": key, "pattern": pattern}
        faults.append(Fault(rules.M104_TWO_DELIMITERS, (*path, pattern), data))
        return None
    key, is_literal = (key, True) if key in given else (pattern, False)
    if key not in given:
        return None
    value = given[key]
    texts = [value] if isinstance(value, str) else value
    try:
        if is_literal and isinstance(texts, list) and texts and all(isinstance(each, str) and each for each in texts):
            return Pattern.of_literals(texts)
        if not is_literal and isinstance(value, str):
            re.compile(value)
            return Pattern(value, closes=key == "close_pattern") if scanned else None
        need = "a string, or a list of strings, none of them empty" if is_literal else "a regular expression"
        faults.append(_invalid((*path, key), value, need))
    except PatternError as error:
        faults.append(Fault(rules.M108_UNBOUNDED_PATTERN, (*path, key), {"key": key, "reason": str(error)}))
    except re.error as error:
        faults.append(_invalid((*path, key), value, f"a regular expression: {error}"))
    return None


def _arguments(content: object, args: object, path: Path) -> Iterator[Fault]:
    if not isinstance(args, Mapping):
        return
    if content == "xml-inline":
        pattern = args.get("tag_pattern")
        try:
            groups = re.compile(pattern).groupindex if isinstance(pattern, str) else {}
        except re.error:
            groups = {}
        if "key" not in groups:
            need = "a regular expression with the named groups `key` and `value`"
            yield _invalid((*path, "tag_pattern"), pattern, need)
    yield from _unfit(args, path)
    inner = args.get("value_parser")
    if inner is None:
        return
    name, more = (inner.get("name", "text"), inner.get("args", {})) if isinstance(inner, Mapping) else (None, None)
    if name not in CONTENTS or not isinstance(more, Mapping):
        yield _invalid((*path, "value_parser"), inner, f"an object with a `name`, one of {', '.join(CONTENTS)}")
    else:
        yield from _arguments(name, more, (*path, "value_parser", "args"))


def _are_pairs(value: object) -> bool:
    pairs = value if isinstance(value, list) else [None]
    return all(
        isinstance(pair, list) and len(pair) == 2 and all(isinstance(each, str) and each for each in pair)
        for pair in pairs
    )


def _placeholders(transform: Any, path: Path, known: tuple[str, ...]) -> Iterator[Fault]:
    """Yield the mistakes in a transform. `known` are the names of values; empty if each element has its own."""
    if isinstance(transform, str):
        whole = PLACEHOLDER.fullmatch(transform)
        if not whole and PLACEHOLDER.search(transform):
            yield Fault(rules.M109_MIXED_PLACEHOLDER, path, {"text": transform})
        elif whole and known and whole[1].partition(".")[0] not in known:
            names = ", ".join([f"{{{each}}}" for each in known])
            yield Fault(rules.M109_MIXED_PLACEHOLDER, path, {"case": "unknown", "text": transform, "known": names})
    elif isinstance(transform, Mapping | list):
        items = transform.items() if isinstance(transform, Mapping) else enumerate(transform)
        for key, each in items:
            yield from _placeholders(each, (*path, key), known)


def _together(fields: list[TemplateField]) -> Iterator[Fault]:
    """Yield the mistakes that involve several fields."""
    implicit = [field.name for field in fields if field.open is None]
    for name in implicit[1:]:
        yield Fault(rules.M103_TWO_IMPLICIT_FIELDS, ("fields", name), {"field": name, "first": implicit[0]})
    openers: dict[str, str] = {}
    for field in fields:
        for literal in field.open.literals if field.open else ():
            first = openers.setdefault(literal, field.name)
            if first != field.name:
                data = {"literal": literal, "first": first, "field": field.name, "wins": min(first, field.name)}
                yield Fault(rules.M105_AMBIGUOUS_DELIMITER, ("fields", field.name, "open"), data)


def _unknown(given: Mapping[str, Any], known: tuple[str, ...], path: Path) -> Iterator[Fault]:
    for key in given:
        if key not in known:
            near = nearest(str(key), known)
            advice = f"did you mean `{near[0]}`?" if near else f"the keys are {', '.join(known)}"
            yield Fault(rules.M101_UNKNOWN_KEY, (*path, key), {"key": key, "advice": advice})


def _unfit(given: Mapping[str, Any], path: Path) -> Iterator[Fault]:
    """Yield the plain values that are not as needed."""
    for key, (fits, need) in _NEEDS.items():
        if key in given and not fits(given[key]):
            yield _invalid((*path, key), given[key], need)


def _invalid(path: Path, value: object, need: str) -> Fault:
    shown = json.dumps(value, default=repr, ensure_ascii=False)
    return Fault(rules.M102_INVALID_KEY, path, {"path": _shown(path), "value": shown, "need": need})


def _shown(path: Path) -> str:
    return ".".join(map(str, path)) or "the template"
