"""A scanner inside another: the outer one's free text goes to the inner one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Protocol, TypeVar, cast

from llmblocks.core.scan import Cut, Kind, Scanned, Scanner, Token


class Outer(Scanner, Protocol):
    """A scanner that can contain another one. Its states have `crlf` if the format can read `\\r\\n` as `\\n`.

    Attributes:
        free: The kinds of tokens whose text belongs to the inner scanner.
        resets: The kinds of tokens after which the inner scanner starts from its initial state.
    """

    @property
    def free(self) -> frozenset[Kind]: ...

    @property
    def resets(self) -> frozenset[Kind]: ...

    def inside(self, text: str, start: int, at: int, stop: int, state: Any) -> Any:
        """Return the state inside free text that a scan from `start` to `stop` in `state` found."""


class LayeredState(NamedTuple):
    """The states of both scanners."""

    outer: Any
    inner: Any
    fresh: bool
    """Whether the inner scanner has read nothing since its last reset."""


_State = TypeVar("_State")


def state_in(state: object, kind: type[_State]) -> _State | None:
    """Find the state of one format's scanner by its type; None if the formats around it are reading."""
    while isinstance(state, LayeredState) and not isinstance(state.outer, kind):
        state = state.inner
    found = state.outer if isinstance(state, LayeredState) else state
    return found if isinstance(found, kind) else None


def reads_crlf(state: Any) -> bool:
    """Return whether a format around the innermost one reads `\\r\\n` as `\\n`, given the scanner's state."""
    while isinstance(state, LayeredState) and not getattr(state.outer, "crlf", False):
        state = state.inner
    return isinstance(state, LayeredState)


class Layered:
    """Two scanners combined.

    The inner scanner keeps its state across other tokens of the outer one. A section begins where the outer scanner
    begins one, and where an inner scanner that `divides` begins one. A section of the outer scanner and the first
    section inside it are one. A marker of the outer format ends an unfinished marker of the inner one: `<thi` before a
    gadget call is text.

    Attributes:
        others: The inner scanners of kinds of free text with a separate inner scanner.
    """

    __slots__ = ("_free", "_others", "_resets", "_state", "divides", "initial", "inner", "outer")

    def __init__(self, outer: Outer, inner: Scanner, others: Mapping[Kind, Scanner] | None = None) -> None:
        self.outer = outer
        self.inner = inner
        self.divides = getattr(outer, "divides", False)
        self._others = others
        self._free = outer.free
        self._resets = outer.resets
        # there are few different states among very many sections
        self._state = lru_cache(maxsize=1024, typed=True)(LayeredState)
        self.initial = LayeredState(outer.initial, inner.initial, True)

    def scan(self, text: str, start: int, stop: int, state: LayeredState, final: bool) -> Scanned:
        """See `Scanner.scan`."""
        outer_tokens, end, outer_state, head, _ = self.outer.scan(text, start, stop, state.outer, final)
        free, resets, scan, others = self._free, self._resets, self.inner.scan, self._others
        inner, fresh = state.inner, state.fresh
        cuts_here = getattr(self.inner, "divides", False)
        cuts: list[Cut] = []
        tokens: list[Token] = []
        at, last = start, len(outer_tokens) - 1
        for index, token in enumerate(outer_tokens):
            kind, width = token
            if kind not in free:
                tokens.append(token)
                at += width
                if kind in resets:
                    inner, fresh = self.inner.initial, True
                continue
            if others is not None:
                scanner = others.get(kind, self.inner)
                scan, cuts_here = scanner.scan, getattr(scanner, "divides", False)
                if fresh:
                    inner = scanner.initial
            upto = at + width
            decided = final or index < last or upto < end or end < stop
            while at < upto:
                found = scan(text, at, upto, inner, decided)
                if found.end == at:
                    outer_state = self.outer.inside(text, start, at, stop, state.outer)
                    here = self._state(outer_state, inner, fresh)
                    return Scanned(tokens, at, here, head, self._cuts(text, start, stop, state.outer, cuts))
                if cuts_here and found.head and not fresh:
                    if at == start:
                        head = True
                    else:
                        cuts.append(Cut(at, len(tokens), inner))
                cuts += [Cut(cut.offset, len(tokens) + cut.token, cut.state) for cut in found.cuts if cuts_here]
                tokens += found.tokens
                at, inner, fresh = found.end, found.state, False
        here = self._state(outer_state, inner, fresh)
        return Scanned(tokens, end, here, head, self._cuts(text, start, stop, state.outer, cuts))

    def _cuts(self, text: str, start: int, stop: int, outer: Any, cuts: list[Cut]) -> tuple[Cut, ...]:
        """Return the cuts of the inner scanner, with the state of the outer one at each of them."""
        if not cuts:
            return ()
        found = []
        at = start
        for offset, token, inner in cuts:
            outer = self.outer.inside(text, at, offset, stop, outer)
            at = offset
            found.append(Cut(offset, token, self._state(outer, inner, False)))
        return tuple(found)


def nested(scanners: Sequence[tuple[str, Scanner]]) -> Scanner:
    """Nest several scanners, given outermost first, each with the name of its format.

    A scanner may have `only`: by kind of free text, the names of the only formats that can be inside. Between two
    resets, all free text of such a scanner is of one kind.
    """
    (_, outer), *inside = scanners
    if not inside:
        return outer
    around = cast("Outer", outer)
    only: Mapping[Kind, frozenset[str]] = getattr(outer, "only", {})
    others = {kind: nested([each for each in inside if each[0] in names]) for kind, names in only.items()}
    return Layered(around, nested(inside), others or None)
