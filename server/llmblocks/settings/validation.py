"""Settings, validated by their JSON Schema and completed with its defaults.

Not by the model of `settings/model.py`: with pydantic, the first check of a settings file takes 134 ms of processor
time instead of 111 (2026-11-27), and a browser would load a compiled library of 2 MB.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Container, Iterator
from typing import Any, Final, Literal, NamedTuple

from jsonschema import Draft202012Validator, FormatChecker, ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend

from llmblocks.contents.content import ALONE
from llmblocks.gadget.syntax import markers as marks
from llmblocks.json5.path import steps
from llmblocks.settings.given import Given, SettingPath
from llmblocks.settings.rule_names import Known, code_of
from llmblocks.settings.schema import SCHEMA, Schema
from llmblocks.settings.values import TAG_NAME
from llmblocks.tags.syntax import is_name

_MATCH_NOTHING = (
    (re.compile(r"(^!?|/)\.{1,2}(/|$)"), "a pattern counts from the folder of its settings, without . and .."),
    (re.compile(r"^!?~/"), "a pattern counts from the folder of its settings, not from a home"),
    (re.compile(r"^!?[A-Za-z]:[/\\]"), "a pattern counts from the folder of its settings, not from a drive"),
    (
        re.compile(r"(?<!\\)(\\\\)*\{[^{}]*,[^{}]*\}"),
        "braces do not list choices in .gitignore; write a pattern for each",
    ),
    (re.compile(r"(?<!\\)(\\\\)*\\[A-Za-z0-9_.]"), "folders are separated by /"),
)
"""Patterns that are valid in .gitignore, but do not have the intended meaning."""
_TYPES: Final = {
    "object": "an object",
    "array": "an array",
    "string": "a string",
    "boolean": "true or false",
    "integer": "a valid integer",
    "number": "a valid number",
}
_NEEDS: Final = {
    "minLength": "it must not be empty",
    "maxLength": "it must not have more than {} characters",
    "minItems": "it must not be empty",
    "maxItems": "it must not have more than {} items",
    "maxProperties": "it must not have more than {} items",
    "minimum": "it must be greater than or equal to {}",
    "exclusiveMinimum": "it must be greater than {}",
    "maximum": "it must be less than or equal to {}",
}
_LONGEST_NUMBER: Final = 1000
"""In bits."""
_CHECKED: Final = {"markers": dict, "content": list}
"""The types of the values that formats check, if they are not texts."""
_Kind = Literal["value", "name", "unknown", "rule", "markers"]


class Wrong(NamedTuple):
    """An invalid part of settings."""

    path: SettingPath
    need: str
    """The requirement."""
    kind: _Kind = "value"
    """"name" for a name that a user chose."""


class ValidatedSettings(NamedTuple):
    """Settings with all defaults, and rules by their codes; complete if nothing is `wrong`."""

    values: dict[str, Any]
    wrong: list[Wrong]


def judged(given: Given, known: Known) -> ValidatedSettings:
    """Validate settings. Errors have the order of the settings."""
    errors = _Validator(SCHEMA, format_checker=_formats(known)).iter_errors(_printable(given))
    found: dict[SettingPath, Wrong] = {}
    for error in sorted(errors, key=_rank):
        for wrong in _wrong(error):
            found.setdefault(wrong.path, wrong)
    if found:
        return ValidatedSettings({}, [found[path] for path in _outermost(given, (), found)])
    return ValidatedSettings(_complete(SCHEMA, given), [])


def _printable(given: Given) -> Any:
    """Return the same settings without numbers that Python cannot print, because jsonschema prints values."""
    if isinstance(given, dict):
        return {name: _printable(each) for name, each in given.items()}
    if isinstance(given, list):
        return [*map(_printable, given)]
    return math.inf if isinstance(given, int) and given.bit_length() > _LONGEST_NUMBER else given


def _outermost(given: Given, path: SettingPath, found: Container[SettingPath]) -> Iterator[SettingPath]:
    """Yield the invalid parts that are not inside others, in order."""
    if path in found:
        yield path
        return
    for step, each in given.items() if isinstance(given, dict) else enumerate(given) if isinstance(given, list) else ():
        yield from _outermost(each, (*path, step), found)


def _rank(error: ValidationError) -> tuple[bool, bool, bool]:
    """Rank an error: names before their values, types before limits, formats last."""
    return "propertyNames" not in error.absolute_schema_path, error.validator != "type", error.validator == "format"


def _wrong(error: ValidationError) -> Iterator[Wrong]:
    path: SettingPath = (*error.absolute_path,)
    schema: Any = error.schema
    given: Any = error.instance
    if error.validator == "additionalProperties":
        yield from [Wrong((*path, name), "", "unknown") for name in given if name not in schema["properties"]]
        return
    kind: _Kind = "value"
    if "propertyNames" in error.absolute_schema_path:
        path, kind = (*path, given), "name"
    need = _NEEDS.get(str(error.validator), "").format(error.validator_value)
    if "enum" in schema:
        need = f"it must be {_either(schema['enum'])}"
    elif error.validator == "type":
        odd = schema["type"] == "string" and isinstance(given, str)
        need = f"it must be {_TYPES[schema['type']]}{', unable to parse raw data as a unicode string' if odd else ''}"
        need = need.replace("a string,", "a valid string,")
        if schema.get("format") == "content":
            need = "it must be a string, or an array of strings"
    elif error.validator == "format":
        need = str(error.cause)
        kind = schema["format"] if schema["format"] in ("rule", "markers") else kind
    yield Wrong(path, need, kind)


def _complete(schema: Schema, value: Given) -> Any:
    """Return a valid value with all defaults."""
    if schema.get("format") == "rule":
        return code_of(value)
    if schema["type"] == "number":
        return float(value)
    if schema["type"] == "array":
        return [_complete(schema["items"], each) for each in value]
    if schema["type"] != "object":
        return value
    if "properties" not in schema:
        names, values = {"type": "string", **schema["propertyNames"]}, schema["additionalProperties"]
        return {_complete(names, name): _complete(values, each) for name, each in value.items()}
    found = {}
    for name, each in schema["properties"].items():
        if name in value:
            found[name] = _complete(each, value[name])
        elif "default" in each:
            found[name] = each["default"]
        elif "properties" in each:
            found[name] = _complete(each, {})
    return found


def _is_text(_: object, value: object) -> bool:
    """Return whether a string can be encoded: it contains no half of a surrogate pair."""
    try:
        return isinstance(value, str) and value.encode() is not None
    except UnicodeEncodeError:
        return False


def _is_number(_: object, value: object) -> bool:
    # NaN is not equal to itself; to Python, true is a number
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value


def _is_integer(_: object, value: object) -> bool:
    # 1.0 is an integer to JSON Schema, but not to TOML
    return isinstance(value, int) and not isinstance(value, bool)


def _items(validator: Validator, items: Schema, given: Given, schema: Schema) -> Iterator[ValidationError]:
    """Yield the errors of the items of a list, unless it is too long, which is then the only error."""
    if not isinstance(given, list) or len(given) <= schema.get("maxItems", math.inf):
        yield from Draft202012Validator.VALIDATORS["items"](validator, items, given, schema)


_Validator: Final = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator,
    {"items": _items},
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine_many(
        {"string": _is_text, "number": _is_number, "integer": _is_integer}
    ),
)


def _formats(known: Known) -> FormatChecker:
    """Return the checks beyond JSON Schema. The cause of an error gives the requirement."""

    def rule(text: str) -> None:
        if code_of(text) is None:
            raise ValueError("it must be a rule")

    def language(text: str) -> None:
        if text not in known:
            raise ValueError(f"it must be {_either(known)}")

    formats: dict[str, Callable[[Any], object]] = {
        "rule": rule,
        "language": language,
        "path": _path,
        "glob": _glob,
        "tag": _tag,
        "string": steps,
        "regex": _regex,
        "markers": _markers,
        "content": _content,
        "schema": _schema,
        "template": _template,
    }
    found = FormatChecker(())
    for name, check in formats.items():
        found.checks(name, ValueError)(_holds(name, check))
    return found


def _holds(name: str, check: Callable[[Any], object]) -> Callable[[object], bool]:
    def holds(value: object) -> bool:
        # another type is another error
        if isinstance(value, _CHECKED.get(name, str)):
            check(value)
        return True

    return holds


def _path(text: str) -> None:
    if "\0" in text:
        raise ValueError("a path must not contain a NUL character")


def _glob(text: str) -> None:
    from llmblocks.settings.globs import GlobError, compile_globs

    _path(text)
    try:
        compile_globs((text,))
    except GlobError:
        raise ValueError("it must be a glob pattern as in .gitignore") from None
    for shape, need in _MATCH_NOTHING:
        if shape.search(text):
            raise ValueError(f"it matches nothing: {need}")


def _regex(text: str) -> None:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"it must be a regular expression: {error}") from None


def _schema(text: str) -> None:
    from llmblocks.settings.content_schemas import is_schema, require_schema

    require_schema(text) if is_schema(text) else _path(text)


def _template(text: str) -> None:
    from llmblocks.completions.shipped import template_called

    # the path of a file that contains one
    _path(text) if text.endswith(".json") else template_called(text)


def _tag(text: str) -> None:
    if not is_name(text):
        raise ValueError(TAG_NAME)


def _content(given: list[Given]) -> None:
    if len(given) > 1 and (alone := [each for each in ALONE if each in given]):
        raise ValueError(f"it must not have '{alone[0]}' among alternatives")


def _markers(given: dict[str, Given]) -> None:
    texts: list[Any] = [given.get(name, default) for name, default in marks.Markers()._asdict().items()]
    # another error comes first
    if len(given.keys() | marks.Markers._fields) == len(texts) and all(isinstance(text, str) for text in texts):
        for problem in marks.problems(*texts):
            raise ValueError(problem)


def _either(words: tuple[str, ...] | list[str]) -> str:
    *others, last = [f"'{word}'" for word in words] or ["one that there is"]
    return f"{', '.join(others)} or {last}" if others else last
