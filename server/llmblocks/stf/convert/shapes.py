"""The shapes of values that a service accepts. Anything else is dropped and reported as lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from llmblocks.stf.convert.converted import Losses, below
from llmblocks.stf.values.messages import Json

MISFIT: Final = object()
"""The result of a shape for a value that does not fit."""
Shape: TypeAlias = Callable[[Any, str, Losses], Json]
"""Returns a value as the service accepts it, or `MISFIT`. Unknown keys become losses."""


def carried(
    more: Mapping[str, Json], accepted: Mapping[str, Shape], holder: str, path: str, losses: Losses
) -> dict[str, Json]:
    """Return the keys of an object that a service accepts; the others are lost.

    `holder` names the object in messages.
    """
    out: dict[str, Json] = {}
    for key, value in more.items():
        shape = accepted.get(key)
        at = below(path, key)
        if value is None:
            # A null carries no information, and many keys must be absent rather than null.
            continue
        if shape is None:
            losses.add(at, f"{holder} has no key {key!r}: it is left out")
            continue
        fitted = shape(value, at, losses)
        if fitted is MISFIT:
            losses.add(at, f"the service does not accept this {key}: it is left out")
        elif fitted != []:
            # an empty list carries no information: each dropped item has been reported
            out[key] = fitted
    return out


def text(value: Any, path: str, losses: Losses) -> Json:
    """Accept any text."""
    return value if isinstance(value, str) else MISFIT


def text_or_null(value: Any, path: str, losses: Losses) -> Json:
    """Accept any text, or null."""
    return value if value is None or isinstance(value, str) else MISFIT


def whole(value: Any, path: str, losses: Losses) -> Json:
    """Accept a whole number."""
    return value if isinstance(value, int) and not isinstance(value, bool) else MISFIT


def boolean(value: Any, path: str, losses: Losses) -> Json:
    """Accept true or false."""
    return value if isinstance(value, bool) else MISFIT


def one_of(*words: str) -> Shape:
    """Accept one of some words."""
    return lambda value, path, losses: value if isinstance(value, str) and value in words else MISFIT


def many(shape: Shape) -> Shape:
    """Accept a list, without the items that do not fit."""

    def fit(value: Any, path: str, losses: Losses) -> Json:
        if not isinstance(value, list):
            return MISFIT
        out = []
        for index, item in enumerate(value):
            fitted = shape(item, f"{path}[{index}]", losses)
            if fitted is MISFIT:
                losses.add(f"{path}[{index}]", "the service does not accept this: it is left out")
            else:
                out.append(fitted)
        return out

    return fit


def record(required: Mapping[str, Shape], optional: Mapping[str, Shape] | None = None) -> Shape:
    """Accept an object with these keys."""
    optional = optional or {}

    def fit(value: Any, path: str, losses: Losses) -> Json:
        if not isinstance(value, Mapping):
            return MISFIT
        out = {}
        for key, shape in required.items():
            fitted = shape(value[key], below(path, key), losses) if key in value else MISFIT
            if fitted is MISFIT:
                return MISFIT
            out[key] = fitted
        rest = {key: item for key, item in value.items() if key not in required}
        return {**out, **carried(rest, optional, "it", path, losses)}

    return fit


def by_type(shapes: Mapping[str, Shape]) -> Shape:
    """Accept an object of one of several types, chosen by its `type`."""

    def fit(value: Any, path: str, losses: Losses) -> Json:
        kind = value.get("type") if isinstance(value, Mapping) else None
        shape = shapes.get(kind) if isinstance(kind, str) else None
        return MISFIT if shape is None else shape(value, path, losses)

    return fit
