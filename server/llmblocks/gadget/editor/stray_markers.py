"""Markers outside of calls, unless a misspelt start marker explains them."""

from __future__ import annotations

from collections.abc import Iterator

from llmblocks.core.section import Section
from llmblocks.facts.problem import Problem
from llmblocks.gadget import kinds
from llmblocks.gadget.editor.misspelt import misspelt_markers
from llmblocks.gadget.rules import ARGUMENT_OUTSIDE_CALL, END_OUTSIDE_CALL
from llmblocks.gadget.syntax.markers import Markers


def stray_markers(section: Section, markers: Markers) -> Iterator[Problem]:
    """The markers outside of calls that no misspelt start marker explains.

    It explains those after it, its first end marker included, up to the next call or block.
    """
    if kinds.STRAY not in section.kinds:
        return
    near = [
        (each.start, each.data["marker"] == markers.start)
        for each in misspelt_markers(section, markers)
        if each.data["marker"] != markers.arg
    ]
    explained = False
    at = passed = 0
    for kind, width in section.tokens:
        end = at + width
        while passed < len(near) and near[passed][0] < end:
            explained = near[passed][1]
            passed += 1
        if kind is kinds.STRAY:
            marker = section.text[at:end]
            is_end = marker == markers.end
            if not explained:
                yield Problem(END_OUTSIDE_CALL if is_end else ARGUMENT_OUTSIDE_CALL, at, end, {"marker": marker})
            explained = explained and not is_end
        elif not (kind.merges or kind.opaque):
            explained = False
        at = end
