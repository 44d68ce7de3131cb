"""The server of a host that passes whole messages, and sees only the folders that the host names."""

from __future__ import annotations

import gc
import json
from pathlib import Path
from typing import Any

import pytest

from llmblocks.lsp.port import MessagePort

Json = Any
TEXT = "@user\n@embed type=image\na.png\n@embed type=image\nsub/../../b.png\n"


def codes(folder: Path, *visible: Path) -> list[tuple[str, int]]:
    """Return the codes and lines of what is found in a chat of a folder."""
    told: list[Json] = []
    port = MessagePort("0", lambda message: told.append(json.loads(message)))
    for each in visible:
        port.see(each.as_posix())

    def send(method: str, **message: Json) -> None:
        port.receive(json.dumps({"jsonrpc": "2.0", "method": method, **message}))
        while port.step():
            pass

    send("initialize", id=1, params={"capabilities": {}})
    item = {"uri": (folder / "chat.stf").as_uri(), "languageId": "stf", "version": 0, "text": TEXT}
    send("textDocument/didOpen", params={"textDocument": item})
    # the port has disabled it
    gc.enable()
    [found] = [m["params"]["diagnostics"] for m in told if m.get("method") == "textDocument/publishDiagnostics"]
    return [(each["code"], each["range"]["start"]["line"]) for each in found]


def test_no_file_is_missed_where_nobody_can_look(tmp_path: Path) -> None:
    assert codes(tmp_path) == []


@pytest.mark.parametrize("sign", ["", "/"])
def test_a_file_is_missed_in_a_folder_that_can_be_seen_and_not_outside(tmp_path: Path, sign: str) -> None:
    folder = tmp_path / "chats"
    assert codes(folder, Path(f"{folder}{sign}")) == [("S205", 2)]
    assert codes(folder, tmp_path) == [("S205", 2), ("S205", 4)]


def test_a_folder_whose_name_only_begins_alike_cannot_be_seen(tmp_path: Path) -> None:
    assert codes(tmp_path / "chats", tmp_path / "cha") == []
