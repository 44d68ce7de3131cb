"""Completions for each template of the package, and the pieces that they are made of."""

from __future__ import annotations

import re
from random import Random

_CALL = '{"name": "get", "arguments": {"city": "Paris", "n": 3}}'
GOOD: dict[str, tuple[str, ...]] = {
    "cohere": (
        "<|START_THINKING|>I look.<|END_THINKING|><|START_ACTION|>[\n"
        ' {"tool_call_id": "0", "tool_name": "get", "parameters": {"city": "Paris"}}\n'
        "]<|END_ACTION|><|END_OF_TURN_TOKEN|>",
        "<|START_RESPONSE|>Hi<|END_RESPONSE|><|END_OF_TURN_TOKEN|>",
    ),
    "deepseek-v3.2": (
        "<think>I look.</think>Hi\n\n<｜DSML｜function_calls>\n"
        '<｜DSML｜invoke name="get">\n'
        '<｜DSML｜parameter name="city" string="true">Paris</｜DSML｜parameter>\n'
        '<｜DSML｜parameter name="n" string="false">5</｜DSML｜parameter>\n'
        "</｜DSML｜invoke>\n</｜DSML｜function_calls><｜end▁of▁sentence｜>",
    ),
    "gemma": (
        '<|channel>thought\nI look.<channel|>Hi<|tool_call>call:get{city:<|"|>Par, is:<|"|>,n:3,b:true}<tool_call|>'
        "<|tool_response>",
    ),
    "gpt-oss": (
        "<|channel|>analysis<|message|>I look.<|end|><|start|>assistant"
        '<|channel|>commentary to=functions.get <|constrain|>json<|message|>{"city": "Paris"}<|call|>',
        '<|start|>assistant to=functions.get<|channel|>commentary json<|message|>{"n": 1}<|call|>',
        "<|channel|>final<|message|>Hi<|return|>",
    ),
    "hermes": (f"<think>\nI look.\n</think>\n\nHi\n<tool_call>\n{_CALL}\n</tool_call><|im_end|>",),
    "llama3": (
        '{"name": "get", "parameters": {"city": "Paris"}}<|eom_id|>',
        'Hi<|python_tag|>{"name": "get", "parameters": {"city": "Paris"}}<|eom_id|>',
    ),
    "mistral": ('Hi[TOOL_CALLS][{"name": "get", "arguments": {"city": "Paris"}}, {"name": "b", "arguments": {}}]</s>',),
    "mistral-v11": (
        '[THINK]I look.[/THINK]Hi[TOOL_CALLS]get[ARGS]{"city": "Paris"}[TOOL_CALLS]b[CALL_ID]ab12[ARGS]{}</s>',
    ),
    "qwen3-coder": (
        "<think>I look.</think>\n<tool_call>\n<function=get>\n<parameter=city>\nParis\n</parameter>\n"
        "<parameter=n>\n3\n</parameter>\n</function>\n</tool_call>\n<|im_end|>",
    ),
    "smollm": (f"<think>\nI look.\n</think>\n\nHi\n<tool_call>{_CALL}</tool_call>\n<|im_end|>",),
    "think": ("<think>\nI look.\n</think>\n\nHi<|im_end|>",),
}
_PIECE = re.compile(r"(<[^<>\n]*>|\[[A-Z_/]+\]|\n|\")")
NOISE = tuple('<>"{}[],:\\ \né😀')


def pieces_of(name: str) -> tuple[str, ...]:
    """Return the delimiters and texts of a template's completions, and the beginnings of some."""
    pieces = dict.fromkeys(piece for text in GOOD[name] for piece in _PIECE.split(text) if piece)
    halves = [piece[: len(piece) // 2] for piece in pieces if piece[0] in "<["]
    return (*pieces, *halves, *GOOD[name])


def completion(name: str, random: Random) -> str:
    """Return a completion, mutated or cut."""
    pieces = pieces_of(name)
    text = "".join(random.choice(GOOD[name]) for _ in range(random.choice((1, 1, 2))))
    for _ in range(random.choice((0, 0, 1, 1, 2, 4))):
        at, other = sorted((random.randrange(len(text) + 1), random.randrange(len(text) + 1)))
        match random.randrange(6):
            case 0:
                text = text[:at]
            case 1:
                text = text[:at] + text[at + random.randrange(8) :]
            case 2:
                text = text[:at] + random.choice(pieces) + text[at:]
            case 3:
                text = text[:at] + random.choice(NOISE) + text[at:]
            case 4:
                text = text[:other] + text[at:]
            case _:
                text = "".join(random.choice(pieces) for _ in range(random.randrange(20)))
    return text
