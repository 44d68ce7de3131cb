"""The answers at the caret: completion, the signature of a call, and end markers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from llmblocks.contract.caret import FAR, Caret, Signature, Suggestion, choice, escaped
from llmblocks.contract.markup import shortened
from llmblocks.gadget import kinds
from llmblocks.gadget.call import Call
from llmblocks.gadget.editor.calls import call_in
from llmblocks.gadget.editor.possible_names import dependencies, fresh_id, gadget_names, next_pointers, pointers_nearby
from llmblocks.gadget.running.schema import ParameterSchema
from llmblocks.gadget.scanner import reads_calls
from llmblocks.gadget.schemas.gadgets import Gadgets, GadgetSchema
from llmblocks.gadget.schemas.parameters import Parameter, parameter_at, parameters_of
from llmblocks.gadget.syntax.header import split_header
from llmblocks.gadget.syntax.markers import Markers

_MOST_GADGETS = 200
_ASIDE = 30
_WORD = re.compile(r"\s*([^\w\s]+)(\w+)")
_BREAKS = re.compile(r"[\W_]+")
_ENDS = (kinds.END, FAR, kinds.START)


def suggest(caret: Caret, markers: Markers, gadgets: Gadgets) -> Iterator[Suggestion]:
    """Yield the suggestions at a place, most likely first."""
    if not reads_calls(caret.section.after):
        return
    line = caret.before
    header = _header(caret, markers)
    if header is not None and markers.arg not in header and markers.end not in header:
        yield from _in_header(caret, header, gadgets)
        return
    near = call_in(caret.section)
    # a marker that is being rewritten does not end the call yet
    written = max(_typed(line, marker) for marker in markers)
    inside = near if near and near.header_end < caret.offset and caret.offset - written <= near.end else None
    if inside is not None:
        arg = line.rfind(markers.arg)
        if arg >= 0 and not _rest(line, caret.after, markers):
            yield from _pointers(caret, line[arg + len(markers.arg) :], inside, gadgets)
            return
        values = [*_values(caret, inside, gadgets, markers)]
        yield from values
        if values and line:
            return
    yield from _markers(caret, markers, inside, gadgets)


def _header(caret: Caret, markers: Markers) -> str | None:
    """Return the part of a header before the caret. A start marker in it begins no other header."""
    length = 0
    for kind, text in caret.tokens_back():
        if kind is kinds.START:
            return caret.before[len(caret.before) - length :] if text == markers.start else None
        length += len(text)
        if length > len(caret.before):
            break
    return None


def _in_header(caret: Caret, typed: str, gadgets: Gadgets) -> Iterator[Suggestion]:
    fields, ahead = typed.split(":"), caret.after
    over = len(ahead.partition(":")[0].rstrip())
    if len(fields) == 1:
        for gadget in [*gadgets][:_MOST_GADGETS]:
            more = _documents(gadget)
            yield Suggestion(gadget.name, len(typed), _detail(gadget), "function", over=over, more=more)
        for name in gadget_names(caret):
            if name not in gadgets.names:
                yield Suggestion(name, len(typed), f"The gadget `{name}` of another call", "function", over=over)
    elif len(fields) == 2:
        name = fresh_id(caret, fields[0])
        yield Suggestion(name, len(fields[1].lstrip()), "An id that no call nearby has", "reference", over=over)
    else:
        last = typed[max(typed.rfind(":"), typed.rfind(",")) + 1 :].lstrip()
        over = min([len(ahead.rstrip()), *[at for sign in ",:" if (at := ahead.find(sign)) >= 0]])
        listed = [each.strip() for each in typed[: len(typed) - len(last)].replace(":", ",").split(",")[2:]]
        given = {*listed, *[each.strip() for each in ahead[over:].replace(":", ",").split(",")]}
        for name, detail in dependencies(caret, fields[1].strip()):
            if name not in given:
                yield Suggestion(name, len(last), detail, "reference", over=over)


def _markers(caret: Caret, markers: Markers, inside: Call | None, gadgets: Gadgets) -> Iterator[Suggestion]:
    line = caret.before
    offered: list[Suggestion] = []
    over = _rest(line, caret.after, markers)
    if inside is not None:
        end = Suggestion(markers.end, 0, "Ends the gadget call", doubled=_end_behind(caret, over))
        possible = [*_possible(caret, "", inside, gadgets)]
        is_whole = gadgets.schema(inside.parts.name) and not any(each.is_required for each in possible)
        if is_whole and not _has_end(caret):
            offered.append(end)
        offered += [_argument(each, markers.arg, "\n") for each in possible]
        detail = "Begins an argument: its pointer follows, the value starts on the next line"
        offered.append(Suggestion(markers.arg, 0, detail, goes_on=True))
        offered.append(end)
    elif not caret.after.strip():
        offered += [_whole(caret, gadget, markers) for gadget in [*gadgets][:_MOST_GADGETS]]
    detail = "Begins a gadget call: its name follows, then `:id` and `:dependencies`"
    offered.append(Suggestion(markers.start, 0, detail, goes_on=True))
    for each in offered:
        typed = _typed(line, each.text)
        if not typed or not _is_begun(line, typed):
            typed = _by_word(line, each.label or each.text)
        if not line or typed:
            yield each._replace(typed=typed, over=over)


def _is_begun(line: str, typed: int) -> bool:
    """Return whether the end of a line begins a marker. In the middle of a line, `Hello!` and `a <` do not."""
    return not line[:-typed].strip() or any(map(str.isalnum, line[-typed:]))


def _by_word(line: str, label: str) -> int:
    """Return the length of a line with a marker's signs and the beginning of one of its words, such as `!rea`."""
    begun = _WORD.fullmatch(line)
    if begun is None or not label.startswith(begun[1]):
        return 0
    word = begun[2].casefold()
    return len(begun[0].lstrip()) if any(each.startswith(word) for each in _BREAKS.split(label.casefold())) else 0


