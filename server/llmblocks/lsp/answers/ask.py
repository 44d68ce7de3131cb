"""Requests: their parameters become an `Ask` for a feature, or are for the whole `Workspace`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Literal, NamedTuple

from llmblocks.lsp.client.client import Client
from llmblocks.lsp.client.config import Config
from llmblocks.lsp.documents.plain import Documents, OpenDocument
from llmblocks.lsp.wire.dispatch import Dispatcher
from llmblocks.lsp.wire.params import place_of, range_of
from llmblocks.lsp.wire.rpc import Json

if TYPE_CHECKING:
    from llmblocks.core.edits import Edit
    from llmblocks.languages.ask import Ask
    from llmblocks.languages.language import Language
    from llmblocks.lsp.documents.hosted import Guest
    from llmblocks.lsp.documents.places import Encoding, Places
    from llmblocks.lsp.documents.plain import PlainText
    from llmblocks.lsp.documents.text import AnalysedText
    from llmblocks.lsp.wire.values import Range, TextEdit
    from llmblocks.workspace.names import FileNames

_ANY = Client()
AskedPart = Literal["document", "position", "positions", "range"]


class Asker(NamedTuple):
    """A request about a text."""

    text: AnalysedText
    params: Json
    client: Client = _ANY
    uri: str = ""
    """As the client gave it."""
    config: Config | None = None
    documents: Documents | None = None
    """All open ones."""
    pause: Callable[[], None] = lambda: None
    """Called now and then in long work; it raises an error to end the work."""
    guest: Guest | None = None
    """The text, if a document embeds it."""

    @property
    def places(self) -> Places:
        return self.guest or self.text

    @property
    def own_uri(self) -> str:
        """The URI of the text in `data` of an answer."""
        return self.guest.uri if self.guest else self.uri

    @property
    def version(self) -> int | None:
        return self._version_of(self.uri)

    def span(self, start: int, end: int) -> Range:
        return self.places.span(start, end)

    def edits(self, edits: Iterable[Edit]) -> list[TextEdit]:
        return [self.places.edit(each) for each in edits]

    def workspace_edit(self, edits: Mapping[str, list[Json]]) -> Json:
        """Return edits by URI as a workspace edit, of current versions if the client supports versions."""
        if not self.client.takes_versions:
            return {"changes": edits}
        return {
            "documentChanges": [
                {"textDocument": {"uri": uri, "version": self._version_of(uri)}, "edits": of_file}
                for uri, of_file in edits.items()
            ]
        }

    def _version_of(self, uri: str) -> int | None:
        opened = None if self.documents is None else self.documents.get(uri)
        return None if opened is None else opened.version


def read_ask(asker: Asker, part: AskedPart = "document") -> Ask:
    """Read the subject of a request. Raises `RequestError` for an invalid position or range."""
    from llmblocks.languages.ask import Ask

    text = asker.text
    document = text.document
    start, end = stretch_of(asker.places, asker.params, part) or (0, len(document))
    known = text.told.index, text.told.findings, text.other_files, text.told.all_findings
    return Ask(document, text.language, text.settings, start, end, *known, pause=asker.pause)


def stretch_of(places: Places | PlainText, params: Json, part: AskedPart) -> tuple[int, int] | None:
    """Return the code points that a request names; None for the whole document.

    Raises:
        RequestError: A position or range is invalid.
    """
    if part == "position":
        start = places.offset(*place_of(params.get("position"), "position"))
        return start, start
    if part == "range":
        span = range_of(params.get("range"), "range")
        return places.offset(*span[:2]), places.offset(*span[2:])
    return None


class Feature(NamedTuple):
    """One request about one document. Its function returns JSON."""

    method: str
    part: AskedPart
    """The part of the document that the parameters name."""
    answer: Callable[[Ask, Asker], Json]
    nothing: Json = None
    """The reply without an answer, or without a document."""
    resolves: Feature | None = None
    """The request that completes an item of the answer, whose `data.uri` names the document."""
    across_files: bool = False
    """Whether the answer depends on the other files of a session."""
    of_settings: Callable[[Asker], Json] | None = None
    """Answers in a settings file, whose text is not analysed."""
    joins: Callable[[list[Json]], Json] = lambda answers: [*chain.from_iterable(filter(None, answers))]
    """Joins the answers about several texts of a host; by default, lists are concatenated."""

    def reply(self, asker: Asker) -> Json:
        """Return the result of a request. Raises `RequestError` for invalid parameters."""
        found = self.answer(read_ask(asker, self.part), asker)
        return self.nothing if found is None else found


@dataclass(slots=True)
class Workspace:
    """The documents and files for requests without a document."""

    documents: Documents
    config: Config
    files: Callable[[Callable[[], None]], Iterable[tuple[Language, str, FileNames]]]
    """Returns the names of all files, with their paths. Calls a function now and then, which may raise an error."""
    read: Callable[[str, Encoding], AnalysedText | None]
    """Returns the text of a numbered log on disk that is not too large."""
    catch_up: Callable[[OpenDocument], None]
    """Makes the waiting changes in the documents of a session."""
    dispatcher: Dispatcher
    follow: Callable[[str, str], None]
    """Makes the client fetch a view of a document again after a change."""

    @property
    def client(self) -> Client:
        return self.config.client

    def asker(self, uri: str, params: Json) -> Asker | None:
        """Return a request about an open document, an embedded text at a position, or a log on disk."""
        opened, guest = self.documents.get(uri), None
        if opened is None:
            text = self.read(uri, self.client.encoding)
        elif opened.hosted is not None:
            at = stretch_of(opened.hosted, params, "position") if "position" in params else None
            guest = None if at is None else opened.hosted.guest_at(at[0])
            text = None if guest is None else guest.text
        else:
            self.catch_up(opened)
            text = opened.text
        pause = partial(self.dispatcher.check, uri)
        return None if text is None else Asker(text, params, self.client, uri, pause=pause, guest=guest)


class WorkspaceFeature(NamedTuple):
    """One request about the workspace, or about an item of an earlier answer. Its function may raise `RequestError`."""

    method: str
    answer: Callable[[Workspace, Json], Json]
