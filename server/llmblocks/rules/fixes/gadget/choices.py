"""Remedies of mistakes in calls that only a person chooses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from llmblocks.contract.other_files import other_files
from llmblocks.core.edits import Edit
from llmblocks.facts.finding import Finding
from llmblocks.gadget.editor.calls import INVOCATION, call_in, number_of
from llmblocks.gadget.schemas.gadgets import parameters_of
from llmblocks.languages.ask import Ask
from llmblocks.rules.expected import becoming, other_head, removing, spelt
from llmblocks.rules.fix import Fix
from llmblocks.rules.fixes.gadget.arguments import WrongArgument, argument_around, removal, subject_of
from llmblocks.rules.fixes.gadget.schemas import gadget_of, suggested_values
from llmblocks.rules.removal import after_line_end

_MOST = 8
_LONGEST = 60
_NO_WORD = re.compile("[^A-Za-z0-9_]+")


def named_gadget(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Name the gadget of a call: by its id, or as one of the known gadgets."""
    at = finding.start + len(str(finding.data["marker"]))
    names = [each.name for each in ask.settings.gadgets][:_MOST]
    fixes = [Fix(f"Call `{name}`", (Edit(at, at, name),), other_head(partial(_named, name))) for name in names]
    written = ask.document.slice(at, finding.end)
    colon = written.find(":")
    name = written[colon + 1 :].partition(":")[0].strip()
    if colon >= 0 and name:
        edit = Edit(at, at + colon + 1, "")
        fixes.insert(0, Fix(f"Call `{name}`, without an id", (edit,), becoming(edit)))
    return (*fixes,)


def _named(name: str, _: str, invocation_id: str, dependencies: tuple[str, ...]) -> tuple[str, str, tuple[str, ...]]:
    return name, invocation_id, dependencies


