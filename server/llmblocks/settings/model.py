"""The model of the settings: their names, types, limits, defaults and descriptions.

Settings are spelled only here. `make generate` writes `settings/schema.json` from it, by which they are validated.
Limits beyond JSON Schema are a `format`, which `settings/check.py` knows. `_of` names the field of `Settings` for the
value; that module fills the others. A group has a title.
"""

# ruff: noqa: N815 - settings are named as in editors

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from llmblocks.contents.content import CONTENT_NAMES, ContentName
from llmblocks.gadget.syntax import markers as marks
from llmblocks.settings.globs import NOT_CHECKED
from llmblocks.settings.values import DEFAULT_TAGS, DatasetName, SeverityName

MOST_ITEMS: Final = 1000
LONGEST_NAME: Final = 100
LONGEST_MARKER: Final = 256
LONGEST_PATH: Final = 1000
LONGEST_TEXT: Final = 10_000
LONGEST_SCHEMA: Final = 1_000_000

Schema = dict[str, Any]


def _of(field: str) -> Any:
    """Return the mark of a setting that is a field of `Settings`."""
    return Field(json_schema_extra={"field": field})


def _format(name: str) -> Any:
    return Field(json_schema_extra={"format": name})


def _text(name: str, longest: int) -> Any:
    """Return the limits of a text in a format."""
    return Field(min_length=1, max_length=longest, json_schema_extra={"format": name})


Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
TagName = Annotated[Name, _format("tag")]
RuleName = Annotated[Name, _format("rule")]
LanguageId = Annotated[Name, _format("language")]
PathName = Annotated[str, _text("path", LONGEST_PATH)]
ContentSchema = Annotated[str, _text("schema", LONGEST_SCHEMA)]
TemplateName = Annotated[str, _text("template", LONGEST_SCHEMA)]
Glob = Annotated[str, _text("glob", LONGEST_PATH)]
Marker = Annotated[str, Field(max_length=LONGEST_MARKER)]
Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
Items = Field(max_length=MOST_ITEMS)
Names = Annotated[tuple[Name, ...], Items]
TagNames = Annotated[tuple[TagName, ...], Items]
RuleNames = Annotated[tuple[RuleName, ...], Items]
StringPath = Annotated[str, _text("string", LONGEST_PATH)]
NamePattern = Annotated[str, _text("regex", LONGEST_PATH)]
BaselineName = Annotated[str, _text("baseline", LONGEST_PATH)]
GadgetsName = Annotated[str, _text("gadgets", LONGEST_PATH)]
PathNames = Annotated[tuple[PathName, ...], Items]
GadgetsNames = Annotated[tuple[GadgetsName, ...], Items]
Globs = Annotated[tuple[Glob, ...], Items]
Values = Annotated[tuple[Marker, ...], Items]
Contents = Annotated[tuple[ContentName, ...], Field(min_length=1, max_length=len(CONTENT_NAMES)), _format("content")]


class Group(BaseModel):
    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class Diagnostics(Group, title="Diagnostics"):
    maxPerDocument: Annotated[int, Field(ge=1, le=1_000_000), _of("max_diagnostics")] = 1000
    """The maximum number of findings shown for a document."""
    delivery: Annotated[Literal["auto", "push", "pull"], _of("delivery")] = "auto"
    """`push`: the server sends findings. `pull`: the editor fetches them. Read when the server starts."""
    workspace: Annotated[bool, _of("workspace_diagnostics")] = False
    """Check all files of a folder of the workspace, even those that are not open. Read when the server starts if the
    editor fetches findings."""


