"""Settings from every side, over real stdio: odd ones are findings, and the server goes on with the defaults."""

from __future__ import annotations

from pathlib import Path

import pytest

from wire import Json, Wire, did_change, did_open, insertion, notification

URI = "file:///w/a.gadget"
CUSTOM = "<<G\n--a\n1\n--a\n2\n>>\n"
MARKERS = {"gadget": {"markers": {"start": "<<", "end": ">>", "arg": "--"}}}
ASKS: Json = {"workspace": {"configuration": True}}


@pytest.mark.parametrize("answer", [[None], [{}], None, [], [{"stf": None}]], ids=repr)
def test_no_settings_are_the_defaults(answer: Json) -> None:
    with Wire() as wire:
        wire.answers["workspace/configuration"] = answer
        wire.initialize(capabilities=ASKS)
        wire.wait(lambda m: m.get("method") == "workspace/configuration")
        wire.send(did_open(URI, "!!!GADGET_START:G\n!!!ARG:a\n1\n!!!ARG:a\n2\n"))
        assert wire.codes(URI, 0) == ["G101"]


@pytest.mark.parametrize(
    "answer", ["odd", 5, [[]], ["odd"], [{"diagnostics": "odd"}], [{"files": {"maxSizeMB": "big"}}]], ids=repr
)
def test_odd_settings_are_a_finding_and_the_defaults_hold(answer: Json) -> None:
    with Wire() as wire:
        wire.answers["workspace/configuration"] = answer
        wire.initialize(capabilities=ASKS)
        wire.wait(lambda m: m.get("method") == "workspace/configuration")
        wire.result(1, "textDocument/diagnostic", {"textDocument": {"uri": URI}})
        wire.send(did_open(URI, "!!!GADGET_START:G\n!!!ARG:a\n1\n!!!ARG:a\n2\n"))
        assert wire.codes(URI, 0) == ["C001", "G101"]
        assert not [m for m in wire.received if m.get("method") == "window/showMessage"]
        wire.answers["workspace/configuration"] = [None]
        wire.send(notification("workspace/didChangeConfiguration", {"settings": None}))
        wire.send(did_change(URI, 1, insertion(0, 0, "x")))
        wire.wait(lambda m: [d["code"] for d in m.get("params", {}).get("diagnostics", [{"code": 0}])] == ["G101"])
        assert wire.end() == 0


def test_settings_that_change_hold_for_documents_that_are_open() -> None:
    with Wire() as wire:
        wire.initialize()
        wire.send(did_open(URI, CUSTOM))
        assert wire.codes(URI, 0) == []
        wire.send(notification("workspace/didChangeConfiguration", {"settings": {"llmblocks": MARKERS}}))
        wire.send(did_change(URI, 1, insertion(0, 3, "x")))
        assert wire.codes(URI, 1) == ["G101"]
        wire.send(did_change(URI, 2, insertion(1, 3, "b")))
        assert wire.codes(URI, 2) == []


def test_initialization_options_are_settings() -> None:
    with Wire() as wire:
        wire.initialize(initializationOptions=MARKERS)
        wire.send(did_open(URI, CUSTOM))
        assert wire.codes(URI, 0) == ["G101"]


def test_a_settings_file_of_the_project_decides_and_its_mistakes_are_findings_in_it(tmp_path: Path) -> None:
    inner = tmp_path / "chats"
    inner.mkdir()
    settings, document = tmp_path / "llmblocks.toml", (inner / "a.gadget").as_uri()
    settings.write_text('[gadget.markers]\nstart = "<<"\nend = ">>"\narg = "--"\n[difnostics]\nmaxPerDocument = 3\n')
    with Wire() as wire:
        wire.initialize(rootUri=tmp_path.as_uri(), initializationOptions={"gadget.markers.start": "%%"})
        wire.send(did_open(document, CUSTOM))
        assert wire.codes(document, 0) == ["G101"]
        told = wire.wait(lambda m: m.get("params", {}).get("uri") == settings.as_uri())["params"]["diagnostics"]
        assert [(each["code"], each["range"]["start"]["line"]) for each in told] == [("C002", 4)]

        settings.write_text("[rules]\nignore = ['G101']\n[gadget.markers]\nstart='<<'\nend='>>'\narg='--'\n")
        changed = {"changes": [{"uri": settings.as_uri(), "type": 2}]}
        count = len(wire.received)
        wire.send(notification("workspace/didChangeWatchedFiles", changed))
        wire.send(did_change(document, 1, insertion(0, 3, "x")))
        assert wire.codes(document, 1) == []
        mended = wire.wait(lambda m: m.get("params", {}).get("uri") == settings.as_uri(), since=count)
        assert mended["params"]["diagnostics"] == []

        settings.write_bytes(b"\xff\xff")
        wire.send(notification("workspace/didChangeWatchedFiles", changed))
        count = len(wire.received)
        told = wire.wait(lambda m: m.get("params", {}).get("uri") == settings.as_uri(), since=count)
        assert [each["code"] for each in told["params"]["diagnostics"]] == ["C001"]
        wire.send(did_change(document, 2, insertion(0, 3, "x")))
        assert wire.codes(document, 2) == []
        assert wire.end() == 0


def test_a_finding_links_to_a_page_that_there_is() -> None:
    with Wire() as wire:
        wire.initialize(initializationOptions={"difnostics": 1})
        wire.send(did_open(URI, "!!!GADGET_START:G\n!!!ARG:a\n1\n!!!ARG:a\n2\n"))
        found = wire.diagnostics(URI, 0)
        links = {each["code"]: each.get("codeDescription", {}).get("href", "") for each in found}
        assert set(links) == {"C002", "G101"}
        assert links["G101"].endswith("/docs/rules/G101.md")
        assert links["C002"] == "", "there are no pages about settings"
        assert wire.end() == 0


def test_the_client_is_asked_to_watch_what_matters() -> None:
    dynamic = {"dynamicRegistration": True}
    with Wire() as wire:
        wire.answers["client/registerCapability"] = None
        wire.initialize(
            capabilities={"workspace": {"didChangeWatchedFiles": dynamic, "didChangeConfiguration": dynamic}}
        )
        asked = wire.wait(lambda m: m.get("method") == "client/registerCapability")["params"]["registrations"]
        assert {each["method"] for each in asked} == {
            "workspace/didChangeWatchedFiles",
            "workspace/didChangeConfiguration",
        }
