"""A key that is given twice is reported at its place, or refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from llmblocks.gadget import read_gadgets
from llmblocks.languages.registry import language_ids
from llmblocks.settings.files import read_markers
from llmblocks.settings.sources import read_settings_text


def test_a_schema_file_tells_it_at_its_place() -> None:
    text = '[{"name": "a", "schema": {"properties": {\n"x": {"type": "string"},\n"x": {"type": "number"}}}}]'
    read = read_gadgets(text)
    (finding,) = read.findings
    assert (finding.start, finding.end) == (text.rindex('"x"'), text.rindex('"x"') + 3)
    assert "an object has the key 'x' twice — the first value is lost" in str(finding.message)
    assert [gadget.name for gadget in read.gadgets] == ["a"]
    assert read.complete


@pytest.mark.parametrize("text", ["[rules]\nignore = []\nignore = []\n", "[rules]\n[tags]\n[rules]\n"])
def test_a_settings_file_is_refused_at_its_place(text: str, tmp_path: Path) -> None:
    (finding,) = read_settings_text(text, language_ids()).findings
    assert finding.code == "C001"
    assert text[finding.start : finding.end] == text.splitlines()[2]
    (tmp_path / "cli.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="Cannot "):
        read_markers(str(tmp_path / "cli.toml"))