class Files(Group, title="Files"):
    maxSizeMB: Annotated[float, Field(gt=0, le=4096), _of("max_size_mb")] = 50.0
    """The size of the largest file that is analysed. Larger files get a notice."""
    languages: Annotated[dict[Glob, LanguageId], Items] = {}
    """The languages of files, by glob pattern: `gadget`, `stf`, `custom-blocks` or `completion`. If several patterns
    match, the last one decides."""
    datasets: Annotated[dict[Glob, DatasetName], Items] = {}
    """The form of the data sets for fine-tuning in JSON Lines or JSON files, by glob pattern. The assistant's messages
    in them are checked as gadget calls."""
    strings: Annotated[dict[Glob, Annotated[dict[StringPath, LanguageId], Items]], Items] = {}
    """The strings in JSON Lines or JSON files that are texts of our languages, by glob pattern: each path, such as
    `messages[role=assistant].content` or `items[*].text`, with its language."""
    code: Annotated[dict[Glob, Annotated[dict[NamePattern, LanguageId], Items]], Items] = {}
    """The Python, TypeScript and JavaScript files whose strings `llmblocks check` reads in a folder, by glob pattern:
    those that a comment marks, and those of a variable, key, argument or function whose whole name a regular expression
    matches, with its language."""
    unnamedFences: Annotated[bool, _of("unnamed_fences")] = False
    """Read the fences of Markdown without a name that begin with a gadget call as gadget calls."""
    exclude: Globs = NOT_CHECKED
    """Glob patterns of the files and folders that `llmblocks check` skips in a folder. A pattern that begins with `!`
    includes them again."""
    extendExclude: Globs = ()
    """Glob patterns in addition to `files.exclude` and to those of lower levels."""


class MarkersGroup(Group, json_schema_extra={"format": "markers"}):
    start: Marker = marks.START
    """The marker that begins a gadget call."""
    end: Marker = marks.END
    """The marker that ends a gadget call."""
    arg: Marker = marks.ARG
    """The marker that begins an argument."""


class GadgetGroup(Group, title="Gadget calls"):
    markers: MarkersGroup = Field(default_factory=MarkersGroup)
    markersFrom: PathName | None = None
    """The path of llmist's `cli.toml`. Its markers are used unless `gadget.markers` sets others."""
    schemas: Annotated[dict[Glob, GadgetsNames], Items] = {}
    """The files that define gadgets, by glob pattern of the documents that use them. Every file of every matching
    pattern applies."""


class Stf(Group, title="Simple Text Format"):
    dialect: Annotated[Literal["auto", "@", ";"], _of("dialect")] = "auto"
    """The dialect of STF files. `auto` uses the dialect of the first valid command or comment."""
    defaultRole: Annotated[str, Field(max_length=LONGEST_NAME), _of("default_role")] = ""
    """The role of the text before the first message. Empty: such text is an error."""
    gadgetRoles: Annotated[Names, _of("gadget_roles")] = ("*",)
    """The roles of messages that can contain gadget calls, such as `assistant`. In messages of other roles, markers are
    text. `*` means every role."""
    blockRoles: Annotated[Names, _of("block_roles")] = ("*",)
    """The roles of messages that can contain custom blocks. In messages of other roles, tags are text. `*` means every
    role."""


class AttributeGroup(Group):
    required: bool = False
    """Report tags without this attribute."""
    description: Text = ""
    """A text in Markdown that explains the attribute."""
    values: Values = ()
    """The allowed values. Empty means any."""


class TagGroup(Group):
    description: Text = ""
    """A text in Markdown that explains the tag."""
    attributes: Annotated[dict[Name, AttributeGroup], Items] | None = None
    """The attributes of the tag. Other attributes are reported; without this setting, none are."""
    content: Contents = ("text",)
    """The content of the tag's blocks: any text, JSON, JSON5, a number, gadget calls, a chat, or a call as Qwen 3 Coder
    writes it. A list has alternatives. Mistakes in it are reported."""
    # `schema` would hide a method of pydantic
    contentSchema: Annotated[ContentSchema | None, Field(alias="schema")] = None
    """A JSON Schema for the content: the path of a file, or the schema itself, as an object or as JSON. Contents that
    it does not allow are reported."""
    values: Values = ()
    """The allowed contents, without white space around them. Empty means any."""


class Tags(Group, title="Custom blocks"):
    names: TagNames = DEFAULT_TAGS
    """The registered tags. Any other tag is text."""
    declared: Annotated[dict[TagName, TagGroup], Items] = {}
    """More registered tags, each with its description and attributes."""


