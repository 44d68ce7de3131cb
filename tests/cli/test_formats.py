"""The output formats of `llmblocks check`.

`LLMBLOCKS_GOLDEN=1 pytest tests/cli/test_formats.py` writes the golden files again.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
from jsonschema import Draft7Validator
from rich.cells import cell_len

from commands import run
from llmblocks import __version__

GOLDEN = Path(__file__).parent / "golden"
SCHEMA = Path(__file__).parents[1] / "peers/node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"
FORMATS = ("full", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit")
WRONG = "!!!GADGET_START:Greet\n!!!ARG:name\nAda\n!!!ARG:name\nGrace\n!!!GADGET_END\n"
MIXED: dict[str, str | bytes] = {
    "a.gadget": WRONG.replace("Ada", "日本\tA"),
    "b, 100%.stf": "@user\nHello\n@*/\n@/* open\nand\n",
    "c.blocks": "<think>\nnever closed\n",
    "d.stf": "@user\nclean\n",
    # what XML and terminals cannot show
    "e&.gadget": "!!!GADGET_START:A\n" + '!!!ARG:\x1b<"\ufffe&\n1\n' * 2 + "!!!GADGET_END\n",
    # a tab in front of a span
    "f.blocks": "a\tb <think depth=\"1\" depth='2'>x</think>\n",
    "g.stf": b"ab\n\xff",
    "logs/0001.response": "!!!GADGET_START:Read:r1:r2\n!!!ARG:日本/0\n1\n!!!ARG:日本/5\n\t2\n!!!GADGET_END\n",
    "logs/0002.response": "!!!GADGET_START:Read:r2\n!!!GADGET_END\n",
}


def check(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return run(folder, "check", *arguments, **{"COLUMNS": "80", **environment})


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    for name, text in MIXED.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return tmp_path


@pytest.mark.parametrize("output", FORMATS)
def test_a_format_writes_what_the_golden_file_has(output: str, mixed: Path) -> None:
    done = check(mixed, "--output-format", output, ".", "missing.txt")
    assert (done.returncode, done.stderr.count("\n")) == (2, 4 if output == "full" else 3), done.stderr
    found = done.stdout.replace(f'"version": "{__version__}"', '"version": "0"')
    golden = GOLDEN / f"{output}.txt"
    if os.environ.get("LLMBLOCKS_GOLDEN"):
        golden.write_text(found, "utf-8", newline="\n")
    assert found == golden.read_text("utf-8")
    if output == "junit":
        assert ElementTree.fromstring(found).tag == "testsuites"
    if output == "jsonl":
        assert [json.loads(line) for line in found.splitlines()] == json.loads((GOLDEN / "json.txt").read_text("utf-8"))


@pytest.mark.parametrize("name", [*MIXED, "missing.txt"])
def test_sarif_is_valid(name: str, mixed: Path) -> None:
    if not SCHEMA.exists():
        pytest.skip("the schema of SARIF is not installed: make test installs it")
    validator = Draft7Validator(json.loads(SCHEMA.read_text("utf-8")))
    log = json.loads(check(mixed, "--output-format", "sarif", name).stdout)
    assert [error.message for error in validator.iter_errors(log)] == []
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert [rules[each["ruleIndex"]] for each in run["results"]] == [each["ruleId"] for each in run["results"]]
    # a service that shows rules takes no rule without one
    assert all(rule["help"]["text"] for rule in run["tool"]["driver"]["rules"])
    del run["tool"]["driver"]["name"]
    assert [*validator.iter_errors(log)] != []


def test_fingerprints_of_gitlab_differ_and_do_not_move_with_the_lines(tmp_path: Path) -> None:
    def fingerprints(text: str) -> list[str]:
        (tmp_path / "a.stf").write_text(text, "utf-8")
        return [each["fingerprint"] for each in json.loads(check(tmp_path, "--output-format", "gitlab", ".").stdout)]

    before = fingerprints("@user\nx\n@*/\n@*/\n")
    assert len(set(before)) == 2
    assert fingerprints("@user\nx\nmore\n@*/\ny\n@*/\n") == before


@pytest.mark.parametrize("width", [24, 40, 80, 200])
def test_a_frame_is_not_wider_than_the_terminal_and_the_underline_stands_below_the_span(
    width: int, tmp_path: Path
) -> None:
    pointer = "日本\x1b[2J\u202e" + "é" * 3
    long = "x" * 500
    pointers = pointer, pointer, f"{long}/b", f"{long}/0"
    text = "!!!GADGET_START:A\n" + "".join(f"!!!ARG:{each}\n1\n" for each in pointers)
    (tmp_path / "a.gadget").write_bytes(text.encode())
    shown = check(tmp_path, "--output-format", "full", "a.gadget", COLUMNS=str(width)).stdout
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", shown)
    lines = shown.splitlines()
    assert [line for line in lines if cell_len(line) > width] == []
    source = next(number for number, line in enumerate(lines) if line.startswith("4 | "))
    marked = lines[source + 1].split("|")[1]
    wanted = "!!!ARG:日本\\x1b[2J\\u202eééé"
    if width >= 80:
        assert lines[source] == f"4 | {wanted}"
        assert marked == " " + " " * 7 + "^" * (cell_len(wanted) - 7)
    assert marked.strip().strip("^") == ""


@pytest.mark.parametrize("sign", [".git", ".hg"])
def test_services_get_paths_from_the_root_of_the_repository(sign: str, tmp_path: Path) -> None:
    top = tmp_path / "repository"
    inside = top / "some where" / "chats"
    inside.mkdir(parents=True)
    (top / sign).mkdir()
    for file in (inside / "a.stf", top / "b.stf", tmp_path / "c.stf"):
        file.write_text("@*/\n", "utf-8")
    outside = (tmp_path / "c.stf").as_posix()

    def report(output: str) -> str:
        return check(inside, "--output-format", output, ".", "../../b.stf", "../../../c.stf", "--select=S001").stdout

    expected = ["some where/chats/a.stf", "b.stf", outside]
    assert [line.partition(",")[0] for line in report("github").splitlines()] == [
        f"::error file={each.replace(':', '%3A')}" for each in expected
    ]
    assert [each["location"]["path"] for each in json.loads(report("gitlab"))] == expected
    (run,) = json.loads(report("sarif"))["runs"]
    found = [each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in run["results"]]
    assert found == ["some%20where/chats/a.stf", "b.stf", (tmp_path / "c.stf").as_uri()]
