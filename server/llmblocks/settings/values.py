"""The settings as plain values. `settings/model.py` describes them to users, and is loaded only for validation."""

from __future__ import annotations

from typing import Literal, NamedTuple

from llmblocks.gadget.schemas.gadgets import NO_GADGETS, Gadgets
from llmblocks.gadget.syntax.markers import Markers

DialectChoice = Literal["auto", "@", ";"]
SeverityName = Literal["off", "hint", "information", "warning", "error"]
Delivery = Literal["auto", "push", "pull"]

DEFAULT_TAGS = ("think", "thinking", "reasoning", "answer", "artifact", "tool", "result")
ALL_ROLES = ("*",)
NOT_CHECKED = (".*", "!.llmist", "node_modules", "__pycache__")


class Attribute(NamedTuple):
    """An attribute of a tag. Shape: empty `values` means that any value is allowed."""

    name: str
    required: bool = False
    description: str = ""
    values: tuple[str, ...] = ()


class Tag(NamedTuple):
    """A tag with its description. Shape: `attributes` are the known ones; None means that any attribute is allowed."""

    name: str
    description: str = ""
    attributes: tuple[Attribute, ...] | None = None


class ByGlob(NamedTuple):
    """The values for the files that a glob pattern matches."""

    glob: str
    values: tuple[str, ...]

    def applies_to(self, path: str) -> bool:
        """Whether the pattern is for a file."""
        from llmblocks.settings.globs import matches

        glob = self.glob.removeprefix("!")
        return matches((glob,), path) == (glob == self.glob)


class Settings(NamedTuple):
    """All settings, with their defaults.

    Shape: `select` and `ignore` hold codes or prefixes of codes, the longest that matches decides; an empty `select`
           means all; `severity` pairs codes or prefixes with their severities. `tags` are the names of custom blocks,
           `declared_tags` those that are described; `default_role` is the role of the text before the first message,
           or empty. Messages of the `gadget_roles` hold gadget calls, those of the `block_roles` custom blocks; `*` is
           every role. The glob patterns of `per_file_ignores`, `languages` and `schemas` go with codes, a language id,
           and schema files; they match absolute paths, and one that begins with `!` matches all other files.
           `gadgets` are what the schema files define; who reads the files puts them here.
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
    declared_tags: tuple[Tag, ...] = ()
    default_role: str = ""
    gadget_roles: tuple[str, ...] = ALL_ROLES
    block_roles: tuple[str, ...] = ALL_ROLES
    schemas: tuple[ByGlob, ...] = ()
    languages: tuple[ByGlob, ...] = ()
    per_file_ignores: tuple[ByGlob, ...] = ()
    exclude: tuple[str, ...] = NOT_CHECKED
    gadgets: Gadgets = NO_GADGETS
    hint_types: bool = True
    hint_waves: bool = True
    hint_ends: bool = True
    lens_order: bool = True
    lens_problems: bool = True
    lens_parameters: bool = True

    def for_file(self, path: str) -> Settings:
        """The settings of one file, in which nothing depends on its path any more: all `schemas` apply to it."""
        if not (self.per_file_ignores or self.languages or self.schemas or self.exclude != NOT_CHECKED):
            return self
        ignored = [code for each in self.per_file_ignores if each.applies_to(path) for code in each.values]
        return self._replace(
            ignore=tuple(dict.fromkeys((*self.ignore, *ignored))),
            schemas=tuple([each for each in self.schemas if each.applies_to(path)]),
            per_file_ignores=(),
            languages=(),
            exclude=NOT_CHECKED,
        )

    def language_of(self, path: str) -> str | None:
        """The id of the language that the settings give a file; of several patterns that match, the last decides."""
        return next((each.values[0] for each in reversed(self.languages) if each.applies_to(path)), None)


DEFAULTS = Settings()
