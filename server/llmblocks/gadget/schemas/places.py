"""The places of definitions, in their files as they are now."""

from __future__ import annotations

from llmblocks.code.grammar import script_of
from llmblocks.core.places import Elsewhere
from llmblocks.gadget.schemas.gadgets import Source
from llmblocks.gadget.schemas.reading import decoded_text, parameter_place

_MOST_BYTES = 1 << 23


def definition_place(source: Source, pointer: str = "") -> Elsewhere | None:
    """The place of a gadget's definition, or of one of its parameters; None if its file no longer exists.

    Shape: what is deeper than the schema describes leads to the innermost parameter that it has, and a parameter of a
           model or of source code to the name of the gadget.
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
        # it has changed, and is about to be read again
        start = end = 0
    line_start = text.rfind("\n", 0, start) + 1
    return Elsewhere(source.file, start, text.count("\n", 0, start), text[line_start:start], text[start:end])
