"""The rules of pointers and values, on texts that a Markdown file cannot hold. The others are in G104.md to G119.md."""

from __future__ import annotations

import pytest

from llmblocks import check
from marked import unmark

START = "!!!GADGET_START:G\n"
END = "!!!GADGET_END\n"


@pytest.mark.parametrize(
    "body",
    [
        "!!!ARG:\n^^^^^^^ G106\n9007199254740993\n!!!ARG:\n^^^^^^^ G106\na\rb\n!!!ARG:a\nx\n",
        "!!!ARG:\n^^^^^^^ G106\na\rb\n",
        "!!!ARG:a\r\n42\r\n!!!ARG:b\r\nx\r\n",  # trimmed, both
        "!!!ARG:a\n" + "1" * 310 + "\n",  # too large for a number: it stays text
    ],
)
def test_the_findings_of_a_text_are_those_that_are_marked(body: str) -> None:
    text, marks = unmark(START + body + END)
    assert [(each.code, each.start, each.end) for each in check(text, "gadget")] == [tuple(mark) for mark in marks]


def test_white_space_at_the_end_of_a_call_without_an_end_marker_is_not_reported() -> None:
    assert [each.code for each in check(START + "!!!ARG:a\nx  \n\n", "gadget")] == ["G008"]
