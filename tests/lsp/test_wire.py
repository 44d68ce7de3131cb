"""The messages of the protocol, without a process."""

from __future__ import annotations

import logging
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llmblocks.lsp.answers.convert import plain
from llmblocks.lsp.wire.outbox import LineFormatter, printable
from llmblocks.lsp.wire.rpc import decode, encode


def test_brackets_in_a_text_are_a_text() -> None:
    assert decode(encode({"params": {"text": "[{" * 1000}}))["params"]["text"].startswith("[{")


@given(st.text())
def test_a_log_line_is_one_line(text: str) -> None:
    assert printable(text).isprintable()
    assert text.isprintable() == (printable(text) == text)
    record = logging.LogRecord("n", logging.ERROR, "p", 1, "%s", (text,), None)
    try:
        raise ValueError(text)
    except ValueError:
        record.exc_info = sys.exc_info()
    first, *traceback = LineFormatter("%(levelname)s %(message)s").format(record).split("\n")
    assert first == f"ERROR {printable(text)}"
    assert all(line.startswith("  ") and line.isprintable() for line in traceback)


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("**bold** and *light*", "bold and light"),
        ("`code_with_*stars*` `` ` ``", "code_with_*stars* `"),
        ("# Head\n\ntext", "Head\n\ntext"),
        ("see [the page](https://example.com/a_b)", "see the page (https://example.com/a_b)"),
        ('```json\n{"a": `1`, **b**}\n```\nafter', '{"a": `1`, **b**}\nafter'),
        (r"2 \* 3 \_ 4", "2 * 3 _ 4"),
        ("2 * 3 * 4, a*b*c, snake_case_name", "2 * 3 * 4, a*b*c, snake_case_name"),
        ("`!!!ARG:a\\b`", "!!!ARG:a\\b"),
        ("- one\n- two", "- one\n- two"),
    ],
)
def test_markdown_becomes_the_text_that_a_reader_sees(markdown: str, text: str) -> None:
    assert plain(markdown) == text
