"""Calls and arguments in an outline."""

from __future__ import annotations

from typing import Final

from llmblocks.contract.headings import Heading, Title, first_words
from llmblocks.core.scan import Kind
from llmblocks.gadget import kinds
from llmblocks.gadget.editor.nesting import ARGUMENT, CALL
from llmblocks.gadget.syntax.header import split_header
from llmblocks.gadget.syntax.javascript import SPACE


def _call(text: str, start: int, end: int) -> Title:
    name, invocation_id, dependencies = split_header(text[start:end])
    # not every editor shows details, and calls of one gadget differ by their ids
    named = f"{name}:{invocation_id}" if invocation_id else name
    return Title(named, f"after {', '.join(dependencies)}" if dependencies else "")


def _argument(text: str, start: int, end: int) -> Title:
    return Title(text[start:end].strip(), first_words(text, end, _line_end(text, end + 1)))


def _gadget(text: str, start: int, end: int) -> str | None:
    # a header at the end of a text, without a line end, is not a call
    return None if end == len(text) else split_header(text[start:end]).name.strip(SPACE)


def _pointer(text: str, start: int, end: int) -> str:
    return text[start:end].strip(SPACE)


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return end if end >= 0 else len(text)


HEADINGS: Final[dict[Kind, Heading]] = {
    kinds.HEADER: Heading("call", CALL, _call, _gadget),
    kinds.POINTER: Heading("argument", ARGUMENT, _argument, _pointer),
}
