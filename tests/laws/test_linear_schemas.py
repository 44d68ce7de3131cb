"""Law 5 for the rules about schemas: an edit judges the call that it is in."""

from __future__ import annotations

import pytest

from laws.test_linear_told import Shape, middle, opened, steps
from llmblocks.gadget import Gadgets, read_gadgets
from llmblocks.gadget.editor import arguments as judging
from llmblocks.lsp.documents.text import AnalysedText
from llmblocks.lsp.wire.params import LspChange, LspRange
from llmblocks.settings.values import Settings

SCHEMA = (
    '{"name": "Do", "schema": {"properties": {"a": {"type": "string"}, "l": {"type": "array"}}, "required": ["b"]}}'
)
CHOSEN = Settings(gadgets=Gadgets(read_gadgets(SCHEMA).gadgets), max_diagnostics=20)
CALL = "!!!GADGET_START:Do:i#\n!!!ARG:a\nvalue\n!!!GADGET_END\n"
MANY = (
    Shape("calls in a message", "stf", "@ai\n", CALL),
    Shape("calls", "gadget", "", CALL),
    Shape("unknown gadgets in a message", "stf", "@ai\n", CALL.replace("Do", "Dont")),
    Shape("arguments of a call", "gadget", "!!!GADGET_START:Do\n", "!!!ARG:l/#\nvalue\n", "!!!GADGET_END\n"),
)
UNITS = 300


@pytest.mark.slow
@pytest.mark.parametrize("shape", MANY, ids=lambda shape: shape.name)
def test_opening_is_linear_with_schemas(shape: Shape) -> None:
    small, large = (steps(lambda units=units: opened(shape, units, CHOSEN)) for units in (UNITS, 4 * UNITS))  # type: ignore[misc]
    assert large <= 4.5 * small


@pytest.mark.parametrize("shape", MANY[:3], ids=lambda shape: shape.name)
def test_a_keystroke_judges_the_calls_around_it(shape: Shape) -> None:
    costs = []
    for units in (UNITS, 4 * UNITS):
        text = opened(shape, units, CHOSEN)
        line = middle(text, plain=True)["line"]

        def key(text: AnalysedText = text, line: int = line) -> None:
            text.apply(LspChange(LspRange(line, 1, line, 1), "y"))
            text.diagnostics()

        key()
        costs.append(steps(key))
    assert costs[1] - costs[0] <= 1.5 * 3 * UNITS


def test_a_keystroke_in_a_very_large_call_judges_nothing() -> None:
    units = judging.MOST_ARGUMENTS + 1
    shape = MANY[3]
    for count in (units - 1, units):
        codes = [each["code"] for each in opened(shape, count, CHOSEN).diagnostics()]
        assert ("G203" in codes) is (count < units)