def _end_behind(caret: Caret, over: int) -> int:
    """Return the length of the white space and end marker after the rest of a marker at the caret."""
    length = 0
    for kind, text in caret.tokens_ahead():
        length += len(text)
        if kind is kinds.END:
            return length - over if length > over else 0
        if text[max(over - length + len(text), 0) :].strip():
            break
    return 0


def _rest(line: str, after: str, markers: Markers) -> int:
    """Return the length of the rest of the marker on the line that contains the caret or begins at it."""
    for marker in (markers.start, markers.arg, markers.end):
        typed = _typed(line, marker)
        if (typed or not line) and after.startswith(marker[typed:]):
            return len(marker) - typed
    return 0


def _whole(caret: Caret, gadget: GadgetSchema, markers: Markers) -> Suggestion:
    """Return a call with an id and its required arguments; without placeholders, up to the first value."""
    schema = gadget.prepared
    parameters = [*parameters_of(schema)] if schema else []
    required = [each for each in parameters if each.required]
    invocation = fresh_id(caret, gadget.name)
    label = f"{markers.start}{gadget.name}"
    text = f"{label}:{invocation}\n"
    snippet = f"{escaped(label)}:${{1:{escaped(invocation)}}}\n"
    for number, each in enumerate(required, 2):
        pointer = f"{markers.arg}{_up_to_value(schema, each) if schema else ''}"
        if number == 2:
            text += pointer if pointer.endswith("/") else f"{pointer}\n"
        choices = ",".join(map(choice, each.choices))
        place = f"${{{number}|{choices}|}}" if choices else f"${number}"
        if choices and each is required[-1] and len(required) < len(parameters):
            # VS Code completes again once a value is chosen: not out of the call, where another argument may follow
            place += f"${number + 1}"
        snippet += f"{escaped(pointer)}\n{place}\n"
    snippet = f"{snippet}{escaped(markers.end)}" if required else f"{snippet}$0\n{escaped(markers.end)}"
    return Suggestion(
        text, 0, _detail(gadget), "function", snippet, label=label, more=_documents(gadget), goes_on=bool(required)
    )


class _Possible(NamedTuple):
    """A pointer that a call may have next."""

    pointer: str
    detail: str
    parameter: Parameter | None = None
    """The schema's description of it."""

    @property
    def is_required(self) -> bool:
        return self.parameter is not None and self.parameter.required


def _argument(each: _Possible, marker: str, newline: str, typed: int = 0, over: int = 0) -> Suggestion:
    """Return a pointer after a marker, up to its value or to its missing key."""
    label, kind, choices = f"{marker}{each.pointer}", "", False
    if each.parameter is not None:
        kind, choices = each.parameter.kind.replace("`", ""), bool(each.parameter.choices)
    end = "" if each.pointer.endswith("/") else newline
    goes_on = each.pointer.endswith("/") or (choices and bool(end))
    aside = shortened(kind, _ASIDE)
    text = f"{label}{end}"
    return Suggestion(text, typed, each.detail, "parameter", over=over, label=label, goes_on=goes_on, aside=aside)


def _possible(caret: Caret, above: str, inside: Call, gadgets: Gadgets) -> Iterator[_Possible]:
    """Yield the unused pointers of a call inside the object at `above`, most likely first."""
    here = caret.offset
    given = [each.pointer for each in inside.arguments if not each.start <= here <= each.name_end]
    name = inside.parts.name
    schema = gadgets.schema(name)
    known = [each for each in parameters_of(schema, above) if not _is_given(each, given)] if schema else []
    if schema:
        yield from [_of_schema(schema, each) for each in known if each.required]
    seen = {*given}
    for pointer, detail in next_pointers(given):
        if pointer not in seen:
            seen.add(pointer)
            yield _Possible(pointer, detail)
    for pointer in () if schema else pointers_nearby(caret, name):
        if pointer not in seen:
            yield _Possible(pointer, f"An argument of another call of `{name}`")
    if schema:
        yield from [_of_schema(schema, each) for each in known if not each.required]


