"""The examples have exactly the findings that their README tells."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from llmblocks.cli.checking import findings
from llmblocks.cli.files import read
from llmblocks.cli.source import SourceFile
from llmblocks.gadget import CallEnded, GadgetStream
from llmblocks.languages.registry import language_of
from llmblocks.settings.values import DEFAULTS
from llmblocks.stf import decode

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
_ROW = re.compile(r"^\| \[`[^`]+`\]\(([^)]+)\) \| .* \| ([^|]*) \|$", re.MULTILINE)
_FINDING = re.compile(r"`([A-Z]\d{3})` (\d+):(\d+)")


def table() -> dict[str, list[tuple[str, int, int]]]:
    """Return the findings of each document in the README: code, line and column."""
    rows = _ROW.findall((EXAMPLES / "README.md").read_text(encoding="utf-8"))
    return {name: [(code, int(line), int(col)) for code, line, col in _FINDING.findall(cell)] for name, cell in rows}


def documents() -> list[str]:
    return sorted(str(each.relative_to(EXAMPLES)) for each in EXAMPLES.rglob("*") if language_of(str(each)))


def test_the_readme_tells_of_every_document() -> None:
    assert sorted(table()) == documents()


@pytest.mark.parametrize("name", documents())
def test_a_document_has_the_findings_that_the_readme_tells(name: str) -> None:
    source = SourceFile(str(EXAMPLES / name), language_of(name) or "")
    found = [(each.code, each.span.line, each.span.column) for each in findings(source, read(source, 1), DEFAULTS)]
    assert found == table()[name]


@pytest.mark.parametrize("name", ["chat.stf", "clean/chat.stf"])
def test_the_decoder_finds_the_same_in_a_chat(name: str) -> None:
    transcript = decode((EXAMPLES / name).read_text(encoding="utf-8"))
    assert [finding.code for finding in transcript.findings] == [code for code, *_ in table()[name]]
    roles = [message.role for message in transcript.messages]
    assert roles[0] == "system"
    assert len([role for role in roles if role in ("user", "assistant")]) == 8


@pytest.mark.parametrize(("name", "wrong"), [("session.gadget", 3), ("clean/session.gadget", 0)])
def test_the_stream_rejects_the_calls_that_have_an_error(name: str, wrong: int) -> None:
    stream = GadgetStream()
    events = [*stream.feed((EXAMPLES / name).read_text(encoding="utf-8")), *stream.close()]
    ended = [event.call for event in events if isinstance(event, CallEnded)]
    assert len(ended) == 6
    assert len([call for call in ended if call.error]) == wrong
    written = next(call for call in ended if call.name == "WriteFile")
    assert written.parameters is not None
    content = written.parameters["content"]
    assert isinstance(content, str)
    assert content.count("\n") >= 60
