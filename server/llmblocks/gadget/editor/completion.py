"""Completion in gadget calls: calls, names, dependencies, pointers, values, markers."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from llmblocks.core.caret import Caret, Suggestion, escaped
from llmblocks.gadget.editor.documentation import documentation
from llmblocks.gadget.editor.near_call import NearCall, call_near
from llmblocks.gadget.editor.next_pointers import next_pointers
from llmblocks.gadget.editor.possible_names import dependencies, fresh_id, gadget_names, pointers_nearby
from llmblocks.gadget.editor.scanner import reads_calls
from llmblocks.gadget.editor.view import CallView
from llmblocks.gadget.schemas.gadgets import Gadgets, GadgetSchema
from llmblocks.gadget.schemas.parameters import parameter_at, parameters_of
from llmblocks.gadget.syntax.header import split_header
from llmblocks.gadget.syntax.markers import Markers

_MOST_GADGETS = 200


def suggest(caret: Caret, markers: Markers, gadgets: Gadgets) -> Iterator[Suggestion]:
    """What can be written at a place, most likely first."""
    if not reads_calls(caret.section.after):
        return
    line = caret.before
    start, arg = line.rfind(markers.start), line.rfind(markers.arg)
    if start > arg and markers.end not in line[start:]:
        yield from _in_header(caret, line[start + len(markers.start) :], gadgets)
        return
    near = call_near(caret.section, caret.offset)
    # a marker that is written anew does not end the call yet
    written = max(_typed(line, marker) for marker in (markers.start, markers.arg, markers.end))
    inside = near if near and _is_inside(caret, near, written) else None
    if inside is not None and arg >= 0 and not _rest(line, caret.after, markers):
        yield from _pointers(caret, line[arg + len(markers.arg) :], inside, gadgets)
        return
    if inside is not None:
        values = [*_values(caret, inside, gadgets)]
        yield from values
        if values and line:
            return
    yield from _markers(caret, markers, inside, gadgets)


def _is_inside(caret: Caret, near: NearCall, written: int) -> bool:
    view = near.view
    here = caret.offset - near.start
    return view is None or (view.header_end < here and here - written <= view.end)


def _in_header(caret: Caret, typed: str, gadgets: Gadgets) -> Iterator[Suggestion]:
    fields = typed.split(":")
    if len(fields) == 1:
        over = len(caret.after.partition(":")[0].rstrip())
        for gadget in [*gadgets][:_MOST_GADGETS]:
            detail = _first_line(gadget.description) or f"Calls the gadget `{gadget.name}`"
            more = _documents(gadget)
            yield Suggestion(gadget.name, len(typed), detail, "function", over=over, more=more)
        known = {gadget.name for gadget in gadgets}
        for name in gadget_names(caret, typed):
            if name not in known:
                yield Suggestion(name, len(typed), f"The gadget `{name}` of another call", "function", over=over)
    elif len(fields) == 2:
        over = len(caret.after.partition(":")[0].rstrip())
        name = fresh_id(caret, fields[0])
        yield Suggestion(name, len(fields[1].lstrip()), "An id that no call nearby has", "reference", over=over)
    else:
        last = typed[max(typed.rfind(":"), typed.rfind(",")) + 1 :].lstrip()
        ahead = caret.after
        over = min([len(ahead.rstrip()), *[at for sign in ",:" if (at := ahead.find(sign)) >= 0]])
        listed = [each.strip() for each in typed[: len(typed) - len(last)].replace(":", ",").split(",")[2:]]
        given = {*listed, *[each.strip() for each in ahead[over:].replace(":", ",").split(",")]}
        for found in dependencies(caret, fields[1].strip()):
            if found.name not in given:
                yield Suggestion(found.name, len(last), found.detail, "reference", over=over)


def _markers(caret: Caret, markers: Markers, inside: NearCall | None, gadgets: Gadgets) -> Iterator[Suggestion]:
    line = caret.before
    offered: list[Suggestion] = []
    over = _rest(line, caret.after, markers)
    if inside is not None:
        offered += _arguments(inside, markers, gadgets)
        offered.append(
            Suggestion(markers.arg, 0, "Begins an argument: its pointer follows, the value starts on the next line")
        )
        offered.append(Suggestion(markers.end, 0, "Ends the gadget call"))
    elif not caret.after.strip():
        offered += [_whole(gadget, markers) for gadget in [*gadgets][:_MOST_GADGETS]]
    detail = "Begins a gadget call: its name follows, then `:id` and `:dependencies`"
    offered.append(Suggestion(markers.start, 0, detail))
    for each in offered:
        typed = _typed(line, each.text)
        if typed or not line:
            yield each._replace(typed=typed, over=over)


def _rest(line: str, after: str, markers: Markers) -> int:
    """The length of the rest of a marker that the caret is in, or at the start of on its line."""
    for marker in (markers.start, markers.arg, markers.end):
        typed = _typed(line, marker)
        if (typed or not line) and after.startswith(marker[typed:]):
            return len(marker) - typed
    return 0


def _whole(gadget: GadgetSchema, markers: Markers) -> Suggestion:
    """A call with its required arguments."""
    required = [] if gadget.prepared is None else [each for each in parameters_of(gadget.prepared) if each.required]
    text = f"{markers.start}{gadget.name}\n"
    snippet = escaped(text)
    for number, each in enumerate(required, 1):
        pointer = f"{markers.arg}{each.pointer}{'/' if each.holds == 'object' else '/0' if each.holds else ''}\n"
        text += f"{pointer}\n"
        choice = ",".join(_choice(value) for value in each.choices)
        place = f"${{{number}|{choice}|}}" if choice else f"${{{number}:{escaped(each.kind)}}}"
        snippet += f"{escaped(pointer)}{place}\n"
    detail = f"A call of `{gadget.name}`" + (" with its required arguments" if required else "")
    end = markers.end
    label = f"{markers.start}{gadget.name}"
    return Suggestion(text + end, 0, detail, "function", snippet + escaped(end), label=label, more=_documents(gadget))


def _choice(value: str) -> str:
    return escaped(value).replace(",", "\\,").replace("|", "\\|")


def _arguments(inside: NearCall, markers: Markers, gadgets: Gadgets) -> Iterator[Suggestion]:
    """The required arguments that a call lacks."""
    gadget = gadgets.find(split_header(inside.header).name)
    schema = gadget.prepared if gadget else None
    if schema is None or inside.view is None:
        return
    given = {argument.pointer.partition("/")[0] for argument in inside.view.arguments}
    for each in parameters_of(schema):
        if each.required and each.pointer not in given and not each.holds:
            text = f"{markers.arg}{each.pointer}\n"
            yield Suggestion(text, 0, each.summary, "parameter", label=text.rstrip("\n"))


def _pointers(caret: Caret, typed: str, inside: NearCall, gadgets: Gadgets) -> Iterator[Suggestion]:
    here = caret.offset - inside.start
    view = inside.view
    given = [each.pointer for each in view.arguments if not each.start <= here <= each.name_end] if view else []
    over = len(caret.after.rstrip())
    gadget = gadgets.find(split_header(inside.header).name)
    schema = gadget.prepared if gadget else None
    above = typed.rpartition("/")[0]
    seen = {*given}
    for pointer, detail in next_pointers(given):
        if pointer.startswith(typed) and pointer not in seen:
            seen.add(pointer)
            yield Suggestion(pointer, len(typed), detail, "parameter", over=over)
    name = split_header(inside.header).name
    for pointer in () if schema else pointers_nearby(caret, name):
        if pointer not in seen:
            yield Suggestion(pointer, len(typed), f"An argument of another call of `{name}`", "parameter", over=over)
    for each in parameters_of(schema, above) if schema else ():
        pointer = f"{each.pointer}/" if each.holds == "object" else each.pointer
        if each.holds == "array":
            pointer = f"{each.pointer}/0"
        taken = pointer in seen or (each.holds and any(one.startswith(f"{each.pointer}/") for one in given))
        if not taken or each.holds == "object":
            yield Suggestion(pointer, len(typed), each.summary, "parameter", over=over)


def _values(caret: Caret, inside: NearCall, gadgets: Gadgets) -> Iterator[Suggestion]:
    """The values that a schema allows, on the first line of a value."""
    gadget = gadgets.find(split_header(inside.header).name)
    schema = gadget.prepared if gadget else None
    if schema is None or inside.view is None:
        return
    pointer = _pointer_above(caret, inside, inside.view)
    parameter = parameter_at(schema, pointer) if pointer else None
    if parameter is None:
        return
    over = len(caret.after.rstrip())
    for choice in parameter.choices:
        yield Suggestion(choice, len(caret.before), f"A value of `{pointer}`", "value", over=over)


def _pointer_above(caret: Caret, inside: NearCall, view: CallView) -> str:
    """The pointer of the argument on the first line of whose value the caret is; empty elsewhere."""
    begins = caret.offset - inside.start - len(caret.before)
    return next((each.pointer for each in view.arguments if each.value == begins and each.name_end < begins), "")


def _documents(gadget: GadgetSchema) -> Callable[[], str]:
    return lambda: documentation(gadget)


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0][:200]


def _typed(line: str, marker: str) -> int:
    """The length of the marker's part at the end of the line."""
    for length in range(min(len(line), len(marker)), 0, -1):
        if line.endswith(marker[:length]):
            return length
    return 0
