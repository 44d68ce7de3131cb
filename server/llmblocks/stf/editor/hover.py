"""Hovers of Simple Text Format."""

from __future__ import annotations

from typing import Final

from llmblocks.core.layer import Describe
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section, Span
from llmblocks.stf.editor import kinds
from llmblocks.stf.syntax.dialect import DIALECTS


def _command(section: Section, span: Span) -> str | None:
    name = section.slice(span.start, span.end)
    header = _header_of(section, span)
    command = DIALECTS[header].commands.get(name)
    if command is None:
        return None
    lines = [f"**`{header}{name}`**" + (f" is `{header}{command.canonical}`" if command.canonical != name else "")]
    lines.append(command.detail)
    if command.arguments:
        lines.append("Arguments: " + ", ".join(f"`{key}`" for key in command.arguments))
    return "\n\n".join(lines)


def _stray_end(section: Section, span: Span) -> str:
    header = _header_of(section, span)
    return f"**`{header}end`** with no block command to end: decoding fails here."


def _unknown(section: Section, span: Span) -> str:
    header = _header_of(section, span)
    name = section.slice(span.start, span.end)
    known = DIALECTS[header].commands
    if name in known:
        return f"**`{header}{name}`** is not a command inside a block: end the block with `{header}end` first."
    other = DIALECTS[header].other
    if name in other.commands:
        return f"**`{header}{name}`** is a command of the `{other.header}` dialect only; this text is in `{header}`."
    names = ", ".join(f"`{header}{known_name}`" for known_name in known)
    return f"**`{header}{name}`** is not a command. Commands are: {names}"


def _escape(section: Section, span: Span) -> str:
    header = section.slice(span.start, span.end)
    return f"`{header}{header}` at the start of a line is text that begins with one `{header}`."


def _opens(section: Section, span: Span) -> str:
    header = _header_of(section, span)
    return f"**Comment block.** It goes up to the matching `{header}*/`; comment blocks nest."


def _closes(_: Section, __: Span) -> str:
    return "**End of a comment block.** What follows on this line is ignored too."


def _stray_close(_: Section, __: Span) -> str:
    return "**End of a comment block** where none is open: decoding fails here."


def _line_comment(_: Section, __: Span) -> str:
    return "**Comment.** It is no part of any message, and does not end the one around it."


def _header_of(section: Section, span: Span) -> str:
    """The header character of the line of a token."""
    before = section.line_before(span.start).rstrip(" \t")
    return before[-1:] if before[-1:] in DIALECTS else "@"


WORDS: Final[dict[Kind, Describe]] = {
    kinds.MESSAGE_NAME: _command,
    kinds.RAW_NAME: _command,
    kinds.BLOCK_NAME: _command,
    kinds.LINE_NAME: _command,
    kinds.END_NAME: _command,
    kinds.FLUSH_NAME: _command,
    kinds.UNKNOWN_NAME: _unknown,
    kinds.STRAY_END: _stray_end,
    kinds.ESCAPE: _escape,
    kinds.COMMENT_OPEN: _opens,
    kinds.COMMENT_CLOSE: _closes,
    kinds.STRAY_CLOSE: _stray_close,
    kinds.COMMENT_LINE: _line_comment,
}
