"""Requests about one document: from parameters to JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.lsp.answers.ask import AskedPart, Asker, read_ask
from llmblocks.lsp.client.client import Client
from llmblocks.lsp.wire.rpc import Json

if TYPE_CHECKING:
    from llmblocks.languages.ask import Ask


class Resolves(NamedTuple):
    """The request for the omitted part of an answer. It has the document in its `data.uri`."""

    method: str
    answer: Callable[[Ask, Asker], Json]

    def reply(self, asker: Asker) -> Json:
        """The item that was asked about, with all of it."""
        return self.answer(read_ask(asker, "document"), asker)


class Feature(NamedTuple):
    """One request about one document.

    Shape: `part` is the part of the document that the parameters name; `capability` gives the entries of the server's
           capabilities; `answer` gives JSON; `nothing` is the reply where there is no answer, or no document;
           `resolves` is the request that completes an item of the answer. `across_files` says that the answer depends
           on the other files of a session. `of_settings` answers in a settings file: the text of the asker is not
           analysed there.
    """

    method: str
    part: AskedPart
    capability: Callable[[Client], dict[str, Json]]
    answer: Callable[[Ask, Asker], Json]
    nothing: Json = None
    resolves: Resolves | None = None
    across_files: bool = False
    of_settings: Callable[[Asker], Json] | None = None

    def reply(self, asker: Asker) -> Json:
        """The result of a request. Errors: `RequestError` for invalid parameters."""
        found = self.answer(read_ask(asker, self.part), asker)
        return self.nothing if found is None else found
