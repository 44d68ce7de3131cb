"""The package for npm does what the one for Python does."""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from editors.debian import ROOT
from editors.npm.conftest import HERE, run
from editors.programs import output
from folders import written
from formats.gadget.test_gadget_vectors import recorded
from formats.stf.test_stf_vectors import VECTOR_LIST
from formats.tags.test_tag_stream import CASES
from llmblocks import Settings, __version__, check, findings_as_json, fix, stf
from llmblocks.cli.javascript import camel
from llmblocks.gadget import CallEnded, GadgetStream, Markers
from llmblocks.settings.rule_names import RULES
from llmblocks.tags import TagHandler, TagStream
from wire import Wire, did_open

Json = Any
MISTAKE = "!!!GADGET_START:ReadFile:r1\n!!!ARG:path\na.txt\n!!!ARG:path\na.txt\n!!!GADGET_END\n"
LANGUAGES = {"gadget": "gadget", "stf": "stf", "tags": "custom-blocks"}
EXAMPLES = [(LANGUAGES[rule.layer], rule.bad) for rule in RULES if rule.layer in LANGUAGES]


Answers = Callable[[list[Json]], list[Json]]


@pytest.fixture(scope="module")
def answers(installed: Path) -> Answers:
    """Return the package's result for each case."""
    script = shutil.copy(HERE / "answers.mjs", installed)
    library = installed / "node_modules" / "llmblocks" / "library.mjs"

    def ask(cases: list[Json]) -> list[Json]:
        given = "".join(f"{json.dumps(case)}\n" for case in cases)
        version, *found = map(json.loads, output("node", script, library, stdin=given).splitlines())
        assert version == __version__
        return found

    return ask