class CompletionGroup(Group, title="Raw completions"):
    template: Annotated[TemplateName, _of("template")] = "hermes"
    """The response template of raw completions: the name of a template of llmblocks, or the path of a JSON file, such
    as `tokenizer_config.json`."""
    templates: Annotated[dict[Glob, TemplateName], Items] = {}
    """The response templates of files, by glob pattern. If several match, the last one decides."""


class Rules(Group, title="Rules"):
    select: RuleNames = ()
    """The rules to apply: codes, prefixes of codes such as `G1`, or names. Empty means all."""
    ignore: RuleNames = ()
    """Rules to leave out: codes, prefixes of codes such as `G1`, or names."""
    extendSelect: RuleNames = ()
    """Rules to apply in addition to `rules.select` and to those of lower levels."""
    extendIgnore: RuleNames = ()
    """Rules to leave out in addition to `rules.ignore` and to those of lower levels."""
    perFileIgnores: Annotated[dict[Glob, RuleNames], Items] = {}
    """Rules to leave out in some files, by glob pattern. All patterns that match a file apply; a pattern that begins
    with `!` matches all other files. They take precedence over `rules.select`."""
    severity: Annotated[dict[RuleName, SeverityName], Items] = {}
    """The severity of a rule's findings, by code, prefix of codes, or name."""
    extend: PathNames = ()
    """The rules of a team: Python files and modules. They are code, and imported only where you trust the settings:
    `llmblocks check --trust`, or a trusted workspace."""
    baseline: BaselineName | None = None
    """The file with the findings to accept for now. `llmblocks check` reports only others, and editors grey them
    out."""


class Hints(Group, title="Inlay hints"):
    types: Annotated[bool, _of("hint_types")] = True
    """Show the value that a gadget receives if it differs from the text."""
    waves: Annotated[bool, _of("hint_waves")] = True
    """Show the wave in which the runtime runs a call, or why it does not, unless a code lens shows it."""
    ends: Annotated[bool, _of("hint_ends")] = True
    """Show where a call without an end marker ends."""


class LensesGroup(Group, title="Code lenses"):
    order: Annotated[bool, _of("lens_order")] = True
    """Show, above a call, the wave in which the runtime runs it, or why it does not; in files in which a call waits for
    another."""
    results: Annotated[bool, _of("lens_results")] = True
    """Show, above a call in a log, its result in the next request, or that it has none."""
    parameters: Annotated[bool, _of("lens_parameters")] = False
    """Show, above a call, a link to its parameters as JSON."""


class Model(Group):
    """The settings of llmblocks."""

    extend: PathName | None = None
    """The path of a settings file to extend. Its settings apply unless this file sets them."""
    diagnostics: Diagnostics = Field(default_factory=Diagnostics)
    files: Files = Field(default_factory=Files)
    gadget: GadgetGroup = Field(default_factory=GadgetGroup)
    stf: Stf = Field(default_factory=Stf)
    tags: Tags = Field(default_factory=Tags)
    completion: CompletionGroup = Field(default_factory=CompletionGroup)
    rules: Rules = Field(default_factory=Rules)
    hints: Hints = Field(default_factory=Hints)
    lenses: LensesGroup = Field(default_factory=LensesGroup)


_TITLES: Final = frozenset(
    [field.annotation.model_config["title"] for name, field in Model.model_fields.items() if name != "extend"]  # type: ignore[union-attr]
)


def schema() -> Schema:
    """Return the JSON Schema of the settings, draft 2020-12, without references and titles."""
    whole = Model.model_json_schema()
    found = _plain(whole, whole["$defs"])
    return {name: found[name] for name in ("type", "additionalProperties", "properties")}


def _plain(schema: Any, definitions: Schema) -> Any:
    if isinstance(schema, list):
        return [_plain(each, definitions) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _plain(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    if "anyOf" in schema:
        # null means that the setting is absent, which TOML has no value for
        [one] = [each for each in schema["anyOf"] if each != {"type": "null"}]
        return _plain({**one, "description": schema["description"]}, definitions)
    # a title repeats the name of the setting, and a description may have several lines
    return {
        name: " ".join(each.split()) if name == "description" and isinstance(each, str) else _plain(each, definitions)
        for name, each in schema.items()
        if not (name == "title" and isinstance(each, str) and each not in _TITLES)
    }
