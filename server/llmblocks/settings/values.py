"""The settings as plain values. `settings/model.py` describes them to users, and is loaded only for validation."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from llmblocks.core.system import inside
from llmblocks.facts.rule import Rule
from llmblocks.gadget.schemas.gadgets import NO_GADGETS, Gadgets
from llmblocks.gadget.syntax.markers import Markers
from llmblocks.tags.syntax.declared import Tag

DialectChoice = Literal["auto", "@", ";"]
SeverityName = Literal["off", "hint", "information", "warning", "error"]
Delivery = Literal["auto", "push", "pull"]
DatasetName = Literal["openai", "anthropic", "sharegpt"]

DEFAULT_TAGS = ("think", "thinking", "reasoning", "answer", "artifact", "tool", "result")
TAG_NAME = "it must begin with a letter or _, and have only ASCII letters, digits, _ and -"
ALL_ROLES = ("*",)
_JSON = (".json", ".jsonl", ".ndjson")
_KINDS: dict[str, tuple[type | tuple[type, ...], str]] = {
    "integer": (int, "a whole number"),
    "number": ((int, float), "a number"),
    "boolean": (bool, "True or False"),
    "string": (str, "a text"),
    "array": ((tuple, list), "a tuple of texts"),
}
"""The types of a field, by the type of its schema."""
NOT_CHECKED = (".*", "!.llmist", "node_modules", "__pycache__")


class ByGlob(NamedTuple):
    """The values for the files that a glob pattern matches."""

    glob: str
    values: tuple[str, ...]

    def applies_to(self, path: str) -> bool:
        """Return whether the pattern is for a file.

        A relative path and a relative pattern count from the current folder.
        """
        from llmblocks.settings.globs import matches

        glob, path = self.glob.removeprefix("!"), os.path.abspath(path)
        if not os.path.isabs(glob):
            path = inside(path, os.getcwd()) or path
        return matches((glob,), path) == (glob == self.glob)


class _Settings(NamedTuple):
    """All settings, with their defaults.

    Shape: `select` and `ignore` hold codes or prefixes of codes, the longest that matches decides; an empty `select`
           means all; `severity` pairs codes or prefixes with their severities. They may be given as in a settings file:
           by name, in any case, and by a mapping. `tags` are the names of custom blocks,
           `declared_tags` those that are described; `default_role` is the role of the text before the first message,
           or empty. Messages of the `gadget_roles` hold gadget calls, those of the `block_roles` custom blocks; `*` is
           every role. The glob patterns of `per_file_ignores`, `languages` and `schemas` go with codes, a language id,
           and schema files; they match absolute paths, and one that begins with `!` matches all other files.
           Those of `strings` go with the texts in JSON: each is a language id, a colon and a path, such as
           `gadget:messages[*].content`, or the name of a form of data sets; a mapping of paths to language ids will do.
           So do those of `code`, with regular expressions for names in the place of paths.
           `gadgets` are what the schema files define; who reads the files puts them here. `template` is a response
           template, by its name or as JSON; `templates` are those of the files that a pattern matches. `baseline` is
           the absolute path of a file with accepted findings, or empty; `rules` are those of a team (`load_rules` of
           `llmblocks.extension`).
    Errors: `ValueError` for a name of no rule, a severity, dialect, tag or number that cannot be.
    """

    markers: Markers = Markers()
    dialect: DialectChoice = "auto"
    tags: tuple[str, ...] = DEFAULT_TAGS
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: tuple[tuple[str, SeverityName], ...] = ()
    max_diagnostics: int = 2000
    max_size_mb: float = 50.0
    delivery: Delivery = "auto"
    workspace_diagnostics: bool = False
    declared_tags: tuple[Tag, ...] = ()
    default_role: str = ""
    gadget_roles: tuple[str, ...] = ALL_ROLES
    block_roles: tuple[str, ...] = ALL_ROLES
    schemas: tuple[ByGlob, ...] = ()
    languages: tuple[ByGlob, ...] = ()
    strings: tuple[ByGlob, ...] = ()
    code: tuple[ByGlob, ...] = ()
    per_file_ignores: tuple[ByGlob, ...] = ()
    exclude: tuple[str, ...] = NOT_CHECKED
    gadgets: Gadgets = NO_GADGETS
    hint_types: bool = True
    hint_waves: bool = True
    hint_ends: bool = True
    lens_order: bool = True
    lens_results: bool = True
    lens_parameters: bool = False
    unnamed_fences: bool = False
    template: str = "hermes"
    templates: tuple[ByGlob, ...] = ()
    baseline: str = ""
    rules: tuple[Rule, ...] = ()


class Settings(_Settings):
    __slots__ = ()

    if not TYPE_CHECKING:

        def __new__(cls, *values, **named):
            """Settings that a program gives. `_replace` checks nothing."""
            made = super().__new__(cls, *values, **named)
            return made if made == _Settings() else _checked(made)

    def for_file(self, path: str) -> Settings:
        """Return the settings of one file, in which nothing depends on its path any more: all `schemas` apply to it."""
        of_files = self.per_file_ignores, self.languages, self.schemas, self.strings, self.code, self.templates
        if not any(of_files) and self.exclude == NOT_CHECKED:
            return self
        ignored = self.ignore
        if prefixes := [code for each in self.per_file_ignores if each.applies_to(path) for code in each.values]:
            if self.select:
                from llmblocks.settings.rule_names import codes_with

                # a longer prefix may be selected, but none is longer than a code
                prefixes = [*codes_with(prefixes)]
            ignored = tuple(dict.fromkeys((*ignored, *prefixes)))
        return self._replace(
            ignore=ignored,
            schemas=tuple([each for each in self.schemas if each.applies_to(path)]),
            strings=tuple([each for each in self.strings if each.applies_to(path)]),
            code=tuple([each for each in self.code if each.applies_to(path)]),
            template=next(
                (each.values[0] for each in reversed(self.templates) if each.applies_to(path)), self.template
            ),
            templates=(),
            per_file_ignores=(),
            languages=(),
            exclude=NOT_CHECKED,
        )

    def language_of(self, path: str) -> str | None:
        """The id of the language that the settings give a file; of several patterns that match, the last decides."""
        return next((each.values[0] for each in reversed(self.languages) if each.applies_to(path)), None)

    def names_texts(self, path: str) -> bool:
        """Return whether the settings name a file of JSON or code as one with embedded texts."""
        globs = self.strings if path.lower().endswith(_JSON) else self.code
        return any(each.applies_to(path) for each in globs)


def _checked(made: Settings) -> Settings:
    """Return the same settings, with rules by their codes. Errors: see `Settings`."""
    from llmblocks.completions.shipped import template_called
    from llmblocks.settings.rule_names import codes_of
    from llmblocks.settings.schema import fields
    from llmblocks.tags.syntax.names import is_name

    severity = _items(made.severity)
    for _, _, schema in fields():
        _require(getattr(made, schema["field"]), schema)
    for name, kind in (("markers", Markers), ("gadgets", Gadgets)):
        if not isinstance(value := getattr(made, name), kind):
            raise ValueError(f"{name} is {value!r}; use {kind.__name__}(…)")
    if not isinstance(made.rules, tuple) or not all(isinstance(each, Rule) and each.check for each in made.rules):
        raise ValueError(f"rules is {made.rules!r}; use what load_rules returns")
    _require(made.baseline, {"field": "baseline", "type": "string"})
    for rule, each in severity:
        _one_of(each, get_args(SeverityName), f"the severity of {rule}")
    for tag in (*made.tags, *[each.name for each in made.declared_tags]):
        if not is_name(tag):
            raise ValueError(f"{tag!r} is no name of a tag: {TAG_NAME}")
    templates = [ByGlob(glob, _texts(given)) for glob, given in _items(made.templates)]
    for name in (made.template, *[each.values[0] for each in templates]):
        template_called(name)
    return made._replace(
        templates=tuple(templates),
        select=codes_of(made.select),
        ignore=codes_of(made.ignore),
        severity=tuple([(code, each) for rule, each in severity for code in codes_of((rule,))]),
        exclude=tuple(made.exclude),
        languages=tuple([ByGlob(glob, _texts(language)) for glob, language in _items(made.languages)]),
        schemas=tuple([ByGlob(glob, _texts(files)) for glob, files in _items(made.schemas)]),
        per_file_ignores=tuple([ByGlob(glob, codes_of(rules)) for glob, rules in _items(made.per_file_ignores)]),
        strings=tuple([ByGlob(glob, _strings(given)) for glob, given in _items(made.strings)]),
        code=tuple([ByGlob(glob, _code(given)) for glob, given in _items(made.code)]),
    )


def kept(given: Any) -> tuple[str, ...]:
    """Return the strings of JSON, or the names in code, of a mapping to languages, as they are kept in `Settings`."""
    return tuple([f"{each}:{name}" for name, each in given.items()] if isinstance(given, Mapping) else given)


def _code(given: Any) -> tuple[str, ...]:
    """Names in code as they are kept. Errors: `ValueError` for what is no regular expression."""
    import re

    for each in (found := kept(given)):
        try:
            re.compile(each.partition(":")[2])
        except re.error as error:
            raise ValueError(f"{each} has no regular expression: {error}") from None
    return found


def _strings(given: Any) -> tuple[str, ...]:
    """Strings of JSON as they are kept. Errors: `ValueError` for a path that cannot be."""
    from llmblocks.json5.path import steps

    for each in (found := kept(given)):
        if each not in get_args(DatasetName):
            steps(each.partition(":")[2])
    return found


def _items(given: Any) -> list[tuple[Any, Any]]:
    return [*(given.items() if isinstance(given, Mapping) else given)]


def _texts(given: Any) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _one_of(value: object, allowed: Sequence[str], name: str) -> None:
    if value not in allowed:
        raise ValueError(f"{name} is {value!r}; use {', '.join(allowed)}")


def _require(value: Any, schema: dict[str, Any]) -> None:
    """Errors: `ValueError` for the value of a field that its schema does not allow."""
    name = schema["field"]
    if "enum" in schema:
        _one_of(value, schema["enum"], name)
        return
    kind, need = _KINDS[schema["type"]]
    right = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
    if schema["type"] == "array":
        right = right and all(isinstance(each, str) for each in value)
    elif schema["type"] in ("integer", "number"):
        least = schema.get("exclusiveMinimum", schema.get("minimum", 1) - 1)
        need = f"{need} above {least}"
        right = right and value > least
    if not right:
        raise ValueError(f"{name} is {value!r}; use {need}")


DEFAULTS = Settings()
