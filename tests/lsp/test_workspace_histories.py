"""After any changes of files and settings, even during reading, a server finds what a fresh one finds."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random
from typing import Any

import pytest

from examples import examples
from lsp.log_editor import Editor, call

Json = Any

NAMES = ("logs/0001.response", "logs/0002.response", "old/0001.response", "a.gadget", "deep/b.stf", "c.blocks")
TEXTS = (
    call("r1"),
    call("r2", "r1"),
    call("r3", "r9") * 9,
    "<<Read:q1\n--path\nx\n>>",
    "<<Read:q2:q1\n--path\nx\n>>",
    "@user id=m1\n<think>hi</think>\n",
    "text " * 20_000 + call("r4"),
)
SETTINGS: tuple[Json, ...] = (
    {},
    {"gadget": {"markers": {"start": "<<", "end": ">>", "arg": "--"}}},
    {"files": {"exclude": ["old"]}},
    {"files": {"exclude": ["logs", "*.blocks"]}},
    {"files": {"maxSizeMB": 0.05}},
    {"files": {"languages": {"*.blocks": "gadget"}}},
    {"rules": {"ignore": ["G11"]}},
)
LAST = "logs/0002.response"


def seen(editor: Editor) -> Json:
    editor.wait()
    found = editor.ask("workspace/symbol", {"query": ""})
    return sorted(map(str, found)), editor.codes(LAST)


@pytest.mark.parametrize("seed", range(examples(400)))
def test_a_server_with_a_history_finds_what_a_fresh_one_finds(seed: int) -> None:
    random = Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        editor = Editor(Path(folder), workspace=True)
        editor.open(LAST, TEXTS[1])
        settings: Json = {}
        for _ in range(random.randrange(2, 14)):
            name, kind = random.choice(NAMES), random.random()
            if kind < 0.5 and name != LAST:
                editor.write(name, random.choice(TEXTS))
                editor.touch(name)
            elif kind < 0.6 and (editor.folder / name).exists():
                (editor.folder / name).unlink()
                editor.touch(name, kind=3)
            else:
                settings = random.choice(SETTINGS)
                editor.tell("workspace/didChangeConfiguration", {"settings": {"llmblocks": settings}})
            for _ in range(random.choice((0, 1, 2, 3, 5, 50))):
                editor.step()
        fresh = Editor(Path(folder), workspace=True)
        fresh.tell("workspace/didChangeConfiguration", {"settings": {"llmblocks": settings}})
        fresh.open(LAST, TEXTS[1])
        assert seen(editor) == seen(fresh)
