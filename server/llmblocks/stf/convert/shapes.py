"""The shapes of values that a service accepts. Anything else is dropped and reported as lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from llmblocks.stf.convert.converted import Losses
from llmblocks.stf.values.messages import Json

Shape: TypeAlias = Any
"""One of

- a type: a value of this type;
- a word: this word;
- a tuple of shapes: a value of the first one that fits;
- a list of a shape: a list, without the items that do not fit;
- a dict of shapes: an object with these keys; those that end with `?` are optional, and others are dropped.
"""
_MISFIT: Final = object()


def carried(more: Mapping[str, Json], accepted: Mapping[str, Shape], holder: str, losses: Losses) -> dict[str, Json]:
    """Return the keys of an object that a service accepts; the others are lost.

    `holder` names the object in messages.
    """
    out: dict[str, Json] = {}
    for key, value in more.items():
        if value is None:
            # A null carries no information, and many keys must be absent rather than null.
            continue
        if key not in accepted:
            losses.add(f"{holder} has no key {key!r}: it is left out", key)
            continue
        fitted = _fitted(value, accepted[key], losses.at(key))
        if fitted is _MISFIT:
            losses.add(f"the service does not accept this {key}: it is left out", key)
        elif fitted != []:
            # an empty list carries no information: each dropped item has been reported
            out[key] = fitted
    return out


def _fitted(value: Any, shape: Shape, losses: Losses) -> Json:
    """Return a value as the service accepts it, or `_MISFIT`."""
    if isinstance(shape, tuple):
        fitting = (_fitted(value, each, losses) for each in shape)
        return next((each for each in fitting if each is not _MISFIT), _MISFIT)
    if isinstance(shape, list) and isinstance(value, list):
        fitted = [_fitted(item, shape[0], losses.at(index)) for index, item in enumerate(value)]
        for index, item in enumerate(fitted):
            if item is _MISFIT:
                losses.add("the service does not accept this: it is left out", index)
        return [item for item in fitted if item is not _MISFIT]
    if isinstance(shape, dict) and isinstance(value, dict):
        optional = {key[:-1]: each for key, each in shape.items() if key.endswith("?")}
        out = {key: _fitted(value.get(key, _MISFIT), each, losses) for key, each in shape.items() if key[-1] != "?"}
        if any(item is _MISFIT for item in out.values()):
            return _MISFIT
        return out | carried({key: item for key, item in value.items() if key not in out}, optional, "it", losses)
    return value if (value == shape if isinstance(shape, str) else type(value) is shape) else _MISFIT
