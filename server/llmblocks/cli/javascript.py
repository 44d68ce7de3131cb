"""The library for JavaScript: the exports of the npm package, with the types of all inputs and outputs.

tools/generate/editors/npm.py writes the package's types and functions from it. Positional arguments stay positional
there, keywords become the properties of an object. Offsets and columns count UTF-16 units, as usual in JavaScript.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from typing import Any, Final, Literal, NotRequired, TypedDict

from llmblocks import check as _check
from llmblocks import feedback as _feedback
from llmblocks import fix as _fix
from llmblocks import gadget, stf, tags
from llmblocks.cli.convert import Format, converted
from llmblocks.facts.finding import Finding as _Finding
from llmblocks.features.formatting import format_text
from llmblocks.features.streams import values
from llmblocks.gadget import ArgDelta, ArgEnded, ArgStarted, CallEnded, CallStarted, Text
from llmblocks.languages.registry import find_language, language_ids
from llmblocks.rules.check import findings_as_json
from llmblocks.settings.check import check_settings
from llmblocks.settings.given import as_given
from llmblocks.settings.values import DEFAULTS, Settings
from llmblocks.tags import CustomBlock, CustomBlockDelta, CustomBlockEnd, CustomBlockStart, TextDelta

SettingsTable = dict[str, Any]
"""Settings, as in llmblocks.toml: `{ gadget: { markers: { start: "<<<" } } }`."""


class JsPlace(TypedDict):
    """A place in a text: `text.slice(start, end)`.

    Lines and columns count from 1, and an end is after the last character.
    """

    start: int
    end: int
    line: int
    column: int
    endLine: int
    endColumn: int


class JsRelated(JsPlace):
    """Another place that a finding is about. `path` is the file, if it is another one."""

    message: str
    path: NotRequired[str]


class JsFinding(JsPlace):
    """A mistake or a surprise.

    `name` is that of its rule; `message` joins its `headline`, `note` and `help` on one line.
    """

    code: str
    name: str | None
    severity: Literal["error", "warning", "information", "hint"]
    message: str
    headline: str
    note: str
    help: str
    related: list[JsRelated]


class JsStfFinding(JsFinding):
    """A finding of the decoder. `kind` is the kind of error with which llm-msg-io stops."""

    kind: str


class AppliedFix(TypedDict):
    """A fix that was made: the finding that is gone, and the change."""

    code: str
    message: str
    title: str


class JsFixed(TypedDict):
    """A text after fixes, and the remaining findings. Not `finished`: the next call continues."""

    text: str
    applied: list[AppliedFix]
    left: list[JsFinding]
    finished: bool


class JsLost(TypedDict):
    """Content that the target of a conversation cannot represent: its path in the source, and the effect."""

    path: str
    message: str


class JsConverted(TypedDict):
    """A chat in another format."""

    text: str
    lost: list[JsLost]


class JsMessage(TypedDict):
    """A message of a chat. Its content is text, or a list of parts."""

    role: str
    content: str | list[dict[str, Any]]
    id: NotRequired[str]
    name: NotRequired[str]
    call_id: NotRequired[str]
    reasoning: NotRequired[str | list[dict[str, Any]]]
    refusal: NotRequired[str | list[dict[str, Any]]]
    tool_calls: NotRequired[list[dict[str, Any]]]
    extra: NotRequired[Any]


class JsTranscript(TypedDict):
    """A chat. `metadata` is present if the chat has some, even null."""

    messages: list[JsMessage]
    metadata: NotRequired[Any]
    findings: list[JsStfFinding]


class Parsed(TypedDict):
    """The values that a program reads: the `items` of calls, blocks and text; or for a chat, its `messages`."""

    items: NotRequired[list[dict[str, Any]]]
    messages: NotRequired[list[JsMessage]]
    metadata: NotRequired[Any]


class JsGadgetCall(TypedDict):
    """A call as the runtime passes it to its gadget.

    If it is rejected, `parameters` are null, and `error` is the reason.
    """

    name: str
    invocationId: str
    dependencies: list[str]
    parameters: dict[str, Any] | None
    parametersRaw: str
    error: str | None
    errorKind: str | None


class JsMarkers(TypedDict):
    """The markers of gadget calls, if they are not the default ones."""

    start: NotRequired[str]
    end: NotRequired[str]
    arg: NotRequired[str]


GadgetEvent = Text | CallStarted | ArgStarted | ArgDelta | ArgEnded | CallEnded
TagDelta = TextDelta | CustomBlockStart | CustomBlockDelta | CustomBlockEnd | CustomBlock


def check(
    text: str,
    language: str,
    *,
    settings: SettingsTable | None = None,
    name: str | None = None,
    known: Sequence[str] = (),
    results: dict[str, str] | None = None,
) -> list[JsFinding]:
    """Return the findings of a text, in order, as in an editor. `name` is the path of its file.

    `known` are the earlier responses of its session, or the ids of their calls; `results` the runtime's reports, by id.
    """
    return _found(_check(text, language, _settings(settings), name, known=known, results=results), text)


def fix(
    text: str,
    language: str,
    *,
    unsafe: bool = False,
    select: Sequence[str] = (),
    settings: SettingsTable | None = None,
    known: Sequence[str] = (),
    results: dict[str, str] | None = None,
) -> JsFixed:
    """Fix a text. A safe fix changes no value that a program reads; `select` are codes or names of rules.

    `known` and `results` are as in `check`.
    """
    done = _fix(
        text, language, unsafe=unsafe, select=select, settings=_settings(settings), known=known, results=results
    )
    return {
        "text": done.text,
        "applied": [
            {"code": each.finding.code, "message": str(each.finding.message), "title": each.fix.title}
            for each in done.applied
        ],
        "left": _found(done.left, done.text),
        "finished": done.finished,
    }


def format(text: str, language: str, *, settings: SettingsTable | None = None) -> str:  # noqa: A001
    """Format a text. No value that a program reads changes."""
    return format_text(text, language, _settings(settings))


def feedback(
    text: str,
    language: str,
    *,
    limit: int = 2000,
    settings: SettingsTable | None = None,
    known: Sequence[str] = (),
    results: dict[str, str] | None = None,
) -> str:
    """Return a message to the model that wrote this text: each mistake, and its correction. Empty if nothing is wrong.

    `known` and `results` are as in `check`.
    """
    return _feedback(text, language, limit=limit, settings=_settings(settings), known=known, results=results)


def parse(text: str, language: str, *, settings: SettingsTable | None = None) -> Parsed:
    """Return the values that a program reads from a text."""
    found: Parsed = values(text, find_language(language), _settings(settings))  # type: ignore[assignment]
    return found


def convert(text: str, source: Format, target: Format, *, settings: SettingsTable | None = None) -> JsConverted:
    """Return a chat in another format. Throws if it cannot be converted."""
    done = converted(text, source, target, _settings(settings))
    return {"text": done.value, "lost": [{"path": each.path, "message": each.message} for each in done.lost]}


def decode_stf(
    text: str, *, dialect: Literal["auto", "@", ";"] = "auto", default_role: str | None = None, strict: bool = False
) -> JsTranscript:
    """Read a chat in Simple Text Format. If `strict`, findings are thrown, as an error with `line` and `kind`."""
    done = stf.decode(text, dialect=dialect, default_role=default_role, strict=strict)
    kinds = [each.kind for each in done.findings]
    findings = [{**each, "kind": kind} for each, kind in zip(_found(done.findings, text), kinds, strict=True)]
    return {**done.as_dict(), "findings": findings}  # type: ignore[typeddict-item]


class JsGadgetStream:
    """Reads a response chunk by chunk, and returns events as soon as they are certain."""

    def __init__(self, *, markers: JsMarkers | None = None) -> None:
        self._stream = gadget.GadgetStream(gadget.Markers(**(markers or {})))

    def feed(self, chunk: str) -> list[GadgetEvent]:
        """Read the next chunk, of any size."""
        return self._stream.feed(chunk)

    def close(self) -> list[GadgetEvent]:
        """End the text."""
        return self._stream.close()


class JsTagStream:
    """Takes registered XML-like tags out of a stream of text."""

    def __init__(self, tags_: Sequence[str]) -> None:
        self._stream = tags.TagStream({name: tags.TagHandler() for name in tags_})

    def feed(self, chunk: str) -> list[TagDelta]:
        """Read the next chunk, of any size."""
        return self._stream.feed(chunk)

    def close(self) -> list[TagDelta]:
        """End the text."""
        return self._stream.flush()


FUNCTIONS: Final = (check, fix, format, feedback, parse, convert, decode_stf)
CLASSES: Final = (JsGadgetStream, JsTagStream)


def js_name(thing: Any) -> str:
    """Return the name of a function or a class in JavaScript."""
    name: str = thing.__name__
    return name.removeprefix("Js")


def camel(name: str) -> str:
    """Convert a name to JavaScript's case."""
    first, *rest = name.strip("_").split("_")
    return first + "".join(map(str.capitalize, rest))


