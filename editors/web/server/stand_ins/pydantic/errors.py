"""Errors with their types, places and words."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

Location = tuple[str | int, ...]


class Problem(NamedTuple):
    """An error at a place. Shape: `context` fills the words of others."""

    type: str
    msg: str
    loc: Location = ()
    ctx: Mapping[str, Any] = MappingProxyType({})

    def below(self, *steps: str | int) -> Problem:
        """The error of an item, in its container."""
        return self._replace(loc=(*steps, *self.loc))


class ValidationError(ValueError):
    """All errors of a value."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__(f"{len(problems)} validation errors")
        self._problems = problems

    def errors(self, *, include_url: bool = True) -> list[dict[str, Any]]:
        """The errors as dictionaries. Shape: there are no URLs, whatever is asked for."""
        return [{"type": each.type, "loc": each.loc, "msg": each.msg, "ctx": {**each.ctx}} for each in self._problems]
