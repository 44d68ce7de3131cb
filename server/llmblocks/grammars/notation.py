"""The notation that the dialects of grammars share: repetitions and classes of characters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from llmblocks.grammars.expression import EVERY, LARGEST, Chars, Repeat, others

_SIGNS: Final = {(0, None): "*", (1, None): "+", (0, 1): "?"}


def times(repeat: Repeat) -> str:
    """Return what follows a repeated part, such as `*` or `{2,5}`."""
    _, least, most = repeat
    counted = f"{{{least}}}" if least == most else f"{{{least},{'' if most is None else most}}}"
    return _SIGNS.get((least, most), counted)


def char_class(signs: Chars, escaped: Callable[[int], str]) -> str:
    """Return a class in brackets: of the other characters after `^`, if it goes to the last one.

    `escaped` writes a code point.
    """
    negated = signs.ranges[-1][1] == LARGEST
    shown = others(EVERY, signs).ranges if negated else signs.ranges
    ranges = [escaped(low) if low == high else f"{escaped(low)}-{escaped(high)}" for low, high in shown]
    return f"[{'^' if negated else ''}{''.join(ranges)}]"
