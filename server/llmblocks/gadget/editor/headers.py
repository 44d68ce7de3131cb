"""The problems of a header's dependencies."""

from __future__ import annotations

from collections.abc import Iterator

from llmblocks.core.finding import Related
from llmblocks.core.problem import Problem
from llmblocks.core.section import Piece
from llmblocks.gadget.editor.names import INVOCATION, names_of_piece
from llmblocks.gadget.syntax.catalogue import REPEATED_DEPENDENCY, SELF_DEPENDENCY


def problems_of_headers(piece: Piece) -> Iterator[Problem]:
    """Dependencies of a call on itself, and those that are given again."""
    own = ""
    given: dict[str, Related] = {}
    for role, kind, name, start, end in names_of_piece(piece):
        if kind != INVOCATION:
            continue
        if role == "definition":
            own, given = name, {}
        elif name in given:
            yield Problem(REPEATED_DEPENDENCY, start, end, {"dependency": name}, (given[name],))
        else:
            given[name] = Related(start, end, "first given here")
            if name == own:
                yield Problem(SELF_DEPENDENCY, start, end, {"id": name})
