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
_WORD = re.compile(r"[\w$]+")
_QUOTES: Final = ("'", '"')
QUOTED_AHEAD: Final = re.compile(r"""[ \t]*+(?:'((?:[^'\\]|\\.)*+)'|"((?:[^"\\]|\\.)*+)")""")
"""A value in quotes after the caret, and its text."""
_TOKEN = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|//[^\n]*|/\*.*?\*/|[\w$]+|[{}\[\]:,]|['\"]", re.DOTALL)


def keys_at(text: str, after: str, roles: Sequence[str]) -> Iterator[Suggestion]:
    """Yield the possible next keys, or roles, after the text of a message in JSON5."""
    tokens = [found[0] for found in _TOKEN.finditer(text)]
    typed = tokens.pop() if tokens and _WORD.fullmatch(tokens[-1]) and text.endswith(tokens[-1]) else ""
    quote = tokens.pop() if tokens and tokens[-1] in _QUOTES else ""
    if any(each in tokens for each in _QUOTES):
        return  # in a string
    # each open bracket with its key, and the members of its object
    stack: list[tuple[str, str, dict[str, str]]] = []
    key = ""
    for before, token, behind in zip(["", *tokens], tokens, [*tokens[1:], ""], strict=False):
        if token in ("{", "["):
            stack.append((token, key, {}))
        elif token in ("}", "]") and stack:
            stack.pop()
        if token == ":" and stack:
            key = before.strip("'\"")
            stack[-1][2][key] = behind.strip("'\"")
        elif token in ("{", "[", ","):
            key = ""
    if not stack or stack[-1][0] != "{":
        return
    given, size = stack[-1][2], len(typed) + len(quote)
    rest = _WORD.match(after)
    over = rest.end() if rest else 0
    over += len(quote) if quote and after.startswith(quote, over) else 0
    owner = next((each for _, each, _ in reversed(stack) if each), "")
    if tokens[-1] == ":":
        sign = quote or '"'
        there = None if quote or typed else QUOTED_AHEAD.match(after)
        over = there.end() if there else over
        values = roles if key == "role" and len(stack) == 1 else ()
        if key == "type" and KEYS.get(owner) is _PART:
            values = _TYPES
        for value in values:
            yield Suggestion(f"{sign}{value}{sign}", size, f"A {key}", "value", over=over, label=value)
    elif tokens[-1] in ("{", ","):
        # if the value exists, only the key is replaced
        colon = "" if after[over:].lstrip(" \t").startswith(":") else ": "
        role = stack[0][2].get("role", "")
        for name, detail in KEYS.get(owner, {}).items():
            is_other = role in roles and not owner and _OF_ROLE.get(name, role) != role
            if name not in given and not is_other:
                made, goes_on = f"{quote}{name}{quote}{colon}", name in ("role", "type")
                yield Suggestion(made, size, detail, "key", over=over, label=name, goes_on=goes_on)
