"""The settings as a JSON Schema: their names, types, limits, defaults and descriptions.

It is where a setting is spelled, and what settings are judged by. What JSON Schema cannot say is a `format`, which
`settings/validation.py` knows. `_value` names the field of `Settings` that takes the value, whose default is there;
`settings/check.py` fills the others. A group has a title.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, get_args

from llmblocks.contents.kind import ContentName
from llmblocks.gadget.syntax import markers as marks
from llmblocks.settings.values import (
    DEFAULT_TAGS,
    DEFAULTS,
    NOT_CHECKED,
    DatasetName,
    Delivery,
    DialectChoice,
    SeverityName,
)

Schema = dict[str, Any]
KEYWORDS: Final = ("format", "field")
"""What only we know: a `format` that JSON Schema does not have, and the field of `Settings` that takes the value."""
MOST_ITEMS: Final = 1000
LONGEST_NAME: Final = 100
LONGEST_MARKER: Final = 256
LONGEST_PATH: Final = 1000


def published(schema: Schema) -> Schema:
    """A part of the schema in words that all know. Shape: the schema of a content may be an object, too."""
    more = {"type": ["string", "object"]} if schema.get("format") == "schema" else {}
    # a setting may be called like a keyword of ours
    return {name: each for name, each in {**schema, **more}.items() if name not in KEYWORDS or isinstance(each, dict)}


def _text(most: int, form: str = "") -> Schema:
    """A text that is not empty."""
    return {"type": "string", "minLength": 1, "maxLength": most} | ({"format": form} if form else {})


def _choice(names: Any) -> Schema:
    return {"type": "string", "enum": [*get_args(names)]}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items, "maxItems": MOST_ITEMS}


def _table(names: Schema, values: Schema) -> Schema:
    """A table whose keys are a user's own."""
    return {
        "type": "object",
        "propertyNames": {key: each for key, each in names.items() if key != "type"},
        "additionalProperties": values,
        "maxProperties": MOST_ITEMS,
    }


def _group(settings: Schema, **more: str) -> Schema:
    return {"type": "object", "additionalProperties": False, "properties": settings, **more}


def _setting(kind: Schema, description: str, **default: Any) -> Schema:
    """A setting. Shape: a list or a table is empty by default."""
    empty: Schema = {"array": {"default": []}, "object": {"default": {}}}
    return {**kind, "description": description, **empty.get(kind["type"], {}), **default}


def _value(field: str, kind: Schema, description: str) -> Schema:
    """A setting that is a field of `Settings`, whose default is there."""
    default = getattr(DEFAULTS, field)
    return {**kind, "description": description, "default": _plain(default), "field": field}


def _plain(default: Any) -> Any:
    return [*default] if isinstance(default, tuple) else default


_FLAG: Final = {"type": "boolean"}
_NAME: Final = _text(LONGEST_NAME)
_TAG: Final = _text(LONGEST_NAME, "tag")
_RULE: Final = _text(LONGEST_NAME, "rule")
_LANGUAGE: Final = _text(LONGEST_NAME, "language")
_PATH: Final = _text(LONGEST_PATH, "path")
_GLOB: Final = _text(LONGEST_PATH, "glob")
_MARKER: Final = {"type": "string", "maxLength": LONGEST_MARKER}
_WORDS: Final = {"type": "string", "maxLength": 10_000}

