"""One scanner inside another: the text that the outer one leaves free is handed to the inner one."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from llmblocks.core.scan import Kind, Scanned, Scanner, Token


class Outer(Scanner, Protocol):
    """A scanner that can have another one inside.

    Shape: `free` are the kinds whose text belongs to the inner scanner; a token of a kind in `resets` puts the inner
           scanner back to its initial state.
    """

    @property
    def free(self) -> frozenset[Kind]: ...

    @property
    def resets(self) -> frozenset[Kind]: ...


class LayeredState(NamedTuple):
    outer: Any
    inner: Any


class Layered:
    """Two scanners as one.

    The inner scanner goes on where it was when other tokens of the outer one stood between; sections are the outer's.
    A marker of the outer format ends an unfinished marker of the inner one: `<thi` before a gadget call is text.
    """

    __slots__ = ("_free", "_resets", "free", "initial", "inner", "outer", "resets")

    def __init__(self, outer: Outer, inner: Scanner) -> None:
        self.outer = outer
        self.inner = inner
        self._free = outer.free
        self._resets = outer.resets
        self.free: frozenset[Kind] = getattr(inner, "free", frozenset())
        self.resets: frozenset[Kind] = outer.resets
        self.initial = LayeredState(outer.initial, inner.initial)

    def scan(self, text: str, start: int, stop: int, state: LayeredState, final: bool) -> Scanned:
        """See `Scanner.scan`."""
        outer_tokens, end, outer_state, head = self.outer.scan(text, start, stop, state.outer, final)
        free, resets, inner_state = self._free, self._resets, state.inner
        tokens: list[Token] = []
        at = start
        for index, token in enumerate(outer_tokens):
            kind, width = token
            if kind in free:
                upto = at + width
                undecided = not final and index + 1 == len(outer_tokens) and upto == end == stop
                at, inner_state = self._inside(text, at, upto, inner_state, not undecided, tokens)
                if at < upto:
                    return Scanned(
                        tokens, at, LayeredState(self._outer_state(text, start, at, state), inner_state), head
                    )
            else:
                tokens.append(token)
                at += width
                if kind in resets:
                    inner_state = self.inner.initial
        return Scanned(tokens, end, LayeredState(outer_state, inner_state), head)

    def _inside(self, text: str, at: int, upto: int, state: Any, final: bool, tokens: list[Token]) -> tuple[int, Any]:
        scan = self.inner.scan
        while at < upto:
            inner_tokens, end, state, _ = scan(text, at, upto, state, final)
            if end == at:
                break
            tokens += inner_tokens
            at = end
        return at, state

    def _outer_state(self, text: str, start: int, at: int, state: LayeredState) -> Any:
        """The outer state in the middle of a run of free text: what is before that place is decided already."""
        return self.outer.scan(text, start, at, state.outer, True).state if at > start else state.outer
