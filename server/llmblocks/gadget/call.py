"""A call: read once from its tokens, with the values that its gadget receives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Literal, NamedTuple

from llmblocks.core.scan import Kind, Token, kind_of, width_of
from llmblocks.gadget import kinds
from llmblocks.gadget.scanner import BodyScanner
from llmblocks.gadget.syntax.header import Header, split_header
from llmblocks.gadget.syntax.javascript import SPACE, SPACES, rounded, trim
from llmblocks.gadget.syntax.markers import ARG
from llmblocks.gadget.syntax.pointer import Assembly, Parameters
from llmblocks.gadget.syntax.pointer_errors import ROWS, ErrorKind, PointerError
from llmblocks.gadget.syntax.scalars import Scalar
from llmblocks.gadget.syntax.values import BACKTICK, FENCE, Expected, coerce, last_value, strip_fences


class Problem(NamedTuple):
    """A reason why the runtime rejects a call.

    Shape: `argument` is the index of the argument among all of the call; `start` and `end` are the wrong part of its
           `pointer`.
    """

    kind: ErrorKind
    message: str
    pointer: str
    argument: int
    start: int
    end: int

    @property
    def code(self) -> str:
        """The code of the rule that reports it in an editor."""
        return ROWS[self.kind].code


LossKind = Literal["fence", "space", "digits", "blank_pointer", "ignored", "overwrites"]


class Loss(NamedTuple):
    """Text of a call that does not reach its gadget.

    Shape:  `kind` and the lost text: "fence", the closing backticks of the last value; "space", the white space
            trimmed from its end; "digits", a number that float64 rounds; "blank_pointer", a value without a pointer;
            "ignored", a value that JavaScript drops (`__proto__`); "overwrites", a pointer that replaces values.
    """

    kind: LossKind
    text: str


class Argument(NamedTuple):
    """An argument of a call.

    Shape:  `written` is its text up to the newline before the next marker, `received` the part that reaches the
            gadget, `value` that part with its type; `problem` is the reason why the runtime rejects it, or None.
    """

    pointer: str
    written: str
    received: str
    value: Scalar
    losses: tuple[Loss, ...]
    problem: tuple[ErrorKind, str] | None


Decoded = tuple[Parameters | None, tuple[Problem, ...]]


class ArgumentView(NamedTuple):
    """An argument of a call.

    Shape: `start` is where its marker begins, `name` to `name_end` its pointer without the white space around it,
           `value` to `end` its value as written, the newline before the next marker included.
    """

    start: int
    name: int
    name_end: int
    value: int
    end: int
    pointer: str


class Call(NamedTuple):
    """A call. Places are code points of `text`, which is that of a section, or the body of a call."""

    text: str
    arguments: tuple[ArgumentView, ...]
    end: int
    """The end marker, or what stands in its place."""
    closed: bool = False
    """Whether there is an end marker."""
    start: int = 0
    """The start marker."""
    header: int = 0
    """The rest of the line of the start marker, up to `header_end`."""
    header_end: int = -1
    gaps: tuple[tuple[int, int], ...] = ()
    """The syntax of a chat inside the call: its runtime does not see it."""
    crlf: bool = False
    r"""Whether the chat around it reads `\r\n` as `\n`."""
    is_trimmed: bool = False
    """Whether the white space and the fence around its arguments are gone."""

    @property
    def head(self) -> str:
        """The header as written."""
        return self.said(self.header, self.header_end)

    @property
    def parts(self) -> Header:
        """The parts of the header."""
        return split_header(self.head)

    @property
    def body(self) -> str:
        """The text between header and end, as the runtime reads it."""
        body = self.said(self.header_end + 1, self.end)
        return body.replace("\r\n", "\n") if self.crlf else body

    def said(self, start: int, end: int) -> str:
        """The text between two places, without the syntax of a chat."""
        if not self.gaps:
            return self.text[start:end]
        parts = []
        for gap, behind in self.gaps:
            parts.append(self.text[start : min(gap, end)])
            start = max(start, behind)
        return "".join([*parts, self.text[start:end]])

    def place(self, start: int, offset: int) -> int:
        """The place of a character of what is said from a place on."""
        at = start + offset
        for gap, behind in self.gaps:
            if start <= gap <= at:
                at += behind - gap
        return at

    def received(self, number: int) -> str:
        """The text of an argument's value as it reaches the gadget."""
        each = self.arguments[number]
        text = self.said(each.value, each.end)
        if self.crlf:
            text = text.replace("\r\n", "\n")
        if self.is_trimmed or number + 1 < len(self.arguments):
            return text.removesuffix("\n")
        return last_value(text)

    def decoded(self, expected: Callable[[str], Expected] | None = None) -> Decoded:
        """The parameters and no problem, or None and all problems. Shape: a schema expects the type at a pointer."""
        problems: list[Problem] = []
        assembly = Assembly()
        for number, (_, _, _, _, _, pointer) in enumerate(self.arguments):
            if not pointer:
                continue
            value = coerce(self.received(number), expected(pointer) if expected else "unknown")
            wrong = assembly.take(number, pointer, value)
            if isinstance(wrong, PointerError):
                problems.append(Problem(wrong.kind, wrong.message, pointer, number, *wrong.span(pointer)))
        return (None if problems else assembly.root), tuple(problems)


