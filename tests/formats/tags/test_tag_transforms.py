"""Delta transforms and chains of them; custom blocks, and their description in a prompt."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Iterator

import pytest

from llmblocks.tags import (
    BlockDefinition,
    CustomBlock,
    CustomBlockDelta,
    CustomBlockEnd,
    CustomBlocks,
    CustomBlockStart,
    DeltaTransform,
    TagHandler,
    TagStream,
    TextDelta,
    compose,
    prompt_text,
    with_prompt,
)


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


def applied(definitions: dict[str, BlockDefinition], *chunks: str) -> list[object]:
    return run(CustomBlocks(definitions), *map(TextDelta, chunks))


def test_a_block_without_a_transform_passes() -> None:
    assert applied({"citation": BlockDefinition()}, 'text<citation url="u">quote</citation>more') == [
        TextDelta("text"),
        CustomBlockStart("citation", {"url": "u"}),
        CustomBlockDelta("citation", "quote"),
        CustomBlockEnd("citation"),
        CustomBlock("citation", "quote", {"url": "u"}),
        TextDelta("more"),
    ]


def test_an_empty_list_suppresses_and_none_passes() -> None:
    seen: list[CustomBlock] = []

    def transform(block: CustomBlock) -> list[object] | None:
        seen.append(block)
        return [] if block.self_closing else None

    deltas = applied({"done": BlockDefinition(transform=transform)}, "a<done/>b<done>c")
    assert seen == [CustomBlock("done", "", {}, True), CustomBlock("done", "c", {})]
    assert deltas == [
        TextDelta("a"),
        TextDelta("b"),
        CustomBlockStart("done", {}),
        CustomBlockDelta("done", "c"),
        CustomBlock("done", "c", {}),
    ]


def test_a_block_carries_its_key_and_not_its_xml_tag() -> None:
    definitions = {"debugInfo": BlockDefinition(tag="debug-info")}
    assert applied(definitions, "<debugInfo/><debug-info/>") == [
        TextDelta("<debugInfo/>"),
        CustomBlock("debugInfo", "", {}, True),
    ]


def test_on_start_is_called_before_any_content() -> None:
    seen: list[object] = []
    blocks = CustomBlocks({"note": BlockDefinition(on_start=lambda attrs: seen.append(attrs))})
    blocks.process(TextDelta("<note a=1>"))
    assert seen == [{"a": "1"}]


async def test_an_async_transform_is_awaited() -> None:
    async def transform(block: CustomBlock) -> list[object]:
        await asyncio.sleep(0)
        return [TextDelta(block.content.upper())]

    blocks = CustomBlocks({"note": BlockDefinition(transform=transform)})
    assert (await blocks.aprocess(TextDelta("<note>a</note><note>b")))[3] == TextDelta("A")
    assert await blocks.aflush() == [TextDelta("B")]


def test_an_async_transform_needs_aprocess() -> None:
    async def transform(block: CustomBlock) -> None:
        return None

    with pytest.raises(ValueError, match="the transform of 'note' is async: use aprocess and aflush"):
        applied({"note": BlockDefinition(transform=transform)}, "<note/>")


def test_what_a_transform_raises_reaches_the_caller_and_only_its_block_is_lost() -> None:
    def transform(block: CustomBlock) -> list[object]:
        return [TextDelta(str(1 / len(block.attrs)))]

    blocks = CustomBlocks({"note": BlockDefinition(transform=transform)})
    with pytest.raises(ZeroDivisionError):
        blocks.process(TextDelta("a<note/>b<note x/>c"))
    rest = blocks.process(TextDelta("d"))
    assert rest == [TextDelta("a"), TextDelta("b"), TextDelta("1.0"), TextDelta("c"), TextDelta("d")]


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


def test_the_listing_is_that_of_the_document() -> None:
    assert prompt_text(DEFINITIONS) == TEXT


def test_a_block_with_neither_text_is_left_out() -> None:
    assert prompt_text({**DEFINITIONS, "quiet": BlockDefinition()}) == TEXT
    assert prompt_text({"quiet": BlockDefinition()}) is None


def test_the_text_goes_to_the_last_system_message() -> None:
    user: dict[str, object] = {"role": "user", "content": "hi"}
    first: dict[str, object] = {"role": "system", "content": [{"type": "text", "text": "be kind"}]}
    last: dict[str, object] = {"role": "system", "content": [{"type": "text", "text": "be brief"}], "name": "x"}
    messages: list[dict[str, object]] = [first, user, last, user]
    assert with_prompt(messages, TEXT) == [
        first,
        user,
        {**last, "content": [{"type": "text", "text": "be brief"}, BLOCK]},
        user,
    ]
    assert messages == [first, user, last, user]


def test_a_system_message_is_made_where_there_is_none() -> None:
    user = {"role": "user", "content": "hi"}
    assert with_prompt([user], TEXT) == [{"role": "system", "content": [BLOCK]}, user]


def test_content_that_is_a_text_stays_one() -> None:
    assert with_prompt([{"role": "system", "content": "be kind"}], TEXT) == [
        {"role": "system", "content": f"be kind\n\n{TEXT}"}
    ]


def test_nothing_is_added_twice() -> None:
    contents: list[dict[str, object]] = [{"content": "x"}, {"content": []}, {}]
    for system in ([], *([{"role": "system", **content}] for content in contents)):
        once = with_prompt([*system, {"role": "user", "content": "hi"}], TEXT)
        assert with_prompt(once, TEXT) == once
