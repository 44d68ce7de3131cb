"""The parts of tokens around a place, for a growing selection: arguments, and the values in JSON5."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from llmblocks.core.section import Section, Span
from llmblocks.json5.reader import ValuePlace, read
from llmblocks.stf import kinds
from llmblocks.stf.editor.command_lines import command_lines
from llmblocks.stf.syntax.arguments import LONGEST_BLOCK


def parts(section: Section, spans: Sequence[Span], number: int) -> Iterator[tuple[int, int]]:
    """Yield the stretches in one of the tokens of a section."""
    kind, start, end = spans[number]
    text = section.text
    if kind is kinds.BODY and end - start <= LONGEST_BLOCK:
        yield from _inside(text, read(text[start:end]).node, start)
    elif kind is kinds.ARGUMENTS:
        given = command_lines(section)[start].arguments
        yield from _inside(text, given.node, given.at)
        for each in () if given.braces else given.items:
            yield each.key_start, each.value_end
            yield from _value(text, each.value_start, each.value_end)


def _inside(text: str, node: ValuePlace | None, at: int) -> Iterator[tuple[int, int]]:
    """Yield a value and everything in it. Places in `node` count from `at`."""
    waiting = [node] if node is not None else []
    while waiting:
        value = waiting.pop()
        yield from _value(text, at + value.start, at + value.end)
        for key, key_start, _, item in value.items:
            if isinstance(key, str):
                yield at + key_start, at + item.end
            waiting.append(item)


def _value(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    yield start, end
    if end - start > 1 and text[start] == text[end - 1] and text[start] in ("'", '"'):
        yield start + 1, end - 1
