"""Findings of rules and decoders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn, Self

from llmblocks.core.places import Elsewhere, Related
from llmblocks.facts.message import FindingMessage
from llmblocks.facts.severity import Severity

PAGES = "https://github.com/llmblocks/llmblocks/blob/main/docs/rules/"
"""The folder of the rules' pages, each named by its code."""


class Finding:
    """A mistake or a surprise at a place in a text. It never changes.

    Attributes:
        start, end: Code points from the start of the checked text.
        unnecessary: Whether the text has no effect.
        deprecated: Whether the text has a better spelling.
        data: Input for a fix; ignored when findings are compared.
        elsewhere: Related places in other files, each with its message.
    """

    # not a dataclass: importing `dataclasses` takes as long as starting Python
    __match_args__ = (
        "code",
        "start",
        "end",
        "message",
        "severity",
        "related",
        "unnecessary",
        "deprecated",
        "data",
        "elsewhere",
    )
    __slots__ = __match_args__

    code: str
    start: int
    end: int
    message: FindingMessage
    severity: Severity
    related: tuple[Related, ...]
    unnecessary: bool
    deprecated: bool
    data: Mapping[str, object]
    elsewhere: tuple[tuple[Elsewhere, str], ...]

    def __init__(
        self,
        code: str,
        start: int,
        end: int,
        message: FindingMessage,
        severity: Severity = Severity.ERROR,
        related: tuple[Related, ...] = (),
        unnecessary: bool = False,
        deprecated: bool = False,
        data: Mapping[str, object] | None = None,
        elsewhere: tuple[tuple[Elsewhere, str], ...] = (),
    ) -> None:
        fields = code, start, end, message, severity, related, unnecessary, deprecated, data or {}, elsewhere
        for name, value in zip(self.__match_args__, fields, strict=False):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, _: object = None) -> NoReturn:
        raise AttributeError(f"a finding never changes: {name!r} cannot be set or deleted")

    __delattr__ = __setattr__

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
        return f"{type(self).__name__}({fields})"

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        return type(self), tuple([getattr(self, name) for name in self.__match_args__])

    def __replace__(self, **changes: Any) -> Self:
        """Return a copy with other values for some fields, for `copy.replace`."""
        return type(self)(**{name: getattr(self, name) for name in self.__match_args__} | changes)

    def moved(self, by: int) -> Self:
        """Return the same finding, `by` code points further on."""
        related = tuple([each.moved(by) for each in self.related])
        return self.__replace__(start=self.start + by, end=self.end + by, related=related)

    def _key(self) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in self.__match_args__ if name != "data"])
