"""The explanations of calls: hovers, the parameters that a gadget receives, lenses above calls, hints inside them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from llmblocks.contract.answers import Describe, Hint, Lenses, ReceivedCall, Standing, Subject
from llmblocks.contract.markup import block, code, listed, shortened, text_size
from llmblocks.contract.other_files import other_files
from llmblocks.core.index import Index
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section
from llmblocks.gadget import kinds
from llmblocks.gadget.call import Call
from llmblocks.gadget.editor.arguments import MOST_ARGUMENTS, lost_of, received
from llmblocks.gadget.editor.calls import INVOCATION, GadgetSettings, call_in, dependencies_of, given_until, is_earlier
from llmblocks.gadget.editor.fates import CallState, placed_call, state_of
from llmblocks.gadget.editor.problems import rejections
from llmblocks.gadget.rules import G106_EMPTY_POINTER
from llmblocks.gadget.running.fates import PREDICATES, Fate, FateKind
from llmblocks.gadget.running.schema import ParameterSchema
from llmblocks.gadget.schemas.gadgets import GadgetSchema, parameter_at
from llmblocks.gadget.syntax.values import Scalar, coerce, shown, type_of
from llmblocks.json5.finite import TOO_DEEP, indented

_LONGEST_SCALAR = 64
_ENDED = "No end marker: the next start marker, or the end of the text, ends the call"
_Subject = Subject[GadgetSettings]
_RECEIVES = {"runs": "The gadget receives:", "rejected": "Without the error, the gadget would receive:"}


def _of_call(describe: Callable[[_Subject, Call], str]) -> Describe[GadgetSettings]:
    def words(subject: _Subject) -> str:
        call = call_in(subject.section)
        return _NO_CALL if call is None else describe(subject, call)

    return words


def _start(subject: _Subject, call: Call) -> str:
    dependency = _dependency(subject, call)
    if dependency:
        return dependency
    index, settings, section = subject.index(), subject.settings, subject.section
    header = call.parts
    gadget = settings.gadgets.find(header.name)
    state = state_of(index, section, settings)
    says, fate, reply = (state.says, state.fate, state.reply) if state else ("", None, None)
    lines = [f"{code(_title(call))}: gadget call, {says}"]
    if gadget is not None and gadget.description:
        lines.append(shortened(gadget.description))
    if header.dependencies:
        lines.append(f"Waits for {listed([*map(code, header.dependencies)])}.")
    if header.invocation_id is None:
        lines.append("Without an id, the call gets the next `gadget_N`.")
    if reply is not None and reply.says != says:
        lines.append(f"{reply.says[0].upper()}{reply.says[1:]}{':' if reply.excerpt else '.'}")
        lines += [block(reply.excerpt, "")] if reply.excerpt else []
    if gadget is not None or fate is None or fate.kind != "rejected":
        is_skipped = says.startswith("skipped: ")
        lines += _parameters(gadget, call, "skipped" if is_skipped else fate.kind if fate else "runs")
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
        state = state_of(index, given[max(given)][0].section, subject.settings)
        where = "this response" if max(given) == response else "an earlier response"
        what = f"call of {code(state.call.name)} in {where}, {state.says}" if state else ""
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
    given, checked = received(gadget, call)
    parameters = checked.parameters if checked else given
    receives = _RECEIVES.get(kind, "If it ran, the gadget would receive:")
    lines: list[str] = []
    if parameters:
        text = indented(parameters)
        lines = [receives, block(text, "json") if text else TOO_DEEP]
    if checked and checked.ignored:
        lines.append(f"Dropped, since the schema does not have them: {listed([*map(code, checked.ignored)])}")
    return lines


def received_at(section: Section, offset: int, settings: GadgetSettings) -> ReceivedCall | None:
    """Return the call at an offset, from its start marker to its end marker, of any length."""
    call = call_in(section)
    if call is None or not call.start <= offset <= call.end + (len(settings.markers.end) if call.closed else 0):
        return None
    parameters, checked = received(settings.gadgets.find(call.parts.name), call)
    rejection = rejections(settings.markers, settings.gadgets)(section)
    notes = [f"The runtime rejects this call: {rejection.rule.says(rejection.data)}"] if rejection else []
    if checked and checked.ignored:
        notes.append(f"The runtime drops parameters that the schema does not have: {listed(checked.ignored)}")
    text = "" if parameters is None else indented(checked.parameters if checked else parameters)
    if parameters is not None and not text:
        notes.append(TOO_DEEP)
    return ReceivedCall(_title(call), text, (*notes,))


def _argument(subject: _Subject, call: Call) -> str:
    number = len([each for each in call.arguments if each.start <= subject.span.start]) - 1
    argument = call.arguments[number]
    gadget = subject.settings.gadgets.find(call.parts.name)
    schema = gadget.prepared if gadget else None
    given, plain = _typed(call, number, schema)
    lines = [f"{code(argument.pointer) if argument.pointer else G106_EMPTY_POINTER.says()}: {_value(given)}"]
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
    state = state_of(subject.index(), subject.section, subject.settings)
    if state is not None and state.fate is not None and not state.fate.wave:
        lines.append(f"Not received: the call {PREDICATES[state.fate.kind]} ({state.fate.why}).")
    elif not dropped:
        lost = [f"- {each.rule.message(each.data)} (`{each.rule.code}`)" for each in lost_of(call, number)]
        lines += ["\n".join(lost)] if lost else []
    return "\n\n".join(lines)


def _typed(call: Call, number: int, schema: ParameterSchema | None) -> tuple[Scalar, Scalar]:
    """Return the value of an argument with the type that a schema gives it, and without a schema."""
    text, pointer = call.received(number), call.arguments[number].pointer
    plain = coerce(text)
    return coerce(text, schema.expected(pointer)) if schema and pointer else plain, plain


def _value(value: Scalar) -> str:
    return text_size(value) if isinstance(value, str) else f"{type_of(value)} `{_shown(value)}`"


_IGNORED = "Text before the first argument: the runtime drops it."
_NO_CALL = "Start marker without a newline after its header: the runtime reads the whole line as text."
WORDS: Final[dict[Kind, Describe[GadgetSettings]]] = {
    **dict.fromkeys((kinds.START, kinds.HEADER), _of_call(_start)),
    **dict.fromkeys((kinds.ARG, kinds.POINTER, kinds.VALUE), _of_call(_argument)),
    kinds.END: _of_call(lambda _, call: f"End of the call {code(_title(call))}."),
    kinds.STRAY: lambda subject: f"{code(subject.text)} outside of any call: the runtime shows it as text.",
    kinds.IGNORED: lambda subject: _IGNORED if subject.text.strip() else None,
}


def _standing(section: Section, offset: int, settings: GadgetSettings, index: Callable[[], Index]) -> Standing | None:
    call = call_in(section)
    is_header = call is not None and call.header <= offset <= call.header_end
    state = state_of(index(), section, settings) if is_header else None
    if state is None:
        return None
    obstacle = _obstacle(state, state.fate, index()) if state.fate and not state.fate.wave else None
    return Standing(state.says, state.fate.message if state.fate else "", obstacle, state.reply)


def _obstacle(state: CallState, fate: Fate, index: Index) -> int:
    stopped = state.failed or state.call
    section, own = stopped.place
    waits = [each.start for each in dependencies_of(index, stopped.place) if each.name in fate.dependencies]
    at = waits[0] if waits and state.failed is None else own.start
    if stopped.error:
        at = stopped.problem
    return index.start_of(section) + at


LENSES: Final[Lenses[GadgetSettings]] = Lenses(
    lambda section: (call.start,) if (call := call_in(section)) else (),
    _standing,
    lambda index: index.count("reference", INVOCATION) > 0,
)


def hints(section: Section, start: int, end: int, settings: GadgetSettings, index: Callable[[], Index]) -> list[Hint]:
    """Return the implicit facts: the fates of calls, unexpected types, and implicit ends."""
    call = call_in(section)
    if call is None or call.start > end:
        return []
    found = [*_fate(section, call, settings, index()), *_types(call, settings)]
    if not call.closed:
        at = call.header_end + len(call.text[call.header_end : call.end].rstrip())
        found.append(Hint(at, f"no {settings.markers.end}", "ends", _ENDED))
    return sorted([hint for hint in found if start <= hint.offset <= end])


def _fate(section: Section, call: Call, settings: GadgetSettings, index: Index) -> Iterator[Hint]:
    """Yield the fate of a call. Most calls run at once and need no hint."""
    state = state_of(index, section, settings)
    fate = state.fate if state is not None else None
    if state is None or fate is None or (fate.wave == 1 and not state.call.dependencies):
        return
    at = call.header + len(call.text[call.header : call.header_end].rstrip())
    runs = f"The runtime runs this call in wave {fate.wave} of its response"
    tooltip = fate.message or (runs if state.says == fate.says else "The runtime did not run this call")
    yield Hint(at, shortened(state.says, _LONGEST_SCALAR), "waves", tooltip)


def _types(call: Call, settings: GadgetSettings) -> Iterator[Hint]:
    """Yield hints at values that arrive with another type than in the schema, or as another text than written."""
    schema = settings.gadgets.schema(call.parts.name)
    for number, argument in enumerate(call.arguments):
        if not 0 < argument.end - argument.value <= _LONGEST_SCALAR:
            continue
        given, plain = _typed(call, number, schema)
        at = argument.value + len(call.text[argument.value : argument.end].rstrip())
        if type(given) is not type(plain):
            why = f"The schema makes it {type_of(given)}: without the schema it would be {type_of(plain)}"
        elif not isinstance(given, str) and _shown(given) != call.received(number):
            why = f"The gadget receives {type_of(given)}, not this text"
        else:
            continue
        yield Hint(at, f"{type_of(given)} {_shown(given)}", "types", why)


def _shown(value: Scalar) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else shown(value)
