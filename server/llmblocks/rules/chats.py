"""The messages of a chat, compared before and after fixes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import takewhile
from os.path import commonprefix
from typing import Final, NamedTuple

from llmblocks.contract.decoded import DecodedValue
from llmblocks.rules.fix import Effect

MEASURED: Final[frozenset[Effect]] = frozenset(("message", "arguments", "role", "line", "nothing"))
"""The effects of fixes of messages, and the one that any fix may have."""
_BECOMES: Final = ((1, 1), (1, 2), (0, 1))
"""How many messages one fix replaces, and with how many."""
_STRETCH: Final = 64
"""The characters of two texts that are compared at once."""
_NO_ROLE: Final = "'role': ''"
_ROLE: Final = re.compile("'role': '[^']+'")


class _Message(NamedTuple):
    """A message, or the metadata."""

    head: str
    text: str | None
    values: str
    """Those in its text, as text."""


def keeps_messages(before: Sequence[DecodedValue], after: Sequence[DecodedValue], effects: Sequence[Effect]) -> bool:
    """Return whether fixes of messages, with these effects, have left all other messages as they were."""
    if not MEASURED.issuperset(effects):
        return False
    old, new = _messages(before), _messages(after)
    first = _same(old, new)
    old, new = old[first:], new[first:]
    last = _same(old[::-1], new[::-1])
    return _differ(old[: len(old) - last], new[: len(new) - last], Counter(effects))


def _messages(values: Sequence[DecodedValue]) -> list[_Message]:
    starts = [number for number, value in enumerate(values) if not number or value.message is not None]
    return [
        # 1, 1.0 and true are equal in Python
        _Message(values[start].head, values[start].message, repr(values[start + 1 : end]))
        for start, end in zip(starts, [*starts[1:], len(values)], strict=True)
    ]


def _same(old: Sequence[_Message], new: Sequence[_Message]) -> int:
    """How many messages are equal from the first one on."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))


def _differ(old: Sequence[_Message], new: Sequence[_Message], left: Counter[Effect]) -> bool:
    """Return whether messages differ by as many effects as there are left."""
    here = there = 0
    while here < len(old) or there < len(new):
        one, other = old[here : here + 1], new[there : there + 1]
        gone, come = 1, 1
        if one != other and not (left["role"] and one and other and _has_got_role(one[0], other[0])):
            effect = _effect(one[0], other[0]) if one and other else "message"
            if not left[effect]:
                effect = "message"
            if not left[effect]:
                return False
            left[effect] -= 1
            if effect == "message":
                become = _become(old[here : here + 2], new[there : there + 3])
                if become is None:
                    return False
                gone, come = become
        here += gone
        there += come
    return here == len(old) and there == len(new)


def _has_got_role(old: _Message, new: _Message) -> bool:
    """Return whether a message has a role now and had none; with it, its text may hold calls and blocks."""
    role = _ROLE.search(new.head)
    return role is not None and (old.head.replace(_NO_ROLE, role[0], 1), old.text) == new[:2]


def _effect(old: _Message, new: _Message) -> Effect:
    """Return the least effect that makes one message of another."""
    if old.text == new.text and old.values == new.values:
        return "arguments"
    if old.text is not None and new.text is not None and is_rest(old.text, new.text) and is_rest(old.head, new.head):
        return "line"
    return "message"


def _become(old: Sequence[_Message], new: Sequence[_Message]) -> tuple[int, int] | None:
    """How many of these messages one fix may have replaced, and with how many.

    What follows is equal if it can be. Where another fix has changed that too, as much of the text as can be is there.
    """
    can = [
        (gone, come)
        for gone, come in _BECOMES
        if gone <= len(old) and come <= len(new) and _is_fixed(old[:gone], new[:come])
    ]
    follows = [(gone, come) for gone, come in can if old[gone : gone + 1] == new[come : come + 1]]
    can.sort(key=lambda pair: abs(_length(old[: pair[0]]) - _length(new[: pair[1]])))
    return next(iter((*follows, *can)), None)


def _length(messages: Iterable[_Message]) -> int:
    return sum([len(each.text or "") for each in messages])


def _is_fixed(old: Sequence[_Message], new: Sequence[_Message]) -> bool:
    """Return whether one message may have become these: the first of them has more of its text, or less."""
    if not old:
        return True
    one, other = old[0].text, new[0].text
    if one is None or other is None:
        return one is other and len(old) == len(new)
    return one.startswith(other) or (len(new) == 1 and (is_rest(one, other) or is_rest(other, one)))


def is_rest(rest: str, whole: str) -> bool:
    """Return whether one text is another without some of its characters."""
    at = place = 0
    while at < len(rest):
        # most of both is alike
        if rest[at : at + _STRETCH] != whole[place : place + _STRETCH]:
            place = whole.find(rest[at], place)
            if place < 0:
                return False
        # of texts, not of paths
        alike = len(commonprefix((rest[at : at + _STRETCH], whole[place : place + _STRETCH])))  # noqa: RUF071
        at, place = at + alike, place + alike
    return True