def _of_schema(schema: ParameterSchema, each: Parameter) -> _Possible:
    return _Possible(_up_to_value(schema, each), each.summary, each)


def _up_to_value(schema: ParameterSchema, each: Parameter) -> str:
    """Return the pointer of the first value in a parameter, without a key that the user must choose."""
    if each.holds != "array":
        return f"{each.pointer}/" if each.holds else each.pointer
    first = f"{each.pointer}/0"
    return f"{first}/" if parameters_of(schema, first) else first


def _is_given(parameter: Parameter, given: list[str]) -> bool:
    if parameter.pointer in given:
        return True
    inside = any(each.startswith(f"{parameter.pointer}/") for each in given)
    return inside and (parameter.required or parameter.holds == "array")


def _pointers(caret: Caret, typed: str, inside: Call, gadgets: Gadgets) -> Iterator[Suggestion]:
    over = len(caret.after.rstrip())
    # a missing value follows at once
    newline = "" if over or _has_value(caret) else "\n"
    for each in _possible(caret, typed.rpartition("/")[0], inside, gadgets):
        if each.parameter is not None or each.pointer.startswith(typed):
            yield _argument(each, "", newline, len(typed), over)


def _has_value(caret: Caret) -> bool:
    """Return whether any text is between the line of a pointer and the next marker."""
    ahead = (kind for kind, text in caret.tokens_ahead() if text.strip())
    return next(ahead, None) is kinds.VALUE


def _values(caret: Caret, inside: Call, gadgets: Gadgets, markers: Markers) -> Iterator[Suggestion]:
    """Yield the values that a schema allows, on the first line of a value. They replace the text up to a marker."""
    schema = gadgets.schema(inside.parts.name)
    in_marker = caret.before and _rest(caret.before, caret.after, markers)
    if schema is None or in_marker:
        return
    pointer = _pointer_above(caret, inside)
    parameter = parameter_at(schema, pointer) if pointer else None
    if parameter is None:
        return
    ends = [caret.after.find(marker) for marker in (markers.start, markers.arg, markers.end)]
    written = caret.after[: min([at for at in ends if at >= 0], default=len(caret.after))]
    over = len(written.rstrip())
    for each in parameter.choices:
        yield Suggestion(each, len(caret.before), f"A value of `{pointer}`", "value", over=over)


def _pointer_above(caret: Caret, inside: Call) -> str:
    """Return the pointer of the argument whose value begins on the caret's line; empty elsewhere."""
    begins = caret.offset - len(caret.before)
    return next((each.pointer for each in inside.arguments if each.value == begins and each.name_end < begins), "")


def _documents(gadget: GadgetSchema) -> Callable[[], str]:
    return lambda: gadget.documentation


def _detail(gadget: GadgetSchema) -> str:
    return gadget.description.strip().partition("\n")[0][:200] or f"Calls the gadget `{gadget.name}`"


def _typed(line: str, marker: str) -> int:
    """Return the length of the beginning of a marker at the end of a line."""
    for length in range(min(len(line), len(marker)), 0, -1):
        if line.endswith(marker[:length]):
            return length
    return 0


def signature_at(caret: Caret, markers: Markers, gadgets: Gadgets) -> Signature | None:
    """Return the parameters of the gadget whose call is at the caret, the one at the caret active."""
    header, near = _header(caret, markers), call_in(caret.section)
    if header is not None:
        gadget = gadgets.find(split_header(header + caret.after).name)
        return gadget.signature("") if gadget and gadget.parameters is not None else None
    gadget = gadgets.find(near.parts.name) if near and near.header_end < caret.offset <= near.end else None
    if near is None or gadget is None or gadget.parameters is None:
        return None
    found = [each for each in near.arguments if each.start < caret.offset]
    arg = caret.before.rfind(markers.arg)
    written = caret.before[arg + len(markers.arg) :].strip() if arg >= 0 else ""
    in_value = arg < 0 and bool(caret.before.strip())
    return gadget.signature(written or (found[-1].pointer if found else ""))._replace(in_value=in_value)


def closing(caret: Caret, typed: str, marker: str) -> str:
    """Return the end marker for the call whose first line has been typed; empty if the call has one."""
    if typed != "\n" or next(caret.tokens_back(), (None, ""))[0] is not kinds.HEADER_END:
        return ""
    return "" if _has_end(caret) else marker


def _has_end(caret: Caret) -> bool:
    """Return whether the call at the caret has an end marker after it."""
    return next((kind for kind, _ in caret.tokens_ahead() if kind in _ENDS), kinds.START) is not kinds.START


def ended(caret: Caret) -> str:
    """Return the end marker before the caret if it ends a call."""
    kind, text = next(caret.tokens_back(), (None, ""))
    return text if kind is kinds.END else ""
