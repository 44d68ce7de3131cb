"""`llmblocks check --template`, for raw completions in logs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from laws.completions import GOOD
from llmblocks.cli.commands import main
from llmblocks.completions.shipped import guessed

CUT = "<tool_call>\n<function=get>\n<parameter=city>\nParis\n</function>\n</tool_call>"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.jsonl"
    texts = (GOOD["qwen3-coder"][0], CUT)
    path.write_text("".join([json.dumps({"id": 1, "completion": text}) + "\n" for text in texts]), "utf-8")
    return path


@pytest.mark.parametrize("name", [name for name in GOOD if name != "smollm"])
def test_a_completion_tells_its_template(name: str) -> None:
    assert guessed("".join(GOOD[name])).name == name


def test_a_text_without_delimiters_has_the_default_template() -> None:
    assert guessed("Hello").name == "hermes"


def test_other_commands_read_by_the_template_of_the_option(
    tmp_path: Path, log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.completion"
    file.write_text(GOOD["mistral-v11"][0], "utf-8")
    assert main(["parse", str(file)]) == 0
    assert "tool_calls" not in json.loads(capsys.readouterr().out)
    assert main(["parse", str(file), "--template", "mistral-v11"]) == 0
    calls = json.loads(capsys.readouterr().out)["tool_calls"]
    assert [each["function"]["name"] for each in calls] == ["get", "b"]
    assert main(["stream", str(file), "--template", "mistral-v11", "--output-format", "ndjson"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each["field"] for each in events if each["event"] == "region_close"][:2] == ["thinking", "content"]
    report = ["report", str(log), "--language", "completion", "--column", "completion", "--by", "id", "-q"]
    assert main([*report, "--template", "qwen3-coder", "--output-format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["total"]["calls"] == 2
