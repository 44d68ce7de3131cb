"""The settings as users write them, as a JSON Schema: names, types, limits, defaults and texts.

What JSON Schema cannot say has the keyword `is`: a "rule", a "language", a "path", a "glob", the name of a "tag", and
"markers" that differ. `field` names the field of `Settings` that takes the value; `settings/check.py` fills the others.
"""

from __future__ import annotations

from typing import Any, Final, get_args

from llmblocks.gadget.syntax import markers as marks
from llmblocks.settings.values import DEFAULT_TAGS, DEFAULTS, NOT_CHECKED, Delivery, DialectChoice, SeverityName

Schema = dict[str, Any]
MOST_ITEMS: Final = 1000
LONGEST_NAME: Final = 100
LONGEST_MARKER: Final = 256
LONGEST_PATH: Final = 1000
LONGEST_TEXT: Final = 10_000
KEYWORDS: Final = ("is", "field")
"""The keywords that JSON Schema does not have."""


def _text(longest: int, least: int = 0, **more: str) -> Schema:
    return {"type": "string", **({"minLength": least} if least else {}), "maxLength": longest, **more}


def _object(**properties: Schema) -> Schema:
    return {"type": "object", "additionalProperties": False, "properties": properties}


def _group(title: str, /, **properties: Schema) -> Schema:
    return {"title": title, **_object(**properties)}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items, "maxItems": MOST_ITEMS}


def _table(names: Schema, values: Schema) -> Schema:
    """An object with names that users choose."""
    return {"type": "object", "additionalProperties": values, "propertyNames": names, "maxProperties": MOST_ITEMS}


def _choice(words: Any) -> Schema:
    return {"type": "string", "enum": [*get_args(words)]}


def _setting(kind: Schema, description: str, default: Any = None) -> Schema:
    """Shape: a setting without a default may be absent."""
    return {**kind, **({} if default is None else {"default": default}), "description": description}


def _value(field: str, kind: Schema, description: str) -> Schema:
    """A setting that is a field of `Settings`, whose default is there."""
    default = getattr(DEFAULTS, field)
    shown = [*default] if isinstance(default, tuple) else default
    return {**_setting(kind, description, shown), "field": field}


_NAME = _text(LONGEST_NAME, 1)
_TAG = _text(LONGEST_NAME, 1, **{"is": "tag"})
_RULE = _text(LONGEST_NAME, 1, **{"is": "rule"})
_LANGUAGE = _text(LONGEST_NAME, 1, **{"is": "language"})
_PATH = _text(LONGEST_PATH, 1, **{"is": "path"})
_GLOB = _text(LONGEST_PATH, 1, **{"is": "glob"})
_MARKER = _text(LONGEST_MARKER)
_TEXT = _text(LONGEST_TEXT)
_FLAG: Schema = {"type": "boolean"}

_ATTRIBUTE = _object(
    required=_setting(_FLAG, "Report tags without this attribute.", False),
    description=_setting(_TEXT, "A text in Markdown that explains the attribute.", ""),
    values=_setting(_list(_MARKER), "The allowed values. Empty means any.", []),
)
_DECLARED = _object(
    description=_setting(_TEXT, "A text in Markdown that explains the tag.", ""),
    attributes=_setting(
        _table(_NAME, _ATTRIBUTE),
        "The attributes of the tag. Other attributes are reported; without this setting, none are.",
    ),
)
_MARKERS = _object(
    start=_setting(_MARKER, "The marker that begins a gadget call.", marks.START),
    end=_setting(_MARKER, "The marker that ends a gadget call.", marks.END),
    arg=_setting(_MARKER, "The marker that begins an argument.", marks.ARG),
)

