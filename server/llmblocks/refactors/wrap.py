"""Wrapping of a selection in a call or a custom block."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from llmblocks.core.edits import Edit
from llmblocks.core.markup import code
from llmblocks.gadget.editor import kinds as gadget
from llmblocks.gadget.reading.events import CallEnded
from llmblocks.gadget.reading.stream import GadgetStream
from llmblocks.gadget.schemas.gadgets import GadgetSchema
from llmblocks.gadget.schemas.parameters import parameters_of
from llmblocks.languages.ask import Ask
from llmblocks.refactors.messages import is_lost
from llmblocks.refactors.refactoring import LONGEST, Offer, Refactoring
from llmblocks.refactors.selected import newline_of, tokens_of
from llmblocks.stf.editor import kinds as stf
from llmblocks.tags.editor import kinds as tags
from llmblocks.tags.reading.deltas import CustomBlock, TextDelta
from llmblocks.tags.reading.handler import TagHandler
from llmblocks.tags.reading.stream import TagStream

_FREE = frozenset((gadget.TEXT, tags.TEXT, stf.TEXT, stf.ESCAPE))
_MOST = 8


def _selected(ask: Ask) -> str | None:
    """The selected text as the inner formats read it; None where it is not only text."""
    if ask.start >= ask.end or ask.end - ask.start > LONGEST:
        return None
    parts = []
    for kind, start, end in tokens_of(ask.document, max(ask.start - 1, 0), ask.end):
        if kind is stf.ESCAPE and end in (ask.start, ask.end):
            return None  # an end of the selection is between the two characters of an escape
        if end > ask.start and kind not in _FREE:
            return None
        if kind is not stf.ESCAPE:
            parts.append(ask.document.slice(max(start, ask.start), min(end, ask.end)))
    text = "".join(parts)
    return text if text.strip() else None


def _in_call(ask: Ask) -> Iterator[Offer]:
    text = _selected(ask)
    if text is None or is_lost(ask):
        return
    markers = ask.settings.markers
    newline = newline_of(ask, ask.start)
    for name, pointer, title in _gadgets(ask):
        head = f"{markers.start}{name}{newline}{markers.arg}{pointer}{newline}"
        lead, tail = _lines(ask, newline)
        edits = (
            Edit(ask.start, ask.start, f"{lead}{head}"),
            Edit(ask.end, ask.end, f"{newline if not text.endswith(newline) else ''}{markers.end}{tail}"),
        )
        whole = head + text + edits[1].text
        stream = GadgetStream(markers)
        calls = [each.call for each in [*stream.feed(whole), *stream.close()] if isinstance(each, CallEnded)]
        values = [each.received for each in calls[0].arguments] if len(calls) == 1 else []
        if len(values) == 1 and values[0].strip() == text.strip():
            yield Offer(title, edits)


def _gadgets(ask: Ask) -> Iterator[tuple[str, str, str]]:
    """The gadgets that take a text, with the pointer of it."""
    known = ask.settings.gadgets
    if not known:
        yield "Name", "text", "Wrap the selection in a gadget call"
    found = 0
    for each in known:
        pointer = _takes_text(each)
        if pointer and found < _MOST:
            found += 1
            yield each.name, pointer, f"Wrap the selection in a call of {code(each.name)}"


def _takes_text(each: GadgetSchema) -> str:
    schema = each.prepared
    if schema is None:
        return "text"
    found = [one.pointer for one in parameters_of(schema) if schema.expected(one.pointer) == "string"]
    return found[0] if found else ""


def _in_block(ask: Ask) -> Iterator[Offer]:
    text = _selected(ask)
    if text is None or is_lost(ask):
        return
    newline = newline_of(ask, ask.start)
    for name in ask.settings.tags[:_MOST]:
        begin, end = f"<{name}>", f"</{name}>"
        if text.endswith("\n"):
            # whole lines: the tags stand on lines of their own
            lead, _ = _lines(ask, newline)
            begin, end = f"{lead}{begin}{newline}", f"{end}{newline}"
        stream = TagStream({each: TagHandler() for each in ask.settings.tags})
        deltas = [*stream.process(TextDelta(f"{begin}{text}{end}")), *stream.flush()]
        blocks = [each for each in deltas if isinstance(each, CustomBlock)]
        if len(blocks) == 1 and (blocks[0].content or "").strip() == text.strip():
            edits = (Edit(ask.start, ask.start, begin), Edit(ask.end, ask.end, end))
            if not _begins_block(ask, edits):
                return
            yield Offer(f"Wrap the selection in a block {code(name)}", edits)


def _begins_block(ask: Ask, edits: tuple[Edit, Edit]) -> bool:
    """Whether the text before a tag leaves it one: after a `<` that goes on, the runtime misses it."""
    placed = ask.document.section_at(ask.start)
    if placed.section.length > LONGEST:
        return False
    text = placed.section.text
    until = min(edits[1].start - placed.start, len(text))
    at = edits[0].start - placed.start
    made = text[:at] + edits[0].text + text[at:until] + edits[1].text
    kinds = [kind for kind, _ in ask.language.open(made, ask.settings).tokens()]
    before = [*tokens_of(ask.language.open(text[:at], ask.settings), 0, at)]
    stray = next((each for each in reversed(before) if each.kind is gadget.STRAY), None)
    if stray is not None and "<" in text[stray.start : stray.end] and ">" not in text[stray.start : at]:
        # the runtime reads a stray marker as text
        return False
    return kinds.count(tags.OPENING) == [each.kind for each in before].count(tags.OPENING) + 1


def _lines(ask: Ask, newline: str) -> tuple[str, str]:
    """What puts a wrapped selection on lines of its own: before it, and after it."""
    document = ask.document
    lead = "" if ask.start == 0 or document.slice(ask.start - 1, ask.start) in ("\n", "\ufeff") else newline
    behind = document.slice(ask.end, ask.end + 2)
    selected = document.slice(ask.end - 1, ask.end)
    tail = "" if behind.startswith(("\n", "\r\n")) and selected != "\n" else newline
    return lead, tail


IN_CALL: Final = Refactoring(
    name="wrap-in-call",
    kind="refactor.extract",
    layer="gadget",
    summary="Makes the selected text the value of an argument, in a new call.",
    keeps="the text: it is the value of the argument",
    offer=_in_call,
    language="gadget",
    before="I look for «bees and wasps» now.\n",
    after="I look for \n!!!GADGET_START:Name\n!!!ARG:text\nbees and wasps\n!!!GADGET_END\n now.\n",
)
IN_BLOCK: Final = Refactoring(
    name="wrap-in-block",
    kind="refactor.extract",
    layer="tags",
    summary="Makes the selected text the content of a custom block.",
    keeps="the text: it is the content of the block",
    offer=_in_block,
    language="custom-blocks",
    before="Hello.\n«where to look\n»Bye.\n",
    after="Hello.\n<think>\nwhere to look\n</think>\nBye.\n",
)
