"""A complete gadget call."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from llmblocks.gadget.reading.arguments import Argument, read_arguments
from llmblocks.gadget.syntax.javascript import SPACE, SPACES
from llmblocks.gadget.syntax.markers import ARG
from llmblocks.gadget.syntax.pointer import Assembly, Parameters, Value
from llmblocks.gadget.syntax.pointer_errors import ROWS, ErrorKind, PointerError
from llmblocks.gadget.syntax.scalars import Scalar
from llmblocks.gadget.syntax.values import BACKTICK, COERCIBLE, Expected, coerce, split_arguments, strip_fences

_LARGE = 1 << 15


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


class GadgetCall:
    """A call as the runtime would pass it to its gadget. Values are decoded on first access.

    Shape:  `parameters` is a dict, or None if the runtime rejects the call; `parameters_raw` is the trimmed text
            between header and end; `error` and `error_kind` are the first of `problems`, in the runtime's wording.
    Errors: none.
    """

    __slots__ = ("_arg", "_body", "_parameters", "_problems", "dependencies", "invocation_id", "name")

    def __init__(
        self,
        name: str,
        invocation_id: str,
        dependencies: tuple[str, ...],
        body: str,
        arg: str = ARG,
        parameters: Parameters | None = None,
    ) -> None:
        self.name = name
        self.invocation_id = invocation_id
        self.dependencies = dependencies
        self._body = body
        self._arg = arg
        self._parameters = parameters  # if the stream had them at hand
        self._problems: tuple[Problem, ...] | None = None if parameters is None else ()  # None until decoded

    @property
    def parameters_raw(self) -> str:
        return self._body.strip(SPACE)

    @property
    def parameters(self) -> Parameters | None:
        if self._problems is None:
            # the fast path first: it serves nearly every call
            self._parameters = flat_parameters(self._body, self._arg)
            if self._parameters is None:
                self._decode()
            else:
                self._problems = ()
        return self._parameters

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All problems of the arguments, in order. The first is the runtime's error."""
        if self._problems is None:
            self._decode()
        return self._problems or ()

    @property
    def error(self) -> str | None:
        return self.problems[0].message if self.problems else None

    @property
    def error_kind(self) -> ErrorKind | None:
        return self.problems[0].kind if self.problems else None

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """Each argument with its text, its value and its losses; computed at every access."""
        return read_arguments(self._body, self._arg)

    def typed(self, expected: Callable[[str], Expected]) -> Parameters:
        """The parameters with the types that a schema expects at each pointer.

        Errors: `PointerError`, the first of `problems`, if `parameters` is None.
        """
        parameters, problems = nested_parameters(self._body, self._arg, expected)
        if parameters is None:
            raise PointerError(problems[0].kind, problems[0].message)
        return parameters

    def _decode(self) -> None:
        self._parameters, self._problems = nested_parameters(self._body, self._arg)

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
    """The value of each argument with its pointer: those of `arguments`, without what else is told of them."""
    received = split_arguments(strip_fences(call._body), call._arg)
    return tuple([(pointer, coerce(text)) for pointer, text in received])


def flat_parameters(body: str, arg: str) -> Parameters | None:
    """Decode a body whose pointers are all plain and distinct, as most are; None for any other.

    The values are those of `nested_parameters`, in fewer steps.
    """
    if BACKTICK in body:
        body = strip_fences(body)
    elif len(body) > _LARGE:
        return _large_parameters(body, arg)
    elif arg != ARG:
        body = body.strip(SPACE)  # trimming may remove part of a marker
    parts = body.split(arg)
    del parts[0]
    parameters: Parameters = {}
    pointer = value = ""
    for part in parts:
        pointer, _, value = part.partition("\n")
        if not pointer.isidentifier():
            pointer = pointer.strip(SPACE)
            if not pointer or "/" in pointer:
                return None
        value = value.removesuffix("\n")
        parameters[pointer] = coerce(value) if value and value[0] in COERCIBLE else value
    if value and value[-1] in SPACES:
        parameters[pointer] = coerce(value.rstrip(SPACE))
    if len(parameters) < len(parts) or "__proto__" in parameters:
        return None
    return parameters


def _large_parameters(body: str, arg: str) -> Parameters | None:
    """`flat_parameters` of a body with long values, which are copied only once."""
    end = len(body)
    while end and body[end - 1] in SPACES:
        end -= 1
    parameters: Parameters = {}
    count = 0
    at = body.find(arg, 0, end)
    while at >= 0:
        start = at + len(arg)
        at = body.find(arg, start, end)
        stop = end if at < 0 else at
        newline = body.find("\n", start, stop)
        pointer = body[start : stop if newline < 0 else newline].strip(SPACE)
        if not pointer or "/" in pointer:
            return None
        if newline >= 0 and stop > newline + 1 and body[stop - 1] == "\n":
            stop -= 1
        value = body[newline + 1 : stop] if newline >= 0 else ""
        parameters[pointer] = coerce(value) if value[:1] in COERCIBLE else value
        count += 1
    return None if len(parameters) < count or "__proto__" in parameters else parameters


def nested_parameters(
    body: str, arg: str, expected: Callable[[str], Expected] | None = None
) -> tuple[Parameters | None, tuple[Problem, ...]]:
    """Decode any body: the parameters and no problem, or None and all problems."""
    problems: list[Problem] = []
    assembly = Assembly()
    for number, (pointer, text) in enumerate(split_arguments(strip_fences(body), arg)):
        if not pointer:
            continue
        wrong = assembly.take(number, pointer, coerce(text, expected(pointer) if expected else "unknown"))
        if isinstance(wrong, PointerError):
            problems.append(Problem(wrong.kind, wrong.message, pointer, number, *wrong.span(pointer)))
    return (None if problems else assembly.root), tuple(problems)


__all__ = ["GadgetCall", "Parameters", "Problem", "Value", "flat_parameters", "nested_parameters"]
