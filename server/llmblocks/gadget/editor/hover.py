"""Hovers of the gadget format, and the parameters that a gadget receives."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Final

from llmblocks.contract.markup import block, code, shortened, text_size
from llmblocks.contract.other_files import other_files
from llmblocks.contract.received import ReceivedCall
from llmblocks.contract.subject import Describe, Subject
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section
from llmblocks.gadget import kinds
from llmblocks.gadget.call import Call
from llmblocks.gadget.editor.calls import GadgetSettings, call_in
from llmblocks.gadget.editor.dependencies import given_until, is_earlier
from llmblocks.gadget.editor.fates import fate_of, outcome_of, placed_call, reply_to
from llmblocks.gadget.editor.schemas import rejections
from llmblocks.gadget.editor.values import lost_of
from llmblocks.gadget.rules import EMPTY_POINTER
from llmblocks.gadget.running.fates import PREDICATES, FateKind
from llmblocks.gadget.schemas.gadgets import GadgetSchema
from llmblocks.gadget.schemas.judging import MOST_ARGUMENTS
from llmblocks.gadget.schemas.parameters import parameter_at
from llmblocks.gadget.syntax.javascript import shown
from llmblocks.gadget.syntax.pointer import Parameters
from llmblocks.gadget.syntax.values import Scalar, coerce

_MOST_LISTED = 20
_Subject = Subject[GadgetSettings]
_RECEIVES = {
    "runs": "The gadget receives:",
    "rejected": "Without the error, the gadget would receive:",
    "skipped": "If it ran, the gadget would receive:",
    "never ran": "If it ran, the gadget would receive:",
}


def _of_call(describe: Callable[[_Subject, Call], str], otherwise: str) -> Describe[GadgetSettings]:
    """Return a description by the call of a section, or the text for a section without a complete header."""

    def words(subject: _Subject) -> str:
        call = call_in(subject.section)
        return otherwise if call is None else describe(subject, call)

    return words


def _start(subject: _Subject, call: Call) -> str:
    dependency = _dependency(subject, call)
    if dependency:
        return dependency
    index, settings, section = subject.index(), subject.settings, subject.section
    header = call.parts
    gadget = settings.gadgets.find(header.name)
    known = fate_of(index, section, settings)
    says = outcome_of(index, known, settings) if known else "order not known"
    lines = [f"{code(_title(call))}: gadget call, {says}"]
    if gadget is not None and gadget.description:
        lines.append(shortened(gadget.description))
    if header.dependencies:
        lines.append(f"Waits for {_listed([*map(code, header.dependencies)])}.")
    if header.invocation_id is None:
        lines.append("Without an id, the call gets the next `gadget_N`.")
    reply = reply_to(index, section, settings)
    if reply is not None and reply.says != says:
        lines.append(f"{reply.says[0].upper()}{reply.says[1:]}{':' if reply.excerpt else '.'}")
        lines += [block(reply.excerpt, "")] if reply.excerpt else []
    if gadget is not None or known is None or known.fate.kind != "rejected":
        is_skipped = says.startswith("skipped: ")
        lines += _parameters(gadget, call, "skipped" if is_skipped else known.fate.kind if known else "runs")
    if not call.closed:
        lines.append("Without an end marker, it ends at the next start marker, or with the text.")
    return "\n\n".join(lines)


def _title(call: Call) -> str:
    name, invocation_id, _ = call.parts
    return " ".join(filter(None, (name or "(unnamed)", invocation_id)))


def _dependency(subject: _Subject, call: Call) -> str:
    """Return the dependency at the position, or an empty text."""
    part = next((each for each in call.names.dependencies if each.start <= subject.offset <= each.end), None)
    here = part and placed_call(subject.index(), subject.section, subject.settings)
    if part is None or here is None:
        return ""
    name, index = part.of(call.text), subject.index()
    response = index.part_of(here.place)
    given = given_until(index, name, response)
    if given:
        known = fate_of(index, given[max(given)][0].section, subject.settings)
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
    parameters, ignored = _received(gadget, call)
    lines = [_RECEIVES[kind], block(_as_json(parameters), "json")] if parameters else []
    if ignored:
        lines.append(f"Dropped, since the schema does not have them: {_listed([*map(code, ignored)])}")
    return lines


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:_MOST_LISTED]) + (", …" if len(names) > _MOST_LISTED else "")


def _received(gadget: GadgetSchema | None, call: Call) -> tuple[Parameters | None, Sequence[str]]:
    """Return the parameters that a gadget receives, or None, and the pointers that the runtime drops."""
    schema = gadget.prepared if gadget else None
    parameters, _ = call.decoded(schema.expected if schema else None)
    if parameters is None or schema is None:
        return parameters, ()
    try:
        checked = schema.check(parameters)
    except (ValueError, RecursionError):
        return parameters, ()  # the schema is invalid, which is reported in its file
    return checked.parameters, checked.ignored


def _as_json(parameters: Parameters) -> str:
    return json.dumps(parameters, indent=2, ensure_ascii=False)


def received_at(section: Section, offset: int, settings: GadgetSettings) -> ReceivedCall | None:
    """Return the call at an offset, from its start marker to its end marker, of any length."""
    call = call_in(section)
    if call is None or not call.start <= offset <= call.end + (len(settings.markers.end) if call.closed else 0):
        return None
    parameters, ignored = _received(settings.gadgets.find(call.parts.name), call)
    rejection = rejections(settings.markers, settings.gadgets)(section)
    notes = [f"The runtime rejects this call: {rejection.message}"] if rejection else []
    if ignored:
        notes.append(f"The runtime drops parameters that the schema does not have: {_listed(ignored)}")
    return ReceivedCall(_title(call), "" if parameters is None else _as_json(parameters), (*notes,))


def _argument(subject: _Subject, call: Call) -> str:
    number = len([each for each in call.arguments if each.start <= subject.span.start]) - 1
    argument = call.arguments[number]
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
    known = fate_of(subject.index(), subject.section, subject.settings)
    if known is not None and not known.fate.wave:
        lines.append(f"Not received: the call {PREDICATES[known.fate.kind]} ({known.fate.why}).")
    elif not dropped:
        lost = [f"- {each.rule.message(each.data)} (`{each.rule.code}`)" for each in lost_of(call, number)]
        lines += ["\n".join(lost)] if lost else []
    return "\n\n".join(lines)


def _value(value: Scalar) -> str:
    """Return a short form of a value."""
    if isinstance(value, bool):
        return f"boolean `{str(value).lower()}`"
    if not isinstance(value, str):
        return f"number `{shown(value)}`"
    return text_size(value)


def _stray(subject: _Subject) -> str:
    return f"{code(subject.text)} outside of any call: the runtime shows it as text."


def _ignored(subject: _Subject) -> str | None:
    return "Text before the first argument: the runtime drops it." if subject.text.strip() else None


_NO_CALL = "Start marker without a newline after its header: the runtime reads the whole line as text."
WORDS: Final[dict[Kind, Describe[GadgetSettings]]] = {
    **dict.fromkeys((kinds.START, kinds.HEADER), _of_call(_start, _NO_CALL)),
    **dict.fromkeys((kinds.ARG, kinds.POINTER, kinds.VALUE), _of_call(_argument, _NO_CALL)),
    kinds.END: _of_call(lambda _, call: f"End of the call {code(_title(call))}.", _NO_CALL),
    kinds.STRAY: _stray,
    kinds.IGNORED: _ignored,
}
