"""A call: read once from its tokens, with the values that its gadget receives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Literal, NamedTuple

from llmblocks.core.scan import Token, kind_of, width_of
from llmblocks.gadget import kinds
from llmblocks.gadget.syntax.markers import ARG, Header, HeaderSpans, locate_header, split_header
from llmblocks.gadget.syntax.pointer import ROWS, Assembly, ErrorKind, Parameters, PointerError
from llmblocks.gadget.syntax.values import (
    BACKTICK,
    FENCE,
    SPACE,
    Expected,
    Scalar,
    coerce,
    last_value,
    rounded,
    strip_fences,
    type_of,
)


class PointerProblem(NamedTuple):
    """A reason why the runtime rejects a call."""

    kind: ErrorKind
    message: str
    pointer: str
    argument: int
    """The index of the argument in the call."""
    start: int
    """The start of the wrong part of `pointer`."""
    end: int

    @property
    def code(self) -> str:
        """The code of the rule that reports it in an editor."""
        return ROWS[self.kind].code


class Loss(NamedTuple):
    """Text of a call that does not reach its gadget."""

    kind: Literal["fence", "space", "digits", "blank_pointer", "ignored", "overwrites"]
    """"fence": the closing backticks of the last value; "space": the white space trimmed from its end; "digits": a
    number that float64 rounds; "blank_pointer": a value without a pointer; "ignored": a value that JavaScript drops
    (`__proto__`); "overwrites": a pointer that replaces values.
    """
    text: str
    """The lost text."""


class Argument(NamedTuple):
    """An argument of a call."""

    pointer: str
    written: str
    """The text up to the newline before the next marker."""
    received: str
    """The part that reaches the gadget."""
    value: Scalar
    """The received text with its type."""
    losses: tuple[Loss, ...]
    problem: tuple[ErrorKind, str] | None
    """The reason why the runtime rejects it, or None."""


Decoded = tuple[Parameters | None, tuple[PointerProblem, ...]]


class ArgumentView(NamedTuple):
    """The places of an argument of a call."""

    start: int
    name: int
    """The start of its pointer, without white space around it; `name_end` is its end."""
    name_end: int
    value: int
    end: int
    """The end of its value. The newline before the next marker is part of it."""
    pointer: str


class Call(NamedTuple):
    """A call. Places are code points of `text`: the text of a section, or the body of a call."""

    text: str
    arguments: tuple[ArgumentView, ...]
    end: int
    """The start of the end marker, or of whatever ends the call instead."""
    closed: bool = False
    start: int = 0
    """The start marker."""
    header: int = 0
    """The rest of the line of the start marker, up to `header_end`."""
    header_end: int = -1
    gaps: tuple[tuple[int, int], ...] = ()
    """The stretches of chat syntax inside the call, which its runtime does not see."""
    crlf: bool = False
    r"""Whether the chat around it reads `\r\n` as `\n`."""
    is_trimmed: bool = False
    """Whether the white space and the fence around its arguments have been removed."""

    @property
    def head(self) -> str:
        """The header as written."""
        return self.said(self.header, self.header_end)

    @property
    def parts(self) -> Header:
        """The parts of the header."""
        return split_header(self.head)

    @property
    def names(self) -> HeaderSpans:
        """The places of the parts of the header."""
        return locate_header(self.text, self.header, self.header_end)

    @property
    def body(self) -> str:
        """The text between header and end, as the runtime reads it."""
        body = self.said(self.header_end + 1, self.end)
        return body.replace("\r\n", "\n") if self.crlf else body

    def said(self, start: int, end: int) -> str:
        """Return the text between two places, without chat syntax."""
        if not self.gaps:
            return self.text[start:end]
        parts = []
        for gap, behind in self.gaps:
            parts.append(self.text[start : min(gap, end)])
            start = max(start, behind)
        return "".join([*parts, self.text[start:end]])

    def place(self, start: int, offset: int) -> int:
        """Return the place of the character at an offset of the text from `start`, without chat syntax."""
        at = start + offset
        for gap, behind in self.gaps:
            if start <= gap <= at:
                at += behind - gap
        return at

    def received(self, number: int) -> str:
        """Return the text of an argument's value as it reaches the gadget."""
        each = self.arguments[number]
        text = self.said(each.value, each.end)
        if self.crlf:
            text = text.replace("\r\n", "\n")
        if self.is_trimmed or number + 1 < len(self.arguments):
            return text.removesuffix("\n")
        return last_value(text)

    def decoded(self, expected: Callable[[str], Expected] | None = None) -> Decoded:
        """Return the parameters and no problem, or None and all problems. `expected` returns the type at a pointer."""
        problems: list[PointerProblem] = []
        assembly = Assembly()
        for number, (_, _, _, _, _, pointer) in enumerate(self.arguments):
            if not pointer:
                continue
            value = coerce(self.received(number), expected(pointer) if expected else "unknown")
            wrong = assembly.take(number, pointer, value)
            if isinstance(wrong, PointerError):
                problems.append(PointerProblem(wrong.kind, wrong.message, pointer, number, *wrong.span(pointer)))
        return (None if problems else assembly.root), tuple(problems)


