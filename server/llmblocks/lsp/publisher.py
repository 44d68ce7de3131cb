"""When clients are told of findings: pushed after every batch of changes, or fetched by clients that fetch."""

from __future__ import annotations

from llmblocks.core.finding import Severity
from llmblocks.lsp import rpc
from llmblocks.lsp.diagnostics import notice
from llmblocks.lsp.dispatch import Send
from llmblocks.lsp.documents import OpenDocument
from llmblocks.lsp.rpc import Json

_HEAD = b'{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":%b,%b"diagnostics":%b}}'


class Publisher:
    """Knows which documents have changed since their diagnostics were sent.

    Shape: `pushes` is false for a client that fetches: it gets nothing that it did not ask for.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self._due: dict[str, OpenDocument] = {}
        self._results: dict[str, tuple[str, str]] = {}
        self._serial = 0
        self.pushes = True
        self.most = 2000

    def mark(self, opened: OpenDocument) -> None:
        """Its diagnostics are to be sent, once all that waits has been served."""
        if self.pushes:
            self._due[opened.uri] = opened

    @property
    def due(self) -> bool:
        return bool(self._due)

    def settle(self) -> None:
        """Send what is due: once for a document, however often it has changed."""
        due, self._due = self._due, {}
        for opened in due.values():
            version = b"" if opened.version is None else b'"version":%d,' % opened.version
            body = _HEAD % (rpc.encode(opened.uri), version, diagnostics(opened, self.most).encode("ascii"))
            self._send(body, ("diagnostics", opened.uri))

    def clear(self, uri: str) -> None:
        """Take away what was sent for a document that is closed."""
        self._due.pop(uri, None)
        self._results.pop(uri, None)
        if self.pushes:
            self._send(_HEAD % (rpc.encode(uri), b"", b"[]"), ("diagnostics", uri))

    def report(self, opened: OpenDocument, previous: Json) -> bytes:
        """The report of a pull as JSON: full, or unchanged where it is what `previous` was the id of."""
        array = diagnostics(opened, self.most)
        result_id, known = self._results.get(opened.uri, ("", ""))
        if not result_id or known != array:
            self._serial += 1
            result_id = str(self._serial)
            self._results[opened.uri] = (result_id, array)
        elif previous == result_id:
            return b'"kind":"unchanged","resultId":%b' % rpc.encode(result_id)
        return b'"kind":"full","resultId":%b,"items":%b' % (rpc.encode(result_id), array.encode("ascii"))


def diagnostics(opened: OpenDocument, most: int) -> str:
    """The JSON array of a document's diagnostics, or of the one that says why there are none."""
    text = opened.text
    if text is not None:
        return text.diagnostics(most)
    if opened.oversize:
        return f"[{notice(_oversize(opened), Severity.INFORMATION)}]"
    return "[]"


def _oversize(opened: OpenDocument) -> str:
    return (
        f"not analysed: the document has {opened.oversize / 1e6:.1f} MB, more than llmblocks.files.maxSizeMB allows — "
        "raise that setting and open it again"
    )
