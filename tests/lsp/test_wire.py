"""The messages of the protocol, without a process."""

from __future__ import annotations

import logging
import os
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llmblocks.lsp.answers.plaintext import plain
from llmblocks.lsp.session.session import ServerSession
from llmblocks.lsp.wire.dispatch import MAX_ASKED, Arrival, Inbox
from llmblocks.lsp.wire.outbox import LineFormatter, Stderr, printable
from llmblocks.lsp.wire.rpc import decode, encode


def change(uri: str) -> Arrival:
    params = {"textDocument": {"uri": uri}, "contentChanges": []}
    return Arrival({"method": "textDocument/didChange", "params": params}, 1)


def test_changes_that_were_served_leave_nothing_behind() -> None:
    inbox = Inbox()
    for number in range(100):
        inbox.put(change(f"file:///never/opened/{number}"))
        inbox.put(change("file:///w/a"))
    for _ in range(200):
        assert inbox.will_change("file:///w/a") or not inbox.waiting()
        inbox.get()
    assert not inbox.will_change("file:///w/a")
    assert inbox._changing == {}


def test_a_client_that_answers_nothing_makes_nothing_grow() -> None:
    session = ServerSession("0", lambda _: None)
    session.serve(Arrival({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}, 1))
    for _ in range(3 * MAX_ASKED):
        session.dispatcher.ask("workspace/configuration", {}, lambda _: None)
    assert len(session.dispatcher._asked) == MAX_ASKED


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


def test_what_nobody_reads_of_standard_error_is_dropped_and_counted() -> None:
    source, sink = os.pipe()
    stream = Stderr(sink)
    written = 0
    while not stream._dropped:
        stream.write(f"line {written}\n" * 100)
        written += 100
    read = b""
    while b"were dropped" not in read:
        read += os.read(source, 1 << 20)
        stream.write("afterwards\n")
    assert read.count(b"line 0\n") == 100
    stream.finish()
    os.close(source)
    os.close(sink)


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
