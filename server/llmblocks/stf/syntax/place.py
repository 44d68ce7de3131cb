"""Places in a text, and the report of problems at places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple, Protocol

from llmblocks.core.places import Related
from llmblocks.facts.rule import NO_DATA, Rule
from llmblocks.stf.rules import REPEATED_KEY

if TYPE_CHECKING:
    from llmblocks.json5.reader import RepeatedKey


class LinePlace(NamedTuple):
    """A place, with the 1-based number of its line (0 if lines are not counted)."""

    start: int
    end: int
    line: int


class Finds(Protocol):
    """Receives the problems of a text one by one."""

    def find(
        self, rule: Rule, place: LinePlace, data: Mapping[str, object] = NO_DATA, related: tuple[Related, ...] = ()
    ) -> None: ...


def repeated_keys(
    repeated: Iterable[RepeatedKey], place_in: Callable[[int, int], LinePlace]
) -> Iterator[tuple[Rule, LinePlace, Mapping[str, object], tuple[Related, ...]]]:
    """Yield the problems of repeated keys. `place_in` maps a part of the JSON5 to the document."""
    for each in repeated:
        place, earlier = place_in(each.start, each.end), place_in(*each.earlier)
        behind = place_in(each.behind, each.behind).start
        data = {"key": each.key, "earlier": place.start - earlier.start, "behind": place.start - behind}
        yield REPEATED_KEY, place, data, (Related(earlier.start, earlier.end, "the one before"),)
