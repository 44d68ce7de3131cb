"""Requests about no document, and the workspace that they are about."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.lsp.client.client import Client
from llmblocks.lsp.client.config import Config
from llmblocks.lsp.documents.open import Documents, OpenDocument
from llmblocks.lsp.wire.rpc import Json
from llmblocks.lsp.wire.uris import GUEST

if TYPE_CHECKING:
    from llmblocks.languages.language import Language
    from llmblocks.lsp.documents.columns import Encoding
    from llmblocks.lsp.documents.hosted import HostedText
    from llmblocks.lsp.documents.text import AnalysedText
    from llmblocks.workspace.names import FileNames


@dataclass(slots=True)
class Workspace:
    """The documents and files that such a request can be about.

    Shape: `files` gives the names of all files that are not open, with their paths; `read` the text of a numbered log
           on disk that is not too large. `catch_up` makes the changes that wait in the documents of a session. `check`
           raises `RequestError` once the client has cancelled the request, or is about to change a document that it is
           about; `tell` sends a part of the answer, or progress, under the token that the client gave for it; `ask`
           sends a request to the client. `follow` has it fetch a view of a document again once that has changed.
    """

    documents: Documents
    config: Config
    files: Callable[[], Iterable[tuple[Language, str, FileNames]]]
    read: Callable[[str, Encoding], AnalysedText | None]
    catch_up: Callable[[OpenDocument], None]
    check: Callable[[str | None], None]
    tell: Callable[[Json, Json], None]
    ask: Callable[[str, Json, Callable[[Json], None]], None]
    follow: Callable[[str, str], None]
    client: Client = field(default_factory=Client)

    def text(self, uri: str) -> AnalysedText | None:
        """The text of an open document, one that a document embeds, or that of a log on disk."""
        host, embedded, _ = uri.partition(GUEST)
        opened = self.documents.get(host)
        if opened is None:
            return self.read(uri, self.client.encoding)
        if embedded:
            guest = opened.hosted.guest_of(uri) if opened.hosted is not None else None
            return guest.text if guest is not None else None
        self.catch_up(opened)
        return opened.text

    def hosted(self, uri: str) -> HostedText | None:
        """A document that embeds texts."""
        opened = self.documents.get(uri)
        return None if opened is None else opened.hosted

    def show(self, uri: str, place: Json) -> None:
        """Have the client put the cursor at a place."""
        self.ask("window/showDocument", {"uri": uri, "takeFocus": True, "selection": place}, lambda _: None)


class WorkspaceFeature(NamedTuple):
    """One request about the workspace, or about an item of an earlier answer.

    Shape: `capability` gives the entries of the server's capabilities; `answer` reads the parameters and gives the
           result, or raises `RequestError`.
    """

    method: str
    capability: Callable[[Client], dict[str, Json]]
    answer: Callable[[Workspace, Json], Json]
