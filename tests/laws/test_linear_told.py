"""Law 5 for what a client is reported: linear work, counted in lines of Python that are run, not in seconds."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from types import FrameType
from typing import Any, NamedTuple

import pytest

from llmblocks.gadget import Gadgets, read_gadgets
from llmblocks.gadget.editor.arguments import MOST_ARGUMENTS
from llmblocks.lsp.answers.ask import Asker
from llmblocks.lsp.answers.table import TABLE
from llmblocks.lsp.documents.text import AnalysedText, Languages
from llmblocks.lsp.wire.params import LspChange, LspRange
from llmblocks.settings.values import DEFAULTS, Settings

FEATURES = {feature.method.removeprefix("textDocument/"): feature for feature in TABLE}
UNITS = 150
FEW = Settings(max_diagnostics=20)


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


CALL = "!!!GADGET_START:Do:i#\n!!!ARG:a\nvalue\n!!!GADGET_END\n"
SHAPES = (
    Shape("calls in a message", "stf", "@ai\n", "!!!GADGET_START:Do:i#\n!!!ARG:a\n#\n!!!GADGET_END\n"),
    Shape("blocks in a message", "stf", "@ai\n", "text\n<think a='#'>\nx\n</think>\n"),
    Shape("arguments of a call", "gadget", "!!!GADGET_START:Do\n", "!!!ARG:a#\nvalue\n", "!!!GADGET_END\n"),
    Shape("items of a call", "gadget", "!!!GADGET_START:Do\n", "!!!ARG:a/#\nvalue\n", "!!!GADGET_END\n"),
    Shape("duplicates in a call", "gadget", "!!!GADGET_START:Do\n", "!!!ARG:a\nvalue\n", "!!!GADGET_END\n"),
    Shape("names in a header", "gadget", "!!!GADGET_START:Do:i:", "u#,", "\n!!!ARG:a\nvalue\n!!!GADGET_END\n"),
    Shape("stray comment ends", "stf", "@user\n", "@*/\ntext\n"),
    Shape("nested comments", "stf", "@user\n", "@/*\ntext\n"),
    Shape("lines of a call in a chat", "stf", "@ai\n@call name=x\n{}\n", "@call name=a#\n{}\n"),
    Shape("stray ends", "stf", "@user\n", "@end\ntext\n"),
    Shape("blocks in a chat", "stf", ";ai\n", ";meta\n{a: #,}\n;end\ntext\n"),
    Shape("comment lines", "stf", "@user\n", "@# text\n"),
    Shape("lines of an open call", "gadget", "!!!GADGET_START:Do\n!!!ARG:a\n", "some text\n"),
    Shape("arguments of an open call", "stf", "@ai\n!!!GADGET_START:Do\n", "!!!ARG:a#\nvalue\n"),
    Shape("lines of a value", "stf", "@ai\n!!!GADGET_START:Do\n!!!ARG:a\n", "some text\n", "!!!GADGET_END\n"),
    Shape("regions", "completion", "", '<think>a</think> b <tool_call>{"name": "get"}</tool_call> '),
)
PROSE = "some words \U0001f600 "
LINES = (
    Shape("prose", "gadget", "", PROSE),
    Shape("prose in a value", "gadget", "!!!GADGET_START:Do\n!!!ARG:a\n", PROSE, "end\n!!!GADGET_END\n"),
    Shape("prose in a message", "stf", "@user\n", PROSE, "\n@ai\nx\n"),
    Shape("blocks", "custom-blocks", "", "<think>a \U0001f600</think>"),
    Shape("signs in prose", "custom-blocks", "", "a <think>a</think> !!! <b> b "),
)
"""Texts that are one line, or nearly."""
LINE = Shape("one line", "gadget", "", "x <think>a</think> \U0001f600")
EQUAL = Shape("equal ids", "stf", "", "@user id=i#\nword\n@ai id=i#\n<think>\n")
NEEDS = "!!!GADGET_START:Do:i#:i0\n!!!ARG:a\nvalue\n!!!GADGET_END\n"
TWICE = CALL.replace("!!!GADGET_END", "!!!ARG:a\nvalue\n!!!GADGET_END")
MANY = (
    Shape("calls", "gadget", "", TWICE),
    Shape("messages", "stf", "", "@user id=a#\nword\n@ai\n<think>x</think>\n" + TWICE),
    Shape("blocks", "custom-blocks", "", "<think a=1 a=2>\nx\n</think>\n"),
    *(Shape(f"calls that need one, {before!r}", "stf", before, NEEDS) for before in ("@ai\n", "@ai\n  ")),
)
"""Texts of many sections."""
NAMED = (
    Shape("calls that need others", "gadget", "", "!!!GADGET_START:Do:i#\n!!!GADGET_END\n!!!GADGET_START:Do:j#:i#\n"),
    Shape("blocks around calls", "stf", "", "@ai\n<think>\n!!!GADGET_START:Do:i#\n!!!GADGET_END\n</think> #\n"),
)
"""Texts with a name in the third line of each unit, or in the fifth."""
SCHEMA = (
    '{"name": "Do", "schema": {"properties": {"a": {"type": "string"}, "l": {"type": "array"}}, "required": ["b"]}}'
)
JUDGED = Settings(gadgets=Gadgets(read_gadgets(SCHEMA).gadgets), max_diagnostics=20)
ITEMS = Shape("items with a schema", "gadget", "!!!GADGET_START:Do\n", "!!!ARG:l/#\nvalue\n", "!!!GADGET_END\n")
WITH_SCHEMAS = (
    Shape("calls in a message", "stf", "@ai\n", CALL),
    Shape("calls", "gadget", "", CALL),
    Shape("unknown gadgets in a message", "stf", "@ai\n", CALL.replace("Do", "Dont")),
)


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


def assert_linear(
    prepare: Callable[[int], Callable[[], object]], units: int = UNITS, most: float = 4.5, more: int = 100
) -> None:
    """Compare the steps of an action on some units and on four times as many; `prepare` makes the action."""
    small, large = steps(prepare(units)), steps(prepare(4 * units))
    assert large <= most * small + more


def assert_constant(prepare: Callable[[int], Callable[[], object]], each: float) -> None:
    """The same, where the number of units hardly matters: `each` is the most steps that a further one takes.

    There are enough units for what is limited, such as the names that are compared with a misspelt one.
    """
    small, large = steps(prepare(2 * UNITS)), steps(prepare(8 * UNITS))
    assert large - small <= each * 6 * UNITS


def opened(shape: Shape, units: int, settings: Settings = DEFAULTS) -> AnalysedText:
    text = Languages(settings).open(shape.text(units), shape.language_id, "file:///a", "utf-16")
    assert text is not None
    text.diagnostics()
    return text


def asking(text: AnalysedText, method: str, **params: object) -> Callable[[], object]:
    return lambda: FEATURES[method].reply(Asker(text, params))


def middle(text: AnalysedText, *, plain: bool) -> dict[str, int]:
    """A place on the first line after the middle that begins with a marker, or that does not, if there is one."""
    document = text.document
    lines = range(document.sections.breaks // 2, document.sections.breaks)
    starts = {line: text.begin(line) or 0 for line in lines[:100]}
    fit = (line for line, at in starts.items() if (document.slice(at, at + 1) not in "!@") is plain)
    return {"line": next(fit, lines.start), "character": 1}


def pressed(text: AnalysedText, line: int | None = None, column: int = 1, new: str = "y") -> Callable[[], None]:
    """Return a key on a line, or on a plain one in the middle, which was pressed once before."""
    line = middle(text, plain=True)["line"] if line is None else line

    def key() -> None:
        text.apply(LspChange(LspRange(line, column, line, column), new))
        text.diagnostics()

    key()
    return key


def by_name(*shapes: Shape) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("shape", shapes, ids=lambda shape: shape.name)


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
@by_name(*SHAPES)
def test_an_answer_is_linear_inside_one_section(shape: Shape, method: str, plain: bool | None) -> None:
    def prepare(units: int) -> Callable[[], object]:
        text = opened(shape, units)
        return asking(text, method, **({} if plain is None else {"position": middle(text, plain=plain)}))

    assert_linear(prepare)


OPENED = {shape.name: (shape, DEFAULTS) for shape in (*SHAPES[:3], LINE)}
OPENED_SLOWLY = {shape.name: (shape, DEFAULTS) for shape in SHAPES[3:]}
OPENED_SLOWLY |= {f"{shape.name}, with schemas": (shape, JUDGED) for shape in (*WITH_SCHEMAS, ITEMS)}


@pytest.mark.parametrize("name", [*OPENED, *(pytest.param(name, marks=pytest.mark.slow) for name in OPENED_SLOWLY)])
def test_opening_is_linear_inside_one_section_and_on_one_line(name: str) -> None:
    shape, settings = (OPENED | OPENED_SLOWLY)[name]
    assert_linear(lambda units: lambda: opened(shape, units, settings), more=0)


@by_name(*SHAPES)
def test_a_keystroke_is_linear_in_its_section(shape: Shape) -> None:
    assert_linear(lambda units: pressed(opened(shape, units, FEW)))


@by_name(*WITH_SCHEMAS)
def test_a_keystroke_judges_the_calls_around_it(shape: Shape) -> None:
    assert_constant(lambda units: pressed(opened(shape, units, JUDGED)), 1.5)


def test_a_keystroke_in_a_very_large_call_judges_nothing() -> None:
    for units in (MOST_ARGUMENTS, MOST_ARGUMENTS + 1):
        codes = [each["code"] for each in opened(ITEMS, units, JUDGED).diagnostics()]
        assert ("G203" in codes) is (units <= MOST_ARGUMENTS)


@by_name(*MANY)
def test_a_keystroke_costs_its_section_however_many_there_are(shape: Shape) -> None:
    def prepare(units: int) -> Callable[[], object]:
        text = opened(shape, units, FEW)
        key = pressed(text)
        asking(text, "semanticTokens/full")()
        key()
        asking(text, "semanticTokens/full")()
        delta = asking(text, "semanticTokens/full/delta", previousResultId="2")
        return lambda: (key(), delta())

    # each block of sections takes some steps
    assert_constant(prepare, 1)


@pytest.mark.parametrize(
    ("shape", "line", "column"), [(NAMED[0], 0, 19), (NAMED[0], 2, 20), (NAMED[1], 2, 19), (NAMED[1], 4, 2)]
)
def test_another_name_costs_the_names_that_it_touches(shape: Shape, line: int, column: int) -> None:
    def prepare(units: int) -> Callable[[], object]:
        text = opened(shape, units, FEW)
        first = units // 2 * shape.unit.count("\n") + line
        pressed(text, first - shape.unit.count("\n"), column)

        def key() -> None:
            text.apply(LspChange(LspRange(first, column, first, column), "y"))
            text.diagnostics()

        return key

    # the ends of blocks are counted in each block of sections
    assert_constant(prepare, 4)


def test_a_long_chain_is_a_cycle_once_it_is_closed() -> None:
    calls = [f"!!!GADGET_START:Do:i{n}:i{n - 1}\n!!!GADGET_END\n" for n in range(1, 2000)]
    text = opened(
        Shape("", "gadget", "!!!GADGET_START:Do:i0:\n!!!GADGET_END\n", "".join(calls)),
        1,
        Settings(max_diagnostics=5000),
    )
    assert text.diagnostics() == []
    for span, new, count in ((22, "i1999", 2000), (27, "", 0)):
        text.apply(LspChange(LspRange(0, 22, 0, span), new))
        assert [each["code"] for each in text.diagnostics()] == ["G112"] * count


@pytest.mark.parametrize("new", ["x", "\n"])
def test_an_edit_among_equal_ids_costs_what_is_shown(new: str) -> None:
    # each block of sections takes a step
    assert_constant(lambda units: pressed(opened(EQUAL, units, FEW), 0, 9, new), 0.2)


@pytest.mark.parametrize("hovers", [False, True], ids=["a key", "a hover"])
@by_name(*LINES)
def test_a_keystroke_and_a_hover_are_linear_in_a_long_line(shape: Shape, hovers: bool) -> None:
    def prepare(units: int) -> Callable[[], object]:
        text = opened(shape, units)
        line, character = text.position(len(shape.before) + len(shape.unit) * units // 2)
        key = pressed(text, line, character)
        return asking(text, "hover", position={"line": line, "character": character}) if hovers else key

    assert_linear(prepare, 4 * UNITS)


def test_links_after_a_keystroke_are_looked_for_where_it_was_and_where_there_are_some() -> None:
    def prepare(units: int) -> Callable[[], object]:
        text = opened(Shape("", "stf", "@user\n@embed a.txt\n", "@user\nword\n@ai\n<think>x</think>\n"), units)
        asking(text, "documentLink")()
        line = text.document.sections.breaks // 4 * 2 + 1
        text.apply(LspChange(LspRange(line, 0, line, 0), "y"))
        return asking(text, "documentLink")

    # the answer holds all links: it is put together of those of each block of 32 sections
    assert_constant(prepare, 0.7)


@pytest.mark.parametrize("method", ["hover", "completion", "signatureHelp"])
@by_name(*MANY)
def test_an_answer_at_the_cursor_costs_the_same_however_many_sections_there_are(shape: Shape, method: str) -> None:
    # once a process: modules are imported
    asking(opened(shape, 1), method, position={"line": 0, "character": 1})()

    def prepare(units: int) -> Callable[[], object]:
        text = opened(shape, units, FEW)
        answers = [asking(text, method, position=middle(text, plain=plain)) for plain in (True, False)]
        pressed(text)
        return lambda: [answer() for answer in answers]

    assert_constant(prepare, 0.3)


def test_a_chat_with_names_in_each_message_is_opened_in_linear_time() -> None:
    shape = Shape("", "stf", "", "@ai\n!!!GADGET_START:A:a#:x#\n!!!GADGET_END\n")
    assert_linear(lambda units: lambda: opened(shape, units), 16 * UNITS)
