"""`llmblocks session`: of a folder of logs, and of a JSON Lines log of raw completions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import run
from laws.completions import GOOD
from laws.test_linear_told import steps
from llmblocks.contract.markup import size_of
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


def write(folder: Path, *completions: str) -> None:
    rows = [json.dumps({"completion": text}) + "\n" for text in completions]
    (folder / "log.jsonl").write_text("".join(rows), "utf-8")


def test_a_narrow_terminal_cuts_lines(tmp_path: Path) -> None:
    (tmp_path / "0001.response").write_text("!!!GADGET_START:Search:s1\n!!!GADGET_END\n", "utf-8")
    (tmp_path / "0002.request").write_text(f"=== USER ===\nResult (s1): {'x' * 1234}\n", "utf-8")
    lines = run(tmp_path, "session", ".", COLUMNS="30").stdout.splitlines()
    assert max(map(len, lines)) == 30
    assert "      Search s1: returned 1.2…" in lines


def test_sizes_are_rounded_in_the_unit_that_people_use() -> None:
    table = {0: "0 B", 999: "999 B", 1000: "1.0 KB", 999_900: "999.9 KB", 1_000_000: "1.0 MB", 12_340_000: "12.3 MB"}
    assert {count: size_of(count) for count in table} == table


def test_a_page_names_the_markers_to_set(tmp_path: Path) -> None:
    (tmp_path / "0001.response").write_text("<<CALL Read:r1\n<<WITH path\na\n<<DONE\n", "utf-8")
    (tmp_path / "0002.request").write_text("=== USER ===\nResult (r1): hello\n", "utf-8")
    done = run(tmp_path, "session", ".", "--output-format", "html")
    assert (done.returncode, '<p class="bad">1 result without' in done.stdout) == (2, True)


def test_the_page_shows_a_log(tmp_path: Path) -> None:
    write(tmp_path, *COMPLETIONS)
    done = run(tmp_path, "session", "log.jsonl", "--template", "hermes", "--output-format", "html")
    assert done.returncode == 1
    assert "<h2>log.jsonl:1</h2>" in done.stdout
    assert "<summary>Reasoning, 7 B</summary>" in done.stdout
    assert "M004 &lt;tool_call&gt; inside thinking is text" in done.stdout


@pytest.mark.parametrize(("text", "template", "status"), [(OPEN, "hermes", 1), ("No delimiters.", "mistral", 0)])
def test_rejected_calls_of_the_right_template_are_no_misfit(
    text: str, template: str, status: int, tmp_path: Path
) -> None:
    write(tmp_path, text)
    done = run(tmp_path, "session", "log.jsonl", "--template", template)
    assert (done.returncode, done.stderr) == (status, "")


def test_long_and_deep_arguments_are_shortened(tmp_path: Path) -> None:
    write(tmp_path, CALL.replace('"Paris"', "[" * 900 + "]" * 900))
    out = run(tmp_path, "session", "log.jsonl", "--template", "hermes", COLUMNS="").stdout
    assert "get call_1: called with {" in out
    assert max(map(len, out.splitlines())) < 250


def test_a_log_takes_linear_work() -> None:
    settings = Settings(strings=(ByGlob("**", ("completion:completion",)),))

    def work(count: int) -> int:
        lines = [json.dumps({"completion": text}) for text in (*COMPLETIONS, *CODER) for _ in range(count)]
        return steps(lambda: [call.outcome for call in LogSession("log.jsonl", lines, settings).calls])

    work(1)
    assert work(100) < 2.2 * work(50)
