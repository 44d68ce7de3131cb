from __future__ import annotations

import asyncio

import pytest

from llmblocks.tags import (
    BlockDefinition,
    CustomBlock,
    CustomBlockDelta,
    CustomBlockEnd,
    CustomBlocks,
    CustomBlockStart,
    TextDelta,
)


def run(definitions: dict[str, BlockDefinition], *chunks: str) -> list[object]:
    blocks = CustomBlocks(definitions)
    return [delta for chunk in chunks for delta in blocks.process(TextDelta(chunk))] + blocks.flush()


def test_a_block_without_a_transform_passes() -> None:
    assert run({"citation": BlockDefinition()}, 'text<citation url="u">quote</citation>more') == [
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

    deltas = run({"done": BlockDefinition(transform=transform)}, "a<done/>b<done>c")
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
    assert run(definitions, "<debugInfo/><debug-info/>") == [
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
        run({"note": BlockDefinition(transform=transform)}, "<note/>")


def test_what_a_transform_raises_reaches_the_caller_and_only_its_block_is_lost() -> None:
    def transform(block: CustomBlock) -> list[object]:
        return [TextDelta(str(1 / len(block.attrs)))]

    blocks = CustomBlocks({"note": BlockDefinition(transform=transform)})
    with pytest.raises(ZeroDivisionError):
        blocks.process(TextDelta("a<note/>b<note x/>c"))
    rest = blocks.process(TextDelta("d"))
    assert rest == [TextDelta("a"), TextDelta("b"), TextDelta("1.0"), TextDelta("c"), TextDelta("d")]
