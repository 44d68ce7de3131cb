"""The messages, calls, arguments and blocks of a document: their number, and those around a finding."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from llmblocks.contract.headings import EntryKind
from llmblocks.core.document import Document
from llmblocks.features.outline import outline
from llmblocks.languages.ask import ask_all
from llmblocks.languages.language import Language
from llmblocks.report.bounds import short
from llmblocks.settings.values import Settings

_INDEX = re.compile(r"(?<![^/])[0-9]+(?![^/])")
ANY_INDEX = "*"
UNKNOWN = "(unknown)"
"""The name of all gadgets without a schema: a model may invent any number of them."""


class CountedUse(NamedTuple):
    """A message, call, argument or block."""

    kind: EntryKind
    name: str
    start: int
    """The start of its name."""
    around: str = ""
    """The gadget of an argument."""

    def key(self) -> tuple[EntryKind, tuple[str, ...]]:
        """Return its key in a table, which equal uses share."""
        return self.kind, (self.around, self.name) if self.kind == "argument" else (self.name,)


class UseContext(NamedTuple):
    """The constructs around a place; empty without any."""

    gadget: str = ""
    argument: str = ""
    tag: str = ""
    role: str = ""

    def around(self) -> Iterator[tuple[EntryKind, tuple[str, ...]]]:
        """Yield the keys of the constructs around it; see `CountedUse.key`."""
        yield "call", (self.gadget,)
        yield "argument", (self.gadget, self.argument)
        yield "block", (self.tag,)
        yield "message", (self.role,)


def uses(document: Document, language: Language, settings: Settings) -> Iterator[CountedUse]:
    """Yield all of them, in order. The indices of arguments become `*`."""
    headings = {kind: (each.entry, use) for kind, each in language.headings.items() if (use := each.use) is not None}
    gadget, start = "", 0
    for section in document.sections:
        at = 0
        for kind, width in section.tokens:
            heading = headings.get(kind)
            if heading is not None:
                entry, use = heading
                name = use(section.text, at, at + width)
                if name is None:
                    pass
                elif entry == "argument":
                    yield CountedUse(entry, _argument(name), start + at, gadget)
                elif entry != "call":
                    yield CountedUse(entry, short(name), start + at)
                else:
                    is_known = not settings.gadgets or settings.gadgets.find(name) is not None
                    gadget = short(name) if is_known else UNKNOWN
                    yield CountedUse(entry, gadget, start + at)
            at += width
        start += section.length


@lru_cache(maxsize=4096)
def _argument(pointer: str) -> str:
    return short(_INDEX.sub(ANY_INDEX, pointer))


class UsePlaces:
    """Finds the constructs around a place. `found` are the uses of a document."""

    def __init__(self, document: Document, language: Language, settings: Settings, found: Iterable[CountedUse]) -> None:
        names = {each.start: each.name for each in found}
        self._of_kinds: defaultdict[EntryKind, list[tuple[int, int, str]]] = defaultdict(list)
        # uses of one kind never contain each other
        for each in outline(ask_all(document, language, settings)):
            if each.name_start in names:
                self._of_kinds[each.kind].append((each.start, each.end, names[each.name_start]))

    def of(self, at: int) -> UseContext:
        """Return the constructs around a place."""
        return UseContext(*[self._around(kind, at) for kind in ("call", "argument", "block", "message")])

    def _around(self, kind: EntryKind, at: int) -> str:
        known = self._of_kinds[kind]
        number = bisect_right(known, at, key=itemgetter(0)) - 1
        return known[number][2] if number >= 0 and at < known[number][1] else ""
