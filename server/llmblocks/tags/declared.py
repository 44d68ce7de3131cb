"""Tags and attributes as settings declare them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

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
