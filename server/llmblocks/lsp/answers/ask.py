"""Requests about one document: from parameters to an `Ask` for a feature, and its answer."""

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
    from llmblocks.lsp.wire.values import Range, TextEdit

_ANY = Client()
AskedPart = Literal["document", "position", "positions", "range"]


class Asker(NamedTuple):
    """A request about a text.

    Shape: `params` are the request's; `uri` and `version` are those of the document, as the client has given them.
           `version_of` gives the version of any open document by its URI, None for a file that is not open.
           `ignoring` gives the edit of the settings that leaves out a rule in the document, by its code; `declaring`
           gives the one that registers tags, each with its description.
           `pause` is called now and then in work that may be long; it raises an error to end the work.
           `guest` is the text, where a document embeds it.
    """

    text: AnalysedText
    params: Json
    client: Client = _ANY
    uri: str = ""
    version: int | None = None
    version_of: Callable[[str], int | None] = lambda _: None
    ignoring: Callable[[str], SettingsEdit | None] = lambda _: None
    declaring: Callable[[Mapping[str, str]], SettingsEdit | None] = lambda _: None
    pause: Callable[[], None] = lambda: None
    guest: Guest | None = None

    @property
    def places(self) -> Places:
        """The places of the text as the client has them."""
        return self.guest or self.text

    @property
    def own_uri(self) -> str:
        """The URI by which `data` of an answer names the text."""
        return self.guest.uri if self.guest else self.uri

    def span(self, start: int, end: int) -> Range:
        """Return the range between two code points."""
        return self.places.span(start, end)

    def edits(self, edits: Iterable[Edit]) -> list[TextEdit]:
        """Changes of the document."""
        return [self.places.edit(each) for each in edits]


def read_ask(asker: Asker, part: AskedPart = "document") -> Ask:
    """Read the subject of a request. Errors: `RequestError` for an invalid position or range."""
    from llmblocks.languages.ask import Ask

    text = asker.text
    document = text.document
    start, end = stretch_of(asker.places, asker.params, part) or (0, len(document))
    known = text.told.index, text.told.findings, text.other_files, text.told.all_findings
    return Ask(document, text.language, text.settings, start, end, *known, pause=asker.pause)


def stretch_of(places: Places | PlainText, params: Json, part: AskedPart) -> tuple[int, int] | None:
    """Return the code points that a request names; None for all of a document. Errors: `RequestError`."""
    if part == "position":
        start = places.offset(*place_of(params.get("position"), "position"))
        return start, start
    if part == "range":
        span = range_of(params.get("range"), "range")
        return places.offset(*span[:2]), places.offset(*span[2:])
    return None


class Resolves(NamedTuple):
    """The request for the omitted part of an answer. It has the document in its `data.uri`."""

    method: str
    answer: Callable[[Ask, Asker], Json]

    def reply(self, asker: Asker) -> Json:
        """Return the item that was asked about, with all of it."""
        return self.answer(read_ask(asker, "document"), asker)


class Feature(NamedTuple):
    """One request about one document.

    Shape: `part` is the part of the document that the parameters name; `capability` gives the entries of the server's
           capabilities; `answer` gives JSON; `nothing` is the reply where there is no answer, or no document;
           `resolves` is the request that completes an item of the answer. `across_files` says that the answer depends
           on the other files of a session. `of_settings` answers in a settings file: the text of the asker is not
           analysed there. `joins` gives the one answer of those about several texts of a host, all of which are lists
           otherwise.
    """

    method: str
    part: AskedPart
    capability: Callable[[Client], dict[str, Json]]
    answer: Callable[[Ask, Asker], Json]
    nothing: Json = None
    resolves: Resolves | None = None
    across_files: bool = False
    of_settings: Callable[[Asker], Json] | None = None
    joins: Callable[[list[Json]], Json] = lambda answers: [*chain.from_iterable(filter(None, answers))]

    def reply(self, asker: Asker) -> Json:
        """Return the result of a request. Errors: `RequestError` for invalid parameters."""
        found = self.answer(read_ask(asker, self.part), asker)
        return self.nothing if found is None else found


class Work:
    """Work that a client waits for, begun when it is created: it ends when its result is no longer needed.

    Shape: `check` raises `RequestError` once the request is cancelled, or the document that is given is about to
           change; `tell` sends progress under the client's token. Without a token, there is none to show. It is shown
           once the work takes longer than `PATIENCE_SECONDS`.
    """

    PATIENCE_SECONDS = 0.5

    def __init__(
        self, check: Callable[[str], None], tell: Callable[[Json, Json], None], uri: str, token: Json, title: str
    ) -> None:
        self._check = check
        self._tell = tell
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
            self._tell(self._token, {"kind": "end"})

    def pause(self, done: int = 0, total: int = 0) -> None:
        """Show that the work continues, and its progress, if that is known. Errors: `RequestError`."""
        self._check(self._uri)
        if self._token is None or time.monotonic() - self._began < self.PATIENCE_SECONDS:
            return
        percentage = 100 * done // total if total else 0
        known = {"percentage": percentage} if total else {}
        if not self._is_shown:
            self._is_shown = True
            self._tell(self._token, {"kind": "begin", "title": self._title, "cancellable": True, **known})
        elif percentage > self._percentage:
            self._tell(self._token, {"kind": "report", **known})
        self._percentage = max(percentage, self._percentage)
