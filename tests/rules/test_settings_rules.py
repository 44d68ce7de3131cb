"""The rules about settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from llmblocks.cli.commands import main
from llmblocks.lsp.client.config import Config


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
