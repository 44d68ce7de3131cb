"""The line that is being typed shows no findings, in clients that want it so, until it is left."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from editors import flow
from wire import Json, Wire, did_change, did_close, did_open, insertion, replacement

CHAT = "@user\n@usr\n\nBye\n"
TYPED = [(insertion(2, number, each), [1]) for number, each in enumerate("@us")]
FIND = {"type": "object", "properties": {"near": {"type": "integer"}, "far": {"type": "integer"}}}
CALL = "!!!GADGET_START:Find:f1\n!!!ARG:near\n\n!!!ARG:far\n\n!!!GADGET_END"
PAUSE = None
"""Nothing is typed for a while: the same version is sent again, with all of it."""


def typing(folder: Path, name: str, text: str, steps: Json, *, calm: bool = True) -> None:
    """Make changes to a document, and compare the lines of what is sent after each."""
    uri, version, since = (folder / name).as_uri(), 0, 0
    with Wire() as wire:
        wire.initialize(rootUri=folder.as_uri(), initializationOptions={"calmTyping": calm})
        wire.send(did_open(uri, text, "stf" if name.endswith("stf") else "gadget"))
        wire.diagnostics(uri, 0)
        for change, expected in steps:
            since = len(wire.received)
            if change is not PAUSE:
                version += 1
                wire.send(did_change(uri, version, change))
            found = wire.diagnostics(uri, version, since=since)
            assert [each["range"]["start"]["line"] for each in found] == expected, (change, found)
        assert wire.end() == 0


@pytest.mark.parametrize(
    ("calm", "steps"),
    [
        (True, [TYPED[0], (PAUSE, [1, 2]), (replacement((2, 1), (2, 1), "u"), [1])]),
        # a line that is left shows its findings at once
        (True, [*TYPED, (insertion(2, 3, "\n"), [1, 2])]),
        (True, [*TYPED, (insertion(3, 0, "x"), [1, 2])]),
        (True, [*TYPED, (insertion(1, 0, "x\n"), [2, 3])]),
        (False, [(insertion(2, 0, "@"), [1, 2])]),
    ],
)
def test_a_line_of_a_chat_shows_nothing_until_it_is_left(tmp_path: Path, calm: bool, steps: Json) -> None:
    typing(tmp_path, "a.stf", CHAT, steps, calm=calm)


def test_a_marker_that_is_typed_after_a_value_complains_of_neither(tmp_path: Path) -> None:
    file = flow.prepare(tmp_path)
    text = flow.CALLS.text.partition("regex\n")[0] + "regex\n"
    line = text.count("\n")
    begun = text.count("\n", 0, text.rindex("!!!GADGET_START"))
    # the value is `regex\n!` now
    steps = [(insertion(line, 0, "!"), [begun]), (insertion(line, 1, "\n"), [begun, line - 1])]
    typing(tmp_path, str(file.relative_to(tmp_path)), text, steps)


def test_a_completed_call_is_not_underlined_until_it_is_filled_in_or_left(tmp_path: Path) -> None:
    (tmp_path / "g.json").write_text(json.dumps([{"name": "Find", "parameters": FIND}]))
    (tmp_path / "llmblocks.toml").write_text('[gadget.schemas]\n"**" = ["g.json"]\n')
    steps = [
        (replacement((0, 0), (0, 18), CALL), []),
        (insertion(2, 0, "7"), []),
        (PAUSE, [3]),
        (insertion(4, 0, "x"), []),
        (replacement((4, 0), (4, 1), ""), []),
        (insertion(5, 13, "\n"), [3]),
    ]
    typing(tmp_path, "a.gadget", "!!!GADGET_START:Fi", steps)


def test_a_document_that_is_closed_while_findings_wait_gets_none() -> None:
    uri = "file:///w/a.stf"
    with Wire() as wire:
        wire.initialize(initializationOptions={"calmTyping": True})
        wire.send(did_open(uri, CHAT, "stf"), did_change(uri, 1, insertion(2, 0, "@")))
        assert len(wire.diagnostics(uri, 1)) == 1
        since = len(wire.received)
        wire.send(did_close(uri))
        wire.send(did_open(uri, "@user\n", "stf", 7))
        assert wire.diagnostics(uri, 7) == []
        assert [each["params"]["diagnostics"] for each in wire.received[since:]] == [[], []]
        assert wire.end() == 0
