"""Labels at calls: lenses above them, and hints inside of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from llmblocks.contract.hint import Hint
from llmblocks.contract.lens import Lenses, Reply, Standing
from llmblocks.contract.markup import shortened
from llmblocks.core.index import Index
from llmblocks.core.section import Section
from llmblocks.gadget.call import Call
from llmblocks.gadget.editor.calls import INVOCATION, GadgetSettings, call_in
from llmblocks.gadget.editor.fates import KnownFate, fate_of, outcome_of, reply_to
from llmblocks.gadget.syntax.javascript import shown
from llmblocks.gadget.syntax.values import Scalar, coerce, type_of

_LONGEST_SCALAR = 64
_ENDED = "No end marker: the next start marker, or the end of the text, ends the call"


def _places(section: Section) -> tuple[int, ...]:
    call = call_in(section)
    return () if call is None else (call.start,)


def _is_header(section: Section, offset: int) -> bool:
    call = call_in(section)
    return call is not None and call.header <= offset <= call.header_end


def _standing(section: Section, offset: int, settings: GadgetSettings, index: Callable[[], Index]) -> Standing | None:
    if not _is_header(section, offset):
        return None
    names = index()
    known = fate_of(names, section, settings)
    if known is None:
        return Standing("order not known")
    return Standing(outcome_of(names, known, settings), known.fate.message, _obstacle(known, names))


def _obstacle(known: KnownFate, index: Index) -> int | None:
    call, fate, failed = known
    if fate.wave:
        return None
    stopped = failed or call
    section, own = stopped.place
    if stopped.error:
        at = stopped.problem
    elif failed is not None:
        at = own.start
    else:
        waits = [each for each in index.symbols(section) if each.role == "reference" and each.name in fate.dependencies]
        at = next((each.start for each in waits if each.start >= own.start), own.start)
    return index.start_of(section) + at


def _reply(section: Section, offset: int, settings: GadgetSettings, index: Callable[[], Index]) -> Reply | None:
    return reply_to(index(), section, settings) if _is_header(section, offset) else None


def _has_order(index: Index) -> bool:
    return index.count("reference", INVOCATION) > 0


LENSES: Final[Lenses[GadgetSettings]] = Lenses(_places, _standing, _reply, _has_order)


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
    known = fate_of(index, section, settings)
    if known is None or (known.fate.wave == 1 and not known.call.dependencies):
        return
    at = call.header + len(call.text[call.header : call.header_end].rstrip())
    fate, says = known.fate, outcome_of(index, known, settings)
    runs = f"The runtime runs this call in wave {fate.wave} of its response"
    tooltip = fate.message or (runs if says == fate.says else "The runtime did not run this call")
    yield Hint(at, shortened(says, _LONGEST_SCALAR), "waves", tooltip)


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
