"""The answers at the caret: completion, the signature of a call, and end markers."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import count, islice, takewhile
from typing import NamedTuple

from llmblocks.contract.arguments import Parameter
from llmblocks.contract.caret import NEARBY, Caret, Signature, Suggestion, choice, escaped
from llmblocks.contract.markup import shortened
from llmblocks.core.section import Section, tokens_in
from llmblocks.gadget import kinds
from llmblocks.gadget.call import Call
from llmblocks.gadget.editor.calls import call_in
from llmblocks.gadget.running.schema import ParameterSchema
from llmblocks.gadget.scanner import reads_calls
from llmblocks.gadget.schemas.gadgets import Gadgets, GadgetSchema, parameter_at, parameters_of
from llmblocks.gadget.syntax.markers import Markers, split_header

_MOST = 100
"""The number of sections before and after the caret whose calls are read, if they are not too long."""
_NEAR = 8
"""The number of calls before and after the caret whose pointers are read."""
_INDEX = re.compile(r"/([0-9]{1,9})(?=/|$)")


class NearbyCalls(NamedTuple):
    """The calls near a caret, nearest first."""

    above: list[Call]
    below: list[Call]
    """Only calls of the same response: those of a later one run later."""

    @property
    def ids(self) -> set[str | None]:
        return {each.parts.invocation_id for each in (*self.above, *self.below)}

    @property
    def gadgets(self) -> list[str]:
        # a header with prose or a tag does not name a gadget
        names = [each.parts.name for each in (*self.above, *self.below)]
        return [*dict.fromkeys([name for name in names if name and " " not in name])]

    def dependencies(self, own: str) -> Iterator[tuple[str, str]]:
        """Yield their ids, each with a sentence, except those of the calls that wait for this call."""
        seen = _waiting_for(own, [*self.above, *self.below])
        for calls, detail in ((self.above, "The id of a call above"), (self.below, "The id of a call below")):
            for gadget, name, _ in [each.parts for each in calls]:
                if name and name not in seen:
                    seen.add(name)
                    yield name, f"{detail}, of `{gadget}`" if gadget else detail

    def pointers(self, gadget: str) -> list[str]:
        """Return the pointers of the nearest calls of a gadget, without those in arrays."""
        calls = [each for each in (*self.above[:_NEAR], *self.below[:_NEAR]) if each.parts.name == gadget]
        found = dict.fromkeys([each.pointer for call in calls for each in call.arguments if each.pointer])
        return [each for each in found if not _INDEX.search(each)]


def calls_near(caret: Caret) -> NearbyCalls:
    """Return the calls that end before a caret, and those that begin after it."""
    own = call_in(caret.section)
    above = _calls(islice(caret.earlier(), 1, None))
    if own is not None and own.end < caret.offset:
        above.insert(0, own)
    behind = takewhile(lambda each: all(symbol.role != "boundary" for symbol in caret.symbols(each)), caret.later())
    return NearbyCalls(above, _calls(behind))


def _calls(sections: Iterable[Section]) -> list[Call]:
    near = [each for each in islice(sections, _MOST) if each.length <= NEARBY]
    return [call for each in near if (call := call_in(each)) is not None]


def fresh_id(used: Container[str | None], gadget: str) -> str:
    """Return an unused id: the first letter of a gadget, and a number."""
    letter = next((each.lower() for each in gadget if each.isalpha()), "c")
    return next(name for number in count(1) if (name := f"{letter}{number}") not in used)


def next_pointers(given: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the pointers that continue the arrays of a call, each with an explanation, the last array first.

    An array of values continues at its next index. In an array of objects, the last object first gets the keys of the
    one before it.
    """
    arrays: dict[str, dict[int, list[str]]] = {}
    for pointer in given:
        for found in _INDEX.finditer(pointer):
            items = arrays.setdefault(pointer[: found.start()], {})
            items.setdefault(int(found[1]), []).append(pointer[found.end() + 1 :])
    for array in reversed(arrays):
        items = arrays[array]
        last = max(items)
        for key in dict.fromkeys(items.get(last - 1, ())):
            if key and key not in items[last]:
                yield f"{array}/{last}/{key}", f"`{key}` of the last object in `{array}`"
        first = items[last][0]
        yield f"{array}/{last + 1}{'/' if first else ''}{first}", f"The next element of `{array}`"


