"""Wrong arguments of the library raise an error at once, which names the expected ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import llmblocks
from llmblocks import gadget, stf

TAKE_TEXT: dict[str, Callable[[Any], object]] = {
    "parse": lambda given: llmblocks.parse(given, "stf"),
    "check": lambda given: llmblocks.check(given, "stf"),
    "fix": lambda given: llmblocks.fix(given, "stf"),
    "feedback": lambda given: llmblocks.feedback(given, "stf"),
    "format_text": lambda given: llmblocks.format_text(given, "stf"),
    "coerce": gadget.coerce,
    "decode_pointer": gadget.decode_pointer,
    "read_gadgets": gadget.read_gadgets,
    "decode": stf.decode,
    "detect": stf.detect,
    "from_json": stf.from_json,
    "from_ndjson": stf.from_ndjson,
}


@pytest.mark.parametrize("name", TAKE_TEXT)
@pytest.mark.parametrize("given", [None, 3, b"", b"x", {}, ["a"]], ids=repr)
def test_anything_but_text_is_an_error_in_the_words_of_the_function(name: str, given: object) -> None:
    with pytest.raises(TypeError, match=f"^{name} takes a str, not .*{type(given).__name__}"):
        TAKE_TEXT[name](given)


def test_a_document_is_opened_from_text() -> None:
    with pytest.raises(TypeError, match="takes a str, not NoneType"):
        llmblocks.open_document(None, "stf")  # type: ignore[arg-type]


@pytest.mark.parametrize("given", [None, 3, "run", {}], ids=repr)
def test_a_gadget_runs_a_function(given: Any) -> None:
    with pytest.raises(TypeError, match=f"^a gadget runs a function, not {type(given).__name__}"):
        gadget.Gadget(given)
