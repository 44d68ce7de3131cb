"""The commands that show the content of a document: each returns a text, with its language.

Clients with `workspace/textDocumentContent` can show it as a read-only document instead, for example
`llmblocks://graph/a.gadget.mmd?file%3A%2F%2F%2Fw%2Fa.gadget`, with the encoded URI of the document, and `#L12` for its
12th line.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar
from urllib.parse import quote, unquote, urlsplit

from llmblocks.core.late import late
from llmblocks.lsp.answers.ask import AskedPart, Asker, Workspace, read_ask
from llmblocks.lsp.documents.places import located
from llmblocks.lsp.wire.params import a_list, a_text, an_object, uri_of
from llmblocks.lsp.wire.rpc import REQUEST_FAILED, Json, RequestError, invalid
from llmblocks.lsp.wire.uris import name_of, path_of
from llmblocks.workspace.listing import file_number

if TYPE_CHECKING:
    from llmblocks.contract.answers import GraphFormat
    from llmblocks.core.places import Elsewhere
    from llmblocks.features import hover, marks, navigation, streams
    from llmblocks.json5 import finite
    from llmblocks.languages.ask import Ask
else:
    hover, marks, navigation, streams = late("llmblocks.features", "hover marks navigation streams")
    (finite,) = late("llmblocks.json5", "finite")

_T = TypeVar("_T")
METHOD: Final = "workspace/executeCommand"
SCHEME: Final = "llmblocks"
SHOW_PARAMETERS, SHOW_GRAPH = "llmblocks.showParameters", "llmblocks.showGraph"
SHOW_PROBLEM, SHOW_RESULT = "llmblocks.showProblem", "llmblocks.showResult"
_SHOW_TRANSCRIPT, _SHOW_SESSION = "llmblocks.showTranscript", "llmblocks.showSession"
_MOST_STREAMED = 100_000
_STEPS_AT_ONCE = 256
_GRAPHS: Final[dict[GraphFormat, str]] = {"mermaid": "mermaid", "svg": "xml", "text": "plaintext"}
"""The formats of a graph, with their language ids."""
_LINE = re.compile(r"L([1-9][0-9]{0,8})")


class CommandResult(NamedTuple):
    """The result of a command."""

    text: str
    """In the language `language_id`; a sentence for the user if that is empty."""
    language_id: str = ""
    title: str = ""
    """By default, the name of the document."""
    notes: tuple[str, ...] = ()
    places: tuple[int, ...] | None = None
    """The places in the document of the parts of the text, in order."""
    at: int | None = None
    """The place to show instead."""
    elsewhere: Elsewhere | None = None
    """A place in another file to show instead."""

    def as_json(self, name: str, asker: Asker | None = None) -> Json:
        """Return the result for the client. `name` is that of the document."""
        kind = {"kind": "document", "languageId": self.language_id} if self.language_id else {"kind": "message"}
        told = {**kind, "title": self.title or name, "text": self.text, "notes": [*self.notes]}
        if self.places is None or asker is None:
            return told
        return {**told, "places": [asker.places.place(each) for each in self.places]}


def _parameters(ask: Ask, asker: Asker) -> CommandResult:
    found = hover.received(ask)
    if found is None:
        return CommandResult("There is no gadget call at this position. Put the cursor into a call.")
    if not found.json:
        return CommandResult(" ".join(found.notes), title=found.title)
    return CommandResult(f"{found.json}\n", "json", found.title, found.notes)


def _transcript(ask: Ask, asker: Asker) -> CommandResult:
    text = ask.document.text
    if asker.params.get("part") == "message":
        from llmblocks.refactors.refactoring import message_at

        message = message_at(ask)
        if message is None:
            return CommandResult("There is no message at this position.")
        text = message
    if not text.strip():
        return CommandResult("The document is empty.")
    try:
        found = finite.finite(streams.values(text, ask.language, ask.settings, ask.pause))
        return CommandResult(json.dumps(found, indent=2, ensure_ascii=False) + "\n", "json")
    except RecursionError:
        return CommandResult(finite.TOO_DEEP)


def _graph(ask: Ask, asker: Asker) -> CommandResult:
    chosen = _format(asker, *_GRAPHS)
    found = navigation.graph_of(ask)
    if found.is_empty:
        return CommandResult("The document has no gadget calls.")
    return CommandResult(found.write(chosen), _GRAPHS[chosen], places=found.places if chosen == "svg" else None)


def _problem(ask: Ask, asker: Asker) -> CommandResult:
    found = marks.standing(ask)
    if found is None:
        return CommandResult("There is no gadget call on this line. Put the cursor at the end of its first line.")
    return CommandResult(f"{found.says}. {found.message}".rstrip(". ") + ".", at=found.obstacle)


def _result(ask: Ask, asker: Asker) -> CommandResult:
    standing = marks.standing(ask)
    found = standing.reply if standing is not None else None
    if found is None:
        return CommandResult("No result is known here: put the cursor at the end of the first line of a call.")
    return CommandResult("\n".join(filter(None, (found.says, found.excerpt))), elsewhere=found.place)


def _session(ask: Ask, asker: Asker) -> CommandResult:
    from llmblocks.sessions import read
    from llmblocks.sessions.words import tree

    chosen = _format(asker, "text", "html")
    path = path_of(asker.uri)
    if path is None or file_number(os.path.basename(path)) is None:
        return CommandResult("The document is not a log of a session, such as 0001.response.")
    try:
        session = read(os.path.dirname(path), markers=ask.settings.markers)
        for response in session.responses:
            ask.pause()
            # read now, with pauses; the rest is fast
            if response.calls:
                response.results.get(0)
    except OSError as error:
        return CommandResult(f"{error.filename}: {error.strerror}")
    title = os.path.basename(session.folder)
    if chosen == "html":
        from llmblocks.sessions.page import to_html

        return CommandResult(to_html(session), "html", title)
    return CommandResult("".join([f"{line.text}\n" for line in tree(session)]), "plaintext", title)


def _stream(ask: Ask, asker: Asker) -> CommandResult:
    sizes = a_list(asker.params.get("chunks", [1]), "chunks")
    if not sizes or not all(type(size) is int and size > 0 for size in sizes):
        raise invalid("chunks must be a list of whole numbers from 1: the sizes of the chunks, over and over")
    text = ask.document.slice(0, _MOST_STREAMED)
    found: list[Json] = []
    for number, step in enumerate(streams.steps(text, ask.language, ask.settings, sizes)):
        found.append(finite.finite(step._asdict()))
        if number % _STEPS_AT_ONCE == 0:
            ask.pause()
    cut = len(ask.document) > _MOST_STREAMED
    notes = (f"only the first {_MOST_STREAMED:,} characters are streamed",) if cut else ()
    return CommandResult(json.dumps(found, separators=(",", ":")), "json", notes=notes)


def _format(asker: Asker, *formats: _T) -> _T:
    """Return the format that the argument of a command names; by default, the first one."""
    chosen: _T = asker.params.get("format", formats[0])
    if chosen not in formats:
        raise invalid(f"format must be one of {', '.join(map(str, formats))}, not {chosen!r:.40}")
    return chosen


COMMANDS: Final[dict[str, tuple[AskedPart, Callable[[Ask, Asker], CommandResult]]]] = {
    SHOW_PARAMETERS: ("position", _parameters),
    _SHOW_TRANSCRIPT: ("document", _transcript),
    SHOW_GRAPH: ("document", _graph),
    SHOW_PROBLEM: ("position", _problem),
    SHOW_RESULT: ("position", _result),
    _SHOW_SESSION: ("document", _session),
    "llmblocks.showStream": ("document", _stream),
}
"""The commands about an open document, with the part of it that the argument names."""
_NO_COMMAND: tuple[AskedPart, None] = ("document", None)


def _settings(uri: str, workspace: Workspace) -> CommandResult:
    from llmblocks.settings.toml import as_toml

    return CommandResult(as_toml(workspace.config.effective(uri)), "toml")


def _declared(uri: str, workspace: Workspace) -> CommandResult:
    try:
        text = workspace.config.offered(uri, partial(workspace.dispatcher.check, uri)).as_toml()
    except ValueError as error:
        return CommandResult(f"The code cannot be read: {error}.")
    if not text:
        return CommandResult("The TypeScript and JavaScript here declares no tags or gadgets that are not in force.")
    note = "add to llmblocks.toml what you want: nothing is in force yet"
    return CommandResult(text, "toml", "llmblocks.toml", (note,))


_OF_FILES: dict[str, Callable[[str, Workspace], CommandResult]] = {
    "llmblocks.showSettings": _settings,
    "llmblocks.showDeclared": _declared,
}
"""The commands about a file that may be closed."""
NAMES = (*COMMANDS, *_OF_FILES)


def execute(workspace: Workspace, params: Json) -> Json:
    """Run a command. Raises `RequestError`, which names the wrong argument."""
    given = an_object(params, "params")
    name = a_text(given.get("command"), "command")
    if name not in NAMES:
        raise invalid(f"there is no command {name!r:.100}; the commands are {', '.join(NAMES)}")
    try:
        result = _run(name, given, workspace)
        if result is not None and "uri" in result:
            workspace.follow(result["uri"], given["arguments"][0]["textDocument"]["uri"])
        return result
    except RequestError as error:
        raise RequestError(error.code, f"{name}: {error.message}") from None


def _run(called: str, given: dict[str, Json], workspace: Workspace) -> Json:
    part, run = COMMANDS.get(called, _NO_COMMAND)
    arguments = a_list(given.get("arguments") or [], "arguments")
    if len(arguments) != 1:
        position = ', "position": …' if part == "position" else ""
        raise invalid(f'it takes one argument, {{"textDocument": {{"uri": …}}{position}}}, not {len(arguments)}')
    argument = an_object(arguments[0], "the argument")
    uri = uri_of(argument)
    name = name_of(uri)
    if run is None:
        return _OF_FILES[called](uri, workspace).as_json(name)
    asker = workspace.asker(uri, argument)
    if asker is None:
        if workspace.documents.get(uri) is None:
            raise RequestError(REQUEST_FAILED, f"{uri:.300} is not open")
        reason = "The document is not analysed: it is of no format of llmblocks, or too large."
        return CommandResult(reason).as_json(name)
    shown = run(read_ask(asker, "position" if argument.get("part") == "message" else part), asker)
    if not workspace.client.shows_documents or (shown.at is None and shown.elsewhere is None):
        told = shown.as_json(name, asker)
        has_view = workspace.client.shows_contents and shown.language_id
        view = _uri_of_view(called, argument) if has_view else None
        return told if view is None else {**told, "uri": view}
    place: Json = {"uri": uri, "range": asker.span(shown.at or 0, shown.at or 0)}
    if shown.elsewhere is not None:
        place = located(shown.elsewhere, asker.text.encoding)
    show = {"uri": place["uri"], "takeFocus": True, "selection": place["range"]}
    workspace.dispatcher.ask("window/showDocument", show)
    return None


class ContentView(NamedTuple):
    """The result of a command, as a document."""

    name: str
    command: str
    suffix: str
    option: tuple[str, str] | None = None
    """A part of the command's argument, with its value."""
    has_line: bool = False


