"""Hints of the gadget format."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from llmblocks.contract.hint import Hint
from llmblocks.contract.markup import shortened
from llmblocks.core.index import Index
from llmblocks.core.section import Section
from llmblocks.gadget.call import Call
from llmblocks.gadget.editor.calls import call_in, place_of
from llmblocks.gadget.editor.fates import fate_of
from llmblocks.gadget.editor.results import outcome_of
from llmblocks.gadget.syntax.javascript import shown
from llmblocks.gadget.syntax.values import Scalar, coerce, type_of

if TYPE_CHECKING:
    from llmblocks.gadget.editor.settings import GadgetSettings

_LONGEST_SCALAR = 64
_ENDED = "No end marker: the next start marker, or the end of the text, ends the call"


def hints(section: Section, start: int, end: int, settings: GadgetSettings, index: Callable[[], Index]) -> list[Hint]:
    """Return the implicit facts: the fates of calls, unexpected types, and implicit ends."""
    call = call_in(section)
    if call is None or call.start > end:
        return []
    found = (*_fate(section, call, settings, index), *_inside(call, settings))
    return sorted([hint for hint in found if start <= hint.offset <= end])


def _fate(section: Section, call: Call, settings: GadgetSettings, index: Callable[[], Index]) -> Iterator[Hint]:
    """Yield the fate of a call. Most calls run at once and need no hint."""
    names, place = index(), place_of(section, call)
    known = fate_of(names, place, settings)
    if known is None or (known.fate.wave == 1 and not known.call.dependencies):
        return
    at = call.header + len(call.text[call.header : call.header_end].rstrip())
    fate, says = known.fate, outcome_of(names, place, known, settings)
    runs = f"The runtime runs this call in wave {fate.wave} of its response"
    tooltip = fate.message or (runs if says == fate.says else "The runtime did not run this call")
    yield Hint(at, shortened(says, _LONGEST_SCALAR), "waves", tooltip)


def _inside(call: Call, settings: GadgetSettings) -> Iterator[Hint]:
    yield from _types(call, settings)
    if not call.closed:
        at = call.header_end + len(call.text[call.header_end : call.end].rstrip())
        yield Hint(at, f"no {settings.markers.end}", "ends", _ENDED)


def _types(call: Call, settings: GadgetSettings) -> Iterator[Hint]:
    """Yield hints at values that arrive with another type than in the schema, or as another text than written."""
    schema = settings.gadgets.schema(call.parts.name)
    for number, argument in enumerate(call.arguments):
        if not 0 < argument.end - argument.value <= _LONGEST_SCALAR:
            continue
        text = call.received(number)
        plain = coerce(text)
        given = coerce(text, schema.expected(argument.pointer)) if schema and argument.pointer else plain
        at = argument.value + len(call.text[argument.value : argument.end].rstrip())
        if type(given) is not type(plain):
            why = f"The schema makes it {type_of(given)}: without the schema it would be {type_of(plain)}"
        elif not isinstance(given, str) and _shown(given) != text:
            why = f"The gadget receives {type_of(given)}, not this text"
        else:
            continue
        yield Hint(at, f"{type_of(given)} {_shown(given)}", "types", why)


def _shown(value: Scalar) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else shown(value)
