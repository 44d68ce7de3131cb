"""Messages in an outline: turns, and results of calls."""

from __future__ import annotations

from typing import Final

from llmblocks.contract.headings import LONGEST, Heading, Title, first_words, said_by
from llmblocks.core.scan import Kind
from llmblocks.request.editor import kinds
from llmblocks.request.editor.nesting import MESSAGE
from llmblocks.request.syntax.messages import RESULT_LINE


def _message(text: str, start: int, end: int) -> Title:
    begin = text.find("\n", end) + 1 or len(text)
    found = RESULT_LINE.match(text, begin)
    if found is not None:
        return said_by(f"Result {found['id']}", first_words(text, found.end(), found.end() + 4 * LONGEST))
    role = text[start:end].lower()
    # what an assistant says is mostly calls, which are entries of their own
    return said_by(role, "" if role == "assistant" else first_words(text, begin, begin + 4 * LONGEST))


HEADINGS: Final[dict[Kind, Heading]] = {kinds.ROLE: Heading("message", MESSAGE, _message)}
