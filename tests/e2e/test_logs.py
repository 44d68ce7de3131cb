"""The numbered logs of a session, over real stdio: what one file has depends on those before it."""

from __future__ import annotations

from pathlib import Path

from wire import Json, Wire, did_change, did_close, did_open, insertion, notification, replacement, request


def call(name: str, needs: str = "") -> str:
    return f"!!!GADGET_START:Read:{name}:{needs}\n!!!ARG:path\na.txt\n!!!GADGET_END\n"


def publishes(wire: Wire, uri: str, codes: list[str], since: int = 0) -> Json:
    """Wait until the findings of a document have these codes."""

    def wanted(message: Json) -> bool:
        if message.get("method") != "textDocument/publishDiagnostics" or message["params"]["uri"] != uri:
            return False
        return [each["code"] for each in message["params"]["diagnostics"]] == codes

    return wire.wait(wanted, since=since)["params"]["diagnostics"]


def session(folder: Path, **files: str) -> list[str]:
    """Files of a session, and their URIs."""
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for name, text in files.items():
        file = folder / f"{name.removeprefix('n')}.response"
        file.write_text(text, "utf-8")
        found.append(file.as_uri())
    return found


def test_an_earlier_response_on_disk_is_known_and_one_that_is_edited_counts_more(tmp_path: Path) -> None:
    first, second = session(tmp_path / "logs", n0001=call("r1"), n0002=call("r2", "r1,r9"))
    with Wire() as wire:
        wire.initialize()
        wire.send(did_open(second, call("r2", "r1,r9")))
        (unknown,) = publishes(wire, second, ["G111"])
        assert '"r9"' in unknown["message"]
        count = len(wire.received)
        wire.send(did_open(first, call("r1")), did_change(first, 1, replacement((0, 21), (0, 23), "r9")))
        (unknown,) = publishes(wire, second, ["G111"], since=count)
        assert '"r1"' in unknown["message"]
        count = len(wire.received)
        wire.send(did_close(first))
        (unknown,) = publishes(wire, second, ["G111"], since=count)
        assert '"r9"' in unknown["message"]
        assert wire.end() == 0


def test_watched_files_are_asked_for_and_followed(tmp_path: Path) -> None:
    dynamic = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
    first, second = session(tmp_path, n0001="", n0002=call("r2", "r1"))
    with Wire() as wire:
        wire.answers["client/registerCapability"] = None
        wire.initialize(capabilities=dynamic, rootUri=tmp_path.as_uri())
        asked = wire.wait(lambda m: m.get("method") == "client/registerCapability")["params"]["registrations"]
        globs = [each["globPattern"] for each in asked[0]["registerOptions"]["watchers"]]
        assert "**/[0-9]*.response" in globs
        wire.send(did_open(second, call("r2", "r1")))
        publishes(wire, second, ["G111"])
        session(tmp_path, n0001=call("r1"))
        count = len(wire.received)
        wire.send(notification("workspace/didChangeWatchedFiles", {"changes": [{"uri": first, "type": 2}]}))
        publishes(wire, second, [], since=count)
        assert wire.end() == 0


def test_a_place_in_another_file_is_related(tmp_path: Path) -> None:
    first, second = session(tmp_path, n0001=call("r1", "r2"), n0002="é🎉 " + call("r2"))
    with Wire() as wire:
        wire.initialize()
        wire.send(did_open(first, call("r1", "r2")))
        (unknown,) = publishes(wire, first, ["G111"])
        place = {"start": {"line": 0, "character": 25}, "end": {"line": 0, "character": 27}}
        assert [each["location"] for each in unknown["relatedInformation"]] == [{"uri": second, "range": place}]
        assert wire.end() == 0


def test_a_client_that_fetches_hears_of_other_files(tmp_path: Path) -> None:
    _, second = session(tmp_path, n0001=call("r1"), n0002=call("r2", "r1,r9"))
    capabilities = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
    with Wire() as wire:
        wire.answers["workspace/diagnostic/refresh"] = None
        wire.initialize(capabilities=capabilities)
        wire.send(did_open(second, call("r2", "r1,r9")))
        wire.wait(lambda m: m.get("method") == "workspace/diagnostic/refresh")
        report = wire.result(1, "textDocument/diagnostic", {"textDocument": {"uri": second}})
        assert [each["code"] for each in report["items"]] == ["G111"]
        assert wire.end() == 0


def test_many_files_are_read_with_progress_and_nobody_waits_for_them(tmp_path: Path) -> None:
    for number in range(1, 501):
        (tmp_path / f"{number:04}.response").write_text(call(f"r{number}") * 20, "utf-8")
    last = (tmp_path / "0501.response").as_uri()
    with Wire() as wire:
        wire.answers["window/workDoneProgress/create"] = None
        wire.initialize(capabilities={"window": {"workDoneProgress": True}}, rootUri=tmp_path.as_uri())
        wire.send(did_open(last, call("r501", "r1,r0")))
        wire.wait(lambda m: m.get("method") == "window/workDoneProgress/create")
        # asked while files are read
        wire.send(did_change(last, 1, insertion(2, 0, "é")), request(1, "textDocument/hover", hover_of(last)))
        assert wire.reply(1)["result"] is not None
        assert wire.codes(last, 1) in ([], ["G111"])
        publishes(wire, last, ["G111"])
        wire.wait(lambda m: m.get("method") == "$/progress" and m["params"]["value"]["kind"] == "end")
        kinds = [m["params"]["value"]["kind"] for m in wire.received if m.get("method") == "$/progress"]
        assert kinds[0] == "begin"
        assert set(kinds[1:-1]) == {"report"}
        assert wire.end() == 0


def hover_of(uri: str) -> Json:
    return {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 5}}


def test_reading_is_cancelled_by_the_client(tmp_path: Path) -> None:
    # half a minute of work, which one file on disk is enough for
    first = tmp_path / "0001.response"
    first.write_text("".join(call(f"r{number}") for number in range(20_000)), "utf-8")
    for number in range(2, 101):
        (tmp_path / f"{number:04}.response").hardlink_to(first)
    last = (tmp_path / "0101.response").as_uri()
    with Wire() as wire:
        wire.answers["window/workDoneProgress/create"] = None
        wire.initialize(capabilities={"window": {"workDoneProgress": True}}, rootUri=tmp_path.as_uri())
        wire.send(did_open(last, call("r1", "zz")))
        begun = wire.wait(lambda m: m.get("method") == "$/progress")
        wire.send(notification("window/workDoneProgress/cancel", {"token": begun["params"]["token"]}))
        wire.wait(lambda m: m.get("method") == "$/progress" and m["params"]["value"]["kind"] == "end")
        reports = [m["params"]["value"] for m in wire.received if m.get("method") == "$/progress"]
        assert all(each.get("percentage", 0) < 100 for each in reports)
        wire.send(did_change(last, 1, insertion(2, 0, "x")))
        assert wire.codes(last, 1) == []
        assert wire.end() == 0
