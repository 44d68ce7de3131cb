"""The gadgets that TypeScript and JavaScript declare, with the zod schemas of their parameters. Nothing is executed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from llmblocks.code.grammar import script_of
from llmblocks.code.script import MOST_BYTES, Script
from llmblocks.gadget.schemas.gadgets import GadgetSchema, Source
from llmblocks.gadget.schemas.zod import ZodReader

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

SIGN: Final = "Gadget("
"""Occurs in every file that declares gadgets."""
_MAKERS: Final = ("createGadget", "Gadget")
_CLASSES: Final = ("class_declaration", "class")


def gadgets_in_code(text: str, file: str) -> Iterator[GadgetSchema]:
    """Yield the gadgets that a file declares with `createGadget({…})` or as `class … extends Gadget({…})`.

    A schema that is only known at run time, such as an imported one, allows any parameters.

    Raises:
        ValueError: The grammars are not installed.
    """
    language_id = script_of(file)
    if language_id is None or SIGN not in text or len(text) > MOST_BYTES:
        return
    script = Script(text, language_id)
    zod = ZodReader(script)
    for call in script.nodes("call_expression"):
        function = call.child_by_field_name("function")
        arguments = script.arguments(call)
        if function is None or script.text(function) not in _MAKERS or not arguments:
            continue
        given = arguments[0]
        named = script.member(given, "name")
        place: Node | None = named
        name = script.string(named)
        if name is None and named is None and (place := _class_name(call)) is not None:
            name = script.text(place)
        if not name or place is None:
            continue
        schema = script.member(given, "schema")
        parameters = zod.schema(schema) if schema is not None else None
        description = script.string(script.member(given, "description")) or ""
        source = Source(file, *script.place(place), place.start_point[0])
        yield GadgetSchema(name, description, parameters or None, source)


def _class_name(call: Node) -> Node | None:
    """Return the name of the class that extends a call."""
    above = call.parent
    while above is not None and above.type in ("extends_clause", "class_heritage"):
        above = above.parent
    return above.child_by_field_name("name") if above is not None and above.type in _CLASSES else None
