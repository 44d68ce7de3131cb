"""The semantic tokens that a client has: all of them, the changes since then, and those of a range."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import compress, count
from operator import attrgetter, is_not
from typing import TYPE_CHECKING, Protocol

from llmblocks.contract.paint import MODIFIERS, ROLES
from llmblocks.lsp.documents.encoded_tokens import Encoded, encode, join, listed, of_block, of_section
from llmblocks.lsp.documents.splice import difference
from llmblocks.lsp.wire.rpc import Json, RawJson

if TYPE_CHECKING:
    from llmblocks.contract.paint import Paints
    from llmblocks.core.document import Document
    from llmblocks.core.sequence import Block
    from llmblocks.lsp.documents.columns import Encoding

PROVIDER = {
    "legend": {"tokenTypes": list(ROLES), "tokenModifiers": list(MODIFIERS)},
    "full": {"delta": True},
    "range": True,
}
_LARGEST = 1 << 22
"""A larger document is coloured by ranges alone: nobody looks at all of it."""
_STEP = 1 << 15
"""The code points that are coloured between two pauses."""


def _prepare(block: Block, paints: Paints, encoding: Encoding, pause: Callable[[], None]) -> None:
    """Find the tokens of the sections of a block, with pauses. An edit leaves nearly all of them as they are."""
    find = of_section(paints, encoding)
    size = 0
    for section in block:
        if find.known(section) is None:
            find(section)
            size += section.length
            if size > _STEP:
                pause()
                size = 0


class ColouredText(Protocol):
    """What the tokens of an open document are made of."""

    @property
    def size(self) -> int: ...
    @property
    def document(self) -> Document: ...
    @property
    def paints(self) -> Paints: ...
    @property
    def encoding(self) -> Encoding: ...
    def position(self, offset: int, /) -> tuple[int, int]: ...


class SentTokens:
    """The tokens of a document that the client has.

    Shape: `_parts` are the blocks of its sections as they were then; those that are still the same objects have not
           changed.
    """

    __slots__ = ("_parts", "_serial")

    def __init__(self) -> None:
        self._parts: list[Encoded] = []
        self._serial = 0

    def full(self, text: ColouredText, pause: Callable[[], None] = lambda: None) -> Json:
        """All tokens. A very large document has none: clients colour it by visible range only.

        Errors: those of `pause`, which end the work.
        """
        self._parts = self._now(text, pause)
        return RawJson(b'{%b,"data":[%b]}' % (self._result(), listed(join(self._parts)).encode("ascii")))

    def delta(self, text: ColouredText, previous: Json, pause: Callable[[], None] = lambda: None) -> Json:
        """One edit of the numbers of an earlier result; all tokens, where that is not the last result."""
        if not self._serial or previous != str(self._serial):
            return self.full(text, pause)
        old, new = self._parts, self._now(text, pause)
        self._parts = new
        start, removed, added = _difference(old, new)
        edit = b'{"start":%d,"deleteCount":%d,"data":[%b]}' % (start, removed, added) if removed or added else b""
        return RawJson(b'{%b,"edits":[%b]}' % (self._result(), edit))

    def _now(self, text: ColouredText, pause: Callable[[], None]) -> list[Encoded]:
        if text.size > _LARGEST:
            return []
        find = of_block(text.paints, text.encoding)
        found = []
        for block, _ in text.document.sections.blocks():
            if find.known(block) is None:
                pause()
                _prepare(block, text.paints, text.encoding, pause)
            found.append(find(block))
        return found

    def _result(self) -> bytes:
        self._serial += 1
        return b'"resultId":"%d"' % self._serial


def _difference(old: Sequence[Encoded], new: Sequence[Encoded]) -> tuple[int, int, bytes]:
    """The one edit that makes the numbers of `new` of those of `old`: where, how many go, and what comes.

    Only what differs is looked into: a long stretch is compared by the stretches that it was made of.
    """
    ahead: list[Encoded] = []
    behind: list[Encoded] = []
    while True:
        head, tail = _alike(old, new)
        ahead += new[:head]
        behind[:0] = new[len(new) - tail :]
        old, new = old[head : len(old) - tail], new[head : len(new) - tail]
        if not (len(old) == len(new) == 1 and old[0].parts and new[0].parts):
            break
        old, new = old[0].parts, new[0].parts
    was, now = _region(ahead, old, behind), _region(ahead, new, behind)
    start = sum(map(_amount, ahead))
    splice = difference(was, now)
    if splice is None:
        return start, 0, b""
    first = was.rfind(",", 0, splice.start) + 1
    end = was.find(",", splice.end)
    end = len(was) if end < 0 else end
    added = now[first : len(now) - (len(was) - end)]
    return start + was.count(",", 0, first), _count(was[first:end]), added.encode("ascii")


_amount: Callable[[Encoded], int] = attrgetter("amount")


def _alike(old: Sequence[Encoded], new: Sequence[Encoded]) -> tuple[int, int]:
    """The numbers of equal stretches at the start and at the end."""
    most = min(len(old), len(new))
    head = next(compress(count(), map(is_not, old, new)), most)
    tail = next(compress(count(), map(is_not, reversed(old), reversed(new))), most)
    return head, min(tail, most - head)


def _region(ahead: Sequence[Encoded], parts: Sequence[Encoded], behind: Iterable[Encoded]) -> str:
    """Some stretches, and the first token behind them: its first numbers are the distance to what changed."""
    # places count from the last token in front of the stretches: nothing ahead of it matters
    known = next((number for number in range(len(ahead) - 1, -1, -1) if ahead[number].amount), 0)
    after: list[Encoded] = []
    for each in behind:
        after.append(each._replace(numbers=",".join(each.numbers.split(",", 3)[:3])))
        if each.amount:
            break
    front = ahead[known : known + 1]
    found = join([*ahead[known:], *parts, *after])
    return found.numbers[len(front[0].numbers) + 1 :] if front and front[0].amount else listed(found)


def _count(numbers: str) -> int:
    return numbers.count(",") + 1 if numbers else 0


def between(text: ColouredText, start: int, end: int) -> Json:
    """The tokens that have something between two places."""
    paints, encoding = text.paints, text.encoding
    find = of_section(paints, encoding)
    parts: list[Encoded] = []
    first: int | None = None
    for section, at, *_ in text.document.onward(start):
        if at >= end:
            break
        first = at if first is None else first
        whole = start <= at and at + section.length <= end
        parts.append(find(section) if whole else encode(section, paints, encoding, start - at, end - at))
    place = text.position(first) if first else (0, 0)
    return RawJson(b'{"data":[%b]}' % listed(join(parts), *place).encode("ascii"))
