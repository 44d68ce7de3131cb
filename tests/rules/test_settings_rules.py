"""The rules about settings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from llmblocks.cli.commands import main
from llmblocks.languages.registry import language_ids
from llmblocks.lsp.client.config import Config
from llmblocks.settings.sources import read_settings_text


def test_settings_decide_about_findings_in_their_own_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "llmblocks.toml"
    (tmp_path / "a.gadget").touch()
    config = Config()
    config.take_roots([str(tmp_path)])
    for rules, status, severities in (
        ("", 2, [1, 2]),
        ("ignore = ['unknown-setting']", 2, [1]),
        ("severity.C001 = 'hint'", 1, [4, 2]),
        ("ignore = ['C0']", 0, []),
    ):
        file.write_text(f"stf.dialect = '%'\nx = 1\n[rules]\n{rules}\n", encoding="utf-8")
        assert main(["check", str(tmp_path)]) == status
        assert len([line for line in capsys.readouterr().out.splitlines() if " C00" in line]) == len(severities)
        config.forget_files()
        config.of((tmp_path / "a.gadget").as_uri())
        assert [each.severity for each in config.files()[file].findings] == severities


def test_a_client_can_turn_findings_about_its_settings_off() -> None:
    config = Config()
    config.take_client({"stff": 1, "rules": {"severity": {"C002": "information"}}})
    assert [each.severity for each in config.of("untitled:a").findings] == [3]
    config.take_client({"stff": 1, "rules": {"ignore": ["C002"]}})
    assert config.of("untitled:a").findings == ()


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("[rules]\nselct = []", "did you mean select?"),
        ("selct = ['G1']", "did you mean rules.select?"),
        ("[severity]\nG101 = 'off'", "did you mean rules.severity?"),
        ("[markers]\nend = 'x'", "did you mean gadget.markers?"),
        ("[stf]\nmaxSizeMB = 1", "did you mean files.maxSizeMB?"),
        # a name of another group must be nearer than one of the same group
        ("[stf]\ninclude = []", "the known ones are dialect, "),
        ("zzzz = 1", "the known ones are extend, diagnostics, "),
    ],
)
def test_an_unknown_setting_is_reported_with_the_nearest_one_of_any_table(text: str, hint: str) -> None:
    (found,) = read_settings_text(text, language_ids()).findings
    assert found.message.help.startswith(hint)


def test_a_text_and_a_switch_are_asked_for_in_plain_words() -> None:
    found = read_settings_text("stf.defaultRole = 3\nhints.ends = 'x'\n", language_ids()).findings
    assert [each.message.help for each in found] == ["it must be a string", "it must be true or false"]


@pytest.mark.parametrize("select", ['["G"]', '["G101", "nonsense"]', '["C002"]'])
def test_what_is_wrong_with_settings_is_reported_whatever_is_selected(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], select: str
) -> None:
    (tmp_path / "llmblocks.toml").write_text(f"[rules]\nselect = {select}\nseverity = 3\nignroe = []\n", "utf-8")
    (tmp_path / "a.gadget").write_text("!!!GADGET_START:A\n!!!GADGET_END\n", "utf-8")
    assert main(["check", str(tmp_path), "--output-format", "json"]) == 2
    told = {each["code"] for each in json.loads(capsys.readouterr().out)}
    assert told == {"C001", "C002"}
    (tmp_path / "llmblocks.toml").write_text('[rules]\nselect = ["G"]\nignore = ["C002"]\nignroe = []\n', "utf-8")
    assert main(["check", str(tmp_path)]) == 0
