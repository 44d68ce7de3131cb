"""A long line costs the TextMate grammars in proportion to its length. Steps are counted: no clock decides."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from editors.grammars.textmate import node

# Shorter texts are searched in another way, whose cost has a bound. A number of pieces that 12 divides: quotes are
# closed in each of the lengths, or in none.
LENGTH, PIECES_AT_ONCE = 1100, 12

# where a long line stands: behind other lines, and after its own beginning
JSON5 = ("", '"', "'", "/*", "// ")
STF = (
    "", "@user ", "@user {", "@user a='", ";user ", "@# ", "@user\n", "@call\n", "@call {", "@embed\n", "@raw\n",
    ";meta\n", "@/*\n", "@user\n!!!GADGET_START:a\n!!!ARG:a\n",
)  # fmt: skip
GADGET = (
    "", "!!!GADGET_START:", "!!!GADGET_START:a:b:", "!!!GADGET_START:a\n", "!!!GADGET_START:a\n!!!ARG:",
    "!!!GADGET_START:a\n!!!ARG:a\n", "!!!GADGET_START:a\n!!!ARG:a\n```", "!!!GADGET_START:a\n!!!ARG:filePath\n",
    "!!!GADGET_START:a\n!!!ARG:path\nb.json5\n!!!ARG:content\n", "```",
)  # fmt: skip
TAGS = ("", "<a ", '<a b="', "<a\n", "</")
COMPLETION = ("", "<tool_call>", '<tool_call>{"', "<think>", "<|channel|>analysis to=functions.")
SCRIPT = ("// llmblocks: gadget\n", "// llmblocks: stf\na = `b\n", '/* gadget */ "')
PYTHON = ("# llmblocks: gadget\n", '# llmblocks: stf\n"""', "# llmblocks: gadget\n'''b\n")
JSONL = ('{"a": "!!!GADGET_START:',)
PLACES = {
    "source.json5.llmblocks": JSON5, "source.stf": STF, "source.gadget": GADGET, "source.custom-blocks": TAGS,
    "source.completion": COMPLETION,
    # without the grammar that they are injected into, which is not ours
    "script.llmblocks": SCRIPT, "python.llmblocks": PYTHON, "jsonl.llmblocks": JSONL,
}  # fmt: skip

# what the line is full of
PIECES = (
    '\\"', "\\'", '"', "'", '"a":', '"a\\"b":', "a='b' ", 'aa="', "{", "[1, ", "1", "1.", "0x1 ", "-", " ", "a ", "a:",
    "//", "/*", "/*/", "*/", "@", "<a ", '<a b="', "<a b ", "<a '\"", "</a>", "!!!", "!!!ARG:", "!!!GADGET_END", "```",
    "a/", ".ts ", "\\u0041", "é", "<tool_call", "<|message|>", "<｜DSML｜invoke name=",
)  # fmt: skip
# what it ends in: something that makes a rule take back what it has read
ENDS = ("a", "!", '"')


def lines() -> Iterator[tuple[str, str, str, str]]:
    """Yield every place, with every piece. The ends take turns."""
    for scope, places in PLACES.items():
        for at, place in enumerate(places):
            for number, piece in enumerate(PIECES):
                yield scope, place, piece, ENDS[(at + number) % len(ENDS)]
    # each letter of an invalid number was read once for each letter before it
    yield from (("source.json5.llmblocks", "", piece, "a") for piece in ("1", "1.", "1e5", "0x"))


@pytest.mark.usefixtures("modules")
def test_a_line_of_twice_the_length_costs_twice_as_much() -> None:
    asked = list(lines())
    request = []
    for scope, place, piece, end in asked:
        *before, start = place.split("\n")
        count = PIECES_AT_ONCE * (1 + LENGTH // PIECES_AT_ONCE // len(piece))
        texts = [start + piece * (times * count) + end for times in (1, 2, 4)]
        request.append({"scope": scope, "before": before, "lines": texts})
    found: list[list[int]] = json.loads(node("steps.mjs", stdin=json.dumps(request)))
    for line, costs in zip(asked, found, strict=False):
        assert costs, f"{line} costs so much that it was given up"
        once, twice, four_times = costs
        assert four_times - twice < 2.2 * (twice - once), f"{line} costs {costs}"
    assert len(found) == len(asked)
