"""The other files of a session: their names, and what the runtime says there about the calls of this one."""

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
    """The result of a call, as a request tells it.

    Shape: `place` is that of the id; `size` counts bytes of UTF-8; `failure` is the error in one line where the runtime
           says that the call was rejected or failed, empty otherwise; `excerpt` is the beginning of the text; `outcome`
           is the word for what the runtime says.
    """

    place: Elsewhere
    size: int
    failure: str
    excerpt: str
    outcome: str = "returned"


class CallOutcome(NamedTuple):
    """What became of a call when its file was written.

    Shape: `outcome` is the word for it of one that was skipped, or has a result that says an error, empty for others;
           `why` is the reason in one line, `result` the place of that result, `dependency` the id because of which it
           was skipped. `before` are the file and the id of the call of an earlier response that it repeats, and `place`
           is that of it where it is known; `attempt` counts from 1.
    """

    outcome: str = ""
    why: str = ""
    result: Elsewhere | None = None
    dependency: str = ""
    before: tuple[str, str] | None = None
    place: Elsewhere | None = None
    attempt: int = 1


class Answer(NamedTuple):
    """What a request tells of the calls with one id. Shape: `file` is its path."""

    file: str
    results: tuple[ReportedResult, ...]


class OtherFiles:
    """The other files of the session of a document, in their order. This one is for a document without a session.

    Shape: `is_known` says whether the names of all earlier files are known. `has_earlier` says whether one of them
           defines a name, and `earlier` gives all names that they define; `later` is the first place in a later file
           that defines one. `has` says whether any file of the
           session has a name, and `same` gives its places in the others: of the definition in this file if it has its
           `own`, otherwise of that in the last earlier file with one. `unread` is the reason why some places may be
           missing, empty if none can be.
           `lacks` says whether a path, counted from the folder of the document, leads to no file; it is false where
           nobody can tell. `looked` are the absolute paths that it has looked for, and whether there was a file.
           `answer` gives the results of the calls of this file with an id, of which there are `count`, None if no
           request comes after it. `ran` says what became of the calls of this file with an id, in their order, as far
           as that is known; `is_session` is false where nothing of that kind can be.
    """

    __slots__ = ()

    @property
    def is_known(self) -> bool:
        return True

    @property
    def unread(self) -> str:
        return ""

    def has_earlier(self, kind: str, name: str) -> bool:
        return False

    def earlier(self, kind: str) -> Iterable[str]:
        return ()

    def later(self, kind: str, name: str) -> Elsewhere | None:
        return None

    def has(self, kind: str, name: str) -> bool:
        return False

    def same(self, kind: str, name: str, *, own: bool) -> SameName:
        return SameName()

    def lacks(self, path: str) -> bool:
        return False

    @property
    def looked(self) -> Mapping[str, bool]:
        return {}

    def answer(self, name: str, count: int) -> Answer | None:
        return None

    @property
    def is_session(self) -> bool:
        return False

    def ran(self, name: str) -> Sequence[CallOutcome]:
        return ()


class _Unknown(OtherFiles):
    __slots__ = ()
    is_known = False
    unread = "the other files of this session cannot be found"


ALONE: Final = OtherFiles()
"""For a document that is a session by itself."""
UNKNOWN: Final[OtherFiles] = _Unknown()
"""For a document of a session whose other files cannot be told."""


def other_files(index: Index) -> OtherFiles:
    """Return the other files of the session of a document."""
    return index.session if isinstance(index.session, OtherFiles) else ALONE
