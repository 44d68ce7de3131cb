"""The command line and the editor say the same of a file: all commands, on generated sessions and settings."""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from llmblocks.cli.commands import main
from llmblocks.languages.registry import language_of
from lsp.log_editor import Editor, Json

SEVERITIES = {1: "error", 2: "warning", 3: "information", 4: "hint"}
MARKERS = ("!!!GADGET_START:", "!!!ARG:", "!!!GADGET_END")
SETTINGS = (
    "",
    '[rules]\nselect = ["G101", "S", "T"]\nseverity = { S001 = "hint" }\n',
    '[rules.perFileIgnores]\n"logs/**" = ["G1"]\n"!logs/**" = ["S0"]\n',
    '[gadget.markers]\nstart = "<<CALL:"\narg = "<<ARG:"\nend = "<<END"\n',
    '[stf]\ndefaultRole = "user"\ngadgetRoles = ["assistant"]\n[files]\nlanguages = { "*.txt" = "stf" }\n',
    '[gadget.schemas]\n"**" = ["gadgets.json"]\n',
    '[tags]\nnames = ["note"]\n[stf]\ndialect = ";"\n',
    '[gadget.schemas]\n"**" = ["mcp.json"]\n[rules]\nignore = ["G1"]\n',
)
SCHEMAS = '{"name": "Read", "schema": {"type": "object", "properties": {"path": {"type": "number"}}}}\n'
# llmist sends the calls of its gadget
MCP = json.dumps(
    {
        "name": "Read",
        "description": "words " * 20_000,
        "inputSchema": {
            "type": "object",
            "properties": {"path": {"anyOf": [{"type": "number", "minimum": 3}, {"type": "string", "pattern": "b"}]}},
        },
    }
)
CALLS = (
    "!!!GADGET_START:Read:r{n}\n!!!ARG:path\na.txt\n!!!GADGET_END\n",
    "!!!GADGET_START:Read:r{n}:r{m}\n!!!ARG:path\n1\n!!!GADGET_END\n",
    "!!!GADGET_START:Read:r{m}:r{n},x9\n!!!ARG:a/0\n1\n!!!ARG:a/2\n3\n!!!GADGET_END\n",
    "!!!GADGET_START:Read\n!!!ARG:path\n1\n!!!ARG:path\n2\n",
)
PIECES = (
    *("@user\nHello\n", "@ai name=q\nwell\n@*/\n", ";user\nHello\n", "@usr x\n"),
    *("@embed type=image\nmissing.png\n", "<think>a</think>\n", "<note x=1>open\n"),
    *("@# llmblocks: ignore[S001]\n", "text\n"),
)


def files_of(seed: int, markers: bool) -> dict[str, str]:
    """Return the texts of a folder, by path."""
    chosen = random.Random(seed)

    def call(number: int) -> str:
        text = chosen.choice(CALLS).format(n=number, m=chosen.randrange(1, 7))
        for ours, theirs in zip(MARKERS, ("<<CALL:", "<<ARG:", "<<END"), strict=True):
            text = text.replace(ours, theirs) if markers and chosen.random() < 0.8 else text
        return text

    def mixed(number: int) -> str:
        return "".join(chosen.choice((*PIECES, call(number))) for _ in range(chosen.randrange(1, 9)))

    numbers = [number for number in range(1, 6) if chosen.random() < 0.85]
    logs = {f"logs/{number:04}.response": call(number) + call(number) for number in numbers}
    names = ("a.stf", "b.blocks", "c.gadget", "chats/d.stf", "e.txt")
    return {**logs, **{name: mixed(number) for number, name in enumerate(names, 1)}}


def of_editor(each: Json) -> tuple[Json, ...]:
    start, end = each["range"]["start"], each["range"]["end"]
    places = start["line"] + 1, start["character"] + 1, end["line"] + 1, end["character"] + 1
    return each["code"], *places, SEVERITIES[each["severity"]], each["message"]


def of_command(each: Json) -> tuple[Json, ...]:
    # the message of a diagnostic is the headline, then its parts, a line each
    lines = "\n".join([each["headline"], *(f"{part}: {each[part]}" for part in ("note", "help") if each[part])])
    places = (each[name] for name in ("line", "column", "endLine", "endColumn"))
    return each["code"], *places, each["severity"], lines


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Return the output of a command."""

    def run(*arguments: str, stdin: str = os.devnull) -> str:
        capfd.readouterr()
        with open(stdin, encoding="utf-8") as opened:
            monkeypatch.setattr(sys, "stdin", opened)
            assert main([*arguments]) < 2
        return capfd.readouterr().out

    return run


def values(lines: str) -> list[Json]:
    return [*map(json.loads, lines.splitlines())]


@pytest.mark.parametrize("seed", range(len(SETTINGS)))
def test_both_say_the_same(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Callable[..., str]) -> None:
    settings = SETTINGS[seed]
    files = files_of(seed, "markers" in settings)
    (tmp_path / ".git").mkdir()
    for name, text in {**files, "llmblocks.toml": settings, "gadgets.json": SCHEMAS, "mcp.json": MCP}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    editor = Editor(tmp_path, workspace=True)
    for name, text in files.items():
        language = language_of(str(tmp_path / name)) or ("stf" if "*.txt" in settings else "")
        if not language:
            continue
        editor.open(name, language_id=language)
        # the names of other files come later
        editor.wait()
        found = json.loads(run("check", "--output-format=json", name))
        assert [*map(of_editor, editor.told[editor.uri(name)])] == [*map(of_command, found)]

        def asked(command: str, name: str = name, **more: Json) -> str:
            return str(editor.run(command, name, **more)["text"])

        if language == "custom-blocks":
            assert "no gadget calls" in asked("showGraph")
        elif "no gadget calls" not in (drawn := asked("showGraph", format="svg")):
            assert run("graph", name, "--output-format=svg") == drawn
        transcript = json.loads(asked("showTranscript"))
        assert json.loads(run("parse", name)) == transcript
        steps = json.loads(asked("showStream", chunks=[7]))
        lines = values(run("parse", name, "--output-format", "events", "--chunk=7"))
        assert [each["events"] for each in lines] == [each["events"] for each in steps]
        if "/" not in name:
            whole = json.loads(asked("showStream", chunks=[max(len(text), 1)]))
            arrived = values(run("stream", "--language", language, "--output-format=ndjson", stdin=name))
            assert arrived == [event for each in whole for event in each["events"]]
        if language == "stf":
            assert json.loads(run("convert", name, "--to=json"))["messages"] == transcript["messages"]
        assert run("config", name) == asked("showSettings")
