"""Code lenses, their commands and call hierarchies in documents that embed texts: those of a separate file, moved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lsp.log_editor import Editor

Json = Any
CALLS = """\
!!!GADGET_START:Read:r1
!!!ARG:path
é🎉
!!!GADGET_END
!!!GADGET_START:Write:w1:r1
!!!ARG:text
a
!!!GADGET_END
!!!GADGET_START:Send:s1:w1,w2
!!!GADGET_END
"""
FENCE = "".join([f"> {line}\n" for line in f"```gadget\n{CALLS}```".split("\n")])
HOSTS = {
    "a.md": ("markdown", f"# é🎉\n\n{FENCE}\n```gadget\n{CALLS}```\n", 3, 2),
    "a.jsonl": (
        "jsonl",
        '{"messages": [{"role": "assistant", "content": "Hi"}]}\n'
        + json.dumps({"messages": [{"role": "assistant", "content": CALLS}]})
        + "\n",
        1,
        None,
    ),
}
"""The language, the text, the line in which the first text of ours begins, and what is before its lines."""


class Both:
    """A text in a host, and in its own file."""

    def __init__(self, folder: Path, name: str) -> None:
        language_id, text, self.first, self.lead = HOSTS[name]
        self.editor = Editor(folder, textDocument={"codeLens": {}})
        self.editor.open(name, text, language_id)
        self.editor.open("b.gadget", CALLS)
        self.host, self.bare = self.editor.uri(name), self.editor.uri("b.gadget")
        self.written = text.split("\n")[self.first]

    def moved(self, value: Json) -> Json:
        """Return the findings of a separate file, with the places of the host."""
        if isinstance(value, list):
            return [*map(self.moved, value)]
        if not isinstance(value, dict):
            return self.host if value == self.bare else value
        if "line" not in value:
            return {name: self.moved(each) for name, each in value.items()}
        if self.lead is not None:
            return {"line": value["line"] + self.first, "character": value["character"] + self.lead}
        inner = CALLS.split("\n")
        before = "\n".join([*inner[: value["line"]], _units(inner[value["line"]], value["character"])])
        head = self.written.index("!!!GADGET")
        return {"line": self.first, "character": head + len(json.dumps(before)) - 2}

    def lenses(self, uri: str) -> list[Json]:
        told = self.editor.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})
        return [self.editor.ask("codeLens/resolve", each) for each in told]


def _units(line: str, character: int) -> str:
    return line.encode("utf-16-le")[: character * 2].decode("utf-16-le")


@pytest.mark.parametrize("name", HOSTS)
def test_lenses_and_their_commands_are_those_of_the_text(tmp_path: Path, name: str) -> None:
    both = Both(tmp_path, name)
    bare = both.lenses(both.bare)
    host = both.lenses(both.host)[: len(bare)]
    assert [each["command"]["title"] for each in bare] == ["wave 1", "wave 2", bare[2]["command"]["title"]]
    for one, other in zip(host, bare, strict=True):
        assert one["range"] == both.moved(other["range"])
        assert one["command"]["title"] == other["command"]["title"]
        told, expected = (both.editor.ask("workspace/executeCommand", each["command"]) for each in (one, other))
        assert {**told, "title": ""} == both.moved({**expected, "title": ""})
        assert one["command"]["arguments"][0]["textDocument"]["uri"] == both.host


@pytest.mark.parametrize("name", HOSTS)
def test_calls_of_a_text_wait_for_each_other(tmp_path: Path, name: str) -> None:
    both = Both(tmp_path, name)
    for line, character in ((0, 17), (4, 20), (8, 18), (2, 0)):
        place = {"line": line, "character": character}
        asked = {"position": place, "textDocument": {"uri": both.bare}}
        expected = both.editor.ask("textDocument/prepareCallHierarchy", asked)
        found = both.editor.ask("textDocument/prepareCallHierarchy", both.moved(asked))
        assert found == both.moved(expected), place
        for item, same in zip(found or (), expected or (), strict=True):
            for way in ("incoming", "outgoing"):
                told, wanted = (both.editor.ask(f"callHierarchy/{way}Calls", {"item": each}) for each in (item, same))
                assert told == both.moved(wanted), (place, way)
    gone = both.moved({"uri": both.bare, "selectionRange": {"start": place, "end": place}})
    gone["selectionRange"] = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    assert both.editor.ask("callHierarchy/incomingCalls", {"item": gone}) is None
