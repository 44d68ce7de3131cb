"""The template that a text was probably written for."""

from __future__ import annotations

import re
from typing import NamedTuple

from llmblocks.completions.machine import machine_of
from llmblocks.completions.shipped import find_template, template_names

_LONGEST = 1 << 20
_ESCAPES = re.compile(r'\\([n"\\/t]|u[0-9a-fA-F]{4})')
_MEANT = {"n": "\n", "t": "\t"}


class Guess(NamedTuple):
    """A template."""

    name: str
    why: str
    """A sentence."""
    names: tuple[str, ...] = ()
    """All templates that would do; none if no delimiter is there."""


def guessed(text: str, *, escaped: bool = False) -> Guess:
    """Return the template of the package with the most delimiters in a text. In JSON, the text is `escaped`."""
    text = text[:_LONGEST]
    if escaped:
        text = _ESCAPES.sub(_unescaped, text)
    counts = {name: _count(name, text) for name in template_names()}
    # the longest delimiters are the best evidence; of equal ones, prefer the template with fewer fields
    best = max(counts, key=lambda name: (counts[name][2], -len(find_template(name).template.fields), name == "hermes"))
    count, example, size = counts[best]
    if not count:
        return Guess("hermes", "no delimiter of any template is there, so it is the default")
    others = [name for name, (_, _, other) in counts.items() if other == size and name != best]
    also = f"; {', '.join(others)} would do, too" if others else ""
    found = f"{count} of its delimiters are there, such as" if count > 1 else "it has the delimiter"
    return Guess(best, f"{found} {example}{also}", (best, *others))


def _count(name: str, text: str) -> tuple[int, str, int]:
    """Count the delimiters of a template in a text; return the number, one of them, and their total length."""
    watch, at = machine_of(find_template(name).template).outside, 0
    count, example, size = 0, "", 0
    while watch is not None:
        found = watch.next(text, at, len(text), True, False)
        if found is None:
            break
        at = max(found.end, found.start + 1)
        count += 1
        size += found.end - found.start
        if found.end - found.start > len(example) and found.kind == "open":
            example = " ".join(text[found.start : found.end].split())
    return count, example, size


def _unescaped(found: re.Match[str]) -> str:
    code = found[1]
    return chr(int(code[1:], 16)) if len(code) > 1 else _MEANT.get(code, code)
