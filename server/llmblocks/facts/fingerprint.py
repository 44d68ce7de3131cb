"""Fingerprints of findings: equal as long as the marked text and the text around it are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from llmblocks.facts.finding import Finding

_MOST = 400
"""The characters of a line that count, on each side of the marked text."""
_NEAR = 1000
"""The characters in which a neighbouring line is looked for."""
NO_LINE: Final = "-"
FINGERPRINT: Final = "fingerprint"
"""The name of a finding's fingerprint in its data."""


def fingerprint(code: str, text: str, start: int, end: int) -> str:
    """Return the fingerprint of a finding in a text.

    Returns:
        Four words: the code, a digest of the marked text with its line, and digests of the nearest lines before and
        after it that are not blank, or `NO_LINE`. Places do not count, and neither does white space around a line.
    """
    line_start = max(text.rfind("\n", max(start - _MOST, 0), start) + 1, start - _MOST, 0)
    limit = min(len(text), start + _MOST)
    line_end = text.find("\n", start, limit)
    line_end = limit if line_end < 0 else line_end
    marked = text[start : min(end, line_end)]
    before = text[max(line_start - _NEAR, 0) : line_start].rstrip().rpartition("\n")[2].strip()
    after = text[line_end : line_end + _NEAR].lstrip().partition("\n")[0].strip()
    own = _digest(f"{marked}\0{text[line_start:line_end].strip()}")
    return f"{code} {own} {_digest(before[-_MOST:])} {_digest(after[:_MOST])}"


def _digest(text: str) -> str:
    # most texts have no finding
    from hashlib import blake2b

    return blake2b(text.encode("utf-8", "backslashreplace"), digest_size=6).hexdigest() if text else NO_LINE


def with_fingerprints(findings: Iterable[Finding], text: str) -> list[Finding]:
    """Findings with their fingerprints. Their places are those of the text."""
    return [
        each.__replace__(data={**each.data, FINGERPRINT: fingerprint(each.code, text, each.start, each.end)})
        for each in findings
    ]
