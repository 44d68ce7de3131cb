"""Wrong arguments raise an error that says what to pass instead."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

from llmblocks import tags
from llmblocks.compose import GadgetTransform
from llmblocks.tags import (
    Adapter,
    BlockDefinition,
    CustomBlock,
    CustomBlocks,
    TagHandler,
    TagStream,
    TextDelta,
    compose,
)

NOT_TEXT: Any = {"a": 1}  # of no type, so that mypy lets it stand where a text belongs
DEFINITIONS: list[tuple[Any, str]] = [
    (["note"], "takes a mapping by name"),
    ({"note": {}}, r"the definition of 'note' is \{\}: give a BlockDefinition"),
    ({2: BlockDefinition()}, "takes names that are str, not 2"),
    ({"1x": BlockDefinition()}, "'1x' would never be met as <1x>: tag names are ASCII letters"),
    ({"note": BlockDefinition(tag="<note>")}, "'note' would never be met as <<note>>"),
    ({"note": BlockDefinition(tag="")}, "'note' would never be met as <>"),
    ({"a": BlockDefinition(tag="b"), "b": BlockDefinition()}, "'a' and 'b' share the tag <b>"),
]


def adapted(**options: Any) -> Adapter:
    return Adapter(**{"map_chunk": TextDelta, "execute": print, **options})


TAKERS: list[Callable[[Any], object]] = [
    CustomBlocks,
    tags.prompt_text,
    lambda given: adapted(custom_blocks=given),
]
PROVIDED = ("map_chunk", "prepare_input", "execute", "execute_stream", "map_output")
FIELDS: list[tuple[Callable[..., object], str, tuple[str, ...], Any]] = [
    (TagHandler, "TagHandler is 'text': give a function", ("on_start", "on_content", "on_self_closing"), "text"),
    (BlockDefinition, "BlockDefinition is 7: give a str", ("tag", "description", "instructions"), 7),
    (BlockDefinition, "BlockDefinition is 7: give a function", ("transform", "on_start"), 7),
    (adapted, "Adapter is 'text': give a function", PROVIDED, "text"),
]


def test_a_field_of_another_type_is_named() -> None:
    for make, words, names, wrong in FIELDS:
        for name in names:
            with pytest.raises(ValueError, match=f"{name} of {words}"):
                make(**{name: wrong})


PROMPTED: Callable[[Any], object] = lambda given: tags.with_prompt(given, "text")  # noqa: E731
WRONG: list[tuple[Callable[[Any], object], Any, str]] = [
    (TagStream, ["think"], r"takes a mapping by name, not \['think'\]: give TagStream\(\{"),
    (TagStream, "think", "takes a mapping by name, not 'think'"),
    (TagStream, None, "takes a mapping by name, not None"),
    (TagStream, {1: TagHandler()}, "takes names that are str, not 1"),
    (TagStream, {"think": print}, r"the handler of 'think' is .*print.*: give a TagHandler"),
    (TagStream, {"think": TagHandler}, r"the handler of 'think' is .*: give a TagHandler, such as TagHandler\(\)"),
    *[(take, given, words) for take in TAKERS for given, words in DEFINITIONS],
    (lambda given: adapted(metadata=given), ["my-model"], "metadata takes a mapping by name"),
    (lambda given: adapted(delta_transform=given), [7], "7 is not a transform"),
    *[(compose, given, "is not a transform") for given in (7, None, "text")],
    *[(PROMPTED, given, "takes a list of messages, not") for given in ("hi", None)],
    *[(PROMPTED, [given], "is not a message: give a map") for given in (CustomBlock("a", ""), "hi")],
]


@pytest.mark.parametrize(("take", "given", "words"), WRONG, ids=[words for _, _, words in WRONG])
def test_a_wrong_argument_is_refused_with_what_to_pass(take: Callable[[Any], object], given: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        take(given)


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
    [
        lambda: TagStream({}).process,
        lambda: CustomBlocks({}).process,
        lambda: GadgetTransform().process,
        lambda: tags.Accumulator().push,
    ],
    ids=["tags", "blocks", "gadget", "acc"],
)
@pytest.mark.parametrize("wrong", ["a<think>", b"a"])
def test_a_text_is_not_a_delta(make: Callable[[], Any], wrong: object) -> None:
    with pytest.raises(TypeError, match=r"is not a delta: .*TextDelta\(text\)"):
        make()(wrong)


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


@pytest.mark.parametrize("wrong", [None, 7, {"text": "a"}])
async def test_a_provider_gives_an_iterable_of_chunks(wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"execute_stream returned .*: return an iterable of chunks, async or not"):
        await Adapter(map_chunk=TextDelta, execute_stream=lambda request: wrong).generate([])


@pytest.mark.parametrize(
    "delta",
    [
        *(TextDelta(NOT_TEXT), tags.ReasoningDelta(NOT_TEXT), CustomBlock("a", NOT_TEXT), tags.Finish(NOT_TEXT)),
        *(tags.ToolCallStart(NOT_TEXT, "add"), tags.ToolCallStart("1", NOT_TEXT), tags.ToolCall("1", NOT_TEXT, {})),
        *(tags.ToolCallDelta("1", NOT_TEXT), tags.ToolCallEnd(NOT_TEXT), tags.Finish(usage=NOT_TEXT["a"])),
    ],
    ids=str,
)
def test_the_fields_of_a_delta_have_the_types_that_they_declare(delta: object) -> None:
    with pytest.raises(TypeError, match=r"of .* is (not text|not a mapping): give a"):
        tags.Accumulator().push(delta)
