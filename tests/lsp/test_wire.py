"""The messages of the protocol without a process, and bytes as messages, whatever the pieces they come in."""

from __future__ import annotations

import logging
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llmblocks.lsp.answers.convert import plain
from llmblocks.lsp.documents.plain import difference
from llmblocks.lsp.front.connections import Framer
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


headers = st.sampled_from(
    (
        b"Content-Length: %d\r\n\r\n",
        b"content-length:%d\n\n",
        b"Content-Type: x; charset=utf-8\r\nContent-Length: %d\r\n\r\n",
        b"CONTENT-LENGTH :  %d\r\nX: 1\r\n\r\n",
        b"Content-Length: 00000000000%d\r\n\r\n",
    )
)
bodies = st.binary(min_size=1, max_size=30).map(lambda body: body.replace(b"ontent", b""))
rubbish = st.sampled_from((b"", b"\r\n", b"Content-Length: x\r\n\r\n", b"X: 1\n\n", b"Content-Length: -1\r\n\r\n"))


@given(st.lists(st.tuples(rubbish, headers, bodies), max_size=6), st.lists(st.integers(1, 40), max_size=30))
def test_messages_do_not_depend_on_the_pieces_they_come_in(
    messages: list[tuple[bytes, bytes, bytes]], sizes: list[int]
) -> None:
    stream = b"".join(before + header % len(body) + body for before, header, body in messages)
    framer, found = Framer(), []
    rest = stream
    for size in sizes:
        found += framer.feed(rest[:size])
        rest = rest[size:]
    found += framer.feed(rest)
    lost = {before for before, _, _ in messages} - {b"", b"\r\n"}
    expected = [each for before, _, body in messages for each in ([b""] if before in lost else []) + [body]]
    assert found == expected
    assert framer.unfinished == 0


def test_a_length_that_no_message_has_is_lost_like_none() -> None:
    framer = Framer()
    assert framer.feed(b"Content-Length: 99999999999\r\n\r\n{}") == []
    assert framer.feed(b"Content-Length: 2\r\n\r\n{}") == [b"", b"{}"]


def test_noise_without_end_is_not_kept() -> None:
    framer = Framer()
    for _ in range(1000):
        framer.feed(b"noise " * 100)
    assert framer.unfinished < 40_000


@given(st.text("ab\n", max_size=12), st.text("ab\n", max_size=12))
def test_a_difference_makes_the_second_text_of_the_first(old: str, new: str) -> None:
    splice = difference(old, new)
    if splice is None:
        assert old == new
    else:
        assert old[: splice.start] + splice.text + old[splice.end :] == new
        kept = splice.start + len(old) - splice.end
        shared = min(len(old), len(new))
        assert kept <= shared
        assert not splice.text or old[splice.start : splice.end] != splice.text
