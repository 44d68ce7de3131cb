"""`llmblocks grammar`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import run
from llmblocks.completions import find_template, template_names

PARAMETERS = {"type": "object", "required": ["city"], "properties": {"city": {"type": "string"}}}
TOOLS = [{"type": "function", "function": {"name": "get", "parameters": PARAMETERS}}]
MARKERS = 'gadget.markers = { start = "<<CALL ", end = "<<END", arg = "<<ARG " }\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tools.json").write_text(json.dumps(TOOLS), "utf-8")
    return tmp_path


@pytest.mark.parametrize("name", template_names())
@pytest.mark.parametrize(("form", "start"), [("lark", "start: "), ("ebnf", "root ::= "), ("gbnf", "root ::= ")])
def test_a_template_has_a_grammar_in_each_format(name: str, form: str, start: str, folder: Path) -> None:
    done = run(folder, "grammar", "tools.json", "--template", name, "--output-format", form)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(start)


def test_the_gadgets_of_the_settings_and_their_markers_are_used(folder: Path) -> None:
    (folder / "llmblocks.toml").write_text(f'gadget.schemas = {{"*.gadget" = ["tools.json"]}}\n{MARKERS}', "utf-8")
    done = run(folder, "grammar")
    assert (done.returncode, "<<CALL " in done.stdout, "city" in done.stdout) == (0, True, True)


def test_a_template_may_be_a_file(folder: Path) -> None:
    (folder / "own.json").write_text(find_template("hermes").template.key, "utf-8")
    own, known = (run(folder, "grammar", "tools.json", "--template", name) for name in ("own.json", "hermes"))
    assert own.returncode == 0
    # the order of the delimiters does not matter
    assert sorted(own.stdout) == sorted(known.stdout)


def test_ids_are_for_gadget_calls(folder: Path) -> None:
    assert ":r2:r1" not in run(folder, "grammar", "tools.json").stdout
    assert "r2" in run(folder, "grammar", "tools.json", "--ids", "r1,r2").stdout
