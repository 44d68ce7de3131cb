"""The other files of a session: their names, and the runtime's reports about the calls of this one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from llmblocks.core.index import Index
    from llmblocks.core.places import Elsewhere


class SameName(NamedTuple):
    """The places in other files where a name means the same."""

    definitions: tuple[Elsewhere, ...] = ()
    references: tuple[Elsewhere, ...] = ()


class ReportedResult(NamedTuple):
    """The result of a call, as a request reports it."""

    place: Elsewhere
    """The place of the id."""
    size: int
    """Bytes of UTF-8."""
    beginning: str
    """Its first line."""
    excerpt: str
    """The beginning of the text."""
    outcome: str = "returned"
    """The word for the runtime's report."""

    @property
    def failure(self) -> str:
        """The error in one line if the runtime rejected the call or it failed; otherwise empty."""
        return "" if self.outcome == "returned" else self.beginning


class CallOutcome(NamedTuple):
    """Recorded outcome of a call."""

    outcome: str = ""
    """The word for the outcome of a skipped call, or of one whose result reports an error; otherwise empty."""
    why: str = ""
    """The reason, in one line."""
    result: Elsewhere | None = None
    """The place of the result."""
    dependency: str = ""
    """The id of the call because of which this one was skipped."""
    before: tuple[str, str] | None = None
    """The file and the id of the call of an earlier response that this call repeats."""
    place: Elsewhere | None = None
    """The place of that earlier call, if known."""
    attempt: int = 1
    """Counts from 1."""


class Answer(NamedTuple):
    """The reports of a request about the calls with one id."""

    file: str
    """Its path."""
    results: tuple[ReportedResult, ...]


class OtherFiles:
    """The other files of the session of a document, in order. This class serves a document without a session."""

    __slots__ = ()

    @property
    def is_known(self) -> bool:
        """Whether the names of all earlier files are known."""
        return True

    @property
    def unread(self) -> str:
        """The reason why some places may be missing; empty if none can be."""
        return ""

    def has_earlier(self, kind: str, name: str) -> bool:
        """Return whether an earlier file defines a name."""
        return False

    def earlier(self, kind: str) -> Iterable[str]:
        return ()

    def later(self, kind: str, name: str) -> Elsewhere | None:
        """Return the first place in a later file that defines a name."""
        return None

    def has(self, kind: str, name: str) -> bool:
        """Return whether any file of the session has a name."""
        return False

    def same(self, kind: str, name: str, *, own: bool) -> SameName:
        """Return the places of a name in the other files.

        Args:
            kind: The kind of the name.
            name: The name.
            own: Whether this file defines the name. Otherwise the last earlier definition counts.
        """
        return SameName()

    def lacks(self, path: str) -> bool:
        """Return whether a path, relative to the folder of the document, leads to no file; false if unknown."""
        return False

    @property
    def looked(self) -> Mapping[str, bool]:
        """The absolute paths that were looked for, and whether there was a file."""
        return {}

    def answer(self, name: str, count: int) -> Answer | None:
        """Return the results of the `count` calls of this file with an id; None without a later request."""
        return None

    @property
    def is_session(self) -> bool:
        """False if outcomes of calls cannot be known."""
        return False

    def ran(self, name: str) -> Sequence[CallOutcome]:
        """Return the known outcomes of the calls of this file with an id, in order."""
        return ()


class _Unknown(OtherFiles):
    __slots__ = ()
    is_known = False
    unread = "the other files of this session cannot be found"


ALONE: Final = OtherFiles()
"""For a document that is a session by itself."""
UNKNOWN: Final[OtherFiles] = _Unknown()
"""For a document of a session whose other files cannot be read."""


def other_files(index: Index) -> OtherFiles:
    """Return the other files of the session of a document."""
    return index.context if isinstance(index.context, OtherFiles) else ALONE
