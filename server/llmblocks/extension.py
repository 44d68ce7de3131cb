"""The tools for the rules of a team. `docs/tutorials/rules-of-your-team.md` begins one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from llmblocks.core.places import Related
from llmblocks.core.section import Section
from llmblocks.facts.finding import Finding
from llmblocks.facts.rule import Case, Repair, Rule, Spot
from llmblocks.facts.severity import Severity
from llmblocks.gadget.editor.calls import call_in
from llmblocks.gadget.syntax.values import coerce
from llmblocks.settings.extensions import entry_points, load_rules
from llmblocks.stf import kinds
from llmblocks.stf.editor.command_lines import command_lines
from llmblocks.tags.editor.blocks import begun_in

__all__ = [
    "Rule",
    "Case",
    "Severity",
    "Section",
    "Spot",
    "Related",
    "Finding",
    "Repair",
    "SectionArgument",
    "SectionCall",
    "SectionBlock",
    "SectionMessage",
    "calls",
    "blocks",
    "messages",
    "load_rules",
    "installed_rules",
]
Span = tuple[int, int]
"""A stretch of a section, in code points from its start."""


class SectionArgument(NamedTuple):
    """An argument of a call."""

    pointer: str
    value: str | int | float | bool
    """The type that its text suggests."""
    pointer_span: Span
    value_span: Span


class SectionCall(NamedTuple):
    """A gadget call."""

    name: str
    id: str
    """Empty if it has none."""
    dependencies: tuple[str, ...]
    parameters: Mapping[str, Any] | None
    """None if the runtime rejects it."""
    arguments: tuple[SectionArgument, ...]
    span: Span
    name_span: Span


class SectionBlock(NamedTuple):
    """A custom block. `content` ends with the section, if the block does not end before."""

    tag: str
    attributes: Mapping[str, str]
    content: str
    span: Span
    tag_span: Span
    content_span: Span


class SectionMessage(NamedTuple):
    """A message of Simple Text Format."""

    role: str
    arguments: Mapping[str, object]
    text: str
    """The rest of the section: a call in a message is a separate section."""
    role_span: Span
    header_span: Span
    """Its first line without the newline."""


def calls(section: Section) -> Iterator[SectionCall]:
    """Yield the gadget calls of a section: a section has at most one."""
    call = call_in(section)
    if call is None:
        return
    name, invocation_id, dependencies, *_ = call.parts
    arguments = [
        SectionArgument(each.pointer, coerce(call.received(number)), (each.name, each.name_end), (each.value, each.end))
        for number, each in enumerate(call.arguments)
    ]
    span, name_span = (call.start, call.end), (*call.names.name,)
    yield SectionCall(name, invocation_id or "", (*dependencies,), call.decoded()[0], (*arguments,), span, name_span)


def blocks(section: Section) -> Iterator[SectionBlock]:
    """Yield the custom blocks that begin in a section."""
    for each in begun_in(section):
        yield SectionBlock(
            each.tag,
            each.values,
            section.text[each.end : each.content_end],
            (each.start, each.block_end),
            (each.start + 1, each.name_end),
            (each.end, each.content_end),
        )


def messages(section: Section) -> Iterator[SectionMessage]:
    """Yield the message of Simple Text Format that begins in a section, if one does."""
    begins = (kinds.MESSAGE_NAME, kinds.RAW_NAME)
    line = next((each for each in command_lines(section).values() if each.kind in begins), None)
    if line is None:
        return
    start = section.text.rfind(line.dialect.header, 0, line.start)
    end = section.text.find("\n", line.start)
    end = section.length if end < 0 else end
    arguments: Mapping[str, object] = {each.key: each.value for each in line.arguments.items}
    role = (line.command.role if line.command else None) or str(arguments.get("role", line.name))
    name = line.start, line.start + len(line.name)
    yield SectionMessage(role, arguments, section.text[end + 1 :], name, (start, end))


def installed_rules() -> tuple[Rule, ...]:
    """Return the rules of all installed packages that have some, ready for `Settings(rules=…)`.

    Raises `ExtensionError`.
    """
    return tuple([rule for name in entry_points() for rule in load_rules(name)])
