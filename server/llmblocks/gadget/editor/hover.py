"""Hovers of the gadget format."""

from __future__ import annotations

from typing import Final

from llmblocks.core.layer import Describe
from llmblocks.core.scan import Kind
from llmblocks.core.section import Section, Span
from llmblocks.gadget.editor import kinds
from llmblocks.gadget.editor.view import ArgumentView, CallView, calls
from llmblocks.gadget.syntax.header import split_header


def _start(section: Section, span: Span) -> str:
    call = _call_at(section, span.start)
    if call is None:
        return "**Start marker** without a newline behind its header: the runtime takes the whole line for text."
    header = split_header(section.slice(call.header, call.header_end))
    lines = [f"**Gadget call** `{header.name}`" if header.name else "**Gadget call** without a name"]
    if header.invocation_id is None:
        lines.append("No invocation id: the runtime gives it the next `gadget_N`.")
    else:
        lines.append(f"Invocation id: `{header.invocation_id}`")
    if header.dependencies:
        names = ", ".join(f"`{name}`" for name in header.dependencies)
        lines.append(f"Runs when these have finished: {names}")
    count = len(call.arguments)
    lines.append(f"{count} argument{'' if count == 1 else 's'}" + (": " + _names(call.arguments) if count else ""))
    if not call.closed:
        lines.append("It has no end marker: the next start marker, or the end of the text, ends it.")
    return "\n\n".join(lines)


def _names(arguments: tuple[ArgumentView, ...]) -> str:
    shown = ", ".join(f"`{argument.pointer}`" for argument in arguments[:12])
    return shown + (", …" if len(arguments) > 12 else "")


def _argument(section: Section, span: Span) -> str:
    for call in calls(section):
        for argument in call.arguments:
            if argument.start <= span.start < argument.end or argument.start == span.start:
                path = " → ".join(f"`{segment}`" for segment in argument.pointer.split("/"))
                text = (
                    f"**Argument** {path}" if argument.pointer else "**Argument** without a pointer: its value is lost"
                )
                written = section.slice(argument.value, argument.end).removesuffix("\n")
                size = "1 character" if len(written) == 1 else f"{len(written)} characters"
                lines = written.count("\n") + 1
                return f"{text}\n\nIts value is {size} long" + (f", on {lines} lines" if lines > 1 else "") + "."
    return "**Argument marker**: the pointer follows it, the value begins on the next line."


def _end(_: Section, __: Span) -> str:
    return "**End of the gadget call.** What stands behind it on this line is text again."


def _stray(section: Section, span: Span) -> str:
    marker = section.slice(span.start, span.end)
    return f"`{marker}` outside any gadget call: the runtime takes it for text."


def _ignored(section: Section, span: Span) -> str | None:
    if not section.slice(span.start, span.end).strip():
        return None
    return "Text between the header and the first argument: the runtime drops it."


def _call_at(section: Section, offset: int) -> CallView | None:
    for call in calls(section):
        if call.start <= offset <= call.header_end:
            return call
    return None


WORDS: Final[dict[Kind, Describe]] = {
    kinds.START: _start,
    kinds.HEADER: _start,
    kinds.ARG: _argument,
    kinds.POINTER: _argument,
    kinds.END: _end,
    kinds.STRAY: _stray,
    kinds.IGNORED: _ignored,
}