def read_call(text: str, tokens: Sequence[Token], *, crlf: bool = False) -> Call | None:
    """Read the call among some tokens; None if its start marker lacks the newline that begins a call."""
    every = [*map(kind_of, tokens)]
    if kinds.HEADER_END not in every:
        return None
    starts = [0, *accumulate(map(width_of, tokens))]
    first, line = every.index(kinds.START), every.index(kinds.HEADER_END)
    closed = kinds.END in every
    stop = every.index(kinds.END) if closed else max([at for at, kind in enumerate(every, 1) if kind in kinds.CALL])
    gaps = tuple([(starts[at], starts[at + 1]) for at in range(first, stop) if every[at] not in kinds.CALL])
    header_end = starts[line]
    call = Call(text, (), starts[stop], closed, starts[first], starts[first + 1], header_end, gaps, crlf)
    marks = [at for at, kind in enumerate(every) if kind is kinds.ARG]
    places: list[_Places] = []
    for mark, behind in zip(marks, [*marks[1:], stop], strict=False):
        # most pointers are one token, with its newline after it
        newline = mark + 2
        if newline >= behind or every[newline] is not kinds.POINTER_END:
            newline = next((at for at in range(mark + 1, behind) if every[at] is kinds.POINTER_END), behind)
        value = starts[min(newline + 1, behind)]
        places.append((starts[mark], starts[mark + 1], starts[newline], value, starts[behind]))
    return _with_arguments(call, places)


def can_be_trimmed(arg: str) -> bool:
    """Return whether the runtime, which trims a body before it looks for markers, may remove part of a marker."""
    return arg.strip(SPACE) != arg or BACKTICK in arg


def read_body(body: str, arg: str) -> Call:
    """Read the call with a body. `arg` is the marker of its arguments."""
    is_trimmed = can_be_trimmed(arg)
    if is_trimmed:
        body = strip_fences(body)
    call, places = Call(body, (), len(body), is_trimmed=is_trimmed), list[_Places]()
    before, *parts = body.split(arg)
    end = len(before)
    for part in parts:
        start, name = end, end + len(arg)
        newline, end = name + part.find("\n"), name + len(part)
        places.append((start, name, newline, newline + 1, end) if newline >= name else (start, name, end, end, end))
    return _with_arguments(call, places)


_new = tuple.__new__
_Places = tuple[int, int, int, int, int]
"""The start of an argument, the start and the end of its line after the marker, and of its value."""


def _with_arguments(call: Call, places: Iterable[_Places]) -> Call:
    arguments: list[ArgumentView] = []
    text, gaps = call.text, call.gaps
    for start, name, name_end, value, end in places:
        written = text[name:name_end]
        pointer = written.strip(SPACE)
        if gaps or pointer != written:
            written, at = call.said(name, name_end), name
            pointer = written.strip(SPACE)
            before = written.index(pointer)
            name = name_end = call.place(at, before)
            if pointer:
                name_end = call.place(at, before + len(pointer) - 1) + 1
        # a third of the time of `ArgumentView(…)`, for the thousands of arguments of a long call
        arguments.append(_new(ArgumentView, (start, name, name_end, value, end, pointer)))
    last = arguments[-1] if arguments and not call.is_trimmed else None
    if last is not None and last.pointer.endswith(FENCE) and not call.said(last.value, last.end).strip(SPACE):
        # without a value after it, a fence at the end of the last pointer ends the body
        pointer = last.pointer.removesuffix(FENCE).strip(SPACE)
        arguments[-1] = last._replace(pointer=pointer, name_end=last.name + len(pointer))
    return call._replace(arguments=(*arguments,))