def call(name: str, given: str) -> object:
    """Call a function. `given` is JSON: the positional arguments and the object of the others."""
    return _answer(_BY_NAME[name], given)


def create(name: str, given: str) -> object:
    """Create a stream: a function from the name of a method and its arguments to its answer."""
    made: Any = None

    def make(*positional: Any, **options: Any) -> None:
        nonlocal made
        made = _BY_NAME[name](*positional, **options)

    refused = _answer(make, given)
    return refused if made is None else lambda method, given: _answer(getattr(made, method), given)


def _answer(function: Callable[..., Any], given: str) -> object:
    positional, options = json.loads(given)
    try:
        value = {"value": function(*positional, **{_snake(key): each for key, each in options.items()})}
    except (TypeError, ValueError) as error:
        more = {"line": error.line, "kind": error.kind} if isinstance(error, stf.StfError) else {}
        value = {"error": {"name": type(error).__name__, "message": str(error), **more}}
    try:
        return json.dumps(value, default=_plain, allow_nan=False)
    except ValueError:
        # JSON has no Infinity, JavaScript has
        return _object(json.loads(json.dumps(value, default=_plain)))


def _object(value: Any) -> object:
    from js import Object  # type: ignore[import-not-found]
    from pyodide.ffi import to_js  # type: ignore[import-not-found]

    return to_js(value, dict_converter=Object.fromEntries)


