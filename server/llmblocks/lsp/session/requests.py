"""The requests and notifications about documents."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, cast
from urllib.parse import unquote

from llmblocks.languages import registry
from llmblocks.lsp.answers.ask import Asker, Feature, stretch_of
from llmblocks.lsp.answers.convert import without_markup
from llmblocks.lsp.client.config import Config
from llmblocks.lsp.documents.plain import Documents, OpenDocument, PlainText
from llmblocks.lsp.session.garbage import sweep
from llmblocks.lsp.session.logs import Logs
from llmblocks.lsp.session.publisher import Publisher
from llmblocks.lsp.wire.dispatch import Dispatcher
from llmblocks.lsp.wire.params import LspChange, a_list, a_text, an_object, changes_of, place_of, uri_of, version_of
from llmblocks.lsp.wire.rpc import Json
from llmblocks.lsp.wire.uris import GUEST, name_of, path_of
from llmblocks.settings.files import MOST_BYTES, NAMES

if TYPE_CHECKING:
    from llmblocks.lsp.documents.hosted import Guest, HostedText
    from llmblocks.lsp.documents.plain import ClientText
    from llmblocks.lsp.documents.text import AnalysedText

logger = logging.getLogger(__name__)
_BIG = 1 << 18
_PART = 1 << 14
_CHARACTER_BYTES = 4
"""The maximum in UTF-8."""
_COMPARED = 1 << 10
"""The number of bytes at the end of a file that are compared, to see whether another program writes it."""
_CODE_ACTION = "textDocument/codeAction"


@dataclass(eq=False)
class DocumentRequests:
    """The handlers of requests and notifications about documents."""

    _publisher: Publisher
    _config: Config
    _logs: Logs
    _dispatcher: Dispatcher
    documents: Documents

    def opened(self, params: Json) -> None:
        """Handle textDocument/didOpen. Raises `RequestError`."""
        uri = uri_of(params)
        item = params["textDocument"]
        text = a_text(item.get("text"), "textDocument.text")
        language_id = item.get("languageId")
        opened = OpenDocument(uri, language_id if isinstance(language_id, str) else "", version_of(params))
        self._fill(opened, text)
        self.documents.put(opened)
        self._publisher.mark(opened)
        self._publisher.publish_files(self._config.files())

    def changed(self, params: Json) -> OpenDocument | None:
        """Handle textDocument/didChange, and return the document. Raises `RequestError`; then nothing has changed."""
        opened = self.documents.get(uri_of(params))
        changes = changes_of(params)
        if opened is None:
            # VS Code empties an unsaved file after it has closed it
            level = logging.INFO if uri_of(params).startswith("untitled:") else logging.WARNING
            logger.log(level, "a change of %s, which is not open, was ignored", uri_of(params))
            return None
        opened.version = version_of(params)
        if (content := opened.content) is not None:
            for change in changes:
                content.apply(change)
            self._limit(opened, content, content.size + sum([len(change.text) for change in changes]))
        if opened.text is not None and (opened.is_arriving or _append(opened.text, changes)):
            # an editor reads an unedited file again; typed text is not in the file yet
            opened.is_arriving = _is_in_file(opened.uri, opened.text)
            opened.text.told.arrive(arriving=opened.is_arriving)
        self._publisher.mark(opened, _typed_on(changes))
        return opened

    def _limit(self, opened: OpenDocument, content: ClientText, most: int) -> None:
        """Begin or end the analysis of a document that has crossed the limit. It has at most `most` code points."""
        limit = self._most_bytes(opened)
        if opened.oversize or most * _CHARACTER_BYTES > limit:
            text = content.text
            size = _bytes(text)
            if (size > limit) != bool(opened.oversize):
                self._fill(opened, text)
            elif opened.oversize:
                opened.oversize = size

    def closed(self, params: Json) -> None:
        """Handle textDocument/didClose. Raises `RequestError`."""
        opened = self.documents.remove(uri_of(params))
        if opened is not None:
            self._publisher.clear(opened)
            self._logs.closed(opened)
            self._drop(opened)

    def ask(self, feature: Feature, params: Json) -> Json:
        """Answer a request of the table. Raises `RequestError`."""
        opened = self.documents.get(uri_of(params))
        if opened is None or opened.content is None:
            return feature.nothing
        if feature.across_files:
            self._logs.catch_up(opened)
            self._logs.look_at_files(opened)
        answer = feature.nothing
        if opened.text is not None:
            answer = feature.reply(self._asker(opened, opened.text, params))
        elif opened.hosted is not None:
            answer = self._ask_host(feature, params, opened, opened.hosted)
        elif opened.is_settings and feature.of_settings is not None and opened.content.size <= MOST_BYTES:
            answer = feature.of_settings(self._asker(opened, opened.content, params))
        return answer if feature.method not in self._config.client.plain else without_markup(answer)

    def _ask_host(self, feature: Feature, params: Json, opened: OpenDocument, hosted: HostedText) -> Json:
        """Answer a request about a document that embeds texts."""

        def reply(guest: Guest, params: Json = params) -> Json:
            return feature.reply(self._asker(opened, guest.text, params, guest))

        if feature.part == "positions":
            found: list[Json] = []
            for place in a_list(params.get("positions"), "positions"):
                guest = hosted.guest_at(hosted.offset(*place_of(place, "positions[]")))
                around = reply(guest, {**params, "positions": [place]}) if guest else None
                found += around or [{"range": {"start": place, "end": place}}]
            return found
        start, end = stretch_of(hosted, params, feature.part) or (0, hosted.size)
        if feature.part == "position":
            guest = hosted.guest_at(start)
            return feature.nothing if guest is None else reply(guest)
        found = feature.joins([reply(each) for each in hosted.guests_between(start, end)])
        if feature.method == _CODE_ACTION:
            from llmblocks.lsp.answers.actions import host_actions

            found += host_actions(hosted, self._asker(opened, hosted, params))
        return found

    def _asker(self, opened: OpenDocument, text: ClientText, params: Json, guest: Guest | None = None) -> Asker:
        """Return the request about the text of a document or an embedded one. Its URI is spelled as by the client."""
        uri = (params.get("textDocument") or params["data"])["uri"].partition(GUEST)[0]
        pause = partial(self._dispatcher.check, opened.uri)
        # answers in settings files and hosts need only the places of the text
        own = cast("AnalysedText", text)
        return Asker(own, params, self._config.client, uri, self._config, self.documents, pause, guest)

    def _drop(self, opened: OpenDocument) -> None:
        opened.hosted = opened.plain = None
        is_big = opened.text is not None and opened.text.size > _BIG
        opened.text = None
        if is_big:
            # it also empties Python's free lists, which keep a quarter of the memory from the system
            sweep()

    def resolve(self, resolves: Feature, params: Json) -> Json:
        """Answer a request for the rest of an item. Raises `RequestError`."""
        data = an_object(params, "params").get("data")
        if data is None:
            # nothing was left out of it
            return params
        uri = a_text(an_object(data, "data").get("uri"), "data.uri")
        opened = self.documents.get(uri.partition(GUEST)[0])
        if opened is None or opened.content is None:
            return params
        guest = None if opened.hosted is None else opened.hosted.guest_of(uri)
        text = opened.text if guest is None else guest.text
        return params if text is None else resolves.reply(self._asker(opened, text, params, guest))

    def pull(self, params: Json) -> Json:
        """Handle textDocument/diagnostic. Raises `RequestError`."""
        opened = self.documents.get(uri_of(params))
        if opened is None:
            return {"kind": "full", "items": []}
        self._logs.catch_up(opened)
        return self._publisher.report(opened, params.get("previousResultId"))

    def reconfigure(self) -> None:
        """Apply changed settings: analyse the affected documents again, and publish all diagnostics."""
        for opened in self.documents:
            # no variable for the analysed text: it is freed before the new analysis
            if opened.content is not None and self._is_outdated(opened):
                self._fill(opened, opened.content.text)
            self._publisher.mark(opened)
        self._publisher.publish_files(self._config.files())

    def _is_outdated(self, opened: OpenDocument) -> bool:
        """Return whether other settings may change the reading of a document."""
        text = opened.text
        if text is None:
            return True
        resolved = self._config.of(opened.uri)
        return self._reader(opened) != text.language.id or resolved.languages.settings != text.settings

    def _reader(self, opened: OpenDocument) -> str | None:
        """Return the id of a document's host or language, or None."""
        return self._host_of(opened) or registry.known_language(self._language_of(opened), unquote(opened.uri))

    def _language_of(self, opened: OpenDocument) -> str:
        # an editor may only know the file name
        return self._config.of(opened.uri).language_id or opened.language_id

    def _fill(self, opened: OpenDocument, text: str) -> None:
        """Start to analyse a text. Keep one that is too large or unsupported: edits and settings may change that."""
        if opened.text is not None:
            # nothing may reference the analysed text when it is freed
            self._logs.closed(opened)
        self._analyse(opened, text)
        self._logs.took(opened)

    def read(self, opened: OpenDocument, text: str) -> Iterator[None]:
        """Analyse the text of a closed file in steps."""
        self._analyse(opened, text[:_PART] if _bytes(text) <= self._most_bytes(opened) else text)
        if opened.text is not None:
            for start in range(_PART, len(text), _PART):
                yield
                opened.text.append(text[start : start + _PART])

    def _analyse(self, opened: OpenDocument, text: str) -> None:
        languages, encoding = self._config.of(opened.uri).languages, self._config.client.encoding
        size, host_id, uri = _bytes(text), self._host_of(opened), opened.uri
        self._drop(opened)
        is_settings, is_large = name_of(opened.uri) in NAMES, size > self._most_bytes(opened)
        opened.is_settings = is_settings and not is_large
        opened.oversize = 0
        if host_id is not None and not is_settings:
            from llmblocks.hosts.hosted import host_of_language
            from llmblocks.lsp.documents.hosted import HostedText

            def analyse(inner: str, language_id: str, own: str) -> AnalysedText:
                found = languages.open(inner, language_id, own, encoding, self._logs.other_files, uri)
                assert found is not None, "a fence names a language"
                return found

            host = host_of_language(host_id, languages.settings)
            if host is not None and not is_large:
                opened.hosted = HostedText(text, host, languages.settings, uri, encoding, analyse)
            elif host is not None and host.may_embed(text):
                opened.oversize = size
        elif is_large and (is_settings or self._reader(opened) is not None):
            opened.oversize = size
        elif not (is_large or is_settings):
            language_id, others = self._language_of(opened), self._logs.other_files
            opened.text = languages.open(text, language_id, uri, encoding, others)
        if opened.content is None:
            opened.plain = PlainText(text, encoding)

    def _most_bytes(self, opened: OpenDocument) -> float:
        return self._config.of(opened.uri).languages.settings.max_size_mb * 1e6

    def _host_of(self, opened: OpenDocument) -> str | None:
        """Return the host id of a document; None for others, and if settings give it a language."""
        if self._config.of(opened.uri).language_id is not None or opened.language_id in registry.language_ids():
            return None
        host_id = opened.language_id
        has_strings = bool(self._config.of(opened.uri).languages.settings.strings)
        if host_id not in registry.host_ids():
            return registry.host_of(unquote(opened.uri), named=has_strings, given=True)
        return host_id if host_id != "json" or has_strings else None


def _append(text: AnalysedText, changes: Sequence[LspChange]) -> bool:
    return any(len(change.text) > 1 and text.ends_with(change.text) for change in changes)


def _is_in_file(uri: str, text: AnalysedText) -> bool:
    """Return whether a document ends like its file, and no later log shows that it is complete."""
    path = path_of(uri)
    if path is None:
        return False
    try:
        with open(path, "rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _COMPARED))
            data = file.read(_COMPARED)
    except OSError:
        return False
    if size < _COMPARED and len(text.document) > size:
        return False
    # the first character may be cut
    end = data.decode("utf-8", "replace").lstrip("\ufffd")
    if not end or not text.ends_with(end):
        return False
    if not text.language.is_log(path.replace(os.sep, "/")):
        return True
    from llmblocks.workspace.results import next_request

    return next_request(path) is None


def _typed_on(changes: Sequence[LspChange]) -> int | None:
    """Return the line of the client at the caret, or the start of a completed call; None for changes of lines."""
    if len(changes) != 1 or changes[0].range is None or changes[0].text.startswith(("\n", "\r")):
        return None
    span = changes[0].range
    return span.start_line if span.start_line == span.end_line else None


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
