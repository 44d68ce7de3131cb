"""The commands that show the content of a document: each returns a text, with its language."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from llmblocks.core.late import late
from llmblocks.lsp.answers.ask import AskedPart, Asker, Work, read_ask
from llmblocks.lsp.answers.views import read_view, uri_of_view
from llmblocks.lsp.answers.workspace import Workspace
from llmblocks.lsp.client.client import Client
from llmblocks.lsp.documents.places import located
from llmblocks.lsp.wire.params import a_list, a_text, an_object, uri_of
from llmblocks.lsp.wire.rpc import REQUEST_FAILED, Json, RequestError, invalid
from llmblocks.lsp.wire.uris import identity, name_of, path_of
from llmblocks.workspace.log_place import file_number

if TYPE_CHECKING:
    from llmblocks.core.places import Elsewhere
    from llmblocks.features import hierarchy, hover, lenses, streams
    from llmblocks.json5 import finite
    from llmblocks.languages.ask import Ask
else:
    hierarchy, hover, lenses, streams = late("llmblocks.features", "hierarchy hover lenses streams")
    (finite,) = late("llmblocks.json5", "finite")

METHOD = "workspace/executeCommand"
SHOW_PARAMETERS = "llmblocks.showParameters"
SHOW_GRAPH = "llmblocks.showGraph"
SHOW_PROBLEM = "llmblocks.showProblem"
SHOW_RESULT = "llmblocks.showResult"
_MOST_STREAMED = 100_000
_STEPS_AT_ONCE = 256
_GRAPHS = {"mermaid": "mermaid", "svg": "xml", "text": "plaintext"}
"""The formats of a graph, with their language ids."""


class CommandResult(NamedTuple):
    """The result of a command."""

    title: str
    text: str
    """In the language `language_id`; a sentence for the user if that is empty."""
    language_id: str = ""
    notes: tuple[str, ...] = ()
    """Further sentences."""
    places: tuple[int, ...] | None = None
    """The places in the document of the parts of the text, in order."""
    at: int | None = None
    """The place to show instead."""
    elsewhere: Elsewhere | None = None
    """A place in another file to show instead."""

    def as_json(self, asker: Asker | None = None) -> Json:
        """Return the result for the client."""
        kind = {"kind": "document", "languageId": self.language_id} if self.language_id else {"kind": "message"}
        told = {**kind, "title": self.title, "text": self.text, "notes": list(self.notes)}
        if self.places is None or asker is None:
            return told
        return {**told, "places": [asker.places.place(each) for each in self.places]}


class CommandCall(NamedTuple):
    """A command with its argument."""

    ask: Ask
    argument: dict[str, Json]
    uri: str
    name: str
    """The name of the document, for titles."""
    work: Work


class DocumentCommand(NamedTuple):
    """A command about a document."""

    name: str
    title: str
    """Shown while it works."""
    part: AskedPart
    """The part of the document that its argument names."""
    run: Callable[[CommandCall], CommandResult]


def _parameters(called: CommandCall) -> CommandResult:
    found = hover.received(called.ask)
    if found is None:
        return CommandResult(called.name, "There is no gadget call at this position. Put the cursor into a call.")
    if not found.json:
        return CommandResult(found.title, " ".join(found.notes))
    return CommandResult(found.title, f"{found.json}\n", "json", found.notes)


def _transcript(called: CommandCall) -> CommandResult:
    ask = called.ask
    text = ask.document.text
    if called.argument.get("part") == "message":
        from llmblocks.refactors.selected import message_at

        line = ask.document.position(ask.position)[0]
        # the text of a message begins below its command
        message = message_at(
            ask, ask.document.line_start(line + 1) if line < ask.document.sections.newlines else len(text)
        )
        if message is None:
            return CommandResult(called.name, "There is no message at this position.")
        text = text[slice(*message)]
    if not text.strip():
        return CommandResult(called.name, "The document is empty.")
    found = streams.values(text, ask.language, ask.settings, called.work.pause)
    called.work.pause(1, 1)
    return CommandResult(called.name, _as_json(finite.finite(found)), "json")


def _graph(called: CommandCall) -> CommandResult:
    chosen = called.argument.get("format", "mermaid")
    if chosen not in (*_GRAPHS,):
        raise invalid(f"format must be one of {', '.join(_GRAPHS)}, not {chosen!r:.40}")
    found = hierarchy.graph_of(called.ask, called.work.pause)
    if found.is_empty:
        return CommandResult(called.name, "The document has no gadget calls.")
    called.work.pause(1, 1)
    return CommandResult(
        called.name, found.write(chosen), _GRAPHS[chosen], places=found.places if chosen == "svg" else None
    )


def _problem(called: CommandCall) -> CommandResult:
    found = lenses.standing(called.ask)
    if found is None:
        return CommandResult(
            called.name, "There is no gadget call on this line. Put the cursor at the end of its first line."
        )
    return CommandResult(called.name, f"{found.says}. {found.message}".rstrip(". ") + ".", at=found.obstacle)


def _result(called: CommandCall) -> CommandResult:
    found = lenses.reply(called.ask)
    if found is None:
        return CommandResult(
            called.name, "No result is known here: put the cursor at the end of the first line of a call."
        )
    return CommandResult(called.name, "\n".join(filter(None, (found.says, found.excerpt))), elsewhere=found.place)


def _session(called: CommandCall) -> CommandResult:
    from llmblocks.sessions import read
    from llmblocks.sessions.tree import tree

    chosen = called.argument.get("format", "text")
    if chosen not in ("text", "html"):
        raise invalid(f"format must be text or html, not {chosen!r:.40}")
    path = path_of(called.uri)
    if path is None or file_number(os.path.basename(path)) is None:
        return CommandResult(called.name, "The document is not a log of a session, such as 0001.response.")
    try:
        session = read(os.path.dirname(path), markers=called.ask.settings.markers)
        count = len(session.responses)
        for done, response in enumerate(session.responses):
            called.work.pause(done, count)
            # read now, with pauses; the rest is fast
            if response.calls:
                response.results.get(0)
    except OSError as error:
        return CommandResult(called.name, f"{error.filename}: {error.strerror}")
    if chosen == "html":
        from llmblocks.sessions.page import to_html

        return CommandResult(os.path.basename(session.folder), to_html(session), "html")
    return CommandResult(
        os.path.basename(session.folder), "".join([f"{line.text}\n" for line in tree(session)]), "plaintext"
    )


def _stream(called: CommandCall) -> CommandResult:
    ask = called.ask
    sizes = a_list(called.argument.get("chunks", [1]), "chunks")
    if not sizes or not all(type(size) is int and size > 0 for size in sizes):
        raise invalid("chunks must be a list of whole numbers from 1: the sizes of the chunks, over and over")
    text = ask.document.slice(0, _MOST_STREAMED)
    found: list[Json] = []
    for number, step in enumerate(streams.steps(text, ask.language, ask.settings, sizes)):
        found.append(finite.finite(step._asdict()))
        if number % _STEPS_AT_ONCE == 0:
            called.work.pause(step.end, len(text))
    cut = len(ask.document) > _MOST_STREAMED
    notes = (f"only the first {_MOST_STREAMED:,} characters are streamed",) if cut else ()
    return CommandResult(called.name, json.dumps(found, separators=(",", ":")), "json", notes)


COMMANDS = (
    DocumentCommand(SHOW_PARAMETERS, "Decoding parameters", "position", _parameters),
    DocumentCommand("llmblocks.showTranscript", "Decoding the document", "document", _transcript),
    DocumentCommand(SHOW_GRAPH, "Drawing the graph of calls", "document", _graph),
    DocumentCommand(SHOW_PROBLEM, "Looking for the problem of a call", "position", _problem),
    DocumentCommand(SHOW_RESULT, "Looking for the result of a call", "position", _result),
    DocumentCommand("llmblocks.showSession", "Reading the session", "document", _session),
    DocumentCommand("llmblocks.showStream", "Streaming the document", "document", _stream),
)
_BY_NAME = {command.name: command for command in COMMANDS}


def _settings(uri: str, workspace: Workspace) -> CommandResult:
    from llmblocks.settings.effective import as_toml

    return CommandResult(name_of(uri), as_toml(workspace.config.effective(uri)), "toml")


def _declared(uri: str, workspace: Workspace) -> CommandResult:
    try:
        text = workspace.config.offered(uri, partial(workspace.dispatcher.check, uri)).as_toml()
    except ValueError as error:
        return CommandResult(name_of(uri), f"The code cannot be read: {error}.")
    if not text:
        return CommandResult(
            name_of(uri), "The TypeScript and JavaScript here declares no tags or gadgets that are not in force."
        )
    return CommandResult(
        "llmblocks.toml", text, "toml", ("add to llmblocks.toml what you want: nothing is in force yet",)
    )


_OF_FILES: dict[str, Callable[[str, Workspace], CommandResult]] = {
    "llmblocks.showSettings": _settings,
    "llmblocks.showDeclared": _declared,
}
"""The commands about a file that may be closed."""
NAMES = (*_BY_NAME, *_OF_FILES)
"""The names of all commands."""


def capability(_: Client) -> dict[str, Json]:
    """Return the commands by name."""
    return {"executeCommandProvider": {"commands": [*NAMES], "workDoneProgress": True}}


def execute(workspace: Workspace, params: Json) -> Json:
    """Run a command.

    Raises:
        RequestError: It names the wrong argument.
    """
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
    """Return the result of a command."""
    command = _BY_NAME.get(called)
    arguments = a_list(given.get("arguments") or [], "arguments")
    if len(arguments) != 1:
        position = ', "position": …' if command is not None and command.part == "position" else ""
        raise invalid(f'it takes one argument, {{"textDocument": {{"uri": …}}{position}}}, not {len(arguments)}')
    argument = an_object(arguments[0], "the argument")
    uri = uri_of(argument)
    name = name_of(uri)
    if command is None:
        return _OF_FILES[called](uri, workspace).as_json()
    asker = workspace.asker(uri, argument)
    if asker is None:
        if any(identity(each.uri) == identity(uri) for each in workspace.documents):
            reason = "The document is not analysed: it is of no format of llmblocks, or too large."
            return CommandResult(name, reason).as_json()
        raise RequestError(REQUEST_FAILED, f"{uri:.300} is not open")
    with Work(workspace.dispatcher, uri, given.get("workDoneToken"), f"{command.title} of {name}") as work:
        part = "position" if argument.get("part") == "message" else command.part
        shown = command.run(CommandCall(read_ask(asker, part), argument, uri, name, work))
    if not workspace.client.shows_documents or (shown.at is None and shown.elsewhere is None):
        told = shown.as_json(asker)
        shown_as = uri_of_view(called, argument) if workspace.client.shows_contents else None
        return told if shown_as is None or not shown.language_id else {**told, "uri": shown_as}
    if shown.elsewhere is not None:
        place = located(shown.elsewhere, asker.text.encoding)
        workspace.show(place["uri"], place["range"])
    elif shown.at is not None:
        workspace.show(uri, asker.span(shown.at, shown.at))
    return None


def content(workspace: Workspace, params: Json) -> Json:
    """Return the text of a view of a document.

    Raises:
        RequestError: The URI is invalid.
    """
    uri = a_text(an_object(params, "params").get("uri"), "uri")
    document, command, argument = read_view(uri)
    # followed first: a change while the view is made requires another one
    workspace.follow(uri, document)
    return {"text": _run(command, {"arguments": [argument]}, workspace)["text"]}


def _as_json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
