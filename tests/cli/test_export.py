"""`llmblocks export`: which conversations become rows, in every target, and what is said about the others."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psutil
import pytest

import responses
from llmblocks import Severity, check
from llmblocks.cli.commands import main
from llmblocks.cli.corpus.training import TARGETS
from llmblocks.stf import EmbedPart, Message, TextPart, Transcript, decode

Export = Callable[..., tuple[list[Any], list[Any], int]]
CALL = "!!!GADGET_START:Read:r1\n!!!ARG:path\na\n!!!GADGET_END"
TWICE = "!!!GADGET_START:Read:r2\n!!!ARG:path\na\n!!!ARG:path\na\n!!!GADGET_END\n"
ASKED = "=== SYSTEM ===\nYou read files.\n\n=== USER ===\nRead a.\n"
TOLD = "Result (r1): hello\n[Media: m1 (image) → saved to: /tmp/m1.png]"
SESSION = [
    {"role": "system", "content": "You read files."},
    {"role": "user", "content": "Read a."},
    {"role": "assistant", "content": CALL},
    {"role": "user", "content": TOLD},
]


@pytest.fixture
def export(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Export:
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> tuple[list[Any], list[Any], int]:
        status = main(["export", "-q", *map(str, arguments), "--output-file", "rows.out", "--notes", "notes.out"])
        return lines("rows.out"), lines("notes.out"), status

    return run


def lines(name: str) -> list[Any]:
    return [json.loads(line) for line in Path(name).read_text("utf-8").splitlines()]


def session(name: str, first: str = CALL, last: str = "It says hello.") -> None:
    folder = Path("logs") / name
    folder.mkdir(parents=True)
    told = f"{ASKED}\n=== ASSISTANT ===\n{CALL}\n\n=== USER ===\n{TOLD}\n"
    for number, (request, response) in enumerate([(ASKED, first), (told, last)], 1):
        (folder / f"{number:04}.request").write_text(request, "utf-8")
        (folder / f"{number:04}.response").write_text(response, "utf-8")


def test_a_session_is_what_its_last_request_tells_and_the_response(export: Export) -> None:
    session("good")
    rows, notes, status = export("logs", "--to", "openai")
    assert rows == [{"messages": [*SESSION, {"role": "assistant", "content": "It says hello."}]}]
    # the picture is not a text: that is said
    lost = ["messages[3]: the image m1 itself is not in the logs"]
    assert notes == [{"name": "logs/good/0002.response", "row": 1, "lost": lost}]
    assert status == 1


READ_AND_MERGE = """\
I read both.
!!!GADGET_START:Read:r1
!!!ARG:path
a
!!!GADGET_END
Then I merge them.
!!!GADGET_START:Merge:m1:r1
!!!GADGET_END
"""
COPIES = """\
=== ASSISTANT ===
!!!GADGET_START:Merge:m1

!!!GADGET_END

=== USER ===
Result (m1): merged

=== ASSISTANT ===
!!!GADGET_START:Read:r1
!!!ARG:path
a
!!!GADGET_END

