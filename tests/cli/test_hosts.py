"""Files that embed texts of ours, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from llmblocks.cli.commands import main

CALL = "!!!GADGET_START:Read:r1\n!!!ARG:path\na\n!!!ARG:path\na\n!!!GADGET_END\n"
QUOTED = "".join(f"> {line}\n" for line in f"```gadget\n{CALL}```".split("\n"))
TEXT = f"# Prompts\n\n{QUOTED}\n```stf\n@ai\nhi\n```\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "prompts.md").write_text(TEXT, encoding="utf-8")
    (tmp_path / "prose.markdown").write_text("!!!ARG:x\n", encoding="utf-8")
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main([*arguments])
    out, err = capsys.readouterr()
    return status, out, err


def data(text: str, **more: object) -> str:
    return json.dumps({"messages": [{"role": "assistant", "content": text}], **more}) + "\n"


def test_lines_of_data_are_checked_at_their_places(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [data("Hi"), data(CALL), "{\n", data(f"é\n{CALL}", n="é").replace("\\u00e9", "é")]
    (folder / "train.jsonl").write_text("".join(lines), encoding="utf-8")
    for _ in range(2):
        status, out, err = run(capsys, "check", "train.jsonl", "--output-format", "json")
        found = json.loads(out)
        assert (status, err) == (1, "1 file with 3 texts checked: 3 errors\n")
        assert [(each["code"], each["line"]) for each in found] == [("G101", 2), ("D001", 3), ("G101", 4)]
        text = "".join(lines)
        assert [text[each["start"] : each["end"]] for each in (*found[::2], found[0]["related"][0])] == ["path"] * 3


def test_a_line_that_is_not_utf_8_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.jsonl").write_bytes(data("Hi").encode() + b"\xff\n")
    _, _, err = run(capsys, "check", "a.jsonl")
    assert f"a.jsonl:2: not UTF-8: byte 0xff at offset {len(data('Hi'))}" in err


def test_strings_of_code_are_read_where_settings_or_somebody_name_the_file(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("tree_sitter_typescript", reason="the extra llmblocks[code] is not installed")
    text = f'"é"  # llmblocks: gadget\nA = """{CALL}"""\n'
    for name in ("a.py", "b.py", "c.ts"):
        (folder / name).write_text(text.replace("# ", "// ") if name == "c.ts" else text, encoding="utf-8")
    assert run(capsys, "check", "--output-format", "concise")[1].count("\n") == 1
    assert run(capsys, "check", "b.py", "--output-format", "concise")[1].startswith("b.py:5:8: error G101")
    (folder / "llmblocks.toml").write_text('[files.code]\n"a.*" = {}\n"c.ts" = { A = "gadget" }\n', encoding="utf-8")
    _, out, err = run(capsys, "check", "--output-format", "concise")
    assert [line.partition(":")[0] for line in out.splitlines()] == ["a.py", "prompts.md"]
    assert err == "4 files checked: 2 errors\n"
    assert run(capsys, "check", "--fix", "a.py")[0] == 0
    assert (folder / "a.py").read_text(encoding="utf-8") == text.replace("!!!ARG:path\na\n", "", 1)
    monkeypatch.setattr("llmblocks.hosts.code.grammar", lambda _: None)
    status, _, err = run(capsys, "check", "b.py")
    assert (status, "pip install 'llmblocks[code]'" in err) == (2, True)
