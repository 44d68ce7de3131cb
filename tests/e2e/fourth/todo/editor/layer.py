"""A list of things to do as a layer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from llmblocks.contract.answers import Subject
from llmblocks.contract.caret import Caret, Suggestion
from llmblocks.contract.decoded import Decode
from llmblocks.contract.layer import Layer
from llmblocks.contract.paint import as_whole
from llmblocks.contract.streaming import Streaming
from llmblocks.core.nest import Nesting

from ..scanner import COMMENT, DONE, OPEN, TITLE, TodoScanner  # noqa: TID252 - the folder joins a package


def _title(subject: Subject[object]) -> str:
    left = sum(each.kind is OPEN for each in subject.section.spans())
    return f"**List** `{subject.text[2:].strip()}`: {left} left"


def _complete(caret: Caret, _: object) -> Iterator[Suggestion]:
    if caret.before in ("", "-", "- ", "- ["):
        yield Suggestion("- [ ] ", len(caret.before), "Begins a task")


def _decoded() -> Decode[object]:
    from .decoded import decoded

    return decoded


def _streaming() -> Streaming[object]:
    from .streaming import STREAMING

    return STREAMING


LAYER: Final[Layer[object]] = Layer(
    name="todo",
    scanner=lambda _: TodoScanner(),
    nesting=Nesting(opens={TITLE: "list"}, closes={}, ends={"list": frozenset(("list",))}),
    hover=lambda: {TITLE: _title, DONE: lambda _: "Done"},
    paint=lambda: {
        TITLE: as_whole("type"),
        OPEN: as_whole("keyword"),
        DONE: as_whole("keyword"),
        COMMENT: as_whole("comment"),
    },
    complete=_complete,
    comments=frozenset((COMMENT,)),
    decoded=_decoded,
    streaming=_streaming,
)
