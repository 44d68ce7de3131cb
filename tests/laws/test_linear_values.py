"""Law 5 for what is wrong in values: any misfit, n and 4n times in one value, counted in lines of Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from laws.test_linear_told import steps
from llmblocks import check
from llmblocks.stf import StfStream, decode

UNITS: Final = 24
_WRONG_VALUES: Final = ("1", "null", "[]", "{}")
_LISTS: Final = {
    "tool_calls": ("1", "{}", *(f"{{name: 'f', arguments: '', {key}: {{}}}}" for key in ("name", "arguments", "id"))),
    "content": (
        *("1", "null", "'x'", "{}", "{type: 'film'}", "{type: 5}", "{type: 'text'}", "{type: 'text', text: 1}"),
        *(f"{{type: 'image', {key}: {value}}}" for key in ("url", "data", "name") for value in _WRONG_VALUES),
    ),
    "reasoning": ("1", "{type: 'text', text: []}"),
    "refusal": ("[]", "{type: 'audio', format: 1}"),
}


def _raw(inside: str) -> str:
    return f"@raw\n{{role: 'user', content: '',\n{inside}\n}}\n@end\n"


MISFITS: Final[dict[str, Callable[[int], str]]] = {
    **{
        f"{value} in {key}": lambda units, key=key, value=value: _raw(f"{key}: [" + f"{value},\n" * units + "]")  # type: ignore[misc]
        for key, values in _LISTS.items()
        for value in values
    },
    "a key again": lambda units: _raw("a: 1,\n" * units),
    "keys again": lambda units: _raw("".join(f"a{number}: 1, a{number}: 2,\n" for number in range(units))),
    "a key again in extra": lambda units: ";user\n;extra\n[" + "{a: 1, a: 2},\n" * units + "]\n;end\n",
    "a key again in an argument": lambda units: "@user {" + "id: 'x', " * units + "}\n",
    "a key again in a call": lambda units: "@ai\n@call name=f\n{" + '"a": 1, ' * units + '"b": 1}\n',
    "an unknown key of a command": lambda units: (
        "@user {" + "".join(f"a{number}: 1, " for number in range(units)) + "}\n"
    ),
    "comments between misfits": lambda units: _raw("tool_calls: [" + "1,\n@# note\n" * units + "]"),
    "bad lines": lambda units: "@user\n" + "@usr x\n" * units,
}


def _streamed(text: str) -> None:
    stream = StfStream()
    for at in range(0, len(text), 256):
        stream.feed(text[at : at + 256])
    stream.close()


READERS: Final[dict[str, Callable[[str], object]]] = {
    "decode": decode,
    "stream": _streamed,
    "check": lambda text: check(text, "stf"),
}


@pytest.mark.parametrize("misfit", MISFITS)
def test_misfits_in_a_value_take_linear_work(misfit: str) -> None:
    small, large = MISFITS[misfit](UNITS), MISFITS[misfit](4 * UNITS)
    assert len(check(small, "stf")) >= UNITS - 1
    for name, read in READERS.items():
        read(small)
        costs = [steps(lambda text=text, read=read: read(text)) for text in (small, large)]  # type: ignore[misc]
        assert costs[1] <= 4.4 * costs[0] + 500, name
