"""Fixes of custom blocks: their tags, and attributes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from llmblocks.core.document import Document
from llmblocks.core.edits import Edit
from llmblocks.facts.finding import Finding
from llmblocks.languages.ask import Ask
from llmblocks.rules.fix import Fix, after_line_end, becoming, changing, removals, replacing, rewriting
from llmblocks.tags import kinds
from llmblocks.tags.editor.answers import unregistered_at
from llmblocks.tags.editor.blocks import open_tag

_BLANKS = " \t\r\n"
_MOST_SECTIONS = 16
_FARTHEST = 1 << 18
_FAR = 1 << 16
_ENDS_NAME = re.compile(r"[>\s]")
_IN_BLOCK = frozenset(
    (kinds.NAME, kinds.GAP, kinds.ATTRIBUTE, kinds.EQUALS, kinds.QUOTE, kinds.VALUE, kinds.OPENED, kinds.CONTENT)
)


def removed_attribute(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Remove an attribute without effect. Safe if its value equals the one that counts."""
    document = ask.document
    start = finding.start
    if document.slice(finding.end, finding.end + 1) in (*_BLANKS, "/", ">"):
        while document.slice(start - 1, start) in tuple(_BLANKS):
            start -= 1
    yield Fix("Remove this attribute", (Edit(start, finding.end, ""),), safe=bool(finding.data.get("same")))


def quoted_value(finding: Finding, _: Ask) -> Iterator[Fix]:
    """Put a value in quotes that do not occur in it."""
    value = str(finding.data["value"])
    for quote in [each for each in ('"', "'") if each not in value][:1]:
        edits = Edit(finding.start, finding.start, quote), Edit(finding.end, finding.end, quote)
        spelling = Edit(finding.start, finding.end, f"{quote}{value}{quote}")
        yield becoming("Put the value in quotes", *edits, spelling=spelling)


