"""The writer of gadget calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import isfinite
from typing import Protocol

from llmblocks.gadget.running.fates import Planned, check_header
from llmblocks.gadget.running.schema import AnySchema, prepare
from llmblocks.gadget.stream import read_calls
from llmblocks.gadget.syntax.markers import Markers, markers_or_default, split_header
from llmblocks.gadget.syntax.pointer import INHERITED, NESTING_LIMIT, Parameters
from llmblocks.gadget.syntax.values import FENCE, SPACE

_LARGEST = 10**309


class Writable(Planned, Protocol):
    """The input of `render`: a `GadgetCall` without error, or any object with the same attributes."""

    @property
    def name(self) -> str: ...
    @property
    def parameters(self) -> Parameters | None: ...


@dataclass(eq=False, repr=False)
class RenderError(ValueError):
    """A value that the format cannot carry, with its pointer ("" for the call)."""

    pointer: str
    message: str

    def __str__(self) -> str:
        return f"{self.pointer}: {self.message}" if self.pointer else self.message


def render(call: Writable, *, markers: Markers | None = None, schema: AnySchema | None = None) -> str:
    """Write a call as text that reads back as the same call.

    Args:
        call: The call.
        markers: The markers; None for the default ones.
        schema: The gadget's schema. With it, text that looks like a number or a boolean can be written if the schema
            keeps it text.

    Returns:
        Header, arguments and end marker, each on its own lines, with a newline at the end.

    Raises:
        RenderError: The format cannot carry a value: a marker in a value or a name, a last value that ends in a code
            fence or white space, text that would be read as a number, an empty list or dict, None.
        TypeError: It is not a call.
    """
    markers = markers_or_default(markers)
    check_header("render writes", call)
    parameters = call.parameters
    if parameters is None:
        raise RenderError("", "the call has an error, and no parameters to write")
    if not isinstance(parameters, Mapping):
        raise TypeError(f"`parameters` of {call.invocation_id!r} is a dict, not {type(parameters).__name__}")
    lines = [markers.start + _header(call)]
    leaves = _leaves(parameters)
    for segments, value in leaves:
        pointer = pointer_of((*map(str, segments),), markers)
        text = _text(pointer, value)
        _check_markers(pointer, text, markers)
        lines += [markers.arg + pointer, text]
    if leaves and lines[-1].endswith((FENCE, *SPACE)):
        lost = "a code fence, which the runtime strips" if FENCE in lines[-1][-3:] else "white space, which it trims"
        raise RenderError(pointer, f"the last value ends in {lost}; put another after it")
    written = "\n".join([*lines, markers.end, ""])
    _check_back(written, parameters, markers, schema)
    return written


def _header(call: Writable) -> str:
    if not isinstance(call.name, str):
        raise TypeError(f"`name` of {call.invocation_id!r} is a str, not {type(call.name).__name__}")
    parts = [call.name, call.invocation_id]
    if call.dependencies:
        parts.append(",".join(call.dependencies))
    written = ":".join(parts)
    back = split_header(written)
    if "\n" in written or back != (call.name, call.invocation_id, tuple(call.dependencies)):
        raise RenderError(
            "",
            f"the header {written!r} would come back as {back.name!r}, {back.invocation_id!r}, {back.dependencies!r}: "
            "a name or id cannot hold a colon or newline, a dependency no comma, and none white space at its ends",
        )
    return written


def _leaves(root: Parameters) -> list[tuple[tuple[str | int, ...], object]]:
    """Return all leaf values, in order, with keys and indices. Not recursive: parameters can be deep."""
    found: list[tuple[tuple[str | int, ...], object]] = []
    waiting: list[tuple[tuple[str | int, ...], object]] = [((), root)]
    while waiting:
        segments, value = waiting.pop()
        inside: Sequence[tuple[str | int, object]] | None = None
        if isinstance(value, Mapping):
            inside = [(str(name), item) for name, item in value.items()]
            if segments and inside and _is_index(inside[0][0]):
                # The first key decides: after an index, this would read back as a list.
                inside = sorted(inside, key=lambda entry: _is_index(entry[0]))
        elif isinstance(value, Sequence) and not isinstance(value, str | bytes):
            inside = [*enumerate(value)]
        if inside is None:
            found.append((segments, value))
        elif not inside and segments:
            raise RenderError(_joined(segments), "an empty list or dict has no value to write; leave it out")
        else:
            waiting += [((*segments, name), item) for name, item in reversed(inside)]
    return found


def _is_index(name: str | int) -> bool:
    return isinstance(name, int) or (name.isascii() and name.isdigit())


def _joined(segments: tuple[str | int, ...]) -> str:
    return "/".join(map(str, segments))


def pointer_of(segments: tuple[str, ...], markers: Markers) -> str:
    """Return the pointer that leads to a value; raise `RenderError` if the format cannot carry it."""
    pointer = "/".join(segments)
    if len(segments) > NESTING_LIMIT:
        raise RenderError(pointer[:60], f"nested in {len(segments)} levels, and at most {NESTING_LIMIT} are read")
    for segment in segments:
        if "/" in segment or "\n" in segment:
            raise RenderError(pointer, f"the key {segment!r} holds a slash or a newline, for which there is no escape")
    if pointer.strip(SPACE) != pointer or not pointer:
        raise RenderError(pointer, "the pointer is empty, or begins or ends in white space, which is trimmed")
    if segments[-1] == "__proto__" or any(segment in INHERITED for segment in segments[:-1]):
        raise RenderError(pointer, "the key is inherited by every object of the runtime, which drops or rejects it")
    _check_markers(pointer, pointer, markers)
    return pointer


def _text(pointer: str, value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        if abs(value) >= _LARGEST:
            raise RenderError(pointer, "the number is past float64, which every number is read as")
        return str(value)
    if isinstance(value, float):
        if not isfinite(value):
            raise RenderError(pointer, f"{value} has no way to be written: numbers are finite")
        return format(Decimal(repr(value)), "f")
    if isinstance(value, str):
        return value
    kind = "null" if value is None else type(value).__name__
    raise RenderError(pointer, f"{kind} has no way to be written: only text, numbers and booleans have")


def _check_markers(pointer: str, text: str, markers: Markers) -> None:
    for marker in markers:
        if marker in text + "\n":
            raise RenderError(pointer, f"it holds the marker {marker!r}, which would end it: there is no escape")


def _check_back(written: str, parameters: Parameters, markers: Markers, schema: AnySchema | None) -> None:
    """Read the written text back, and reject it if it differs."""
    calls, *_ = read_calls(written, markers)
    if len(calls) != 1:
        raise RenderError("", f"with these markers it would come back as {len(calls)} calls")
    if calls[0].problems:
        raise RenderError(calls[0].problems[0].pointer, calls[0].problems[0].message)
    back = calls[0].parameters if schema is None else calls[0].typed(prepare(schema).expected)
    before, after = dict(_leaves(parameters)), dict(_leaves(back or {}))
    if before.keys() != after.keys():
        raise RenderError("", "a dict whose first key is an index would come back as a list, and a list as a dict")
    for segments, value in before.items():
        got = after[segments]
        if got != value or isinstance(got, str | bool) != isinstance(value, str | bool):
            message = f"{value!r} would come back as {got!r}"
            raise RenderError(_joined(segments), f"{message}; a schema that says which it is can keep it")
