"""Requests about one document: from parameters to JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from llmblocks.lsp.answers.ask import AskedPart, Asker, read_ask
from llmblocks.lsp.client.client import Client
from llmblocks.lsp.wire.params import place_of, uri_of
from llmblocks.lsp.wire.rpc import Json
from llmblocks.lsp.wire.uris import name_of
from llmblocks.settings.nearest import MOST_BYTES, table_in

if TYPE_CHECKING:
    from llmblocks.languages.ask import Ask
    from llmblocks.lsp.client.config import SettingsEdit
    from llmblocks.lsp.documents.plain import PlainText
    from llmblocks.lsp.documents.text import AnalysedText

_ANY = Client()


class Resolves(NamedTuple):
    """The request for the omitted part of an answer. It has the document in its `data.uri`."""

    method: str
    convert: Callable[[Ask, Asker], Json]

    def reply(
        self,
        params: Json,
        text: AnalysedText,
        client: Client,
        uri: str,
        version: int | None,
        pause: Callable[[], None] = lambda: None,
    ) -> Json:
        """The item that was asked about, with all of it."""
        return self.convert(read_ask(params, "document", text, pause), Asker(text, params, client, uri, version))


class OfSettings(NamedTuple):
    """The answer to a request about a place in a settings file.

    Shape: `answer` gives the value at a code point of a text, for the table with the settings.
    """

    answer: Callable[[str, int, tuple[str, ...]], Any]
    convert: Callable[[Any, Asker], Json]

    def reply(self, params: Json, text: PlainText, client: Client) -> Json:
        """The result of a request. Errors: `RequestError` for invalid parameters."""
        uri = uri_of(params)
        offset = text.offset(*place_of(params.get("position"), "position"))
        value = self.answer(text.text, offset, table_in(name_of(uri))) if text.size <= MOST_BYTES else None
        # what is converted asks the text for places alone
        asker = Asker(cast("AnalysedText", text), params, client, uri, None)
        return None if value is None else self.convert(value, asker)


class Feature(NamedTuple):
    """One request about one document.

    Shape: `part` is the part of the document that the parameters name; `capability` gives the entries of the server's
           capabilities; `convert` makes JSON of the value of `answer`; `nothing` is the reply where there is no value,
           or no document; `resolves` is the request that completes an item of the answer. `across_files` says that
           the answer depends on the other files of a session. `of_settings` answers in a settings file.
    """

    method: str
    part: AskedPart
    capability: Callable[[Client], dict[str, Json]]
    answer: Callable[[Ask], Any]
    convert: Callable[[Any, Asker], Json]
    nothing: Json = None
    resolves: Resolves | None = None
    across_files: bool = False
    of_settings: OfSettings | None = None

    def reply(
        self,
        params: Json,
        text: AnalysedText,
        client: Client = _ANY,
        version: int | None = None,
        version_of: Callable[[str], int | None] = lambda _: None,
        ignoring: Callable[[str], SettingsEdit | None] = lambda _: None,
        pause: Callable[[], None] = lambda: None,
    ) -> Json:
        """The result of a request. Errors: `RequestError` for invalid parameters."""
        value = self.answer(read_ask(params, self.part, text, pause))
        if value is None:
            return self.nothing
        return self.convert(value, Asker(text, params, client, uri_of(params), version, version_of, ignoring))
