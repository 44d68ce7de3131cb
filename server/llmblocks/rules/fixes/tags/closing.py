"""Fixes of closing tags, and of missing ones."""

from __future__ import annotations

import re
from itertools import islice

from llmblocks.core.document import Document
from llmblocks.core.edits import Edit
from llmblocks.facts.finding import Finding
from llmblocks.languages.ask import Ask
from llmblocks.rules.expected import Expected, becoming, joined, outside, spelt
from llmblocks.rules.fix import Fix
from llmblocks.rules.removal import removals
from llmblocks.tags import kinds
from llmblocks.tags.editor.blocks import open_tag

_MOST_SECTIONS = 16
_FARTHEST = 1 << 18
_NEAR = 1 << 10
_ENDS_NAME = re.compile(r"[>\s]")
_IN_BLOCK = frozenset(
    (kinds.NAME, kinds.GAP, kinds.ATTRIBUTE, kinds.EQUALS, kinds.QUOTE, kinds.VALUE, kinds.OPENED, kinds.CONTENT)
)


def closed_block(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Close a block at the end of its content; before the line end there, if it is not content."""
    document = ask.document
    end = _content_end(document, finding.start)
    tag = f"</{finding.data['tag']}>"
    places = [end] if end == len(document) else []
    if document.slice(end - 1, end) == "\n":
        places.append(end - (2 if document.slice(end - 2, end) == "\r\n" else 1))
    elif not places:
        places.append(end)
    return tuple([Fix(f"Close the block with {tag}", (Edit(at, at, tag),)) for at in places])


def _content_end(document: Document, opening: int) -> int:
    """Return the end of the content of an unclosed block."""
    end = opening
    for placed in document.onward(opening):
        at = placed.start
        if at > opening and not open_tag(placed.section.before):
            break
        for kind, width in placed.section.tokens:
            if at > opening and kind in (kinds.OPENING, kinds.TEXT):
                return end
            at += width
            if at > opening and kind in _IN_BLOCK:
                end = at
    return end


def removed_tag(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Remove a stray closing tag from the visible text."""
    edits = removals(ask.document, finding.start, finding.end)
    return tuple([Fix("Remove this tag", (edit,), outside(edit)) for edit in edits])


def closing_tag(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Write a closing tag without spaces, and remove the closing tag that is then left over."""
    tag = f"</{finding.data['tag']}>"
    edit = Edit(finding.start, finding.end, tag)
    return _without_closing(f"Write {tag}", edit, spelt(finding, tag), tag, ask)


def self_closing_tag(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Close a tag at once, and remove the closing tag that is then left over."""
    tag = f"</{finding.data['tag']}>"
    edit = Edit(finding.start, finding.end, "/>")
    return _without_closing("Write />", edit, spelt(finding, "/>"), tag, ask)


def _without_closing(title: str, edit: Edit, expected: Expected, tag: str, ask: Ask) -> tuple[Fix, ...]:
    document = ask.document
    fixes = [Fix(title, (edit,), expected)]
    behind = text_behind(document, edit.end).find(tag)
    if behind >= 0:
        start = edit.end + behind
        fixes += [
            Fix(f"{title} and remove the later {tag}", (edit, other), joined((expected, becoming(other))))
            for other in removals(document, start, start + len(tag))
            if other.start > edit.end
        ]
    return (*fixes,)


def registered_name(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Write the name of a registered tag, also in the tag at the other end of the block."""
    document, data = ask.document, finding.data
    name, better = str(data["name"]), str(data["better"])
    edit = Edit(finding.start, finding.end, better)
    # no rule could check its attributes and its content
    tag = finding.start, finding.end + text_behind(document, finding.end).find(">") + 1
    expected = spelt(finding, better)
    fixes = [Fix(f"Write '{better}'", (edit,), expected, uncovers=tag)]
    partner = _partner(document, finding, name)
    if partner is not None:
        other = Edit(partner, partner + len(name), better)
        both = joined((expected, becoming(other)))
        fixes.insert(0, Fix(f"Write '{better}' in both tags", (*sorted((edit, other)),), both, uncovers=tag))
    return (*fixes,)


def _partner(document: Document, finding: Finding, name: str) -> int | None:
    """Return the place of the same misspelt name in the tag at the other end of the block."""
    if document.slice(finding.start - 1, finding.start) == "/":
        # most blocks are short
        for farthest in (_NEAR, _FARTHEST):
            before = _before(document, finding.start, farthest)
            end = len(before)
            while (at := before.rfind(f"<{name}", 0, end)) >= 0:
                if _ENDS_NAME.match(before, at + 1 + len(name)):
                    return finding.start - len(before) + at + 1
                end = at
        return None
    behind = text_behind(document, finding.end).find(f"</{name}>")
    return None if behind < 0 else finding.end + behind + 2


def text_behind(document: Document, start: int) -> str:
    """Return the text in which a tag after a place is looked for."""
    *_, last = islice(document.onward(start), _MOST_SECTIONS)
    end = last.start + last.section.length
    return document.slice(start, min(end, start + _FARTHEST))


def _before(document: Document, end: int, farthest: int) -> str:
    """Return the text in which a tag before a place is looked for."""
    start = end
    for placed in islice(document.backward(end), _MOST_SECTIONS):
        start = placed.start
        if start < end - farthest:
            break
    return document.slice(max(start, end - farthest), end)