class GadgetCall:
    """A call as the runtime would pass it to its gadget. Values are decoded on first access; never raises.

    Attributes:
        parameters: A dict, or None if the runtime rejects the call.
        parameters_raw: The trimmed text between header and end.
        error, error_kind: The first of `problems`, in the runtime's wording.
    """

    __slots__ = ("_arg", "_body", "_decoded", "dependencies", "invocation_id", "name")

    def __init__(self, name: str, invocation_id: str, dependencies: tuple[str, ...], body: str, arg: str = ARG) -> None:
        """Create a call. `arg` is the marker of its arguments."""
        self.name = name
        self.invocation_id = invocation_id
        self.dependencies = dependencies
        self._body = body
        self._arg = arg
        self._decoded: Decoded | None = None

    @property
    def parameters_raw(self) -> str:
        return self._body.strip(SPACE)

    @property
    def parameters(self) -> Parameters | None:
        return self._values()[0]

    @property
    def problems(self) -> tuple[PointerProblem, ...]:
        """All problems of the arguments, in order. The first is the runtime's error."""
        return self._values()[1]

    @property
    def error(self) -> str | None:
        return self.problems[0].message if self.problems else None

    @property
    def error_kind(self) -> ErrorKind | None:
        return self.problems[0].kind if self.problems else None

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """The arguments with their text, value and losses; computed at every access."""
        return tuple(_arguments(self._read()))

    def _read(self) -> Call:
        return read_body(self._body, self._arg)

    def _values(self) -> Decoded:
        self._decoded = self._decoded or self._read().decoded()
        return self._decoded

    def typed(self, expected: Callable[[str], Expected]) -> Parameters:
        """Return the parameters with the types that a schema expects at each pointer.

        Raises:
            PointerError: `parameters` is None; this is the first of `problems`.
        """
        parameters, problems = self._read().decoded(expected)
        if parameters is None:
            raise PointerError(problems[0].kind, problems[0].message)
        return parameters

    def _fields(self) -> tuple[object, ...]:
        return self.name, self.invocation_id, self.dependencies, self.parameters_raw, self.parameters

    def __eq__(self, other: object) -> bool:
        return self._fields() == other._fields() if isinstance(other, GadgetCall) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        try:
            shown = repr(self.parameters if self.error is None else self.error)
        except RecursionError:
            shown = repr(self.parameters_raw)  # nested deeper than Python prints
        return f"GadgetCall({self.name!r}, {self.invocation_id!r}, {self.dependencies!r}, {shown})"


def values_by_pointer(call: GadgetCall) -> tuple[tuple[str, Scalar], ...]:
    """Return the value of each argument with its pointer, even if the call is invalid."""
    read = call._read()
    return tuple([(each.pointer, coerce(read.received(number))) for number, each in enumerate(read.arguments)])


def _arguments(call: Call) -> Iterator[Argument]:
    """Yield each argument, read independently: a wrong argument counts as absent, a wrong index as right."""
    assembly = Assembly()
    for number, each in enumerate(call.arguments):
        text = call.received(number)
        value = coerce(text)
        written = call.said(each.value, each.end).removesuffix("\n")
        losses = [*_lost(written, text, value)]
        problem: tuple[ErrorKind, str] | None = None
        outcome = assembly.take(number, each.pointer, value) if each.pointer else "blank"
        if isinstance(outcome, PointerError):
            problem = outcome.kind, outcome.message
        elif outcome == "overwritten":
            losses.append(Loss("overwrites", each.pointer))
        elif outcome:
            losses.append(Loss("ignored" if outcome == "ignored" else "blank_pointer", text))
        yield Argument(each.pointer, written, text, value, tuple(losses), problem)


def _lost(written: str, text: str, value: Scalar) -> Iterator[Loss]:
    tail = written[len(text) :]
    if FENCE in tail:
        yield Loss("fence", FENCE)
        tail = tail.replace("\n" + FENCE if "\n" + FENCE in tail else FENCE, "", 1)
    if tail:
        yield Loss("space", tail)
    if type_of(value) == "number" and rounded(text.strip(SPACE)):
        yield Loss("digits", text.strip(SPACE))
