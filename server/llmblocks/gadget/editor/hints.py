"""Hints of the gadget format."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from llmblocks.contract.hint import Hint
from llmblocks.contract.markup import shortened
from llmblocks.core.index import Index
from llmblocks.core.layered import reads_crlf
from llmblocks.core.section import Section
from llmblocks.gadget.editor.fates import fate_of
from llmblocks.gadget.editor.near_call import NearCall, call_near
from llmblocks.gadget.editor.schemas import value_of
from llmblocks.gadget.editor.values import received
from llmblocks.gadget.editor.view import CallView, call_in
from llmblocks.gadget.syntax.javascript import shown
from llmblocks.gadget.syntax.scalars import Scalar
from llmblocks.gadget.syntax.values import coerce

if TYPE_CHECKING:
    from llmblocks.gadget.editor.settings import GadgetSettings

_LONGEST_SCALAR = 64
_ENDED = "No end marker: the next start marker, or the end of the text, ends the call"


def hints(section: Section, start: int, end: int, settings: GadgetSettings, index: Callable[[], Index]) -> list[Hint]:
    """The implicit facts: the fates of calls, unexpected types, and implicit ends."""
    call = call_in(section)
    place = max(start, call.start) if call else start
    near = call_near(section, place + 1) if place <= end else None
    found = () if near is None else (*_fate(near, settings, index), *_inside(near, settings))
    return sorted([hint for hint in found if start <= hint.offset <= end])


def _fate(near: NearCall, settings: GadgetSettings, index: Callable[[], Index]) -> Iterator[Hint]:
    """The fate of a call. Nearly all calls run at once: nothing need be said of them."""
    known = fate_of(index(), near.place, settings)
    if known is None or (known.fate.wave == 1 and not known.call.dependencies):
        return
    at = near.place.symbol.start + len(near.header.rstrip())
    fate = known.fate
    tooltip = fate.message or f"The runtime runs this call in wave {fate.wave} of its response"
    yield Hint(at, shortened(fate.says, _LONGEST_SCALAR), "waves", tooltip)


def _inside(near: NearCall, settings: GadgetSettings) -> Iterator[Hint]:
    view = near.view
    yield from _types(near, view, settings)
    if not view.closed:
        text = near.section.text[view.header_end : view.end]
        at = view.header_end + len(text.rstrip())
        yield Hint(at, f"no {settings.markers.end}", "ends", _ENDED)


def _types(near: NearCall, view: CallView, settings: GadgetSettings) -> Iterator[Hint]:
    """Values that arrive as another type than the schema has, or as another text than is written."""
    schema = settings.gadgets.schema(near.parts.name)
    crlf = reads_crlf(near.section.after)
    for number, argument in enumerate(view.arguments, 1):
        if not 0 < argument.end - argument.value <= _LONGEST_SCALAR:
            continue
        written = value_of(near.section, argument)
        text = received(written, number == len(view.arguments), crlf)
        plain = coerce(text)
        given = coerce(text, schema.expected(argument.pointer)) if schema and argument.pointer else plain
        at = argument.value + len(near.section.text[argument.value : argument.end].rstrip())
        if type(given) is not type(plain):
            why = f"The schema makes it {_kind(given)}: without the schema it would be {_kind(plain)}"
        elif not isinstance(given, str) and _shown(given) != text:
            why = f"The gadget receives {_kind(given)}, not this text"
        else:
            continue
        yield Hint(at, f"{_kind(given)} {_shown(given)}", "types", why)


def _kind(value: Scalar) -> str:
    return "boolean" if isinstance(value, bool) else "text" if isinstance(value, str) else "number"


def _shown(value: Scalar) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else shown(value)
