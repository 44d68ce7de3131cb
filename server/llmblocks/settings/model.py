"""The model of the settings: their names, types, limits, defaults and descriptions. Loaded only for validation."""

# ruff: noqa: N815 - settings are named as in editors

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationInfo, model_validator
from pydantic_core import PydanticCustomError

from llmblocks.gadget.syntax import markers as marks
from llmblocks.settings.rule_names import Known, code_of, nearest
from llmblocks.settings.values import (
    DEFAULT_TAGS,
    DEFAULTS,
    NOT_CHECKED,
    TAG_NAME,
    Delivery,
    DialectChoice,
    SeverityName,
)
from llmblocks.tags.syntax.names import is_name

MOST_ITEMS: Final = 1000
LONGEST_NAME: Final = 100
LONGEST_MARKER: Final = 256
LONGEST_PATH: Final = 1000
LONGEST_TEXT: Final = 10_000


_MATCH_NOTHING = (
    (re.compile(r"(^!?|/)\.{1,2}(/|$)"), "a pattern counts from the folder of its settings, without . and .."),
    (re.compile(r"^!?~/"), "a pattern counts from the folder of its settings, not from a home"),
    (re.compile(r"^!?[A-Za-z]:[/\\]"), "a pattern counts from the folder of its settings, not from a drive"),
    (re.compile(r"(?<!\\)(\\\\)*\{[^{}]*,[^{}]*\}"), "braces are no choice in .gitignore; write a pattern for each"),
    (re.compile(r"(?<!\\)(\\\\)*\\[A-Za-z0-9_.]"), "folders are separated by /"),
)
"""Patterns that are valid in .gitignore, and mean something else than their authors do."""


def _is_rule(text: str, info: ValidationInfo) -> str:
    known = _known(info)
    code = code_of(text, known.rules)
    if code is None:
        raise PydanticCustomError("unknown_rule", "{reason}", {"reason": nearest(text, known.rules)})
    return code


def _is_language(text: str, info: ValidationInfo) -> str:
    languages = _known(info).languages
    if text not in languages:
        raise PydanticCustomError("unknown_language", "it must be {ids}", {"ids": _either(languages)})
    return text


def _is_path(text: str) -> str:
    if "\0" in text:
        raise PydanticCustomError("no_path", "a path must not contain a NUL character")
    return text


def _is_glob(text: str) -> str:
    from llmblocks.settings.globs import GlobError, compile_globs

    try:
        compile_globs((_is_path(text),))
    except GlobError as error:
        raise PydanticCustomError("no_glob", "it must be a glob pattern as in .gitignore") from error
    for shape, need in _MATCH_NOTHING:
        if shape.search(text):
            raise PydanticCustomError("no_glob", "it matches nothing: {need}", {"need": need})
    return text


def _is_tag(text: str) -> str:
    if not is_name(text):
        raise PydanticCustomError("no_tag", "{need}", {"need": TAG_NAME})
    return text


def _known(info: ValidationInfo) -> Known:
    if info.context is None:
        raise ValueError("validate with `validated`")
    known: Known = info.context["known"]
    return known


def _either(words: tuple[str, ...]) -> str:
    *others, last = [f"'{word}'" for word in words] or ["one that there is"]
    return f"{', '.join(others)} or {last}" if others else last


Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
TagName = Annotated[Name, AfterValidator(_is_tag)]
TagNames = Annotated[tuple[TagName, ...], Field(strict=False, max_length=MOST_ITEMS)]
Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
RuleName = Annotated[Name, AfterValidator(_is_rule), Field(json_schema_extra={"rule": True})]
LanguageId = Annotated[Name, AfterValidator(_is_language), Field(json_schema_extra={"language": True})]
PathName = Annotated[str, Field(min_length=1, max_length=LONGEST_PATH), AfterValidator(_is_path)]
Glob = Annotated[str, Field(min_length=1, max_length=LONGEST_PATH), AfterValidator(_is_glob)]
Marker = Annotated[str, Field(max_length=LONGEST_MARKER)]
Names = Annotated[tuple[Name, ...], Field(strict=False, max_length=MOST_ITEMS)]
Values = Annotated[tuple[Marker, ...], Field(strict=False, max_length=MOST_ITEMS)]
Globs = Annotated[tuple[Glob, ...], Field(strict=False, max_length=MOST_ITEMS)]
PathNames = Annotated[tuple[PathName, ...], Field(strict=False, max_length=MOST_ITEMS)]
RuleNames = Annotated[tuple[RuleName, ...], Field(strict=False, max_length=MOST_ITEMS)]
Items = Field(max_length=MOST_ITEMS)


