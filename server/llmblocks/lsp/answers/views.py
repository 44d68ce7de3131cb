"""The URIs of read-only documents that show contents of a document, for `workspace/textDocumentContent`.

For example `llmblocks://graph/a.gadget.mmd?file%3A%2F%2F%2Fw%2Fa.gadget`, with the encoded URI of the document, and
`#L12` for its 12th line.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple
from urllib.parse import quote, unquote, urlsplit

from llmblocks.lsp.wire.rpc import Json, invalid
from llmblocks.lsp.wire.uris import name_of

SCHEME: Final = "llmblocks"
_LINE = re.compile(r"L([1-9][0-9]{0,8})")


class ContentView(NamedTuple):
    """The result of a command, as a document."""

    name: str
    command: str
    suffix: str
    """Ends its name."""
    option: tuple[str, str] | None = None
    """A part of the command's argument, with its value."""
    has_line: bool = False


VIEWS: Final = (
    ContentView("graph", "llmblocks.showGraph", ".mmd", ("format", "mermaid")),
    ContentView("graph-text", "llmblocks.showGraph", ".txt", ("format", "text")),
    ContentView("session", "llmblocks.showSession", ".txt", ("format", "text")),
    ContentView("values", "llmblocks.showTranscript", ".json", ("part", "document")),
    ContentView("message", "llmblocks.showTranscript", ".json", ("part", "message"), has_line=True),
    ContentView("call", "llmblocks.showParameters", ".json", has_line=True),
)
"""The default view of a command comes first."""


def read_view(uri: str) -> tuple[str, str, Json]:
    """Return the URI of the viewed document, the command of the view, and its argument.

    Raises:
        RequestError: The URI is invalid.
    """
    try:
        parts = urlsplit(uri)
    except ValueError as error:
        raise invalid(f"uri: {error}") from None
    view = next((each for each in VIEWS if each.name == parts.netloc), None)
    line = _LINE.fullmatch(parts.fragment)
    if parts.scheme != SCHEME or view is None or not parts.query or (view.has_line and line is None):
        names = ", ".join(each.name for each in VIEWS)
        raise invalid(f"uri must be {SCHEME}://VIEW/NAME?DOCUMENT or …#L1, with a view of {names}, not {uri!r:.200}")
    document = unquote(parts.query)
    argument: Json = {"textDocument": {"uri": document}, **dict([view.option] if view.option else [])}
    if line is not None:
        argument["position"] = {"line": int(line[1]) - 1, "character": 0}
    return document, view.command, argument


def uri_of_view(command: str, argument: Json) -> str | None:
    """Return the URI of the view with the result of a command, or None."""
    views = [each for each in VIEWS if each.command == command]
    for view in views:
        key, value = view.option or ("", None)
        if argument.get(key, views[0].option[1] if views[0].option else None) == value:
            document = argument["textDocument"]["uri"]
            place = f"#L{argument['position']['line'] + 1}" if view.has_line else ""
            return f"{SCHEME}://{view.name}/{quote(name_of(document) + view.suffix)}?{quote(document, safe='')}{place}"
    return None
