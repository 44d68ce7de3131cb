"""Settings from every side: odd ones are findings, and the server continues with the defaults."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from wire import Here, Json, did_change, did_open, insertion, notification

URI = "file:///w/a.gadget"
CUSTOM = "<<G\n--a\n1\n--a\n2\n>>\n"
MARKERS = {"gadget": {"markers": {"start": "<<", "end": ">>", "arg": "--"}}}
ASKS: Json = {"workspace": {"configuration": True}}


@pytest.mark.parametrize("answer", [[None], [{}], None, [], [{"stf": None}]], ids=repr)
def test_no_settings_are_the_defaults(answer: Json) -> None:
    with Here() as wire:
        wire.answers["workspace/configuration"] = answer
        wire.initialize(capabilities=ASKS)
        wire.wait(lambda m: m.get("method") == "workspace/configuration")
        wire.send(did_open(URI, "!!!GADGET_START:G\n!!!ARG:a\n1\n!!!ARG:a\n2\n!!!GADGET_END\n"))
        assert wire.codes(URI, 0) == ["G101"]


@pytest.mark.parametrize(
    "answer", ["odd", 5, [[]], ["odd"], [{"diagnostics": "odd"}], [{"files": {"maxSizeMB": "big"}}]], ids=repr
)
def test_odd_settings_are_a_finding_and_the_defaults_hold(answer: Json) -> None:
    with Here() as wire:
        wire.answers["workspace/configuration"] = answer
        wire.initialize(capabilities=ASKS)
        wire.wait(lambda m: m.get("method") == "workspace/configuration")
        wire.result(1, "textDocument/diagnostic", {"textDocument": {"uri": URI}})
        wire.send(did_open(URI, "!!!GADGET_START:G\n!!!ARG:a\n1\n!!!ARG:a\n2\n!!!GADGET_END\n"))
        assert wire.codes(URI, 0) == ["C001", "G101"]
        assert not [m for m in wire.received if m.get("method") == "window/showMessage"]
        wire.answers["workspace/configuration"] = [None]
        wire.send(notification("workspace/didChangeConfiguration", {"settings": None}))
        wire.send(did_change(URI, 1, insertion(4, 1, "x")))
        wire.wait(lambda m: [d["code"] for d in m.get("params", {}).get("diagnostics", [{"code": 0}])] == ["G101"])
        assert wire.end() == 0


def test_a_settings_file_of_the_project_decides_and_its_mistakes_are_findings_in_it(tmp_path: Path) -> None:
    inner = tmp_path / "chats"
    inner.mkdir()
    settings, document = tmp_path / "llmblocks.toml", (inner / "a.gadget").as_uri()
    settings.write_text('[gadget.markers]\nstart = "<<"\nend = ">>"\narg = "--"\n[difnostics]\nmaxPerDocument = 3\n')
    with Here() as wire:
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
        corrected = wire.wait(lambda m: m.get("params", {}).get("uri") == settings.as_uri(), since=count)
        assert corrected["params"]["diagnostics"] == []

        settings.write_bytes(b"\xff\xff")
        wire.send(notification("workspace/didChangeWatchedFiles", changed))
        count = len(wire.received)
        told = wire.wait(lambda m: m.get("params", {}).get("uri") == settings.as_uri(), since=count)
        assert [each["code"] for each in told["params"]["diagnostics"]] == ["C001"]
        wire.send(did_change(document, 2, insertion(0, 3, "x")))
        assert wire.codes(document, 2) == []
        assert wire.end() == 0


def test_a_finding_links_to_a_page_that_there_is() -> None:
    with Here() as wire:
        wire.initialize(initializationOptions={"difnostics": 1})
        wire.send(did_open(URI, "!!!GADGET_START:G\n!!!ARG:a\n1\n!!!ARG:a\n2\n!!!GADGET_END\n"))
        found = wire.diagnostics(URI, 0)
        links = {each["code"]: each.get("codeDescription", {}).get("href", "") for each in found}
        assert set(links) == {"C002", "G101"}
        assert links["G101"].endswith("/docs/rules/G101.md")
        assert links["C002"].endswith("/docs/rules/C002.md")
        assert wire.end() == 0


def test_the_client_is_asked_to_watch_what_matters() -> None:
    dynamic = {"dynamicRegistration": True}
    with Here() as wire:
        wire.answers["client/registerCapability"] = None
        wire.initialize(
            capabilities={"workspace": {"didChangeWatchedFiles": dynamic, "didChangeConfiguration": dynamic}}
        )
        asked = wire.wait(lambda m: m.get("method") == "client/registerCapability")["params"]["registrations"]
        assert {each["method"] for each in asked} == {
            "workspace/didChangeWatchedFiles",
            "workspace/didChangeConfiguration",
        }


def test_settings_are_asked_for_each_folder_and_document(tmp_path: Path) -> None:
    custom, plain = tmp_path / "custom", tmp_path / "plain"
    folders = [{"uri": folder.as_uri(), "name": folder.name} for folder in (custom, plain)]
    first, second = (custom / "a.gadget").as_uri(), (plain / "a.gadget").as_uri()
    with Here() as wire:
        wire.answers["workspace/configuration"] = [{}, MARKERS, {}]
        wire.initialize(capabilities=ASKS, workspaceFolders=folders)
        asked = wire.wait(lambda m: m.get("method") == "workspace/configuration")["params"]["items"]
        assert asked == [{"section": "llmblocks"}] + [
            {"scopeUri": folder["uri"], "section": "llmblocks"} for folder in folders
        ]
        # answers that the server may not ask for again, so that what a document is given does not decide
        wire.answers["workspace/configuration"] = [None]
        wire.send(did_open(first, CUSTOM), did_open(second, CUSTOM))
        assert (wire.codes(first, 0), wire.codes(second, 0)) == (["G101"], [])
        asked = wire.wait(lambda m: m.get("params", {}).get("items", [{}])[0].get("scopeUri") == second)
        assert asked["params"]["items"] == [{"scopeUri": second, "section": "llmblocks"}]

        wire.answers["workspace/configuration"] = [{}, None, None, {"rules": {"ignore": ["G101"]}, **MARKERS}, MARKERS]
        count = len(wire.received)
        wire.send(notification("workspace/didChangeConfiguration", {"settings": None}))
        wire.wait(lambda m: m.get("method") == "workspace/configuration", since=count)
        wire.send(did_change(first, 1, insertion(0, 3, "x")), did_change(second, 1, insertion(0, 3, "x")))
        assert (wire.codes(first, 1), wire.codes(second, 1)) == ([], ["G101"])
        assert wire.end() == 0


def test_settings_of_a_document_that_come_later_are_taken() -> None:
    with Here() as wire:
        wire.initialize(capabilities=ASKS)
        wire.wait(lambda m: m.get("method") == "workspace/configuration")
        wire.answers["workspace/configuration"] = [MARKERS]
        wire.send(did_open(URI, CUSTOM))
        wire.wait(lambda m: [d["code"] for d in m.get("params", {}).get("diagnostics", [])] == ["G101"])
        assert wire.end() == 0


def test_a_change_of_any_settings_file_shows_at_once_in_every_document(tmp_path: Path) -> None:
    double = "!!!GADGET_START:G\n!!!ARG:a\n1\n!!!ARG:a\n2\n!!!GADGET_END\n"
    roots = [tmp_path / "one", tmp_path / "two"]
    for root in roots:
        root.mkdir()
    base, own = tmp_path / "base.toml", roots[0] / "pyproject.toml"
    base.write_text("")
    own.write_text("[tool.llmblocks]\nextend = '../base.toml'\n")
    (roots[1] / "llmblocks.toml").write_text("extend = '../base.toml'\n")
    documents = [(root / "a.gadget").as_uri() for root in roots]
    dynamic = {"dynamicRegistration": True, "relativePatternSupport": True}
    with Here() as wire:
        wire.answers["client/registerCapability"] = wire.answers["client/unregisterCapability"] = None
        wire.initialize(
            workspaceFolders=[{"uri": root.as_uri(), "name": root.name} for root in roots],
            capabilities={"workspace": {"didChangeWatchedFiles": dynamic}},
        )
        wire.send(*(did_open(document, double) for document in documents))
        assert [wire.codes(document, 0) for document in documents] == [["G101"], ["G101"]]
        (named,) = wire.wait(lambda m: "named" in m.get("params", {}).get("registrations", [{}])[0].get("id", ""))[
            "params"
        ]["registrations"]
        watched = {"baseUri": tmp_path.as_uri(), "pattern": "base.toml"}
        assert named["registerOptions"]["watchers"] == [{"globPattern": watched}]

        def codes_after(path: Path, text: str | None) -> list[list[str]]:
            count = len(wire.received)
            if text is None:
                path.unlink()
            else:
                path.write_text(text)
            wire.send(notification("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": 2}]}))
            found = []
            for document in documents:
                told = wire.wait(partial(_is_for, document), since=count)
                found.append([each["code"] for each in told["params"]["diagnostics"]])
            return found

        assert codes_after(base, "rules.ignore = ['G1']\n") == [[], []]
        assert codes_after(own, "[tool.llmblocks]\nextend = '../base.toml'\nrules.ignore = []\n") == [["G101"], []]
        assert codes_after(own, "[tool.x]\n") == [["G101"], []]
        assert codes_after(roots[0] / "llmblocks.toml", "rules.ignore = ['G101']\n") == [[], []]
        count = len(wire.received)
        assert codes_after(base, None) == [[], ["G101"]]
        file = (roots[1] / "llmblocks.toml").as_uri()
        told = wire.wait(lambda m: m.get("params", {}).get("uri") == file, since=count)["params"]["diagnostics"]
        assert [(each["code"], each["range"]["start"]["line"]) for each in told] == [("C001", 0)]
        # a file that is named is waited for
        assert codes_after(base, "rules.ignore = ['G1']\n") == [[], []]
        assert wire.end() == 0


def _is_for(uri: str, message: Json) -> bool:
    found: bool = message.get("params", {}).get("uri") == uri
    return found