SCHEMA: Final = _object(
    extend=_setting(_PATH, "The path of a settings file to extend. Its settings apply unless this file sets them."),
    diagnostics=_group(
        "Diagnostics",
        maxPerDocument=_value(
            "max_diagnostics",
            {"type": "integer", "minimum": 1, "maximum": 1_000_000},
            "The maximum number of findings shown for a document.",
        ),
        delivery=_value(
            "delivery",
            _choice(Delivery),
            "`push`: the server sends findings. `pull`: the editor fetches them. Read when the server starts.",
        ),
    ),
    files=_group(
        "Files",
        maxSizeMB=_value(
            "max_size_mb",
            {"type": "number", "exclusiveMinimum": 0, "maximum": 4096},
            "The size of the largest file that is analysed. Larger files get a notice.",
        ),
        languages=_setting(
            _table(_GLOB, _LANGUAGE),
            "The languages of files, by glob pattern: `gadget`, `stf` or `custom-blocks`. If several patterns match, "
            "the last one decides.",
            {},
        ),
        exclude=_setting(
            _list(_GLOB),
            "Glob patterns of the files and folders that `llmblocks check` skips in a folder. A pattern that begins "
            "with `!` includes them again.",
            [*NOT_CHECKED],
        ),
        extendExclude=_setting(
            _list(_GLOB), "Glob patterns in addition to `files.exclude` and to those of lower levels.", []
        ),
    ),
    gadget=_group(
        "Gadget calls",
        markers={**_MARKERS, "is": "markers"},
        markersFrom=_setting(
            _PATH, "The path of llmist's `cli.toml`. Its markers are used unless `gadget.markers` sets others."
        ),
        schemas=_setting(
            _table(_GLOB, _list(_PATH)),
            "The files that define gadgets, by glob pattern of the documents that use them. Every file of every "
            "matching pattern applies.",
            {},
        ),
    ),
    stf=_group(
        "Simple Text Format",
        dialect=_value(
            "dialect",
            _choice(DialectChoice),
            "The dialect of STF files. `auto` uses the dialect of the first valid command or comment.",
        ),
        defaultRole=_value(
            "default_role",
            _text(LONGEST_NAME),
            "The role of the text before the first message. Empty: such text is an error.",
        ),
        gadgetRoles=_value(
            "gadget_roles",
            _list(_NAME),
            "The roles of messages that can contain gadget calls, such as `assistant`. In messages of other roles, "
            "markers are text. `*` means every role.",
        ),
        blockRoles=_value(
            "block_roles",
            _list(_NAME),
            "The roles of messages that can contain custom blocks. In messages of other roles, tags are text. `*` "
            "means every role.",
        ),
    ),
    tags=_group(
        "Custom blocks",
        names=_setting(_list(_TAG), "The registered tags. Any other tag is text.", [*DEFAULT_TAGS]),
        declared=_setting(
            _table(_TAG, _DECLARED), "More registered tags, each with its description and attributes.", {}
        ),
    ),
    rules=_group(
        "Rules",
        select=_setting(
            _list(_RULE), "The rules to apply: codes, prefixes of codes such as `G1`, or names. Empty means all.", []
        ),
        ignore=_setting(_list(_RULE), "Rules to leave out: codes, prefixes of codes such as `G1`, or names.", []),
        extendSelect=_setting(
            _list(_RULE), "Rules to apply in addition to `rules.select` and to those of lower levels.", []
        ),
        extendIgnore=_setting(
            _list(_RULE), "Rules to leave out in addition to `rules.ignore` and to those of lower levels.", []
        ),
        perFileIgnores=_setting(
            _table(_GLOB, _list(_RULE)),
            "Rules to leave out in some files, by glob pattern. All patterns that match a file apply; a pattern that "
            "begins with `!` matches all other files. They take precedence over `rules.select`.",
            {},
        ),
        severity=_setting(
            _table(_RULE, _choice(SeverityName)),
            "The severity of a rule's findings, by code, prefix of codes, or name.",
            {},
        ),
    ),
    hints=_group(
        "Inlay hints",
        types=_value("hint_types", _FLAG, "Show the value that a gadget receives if it differs from the text."),
        waves=_value(
            "hint_waves",
            _FLAG,
            "Show the wave in which the runtime runs a call, or why it does not, where no code lens tells it.",
        ),
        ends=_value("hint_ends", _FLAG, "Show where a call without an end marker ends."),
    ),
    lenses=_group(
        "Code lenses",
        order=_value(
            "lens_order", _FLAG, "Show, above a call, the wave in which the runtime runs it, or why it does not."
        ),
        parameters=_value("lens_parameters", _FLAG, "Show, above a call, a link to its parameters as JSON."),
    ),
)