_ATTRIBUTE: Final = _group(
    {
        "required": _setting(_FLAG, "Report tags without this attribute.", default=False),
        "description": _setting(_WORDS, "A text in Markdown that explains the attribute.", default=""),
        "values": _setting(_list(_MARKER), "The allowed values. Empty means any."),
    }
)
_DECLARED_TAG: Final = _group(
    {
        "description": _setting(_WORDS, "A text in Markdown that explains the tag.", default=""),
        # none is not the same as no attributes
        "attributes": {
            **_table(_NAME, _ATTRIBUTE),
            "description": "The attributes of the tag. Other attributes are reported; without this setting, none are.",
        },
        "content": _setting(
            _choice(ContentName),
            "What the tag's blocks hold: any text, JSON, JSON5, a number, gadget calls or a chat. What is "
            "wrong with it is reported.",
            default="text",
        ),
        "schema": _setting(
            _text(1_000_000, "schema"),
            "A JSON Schema for the content: the path of a file, or the schema itself, as an object or as JSON. "
            "What it does not allow is reported.",
        ),
        "values": _setting(_list(_MARKER), "The allowed contents, without blanks around them. Empty means any."),
    }
)
_DIAGNOSTICS: Final = {
    "maxPerDocument": _value(
        "max_diagnostics",
        {"type": "integer", "minimum": 1, "maximum": 1_000_000},
        "The maximum number of findings shown for a document.",
    ),
    "delivery": _value(
        "delivery",
        _choice(Delivery),
        "`push`: the server sends findings. `pull`: the editor fetches them. Read when the server starts.",
    ),
}
_FILES: Final = {
    "maxSizeMB": _value(
        "max_size_mb",
        {"type": "number", "exclusiveMinimum": 0, "maximum": 4096},
        "The size of the largest file that is analysed. Larger files get a notice.",
    ),
    "languages": _setting(
        _table(_GLOB, _LANGUAGE),
        "The languages of files, by glob pattern: `gadget`, `stf` or `custom-blocks`. If several "
        "patterns match, the last one decides.",
    ),
    "datasets": _setting(
        _table(_GLOB, _choice(DatasetName)),
        "The form of the data sets for fine-tuning in JSON Lines or JSON files, by glob pattern. What the "
        "assistant says in them is checked as gadget calls.",
    ),
    "strings": _setting(
        _table(_GLOB, _table(_text(LONGEST_PATH, "string"), _LANGUAGE)),
        "The strings in JSON Lines or JSON files that are texts of our languages, by glob pattern: each "
        "path, such as `messages[role=assistant].content` or `items[*].text`, with its language.",
    ),
    "code": _setting(
        _table(_GLOB, _table(_text(LONGEST_PATH, "regex"), _LANGUAGE)),
        "The Python, TypeScript and JavaScript files whose strings `llmblocks check` reads in a folder, by "
        "glob pattern: those that a comment marks, and those of a variable, key, argument or function whose whole name "
        "a regular expression matches, with its language.",
    ),
    "exclude": _setting(
        _list(_GLOB),
        "Glob patterns of the files and folders that `llmblocks check` skips in a folder. A pattern that "
        "begins with `!` includes them again.",
        default=[*NOT_CHECKED],
    ),
    "extendExclude": _setting(
        _list(_GLOB), "Glob patterns in addition to `files.exclude` and to those of lower levels."
    ),
}
_MARKERS: Final = {
    "start": _setting(_MARKER, "The marker that begins a gadget call.", default=marks.START),
    "end": _setting(_MARKER, "The marker that ends a gadget call.", default=marks.END),
    "arg": _setting(_MARKER, "The marker that begins an argument.", default=marks.ARG),
}
_GADGET: Final = {
    "markers": _group(_MARKERS, format="markers"),
    "markersFrom": _setting(
        _PATH, "The path of llmist's `cli.toml`. Its markers are used unless `gadget.markers` sets others."
    ),
    "schemas": _setting(
        _table(_GLOB, _list(_PATH)),
        "The files that define gadgets, by glob pattern of the documents that use them. Every file of "
        "every matching pattern applies.",
    ),
}
_STF: Final = {
    "dialect": _value(
        "dialect",
        _choice(DialectChoice),
        "The dialect of STF files. `auto` uses the dialect of the first valid command or comment.",
    ),
    "defaultRole": _value(
        "default_role",
        {"type": "string", "maxLength": LONGEST_NAME},
        "The role of the text before the first message. Empty: such text is an error.",
    ),
    "gadgetRoles": _value(
        "gadget_roles",
        _list(_NAME),
        "The roles of messages that can contain gadget calls, such as `assistant`. In messages of other "
        "roles, markers are text. `*` means every role.",
    ),
    "blockRoles": _value(
        "block_roles",
        _list(_NAME),
        "The roles of messages that can contain custom blocks. In messages of other roles, tags are text. "
        "`*` means every role.",
    ),
}
_TAGS: Final = {
    "names": _setting(_list(_TAG), "The registered tags. Any other tag is text.", default=[*DEFAULT_TAGS]),
    "declared": _setting(
        _table(_TAG, _DECLARED_TAG), "More registered tags, each with its description and attributes."
    ),
}
_RULES: Final = {
    "select": _setting(
        _list(_RULE), "The rules to apply: codes, prefixes of codes such as `G1`, or names. Empty means all."
    ),
    "ignore": _setting(_list(_RULE), "Rules to leave out: codes, prefixes of codes such as `G1`, or names."),
    "extendSelect": _setting(
        _list(_RULE), "Rules to apply in addition to `rules.select` and to those of lower levels."
    ),
    "extendIgnore": _setting(
        _list(_RULE), "Rules to leave out in addition to `rules.ignore` and to those of lower levels."
    ),
    "perFileIgnores": _setting(
        _table(_GLOB, _list(_RULE)),
        "Rules to leave out in some files, by glob pattern. All patterns that match a file apply; a "
        "pattern that begins with `!` matches all other files. They take precedence over `rules.select`.",
    ),
    "severity": _setting(
        _table(_RULE, _choice(SeverityName)), "The severity of a rule's findings, by code, prefix of codes, or name."
    ),
}
_HINTS: Final = {
    "types": _value("hint_types", _FLAG, "Show the value that a gadget receives if it differs from the text."),
    "waves": _value(
        "hint_waves",
        _FLAG,
        "Show the wave in which the runtime runs a call, or why it does not, where no code lens tells it.",
    ),
    "ends": _value("hint_ends", _FLAG, "Show where a call without an end marker ends."),
}
_LENSES: Final = {
    "order": _value(
        "lens_order", _FLAG, "Show, above a call, the wave in which the runtime runs it, or why it does not."
    ),
    "results": _value(
        "lens_results", _FLAG, "Show, above a call in a log, its result in the next request, or that it has none."
    ),
    "parameters": _value("lens_parameters", _FLAG, "Show, above a call, a link to its parameters as JSON."),
}
SCHEMA: Final = _group(
    {
        "extend": _setting(
            _PATH, "The path of a settings file to extend. Its settings apply unless this file sets them."
        ),
        "diagnostics": _group(_DIAGNOSTICS, title="Diagnostics"),
        "files": _group(_FILES, title="Files"),
        "gadget": _group(_GADGET, title="Gadget calls"),
        "stf": _group(_STF, title="Simple Text Format"),
        "tags": _group(_TAGS, title="Custom blocks"),
        "rules": _group(_RULES, title="Rules"),
        "hints": _group(_HINTS, title="Inlay hints"),
        "lenses": _group(_LENSES, title="Code lenses"),
    }
)
"""All settings, draft 2020-12, without references."""


def setting(path: Iterable[str | int]) -> Schema:
    """The schema of a setting or a group; empty if there is none. Shape: a number is the index of an item."""
    found = SCHEMA
    for step in path:
        named = found.get("properties", {}).get(step, found.get("additionalProperties"))
        found = (found.get("items") if isinstance(step, int) else named) or {}
    return found
