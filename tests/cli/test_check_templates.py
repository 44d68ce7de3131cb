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


def test_a_template_by_name_checks_the_completions_of_a_log(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(log), "--template", "qwen3-coder", "--output-format", "concise"]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert ":2:" in line
    assert "M006" in line


def test_auto_says_which_template_it_took_and_why(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(log), "--template", "auto"]) == 1
    shown = capsys.readouterr()
    assert "M006" in shown.out
    assert "template qwen3-coder: 4 of its delimiters are there, such as <tool_call> <function=get>" in shown.err


def test_a_template_of_a_tokenizer_is_read(tmp_path: Path, log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    template = {"start_anchor": "x", "fields": {"content": {}, "call": {"open": "<tool_call>", "close": "</end>"}}}
    file = tmp_path / "tokenizer_config.json"
    file.write_text(json.dumps({"response_template": template}), "utf-8")
    assert main(["check", str(log), "--template", str(file)]) == 1
    assert "M001" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["qwen", "none.json"])
def test_a_template_that_is_none_is_refused(name: str, log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["check", str(log), "--template", name])
    assert f"--template {name}" in capsys.readouterr().err


def test_a_file_of_a_completion_has_the_template_of_the_settings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "llmblocks.toml").write_text(
        '[completion]\ntemplate = "think"\n[completion.templates]\n"*.b.completion" = "t.json"\n', "utf-8"
    )
    template = {"start_anchor": "x", "fields": {"call": {"open": "<a>", "close": "</a>"}, "content": {}}}
    (tmp_path / "t.json").write_text(json.dumps(template), "utf-8")
    (tmp_path / "a.completion").write_text("<think>x", "utf-8")
    (tmp_path / "b.b.completion").write_text("<a>x", "utf-8")
    assert main(["check", str(tmp_path), "--output-format", "concise"]) == 1
    assert sorted(line.split()[2] for line in capsys.readouterr().out.splitlines()) == ["M001", "M001"]


@pytest.mark.parametrize("name", [name for name in GOOD if name != "smollm"])
def test_a_completion_tells_its_template(name: str) -> None:
    assert guessed("".join(GOOD[name])).name == name


def test_a_text_without_delimiters_has_the_default_template() -> None:
    assert guessed("Hello").name == "hermes"


@pytest.mark.parametrize("template", ["hermes", "auto"])
def test_a_given_file_whose_name_tells_no_language_is_a_completion(
    template: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "answer.txt"
    file.write_text("<tool_call>\n{}\n", "utf-8")
    assert main(["check", str(file), "--template", template, "--output-format", "concise"]) == 1
    shown = capsys.readouterr()
    assert " M001 " in shown.out
    assert template == "hermes" or "template hermes: " in shown.err


def test_the_template_of_standard_input_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["check", "-", "--template", "auto"])
    assert "--template auto cannot be combined with standard input: name the template" in capsys.readouterr().err


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
