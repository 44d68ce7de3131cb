"""Speed of custom blocks: the stream, the whole pipeline. `make bench`.

MB are a million characters. The first line says what a slotted dataclass costs here: the figures of the reference
were taken where it cost 68 ns, so figures of two machines compare by it.
"""

from __future__ import annotations

import random
import sys
import timeit
from collections.abc import Callable

from llmblocks.tags import BlockDefinition, CustomBlocks, TagHandler, TagStream, TextDelta
from tools.bench.report import best, save

SIZE = 1_000_000
CHUNKS = (4, 64, 4096, SIZE * 2)
NAMES = ("think", "interpretation", "done", "debug-info")
ROUNDS = 3
# The required speed in MB/s, by the size of a chunk.
ASKED = {
    "one tag": {4: 15, 64: 50, 4096: 50, CHUNKS[-1]: 50},
    "5,000 tags": {4: 15, 64: 50, 4096: 50, CHUNKS[-1]: 50},
    "HTML, unregistered tags": {4: 15, 64: 50, 4096: 50, CHUNKS[-1]: 50},
    "plain text": {64: 400},
}


def prose(size: int, random: random.Random) -> str:
    words = ("the", "quick", "brown", "fox", "jumps", "over", "a", "lazy", "dog", "and", "some", "more", "words")
    return " ".join(random.choices(words, k=size // 4))[:size]


def mixed() -> dict[str, str]:
    r = random.Random(1)
    html = "".join(f"<p>{prose(40, r)}<b>{prose(8, r)}</b> {prose(30, r)}</p>\n" for _ in range(SIZE // 90))
    return {
        "one tag": f"<think>{prose(SIZE, r)}</think>",
        "5,000 tags": "".join(f"{prose(85, r)}<think>{prose(100, r)}</think>" for _ in range(5000)),
        "5,000 tags, attributes": "".join(f'{prose(80, r)}<think k="{n}">{prose(95, r)}</think>' for n in range(5000)),
        "HTML, unregistered tags": html,
        "plain text": prose(SIZE, r),
    }


def hostile(size: int) -> dict[str, str]:
    return {
        "only <": "<" * size,
        "only </": "</" * (size // 2),
        "endless attribute list": "<think " + "a=1 " * (size // 4),
        "endless value": '<think a="' + "x" * size,
        "endless tag name": "<" + "a" * size,
        "only </ in a block": "<think>" + "</" * (size // 2),
        "endless name in a block": "<think></" + "a" * size,
    }


def stream() -> TagStream:
    return TagStream({name: TagHandler() for name in NAMES})


def blocks() -> CustomBlocks:
    return CustomBlocks({name: BlockDefinition(transform=lambda block: []) for name in NAMES})


def speed(make: Callable[[], TagStream | CustomBlocks], text: str, size: int) -> float:
    """Return the millions of characters that are processed in a second."""
    deltas = [TextDelta(text[at : at + size]) for at in range(0, len(text), size)]

    def run() -> None:
        stream = make()
        process = stream.process
        for delta in deltas:
            process(delta)
        stream.flush()

    return len(text) / best(run, ROUNDS) / 1e6


def main() -> None:
    unit = min(timeit.repeat(lambda: TextDelta("text"), number=200_000, repeat=5)) / 200_000 * 1e9
    say = sys.stdout.write
    say(f"a slotted dataclass: {unit:.0f} ns (68 where the reference was measured)\n")
    results: dict[str, object] = {"unit ns": unit}
    columns = [*map(str, CHUNKS[:-1]), "whole"]
    for title, texts, make in (
        ("TagStream, MB/s", mixed() | hostile(SIZE), stream),
        ("CustomBlocks, MB/s", mixed(), blocks),
    ):
        say(f"\n{title:28}" + "".join(f"{column:>9}" for column in columns) + "\n")
        table: dict[str, dict[str, float]] = {}
        for name, text in texts.items():
            row = [speed(make, text, size) for size in CHUNKS]
            table[name] = dict(zip(columns, row, strict=True))
            short = [
                column
                for column, size, measured in zip(columns, CHUNKS, row, strict=True)
                if make is stream and measured * unit / 68 < ASKED.get(name, {}).get(size, 0)
            ]
            say(f"{name:28}" + "".join(f"{figure:9.1f}" for figure in row))
            say(f"   below what is asked at {', '.join(short)}\n" if short else "\n")
        results[title] = table
    say("\nlinear: time for four times the text, at chunks of 64\n")
    linear = {}
    for name, text in hostile(SIZE).items():
        small = hostile(SIZE // 4)[name]
        linear[name] = (len(text) / speed(stream, text, 64)) / (len(small) / speed(stream, small, 64))
        say(f"{name:28}{linear[name]:9.1f}\n")
    results["linear"] = linear
    save("tags", results)


if __name__ == "__main__":
    main()
