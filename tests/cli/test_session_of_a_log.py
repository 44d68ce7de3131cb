"""`llmblocks session` of a JSON Lines log of raw completions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from laws.completions import GOOD
from laws.test_linear_told import steps
from llmblocks.cli.commands import main
from llmblocks.sessions.log import LogSession
from llmblocks.settings.values import ByGlob, Settings

CALL = '<tool_call>\n{"name": "get", "arguments": {"city": "Paris"}}\n</tool_call>'
OPEN = CALL.replace("}}", "}")
COMPLETIONS = (
    f"<think>\nI look.\n</think>\nLet me see.\n{CALL}",
    f"Again.\n{OPEN}",
    f"<think>\n{CALL}\n</think>\nDone.",
)
CODER = (
    GOOD["qwen3-coder"][0],
    "<tool_call>\n<function=get>\n<parameter=city>\nParis\n</parameter>\n</function>\n",
    "<think>\nI call\n<tool_call>\n<function=get>\n<parameter=city>\nParis\n</parameter>\n</function>\n</tool_call>",
)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.chdir(tmp_path)


def write(*rows: object, name: str = "log.jsonl") -> None:
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    Path(name).write_text("".join([f"{line}\n" for line in lines]), "utf-8")


def shown(capsys: pytest.CaptureFixture[str], *options: str, status: int = 0) -> tuple[str, str]:
    assert main(["session", "log.jsonl", *options]) == status
    return capsys.readouterr()


def test_the_page_shows_a_log(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    write(*[{"completion": text} for text in COMPLETIONS])
    assert main(["session", "log.jsonl", "--template", "hermes", "--output-format", "html"]) == 1
    page = capsysbinary.readouterr().out.decode()
    assert "<h2>log.jsonl:1</h2>" in page
    assert "<summary>Reasoning, 7 B</summary>" in page
    assert "M004 &lt;tool_call&gt; inside thinking is text" in page


def test_rejected_calls_of_the_right_template_are_no_misfit(capsys: pytest.CaptureFixture[str]) -> None:
    write({"completion": OPEN})
    assert shown(capsys, "--template", "hermes", status=1)[1] == ""
    write({"completion": "No delimiters."})
    assert shown(capsys, "--template", "mistral")[1] == ""


def test_long_and_deep_arguments_are_shortened(capsys: pytest.CaptureFixture[str]) -> None:
    write({"completion": CALL.replace('"Paris"', "[" * 900 + "]" * 900)})
    out, _ = shown(capsys, "--template", "hermes")
    assert "get call_1: called with {" in out
    assert max(map(len, out.splitlines())) < 250


def test_a_log_takes_linear_work() -> None:
    settings = Settings(strings=(ByGlob("**", ("completion:completion",)),))

    def work(count: int) -> int:
        lines = [json.dumps({"completion": text}) for text in (*COMPLETIONS, *CODER) for _ in range(count)]
        return steps(lambda: [call.outcome for call in LogSession("log.jsonl", lines, settings).calls])

    work(1)
    assert work(100) < 2.2 * work(50)
