"""Requests about no document, and the workspace that they are about."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.lsp.answers.ask import Asker, stretch_of
from llmblocks.lsp.client.client import Client
from llmblocks.lsp.client.config import Config
from llmblocks.lsp.documents.open import Documents, OpenDocument
from llmblocks.lsp.wire.rpc import Json

if TYPE_CHECKING:
    from llmblocks.languages.language import Language
    from llmblocks.lsp.documents.places import Encoding
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

    def asker(self, uri: str, params: Json) -> Asker | None:
        """Return a request about an open document, the text that one embeds at a position, or a log on disk."""
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
