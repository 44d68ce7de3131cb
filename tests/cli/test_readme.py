"""The statements of the README hold."""

from __future__ import annotations

import io
import re
import shlex
import tomllib
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from llmblocks.cli.commands import main
from llmblocks.languages.registry import LANGUAGES, language_ids
from llmblocks.settings.check import check_settings
from llmblocks.settings.sources import read_settings_text

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```\n```text\n(.*?)```", README, re.DOTALL)
TOML = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)
SESSIONS = re.findall(r"```console\n\$ (llmblocks [^\n]*)\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize(("program", "shown"), PROGRAMS, ids=range(len(PROGRAMS)))
def test_a_program_shows_what_the_readme_says(program: str, shown: str) -> None:
    out = io.StringIO()
    with redirect_stdout(out):
        exec(compile(program, "README.md", "exec"), {})
    assert out.getvalue() == shown


def test_every_program_has_its_output_beside_it() -> None:
    assert README.count("```python\n") == len(PROGRAMS) == 1


@pytest.mark.parametrize(("command", "shown"), SESSIONS)
def test_a_command_shows_what_the_readme_says(
    command: str, shown: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    main(shlex.split(command)[1:])
    out, err = capsys.readouterr()
    assert out + err == shown


def test_there_is_a_command_to_show() -> None:
    assert SESSIONS


def test_every_file_that_is_linked_is_there() -> None:
    linked = [name for name in re.findall(r"\]\(([^)#]+)\)", README) if "://" not in name]
    assert [name for name in linked if not (ROOT / name).exists()] == []


def test_every_make_target_that_is_named_exists() -> None:
    makefiles = [ROOT / "Makefile", *(ROOT / "editors").glob("*/*.mk")]
    targets = {name for file in makefiles for name in re.findall(r"^([a-z-]+):", file.read_text("utf-8"), re.MULTILINE)}
    named = set(re.findall(r"(?:`|\$ )make ([a-z-]+)", README))
    assert {"run", "test"} <= named <= targets


def test_the_helix_configuration_is_toml_with_our_language_ids() -> None:
    configuration = tomllib.loads((ROOT / "editors" / "helix" / "languages.toml").read_text("utf-8"))
    ids = [language.get("language-id", language["name"]) for language in configuration["language"]]
    # and that of our settings
    assert list(dict.fromkeys(ids)) == [*[each.id for each in LANGUAGES], "toml"]
    # Helix asks for findings itself, and shows those of the line that is typed; pushed ones wait
    pushed = {"calmTyping": True, "llmblocks": {"diagnostics": {"delivery": "push"}}}
    assert configuration["language-server"]["llmblocks"] == {
        "command": "llmblocks",
        "args": ["server"],
        "config": pushed,
    }


def test_the_settings_file_has_no_mistake_and_means_what_it_says() -> None:
    text, *_ = TOML
    read = read_settings_text(text, language_ids())
    assert read.findings == ()
    settings = check_settings(read.given, language_ids()).settings
    assert settings.tags == ("think", "citation")
    assert (settings.ignore, settings.severity) == (("S002",), (("G102", "warning"),))
