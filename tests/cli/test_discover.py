"""`llmblocks config discover`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from llmblocks.cli.commands import main

pytest.importorskip("tree_sitter_typescript", reason="llmblocks[code] is not installed")
CODE = """\
createAdapter({ customBlocks: { citation: { description: "A quotation." } } });
createGadget({ name: "Read", schema: z.object({ path: z.string() }) });
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.ts").write_text(CODE, "utf-8")
    (tmp_path / "a.gadget").write_text("<Citation>x</Citation>\n!!!GADGET_START:Read:r\n!!!GADGET_END\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_the_code_declares_is_printed_and_not_in_force(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "discover"]) == 0
    assert capsys.readouterr().out == (
        '[tags.declared.citation]  # src/a.ts:1\ndescription = "A quotation."\n\n'
        '[gadget.schemas]\n# src/a.ts: Read\n"**" = ["src/a.ts"]\n'
    )
    assert main(["config", "discover", "--output-format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "tags": [{"name": "citation", "description": "A quotation.", "file": "src/a.ts", "line": 1}],
        "gadgets": [{"name": "Read", "file": "src/a.ts", "line": 2}],
    }
    assert main(["check", "."]) == 0
    assert sorted(each.name for each in project.iterdir()) == ["a.gadget", "src"]


def test_settings_that_are_written_are_in_force(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "discover", "--write"]) == 0
    assert (project / "llmblocks.toml").exists()
    assert main(["check", "."]) == 1
    out = capsys.readouterr().out
    assert "a.gadget:1:2: warning T004 'Citation' is not a registered tag" in out
    assert "a.gadget:2:17: error G203 path: Invalid input: expected string, received undefined" in out
    assert main(["config", "discover", "--write"]) == 0
    assert "nothing new is declared" in capsys.readouterr().err


def test_settings_that_cannot_be_added_are_left_as_they_are(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "tags = { names = ['x'] }\n"
    (project / "llmblocks.toml").write_text(text, "utf-8")
    assert main(["config", "discover", "--write"]) == 2
    assert "add them by hand" in capsys.readouterr().err
    assert (project / "llmblocks.toml").read_text("utf-8") == text
    assert main(["config", "discover", "nowhere"]) == 2


def test_a_pyproject_gets_them_in_its_table(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.llmblocks.stf]\ndialect = '@'\n", "utf-8")
    assert main(["config", "discover", "--write"]) == 0
    assert "[tool.llmblocks.tags.declared.citation]  # src/a.ts:1\n" in (project / "pyproject.toml").read_text("utf-8")
    assert main(["check", "."]) == 1


def gadget(name: str, parameter: str) -> str:
    return f'createGadget({{ name: "{name}", schema: z.object({{ {parameter}: z.string() }}) }});\n'


def test_what_is_written_says_where_it_was_found(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "discover"]) == 0
    printed = capsys.readouterr().out
    assert main(["config", "discover", "--write"]) == 0
    assert (project / "llmblocks.toml").read_text("utf-8") == printed


def test_tests_and_fixtures_declare_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in (
        *("src/calc.test.ts", "src/calc_spec.tsx", "src/test.js", "src/a.mock.mts", "e/fixtures.ts"),
        *("tests/a.ts", "src/__tests__/a.ts", "src/Fixtures/a.ts", "e/__mocks__/a.js"),
    ):
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(gadget("BrokenGadget", "a"), "utf-8")
    (project / "src/latest.ts").write_text(gadget("Kept", "a"), "utf-8")
    assert main(["config", "discover", "--output-format", "json"]) == 0
    assert [each["name"] for each in json.loads(capsys.readouterr().out)["gadgets"]] == ["Read", "Kept"]
    # who names a folder wants to see it
    assert main(["config", "discover", "tests", "--output-format", "json"]) == 0
    assert [each["name"] for each in json.loads(capsys.readouterr().out)["gadgets"]] == ["BrokenGadget"]


def test_the_gadgets_of_a_package_are_for_its_files(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, parameter in (("a", "x"), ("b", "y")):
        folder = project / "packages" / name
        (folder / "src").mkdir(parents=True)
        (folder / "package.json").write_text("{}", "utf-8")
        (folder / "src" / "calc.ts").write_text(gadget("Calculator", parameter), "utf-8")
        call = f"!!!GADGET_START:Calculator\n!!!ARG:{parameter}\n1\n!!!GADGET_END\n"
        (folder / "call.gadget").write_text(call, "utf-8")
    (project / "package.json").write_text("{}", "utf-8")
    assert main(["config", "discover"]) == 0
    printed, err = capsys.readouterr()
    assert err == ""
    assert printed.endswith(
        '[gadget.schemas]\n# src/a.ts: Read\n"**" = ["src/a.ts"]\n'
        '# packages/a/src/calc.ts: Calculator\n"packages/a/**" = ["packages/a/src/calc.ts"]\n'
        '# packages/b/src/calc.ts: Calculator\n"packages/b/**" = ["packages/b/src/calc.ts"]\n'
    )
    assert main(["config", "discover", "--write"]) == 0
    assert (project / "llmblocks.toml").read_text("utf-8") == printed
    assert main(["check", "packages"]) == 0


def test_two_declarations_of_a_gadget_that_differ_are_reported(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, parameter in (("b", "x"), ("c", "x"), ("d", "y")):
        (project / f"src/{name}.ts").write_text(f"\n{gadget('Calc', parameter)}", "utf-8")
    assert main(["config", "discover"]) == 0
    out, err = capsys.readouterr()
    told = "Calc has different parameters in src/c.ts:2 and src/d.ts:2; the later one is used"
    assert err == f"llmblocks config discover: {told}\n"
    assert f"# {told}\n" in out
    assert main(["config", "discover", "--output-format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["conflicts"] == [told]


def test_what_git_ignores_is_passed_over(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "generated/kept").mkdir(parents=True)
    for name in ("generated/a.ts", "generated/kept/b.ts", "src/gen.ts"):
        (project / name).write_text(CODE.replace("citation", "ignored"), "utf-8")
    (project / ".gitignore").write_text("/generated/\n", "utf-8")
    (project / "src/.gitignore").write_text("gen.*\n", "utf-8")
    assert main(["config", "discover", "--output-format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {each["file"] for kind in found.values() for each in kind} == {"src/a.ts"}
    # who names it wants to see it
    assert main(["config", "discover", "generated", "--output-format", "json"]) == 0
    assert [each["name"] for each in json.loads(capsys.readouterr().out)["tags"]] == ["ignored"]
