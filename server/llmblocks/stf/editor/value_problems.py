"""The problems of arguments, of the data line of a call, and of the JSON5 of a block."""

from __future__ import annotations

from collections.abc import Sequence

from llmblocks.facts.problem import Problem
from llmblocks.stf.rules import MESSAGE_WITHOUT_ROLE, UNKNOWN_ARGUMENT
from llmblocks.stf.syntax.arguments import Arguments
from llmblocks.stf.syntax.commands import Command
from llmblocks.stf.syntax.dialect import Dialect
from llmblocks.stf.syntax.place import FoundProblems, LinePlace
from llmblocks.stf.values.arguments import call_arguments, given_by


def problems_of_arguments(
    arguments: Arguments, command: Command | None, name: tuple[int, int], has_role: bool
) -> list[Problem]:
    """Return the problems of the arguments of a command line.

    Args:
        arguments: The arguments.
        command: None for an unknown command.
        name: The place of its name.
        has_role: Whether a message without a role inherits one.
    """
    found = FoundProblems((*arguments.problems, *arguments.repeated))
    if command is None:
        return found
    given_by(command, arguments, LinePlace(*name, 0), 0, found)
    asks_role = command.canonical == "message" and not has_role and not arguments.problems
    if asks_role and arguments.get("role") is None:
        found.append(Problem(MESSAGE_WITHOUT_ROLE, *name))
    if command.mode != "end":
        found += _unknown(command, arguments)
    return found


def _unknown(command: Command, arguments: Arguments) -> list[Problem]:
    found = []
    is_embed = command.canonical == "embed"
    for item in arguments.items:
        # all others are kept as keys of the part
        if item.key == "url" if is_embed else item.key not in command.arguments:
            known = ", ".join(command.arguments)
            case = "embed-url" if is_embed else "" if known else "takes-none"
            data = {"key": item.key, "name": command.name, "known": known} | ({"case": case} if case else {})
            found.append(Problem(UNKNOWN_ARGUMENT, item.key_start, item.key_end, data))
    return found


def problems_of_call(text: str, start: int, end: int, dialect: Dialect) -> list[Problem]:
    """Return the problems of the data line of a call."""
    if text.endswith("\n", start, end):
        end -= 1
        end -= dialect.crlf and text.endswith("\r", start, end)
    found = FoundProblems()
    call_arguments(text[start:end], LinePlace(start, end, 0), found)
    return found


def problems_of_block(
    name: str, place: tuple[int, int], runs: Sequence[tuple[str, int]], dialect: Dialect
) -> list[Problem]:
    """Return the problems of the JSON5 of a block that ends.

    Args:
        name: The command.
        place: The place of its name.
        runs: Whole lines of data with their offsets.
        dialect: The dialect.
    """
    # most chats have no blocks
    from llmblocks.stf.values.block import OpenBlock

    block = OpenBlock(dialect.commands[name], LinePlace(*place, 0))
    for text, at in runs:
        if text[0] == dialect.header:
            text, at = text[1:], at + 1
        if dialect.crlf and "\r" in text:
            for line in text.removesuffix("\n").split("\n"):
                block.add(line.removesuffix("\r"), at, 0, True)
                at += len(line) + 1
        else:
            block.add(text.removesuffix("\n"), at, 0, True)
    found = FoundProblems()
    if name == "raw":
        block.read_message(found)
    else:
        block.read_json(found)
    return found
