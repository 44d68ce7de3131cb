"""Repeated keys in an object of JSON5."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from llmblocks.core.places import Related
from llmblocks.json5.reader import RepeatedKey
from llmblocks.stf.rules import REPEATED_KEY
from llmblocks.stf.syntax.place import Finds, LinePlace


def tell_repeated(repeated: Iterable[RepeatedKey], place_in: Callable[[int, int], LinePlace], report: Finds) -> None:
    """Report repeated keys. `place_in` maps a part of the JSON5 to the document."""
    for each in repeated:
        place, earlier = place_in(each.start, each.end), place_in(*each.earlier)
        behind = place_in(each.behind, each.behind).start
        data = {"key": each.key, "earlier": place.start - earlier.start, "behind": place.start - behind}
        report.find(REPEATED_KEY, place, data, (Related(earlier.start, earlier.end, "the one before"),))
