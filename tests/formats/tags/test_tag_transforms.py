from __future__ import annotations

import asyncio
from collections.abc import Generator, Iterator

import pytest

from llmblocks.tags import DeltaTransform, TagHandler, TagStream, TextDelta, compose


class Lines:
    """Holds text back until its line is complete."""

    def __init__(self) -> None:
        self.held = ""

    def process(self, delta: object) -> list[object]:
        if not isinstance(delta, TextDelta):
            return [delta]
        *lines, self.held = (self.held + delta.delta).split("\n")
        return [TextDelta(line + "\n") for line in lines]

    def flush(self) -> list[object]:
        held, self.held = self.held, ""
        return [TextDelta(held)] if held else []


def shout(delta: object) -> Iterator[object]:
    yield TextDelta(delta.delta.upper()) if isinstance(delta, TextDelta) else delta


def run(transform: DeltaTransform, *deltas: object) -> list[object]:
    return [made for delta in deltas for made in transform.process(delta)] + list(transform.flush())


def text(*texts: str) -> list[object]:
    return [TextDelta(one) for one in texts]


def test_a_stream_of_tags_is_a_transform() -> None:
    assert isinstance(TagStream({}), DeltaTransform)
    assert isinstance(compose(), DeltaTransform)


def test_nothing_composed_changes_nothing() -> None:
    assert run(compose(), *text("a"), 7) == [*text("a"), 7]


def test_what_a_flush_emits_goes_through_every_later_transform() -> None:
    said: list[str] = []

    class Said:
        def __init__(self, name: str) -> None:
            self.name = name

        def process(self, delta: object) -> list[object]:
            said.append(f"{self.name} {delta}")
            return [delta]

        def flush(self) -> list[object]:
            said.append(f"{self.name} flush")
            return [f"held by {self.name}"]

    assert run(compose(Said("a"), Said("b"), Said("c"))) == ["held by a", "held by b", "held by c"]
    assert said == ["a flush", "b held by a", "b flush", "c held by a", "c held by b", "c flush"]


def test_text_held_upstream_reaches_the_end() -> None:
    pipeline = compose(TagStream({"think": TagHandler()}), Lines(), shout)
    assert run(pipeline, *text("a\nb<thi")) == text("A\n", "B<THI")


def test_a_list_is_taken_as_its_members() -> None:
    assert run(compose([Lines(), [shout]]), *text("a\nb")) == text("A\n", "B")


def test_a_pair_of_functions_is_a_transform() -> None:
    held: list[object] = []
    assert run(compose((lambda delta: held.append(delta), lambda: held)), 1, 2) == [1, 2]


def test_a_generator_function_without_parameters_keeps_what_it_knows() -> None:
    def pairs() -> Generator[list[object], object, list[object]]:
        held: list[object] = []
        out: list[object] = []
        while (delta := (yield out)) is not None:
            held.append(delta)
            out = []
            if len(held) == 2:
                out, held = [tuple(held)], []
        return held

    pipeline = compose(pairs)
    assert run(pipeline, 1, 2, 3) == [(1, 2), 3]
    assert run(pipeline, 4, 5) == [(4, 5)]
    assert run(pipeline) == []


async def test_async_transforms_are_awaited_in_their_order() -> None:
    async def slow(delta: object) -> list[object]:
        await asyncio.sleep(0)
        return [delta, delta]

    pipeline = compose(slow, shout, slow)
    assert await pipeline.aprocess(TextDelta("a")) == text("A", "A", "A", "A")
    assert await pipeline.aflush() == []
    with pytest.raises(ValueError, match="is async: use aprocess"):
        pipeline.process(TextDelta("a"))


def test_what_was_on_its_way_when_a_transform_raised_arrives_with_the_next_call() -> None:
    def twice(delta: object) -> list[object]:
        return [delta, f"{delta}'"]

    def picky(delta: object) -> list[object]:
        if delta == "b":
            raise KeyError(delta)
        return [delta]

    pipeline = compose(twice, picky)
    assert pipeline.process("a") == ["a", "a'"]
    with pytest.raises(KeyError):
        pipeline.process("b")
    assert pipeline.process("c") == ["b'", "c", "c'"]