def read_call(text: str, tokens: Sequence[Token], *, crlf: bool = False) -> Call | None:
    """The call among some tokens; None if a start marker without a newline after it begins none."""
    every = [*map(kind_of, tokens)]
    if kinds.HEADER_END not in every:
        return None
    starts = [0, *accumulate(map(width_of, tokens))]
    first, line = every.index(kinds.START), every.index(kinds.HEADER_END)
    closed = kinds.END in every
    stop = every.index(kinds.END) if closed else max([at for at, kind in enumerate(every, 1) if kind in kinds.CALL])
    gaps = () if kinds.CALL.issuperset(every[first:stop]) else _gaps(every, starts, first, stop)
    header_end = starts[line]
    call = Call(text, (), starts[stop], closed, starts[first], starts[first + 1], header_end, gaps, crlf)
    return _with_arguments(call, every, starts, stop)


def read_body(body: str, arg: str, arguments: Sequence[ArgumentView] | None = None) -> Call:
    """The call that a body is. Shape: `arg` is the marker of its `arguments`, which a stream knows already."""
    # the runtime trims a body before it looks for markers: that may take a part of such a marker
    is_trimmed = arg.strip(SPACE) != arg or BACKTICK in arg
    if is_trimmed:
        body = strip_fences(body)
    elif arguments is not None:
        return _without_fence(Call(body, (*arguments,), len(body)))
    tokens = _body_scanner(arg).tokens(body)
    every = [*map(kind_of, tokens)]
    starts = [0, *accumulate(map(width_of, tokens))]
    return _with_arguments(Call(body, (), len(body), is_trimmed=is_trimmed), every, starts, len(every))


_new = tuple.__new__
_body_scanner = lru_cache(maxsize=16)(BodyScanner)


def _gaps(every: list[Kind], starts: list[int], first: int, stop: int) -> tuple[tuple[int, int], ...]:
    return tuple([(starts[at], starts[at + 1]) for at in range(first, stop) if every[at] not in kinds.CALL])


def _with_arguments(call: Call, every: list[Kind], starts: list[int], stop: int) -> Call:
    arguments: list[ArgumentView] = []
    text, gaps = call.text, call.gaps
    marks = [at for at, kind in enumerate(every) if kind is kinds.ARG]
    for mark, behind in zip(marks, [*marks[1:], stop], strict=False):
        name, end = starts[mark + 1], starts[behind]
        # most pointers are one token with its newline
        newline = mark + 2
        if newline >= behind or every[newline] is not kinds.POINTER_END:
            newline = next((at for at in range(mark + 1, behind) if every[at] is kinds.POINTER_END), -1)
        name_end, value = (starts[newline], starts[newline + 1]) if newline >= 0 else (end, end)
        pointer = text[name:name_end]
        if gaps or (pointer and (pointer[0] in SPACES or pointer[-1] in SPACES)):
            written, at = call.said(name, name_end), name
            pointer = written.strip(SPACE)
            before = written.index(pointer)
            name = name_end = call.place(at, before)
            if pointer:
                name_end = call.place(at, before + len(pointer) - 1) + 1
        # a third of the time of `ArgumentView(…)`, for the thousands of arguments of a long call
        arguments.append(_new(ArgumentView, (starts[mark], name, name_end, value, end, pointer)))
    return _without_fence(call._replace(arguments=(*arguments,)))


