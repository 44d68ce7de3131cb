"""Where messages about documents arrive: opened, changed, closed, asked about."""

from __future__ import annotations

import gc
import logging
from typing import TYPE_CHECKING

from llmblocks.lsp.answers.table import Feature
from llmblocks.lsp.client.client import Client
from llmblocks.lsp.client.config import Config
from llmblocks.lsp.documents.open import Documents, OpenDocument
from llmblocks.lsp.session.publisher import Publisher
from llmblocks.lsp.wire.params import a_text, an_object, changes_of, uri_of, version_of
from llmblocks.lsp.wire.rpc import Json, RawJson, encode, invalid

if TYPE_CHECKING:
    from llmblocks.settings.values import Settings

logger = logging.getLogger(__name__)
_BIG = 1 << 18


class Desk:
    """The open documents, and what is done with them."""

    def __init__(self, publisher: Publisher, config: Config) -> None:
        self.documents = Documents()
        self.client = Client()
        self._publisher = publisher
        self._config = config

    def opened(self, params: Json) -> None:
        """textDocument/didOpen. Errors: `RequestError`."""
        uri = uri_of(params)
        item = params["textDocument"]
        text = a_text(item.get("text"), "textDocument.text")
        language_id = item.get("languageId")
        opened = OpenDocument(uri, language_id if isinstance(language_id, str) else "", version_of(params))
        self._fill(opened, text)
        self.documents.put(opened)
        self._publisher.mark(opened)
        self._publisher.publish_files(self._config.files())

    def changed(self, params: Json) -> None:
        """textDocument/didChange. Errors: `RequestError`; then nothing has been changed."""
        opened = self.documents.get(uri_of(params))
        changes = changes_of(params)
        if opened is None:
            logger.warning("a change of %s, which is not open, was ignored", uri_of(params))
            return
        opened.version = version_of(params)
        for change in changes:
            if opened.text is not None:
                opened.text.apply(change)
            elif change.range is None:
                # all of it is known again, and may be small enough now
                self._fill(opened, change.text)
        text = opened.text
        if text is not None and text.size > self._most_bytes(text.settings):
            opened.text, opened.oversize = None, text.size
        self._publisher.mark(opened)

    def closed(self, params: Json) -> None:
        """textDocument/didClose. Errors: `RequestError`."""
        opened = self.documents.remove(uri_of(params))
        if opened is not None:
            self._publisher.clear(opened.uri)

    def ask(self, feature: Feature, params: Json) -> Json:
        """A request of the table. Errors: `RequestError`."""
        opened = self.documents.get(uri_of(params))
        if opened is None or opened.text is None:
            return feature.nothing
        return feature.reply(params, opened.text)

    def pull(self, params: Json) -> Json:
        """textDocument/diagnostic. Errors: `RequestError`."""
        opened = self.documents.get(uri_of(params))
        if opened is None:
            return {"kind": "full", "items": []}
        return RawJson(b"{%b}" % self._publisher.report(opened, params.get("previousResultId")))

    def pull_all(self, params: Json) -> Json:
        """workspace/diagnostic: a report for each open document. Errors: `RequestError`."""
        known = {}
        given = an_object(params, "params").get("previousResultIds")
        for each in given if isinstance(given, list) else []:
            if not isinstance(each, dict) or not isinstance(each.get("uri"), str):
                raise invalid("previousResultIds[] must have a uri and a value")
            known[each["uri"]] = each.get("value")
        items = []
        for opened in self.documents:
            head = b'{"uri":%b,"version":%b,' % (encode(opened.uri), encode(opened.version))
            items.append(head + self._publisher.report(opened, known.get(opened.uri)) + b"}")
        items += self._publisher.file_reports(known)
        return RawJson(b'{"items":[%b]}' % b",".join(items))

    def reconfigure(self) -> None:
        """Settings have changed: analyse anew what they change for, and tell all findings again."""
        for opened in self.documents:
            text = opened.text
            if text is not None and self._config.languages_for(opened.uri).settings != text.settings:
                self._fill(opened, text.document.text)
            self._publisher.mark(opened)
        self._publisher.publish_files(self._config.files())

    @staticmethod
    def _most_bytes(settings: Settings) -> float:
        return settings.max_size_mb * 1e6

    def _fill(self, opened: OpenDocument, text: str) -> None:
        """Begin to analyse a text, unless it is too large."""
        languages = self._config.languages_for(opened.uri)
        size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
        opened.text, opened.oversize = None, 0
        if size > self._most_bytes(languages.settings):
            opened.oversize = size
            return
        if size < _BIG:
            opened.text = languages.open(text, opened.language_id, opened.uri, self.client.encoding)
            return
        # building many objects makes the collector look at all of them, again and again, for nothing
        gc.disable()
        try:
            opened.text = languages.open(text, opened.language_id, opened.uri, self.client.encoding)
        finally:
            gc.freeze()
            gc.enable()
