"""The command line and the editor say the same of a file: all commands, on generated sessions and settings."""

from __future__ import annotations

import json
import random
import sys
from itertools import count
from pathlib import Path

import pytest

from llmblocks.cli.commands import main
from llmblocks.languages.registry import language_of
from wire import Json, Wire, did_open

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
# an editor reads it aside; llmist sends the calls of its gadget
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
    return {
        **logs,
        "a.stf": mixed(1),
        "b.blocks": mixed(2),
        "c.gadget": mixed(3),
        "chats/d.stf": mixed(4),
        "e.txt": mixed(5),
    }


def told(each: Json) -> tuple[Json, ...]:
    start, end = each["range"]["start"], each["range"]["end"]
    places = start["line"] + 1, start["character"] + 1, end["line"] + 1, end["character"] + 1
    return each["code"], *places, SEVERITIES[each["severity"]], each["message"]


def lines_of(each: Json) -> str:
    """Return the message of a diagnostic: the headline, then its parts, a line each."""
    return "\n".join([each["headline"], *(f"{part}: {each[part]}" for part in ("note", "help") if each[part])])


@pytest.mark.parametrize("seed", range(len(SETTINGS)))
def test_both_say_the_same(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    settings = SETTINGS[seed % len(SETTINGS)]
    files = files_of(seed, "markers" in settings)
    (tmp_path / ".git").mkdir()
    for name, text in {**files, "llmblocks.toml": settings, "gadgets.json": SCHEMAS, "mcp.json": MCP}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, stdin: str | None = None) -> str:
        capfd.readouterr()
        if stdin is not None:
            with open(stdin, encoding="utf-8") as opened, monkeypatch.context() as patched:
                patched.setattr(sys, "stdin", opened)
                assert main([*arguments]) < 2
        else:
            assert main([*arguments]) < 2
        return capfd.readouterr().out

    ids = count(1)
    with Wire() as wire:
        wire.initialize(rootUri=tmp_path.as_uri())
        for name, text in files.items():
            uri = (tmp_path / name).as_uri()
            language = language_of(str(tmp_path / name)) or ("stf" if "*.txt" in settings else "")
            if not language:
                continue
            wire.send(did_open(uri, text, language_id=language))

            def asked(command: str, uri: str = uri, **more: Json) -> str:
                argument = {"textDocument": {"uri": uri}, **more}
                found = wire.result(
                    next(ids), "workspace/executeCommand", {"command": command, "arguments": [argument]}
                )
                return str(found["text"])

            expected: list[tuple[Json, ...]] = [
                (
                    each["code"],
                    each["line"],
                    each["column"],
                    each["endLine"],
                    each["endColumn"],
                    each["severity"],
                    lines_of(each),
                )
                for each in json.loads(run("check", "--output-format=json", name))
            ]

            # the names of other files come later
            def agrees(message: Json, uri: str = uri, expected: list[tuple[Json, ...]] = expected) -> bool:
                params = message.get("params")
                is_publish = message.get("method") == "textDocument/publishDiagnostics"
                return is_publish and params["uri"] == uri and [*map(told, params["diagnostics"])] == expected

            wire.wait(agrees, seconds=20)
            if language == "custom-blocks":
                assert "no gadget calls" in asked("llmblocks.showGraph")
            elif "no gadget calls" not in (drawn := asked("llmblocks.showGraph", format="svg")):
                assert run("graph", name, "--output-format=svg") == drawn
            assert json.loads(run("parse", name)) == json.loads(asked("llmblocks.showTranscript"))
            steps = json.loads(asked("llmblocks.showStream", chunks=[7]))
            lines = [
                json.loads(line) for line in run("parse", name, "--output-format", "events", "--chunk=7").splitlines()
            ]
            assert [each["events"] for each in lines] == [each["events"] for each in steps]
            whole = json.loads(asked("llmblocks.showStream", chunks=[max(len(text), 1)]))
            arrived = run("stream", "--language", language, "--output-format=ndjson", stdin=name)
            if "/" not in name:
                assert [json.loads(line) for line in arrived.splitlines()] == [
                    e for each in whole for e in each["events"]
                ]
            if language == "stf":
                messages = json.loads(run("convert", name, "--to=json"))["messages"]
                assert messages == json.loads(asked("llmblocks.showTranscript"))["messages"]
            assert run("config", name) == asked("llmblocks.showSettings")
        assert wire.end() == 0
