"""Law 5 for what a client is reported: linear work, counted in lines of Python that are run, not in seconds."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from types import FrameType
from typing import Any, NamedTuple

import pytest

from llmblocks.lsp.answers.ask import Asker
from llmblocks.lsp.answers.table import TABLE
from llmblocks.lsp.documents.text import AnalysedText, Languages
from llmblocks.lsp.wire.params import LspChange, LspRange
from llmblocks.settings.values import DEFAULTS, Settings

FEATURES = {feature.method.removeprefix("textDocument/"): feature for feature in TABLE}
UNITS = 300


class Shape(NamedTuple):
    """A text of which everything is in one section, or on one line."""

    name: str
    language_id: str
    before: str
    unit: str
    """Its number in place of `#`."""
    after: str = ""

    def text(self, units: int) -> str:
        return self.before + "".join(self.unit.replace("#", str(number)) for number in range(units)) + self.after


SHAPES = (
    Shape("calls in a message", "stf", "@ai\n", "!!!GADGET_START:Do:i#\n!!!ARG:a\n#\n!!!GADGET_END\n"),
    Shape("blocks in a message", "stf", "@ai\n", "text\n<think a='#'>\nx\n</think>\n"),
    Shape("arguments of a call", "gadget", "!!!GADGET_START:Do\n", "!!!ARG:a#\nvalue\n", "!!!GADGET_END\n"),
    Shape("items of a call", "gadget", "!!!GADGET_START:Do\n", "!!!ARG:a/#\nvalue\n", "!!!GADGET_END\n"),
    Shape("duplicates in a call", "gadget", "!!!GADGET_START:Do\n", "!!!ARG:a\nvalue\n", "!!!GADGET_END\n"),
    Shape("stray comment ends", "stf", "@user\n", "@*/\ntext\n"),
    Shape("nested comments", "stf", "@user\n", "@/*\ntext\n"),
    Shape("lines of a call in a chat", "stf", "@ai\n@call name=x\n{}\n", "@call name=a#\n{}\n"),
    Shape("stray ends", "stf", "@user\n", "@end\ntext\n"),
    Shape("blocks in a chat", "stf", ";ai\n", ";meta\n{a: #,}\n;end\ntext\n"),
    Shape("comment lines", "stf", "@user\n", "@# text\n"),
    Shape("lines of an open call", "gadget", "!!!GADGET_START:Do\n!!!ARG:a\n", "some text\n"),
    Shape("arguments of an open call", "stf", "@ai\n!!!GADGET_START:Do\n", "!!!ARG:a#\nvalue\n"),
    Shape("lines of a value", "stf", "@ai\n!!!GADGET_START:Do\n!!!ARG:a\n", "some text\n", "!!!GADGET_END\n"),
)
LINES = (
    Shape("prose", "gadget", "", "some words \U0001f600 "),
    Shape(
        "prose in a value", "gadget", "!!!GADGET_START:Do\n!!!ARG:a\n", "some words \U0001f600 ", "end\n!!!GADGET_END\n"
    ),
    Shape("prose in a message", "stf", "@user\n", "some words \U0001f600 ", "\n@ai\nx\n"),
    Shape("blocks", "custom-blocks", "", "<think>a \U0001f600</think>"),
    Shape("signs in prose", "custom-blocks", "", "a <think>a</think> !!! <b> b "),
)
"""Texts that are one line, or nearly."""
LINE = Shape("one line", "gadget", "", "x <think>a</think> \U0001f600")
every_shape = pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)


@pytest.fixture(autouse=True)
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("llmblocks.features.hover"), "_MOST", 256)
    monkeypatch.setattr(import_module("llmblocks.features.outline"), "_AHEAD", 32)


def steps(action: Callable[[], object]) -> int:
    """Count the lines of our Python that an action runs; each round of a loop counts."""
    count = 0

    def counted(_: FrameType, event: str, __: Any) -> None:
        nonlocal count
        if event == "line":
            count += 1

    def called(frame: FrameType, _: str, __: Any) -> Any:
        return counted if "llmblocks" in frame.f_code.co_filename else None

    before = sys.gettrace()
    sys.settrace(called)
    try:
        action()
    finally:
        sys.settrace(before)
    return count


def opened(shape: Shape, units: int, settings: Settings = DEFAULTS) -> AnalysedText:
    text = Languages(settings).open(shape.text(units), shape.language_id, "file:///a", "utf-16")
    assert text is not None
    text.diagnostics()
    return text


def ask(text: AnalysedText, method: str, **params: object) -> object:
    return FEATURES[method].reply(Asker(text, params))


def middle(text: AnalysedText, *, plain: bool) -> dict[str, int]:
    """A place on the first line after the middle that begins with a marker, or that does not, if there is one."""
    document = text.document
    lines = range(document.sections.newlines // 2, document.sections.newlines)
    starts = {line: document.line_start(line) for line in lines[:100]}
    fit = (line for line, at in starts.items() if (document.slice(at, at + 1) not in "!@") is plain)
    return {"line": next(fit, lines.start), "character": 1}


ANSWERS = (
    ("foldingRange", None),
    ("documentSymbol", None),
    ("semanticTokens/full", None),
    ("hover", False),
    ("completion", True),
    ("signatureHelp", True),
)
"""Methods, and on what line they ask: on one with a marker, or on a plain one."""


@pytest.mark.slow
@pytest.mark.parametrize(("method", "plain"), ANSWERS)
@every_shape
def test_an_answer_is_linear_inside_one_section(shape: Shape, method: str, plain: bool | None) -> None:
    costs = []
    for units in (UNITS, 4 * UNITS):
        text = opened(shape, units)
        asked = {} if plain is None else {"position": middle(text, plain=plain)}
        costs.append(steps(lambda text=text, asked=asked: ask(text, method, **asked)))  # type: ignore[misc]
    assert costs[1] <= 4.5 * costs[0] + 100


@pytest.mark.parametrize(
    "shape",
    [*SHAPES[:3], LINE, *(pytest.param(shape, marks=pytest.mark.slow) for shape in SHAPES[3:])],
    ids=lambda shape: shape.name,
)
def test_opening_is_linear_inside_one_section_and_on_one_line(shape: Shape) -> None:
    small, large = steps(lambda: opened(shape, UNITS)), steps(lambda: opened(shape, 4 * UNITS))
    assert large <= 4.5 * small


@pytest.mark.slow
@every_shape
def test_a_tree_of_symbols_is_linear_inside_one_section(shape: Shape) -> None:
    def symbols(text: AnalysedText) -> None:
        FEATURES["documentSymbol"].reply(Asker(text, {}))

    costs = []
    for units in (UNITS, 4 * UNITS):
        text = opened(shape, units)
        costs.append(steps(lambda text=text: symbols(text)))  # type: ignore[misc]
    assert costs[1] <= 4.5 * costs[0] + 100


EQUAL = Shape("equal ids", "stf", "", "@user id=i#\nword\n@ai id=i#\n<think>\n")


@every_shape
def test_a_keystroke_is_linear_in_its_section(shape: Shape) -> None:
    costs = []
    for units in (UNITS, 4 * UNITS):
        text = opened(shape, units, Settings(max_diagnostics=20))
        key = pressed(text, middle(text, plain=True)["line"])
        costs.append(steps(key))
    assert costs[1] <= 4.5 * costs[0] + 100


CALLS = "!!!GADGET_START:Do:i#\n!!!ARG:a\nvalue\n!!!ARG:a\nvalue\n!!!GADGET_END\n"
MANY = (
    Shape("calls", "gadget", "", CALLS),
    Shape("messages", "stf", "", "@user id=a#\nword\n@ai\n<think>x</think>\n" + CALLS),
    Shape("blocks", "custom-blocks", "", "<think a=1 a=2>\nx\n</think>\n"),
)
"""Texts of many sections."""


@pytest.mark.parametrize("shape", MANY, ids=lambda shape: shape.name)
def test_a_keystroke_costs_its_section_however_many_there_are(shape: Shape) -> None:
    keys, deltas = [], []
    for units in (UNITS, 4 * UNITS):
        text = opened(shape, units, Settings(max_diagnostics=20))
        key = pressed(text, middle(text, plain=True)["line"])
        ask(text, "semanticTokens/full")
        ask(text, "semanticTokens/full")
        keys.append(steps(key))
        deltas.append(steps(lambda text=text: ask(text, "semanticTokens/full/delta", previousResultId="2")))  # type: ignore[misc]
    # each block of sections takes some steps
    assert keys[1] - keys[0] <= 0.5 * 3 * UNITS
    assert deltas[1] - deltas[0] <= 0.5 * 3 * UNITS


def pressed(text: AnalysedText, line: int, column: int = 1, new: str = "y") -> Callable[[], None]:
    """Return a key, which was pressed once before."""

    def key() -> None:
        text.apply(LspChange(LspRange(line, column, line, column), new))
        text.diagnostics()

    key()
    return key


@pytest.mark.parametrize(
    ("start", "old", "new"), [("word", 0, "\n"), ("@ai", 4, "x"), ("word", 0, "</think>")], ids=["Enter", "id", "new"]
)
def test_an_edit_among_equal_ids_tells_what_a_fresh_look_tells(start: str, old: int, new: str) -> None:
    text = opened(EQUAL, UNITS)
    lines = text.document.text.split("\n")
    line = next(line for line in range(len(lines) // 2, len(lines)) if lines[line].startswith(start))
    for _ in range(2):
        text.apply(LspChange(LspRange(line, old, line, old), new))
        assert text.diagnostics() == reanalysed(text, EQUAL).diagnostics()


def reanalysed(text: AnalysedText, shape: Shape, settings: Settings = DEFAULTS) -> AnalysedText:
    fresh = Languages(settings).open(text.document.text, shape.language_id, "file:///a", "utf-16")
    assert fresh is not None
    return fresh


@pytest.mark.parametrize("new", ["x", "\n"])
def test_an_edit_among_equal_ids_costs_what_is_shown(new: str) -> None:
    costs = []
    for units in (UNITS, 4 * UNITS):
        text = opened(EQUAL, units, Settings(max_diagnostics=20))
        costs.append(steps(pressed(text, 0, 9, new)))
    # each block of sections takes a step
    assert costs[1] - costs[0] <= 0.2 * 3 * UNITS


@pytest.mark.parametrize("shape", LINES, ids=lambda shape: shape.name)
def test_a_keystroke_and_a_hover_are_linear_in_a_long_line(shape: Shape) -> None:
    costs = []
    for units in (4 * UNITS, 16 * UNITS):
        text = opened(shape, units)
        line, character = text.position(len(shape.before) + len(shape.unit) * units // 2)
        position = {"line": line, "character": character}
        key = pressed(text, line, character)
        costs.append([steps(key), steps(lambda text=text, position=position: ask(text, "hover", position=position))])  # type: ignore[misc]
    for short, long in zip(*costs, strict=True):
        assert long <= 4.5 * short + 100


def test_links_after_a_keystroke_are_looked_for_where_it_was_and_where_there_are_some() -> None:
    shape = Shape("messages", "stf", "@user\n@embed a.txt\n", "@user\nword\n@ai\n<think>x</think>\n")
    costs = []
    for units in (UNITS, 4 * UNITS):
        text = opened(shape, units)
        ask(text, "documentLink")
        line = text.document.sections.newlines // 4 * 2 + 1
        text.apply(LspChange(LspRange(line, 0, line, 0), "y"))
        costs.append(steps(lambda text=text: ask(text, "documentLink")))  # type: ignore[misc]
    # the answer holds all links: it is put together of those of each block of sections
    assert costs[1] - costs[0] <= 0.6 * 3 * UNITS


@pytest.mark.parametrize("method", ["hover", "completion", "signatureHelp"])
@pytest.mark.parametrize("shape", MANY, ids=lambda shape: shape.name)
def test_an_answer_at_the_cursor_costs_the_same_however_many_sections_there_are(shape: Shape, method: str) -> None:
    # once a process: modules are imported
    ask(opened(shape, 1), method, position={"line": 0, "character": 1})
    costs = []
    for units in (UNITS, 4 * UNITS):
        text = opened(shape, units, Settings(max_diagnostics=20))
        places = [middle(text, plain=plain) for plain in (True, False)]
        pressed(text, places[0]["line"])
        costs.append(steps(lambda text=text, places=places: [ask(text, method, position=each) for each in places]))  # type: ignore[misc]
    assert costs[1] - costs[0] <= 0.3 * 3 * UNITS
