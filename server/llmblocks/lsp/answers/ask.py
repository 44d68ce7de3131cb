"""Requests about one document: parameters become an `Ask` for a feature, which answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from types import TracebackType
from typing import TYPE_CHECKING, Literal, NamedTuple

from llmblocks.lsp.client.client import Client
from llmblocks.lsp.wire.params import place_of, range_of
from llmblocks.lsp.wire.rpc import Json

if TYPE_CHECKING:
    from llmblocks.core.edits import Edit
    from llmblocks.languages.ask import Ask
    from llmblocks.lsp.client.config import SettingsEdit
    from llmblocks.lsp.documents.hosted import Guest
    from llmblocks.lsp.documents.places import Places
    from llmblocks.lsp.documents.plain import PlainText
    from llmblocks.lsp.documents.text import AnalysedText
    from llmblocks.lsp.wire.dispatch import Dispatcher
    from llmblocks.lsp.wire.values import Range, TextEdit

_ANY = Client()
AskedPart = Literal["document", "position", "positions", "range"]


class Asker(NamedTuple):
    """A request about a text."""

    text: AnalysedText
    params: Json
    """The request's parameters."""
    client: Client = _ANY
    uri: str = ""
    """As the client gave it."""
    version_of: Callable[[str], int | None] = lambda _: None
    """Returns the version of any open document by its URI; None for a file that is not open."""
    ignoring: Callable[[str], SettingsEdit | None] = lambda _: None
    """Returns the edit of the settings that ignores a rule in the document, by its code."""
    declaring: Callable[[Mapping[str, str]], SettingsEdit | None] = lambda _: None
    """Returns the edit of the settings that registers tags with descriptions."""
    pause: Callable[[], None] = lambda: None
    """Called now and then in long work; it raises an error to end the work."""
    guest: Guest | None = None
    """The text, if a document embeds it."""

    @property
    def places(self) -> Places:
        """The client's places of the text."""
        return self.guest or self.text

    @property
    def own_uri(self) -> str:
        """The URI of the text in `data` of an answer."""
        return self.guest.uri if self.guest else self.uri

    def span(self, start: int, end: int) -> Range:
        """Return the range between two code points."""
        return self.places.span(start, end)

    def edits(self, edits: Iterable[Edit]) -> list[TextEdit]:
        """Convert edits of the document."""
        return [self.places.edit(each) for each in edits]


def read_ask(asker: Asker, part: AskedPart = "document") -> Ask:
    """Read the subject of a request.

    Raises:
        RequestError: A position or range is invalid.
    """
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


class Resolves(NamedTuple):
    """The request for the omitted part of an answer. Its `data.uri` names the document."""

    method: str
    answer: Callable[[Ask, Asker], Json]

    def reply(self, asker: Asker) -> Json:
        """Return the complete item."""
        return self.answer(read_ask(asker, "document"), asker)


class Feature(NamedTuple):
    """One request about one document."""

    method: str
    part: AskedPart
    """The part of the document that the parameters name."""
    capability: Callable[[Client], dict[str, Json]]
    """Returns the entries of the server's capabilities."""
    answer: Callable[[Ask, Asker], Json]
    """Returns JSON."""
    nothing: Json = None
    """The reply without an answer, or without a document."""
    resolves: Resolves | None = None
    """The request that completes an item of the answer."""
    across_files: bool = False
    """Whether the answer depends on the other files of a session."""
    of_settings: Callable[[Asker], Json] | None = None
    """Answers in a settings file, whose text is not analysed."""
    joins: Callable[[list[Json]], Json] = lambda answers: [*chain.from_iterable(filter(None, answers))]
    """Joins the answers about several texts of a host; by default, lists are concatenated."""

    def reply(self, asker: Asker) -> Json:
        """Return the result of a request.

        Raises:
            RequestError: The parameters are invalid.
        """
        found = self.answer(read_ask(asker, self.part), asker)
        return self.nothing if found is None else found


class Work:
    """Work that a client waits for, from its creation until its result is unneeded.

    Progress is sent under the client's token, if there is one, once the work takes longer than `PATIENCE_SECONDS`.
    """

    PATIENCE_SECONDS = 0.5

    def __init__(self, dispatcher: Dispatcher, uri: str | None, token: Json, title: str) -> None:
        self._dispatcher = dispatcher
        self._uri = uri
        self._token = token if type(token) in (str, int) else None
        self._title = title
        self._began = time.monotonic()
        self._is_shown = False
        self._percentage = 0

    def __enter__(self) -> Work:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._is_shown:
            self._dispatcher.tell(self._token, {"kind": "end"})

    def pause(self, done: int = 0, total: int = 0) -> None:
        """Show that the work continues, and its progress if known.

        Raises:
            RequestError: The request was cancelled, or the document is about to change.
        """
        self._dispatcher.check(self._uri)
        if self._token is None or time.monotonic() - self._began < self.PATIENCE_SECONDS:
            return
        percentage = 100 * done // total if total else 0
        known = {"percentage": percentage} if total else {}
        if not self._is_shown:
            self._is_shown = True
            self._dispatcher.tell(self._token, {"kind": "begin", "title": self._title, "cancellable": True, **known})
        elif percentage > self._percentage:
            self._dispatcher.tell(self._token, {"kind": "report", **known})
        self._percentage = max(percentage, self._percentage)
