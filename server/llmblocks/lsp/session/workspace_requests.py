"""The requests about the workspace, and the data that they use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING

from llmblocks.lsp.answers.workspace import WorkspaceFeature
from llmblocks.lsp.client.client import Client
from llmblocks.lsp.documents.open import OpenDocument
from llmblocks.lsp.session.logs import Logs
from llmblocks.lsp.session.requests import DocumentRequests
from llmblocks.lsp.session.workspace_files import WorkspaceFiles
from llmblocks.lsp.wire.rpc import Json
from llmblocks.lsp.wire.uris import GUEST

if TYPE_CHECKING:
    from llmblocks.discovery.offer import Offer
    from llmblocks.languages.language import Language
    from llmblocks.lsp.documents.hosted import HostedText
    from llmblocks.lsp.documents.text import AnalysedText
    from llmblocks.settings.effective import Effective
    from llmblocks.workspace.names import FileNames


class WorkspaceRequests:
    """The handlers of these requests; the `Workspace` that they get.

    Shape: `check` raises `RequestError` once the request that is being served has been cancelled, or a document that it
           is about will change.
    """

    def __init__(
        self,
        document_requests: DocumentRequests,
        logs: Logs,
        files: WorkspaceFiles,
        check: Callable[[str | None], None],
        notify: Callable[[str, Mapping[str, object]], None],
        send: Callable[[str, Json, Callable[[Json], None]], None],
    ) -> None:
        self._check = check
        self._requests = document_requests
        self._logs = logs
        self._files = files
        self._notify = notify
        self._send = send

    @property
    def client(self) -> Client:
        return self._requests.client

    @property
    def documents(self) -> Iterable[OpenDocument]:
        return self._requests.documents

    def text(self, uri: str) -> AnalysedText | None:
        host, embedded, _ = uri.partition(GUEST)
        opened = self._requests.documents.get(host)
        if opened is None:
            return self._logs.text(uri, self.client.encoding)
        if embedded:
            guest = opened.hosted.guest_of(uri) if opened.hosted is not None else None
            return guest.text if guest is not None else None
        self._logs.catch_up(opened)
        return opened.text

    def hosted(self, uri: str) -> HostedText | None:
        opened = self._requests.documents.get(uri)
        return None if opened is None else opened.hosted

    def files(self) -> Iterator[tuple[Language, str, FileNames]]:
        return chain(self._logs.files(), self._files)

    def effective(self, uri: str) -> Effective:
        return self._requests.effective(uri)

    def offered(self, uri: str) -> Offer:
        return self._requests.offered(uri)

    def check(self, uri: str | None = None) -> None:
        self._check(uri)

    def tell(self, token: Json, part: Json) -> None:
        self._notify("$/progress", {"token": token, "value": part})

    def show(self, uri: str, place: Json) -> None:
        self._send("window/showDocument", {"uri": uri, "takeFocus": True, "selection": place}, lambda _: None)

    def ask(self, feature: WorkspaceFeature, params: Json) -> Json:
        """A request of the table. Errors: `RequestError`."""
        return feature.answer(params, self)
