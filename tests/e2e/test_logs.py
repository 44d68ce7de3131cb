"""The numbered logs of a session, over real stdio: what one file has depends on those before it."""

from __future__ import annotations

from pathlib import Path

from wire import Json, Wire, did_change, did_open, insertion, request


def call(name: str, needs: str = "") -> str:
    return f"!!!GADGET_START:Read:{name}:{needs}\n!!!ARG:path\na.txt\n!!!GADGET_END\n"


def publishes(wire: Wire, uri: str, codes: list[str], since: int = 0) -> Json:
    """Wait until the findings of a document have these codes."""

    def wanted(message: Json) -> bool:
        if message.get("method") != "textDocument/publishDiagnostics" or message["params"]["uri"] != uri:
            return False
        return [each["code"] for each in message["params"]["diagnostics"]] == codes

    return wire.wait(wanted, since=since)["params"]["diagnostics"]


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
