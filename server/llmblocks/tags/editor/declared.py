"""Tags and attributes as settings declare them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from llmblocks.contract.caret import Suggestion
    from llmblocks.facts.problem import Problem


LANGUAGES: Final = frozenset(("gadget", "stf"))
"""The kinds of contents that are languages: their rules hold in the block."""


class DeclaredAttribute(Protocol):
    """An attribute that the settings declare. Shape: empty `values` stand for any."""

    @property
    def name(self) -> str: ...
    @property
    def required(self) -> bool: ...
    @property
    def description(self) -> str: ...
    @property
    def values(self) -> tuple[str, ...]: ...


class DeclaredContent(Protocol):
    """What the content of a block is. Shape: `kind` may be the id of a language."""

    @property
    def kind(self) -> str: ...
    @property
    def says(self) -> str:
        """What a content is, in Markdown."""
        ...

    def problems(self, text: str) -> Sequence[Problem]:
        """What is wrong with a content, places counted from its start. Their data lack the tag."""
        ...

    def explained(self, text: str, at: int) -> str | None:
        """What is at a place of a content, in Markdown."""
        ...

    def suggested(self, before: str, after: str) -> Iterator[Suggestion]:
        """What can be written between all content in front of a place and the rest of its line."""
        ...


class DeclaredTag(Protocol):
    """A tag that the settings declare. Shape: None for `attributes` or `content` stands for any."""

    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def attributes(self) -> tuple[DeclaredAttribute, ...] | None: ...
    @property
    def content(self) -> DeclaredContent | None: ...


def declared_tag(declared: tuple[DeclaredTag, ...], name: str) -> DeclaredTag | None:
    """The declaration of a tag."""
    return next((tag for tag in declared if tag.name == name), None)


def declared_attribute(declared: tuple[DeclaredTag, ...], tag: str, name: str) -> DeclaredAttribute | None:
    """The declaration of an attribute of a tag."""
    found = declared_tag(declared, tag)
    return next((each for each in (found.attributes or ()) if each.name == name), None) if found else None


def declared_content(declared: tuple[DeclaredTag, ...], name: str) -> DeclaredContent | None:
    """What the content of a tag is; None for any text."""
    found = declared_tag(declared, name)
    return found.content if found else None
