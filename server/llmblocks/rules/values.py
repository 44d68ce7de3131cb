"""The values of a document for a program, and the comparison before and after fixes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import cast

from llmblocks.core.decoded import Decoded, Scalar, Value
from llmblocks.languages.language import Language
from llmblocks.rules.fix import Effect
from llmblocks.settings.values import Settings

Part = tuple[str, Scalar]
_Decode = Callable[[str, Settings], Decoded]


def values_of(text: str, language: Language, settings: Settings) -> list[Value]:
    """All values of a text, those of an inner format behind those of the text that they are in."""
    return _values(text, language.layers, settings)


def _values(text: str, layers: tuple[str, ...], settings: Settings) -> list[Value]:
    if not layers:
        return [Value("", free=text)]
    found = []
    for each in _decoder(layers[0])(text, settings):
        found += [each] if isinstance(each, Value) else _values(each, layers[1:], settings)
    return found


@cache
def _decoder(layer: str) -> _Decode:
    name = f"llmblocks.{layer}.decoded"
    try:
        return cast("_Decode", import_module(name).decoded)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        # a format that tells nothing of its values: none of its text may change
        return lambda text, _: [Value(text), text]


def kept(before: Sequence[Value], after: Sequence[Value], effects: Sequence[Effect]) -> bool:
    """Whether fixes with these effects have changed nothing else."""
    if "adds" in effects:
        after = after[: len(before)]
    if len(before) != len(after):
        return False
    removed = 0
    for old, new in zip(before, after, strict=True):
        if old.head != new.head:
            return False
        if (old.before, old.free) != (new.before, new.free) and not ("text" in effects and _has_lost(old, new)):
            return False
        if old.accepted:
            if not new.accepted or _told(old.parts) != _told(new.parts):
                return False
            continue
        missing = _missing(old.parts, new.parts, by_name="names" not in effects)
        if missing is None:
            return False
        removed += missing
    return removed == effects.count("removes")


def _has_lost(old: Value, new: Value) -> bool:
    """Whether the text of a value, or in front of it, is the old one without some of its characters."""
    left = iter(old.free)
    return new.before <= old.before and all(character in left for character in new.free)


def _told(parts: Sequence[Part]) -> list[tuple[str, str]]:
    # 1, 1.0 and true are equal in Python
    return [(name, repr(value)) for name, value in parts]


def _missing(whole: Sequence[Part], rest: Sequence[Part], *, by_name: bool) -> int | None:
    """How many parts have gone; None where those that are left are in another order, or others.

    What is last now may lose the `\r` of its line end, which runtimes trim there.
    """
    if _told(whole) == _told(rest):
        return 0
    among = iter(whole)
    for number, (name, value) in enumerate(rest, 1):
        wanted = {repr(value)}
        for other, candidate in among:
            known = {repr(candidate)}
            if number == len(rest) and isinstance(candidate, str):
                known.add(repr(candidate.rstrip("\r")))
            if wanted & known and (name == other or not by_name):
                break
        else:
            return None
    return len(whole) - len(rest)
