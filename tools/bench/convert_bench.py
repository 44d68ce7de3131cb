"""The converters next to decoding the same chat, and that they are linear. `python -m tools.bench.convert_bench`."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import partial
from typing import Any

from llmblocks.stf import (
    Transcript,
    decode,
    from_anthropic,
    from_json,
    from_openai,
    to_anthropic,
    to_json,
    to_openai,
)
from tools.bench.report import Ratio, best, save, verdicts
from tools.bench.texts import conversation

FEW, MANY, ROUNDS = 1_000, 10_000, 5
WAYS: dict[str, tuple[Callable[[Transcript], Any], Callable[[Any], Any]]] = {
    "openai": (to_openai, from_openai),
    "anthropic": (to_anthropic, from_anthropic),
    "json": (to_json, from_json),
}
LIMITS = {
    "to openai": 3,
    "from openai": 4,
    "to anthropic": 3,
    "from anthropic": 4,
    "to json": 12,
    "from json": 6,
}


def main() -> None:
    # what is measured is the conversion, not how many objects the collector finds alive
    gc.disable()
    few, many = (decode(conversation(count)) for count in (FEW, MANY))
    text = conversation(MANY)
    decoding = best(lambda: decode(text), ROUNDS) / MANY * 1e6
    figures = {"decode, us a message": decoding}
    ratios = []
    print(f"{'us a message':20}{FEW:>9,}{MANY:>9,}\n{'decode':20}{'':9}{decoding:9.2f}")
    for name, (to, back) in WAYS.items():
        for way, run, small, large in (
            (f"to {name}", to, few, many),
            (f"from {name}", back, _value(to(few)), _value(to(many))),
        ):
            costs = [_microseconds(run, small, FEW), _microseconds(run, large, MANY)]
            print(f"{way:20}{costs[0]:9.2f}{costs[1]:9.2f}")
            figures[way] = costs[1]
            ratios += [
                Ratio(f"{way}: to decoding", costs[1] / decoding, LIMITS[way]),
                Ratio(f"{way}: a message of {MANY:,} to one of {FEW:,}", costs[1] / costs[0], 2.5),
            ]
    save("convert", figures)
    verdicts("convert", *ratios)


def _microseconds(run: Callable[[Any], object], given: Any, count: int) -> float:
    """The cost of a message."""
    return best(partial(run, given), ROUNDS) / count * 1e6


def _value(converted: Any) -> Any:
    return getattr(converted, "value", converted)


if __name__ == "__main__":
    main()
