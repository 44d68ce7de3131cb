"""Fixes of misspelt markers."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from llmblocks.core.edits import Edit
from llmblocks.core.query import Query
from llmblocks.core.section import Section
from llmblocks.facts.finding import Finding
from llmblocks.gadget.editor.problems import misspelt_markers
from llmblocks.gadget.syntax.markers import Markers
from llmblocks.languages.ask import Ask
from llmblocks.rules.expected import becoming, joined, spelt
from llmblocks.rules.fix import Fix


def exact_marker(finding: Finding, ask: Ask) -> tuple[Fix, ...]:
    """Write the marker: this one, or all of a call with misspelt start and end."""
    markers = ask.settings.markers
    marker = str(finding.data.get("marker"))
    placed = ask.document.section_at(finding.start)
    behind = ask.document.slice(finding.end, placed.start + placed.section.length)
    ended = behind.find(markers.end)
    # no rule could check the call that it begins
    call = finding.start, finding.end + (ended if ended >= 0 else len(behind))
    begun = call if marker == markers.start else None
    fixes = [
        Fix(
            f"Change this to `{marker}`",
            (Edit(finding.start, finding.end, marker),),
            spelt(finding, marker),
            uncovers=begun,
        )
    ]
    edits = [
        Edit(placed.start + start, placed.start + end, text) for start, end, text in _places(markers)(placed.section)
    ]
    first = last = next((number for number, edit in enumerate(edits) if edit.start == finding.start), 0)
    while first and edits[first].text != markers.start and edits[first - 1].text != markers.end:
        first -= 1
    while last + 1 < len(edits) and edits[last].text != markers.end and edits[last + 1].text != markers.start:
        last += 1
    if first < last:
        every = (*edits[first : last + 1],)
        fixes.append(
            Fix(
                "Correct all misspelt markers of this call",
                every,
                joined([becoming(each) for each in every]),
                uncovers=begun,
            )
        )
    return (*fixes,)


@lru_cache(maxsize=16)
def _places(markers: Markers) -> Callable[[Section], list[Edit]]:
    """Return the corrections of misspelt markers in some lines."""

    def places(lines: Section) -> list[Edit]:
        return [Edit(each.start, each.end, str(each.data["marker"])) for each in misspelt_markers(lines, markers)]

    return Query("misspelt markers", places)
