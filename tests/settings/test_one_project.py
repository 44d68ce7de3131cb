"""A file has one language, the same settings and the same findings for the library, the command line and the server."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from llmblocks import Settings, check
from llmblocks.cli.commands import main
from llmblocks.cli.project import CommandProject
from llmblocks.facts.finding import Finding
from llmblocks.languages.registry import language_of
from llmblocks.lsp.client.config import Config
from llmblocks.settings.values import ByGlob

CALL = "!!!GADGET_START:A:a2:a1\n!!!ARG:x\n1\n!!!ARG:x\n2\n!!!GADGET_END\n"
FIRST = "!!!GADGET_START:A:a1\n!!!ARG:x\n1\n!!!GADGET_END\n"
FILES = {
    ".llmist/logs/1/0001.response": FIRST,
    ".llmist/logs/1/0002.response": CALL,
    ".llmist/logs/1/foo.response": CALL,
    ".llmist/logs/1/foo.request": f"=== ASSISTANT ===\n{CALL}",
    "elsewhere/foo.response": CALL,
    "legacy/a.gadget": CALL,
    "notes/a.txt": CALL,
    "notes/legacy/a.stf": f"@embed url=b.png\n@ai\n{CALL}",
}
SETTINGS: dict[str, tuple[str, Settings]] = {
    "none": ("", Settings()),
    "ignored below a folder": (
        '[rules.perFileIgnores]\n"legacy/**" = ["G101"]\n',
        Settings(per_file_ignores={"legacy/**": ("G101",)}),  # type: ignore[arg-type]
    ),
    "selected more closely": (
        '[rules]\nselect = ["G1", "G101"]\n[rules.perFileIgnores]\n"*.gadget" = ["G"]\n',
        Settings(select=("G1", "G101"), per_file_ignores={"*.gadget": ("G",)}),  # type: ignore[arg-type]
    ),
    "everywhere else": (
        '[rules.perFileIgnores]\n"!legacy/**" = ["G1"]\n',
        Settings(per_file_ignores={"!legacy/**": ("G1",)}),  # type: ignore[arg-type]
    ),
    "languages": (
        '[files.languages]\n"notes/*.txt" = "gadget"\n"*.response" = "gadget"\n',
        Settings(languages=(ByGlob("notes/*.txt", ("gadget",)), ByGlob("*.response", ("gadget",)))),
    ),
}


def codes(found: tuple[Finding, ...]) -> list[str]:
    return [finding.code for finding in found]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("case", SETTINGS)
def test_a_file_is_the_same_for_all(
    case: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    toml, settings = SETTINGS[case]
    (tmp_path / "llmblocks.toml").write_text(toml, "utf-8")
    for each, text in FILES.items():
        (tmp_path / each).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / each).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    path = str(tmp_path / name)
    command, config = CommandProject(), Config()
    config.take_roots([str(tmp_path)])
    of_server = language_of(path, config.settings_in(str(Path(path).parent)))
    assert command.language_of(name) == command.language_of(path) == of_server
    assert command.settings_for(name).ignore == config.of(Path(path).as_uri()).languages.settings.ignore
    if of_server is None:
        for each in (name, path):
            with pytest.raises(ValueError, match="does not determine a language"):
                check(FILES[name], None, settings, each)
        return
    main(["check", "--output-format", "json", "--exit-zero", "-q", name])
    told = [each["code"] for each in json.loads(capsys.readouterr().out)]
    assert codes(check(FILES[name], None, settings, name)) == told
    assert codes(check(FILES[name], None, settings, path)) == told
    # from inside of the folder, the pattern of a program counts from there
    monkeypatch.chdir(Path(path).parent)
    if not toml:
        assert codes(check(FILES[name], None, settings, Path(name).name)) == told
    main(["check", "--output-format", "json", "--exit-zero", "-q", Path(name).name])
    assert [each["code"] for each in json.loads(capsys.readouterr().out)] == told
