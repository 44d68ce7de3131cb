"""Bytes into messages, whatever the pieces they come in."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from llmblocks.lsp.documents.plain import difference
from llmblocks.lsp.front.connections import Framer

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
