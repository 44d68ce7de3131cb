"""Tokens of raw completions, by a response template, and the regions of a section."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from llmblocks.completions.machine import OUTSIDE, TextRegion, machine_of, regions_of
from llmblocks.completions.template import Template
from llmblocks.core.layered import state_in
from llmblocks.core.query import Query
from llmblocks.core.scan import Kind, Scanned, Token
from llmblocks.core.section import Section

TEXT: Final = Kind("text", merges=True)
CONTENT: Final = Kind("content", merges=True)
OPEN: Final = Kind("open")
CLOSE: Final = Kind("close")
END: Final = Kind("end")
"""A delimiter, or the rest of one that begins in pending text."""
PENDING: Final = Kind("pending", merges=True)
"""Whole lines, up to a line end, that may be the beginning of a delimiter."""
DELIMITERS: Final = {"open": OPEN, "close": CLOSE, "end": END}


class State(NamedTuple):
    field: int = OUTSIDE
    """The index of the open region."""
    held: str = ""
    fresh: bool = False
    """Whether nothing has been read."""


_OUTSIDE = State()


def is_inside(state: object) -> bool:
    """Return whether a region is open in a scanner's state, layered or not."""
    found = state_in(state, State)
    return found is not None and found.field != OUTSIDE


class CompletionScanner:
    """Finds the regions of a response template as its machine does.

    A section begins with the line of a region, if no region is open before it, and extends to the next one. A delimiter
    over several lines is `PENDING` up to its last line end, followed by the rest.
    """

    free: Final = frozenset((TEXT, CONTENT))
    resets: Final[frozenset[Kind]] = frozenset()
    initial: Final = State(fresh=True)

    __slots__ = ("machine",)

    def __init__(self, template: Template) -> None:
        self.machine = machine_of(template)

    def scan(self, text: str, start: int, stop: int, state: State, final: bool) -> Scanned:
        """See `Scanner.scan`."""
        tokens: list[Token] = []
        field, held, fresh = state
        head, at = fresh, start
        while at < stop or (final and (held or fresh)):
            upto = self._upto(text, at, stop, field, bool(held) or fresh)
            ends = upto > at and text[upto - 1] == "\n"
            decided = final and upto == stop and not ends
            source, first, shift = (held + text[at:upto], 0, at - len(held)) if held else (text, at, 0)
            size = upto - shift
            steps = [*self.machine.steps(source, first, size, field, decided, fresh)]
            if field == OUTSIDE and not held and (len(steps) > 1 or (steps and steps[0].kind != "text")):
                # only the last of these lines contains a delimiter
                line = text.rfind("\n", at, upto - 1) + 1 or at
                if line > start:
                    return Scanned([*tokens, *([TEXT.of[line - at]] if line > at else [])], line, _OUTSIDE, head)
                head = True
            held = ""
            for kind, begin, end, number, _ in steps:
                inside, width = max(begin + shift, at), end - begin - max(at - shift - begin, 0)
                if kind == "text":
                    if width > 0:
                        tokens.append((TEXT if field == OUTSIDE else CONTENT).of[width])
                elif kind == "hold":
                    if not ends:
                        if inside == start:
                            return Scanned([], start, state, head)
                        return Scanned(tokens, inside, State(field, source[begin : at - shift]), head)
                    held = source[begin:size]
                    tokens.append(PENDING.of[width])
                else:
                    tokens.append(DELIMITERS[kind].of[max(width, 0)])
                    field = number if kind == "open" else OUTSIDE
            at, fresh = upto, False
        return Scanned(tokens, at, State(field, held, fresh), head)

    def _upto(self, text: str, at: int, stop: int, field: int, by_line: bool) -> int:
        """Return the end of the lines that are read together: only the last of them can contain a delimiter."""
        watch = self.machine.watch(field)
        look = at
        if not by_line:
            found = watch.sign(text, at, stop) if watch is not None else None
            if found is None:
                return stop
            look = found.start()
        return text.find("\n", look, stop) + 1 or stop


def is_first(section: Section) -> bool:
    """Return whether a completion begins with a section."""
    state = state_in(section.before, State)
    return state is not None and state.fresh


@lru_cache(maxsize=64)
def regions_by(template: Template) -> Query[Section, tuple[TextRegion, ...]]:
    """Return the query for the regions of sections, given a template."""
    machine = machine_of(template)
    return Query("regions", lambda section: (*regions_of(machine, section.text, fresh=is_first(section)),))


def region_at(section: Section, offset: int, template: Template) -> TextRegion | None:
    """Return the region at an offset; None in text outside of delimited regions."""
    for region in regions_by(template)(section):
        if region.start <= offset < max(region.end, region.start + 1) or (offset == region.end == section.length):
            return region if region.field is not None and region.field.open is not None else None
    return None
