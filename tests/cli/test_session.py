"""`llmblocks session`: a folder of logs as a tree, as JSON, as a graph."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from llmblocks.cli.commands import main
from llmblocks.contract.markup import size_of

WRONG = "!!!GADGET_START:Read:r1\n!!!ARG:path\na\n!!!ARG:path\nb\n!!!GADGET_END\n"
FIRST = (
    "I will look.\n!!!GADGET_START:Search:s1\n!!!ARG:query\ntests\n!!!GADGET_END\n"
    + WRONG
    + "!!!GADGET_START:Agent:a1:s1\n!!!GADGET_END\n!!!GADGET_START:Write:w1:r1\n!!!GADGET_END\n"
)
REQUEST = "=== USER ===\nbegin\n"
RESULTS = [
    ("s1", "x" * 1234),
    ("r1", "Error: Failed to parse parameters for 'Read':\n  Duplicate pointer: path\n\nGadget Usage:\n"),
    ("a1", "done\n[Media: m1 (image) → saved to: /tmp/m1.png]"),
]
SECOND = WRONG.replace("r1", "r2") + "!!!GADGET_START:Write:w2:lost\n!!!GADGET_END\n"


@pytest.fixture(autouse=True)
def _no_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """The logs of an agent: two responses, and those of a sub-agent."""
    folder = tmp_path / "brave-otter"
    (folder / "0002-a1").mkdir(parents=True)
    told = "".join(
        f"\n=== ASSISTANT ===\n!!!GADGET_START:G:{one}\n\n!!!GADGET_END\n\n=== USER ===\nResult ({one}): {said}\n"
        for one, said in RESULTS
    )
    for name, text in {
        "0001.request": REQUEST,
        "0001.response": FIRST,
        "0002-a1/0001.request": REQUEST,
        "0002-a1/0001.response": "Nothing \x1b[31mto do.",
        "0003.request": REQUEST + told,
        "0003.response": SECOND,
    }.items():
        (folder / name).write_text(text, "utf-8")
    return folder


def test_a_session_is_a_tree_of_responses_waves_and_calls(logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["session", str(logs)]) == 1
    assert (
        capsys.readouterr().out
        == f"""\
{logs}: 2 responses, 6 calls, 2 rejected, 1 skipped, 1 never ran
  0001.response  I will look.
    wave 1
      Search s1: returned 1.2 KB in 0003.request
    wave 2
      Agent a1 after s1: returned 4 B, image in 0003.request
        0002-a1: 1 response, 0 calls
          0001.response  Nothing \\x1b[31mto do.
    not run
      Read r1: rejected: Error: Failed to parse parameters for 'Read': Duplicate pointer: path
      Write w1 after r1: skipped: r1 is rejected
  0003.response
    not run
      Read r2: rejected: Duplicate pointer: path (the same call as r1 in 0001.response)
      Write w2 after lost: never ran: Dependency "lost" was never executed
"""
    )


def test_a_narrow_terminal_cuts_lines(
    logs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    main(["session", str(logs)])
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) == 30
    assert "      Search s1: returned 1.2…" in lines


def test_colours_are_for_who_wants_them(
    logs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # the option sets it
    monkeypatch.setenv("FORCE_COLOR", "")
    main(["session", str(logs), "--color", "always"])
    assert "\x1b[1;31mrejected" in capsys.readouterr().out


def test_the_whole_session_is_json(logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["session", str(logs), "--output-format", "json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert [each["number"] for each in told["responses"]] == [1, 3]
    assert told["responses"][0]["text"] == "I will look."
    search, read, agent, write = told["responses"][0]["calls"]
    assert search["parameters"] == {"query": "tests"}
    assert search["usedBy"] == ["a1"]
    assert (read["outcome"], read["parameters"]) == ("rejected", None)
    assert agent["result"] == {
        "file": str(logs / "0003.request"),
        "text": "done",
        "media": [{"id": "m1", "kind": "image", "path": "/tmp/m1.png"}],
    }
    assert [each["folder"] for each in agent["agents"]] == [str(logs / "0002-a1")]
    assert (write["outcome"], write["why"], write["result"]) == ("skipped", "r1 is rejected", None)
    assert told["responses"][1]["calls"][0]["repeats"] == {"file": str(logs / "0001.response"), "id": "r1"}
    assert (told["missing"], told["agents"]) == ([], [])


def test_the_graph_of_a_session_says_what_became_of_each_call(
    logs: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["session", str(logs), "--output-format", "mermaid"]) == 1
    drawn = capsysbinary.readouterr().out.decode()
    assert drawn.startswith("flowchart LR\n")
    assert 'r0c3["Write w1<br>skipped#58; r1 is rejected"]' in drawn
    assert 'r0c0["Search s1<br>wave 1"]' in drawn
    assert "r0c0 --> r0c2" in drawn


def test_a_folder_of_sessions_lists_them(logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = logs.parent / "calm-fox" / "deep"
    other.mkdir(parents=True)
    (other / "0001.response").write_text("Hello", "utf-8")
    assert main(["session", str(logs.parent)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{logs}: 2 responses, 6 calls, 2 rejected, 1 skipped, 1 never ran",
        f"{other}: 1 response, 0 calls",
    ]
    assert main(["session", str(logs.parent), "--output-format", "mermaid"]) == 2
    assert "give the folder of one of them" in capsys.readouterr().err


def test_missing_numbers_are_reported_and_a_session_in_which_all_returned_is_well(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "0002.response").write_text("Hi", "utf-8")
    assert main(["session", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"{tmp_path}: 1 response, 0 calls\n  missing: 1\n  0002.response  Hi\n"


def test_the_markers_are_those_of_the_settings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "llmblocks.toml").write_text('[gadget.markers]\nstart = "<<"\nend = ">>"\narg = "##"\n', "utf-8")
    (tmp_path / "0001.response").write_text("<<G:a\n>>", "utf-8")
    assert main(["session", str(tmp_path)]) == 0
    assert "G a: no result: the session ends with this response" in capsys.readouterr().out


def test_what_is_not_a_folder_of_logs_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "0001.response"
    assert main(["session", str(tmp_path)]) == 2
    assert "no logs in it" in capsys.readouterr().err
    assert main(["session", str(file)]) == 2
    assert capsys.readouterr().err == f"llmblocks session: {file}: No such file or directory\n"
    file.write_bytes(b"\xff\x00!!!GADGET_START:G:a\n")
    assert main(["session", str(file)]) == 2
    assert (
        capsys.readouterr().err
        == f"llmblocks session: {file}: neither a folder of logs nor JSON Lines (*.jsonl, *.ndjson)\n"
    )
    assert main(["session", str(tmp_path)]) == 0


@pytest.mark.parametrize(("number", "shown"), [(13, "11, 12"), (14, "11, 12, …")])
def test_twelve_missing_numbers_are_reported(
    number: int, shown: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / f"{number:04}.response").write_text("Hello.", "utf-8")
    assert main(["session", str(tmp_path)]) == 0
    assert f" {shown}\n" in capsys.readouterr().out


def test_sizes_are_rounded_in_the_unit_that_people_use() -> None:
    table = {0: "0 B", 999: "999 B", 1000: "1.0 KB", 999_900: "999.9 KB", 1_000_000: "1.0 MB", 12_340_000: "12.3 MB"}
    assert {count: size_of(count) for count in table} == table


CUSTOM = """\
=== USER ===
begin

=== ASSISTANT ===
<<CALL Read:r1
<<WITH path
a
<<DONE

=== USER ===
Result (r1): hello

=== ASSISTANT ===
<<CALL Rest:r2

<<DONE

=== USER ===
Result (r2): fine
"""
SUGGESTED = 'start = "<<CALL ", end = "<<DONE", arg = "<<WITH "'


@pytest.mark.parametrize(
    ("told", "suggested"),
    [
        (CUSTOM, f"; the requests suggest {{ {SUGGESTED} }}"),
        (CUSTOM.replace("<<WITH path\na\n", "\n"), '; the requests suggest { start = "<<CALL ", end = "<<DONE" }'),
        (CUSTOM.replace("<<CALL", "x"), '; the requests suggest { start = "x ", end = "<<DONE", arg = "<<WITH " }'),
        (CUSTOM.replace("ASSISTANT", "SYSTEM"), ""),
    ],
)
def test_results_without_calls_name_the_markers_to_set(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], told: str, suggested: str
) -> None:
    (tmp_path / "0001.response").write_text("<<CALL Read:r1\n<<WITH path\na\n<<DONE\n<<CALL Rest:r2\n<<DONE\n", "utf-8")
    (tmp_path / "0002.request").write_text(told, "utf-8")
    assert main(["session", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    problem = f"2 results without calls: set gadget.markers{suggested}"
    assert err == f"llmblocks session: {tmp_path}: {problem}\n"
    assert f"\n  {problem}\n" in out
    page = tmp_path / "page.html"
    assert main(["session", str(tmp_path), "--output-format", "html", "--output-file", str(page)]) == 2
    assert '<p class="bad">2 results without calls' in page.read_text("utf-8")
    capsys.readouterr()
    assert main(["session", str(tmp_path), "--output-format", "json"]) == 2
    assert json.loads(capsys.readouterr().out)["problem"] == problem


def test_the_markers_that_a_session_suggests_read_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "0001.response").write_text("<<CALL Read:r1\n<<WITH path\na\n<<DONE\n<<CALL Rest:r2\n<<DONE\n", "utf-8")
    (tmp_path / "0002.request").write_text(CUSTOM, "utf-8")
    (tmp_path / "llmblocks.toml").write_text(f"[gadget]\nmarkers = {{ {SUGGESTED} }}\n", "utf-8")
    assert main(["session", str(tmp_path)]) == 0
    assert "2 calls" in capsys.readouterr().out.splitlines()[0]
