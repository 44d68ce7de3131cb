"""The description of custom blocks in the system prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from llmblocks.tags.misuse import shown
from llmblocks.tags.pipeline.blocks import BlockDefinition, by_tag

_OPENING = "You can use the following XML tags in your output:"


def prompt_text(definitions: Mapping[str, BlockDefinition]) -> str | None:
    """List the blocks that have a description or instructions, or None.

    Raises:
        ValueError: `CustomBlocks` rejects the definitions.

    Source: the custom blocks document, "Model Instructions".
    """
    entries = [
        f"- <{tag}>: " + "\n  ".join(texts)
        for tag, (_, definition) in by_tag(definitions).items()
        if (texts := [text for text in (definition.description, definition.instructions) if text])
    ]
    return "\n".join([_OPENING, *entries]) if entries else None


def with_prompt(messages: Sequence[Mapping[str, Any]], text: str | None) -> list[Mapping[str, Any]]:
    """Append a text to the last system message, or insert a first one.

    A list as content gets another text block, a string gets the text after a blank line. The given messages are not
    changed. A text that a system message already contains is not added again.

    Args:
        messages: Mappings with `role` and `content`.
        text: The text.

    Raises:
        ValueError: The argument is not a list of mappings.
    """
    if not isinstance(messages, Sequence) or isinstance(messages, str):
        raise ValueError(f"with_prompt takes a list of messages, not {shown(messages)}")
    for message in messages:
        if not isinstance(message, Mapping):
            raise ValueError(f"{shown(message)} is not a message: give a mapping with role and content")
    found = list(messages)
    if text is None:
        return found
    system = [index for index, message in enumerate(found) if message.get("role") == "system"]
    if any(_holds(found[index].get("content"), text) for index in system):
        return found
    if not system:
        return [{"role": "system", "content": [{"type": "text", "text": text}]}, *found]
    last = dict(found[system[-1]])
    content = last.get("content")
    if isinstance(content, str):
        last["content"] = f"{content}\n\n{text}" if content else text
    else:
        last["content"] = [*(content or ()), {"type": "text", "text": text}]
    found[system[-1]] = last
    return found


def _holds(content: object, text: str) -> bool:
    if isinstance(content, str):
        return text in content
    if isinstance(content, Sequence):
        return any(_text_of(part) == text for part in content)
    return False


def _text_of(part: object) -> object:
    return part.get("text") if isinstance(part, Mapping) else getattr(part, "text", part)
