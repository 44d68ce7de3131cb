"""Response templates, as checked values.

Source: transformers, "Response Parsing".
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Final, NamedTuple

from llmblocks.completions import template_rules as rules
from llmblocks.completions.pattern import Pattern
from llmblocks.facts.message import FindingMessage
from llmblocks.facts.rule import Rule
from llmblocks.facts.severity import Severity
from llmblocks.grammars.pattern import PatternError

CONTENTS: Final = ("text", "int", "float", "bool", "json", "xml-inline", "kv-lines")
STRUCTURED: Final = frozenset(("json", "xml-inline", "kv-lines"))
PLACEHOLDER: Final = re.compile(r"\{(\w+(?:\.\w+)*)\}")
_TOP = ("version", "defaults", "fields", "start_anchor", "start_anchor_pattern")
_FIELD: Final[Mapping[str, tuple[type, str]]] = {
    "repeats": (bool, "true or false"),
    "join": (str, "a string"),
    "optional": (bool, "true or false"),
    "transform_each": (bool, "true or false"),
    "content_args": (dict, "an object"),
}
_DELIMITERS = ("open", "open_pattern", "close", "close_pattern")
_FIELD_KEYS = (*_DELIMITERS, "content", "content_args", "repeats", "join", "optional", "transform", "transform_each")
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

    `implicit` is the field for text outside of the others; None if that text is dropped.
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
        self.implicit: Final = next((field for field in found if field.open is None), None)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Template) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"Template({self.key})"

    def response_of(self, prefix: str) -> str:
        """Return the part of a prompt that belongs to the answer: the text after the last assistant header."""
        last = 0
        for found in self._anchor.finditer(prefix):
            last = found.end()
        return prefix[last:]

    @cached_property
    def _anchor(self) -> re.Pattern[str]:
        given = self.value.get("start_anchor_pattern")
        return re.compile(given or _alternatives(self.value["start_anchor"]), re.DOTALL)


def faults_of(value: object) -> tuple[Fault, ...]:
    """Return the mistakes in a template. Never raises: any value is input."""
    return (*_checked(value)[1],)


def _checked(value: object) -> tuple[tuple[TemplateField, ...], list[Fault]]:
    if not isinstance(value, Mapping):
        return (), [_invalid((), value, "an object")]
    faults = [*_unknown(value, _TOP, ())]
    if value.get("version", 1) != 1:
        faults.append(_invalid(("version",), value["version"], "1"))
    if not isinstance(value.get("defaults", {}), Mapping):
        faults.append(_invalid(("defaults",), value["defaults"], "an object"))
    _delimiter(value, "start_anchor", (), faults, scanned=False)
    if "start_anchor" not in value and "start_anchor_pattern" not in value:
        faults.append(Fault(rules.M107_MISSING_ANCHOR, (), {}))
    given = value.get("fields")
    if not isinstance(given, Mapping) or not given:
        return (), [*faults, _invalid(("fields",), given, "an object with at least one field")]
    fields = [_field(name, each, number, faults) for number, (name, each) in enumerate(given.items())]
    known = [field for field in fields if field is not None]
    faults += _together(known, given)
    return (*known,), faults


def _field(name: str, given: object, number: int, faults: list[Fault]) -> TemplateField | None:
    path: Path = ("fields", name)
    if not isinstance(given, Mapping):
        faults.append(_invalid(path, given, "an object"))
        return None
    before = len(faults)
    faults += _unknown(given, _FIELD_KEYS, path)
    for key, (kind, need) in _FIELD.items():
        if key in given and not isinstance(given[key], kind):
            faults.append(_invalid((*path, key), given[key], need))
    content = given.get("content", "text")
    if content not in CONTENTS:
        faults.append(_invalid((*path, "content"), content, f"one of {', '.join(CONTENTS)}"))
    if isinstance(given.get("join"), str) and not given.get("repeats"):
        faults.append(_invalid((*path, "join"), given["join"], "it with `repeats`, which is true"))
    opening = _delimiter(given, "open", path, faults)
    close = _delimiter(given, "close", path, faults)
    transform = given.get("transform")
    groups = [*(opening.groups if opening else ()), *(close.groups if close else ())]
    if transform is None:
        faults += [
            Fault(rules.M106_GROUP_WITHOUT_TRANSFORM, (*path, f"{key}_pattern"), {"group": group})
            for key, delimiter in (("open", opening), ("close", close))
            for group in (delimiter.groups if delimiter else ())
        ]
        if given.get("transform_each"):
            faults.append(Fault(rules.M109_MIXED_PLACEHOLDER, (*path, "transform_each"), {"case": "alone"}))
    else:
        known = () if given.get("transform_each") else ("content", *groups)
        faults += _placeholders(transform, (*path, "transform"), known)
    args = given.get("content_args", {})
    if isinstance(args, Mapping):
        faults += _arguments(content, args, (*path, "content_args"))
    if len(faults) > before:
        return None
    return TemplateField(
        name,
        number,
        opening,
        close,
        content,
        args,
        given.get("repeats", False),
        given.get("join"),
        given.get("optional", True),
        transform,
        given.get("transform_each", False),
    )


def _delimiter(
    given: Mapping[str, Any], key: str, path: Path, faults: list[Fault], *, scanned: bool = True
) -> Pattern | None:
    """Read the opening or closing delimiter, or the beginning of a message."""
    pattern = f"{key}_pattern"
    if key in given and pattern in given:
        data = {"path": ".".join(map(str, path)) or "the template", "literal": key, "pattern": pattern}
        faults.append(Fault(rules.M104_TWO_DELIMITERS, (*path, pattern), data))
        return None
    if key in given:
        texts = [given[key]] if isinstance(given[key], str) else given[key]
        if not isinstance(texts, list) or not texts or not all(isinstance(each, str) and each for each in texts):
            faults.append(_invalid((*path, key), given[key], "a string, or a list of strings, none of them empty"))
            return None
        try:
            return Pattern.of_literals(texts) if scanned else None
        except PatternError as error:
            faults.append(_unscanned((*path, key), error))
            return None
    if pattern not in given:
        return None
    if not isinstance(given[pattern], str):
        faults.append(_invalid((*path, pattern), given[pattern], "a regular expression"))
        return None
    try:
        if scanned:
            return Pattern(given[pattern], closes=key == "close")
        re.compile(given[pattern])
    except PatternError as error:
        faults.append(_unscanned((*path, pattern), error))
    except re.error as error:
        faults.append(_invalid((*path, pattern), given[pattern], f"a regular expression: {error}"))
    return None


def _arguments(content: object, args: Mapping[str, Any], path: Path) -> Iterator[Fault]:
    if content == "xml-inline":
        pattern = args.get("tag_pattern")
        try:
            groups = re.compile(pattern).groupindex if isinstance(pattern, str) else {}
        except re.error:
            groups = {}
        if "key" not in groups:
            need = "a regular expression with the named groups `key` and `value`"
            yield _invalid((*path, "tag_pattern"), pattern, need)
    delimiters = args.get("string_delims", [])
    if not isinstance(delimiters, list) or not all(
        isinstance(pair, list) and len(pair) == 2 and all(isinstance(each, str) and each for each in pair)
        for pair in delimiters
    ):
        yield _invalid((*path, "string_delims"), delimiters, "a list of pairs of strings")
    for key in ("line_sep", "kv_sep"):
        if key in args and not (isinstance(args[key], str) and args[key]):
            yield _invalid((*path, key), args[key], "a string that is not empty")
    inner = args.get("value_parser")
    if inner is not None:
        name = inner.get("name", "text") if isinstance(inner, Mapping) else None
        more = inner.get("args", {}) if isinstance(inner, Mapping) else None
        if name not in CONTENTS or not isinstance(more, Mapping):
            yield _invalid((*path, "value_parser"), inner, f"an object with a `name`, one of {', '.join(CONTENTS)}")
        else:
            yield from _arguments(name, more, (*path, "value_parser", "args"))


def _placeholders(transform: Any, path: Path, known: tuple[str, ...]) -> Iterator[Fault]:
    """Yield the mistakes in a transform.

    `known` are the names of values; empty if each element has its own.
    """
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


def _together(fields: list[TemplateField], given: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield the mistakes that involve several fields."""
    implicit = [
        name
        for name, each in given.items()
        if isinstance(each, Mapping) and "open" not in each and "open_pattern" not in each
    ]
    for name in implicit[1:]:
        yield Fault(rules.M103_TWO_IMPLICIT_FIELDS, ("fields", name), {"field": name, "first": implicit[0]})
    openers: dict[str, str] = {}
    literals = [(literal, field.name) for field in fields if field.open for literal in field.open.literals]
    for field in fields:
        for literal in field.open.literals if field.open else ():
            first = openers.setdefault(literal, field.name)
            if first != field.name:
                data = {"literal": literal, "first": first, "field": field.name, "wins": min(first, field.name)}
                yield Fault(rules.M105_AMBIGUOUS_DELIMITER, ("fields", field.name, "open"), data)
            for longer, other in literals:
                if other != field.name and longer != literal and longer.startswith(literal):
                    data = {"case": "prefix", "literal": literal, "longer": longer, "first": field.name, "field": other}
                    yield Fault(rules.M105_AMBIGUOUS_DELIMITER, ("fields", field.name, "open"), data)


def _unknown(given: Mapping[str, Any], known: tuple[str, ...], path: Path) -> Iterator[Fault]:
    for key in given:
        if key not in known:
            from difflib import get_close_matches

            near = get_close_matches(str(key), known, 1)
            advice = f"did you mean `{near[0]}`?" if near else f"the keys are {', '.join(known)}"
            yield Fault(rules.M101_UNKNOWN_KEY, (*path, key), {"key": key, "advice": advice})


def _invalid(path: Path, value: object, need: str) -> Fault:
    shown = json.dumps(value, default=repr, ensure_ascii=False)
    where = ".".join(map(str, path)) or "the template"
    return Fault(rules.M102_INVALID_KEY, path, {"path": where, "value": shown, "need": need})


def _unscanned(path: Path, error: PatternError) -> Fault:
    return Fault(rules.M108_UNBOUNDED_PATTERN, path, {"key": path[-1], "reason": str(error)})


def _alternatives(given: str | list[str]) -> str:
    texts = [given] if isinstance(given, str) else given
    return "|".join([re.escape(each) for each in sorted(texts, key=len, reverse=True)])
