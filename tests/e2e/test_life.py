"""A long life: nothing grows, odd names work, what is too large is said to be, bursts are reported of once."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from wire import (
    PATIENCE_S,
    SERVER,
    Here,
    Json,
    Wire,
    did_change,
    did_close,
    did_open,
    insertion,
    notification,
    replacement,
    request,
)

URI = "file:///w/a.gadget"
TOP = {"line": 0, "character": 0}
DUPLICATE = "!!!GADGET_START:G\n!!!ARG:a\n1\n!!!ARG:a\n2\n!!!GADGET_END\n"


def test_nothing_grows_over_50_000_edits() -> None:
    with Wire() as wire:
        wire.initialize()
        wire.send(did_open(URI, DUPLICATE * 200))
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
            wire.send(did_open(uri, DUPLICATE * 10_000))
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
    file = tmp_path / "a.gadget"
    file.write_text(DUPLICATE)
    with Here() as wire:
        wire.initialize(rootUri=tmp_path.as_uri())
        uri = {"uri": file.as_uri()}
        where = {"textDocument": uri, "position": {"line": 0, "character": 3}}
        assert wire.result(1, "textDocument/hover", where) is None
        assert wire.result(2, "textDocument/foldingRange", {"textDocument": uri}) == []
        assert wire.result(3, "textDocument/diagnostic", {"textDocument": uri})["items"] == []
        wire.send(did_change(file.as_uri(), 1, insertion(0, 0, "x")), did_close(file.as_uri()))
        assert wire.end() == 0


def test_the_default_limit_is_50_megabytes() -> None:
    with Here() as wire:
        wire.initialize()
        wire.send(did_open(URI, "word word\n" * 5_100_000))
        (notice,) = wire.diagnostics(URI, 0)
        assert "51.0 MB" in notice["message"]


def test_a_burst_of_changes_is_published_once() -> None:
    with Here() as wire:
        wire.initialize()
        wire.send(did_open(URI, DUPLICATE))
        wire.diagnostics(URI, 0)
        wire.send(*(did_change(URI, version, insertion(2, 0, "7")) for version in range(1, 201)))
        wire.diagnostics(URI, 200)
        versions = [
            m["params"]["version"] for m in wire.received if m.get("method") == "textDocument/publishDiagnostics"
        ]
        assert versions == sorted(versions)
        assert len(versions) <= 10, versions


def test_no_diagnostics_come_for_a_document_that_was_closed_meanwhile() -> None:
    with Here() as wire:
        wire.initialize()
        wire.send(did_open(URI, DUPLICATE), did_change(URI, 1, insertion(0, 0, "x")), did_close(URI))
        wire.send(request(1, "shutdown"))
        wire.reply(1)
        last = [m["params"] for m in wire.received if m.get("method") == "textDocument/publishDiagnostics"][-1]
        assert last == {"uri": URI, "diagnostics": []}


def test_findings_beyond_the_most_are_counted_in_a_last_one() -> None:
    with Here() as wire:
        wire.initialize()
        wire.send(did_open(URI, DUPLICATE * 1005))
        found = wire.diagnostics(URI, 0)
        assert [each.get("code") for each in found[:1000]] == ["G101"] * 1000
        assert len(found) == 1001
        assert found[-1]["message"].startswith("5 more findings are not shown")
        wire.send(
            notification("workspace/didChangeConfiguration", {"settings": {"diagnostics": {"maxPerDocument": 3}}})
        )
        wire.send(did_change(URI, 1, insertion(0, 0, "x\n")))
        assert len(wire.diagnostics(URI, 1)) == 4


def test_a_client_that_fetches_diagnostics_is_not_sent_any() -> None:
    pulling: Json = {"textDocument": {"diagnostic": {}, "publishDiagnostics": {}}}
    with Here() as wire:
        assert wire.initialize(capabilities=pulling)["diagnosticProvider"]["workspaceDiagnostics"] is False
        wire.send(did_open(URI, DUPLICATE))
        ask: Json = {"textDocument": {"uri": URI}}
        first = wire.result(1, "textDocument/diagnostic", ask)
        assert (first["kind"], [each["code"] for each in first["items"]]) == ("full", ["G101"])
        known = first["resultId"]
        assert wire.result(2, "textDocument/diagnostic", ask | {"previousResultId": known}) == {
            "kind": "unchanged",
            "resultId": known,
        }
        wire.send(did_change(URI, 1, insertion(1, 8, "b")))
        second = wire.result(3, "textDocument/diagnostic", ask | {"previousResultId": known})
        assert (second["kind"], second["items"]) == ("full", [])
        assert second["resultId"] != known
        wire.send(did_close(URI), request(5, "shutdown"))
        wire.reply(5)
        assert not [m for m in wire.received if m.get("method") == "textDocument/publishDiagnostics"]


def test_a_client_that_does_not_fetch_is_sent_them_and_offered_no_pull() -> None:
    with Here() as wire:
        assert "diagnosticProvider" not in wire.initialize()
        options = {"llmblocks": {"diagnostics": {"delivery": "push"}}}
    with Here() as wire:
        pulling: Json = {"textDocument": {"diagnostic": {}}}
        assert "diagnosticProvider" not in wire.initialize(capabilities=pulling, initializationOptions=options)
        wire.send(did_open(URI, DUPLICATE))
        assert wire.codes(URI, 0) == ["G101"]


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (["utf-16", "utf-32"], "utf-32"),
        (["utf-8", "utf-16"], "utf-16"),
        (["utf-8"], "utf-8"),
        (["latin-1"], "utf-16"),
        ("utf-8", "utf-16"),
        (None, "utf-16"),
    ],
)
def test_the_position_encoding_is_the_cheapest_that_is_offered(offered: Json, chosen: str) -> None:
    with Here() as wire:
        capabilities = wire.initialize(capabilities={"general": {"positionEncodings": offered}})
        assert capabilities["positionEncoding"] == chosen
        wire.send(did_open(URI, "!!!GADGET_START:G\n!!!ARG:a\n1\né😀 !!!ARG:a\n2\n"))
        (found,) = [each for each in wire.diagnostics(URI, 0) if each["code"] == "G101"]
        start = {"utf-8": 14, "utf-16": 11, "utf-32": 10}[chosen]
        assert found["range"]["start"] == {"line": 3, "character": start}


@pytest.mark.parametrize("formats", [None, ["markdown"], ["markdown", "plaintext"], "plaintext", [3]])
def test_every_other_client_gets_markdown(formats: Json) -> None:
    where = {"textDocument": {"uri": URI}, "position": {"line": 1, "character": 4}}
    with Here() as wire:
        wire.initialize(capabilities={"textDocument": {"hover": {"contentFormat": formats}}})
        wire.send(did_open(URI, DUPLICATE))
        assert wire.result(1, "textDocument/hover", where)["contents"]["kind"] == "markdown"


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
