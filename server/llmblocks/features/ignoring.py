"""Comments that silence a finding, as fixes."""

from __future__ import annotations

from collections.abc import Iterator

from llmblocks.core.edits import Edit
from llmblocks.facts.finding import Finding
from llmblocks.facts.silence import SIGN, Silencing
from llmblocks.languages.ask import Ask
from llmblocks.rules.fix import SAME, Fix, outside
from llmblocks.settings.rules import COMMENT_RULES

_OF_COMMENTS = frozenset(kind.code for kind in COMMENT_RULES)
_BOM = "\ufeff"


def ignoring(finding: Finding, ask: Ask) -> Iterator[Fix]:
    """Yield the fixes that silence a finding: at its place, then in the whole text.

    A format without comments has none.
    """
    outermost = ask.language.loaded[0]
    if outermost.silencing is None or finding.code in _OF_COMMENTS:
        return
    silencing = outermost.silencing()
    title = f"Ignore {finding.code} for {silencing.target}"
    # before a byte-order mark, a line would not be a comment
    top = 1 if ask.document.slice(0, 1) == _BOM else 0
    start = max(silencing.anchor(ask.document, finding.start), top)

    def fix(title: str, edit: Edit) -> Fix:
        # in a format without comments, they would be part of the text
        return Fix(title, (edit,), SAME if outermost.comments else outside(edit))

    longer = _longer(ask, silencing, start, finding.code)
    if longer is not None:
        yield fix(title, longer)
    yield fix(title, _comment(ask, silencing, start, f"ignore[{finding.code}]"))
    yield fix(f"Ignore {finding.code} in this file", _comment(ask, silencing, top, f"ignore-file[{finding.code}]"))


def _comment(ask: Ask, silencing: Silencing, start: int, says: str) -> Edit:
    """Return a new line with a comment."""
    document = ask.document
    _, end = document.line_at(start)
    newline = "\r\n" if document.slice(end - 2, end) == "\r\n" else "\n"
    begin, close = silencing.signs(document, start)
    return Edit(start, start, f"{begin}{SIGN} {says}{close}{newline}")


def _longer(ask: Ask, silencing: Silencing, start: int, code: str) -> Edit | None:
    """Return the edit that adds a code to the comment on the line before, if there is one."""
    document = ask.document
    line, _ = document.position(start)
    before = document.line_start(line - 1)
    if not line or SIGN not in document.slice(before, start):
        return None
    placed = document.section_at(before)
    base = placed.start
    for silence in silencing.find(placed.section):
        in_front = base + silence.start >= before and base + silence.end <= start
        if in_front and silence.codes and not (silence.of_file or silence.unread):
            at = base + silence.codes[-1].end
            return Edit(at, at, f", {code}")
    return None
