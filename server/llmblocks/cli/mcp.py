"""`llmblocks mcp`: the checker as tools for agents, over the Model Context Protocol."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

import llmblocks
from llmblocks.cli.arguments import add_settings, describe
from llmblocks.cli.convert import Format, converted
from llmblocks.cli.explain import page
from llmblocks.cli.files import read
from llmblocks.cli.project import CommandProject
from llmblocks.cli.source import InputError, SourceFile
from llmblocks.languages.registry import language_ids
from llmblocks.rules.check import Belonging, check_of, findings_as_json
from llmblocks.rules.feedback import feedback_of
from llmblocks.rules.fixing import fix_of
from llmblocks.settings.rule_names import ALL_RULES, codes_of
from llmblocks.settings.values import DEFAULTS, Settings

if TYPE_CHECKING:
    from mcp.server import MCPServer

_MISSING = "llmblocks mcp needs the package mcp; install it with: pip install 'llmblocks[mcp]'\n"
_DESCRIPTION = """\
Serves an agent over the Model Context Protocol, on standard input and output, with
the tools check, fix, feedback, explain and convert. Nothing is written to files.
"""
_EXAMPLES = """\
  claude mcp add llmblocks -- llmblocks mcp
  uvx --from 'llmblocks[mcp]' llmblocks mcp
"""
_INSTRUCTIONS = """\
llmblocks finds mistakes in gadget calls (!!!GADGET_START … !!!GADGET_END), Simple Text Format (chats with @user, @ai)
and custom blocks (XML-like tags). Check what you write in these formats before you use it: `fix` repairs what has one
meaning, and `feedback` says how to write the rest.
"""
_Text = Annotated[str | None, Field(description="The text. Without it, the file at `path` is read.")]
_Path = Annotated[
    str | None, Field(description="The path of a file: it gives the language, and the settings of its llmblocks.toml.")
]
_Known = Annotated[
    list[str] | None,
    Field(
        description="The earlier responses of the session, or the ids of their calls. Default: the logs beside `path`."
    ),
]
_Language = Annotated[
    str | None, Field(description=f"The language: {', '.join(language_ids())}. The default is that of `path`.")
]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    describe(parser, _DESCRIPTION, _EXAMPLES)
    add_settings(parser)


def main(given: argparse.Namespace, _: argparse.ArgumentParser) -> int:
    try:
        from mcp.server import MCPServer
    except ImportError:
        sys.stderr.write(_MISSING)
        return 2
    tools = Tools(given.settings)
    server: MCPServer = MCPServer(
        "llmblocks", version=llmblocks.__version__, instructions=_INSTRUCTIONS, log_level="ERROR"
    )
    for tool in (tools.check, tools.fix, tools.feedback, tools.explain, tools.convert):
        _add(server, tool)
    server.run("stdio")
    return 0


def _add(server: MCPServer, tool: Callable[..., Any]) -> None:
    from mcp.server.mcpserver.exceptions import ToolError

    @wraps(tool)
    def called(**given: Any) -> Any:
        try:
            return tool(**given)
        except (InputError, ValueError, TypeError) as error:
            # the agent does not see the messages of other errors
            raise ToolError(str(error)) from error

    server.add_tool(called, description=(tool.__doc__ or "").strip())


class Tools:
    """The tools. An agent reads their docstrings and parameters.

    `settings` is the settings file for everything, or None for the nearest one of each file.
    """

    def __init__(self, settings: str | None = None) -> None:
        self._settings = settings

    def check(
        self, text: _Text = None, path: _Path = None, language: _Language = None, known: _Known = None
    ) -> list[dict[str, Any]]:
        """List the mistakes of a text or a file, with their places, which count from 1, and codes for `explain`."""
        text, of = self._read(text, path, language, known)
        return findings_as_json(check_of(text, of), text)

    def fix(
        self,
        text: _Text = None,
        path: _Path = None,
        language: _Language = None,
        known: _Known = None,
        unsafe: Annotated[
            bool, Field(description="Also make the fixes that change a value that a program reads.")
        ] = False,
    ) -> dict[str, Any]:
        """Repair a text or a file, and return the new text, what was done, and the mistakes that are left.

        Files are not written.
        """
        text, of = self._read(text, path, language, known)
        done = fix_of(text, of, unsafe=unsafe)
        return {
            "text": done.text,
            "applied": [f"{each.finding.code} {each.fix.title}" for each in done.applied],
            "left": findings_as_json(done.left, done.text),
        }

    def feedback(
        self,
        text: _Text = None,
        path: _Path = None,
        language: _Language = None,
        known: _Known = None,
        limit: Annotated[int, Field(description="The most characters of the message.", ge=200)] = 2000,
    ) -> str:
        """Explain to the model that wrote a text what is wrong with it, and how to write it. Empty if nothing is."""
        return feedback_of(*self._read(text, path, language, known), limit=limit)

    def explain(
        self, rule: Annotated[str, Field(description="A code such as G101, the beginning of codes, or a name.")]
    ) -> str:
        """Explain a rule: why it exists, with wrong, right and fixed examples, in Markdown."""
        codes = codes_of([rule])
        pages = [page(each) for each in ALL_RULES if each.code.startswith(codes)]
        if not pages:
            raise ValueError(f"no rule has the code {rule!r}")
        return "\n".join(pages)

    def convert(
        self,
        text: str,
        source: Format,
        target: Format,
        template: Annotated[
            str, Field(description="The response template of a raw completion, such as qwen3-coder.")
        ] = DEFAULTS.template,
    ) -> dict[str, Any]:
        """Convert a chat, or a message in a raw completion, and list what the target cannot represent."""
        found = converted(text, source, target, Settings(template=template))
        return {"text": found.value, "lost": [f"{each.path}: {each.message}" for each in found.lost]}

    def _read(
        self, text: str | None, path: str | None, language: str | None, known: list[str] | None
    ) -> tuple[str, Belonging]:
        """Return the given text, and its context; raise ValueError or InputError if something is missing."""
        if text is None and path is None:
            raise ValueError("give a text, or the path of a file")
        # what is open in an editor may have changed since the last call
        project = CommandProject(self._settings)
        name = path or "-"
        language_id = language or (project.language_of(path) if path else None)
        if language_id is None:
            raise ValueError(f"give the language: {', '.join(language_ids())}")
        settings = project.valid_settings_for(name)
        if text is None:
            text = read(SourceFile(name, language_id), settings.max_size_mb)
        return text, Belonging(language_id, settings, project, path, known or ())