def added_attribute(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Add a required attribute at the end of a tag, with its first allowed value, if any."""
    name, value = str(finding.data["attribute"]), str(finding.data["value"])
    quote = "'" if '"' in value else '"'
    added = f" {name}={quote}{value}{quote}"
    tag = ask.document.slice(finding.start, finding.end)
    end = "/>" if tag.endswith("/>") else ">"
    inside = tag.removesuffix(end)
    at = finding.start + len(inside.rstrip(" \t"))
    spelling = Edit(finding.start, finding.end, f"{inside}{added}{end}")
    yield becoming(f"Add the attribute '{name}'", Edit(at, at, added), spelling=spelling)


without_bracket = replacing("", "Remove this '>'")


def closed_block(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Close a block at the end of its content; before the line end there, if it is not content."""
    document = ask.document
    end = _content_end(document, finding.start)
    tag = f"</{finding.data['tag']}>"
    places = [end] if end == len(document) else []
    if document.slice(end - 1, end) == "\n":
        places.append(end - (2 if document.slice(end - 2, end) == "\r\n" else 1))
    for at in places or [end]:
        yield Fix(f"Close the block with {tag}", (Edit(at, at, tag),))


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


def closing_tag(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Write a closing tag without spaces, and remove the closing tag that is then left over."""
    tag = f"</{finding.data['tag']}>"
    return _without_closing(rewriting(finding, tag, f"Write {tag}"), tag, ask)


def self_closing_tag(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Close a tag at once, and remove the closing tag that is then left over."""
    return _without_closing(rewriting(finding, "/>", "Write />"), f"</{finding.data['tag']}>", ask)


def _without_closing(fix: Fix, tag: str, ask: Ask) -> Iterator[Fix]:
    document = ask.document
    yield fix
    behind = _text_behind(document, fix.end).find(tag)
    start = fix.end + behind
    for other in removals(document, start, start + len(tag)) if behind >= 0 else ():
        if other.start > fix.end:
            yield becoming(f"{fix.title} and remove the later {tag}", *fix.edits, other, lost=2)


def registered_name(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Write the name of a registered tag, also in the tag at the other end of the block."""
    document, data = ask.document, finding.data
    name, better = str(data["name"]), str(data["better"])
    # no rule could check its attributes and its content
    fix = rewriting(finding, better, f"Write '{better}'", uncovers=True)
    partner = _partner(document, finding, name)
    if partner is not None:
        edits = sorted((*fix.edits, Edit(partner, partner + len(name), better)))
        yield becoming(f"Write '{better}' in both tags", *edits, lost=2, uncovers=True)
    yield fix


def _partner(document: Document, finding: Finding, name: str) -> int | None:
    """Return the place of the same misspelt name in the tag at the other end of the block."""
    if document.slice(finding.start - 1, finding.start) == "/":
        before = _text_before(document, finding.start)
        end = len(before)
        while (at := before.rfind(f"<{name}", 0, end)) >= 0:
            if _ENDS_NAME.match(before, at + 1 + len(name)):
                return finding.start - len(before) + at + 1
            end = at
        return None
    behind = _text_behind(document, finding.end).find(f"</{name}>")
    return None if behind < 0 else finding.end + behind + 2


def removed_inner(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Remove a tag inside its own block, or close the block before it."""
    tag = str(finding.data["tag"])
    end = finding.end + _text_behind(ask.document, finding.end).find(">") + 1
    yield becoming("Remove this tag", Edit(finding.start, end, ""))
    closing = Edit(finding.start, finding.start, f"</{tag}>")
    yield becoming(f"Close the block before this tag with </{tag}>", closing)


def bare_tag(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Remove the bracket that hides a tag, or separate the two."""
    start, end = finding.start, finding.end
    written = ask.document.slice(start, end)
    # the block that begins could not be checked
    if ask.document.slice(start - 1, start) == "<":
        bare = Edit(start - 1, end, written)
        yield becoming("Remove the '<' before this tag", Edit(start - 1, start, ""), spelling=bare, uncovers=True)
    separate = Edit(start, end, f" {written}")
    yield becoming("Put a blank before this tag", Edit(start, start, " "), spelling=separate, uncovers=True)


def removed_block(finding: Finding, ask: Ask) -> Iterator[Fix]:
    document, tag = ask.document, str(finding.data["tag"])
    start, closing = finding.start, f"</{tag}>"
    line, _ = document.line_at(start)
    if document.slice(start, start + 1 + len(tag)) != f"<{tag}":
        start = line + document.slice(line, start).rfind(f"<{tag}")
        if start < line:
            return
    end = _text_behind(document, start).find(closing)
    if end >= 0:
        stop = start + end + len(closing)
        alone = not document.slice(line, start).strip()
        edit = Edit(start, after_line_end(document, stop) if alone else stop, "")
        yield changing("Remove this block", edit, lost=1)


def _text_behind(document: Document, start: int) -> str:
    """Return the text in which a tag after a place is looked for, like `_text_before`."""
    *_, last = islice(document.onward(start), _MOST_SECTIONS)
    return document.slice(start, min(last.end, start + _FARTHEST))


def _text_before(document: Document, end: int) -> str:
    *_, first = islice(document.backward(end), _MOST_SECTIONS)
    return document.slice(max(first.start, end - _FARTHEST), end)


def unregistered_tag(ask: Ask) -> str | None:
    """Return the name of the tag at a place, if it has a partner and the runtime reads both as text."""
    document = ask.document
    if ask.start != ask.end or "tags" not in ask.language.layers or not len(document):
        return None
    start = max(ask.start - _FAR, 0)
    found = unregistered_at(document.slice(start, ask.start + _FAR), ask.start - start, ask.settings.tags)
    if found is None:
        return None
    placed = document.section_at(start + found.start())
    at = start + found.start() - placed.start
    kind = next(kind for kind, _, end in placed.section.spans() if end > at)
    return found[1] if kind is kinds.TEXT else None
