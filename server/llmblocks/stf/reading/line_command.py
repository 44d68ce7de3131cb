"""The commands of the `@` dialect with one data line: `call` and `embed`."""

from __future__ import annotations

from typing import Any, NamedTuple, cast

from llmblocks.stf.reading.report import Report
from llmblocks.stf.syntax.arguments import Arguments
from llmblocks.stf.syntax.commands import Command
from llmblocks.stf.syntax.place import Place
from llmblocks.stf.values.arguments import call_arguments
from llmblocks.stf.values.messages import EmbedPart, EmbedType, ToolCall


class WaitingCommand(NamedTuple):
    """A line command that waits for its data line; `name` is the place of its name, `given` its valid arguments."""

    command: Command
    arguments: Arguments
    name: Place
    given: dict[str, str]


def tool_call(waiting: WaitingCommand, text: str, place: Place, report: Report) -> ToolCall:
    """The call of `@call` and its data line, with a finding if the line is not an object."""
    given = waiting.given
    return ToolCall(given.get("name", ""), call_arguments(text, place, report), given.get("id"), given.get("call_id"))


def embed_part(waiting: WaitingCommand, text: str) -> EmbedPart:
    """The part of `@embed` and its data line; an unknown type becomes `file`."""
    given = waiting.given
    more: dict[str, Any] = {
        item.key: item.value for item in waiting.arguments.items if item.key not in ("type", "mime", "data", "url")
    }
    for key in ("name", "format", "file_id"):
        if key in more and key not in given:
            del more[key]
    kind = cast("EmbedType", given.get("type", "file"))
    return EmbedPart(kind, text, given.get("mime"), given.get("data"), more)
