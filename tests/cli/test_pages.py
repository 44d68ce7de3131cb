"""README.md, docs/sessions.md and docs/examples: their programs, commands and findings."""

from __future__ import annotations

import io
import json
import re
import shlex
import subprocess
import tomllib
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from cli.test_session import COMPLETIONS
from commands import COMMAND, run
from llmblocks.cli.checking import findings
from llmblocks.cli.files import read
from llmblocks.cli.source import SourceFile
from llmblocks.gadget import CallEnded, GadgetStream
from llmblocks.languages.registry import LANGUAGES, language_ids, language_of
from llmblocks.settings.check import check_settings
from llmblocks.settings.sources import read_settings_text
from llmblocks.settings.values import DEFAULTS
from llmblocks.stf import decode

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE = re.compile(r"^```console\n\$ llmblocks ([^\n]*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
SESSIONS_PAGE = CONSOLE.findall((ROOT / "docs" / "sessions.md").read_text("utf-8"))
REJECTED = "!!!GADGET_START:Read:{}\n!!!ARG:path\na.py\n!!!ARG:path\nb.py\n!!!GADGET_END\n"
READ = "!!!GADGET_START:Read:r1\n!!!ARG:path\na.py\n!!!GADGET_END\n"
WRITE = "!!!GADGET_START:Write:w1:r1\n!!!ARG:path\nc.py\n!!!GADGET_END\n"
SEARCH = "I will look.\n!!!GADGET_START:Search:s1\n!!!ARG:query\n{}\n!!!GADGET_END\n"
FOUND = "\n".join(f"tests/test_{number}.py" for number in range(72))
TOLD = "Result (r1): Error: Failed to parse parameters for 'Read': Duplicate pointer: path"
SESSIONS = {
    "brave-otter/0001.response": SEARCH.format("tests") + REJECTED.format("r1") + WRITE,
    "brave-otter/0002.request": f"=== USER ===\nResult (s1): {FOUND}\n\n=== USER ===\n{TOLD}\n",
    "brave-otter/0002.response": REJECTED.format("r2"),
    "calm-newt/0001.response": SEARCH.format("unit tests") + READ + WRITE,
    "calm-newt/0002.request": "=== USER ===\nResult (s1): tests/test_1.py\n",
}


def test_the_program_of_the_readme_shows_what_it_says() -> None:
    ((program, shown),) = re.findall(r"```python\n(.*?)```\n```text\n(.*?)```", README, re.DOTALL)
    assert README.count("```python\n") == 1
    out = io.StringIO()
    with redirect_stdout(out):
        exec(compile(program, "README.md", "exec"), {})
    assert out.getvalue() == shown


@pytest.mark.parametrize(("command", "shown"), CONSOLE.findall(README) or [None])
def test_a_command_shows_what_the_readme_says(command: str, shown: str) -> None:
    done = run(ROOT, *shlex.split(command))
    assert done.stdout + done.stderr == shown


def test_the_settings_file_of_the_readme_means_what_it_says() -> None:
    text, *_ = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)
    settings = check_settings(read_settings_text(text, language_ids()).given, language_ids()).settings
    assert settings.tags == ("think", "citation")
    assert (settings.ignore, settings.severity) == (("S002",), (("G102", "warning"),))


def test_the_helix_configuration_is_toml_with_our_language_ids() -> None:
    configuration = tomllib.loads((ROOT / "editors" / "helix" / "languages.toml").read_text("utf-8"))
    ids = [language.get("language-id", language["name"]) for language in configuration["language"]]
    # and that of our settings
    assert list(dict.fromkeys(ids)) == [*[each.id for each in LANGUAGES], "toml"]
    # Helix asks for findings itself, and shows those of the line that is typed; pushed ones wait
    pushed = {"calmTyping": True, "llmblocks": {"diagnostics": {"delivery": "push"}}}
    expected = {"command": "llmblocks", "args": ["server"], "config": pushed}
    assert configuration["language-server"]["llmblocks"] == expected


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The home of a user ada, with the sessions of docs/sessions.md."""
    for name, text in SESSIONS.items():
        file = tmp_path / ".llmist" / "logs" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
    rows = [json.dumps({"completion": text}) + "\n" for text in COMPLETIONS]
    (tmp_path / "log.jsonl").write_text("".join(rows), "utf-8")
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(("command", "shown"), SESSIONS_PAGE)
def test_a_command_shows_what_the_page_about_sessions_says(home: Path, command: str, shown: str) -> None:
    given = command.replace("~", home.as_posix()).split()
    if given[0] != "watch":
        # tests in several processes have a width, at which lines are cut
        done = run(ROOT, *given, COLUMNS="")
        assert (done.stdout + done.stderr).replace(home.as_posix(), "/home/ada") == shown
        return
    pytest.importorskip("watchfiles")
    arguments = [*COMMAND, "watch", "--output-format", "live", *given[1:]]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, encoding="utf-8", bufsize=1) as process:
        assert process.stdout is not None
        # the page shows one of the two sessions
        lines = [process.stdout.readline() for _ in range(10)]
        process.terminate()
    assert "".join(line for line in lines if line.startswith("brave-otter")) == shown


EXAMPLES = ROOT / "docs" / "examples"
ROWS = re.findall(
    r"^\| \[`[^`]+`\]\(([^)]+)\) \| .* \| ([^|]*) \|$", (EXAMPLES / "README.md").read_text("utf-8"), re.MULTILINE
)
TABLE = {
    name: [(code, int(line), int(col)) for code, line, col in re.findall(r"`([A-Z]\d{3})` (\d+):(\d+)", cell)]
    for name, cell in ROWS
}
"""The findings of each document in the README of the examples: code, line and column."""


def test_the_readme_of_the_examples_has_every_document() -> None:
    documents = [str(each.relative_to(EXAMPLES)) for each in EXAMPLES.rglob("*") if language_of(str(each))]
    assert sorted(TABLE) == sorted(documents)


@pytest.mark.parametrize("name", TABLE)
def test_an_example_has_the_findings_that_the_readme_tells(name: str) -> None:
    source = SourceFile(str(EXAMPLES / name), language_of(name) or "")
    found = [(each.code, each.span.line, each.span.column) for each in findings(source, read(source, 1), DEFAULTS)]
    assert found == TABLE[name]


@pytest.mark.parametrize("name", ["chat.stf", "clean/chat.stf"])
def test_the_decoder_finds_the_same_in_a_chat(name: str) -> None:
    transcript = decode((EXAMPLES / name).read_text("utf-8"))
    assert [finding.code for finding in transcript.findings] == [code for code, *_ in TABLE[name]]
    roles = [message.role for message in transcript.messages]
    assert (roles[0], sum(role in ("user", "assistant") for role in roles)) == ("system", 8)


@pytest.mark.parametrize(("name", "wrong"), [("session.gadget", 3), ("clean/session.gadget", 0)])
def test_the_stream_rejects_the_calls_that_have_an_error(name: str, wrong: int) -> None:
    stream = GadgetStream()
    events = [*stream.feed((EXAMPLES / name).read_text(encoding="utf-8")), *stream.close()]
    ended = [event.call for event in events if isinstance(event, CallEnded)]
    assert (len(ended), len([call for call in ended if call.error])) == (6, wrong)
    (content,) = [call.parameters["content"] for call in ended if call.name == "WriteFile" and call.parameters]
    assert str(content).count("\n") >= 60
