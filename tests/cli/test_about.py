"""`llmblocks explain`, `config` and `help`, and the files that name our languages."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from commands import run
from llmblocks.cli.arguments import COMMANDS, CliCommand
from llmblocks.cli.completion import SHELLS
from llmblocks.cli.explain import page
from llmblocks.facts.rule import Rule
from llmblocks.languages.registry import HOSTS, LANGUAGES, language_of
from llmblocks.settings.rule_names import ALL_RULES

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
HELPS = dict(re.findall(r"^## llmblocks ([\w-]+)\n\n```text\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE))
"""The help of each command, as the page has it: `make check` compares it with the parsers."""


def test_settings_are_printed_with_their_origins(tmp_path: Path) -> None:
    base, file = tmp_path / "base.toml", tmp_path / "llmblocks.toml"
    base.write_text("stf.dialect = '@'\ndiagnostics.maxPerDocument = 7\n", "utf-8")
    file.write_text('extend = "base.toml"\nstf.dialect = ";"\ntags.names = ["a"]\n', "utf-8")
    done = run(tmp_path, "config", str(tmp_path))
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert f'stf.dialect = ";"  # {file}' in lines
    assert f'tags.names = ["a"]  # {file}' in lines
    assert f"diagnostics.maxPerDocument = 7  # {base}" in lines
    assert 'gadget.markers.start = "!!!GADGET_START:"  # default' in lines
    told = json.loads(run(tmp_path, "config", str(tmp_path), "--output-format", "json").stdout)
    assert told["origins"]["stf.dialect"] == [str(file)]
    # the rest is printed beside a mistake
    for wrong, status, code in (("stf.dialect = 'x'", 2, "C001"), ("stf.dialct = ';'", 0, "C002")):
        file.write_text(f"{wrong}\ntags.names = ['a']\nrules.perFileIgnores = {{}}\n", "utf-8")
        done = run(tmp_path, "config", "a.stf")
        assert (done.returncode, code in done.stderr) == (status, True)
        assert all(f"\n{each}  # " in done.stdout for each in ('tags.names = ["a"]', "rules.perFileIgnores = {}"))


def test_a_file_with_the_name_of_an_action_hides_nothing(tmp_path: Path) -> None:
    for name in ("schema", "show", "discover"):
        (tmp_path / name).touch()
    assert json.loads(run(tmp_path, "config", "schema").stdout)["title"] == "llmblocks"
    assert "stf.dialect" in run(tmp_path, "config", "show", "schema").stdout
    discovered = run(tmp_path, "config", "discover")
    assert (discovered.stdout, discovered.stderr) == ("", "nothing new is declared in TypeScript or JavaScript here\n")


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_completes_every_command(shell: str, tmp_path: Path) -> None:
    done = run(tmp_path, "completion", shell)
    assert (done.returncode, all(command.name in done.stdout for command in COMMANDS)) == (0, True)


def test_the_hooks_match_the_files_of_every_language() -> None:
    patterns = re.findall(r"files: (.*)", (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert patterns
    for pattern in patterns:
        # data and code that settings do not name are skipped
        assert all(re.search(pattern, f"a{suffix}") for each in (*LANGUAGES, *HOSTS) for suffix in each.suffixes)
        for log in (".llmist/logs/x/1.response", "a/.llmist/logs/run/first.request", "logs/0007.response", "3.request"):
            assert re.search(pattern, log)
            assert language_of(f"/{log}") == ("request" if log.endswith(".request") else "gadget")
        for other in ("http.request", "a/b.response", "a.stf.txt"):
            assert not re.search(pattern, other)
            assert language_of(f"/{other}") is None


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_the_help_of_each_command_has_examples_and_fits_80_columns(command: CliCommand) -> None:
    assert {*HELPS} == {each.name for each in COMMANDS}
    *_, examples = HELPS[command.name].partition("examples:\n")
    assert examples
    assert all(f"llmblocks {command.name}" in line for line in examples.splitlines() if line)
    assert [line for line in PAGE[PAGE.index("```text") :].splitlines() if len(line) > 80] == []


@pytest.mark.parametrize("command", ["", "check", "server"])
def test_help_is_a_command_too(command: str, tmp_path: Path) -> None:
    one, other = (run(tmp_path, *filter(None, given)).stdout for given in (("help", command), (command, "--help")))
    assert one == other != ""


def test_the_options_of_check_are_in_groups() -> None:
    headings = re.findall(r"^(\w[\w ]*):$", HELPS["check"], re.MULTILINE)
    assert headings == ["options", "files", "rules", "fixes", "output", "running", "settings", "examples"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("parse a.stf --tree", "parse a.stf --output-format tree"),
        ("rules --json", "rules --output-format json"),
        ("config --json", "config show --output-format json"),
        ("graph a.stf --format svg", "graph a.stf --output-format svg"),
        ("diff a.stf a.stf --html out", "diff a.stf a.stf --output-format html --output-file out"),
        ("convert a.stf --to json --output out", "convert a.stf --to json --output-file out"),
    ],
)
def test_an_old_spelling_means_the_new_one_and_is_not_shown(old: str, new: str, tmp_path: Path) -> None:
    (tmp_path / "a.stf").write_text("@user\nHello\n", "utf-8")
    done = []
    for arguments in (old, new):
        (tmp_path / "out").write_text("", "utf-8")
        ended = run(tmp_path, *arguments.split())
        done.append((ended.returncode, ended.stdout, ended.stderr, (tmp_path / "out").read_text("utf-8")))
    assert done[0] == done[1]
    assert not re.search(r"--json|--tree|--html|--output[ ,]|--format", HELPS[old.split()[0]])


@pytest.mark.parametrize("asked", ["G101", "g101", "duplicate-pointer"])
def test_a_rule_is_explained_with_its_examples(asked: str, tmp_path: Path) -> None:
    shown = run(tmp_path, "explain", asked).stdout
    rule = next(rule for rule in ALL_RULES if rule.code == "G101")
    assert shown.startswith("# G101 duplicate-pointer\n")
    assert all(part in shown for part in (rule.summary, rule.why, rule.bad, rule.good))


def test_rules_are_listed_all_or_by_the_beginnings_of_their_codes(tmp_path: Path) -> None:
    codes = [rule.code for rule in ALL_RULES]
    asked = [code for code in codes if code.startswith(("G1", "S001"))]
    for arguments, expected in ((["explain"], codes), (["rules"], codes), (["rules", "g1", "S001"], asked)):
        listed = run(tmp_path, *arguments).stdout.splitlines()
        assert [line.split()[0] for line in listed] == expected
    (found,) = json.loads(run(tmp_path, "rules", "G101", "--output-format", "json").stdout)
    assert (found["name"], found["format"]) == ("duplicate-pointer", "gadget")


@pytest.mark.parametrize("rule", ALL_RULES, ids=lambda rule: rule.code)
def test_each_code_block_of_a_page_ends(rule: Rule) -> None:
    titles = [each.content for each in MarkdownIt().parse(page(rule)) if each.type == "inline" and each.level == 1]
    assert {"Why", "Wrong", "Right", "Ignore it"} <= {*titles}
