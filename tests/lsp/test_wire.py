"""The parts of the protocol without a session: bytes, logs, URIs, folders, the port of a host and the command line."""

from __future__ import annotations

import gc
import json
import logging
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llmblocks.cli.arguments import parse
from llmblocks.lsp.answers.convert import plain
from llmblocks.lsp.documents.plain import Documents, OpenDocument, difference
from llmblocks.lsp.front.connections import Framer
from llmblocks.lsp.port import MessagePort
from llmblocks.lsp.wire.outbox import LineFormatter, printable
from llmblocks.lsp.wire.rpc import decode, encode
from llmblocks.lsp.wire.uris import identity, name_of, path_of

Json = Any


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
    rest = b"".join(before + header % len(body) + body for before, header, body in messages)
    framer, found = Framer(), []
    for size in [*sizes, len(rest)]:
        found += framer.feed(rest[:size])
        rest = rest[size:]
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


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("file:///c%3A/a", "file:///c:/a", True),
        ("file:///w/a%20b", "file:///w/a b", True),
        ("file:///w/%C3%BC", "file:///w/ü", True),
        ("file:///w/a%2fb", "file:///w/a%2Fb", True),
        ("file:///w/%3f%23", "file:///w/%3F%23", True),
        ("file:///w/%61", "file:///w/a", True),
        # an escape means something
        ("file:///w/a%23b", "file:///w/a#b", False),
        ("file:///w/a%3Fb", "file:///w/a?b", False),
        ("file:///w/a%2Fb", "file:///w/a/b", False),
        ("file:///w/a%2523b", "file:///w/a%23b", False),
        ("file:///w/a%2541", "file:///w/aA", False),
        ("file:///w/%FF", "file:///w/%FE", False),
        ("file:///w/A", "file:///w/a", False),
    ],
)
def test_a_document_is_the_same_however_its_uri_is_encoded(one: str, other: str, is_same: bool) -> None:
    assert (identity(one) == identity(other)) is is_same
    documents = Documents()
    documents.put(OpenDocument(one, "gadget", 1))
    assert (documents.get(other) is documents.get(one)) is is_same
    if is_same:
        documents.remove(other)
        assert list(documents) == []
    else:
        documents.put(OpenDocument(other, "gadget", 2))
        assert [document.uri for document in documents] == [one, other]


@pytest.mark.skipif(os.name == "nt", reason="the paths are those of POSIX")
@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///w/a.gadget", "/w/a.gadget"),
        ("file://localhost/w/a%20b", "/w/a b"),
        ("FILE:///w/a", "/w/a"),
        ("file:///w/../outside/a", "/outside/a"),
        ("file:///w/%2E%2E/outside/a", "/outside/a"),
        ("file:///w/./b//a", "/w/b/a"),
        ("file:///../../a", "/a"),
        ("file:///w/a#b", "/w/a"),
        ("file:///w/a%23b", "/w/a#b"),
        ("file:///w/%FF", "/w/\udcff"),
        ("file:///c:/w/a", "/c:/w/a"),
        *((f"file:{each}", None) for each in ("///w/\ud800", "w/a", "", "///w/a%00b", "//[::1/w")),
        ("untitled:Untitled-1", None),
        ("", None),
    ],
)
def test_a_file_uri_is_an_absolute_path_without_detours(uri: str, path: str | None) -> None:
    assert path_of(uri) == path


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///c:/w/a.gadget", "C:\\w\\a.gadget"),
        ("file:///C%3A/w/a%20b", "C:\\w\\a b"),
        ("file:///d:/w/../x/./a", "D:\\x\\a"),
        ("file://server/share/a.stf", "\\\\server\\share\\a.stf"),
        ("file:///c:w/a", None),
        ("untitled:Untitled-1", None),
    ],
)
def test_a_file_uri_is_a_path_of_windows(uri: str, path: str | None) -> None:
    assert path_of(uri, windows=True) == path


def test_the_case_of_a_drive_says_nothing_on_windows_alone() -> None:
    one, other = "file:///C%3A/w/a", "FILE:///c:/w/a"
    assert identity(one, windows=True) == identity(other, windows=True) == "file:///c:/w/a"
    assert identity(one, windows=False) != identity(other, windows=False)
    # only the drive
    assert identity("file:///c:/w/A", windows=True) != identity("file:///c:/w/a", windows=True)


@pytest.mark.parametrize(
    ("uri", "name"),
    [
        ("file:///w/a%20b.stf", "a b.stf"),
        ("file:///w/a:b", "a:b"),
        ("untitled:Untitled-1", "Untitled-1"),
        ("untitled:/w/new.stf", "new.stf"),
        ("odd", "odd"),
    ],
)
def test_a_title_has_the_name_of_a_file(uri: str, name: str) -> None:
    assert name_of(uri) == name


EMBEDS = "@user\n@embed type=image\na.png\n@embed type=image\nsub/../../b.png\n"
INSIDE, OUTSIDE = ("S205", 2), ("S205", 4)


@pytest.mark.parametrize(
    ("visible", "expected"),
    [(None, []), ("chats", [INSIDE]), ("chats/", [INSIDE]), ("", [INSIDE, OUTSIDE]), ("cha", [])],
)
def test_a_port_misses_files_only_where_its_host_lets_it_look(
    tmp_path: Path, visible: str | None, expected: list[tuple[str, int]]
) -> None:
    told: list[Json] = []
    port = MessagePort("0", lambda message: told.append(json.loads(message)))
    if visible is not None:
        port.see(f"{tmp_path.as_posix()}/{visible}".removesuffix("/" * (not visible)))

    def send(method: str, **message: Json) -> None:
        port.receive(json.dumps({"jsonrpc": "2.0", "method": method, **message}))
        while port.step():
            pass

    send("initialize", id=1, params={"capabilities": {}})
    item = {"uri": (tmp_path / "chats" / "chat.stf").as_uri(), "languageId": "stf", "version": 0, "text": EMBEDS}
    send("textDocument/didOpen", params={"textDocument": item})
    # the port has disabled it
    gc.enable()
    [found] = [m["params"]["diagnostics"] for m in told if m.get("method") == "textDocument/publishDiagnostics"]
    assert [(each["code"], each["range"]["start"]["line"]) for each in found] == expected


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("", {"tcp": None, "ws": None, "log_level": "warning", "clientProcessId": None}),
        ("--stdio", {"stdio": True}),
        ("--stdio --clientProcessId=42", {"clientProcessId": 42}),
        ("--tcp 2087", {"tcp": ("127.0.0.1", 2087)}),
        ("--tcp=0.0.0.0:2087", {"tcp": ("0.0.0.0", 2087)}),
        ("--tcp [::1]:2087", {"tcp": ("::1", 2087)}),
        ("--log-file a=b.log --log-level DEBUG", {"log_file": "a=b.log", "log_level": "debug"}),
        *((each, None) for each in ("--port 1", "x", "--tcp", "--tcp a:b", "--tcp=", "--tcp 65536")),
        ("--log-level loud", None),
    ],
)
def test_arguments_of_the_server_are_read_or_refused(arguments: str, expected: dict[str, object] | None) -> None:
    if expected is None:
        with pytest.raises(SystemExit, match="2"):
            parse(["server", *arguments.split()])
    else:
        given, _ = parse(["server", *arguments.split()])
        assert {name: getattr(given, name) for name in expected} == expected
