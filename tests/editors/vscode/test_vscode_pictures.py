"""The pictures of editors show what the server tells today.

They take minutes, so `tests/editors/vscode/pictures.py` takes those of VS Code, and not this test. What they show is
compared: the texts, and what the server says of them. `UPDATE_PICTURES=1` accepts them; look at them before.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from editors.debian import ROOT
from editors.screen import compare
from editors.vscode.pictures import BEGUN, TYPED
from llmblocks.lsp.port import MessagePort

Json = Any
IMAGES, PAGE = ROOT / "docs" / "images", ROOT / "editors" / "vscode" / "page"
CALLS = "".join(f"{line}\n" for line in (BEGUN.rstrip("\n"), "", *TYPED, "!!!GADGET_END"))


def example(name: str) -> str:
    text = (ROOT / "docs" / "examples" / name).read_text(encoding="utf-8")
    return told(text, "gadget" if name.endswith(".gadget") else "stf")


def told(text: str, language_id: str = "gadget") -> str:
    """Return a text, and what the server says of it above and below its lines."""
    sent: list[Json] = []
    port = MessagePort("0", lambda message: sent.append(json.loads(message)))

    def send(method: str, **message: Json) -> Json:
        port.receive(json.dumps({"jsonrpc": "2.0", "method": method, **message}))
        while port.step():
            pass
        return next((each.get("result") for each in reversed(sent) if each.get("id") == message.get("id")), None)

    document = {"uri": "file:///nowhere/text", "languageId": language_id, "version": 0, "text": text}
    send("initialize", id=1, params={"capabilities": {}})
    send("textDocument/didOpen", params={"textDocument": document})
    diagnostics = [m["params"]["diagnostics"] for m in sent if m.get("method") == "textDocument/publishDiagnostics"]
    lines = [(each["range"]["start"]["line"], 1, f"{each['code']} {each['message']}") for each in diagnostics[-1]]
    for lens in send("textDocument/codeLens", id=2, params={"textDocument": document}) or ():
        whole = lens if "command" in lens else send("codeLens/resolve", id=3, params=lens)
        lines.append((lens["range"]["start"]["line"], 0, whole["command"]["title"]))
    return text + "".join(f"{line + 1}: {words}\n" for line, _, words in sorted(lines))


def settings() -> str:
    """Return the rules that begin as what is typed in the picture."""
    schema = json.loads((ROOT / "docs" / "settings.schema.json").read_text(encoding="utf-8"))
    rules = schema["definitions"]["Rule"]["anyOf"][0]
    titled = zip(rules["enum"], rules["x-taplo"]["docs"]["enumValues"], strict=True)
    return "".join(f"{code}: {title}\n" for code, title in titled if code.startswith("G11"))


SHOWS: dict[Path, Callable[[], str]] = {
    IMAGES / "vscode-session-gadget.png": lambda: example("session.gadget"),
    IMAGES / "vscode-chat-stf.png": lambda: example("chat.stf"),
    PAGE / "dark.png": lambda: told(CALLS),
    PAGE / "graph.png": lambda: told(CALLS),
    IMAGES / "vscode-moving.webp": lambda: told(CALLS),
    PAGE / "demo.gif": lambda: told(CALLS),
    PAGE / "settings.png": settings,
}


@pytest.mark.parametrize("picture", SHOWS, ids=lambda path: path.name)
def test_a_picture_of_an_editor_shows_what_is_reported_today(picture: Path) -> None:
    problem = compare(picture, picture, [], SHOWS[picture]())
    assert not problem, f"{problem}\ntests/editors/vscode/pictures.py takes it again"
