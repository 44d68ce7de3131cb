"""The pictures of editors show what the server tells today.

They take minutes, so `tests/editors/vscode/pictures.py` takes those of VS Code, and not this test. What they show is
compared: the texts, and what the server says of them. `UPDATE_PICTURES=1` accepts them; look at them before.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from editors.debian import ROOT
from editors.screen import compare
from editors.vscode.pictures import BEGUN, TYPED
from wire import Wire, did_open

IMAGES, PAGE = ROOT / "docs" / "images", ROOT / "editors" / "vscode" / "page"
CALLS = "".join(f"{line}\n" for line in (BEGUN.rstrip("\n"), "", *TYPED, "!!!GADGET_END"))


def example(name: str) -> str:
    text = (ROOT / "docs" / "examples" / name).read_text(encoding="utf-8")
    return told(text, "gadget" if name.endswith(".gadget") else "stf")


def told(text: str, language_id: str = "gadget") -> str:
    """Return a text, and what the server says of it above and below its lines."""
    uri = "untitled:text"
    with Wire() as wire:
        wire.initialize()
        wire.send(did_open(uri, text, language_id))
        found = [(each, 1, f"{each['code']} {each['message']}") for each in wire.diagnostics(uri, 0)]
        for number, lens in enumerate(wire.result("lenses", "textDocument/codeLens", {"textDocument": {"uri": uri}})):
            whole = lens if "command" in lens else wire.result(number, "codeLens/resolve", lens)
            found.append((lens, 0, whole["command"]["title"]))
    lines = [(each["range"]["start"]["line"], order, words) for each, order, words in found]
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


def test_every_picture_of_the_docs_is_shown_in_them() -> None:
    pages = [ROOT / "README.md", ROOT / "editors" / "vscode" / "README.md", *(ROOT / "docs").rglob("*.md")]
    texts = "".join(page.read_text(encoding="utf-8") for page in pages)
    assert [each.name for folder in (IMAGES, PAGE) for each in folder.iterdir() if each.name not in texts] == []
