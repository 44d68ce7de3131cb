"""Files that embed texts of ours, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from llmblocks.cli.commands import main
from llmblocks.core import lines

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


def test_findings_in_a_fence_are_reported_at_their_places_in_the_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):  # the second time, from the cache
        status, out, err = run(capsys, "check", "--output-format", "concise")
        assert (status, out.split(" Dup")[0], out.count("\n")) == (1, "prompts.md:7:10: error G101", 1)
        assert err == "2 files checked: 1 error\n"


def test_the_excerpt_is_the_line_of_the_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "check", "--output-format", "full")
    assert "7 | > !!!ARG:path" in out
    assert " --> prompts.md:7:10" in out


def test_a_fence_is_fixed_in_its_quotation(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "check", "--fix")[0] == 0
    fixed = (folder / "prompts.md").read_text(encoding="utf-8")
    assert fixed == TEXT.replace("> !!!ARG:path\n> a\n", "", 1)


def test_a_fence_is_formatted_in_its_quotation(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "prompts.md").write_text("> ~~~stf\n> @ai   \n> hi\n> ~~~\n", encoding="utf-8")
    assert run(capsys, "format", "--check")[:2] == (1, "prompts.md\n")
    assert run(capsys, "format")[0] == 0
    assert (folder / "prompts.md").read_text(encoding="utf-8") == "> ~~~stf\n> @ai\n> hi\n> ~~~\n"
    assert run(capsys, "format", "--check")[0] == 0


def test_parse_prints_the_values_of_each_fence(capsys: pytest.CaptureFixture[str]) -> None:
    call, chat = json.loads(run(capsys, "parse", "prompts.md")[1])
    assert (call["language"], call["line"], call["items"][0]["error"]) == ("gadget", 4, "Duplicate pointer: path")
    assert chat == {"language": "stf", "line": 13, "messages": [{"role": "assistant", "content": "hi"}]}


@pytest.mark.parametrize(
    "arguments",
    [
        ("graph",),
        ("parse", "--output-format", "tree"),
        ("parse", "--output-format", "tokens"),
        ("parse", "--output-format", "events"),
    ],
)
def test_what_reads_one_text_says_that_markdown_has_several(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(capsys, *arguments, "prompts.md")
    assert (status, out) == (2, "")
    assert "prompts.md: Markdown may embed several texts, and this command reads one" in err


def test_standard_input_is_markdown_if_its_name_says_so(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with (folder / "prompts.md").open(encoding="utf-8") as file:
        monkeypatch.setattr("sys.stdin", file)
        status, out, _ = run(capsys, "check", "-", "--stdin-filename", "a.mdx", "--output-format", "concise")
    assert (status, out.split(" error")[0]) == (1, "a.mdx:7:10:")


def test_the_lines_of_a_file_are_counted_once_for_all_of_its_fences(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "prompts.md").write_text(TEXT * 20, encoding="utf-8")
    made: list[int] = []

    class Counted(lines.Lines):
        def __init__(self, text: str) -> None:
            made.append(len(text))
            super().__init__(text)

    monkeypatch.setattr(lines, "Lines", Counted)
    assert run(capsys, "check", "--output-format", "concise")[1].count("\n") == 20
    assert made == [20 * len(TEXT)]


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


def test_a_folder_holds_the_data_that_settings_name(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("train.jsonl", "other.jsonl", "data.json", "other.json"):
        (folder / name).write_text(data(CALL), encoding="utf-8")
    assert run(capsys, "check", "--output-format", "concise")[1].count("\n") == 1
    (folder / "llmblocks.toml").write_text(
        '[files.datasets]\n"train.*" = "anthropic"\n[files.strings."data.json"]\n"messages[*].content" = "gadget"\n',
        encoding="utf-8",
    )
    _, out, err = run(capsys, "check", "--output-format", "concise")
    assert [line.partition(":")[0] for line in out.splitlines()] == ["data.json", "prompts.md", "train.jsonl"]
    assert err == "4 files checked: 3 errors\n"
    assert run(capsys, "check", "--fix")[0] == 0
    assert json.loads((folder / "train.jsonl").read_text(encoding="utf-8"))["messages"][0]["content"].count("path") == 1
    assert (folder / "other.jsonl").read_text(encoding="utf-8") == data(CALL)


def test_data_of_no_known_form_is_reported_what_to_say(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.jsonl").write_text('{"response": "x"}\n', encoding="utf-8")
    for arguments in (("a.jsonl",), ("a.jsonl", "--fix"), ("a.jsonl", "--language", "json")):
        status, _, err = run(capsys, "check", *arguments)
        assert status == 2
        assert "a.jsonl: it does not begin as a known form of a data set; name the form in files.datasets, or" in err
    status, _, err = run(capsys, "report", "a.jsonl", "--column", "response")
    assert (status, "pass --language with that of the texts in its rows" in err) == (2, True)


def test_one_line_of_data_is_in_memory(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "llmblocks.toml").write_text("[files]\nmaxSizeMB = 0.001\n", encoding="utf-8")
    (folder / "a.jsonl").write_text(data("Hi") * 100 + data(CALL), encoding="utf-8")
    assert run(capsys, "check", "a.jsonl", "--output-format", "concise")[1].startswith("a.jsonl:101:")
    (folder / "a.jsonl").write_text(data("Hi") + data("x" * 2000), encoding="utf-8")
    status, _, err = run(capsys, "check", "a.jsonl")
    assert (status, "a.jsonl:2: a line larger than 0.001 MB; raise files.maxSizeMB" in err) == (2, True)
    (folder / "a.jsonl").write_bytes(data("Hi").encode() + b"\xff\n")
    _, _, err = run(capsys, "check", "a.jsonl")
    assert f"a.jsonl:2: not UTF-8: byte 0xff at offset {len(data('Hi'))}" in err


def test_parse_prints_the_values_of_each_string(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.jsonl").write_text(data("Hi") + data(CALL), encoding="utf-8")
    first, second = json.loads(run(capsys, "parse", "a.jsonl")[1])
    assert (first["line"], second["line"], second["items"][0]["error"]) == (1, 2, "Duplicate pointer: path")


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