def _without_fence(call: Call) -> Call:
    """Take the fence off the last pointer of a call: with no value after it, it ends the body."""
    last = call.arguments[-1] if call.arguments and not call.is_trimmed else None
    if last is None or not last.pointer.endswith(FENCE) or call.said(last.value, last.end).strip(SPACE):
        return call
    pointer = last.pointer.removesuffix(FENCE).strip(SPACE)
    plain = last._replace(pointer=pointer, name_end=last.name + len(pointer))
    return call._replace(arguments=(*call.arguments[:-1], plain))


class GadgetCall:
    """A call as the runtime would pass it to its gadget. Values are decoded on first access.

    Shape:  `parameters` is a dict, or None if the runtime rejects the call; `parameters_raw` is the trimmed text
            between header and end; `error` and `error_kind` are the first of `problems`, in the runtime's wording.
    Errors: none.
    """

    __slots__ = ("_arg", "_arguments", "_body", "_decoded", "dependencies", "invocation_id", "name")

    def __init__(
        self,
        name: str,
        invocation_id: str,
        dependencies: tuple[str, ...],
        body: str,
        arg: str = ARG,
    ) -> None:
        self.name = name
        self.invocation_id = invocation_id
        self.dependencies = dependencies
        self._body = body
        self._arg = arg
        self._arguments: Sequence[ArgumentView] | None = None
        self._decoded: Decoded | None = None

    @property
    def parameters_raw(self) -> str:
        return self._body.strip(SPACE)

    @property
    def parameters(self) -> Parameters | None:
        return (self._decoded or self._decode())[0]

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All problems of the arguments, in order. The first is the runtime's error."""
        return (self._decoded or self._decode())[1]

    @property
    def error(self) -> str | None:
        return self.problems[0].message if self.problems else None

    @property
    def error_kind(self) -> ErrorKind | None:
        return self.problems[0].kind if self.problems else None

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """Each argument with its text, its value and its losses; computed at every access."""
        return tuple(_arguments(self._read()))

    def _read(self) -> Call:
        return read_body(self._body, self._arg, self._arguments)

    def typed(self, expected: Callable[[str], Expected]) -> Parameters:
        """The parameters with the types that a schema expects at each pointer.

        Errors: `PointerError`, the first of `problems`, if `parameters` is None.
        """
        parameters, problems = self._read().decoded(expected)
        if parameters is None:
            raise PointerError(problems[0].kind, problems[0].message)
        return parameters

    def _decode(self) -> Decoded:
        self._decoded = self._read().decoded()
        return self._decoded

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


def with_arguments(call: GadgetCall, arguments: Sequence[ArgumentView]) -> GadgetCall:
    """The call of a stream, which has read its arguments."""
    call._arguments = arguments
    return call


def values_by_pointer(call: GadgetCall) -> tuple[tuple[str, Scalar], ...]:
    """The value of each argument with its pointer, whatever is wrong with the call."""
    read = call._read()
    return tuple([(each.pointer, coerce(read.received(number))) for number, each in enumerate(read.arguments)])


def _arguments(call: Call) -> Iterator[Argument]:
    """Each argument on its own: later ones as if a wrong one were absent, and a wrong index right."""
    assembly = Assembly()
    for number, each in enumerate(call.arguments):
        text = call.received(number)
        value = coerce(text)
        written = call.said(each.value, each.end).removesuffix("\n")
        losses = _lost(written, text, value)
        problem: tuple[ErrorKind, str] | None = None
        if not each.pointer:
            losses.append(Loss("blank_pointer", text))
        else:
            outcome = assembly.take(number, each.pointer, value)
            if isinstance(outcome, PointerError):
                problem = outcome.kind, outcome.message
            elif outcome == "overwritten":
                losses.append(Loss("overwrites", each.pointer))
            elif outcome == "ignored":
                losses.append(Loss("ignored", text))
        yield Argument(each.pointer, written, text, value, tuple(losses), problem)


def _lost(written: str, text: str, value: Scalar) -> list[Loss]:
    found: list[Loss] = []
    tail = written[len(text) :]
    if FENCE in tail:
        found.append(Loss("fence", FENCE))
        tail = tail.replace("\n" + FENCE if "\n" + FENCE in tail else FENCE, "", 1)
    if tail:
        found.append(Loss("space", tail))
    if isinstance(value, int | float) and not isinstance(value, bool) and rounded(trim(text)):
        found.append(Loss("digits", trim(text)))
    return found
