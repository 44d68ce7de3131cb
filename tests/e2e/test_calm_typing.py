"""The line that is being typed shows no findings, in clients that want it so, until it is left."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from editors import flow
from wire import Wire, did_change, did_close, did_open, insertion, replacement

URI = "file:///w/a.stf"
TEXT = "@user\n@usr\n\nBye\n"


def lines(wire: Wire, version: int, since: int = 0) -> list[int]:
    return [each["range"]["start"]["line"] for each in wire.diagnostics(URI, version, since=since)]


def opened(wire: Wire, *, calm: bool) -> None:
    wire.initialize(initializationOptions={"calmTyping": calm})
    wire.send(did_open(URI, TEXT, "stf"))
    assert lines(wire, 0) == [1]


def test_a_lone_sign_is_not_underlined_until_nothing_is_typed() -> None:
    with Wire() as wire:
        opened(wire, calm=True)
        wire.send(did_change(URI, 1, insertion(2, 0, "@")))
        assert lines(wire, 1) == [1]
        # the same version again, with all of it
        assert lines(wire, 1, since=len(wire.received)) == [1, 2]
        wire.send(did_change(URI, 2, replacement((2, 1), (2, 1), "u")))
        assert lines(wire, 2) == [1]
        assert wire.end() == 0


@pytest.mark.parametrize("left", [insertion(2, 3, "\n"), insertion(3, 0, "x"), insertion(1, 0, "x\n")])
def test_a_line_that_is_left_shows_its_findings_at_once(left: object) -> None:
    with Wire() as wire:
        opened(wire, calm=True)
        for version, character in enumerate("@us", 1):
            wire.send(did_change(URI, version, insertion(2, version - 1, character)))
            assert lines(wire, version) == [1]
        wire.send(did_change(URI, 4, left))
        assert len(lines(wire, 4)) == 2
        assert wire.end() == 0


def test_a_marker_that_is_typed_after_a_value_complains_of_neither(tmp_path: Path) -> None:
    file = flow.prepare(tmp_path)
    uri, text = file.as_uri(), flow.CALLS.text.partition("regex\n")[0] + "regex\n"
    line = text.count("\n")
    with Wire() as wire:
        wire.initialize(rootUri=tmp_path.as_uri(), initializationOptions={"calmTyping": True})
        wire.send(did_open(uri, text, "gadget"))
        assert [each["code"] for each in wire.diagnostics(uri, 0)] == ["G008"]
        # the value is `regex\n!` now
        wire.send(did_change(uri, 1, insertion(line, 0, "!")))
        assert [each["code"] for each in wire.diagnostics(uri, 1)] == ["G008"]
        wire.send(did_change(uri, 2, insertion(line, 1, "\n")))
        assert [each["code"] for each in wire.diagnostics(uri, 2)] == ["G008", "G205"]
        assert wire.end() == 0


def test_a_completed_call_is_not_underlined_until_it_is_filled_in_or_left(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"near": {"type": "integer"}, "far": {"type": "integer"}}}
    (tmp_path / "g.json").write_text(json.dumps([{"name": "Find", "parameters": schema}]))
    (tmp_path / "llmblocks.toml").write_text('[gadget.schemas]\n"**" = ["g.json"]\n')
    uri = (tmp_path / "a.gadget").as_uri()
    call = "!!!GADGET_START:Find:f1\n!!!ARG:near\n\n!!!ARG:far\n\n!!!GADGET_END"
    with Wire() as wire:
        wire.initialize(rootUri=tmp_path.as_uri(), initializationOptions={"calmTyping": True})

        def told(version: int, since: int = 0) -> list[tuple[str, int]]:
            found = wire.diagnostics(uri, version, since=since)
            return [(each["code"], each["range"]["start"]["line"]) for each in found]

        wire.send(did_open(uri, "!!!GADGET_START:Fi", "gadget"))
        told(0)
        wire.send(did_change(uri, 1, replacement((0, 0), (0, 18), call)))
        assert told(1) == []
        wire.send(did_change(uri, 2, insertion(2, 0, "7")))
        assert told(2) == []
        # nothing is typed for a while
        assert told(2, since=len(wire.received)) == [("G204", 3)]
        wire.send(did_change(uri, 3, insertion(4, 0, "x")))
        assert told(3) == []
        wire.send(did_change(uri, 4, replacement((4, 0), (4, 1), "")))
        assert told(4) == []
        wire.send(did_change(uri, 5, insertion(5, 13, "\n")))
        assert told(5) == [("G204", 3)]
        assert wire.end() == 0


def test_other_clients_get_all_findings_at_once() -> None:
    with Wire() as wire:
        opened(wire, calm=False)
        wire.send(did_change(URI, 1, insertion(2, 0, "@")))
        assert lines(wire, 1) == [1, 2]
        assert wire.end() == 0


def test_a_document_that_is_closed_while_findings_wait_gets_none() -> None:
    with Wire() as wire:
        opened(wire, calm=True)
        wire.send(did_change(URI, 1, insertion(2, 0, "@")))
        assert lines(wire, 1) == [1]
        since = len(wire.received)
        wire.send(did_close(URI))
        wire.send(did_open(URI, "@user\n", "stf", 7))
        assert wire.diagnostics(URI, 7) == []
        assert [each["params"]["diagnostics"] for each in wire.received[since:]] == [[], []]
        assert wire.end() == 0
