"""docs/schemas.md: every example does what the page says."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from llmblocks.cli.commands import main
from llmblocks.contract import arguments
from llmblocks.gadget import read_gadgets
from llmblocks.gadget.editor.arguments import MOST_ARGUMENTS
from llmblocks.gadget.running.patterns import SECONDS
from llmblocks.gadget.schemas import models
from llmblocks.settings import gadgets as files

PAGE = (Path(__file__).parents[2] / "docs" / "schemas.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def test_the_example_prints_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tools").mkdir()
    Path("llmblocks.toml").write_text(blocks("toml")[0], "utf-8")
    Path("tools/read.json").write_text(blocks("json")[0], "utf-8")
    Path("a.gadget").write_text(blocks("gadget")[0], "utf-8")
    assert main(["check", "a.gadget"]) == 1
    assert capsys.readouterr().out == blocks("text")[0]


@pytest.mark.parametrize("text", blocks("json"))
def test_each_source_is_read(text: str) -> None:
    found = read_gadgets(text)
    assert ([each.name for each in found.gadgets], found.findings) == (["Read"], ())
    assert found.gadgets[0].parameters is not None


def test_the_example_in_typescript_is_read() -> None:
    pytest.importorskip("tree_sitter_typescript", reason="llmblocks[code] is not installed")
    (text,) = blocks("typescript")
    (gadget,) = read_gadgets(text, "read.ts").gadgets
    assert (gadget.name, gadget.description) == ("Read", "Reads a file.")
    assert gadget.parameters == {
        "type": "object",
        "properties": {"path": {"type": "string"}, "lines": {"type": "integer", "minimum": 1}},
        "required": ["path"],
        "additionalProperties": False,
    }


def test_the_example_in_python_runs() -> None:
    out = io.StringIO()
    with redirect_stdout(out):
        exec(blocks("python")[1], {})
    assert out.getvalue().startswith("G203 path: Invalid input: expected string, received undefined")


@pytest.mark.slow
def test_the_model_of_the_page_is_a_gadget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tools").mkdir()
    Path("tools/read.json").write_text(blocks("json")[0], "utf-8")
    Path("llmblocks.toml").write_text(blocks("toml")[1], "utf-8")
    Path("tools.py").write_text(blocks("python")[0], "utf-8")
    calls = "!!!GADGET_START:Search\n!!!ARG:limit\n0\n!!!GADGET_END\n!!!GADGET_START:Write\n"
    Path("a.gadget").write_text(calls, "utf-8")
    assert main(["check", "a.gadget"]) == 0
    assert capsys.readouterr().out.count("G2") == 0
    assert main(["check", "--trust", "a.gadget"]) == 1
    assert re.findall(r" (G2\d\d)", capsys.readouterr().out) == ["G203", "G206", "G201"]


def test_the_limits_are_those_of_the_code() -> None:
    rows = re.findall(r"^\| (.*?) \| (.*?) \|$", PAGE[PAGE.index("## Limits") :], re.MULTILINE)[1:]
    assert dict(rows) == {
        "a schema file": f"{files._MOST_BYTES >> 20} MiB",
        "files that one pattern names": f"{files._MOST_FILES:,}",
        "the import of a model": f"{models.SECONDS:.0f} s",
        "a call that is checked against a schema": f"{MOST_ARGUMENTS:,} arguments, {arguments.LONGEST_BODY >> 10} KiB",
        "findings about the arguments of a call": str(arguments.MOST_PROBLEMS),
        "the processor time of a pattern on a value": f"{SECONDS} s",
    }