VIEWS: Final = (
    ContentView("graph", SHOW_GRAPH, ".mmd", ("format", "mermaid")),
    ContentView("graph-text", SHOW_GRAPH, ".txt", ("format", "text")),
    ContentView("session", _SHOW_SESSION, ".txt", ("format", "text")),
    ContentView("values", _SHOW_TRANSCRIPT, ".json", ("part", "document")),
    ContentView("message", _SHOW_TRANSCRIPT, ".json", ("part", "message"), has_line=True),
    ContentView("call", SHOW_PARAMETERS, ".json", has_line=True),
)
"""The default view of a command comes first."""


def content(workspace: Workspace, params: Json) -> Json:
    """Return the text of a view of a document. Raises `RequestError` for an invalid URI."""
    uri = a_text(an_object(params, "params").get("uri"), "uri")
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
    # followed first: a change while the view is made requires another one
    workspace.follow(uri, document)
    return {"text": _run(view.command, {"arguments": [argument]}, workspace)["text"]}


def _uri_of_view(command: str, argument: Json) -> str | None:
    """Return the URI of the view with the result of a command, or None."""
    views = [each for each in VIEWS if each.command == command]
    for view in views:
        key, value = view.option or ("", None)
        if argument.get(key, views[0].option[1] if views[0].option else None) == value:
            document = argument["textDocument"]["uri"]
            place = f"#L{argument['position']['line'] + 1}" if view.has_line else ""
            return f"{SCHEME}://{view.name}/{quote(name_of(document) + view.suffix)}?{quote(document, safe='')}{place}"
    return None
