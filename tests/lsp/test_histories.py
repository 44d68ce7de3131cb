"""After any changes of files and settings, even during reading, a server finds what a fresh reader finds."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from examples import LAWS, examples
from lsp.log_editor import Editor, call

Json = Any
NAMES = ("logs/0001.response", "logs/0002.response", "old/0001.response", "a.gadget", "deep/b.stf", "c.blocks")
OF_WORKSPACE = (
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
        editor.open(LAST, OF_WORKSPACE[1])
        given_settings: Json = {}
        for _ in range(random.randrange(2, 14)):
            name, kind = random.choice(NAMES), random.random()
            if kind < 0.5 and name != LAST:
                editor.write(name, random.choice(OF_WORKSPACE))
                editor.touch(name)
            elif kind < 0.6 and (editor.folder / name).exists():
                (editor.folder / name).unlink()
                editor.touch(name, kind=3)
            else:
                given_settings = random.choice(SETTINGS)
                editor.tell("workspace/didChangeConfiguration", {"settings": {"llmblocks": given_settings}})
            for _ in range(random.choice((0, 1, 2, 3, 5, 50))):
                editor.step()
        fresh = Editor(Path(folder), workspace=True)
        fresh.tell("workspace/didChangeConfiguration", {"settings": {"llmblocks": given_settings}})
        fresh.open(LAST, OF_WORKSPACE[1])
        assert seen(editor) == seen(fresh)


NUMBERS = (1, 2, 3, 4)
CALLS = st.lists(
    st.tuples(st.sampled_from(["r1", "r2", "r3"]), st.sampled_from(["", "r1", "r2", "r1,r3"])), max_size=3
).map(lambda calls: "".join(call(name, needs) for name, needs in calls))
STEPS = st.lists(
    st.tuples(st.sampled_from(NUMBERS), st.sampled_from(["write", "delete", "open", "change", "close"]), CALLS),
    max_size=16,
)
_HEADER = re.compile("!!!GADGET_START:Read:(.*?):(.*)\n")


def unknown(texts: dict[int, str], number: int) -> list[str]:
    """The dependencies of a file that no call has, by reading all files: none where an earlier one is missing."""
    if not all(each in texts for each in range(1, number)):
        return []
    known = {name for each in range(1, number + 1) for name, _ in _HEADER.findall(texts[each])}
    needs = [each for _, field in _HEADER.findall(texts[number]) for each in field.split(",") if each]
    return [each for each in needs if each not in known]


@settings(max_examples=LAWS // 2, deadline=None, suppress_health_check=list(HealthCheck))
@given(STEPS, st.lists(st.booleans(), min_size=16, max_size=16))
def test_open_files_are_reported_what_their_session_shows(
    steps: list[tuple[int, str, str]], pauses: list[bool]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        editor = Editor(Path(folder))
        on_disk: dict[int, str] = {}
        is_open: dict[int, str] = {}
        for (number, what, text), pauses_here in zip(steps, pauses, strict=False):
            name = f"{number:04}.response"
            if what == "write":
                on_disk[number] = text
                editor.write(name, text)
                editor.touch(name)
            elif what == "delete" and number in on_disk:
                del on_disk[number]
                (editor.folder / name).unlink()
                editor.touch(name, kind=3)
            elif what == "open" and number not in is_open:
                is_open[number] = text
                editor.open(name, text)
            elif what == "change" and number in is_open:
                is_open[number] = text
                document = {"uri": editor.uri(name), "version": 1}
                editor.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
            elif what == "close" and number in is_open:
                del is_open[number]
                editor.close(name)
            if pauses_here:
                editor.wait()
                compare(editor, on_disk, is_open)
        editor.wait()
        compare(editor, on_disk, is_open)


def compare(editor: Editor, on_disk: dict[int, str], is_open: dict[int, str]) -> None:
    texts = on_disk | is_open
    for number in is_open:
        told = editor.told[editor.uri(f"{number:04}.response")]
        found = [re.findall('"(.*?)"', each["message"])[0] for each in told if each["code"] == "G111"]
        assert found == unknown(texts, number)
        if found:
            later = {each: sorted(n for n in texts if n > number and each in ids(texts[n])) for each in found}
            places = [len(each.get("relatedInformation", ())) for each in told if each["code"] == "G111"]
            assert places == [bool(later[each]) for each in found]


def ids(text: str) -> list[str]:
    return [name for name, _ in _HEADER.findall(text)]