=== USER ===
Result (r1): hello
"""


def logs(files: dict[str, str]) -> None:
    for name, text in files.items():
        Path(name).write_text(text, "utf-8")


@pytest.mark.parametrize("target", sorted(TARGETS.keys() - {"datasets"}))
def test_calls_stay_the_text_that_the_model_wrote(export: Export, target: str) -> None:
    logs({"0001.request": ASKED, "0001.response": READ_AND_MERGE})
    logs({"0002.request": f"{ASKED}\n{COPIES}", "0002.response": "Done."})
    (row,), notes, status = export(".", "--to", target)
    turns = [each.get("content", each.get("value")) for each in row.get("messages", row.get("conversations"))]
    given = turns[: turns.index("Read a.") + 1]
    assert turns == [*given, READ_AND_MERGE, "Result (m1): merged\n\nResult (r1): hello", "Done."]
    assert (notes, status) == ([], 0)


def test_a_value_like_a_header_ends_no_turn(export: Export) -> None:
    said = "!!!GADGET_START:Read:r1\n!!!ARG:path\na\n=== USER ===\nb\n!!!GADGET_END"
    told = f"=== ASSISTANT ===\n{said}\n\n=== USER ===\nResult (r1): hello\n"
    logs({"0001.request": ASKED, "0001.response": f"First.\n{said}"})
    logs({"0002.request": f"{ASKED}\n{told}", "0002.response": "Done."})
    (row,), notes, _ = export(".", "--to", "openai")
    assert [each["content"] for each in row["messages"][2:]] == [f"First.\n{said}", "Result (r1): hello", "Done."]
    assert notes == []


def test_a_copy_without_its_response_is_kept_and_told(export: Export) -> None:
    logs({"0001.request": ASKED, "0002.request": f"{ASKED}\n{COPIES}", "0002.response": "Done."})
    (row,), (note,), status = export(".", "--to", "openai")
    assert [each["role"] for each in row["messages"][2:]] == ["assistant", "user", "assistant", "user", "assistant"]
    says = "the text of the model is not in the logs: the copy of llmist is kept"
    assert (note["lost"], status) == ([f"messages[2]: {says}", f"messages[4]: {says}"], 1)


def test_examples_that_the_program_gave_are_no_copies(export: Export) -> None:
    asked = f"=== USER ===\nx\n\n=== ASSISTANT ===\n{CALL}\n\n=== USER ===\nResult (r1): x\n\n=== USER ===\nRead a.\n"
    logs({"0001.request": asked, "0001.response": READ_AND_MERGE})
    logs({"0002.request": f"{asked}\n{COPIES}", "0002.response": "Done."})
    (row,), notes, _ = export(".", "--to", "openai")
    said = [each["content"] for each in row["messages"] if each["role"] == "assistant"]
    assert (said, notes) == ([CALL, READ_AND_MERGE, "Done."], [])


def test_a_summary_of_llmist_leaves_out_responses_and_that_is_reported(export: Export) -> None:
    first = READ_AND_MERGE.replace("r1", "r0").replace("m1", "m0")
    copies = COPIES.replace("r1", "r0").replace("m1", "m0")
    summary = "=== SYSTEM ===\nYou read files.\n\n=== USER ===\n[Previous conversation summary]\nRead.\n"
    logs({"0001.request": ASKED, "0001.response": first})
    logs({"0002.request": f"{ASKED}\n{copies}", "0002.response": READ_AND_MERGE})
    logs({"0003.request": f"{summary}\n{COPIES}", "0003.response": "Done."})
    (row,), (note,), _ = export(".", "--to", "openai")
    assert [each["role"] for each in row["messages"]] == ["system", "user", "assistant", "user", "assistant"]
    assert row["messages"][2]["content"] == READ_AND_MERGE
    assert note["lost"] == ["0001.response: the last request does not repeat this response: it is left out"]


def test_the_text_of_requests_is_kept_as_it_was_reported(export: Export) -> None:
    session("good")
    (row,), _, _ = export("logs/good/0002.request", "--to", "openai")
    assert row == {"messages": SESSION}


def test_responses_without_a_request_are_conversations_of_their_own(export: Export) -> None:
    session("cut")
    for number in (1, 2):
        Path(f"logs/cut/{number:04}.request").unlink()
    rows, notes, status = export("logs", "--to", "sharegpt")
    assert rows == [{"conversations": [{"from": "gpt", "value": text}]} for text in (CALL, "It says hello.")]
    assert (notes, status) == ([], 0)


def test_a_mistake_that_was_answered_leaves_the_session_out_even_with_repairs(export: Export) -> None:
    session("answered", first=TWICE.replace("r2", "r1"))
    session("last", last=TWICE)
    rows, notes, status = export("logs", "--to", "openai", "--repair")
    repaired = "!!!GADGET_START:Read:r2\n!!!ARG:path\na\n!!!GADGET_END\n"
    assert rows == [{"messages": [*SESSION, {"role": "assistant", "content": repaired}]}]
    left_out, kept = notes
    assert left_out["name"] == "logs/answered/0002.response"
    assert left_out["left_out"][0].startswith("0001.response:4:8: G101 Duplicate pointer: path")
    assert [each[:11] for each in kept["repaired"]] == ["4:8: G101 D"]
    assert status == 1
    rows, notes, _ = export("logs", "--to", "openai")
    assert rows == []
    assert notes[1]["left_out"] == kept["repaired"]


def test_a_call_that_failed_leaves_its_session_out(export: Export) -> None:
    session("failed")
    file = Path("logs/failed/0002.request")
    says = "Error: Invalid parameters for 'Read':\n- path: no such file"
    file.write_text(file.read_text("utf-8").replace(TOLD, f"Result (r1): {says}"), "utf-8")
    rows, (note,), _ = export("logs", "--to", "openai")
    assert rows == []
    why = "(rejected): Error: Invalid parameters for 'Read': path: no such file"
    assert note["left_out"] == [f"0001.response: the call Read r1 was not carried out {why}"]


def test_rows_without_a_language_are_reported(export: Export) -> None:
    Path("rows.jsonl").write_text('{"text": "x"}\n', "utf-8")
    rows, (note,), status = export("rows.jsonl", "--to", "openai")
    assert (rows, status) == ([], 2)
    assert note["unread"].startswith("cannot tell the language from the name; pass --language")


def test_an_engine_is_reported_what_it_cannot_do(export: Export, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        export("-", "--to", "openai", "--engine", "ray")
    assert "--engine ray cannot read standard input" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        export(".", "--to", "openai", "--address", "auto")
    assert "--address requires --engine ray" in capsys.readouterr().err
    if find_spec("ray") is None:
        assert main(["export", ".", "--to", "openai", "--engine", "ray"]) == 2
        assert "--engine ray needs Ray: pip install 'llmblocks[ray]'" in capsys.readouterr().err


def test_the_same_conversation_is_written_once(export: Export) -> None:
    for name in ("a.stf", "b.stf", "c.stf"):
        Path(name).write_text(f"@user\nHi\n@ai\nHello{'' if name < 'c' else '!'}\n", "utf-8")
    rows, notes, status = export(".", "--to", "anthropic")
    assert [row["messages"][1]["content"] for row in rows] == ["Hello", "Hello!"]
    assert (notes, status) == ([{"name": "b.stf", "same_as": 1}], 0)


def test_rows_have_prompts_and_those_that_cannot_be_read_are_reported(
    export: Export, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [{"said": CALL, "q": {"text": "Read a."}}, {"said": "  "}, {"said": CALL}, {"other": 1}]
    Path("rows.jsonl").write_text("".join(json.dumps(each) + "\n" for each in given) + "{\n", "utf-8")
    arguments = "rows.jsonl", "--language", "gadget", "--column", "said", "--to", "openai"
    rows, notes, status = export(*arguments, "--prompt", "q.text")
    assert rows == [{"messages": [*SESSION[1:3]]}]
    assert [each["unread"][:17] for each in notes] == [
        *["no column 'q.text"] * 2,
        "no column 'said';",
        "this is not JSON:",
    ]
    assert status == 2
    rows, notes, _ = export(*arguments)
    assert len(rows) == 1
    assert [[*each][1] for each in notes] == ["left_out", "same_as", "unread", "unread"]
    assert notes[0]["left_out"] == ["the model says nothing"]
    assert "1 conversation written; 1 left out; 1 the same as others; 2 could not be read" in capsys.readouterr().err


def test_without_a_file_for_notes_the_first_are_reported(
    export: Export, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(12):
        Path(f"{number:02}.gadget").write_text(f"{number}\n{TWICE}", "utf-8")
    assert main(["export", "-q", ".", "--to", "openai"]) == 1
    out, err = capsys.readouterr()
    told = err.splitlines()
    assert out == ""
    assert told[0].startswith("llmblocks export: 00.gadget: left out: 5:8: G101 Duplicate pointer: path")
    assert told[10:] == [
        "llmblocks export: and 2 more; pass --notes FILE to see all",
        "llmblocks export: 0 conversations written; 12 left out",
    ]


def test_each_target_tells_what_it_cannot_hold() -> None:
    chat = decode(
        "@user name=Ada\nSee @ai reasoning\n@ai\nI look\n@call {name: 'f', id: 'c1'}\n{a: 1}\n@tool call_id=c1\n2\n"
    )
    chat.messages[0].name = "Ada"
    found = {name: write(chat) for name, write in TARGETS.items()}
    turns = found["sharegpt"].value["conversations"]
    assert [each["from"] for each in turns[:3]] == ["human", "gpt", "function_call"]
    assert json.loads(turns[2]["value"]) == {"name": "f", "arguments": {"a": 1}}
    assert "messages[0].name" in [each.path for each in found["sharegpt"].lost]
    (call,) = found["datasets"].value["messages"][1]["tool_calls"]
    assert json.loads(call["function"]["arguments"]) == {"a": 1}
    assert "messages[0].name" in [each.path for each in found["datasets"].lost]
    parts = Transcript(
        [Message("assistant", [TextPart("a", {"cache": 1}), EmbedPart("image", "a.png"), TextPart("b")])]
    )
    for name in ("sharegpt", "datasets"):
        assert "messages[0].content" in [each.path for each in TARGETS[name](parts).lost]
    half = Transcript([Message("assistant", "\ud800")])
    for name, write in TARGETS.items():
        written = write(half)
        json.dumps(written.value, ensure_ascii=False).encode()
        assert written.lost, name


def test_arrow_rows_are_those_of_json(export: Export) -> None:
    ipc = pytest.importorskip("pyarrow.ipc")
    session("good")
    Path("chat.stf").write_text("@user\nHi\n@ai\nHello\n", "utf-8")
    expected, _, _ = export("logs", "chat.stf", "--to", "openai")
    assert main(["export", "-q", "logs", "chat.stf", "--to", "datasets", "--output-file", "rows.arrow"]) == 1
    with ipc.open_stream("rows.arrow") as stream:
        read = stream.read_all().to_pylist()
    kept = [{key: each[key] for key in ("role", "content")} for row in read for each in row["messages"]]
    assert kept == [each for row in expected for each in row["messages"]]


@pytest.mark.slow
def test_processes_change_nothing_and_a_killed_one_neither(export: Export, tmp_path: Path) -> None:
    responses.write(tmp_path / "c", 25)
    rows, notes, status = export("c", "-j1", "--to", "openai")
    assert len(rows) + len(notes) == 1000
    texts = [row["messages"][0]["content"] for row in rows]
    assert not [each for text in texts for each in check(text, "gadget") if each.severity is Severity.ERROR]
    left_out = [Path(each["name"]).read_text("utf-8") for each in notes]
    assert all(any(each.severity is Severity.ERROR for each in check(text, "gadget")) for text in left_out)
    alone = [Path(name).read_bytes() for name in ("rows.out", "notes.out")]
    assert export("c", "-j2", "--to", "openai") == (rows, notes, status)
    assert [Path(name).read_bytes() for name in ("rows.out", "notes.out")] == alone
    command = [
        sys.executable,
        "-m",
        "llmblocks",
        "export",
        "c",
        "-j2",
        "--to",
        "openai",
        "--output-file",
        "killed.jsonl",
    ]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, encoding="utf-8") as process:
        children: list[psutil.Process] = []
        while not children and process.poll() is None:
            children = psutil.Process(process.pid).children()
        assert children
        children[0].kill()
        process.communicate(timeout=120)
    assert Path("killed.jsonl").read_bytes() == alone[0]


def test_a_result_that_cannot_be_written_leaves_the_old_one(export: Export, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.stf").write_text("@user\nHi\n@ai\nHello\n", "utf-8")
    Path("rows.jsonl").write_text("old\n", "utf-8")
    # the notes do not fit
    command = [
        *("export", "-q", "a.stf", "broken.stf", "--to", "openai", "--output-file", "rows.jsonl"),
        *("--notes", "/dev/full"),
    ]
    assert main(command) == 2
    assert Path("rows.jsonl").read_text("utf-8") == "old\n"
    assert capsys.readouterr().err == "llmblocks export: /dev/full: cannot be written: No space left on device\n"
    assert main(["export", "-q", "a.stf", "--to", "openai", "--output-file", "a.stf"]) == 2
    assert "a.stf: not written: this run reads it" in capsys.readouterr().err


def test_rows_and_notes_need_two_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chat, rows = tmp_path / "a.stf", tmp_path / "rows"
    chat.write_text("@user\nHi\n@ai\nHello\n", "utf-8")
    with pytest.raises(SystemExit):
        main(
            ["export", str(chat), "--to", "openai", "--output-file", str(rows), "--notes", str(tmp_path / "x/../rows")]
        )
    assert "--output-file and --notes need different files" in capsys.readouterr().err
    assert not rows.exists()
