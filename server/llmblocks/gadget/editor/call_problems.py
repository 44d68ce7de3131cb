"""The problems of a call as a whole: text before its arguments, and a missing end marker."""

from __future__ import annotations

import re
from collections.abc import Iterator

from llmblocks.core.layered import state_in
from llmblocks.core.section import Section, tokens_in
from llmblocks.facts.problem import Problem
from llmblocks.gadget import kinds
from llmblocks.gadget.call import Call
from llmblocks.gadget.rules import MISSING_END_MARKER, TEXT_BEFORE_ARGUMENTS
from llmblocks.gadget.scanner import IN_CALL
from llmblocks.gadget.syntax.javascript import SPACE
from llmblocks.gadget.syntax.markers import Markers

_FENCE = re.compile("```(?:toml|yaml|json)?", re.IGNORECASE | re.ASCII)


def problems_of_calls(section: Section, call: Call, markers: Markers) -> Iterator[Problem]:
    """The problems of the call of a section."""
    text = section.text
    if not call.closed:
        # around a call, a command can end its message without a token of the call
        may_grow = section.is_last and state_in(section.after, int) in IN_CALL
        data = {"marker": markers.end} | ({"case": "last"} if may_grow else {})
        end = max(len(text[: call.header_end].rstrip(SPACE)), call.header)
        yield Problem(MISSING_END_MARKER, call.start, end, data)
    if kinds.IGNORED not in section.kinds:
        return
    ignored = [
        (at, inner) for _, at, stop in tokens_in(section, (kinds.IGNORED,)) if (inner := text[at:stop].strip(SPACE))
    ]
    # the runtime takes off a fence around the arguments
    if ignored and not (len(ignored) == 1 and _FENCE.fullmatch(ignored[0][1])):
        starts = [text.index(inner, at) for at, inner in ignored]
        yield Problem(TEXT_BEFORE_ARGUMENTS, starts[0], starts[-1] + len(ignored[-1][1]), {"marker": markers.arg})
