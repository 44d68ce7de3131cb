"""Escaping of pasted text, so that commands, markers and tags in it are text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from llmblocks.core.edits import Edit, edited
from llmblocks.gadget import kinds as gadget
from llmblocks.languages.ask import Ask
from llmblocks.refactors.messages import message_at, messages_of
from llmblocks.refactors.promises import LONGEST, RefactoringChange
from llmblocks.refactors.refactoring import Offer, Refactoring
from llmblocks.refactors.selected import header_of, lines_of, tokens_of
from llmblocks.stf import kinds as stf
from llmblocks.tags import kinds as tags

_MARKERS = frozenset((gadget.START, gadget.ARG, gadget.END, gadget.STRAY))
_TAGS = frozenset((tags.OPENING, tags.CLOSING))


def _lines(ask: Ask) -> Iterator[Offer]:
    """Double the character at the start of each selected line: they are then data of the message around them."""
    document = ask.document
    if not 0 < ask.end - ask.start <= LONGEST:
        return
    start, end = lines_of(ask)
    header = header_of(ask, start)
    message = message_at(ask, start)
    if message is None or message.dialect.header != header:
        return
    text = document.slice(start, end)
    edits = [
        Edit(start + each.start(), start + each.start(), header) for each in re.finditer(rf"^{header}", text, re.M)
    ]
    if any(kind is stf.HEADER for kind, _, _ in tokens_of(document, start, end)):
        yield Offer(f"Escape the selected lines: `{header}{header}` is a `{header}` in the text", (*edits,))


def _is_data(change: RefactoringChange) -> bool:
    """Return whether a message has the selected lines in its text, and those in front of it are as they were."""
    old, new = (messages_of(each).messages for each in (change.old, change.new))
    changed = next((now for each, now in zip(old, new, strict=False) if each != now), None)
    wanted = change.ask.document.slice(*lines_of(change.ask)).replace("\r", "").strip("\n")
    return changed is not None and wanted in changed.text.replace("\r", "")


def _markers(ask: Ask) -> Iterator[Offer]:
    """Break the markers and tags of a selection: these formats have no escape."""
    if not 0 < ask.end - ask.start <= LONGEST:
        return
    document = ask.document
    found: list[Edit] = []
    opened = False
    for kind, start, end in tokens_of(document, ask.start, ask.end):
        if start < ask.start or end > ask.end or not (kind in _MARKERS or kind in _TAGS):
            continue
        opened = opened or kind is tags.OPENING
        if kind is tags.CLOSING and opened:
            continue  # without the tag that opens its block, it is text
        text = document.slice(start, end)
        word = re.search(r"(?<!\w)\w", text)
        at = start + (word.start() if word and word.start() else 1)
        if kind in _MARKERS and document.slice(start - 1, start) in ("", "\n", "\ufeff"):
            # a line that begins with nearly a marker is a mistake
            found.append(Edit(start, start, " "))
        found.append(Edit(at, at, " "))
    if found and _is_plain(ask, found):
        what = "markers and tags" if len(ask.language.layers) > 1 else "tags"
        yield Offer(f"Break the selected {what} with a blank: there is no escape", (*found,))


def _is_plain(ask: Ask, edits: list[Edit]) -> bool:
    """Return whether no marker and no tag is left in the selection."""
    document = ask.document
    start = document.section_at(ask.start).start
    if ask.start - start > LONGEST:
        return False
    text = document.slice(start, ask.end)
    made = edited(text, [Edit(at - start, end - start, new) for at, end, new in edits])
    read = ask.language.open(made, ask.settings)
    left = tokens_of(read, ask.start - start, len(made))
    return all(kind not in _MARKERS and kind not in _TAGS for kind, at, _ in left if at >= ask.start - start)


ESCAPE: Final = Refactoring(
    name="escape-lines",
    kind="refactor.rewrite",
    layer="stf",
    summary="Doubles the header character of the selected lines, so that they are text.",
    keeps="the selected text: the message contains it as pasted",
    promise=_is_data,
    offer=_lines,
    language="stf",
    before="@user\nWhat does this do?\n«@ai\n@# hello\n»",
    after="@user\nWhat does this do?\n@@ai\n@@# hello\n",
)
BREAK: Final = Refactoring(
    name="break-markers",
    kind="refactor.rewrite",
    layer="tags",
    summary="Puts a blank into each selected marker and tag.",
    keeps="the selected text, except for the blanks",
    promise=None,
    offer=_markers,
    language="gadget",
    before="!!!GADGET_START:Write\n!!!ARG:text\n«a call ends with !!!GADGET_END\n»!!!GADGET_END\n",
    after="!!!GADGET_START:Write\n!!!ARG:text\na call ends with !!! GADGET_END\n!!!GADGET_END\n",
)
