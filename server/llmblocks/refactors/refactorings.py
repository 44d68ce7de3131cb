"""The refactorings: a call from JSON to arguments and back, the numbers of an array, and the dialect of a chat."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from llmblocks.contract.decoded import Scalar
from llmblocks.contract.markup import code
from llmblocks.core.edits import Edit, edited
from llmblocks.gadget import kinds as call_kinds
from llmblocks.gadget.call import ArgumentView, Call
from llmblocks.gadget.editor.calls import call_in
from llmblocks.gadget.running.schema import ParameterSchema
from llmblocks.gadget.syntax.pointer import Parameters
from llmblocks.gadget.syntax.values import coerce, strip_fences
from llmblocks.gadget.writing import RenderError, render
from llmblocks.json5.finite import indented, once
from llmblocks.languages.ask import Ask
from llmblocks.refactors.refactoring import LONGEST, Offer, Refactoring, as_lines, header_of, tokens_of
from llmblocks.rules.fix import Parts, other_parts
from llmblocks.rules.fixes.arguments import numbered, reindexed, title_of
from llmblocks.stf import kinds
from llmblocks.stf.stream import decode
from llmblocks.stf.syntax import DIALECTS, Dialect
from llmblocks.stf.values.messages import Transcript
from llmblocks.stf.writing import encode

_READ: Final = call_kinds.CALL - {call_kinds.END} | {kinds.ESCAPE}
_SPREAD: Final = "Write this JSON as arguments"


class ChosenCall(NamedTuple):
    """A call with an end marker, without text of other formats inside."""

    base: int
    """The places in `call` count from here."""
    call: Call
    here: int
    """The place of the cursor."""
    body: str
    """The text between header and end marker, as the runtime reads it."""
    arg: str
    schema: ParameterSchema | None

    @property
    def parameters(self) -> Parameters | None:
        """Return the parameters as the runtime reads them, without defaults; None if it rejects the call."""
        return self.call.decoded(self.schema.expected if self.schema else None)[0]

    @property
    def argument(self) -> ArgumentView | None:
        """Return the argument that contains the cursor."""
        return next((each for each in self.call.arguments if each.start <= self.here < each.end), None)

    def value(self, argument: ArgumentView) -> str:
        """Return the value of an argument as written."""
        text = self.call.said(argument.value, argument.end)
        return text.replace("\r\n", "\n") if self.call.crlf else text

    def edit(self, start: int, end: int, text: str) -> Edit:
        return Edit(self.base + start, self.base + end, text)


def call_at(ask: Ask) -> ChosenCall | None:
    """Return the call at a cursor; None if it has no end, is too long, or contains comments."""
    placed = ask.document.section_at(ask.position)
    near = call_in(placed.section)
    if near is None:
        return None
    markers = ask.settings.markers
    base, here = placed.start, ask.position - placed.start
    if not near.closed or not near.start <= here <= ask.end - base <= near.end + len(markers.end):
        return None
    if any(near.start <= start < near.end and kind not in _READ for kind, start, _ in placed.section.spans()):
        return None
    body = near.body
    if len(body) > LONGEST:
        return None
    return ChosenCall(base, near, here, body, markers.arg, ask.settings.gadgets.schema(near.parts.name))


def from_json(text: str) -> Any:
    """Return the value of a JSON text that is a non-empty object or array; None for any other text."""
    text = text.strip()
    if text[:1] not in ("{", "["):
        return None
    try:
        value = json.loads(text, object_pairs_hook=once)
    except (ValueError, RecursionError):
        return None
    return value or None


class _Body(NamedTuple):
    parameters: dict[str, Any]
    name: str = "a"
    invocation_id: str = "a"
    dependencies: tuple[str, ...] = ()


def arguments_of(parameters: dict[str, Any], ask: Ask, schema: ParameterSchema | None) -> str:
    """Write parameters as arguments. Raises `RenderError`."""
    markers = ask.settings.markers
    try:
        written = render(_Body(parameters), markers=markers, schema=schema)
    except (RecursionError, OverflowError) as error:
        raise RenderError("", str(error)) from None
    return written.partition("\n")[2].removesuffix(f"{markers.end}\n")


def _spread(ask: Ask) -> Iterator[Offer]:
    call = call_at(ask)
    if call is None:
        return
    argument, value, number = call.argument, None, 0
    start, end, pointer, schema = call.call.header_end + 1, call.call.end, "", call.schema
    if argument is not None and argument.pointer and call.parameters is not None:
        # a gadget that expects text gets it
        if schema is None or schema.expected(argument.pointer) != "string":
            value = from_json(call.value(argument))
        start, end, pointer, schema = argument.start, argument.end, argument.pointer, None
        number = call.call.arguments.index(argument)
    elif not call.call.arguments:
        value = from_json(strip_fences(call.body))
    written = {"a": value} if pointer else value
    if value is None or not isinstance(written, dict):
        return
    try:
        text = arguments_of(written, ask, schema)
    except RenderError as error:
        where = pointer + error.pointer[1:] if pointer else error.pointer
        yield Offer(_SPREAD, refused=f"{where}: {error.message}" if error.pointer else error.message)
        return
    if pointer:
        text = text.replace(f"{call.arg}a/", f"{call.arg}{pointer}/")
    edit = call.edit(start, end, as_lines(ask, call.base + call.call.header, text))
    expected = other_parts(lambda parts: [*parts[:number], *_flat(pointer, value), *parts[number + 1 :]])
    yield Offer(_SPREAD, (edit,), expected)


def _flat(pointer: str, value: Any) -> Iterator[tuple[str, Scalar]]:
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _flat(f"{pointer}/{key}" if pointer else str(key), inner)
    else:
        yield pointer, coerce(value) if isinstance(value, str) else value


def _collect(ask: Ask) -> Iterator[Offer]:
    call = call_at(ask)
    argument = None if call is None else call.argument
    if call is None or argument is None or not (parameters := call.parameters):
        return
    pointer, inside, _ = argument.pointer.partition("/")
    if not (pointer and inside) or call.here > argument.name_end or pointer not in parameters:
        return
    numbers = [at for at, each in enumerate(call.call.arguments) if each.pointer.startswith(f"{pointer}/")]
    first, last = (call.call.arguments[numbers[at]] for at in (0, -1))
    value = indented(parameters[pointer])
    if not value:
        return

    def change(parts: Parts) -> Parts | None:
        if numbers[-1] >= len(parts):
            return None
        parts[numbers[0]] = pointer, value
        return [each for number, each in enumerate(parts) if number == numbers[0] or number not in numbers]

    text = as_lines(ask, call.base + call.call.header, f"{call.arg}{pointer}\n{value}\n")
    title = f"Write {code(pointer)} as JSON, which the runtime reads as text"
    yield Offer(title, (call.edit(first.start, last.end, text),), other_parts(change))


def _renumber(ask: Ask) -> Iterator[Offer]:
    call = call_at(ask)
    argument = call.argument if call is not None else None
    if call is None or argument is None or call.here > argument.name_end or call.parameters is not None:
        return  # the runtime accepts the call, so its indices are right
    segments = argument.pointer.split("/")
    for number in range(len(segments) - 1, 0, -1):
        path = "/".join(segments[:number]) + "/"
        indices = numbered(call.call.arguments, path)
        if any(old != new for old, new in indices.values()):
            yield Offer(title_of(path[:-1]), *reindexed(call.call.arguments, path, indices, call.edit))


SPREAD: Final = Refactoring(
    name="json-to-arguments",
    layer="gadget",
    summary="Writes JSON in a call, or in the value of an argument, as arguments.",
    keeps="the value: the arguments say what the JSON says",
    offer=_spread,
    language="gadget",
    before='!!!GADGET_START:Search\n{"query": "«»bees", "limits": [3, 4]}\n!!!GADGET_END\n',
    after="!!!GADGET_START:Search\n!!!ARG:query\nbees\n!!!ARG:limits/0\n3\n!!!ARG:limits/1\n4\n!!!GADGET_END\n",
)
COLLECT: Final = Refactoring(
    name="arguments-to-json",
    layer="gadget",
    summary="Writes the arguments of one object or array as the JSON of one argument.",
    keeps="the value: the JSON says what the arguments say",
    offer=_collect,
    language="gadget",
    before="!!!GADGET_START:Search\n!!!ARG:«»limits/0\n3\n!!!ARG:limits/1\n4\n!!!GADGET_END\n",
    after="!!!GADGET_START:Search\n!!!ARG:limits\n[\n  3,\n  4\n]\n!!!GADGET_END\n",
)
RENUMBER: Final = Refactoring(
    name="renumber",
    layer="gadget",
    summary="Numbers the elements of an array from 0, in their order.",
    keeps="the values and their order",
    offer=_renumber,
    language="gadget",
    before="!!!GADGET_START:Sum\n!!!ARG:items/0\n1\n!!!ARG:«»items/0\n2\n!!!ARG:items/3\n3\n!!!GADGET_END\n",
    after="!!!GADGET_START:Sum\n!!!ARG:items/0\n1\n!!!ARG:items/1\n2\n!!!ARG:items/2\n3\n!!!GADGET_END\n",
)


_HEADERS = kinds.NAMES | {kinds.HEADER}


def _convert_dialect(ask: Ask) -> Iterator[Offer]:
    document = ask.document
    here = [*tokens_of(document, ask.start, ask.start + 1), *tokens_of(document, max(ask.start - 1, 0), ask.start)]
    if ask.start != ask.end or ask.settings.dialect != "auto" or _HEADERS.isdisjoint([each.kind for each in here]):
        return
    there = DIALECTS[header_of(ask, ask.start)].other
    title = f"Convert the chat to the `{there.header}` dialect"
    is_long = len(document) > LONGEST
    yield Offer(title, refused="the chat is long: use `llmblocks convert`") if is_long else _convert(ask, there, title)


def _convert(ask: Ask, there: Dialect, title: str) -> Offer:
    text = ask.document.text
    role = ask.settings.default_role or None
    before = decode(text, default_role=role)
    if before.findings:
        first = before.findings[0]
        return Offer(title, refused=f"the chat has a mistake: {first.code} on line {first.line}")
    if before.has_metadata and "meta" not in there.commands:
        return Offer(title, refused=f"the `{there.header}` dialect has no place for metadata")
    edits = _by_line(text, there)
    if _same(before, edited(text, edits), there, role):
        return Offer(title, edits)
    try:
        made = encode(before, dialect=there.header)
    except (ValueError, TypeError) as error:
        return Offer(title, refused=str(error))
    if not _same(before, made, there, role):
        return Offer(title, refused=f"the `{there.header}` dialect cannot hold these messages")
    comments = not ask.language.comments.isdisjoint([token.kind for token in ask.document.tokens()])
    return Offer(f"{title}, without its comments" if comments else title, (Edit(0, len(text), made),))


def _by_line(text: str, there: Dialect) -> tuple[Edit, ...]:
    """Replace the first character of each line. This is exact unless one dialect has commands that the other lacks."""
    here = there.other
    header, other = here.header, there.header
    becomes = {header * 2: header, header: other, other: other * 2, "\r\n": "\n"}
    pattern = rf"^(?:{header}{header}?|{other})|(?<=\A\ufeff)[{header}{other}]|\r\n"
    if here.final_newline_is_content:
        end = [Edit(len(text), len(text), "\n")]
    else:
        end = [Edit(len(text) - len(last), len(text), "") for last in re.findall(r"\r?\n\Z", text)]
    found = [Edit(each.start(), each.end(), becomes[each[0]]) for each in re.finditer(pattern, text, re.MULTILINE)]
    return (*[each for each in found if not end or each.end <= end[0].start], *end)


def _same(before: Transcript, made: str, there: Dialect, role: str | None) -> bool:
    """Return whether a text in the other dialect is detected as one, and has the same messages."""
    after = decode(made, default_role=role)
    return (
        not after.findings
        and repr(after.as_dict()) == repr(before.as_dict())
        and repr(decode(made, dialect=there.header, default_role=role).as_dict()) == repr(before.as_dict())
    )


CONVERT: Final = Refactoring(
    name="convert-dialect",
    layer="stf",
    summary="Converts a chat to the other dialect, from any of its command lines.",
    keeps="the messages and the metadata; the title says when comments are lost",
    offer=_convert_dialect,
    language="stf",
    before="@# a question\n@us«»er name=Ada\n@@me: hello\n; yes\n@ai\nHi.\n",
    after=";# a question\n;user name=Ada\n@me: hello\n;; yes\n;ai\nHi.",
)
REFACTORINGS: Final[tuple[Refactoring, ...]] = (SPREAD, COLLECT, RENUMBER, CONVERT)
