"""Semantic tokens: what is coloured, in the numbers of the protocol."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from llmblocks.core.paint import ROLES
from llmblocks.lsp.documents.columns import Encoding, SectionPlaces
from llmblocks.lsp.wire.rpc import Json, RawJson

if TYPE_CHECKING:
    from llmblocks.core.section import Section
    from llmblocks.core.sequence import Placed
    from llmblocks.languages.language import Language
    from llmblocks.lsp.documents.text import Text

PROVIDER = {"legend": {"tokenTypes": list(ROLES), "tokenModifiers": []}, "full": True, "range": True}
LARGEST = 1 << 22
"""A larger document is coloured by ranges alone: nobody looks at all of it."""
_NUMBERS = {role: number for number, role in enumerate(ROLES)}


class Encoded(NamedTuple):
    """The tokens of a section. Shape: where the first one and the last one begin, from the section's first line; what
    follows the two numbers of the first one in the protocol's list.
    """

    line: int
    character: int
    numbers: str
    last_line: int
    last_character: int


class Encode:
    """From a section to its tokens, remembered on the section for each language and encoding."""

    __slots__ = ("_encoding", "_language", "_places")

    def __init__(self, language: Language, encoding: Encoding) -> None:
        self._language = language
        self._encoding = encoding
        self._places = SectionPlaces(encoding)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Encode) and (other._language, other._encoding) == (self._language, self._encoding)

    def __hash__(self) -> int:
        return hash((self._language, self._encoding))

    def __call__(self, section: Section) -> Encoded | None:
        from llmblocks.features.paint import paint

        place = self._places.place
        numbers: list[str] = []
        first: tuple[int, int] | None = None
        line = character = 0
        for start, end, role in paint(section, self._language.paint):
            at = place(section, start)
            length = place(section, end).character - at.character
            if first is None:
                first = at
            else:
                same = at.line == line
                numbers.append(f"{at.line - line},{at.character - character if same else at.character}")
            numbers.append(f"{length},{_NUMBERS[role]},0")
            line, character = at
        return None if first is None else Encoded(*first, ",".join(numbers), line, character)


def encode(sections: Iterable[Placed], text: Text) -> Json:
    """The tokens of some neighbouring sections."""
    find = Encode(text.language, text.encoding)
    parts = []
    line = character = 0
    for placed in sections:
        found = placed.section.remember(find)
        if found is None:
            continue
        first = placed.line + placed.returns
        # a section that begins in the middle of a line: what is in front of it on that line counts too
        lead = text.position(placed.start)[1] if not found.line or not found.last_line else 0
        start_line = first + found.line
        start_character = found.character + (lead if not found.line else 0)
        same = start_line == line
        parts.append(f"{start_line - line},{start_character - character if same else start_character},{found.numbers}")
        line = first + found.last_line
        character = found.last_character + (lead if not found.last_line else 0)
    return RawJson(b'{"data":[%b]}' % ",".join(parts).encode("ascii"))
