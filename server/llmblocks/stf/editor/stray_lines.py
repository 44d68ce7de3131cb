"""Lines outside of messages that a call cuts into parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from llmblocks.core.index import Index
from llmblocks.core.section import Section
from llmblocks.core.symbol import PlacedSymbol, Symbol
from llmblocks.facts.name_checks import PlacedProblem, forward_check
from llmblocks.stf.context import FRESH, IN_TEXT, OUTSIDE, STRAY, state_of
from llmblocks.stf.editor.problems import COMMANDS
from llmblocks.stf.rules import DATA_BEFORE_MESSAGE
from llmblocks.stf.syntax.dialect import AT, DIALECTS, NOT_BLANK

LINE: Final = "cut line"
"""The first line outside of messages, up to the end of its section; "blank" if only white space is on it so far."""
REST: Final = "rest of a line"
"""The rest of a line from earlier sections; "ends" if its line end is here."""
_OUTSIDE = frozenset((FRESH, OUTSIDE, STRAY))


def stray_symbols(lines: Section) -> Iterator[Symbol]:
    """Yield the parts of cut lines in some lines."""
    before, after = state_of(lines.before), state_of(lines.after)
    if before.has_default or (before.context not in _OUTSIDE and after.context not in _OUTSIDE):
        return
    text = lines.text
    dialect = DIALECTS.get(after.dialect, AT)
    if before.place == IN_TEXT and before.context in _OUTSIDE and not before.depth:
        end = text.find("\n")
        stop = len(text) if end < 0 else end - (dialect.crlf and text.startswith("\r", end - 1) and end > 0)
        yield Symbol("reference", REST, "ends" if end >= 0 else "", 0, stop)
    if not text.endswith("\n") and (cut := COMMANDS(lines).cut) is not None:
        blank = NOT_BLANK[dialect.header].search(text, *cut) is None
        yield Symbol("definition", LINE, "blank" if blank else "", *cut)


def _whole(index: Index, line: PlacedSymbol) -> PlacedProblem | None:
    symbol = line.symbol
    end = symbol.end
    at = line.section.length
    for section in index.sections.onward(index.number(line.section) + 1):
        rest = next((each for each in index.symbols(section) if each.kind == REST), None)
        if rest is None:
            break
        end = at + rest.end
        at += section.length
        if rest.name:
            break
    # each cut line contains a call, unless it is the last one of the text
    is_lost = end > symbol.end or symbol.name != "blank"
    return PlacedProblem(line._replace(symbol=symbol._replace(end=end))) if is_lost else None


CHECK: Final = forward_check(DATA_BEFORE_MESSAGE, ("definition", LINE), (LINE, REST), _whole)