class Group(BaseModel):
    """A group of settings."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Diagnostics(Group):
    maxPerDocument: Annotated[int, Field(ge=1, le=1_000_000)] = Field(
        default=DEFAULTS.max_diagnostics,
        description="The maximum number of findings shown for a document.",
    )
    delivery: Delivery = Field(
        default=DEFAULTS.delivery,
        description="`push`: the server sends findings. `pull`: the editor fetches them. Read when the server starts.",
    )


class Files(Group):
    maxSizeMB: Annotated[float, Field(gt=0, le=4096)] = Field(
        default=DEFAULTS.max_size_mb,
        description="The size of the largest file that is analysed. Larger files get a notice.",
    )
    languages: Annotated[dict[Glob, LanguageId], Items] = Field(
        default={},
        description="The languages of files, by glob pattern: `gadget`, `stf` or `custom-blocks`. If several "
        "patterns match, the last one decides.",
    )
    exclude: Globs = Field(
        default=NOT_CHECKED,
        description="Glob patterns of the files and folders that `llmblocks check` skips in a folder. A pattern that "
        "begins with `!` includes them again.",
    )
    extendExclude: Globs = Field(
        default=(), description="Glob patterns in addition to `files.exclude` and to those of lower levels."
    )


class Markers(Group):
    start: Marker = Field(default=marks.START, description="The marker that begins a gadget call.")
    end: Marker = Field(default=marks.END, description="The marker that ends a gadget call.")
    arg: Marker = Field(default=marks.ARG, description="The marker that begins an argument.")

    @model_validator(mode="after")
    def _are_told_apart(self) -> Markers:
        for problem in marks.problems(self.start, self.end, self.arg):
            raise ValueError(problem)
        return self


class Gadget(Group):
    markers: Markers = Field(default_factory=Markers)
    markersFrom: PathName | None = Field(
        default=None,
        description="The path of llmist's `cli.toml`. Its markers are used unless `gadget.markers` sets others.",
    )
    schemas: Annotated[dict[Glob, PathNames], Items] = Field(
        default={},
        description="The files that define gadgets, by glob pattern of the documents that use them. All files of all "
        "patterns that match a document apply together.",
    )


class Stf(Group):
    dialect: DialectChoice = Field(
        default=DEFAULTS.dialect,
        description="The dialect of STF files. `auto` uses the dialect of the first valid command or comment.",
    )
    defaultRole: Annotated[str, Field(max_length=LONGEST_NAME)] = Field(
        default=DEFAULTS.default_role,
        description="The role of the text before the first message. Empty: such text is an error.",
    )
    gadgetRoles: Names = Field(
        default=DEFAULTS.gadget_roles,
        description="The roles of messages that can contain gadget calls, such as `assistant`. In messages of other "
        "roles, markers are text. `*` means every role.",
    )
    blockRoles: Names = Field(
        default=DEFAULTS.block_roles,
        description="The roles of messages that can contain custom blocks. In messages of other roles, tags are text. "
        "`*` means every role.",
    )


class Attribute(Group):
    required: bool = Field(default=False, description="Report tags without this attribute.")
    description: Text = Field(default="", description="A text in Markdown that explains the attribute.")
    values: Values = Field(default=(), description="The allowed values. Empty means any.")


class Tag(Group):
    description: Text = Field(default="", description="A text in Markdown that explains the tag.")
    attributes: Annotated[dict[Name, Attribute], Items] | None = Field(
        default=None,
        description="The attributes of the tag. Other attributes are reported; without this setting, none are.",
    )


class Tags(Group):
    names: TagNames = Field(default=DEFAULT_TAGS, description="The registered tags. Any other tag is text.")
    declared: Annotated[dict[TagName, Tag], Items] = Field(
        default={}, description="More registered tags, each with its description and attributes."
    )


class Rules(Group):
    select: RuleNames = Field(
        default=(), description="The rules to apply: codes, prefixes of codes such as `G1`, or names. Empty means all."
    )
    ignore: RuleNames = Field(
        default=(), description="Rules to leave out: codes, prefixes of codes such as `G1`, or names."
    )
    extendSelect: RuleNames = Field(
        default=(), description="Rules to apply in addition to `rules.select` and to those of lower levels."
    )
    extendIgnore: RuleNames = Field(
        default=(),
        description="Rules to leave out in addition to `rules.ignore` and to those of lower levels.",
    )
    perFileIgnores: Annotated[dict[Glob, RuleNames], Items] = Field(
        default={},
        description="Rules to leave out in some files, by glob pattern. All patterns that match a file apply; a "
        "pattern that begins with `!` matches all other files. They take precedence over `rules.select`.",
    )
    severity: Annotated[dict[RuleName, SeverityName], Items] = Field(
        default={}, description="The severity of a rule's findings, by code, prefix of codes, or name."
    )


class Hints(Group):
    types: bool = Field(
        default=DEFAULTS.hint_types, description="Show the value that a gadget receives if it differs from the text."
    )
    waves: bool = Field(
        default=DEFAULTS.hint_waves,
        description="Show the wave in which the runtime runs a call, or why it does not, where no code lens tells it.",
    )
    ends: bool = Field(default=DEFAULTS.hint_ends, description="Show where a call without an end marker ends.")


class Lenses(Group):
    order: bool = Field(
        default=DEFAULTS.lens_order,
        description="Show, above a call, the wave in which the runtime runs it, or why it does not.",
    )
    parameters: bool = Field(
        default=DEFAULTS.lens_parameters, description="Show, above a call, a link to its parameters as JSON."
    )


class Model(Group):
    """The settings of llmblocks."""

    extend: PathName | None = Field(
        default=None,
        description="The path of a settings file to extend. Its settings apply unless this file sets them.",
    )
    diagnostics: Diagnostics = Field(default_factory=Diagnostics)
    files: Files = Field(default_factory=Files)
    gadget: Gadget = Field(default_factory=Gadget)
    stf: Stf = Field(default_factory=Stf)
    tags: Tags = Field(default_factory=Tags)
    rules: Rules = Field(default_factory=Rules)
    hints: Hints = Field(default_factory=Hints)
    lenses: Lenses = Field(default_factory=Lenses)


def validated(given: Mapping[str, Any], known: Known) -> Model:
    """The settings as a model. Errors: pydantic's `ValidationError`."""
    return Model.model_validate(given, context={"known": known})