def plain(value: Json) -> Json:
    """Return a value of Python as the library's JSON has it."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else f"{'-' if value < 0 else ''}Infinity"
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return value


def event(found: Json) -> Json:
    """Return an event of Python as JSON."""
    own = {camel(each.name): plain(getattr(found, each.name)) for each in fields(found)}
    if isinstance(found, CallEnded):
        names = ("name", "invocation_id", "dependencies", "parameters", "parameters_raw", "error", "error_kind")
        own = {"call": {camel(name): plain(getattr(found.call, name)) for name in names}}
    return {"event": type(found).__name__, **own}


@pytest.mark.filterwarnings("ignore:the tag .* is never met")
def test_the_library_gives_the_values_of_vectors(answers: Answers) -> None:
    told: list[tuple[Json, Json]] = []
    # all of them are read by CPython, in tests/formats; here events become values of JavaScript
    for file, every in (("llmist.dev.jsonl", 1), ("llmist.regenerated.jsonl", 4)):
        for case in [*recorded(file)][::every]:
            names = {"startPrefix": "start", "endPrefix": "end", "argPrefix": "arg"}
            given = {own: case["options"][name] for name, own in names.items() if name in case["options"]}
            told.append(streamed(GadgetStream(Markers(**given)), {"markers": given}, case["chunks"]))
    for case in VECTOR_LIST:
        transcript = stf.decode(case["input"], **case["options"])
        options = {camel(name): value for name, value in case["options"].items()}
        found = findings_as_json(transcript.findings, case["input"])
        kinds = [{**each, "kind": of.kind} for each, of in zip(found, transcript.findings, strict=True)]
        ask = {"ask": "decodeStf", "given": [case["input"], options]}
        told.append((ask, {**plain(transcript.as_dict()), "findings": kinds}))
    for case in CASES:
        names = case["options"]["tags"]
        chunks = [chunk for chunk in case["chunks"] if isinstance(chunk, str)]
        told.append(streamed(TagStream({name: TagHandler() for name in names}), names, chunks))
    for (case, wanted), got in zip(told, answers([case for case, _ in told]), strict=True):
        assert got == wanted, case
    assert len(told) == 622


def streamed(stream: GadgetStream | TagStream, options: Json, chunks: list[str]) -> tuple[Json, Json]:
    """Return a question to the package about a stream, and the events of Python for it."""
    ask = {"ask": type(stream).__name__, "given": {"options": [options], "chunks": chunks}}
    steps: list[Any] = [*map(stream.feed, chunks), stream.flush() if isinstance(stream, TagStream) else stream.close()]
    return ask, [[event(each) for each in step] for step in steps]


def test_the_library_finds_and_fixes_what_python_does(answers: Answers) -> None:
    functions = ("check", "fix", "format", "feedback", "parse")
    cases = [{"ask": ask, "given": [text, language]} for language, text in EXAMPLES for ask in functions]
    told = iter(answers(cases))
    for language, text in EXAMPLES:
        found, fixed, *others = [next(told) for _ in functions]
        wide = not text.isascii() and max(text) > "\uffff"
        assert wide or found == findings_as_json(check(text, language), text)
        done = fix(text, language)
        assert (fixed["text"], fixed["finished"]) == (done.text, done.finished)
        assert [each["code"] for each in fixed["left"]] == [each.code for each in done.left]
        assert not any("thrown" in each for each in (fixed, *others) if isinstance(each, dict))


def test_places_count_as_javascript_does_and_misuse_throws(answers: Answers) -> None:
    face = "\U0001f600"
    text = f"{face}{face}\n!!!GADGET_START:A:{face}\n!!!ARG:a\n1\n!!!ARG:a\n2\n!!!GADGET_END {face} !!!GADGET_END\n"
    mistral = {"settings": {"completion": {"template": "mistral-v11"}}}
    asked = (
        ("check", text, "gadget"),
        ("check", "", "gadgets"),
        ("check", "", "gadget", {"settings": {"gadget": {"colour": 1}}}),
        ("check",),
        ("decodeStf", "@user\nA\n@*/\n", {"strict": True}),
        ("convert", "@user\nA\n", "stf", "openai"),
        ("convert", "[THINK]A[/THINK]B", "completion", "stf", mistral),
    )
    found, unknown, setting, missing, strict, converted, raw = answers(
        [{"ask": ask, "given": given} for ask, *given in asked]
    )
    encoded = text.encode("utf-16-le")
    lines = [line.encode("utf-16-le") for line in text.splitlines()]
    assert len(found) >= 2
    for one, own in zip(found, check(text, "gadget"), strict=True):
        marked = encoded[2 * one["start"] : 2 * one["end"]]
        assert marked.decode("utf-16-le") == text[own.start : own.end]
        assert lines[one["line"] - 1][2 * (one["column"] - 1) :].startswith(marked)
    assert unknown["thrown"]["message"].startswith("no language 'gadgets'")
    assert "gadget.colour" in setting["thrown"]["message"]
    assert missing["thrown"]["name"] == "TypeError"
    assert strict["thrown"] | {"message": ""} == {"name": "StfError", "message": "", "line": 3, "kind": "comment"}
    assert json.loads(converted["text"]) == [{"role": "user", "content": "A"}]
    assert "reasoning: 'A'" in raw["text"]


def test_the_command_says_what_python_says(installed: Path) -> None:
    files = installed / "files"
    for number in range(40):
        written(files / f"{number}.gadget", MISTAKE)
    written(files / "notes.md", f"```gadget\n{MISTAKE}```\n")
    written(files / "chat.stf", "@user\nWho are you?\n")
    first = run(installed, "npx", "--offline", "llmblocks", "check", "files/0.gadget")
    assert first.returncode == 1
    assert first.stdout.startswith("files/0.gadget:4:8: error G101 Duplicate pointer")
    program = str(installed / "node_modules" / ".bin" / "llmblocks")
    for arguments, status in (
        (("check", "files"), 1),
        (("check", "--output-format", "full", "--color", "always", "files/1.gadget", "files/notes.md"), 1),
        (("parse", "files/chat.stf"), 0),
        (("check", "nothing.gadget"), 2),
    ):
        here = run(installed, sys.executable, "-m", "llmblocks", *arguments)
        there = run(installed, program, *arguments)
        assert here.returncode == status, here.stderr
        assert (there.stdout, there.returncode) == (here.stdout, here.returncode), there.stderr
        assert there.stderr.splitlines()[-1:] == here.stderr.splitlines()[-1:]
    done = run(installed, program, "check", "--fix", "files/2.gadget")
    assert done.returncode == 0, done.stderr
    assert (files / "2.gadget").read_text(encoding="utf-8") == fix(MISTAKE, "gadget").text


def test_the_server_answers_on_standard_input(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLMBLOCKS_PYTHON", "")
    settings = written(installed / "llmblocks.toml", '[rules]\nignore = ["G101"]\n')
    folder = installed.as_uri()
    with Wire((str(installed / "node_modules" / ".bin" / "llmblocks"), "server", "--stdio")) as wire:
        wire.initialize(rootUri=folder)
        for uri, codes in ((f"{folder}/a.gadget", []), ("file:///nowhere/a.gadget", ["G101"])):
            wire.send(did_open(uri, MISTAKE))
            assert wire.codes(uri, 0) == codes
        assert wire.end() == 0
    settings.unlink()


def test_a_python_is_used_if_it_is_not_older(installed: Path, tmp_path: Path) -> None:
    program = str(installed / "node_modules" / ".bin" / "llmblocks")
    # only Python has this command
    asked = ("completion", "--help")
    assert "needs Python" in run(installed, program, *asked).stderr
    done = run(installed, program, *asked, LLMBLOCKS_PYTHON=sys.executable)
    assert (done.returncode, done.stderr) == (0, "")
    nothing = run(installed, program, "check", "-", "--language", "gadget", LLMBLOCKS_PYTHON=sys.executable)
    assert nothing.returncode == 0
    older = written(tmp_path / "python3", "#!/bin/sh\necho llmblocks 0.0.9\n")
    older.chmod(0o755)
    refused = run(installed, program, *asked, LLMBLOCKS_PYTHON=str(older))
    assert refused.returncode == 2
    assert "older than" in refused.stderr
    missing = run(installed, program, *asked, LLMBLOCKS_PYTHON="/nowhere/python")
    assert (missing.returncode, "ENOENT" in missing.stderr) == (2, True)
    # one that is only found is passed over
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    env = {key: value for key, value in os.environ.items() if key != "LLMBLOCKS_PYTHON"} | {"PATH": path}
    found = subprocess.run([program, *asked], env=env, capture_output=True, text=True, check=False)
    assert (found.returncode, "needs Python" in found.stderr) == (2, True)


def test_paths_of_windows_are_those_of_python() -> None:
    script = (
        "import { seen } from './editors/npm/src/machine.mjs';"
        "console.log(JSON.stringify(process.argv.slice(1).map((each) => [seen(each, true), seen(each, false)])))"
    )
    names = (
        "C:\\logs\\a.stf",
        "d:/x",
        "src\\a.stf",
        "--settings=C:\\l.toml",
        "\\\\host\\share\\a.stf",
        "--color=never",
    )
    there = ("/c:/logs/a.stf", "/d:/x", "src/a.stf", "--settings=/c:/l.toml", "//host/share/a.stf", "--color=never")
    said = output("node", "--input-type=module", "-e", script, *names, cwd=ROOT)
    assert json.loads(said) == [[to, name] for to, name in zip(there, names, strict=True)]


def test_the_types_say_what_the_functions_do(installed: Path) -> None:
    compiler = ROOT / "editors" / "vscode" / "node_modules" / ".bin" / "tsc"
    if not compiler.exists():
        pytest.skip("the packages of the VS Code extension are not installed")
    shutil.copy(HERE / "usage.ts", installed)
    options = ("--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--types", "")
    done = run(installed, str(compiler), *options, "usage.ts")
    assert done.returncode == 0, done.stdout


def test_settings_are_those_of_the_settings_file(answers: Answers) -> None:
    given = {"rules": {"ignore": ["duplicate-pointer"]}, "gadget": {"markers": {"start": "<<<"}}}
    own = "<<<A\n!!!ARG:a\n1\n!!!ARG:a/b\n1\n!!!GADGET_END\n"
    (found,) = answers([{"ask": "check", "given": [own, "gadget", {"settings": given}]}])
    settings = Settings(ignore=("G101",), markers=Markers(start="<<<"))
    assert found == findings_as_json(check(own, "gadget", settings), own)
    assert found


# pnpm links packages from a store; Bun brings its own runtime
MANAGERS = {
    "pnpm": (("pnpm", "add", "--offline"), ("pnpm", "exec", "llmblocks")),
    "bun": (("bun", "add"), ("bun", "--bun", "x", "llmblocks")),
}


@pytest.mark.parametrize("name", MANAGERS)
def test_other_package_managers_install_and_run_it(name: str, installed: Path, tmp_path: Path) -> None:
    (packed,) = installed.glob("*.tgz")
    written(tmp_path / "package.json", '{"private": true}\n')
    written(tmp_path / "a.gadget", MISTAKE)
    add, command = MANAGERS[name]
    path = f"{ROOT / 'tests' / 'peers' / 'node_modules' / '.bin'}{os.pathsep}{os.environ['PATH']}"
    done = run(tmp_path, *add, str(packed), PATH=path, HOME=str(tmp_path))
    assert done.returncode == 0, done.stderr
    found = run(tmp_path, *command, "check", "a.gadget", PATH=path, HOME=str(tmp_path))
    assert found.returncode == 1, found.stderr
    assert found.stdout.startswith("a.gadget:4:8: error G101 Duplicate pointer")
