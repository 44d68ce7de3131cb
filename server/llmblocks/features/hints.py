"""Inlay hints of the visible text."""

from __future__ import annotations

from llmblocks.contract.answers import Hint
from llmblocks.languages.ask import Ask


def hints(ask: Ask, *, shows_lenses: bool = False) -> list[Hint]:
    """Return the enabled hints in a range, with their places in the document, in order.

    Args:
        ask: The range.
        shows_lenses: The editor has code lenses: hints do not repeat them.
    """
    wanted = {
        "types": ask.settings.hint_types,
        "waves": ask.settings.hint_waves and not (shows_lenses and ask.shows_order()),
        "ends": ask.settings.hint_ends,
    }
    sources = [layer.hints() for layer in ask.language.loaded if layer.hints is not None and any(wanted.values())]
    found: list[Hint] = []
    for placed in ask.document.onward(ask.start) if sources else ():
        if placed.start > ask.end:
            break
        ask.pause()
        section, start = placed.section, placed.start
        first, last = max(ask.start - start, 0), min(ask.end - start, section.length)
        for hints_of in sources:
            found += [
                each._replace(offset=each.offset + start)
                for each in hints_of(section, first, last, ask.settings, ask.index)
                if wanted[each.kind]
            ]
    return sorted(found)
