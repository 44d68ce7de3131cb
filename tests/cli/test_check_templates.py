"""`llmblocks check --template`, for raw completions in logs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import run
from laws.completions import GOOD
from llmblocks.completions.shipped import guessed

CUT = "<tool_call>\n<function=get>\n<parameter=city>\nParis\n</function>\n</tool_call>"


@pytest.mark.parametrize("name", [name for name in GOOD if name != "smollm"])
def test_a_completion_tells_its_template(name: str) -> None:
    assert guessed("".join(GOOD[name])).name == name


def test_a_text_without_delimiters_has_the_default_template() -> None:
    assert guessed("Hello").name == "hermes"


def test_other_commands_read_by_the_template_of_the_option(tmp_path: Path) -> None:
    rows = [json.dumps({"id": 1, "completion": text}) + "\n" for text in (GOOD["qwen3-coder"][0], CUT)]
    (tmp_path / "log.jsonl").write_text("".join(rows), "utf-8")
    (tmp_path / "a.completion").write_text(GOOD["mistral-v11"][0], "utf-8")
    template = "--template", "mistral-v11"
    assert "tool_calls" not in json.loads(run(tmp_path, "parse", "a.completion").stdout)
    calls = json.loads(run(tmp_path, "parse", "a.completion", *template).stdout)["tool_calls"]
    assert [each["function"]["name"] for each in calls] == ["get", "b"]
    told = run(tmp_path, "stream", "a.completion", *template, "--output-format", "ndjson").stdout
    events = [json.loads(line) for line in told.splitlines()]
    assert [each["field"] for each in events if each["event"] == "region_close"][:2] == ["thinking", "content"]
    report = ["report", "log.jsonl", "--language", "completion", "--column", "completion", "--by", "id", "-q"]
    found = run(tmp_path, *report, "--template", "qwen3-coder", "--output-format", "json").stdout
    assert json.loads(found)["total"]["calls"] == 2
