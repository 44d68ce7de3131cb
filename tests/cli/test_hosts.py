"""Files that embed texts of ours, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import run

CALL = "!!!GADGET_START:Read:r1\n!!!ARG:path\na\n!!!ARG:path\na\n!!!GADGET_END\n"
QUOTED = "".join(f"> {line}\n" for line in f"```gadget\n{CALL}```".split("\n"))
TEXT = f"# Prompts\n\n{QUOTED}\n```stf\n@ai\nhi\n```\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Path:
    (tmp_path / "prompts.md").write_text(TEXT, "utf-8")
    (tmp_path / "prose.markdown").write_text("!!!ARG:x\n", "utf-8")
    return tmp_path


def data(text: str, **more: object) -> str:
    return json.dumps({"messages": [{"role": "assistant", "content": text}], **more}) + "\n"


def test_lines_of_data_are_checked_at_their_places(folder: Path) -> None:
    text = data("Hi") + data(CALL) + "{\n" + data(f"é\n{CALL}", n="é").replace("\\u00e9", "é")
    (folder / "train.jsonl").write_text(text, "utf-8")
    done = run(folder, "check", "train.jsonl", "--output-format", "json")
    found = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (1, "1 file with 3 texts checked: 3 errors\n")
    assert [(each["code"], each["line"]) for each in found] == [("G101", 2), ("D001", 3), ("G101", 4)]
    assert [text[each["start"] : each["end"]] for each in (*found[::2], found[0]["related"][0])] == ["path"] * 3


def test_one_line_of_data_is_in_memory(folder: Path) -> None:
    (folder / "llmblocks.toml").write_text("[files]\nmaxSizeMB = 0.001\n", "utf-8")
    file = folder / "a.jsonl"
    file.write_text(data("Hi") * 100 + data(CALL), "utf-8")
    assert run(folder, "check", "a.jsonl").stdout.startswith("a.jsonl:101:")
    file.write_text(data("Hi") + data("x" * 2000), "utf-8")
    done = run(folder, "check", "a.jsonl")
    assert (done.returncode, "a.jsonl:2: a line larger than 0.001 MB; raise files.maxSizeMB" in done.stderr) == (
        2,
        True,
    )
    file.write_bytes(data("Hi").encode() + b"\xff\n")
    assert f"a.jsonl:2: not UTF-8: byte 0xff at offset {len(data('Hi'))}" in run(folder, "check", "a.jsonl").stderr


def test_strings_of_code_are_read_where_settings_or_somebody_name_the_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("tree_sitter_typescript", reason="the extra llmblocks[code] is not installed")
    text = f'"é"  # llmblocks: gadget\nA = """{CALL}"""\n'
    for name in ("a.py", "b.py", "c.ts"):
        (folder / name).write_text(text.replace("# ", "// ") if name == "c.ts" else text, "utf-8")
    assert run(folder, "check").stdout.count("\n") == 1
    assert run(folder, "check", "b.py").stdout.startswith("b.py:5:8: error G101")
    (folder / "llmblocks.toml").write_text('[files.code]\n"a.*" = {}\n"c.ts" = { A = "gadget" }\n', "utf-8")
    done = run(folder, "check")
    assert [line.partition(":")[0] for line in done.stdout.splitlines()] == ["a.py", "prompts.md"]
    assert done.stderr == "4 files checked: 2 errors\n"
    assert run(folder, "check", "--fix", "a.py").returncode == 0
    assert (folder / "a.py").read_text("utf-8") == text.replace("!!!ARG:path\na\n", "", 1)
    monkeypatch.setattr("llmblocks.hosts.code.grammar", lambda _: None)
    done = run(folder, "check", "b.py")
    assert (done.returncode, "pip install 'llmblocks[code]'" in done.stderr) == (2, True)
