"""Settings judged by their schema. The few keywords that it uses, without a library: this runs at every start."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final, Literal, NamedTuple

from llmblocks.gadget.syntax import markers as marks
from llmblocks.settings.given import Given, SettingPath
from llmblocks.settings.rule_names import Known, code_of, nearest
from llmblocks.settings.schema import SCHEMA, Schema
from llmblocks.settings.values import TAG_NAME
from llmblocks.tags.syntax.names import is_name

_MATCH_NOTHING = (
    (re.compile(r"(^!?|/)\.{1,2}(/|$)"), "a pattern counts from the folder of its settings, without . and .."),
    (re.compile(r"^!?~/"), "a pattern counts from the folder of its settings, not from a home"),
    (re.compile(r"^!?[A-Za-z]:[/\\]"), "a pattern counts from the folder of its settings, not from a drive"),
    (re.compile(r"(?<!\\)(\\\\)*\{[^{}]*,[^{}]*\}"), "braces are no choice in .gitignore; write a pattern for each"),
    (re.compile(r"(?<!\\)(\\\\)*\\[A-Za-z0-9_.]"), "folders are separated by /"),
)
"""Patterns that are valid in .gitignore, and mean something else than their authors do."""
_TYPES: Final[dict[str, tuple[tuple[type, ...], str]]] = {
    "object": ((dict,), "it must be an object"),
    "array": ((list,), "it must be an array"),
    "string": ((str,), "it must be a string"),
    "boolean": ((bool,), "it must be true or false"),
    "integer": ((int,), "it must be a valid integer"),
    "number": ((int, float), "it must be a valid number"),
}
_TOO_MANY = "it must not have more than {} items"
_Kind = Literal["value", "name", "unknown", "rule", "markers"]


class Wrong(NamedTuple):
    """A wrong part of settings. Shape: `need` says what it must be; `kind` is "name" for a name that a user chose."""

    path: SettingPath
    need: str
    kind: _Kind = "value"


class Judged(NamedTuple):
    """Settings with all defaults, rules by their codes; they are complete where nothing is `wrong`."""

    values: dict[str, Any]
    wrong: list[Wrong]


class _UnfitError(ValueError):
    def __init__(self, need: str, kind: _Kind = "value") -> None:
        super().__init__(need)
        self.need, self.kind = need, kind


def judged(given: Given, known: Known) -> Judged:
    """Judge settings. Shape: several parts can be wrong, those of a list or an object in its order."""
    judge = _Judge(known)
    values = judge.value(SCHEMA, given, ())
    return Judged(values or {}, judge.wrong)


class _Judge:
    def __init__(self, known: Known) -> None:
        self.wrong: list[Wrong] = []
        self._known = known

    def value(self, schema: Schema, value: Given, path: SettingPath) -> Any:
        """The value as it is used; None where it is wrong as a whole."""
        try:
            _fit(schema, value)
            if schema["type"] == "array":
                return [self.value(schema["items"], each, (*path, number)) for number, each in enumerate(value)]
            if schema["type"] == "object":
                return self._group(schema, value, path) if "properties" in schema else self._table(schema, value, path)
            return self._named(schema, float(value) if schema["type"] == "number" else value)
        except _UnfitError as error:
            self.wrong.append(Wrong(path, error.need, error.kind))
            return None

    def _group(self, schema: Schema, value: dict[str, Given], path: SettingPath) -> dict[str, Any]:
        found = {}
        before = len(self.wrong)
        for name, each in schema["properties"].items():
            if name in value:
                found[name] = self.value(each, value[name], (*path, name))
            elif "default" in each:
                found[name] = each["default"]
            elif "properties" in each:
                found[name] = self.value(each, {}, (*path, name))
        self.wrong += [Wrong((*path, name), "", "unknown") for name in value if name not in schema["properties"]]
        if schema.get("is") == "markers" and len(self.wrong) == before:
            for problem in marks.problems(**found):
                raise _UnfitError(problem, "markers")
        return found

    def _table(self, schema: Schema, value: dict[str, Given], path: SettingPath) -> dict[str, Any]:
        found = {}
        for name, each in value.items():
            key, inside = name, (*path, name)
            try:
                _fit(schema["propertyNames"], name)
                key = self._named(schema["propertyNames"], name)
            except _UnfitError as error:
                self.wrong.append(Wrong(inside, error.need, "name" if error.kind == "value" else error.kind))
            found[key] = self.value(schema["additionalProperties"], each, inside)
        return found

    def _named(self, schema: Schema, value: Any) -> Any:
        """A value of one of the kinds that the schema alone does not tell."""
        named = schema.get("is")
        if named == "rule":
            code = code_of(value, self._known.rules)
            if code is None:
                raise _UnfitError(nearest(value, self._known.rules), "rule")
            return code
        if named == "language" and value not in self._known.languages:
            raise _UnfitError(f"it must be {_either(self._known.languages)}")
        for need in _CHECKS[named](value) if named in _CHECKS else ():
            raise _UnfitError(need)
        return value


def _fit(schema: Schema, value: Given) -> None:
    """The keywords of JSON Schema. Errors: `_UnfitError`."""
    if "enum" in schema:
        if not isinstance(value, str) or value not in schema["enum"]:
            raise _UnfitError(f"it must be {_either(schema['enum'])}")
        return
    types, need = _TYPES[schema["type"]]
    # to Python, true is a number
    if type(value) not in types:
        raise _UnfitError(need)
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise _UnfitError("it must be a valid string, unable to parse raw data as a unicode string") from None
        if len(value) < schema.get("minLength", 0):
            raise _UnfitError("it must not be empty")
        if len(value) > schema["maxLength"]:
            raise _UnfitError(f"it must not have more than {schema['maxLength']} characters")
    elif isinstance(value, list) and len(value) > schema["maxItems"]:
        raise _UnfitError(_TOO_MANY.format(schema["maxItems"]))
    elif isinstance(value, dict) and len(value) > schema.get("maxProperties", len(value)):
        raise _UnfitError(_TOO_MANY.format(schema["maxProperties"]))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        # NaN is not less than anything
        if not value <= schema["maximum"]:
            raise _UnfitError(f"it must be less than or equal to {schema['maximum']}")
        if "minimum" in schema and not value >= schema["minimum"]:
            raise _UnfitError(f"it must be greater than or equal to {schema['minimum']}")
        if "exclusiveMinimum" in schema and not value > schema["exclusiveMinimum"]:
            raise _UnfitError(f"it must be greater than {schema['exclusiveMinimum']}")


def _path(text: str) -> Iterator[str]:
    if "\0" in text:
        yield "a path must not contain a NUL character"


def _glob(text: str) -> Iterator[str]:
    from llmblocks.settings.globs import GlobError, compile_globs

    yield from _path(text)
    try:
        compile_globs((text,))
    except GlobError:
        yield "it must be a glob pattern as in .gitignore"
    for shape, need in _MATCH_NOTHING:
        if shape.search(text):
            yield f"it matches nothing: {need}"


def _tag(text: str) -> Iterator[str]:
    if not is_name(text):
        yield TAG_NAME


_CHECKS: Final[dict[Any, Callable[[str], Iterator[str]]]] = {"path": _path, "glob": _glob, "tag": _tag}


def _either(words: tuple[str, ...] | list[str]) -> str:
    *others, last = [f"'{word}'" for word in words] or ["one that there is"]
    return f"{', '.join(others)} or {last}" if others else last
