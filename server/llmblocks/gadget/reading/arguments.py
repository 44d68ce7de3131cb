"""The arguments of a call: the text of each, its value in the runtime, and the losses."""

from __future__ import annotations

from typing import Literal, NamedTuple

from llmblocks.gadget.syntax.javascript import rounded, trim
from llmblocks.gadget.syntax.pointer import Assembly
from llmblocks.gadget.syntax.pointer_errors import ErrorKind, PointerError
from llmblocks.gadget.syntax.scalars import Scalar
from llmblocks.gadget.syntax.values import FENCE, WrittenArgument, coerce, split_arguments, strip_fences

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


def read_arguments(body: str, arg: str) -> tuple[Argument, ...]:
    """Read the text between a call's header and its end, argument by argument.

    Shape:  one argument for each marker, in order.
    Errors: none; each argument has its own problem. Later arguments are checked as if a wrong one were absent, and a
            wrong index right.
    """
    received = list(split_arguments(strip_fences(body), arg))
    written = list(split_arguments(body, arg))
    if len(written) != len(received):  # the trimming removed white space or backticks of the marker itself
        written = received
    found: list[Argument] = []
    assembly = Assembly()
    for number, ((pointer, text), before) in enumerate(zip(received, written, strict=True)):
        value = coerce(text)
        losses = _lost(before, text, value)
        problem: tuple[ErrorKind, str] | None = None
        if not pointer:
            losses.append(Loss("blank_pointer", text))
        else:
            outcome = assembly.take(number, pointer, value)
            if isinstance(outcome, PointerError):
                problem = outcome.kind, outcome.message
            elif outcome == "overwritten":
                losses.append(Loss("overwrites", pointer))
            elif outcome == "ignored":
                losses.append(Loss("ignored", text))
        found.append(Argument(pointer, before.text, text, value, tuple(losses), problem))
    return tuple(found)


def _lost(before: WrittenArgument, text: str, value: Scalar) -> list[Loss]:
    found: list[Loss] = []
    tail = before.text[len(text) :]
    if FENCE in tail:
        found.append(Loss("fence", FENCE))
        tail = tail.replace("\n" + FENCE if "\n" + FENCE in tail else FENCE, "", 1)
    if tail:
        found.append(Loss("space", tail))
    if isinstance(value, int | float) and not isinstance(value, bool) and rounded(trim(text)):
        found.append(Loss("digits", trim(text)))
    return found
