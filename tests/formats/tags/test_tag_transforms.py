"""Delta transforms and chains of them; custom blocks, and their description in a prompt."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Iterator
from copy import deepcopy

import pytest

from llmblocks import tags
from llmblocks.tags import BlockDefinition, CustomBlock, CustomBlocks, DeltaTransform, TagStream, TextDelta, compose


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


def test_a_stream_of_tags_is_a_transform_and_so_is_an_empty_chain() -> None:
    assert isinstance(TagStream({}), DeltaTransform)
    assert isinstance(compose(), DeltaTransform)
    assert run(compose(), *text("a"), 7) == [*text("a"), 7]


def test_what_a_flush_emits_goes_through_every_later_transform() -> None:
    said: list[str] = []

    def named(name: str) -> object:
        def process(delta: object) -> list[object]:
            said.append(f"{name} {delta}")
            return [delta]

        return process, lambda: said.append(f"{name} flush") or [f"held by {name}"]  # type: ignore[func-returns-value]

    assert run(compose(*map(named, "abc"))) == ["held by a", "held by b", "held by c"]
    assert said == ["a flush", "b held by a", "b flush", "c held by a", "c held by b", "c flush"]


def test_text_held_upstream_reaches_the_end_and_a_list_is_taken_as_its_members() -> None:
    pipeline = compose(TagStream({"think": tags.TagHandler()}), [Lines(), [shout]])
    assert run(pipeline, *text("a\nb<thi")) == text("A\n", "B<THI")


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


def applied(definitions: dict[str, BlockDefinition], *chunks: str) -> list[object]:
    return run(CustomBlocks(definitions), *map(TextDelta, chunks))


def test_an_empty_list_suppresses_and_none_passes() -> None:
    seen: list[CustomBlock] = []

    def transform(block: CustomBlock) -> list[object] | None:
        seen.append(block)
        return [] if block.self_closing else None

    deltas = applied({"done": BlockDefinition(transform=transform)}, "a<done/>b<done>c")
    assert seen == [CustomBlock("done", "", {}, True), CustomBlock("done", "c", {})]
    assert deltas == [*text("a", "b"), tags.CustomBlockStart("done", {}), tags.CustomBlockDelta("done", "c"), seen[1]]


def test_a_block_carries_its_key_and_its_events_the_xml_tag() -> None:
    assert applied(
        {"debugInfo": BlockDefinition(tag="debug-info")}, '<debugInfo/><debug-info a="1">b</debug-info>'
    ) == [
        TextDelta("<debugInfo/>"),
        tags.CustomBlockStart("debug-info", {"a": "1"}),
        tags.CustomBlockDelta("debug-info", "b"),
        tags.CustomBlockEnd("debug-info"),
        CustomBlock("debugInfo", "b", {"a": "1"}),
    ]


def test_on_start_is_called_before_any_content() -> None:
    seen: list[object] = []
    CustomBlocks({"note": BlockDefinition(on_start=seen.append)}).process(TextDelta("<note a=1>"))
    assert seen == [{"a": "1"}]


async def test_an_async_transform_is_awaited() -> None:
    async def transform(block: CustomBlock) -> list[object]:
        await asyncio.sleep(0)
        return [TextDelta(block.content.upper())]

    blocks = CustomBlocks({"note": BlockDefinition(transform=transform)})
    assert (await blocks.aprocess(TextDelta("<note>a</note><note>b")))[3] == TextDelta("A")
    assert await blocks.aflush() == [TextDelta("B")]
    with pytest.raises(ValueError, match="the transform of 'note' is async: use aprocess and aflush"):
        blocks.process(TextDelta("<note/>"))


def test_what_a_transform_raises_reaches_the_caller_and_only_its_block_is_lost() -> None:
    def transform(block: CustomBlock) -> list[object]:
        return [TextDelta(str(1 / len(block.attrs)))]

    blocks = CustomBlocks({"note": BlockDefinition(transform=transform)})
    with pytest.raises(ZeroDivisionError):
        blocks.process(TextDelta("a<note/>b<note x/>c"))
    assert blocks.process(TextDelta("d")) == text("a", "b", "1.0", "c", "d")


DEFINITIONS = {
    "interpretation": BlockDefinition(
        description="Analytical insight derived from evidence.",
        instructions="Use when synthesizing information or drawing conclusions. Do not use for direct observations.",
    ),
    "done": BlockDefinition(description="Signals task completion.", transform=lambda block: []),
    "citation": BlockDefinition(
        instructions='Quote relevant passages from sources using <citation url="...">text</citation>.'
    ),
}
TEXT = """\
You can use the following XML tags in your output:
- <interpretation>: Analytical insight derived from evidence.
  Use when synthesizing information or drawing conclusions. Do not use for direct observations.
- <done>: Signals task completion.
- <citation>: Quote relevant passages from sources using <citation url="...">text</citation>."""
BLOCK = {"type": "text", "text": TEXT}


def test_the_listing_is_that_of_the_document_without_blocks_that_have_no_text() -> None:
    assert tags.prompt_text({**DEFINITIONS, "quiet": BlockDefinition()}) == TEXT
    assert tags.prompt_text({"quiet": BlockDefinition()}) is None


USER: dict[str, object] = {"role": "user", "content": "hi"}
KIND = {"type": "text", "text": "be kind"}
GIVEN: list[tuple[list[dict[str, object]], list[dict[str, object]]]] = [
    ([USER], [{"role": "system", "content": [BLOCK]}, USER]),
    (
        [{"role": "system", "content": []}, USER, {"role": "system", "content": [KIND], "name": "x"}, USER],
        [{"role": "system", "content": []}, USER, {"role": "system", "content": [KIND, BLOCK], "name": "x"}, USER],
    ),
    ([{"role": "system", "content": "be kind"}], [{"role": "system", "content": f"be kind\n\n{TEXT}"}]),
    ([{"role": "system", "content": []}], [{"role": "system", "content": [BLOCK]}]),
    ([{"role": "system"}], [{"role": "system", "content": [BLOCK]}]),
]


@pytest.mark.parametrize(("messages", "expected"), GIVEN)
def test_the_text_goes_once_to_the_last_system_message(
    messages: list[dict[str, object]], expected: list[dict[str, object]]
) -> None:
    given = deepcopy(messages)
    assert tags.with_prompt(messages, TEXT) == expected
    assert messages == given
    assert tags.with_prompt(expected, TEXT) == expected
