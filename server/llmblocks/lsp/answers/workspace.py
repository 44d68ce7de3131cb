"""Requests about no document, and the workspace that they are about."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple, Protocol

from llmblocks.lsp.client.client import Client
from llmblocks.lsp.documents.open import OpenDocument
from llmblocks.lsp.wire.rpc import Json

if TYPE_CHECKING:
    from llmblocks.discovery.offer import Offer
    from llmblocks.languages.language import Language
    from llmblocks.lsp.documents.hosted import HostedText
    from llmblocks.lsp.documents.text import AnalysedText
    from llmblocks.settings.effective import Effective
    from llmblocks.workspace.names import FileNames


class Workspace(Protocol):
    """The documents and files that such a request can be about.

    Shape: `text` gives that of an open document, of a text that one embeds, or of a numbered log on disk that is not
           too large; `hosted` a document that embeds texts; `files` the names
           of all files that are not open, with their paths. `check` raises `RequestError` once the client has cancelled
           the request, or is about to change a document that it is about; `tell` sends a part of the answer, or
           progress, under the token that the client gave for it. `show` has the client put the cursor at a place.
           `effective` are all settings of a document, `offered` what the code around
           it declares that is not in force.
    """

    @property
    def client(self) -> Client: ...
    @property
    def documents(self) -> Iterable[OpenDocument]: ...
    def text(self, uri: str) -> AnalysedText | None: ...
    def hosted(self, uri: str) -> HostedText | None: ...
    def files(self) -> Iterable[tuple[Language, str, FileNames]]: ...
    def effective(self, uri: str) -> Effective: ...
    def offered(self, uri: str) -> Offer: ...
    def check(self, uri: str | None = None) -> None: ...
    def tell(self, token: Json, part: Json) -> None: ...
    def show(self, uri: str, place: Json) -> None: ...


class WorkspaceFeature(NamedTuple):
    """One request about the workspace, or about an item of an earlier answer.

    Shape: `capability` gives the entries of the server's capabilities; `answer` reads the parameters and gives the
           result, or raises `RequestError`.
    """

    method: str
    capability: Callable[[Client], dict[str, Json]]
    answer: Callable[[Json, Workspace], Json]
