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
SHOWN = """\
log.jsonl: 3 responses, 3 calls, 1 rejected, 1 never ran
  log.jsonl:1  Let me see.  (reasoning: 7 B)
    wave 1
      get call_1: called with {"city": "Paris"}
  log.jsonl:2  Again.
    not run
      get call_1: rejected: M005 Not JSON: the text ends too early
  log.jsonl:3  Done.  (reasoning: 72 B)
    not run
      get call_1: never ran: M004 <tool_call> inside thinking is text
"""
CODER = (
    GOOD["qwen3-coder"][0],
    "<tool_call>\n<function=get>\n<parameter=city>\nParis\n</parameter>\n</function>\n",
    "<think>\nI call\n<tool_call>\n<function=get>\n<parameter=city>\nParis\n</parameter>\n</function>\n</tool_call>",
)
CHAT = (
    {"role": "user", "content": f"What is {CALL}?"},
    {"role": "assistant", "content": f"Two.\n{OPEN}\n{CALL}"},
    {"role": "tool", "tool_call_id": "x1", "content": "20 degrees"},
    {"role": "assistant", "content": CALL},
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


def test_a_log_is_a_tree_of_completions_and_calls(capsys: pytest.CaptureFixture[str]) -> None:
    write(*[{"id": number, "completion": text} for number, text in enumerate(COMPLETIONS)])
    assert shown(capsys, "--template", "hermes", status=1) == (SHOWN, "")


def test_auto_says_which_template_it_took_and_is_the_default(capsys: pytest.CaptureFixture[str]) -> None:
    write(*[{"response": text} for text in COMPLETIONS])
    for options in ((), ("--template", "auto")):
        out, err = shown(capsys, *options, status=1)
        assert out == SHOWN
        assert err.startswith("template hermes: 5 of its delimiters are there, such as <tool_call>; ")


def test_another_template_reads_its_own_calls(capsys: pytest.CaptureFixture[str]) -> None:
    write(*[{"choices": [{"message": {"content": text}}]} for text in CODER])
    out, _ = shown(capsys, "--template", "qwen3-coder", status=1)
    assert 'get call_1: called with {"city": "Paris", "n": 3}\n' in out
    assert 'get call_1: called with {"city": "Paris"}\n' in out
    assert "get call_1: never ran: M004 <tool_call> <function=get> inside thinking is text\n" in out


def test_the_settings_name_texts_template_and_tools(capsys: pytest.CaptureFixture[str]) -> None:
    Path("llmblocks.toml").write_text(
        '[completion]\ntemplate = "mistral-v11"\n[gadget.schemas]\n"*" = ["tools.json"]\n'
        '[files.strings."*.jsonl"]\nsaid = "completion"\n',
        "utf-8",
    )
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    Path("tools.json").write_text(json.dumps([{"name": "get", "parameters": schema}]), "utf-8")
    write({"said": '[TOOL_CALLS]get[ARGS]{"n": 1}[TOOL_CALLS]get[ARGS]{"n": "x"}[TOOL_CALLS]find[ARGS]{}'})
    out, err = shown(capsys, status=1)
    assert "get call_1: called with {" in out
    assert "get call_2: rejected: M204 'n' has the wrong type" in out
    assert "find call_3: rejected: M201 Unknown tool 'find'" in out
    assert not err


@pytest.mark.parametrize("rows", [CHAT, ({"messages": CHAT},)])
def test_messages_of_tools_are_results(rows: tuple[object, ...], capsys: pytest.CaptureFixture[str]) -> None:
    write(*rows)
    out, _ = shown(capsys, "--template", "hermes", "--output-format", "json", status=1)
    first, second = json.loads(out)["responses"]
    rejected, returned = first["calls"]
    assert (rejected["outcome"], rejected["result"]) == ("rejected", None)
    assert (returned["outcome"], returned["result"]["text"]) == ("returned", "20 degrees")
    assert returned["result"]["file"] == ("log.jsonl:1" if len(rows) == 1 else "log.jsonl:3")
    assert [(call["outcome"], call["why"]) for call in second["calls"]] == [("no result", "no later message has it")]


def test_the_whole_log_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    write(*[{"completion": text} for text in COMPLETIONS])
    out, _ = shown(capsys, "--template", "hermes", "--output-format", "json", status=1)
    told = json.loads(out)
    assert (told["folder"], told["missing"], told["problem"], told["agents"]) == ("log.jsonl", [], None, [])
    first = told["responses"][0]
    assert (first["number"], first["file"], first["text"], first["reasoning"]) == (
        *(1, "log.jsonl:1"),
        *("Let me see.", "I look."),
    )
    (call,) = first["calls"]
    assert (call["name"], call["id"], call["parameters"]) == ("get", "call_1", {"city": "Paris"})
    assert (call["outcome"], call["why"], call["wave"]) == ("called", "", 1)


def test_the_graph_and_the_page_show_a_log(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    write(*[{"completion": text} for text in COMPLETIONS])
    assert main(["session", "log.jsonl", "--template", "hermes", "--output-format", "mermaid"]) == 1
    drawn = capsysbinary.readouterr().out.decode()
    assert 'r0c0["get call_1<br>wave 1"]' in drawn
    assert "never ran#58; M004" in drawn
    assert main(["session", "log.jsonl", "--template", "hermes", "--output-format", "html"]) == 1
    page = capsysbinary.readouterr().out.decode()
    assert "<h2>log.jsonl:1</h2>" in page
    assert "<summary>Reasoning, 7 B</summary>" in page
    assert "M004 &lt;tool_call&gt; inside thinking is text" in page


def test_lines_that_are_not_json_are_named_and_the_others_shown(capsys: pytest.CaptureFixture[str]) -> None:
    write({"meta": 1}, "{", "", {"completion": "Hi"})
    out, err = shown(capsys, "--template", "hermes", status=2)
    assert out == "log.jsonl: 1 response, 0 calls\n  log.jsonl:4  Hi\n"
    assert err.startswith("llmblocks session: log.jsonl:2: not JSON: expecting property name")


@pytest.mark.parametrize("rows", [(), ("hello",), ({"completion": None},), ({"completion": 3},), ([1],)])
def test_a_log_without_completions_is_refused(rows: tuple[object, ...], capsys: pytest.CaptureFixture[str]) -> None:
    write(*rows)
    _, err = shown(capsys, "--template", "hermes", status=2)
    assert "llmblocks session: log.jsonl: no line has a completion; name its path in files.strings\n" in err


@pytest.mark.parametrize(("template", "texts"), [("mistral", COMPLETIONS), ("hermes", CODER)])
def test_a_template_that_does_not_fit_is_reported_with_one_that_does(
    template: str, texts: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    write(*[{"completion": text} for text in texts])
    out, err = shown(capsys, "--template", template, status=2)
    better = "hermes" if template == "mistral" else "qwen3-coder"
    assert f"no calls by this template: {better} may fit, as " in err
    assert f"no calls by this template: {better} may fit, as " in out


def test_rejected_calls_of_the_right_template_are_no_misfit(capsys: pytest.CaptureFixture[str]) -> None:
    write({"completion": OPEN})
    assert shown(capsys, "--template", "hermes", status=1)[1] == ""
    write({"completion": "No delimiters."})
    assert shown(capsys, "--template", "mistral")[1] == ""


@pytest.mark.parametrize("template", ["qwen", "none.json"])
def test_an_unknown_template_is_refused(template: str, capsys: pytest.CaptureFixture[str]) -> None:
    write({"completion": "Hi"})
    with pytest.raises(SystemExit, match="2"):
        main(["session", "log.jsonl", "--template", template])
    assert f"--template {template}: " in capsys.readouterr().err


def test_other_files_and_a_template_for_a_folder_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    Path("log.txt").write_text("{}\n", "utf-8")
    assert main(["session", "log.txt"]) == 2
    assert "log.txt: neither a folder of logs nor JSON Lines (*.jsonl, *.ndjson)\n" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main(["session", ".", "--template", "hermes"])
    assert "--template is for a JSON Lines log" in capsys.readouterr().err


def test_long_and_deep_arguments_are_shortened(capsys: pytest.CaptureFixture[str]) -> None:
    write({"completion": CALL.replace('"Paris"', "[" * 900 + "]" * 900)})
    out, _ = shown(capsys, "--template", "hermes")
    assert "get call_1: called with {" in out
    assert max(map(len, out.splitlines())) < 250


def test_thousands_of_lines_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    write(*[{"completion": f"{number}\n{CALL if number % 10 else OPEN}"} for number in range(3_000)])
    out, _ = shown(capsys, "--template", "hermes", status=1)
    assert out.startswith("log.jsonl: 3,000 responses, 3,000 calls, 300 rejected\n")
    assert out.count("\n") == 9_001


def test_a_log_takes_linear_work() -> None:
    settings = Settings(strings=(ByGlob("**", ("completion:completion",)),))

    def work(count: int) -> int:
        lines = [json.dumps({"completion": text}) for text in (*COMPLETIONS, *CODER) for _ in range(count)]
        return steps(lambda: [call.outcome for call in LogSession("log.jsonl", lines, settings).calls])

    work(1)
    assert work(100) < 2.2 * work(50)
