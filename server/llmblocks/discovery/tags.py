"""The tags that TypeScript and JavaScript register."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from llmblocks.code.grammar import script_of
from llmblocks.code.script import MOST_BYTES, Script
from llmblocks.tags.syntax import is_name

if TYPE_CHECKING:
    from tree_sitter import Node

SIGNS: Final = ("customBlock", "StreamTagParser")
"""A file that registers tags contains one of these."""
_BLOCKS: Final = "customBlocks"
_TRANSFORM: Final = "customBlockTransform"
_PARSER: Final = "StreamTagParser"
_MEMBERS: Final = ("pair", "shorthand_property_identifier")


class FoundTag(NamedTuple):
    """A registered tag."""

    name: str
    description: str
    start: int
    """The start of its name in the code."""
    end: int
    line: int
    """Counts from 0."""


def tags_in_code(text: str, file: str) -> Iterator[FoundTag]:
    """Yield the tags that a file registers, each once.

    They are under `customBlocks`, in `customBlockTransform(…)`, or `tags` of a `StreamTagParser`.

    Raises:
        ValueError: The grammars are not installed.

    Source: agentick, "Custom Blocks".
    """
    language_id = script_of(file)
    if language_id is None or len(text) > MOST_BYTES or not any(sign in text for sign in SIGNS):
        return
    script = Script(text, language_id)
    seen: set[str] = set()
    for definitions in _definitions(script):
        for each in script.members(definitions):
            tag = script.member(each.value, "tag")
            name = each.name if tag is None else script.string(tag)
            if name is None or name in seen or not is_name(name):
                continue
            seen.add(name)
            words = [script.string(script.member(each.value, key)) for key in ("description", "instructions")]
            yield FoundTag(name, " ".join(filter(None, words)), each.start, each.end, each.line)


def _definitions(script: Script) -> Iterator[Node]:
    """Yield the objects whose members are tags."""
    for kind in _MEMBERS:
        for each in script.nodes(kind):
            key = each.child_by_field_name("key") if kind == "pair" else each
            value = each.child_by_field_name("value") if kind == "pair" else each
            if key is not None and value is not None and script.text(key).strip("\"'") == _BLOCKS:
                yield value
    for call in script.nodes("call_expression"):
        function = call.child_by_field_name("function")
        if function is not None and script.text(function).rpartition(".")[2] == _TRANSFORM:
            yield from script.arguments(call)[:1]
    for call in script.nodes("new_expression"):
        maker = call.child_by_field_name("constructor")
        if maker is not None and script.text(maker).rpartition(".")[2] == _PARSER:
            found = [script.member(each, "tags") for each in script.arguments(call)[:1]]
            yield from filter(None, found)
