"""The parts of a tag around a place, for a growing selection."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from llmblocks.core.section import Section, Span
from llmblocks.tags import kinds

_PAIR = frozenset((kinds.EQUALS, kinds.QUOTE, kinds.VALUE))
_TAG = frozenset((*_PAIR, kinds.NAME, kinds.GAP, kinds.ATTRIBUTE))


def parts(_: Section, spans: Sequence[Span], number: int) -> Iterator[tuple[int, int]]:
    """Yield a value with its quotes, an attribute with its value, and the tag."""
    kind = spans[number].kind
    if kind not in _TAG and kind not in kinds.BRACKETS:
        return
    first = last = number
    while kind in _TAG and first > 0 and spans[first].kind in _TAG:
        first -= 1
    while last + 1 < len(spans) and spans[last].kind in _TAG | {kinds.OPENING, kinds.CLOSING}:
        last += 1
    yield spans[first].start, spans[last].end
    if kind not in _PAIR and kind is not kinds.ATTRIBUTE:
        return
    begin = end = number
    while begin > 0 and spans[begin].kind in _PAIR:
        begin -= 1
    while end + 1 < len(spans) and spans[end + 1].kind in _PAIR:
        end += 1
    yield spans[begin].start, spans[end].end
    quotes = [at for at in range(begin, end + 1) if spans[at].kind is kinds.QUOTE]
    if quotes and quotes[0] <= number <= quotes[-1]:
        yield spans[quotes[0]].start, spans[quotes[-1]].end