def _waiting_for(own: str, calls: Iterable[Call]) -> set[str]:
    """Return an id, and those of the calls that directly or indirectly wait for it."""
    headers = [each.parts for each in calls]
    waiting = {own}
    while more := {each.invocation_id or "" for each in headers if waiting & {*each.dependencies}} - waiting:
        waiting |= more
    return waiting


_MOST_GADGETS = 200
_ASIDE = 30
_WORD = re.compile(r"\s*([^\w\s]+)(\w+)")
_BREAKS = re.compile(r"[\W_]+")
_Possible = tuple[str, str, Parameter | None]
"""A pointer that a call may have next, a sentence about it, and the schema's description of it."""


def suggest(caret: Caret, markers: Markers, gadgets: Gadgets) -> Iterator[Suggestion]:
    """Yield the suggestions at a place, most likely first."""
    if not reads_calls(caret.section.after):
        return
    line = caret.before
    header = _header(caret)
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


def _header(caret: Caret) -> str | None:
    """Return the part of a header before the caret, which may lack its newline."""
    text, here = caret.section.text, caret.offset
    ends = [end for _, _, end in tokens_in(caret.section, (kinds.START,)) if end <= here and "\n" not in text[end:here]]
    return text[ends[0] : here] if ends else None


def _in_header(caret: Caret, typed: str, gadgets: Gadgets) -> Iterator[Suggestion]:
    fields, ahead = typed.split(":"), caret.after
    over = len(ahead.partition(":")[0].rstrip())
    if len(fields) == 1:
        for gadget in [*gadgets][:_MOST_GADGETS]:
            detail = _detail(gadget)
            yield Suggestion(gadget.name, len(typed), detail, "function", over=over, more=gadget.documentation)
        for name in calls_near(caret).gadgets:
            yield Suggestion(name, len(typed), f"The gadget `{name}` of another call", "function", over=over)
    elif len(fields) == 2:
        name = fresh_id(calls_near(caret).ids, fields[0])
        yield Suggestion(name, len(fields[1].lstrip()), "An id that no call nearby has", "reference", over=over)
    else:
        last = typed[max(typed.rfind(":"), typed.rfind(",")) + 1 :].lstrip()
        over = min([len(ahead.rstrip()), *[at for sign in ",:" if (at := ahead.find(sign)) >= 0]])
        listed = [each.strip() for each in typed[: len(typed) - len(last)].replace(":", ",").split(",")[2:]]
        given = {*listed, *[each.strip() for each in ahead[over:].replace(":", ",").split(",")]}
        for name, detail in calls_near(caret).dependencies(fields[1].strip()):
            if name not in given:
                yield Suggestion(name, len(last), detail, "reference", over=over)


def _markers(caret: Caret, markers: Markers, inside: Call | None, gadgets: Gadgets) -> Iterator[Suggestion]:
    line = caret.before
    offered: list[Suggestion] = []
    over = _rest(line, caret.after, markers)
    if inside is not None:
        # with the white space before the end marker that it would double
        here, again = caret.offset + over, inside.end + len(markers.end)
        is_doubled = inside.closed and inside.end >= here and not inside.text[here : inside.end].strip()
        end = Suggestion(markers.end, 0, "Ends the gadget call", doubled=again - here if is_doubled else 0)
        possible = [*_possible(caret, "", inside, gadgets)]
        needs_more = any(parameter is not None and parameter.required for _, _, parameter in possible)
        if gadgets.schema(inside.parts.name) and not needs_more and not inside.closed:
            offered.append(end)
        offered += [_argument(each, markers.arg, "\n") for each in possible]
        detail = "Begins an argument: its pointer follows, the value starts on the next line"
        offered += [Suggestion(markers.arg, 0, detail, goes_on=True), end]
    elif not caret.after.strip():
        used = calls_near(caret).ids
        offered += [_whole(used, gadget, markers) for gadget in [*gadgets][:_MOST_GADGETS]]
    detail = "Begins a gadget call: its name follows, then `:id` and `:dependencies`"
    offered.append(Suggestion(markers.start, 0, detail, goes_on=True))
    for each in offered:
        typed = _typed(line, each.text)
        # in the middle of a line, `Hello!` and `a <` begin no marker
        if not typed or (line[:-typed].strip() and not any(map(str.isalnum, line[-typed:]))):
            typed = _by_word(line, each.label or each.text)
        if not line or typed:
            yield each._replace(typed=typed, over=over)


