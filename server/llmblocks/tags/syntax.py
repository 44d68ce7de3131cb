"""Tags: names, attribute lists, the patterns that find registered ones, and declarations in settings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

NAME = r"[A-Za-z_][A-Za-z0-9_-]*+"
_NAME = re.compile(NAME)
# An unclosed quote takes the rest of the list. Characters that fit nothing are skipped one at a time.
ATTRIBUTE = re.compile(rf"""({NAME})(?:[ \t\n\r]*+=[ \t\n\r]*+(?:"([^"]*+)"?|'([^']*+)'?|([^ \t\n\r>/]*+)))?+""")
# The characters of JavaScript's trim: unlike str.strip(), with U+FEFF, without U+001C to U+001F and U+0085.
_TRIMMED = "\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200B)))


def is_name(text: str) -> bool:
    """Return whether a tag can have this name: ASCII letters, digits, `_` and `-`, beginning with a letter or `_`."""
    return _NAME.fullmatch(text) is not None


def parse_attributes(text: str) -> dict[str, str]:
    """Read the list between a tag's name and its `>` as in the reference.

    `a="1" b='x y' c=3 d` -> {"a": "1", "b": "x y", "c": "3", "d": ""}; the last of a repeated name wins. Never raises;
    invalid characters are skipped. `__proto__` is never an attribute: assigning it to a JavaScript object has no
    effect.
    """
    found: dict[str, str] = {}
    # The trim at the end shows in an unquoted value or an unclosed quote; the one at the start never shows.
    if not text.endswith(('"', "'")):
        text = text.rstrip(_TRIMMED)
    for name, double, single, bare in ATTRIBUTE.findall(text):
        found[name] = double or single or bare
    found.pop("__proto__", None)
    return found


def text_pattern(names: Iterable[str]) -> re.Pattern[str]:
    """Match visible text, up to a `<` at the end that may become a tag, or to a tag (group 1: up to its name)."""
    known = "|".join(sorted(map(re.escape, names))) or "(?!)"
    # A `<` that begins no registered tag consumes its name and the next character, whatever that is. This is
    # why `<<think>` is missed: the second bracket belongs to the first.
    dull = rf"<(?!(?:{known})[>/ \t\n\r])(?:{NAME})?+[\s\S]"
    return re.compile(rf"[^<]*+(?:{dull}[^<]*+)*+(?:(<(?:{known}))(?=[>/ \t\n\r]))?+")


@lru_cache(maxsize=256)
def content_pattern(name: str) -> re.Pattern[str]:
    """Match a run of content, up to a `<` at the end that may close the block, or to its closing tag (group 1)."""
    closing = rf"/{re.escape(name)}>"
    return re.compile(rf"[^<]*+(?:<(?!{closing})(?:/(?:{NAME})?+)?+[\s\S][^<]*+)*+(<{closing})?+")


if TYPE_CHECKING:
    from llmblocks.contract.caret import Suggestion
    from llmblocks.facts.problem import Problem


LANGUAGES: Final = frozenset(("gadget", "stf"))
"""The kinds of contents that are languages: their rules hold in the block."""


class Attribute(NamedTuple):
    """An attribute of a tag. Empty `values` means that any value is allowed."""

    name: str
    required: bool = False
    description: str = ""
    values: tuple[str, ...] = ()


class DeclaredContent(Protocol):
    """The content of a block. `kind` may be the id of a language; `kinds` has the alternatives to it.

    `says` describes it, in Markdown. Of a content, `problems` have places from its start, without the tag in their
    data; `explained` describes a place, and `suggested` completes the text between a place and the rest of its line.
    """

    @property
    def kind(self) -> str: ...
    @property
    def kinds(self) -> tuple[str, ...]: ...
    @property
    def says(self) -> str: ...
    def problems(self, text: str) -> Sequence[Problem]: ...
    def explained(self, text: str, at: int) -> str | None: ...
    def suggested(self, before: str, after: str) -> Iterator[Suggestion]: ...


class Tag(NamedTuple):
    """A tag with its description."""

    name: str
    description: str = ""
    attributes: tuple[Attribute, ...] | None = None
    """The known ones; None means that any attribute is allowed."""
    content: DeclaredContent | None = None
    """The content of its blocks; None means any text."""

    def attribute(self, name: str) -> Attribute | None:
        """Return the declaration of an attribute."""
        return next((each for each in self.attributes or () if each.name == name), None)


def declared_tag(declared: tuple[Tag, ...], name: str) -> Tag:
    """Return the declaration of a tag, or an empty one."""
    return next((tag for tag in declared if tag.name == name), None) or Tag(name)


class TagSettings(Protocol):
    """The settings of custom blocks."""

    @property
    def tags(self) -> tuple[str, ...]: ...
    @property
    def declared_tags(self) -> tuple[Tag, ...]: ...
