"""The parts of tokens around a place, for a growing selection: arguments, and the values in JSON5."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from llmblocks.core.section import Section, Span
from llmblocks.json5.reader import ValuePlace, read
from llmblocks.stf import kinds
from llmblocks.stf.syntax.arguments import parse_arguments
from llmblocks.stf.syntax.dialect import SEMICOLON

_LONGEST = 1 << 16


def parts(section: Section, spans: Sequence[Span], number: int) -> Iterator[tuple[int, int]]:
    """Yield the stretches in one of the tokens of a section."""
    kind, start, end = spans[number]
    if kind not in (kinds.ARGUMENTS, kinds.BODY) or end - start > _LONGEST:
        return
    text = section.text[start:end]
    if kind is kinds.BODY:
        node = read(text).node
        if node is not None:
            yield from _inside(text, node, start)
        return
    # this dialect accepts everything that the other one does
    given = parse_arguments(text, 0, len(text), SEMICOLON)
    if given.node is not None:
        yield from _inside(text, given.node, start + given.at, given.at)
        return
    for each in given.items:
        yield start + each.key_start, start + each.value_end
        yield from _value(text, each.value_start, each.value_end, start)


def _inside(text: str, node: ValuePlace, start: int, at: int = 0) -> Iterator[tuple[int, int]]:
    """Yield a value and everything in it.

    Places in `node` count from `at` in the text, and from `start` in the section.
    """
    waiting = [node]
    while waiting:
        value = waiting.pop()
        yield from _value(text, value.start + at, value.end + at, start - at)
        for key, key_start, _, item in value.items:
            if isinstance(key, str):
                yield start + key_start, start + item.end
            waiting.append(item)


def _value(text: str, begin: int, end: int, start: int) -> Iterator[tuple[int, int]]:
    yield start + begin, start + end
    if end - begin > 1 and text[begin] == text[end - 1] and text[begin] in ("'", '"'):
        yield start + begin + 1, start + end - 1
