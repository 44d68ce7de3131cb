"""The context of lines, and the effect of a command on the lines after it."""

from __future__ import annotations

from typing import Final

from llmblocks.core.scan import Kind
from llmblocks.stf.editor import kinds
from llmblocks.stf.syntax.commands import Command

FRESH: Final = "fresh"  # nothing read since the document began or a message ended
OUTSIDE: Final = "outside"
MESSAGE: Final = "message"
RAW: Final = "raw"  # in a block command that is a message
BLOCK: Final = "block"  # in a block command that belongs to the message around it, or to no message
LINE: Final = "line"  # behind a line command whose data line has not come yet


def meaning(command: Command | None, context: str, nested: bool) -> tuple[Kind, str, bool]:
    """The meaning of a command at its place.

    Shape: the kind of its name, then the context of the lines behind it and whether a message is around that; `command`
           is None for a name that is none.
    """
    in_block = context in (RAW, BLOCK)
    in_message = context == MESSAGE or (context in (BLOCK, LINE) and nested)
    around = MESSAGE if in_message else OUTSIDE
    if command is None or (in_block and command.mode in ("line", "flush")):
        return kinds.UNKNOWN_NAME, around if context == LINE else context, nested
    if command.mode == "message":
        return kinds.MESSAGE_NAME, MESSAGE, nested
    if command.canonical == "raw":
        return kinds.RAW_NAME, RAW, False
    if command.mode == "block":
        return (kinds.UNKNOWN_NAME, context, nested) if in_block else (kinds.BLOCK_NAME, BLOCK, in_message)
    if command.mode == "line":
        return kinds.LINE_NAME, LINE, in_message
    if command.mode == "flush":
        return kinds.FLUSH_NAME, FRESH, False
    if context == RAW:
        return kinds.END_NAME, FRESH, nested
    return (kinds.END_NAME if context == BLOCK else kinds.STRAY_END), around, nested