def _by_word(line: str, label: str) -> int:
    """Return the length of a line with a marker's signs and the beginning of one of its words, such as `!rea`."""
    begun = _WORD.fullmatch(line)
    if begun is None or not label.startswith(begun[1]):
        return 0
    word = begun[2].casefold()
    return len(begun[0].lstrip()) if any(each.startswith(word) for each in _BREAKS.split(label.casefold())) else 0


def _rest(line: str, after: str, markers: Markers) -> int:
    """Return the length of the rest of the marker on the line that contains the caret or begins at it."""
    for marker in (markers.start, markers.arg, markers.end):
        typed = _typed(line, marker)
        if (typed or not line) and after.startswith(marker[typed:]):
            return len(marker) - typed
    return 0


def _whole(used: Container[str | None], gadget: GadgetSchema, markers: Markers) -> Suggestion:
    """Return a call with an id and its required arguments; without placeholders, up to the first value."""
    schema = gadget.prepared
    parameters = [*parameters_of(schema)] if schema else []
    required = [each for each in parameters if each.required]
    invocation = fresh_id(used, gadget.name)
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
    detail, goes_on = _detail(gadget), bool(required)
    return Suggestion(text, 0, detail, "function", snippet, label=label, more=gadget.documentation, goes_on=goes_on)


def _argument(each: _Possible, marker: str, newline: str, typed: int = 0, over: int = 0) -> Suggestion:
    """Return a pointer after a marker, up to its value or to its missing key."""
    pointer, detail, parameter = each
    is_open = pointer.endswith("/")
    label, end = f"{marker}{pointer}", "" if is_open else newline
    has_choices = parameter is not None and bool(parameter.choices)
    goes_on = is_open or (has_choices and bool(end))
    aside = shortened(parameter.kind.replace("`", ""), _ASIDE) if parameter is not None else ""
    return Suggestion(f"{label}{end}", typed, detail, "parameter", over=over, label=label, goes_on=goes_on, aside=aside)


def _possible(caret: Caret, above: str, inside: Call, gadgets: Gadgets) -> Iterator[_Possible]:
    """Yield the unused pointers of a call inside the object at `above`, most likely first."""
    here = caret.offset
    given = [each.pointer for each in inside.arguments if not each.start <= here <= each.name_end]
    name = inside.parts.name
    schema = gadgets.schema(name)
    known = [each for each in parameters_of(schema, above) if not _is_given(each, given)] if schema else []
    described = [(_up_to_value(schema, each), each.summary, each) for each in known] if schema else []
    yield from [each for each in described if each[2].required]
    pointers = () if schema else calls_near(caret).pointers(name)
    others = [(each, f"An argument of another call of `{name}`") for each in pointers]
    yield from [(each, detail, None) for each, detail in (*next_pointers(given), *others) if each not in given]
    yield from [each for each in described if not each[2].required]


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
    values = [inside.said(each.value, each.end) for each in inside.arguments if each.start < caret.offset <= each.value]
    # a missing value follows at once
    newline = "" if over or "".join(values).strip() else "\n"
    for each in _possible(caret, typed.rpartition("/")[0], inside, gadgets):
        if each[2] is not None or each[0].startswith(typed):
            yield _argument(each, "", newline, len(typed), over)


def _values(caret: Caret, inside: Call, gadgets: Gadgets, markers: Markers) -> Iterator[Suggestion]:
    """Yield the values that a schema allows, on the first line of a value. They replace the text up to a marker."""
    schema = gadgets.schema(inside.parts.name)
    if schema is None or (caret.before and _rest(caret.before, caret.after, markers)):
        return
    line = caret.offset - len(caret.before)
    pointer = next((each.pointer for each in inside.arguments if each.value == line and each.name_end < line), "")
    parameter = parameter_at(schema, pointer) if pointer else None
    if parameter is None:
        return
    ends = [at for marker in markers if (at := caret.after.find(marker)) >= 0]
    over = len(caret.after[: min(ends, default=len(caret.after))].rstrip())
    for each in parameter.choices:
        yield Suggestion(each, len(caret.before), f"A value of `{pointer}`", "value", over=over)


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
    header, near = _header(caret), call_in(caret.section)
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
    call = call_in(caret.section) if typed == "\n" else None
    return marker if call is not None and call.header_end + 1 == caret.offset and not call.closed else ""


def ended(caret: Caret) -> str:
    """Return the end marker before the caret if it ends a call."""
    kind, text = next(caret.tokens_back(), (None, ""))
    return text if kind is kinds.END else ""
