"""Tags and attributes as settings declare them."""

from __future__ import annotations

from typing import Protocol


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


class DeclaredTag(Protocol):
    """A tag that the settings declare. Shape: None for `attributes` stands for any."""

    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def attributes(self) -> tuple[DeclaredAttribute, ...] | None: ...


def declared_tag(declared: tuple[DeclaredTag, ...], name: str) -> DeclaredTag | None:
    """The declaration of a tag."""
    return next((tag for tag in declared if tag.name == name), None)


def declared_attribute(declared: tuple[DeclaredTag, ...], tag: str, name: str) -> DeclaredAttribute | None:
    """The declaration of an attribute of a tag."""
    found = declared_tag(declared, tag)
    return next((each for each in (found.attributes or ()) if each.name == name), None) if found else None
