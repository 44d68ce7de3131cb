"""Hovers of the gadget format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from llmblocks.contract.markup import block, code, shortened, text_size
from llmblocks.contract.other_files import other_files
from llmblocks.contract.subject import Describe, Subject
from llmblocks.core.scan import Kind
from llmblocks.gadget import kinds
from llmblocks.gadget.call import ArgumentView, Call
from llmblocks.gadget.editor.calls import call_near, place_of
from llmblocks.gadget.editor.dependencies import given_until, is_earlier
from llmblocks.gadget.editor.fates import fate_of
from llmblocks.gadget.editor.received import received_by
from llmblocks.gadget.editor.results import outcome_of, reply_at
from llmblocks.gadget.editor.values import lost_of
from llmblocks.gadget.rules import EMPTY_POINTER
from llmblocks.gadget.running.fates import PREDICATES, FateKind
from llmblocks.gadget.schemas.gadgets import GadgetSchema
from llmblocks.gadget.schemas.judging import MOST_ARGUMENTS
from llmblocks.gadget.schemas.parameters import parameter_at
from llmblocks.gadget.syntax.header import Header
from llmblocks.gadget.syntax.javascript import shown
from llmblocks.gadget.syntax.scalars import Scalar
from llmblocks.gadget.syntax.values import coerce

if TYPE_CHECKING:
    from llmblocks.gadget.editor.settings import GadgetSettings

_Subject = Subject["GadgetSettings"]
_RECEIVES = {
    "runs": "The gadget receives:",
    "rejected": "Without the error, the gadget would receive:",
    "skipped": "If it ran, the gadget would receive:",
    "never ran": "If it ran, the gadget would receive:",
}


def _start(subject: _Subject) -> str:
    near = call_near(subject.section, subject.span.start + 1)
    if near is None or not near.start <= subject.span.start <= near.header_end:
        return "Start marker without a newline after its header: the runtime reads the whole line as text."
    dependency = _dependency(subject, near)
    if dependency:
        return dependency
    index, settings = subject.index(), subject.settings
    header, place = near.parts, place_of(subject.section, near)
    gadget = settings.gadgets.find(header.name)
    known = fate_of(index, place, settings)
    says = outcome_of(index, place, known, settings) if known else "order not known"
    lines = [f"{code(_title(header))}: gadget call, {says}"]
    if gadget is not None and gadget.description:
        lines.append(shortened(gadget.description))
    if header.dependencies:
        lines.append("Waits for " + _listed(header.dependencies) + ".")
    if header.invocation_id is None:
        lines.append("Without an id, the call gets the next `gadget_N`.")
    reply = reply_at(index, place, settings)
    if reply is not None and reply.says != says:
        lines.append(f"{reply.says[0].upper()}{reply.says[1:]}{':' if reply.excerpt else '.'}")
        lines += [block(reply.excerpt, "")] if reply.excerpt else []
    if gadget is not None or known is None or known.fate.kind != "rejected":
        is_skipped = says.startswith("skipped: ")
        lines += _parameters(gadget, near, "skipped" if is_skipped else known.fate.kind if known else "runs")
    if not near.closed:
        lines.append("Without an end marker, it ends at the next start marker, or with the text.")
    return "\n\n".join(lines)


def _title(header: Header) -> str:
    return " ".join(filter(None, (header.name or "(unnamed)", header.invocation_id)))


def _dependency(subject: _Subject, near: Call) -> str:
    """Return the dependency at the position, or an empty text."""
    part = next((each for each in near.names.dependencies if each.start <= subject.offset <= each.end), None)
    if part is None:
        return ""
    name, index = part.of(near.text), subject.index()
    response = index.part_of(place_of(subject.section, near))
    given = given_until(index, name, response)
    if given:
        known = fate_of(index, given[max(given)][0], subject.settings)
        where = "this response" if max(given) == response else "an earlier response"
        called = f" of {code(known.call.name)}" if known is not None else ""
        what = f"call{called} in {where}, {known.fate.says if known else 'order not known'}"
    elif is_earlier(index, name):
        what = "call in an earlier file of the session, not waited for"
    elif other_files(index).is_known:
        what = "no call of this response or an earlier one has this id"
    else:
        what = "not known: an earlier file of the session cannot be read"
    return f"{code(name)}: {what}"


def _parameters(gadget: GadgetSchema | None, call: Call, kind: FateKind) -> list[str]:
    if len(call.arguments) > MOST_ARGUMENTS:
        return ["It has too many arguments to decode here."]
    found = received_by(gadget, call)
    lines = []
    if found.parameters:
        lines += [_RECEIVES[kind], block(found.json, "json")]
    if found.ignored:
        lines.append("Dropped, since the schema does not have them: " + _listed(found.ignored))
    return lines


def _listed(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(map(code, names[:12])) + (", …" if len(names) > 12 else "")


def _argument(subject: _Subject) -> str:
    near = call_near(subject.section, subject.span.end)
    place = subject.span.start
    if near is not None:
        for number, argument in enumerate(near.arguments):
            if argument.start <= place < argument.end or argument.start == place:
                return _of_argument(subject, near, argument, number)
    return "Argument marker: the pointer follows it, the value begins on the next line."


def _of_argument(subject: _Subject, call: Call, argument: ArgumentView, number: int) -> str:
    gadget = subject.settings.gadgets.find(call.parts.name)
    schema = gadget.prepared if gadget else None
    text = call.received(number)
    plain = coerce(text)
    given = coerce(text, schema.expected(argument.pointer)) if schema and argument.pointer else plain
    lines = [f"{code(argument.pointer) if argument.pointer else EMPTY_POINTER.says()}: {_value(given)}"]
    dropped = not argument.pointer
    if gadget is not None and schema is not None and argument.pointer:
        parameter = parameter_at(schema, argument.pointer)
        dropped = parameter is None
        if parameter is None:
            lines.append(f"Dropped: {code(gadget.name)} has no such parameter.")
        elif parameter.summary:
            lines.append(parameter.summary)
    elif dropped:
        lines.append("Dropped: the runtime has no parameter to give it to.")
    if type(given) is not type(plain):
        lines.append(f"As the schema says; without it: {_value(plain)}.")
    known = fate_of(subject.index(), place_of(subject.section, call), subject.settings)
    if known is not None and not known.fate.wave:
        lines.append(f"Not received: the call {PREDICATES[known.fate.kind]} ({known.fate.why}).")
    elif not dropped:
        written, last = call.said(argument.value, argument.end), number + 1 == len(call.arguments)
        lost = [
            f"- {each.rule.message(each.data)} (`{each.rule.code}`)"
            for each in lost_of(written, last, call.closed, call.crlf)
        ]
        lines += ["\n".join(lost)] if lost else []
    return "\n\n".join(lines)


def _value(value: Scalar) -> str:
    """Return a short form of a value."""
    if isinstance(value, bool):
        return f"boolean `{str(value).lower()}`"
    if not isinstance(value, str):
        return f"number `{shown(value)}`"
    return text_size(value)


def _end(subject: _Subject) -> str:
    near = call_near(subject.section, subject.span.start)
    return f"End of the call {code(_title(near.parts))}." if near else "End of a call."


def _stray(subject: _Subject) -> str:
    return f"{code(subject.text)} outside of any call: the runtime shows it as text."


def _ignored(subject: _Subject) -> str | None:
    if not subject.text.strip():
        return None
    return "Text before the first argument: the runtime drops it."


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
