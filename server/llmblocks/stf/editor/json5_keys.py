"""The keys and roles of a message in JSON5."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from llmblocks.contract.caret import Suggestion
from llmblocks.stf.syntax.dialect import EMBED_TYPES

_PART: Final = {
    "type": "`text`, `image`, `audio` or `file`.",
    "text": "The text of the part.",
    "url": "The path or URL of the resource.",
    "mime": "The media type of the resource.",
    "data": "The resource itself, in base64.",
}
KEYS: Final[Mapping[str, Mapping[str, str]]] = {
    "": {
        "role": "The role of the message, which is required.",
        "content": "The text of the message, or a list of its parts, which is required.",
        "name": "The name of the author.",
        "id": "The id of the message.",
        "call_id": "The id of the call that the message answers.",
        "tool_calls": "The calls of tools: a list of objects with `name` and `arguments`.",
        "reasoning": "The reasoning of the model, as content.",
        "refusal": "The refusal of the model, as content.",
        "extra": "Anything else that belongs to the message.",
    },
    "tool_calls": {
        "name": "The name of the tool, which is required.",
        "arguments": "The arguments: the text of a JSON object, which is required.",
        "id": "The id of the call.",
        "call_id": "The id of the call at the model's provider.",
    },
    "content": _PART,
    "reasoning": _PART,
    "refusal": _PART,
}
_OF_ROLE: Final = {"call_id": "tool", "tool_calls": "assistant", "reasoning": "assistant", "refusal": "assistant"}
"""The keys for messages of one role."""
_TYPES: Final = ("text", *EMBED_TYPES)
_REST = re.compile(r"[\w$]*")
QUOTED_AHEAD: Final = re.compile(r"""[ \t]*+(?:'((?:[^'\\]|\\.)*+)'|"((?:[^"\\]|\\.)*+)")""")
"""A value in quotes after the caret, and its text."""
_TOKEN = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|//[^\n]*|/\*.*?\*/|[\w$]+|[{}\[\]:,]|['\"]", re.DOTALL)


def keys_at(text: str, after: str, roles: list[str]) -> Iterator[Suggestion]:
    """Yield the possible next keys, or roles, after the text of a message in JSON5."""
    partial = re.search(r"[\w$]*\Z", text)
    typed = partial[0] if partial else ""
    tokens = [found[0] for found in _TOKEN.finditer(text, 0, len(text) - len(typed))]
    quote = ""
    if tokens and tokens[-1] in ("'", '"'):
        quote = tokens.pop()
    if "'" in tokens or '"' in tokens:
        return  # in a string
    stack: list[tuple[str, str, set[str]]] = []
    key = role = ""
    for number, token in enumerate(tokens):
        if token in ("{", "["):
            stack.append((token, key, set()))
            key = ""
        elif token in ("}", "]") and stack:
            stack.pop()
        elif token == ":" and number and stack:
            key = tokens[number - 1].strip("'\"")
            stack[-1][2].add(key)
            if key == "role" and len(stack) == 1:
                role = "".join(tokens[number + 1 : number + 2]).strip("'\"")
        elif token == ",":
            key = ""
    if not stack or stack[-1][0] != "{":
        return
    rest = _REST.match(after)
    over = rest.end() if rest else 0
    over += len(quote) if quote and after.startswith(quote, over) else 0
    owner = next((each for _, each, _ in reversed(stack) if each), "")
    if tokens[-1] == ":":
        sign = quote or '"'
        there = None if quote or typed else QUOTED_AHEAD.match(after)
        over = there.end() if there else over
        values: Sequence[str] = roles if key == "role" and len(stack) == 1 else ()
        if key == "type" and KEYS.get(owner) is _PART:
            values = _TYPES
        for value in values:
            text = f"{sign}{value}{sign}"
            yield Suggestion(text, len(typed) + len(quote), f"A {key}", "value", over=over, label=value)
    elif tokens[-1] in ("{", ","):
        # if the value exists, only the key is replaced
        colon = "" if after[over:].lstrip(" \t").startswith(":") else ": "
        for name, detail in KEYS.get(owner, {}).items():
            is_other = role in roles and not owner and _OF_ROLE.get(name, role) != role
            if name not in stack[-1][2] and not is_other:
                made = f"{quote}{name}{quote}{colon}"
                yield Suggestion(
                    made,
                    len(typed) + len(quote),
                    detail,
                    "key",
                    over=over,
                    label=name,
                    goes_on=name in ("role", "type"),
                )
