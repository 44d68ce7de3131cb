"""From the parameters of a request to an `Ask` for a feature."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

from llmblocks.lsp.client.client import Client
from llmblocks.lsp.wire.params import place_of, range_of
from llmblocks.lsp.wire.rpc import Json

if TYPE_CHECKING:
    from llmblocks.languages.ask import Ask
    from llmblocks.lsp.client.config import SettingsEdit
    from llmblocks.lsp.documents.text import AnalysedText


_ANY = Client()
AskedPart = Literal["document", "position", "range"]


class Asker(NamedTuple):
    """A request about a text.

    Shape: `params` are the request's; `uri` and `version` are those of the document, as the client has given them.
           `version_of` gives the version of any open document by its URI, None for a file that is not open.
           `ignoring` gives the edit of the settings that leaves out a rule in the document, by its code; `declaring`
           gives the one that registers tags, each with its description.
           `pause` is called now and then in work that may be long; it raises an error to end the work.
    """

    text: AnalysedText
    params: Json
    client: Client = _ANY
    uri: str = ""
    version: int | None = None
    version_of: Callable[[str], int | None] = lambda _: None
    ignoring: Callable[[str], SettingsEdit | None] = lambda _: None
    declaring: Callable[[Mapping[str, str]], SettingsEdit | None] = lambda _: None
    pause: Callable[[], None] = lambda: None


def read_ask(asker: Asker, part: AskedPart = "document") -> Ask:
    """Read the subject of a request. Errors: `RequestError` for an invalid position or range."""
    from llmblocks.languages.ask import Ask

    text, params = asker.text, asker.params
    document = text.document
    start, end = 0, len(document)
    if part == "position":
        start = end = text.offset(*place_of(params.get("position"), "position"))
    elif part == "range":
        span = range_of(params.get("range"), "range")
        start = text.offset(span.start_line, span.start_character)
        end = text.offset(span.end_line, span.end_character)
    known = text.told.index, text.told.findings, text.other_files, text.told.all_findings
    return Ask(document, text.language, text.settings, start, end, *known, pause=asker.pause)
