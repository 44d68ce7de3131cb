"""`llmblocks conformance`: the protocol, and the scores of the page."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from commands import run
from formats.gadget.llmist_peer import require_llmist
from llmblocks.cli.conformance import judged

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "conformance" / "v1"
FILES = {path.stem: path for path in sorted(FOLDER.glob("*.jsonl"))}
PAGE = (ROOT / "docs" / "conformance.md").read_text("utf-8")
ECHO = """
import json, sys
known = {json.loads(line)["id"]: json.loads(line) for line in open(sys.argv[1], encoding="ascii")}
for line in sys.stdin:
    case = json.loads(line)
    assert not {"values", "events", "problems"} & {*case}
    %s
    print(json.dumps(answer), flush=True)
"""


def cases(language: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in FILES[language].read_text("ascii").splitlines()]


def score(name: str) -> tuple[int, int]:
    """The cases and those that are the same, in a row of the page."""
    row = re.search(rf"^\| {re.escape(name)} \| [^|]* \| (\d+) \| (\d+) \|$", PAGE, re.MULTILINE)
    assert row is not None
    return int(row[1]), int(row[2])


def scored(folder: Path, *arguments: str) -> tuple[int, list[dict[str, str]]]:
    done = run(folder, "conformance", *arguments, "--output-format", "json")
    return done.returncode, json.loads(done.stdout)


def echo(folder: Path, body: str) -> str:
    """The command of an implementation that knows the answers, and does this with them."""
    (folder / "echo.py").write_text(ECHO % body.replace("\n", "\n    "), "utf-8")
    return f'"{sys.executable}" "{folder / "echo.py"}" "{FILES["stf"]}"'


def test_our_implementation_has_the_results_of_all_cases(tmp_path: Path) -> None:
    status, found = scored(tmp_path, *map(str, FILES.values()))
    assert status == 0
    assert (len(found), Counter([each["outcome"] for each in found])["same"]) == score("llmblocks")
    for language in FILES:
        assert f"| `{language}.jsonl` | {len(cases(language))} |" in PAGE


@pytest.mark.parametrize(
    ("body", "outcome", "why"),
    [
        ("answer = known[case['id']]", "same", ""),
        ("answer = {'id': case['id'], 'skip': True}", "skipped", ""),
        ("answer = {**known[case['id']], 'values': 1}", "different", "values: 1, not {"),
        ("answer = {**known[case['id']], 'problems': 1}", "different", "problems: 1, not ["),
        ("answer = {'id': 'x', 'values': 1}", "failed", "the answer is not an object with the id 'stf-001'"),
        ("answer = {'id': case['id']}", "failed", "the answer has no `values`"),
        ("answer = 1; print('<html>', flush=True)", "failed", "the answer is not JSON: <html>"),
        ("sys.exit(3)", "failed", "the command ended with status 3"),
    ],
)
def test_another_answer_is_counted_with_its_reason(body: str, outcome: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "one.jsonl").write_text(FILES["stf"].read_text("ascii").partition("\n")[0] + "\n", "ascii")
    status, (found,) = scored(tmp_path, "one.jsonl", "--command", echo(tmp_path, body))
    assert (status, found["outcome"]) == (int(outcome in ("different", "failed")), outcome)
    assert found["why"].startswith(why)


def test_the_command_is_started_again_after_a_case_that_it_does_not_answer(tmp_path: Path) -> None:
    body = "if case['id'] in ('stf-002', 'stf-004'): sys.exit(3)\nanswer = known[case['id']]"
    _, found = scored(tmp_path, str(FILES["stf"]), "--command", echo(tmp_path, body))
    failed = [each["id"] for each in found if each["outcome"] == "failed"]
    assert (failed, Counter([each["outcome"] for each in found])["same"]) == (["stf-002", "stf-004"], len(found) - 2)


@pytest.mark.parametrize(
    ("file", "command", "reason"),
    [
        ("bad.jsonl", None, "bad.jsonl: not a file of cases: "),
        ("list.jsonl", None, "list.jsonl: not a file of cases: "),
        ("lacks.jsonl", None, "lacks.jsonl:1: not a case: settings is missing or wrong"),
        (str(FILES["stf"]), "no-such-program x", "the command cannot be started: "),
        (str(FILES["stf"]), '"x', "--command: No closing quotation"),
        (str(FILES["stf"]), "", "the command"),
    ],
)
def test_cases_and_commands_that_cannot_be_used_are_refused(
    file: str, command: str | None, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "bad.jsonl").write_text("{\n", "utf-8")
    (tmp_path / "list.jsonl").write_text("[]\n", "utf-8")
    (tmp_path / "lacks.jsonl").write_text('{"id": "a", "language": "stf", "chunks": []}\n', "utf-8")
    done = run(tmp_path, "conformance", file, *([] if command is None else ["--command", command]))
    assert (done.returncode, done.stderr.startswith(f"llmblocks conformance: {reason}")) == (2, True)


def test_the_text_is_a_table_with_the_first_differences(tmp_path: Path) -> None:
    command = echo(tmp_path, "answer = {'id': case['id'], 'values': 1}")
    done = run(tmp_path, "conformance", str(FILES["stf"]), "--command", command)
    assert done.returncode == 1
    assert re.search(r"^stf +181 +0 +181 +0 +0$", done.stdout, re.MULTILINE)
    assert done.stdout.count(": different: values: 1, not {") == 5
    assert "176 more" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "row", "language", "options"),
    [
        ("llmist", "llmist 18.4.0", "gadget", ()),
        ("llmist", "llmist 18.4.0, without text", "gadget", ("--without-text",)),
        ("transformers", "transformers 5.23.0", "completion", ()),
        ("sglang", "SGLang 0.5.23", "completion", ()),
    ],
)
def test_other_implementations_have_the_scores_of_the_page(
    name: str, row: str, language: str, options: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "llmist":
        require_llmist()
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "tests"))
    command = f'"{sys.executable}" "{ROOT / "tests" / "peers" / "conformance.py"}" {name}'
    _, found = scored(tmp_path, str(FILES[language]), "--command", command, *options)
    assert (len(found), Counter([each["outcome"] for each in found])["same"]) == score(row)


def test_agentick_has_the_score_of_the_page() -> None:
    recorded: dict[tuple[str, ...], Any] = {}
    for line in (ROOT / "tests" / "vectors" / "tags.dev.jsonl").read_text("utf-8").split("\n"):
        case: dict[str, Any] = json.loads(line) if line else {"chunks": [None]}
        if all(isinstance(each, str) for each in case["chunks"]):
            recorded["".join(case["chunks"]), *case["options"]["tags"]] = case["expected"]["deltas"]
    found = []
    for case in cases("custom-blocks"):
        names = case["settings"].get("tags", {}).get("names", [])
        if (known := recorded.get(("".join(case["chunks"]), *names))) is not None:
            found += [judged(case, {"id": case["id"], "values": {"items": items_of(known)}}).outcome]
    assert (len(found), Counter(found)["same"]) == score("agentick, recorded")


def items_of(deltas: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The values of agentick's deltas."""
    found: list[dict[str, Any]] = []
    for delta in deltas:
        if delta["type"] == "text" and found and found[-1]["type"] == "text":
            found[-1]["text"] += delta["delta"]
        elif delta["type"] == "text":
            found.append({"type": "text", "text": delta["delta"]})
        elif delta["type"] == "custom_block":
            block = {"tag": delta["tag"], "attributes": delta["attrs"], "content": delta["content"]}
            found.append({"type": "block", **block, "selfClosing": delta.get("selfClosing", False)})
    return [each for each in found if each["type"] != "text" or each["text"]]
