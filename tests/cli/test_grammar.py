"""`llmblocks grammar`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from llmblocks.cli.commands import main
from llmblocks.completions import find_template, template_names

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "get",
            "parameters": {"type": "object", "required": ["city"], "properties": {"city": {"type": "string"}}},
        },
    }
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "tools.json").write_text(json.dumps(TOOLS), "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["grammar", *arguments])
    return status, *capsys.readouterr()


@pytest.mark.parametrize("name", template_names())
@pytest.mark.parametrize(("form", "start"), [("lark", "start: "), ("ebnf", "root ::= "), ("gbnf", "root ::= ")])
def test_a_template_has_a_grammar_in_each_format(
    name: str, form: str, start: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(capsys, "tools.json", "--template", name, "--output-format", form)
    assert (status, err) == (0, "")
    assert out.startswith(start)


def test_the_gadgets_of_the_settings_and_their_markers_are_used(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    markers = 'start = "<<CALL "\nend = "<<END"\narg = "<<ARG "\n'
    settings = f'[gadget]\nschemas = {{"*.gadget" = ["tools.json"]}}\n[gadget.markers]\n{markers}'
    (folder / "llmblocks.toml").write_text(settings, "utf-8")
    status, out, _ = run(capsys)
    assert status == 0
    assert "<<CALL " in out
    assert "city" in out


def test_a_template_may_be_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "own.json").write_text(find_template("hermes").template.key, "utf-8")
    own, known = (run(capsys, "tools.json", "--template", name) for name in ("own.json", "hermes"))
    assert own[0] == 0
    # the order of the delimiters does not matter
    assert sorted(own[1]) == sorted(known[1])


def test_ids_are_for_gadget_calls_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ":r2:r1" not in run(capsys, "tools.json")[1]
    assert "r2" in run(capsys, "tools.json", "--ids", "r1,r2")[1]
    with pytest.raises(SystemExit):
        main(["grammar", "tools.json", "--template", "hermes", "--ids", "r1"])
    assert "--ids cannot be combined with --template" in capsys.readouterr().err


def test_of_many_parts_that_are_left_out_some_are_listed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    limits = {f"n{number}": {"type": "number", "maximum": 3} for number in range(110)}
    (folder / "tools.json").write_text(json.dumps({"name": "f", "parameters": {"properties": limits}}), "utf-8")
    status, _, err = run(capsys, "tools.json", "--template", "hermes")
    assert status == 1
    assert err.splitlines()[99:] == ["f/n99: `maximum` is not enforced", "10 more"]