def _plain(value: Any) -> dict[str, Any]:
    """Return an event as JSON."""
    if isinstance(value, gadget.GadgetCall):
        found = {key: getattr(value, name) for key, name in _OF_A_CALL.items()}
        return {**found, "dependencies": [*value.dependencies]}
    return {"event": type(value).__name__} | {camel(each.name): getattr(value, each.name) for each in fields(value)}


def _snake(name: str) -> str:
    return "".join([f"_{each.lower()}" if each.isupper() else each for each in name])


_BY_NAME: Final = {camel(js_name(each)): each for each in (*FUNCTIONS, *CLASSES)}
_OF_A_CALL: Final = {name: _snake(name) for name in JsGadgetCall.__annotations__}


def _settings(given: SettingsTable | None) -> Settings:
    if not given:
        return DEFAULTS
    checked = check_settings(as_given(given), language_ids())
    if checked.problems:
        raise ValueError(f"settings: {'; '.join([str(each.message) for each in checked.problems])}")
    return checked.settings


def _found(findings: Iterable[_Finding], text: str) -> list[Any]:
    """Return findings as JSON, with places in UTF-16 units."""
    told = findings_as_json(findings, text)
    wide = [] if text.isascii() else [at for at, each in enumerate(text) if each > "\uffff"]
    places = [place for each in told for place in (each, *each["related"])]
    # those with a path are in another text
    for place in [each for each in places if wide and "path" not in each]:
        for start, column in (("start", "column"), ("end", "endColumn")):
            at = place[start]
            before = bisect_left(wide, at)
            place[column] += before - bisect_left(wide, at - place[column] + 1)
            place[start] = at + before
    return told
