"""The definitions of gadgets and their parameters, in the files that settings name."""

from __future__ import annotations

from llmblocks.code.grammar import script_of
from llmblocks.core.places import Elsewhere
from llmblocks.core.section import Section
from llmblocks.gadget.editor.calls import call_in
from llmblocks.gadget.schemas.gadgets import Gadgets, Source
from llmblocks.gadget.schemas.reading import decoded_text, parameter_place

_MOST_BYTES = 1 << 23


def sources(section: Section, offset: int, gadgets: Gadgets) -> list[Elsewhere]:
    """Return the definition of the gadget or parameter whose name is at a place of a section."""
    call = call_in(section)
    if call is None or not call.header <= offset <= call.end:
        return []
    name = call.names.name
    known = gadgets.find(name.of(call.text))
    if known is None or known.source is None:
        return []
    pointers = [each.pointer for each in call.arguments if each.name <= offset <= each.name_end]
    if name.start <= offset <= name.end:
        pointers = [""]
    return [place for each in pointers if (place := definition_place(known.source, each)) is not None]


def definition_place(source: Source, pointer: str = "") -> Elsewhere | None:
    """Return the place of a gadget's definition, or of one of its parameters; None if its file no longer exists.

    A pointer deeper than the schema leads to the innermost parameter; one of a model or of source code to the gadget's
    name.
    """
    try:
        with open(source.file, "rb") as file:
            text = decoded_text(file.read(_MOST_BYTES)).replace("\r\n", "\n")
    except (OSError, ValueError):
        return None
    start, end = source.start, source.end
    if pointer and not source.file.endswith(".py") and script_of(source.file) is None:
        start, end = parameter_place(text, start, pointer.split("/")) or (start, end)
    if end > len(text):
        # it has changed, and will be read again
        start = end = 0
    line_start = text.rfind("\n", 0, start) + 1
    return Elsewhere(source.file, start, text.count("\n", 0, start), text[line_start:start], text[start:end])
