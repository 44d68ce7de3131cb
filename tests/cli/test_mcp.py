"""`llmblocks mcp`, with the client of the protocol's own SDK."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

import llmblocks

pytestmark = pytest.mark.slow

MISTAKE = "!!!GADGET_START:ReadFile:r1\n!!!ARG:path\na.txt\n!!!ARG:path\nb.txt\n!!!GADGET_END\n"
CHAT = "@user\nWho are you?\n"


def served(folder: Path) -> Client:
    """Return a client whose server works in a folder."""
    command = ["-m", "llmblocks", "mcp"]
    return Client(StdioServerParameters(command=sys.executable, args=command, cwd=folder))


async def call(client: Client, name: str, arguments: Mapping[str, Any]) -> Any:
    """Return the value that a tool returns; an error as its text."""
    done = await client.call_tool(name, dict(arguments))
    (*texts,) = (part.text for part in done.content if part.type == "text")
    if done.is_error:
        return f"error: {''.join(texts)}"
    found = done.structured_content
    return found["result"] if found is not None and [*found] == ["result"] else found


async def test_an_agent_checks_repairs_and_converts(tmp_path: Path) -> None:
    (tmp_path / "a.gadget").write_text(MISTAKE, encoding="utf-8")
    async with served(tmp_path) as client:
        tools = {each.name: each for each in (await client.list_tools()).tools}
        assert {*tools} == {"check", "fix", "feedback", "explain", "convert"}
        assert all(each.description for each in tools.values())
        findings = await call(client, "check", {"text": MISTAKE, "language": "gadget"})
        assert [(each["code"], each["line"]) for each in findings] == [("G101", 4)]
        # a file gives its language, and is left unchanged
        assert await call(client, "check", {"path": "a.gadget"}) == findings
        fixed = await call(client, "fix", {"path": "a.gadget", "unsafe": True})
        assert fixed["left"] == []
        assert [each.split()[0] for each in fixed["applied"]] == ["G101"]
        assert fixed["text"] == llmblocks.fix(MISTAKE, "gadget", unsafe=True).text
        assert (tmp_path / "a.gadget").read_text(encoding="utf-8") == MISTAKE
        assert "Line 4: Duplicate pointer" in await call(client, "feedback", {"text": MISTAKE, "language": "gadget"})
        assert await call(client, "feedback", {"text": CHAT, "language": "stf"}) == ""
        assert (await call(client, "explain", {"rule": "duplicate-pointer"})).startswith("# G101")
        chat = await call(client, "convert", {"text": CHAT, "source": "stf", "target": "openai"})
        assert json.loads(chat["text"]) == [{"role": "user", "content": "Who are you?"}]
        assert chat["lost"] == []
        raw = {"text": "Hi<|python_tag|>{}", "source": "completion", "target": "openai", "template": "llama3"}
        answer = await call(client, "convert", raw)
        assert json.loads(answer["text"]) == [{"role": "assistant", "content": "Hi"}]
        assert [each.split()[2] for each in answer["lost"]] == ["M007"]


async def test_settings_of_a_file_apply_and_a_change_of_them_too(tmp_path: Path) -> None:
    (tmp_path / "a.gadget").write_text(MISTAKE, encoding="utf-8")
    async with served(tmp_path) as client:
        assert len(await call(client, "check", {"path": "a.gadget"})) == 1
        (tmp_path / "llmblocks.toml").write_text('rules.ignore = ["G101"]\n', encoding="utf-8")
        assert await call(client, "check", {"path": "a.gadget"}) == []
        # under settings that cannot be read, a repair might change the meaning of the text
        (tmp_path / "llmblocks.toml").write_text("rules.ignore = [\n", encoding="utf-8")
        assert "llmblocks.toml" in await call(client, "fix", {"path": "a.gadget"})


MISUSES: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("check", {}, "give a text, or the path of a file"),
    ("check", {"text": MISTAKE}, "give the language: gadget, "),
    ("check", {"path": "none.gadget"}, "none.gadget: cannot be read"),
    ("fix", {"text": "", "language": "xml"}, "custom-blocks"),
    ("explain", {"rule": "X999"}, "X999"),
    ("convert", {"text": "{", "source": "openai", "target": "stf"}, "line 1 column 2"),
    ("convert", {"text": "", "source": "completion", "target": "stf", "template": "llama"}, "no template 'llama'"),
)


async def test_every_tool_knows_the_session_of_a_log(tmp_path: Path) -> None:
    (tmp_path / "0001.response").write_text("!!!GADGET_START:Read:r1\n!!!GADGET_END\n", "utf-8")
    text = "!!!GADGET_START:Merge:m1:r1\n!!!GADGET_END\n"
    (tmp_path / "0002.response").write_text(text, "utf-8")
    async with served(tmp_path) as client:
        where = {"path": "0002.response"}
        assert await call(client, "check", where) == []
        assert await call(client, "feedback", where) == ""
        assert await call(client, "fix", where) == {"text": text, "applied": [], "left": []}
        # of a text in memory, the agent says it
        alone = {"text": text, "language": "gadget"}
        assert [each["code"] for each in await call(client, "check", alone)] == ["G111"]
        assert "r1" in await call(client, "feedback", alone)
        for known in (["r1"], ["!!!GADGET_START:Read:r1\n!!!GADGET_END\n"]):
            assert await call(client, "check", alone | {"known": known}) == []
            assert await call(client, "feedback", alone | {"known": known}) == ""
            assert await call(client, "fix", alone | {"known": known}) == {"text": text, "applied": [], "left": []}


async def test_misuse_is_reported_to_the_agent(tmp_path: Path) -> None:
    async with served(tmp_path) as client:
        for tool, arguments, says in MISUSES:
            told = await call(client, tool, arguments)
            assert told.startswith("error: "), told
            assert says in told
        # and the server lives on
        assert await call(client, "check", {"text": "", "language": "stf"}) == []
