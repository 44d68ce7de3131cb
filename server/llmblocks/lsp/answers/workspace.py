"""Requests without a document, and their workspace."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.lsp.answers.ask import Asker, stretch_of
from llmblocks.lsp.client.client import Client
from llmblocks.lsp.client.config import Config
from llmblocks.lsp.documents.open import Documents, OpenDocument
from llmblocks.lsp.wire.dispatch import Dispatcher
from llmblocks.lsp.wire.rpc import Json

if TYPE_CHECKING:
    from llmblocks.languages.language import Language
    from llmblocks.lsp.documents.places import Encoding
    from llmblocks.lsp.documents.text import AnalysedText
    from llmblocks.workspace.names import FileNames


@dataclass(slots=True)
class Workspace:
    """The documents and files for such requests."""

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
        """The client."""
        return self.config.client

    def asker(self, uri: str, params: Json) -> Asker | None:
        """Return a request about an open document, an embedded text at a position, or a log on disk."""
        opened = self.documents.get(uri)
        if opened is None:
            text, guest = self.read(uri, self.client.encoding), None
        elif opened.hosted is not None:
            at = stretch_of(opened.hosted, params, "position") if "position" in params else None
            guest = None if at is None else opened.hosted.guest_at(at[0])
            text = None if guest is None else guest.text
        else:
            self.catch_up(opened)
            text, guest = opened.text, None
        return None if text is None else Asker(text, params, self.client, uri, guest=guest)

    def show(self, uri: str, place: Json) -> None:
        """Ask the client to put the cursor at a place."""
        self.dispatcher.ask("window/showDocument", {"uri": uri, "takeFocus": True, "selection": place})


class WorkspaceFeature(NamedTuple):
    """One request about the workspace, or about an item of an earlier answer."""

    method: str
    capability: Callable[[Client], dict[str, Json]]
    """Returns the entries of the server's capabilities."""
    answer: Callable[[Workspace, Json], Json]
    """Reads the parameters and returns the result, or raises `RequestError`."""