def identifier(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Write a name with only letters, digits and `_`, or remove the colon of an empty id."""
    if finding.data.get("case") == "empty":
        return (Fix("Remove the colon", (Edit(finding.start, finding.end, ""),), spelt(finding, "")),)
    name = _NO_WORD.sub("_", str(finding.data["name"]).strip()).strip("_")
    name = f"_{name}" if name[:1].isdigit() else name
    line_start = ask.document.line_start(ask.document.position(finding.start)[0])
    spaces = len(before := ask.document.slice(line_start, finding.start)) - len(before.rstrip(" \t"))
    edit = Edit(finding.start - spaces, finding.end, name)
    return (Fix(f"Write `{name}`", (edit,), spelt(finding, name)),) if name else ()


def ended_header(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """End the line of a header, and the call."""
    end = ask.settings.markers.end
    edit = Edit(finding.end, finding.end, f"\n{end}\n")
    begun = finding.start, finding.end + 1
    return (Fix(f"End the call here with `{end}`", (edit,), becoming(edit), uncovers=begun),)


def removed_text(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Remove text that the runtime ignores."""
    end = after_line_end(ask.document, finding.end)
    return (Fix("Remove this text", (Edit(finding.start, end, ""),)),)


def removed_argument(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Remove an argument."""
    subject = argument_around(finding, ask)
    return () if subject is None else (*_removed(subject, "Remove this argument"),)


def _removed(subject: WrongArgument, verb: str) -> Iterator[Fix]:
    found = removal(subject)
    if found is not None:
        pointer = subject.argument.pointer
        title = f"{verb} `{pointer}`" if 0 < len(pointer) <= _LONGEST else verb
        yield replace(found, title=title)


def chosen_duplicate(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Remove the first or the second of two arguments with one pointer, or rename the second."""
    subject = subject_of(finding, ask)
    if subject is None:
        return ()
    pointer = subject.argument.pointer
    first = subject._replace(number=subject.first[pointer])
    fixes = [*_removed(first, "Remove the first argument"), *_removed(subject, "Remove this argument")]
    new = next(
        name for number in range(2, 2 + len(subject.arguments)) if (name := f"{pointer}_{number}") not in subject.first
    )
    edit = subject.edit(subject.argument.name, subject.argument.name_end, new)
    return (*fixes, Fix(f"Rename this argument to `{new}`", (edit,), subject.renamed(new)))


def next_index(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Give an element without an index the next one, or remove it."""
    subject = subject_of(finding, ask)
    if subject is None:
        return ()
    path = subject.path_before(finding)
    taken = {each.pointer[len(path) :].partition("/")[0] for each in subject.arguments if each.pointer.startswith(path)}
    index = next(number for number in range(len(subject.arguments) + 1) if str(number) not in taken)
    fix = Fix(
        f"Write the index {index}",
        (Edit(finding.start, finding.end, str(index)),),
        subject.respelt(finding, str(index)),
    )
    return (fix, *_removed(subject, "Remove this argument"))


def plain_number(finding: Finding, _: Ask) -> tuple[Fix, ...]:
    """Write a number as the runtime reads it."""
    value = str(finding.data["value"])
    return (Fix(f"Write {value}", (Edit(finding.start, finding.end, value),)),)


def decoded_escape(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Replace an escape of JSON Pointer with its character."""
    subject, character = subject_of(finding, ask), str(finding.data["character"])
    if subject is None:
        return ()
    edit = Edit(finding.start, finding.end, character)
    return (Fix(f"Write `{character}`", (edit,), subject.respelt(finding, character)),)


def other_parameter(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Give an argument the name of a missing parameter, or remove it."""
    subject = subject_of(finding, ask)
    if subject is None:
        return ()
    gadget = gadget_of(subject.call, ask)
    given = {each.pointer for each in subject.arguments}
    path = subject.path_before(finding)
    known = parameters_of(gadget.prepared) if gadget is not None and gadget.prepared is not None else ()
    judged = (subject.offset + subject.argument.start, subject.offset + subject.argument.end)
    renamed = [
        Fix(
            f"Change this parameter to `{name}`",
            (Edit(finding.start, finding.end, name),),
            subject.respelt(finding, name),
            uncovers=judged,
        )
        for each in known
        if each.pointer.startswith(path)
        and each.pointer not in given
        and "/" not in (name := each.pointer[len(path) :])
    ]
    return (*_removed(subject, "Remove this argument"), *renamed[:_MOST])


def other_value(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Give an argument an allowed value, or remove it."""
    subject = argument_around(finding, ask)
    if subject is None:
        return ()
    gadget = gadget_of(subject.call, ask)
    values: Iterable[str] = ()
    if gadget is not None and gadget.prepared is not None:
        values = suggested_values(gadget.prepared, subject.argument.pointer)
    written = ask.document.slice(finding.start, finding.end)
    changed = [
        Fix(
            f"Change this value to `{value}`",
            (Edit(finding.start, finding.end, value),),
            subject.other_value(written, value),
        )
        for value in values
        if "\n" not in written
    ]
    return (*changed[:_MOST], *_removed(subject, "Remove this argument"))


def chosen_repetition(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Of two calls that are the same, remove the first or the second, unless another call counts on it."""
    first = finding.related[0].start
    if first < 0:
        return ()  # it is not in the part of the document that is tried first
    index, document = ask.index(), ask.document
    # later calls without an id get other numbers
    is_counted = any(map(number_of, index.names("reference", INVOCATION)))
    fixes = []
    for title, at in (("Remove this call", finding.start), ("Remove the first call", first)):
        placed = document.section_at(at)
        call = call_in(placed.section)
        if call is None or (is_counted and not call.parts.invocation_id):
            continue
        name = call.parts.invocation_id
        if name and other_files(index).same(INVOCATION, name, own=True).references:
            continue
        start, end = placed.start + call.start, placed.start + call.end + len(ask.settings.markers.end)
        # its line end may be content of a block
        for stop in (after_line_end(document, end), end):
            edit = Edit(start, stop, "")
            fixes.append(Fix(f"{title} `{name}`" if name else title, (edit,), removing(edit)))
    return (*fixes,)
