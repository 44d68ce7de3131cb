"""The stream of completions beside the response parser of transformers."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from environments import GROUPS, Peer, environment
from examples import LAWS
from laws.completions import GOOD, completion
from llmblocks.completions.message import parse
from llmblocks.completions.shipped import find_template, template_names
from llmblocks.completions.stream import CompletionStream, Event, RegionClosed, RegionMalformed
from llmblocks.completions.template import Template

SIZES = (0, 1, 4, 7)
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "get",
            "parameters": {
                "type": "object",
                "properties": {
                    "city": {"type": "string"},
                    "n": {"type": ["integer", "null"]},
                    "b": {"anyOf": [{"type": "boolean"}, {"type": "array"}]},
                },
            },
        },
    }
]
DOCUMENTED: dict[str, dict[str, Any]] = {
    "no region has a close": {"fields": {"thinking": {"open": "<think>"}, "content": {}}},
    "kinds": {
        "fields": {
            "a": {"open": "<think>", "close": "</think>", "content": "int"},
            "b": {"open": "<tool_call>", "close": "</tool_call>", "content": "float", "repeats": True},
            "content": {"close": "<|im_end|>", "content": "kv-lines"},
        }
    },
    "lines": {
        "fields": {
            "a": {"open": ["<think>", "<think>\n"], "close_pattern": r"\n?</think>"},
            "b": {
                "open": "<tool_call>",
                "close": "</tool_call>",
                "content": "kv-lines",
                "content_args": {"line_sep": ",", "value_parser": {"name": "json", "args": {"allow_non_json": True}}},
            },
            "content": {"repeats": True, "join": "|"},
        }
    },
    "starts inside": {
        "fields": {
            "thinking": {"open_pattern": r"(?:^|<think>\s*)", "close": "</think>"},
            "tool_calls": {"open": "<tool_call>", "close": "</tool_call>", "content": "bool", "optional": False},
        }
    },
}
"""Templates with the keys that those of the package do not have, for the texts of `hermes`."""


@pytest.fixture(scope="module")
def transformers() -> Peer:
    return Peer(environment("transformers", GROUPS["transformers"]), "transformers_run.py")


def read(
    template: Template, prefix: str, text: str, size: int, tools: list[Any]
) -> tuple[CompletionStream, list[Event]]:
    stream = CompletionStream(template, prefix, tools)
    events = [*stream.initial_events]
    step = size or len(text) or 1
    for at in range(0, len(text), step):
        events += stream.feed(text[at : at + step])
    return stream, [*events, *stream.close()]


def agree(transformers: Peer, template: Template, text: str, prefix: str, tools: list[Any]) -> int:
    """Check one text. Returns how many chunk sizes change what transformers makes of it."""
    whole, *others = transformers.ask(template=template.value, prefix=prefix, text=text, sizes=SIZES, tools=tools)
    for size in SIZES:
        stream, events = read(template, prefix, text, size, tools)
        malformed = [event for event in events if isinstance(event, RegionMalformed)]
        if "error" in whole:
            assert malformed or stream.missing, (whole["error"], text, prefix)
            for event in malformed:
                assert 0 <= event.reason.start < max(event.reason.end, 1) <= max(len(event.text), 1)
            for event in malformed if not prefix and not size else ():
                found = parse(text, template).findings
                assert any(
                    (each.start <= event.end and event.start <= each.end) or each.code == "M001" for each in found
                ), (text, event, found)
        else:
            closed = [[event.field, event.value] for event in events if isinstance(event, RegionClosed)]
            assert not malformed, (text, prefix)
            assert json.dumps(stream.message, sort_keys=True) == json.dumps(whole["message"], sort_keys=True), text
            assert closed == whole["closed"], (text, prefix)
    return sum(other != whole for other in others)


@pytest.mark.slow
@pytest.mark.parametrize("name", template_names())
def test_a_completion_has_the_values_that_transformers_gives(name: str, transformers: Peer) -> None:
    random, template = Random(name), find_template(name).template
    differ = 0
    for text in (*GOOD[name], *[completion(name, random) for _ in range(LAWS)]):
        prefix = random.choice(("", "", "x<think>\n", text[: random.randrange(9)]))
        differ += agree(transformers, template, text, prefix, random.choice(([], TOOLS)))
    # transformers takes a delimiter with an optional end before that end has arrived
    assert not differ or name == "deepseek-v3.2"


@pytest.mark.slow
@pytest.mark.parametrize("name", DOCUMENTED)
def test_any_template_gives_the_values_that_transformers_gives(name: str, transformers: Peer) -> None:
    random, template = Random(name), Template({"start_anchor": "x", **DOCUMENTED[name]})
    for _ in range(LAWS):
        text = completion(random.choice(("hermes", "think")), random)
        text = (
            text.replace('{"name"', random.choice(("1", " 2.5 ", "true", "a: 1\nb", "a: {}, b:")))
            if name != "lines"
            else text
        )
        agree(transformers, template, text, random.choice(("", text[: random.randrange(9)])), [])
