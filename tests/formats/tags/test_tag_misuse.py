"""Wrong arguments raise an error that says what to pass instead."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

from llmblocks.compose import GadgetTransform
from llmblocks.tags import (
    Accumulator,
    Adapter,
    BlockDefinition,
    CustomBlock,
    CustomBlocks,
    Finish,
    ReasoningDelta,
    TagHandler,
    TagStream,
    TextDelta,
    ToolCall,
    ToolCallDelta,
    ToolCallEnd,
    ToolCallStart,
    compose,
    prompt_text,
    with_prompt,
)

NOT_TEXT: Any = {"a": 1}  # of no type, so that mypy lets it stand where a text belongs
NOT_MAPPING: Any = ["my-model"]


@pytest.mark.parametrize(
    ("tags", "message"),
    [
        (["think"], r"takes a mapping by name, not \['think'\]: give TagStream\(\{"),
        ("think", "takes a mapping by name, not 'think'"),
        (None, "takes a mapping by name, not None"),
        ({1: TagHandler()}, "takes names that are str, not 1"),
        ({"think": None}, r"the handler of 'think' is None: give a TagHandler"),
        ({"think": print}, r"the handler of 'think' is .*print.*: give a TagHandler"),
        ({"think": TagHandler}, r"the handler of 'think' is .*: give a TagHandler, such as TagHandler\(\)"),
    ],
)
def test_a_stream_takes_handlers_by_name(tags: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TagStream(tags)


@pytest.mark.parametrize("name", ["on_start", "on_content", "on_self_closing"])
def test_a_handler_is_made_of_functions(name: str) -> None:
    wrong: dict[str, Any] = {name: "think"}
    with pytest.raises(ValueError, match=f"{name} of TagHandler is 'think': give a function"):
        TagHandler(**wrong)


@pytest.mark.parametrize("wrong", [None, b"a", 7, bytearray(b"<")])
@pytest.mark.parametrize("before", ["", "a<th", "<think>a", "<think>a</th", "<think a"])
def test_text_is_a_str_wherever_the_stream_is(wrong: Any, before: str) -> None:
    stream = TagStream({"think": TagHandler()})
    calm = TagStream({"think": TagHandler()})
    stream.feed(before)
    calm.feed(before)
    with pytest.raises(TypeError, match="a chunk is a str, not"):
        stream.feed(wrong)
    assert stream.feed("b></think>") + stream.flush() == calm.feed("b></think>") + calm.flush()


@pytest.mark.parametrize(
    "make",
    [lambda: TagStream({}), lambda: CustomBlocks({}), GadgetTransform, Accumulator],
    ids=["tags", "blocks", "gadget", "acc"],
)
@pytest.mark.parametrize("wrong", ["a<think>", b"a"])
def test_a_text_is_not_a_delta(make: Callable[[], Any], wrong: object) -> None:
    made = make()
    with pytest.raises(TypeError, match=r"is not a delta: .*TextDelta\(text\)"):
        (made.push if isinstance(made, Accumulator) else made.process)(wrong)


@pytest.mark.parametrize(
    ("definitions", "message"),
    [
        (["note"], "takes a mapping by name"),
        ({"note": {}}, r"the definition of 'note' is \{\}: give a BlockDefinition"),
        ({2: BlockDefinition()}, "takes names that are str, not 2"),
        ({"1x": BlockDefinition()}, "'1x' would never be met as <1x>: tag names are ASCII letters"),
        ({"note": BlockDefinition(tag="<note>")}, "'note' would never be met as <<note>>"),
        ({"note": BlockDefinition(tag="")}, "'note' would never be met as <>"),
        ({"a": BlockDefinition(tag="b"), "b": BlockDefinition()}, "'a' and 'b' share the tag <b>"),
    ],
)
def test_custom_blocks_are_definitions_by_name(definitions: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        CustomBlocks(definitions)
    with pytest.raises(ValueError, match=message):
        prompt_text(definitions)
    with pytest.raises(ValueError, match=message):
        Adapter(map_chunk=TextDelta, execute=print, custom_blocks=definitions)


@pytest.mark.parametrize("name", ["tag", "description", "instructions", "transform", "on_start"])
def test_a_definition_is_texts_and_functions(name: str) -> None:
    wrong: dict[str, Any] = {name: 7}
    with pytest.raises(ValueError, match=f"{name} of BlockDefinition is 7: give a (str|function)"):
        BlockDefinition(**wrong)


async def asynchronous(delta: object) -> AsyncIterator[object]:
    yield delta


class Pair(NamedTuple):
    first: str
    second: str


@dataclass
class Odd:
    def __repr__(self) -> str:
        raise RuntimeError


WRONG_RESULTS = [
    ("text", "returned the text 'text'"),
    (b"text", "returned the text b'text'"),
    (TextDelta("a"), r"returned TextDelta\(delta='a'\): return a list of deltas"),
    ({"type": "text", "delta": "a"}, "returned {'type': 'text', 'delta': 'a'}: return a list"),
    (Pair("a", "b"), r"returned Pair\(.*: return a list"),
    (7, "returned 7: return a list"),
    (asynchronous(1), "returned <async_generator.*: return a list"),
    (Odd(), "returned <.*Odd object"),
]


@pytest.mark.parametrize(("result", "message"), WRONG_RESULTS)
def test_a_transform_returns_a_list_of_deltas(result: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"a transform {message}"):
        compose(lambda delta: result).process(1)
    with pytest.raises(ValueError, match=f"a transform {message}"):
        compose((lambda delta: [], lambda: result)).flush()
    blocks = CustomBlocks({"note": BlockDefinition(transform=lambda block: result)})
    with pytest.raises(ValueError, match=f"the transform of 'note' {message}"):
        blocks.process(TextDelta("<note/>"))


@pytest.mark.parametrize("several", [[1, 2], (1, 2), iter([1, 2]), range(1, 3), map(int, "12")])
def test_deltas_come_in_any_list_or_generator(several: Any) -> None:
    assert compose(lambda delta: several).process(0) == [1, 2]


@pytest.mark.parametrize("chunk", ["text", b"text"])
async def test_a_chunk_maps_to_deltas_and_not_to_text(chunk: Any) -> None:
    streaming = Adapter(map_chunk=lambda chunk: chunk, execute_stream=lambda request: [chunk])
    with pytest.raises(ValueError, match=r"map_chunk returned b?'text': return a delta, such as TextDelta"):
        await streaming.generate([])
    listed = Adapter(map_chunk=lambda chunk: [chunk], execute_stream=lambda request: [chunk])
    with pytest.raises(TypeError, match="is not a delta"):
        await listed.generate([])
    whole = Adapter(map_chunk=TextDelta, map_output=lambda output: output, execute=lambda request: chunk)
    with pytest.raises(ValueError, match=r"map_output returned b?'text'"):
        await whole.generate([])


async def test_a_chunk_may_map_to_a_generator_or_a_named_tuple() -> None:
    def several(chunk: str) -> Iterator[object]:
        yield TextDelta(chunk)
        yield Pair("a", "b")

    stream = Adapter(map_chunk=several, execute_stream=lambda request: "x").stream([])
    assert Pair("a", "b") in [event async for event in stream]
    stream = Adapter(map_chunk=lambda chunk: Pair("c", "d"), execute_stream=lambda request: "x").stream([])
    assert Pair("c", "d") in [event async for event in stream]
    with pytest.raises(ValueError, match="map_chunk returned <async_generator"):
        await Adapter(map_chunk=asynchronous, execute_stream=lambda request: "x").generate([])


@pytest.mark.parametrize("wrong", [None, 7, {"text": "a"}])
async def test_a_provider_gives_an_iterable_of_chunks(wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"execute_stream returned .*: return an iterable of chunks, async or not"):
        await Adapter(map_chunk=TextDelta, execute_stream=lambda request: wrong).generate([])


@pytest.mark.parametrize("name", ["map_chunk", "prepare_input", "execute", "execute_stream", "map_output"])
def test_an_adapter_is_made_of_functions(name: str) -> None:
    options: dict[str, Any] = {"map_chunk": TextDelta, "execute": print, name: "text"}
    with pytest.raises(ValueError, match=f"{name} of Adapter is 'text': give a function"):
        Adapter(**options)


def test_an_adapter_looks_at_its_other_parts_when_it_is_made() -> None:
    with pytest.raises(ValueError, match="metadata takes a mapping by name"):
        Adapter(map_chunk=TextDelta, execute=print, metadata=NOT_MAPPING)
    with pytest.raises(ValueError, match="7 is not a transform"):
        Adapter(map_chunk=TextDelta, execute=print, delta_transform=[7])


@pytest.mark.parametrize(
    "delta",
    [
        TextDelta(NOT_TEXT),
        ReasoningDelta(NOT_TEXT),
        ToolCallStart(NOT_TEXT, "add"),
        ToolCallStart("1", NOT_TEXT),
        ToolCallDelta("1", NOT_TEXT),
        ToolCallEnd(NOT_TEXT),
        ToolCall("1", NOT_TEXT, {}),
        CustomBlock("a", NOT_TEXT),
        Finish(NOT_TEXT),
        Finish(usage=NOT_MAPPING),
    ],
    ids=str,
)
def test_the_fields_of_a_delta_have_the_types_that_they_declare(delta: object) -> None:
    with pytest.raises(TypeError, match=r"of .* is (not text|not a mapping): give a"):
        Accumulator().push(delta)


@pytest.mark.parametrize("messages", ["hi", None, [CustomBlock("a", "")], ["hi"]])
def test_messages_are_mappings(messages: Any) -> None:
    with pytest.raises(ValueError, match=r"takes a list of messages, not|is not a message: give a mapping with role"):
        with_prompt(messages, "text")
