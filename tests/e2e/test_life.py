"""A long life: nothing grows, bursts are reported of once, odd names are logged on one line."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from lsp.log_editor import TWICE, Editor
from wire import PATIENCE_S, SERVER, Json, Wire, did_change, did_close, did_open, insertion, replacement

URI = "file:///w/a.gadget"
TOP = {"line": 0, "character": 0}
FILE = "a.gadget"


def test_nothing_grows_over_50_000_edits() -> None:
    with Wire() as wire:
        wire.initialize()
        wire.send(did_open(URI, TWICE * 200))
        version = 0

        def edit(count: int) -> None:
            nonlocal version
            batch = 500
            for _ in range(count // batch):
                for number in range(batch // 2):
                    line = number % 600
                    wire.send(did_change(URI, version + 1, insertion(line, 2, "x\n")))
                    version += 2
                    wire.send(did_change(URI, version, replacement((line, 2), (line + 1, 0), "")))
                wire.diagnostics(URI, version)
                wire.received.clear()

        edit(10_000)
        # in its first pause the server loads what collects garbage, once
        while wire.pump(2):
            pass
        early = wire.most_rss()
        edit(40_000)
        late = wire.most_rss()
        assert late < early * 1.05, f"{early / 1e6:.1f} MB up to 10,000 edits, {late / 1e6:.1f} MB up to 50,000"
        assert wire.result("text", "textDocument/foldingRange", {"textDocument": {"uri": URI}})
        assert wire.end() == 0


def test_nothing_grows_when_large_documents_are_added_and_removed() -> None:
    with Wire() as wire:
        wire.initialize()
        most = []
        for number in range(12):
            uri = f"file:///w/{number}.gadget"
            wire.send(did_open(uri, TWICE * 10_000))
            wire.diagnostics(uri, 0)
            wire.send(did_change(uri, 1, insertion(1, 8, "b")))
            wire.diagnostics(uri, 1)
            wire.send(did_close(uri))
            wire.result(f"closed {number}", "textDocument/hover", {"textDocument": {"uri": uri}, "position": TOP})
            most.append(wire.most_rss())
            wire.received.clear()
        # a document takes more than half of it: eight that stay would be four times as much
        assert most[-1] < most[3] * 1.2, [round(size / 1e6) for size in most]
        assert wire.end() == 0


def test_a_large_document_full_of_findings_and_names_has_twelve_times_its_text_resident() -> None:
    call = (
        "{0} is written next, then the tests run again.\n!!!GADGET_START:Write:w{0}:none_{0}\n!!!ARG:path\n{0}.ts\n"
        + ("!!!ARG:content\nconst value = compute({0}, options);\n!!!ARG:path\nother/{0}.ts\n!!!GADGET_END\n\n")
    )
    # 10 MB: of 4, what a process has besides is a twentieth
    text = "".join([call.format(number) for number in range(50_000)])
    with Wire() as wire:
        wire.initialize()
        wire.send(did_open(URI, text[:10_000]))
        wire.diagnostics(URI, 0)
        before = wire.rss()
        wire.send(did_open(URI, text, version=1))
        wire.diagnostics(URI, 1)
        until = time.monotonic() + PATIENCE_S
        while (held := wire.rss() - before) > 12 * len(text) and time.monotonic() < until:
            # what only the opening needed is given back once nothing waits
            wire.pump(0.1)
        assert held <= 12 * len(text), f"{held / len(text):.1f} times the text"
        assert wire.end() == 0


def test_a_document_that_is_not_open_is_not_read(tmp_path: Path) -> None:
    editor = Editor(tmp_path, workspace=True)
    editor.write(FILE, TWICE)
    assert editor.at("hover", FILE, "!!!$0") is None
    assert editor.of("foldingRange", FILE) == editor.pull(FILE) == []
    editor.replace(FILE, 0, 0, 0, "x")
    editor.close(FILE)
    assert editor.told.get(editor.uri(FILE), []) == []


def test_the_default_limit_is_50_megabytes(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    editor.open(FILE, "word word\n" * 5_100_000)
    (notice,) = editor.told[editor.uri(FILE)]
    assert "51.0 MB" in notice["message"]


def test_a_client_is_sent_diagnostics_or_fetches_them(tmp_path: Path) -> None:
    pushes = {"llmblocks": {"diagnostics": {"delivery": "push"}}}
    for pulls, options, fetches in ((False, {}, False), (True, pushes, False), (True, {}, True)):
        editor = Editor(tmp_path, pulls=pulls, options=options)
        assert ("diagnosticProvider" in editor.capabilities) is fetches
        editor.open(FILE, TWICE)
        assert (editor.told == {}) is fetches
        assert (editor.pull(FILE) if fetches else editor.codes(FILE)) == ["G101"]
        editor.close(FILE)
        assert (editor.told == {}) is fetches


@pytest.mark.parametrize(
    ("offered", "chosen", "character"),
    [
        (["utf-16", "utf-32"], "utf-32", 10),
        (["utf-8", "utf-16"], "utf-16", 11),
        (["utf-8"], "utf-8", 14),
        *((each, "utf-16", 11) for each in (["latin-1"], "utf-8", None)),
    ],
)
def test_the_position_encoding_is_the_cheapest_that_is_offered(
    tmp_path: Path, offered: Json, chosen: str, character: int
) -> None:
    editor = Editor(tmp_path, general={"positionEncodings": offered})
    assert editor.capabilities["positionEncoding"] == chosen
    editor.open(FILE, "!!!GADGET_START:G\n!!!ARG:a\n1\né😀 !!!ARG:a\n2\n")
    (found,) = [each for each in editor.told[editor.uri(FILE)] if each["code"] == "G101"]
    assert found["range"]["start"] == {"line": 3, "character": character}


@pytest.mark.parametrize("formats", [None, ["markdown"], ["markdown", "plaintext"], "plaintext", [3]])
def test_every_other_client_gets_markdown(tmp_path: Path, formats: Json) -> None:
    editor = Editor(tmp_path, textDocument={"hover": {"contentFormat": formats}})
    editor.open(FILE, TWICE)
    assert editor.at("hover", FILE, "!!!$0ARG", TWICE)["contents"]["kind"] == "markdown"


def test_a_burst_of_changes_is_published_once() -> None:
    with Wire() as wire:
        wire.initialize()
        wire.send(did_open(URI, TWICE))
        wire.diagnostics(URI, 0)
        wire.send(*(did_change(URI, version, insertion(2, 0, "7")) for version in range(1, 201)))
        wire.diagnostics(URI, 200)
        published = [m["params"] for m in wire.received if m.get("method") == "textDocument/publishDiagnostics"]
        versions = [each["version"] for each in published]
        assert versions == sorted(versions)
        assert len(versions) <= 20, versions


def test_the_log_has_one_line_for_each_record(tmp_path: Path) -> None:
    log = tmp_path / "log"
    forged = "file:///w/a\n2026-01-01 00:00:00,000 ERROR llmblocks: forged\r\x1b[31m\u2028\x85\u202e\ud800"
    with Wire((*SERVER, "--log-file", str(log))) as wire:
        wire.initialize()
        wire.send(did_change(forged, 1, insertion(0, 0, "x")))
        assert wire.end() == 0
    (line,) = log.read_text("utf-8").split("\n")[:-1]
    assert line.isprintable()
    assert "a\\n2026-01-01" in line
