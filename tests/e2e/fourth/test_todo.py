"""The template of a format equals a naive reader, which has no states and no chunks: the oracle of a new format."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hypothesis import example, given
from hypothesis import strategies as st

from e2e.fourth.todo.editor.streaming import Task, Title, TodoStream
from e2e.fourth.todo.scanner import TodoScanner
from laws import texts
from llmblocks.core.document import Document

PIECES = (*texts.TODO, "a", "words ", "\n", "\r\n", "<think>x</think>")
TEXTS = st.lists(st.sampled_from(PIECES), max_size=20).map("".join)


def naive(text: str) -> Iterator[tuple[str, str]]:
    """Yield the kind and the text of each token."""
    for line in re.findall(r".*\n|.+", text):
        sign, words = line[:6], line[6:]
        if sign in ("- [ ] ", "- [x] "):
            yield "done-task" if "x" in sign else "open-task", sign
            yield "task", words
        elif line.startswith("# "):
            yield "title", line
        else:
            yield "comment" if line.startswith("//") else "text", line


def merged(found: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Join neighbours of one kind, and leave out empty ones."""
    made: list[tuple[str, str]] = []
    for kind, part in found:
        if made and made[-1][0] == kind and not kind.endswith("-task"):
            part = made.pop()[1] + part
        made += [(kind, part)] if part else []
    return made


@given(TEXTS)
def test_its_tokens_are_those_of_a_naive_reader(text: str) -> None:
    document = Document(TodoScanner(), text)
    found, at = [], 0
    for kind, width in document.tokens():
        found.append((kind.name, text[at : at + width]))
        at += width
    assert found == merged([*naive(text)])
    assert [each.text for each in document.sections if each.text.startswith("# ")] == re.findall(
        r"^# .*(?:\n(?!# ).*)*\n?", text, re.MULTILINE
    )


@given(TEXTS, st.lists(st.integers(0, 9), max_size=20))
@example("# a", [3])
@example("# \n# list\n", [])
def test_its_events_are_those_of_a_naive_reader_however_the_text_is_cut(text: str, sizes: list[int]) -> None:
    stream, events, at = TodoStream(), list[object](), 0
    for size in sizes:
        events += stream.feed(text[at : at + size])
        assert text[: at + size].endswith(stream.held)
        at += size
    events += [*stream.feed(text[at:]), *stream.close()]
    expected: list[object] = []
    for kind, part in naive(text):
        if kind == "title":
            expected.append(Title(part[2:].strip()))
        elif kind.endswith("-task"):
            expected.append(Task(kind == "done-task"))
        elif kind != "comment":
            expected.append(part)
    assert "".join(map(str, events)) == "".join(map(str, expected))
