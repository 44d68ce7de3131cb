"""`llmblocks explain`, `rules`, `config` and `completion`, the generated pages, and the integrations."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from commands import run
from llmblocks.cli.arguments import COMMANDS, CliCommand, parser, parsers_in
from llmblocks.cli.completion import SHELLS
from llmblocks.cli.explain import page, write_pages
from llmblocks.facts.rule import Rule
from llmblocks.languages.registry import HOSTS, LANGUAGES, language_of
from llmblocks.settings.rule_names import ALL_RULES

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
HELPS = dict(re.findall(r"^## llmblocks ([\w-]+)\n\n```text\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE))
"""The help of each command, as the page has it, which is compared with the parsers."""


def test_rules_are_listed_by_the_beginnings_of_their_codes(tmp_path: Path) -> None:
    done = run(tmp_path, "rules", "g1", "S001")
    codes = [line.split()[0] for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert {"G101", "S001"} < {*codes}
    assert all(code == "S001" or code.startswith("G1") for code in codes)
    (found,) = json.loads(run(tmp_path, "rules", "G101", "--output-format", "json").stdout)
    assert (found["name"], found["format"]) == ("duplicate-pointer", "gadget")


def test_settings_are_printed_with_their_origins(tmp_path: Path) -> None:
    base, file = tmp_path / "base.toml", tmp_path / "llmblocks.toml"
    base.write_text("stf.dialect = '@'\ndiagnostics.maxPerDocument = 7\n", "utf-8")
    file.write_text('extend = "base.toml"\nstf.dialect = ";"\n', "utf-8")
    done = run(tmp_path, "config", str(tmp_path))
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert f'stf.dialect = ";"  # {file}' in lines
    assert f"diagnostics.maxPerDocument = 7  # {base}" in lines
    assert 'gadget.markers.start = "!!!GADGET_START:"  # default' in lines
    told = json.loads(run(tmp_path, "config", str(tmp_path), "--output-format", "json").stdout)
    assert told["origins"]["stf.dialect"] == [str(file)]


@pytest.mark.parametrize(
    ("text", "status", "code", "shown"),
    [
        ("stf.dialect = 'x'\ntags.names = ['a']\n", 2, "C001", '\ntags.names = ["a"]  # '),
        ("stf.dialct = ';'\nrules.perFileIgnores = {}\n", 0, "C002", "\nrules.perFileIgnores = {}  # "),
    ],
)
def test_an_invalid_setting_is_reported_and_the_rest_is_printed(
    text: str, status: int, code: str, shown: str, tmp_path: Path
) -> None:
    (tmp_path / "llmblocks.toml").write_text(text, "utf-8")
    done = run(tmp_path, "config", "a.stf")
    assert (done.returncode, code in done.stderr, shown in done.stdout) == (status, True, True)


def test_a_file_with_the_name_of_an_action_hides_nothing(tmp_path: Path) -> None:
    for name in ("schema", "show", "discover"):
        (tmp_path / name).touch()
    for asked in ("schema", "--schema"):
        assert json.loads(run(tmp_path, "config", asked).stdout)["title"] == "llmblocks"
    assert "stf.dialect" in run(tmp_path, "config", "show", "schema").stdout
    discovered = run(tmp_path, "config", "discover", "--output-format", "json").stdout
    assert discovered == '{\n  "tags": [],\n  "gadgets": []\n}\n'


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_completes_every_command(shell: str, tmp_path: Path) -> None:
    done = run(tmp_path, "completion", shell)
    assert done.returncode == 0
    assert all(command.name in done.stdout for command in COMMANDS)


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
    assert {*HELPS} == {each.name for each in COMMANDS}
    examples = HELPS[command.name].partition("examples:\n")[2].splitlines()
    assert examples
    assert all(f"llmblocks {command.name}" in line for line in examples if line)


@pytest.mark.parametrize("command", ["", "check", "server"])
def test_help_is_a_command_too(command: str, tmp_path: Path) -> None:
    one, other = (run(tmp_path, *filter(None, given)).stdout for given in (("help", command), (command, "--help")))
    assert one == other != ""


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
def test_an_old_spelling_means_the_new_one_and_is_not_shown(old: list[str], new: list[str], tmp_path: Path) -> None:
    (tmp_path / "a.stf").write_text("@user\nHello\n", "utf-8")
    done = []
    for arguments in (old, new):
        (tmp_path / "out").write_text("", "utf-8")
        ended = run(tmp_path, *arguments)
        done.append((ended.returncode, ended.stdout, ended.stderr, (tmp_path / "out").read_text("utf-8")))
    assert done[0] == done[1]
    assert "--json" not in HELPS[old[0]]
    assert "--format" not in HELPS[old[0]].replace("--output-format", "")


PAGES = Path(__file__).parents[2] / "docs" / "rules"


@pytest.mark.parametrize("asked", ["G101", "g101", "duplicate-pointer"])
def test_a_rule_is_explained_with_its_examples(asked: str, tmp_path: Path) -> None:
    shown = run(tmp_path, "explain", asked).stdout
    rule = next(rule for rule in ALL_RULES if rule.code == "G101")
    assert shown.startswith("# G101 duplicate-pointer\n")
    assert all(part in shown for part in (rule.summary, rule.why, rule.bad, rule.good))


def test_without_a_code_all_rules_are_listed(tmp_path: Path) -> None:
    listed = run(tmp_path, "explain").stdout.splitlines()
    assert [line.split()[0] for line in listed] == [rule.code for rule in ALL_RULES]


def test_the_pages_in_docs_are_those_of_the_rules(tmp_path: Path) -> None:
    write_pages(tmp_path)
    made = {page.name: page.read_text(encoding="utf-8") for page in tmp_path.iterdir()}
    kept = {page.name: page.read_text(encoding="utf-8") for page in PAGES.iterdir()}
    assert kept == made, "run: .venv/bin/llmblocks explain --pages docs/rules"


@pytest.mark.parametrize("rule", ALL_RULES, ids=lambda rule: rule.code)
def test_each_code_block_of_a_page_ends(rule: Rule) -> None:
    titles = [each.content for each in MarkdownIt().parse(page(rule)) if each.type == "inline" and each.level == 1]
    assert {"Why", "Wrong", "Right", "Ignore it"} <= {*titles}


def test_a_page_of_a_rule_that_is_gone_goes(tmp_path: Path) -> None:
    (tmp_path / "G000.md").write_text("old", encoding="utf-8")
    kept = [tmp_path / name for name in ("keep.txt", "CHANGELOG.md", "notes-G000.md")]
    for file in kept:
        file.write_text("not a page", encoding="utf-8")
    write_pages(tmp_path)
    assert not (tmp_path / "G000.md").exists()
    assert [file.read_text(encoding="utf-8") for file in kept] == ["not a page"] * 3


def test_a_folder_that_cannot_be_written_is_said_to_be(tmp_path: Path) -> None:
    (tmp_path / "pages").touch()
    done = run(tmp_path, "explain", "--pages", "pages")
    assert done.returncode == 2
    assert done.stderr.startswith("llmblocks explain: the pages cannot be written: ")
