"""`llmblocks rules`, `config` and `completion`, the generated pages, and the integrations."""

from __future__ import annotations

import argparse
import json
import re
from contextlib import suppress
from pathlib import Path

import pytest

from llmblocks.cli.arguments import COMMANDS, CliCommand, parser, parsers_in
from llmblocks.cli.commands import main
from llmblocks.cli.completion import SHELLS
from llmblocks.languages.registry import HOSTS, LANGUAGES, language_of

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
HELPS = dict(re.findall(r"^## llmblocks ([\w-]+)\n\n```text\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE))
"""The help of each command, as the page has it, which is compared with the parsers."""


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(arguments)
    return status, *capsys.readouterr()


def test_rules_are_listed_by_the_beginnings_of_their_codes(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "rules", "g1", "S001")
    codes = [line.split()[0] for line in out.splitlines()]
    assert status == 0
    assert "G101" in codes
    assert "S001" in codes
    assert all(code == "S001" or code.startswith("G1") for code in codes)
    found = json.loads(run(capsys, "rules", "G101", "--output-format", "json")[1])
    assert (found[0]["name"], found[0]["format"]) == ("duplicate-pointer", "gadget")


def test_settings_are_printed_with_their_origins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = tmp_path / "base.toml"
    base.write_text("stf.dialect = '@'\ndiagnostics.maxPerDocument = 7\n", encoding="utf-8")
    file = tmp_path / "llmblocks.toml"
    file.write_text('extend = "base.toml"\nstf.dialect = ";"\n', encoding="utf-8")
    status, out, err = run(capsys, "config", str(tmp_path))
    lines = out.splitlines()
    assert (status, err) == (0, "")
    assert f'stf.dialect = ";"  # {file}' in lines
    assert f"diagnostics.maxPerDocument = 7  # {base}" in lines
    assert 'gadget.markers.start = "!!!GADGET_START:"  # default' in lines
    told = json.loads(run(capsys, "config", str(tmp_path), "--output-format", "json")[1])
    assert told["origins"]["stf.dialect"] == [str(file)]


def test_an_invalid_setting_is_reported_and_the_rest_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "llmblocks.toml").write_text("stf.dialect = 'x'\ntags.names = ['a']\n", encoding="utf-8")
    status, out, err = run(capsys, "config", str(tmp_path / "a.stf"))
    assert status == 2
    assert 'tags.names = ["a"]' in out
    assert "C001" in err


def test_a_warning_about_settings_leaves_the_status_zero(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "stf.dialct = ';'\nrules.perFileIgnores = {}\n"
    (tmp_path / "llmblocks.toml").write_text(text, encoding="utf-8")
    status, out, err = run(capsys, "config", str(tmp_path / "a.stf"))
    assert (status, "C002" in err) == (0, True)
    assert "\nrules.perFileIgnores = {}  # " in out


def test_the_schema_of_the_settings_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    for asked in ("schema", "--schema"):
        assert json.loads(run(capsys, "config", asked)[1])["title"] == "llmblocks"


def test_a_file_with_the_name_of_an_action_hides_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("schema", "show", "discover"):
        (tmp_path / name).touch()
    assert json.loads(run(capsys, "config", "schema")[1])["title"] == "llmblocks"
    assert "stf.dialect" in run(capsys, "config", "show", "schema")[1]
    discovered = run(capsys, "config", "discover", "--output-format", "json")[1]
    assert discovered == '{\n  "tags": [],\n  "gadgets": []\n}\n'


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_completes_every_command(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "completion", shell)
    assert status == 0
    assert all(command.name in out for command in COMMANDS)


def test_every_command_that_reads_files_has_examples() -> None:
    assert set(HELPS) == {command.name for command in COMMANDS}
    for name in ("parse", "stream", "convert", "graph", "rules", "config", "completion"):
        assert "examples:\n  " in HELPS[name]


def test_the_hooks_match_the_files_of_every_language() -> None:
    patterns = re.findall(r"files: (.*)", (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert patterns
    for pattern in patterns:
        for language in (*LANGUAGES, *HOSTS):
            for suffix in language.suffixes:
                # data and code that settings do not name are skipped
                assert re.search(pattern, f"a{suffix}")
        for log in (".llmist/logs/x/1.response", "a/.llmist/logs/run/first.request", "logs/0007.response", "3.request"):
            assert re.search(pattern, log)
            assert language_of(f"/{log}") == ("request" if log.endswith(".request") else "gadget")
        for other in ("http.request", "a/b.response", "a.stf.txt"):
            assert not re.search(pattern, other)
            assert language_of(f"/{other}") is None


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_the_help_of_each_command_has_examples(command: CliCommand) -> None:
    examples = HELPS[command.name].partition("examples:\n")[2].splitlines()
    assert examples
    assert all(f"llmblocks {command.name}" in line for line in examples if line)


@pytest.mark.parametrize("command", ["", "check", "server"])
def test_help_is_a_command_too(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    helps = []
    for arguments in (["help", command], [command, "--help"]):
        with suppress(SystemExit):
            main([each for each in arguments if each])
        helps.append(capsys.readouterr().out)
    assert helps[0] == helps[1] != ""


def parsers() -> dict[str, argparse.ArgumentParser]:
    """Return all parsers by what is typed for them."""
    found = {"llmblocks": parser(*COMMANDS)}
    for name, each in parsers_in(found["llmblocks"]).items():
        found[f"llmblocks {name}"] = each
        found |= {f"llmblocks {name} {action}": own for action, own in parsers_in(each).items()}
    return found


@pytest.mark.parametrize("name", parsers())
def test_help_fits_a_terminal_of_80_columns(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = parsers()[name].format_help()
    assert [line for line in text.splitlines() if len(line) > 80] == []


def test_the_options_of_check_are_in_groups() -> None:
    text = parsers()["llmblocks check"].format_help()
    headings = re.findall(r"^(\w[\w ]*):$", text, re.MULTILINE)
    assert headings == ["options", "files", "rules", "fixes", "output", "running", "settings", "examples"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (["parse", "a.stf", "--tree"], ["parse", "a.stf", "--output-format", "tree"]),
        (["rules", "--json"], ["rules", "--output-format", "json"]),
        (["config", "--json"], ["config", "show", "--output-format", "json"]),
        (["graph", "a.stf", "--format", "svg"], ["graph", "a.stf", "--output-format", "svg"]),
        (
            ["diff", "a.stf", "a.stf", "--html", "out"],
            ["diff", "a.stf", "a.stf", "--output-format", "html", "--output-file", "out"],
        ),
        (
            ["convert", "a.stf", "--to", "json", "--output", "out"],
            ["convert", "a.stf", "--to", "json", "--output-file", "out"],
        ),
    ],
)
def test_an_old_spelling_means_the_new_one_and_is_not_shown(
    old: list[str], new: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.stf").write_text("@user\nHello\n", "utf-8")
    done = []
    for arguments in (old, new):
        Path("out").write_text("", "utf-8")
        status = main(arguments)
        done.append((status, *capfd.readouterr(), Path("out").read_text("utf-8")))
    assert done[0] == done[1]
    assert "--json" not in HELPS[old[0]]
    assert "--format" not in HELPS[old[0]].replace("--output-format", "")
