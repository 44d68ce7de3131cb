"""The files around a document, as its index asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from llmblocks.core.finding import Elsewhere


class Around(Protocol):
    """The files around a document: those of the same session, in their order.

    Shape: `is_known` says whether the names of all earlier files are known. `has_earlier` says whether one of them
           defines a name; `later` is the first place in a later file that does.
    """

    @property
    def is_known(self) -> bool: ...
    def has_earlier(self, kind: str, name: str) -> bool: ...
    def later(self, kind: str, name: str) -> Elsewhere | None: ...


class _Nothing:
    """No other file."""

    __slots__ = ("is_known",)

    def __init__(self, *, is_known: bool) -> None:
        self.is_known = is_known

    def has_earlier(self, kind: str, name: str) -> bool:
        return False

    def later(self, kind: str, name: str) -> Elsewhere | None:
        return None


ALONE: Final[Around] = _Nothing(is_known=True)
"""Around a document that is a session by itself."""
UNKNOWN: Final[Around] = _Nothing(is_known=False)
"""Around a document of a session whose other files cannot be told."""
