"""Hovers of the gadget format."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from llmblocks.core.index import Index
from llmblocks.core.layered import reads_crlf
from llmblocks.core.markup import block, code, shortened
from llmblocks.core.scan import Kind
from llmblocks.core.subject import Describe, Subject
from llmblocks.core.symbol import PlacedSymbol, Symbol
from llmblocks.gadget.editor import kinds
from llmblocks.gadget.editor.decoding import received_by
from llmblocks.gadget.editor.dependencies import by_part, counted, is_earlier, is_known
from llmblocks.gadget.editor.names import GADGET, INVOCATION
from llmblocks.gadget.editor.near_call import LONGEST, NearCall, call_near
from llmblocks.gadget.editor.schemas import value_of
from llmblocks.gadget.editor.values import lost_of, received
from llmblocks.gadget.editor.view import ArgumentView, CallView
from llmblocks.gadget.editor.waves import turn_of
from llmblocks.gadget.schemas.gadgets import GadgetSchema
from llmblocks.gadget.schemas.parameters import parameter_at
from llmblocks.gadget.syntax.header import locate_header, split_header
from llmblocks.gadget.syntax.javascript import shown
from llmblocks.gadget.syntax.scalars import Scalar
from llmblocks.gadget.syntax.values import coerce

if TYPE_CHECKING:
    from llmblocks.gadget.editor.layer import GadgetSettings

_Subject = Subject["GadgetSettings"]
_TOO_LONG = f"The call is longer than {LONGEST // 1024} KiB: it is not decoded here."


def _start(subject: _Subject) -> str:
    near = call_near(subject.section, subject.span.start + 1)
    if near is None or not _holds_header(near, subject.span.start):
        return "**Start marker** without a newline after its header: the runtime reads the whole line as text."
    header = split_header(near.header)
    gadget = subject.settings.gadgets.find(header.name)
    lines = [*_dependency(subject, near)]
    lines += [f"**Gadget call** {code(header.name)}" if header.name else "**Gadget call** without a name"]
    if gadget is not None and gadget.description:
        lines.append(shortened(gadget.description))
    if header.invocation_id is None:
        lines.append("No invocation id: the runtime gives it the next `gadget_N`.")
    else:
        lines.append(f"Invocation id: {code(header.invocation_id)}")
    if header.dependencies:
        lines.append("Runs when these have finished: " + _listed(header.dependencies))
    turn = turn_of(subject.index(), near.piece, near.at) if header.invocation_id is not None else None
    if turn is not None:
        lines.append(f"Runs in wave {turn.wave} of its response." if turn.wave else f"Never runs: {turn.message}")
    view = near.view
    if view is None:
        return "\n\n".join([*lines, _TOO_LONG])
    count = len(view.arguments)
    names = [argument.pointer for argument in view.arguments]
    lines.append(f"{count} argument{'' if count == 1 else 's'}" + (": " + _listed(names) if count else ""))
    lines += _parameters(subject, gadget, near, view)
    if not view.closed:
        lines.append("It has no end marker: the next start marker, or the end of the text, ends it.")
    return "\n\n".join(lines)


def _dependency(subject: _Subject, near: NearCall) -> Iterator[str]:
    """What the dependency at the position is."""
    at = subject.offset - near.start - near.at
    parts = locate_header(near.header).dependencies
    part = next((each for each in parts if each.start <= at <= each.end), None)
    if part is None:
        return
    name, index = part.of(near.header), subject.index()
    here = PlacedSymbol(near.piece, Symbol("reference", INVOCATION, name, near.at + part.start, near.at + part.end))
    response = index.part_of(here)
    first = next(iter(by_part(index, name).get(response, ())), None) or counted(index, name, response)
    if first is not None:
        what = f"the call of {code(_gadget_of(first, index))} in this response"
    elif response and is_known(index, name, response - 1):
        what = "a call of an earlier response, so the call does not wait for it"
    elif is_earlier(index, name):
        what = "a call of an earlier file of the session, so the call does not wait for it"
    else:
        what = (
            "no call of this response or an earlier one has this id" if index.other_files.is_known else "not known here"
        )
    yield f"**Dependency** {code(name)}: {what}"


def _gadget_of(call: PlacedSymbol, index: Index) -> str:
    """The gadget of a call, which is named before its id."""
    piece, symbol = call
    named = [each for each in index.symbols(piece) if each.kind == GADGET and each.start <= symbol.start]
    return named[-1].name if named else ""


def _holds_header(near: NearCall, offset: int) -> bool:
    """Whether a token of a header at an offset in the section belongs to the call."""
    return near.view is None or near.view.start <= offset - near.start <= near.view.header_end


def _parameters(subject: _Subject, gadget: GadgetSchema | None, near: NearCall, view: CallView) -> list[str]:
    found = received_by(gadget, near.section, view, subject.settings.markers.arg)
    if found is None:
        return ["It has too many arguments to decode here."]
    lines = []
    if found.error:
        lines.append(f"**The runtime rejects it:** {found.error}")
    if found.parameters is not None:
        lines += ["Without the error, the gadget would receive:" if found.error else "The gadget receives:"]
        lines.append(block(found.json, "json"))
    if found.ignored:
        lines.append("The runtime drops parameters that the schema does not have: " + _listed(found.ignored))
    return lines


def _listed(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(map(code, names[:12])) + (", …" if len(names) > 12 else "")


def _argument(subject: _Subject) -> str:
    near = call_near(subject.section, subject.span.end)
    view = near.view if near else None
    if near is None or view is None:
        return f"**Argument** in a long call. {_TOO_LONG}" if near else _MARKER
    place = subject.span.start - near.start
    for number, argument in enumerate(view.arguments):
        if argument.start <= place < argument.end or argument.start == place:
            return _of_argument(subject, near, argument, last=number + 1 == len(view.arguments))
    return _MARKER


_MARKER = "**Argument marker**: the pointer follows it, the value begins on the next line."


def _of_argument(subject: _Subject, near: NearCall, argument: ArgumentView, *, last: bool) -> str:
    path = " → ".join([code(segment) for segment in argument.pointer.split("/")[:32]])
    lines = [
        f"**Argument** {path}" if argument.pointer else "**Argument** without a pointer: the runtime drops its value"
    ]
    gadget = subject.settings.gadgets.find(split_header(near.header).name)
    schema = gadget.prepared if gadget else None
    if gadget is not None and schema is not None and argument.pointer:
        parameter = parameter_at(schema, argument.pointer)
        of = f"`{gadget.name}` has no such parameter: the runtime drops the value."
        lines.append(of if parameter is None else parameter.summary)
    crlf = reads_crlf(near.section.after)
    written = value_of(near.section, argument)
    text = received(written, last, crlf)
    size = "1 character" if len(text) == 1 else f"{len(text)} characters"
    rows = text.count("\n") + 1
    lines.append(f"Its value is {size} long" + (f", on {rows} lines" if rows > 1 else "") + ".")
    plain = coerce(text)
    given = coerce(text, schema.expected(argument.pointer)) if schema and argument.pointer else plain
    if type(given) is not type(plain):
        lines.append(f"The schema makes it {_kind(given)}; without the schema it would be {_kind(plain)}.")
    else:
        lines.append(f"The gadget receives {_kind(given)}.")
    closed = bool(near.view and near.view.closed)
    lines += [f"- {each.kind.message(each.data)} (`{each.kind.code}`)" for each in lost_of(written, last, closed, crlf)]
    return "\n\n".join(lines)


def _kind(value: Scalar) -> str:
    if isinstance(value, bool):
        return f"the boolean `{str(value).lower()}`"
    return "a text" if isinstance(value, str) else f"the number `{shown(value)}`"


def _end(_: _Subject) -> str:
    return "**End of the gadget call.** The rest of this line is text again."


def _stray(subject: _Subject) -> str:
    return f"{code(subject.text)} outside any gadget call: the runtime reads it as text."


def _ignored(subject: _Subject) -> str | None:
    if not subject.text.strip():
        return None
    return "Text between the header and the first argument: the runtime drops it."


WORDS: Final[dict[Kind, Describe[GadgetSettings]]] = {
    kinds.START: _start,
    kinds.HEADER: _start,
    kinds.ARG: _argument,
    kinds.POINTER: _argument,
    kinds.VALUE: _argument,
    kinds.END: _end,
    kinds.STRAY: _stray,
    kinds.IGNORED: _ignored,
}
